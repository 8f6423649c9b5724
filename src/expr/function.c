/* SPDX-License-Identifier: Apache-2.0 */
/* function.c -- user functions, and derivatives of functions.
 *
 * A derivative comes from the annotation if there is one that fits, else from the body: each
 * Real variable v gets a companion dv, and each assignment v := e is preceded by dv := de/dt
 * (forward mode on statements; Griewank and Walther 2008, section 3.2). Loops and branches
 * stay as they are. The cost is that of the body times a small constant. */
#include "expr/expr.h"
#include "expr/pool.h"

#include <assert.h>
#include <string.h>

int function_add(Shapes *shapes, const Function *function) {
    POOL_GROW(&shapes->arena, shapes->function, shapes->function_room,
              shapes->functions + 1);
    Function *copy = NEW(&shapes->arena, Function, 1);
    *copy = *function;
    copy->generated = -1;
    copy->wanted = NEW(&shapes->arena, bool, function->inputs + 1);
    shapes->function[shapes->functions] = copy;
    return shapes->functions++;
}

/* ---- differentiating a body --------------------------------------------------------------- */

typedef struct Body {
    Shapes         *shapes;
    const Function *f;
    Function        g;
    int     *same, *d;  /* by variable of f: its number in g, of its derivative or -1 */
    Term    *from, *to; /* slots of f and of their derivatives, and theirs in g */
    Term    *seed;
    uint32_t stmt_room;
    bool     failed;
} Body;

static Term local(Shapes *shapes, const FunctionVar *var, int number) {
    return var->rank ? expr_array_slot(shapes, number, (Type)var->type, var->rank)
                     : expr_slot(shapes, number, (Type)var->type);
}

static Term moved(Body *b, Term e) {
    return e ? expr_replace(b->shapes, e, b->from, b->to, 2 * b->f->vars) : 0;
}

static Term derived(Body *b, Term e) {
    const char *reason;
    Term        d = expr_tangent(b->shapes, e, b->seed, b->f->vars, false, &reason);
    if (!d) b->failed = true;
    return d ? moved(b, expr_simplify(b->shapes, d)) : 0;
}

static void declare(Body *b, int number, int of, bool derivative) {
    const FunctionVar *var = &b->f->var[of];
    FunctionVar *new = &b->g.var[number];
    *new = *var;
    new->init = 0;
    if (derivative) b->d[of] = number;
    else b->same[of] = number;
}

/* Numbers the variables of g: inputs, their derivatives; derivatives of outputs; the rest. */
static void declare_all(Body *b) {
    const Function *f = b->f;
    int             n = 0;
    for (int k = 0; k < f->vars; k++) b->d[k] = -1;
    for (int k = 0; k < f->inputs; k++) declare(b, n++, k, false);
    for (int k = 0; k < f->inputs; k++)
        if (f->var[k].type == TYPE_REAL) declare(b, n++, k, true);
    b->g.inputs = n;
    for (int k = f->inputs; k < f->inputs + f->outputs; k++)
        if (f->var[k].type == TYPE_REAL) declare(b, n++, k, true);
    b->g.outputs = n - b->g.inputs;
    for (int k = f->inputs; k < f->vars; k++) declare(b, n++, k, false);
    for (int k = f->inputs + f->outputs; k < f->vars; k++)
        if (f->var[k].type == TYPE_REAL) declare(b, n++, k, true);
    b->g.vars = n;
    for (int k = 0; k < f->vars; k++) {
        const FunctionVar *var = &f->var[k];
        b->from[k] = local(b->shapes, var, k);
        b->to[k] = local(b->shapes, var, b->same[k]);
        if (b->d[k] < 0) continue;
        b->seed[k] = b->from[f->vars + k] = local(b->shapes, var, f->vars + k);
        b->to[f->vars + k] = local(b->shapes, var, b->d[k]);
    }
}

static void bind_all(Body *b) {
    for (int k = 0; k < b->f->vars; k++) {
        const FunctionVar *var = &b->f->var[k];
        FunctionVar       *same = &b->g.var[b->same[k]];
        same->size = NEW(&b->shapes->arena, Term, var->rank + 1);
        for (int d = 0; d < var->rank; d++)
            same->size[d] = var->size && var->size[d] ? moved(b, var->size[d]) : 0;
        same->init = moved(b, var->init);
        if (b->d[k] < 0) continue;
        b->g.var[b->d[k]].size = same->size;
        if (var->init) b->g.var[b->d[k]].init = derived(b, var->init);
    }
}

static int emit(Body *b, Stmt stmt) {
    POOL_GROW(&b->shapes->arena, b->g.stmt, b->stmt_room, b->g.stmts + 1);
    b->g.stmt[b->g.stmts] = stmt;
    return b->g.stmts++;
}

/* Target of an assignment to the derivative of `a`; 0 if a is not Real. */
static Term derived_target(Body *b, Term a) {
    Shapes *shapes = b->shapes;
    Node    node = shapes->node[a];
    if (node.op == TERM_TUPLE) {
        Term *target = NEW(&shapes->arena, Term, node.n);
        int   n = 0;
        for (uint32_t k = 0; k < node.n; k++) {
            Term t = derived_target(b, expr_arg(shapes, a, k));
            if (t) target[n++] = t;
        }
        return n ? expr_make(shapes, TERM_TUPLE, target, n) : 0;
    }
    if (node.op == TERM_ELEMENT) {
        Term  array = derived_target(b, expr_arg(shapes, a, 0));
        Term *arg = NEW(&shapes->arena, Term, node.n);
        if (!array) return 0;
        for (uint32_t k = 1; k < node.n; k++) arg[k] = moved(b, expr_arg(shapes, a, k));
        arg[0] = array;
        return expr_make(shapes, TERM_ELEMENT, arg, (int)node.n);
    }
    if (node.op != TERM_SLOT && node.op != TERM_ARRAY_SLOT) return 0;
    return b->d[node.index] < 0 ? 0
                                : local(shapes, &b->f->var[node.index], b->d[node.index]);
}

static void link_to(Body *b, int *first, int *last, int number) {
    if (*last >= 0) b->g.stmt[*last].next = number;
    else *first = number;
    *last = number;
}

/* The list that starts at `number`, with derivatives; depth of recursion is that of nested
 * statements in the text. */
static int statements(Body *b, int number) {
    int first = -1, last = -1;
    for (; number >= 0 && !b->failed; number = b->f->stmt[number].next) {
        Stmt stmt = b->f->stmt[number], copy = stmt;
        if (stmt.kind == STMT_ASSIGN) {
            Term target = derived_target(b, stmt.a);
            if (target) {
                Term d = derived(b, stmt.b);
                if (d == b->shapes->zero && b->shapes->node[target].op == TERM_ARRAY_SLOT)
                    b->failed = true; /* a whole constant array: no literal for it */
                Stmt assign = {.kind = STMT_ASSIGN,
                               .a = target,
                               .b = d,
                               .body = -1,
                               .other = -1,
                               .next = -1,
                               .pos = stmt.pos};
                link_to(b, &first, &last, emit(b, assign));
            }
        } else if (stmt.kind == STMT_RESIZE) {
            Term target = derived_target(b, stmt.a);
            Stmt resize = {.kind = STMT_RESIZE,
                           .a = target,
                           .b = moved(b, stmt.b),
                           .body = -1,
                           .other = -1,
                           .next = -1,
                           .pos = stmt.pos};
            if (target) link_to(b, &first, &last, emit(b, resize));
        }
        copy.a = moved(b, stmt.a);
        copy.b = moved(b, stmt.b);
        copy.c = moved(b, stmt.c);
        copy.step = moved(b, stmt.step);
        copy.next = -1;
        copy.body = statements(b, stmt.body);
        copy.other = statements(b, stmt.other);
        link_to(b, &first, &last, emit(b, copy));
    }
    return first;
}

static int generate(Shapes *shapes, int number) {
    const Function *f = shapes->function[number];
    int             n = f->vars;
    Body            b = {.shapes = shapes, .f = f};
    Text            name = {0};
    text_printf(&name, "der(%s)", str_text(shapes->strings, f->name));
    b.g = (Function){.name = str_of(shapes->strings, text_get(&name)),
                     .pos = f->pos,
                     .flags = f->flags,
                     .first = -1,
                     .smooth = f->smooth > 0 ? f->smooth - 1 : 0,
                     .var = NEW(&shapes->arena, FunctionVar, 2 * n + 1)};
    text_free(&name);
    b.same = NEW(&shapes->arena, int, 2 * n + 1);
    b.d = b.same + n;
    b.from = NEW(&shapes->arena, Term, 5 * n + 1);
    b.to = b.from + 2 * n;
    b.seed = b.from + 4 * n;
    declare_all(&b);
    bind_all(&b);
    b.g.first = statements(&b, f->first);
    Stmt *block = b.g.stmt;
    b.g.stmt = arena_copy(&shapes->arena, block, (size_t)b.g.stmts * sizeof *block);
    free(block);
    return b.failed ? -2 : function_add(shapes, &b.g);
}

void function_prepare_derivative(Shapes *shapes, int f) {
    if (f >= shapes->functions) return;
    Function *function = shapes->function[f];
    if (function->derivatives || function->generated != -1) return;
    function->generated = -2; /* also the answer to a recursive question */
    if (function->external || function->flags & FUNCTION_IMPURE || function->first < 0)
        return;
    int made = generate(shapes, f);
    shapes->function[f]->generated = made;
}

int function_derivative(Shapes *shapes, int f, const bool *zero, const bool **wanted) {
    if (f >= shapes->functions) return -1;
    Function *function = shapes->function[f];
    *wanted = function->wanted;
    for (int i = 0; i < function->derivatives; i++) {
        const Derivative *d = &function->derivative[i];
        bool              fits = d->order == 1;
        for (int k = 0; k < function->inputs && fits; k++) {
            int rule = d->input ? d->input[k] : DERIVATIVE_WANTED;
            function->wanted[k] =
                function->var[k].type == TYPE_REAL && rule == DERIVATIVE_WANTED;
            fits = rule != DERIVATIVE_ZERO || zero[k];
        }
        if (fits) return d->function;
    }
    for (int k = 0; k < function->inputs; k++)
        function->wanted[k] = function->var[k].type == TYPE_REAL;
    return function->generated >= 0 ? function->generated : -1;
}

int function_derivative_output(const Shapes *shapes, int f, int output) {
    const Function *function = shapes->function[f];
    int             n = 0;
    for (int k = 0; k < output; k++)
        n += function->var[function->inputs + k].type == TYPE_REAL;
    return n;
}
