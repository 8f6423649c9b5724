/* SPDX-License-Identifier: Apache-2.0 */
/* fit.c -- parameters of a model out of measurements.
 *
 * Minimises  sum_c sum_i ((y_c(t_i; p) - m_ci) / s_c)^2  over low <= p <= high by the method of
 * Levenberg and Marquardt (SIAM J. Appl. Math. 11, 1963): steps d solve (J'J + l diag(J'J)) d = -J'r,
 * where l shrinks after a step that made the sum smaller and grows after one that did not. Parameters
 * at a bound that the gradient pushes outwards are held there. The noise s_c of a column is not known:
 * it begins with the spread of the column and is then estimated by the residuals, and the fit repeated,
 * so that columns of different units and precision weigh what they are worth.
 *
 * J is made of sensitivities that are integrated along with the states (live/sense.c), through events as well. Where
 * something of the model has none it is made of differences of whole simulations, one for each parameter: with a
 * tolerance of 1e-8 and increments of 1e-4 they are good to about four digits.
 *
 * Near the solution p is normally distributed with the covariance (J'J)^-1. The intervals hold for all
 * parameters together with the probability asked for (Bonferroni), by Student's distribution with N - n
 * degrees of freedom. */
#include "study/fit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info,
             size_t length);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a,
             const int *lda, double *b, const int *ldb, int *info, size_t length);
void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info,
             size_t length);

enum { PASSES = 4, ITERATIONS = 100 };
static const double increment = 1e-4;

/* ---- the sum of squares ---- */

/* Weighted residuals of a run into r; their sum of squares. */
static double residuals(const Fit *f, const double *y, double *r) {
    double sum = 0;
    for (int c = 0; c < f->columns; c++)
        for (int i = 0; i < f->points; i++) {
            size_t at = (size_t)c * (size_t)f->points + (size_t)i;
            double own =
                isnan(f->measured[at]) ? 0 : (y[at] - f->measured[at]) / f->noise[c];
            r[at] = own;
            sum += own * own;
        }
    return sum;
}

static double size_of(const FitParameter *p, double value) {
    if (isfinite(p->low) && isfinite(p->high))
        return fmax(fabs(value), 1e-3 * (p->high - p->low));
    return fabs(value) > 0 ? fmax(fabs(value), 1e-3 * fabs(p->start)) : 1;
}

static RbStatus differences(Fit *f, RbError *error) {
    const int n = f->parameters;
    for (int k = 0; k < n; k++) {
        FitRun *run = &f->run[1 + k];
        double  at = f->value[k], h = increment * size_of(&f->parameter[k], at);
        memcpy(run->value, f->value, sizeof(double) * (size_t)n);
        if (at + h > f->parameter[k].high) h = -h;
        run->value[k] = at + h;
    }
    fit_simulate(f, 1, n);
    for (int k = 0; k < n; k++) {
        FitRun *run = &f->run[1 + k];
        if (run->status != RB_OK) { /* on the other side */
            run->value[k] = 2 * f->value[k] - run->value[k];
            fit_simulate(f, 1 + k, 1);
        }
        if (run->status != RB_OK)
            return error_set(error, run->status, "near %s = %.9g: %.300s",
                             f->parameter[k].name, f->value[k], run->error.text);
        double h = run->value[k] - f->value[k];
        for (int c = 0; c < f->columns; c++)
            for (int i = 0; i < f->points; i++) {
                size_t at = (size_t)c * (size_t)f->points + (size_t)i;
                f->slope[(size_t)k * f->size + at] = (run->y[at] - f->run[0].y[at]) / h;
            }
    }
    return RB_OK;
}

/* Rows of J, one for each parameter, at the present values, whose run is the first. What has no derivatives once is
 * not asked for them again. */
static RbStatus slopes(Fit *f, RbError *error) {
    RbStatus status = f->exact ? fit_sense(f) : RB_FAILED;
    if (f->exact && status != RB_OK) {
        f->exact = false;
        snprintf(f->why, sizeof f->why, "%.199s", f->run[0].error.text);
    }
    if (status != RB_OK && (status = differences(f, error)) != RB_OK) return status;
    for (int k = 0; k < f->parameters; k++)
        for (int c = 0; c < f->columns; c++)
            for (int i = 0; i < f->points; i++) {
                size_t  at = (size_t)c * (size_t)f->points + (size_t)i;
                double *own = &f->slope[(size_t)k * f->size + at];
                *own = isnan(f->measured[at]) ? 0 : *own / f->noise[c];
            }
    return RB_OK;
}

static double product(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* J'J and J'r; parameters that the gradient pushes out of their bounds are held. */
static void normal_equations(Fit *f) {
    const int n = f->parameters;
    for (int k = 0; k < n; k++) {
        const double *row = f->slope + (size_t)k * f->size;
        const double  value = f->value[k];
        f->gradient[k] = product(row, f->residual, f->size);
        f->held[k] = (value <= f->parameter[k].low && f->gradient[k] > 0) ||
                     (value >= f->parameter[k].high && f->gradient[k] < 0);
        for (int j = 0; j <= k; j++)
            f->normal[k * n + j] = f->normal[j * n + k] =
                product(row, f->slope + (size_t)j * f->size, f->size);
    }
}

/* The step for a damping; false: the matrix is singular. */
static bool step_of(Fit *f, double damping, double *step) {
    int n = f->parameters, one = 1, info;
    for (int k = 0; k < n * n; k++) f->work[k] = f->normal[k];
    for (int k = 0; k < n; k++) {
        double own = f->normal[k * n + k];
        f->work[k * n + k] = own * (1 + damping) + DBL_MIN;
        step[k] = -f->gradient[k];
        if (!f->held[k]) continue;
        for (int j = 0; j < n; j++) f->work[k * n + j] = f->work[j * n + k] = 0;
        f->work[k * n + k] = 1;
        step[k] = 0;
    }
    dpotrf_("U", &n, f->work, &n, &info, 1);
    if (info == 0) dpotrs_("U", &n, &one, f->work, &n, step, &n, &info, 1);
    return info == 0;
}

/* ---- the way down ---- */

/* The values with a step, inside the bounds; how far it goes in units of their size. */
static double stepped(const Fit *f, const double *step, double *to) {
    double most = 0;
    for (int k = 0; k < f->parameters; k++) {
        to[k] =
            fmin(fmax(f->value[k] + step[k], f->parameter[k].low), f->parameter[k].high);
        most = fmax(most,
                    fabs(to[k] - f->value[k]) / size_of(&f->parameter[k], f->value[k]));
    }
    return most;
}

/* One step that makes the sum smaller; *far: how far it went, 0: none does. False: stopped. */
static bool descend(Fit *f, double *sum, double *damping, double *far) {
    FitRun *trial = &f->run[0];
    *far = 0;
    for (int k = 0; k < 30; k++, *damping = fmax(*damping * 10, 1e-6)) {
        if (!step_of(f, *damping, f->step)) continue;
        double length = stepped(f, f->step, trial->value);
        if (length < 1e-10) break;
        fit_simulate(f, 0, 1);
        if (trial->status == RB_STOPPED) return false;
        double now = trial->status == RB_OK ? residuals(f, trial->y, f->other) : INFINITY;
        if (!(now <= *sum)) continue;
        memcpy(f->value, trial->value, sizeof(double) * (size_t)f->parameters);
        memcpy(f->residual, f->other, sizeof(double) * f->size);
        *damping = *damping < 1e-12 ? 0 : *damping / 10;
        *far = length;
        *sum = now;
        return true;
    }
    return true;
}

/* The run of the present values stands first. */
static RbStatus simulate_here(Fit *f, RbError *error) {
    memcpy(f->run[0].value, f->value, sizeof(double) * (size_t)f->parameters);
    fit_simulate(f, 0, 1);
    if (f->run[0].status == RB_OK) return RB_OK;
    return error_set(
        error, f->run[0].status, "the model does not run with the values %s: %.300s",
        f->iterations ? "found" : "that the fit begins with", f->run[0].error.text);
}

RbStatus fit_look(Fit *f, RbError *error) {
    RbStatus status = simulate_here(f, error);
    if (status != RB_OK) return status;
    const double sum = residuals(f, f->run[0].y, f->residual);
    status = slopes(f, error);
    if (status != RB_OK) return status;
    normal_equations(f);
    if (f->plan->progress && !f->plan->progress(f->plan->owner, f->iterations, sum))
        return error_set(error, RB_STOPPED, "the caller ended the fit");
    return RB_OK;
}

static RbStatus minimise(Fit *f, RbError *error) {
    double   damping = 1e-3, far = 1;
    RbStatus status = simulate_here(f, error);
    if (status != RB_OK) return status;
    double sum = residuals(f, f->run[0].y, f->residual);
    f->converged = false;
    while (!f->converged && f->iterations < ITERATIONS) {
        double before = sum;
        f->iterations++;
        status = slopes(f, error);
        if (status != RB_OK) return status;
        normal_equations(f);
        if (!descend(f, &sum, &damping, &far))
            return error_set(error, RB_STOPPED, "the caller ended the fit");
        f->converged = far < 1e-6 || before - sum < 1e-9 * before;
        if (!(far > 0)) status = simulate_here(f, error); /* else it ran last */
        if (status != RB_OK) return status;
        if (f->plan->progress && !f->plan->progress(f->plan->owner, f->iterations, sum))
            return error_set(error, RB_STOPPED, "the caller ended the fit");
    }
    return RB_OK;
}

/* Noise of each column by its residuals; the largest change. */
static double estimate_noise(Fit *f) {
    double change = 0;
    long   all = 0;
    for (int c = 0; c < f->columns; c++) all += f->counted[c];
    double share = (double)(all - f->parameters) / (double)all;
    for (int c = 0; c < f->columns; c++) {
        const double *r = f->residual + (size_t)c * (size_t)f->points;
        double        sum = product(r, r, (size_t)f->points);
        double        factor = sqrt(sum / ((double)f->counted[c] * share));
        if (!(factor > 1e-12)) factor = 1e-12; /* measured without any noise */
        f->noise[c] *= factor;
        change = fmax(change, fabs(log(factor)));
    }
    return change;
}

/* ---- intervals ---- */

/* Cornish and Fisher's expansion of Student's distribution at a quantile z of the normal one. */
static double student(double z, double n) {
    double z2 = z * z;
    return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
                (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

static bool covariance(Fit *f) {
    int n = f->parameters, info;
    for (int k = 0; k < n * n; k++) f->work[k] = f->normal[k];
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            if (f->held[k] || f->held[j]) f->work[k * n + j] = k == j;
    dpotrf_("U", &n, f->work, &n, &info, 1);
    if (info == 0) dpotri_("U", &n, f->work, &n, &info, 1);
    for (int k = 0; k < n && info == 0; k++) /* U of LAPACK is our lower half */
        for (int j = 0; j < k; j++) f->work[j * n + k] = f->work[k * n + j];
    return info == 0;
}

static RbStatus intervals(Fit *f, RbError *error) {
    RbStatus status = slopes(f, error);
    if (status != RB_OK) return status;
    normal_equations(f);
    long all = 0;
    for (int c = 0; c < f->columns; c++) all += f->counted[c];
    double level = f->plan->confidence > 0 ? f->plan->confidence : 0.95;
    double tail = (1 - level) / (2 * f->parameters);
    double width = student(normal_quantile(1 - tail), (double)(all - f->parameters));
    bool   known = covariance(f);
    for (int k = 0; k < f->parameters; k++) {
        RbFitted *p = &f->fitted[k];
        double    deviation = known ? sqrt(f->work[k * f->parameters + k]) : INFINITY;
        *p = (RbFitted){f->parameter[k].name, f->value[k], deviation, 0, 0, f->held[k]};
        if (f->held[k]) p->deviation = NAN;
        p->low = p->value - width * p->deviation;
        p->high = p->value + width * p->deviation;
    }
    return RB_OK;
}

RbStatus fit_run(Fit *f, RbError *error) {
    RbStatus status = RB_OK;
    for (int pass = 0; pass < PASSES && status == RB_OK; pass++) {
        status = f->plan->kinsol ? fit_kinsol(f, error) : minimise(f, error);
        if (status == RB_OK && estimate_noise(f) < 0.01) break;
    }
    if (status == RB_OK) residuals(f, f->run[0].y, f->residual);
    return status == RB_OK ? intervals(f, error) : status;
}
