/* SPDX-License-Identifier: Apache-2.0 */
/* choose.c -- is a model translated as families of equal components, if nobody says how?
 *
 * Only if nothing is lost by it: the result has the same variables with the same errors, there are no events, and
 * all of it takes less time from the start. What families save grows with their instances; what they cost is the
 * compiler of the machine, whose time grows with the variables of the code, which has one instance of each
 * family, and, where an instance has few variables, that each is looked at on its own at every point of the result.
 * So numbers of both decide, before the equations are looked at. Networks of parts are left out: the
 * Jacobian of a mechanism is dense there, and the methods that a stiff one needs would lose.
 *
 * Cost: linear in declarations, whatever their sizes. */
#include "translate/choose.h"

#include "gen/gen.h"
#include "inst/typed.h"

enum {
    LEAST_INSTANCES = 1024, /* of a family that counts ... */
    LEAST_EACH = 64,        /* ... and variables of an instance, ... */
    LEAST_ANYHOW = 1 << 22, /* ... unless it has so many together */
    SHARE =
        4, /* who looks at an instance computes one of all families: not many others */
    MOST_OWN = 4096 /* variables of one instance of each */
};

/* Variables of a component; elements of its own arrays count, those of the one it is an element of do not. */
static double variables_of(const Inst *inst) {
    double n = inst->basic != BASIC_COMPONENT;
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        double each = variables_of(child);
        for (int d = 0; d < child->ndim; d++) each *= child->dim[d];
        n += each;
    }
    return n;
}

bool choose_to_try(const FlatModel *model) {
    return variables_of(model->root) >= LEAST_INSTANCES * LEAST_EACH;
}

bool choose_families(const FlatModel *model) {
    const double own = variables_of(model->root);
    bool         some = false;
    if (model->wires || model->rests) return false;
    for (int k = 0; k < model->folds; k++) {
        const double each = variables_of(model->fold[k].inst);
        const double count = (double)model->fold[k].count;
        some |= count >= LEAST_INSTANCES && SHARE * each >= own &&
                (each >= LEAST_EACH || each * count >= LEAST_ANYHOW);
    }
    return some && own <= MOST_OWN;
}

static bool values_differ(const FlatModel *model) {
    for (int k = 0; k < model->folds; k++)
        if (model->fold[k].differs) return true;
    return false;
}

/* Families take no part in events; an assertion about parameters alone is one of the start, where the first instance
 * stands for all that have the same. */
static bool happens(const Structure *st, bool differ) {
    const Families *actions = &st->sys->set[ROWS_ACTION];
    for (int k = 0; k < actions->count; k++)
        if (differ || !action_is_check(st->sys->shapes, &actions->family[k]) ||
            !steady_happens(st, &actions->family[k]))
            return true;
    return false;
}

bool choose_to_keep(const Translation *t) {
    const Structure *st = &t->part[PART_RUN].structure;
    const System    *sys = st->sys;
    Relations        found;
    if (t->parts > PARTS || sys->clocks || sys->theta.count || st->drift.rows)
        return false;
    relations_find(&found, &t->part[PART_RUN].plan, false);
    bool eventful = found.count > 0 || happens(st, values_differ(t->flat));
    relations_free(&found);
    return !eventful;
}
