/* SPDX-License-Identifier: Apache-2.0 */
/* expandable.c -- expandable connectors (Modelica 3.6, 9.1.3).
 *
 * A connect to a member that an expandable connector does not declare adds the member, with
 * the class of the other side. Between two expandable connectors every member of one is
 * added to the other (buses_unite), until nothing changes. Members nobody connects to do not
 * count as unknowns.
 *
 * A member declared with open sizes, `v[:]`, or added with a subscript, `bus.v[2]`, grows: it becomes
 * as large as the largest subscript and the largest array that connects give it. */
#include "inst/connect.h"

#include <string.h>

Inst *expand_copy(Front *front, Inst *bus, const Inst *like) {
    Inst *inst = inst_new(front, bus, like->name, like->cls, like->pos);
    inst->elem = like->elem;
    inst->basic = like->basic;
    inst->vary = like->vary;
    inst->conn = like->conn;
    inst->connector = like->connector;
    inst->expandable = like->expandable;
    inst->in_connector = true;
    inst->state = INST_DONE;
    inst->ndim = like->ndim;
    inst->dim = like->ndim ? arena_copy(&front->arena, like->dim,
                                        sizeof(int) * (size_t)like->ndim)
                           : NULL;
    inst->alias_of = (Inst *)like;
    inst->prefix.grows = like->prefix.grows;
    if (inst->basic >= BASIC_RECORD) {
        inst->md = like->md;
        cls_members(front, inst->cls);
        inst->nchild = inst->cls->members;
        inst->child = NEW(&front->arena, Inst *, inst->nchild + 1);
    }
    inst_append(front, bus, inst);
    if (inst->nchild) inst_all(front, inst);
    return inst;
}

/* Largest value of a subscript. */
static int most(Front *front, const Tx *sub) {
    const Tx *range = sub->kind == TX_ITER ? sub->iter->range : sub;
    Value    *v = eval_now(front, range);
    int64_t   size = 0;
    for (int k = 0; v && k < v->count; k++)
        if (v->integer[k] > size) size = v->integer[k];
    return size > ARRAY_MOST ? 0 : (int)size;
}

void expand_to(Front *front, Inst *member, const int *dim) {
    for (int k = 0; k < member->ndim; k++) {
        if (dim[k] <= member->dim[k]) continue;
        if (member->prefix.sized) {
            diag_report(front->diag, member->pos, CODE_F151,
                        "the size of '%s' is used before connects tell it",
                        text_of(front, member->name));
            return;
        }
        member->dim[k] = dim[k];
    }
}

void expand_subscripts(Ctx *ctx, Inst *member, const NamePart *part) {
    int dim[32] = {0}, n = part->subscripts ? (int)part->subscripts->count : 0;
    ctx->grows = member;
    if (n != member->ndim || n > 32) return;
    for (int k = 0; k < n; k++)
        if (part->subscripts->item[k].kind != EXPR_COLON)
            dim[k] = most(ctx->front, type_sub(ctx, part->subscripts->item[k]));
    expand_to(ctx->front, member, dim);
}

Inst *expand_member(Ctx *ctx, Inst *bus, const NamePart *part, const Tx *like) {
    Front *front = ctx->front;
    Inst   kind = *like->inst;
    int    dim[32];
    kind.name = part->name;
    kind.ndim = like->type.ndim;
    kind.dim = (int *)like->type.dim;
    if (part->subscripts) {
        kind.ndim = (int)part->subscripts->count;
        if (kind.ndim > 32) return NULL;
        for (int k = 0; k < kind.ndim; k++)
            dim[k] = most(front, type_sub(ctx, part->subscripts->item[k]));
        kind.dim = dim;
    }
    Inst *made = expand_copy(front, bus, &kind);
    made->pos = part->pos;
    made->alias_of = like->inst;
    made->prefix.grows = part->subscripts != NULL;
    return made;
}

/* Gives both expandable connectors of a joint the members of the other; true if any. */
static bool unite(Front *front, Inst *a, Inst *b) {
    bool changed = false;
    for (int k = 0; k < a->nchild; k++) {
        Inst *member = a->child[k];
        if (!member || member->absent) continue;
        Inst *other = inst_child(front, b, member->name);
        if (!other) {
            expand_copy(front, b, member);
            changed = true;
        } else if (member->expandable && other->expandable)
            changed |= unite(front, member, other);
        else if (other->prefix.grows && other->ndim == 1 && member->ndim == 1 &&
                 other->dim[0] < member->dim[0]) {
            expand_to(front, other, member->dim);
            changed = front->diag->errors == 0;
        }
    }
    return changed;
}

void buses_unite(Front *front, const Joints *joints) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < joints->count; k++) {
            Inst *a = joints->item[k].a, *b = joints->item[k].b;
            if (!a->expandable || !b->expandable) continue;
            changed |= unite(front, a, b);
            changed |= unite(front, b, a);
        }
    }
}
