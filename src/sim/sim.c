/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c -- the time loop: step, look for events, deliver output points, go on.
 *
 * A step ends at its own natural end, at the next time event or at the end of the
 * simulation. If a crossing changed sign inside it, the step ends there (event/ending.c), and
 * what lies after that is forgotten. A step with a point
 * at which the model cannot be evaluated is taken back and tried again with a quarter of its
 * length: it may have left the domain of the model by its own error only. If the model ends
 * there indeed, the steps become shorter and shorter in front of that place, and what the
 * model said last is why the run ends. */
#include "sim/run.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- output points ---- */

static double output_time(const Simulation *run, long k) {
    const SimOptions *o = run->options;
    double            t = o->start + (double)k * o->interval;
    /* the last point is the end itself, not a rounding error beside it */
    return fabs(t - o->stop) < 1e-9 * o->interval ? o->stop : t;
}

static Status state_inside(void *owner, double t, double *x) {
    Simulation *run = owner;
    return stepper_dense(&run->stepper, t, x);
}

/* Output points after the beginning of the step and before `to`, or at it. */
static Status deliver_points(Simulation *run, double to, bool at_end) {
    if (!(run->options->interval > 0)) return STATUS_OK;
    for (;; run->output++) {
        double t = output_time(run, run->output);
        if (t > to || t > run->options->stop || (t == to && !at_end)) return STATUS_OK;
        bool   end = t == run->t; /* there the state may have been corrected */
        Status status = end ? STATUS_OK : state_inside(run, t, run->inside);
        if (status != STATUS_OK)
            return run_fault(run, status, stepper_fault(&run->stepper));
        status = run_record(run, t, end ? run->x : run->inside);
        if (status != STATUS_OK) return status;
    }
}

/* Points before and after an event that was lived through inside the step. */
static Status record_inside(Simulation *run, double t, bool behind) {
    Status status = state_inside(run, behind ? t : nextafter(t, -HUGE_VAL), run->inside);
    if (status != STATUS_OK) return run_fault(run, status, stepper_fault(&run->stepper));
    return run_record(run, t, run->inside);
}

static Status local_event(Simulation *run, const LocalEvent *event) {
    const SimOptions *o = run->options;
    Fault             fault = fault_none();
    run->outcome.statistics.events_state++;
    if (o->event) o->event(o->owner, event->t, EVENT_STATE);
    if (!chatter_note(&run->chatter, event->t, event->crossing, o->stop - o->start,
                      &fault))
        return STATUS_OK;
    return run_fault(run, STATUS_CHATTERING, &fault);
}

/* Output points and local events up to `to`, in the order of time. */
static Status deliver_outputs(Simulation *run, double to, bool at_end) {
    const Stepper *s = &run->stepper;
    Status         status = STATUS_OK;
    double         told = run->recorded; /* before the step was repeated */
    for (int k = 0; k < s->events && status == STATUS_OK; k++) {
        double t = s->event[k].t;
        bool   first = k == 0 || t > s->event[k - 1].t;
        bool   last = k + 1 == s->events || s->event[k + 1].t > t;
        if (t > to) break;
        if (t <= told) continue;
        if (first) status = deliver_points(run, t, false);
        if (first && status == STATUS_OK && run->recorded != t)
            status = record_inside(run, t, false);
        if (status == STATUS_OK) status = local_event(run, &s->event[k]);
        if (last && status == STATUS_OK) status = record_inside(run, t, true);
        while (last && run->options->interval > 0 && output_time(run, run->output) <= t)
            run->output++;
    }
    if (status == STATUS_OK) status = deliver_points(run, to, at_end);
    stepper_settle(&run->stepper);
    return status;
}

/* ---- one step ---- */

/* A model without states has no step of its own: it looks at its crossings ten times
 * between output points; without any to look at it goes from one point to the next. */
static double stateless_step(const Simulation *run, double limit) {
    const int looks = selection_count(&run->crossings.which, run->model->nz);
    double    point =
        run->options->interval > 0 && !looks ? output_time(run, run->output) : 0;
    if (point > run->t) return fmin(point, limit);
    double h = (run->options->interval > 0 ? run->options->interval
                                           : run->options->stop - run->options->start) /
               10;
    double t = run->t + h;
    return t < limit && limit - t > 1e-9 * h ? t : limit;
}

static Status take_step(Simulation *run, double limit) {
    run->last = run->t;
    if (!stepper_exists(&run->stepper)) {
        run->t = stateless_step(run, limit);
        return STATUS_OK;
    }
    Status status = stepper_step(&run->stepper, limit);
    if (status == STATUS_CHATTERING) /* of events inside the step */
        run->t = stepper_fault(&run->stepper)->time;
    if (status != STATUS_OK) return run_fault(run, status, stepper_fault(&run->stepper));
    run->t = stepper_time(&run->stepper);
    memcpy(run->x, stepper_state(&run->stepper), sizeof(double) * (size_t)run->model->nx);
    return STATUS_OK;
}

/* ---- the step as the search for events sees it ---- */

static Status path_inside(void *owner, double t, const double **x) {
    Simulation *run = owner;
    *x = t == run->t ? run->x : run->inside;
    const Status status = t == run->t ? STATUS_OK : state_inside(run, t, run->inside);
    if (status != STATUS_OK) run->crossings.fault = *stepper_fault(&run->stepper);
    return status;
}

static Status path_line(void *owner, double t, const double **x) {
    Simulation   *run = owner;
    double        moment;
    const double *slope = stepper_slope(&run->stepper, &moment);
    for (int i = 0; i < run->model->nx; i++)
        run->inside[i] = run->x[i] + (t - run->t) * slope[i];
    *x = run->inside;
    return STATUS_OK;
}

static Status path_cut(void *owner, double t) {
    Simulation  *run = owner;
    const Status status = state_inside(run, t, run->inside);
    if (status != STATUS_OK) {
        run->crossings.fault = *stepper_fault(&run->stepper);
        return status;
    }
    run->t = t;
    memcpy(run->x, run->inside, sizeof(double) * (size_t)run->model->nx);
    stepper_cut(&run->stepper, t);
    return STATUS_OK;
}

static bool path_accurate(void *owner) {
    const Simulation *run = owner;
    return run->options->ode.h_fixed > 0 || stepper_accurate(&run->stepper);
}

static Status path_repeat(void *owner, double t, double *end) {
    Simulation  *run = owner;
    const Status status = stepper_repeat(&run->stepper, t, end);
    run->t = *end;
    if (status != STATUS_OK) run->crossings.fault = *stepper_fault(&run->stepper);
    else
        memcpy(run->x, stepper_state(&run->stepper),
               sizeof(double) * (size_t)run->model->nx);
    return status;
}

static void path_slide(void *owner, double t) {
    Simulation   *run = owner;
    const double *x;
    path_line(run, t, &x);
    memcpy(run->x, x, sizeof(double) * (size_t)run->model->nx);
    run->t = t;
    stepper_slide(&run->stepper, t);
}

static EventStep event_step(Simulation *run, double begin) {
    static const StepFunctions functions = {path_inside, path_line,   path_accurate,
                                            path_cut,    path_repeat, path_slide};
    return (EventStep){&functions, run, begin, run->t};
}

/* The step was repeated up to an event and came out shorter: crossings are as at its beginning. */
static Status look_again(Simulation *run, const EventStep *step) {
    Crossings *c = &run->crossings;
    Status     status = state_inside(run, step->begin, run->inside);
    if (status != STATUS_OK) c->fault = *stepper_fault(&run->stepper);
    else status = crossings_again(c, step->begin, run->inside, &c->which);
    return status;
}

/* Ends the step at the first crossing that changed sign; *found tells whether one did. Where a relation rests on
 * rounding errors, a repeated step may find an earlier one each time, or none: the last one ends on the polynomial
 * of the step as it is, and so does a step that cannot get shorter. */
static Status look_for_event(Simulation *run, bool *found) {
    enum { TRIES = 8 };
    EventStep        step = event_step(run, run->last);
    const SearchRule rule = search_rule(run->options->stop - run->options->start);
    const double     rtol = run->options->ode.rtol > 0 ? run->options->ode.rtol : 1e-6;
    Status           status = STATUS_OK;
    double           when;
    const double scale = fmax(fabs(run->last), run->options->stop - run->options->start);
    bool         shorter = true;
    *found = false;
    if (!crossings_count(&run->crossings)) return STATUS_OK;
    for (int tries = 0; shorter && status == STATUS_OK; tries++) {
        if (tries > 0) status = look_again(run, &step);
        if (status == STATUS_OK)
            status = event_search(&run->crossings, &step, &rule, &when);
        shorter = false;
        *found = status == STATUS_OK && run->looking.changes > 0;
        if (!*found) continue;
        status = tries < TRIES ? event_end(&run->crossings, &step, when, rtol, &shorter)
                               : event_cut(&step, when);
        if (status == STATUS_RETRY && step.end - step.begin < 1e3 * DBL_EPSILON * scale)
            status = event_cut(&step, when);
    }
    Fault *fault = &run->crossings.fault;
    if (status == STATUS_RETRY && *found && !fault->what && fault->relation < 0) {
        fault->relation = run->looking.changed[0];
        fault->what = "no step can be ended where a relation changes";
    }
    if (status != STATUS_OK) return run_fault(run, status, fault);
    run->fresh = false;
    stepper_settle(&run->stepper);
    return STATUS_OK;
}

/* The end of the step on the invariants of the model. The integrator hears of it when the step
 * has been looked at: run->moved. */
static Status keep_invariants(Simulation *run) {
    const Model *model = run->model;
    double       tolerance = run->options->ode.rtol > 0 ? run->options->ode.rtol : 1e-6;
    double       share = stepper_drift(&run->stepper);
    Fault        fault = fault_none();
    run->moved = false;
    if (!model->fn->project || !stepper_exists(&run->stepper)) return STATUS_OK;
    fault.time = run->t;
    Status status = model->fn->project(model->instance, run->t, run->x, share * tolerance,
                                       &run->moved, &fault);
    if (status != STATUS_OK) return run_fault(run, status, &fault);
    run->projections += run->moved;
    return STATUS_OK;
}

/* Is the end of the step acceptable to the model? */
static Status check_step(Simulation *run) {
    const Model *model = run->model;
    Fault        fault = fault_none();
    if (!model->fn->check) return STATUS_OK;
    Status status = model->fn->check(model->instance, run->t, run->x, &fault);
    return status == STATUS_OK ? STATUS_OK : run_fault(run, status, &fault);
}

/* ---- steps that cannot be used ---- */

/* May the model do better at another point? */
static bool may_help(Status status) {
    return status == STATUS_RETRY || status == STATUS_NOT_FINITE ||
           status == STATUS_SINGULAR || status == STATUS_DIVERGED;
}

/* Without states there is no error to blame: the first time in the step that the model does not
 * accept is found by bisection, and the run ends there with what the model says. */
static Status stop_inside(Simulation *run, Status status) {
    const Model *model = run->model;
    double       low = run->last, high = run->t;
    double       width = 1e-12 * (high - low) + 4 * DBL_EPSILON * fabs(high);
    if (!model->fn->check) return status;
    while (high - low > width) {
        double t = low + 0.5 * (high - low);
        Fault  trial = fault_none();
        Status inside = model->fn->check(model->instance, t, run->x, &trial);
        if (inside != STATUS_OK) run_fault(run, inside, &trial);
        else inside = run_probe(run, t, run->x);
        if (inside == STATUS_OK) low = t;
        else high = t;
        if (inside != STATUS_OK) status = inside;
    }
    Fault why = run->outcome.fault;
    run->t = low;
    deliver_outputs(run, low, true);
    run_fault(run, status, &why);
    status = run_border(run, status);
    if (status != STATUS_OK && status != STATUS_END) run->t = high;
    return status;
}

/* No step from here, however short, is good for use; run->inside is the end of the last one. */
static Status end_at_border(Simulation *run, Status status, double from) {
    double end = run->t;
    run->t = from;
    status = run_border(run, status);
    if (status == STATUS_OK || status == STATUS_END) return status;
    run->t = end;
    memcpy(run->x, run->inside, sizeof(double) * (size_t)run->model->nx);
    return status;
}

/* Hundreds of steps that are not good for use, and time has not moved: states may stand still, because what a step
 * adds to them is rounded off, while time goes on by less and less. */
static bool is_stuck(Simulation *run, double from) {
    enum { MANY = 200 };
    const SimOptions *o = run->options;
    if (run->retreats++ == 0) run->retreat_from = from;
    if (run->retreats < MANY) return false;
    run->retreats = 0;
    return from - run->retreat_from < 1e-12 * (o->stop - o->start);
}

/* The step was not good for use: back for a shorter one, to its beginning or, where that may be
 * unfit to be recorded as well, to the last point that was. Since then there was no event. */
static Status retreat(Simulation *run, Status status, bool fresh) {
    const SimOptions *o = run->options;
    bool              far = run->unrecorded && !run->careful && run->recorded < run->last;
    double            from = far ? run->recorded : run->last;
    if (!may_help(status)) return status;
    if (!stepper_exists(&run->stepper)) return stop_inside(run, status);
    double h = run->share * (stepper_time(&run->stepper) - from);
    double scale = fmax(fabs(from), DBL_EPSILON * (o->stop - o->start));
    bool   end = h < 8 * DBL_EPSILON * scale || o->ode.h_fixed > 0 || is_stuck(run, from);
    if (end) memcpy(run->inside, run->x, sizeof(double) * (size_t)run->model->nx);
    if (far) memcpy(run->x, run->sure, sizeof(double) * (size_t)run->model->nx);
    else if (state_inside(run, from, run->x) != STATUS_OK) return status;
    if (end) return end_at_border(run, status, from);
    status = stepper_retreat(&run->stepper, from, run->x, h);
    if (status != STATUS_OK) return run_fault(run, status, stepper_fault(&run->stepper));
    run->t = from;
    run->fresh = fresh || far;
    run->careful |= run->unrecorded;
    return run_crossings(run);
}

/* ---- events and points of a step ---- */

/* Events that creep, and between the last two the relation was at its border all the time. */
static bool is_creeping(Simulation *run, int crossing) {
    const double *x;
    const double  middle = run->last + 0.5 * (run->t - run->last);
    Selection     one = {SELECT_LIST, 0, 1, &crossing};
    if (!creep_note(run) || path_inside(run, middle, &x) != STATUS_OK) return false;
    double *z = run->looking.now;
    return crossings_evaluate(&run->crossings, middle, x, &one, z) == STATUS_OK &&
           creep_is_near(z[crossing], run->sign[crossing].size, run->options->ode.rtol);
}

static Status state_event(Simulation *run) {
    const SimOptions *o = run->options;
    int               crossing = run->switched = run->looking.changed[0];
    Fault             fault;
    run->outcome.statistics.events_state++;
    bool endless =
        chatter_note(&run->chatter, run->t, crossing, o->stop - o->start, &fault);
    if (!endless && is_creeping(run, crossing)) {
        chatter_fault(&fault, run->t, crossing);
        endless = true;
    }
    if (endless) return run_fault(run, STATUS_CHATTERING, &fault);
    return run_event(run, EVENT_STATE);
}

/* After an event: the next one may be here already, on the line along the slope. */
static Status look_at_once(Simulation *run, double limit, bool *found) {
    double moment = 0, when;
    *found = false;
    if (!run->fresh) return STATUS_OK;
    Selection near = {SELECT_LIST, 0, crossings_near(&run->crossings), run->looking.list};
    if (!near.count || !stepper_slope(&run->stepper, &moment) ||
        !(run->t + moment < limit))
        return STATUS_OK;
    EventStep step = event_step(run, run->t);
    Status    status = event_at_once(&run->crossings, &step, moment, &near, &when);
    *found = status == STATUS_OK && run->looking.changes > 0;
    if (!*found) return STATUS_OK; /* the step will tell */
    const double *x;
    path_line(run, when, &x);
    run->last = run->t;
    run->t = when;
    memcpy(run->x, x, sizeof(double) * (size_t)run->model->nx);
    return run->recorded != run->t ? run_record(run, run->t, run->x) : STATUS_OK;
}

/* The crossing of the last event switches back at once, long before the end of the first step after
 * it? A long step over a fast transient has an interpolant that begins in a wrong direction; the
 * switching is believed if a step of its own size shows it too. Steps of a given length are what was
 * asked for. */
static bool is_hasty(const Simulation *run) {
    const SimOptions *o = run->options;
    double            h =
        stepper_exists(&run->stepper) ? stepper_time(&run->stepper) - run->last : 0;
    double scale = fmax(fabs(run->last), DBL_EPSILON * (o->stop - o->start));
    bool   same = false;
    for (int k = 0; k < run->looking.changes; k++)
        same |= run->looking.changed[k] == run->switched;
    return same && run->t - run->last < 0.01 * h && h > 1e4 * DBL_EPSILON * scale &&
           !(o->ode.h_fixed > 0);
}

/* The step as far as its first event, its points delivered. */
static Status use_step(Simulation *run, bool *found, bool *timed) {
    bool fresh = run->fresh;
    run->unrecorded = false;
    Status status = look_for_event(run, found);
    run->share = 0.25;
    if (status == STATUS_OK && *found && fresh && is_hasty(run)) {
        double part = (run->t - run->last) / (stepper_time(&run->stepper) - run->last);
        run->share = fmax(20 * part, 1e-6);
        return STATUS_RETRY;
    }
    if (status == STATUS_OK) status = keep_invariants(run);
    if (status == STATUS_OK) status = run_past(run);
    if (status == STATUS_OK) status = check_step(run);
    *timed = !*found && run->t >= run->next_time;
    if (status != STATUS_OK) return status;
    if (run->careful) status = run_probe(run, run->t, run->x);
    if (status == STATUS_OK) status = deliver_outputs(run, run->t, !*found && !*timed);
    if (status == STATUS_OK && (*found || *timed) && run->recorded != run->t)
        status = run_record(run, run->t, run->x); /* the left limit */
    run->unrecorded = status != STATUS_OK;
    return status;
}

/* What is nearer than any step can be short comes without one: the event of `time > 0` after the start, the end
 * of a run that is no longer. */
static Status come_near(Simulation *run, bool *near, bool *timed) {
    const SimOptions *o = run->options;
    const double      span = fmin(o->stop - o->start, DBL_MAX);
    const double      shortest = 8 * DBL_EPSILON * fmax(fabs(run->t), DBL_EPSILON * span);
    const double      to = fmin(run->next_time, run->until);
    *near = to - run->t < fmax(shortest, 1e-290);
    *timed = *near && run->next_time <= run->until;
    if (!*near) return STATUS_OK;
    run->last = run->t;
    run->t = to;
    return run->recorded != to ? run_record(run, to, run->x) : STATUS_OK;
}

/* The integrator begins anew where the run has come without it. */
static Status go_on_from(Simulation *run) {
    run->fresh = true;
    const Status status = stepper_restart(&run->stepper, run->t, run->x);
    return status == STATUS_OK ? STATUS_OK
                               : run_fault(run, status, stepper_fault(&run->stepper));
}

static Status step(Simulation *run) {
    bool   found = false, timed = false, near = false, fresh = run->fresh;
    Status status = ahead_look(run, fmin(run->next_time, run->until));
    if (status != STATUS_OK) return status;
    const double limit =
        kink_limit(run, ahead_limit(run, fmin(run->next_time, run->until)));
    status = come_near(run, &near, &timed);
    if (status == STATUS_OK && near && !timed) status = go_on_from(run);
    if (status == STATUS_OK && !near) status = look_at_once(run, limit, &found);
    if (status == STATUS_OK && !found && !near) {
        status = take_step(run, past_limit(run, limit));
        if (status != STATUS_OK) return run_border(run, status);
        run->unused = true;
        status = use_step(run, &found, &timed);
        if (status != STATUS_OK) status = retreat(run, status, fresh);
        else run->unused = false;
        if (run->unused) return status;
    }
    if (run->moved && !found && !timed) status = stepper_correct(&run->stepper, run->x);
    if (status == STATUS_OK && !found && !timed && kink_pass(run))
        status = go_on_from(run);
    if (status == STATUS_OK && found) status = state_event(run);
    if (status == STATUS_OK && timed) {
        run->outcome.statistics.events_time++;
        run->switched = -1;
        status = run_event(run, EVENT_TIME);
    }
    /* an event at an output point has been recorded with it */
    if ((found || timed || near) && run->options->interval > 0)
        while (output_time(run, run->output) <= run->t) run->output++;
    return status;
}

/* ---- the whole ---- */

/* After the model is initialised: only then it knows how many crossings it has. */
static bool make_crossings(Simulation *run) {
    const Model *model = run->model;
    run->sign = calloc((size_t)model->nz + 1, sizeof(Sign));
    run->list = calloc((size_t)model->nz + 1, sizeof(int));
    run->crossings = (Crossings){
        .model = model, .sign = run->sign, .work = &run->looking, .fault = fault_none()};
    return run->sign && run->list && crossing_work_new(&run->looking, model, false) &&
           ahead_open(run);
}

/* Output points up to now have been delivered by whoever ran the model before. */
static void skip_points(Simulation *run) {
    const SimOptions *o = run->options;
    if (!(o->interval > 0)) return;
    double passed = floor((run->t - o->start) / o->interval);
    run->output = passed > 1 ? (long)passed : 1;
    while (output_time(run, run->output) <= run->t && run->t < o->stop) run->output++;
}

static Status begin(Simulation *run) {
    const Model *model = run->model;
    Fault        fault = fault_none();
    Status       status = STATUS_OK;
    run->t = run->options->resumed ? run->options->from : run->options->start;
    run->next_time = HUGE_VAL;
    fault.time = run->t;
    if (model->fn->init)
        status = model->fn->init(model->instance, run->t, run->x, &fault);
    if (status != STATUS_OK) return run_fault(run, status, &fault);
    if (!make_crossings(run)) return run_fault(run, STATUS_NO_MEMORY, &fault);
    if (!run->options->resumed) return run_event(run, EVENT_START);
    skip_points(run);
    return run_resume(run);
}

static bool make_room(Simulation *run) {
    const Model *model = run->model;
    run->inside = calloc((size_t)model->nx + 1, sizeof(double));
    run->sure = calloc((size_t)model->nx + 1, sizeof(double));
    run->y = calloc((size_t)selection_count(&run->options->output, model->ny) + 1,
                    sizeof(double));
    run->creep.x = calloc((size_t)model->nx + 1, sizeof(double));
    return run->inside && run->sure && run->y && run->creep.x;
}

static void collect_statistics(Simulation *run) {
    stepper_statistics(&run->stepper, &run->outcome.statistics);
    run->outcome.statistics.crossing_rows = run->looking.rows + run->ahead.work.rows +
                                            run->outcome.statistics.rate.crossing_rows;
    run->outcome.statistics.event_rounds =
        run->rounds + run->outcome.statistics.rate.event_rounds;
    run->outcome.statistics.projections += run->projections;
}

static Status give_up(Simulation *run) {
    Fault fault = fault_none();
    fault.time = run->t;
    return run_fault(run, STATUS_TOO_MANY, &fault);
}

/* Steps up to a time. STATUS_END also if whoever looks on asks for it. */
static Status loop(Simulation *run, double until) {
    const SimOptions *o = run->options;
    Status            status = STATUS_OK;
    run->until = until < o->stop ? until : o->stop;
    while (status == STATUS_OK && run->t < run->until) {
        status = step(run);
        run->steps++;
        if (status == STATUS_OK && o->most && run->steps >= o->most && run->t < o->stop)
            status = give_up(run);
        if (o->progress) {
            collect_statistics(run);
            if (status == STATUS_OK &&
                !o->progress(o->owner, run->t, &run->outcome.statistics))
                return STATUS_END;
        }
    }
    return status;
}

Simulation *simulation_open(const Model *model, const SimOptions *options, double *x) {
    Simulation *run = calloc(1, sizeof *run);
    if (!run) return NULL;
    *run = (Simulation){.model = model,
                        .options = options,
                        .x = x,
                        .t = options->start,
                        .recorded = -HUGE_VAL,
                        .switched = -1,
                        .careful = model->fn->accept, /* no step back over several */
                        .output = 1};                 /* the start is recorded */
    run->outcome.fault = fault_none();
    if (make_room(run)) return run;
    simulation_close(run);
    return NULL;
}

Status simulation_advance(Simulation *run, double until) {
    Status status = run->ended;
    if (status != STATUS_OK || run->final) return status;
    if (!run->begun) status = begin(run);
    else if (run->disturbed) status = run_event(run, EVENT_TIME);
    run->begun = true;
    run->disturbed = false;
    if (status == STATUS_OK) status = loop(run, until);
    if (status == STATUS_OK && run->t >= run->options->stop) {
        status = run_event(run, EVENT_FINAL);
        run->final = true;
    }
    run->outcome.status = run->ended = status;
    run->outcome.time = run->t;
    collect_statistics(run);
    return status;
}

void simulation_withdraw(Simulation *run) {
    double back = fmin(fmax(run->last, run->recorded), run->t);
    if (!run->unused || state_inside(run, back, run->inside) != STATUS_OK) return;
    memcpy(run->x, run->inside, sizeof(double) * (size_t)run->model->nx);
    run->t = run->outcome.time = back;
    run->unused = false;
}

void simulation_disturb(Simulation *run) {
    run->disturbed = true;
}

const SimOutcome *simulation_outcome(const Simulation *run) {
    return &run->outcome;
}

void simulation_close(Simulation *run) {
    if (!run) return;
    stepper_free(&run->stepper);
    crossing_work_free(&run->looking);
    ahead_close(run);
    free(run->sign);
    free(run->list);
    free(run->inside);
    free(run->sure);
    free(run->creep.x);
    free(run->y);
    free(run);
}

SimOutcome simulate(const Model *model, const SimOptions *options, double *x) {
    Simulation *run = simulation_open(model, options, x);
    SimOutcome  outcome = {.status = STATUS_NO_MEMORY, .fault = fault_none()};
    if (run) {
        simulation_advance(run, options->stop);
        outcome = run->outcome;
    }
    simulation_close(run);
    return outcome;
}
