/* SPDX-License-Identifier: Apache-2.0 */
/* fit_kinsol.c -- the same least squares by KINSOL, as a second opinion.
 *
 * The gradient J'r of the sum of squares is zero at its minimum: KINSOL solves that with a line search, and gets
 * J'J for its Jacobian (Gauss and Newton). Unknown are the parameters in units of their size. Bounds are not for this
 * method. Without the library the call says so. */
#include "study/fit.h"

#ifndef HAVE_SUNDIALS

RbStatus fit_kinsol(Fit *f, RbError *error) {
    (void)f;
    return error_set(error, RB_ARGUMENT, "this build has no SUNDIALS, and so no KINSOL");
}

#else

#include <math.h>

#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct Kin {
    Fit            *fit;
    RbError        *error;
    RbStatus        status; /* that ends it */
    SUNContext      context;
    N_Vector        u, unit, weight; /* unknowns, 1, scales of the equations */
    SUNMatrix       matrix;
    SUNLinearSolver solver;
    void           *memory;
} Kin;

static double size_of(const Fit *f, int k) {
    const double start = fabs(f->parameter[k].start);
    return start > 0 ? start : 1;
}

/* Values, residuals, J'r and J'J there. */
static RbStatus look(Kin *kin, N_Vector u) {
    Fit *f = kin->fit;
    for (int k = 0; k < f->parameters; k++) f->value[k] = NV_Ith_S(u, k) * size_of(f, k);
    return fit_look(f, kin->error);
}

static int gradient(N_Vector u, N_Vector to, void *data) {
    Kin           *kin = data;
    Fit           *f = kin->fit;
    const RbStatus status = look(kin, u);
    if (status == RB_STOPPED || status == RB_NO_MEMORY) kin->status = status;
    if (status != RB_OK) return kin->status == RB_OK ? 1 : -1;
    for (int k = 0; k < f->parameters; k++)
        NV_Ith_S(to, k) = f->gradient[k] * size_of(f, k);
    return 0;
}

/* KINSOL asks for it at points at which it has just asked for the gradient. */
static int jacobian(N_Vector u, N_Vector g, SUNMatrix to, void *data, N_Vector a,
                    N_Vector b) {
    Kin       *kin = data;
    const Fit *f = kin->fit;
    (void)g, (void)a, (void)b;
    for (int k = 0; k < f->parameters; k++)
        if (f->value[k] != NV_Ith_S(u, k) * size_of(f, k))
            return look(kin, u) == RB_OK ? jacobian(u, g, to, data, a, b) : -1;
    for (int j = 0; j < f->parameters; j++)
        for (int k = 0; k < f->parameters; k++)
            SM_ELEMENT_D(to, k, j) =
                f->normal[k * f->parameters + j] * size_of(f, j) * size_of(f, k);
    return 0;
}

static void silence(int code, const char *module, const char *function, char *text,
                    void *data) {
    (void)code, (void)module, (void)function, (void)text, (void)data;
}

static bool open_kin(Kin *kin) {
    Fit      *f = kin->fit;
    const int n = f->parameters;
    if (SUNContext_Create(NULL, &kin->context) != 0) return false;
    kin->u = N_VNew_Serial(n, kin->context);
    kin->unit = N_VNew_Serial(n, kin->context);
    kin->weight = N_VNew_Serial(n, kin->context);
    kin->matrix = SUNDenseMatrix(n, n, kin->context);
    kin->memory = KINCreate(kin->context);
    if (!kin->u || !kin->unit || !kin->weight || !kin->matrix || !kin->memory)
        return false;
    kin->solver = SUNLinSol_Dense(kin->u, kin->matrix, kin->context);
    return kin->solver != NULL &&
           KINSetErrHandlerFn(kin->memory, silence, NULL) == KIN_SUCCESS &&
           KINInit(kin->memory, gradient, kin->u) == KIN_SUCCESS &&
           KINSetUserData(kin->memory, kin) == KIN_SUCCESS &&
           KINSetLinearSolver(kin->memory, kin->solver, kin->matrix) == KIN_SUCCESS &&
           KINSetJacFn(kin->memory, jacobian) == KIN_SUCCESS &&
           KINSetMaxSetupCalls(kin->memory, 1) == KIN_SUCCESS &&
           KINSetFuncNormTol(kin->memory, 1e-7) == KIN_SUCCESS &&
           KINSetScaledStepTol(kin->memory, 1e-9) == KIN_SUCCESS;
}

static void close_kin(Kin *kin) {
    if (kin->memory) KINFree(&kin->memory);
    if (kin->solver) SUNLinSolFree(kin->solver);
    if (kin->matrix) SUNMatDestroy(kin->matrix);
    if (kin->u) N_VDestroy(kin->u);
    if (kin->unit) N_VDestroy(kin->unit);
    if (kin->weight) N_VDestroy(kin->weight);
    if (kin->context) SUNContext_Free(&kin->context);
}

/* Equations in units in which they are about the relative error of a parameter. */
static RbStatus solve(Kin *kin) {
    Fit *f = kin->fit;
    for (int k = 0; k < f->parameters; k++)
        NV_Ith_S(kin->u, k) = f->value[k] / size_of(f, k);
    RbStatus status = look(kin, kin->u);
    if (status != RB_OK) return status;
    for (int k = 0; k < f->parameters; k++) {
        const double own =
            f->normal[k * f->parameters + k] * size_of(f, k) * size_of(f, k);
        NV_Ith_S(kin->weight, k) = own > 0 ? 1 / own : 1;
        NV_Ith_S(kin->unit, k) = 1;
    }
    long      steps = 0;
    const int how = KINSol(kin->memory, kin->u, KIN_LINESEARCH, kin->unit, kin->weight);
    KINGetNumNonlinSolvIters(kin->memory, &steps);
    f->iterations += (int)steps;
    f->converged = how >= 0;
    if (kin->status != RB_OK) return kin->status;
    return look(kin, kin->u);
}

RbStatus fit_kinsol(Fit *f, RbError *error) {
    Kin kin = {.fit = f, .error = error};
    for (int k = 0; k < f->parameters; k++)
        if (isfinite(f->parameter[k].low) || isfinite(f->parameter[k].high))
            return error_set(error, RB_ARGUMENT, "%s: KINSOL takes no bounds",
                             f->parameter[k].name);
    RbStatus status = open_kin(&kin)
                          ? solve(&kin)
                          : error_set(error, RB_NO_MEMORY, "there is no memory");
    close_kin(&kin);
    return status;
}

#endif
