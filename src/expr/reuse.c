/* SPDX-License-Identifier: Apache-2.0 */
/* reuse.c -- what several statements of a function compute from the same values is computed once.
 *
 * An equation of state repeats powers and exponentials in its value and in each of its derivatives. A term has a number of
 * its own wherever it stands (shape.c), so in statements that follow each other without a branch, two occurrences have
 * the same value if no variable in them was assigned in between. The first occurrence goes to a variable of its own.
 * Only what is computed in any case counts, not what stands in a branch of `if`. Passes over the statements, linear in
 * the size of their terms. */
#include "expr/body.h"

#include <string.h>

enum { WORTH = 3, FUNCTION_CALL = 10, MOST_WORK = 1000 };

typedef struct Reused {
    Term term;
    int  count;     /* statements that compute it in any case */
    int  last;      /* of them */
    int  first;     /* the first */
    bool outermost; /* somewhere it is not a part of what is reused as often */
    Term slot;      /* the variable that holds it, 0: not yet */
    int  index;     /* of that variable */
} Reused;

typedef struct Reuse {
    Shapes  *shapes;
    Function g;      /* the copy that is made */
    int    *written; /* by variable: 1 + the last statement of the run that assigned it */
    Map     seen;    /* term and the statement before which it was new -> entry */
    Reused *entry;
    uint32_t entries, entry_room;
    /* of the term that is looked at, by its position in the walk */
    Term    *node;
    int     *since;  /* the newest value in it */
    int     *work;   /* about how many operations */
    bool    *always; /* computed in any case */
    int     *of;     /* entry, -1: none */
    uint32_t node_room, since_room, work_room, always_room, of_room;
} Reuse;

static int work_of(const Reuse *r, const Node *node) {
    double exponent;
    if (term_is_of_library((TermOp)node->op)) return FUNCTION_CALL;
    switch (node->op) {
    case TERM_POW:
        return expr_literal(r->shapes, r->shapes->arg[node->arg + 1], &exponent) &&
                       (exponent == 2 || exponent == 3)
                   ? 1
                   : FUNCTION_CALL;
    case TERM_SQRT:
    case TERM_CALL: return FUNCTION_CALL;
    default: return node->n > 1 ? (int)node->n - 1 : (int)node->n;
    }
}

/* May argument k of the operator stay without a value? */
static bool is_optional(TermOp op, uint32_t k) {
    switch (op) {
    case TERM_IF:
    case TERM_AND:
    case TERM_OR:
    case TERM_SUM_OF:
    case TERM_PRODUCT_OF:
    case TERM_MIN_OF:
    case TERM_MAX_OF:
    case TERM_EACH: return k > 0;
    default: return false;
    }
}

static bool is_worth(const Reuse *r, int place) {
    const Node *node = expr_node(r->shapes, r->node[place]);
    if (node->op == TERM_CALL && node->integer < 0) return false; /* all results */
    return r->work[place] >= WORTH && node->type == TYPE_REAL && node->rank == 0 &&
           !(node->flags & (NODE_IMPURE | NODE_BOUND | NODE_CLOCKED)) &&
           !(term_info[node->op].traits & (TRAIT_DISCRETE | TRAIT_OPAQUE));
}

static void make_room(Reuse *r, int n) {
    GROW(r->node, r->node_room, n);
    GROW(r->since, r->since_room, n);
    GROW(r->work, r->work_room, n);
    GROW(r->always, r->always_room, n);
    GROW(r->of, r->of_room, n);
}

/* The walk of a term, and of every node in it how new and how costly it is. Entries are found, not made. */
static int look(Reuse *r, Term e) {
    Shapes *shapes = r->shapes;
    int     n = expr_walk(shapes, e);
    make_room(r, n);
    memcpy(r->node, shapes->walk, (size_t)n * sizeof *r->node);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(shapes, r->node[i]);
        bool        slot = node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT;
        int         since = slot ? r->written[node->index] : 0, work = work_of(r, node);
        for (uint32_t k = 0; k < node->n; k++) {
            uint32_t place = shapes->place[shapes->arg[node->arg + k]];
            if (r->since[place] > since) since = r->since[place];
            work += r->work[place];
        }
        r->since[i] = since;
        r->work[i] = work < MOST_WORK ? work : MOST_WORK;
        r->always[i] = i == n - 1;
    }
    for (int i = n - 1; i >= 0; i--) {
        const Node *node = expr_node(shapes, r->node[i]);
        for (uint32_t k = 0; k < node->n && r->always[i]; k++)
            r->always[shapes->place[shapes->arg[node->arg + k]]] |=
                !is_optional((TermOp)node->op, k);
    }
    for (int i = 0; i < n; i++)
        r->of[i] =
            !is_worth(r, i)
                ? -1
                : (int)map_get(&r->seen, r->node[i] | (uint64_t)r->since[i] << 32, -1);
    return n;
}

static void count(Reuse *r, Term e, int statement) {
    int n = look(r, e);
    for (int i = 0; i < n; i++) {
        if (!r->always[i] || !is_worth(r, i)) continue;
        if (r->of[i] < 0) {
            r->of[i] = (int)r->entries;
            map_put(&r->seen, r->node[i] | (uint64_t)r->since[i] << 32, r->of[i]);
            GROW(r->entry, r->entry_room, r->entries + 1);
            r->entry[r->entries++] =
                (Reused){.term = r->node[i], .first = statement, .last = -1};
        }
        Reused *entry = &r->entry[r->of[i]];
        entry->count += entry->last != statement;
        entry->last = statement;
    }
}

/* What is always a part of something else that is reused needs no variable. */
static void find_outermost(Reuse *r, Term e) {
    int n = look(r, e);
    if (r->of[n - 1] >= 0) r->entry[r->of[n - 1]].outermost = true;
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(r->shapes, r->node[i]);
        int         above = r->of[i] < 0 ? 0 : r->entry[r->of[i]].count;
        for (uint32_t k = 0; k < node->n && r->always[i]; k++) {
            int below = r->of[r->shapes->place[r->shapes->arg[node->arg + k]]];
            if (below >= 0 && r->entry[below].count > above)
                r->entry[below].outermost = true;
        }
    }
}

static void assigned(Reuse *r, Term target, int statement) {
    int n = expr_walk(r->shapes, target);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(r->shapes, r->shapes->walk[i]);
        if (node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT)
            r->written[node->index] = statement + 1;
    }
}

typedef void OnTerm(Reuse *r, Term e, int statement);

static void outermost(Reuse *r, Term e, int statement) {
    (void)statement;
    find_outermost(r, e);
}

static void each(Reuse *r, int first, int n, OnTerm *on) {
    memset(r->written, 0, (size_t)r->g.vars * sizeof *r->written);
    for (int i = 0, s = first; i < n; i++, s = r->g.stmt[s].next) {
        on(r, r->g.stmt[s].b, i);
        assigned(r, r->g.stmt[s].a, i);
    }
}

/* A new local variable. Its name is only read in comments. */
static void give_variable(Reuse *r, Reused *entry) {
    entry->index = r->g.vars++;
    r->g.var[entry->index] =
        (FunctionVar){.name = r->g.var[0].name, .type = TYPE_REAL, .enumeration = -1};
    entry->slot = expr_slot(r->shapes, entry->index, TYPE_REAL);
}

/* e with variables for what is known, without e itself. */
static Term with_parts(Reuse *r, Term e, const Term *from, const Term *to, int n) {
    Term     local[16], *args = local;
    uint32_t count = r->shapes->node[e].n;
    if (count > LENGTH(local)) args = mem_take(count, sizeof *args);
    for (uint32_t k = 0; k < count; k++)
        args[k] = expr_replace(r->shapes, expr_arg(r->shapes, e, k), from, to, n);
    Term made = expr_rebuild(r->shapes, e, args);
    if (args != local) mem_free(args);
    return made;
}

/* Statement s, number i of its run, and before it the variables that it is the first to use. */
static void rewrite(Reuse *r, int s, int i, int32_t *link) {
    int   n = look(r, r->g.stmt[s].b), found = 0;
    Term *from = mem_take(2 * (size_t)n + 1, sizeof *from), *to = from + n;
    for (int k = 0; k < n; k++) {
        Reused *entry = r->of[k] < 0 ? NULL : &r->entry[r->of[k]];
        if (!entry || entry->count < 2 || !entry->outermost || entry->first > i) continue;
        from[found] = entry->term;
        if (!entry->slot) {
            give_variable(r, entry);
            int  place = r->g.stmts++;
            Term value = with_parts(r, entry->term, from, to, found);
            r->g.stmt[place] = (Stmt){.kind = STMT_ASSIGN,
                                      .a = entry->slot,
                                      .b = value,
                                      .body = -1,
                                      .other = -1,
                                      .next = s,
                                      .pos = r->g.stmt[s].pos};
            *link = place;
            link = &r->g.stmt[place].next;
        }
        to[found++] = entry->slot;
    }
    if (found) r->g.stmt[s].b = expr_replace(r->shapes, r->g.stmt[s].b, from, to, found);
    mem_free(from);
}

static void copy_with_room(Reuse *r, int more) {
    Arena       *arena = &r->shapes->arena;
    FunctionVar *var = NEW(arena, FunctionVar, r->g.vars + more);
    Stmt        *stmt = NEW(arena, Stmt, r->g.stmts + more);
    int         *written = NEW(arena, int, r->g.vars + more);
    memcpy(var, r->g.var, (size_t)r->g.vars * sizeof *var);
    memcpy(stmt, r->g.stmt, (size_t)r->g.stmts * sizeof *stmt);
    r->g.var = var;
    r->g.stmt = stmt;
    r->written = written;
}

/* n assignments, one after the other; `before` is the statement in front of them, -1: a list begins. Returns the
 * first of them. */
static int run(Reuse *r, int first, int n, int before) {
    int more = 0;
    r->entries = 0;
    map_free(&r->seen);
    r->seen = (Map){0};
    each(r, first, n, count);
    each(r, first, n, outermost);
    for (uint32_t k = 0; k < r->entries; k++)
        more += r->entry[k].count > 1 && r->entry[k].outermost;
    if (!more) return first;
    copy_with_room(r, more);
    int32_t begin = first, *link = before < 0 ? &begin : &r->g.stmt[before].next;
    for (int i = 0, s = first; i < n; i++, s = r->g.stmt[s].next) {
        Term target = r->g.stmt[s].a;
        rewrite(r, s, i, link);
        assigned(r, target, i);
        link = &r->g.stmt[s].next;
    }
    return begin;
}

/* A list of statements and the lists in it; the first statement, which may be a new one. */
static int list(Reuse *r, int first) {
    int begin = first;
    for (int s = first, before = -1; s >= 0;) {
        int n = 0, last = before;
        for (int k = s; k >= 0 && r->g.stmt[k].kind == STMT_ASSIGN; k = r->g.stmt[k].next)
            last = k, n++;
        if (n > 1) {
            int start = run(r, s, n, before);
            if (before < 0) begin = start;
        }
        if (n == 0) {
            int body = list(r, r->g.stmt[s].body), other = list(r, r->g.stmt[s].other);
            if (body != r->g.stmt[s].body) r->g.stmt[s].body = body;
            if (other != r->g.stmt[s].other) r->g.stmt[s].other = other;
            last = s;
        }
        before = last;
        s = r->g.stmt[last].next;
    }
    return begin;
}

const Function *function_reuse(Shapes *shapes, const Function *f) {
    if (f->external || f->flags & FUNCTION_ALGORITHM || f->vars == 0) return f;
    Reuse r = {.shapes = shapes, .g = *f};
    copy_with_room(&r, 0);
    r.g.first = list(&r, f->first);
    MEM_FREE(r.entry, r.node, r.since, r.work, r.always, r.of);
    map_free(&r.seen);
    if (r.g.vars == f->vars) return f;
    Function *made = NEW(&shapes->arena, Function, 1);
    *made = r.g;
    return made;
}
