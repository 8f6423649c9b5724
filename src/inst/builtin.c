/* SPDX-License-Identifier: Apache-2.0 */
/* builtin.c -- the table of built-in operators and functions and their typing rules.
 *
 * One row of builtin.def gives name, arity, argument names, the rule that types a call and
 * the function that evaluates it (evalfun.c). Scalar functions of numbers are applied
 * element by element to arrays (Modelica 3.6, 12.4.6). */
#include "inst/front.h"
#include "inst/evalfun.h"

#include <string.h>

Tx *builtin_make(Front *front, int id, Pos pos, Ty type, Vary vary, Tx **arg, int n) {
    Tx *tx = tx_new(front, TX_BUILTIN, pos, type, vary, n);
    tx->builtin = builtin_at(id);
    for (int k = 0; k < n; k++) tx->arg[k] = arg[k];
    return tx;
}

static Vary vary_all(Tx **arg, int n) {
    Vary vary = VARY_CONSTANT;
    for (int k = 0; k < n; k++)
        if (arg[k]) vary = vary_most(vary, (Vary)arg[k]->vary);
    return vary;
}

static Tx *make(Ctx *ctx, const Builtin *b, Pos pos, Ty type, Tx **arg, int n) {
    return builtin_make(ctx->front, b->id, pos, type, vary_all(arg, n), arg, n);
}

static Tx *make_as(Ctx *ctx, const Builtin *b, Pos pos, Ty type, Vary vary, Tx **arg,
                   int n) {
    return builtin_make(ctx->front, b->id, pos, type, vary, arg, n);
}

static Tx *wrong(Ctx *ctx, const Builtin *b, const Tx *arg, const char *wanted) {
    diag_report(ctx->front->diag, arg->pos, CODE_T150, "'%s' needs %s, this is %s",
                b->name, wanted, ty_text(ctx->front, arg->type));
    return tx_bad(ctx->front, arg->pos);
}

/* Whether a constant argument is below a bound, or equal to it. Parameters may still change. */
static bool is_below(Ctx *ctx, const Tx *arg, double bound, bool equal) {
    if (arg->vary > VARY_CONSTANT || arg->type.ndim) return false;
    const Value *v = eval_now(ctx->front, arg);
    if (!v || v->count != 1) return false;
    double x = v->basic == BASIC_REAL ? v->real[0] : (double)v->integer[0];
    return x < bound || (equal && x == bound);
}

static Ty with_dims(Ctx *ctx, Basic basic, Ty like) {
    return ty_array(ctx->front, ty_scalar(basic), like.ndim, like.dim);
}

#define RULE(name)                                                                       \
    static Tx *rule_##name(Ctx *ctx, const Builtin *b, Pos pos, Tx **arg, int n)

RULE(real1) {
    if (!ty_numeric(arg[0]->type)) return wrong(ctx, b, arg[0], "a number");
    return make(ctx, b, pos, with_dims(ctx, BASIC_REAL, arg[0]->type), arg, n);
}

RULE(real2) {
    for (int k = 0; k < n; k++)
        if (!ty_numeric(arg[k]->type)) return wrong(ctx, b, arg[k], "numbers");
    if (arg[0]->type.ndim && arg[1]->type.ndim &&
        !ty_same_dims(arg[0]->type, arg[1]->type))
        return wrong(ctx, b, arg[1], "arrays of equal size");
    Ty like = arg[0]->type.ndim ? arg[0]->type : arg[1]->type;
    return make(ctx, b, pos, with_dims(ctx, BASIC_REAL, like), arg, n);
}

RULE(real3) {
    Ty like = arg[0]->type;
    for (int k = 0; k < n; k++) {
        if (!ty_numeric(arg[k]->type)) return wrong(ctx, b, arg[k], "numbers");
        if (arg[k]->type.ndim) like = arg[k]->type;
    }
    return make(ctx, b, pos, with_dims(ctx, BASIC_REAL, like), arg, n);
}

RULE(same1) {
    if (arg[0]->type.basic == BASIC_RECORD) {
        Tx *tx =
            type_overload(ctx, pos, str_of(ctx->front->strings, "'abs'"), arg, n, false);
        if (tx) return tx;
    }
    if (!ty_numeric(arg[0]->type)) return wrong(ctx, b, arg[0], "a number");
    return make(ctx, b, pos, arg[0]->type, arg, n);
}

static Tx *discrete(Tx *tx) {
    if (tx->vary == VARY_CONTINUOUS) tx->vary = VARY_DISCRETE;
    return tx;
}

RULE(sign) {
    if (!ty_numeric(arg[0]->type)) return wrong(ctx, b, arg[0], "a number");
    return discrete(
        make(ctx, b, pos, with_dims(ctx, BASIC_INTEGER, arg[0]->type), arg, n));
}

RULE(step1) {
    if (!ty_numeric(arg[0]->type)) return wrong(ctx, b, arg[0], "a number");
    return discrete(make(ctx, b, pos, with_dims(ctx, BASIC_REAL, arg[0]->type), arg, n));
}

RULE(integer) {
    if (!ty_numeric(arg[0]->type)) return wrong(ctx, b, arg[0], "a number");
    return discrete(
        make(ctx, b, pos, with_dims(ctx, BASIC_INTEGER, arg[0]->type), arg, n));
}

static Basic number_kind(Tx **arg, int n) {
    for (int k = 0; k < n; k++)
        if (arg[k]->type.basic != BASIC_INTEGER) return BASIC_REAL;
    return BASIC_INTEGER;
}

RULE(number2) {
    for (int k = 0; k < n; k++)
        if (!ty_numeric(arg[k]->type)) return wrong(ctx, b, arg[k], "numbers");
    Ty like = arg[0]->type.ndim ? arg[0]->type : arg[1]->type;
    return make(ctx, b, pos, with_dims(ctx, number_kind(arg, n), like), arg, n);
}

RULE(extreme) {
    if (n == 1) {
        if (arg[0]->type.ndim == 0)
            return wrong(ctx, b, arg[0], "an array or two values");
        Ty type = ty_element(arg[0]->type, arg[0]->type.ndim);
        return make(ctx, b, pos, type, arg, n);
    }
    Ty common;
    if (!ty_common(ctx->front, arg[0]->type, arg[1]->type, &common) ||
        common.basic > BASIC_ENUM || common.basic == BASIC_STRING)
        return wrong(ctx, b, arg[1], "two values of one type");
    return make(ctx, b, pos, common, arg, n);
}

RULE(total) {
    if (arg[0]->type.basic == BASIC_RECORD && arg[0]->type.ndim == 1 &&
        b->id == BUILTIN_sum && arg[0]->type.dim[0] > 0 && arg[0]->type.dim[0] < 65535) {
        Tx *sum = NULL; /* with the record's own '+' */
        for (int k = 0; k < arg[0]->type.dim[0]; k++) {
            Tx *index = tx_integer(ctx->front, pos, k + 1);
            Tx *item = tx_index(ctx->front, arg[0], &index, 1);
            sum = sum ? type_binary(ctx, pos, TX_ADD, sum, item) : item;
        }
        return sum;
    }
    if (!ty_numeric(arg[0]->type)) return wrong(ctx, b, arg[0], "an array of numbers");
    return make(ctx, b, pos, ty_element(arg[0]->type, arg[0]->type.ndim), arg, n);
}

RULE(size) {
    int ndim = arg[0]->type.ndim;
    if (n == 1) {
        Tx **items = NEW(&ctx->front->arena, Tx *, ndim + 1);
        for (int k = 0; k < ndim; k++) {
            if (arg[0]->type.dim[k] < 0) {
                Tx *two[2] = {arg[0], tx_integer(ctx->front, pos, k + 1)};
                items[k] = builtin_make(ctx->front, BUILTIN_size, pos,
                                        ty_scalar(BASIC_INTEGER), VARY_PARAMETER, two, 2);
            } else items[k] = tx_integer(ctx->front, pos, arg[0]->type.dim[k]);
        }
        Tx *all = type_array_of(ctx, pos, items, ndim);
        if (ndim == 0) all->type.basic = BASIC_INTEGER;
        return all;
    }
    if (arg[1]->type.basic != BASIC_INTEGER || arg[1]->type.ndim)
        return wrong(ctx, b, arg[1], "the number of a dimension");
    int64_t k;
    Tx     *tx = make(ctx, b, pos, ty_scalar(BASIC_INTEGER), arg, n);
    tx->vary = (uint8_t)(arg[1]->vary > VARY_PARAMETER ? arg[1]->vary : VARY_PARAMETER);
    if (!eval_integer(ctx->front, arg[1], &k)) return tx;
    if (k < 1 || k > ndim) {
        diag_report(ctx->front->diag, pos, CODE_T151,
                    "'size' of dimension %lld, but the argument has %d", (long long)k,
                    ndim);
        return tx_bad(ctx->front, pos);
    }
    if (arg[0]->type.dim[k - 1] >= 0)
        return tx_integer(ctx->front, pos, arg[0]->type.dim[k - 1]);
    return tx;
}

RULE(ndims) {
    (void)b, (void)n;
    return tx_integer(ctx->front, pos, arg[0]->type.ndim);
}

/* Sizes given as arguments; -1 where they are not known. */
static bool sizes_of(Ctx *ctx, const Builtin *b, Tx **arg, int n, int *dim) {
    for (int k = 0; k < n; k++) {
        int64_t size = -1;
        if (arg[k]->type.basic != BASIC_INTEGER || arg[k]->type.ndim) {
            wrong(ctx, b, arg[k], "Integer sizes");
            return false;
        }
        if (eval_integer(ctx->front, arg[k], &size) && (size < 0 || size > ARRAY_MOST)) {
            diag_report(ctx->front->diag, arg[k]->pos, CODE_T111, "size %lld is %s",
                        (long long)size, size < 0 ? "negative" : "too large");
            return false;
        }
        dim[k] = (int)size;
    }
    return true;
}

RULE(zeros) {
    int dim[32];
    if (n > 32 || !sizes_of(ctx, b, arg, n, dim)) return tx_bad(ctx->front, pos);
    return make(ctx, b, pos, ty_array(ctx->front, ty_scalar(BASIC_INTEGER), n, dim), arg,
                n);
}

RULE(fill) {
    int dim[32];
    if (n > 32 || !sizes_of(ctx, b, arg + 1, n - 1, dim)) return tx_bad(ctx->front, pos);
    return make(ctx, b, pos, ty_array(ctx->front, arg[0]->type, n - 1, dim), arg, n);
}

RULE(linspace) {
    int dim[1];
    if (!sizes_of(ctx, b, arg + 2, 1, dim)) return tx_bad(ctx->front, pos);
    return make(ctx, b, pos, ty_array(ctx->front, ty_scalar(BASIC_REAL), 1, dim), arg, n);
}

RULE(identity) {
    int dim[2];
    if (!sizes_of(ctx, b, arg, 1, dim)) return tx_bad(ctx->front, pos);
    dim[1] = dim[0];
    return make(ctx, b, pos, ty_array(ctx->front, ty_scalar(BASIC_INTEGER), 2, dim), arg,
                n);
}

RULE(diagonal) {
    if (arg[0]->type.ndim != 1) return wrong(ctx, b, arg[0], "a vector");
    int dim[2] = {arg[0]->type.dim[0], arg[0]->type.dim[0]};
    return make(ctx, b, pos, ty_array(ctx->front, ty_element(arg[0]->type, 1), 2, dim),
                arg, n);
}

RULE(transpose) {
    const Ty type = arg[0]->type;
    int      dim[2];
    if (type.ndim < 2) return wrong(ctx, b, arg[0], "a matrix");
    dim[0] = type.dim[1];
    dim[1] = type.dim[0];
    return make(ctx, b, pos, ty_array(ctx->front, ty_element(type, 2), 2, dim), arg, n);
}

RULE(outer) {
    if (arg[0]->type.ndim != 1) return wrong(ctx, b, arg[0], "a vector");
    if (arg[1]->type.ndim != 1) return wrong(ctx, b, arg[1], "a vector");
    int dim[2] = {arg[0]->type.dim[0], arg[1]->type.dim[0]};
    Ty  type = ty_array(ctx->front, ty_scalar(number_kind(arg, 2)), 2, dim);
    return make(ctx, b, pos, type, arg, n);
}

RULE(symmetric) {
    if (arg[0]->type.ndim != 2) return wrong(ctx, b, arg[0], "a matrix");
    if (arg[0]->type.dim[0] != arg[0]->type.dim[1] && arg[0]->type.dim[0] >= 0 &&
        arg[0]->type.dim[1] >= 0)
        return wrong(ctx, b, arg[0], "a square matrix");
    return make(ctx, b, pos, arg[0]->type, arg, n);
}

RULE(cross) {
    int three = 3;
    for (int k = 0; k < 2; k++)
        if (arg[k]->type.ndim != 1 ||
            (arg[k]->type.dim[0] >= 0 && arg[k]->type.dim[0] != 3))
            return wrong(ctx, b, arg[k], "a vector of 3 elements");
    Ty type = ty_array(ctx->front, ty_scalar(number_kind(arg, 2)), 1, &three);
    return make(ctx, b, pos, type, arg, n);
}

RULE(skew) {
    int dim[2] = {3, 3};
    if (arg[0]->type.ndim != 1 || (arg[0]->type.dim[0] >= 0 && arg[0]->type.dim[0] != 3))
        return wrong(ctx, b, arg[0], "a vector of 3 elements");
    return make(ctx, b, pos, ty_array(ctx->front, ty_element(arg[0]->type, 1), 2, dim),
                arg, n);
}

RULE(scalar) {
    for (int k = 0; k < arg[0]->type.ndim; k++)
        if (arg[0]->type.dim[k] > 1 || arg[0]->type.dim[k] == 0)
            return wrong(ctx, b, arg[0], "one element");
    return make(ctx, b, pos, ty_element(arg[0]->type, arg[0]->type.ndim), arg, n);
}

RULE(vector) {
    int long_ = 0;
    for (int k = 0; k < arg[0]->type.ndim; k++) long_ += arg[0]->type.dim[k] > 1;
    if (long_ > 1) return wrong(ctx, b, arg[0], "an array with one dimension above 1");
    int size = ty_count(arg[0]->type);
    Ty  element = ty_element(arg[0]->type, arg[0]->type.ndim);
    return make(ctx, b, pos, ty_array(ctx->front, element, 1, &size), arg, n);
}

RULE(matrix) {
    Ty type = arg[0]->type, element = ty_element(type, type.ndim);
    for (int k = 2; k < type.ndim; k++)
        if (type.dim[k] > 1) return wrong(ctx, b, arg[0], "an array that fits a matrix");
    int dim[2] = {type.ndim > 0 ? type.dim[0] : 1, type.ndim > 1 ? type.dim[1] : 1};
    return make(ctx, b, pos, ty_array(ctx->front, element, 2, dim), arg, n);
}

RULE(promote) {
    (void)b, (void)n;
    int64_t ndim;
    int     dim[8];
    if (!eval_integer(ctx->front, arg[1], &ndim) || ndim > 8)
        return tx_bad(ctx->front, pos);
    for (int k = 0; k < ndim; k++)
        dim[k] = k < arg[0]->type.ndim ? arg[0]->type.dim[k] : 1;
    Ty element = ty_element(arg[0]->type, arg[0]->type.ndim);
    return make(ctx, b, pos, ty_array(ctx->front, element, (int)ndim, dim), arg, n);
}

RULE(cat) {
    int64_t along;
    if (!eval_integer(ctx->front, arg[0], &along))
        return wrong(ctx, b, arg[0], "a known dimension");
    Ty  type = arg[1]->type;
    int ndim = type.ndim, dim[8] = {0};
    if (ndim == 0 || ndim > 8) return wrong(ctx, b, arg[1], "arrays");
    if (along < 1 || along > ndim)
        return wrong(ctx, b, arg[0], "a dimension of the arrays");
    Basic basic = (Basic)type.basic;
    for (int k = 0; k < ndim; k++) dim[k] = type.dim[k];
    for (int j = 2; j < n; j++) {
        Ty t = arg[j]->type;
        Ty common;
        if (t.ndim != ndim) return wrong(ctx, b, arg[j], "arrays of one rank");
        if (!ty_common(ctx->front, ty_element(type, ndim), ty_element(t, ndim), &common))
            return wrong(ctx, b, arg[j], "arrays of one type");
        basic = common.basic;
        for (int k = 0; k < ndim; k++) {
            if (k == along - 1)
                dim[k] = dim[k] < 0 || t.dim[k] < 0 ? -1 : dim[k] + t.dim[k];
            else if (dim[k] < 0) dim[k] = t.dim[k];
            else if (t.dim[k] >= 0 && t.dim[k] != dim[k])
                return wrong(ctx, b, arg[j], "arrays of equal size");
        }
    }
    Ty element = ty_element(type, ndim);
    element.basic = (uint8_t)basic;
    return make(ctx, b, pos, ty_array(ctx->front, element, ndim, dim), arg, n);
}

RULE(array) {
    (void)b;
    return type_array_of(ctx, pos, arg, n);
}

RULE(string) {
    if (arg[0]->type.basic == BASIC_RECORD) {
        Tx *tx = type_overload(ctx, pos, str_of(ctx->front->strings, "'String'"), arg, n,
                               false);
        if (tx) return tx;
    }
    if (arg[0]->type.ndim || arg[0]->type.basic > BASIC_ENUM)
        return wrong(ctx, b, arg[0], "a scalar value");
    return discrete(make(ctx, b, pos, ty_scalar(BASIC_STRING), arg, n));
}

RULE(ordinal) {
    if (arg[0]->type.basic == BASIC_REAL)
        return wrong(ctx, b, arg[0], "an enumeration value (for numbers use integer())");
    if (arg[0]->type.basic != BASIC_ENUM && arg[0]->type.basic != BASIC_INTEGER)
        return wrong(ctx, b, arg[0], "an enumeration value");
    return make(ctx, b, pos, with_dims(ctx, BASIC_INTEGER, arg[0]->type), arg, n);
}

RULE(none) {
    (void)b, (void)n, (void)arg;
    return tx_bad(ctx->front, pos);
}

static Tx *outside_functions(Ctx *ctx, const Builtin *b, Pos pos) {
    diag_report(ctx->front->diag, pos, CODE_T152, "'%s' is not allowed in a function",
                b->name);
    return tx_bad(ctx->front, pos);
}

/* The operator in an expression that takes a value from another clock, or one that changes from tick to tick; NULL:
 * none. */
static const Builtin *ticking_in(const Tx *tx) {
    if (!tx) return NULL;
    if (tx->kind == TX_BUILTIN) switch (tx->builtin->id) {
        case BUILTIN_sample:
        case BUILTIN_subSample:
        case BUILTIN_superSample:
        case BUILTIN_shiftSample:
        case BUILTIN_backSample:
        case BUILTIN_noClock:
        case BUILTIN_previous:
        case BUILTIN_interval:
        case BUILTIN_firstTick: return tx->builtin;
        default: break;
        }
    const Builtin *found = NULL;
    for (int k = 0; k < tx->n && !found; k++) found = ticking_in(tx->arg[k]);
    return found;
}

RULE(der) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    Tx            *x = arg[0];
    const Builtin *ticking = ticking_in(x);
    if (ticking) {
        diag_report(ctx->front->diag, x->pos, CODE_T150,
                    "'der' needs a value that changes with time: '%s' has no derivative",
                    ticking->name);
        return tx_bad(ctx->front, x->pos);
    }
    if (x->type.basic == BASIC_RECORD) return wrong(ctx, b, x, "a Real value");
    if (!ty_numeric(x->type)) return wrong(ctx, b, x, "a Real value");
    Tx *tx = make(ctx, b, pos, with_dims(ctx, BASIC_REAL, x->type), arg, n);
    if (x->kind == TX_REF) x->inst->derived = true;
    if (x->vary == VARY_DISCRETE && (x->kind == TX_REF || x->type.basic != BASIC_REAL))
        return wrong(ctx, b, x, "a continuous variable");
    return tx;
}

RULE(pre) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    if (arg[0]->kind != TX_REF && arg[0]->vary > VARY_PARAMETER)
        return wrong(ctx, b, arg[0], "a variable");
    if (b->id == BUILTIN_pre) check_use_later(ctx, b, arg[0], pos);
    return discrete(make(ctx, b, pos, arg[0]->type, arg, n));
}

RULE(edge) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    if (b->id == BUILTIN_edge && arg[0]->type.basic != BASIC_BOOLEAN)
        return wrong(ctx, b, arg[0], "a Boolean variable");
    if (arg[0]->kind != TX_REF && arg[0]->vary > VARY_PARAMETER)
        return wrong(ctx, b, arg[0], "a variable");
    check_use_later(ctx, b, arg[0], pos);
    return discrete(
        make(ctx, b, pos, with_dims(ctx, BASIC_BOOLEAN, arg[0]->type), arg, n));
}

RULE(boolean0) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    return make_as(ctx, b, pos, ty_scalar(BASIC_BOOLEAN), VARY_DISCRETE, arg, n);
}

RULE(sample) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    bool clocked = n == 1 || arg[1]->type.basic == BASIC_CLOCK;
    if (clocked) {
        Tx *tx = make(ctx, b, pos, arg[0]->type, arg, n);
        tx->vary = VARY_DISCRETE;
        return tx;
    }
    for (int k = 0; k < n; k++) {
        if (!ty_numeric(arg[k]->type)) return wrong(ctx, b, arg[k], "numbers");
        if (arg[k]->vary > VARY_PARAMETER)
            return wrong(ctx, b, arg[k], "a start and interval that do not vary");
    }
    if (is_below(ctx, arg[1], 0, true))
        return wrong(ctx, b, arg[1], "an interval above 0");
    return make_as(ctx, b, pos, ty_scalar(BASIC_BOOLEAN), VARY_DISCRETE, arg, n);
}

RULE(noevent) {
    return make(ctx, b, pos, arg[0]->type, arg, n);
}

RULE(smooth) {
    if (arg[0]->type.basic != BASIC_INTEGER || arg[0]->type.ndim)
        return wrong(ctx, b, arg[0], "an Integer order");
    if (arg[0]->vary > VARY_PARAMETER)
        return wrong(ctx, b, arg[0], "an order that does not vary");
    if (is_below(ctx, arg[0], 0, false))
        return wrong(ctx, b, arg[0], "an order that is not negative");
    Ty type = arg[1]->type;
    if (type.basic == BASIC_INTEGER) type = with_dims(ctx, BASIC_REAL, type);
    return make(ctx, b, pos, type, arg, n);
}

RULE(homotopy) {
    for (int k = 0; k < n; k++)
        if (!ty_numeric(arg[k]->type)) return wrong(ctx, b, arg[k], "numbers");
    return make(ctx, b, pos, with_dims(ctx, BASIC_REAL, arg[0]->type), arg, n);
}

RULE(delay) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    for (int k = 0; k < n; k++)
        if (!ty_numeric(arg[k]->type)) return wrong(ctx, b, arg[k], "numbers");
    if (n == 2 && arg[1]->vary > VARY_PARAMETER) {
        diag_report(ctx->front->diag, arg[1]->pos, CODE_T156,
                    "a delay time that varies needs a third argument, its maximum");
        return tx_bad(ctx->front, pos);
    }
    if (n == 3 && arg[2]->vary > VARY_PARAMETER)
        return wrong(ctx, b, arg[2], "a maximum that does not vary");
    for (int k = 1; k < n; k++)
        if (is_below(ctx, arg[k], 0, false))
            return wrong(ctx, b, arg[k], "delay times that are not negative");
    return make_as(ctx, b, pos, arg[0]->type, VARY_CONTINUOUS, arg, n);
}

/* The points of a distribution go from 0 to 1; parameters are looked at when the run starts. */
static bool are_wrong_points(Ctx *ctx, const Tx *points) {
    if (points->vary > VARY_CONSTANT) return false;
    const Value *v = eval_now(ctx->front, points);
    if (!v || v->basic != BASIC_REAL) return false;
    bool fine = v->count > 1 && v->real[0] == 0 && v->real[v->count - 1] == 1;
    for (int k = 0; fine && k + 1 < v->count; k++) fine = v->real[k] <= v->real[k + 1];
    return !fine;
}

RULE(spatial) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    for (int k = 0; k < n; k++) {
        const Ty   type = arg[k]->type;
        const bool right = k == 3 ? type.basic == BASIC_BOOLEAN : ty_numeric(type);
        if (!right || type.ndim != (k > 3))
            return wrong(ctx, b, arg[k],
                         k == 3  ? "a Boolean"
                         : k < 3 ? "a number"
                                 : "a vector of numbers");
        if (k > 3 && arg[k]->vary > VARY_PARAMETER)
            return wrong(ctx, b, arg[k], "a vector that does not vary");
    }
    if (n > 4 && are_wrong_points(ctx, arg[4]))
        return wrong(ctx, b, arg[4], "initial points that ascend from 0 to 1");
    const int points = n > 4 ? arg[4]->type.dim[0] : 2;
    const int values = n > 5 ? arg[5]->type.dim[0] : 2;
    if (points >= 0 && values >= 0 && points != values) {
        diag_report(
            ctx->front->diag, pos, CODE_T150,
            "'%s' needs as many initial values as initial points, these are %d and %d",
            b->name, values, points);
        return tx_bad(ctx->front, pos);
    }
    return make_as(ctx, b, pos, ty_scalar(BASIC_TUPLE), VARY_CONTINUOUS, arg, n);
}

RULE(cardinality) {
    if (arg[0]->kind != TX_REF || !arg[0]->inst->connector)
        return wrong(ctx, b, arg[0], "a connector");
    ctx->front->uses.counted = true;
    return make_as(ctx, b, pos, ty_scalar(BASIC_INTEGER), VARY_PARAMETER, arg, n);
}

RULE(stream) {
    if (arg[0]->kind != TX_REF || arg[0]->inst->conn != CONN_STREAM)
        return wrong(ctx, b, arg[0], "a stream variable of a connector");
    return make(ctx, b, pos, arg[0]->type, arg, n);
}

RULE(reinit) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    if (arg[0]->kind != TX_REF) return wrong(ctx, b, arg[0], "a variable");
    if (arg[0]->type.basic != BASIC_REAL || arg[0]->vary != VARY_CONTINUOUS)
        return wrong(ctx, b, arg[0], "a continuous Real variable");
    if (!ctx->when || ctx->algorithm) {
        diag_report(ctx->front->diag, pos, CODE_T153,
                    "'reinit' is allowed only in a when-%s",
                    ctx->algorithm ? "equation, not in an algorithm" : "clause");
        return tx_bad(ctx->front, pos);
    }
    if (!ty_fits(ctx->front, arg[1]->type, arg[0]->type, true))
        return wrong(ctx, b, arg[1], "a value of the variable's type");
    check_use_later(ctx, b, arg[0], pos);
    return make(ctx, b, pos, ty_scalar(BASIC_NONE), arg, n);
}

RULE(assertion) {
    if (arg[0]->type.basic != BASIC_BOOLEAN || arg[0]->type.ndim)
        return wrong(ctx, b, arg[0], "a Boolean condition");
    if (arg[1]->type.basic != BASIC_STRING || arg[1]->type.ndim)
        return wrong(ctx, b, arg[1], "a String message");
    if (n > 2 && (arg[2]->type.basic != BASIC_ENUM ||
                  !ty_fits(ctx->front, arg[2]->type,
                           ty_of_class(ctx->front, ctx->front->assertion_level), true)))
        return wrong(ctx, b, arg[2], "an AssertionLevel");
    return make(ctx, b, pos, ty_scalar(BASIC_NONE), arg, n);
}

RULE(terminate) {
    if (arg[0]->type.basic != BASIC_STRING)
        return wrong(ctx, b, arg[0], "a String message");
    return make(ctx, b, pos, ty_scalar(BASIC_NONE), arg, n);
}

RULE(instance_name) {
    (void)b, (void)arg, (void)n;
    Text  text = {0};
    Inst *model = ctx->front->model;
    if (model) text_add(&text, text_of(ctx->front, model->cls->name));
    if (ctx->scope.inst && ctx->scope.inst != model) {
        if (model) text_char(&text, '.');
        inst_name(&text, ctx->front, ctx->scope.inst);
    }
    Tx *tx = tx_string(ctx->front, pos,
                       arena_string(&ctx->front->arena, text_get(&text), text.length));
    text_free(&text);
    return tx;
}

RULE(clocked1) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    const Tx *u = arg[0];
    bool      clock = u->type.basic == BASIC_CLOCK;
    if (clock && (b->id == BUILTIN_noClock || b->id == BUILTIN_hold))
        return wrong(ctx, b, u, "a clocked value");
    if (clock && u->type.ndim) return wrong(ctx, b, u, "one clock");
    if ((b->id == BUILTIN_hold || b->id == BUILTIN_backSample) && !clock &&
        u->kind != TX_REF && u->vary > VARY_PARAMETER) {
        diag_report(ctx->front->diag, u->pos, CODE_T150,
                    "'%s' needs a variable, this is an expression: before the first tick "
                    "it has the start value of the variable",
                    b->name);
        return tx_bad(ctx->front, u->pos);
    }
    for (int k = 1; k < n; k++)
        if (arg[k]->type.basic != BASIC_INTEGER || arg[k]->type.ndim)
            return wrong(ctx, b, arg[k], "an Integer factor");
    return make_as(ctx, b, pos, arg[0]->type, VARY_DISCRETE, arg, n);
}

RULE(interval) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    return make_as(ctx, b, pos, ty_scalar(BASIC_REAL), VARY_DISCRETE, arg, n);
}

RULE(firsttick) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    return make_as(ctx, b, pos, ty_scalar(BASIC_BOOLEAN), VARY_DISCRETE, arg, n);
}

RULE(clock) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    if (n && arg[0]->type.basic == BASIC_STRING)
        return wrong(ctx, b, arg[0], "an interval, a condition or a clock");
    return make_as(ctx, b, pos, ty_scalar(BASIC_CLOCK), VARY_DISCRETE, arg, n);
}

RULE(graph) {
    for (int k = 0; k < n && k < (b->id == BUILTIN_branch ? 2 : 1); k++)
        if (arg[k]->kind != TX_REF || !arg[k]->inst->in_connector ||
            !cls_find(ctx->front, arg[k]->inst->cls,
                      WORD(ctx->front, equalityConstraint)))
            return wrong(ctx, b, arg[k], "an overconstrained record of a connector");
    return make(ctx, b, pos, ty_scalar(BASIC_NONE), arg, n);
}

RULE(graph_test) {
    if (arg[0]->kind != TX_REF) return wrong(ctx, b, arg[0], "a connector's record");
    return make_as(ctx, b, pos, ty_scalar(BASIC_BOOLEAN), VARY_PARAMETER, arg, n);
}

/* ---- state machines (machine.c makes equations of them) ---- */

/* A block that is, or is to be, a state. */
static bool is_block(Ctx *ctx, const Builtin *b, const Tx *arg) {
    if (arg->kind == TX_REF && arg->type.ndim == 0 &&
        arg->type.basic == BASIC_COMPONENT && cls_is_kind(arg->inst->cls, CLASS_BLOCK))
        return true;
    diag_report(ctx->front->diag, arg->pos, CODE_F201,
                "a state is an instance of a block; this argument of '%s' is %s", b->name,
                arg->kind == TX_REF && arg->type.ndim ? "an array"
                : arg->type.basic != BASIC_COMPONENT
                    ? ty_text(ctx->front, arg->type)
                    : cls_text(ctx->front, arg->type.cls));
    return false;
}

/* An option of a transition: of the given type, and known when translating. */
static bool is_option(Ctx *ctx, const Tx *arg, Basic basic, const char *name) {
    if (!arg) return true;
    bool fits = arg->type.basic == basic && arg->type.ndim == 0;
    if (fits && arg->vary <= VARY_PARAMETER) return true;
    diag_report(ctx->front->diag, arg->pos, CODE_F202,
                fits ? "'%s' of a transition must be known when translating"
                     : "'%s' of a transition is %s",
                name, basic == BASIC_INTEGER ? "an Integer" : "a Boolean");
    return false;
}

static bool check_transition(Ctx *ctx, Tx **arg, int n) {
    static const char *const option[] = {"immediate", "reset", "synchronize", "priority"};
    if (arg[2]->type.basic != BASIC_BOOLEAN || arg[2]->type.ndim) {
        diag_report(ctx->front->diag, arg[2]->pos, CODE_F202,
                    "the condition of a transition is a Boolean, this is %s",
                    ty_text(ctx->front, arg[2]->type));
        return false;
    }
    for (int k = 3; k < n; k++)
        if (!is_option(ctx, arg[k], k == 6 ? BASIC_INTEGER : BASIC_BOOLEAN,
                       option[k - 3]))
            return false;
    return true;
}

RULE(transition) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    if (!ctx->equation || ctx->when || ctx->varies) {
        diag_report(ctx->front->diag, pos, CODE_F200, "'%s' %s", b->name,
                    ctx->when     ? "cannot stand in a when-clause"
                    : ctx->varies ? "stands under a condition that is not known when "
                                    "translating"
                                  : "stands in equation sections only");
        return tx_bad(ctx->front, pos);
    }
    bool good = is_block(ctx, b, arg[0]);
    if (b->id == BUILTIN_transition)
        good = is_block(ctx, b, arg[1]) && check_transition(ctx, arg, n) && good;
    ctx->front->uses.stateful = true;
    return good ? make(ctx, b, pos, ty_scalar(BASIC_NONE), arg, n)
                : tx_bad(ctx->front, pos);
}

RULE(active_state) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    if (!is_block(ctx, b, arg[0])) return tx_bad(ctx->front, pos);
    ctx->front->uses.stateful = true;
    return make_as(ctx, b, pos, ty_scalar(BASIC_BOOLEAN), VARY_DISCRETE, arg, n);
}

RULE(in_state) {
    if (ctx->func) return outside_functions(ctx, b, pos);
    ctx->front->uses.stateful = true;
    Basic basic = b->id == BUILTIN_ticksInState ? BASIC_INTEGER : BASIC_REAL;
    return make_as(ctx, b, pos, ty_scalar(basic), VARY_DISCRETE, arg, n);
}

static const Builtin table[] = {
#define BUILTIN(id_, text_, least_, most_, args_, typing, value)                         \
    {.name = text_,                                                                      \
     .least = least_,                                                                    \
     .most = most_,                                                                      \
     .args = args_,                                                                      \
     .id = BUILTIN_##id_,                                                                \
     .type = rule_##typing,                                                              \
     .eval = evalfun_##value},
#include "inst/builtin.def"
#undef BUILTIN
};

const Builtin *builtin_at(int id) {
    return &table[id];
}

const Builtin *builtin_find(Front *front, Str name) {
    if (front->builtin_of.count == 0)
        for (int k = 0; k < LENGTH(table); k++)
            map_put(&front->builtin_of, str_of(front->strings, table[k].name), k);
    int64_t k = map_get(&front->builtin_of, name, -1);
    return k < 0 ? NULL : &table[k];
}
