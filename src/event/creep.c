/* SPDX-License-Identifier: Apache-2.0 */
/* creep.c -- events without progress: time creeps, nothing else moves.
 *
 * Chattering in its plain form does not let time pass at all (rounds.c). With a small hysteresis or
 * a fast lag the same mistake lets time pass by microseconds: the run would need millions of events,
 * and its result gigabytes, while all states stay where they are. A row of CREEP_EVENTS events counts
 * as such if they follow each other within CREEP_SHARE of the simulated interval on average, no state
 * was farther than REACH tolerances from its place at the beginning of the row, and the relation
 * itself does not go farther from its border between two events. The last condition tells this from a
 * carrier signal that switches something slow. The time loop counts events of the whole model, groups
 * of states count their own. */
#include <math.h>

#include "event/event.h"

#define REACH 10.0

bool creep_has_moved(double x, double was, double nominal, const OdeOptions *options) {
    const double rtol = options->rtol > 0 ? options->rtol : 1e-6;
    const double atol = options->atol > 0 ? options->atol : rtol;
    const double reach = REACH * (atol * fabs(nominal) + rtol * fabs(was));
    return !(fabs(x - was) <= reach);
}

bool creep_is_near(double z, double size, double rtol) {
    return fabs(z) <= REACH * (rtol > 0 ? rtol : 1e-6) * fmax(size, 1.0);
}
