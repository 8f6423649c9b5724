/* SPDX-License-Identifier: Apache-2.0 */
/* twin.c -- the same model for another thread: values of its own, everything else shared.
 *
 * A twin serves evaluations of parts and lives through their events. It gets all values anew when an
 * event of the whole has changed some.
 * Models whose values depend on what was evaluated before have none, because results must not
 * depend on which thread computed what: external code may remember anything. Nonlinear loops start
 * from the last solution of the whole, which twins read and never write (Instance.began). */
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

static bool repeatable(const Instance *instance) {
    const Plan   *plan = instance->plan;
    const Shapes *shapes = plan->st->sys->shapes;
    for (int f = 0; f < shapes->functions; f++)
        if (shapes->function[f] &&
            shapes->function[f]->flags & (FUNCTION_EXTERNAL | FUNCTION_IMPURE))
            return false;
    return instance->cones != NULL;
}

static void copy_values(const Instance *from, Instance *to) {
    size_t vars = (size_t)from->plan->st->sys->vars;
    memcpy(to->rb.v, from->rb.v, vars * sizeof(double));
    memcpy(to->rb.mode, from->rb.mode, (size_t)from->relations * sizeof(double));
    to->event_time = from->event_time; /* relations on their border keep their side */
    to->stamps.events++;
    cones_forget(to->cones);
}

/* What it counted goes to the original. */
static void count(Instance *to, const Instance *twin) {
    to->rows += twin->rows;
    to->crossing_rows += twin->crossing_rows;
    to->loops += twin->loops;
    to->iterations += twin->iterations;
    to->differenced += twin->differenced;
}

void *instance_twin(void *self, void *old) {
    Instance *instance = self, *twin = old;
    if (!twin) {
        if (!repeatable(instance)) return NULL;
        twin = malloc(sizeof *twin);
        if (!twin) return NULL;
        *twin = *instance;
        twin->original = instance;
        twin->rows = twin->crossing_rows = 0;
        twin->loops = twin->iterations = twin->differenced = 0;
        twin->noticed = 0;
        twin->reinit = NULL;
        twin->reinits = twin->reinit_room = 0;
        twin->blocks = (Loops){0};
        twin->report = NULL;
        twin->jacobian = NULL;
        twin->matrices = NULL;
        image_tangents(instance->image, &(int){0}); /* made before threads ask for it */
        loops_make(instance);
        twin->dx = calloc((size_t)instance->states + 1, sizeof(double));
        if (!instance_values(twin) || !twin->dx)
            instance_lack(instance,
                          (size_t)instance->plan->st->sys->vars * sizeof(double));
        twin->rb.stack = NULL;
        twin->rb.host = twin;
        support_open(twin);
        twin->cones = cones_new(twin);
        twin->locals = locals_twin(instance->locals);
        twin->model.instance = twin;
        twin->model.fn = &twin->functions;
    }
    copy_values(instance, twin);
    return twin;
}

void instance_twin_free(void *self) {
    Instance *twin = self;
    if (!twin) return;
    count(twin->original, twin);
    support_close(twin);
    cones_free(twin->cones);
    locals_twin_free(twin->locals);
    journal_free(&twin->journal);
    free(twin->reinit);
    free(twin->rb.v);
    free(twin->dx);
    loops_free(&twin->blocks);
    jacobian_free(twin);
    matrix_close(twin);
    cause_free(twin->report);
    free(twin);
}
