/* SPDX-License-Identifier: Apache-2.0 */
/* equal.c -- variables that two rows give by the same formula are one, or opposite.
 *
 * v = cos(phi) and w = -cos(phi) say that w = -v, and so do all rows that follow from these: of the
 * nine elements of a rotation about an axis two are left, and of their derivatives. Givens are compared
 * after kept variables, signs and numbers were put in; operands in another order make another formula.
 * A formula that causes events belongs to its row. (Value numbering: Cocke and Schwartz, Programming
 * Languages and Their Compilers, 1970.)
 *
 * The work on a shape is done once for each pattern of signs and numbers. In each round all rows are hashed, and
 * only those whose hash occurs again are looked at: in most models there is hardly any. */
#include "dae/alias.h"

#include <string.h>

enum {
    OPPOSITE = 8,         /* of a pattern: the variable is the opposite of the kept one */
    MOST_LOOKS = 10000000 /* rows looked at in all rounds */
};

typedef struct GivenBy { /* sign * own = expression */
    int    shape;        /* of x = expression, -1: it is none; x is the first slot */
    int8_t sign;
    uint32_t
        first; /* known.order[first ...): by slot of that shape the slot of the row */
} GivenBy;

typedef struct Givens {
    Union      *u;
    KnownShapes known;
    GivenBy    *formula; /* by number of the shape with what is known */
    int         count;
    uint32_t    room;
    Map         giver; /* expression of certain variables -> row + 1 that gives it */
    /* in a round: */
    uint32_t
        *hash; /* by row: of its formula and the variables it reads; 0: it has none */
    uint8_t
        *times; /* by last bits of the hash, two bits: none, one, several rows have it */
    uint32_t last; /* these bits */
    /* the row looked at */
    int     slot[KNOWN_SLOTS], root[KNOWN_SLOTS];
    uint8_t pattern[KNOWN_SLOTS];
} Givens;

/* The opposite of a sum, term by term. */
static Term opposite_sum(Shapes *shapes, Term sum) {
    int   n = (int)shapes->node[sum].n;
    Term *arg = mem_take((size_t)n, sizeof *arg);
    for (int k = 0; k < n; k++)
        arg[k] = expr_1(shapes, TERM_NEG, expr_arg(shapes, sum, (uint32_t)k));
    Term made = expr_make(shapes, TERM_ADD, arg, n);
    mem_free(arg);
    return made;
}

/* e or -e, whose sum begins without a sign. */
static Term without_sign(Shapes *shapes, Term e, int8_t *sign) {
    for (; expr_op(shapes, e) == TERM_NEG; e = expr_arg(shapes, e, 0))
        *sign = (int8_t) - *sign;
    if (expr_op(shapes, e) != TERM_ADD ||
        expr_op(shapes, expr_arg(shapes, e, 0)) != TERM_NEG)
        return e;
    *sign = (int8_t) - *sign;
    return opposite_sum(shapes, e);
}

static bool is_formula(const Shapes *shapes, Term own, Term e) {
    const int never = NODE_EVENTS | NODE_CALLS | NODE_IMPURE | NODE_CLOCKED | NODE_BOUND;
    const Node *node = expr_node(shapes, e);
    return expr_op(shapes, own) == TERM_SLOT && shapes->node[own].type == TYPE_REAL &&
           node->n && node->type == TYPE_REAL && !node->rank && !(node->flags & never);
}

static GivenBy make_formula(Givens *f, int number) {
    Shapes    *shapes = f->u->sys->shapes;
    Term       from[KNOWN_SLOTS], to[KNOWN_SLOTS];
    const int *inner;
    int        n = shapes->shape[number].slots;
    GivenBy    made = {.shape = -1, .sign = 1};
    for (int k = 0; k < n; k++) {
        from[k] = shape_leaf(shapes, number, k);
        to[k] = constancy_term(shapes, (Constancy)(f->pattern[k] & ~OPPOSITE), from[k]);
        if (f->pattern[k] & OPPOSITE) to[k] = expr_1(shapes, TERM_NEG, from[k]);
    }
    Term root = expr_simplify(
        shapes, expr_replace(shapes, shapes->shape[number].root, from, to, n));
    if (expr_op(shapes, root) != TERM_EQUATION) return made;
    Term own = without_sign(shapes, expr_arg(shapes, root, 0), &made.sign);
    Term e = without_sign(shapes, expr_arg(shapes, root, 1), &made.sign);
    if (!is_formula(shapes, own, e)) return made;
    made.shape = shape_of(shapes, expr_2(shapes, TERM_EQUATION, own, e), &inner);
    made.first = known_order(&f->known, inner, shapes->shape[made.shape].slots);
    return made;
}

static GivenBy find_formula(Givens *f, int shape) {
    int slots = f->u->sys->shapes->shape[shape].slots;
    int number = known_shape(&f->known, shape, f->pattern, (size_t)slots);
    if (number == f->count) {
        GROW(f->formula, f->room, ++f->count);
        f->formula[number] = make_formula(f, shape);
    }
    return f->formula[number];
}

static void look_at_slots(Givens *f, const Family *family, int i) {
    const Union  *u = f->u;
    const Shapes *shapes = u->sys->shapes;
    family_slots(u->sys, family, i, f->slot);
    for (int k = 0; k < shapes->shape[family->shape].slots; k++) {
        int8_t sign;
        f->pattern[k] = VARIES;
        f->root[k] = f->slot[k];
        if (expr_op(shapes, shape_leaf(shapes, family->shape, k)) != TERM_SLOT) continue;
        f->root[k] = union_find(u->class, f->slot[k], &sign);
        Constancy c = (Constancy)u->class[f->root[k]].constancy;
        if (c >= IS_ZERO && constancy_fits(u->sys->shapes, family->shape, k))
            f->pattern[k] = (uint8_t)constancy_signed(c, sign);
        else if (sign < 0) f->pattern[k] = OPPOSITE;
    }
}

/* The formula of a row, and the variables it reads; false: it is none. */
static bool read_row(Givens *f, const Family *family, int i, GivenBy *formula,
                     int *read) {
    look_at_slots(f, family, i);
    *formula = find_formula(f, family->shape);
    if (formula->shape < 0) return false;
    int slots = f->u->sys->shapes->shape[formula->shape].slots;
    for (int k = 0; k < slots; k++)
        read[k] = f->root[f->known.order[formula->first + (uint32_t)k]];
    return true;
}

static bool is_plain(const System *sys, int v) {
    const VarRun *run = &sys->run[system_run_of(sys, v)];
    return (run->kind == VAR_CONTINUOUS || run->kind == VAR_DER) &&
           run->type == TYPE_REAL;
}

static size_t bytes_read(const Givens *f, const GivenBy *formula) {
    return sizeof(int) * (size_t)(f->u->sys->shapes->shape[formula->shape].slots - 1);
}

static uint64_t key_of(const Givens *f, const GivenBy *formula, const int *read) {
    return hash_mix(hash_bytes(read + 1, bytes_read(f, formula)) ^
                    (uint64_t)(uint32_t)formula->shape * 0x9e3779b97f4a7c15u);
}

/* How often a hash was noted: none, one, several. */
static int times_noted(const Givens *f, uint32_t hash) {
    return f->times[(hash & f->last) >> 2] >> 2 * (hash & 3) & 3;
}

static bool note_row(Givens *f, const Family *family, int i) {
    GivenBy own;
    int     read[KNOWN_SLOTS];
    if (!read_row(f, family, i, &own, read) || !is_plain(f->u->sys, read[0]))
        return false;
    const uint32_t hash = (uint32_t)key_of(f, &own, read) | 1u << 31;
    const int      times = times_noted(f, hash), shift = 2 * (int)(hash & 3);
    f->hash[family->row + i] = hash;
    if (times < 2) f->times[(hash & f->last) >> 2] += (uint8_t)(1 << shift);
    return false;
}

/* Looks at one row; true if its variable is that of an earlier one. */
static bool look_at_row(Givens *f, const Family *family, int i) {
    Union  *u = f->u;
    GivenBy own, other;
    int     read[KNOWN_SLOTS], given[KNOWN_SLOTS];
    if (!f->hash[family->row + i] || times_noted(f, f->hash[family->row + i]) < 2 ||
        !read_row(f, family, i, &own, read))
        return false;
    const uint64_t key = key_of(f, &own, read);
    int            row = (int)map_get(&f->giver, key, 0) - 1;
    if (row < 0) {
        map_put(&f->giver, key, family->row + i + 1);
        return false;
    }
    const Family *first = system_family(u->sys, ROWS_EQUATION, row);
    if (!read_row(f, first, row - first->row, &other, given) ||
        other.shape != own.shape ||
        memcmp(read + 1, given + 1, bytes_read(f, &own)) != 0 ||
        !union_may_alias(u->sys, read[0], given[0]) ||
        !union_unite(u, read[0], given[0], (int8_t)(own.sign * other.sign)))
        return false;
    u->merged++;
    return u->gone[family->row + i] = true;
}

typedef bool LookAtRow(Givens *f, const Family *family, int i);

/* Every row that may be such a formula; true if one of the calls says so. *looks grows by their number. */
static bool all_rows(Givens *f, LookAtRow *look, long *looks) {
    const Union  *u = f->u;
    const System *sys = u->sys;
    bool          any = false;
    for (int k = 0; k < sys->set[ROWS_EQUATION].count; k++) {
        Family       family = sys->set[ROWS_EQUATION].family[k];
        const Shape *shape = &sys->shapes->shape[family.shape];
        if ((family.flags & FAMILY_WHEN) || shape->wide || shape->slots < 2 ||
            shape->slots > KNOWN_SLOTS || family.partition)
            continue;
        *looks += family.count;
        for (int i = 0; i < family.count; i++)
            if (!u->gone[family.row + i] && !u->gives[family.row + i])
                any |= look(f, &family, i);
    }
    return any;
}

bool union_find_equal(Union *u) {
    const size_t rows = (size_t)u->sys->set[ROWS_EQUATION].rows;
    Givens       f = {.u = u, .last = 63};
    long         looks = 0, noted = 0;
    bool         any = false;
    while (f.last < 8 * rows) f.last = 2 * f.last + 1;
    for (bool changed = !u->st->base && !u->sys->theta.count;
         changed && looks < MOST_LOOKS;) {
        f.hash = mem_take(rows, sizeof *f.hash);
        f.times = mem_take(f.last / 4, 1);
        all_rows(&f, note_row, &noted);
        changed = all_rows(&f, look_at_row, &looks);
        any |= changed;
        map_free(&f.giver);
        f.giver = (Map){0};
        MEM_FREE(f.hash, f.times);
    }
    mem_free(f.formula);
    known_shapes_free(&f.known);
    return any;
}
