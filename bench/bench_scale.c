/* SPDX-License-Identifier: Apache-2.0 */
/* bench_scale.c -- right-hand sides of scalable models: generated code beside loops by hand.
 *
 *   bench_scale N LIBRARY...
 *
 * The models come from the ScalableTestSuite in the libraries named, translated from their text.
 * Each is evaluated in both tiers and by a loop in C for the same equations, in the same run; the
 * derivatives must agree. The last column is the generated code of tier 1 alone, without what the
 * instance does around it. Translation is measured by tools/scale.py. */
#define _DEFAULT_SOURCE
#include "live/live.h"
#include "translate/translate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void Hand(int n, double t, const double *x, double *dx, double *work);

static void cascade(int n, double t, const double *x, double *dx, double *work) {
    double tau = 1.0 / n;
    (void)t, (void)work;
    dx[0] = (1 - x[0]) / tau;
    for (int i = 1; i < n; i++) dx[i] = (x[i - 1] - x[i]) / tau;
}

static const double length = 0.2, warm = 330, heat = 910, conduct = 237, density = 2712;

static void differences(int n, double t, const double *x, double *dx, double *work) {
    double d = length / (n - 1);
    int    m = n - 1;
    (void)t, (void)work;
    dx[0] = conduct * ((x[1] - x[0]) / d) / heat / density / d;
    for (int i = 1; i < m - 1; i++)
        dx[i] = conduct * ((x[i + 1] - x[i]) / d + (-x[i] + x[i - 1]) / d) / heat /
                density / d;
    dx[m - 1] = conduct * ((warm - x[m - 1]) / d + (-x[m - 1] + x[m - 2]) / d) / heat /
                density / d;
}

static void components(int n, double t, const double *x, double *dx, double *work) {
    double g = conduct / (length / (n - 1)), c = heat * density * length / (n - 1);
    int    m = n - 1;
    (void)t;
    for (int i = 0; i < m - 1; i++) work[i] = g * (x[i] - x[i + 1]);
    work[m - 1] = g * (x[m - 1] - warm);
    dx[0] = -work[0] / c;
    for (int i = 1; i < m; i++) dx[i] = (work[i - 1] - work[i]) / c;
}

static void oscillator(int n, double t, const double *x, double *dx, double *work) {
    const double *v = x + n;
    double        k = 10, m = 1;
    (void)t, (void)work;
    for (int i = 0; i < n; i++) dx[i] = v[i];
    dx[n] = k * (x[1] - x[0]) / m;
    for (int i = 1; i < n - 1; i++)
        dx[n + i] = (k * (x[i - 1] - x[i]) + k * (x[i + 1] - x[i])) / m;
    dx[2 * n - 1] = k * (x[n - 2] - x[n - 1]) / m;
}

static double saturate(double x, double low, double high) {
    return tanh(2 * (x - low) / (high - low) - 1) * (high - low) / 2 + (high + low) / 2;
}

static void heating(int n, double t, const double *x, double *dx, double *work) {
    const double *unit = x + 1, *mode = x + 1 + n;
    double        store = x[0], outside = 278.15 + 8 * sin(2 * acos(-1.0) * t / 86400);
    double        most = 3000.0 * n, sum = 0;
    for (int i = 0; i < n; i++) {
        double u = saturate(15 * mode[i], -0.5, 0.5) + 0.5;
        double capacity = (1 + 1.348 * i / (n - 1)) * 1e7;
        work[i] = 200 * (store - unit[i]) * u;
        sum += work[i];
        dx[1 + i] = (work[i] - 150 * (unit[i] - outside)) / capacity;
        dx[1 + n + i] =
            50 * (-(mode[i] + 0.5) * (mode[i] - 0.5) * mode[i] / 0.0474 * 0.5 +
                  (293.15 - unit[i]));
    }
    dx[0] = (saturate(most / 4 * (343.15 - store), 0, most) - sum) / (2e6 * n);
}

static const struct {
    const char *name, *text;
    Hand       *hand;
} models[] = {
    {"CascadedFirstOrder", "Elementary.SimpleODE.Models.CascadedFirstOrder(N = %d)",
     cascade},
    {"OneDHeatTransferTI_FD",
     "Thermal.HeatConduction.Models.OneDHeatTransferTI_FD(L = 0.2, N = %d, T0 = 273.15, "
     "TN = 330, cp = 910, lambda = 237, rho = 2712)",
     differences},
    {"OneDHeatTransferTI_Modelica",
     "Thermal.HeatConduction.Models.OneDHeatTransferTI_Modelica(L = 0.2, N = %d, "
     "T0 = 273.15, TN = 330, cp = 910, lambda = 237, rho = 2712, A = 1)",
     components},
    {"HarmonicOscillator",
     "Mechanical.HarmonicOscillator.Models.HarmonicOscillator(N = %d)", oscillator},
    {"HeatingSystem", "Thermal.DistrictHeating.Models.HeatingSystem(N = %d)", heating},
};

static bool write_model(const char *path, const char *text, int n) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "model Scaled\n  extends ScalableTestSuite.");
    fprintf(file, text, n);
    fprintf(file, ";\nend Scaled;\n");
    return fclose(file) == 0;
}

static double wall_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show_messages(const Session *session) {
    Text out = {0};
    diag_print(&out, &session->diag, 0, false);
    printf("%s", text_get(&out));
    text_free(&out);
}

/* Best of many, in seconds. */
static double time_hand(Hand *hand, int n, const double *x, double *dx, double *work,
                        int rounds) {
    double best = 1e9;
    for (int r = 0; r < rounds; r++) {
        double t = wall_time();
        hand(n, 0.5, x, dx, work);
        t = wall_time() - t;
        if (t < best) best = t;
    }
    return best;
}

/* Best of many, in seconds; below 0: failed. *code: of it, the generated code alone. */
static double time_program(const Program *program, const CodeOptions *options,
                           const double *x, double *dx, int rounds, double *code) {
    Instance  instance;
    Fault     fault = fault_none();
    Selection all = {0};
    Text      why = {0};
    double    best = 1e9;
    Common   *common = common_new(program, options, &why);
    if (!common || !instance_open(&instance, common)) {
        printf("%s\n", text_get(&why));
        common_free(common);
        text_free(&why);
        return -1;
    }
    if (instance_bind(&instance, &fault) != STATUS_OK ||
        instance_initialise(&instance, 0.0, &fault) != STATUS_OK)
        printf("  does not start\n");
    for (int r = 0; r < rounds; r++) {
        double t = wall_time();
        instance.model.fn->eval(&instance, 0.5, x, &all, dx, &fault);
        t = wall_time() - t;
        if (t < best) best = t;
    }
    *code = 1e9;
    for (int r = 0; r < rounds; r++) {
        double t = wall_time();
        instance.run.image->rates(&instance.run.rb);
        t = wall_time() - t;
        if (t < *code) *code = t;
    }
    instance_free(&instance);
    common_free(common);
    return best;
}

static bool agree(int states, const double *dx, const double *own) {
    for (int i = 0; i < states; i++) {
        if (fabs(dx[i] - own[i]) <= 1e-9 * (fabs(own[i]) + 1)) continue;
        printf("  differs from the loop by hand at state %d: %g and %g\n", i, dx[i],
               own[i]);
        return false;
    }
    return true;
}

/* False: it cannot be run, or its derivatives are not those of the loop by hand. */
static bool measure(const Program *program, int model, int n) {
    const CodeOptions quick = {.tier = 0},
                      native = {.tier = 1, .cache = "build/bench-cache"};
    int     states = program->states.count;
    int     rounds = 20000000 / n < 20 ? 20 : 20000000 / n > 2000 ? 2000 : 20000000 / n;
    double *x = malloc((size_t)states * 3 * sizeof *x + 8 * (size_t)n + 8);
    double *dx = x + states, *own = x + 2 * states, *work = x + 3 * states;
    if (!x) return false;
    for (int i = 0; i < states; i++) x[i] = 300 + cos(0.1 * i);
    double code, hand = time_hand(models[model].hand, n, x, own, work, rounds);
    double tier0 = time_program(program, &quick, x, dx, rounds, &code);
    bool   right = tier0 > 0 && agree(states, dx, own);
    double tier1 = time_program(program, &native, x, dx, rounds, &code);
    right = tier1 > 0 && agree(states, dx, own) && right;
    if (tier0 > 0 && tier1 > 0)
        printf("%-28s %9d %9d %9d %10.1f %10.1f %10.1f %7.2f %7.2f %7.2f\n",
               models[model].name, n, states, program->part[PART_RUN].text_bytes - 1,
               1e6 * hand, 1e6 * tier0, 1e6 * tier1, tier0 / hand, tier1 / hand,
               code / hand);
    free(x);
    return right;
}

/* A model in the file, with the libraries that the arguments name. */
static bool translate(int model, const char *path, int n, int argc, char **argv) {
    Session session;
    Library library;
    Foreign foreign = {.options = {.tier = -1}};
    session_init(&session);
    library_init(&library, &session);
    for (int i = 2; i < argc; i++) library_add(&library, argv[i]);
    Translation t = {
        .session = &session, .library = &library, .foreign = &foreign, .file = path};
    const bool right = write_model(path, models[model].text, n) &&
                       translate_run(&t, NULL, "freeze") && measure(t.program, model, n);
    show_messages(&session);
    program_free(t.program);
    translate_close(&t);
    foreign_close(&foreign);
    library_free(&library);
    session_free(&session);
    return right;
}

int main(int argc, char **argv) {
    char path[] = "/tmp/rubato_scale_XXXXXX.mo";
    int  file = mkstemps(path, 3), n = argc > 1 ? atoi(argv[1]) : 0;
    if (file < 0 || n < 3) {
        fprintf(stderr, "usage: bench_scale N LIBRARY...\n");
        return 2;
    }
    close(file);
    printf("%-28s %9s %9s %9s %10s %10s %10s %7s %7s %7s\n", "model", "N", "states",
           "C bytes", "hand us", "tier0 us", "tier1 us", "tier0/", "tier1/", "code/");
    bool right = true;
    for (int k = 0; k < LENGTH(models); k++)
        right = translate(k, path, n, argc, argv) && right;
    unlink(path);
    return right ? 0 : 1;
}
