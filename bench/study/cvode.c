/* SPDX-License-Identifier: Apache-2.0 */
/* cvode.c -- what somebody would write without Rubato: right-hand side and banded Jacobian by hand, BDF,
 * everything made once per run. */
#include "study/cvode.h"

#ifdef HAVE_SUNDIALS
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunmatrix/sunmatrix_band.h>

static const double capacity = 0.01;

static int right_hand_side(realtype t, N_Vector x, N_Vector dx, void *owner) {
    const double  g = 1 / (*(double *)owner * capacity);
    const double *v = N_VGetArrayPointer(x);
    double       *d = N_VGetArrayPointer(dx), left = sin(20 * t);
    for (int i = 0; i < LADDER; i++) {
        d[i] = g * (left - v[i]);
        if (i < LADDER - 1) d[i] -= g * (v[i] - v[i + 1]);
        left = v[i];
    }
    return 0;
}

static int jacobian(realtype t, N_Vector x, N_Vector fx, SUNMatrix a, void *owner,
                    N_Vector w1, N_Vector w2, N_Vector w3) {
    const double g = 1 / (*(double *)owner * capacity);
    (void)t, (void)x, (void)fx, (void)w1, (void)w2, (void)w3;
    for (int i = 0; i < LADDER; i++) {
        double *column = SM_COLUMN_B(a, i);
        SM_COLUMN_ELEMENT_B(column, i, i) = i < LADDER - 1 ? -2 * g : -g;
        if (i > 0) SM_COLUMN_ELEMENT_B(column, i - 1, i) = g;
        if (i < LADDER - 1) SM_COLUMN_ELEMENT_B(column, i + 1, i) = g;
    }
    return 0;
}

bool cvode_ladder(double resistance, double tolerance, double *v) {
    SUNContext context;
    double     t = 0;
    if (SUNContext_Create(NULL, &context) != 0) return false;
    N_Vector        x = N_VNew_Serial(LADDER, context);
    SUNMatrix       a = SUNBandMatrix(LADDER, 1, 1, context);
    SUNLinearSolver solver = SUNLinSol_Band(x, a, context);
    void           *memory = CVodeCreate(CV_BDF, context);
    N_VConst(0, x);
    bool fine = CVodeInit(memory, right_hand_side, 0, x) == 0 &&
                CVodeSStolerances(memory, tolerance, tolerance) == 0 &&
                CVodeSetUserData(memory, &resistance) == 0 &&
                CVodeSetLinearSolver(memory, solver, a) == 0 &&
                CVodeSetJacFn(memory, jacobian) == 0 &&
                CVodeSetStopTime(memory, 1) == 0 &&
                CVodeSetMaxNumSteps(memory, 100000) == 0 &&
                CVode(memory, 1, x, &t, CV_NORMAL) >= 0;
    for (int i = 0; i < LADDER; i++) v[i] = N_VGetArrayPointer(x)[i];
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(a);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return fine;
}
#else
bool cvode_ladder(double resistance, double tolerance, double *v) {
    (void)resistance, (void)tolerance, (void)v;
    return false;
}
#endif
