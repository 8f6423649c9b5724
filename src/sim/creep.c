/* SPDX-License-Identifier: Apache-2.0 */
/* creep.c -- events without progress: time creeps, nothing else moves.
 *
 * Chattering in its plain form does not let time pass at all (event/rounds.c). With a small
 * hysteresis or a fast lag the same mistake lets time pass by microseconds: the run would need
 * millions of events, and its result gigabytes, while all states stay where they are. A window of
 * events counts as such if they follow each other within SHARE of the simulated interval on
 * average, no state was farther than REACH tolerances from its place at the beginning of the
 * window, and the relation itself does not go farther from its border between two events. The last
 * condition tells this from a carrier signal that switches something slow. Events that follow each
 * other within RAPID_SHARE are too many for any run: then states may move.
 *
 * Cost: n comparisons an event; one evaluation of a crossing every EVENTS events that crept. */
#include "sim/run.h"

#include <math.h>
#include <string.h>

enum { EVENTS = 2000, RAPID_EVENTS = 20000 };
#define SHARE       1e-6
#define RAPID_SHARE 1e-9
#define REACH       10.0

static bool has_moved(const Simulation *run, const Creep *creep) {
    const Model *m = run->model;
    const double rtol = run->options->ode.rtol > 0 ? run->options->ode.rtol : 1e-6;
    const double atol = run->options->ode.atol > 0 ? run->options->ode.atol : rtol;
    for (int i = 0; i < m->nx; i++) {
        const double nominal = m->nominal ? fabs(m->nominal[i]) : 1.0;
        const double reach = REACH * (atol * nominal + rtol * fabs(creep->x[i]));
        if (!(fabs(run->x[i] - creep->x[i]) <= reach)) return true;
    }
    return false;
}

static bool is_rapid(Simulation *run) {
    const SimOptions *o = run->options;
    Creep            *creep = &run->creep;
    if (creep->rapid++ == 0) creep->rapid_since = run->t;
    if (creep->rapid < RAPID_EVENTS) return false;
    creep->rapid = 0;
    return run->t - creep->rapid_since <
           RAPID_EVENTS * RAPID_SHARE * (o->stop - o->start);
}

bool creep_note(Simulation *run) {
    const SimOptions *o = run->options;
    Creep            *creep = &run->creep;
    if (run->model->nx == 0) return false;
    if (is_rapid(run)) return true;
    if (creep->events == 0 || has_moved(run, creep)) {
        memcpy(creep->x, run->x, sizeof(double) * (size_t)run->model->nx);
        creep->since = run->t;
        creep->events = 1;
        return false;
    }
    if (++creep->events < EVENTS) return false;
    const bool slow = run->t - creep->since < EVENTS * SHARE * (o->stop - o->start);
    creep->events = 0;
    return slow;
}

bool creep_is_near(double z, double size, double rtol) {
    return fabs(z) <= REACH * (rtol > 0 ? rtol : 1e-6) * fmax(size, 1.0);
}
