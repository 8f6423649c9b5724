/* SPDX-License-Identifier: Apache-2.0 */
/* strings.c -- interned names: equal text, equal number.
 *
 * Open addressing with linear probing at a load of at most one half; hashes are kept so
 * that growing never looks at the text again. Number 0 is the empty string. */
#include "base/base.h"

#include <string.h>

static uint32_t hash_text(const char *text, size_t length) {
    uint32_t h = 2166136261u; /* FNV-1a, then a finaliser: the mask uses the low bits */
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h ^ (h >> 15);
}

static bool rehash(Strings *strings, uint32_t slots) {
    uint32_t *slot = mem_take(slots, sizeof *slot);
    if (!slot) return false;
    for (uint32_t s = 0; s < strings->count; s++) {
        uint32_t i = strings->hash[s] & (slots - 1);
        while (slot[i]) i = (i + 1) & (slots - 1);
        slot[i] = s + 1;
    }
    mem_free(strings->slot);
    strings->slot = slot;
    strings->mask = slots - 1;
    return true;
}

void strings_init(Strings *strings) {
    *strings = (Strings){0};
    if (rehash(strings, 1024)) str_intern(strings, "", 0);
}

void strings_free(Strings *strings) {
    mem_free(strings->slot);
    arena_free(&strings->arena);
    *strings = (Strings){0};
}

/* The slot that holds the text, or the free slot where it belongs. */
static uint32_t find_slot(const Strings *strings, const char *text, size_t length,
                          uint32_t hash) {
    uint32_t i = hash & strings->mask;
    for (; strings->slot[i]; i = (i + 1) & strings->mask) {
        uint32_t s = strings->slot[i] - 1;
        if (strings->hash[s] == hash && strings->length[s] == length &&
            memcmp(strings->text[s], text, length) == 0)
            break;
    }
    return i;
}

static bool make_room(Strings *strings) {
    int old = strings->capacity, needed = (int)strings->count + 1;
    if (needed <= old) return true;
    int a = old, b = old, c = old;
    strings->text =
        arena_grow(&strings->arena, strings->text, sizeof(char *), &a, needed);
    strings->length =
        arena_grow(&strings->arena, strings->length, sizeof(uint32_t), &b, needed);
    strings->hash =
        arena_grow(&strings->arena, strings->hash, sizeof(uint32_t), &c, needed);
    strings->capacity = a;
    return strings->text && strings->length && strings->hash;
}

Str str_intern(Strings *strings, const char *text, size_t length) {
    uint32_t hash = hash_text(text, length);
    uint32_t i = find_slot(strings, text, length, hash);
    if (strings->slot[i]) return strings->slot[i] - 1;
    if (!make_room(strings)) return 0;
    Str str = strings->count++;
    strings->text[str] = arena_string(&strings->arena, text, length);
    strings->length[str] = (uint32_t)length;
    strings->hash[str] = hash;
    strings->slot[i] = str + 1;
    if (2 * strings->count > strings->mask) rehash(strings, 2 * (strings->mask + 1));
    return str;
}

Str str_of(Strings *strings, const char *text) {
    return str_intern(strings, text, strlen(text));
}

Str str_find(const Strings *strings, const char *text, size_t length) {
    uint32_t slot =
        strings->slot[find_slot(strings, text, length, hash_text(text, length))];
    return slot ? slot - 1 : 0;
}

const char *str_text(const Strings *strings, Str str) {
    return strings->text[str];
}

uint32_t str_length(const Strings *strings, Str str) {
    return strings->length[str];
}
