/* SPDX-License-Identifier: Apache-2.0 */
/* batch_linear.c -- a linear block of equal systems: torn, reduced and solved in place.
 *
 * The derivatives of states tear the block: in linear implicit equilibrium dynamics all other unknowns
 * follow from them one after the other, and as many equations are left over. If they do not, further
 * unknowns tear it. Every other unknown is affine in those that tear: its value while they are 0, and
 * its derivative by each of them, both as formulas made from the equation it is solved from. The
 * equations left over then are a linear system of that size. Two unknowns are solved by a formula, more
 * by elimination with pivots.
 *
 * Cost: a formula for each equation and one for each pair of an equation and a tearing unknown that
 * reaches it; n^3/3 operations of an instance for n unknowns that tear. */
#include "gen/batch.h"

#include <string.h>

static int place_of(const Torn *t, int row, int slot) {
    Term leaf = shape_leaf(t->b->shapes, t->b->st->shape[row], slot);
    if (expr_op(t->b->shapes, leaf) == TERM_NUMBER) return -1;
    return t->b->place[batch_var(t->b, row, slot)] - 1;
}

/* ---- tearing ---- */

/* The one unknown of a row that is not given yet; -1: there are none, -2: there are several. */
static int last_unknown(const Torn *t, int i, int *slot) {
    int found = -1;
    for (int k = 0; k < batch_slots(t->b, t->row[i]); k++) {
        int p = place_of(t, t->row[i], k);
        if (p < 0 || t->tearing[p] || t->giver[p] >= 0 || p == found) continue;
        if (found >= 0) return -2;
        found = p;
        *slot = k;
    }
    return found;
}

static bool take_row(Torn *t) {
    for (int i = 0; i < t->n; i++) {
        int slot, p = t->used[i] ? -1 : last_unknown(t, i, &slot);
        if (p < 0 || !batch_solvable(t->b, t->row[i], slot)) continue;
        t->giver[p] = i;
        t->used[i] = 1;
        t->order[t->ordered++] = i;
        return true;
    }
    return false;
}

/* The unknown in most rows tears next. */
static int most_used(const Torn *t) {
    int best = -1, most = -1;
    for (int p = 0; p < t->n; p++) {
        int count = 0;
        if (t->tearing[p] || t->giver[p] >= 0) continue;
        for (int i = 0; i < t->n; i++)
            for (int k = 0; !t->used[i] && k < batch_slots(t->b, t->row[i]); k++)
                count += place_of(t, t->row[i], k) == p;
        if (count > most) best = p, most = count;
    }
    return best;
}

static bool add_tear(Torn *t, int p) {
    if (t->tears == MOST_TORN) {
        batch_refuse(t->b, t->row[0],
                     "it is part of a linear system of more than 64 unknowns");
        return false;
    }
    t->tearing[p] = 1;
    t->tear[t->tears++] = p;
    return true;
}

static bool tear(Torn *t) {
    const Structure *st = t->b->st;
    for (int p = 0; p < t->n; p++) {
        int of = st->prev[t->var[p]];
        if (of >= 0 && t->b->state[st->alias[of]] >= 0 && !add_tear(t, p)) return false;
    }
    while (t->ordered + t->tears < t->n)
        if (!take_row(t) && !add_tear(t, most_used(t))) return false;
    return true;
}

/* ---- formulas ---- */

/* What a row gives: the formula of its unknown, or left - right. */
static Term formula(const Torn *t, int i, int *slot) {
    BatchText *b = t->b;
    int        shape = b->st->shape[t->row[i]];
    for (int k = 0; k < batch_slots(b, t->row[i]); k++) {
        int p = place_of(t, t->row[i], k);
        if (p < 0 || t->giver[p] != i) continue;
        *slot = p;
        return shape_solve(b->shapes, shape, k).value;
    }
    *slot = -1;
    return expr_residual(b->shapes, b->shapes->shape[shape].root);
}

/* The term with the unknowns that tear replaced by 0. */
static Term at_zero(const Torn *t, int i, Term term) {
    BatchText *b = t->b;
    int        n = batch_slots(b, t->row[i]), count = 0;
    Term      *from = NEW(&b->arena, Term, n + 1), *to = NEW(&b->arena, Term, n + 1);
    for (int k = 0; k < n; k++) {
        int p = place_of(t, t->row[i], k);
        if (p < 0 || !t->tearing[p]) continue;
        from[count] = shape_leaf(b->shapes, b->st->shape[t->row[i]], k);
        to[count++] = b->shapes->zero;
    }
    return count
               ? expr_simplify(b->shapes, expr_replace(b->shapes, term, from, to, count))
               : term;
}

/* A derivative must not contain unknowns of the block: then the block would not be linear. */
static bool is_free(const Torn *t, int i, Term term) {
    const Shapes *shapes = t->b->shapes;
    int           n = expr_walk(t->b->shapes, term);
    for (int k = 0; k < n; k++) {
        const Node *node = expr_node(shapes, shapes->walk[k]);
        if (node->op == TERM_SLOT && node->index < batch_slots(t->b, t->row[i]) &&
            place_of(t, t->row[i], node->index) >= 0)
            return false;
    }
    return true;
}

/* The derivative of the term by tearing unknown j; 0: none, it does not depend on it. */
static Term derivative(const Torn *t, int i, Term term, int j) {
    BatchText  *b = t->b;
    int         n = batch_slots(b, t->row[i]);
    Term       *seed = NEW(&b->arena, Term, n + 1);
    bool        any = false;
    const char *reason = NULL;
    for (int k = 0; k < n; k++) {
        int p = place_of(t, t->row[i], k);
        if (p < 0) continue;
        if (p == t->tear[j]) seed[k] = b->shapes->one;
        else if (!t->tearing[p] && t->moves[p * MOST_TORN + j])
            seed[k] = expr_slot(b->shapes, n + k, TYPE_REAL);
        any |= seed[k] != 0;
    }
    if (!any) return 0;
    Term d = expr_tangent(b->shapes, term, seed, n, false, &reason);
    if (!d) batch_refuse(b, t->row[i], "it has no derivative");
    if (d) d = expr_simplify(b->shapes, d);
    if (d && !is_free(t, i, d))
        batch_refuse(b, t->row[i], "it is not linear in its unknowns");
    return d && !expr_is_zero(b->shapes, d) ? d : 0;
}

static void statement(const Torn *t, int i, Term term, int column, const char *format,
                      int a, int c) {
    Text value = {0}, target = {0};
    text_printf(&target, format, a, c);
    t->b->column = column;
    text_printf(t->b->out, "        double %s; {\n", text_get(&target));
    batch_value(t->b, t->row[i], term, NAME_BIAS, &value);
    text_printf(t->b->out, "        %s = %s; }\n", text_get(&target), text_get(&value));
    text_free(&value);
    text_free(&target);
}

/* Values at 0 and derivatives of the unknowns that rows give, in order. */
static void follow(Torn *t) {
    for (int k = 0; k < t->ordered && !t->b->refuse.length; k++) {
        int  i = t->order[k], p;
        Term term = formula(t, i, &p);
        statement(t, i, at_zero(t, i, term), 0, "b%d", t->var[p], 0);
        for (int j = 0; j < t->tears + t->inputs; j++) {
            Term d = derivative(t, i, term, j);
            if (!d) continue;
            t->moves[p * MOST_TORN + j] = 1;
            statement(t, i, d, j, "d%d_%d", t->var[p], j);
        }
    }
}

/* The equations left over: m<row>_<column> z = r<row>. */
static void left_over(Torn *t) {
    int at = 0;
    for (int i = 0; i < t->n && !t->b->refuse.length; i++) {
        int p;
        if (t->used[i]) continue;
        Term term = formula(t, i, &p), rest = at_zero(t, i, term);
        statement(t, i, expr_1(t->b->shapes, TERM_NEG, rest), 0, "r%d", at, 0);
        for (int j = 0; j < t->tears + t->inputs; j++) {
            Term d = derivative(t, i, term, j);
            statement(t, i, d ? d : t->b->shapes->zero, j, "m%d_%d", at, j);
        }
        at++;
    }
}

/* ---- solution ---- */

static void solve_one(const Torn *t) {
    text_printf(t->b->out, "        v%d = r0/m0_0;\n", t->var[t->tear[0]]);
}

static void solve_two(const Torn *t) {
    text_printf(t->b->out,
                "        const double det = 1.0/(m0_0*m1_1 - m0_1*m1_0);\n"
                "        v%d = (r0*m1_1 - m0_1*r1)*det;\n"
                "        v%d = (m0_0*r1 - r0*m1_0)*det;\n",
                t->var[t->tear[0]], t->var[t->tear[1]]);
}

static void solve_many(const Torn *t) {
    Text *out = t->b->out;
    text_printf(out, "        double m[%d] = {", t->tears * t->tears);
    for (int i = 0; i < t->tears * t->tears; i++)
        text_printf(out, "%sm%d_%d", i ? ", " : "", i / t->tears, i % t->tears);
    text_printf(out, "}, z[%d] = {", t->tears);
    for (int i = 0; i < t->tears; i++) text_printf(out, "%sr%d", i ? ", " : "", i);
    text_printf(out, "};\n        batch_solve(%d, 1, m, z);\n", t->tears);
    for (int i = 0; i < t->tears; i++)
        text_printf(out, "        v%d = z[%d];\n", t->var[t->tear[i]], i);
}

/* The other unknowns, if something outside of the block needs them. */
static void others(const Torn *t) {
    for (int k = 0; k < t->ordered; k++) {
        int i = t->order[k], p;
        formula(t, i, &p);
        int var = t->var[p];
        text_printf(t->b->out, "        v%d = b%d", var, var);
        for (int j = 0; j < t->tears; j++)
            if (t->moves[p * MOST_TORN + j])
                text_printf(t->b->out, " + d%d_%d*v%d", var, j, t->var[t->tear[j]]);
        text_add(t->b->out, ";\n");
    }
}

void torn_open(Torn *t, BatchText *b, int n, const int *eq, int inputs,
               const int *input) {
    size_t room = (size_t)n + (size_t)inputs + 1;
    *t = (Torn){.b = b,
                .n = n,
                .inputs = inputs,
                .row = NEW(&b->arena, int, room),
                .var = NEW(&b->arena, int, room),
                .giver = NEW(&b->arena, int, room),
                .used = NEW(&b->arena, uint8_t, room),
                .order = NEW(&b->arena, int, room),
                .tearing = NEW(&b->arena, uint8_t, room),
                .moves = NEW(&b->arena, uint8_t, room * MOST_TORN)};
    for (int i = 0; i < n; i++) {
        t->row[i] = b->st->eq_row[eq[i]];
        t->var[i] = b->st->var_of[eq[i]];
    }
    for (int i = 0; i < inputs; i++) {
        t->var[n + i] = input[i];
        t->tearing[n + i] = 1;
    }
    for (int i = 0; i < n + inputs; i++) {
        t->giver[i] = -1;
        b->place[t->var[i]] = i + 1;
    }
}

void torn_close(Torn *t) {
    if (t->tears > t->b->torn) t->b->torn = t->tears;
    for (int i = 0; i < t->n + t->inputs; i++) t->b->place[t->var[i]] = 0;
}

bool torn_reduce(Torn *t) {
    if (!tear(t)) return false;
    if (t->tears + t->inputs > MOST_TORN) {
        batch_refuse(t->b, t->n ? t->row[0] : -1,
                     "it is part of a linear system of more than 64 unknowns");
        return false;
    }
    for (int i = 0; i < t->inputs; i++) t->tear[t->tears + i] = t->n + i;
    follow(t);
    left_over(t);
    return !t->b->refuse.length;
}

void batch_linear(BatchText *b, const Block *block) {
    Torn t;
    torn_open(&t, b, block->count, b->st->order + block->first, 0, NULL);
    for (int i = 0; i < t.n; i++) text_printf(b->out, "        double v%d;\n", t.var[i]);
    text_add(b->out, "        {\n");
    if (torn_reduce(&t)) {
        if (t.tears == 1) solve_one(&t);
        else if (t.tears == 2) solve_two(&t);
        else solve_many(&t);
        others(&t);
    }
    text_add(b->out, "        }\n");
    torn_close(&t);
}
