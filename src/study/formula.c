/* SPDX-License-Identifier: Apache-2.0 */
/* formula.c -- expressions of variables, as Modelica writes them, evaluated while a case runs: numbers,
 * names, arithmetic, relations, if, elementary functions. They are turned once into a list of
 * operations on a stack. A relation has the value 1 or 0; its difference, left minus right, stands for it
 * where the moment is asked for at which it becomes true. */
#include "study/study.h"

#include <math.h>
#include <string.h>

enum { DEPTH = 64 };

typedef enum {
    DO_NUMBER,
    DO_VARIABLE,
    DO_TIME,
    DO_ONE,   /* function of one */
    DO_TWO,   /* function of two */
    DO_CHOOSE /* condition, value, other value */
} Do;

typedef double One(double);
typedef double Two(double, double);

typedef struct Operation {
    Do kind;
    union {
        double number;
        int    variable;
        One   *one;
        Two   *two;
    };
} Operation;

struct Formula {
    Operation *list;
    int        count, room;
};

static double negative(double x) {
    return -x;
}
static double truth_not(double x) {
    return x == 0;
}
static double signum(double x) {
    return (x > 0) - (x < 0);
}
static double add(double a, double b) {
    return a + b;
}
static double sub(double a, double b) {
    return a - b;
}
static double mul(double a, double b) {
    return a * b;
}
static double quotient(double a, double b) {
    return a / b;
}
static double less(double a, double b) {
    return a < b;
}
static double less_equal(double a, double b) {
    return a <= b;
}
static double greater(double a, double b) {
    return a > b;
}
static double greater_equal(double a, double b) {
    return a >= b;
}
static double equal(double a, double b) {
    return a == b;
}
static double not_equal(double a, double b) {
    return a != b;
}
static double both(double a, double b) {
    return a != 0 && b != 0;
}
static double either(double a, double b) {
    return a != 0 || b != 0;
}
static double modulo(double a, double b) {
    return a - floor(a / b) * b;
}

static const struct {
    const char *name;
    One        *one;
    Two        *two;
} functions[] = {{"abs", fabs, NULL},    {"sign", signum, NULL}, {"sqrt", sqrt, NULL},
                 {"exp", exp, NULL},     {"log", log, NULL},     {"log10", log10, NULL},
                 {"sin", sin, NULL},     {"cos", cos, NULL},     {"tan", tan, NULL},
                 {"asin", asin, NULL},   {"acos", acos, NULL},   {"atan", atan, NULL},
                 {"sinh", sinh, NULL},   {"cosh", cosh, NULL},   {"tanh", tanh, NULL},
                 {"floor", floor, NULL}, {"ceil", ceil, NULL},   {"atan2", NULL, atan2},
                 {"min", NULL, fmin},    {"max", NULL, fmax},    {"mod", NULL, modulo}};

static Two *const binary[] = {
    [OP_OR] = either,         [OP_AND] = both,
    [OP_LESS] = less,         [OP_LESS_EQUAL] = less_equal,
    [OP_GREATER] = greater,   [OP_GREATER_EQUAL] = greater_equal,
    [OP_EQUAL] = equal,       [OP_NOT_EQUAL] = not_equal,
    [OP_ADD] = add,           [OP_SUB] = sub,
    [OP_MUL] = mul,           [OP_DIV] = quotient,
    [OP_POWER] = pow,         [OP_ADD_EACH] = add,
    [OP_SUB_EACH] = sub,      [OP_MUL_EACH] = mul,
    [OP_DIV_EACH] = quotient, [OP_POWER_EACH] = pow};

typedef struct Making {
    Arena           *arena;
    Session         *session;
    const RbProgram *program;
    Formula         *formula;
    Text            *why;
    int              depth; /* of the stack after what was made */
} Making;

static bool make(Making *m, Expr e);

static bool refuse(Making *m, const char *what, Expr e) {
    text_printf(m->why, "%s '", what);
    format_expr(m->why, m->session, e);
    text_char(m->why, '\'');
    return false;
}

static bool push(Making *m, Operation operation, int grows, Expr e) {
    Formula *f = m->formula;
    m->depth += grows;
    if (m->depth > DEPTH) return refuse(m, "this is nested too deeply:", e);
    f->list = arena_grow(m->arena, f->list, sizeof *f->list, &f->room, f->count + 1);
    f->list[f->count++] = operation;
    return true;
}

static bool make_name(Making *m, Expr e) {
    Text name = {0};
    format_expr(&name, m->session, e);
    int  variable = rb_find(m->program, text_get(&name));
    bool time = strcmp(text_get(&name), "time") == 0;
    text_free(&name);
    if (variable >= 0)
        return push(m, (Operation){DO_VARIABLE, .variable = variable}, 1, e);
    if (time) return push(m, (Operation){DO_TIME, .number = 0}, 1, e);
    return refuse(m, "the model has no variable", e);
}

static bool make_call(Making *m, Expr e) {
    const Call *call = e.call;
    int         n = call->args ? (int)call->args->count : 0;
    const char *name = call->function && call->function->count == 1
                           ? name_of(m->session, call->function->part[0].name)
                           : "";
    if (strcmp(name, "der") == 0) return make_name(m, e); /* a variable of the result */
    for (int k = 0; k < LENGTH(functions); k++) {
        if (strcmp(name, functions[k].name) != 0) continue;
        int places = functions[k].one ? 1 : 2;
        if (n != places || call->named_count || call->iterators) break;
        for (int i = 0; i < n; i++)
            if (!make(m, call->args->item[i])) return false;
        return n == 1 ? push(m, (Operation){DO_ONE, .one = functions[k].one}, 0, e)
                      : push(m, (Operation){DO_TWO, .two = functions[k].two}, -1, e);
    }
    return refuse(m, "a study does not know this function:", e);
}

static bool make_if(Making *m, Expr e, uint32_t from) {
    const ExprList *list = e.list;
    if (from + 1 >= list->count) return make(m, list->item[from]);
    return make(m, list->item[from]) && make(m, list->item[from + 1]) &&
           make_if(m, e, from + 2) && push(m, (Operation){DO_CHOOSE, .number = 0}, -2, e);
}

static bool make(Making *m, Expr e) {
    switch (e.kind) {
    case EXPR_INTEGER:
        return push(m, (Operation){DO_NUMBER, .number = (double)e.integer}, 1, e);
    case EXPR_REAL: return push(m, (Operation){DO_NUMBER, .number = e.real}, 1, e);
    case EXPR_TRUE: return push(m, (Operation){DO_NUMBER, .number = 1}, 1, e);
    case EXPR_FALSE: return push(m, (Operation){DO_NUMBER, .number = 0}, 1, e);
    case EXPR_NAME: return make_name(m, e);
    case EXPR_CALL: return make_call(m, e);
    case EXPR_IF: return make_if(m, e, 0);
    case EXPR_UNARY:
        if (!make(m, e.arg[0])) return false;
        if (e.op == OP_NOT) return push(m, (Operation){DO_ONE, .one = truth_not}, 0, e);
        return e.op != OP_SUB || push(m, (Operation){DO_ONE, .one = negative}, 0, e);
    case EXPR_BINARY:
        return make(m, e.arg[0]) && make(m, e.arg[1]) &&
               push(m, (Operation){DO_TWO, .two = binary[e.op]}, -1, e);
    default: return refuse(m, "a study cannot compute", e);
    }
}

Formula *formula_of(Arena *arena, Session *session, Expr expr, const RbProgram *program,
                    Text *why) {
    Making m = {arena, session, program, NEW(arena, Formula, 1), why, 0};
    return make(&m, expr) ? m.formula : NULL;
}

double formula_value(const Formula *formula, const RbSimulation *s) {
    double stack[DEPTH + 1], *top = stack;
    for (int k = 0; k < formula->count; k++) {
        const Operation *o = &formula->list[k];
        switch (o->kind) {
        case DO_NUMBER: *top++ = o->number; break;
        case DO_VARIABLE: *top++ = rb_get_number(s, o->variable); break;
        case DO_TIME: *top++ = rb_time(s); break;
        case DO_ONE: top[-1] = o->one(top[-1]); break;
        case DO_TWO: top--, top[-1] = o->two(top[-1], top[0]); break;
        case DO_CHOOSE: top -= 2, top[-1] = top[-1] != 0 ? top[0] : top[1]; break;
        }
    }
    return stack[0];
}
