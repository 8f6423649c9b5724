/* SPDX-License-Identifier: Apache-2.0 */
/* known.c -- numbers for shapes some of whose slots are known.
 *
 * Rows of one shape differ in which of their slots are numbers or the opposites of others; a pattern says
 * it, a byte for each slot. What such a shape says is found out once. Neighbours mostly have the
 * pattern asked about last, so that is compared before anything is looked up. */
#include "dae/alias.h"

#include <string.h>

static bool is_same(const KnownShapes *v, int number, int shape, const uint8_t *pattern,
                    int slots) {
    const KnownShape *x = &v->item[number];
    return x->shape == shape &&
           memcmp(v->pattern + x->pattern, pattern, (size_t)slots) == 0;
}

int known_shape(KnownShapes *v, int shape, const uint8_t *pattern, int slots) {
    if (v->count && is_same(v, v->last, shape, pattern, slots)) return v->last;
    uint64_t key = hash_bytes(pattern, (size_t)slots);
    key = hash_mix(key ^ (uint64_t)(uint32_t)shape * 0x9e3779b97f4a7c15u);
    for (;; key = hash_mix(key + 1)) { /* until a key is free or that of this pattern */
        int known = (int)map_get(&v->known, key, -1);
        if (known < 0) break;
        if (is_same(v, known, shape, pattern, slots)) return v->last = known;
    }
    GROW(v->item, v->room, v->count + 1);
    GROW(v->pattern, v->pattern_room, v->patterns + (uint32_t)slots + 1);
    memcpy(v->pattern + v->patterns, pattern, (size_t)slots);
    v->item[v->count] = (KnownShape){.shape = shape, .pattern = v->patterns};
    v->patterns += (uint32_t)slots;
    map_put(&v->known, key, v->count);
    return v->last = v->count++;
}

void known_shapes_free(KnownShapes *v) {
    MEM_FREE(v->item, v->pattern);
    map_free(&v->known);
    *v = (KnownShapes){0};
}
