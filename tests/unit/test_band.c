/* SPDX-License-Identifier: Apache-2.0 */
/* test_band.c -- intervals of random expressions contain their values and the slopes of these. */
#include "expr/expr.h"
#include "program/band.h"
#include "unit.h"

#include <math.h>

static Strings  strings;
static Shapes   shapes;
static uint64_t seed = 1;

static int begin(void **state) {
    (void)state;
    strings_init(&strings);
    shapes_init(&shapes, &strings);
    return 0;
}

static int end(void **state) {
    (void)state;
    shapes_free(&shapes);
    strings_free(&strings);
    return 0;
}

static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static Term random_term(int depth) {
    static const TermOp one[] = {TERM_NEG,  TERM_SIN,   TERM_COS,  TERM_TAN,  TERM_ATAN,
                                 TERM_EXP,  TERM_ABS,   TERM_SQRT, TERM_SINH, TERM_COSH,
                                 TERM_TANH, TERM_LOG,   TERM_ASIN, TERM_ACOS, TERM_LOG10,
                                 TERM_SIGN, TERM_FLOOR, TERM_CEIL};
    static const TermOp two[] = {TERM_ADD,      TERM_MUL,   TERM_DIV, TERM_MIN,
                                 TERM_MAX,      TERM_ATAN2, TERM_MOD, TERM_REM,
                                 TERM_QUOTIENT, TERM_ADD,   TERM_MUL};
    const double        kind = uniform(0, 1);
    if (depth == 0 || kind < 0.1) {
        const double leaf = uniform(0, 1);
        if (leaf < 0.5) return expr_time(&shapes);
        if (leaf < 0.8) return expr_slot(&shapes, (int)uniform(0, 3), TYPE_REAL);
        return expr_real(&shapes, floor(uniform(-4, 5)) / 2);
    }
    const Term a = random_term(depth - 1);
    if (kind < 0.5) return expr_1(&shapes, one[(int)uniform(0, LENGTH(one))], a);
    if (kind < 0.6)
        return expr_2(&shapes, TERM_POW, a,
                      expr_real(&shapes, floor(uniform(-3, 7)) / 2));
    const Term b = random_term(depth - 1);
    if (kind < 0.7)
        return expr_3(&shapes, TERM_IF, expr_2(&shapes, TERM_LESS, a, b), a,
                      random_term(depth - 1));
    return expr_2(&shapes, two[(int)uniform(0, LENGTH(two))], a, b);
}

/* Slot k moves along start + rate time: its interval over a piece. */
static const double start[3] = {0.3, -1.7, 2.0}, rate[3] = {1.3, 0.4, 0.0};

static double slot_at(void *context, int slot) {
    return start[slot] + rate[slot] * *(double *)context;
}

static bool value_at(Term e, double t, double *value) {
    const TermPool pool = shapes_pool(&shapes);
    const EvalEnv  env = {.context = &t, .slot = slot_at, .time = t};
    return term_eval(&pool, e, &env, value) && isfinite(*value);
}

/* Have all parts of it a value there? */
static bool is_defined(const BandCode *code, double t) {
    double value;
    for (int i = 0; i < code->count; i++)
        if (!value_at(code->term[i], t, &value)) return false;
    return true;
}

static bool is_in(Range r, double value, double slack) {
    return value >= r.low - slack && value <= r.high + slack;
}

/* Points inside a piece: a value that exists lies in the interval, a difference of two in that of slopes. */
static int check(Term e, const BandCode *code, double from, double length, Band *work) {
    const Range time = {from, from + length};
    Band        slot[3];
    int         used = 0;
    for (int k = 0; k < 3; k++)
        slot[k] = (Band){{start[k] + rate[k] * time.low, start[k] + rate[k] * time.high},
                         {rate[k], rate[k]}};
    if (!band_run(code, time, slot, work, true)) return 0;
    const Band band = work[code->count - 1];
    for (int k = 0; k < 20; k++) {
        const double t = from + length * (k + 0.3) / 20.6, h = 1e-6 * length;
        double       value, next;
        if (!is_defined(code, t) || !is_defined(code, t + h)) continue;
        if (!value_at(e, t, &value) || !value_at(e, t + h, &next)) continue;
        const double scale = 1e-12 * (1.0 + fabs(value)),
                     noise = 1e-13 * (1.0 + fabs(value)) / h;
        used++;
        if (is_in(band.value, value, scale) &&
            is_in(band.slope, (next - value) / h,
                  noise + 1e-4 * fabs((next - value) / h)))
            continue;
        Text text = {0};
        expr_print(&shapes, e, NULL, NULL, &text);
        print_error("%s at %.17g on [%g, %g]: %.17g not in [%.17g, %.17g] or slope %g "
                    "not in [%g, %g]\n",
                    text_get(&text), t, time.low, time.high, value, band.value.low,
                    band.value.high, (next - value) / h, band.slope.low, band.slope.high);
        text_free(&text);
        fail();
    }
    return used;
}

static void contains(void **state) {
    (void)state;
    int used = 0;
    for (int n = 0; n < 3000; n++) {
        const Term     e = random_term(1 + n % 4);
        const TermPool pool = shapes_pool(&shapes);
        BandCode       code;
        if (!band_code(&code, &pool, e, true)) continue;
        Band *work = mem_take((size_t)code.count, sizeof *work);
        for (int k = 0; k < 3; k++)
            used += check(e, &code, uniform(-3, 3), pow(10, uniform(-5, 0.5)), work) > 0;
        mem_free(work);
        band_free(&code);
    }
    assert_true(used > 4000);
}

/* Narrow pieces have narrow intervals: what makes a search end. */
static void shrinks(void **state) {
    (void)state;
    const Term t = expr_time(&shapes);
    const Term e = expr_1(
        &shapes, TERM_EXP,
        expr_1(&shapes, TERM_NEG, expr_2(&shapes, TERM_POW, t, expr_real(&shapes, 2))));
    const TermPool pool = shapes_pool(&shapes);
    BandCode       code;
    Band           work[16];
    assert_true(band_code(&code, &pool, e, true));
    for (double h = 1; h > 1e-8; h /= 4) {
        assert_true(band_run(&code, (Range){0.5, 0.5 + h}, NULL, work, true));
        const Range value = work[code.count - 1].value,
                    slope = work[code.count - 1].slope;
        assert_true(value.high - value.low < 0.9 * h + 1e-12);
        assert_true(slope.low < -0.77880078 && slope.high > -0.7788008 - 4 * h);
        assert_true(slope.high - slope.low < 4 * h + 1e-12);
    }
    assert_int_equal(band_degree(&code, NULL, NULL, (int[16]){0}, true), BAND_ANY);
    band_free(&code);
}

static int degree_on(Term e, double low, double high) {
    const TermPool pool = shapes_pool(&shapes);
    BandCode       code;
    Band           value[32];
    int            degree[32];
    assert_true(band_code(&code, &pool, e, true));
    assert_true(code.count <= 32);
    assert_true(band_run(&code, (Range){low, high}, NULL, value, true));
    const int found = band_degree(&code, NULL, value, degree, true);
    band_free(&code);
    return found;
}

/* if time < 1 then 3 time^2 + time elseif time < 2 then time*time*time else 5: a parabola, a cubic, a constant. */
static void degrees(void **state) {
    (void)state;
    const Term t = expr_time(&shapes), two = expr_real(&shapes, 2);
    const Term first = expr_2(&shapes, TERM_ADD, t,
                              expr_2(&shapes, TERM_MUL, expr_real(&shapes, 3),
                                     expr_2(&shapes, TERM_POW, t, two)));
    const Term cubic = expr_2(&shapes, TERM_MUL, t, expr_2(&shapes, TERM_MUL, t, t));
    const Term later = expr_3(&shapes, TERM_IF, expr_2(&shapes, TERM_LESS, t, two), cubic,
                              expr_real(&shapes, 5));
    const Term before = expr_2(&shapes, TERM_LESS, t, shapes.one);
    const Term e = expr_3(&shapes, TERM_IF, before, first, later);
    assert_int_equal(degree_on(e, 0.0, 0.5), 2);
    assert_int_equal(degree_on(e, 0.5, 1.0), 2); /* ends touch */
    assert_int_equal(degree_on(e, 0.5, 1.5), BAND_ANY);
    assert_int_equal(degree_on(e, 1.1, 1.5), BAND_ANY);
    assert_int_equal(degree_on(e, 2.1, 2.5), 0);
    const Term silent = expr_3(&shapes, TERM_IF, expr_1(&shapes, TERM_NO_EVENT, before),
                               first, shapes.one);
    assert_int_equal(degree_on(silent, 0.0, 0.5), BAND_ABRUPT);
}

static void unknown(void **state) {
    (void)state;
    const TermPool pool = shapes_pool(&shapes);
    BandCode       code;
    const Term     e = expr_1(&shapes, TERM_SIN,
                              expr_2(&shapes, TERM_DELAY, expr_time(&shapes), shapes.one));
    assert_false(band_code(&code, &pool, e, true));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contains),
        cmocka_unit_test(shrinks),
        cmocka_unit_test(degrees),
        cmocka_unit_test(unknown),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
