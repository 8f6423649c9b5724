/* SPDX-License-Identifier: Apache-2.0 */
/* keep.c -- the values of an instance as bytes, and back.
 *
 * What a model is at a moment between two steps: the values of all variables and relations, the
 * sides on which relations are held, the last event, texts made while it ran, and the past of what
 * is delayed. All else is made from these or from the program. Numbers are in the order of the
 * machine: such bytes go to another run, not to another machine. */
#include "live/live.h"

#include <string.h>

void bytes_put(Bytes *b, const void *data, size_t n) {
    if (n && b->count <= b->room && n <= b->room - b->count)
        memcpy(b->data + b->count, data, n);
    b->count += n;
}

void bytes_get(Bytes *b, void *data, size_t n) {
    b->failed |= n > b->room - b->count;
    if (!n) return;
    if (b->failed) {
        memset(data, 0, n);
        return;
    }
    memcpy(data, b->data + b->count, n);
    b->count += n;
}

static size_t values_of(const Instance *instance) {
    const Program *p = instance->program;
    return (size_t)p->variables.vars + 1 + (size_t)p->part[PART_RUN].relations;
}

void instance_save(const Instance *instance, Bytes *to) {
    const EventState *e = &instance->event;
    size_t            sides = (size_t)instance->run.part->relations;
    double            moment[] = {e->time, e->right_time};
    bytes_put(to, instance->v, values_of(instance) * sizeof(double));
    bytes_put(to, instance->run.sided, sides * sizeof(double));
    bytes_put(to, moment, sizeof moment);
    paths_save(&instance->run, to);
    texts_save(instance, to);
    history_save(instance->history, to);
    ticks_save(instance, to);
}

/* Objects that live now keep their numbers. */
static void read_values(Instance *instance, Bytes *from) {
    const Variables *all = &instance->program->variables;
    double           number;
    int              v = 0;
    for (int r = 0; r < all->runs; r++) {
        const VarRun *run = &all->run[r];
        if (run->type != TYPE_OBJECT) continue;
        bytes_get(from, instance->v + v, (size_t)(run->first - v) * sizeof number);
        for (v = run->first; v < run->first + run->count; v++)
            bytes_get(from, &number, sizeof number);
    }
    bytes_get(from, instance->v + v, (values_of(instance) - (size_t)v) * sizeof number);
}

bool instance_has_objects(const Instance *instance) {
    const Variables *all = &instance->program->variables;
    for (int r = 0; r < all->runs; r++)
        if (all->run[r].type == TYPE_OBJECT && all->run[r].count) return true;
    return false;
}

void instance_restore(Instance *instance, Bytes *from) {
    size_t sides = (size_t)instance->run.part->relations;
    double moment[2];
    read_values(instance, from);
    bytes_get(from, instance->run.sided, sides * sizeof(double));
    bytes_get(from, moment, sizeof moment);
    instance->event.time = moment[0];
    instance->event.right_time = moment[1];
    paths_restore(&instance->run, from);
    texts_restore(instance, from);
    history_restore(instance, &instance->history, from);
    ticks_restore(instance, from);
    from->failed |= instance->lacking;
    instance->complete = true;
    instance_stamp(instance);
    cones_forget(instance->cones);
}
