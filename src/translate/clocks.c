/* SPDX-License-Identifier: Apache-2.0 */
/* clocks.c -- clocked partitions on their way into the program: each is a part of its own.
 *
 * The passes that the continuous part goes through one by one are run here for one partition
 * after the other. */
#include "translate/freeze.h"

#include <assert.h>
#include <stdlib.h>

void translate_open_parts(Translation *t, int bases) {
    assert(!t->part);
    t->parts = PARTS + 2 * bases;
    t->part = mem_take((size_t)t->parts, sizeof *t->part);
}

/* Rows of the first tick of a discretised partition: its equations and initial equations. */
static bool first_ticks(Translation *t, const Structure *st, Structure *first) {
    if (st->states)
        return structure_initial(first, st, NULL, &t->session->diag) &&
               structure_has_phases(first);
    *first = (Structure){.sys = st->sys, .plain = true, .base = st->base};
    structure_grow(first);
    return structure_solve(first);
}

/* Staggered coupling needs partitions of several rates. */
static bool may_stagger(Translation *t, const Clocks *c) {
    for (int s = 0; c && s < c->subs; s++)
        if (clock_is_slow(&c->base[c->sub[s].base], c->sub, s)) return true;
    diag_report(
        &t->session->diag, 0, CODE_D147,
        "no clocked partition ticks less often than another one of its base clock");
    return false;
}

bool translate_partitions(Translation *t) {
    System *sys = &t->rows->sys;
    if (t->staggered && !may_stagger(t, sys->clocks)) return false;
    if (t->staggered) sys->clocks->staggered = true;
    for (int b = 0; sys->clocks && b < sys->clocks->bases; b++) {
        Structure *st = &t->part[PARTS + 2 * b].structure;
        Structure *first = &t->part[PARTS + 2 * b + 1].structure;
        structure_aliases(st, sys, b + 1, &t->session->diag);
        if (!structure_index(st)) return false;
        structure_states(st);
        structure_inline_late(st);
        sys->clocks->base[b].part = PARTS + 2 * b;
        sys->clocks->base[b].starts = st->states > 0;
        if (!first_ticks(t, st, first) || !structure_discretise(st) ||
            !structure_match(st))
            return false;
        structure_order(st);
        if (!structure_has_phases(st)) return false;
        structure_tear(st);
    }
    return true;
}

/* ---- tables of the program ------------------------------------------------------------------ */

const Structure *freeze_owner(const Draft *d, int var) {
    int base = d->sys->clocks ? system_partition_of(d->sys, var) : 0;
    return &d->from->part[base ? PARTS + 2 * (base - 1) : PART_RUN].structure;
}

static int by_sub(const void *a, const void *b) {
    const ClockShift *x = a, *y = b;
    return x->sub != y->sub ? (x->sub > y->sub) - (x->sub < y->sub)
                            : (x->before > y->before) - (x->before < y->before);
}

/* previous(v) and pre(v) of clocked variables, and what solvers keep. */
static void freeze_shifts(Draft *d) {
    const Clocks *c = d->sys->clocks;
    const System *sys = d->sys;
    int           n = 0;
    ClockShift   *shift = NEW(&d->arena, ClockShift, sys->vars + c->shifts + 1);
    for (int k = 0; k < c->shifts; k++) shift[n++] = c->shift[k];
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        if (run->kind != VAR_PRE && run->kind != VAR_PREVIOUS) continue;
        for (int i = 0; i < run->count; i++) {
            int sub = system_sub(sys, run->first + i);
            if (sub < 0) continue;
            shift[n++] = (ClockShift){run->first + i, sys->run[run->of].first + i, sub,
                                      run->kind == VAR_PRE};
        }
    }
    qsort(shift, (size_t)n, sizeof *shift, by_sub);
    d->program.clocks.shift = shift;
    d->program.clocks.shifts = n;
}

void freeze_clocks(Draft *d) {
    const Clocks *c = d->sys->clocks;
    if (!c) return;
    ClockTable *table = &d->program.clocks;
    table->staggered = c->staggered;
    table->remembers = c->remembers;
    table->bases = c->bases, table->base = c->base;
    table->subs = c->subs, table->sub = c->sub;
    table->states = c->states, table->state = c->state;
    table->inputs = c->inputs, table->input = c->input;
    freeze_shifts(d);
}
