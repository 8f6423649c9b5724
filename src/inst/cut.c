/* SPDX-License-Identifier: Apache-2.0 */
/* cut.c -- selective inheritance: connects that an extends leaves out (Modelica 3.6, 7.4).
 *
 * extends A(break c) leaves out the component c and all connects of it; extends
 * A(break connect(a, b)) leaves out the connect that is written with these names, in either
 * order. What is left out is collected on the way down the base classes. */
#include "inst/front.h"

static bool same_name(const Name *a, const Name *b);

static bool same_expr(Expr a, Expr b) {
    if (a.kind != b.kind) return false;
    if (a.kind == EXPR_INTEGER) return a.integer == b.integer;
    return a.kind == EXPR_NAME ? same_name(a.name, b.name) : a.kind == EXPR_COLON;
}

static bool same_name(const Name *a, const Name *b) {
    if (a->count != b->count || a->global != b->global) return false;
    for (int k = 0; k < a->count; k++) {
        const ExprList *x = a->part[k].subscripts, *y = b->part[k].subscripts;
        if (a->part[k].name != b->part[k].name || !x != !y) return false;
        if (x && x->count != y->count) return false;
        for (uint32_t j = 0; x && j < x->count; j++)
            if (!same_expr(x->item[j], y->item[j])) return false;
    }
    return true;
}

static bool starts_with(Expr side, Str name) {
    return side.kind == EXPR_NAME && side.name->part[0].name == name;
}

static bool matches(const Mod *mod, const Clause *connect) {
    const Expr *side = connect->side;
    if (mod->kind == MOD_BREAK)
        return starts_with(side[0], mod->name) || starts_with(side[1], mod->name);
    if (mod->kind != MOD_BREAK_CONNECT || !mod->connect) return false;
    const Expr *cut = mod->connect->side;
    return (same_expr(side[0], cut[0]) && same_expr(side[1], cut[1])) ||
           (same_expr(side[0], cut[1]) && same_expr(side[1], cut[0]));
}

bool cut_leaves_out(Cut *cut, const Clause *connect) {
    bool out = false;
    for (; cut; cut = cut->up)
        for (uint32_t k = 0; cut->mods && k < cut->mods->count; k++)
            if (matches(&cut->mods->item[k], connect)) {
                out = true;
                if (k < 64) cut->used |= (uint64_t)1 << k;
            }
    return out;
}

void cut_report(Front *front, const Cut *cut) {
    for (uint32_t k = 0; cut->mods && k < cut->mods->count && k < 64; k++)
        if (cut->mods->item[k].kind == MOD_BREAK_CONNECT && !(cut->used >> k & 1))
            diag_report(front->diag, cut->mods->item[k].pos, CODE_F146,
                        "the base class has no connect with these names");
}
