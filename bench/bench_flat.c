/* SPDX-License-Identifier: Apache-2.0 */
/* bench_flat.c -- time and memory from text to rows against the size of array models.
 *
 *   bench_flat [FOLDER ...]
 *
 * Two models written here: a cascade of first-order lags (one for-equation) and a chain of
 * connected components. With folders of the ScalableTestSuite and of the Modelica library it
 * adds five models of that suite. Times are of flatten and rows, parsing excluded; bytes are
 * those of the finished rows and of the flat model, per scalar equation; peak is the memory of
 * the whole process, which is a new one for every line. Shapes must not grow. */
#define _DEFAULT_SOURCE
#include "flat/flat.h"
#include "inst/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char cascade[] =
    "model M\n  parameter Integer N = %d;\n  parameter Real T = 1;\n"
    "  Real x[N](each start = 0);\n  Real u = time;\nequation\n"
    "  der(x[1]) = (u - x[1])/T;\n"
    "  for i in 2:N loop\n    der(x[i]) = (x[i - 1] - x[i])/T;\n  end for;\nend M;\n";

static const char chain[] =
    "package P\n  connector C\n    Real T;\n    flow Real Q;\n  end C;\n"
    "  model Wall\n    C a;\n    C b;\n    parameter Real G = 1;\n  equation\n"
    "    a.Q = G*(a.T - b.T);\n    a.Q + b.Q = 0;\n  end Wall;\n"
    "  model Mass\n    C c;\n    parameter Real H = 1;\n    Real T(start = 1);\n  "
    "equation\n"
    "    H*der(T) = c.Q;\n    c.T = T;\n  end Mass;\n"
    "  model M\n    parameter Integer N = %d;\n    Wall w[N];\n    Mass m[N + 1];\n  "
    "equation\n"
    "    for i in 1:N loop\n      connect(m[i].c, w[i].a);\n      connect(w[i].b, m[i + "
    "1].c);\n"
    "    end for;\n  end M;\nend P;\n";

static const struct {
    const char *title, *text;
} suite[] = {
    {"CascadedFirstOrder",
     "model M extends ScalableTestSuite.Elementary.SimpleODE.Models.CascadedFirstOrder"
     "(N = %d); end M;\n"},
    {"HeatTransferTI_FD",
     "model M extends ScalableTestSuite.Thermal.HeatConduction.Models."
     "OneDHeatTransferTI_FD(L = 0.2, N = %d, T0 = 273.15, TN = 330, cp = 910, "
     "lambda = 237, rho = 2712); end M;\n"},
    {"HeatTransferTI_Mod",
     "model M extends ScalableTestSuite.Thermal.HeatConduction.Models."
     "OneDHeatTransferTI_Modelica(L = 0.2, N = %d, cp = 910, rho = 2712, lambda = 237, "
     "A = 0.05, T0 = 273.15, TN = 330); end M;\n"},
    {"HarmonicOscillator",
     "model M extends ScalableTestSuite.Mechanical.HarmonicOscillator.Models."
     "HarmonicOscillator(N = %d); end M;\n"},
    {"HeatingSystem",
     "model M extends ScalableTestSuite.Thermal.DistrictHeating.Models.HeatingSystem"
     "(N = %d); end M;\n"},
};

typedef struct Folders {
    char **item;
    int    count;
} Folders;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void one(const char *title, const char *format, const char *name, int n,
                Folders folders) {
    char    text[2000];
    Session session;
    Library library;
    session_init(&session);
    library_init(&library, &session);
    char path[] = "/tmp/rubato-bench-XXXXXX";
    int  file = mkstemp(path);
    if (file < 0) return;
    char mo[64];
    snprintf(mo, sizeof mo, "%s.mo", path);
    snprintf(text, sizeof text, format, n);
    FILE *out = fopen(mo, "w");
    if (!out) return;
    fputs(text, out);
    fclose(out);
    for (int k = 0; k < folders.count; k++) library_add(&library, folders.item[k]);
    library_open(&library, mo, NULL);
    double     before = seconds();
    Front     *front = front_new(&session, &library);
    FlatModel *model = flat_model(front, name);
    double     flat = seconds() - before;
    before = seconds();
    Rows  *rows = model && model->ok ? rows_of_model(model) : NULL;
    double lower = seconds() - before;
    if (rows)
        printf("%-18s %8d %9lld %9.2f %9.2f %12.2f %9.1f %10.1f %7d", title, n,
               (long long)model->equations, 1e3 * flat, 1e3 * lower,
               1e-6 * (double)model->equations / (flat + lower),
               (double)system_bytes(&rows->sys) / (double)model->equations,
               (double)front->arena.used / (double)model->equations, rows->shapes.count);
    rows_free(rows);
    front_free(front);
    library_free(&library);
    session_free(&session);
    remove(mo);
    remove(path);
}

/* In a process of its own, so that its peak of memory is known. */
static void measure(const char *title, const char *format, const char *name, int n,
                    Folders folders) {
    fflush(stdout);
    pid_t         child = fork();
    int           status;
    struct rusage use;
    if (child == 0) {
        one(title, format, name, n, folders);
        fflush(stdout);
        _exit(0);
    }
    if (child > 0 && wait4(child, &status, 0, &use) == child)
        printf(" %8.1f\n", (double)use.ru_maxrss / 1024);
}

int main(int count, char **argument) {
    Folders none = {0}, folders = {argument + 1, count - 1};
    printf("model                     N equations   flat/ms   rows/ms Mequations/s "
           "bytes/row "
           "flat bytes  shapes  peak/MB\n");
    for (int n = 1000; n <= 1000000; n *= 10) measure("cascade", cascade, "M", n, none);
    for (int n = 1000; n <= 1000000; n *= 10) measure("chain", chain, "P.M", n, none);
    for (int k = 0; count > 1 && k < LENGTH(suite); k++)
        for (int n = 1000; n <= 1000000; n *= 10)
            measure(suite[k].title, suite[k].text, "M", n, folders);
    return 0;
}
