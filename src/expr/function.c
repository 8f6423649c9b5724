/* SPDX-License-Identifier: Apache-2.0 */
/* function.c -- user functions, and derivatives of functions.
 *
 * A derivative comes from the annotation if there is one that fits, else from the body: each
 * Real variable v gets a companion dv, and each assignment v := e is preceded by dv := de/dt
 * (forward mode on statements; Griewank and Walther 2008, section 3.2). Loops and branches
 * stay as they are. The cost is that of the body times a small constant. */
#include "expr/expr.h"

#include <assert.h>
#include <string.h>

int function_add(Shapes *shapes, const Function *function) {
    GROW(shapes->function, shapes->function_room, shapes->functions + 1);
    Function *copy = NEW(&shapes->arena, Function, 1);
    *copy = *function;
    copy->generated = -1;
    copy->differenced = -1;
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
        if (b->d[k] >= 0) {
            b->g.var[b->d[k]].size = same->size;
            if (var->init) b->g.var[b->d[k]].init = derived(b, var->init);
        }
        int before = k - b->f->inputs; /* input that holds the value at the beginning */
        if (!(b->f->flags & FUNCTION_ALGORITHM) || before < 0 || before >= b->f->outputs)
            continue;
        same->init = b->to[before];
        if (b->d[k] >= 0)
            b->g.var[b->d[k]].init =
                b->d[before] >= 0 ? b->to[b->f->vars + before] : b->shapes->zero;
    }
}

static int emit(Body *b, Stmt stmt) {
    GROW(b->g.stmt, b->stmt_room, b->g.stmts + 1);
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
        bool after = false; /* zeros take the sizes of what has been assigned */
        Stmt assign = {
            .kind = STMT_ASSIGN, .body = -1, .other = -1, .next = -1, .pos = stmt.pos};
        if (stmt.kind == STMT_ASSIGN) {
            assign.a = derived_target(b, stmt.a);
            if (assign.a) assign.b = derived(b, stmt.b);
            after = assign.a && assign.b == b->shapes->zero &&
                    b->shapes->node[assign.a].op == TERM_ARRAY_SLOT;
            if (assign.a && !after) link_to(b, &first, &last, emit(b, assign));
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
        if (!after) continue;
        assign.b = expr_zeros_like(b->shapes, copy.a);
        link_to(b, &first, &last, emit(b, assign));
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
                     .flags = f->flags & ~FUNCTION_ALGORITHM,
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
    mem_free(block);
    return b.failed ? -2 : function_add(shapes, &b.g);
}

/* Does an annotation give the derivative in any direction? One that leaves out an input does not:
 * what that contributes is put together from the others, which is right along the time only
 * (resolving a vector in a frame that turns adds the angular velocity of the frame). */
static bool is_total(const Function *function, const Derivative *d) {
    for (int k = 0; k < function->inputs && d->input; k++)
        if (d->input[k] != DERIVATIVE_WANTED) return false;
    return d->order == 1;
}

void function_prepare_derivative(Shapes *shapes, int f, bool time) {
    if (f >= shapes->functions) return;
    Function *function = shapes->function[f];
    if (function->generated != -1 || (time && function->derivatives)) return;
    for (int i = 0; i < function->derivatives; i++)
        if (is_total(function, &function->derivative[i])) return;
    function->generated = -2; /* also the answer to a recursive question */
    if (function->external || function->flags & FUNCTION_IMPURE || function->first < 0)
        return;
    int made = generate(shapes, f);
    shapes->function[f]->generated = made;
}

/* Does an annotation give the derivative asked for? Marks the inputs whose derivatives it takes.
 * That of order n + 1 stands in the derivative of order n and takes only what is new: the
 * derivatives of the inputs that are of order n themselves, which are the last ones (Modelica 3.6,
 * 12.7.1). The others are known along the time. */
static bool derivative_fits(Shapes *shapes, Function *f, const Derivative *d, bool time,
                            const bool *zero) {
    int first = 0;
    if (d->order > 1) first = 2 * f->inputs - shapes->function[d->function]->inputs;
    if (d->order > 1 && (!time || first < 0)) return false;
    for (int k = 0; k < f->inputs; k++) {
        int rule = d->input ? d->input[k] : DERIVATIVE_WANTED;
        f->wanted[k] =
            k >= first && f->var[k].type == TYPE_REAL && rule == DERIVATIVE_WANTED;
        bool fits =
            rule == DERIVATIVE_WANTED || (rule == DERIVATIVE_ZERO ? zero[k] : time);
        if (!fits) return false;
    }
    return true;
}

int function_derivative(Shapes *shapes, int f, bool time, const bool *zero,
                        const bool **wanted) {
    if (f >= shapes->functions) return -1;
    Function *function = shapes->function[f];
    *wanted = function->wanted;
    for (int i = 0; i < function->derivatives; i++) {
        const Derivative *d = &function->derivative[i];
        if (derivative_fits(shapes, function, d, time, zero)) return d->function;
    }
    for (int k = 0; k < function->inputs; k++)
        function->wanted[k] = function->var[k].type == TYPE_REAL;
    return function->generated >= 0 ? function->generated : -1;
}

/* ---- differences ------------------------------------------------------------------------------ */

enum { MOST_RANK = 32 };

typedef struct Near { /* a difference function under construction */
    Shapes  *shapes;
    Function g;
    uint32_t stmt_room;
} Near;

static Term near_slot(Near *b, int number) {
    return local(b->shapes, &b->g.var[number], number);
}

static void near_assign(Near *b, Term left, Term right) {
    GROW(b->g.stmt, b->stmt_room, b->g.stmts + 1);
    if (b->g.stmts) b->g.stmt[b->g.stmts - 1].next = b->g.stmts;
    b->g.stmt[b->g.stmts++] = (Stmt){.kind = STMT_ASSIGN,
                                     .a = left,
                                     .b = right,
                                     .body = -1,
                                     .other = -1,
                                     .next = -1,
                                     .pos = b->g.pos};
}

/* The largest |dx|/max(|x|, 1) over the elements of an input. */
static Term near_size(Near *b, Term x, Term dx) {
    Shapes *shapes = b->shapes;
    int     rank = shapes->node[x].rank;
    Term    x_at[MOST_RANK + 1] = {x}, dx_at[MOST_RANK + 1] = {dx};
    if (rank > MOST_RANK) return shapes->one;
    for (int k = 0; k < rank; k++) x_at[k + 1] = dx_at[k + 1] = expr_iterator(shapes, k);
    Term a = rank ? expr_make(shapes, TERM_ELEMENT, x_at, rank + 1) : x;
    Term d = rank ? expr_make(shapes, TERM_ELEMENT, dx_at, rank + 1) : dx;
    Term size = expr_2(shapes, TERM_MAX, expr_1(shapes, TERM_ABS, a), shapes->one);
    Term e = expr_2(shapes, TERM_DIV, expr_1(shapes, TERM_ABS, d), size);
    for (int k = rank; k >= 1; k--) {
        Term length = expr_2(shapes, TERM_SIZE, x, expr_integer(shapes, k));
        e = expr_indexed(shapes, TERM_MAX_OF, k - 1, (Term[]){length, e}, 2);
    }
    return e;
}

/* x + step dx, element by element. */
static Term near_moved(Near *b, Term x, Term dx, Term step) {
    Shapes *shapes = b->shapes;
    int     rank = shapes->node[x].rank;
    Term    x_at[MOST_RANK + 1] = {x}, dx_at[MOST_RANK + 1] = {dx};
    if (rank > MOST_RANK) return x;
    for (int k = 0; k < rank; k++) x_at[k + 1] = dx_at[k + 1] = expr_iterator(shapes, k);
    Term a = rank ? expr_make(shapes, TERM_ELEMENT, x_at, rank + 1) : x;
    Term d = rank ? expr_make(shapes, TERM_ELEMENT, dx_at, rank + 1) : dx;
    Term e = expr_2(shapes, TERM_ADD, a, expr_2(shapes, TERM_MUL, step, d));
    for (int k = rank; k >= 1; k--) {
        Term length = expr_2(shapes, TERM_SIZE, x, expr_integer(shapes, k));
        e = expr_indexed(shapes, TERM_EACH, k - 1, (Term[]){length, e}, 2);
    }
    return e;
}

/* f(x + h dx) or f(x - h dx), into the local variables from `first`. */
static void near_call(Near *b, int number, const int *d, Term step, int first) {
    Shapes         *shapes = b->shapes;
    const Function *f = shapes->function[number];
    Term           *arg = NEW(&shapes->arena, Term, f->inputs + 1);
    Term           *left = NEW(&shapes->arena, Term, f->outputs + 1);
    for (int k = 0; k < f->inputs; k++) {
        arg[k] = near_slot(b, k);
        if (d[k] >= 0) arg[k] = near_moved(b, arg[k], near_slot(b, d[k]), step);
    }
    for (int k = 0; k < f->outputs; k++) left[k] = near_slot(b, first + k);
    near_assign(b, expr_make(shapes, TERM_TUPLE, left, f->outputs),
                expr_call(shapes, number, -1, TYPE_NONE, 0, arg, f->inputs));
}

static void near_var(Near *b, int number, const FunctionVar *like, const char *name) {
    FunctionVar *new = &b->g.var[number];
    *new = (FunctionVar){.name = like ? like->name : str_of(b->shapes->strings, name),
                         .type = like ? like->type : TYPE_REAL,
                         .rank = like ? like->rank : 0,
                         .enumeration = like ? like->enumeration : -1};
    new->size = NEW(&b->shapes->arena, Term, new->rank + 1); /* zeroed: open */
}

/* Variables: inputs, their directions; results; step, its inverse; f at both sides. */
static int near_declare(Near *b, const Function *f, int *d) {
    int n = 0;
    for (int k = 0; k < f->inputs; k++) near_var(b, n++, &f->var[k], NULL);
    for (int k = 0; k < f->inputs; k++) {
        d[k] = f->var[k].type == TYPE_REAL ? n : -1;
        if (d[k] >= 0) near_var(b, n++, &f->var[k], NULL);
    }
    b->g.inputs = n;
    for (int k = 0; k < f->outputs; k++)
        if (f->var[f->inputs + k].type == TYPE_REAL)
            near_var(b, n++, &f->var[f->inputs + k], NULL);
    b->g.outputs = n - b->g.inputs;
    int step = n;
    near_var(b, n++, NULL, "size");
    near_var(b, n++, NULL, "step");
    for (int k = 0; k < 2 * f->outputs; k++)
        near_var(b, n++, &f->var[f->inputs + k % f->outputs], NULL);
    b->g.vars = n;
    return step;
}

/* (f(x + h dx) - f(x - h dx))/(2 h), with h so that no input moves by more than 6e-6 (the cube
 * root of rounding) of its size: error about 1e-10. */
static int make_difference(Shapes *shapes, int number) {
    const Function *f = shapes->function[number];
    Near            b = {.shapes = shapes};
    Text            name = {0};
    int            *d = NEW(&shapes->arena, int, f->inputs + 1);
    text_printf(&name, "difference(%s)", str_text(shapes->strings, f->name));
    b.g = (Function){
        .name = str_of(shapes->strings, text_get(&name)),
        .pos = f->pos,
        .first = 0,
        .var = NEW(&shapes->arena, FunctionVar, 2 * f->inputs + 3 * f->outputs + 3)};
    text_free(&name);
    int  step = near_declare(&b, f, d), first = step + 2, result = b.g.inputs;
    Term size = near_slot(&b, step), h = near_slot(&b, step + 1);
    for (int k = 0; k < f->inputs; k++)
        if (d[k] >= 0)
            near_assign(&b, size,
                        expr_2(shapes, TERM_MAX, size,
                               near_size(&b, near_slot(&b, k), near_slot(&b, d[k]))));
    near_assign(&b, h,
                expr_3(shapes, TERM_IF, expr_2(shapes, TERM_GREATER, size, shapes->zero),
                       expr_2(shapes, TERM_DIV, expr_real(shapes, 6e-6), size),
                       shapes->one));
    near_call(&b, number, d, h, first);
    near_call(&b, number, d, expr_1(shapes, TERM_NEG, h), first + f->outputs);
    for (int k = 0; k < f->outputs; k++) {
        if (f->var[f->inputs + k].type != TYPE_REAL) continue;
        Term change = expr_sub(shapes, near_slot(&b, first + k),
                               near_slot(&b, first + f->outputs + k));
        Term twice = expr_2(shapes, TERM_MUL, expr_real(shapes, 2), h);
        near_assign(&b, near_slot(&b, result++), expr_2(shapes, TERM_DIV, change, twice));
    }
    Stmt *block = b.g.stmt;
    b.g.stmt = arena_copy(&shapes->arena, block, (size_t)b.g.stmts * sizeof *block);
    mem_free(block);
    return function_add(shapes, &b.g);
}

int function_difference(Shapes *shapes, int f, const bool **wanted) {
    if (f >= shapes->functions) return -1;
    if (shapes->function[f]->differenced < 0) {
        int made = make_difference(shapes, f);
        shapes->function[f]->differenced = made;
    }
    Function *function = shapes->function[f];
    for (int k = 0; k < function->inputs; k++)
        function->wanted[k] = function->var[k].type == TYPE_REAL;
    *wanted = function->wanted;
    return function->differenced;
}

int function_derivative_output(const Shapes *shapes, int f, int output) {
    const Function *function = shapes->function[f];
    int             n = 0;
    for (int k = 0; k < output; k++)
        n += function->var[function->inputs + k].type == TYPE_REAL;
    return n;
}
