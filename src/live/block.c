/* SPDX-License-Identifier: Apache-2.0 */
/* block.c -- the blocks of a running model at the waist (BlockFunctions of model.h).
 *
 * What a block gives, reads and uses stands in the block graph of the program. Residuals and
 * tangents of torn blocks are those of the generated code that loop.c and matrix.c use; blocks that
 * formulas give have none. A residual writes what follows from its unknowns; the values of the
 * block are put back after it, so that the point stays what `place` made of it. */
#include "live/loop.h"

#include <string.h>

static const BlockGraph *graph_of(void *self) {
    return &((const Instance *)self)->program->graph;
}

static int block_count(void *self) {
    return graph_of(self)->blocks;
}

/* The loop of a torn block, NULL if formulas give it. */
static const Group *torn(void *self, int block) {
    const Instance   *instance = self;
    const BlockGraph *g = graph_of(self);
    if (block < 0 || block >= g->blocks) return NULL;
    const Group *group = &instance->run.part->group[g->group[block]];
    return group->kind == GROUP_LOOP ? group : NULL;
}

static Status block_info(void *self, int block, BlockInfo *info) {
    const BlockGraph *g = graph_of(self);
    const Group      *group = torn(self, block);
    if (block < 0 || block >= g->blocks) return STATUS_ARGUMENT;
    *info = (BlockInfo){
        .n = group ? group->torn : 0,
        .linear = group && group->block == BLOCK_LINEAR,
        .gives = g->first[block + 1] - g->first[block],
        .variable = g->unknown + g->first[block],
        .states = g->states.start[block + 1] - g->states.start[block],
        .state = g->states.to + g->states.start[block],
        .uses = g->uses.start[block + 1] - g->uses.start[block],
        .block = g->uses.to + g->uses.start[block],
    };
    return STATUS_OK;
}

static Status block_unknowns(void *self, int block, int *variable) {
    const Instance *instance = self;
    const Group    *group = torn(self, block);
    if (!group) return STATUS_ABSENT;
    for (int k = 0; k < group->torn; k++)
        variable[k] =
            part_iteration(instance->run.part, group, graph_of(self)->row[block], k);
    return STATUS_OK;
}

static Status block_place(void *self, double t, const double *x, Fault *fault) {
    Instance *instance = self;
    instance->fault = fault;
    if (!instance_evaluate(instance, t, x)) return STATUS_OK;
    instance_function_fault(&instance->run, fault);
    return instance->lacking ? STATUS_NO_MEMORY : STATUS_RETRY;
}

static Status block_solution(void *self, int block, double *z) {
    const Instance *instance = self;
    const Group    *group = torn(self, block);
    if (!group) return STATUS_ABSENT;
    for (int k = 0; k < group->torn; k++)
        z[k] = instance->v[part_iteration(instance->run.part, group,
                                          graph_of(self)->row[block], k)];
    return STATUS_OK;
}

/* Values of all variables of a block, to a store or back from it. */
static void exchange(Instance *instance, int block, double *store, bool back) {
    const BlockGraph *g = graph_of(instance);
    for (int k = g->first[block]; k < g->first[block + 1]; k++) {
        double *value = &instance->v[g->unknown[k]], *kept = &store[k - g->first[block]];
        if (back) *value = *kept;
        else *kept = *value;
    }
}

/* The residual at z, and if dr is given its directions there. */
static Status evaluate(Instance *instance, int block, const double *z, double *r,
                       const double *dz, const double *dx, double *dr) {
    const BlockGraph *g = graph_of(instance);
    int               group = g->group[block], row = g->row[block];
    Status            status = STATUS_NO_MEMORY;
    double *store = mem_take((size_t)(g->first[block + 1] - g->first[block]), sizeof *z);
    Loop   *loop = loop_of(&instance->run, group, row);
    if (store && loop) {
        exchange(instance, block, store, false);
        status = loop_residual(loop, z, r ? r : loop->r) ? STATUS_OK : STATUS_RETRY;
        if (status == STATUS_OK && dr)
            status = matrix_tangent(&instance->run, group, row, dz, dx, dr);
        exchange(instance, block, store, true);
    }
    mem_free(store);
    return status;
}

static Status block_residual(void *self, int block, const double *z, double *r,
                             Fault *fault) {
    (void)fault;
    if (!torn(self, block)) return STATUS_ABSENT;
    return evaluate(self, block, z, r, NULL, NULL, NULL);
}

static Status block_tangent(void *self, int block, const double *z, const double *dz,
                            const double *dx, double *dr, Fault *fault) {
    (void)fault;
    if (!torn(self, block)) return STATUS_ABSENT;
    return evaluate(self, block, z, NULL, dz, dx, dr);
}

const BlockFunctions instance_blocks = {
    .count = block_count,
    .info = block_info,
    .unknowns = block_unknowns,
    .place = block_place,
    .solution = block_solution,
    .residual = block_residual,
    .tangent = block_tangent,
};
