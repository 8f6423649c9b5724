/* SPDX-License-Identifier: Apache-2.0 */
/* Forced failures: always a status, with time and variable; never a hang, never a result
 * that is silently wrong. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "ode/ode.h"

typedef struct Trouble { /* what the model does besides computing */
    long     calls;
    long     fail_every;  /* STATUS_RETRY at every n-th call, 0 never         */
    long     fatal_at;    /* STATUS_FATAL at this call, 0 never               */
    int      nan_percent; /* of the calls give NaN in x[1]                    */
    double   wall;        /* no value exists beyond this time, 0: none        */
    unsigned seed;
} Trouble;

static Status f(void *instance, double t, const double *x, const Selection *rows,
                double *dx, Fault *fault) {
    Trouble *w = instance;
    (void)rows;
    w->calls++;
    if (w->fail_every && w->calls % w->fail_every == 0) {
        fault->variable = 1;
        fault->pos = 42;
        return STATUS_RETRY;
    }
    if (w->fatal_at && w->calls >= w->fatal_at) {
        fault->variable = 0;
        return STATUS_FATAL;
    }
    if (w->wall > 0.0 && t > w->wall) return STATUS_RETRY;
    dx[0] = x[1];
    dx[1] = 100.0 * (1.0 - x[0] * x[0]) * x[1] - x[0];
    w->seed = w->seed * 1664525u + 1013904223u;
    if ((int)((w->seed >> 16) % 100) < w->nan_percent) dx[1] = NAN;
    return STATUS_OK;
}
static const ModelFunctions fn = {.eval = f};

static const char *const every_kind[] = {
    "tsit5",     "verner7",   "esdirk4", "sdirk3",       "rodas5p",
    "radauIIA3", "radauIIA5", "gauss4",  "lobattoIIIA4", "auto"};

/* Runs to t = 20; *end and *x tell how far it came. */
static Status attempt(Trouble *w, const OdeOptions *o, double *end, double *x,
                      Fault *fault) {
    const Model  m = {.nx = 2, .fn = &fn, .flags = MODEL_AUTONOMOUS, .instance = w};
    const double x0[] = {2.0, 0.0};
    View         view;
    Status       status;
    assert_int_equal(view_init(&view, &m, NULL), STATUS_OK);
    Ode *ode = ode_new(&view, o, 0.0, x0, &status);
    assert_non_null(ode);
    status = ode_advance(ode, 20.0, true);
    *end = ode_time(ode);
    *fault = *ode_fault(ode);
    memcpy(x, ode_state(ode), 2 * sizeof(double));
    assert_true(isfinite(x[0]) && isfinite(x[1]));
    ode_free(ode);
    view_free(&view);
    return status;
}

/* The state at any time, from a clean run. */
static void truth(double t, double *x) {
    Trouble      w = {0};
    const Model  m = {.nx = 2, .fn = &fn, .flags = MODEL_AUTONOMOUS, .instance = &w};
    const double x0[] = {2.0, 0.0};
    View         view;
    Status       status;
    view_init(&view, &m, NULL);
    const OdeOptions o = {.method = "radauIIA5", .rtol = 1e-10};
    Ode             *ode = ode_new(&view, &o, 0.0, x0, &status);
    if (t > 0.0) assert_int_equal(ode_advance(ode, t, true), STATUS_OK);
    memcpy(x, ode_state(ode), 2 * sizeof(double));
    ode_free(ode);
    view_free(&view);
}

/* Whatever the status, the state must be right for the time it belongs to. */
static void state_is_right(double t, const double *x) {
    double y[2];
    truth(t, y);
    assert_true(fabs(x[0] - y[0]) < 1e-3 && fabs(x[1] - y[1]) < 1e-3);
}

static void fails_every_seventh_call(void **state) {
    (void)state;
    for (int i = 0; i < LENGTH(every_kind); i++) {
        Trouble          w = {.fail_every = 7};
        const OdeOptions o = {.method = every_kind[i], .rtol = 1e-6};
        double           t, x[2];
        Fault            fault;
        const Status     status = attempt(&w, &o, &t, x, &fault);
        if (status == STATUS_OK) {
            assert_true(t == 20.0);
        } else {
            assert_int_equal(status, STATUS_STEP_SMALL);
            assert_true(fault.variable >= 0);
            if (fault.variable == 1 && fault.pos) assert_int_equal(fault.pos, 42);
            assert_true(fault.time == t);
            assert_non_null(fault.what);
        }
        state_is_right(t, x);
        assert_true(w.calls < 50000000);
    }
}

static void not_a_number_now_and_then(void **state) {
    (void)state;
    for (int i = 0; i < LENGTH(every_kind); i++)
        for (int percent = 1; percent <= 100;
             percent = percent == 1 ? 20 : percent + 80) {
            Trouble w = {.nan_percent = percent, .seed = (unsigned)(i * 7 + percent)};
            const OdeOptions o = {.method = every_kind[i], .rtol = 1e-6};
            double           t, x[2];
            Fault            fault;
            const Status     status = attempt(&w, &o, &t, x, &fault);
            if (status != STATUS_OK) {
                assert_true(status == STATUS_STEP_SMALL || status == STATUS_NOT_FINITE);
                assert_true(fault.variable >= 0);
                assert_non_null(fault.what);
            }
            if (percent == 100) assert_int_not_equal(status, STATUS_OK);
            state_is_right(t, x);
        }
}

static void fatal_ends_at_once(void **state) {
    (void)state;
    for (int i = 0; i < LENGTH(every_kind); i++) {
        Trouble          w = {.fatal_at = 60};
        const OdeOptions o = {.method = every_kind[i], .rtol = 1e-6};
        double           t, x[2];
        Fault            fault;
        assert_int_equal(attempt(&w, &o, &t, x, &fault), STATUS_FATAL);
        assert_int_equal(w.calls, 60);
        assert_int_equal(fault.variable, 0);
        state_is_right(t, x);
    }
}

/* The model ends at t = 7: the step underflows there. */
static void step_underflows_at_a_wall(void **state) {
    (void)state;
    for (int i = 0; i < LENGTH(every_kind); i++) {
        Trouble          w = {.wall = 7.0};
        const OdeOptions o = {.method = every_kind[i], .rtol = 1e-6};
        double           t, x[2];
        Fault            fault;
        assert_int_equal(attempt(&w, &o, &t, x, &fault), STATUS_STEP_SMALL);
        assert_true(t <= 7.0 && t > 6.999);
        assert_true(fault.time == t);
        state_is_right(t, x);
    }
}

/* The last good step can still be read after the next one failed. */
static void dense_output_survives_a_failure(void **state) {
    (void)state;
    static const char *const names[] = {"verner7", "radauIIA5", "lobattoIIIA5", "gauss4"};
    for (int i = 0; i < LENGTH(names); i++) {
        Trouble      w = {.wall = 7.0};
        const Model  m = {.nx = 2, .fn = &fn, .flags = MODEL_AUTONOMOUS, .instance = &w};
        const double x0[] = {2.0, 0.0};
        const OdeOptions o = {.method = names[i], .rtol = 1e-6};
        View             view;
        Status           status;
        view_init(&view, &m, NULL);
        Ode *ode = ode_new(&view, &o, 0.0, x0, &status);
        assert_int_equal(ode_advance(ode, 20.0, true), STATUS_STEP_SMALL);
        double       x[2];
        const double t = 0.5 * (ode_time_last(ode) + ode_time(ode));
        assert_int_equal(ode_dense(ode, t, x), STATUS_OK);
        state_is_right(t, x);
        assert_int_equal(ode_dense(ode, ode_time(ode), x), STATUS_OK);
        state_is_right(ode_time(ode), x);
        ode_free(ode);
        view_free(&view);
    }
}

static Status blow_up(void *instance, double t, const double *x, const Selection *rows,
                      double *dx, Fault *fault) {
    (void)instance, (void)t, (void)rows, (void)fault;
    dx[0] = 0.0;
    dx[1] = x[1] * x[1]; /* infinite at t = 1 */
    return STATUS_OK;
}
static void step_underflows_at_a_pole(void **state) {
    (void)state;
    static const ModelFunctions pole = {.eval = blow_up};
    const Model                 m = {.nx = 2, .fn = &pole, .flags = MODEL_AUTONOMOUS};
    for (int i = 0; i < LENGTH(every_kind); i++) {
        const double     x0[] = {0.0, 1.0};
        const OdeOptions o = {.method = every_kind[i], .rtol = 1e-6, .max_steps = 100000};
        View             view;
        Status           status;
        view_init(&view, &m, NULL);
        Ode *ode = ode_new(&view, &o, 0.0, x0, &status);
        status = ode_advance(ode, 2.0, true);
        assert_true(status == STATUS_STEP_SMALL || status == STATUS_TOO_MANY);
        assert_true(fabs(ode_time(ode) - 1.0) < 1e-3);
        if (status == STATUS_STEP_SMALL) assert_int_equal(ode_fault(ode)->variable, 1);
        ode_free(ode);
        view_free(&view);
    }
}

/* sigma I - J is singular for every step size: J is not a number there, or infinite. */
static Status singular_j(void *instance, double t, const double *x,
                         const Selection *columns, double *j, Fault *fault) {
    (void)instance, (void)t, (void)x, (void)columns, (void)fault;
    memset(j, 0, 4 * sizeof(double));
    j[3] = HUGE_VAL;
    return STATUS_OK;
}
static void singular_matrices(void **state) {
    (void)state;
    static const ModelFunctions bad = {.eval = f, .jacobian = singular_j};
    static const ShiftKind      kinds[] = {SHIFT_DENSE, SHIFT_BAND, SHIFT_SPARSE};
    for (int k = 0; k < LENGTH(kinds); k++)
        for (int i = 2; i < LENGTH(every_kind) - 1; i++) {
            Trouble          w = {0};
            const Model      m = {.nx = 2, .fn = &bad, .instance = &w};
            const double     x0[] = {2.0, 0.0};
            const OdeOptions o = {.method = every_kind[i], .linear = kinds[k]};
            View             view;
            Status           status;
            view_init(&view, &m, NULL);
            Ode *ode = ode_new(&view, &o, 0.0, x0, &status);
            status = ode_advance(ode, 1.0, true);
            assert_int_equal(status, STATUS_STEP_SMALL);
            assert_true(ode_fault(ode)->variable >= 0);
            assert_non_null(ode_fault(ode)->what);
            assert_true(ode_time(ode) == 0.0 && ode_state(ode)[0] == 2.0);
            ode_free(ode);
            view_free(&view);
        }
}

static void tolerance_below_rounding(void **state) {
    (void)state;
    Trouble          w = {0};
    const Model      m = {.nx = 2, .fn = &fn, .flags = MODEL_AUTONOMOUS, .instance = &w};
    const double     x0[] = {2.0, 0.0};
    const OdeOptions none = {.rtol = 1e-17, .atol = 1e-30};
    View             view;
    Status           status;
    view_init(&view, &m, NULL);
    assert_null(ode_new(&view, &none, 0.0, x0, &status));
    assert_int_equal(status, STATUS_TOLERANCE);
    view_free(&view);
    for (int i = 0; i < LENGTH(every_kind); i++) { /* barely representable: no hang */
        const OdeOptions o = {
            .method = every_kind[i], .rtol = 1e-15, .atol = 1e-30, .max_steps = 3000};
        double t, x[2];
        Fault  fault;
        w = (Trouble){0};
        status = attempt(&w, &o, &t, x, &fault);
        assert_true(status == STATUS_OK || status == STATUS_STEP_SMALL ||
                    status == STATUS_TOO_MANY);
        if (status == STATUS_STEP_SMALL) assert_true(fault.variable >= 0);
        state_is_right(t, x);
    }
}

static void nonsense_is_refused(void **state) {
    (void)state;
    Trouble          w = {0};
    const Model      m = {.nx = 2, .fn = &fn, .instance = &w};
    const double     x0[] = {2.0, 0.0}, bad[] = {NAN, 0.0};
    const OdeOptions unknown = {.method = "no such method"}, plain = {.method = "tsit5"};
    View             view;
    Status           status;
    view_init(&view, &m, NULL);
    assert_null(ode_new(&view, &unknown, 0.0, x0, &status));
    assert_int_equal(status, STATUS_ARGUMENT);
    Ode *ode = ode_new(&view, &plain, 0.0, x0, &status);
    assert_int_equal(ode_step(ode, 0.0), STATUS_ARGUMENT);
    ode_free(ode);
    ode = ode_new(&view, &plain, 0.0, bad, &status); /* a start value that is no number */
    assert_int_equal(ode_step(ode, 1.0), STATUS_NOT_FINITE);
    assert_int_equal(ode_fault(ode)->variable, 0);
    ode_free(ode);
    view_free(&view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fails_every_seventh_call),
        cmocka_unit_test(not_a_number_now_and_then),
        cmocka_unit_test(fatal_ends_at_once),
        cmocka_unit_test(step_underflows_at_a_wall),
        cmocka_unit_test(step_underflows_at_a_pole),
        cmocka_unit_test(dense_output_survives_a_failure),
        cmocka_unit_test(singular_matrices),
        cmocka_unit_test(tolerance_below_rounding),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
