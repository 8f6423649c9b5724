/* SPDX-License-Identifier: Apache-2.0 */
/* test_rate_event.c -- events by cone: the same events, less work. */
#include <stdlib.h>

#include "rate_models.h"
#include "unit.h"

enum { CELLS = 40, HEATED = 8, MOST = 4000 };

typedef struct Rod { /* thermal cells, the first of them with two-point heaters */
    int     start[CELLS + 1], row[3 * CELLS], reads[CELLS + 1], changes[HEATED + 1];
    int     one[HEATED];
    double  x0[CELLS], on[HEATED];
    Pattern pattern, reads_pattern, changes_pattern;
    Model   model;
    Journal journal;
    double  time[MOST];
    int     events;
} Rod;

static Status rod_eval(void *instance, double t, const double *x, const Selection *rows,
                       double *dx, Fault *fault) {
    const Rod *r = instance;
    (void)t, (void)fault;
    for (int k = 0, n = selection_count(rows, CELLS); k < n; k++) {
        const int i = selection_row(rows, k);
        dx[i] = 0.12 * (290.0 - x[i]);
        if (i > 0) dx[i] += 0.02 * (x[i - 1] - x[i]);
        if (i < CELLS - 1) dx[i] += 0.02 * (x[i + 1] - x[i]);
        if (i < HEATED) dx[i] += r->on[i] * (3.0 + 0.3 * i);
    }
    return STATUS_OK;
}
static Status rod_crossings(void *instance, double t, const double *x,
                            const Selection *which, double *z, Fault *fault) {
    const Rod *r = instance;
    (void)t, (void)fault;
    for (int k = 0, n = selection_count(which, HEATED); k < n; k++) {
        const int i = selection_row(which, k);
        z[i] = r->on[i] > 0.5 ? x[i] - 301.0 : 299.0 - x[i];
    }
    return STATUS_OK;
}
static Status rod_event(void *instance, double t, double *x, EventKind kind,
                        const Selection *which, bool *again, Fault *fault) {
    Rod *r = instance;
    (void)kind, (void)x, (void)fault;
    for (int k = 0, n = selection_count(which, HEATED); k < n; k++) {
        double *on = &r->on[selection_row(which, k)];
        assert_true(journal_set(&r->journal, on, 1.0 - *on, t));
    }
    *again = false;
    return STATUS_OK;
}
static Journal *rod_journal(void *instance) {
    Rod *r = instance;
    return &r->journal;
}
static void on_event(void *owner, double t, const Selection *which) {
    Rod *r = owner;
    assert_int_equal(selection_count(which, HEATED), 1);
    assert_true(r->events < MOST);
    r->time[r->events++] = t;
}

static void rod_make(Rod *r) {
    static const ModelFunctions fn = {.eval = rod_eval,
                                      .crossings = rod_crossings,
                                      .event = rod_event,
                                      .journal = rod_journal};
    int                         q = 0;
    journal_free(&r->journal);
    *r = (Rod){.journal.value = r->on};
    for (int j = 0; j < CELLS; j++) {
        r->start[j] = q;
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < CELLS) r->row[q++] = i;
        r->x0[j] = j < HEATED ? 299.2 + 0.2 * j : 292.0;
        r->reads[j] = j < HEATED ? j : HEATED;
    }
    r->start[CELLS] = q;
    r->reads[CELLS] = HEATED;
    for (int k = 0; k < HEATED; k++) r->one[k] = r->changes[k] = k, r->on[k] = k % 2;
    r->changes[HEATED] = HEATED;
    r->pattern = (Pattern){CELLS, CELLS, r->start, r->row};
    r->reads_pattern = (Pattern){HEATED, CELLS, r->reads, r->one};
    r->changes_pattern = (Pattern){CELLS, HEATED, r->changes, r->one};
    r->model = (Model){.nx = CELLS,
                       .nz = HEATED,
                       .pattern = &r->pattern,
                       .reads = &r->reads_pattern,
                       .changes = &r->changes_pattern,
                       .fn = &fn,
                       .instance = r};
}

static RateStatistics run(Rod *rod, int rates, bool cones, double tolerance) {
    Status      status;
    RateOptions o = {.rates = rates, .no_cones = !cones, .event = on_event, .owner = rod};
    o.ode.method = "rodas5p";
    o.ode.rtol = o.ode.atol = tolerance;
    rod_make(rod);
    Rate *r = rate_new(&rod->model, &o, 0.0, rod->x0, &status);
    assert_non_null(r);
    assert_int_equal(rate_advance(r, 20.0, true), STATUS_OK);
    const RateStatistics s = rate_statistics(r);
    rate_free(r);
    assert_int_equal(s.events, rod->events);
    return s;
}

static void cones_find_the_same_events(void **state) {
    (void)state;
    Rod *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    assert_true(a && b);
    const RateStatistics all = run(a, 1, false, 1e-9);
    assert_true(all.events > 60);
    for (int rates = 1; rates <= 3; rates++) {
        const RateStatistics s = run(b, rates, true, 1e-9);
        assert_int_equal(b->events, a->events);
        for (int k = 0; k < a->events; k++) {
            assert_true(k == 0 || b->time[k] >= b->time[k - 1]);
            assert_true(fabs(a->time[k] - b->time[k]) <= 1e-6 * a->time[k]);
        }
        assert_true(2 * s.crossing_rows < all.crossing_rows);
    }
    const RateStatistics usual = run(a, 1, false, 1e-6);
    for (int rates = 2; rates <= 3; rates++) {
        const RateStatistics s = run(b, rates, true, 1e-6);
        assert_true(5 * s.crossing_rows < 2 * usual.crossing_rows);
        assert_true(3 * s.total.rhs_rows < usual.total.rhs_rows);
        assert_true(12 * s.steps[0] < usual.steps[0]); /* no global restarts */
        assert_int_equal(run(b, rates, false, 1e-6).events, usual.events);
    }
    journal_free(&a->journal), journal_free(&b->journal);
    free(a), free(b);
}

static int events_before(const Rod *r, double t) {
    int count = 0;
    for (int k = 0; k < r->events; k++) count += r->time[k] <= t;
    return count;
}

/* The largest error at points up to 12 s, most of them inside large steps, against single rate.
 * No event may be lost. */
static double off_between(Rod *rod, Rod *fine, RateOptions o, double interval) {
    Status      status;
    double      x[CELLS], worst = 0.0;
    RateOptions p = {.rates = 1, .event = on_event, .owner = fine};
    int         inside = 0, points = 0;
    p.ode.method = "rodas4";
    p.ode.rtol = p.ode.atol = 1e-10;
    o.event = on_event;
    o.owner = rod;
    rod_make(fine);
    rod_make(rod);
    Rate *a = rate_new(&fine->model, &p, 0.0, fine->x0, &status);
    Rate *b = rate_new(&rod->model, &o, 0.0, rod->x0, &status);
    assert_true(a && b);
    for (double t = 0.11; t < 12.0; t += interval, points++) {
        assert_int_equal(rate_advance(a, t, true), STATUS_OK);
        assert_int_equal(rate_advance(b, t, false), STATUS_OK);
        assert_int_equal(rate_dense(b, t, x), STATUS_OK);
        inside += t > rate_time_last(b) && t < rate_time(b);
        for (int i = 0; i < CELLS; i++)
            worst = fmax(worst, fabs(x[i] - rate_state(a)[i]));
    }
    assert_int_equal(inside, points);
    assert_int_equal(rate_advance(a, 12.0, true), STATUS_OK);
    assert_int_equal(rate_advance(b, 12.0, true), STATUS_OK);
    assert_int_equal(events_before(rod, 12.0), events_before(fine, 12.0));
    assert_true(rate_statistics(b).joined > 0);
    rate_free(a), rate_free(b);
    return worst;
}

/* Loose tolerances give large steps: no event may be lost, and the output between steps is as
 * accurate as the tolerance. */
static void loose_tolerances_lose_nothing(void **state) {
    (void)state;
    Rod *fine = calloc(1, sizeof *fine), *rod = calloc(1, sizeof *rod);
    assert_true(fine && rod);
    for (double tolerance = 1e-3; tolerance > 1e-7; tolerance *= 0.1)
        for (int rates = 2; rates <= 4; rates++) {
            RateOptions o = {.rates = rates == 4 ? 0 : rates};
            o.ode.method = "rodas4";
            o.ode.rtol = o.ode.atol = tolerance;
            const double worst = off_between(rod, fine, o, 0.237);
            if (worst > 600 * tolerance)
                print_message("%d levels at %g: %g\n", rates, tolerance, worst);
            assert_true(worst <= 600 * tolerance); /* values are about 300 */
        }
    journal_free(&fine->journal), journal_free(&rod->journal);
    free(fine), free(rod);
}

/* Slow neighbours of cells that switch, before they join and if they never do: methods whose dense
 * output evaluates the model once more (explicit, radauIIA5) must not do so with useless values
 * of the fast cells, and deviations from the large step belong to the output. */
static void output_inside_large_steps(void **state) {
    (void)state;
    /* of radauIIA5 the steps themselves are off by four tolerances with three levels; in steps of
     * 8 s, where nothing happens, the dense output of verner7 itself is off by 0.7 */
    static const struct {
        const char *method;
        int         levels;
        double      most; /* tolerances; values are about 300 */
        double      h_max;
    } runs[] = {{"rodas4", 3, 0.03, 0.0},
                {"esdirk4", 3, 0.08, 0.0},
                {"tsit5", 3, 0.05, 0.0},
                {"verner7", 3, 0.3, 4.0},
                {"radauIIA5", 2, 0.3, 0.0}};
    Rod *fine = calloc(1, sizeof *fine), *rod = calloc(1, sizeof *rod);
    assert_true(fine && rod);
    for (int k = 0; k < LENGTH(runs); k++)
        for (int rates = 2; rates <= runs[k].levels; rates++) {
            RateOptions o = {.rates = rates, .below = {"rodas4"}};
            o.ode.method = runs[k].method;
            o.ode.rtol = o.ode.atol = 1e-6;
            o.ode.h_max = runs[k].h_max;
            const double worst = off_between(rod, fine, o, 0.0237) / 300e-6;
            if (worst > runs[k].most)
                print_message("%s, %d levels: %g tolerances\n", runs[k].method, rates,
                              worst);
            assert_true(worst <= runs[k].most);
        }
    journal_free(&fine->journal), journal_free(&rod->journal);
    free(fine), free(rod);
}

/* ---- a late join right after an event ---------------------------------------------------- */

/* State 0 rises to 1 and is then on a parabola that dips below 0.9 for a moment, all of which one step
 * gets right. State 1 reads it, but feels it only above 2, which is at the end of that step: it joins
 * late, and the step begins anew after the event. */
enum { DIP_STATES = 10 };

typedef struct Dip {
    double  value[2]; /* phase, time of the first event */
    Journal journal;
    int     fired[8], fires;
} Dip;

static Status dip_eval(void *instance, double t, const double *x, const Selection *rows,
                       double *dx, Fault *fault) {
    const Dip *d = instance;
    (void)fault;
    for (int k = 0, n = selection_count(rows, DIP_STATES); k < n; k++) {
        const int i = selection_row(rows, k);
        if (i > 1) dx[i] = -0.01 * x[i];
        else if (i == 1) dx[i] = x[0] > 2.0 ? (x[0] - 2.0) * (x[0] - 2.0) : 0.0;
        else if (d->value[0] == 1.0) dx[i] = -35.0 + 5600.0 * (t - d->value[1]);
        else dx[i] = d->value[0] == 0.0 ? 0.1 : 0.0;
    }
    return STATUS_OK;
}
static Status dip_crossings(void *instance, double t, const double *x,
                            const Selection *which, double *z, Fault *fault) {
    const Dip *d = instance;
    (void)t, (void)fault;
    for (int k = 0, n = selection_count(which, 2); k < n; k++) {
        const int i = selection_row(which, k);
        if (i == 0) z[i] = x[0] - (d->value[0] == 0.0 ? 1.0 : 20.0);
        else z[i] = d->value[0] == 0.0 ? 0.1 : x[0] - 0.9;
    }
    return STATUS_OK;
}
static Status dip_event(void *instance, double t, double *x, EventKind kind,
                        const Selection *which, bool *again, Fault *fault) {
    Dip *d = instance;
    (void)kind, (void)x, (void)fault;
    *again = false;
    for (int k = 0, n = selection_count(which, 2); k < n; k++) {
        if (selection_row(which, k) != 0) continue;
        assert_true(journal_set(&d->journal, &d->value[0], d->value[0] + 1.0, t));
        assert_true(journal_set(&d->journal, &d->value[1], t, t));
    }
    return STATUS_OK;
}
static Journal *dip_journal(void *instance) {
    Dip *d = instance;
    return &d->journal;
}
static void dip_told(void *owner, double t, const Selection *which) {
    Dip *d = owner;
    (void)t;
    assert_true(d->fires < LENGTH(d->fired));
    d->fired[d->fires++] = selection_row(which, 0);
}

static void late_joins_forget_nothing(void **state) {
    static const ModelFunctions fn = {.eval = dip_eval,
                                      .crossings = dip_crossings,
                                      .event = dip_event,
                                      .journal = dip_journal};
    static const int            expected[] = {0, 1, 1, 0};
    int                         start[DIP_STATES + 1], row[DIP_STATES + 1];
    int    reads_start[DIP_STATES + 1], reads[] = {0, 1}, changes_start[] = {0, 1, 2};
    int    changes[] = {0, 0};
    double x[DIP_STATES] = {0.0};
    Status status;
    (void)state;
    start[0] = reads_start[0] = row[0] = 0;
    row[1] = 1;                            /* rows 0 and 1 read state 0 */
    for (int j = 0; j < DIP_STATES; j++) { /* and all others themselves */
        start[j + 1] = j + 2;
        reads_start[j + 1] = 2;
        if (j > 0) row[j + 1] = j, x[j] = 1.0;
    }
    const Pattern pattern = {DIP_STATES, DIP_STATES, start, row};
    const Pattern reads_pattern = {2, DIP_STATES, reads_start, reads};
    const Pattern changes_pattern = {DIP_STATES, 2, changes_start, changes};
    Dip           dip = {.journal.value = dip.value};
    const Model   model = {.nx = DIP_STATES,
                           .nz = 2,
                           .pattern = &pattern,
                           .reads = &reads_pattern,
                           .changes = &changes_pattern,
                           .fn = &fn,
                           .instance = &dip};
    RateOptions   o = {.rates = 2, .event = dip_told, .owner = &dip};
    o.ode.method = "rodas4";
    o.ode.rtol = o.ode.atol = 1e-4;
    Rate *r = rate_new(&model, &o, 0.0, x, &status);
    assert_non_null(r);
    assert_int_equal(rate_advance(r, 30.0, true), STATUS_OK);
    assert_true(rate_statistics(r).joined > 0);
    rate_free(r);
    assert_int_equal(dip.fires, LENGTH(expected));
    assert_memory_equal(dip.fired, expected, sizeof expected);
    journal_free(&dip.journal);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cones_find_the_same_events),
                                       cmocka_unit_test(loose_tolerances_lose_nothing),
                                       cmocka_unit_test(output_inside_large_steps),
                                       cmocka_unit_test(late_joins_forget_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
