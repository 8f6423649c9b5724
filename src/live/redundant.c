/* SPDX-License-Identifier: Apache-2.0 */
/* redundant.c -- equations of a block that say the same twice: a warning.
 *
 * A matrix of parameters that is singular is so for ever. Of other blocks the matrix at the solution is
 * looked at, which may be singular for a moment only, as that of a pipe at rest: it must have been so
 * since the start, at OFTEN times at least. What is switched by relations or discrete variables, as two
 * brakes that hold one shaft, is left open on purpose.
 *
 * Cost: a comparison for each solution that leaves something open. */
#include "live/loop.h"

enum { OFTEN = 10, NEVER = -1 };

/* Does a relation of the block or a discrete variable choose among its equations? */
static bool is_switched(const Loop *l) {
    const Program *program = l->running->instance->program;
    const Part    *part = l->running->part;
    const int      first = l->group->item + l->row * l->group->size;
    const int      last = first + l->group->size;
    for (int k = 0; k < part->relations; k++)
        if (part->relation_item[k] >= first && part->relation_item[k] < last) return true;
    for (int i = first; i < last; i++) {
        const Equation e = program_equation(program, part, i);
        for (int k = 0; k < e.formula->slots; k++) {
            const int var = equation_slot(&e, k);
            if (var < 0 || var >= program->variables.vars) continue;
            const VarRun *run =
                &program->variables.run[variables_run(&program->variables, var)];
            if (run_is_discrete(run) || run->kind == VAR_PRE) return true;
        }
    }
    return false;
}

/* At each time so far, in one solution at least: rounding may close what is open. */
static bool is_open_throughout(Loop *l) {
    Openings    *o = &l->openings[l->row];
    const double t = l->c->time;
    if (o->times == NEVER) return false;
    if (!o->solved || t > o->last) {
        if (o->solved && !o->open) o->times = NEVER;
        *o = (Openings){.times = o->times, .last = t, .solved = true};
    }
    if (o->times == NEVER) return false;
    o->times += l->report.open && !o->open;
    o->open |= l->report.open;
    if (o->times < OFTEN) return false;
    o->times = NEVER; /* it is told once */
    return !is_switched(l);
}

void redundant_look(Loop *l) {
    const bool linear = l->group->block == BLOCK_LINEAR;
    if (l->running->piece || l->fast) return;
    if (linear ? l->report.open && l->group->matrix == MATRIX_PARAMETERS
               : is_open_throughout(l))
        cause_redundant(l->running, l->number, l->row);
}
