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
    text_char(&text, '\'');
    inst_name(&text, front, a);
    text_add(&text, "' and '");
    inst_name(&text, front, b);
    text_add(&text, "' both give a value");
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
    int root = sets_find(level->link, x);
    if (inst->way == WAY_NONE ||
        (outside && (inst->protected_ || inst->way == WAY_OUTPUT)) ||
        (inst->value && inst->way == WAY_INPUT))
        level->open[root] = true;
    else if (outside || inst->way == WAY_OUTPUT) level->from[root] = inst;
    else level->input[root] = inst;
}

static void level_leaf(Level *level, const Joint *joint, Inst *a, Inst *b, int ia,
                       int ib) {
    if (a->first < 0 || b->first < 0 || a->conn != CONN_NONE || a->vary <= VARY_PARAMETER)
        return;
    int x = a->first + ia, y = b->first + ib;
    level_node(level, a, x, joint->oa);
    level_node(level, b, y, joint->ob);
    x = sets_find(level->link, x);
    y = sets_find(level->link, y);
    if (x == y) return;
    if (level->from[x] && level->from[y])
        two_sources(level, joint, level->from[x], level->from[y],
                    level->input[x] ? level->input[x] : level->input[y]);
    level->link[y] = x;
    if (!level->from[x]) level->from[x] = level->from[y];
    if (!level->input[x]) level->input[x] = level->input[y];
    level->open[x] |= level->open[y];
}

static void level_join(Level *level, const Joint *joint, Inst *a, Inst *b, int ia,
                       int ib) {
    if (a->absent || b->absent || a->expandable || b->expandable) return;
    if (a->basic < BASIC_RECORD) {
        if (b->basic < BASIC_RECORD) level_leaf(level, joint, a, b, ia, ib);
        return;
    }
    for (int k = 0; k < a->nchild; k++) {
        Inst *ca = a->child[k];
        Inst *cb = ca ? inst_child(level->sets->front, b, ca->name) : NULL;
        if (!cb || ca->state != INST_DONE) continue;
        int n = 1;
        for (int d = 0; d < ca->ndim; d++) n *= ca->dim[d];
        for (int e = 0; e < n; e++)
            level_join(level, joint, ca, cb, ia * n + e, ib * n + e);
    }
}

static void end_level(Level *level, const Joint *joint) {
    Front *front = level->sets->front;
    for (int k = 0; k < level->count; k++) {
        int x = level->seen[k];
        if (sets_find(level->link, x) == x && !level->from[x] && !level->open[x] &&
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

static void level_pair(Level *level, const Joint *j, int i) {
    int ia = j->ia + i * j->sa, ib = j->ib + i * j->sb;
    if (!inst_in_bus(j->a) && !inst_in_bus(j->b)) {
        level_join(level, j, j->a, j->b, ia, ib);
        return;
    }
    const Inst *other = inst_in_bus(j->a) ? j->b : j->a; /* the bus may be its source */
    int         x = other->first + (other == j->a ? ia : ib);
    if (other->first < 0 || other->basic >= BASIC_RECORD) return;
    enter(level, x);
    level->open[sets_find(level->link, x)] = true;
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
        for (int i = 0; i < j->count; i++) level_pair(&level, j, i);
        if (k + 1 == joints->count || joints->item[k + 1].level != j->level)
            end_level(&level, j);
    }
}
