/* SPDX-License-Identifier: Apache-2.0 */
/* bench_rhs.c -- one right-hand side: generated code in both tiers beside a hand-written loop for
 * the same equations, and what it took to get there.
 *
 * Heat conduction with temperatures and flows as separate variables, 2n + 1 equations. */
#include "live/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void by_hand(const double *T, double *Q, double *dT, double k, double t, int n) {
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

static double time_model(Instance *instance, const double *x, double *dx, int rounds) {
    Fault     fault;
    Selection all = {0};
    double    best = 1e9;
    for (int r = 0; r < rounds; r++) {
        double t = now();
        instance->model.fn->eval(instance, 0.5, x, &all, dx, &fault);
        t = now() - t;
        if (t < best) best = t;
    }
    return best;
}

int main(void) {
    printf("%9s %9s %9s %9s %10s %10s %10s %7s %7s\n", "equations", "plan ms", "tier0 ms",
           "tier1 ms", "hand us", "tier0 us", "tier1 us", "tier0/", "tier1/");
    for (int n = 1000; n <= 1000000; n *= 10) {
        Strings   strings;
        Shapes    shapes;
        System    sys;
        Structure st;
        Plan      plan;
        Text      text = {0}, why = {0};
        Image     image[2] = {{0}, {0}};
        strings_init(&strings);
        shapes_init(&shapes, &strings);
        system_init(&sys, &shapes);
        double t0 = now();
        heat(&sys, n);
        structure_analyse(&st, &sys, NULL);
        plan_make(&plan, &st);
        plan_fuse(&plan);
        gen_text(&plan, NULL, &text);
        double t1 = now();
        bool   fine = image_tcc(&image[0], text_get(&text), &why);
        double t2 = now();
        fine =
            image_native(&image[1], text_get(&text), "build/bench-cache", &why) && fine;
        double t3 = now();
        if (!fine) {
            printf("%s\n", text_get(&why));
            return 1;
        }
        double *x = malloc((size_t)n * 3 * sizeof *x), *dx = x + n, *own = x + 2 * n;
        double *Q = malloc(((size_t)n + 1) * sizeof *Q), hand = 1e9, tier[2];
        int rounds = 20000000 / n < 20 ? 20 : 20000000 / n > 2000 ? 2000 : 20000000 / n;
        for (int i = 0; i < n; i++) x[i] = cos(0.1 * i);
        for (int r = 0; r < rounds; r++) {
            double t = now();
            by_hand(x, Q, own, 3, 0.5, n);
            t = now() - t;
            if (t < hand) hand = t;
        }
        for (int k = 0; k < 2; k++) {
            Instance instance;
            instance_open(&instance, &plan, &image[k]);
            tier[k] = time_model(&instance, x, dx, rounds);
            for (int i = 0; i < n; i++)
                if (fabs(dx[i] - own[i]) > 1e-12) printf("differs at %d\n", i);
            instance_free(&instance);
        }
        printf("%9d %9.2f %9.2f %9.2f %10.1f %10.1f %10.1f %7.2f %7.2f\n", 2 * n + 1,
               1e3 * (t1 - t0), 1e3 * (t2 - t1), 1e3 * (t3 - t2), 1e6 * hand,
               1e6 * tier[0], 1e6 * tier[1], tier[0] / hand, tier[1] / hand);
        free(x);
        free(Q);
        image_free(&image[0]);
        image_free(&image[1]);
        text_free(&text);
        text_free(&why);
        plan_free(&plan);
        structure_free(&st);
        system_free(&sys);
        shapes_free(&shapes);
        strings_free(&strings);
    }
    return 0;
}
