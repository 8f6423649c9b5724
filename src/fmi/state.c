/* SPDX-License-Identifier: Apache-2.0 */
/* state.c -- the state of a slave as bytes, and back: what was given from outside, time, states, and the
 * values of the instance (live/keep.c). The parameters are bound anew when it is restored, which makes
 * external objects; the integrator of Co-Simulation starts as after an event. */
#include "fmi/slave.h"

#include <string.h>

typedef struct Head {
    uint64_t program;
    double   t, last, start, stop, tolerance;
    int32_t  phase, has_stop, has_tolerance, started, begun, givens;
} Head;

static void write_all(Slave *s, Bytes *to) {
    const int vars = s->program->variables.vars;
    Head      head = {.program = s->program->hash,
                      .t = s->t,
                      .last = s->last,
                      .start = s->start,
                      .stop = s->stop,
                      .tolerance = s->tolerance,
                      .phase = (int32_t)s->phase,
                      .has_stop = s->has_stop,
                      .has_tolerance = s->has_tolerance,
                      .started = s->started,
                      .begun = s->begun};
    for (int v = 0; v < vars; v++) head.givens += s->is_given[v];
    bytes_put(to, &head, sizeof head);
    for (int v = 0; v < vars; v++) {
        if (!s->is_given[v]) continue;
        int32_t var = v;
        bytes_put(to, &var, sizeof var);
        bytes_put(to, &s->given[v], sizeof s->given[v]);
        uint64_t n = s->words[v] ? strlen(s->words[v]) + 1 : 0;
        bytes_put(to, &n, sizeof n);
        if (n) bytes_put(to, s->words[v], n);
    }
    if (!s->started) return;
    bytes_put(to, s->x, (size_t)s->program->states.count * sizeof *s->x);
    instance_save(&s->instance, to);
}

SlaveState *slave_save(Slave *s) {
    Bytes count = {0};
    if (!slave_refresh(s)) return NULL;
    write_all(s, &count);
    SlaveState *state = mem_take(sizeof *state + count.count, 1);
    if (!state) return NULL;
    Bytes bytes = {.data = state->bytes, .room = count.count};
    write_all(s, &bytes);
    state->count = count.count;
    return state;
}

SlaveState *slave_state_of(const void *bytes, size_t count) {
    SlaveState *state = mem_take(sizeof *state + count, 1);
    if (!state) return NULL;
    memcpy(state->bytes, bytes, count);
    state->count = count;
    return state;
}

static bool read_given(Slave *s, const Head *head, Bytes *from) {
    slave_forget_given(s);
    for (int k = 0; k < head->givens; k++) {
        int32_t  var;
        double   value;
        uint64_t n = 0;
        bytes_get(from, &var, sizeof var);
        bytes_get(from, &value, sizeof value);
        bytes_get(from, &n, sizeof n);
        if (from->failed || var < 0 || var >= s->program->variables.vars ||
            n > from->room || s->words[var])
            return false;
        s->is_given[var] = 1;
        s->given[var] = value;
        if (!n) continue;
        if (!(s->words[var] = mem_take(n + 1, 1))) return false; /* ends with 0 */
        bytes_get(from, s->words[var], n);
    }
    return true;
}

/* The model in the midst of a run. */
static bool read_values(Slave *s, Bytes *from) {
    Fault  fault = fault_none();
    Status status = instance_bind(&s->instance, &fault);
    if (status != STATUS_OK) return slave_failed(s, status, &fault);
    ticks_integrate(&s->instance, &s->sim.ode);
    if (!ticks_execute(&s->instance, 1, (TickPace){0}, TASKS_SINGLE)) return false;
    bytes_get(from, s->x, (size_t)s->program->states.count * sizeof *s->x);
    instance_restore(&s->instance, from);
    if (from->failed) return false;
    s->started = true;
    if (s->steps || s->phase != PHASE_RUNNING) return true;
    Model *model = &s->instance.model;
    status = model->fn->init(model->instance, s->t, s->x, &fault);
    return status == STATUS_OK ? true : slave_failed(s, status, &fault);
}

bool slave_restore(Slave *s, const SlaveState *state) {
    Bytes from = {.data = (char *)(uintptr_t)state->bytes, .room = state->count};
    Head  head;
    bytes_get(&from, &head, sizeof head);
    if (from.failed || head.program != s->program->hash ||
        head.phase < PHASE_INSTANTIATED || head.phase > PHASE_FAILED) {
        slave_complain(s, 3, "these bytes are no state of this model");
        return false;
    }
    bool fine = read_given(s, &head, &from) && slave_open_instance(s);
    s->t = head.t;
    s->last = head.last;
    s->start = head.start;
    s->stop = head.stop;
    s->tolerance = head.tolerance;
    s->has_stop = head.has_stop != 0;
    s->has_tolerance = head.has_tolerance != 0;
    s->phase = (SlavePhase)head.phase;
    if (fine && head.started) fine = read_values(s, &from);
    if (!fine) slave_complain(s, 3, "the state could not be restored");
    s->begun = head.begun != 0;
    s->fresh = false;
    return fine && (s->steps || !s->begun || indicators_settle(s));
}
