/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h -- private to expr and dae: blocks that grow in place. */
#ifndef RUBATO_POOL_H
#define RUBATO_POOL_H

#include "base/base.h"

/* block with room for at least `needed` items; *room is updated. */
static inline void *pool_grow(Arena *arena, void *block, size_t size, uint32_t *room,
                              uint64_t needed) {
    (void)arena;
    if (needed <= *room) return block;
    uint64_t items = *room ? *room + (uint64_t)*room / 2 : 16;
    if (items < needed) items = needed;
    *room = items <= UINT32_MAX ? (uint32_t)items : UINT32_MAX;
    return mem_resize(block, items <= UINT32_MAX ? (size_t)items * size : SIZE_MAX);
}

#define POOL_GROW(arena, block, room, needed)                                            \
    ((block) = pool_grow((arena), (block), sizeof *(block), &(room), (uint64_t)(needed)))

#endif
