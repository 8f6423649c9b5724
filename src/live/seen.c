/* SPDX-License-Identifier: Apache-2.0 */
/* seen.c -- crossings as functions of time and states: in which interval they stay over a piece of time.
 *
 * `when u > 0.5` with `u = exp(-((phi - 60)/0.05)^2)`: the crossing rests for the whole run but for a moment.
 * Values of it tell nothing of that moment, its formula does. Where explicit rows lead from the unknowns of
 * a relation to time, states and values that change at events only, these rows are evaluated with
 * intervals (program/band.c): of time the piece itself, of states what the polynomial of the step is there.
 * A relation that sees a torn system, a call or an array has no such interval; one that is linear in states
 * and time needs none.
 *
 * The rows are found once for a program. Cost: linear in rows and relations; an enclosure as program/band.c. */
#include "live/seen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- what a relation sees --------------------------------------------------------------------- */

bool seen_room(Builder *b, void **block, size_t size, int *room, int needed) {
    if (needed <= *room) return true;
    const int more = 2 * needed + 16;
    void     *bigger = mem_resize(*block, (size_t)more * size);
    if (!bigger) {
        b->lacking = true;
        return false;
    }
    *block = bigger;
    *room = more;
    return true;
}

static int code_of(Builder *b, Term term, bool root) {
    Seen    *s = b->seen;
    int64_t  known = map_get(&s->code_of, 2 * (uint64_t)term + root, 0);
    BandCode code;
    if (known) return known < 0 ? -1 : (int)known - 1;
    if (!seen_room(b, (void **)&s->code, sizeof code, &s->code_room, s->codes + 1))
        return -1;
    if (band_code(&code, &s->pool, term, root)) {
        s->code[s->codes++] = code;
        if (code.count > s->longest) {
            int *work = mem_resize(b->work, (size_t)code.count * sizeof *work);
            if (!work) {
                b->lacking = true;
                return -1;
            }
            b->work = work;
            s->longest = code.count;
        }
        known = s->codes;
    } else {
        known = -1;
    }
    map_put(&s->code_of, 2 * (uint64_t)term + root, known);
    return known < 0 ? -1 : (int)known - 1;
}

/* Is the slot of a term one of a variable that can be seen? Its degree, -1 if not. */
static int see_variable(Builder *b, int var, SeenSlot *out, int depth) {
    *out = (SeenSlot){SEEN_GIVEN, var};
    if (var >= b->program->variables.vars) return 0; /* a relation that is kept */
    const int state = program_state(b->program, var);
    if (state >= 0) {
        *out = (SeenSlot){SEEN_STATE, state};
        b->states = true;
        return 1;
    }
    if (b->program->reduced.role[var] != ROLE_UNKNOWN) return 0;
    const int item = b->item_of[var];
    if (item == -2) return 0; /* changes at events only */
    if (item < 0 || depth > MOST_DEPTH) return -1;
    int row = (int)map_get(&b->row_of, (uint64_t)var + 1, 0) - 1;
    if (row < 0) {
        const Term value = program_equation(b->program, b->part, item).formula->value;
        row = value ? seen_row(b, item, value, true, depth + 1) : -1;
        if (row < 0) return -1;
        map_put(&b->row_of, (uint64_t)var + 1, row + 1);
    }
    *out = (SeenSlot){SEEN_ROW, row};
    return b->degree[row];
}

int seen_row(Builder *b, int item, Term term, bool root, int depth) {
    Seen     *s = b->seen;
    Equation  e = program_equation(b->program, b->part, item);
    const int code = code_of(b, term, root), slots = e.formula->slots;
    SeenSlot  own[MOST_SLOTS] = {{0}};
    int       degree[MOST_SLOTS] = {0};
    if (code < 0 || slots > MOST_SLOTS) return -1;
    for (int i = 0; i < s->code[code].count; i++) {
        const Node *node = &s->pool.node[s->code[code].term[i]];
        if (node->op == TERM_NUMBER)
            own[node->index] = (SeenSlot){SEEN_NUMBER, equation_slot(&e, node->index)};
        if (node->op != TERM_SLOT) continue;
        degree[node->index] =
            see_variable(b, equation_slot(&e, node->index), &own[node->index], depth);
        if (degree[node->index] < 0) return -1;
    }
    const int row = s->rows - b->first;
    if (row > MOST_ROWS || s->rows >= MOST_ALL) return -1;
    if (!seen_room(b, (void **)&s->row, sizeof *s->row, &s->row_room, s->rows + 1) ||
        !seen_room(b, (void **)&s->slot, sizeof *s->slot, &s->slot_room,
                   s->slots + slots))
        return -1;
    b->degree[row] = band_degree(&s->code[code], degree, NULL, b->work, root);
    s->row[s->rows++] = (SeenRow){code, s->slots};
    for (int k = 0; k < slots; k++) s->slot[s->slots++] = own[k];
    return row;
}

/* Relations whose crossing is a difference or a function of the value held (see ctext_crossing). */
static bool is_plain(const Node *node) {
    switch (node->op) {
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_FLOOR:
    case TERM_CEIL:
    case TERM_TO_INTEGER:
    case TERM_SIGN:
    case TERM_QUOTIENT:
    case TERM_MOD:
    case TERM_REM: return true;
    default: return false;
    }
}

/* Do rows from a slot on read nothing that others may change between events? */
static bool is_left_alone(const Builder *b, int slot) {
    const Variables *all = &b->program->variables;
    for (int k = slot; k < b->seen->slots; k++) {
        const SeenSlot *own = &b->seen->slot[k];
        if (own->kind == SEEN_GIVEN && own->at < all->vars &&
            all->run[variables_run(all, own->at)].kind == VAR_INPUT)
            return false;
    }
    return true;
}

static void look_at(Builder *b, int relation) {
    Seen      *s = b->seen;
    const int  item = b->part->relation_item[relation];
    const Term term = b->part->relation_term[relation];
    const Term condition = b->part->relation_guard[relation];
    const int  rows = s->rows, slots = s->slots;
    if (item < 0 || !term || !is_plain(&s->pool.node[term])) return;
    b->first = rows;
    b->states = false;
    map_free(&b->row_of);
    const int  guard = condition ? seen_row(b, item, condition, true, 0) : -1;
    const bool fine = guard >= 0 || !condition;
    const bool seen = fine && seen_row(b, item, term, false, 0) >= 0;
    int        degree = 0;
    if (seen) {
        const BandCode *code = &s->code[s->row[s->rows - 1].code];
        const Node     *node = &s->pool.node[term];
        int             args = 0;
        for (int i = 0; i + 1 < code->count; i++)
            args += (int)s->pool.node[code->term[i]].n;
        for (uint32_t k = 0; k < node->n; k++)
            degree = b->work[code->arg[args + (int)k]] > degree
                         ? b->work[code->arg[args + (int)k]]
                         : degree;
    }
    if (degree <= BAND_LINE) { /* nothing to be seen, or a line */
        if (seen && degree == 0 && !condition && is_left_alone(b, slots))
            s->bounded[relation] = BOUND_STILL;
        s->rows = rows, s->slots = slots;
        return;
    }
    s->view[relation] = (SeenView){rows, s->rows - rows, guard};
    s->bounded[relation] = b->states ? BOUND_STATES : BOUND_TIME;
}

/* By variable: the explicit row that gives it, -1: none, -2: it changes at events only. */
static int *items_of(const Program *program, const Part *part) {
    int *of = mem_take((size_t)program->variables.vars, sizeof *of);
    for (int v = 0; of && v < program->variables.vars; v++) {
        const VarRun *run =
            &program->variables.run[variables_run(&program->variables, v)];
        of[v] = run->kind == VAR_DISCRETE || run->kind == VAR_PRE ? -2 : -1;
    }
    for (int g = 0; of && g < part->groups; g++) {
        const Group *group = &part->group[g];
        for (int i = group->item; i < group->item + group->count * group->size; i++)
            of[part->unknown[i]] = group->discrete             ? -2
                                   : group->kind == GROUP_LOOP ? -1
                                                               : i;
    }
    return of;
}

Seen *seen_new(const Program *program) {
    const Part  *part = &program->part[PART_RUN];
    const size_t n = (size_t)part->relations;
    Seen        *s = mem_take(1, sizeof *s);
    if (!s) return NULL;
    s->pool = program_pool(program);
    s->view = mem_take(n, sizeof *s->view);
    s->bounded = mem_take(n, sizeof *s->bounded);
    Builder b = {
        .program = program, .part = part, .seen = s, .item_of = items_of(program, part)};
    for (int k = 0; b.item_of && s->view && s->bounded && k < part->relations; k++)
        look_at(&b, k);
    if (b.item_of && s->view && s->bounded) inputs_find(&b);
    map_free(&b.row_of);
    const bool fine = s->view && s->bounded && b.item_of && !b.lacking;
    MEM_FREE(b.item_of, b.work);
    if (fine) return s;
    seen_free(s);
    return NULL;
}

void seen_free(Seen *s) {
    if (!s) return;
    for (int k = 0; k < s->codes; k++) band_free(&s->code[k]);
    map_free(&s->code_of);
    MEM_FREE(s->code, s->row, s->slot, s->view, s->bounded, s->input, s);
}

const uint8_t *seen_bounded(const Seen *seen) {
    return seen->bounded;
}

/* ---- the interval of a crossing ------------------------------------------------------------------- */

/* A state by its values at the beginning, in the middle and at the end of the piece: a parabola goes through
 * them, and the polynomial of the step is taken to be no farther from it than that turns. */
static Band band_of_state(const double *const x[3], int i, double h) {
    const double a = x[0][i], m = x[1][i], b = x[2][i], bend = fabs(a - 2.0 * m + b);
    const double noise = 4.0 * DBL_EPSILON * fmax(fabs(a), fmax(fabs(m), fabs(b)));
    const double slack = 0.5 * bend + noise, mean = (b - a) / h;
    const double turn = (4.0 * bend + noise) / h;
    return (Band){{fmin(a, fmin(m, b)) - slack, fmax(a, fmax(m, b)) + slack},
                  {mean - turn, mean + turn}};
}

static Band band_of_slot(const Instance *instance, const SeenSlot *slot, const Band *row,
                         const double *const x[3], double h) {
    double value = slot->at;
    if (slot->kind == SEEN_ROW) return row[slot->at];
    if (slot->kind == SEEN_STATE) return band_of_state(x, slot->at, h);
    if (slot->kind == SEEN_GIVEN) value = instance->v[slot->at];
    return (Band){{value, value}, {0.0, 0.0}};
}

/* a - b, by its extreme values. */
static Band difference(const Band *a, const Band *b) {
    return (Band){{a->value.low - b->value.high, a->value.high - b->value.low},
                  {a->slope.low - b->slope.high, a->slope.high - b->slope.low}};
}

/* (x - low)(high - x): above 0 inside. */
static Band within(const Band *x, double low, double high) {
    const Range  v = x->value, by = {low + high - 2.0 * v.high, low + high - 2.0 * v.low};
    const double p = (v.low - low) * (high - v.low), q = (v.high - low) * (high - v.high);
    const double middle = 0.5 * (low + high), top = 0.25 * (high - low) * (high - low);
    const double s[4] = {by.low * x->slope.low, by.low * x->slope.high,
                         by.high * x->slope.low, by.high * x->slope.high};
    return (Band){{fmin(p, q), v.low <= middle && v.high >= middle ? top : fmax(p, q)},
                  {fmin(fmin(s[0], s[1]), fmin(s[2], s[3])),
                   fmax(fmax(s[0], s[1]), fmax(s[2], s[3]))}};
}

/* As rb_in_trunc and rb_in_sign of what is held. */
static Band within_towards_zero(const Band *x, double held) {
    return held > 0.0   ? within(x, held, held + 1.0)
           : held < 0.0 ? within(x, held - 1.0, held)
                        : within(x, -1.0, 1.0);
}

static Band on_side(const Band *x, double held) {
    const Band zero = {{0.0, 0.0}, {0.0, 0.0}}, other = difference(&zero, x);
    if (held > 0.0) return *x;
    if (held < 0.0 || !(x->value.low < 0.0)) return other;
    if (!(x->value.high > 0.0)) return *x;
    return (Band){
        {fmin(x->value.low, -x->value.high), 0.0},
        {fmin(x->slope.low, -x->slope.high), fmax(x->slope.high, -x->slope.low)}};
}

static Band crossing_of(TermOp op, const Band *a, const Band *b, double held) {
    const bool quotient = op == TERM_QUOTIENT || op == TERM_REM || op == TERM_MOD;
    const Band ratio = quotient ? band_quotient(*a, *b) : *a;
    switch (op) {
    case TERM_SIGN: return on_side(a, held);
    case TERM_QUOTIENT:
    case TERM_REM: return within_towards_zero(&ratio, held);
    case TERM_MOD: return within(&ratio, held, held + 1.0);
    case TERM_LESS:
    case TERM_GREATER_EQUAL: return difference(b, a);
    case TERM_FLOOR:
    case TERM_TO_INTEGER: return within(a, held, held + 1.0);
    case TERM_CEIL: return within(a, held - 1.0, held);
    default: return difference(a, b);
    }
}

/* Of a row that was just evaluated; row: of those before it. */
static int degree_here(Instance *instance, const SeenRow *own, const Band *value,
                       int *row) {
    const Seen     *s = instance->common->seen;
    const BandCode *code = &s->code[own->code];
    int             slot[MOST_SLOTS];
    for (int i = 0; i < code->count; i++) {
        const Node *node = &s->pool.node[code->term[i]];
        if (node->op != TERM_SLOT && node->op != TERM_NUMBER) continue;
        const SeenSlot *from = &s->slot[own->slot + node->index];
        slot[node->index] = from->kind == SEEN_ROW     ? row[from->at]
                            : from->kind == SEEN_STATE ? BAND_ANY
                                                       : 0;
    }
    return band_degree(code, slot, value, row + MOST_ROWS + 1, true);
}

bool seen_run(Instance *instance, int first, int count, Range time,
              const double *const x[3], bool root, Band **out, int *degree,
              bool *switches) {
    const Seen  *s = instance->common->seen;
    const double h = time.high - time.low;
    Band         slot[MOST_SLOTS];
    if (!instance->sight.bands)
        instance->sight.bands =
            mem_take((size_t)s->longest + MOST_ROWS + 1, sizeof(Band));
    Band *row = instance->sight.bands, *value = row + MOST_ROWS + 1;
    *out = value;
    for (int k = 0; row && k < count; k++) {
        const SeenRow  *own = &s->row[first + k];
        const BandCode *code = &s->code[own->code];
        for (int i = 0; i < code->count; i++) {
            const Node *node = &s->pool.node[code->term[i]];
            if (node->op == TERM_SLOT || node->op == TERM_NUMBER)
                slot[node->index] =
                    band_of_slot(instance, &s->slot[own->slot + node->index], row, x, h);
        }
        if (!band_run(code, time, slot, value, root || k + 1 < count)) return false;
        row[k] = value[code->count - 1];
        if (switches) *switches |= band_switches(code, value);
        if (degree) degree[k] = degree_here(instance, own, value, degree);
    }
    return row != NULL;
}

bool seen_bounds(void *self, int crossing, Range time, const double *const x[3],
                 Band *z) {
    Instance       *instance = self;
    const Seen     *s = instance->common->seen;
    const SeenView *view = &s->view[crossing];
    Band           *value;
    if (!seen_run(instance, view->row, view->rows, time, x, false, &value, NULL, NULL))
        return false;
    const Range guard =
        view->guard < 0 ? (Range){1.0, 1.0} : instance->sight.bands[view->guard].value;
    if (guard.high == 0.0) {
        *z = (Band){{-1.0, -1.0}, {0.0, 0.0}};
        return true;
    }
    const BandCode *code = &s->code[s->row[view->row + view->rows - 1].code];
    const TermOp    op = (TermOp)s->pool.node[code->term[code->count - 1]].op;
    *z = crossing_of(op, band_argument(code, value, 0), band_argument(code, value, 1),
                     instance->run.rb.mode[crossing]);
    if (guard.low == 0.0)
        *z = (Band){{fmin(z->value.low, -1.0), fmax(z->value.high, -1.0)},
                    {-HUGE_VAL, HUGE_VAL}};
    return !isnan(z->value.low) && !isnan(z->value.high);
}
