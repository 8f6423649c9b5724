/* SPDX-License-Identifier: Apache-2.0 */
/* bench_ode.c -- work and precision of the integrators beside CVODE, IDA and ARKODE.
 *
 *   bench_ode [problem...] [figures] [--methods NAME,NAME...] [--quick]
 *
 * Every solver runs every problem at tolerances 1e-3 .. 1e-10 (the SUNDIALS ones from
 * 1e-2 to 1e-12, so that their curves cover ours). Time is that of the integration
 * proper, the best of several runs, set-up excluded on both sides. At the error each of
 * our runs achieved, the competitor's time is read off its own curve, interpolated in
 * logarithms; the ratio against the best competitor is printed per run, with losses
 * marked, and its geometric mean at the end.
 *
 * Only the end of a problem counts, for us as for SUNDIALS, whose dense output nobody controls; so
 * errors inside steps do not shorten ours. A name that ends in "+inside" is a method that controls them,
 * as a simulation does: its mean is told apart. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ode/figures.h"
#include "ode/problems.h"

enum { TOLERANCES = 8, POINTS = 12, SOLVERS = 12 };

typedef struct Point { /* one run */
    double        tolerance, error, seconds;
    double        total; /* seconds with set-up */
    OdeStatistics s;
    Status        status;
} Point;

typedef struct Curve {
    const char *name;
    Point       point[POINTS];
    int         count;
} Curve;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double distance(const Problem *p, const double *x, const double *reference) {
    double sum = 0.0;
    for (int i = 0; i < p->model.nx; i++) {
        const double e = (x[i] - reference[i]) / (fabs(reference[i]) + p->floor);
        sum += e * e;
    }
    return sqrt(sum / p->model.nx);
}

static OdeOptions options_for(const Problem *p, double tolerance, const char *method) {
    OdeOptions o = {.method = method,
                    .rtol = tolerance,
                    .max_steps = method ? 3000000 : 400000,
                    .end_only = true};
    o.atol = p->atol_fixed > 0.0 ? p->atol_fixed : tolerance * p->atol;
    return o;
}

/* One run of ours; the final state goes to x. */
static Status run_ours(const Problem *p, const OdeOptions *o, double *x, OdeStatistics *s,
                       double *seconds) {
    View   view;
    Status status = view_init(&view, &p->model, NULL);
    if (status != STATUS_OK) return status;
    Ode *ode = ode_new(&view, o, p->t0, p->x0, &status);
    if (ode) {
        const double start = now();
        if (p->pause > 0.0) {
            status = ode_advance(ode, p->pause, true);
            if (status == STATUS_OK)
                status = ode_restart(ode, nextafter(p->pause, p->t1), NULL);
        }
        if (status == STATUS_OK) status = ode_advance(ode, p->t1, true);
        *seconds = now() - start;
        *s = ode_statistics(ode);
        memcpy(x, ode_state(ode), sizeof(double) * (size_t)p->model.nx);
    }
    ode_free(ode);
    view_free(&view);
    return status;
}

static Status run_theirs(const Problem *p, const OdeOptions *o, SundialsKind kind,
                         int order, double *x, OdeStatistics *s, double *seconds) {
    View   view;
    Status status = view_init(&view, &p->model, NULL);
    if (status != STATUS_OK) return status;
    memcpy(x, p->x0, sizeof(double) * (size_t)p->model.nx);
    double t = p->t0;
    *seconds = 0.0;
    if (p->pause > 0.0) {
        status = sundials_solve(kind, &view, o, order, t, p->pause, x, s);
        *seconds += s->time_simulate;
        t = nextafter(p->pause, p->t1);
    }
    if (status == STATUS_OK) {
        OdeStatistics more;
        status = sundials_solve(kind, &view, o, order, t, p->t1, x, &more);
        *seconds += more.time_simulate;
        if (p->pause > 0.0) {
            more.steps_accepted += s->steps_accepted;
            more.factorizations += s->factorizations;
        }
        *s = more;
    }
    view_free(&view);
    return status;
}

typedef struct Solver {
    const char  *name;
    const char  *method; /* ours, NULL for SUNDIALS */
    SundialsKind kind;
    int          order;
    bool         inside; /* errors inside steps count */
} Solver;

/* "auto+inside": the method is kept in text. */
static Solver solver_of(const char *name, char *text, size_t bytes) {
    const char *plus = strchr(name, '+');
    snprintf(text, bytes, "%.*s", plus ? (int)(plus - name) : (int)strlen(name), name);
    return (Solver){.name = name, .method = text, .inside = plus != NULL};
}

static Point measure(const Problem *p, const Solver *s, double tolerance,
                     const double *reference, double *x) {
    Point      point = {.tolerance = tolerance, .seconds = HUGE_VAL, .total = HUGE_VAL};
    OdeOptions o = options_for(p, tolerance, s->method);
    o.end_only = !s->inside;
    double       spent = 0.0;
    const double start = now();
    for (int k = 0; k < 200 && (k < 2 || now() - start < 0.02); k++) {
        double       seconds = 0.0;
        const double begun = now();
        point.status = s->method
                           ? run_ours(p, &o, x, &point.s, &seconds)
                           : run_theirs(p, &o, s->kind, s->order, x, &point.s, &seconds);
        point.total = fmin(point.total, now() - begun);
        point.seconds = fmin(point.seconds, seconds);
        spent += seconds;
        if (point.status != STATUS_OK || spent > 0.4) break;
    }
    point.error = point.status == STATUS_OK ? distance(p, x, reference) : HUGE_VAL;
    if (!isfinite(point.error)) point.error = HUGE_VAL;
    return point;
}

/* Time a curve needs for an error, by logarithms; HUGE_VAL if it never gets there. */
static double time_at(const Curve *c, double error, bool total) {
    double best = HUGE_VAL;
    for (int i = 0; i < c->count; i++) {
        const Point *a = &c->point[i];
        const double ta = total ? a->total : a->seconds;
        if (a->error <= error) best = fmin(best, ta); /* at least as good */
        for (int k = 0; k < c->count; k++) { /* between a worse and a better point */
            const Point *b = &c->point[k];
            if (!(a->error > error && b->error <= error && a->error < HUGE_VAL)) continue;
            const double low = fmax(b->error, 1e-16);
            const double f = log(a->error / error) / log(a->error / low);
            const double tb = total ? b->total : b->seconds;
            best = fmin(best, exp(log(ta) * (1.0 - f) + log(tb) * f));
        }
    }
    return best;
}

/* Two methods of different families at 1e-13; returns how far they are apart. */
static double compute_reference(const Problem *p, double *reference, double *other) {
    OdeStatistics s;
    double        seconds;
    const char   *first = p->stiff ? "radauIIA7" : "verner9";
    const char   *second = p->stiff ? "lobattoIIIC5" : "gauss6";
    OdeOptions    o = options_for(p, p->stiff ? 1e-13 : 2e-14, first);
    if (run_ours(p, &o, reference, &s, &seconds) != STATUS_OK) return HUGE_VAL;
    o = options_for(p, p->stiff ? 1e-13 : 2e-14, second);
    if (run_ours(p, &o, other, &s, &seconds) != STATUS_OK) return HUGE_VAL;
    return distance(p, other, reference);
}

static void print_point(const char *name, const Point *p, double ratio) {
    printf("  %-14s %7.0e %9.1e %10.4f %8ld %8ld %7ld %7ld %7ld", name, p->tolerance,
           p->error, p->seconds * 1e3, p->s.steps_accepted, p->s.rhs_calls,
           p->s.jacobians, p->s.factorizations + p->s.refactorizations,
           p->s.steps_rejected);
    if (p->status != STATUS_OK) printf("  %s", status_text(p->status));
    else if (ratio > 0.0) printf("  %6.2f%s", ratio, ratio > 1.0 ? " loses" : "");
    printf("\n");
}

typedef struct Sum { /* of logarithms */
    double sum;
    int    count, losses;
} Sum;

static void add(Sum *s, double ratio) {
    s->sum += log(ratio);
    s->count++;
    s->losses += ratio > 1.0;
}
static double mean(const Sum *s) {
    return s->count ? exp(s->sum / s->count) : NAN;
}

typedef struct Choice {
    const char *methods[SOLVERS];
    int         count;
    bool        quick;
} Choice;

static void run_problem(const Problem *p, const Choice *choice, Sum *automatic,
                        Sum *inside, Sum *fixed, Sum *with_setup) {
    static const char *const truths[] = {"exact", "published", "computed twice at 1e-13"};
    const int                n = p->model.nx;
    double                  *x = calloc((size_t)n, sizeof(double));
    double                  *computed = calloc((size_t)n, sizeof(double));
    const double            *reference = p->reference;
    Curve *ours = calloc(SOLVERS, sizeof *ours), *theirs = calloc(SOLVERS, sizeof *ours);
    if (!x || !computed || !ours || !theirs) return;
    printf("\n%s  (n = %d, t = %g .. %g; reference %s", p->what, n, p->t0, p->t1,
           truths[p->truth]);
    if (!reference) {
        const double apart = compute_reference(p, computed, x);
        printf(", agreeing to %.0e", apart);
        reference = computed;
    }
    printf(")\n  %-14s %7s %9s %10s %8s %8s %7s %7s %7s  time / best of SUNDIALS\n",
           "solver", "tol", "error", "ms", "steps", "rhs", "jac", "LU", "reject");
    fflush(stdout);
    const Solver sundials[] = {{"cvode", NULL, PEER_CVODE, 0, false},
                               {"ida", NULL, PEER_IDA, 0, false},
                               {"arkode", NULL, PEER_ARKODE, 4, false},
                               {"arkode5", NULL, PEER_ARKODE, 5, false},
                               {"cvode-adams", NULL, PEER_CVODE_ADAMS, 0, false},
                               {"arkode-erk", NULL, PEER_ARKODE_EXPLICIT, 0, false}};
    int          rivals = p->stiff ? 4 : 6;
    if (!sundials_present()) rivals = 0;
    for (int k = 0; k < rivals; k++) {
        Curve *c = &theirs[k];
        c->name = sundials[k].name;
        for (int e = 2; e <= 12; e += choice->quick ? 2 : 1) {
            Point q = measure(p, &sundials[k], pow(10.0, -e), reference, x);
            c->point[c->count++] = q;
            if (e >= 3 && e <= 10) print_point(c->name, &q, 0.0);
            if (q.seconds > 2.0) break;
        }
    }
    for (int k = 0; k < choice->count; k++) {
        char         text[32];
        const Solver s = solver_of(choice->methods[k], text, sizeof text);
        Method      *m = method_new(s.method); /* NULL for "auto" */
        const bool   hopeless = m && m->kind == METHOD_EXPLICIT && p->stiff;
        method_free(m);
        ours[k].name = s.name;
        if (hopeless) continue;
        Curve *c = &ours[k];
        c->name = s.name;
        for (int e = 3; e <= 10; e += choice->quick ? 2 : 1) {
            Point  q = measure(p, &s, pow(10.0, -e), reference, x);
            double best = HUGE_VAL;
            for (int r = 0; r < rivals; r++)
                if (q.status == STATUS_OK)
                    best = fmin(best, time_at(&theirs[r], q.error, false));
            const double ratio = isfinite(best) ? q.seconds / best : 0.0;
            c->point[c->count++] = q;
            print_point(c->name, &q, ratio);
            if (s.inside && ratio > 0.0) add(inside, ratio);
            if (k == 0 && ratio > 0.0) {
                double whole = HUGE_VAL;
                for (int r = 0; r < rivals; r++)
                    whole = fmin(whole, time_at(&theirs[r], q.error, true));
                add(automatic, ratio);
                if (isfinite(whole)) add(with_setup, q.total / whole);
            }
        }
    }
    /* the best fixed method at the errors the automatic choice achieved */
    for (int i = 0; i < ours[0].count && choice->count > 1; i++) {
        const double error = ours[0].point[i].error;
        double       best = HUGE_VAL, rival = HUGE_VAL;
        for (int k = 1; k < choice->count; k++)
            if (!strchr(choice->methods[k], '+'))
                best = fmin(best, time_at(&ours[k], error, false));
        for (int r = 0; r < rivals; r++)
            rival = fmin(rival, time_at(&theirs[r], error, false));
        if (isfinite(best) && isfinite(rival)) add(fixed, best / rival);
    }
    fflush(stdout);
    free(x), free(computed), free(ours), free(theirs);
}

int main(int argc, char **argv) {
    Choice   choice = {.methods = {"auto", "auto+inside", "tsit5", "verner7", "esdirk4",
                                   "esdirk5", "rodas5p", "radauIIA3", "radauIIA5",
                                   "radauIIA7"},
                       .count = 10};
    int      count, wanted = 0;
    Problem *all = problems_new(&count);
    if (!all) return 1;
    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--quick") == 0) {
            choice.quick = true;
        } else if (strcmp(argv[a], "--methods") == 0 && a + 1 < argc) {
            choice.count = 0;
            for (char *m = strtok(argv[++a], ","); m && choice.count < SOLVERS;
                 m = strtok(NULL, ","))
                choice.methods[choice.count++] = m;
        } else {
            wanted++;
        }
    }
    if (!sundials_present()) printf("This build has no SUNDIALS: no ratios.\n");
    Sum automatic = {0}, inside = {0}, fixed = {0}, with_setup = {0};
    for (int i = 0; i < count; i++) {
        bool run = wanted == 0;
        for (int a = 1; a < argc; a++) run = run || strcmp(argv[a], all[i].name) == 0;
        if (!run) continue;
        Sum one = {0}, two = {0};
        run_problem(&all[i], &choice, &one, &inside, &two, &with_setup);
        printf("  %s: time / best of SUNDIALS at equal error: %s %.2f, best fixed %.2f\n",
               all[i].name, choice.methods[0], mean(&one), mean(&two));
        automatic.sum += one.sum, automatic.count += one.count;
        automatic.losses += one.losses;
        fixed.sum += two.sum, fixed.count += two.count, fixed.losses += two.losses;
    }
    printf(
        "\nGeometric mean of time / best of CVODE, IDA, ARKODE at equal achieved error:\n"
        "  %-12s %.3f over %d runs, %d of them lost\n  %-12s %.3f over %d runs, %d "
        "lost\n",
        choice.methods[0], mean(&automatic), automatic.count, automatic.losses,
        "best fixed", mean(&fixed), fixed.count, fixed.losses);
    if (inside.count > 0)
        printf("  with errors inside steps controlled: %.3f over %d runs, %d lost\n",
               mean(&inside), inside.count, inside.losses);
    if (with_setup.count > 0)
        printf("  with set-up and tear-down on both sides: %.3f, %d of %d lost\n",
               mean(&with_setup), with_setup.losses, with_setup.count);
    problems_free(all, count);
    bool figures = wanted == 0;
    for (int a = 1; a < argc; a++) figures = figures || strcmp(argv[a], "figures") == 0;
    if (figures) {
        figure_linear_stages();
        figure_factorisation();
        figure_orders();
    }
    return 0;
}
