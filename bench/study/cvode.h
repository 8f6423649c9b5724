/* SPDX-License-Identifier: Apache-2.0 */
/* cvode.h -- the ladder of Ladder.mo by hand, integrated by CVODE. */
#include <stdbool.h>

enum { LADDER = 10 };
/* Voltages at time 1 into v; false: there is no SUNDIALS, or it failed. */
bool cvode_ladder(double resistance, double tolerance, double *v);
