/* SPDX-License-Identifier: Apache-2.0 */
/* support.c -- what generated functions ask of their host: a stack for arrays, texts, faults.
 *
 * Arrays live on one stack per part that runs, reserved at once and filled by the system page by
 * page as it is touched, so that addresses stay valid. The first failure is kept as a fault;
 * values from there on do not matter, and loops and calls end early. */
#define _GNU_SOURCE
#include "live/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const long reserve =
    1L << 30; /* bytes of stack; only what is touched costs memory */

struct Support {
    char   message[400]; /* of the fault */
    int    warnings;     /* shown so far */
    Recall recall;
};

static Support *support_of(Rb *c) {
    return instance_of(c)->support;
}

/* ---- faults ----------------------------------------------------------------------------------- */

static void fault(Rb *c, unsigned pos, const char *text) {
    if (c->failed) return;
    Support *s = support_of(c);
    c->failed = 1;
    c->fault_pos = pos;
    c->fault_at = c->depth > 0 ? c->at : -1;
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

static const char *chars(Rb *c, double text) {
    return texts_get(instance_of(c), text);
}

/* A failed assertion of a function; level 1 is a warning. Parts of the model are evaluated at trial
 * points, perhaps on several threads: only the whole warns. */
static void check(Rb *c, unsigned pos, int level, double text) {
    Instance *instance = instance_of(c);
    if (level != 1) fault(c, pos, chars(c, text));
    else if (!running_of(c)->piece && instance->say && support_of(c)->warnings++ < 10)
        instance->say(instance->say_owner, pos, c->time, true, chars(c, text));
}

/* ---- stack ------------------------------------------------------------------------------------ */

/* Room for that many bytes above top; not 0 and a fault if there is none. */
static int more(Rb *c, double bytes) {
    if (!c->stack) {
        void *block = mmap(NULL, (size_t)reserve, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (block == MAP_FAILED) {
            fault(c, 0, "there is no memory for the arrays of functions");
            c->stack =
                (char *)c->spare; /* what follows does not matter, but needs a place */
            c->room = (long)sizeof c->spare;
            return bytes > (double)c->room;
        }
        c->stack = block;
        c->room = reserve;
        c->top = 0;
    }
    if (bytes <= (double)(c->room - c->top)) return 0;
    fault(c, 0, "the arrays of functions need too much memory");
    c->top = 0; /* what follows does not matter, but needs a place */
    return bytes > (double)c->room;
}

void support_stack_free(Rb *c) {
    if (c->stack && c->stack != (char *)c->spare) munmap(c->stack, (size_t)reserve);
    c->stack = NULL;
}

/* ---- texts ------------------------------------------------------------------------------------- */

static double keep(Rb *c, const char *text) {
    double number = texts_keep(instance_of(c), text);
    if (number >= 0) return number;
    fault(c, 0, "there is no memory for a text");
    instance_of(c)->lacking = true;
    return 0;
}

static double keep_text(Rb *c, Text *text) {
    bool   whole = !text->failed;
    double result = whole ? keep(c, text_get(text)) : 0;
    text_free(text);
    if (!whole) fault(c, 0, "there is no memory for a text");
    return result;
}

static double join(Rb *c, int n, const double *part) {
    Text text = {0};
    for (int k = 0; k < n; k++) text_add(&text, chars(c, part[k]));
    return keep_text(c, &text);
}

static int compare(Rb *c, double a, double b) {
    return strcmp(chars(c, a), chars(c, b));
}

/* Ends value. */
static double padded(Rb *c, Text *value, double width, double left) {
    Text text = {0};
    string_padded(&text, text_get(value), width, left != 0);
    text_free(value);
    return keep_text(c, &text);
}

static double string_real(Rb *c, double x, double digits, double width, double left) {
    Text value = {0};
    string_of_real(&value, x, digits);
    return padded(c, &value, width, left);
}

static double string_integer(Rb *c, double x, double width, double left) {
    Text value = {0};
    string_of_integer(&value, x);
    return padded(c, &value, width, left);
}

static double string_boolean(Rb *c, double x, double width, double left) {
    Text value = {0};
    text_add(&value, x != 0 ? "true" : "false");
    return padded(c, &value, width, left);
}

static double string_text(Rb *c, double x, double width, double left) {
    Text value = {0};
    text_add(&value, chars(c, x));
    return padded(c, &value, width, left);
}

static double string_format(Rb *c, double x, double format) {
    Text value = {0};
    if (string_of_format(&value, x, chars(c, format))) return keep_text(c, &value);
    fault(c, 0, "the format of String is wrong");
    return 0;
}

/* ---- results ----------------------------------------------------------------------------------- */

/* On the way of a homotopy results depend on more than the inputs. */
static const double *known(Rb *c, int function, const double *in, int n) {
    if (c->lambda != 1) return NULL;
    return recall_find(&support_of(c)->recall, function, in, n);
}

static void know(Rb *c, int function, const double *in, int n, const double *out,
                 int results) {
    if (c->lambda != 1) return;
    recall_keep(&support_of(c)->recall, function, in, n, out, results);
}

/* clang-format off */
const RbApi support_api = {
    .known = known, .know = know, .delay = history_delay,
    .remember = history_remember, .spatial = history_spatial, .transport = history_transport,
    .more = more, .fault = fault, .outside = outside,
    .sizes = sizes, .check = check, .join = join,
    .compare = compare, .string_real = string_real, .string_integer = string_integer,
    .string_boolean = string_boolean, .string_text = string_text,
    .string_format = string_format, .guard = extern_guard,
    .mark = extern_mark, .release = extern_release, .keep = keep,
    .path = path_begin, .passed = path_end, .follow = path_follow,
    .chars = chars, .object = extern_object, .own = extern_own,
};
/* clang-format on */

bool support_open(Instance *instance) {
    instance->support = mem_take(1, sizeof *instance->support);
    return instance->support != NULL;
}

void support_close(Instance *instance) {
    if (!instance->support) return;
    recall_free(&instance->support->recall);
    mem_free(instance->support);
    instance->support = NULL;
}
