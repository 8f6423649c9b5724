/* SPDX-License-Identifier: Apache-2.0 */
/* bench_rate.c -- what multi-rate integration gains, and that it loses nothing.
 *
 *   bench_rate [model...] [--quick]
 *
 * Every model runs at several tolerances with one rate, with the number of levels chosen,
 * with two and three levels, and with IDA on the same Jacobian and KLU. Errors are global:
 * weighted root mean square at the end against a reference at 1e-11. Times of different
 * solvers are compared at equal error, read off their own curves in logarithms. The six
 * figures at the end are the claims of docs/multirate.md. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rate/models.h"
#include "rate/threads.h"
#include "rate/rate.h"

enum { POINTS = 8, SOLVERS = 5 };

typedef struct Point {
    double         tolerance, error, seconds;
    double         state_steps, rhs_rows;
    RateStatistics s;
    Status         status;
} Point;

typedef struct Curve {
    const char *name;
    int         rates; /* -1: IDA */
    int         count;
    Point       point[POINTS];
} Curve;

typedef struct Setting { /* how a model is run */
    const char *name;
    int         size;
    double      stop;        /* 0: the model's own */
    double      h_max;       /* 0: none            */
    int         first, last; /* powers of ten of the tolerances */
} Setting;

static const Setting settings[] = {
    {"inverter", 1000, 60.0, 1.0, 5, 8},  {"front", 1000, 1.0, 0.0, 4, 8},
    {"burgers", 600, 5.0, 0.0, 4, 8},     {"heating", 100, 500.0, 0.0, 5, 7},
    {"exogenous", 100, 500.0, 0.0, 5, 7}, {"chip", 30, 1.0, 0.0, 4, 7},
    {"kpr2", 2, 5.0, 0.0, 4, 8},          {"kpr3", 3, 5.0, 0.0, 4, 8},
    {"savcenco", 2, 5.0, 0.0, 4, 8},      {"delay", 200, 10.0, 0.0, 4, 8},
    {"power", 40, 40.0, 0.0, 4, 8},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double distance(const Case *c, const double *x, const double *reference) {
    double sum = 0.0;
    for (int i = 0; i < c->model.nx; i++) {
        const double nominal = c->nominal ? c->nominal[i] : 1.0;
        const double e = (x[i] - reference[i]) / (fabs(reference[i]) + nominal);
        sum += e * e;
    }
    return sqrt(sum / c->model.nx);
}

static RateOptions options_for(const Setting *s, double tolerance, int rates) {
    RateOptions o = {.rates = rates};
    o.ode.method = "rodas4";
    o.ode.rtol = o.ode.atol = tolerance;
    o.ode.h_max = s->h_max;
    return o;
}

static Point run(const Case *c, const Setting *s, double tolerance, int rates,
                 const double *reference, double *x) {
    Point       p = {.tolerance = tolerance, .status = STATUS_OK};
    const int   n = c->model.nx;
    RateOptions o = options_for(s, tolerance, rates < 0 ? 1 : rates);
    double      begin = now();
    p.seconds = HUGE_VAL;
    for (int k = 0; k < 20 && (k == 0 || now() - begin < 0.15); k++) {
        memcpy(x, c->x0, sizeof(double) * (size_t)n);
        const double start = now();
        if (rates < 0) {
            View view;
            o.ode.linear = SHIFT_SPARSE;
            p.status = view_init(&view, &c->model, NULL);
            if (p.status == STATUS_OK)
                p.status = sundials_solve(PEER_IDA, &view, &o.ode, 0, c->t0, c->t1, x,
                                          &p.s.total);
            view_free(&view);
            p.s.total.state_steps = p.s.total.steps_accepted * n;
            p.seconds = fmin(p.seconds, p.s.total.time_simulate);
        } else {
            Rate *r = rate_new(&c->model, &o, c->t0, c->x0, &p.status);
            if (!r) return p;
            p.status = rate_advance(r, c->t1, true);
            memcpy(x, rate_state(r), sizeof(double) * (size_t)n);
            p.s = rate_statistics(r);
            rate_free(r);
            p.seconds = fmin(p.seconds, now() - start);
        }
        if (p.status != STATUS_OK) break;
    }
    p.error = p.status == STATUS_OK ? fmax(distance(c, x, reference), 1e-15) : HUGE_VAL;
    p.state_steps = (double)p.s.total.state_steps;
    p.rhs_rows = (double)p.s.total.rhs_rows;
    return p;
}

/* A quantity of a curve at an error, by logarithms between its neighbours. */
typedef double Quantity(const Point *p);
static double  seconds_of(const Point *p) {
     return p->seconds;
}
static double steps_of(const Point *p) {
    return p->state_steps;
}
static double at_error(const Curve *c, double error, Quantity *of) {
    double best = HUGE_VAL;
    for (int i = 0; i < c->count; i++) {
        const Point *a = &c->point[i];
        if (a->error <= error) best = fmin(best, of(a));
        for (int k = 0; k < c->count; k++) {
            const Point *b = &c->point[k];
            if (!(a->error > error && b->error <= error && a->error < HUGE_VAL)) continue;
            const double f = log(a->error / error) / log(a->error / b->error);
            best = fmin(best, exp(log(of(a)) * (1.0 - f) + log(of(b)) * f));
        }
    }
    return best;
}

static bool reference_of(Case *c, const Setting *s, double *x) {
    if (c->exact) {
        c->exact(c, c->t1, x);
        return true;
    }
    RateOptions o = options_for(s, 1e-11, 1);
    Status      status;
    o.ode.method = "radauIIA5";
    Rate *r = rate_new(&c->model, &o, c->t0, c->x0, &status);
    if (!r) return false;
    status = rate_advance(r, c->t1, true);
    memcpy(x, rate_state(r), sizeof(double) * (size_t)c->model.nx);
    rate_free(r);
    return status == STATUS_OK;
}

typedef struct Summary { /* of one model: the ratios the figures want */
    char   name[32];
    double wall, wall_ida, steps; /* single, IDA, single over auto, at equal error */
    double same;                  /* time of auto over single at the same tolerance */
    double error;                 /* largest error of auto over single              */
} Summary;

static void print_point(const char *name, const Point *p) {
    printf("  %-7s %6.0e %10.2f %12.0f %12.0f %9.1e %7ld %8ld %8ld", name, p->tolerance,
           p->seconds * 1e3, p->state_steps, p->rhs_rows, p->error, p->s.steps[0],
           p->s.steps[1], p->s.steps[2]);
    if (p->status != STATUS_OK) printf("  %s", status_text(p->status));
    printf("\n");
}

static bool run_model(const Setting *s, bool quick, Summary *sum) {
    static const char *const names[SOLVERS] = {"1", "auto", "2", "3", "ida"};
    static const int         rates[SOLVERS] = {1, 0, 2, 3, -1};
    Case                    *c = case_new(s->name, s->size);
    if (!c) return false;
    if (s->stop > 0.0) c->t1 = s->stop;
    const int n = c->model.nx;
    double   *reference = malloc(sizeof(double) * (size_t)n);
    double   *x = malloc(sizeof(double) * (size_t)n);
    Curve    *curve = calloc(SOLVERS, sizeof *curve);
    bool      ok = reference && x && curve && reference_of(c, s, reference);
    printf("\n%s: %d states, t = %g .. %g%s\n", s->name, n, c->t0, c->t1,
           ok ? "" : "  (no reference)");
    printf("  %-7s %6s %10s %12s %12s %9s %7s %8s %8s\n", "rates", "tol", "ms",
           "state_steps", "rhs_rows", "error", "steps 0", "1", "2");
    *sum = (Summary){.error = 0.0};
    snprintf(sum->name, sizeof sum->name, "%s", s->name);
    for (int k = 0; ok && k < SOLVERS; k++) {
        if (rates[k] < 0 && !sundials_present()) continue;
        curve[k].name = names[k];
        curve[k].rates = rates[k];
        for (int e = s->first; e <= (quick ? s->first + 1 : s->last); e++) {
            Point p = run(c, s, pow(10.0, -e), rates[k], reference, x);
            curve[k].point[curve[k].count++] = p;
            print_point(names[k], &p);
            fflush(stdout);
        }
    }
    if (ok) {
        const int    middle = curve[1].count / 2;
        const Point *p = &curve[1].point[0]; /* the others must reach its error */
        sum->wall = at_error(&curve[0], p->error, seconds_of) / p->seconds;
        sum->wall_ida = at_error(&curve[4], p->error, seconds_of) / p->seconds;
        sum->steps = at_error(&curve[0], p->error, steps_of) / p->state_steps;
        sum->same = curve[1].point[middle].seconds / curve[0].point[middle].seconds;
        for (int i = 0; i < curve[0].count; i++) {
            const double ratio =
                curve[1].point[i].error /
                fmax(curve[0].point[i].error, 0.1 * curve[0].point[i].tolerance);
            sum->error = fmax(sum->error, ratio);
        }
        printf("  at the error of auto at %.0e: single rate %.1f times the time and %.1f "
               "times the state steps, IDA %.1f times the time\n",
               p->tolerance, sum->wall, sum->steps, sum->wall_ida);
    }
    free(reference), free(x), free(curve);
    case_free(c);
    return ok;
}

/* ---- figure 2 ---------------------------------------------------------------------------- */

enum { WINDOW = 12 };

typedef struct Clock { /* a model that notes when selected rows are evaluated */
    const Model *model;
    const int   *rows;         /* of the last evaluation          */
    double       time[WINDOW]; /* of the last evaluations of them */
    int          count;
    double       least; /* shortest time of WINDOW - 1 evaluations in a row */
    long         calls;
} Clock;

static Status clock_eval(void *owner, double t, const double *x, const Selection *rows,
                         double *dx, Fault *fault) {
    Clock       *c = owner;
    const Status status = c->model->fn->eval(c->model->instance, t, x, rows, dx, fault);
    if (rows->kind != SELECT_LIST || rows->count > 3) return status;
    c->calls++;
    if (rows->row != c->rows) c->count = 0;
    c->rows = rows->row;
    c->time[c->count++ % WINDOW] = now();
    if (c->count >= WINDOW)
        c->least =
            fmin(c->least, c->time[(c->count - 1) % WINDOW] - c->time[c->count % WINDOW]);
    return status;
}
static Status clock_jacobian(void *owner, double t, const double *x,
                             const Selection *columns, double *value, Fault *fault) {
    const Clock *c = owner;
    return c->model->fn->jacobian(c->model->instance, t, x, columns, value, fault);
}

static void three_fast(void *owner, int level, double t, int n, const int *state,
                       unsigned char *fast) {
    (void)owner, (void)level, (void)t, (void)n, (void)state;
    fast[0] = fast[1] = fast[2] = 1;
}

/* Seconds in which all three fast states take one small step: evaluations per step times the
 * shortest time between evaluations that follow one another. The states are in rooms of their
 * own and nothing else is fast, so nothing is watched but their rooms. */
static double inner_step_time(int rooms) {
    static const ModelFunctions fn = {.eval = clock_eval, .jacobian = clock_jacobian};
    Case                       *c = case_new("exogenous", rooms);
    if (!c) return NAN;
    Clock       clock = {.model = &c->model, .least = HUGE_VAL};
    Model       model = c->model;
    RateOptions o = {.rates = 2, .partition = three_fast};
    Status      status;
    model.fn = &fn;
    model.instance = &clock;
    o.ode.rtol = o.ode.atol = 1e-8;
    Rate *r = rate_new(&model, &o, 0.0, c->x0, &status);
    for (int k = 0; r && k < 12 && status == STATUS_OK; k++) status = rate_step(r, 1e9);
    const double steps = r ? (double)rate_statistics(r).state_steps[1] / 3.0 : 0.0;
    rate_free(r);
    case_free(c);
    return (double)clock.calls / steps * clock.least / (WINDOW - 1);
}

static void figure_heating(bool quick) {
    printf("\nFigure 2: heating system\n");
    Case  *c = case_new("heating", 20);
    Status status;
    if (!c) return;
    RateOptions o = {.rates = 2};
    o.ode.rtol = o.ode.atol = 1e-6;
    Rate *r = rate_new(&c->model, &o, 0.0, c->x0, &status);
    if (r && rate_advance(r, quick ? 500.0 : 3000.0, true) == STATUS_OK) {
        const RateStatistics s = rate_statistics(r);
        printf("  N = 20, refinements by active states:");
        for (int k = 0; k < 6; k++)
            printf("  %d..%d: %ld", 1 << k, (2 << k) - 1, s.active[k]);
        printf("  (of 41)\n");
    }
    rate_free(r);
    case_free(c);
    double least[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL,
                       HUGE_VAL}; /* of rounds: processors change their pace */
    for (int round = 0; round < 5; round++)
        for (int k = 0, rooms = 50; k < 4; k++, rooms *= 10)
            least[k] = fmin(least[k], inner_step_time(rooms));
    printf("  time of a small step with 3 active states:");
    for (int k = 0, rooms = 50; k < 4; k++, rooms *= 10)
        printf("  N = %d: %.2f us", 2 * rooms, 1e6 * least[k]);
    printf("\n");
    const int     rooms = quick ? 200 : 1000;
    const Setting s = {"heating", rooms, quick ? 20.0 : 50.0, 0.0, 6, 6};
    c = case_new(s.name, rooms);
    if (!c) return;
    c->t1 = s.stop;
    double *ref = malloc(sizeof(double) * (size_t)c->model.nx);
    double *work = malloc(sizeof(double) * (size_t)c->model.nx);
    if (ref && work && reference_of(c, &s, ref)) {
        const Point one = run(c, &s, 1e-6, 1, ref, work);
        const Point many = run(c, &s, 1e-6, 0, ref, work);
        printf("  N = %d, t = %g: single rate %.2f s (error %.1e), auto %.3f s (error "
               "%.1e): %.1f times\n",
               rooms, s.stop, one.seconds, one.error, many.seconds, many.error,
               one.seconds / many.seconds);
    }
    free(ref), free(work);
    case_free(c);
}

/* ---- figure 4 --------------------------------------------------------------------- */

static double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Least processor time of runs that alternate, so that both see the same machine. */
static void figure_no_gain(void) {
    static const char *const names[] = {"delay", "power"};
    printf("\nFigure 4: models without gain, processor time of auto over single rate\n");
    for (int m = 0; m < LENGTH(names); m++) {
        Case *c = case_new(names[m], 0);
        if (!c) continue;
        printf("  %-10s", names[m]);
        for (int e = 4; e <= 8; e++) {
            double least[2] = {HUGE_VAL, HUGE_VAL};
            for (int k = 0; k < 40; k++) {
                Status      status;
                RateOptions o = {.rates = k % 2 ? 0 : 1};
                o.ode.method = "rodas4";
                o.ode.rtol = o.ode.atol = pow(10.0, -e);
                const double begin = processor_time();
                Rate        *r = rate_new(&c->model, &o, c->t0, c->x0, &status);
                if (r) rate_advance(r, m == 0 ? 10.0 : 40.0, true);
                rate_free(r);
                least[k % 2] = fmin(least[k % 2], processor_time() - begin);
            }
            printf("  1e-%d: %.2f", e, least[1] / least[0]);
            fflush(stdout);
        }
        printf("\n");
        case_free(c);
    }
}

/* ---- figure 5 --------------------------------------------------------------------- */

/* Smaller sizes, so that every model runs at every tolerance. */
static const Setting error_settings[] = {
    {"inverter", 100, 30.0, 1.0, 4, 9},  {"front", 300, 0.5, 0.0, 4, 9},
    {"burgers", 300, 5.0, 0.0, 4, 9},    {"heating", 20, 500.0, 0.0, 4, 9},
    {"exogenous", 20, 500.0, 0.0, 4, 9}, {"chip", 15, 1.0, 0.0, 4, 9},
    {"kpr2", 2, 5.0, 0.0, 4, 9},         {"kpr3", 3, 5.0, 0.0, 4, 9},
    {"savcenco", 2, 5.0, 0.0, 4, 9},     {"cells", 100, 20.0, 0.0, 4, 9},
    {"delay", 100, 10.0, 0.0, 4, 9},     {"power", 40, 40.0, 0.0, 4, 9},
};

enum { MOMENTS = 10 };

/* The states at MOMENTS equal distances, one after the other. */
static bool path_of(const Setting *s, double tolerance, int rates, const char *method,
                    double *path) {
    Case *c = case_new(s->name, s->size);
    if (!c) return false;
    RateOptions  o = options_for(s, tolerance, rates);
    const size_t n = (size_t)c->model.nx;
    Status       status;
    o.ode.method = method;
    Rate *r = rate_new(&c->model, &o, c->t0, c->x0, &status);
    for (int k = 1; k <= MOMENTS && r && status == STATUS_OK; k++) {
        const double t = c->t0 + k * (s->stop - c->t0) / MOMENTS;
        if (rate_time(r) < t) status = rate_advance(r, t, k == MOMENTS);
        if (status == STATUS_OK) status = rate_dense(r, t, path + (size_t)(k - 1) * n);
    }
    rate_free(r);
    case_free(c);
    return r && status == STATUS_OK;
}

static double path_error(const Case *c, const double *x, const double *reference) {
    double sum = 0.0;
    for (int k = 0; k < MOMENTS; k++) {
        const size_t at = (size_t)k * (size_t)c->model.nx;
        const double e = distance(c, x + at, reference + at);
        sum += e * e;
    }
    return sqrt(sum / MOMENTS);
}

static void figure_errors(void) {
    double worst = 0.0, worst_share = 0.0;
    printf(
        "\nFigure 5: global error (root mean square over ten moments and all states) of "
        "auto over that of single rate\n  %-10s",
        "model");
    for (int e = 4; e <= 9; e++) printf("   1e-%d (error)", e);
    printf("\n");
    for (int k = 0; k < LENGTH(error_settings); k++) {
        const Setting *s = &error_settings[k];
        Case          *c = case_new(s->name, s->size);
        const size_t   all = c ? MOMENTS * (size_t)c->model.nx : 0;
        double        *path[3];
        bool           ok = c != NULL;
        for (int i = 0; i < 3; i++) {
            path[i] = malloc(sizeof(double) * (all + 1));
            ok = ok && path[i];
        }
        printf("  %-10s", s->name);
        if (ok && path_of(s, 1e-11, 1, "radauIIA5", path[0]))
            for (int e = s->first; e <= s->last; e++) {
                const double tolerance = pow(10.0, -e);
                if (!path_of(s, tolerance, 1, "rodas4", path[1]) ||
                    !path_of(s, tolerance, 0, "rodas4", path[2])) {
                    printf("  failed");
                    worst = HUGE_VAL;
                    continue;
                }
                const double one = path_error(c, path[1], path[0]);
                const double many = path_error(c, path[2], path[0]);
                worst = fmax(worst, many / one);
                if (many > 2.0 * one) worst_share = fmax(worst_share, many / tolerance);
                printf(" %5.2f (%.0e)", many / one, one);
                fflush(stdout);
            }
        printf("\n");
        for (int i = 0; i < 3; i++) free(path[i]);
        case_free(c);
    }
    printf(
        "  largest ratio: %.2f; largest error over tolerance where it exceeds 2: %.2f\n",
        worst, worst_share);
}

/* ---- figure 3 --------------------------------------------------------------------- */

enum { EVENTS = 20000 };
typedef struct Log {
    double t[EVENTS];
    int    count;
} Log;

static void on_event(void *owner, double t, const Selection *which) {
    Log *log = owner;
    (void)which;
    if (log->count < EVENTS) log->t[log->count++] = t;
}

static RateStatistics run_cells(const char *method, double tolerance, double stop,
                                int rates, bool cones, Log *log) {
    Case          *c = case_new("cells", 100);
    Status         status;
    RateStatistics s = {0};
    log->count = 0;
    if (!c) return s;
    RateOptions o = {.rates = rates, .no_cones = !cones, .event = on_event, .owner = log};
    o.ode.method = method;
    o.ode.rtol = o.ode.atol = tolerance;
    Rate *r = rate_new(&c->model, &o, 0.0, c->x0, &status);
    if (r && rate_advance(r, stop, true) == STATUS_OK) s = rate_statistics(r);
    rate_free(r);
    case_free(c);
    return s;
}

static double times_apart(const Log *a, const Log *b) {
    double worst = a->count == b->count ? 0.0 : HUGE_VAL;
    for (int i = 0; i < a->count && i < b->count; i++)
        worst = fmax(worst, fabs(a->t[i] - b->t[i]) / a->t[i]);
    return worst;
}

static void figure_cells(void) {
    static const int rates[] = {2, 3, 0};
    Log             *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    const double     stop = 127.0;
    printf("\nFigure 3: 100 cells of which 20 switch\n");
    if (a && b) {
        const RateStatistics all = run_cells("rodas4", 1e-6, stop, 1, false, a);
        printf("  1e-6, all crossings, one rate: %ld events, %ld crossing_rows, %ld "
               "rhs_rows\n",
               all.events, all.crossing_rows, all.total.rhs_rows);
        for (int k = 0; k < 3; k++) {
            const RateStatistics s = run_cells("rodas4", 1e-6, stop, rates[k], true, b);
            const RateStatistics same =
                run_cells("rodas4", 1e-6, stop, rates[k], false, b);
            printf("  by cone, rates %d: %ld events, %ld crossing_rows (1/%.1f), %ld "
                   "rhs_rows (1/%.1f); all crossings at the same rates: 1/%.1f, 1/%.1f\n",
                   rates[k], s.events, s.crossing_rows,
                   (double)all.crossing_rows / (double)s.crossing_rows, s.total.rhs_rows,
                   (double)all.total.rhs_rows / (double)s.total.rhs_rows,
                   (double)same.crossing_rows / (double)s.crossing_rows,
                   (double)same.total.rhs_rows / (double)s.total.rhs_rows);
        }
        run_cells("rodas5p", 1e-12, 10.0, 1, false, a);
        for (int k = 0; k < LENGTH(rates); k++) {
            run_cells("rodas5p", 1e-12, 10.0, rates[k], true, b);
            printf("  1e-12, rates %d: %d event times apart by at most %.1e relative\n",
                   rates[k], b->count, times_apart(a, b));
        }
    }
    free(a), free(b);
}

/* ---- orders on KPR ---------------------------------------------------------------- */

/* Level 0 keeps state 0, level 1 state 1, level 2 the rest. */
static void nested(void *owner, int level, double t, int n, const int *state,
                   unsigned char *fast) {
    (void)owner, (void)t;
    for (int i = 0; i < n; i++) fast[i] = state[i] > level;
}

/* Error at t = 2 with constant steps, those of a level RATE_FIXED times those below it. */
static double kpr_error(int levels, const char *method, double h) {
    Case  *c = case_new(levels == 2 ? "kpr2" : "kpr3", 0);
    Status status;
    double exact[3], e = NAN;
    if (!c) return e;
    RateOptions o = {.rates = levels, .partition = nested};
    o.ode.method = method;
    o.ode.h_fixed = h;
    o.ode.rtol = o.ode.atol = 1e-13;
    Rate *r = rate_new(&c->model, &o, 0.0, c->x0, &status);
    if (r && rate_advance(r, 2.0, true) == STATUS_OK) {
        c->exact(c, 2.0, exact);
        e = distance(c, rate_state(r), exact);
    }
    rate_free(r);
    case_free(c);
    return e;
}

/* From the two finest steps whose errors are above what differences for df/dt leave. */
static double kpr_order(int levels, const char *method) {
    double h = levels == 2 ? 0.05 : 0.025, order = NAN;
    double coarse = kpr_error(levels, method, h);
    for (int k = 0; k < 6; k++) {
        const double fine = kpr_error(levels, method, h *= 0.5);
        if (!(fine > 1e-10)) break;
        order = log2(coarse / fine);
        coarse = fine;
    }
    return order;
}

static void figure_orders(void) {
    static const struct {
        const char *method;
        int         order;
    } tries[] = {{"esdirk3", 3},   {"rodas4", 4},    {"esdirk4", 4}, {"rodas5p", 5},
                 {"radauIIA2", 3}, {"radauIIA3", 5}, {"tsit5", 5}};
    printf("\nFigure 5: orders on KPR with constant steps, measured (of the method)\n");
    for (int levels = 2; levels <= 3; levels++) {
        printf("  %d levels:", levels);
        for (int k = 0; k < LENGTH(tries); k++)
            printf("  %s %.2f (%d)", tries[k].method, kpr_order(levels, tries[k].method),
                   tries[k].order);
        printf("\n");
    }
}

/* -------------------------------------------------------------------------------------------- */

int main(int argc, char **argv) {
    Summary sum[LENGTH(settings)] = {0};
    int     count = 0;
    bool    quick = false, named = false;
    for (int i = 1; i < argc; i++) {
        quick = quick || strcmp(argv[i], "--quick") == 0;
        named = named || argv[i][0] != '-';
    }
    for (int k = 0; k < LENGTH(settings); k++) {
        bool wanted = !named;
        for (int i = 1; i < argc; i++)
            wanted = wanted || strcmp(argv[i], settings[k].name) == 0;
        if (wanted && run_model(&settings[k], quick, &sum[count])) count++;
    }
    printf("\nFigures 1, 4, 5: at equal error, single rate and IDA over auto; at equal "
           "tolerance, time and error of auto over single rate\n");
    printf("  %-10s %12s %12s %12s %12s %12s\n", "model", "wall", "IDA + KLU",
           "state_steps", "time auto/1", "error auto/1");
    for (int k = 0; k < count; k++)
        printf("  %-10s %12.2f %12.2f %12.2f %12.2f %12.2f\n", sum[k].name, sum[k].wall,
               sum[k].wall_ida, sum[k].steps, sum[k].same, sum[k].error);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "figure2") == 0) figure_heating(quick);
        if (strcmp(argv[i], "figure3") == 0) figure_cells();
        if (strcmp(argv[i], "figure4") == 0) figure_no_gain();
        if (strcmp(argv[i], "figure5") == 0) figure_errors();
        if (strcmp(argv[i], "figure5") == 0 || strcmp(argv[i], "orders") == 0)
            figure_orders();
    }
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "figure6") == 0) figure_threads();
    if (!named) figure_heating(quick);
    if (!named) figure_cells();
    if (!named) figure_no_gain();
    if (!named && !quick) figure_errors();
    if (!named) figure_orders();
    if (!named) figure_threads();
    return 0;
}
