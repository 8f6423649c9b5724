/* SPDX-License-Identifier: Apache-2.0 */
/* band.c -- between which values an expression and its derivative along the time stay over a piece of time.
 *
 * Interval arithmetic on values and on first derivatives (R. E. Moore, Interval Analysis, 1966; automatic
 * differentiation forward). Each operator gives an interval that contains all values it has for arguments
 * in their intervals, widened by the rounding of its evaluation. A sub-expression that stands twice counts
 * as two (dependency), so intervals are too wide by an amount that shrinks with the piece.
 *
 * No event happens inside the piece: a relation that is decided but for its ends has one value, and of an
 * undecided `if` all branches are possible, with any slope between them.
 *
 * Cost: a visit per operator, ten times what compiled code takes for its value. */
#include "program/band.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double ROUNDING = 4.0 * DBL_EPSILON;
static const double TOUCH =
    1e-9; /* of the arguments of a relation: they touch at an end of the piece */
static const double PI = 3.14159265358979323846;
static const Range  ANY = {-HUGE_VAL, HUGE_VAL}, NOTHING = {0.0, 0.0};

/* ---- intervals ------------------------------------------------------------------------------- */

static bool is_point(Range a) {
    return a.low == a.high;
}

/* As fmin and fmax of numbers, but not calls. */
static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double magnitude(Range a) {
    return larger(fabs(a.low), fabs(a.high));
}

/* Ends that are no numbers are unknown. */
static Range wide(double low, double high) {
    const Range a = {low - ROUNDING * fabs(low), high + ROUNDING * fabs(high)};
    return a.low <= a.high ? a : ANY;
}

static Range hull(Range a, Range b) {
    return (Range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static Range add(Range a, Range b) {
    return wide(a.low + b.low, a.high + b.high);
}

static Range negative(Range a) {
    return (Range){-a.high, -a.low};
}

static double product(double a, double b) { /* 0 times an unknown that is finite is 0 */
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static Range multiply(Range a, Range b) {
    const double p = product(a.low, b.low), q = product(a.low, b.high),
                 r = product(a.high, b.low), s = product(a.high, b.high);
    return wide(smaller(smaller(p, q), smaller(r, s)),
                larger(larger(p, q), larger(r, s)));
}

static Range square(Range a) {
    const double p = a.low * a.low, q = a.high * a.high;
    return wide(a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(p, q), fmax(p, q));
}

static Range inverse(Range a) {
    return a.low > 0.0 || a.high < 0.0 ? wide(1.0 / a.high, 1.0 / a.low) : ANY;
}

/* Of a function that grows, on its domain. */
static Range growing(double (*f)(double), Range a) {
    return wide(f(a.low), f(a.high));
}

/* Does a + k 2 pi lie in the interval, but for rounding? */
static bool holds_turn(Range a, double turn) {
    const double k = ceil((a.low - turn) / (2.0 * PI) - 1e-12);
    return turn + 2.0 * PI * k <= a.high + 1e-12 * magnitude(a);
}

static Range sine(Range a) {
    if (!(a.high - a.low < 7.0) || magnitude(a) > 1e12) return (Range){-1.0, 1.0};
    const double p = sin(a.low), q = sin(a.high);
    const double slack = DBL_EPSILON * (2.0 + magnitude(a));
    return (Range){holds_turn(a, -0.5 * PI) ? -1.0 : fmax(fmin(p, q) - slack, -1.0),
                   holds_turn(a, 0.5 * PI) ? 1.0 : fmin(fmax(p, q) + slack, 1.0)};
}

static Range cosine(Range a) {
    return sine(add(a, (Range){0.5 * PI, 0.5 * PI}));
}

/* ---- values with slopes ------------------------------------------------------------------------ */

static Band point(double value) {
    return (Band){{value, value}, NOTHING};
}

static Band with_slope(Range value, Range by, Range slope) {
    return (Band){value, multiply(by, slope)};
}

static Band times(Band a, Band b) {
    return (Band){multiply(a.value, b.value),
                  add(multiply(a.slope, b.value), multiply(a.value, b.slope))};
}

Band band_quotient(Band a, Band b) {
    const Range part = inverse(b.value);
    const Band  other = {part, multiply(negative(square(part)), b.slope)};
    return times(a, other);
}

static Band either(Band a, Band b) { /* with a jump between them, perhaps */
    return (Band){hull(a.value, b.value), ANY};
}

static Band truth(bool no, bool yes) {
    if (no && yes) return (Band){{0.0, 1.0}, ANY};
    return point(yes ? 1.0 : 0.0);
}

/* x^n for a whole n; larger exponents go by exp and log. */
static Range whole_power(Range x, int n) {
    Range out = {1.0, 1.0};
    if (n < 0) return inverse(whole_power(x, -n));
    if (n % 2 == 0 && n > 0) {
        const Range half = square(x);
        return wide(pow(half.low, n / 2), pow(half.high, n / 2));
    }
    if (n > 0) out = wide(pow(x.low, n), pow(x.high, n));
    return out;
}

static Band raise(Band x, Band y) {
    enum { MOST = 1000 };
    const double n = y.value.low;
    if (is_point(y.value) && n == floor(n) && fabs(n) < MOST) {
        if (n == 0.0) return point(1.0);
        const Range by = multiply((Range){n, n}, whole_power(x.value, (int)n - 1));
        return with_slope(whole_power(x.value, (int)n), by, x.slope);
    }
    if (x.value.low < 0.0) return (Band){ANY, ANY};
    if (is_point(y.value) && n > 0.0) {
        const Range down =
            n >= 1.0 ? wide(pow(x.value.low, n - 1.0), pow(x.value.high, n - 1.0))
                     : wide(pow(x.value.high, n - 1.0), pow(x.value.low, n - 1.0));
        return with_slope(wide(pow(x.value.low, n), pow(x.value.high, n)),
                          multiply((Range){n, n}, down), x.slope);
    }
    if (!(x.value.low > 0.0)) return (Band){ANY, ANY};
    const Band  log_x = with_slope(growing(log, x.value), inverse(x.value), x.slope);
    const Band  e = times(y, log_x);
    const Range value = growing(exp, e.value);
    return with_slope(value, value, e.slope);
}

static Band root(Band a) {
    const Range inside = {fmax(a.value.low, 0.0), fmax(a.value.high, 0.0)};
    const Range value = growing(sqrt, inside);
    if (a.value.high < 0.0) return (Band){ANY, ANY};
    return with_slope(value, inverse(multiply((Range){2.0, 2.0}, value)), a.slope);
}

/* asin, acos: what is beyond their domain by rounding counts as its end, where they have no slope. */
static Band arc(double (*f)(double), Band a, double sign) {
    const Range inside = {fmin(fmax(a.value.low, -1.0), 1.0),
                          fmax(fmin(a.value.high, 1.0), -1.0)};
    if (magnitude(a.value) > 1.0 + 1e-9) return (Band){ANY, ANY};
    const double p = f(inside.low), q = f(inside.high);
    const Range  rest = add((Range){1.0, 1.0}, negative(square(inside)));
    const Range  by =
        inverse(growing(sqrt, (Range){fmax(rest.low, 0.0), fmax(rest.high, 0.0)}));
    return with_slope(wide(fmin(p, q), fmax(p, q)), sign > 0.0 ? by : negative(by),
                      a.slope);
}

static Band absolute(Band a) {
    if (a.value.low >= 0.0) return a;
    if (a.value.high <= 0.0) return (Band){negative(a.value), negative(a.slope)};
    return (Band){{0.0, magnitude(a.value)}, hull(a.slope, negative(a.slope))};
}

static Band largest(Band a, Band b) {
    if (a.value.low >= b.value.high) return a;
    if (b.value.low >= a.value.high) return b;
    return (Band){{fmax(a.value.low, b.value.low), fmax(a.value.high, b.value.high)},
                  hull(a.slope, b.slope)};
}

static Band smallest(Band a, Band b) {
    const Band p = {negative(a.value), negative(a.slope)},
               q = {negative(b.value), negative(b.slope)}, m = largest(p, q);
    return (Band){negative(m.value), negative(m.slope)};
}

/* Of what has no jump in the piece, ends that only touch a border do not count. */
static double touch_of(Band a, double size) {
    return isfinite(a.slope.low) && isfinite(a.slope.high) ? TOUCH * size : 0.0;
}

/* A function with whole values; between events it has one. */
static Band step(double (*f)(double), Band a) {
    const double touch = touch_of(a, fmax(magnitude(a.value), 1.0));
    const double by = a.value.high - a.value.low > 2.0 * touch ? touch : 0.0;
    const double low = f(a.value.low + by), high = f(a.value.high - by);
    return low == high ? point(low) : (Band){{low, high}, ANY};
}

/* a - b floor(a/b) and the like */
static Band rest(double (*f)(double), Band a, Band b) {
    const Band whole = step(f, band_quotient(a, b)), taken = times(b, whole);
    return (Band){add(a.value, negative(taken.value)),
                  add(a.slope, negative(taken.slope))};
}

static Band compare(TermOp op, Band a, Band b) {
    const bool   points = is_point(a.value) && is_point(b.value);
    const Range  z = {a.value.low - b.value.high, a.value.high - b.value.low};
    const double size = fmax(magnitude(a.value), magnitude(b.value));
    const double touch = points ? 0.0 : fmin(touch_of(a, size), touch_of(b, size));
    const bool   above = z.high > touch, below = z.low < -touch;
    const bool   jumps = touch == 0.0; /* or has one value: an end at zero counts */
    const bool   up = jumps ? z.high >= 0.0 : above || !below;
    const bool   down = jumps ? z.low <= 0.0 : below || !above;
    if (!isfinite(size)) return truth(true, true);
    switch (op) {
    case TERM_LESS: return truth(up, below);
    case TERM_LESS_EQUAL: return truth(above, down);
    case TERM_GREATER: return truth(down, above);
    case TERM_GREATER_EQUAL: return truth(below, up);
    case TERM_EQUAL:
        return truth(!(z.low == 0.0 && z.high == 0.0), z.low <= 0.0 && z.high >= 0.0);
    default:
        return truth(z.low <= 0.0 && z.high >= 0.0, !(z.low == 0.0 && z.high == 0.0));
    }
}

/* ---- operators ----------------------------------------------------------------------------------- */

static Band choose(const Band *x, int n) {
    Band out = point(0.0);
    bool some = false;
    for (int k = 0; k < n; k += 2) {
        const bool last = k + 1 == n;
        const Band condition = last ? point(1.0) : x[k];
        if (condition.value.high == 0.0) continue;
        out = some ? either(out, x[last ? k : k + 1]) : x[last ? k : k + 1];
        some = true;
        if (condition.value.low != 0.0) break;
    }
    return out;
}

static Band logic(bool all, const Band *x, int n) { /* and, or */
    bool no = !all, yes = all;
    for (int k = 0; k < n; k++) {
        const bool may = x[k].value.high != 0.0, must = x[k].value.low != 0.0;
        no = all ? no || !must : no && !must;
        yes = all ? yes && may : yes || may;
    }
    return truth(no, yes);
}

static Band arc_tangent(Band a) {
    return with_slope(growing(atan, a.value),
                      inverse(add((Range){1.0, 1.0}, square(a.value))), a.slope);
}

static Band one_argument(TermOp op, Band a, bool *known) {
    switch (op) {
    case TERM_NEG: return (Band){negative(a.value), negative(a.slope)};
    case TERM_NOT: return truth(a.value.high != 0.0, a.value.low == 0.0);
    case TERM_TO_REAL:
    case TERM_NO_EVENT: return a;
    case TERM_ABS: return absolute(a);
    case TERM_SIGN:
        return a.value.low > 0.0                           ? point(1.0)
               : a.value.high < 0.0                        ? point(-1.0)
               : a.value.low == 0.0 && a.value.high == 0.0 ? point(0.0)
                                                           : (Band){{-1.0, 1.0}, ANY};
    case TERM_SQRT: return root(a);
    case TERM_SIN: return with_slope(sine(a.value), cosine(a.value), a.slope);
    case TERM_COS: return with_slope(cosine(a.value), negative(sine(a.value)), a.slope);
    case TERM_TAN:
        return band_quotient(one_argument(TERM_SIN, a, known),
                             one_argument(TERM_COS, a, known));
    case TERM_ASIN: return arc(asin, a, 1.0);
    case TERM_ACOS: return arc(acos, a, -1.0);
    case TERM_ATAN: return arc_tangent(a);
    case TERM_EXP:
        return with_slope(growing(exp, a.value), growing(exp, a.value), a.slope);
    case TERM_SINH: {
        const Range up = growing(exp, absolute(a).value);
        return with_slope(growing(sinh, a.value), (Range){0.0, up.high}, a.slope);
    }
    case TERM_COSH: {
        const Range inside = absolute(a).value;
        return with_slope(growing(cosh, inside), growing(sinh, a.value), a.slope);
    }
    case TERM_TANH: {
        const Range value = growing(tanh, a.value);
        return with_slope(value, add((Range){1.0, 1.0}, negative(square(value))),
                          a.slope);
    }
    case TERM_LOG:
    case TERM_LOG10:
        if (!(a.value.low > 0.0)) return (Band){ANY, ANY};
        return op == TERM_LOG
                   ? with_slope(growing(log, a.value), inverse(a.value), a.slope)
                   : with_slope(growing(log10, a.value),
                                multiply((Range){0.43429, 0.4343}, inverse(a.value)),
                                a.slope);
    case TERM_FLOOR:
    case TERM_TO_INTEGER: return step(floor, a);
    case TERM_CEIL: return step(ceil, a);
    default: *known = false; return a;
    }
}

/* atan2: it jumps where y is 0 and x is not above 0. */
static Band angle(Band y, Band x) {
    if (x.value.low > 0.0) return arc_tangent(band_quotient(y, x));
    if (!(y.value.low > 0.0) && !(y.value.high < 0.0)) return (Band){{-PI, PI}, ANY};
    const Band   part = arc_tangent(band_quotient(x, y));
    const double right = y.value.low > 0.0 ? 0.5 * PI : -0.5 * PI;
    return (Band){add((Range){right, right}, negative(part.value)), negative(part.slope)};
}

static Band two_arguments(TermOp op, Band a, Band b, bool *known) {
    switch (op) {
    case TERM_DIV: return band_quotient(a, b);
    case TERM_POW: return raise(a, b);
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_EQUAL:
    case TERM_NOT_EQUAL: return compare(op, a, b);
    case TERM_MIN: return smallest(a, b);
    case TERM_MAX: return largest(a, b);
    case TERM_QUOTIENT: return step(trunc, band_quotient(a, b));
    case TERM_MOD: return rest(floor, a, b);
    case TERM_REM: return rest(trunc, a, b);
    case TERM_SMOOTH: return b;
    case TERM_HOMOTOPY: return a;
    case TERM_ATAN2: return angle(a, b);
    default: *known = false; return a;
    }
}

static Band operate(const Node *node, const Band *x, bool *known) {
    const TermOp op = (TermOp)node->op;
    const int    n = (int)node->n;
    double       literal;
    Band         out = n ? x[0] : point(0.0);
    switch (op) {
    case TERM_ADD:
        for (int k = 1; k < n; k++)
            out = (Band){add(out.value, x[k].value), add(out.slope, x[k].slope)};
        return out;
    case TERM_MUL:
        for (int k = 1; k < n; k++) out = times(out, x[k]);
        return out;
    case TERM_AND:
    case TERM_OR: return logic(op == TERM_AND, x, n);
    case TERM_IF: return choose(x, n);
    case TERM_SEMI_LINEAR:
        return x[0].value.low >= 0.0    ? times(x[0], x[1])
               : x[0].value.high <= 0.0 ? times(x[0], x[2])
                                        : either(times(x[0], x[1]), times(x[0], x[2]));
    case TERM_INITIAL:
    case TERM_TERMINAL: return point(0.0);
    default: break;
    }
    if (n == 0) {
        *known = node_literal(node, &literal);
        return point(*known ? literal : 0.0);
    }
    return n == 1 ? one_argument(op, x[0], known) : two_arguments(op, x[0], x[1], known);
}

/* ---- a whole expression ---------------------------------------------------------------------------- */

enum { MOST_ARGUMENTS = 64 };

/* Operators that operate() knows, by their results for a number. */
static bool is_known(const Node *node) {
    const Band sample[3] = {point(0.5), point(0.5), point(0.5)};
    bool       known = node->rank == 0 && node->n <= MOST_ARGUMENTS;
    if (node->op == TERM_TIME || node->op == TERM_SLOT || node->op == TERM_NUMBER)
        return known;
    const bool any = node->op == TERM_ADD || node->op == TERM_MUL ||
                     node->op == TERM_AND || node->op == TERM_OR || node->op == TERM_IF;
    if (any) return known;
    if (node->n > 3 || (node->n == 3 && node->op != TERM_SEMI_LINEAR)) return false;
    operate(node, sample, &known);
    return known;
}

bool band_code(BandCode *code, const TermPool *pool, Term term, bool root) {
    enum { MOST = 1000 };
    TermWalk walk = {0};
    *code = (BandCode){.pool = pool};
    bool fine = term_walk(pool, term, &walk) && walk.count <= MOST;
    int  args = 0;
    for (int i = 0; i < walk.count && fine; i++) {
        fine = is_known(&pool->node[walk.term[i]]) || (!root && i + 1 == walk.count);
        args += (int)pool->node[walk.term[i]].n;
    }
    code->count = walk.count;
    code->term = fine ? mem_take((size_t)walk.count, sizeof *code->term) : NULL;
    code->arg = fine ? mem_take((size_t)args, sizeof *code->arg) : NULL;
    fine = code->term && code->arg;
    for (int i = 0, at = 0; i < walk.count && fine; i++) {
        const Node *node = &pool->node[code->term[i] = walk.term[i]];
        for (uint32_t k = 0; k < node->n; k++)
            code->arg[at++] = (int)map_get(&walk.at, pool->arg[node->arg + k], 0);
    }
    term_unwalk(&walk);
    if (!fine) band_free(code);
    return fine;
}

void band_free(BandCode *code) {
    MEM_FREE(code->term, code->arg);
    *code = (BandCode){0};
}

bool band_run(const BandCode *code, Range time, const Band *slot, Band *value,
              bool root) {
    Band x[MOST_ARGUMENTS];
    bool known = true;
    for (int i = 0, at = 0; i < code->count - !root && known; i++) {
        const Node *node = &code->pool->node[code->term[i]];
        for (uint32_t k = 0; k < node->n; k++) x[k] = value[code->arg[at++]];
        if (node->op == TERM_TIME) value[i] = (Band){time, {1.0, 1.0}};
        else if (node->op == TERM_SLOT || node->op == TERM_NUMBER)
            value[i] = slot[node->index];
        else value[i] = operate(node, x, &known);
    }
    return known;
}

const Band *band_argument(const BandCode *code, const Band *value, int k) {
    const Node *node = &code->pool->node[code->term[code->count - 1]];
    int         args = 0;
    for (int i = 0; i + 1 < code->count; i++)
        args += (int)code->pool->node[code->term[i]].n;
    return k < (int)node->n ? &value[code->arg[args + k]] : NULL;
}

/* ---- kinks and jumps ------------------------------------------------------------------------------ */

static bool reaches(Range a, double border) {
    return a.low <= border && a.high >= border && !is_point(a);
}

static bool reaches_whole(Range a) {
    return !is_point(a) && !(ceil(a.low) > floor(a.high));
}

/* x: of the arguments. */
static bool operator_switches(const Node *node, const Range *x) {
    const Range gap = node->n > 1 ? (Range){x[0].low - x[1].high, x[0].high - x[1].low}
                                  : (Range){0.0, 0.0};
    switch ((TermOp)node->op) {
    case TERM_ABS:
    case TERM_SIGN:
    case TERM_SQRT:
    case TERM_SEMI_LINEAR: return reaches(x[0], 0.0);
    case TERM_POW: return reaches(x[0], 0.0) && x[1].low != floor(x[1].low);
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_EQUAL:
    case TERM_NOT_EQUAL:
    case TERM_MIN:
    case TERM_MAX: return reaches(gap, 0.0);
    case TERM_FLOOR:
    case TERM_CEIL:
    case TERM_TO_INTEGER: return reaches_whole(x[0]);
    case TERM_QUOTIENT:
    case TERM_MOD:
    case TERM_REM: return reaches_whole(multiply(x[0], inverse(x[1])));
    default: return false;
    }
}

bool band_switches(const BandCode *code, const Band *value) {
    Range x[MOST_ARGUMENTS];
    for (int i = 0, at = 0; i < code->count; i++) {
        const Node *node = &code->pool->node[code->term[i]];
        for (uint32_t k = 0; k < node->n; k++) x[k] = value[code->arg[at++]].value;
        if (node->n > 0 && operator_switches(node, x)) return true;
    }
    return false;
}

/* ---- how it depends on what changes -------------------------------------------------------------------- */

static int product_degree(const int *x, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++) sum += x[k];
    return sum < BAND_ANY ? sum : BAND_ANY;
}

/* Of the branch that is taken for the whole piece. A condition that follows from relations with events keeps its
 * value until the next of them. */
static int choice_degree(const int *x, const Band *const *value, int n) {
    for (int k = 0; k + 1 < n; k += 2) {
        if (x[k] == BAND_ABRUPT) return BAND_ABRUPT;
        if (!is_point(value[k]->value)) return BAND_ANY;
        if (value[k]->value.low != 0.0) return x[k + 1];
    }
    return x[n - 1];
}

/* value: of the arguments on the piece, NULL if there is none. What a relation without events chooses may be constant
 * on this piece and another constant later. */
static int degree_of(const Node *node, const int *x, const Band *const *value) {
    int most = 0;
    for (uint32_t k = 0; k < node->n; k++) most = x[k] > most ? x[k] : most;
    if (value && (node->op == TERM_NO_EVENT || node->op == TERM_SMOOTH))
        return BAND_ABRUPT;
    if (most == 0) return 0;
    if (node->op == TERM_IF && value && node->n % 2)
        return choice_degree(x, value, (int)node->n);
    if (most == BAND_ABRUPT) return BAND_ABRUPT;
    switch (node->op) {
    case TERM_ADD:
    case TERM_NEG:
    case TERM_TO_REAL:
    case TERM_HOMOTOPY: return most;
    case TERM_NO_EVENT:
    case TERM_SMOOTH: return most;
    case TERM_MUL: return product_degree(x, (int)node->n);
    case TERM_DIV: return x[1] ? BAND_ANY : most;
    case TERM_POW:
        if (!value || !is_point(value[1]->value) || value[1]->value.low != 2.0)
            return BAND_ANY;
        return product_degree((int[]){x[0], x[0]}, 2);
    default: return BAND_ANY;
    }
}

int band_degree(const BandCode *code, const int *slot, const Band *value, int *degree,
                bool root) {
    const Band *own[MOST_ARGUMENTS];
    int         x[MOST_ARGUMENTS], at = 0;
    for (int i = 0; i < code->count - !root; i++) {
        const Node *node = &code->pool->node[code->term[i]];
        for (uint32_t k = 0; k < node->n; k++) {
            x[k] = degree[code->arg[at]];
            own[k] = value ? &value[code->arg[at]] : NULL;
            at++;
        }
        degree[i] = node->op == TERM_TIME ? 1
                    : node->op == TERM_SLOT || node->op == TERM_NUMBER
                        ? slot[node->index]
                        : degree_of(node, x, value ? own : NULL);
    }
    return root ? degree[code->count - 1] : 0;
}
