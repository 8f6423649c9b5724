/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.c -- where what drives the states moves inside a step, unseen by its stages.
 *
 * `der(q) = exp(-((time - 6.13)/0.005)^2)` is zero at all stages of most steps over its pulse. Expressions in
 * continuous rows that depend on time alone are known ahead: those that are not linear are enclosed as
 * crossings are (seen.c, program/band.c). An input that is a parabola until the next event, as paths of drives are,
 * hides nothing. Of the others it is found out for dyadic windows of some thirty steps whether they are even
 * there: the slope is nowhere far from what it is at nine points. Then stages see what it does, and it costs next
 * to nothing. Otherwise the place is searched at which its slope is farthest from
 * the usual ones of the step, by branch and bound, and the integrator looks there (ode/defect.c).
 *
 * Results depend on the step alone, whoever asks in which order. Cost: ten evaluations of an input for each
 * window, one after an event; a search takes three per halving of the step down to the length of the pulse. */
#include "live/seen.h"

#include <float.h>
#include <math.h>

enum { LOOKS = 400, WINDOW_LOOKS = 64 }; /* of a search in a step; in a window */
static const double SEEN = 4.0, WINDOW = 32.0, ROUNDING = 1e-12;
static const double SHARE = 0.472;     /* of a piece: stages are at simple fractions */
static const double NARROW = 1.0 / 16; /* of the step: how far rings go */

/* ---- which there are ------------------------------------------------------------------------- */

typedef struct Search {
    Builder *b;
    int8_t  *timely;   /* by variable: 0 not known, 1 it depends on time alone, -1 not */
    Map      input_of; /* rows by content -> input */
    /* the term looked at last: rows of a loop have the same */
    Term     root;
    TermWalk walk;
    uint8_t *
        kind; /* by place in the walk: 0, 1, 2 as `dependence` says, 3: an input already */
} Search;

static bool is_timely(Search *x, int var, int depth);

/* Does a slot hold what changes at events only: a number, or a relation that is kept (those stand after all
 * variables)? */
static bool is_held(const Search *x, const Equation *e, int slot) {
    return equation_is_number(e, slot) ||
           equation_slot(e, slot) >= x->b->program->variables.vars;
}

/* Do its slots hold values of time alone? *moves: one of them moves, or it contains time itself. */
static bool reads_time(Search *x, const Equation *e, bool *moves, int depth) {
    const Expressions *all = &x->b->program->expressions;
    for (int k = 0; k < e->formula->slots; k++) {
        const Node *leaf = &all->node[all->leaf[e->formula->leaf + k]];
        const int   var = equation_slot(e, k);
        if (leaf->op == TERM_ARRAY_SLOT) return false;
        if (leaf->op != TERM_SLOT || is_held(x, e, k) ||
            var == x->b->part->unknown[e->item])
            continue;
        if (x->b->program->reduced.role[var] == ROLE_STATE) return false;
        if (x->b->program->reduced.role[var] != ROLE_UNKNOWN || x->b->item_of[var] == -2)
            continue;
        if (!is_timely(x, var, depth + 1)) return false;
        *moves = true;
    }
    return true;
}

static bool is_timely(Search *x, int var, int depth) {
    const int item = x->b->item_of[var];
    bool      moves = false;
    if (x->timely[var] == 0) {
        x->timely[var] = -1;
        if (item >= 0 && depth < MOST_DEPTH) {
            const Equation e = program_equation(x->b->program, x->b->part, item);
            if (e.formula->value && reads_time(x, &e, &moves, depth)) x->timely[var] = 1;
        }
    }
    return x->timely[var] > 0;
}

/* 0: it depends on other things, 1: on values that change at events only, 2: on time. */
static int dependence(Search *x, const Equation *e, const Node *node) {
    if (node->op == TERM_TIME) return 2;
    if (node->op == TERM_ARRAY_SLOT) return 0;
    if (node->op == TERM_NUMBER || (node->n == 0 && node->op != TERM_SLOT)) return 1;
    if (is_held(x, e, node->index)) return 1;
    const int var = equation_slot(e, node->index);
    if (x->b->program->reduced.role[var] == ROLE_STATE) return 0;
    if (x->b->program->reduced.role[var] != ROLE_UNKNOWN || x->b->item_of[var] == -2)
        return 1;
    return is_timely(x, var, 0) ? 2 : 0;
}

/* Rows [first, first + count) by content: equal ones have the same inputs. */
static uint64_t hash_rows(const Seen *s, int first, int count) {
    uint64_t hash = (uint64_t)count;
    for (int r = first; r < first + count; r++) {
        const SeenRow *row = &s->row[r];
        const int      next = r + 1 < s->rows ? row[1].slot : s->slots;
        hash = hash_mix(hash + (uint64_t)row->code);
        for (int k = row->slot; k < next; k++)
            hash =
                hash_mix(hash + (uint64_t)s->slot[k].kind * 31 + (uint64_t)s->slot[k].at);
    }
    return hash;
}

static bool same_rows(const Seen *s, int one, int other, int count) {
    for (int r = 0; r < count; r++) {
        const SeenRow *a = &s->row[one + r], *b = &s->row[other + r];
        const int      next = other + r + 1 < s->rows ? b[1].slot : s->slots;
        if (a->code != b->code) return false;
        for (int k = 0; k < next - b->slot; k++)
            if (s->slot[a->slot + k].kind != s->slot[b->slot + k].kind ||
                s->slot[a->slot + k].at != s->slot[b->slot + k].at)
                return false;
    }
    return true;
}

/* The cells of a pipe have one input, not one each. */
static bool is_there(Search *x, int first, int count) {
    const Seen    *s = x->b->seen;
    const uint64_t hash = hash_rows(s, first, count) | 1;
    const int      known = (int)map_get(&x->input_of, hash, -1);
    if (known >= 0 && s->input[known].rows == count)
        return same_rows(s, s->input[known].row, first, count);
    if (known < 0 && !map_put(&x->input_of, hash, s->inputs)) x->b->lacking = true;
    return false;
}

static void add_input(Search *x, int item, Term term) {
    Builder  *b = x->b;
    Seen     *s = b->seen;
    const int rows = s->rows, slots = s->slots;
    b->first = rows;
    b->states = false;
    map_free(&b->row_of);
    const int last = seen_row(b, item, term, true, 0);
    if (last < 0 || b->states || b->degree[last] <= BAND_LINE ||
        !seen_room(b, (void **)&s->input, sizeof *s->input, &s->input_room,
                   s->inputs + 1) ||
        is_there(x, rows, s->rows - rows)) {
        s->rows = rows, s->slots = slots;
        return;
    }
    s->input[s->inputs++] = (SeenInput){rows, s->rows - rows};
}

/* What moves in a term: a multiple of something, or its sum with what is held, moves where that does. A
 * variable by itself moves where its own equation says. */
static Term mover(const TermPool *pool, const TermWalk *walk, const uint8_t *kind,
                  Term term) {
    for (;;) {
        const Node *node = &pool->node[term];
        Term        moving = 0;
        const bool  linear = node->op == TERM_ADD || node->op == TERM_MUL ||
                            node->op == TERM_DIV || node->op == TERM_NEG;
        for (uint32_t k = 0; linear && k < node->n; k++) {
            const Term arg = pool->arg[node->arg + k];
            if (kind[map_get(&walk->at, arg, 0)] == 1) continue;
            if (moving || (node->op == TERM_DIV && k > 0)) return term;
            moving = arg;
        }
        if (!moving) return term;
        term = moving;
    }
}

static void add_mover(Search *x, int item, const TermWalk *walk, const uint8_t *kind,
                      Term term) {
    term = mover(&x->b->seen->pool, walk, kind, term);
    if (x->b->seen->pool.node[term].n > 0) add_input(x, item, term);
}

static bool walk_to(Search *x, Term root) {
    if (x->kind && x->root == root) return true;
    term_unwalk(&x->walk);
    mem_free(x->kind);
    x->walk = (TermWalk){0};
    x->kind = NULL;
    x->root = root;
    if (term_walk(&x->b->seen->pool, root, &x->walk))
        x->kind = mem_take((size_t)x->walk.count, 1);
    if (!x->kind) x->b->lacking = true;
    return x->kind;
}

/* The largest parts of a term that depend on time alone. */
static void look_at(Search *x, int item, const Equation *e, Term root) {
    const TermPool *pool = &x->b->seen->pool;
    if (!walk_to(x, root)) return;
    const TermWalk walk = x->walk;
    uint8_t *const kind = x->kind;
    for (int i = 0; i < walk.count; i++) {
        const Node *node = &pool->node[walk.term[i]];
        if (node->n == 0) kind[i] = (uint8_t)dependence(x, e, node);
        else kind[i] = 1;
        for (uint32_t k = 0; k < node->n; k++) {
            const int own = kind[map_get(&walk.at, pool->arg[node->arg + k], 0)];
            if (own == 0 || kind[i] == 0) kind[i] = 0;
            else if (own == 2) kind[i] = 2;
        }
        if (node->op == TERM_EQUATION) kind[i] = 0;
    }
    for (int i = walk.count - 1; i >= 0; i--) {
        const Node *node = &pool->node[walk.term[i]];
        if (i == walk.count - 1 && kind[i] == 2) {
            add_mover(x, item, &walk, kind, walk.term[i]);
            break;
        }
        for (uint32_t k = 0; kind[i] == 0 && k < node->n; k++) {
            const Term arg = pool->arg[node->arg + k];
            uint8_t   *own = &kind[map_get(&walk.at, arg, 0)];
            if (*own != 2 || pool->node[arg].n == 0) continue;
            add_mover(x, item, &walk, kind, arg);
            *own = 3; /* once */
        }
    }
}

/* Does the equation contain time, or read what does? */
static bool is_driven(Search *x, const Equation *e, Term root) {
    const Expressions *all = &x->b->program->expressions;
    if (all->node[root].flags & NODE_TIME) return true;
    for (int k = 0; k < e->formula->slots; k++) {
        const Node *leaf = &all->node[all->leaf[e->formula->leaf + k]];
        if (leaf->op == TERM_SLOT && dependence(x, e, leaf) == 2) return true;
    }
    return false;
}

void inputs_find(Builder *b) {
    const Expressions *all = &b->program->expressions;
    Search             x = {.b = b};
    bool               any = false;
    for (int i = 1; i < all->nodes && !any; i++) any = all->node[i].op == TERM_TIME;
    if (!any || b->program->states.count == 0) return;
    x.timely = mem_take((size_t)b->program->variables.vars, 1);
    if (!x.timely) b->lacking = true;
    for (int g = 0; x.timely && g < b->part->groups; g++) {
        const Group *group = &b->part->group[g];
        for (int k = 0;
             !group->discrete && !group->shown && k < group->count * group->size; k++) {
            const Equation e = program_equation(b->program, b->part, group->item + k);
            const Term     root = e.formula->value ? e.formula->value : e.formula->row;
            if (is_driven(&x, &e, root)) look_at(&x, group->item + k, &e, root);
        }
    }
    term_unwalk(&x.walk);
    MEM_FREE(x.timely, x.kind);
    map_free(&x.input_of);
}

/* ---- where they move ----------------------------------------------------------------------------- */

static bool enclose(Instance *instance, const SeenInput *in, Range time, Band *out) {
    const Seen *s = instance->common->seen;
    Band       *value;
    if (!seen_run(instance, in->row, in->rows, time, NULL, true, &value, NULL, NULL))
        return false;
    *out = value[s->code[s->row[in->row + in->rows - 1].code].count - 1];
    return true;
}

static double slope_at(Instance *instance, const SeenInput *in, double t) {
    Band band;
    if (!enclose(instance, in, (Range){t, t}, &band)) return NAN;
    return 0.5 * (band.slope.low + band.slope.high);
}

/* How far its slope may leave a range on a piece of time. */
static double deviation(Instance *instance, const SeenInput *in, Range piece,
                        Range usual) {
    Band band;
    if (!enclose(instance, in, piece, &band)) return 0.0;
    return fmax(fmax(band.slope.high - usual.high, usual.low - band.slope.low), 0.0);
}

typedef struct SearchPart { /* of a step or window that is searched */
    Range  piece;
    double most; /* deviation in it */
} SearchPart;

static int worst_part(const SearchPart *part, int n) {
    int worst = 0;
    for (int k = 1; k < n; k++)
        if (part[k].most > part[worst].most) worst = k;
    return worst;
}

/* The slopes of nine points of a window without the extremes, as one point may have met a pulse. */
static bool usual_in_window(Instance *instance, const SeenInput *in, Range window,
                            Range *usual) {
    enum { POINTS = 9 };
    double slope[POINTS] = {0};
    for (int k = 0; k < POINTS; k++) {
        const double share = (k + 0.382) / POINTS;
        const double value =
            slope_at(instance, in, window.low + share * (window.high - window.low));
        int at = k; /* ascending */
        if (!isfinite(value)) return false;
        for (; at > 0 && slope[at - 1] > value; at--) slope[at] = slope[at - 1];
        slope[at] = value;
    }
    *usual = (Range){slope[1], slope[POINTS - 2]};
    return true;
}

/* Are its slopes on a window nowhere far from the usual ones? Where an enclosure does not tell, the window is
 * divided and the slope there looked at. After some looks it is taken for even: what cancels in an input, as the sum of
 * three phases, has enclosures that say nothing however short a piece is. */
static bool is_even(Instance *instance, const SeenInput *in, Range window) {
    SearchPart part[WINDOW_LOOKS + 1];
    int        n = 1;
    Range      usual;
    if (!usual_in_window(instance, in, window, &usual)) return false;
    const double size = fmax(fabs(usual.low), fabs(usual.high));
    const double limit = SEEN * (usual.high - usual.low) + ROUNDING * size + DBL_MIN;
    part[0] = (SearchPart){window, deviation(instance, in, window, usual)};
    while (n < WINDOW_LOOKS) {
        SearchPart  *worst = &part[worst_part(part, n)];
        const Range  p = worst->piece;
        const double middle = p.low + SHARE * (p.high - p.low);
        if (worst->most <= limit) return true;
        const double slope = slope_at(instance, in, middle);
        if (!(fmax(slope - usual.high, usual.low - slope) <= limit)) return false;
        const Range left = {p.low, middle}, right = {middle, p.high};
        *worst = (SearchPart){left, deviation(instance, in, left, usual)};
        part[n++] = (SearchPart){right, deviation(instance, in, right, usual)};
    }
    return true;
}

/* Is it a parabola in time until the next event? Its slope is a line then, of which stages see all. */
static bool is_parabola(Instance *instance, const SeenInput *in, Range piece) {
    Band *value;
    int  *degree = instance->sight.degrees;
    return seen_run(instance, in->row, in->rows, piece, NULL, true, &value, degree,
                    NULL) &&
           degree[in->rows - 1] < BAND_ANY;
}

static bool make_room(Sight *sight, const Seen *s) {
    if (!sight->known) sight->known = mem_take((size_t)s->inputs, sizeof *sight->known);
    if (!sight->degrees)
        sight->degrees =
            mem_take((size_t)s->longest + MOST_ROWS + 1, sizeof *sight->degrees);
    return sight->known && sight->degrees;
}

/* What is known of an input since the last event. Which of them are parabolas is asked once: what is none where an
 * event is ahead in the piece is searched as any other. NULL: no memory. */
static InputKnown *known_of(Instance *instance, int input, Range piece) {
    const Seen *s = instance->common->seen;
    Sight      *sight = &instance->sight;
    const long  events = instance->stamps.events;
    if (!make_room(sight, s)) return NULL;
    InputKnown *known = &sight->known[input];
    if (!known->any || known->events != events)
        *known = (InputKnown){.events = events,
                              .any = true,
                              .parabola = is_parabola(instance, &s->input[input], piece)};
    return known;
}

/* Is an input a parabola, or even in the dyadic window around the piece? */
static bool is_clear(Instance *instance, int input, Range piece) {
    const SeenInput *in = &instance->common->seen->input[input];
    InputKnown      *known = known_of(instance, input, piece);
    if (!known) return false;
    if (known->parabola) return true;
    const double width = WINDOW * exp2(ceil(log2(piece.high - piece.low)));
    const double from = width * floor(piece.low / width);
    if (!isfinite(width) || piece.high > from + width) return false;
    const int    slot = (int)fmod(fabs(from / width) + fabs(log2(width)), WINDOWS);
    InputWindow *window = &known->window[slot];
    if (window->from == from && window->width == width) return window->even;
    *window =
        (InputWindow){from, width, is_even(instance, in, (Range){from, from + width})};
    return window->even;
}

/* The slopes that stages see: those of four points inside the step without the extremes, as one of these may
 * have met a pulse, and what a slope that changes evenly is at the ends. */
static Range usual_slopes(Instance *instance, const SeenInput *in, Range step) {
    enum { POINTS = 4 };
    static const double at[POINTS] = {0.131, 0.368, 0.621, 0.873};
    double              slope[POINTS], least = HUGE_VAL, most = -HUGE_VAL;
    Range               inner = {HUGE_VAL, -HUGE_VAL};
    int                 low = 0, high = 0;
    for (int k = 0; k < POINTS; k++) {
        slope[k] = slope_at(instance, in, step.low + at[k] * (step.high - step.low));
        if (slope[k] < least) least = slope[k], low = k;
        if (slope[k] >= most) most = slope[k], high = k;
    }
    for (int k = 0; k < POINTS; k++) {
        if (k == low || k == high) continue;
        inner.low = fmin(inner.low, slope[k]);
        inner.high = fmax(inner.high, slope[k]);
    }
    const double beyond = SEEN * (inner.high - inner.low);
    return (Range){inner.low - beyond, inner.high + beyond};
}

/* Where its slope is farthest from the usual ones, but for a factor of four: the part in which that may be is
 * divided. */
static bool search(Instance *instance, const SeenInput *in, Range step, InputMove *out) {
    SearchPart   part[LOOKS + 1];
    int          n = 1;
    const Range  usual = usual_slopes(instance, in, step);
    const double least = ROUNDING * fmax(fabs(usual.low), fabs(usual.high)) + DBL_MIN;
    part[0] = (SearchPart){step, deviation(instance, in, step, usual)};
    while (n < LOOKS && isfinite(least)) {
        const int        best = worst_part(part, n);
        const SearchPart top = part[best];
        const Range      p = top.piece;
        const double     middle = p.low + SHARE * (p.high - p.low);
        if (!(top.most > least) || !(middle > p.low && middle < p.high)) return false;
        const double slope = slope_at(instance, in, middle);
        if (fmax(slope - usual.high, usual.low - slope) >= 0.25 * top.most) {
            *out = (InputMove){middle, p.high - p.low};
            return true;
        }
        const Range left = {p.low, middle}, right = {middle, p.high};
        part[best] = (SearchPart){left, deviation(instance, in, left, usual)};
        part[n++] = (SearchPart){right, deviation(instance, in, right, usual)};
    }
    return false;
}

/* The piece of a step that a ring around the steepest place leaves on one side: rings 0 and 1 are at four of its
 * lengths before and behind it, 2 and 3 at sixteen, and so on. */
static Range outside(Range step, const InputSearch *s) {
    const double apart = exp2(2.0 * (1 + s->ring / 2)) * s->steepest.length;
    if (s->ring % 2) return (Range){s->steepest.at + apart, step.high};
    return (Range){step.low, s->steepest.at - apart};
}

/* What is steepest may hide others beside it, in whose shape its own foot is no longer seen. */
bool inputs_move(void *self, Range step, InputSearch *at, InputMove *out) {
    Instance    *instance = self;
    const Seen  *s = instance->common->seen;
    const double length = step.high - step.low;
    if (at->input >= s->inputs || !(length > 0.0)) return false;
    for (; at->input < s->inputs; at->input++) {
        const SeenInput *in = &s->input[at->input];
        if (at->ring == 0 && at->steepest.length == 0.0) {
            if (is_clear(instance, at->input, step)) continue;
            if (!search(instance, in, step, &at->steepest)) continue;
            *out = at->steepest;
            return true;
        }
        while (exp2(2.0 * (1 + at->ring / 2)) * at->steepest.length < NARROW * length) {
            const Range side = outside(step, at);
            at->ring++;
            if (side.high > side.low && search(instance, in, side, out)) return true;
        }
        at->ring = 0;
        at->steepest.length = 0.0;
    }
    return false;
}

/* ---- where they have kinks ----------------------------------------------------------------------- */

static bool may_switch(Instance *instance, const SeenInput *in, Range piece) {
    Band *value;
    bool  switches = false;
    return seen_run(instance, in->row, in->rows, piece, NULL, true, &value, NULL,
                    &switches) &&
           switches;
}

/* Behind a place that may be one: the end of what rounding leaves open. False: it is no place but a stretch. */
static bool pass_kink(Instance *instance, const SeenInput *in, double finest,
                      Range *where) {
    enum { DOUBLED = 24 };
    double width = finest;
    for (int k = 0; k < DOUBLED; k++, width *= 2.0) {
        where->high = where->low + width;
        if (!may_switch(instance, in, (Range){where->high, where->high + width}))
            return true;
    }
    return false;
}

/* The first of an input in a window, by halving what may have one. What stays open however short it is, as where
 * two sides of a relation are the same, is passed. *known: how far was looked. */
static bool first_kink(Instance *instance, const SeenInput *in, Range window,
                       Range *where, double *known) {
    enum { DEPTH = 64 };
    const double finest =
        fmax(8.0 * DBL_EPSILON * fabs(window.high), 1e-14 * (window.high - window.low));
    double end[DEPTH] = {window.high}, at = window.low;
    int    n = 1;
    for (int looks = 0; n > 0 && n < DEPTH && looks < LOOKS; looks++) {
        const Range piece = {at, end[n - 1]};
        if (piece.high <= piece.low || !may_switch(instance, in, piece)) {
            at = fmax(at, end[--n]);
        } else if (piece.high - piece.low > finest) {
            end[n++] = piece.low + 0.5 * (piece.high - piece.low);
        } else {
            where->low = piece.low;
            if (pass_kink(instance, in, finest, where)) return true;
            at = where->high;
        }
    }
    *known = at;
    return false;
}

bool inputs_kink(void *self, Range window, Range *where) {
    Instance   *instance = self;
    const Seen *s = instance->common->seen;
    bool        any = false;
    where->low = window.high;
    for (int k = 0; k < s->inputs; k++) {
        const Range       left = {window.low, where->low};
        const InputKnown *known = known_of(instance, k, window);
        Range             own;
        double            far = window.high;
        if (!known || known->parabola || !(left.high > left.low)) continue;
        if (first_kink(instance, &s->input[k], left, &own, &far)) {
            *where = own;
            any = true;
        } else if (far < where->low) {
            where->low = far;
            any = false;
        }
    }
    return any;
}
