/* SPDX-License-Identifier: Apache-2.0 */
/* bench_structure.c -- time and memory from families of rows to ordered blocks.
 *
 * Three models of n cells, built as the front end builds them, n = 10^3 ... 10^6. The last
 * columns must not grow with n: nanoseconds and bytes per scalar equation, shapes. */
#include "dae/dae.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Work {
    Strings strings;
    Shapes  shapes;
    System  sys;
    Row     row;
} Work;

static int reals(Work *w, VarKind kind, int count) {
    int run = system_run(&w->sys, kind, TYPE_REAL, count, -1, 0);
    return w->sys.run[run].first;
}

static Term op(Work *w, TermOp o, Term a, Term b) {
    return expr_2(&w->shapes, o, a, b);
}

static void end_row(Work *w, Term left, Term right) {
    row_end(&w->row, ROWS_EQUATION, op(w, TERM_EQUATION, left, right), 0, 0, 0);
}

static const int one[] = {1};

/* der(x[i]) = (x[i-1] - x[i])/tau */
static void cascade(Work *w, int n) {
    int x = reals(w, VAR_CONTINUOUS, n), tau = reals(w, VAR_PARAMETER, 1);
    row_begin(&w->row, &w->sys, 1, (int[]){n - 1});
    Term der = row_var(&w->row, system_der(&w->sys, x + 1), one);
    Term a = row_var(&w->row, x, one), b = row_var(&w->row, x + 1, one);
    end_row(w, der,
            op(w, TERM_DIV, expr_sub(&w->shapes, a, b), row_var(&w->row, tau, NULL)));
    row_begin(&w->row, &w->sys, 0, NULL);
    end_row(w, row_var(&w->row, system_der(&w->sys, x), NULL),
            expr_sub(&w->shapes, expr_time(&w->shapes), row_var(&w->row, x, NULL)));
}

/* heat conduction with flows: c*der(T[i]) = Q[i] - Q[i+1], Q[i] = k*(T[i-1] - T[i]) and the
 * connection equations of an object-oriented model as aliases */
static void heat(Work *w, int n) {
    int T = reals(w, VAR_CONTINUOUS, n), Q = reals(w, VAR_CONTINUOUS, n + 1);
    int port = reals(w, VAR_CONTINUOUS, n), c = reals(w, VAR_PARAMETER, 1);
    row_begin(&w->row, &w->sys, 1, (int[]){n});
    Term der = row_var(&w->row, system_der(&w->sys, T), one);
    Term in = row_var(&w->row, Q, one), out = row_var(&w->row, Q + 1, one);
    end_row(w, op(w, TERM_MUL, row_var(&w->row, c, NULL), der),
            expr_sub(&w->shapes, in, out));
    row_begin(&w->row, &w->sys, 1, (int[]){n - 1});
    Term q = row_var(&w->row, Q + 1, one), k = row_var(&w->row, c, NULL);
    Term a = row_var(&w->row, port, one), b = row_var(&w->row, port + 1, one);
    end_row(w, q, op(w, TERM_MUL, k, expr_sub(&w->shapes, a, b)));
    row_begin(&w->row, &w->sys, 1, (int[]){n});
    end_row(w, row_var(&w->row, port, one), row_var(&w->row, T, one));
    for (int side = 0; side < 2; side++) {
        row_begin(&w->row, &w->sys, 0, NULL);
        end_row(w, row_var(&w->row, side ? Q + n : Q, NULL), expr_real(&w->shapes, 0));
    }
}

/* x[i] = sin(x[i-1]) + time: one long dependency */
static void chain(Work *w, int n) {
    int x = reals(w, VAR_CONTINUOUS, n);
    row_begin(&w->row, &w->sys, 1, (int[]){n - 1});
    Term a = row_var(&w->row, x + 1, one), b = row_var(&w->row, x, one);
    end_row(w, a,
            op(w, TERM_ADD, expr_1(&w->shapes, TERM_SIN, b), expr_time(&w->shapes)));
    row_begin(&w->row, &w->sys, 0, NULL);
    end_row(w, row_var(&w->row, x, NULL), expr_time(&w->shapes));
}

int main(void) {
    static const struct {
        const char *name;
        void (*make)(Work *w, int n);
    } model[] = {{"cascade", cascade}, {"heat", heat}, {"chain", chain}};
    printf("%-8s %10s %7s %6s %6s %9s %10s %9s %9s %8s\n", "model", "equations", "states",
           "blocks", "shapes", "build ms", "analyse ms", "plan ms", "ns/eq", "peak MB");
    for (int k = 0; k < LENGTH(model); k++)
        for (int n = 1000; n <= 1000000; n *= 10) {
            Work      w = {0};
            Structure st;
            Plan      plan;
            double    t0 = now();
            strings_init(&w.strings);
            shapes_init(&w.shapes, &w.strings);
            system_init(&w.sys, &w.shapes);
            model[k].make(&w, n);
            double t1 = now();
            bool   fine = structure_analyse(&st, &w.sys, NULL);
            double t2 = now();
            if (fine) plan_make(&plan, &st);
            double        t3 = now();
            struct rusage usage;
            getrusage(RUSAGE_SELF, &usage);
            int rows = w.sys.set[ROWS_EQUATION].rows;
            printf("%-8s %10d %7d %6d %6d %9.3f %10.2f %9.2f %9.0f %8.0f  %s\n",
                   model[k].name, rows, st.states, st.blocks, w.shapes.count,
                   1e3 * (t1 - t0), 1e3 * (t2 - t1), 1e3 * (t3 - t2),
                   1e9 * (t3 - t0) / rows, (double)usage.ru_maxrss / 1024,
                   fine ? "" : "FAILED");
            if (fine) plan_free(&plan);
            structure_free(&st);
            row_free(&w.row);
            system_free(&w.sys);
            shapes_free(&w.shapes);
            strings_free(&w.strings);
        }
    return 0;
}
