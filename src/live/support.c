/* SPDX-License-Identifier: Apache-2.0 */
/* support.c -- what generated functions ask of their host: a stack for arrays, texts, faults.
 *
 * Arrays live on one stack per instance, reserved at once and filled by the system page by page
 * as it is touched, so that addresses stay valid. The first failure is kept as a fault; values
 * from there on do not matter, and loops and calls end early.
 *
 * A String or an external object is its address, which a double holds exactly (addresses of
 * user space have at most 47 bits). Texts made at run time are kept once each. */
#define _GNU_SOURCE
#include "live/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const long reserve =
    1L << 30; /* bytes of stack; only what is touched costs memory */

struct Support {
    Strings texts;        /* made at run time */
    char    message[400]; /* of the fault */
    double  small[512];   /* stack if none can be reserved */
    int     warnings;     /* shown so far */
    Recall  recall;
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

/* A failed assertion of a function; level 1 is a warning. Parts of the model are evaluated at trial
 * points, perhaps on several threads: only the whole warns. */
static void check(Rb *c, unsigned pos, int level, double text) {
    Support *s = support_of(c);
    if (level != 1) fault(c, pos, chars(text));
    else if (!((Instance *)c->host)->part && s->warnings++ < 10)
        fprintf(stderr, "warning: %s\n", chars(text));
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

/* Ends value. */
static double padded(Rb *c, Text *value, double width, double left) {
    Text text = {0};
    int  w = width > 0 && width < 1000 ? (int)width : 0;
    text_printf(&text, left != 0 ? "%-*s" : "%*s", w, text_get(value));
    text_free(value);
    return keep_text(c, &text);
}

static double string_real(Rb *c, double x, double digits, double width, double left) {
    Text value = {0};
    int  n = digits >= 1 && digits <= 17 ? (int)digits : 6;
    text_printf(&value, "%.*g", n, x);
    return padded(c, &value, width, left);
}

static double string_integer(Rb *c, double x, double width, double left) {
    Text value = {0};
    text_printf(&value, "%.0f", x);
    return padded(c, &value, width, left);
}

static double string_boolean(Rb *c, double x, double width, double left) {
    Text value = {0};
    text_add(&value, x != 0 ? "true" : "false");
    return padded(c, &value, width, left);
}

/* format: flags, width, precision and one of the letters of the specification. */
static double string_format(Rb *c, double x, double format) {
    const char *f = chars(format);
    char        whole[40];
    Text        value = {0};
    if (*f == '%') f++;
    size_t flags = strspn(f, "-+ #0"), width = strspn(f + flags, "0123456789");
    size_t n = flags + width;
    if (f[n] == '.') n += 1 + strspn(f + n + 1, "0123456789");
    char kind = f[n];
    if (n > 20 || !kind || f[n + 1] || width > 2 || !strchr("fFeEgGdi", kind))
        return keep(c, f);
    bool integer = kind == 'd' || kind == 'i';
    snprintf(whole, sizeof whole, "%%%.*s%s%c", (int)n, f, integer ? "ll" : "", kind);
    if (integer) text_printf(&value, whole, (long long)x);
    else text_printf(&value, whole, x);
    return keep_text(c, &value);
}

/* ---- results ----------------------------------------------------------------------------------- */

static const double *known(Rb *c, int function, const double *in, int n) {
    return recall_find(&support_of(c)->recall, function, in, n);
}

static void know(Rb *c, int function, const double *in, int n, const double *out,
                 int results) {
    recall_keep(&support_of(c)->recall, function, in, n, out, results);
}

static const RbApi api = {.known = known,
                          .know = know,
                          .delay = history_delay,
                          .remember = history_remember,
                          .spatial = history_spatial,
                          .transport = history_transport,
                          .more = more,
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
                          .mark = extern_mark,
                          .release = extern_release,
                          .keep = keep};

double support_text(const char *text) {
    return address(text);
}

void support_open(Instance *instance) {
    Support *s = calloc(1, sizeof *s);
    if (!s) abort();
    strings_init(&s->texts);
    instance->support = s;
    instance->rb.api = &api;
    extern_open(&instance->externals, instance->plan->st->sys->shapes->functions);
    instance->rb.external = instance->externals.entry;
}

void support_close(Instance *instance) {
    Rb      *c = &instance->rb;
    Support *s = instance->support;
    if (!s) return;
    extern_close(c);
    if (c->stack && c->stack != (char *)s->small) munmap(c->stack, (size_t)reserve);
    strings_free(&s->texts);
    recall_free(&s->recall);
    free(s);
    instance->support = NULL;
}

void *live_take(size_t n, size_t size) {
    void *block = calloc(n + 1, size);
    if (!block) arena_lack(NULL, size);
    return block;
}

void *live_resize(void *block, size_t bytes) {
    void *larger = realloc(block, bytes ? bytes : 1);
    if (!larger) arena_lack(NULL, bytes);
    return larger;
}
