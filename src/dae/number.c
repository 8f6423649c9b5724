/* SPDX-License-Identifier: Apache-2.0 */
/* number.c -- variables that are 0, 1 or -1, true or false for good, and variables that do not change.
 *
 * A row x = 0 keeps x, and takes it out of all other rows: with the potential of a ground gone,
 * many of them turn out to be aliases or numbers themselves. So do rows x = 1 and x = -1: of the
 * product with the rotation of a fixed frame nothing is left, and the rotation of the next frame is that
 * of the joint between. A variable that a row gives out of parameters alone stays as it is; the
 * derivatives of both are zero. Other numbers stay variables, so that rows which differ in them alone
 * share a shape. A Boolean that is true or false chooses the branch of an if-equation, which then counts for
 * the structure: a flow through the open port of a vessel makes two pressures equal.
 *
 * Rows are looked at again until nothing changes, or until that costs more than it may give: each single
 * statement is right by itself. */
#include "dae/alias.h"

#include <math.h>
#include <string.h>

enum {
    MOST_LOOKS = 30000000 /* rows looked at in all rounds; some seconds */
};

/* What a row says when some of its slots are numbers. */
typedef enum { SAYS_NOTHING, SAYS_EQUAL, SAYS_OPPOSITE, SAYS_NUMBER } Says;

typedef struct Statement {
    Says      says;
    Constancy number;  /* of NUMBER */
    int       slot[2]; /* of the variables it speaks of */
    int       shape;   /* what is left; its slots are known.order[first ...) of the row */
    uint32_t  first;
} Statement;

typedef struct Constants {
    Union      *u;
    KnownShapes known;
    Statement  *statement; /* by number of the shape with what is known */
    int         count;
    uint32_t    room;
    /* the row looked at */
    int     slot[KNOWN_SLOTS];
    uint8_t pattern[KNOWN_SLOTS]; /* by slot: VARIES, or the number it is */
    int     varying, last;        /* slots that are not constant, the last of them */
} Constants;

/* b = true, b = false */
static Constancy boolean_shape(const Shapes *shapes, Term root, Term slot) {
    double value;
    for (uint32_t k = 0; k < 2; k++)
        if (expr_arg(shapes, root, k) == slot &&
            expr_literal(shapes, expr_arg(shapes, root, 1 - k), &value))
            return value != 0 ? IS_ONE : IS_ZERO;
    return VARIES;
}

/* a x = b: the number that x is, if it is 0, 1 or -1; else VARIES. */
static Constancy number_shape(Shapes *shapes, int number) {
    Shape       shape = shapes->shape[number];
    bool        one[] = {true};
    const char *reason;
    double      p, q;
    if (shape.slots != 1 || shape.wide || shape.lefts != 1 || shape.nodes > 6 ||
        expr_op(shapes, shape.root) != TERM_EQUATION)
        return VARIES;
    Term a = shape_leaf(shapes, number, 0);
    Node node = shapes->node[a];
    if (node.op == TERM_SLOT && node.type == TYPE_BOOLEAN)
        return boolean_shape(shapes, shapes->shape[number].root, a);
    if (node.op != TERM_SLOT || node.type != TYPE_REAL ||
        expr_degree(shapes, shape.root, one, 1) != DEGREE_LINEAR)
        return VARIES;
    Term rest =
        expr_replace(shapes, expr_residual(shapes, shape.root), &a, &shapes->zero, 1);
    if (!expr_literal(shapes, rest, &q) ||
        !expr_literal(shapes, expr_partial(shapes, shape.root, 0, &reason), &p) || p == 0)
        return VARIES;
    return q == 0 ? IS_ZERO : q == -p ? IS_ONE : q == p ? IS_MINUS_ONE : VARIES;
}

static Statement reduce(Constants *z, int number) {
    Shapes    *shapes = z->u->sys->shapes;
    Term       from[KNOWN_SLOTS], to[KNOWN_SLOTS];
    const int *order;
    int        n = shapes->shape[number].slots;
    for (int k = 0; k < n; k++) {
        from[k] = shape_leaf(shapes, number, k);
        to[k] = constancy_term(shapes, (Constancy)z->pattern[k], from[k]);
    }
    Term      root = expr_replace(shapes, shapes->shape[number].root, from, to, n);
    int       shape = shape_of(shapes, expr_simplify(shapes, root), &order);
    int       slots = shapes->shape[shape].slots;
    Statement s = {.slot = {-1, -1}, .shape = shape};
    s.first = known_order(&z->known, order, slots);
    for (int k = 0; k < slots && k < 2; k++)
        s.slot[k] = z->known.order[s.first + (uint32_t)k];
    if (slots == 1 && (s.number = number_shape(shapes, shape)) != VARIES)
        s.says = SAYS_NUMBER;
    int sign = slots == 2 ? alias_shape(shapes, shape) : 0;
    if (sign) s.says = sign > 0 ? SAYS_EQUAL : SAYS_OPPOSITE;
    return s;
}

static Statement find_statement(Constants *z, int shape) {
    int slots = z->u->sys->shapes->shape[shape].slots;
    int number = known_shape(&z->known, shape, z->pattern, (size_t)slots);
    if (number < z->count) return z->statement[number];
    GROW(z->statement, z->room, number + 1);
    return z->statement[z->count++] = reduce(z, shape);
}

/* The derivatives of what does not change are zero, all of them: aliases may have joined some that were
 * known to be with others that were not. True if one was not known. */
static bool stop(Union *u, int root) {
    int8_t sign;
    bool   more = false;
    while (u->class[root].der >= 0) {
        root = union_find(u->class, u->class[root].der, &sign);
        if (u->class[root].constancy >= IS_ZERO) continue;
        u->class[root].constancy = IS_ZERO;
        more = true;
    }
    return more;
}

/* Of every variable: what an alias made still has derivatives, too. */
static bool stop_all(Union *u) {
    bool more = false;
    for (int v = 0; v < u->sys->vars; v++)
        if (u->class[v].parent == v && u->class[v].constancy != VARIES)
            more |= stop(u, v);
    return more;
}

static bool is_plain(const System *sys, int v) {
    const VarRun *run = &sys->run[system_run_of(sys, v)];
    return run->kind == VAR_CONTINUOUS && run->type == TYPE_REAL;
}

static bool is_switch(const System *sys, int v) {
    const VarRun *run = &sys->run[system_run_of(sys, v)];
    return run->kind == VAR_DISCRETE && run->type == TYPE_BOOLEAN;
}

bool constancy_fits(Shapes *shapes, int shape, int slot) {
    Term root = shapes->shape[shape].root;
    if (shapes->node[shape_leaf(shapes, shape, slot)].type != TYPE_BOOLEAN) return true;
    for (int i = 0, n = expr_walk(shapes, root); i < n; i++) {
        TermOp op = expr_op(shapes, shapes->walk[i]);
        if (op == TERM_EDGE || op == TERM_CHANGE || op == TERM_WHEN) return false;
    }
    return true;
}

/* A clocked variable has its start value until the first tick. */
static bool make_number(Union *u, int v, Constancy number) {
    int8_t sign;
    int    root = union_find(u->class, v, &sign);
    if (u->class[root].constancy >= IS_ZERO || u->class[root].known ||
        u->class[root].of >= 0 || (u->st->base && number != IS_ZERO))
        return false;
    u->class[root].constancy = (uint8_t)constancy_signed(number, sign);
    stop(u, root);
    return true;
}

static bool has_moments(Shapes *shapes, Term root) {
    const int never = NODE_TIME | NODE_EVENTS | NODE_IMPURE | NODE_CLOCKED | NODE_BOUND;
    if (shapes->node[root].flags & never) return true;
    for (int i = 0, n = expr_walk(shapes, root); i < n; i++) {
        TermOp op = expr_op(shapes, shapes->walk[i]);
        if (op == TERM_INITIAL || op == TERM_TERMINAL || op == TERM_WHEN) return true;
    }
    return false;
}

/* All but one slot are constant: is there a formula for that one? */
static bool make_still(Constants *z, const Statement *s) {
    Union  *u = z->u;
    Shapes *shapes = u->sys->shapes;
    int8_t  sign;
    int     slots = shapes->shape[s->shape].slots, k = 0;
    while (k < slots && z->known.order[s->first + (uint32_t)k] != z->last) k++;
    int v = z->slot[z->last], root = union_find(u->class, v, &sign);
    if (k == slots || u->class[root].known || u->st->base || !is_plain(u->sys, v) ||
        has_moments(shapes, shapes->shape[s->shape].root) ||
        shape_solve(shapes, s->shape, k).kind != SOLVE_ALWAYS)
        return false;
    u->class[root].constancy = STILL;
    stop(u, root);
    return true;
}

/* The slots of a row: which are numbers, and how many are not constant. True if some are numbers. */
static bool look_at_slots(Constants *z, const Family *family, int i) {
    const Union  *u = z->u;
    const Shapes *shapes = u->sys->shapes;
    bool          numbers = false;
    z->varying = 0;
    family_slots(u->sys, family, i, z->slot);
    for (int k = 0; k < shapes->shape[family->shape].slots; k++) {
        int8_t sign;
        z->pattern[k] = VARIES;
        if (expr_op(shapes, shape_leaf(shapes, family->shape, k)) != TERM_SLOT) continue;
        int       root = union_find(u->class, z->slot[k], &sign);
        Constancy c = (Constancy)u->class[root].constancy;
        if (c == VARIES) {
            z->varying++;
            z->last = k;
        }
        if (c < IS_ZERO || !constancy_fits(u->sys->shapes, family->shape, k)) continue;
        z->pattern[k] = (uint8_t)constancy_signed(c, sign);
        numbers = true;
    }
    return numbers;
}

static bool make_alias(Union *u, const Statement *s, const int *slot) {
    int a = slot[s->slot[0]], b = slot[s->slot[1]];
    return !u->st->base && union_may_alias(u->sys, a, b) &&
           union_unite(u, a, b, s->says == SAYS_EQUAL ? 1 : -1);
}

/* Looks at one row; true if it says something new. */
static bool look_at_row(Constants *z, const Family *family, int i) {
    Union *u = z->u;
    int    row = family->row + i;
    bool   numbers = look_at_slots(z, family, i);
    if (!numbers && z->varying != 1) return false;
    Statement s = find_statement(z, family->shape);
    if (s.says == SAYS_NUMBER) {
        int  v = z->slot[s.slot[0]];
        bool number = is_plain(u->sys, v) || (is_switch(u->sys, v) && !u->st->base);
        if (!number || !make_number(u, v, s.number)) return false;
        u->gives[row] = (uint8_t)(s.slot[0] + 1);
        return true;
    }
    if (s.says != SAYS_NOTHING && make_alias(u, &s, z->slot)) {
        u->merged++;
        return u->gone[row] = true;
    }
    return z->varying == 1 && make_still(z, &s);
}

void union_find_numbers(Union *u) {
    System   *sys = u->sys;
    Constants z = {.u = u};
    long      looks = 0;
    for (bool changed = true; changed && looks < MOST_LOOKS;) {
        changed = false;
        for (int f = 0; f < sys->set[ROWS_EQUATION].count; f++) {
            Family       family = sys->set[ROWS_EQUATION].family[f];
            const Shape *shape = &sys->shapes->shape[family.shape];
            if ((family.flags & FAMILY_WHEN) || shape->wide ||
                shape->slots > KNOWN_SLOTS || family.partition != u->st->base)
                continue;
            looks += family.count;
            for (int i = 0; i < family.count; i++)
                if (!u->gone[family.row + i] && !u->gives[family.row + i])
                    changed |= look_at_row(&z, &family, i);
        }
        changed |= !u->st->base && stop_all(u);
    }
    mem_free(z.statement);
    known_shapes_free(&z.known);
}
