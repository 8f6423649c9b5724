/* SPDX-License-Identifier: Apache-2.0 */
/* approach.c -- a torn block whose inputs went far: from the last solution to the next one step by step.
 *
 * Between events a block r(z, u) = 0 has been solved for the inputs u of the last evaluation, and an integrator
 * asks for other ones. If Newton's method does not find the way, as with the exponential function of a
 * diode when a step doubles a voltage, the inputs themselves move from the old to the new ones,
 *     r(z, u0 + s (u1 - u0)) = 0,   s from 0 to 1,
 * and z follows on tangents with Newton corrections, in steps that grow with success and shrink where it fails. So the solution
 * is that of the branch that the block was on.
 *
 * Inputs are states and unknowns of earlier blocks. Time may be one, too: it has its new value from the
 * beginning, so that the first point is corrected as well. While all goes well this costs a copy of the
 * inputs and of the solution. */
#include "live/loop.h"

#include <math.h>
#include <string.h>

enum {
    MOST = 256,      /* inputs of a block */
    ROWS = 1000,     /* of a group: the memory for more would be too much */
    TRIALS = 400,    /* steps of the inputs */
    CORRECTIONS = 15 /* of Newton's method in each */
};
static const double tolerance = 1e-10, shortest = 1e-9;

typedef struct Last { /* the last solution of a row */
    bool    known;
    int     inputs;
    Input  *input;
    double *u, *z; /* inputs, n */
} Last;

struct Approach {
    Last   *last;               /* by row */
    double *x;                  /* all states on the way */
    double *from, *to;          /* MOST each: inputs at both ends */
    double *slope, *sum, *kept; /* n each */
};

/* ---- inputs ---- */

int loop_inputs(const Loop *l, int row, Input *input, int most) {
    const Instance   *instance = l->running->instance;
    const Program    *p = instance->program;
    const BlockGraph *g = &p->graph;
    if (l->running != &instance->run) return most + 1;
    int b = l->running->part->block[l->group->item + row * l->group->size], count = 0;
    for (int k = g->states.start[b]; k < g->states.start[b + 1]; k++) {
        int state = g->states.to[k], i = 0;
        while (i < count && input[i].state != state) i++;
        if (i < count) continue;
        if (count == most) return most + 1;
        input[count++] = (Input){p->states.var[state], state};
    }
    for (int k = g->uses.start[b]; k < g->uses.start[b + 1]; k++)
        for (int q = g->first[g->uses.to[k]]; q < g->first[g->uses.to[k] + 1]; q++) {
            if (count == most) return most + 1;
            input[count++] = (Input){g->unknown[q], -1};
        }
    return count;
}

double loop_input(const Loop *l, const Input *input) {
    return input->state >= 0 ? l->c->x[input->state] : l->c->v[input->var];
}

/* ---- memory ---- */

void approach_close(Loop *l) {
    Approach *a = l->approach;
    if (!a) return;
    for (int row = 0; a->last && row < l->group->count; row++)
        mem_free(a->last[row].input), mem_free(a->last[row].u);
    mem_free(a->last), mem_free(a->x), mem_free(a->from);
    mem_free(a);
    l->approach = NULL;
}

static bool open_row(const Loop *l, int row, Input *found) {
    Last *last = &l->approach->last[row];
    int   count = loop_inputs(l, row, found, MOST);
    if (count > MOST) return true; /* it is done without */
    last->input = mem_take((size_t)count + 1, sizeof *last->input);
    last->u = mem_take((size_t)(count + l->n), sizeof *last->u);
    if (!last->input || !last->u) return false;
    memcpy(last->input, found, (size_t)count * sizeof *found);
    last->inputs = count;
    last->z = last->u + count;
    return true;
}

bool approach_open(Loop *l) {
    if (l->group->count > ROWS) return true;
    Approach *a = l->approach = mem_take(1, sizeof *a);
    size_t    n = (size_t)l->n, most = MOST, nx = (size_t)l->running->instance->model.nx;
    Input    *found = mem_take(MOST, sizeof *found);
    bool      fine = a && found;
    if (fine) {
        a->last = mem_take((size_t)l->group->count, sizeof *a->last);
        a->x = mem_take(nx + 1, sizeof *a->x);
        a->from = mem_take(3 * n + 2 * most, sizeof *a->from);
        fine = a->last && a->x && a->from;
    }
    if (fine) {
        a->to = a->from + most;
        a->slope = a->to + most;
        a->sum = a->slope + n;
        a->kept = a->sum + n;
    }
    for (int row = 0; fine && row < l->group->count; row++)
        fine = open_row(l, row, found);
    mem_free(found);
    return fine;
}

/* ---- the way ---- */

static bool fits(const Loop *l) {
    const Running *r = l->running;
    return l->approach && l->approach->last[l->row].u && !l->c->live && !r->began &&
           !r->piece;
}

void approach_note(Loop *l) {
    if (!fits(l)) return;
    Last *last = &l->approach->last[l->row];
    for (int i = 0; i < last->inputs; i++) last->u[i] = loop_input(l, &last->input[i]);
    memcpy(last->z, l->z, (size_t)l->n * sizeof *l->z);
    last->known = true;
}

const double *approach_last(const Loop *l) {
    return fits(l) && l->approach->last[l->row].known ? l->approach->last[l->row].z
                                                      : NULL;
}

/* Inputs at s; unknowns of earlier blocks stand among the values. */
static void place(Loop *l, double s) {
    Approach   *a = l->approach;
    const Last *last = &a->last[l->row];
    for (int i = 0; i < last->inputs; i++) {
        double u = a->from[i] + s * (a->to[i] - a->from[i]);
        if (s == 1) u = a->to[i];
        if (last->input[i].state >= 0) a->x[last->input[i].state] = u;
        else l->c->v[last->input[i].var] = u;
    }
    l->placed = false;
}

/* dz/ds at the solution just found, in a->sum. */
static bool find_slope(Loop *l) {
    Approach   *a = l->approach;
    const Last *last = &a->last[l->row];
    bool        anew = true;
    memset(a->sum, 0, (size_t)l->n * sizeof *a->sum);
    if (!loop_residual(l, l->z, l->r)) return false;
    for (int i = 0; i < last->inputs; i++) {
        double by = a->to[i] - a->from[i];
        if (by == 0) continue;
        if (!matrix_sensitivity(l->running, l->number, l->row, last->input[i].var, anew,
                                a->slope))
            return false;
        anew = false;
        for (int k = 0; k < l->n; k++) a->sum[k] += by * a->slope[k];
    }
    return true;
}

static Status correct(Loop *l) {
    Status status = solver_damped(l->solver, tolerance, l->z, CORRECTIONS, &l->report);
    l->running->instance->counts.iterations += l->report.iterations;
    return status;
}

/* From s = 0 with l->z = a solution there. */
static Status follow(Loop *l) {
    Approach *a = l->approach;
    double    s = 0, h = 0.25;
    double   *kept = a->kept;
    place(l, 0);
    Status status = correct(l);
    for (int k = 0; k < TRIALS && status == STATUS_OK && s < 1; k++) {
        bool   known = find_slope(l);
        double next = fmin(1, s + h);
        memcpy(kept, l->z, (size_t)l->n * sizeof *kept);
        place(l, next);
        for (int i = 0; i < l->n && known; i++) l->z[i] += (next - s) * a->sum[i];
        if (correct(l) == STATUS_OK) {
            s = next;
            h *= 2;
            continue;
        }
        memcpy(l->z, kept, (size_t)l->n * sizeof *kept);
        place(l, s);
        if ((h *= 0.25) < shortest) status = STATUS_DIVERGED;
    }
    return s < 1 ? STATUS_DIVERGED : status;
}

Status approach(Loop *l) {
    Approach *a = l->approach;
    if (!fits(l) || !a->last[l->row].known) return STATUS_DIVERGED;
    const Last   *last = &a->last[l->row];
    const double *own = l->c->x;
    size_t        states = (size_t)l->running->instance->model.nx;
    memcpy(a->from, last->u, (size_t)last->inputs * sizeof *a->from);
    for (int i = 0; i < last->inputs; i++) a->to[i] = loop_input(l, &last->input[i]);
    memcpy(a->x, own, states * sizeof *a->x);
    memcpy(l->z, last->z, (size_t)l->n * sizeof *l->z);
    l->c->x = a->x;
    Status status = follow(l);
    place(l, 1);
    l->c->x = own;
    if (status == STATUS_OK && !loop_residual(l, l->z, l->r)) status = STATUS_RETRY;
    l->running->instance->counts.approached += status == STATUS_OK;
    return status;
}
