/* SPDX-License-Identifier: Apache-2.0 */
/* steady.c -- how long a variable keeps its value: always, until the next event, or not at all.
 *
 * Parameters keep theirs until they are changed, discrete variables and left limits until the next
 * event. A row of such variables alone, without time and without calls that are not pure, gives a
 * variable that lasts as long as the shortest of them, though it is declared as a continuous one:
 * resistances at a fixed temperature, rotations about fixed axes, colours and sizes of what is
 * drawn. Its block is evaluated at events only, and matrices that are made of it keep their factors.
 *
 * Assertions about such variables alone are looked at at events only.
 *
 * Blocks are asked in the order of computation, so one pass suffices; linear in slots. */
#include "dae/dae.h"

bool steady_is_stepwise(const Structure *st, int var) {
    const VarRun *run = &st->sys->run[system_run_of(st->sys, var)];
    return run->type != TYPE_REAL || run->kind == VAR_DISCRETE;
}

/* What the compiler made as a parameter may change all the time: that is how a part of a network knows
 * the values its neighbours give. */
static MatrixKind declared(const Structure *st, int var) {
    const VarRun *run = &st->sys->run[system_run_of(st->sys, var)];
    VarKind       kind = (VarKind)run->kind;
    if (kind == VAR_PARAMETER && run->flags & VAR_HIDDEN) return MATRIX_VARIES;
    if ((kind == VAR_PARAMETER || kind == VAR_CONSTANT) && st->role[var] != ROLE_UNKNOWN)
        return MATRIX_PARAMETERS;
    return steady_is_stepwise(st, var) || kind == VAR_PRE ? MATRIX_EVENTS : MATRIX_VARIES;
}

MatrixKind steady_lasts(const Structure *st, int var) {
    return st->lasts[var] != MATRIX_VARIES ? (MatrixKind)st->lasts[var]
                                           : declared(st, var);
}

typedef struct Least {
    const Structure *st;
    int              block; /* its own unknowns do not count */
    MatrixKind       kind;
} Least;

static void take_least(void *context, int var, int slot) {
    Least *least = context;
    int    eq = least->st->eq_of[var];
    (void)slot;
    if (least->st->role[var] == ROLE_UNKNOWN && eq >= 0 &&
        least->st->block_of[eq] == least->block)
        return;
    MatrixKind kind = steady_lasts(least->st, var);
    if (kind < least->kind) least->kind = kind;
}

/* Does the row give nothing new while what it reads stays? An algorithm section is left alone: it
 * remembers the way it took. */
static bool is_function(const Structure *st, int row) {
    Shapes *shapes = st->sys->shapes;
    Term    root = shapes->shape[st->shape[row]].root;
    int     flags = shapes->node[root].flags;
    if (flags & (NODE_TIME | NODE_IMPURE | NODE_CLOCKED)) return false;
    for (int i = 0, n = flags & NODE_CALLS ? expr_walk(shapes, root) : 0; i < n; i++) {
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if (node->op != TERM_CALL) continue;
        const Function *f = shapes->function[node->index];
        if (!f || f->flags & (FUNCTION_IMPURE | FUNCTION_ALGORITHM)) return false;
    }
    return true;
}

/* Does a row of what happens, such as an assertion, see nothing that varies between events? */
static bool is_lasting(const Structure *st, const Family *family, int row, int *slot) {
    const Shapes *shapes = st->sys->shapes;
    family_slots(st->sys, family, row, slot);
    for (int k = 0; k < shapes->shape[family->shape].slots; k++) {
        TermOp op = expr_op(shapes, shape_leaf(shapes, family->shape, k));
        if (op == TERM_NUMBER) continue;
        int var = st->alias[slot[k]];
        if (op != TERM_SLOT || var >= st->vars || steady_lasts(st, var) == MATRIX_VARIES)
            return false;
    }
    return true;
}

bool steady_happens(const Structure *st, const Family *family) {
    const Shapes *shapes = st->sys->shapes;
    const Shape  *shape = &shapes->shape[family->shape];
    if (family->partition || !st->lasts) return false;
    if (shapes->node[shape->root].flags &
        (NODE_TIME | NODE_IMPURE | NODE_CLOCKED | NODE_CALLS))
        return false;
    int *slot = mem_take((size_t)shape->slots + 1, sizeof *slot);
    bool lasts = true;
    for (int i = 0; i < family->count && lasts; i++)
        lasts = is_lasting(st, family, i, slot);
    mem_free(slot);
    return lasts;
}

static bool is_rate(const Structure *st, int var) {
    return st->prev[var] >= 0 && st->role[st->prev[var]] == ROLE_STATE;
}

void steady_block(Structure *st, int b) {
    Block *block = &st->block[b];
    Least  least = {.st = st, .block = b, .kind = MATRIX_PARAMETERS};
    if (st->plain || st->base || block->discrete) return;
    if (block->kind != BLOCK_EXPLICIT && block->kind != BLOCK_CALL) return;
    int row = st->eq_row[st->order[block->first]];
    for (int i = 0; i < block->count; i++)
        if (is_rate(st, st->var_of[st->order[block->first + i]])) return;
    structure_uses(st, row, take_least, &least);
    if (least.kind == MATRIX_VARIES || !is_function(st, row)) return;
    block->discrete = true;
    for (int i = 0; i < block->count; i++)
        st->lasts[st->var_of[st->order[block->first + i]]] = (uint8_t)least.kind;
}
