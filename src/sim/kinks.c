/* SPDX-License-Identifier: Apache-2.0 */
/* kinks.c -- steps end where an input of the states has a kink or jumps without an event.
 *
 * `der(q) = noEvent(abs(sin(5*time)))`: no polynomial follows a kink, and what a step over it is estimated to be
 * wrong by is a small share of what it is: hundreds of tolerances, and with jumps any number of them. Where
 * inputs depend on time alone the model knows the places (live/inputs.c). A step ends before the next one, and the integrator goes
 * on behind it; both are as near as rounding errors allow. No event happens.
 *
 * Cost: an enclosure of an input after each event; a hundred for each place. */
#include "sim/run.h"

#include <float.h>
#include <math.h>

static const double LEAST =
    1e-4; /* of the simulated interval: what is passed where nothing is known */
static const double BESIDE =
    1e-11; /* of it: places as near to an event as this are its own */

/* From what is known to the end; places at now are passed already. */
static void look(Simulation *run, double end) {
    enum { TRIES = 8 };
    Ahead       *a = &run->ahead;
    const double interval = run->options->stop - run->options->start;
    Range        window = {fmax(a->smooth, run->t), end};
    a->smooth = end;
    for (int k = 0; k < TRIES && window.low < end; k++) {
        Range where;
        if (!run->model->fn->kink(run->model->instance, window, &where)) {
            a->smooth = fmin(fmax(where.low, run->t + LEAST * interval), end);
            return;
        }
        if (where.high >= end - BESIDE * interval) return;
        if (where.low > run->t + BESIDE * interval) {
            a->kink = where;
            a->smooth = where.high;
            return;
        }
        window.low = where.high;
    }
}

double kink_limit(Simulation *run, double limit) {
    Ahead *a = &run->ahead;
    if (!run->model->fn->kink || !stepper_exists(&run->stepper) ||
        run->options->ode.h_fixed > 0.0)
        return limit;
    if (isnan(a->kink.low) && a->smooth < limit) look(run, limit);
    return fmin(limit, isnan(a->kink.low) ? a->smooth : a->kink.low);
}

bool kink_pass(Simulation *run) {
    Ahead *a = &run->ahead;
    if (!(run->t >= a->kink.low)) return false;
    run->last = run->t;
    run->t = fmax(a->kink.high, run->t);
    a->kink.low = NAN;
    return true;
}
