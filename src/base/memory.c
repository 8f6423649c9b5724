/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c -- blocks that belong to a domain, and calls that end where memory does.
 *
 * A domain is the set of blocks taken while memory_call runs a function under it: a list through
 * headers of 32 bytes, so that a block is released alone at once, and all that are left with the
 * domain. Things of other libraries (files, compiled code) join it with the function that
 * releases them. With no memory left a request does not return: the call that runs ends, all that
 * it held is released, and its caller is told. So nothing above this file checks for memory, and
 * nothing leaks when it runs out. Outside of any call a request that fails returns NULL and blocks
 * belong to nobody.
 *
 * The domain that runs is known by thread: the one variable at file scope in this program, and
 * with it the one setjmp. A domain is used by one call at a time; its blocks may be released by
 * any thread. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <assert.h>
#include <locale.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block {            /* stands before the bytes that are handed out      */
    struct Block *before, *after; /* in the domain                         */
    Memory       *domain;         /* NULL: it belongs to nobody            */
    uint64_t      mark;           /* MARK while it lives: else our mistake */
} Block;

_Static_assert(sizeof(Block) % 16 == 0, "blocks are aligned for any type");

typedef struct Guest { /* something of another library */
    struct Guest *older;
    void         *thing;
    void (*release)(void *thing);
} Guest;

struct Memory {
    Block       first;  /* links the blocks in a circle         */
    Guest      *guest;  /* newest, NULL if none                 */
    atomic_flag busy;   /* a thread changes the links           */
    jmp_buf    *escape; /* of the call that runs, NULL if none  */
};

static const uint64_t MARK = 0x72756261746f6d65u;

static _Thread_local Memory *current; /* NULL: no call runs on this thread */

static void lock(Memory *m) {
    while (atomic_flag_test_and_set_explicit(&m->busy, memory_order_acquire)) continue;
}

static void unlock(Memory *m) {
    atomic_flag_clear_explicit(&m->busy, memory_order_release);
}

static void *no_memory(void) {
    if (current) longjmp(*current->escape, 1);
    return NULL;
}

/* ---- blocks ---- */

static void *join(Block *block, Memory *m) {
    block->domain = m;
    block->mark = MARK;
    if (m) {
        lock(m);
        block->before = &m->first;
        block->after = m->first.after;
        block->after->before = block->before->after = block;
        unlock(m);
    }
    return block + 1;
}

static void leave(Block *block) {
    Memory *m = block->domain;
    assert(block->mark == MARK);
    if (!m) return;
    lock(m);
    block->before->after = block->after;
    block->after->before = block->before;
    unlock(m);
    block->domain = NULL;
}

void *mem_take(size_t n, size_t size) {
    if (size && n >= (SIZE_MAX - sizeof(Block)) / size) return no_memory();
    Block *block = calloc(1, sizeof *block + (n + 1) * size);
    return block ? join(block, current) : no_memory();
}

void *mem_resize(void *old, size_t bytes) {
    Block  *block = old ? (Block *)old - 1 : NULL;
    Memory *m = block ? block->domain : current;
    if (bytes > SIZE_MAX - sizeof *block) return no_memory();
    if (block) leave(block);
    Block *larger = realloc(block, sizeof *block + bytes);
    if (larger) return join(larger, m);
    if (block) join(block, m);
    return no_memory();
}

void *mem_grow(void *block, size_t size, uint32_t *room, uint64_t needed) {
    uint64_t items = *room ? *room + (uint64_t)*room / 2 : 16;
    if (items < needed) items = needed;
    if (items > UINT32_MAX || items > SIZE_MAX / size) return no_memory();
    void *larger = mem_resize(block, (size_t)items * size);
    if (larger) *room = (uint32_t)items;
    return larger;
}

void mem_free(void *old) {
    if (!old) return;
    Block *block = (Block *)old - 1;
    leave(block);
    block->mark = 0;
    free(block);
}

void mem_free_list(void *const *block, int n) {
    for (int i = 0; i < n; i++) mem_free(block[i]);
}

char *mem_string(const char *text) {
    size_t length = strlen(text);
    char  *copy = mem_resize(NULL, length + 1);
    if (copy) memcpy(copy, text, length + 1);
    return copy;
}

void mem_give(void *block) {
    if (block) leave((Block *)block - 1);
}

/* ---- guests ---- */

void mem_own(void *thing, void (*release)(void *thing)) {
    if (!current || !thing) return;
    Guest *guest = malloc(sizeof *guest);
    if (!guest) {
        release(thing);
        no_memory();
    }
    *guest = (Guest){.older = current->guest, .thing = thing, .release = release};
    current->guest = guest;
}

void mem_disown(void *thing) {
    if (!current) return;
    for (Guest **at = &current->guest; *at; at = &(*at)->older) {
        if ((*at)->thing != thing) continue;
        Guest *guest = *at;
        *at = guest->older;
        free(guest);
        return;
    }
}

/* ---- domains ---- */

Memory *memory_new(void) {
    Memory *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->first.before = m->first.after = &m->first;
    atomic_flag_clear(&m->busy);
    return m;
}

static void release_all(Memory *m) {
    while (m->guest) {
        Guest *guest = m->guest;
        m->guest = guest->older;
        guest->release(guest->thing);
        free(guest);
    }
    while (m->first.after != &m->first) mem_free(m->first.after + 1);
}

void memory_free(Memory *m) {
    if (!m) return;
    assert(!m->escape);
    release_all(m);
    free(m);
}

bool memory_call(Memory *m, void (*call)(void *context), void *context) {
    Memory *const  outer = current;
    const locale_t locale = uselocale((locale_t)0);
    jmp_buf        escape;
    volatile bool  fine = true;
    assert(!m->escape);
    m->escape = &escape;
    current = m;
    if (setjmp(escape) == 0) call(context);
    else fine = false;
    current = outer;
    m->escape = NULL;
    if (fine) return true;
    uselocale(locale); /* numbers may have been in the middle of a text */
    release_all(m);
    return false;
}
