/* SPDX-License-Identifier: Apache-2.0 */
/* test_rate_work.c -- multi-rate does less work for the same answer: counts, never times. */
#include <stdlib.h>

#include "rate_models.h"
#include "unit.h"

typedef struct Tally {
    long   steps[RATE_LEVELS], states;
    bool   ordered;                     /* lists ascending, times of a state too */
    double reached[RATE_LEVELS][CHAIN]; /* by level and state */
} Tally;

static void on_step(void *owner, const RateTrace *step) {
    Tally *t = owner;
    t->steps[step->level]++;
    t->states += step->count;
    for (int i = 1; step->state && i < step->count; i++)
        t->ordered = t->ordered && step->state[i - 1] < step->state[i];
    for (int i = 0; i < step->count; i++) {
        double *reached = &t->reached[step->level][step->state ? step->state[i] : i];
        t->ordered = t->ordered && step->t >= *reached * (1 - 1e-14);
        *reached = step->t + step->h;
    }
}

static RateStatistics run_chain(Chain *c, RateOptions o, double *x) {
    Status status;
    o.ode.h_max = 0.5;
    Rate *r = rate_new(&c->model, &o, 0.0, c->x0, &status);
    assert_non_null(r);
    assert_int_equal(rate_advance(r, 15.0, true), STATUS_OK);
    memcpy(x, rate_state(r), sizeof(double) * CHAIN);
    const RateStatistics s = rate_statistics(r);
    rate_free(r);
    return s;
}

static RateOptions options(int rates, double tolerance) {
    RateOptions o = {.rates = rates};
    o.ode.method = "rodas4";
    o.ode.rtol = o.ode.atol = tolerance;
    return o;
}

static double apart(const double *x, const double *y) {
    double e = 0.0;
    for (int i = 0; i < CHAIN; i++) e = fmax(e, fabs(x[i] - y[i]));
    return e;
}

static void reference_of(Chain *c, double *x) {
    RateOptions o = options(1, 1e-10);
    o.ode.method = "radauIIA5";
    run_chain(c, o, x);
}

static void fewer_state_steps(void **state) {
    (void)state;
    Chain  c;
    double exact[CHAIN], x[CHAIN], y[CHAIN];
    chain_make(&c);
    reference_of(&c, exact);
    const RateStatistics one = run_chain(&c, options(1, 1e-6), x);
    assert_int_equal(one.steps[1], 0);
    assert_int_equal(one.total.state_steps, CHAIN * one.steps[0]);
    for (int rates = 2; rates <= 3; rates++) {
        const long           before = c.rows;
        const RateStatistics s = run_chain(&c, options(rates, 1e-6), y);
        const long           rows = c.rows - before;
        assert_true(3 * s.total.state_steps < one.total.state_steps);
        assert_true(3 * s.total.rhs_rows < one.total.rhs_rows);
        assert_true(rows <
                    2 * s.total.rhs_rows); /* the model itself was asked for no more */
        assert_true(s.steps[1] > 5 * s.steps[0]);
        assert_true(s.joined > 0 && s.cache_hits > 0 && s.selections > 1);
        assert_true(apart(y, exact) <= 2.0 * apart(x, exact) + 1e-5);
    }
}

static void trace_tells_every_step(void **state) {
    (void)state;
    Chain       c;
    double      x[CHAIN];
    Tally       t = {.ordered = true};
    RateOptions o = options(3, 1e-5);
    chain_make(&c);
    o.trace = on_step;
    o.owner = &t;
    const RateStatistics s = run_chain(&c, o, x);
    /* steps that were taken back are counted, but not told */
    assert_int_equal(t.steps[0], s.steps[0]);
    for (int k = 1; k < 3; k++)
        assert_true(t.steps[k] > 0.7 * (double)s.steps[k] && t.steps[k] <= s.steps[k]);
    assert_true(t.states <= s.total.state_steps);
    assert_true(t.ordered);
}

/* Every selective evaluation equals that of all rows, bit for bit. */
static void selective_evaluation_is_exact(void **state) {
    (void)state;
    static const char *const methods[] = {"rodas4", "esdirk4", "radauIIA3", "tsit5"};
    for (int k = 0; k < LENGTH(methods); k++) {
        Chain       c;
        double      x[CHAIN], y[CHAIN];
        RateOptions o = options(3, 1e-4);
        chain_make(&c);
        o.ode.method = methods[k];
        const RateStatistics a = run_chain(&c, o, x);
        o.check = true;
        const RateStatistics b = run_chain(&c, o, y);
        assert_int_equal(b.mismatches, 0);
        assert_true(b.clusters > 0);
        assert_int_equal(a.total.state_steps, b.total.state_steps);
        assert_memory_equal(x, y, sizeof x);
    }
}

/* Output between steps is as accurate as the levels that made it. */
static void dense_output(void **state) {
    (void)state;
    Chain  c;
    Status status;
    double x[CHAIN], exact[CHAIN], worst = 0.0;
    chain_make(&c);
    RateOptions fine = options(1, 1e-9), o = options(2, 1e-6);
    fine.ode.method = "radauIIA5";
    fine.ode.h_max = o.ode.h_max = 0.5;
    Rate *a = rate_new(&c.model, &fine, 0.0, c.x0, &status);
    Rate *b = rate_new(&c.model, &o, 0.0, c.x0, &status);
    assert_true(a && b);
    long inside = 0;
    for (double t = 2.0; t < 8.0; t += 0.0371) {
        assert_int_equal(rate_advance(a, t, true), STATUS_OK);
        assert_int_equal(rate_advance(b, t, false), STATUS_OK);
        inside += rate_time(b) > t;
        assert_int_equal(rate_dense(b, t, x), STATUS_OK);
        memcpy(exact, rate_state(a), sizeof exact);
        worst = fmax(worst, apart(x, exact));
    }
    assert_true(inside > 50);
    assert_true(rate_statistics(b).steps[1] > 100);
    if (worst > 5e-3) print_message("dense output is off by %g\n", worst);
    assert_true(worst <= 5e-3); /* fronts move 50 V a second: 1e-4 s of delay */
    rate_free(a), rate_free(b);
}

/* A state that joins within a large step has its slow path before and its fast one after. */
static void dense_output_of_joined_states(void **state) {
    (void)state;
    Chain  c;
    Status status;
    double x[CHAIN], worst = 0.0, coarse = 0.0;
    chain_make(&c);
    RateOptions fine = options(1, 1e-10), o = options(3, 1e-7), one = options(1, 1e-7);
    fine.ode.method = "radauIIA5";
    fine.ode.h_max = o.ode.h_max = one.ode.h_max = 0.5;
    Rate *a = rate_new(&c.model, &fine, 0.0, c.x0, &status);
    Rate *b = rate_new(&c.model, &o, 0.0, c.x0, &status);
    Rate *d = rate_new(&c.model, &one, 0.0, c.x0, &status);
    assert_true(a && b && d);
    for (double t = 1.5; t < 9.0; t += 0.0137) {
        assert_int_equal(rate_advance(a, t, true), STATUS_OK);
        assert_int_equal(rate_advance(b, t, false), STATUS_OK);
        assert_int_equal(rate_dense(b, t, x), STATUS_OK);
        worst = fmax(worst, apart(x, rate_state(a)));
        assert_int_equal(rate_advance(d, t, false), STATUS_OK);
        assert_int_equal(rate_dense(d, t, x), STATUS_OK);
        coarse = fmax(coarse, apart(x, rate_state(a)));
    }
    assert_true(rate_statistics(b).joined > 5);
    if (worst > 2.0 * coarse) print_message("%g, single rate %g\n", worst, coarse);
    assert_true(worst <= 2.0 * coarse);
    rate_free(a), rate_free(b), rate_free(d);
}

static unsigned draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}
static void at_random(void *owner, int level, double t, int n, const int *state,
                      unsigned char *fast) {
    unsigned *seed = owner;
    (void)level, (void)t, (void)state;
    const unsigned share = draw(seed) % 100;
    for (int i = 0; i < n; i++) fast[i] = draw(seed) % 100 < share;
}

/* Any partition may be slow, none may be wrong. */
static void random_partitions(void **state) {
    (void)state;
    Chain  c;
    double exact[CHAIN], one[CHAIN], x[CHAIN];
    chain_make(&c);
    reference_of(&c, exact);
    run_chain(&c, options(1, 1e-5), one);
    const double usual = apart(one, exact);
    for (unsigned k = 1; k <= 6; k++) {
        unsigned    seed = k;
        RateOptions o = options(k % 2 ? 2 : 3, 1e-5);
        o.partition = at_random;
        o.owner = &seed;
        const RateStatistics s = run_chain(&c, o, x);
        assert_true(s.clusters > 0);
        if (apart(x, exact) > 2.0 * usual + 1e-4)
            print_message("seed %u: %g, single %g\n", k, apart(x, exact), usual);
        assert_true(apart(x, exact) <= 2.0 * usual + 1e-4);
    }
}

/* Several pulses travel at once: clusters on threads give the same bits as one by one. */
static void threads_change_nothing(void **state) {
    (void)state;
    static const char *const methods[] = {"rodas4", "esdirk4", "radauIIA3"};
    long                     elsewhere = 0; /* rows evaluated on other threads */
    for (int k = 0; k < LENGTH(methods); k++) {
        Chain  c;
        double one[CHAIN], many[CHAIN], dense[2][CHAIN];
        chain_make(&c);
        for (int i = 0; i < CHAIN; i += 12) c.x0[i] += 1.5 + 0.1 * i;
        for (int threads = 1; threads <= 4; threads++) {
            Status      status;
            RateOptions o = options(3, 1e-6);
            o.ode.method = methods[k];
            o.ode.h_max = 0.5;
            o.threads = threads;
            o.grain = 1e-9;
            Rate *r = rate_new(&c.model, &o, 0.0, c.x0, &status);
            assert_non_null(r);
            assert_int_equal(rate_advance(r, 9.0, true), STATUS_OK);
            double *x = threads == 1 ? one : many;
            memcpy(x, rate_state(r), sizeof one);
            rate_dense(r, 0.5 * (rate_time(r) + rate_time_last(r)), dense[threads > 1]);
            assert_true(rate_statistics(r).clusters > 20);
            rate_free(r);
            elsewhere += c.rows_of_twins;
            if (threads == 1) continue;
            assert_memory_equal(one, many, sizeof one);
            assert_memory_equal(dense[0], dense[1], sizeof one);
        }
    }
    assert_true(elsewhere > 0);
}

static void second_is_fast(void *owner, int level, double t, int n, const int *state,
                           unsigned char *fast) {
    (void)owner, (void)level, (void)t, (void)state;
    if (n > 1) fast[1] = 1;
}

static void methods_by_level(void **state) {
    (void)state;
    Kpr                      p;
    Status                   status;
    double                   x[3];
    static const char *const pairs[][2] = {{"rodas4", "tsit5"},
                                           {"tsit5", "rodas4"},
                                           {"radauIIA3", "esdirk4"},
                                           {"esdirk4", "dopri5"}};
    for (int k = 0; k < LENGTH(pairs); k++) {
        kpr_make(&p, 2);
        kpr_exact(&p, 0.0, x);
        RateOptions o = options(2, 1e-7);
        o.ode.method = pairs[k][0];
        o.below[0] = pairs[k][1];
        o.partition = second_is_fast;
        Rate *r = rate_new(&p.model, &o, 0.0, x, &status);
        assert_non_null(r);
        assert_int_equal(rate_advance(r, 5.0, true), STATUS_OK);
        assert_true(rate_statistics(r).steps[1] > 0);
        assert_true(kpr_error(&p, 5.0, rate_state(r)) < 2e-6);
        rate_free(r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewer_state_steps),
        cmocka_unit_test(trace_tells_every_step),
        cmocka_unit_test(selective_evaluation_is_exact),
        cmocka_unit_test(dense_output),
        cmocka_unit_test(dense_output_of_joined_states),
        cmocka_unit_test(random_partitions),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(methods_by_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
