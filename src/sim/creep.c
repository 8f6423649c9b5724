/* SPDX-License-Identifier: Apache-2.0 */
/* creep.c -- the time loop's own events without progress: see event/creep.c.
 *
 * A window of them counts if no state left its place and the last relation stayed at its border. Events
 * that follow each other within RAPID_SHARE are too many for any run: then states may move.
 *
 * Cost: n comparisons an event; one evaluation of a crossing every EVENTS events that crept. */
#include "sim/run.h"

#include <math.h>
#include <string.h>

enum { RAPID_EVENTS = 20000 };
#define RAPID_SHARE 1e-9

static bool has_moved(const Simulation *run, const Creep *creep) {
    const Model *m = run->model;
    for (int i = 0; i < m->nx; i++)
        if (creep_has_moved(run->x[i], creep->x[i], m->nominal ? m->nominal[i] : 1.0,
                            &run->options->ode))
            return true;
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
    if (++creep->events < CREEP_EVENTS) return false;
    const bool slow =
        run->t - creep->since < CREEP_EVENTS * CREEP_SHARE * (o->stop - o->start);
    creep->events = 0;
    return slow;
}
