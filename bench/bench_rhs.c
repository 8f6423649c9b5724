/* SPDX-License-Identifier: Apache-2.0 */
/* bench_rhs.c -- one right-hand side: generated code in both tiers beside a hand-written loop for
 * the same equations, and what it took to get there.
 *
 * Heat conduction with temperatures and flows as separate variables, 2n + 1 equations. */
#include "live/live.h"
#include "translate/translate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) static void by_hand(const double *T, double *Q, double *dT,
                                              double k, double t, int n) {
    Q[0] = sin(t);
    for (int i = 1; i < n; i++) Q[i] = k * (T[i - 1] - T[i]);
    Q[n] = 0;
    for (int i = 0; i < n; i++) dT[i] = Q[i] - Q[i + 1];
}

static int reals(System *sys, VarKind kind, int n) {
    int run = system_run(sys, kind, TYPE_REAL, n, -1, 0);
    return sys->run[run].first;
}

static void equation(Row *row, Shapes *shapes, Term a, Term b) {
    row_end(row, ROWS_EQUATION, expr_2(shapes, TERM_EQUATION, a, b), 0, 0, 0);
}

static void heat(System *sys, int n) {
    static const int one[] = {1};
    Shapes          *s = sys->shapes;
    Row              row = {0};
    int T = reals(sys, VAR_CONTINUOUS, n), Q = reals(sys, VAR_CONTINUOUS, n + 1);
    int p = system_run(sys, VAR_PARAMETER, TYPE_REAL, 1, -1, 0);
    system_value(sys, p, ATTR_BINDING, 3);
    row_begin(&row, sys, 1, (int[]){n});
    Term der = row_var(&row, system_der(sys, T), one), in = row_var(&row, Q, one);
    equation(&row, s, der, expr_sub(s, in, row_var(&row, Q + 1, one)));
    row_begin(&row, sys, 1, (int[]){n - 1});
    Term q = row_var(&row, Q + 1, one), k = row_var(&row, sys->run[p].first, NULL);
    Term a = row_var(&row, T, one), b = row_var(&row, T + 1, one);
    equation(&row, s, q, expr_2(s, TERM_MUL, k, expr_sub(s, a, b)));
    row_begin(&row, sys, 0, NULL);
    equation(&row, s, row_var(&row, Q, NULL), expr_1(s, TERM_SIN, expr_time(s)));
    row_begin(&row, sys, 0, NULL);
    equation(&row, s, row_var(&row, Q + n, NULL), expr_real(s, 0));
    row_free(&row);
}

/* Evaluations in a row that are timed together: some clocks tick in microseconds. */
static int together(int n) {
    return n < 100000 ? 100000 / n : 1;
}

static double time_model(Instance *instance, const double *x, double *dx, int n,
                         int rounds) {
    Fault     fault;
    Selection all = {0};
    double    best = 1e9;
    for (int r = 0; r < rounds / together(n) + 20; r++) {
        double t = now();
        for (int k = 0; k < together(n); k++)
            instance->model.fn->eval(instance, 0.5, x, &all, dx, &fault);
        t = (now() - t) / together(n);
        if (t < best) best = t;
    }
    return best;
}

/* The program of the equations, as translate/driver.c makes it. */
static void translate(Translation *t, System *sys) {
    translate_open_parts(t, 0);
    Structure *run = &t->part[PART_RUN].structure;
    Structure *bindings = &t->part[PART_BINDINGS].structure;
    structure_analyse(run, sys, NULL);
    structure_bindings(bindings, sys, NULL, 0, NULL);
    structure_initial(&t->part[PART_START].structure, run, bindings, &t->session->diag);
    translate_run(t, "schedule", "emit");
}

/* Time to compile the code of the run, in seconds; below 0: failed. */
static double time_code(const Program *program, const CodeOptions *options) {
    Text    why = {0};
    double  t = now();
    Binary *binary = binary_new(&program->part[PART_RUN], options, &why);
    t = now() - t;
    if (!binary) printf("%s\n", text_get(&why));
    text_free(&why);
    binary_free(binary);
    return binary ? t : -1;
}

static void compare(int n, const double *dx, const double *own) {
    for (int i = 0; i < n; i++)
        if (fabs(dx[i] - own[i]) > 1e-12) printf("differs at %d\n", i);
}

static bool measure(int n) {
    static const CodeOptions options[2] = {{.tier = 0},
                                           {.tier = 1, .cache = "build/bench-cache"}};
    Strings                  strings;
    Shapes                   shapes;
    System                   sys;
    Session                  session;
    Translation              t = {.session = &session, .target = "Heat"};
    strings_init(&strings);
    shapes_init(&shapes, &strings);
    system_init(&sys, &shapes);
    session_init(&session);
    double t0 = now();
    heat(&sys, n);
    translate(&t, &sys);
    double t1 = now();
    translate_run(&t, "tables", "freeze");
    Program *program = t.program;
    double   t2 = now(), made[2], tier[2] = {0};
    bool     fine = program != NULL;
    double  *x = malloc((size_t)n * 3 * sizeof *x), *dx = x + n, *own = x + 2 * n;
    double  *Q = malloc(((size_t)n + 1) * sizeof *Q), hand = 1e9;
    int      rounds = 20000000 / n < 20 ? 20 : 20000000 / n > 2000 ? 2000 : 20000000 / n;
    for (int i = 0; i < n; i++) x[i] = cos(0.1 * i);
    for (int r = 0; r < rounds / together(n) + 20; r++) {
        double begun = now();
        for (int k = 0; k < together(n); k++) {
            by_hand(x, Q, own, 3, 0.5, n);
            __asm__ volatile("" ::: "memory"); /* each one counts */
        }
        hand = fmin(hand, (now() - begun) / together(n));
    }
    for (int k = 0; k < 2 && fine; k++) {
        Text     why = {0};
        Instance instance;
        made[k] = time_code(program, &options[k]);
        Common *common = made[k] < 0 ? NULL : common_new(program, &options[k], &why);
        fine = common && instance_open(&instance, common);
        if (fine) {
            tier[k] = time_model(&instance, x, dx, n, rounds);
            compare(n, dx, own);
            instance_free(&instance);
        }
        common_free(common);
        text_free(&why);
    }
    if (fine)
        printf("%9d %9.2f %9.2f %9.2f %9.2f %10.1f %10.1f %10.1f %7.2f %7.2f\n",
               2 * n + 1, 1e3 * (t1 - t0), 1e3 * (t2 - t1), 1e3 * made[0], 1e3 * made[1],
               1e6 * hand, 1e6 * tier[0], 1e6 * tier[1], tier[0] / hand, tier[1] / hand);
    free(x);
    free(Q);
    program_free(program);
    translate_close(&t);
    session_free(&session);
    system_free(&sys);
    shapes_free(&shapes);
    strings_free(&strings);
    return fine;
}

int main(void) {
    printf("%9s %9s %9s %9s %9s %10s %10s %10s %7s %7s\n", "equations", "plan ms",
           "freeze ms", "tier0 ms", "tier1 ms", "hand us", "tier0 us", "tier1 us",
           "tier0/", "tier1/");
    for (int n = 1000; n <= 1000000; n *= 10)
        if (!measure(n)) return 1;
    return 0;
}
