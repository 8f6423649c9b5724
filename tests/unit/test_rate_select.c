/* SPDX-License-Identifier: Apache-2.0 */
/* test_rate_select.c -- what a selection evaluates, and what it sees of the states around. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/rate.h"
#include "unit.h"

/* ---- rows that do not read the set: once per time --------------------------------------- */

enum { SLOW, DRIVEN, FAST, THREE };

typedef struct Three { /* DRIVEN reads time and SLOW alone */
    int     start[THREE + 1], row[4];
    Pattern pattern;
    Model   model;
    long    rows[THREE];
    long    looks; /* for inputs that come and go */
} Three;

static Status three_eval(void *instance, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    Three *m = instance;
    (void)fault;
    for (int k = 0, n = selection_count(rows, THREE); k < n; k++) {
        const int i = selection_row(rows, k);
        m->rows[i]++;
        dx[i] = i == SLOW     ? -0.1 * x[SLOW]
                : i == DRIVEN ? 30.0 * cos(30.0 * t) * x[SLOW]
                              : -40.0 * (x[FAST] * x[FAST] * x[FAST] - x[DRIVEN]);
    }
    return STATUS_OK;
}

static bool three_moves(void *instance, Range piece, InputSearch *search,
                        InputMove *out) {
    Three *m = instance;
    (void)piece, (void)search, (void)out;
    m->looks++;
    return false;
}

static void three_make(Three *m) {
    static const ModelFunctions fn = {.eval = three_eval};
    *m = (Three){.start = {0, 2, 3, 4}, .row = {SLOW, DRIVEN, FAST, FAST}};
    m->pattern = (Pattern){THREE, THREE, m->start, m->row};
    m->model = (Model){.nx = THREE, .pattern = &m->pattern, .fn = &fn, .instance = m};
}

static void all_but_first(void *owner, int level, double t, int n, const int *state,
                          unsigned char *fast) {
    (void)owner, (void)level, (void)t;
    for (int i = 0; i < n; i++) fast[i] = state[i] != SLOW;
}

static void still_rows_once_per_time(void **state) {
    (void)state;
    static const char *const methods[] = {"esdirk4", "radauIIA3", "rodas4"};
    for (int k = 0; k < LENGTH(methods); k++) {
        const double start[THREE] = {1.0, 0.0, 0.5};
        double       x[2][THREE];
        for (int check = 0; check < 2; check++) { /* then everything beside it */
            Three       m;
            Status      status;
            RateOptions o = {.rates = 2, .partition = all_but_first, .check = check};
            o.ode.method = methods[k];
            o.ode.rtol = o.ode.atol = 1e-7;
            three_make(&m);
            Rate *r = rate_new(&m.model, &o, 0.0, start, &status);
            assert_non_null(r);
            assert_int_equal(rate_advance(r, 3.0, true), STATUS_OK);
            memcpy(x[check], rate_state(r), sizeof start);
            const RateStatistics s = rate_statistics(r);
            rate_free(r);
            assert_int_equal(s.mismatches, 0);
            assert_int_equal(s.rhs_rows[0] + s.rhs_rows[1], s.total.rhs_rows);
            assert_true(s.rhs_rows[1] > 0 && s.rhs_rows[0] > 0);
            if (check) continue;
            /* differences for the Jacobian and iterations ask for FAST alone */
            assert_true(4 * (m.rows[DRIVEN] - m.rows[SLOW]) <
                        3 * (m.rows[FAST] - m.rows[SLOW]));
            assert_int_equal(m.rows[SLOW] + m.rows[DRIVEN] + m.rows[FAST],
                             s.total.rhs_rows);
        }
        assert_memory_equal(x[0], x[1], sizeof start);
        assert_true(fabs(x[0][SLOW] - exp(-0.3)) < 1e-6);
    }
}

/* ---- coupling known from the Jacobian ---------------------------------------------------- */

enum { CELLS = 80 };

typedef struct Front { /* u' = D (neighbours) + k u^2 (1 - u), lit at the left end */
    int     start[CELLS + 1], row[3 * CELLS];
    double  x0[CELLS];
    Pattern pattern;
    Model   model;
} Front;

static Status front_eval(void *instance, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    (void)instance, (void)t, (void)fault;
    for (int k = 0, n = selection_count(rows, CELLS); k < n; k++) {
        const int    i = selection_row(rows, k);
        const double left = i > 0 ? x[i - 1] : 1.0,
                     right = i < CELLS - 1 ? x[i + 1] : 0.0;
        dx[i] = 40.0 * (left - 2.0 * x[i] + right) + 100.0 * x[i] * x[i] * (1.0 - x[i]);
    }
    return STATUS_OK;
}

static void front_make(Front *m) {
    static const ModelFunctions fn = {.eval = front_eval};
    int                         e = 0;
    *m = (Front){0};
    for (int j = 0; j < CELLS; j++) {
        m->start[j] = e;
        m->x0[j] = j < 5 ? 1.0 : 0.0;
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < CELLS) m->row[e++] = i;
    }
    m->start[CELLS] = e;
    m->pattern = (Pattern){CELLS, CELLS, m->start, m->row};
    m->model = (Model){.nx = CELLS, .pattern = &m->pattern, .fn = &fn, .instance = m};
}

static RateStatistics run_front(RateOptions o, const char *method, double tolerance,
                                double *x) {
    Front  m;
    Status status;
    front_make(&m);
    o.ode.method = method;
    o.ode.rtol = o.ode.atol = tolerance;
    Rate *r = rate_new(&m.model, &o, 0.0, m.x0, &status);
    assert_non_null(r);
    assert_int_equal(rate_advance(r, 0.6, true), STATUS_OK);
    memcpy(x, rate_state(r), sizeof m.x0);
    const RateStatistics s = rate_statistics(r);
    rate_free(r);
    return s;
}

static double front_apart(const double *x, const double *y) {
    double e = 0.0;
    for (int i = 0; i < CELLS; i++) e = fmax(e, fabs(x[i] - y[i]));
    return e;
}

/* What diffusion ties to the front is fast from the beginning of a large step; a method
 * without a Jacobian finds it by the defect alone. */
static void strong_coupling_is_taken_along(void **state) {
    (void)state;
    double            exact[CELLS], x[CELLS];
    const RateOptions one = {.rates = 1}, two = {.rates = 2, .below = {"rodas4"}};
    run_front(one, "radauIIA5", 1e-10, exact);
    run_front(one, "rodas4", 1e-5, x);
    const double         usual = front_apart(x, exact);
    const RateStatistics s = run_front(two, "rodas4", 1e-5, x);
    assert_true(s.steps[1] > 3 * s.steps[0]);
    assert_true(s.coupled > 0);
    assert_true(s.coupled < 20 * s.steps[0]);
    assert_true(front_apart(x, exact) <= 2.0 * usual);
    const RateStatistics without = run_front(two, "tsit5", 1e-5, x);
    assert_int_equal(without.coupled, 0);
    assert_true(without.joined > 0);
    assert_true(front_apart(x, exact) <= 1e-3);
}

/* ---- selections from others -------------------------------------------------------------- */

/* A window that wanders and changes its width: sets with a few states more or fewer. */
static void wandering(void *owner, int level, double t, int n, const int *state,
                      unsigned char *fast) {
    const double middle = 12.0 + 60.0 * t, half = 6.0 + 4.0 * sin(40.0 * t);
    (void)owner;
    for (int i = 0; i < n; i++)
        fast[i] = fabs(state[i] - middle) < (level ? 0.4 * half : half) ||
                  (level == 0 && (state[i] * 7 + (int)(20.0 * t)) % 23 == 0);
}

/* Selections derived from others are those built anew: the same bits with fewer looks at
 * the pattern. */
static void selections_from_others(void **state) {
    (void)state;
    double exact[CELLS];
    run_front((RateOptions){.rates = 1}, "radauIIA5", 1e-10, exact);
    for (int forced = 0; forced < 2; forced++)
        for (int rates = 2; rates <= 4; rates++) {
            double         x[2][CELLS];
            RateStatistics s[2];
            for (int anew = 0; anew < 2; anew++) {
                const RateOptions o = {.rates = rates,
                                       .anew = anew,
                                       .check = rates == 3,
                                       .partition = forced ? wandering : NULL};
                s[anew] = run_front(o, rates == 4 ? "esdirk4" : "rodas4", 1e-5, x[anew]);
                assert_int_equal(s[anew].mismatches, 0);
            }
            assert_memory_equal(x[0], x[1], sizeof x[0]);
            assert_int_equal(s[0].selections, s[1].selections);
            assert_int_equal(s[0].cache_hits, s[1].cache_hits);
            assert_int_equal(s[0].total.rhs_rows, s[1].total.rhs_rows);
            assert_int_equal(s[1].derived, 0);
            assert_true(s[0].selections > 5);
            assert_true(3 * s[0].derived > s[0].selections);
            assert_true(2 * s[0].visits < s[1].visits);
            assert_true(front_apart(x[0], exact) < 1e-3);
        }
}

/* ---- a fast state far more sensitive than the tolerance of a slow one ------------------- */

enum { ROOMS = 6, TIPS = 16 };

typedef struct Rooms { /* temperature, then thermostat with hysteresis, for each room */
    int     start[2 * ROOMS + 1], row[4 * ROOMS];
    double  x0[2 * ROOMS], nominal[2 * ROOMS];
    Pattern pattern;
    Model   model;
} Rooms;

static Status rooms_eval(void *instance, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    (void)instance, (void)t, (void)fault;
    for (int k = 0, n = selection_count(rows, 2 * ROOMS); k < n; k++) {
        const int    i = selection_row(rows, k), room = i / 2;
        const double temperature = x[2 * room], u = x[2 * room + 1];
        const double valve = 0.5 + 0.5 * tanh(30.0 * u);
        dx[i] = i % 2 ? 50.0 * (u * (1.0 - 4.0 * u * u) + 0.77 * (293.0 - temperature))
                      : (1e-2 * valve - 5e-3) * (1.0 + 0.1 * room);
    }
    return STATUS_OK;
}

static void rooms_make(Rooms *m) {
    static const ModelFunctions fn = {.eval = rooms_eval};
    memset(m, 0, sizeof *m);
    for (int j = 0; j < 2 * ROOMS; j++) {
        const int room = j / 2; /* both read the thermostat, it reads both */
        m->start[j + 1] = m->start[j];
        if (j % 2) m->row[m->start[j + 1]++] = 2 * room;
        m->row[m->start[j + 1]++] = 2 * room + 1;
        m->x0[j] = j % 2 ? (room % 2 ? 0.45 : -0.45) : 292.7 + 0.1 * room;
        m->nominal[j] = j % 2 ? 0.5 : 300.0;
    }
    m->pattern = (Pattern){2 * ROOMS, 2 * ROOMS, m->start, m->row};
    m->model = (Model){.nx = 2 * ROOMS,
                       .pattern = &m->pattern,
                       .nominal = m->nominal,
                       .fn = &fn,
                       .instance = m};
}

/* Times at which thermostats tip over. */
static int tips_of(int rates, const char *method, double tolerance, double *time) {
    Rooms  m;
    Status status;
    double before[2 * ROOMS], x[2 * ROOMS];
    int    count = 0;
    rooms_make(&m);
    RateOptions o = {.rates = rates};
    o.ode.method = method;
    o.ode.rtol = o.ode.atol = tolerance;
    Rate *r = rate_new(&m.model, &o, 0.0, m.x0, &status);
    assert_non_null(r);
    memset(time, 0, sizeof(double) * ROOMS * TIPS);
    while (rate_time(r) < 400.0) {
        memcpy(before, rate_state(r), sizeof before);
        assert_int_equal(rate_step(r, 400.0), STATUS_OK);
        for (int room = 0; room < ROOMS; room++) {
            const int i = 2 * room + 1;
            double    a = rate_time_last(r), b = rate_time(r);
            if ((before[i] < 0.0) == (rate_state(r)[i] < 0.0)) continue;
            for (int k = 0; k < 50; k++) {
                const double middle = 0.5 * (a + b);
                assert_int_equal(rate_dense(r, middle, x), STATUS_OK);
                if ((x[i] < 0.0) == (before[i] < 0.0)) a = middle;
                else b = middle;
            }
            double *of = time + room * TIPS;
            while (*of > 0.0) of++;
            *of = a;
            count++;
        }
    }
    if (rates != 1) assert_true(rate_statistics(r).steps[1] > 100);
    rate_free(r);
    return count;
}

static double spread(const double *a, const double *b, int count) {
    double sum = 0.0;
    for (int k = 0; k < ROOMS * TIPS; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum / count);
}

static void sensitive_neighbours(void **state) {
    (void)state;
    double    exact[ROOMS * TIPS], one[ROOMS * TIPS], many[ROOMS * TIPS];
    const int count = tips_of(1, "radauIIA5", 1e-12, exact);
    assert_true(count > 2 * ROOMS);
    for (int k = 0; k < 4; k++) {
        const double tolerance = pow(10.0, -(6 + k));
        assert_int_equal(tips_of(1, "rodas4", tolerance, one), count);
        assert_int_equal(tips_of(2, "rodas4", tolerance, many), count);
        const double usual = spread(one, exact, count), e = spread(many, exact, count);
        if (e > 2.0 * usual)
            print_message("%g: %g, single rate %g\n", tolerance, e, usual);
        assert_true(e <= 2.0 * usual);
    }
}

/* ---- inputs that come and go: a large step has looked for its small ones ---------------------- */

static void inputs_once_per_large_step(void **state) {
    static const ModelFunctions fn = {.eval = three_eval, .moves = three_moves};
    static const double         x0[THREE] = {1.0, 0.0, 0.0};
    Three                       m;
    Status                      status;
    (void)state;
    three_make(&m);
    m.model.fn = &fn;
    RateOptions o = {.rates = 2, .partition = all_but_first};
    o.ode.method = "rodas4";
    o.ode.rtol = o.ode.atol = 1e-6;
    Rate *r = rate_new(&m.model, &o, 0.0, x0, &status);
    assert_non_null(r);
    assert_int_equal(rate_advance(r, 5.0, true), STATUS_OK);
    const RateStatistics s = rate_statistics(r);
    assert_true(s.steps[1] > 10 * s.steps[0]);
    assert_true(m.looks >= s.steps[0]);
    assert_true(m.looks < s.steps[1] / 2);
    rate_free(r);
}

/* ---- one state that reads all others ----------------------------------------------------- */

enum { HEATED = 100, HEATING = 2 * HEATED + 1 };

typedef struct Heating { /* a supply, then temperature and thermostat of each room */
    int     start[HEATING + 1], row[7 * HEATED + 1];
    double  x0[HEATING], nominal[HEATING];
    Pattern pattern;
    Model   model;
    long    sums; /* rows of the supply */
} Heating;

static double heating_valve(double u) {
    return 0.5 + 0.5 * tanh(30.0 * u);
}

static double heating_supply(const double *x) {
    double sum = 0.0;
    for (int k = 0; k < HEATED; k++)
        sum += (x[0] - x[1 + 2 * k]) * heating_valve(x[2 + 2 * k]);
    const double flow = 2000.0 * HEATED * (1.0 + tanh(10.0 * (343.15 - x[0]) - 1.0));
    return (flow - 200.0 * sum) / (2e6 * HEATED);
}

static Status heating_eval(void *instance, double t, const double *x,
                           const Selection *rows, double *dx, Fault *fault) {
    Heating *m = instance;
    (void)fault;
    for (int k = 0, n = selection_count(rows, HEATING); k < n; k++) {
        const int    i = selection_row(rows, k), room = (i - 1) / 2;
        const double out = 278.15 + 8.0 * sin(7.27e-5 * t);
        m->sums += i == 0;
        if (i == 0) {
            dx[i] = heating_supply(x);
            continue;
        }
        const double warm = x[1 + 2 * room], u = x[2 + 2 * room];
        const double heat =
            200.0 * (x[0] - warm) * heating_valve(u) - 150.0 * (warm - out);
        const double still = u * (1.0 - 4.0 * u * u);
        dx[i] = i % 2 ? heat / (1e6 * (1.0 + 0.3 * fmod(0.618034 * (room + 1), 1.0)))
                      : 50.0 * (still + 0.77 * (293.15 - warm));
    }
    return STATUS_OK;
}

static void heating_make(Heating *m) {
    static const ModelFunctions fn = {.eval = heating_eval};
    memset(m, 0, sizeof *m);
    int count = 0;
    for (int j = 0; j < HEATING; j++) {
        const int warm = j - (j % 2 ? 0 : 1);
        m->start[j] = count;
        m->row[count++] = 0;
        for (int i = 1; j == 0 && i < HEATING; i += 2) m->row[count++] = i;
        if (j > 0) m->row[count++] = warm, m->row[count++] = warm + 1;
        m->nominal[j] = j > 0 && j % 2 == 0 ? 0.5 : 300.0;
        m->x0[j] = j == 0  ? 343.15
                   : j % 2 ? 293.15 + 0.6 * (fmod(0.754878 * (warm + 1) / 2, 1.0) - 0.5)
                           : (warm / 2 % 2 ? 0.45 : -0.45);
    }
    m->start[HEATING] = count;
    m->pattern = (Pattern){HEATING, HEATING, m->start, m->row};
    m->model = (Model){.nx = HEATING,
                       .pattern = &m->pattern,
                       .nominal = m->nominal,
                       .fn = &fn,
                       .instance = m};
}

/* It is not taken for the next state of a front along a line, where a room joins that it reads. */
static void what_reads_many_is_on_no_line(void **state) {
    (void)state;
    static Heating m;
    Status         status;
    RateOptions    o = {.rates = 3};
    o.ode.rtol = o.ode.atol = 1e-5;
    heating_make(&m);
    Rate *r = rate_new(&m.model, &o, 0.0, m.x0, &status);
    assert_non_null(r);
    assert_int_equal(rate_advance(r, 500.0, true), STATUS_OK);
    const RateStatistics s = rate_statistics(r);
    rate_free(r);
    assert_true(s.steps[1] > 1000);
    assert_true(m.sums < 2 * s.steps[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_once_per_large_step),
        cmocka_unit_test(still_rows_once_per_time),
        cmocka_unit_test(strong_coupling_is_taken_along),
        cmocka_unit_test(selections_from_others),
        cmocka_unit_test(sensitive_neighbours),
        cmocka_unit_test(what_reads_many_is_on_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
