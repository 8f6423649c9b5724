/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c -- what the rows must know of state machines, in numbers of variables. */
#include "flat/lower.h"

/* One guard for each element; that of the state belongs to those that lie in it. */
static void add_guards(System *sys, const GuardedVar *g) {
    int n = inst_count(g->var), states = inst_count(g->active), each = n / states;
    for (int e = 0; e < n; e++)
        sys->machines.guard[sys->machines.guards++] =
            (TickGuard){g->var->first + e, g->active->first + e / each,
                        g->reset->first + e / each, g->start->first + e};
}

void lower_machines(Lower *l) {
    const MachineUse *use = &l->model->machines;
    System           *sys = l->sys;
    int               guards = 0, conditions = 0;
    for (int k = 0; k < use->guardeds; k++) guards += inst_count(use->guarded[k].var);
    for (int k = 0; k < use->conditions; k++) conditions += inst_count(use->condition[k]);
    sys->machines.guard = NEW(&sys->arena, TickGuard, guards + 1);
    sys->machines.condition = NEW(&sys->arena, int, conditions + 1);
    for (int k = 0; k < use->guardeds; k++)
        if (inst_count(use->guarded[k].var)) add_guards(sys, &use->guarded[k]);
    for (int k = 0; k < use->conditions; k++)
        for (int e = 0; e < inst_count(use->condition[k]); e++)
            sys->machines.condition[sys->machines.conditions++] =
                use->condition[k]->first + e;
    sys->machines.when = NEW(&sys->arena, int, use->whens + 1);
    for (int k = 0; k < use->whens; k++)
        for (int e = 0; e < inst_count(use->when[k]) && e < 1; e++)
            sys->machines.when[sys->machines.whens++] = use->when[k]->first;
}
