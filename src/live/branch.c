/* SPDX-License-Identifier: Apache-2.0 */
/* branch.c -- a torn block stays on its branch where another one crosses it.
 *
 * Along a continuous solution of r(z, t) = 0 the sign of det(dr/dz) stays as long as no other solution is met. Where
 * two branches cross, as that of a flow and that of no flow through a machine whose energy balance is
 *     m (h_in - h) + P(m) = 0,
 * both go on and exchange their signs (transcritical bifurcation: Kuznetsov, Elements of Applied Bifurcation Theory,
 * section 3), and so they do where a kink takes the place of the crossing. The sign is that of the stability of the process which
 * the equations are the equilibrium of, a volume that became infinitely small: the branch that keeps it is the one
 * that the process takes. If it has changed after a solution between events, the other branch is looked for beside it
 * (init/beside.c).
 *
 * Where the derivative of an unknown is in the model, too, that says where the branch goes: rods that pass each other
 * go on as they moved.
 *
 * On a kink, as that of no flow, Newton's method sees one of its sides only. Where a solution went much farther from the
 * one before than those before it, both sides are looked at, and from time to time in blocks whose equations have
 * branches without events.
 *
 * Cost: a sign for each solution with dense factors; two Jacobians and factorisations for one that is looked at closely; a
 * search only where the sign changed. */
#include "live/loop.h"

#include <math.h>
#include <string.h>

/* Of a move that is looked at closely to the moves before it, of which older ones count less; and the shortest that is
 * worth it. */
static const double much_farther = 10, fading = 0.7, growing = 2, worth = 1e-6;

/* Solutions of a block with kinks from one close look to the next. */
enum { LOOK_EVERY = 8 };

struct Branch {    /* of a row, between two events */
    int    side;   /* of the last solution, 0: not known */
    double reach;  /* of late, from one solution to the next, in units of the unknowns */
    long   events; /* stamp */
    int    since;  /* solutions since the last close look */
};

/* seen: by node, that nothing was found below it. */
static bool has_kink(const Expressions *e, Term term, bool *seen) {
    const Node *node = &e->node[term];
    if (seen[term]) return false;
    if (node->op == TERM_IF || node->op == TERM_ABS || node->op == TERM_MIN ||
        node->op == TERM_MAX)
        return true;
    for (uint32_t k = 0; k < node->n; k++)
        if (has_kink(e, e->arg[node->arg + k], seen)) return true;
    seen[term] = true;
    return false;
}

/* The rows of a group have the same equations. False: no memory. */
static bool find_kinks(Loop *l) {
    const Program     *p = l->running->instance->program;
    const Expressions *e = &p->expressions;
    bool              *seen = mem_take((size_t)e->nodes + 1, sizeof *seen);
    l->kinks = false;
    for (int i = 0; seen && i < l->group->size && !l->kinks; i++) {
        const Equation own = program_equation(p, l->running->part, l->group->item + i);
        l->kinks = has_kink(e, own.formula->row, seen);
    }
    mem_free(seen);
    return seen != NULL;
}

bool branch_open(Loop *l) {
    l->branch = mem_take((size_t)l->group->count, sizeof *l->branch);
    return l->branch && find_kinks(l);
}

void branch_close(Loop *l) {
    mem_free(l->branch);
}

/* Is the derivative of an unknown a variable of the model? */
static bool is_differentiated(const Loop *l) {
    const Variables *all = &l->running->instance->program->variables;
    const int        first = l->group->item + l->row * l->group->size;
    for (int i = first; i < first + l->group->size; i++) {
        int var = l->running->part->unknown[i];
        if (var >= 0 && all->run[variables_run(all, var)].der >= 0) return true;
    }
    return false;
}

/* From the last solution to this one, in units of the unknowns. */
static double distance(const Loop *l) {
    const double *last = approach_last(l), *nominal = l->nominal + l->row * l->n;
    double        far = 0;
    for (int k = 0; last && k < l->n; k++)
        far = fmax(far, fabs(l->z[k] - last[k]) / (nominal[k] + fabs(last[k])));
    return far;
}

/* Is the solution on the branch whose sign is `wanted`? *closely: it was looked at closely. */
static bool is_on(Loop *l, Branch *b, int side, bool *closely) {
    SolveReport  report;
    const double move = distance(l);
    *closely = move > worth && b->reach > 0 && move > much_farther * b->reach;
    *closely |= l->kinks && ++b->since >= LOOK_EVERY;
    if (*closely) b->since = 0;
    return side == b->side &&
           (!*closely || solver_agrees(l->solver, l->z, side, &report));
}

bool branch_keep(Loop *l, double tolerance) {
    const Running *r = l->running;
    SolveReport    report;
    if (!l->branch || r->settling || r->began || r->piece) return true;
    Branch *b = &l->branch[l->row];
    int     side = solver_side(l->solver), wanted = b->side;
    bool    closely = false, fine = true;
    if (side == 0 || wanted == 0 || b->events != r->instance->stamps.events) {
        *b = (Branch){.side = side, .events = r->instance->stamps.events};
        return true;
    }
    if (!is_on(l, b, side, &closely) && !is_differentiated(l)) {
        bool found =
            solver_beside(l->solver, tolerance, wanted, l->z, &report) == STATUS_OK;
        b->side = found ? wanted : side;
        l->running->instance->counts.iterations += report.iterations;
        closely = true;
    }
    if (closely) fine = loop_residual(l, l->z, l->r);
    double move = distance(l);
    if (move > worth)
        b->reach =
            b->reach > 0 ? fmin(fmax(move, fading * b->reach), growing * b->reach) : move;
    return fine;
}
