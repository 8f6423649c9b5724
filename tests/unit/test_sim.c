/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim.c -- the time loop on hybrid models written by hand: event times and values
 * against closed forms, work counted. */
#include "sim/sim.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { MOST = 20000 };

typedef struct Log {
    double t[MOST], x[MOST], y[MOST];
    int    points;
} Log;

static Status log_point(void *owner, double t, const double *x, const double *y,
                        Fault *fault) {
    Log *log = owner;
    (void)fault;
    if (log->points == MOST) return STATUS_FATAL;
    log->t[log->points] = t;
    log->x[log->points] = x[0];
    log->y[log->points++] = y[0];
    return STATUS_OK;
}

/* ---- a bouncing ball ---- */

typedef struct Ball {
    bool   touching; /* relation h <= 0 of the last round */
    double e;        /* restitution                       */
    int    bounces;
    double bounce[64];
} Ball;

static Status ball_init(void *instance, double t, double *x, Fault *fault) {
    (void)instance, (void)t, (void)fault;
    x[0] = 1;
    x[1] = 0;
    return STATUS_OK;
}

static Status ball_eval(void *instance, double t, const double *x, const Selection *rows,
                        double *dx, Fault *fault) {
    (void)instance, (void)t, (void)rows, (void)fault;
    dx[0] = x[1];
    dx[1] = -9.81;
    return STATUS_OK;
}

static Status ball_crossings(void *instance, double t, const double *x,
                             const Selection *which, double *z, Fault *fault) {
    (void)instance, (void)t, (void)which, (void)fault;
    z[0] = -x[0];
    return STATUS_OK;
}

static Status ball_event(void *instance, double t, double *x, EventKind kind,
                         const Selection *which, bool *again, Fault *fault) {
    Ball *ball = instance;
    bool  touching = x[0] < 0;
    (void)kind, (void)fault, (void)which;
    if (touching && !ball->touching) {
        ball->bounce[ball->bounces++] = t;
        x[1] = -ball->e * x[1];
        *again = true;
    }
    ball->touching = touching;
    return STATUS_OK;
}

static const ModelFunctions ball_functions = {.init = ball_init,
                                              .eval = ball_eval,
                                              .crossings = ball_crossings,
                                              .event = ball_event};

static void ball_bounces_when_it_should(void **state) {
    (void)state;
    static Log log;
    Ball       ball = {.e = 0.8};
    Model      model = {.nx = 2, .nz = 1, .fn = &ball_functions, .instance = &ball};
    SimOptions options = {
        .stop = 2.3, .interval = 0.01, .point = log_point, .owner = &log};
    double x[2];
    options.ode.rtol = 1e-9;
    SimOutcome outcome = simulate(&model, &options, x);
    assert_int_equal(outcome.status, STATUS_OK);
    double first = sqrt(2 / 9.81), t = first, v = 9.81 * first;
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(ball.bounce[k] - t) < 1e-8);
        v *= 0.8;
        t += 2 * v / 9.81;
    }
    assert_int_equal(ball.bounces, 4);
    /* points: 231 on the grid, two at each of 4 bounces and 4 take-offs */
    assert_int_equal(log.points, 231 + 16);
    assert_true(outcome.statistics.crossing_rows <
                40 * outcome.statistics.events_state +
                    2 * outcome.statistics.ode.steps_accepted);
    /* taking off needs no step, and no step is taken back for it */
    assert_int_equal(outcome.statistics.events_state, 8);
    assert_int_equal(outcome.statistics.ode.steps_rejected, 0);
    assert_true(outcome.statistics.ode.steps_accepted <= 5 * ball.bounces);
    for (int i = 1; i < log.points; i++) assert_true(log.t[i] >= log.t[i - 1]);
    assert_true(log.t[log.points - 1] == 2.3);
}

/* ---- events by time: y counts samples, x' = y ---- */

typedef struct Counter {
    double count;
} Counter;

static Status counter_init(void *instance, double t, double *x, Fault *fault) {
    (void)instance, (void)t, (void)fault;
    x[0] = 0;
    return STATUS_OK;
}

static Status counter_eval(void *instance, double t, const double *x,
                           const Selection *rows, double *dx, Fault *fault) {
    (void)t, (void)x, (void)rows, (void)fault;
    dx[0] = ((Counter *)instance)->count;
    return STATUS_OK;
}

static Status counter_event(void *instance, double t, double *x, EventKind kind,
                            const Selection *which, bool *again, Fault *fault) {
    (void)t, (void)x, (void)again, (void)fault, (void)which;
    if (kind == EVENT_TIME) ((Counter *)instance)->count++;
    return STATUS_OK;
}

static Status counter_next(void *instance, double t, double *when, Fault *fault) {
    (void)instance, (void)fault;
    *when = floor(t / 0.25 + 1.5) * 0.25; /* the next multiple of 1/4 */
    if (*when - t > 0.25) *when -= 0.25;
    return STATUS_OK;
}

static Status counter_output(void *instance, double t, const double *x,
                             const Selection *which, double *y, Fault *fault) {
    (void)t, (void)x, (void)which, (void)fault;
    y[0] = ((Counter *)instance)->count;
    return STATUS_OK;
}

static const ModelFunctions counter_functions = {.init = counter_init,
                                                 .eval = counter_eval,
                                                 .event = counter_event,
                                                 .next_event = counter_next,
                                                 .output = counter_output};

static void time_events_are_hit_exactly(void **state) {
    (void)state;
    static Log log;
    Counter    counter = {0};
    Model      model = {.nx = 1, .ny = 1, .fn = &counter_functions, .instance = &counter};
    SimOptions options = {.stop = 1, .interval = 0.1, .point = log_point, .owner = &log};
    double     x[1];
    SimOutcome outcome = simulate(&model, &options, x);
    assert_int_equal(outcome.status, STATUS_OK);
    assert_int_equal(outcome.statistics.events_time, 4);
    assert_true(fabs(x[0] - (0.25 + 0.5 + 0.75)) < 1e-9);
    int doubled = 0;
    for (int i = 1; i < log.points; i++)
        if (log.t[i] == log.t[i - 1]) {
            doubled++;
            assert_true(log.y[i] == log.y[i - 1] + 1);
            assert_true(log.t[i] == 0.25 * log.y[i]);
        }
    assert_int_equal(doubled, 4);
}

/* ---- a relay without hysteresis: x' = -sign(x) ---- */

static Status relay_init(void *instance, double t, double *x, Fault *fault) {
    (void)t, (void)fault;
    x[0] = 0.5;
    *(bool *)instance = true;
    return STATUS_OK;
}

static Status relay_eval(void *instance, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    (void)t, (void)x, (void)rows, (void)fault;
    dx[0] = *(bool *)instance ? -1 : 1;
    return STATUS_OK;
}

static Status relay_crossings(void *instance, double t, const double *x,
                              const Selection *which, double *z, Fault *fault) {
    (void)instance, (void)t, (void)which, (void)fault;
    z[0] = x[0];
    return STATUS_OK;
}

static Status relay_event(void *instance, double t, double *x, EventKind kind,
                          const Selection *which, bool *again, Fault *fault) {
    bool positive = x[0] > 0;
    (void)t, (void)kind, (void)fault, (void)which;
    *again = positive != *(bool *)instance;
    *(bool *)instance = positive;
    return STATUS_OK;
}

static const ModelFunctions relay_functions = {.init = relay_init,
                                               .eval = relay_eval,
                                               .crossings = relay_crossings,
                                               .event = relay_event};

static void chattering_is_named(void **state) {
    (void)state;
    bool       positive;
    Model      model = {.nx = 1, .nz = 1, .fn = &relay_functions, .instance = &positive};
    SimOptions options = {.stop = 1};
    double     x[1];
    SimOutcome outcome = simulate(&model, &options, x);
    assert_int_equal(outcome.status, STATUS_CHATTERING);
    assert_int_equal(outcome.fault.relation, 0);
    assert_true(fabs(outcome.time - 0.5) < 1e-6);
    assert_non_null(outcome.fault.what);
}

/* ---- an event that never settles, one that ends the run, no states at all ---- */

static Status restless_event(void *instance, double t, double *x, EventKind kind,
                             const Selection *which, bool *again, Fault *fault) {
    (void)instance, (void)t, (void)x, (void)kind, (void)fault, (void)which;
    *again = true;
    return STATUS_OK;
}

static void endless_iteration_is_stopped(void **state) {
    (void)state;
    static const ModelFunctions functions = {.eval = counter_eval,
                                             .event = restless_event};
    Counter                     counter = {0};
    Model                       model = {.nx = 1, .fn = &functions, .instance = &counter};
    SimOptions                  options = {.stop = 1};
    double                      x[1] = {0};
    SimOutcome                  outcome = simulate(&model, &options, x);
    assert_int_equal(outcome.status, STATUS_DIVERGED);
    assert_int_equal(outcome.statistics.event_rounds, 100);
    assert_non_null(strstr(outcome.fault.what, "does not settle"));
}

static Status ending_event(void *instance, double t, double *x, EventKind kind,
                           const Selection *which, bool *again, Fault *fault) {
    (void)instance, (void)x, (void)again, (void)fault, (void)which;
    return kind == EVENT_TIME && t >= 0.5 ? STATUS_END : STATUS_OK;
}

static void a_model_can_end_the_run(void **state) {
    (void)state;
    static const ModelFunctions functions = {
        .eval = counter_eval, .event = ending_event, .next_event = counter_next};
    Counter    counter = {.count = 2};
    Model      model = {.nx = 1, .fn = &functions, .instance = &counter};
    SimOptions options = {.stop = 1};
    double     x[1] = {0};
    SimOutcome outcome = simulate(&model, &options, x);
    assert_int_equal(outcome.status, STATUS_END);
    assert_true(outcome.time == 0.5);
    assert_true(fabs(x[0] - 1) < 1e-9);
}

static Status wave_crossings(void *instance, double t, const double *x,
                             const Selection *which, double *z, Fault *fault) {
    (void)instance, (void)x, (void)which, (void)fault;
    z[0] = sin(t);
    return STATUS_OK;
}

static Status no_eval(void *instance, double t, const double *x, const Selection *rows,
                      double *dx, Fault *fault) {
    (void)instance, (void)t, (void)x, (void)rows, (void)dx, (void)fault;
    return STATUS_OK;
}

typedef struct Wave {
    double zero[8];
    int    zeros;
} Wave;

static Status wave_event(void *instance, double t, double *x, EventKind kind,
                         const Selection *which, bool *again, Fault *fault) {
    Wave *wave = instance;
    (void)x, (void)again, (void)fault, (void)which;
    if (kind == EVENT_STATE) wave->zero[wave->zeros++] = t;
    return STATUS_OK;
}

static void a_model_without_states_has_events(void **state) {
    (void)state;
    static const ModelFunctions functions = {
        .eval = no_eval, .crossings = wave_crossings, .event = wave_event};
    Wave       wave = {.zeros = 0};
    Model      model = {.nz = 1, .fn = &functions, .instance = &wave};
    SimOptions options = {.start = 0.5, .stop = 10, .interval = 1};
    double     x[1];
    SimOutcome outcome = simulate(&model, &options, x);
    assert_int_equal(outcome.status, STATUS_OK);
    assert_int_equal(wave.zeros, 3);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(wave.zero[k] - (k + 1) * 3.14159265358979323846) < 1e-13);
    /* one evaluation a step in 95 steps, few more where nothing is known yet and around the zeros */
    assert_true(outcome.statistics.crossing_rows <= 96 + 150);
}

/* ---- local events ---- */

enum { TEETH = 8 };

/* Sawteeth: local events that set states and change nothing else, so that there is no journal. */
static double tooth_slope(int i) {
    return 1.0 + 0.1 * i;
}
static Status teeth_init(void *instance, double t, double *x, Fault *fault) {
    (void)instance, (void)t, (void)fault;
    for (int i = 0; i < TEETH; i++) x[i] = 0;
    return STATUS_OK;
}
static Status teeth_eval(void *instance, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    (void)instance, (void)t, (void)x, (void)fault;
    for (int k = 0, n = selection_count(rows, TEETH); k < n; k++)
        dx[selection_row(rows, k)] = tooth_slope(selection_row(rows, k));
    return STATUS_OK;
}
static Status teeth_crossings(void *instance, double t, const double *x,
                              const Selection *which, double *z, Fault *fault) {
    (void)instance, (void)t, (void)fault;
    for (int k = 0, n = selection_count(which, TEETH); k < n; k++)
        z[selection_row(which, k)] = x[selection_row(which, k)] - 1;
    return STATUS_OK;
}
static Status teeth_event(void *instance, double t, double *x, EventKind kind,
                          const Selection *which, bool *again, Fault *fault) {
    (void)instance, (void)t, (void)again, (void)fault;
    for (int k = 0; kind == EVENT_STATE && k < selection_count(which, TEETH); k++)
        if (x[selection_row(which, k)] > 0.5) x[selection_row(which, k)] = 0;
    return STATUS_OK;
}
static Status teeth_next(void *instance, double t, double *when, Fault *fault) {
    (void)instance, (void)fault;
    *when = 0.77 * (floor(t / 0.77 + 1e-9) + 1); /* cuts steps and starts anew */
    return STATUS_OK;
}
static void *teeth_twin(void *instance, void *twin) { /* it has nothing of its own */
    (void)twin;
    return instance;
}

static void local_events_without_a_journal(void **state) {
    static const ModelFunctions functions = {.init = teeth_init,
                                             .eval = teeth_eval,
                                             .crossings = teeth_crossings,
                                             .event = teeth_event,
                                             .next_event = teeth_next,
                                             .twin = teeth_twin};
    int                         start[TEETH + 1], row[TEETH], self = 0;
    double                      x[TEETH];
    (void)state;
    for (int i = 0; i <= TEETH; i++) start[i] = i;
    for (int i = 0; i < TEETH; i++) row[i] = i;
    const Pattern own = {TEETH, TEETH, start, row};
    const Model   model = {.nx = TEETH,
                           .nz = TEETH,
                           .pattern = &own,
                           .reads = &own,
                           .changes = &own,
                           .fn = &functions,
                           .instance = &self};
    for (int threads = 1; threads <= 3; threads++) {
        SimOptions options = {.stop = 10.3, .interval = 0.5, .rates = 2};
        options.threads = threads;
        options.grain = 1e-9;
        options.ode.rtol = options.ode.atol = 1e-8;
        options.ode.method = "rodas4";
        const SimOutcome outcome = simulate(&model, &options, x);
        assert_int_equal(outcome.status, STATUS_OK);
        assert_true(outcome.statistics.rate.events > 80);
        for (int i = 0; i < TEETH; i++)
            assert_true(fabs(x[i] - fmod(tooth_slope(i) * 10.3, 1)) < 1e-9);
    }
}

/* What happened to one instance happens to another one, and is taken back there. */
static void journals_of_two_instances(void **state) {
    double  a[] = {1, 2, 3}, b[] = {1, 2, 3}, c[] = {1, 2, 3};
    Journal one = {.value = a}, two = {.value = b}, three = {.value = c};
    (void)state;
    assert_true(journal_set(&one, &a[2], 30, 5));
    assert_true(journal_set(&one, &a[0], 10, 3));
    assert_true(journal_set(&one, &a[2], 31, 6));
    assert_true(journal_set(&two, &b[1], 20, 4));
    assert_true(journal_adopt(&two, one.change, one.count));
    assert_true(b[0] == 10 && b[1] == 20 && b[2] == 31);
    journal_undo(&one, 0);
    assert_true(a[0] == 1 && a[1] == 2 && a[2] == 3 && one.count == 0);
    journal_sort(&two);
    journal_to(&two, 4.5);
    assert_true(b[0] == 10 && b[1] == 20 && b[2] == 3);
    journal_to(&two, 5);
    assert_true(b[2] == 30);
    journal_cut(&two, 5.5);
    journal_follow(&three, two.change, two.count);
    assert_true(c[0] == 10 && c[1] == 20 && c[2] == 30 && three.count == 0);
    assert_true(three.version > 0);
    journal_end(&two);
    assert_true(two.count == 0 && b[2] == 30);
    journal_free(&one), journal_free(&two), journal_free(&three);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bounces_when_it_should),
        cmocka_unit_test(time_events_are_hit_exactly),
        cmocka_unit_test(chattering_is_named),
        cmocka_unit_test(endless_iteration_is_stopped),
        cmocka_unit_test(a_model_can_end_the_run),
        cmocka_unit_test(a_model_without_states_has_events),
        cmocka_unit_test(local_events_without_a_journal),
        cmocka_unit_test(journals_of_two_instances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
