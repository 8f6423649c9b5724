/* SPDX-License-Identifier: Apache-2.0 */
/* stepped.c -- a foreign unit that steps itself, from communication point to communication point.
 *
 * The points are the interval apart; where an input jumps, a step ends as well. */
#include "fmi/guest.h"

#include <math.h>

Status guest_record(Guest *u, const SimOptions *o, double t, double *y, SimOutcome *out) {
    Status status = guest_values(u, &o->output, y);
    out->time = out->fault.time = t;
    if (status != STATUS_OK) out->fault.what = "a value of the unit cannot be read";
    if (status == STATUS_OK && o->point)
        status = o->point(o->owner, t, NULL, y, &out->fault);
    out->statistics.points += status == STATUS_OK;
    return status;
}

static Status one_step(Guest *u, double *t, double until, SimOutcome *out) {
    double reached;
    bool   terminate;
    out->fault.time = *t;
    if (!guest_put_inputs(u, *t, true)) {
        out->fault.what = "the unit refuses an input";
        return STATUS_FATAL;
    }
    FmiStatus status = guest_step(u, *t, until - *t, &reached, &terminate);
    if (status > FMI_WARNING) {
        out->fault.what =
            u->said.length ? text_get(&u->said) : "the unit cannot do the step";
        return STATUS_FATAL;
    }
    if (!terminate && !(reached > *t)) {
        out->fault.what = "the unit does not go on";
        return STATUS_FATAL;
    }
    *t = reached;
    out->statistics.ode.steps_accepted++;
    return terminate ? STATUS_END : STATUS_OK;
}

SimOutcome guest_run(Guest *u, const SimOptions *o) {
    SimOutcome out = {.status = STATUS_OK, .fault = fault_none()};
    double    *y = mem_take((size_t)selection_count(&o->output, u->columns), sizeof *y);
    double     t = o->start;
    out.status = y ? guest_record(u, o, t, y, &out) : STATUS_NO_MEMORY;
    for (long k = 1; out.status == STATUS_OK && t < o->stop; k++) {
        double point = o->start + (double)k * o->interval;
        if (point > o->stop - 1e-9 * o->interval) point = o->stop;
        while (out.status == STATUS_OK && t < point - 1e-12 * o->interval) {
            const double jump = guest_next_jump(u, t);
            out.status = one_step(u, &t, fmin(point, jump), &out);
        }
        if (out.status != STATUS_OK && out.status != STATUS_END) break;
        Status recorded = guest_record(u, o, t, y, &out);
        if (recorded != STATUS_OK) out.status = recorded;
        if (out.status == STATUS_OK && o->progress &&
            !o->progress(o->owner, t, &out.statistics))
            out.status = STATUS_END;
    }
    out.time = t;
    mem_free(y);
    return out;
}
