/* SPDX-License-Identifier: Apache-2.0 */
/* support.c -- what functions need while they run: arrays on a stack, texts, faults.
 *
 * Arrays live on one stack per instance, reserved at once and filled by the system page by page
 * as it is touched, so that addresses stay valid. A function returns its stack except for its
 * results, which move down to where it began. Every size and subscript is checked; the first
 * failure is kept as a fault, values from there on do not matter, and loops and calls end early.
 *
 * A String or an external object is its address, which a double holds exactly (addresses of
 * user space have at most 47 bits). Texts made at run time are kept once each. */
#define _GNU_SOURCE
#include "gen/gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const long reserve =
    1L << 30; /* bytes of stack; only what is touched costs memory */

const char gen_support_text[] =
    "typedef struct RbApi RbApi;\n"
    "typedef struct Rb Rb;\n"
    "typedef struct RbArray {\n"
    "    double *d;\n"
    "    int n[6];\n"
    "    long room;\n"
    "    int fixed;\n"
    "} RbArray;\n"
    "struct RbApi {\n"
    "    int (*more)(Rb *c, double bytes);\n"
    "    void (*fault)(Rb *c, unsigned pos, const char *text);\n"
    "    void (*outside)(Rb *c, unsigned pos, double subscript, int dimension, int "
    "size);\n"
    "    void (*sizes)(Rb *c, unsigned pos, int a, int b);\n"
    "    void (*check)(Rb *c, unsigned pos, int level, double text);\n"
    "    double (*join)(Rb *c, int n, const double *text);\n"
    "    int (*compare)(double a, double b);\n"
    "    double (*string_real)(Rb *c, double x, double digits, double width, double "
    "left);\n"
    "    double (*string_integer)(Rb *c, double x, double width, double left);\n"
    "    double (*string_boolean)(Rb *c, double x, double width, double left);\n"
    "    double (*string_format)(Rb *c, double x, double format);\n"
    "    int (*guard)(Rb *c, unsigned pos, int function, void (*call)(Rb *c, void "
    "*frame), "
    "void *frame);\n"
    "    double (*keep)(Rb *c, const char *text);\n"
    "};\n";

const char gen_support_code[] =
    "void *memset(void *, int, unsigned long), *memmove(void *, const void *, unsigned "
    "long);\n"
    "/* signed: libtcc has no helper for the other kind */\n"
    "static inline double rb_text(const char *text) { return (double)(long long)text; }\n"
    "static inline const char *rb_chars(double text) {\n"
    "    return text == 0 ? \"\" : (const char *)(long long)text;\n"
    "}\n"
    "static inline void *rb_object(double object) { return (void *)(long long)object; }\n"
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
    "static void rb_gather(Rb *c, RbArray *a, double *v, int rank, const int *n, const "
    "int "
    "*step) {\n"
    "    int dense = 1, below = 1;\n"
    "    for (int k = rank - 1; k >= 0; k--) {\n"
    "        dense &= n[k] == 1 || step[k] == below;\n"
    "        below *= n[k];\n"
    "    }\n"
    "    if (dense) {\n"
    "        for (int k = 0; k < rank; k++) a->n[k] = n[k];\n"
    "        a->d = v;\n"
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

struct Support {
    Strings texts;        /* made at run time */
    char    message[400]; /* of the fault */
    double  small[512];   /* stack if none can be reserved */
    int     warnings;     /* shown so far */
};

static Support *support_of(Rb *c) {
    return ((Instance *)c->host)->support;
}

/* ---- faults ----------------------------------------------------------------------------------- */

static void fault(Rb *c, unsigned pos, const char *text) {
    if (c->failed) return;
    Support *s = support_of(c);
    c->failed = 1;
    c->fault_pos = pos;
    snprintf(s->message, sizeof s->message, "%s", text);
    c->fault_text = s->message;
}

static void outside(Rb *c, unsigned pos, double subscript, int dimension, int size) {
    char text[120];
    snprintf(text, sizeof text, "subscript %g of dimension %d is outside 1 ... %d",
             subscript, dimension, size);
    fault(c, pos, text);
}

static void sizes(Rb *c, unsigned pos, int a, int b) {
    char text[120];
    snprintf(text, sizeof text, "arrays of different sizes: %d and %d", a, b);
    fault(c, pos, text);
}

static const char *chars(double text) {
    return text == 0 ? "" : (const char *)(uintptr_t)(uint64_t)text;
}

static double address(const char *text) {
    return (double)(uint64_t)(uintptr_t)text;
}

/* A failed assertion of a function; level 1 is a warning. */
static void check(Rb *c, unsigned pos, int level, double text) {
    Support *s = support_of(c);
    if (level != 1) fault(c, pos, chars(text));
    else if (s->warnings++ < 10) fprintf(stderr, "warning: %s\n", chars(text));
}

/* ---- stack ------------------------------------------------------------------------------------ */

/* Room for that many bytes above top; not 0 and a fault if there is none. */
static int more(Rb *c, double bytes) {
    if (!c->stack) {
        void *block = mmap(NULL, (size_t)reserve, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        bool  got = block != MAP_FAILED;
        c->stack = got ? block : (char *)support_of(c)->small;
        c->room = got ? reserve : (long)sizeof support_of(c)->small;
        c->top = 0;
    }
    if (bytes <= (double)(c->room - c->top)) return 0;
    fault(c, 0, "the arrays of functions need too much memory");
    c->top = 0; /* what follows does not matter, but needs a place */
    return bytes > (double)c->room;
}

/* ---- texts ------------------------------------------------------------------------------------- */

static double keep(Rb *c, const char *text) {
    Strings *texts = &support_of(c)->texts;
    return address(str_text(texts, str_of(texts, text)));
}

static double keep_text(Rb *c, Text *text) {
    double result = keep(c, text_get(text));
    text_free(text);
    return result;
}

static double join(Rb *c, int n, const double *part) {
    Text text = {0};
    for (int k = 0; k < n; k++) text_add(&text, chars(part[k]));
    return keep_text(c, &text);
}

static int compare(double a, double b) {
    return strcmp(chars(a), chars(b));
}

static double padded(Rb *c, const char *value, double width, double left) {
    Text text = {0};
    int  w = width > 0 && width < 1000 ? (int)width : 0;
    text_printf(&text, left != 0 ? "%-*s" : "%*s", w, value);
    return keep_text(c, &text);
}

static double string_real(Rb *c, double x, double digits, double width, double left) {
    char value[64];
    int  n = digits >= 1 && digits <= 17 ? (int)digits : 6;
    snprintf(value, sizeof value, "%.*g", n, x);
    return padded(c, value, width, left);
}

static double string_integer(Rb *c, double x, double width, double left) {
    char value[64];
    snprintf(value, sizeof value, "%.0f", x);
    return padded(c, value, width, left);
}

static double string_boolean(Rb *c, double x, double width, double left) {
    return padded(c, x != 0 ? "true" : "false", width, left);
}

/* format: flags, width, precision and one of the letters of the specification. */
static double string_format(Rb *c, double x, double format) {
    const char *f = chars(format);
    char        whole[40], value[400];
    if (*f == '%') f++;
    size_t flags = strspn(f, "-+ #0"), width = strspn(f + flags, "0123456789");
    size_t n = flags + width;
    if (f[n] == '.') n += 1 + strspn(f + n + 1, "0123456789");
    char kind = f[n];
    if (n > 20 || !kind || f[n + 1] || width > 2 || !strchr("fFeEgGdi", kind))
        return keep(c, f);
    bool integer = kind == 'd' || kind == 'i';
    snprintf(whole, sizeof whole, "%%%.*s%s%c", (int)n, f, integer ? "ll" : "", kind);
    if (integer) snprintf(value, sizeof value, whole, (long long)x);
    else snprintf(value, sizeof value, whole, x);
    return keep(c, value);
}

static const RbApi api = {.more = more,
                          .fault = fault,
                          .outside = outside,
                          .sizes = sizes,
                          .check = check,
                          .join = join,
                          .compare = compare,
                          .string_real = string_real,
                          .string_integer = string_integer,
                          .string_boolean = string_boolean,
                          .string_format = string_format,
                          .guard = extern_guard,
                          .keep = keep};

double support_text(const char *text) {
    return address(text);
}

void support_open(Instance *instance) {
    Support *s = calloc(1, sizeof *s);
    if (!s) abort();
    strings_init(&s->texts, NULL, NULL);
    instance->support = s;
    instance->rb.api = &api;
    extern_open(&instance->externals, instance->plan->st->sys->shapes->functions);
    instance->rb.external = instance->externals.entry;
}

void support_close(Instance *instance) {
    Rb      *c = &instance->rb;
    Support *s = instance->support;
    if (!s) return;
    if (c->stack && c->stack != (char *)s->small) munmap(c->stack, (size_t)reserve);
    extern_close(&instance->externals);
    strings_free(&s->texts);
    free(s);
    instance->support = NULL;
}
