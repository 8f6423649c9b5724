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

typedef struct Rule { /* a function and its derivatives; NULL: they are 0 */
    const char *name;
    One        *one, *slope;
    Two        *two, *by_a, *by_b;
} Rule;

typedef struct Operation {
    Do kind;
    union {
        double      number;
        int         variable;
        const Rule *rule;
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

/* Derivatives. */
static double minus_one(double x) {
    return (void)x, -1;
}
static double by_sqrt(double x) {
    return 0.5 / sqrt(x);
}
static double by_log(double x) {
    return 1 / x;
}
static double by_log10(double x) {
    return 0.43429448190325182765 / x;
}
static double by_cos(double x) {
    return -sin(x);
}
static double by_tan(double x) {
    return 1 + tan(x) * tan(x);
}
static double by_asin(double x) {
    return 1 / sqrt(1 - x * x);
}
static double by_acos(double x) {
    return -1 / sqrt(1 - x * x);
}
static double by_atan(double x) {
    return 1 / (1 + x * x);
}
static double by_tanh(double x) {
    return 1 - tanh(x) * tanh(x);
}
static double plus(double a, double b) {
    return (void)a, (void)b, 1;
}
static double minus(double a, double b) {
    return (void)a, (void)b, -1;
}
static double first(double a, double b) {
    return (void)b, a;
}
static double second(double a, double b) {
    return (void)a, b;
}
static double inverse(double a, double b) {
    return (void)a, 1 / b;
}
static double quotient_by_b(double a, double b) {
    return -a / (b * b);
}
static double pow_by_a(double a, double b) {
    return b == 0 ? 0 : b * pow(a, b - 1);
}
static double pow_by_b(double a, double b) {
    return a > 0 ? pow(a, b) * log(a) : 0;
}
static double atan2_by_a(double a, double b) {
    return b / (a * a + b * b);
}
static double atan2_by_b(double a, double b) {
    return -a / (a * a + b * b);
}
static double modulo_by_b(double a, double b) {
    return -floor(a / b);
}

static const Rule functions[] = {{"abs", fabs, signum, NULL, NULL, NULL},
                                 {"sign", signum, NULL, NULL, NULL, NULL},
                                 {"sqrt", sqrt, by_sqrt, NULL, NULL, NULL},
                                 {"exp", exp, exp, NULL, NULL, NULL},
                                 {"log", log, by_log, NULL, NULL, NULL},
                                 {"log10", log10, by_log10, NULL, NULL, NULL},
                                 {"sin", sin, cos, NULL, NULL, NULL},
                                 {"cos", cos, by_cos, NULL, NULL, NULL},
                                 {"tan", tan, by_tan, NULL, NULL, NULL},
                                 {"asin", asin, by_asin, NULL, NULL, NULL},
                                 {"acos", acos, by_acos, NULL, NULL, NULL},
                                 {"atan", atan, by_atan, NULL, NULL, NULL},
                                 {"sinh", sinh, cosh, NULL, NULL, NULL},
                                 {"cosh", cosh, sinh, NULL, NULL, NULL},
                                 {"tanh", tanh, by_tanh, NULL, NULL, NULL},
                                 {"floor", floor, NULL, NULL, NULL, NULL},
                                 {"ceil", ceil, NULL, NULL, NULL, NULL},
                                 {"atan2", NULL, NULL, atan2, atan2_by_a, atan2_by_b},
                                 {"min", NULL, NULL, fmin, less_equal, greater},
                                 {"max", NULL, NULL, fmax, greater_equal, less},
                                 {"mod", NULL, NULL, modulo, plus, modulo_by_b}};

static const Rule not_rule = {"not", truth_not, NULL, NULL, NULL, NULL};
static const Rule negative_rule = {"-", negative, minus_one, NULL, NULL, NULL};

#define RULE(op, f, a, b) [op] = {#op, NULL, NULL, f, a, b}
static const Rule binary[] = {RULE(OP_OR, either, NULL, NULL),
                              RULE(OP_AND, both, NULL, NULL),
                              RULE(OP_LESS, less, NULL, NULL),
                              RULE(OP_LESS_EQUAL, less_equal, NULL, NULL),
                              RULE(OP_GREATER, greater, NULL, NULL),
                              RULE(OP_GREATER_EQUAL, greater_equal, NULL, NULL),
                              RULE(OP_EQUAL, equal, NULL, NULL),
                              RULE(OP_NOT_EQUAL, not_equal, NULL, NULL),
                              RULE(OP_ADD, add, plus, plus),
                              RULE(OP_SUB, sub, plus, minus),
                              RULE(OP_MUL, mul, second, first),
                              RULE(OP_DIV, quotient, inverse, quotient_by_b),
                              RULE(OP_POWER, pow, pow_by_a, pow_by_b),
                              RULE(OP_ADD_EACH, add, plus, plus),
                              RULE(OP_SUB_EACH, sub, plus, minus),
                              RULE(OP_MUL_EACH, mul, second, first),
                              RULE(OP_DIV_EACH, quotient, inverse, quotient_by_b),
                              RULE(OP_POWER_EACH, pow, pow_by_a, pow_by_b)};
#undef RULE

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
        return push(m, (Operation){n == 1 ? DO_ONE : DO_TWO, .rule = &functions[k]},
                    1 - n, e);
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
        if (e.op == OP_NOT) return push(m, (Operation){DO_ONE, .rule = &not_rule}, 0, e);
        return e.op != OP_SUB ||
               push(m, (Operation){DO_ONE, .rule = &negative_rule}, 0, e);
    case EXPR_BINARY:
        return make(m, e.arg[0]) && make(m, e.arg[1]) &&
               push(m, (Operation){DO_TWO, .rule = &binary[e.op]}, -1, e);
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
        case DO_ONE: top[-1] = o->rule->one(top[-1]); break;
        case DO_TWO: top--, top[-1] = o->rule->two(top[-1], top[0]); break;
        case DO_CHOOSE: top -= 2, top[-1] = top[-1] != 0 ? top[0] : top[1]; break;
        }
    }
    return stack[0];
}

double formula_slope(const Formula *formula, RbSimulation *s, int number, double *slope) {
    double stack[DEPTH + 1], *top = stack, moved[DEPTH + 1] = {0}, *d = moved;
    for (int k = 0; k < formula->count; k++) {
        const Operation *o = &formula->list[k];
        const Rule      *r = o->rule;
        switch (o->kind) {
        case DO_NUMBER: *top++ = o->number, *d++ = 0; break;
        case DO_VARIABLE:
            *top++ = rb_get_number(s, o->variable);
            *d++ = rb_sensitivity(s, o->variable, number);
            break;
        case DO_TIME: *top++ = rb_time(s), *d++ = 0; break;
        case DO_ONE:
            d[-1] = r->slope ? r->slope(top[-1]) * d[-1] : 0;
            top[-1] = r->one(top[-1]);
            break;
        case DO_TWO:
            top--, d--;
            d[-1] = r->by_a ? r->by_a(top[-1], top[0]) * d[-1] +
                                  r->by_b(top[-1], top[0]) * d[0]
                            : 0;
            top[-1] = r->two(top[-1], top[0]);
            break;
        case DO_CHOOSE:
            top -= 2, d -= 2;
            d[-1] = top[-1] != 0 ? d[0] : d[1];
            top[-1] = top[-1] != 0 ? top[0] : top[1];
            break;
        }
    }
    *slope = moved[0];
    return stack[0];
}
