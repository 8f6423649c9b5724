/* SPDX-License-Identifier: Apache-2.0 */
/* experiment.c -- the annotation that says how a model is to be simulated. */
#include "inst/typed.h"
#include "translate/translate.h"

#include <string.h>

enum { DEPTH = 50 };

/* The value of a constant expression that stands in a class; reported if it is none. */
static bool constant_value(Front *front, const Cls *cls, const Mod *mod, const char *name,
                           double *value) {
    Ctx    ctx = {.front = front, .scope = {(Cls *)cls, NULL}};
    Tx    *tx = type_expr(&ctx, mod->value);
    Value *v = tx->vary == VARY_CONSTANT ? eval_now(front, tx) : NULL;
    if (tx->type.basic == BASIC_BAD) return false;
    if (v && !v->ndim && (v->basic == BASIC_REAL || v->basic == BASIC_INTEGER)) {
        *value = value_number(v, 0);
        return true;
    }
    diag_report(front->diag, mod->value.pos, CODE_R106,
                "'%s' of the experiment is not a constant number", name);
    return false;
}

/* Of the class itself, else of the first class it extends that has one; *in is that class. */
static const Mods *find_experiment(const Session *session, const Cls *cls, int depth,
                                   const Cls **in) {
    const Mods *annotation = cls->def ? cls->def->annotation : NULL;
    const Mod  *mod = mods_find(session, annotation, "experiment");
    *in = cls;
    if (mod && mod->args) return mod->args;
    const Mods *found = NULL;
    for (int k = 0; k < cls->bases && depth < DEPTH && !found; k++)
        if (cls->base[k]) found = find_experiment(session, cls->base[k], depth + 1, in);
    return found;
}

bool experiment_find(const Translation *t, ProgramInfo *info) {
    static const char *const name[] = {"StartTime", "StopTime", "Interval", "Tolerance"};
    const Cls               *in = NULL;
    const Mods              *given =
        t->flat ? find_experiment(t->session, t->flat->root->cls, 0, &in) : NULL;
    bool good = true;
    for (int k = 0; k < LENGTH(name); k++) {
        const Mod *mod = mods_find(t->session, given, name[k]);
        if (!mod || mod->value.kind == EXPR_NONE) continue;
        info->annotated[k] =
            constant_value(t->front, in, mod, name[k], &info->experiment[k]);
        good &= info->annotated[k];
    }
    if (given && given->count) info->experiment_pos = given->item[0].pos;
    return good;
}
