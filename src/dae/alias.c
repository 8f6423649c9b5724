/* SPDX-License-Identifier: Apache-2.0 */
/* alias.c -- equal and opposite variables become one, and rows are rewritten without them.
 *
 * Rows of the kind a = b, a = -b or a + b = 0 unite two classes of a union-find forest whose
 * links carry a sign (Tarjan 1975; the sign as in weighted quick-union). Derivatives follow:
 * if x and y are one class, so are der(x) and der(y). One member is kept: a known variable
 * first, then one that is read as part of an array, then discrete ones, then declared ones
 * over derivatives, then by stateSelect, fixed and start. The class takes the start value of
 * the member that fixes it, or states it.
 *
 * Variables that are 0, 1 or -1 for good are taken out of rows, which shows more aliases (number.c), and so do
 * variables that two rows give by the same formula (equal.c).
 *
 * The remaining rows are copied with the kept variables in their slots (rewrite.c). Almost linear
 * in rows and slots. */
#include "dae/alias.h"
#include "dae/rewrite.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    SEEN_ANY = 1,
    SEEN_ARRAY = 2,
    SEEN_LEFT = 4
}; /* LEFT: outside equations, or in
                                                          a rewritten row */

int union_find(Class *class, int v, int8_t *sign) {
    int    root = v;
    int8_t s = 1;
    while (class[root].parent != root) {
        s = (int8_t)(s * class[root].sign);
        root = class[root].parent;
    }
    *sign = s;
    while (class[v].parent != v) { /* compress: everything on the way points to root */
        int    up = class[v].parent;
        int8_t own = class[v].sign;
        class[v].parent = root;
        class[v].sign = s;
        s = (int8_t)(s * own);
        v = up;
    }
    return root;
}

/* Would `to` be among the repeated derivatives of class `from`? */
static bool leads_to(Union *u, int from, int to) {
    int8_t sign;
    for (int steps = 0; steps < 64; steps++) {
        if (from == to) return true;
        if (u->class[from].der < 0) return false;
        from = union_find(u->class, u->class[from].der, &sign);
    }
    return true;
}

static bool may_unite(Union *u, int a, int b) {
    const Class *p = &u->class[a], *q = &u->class[b];
    if (p->known && q->known) return false;
    if (p->known && (q->der >= 0 || q->of >= 0)) return false;
    if (q->known && (p->der >= 0 || p->of >= 0)) return false;
    if (p->pinned && q->pinned) return false;
    if ((p->pinned && q->known) || (q->pinned && p->known)) return false;
    if (p->of >= 0 && q->of >= 0 && /* nothing is the derivative of two variables */
        union_find(u->class, p->of, &(int8_t){0}) !=
            union_find(u->class, q->of, &(int8_t){0}))
        return false;
    return !(p->der >= 0 && leads_to(u, union_find(u->class, p->der, &(int8_t){0}), b)) &&
           !(q->der >= 0 && leads_to(u, union_find(u->class, q->der, &(int8_t){0}), a));
}

bool union_unite(Union *u, int a, int b, int8_t sign) {
    bool first = true;
    for (;;) { /* the derivatives of united classes are united too */
        int8_t sa, sb;
        int    ra = union_find(u->class, a, &sa), rb = union_find(u->class, b, &sb);
        int8_t t = (int8_t)(sa * sb * sign); /* ra = t * rb */
        if (ra == rb) return !first;
        if (!may_unite(u, ra, rb)) return !first;
        if (u->class[ra].size > u->class[rb].size) {
            int swap = ra;
            ra = rb;
            rb = swap;
        }
        Class *child = &u->class[ra], *root = &u->class[rb];
        child->parent = rb;
        child->sign = t;
        root->size += child->size;
        root->known |= child->known;
        if (root->of < 0) root->of = child->of;
        root->pinned |= child->pinned;
        if (root->constancy <= STILL && child->constancy > root->constancy)
            root->constancy = (uint8_t)constancy_signed((Constancy)child->constancy, t);
        root->named |= child->named;
        if (child->der < 0) return true;
        int8_t ds = (int8_t)(t * child->der_sign);
        if (root->der < 0) {
            root->der = child->der;
            root->der_sign = ds;
            return true;
        }
        a = child->der;
        b = root->der;
        sign = (int8_t)(ds * root->der_sign);
        first = false;
    }
}

int alias_shape(Shapes *shapes, int number) {
    Shape shape = shapes->shape[number];
    if (shape.slots != 2 || shape.wide || shape.lefts != 1 || shape.nodes > 6 ||
        expr_op(shapes, shape.root) != TERM_EQUATION)
        return 0;
    Term a = shape_leaf(shapes, number, 0), b = shape_leaf(shapes, number, 1);
    Node na = shapes->node[a], nb = shapes->node[b];
    if (na.op != TERM_SLOT || nb.op != TERM_SLOT || na.type != nb.type) return 0;
    if (na.type != TYPE_REAL)
        return expr_arg(shapes, shape.root, 0) == a &&
               expr_arg(shapes, shape.root, 1) == b;
    bool        both[] = {true, true};
    const char *reason;
    double      p, q;
    if (expr_degree(shapes, shape.root, both, 2) != DEGREE_LINEAR) return 0;
    Term from[] = {a, b}, to[] = {shapes->zero, shapes->zero};
    Term rest = expr_replace(shapes, expr_residual(shapes, shape.root), from, to, 2);
    if (!expr_is_zero(shapes, rest)) return 0;
    if (!expr_literal(shapes, expr_partial(shapes, shape.root, 0, &reason), &p) ||
        !expr_literal(shapes, expr_partial(shapes, shape.root, 1, &reason), &q))
        return 0;
    return p == 0 || fabs(p) != fabs(q) ? 0 : p == q ? -1 : 1;
}

static void see(Union *u, const Family *family, const int *slot, int where) {
    const Shapes *shapes = u->sys->shapes;
    const Shape  *shape = &shapes->shape[family->shape];
    for (int k = 0; k < shape->slots; k++) {
        const Node *leaf = &shapes->node[shape_leaf(shapes, family->shape, k)];
        if (leaf->op == TERM_SLOT) {
            u->seen[slot[k]] |= (uint8_t)(SEEN_ANY | where);
        } else if (leaf->op == TERM_ARRAY_SLOT) {
            int            rank, at[ROW_DIMS] = {0};
            const int32_t *sizes = family_sizes(u->sys, family, k, &rank);
            int            count = 1, var = slot[k];
            for (int d = 0; d < rank; d++) count *= sizes[2 * d];
            for (int i = 0; i < count; i++) {
                u->seen[var] |= SEEN_ANY | SEEN_ARRAY | SEEN_LEFT;
                for (int d = rank - 1; d >= 0; d--) {
                    var += sizes[2 * d + 1];
                    if (++at[d] < sizes[2 * d]) break;
                    var -= sizes[2 * d] * sizes[2 * d + 1];
                    at[d] = 0;
                }
            }
        }
    }
}

static bool is_foreign(const Union *u, int v) {
    return u->sys->clocks && system_partition_of(u->sys, v) != u->st->base;
}

/* What rows of another partition read of this one is kept, as if it were part of an array. */
static void see_from_outside(Union *u, const RowWalk *walk) {
    const Shapes *shapes = u->sys->shapes;
    for (int k = 0; k < shapes->shape[walk->family.shape].slots; k++) {
        TermOp op = expr_op(shapes, shape_leaf(shapes, walk->family.shape, k));
        if (op == TERM_SLOT && !is_foreign(u, walk->slot[k]))
            u->seen[walk->slot[k]] |= SEEN_ANY | SEEN_ARRAY | SEEN_LEFT;
    }
}

/* What the compiler made as a parameter may change all the time. */
static bool is_still(const VarRun *run) {
    return run->kind == VAR_CONSTANT ||
           (run->kind == VAR_PARAMETER && !(run->flags & VAR_HIDDEN));
}

static void start_classes(Union *u) {
    System *sys = u->sys;
    for (RowSet s = 0; s < ROWS_SETS; s++) {
        RowWalk walk = {.sys = sys, .set = s};
        while (row_walk(&walk))
            if (walk.family.partition == u->st->base)
                see(u, &walk.family, walk.slot, s == ROWS_EQUATION ? 0 : SEEN_LEFT);
            else see_from_outside(u, &walk);
    }
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        bool          known = run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT ||
                     run->kind == VAR_INPUT;
        for (int i = 0; i < run->count; i++) {
            int v = run->first + i,
                der = run->der < 0 ? -1 : sys->run[run->der].first + i;
            bool is_der = system_kind(sys, v) == VAR_DER;
            if (der >= 0 &&
                (!u->seen[der] || is_foreign(u, v) || system_kind(sys, der) != VAR_DER))
                der = -1;
            u->class[v] = (Class){.parent = v,
                                  .size = 1,
                                  .der = der,
                                  .of = is_der ? sys->run[run->of].first + i : -1,
                                  .sign = 1,
                                  .der_sign = 1,
                                  .known = known || is_foreign(u, v),
                                  .named = !is_der,
                                  .constancy = is_still(run) ? STILL : VARIES,
                                  .pinned = u->seen[v] & SEEN_ARRAY};
        }
    }
}

bool union_may_alias(const System *sys, int a, int b) {
    VarKind p = system_kind(sys, a), q = system_kind(sys, b);
    bool    known_p = p == VAR_PARAMETER || p == VAR_CONSTANT || p == VAR_INPUT;
    bool    known_q = q == VAR_PARAMETER || q == VAR_CONSTANT || q == VAR_INPUT;
    if (p >= VAR_PRE || q >= VAR_PRE || p == VAR_CLOCK || q == VAR_CLOCK) return false;
    return !(known_p && q == VAR_DER) && !(known_q && p == VAR_DER);
}

static double start_of(const System *sys, int var) {
    int    run = system_run_of(sys, var);
    double value = 0;
    if (!system_attribute(sys, run, ATTR_START)) return 0;
    bool known = system_known(sys, run, ATTR_START, var - sys->run[run].first, &value);
    return known ? value : NAN;
}

/* Clocked variables have their start values until they first tick: two with different ones are
 * not the same variable. Where a partition has a method, start values of Reals are those of its initial system. */
static bool differ_at_start(const Union *u, int a, int b, int sign) {
    const System *sys = u->sys;
    int           sub = sys->clocks && u->st->base ? system_sub(sys, a) : -1;
    if (sub < 0) return false;
    bool real = sys->run[system_run_of(sys, a)].type == TYPE_REAL;
    if (real && sys->clocks->sub[sub].method) return false;
    return !(start_of(sys, a) == sign * start_of(sys, b));
}

/* Unites along alias rows; marks the rows that are used up. */
static void unite_rows(Union *u) {
    System *sys = u->sys;
    int     count = sys->shapes->count;
    int8_t *known = mem_take((size_t)count, 1);
    memset(known, 2, (size_t)count);
    for (int f = 0; f < sys->set[ROWS_EQUATION].count; f++) {
        Family family = sys->set[ROWS_EQUATION].family[f];
        if (family.flags & FAMILY_WHEN || family.partition != u->st->base) continue;
        if (known[family.shape] == 2)
            known[family.shape] = (int8_t)alias_shape(sys->shapes, family.shape);
        int sign = known[family.shape], slot[2];
        if (!sign) continue;
        for (int i = 0; i < family.count; i++) {
            family_slots(sys, &family, i, slot);
            if (union_may_alias(sys, slot[0], slot[1]) &&
                !differ_at_start(u, slot[0], slot[1], sign) &&
                union_unite(u, slot[0], slot[1], (int8_t)sign)) {
                u->gone[family.row + i] = true;
                u->merged++;
            }
        }
    }
    mem_free(known);
}

/* ---- the member that is kept ------------------------------------------------------------------ */

static bool is_fixed(const System *sys, int run, int element) {
    double fixed;
    return system_known(sys, run, ATTR_FIXED, element, &fixed) && fixed != 0;
}

/* Does an equation ask for a companion of element e? */
static bool asks_for(const Union *u, int companion, int e) {
    return companion >= 0 && u->seen[u->sys->run[companion].first + e];
}

static int merit(const Union *u, int r, int v) {
    const System *sys = u->sys;
    const VarRun *run = &sys->run[r];
    int           points = 0;
    if (run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT || run->kind == VAR_INPUT)
        points += 4000;
    if (u->seen[v] & SEEN_ARRAY) points += 2000;
    if (run->kind == VAR_DISCRETE) points += 1000;
    if (asks_for(u, run->pre, v - run->first) ||
        asks_for(u, run->previous, v - run->first))
        points += 500;
    if (run->kind != VAR_DER) points += 200;
    if (run->select > SELECT_DEFAULT) points += 50;
    if (is_fixed(sys, r, v - run->first)) points += 30;
    if (system_attribute(sys, r, ATTR_START)) points += 10;
    if (!(run->flags & (VAR_HIDDEN | VAR_PROTECTED))) points += 5;
    return points;
}

static int start_merit(const System *sys, int r, int element) {
    return (is_fixed(sys, r, element) ? 2 : 0) +
           (system_attribute(sys, r, ATTR_START) ? 1 : 0);
}

/* StateSelect of a class: what is said most decidedly. A wish counts more than that another name of the same value is
 * not to be a state: a joint made of others prefers its own angles, and forbids theirs. */
static StateSelect merged_select(StateSelect a, StateSelect b) {
    static const int decided[] = {[SELECT_NEVER] = 2,
                                  [SELECT_AVOID] = 1,
                                  [SELECT_DEFAULT] = 0,
                                  [SELECT_PREFER] = 3,
                                  [SELECT_ALWAYS] = 4};
    return decided[a] >= decided[b] ? a : b;
}

static void keep_best(Union *u, Arena *scratch) {
    Structure *st = u->st;
    System    *sys = u->sys;
    int       *best = NEW(scratch, int, sys->vars + 1);
    int       *points = NEW(scratch, int, sys->vars + 1);
    for (int v = 0; v < sys->vars; v++) best[v] = -1;
    for (int r = 0; r < sys->runs; r++)
        for (int i = 0; i < sys->run[r].count; i++) {
            int8_t sign;
            int    v = sys->run[r].first + i;
            if (u->class[v].parent == v && u->class[v].size == 1) {
                best[v] = v;
                continue;
            }
            int root = union_find(u->class, v, &sign), m = merit(u, r, v);
            if (best[root] < 0 || m > points[root]) {
                best[root] = v;
                points[root] = m;
            }
        }
    for (int v = 0; v < sys->vars; v++) {
        int8_t sign, kept;
        int    root = union_find(u->class, v, &sign), to = best[root];
        union_find(u->class, to, &kept);
        st->alias[v] = to;
        st->sign[v] = (int8_t)(sign * kept);
        st->start_from[v] = v;
    }
}

static Role role_of(const Union *u, const VarRun *run, int v) {
    bool constant = run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT;
    if (run->kind == VAR_CLOCK) return ROLE_ABSENT;
    if (!constant && is_foreign(u, v)) return u->seen[v] ? ROLE_KNOWN : ROLE_ABSENT;
    switch (system_kind(u->sys, v)) {
    case VAR_PARAMETER:
    case VAR_CONSTANT:
    case VAR_INPUT: return ROLE_KNOWN;
    case VAR_DER: return u->seen[v] ? ROLE_UNKNOWN : ROLE_ABSENT;
    case VAR_PRE:
    case VAR_RATE:
    case VAR_PREVIOUS: return u->seen[v] ? ROLE_KNOWN : ROLE_ABSENT;
    default: return ROLE_UNKNOWN;
    }
}

/* Nobody can wish that an infinitely fast element of an array were a state. */
static StateSelect wished_select(const System *sys, int r, int element) {
    const VarRun *run = &sys->run[r];
    bool          fast =
        run->der >= 0 && system_kind(sys, sys->run[run->der].first + element) == VAR_RATE;
    return fast ? SELECT_DEFAULT : (StateSelect)run->select;
}

/* A derivative that is zero and nothing else. */
static bool is_void(const Class *class) {
    return class->constancy == IS_ZERO && class->of >= 0 && !class->named &&
           !class->pinned;
}

static void fill_tables(Union *u, Arena *scratch) {
    Structure *st = u->st;
    System    *sys = u->sys;
    keep_best(u, scratch);
    for (int r = 0; r < sys->runs; r++)
        for (int i = 0; i < sys->run[r].count; i++) {
            int v = sys->run[r].first + i;
            st->role[v] =
                (uint8_t)(st->alias[v] != v ? ROLE_ALIAS : role_of(u, &sys->run[r], v));
            st->select[v] = SELECT_DEFAULT;
        }
    for (int r = 0; r < sys->runs; r++)
        for (int i = 0; i < sys->run[r].count; i++) {
            int v = sys->run[r].first + i, to = st->alias[v];
            st->select[to] = (uint8_t)merged_select((StateSelect)st->select[to],
                                                    wished_select(sys, r, i));
            if (to == v) continue;
            int other = st->start_from[to], run = system_run_of(sys, other);
            if (start_merit(sys, r, i) >
                start_merit(sys, run, other - sys->run[run].first))
                st->start_from[to] = v;
            st->count.aliases++;
        }
    for (int v = 0; v < sys->vars; v++) {
        int8_t sign;
        const Class *class = &u->class[union_find(u->class, v, &sign)];
        st->constancy[v] = constancy_signed((Constancy) class->constancy, sign);
        if (is_void(class)) st->role[v] = ROLE_ABSENT;
    }
    for (int v = 0; v < sys->vars; v++) {
        int8_t sign;
        if (st->alias[v] != v || st->role[v] == ROLE_ABSENT) continue;
        int root = union_find(u->class, v, &sign), der = u->class[root].der;
        if (der < 0 || is_void(&u->class[union_find(u->class, der, &(int8_t){0})]))
            continue; /* v = sign*root, der(root) = der_sign*der */
        st->next[v] = st->alias[der];
        st->next_sign[v] = (int8_t)(sign * u->class[root].der_sign * st->sign[der]);
        st->prev[st->alias[der]] = v;
        if (st->role[v] == ROLE_UNKNOWN)
            st->role[v] = ROLE_STATE; /* for the time being */
    }
}

static void reserve_rows(const Union *u) {
    const Families *set = &u->sys->set[ROWS_EQUATION];
    uint32_t        slots = 0;
    for (int f = 0; f < set->count && !u->st->base; f++) {
        const int own = u->sys->shapes->shape[set->family[f].shape].slots;
        slots += (uint32_t)(set->family[f].count * own);
    }
    if (slots) structure_reserve(u->st, set->rows - u->merged, slots);
}

static void rewrite_rows(const Union *u) {
    Structure *st = u->st;
    Rewrite    w;
    RowWalk    walk = {.sys = st->sys, .set = ROWS_EQUATION};
    rewrite_begin(&w, st);
    reserve_rows(u);
    while (row_walk(&walk))
        if (!u->gone[walk.row] && walk.family.partition == st->base) {
            w.spared = u->gives[walk.row] - 1;
            rewrite_add(&w, walk.family.shape, walk.slot, walk.sizes, walk.row, -1);
        }
    rewrite_end(&w);
}

/* Derivatives whose factors turned out to be zero are asked for no longer. */
static void forget_derivatives(Union *u) {
    Structure *st = u->st;
    for (uint32_t k = 0; k < st->slots; k++)
        if (st->slot[k] >= 0 && st->slot[k] < u->sys->vars)
            u->seen[st->slot[k]] |= SEEN_LEFT;
    for (int v = 0; v < u->sys->vars; v++) {
        int8_t sign;
        int    root = union_find(u->class, v, &sign), of = st->prev[v];
        if (of < 0 || st->alias[v] != v || (u->seen[v] & SEEN_LEFT) ||
            u->class[root].named || st->role[v] == ROLE_KNOWN)
            continue;
        st->role[v] = ROLE_ABSENT;
        st->next[of] = -1;
        st->prev[v] = -1;
        if (st->role[of] == ROLE_STATE) st->role[of] = ROLE_UNKNOWN;
    }
}

void alias_reduce(Structure *st) {
    System *sys = st->sys;
    Union   u = {.st = st, .sys = sys};
    Arena   scratch = {0};
    size_t  rows = (size_t)sys->set[ROWS_EQUATION].rows + 1;
    u.gone = NEW(&scratch, bool, rows);
    u.gives = NEW(&scratch, uint8_t, rows);
    u.class = NEW(&scratch, Class, sys->vars + 1);
    u.seen = NEW(&scratch, uint8_t, sys->vars + 1);
    for (int k = 0; k < sys->replaceds; k++) u.gone[sys->replaced[k]] = true;
    start_classes(&u);
    unite_rows(&u);
    do {
        union_find_numbers(&u);
    } while (union_find_equal(&u));
    fill_tables(&u, &scratch);
    rewrite_rows(&u);
    forget_derivatives(&u);
    arena_free(&scratch);
}
