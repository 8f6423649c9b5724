/* SPDX-License-Identifier: Apache-2.0 */
/* depend.c -- which states and inputs a value depends on: reachability in the block graph.
 *
 * Every question walks over the blocks that the variable needs, so all of them together may cost
 * blocks times variables. After a fixed amount of work the answer is that it is not known, which FMI
 * reads as "on everything". */
#include "fmi/fmi.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WORK 2e7 /* blocks visited and numbers listed */

struct Depends {
    const Program *program;
    double         work;
    LinkList       pairs; /* (block, input) while they are collected */
    Links          inputs;
    int            block; /* whose equation is looked at */
    /* one block of memory, of which mark is the first */
    int *mark, *input_mark,
        *state_mark; /* by block, variable, state: of which question */
    int *queue, *input, *state;
    int  question;
    bool failed;
};

static bool is_input(const Program *p, int var) {
    return p->variables.run[variables_run(&p->variables, var)].kind == VAR_INPUT;
}

static void note_input(void *context, int var) {
    Depends *d = context;
    int      kept = d->program->reduced.alias[var];
    if (is_input(d->program, kept)) links_add(&d->pairs, d->block, kept);
}

/* Inputs that the equations of each block read. */
static void find_inputs(Depends *d) {
    const Program *p = d->program;
    const Part    *run = &p->part[PART_RUN];
    bool           any = false;
    for (int r = 0; r < p->variables.runs; r++)
        any |= p->variables.run[r].kind == VAR_INPUT;
    for (int k = 0; any && k < run->items; k++) {
        Equation e = program_equation(p, run, k);
        d->block = p->graph.giver[p->reduced.alias[run->unknown[k]]];
        if (d->block >= 0) equation_uses(&e, note_input, d);
    }
    d->inputs = links_of(&d->pairs, p->graph.blocks, false, NULL);
}

typedef struct Opening {
    const Program *program;
    Depends       *made;
} Opening;

static void open_inside(void *context) {
    Opening       *o = context;
    const Program *p = o->program;
    Depends       *d = mem_take(1, sizeof *d);
    const size_t   blocks = (size_t)p->graph.blocks, vars = (size_t)p->variables.vars,
                 states = (size_t)p->states.count;
    d->program = p;
    d->mark = mem_take(2 * (blocks + vars + states), sizeof(int));
    d->queue = d->mark + blocks;
    d->input_mark = d->queue + blocks;
    d->input = d->input_mark + vars;
    d->state_mark = d->input + vars;
    d->state = d->state_mark + states;
    find_inputs(d);
    links_drop(&d->pairs);
    mem_give(d), mem_give(d->mark);
    mem_give(d->inputs.start), mem_give(d->inputs.to);
    o->made = d;
}

Depends *depends_new(const Program *p) {
    Opening opening = {.program = p};
    Memory *memory = memory_new();
    if (!memory || !memory_call(memory, open_inside, &opening)) opening.made = NULL;
    memory_free(memory);
    return opening.made;
}

static void take_state(Depends *d, Dependency *out, int state) {
    if (d->state_mark[state] == d->question) return;
    d->state_mark[state] = d->question;
    d->state[out->states++] = state;
}

static void take_input(Depends *d, Dependency *out, int var) {
    if (d->input_mark[var] == d->question) return;
    d->input_mark[var] = d->question;
    d->input[out->inputs++] = var;
}

/* One block: what it reads itself, and the blocks it uses. */
static int visit(Depends *d, Dependency *out, int block, int end) {
    const BlockGraph *g = &d->program->graph;
    for (int k = g->states.start[block]; k < g->states.start[block + 1]; k++)
        take_state(d, out, g->states.to[k]);
    for (int k = d->inputs.start[block]; k < d->inputs.start[block + 1]; k++)
        take_input(d, out, d->inputs.to[k]);
    for (int k = g->uses.start[block]; k < g->uses.start[block + 1]; k++) {
        const int other = g->uses.to[k];
        if (d->mark[other] == d->question) continue;
        d->mark[other] = d->question;
        d->queue[end++] = other;
    }
    return end;
}

bool depends_find(Depends *d, int var, Dependency *out) {
    const Program    *p = d->program;
    const BlockGraph *g = &p->graph;
    const int         kept = p->reduced.alias[var];
    *out = (Dependency){.state = d->state, .input = d->input};
    if (d->work > MOST_WORK || g->uses.rows < 0 || g->states.rows < 0 || p->info.clocks ||
        p->batches.count)
        return false;
    d->question++;
    const int state = program_state(p, kept);
    if (state >= 0) take_state(d, out, state);
    else if (is_input(p, kept)) take_input(d, out, kept);
    else if (g->giver[kept] >= 0) {
        int end = 0;
        d->queue[end++] = g->giver[kept];
        d->mark[g->giver[kept]] = d->question;
        for (int k = 0; k < end; k++) end = visit(d, out, d->queue[k], end);
        d->work += end;
    }
    d->work += out->states + out->inputs;
    qsort(d->state, (size_t)out->states, sizeof(int), int_ascending);
    qsort(d->input, (size_t)out->inputs, sizeof(int), int_ascending);
    return true;
}

void depends_free(Depends *d) {
    if (!d) return;
    mem_free(d->mark);
    links_free(&d->inputs);
    mem_free(d);
}
