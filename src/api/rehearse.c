/* SPDX-License-Identifier: Apache-2.0 */
/* rehearse.c -- before a run in real time: do the frames fit?
 *
 * The first ticks run once without waiting, nothing is recorded, and all values are taken back. That makes
 * the matrices that ticks use, and measures frames. Then
 *   one task, split frames   the longest tick, slow work in it, must fit into the shortest interval
 *   tasks by rate            R = C + sum over faster tasks of ceil(R/T) C must not exceed the interval
 *                            T of a task, where C is its longest frame (Joseph, Pandya 1986)
 * The answer is said before the run and stands in the statistics: a run that does not fit goes on, and
 * counts what it misses. Models with external or impure functions or with a past are not rehearsed,
 * because what they do cannot be taken back. */
#include "api/api.h"

#include <math.h>
#include <string.h>

enum { TICKS = 64 }; /* of the fastest partition, or ... */
enum { SLOW = 3 };   /* ... of the slowest, whichever is longer */

/* Shortest and longest interval of all partitions, in simulated seconds. */
static void find_range(const RbSimulation *s, double *least, double *most) {
    *least = HUGE_VAL;
    *most = 0;
    for (int k = 0; k < s->program->program->clocks.subs; k++) {
        double h = ticks_interval(&s->instance, k);
        if (!(h > 0)) continue;
        *least = fmin(*least, h);
        *most = fmax(*most, h);
    }
}

/* The time after which the work of all partitions with this interval is done, if faster ones go first. */
static double response(const RbSimulation *s, double interval) {
    int    subs = s->program->program->clocks.subs;
    double factor = s->options.realtime, own = 0, r, next;
    for (int k = 0; k < subs; k++)
        if (ticks_interval(&s->instance, k) == interval)
            own += ticks_frame(&s->instance, k)->worst;
    next = own;
    do {
        r = next;
        next = own;
        for (int k = 0; k < subs; k++) {
            double h = ticks_interval(&s->instance, k);
            if (h > 0 && h < interval)
                next += ceil(r * factor / h) * ticks_frame(&s->instance, k)->worst;
        }
    } while (next > r && next * factor <= interval);
    return next;
}

static void judge(RbSimulation *s) {
    Schedule *to = &s->schedule;
    int       subs = s->program->program->clocks.subs;
    double    least, most, factor = s->options.realtime;
    find_range(s, &least, &most);
    *to = (Schedule){.measured = true,
                     .fits = true,
                     .interval = least / factor,
                     .need = ticks_longest(&s->instance)};
    for (int k = 0; k < subs; k++) {
        double h = ticks_interval(&s->instance, k) / factor;
        if (h > 0) to->utilization += ticks_frame(&s->instance, k)->worst / h;
    }
    for (int k = 0; k < subs && s->options.tasks == RB_TASKS_RATES; k++) {
        double h = ticks_interval(&s->instance, k), r = h > 0 ? response(s, h) : 0;
        bool   tighter = k == 0 || r * factor / h > to->need / to->interval;
        if (!(h > 0) || !tighter) continue;
        to->need = r;
        to->interval = h / factor;
    }
    to->fits = to->need <= to->interval;
}

static void tell(RbSimulation *s) {
    const Schedule *c = &s->schedule;
    Text            text = {0};
    if (!s->listener.say) return;
    if (!c->measured)
        text_add(&text,
                 "rubato: the frames are not measured before the run: the model has "
                 "external or impure functions or a past\n");
    else if (!c->fits)
        text_printf(&text,
                    "rubato: %.0f us of work in an interval of %.0f us: frames will be "
                    "missed\n",
                    1e6 * c->need, 1e6 * c->interval);
    if (!ticks_priorities(&s->instance))
        text_add(&text,
                 "rubato: the system grants no priorities: tasks share the processor "
                 "as all others do\n");
    if (text.length) s->listener.say(s->listener.owner, s->start, false, text_get(&text));
    text_free(&text);
}

static bool run_once(RbSimulation *s, double until) {
    SimOptions o = s->sim;
    double    *x = mem_take((size_t)s->instance.model.nx, sizeof *x);
    o.stop = fmin(s->stop, until);
    o.point = o.probe = NULL;
    o.progress = NULL;
    o.trace = NULL;
    o.event = NULL;
    Simulation *run = x ? simulation_open(&s->instance.model, &o, x) : NULL;
    if (run) simulation_advance(run, o.stop);
    simulation_close(run);
    mem_free(x);
    return run != NULL;
}

bool simulation_rehearse(RbSimulation *s) {
    Bytes  saved = {0};
    double least, most;
    bool   fine = true;
    if (!(s->options.realtime > 0) || !ticks_frame(&s->instance, 0)) return true;
    find_range(s, &least, &most);
    if (most > 0 && ticks_repeatable(&s->instance) && !s->sim.resumed) {
        instance_save(&s->instance, &saved);
        saved = (Bytes){.data = mem_take(saved.count, 1), .room = saved.count};
        if (!saved.data) return false;
        instance_save(&s->instance, &saved);
        ticks_rehearse(&s->instance, true);
        fine = run_once(s, s->start + fmax(TICKS * least, SLOW * most));
        ticks_rehearse(&s->instance, false);
        judge(s);
        saved.count = 0;
        instance_restore(&s->instance, &saved);
        s->instance.incident = (Incident){0};
        ticks_forget(&s->instance);
        mem_free(saved.data);
    }
    tell(s);
    return fine && !saved.failed;
}
