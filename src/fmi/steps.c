/* SPDX-License-Identifier: Apache-2.0 */
/* steps.c -- Co-Simulation: communication steps by the time loop of ours.
 *
 * Steps of the integrator end at communication points; events happen inside them. The loop knows the
 * end of the simulation; where the other tool does not tell it, the end is moved on before it is
 * reached. After an early return a new loop goes on from the state reached, as after an event. */
#include "fmi/slave.h"

#include <math.h>
#include <string.h>

static bool on_progress(void *owner, double t, const SimStatistics *statistics) {
    Slave *s = owner;
    (void)statistics;
    s->t = t;
    s->fresh = false;
    s->early = s->update && !s->update(s, t);
    return !s->early;
}

static bool open_loop(Slave *s, bool resumed) {
    const double span = s->stop - s->start;
    s->sim.start = s->start;
    s->sim.stop = s->stop;
    s->sim.resumed = resumed;
    s->sim.from = s->t;
    s->sim.rates = s->rates < 0 ? SIM_RATES_AUTO : s->rates ? s->rates : 1;
    s->sim.threads = 1;
    s->sim.progress = on_progress;
    s->sim.owner = s;
    s->sim.output = (Selection){.kind = SELECT_LIST};
    /* a model without states looks at its crossings between points of this distance */
    if (!s->program->states.count) s->sim.interval = span / 500;
    s->run = simulation_open(&s->instance.model, &s->sim, s->x);
    if (!s->run) slave_complain(s, 3, "there is no memory");
    return s->run != NULL;
}

void slave_end_steps(Slave *s) {
    simulation_close(s->run);
    s->run = NULL;
}

static bool advance(Slave *s, double until, bool *terminate) {
    s->early = false;
    s->begun = true;
    Status            status = simulation_advance(s->run, until);
    const SimOutcome *outcome = simulation_outcome(s->run);
    s->t = outcome->time;
    s->fresh = false;
    *terminate = status == STATUS_END && !s->early;
    if (s->instance.lacking) status = STATUS_NO_MEMORY;
    if (status != STATUS_OK && status != STATUS_END)
        return slave_failed(s, status, &outcome->fault);
    if (s->early || *terminate) slave_end_steps(s);
    if (*terminate) s->phase = PHASE_ENDED;
    return true;
}

bool slave_begin_steps(Slave *s) {
    bool terminate;
    return open_loop(s, false) && advance(s, s->start, &terminate);
}

bool slave_step(Slave *s, double until, bool *terminate) {
    const double span = fmax(s->stop - s->start, until - s->start);
    *terminate = s->phase == PHASE_ENDED;
    if (s->phase == PHASE_ENDED) return true;
    if (s->phase != PHASE_RUNNING) return false;
    if (s->has_stop && fabs(until - s->stop) < 1e-9 * span) until = s->stop;
    if (!s->has_stop && until >= s->stop) s->stop = s->sim.stop = until + span;
    if (!s->run) { /* the last step returned early, or a state was restored */
        s->begun = true;
        if (!slave_refresh(s) || !open_loop(s, true)) return false;
    }
    if (s->disturbed) simulation_disturb(s->run);
    s->disturbed = false;
    return advance(s, until, terminate);
}
