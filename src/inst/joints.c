/* SPDX-License-Identifier: Apache-2.0 */
/* joints.c -- connects as pairs of connector elements (Modelica 3.6, 9.1).
 *
 * Loops and arrays around a connect are walked, conditions evaluated. Pairs of one connect whose
 * elements follow each other with constant steps are one joint: a chain of a million components
 * has a handful of them. */
#include "inst/connect.h"

#include <string.h>

/* ---- elements of references -------------------------------------------------------------- */

typedef struct Axis { /* one dimension on the way to an instance */
    int  size;
    int *at; /* selected positions, NULL all */
    int  n;
} Axis;

/* Axes of inst, outermost first. Subscripts apply below base; dimensions of `at` and above
 * have the given index. */
static int axes_of(Eval *eval, const Tx *tx, const Inst *inst, const Inst *at,
                   const int *index, Axis *axis, bool *failed) {
    if (!inst) return 0;
    int n = axes_of(eval, tx, inst->parent, at, index, axis, failed);
    if (inst->ndim == 0) return n;
    bool above = inst == tx->base || inst_is_under(tx->base, inst);
    int  sub = above ? 0 : inst_depth_dims(inst->parent, tx->base);
    for (int k = 0; k < inst->ndim && n < 32; k++, n++) {
        axis[n] = (Axis){.size = inst->dim[k], .n = inst->dim[k]};
        if (above) {
            if (!inst_is_under(at, inst)) continue;
            int *one = NEW(eval->arena, int, 1);
            one[0] = index[n];
            axis[n].at = one;
            axis[n].n = 1;
            continue;
        }
        const Tx *s = tx->arg[sub + k];
        if (!s || s->kind == TX_COLON) continue;
        Value *v = eval_tx(eval, s);
        if (!v || v->basic == BASIC_REAL || v->basic == BASIC_STRING) {
            *failed = true;
            return n;
        }
        axis[n].at = NEW(eval->arena, int, v->count + 1);
        axis[n].n = v->count;
        for (int j = 0; j < v->count; j++) {
            int64_t i = v->integer[j] + (v->basic == BASIC_BOOLEAN);
            if (i < 1 || i > axis[n].size) {
                diag_report(eval->front->diag, s->pos, CODE_T121,
                            "subscript %lld of '%s' is outside 1..%d", (long long)i,
                            text_of(eval->front, inst->name), axis[n].size);
                *failed = true;
                return n;
            }
            axis[n].at[j] = (int)(i - 1);
        }
    }
    return n;
}

int *ref_elements(Eval *eval, const Tx *tx, const Inst *at, const int *index,
                  int *count) {
    Axis axis[32];
    bool failed = false;
    int  n = axes_of(eval, tx, tx->inst, at, index, axis, &failed), total = 1,
        step[32] = {0};
    if (failed) return NULL;
    for (int k = 0; k < n; k++) total *= axis[k].n;
    int *out = NEW(eval->arena, int, total + 1);
    for (int e = 0; e < total; e++) {
        int flat = 0;
        for (int k = 0; k < n; k++)
            flat = flat * axis[k].size + (axis[k].at ? axis[k].at[step[k]] : step[k]);
        out[e] = flat;
        for (int k = n - 1; k >= 0; k--) {
            if (++step[k] < axis[k].n) break;
            step[k] = 0;
        }
    }
    *count = total;
    return out;
}

/* ---- joints ------------------------------------------------------------------------------- */

static bool is_absent(const Inst *inst) {
    for (; inst; inst = inst->parent)
        if (inst->absent) return true;
    return false;
}

/* Outside: the first component below `at` on the way to inst is a connector. */
static bool is_outside(const Inst *inst, const Inst *at) {
    const Inst *below = inst;
    while (below && below->parent != at) below = below->parent;
    return below && below->connector;
}

/* Whether the pair (ia, ib) continues the joint; sets the steps of one with a single pair. */
static bool continues(Joint *joint, const Joint *pair) {
    if (joint->a != pair->a || joint->b != pair->b || joint->oa != pair->oa ||
        joint->ob != pair->ob || joint->at != pair->at)
        return false;
    if (joint->count == 1) {
        joint->sa = pair->ia - joint->ia;
        joint->sb = pair->ib - joint->ib;
    }
    return pair->ia == joint->ia + joint->count * joint->sa &&
           pair->ib == joint->ib + joint->count * joint->sb;
}

static void add_pair(Joints *joints, const Equ *equ, Joint pair) {
    int64_t last = map_get(&joints->last, (uintptr_t)equ, -1);
    pair.at = joints->at;
    pair.count = 1;
    if (last >= 0 && continues(&joints->item[last], &pair)) {
        joints->item[last].count++;
        return;
    }
    if (joints->count == joints->room)
        joints->item = arena_grow(&joints->arena, joints->item, sizeof(Joint),
                                  &joints->room, joints->count + 1);
    map_put(&joints->last, (uintptr_t)equ, joints->count);
    joints->item[joints->count++] = pair;
}

void joints_number(Joints *joints) {
    int number = 0;
    for (int k = 0; k < joints->count; k++) {
        joints->item[k].number = number;
        number += joints->item[k].count;
    }
}

void joints_free(Joints *joints) {
    map_free(&joints->last);
    arena_free(&joints->arena);
}

static bool may_connect(Front *front, const Tx *tx) {
    if (tx->inst->connector || tx->inst->in_connector) return true;
    diag_report(front->diag, tx->pos, CODE_T180, "'%s' is not a connector",
                text_of(front, tx->inst->name));
    return false;
}

void print_size(Text *out, Ty type) {
    for (int k = 0; k < type.ndim; k++)
        text_printf(out, "%s%d", k ? ", " : "[", type.dim[k]);
    text_add(out, type.ndim ? "]" : "one element");
}

static void report_sizes(Front *front, const Equ *equ) {
    Text text = {0};
    for (int k = 0; k < 2; k++) {
        const Tx *tx = k ? equ->right : equ->left;
        text_add(&text, k ? ", '" : "'");
        inst_name(&text, front, tx->inst);
        text_add(&text, tx->type.ndim ? "' has size " : "' is ");
        print_size(&text, tx->type);
    }
    diag_report(front->diag, equ->pos, CODE_T181, "connect of different sizes: %s",
                text_get(&text));
    text_free(&text);
}

static void joint_elements(Joints *joints, Eval *eval, Inst *inst, const int *index,
                           const Equ *equ) {
    Front    *front = joints->front;
    const Tx *l = equ->left, *r = equ->right;
    int       nl, nr;
    if (is_absent(l->inst) || is_absent(r->inst)) return;
    if (!may_connect(front, l) || !may_connect(front, r)) return;
    int *el = ref_elements(eval, l, inst, index, &nl);
    int *er = el ? ref_elements(eval, r, inst, index, &nr) : NULL;
    if (!el || !er) {
        if (eval->why)
            diag_report(front->diag, equ->pos, CODE_F155,
                        "a subscript in connect cannot be determined when translating");
        return;
    }
    if (nl != nr || !ty_same_dims(l->type, r->type)) {
        report_sizes(front, equ);
        return;
    }
    bool ol = is_outside(l->inst, inst), or_ = is_outside(r->inst, inst);
    if (l->inst == r->inst && nl && el[0] == er[0]) { /* it stays as it is */
        Text text = {0};
        inst_name(&text, front, l->inst);
        diag_report(front->diag, equ->pos, CODE_T187, "'%s' is connected with itself",
                    text_get(&text));
        text_free(&text);
        return;
    }
    for (int k = 0; k < nl; k++)
        add_pair(joints, equ,
                 (Joint){.a = l->inst,
                         .b = r->inst,
                         .ia = el[k],
                         .ib = er[k],
                         .oa = ol,
                         .ob = or_,
                         .pos = equ->pos});
}

static void collect(Joints *joints, Eval *eval, Inst *inst, const int *index,
                    const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_CONNECT) joint_elements(joints, eval, inst, index, equ);
        else if (equ->kind == EQU_FOR) {
            Value *values = eval_tx(eval, equ->iter->range);
            if (!values || eval->binds >= LENGTH(eval->bind)) continue;
            int at = eval->binds++;
            for (int j = 0; j < values->count; j++) {
                ArenaMark mark = arena_mark(eval->arena);
                eval->bind[at].var = equ->iter;
                eval->bind[at].value = value_element(eval->arena, values, j);
                collect(joints, eval, inst, index, &equ->body);
                arena_back(eval->arena, mark);
            }
            eval->binds = at;
        } else if (equ->kind == EQU_IF) {
            for (int j = 0; j < equ->count; j++) {
                Value *c = equ->cond[j] ? eval_tx(eval, equ->cond[j]) : NULL;
                if (equ->cond[j] && (!c || !c->integer[0])) continue;
                collect(joints, eval, inst, index, &equ->branch[j]);
                break;
            }
        }
    }
}

static bool has_connects(const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_CONNECT) return true;
        if (equ->kind == EQU_FOR && has_connects(&equ->body)) return true;
        if (equ->kind == EQU_IF)
            for (int j = 0; j < equ->count; j++)
                if (has_connects(&equ->branch[j])) return true;
    }
    return false;
}

void joints_collect(Joints *joints, Inst *inst, const EquList *list) {
    if (!has_connects(list)) return;
    int         dim[32] = {0}, n = 0, index[32] = {0}, total = inst_count(inst);
    const Inst *chain[64];
    int         length = 0;
    for (const Inst *p = inst; p && length < 64; p = p->parent) chain[length++] = p;
    for (int c = length - 1; c >= 0; c--)
        for (int k = 0; k < chain[c]->ndim && n < 32; k++) dim[n++] = chain[c]->dim[k];
    Arena scratch = {0};
    joints->at = inst;
    for (int e = 0; e < total; e++) {
        ArenaMark mark = arena_mark(&scratch);
        Eval      eval = {.front = joints->front, .arena = &scratch, .steps = EVAL_STEPS};
        eval.index = index;
        eval.at = inst;
        collect(joints, &eval, inst, index, list);
        arena_back(&scratch, mark);
        for (int k = n - 1; k >= 0; k--) {
            if (++index[k] < dim[k]) break;
            index[k] = 0;
        }
    }
    arena_free(&scratch);
}

/* ---- members ------------------------------------------------------------------------------ */

static void leaves(Front *front, const Joint *joint, Inst *a, Inst *b, Pairs p,
                   VisitPairs *visit, void *context) {
    if (a->absent || b->absent || a->expandable || b->expandable) return;
    if (a->basic < BASIC_RECORD) {
        if (b->basic < BASIC_RECORD) visit(context, joint, a, b, p);
        return;
    }
    for (int k = 0; k < a->nchild; k++) {
        Inst *ca = a->child[k];
        Inst *cb = ca ? inst_child(front, b, ca->name) : NULL;
        if (!cb || ca->state != INST_DONE) continue;
        int n = 1;
        for (int d = 0; d < ca->ndim; d++) n *= ca->dim[d];
        for (int e = 0; e < n; e++)
            leaves(front, joint, ca, cb,
                   (Pairs){p.ia * n + e, p.ib * n + e, p.sa * n, p.sb * n, p.count},
                   visit, context);
    }
}

void joint_leaves(Front *front, const Joint *joint, VisitPairs *visit, void *context) {
    Pairs pairs = {joint->ia, joint->ib, joint->sa, joint->sb, joint->count};
    leaves(front, joint, joint->a, joint->b, pairs, visit, context);
}
