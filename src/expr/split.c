/* SPDX-License-Identifier: Apache-2.0 */
/* split.c -- local arrays of a function taken apart into numbers.
 *
 * Series for the properties of a fluid keep their powers in a local array whose elements are set and
 * used one by one, under subscripts that stand in the text. Where all uses of an array are of that
 * kind and its sizes are numbers, every element becomes a variable of its own: no memory is taken
 * in a call, no subscript is checked, and compilers keep it in a register. Two passes over the
 * statements. */
#include "expr/body.h"

#include <string.h>

enum { MOST = 256, MOST_RANK = 4 };

typedef struct Split {
    Shapes   *shapes;
    Function *f;
    bool     *whole; /* by variable: it has to stay an array */
    int      *first; /* by variable: its first element, -1 if it is not taken apart */
} Split;

/* Elements of a local array of numbers whose sizes are numbers, 0 of all others. */
static int elements(const Split *s, int k) {
    const FunctionVar *var = &s->f->var[k];
    double             size;
    int                all = 1;
    if (k < s->f->inputs + s->f->outputs || !var->rank || var->rank > MOST_RANK ||
        !var->size || var->init)
        return 0;
    if (var->type != TYPE_REAL && var->type != TYPE_INTEGER && var->type != TYPE_BOOLEAN)
        return 0;
    for (int d = 0; d < var->rank; d++) {
        if (!var->size[d] || !expr_literal(s->shapes, var->size[d], &size) || size < 1 ||
            size > MOST || (all *= (int)size) > MOST)
            return 0;
    }
    return all;
}

/* The number of the element among those of its array, -1 if the text does not tell it. */
static int element_place(const Split *s, Term e) {
    const Node *node = expr_node(s->shapes, e), *array;
    double      at, size;
    int         place = 0;
    if (node->op != TERM_ELEMENT) return -1;
    array = expr_node(s->shapes, expr_arg(s->shapes, e, 0));
    if (array->op != TERM_ARRAY_SLOT || !elements(s, array->index)) return -1;
    const FunctionVar *var = &s->f->var[array->index];
    if ((int)node->n != var->rank + 1) return -1;
    for (int d = 0; d < var->rank; d++) {
        if (!expr_literal(s->shapes, expr_arg(s->shapes, e, (uint32_t)d + 1), &at) ||
            !expr_literal(s->shapes, var->size[d], &size) || at < 1 || at > size)
            return -1;
        place = place * (int)size + (int)at - 1;
    }
    return place;
}

static void look_at(Split *s, Term e) {
    Shapes *shapes = s->shapes;
    if (!e) return;
    if (expr_op(shapes, e) == TERM_ARRAY_SLOT) s->whole[shapes->node[e].index] = true;
    int n = expr_walk(shapes, e);
    for (int i = 0; i < n; i++) {
        Term x = shapes->walk[i];
        bool element = element_place(s, x) >= 0;
        for (uint32_t k = element ? 1 : 0; k < shapes->node[x].n; k++) {
            Term arg = expr_arg(shapes, x, k);
            if (expr_op(shapes, arg) == TERM_ARRAY_SLOT)
                s->whole[shapes->node[arg].index] = true;
        }
    }
}

static Term put_element(void *context, Term e) {
    const Split *s = context;
    int          place = element_place(s, e);
    if (place < 0) return 0;
    int array = s->shapes->node[expr_arg(s->shapes, e, 0)].index;
    return s->first[array] < 0 ? 0
                               : expr_slot(s->shapes, s->first[array] + place,
                                           (Type)s->f->var[array].type);
}

/* Variables for the elements after all others. */
static bool make_variables(Split *s) {
    Function *f = s->f;
    int       more = 0;
    for (int k = 0; k < f->vars; k++) {
        int n = s->whole[k] ? 0 : elements(s, k);
        s->first[k] = n ? f->vars + more : -1;
        more += n;
    }
    if (!more) return false;
    FunctionVar *var = NEW(&s->shapes->arena, FunctionVar, f->vars + more);
    memcpy(var, f->var, (size_t)f->vars * sizeof *var);
    for (int k = 0; k < f->vars; k++)
        for (int i = 0; s->first[k] >= 0 && i < elements(s, k); i++) {
            FunctionVar *own = &var[s->first[k] + i];
            *own = f->var[k];
            own->rank = 0;
            own->size = NULL;
        }
    f->var = var;
    return true;
}

void function_split(Shapes *shapes, Function *f) {
    Split s = {.shapes = shapes,
               .f = f,
               .whole = NEW(&shapes->arena, bool, f->vars + 1),
               .first = NEW(&shapes->arena, int, f->vars + 1)};
    int   vars = f->vars;
    for (int i = 0; i < f->stmts; i++) {
        const Stmt *stmt = &f->stmt[i];
        look_at(&s, stmt->a), look_at(&s, stmt->b);
        look_at(&s, stmt->c), look_at(&s, stmt->step);
    }
    for (int k = 0; k < vars; k++)
        for (int d = 0; d < f->var[k].rank && f->var[k].size; d++)
            look_at(&s, f->var[k].size[d]);
    if (!make_variables(&s)) return;
    function_put(shapes, f, put_element, &s, true);
    for (int k = 0; k < vars; k++) {
        if (s.first[k] < 0) continue;
        f->vars += elements(&s, k);
        f->var[k].rank = 0;
        f->var[k].size = NULL;
    }
}
