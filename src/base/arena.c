/* SPDX-License-Identifier: Apache-2.0 */
/* arena.c -- memory taken piece by piece, released at once.
 *
 * Chunks double up to CHUNK_LARGEST, so small jobs stay small and large ones make few
 * calls to the system. A request that does not fit gets a chunk of its own if it is
 * large, without wasting the rest of the current chunk. Fresh chunks come from calloc:
 * the system hands out zero pages, so zeroing costs nothing for memory never used. */
#include "base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SMALLEST = 4 << 10, CHUNK_LARGEST = 1 << 20, ALIGNMENT = 8 };

struct ArenaChunk {
    ArenaChunk *older; /* NULL for the first */
    size_t      bytes; /* of data            */
    char        data[];
};

static ArenaChunk *chunk_new(Arena *arena, size_t bytes) {
    ArenaChunk *chunk = mem_take(sizeof(ArenaChunk) + bytes, 1);
    if (!chunk) return NULL;
    chunk->bytes = bytes;
    arena->reserved += bytes;
    return chunk;
}

/* A chunk for one large request, put behind the current one. */
static void *take_alone(Arena *arena, size_t bytes) {
    ArenaChunk *chunk = chunk_new(arena, bytes);
    if (!chunk) return NULL;
    if (arena->chunk) {
        chunk->older = arena->chunk->older;
        arena->chunk->older = chunk;
    } else {
        arena->chunk = chunk;
    }
    arena->used += bytes;
    return chunk->data;
}

void *arena_take(Arena *arena, size_t size, size_t n) {
    assert(!arena->sealed);
    if (n && size > (SIZE_MAX / 2) / n)
        return mem_take(SIZE_MAX, 1); /* never that much */
    size_t bytes = (size * n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > (size_t)(arena->end - arena->next)) {
        if (bytes > CHUNK_LARGEST / 4) return take_alone(arena, bytes);
        size_t room = arena->chunk ? 2 * (size_t)arena->reserved : CHUNK_SMALLEST;
        if (room > CHUNK_LARGEST) room = CHUNK_LARGEST;
        if (room < bytes) room = bytes;
        ArenaChunk *chunk = chunk_new(arena, room);
        if (!chunk) return NULL;
        chunk->older = arena->chunk;
        arena->chunk = chunk;
        arena->next = chunk->data;
        arena->end = chunk->data + room;
    }
    void *result = arena->next;
    arena->next += bytes;
    arena->used += bytes;
    return result;
}

void *arena_grow(Arena *arena, const void *old, size_t size, int *capacity, int needed) {
    if (needed <= *capacity) return (void *)old;
    int larger = *capacity < 8 ? 8 : *capacity;
    while (larger < needed) larger += larger / 2;
    char *block = arena_take(arena, size, (size_t)larger);
    if (!block) return NULL;
    if (*capacity) memcpy(block, old, size * (size_t)*capacity);
    *capacity = larger;
    return block;
}

void *arena_copy(Arena *arena, const void *from, size_t bytes) {
    if (!bytes) return NULL;
    void *block = arena_take(arena, 1, bytes);
    if (block) memcpy(block, from, bytes);
    return block;
}

char *arena_string(Arena *arena, const char *text, size_t length) {
    char *copy = arena_take(arena, 1, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

char *arena_printf(Arena *arena, const char *format, ...) {
    Text    text = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    char *copy = arena_string(arena, text_get(&text), text.length);
    text_free(&text);
    return copy;
}

void arena_free(Arena *arena) {
    for (ArenaChunk *chunk = arena->chunk; chunk;) {
        ArenaChunk *older = chunk->older;
        mem_free(chunk);
        chunk = older;
    }
    *arena = (Arena){0};
}

ArenaMark arena_mark(const Arena *arena) {
    return (ArenaMark){.chunk = arena->chunk,
                       .older = arena->chunk ? arena->chunk->older : NULL,
                       .next = arena->next,
                       .used = arena->used};
}

/* Frees the chunks from `chunk` up to `last`, exclusive. */
static void free_until(Arena *arena, ArenaChunk *chunk, const ArenaChunk *last) {
    while (chunk != last) {
        ArenaChunk *older = chunk->older;
        arena->reserved -= chunk->bytes;
        mem_free(chunk);
        chunk = older;
    }
}

void arena_back(Arena *arena, ArenaMark mark) {
    if (!mark.chunk) {
        arena_free(arena);
        return;
    }
    bool  same = arena->chunk == mark.chunk;
    char *end = mark.chunk->data + mark.chunk->bytes, *taken = same ? arena->next : end;
    free_until(arena, arena->chunk, mark.chunk);
    free_until(arena, mark.chunk->older, mark.older); /* large requests stand after it */
    mark.chunk->older = mark.older;
    arena->chunk = mark.chunk;
    arena->next = mark.next;
    arena->end = mark.next ? end : NULL; /* NULL: the chunk holds one large request */
    if (mark.next) memset(mark.next, 0, (size_t)(taken - mark.next));
    arena->used = mark.used;
}
