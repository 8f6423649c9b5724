/* SPDX-License-Identifier: Apache-2.0 */
/* share.c -- what several rows compute, or what a torn block computes again and again, is computed
 * once and given a variable of its own.
 *
 * The rows of a torn block are evaluated for its residuals, for each column of its matrix and once
 * more for each refinement, though much of what they contain does not depend on its unknowns: the
 * cosines of angles, products of masses and lengths. The largest such expressions are taken out: of
 * a sum or product those terms or factors together that do not depend on the unknowns. Costly
 * operators (sine, exponential, square root, pure functions) are taken out of these and out of rows with a formula
 * wherever a second row needs the same value. Rows that compute what another row computes already
 * take its value.
 *
 * An expression is taken from where it is evaluated in any case, never from a branch, so nothing is
 * evaluated that was not before. A formula keeps what it divides by: whether it may be used was
 * decided by that. Like all symbolic work this is done once for each shape and pattern of slots;
 * the rest is linear in rows. New rows are explicit blocks before the block that first needs them. */
#include "dae/dae.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_SLOTS = 64,        /* of a row that is looked at */
    MOST_EQUATIONS = 200000 /* above, memory counts more than time */
};

typedef struct
    Piece {    /* an expression that gets a row of its own: variable = expression */
    Term term; /* over the slots of the old row, then those of earlier pieces */
    int  shape, slots;
    int *
        order; /* by slot of that row: slot of the old row or of a piece; the first is its own */
} Piece;

typedef struct Cut { /* a shape without its pieces */
    int    pieces, shape, slots;
    Piece *piece;
    int   *order; /* as of a piece */
} Cut;

typedef struct Share {
    Structure *st;
    Shapes    *shapes;
    Arena      arena;  /* of cuts */
    Map        cuts;   /* shape and pattern -> Cut */
    Map        counts; /* a costly operator of certain variables -> rows that need it */
    Map  givers; /* an expression of certain variables -> equation that gives it + 1 */
    int *before; /* by new equation: the block that it stands in front of */
    int  news;
    uint32_t room;
    int      eqs;  /* equations that there were */
    int      vars; /* the first new variable */
    int     *slot; /* work: variables of a row */
    uint32_t slot_room;
    bool     changed;
} Share;

enum {
    IS_PLAIN = 1,   /* it may stand in any row: scalars, no events */
    IS_MOVING = 2,  /* depends on unknowns of the block */
    IS_OWN = 4,     /* contains the unknown that the row gives */
    IS_REACHED = 8, /* evaluated whenever the row is */
    IS_WORTH = 16   /* more than a variable or a number */
};

typedef struct CutPattern { /* how a row is cut */
    uint64_t
        moving; /* slots that hold unknowns of the torn block, 0: it is no such row */
    int own;    /* slot of the unknown that a formula gives, -1: a residual */
    uint64_t
        wanted; /* of a formula alone: number k of its costly operators is taken out */
} CutPattern;

typedef struct Cutting { /* one shape on its way */
    Share     *share;
    CutPattern pattern;
    int        slots;
    int        count; /* nodes */
    Term      *node, *result;
    uint8_t   *is;     /* IS_ */
    Map        at;     /* node -> its place + 1 */
    int        costly; /* operators met so far */
    Piece     *piece;
    int        pieces;
    uint32_t   piece_room;
} Cutting;

/* Does a call give one number, which depends on its arguments alone? Several results of one call are
 * better left together. */
static bool is_pure_call(const Shapes *shapes, const Node *node) {
    const Function *f = shapes->function[node->index];
    return node->integer == 0 && f->outputs == 1 && node->type == TYPE_REAL &&
           !(f->flags & (FUNCTION_IMPURE | FUNCTION_ALGORITHM));
}

static bool is_costly(const Shapes *shapes, Term e) {
    const Node *node = expr_node(shapes, e);
    return node->op == TERM_SQRT || (node->op >= TERM_SIN && node->op <= TERM_LOG10) ||
           (node->op == TERM_CALL && is_pure_call(shapes, node));
}

static bool is_arithmetic(const Shapes *shapes, Term e) {
    TermOp op = expr_op(shapes, e);
    return op == TERM_ADD || op == TERM_MUL || op == TERM_DIV || op == TERM_NEG ||
           op == TERM_POW || op == TERM_TO_REAL || is_costly(shapes, e);
}

/* Its arguments are evaluated whenever it is. */
static bool is_strict(const Shapes *shapes, Term e) {
    TermOp op = expr_op(shapes, e);
    return is_arithmetic(shapes, e) || op == TERM_EQUATION || op == TERM_NO_EVENT ||
           op == TERM_ABS || op == TERM_MIN || op == TERM_MAX;
}

/* May it stand in any row, where its arguments may? What causes events belongs to its row. */
static bool is_free(const Shapes *shapes, Term e) {
    const Node *node = expr_node(shapes, e);
    TermOp      op = (TermOp)node->op;
    if (node->rank ||
        node->flags & (NODE_EVENTS | NODE_IMPURE | NODE_CLOCKED | NODE_BOUND))
        return false;
    return (is_strict(shapes, e) && node->type == TYPE_REAL) || op == TERM_IF ||
           op == TERM_AND || op == TERM_OR || op == TERM_NOT ||
           (op >= TERM_LESS && op <= TERM_NOT_EQUAL);
}

/* ---- nodes of a shape --------------------------------------------------------------------- */

static uint8_t *kind_of(const Cutting *c, Term e) {
    return &c->is[map_get(&c->at, e, 1) - 1];
}

static uint8_t look_at_leaf(const Cutting *c, const Node *node) {
    if (node->op != TERM_SLOT)
        return node->op == TERM_REAL || node->op == TERM_INTEGER ||
                       node->op == TERM_BOOLEAN || node->op == TERM_ENUM ||
                       node->op == TERM_TIME
                   ? IS_PLAIN
                   : 0;
    uint8_t is = node->type != TYPE_STRING && node->type != TYPE_CLOCK ? IS_PLAIN : 0;
    if (c->pattern.moving >> node->index & 1) is |= IS_MOVING;
    if (node->index == c->pattern.own) is |= IS_OWN;
    return is;
}

static void look_at_nodes(Cutting *c) {
    Shapes *shapes = c->share->shapes;
    for (int i = 0; i < c->count; i++) {
        const Node *node = expr_node(shapes, c->node[i]);
        map_put(&c->at, c->node[i], i + 1);
        bool plain = is_free(shapes, c->node[i]);
        if (!node->n) c->is[i] = look_at_leaf(c, node);
        for (uint32_t k = 0; k < node->n; k++) {
            uint8_t arg = *kind_of(c, shapes->arg[node->arg + k]);
            plain &= arg & IS_PLAIN;
            c->is[i] |= arg & (IS_MOVING | IS_OWN | IS_WORTH);
        }
        if (plain) c->is[i] |= IS_PLAIN;
        if (node->n && node->type == TYPE_REAL && node->op != TERM_NEG &&
            node->op != TERM_TO_REAL)
            c->is[i] |= IS_WORTH;
    }
    c->is[c->count - 1] |= IS_REACHED;
    for (int i = c->count - 1; i >= 0; i--) {
        const Node *node = expr_node(shapes, c->node[i]);
        bool        open = is_strict(shapes, c->node[i]);
        for (uint32_t k = 0; k < node->n && open && c->is[i] & IS_REACHED; k++)
            *kind_of(c, shapes->arg[node->arg + k]) |= IS_REACHED;
    }
}

/* The slot that stands for a term from now on. */
static Term take_out(Cutting *c, Term term) {
    int k = 0;
    while (k < c->pieces && c->piece[k].term != term) k++;
    if (k == c->pieces) {
        GROW(c->piece, c->piece_room, c->pieces + 1);
        c->piece[c->pieces++] = (Piece){.term = term};
    }
    return expr_slot(c->share->shapes, c->slots + k, TYPE_REAL);
}

static bool is_simple(const Shapes *shapes, Term e) {
    while (expr_op(shapes, e) == TERM_NEG) e = expr_arg(shapes, e, 0);
    return shapes->node[e].n == 0;
}

/* By place in the last walk: is the node evaluated whenever its last one is? */
static bool *find_certain(const Shapes *shapes, int n, Arena *arena) {
    bool *certain = NEW(arena, bool, n);
    certain[n - 1] = true;
    for (int i = n - 1; i >= 0; i--) {
        const Node *node = expr_node(shapes, shapes->walk[i]);
        for (uint32_t k = 0;
             k < node->n && certain[i] && is_strict(shapes, shapes->walk[i]); k++)
            certain[shapes->place[shapes->arg[node->arg + k]]] = true;
    }
    return certain;
}

/* Takes a term out, and first the costly operators in it. */
static Term take_apart(Cutting *c, Term term) {
    Share  *share = c->share;
    Shapes *shapes = share->shapes;
    int     n = expr_walk(shapes, term);
    Term   *node = NEW(&share->arena, Term, 2 * n + 1), *result = node + n;
    bool   *certain = find_certain(shapes, n, &share->arena);
    Map     at = {0};
    memcpy(node, shapes->walk, (size_t)n * sizeof *node);
    for (int i = 0; i < n; i++) {
        Node  of = shapes->node[node[i]];
        Term *arg = NEW(&share->arena, Term, of.n + 1);
        map_put(&at, node[i], i);
        for (uint32_t k = 0; k < of.n; k++)
            arg[k] = result[map_get(&at, shapes->arg[of.arg + k], 0)];
        result[i] = of.n ? expr_rebuild(shapes, node[i], arg) : node[i];
        if (certain[i] && is_costly(shapes, result[i]))
            result[i] = take_out(c, result[i]);
    }
    map_free(&at);
    Term last = result[n - 1];
    return is_simple(shapes, last) ? last : take_out(c, last);
}

/* A moving sum or product: what stays, together. */
static Term cut_sum(Cutting *c, Term e, const Term *arg) {
    Shapes *shapes = c->share->shapes;
    Node    node = shapes->node[e];
    Term   *still = NEW(&c->share->arena, Term, 2 * node.n + 1), *all = still + node.n;
    int     stills = 0, worth = 0, n = 0;
    for (uint32_t k = 0; k < node.n; k++) {
        Term    old = shapes->arg[node.arg + k];
        uint8_t is = *kind_of(c, old);
        if (!(is & IS_PLAIN) || is & (IS_MOVING | IS_OWN)) {
            all[n++] = arg[k];
            continue;
        }
        still[stills++] = old;
        worth += is & IS_WORTH ? 2 : !expr_is_literal(shapes, old);
    }
    if (worth < 2) return expr_rebuild(shapes, e, arg);
    Term group =
        stills > 1 ? expr_make(shapes, (TermOp)node.op, still, stills) : still[0];
    all[n++] = take_apart(c, group);
    return n > 1 ? expr_make(shapes, (TermOp)node.op, all, n) : all[0];
}

/* A node of a torn block that stays: it moves, or contains what must stay. What a formula divides by to get its unknown stays as it is. */
static Term cut_moving(Cutting *c, Term e, Term *arg) {
    Shapes *shapes = c->share->shapes;
    Node    node = shapes->node[e];
    bool    own = *kind_of(c, e) & IS_OWN;
    if (own && node.op != TERM_ADD && node.op != TERM_EQUATION)
        return expr_rebuild(shapes, e, arg);
    if (node.op == TERM_ADD || node.op == TERM_MUL) return cut_sum(c, e, arg);
    for (uint32_t k = 0; k < node.n; k++) {
        Term    old = shapes->arg[node.arg + k];
        uint8_t is = *kind_of(c, old);
        if ((is & (IS_PLAIN | IS_WORTH)) == (IS_PLAIN | IS_WORTH) &&
            !(is & (IS_MOVING | IS_OWN)))
            arg[k] = take_apart(c, old);
    }
    return expr_rebuild(shapes, e, arg);
}

static Term cut_node(Cutting *c, int i) {
    Shapes *shapes = c->share->shapes;
    Term    e = c->node[i];
    Node    node = shapes->node[e];
    uint8_t is = c->is[i];
    if (!node.n || !(is & IS_REACHED)) return e;
    Term *arg = NEW(&c->share->arena, Term, node.n);
    for (uint32_t k = 0; k < node.n; k++)
        arg[k] = c->result[map_get(&c->at, shapes->arg[node.arg + k], 1) - 1];
    if (!is_strict(shapes, e)) return e;
    if (c->pattern.moving)
        return is & IS_MOVING || !(is & IS_PLAIN) ? cut_moving(c, e, arg)
                                                  : expr_rebuild(shapes, e, arg);
    Term made = expr_rebuild(shapes, e, arg);
    if (!is_costly(shapes, e) || !(is & IS_PLAIN) || is & IS_OWN) return made;
    int number = c->costly++;
    return number < 64 && c->pattern.wanted >> number & 1 ? take_out(c, made) : made;
}

/* Shape and slots of a root that may name pieces. */
static int *place_shape(Share *share, Term root, int *shape, int *slots) {
    const int *order;
    *shape = shape_of(share->shapes, root, &order);
    *slots = share->shapes->shape[*shape].slots;
    int *own = NEW(&share->arena, int, *slots + 1);
    for (int k = 0; k < *slots; k++) own[k] = order ? order[k] : k;
    return own;
}

static const Cut *make_cut(Share *share, int shape, const CutPattern *pattern) {
    Shapes *shapes = share->shapes;
    Term    root = shapes->shape[shape].root;
    Cutting c = {.share = share,
                 .pattern = *pattern,
                 .slots = shapes->shape[shape].slots,
                 .count = expr_walk(shapes, root)};
    c.node = NEW(&share->arena, Term, 2 * c.count);
    c.result = c.node + c.count;
    c.is = NEW(&share->arena, uint8_t, c.count);
    memcpy(c.node, shapes->walk, (size_t)c.count * sizeof *c.node);
    look_at_nodes(&c);
    for (int i = 0; i < c.count; i++) c.result[i] = cut_node(&c, i);
    Cut *cut = NEW(&share->arena, Cut, 1);
    cut->pieces = c.pieces;
    cut->piece = arena_copy(&share->arena, c.piece ? (void *)c.piece : (void *)cut,
                            (size_t)c.pieces * sizeof *c.piece + !c.pieces);
    for (int k = 0; k < c.pieces; k++) {
        Piece *piece = &cut->piece[k];
        Term   left = expr_slot(shapes, c.slots + k, TYPE_REAL);
        piece->order =
            place_shape(share, expr_2(shapes, TERM_EQUATION, left, piece->term),
                        &piece->shape, &piece->slots);
        assert(piece->order[0] == c.slots + k);
    }
    if (c.pieces)
        cut->order = place_shape(share, c.result[c.count - 1], &cut->shape, &cut->slots);
    map_free(&c.at);
    mem_free(c.piece);
    return cut;
}

static const Cut *find_cut(Share *share, int shape, const CutPattern *pattern) {
    uint64_t key =
        hash_mix((uint64_t)(uint32_t)shape << 32 ^ (uint64_t)(pattern->own + 1));
    key = hash_mix(hash_mix(key ^ pattern->moving) + 3 * pattern->wanted);
    const Cut *known = (const Cut *)(intptr_t)map_get(&share->cuts, key, 0);
    if (known) return known;
    known = make_cut(share, shape, pattern);
    map_put(&share->cuts, key, (int64_t)(intptr_t)known);
    return known;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static uint64_t hash_slots(int shape, const int *var, int n) {
    uint64_t key = hash_bytes(var, (size_t)n * sizeof *var);
    return hash_mix(key ^ (uint64_t)(uint32_t)shape * 0x9e3779b97f4a7c15u);
}

/* The equation that gives variable = expression, of a row with these variables; -1: none. */
static int giver_of(const Share *share, int shape, const int *var, int n) {
    const Structure *st = share->st;
    int eq = (int)map_get(&share->givers, hash_slots(shape, var + 1, n - 1), 0) - 1;
    if (eq < 0 || st->shape[st->eq_row[eq]] != shape) return -1;
    const int *other = st->slot + st->first[st->eq_row[eq]];
    return memcmp(other + 1, var + 1, (size_t)(n - 1) * sizeof *var) == 0 ? eq : -1;
}

static void note_giver(Share *share, int shape, const int *var, int n, int eq) {
    map_put(&share->givers, hash_slots(shape, var + 1, n - 1), eq + 1);
}

/* The variable of a piece of a row; w: those of the pieces before. */
static int variable_of(Share *share, const Piece *piece, int row, int slots, const int *w,
                       int block) {
    Structure *st = share->st;
    GROW(share->slot, share->slot_room, piece->slots + 1);
    int *var = share->slot;
    for (int k = 1; k < piece->slots; k++)
        var[k] = piece->order[k] < slots ? st->slot[st->first[row] + piece->order[k]]
                                         : w[piece->order[k] - slots];
    int eq = giver_of(share, piece->shape, var, piece->slots);
    if (eq >= 0) return st->slot[st->first[st->eq_row[eq]]];
    var[0] = share->vars + share->news;
    int made = structure_add_row(st, piece->shape, var, NULL, st->source[row], -1);
    eq = structure_add_equation(st, made, 0);
    st->var_of[eq] = var[0];
    GROW(share->before, share->room, share->news + 1);
    share->before[share->news++] = block;
    note_giver(share, piece->shape, var, piece->slots, eq);
    return var[0];
}

/* The equation gets a row without the pieces. */
static void apply(Share *share, int eq, const Cut *cut, int block) {
    Structure *st = share->st;
    int        row = st->eq_row[eq], slots = share->shapes->shape[st->shape[row]].slots;
    if (!cut->pieces) return;
    int *w = mem_take((size_t)(cut->pieces + cut->slots) + 1, sizeof *w);
    int *var = w + cut->pieces;
    for (int k = 0; k < cut->pieces; k++)
        w[k] = variable_of(share, &cut->piece[k], row, slots, w, block);
    for (int k = 0; k < cut->slots; k++)
        var[k] = cut->order[k] < slots ? st->slot[st->first[row] + cut->order[k]]
                                       : w[cut->order[k] - slots];
    st->eq_row[eq] =
        structure_add_row(st, cut->shape, var, NULL, st->source[row], st->of[row]);
    share->changed = true;
    mem_free(w);
}

static bool may_cut(const Share *share, int row) {
    const Structure *st = share->st;
    const Shape     *shape = &share->shapes->shape[st->shape[row]];
    return !shape->wide && shape->slots < MOST_SLOTS - 1 &&
           expr_op(share->shapes, shape->root) == TERM_EQUATION &&
           !structure_multiple(st, row) &&
           !(share->shapes->node[shape->root].flags &
             (NODE_IMPURE | NODE_CLOCKED | NODE_BOUND));
}

static int slot_of(const Structure *st, int row, int var) {
    int slots = st->sys->shapes->shape[st->shape[row]].slots;
    for (int k = 0; k < slots; k++)
        if (st->slot[st->first[row] + k] == var) return k;
    return -1;
}

/* ---- blocks ----------------------------------------------------------------------------------- */

static void share_torn(Share *share, int b) {
    Structure  *st = share->st;
    const Block block = st->block[b];
    for (int i = 0; i < block.count; i++) {
        int eq = st->order[block.first + i], row = st->eq_row[eq];
        if (!may_cut(share, row)) continue;
        CutPattern pattern = {.own = -1};
        for (int k = 0; k < share->shapes->shape[st->shape[row]].slots; k++) {
            int var = st->slot[st->first[row] + k];
            if (expr_op(share->shapes, shape_leaf(share->shapes, st->shape[row], k)) ==
                    TERM_SLOT &&
                st->role[var] == ROLE_UNKNOWN && st->eq_of[var] >= 0 &&
                st->block_of[st->eq_of[var]] == b)
                pattern.moving |= 1ull << k;
        }
        if (i < block.count - block.torn) pattern.own = slot_of(st, row, st->var_of[eq]);
        if (pattern.moving)
            apply(share, eq, find_cut(share, st->shape[row], &pattern), b);
    }
}

/* A formula: the bits of its costly operators that others need, too, or are counted. */
static uint64_t look_at_costly(Share *share, int eq, bool count) {
    Structure *st = share->st;
    int        row = st->eq_row[eq], slots = share->shapes->shape[st->shape[row]].slots;
    CutPattern all = {.own = slot_of(st, row, st->var_of[eq]), .wanted = ~0ull};
    const Cut *cut = find_cut(share, st->shape[row], &all);
    uint64_t   wanted = 0;
    for (int k = 0; k < cut->pieces && k < 64; k++) {
        const Piece *piece = &cut->piece[k];
        GROW(share->slot, share->slot_room, piece->slots + 1);
        bool inner = false; /* what stands in another costly operator goes with it */
        for (int j = 1; j < piece->slots; j++) {
            inner |= piece->order[j] >= slots;
            share->slot[j] =
                piece->order[j] < slots ? st->slot[st->first[row] + piece->order[j]] : 0;
        }
        if (inner) continue;
        uint64_t key = hash_slots(piece->shape, share->slot + 1, piece->slots - 1);
        int64_t  n = map_get(&share->counts, key, 0);
        if (count) map_put(&share->counts, key, n + 1);
        else if (n > 1) wanted |= 1ull << k;
    }
    return wanted;
}

/* Does the row read variable = expression, and may others take the variable for it? */
static bool is_giver(const Share *share, int eq) {
    const Structure *st = share->st;
    const Shapes    *shapes = share->shapes;
    int              row = st->eq_row[eq];
    Term             root = shapes->shape[st->shape[row]].root;
    Term             left = expr_arg(shapes, root, 0), right = expr_arg(shapes, root, 1);
    return expr_op(shapes, left) == TERM_SLOT && shapes->node[left].type == TYPE_REAL &&
           shapes->node[left].index == 0 && st->slot[st->first[row]] == st->var_of[eq] &&
           is_arithmetic(shapes, right) && !is_simple(shapes, right) &&
           !(shapes->node[right].flags & (NODE_EVENTS | NODE_CALLS));
}

/* y = x for a row that computes x again. */
static void make_equal(Share *share, int eq, int from) {
    Structure *st = share->st;
    Term       same =
        expr_2(share->shapes, TERM_EQUATION, expr_slot(share->shapes, 0, TYPE_REAL),
               expr_slot(share->shapes, 1, TYPE_REAL));
    const int *order;
    int        shape = shape_of(share->shapes, same, &order);
    int        row = st->eq_row[eq];
    assert(!order);
    st->eq_row[eq] =
        structure_add_row(st, shape, (int[]){st->var_of[eq], st->var_of[from]}, NULL,
                          st->source[row], st->of[row]);
    share->changed = true;
}

static void share_formula(Share *share, int b) {
    Structure *st = share->st;
    int        eq = st->order[st->block[b].first];
    if (!may_cut(share, st->eq_row[eq])) return;
    CutPattern pattern = {.own = slot_of(st, st->eq_row[eq], st->var_of[eq])};
    int        row = st->eq_row[eq], shape = st->shape[row];
    int        slots = share->shapes->shape[shape].slots;
    if (is_giver(share, eq)) {
        int from = giver_of(share, shape, st->slot + st->first[row], slots);
        if (from >= 0) {
            make_equal(share, eq, from);
            return;
        }
        note_giver(share, shape, st->slot + st->first[row], slots, eq);
        if (is_costly(share->shapes,
                      expr_arg(share->shapes, share->shapes->shape[shape].root, 1)))
            return; /* others take it from here */
    }
    pattern.wanted = look_at_costly(share, eq, false);
    if (pattern.wanted) apply(share, eq, find_cut(share, shape, &pattern), b);
}

/* ---- new blocks --------------------------------------------------------------------------------- */

static void insert_blocks(Share *share) {
    Structure *st = share->st;
    int        blocks = st->blocks + share->news, at = 0, next = 0, n = 0;
    Block     *block = mem_take((size_t)blocks, sizeof *block);
    int       *order = mem_take((size_t)st->eqs, sizeof *order);
    RESIZE(st->block_of, st->eqs + 1);
    for (int b = 0; b < st->blocks; b++) {
        for (; next < share->news && share->before[next] == b; next++) {
            order[at] = share->eqs + next;
            block[n++] = (Block){.kind = BLOCK_EXPLICIT, .first = at++, .count = 1};
        }
        Block own = st->block[b];
        memcpy(order + at, st->order + own.first, (size_t)own.count * sizeof *order);
        own.first = at;
        at += own.count;
        block[n++] = own;
    }
    for (int b = 0; b < n; b++)
        for (int i = 0; i < block[b].count; i++)
            st->block_of[order[block[b].first + i]] = b;
    MEM_FREE(st->block, st->order);
    st->block = block;
    st->order = order;
    st->blocks = n;
}

/* The new variables, and which of them stay between events. */
static void add_variables(Share *share) {
    Structure *st = share->st;
    int        old = st->vars;
    if (share->news) {
        int run = system_run(st->sys, VAR_CONTINUOUS, TYPE_REAL, share->news, -1, 0);
        st->sys->run[run].flags |= VAR_HIDDEN;
        assert(st->sys->run[run].first == share->vars);
    }
    structure_grow(st);
    uint8_t *lasts = NEW(&st->arena, uint8_t, st->vars + 1);
    memcpy(lasts, st->lasts, (size_t)old);
    st->lasts = lasts;
    for (int k = 0; k < share->news; k++) {
        st->role[share->vars + k] = ROLE_UNKNOWN;
        st->eq_of[share->vars + k] = share->eqs + k;
    }
    insert_blocks(share);
    for (int b = 0; b < st->blocks; b++)
        if (st->order[st->block[b].first] >= share->eqs) steady_block(st, b);
}

static bool is_formula(const Structure *st, const Block *block) {
    return block->kind == BLOCK_EXPLICIT && !block->discrete &&
           !steady_is_stepwise(st, st->var_of[st->order[block->first]]);
}

/* Needs: torn blocks, and that nobody else adds variables. Gives: rows of shared expressions. Breaks:
 * rows that are no equation's any more. */
void structure_share(Structure *st) {
    Share share = {
        .st = st, .shapes = st->sys->shapes, .eqs = st->eqs, .vars = st->sys->vars};
    assert(st->done == DONE_TEAR);
    if (st->base || st->plain || st->sys->theta.count || st->eqs > MOST_EQUATIONS) return;
    for (int b = 0; b < st->blocks; b++)
        if (is_formula(st, &st->block[b])) {
            int eq = st->order[st->block[b].first];
            if (may_cut(&share, st->eq_row[eq])) look_at_costly(&share, eq, true);
        }
    for (int b = 0; b < st->blocks; b++) {
        const Block *block = &st->block[b];
        if (is_formula(st, block)) share_formula(&share, b);
        else if (block->torn && !block->sparse) share_torn(&share, b);
    }
    if (share.changed) {
        add_variables(&share);
        structure_graph(st);
    }
    map_free(&share.cuts);
    map_free(&share.counts);
    map_free(&share.givers);
    MEM_FREE(share.before, share.slot);
    arena_free(&share.arena);
    ASSERT_CONTRACT(st->eqs, structure_is_torn(st));
}
