/* SPDX-License-Identifier: Apache-2.0 */
/* support.c -- C text that every generated program begins with: arrays and texts of functions.
 *
 * A function returns its stack except for its results, which move down to where it began. Every
 * size and subscript is checked; the host keeps the first failure. */
#include "gen/emitter.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char array_type[] = "typedef struct RbArray {\n"
                                 "    double *d;\n"
                                 "    int n[6];\n"
                                 "    long room;\n"
                                 "    int fixed;\n"
                                 "} RbArray;\n";

static const char array_functions[] =
    "void *memset(void *, int, unsigned long), *memmove(void *, const void *, unsigned "
    "long);\n"
    "static double *rb_take(Rb *c, long n) {\n"
    "    if (c->top + n*8 > c->room && c->api->more(c, n*8.0)) n = 0;\n"
    "    double *p = (double *)(c->stack + c->top);\n"
    "    c->top += n*8;\n"
    "    return p;\n"
    "}\n"
    "static long rb_count(const RbArray *a, int rank) {\n"
    "    long n = 1;\n"
    "    for (int k = 0; k < rank; k++) n *= a->n[k];\n"
    "    return n;\n"
    "}\n"
    "/* an array of these sizes, filled with 0; empty after a fault */\n"
    "static void rb_new(Rb *c, RbArray *a, int rank, const int *n) {\n"
    "    double count = 1;\n"
    "    for (int k = 0; k < rank; k++) {\n"
    "        a->n[k] = n[k] > 0 ? n[k] : 0;\n"
    "        count *= a->n[k];\n"
    "    }\n"
    "    if (count*8 > c->room - c->top && c->api->more(c, count*8)) {\n"
    "        for (int k = 0; k < rank; k++) a->n[k] = 0;\n"
    "        count = 0;\n"
    "    }\n"
    "    a->room = (long)count;\n"
    "    a->d = rb_take(c, a->room);\n"
    "    memset(a->d, 0, a->room*8);\n"
    "}\n"
    "/* a local variable: sizes below 0 are open */\n"
    "static void rb_declare(Rb *c, RbArray *a, int rank, const int *n) {\n"
    "    rb_new(c, a, rank, n);\n"
    "    a->fixed = 1;\n"
    "    for (int k = 0; k < rank; k++) a->fixed &= n[k] >= 0;\n"
    "}\n"
    "static double *rb_at1(Rb *c, const RbArray *a, double i, unsigned pos) {\n"
    "    if (i >= 1 && i <= a->n[0]) return a->d + (long)i - 1;\n"
    "    c->api->outside(c, pos, i, 1, a->n[0]);\n"
    "    return &c->waste;\n"
    "}\n"
    "static double *rb_at2(Rb *c, const RbArray *a, double i, double j, unsigned pos) {\n"
    "    if (i >= 1 && i <= a->n[0] && j >= 1 && j <= a->n[1])\n"
    "        return a->d + ((long)i - 1)*a->n[1] + (long)j - 1;\n"
    "    if (i >= 1 && i <= a->n[0]) c->api->outside(c, pos, j, 2, a->n[1]);\n"
    "    else c->api->outside(c, pos, i, 1, a->n[0]);\n"
    "    return &c->waste;\n"
    "}\n"
    "static double *rb_atn(Rb *c, const RbArray *a, int rank, const double *at, unsigned "
    "pos) {\n"
    "    long k = 0;\n"
    "    for (int d = 0; d < rank; d++) {\n"
    "        if (!(at[d] >= 1 && at[d] <= a->n[d])) {\n"
    "            c->api->outside(c, pos, at[d], d + 1, a->n[d]);\n"
    "            return &c->waste;\n"
    "        }\n"
    "        k = k*a->n[d] + (long)at[d] - 1;\n"
    "    }\n"
    "    return a->d + k;\n"
    "}\n"
    "/* a subscript of an array of the model */\n"
    "static int rb_sub(Rb *c, double i, int n, int dimension, unsigned pos) {\n"
    "    if (i >= 1 && i <= n) return (int)i;\n"
    "    c->api->outside(c, pos, i, dimension, n);\n"
    "    return 1;\n"
    "}\n"
    "/* item `at` of an array of arrays; the first one makes the array */\n"
    "static void rb_put(Rb *c, RbArray *a, int rank, const int *n, long at, const "
    "RbArray "
    "*item, int more) {\n"
    "    long count = rb_count(item, more);\n"
    "    if (!a->d) {\n"
    "        int all[12];\n"
    "        for (int k = 0; k < rank; k++) all[k] = n[k];\n"
    "        for (int k = 0; k < more; k++) all[rank + k] = item->n[k];\n"
    "        rb_new(c, a, rank + more, all);\n"
    "    }\n"
    "    if ((at + 1)*count > a->room) c->api->sizes(c, 0, (int)count, 0);\n"
    "    else memmove(a->d + at*count, item->d, count*8);\n"
    "}\n"
    "/* a := b; 1 if new memory was taken */\n"
    "static int rb_assign(Rb *c, RbArray *a, const RbArray *b, int rank, unsigned pos) "
    "{\n"
    "    long count = rb_count(b, rank), more = 0;\n"
    "    for (int k = 0; k < rank; k++) {\n"
    "        if (a->fixed && a->n[k] != b->n[k]) {\n"
    "            c->api->sizes(c, pos, b->n[k], a->n[k]);\n"
    "            return 0;\n"
    "        }\n"
    "    }\n"
    "    if (count > a->room) {\n"
    "        more = count > 2*a->room ? count : 2*a->room;\n"
    "        double *d = rb_take(c, more);\n"
    "        if (c->failed) return 0;\n"
    "        a->d = d;\n"
    "        a->room = more;\n"
    "    }\n"
    "    for (int k = 0; k < rank; k++) a->n[k] = b->n[k];\n"
    "    memmove(a->d, b->d, count*8);\n"
    "    return more > 0;\n"
    "}\n"
    "/* the stack back to mark, except for results */\n"
    "static void rb_return(Rb *c, long mark, int n, RbArray *const *out, const int "
    "*rank) "
    "{\n"
    "    long from = c->top, total = 0;\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        long count = rb_count(out[k], rank[k]);\n"
    "        double *d = rb_take(c, count);\n"
    "        if (c->failed) {\n"
    "            for (int j = 0; j < rank[k]; j++) out[k]->n[j] = 0;\n"
    "            continue;\n"
    "        }\n"
    "        memmove(d, out[k]->d, count*8);\n"
    "        total += count;\n"
    "        out[k]->room = count;\n"
    "    }\n"
    "    if (c->failed) {\n"
    "        for (int k = 0; k < n; k++)\n"
    "            for (int j = 0; j < rank[k]; j++) out[k]->n[j] = 0;\n"
    "        c->top = mark;\n"
    "        return;\n"
    "    }\n"
    "    memmove(c->stack + mark, c->stack + from, total*8);\n"
    "    c->top = mark;\n"
    "    for (int k = 0; k < n; k++) out[k]->d = rb_take(c, out[k]->room);\n"
    "}\n"
    "/* an array of variables: sizes and steps by dimension; where it is dense it is not "
    "copied */\n"
    "static void rb_gather(Rb *c, RbArray *a, const double *v, int rank, const int *n, "
    "const int *step) {\n"
    "    int dense = 1, below = 1;\n"
    "    for (int k = rank - 1; k >= 0; k--) {\n"
    "        dense &= n[k] == 1 || step[k] == below;\n"
    "        below *= n[k];\n"
    "    }\n"
    "    if (dense) {\n"
    "        for (int k = 0; k < rank; k++) a->n[k] = n[k];\n"
    "        a->d = (double *)v;\n"
    "        return;\n"
    "    }\n"
    "    rb_new(c, a, rank, n);\n"
    "    for (long i = 0; i < a->room; i++) {\n"
    "        long rest = i, at = 0;\n"
    "        for (int k = rank - 1; k >= 0; k--) {\n"
    "            at += rest % n[k]*step[k];\n"
    "            rest /= n[k];\n"
    "        }\n"
    "        a->d[i] = v[at];\n"
    "    }\n"
    "}\n"
    "static void rb_scatter(Rb *c, const RbArray *a, double *v, int rank, const int *n, "
    "const int *step, double sign, unsigned pos) {\n"
    "    for (int k = 0; k < rank; k++)\n"
    "        if (a->n[k] != n[k]) {\n"
    "            if (!c->failed) c->api->sizes(c, pos, a->n[k], n[k]);\n"
    "            return;\n"
    "        }\n"
    "    for (long i = 0, count = rb_count(a, rank); i < count; i++) {\n"
    "        long rest = i, at = 0;\n"
    "        for (int k = rank - 1; k >= 0; k--) {\n"
    "            at += rest % n[k]*step[k];\n"
    "            rest /= n[k];\n"
    "        }\n"
    "        v[at] = sign*a->d[i];\n"
    "    }\n"
    "}\n";

/* ---- small functions ---- */

static const char begins[] = "\nstatic inline double ";

/* Where the small function after `from` begins, NULL if there is none. */
static const char *next_function(const char *from) {
    const char *at = strstr(from, begins);
    return at ? at + 1 : NULL;
}

/* Does a text of this length use the function whose definition begins at `at`? */
static bool uses_function(const char *text, size_t length, const char *at) {
    char        name[40];
    const char *from = at + sizeof begins - 2;
    const int   size = (int)strcspn(from, "(");
    snprintf(name, sizeof name, "%.*s(", size, from);
    const char *found = strstr(text, name);
    return found && (size_t)(found - text) < length;
}

/* Those that the text uses, and what these use: reading all of them takes a compiler longer than a small
 * model. A long text is not searched. */
static void add_prologue(const Text *functions, const Text *body, Text *out) {
    enum { MOST = 64, LONG_TEXT = 1 << 16 };
    const char *at[MOST + 1];
    bool        needed[MOST] = {false};
    int         n = 0;
    for (const char *p = next_function(gen_prologue); p && n < MOST; p = next_function(p))
        at[n++] = p;
    at[n] = gen_prologue + strlen(gen_prologue);
    text_bytes(out, gen_prologue, (size_t)(at[0] - gen_prologue));
    for (int k = n - 1; k >= 0; k--) {
        needed[k] = functions->length + body->length > LONG_TEXT ||
                    uses_function(text_get(functions), SIZE_MAX, at[k]) ||
                    uses_function(text_get(body), SIZE_MAX, at[k]);
        for (int user = k + 1; user < n && !needed[k]; user++)
            needed[k] = needed[user] &&
                        uses_function(at[user], (size_t)(at[user + 1] - at[user]), at[k]);
    }
    for (int k = 0; k < n; k++)
        if (needed[k]) text_bytes(out, at[k], (size_t)(at[k + 1] - at[k]));
}

void gen_begin(const Text *functions, const Text *body, Text *out) {
    static const char *const sign[] = {"RbArray", "rb_sub(", "rb_take("};
    bool                     arrays = false;
    for (int k = 0; k < LENGTH(sign); k++)
        arrays = arrays || strstr(text_get(functions), sign[k]) ||
                 strstr(text_get(body), sign[k]);
    text_add(out, rb_declarations);
    add_prologue(functions, body, out);
    if (arrays) text_add(out, array_type);
    if (arrays) text_add(out, array_functions);
}
