/* SPDX-License-Identifier: Apache-2.0 */
/* inline.c -- calls replaced by what the body of the function computes.
 *
 * A body is carried out with expressions for values: every variable of the function holds one
 * term per element, an assignment replaces them, an if whose condition is not known carries out
 * both branches and joins the results by if-expressions, loops run if their bounds are known.
 * What this cannot do (while with an unknown end, return out of a branch, impure or external
 * code, subscripts of targets that are not known) leaves the call as it is; so do bodies that
 * would grow beyond a limit. Sizes come from the arguments, therefore an array argument must be
 * given as a constructor of its elements.
 *
 * Relations in a function cause no events (Modelica 3.6, 8.5), so they are put under noEvent,
 * except with GenerateEvents.
 *
 * Equal calls are carried out once: results are kept by the call as a node. The cost is linear
 * in the statements carried out. */
#include "expr/expr.h"

#include <string.h>

enum {
    RANK = 8,
    DEPTH = 24,          /* calls inside calls                                     */
    HEIGHT = 400,        /* nested operators                                       */
    STEPS = 4000,        /* statements and loop rounds of one call                 */
    NODES_SMALL = 600,   /* new nodes of a call that nobody asked to inline        */
    NODES_ASKED = 20000, /* of one with annotation(Inline = true)                  */
    STMTS_SMALL = 24,    /* statements of a body that nobody asked to inline       */
    STMTS_KNOWN = 400    /* the same if most arguments are numbers                 */
};

typedef struct Sym { /* a value: one term per element, last dimension fastest          */
    int   rank;
    int   dim[RANK];
    int   count; /* elements; -1: nothing assigned and no size known               */
    Term *item;  /* 0 where nothing is assigned; never changed once shared           */
} Sym;

typedef struct Frame {
    const Function *f;    /* NULL: the expression around the calls                    */
    Sym            *var;  /* by variable                                              */
    Map             memo; /* values of inner nodes while no variable changes           */
} Frame;

typedef struct Run {
    Shapes *shapes;
    Arena   scratch;
    int     depth, height, steps;
    struct {
        int iterator, value;
    } bind[16];
    int  binds;
    bool failed, late;
} Run;

typedef enum { FLOW_NEXT, FLOW_RETURN, FLOW_BREAK } Flow;

static Sym  eval(Run *r, Frame *f, Term e);
static bool carry_out(Run *r, int function, const Sym *arg, int n, const Sym **output);

static Sym fail(Run *r) {
    r->failed = true;
    return (Sym){.count = -1};
}

static Sym scalar(Run *r, Term e) {
    Sym s = {.count = 1, .item = NEW(&r->scratch, Term, 1)};
    s.item[0] = e;
    return s;
}

/* The one term of a scalar; a literal zero after a failure. */
static Term term_of(Run *r, const Sym *s) {
    if (r->failed || s->rank || s->count != 1 || !s->item[0]) {
        fail(r);
        return r->shapes->zero;
    }
    return s->item[0];
}

static Term eval_scalar(Run *r, Frame *f, Term e) {
    Sym s = eval(r, f, e);
    return term_of(r, &s);
}

static bool eval_number(Run *r, Frame *f, Term e, int *value) {
    double x = 0;
    if (!expr_literal(r->shapes, eval_scalar(r, f, e), &x) || x != (int)x) {
        fail(r);
        return false;
    }
    *value = (int)x;
    return !r->failed;
}

/* The value as one term: nested constructors. */
static Term whole(Run *r, const Sym *s, int k, int at) {
    if (r->failed || s->count < 0) {
        fail(r);
        return r->shapes->zero;
    }
    if (k == s->rank) {
        if (!s->item[at]) fail(r);
        return r->failed ? r->shapes->zero : s->item[at];
    }
    int n = s->dim[k], below = 1;
    for (int d = k + 1; d < s->rank; d++) below *= s->dim[d];
    if (n == 0) { /* no constructor for nothing: EACH of length 0 */
        Term e = r->shapes->zero;
        for (int d = s->rank; d > k; d--)
            e = expr_indexed(r->shapes, TERM_EACH, d,
                             (Term[]){expr_integer(r->shapes, s->dim[d - 1]), e}, 2);
        return e;
    }
    Term *item = NEW(&r->scratch, Term, n);
    for (int j = 0; j < n; j++) item[j] = whole(r, s, k + 1, at + j * below);
    return expr_make(r->shapes, TERM_ARRAY, item, n);
}

/* ---- expressions --------------------------------------------------------------------------- */

static Sym stack_up(Run *r, const Sym *part, int n) {
    Sym s = {.rank = part[0].rank + 1, .count = n * part[0].count};
    if (s.rank > RANK || part[0].count < 0) return fail(r);
    s.dim[0] = n;
    memcpy(s.dim + 1, part[0].dim, sizeof(int) * (size_t)part[0].rank);
    s.item = NEW(&r->scratch, Term, s.count + 1);
    for (int k = 0; k < n; k++) {
        if (part[k].count != part[0].count) return fail(r);
        memcpy(s.item + k * part[0].count, part[k].item,
               sizeof(Term) * (size_t)part[0].count);
    }
    return s;
}

static Sym leaf(Run *r, Frame *f, Term e, const Node *node) {
    switch (node->op) {
    case TERM_SLOT:
        if (!f->f) break;
        return f->var[node->index];
    case TERM_ARRAY_SLOT: return f->f ? f->var[node->index] : fail(r);
    case TERM_ITERATOR:
        for (int k = r->binds - 1; k >= 0; k--)
            if (r->bind[k].iterator == node->index)
                return scalar(r, expr_integer(r->shapes, r->bind[k].value));
        return fail(r);
    default: break;
    }
    return scalar(r, e);
}

/* Element or part of an array; the function's own code checks subscripts known later. */
static Sym element(Run *r, Frame *f, Term e, const Node *node) {
    Sym array = eval(r, f, expr_arg(r->shapes, e, 0));
    int subs = (int)node->n - 1, at = 0, below = 1, sub;
    if (r->failed || array.count < 0 || subs > array.rank) return fail(r);
    for (int k = 0; k < subs; k++) {
        if (!eval_number(r, f, expr_arg(r->shapes, e, (uint32_t)k + 1), &sub) ||
            sub < 1 || sub > array.dim[k])
            return fail(r);
        at = at * array.dim[k] + sub - 1;
    }
    for (int k = subs; k < array.rank; k++) below *= array.dim[k];
    Sym s = {.rank = array.rank - subs, .count = below, .item = array.item + at * below};
    memcpy(s.dim, array.dim + subs, sizeof(int) * (size_t)s.rank);
    return s;
}

/* sum, product, min, max and {... for ...} over a known number of rounds */
static Sym reduction(Run *r, Frame *f, Term e, const Node *node) {
    int  n;
    Term body = expr_arg(r->shapes, e, 1);
    if (!eval_number(r, f, expr_arg(r->shapes, e, 0), &n) || r->binds == 16)
        return fail(r);
    if (n < 0) n = 0;
    if ((r->steps += n) > STEPS) return fail(r);
    Sym *part = NEW(&r->scratch, Sym, n + 1);
    int  b = r->binds++;
    r->bind[b].iterator = node->index;
    for (int k = 0; k < n && !r->failed; k++) {
        r->bind[b].value = k + 1;
        part[k] = eval(r, f, body);
    }
    r->binds = b;
    if (r->failed) return fail(r);
    if (node->op == TERM_EACH) {
        if (n) return stack_up(r, part, n);
        Sym none = {.rank = node->rank, .item = NEW(&r->scratch, Term, 1)};
        return node->rank == 1 ? none : fail(r);
    }
    if (n == 0) {
        double x = node->op == TERM_PRODUCT_OF ? 1 : 0;
        if (node->op != TERM_PRODUCT_OF && node->op != TERM_SUM_OF) return fail(r);
        return scalar(r, node->type == TYPE_INTEGER ? expr_integer(r->shapes, (int64_t)x)
                                                    : expr_real(r->shapes, x));
    }
    TermOp op = node->op == TERM_SUM_OF       ? TERM_ADD
                : node->op == TERM_PRODUCT_OF ? TERM_MUL
                : node->op == TERM_MIN_OF     ? TERM_MIN
                                              : TERM_MAX;
    Term   result = term_of(r, &part[0]);
    for (int k = 1; k < n && !r->failed; k++)
        result = expr_2(r->shapes, op, result, term_of(r, &part[k]));
    return scalar(r, result);
}

/* if c then a else b, element by element; unequal sizes only if one is not assigned. */
static Sym join(Run *r, Term cond, const Sym *a, const Sym *b) {
    if (a->count < 0 || a->item == b->item) return *b;
    if (b->count < 0) return *a;
    if (a->count != b->count || a->rank != b->rank) return fail(r);
    Sym s = *a;
    s.item = NEW(&r->scratch, Term, s.count + 1);
    for (int k = 0; k < s.count; k++) {
        Term x = a->item[k], y = b->item[k];
        s.item[k] = !x ? y : !y ? x : x == y ? x : expr_3(r->shapes, TERM_IF, cond, x, y);
    }
    return s;
}

static Sym choice(Run *r, Frame *f, Term e, const Node *node) {
    Sym  *value = NEW(&r->scratch, Sym, node->n);
    Term *cond = NEW(&r->scratch, Term, node->n);
    int   n = 0;
    for (uint32_t k = 0; k + 1 < node->n; k += 2) {
        double x;
        cond[n] = eval_scalar(r, f, expr_arg(r->shapes, e, k));
        if (r->failed) return fail(r);
        bool known = expr_literal(r->shapes, cond[n], &x);
        if (known && x == 0) continue;
        value[n++] = eval(r, f, expr_arg(r->shapes, e, k + 1));
        if (known) break;
    }
    double x;
    Sym    result = n && expr_literal(r->shapes, cond[n - 1], &x)
                        ? value[--n]
                        : eval(r, f, expr_arg(r->shapes, e, node->n - 1));
    while (n-- > 0 && !r->failed) result = join(r, cond[n], &value[n], &result);
    return result;
}

static Sym call(Run *r, Frame *f, Term e, const Node *node) {
    Sym       *arg = NEW(&r->scratch, Sym, node->n + 1);
    const Sym *output;
    for (uint32_t k = 0; k < node->n; k++) arg[k] = eval(r, f, expr_arg(r->shapes, e, k));
    if (r->failed || node->integer < 0) return fail(r);
    if (carry_out(r, node->index, arg, (int)node->n, &output))
        return output[node->integer];
    if (node->rank) return fail(r);
    Term *item = NEW(&r->scratch, Term, node->n + 1);
    for (uint32_t k = 0; k < node->n; k++) item[k] = whole(r, &arg[k], 0, 0);
    if (r->failed) return fail(r);
    return scalar(r, expr_call(r->shapes, node->index, (int)node->integer,
                               (Type)node->type, 0, item, (int)node->n));
}

/* An operator of scalars, or one that acts on every element of its first argument. */
static Sym operate(Run *r, Frame *f, Term e, const Node *node) {
    Shapes *shapes = r->shapes;
    Sym     first = eval(r, f, expr_arg(shapes, e, 0)), result = first;
    Term   *arg = NEW(&r->scratch, Term, node->n);
    if (r->failed || first.count < 0) return fail(r);
    result.item = NEW(&r->scratch, Term, first.count + 1);
    for (uint32_t k = 1; k < node->n; k++)
        arg[k] = eval_scalar(r, f, expr_arg(shapes, e, k));
    if (r->failed || (first.rank && node->n > 1)) return fail(r);
    bool quiet = f->f && !(f->f->flags & FUNCTION_EVENTS) &&
                 term_info[node->op].traits & TRAIT_EVENT;
    for (int j = 0; j < first.count; j++) {
        if (!(arg[0] = first.item[j])) return fail(r);
        Term made = expr_rebuild(shapes, e, arg);
        if (quiet && shapes->node[made].flags & NODE_EVENTS) {
            /* events of the arguments must not be lost on the way */
            for (uint32_t k = 0; k < node->n; k++)
                if (shapes->node[arg[k]].flags & NODE_EVENTS) return fail(r);
            made = expr_1(shapes, TERM_NO_EVENT, made);
        }
        result.item[j] = made;
    }
    return result;
}

static Sym compute(Run *r, Frame *f, Term e, const Node *node) {
    switch (node->op) {
    case TERM_ARRAY: {
        Sym *part = NEW(&r->scratch, Sym, node->n);
        for (uint32_t k = 0; k < node->n; k++)
            part[k] = eval(r, f, expr_arg(r->shapes, e, k));
        return r->failed ? fail(r) : stack_up(r, part, (int)node->n);
    }
    case TERM_ELEMENT: return element(r, f, e, node);
    case TERM_SIZE: {
        int d;
        Sym array = eval(r, f, expr_arg(r->shapes, e, 0));
        if (!eval_number(r, f, expr_arg(r->shapes, e, 1), &d) || array.count < 0 ||
            d < 1 || d > array.rank)
            return fail(r);
        return scalar(r, expr_integer(r->shapes, array.dim[d - 1]));
    }
    case TERM_SUM_OF:
    case TERM_PRODUCT_OF:
    case TERM_MIN_OF:
    case TERM_MAX_OF:
    case TERM_EACH: return reduction(r, f, e, node);
    case TERM_IF: return choice(r, f, e, node);
    case TERM_CALL: return call(r, f, e, node);
    default: return operate(r, f, e, node);
    }
}

static Sym eval(Run *r, Frame *f, Term e) {
    Node node = r->shapes->node[e];
    if (r->failed) return fail(r);
    if (!node.n) {
        return node.op == TERM_CALL ? call(r, f, e, &node) : leaf(r, f, e, &node);
    }
    bool kept = !(node.flags & NODE_BOUND);
    if (kept) {
        const Sym *known = (const Sym *)(intptr_t)map_get(&f->memo, e, 0);
        if (known) return *known;
    }
    if (r->height++ > HEIGHT) return fail(r);
    Sym s = compute(r, f, e, &node);
    r->height--;
    if (kept && !r->failed) {
        Sym *copy = NEW(&r->scratch, Sym, 1);
        *copy = s;
        map_put(&f->memo, e, (int64_t)(intptr_t)copy);
    }
    return s;
}

/* ---- statements ------------------------------------------------------------------------------ */

static void forget(Frame *f) {
    map_free(&f->memo);
    f->memo = (Map){0};
}

static void store(Run *r, Frame *f, int v, Sym value) {
    const FunctionVar *var = &f->f->var[v];
    const Sym         *old = &f->var[v];
    if (r->failed || value.count < 0 || value.rank != var->rank) {
        fail(r);
        return;
    }
    for (int d = 0; d < value.rank && old->count >= 0; d++)
        if (var->size[d] && old->dim[d] != value.dim[d]) {
            fail(r);
            return;
        }
    if (var->type == TYPE_REAL) { /* Integer values become Real */
        Term *item = NEW(&r->scratch, Term, value.count + 1);
        for (int k = 0; k < value.count; k++)
            item[k] = value.item[k] && r->shapes->node[value.item[k]].type == TYPE_INTEGER
                          ? expr_1(r->shapes, TERM_TO_REAL, value.item[k])
                          : value.item[k];
        value.item = item;
    }
    f->var[v] = value;
    forget(f);
}

static void store_element(Run *r, Frame *f, Term target, const Sym *value) {
    Node node = r->shapes->node[target], array;
    array = r->shapes->node[expr_arg(r->shapes, target, 0)];
    if (array.op != TERM_ARRAY_SLOT) {
        fail(r);
        return;
    }
    Sym changed = f->var[array.index];
    int at = 0, sub;
    if (changed.count < 0 || (int)node.n - 1 != changed.rank) {
        fail(r);
        return;
    }
    for (int k = 0; k < changed.rank; k++) {
        if (!eval_number(r, f, expr_arg(r->shapes, target, (uint32_t)k + 1), &sub) ||
            sub < 1 || sub > changed.dim[k]) {
            fail(r);
            return;
        }
        at = at * changed.dim[k] + sub - 1;
    }
    Term *item = NEW(&r->scratch, Term, changed.count + 1);
    memcpy(item, changed.item, sizeof(Term) * (size_t)changed.count);
    item[at] = term_of(r, value);
    changed.item = item;
    store(r, f, array.index, changed);
}

static void assign(Run *r, Frame *f, Term target, Sym value) {
    Node node = r->shapes->node[target];
    if (r->failed) return;
    if (node.op == TERM_ELEMENT) store_element(r, f, target, &value);
    else if (node.op == TERM_SLOT || node.op == TERM_ARRAY_SLOT)
        store(r, f, node.index, value);
    else fail(r);
}

static void assign_results(Run *r, Frame *f, Term targets, Term from) {
    Node       tuple = r->shapes->node[targets], node = r->shapes->node[from];
    const Sym *output;
    Sym       *arg = NEW(&r->scratch, Sym, node.n + 1);
    for (uint32_t k = 0; k < node.n; k++)
        arg[k] = eval(r, f, expr_arg(r->shapes, from, k));
    if (r->failed || node.op != TERM_CALL ||
        !carry_out(r, node.index, arg, (int)node.n, &output)) {
        fail(r);
        return;
    }
    const Function *g = r->shapes->function[node.index];
    for (uint32_t k = 0; k < tuple.n && (int)k < g->outputs; k++)
        assign(r, f, expr_arg(r->shapes, targets, k), output[k]);
}

static Flow statements(Run *r, Frame *f, int number);

static Flow branch(Run *r, Frame *f, const Stmt *s) {
    double x;
    Term   cond = eval_scalar(r, f, s->a);
    if (r->failed) return FLOW_NEXT;
    if (expr_literal(r->shapes, cond, &x))
        return statements(r, f, x ? s->body : s->other);
    int  n = f->f->vars;
    Sym *before = arena_copy(&r->scratch, f->var, sizeof(Sym) * (size_t)n);
    if (statements(r, f, s->body) != FLOW_NEXT) fail(r);
    Sym *yes = f->var;
    f->var = before;
    forget(f);
    if (!r->failed && statements(r, f, s->other) != FLOW_NEXT) fail(r);
    for (int k = 0; k < n && !r->failed; k++)
        f->var[k] = join(r, cond, &yes[k], &f->var[k]);
    forget(f);
    return FLOW_NEXT;
}

static Flow loop(Run *r, Frame *f, const Stmt *s) {
    int from, to, step = 1, counter = r->shapes->node[s->a].index;
    if (!eval_number(r, f, s->b, &from) || !eval_number(r, f, s->c, &to))
        return FLOW_NEXT;
    if (s->step && (!eval_number(r, f, s->step, &step) || step == 0)) {
        fail(r);
        return FLOW_NEXT;
    }
    for (int i = from; (step > 0 ? i <= to : i >= to) && !r->failed; i += step) {
        if (++r->steps > STEPS) fail(r);
        store(r, f, counter, scalar(r, expr_integer(r->shapes, i)));
        Flow flow = statements(r, f, s->body);
        if (flow == FLOW_RETURN) return flow;
        if (flow == FLOW_BREAK) break;
    }
    return FLOW_NEXT;
}

static Flow repeat(Run *r, Frame *f, const Stmt *s) {
    while (!r->failed) {
        double x;
        if (++r->steps > STEPS || !expr_literal(r->shapes, eval_scalar(r, f, s->a), &x))
            fail(r);
        if (r->failed || x == 0) break;
        Flow flow = statements(r, f, s->body);
        if (flow == FLOW_RETURN) return flow;
        if (flow == FLOW_BREAK) break;
    }
    return FLOW_NEXT;
}

static void resize(Run *r, Frame *f, const Stmt *s) {
    int  v = r->shapes->node[s->a].index;
    Sym  sized = {.rank = f->f->var[v].rank, .count = 1};
    Node tuple = r->shapes->node[s->b];
    for (int d = 0; d < sized.rank && d < RANK; d++) {
        if ((uint32_t)d >= tuple.n ||
            !eval_number(r, f, expr_arg(r->shapes, s->b, (uint32_t)d), &sized.dim[d])) {
            fail(r);
            return;
        }
        sized.count *= sized.dim[d] > 0 ? sized.dim[d] : 0;
    }
    sized.item = NEW(&r->scratch, Term, sized.count + 1);
    f->var[v] = sized;
    forget(f);
}

static Flow statement(Run *r, Frame *f, const Stmt *s) {
    switch (s->kind) {
    case STMT_ASSIGN:
        if (expr_op(r->shapes, s->a) == TERM_TUPLE) assign_results(r, f, s->a, s->b);
        else assign(r, f, s->a, eval(r, f, s->b));
        return FLOW_NEXT;
    case STMT_CALL: { /* only an assertion that holds can be left out */
        double x;
        if (expr_op(r->shapes, s->a) != TERM_ASSERT ||
            !expr_literal(r->shapes, eval_scalar(r, f, expr_arg(r->shapes, s->a, 0)),
                          &x) ||
            x == 0)
            fail(r);
        return FLOW_NEXT;
    }
    case STMT_IF: return branch(r, f, s);
    case STMT_FOR: return loop(r, f, s);
    case STMT_WHILE: return repeat(r, f, s);
    case STMT_RETURN: return FLOW_RETURN;
    case STMT_BREAK: return FLOW_BREAK;
    case STMT_RESIZE: resize(r, f, s); return FLOW_NEXT;
    case STMT_WHEN: break;
    }
    fail(r);
    return FLOW_NEXT;
}

static Flow statements(Run *r, Frame *f, int number) {
    for (; number >= 0 && !r->failed; number = f->f->stmt[number].next) {
        if (++r->steps > STEPS) fail(r);
        Flow flow = r->failed ? FLOW_NEXT : statement(r, f, &f->f->stmt[number]);
        if (flow != FLOW_NEXT) return flow;
    }
    return FLOW_NEXT;
}

/* ---- calls --------------------------------------------------------------------------------------- */

/* Outputs and locals: sizes where they are declared, no elements yet. */
static void declare(Run *r, Frame *f, int v) {
    const FunctionVar *var = &f->f->var[v];
    Sym                s = {.rank = var->rank, .count = 1};
    if (var->rank > RANK) {
        fail(r);
        return;
    }
    for (int d = 0; d < var->rank; d++) {
        if (!var->size || !var->size[d] || !eval_number(r, f, var->size[d], &s.dim[d])) {
            s.count = -1; /* open, or of a local that gets its value later */
            r->failed = false;
            break;
        }
        s.count *= s.dim[d] > 0 ? s.dim[d] : 0;
    }
    if (s.count > STEPS) fail(r);
    else if (s.count >= 0) s.item = NEW(&r->scratch, Term, s.count + 1);
    f->var[v] = s;
    if (var->init && !r->failed) store(r, f, v, eval(r, f, var->init));
}

static void run_body(Run *r, Frame *f, const Sym *arg) {
    const Function *fun = f->f;
    f->var = NEW(&r->scratch, Sym, fun->vars + 1);
    for (int k = 0; k < fun->vars; k++) f->var[k] = (Sym){.count = -1};
    for (int k = 0; k < fun->inputs && !r->failed; k++) {
        const FunctionVar *var = &fun->var[k];
        for (int d = 0; d < var->rank && d < RANK; d++) {
            double n;
            if (var->size[d] && expr_literal(r->shapes, var->size[d], &n) &&
                (arg[k].rank != var->rank || arg[k].dim[d] != (int)n))
                fail(r);
        }
        store(r, f, k, arg[k]);
    }
    for (int k = fun->inputs; k < fun->vars && !r->failed; k++) declare(r, f, k);
    if (!r->failed) statements(r, f, fun->first);
    for (int k = 0; k < fun->outputs && !r->failed; k++) {
        const Sym *out = &f->var[fun->inputs + k];
        if (out->count < 0) fail(r);
        for (int j = 0; j < out->count && !r->failed; j++)
            if (!out->item[j]) fail(r);
    }
}

static const Sym *keep(Shapes *shapes, const Frame *f) {
    const Function *fun = f->f;
    Sym            *output = arena_copy(&shapes->arena, f->var + fun->inputs,
                                        sizeof(Sym) * (size_t)(fun->outputs ? fun->outputs : 1));
    for (int k = 0; k < fun->outputs; k++)
        if (output[k].count > 0)
            output[k].item = arena_copy(&shapes->arena, output[k].item,
                                        sizeof(Term) * (size_t)output[k].count);
    return output;
}

static bool mostly_numbers(const Shapes *shapes, const Term *item, int n) {
    int    numbers = 0;
    double value;
    for (int k = 0; k < n; k++) numbers += expr_literal(shapes, item[k], &value);
    return 2 * numbers > n;
}

/* The results of a call, if its body can be carried out. */
static bool carry_out(Run *r, int number, const Sym *arg, int n, const Sym **output) {
    Shapes         *shapes = r->shapes;
    const Function *fun = number < shapes->functions ? shapes->function[number] : NULL;
    const int       least = r->late ? INLINE_LATE : INLINE_KNOWN;
    if (!fun || fun->inlines < least || n != fun->inputs || r->depth >= DEPTH)
        return false;
    Term *item = NEW(&r->scratch, Term, n + 1);
    for (int k = 0; k < n; k++) item[k] = whole(r, &arg[k], 0, 0);
    if (r->failed) { /* an argument without value */
        r->failed = false;
        return false;
    }
    if (fun->inlines == INLINE_KNOWN && !mostly_numbers(shapes, item, n)) return false;
    Term    key = expr_call(shapes, number, -1, TYPE_NONE, 0, item, n);
    int64_t known = map_get(&shapes->inlined, key, -1);
    if (known >= 0) {
        *output = (const Sym *)(intptr_t)known;
        return known != 0;
    }
    Frame    f = {.f = fun};
    uint32_t before = shapes->nodes;
    int      binds = r->binds, steps = r->steps, height = r->height;
    r->binds = 0;
    r->height = 0;
    r->depth++;
    run_body(r, &f, arg);
    r->depth--;
    r->binds = binds;
    r->height = height;
    uint32_t most = fun->inlines == INLINE_SMALL ? NODES_SMALL : NODES_ASKED;
    if (shapes->nodes - before > most) fail(r);
    *output = r->failed ? NULL : keep(shapes, &f);
    forget(&f);
    map_put(&shapes->inlined, key, (int64_t)(intptr_t)*output);
    if (r->failed) r->steps = steps;
    r->failed = false;
    return *output != NULL;
}

static bool term_reads(Shapes *shapes, Term root, int var) {
    for (int i = 0, n = root ? expr_walk(shapes, root) : 0; i < n; i++) {
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if ((node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT) &&
            (int)node->index == var)
            return true;
    }
    return false;
}

static bool text_reads(Shapes *shapes, const Function *f, int var) {
    bool reads = false;
    for (int k = 0; k < f->stmts && !reads; k++) {
        const Stmt *s = &f->stmt[k];
        const Term  part[] = {s->a, s->b, s->c, s->step};
        for (int i = 0; i < LENGTH(part); i++) reads |= term_reads(shapes, part[i], var);
    }
    for (int k = 0; k < f->vars && !reads; k++)
        reads = term_reads(shapes, f->var[k].init, var);
    return reads;
}

/* Does a derivative leave out all inputs that the text reads? It is given instead of that of the text,
 * as where a position, a speed and an acceleration are handed over together. Where the text reads others
 * as well, as a vector that is resolved in a frame, what is left out follows from the model. Values that
 * come from another clock have no derivative, so there the given one is the only one; elsewhere both are
 * the same, and the text shows more. */
static bool derivative_differs(Shapes *shapes, const Function *f) {
    for (int d = 0; d < f->derivatives; d++) {
        const uint8_t *input = f->derivative[d].input;
        bool           left_out = false, counts = false;
        for (int k = 0; input && k < f->inputs; k++) {
            left_out |= input[k] == DERIVATIVE_NOT;
            counts |= input[k] != DERIVATIVE_NOT && text_reads(shapes, f, k);
        }
        if (left_out && !counts) return true;
    }
    return false;
}

/* What is given instead of a derivative has a given derivative as well. */
static void keep_derivatives(Shapes *shapes, const Function *f) {
    for (int d = 0; d < f->derivatives; d++) {
        Function *g = shapes->function[f->derivative[d].function];
        if (!g->derivatives || g->inlines <= INLINE_LATE) continue;
        g->inlines = INLINE_LATE;
        keep_derivatives(shapes, g);
    }
}

int function_inlines(Shapes *shapes, const Function *f, bool asked) {
    if (f->external || f->flags & (FUNCTION_IMPURE | FUNCTION_ALGORITHM))
        return INLINE_NEVER;
    if (f->outputs == 0 || f->first < 0) return INLINE_NEVER;
    for (int k = 0; k < f->stmts; k++) {
        const Stmt *s = &f->stmt[k];
        if (s->kind == STMT_WHEN || s->kind == STMT_WHILE) return INLINE_NEVER;
    }
    for (int k = 0; k < f->vars; k++)
        if (f->var[k].type == TYPE_OBJECT || f->var[k].type == TYPE_CLOCK)
            return INLINE_NEVER;
    if (asked) return INLINE_ASKED;
    if (shapes->clocked && derivative_differs(shapes, f)) {
        keep_derivatives(shapes, f);
        return INLINE_LATE;
    }
    return f->stmts <= STMTS_SMALL   ? INLINE_SMALL
           : f->stmts <= STMTS_KNOWN ? INLINE_KNOWN
                                     : INLINE_NEVER;
}

static Term inline_calls(Shapes *shapes, Term root, bool late) {
    if (!(shapes->node[root].flags & NODE_CALLS)) return root;
    int   count = expr_walk(shapes, root);
    Term *list = mem_resize(NULL, 2 * (size_t)count * sizeof *list),
         *result = list + count, *arg = NULL;
    Map      at = {0};
    uint32_t room = 0;
    memcpy(list, shapes->walk, (size_t)count * sizeof *list);
    for (int i = 0; i < count; i++) map_put(&at, list[i], i);
    for (int i = 0; i < count; i++) {
        Node node = shapes->node[list[i]];
        result[i] = list[i];
        if (!(node.flags & NODE_CALLS)) continue;
        GROW(arg, room, node.n);
        for (uint32_t k = 0; k < node.n; k++)
            arg[k] = result[map_get(&at, shapes->arg[node.arg + k], 0)];
        if (node.n) result[i] = expr_rebuild(shapes, list[i], arg);
        if (expr_op(shapes, result[i]) != TERM_CALL ||
            shapes->node[result[i]].integer < 0)
            continue;
        Run   r = {.shapes = shapes, .late = late};
        Frame none = {0};
        Node  made = shapes->node[result[i]];
        Sym   value = call(&r, &none, result[i], &made);
        Term  term = r.failed ? 0 : whole(&r, &value, 0, 0);
        if (!r.failed) result[i] = term;
        forget(&none);
        arena_free(&r.scratch);
    }
    Term final = result[count - 1];
    map_free(&at);
    MEM_FREE(arg, list);
    return final;
}

Term expr_inline(Shapes *shapes, Term root) {
    return inline_calls(shapes, root, false);
}

Term expr_inline_late(Shapes *shapes, Term root) {
    return inline_calls(shapes, root, true);
}
