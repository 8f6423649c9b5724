/* SPDX-License-Identifier: Apache-2.0 */
/* sundials.c -- CVODE, IDA and ARKODE on the same view of a model, step by step.
 *
 * A second opinion: the same right-hand side, the same Jacobian (from the model, tangents
 * or coloured differences), the same tolerances, and the linear solver that fits the same
 * pattern (dense, band or KLU). Everything else is the library's default: its own steps, its
 * own dense output. IDA sees the model as x' - f(t, x) = 0. Written for version 6 of the
 * interface; without the library every call says STATUS_ABSENT. */
#define _POSIX_C_SOURCE 200809L
#include "ode/ode.h"

#include <string.h>
#include <time.h>

#ifndef HAVE_SUNDIALS

bool sundials_present(void) {
    return false;
}

Status sundials_new(Integrator *out, SundialsKind kind, View *view,
                    const OdeOptions *options, int order, double t, const double *x) {
    (void)kind, (void)view, (void)options, (void)order, (void)t, (void)x;
    *out = (Integrator){0};
    return STATUS_ABSENT;
}

#else

#include <float.h>
#include <math.h>
#include <stdlib.h>

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
    double    rtol;
    long      projections; /* by the library             */
    Status    status;      /* last failure of the model  */
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

/* What CVODE adds to a step that has converged, so that invariants of the model hold. */
static int project(realtype t, N_Vector y, N_Vector correction, realtype eps,
                   N_Vector error, void *data) {
    Bridge       *b = data;
    const Model  *model = b->view->model;
    const double *from = N_VGetArrayPointer(y);
    double       *to = N_VGetArrayPointer(correction);
    bool          moved = false;
    (void)eps, (void)error;
    memcpy(to, from, sizeof(double) * (size_t)b->view->n);
    const Status status = model->fn->project(model->instance, t, to, 0.1 * b->rtol,
                                             &moved, &b->view->fault);
    for (int i = 0; i < b->view->n; i++) to[i] -= from[i];
    b->projections += moved;
    return answer(b, status);
}

static void silent(int code, const char *module, const char *function, char *text,
                   void *data) {
    (void)code, (void)module, (void)function, (void)text, (void)data;
}

typedef struct Peer          Peer;
typedef struct PeerFunctions PeerFunctions;

enum { IDLE_STEPS = 20 }; /* that time does not show, before it is the end */

struct Peer {
    const PeerFunctions *fn;
    SundialsKind         kind;
    Bridge               bridge;
    SUNContext           context;
    N_Vector             y, dy, atol, inside;
    SUNMatrix            matrix;
    SUNLinearSolver      solver;
    SUNNonlinearSolver   plain; /* Adams: fixed-point iteration, else NULL        */
    void                *memory;
    double               t;
    double               rtol, h_max; /* h_max 0: no limit                          */
    int                  order;       /* ARKODE only, 0: default                        */
    bool                 stiff;
    int                  idle;   /* steps in a row that time does not show        */
    OdeStatistics        before; /* counted before the last restart               */
    Fault                fault;
};

struct PeerFunctions { /* one of the three libraries                               */
    bool (*create)(Peer *p);
    int (*step)(Peer *p, double limit);   /* advances p->t and p->y                  */
    int (*dense)(Peer *p, double t);      /* fills p->inside                         */
    int (*restart)(Peer *p);              /* from p->t and p->y                      */
    int (*correct)(Peer *p);              /* p->y at p->t has changed a little       */
    int (*begin_with)(Peer *p, double h); /* first step after a restart, 0: chosen */
    void (*count)(const Peer *p, OdeStatistics *s); /* since the last restart      */
    void (*free)(Peer *p);
};

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

static bool make_solver(Peer *p) {
    const Bridge *b = &p->bridge;
    const View   *v = b->view;
    int           below, above;
    pattern_bandwidth(v->pattern, &below, &above);
    if (b->kind == SHIFT_DENSE) {
        p->matrix = SUNDenseMatrix(v->n, v->n, p->context);
        p->solver = SUNLinSol_Dense(p->y, p->matrix, p->context);
    } else if (b->kind == SHIFT_BAND) {
        p->matrix = SUNBandMatrix(v->n, above, below, p->context);
        p->solver = SUNLinSol_Band(p->y, p->matrix, p->context);
    } else {
        p->matrix =
            SUNSparseMatrix(v->n, v->n, pattern_entries(b->pattern), CSC_MAT, p->context);
        p->solver = SUNLinSol_KLU(p->y, p->matrix, p->context);
    }
    return p->matrix && p->solver;
}

/* ---- CVODE ---- */

static bool cvode_create(Peer *p) {
    p->memory = CVodeCreate(p->stiff ? CV_BDF : CV_ADAMS, p->context);
    if (!p->memory) return false;
    CVodeSetErrHandlerFn(p->memory, silent, NULL);
    CVodeInit(p->memory, right_hand_side, p->t, p->y);
    CVodeSVtolerances(p->memory, p->rtol, p->atol);
    CVodeSetUserData(p->memory, &p->bridge);
    if (p->h_max > 0.0) CVodeSetMaxStep(p->memory, p->h_max);
    if (p->stiff) {
        CVodeSetLinearSolver(p->memory, p->solver, p->matrix);
        CVodeSetJacFn(p->memory, jacobian);
        if (p->bridge.view->model->fn->project) {
            CVodeSetProjFn(p->memory, project);
            CVodeSetProjErrEst(p->memory, SUNFALSE); /* errors are estimated before */
        }
        return true;
    }
    p->plain = SUNNonlinSol_FixedPoint(p->y, 0, p->context);
    return p->plain && CVodeSetNonlinearSolver(p->memory, p->plain) == 0;
}

static int cvode_step(Peer *p, double limit) {
    CVodeSetStopTime(p->memory, limit);
    return CVode(p->memory, limit, p->y, &p->t, CV_ONE_STEP);
}

static int cvode_dense(Peer *p, double t) {
    return CVodeGetDky(p->memory, t, 0, p->inside);
}

static int cvode_restart(Peer *p) {
    return CVodeReInit(p->memory, p->t, p->y);
}

static int cvode_begin_with(Peer *p, double h) {
    return CVodeSetInitStep(p->memory, h);
}

static void cvode_count(const Peer *p, OdeStatistics *s) {
    CVodeGetNumSteps(p->memory, &s->steps_accepted);
    CVodeGetNumErrTestFails(p->memory, &s->steps_rejected);
    CVodeGetNumNonlinSolvIters(p->memory, &s->newton_iterations);
    CVodeGetNumNonlinSolvConvFails(p->memory, &s->newton_failures);
    if (p->stiff) CVodeGetNumLinSolvSetups(p->memory, &s->factorizations);
}

static void cvode_free(Peer *p) {
    CVodeFree(&p->memory);
}

/* ---- IDA ---- */

/* Consistent derivatives: the residual is explicit in them. */
static bool ida_slopes(Peer *p) {
    return view_eval(p->bridge.view, p->t, N_VGetArrayPointer(p->y),
                     N_VGetArrayPointer(p->dy)) == STATUS_OK;
}

static bool ida_create(Peer *p) {
    if (!ida_slopes(p)) return false;
    p->memory = IDACreate(p->context);
    if (!p->memory) return false;
    IDASetErrHandlerFn(p->memory, silent, NULL);
    IDAInit(p->memory, residual, p->t, p->y, p->dy);
    IDASVtolerances(p->memory, p->rtol, p->atol);
    IDASetUserData(p->memory, &p->bridge);
    if (p->h_max > 0.0) IDASetMaxStep(p->memory, p->h_max);
    IDASetLinearSolver(p->memory, p->solver, p->matrix);
    IDASetJacFn(p->memory, jacobian_ida);
    return true;
}

static int ida_step(Peer *p, double limit) {
    IDASetStopTime(p->memory, limit);
    return IDASolve(p->memory, limit, &p->t, p->y, p->dy, IDA_ONE_STEP);
}

static int ida_dense(Peer *p, double t) {
    return IDAGetDky(p->memory, t, 0, p->inside);
}

static int ida_restart(Peer *p) {
    return ida_slopes(p) ? IDAReInit(p->memory, p->t, p->y, p->dy) : IDA_RES_FAIL;
}

static int ida_begin_with(Peer *p, double h) {
    return IDASetInitStep(p->memory, h);
}

static void ida_count(const Peer *p, OdeStatistics *s) {
    IDAGetNumSteps(p->memory, &s->steps_accepted);
    IDAGetNumErrTestFails(p->memory, &s->steps_rejected);
    IDAGetNumNonlinSolvIters(p->memory, &s->newton_iterations);
    IDAGetNumNonlinSolvConvFails(p->memory, &s->newton_failures);
    IDAGetNumLinSolvSetups(p->memory, &s->factorizations);
}

static void ida_free(Peer *p) {
    IDAFree(&p->memory);
}

/* ---- ARKODE ---- */

static bool arkode_create(Peer *p) {
    ARKRhsFn explicit_part = p->stiff ? NULL : right_hand_side;
    ARKRhsFn implicit_part = p->stiff ? right_hand_side : NULL;
    p->memory = ARKStepCreate(explicit_part, implicit_part, p->t, p->y, p->context);
    if (!p->memory) return false;
    ARKStepSetErrHandlerFn(p->memory, silent, NULL);
    ARKStepSVtolerances(p->memory, p->rtol, p->atol);
    ARKStepSetUserData(p->memory, &p->bridge);
    if (p->h_max > 0.0) ARKStepSetMaxStep(p->memory, p->h_max);
    if (p->order > 0) ARKStepSetOrder(p->memory, p->order);
    if (!p->stiff) return true;
    ARKStepSetLinearSolver(p->memory, p->solver, p->matrix);
    ARKStepSetJacFn(p->memory, jacobian);
    return true;
}

static int arkode_step(Peer *p, double limit) {
    ARKStepSetStopTime(p->memory, limit);
    return ARKStepEvolve(p->memory, limit, p->y, &p->t, ARK_ONE_STEP);
}

static int arkode_dense(Peer *p, double t) {
    return ARKStepGetDky(p->memory, t, 0, p->inside);
}

static int arkode_restart(Peer *p) {
    return ARKStepReInit(p->memory, p->stiff ? NULL : right_hand_side,
                         p->stiff ? right_hand_side : NULL, p->t, p->y);
}

static int arkode_correct(Peer *p) {
    return ARKStepReset(p->memory, p->t, p->y);
}

static int arkode_begin_with(Peer *p, double h) {
    return ARKStepSetInitStep(p->memory, h);
}

static void arkode_count(const Peer *p, OdeStatistics *s) {
    ARKStepGetNumSteps(p->memory, &s->steps_accepted);
    ARKStepGetNumErrTestFails(p->memory, &s->steps_rejected);
    if (!p->stiff) return;
    ARKStepGetNumNonlinSolvIters(p->memory, &s->newton_iterations);
    ARKStepGetNumNonlinSolvConvFails(p->memory, &s->newton_failures);
    ARKStepGetNumLinSolvSetups(p->memory, &s->factorizations);
}

static void arkode_free(Peer *p) {
    ARKStepFree(&p->memory);
}

/* ---- all of them ---- */

static const PeerFunctions *functions_of(SundialsKind kind) {
    static const PeerFunctions cvode = {cvode_create,  cvode_step,    cvode_dense,
                                        cvode_restart, cvode_restart, cvode_begin_with,
                                        cvode_count,   cvode_free};
    static const PeerFunctions ida = {ida_create,  ida_step,       ida_dense, ida_restart,
                                      ida_restart, ida_begin_with, ida_count, ida_free};
    static const PeerFunctions arkode = {
        arkode_create,  arkode_step,       arkode_dense, arkode_restart,
        arkode_correct, arkode_begin_with, arkode_count, arkode_free};
    return kind == PEER_IDA                                 ? &ida
           : kind == PEER_CVODE || kind == PEER_CVODE_ADAMS ? &cvode
                                                            : &arkode;
}

static Status from_flag(int flag, const Bridge *b) {
    if (flag >= 0) return STATUS_OK;
    if (b->status != STATUS_OK) return b->status;
    return flag == CV_TOO_MUCH_WORK  ? STATUS_TOO_MANY
           : flag == CV_TOO_MUCH_ACC ? STATUS_TOLERANCE
           : flag == CV_CONV_FAILURE ? STATUS_DIVERGED
                                     : STATUS_STEP_SMALL;
}

/* Keeps what is known of a failure. */
static Status finish(Peer *p, int flag) {
    Status status = from_flag(flag, &p->bridge);
    if (status == STATUS_OK) return STATUS_OK;
    p->fault = p->bridge.status != STATUS_OK ? p->bridge.view->fault : fault_none();
    p->fault.time = p->t;
    if (!p->fault.what) p->fault.what = status_text(status);
    return status;
}

static void set_tolerances(Peer *p, const OdeOptions *o, const double *x) {
    const View *view = p->bridge.view;
    double     *atol = N_VGetArrayPointer(p->atol);
    for (int i = 0; i < view->n; i++) {
        const double *nominals = view->model->nominal;
        const double  nominal =
            nominals ? fabs(nominals[selection_row(&view->rows, i)]) : 1.0;
        atol[i] = o->atols ? o->atols[i] : (o->atol > 0.0 ? o->atol : p->rtol) * nominal;
        p->bridge.weight[i] = 1.0 / (atol[i] + p->rtol * fabs(x[i]));
    }
}

static bool make_vectors(Peer *p, const double *x) {
    const int n = p->bridge.view->n;
    if (SUNContext_Create(NULL, &p->context) != 0) return false;
    p->y = N_VNew_Serial(n, p->context);
    p->dy = N_VNew_Serial(n, p->context);
    p->atol = N_VNew_Serial(n, p->context);
    p->inside = N_VNew_Serial(n, p->context);
    if (!p->y || !p->dy || !p->atol || !p->inside) return false;
    memcpy(N_VGetArrayPointer(p->y), x, sizeof(double) * (size_t)n);
    return true;
}

static void peer_free(void *self) {
    Peer *p = self;
    if (p->memory) p->fn->free(p);
    if (p->plain) SUNNonlinSolFree(p->plain);
    if (p->solver) SUNLinSolFree(p->solver);
    if (p->matrix) SUNMatDestroy(p->matrix);
    N_Vector vector[] = {p->y, p->dy, p->atol, p->inside};
    for (int i = 0; i < LENGTH(vector); i++)
        if (vector[i]) N_VDestroy(vector[i]);
    if (p->context) SUNContext_Free(&p->context);
    free_bridge(&p->bridge);
    free(p);
}

static Status peer_step(void *self, double limit) {
    Peer *p = self;
    /* nearer than the library's first step may be: already there as far as time can tell */
    if (limit - p->t <= 4.0 * DBL_EPSILON * fmax(fabs(limit), fabs(p->t))) {
        p->t = limit;
        return STATUS_OK;
    }
    p->bridge.status = STATUS_OK;
    const double before = p->t;
    const Status status = finish(p, p->fn->step(p, limit));
    /* the libraries go on with steps that time does not resolve */
    p->idle = p->t - before > 2.0 * DBL_EPSILON * fabs(p->t) ? 0 : p->idle + 1;
    if (status != STATUS_OK || p->idle < IDLE_STEPS) return status;
    p->fault = fault_none();
    p->fault.time = p->t;
    p->fault.what = status_text(STATUS_STEP_SMALL);
    return STATUS_STEP_SMALL;
}

static Status peer_dense(void *self, double t, double *x) {
    Peer        *p = self;
    const size_t bytes = sizeof(double) * (size_t)p->bridge.view->n;
    if (t == p->t) {
        memcpy(x, N_VGetArrayPointer(p->y), bytes);
        return STATUS_OK;
    }
    if (p->fn->dense(p, t) < 0) return STATUS_ARGUMENT;
    memcpy(x, N_VGetArrayPointer(p->inside), bytes);
    return STATUS_OK;
}

static OdeStatistics peer_statistics(const void *self) {
    const Peer   *p = self;
    const View   *view = p->bridge.view;
    OdeStatistics s = {0};
    p->fn->count(p, &s);
    s.steps_accepted += p->before.steps_accepted;
    s.steps_rejected += p->before.steps_rejected;
    s.newton_iterations += p->before.newton_iterations;
    s.newton_failures += p->before.newton_failures;
    s.factorizations += p->before.factorizations;
    s.rhs_calls = view->rhs_calls;
    s.rhs_rows = view->rhs_rows;
    s.jacobians = view->jacobians;
    s.state_steps = s.steps_accepted * view->n;
    s.projections = p->bridge.projections;
    return s;
}

static Status peer_restart(void *self, double t, const double *x) {
    Peer *p = self;
    p->before = peer_statistics(p);
    p->idle = 0;
    p->t = t;
    memcpy(N_VGetArrayPointer(p->y), x, sizeof(double) * (size_t)p->bridge.view->n);
    p->bridge.status = STATUS_OK;
    p->fn->begin_with(p, 0.0);
    return finish(p, p->fn->restart(p));
}

/* Earlier steps: to correct is to restart. */
static bool remembers(const Peer *p) {
    return p->fn->correct == p->fn->restart;
}

static Status peer_correct(void *self, const double *x) {
    Peer *p = self;
    if (remembers(p)) return peer_restart(p, p->t, x);
    memcpy(N_VGetArrayPointer(p->y), x, sizeof(double) * (size_t)p->bridge.view->n);
    return finish(p, p->fn->correct(p));
}

/* A one-step method hardly notices a correction. One of several steps starts afresh with it: IDA
 * takes 20 times the steps if that happens at a tenth of the tolerance instead of ten times it.
 * CVODE corrects by itself. */
static double peer_drift(const void *self) {
    return remembers(self) ? 10.0 : 0.01;
}

static Status peer_retreat(void *self, double t, const double *x, double h) {
    Peer        *p = self;
    const Status status = peer_restart(p, t, x);
    p->before.steps_rejected++;
    if (status == STATUS_OK) p->fn->begin_with(p, h);
    return status;
}

static double peer_time(const void *self) {
    return ((const Peer *)self)->t;
}

static const double *peer_state(const void *self) {
    return N_VGetArrayPointer(((const Peer *)self)->y);
}

static const double *peer_slope(void *self, double *moment) {
    (void)self;
    *moment = 0.0;
    return NULL;
}

static const Fault *peer_fault(const void *self) {
    return &((const Peer *)self)->fault;
}

static Peer *make_peer(SundialsKind kind, View *view, const OdeOptions *o, int order,
                       double t, const double *x, Status *status) {
    Peer *p = calloc(1, sizeof *p);
    *status = STATUS_NO_MEMORY;
    if (!p) return NULL;
    p->fn = functions_of(kind);
    p->kind = kind;
    p->t = t;
    p->order = order;
    p->fault = fault_none();
    p->rtol = o->rtol > 0.0 ? o->rtol : 1e-6;
    p->h_max = o->h_max;
    p->stiff = kind != PEER_CVODE_ADAMS && kind != PEER_ARKODE_EXPLICIT;
    if (make_bridge(&p->bridge, view, o) && make_vectors(p, x)) {
        set_tolerances(p, o, x);
        p->bridge.rtol = p->rtol;
        if ((!p->stiff || make_solver(p)) && p->fn->create(p)) {
            *status = STATUS_OK;
            return p;
        }
        *status = STATUS_RETRY;
    }
    peer_free(p);
    return NULL;
}

Status sundials_new(Integrator *out, SundialsKind kind, View *view,
                    const OdeOptions *options, int order, double t, const double *x) {
    static const OdeOptions none = {0};
    /* clang-format off */
    static const IntegratorFunctions functions = {
        .step = peer_step, .dense = peer_dense,
        .restart = peer_restart, .correct = peer_correct, .retreat = peer_retreat,
        .time = peer_time, .state = peer_state, .slope = peer_slope,
        .drift = peer_drift, .fault = peer_fault, .statistics = peer_statistics,
        .free = peer_free,
    };
    /* clang-format on */
    Status status;
    Peer  *p = make_peer(kind, view, options ? options : &none, order, t, x, &status);
    *out = p ? (Integrator){&functions, p} : (Integrator){0};
    return status;
}

bool sundials_present(void) {
    return true;
}

#endif

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

Status sundials_solve(SundialsKind kind, View *view, const OdeOptions *options, int order,
                      double t, double stop, double *x, OdeStatistics *statistics) {
    const long most = options && options->max_steps > 0 ? options->max_steps : 10000000;
    Integrator with;
    Status     status = sundials_new(&with, kind, view, options, order, t, x);
    *statistics = (OdeStatistics){0};
    if (status != STATUS_OK) return status;
    const IntegratorFunctions *fn = with.fn;
    const double               begun = now();
    for (long i = 0; status == STATUS_OK && fn->time(with.self) < stop; i++)
        status = i < most ? fn->step(with.self, stop) : STATUS_TOO_MANY;
    *statistics = fn->statistics(with.self);
    statistics->time_simulate = now() - begun;
    memcpy(x, fn->state(with.self), sizeof(double) * (size_t)view->n);
    fn->free(with.self);
    return status;
}
