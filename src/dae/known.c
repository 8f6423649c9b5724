/* SPDX-License-Identifier: Apache-2.0 */
/* known.c -- numbers for shapes some of whose slots are known.
 *
 * Rows of one shape differ in which of their slots are numbers or the opposites of others; a pattern says
 * it, a byte or an int for each slot. What such a shape says is found out once. Neighbours mostly have the
 * pattern asked about last, so that is compared before anything is looked up. */
#include "dae/alias.h"

#include <string.h>

static bool is_same(const KnownShapes *v, int number, int shape, const void *pattern,
                    size_t bytes) {
    const KnownShape *x = &v->item[number];
    return x->shape == shape && memcmp(v->pattern + x->pattern, pattern, bytes) == 0;
}

int known_shape(KnownShapes *v, int shape, const void *pattern, size_t bytes) {
    if (v->count && is_same(v, v->last, shape, pattern, bytes)) return v->last;
    uint64_t key = hash_bytes(pattern, bytes);
    key = hash_mix(key ^ (uint64_t)(uint32_t)shape * 0x9e3779b97f4a7c15u);
    for (;; key = hash_mix(key + 1)) { /* until a key is free or that of this pattern */
        int known = (int)map_get(&v->known, key, -1);
        if (known < 0) break;
        if (is_same(v, known, shape, pattern, bytes)) return v->last = known;
    }
    GROW(v->item, v->room, v->count + 1);
    GROW(v->pattern, v->pattern_room, v->patterns + (uint32_t)bytes + 1);
    memcpy(v->pattern + v->patterns, pattern, bytes);
    v->item[v->count] = (KnownShape){.shape = shape, .pattern = v->patterns};
    v->patterns += (uint32_t)bytes;
    map_put(&v->known, key, v->count);
    return v->last = v->count++;
}

uint32_t known_order(KnownShapes *v, const int *slot, int slots) {
    const uint32_t first = v->orders;
    GROW(v->order, v->order_room, first + (uint32_t)slots + 1);
    for (int k = 0; k < slots; k++) v->order[v->orders++] = slot ? slot[k] : k;
    return first;
}

void known_shapes_free(KnownShapes *v) {
    MEM_FREE(v->item, v->pattern, v->order);
    map_free(&v->known);
    *v = (KnownShapes){0};
}
