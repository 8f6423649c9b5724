/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c -- connection sets of stream variables (Modelica 3.6, chapter 15).
 *
 * A node is a scalar stream variable seen from outside its component (2*scalar) or from
 * within (2*scalar + 1). The sets are kept in the flat model; what inStream means in a set is
 * worked out where it is used. Every node seen from within gives one equation: what leaves
 * the component through it is the mixture of what the set delivers. */
#include "inst/connect.h"

#include <string.h>

Inst *flat_var_of(const FlatModel *model, int scalar) {
    int low = 0, high = model->vars - 1;
    while (low < high) {
        int mid = (low + high + 1) / 2;
        if (model->var[mid]->first <= scalar) low = mid;
        else high = mid - 1;
    }
    return model->vars ? model->var[low] : NULL;
}

int stream_flow(const FlatModel *model, int scalar) {
    const Inst *inst = flat_var_of(model, scalar);
    int         own = 1;
    const Inst *at = inst;
    for (; at->parent && !at->connector; at = at->parent)
        for (int k = 0; k < at->ndim; k++) own *= at->dim[k];
    int element = own > 0 ? (scalar - inst->first) / own : 0;
    for (int k = 0; k < at->nchild; k++) {
        const Inst *child = at->child[k];
        if (child && !child->absent && child->conn == CONN_FLOW && child->first >= 0 &&
            child->ndim == 0)
            return child->first + element;
    }
    return -1;
}

static int root_of(int *link, const Inst *inst, int k) {
    int x = inst->node + k;
    return link[x] < 0 ? -1 : set_find(link, x);
}

void stream_sets(Sets *sets) {
    FlatModel *model = sets->model;
    Arena     *arena = &model->front->arena;
    int        nodes = 2 * model->scalars;
    bool       any = false;
    for (int v = 0; v < model->vars; v++) any |= model->var[v]->conn == CONN_STREAM;
    if (!any) return;
    int *set_of = model->stream_of = NEW(arena, int, nodes + 1);
    int *size = NEW(&sets->arena, int, sets->nodes + 1); /* by root; then ~its set */
    memset(set_of, -1, sizeof(int) * (size_t)(nodes + 1));
    for (int v = 0; v < model->vars; v++) {
        const Inst *inst = model->var[v];
        if (inst->conn != CONN_STREAM || inst->vary <= VARY_PARAMETER) continue;
        for (int k = 0; k < 2 * inst_count(inst); k++) {
            int root = root_of(sets->link, inst, k);
            if (root >= 0 && size[root]++ == 0) model->streams++;
        }
    }
    model->stream = NEW(arena, StreamSet, model->streams + 1);
    int next = 0;
    for (int v = 0; v < model->vars; v++) {
        const Inst *inst = model->var[v];
        if (inst->conn != CONN_STREAM || inst->vary <= VARY_PARAMETER) continue;
        for (int k = 0; k < 2 * inst_count(inst); k++) {
            int root = root_of(sets->link, inst, k), node = 2 * inst->first + k;
            if (root < 0) continue;
            if (size[root] > 0) {
                model->stream[next].node = NEW(arena, int, size[root]);
                size[root] = ~next++;
            }
            StreamSet *set = &model->stream[~size[root]];
            set_of[node] = ~size[root];
            set->node[set->count++] = node;
            if (node & 1) model->stream_equations++;
        }
    }
}
