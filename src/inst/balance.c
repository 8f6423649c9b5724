/* SPDX-License-Identifier: Apache-2.0 */
/* balance.c -- where to look when equations and unknowns of a model do not match.
 *
 * The count alone helps nobody. Named are: inputs of components that get no value, variables
 * that appear in no equation, variables determined by their declaration and by an equation,
 * and classes of components that do not balance by themselves (local.c). */
#include "inst/connect.h"

#include <string.h>

enum { SHOWN = 8 }; /* notes of one kind */

typedef struct Search {
    FlatModel *model;
    uint8_t   *used; /* by instance: appears in an equation or binding */
    uint8_t   *left; /* by instance: stands alone on a side            */
} Search;

static void mark(Search *s, const Tx *tx) {
    if (!tx) return;
    if (tx->kind == TX_REF) s->used[tx->inst->id] = 1;
    for (int k = 0; k < tx->n; k++) mark(s, tx->arg[k]);
}

static void mark_list(Search *s, const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        mark(s, equ->left);
        mark(s, equ->right);
        if (equ->kind == EQU_SAME && equ->left->kind == TX_REF)
            s->left[equ->left->inst->id] = 1;
        if (equ->kind == EQU_SAME && equ->right->kind == TX_REF)
            s->left[equ->right->inst->id] = 1;
        mark_list(s, &equ->body);
        for (int j = 0; j < equ->count; j++) mark_list(s, &equ->branch[j]);
    }
}

static bool appears(const Search *s, const Inst *inst) {
    for (; inst; inst = inst->parent)
        if (s->used[inst->id]) return true;
    return false;
}

static void note(const Search *s, const Inst *inst, const char *before,
                 const char *after) {
    Text text = {0};
    inst_name(&text, s->model->front, inst);
    diag_note(s->model->front->diag, inst->pos, "%s'%s' %s", before, text_get(&text),
              after);
    text_free(&text);
}

static bool bound(Front *front, Inst *inst) {
    for (Inst *p = inst; p; p = p->parent)
        if ((p == inst || p->basic == BASIC_RECORD) && inst_bind(front, p)) return true;
    return false;
}

static bool of_component(const FlatModel *model, const Inst *inst) {
    const Inst *top = inst;
    while (top->parent && top->parent != model->root) top = top->parent;
    return top != inst && !top->connector;
}

static void name_variables(Search *s, bool missing) {
    FlatModel *model = s->model;
    int        inputs = 0, idle = 0, twice = 0;
    for (int k = 0; k < model->vars; k++) {
        Inst *inst = model->var[k];
        if (inst->vary <= VARY_PARAMETER || inst->basic == BASIC_OBJECT) continue;
        bool has = bound(model->front, inst);
        if (missing && inst->way == WAY_INPUT && !has && !inst->connected &&
            of_component(model, inst) && inputs++ < SHOWN)
            note(s, inst, "input ", "gets no value: connect it or give it a value");
        else if (missing && inst->way != WAY_INPUT && !has && !inst->connected &&
                 inst->conn != CONN_FLOW && !appears(s, inst) && idle++ < SHOWN)
            note(s, inst, "", "appears in no equation");
        if (!missing && has && s->left[inst->id] && inst->binding.text && twice++ < SHOWN)
            note(s, inst, "", "has a value in its declaration and an equation, too");
    }
}

void balance_report(FlatModel *model, const int64_t *own, const Joints *joints) {
    Front    *front = model->front;
    long long n = model->equations, m = model->unknowns, by = n > m ? n - m : m - n;
    Search    s = {.model = model};
    s.used = NEW(&front->arena, uint8_t, front->insts + 1);
    s.left = NEW(&front->arena, uint8_t, front->insts + 1);
    diag_report(front->diag, model->root->pos, CODE_F170,
                "'%s' has %lld equation%s for %lld unknown%s: %lld equation%s %s",
                cls_text(front, model->root->cls), n, n == 1 ? "" : "s", m,
                m == 1 ? "" : "s", by, by == 1 ? " is" : "s are",
                n > m ? "too many" : "missing");
    for (int k = 0; k < model->parts; k++) {
        mark_list(&s, &model->part[k].equation);
        mark_list(&s, &model->part[k].made);
        for (int a = 0; a < model->part[k].algorithms; a++)
            mark_list(&s, &model->part[k].algorithm[a]);
    }
    mark_list(&s, &model->extra);
    for (int k = 0; k < model->vars; k++) mark(&s, inst_bind(front, model->var[k]));
    name_variables(&s, n < m);
    balance_classes(model, own, joints, true);
}
