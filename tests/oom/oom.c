/* SPDX-License-Identifier: Apache-2.0 */
/* oom.c -- every single allocation of a translate-and-run fails once.
 *
 *   oom [--every N] [--show N] [--cache FOLDER] [--library PATH]... TARGET...
 *
 * A job translates a model, runs it, saves and frees everything, all through include/rubato.h. At
 * each allocation that code of the library makes, the process forks: in the child this allocation
 * fails and the job goes on to its end, in the parent it succeeds. So the cost is one job for each
 * model and, for each allocation, what happens after its failure. A child is judged by three rules:
 * it must not crash; every block of the library must be released when all objects are freed; and
 * the job either fails with a text, or gives the same values as without a failure.
 *
 * malloc and its relatives are wrapped by the linker. Inside libtcc, which ends the process when it
 * finds no memory, nothing fails: code/tcc.c asks for the memory before it calls. */
#define _GNU_SOURCE
#include "rubato.h"

#include <execinfo.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t bytes);
void  __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t bytes);
void  __wrap_free(void *block);

enum { HANDLED = 10, SAME = 11, LEAK = 12, DIFFERENT = 13, SILENT = 14 };

/* ---- blocks of the library, in a table by address ---- */

static void **table;
static size_t slots, blocks;

static size_t slot_of(const void *block) {
    size_t k = ((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 20 & (slots - 1);
    while (table[k] && table[k] != block) k = (k + 1) & (slots - 1);
    return k;
}

static void note(void *block) {
    if (!block) return;
    if (2 * (blocks + 1) > slots) {
        void **old = table;
        size_t n = slots;
        slots = slots ? 2 * slots : 1 << 16;
        table = __real_calloc(slots, sizeof *table);
        for (size_t k = 0; k < n; k++)
            if (old[k]) table[slot_of(old[k])] = old[k];
        __real_free(old);
    }
    table[slot_of(block)] = block;
    blocks++;
}

static void forget(void *block) {
    size_t k = slots ? slot_of(block) : 0, next;
    if (!slots || !table[k]) return; /* taken by another library */
    table[k] = NULL;
    blocks--;
    for (next = (k + 1) & (slots - 1); table[next]; next = (next + 1) & (slots - 1)) {
        void *moved = table[next]; /* what stood after it moves up */
        table[next] = NULL;
        table[slot_of(moved)] = moved;
    }
}

/* ---- libtcc ---- */

static int foreign; /* calls of it under way */

#define WRAPPED(type, name, parameters, arguments)                                       \
    type __real_##name parameters;                                                       \
    type __wrap_##name parameters;                                                       \
    type __wrap_##name parameters {                                                      \
        foreign++;                                                                       \
        type result = __real_##name arguments;                                           \
        foreign--;                                                                       \
        return result;                                                                   \
    }
WRAPPED(void *, tcc_new, (void), ())
WRAPPED(int, tcc_compile_string, (void *s, const char *text), (s, text))
WRAPPED(int, tcc_relocate, (void *s, void *at), (s, at))
WRAPPED(int, tcc_output_file, (void *s, const char *path), (s, path))
WRAPPED(int, tcc_set_output_type, (void *s, int type), (s, type))
WRAPPED(int, tcc_set_options, (void *s, const char *text), (s, text))
WRAPPED(int, tcc_add_symbol, (void *s, const char *name, const void *at), (s, name, at))

/* ---- failing ---- */

static bool  armed, child;
static long  asked, shown, every = 1, handled, same, bad;
static pid_t running;

static void judge(int status, long number) {
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == HANDLED) handled++;
    else if (code == SAME) same++;
    else {
        bad++;
        printf("allocation %ld: %s\n", number,
               WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
               : code == LEAK      ? "memory is lost"
               : code == DIFFERENT ? "another result, and no word"
               : code == SILENT    ? "a failure without a text"
                                   : "the process ended");
    }
}

static long running_number;
static void collect(void) {
    int status;
    if (!running) return;
    while (waitpid(running, &status, 0) < 0) continue;
    judge(status, running_number);
    running = 0;
}

/* Does this allocation fail? In a child, one does. */
static bool fails(void) {
    if (!armed || child || foreign) return false;
    if (++asked % every) return false;
    collect();
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child = true;
        alarm(10);
        if (asked == shown) { /* --show N: where it is asked for */
            void *at[40];
            backtrace_symbols_fd(at, backtrace(at, 40), 1);
        }
        return true;
    }
    running = pid;
    running_number = asked;
    return false;
}

void *__wrap_malloc(size_t bytes) {
    if (fails()) return NULL;
    void *block = __real_malloc(bytes);
    note(block);
    return block;
}

void *__wrap_calloc(size_t n, size_t size) {
    if (fails()) return NULL;
    void *block = __real_calloc(n, size);
    note(block);
    return block;
}

void *__wrap_realloc(void *block, size_t bytes) {
    if (fails()) return NULL;
    if (block) forget(block);
    void *larger = __real_realloc(block, bytes);
    note(larger ? larger : block);
    return larger;
}

void __wrap_free(void *block) {
    if (block) forget(block);
    __real_free(block);
}

/* ---- the job ---- */

typedef struct Job {
    const char *const *library;
    int                libraries;
    const char        *target, *cache; /* cache: folder for compiled C code, or NULL */
    double             sum;            /* over all variables at the end */
    RbStatus           status;
    bool               silent; /* a failure without a text */
} Job;

static bool failed(Job *job, const RbError *error) {
    job->status = error->status;
    job->silent = !*error->text;
    return true;
}

static double sum_of(const RbSimulation *s, int variables) {
    double sum = 0;
    for (int k = 0; k < variables; k++) {
        double value = rb_get_number(s, k);
        if (fabs(value) < 1e100) sum += value * (1 + k % 7); /* limits overflow it */
    }
    return sum;
}

static void simulate(Job *job, RbProgram *program) {
    RbError       error = {.status = RB_OK};
    RbOptions     options = {.given_tier = true};
    RbSimulation *s = rb_simulation_new(program, &options, &error);
    if (!s) {
        failed(job, &error);
        return;
    }
    job->status = rb_record(s, "/dev/null", NULL, &error);
    if (job->status == RB_OK) job->status = rb_run(s, &error);
    if (job->status == RB_OK || job->status == RB_END) {
        job->sum = sum_of(s, rb_info(program).variables);
        job->status = RB_OK;
    } else {
        failed(job, &error);
    }
    rb_simulation_messages(s, 0, RB_PLAIN);
    rb_simulation_free(s);
}

static void run(Job *job) {
    RbError     error = {.status = RB_OK};
    RbSettings  settings = {.cache = job->cache};
    RbCompiler *compiler = rb_compiler_new(&settings, &error);
    if (!compiler) {
        failed(job, &error);
        return;
    }
    bool fine = true;
    for (int k = 0; k < job->libraries && fine; k++)
        fine = rb_add_library(compiler, job->library[k], &error) == RB_OK;
    RbRequest  request = {.target = job->target, .fresh = true};
    RbProgram *program = fine ? rb_translate(compiler, &request, &error) : NULL;
    if (program) simulate(job, program);
    else failed(job, &error);
    rb_messages(compiler, 0, RB_PLAIN);
    rb_program_free(program);
    rb_compiler_free(compiler);
}

static void try(const Job *what) {
    Job once = *what, again = *what;
    run(&once); /* libraries take memory of their own at first */
    if (once.status != RB_OK) {
        printf("%s: does not run\n", what->target);
        bad++;
        return;
    }
    asked = handled = same = 0;
    long   before = bad;
    size_t held = blocks;
    armed = true;
    run(&again);
    armed = false;
    if (child) {
        if (blocks != held) _exit(LEAK);
        if (again.status != RB_OK) _exit(again.silent ? SILENT : HANDLED);
        _exit(again.sum == once.sum ? SAME : DIFFERENT);
    }
    collect();
    printf("%s: %ld allocations, %ld ended in a message, %ld did no harm, %ld wrong\n",
           what->target, asked / every, handled, same, bad - before);
}

int main(int argc, char **argv) {
    const char *library[16], *cache = NULL;
    int         libraries = 0;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--every") == 0 && k + 1 < argc) every = atol(argv[++k]);
        else if (strcmp(argv[k], "--cache") == 0 && k + 1 < argc) cache = argv[++k];
        else if (strcmp(argv[k], "--show") == 0 && k + 1 < argc) shown = atol(argv[++k]);
        else if (strcmp(argv[k], "--library") == 0 && k + 1 < argc && libraries < 16)
            library[libraries++] = argv[++k];
        else
            try(&(Job){.library = library,
                       .libraries = libraries,
                       .target = argv[k],
                       .cache = cache});
    }
    printf("%ld wrong\n", bad);
    return bad != 0;
}
