/* SPDX-License-Identifier: Apache-2.0 */
/* twin.c -- the same model for another thread: values of its own, everything else shared.
 *
 * A twin serves evaluations of parts and handles their events. It gets all values anew when an
 * event of the whole has changed some.
 * Models whose values depend on what was evaluated before have none, because results must not
 * depend on which thread computed what: external code may remember anything. Nonlinear loops start
 * from the last solution of the whole, which twins read and never write (Running.began). */
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

static bool repeatable(const Instance *instance) {
    const Program *p = instance->program;
    for (int f = 0; f < p->functions; f++)
        if (p->function[f].flags & (FUNCTION_EXTERNAL | FUNCTION_IMPURE)) return false;
    return instance->cones != NULL;
}

static void copy_values(const Instance *from, Instance *to) {
    const Program *p = from->program;
    size_t n = (size_t)p->variables.vars + 1 + (size_t)p->part[PART_RUN].relations;
    memcpy(to->v, from->v, n * sizeof(double));
    to->event.time = from->event.time; /* relations on their border keep their side */
    to->stamps.events++;
    cones_forget(to->cones);
}

static void count(Counts *to, const Counts *twin) {
    to->rows += twin->rows;
    to->rates += twin->rates;
    to->values += twin->values;
    to->rounds += twin->rounds;
    to->crossing_rows += twin->crossing_rows;
    to->loops += twin->loops;
    to->iterations += twin->iterations;
    to->approached += twin->approached;
    to->differenced += twin->differenced;
    to->fast.solves += twin->fast.solves;
    to->fast.newton += twin->fast.newton;
    to->fast.steps += twin->fast.steps;
    to->fast.followed += twin->fast.followed;
    to->fast.jumps += twin->fast.jumps;
}

/* The sides and starting points of loops are those of the original. */
static bool open_twin(Instance *twin, Instance *original) {
    twin->externals.options = &twin->common->options;
    if (!instance_values(twin) ||
        !extern_open(&twin->externals, twin->program->functions) ||
        !running_open(&twin->run, twin, PART_RUN) || !support_open(twin))
        return false;
    mem_free(twin->run.sided);
    twin->run.sided = original->run.sided;
    twin->run.began = original->run.began;
    twin->run.paths = original->run.paths;
    twin->dx = mem_take((size_t)twin->program->states.count, sizeof(double));
    twin->cones = cones_new(twin);
    twin->local = local_new(twin);
    twin->history = original->history;
    return twin->dx && twin->cones && twin->local;
}

void *instance_twin(void *self, void *old) {
    Instance *instance = self, *twin = old;
    if (!twin) {
        if (!repeatable(instance)) return NULL;
        binary_tangents(instance->run.binary); /* made before threads ask for it */
        twin = loops_make(&instance->run) ? mem_take(1, sizeof *twin) : NULL;
        if (!twin) return NULL;
        *twin = (Instance){.program = instance->program,
                           .common = instance->common,
                           .original = instance,
                           .functions = instance->functions,
                           .asked = instance->asked,
                           .asked_owner = instance->asked_owner,
                           .model = instance->model,
                           .event = {.time = instance->event.time,
                                     .right_time = instance->event.right_time}};
        twin->model.instance = twin;
        twin->model.fn = &twin->functions;
        twin->twins = instance->twins;
        instance->twins = twin;
        if (!open_twin(twin, instance)) {
            instance_twin_free(twin);
            return NULL;
        }
    }
    if (cones_tally(instance->cones) && !instance_begin_profile(twin)) {
        instance_twin_free(twin);
        return NULL;
    }
    copy_values(instance, twin);
    return twin;
}

Counts instance_counts(const Instance *instance) {
    Counts all = instance->counts;
    for (const Instance *t = instance->twins; t; t = t->twins) count(&all, &t->counts);
    return all;
}

/* What it counted goes to the original. */
void instance_twin_free(void *self) {
    Instance *twin = self;
    if (!twin) return;
    Instance **at = &twin->original->twins;
    while (*at != twin) at = &(*at)->twins;
    *at = twin->twins;
    count(&twin->original->counts, &twin->counts);
    profile_join(twin->original, twin);
    twin->original->lacking |= twin->lacking;
    twin->run.sided = twin->run.began = NULL;
    twin->run.paths = NULL;
    twin->history = NULL;
    instance_free(twin);
    mem_free(twin);
}
