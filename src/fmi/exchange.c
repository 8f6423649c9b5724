/* SPDX-License-Identifier: Apache-2.0 */
/* exchange.c -- a foreign unit of Model Exchange as a Model: the time loop and all integrators know it
 * through the waist only.
 *
 * Between events the unit is in continuous-time mode; an event takes it to event mode for as many
 * updates as it asks for. Its indicators are the crossings; one more of ours fires when the unit asks for
 * an event at the end of a step. */
#include "fmi/guest.h"

#include <math.h>
#include <string.h>

static Status status_of(const Guest *u, FmiStatus status, double t, Fault *fault) {
    if (status <= FMI_WARNING) return STATUS_OK;
    if (fault) fault->time = t;
    if (fault)
        fault->what = u->said.length ? text_get(&u->said) : "the unit reports an error";
    return status == FMI_DISCARD ? STATUS_RETRY : STATUS_FATAL;
}

/* Time, states and inputs of an evaluation. */
static FmiStatus place(Guest *u, double t, const double *x) {
    if (u->event_mode) return FMI_OK;
    FmiStatus status = guest_time(u, t);
    if (status <= FMI_WARNING) status = guest_put_states(u, x);
    if (status <= FMI_WARNING && !guest_put_inputs(u, t, false)) status = FMI_ERROR;
    return status;
}

static Status unit_init(void *self, double t, double *x, Fault *fault) {
    Guest *u = self;
    return status_of(u, guest_get_states(u, x), t, fault);
}

static Status unit_eval(void *self, double t, const double *x, const Selection *rows,
                        double *dx, Fault *fault) {
    Guest    *u = self;
    bool      whole = rows->kind == SELECT_ALL;
    double   *to = whole ? dx : u->buffer + u->most;
    FmiStatus status = place(u, t, x);
    if (status <= FMI_WARNING) status = guest_rates(u, to);
    for (int k = 0; !whole && status <= FMI_WARNING && k < rows->count; k++)
        dx[selection_row(rows, k)] = to[selection_row(rows, k)];
    return status_of(u, status, t, fault);
}

static Status unit_crossings(void *self, double t, const double *x,
                             const Selection *which, double *z, Fault *fault) {
    Guest *u = self;
    (void)which; /* all of them cost one call */
    FmiStatus status = place(u, t, x);
    if (status <= FMI_WARNING) status = guest_indicators(u, z);
    z[u->d.indicators] = t > u->wanted ? 1 : -1;
    return status_of(u, status, t, fault);
}

static Status unit_event(void *self, double t, double *x, EventKind kind,
                         const Selection *which, bool *again, Fault *fault) {
    Guest     *u = self;
    GuestEvent event = {0};
    FmiStatus  status = FMI_OK;
    (void)which;
    if (again) *again = false;
    if (kind == EVENT_FINAL) return STATUS_OK;
    if (!u->event_mode) {
        status = place(u, t, x);
        if (status <= FMI_WARNING) status = guest_enter_events(u);
        u->event_mode = status <= FMI_WARNING;
    }
    if (status <= FMI_WARNING && !guest_put_inputs(u, t, true)) status = FMI_ERROR;
    if (status <= FMI_WARNING) status = guest_update(u, &event);
    if (status > FMI_WARNING) return status_of(u, status, t, fault);
    u->next = event.has_next ? event.next : HUGE_VAL;
    u->wanted = HUGE_VAL;
    if (event.terminate) return STATUS_END;
    if (again) *again = event.again;
    if (event.again) return STATUS_OK;
    status = guest_leave_events(u);
    u->event_mode = false;
    if (status <= FMI_WARNING) status = guest_get_states(u, x);
    return status_of(u, status, t, fault);
}

static Status unit_next_event(void *self, double t, double *when, Fault *fault) {
    const Guest *u = self;
    (void)fault;
    *when = fmin(u->next > t ? u->next : HUGE_VAL, guest_next_jump(u, t));
    return STATUS_OK;
}

static Status unit_check(void *self, double t, const double *x, Fault *fault) {
    Guest    *u = self;
    bool      event = false, terminate = false;
    FmiStatus status = place(u, t, x);
    if (status <= FMI_WARNING) status = guest_completed(u, &event, &terminate);
    if (event) u->wanted = t;
    if (terminate) return STATUS_END;
    return status_of(u, status, t, fault);
}

static Status unit_output(void *self, double t, const double *x, const Selection *which,
                          double *y, Fault *fault) {
    Guest *u = self;
    Status status = status_of(u, place(u, t, x), t, fault);
    if (status == STATUS_OK) status = guest_values(u, which, y);
    if (status == STATUS_FATAL && fault)
        fault->what = "a value of the unit cannot be read";
    return status;
}

static const ModelFunctions functions = {.init = unit_init,
                                         .eval = unit_eval,
                                         .crossings = unit_crossings,
                                         .event = unit_event,
                                         .next_event = unit_next_event,
                                         .check = unit_check,
                                         .output = unit_output};

const Model *guest_model(Guest *u) {
    const size_t n = (size_t)u->d.states;
    double      *more = mem_resize(u->buffer, ((size_t)u->most + n + 1) * sizeof *more);
    u->nominal = mem_take(n, sizeof *u->nominal);
    if (!more || !u->nominal) return NULL;
    u->buffer = more;
    bool known = guest_nominals(u, u->nominal) <= FMI_WARNING;
    for (size_t k = 0; k < n; k++)
        if (!known || !(u->nominal[k] > 0)) u->nominal[k] = 1;
    u->model = (Model){.nx = u->d.states,
                       .ny = u->columns,
                       .nz = u->d.indicators + 1,
                       .flags = MODEL_WHOLE,
                       .nominal = u->nominal,
                       .fn = &functions,
                       .instance = u};
    return &u->model;
}
