/* SPDX-License-Identifier: Apache-2.0 */
/* sundials.c -- CVODE, IDA and ARKODE on the same view of a model.
 *
 * A second opinion: the same right-hand side, the same Jacobian (from the model, tangents
 * or coloured differences), the same tolerances, and the linear solver that fits the same
 * pattern (dense, band or KLU). Everything else is the library's default. Written for
 * version 6 of its interface; without the library every call says STATUS_ABSENT. */
#define _POSIX_C_SOURCE 200809L
#include "ode/ode.h"

#ifndef HAVE_SUNDIALS

bool sundials_present(void) {
    return false;
}

Status sundials_solve(SundialsKind kind, View *view, const OdeOptions *options, int order,
                      double t, double stop, double *x, OdeStatistics *statistics) {
    (void)kind, (void)view, (void)options, (void)order, (void)t, (void)stop, (void)x;
    *statistics = (OdeStatistics){0};
    return STATUS_ABSENT;
}

#else

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

/* Declared here: its own header wants KLU's on the search path. */
SUNLinearSolver SUNLinSol_KLU(N_Vector y, SUNMatrix a, SUNContext context);

typedef struct Bridge { /* what the callbacks need */
    View     *view;
    ShiftKind kind;
    Pattern  *pattern; /* with diagonal, sparse only     */
    int      *map, *diagonal;
    double   *value;  /* entries of the view's pattern   */
    double   *weight; /* 1 / (atol + rtol |x0|)          */
    double   *slope;  /* n                               */
    Status    status; /* last failure of the model       */
} Bridge;

static int answer(Bridge *b, Status status) {
    b->status = status;
    return status == STATUS_OK ? 0 : status == STATUS_FATAL ? -1 : 1;
}

static int right_hand_side(realtype t, N_Vector y, N_Vector dy, void *data) {
    Bridge *b = data;
    return answer(b,
                  view_eval(b->view, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy)));
}

static int residual(realtype t, N_Vector y, N_Vector dy, N_Vector r, void *data) {
    Bridge       *b = data;
    double       *out = N_VGetArrayPointer(r);
    const double *p = N_VGetArrayPointer(dy);
    const Status  status = view_eval(b->view, t, N_VGetArrayPointer(y), out);
    for (int i = 0; i < b->view->n; i++) out[i] = p[i] - out[i];
    return answer(b, status);
}

/* Puts sign J + shift I into any kind of matrix. */
static void fill(const Bridge *b, double sign, double shift, SUNMatrix m) {
    const Pattern *p = b->view->pattern;
    const int      n = b->view->n;
    SUNMatZero(m);
    if (b->kind == SHIFT_SPARSE) {
        sunindextype *start = SUNSparseMatrix_IndexPointers(m);
        sunindextype *row = SUNSparseMatrix_IndexValues(m);
        double       *data = SUNSparseMatrix_Data(m);
        for (int j = 0; j <= n; j++) start[j] = b->pattern->start[j];
        for (int e = 0; e < pattern_entries(b->pattern); e++) row[e] = b->pattern->row[e];
        for (int e = 0; e < pattern_entries(p); e++) data[b->map[e]] = sign * b->value[e];
        for (int j = 0; j < n; j++) data[b->diagonal[j]] += shift;
        return;
    }
    for (int j = 0; j < n; j++) {
        double *column = b->kind == SHIFT_DENSE ? SUNDenseMatrix_Column(m, j)
                                                : SUNBandMatrix_Column(m, j) - j;
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            column[p->row[e]] = sign * b->value[e];
        column[j] += shift;
    }
}

static int jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix m, void *data,
                    N_Vector t1, N_Vector t2, N_Vector t3) {
    Bridge *b = data;
    (void)t1, (void)t2, (void)t3;
    const Status status = view_jacobian(b->view, t, N_VGetArrayPointer(y),
                                        N_VGetArrayPointer(fy), b->weight, b->value);
    fill(b, 1.0, 0.0, m);
    return answer(b, status);
}

static int jacobian_ida(realtype t, realtype cj, N_Vector y, N_Vector dy, N_Vector r,
                        SUNMatrix m, void *data, N_Vector t1, N_Vector t2, N_Vector t3) {
    Bridge       *b = data;
    const double *p = N_VGetArrayPointer(dy), *q = N_VGetArrayPointer(r);
    (void)t1, (void)t2, (void)t3;
    for (int i = 0; i < b->view->n; i++) b->slope[i] = p[i] - q[i];
    const Status status =
        view_jacobian(b->view, t, N_VGetArrayPointer(y), b->slope, b->weight, b->value);
    fill(b, -1.0, cj, m);
    return answer(b, status);
}

static void silent(int code, const char *module, const char *function, char *text,
                   void *data) {
    (void)code, (void)module, (void)function, (void)text, (void)data;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Job { /* one call */
    double t, stop, rtol;
    long   most;
    int    order;
    bool   stiff;
} Job;

typedef struct Tools { /* objects of the library for one run */
    SUNContext      context;
    N_Vector        y, dy, atol;
    SUNMatrix       matrix;
    SUNLinearSolver solver;
    void           *memory;
} Tools;

static bool make_bridge(Bridge *b, View *view, const OdeOptions *o) {
    const int n = view->n;
    *b = (Bridge){.view = view};
    b->kind = o->linear == SHIFT_AUTO ? shift_choose(view->pattern) : o->linear;
    b->value = calloc((size_t)pattern_entries(view->pattern) + 1, sizeof(double));
    b->weight = calloc((size_t)n + 1, sizeof(double));
    b->slope = calloc((size_t)n + 1, sizeof(double));
    if (!b->value || !b->weight || !b->slope) return false;
    if (b->kind != SHIFT_SPARSE) return true;
    b->map = malloc(sizeof(int) * ((size_t)pattern_entries(view->pattern) + 1));
    b->diagonal = malloc(sizeof(int) * ((size_t)n + 1));
    if (!b->map || !b->diagonal) return false;
    b->pattern = pattern_with_diagonal(view->pattern, b->map, b->diagonal);
    return b->pattern != NULL;
}

static void free_bridge(Bridge *b) {
    free(b->value), free(b->weight), free(b->slope), free(b->map), free(b->diagonal);
    pattern_free(b->pattern);
}

static bool make_solver(Tools *s, const Bridge *b) {
    const View *v = b->view;
    int         below, above;
    pattern_bandwidth(v->pattern, &below, &above);
    if (b->kind == SHIFT_DENSE) {
        s->matrix = SUNDenseMatrix(v->n, v->n, s->context);
        s->solver = SUNLinSol_Dense(s->y, s->matrix, s->context);
    } else if (b->kind == SHIFT_BAND) {
        s->matrix = SUNBandMatrix(v->n, above, below, s->context);
        s->solver = SUNLinSol_Band(s->y, s->matrix, s->context);
    } else {
        s->matrix =
            SUNSparseMatrix(v->n, v->n, pattern_entries(b->pattern), CSC_MAT, s->context);
        s->solver = SUNLinSol_KLU(s->y, s->matrix, s->context);
    }
    return s->matrix && s->solver;
}

static Status from_flag(int flag, const Bridge *b) {
    if (flag >= 0) return STATUS_OK;
    if (b->status != STATUS_OK) return b->status;
    return flag == CV_TOO_MUCH_WORK  ? STATUS_TOO_MANY
           : flag == CV_TOO_MUCH_ACC ? STATUS_TOLERANCE
           : flag == CV_CONV_FAILURE ? STATUS_DIVERGED
                                     : STATUS_STEP_SMALL;
}

static Status run_cvode(Tools *s, Bridge *b, const Job *job, OdeStatistics *st) {
    SUNNonlinearSolver plain = NULL;
    double             at = job->t;
    s->memory = CVodeCreate(job->stiff ? CV_BDF : CV_ADAMS, s->context);
    CVodeSetErrHandlerFn(s->memory, silent, NULL);
    CVodeInit(s->memory, right_hand_side, job->t, s->y);
    CVodeSVtolerances(s->memory, job->rtol, s->atol);
    CVodeSetUserData(s->memory, b);
    CVodeSetMaxNumSteps(s->memory, job->most);
    CVodeSetStopTime(s->memory, job->stop);
    if (job->stiff) {
        CVodeSetLinearSolver(s->memory, s->solver, s->matrix);
        CVodeSetJacFn(s->memory, jacobian);
    } else {
        plain = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
        CVodeSetNonlinearSolver(s->memory, plain);
    }
    const double begun = now();
    const int    flag = CVode(s->memory, job->stop, s->y, &at, CV_NORMAL);
    st->time_simulate = now() - begun;
    CVodeGetNumSteps(s->memory, &st->steps_accepted);
    CVodeGetNumErrTestFails(s->memory, &st->steps_rejected);
    CVodeGetNumNonlinSolvIters(s->memory, &st->newton_iterations);
    CVodeGetNumNonlinSolvConvFails(s->memory, &st->newton_failures);
    if (job->stiff) CVodeGetNumLinSolvSetups(s->memory, &st->factorizations);
    CVodeFree(&s->memory);
    if (plain) SUNNonlinSolFree(plain);
    return from_flag(flag, b);
}

static Status run_ida(Tools *s, Bridge *b, const Job *job, OdeStatistics *st) {
    double at = job->t;
    if (view_eval(b->view, job->t, N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->dy)))
        return STATUS_RETRY;
    s->memory = IDACreate(s->context);
    IDASetErrHandlerFn(s->memory, silent, NULL);
    IDAInit(s->memory, residual, job->t, s->y, s->dy);
    IDASVtolerances(s->memory, job->rtol, s->atol);
    IDASetUserData(s->memory, b);
    IDASetMaxNumSteps(s->memory, job->most);
    IDASetStopTime(s->memory, job->stop);
    IDASetLinearSolver(s->memory, s->solver, s->matrix);
    IDASetJacFn(s->memory, jacobian_ida);
    const double begun = now();
    const int    flag = IDASolve(s->memory, job->stop, &at, s->y, s->dy, IDA_NORMAL);
    st->time_simulate = now() - begun;
    IDAGetNumSteps(s->memory, &st->steps_accepted);
    IDAGetNumErrTestFails(s->memory, &st->steps_rejected);
    IDAGetNumNonlinSolvIters(s->memory, &st->newton_iterations);
    IDAGetNumNonlinSolvConvFails(s->memory, &st->newton_failures);
    IDAGetNumLinSolvSetups(s->memory, &st->factorizations);
    IDAFree(&s->memory);
    return from_flag(flag, b);
}

static Status run_arkode(Tools *s, Bridge *b, const Job *job, OdeStatistics *st) {
    double at = job->t;
    long   explicit_calls = 0, implicit_calls = 0;
    s->memory = job->stiff
                    ? ARKStepCreate(NULL, right_hand_side, job->t, s->y, s->context)
                    : ARKStepCreate(right_hand_side, NULL, job->t, s->y, s->context);
    ARKStepSetErrHandlerFn(s->memory, silent, NULL);
    ARKStepSVtolerances(s->memory, job->rtol, s->atol);
    ARKStepSetUserData(s->memory, b);
    ARKStepSetMaxNumSteps(s->memory, job->most);
    ARKStepSetStopTime(s->memory, job->stop);
    if (job->order > 0) ARKStepSetOrder(s->memory, job->order);
    if (job->stiff) {
        ARKStepSetLinearSolver(s->memory, s->solver, s->matrix);
        ARKStepSetJacFn(s->memory, jacobian);
    }
    const double begun = now();
    const int    flag = ARKStepEvolve(s->memory, job->stop, s->y, &at, ARK_NORMAL);
    st->time_simulate = now() - begun;
    ARKStepGetNumSteps(s->memory, &st->steps_accepted);
    ARKStepGetNumErrTestFails(s->memory, &st->steps_rejected);
    ARKStepGetNumRhsEvals(s->memory, &explicit_calls, &implicit_calls);
    if (job->stiff) {
        ARKStepGetNumNonlinSolvIters(s->memory, &st->newton_iterations);
        ARKStepGetNumNonlinSolvConvFails(s->memory, &st->newton_failures);
        ARKStepGetNumLinSolvSetups(s->memory, &st->factorizations);
    }
    ARKStepFree(&s->memory);
    return from_flag(flag, b);
}

Status sundials_solve(SundialsKind kind, View *view, const OdeOptions *options, int order,
                      double t, double stop, double *x, OdeStatistics *statistics) {
    static const OdeOptions none = {0};
    const OdeOptions       *o = options ? options : &none;
    const int               n = view->n;
    Tools                   s = {0};
    Bridge                  b;
    Job job = {.t = t, .stop = stop, .order = order, .most = 10000000};
    if (o->max_steps > 0) job.most = o->max_steps;
    job.rtol = o->rtol > 0.0 ? o->rtol : 1e-6;
    job.stiff = kind != PEER_CVODE_ADAMS && kind != PEER_ARKODE_EXPLICIT;
    *statistics = (OdeStatistics){0};
    Status status = STATUS_NO_MEMORY;
    if (SUNContext_Create(NULL, &s.context) != 0) return STATUS_NO_MEMORY;
    s.y = N_VMake_Serial(n, x, s.context);
    s.dy = N_VNew_Serial(n, s.context);
    s.atol = N_VNew_Serial(n, s.context);
    if (s.y && s.dy && s.atol && make_bridge(&b, view, o)) {
        const Model *m = view->model;
        for (int i = 0; i < n; i++) {
            const int    row = selection_row(&view->rows, i);
            const double nominal = m->nominal ? fabs(m->nominal[row]) : 1.0;
            double      *atol = N_VGetArrayPointer(s.atol);
            atol[i] =
                o->atols ? o->atols[i] : (o->atol > 0.0 ? o->atol : job.rtol) * nominal;
            b.weight[i] = 1.0 / (atol[i] + job.rtol * fabs(x[i]));
        }
        if (!job.stiff || make_solver(&s, &b)) {
            if (kind == PEER_CVODE || kind == PEER_CVODE_ADAMS)
                status = run_cvode(&s, &b, &job, statistics);
            else if (kind == PEER_IDA) status = run_ida(&s, &b, &job, statistics);
            else status = run_arkode(&s, &b, &job, statistics);
        }
        free_bridge(&b);
    }
    if (s.solver) SUNLinSolFree(s.solver);
    if (s.matrix) SUNMatDestroy(s.matrix);
    if (s.y) N_VDestroy(s.y);
    if (s.dy) N_VDestroy(s.dy);
    if (s.atol) N_VDestroy(s.atol);
    SUNContext_Free(&s.context);
    statistics->rhs_calls = view->rhs_calls;
    statistics->rhs_rows = view->rhs_rows;
    statistics->jacobians = view->jacobians;
    return status;
}

bool sundials_present(void) {
    return true;
}

#endif
