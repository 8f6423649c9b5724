/* SPDX-License-Identifier: Apache-2.0 */
/* costly.c -- functions whose results are worth keeping.
 *
 * Properties of fluids are found by long series and by iteration, and one equation after the other
 * asks for them at the same point, as does every residual of a loop that does not move it. A
 * function is kept in mind if it is pure all the way down, its inputs and results are numbers,
 * and it does so much that a look into a table costs little beside it. The work of a function is
 * the number of nodes in its statements and in those of the functions it calls, loops counted
 * a few times. External code with a derivative, as tables have, is a mathematical function and costs
 * a guarded call; the objects that it reads live as long as the simulation, unless some function makes
 * objects for itself, whose numbers are used again. Linear in the size of all functions. */
#include "gen/gen.h"

enum { WORTH = 400, LOOP = 8, MOST_WORK = 1000000, MOST_NUMBERS = 60 };

typedef enum { SEEN_NOT, SEEN_BUSY, SEEN_DONE } Seen;

typedef struct Survey {
    Shapes  *shapes;
    uint8_t *seen; /* by function: Seen */
    int     *work; /* by function: -1 if results may depend on more than the inputs */
    bool *
        smooth; /* by function: has a derivative, or is one; NULL: external code counts as impure */
} Survey;

static int survey(Survey *s, int f);

/* Work of an expression, -1 as above. Functions it calls are looked at after the walk. */
static int expression(Survey *s, Term e) {
    if (!e) return 0;
    int  n = expr_walk(s->shapes, e), calls = 0, work = n;
    int *call = NULL;
    if (s->shapes->node[e].flags & NODE_IMPURE) return -1;
    if (!(s->shapes->node[e].flags & NODE_CALLS)) return n;
    call = mem_take((size_t)n, sizeof *call);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(s->shapes, s->shapes->walk[i]);
        if (node->op == TERM_CALL) call[calls++] = node->index;
    }
    for (int i = 0; i < calls && work >= 0; i++) {
        int more = survey(s, call[i]);
        work = more < 0 ? -1 : work + more > MOST_WORK ? MOST_WORK : work + more;
    }
    mem_free(call);
    return work;
}

static int statement(Survey *s, const Stmt *stmt) {
    Term part[] = {stmt->a, stmt->b, stmt->c, stmt->step};
    int  work = 0;
    for (int k = 0; k < LENGTH(part) && work >= 0; k++) {
        int more = expression(s, part[k]);
        work = more < 0 ? -1 : work + more;
    }
    return work;
}

static bool plain_numbers(const Function *f) {
    for (int k = 0; k < f->inputs + f->outputs; k++)
        if (f->var[k].rank || f->var[k].type == TYPE_STRING ||
            (f->var[k].type == TYPE_OBJECT && (!f->external || k >= f->inputs)) ||
            f->var[k].type == TYPE_CLOCK)
            return false;
    return f->inputs > 0 && f->inputs + f->outputs <= MOST_NUMBERS;
}

static int survey(Survey *s, int number) {
    if (number >= s->shapes->functions || s->seen[number] == SEEN_BUSY) return -1;
    if (s->seen[number] == SEEN_DONE) return s->work[number];
    const Function *f = s->shapes->function[number];
    int             work = 0, times = 1;
    s->seen[number] = SEEN_BUSY;
    if (f->flags & (FUNCTION_IMPURE | FUNCTION_ALGORITHM)) work = -1;
    else if (f->external) work = s->smooth && s->smooth[number] ? WORTH : -1;
    for (int k = 0; k < f->stmts; k++)
        if (f->stmt[k].kind == STMT_FOR || f->stmt[k].kind == STMT_WHILE) times = LOOP;
    for (int k = 0; k < f->stmts && work >= 0; k++) {
        int more = statement(s, &f->stmt[k]);
        work = more < 0 ? -1 : work + more > MOST_WORK ? MOST_WORK : work + more;
    }
    for (int k = 0; k < f->vars && work >= 0; k++)
        if (expression(s, f->var[k].init) < 0) work = -1;
    s->seen[number] = SEEN_DONE;
    return s->work[number] = work < 0                  ? -1
                             : work > MOST_WORK / LOOP ? MOST_WORK
                                                       : work * times;
}

static bool makes_objects(const Function *f) {
    for (int k = f->inputs; k < f->vars && !f->external; k++)
        if (f->var[k].type == TYPE_OBJECT) return true;
    return false;
}

/* NULL if objects may come and go. */
static bool *find_smooth(const Shapes *shapes) {
    bool *smooth = mem_take((size_t)shapes->functions + 1, sizeof *smooth);
    for (int k = 0; k < shapes->functions; k++) {
        const Function *f = shapes->function[k];
        smooth[k] |= f->derivatives > 0;
        for (int d = 0; d < f->derivatives; d++) smooth[f->derivative[d].function] = true;
        if (!makes_objects(f)) continue;
        mem_free(smooth);
        return NULL;
    }
    return smooth;
}

bool *gen_costly(Shapes *shapes) {
    size_t n = (size_t)shapes->functions + 1;
    Survey s = {.shapes = shapes,
                .seen = mem_take(n, 1),
                .work = mem_take(n, sizeof(int)),
                .smooth = find_smooth(shapes)};
    bool  *costly = mem_take(n, sizeof *costly);
    for (int f = 0; f < shapes->functions; f++)
        costly[f] = plain_numbers(shapes->function[f]) && survey(&s, f) >= WORTH;
    MEM_FREE(s.seen, s.work, s.smooth);
    return costly;
}
