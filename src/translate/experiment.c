/* SPDX-License-Identifier: Apache-2.0 */
/* experiment.c -- the annotation that says how a model is to be simulated. */
#include "inst/typed.h"
#include "translate/translate.h"

#include <string.h>

enum { DEPTH = 50 };

/* Numbers in the annotation are literals, perhaps with a sign. */
static bool literal_value(Expr expr, double *value) {
    switch (expr.kind) {
    case EXPR_INTEGER: *value = (double)expr.integer; return true;
    case EXPR_REAL: *value = expr.real; return true;
    case EXPR_UNARY:
        if (!literal_value(expr.arg[0], value)) return false;
        if (expr.op == OP_SUB) *value = -*value;
        return expr.op == OP_SUB || expr.op == OP_ADD;
    default: return false;
    }
}

static const Mod *find_mod(const Session *session, const Mods *mods, const char *name) {
    for (uint32_t i = 0; mods && i < mods->count; i++)
        if (mods->item[i].kind == MOD_VALUE &&
            strcmp(name_of(session, mods->item[i].name), name) == 0)
            return &mods->item[i];
    return NULL;
}

/* Of the class itself, else of the first class it extends that has one. */
static const Mods *find_experiment(const Session *session, const Cls *cls, int depth) {
    const Mods *annotation = cls->def ? cls->def->annotation : NULL;
    const Mod  *mod = find_mod(session, annotation, "experiment");
    if (mod && mod->args) return mod->args;
    const Mods *found = NULL;
    for (int k = 0; k < cls->bases && depth < DEPTH && !found; k++)
        found = cls->base[k] ? find_experiment(session, cls->base[k], depth + 1) : NULL;
    return found;
}

void experiment_find(const Translation *t, ProgramInfo *info) {
    static const char *const name[] = {"StartTime", "StopTime", "Interval", "Tolerance"};
    const Mods              *given =
        t->flat ? find_experiment(t->session, t->flat->root->cls, 0) : NULL;
    for (int k = 0; k < LENGTH(name); k++) {
        const Mod *mod = find_mod(t->session, given, name[k]);
        info->annotated[k] = mod && literal_value(mod->value, &info->experiment[k]);
    }
    if (given && given->count) info->experiment_pos = given->item[0].pos;
}
