/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h -- private to expr and dae: blocks that grow in place. */
#ifndef RUBATO_POOL_H
#define RUBATO_POOL_H

#include "base/base.h"

#include <stdlib.h>

/* block with room for at least `needed` items; *room is updated. The arena lends its hook for
 * lack of memory; a hook that returns leaves no way to go on. */
static inline void *pool_grow(Arena *arena, void *block, size_t size, uint32_t *room,
                              uint64_t needed) {
    if (needed <= *room) return block;
    uint64_t items = *room ? *room + (uint64_t)*room / 2 : 16;
    if (items < needed) items = needed;
    void *larger = items <= UINT32_MAX ? realloc(block, (size_t)items * size) : NULL;
    if (!larger) arena_lack(arena, (size_t)items * size);
    *room = (uint32_t)items;
    return larger;
}

#define POOL_GROW(arena, block, room, needed)                                            \
    ((block) = pool_grow((arena), (block), sizeof *(block), &(room), (uint64_t)(needed)))

#endif
