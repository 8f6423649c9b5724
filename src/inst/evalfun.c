/* SPDX-License-Identifier: Apache-2.0 */
/* evalfun.c -- values of built-in functions when translating. */
#include "inst/evalfun.h"
#include "base/builtin.h"

#include <string.h>

EVALFUN(none) {
    (void)arg;
    return eval_fail(eval, tx->pos, "it has no value when translating");
}

static Value *map1(Eval *eval, const Tx *tx, const Value *a, double (*f)(double)) {
    Value *v = value_new(eval->arena, BASIC_REAL, a->ndim, a->dim);
    for (int k = 0; k < v->count; k++) {
        v->real[k] = f(value_number(a, k));
        if (!isfinite(v->real[k]))
            return eval_fail(eval, tx->pos, "the result is not a number");
    }
    return v;
}

#define MAP1(id, name)                                                                   \
    EVALFUN(name) {                                                                      \
        return map1(eval, tx, arg[0], name);                                             \
    }
BUILTIN_OF_C(MAP1)

EVALFUN(abs) {
    Value *a = arg[0];
    (void)tx;
    Value *v = value_new(eval->arena, (Basic)a->basic, a->ndim, a->dim);
    for (int k = 0; k < v->count; k++) {
        if (a->basic == BASIC_REAL) v->real[k] = fabs(a->real[k]);
        else v->integer[k] = a->integer[k] < 0 ? -a->integer[k] : a->integer[k];
    }
    return v;
}

static Value *integers(Eval *eval, const Tx *tx, const Value *a, double (*f)(double)) {
    Value *v = value_new(eval->arena, BASIC_INTEGER, a->ndim, a->dim);
    for (int k = 0; k < v->count; k++) {
        double r = f(value_number(a, k));
        if (!(fabs(r) < 9e15)) return eval_fail(eval, tx->pos, "it is no Integer");
        v->integer[k] = (int64_t)r;
    }
    return v;
}

EVALFUN(sign) {
    return integers(eval, tx, arg[0], rb_sign);
}
EVALFUN(integer) {
    return integers(eval, tx, arg[0], floor);
}

/* ---- two numbers ------------------------------------------------------------------------ */

static Value *map2(Eval *eval, const Tx *tx, Value **arg, double (*f)(double, double)) {
    const Value *shape = arg[0]->ndim ? arg[0] : arg[1];
    bool         real = tx->type.basic == BASIC_REAL;
    Value *v = value_new(eval->arena, (Basic)tx->type.basic, shape->ndim, shape->dim);
    v->cls = tx->type.cls;
    for (int k = 0; k < v->count; k++) {
        double r = f(value_number(arg[0], arg[0]->ndim ? k : 0),
                     value_number(arg[1], arg[1]->ndim ? k : 0));
        if (!isfinite(r)) return eval_fail(eval, tx->pos, "the result is not a number");
        if (real) v->real[k] = r;
        else v->integer[k] = (int64_t)r;
    }
    return v;
}

EVALFUN(atan2) {
    return map2(eval, tx, arg, atan2);
}

#define INTEGER2(name, expression)                                                       \
    EVALFUN(name) {                                                                      \
        if (tx->type.basic == BASIC_INTEGER && tx->type.ndim == 0) {                     \
            int64_t x = arg[0]->integer[0], y = arg[1]->integer[0];                      \
            if (y == 0) return eval_fail(eval, tx->pos, "division by zero");             \
            return value_integer(eval->arena, expression);                               \
        }                                                                                \
        return map2(eval, tx, arg, rb_##name);                                           \
    }
INTEGER2(div, y == -1 ? -x : x / y)
INTEGER2(mod, y == -1 ? 0 : ((x % y) + y) % y)
INTEGER2(rem, y == -1 ? 0 : x % y)

static Value *extreme(Eval *eval, const Tx *tx, Value **arg, bool most) {
    if (tx->n == 2) return map2(eval, tx, arg, most ? rb_max : rb_min);
    const Value *a = arg[0];
    if (a->count == 0) return eval_fail(eval, tx->pos, "the array is empty");
    int best = 0;
    for (int k = 1; k < a->count; k++) {
        double x = value_number(a, k), y = value_number(a, best);
        if (most ? x > y : x < y) best = k;
    }
    return value_element(eval->arena, a, best);
}

EVALFUN(min) {
    return extreme(eval, tx, arg, false);
}
EVALFUN(max) {
    return extreme(eval, tx, arg, true);
}

EVALFUN(sum) {
    double  r = 0;
    int64_t i = 0;
    for (int k = 0; k < arg[0]->count; k++) {
        r += value_number(arg[0], k);
        if (arg[0]->basic == BASIC_INTEGER) i += arg[0]->integer[k];
    }
    return tx->type.basic == BASIC_REAL ? value_real(eval->arena, r)
                                        : value_integer(eval->arena, i);
}

EVALFUN(product) {
    double  r = 1;
    int64_t i = 1;
    for (int k = 0; k < arg[0]->count; k++) {
        r *= value_number(arg[0], k);
        if (arg[0]->basic == BASIC_INTEGER) i *= arg[0]->integer[k];
    }
    return tx->type.basic == BASIC_REAL ? value_real(eval->arena, r)
                                        : value_integer(eval->arena, i);
}

/* ---- arrays ------------------------------------------------------------------------------- */

EVALFUN(size) {
    int64_t d = arg[1] ? arg[1]->integer[0] : 0;
    if (tx->n == 2) {
        if (d < 1 || d > arg[0]->ndim)
            return eval_fail(eval, tx->pos, "no such dimension");
        return value_integer(eval->arena, arg[0]->dim[d - 1]);
    }
    int    n = arg[0]->ndim;
    Value *v = value_new(eval->arena, BASIC_INTEGER, 1, &n);
    for (int k = 0; k < n; k++) v->integer[k] = arg[0]->dim[k];
    return v;
}

EVALFUN(ndims) {
    (void)tx;
    return value_integer(eval->arena, arg[0]->ndim);
}

static bool sizes(Value **arg, int n, int *dim) {
    int64_t count = 1;
    for (int k = 0; k < n; k++) {
        if (arg[k]->basic != BASIC_INTEGER || arg[k]->integer[0] < 0) return false;
        count *= arg[k]->integer[0];
        if (count > ARRAY_MOST) return false;
        dim[k] = (int)arg[k]->integer[0];
    }
    return true;
}

static Value *constant_array(Eval *eval, const Tx *tx, Value **arg, int64_t value) {
    int dim[64];
    if (!sizes(arg, tx->n, dim)) return eval_fail(eval, tx->pos, "a size is wrong");
    Value *v = value_new(eval->arena, BASIC_INTEGER, tx->n, dim);
    for (int k = 0; k < v->count; k++) v->integer[k] = value;
    return v;
}

EVALFUN(zeros) {
    return constant_array(eval, tx, arg, 0);
}
EVALFUN(ones) {
    return constant_array(eval, tx, arg, 1);
}

EVALFUN(fill) {
    int dim[64];
    if (!sizes(arg + 1, tx->n - 1, dim))
        return eval_fail(eval, tx->pos, "a size is wrong");
    return value_spread(eval->arena, arg[0], tx->n - 1, dim);
}

EVALFUN(linspace) {
    int64_t n = arg[2]->integer[0];
    if (n < 2 || n > ARRAY_MOST)
        return eval_fail(eval, tx->pos, "linspace needs 2 points");
    int    dim = (int)n;
    Value *v = value_new(eval->arena, BASIC_REAL, 1, &dim);
    double a = value_number(arg[0], 0), b = value_number(arg[1], 0);
    for (int k = 0; k < dim; k++) v->real[k] = a + (b - a) * k / (dim - 1);
    return v;
}

EVALFUN(identity) {
    int64_t n = arg[0]->integer[0];
    if (n < 0 || n > 4096) return eval_fail(eval, tx->pos, "a size is wrong");
    int    dim[2] = {(int)n, (int)n};
    Value *v = value_new(eval->arena, BASIC_INTEGER, 2, dim);
    for (int k = 0; k < n; k++) v->integer[k * n + k] = 1;
    return v;
}

EVALFUN(diagonal) {
    (void)tx;
    int    n = arg[0]->dim[0], dim[2] = {n, n};
    Value *v = value_new(eval->arena, (Basic)arg[0]->basic, 2, dim);
    for (int k = 0; k < n; k++) value_set(v, k * n + k, arg[0], k);
    return v;
}

/* The first two dimensions change places; what lies below them moves as a whole. */
EVALFUN(transpose) {
    (void)tx;
    const Value *a = arg[0];
    int          r = a->dim[0], c = a->dim[1], below = 1, dim[16] = {c, r};
    if (a->ndim > LENGTH(dim)) return NULL;
    for (int d = 2; d < a->ndim; d++) below *= dim[d] = a->dim[d];
    Value *v = value_new(eval->arena, (Basic)a->basic, a->ndim, dim);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++)
            for (int k = 0; k < below; k++)
                value_set(v, (j * r + i) * below + k, a, (i * c + j) * below + k);
    return v;
}

EVALFUN(outer) {
    int    r = arg[0]->count, c = arg[1]->count, dim[2] = {r, c};
    Value *v = value_new(eval->arena, (Basic)tx->type.basic, 2, dim);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            double p = value_number(arg[0], i) * value_number(arg[1], j);
            if (v->basic == BASIC_REAL) v->real[i * c + j] = p;
            else v->integer[i * c + j] = (int64_t)p;
        }
    return v;
}

EVALFUN(symmetric) {
    (void)tx;
    int    n = arg[0]->dim[0];
    Value *v = value_copy(eval->arena, arg[0]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) value_set(v, i * n + j, arg[0], j * n + i);
    return v;
}

EVALFUN(cross) {
    (void)tx;
    int    three = 3;
    bool   whole = arg[0]->basic == BASIC_INTEGER && arg[1]->basic == BASIC_INTEGER;
    Value *v = value_new(eval->arena, whole ? BASIC_INTEGER : BASIC_REAL, 1, &three);
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        if (whole)
            v->integer[k] = arg[0]->integer[a] * arg[1]->integer[b] -
                            arg[0]->integer[b] * arg[1]->integer[a];
        else
            v->real[k] = value_number(arg[0], a) * value_number(arg[1], b) -
                         value_number(arg[0], b) * value_number(arg[1], a);
    }
    return v;
}

EVALFUN(skew) {
    (void)tx;
    static const int from[9] = {-1, 2, 1, 2, -1, 0, 1, 0, -1};
    static const int sign[9] = {0, -1, 1, 1, 0, -1, -1, 1, 0};
    const Value     *x = arg[0];
    int              dim[2] = {3, 3};
    Value           *v = value_new(eval->arena, (Basic)x->basic, 2, dim);
    for (int k = 0; k < 9; k++) {
        if (!sign[k]) continue;
        if (x->basic == BASIC_REAL) v->real[k] = sign[k] * x->real[from[k]];
        else v->integer[k] = sign[k] * x->integer[from[k]];
    }
    return v;
}

/* scalar, vector, matrix, promote: the same elements in other dimensions */
EVALFUN(reshape) {
    int dim[16], n = tx->type.ndim;
    for (int k = 0; k < n && k < 16; k++) {
        dim[k] = tx->type.dim[k];
        if (dim[k] < 0)
            dim[k] = tx->builtin->id == BUILTIN_vector ? arg[0]->count
                     : k < arg[0]->ndim                ? arg[0]->dim[k]
                                                       : 1;
    }
    Value *v = NEW(eval->arena, Value, 1);
    *v = *arg[0];
    v->ndim = n;
    v->dim = n ? arena_copy(eval->arena, dim, sizeof(int) * (size_t)n) : NULL;
    int count = 1;
    for (int k = 0; k < n; k++) count *= dim[k];
    return count == arg[0]->count ? v : eval_fail(eval, tx->pos, "sizes do not fit");
}

EVALFUN(cat) {
    int along = (int)arg[0]->integer[0] - 1, ndim = arg[1]->ndim, dim[16];
    if (along < 0 || along >= ndim || ndim > 16) return eval_fail(eval, tx->pos, "cat");
    memcpy(dim, arg[1]->dim, sizeof(int) * (size_t)ndim);
    Basic basic = (Basic)tx->type.basic;
    for (int k = 2; k < tx->n; k++) dim[along] += arg[k]->dim[along];
    Value *v = value_new(eval->arena, basic, ndim, dim);
    v->cls = tx->type.cls;
    if (basic == BASIC_RECORD) {
        v->rec = arg[1]->rec;
        v->nfield = arg[1]->nfield;
        v->item = NEW(eval->arena, Value *, v->count * v->nfield + 1);
    }
    int outer = 1, inner = 1, at = 0;
    for (int k = 0; k < along; k++) outer *= dim[k];
    for (int k = along + 1; k < ndim; k++) inner *= dim[k];
    for (int a = 1; a < tx->n; a++) {
        int rows = arg[a]->dim[along];
        if (arg[a]->count != outer * rows * inner) return eval_fail(eval, tx->pos, "cat");
        for (int o = 0; o < outer; o++)
            for (int r = 0; r < rows; r++)
                for (int i = 0; i < inner; i++)
                    value_set(v, (o * dim[along] + at + r) * inner + i, arg[a],
                              (o * rows + r) * inner + i);
        at += rows;
    }
    return v;
}

EVALFUN(array) {
    return value_stack(eval->arena, arg, tx->n);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static bool string_of_value(Eval *eval, Text *out, const Value *a, const Value *how) {
    if (how && how->basic == BASIC_STRING)
        return string_of_format(out, value_number(a, 0), how->string[0]);
    switch (a->basic) {
    case BASIC_REAL:
        string_of_real(out, a->real[0], how ? value_number(how, 0) : 0);
        break;
    case BASIC_INTEGER: string_of_integer(out, (double)a->integer[0]); break;
    case BASIC_BOOLEAN: text_add(out, a->integer[0] ? "true" : "false"); break;
    case BASIC_STRING: text_add(out, a->string[0]); break;
    default:
        if (a->cls && a->integer[0] >= 1 && a->integer[0] <= a->cls->literals)
            text_add(out, text_of(eval->front, a->cls->literal[a->integer[0] - 1]));
    }
    return true;
}

EVALFUN(string) {
    Text   text = {0}, out = {0};
    Value *v = NULL;
    double width = tx->n > 2 && arg[2] ? value_number(arg[2], 0) : 0;
    bool   left = tx->n <= 3 || !arg[3] || arg[3]->integer[0] != 0;
    if (string_of_value(eval, &text, arg[0], tx->n > 1 ? arg[1] : NULL)) {
        string_padded(&out, text_get(&text), width, left);
        v = value_string(eval->arena,
                         arena_string(eval->arena, text_get(&out), out.length));
    }
    TEXT_FREE(&text, &out);
    return v ? v : eval_fail(eval, tx->pos, "the format of String is wrong");
}

EVALFUN(ordinal) {
    (void)tx;
    Value *v = value_new(eval->arena, BASIC_INTEGER, arg[0]->ndim, arg[0]->dim);
    for (int k = 0; k < v->count; k++) v->integer[k] = arg[0]->integer[k];
    return v;
}

EVALFUN(first) {
    return value_convert(eval->arena, arg[0], (Basic)tx->type.basic);
}
EVALFUN(second) {
    return value_convert(eval->arena, arg[1], (Basic)tx->type.basic);
}

EVALFUN(semilinear) {
    (void)tx;
    double x = value_number(arg[0], 0);
    return value_real(eval->arena, x * value_number(x >= 0 ? arg[1] : arg[2], 0));
}

EVALFUN(graph) {
    (void)arg;
    return graph_value(eval, tx);
}
