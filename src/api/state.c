/* SPDX-License-Identifier: Apache-2.0 */
/* state.c -- a simulation as bytes: copy, save, restore.
 *
 * A header with the hash of the program and of the bytes that follow: the values that were given,
 * then those of the instance (live/keep.c). A state fits the program it was made with on a machine
 * of the same kind; anything else is refused. To restore it the parameters are bound anew, which
 * makes external objects, then all values are those of the state, and the integrator starts at its
 * time as after an event. Of families the states of all instances follow (fleet.c), so that
 * all variables of any of them can be looked at later. */
#include "api/api.h"

#include <string.h>

typedef struct Head {
    char     name[8];
    uint64_t program; /* hash */
    uint64_t bytes;   /* that follow ... */
    uint64_t hash;    /* ... and their hash */
    double   time;
    uint32_t initialised, ended; /* ended by the model itself */
    int32_t  givens, begun;
} Head;

static const char NAME[8] = "rbstate";

/* After the head. */
static void write_body(const RbSimulation *s, Bytes *to) {
    const Instance *instance = &s->instance;
    for (int k = 0; k < instance->givens; k++) {
        double var = instance->given[k].var;
        bytes_put(to, &var, sizeof var);
        bytes_put(to, &instance->given[k].value, sizeof(double));
    }
    if (s->initialised) instance_save(instance, to);
    fleet_save(s, to);
}

size_t rb_state_bytes(const RbSimulation *s) {
    Bytes count = {0};
    if (s->instance.program) write_body(s, &count);
    return sizeof(Head) + count.count;
}

/* A process has some of the instances only. */
static RbStatus refuse_shares(const RbSimulation *s, RbError *error) {
    return s->options.link
               ? error_set(error, RB_ARGUMENT,
                           "the state of what processes share cannot be saved")
               : RB_OK;
}

RbStatus rb_state_save(const RbSimulation *s, void *bytes, size_t room, RbError *error) {
    if (refuse_shares(s, error) != RB_OK) return RB_ARGUMENT;
    if (ticks_have_tasks(&s->instance))
        return error_set(error, RB_ARGUMENT,
                         "the state cannot be saved while slow partitions work on other "
                         "ticks than fast ones");
    error_none(error);
    bool failed = s->ended && !s->completed && s->stopped != RB_STOPPED;
    if (!s->instance.program || failed)
        return error_set(error, RB_ARGUMENT, "a simulation that failed has no state");
    if (s->inside) return error_set(error, RB_ARGUMENT, "states are saved between steps");
    if (room < rb_state_bytes(s))
        return error_set(error, RB_ARGUMENT, "the state has %zu bytes, the room only %zu",
                         rb_state_bytes(s), room);
    Bytes body = {.data = (char *)bytes + sizeof(Head), .room = room - sizeof(Head)};
    write_body(s, &body);
    Head head = {.program = s->program->program->hash,
                 .bytes = body.count,
                 .hash = hash_bytes(body.data, body.count),
                 .time = s->now,
                 .initialised = s->initialised,
                 .ended = s->completed && s->now < s->stop,
                 .givens = s->instance.givens,
                 .begun = s->begun || s->sim.resumed};
    memcpy(head.name, NAME, sizeof NAME);
    memcpy(bytes, &head, sizeof head);
    return RB_OK;
}

/* Is this a state of the program? */
static RbStatus read_head(const RbSimulation *s, const void *bytes, size_t count,
                          Head *head, RbError *error) {
    bool whole = count >= sizeof *head;
    if (whole) memcpy(head, bytes, sizeof *head);
    whole =
        whole && memcmp(head->name, NAME, sizeof NAME) == 0 &&
        head->bytes <= count - sizeof *head &&
        hash_bytes((const char *)bytes + sizeof *head, (size_t)head->bytes) == head->hash;
    if (!whole) return error_set(error, RB_FILE, "these bytes are no state");
    if (head->program != s->program->program->hash)
        return error_set(error, RB_ARGUMENT, "this is the state of another program");
    if (head->begun && !(head->time >= s->start && head->time <= s->stop))
        return error_set(error, RB_ARGUMENT,
                         "the state is of time %.9g, the simulation from %.9g to %.9g",
                         head->time, s->start, s->stop);
    return RB_OK;
}

static RbStatus read_given(RbSimulation *s, int givens, Bytes *from, RbError *error) {
    int vars = s->program->program->variables.vars;
    for (int k = 0; k < givens; k++) {
        double var, value;
        bytes_get(from, &var, sizeof var);
        bytes_get(from, &value, sizeof value);
        if (from->failed || !(var >= 0 && var < vars))
            return error_set(error, RB_FILE, "these bytes are no state");
        if (!instance_set(&s->instance, (int)var, value))
            return error_set(error, RB_NO_MEMORY, "there is no memory");
    }
    return RB_OK;
}

/* The values, and a time loop that goes on from them. */
static RbStatus read_values(RbSimulation *s, const Head *head, Bytes *from,
                            RbError *error) {
    const bool families = s->program->program->batches.count > 0;
    RbStatus   status = families ? fleet_ready(s, error) : simulation_bind(s, error);
    /* External objects are not part of a state. A start at this time makes them anew, so that those which
     * remember how far they came, as tables in time do, are there as well. */
    if (status == RB_OK && !families && instance_has_objects(&s->instance))
        status = simulation_initialise(s, head->time, error);
    if (status != RB_OK) return status;
    instance_restore(&s->instance, from);
    if (families) fleet_restore(s, head->time, from);
    if (from->failed) return error_set(error, RB_NO_MEMORY, "there is no memory");
    const States *states = &s->instance.program->states;
    for (int i = 0; i < states->count; i++) s->x[i] = s->instance.v[states->var[i]];
    s->now = s->outcome.time = head->time;
    s->sim.resumed = head->begun != 0;
    s->sim.from = head->time;
    s->ended = s->completed = head->ended || (head->begun && head->time >= s->stop);
    return RB_OK;
}

RbStatus rb_state_restore(RbSimulation *s, const void *bytes, size_t count,
                          RbError *error) {
    Head head;
    error_none(error);
    if (refuse_shares(s, error) != RB_OK) return RB_ARGUMENT;
    if (s->inside) return error_set(error, RB_ARGUMENT, "a step of this simulation runs");
    if (s->results && s->results->recorder)
        return error_set(error, RB_ARGUMENT, "the result of this simulation has begun");
    RbStatus status = read_head(s, bytes, count, &head, error);
    if (status != RB_OK) return status;
    Bytes from = {.data = (char *)(uintptr_t)bytes + sizeof head, .room = head.bytes};
    s->sim.resumed = false;
    status = simulation_reset(s, error);
    if (status == RB_OK) status = read_given(s, head.givens, &from, error);
    if (status == RB_OK && head.initialised) status = read_values(s, &head, &from, error);
    s->ended |= status != RB_OK;
    return status;
}

RbSimulation *rb_copy(const RbSimulation *s, RbError *error) {
    size_t        room = rb_state_bytes(s);
    void         *bytes = mem_take(room, 1);
    RbSimulation *copy = NULL;
    error_none(error);
    if (!bytes) error_set(error, RB_NO_MEMORY, "there is no memory");
    else if (rb_state_save(s, bytes, room, error) == RB_OK)
        copy = rb_simulation_new(s->program, &s->options, error);
    if (copy && rb_state_restore(copy, bytes, room, error) != RB_OK) {
        rb_simulation_free(copy);
        copy = NULL;
    }
    mem_free(bytes);
    return copy;
}
