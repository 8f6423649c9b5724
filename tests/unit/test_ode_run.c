/* SPDX-License-Identifier: Apache-2.0 */
/* The integrator at work: stiff tests, estimators, controllers, dense output, restarts,
 * automatic choice, packed subsets, agreement with SUNDIALS. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/ode.h"

#define EVAL(name)                                                                       \
    static Status name(void *instance, double t, const double *x, const Selection *rows, \
                       double *dx, Fault *fault)
#define JACOBIAN(name)                                                                   \
    static Status name(void *instance, double t, const double *x,                        \
                       const Selection *columns, double *j, Fault *fault)
#define UNUSED   (void)instance, (void)t, (void)x, (void)rows, (void)fault
#define UNUSED_J (void)instance, (void)t, (void)x, (void)columns, (void)fault

EVAL(prothero) { /* instance: lambda; x = sin t */
    UNUSED;
    const double l = *(const double *)instance;
    dx[0] = l * (x[0] - sin(t)) + cos(t);
    return STATUS_OK;
}
JACOBIAN(prothero_j) {
    UNUSED_J;
    j[0] = *(const double *)instance;
    return STATUS_OK;
}
static const ModelFunctions prothero_fn = {.eval = prothero, .jacobian = prothero_j};

EVAL(relax) {
    UNUSED;
    dx[0] = -x[0] + sin(t);
    return STATUS_OK;
}
JACOBIAN(relax_j) {
    UNUSED_J;
    j[0] = -1.0;
    return STATUS_OK;
}
static const ModelFunctions relax_fn = {.eval = relax, .jacobian = relax_j};

EVAL(vdp) {
    UNUSED;
    const double mu = *(const double *)instance;
    dx[0] = x[1];
    dx[1] = mu * (1.0 - x[0] * x[0]) * x[1] - x[0];
    return STATUS_OK;
}
static const ModelFunctions vdp_fn = {.eval = vdp};

static OdeStatistics run(const Model *m, const OdeOptions *o, double end,
                         const double *x0, double *x) {
    View   view;
    Status status;
    assert_int_equal(view_init(&view, m, NULL), STATUS_OK);
    Ode *ode = ode_new(&view, o, 0.0, x0, &status);
    assert_non_null(ode);
    assert_int_equal(ode_advance(ode, end, true), STATUS_OK);
    assert_true(ode_time(ode) == end);
    memcpy(x, ode_state(ode), sizeof(double) * (size_t)m->nx);
    const OdeStatistics s = ode_statistics(ode);
    ode_free(ode);
    view_free(&view);
    return s;
}

EVAL(decay) {
    UNUSED;
    dx[0] = *(const double *)instance * x[0];
    return STATUS_OK;
}
static const ModelFunctions decay_fn = {.eval = decay, .jacobian = prothero_j};

/* Constant steps 1e5 times the time constant: A-stable methods do not grow, L-stable ones
 * damp and follow a moving equilibrium. */
static void stable_methods_stay_bounded(void **state) {
    (void)state;
    for (int i = 0; method_name(i); i++) {
        Method          *m = method_new(method_name(i));
        const Stability  s = stability_of(m);
        double           lambda = -1e6, x = 0.0;
        const double     x0 = 1.0; /* off the equilibrium by 1 */
        const OdeOptions o = {.method = m->name, .h_fixed = 0.1};
        const Model      plain = {
                 .nx = 1, .fn = &decay_fn, .flags = MODEL_LINEAR, .instance = &lambda};
        const Model moving = {
            .nx = 1, .fn = &prothero_fn, .flags = MODEL_LINEAR, .instance = &lambda};
        if (s.a_stable) {
            run(&plain, &o, 10.0, &x0, &x);
            assert_true(fabs(x) <= 1.0 + 1e-9);
            if (s.l_stable) assert_true(fabs(x) < 1e-6);
        }
        if (s.l_stable) {
            run(&moving, &o, 10.0, &x0, &x);
            assert_true(fabs(x - sin(10.0)) < (m->order == 1 ? 0.1 : 1e-2));
        }
        method_free(m);
    }
}

static void every_adaptive_method_meets_its_tolerance(void **state) {
    (void)state;
    double       one = 1.0, reference[2], again[2];
    const double start[2] = {2.0, 0.0};
    const Model  known = {
         .nx = 2, .fn = &vdp_fn, .flags = MODEL_AUTONOMOUS, .instance = &one};
    const OdeOptions fine = {.method = "verner9", .rtol = 1e-13};
    const OdeOptions other = {.method = "gauss6", .rtol = 1e-13};
    run(&known, &fine, 3.0, start, reference);
    run(&known, &other, 3.0, start, again);
    assert_true(fabs(reference[0] - again[0]) < 1e-11);
    for (int i = 0; method_name(i); i++) {
        Method *m = method_new(method_name(i));
        if (m->adaptive && m->order > 1) {
            double       x[2], mu = 1.0;
            const double x0[2] = {2.0, 0.0};
            const Model  model = {
                 .nx = 2, .fn = &vdp_fn, .flags = MODEL_AUTONOMOUS, .instance = &mu};
            const OdeOptions o = {.method = m->name, .rtol = m->order < 3 ? 1e-4 : 1e-6};
            run(&model, &o, 3.0, x0, x);
            assert_true(fabs(x[0] - reference[0]) < 300 * o.rtol);
        }
        method_free(m);
    }
}

/* Linear model: one evaluation per implicit stage, and one inside each step. */
static void linear_stages_cost_one_evaluation(void **state) {
    (void)state;
    static const char *const names[] = {"auto",      "esdirk3", "esdirk4",
                                        "esdirk5",   "sdirk4",  "radauIIA3",
                                        "radauIIA5", "gauss3",  "lobattoIIIC4"};
    for (int i = 0; i < LENGTH(names); i++) {
        double       x;
        const double x0 = 1.0, exact = 1.5 * exp(-10.0) + 0.5 * (sin(10.0) - cos(10.0));
        const Model  m = {.nx = 1, .fn = &relax_fn, .flags = MODEL_LINEAR};
        const OdeOptions    o = {.method = names[i]};
        const OdeStatistics s = run(&m, &o, 10.0, &x0, &x);
        assert_true(fabs(x - exact) < 2e-5);
        assert_int_equal(s.jacobians, 1);
        assert_true((double)s.rhs_calls <=
                    1.3 * (double)s.stages_implicit + 2 +
                        (double)s.steps_accepted * (1 + (i > 4 || i == 0)));
        assert_true((double)s.newton_iterations <= 1.15 * (double)s.stages_implicit);
    }
}

static void estimators_and_controllers(void **state) {
    (void)state;
    double       mu = 50.0, x[2], reference[2];
    const double x0[2] = {2.0, 0.0};
    const Model  m = {.nx = 2, .fn = &vdp_fn, .flags = MODEL_AUTONOMOUS, .instance = &mu};
    const OdeOptions fine = {.method = "radauIIA7", .rtol = 1e-12};
    run(&m, &fine, 60.0, x0, reference);
    for (int e = ESTIMATE_EMBEDDED; e <= ESTIMATE_TWO_STEP; e++) {
        static const char *const names[] = {"esdirk4", "radauIIA3", "radauIIA4",
                                            "lobattoIIIC4"};
        for (int k = 0; k < LENGTH(names); k++) {
            const OdeOptions o = {
                .method = names[k], .rtol = 1e-6, .estimate = (EstimateKind)e};
            run(&m, &o, 60.0, x0, x);
            assert_true(fabs(x[0] - reference[0]) < 2e-4);
        }
    }
    for (int c = CONTROL_I; c < CONTROL_COUNT; c++) {
        static const char *const names[] = {"tsit5", "esdirk4", "radauIIA3", "rodas5p"};
        assert_non_null(control_name((ControlKind)c));
        for (int k = 0; k < LENGTH(names); k++) {
            const OdeOptions o = {
                .method = names[k], .rtol = 1e-6, .control = (ControlKind)c};
            const OdeStatistics s = run(&m, &o, 60.0, x0, x);
            assert_true(fabs(x[0] - reference[0]) < 2e-4);
            assert_true(s.steps_rejected < s.steps_accepted);
        }
    }
}

/* The filter keeps a stiff, satisfied component from inflating the estimate; what is left are the steps
 * that its polynomial needs inside. */
static void filter_saves_steps(void **state) {
    (void)state;
    double           lambda = -1e8, x;
    const double     x0 = 0.0;
    const Model      m = {.nx = 1, .fn = &prothero_fn, .instance = &lambda};
    const OdeOptions plain = {
        .method = "radauIIA3", .rtol = 1e-6, .estimate = ESTIMATE_EMBEDDED};
    const OdeOptions clever = {
        .method = "radauIIA3", .rtol = 1e-6, .estimate = ESTIMATE_FILTERED};
    const OdeStatistics a = run(&m, &plain, 10.0, &x0, &x);
    const OdeStatistics b = run(&m, &clever, 10.0, &x0, &x);
    assert_true(fabs(x - sin(10.0)) < 1e-5);
    assert_true(5 * b.steps_accepted < 4 * a.steps_accepted);
}

/* Output points do not shorten steps; values between are as good as those at the ends. */
static void dense_output_is_free_of_steps(void **state) {
    (void)state;
    static const char *const names[] = {"tsit5",     "verner7",   "esdirk4", "rodas5p",
                                        "radauIIA3", "radauIIA5", "gauss4",  "auto"};
    const Model              m = {.nx = 1, .fn = &relax_fn};
    const double             x0 = 1.0;
    for (int i = 0; i < LENGTH(names); i++) {
        View                view;
        Status              status;
        double              z, worst = 0.0, x;
        const OdeOptions    o = {.method = names[i], .rtol = 1e-7};
        const OdeStatistics plain = run(&m, &o, 10.0, &x0, &x);
        view_init(&view, &m, NULL);
        Ode *ode = ode_new(&view, &o, 0.0, &x0, &status);
        for (int k = 1; k <= 1000; k++) {
            const double t = 0.01 * k;
            assert_int_equal(ode_advance(ode, t, k == 1000), STATUS_OK);
            assert_int_equal(ode_dense(ode, t, &z), STATUS_OK);
            worst = fmax(worst, fabs(z - (1.5 * exp(-t) + 0.5 * (sin(t) - cos(t)))));
        }
        assert_int_equal(ode_statistics(ode).steps_accepted, plain.steps_accepted);
        assert_true(worst < 1e-5);
        assert_int_equal(ode_dense(ode, ode_time_last(ode) - 1.0, &z), STATUS_ARGUMENT);
        ode_free(ode);
        view_free(&view);
    }
}

static void restart_keeps_the_step(void **state) {
    (void)state;
    View             view;
    Status           status;
    double           x0 = 1.0, jump = 5.0;
    const Model      m = {.nx = 1, .fn = &relax_fn};
    const OdeOptions o = {.method = "esdirk4", .rtol = 1e-6};
    view_init(&view, &m, NULL);
    Ode *ode = ode_new(&view, &o, 0.0, &x0, &status);
    assert_int_equal(ode_advance(ode, 5.0, true), STATUS_OK);
    const double before = ode_next_step(ode);
    assert_int_equal(ode_restart(ode, 5.0, &jump), STATUS_OK);
    assert_true(ode_next_step(ode) >= 0.1 * before);
    assert_true(ode_state(ode)[0] == 5.0);
    assert_int_equal(ode_advance(ode, 10.0, true), STATUS_OK);
    const double c = 5.0 - 0.5 * (sin(5.0) - cos(5.0));
    assert_true(
        fabs(ode_state(ode)[0] - (c * exp(-5.0) + 0.5 * (sin(10.0) - cos(10.0)))) < 1e-5);
    /* a step cut by the limit leaves the proposal alone */
    const double proposal = ode_next_step(ode);
    assert_int_equal(ode_step(ode, 10.0 + 1e-3 * proposal), STATUS_OK);
    assert_true(ode_next_step(ode) >= 0.99 * proposal);
    ode_free(ode);
    view_free(&view);
}

static void automatic_switches_both_ways(void **state) {
    (void)state;
    double       x[2], mu = 1000.0;
    const double x0[2] = {2.0, 0.0};
    const Model  m = {.nx = 2, .fn = &vdp_fn, .flags = MODEL_AUTONOMOUS, .instance = &mu};
    const OdeOptions    o = {.rtol = 1e-6};
    const OdeStatistics s = run(&m, &o, 2000.0, x0, x);
    assert_true(fabs(x[0] - 1.706167732170469) < 1e-4);
    assert_true(s.method_changes >= 1 && s.method_changes < 40);
    assert_true(s.steps_accepted < 1000 && s.jacobians > 0);
    mu = 1.0; /* not stiff: no Jacobian at all */
    const OdeStatistics t = run(&m, &o, 20.0, x0, x);
    assert_int_equal(t.jacobians, 0);
    assert_int_equal(t.method_changes, 0);
    /* stiff at first, then not: the coefficient fades */
    assert_true(t.rhs_calls < 2000);
}

EVAL(fading) { /* stiffness 1e5 that ends near t = 1, then an oscillation */
    UNUSED;
    const double k = 1e5 * exp(-8.0 * t) / (1.0 + exp(20.0 * (t - 1.0)));
    dx[0] = x[1] - k * (x[0] - cos(t));
    dx[1] = -x[0];
    return STATUS_OK;
}
static void automatic_returns_to_explicit(void **state) {
    (void)state;
    static const ModelFunctions fn = {.eval = fading};
    const Model                 m = {.nx = 2, .fn = &fn};
    const double                x0[2] = {1.0, 0.0};
    const OdeOptions            o = {.rtol = 1e-5};
    View                        view;
    Status                      status;
    view_init(&view, &m, NULL);
    Ode *ode = ode_new(&view, &o, 0.0, x0, &status);
    bool implicit = false;
    while (ode_time(ode) < 60.0) {
        assert_int_equal(ode_step(ode, 60.0), STATUS_OK);
        implicit = implicit || strcmp(ode_method(ode), "tsit5") != 0;
    }
    assert_true(implicit);
    assert_string_equal(ode_method(ode), "tsit5");
    ode_free(ode);
    view_free(&view);
}

/* ---- packed subsets ---------------------------------------------------------------- */

enum { CHAIN = 12 };

EVAL(chain) { /* nonlinear diffusion; evaluates the selected rows only */
    (void)fault;
    long *count = instance;
    for (int q = 0; q < selection_count(rows, CHAIN); q++) {
        const int    i = selection_row(rows, q);
        const double l = i > 0 ? x[i - 1] : sin(t), r = i < CHAIN - 1 ? x[i + 1] : 0.0;
        dx[i] = 5.0 * (l - 2.0 * x[i] + r) - x[i] * x[i] * x[i];
        ++*count;
    }
    return STATUS_OK;
}
typedef struct Border {
    double left, right; /* values of the states beside the subset */
    int    calls;
} Border;
static void set_border(void *owner, double t, double *x) {
    Border *b = owner;
    b->calls++;
    x[3] = b->left * t;
    x[8] = b->right * t;
}

static void subsets_are_packed(void **state) {
    (void)state;
    static const int pick[] = {4, 5, 6, 7};
    int              start[CHAIN + 1], row[3 * CHAIN], q = 0;
    for (int j = 0; j < CHAIN; j++) {
        start[j] = q;
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < CHAIN) row[q++] = i;
    }
    start[CHAIN] = q;
    const Pattern               pattern = {CHAIN, CHAIN, start, row};
    static const ModelFunctions fn = {.eval = chain};
    long                        evaluated = 0;
    const Model m = {.nx = CHAIN, .fn = &fn, .pattern = &pattern, .instance = &evaluated};
    const Selection          some = {SELECT_LIST, 0, 4, pick};
    static const char *const names[] = {"tsit5", "esdirk4", "rodas5p", "radauIIA3",
                                        "lobattoIIIA4"};
    double                   first[4] = {0};
    for (int k = 0; k < LENGTH(names); k++) {
        View       view;
        Border     border = {1.0, -2.0, 0};
        Status     status;
        OdeOptions o = {.method = names[k], .rtol = 1e-8};
        evaluated = 0;
        assert_int_equal(view_init(&view, &m, &some), STATUS_OK);
        assert_int_equal(view.n, 4);
        assert_int_equal(pattern_entries(view.pattern), 10);
        view.boundary = set_border;
        view.owner = &border;
        const double x0[] = {0.1, 0.2, 0.3, 0.4};
        Ode         *ode = ode_new(&view, &o, 0.0, x0, &status);
        assert_int_equal(ode_advance(ode, 1.0, true), STATUS_OK);
        const OdeStatistics s = ode_statistics(ode);
        assert_int_equal(evaluated, 4 * s.rhs_calls); /* O(active), never more */
        assert_int_equal(s.rhs_rows, evaluated);
        assert_int_equal(s.state_steps, 4 * s.steps_accepted);
        for (int i = 0; i < 4; i++) {
            if (k == 0) first[i] = ode_state(ode)[i];
            assert_true(fabs(ode_state(ode)[i] - first[i]) < 1e-5);
        }
        assert_true(border.calls > 0);
        ode_free(ode);
        view_free(&view);
    }
}

/* ---- Jacobians: values, tangents and differences agree ----------------------------- */

static Status chain_tangent(void *instance, double t, const double *x,
                            const Selection *rows, int seeds, const double *seed,
                            double *out, Fault *fault) {
    (void)instance, (void)t, (void)fault;
    for (int k = 0; k < seeds; k++)
        for (int q = 0; q < selection_count(rows, CHAIN); q++) {
            const int     i = selection_row(rows, q);
            const double *s = seed + k * CHAIN;
            const double  l = i > 0 ? s[i - 1] : 0.0, r = i < CHAIN - 1 ? s[i + 1] : 0.0;
            out[k * CHAIN + i] = 5.0 * (l - 2.0 * s[i] + r) - 3.0 * x[i] * x[i] * s[i];
        }
    return STATUS_OK;
}

static void jacobians_agree(void **state) {
    (void)state;
    int start[CHAIN + 1], row[3 * CHAIN], q = 0;
    for (int j = 0; j < CHAIN; j++) {
        start[j] = q;
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < CHAIN) row[q++] = i;
    }
    start[CHAIN] = q;
    const Pattern               pattern = {CHAIN, CHAIN, start, row};
    static const ModelFunctions plain = {.eval = chain},
                                tangent = {.eval = chain, .tangent = chain_tangent};
    long  counted = 0;
    Model a = {.nx = CHAIN, .fn = &plain, .pattern = &pattern, .instance = &counted};
    Model b = {.nx = CHAIN, .fn = &tangent, .pattern = &pattern, .instance = &counted};
    static const int pick[] = {1, 2, 9};
    const Selection  some = {SELECT_LIST, 0, 3, pick};
    for (int part = 0; part < 2; part++) {
        View   u, v;
        double x[CHAIN], dx[CHAIN], ja[3 * CHAIN], jb[3 * CHAIN];
        for (int i = 0; i < CHAIN; i++) x[i] = 0.3 + 0.1 * i;
        view_init(&u, &a, part ? &some : NULL);
        view_init(&v, &b, part ? &some : NULL);
        assert_int_equal(view_eval(&u, 0.5, x, dx), STATUS_OK);
        assert_int_equal(view_jacobian(&u, 0.5, x, dx, NULL, ja), STATUS_OK);
        assert_int_equal(view_jacobian(&v, 0.5, x, dx, NULL, jb), STATUS_OK);
        assert_int_equal(u.rhs_calls, 1 + (part ? u.colouring.colours : 3)); /* colours */
        for (int e = 0; e < pattern_entries(u.pattern); e++)
            assert_true(fabs(ja[e] - jb[e]) < 1e-5);
        assert_true(fabs(jb[0] - (-10.0 - 3.0 * x[0] * x[0])) < 1e-12);
        view_free(&u);
        view_free(&v);
    }
}

/* Jacobian and factors are kept while they serve; a stage needs few iterations. */
static void work_is_not_repeated(void **state) {
    (void)state;
    int start[CHAIN + 1], row[3 * CHAIN], q = 0;
    for (int j = 0; j < CHAIN; j++) {
        start[j] = q;
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < CHAIN) row[q++] = i;
    }
    start[CHAIN] = q;
    const Pattern               pattern = {CHAIN, CHAIN, start, row};
    static const ModelFunctions fn = {.eval = chain, .tangent = chain_tangent};
    long                        counted = 0;
    const Model  m = {.nx = CHAIN, .fn = &fn, .pattern = &pattern, .instance = &counted};
    const double x0[CHAIN] = {0};
    double       x[CHAIN];
    const OdeOptions    dirk = {.method = "esdirk4", .rtol = 1e-8};
    const OdeStatistics a = run(&m, &dirk, 20.0, x0, x);
    assert_true(2 * a.jacobians < a.steps_accepted);
    assert_true(2 * a.factorizations < a.steps_accepted);
    assert_true((double)a.newton_iterations < 2.0 * (double)a.stages_implicit);
    const OdeOptions    firk = {.method = "radauIIA3", .rtol = 1e-8};
    const OdeStatistics b = run(&m, &firk, 20.0, x0, x);
    assert_true(b.jacobians < b.steps_accepted);
    assert_true((double)b.newton_iterations < 3.0 * (double)b.steps_accepted);
}

/* Two views of one model on the same full-length vectors. */
static void views_share_vectors(void **state) {
    (void)state;
    static const int            left[] = {0, 1, 2}, right[] = {3, 4, 5};
    static const ModelFunctions fn = {.eval = chain};
    long                        counted = 0;
    const Model                 m = {.nx = CHAIN, .fn = &fn, .instance = &counted};
    const Selection a = {SELECT_LIST, 0, 3, left}, b = {SELECT_LIST, 0, 3, right};
    double          x[CHAIN] = {0}, dx[CHAIN] = {0}, out[3];
    View            u, v;
    assert_int_equal(view_init(&u, &m, &a), STATUS_OK);
    assert_int_equal(view_init(&v, &m, &b), STATUS_OK);
    view_share(&u, x, dx);
    view_share(&v, x, dx);
    const double one[] = {1.0, 2.0, 3.0}, two[] = {4.0, 5.0, 6.0};
    view_eval(&u, 0.0, one, out);
    view_eval(&v, 0.0, two, out); /* sees x[2] = 3 */
    assert_true(fabs(out[0] - (5.0 * (3.0 - 8.0 + 5.0) - 64.0)) < 1e-12);
    assert_true(x[1] == 2.0 && x[4] == 5.0 && counted == 6);
    view_free(&u);
    view_free(&v);
}

EVAL(switched) { /* linear, but its coefficient jumps at events */
    UNUSED;
    dx[0] = -*(const double *)instance * x[0];
    return STATUS_OK;
}
JACOBIAN(switched_j) {
    UNUSED_J;
    j[0] = -*(const double *)instance;
    return STATUS_OK;
}
static void restart_forgets_a_constant_jacobian(void **state) {
    (void)state;
    static const ModelFunctions fn = {.eval = switched, .jacobian = switched_j};
    double                      rate = 1.0, x0 = 1.0;
    const Model m = {.nx = 1, .fn = &fn, .flags = MODEL_LINEAR, .instance = &rate};
    static const char *const names[] = {"esdirk4", "radauIIA3", "auto"};
    for (int i = 0; i < LENGTH(names); i++) {
        const OdeOptions o = {.method = names[i], .rtol = 1e-8};
        View             view;
        Status           status;
        rate = 1.0;
        view_init(&view, &m, NULL);
        Ode *ode = ode_new(&view, &o, 0.0, &x0, &status);
        assert_int_equal(ode_advance(ode, 1.0, true), STATUS_OK);
        rate = 50.0;
        assert_int_equal(ode_restart(ode, 1.0, NULL), STATUS_OK);
        assert_int_equal(ode_advance(ode, 1.1, true), STATUS_OK);
        assert_true(fabs(ode_state(ode)[0] - exp(-6.0)) < 1e-7);
        ode_free(ode);
        view_free(&view);
    }
}

static void sundials_agree(void **state) {
    (void)state;
    if (!sundials_present()) skip();
    double       mu = 20.0, x[2], y[2];
    const double x0[2] = {2.0, 0.0};
    const Model  m = {.nx = 2, .fn = &vdp_fn, .flags = MODEL_AUTONOMOUS, .instance = &mu};
    const OdeOptions o = {.rtol = 1e-8};
    run(&m, &o, 30.0, x0, x);
    for (int k = PEER_CVODE; k <= PEER_ARKODE_EXPLICIT; k++) {
        View          view;
        OdeStatistics s;
        view_init(&view, &m, NULL);
        memcpy(y, x0, sizeof y);
        assert_int_equal(sundials_solve((SundialsKind)k, &view, &o, 0, 0.0, 30.0, y, &s),
                         STATUS_OK);
        assert_true(fabs(x[0] - y[0]) < 1e-4);
        assert_true(s.steps_accepted > 10 && s.rhs_calls > 10);
        view_free(&view);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stable_methods_stay_bounded),
        cmocka_unit_test(every_adaptive_method_meets_its_tolerance),
        cmocka_unit_test(linear_stages_cost_one_evaluation),
        cmocka_unit_test(estimators_and_controllers),
        cmocka_unit_test(filter_saves_steps),
        cmocka_unit_test(dense_output_is_free_of_steps),
        cmocka_unit_test(restart_keeps_the_step),
        cmocka_unit_test(automatic_switches_both_ways),
        cmocka_unit_test(automatic_returns_to_explicit),
        cmocka_unit_test(subsets_are_packed),
        cmocka_unit_test(jacobians_agree),
        cmocka_unit_test(work_is_not_repeated),
        cmocka_unit_test(views_share_vectors),
        cmocka_unit_test(restart_forgets_a_constant_jacobian),
        cmocka_unit_test(sundials_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
