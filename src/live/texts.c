/* SPDX-License-Identifier: Apache-2.0 */
/* texts.c -- Strings of one instance as numbers.
 *
 * Texts of the program have the numbers of their literals, texts made while the model runs the
 * numbers after those. Equal texts have equal numbers: a new one is looked up in both. Those that
 * no variable has any more are given up when there are many, between evaluations; numbers of the
 * others stay what they are. */
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64, ENOUGH = 1 << 16 };

const char *texts_get(const Instance *instance, double text) {
    const Texts *own = &instance->program->texts;
    long         k = text >= 0 && text < 1e15 ? (long)text : 0;
    if (k < own->literals) return program_text(instance->program, own->literal[k]);
    k -= own->literals;
    const char *made = k < instance->texts.count ? instance->texts.text[k] : NULL;
    return made ? made : "";
}

static int *slot_of(const Instance *instance, const char *text) {
    const RunTexts *t = &instance->texts;
    uint64_t        h = hash_bytes(text, strlen(text));
    int             k = (int)(h % (uint64_t)t->slots);
    while (t->slot[k] && strcmp(texts_get(instance, t->slot[k] - 1), text) != 0)
        k = (k + 1) % t->slots;
    return &t->slot[k];
}

/* A table with room for many texts, filled anew; false: no memory. */
static bool rehash(Instance *instance, int slots) {
    RunTexts *t = &instance->texts;
    int       literals = instance->program->texts.literals;
    int      *slot = mem_take((size_t)slots, sizeof *slot);
    if (!slot) return false;
    mem_free(t->slot);
    t->slot = slot;
    t->slots = slots;
    for (int k = 0; k < literals; k++) *slot_of(instance, texts_get(instance, k)) = k + 1;
    for (int k = 0; k < t->count; k++)
        if (t->text[k]) *slot_of(instance, t->text[k]) = literals + k + 1;
    return true;
}

/* A number that is free; -1: no memory. */
static int free_number(RunTexts *t) {
    if (t->count == t->room) {
        int    room = 2 * t->room + 16;
        char **more = mem_resize(t->text, (size_t)room * sizeof *more);
        if (!more) return -1;
        t->text = more;
        t->room = room;
    }
    t->text[t->count] = NULL;
    return t->count++;
}

double texts_keep(Instance *instance, const char *text) {
    RunTexts *t = &instance->texts;
    int       literals = instance->program->texts.literals;
    if (2 * (literals + t->count + 1) >= t->slots) {
        int slots = FIRST_SLOTS;
        while (slots < 4 * (literals + t->count + 1)) slots *= 2;
        if (!rehash(instance, slots)) return -1;
    }
    int *slot = slot_of(instance, text);
    if (*slot) return *slot - 1;
    size_t length = strlen(text);
    char  *copy = mem_take(length, 1);
    int    k = copy ? free_number(t) : -1;
    if (k < 0) {
        mem_free(copy);
        return -1;
    }
    memcpy(copy, text, length);
    t->text[k] = copy;
    t->bytes += length + 1;
    return (*slot = literals + k + 1) - 1;
}

void texts_sweep(Instance *instance) {
    RunTexts        *t = &instance->texts;
    const Variables *all = &instance->program->variables;
    int              literals = instance->program->texts.literals;
    if (t->bytes <= (t->enough ? t->enough : ENOUGH)) return;
    bool *used = mem_take((size_t)t->count, sizeof *used);
    if (!used) return; /* they stay */
    for (int r = 0; r < all->runs; r++)
        for (int i = 0; all->run[r].type == TYPE_STRING && i < all->run[r].count; i++) {
            double k = instance->v[all->run[r].first + i] - literals;
            if (k >= 0 && k < t->count) used[(int)k] = true;
        }
    for (int k = 0; k < t->count; k++) {
        if (used[k] || !t->text[k]) continue;
        t->bytes -= strlen(t->text[k]) + 1;
        mem_free(t->text[k]);
        t->text[k] = NULL;
    }
    mem_free(used);
    while (t->count && !t->text[t->count - 1]) t->count--;
    t->enough = 2 * t->bytes > ENOUGH ? 2 * t->bytes : ENOUGH;
    rehash(instance, t->slots);
}

void texts_save(const Instance *instance, Bytes *to) {
    const RunTexts *t = &instance->texts;
    bytes_put(to, &t->count, sizeof t->count);
    for (int k = 0; k < t->count; k++) {
        uint64_t n = t->text[k] ? strlen(t->text[k]) + 1 : 0;
        bytes_put(to, &n, sizeof n);
        if (n) bytes_put(to, t->text[k], n);
    }
}

/* Numbers stay what they were. */
void texts_restore(Instance *instance, Bytes *from) {
    RunTexts *t = &instance->texts;
    int       count, slots = FIRST_SLOTS;
    texts_free(t);
    bytes_get(from, &count, sizeof count);
    for (int k = 0; k < count && !from->failed; k++) {
        uint64_t n;
        bytes_get(from, &n, sizeof n);
        from->failed |= n > from->room || free_number(t) < 0;
        if (from->failed || !n) continue;
        t->text[k] = mem_take(n, 1);
        from->failed |= !t->text[k];
        if (from->failed) return;
        bytes_get(from, t->text[k], n);
        t->bytes += n;
    }
    while (slots < 4 * (instance->program->texts.literals + count + 1)) slots *= 2;
    from->failed |= count && !from->failed && !rehash(instance, slots);
}

void texts_free(RunTexts *t) {
    for (int k = 0; k < t->count; k++) mem_free(t->text[k]);
    mem_free(t->text);
    mem_free(t->slot);
    *t = (RunTexts){0};
}
