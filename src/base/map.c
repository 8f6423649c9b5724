/* SPDX-License-Identifier: Apache-2.0 */
/* map.c -- integer -> integer hash map with open addressing and linear probing.
 *
 * There is no removal: no pass needs it, and probing stays simple. Iteration is not
 * offered on purpose: the order of a hash table must never reach an output. */
#include "base/base.h"

#include <string.h>

uint64_t hash_mix(uint64_t x) { /* finaliser of splitmix64 (Steele, Lea, Flood 2014) */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* One round of a lane: as in xxHash64 (Collet 2012), whose four lanes do not wait for each other. */
static uint64_t lane(uint64_t h, const unsigned char *byte) {
    uint64_t word;
    memcpy(&word, byte, 8);
    h += word * 0xc2b2ae3d27d4eb4fu;
    return (h << 31 | h >> 33) * 0x9e3779b185ebca87u;
}

uint64_t hash_bytes(const void *data, size_t length) {
    const unsigned char *byte = data;
    uint64_t             h = 0x9e3779b97f4a7c15u ^ length;
    if (length >= 32) {
        uint64_t a = h, b = ~h, c = h + 1, d = h - 1;
        for (; length >= 32; length -= 32, byte += 32) {
            a = lane(a, byte);
            b = lane(b, byte + 8);
            c = lane(c, byte + 16);
            d = lane(d, byte + 24);
        }
        h = hash_mix(hash_mix(hash_mix(a) ^ b) ^ c) ^ d;
    }
    for (; length >= 8; length -= 8, byte += 8) h = hash_mix(lane(h, byte));
    for (; length; length--, byte++) h = (h ^ *byte) * 0x100000001b3u;
    return hash_mix(h);
}

static size_t find_slot(const Map *map, uint64_t key) {
    size_t i = (size_t)hash_mix(key) & map->mask;
    while (map->used[i] && map->key[i] != key) i = (i + 1) & map->mask;
    return i;
}

static bool grow(Map *map) {
    size_t slots = map->mask ? 2 * (map->mask + 1) : 16;
    Map    larger = {.key = mem_resize(NULL, slots * sizeof(uint64_t)),
                     .value = mem_resize(NULL, slots * sizeof(int64_t)),
                     .used = mem_take(slots, 1),
                     .mask = slots - 1,
                     .count = map->count};
    if (!larger.key || !larger.value || !larger.used) {
        map_free(&larger);
        return false;
    }
    for (size_t i = 0; map->mask && i <= map->mask; i++) {
        if (!map->used[i]) continue;
        size_t j = find_slot(&larger, map->key[i]);
        larger.used[j] = 1;
        larger.key[j] = map->key[i];
        larger.value[j] = map->value[i];
    }
    map_free(map);
    *map = larger;
    return true;
}

bool map_put(Map *map, uint64_t key, int64_t value) {
    if (2 * (map->count + 1) > map->mask && !grow(map)) return false;
    size_t i = find_slot(map, key);
    if (!map->used[i]) map->count++;
    map->used[i] = 1;
    map->key[i] = key;
    map->value[i] = value;
    return true;
}

int64_t map_get(const Map *map, uint64_t key, int64_t otherwise) {
    if (!map->count) return otherwise;
    size_t i = find_slot(map, key);
    return map->used[i] ? map->value[i] : otherwise;
}

bool map_has(const Map *map, uint64_t key) {
    return map->count && map->used[find_slot(map, key)];
}

void map_free(Map *map) {
    MEM_FREE(map->key, map->value, map->used);
    *map = (Map){0};
}
