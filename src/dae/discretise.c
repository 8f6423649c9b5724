/* SPDX-License-Identifier: Apache-2.0 */
/* discretise.c -- a clocked partition with derivatives advances its states from tick to tick
 * (Modelica 3.6, 16.8.1).
 *
 * Every state x with derivative f gets one equation more, and is an unknown from then on:
 *     explicit Euler      x = X + h F
 *     implicit Euler      x = X + h f
 *     trapezoid           x = X + h (F + f)/2
 *     semi-implicit Euler x = X + h f where f is a state itself, as the speed of a position,
 *                         else X + h F: a mechanical system keeps its energy on average
 *     others              x = step(inputs), a call of the host, which evaluates the partition
 *                         inside the step as often as its method wants
 * where X and F are the values at the tick before and h is interval(). As these are equations
 * like all others, ordering and tearing see them: a linear partition stays linear, and explicit
 * methods have no loop.
 *
 * In a state of a state machine x keeps its value while the state is not active, and has its start
 * value when the state starts anew: x = if reset then start elseif active then X + h f else X. Inside a step
 * of several stages the equations tell which state is active, as all else, from what was before the step.
 *
 * Where a reinit of an action names x, the row is x = if is given then what was given else that, see live/round.c.
 *
 * Needs: states of the structure. Gives: unknowns only; the tables for the program. */
#include "dae/dae.h"

#include <assert.h>

typedef struct Maker {
    Structure *st;
    Clocks    *clocks;
    bool      *given; /* by variable: a reinit names it */
    bool      *state; /* by variable */
    int *
        kin; /* by variable: another one that rows join it to, in the end itself; see find_stepped */
} Maker;

/* A row EQUATION(slot 0, value) over variables var[0 .. n). */
static void add_row(Structure *st, Term value, const int *var, int n) {
    Shapes    *shapes = st->sys->shapes;
    const int *order;
    Term       left = expr_slot(shapes, 0, TYPE_REAL);
    int  shape = shape_of(shapes, expr_2(shapes, TERM_EQUATION, left, value), &order);
    int *slot = mem_take((size_t)n, sizeof *slot);
    for (int k = 0; k < shapes->shape[shape].slots; k++)
        slot[k] = var[order ? order[k] : k];
    int row = structure_add_row(st, shape, slot, NULL, SOURCE_START, -1);
    structure_add_equation(st, row, 0);
    mem_free(slot);
}

/* A variable that the host sets. */
static int known(Maker *m, Type type, Pos pos) {
    Structure *st = m->st;
    System    *sys = st->sys;
    int        run = system_run(sys, VAR_DISCRETE, type, 1, -1, pos);
    sys->run[run].flags = VAR_HIDDEN | VAR_PROTECTED;
    int var = sys->run[run].first;
    structure_grow(st);
    st->role[var] = ROLE_KNOWN;
    st->start_from[var] = var;
    return var;
}

/* One that keeps what another one was at the tick before. */
static int keep(Maker *m, int now, int sub) {
    System *sys = m->st->sys;
    Clocks *c = m->clocks;
    int     before = known(m, TYPE_REAL, sys->run[system_run_of(sys, now)].pos);
    GROW(c->shift, c->shift_room, c->shifts + 1);
    c->shift[c->shifts++] = (ClockShift){before, now, sub, 0};
    return before;
}

/* h * (a sum of slots with their signs) + slot 1 */
static Term advanced(Shapes *shapes, const double *factor, int n) {
    Term sum = 0, step = expr_make(shapes, TERM_INTERVAL, NULL, 0);
    for (int k = 0; k < n; k++) {
        Term x = expr_2(shapes, TERM_MUL, expr_real(shapes, factor[k]),
                        expr_slot(shapes, 2 + k, TYPE_REAL));
        sum = sum ? expr_2(shapes, TERM_ADD, sum, x) : x;
    }
    Term all = expr_2(shapes, TERM_ADD, expr_slot(shapes, 1, TYPE_REAL),
                      expr_2(shapes, TERM_MUL, step, sum));
    return expr_simplify(shapes, all);
}

static const TickGuard *guard_of(const Structure *st, int x) {
    const TickUse *use = &st->sys->machines;
    for (int k = 0; k < use->guards; k++)
        if (st->alias[use->guard[k].var] == x) return &use->guard[k];
    return NULL;
}

/* x = the value of slots 1 to n - 1, in a state of a state machine under its guard, unless x is given. */
static void add_advance(Maker *m, const ClockState *state, Term value, int *var, int n) {
    Structure       *st = m->st;
    Shapes          *shapes = st->sys->shapes;
    const TickGuard *g = guard_of(st, var[0]);
    if (g) {
        Term start = expr_slot(shapes, n + 2, TYPE_REAL);
        if (st->sign[g->var] < 0) start = expr_1(shapes, TERM_NEG, start);
        Term arg[5] = {expr_slot(shapes, n, TYPE_BOOLEAN), start,
                       expr_slot(shapes, n + 1, TYPE_BOOLEAN), value,
                       expr_slot(shapes, 1, TYPE_REAL)};
        value = expr_make(shapes, TERM_IF, arg, 5);
        var[n++] = st->alias[g->reset];
        var[n++] = st->alias[g->active];
        var[n++] = g->start;
    }
    if (state->is_given >= 0) {
        Term arg[3] = {expr_slot(shapes, n, TYPE_BOOLEAN),
                       expr_slot(shapes, n + 1, TYPE_REAL), value};
        value = expr_make(shapes, TERM_IF, arg, 3);
        var[n++] = state->is_given;
        var[n++] = state->given;
    }
    add_row(st, value, var, n);
}

/* x = step(number of the state, inputs of its partition, which of its states are active) */
static void add_call(Maker *m, ClockState *state) {
    const Clocks  *c = m->clocks;
    const TickUse *use = &m->st->sys->machines;
    Structure     *st = m->st;
    Shapes        *shapes = st->sys->shapes;
    size_t         room = (size_t)c->inputs + (size_t)use->guards + 8;
    Term          *arg = mem_take(room, sizeof *arg);
    int           *var = mem_take(room, sizeof *var), n = 2;
    var[0] = state->var;
    var[1] = state->before;
    arg[0] = expr_integer(shapes, state - c->state);
    for (int k = 0; k < c->inputs; k++)
        if (c->input[k].sub == state->sub && c->input[k].stepped)
            var[n++] = c->input[k].var;
    for (int k = 0; k < use->guards; k++)
        if (system_sub(st->sys, use->guard[k].var) == state->sub)
            var[n++] = st->alias[use->guard[k].active];
    for (int k = 2; k < n; k++) {
        int run = system_run_of(st->sys, var[k]);
        arg[k - 1] = expr_slot(shapes, k, (Type)st->sys->run[run].type);
    }
    add_advance(m, state, expr_make(shapes, TERM_STEP, arg, n - 1), var, n);
    MEM_FREE(arg, var);
}

/* False, and why x cannot be stepped: a text in which its name stands. */
static bool refuse(const Structure *st, int x, Code code, const char *why) {
    Text name = {0};
    system_name(st->sys, x, &name);
    if (st->diag)
        diag_report(st->diag, st->sys->run[system_run_of(st->sys, x)].pos, code,
                    "'%s' is differentiated in %s", text_get(&name), why);
    text_free(&name);
    return false;
}

/* state_rate: its derivative is another state. */
static void add_state(Maker *m, int x, bool state_rate) {
    Structure *st = m->st;
    Shapes    *shapes = st->sys->shapes;
    Clocks    *c = m->clocks;
    int        sub = system_sub(st->sys, x), f = st->next[x], sign = st->next_sign[x];
    int        method = c->sub[sub].method;
    GROW(c->state, c->state_room, c->states + 1);
    const TickGuard *guard = guard_of(st, x);
    c->state[c->states++] = (ClockState){
        x, f, sign, sub, -1, -1, guard ? st->alias[guard->active] : -1, -1, -1};
    ClockState *state = &c->state[c->states - 1];
    state->before = keep(m, x, sub);
    state->rate_before = keep(m, f, sub);
    if (m->given[x]) {
        Pos pos = st->sys->run[system_run_of(st->sys, x)].pos;
        state->is_given = known(m, TYPE_BOOLEAN, pos);
        state->given = known(m, TYPE_REAL, pos);
    }
    st->role[x] = ROLE_UNKNOWN;
    st->graph.current = false;
    int var[9] = {x, state->before, state->rate_before, f};
    switch (method) {
    case SOLVER_EXPLICIT_EULER:
        add_advance(m, state, advanced(shapes, (double[]){sign}, 1), var, 3);
        break;
    case SOLVER_SEMI_IMPLICIT_EULER:
        if (state_rate) var[2] = f;
        add_advance(m, state, advanced(shapes, (double[]){sign}, 1), var, 3);
        break;
    case SOLVER_IMPLICIT_EULER:
        var[2] = f;
        add_advance(m, state, advanced(shapes, (double[]){sign}, 1), var, 3);
        break;
    case SOLVER_IMPLICIT_TRAPEZOID:
        add_advance(m, state, advanced(shapes, (double[]){0.5 * sign, 0.5 * sign}, 2),
                    var, 4);
        break;
    default: add_call(m, state);
    }
}

static bool is_way_in(TermOp op) {
    return op == TERM_SAMPLE_CLOCKED || (op >= TERM_SUB_SAMPLE && op <= TERM_NO_CLOCK) ||
           op == TERM_STEP;
}

static Term without_sign(const Shapes *shapes, Term side) {
    while (expr_op(shapes, side) == TERM_NEG) side = expr_arg(shapes, side, 0);
    return side;
}

/* A step under the guard of a state of a state machine, or unless a value is given, see add_advance. */
static bool is_guarded_step(const Shapes *shapes, Term side) {
    if (expr_op(shapes, side) != TERM_IF) return false;
    if (shapes->node[side].n == 3) {
        side = expr_arg(shapes, side, 2);
        if (expr_op(shapes, side) == TERM_STEP) return true;
    }
    return expr_op(shapes, side) == TERM_IF && shapes->node[side].n == 5 &&
           expr_op(shapes, expr_arg(shapes, side, 3)) == TERM_STEP;
}

bool structure_is_early(const Structure *st, int row) {
    const Shapes *shapes = st->sys->shapes;
    Term          root = shapes->shape[st->shape[row]].root;
    if (expr_op(shapes, root) != TERM_EQUATION) return false;
    for (uint32_t k = 0; k < 2; k++) {
        Term side = without_sign(shapes, expr_arg(shapes, root, k));
        if (is_way_in(expr_op(shapes, side)) || is_guarded_step(shapes, side))
            return true;
    }
    return false;
}

/* What enters discretised partitions: the other side of sample, subSample and their like. */
static void find_inputs(Maker *m) {
    const Structure *st = m->st;
    const Shapes    *shapes = st->sys->shapes;
    Clocks          *c = m->clocks;
    for (int r = 0; r < st->rows; r++) {
        if (!structure_is_early(st, r)) continue;
        Term root = shapes->shape[st->shape[r]].root;
        Term left = without_sign(shapes, expr_arg(shapes, root, 0));
        if (expr_op(shapes, left) != TERM_SLOT)
            left = without_sign(shapes, expr_arg(shapes, root, 1));
        assert(expr_op(shapes, left) == TERM_SLOT);
        int var = st->slot[st->first[r] + shapes->node[left].index];
        int run = system_run_of(st->sys, var);
        int real =
            st->sys->run[run].type == TYPE_REAL && st->sys->run[run].kind != VAR_DISCRETE;
        GROW(c->input, c->input_room, c->inputs + 1);
        c->input[c->inputs++] =
            (ClockInput){.var = var, .sub = system_sub(st->sys, var), .averaged = real};
    }
}

static int kin_of(Maker *m, int var) {
    while (m->kin[var] != var) var = m->kin[var] = m->kin[m->kin[var]];
    return var;
}

typedef struct Joined {
    Maker *m;
    bool  *input; /* by variable */
    int first; /* variable of the row that is neither state nor input, -1: none so far */
} Joined;

/* A step knows states and inputs, so nothing is told from one side of them to the other. */
static void join(void *context, int var, int slot) {
    Joined *j = context;
    Maker  *m = j->m;
    (void)slot;
    if (m->state[var] || j->input[var] || m->st->role[var] == ROLE_KNOWN) return;
    if (j->first < 0) j->first = var;
    m->kin[kin_of(m, var)] = kin_of(m, j->first);
}

static void note_use(void *context, int var, int slot) {
    (void)slot;
    ((bool *)context)[var] = true;
}

/* Inputs that derivatives may depend on: whatever else comes in may depend on the states of this tick. */
static void find_stepped(Maker *m) {
    const Structure *st = m->st;
    Clocks          *c = m->clocks;
    size_t           vars = (size_t)st->vars;
    bool *rate = mem_take(vars, sizeof *rate), *input = mem_take(vars, sizeof *input),
         *used = mem_take(vars, sizeof *used);
    int *first = mem_take((size_t)st->rows, sizeof *first);
    m->kin = mem_take(vars, sizeof *m->kin);
    for (int v = 0; v < st->vars; v++) m->kin[v] = v;
    for (int k = 0; k < c->inputs; k++) input[c->input[k].var] = true;
    for (int r = 0; r < st->rows; r++) {
        Joined j = {.m = m, .input = input, .first = -1};
        if (!structure_is_early(st, r)) structure_uses(st, r, join, &j);
        first[r] = j.first;
    }
    for (int v = 0; v < st->vars; v++)
        if (m->state[v]) rate[kin_of(m, st->next[v])] = used[st->next[v]] = true;
    for (int r = 0; r < st->rows; r++)
        if (!structure_is_early(st, r) && (first[r] < 0 || rate[kin_of(m, first[r])]))
            structure_uses(st, r, note_use, used);
    for (int k = 0; k < c->inputs; k++) c->input[k].stepped |= used[c->input[k].var];
    MEM_FREE(rate, input, used, first, m->kin);
}

/* ---- firstTick() ---- */

bool term_has(Shapes *shapes, Term root, TermOp op) {
    if (!(shapes->node[root].flags & NODE_CLOCKED)) return false;
    int n = expr_walk(shapes, root);
    for (int i = 0; i < n; i++)
        if (expr_op(shapes, shapes->walk[i]) == op) return true;
    return false;
}

Term first_tick_is(Shapes *shapes, Term root, bool value) {
    int  n = expr_walk(shapes, root);
    Term from[8], to[8];
    int  count = 0;
    for (int i = 0; i < n && count < LENGTH(from); i++)
        if (expr_op(shapes, shapes->walk[i]) == TERM_FIRST_TICK)
            from[count++] = shapes->walk[i];
    for (int i = 0; i < count; i++) to[i] = expr_boolean(shapes, value);
    return expr_simplify(shapes, expr_replace(shapes, root, from, to, count));
}

static void rewrite_rows(Structure *st, Term (*anew)(Shapes *shapes, Term root)) {
    Shapes *shapes = st->sys->shapes;
    for (int r = 0; r < st->rows; r++) {
        Shape      old = shapes->shape[st->shape[r]];
        Term       root = old.wide ? old.root : anew(shapes, old.root);
        const int *order;
        if (root == old.root) continue;
        int  shape = shape_of(shapes, expr_simplify(shapes, root), &order);
        int  slots = shapes->shape[shape].slots;
        int *slot = mem_take((size_t)slots, sizeof *slot);
        for (int k = 0; k < slots; k++)
            slot[k] = st->slot[st->first[r] + (order ? order[k] : k)];
        for (int k = 0; k < slots; k++) st->slot[st->first[r] + k] = slot[k];
        st->shape[r] = shape;
        st->graph.current = false;
        mem_free(slot);
    }
}

/* A part without first ticks: what happens only then is no dependency of its rows. */
static Term leave_first_ticks(Shapes *shapes, Term root) {
    return term_has(shapes, root, TERM_FIRST_TICK) ? first_tick_is(shapes, root, false)
                                                   : root;
}

/* Once the index is reduced, a call that stood for its derivative is what its body says, which may use less. */
void structure_inline_late(Structure *st) {
    rewrite_rows(st, expr_inline_late);
}

static bool without_solver(const Structure *st, int x) {
    return refuse(st, x, CODE_D140, "a clocked partition without a solver method");
}

/* Infinitely fast states have no step, but only a solver has processes between ticks. */
static bool fast_have_solvers(Structure *st) {
    const ThetaUse *use = &st->sys->theta;
    for (int k = 0; k < use->count; k++) {
        int x = use->fast[k].state;
        if (system_partition_of(st->sys, x) != st->base) continue;
        SubClock *sub = &st->sys->clocks->sub[system_sub(st->sys, x)];
        if (sub->method == SOLVER_NONE) return without_solver(st, x);
        if (!clocks_need_method(st->sys, system_sub(st->sys, x),
                                st->sys->run[system_run_of(st->sys, x)].pos, st->diag))
            return false;
    }
    return true;
}

/* Variables that reinits of this partition name. */
static void find_given(Maker *m) {
    const Structure *st = m->st;
    const Shapes    *shapes = st->sys->shapes;
    RowWalk          walk = {.sys = st->sys, .set = ROWS_ACTION};
    while (row_walk(&walk)) {
        Term root = shapes->shape[walk.family.shape].root;
        if (walk.family.partition != st->base) continue;
        while (expr_op(shapes, root) == TERM_WHEN) root = expr_arg(shapes, root, 1);
        if (expr_op(shapes, root) != TERM_REINIT) continue;
        int slot = expr_node(shapes, expr_arg(shapes, root, 0))->index;
        m->given[st->alias[walk.slot[slot]]] = true;
    }
}

bool structure_discretise(Structure *st) {
    Maker m = {.st = st, .clocks = st->sys->clocks};
    int   vars = st->vars;
    bool  fine = fast_have_solvers(st);
    assert(st->base > 0 && st->done == DONE_STATES);
    find_inputs(&m);
    if (st->states) rewrite_rows(st, leave_first_ticks);
    m.state = mem_take((size_t)vars, sizeof *m.state);
    m.given = mem_take((size_t)vars, sizeof *m.given);
    find_given(&m);
    for (int v = 0; v < vars; v++) m.state[v] = st->role[v] == ROLE_STATE;
    if (st->states) find_stepped(&m);
    for (int v = 0; v < vars && fine; v++) {
        if (!m.state[v]) continue;
        int sub = system_sub(st->sys, v);
        if (m.clocks->sub[sub].method == SOLVER_NONE) fine = without_solver(st, v);
        else
            fine = clocks_need_method(
                st->sys, sub, st->sys->run[system_run_of(st->sys, v)].pos, st->diag);
        if (fine) add_state(&m, v, m.state[st->next[v]]);
    }
    MEM_FREE(m.state, m.given);
    st->states = 0;
    return fine;
}

/* ---- phases ---- */

static int phase_of(const Structure *st, int eq) {
    if (!st->base) return -1;
    int sub = system_sub(st->sys, st->var_of[eq]);
    return 2 * (sub - st->sys->clocks->base[st->base - 1].first) +
           !structure_is_early(st, st->eq_row[eq]);
}

/* Only solvers that look inside a step tell the two phases of a partition apart. */
int structure_phase(const Structure *st, int eq) {
    const Clocks *c = st->sys->clocks;
    const int     phase = phase_of(st, eq);
    if (phase < 0) return phase;
    const int sub = c->base[st->base - 1].first + phase / 2;
    return clock_stages(&c->sub[sub]) ? phase : phase & ~1;
}

/* A partition that goes ahead continues what faster ones gave at ticks before. Where partitions have
 * derivatives, first ticks have an order of their own, which is as always. */
bool structure_waits(const Structure *st, int eq, int var) {
    const Clocks *c = st->sys->clocks;
    if (!st->base || !c->staggered || !c->base[st->base - 1].starts) return true;
    int own = system_sub(st->sys, st->var_of[eq]), other = system_sub(st->sys, var);
    return other < 0 || c->sub[own].every <= c->sub[other].every;
}

static void report_loop(const Structure *st, const Block *block) {
    Text names = {0};
    Pos  pos = 0;
    int  shown = 0;
    for (int i = 0; i < block->count; i++) {
        int eq = st->order[block->first + i];
        if (!pos) pos = structure_pos(st, st->eq_row[eq]);
        if (st->sys->run[system_run_of(st->sys, st->var_of[eq])].owner < 0 || shown == 12)
            continue;
        if (shown++) text_add(&names, ", ");
        system_name(st->sys, st->var_of[eq], &names);
    }
    diag_report(st->diag, pos, CODE_D141,
                "%s depend on each other at one tick through several clocks",
                text_get(&names));
    for (int i = 0, notes = 0; i < block->count && notes < 12; i++) {
        int row = st->eq_row[st->order[block->first + i]];
        if (!structure_is_early(st, row) || !structure_pos(st, row)) continue;
        diag_note(st->diag, structure_pos(st, row), "the loop goes through here");
        notes++;
    }
    diag_note(
        st->diag, 0,
        "take one of these values from the tick before, with previous(); in couplings "
        "set useDirectFeedthrough = false");
    text_free(&names);
}

/* The condition of a transition, if one is computed in a block of several equations. */
static int find_decision(const Structure *st, const Block *block) {
    const TickUse *use = &st->sys->machines;
    for (int i = 0; block->count > 1 && i < block->count; i++)
        for (int k = 0; k < use->conditions; k++)
            if (st->alias[use->condition[k]] == st->var_of[st->order[block->first + i]])
                return st->order[block->first + i];
    return -1;
}

static bool report_decision(const Structure *st, const Block *block, int decision) {
    Text names = {0};
    int  shown = 0;
    for (int i = 0; i < block->count && shown < 8; i++) {
        int var = st->var_of[st->order[block->first + i]];
        if (st->sys->run[system_run_of(st->sys, var)].flags & VAR_HIDDEN) continue;
        if (shown++) text_add(&names, ", ");
        system_name(st->sys, var, &names);
    }
    if (st->diag)
        diag_report(
            st->diag, structure_pos(st, st->eq_row[decision]), CODE_D142,
            "whether this transition fires depends on values of the same tick that "
            "depend on it: %s",
            text_get(&names));
    text_free(&names);
    return false;
}

bool structure_has_phases(const Structure *st) {
    for (int b = 0; b < st->blocks; b++) {
        const Block *block = &st->block[b];
        int          decision = find_decision(st, block);
        if (decision >= 0) return report_decision(st, block, decision);
        int phase = phase_of(st, st->order[block->first]);
        for (int i = 1; i < block->count; i++)
            if (phase_of(st, st->order[block->first + i]) != phase) {
                if (st->diag) report_loop(st, block);
                return false;
            }
    }
    return true;
}
