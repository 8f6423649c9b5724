/* SPDX-License-Identifier: Apache-2.0 */
/* causality.c -- inputs and outputs in connection sets (Modelica 3.6, 9.3).
 *
 * A set of inputs and outputs has one source. What is a source depends on the class that holds
 * the connect, so the sets of every class instance are built anew. */
#include "inst/connect.h"

#include <string.h>

typedef struct Level {
    Sets  *sets;
    int   *link;        /* by scalar: union-find of this level, -1 not in it      */
    int   *seen, count; /* scalars in it                                          */
    Inst **from;        /* by representative: inside output or outside input      */
    Inst **input;       /* an inside input; NULL                                  */
    bool  *open;        /* has a member that may get its value otherwise          */
} Level;

static void enter(Level *level, int x) {
    if (level->link[x] >= 0) return;
    level->link[x] = x;
    level->seen[level->count++] = x;
    level->from[x] = level->input[x] = NULL;
    level->open[x] = false;
}

static void two_sources(Level *level, const Joint *joint, const Inst *a, const Inst *b,
                        const Inst *input) {
    Front *front = level->sets->front;
    Text   text = {0};
    inst_pair(&text, front, a, b);
    text_add(&text, " both give a value");
    if (input) {
        text_add(&text, " to '");
        inst_name(&text, front, input);
        text_char(&text, '\'');
    }
    diag_report(front->diag, joint->pos, CODE_T183, "%s", text_get(&text));
    text_free(&text);
}

static void level_node(Level *level, Inst *inst, int x, bool outside) {
    enter(level, x);
    int root = set_find(level->link, x);
    if (inst->way == WAY_NONE ||
        (outside && (inst->prefix.protected_ || inst->way == WAY_OUTPUT)) ||
        (inst->binding.text && inst->way == WAY_INPUT))
        level->open[root] = true;
    else if (outside || inst->way == WAY_OUTPUT) level->from[root] = inst;
    else level->input[root] = inst;
}

static void level_pair(Level *level, const Joint *joint, Inst *a, Inst *b, int x, int y) {
    level_node(level, a, x, joint->oa);
    level_node(level, b, y, joint->ob);
    x = set_find(level->link, x);
    y = set_find(level->link, y);
    if (x == y) return;
    if (level->from[x] && level->from[y] &&
        !machine_may_share(level->sets->front, level->from[x], level->from[y]))
        two_sources(level, joint, level->from[x], level->from[y],
                    level->input[x] ? level->input[x] : level->input[y]);
    level->link[y] = x;
    if (!level->from[x]) level->from[x] = level->from[y];
    if (!level->input[x]) level->input[x] = level->input[y];
    level->open[x] |= level->open[y];
}

static void level_leaf(void *context, const Joint *joint, Inst *a, Inst *b, Pairs p) {
    if (a->first < 0 || b->first < 0 || a->conn != CONN_NONE || a->vary <= VARY_PARAMETER)
        return;
    for (int k = 0; k < p.count; k++)
        level_pair(context, joint, a, b, a->first + p.ia + k * p.sa,
                   b->first + p.ib + k * p.sb);
}

static void end_level(Level *level, const Joint *joint) {
    Front *front = level->sets->front;
    for (int k = 0; k < level->count; k++) {
        int x = level->seen[k];
        if (set_find(level->link, x) == x && !level->from[x] && !level->open[x] &&
            level->input[x]) {
            Text text = {0};
            inst_name(&text, front, level->input[x]);
            diag_report(front->diag, joint->pos, CODE_T188,
                        "nothing gives a value to '%s': only inputs are connected",
                        text_get(&text));
            text_free(&text);
        }
    }
    for (int k = 0; k < level->count; k++) level->link[level->seen[k]] = -1;
    level->count = 0;
}

/* A member of a bus: the bus may be the source of what is connected with it. */
static void level_bus(Level *level, const Joint *j) {
    const Inst *other = inst_in_bus(j->a) ? j->b : j->a;
    if (other->first < 0 || other->basic >= BASIC_RECORD) return;
    for (int k = 0; k < j->count; k++) {
        int e = other == j->a ? j->ia + k * j->sa : j->ib + k * j->sb;
        enter(level, other->first + e);
        level->open[set_find(level->link, other->first + e)] = true;
    }
}

static bool any_causal(const FlatModel *model) {
    for (int v = 0; v < model->vars; v++)
        if (model->var[v]->in_connector && model->var[v]->way != WAY_NONE) return true;
    return false;
}

void check_causality(Sets *sets, const Joints *joints) {
    Arena *arena = &sets->arena;
    int    n = sets->model->scalars + 1;
    Level  level = {.sets = sets};
    if (!any_causal(sets->model)) return;
    level.link = NEW(arena, int, n);
    level.seen = NEW(arena, int, n);
    level.from = NEW(arena, Inst *, n);
    level.input = NEW(arena, Inst *, n);
    level.open = NEW(arena, bool, n);
    memset(level.link, -1, sizeof(int) * (size_t)n);
    for (int k = 0; k < joints->count; k++) {
        const Joint *j = &joints->item[k];
        if (inst_in_bus(j->a) || inst_in_bus(j->b)) level_bus(&level, j);
        else joint_leaves(sets->front, j, level_leaf, &level);
        if (k + 1 == joints->count || joints->item[k + 1].at != j->at)
            end_level(&level, j);
    }
}
