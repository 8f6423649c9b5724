/* SPDX-License-Identifier: Apache-2.0 */
/* twin.c -- the same model for another thread: values of its own, everything else shared.
 *
 * A twin serves evaluations of parts. It gets all values anew when an event has changed some.
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
    cones_forget(to->cones);
}

void *instance_twin(void *self, void *old) {
    Instance *instance = self, *twin = old;
    if (!twin) {
        if (!repeatable(instance)) return NULL;
        twin = malloc(sizeof *twin);
        if (!twin) return NULL;
        *twin = *instance;
        twin->original = instance;
        twin->rows = 0;
        twin->journal = (Journal){0};
        twin->noticed = 0;
        twin->blocks = (Loops){0};
        twin->report = NULL;
        twin->jacobian = NULL;
        twin->matrices = NULL;
        image_tangents(instance->image, &(int){0}); /* made before threads ask for it */
        twin->rb.v = calloc((size_t)instance->plan->st->sys->vars + 1, sizeof(double));
        twin->rb.mode = calloc((size_t)instance->relations + 1, sizeof(double));
        twin->dx = calloc((size_t)instance->states + 1, sizeof(double));
        if (!twin->rb.v || !twin->rb.mode || !twin->dx)
            instance_lack(instance,
                          (size_t)instance->plan->st->sys->vars * sizeof(double));
        twin->rb.stack = NULL;
        twin->rb.host = twin;
        support_open(twin);
        twin->cones = cones_new(twin);
        twin->model.instance = twin;
        twin->model.fn = &twin->functions;
    }
    copy_values(instance, twin);
    return twin;
}

void instance_twin_free(void *self) {
    Instance *twin = self;
    if (!twin) return;
    twin->original->rows += twin->rows;
    support_close(twin);
    cones_free(twin->cones);
    free(twin->rb.v);
    free(twin->rb.mode);
    free(twin->dx);
    loops_free(&twin->blocks);
    jacobian_free(twin);
    matrix_close(twin);
    cause_free(twin->report);
    free(twin);
}
