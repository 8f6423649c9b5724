/* SPDX-License-Identifier: Apache-2.0 */
/* cause.c -- why a run failed, in terms of the model.
 *
 * A value that is not finite is followed back: blocks are stored in the order of computation,
 * so the first unknown in that order that is not finite was made by its own equation from
 * finite values. Inside the equation the operator is found by descending from the root to a
 * term that has no value although its arguments have one; branches that are not taken do not
 * count. A loop that has no solution leaves its iterates and the values of its equations behind
 * at once, because they exist only while it is being solved. Most such trials are taken back with
 * a smaller step, so what they mean is found out only if the run has ended. */
#include "live/live.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_VALUES = 8, SHOWN_ROWS = 3, SHOWN_UNKNOWNS = 8 };

/* ---- values of a row ---------------------------------------------------------------------- */

typedef struct RowValues { /* a row and the values of all variables */
    const Structure *st;
    const double    *v;
    int              row;
} RowValues;

static double slot_value(void *context, int slot) {
    const RowValues *p = context;
    const Shapes    *shapes = p->st->sys->shapes;
    int              var = p->st->slot[p->st->first[p->row] + slot];
    bool             number =
        expr_op(shapes, shape_leaf(shapes, p->st->shape[p->row], slot)) == TERM_NUMBER;
    return number ? var : p->v[var];
}

static double element_value(void *context, int slot, const int *subscript, int rank) {
    const RowValues *p = context;
    int              own, var = p->st->slot[p->st->first[p->row] + slot];
    const int32_t   *sizes = structure_sizes(p->st, p->row, slot, &own);
    if (own != rank) return NAN;
    for (int d = 0; d < rank; d++) {
        if (subscript[d] < 1 || subscript[d] > sizes[2 * d]) return NAN;
        var += (subscript[d] - 1) * sizes[2 * d + 1];
    }
    return p->v[var];
}

static int size_value(void *context, int slot, int dimension) {
    const RowValues *p = context;
    int              rank;
    const int32_t   *sizes = structure_sizes(p->st, p->row, slot, &rank);
    return dimension >= 1 && dimension <= rank ? sizes[2 * (dimension - 1)] : 1;
}

static EvalEnv environment(RowValues *place, const Rb *c) {
    return (EvalEnv){.context = place,
                     .slot = slot_value,
                     .element = element_value,
                     .size = size_value,
                     .time = c->time,
                     .initial = c->initial != 0};
}

static double value_of(const RowValues *place, const EvalEnv *env, Term term) {
    double value = NAN;
    return expr_eval(place->st->sys->shapes, term, env, &value) ? value : NAN;
}

/* The operator below `term` that has no finite value though its arguments have; 0 if the term
 * has a finite value. */
static Term find_operator(const RowValues *place, const EvalEnv *env, Term term) {
    Shapes *shapes = place->st->sys->shapes;
    for (;;) {
        Node node = shapes->node[term];
        Term below = 0;
        if (node.rank || isfinite(value_of(place, env, term))) return 0;
        if (node.op == TERM_CALL) return term; /* what happens inside is not seen here */
        for (uint32_t k = 0; k < node.n && !below; k++) {
            Term arg = expr_arg(shapes, term, k);
            if (shapes->node[arg].rank) continue;
            if (node.op == TERM_IF && k + 1 < node.n) { /* only the branch taken counts */
                double condition = value_of(place, env, arg);
                if (!isfinite(condition)) below = arg;
                else if (condition == 0) k++;
                else {
                    arg = expr_arg(shapes, term, ++k);
                    below = isfinite(value_of(place, env, arg)) ? 0 : arg;
                    break;
                }
                continue;
            }
            if (!isfinite(value_of(place, env, arg))) below = arg;
        }
        if (!below) return term;
        term = below;
    }
}

/* ---- words -------------------------------------------------------------------------------- */

static Pos pos_of(const Structure *st, int var) {
    return st->sys->run[system_run_of(st->sys, var)].pos;
}

static void say_operator(const RowValues *place, const EvalEnv *env, Term term,
                         Text *out) {
    const Structure *st = place->st;
    const Shapes    *shapes = st->sys->shapes;
    Node             node = shapes->node[term];
    double           x[2] = {NAN, NAN};
    Text             what = {0};
    for (uint32_t k = 0; k < node.n && k < 2; k++)
        x[k] = value_of(place, env, expr_arg(shapes, term, k));
    structure_print_term(st, place->row, term, &what);
    const char *text = text_get(&what);
    switch (node.op) {
    case TERM_DIV: {
        Text below = {0};
        structure_print_term(st, place->row, expr_arg(shapes, term, 1), &below);
        if (x[1] == 0) text_printf(out, "division by zero: %s = 0", text_get(&below));
        else text_printf(out, "division by %s = %g overflows", text_get(&below), x[1]);
        text_free(&below);
        break;
    }
    case TERM_LOG:
    case TERM_LOG10:
        text_printf(out, "%s has no value: the logarithm of %g", text, x[0]);
        break;
    case TERM_SQRT:
        text_printf(out, "%s has no value: the square root of %g", text, x[0]);
        break;
    case TERM_POW: text_printf(out, "%s has no value: %g^(%g)", text, x[0], x[1]); break;
    case TERM_ASIN:
    case TERM_ACOS:
        text_printf(out, "%s has no value: %g is outside -1 ... 1", text, x[0]);
        break;
    case TERM_CALL: text_printf(out, "%s has no finite value", text); break;
    default:
        if (node.n && isfinite(x[0])) text_printf(out, "%s overflows", text);
        else text_printf(out, "%s is not finite", text);
    }
    text_free(&what);
}

/* ", where x = 1, y = 2" for the variables of a row. */
typedef struct Listing {
    const RowValues *place;
    Text            *out;
    int              count, seen[SHOWN_VALUES];
} Listing;

static void list_value(void *context, int var, int slot) {
    Listing *list = context;
    (void)slot;
    for (int i = 0; i < list->count; i++)
        if (list->seen[i] == var) return;
    if (list->count == SHOWN_VALUES) return;
    list->seen[list->count] = var;
    text_add(list->out, list->count++ ? ", " : ", where ");
    system_name(list->place->st->sys, var, list->out);
    text_printf(list->out, " = %.9g", list->place->v[var]);
}

static void note_row(Diag *diag, const RowValues *place, const char *before) {
    Text    text = {0};
    Listing list = {.place = place, .out = &text};
    structure_print_row(place->st, place->row, &text);
    structure_uses(place->st, place->row, list_value, &list);
    diag_note(diag, structure_pos(place->st, place->row), "%s%s", before,
              text_get(&text));
    text_free(&text);
}

/* ---- values that are not finite --------------------------------------------------------------- */

/* The formula that gave the unknown of an equation; 0 if it has none. */
static Term formula_of(const Structure *st, int eq) {
    Shapes *shapes = st->sys->shapes;
    int     row = st->eq_row[eq], shape = st->shape[row];
    Term    root = shapes->shape[shape].root;
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) != TERM_SLOT ||
            st->slot[st->first[row] + k] != st->var_of[eq])
            continue;
        Solution s = shape_solve(shapes, shape, k);
        if (s.value) return s.value;
    }
    bool scalar = expr_op(shapes, root) == TERM_EQUATION &&
                  !shapes->node[expr_arg(shapes, root, 1)].rank;
    return scalar ? expr_residual(shapes, root) : 0;
}

/* The first equation in the order of computation whose unknown is not finite; -1 if none. */
static int first_not_finite(const Structure *st, const double *v) {
    for (int i = 0; i < st->eqs; i++)
        if (!isfinite(v[st->var_of[st->order[i]]])) return st->order[i];
    return -1;
}

static void explain_equation(const Instance *instance, const Structure *st, int eq,
                             Text *headline) {
    RowValues place = {st, instance->rb.v, st->eq_row[eq]};
    EvalEnv   env = environment(&place, &instance->rb);
    Term      formula = formula_of(st, eq);
    Term      term = formula ? find_operator(&place, &env, formula) : 0;
    if (term) say_operator(&place, &env, term, headline);
    else text_add(headline, "a value is not finite");
    text_add(headline, ", in the equation for '");
    system_name(st->sys, st->var_of[eq], headline);
    text_char(headline, '\'');
}

bool cause_not_finite(const Instance *instance, Cause *cause) {
    const Structure *st = instance->plan->st;
    int              eq = instance->complete ? first_not_finite(st, instance->rb.v) : -1;
    *cause = (Cause){.equation = eq, .time = instance->rb.time};
    if (eq < 0) return false;
    cause->pos = structure_pos(st, st->eq_row[eq]);
    explain_equation(instance, st, eq, &cause->headline);
    return true;
}

bool cause_ahead(Instance *instance, double t, const double *x, Cause *cause) {
    size_t  n = (size_t)instance->states;
    double *to = malloc((2 * n + 1) * sizeof *to), *rate = to + n;
    double  size = fmax(fabs(t), DBL_MIN / DBL_EPSILON);
    if (!to) return false;
    instance->fault = NULL; /* of a run that may be over */
    instance_evaluate(instance, t, x);
    bool found = cause_not_finite(instance, cause);
    for (int i = 0; i < instance->states; i++) rate[i] = instance_rate(instance, i, x);
    for (double h = DBL_EPSILON; h < 1e-9 && !found; h *= 4) {
        for (int i = 0; i < instance->states; i++) to[i] = x[i] + h * size * rate[i];
        instance_evaluate(instance, t + h * size, to);
        found = cause_not_finite(instance, cause);
    }
    if (!found) instance_evaluate(instance, t, x);
    instance->rb.failed = 0;
    instance->rb.x = NULL; /* all values are copied */
    free(to);
    return found;
}

void cause_notes(const Instance *instance, const Cause *cause, Diag *diag) {
    const Structure *st = instance->plan->st;
    int              row = st->eq_row[cause->equation];
    RowValues        place = {st, instance->rb.v, row};
    note_row(diag, &place, "first row that gives no finite value: ");
    diag_note(diag, 0,
              "what to try: keep the argument inside its domain (max, noEvent(if ...), "
              "a reinit or terminate before it is left), or check start values and "
              "parameters");
}

/* ---- a state that changes too fast ---------------------------------------------------------------- */

Pos cause_state(const Instance *instance, int state, Diag *diag) {
    const Structure *st = instance->plan->st;
    int              rate = instance->rate[state], eq = st->eq_of[rate];
    Text             name = {0};
    Pos              pos = eq >= 0 ? structure_pos(st, st->eq_row[eq]) : 0;
    if (!diag) return pos;
    system_name(st->sys, instance->state[state], &name);
    diag_note(diag, pos_of(st, instance->state[state]),
              "'%s' = %.9g changes with the rate %.9g", text_get(&name),
              instance->rb.v[instance->state[state]],
              instance->rate_sign[state] * instance->rb.v[rate]);
    if (eq >= 0) {
        RowValues place = {st, instance->rb.v, st->eq_row[eq]};
        note_row(diag, &place, "its equation: ");
    }
    diag_note(diag, 0,
              "what to try: look for a denominator near zero, a root or logarithm near "
              "its limit, or a pole of the solution at this time; relations that switch "
              "inside noEvent hide events from the integrator");
    text_free(&name);
    return pos;
}

/* ---- relations ---------------------------------------------------------------------------------- */

Pos cause_relation(const Instance *instance, int relation, Diag *diag) {
    const Plan      *plan = instance->plan;
    const Structure *st = plan->st;
    if (relation < 0 || relation >= instance->relations || !instance->image->where)
        return 0;
    int item = instance->image->where(relation);
    if (item < 0) return 0;
    RowValues place = {st, instance->rb.v, st->eq_row[plan->item[item]]};
    if (diag) note_row(diag, &place, "the relation that switches: ");
    return structure_pos(st, place.row);
}

/* ---- loops without solution ------------------------------------------------------------------------ */

typedef struct Used { /* a variable that the equations of a loop use */
    int    var;
    double value;
} Used;

struct LoopReport {
    const Plan *plan;
    Residual   *code;
    int         group, row, n;
    double *start, *last;  /* n each: first and last iterate                          */
    int    *var;           /* n iteration variables                                  */
    int     initial, live; /* of the Rb when it failed, as time and lambda           */
    double  time, lambda;
    Used   *used;
    int     useds, used_room;
    double *mode; /* kept values of relations                               */
    int     modes;
    const double *v; /* values of all variables, while used is collected       */
    /* found out by cause_loop_study */
    double *residual; /* n, at the last iterate                                 */
    int     advice;   /* which start value to change, -1: none                  */
    Text    reason;   /* why the equations have no value at the start, empty if they do */
    Pos     reason_pos;
};

void cause_free(LoopReport *report) {
    if (!report) return;
    free(report->start);
    free(report->var);
    free(report->used);
    free(report->mode);
    text_free(&report->reason);
    free(report);
}

static LoopReport *new_report(int n) {
    LoopReport *report = calloc(1, sizeof *report);
    if (!report) return NULL;
    report->start = calloc(3 * (size_t)n + 1, sizeof(double));
    report->var = calloc((size_t)n + 1, sizeof(int));
    if (!report->start || !report->var) {
        cause_free(report);
        return NULL;
    }
    report->last = report->start + n;
    report->residual = report->last + n;
    report->advice = -1;
    report->n = n;
    return report;
}

static int worst_row(const double *residual, int n) {
    int worst = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(residual[i])) return i;
        if (fabs(residual[i]) > fabs(residual[worst])) worst = i;
    }
    return worst;
}

/* The unknown that the worst row depends on most, for a relative change of each. */
static int most_influence(const LoopReport *report, Rb *c, double *work) {
    const Structure *st = report->plan->st;
    int              n = report->n, worst = worst_row(report->residual, n), best = -1;
    double           most = 0, *z = work, *r = work + n;
    memcpy(z, report->start, (size_t)n * sizeof *z);
    report->code(c, report->row, z, r);
    double base = r[worst];
    for (int k = 0; k < n && isfinite(base); k++) {
        double scale = fmax(fabs(z[k]), system_nominal(st->sys, report->var[k]));
        double h = sqrt(DBL_EPSILON) * scale;
        z[k] += h;
        report->code(c, report->row, z, r);
        z[k] = report->start[k];
        double influence = fabs(r[worst] - base) / h * scale;
        if (isfinite(influence) && influence > most) {
            most = influence;
            best = k;
        }
    }
    c->failed = 0;
    return best;
}

/* At the start values an equation of the block may have no value: then that is the reason, and
 * the unknown of the loop nearest to it is the one to change. */
static void find_reason(LoopReport *report, Instance *instance, const Group *g) {
    const Structure *st = report->plan->st;
    const double    *v = instance->rb.v;
    const int       *item = report->plan->item + g->item + report->row * g->size;
    for (int j = 0; j < g->size && !report->reason.length; j++) {
        RowValues place = {st, v, st->eq_row[item[j]]};
        EvalEnv   env = environment(&place, &instance->rb);
        Shapes   *shapes = st->sys->shapes;
        bool      explicit_ = j < g->size - g->torn;
        Term      root = shapes->shape[st->shape[place.row]].root;
        Term      formula = explicit_ ? formula_of(st, item[j])
                            : expr_op(shapes, root) == TERM_EQUATION &&
                               !shapes->node[expr_arg(shapes, root, 1)].rank
                                ? expr_residual(shapes, root)
                                : 0;
        Term      term = formula ? find_operator(&place, &env, formula) : 0;
        if (!term || expr_op(shapes, term) == TERM_CALL) continue;
        say_operator(&place, &env, term, &report->reason);
        report->reason_pos = structure_pos(st, place.row);
        int n = expr_walk(shapes, term);
        for (int i = 0; i < n; i++) {
            const Node *leaf = expr_node(shapes, shapes->walk[i]);
            if (leaf->op != TERM_SLOT) continue;
            int var = st->slot[st->first[place.row] + leaf->index];
            for (int k = 0; k < report->n; k++)
                if (report->var[k] == var) report->advice = k;
        }
    }
}

static void keep_used(void *context, int var, int slot) {
    LoopReport *report = context;
    (void)slot;
    if (report->useds == report->used_room) {
        report->used_room = 2 * report->used_room + 16;
        report->used =
            mem_resize(report->used, (size_t)report->used_room * sizeof *report->used);
    }
    report->used[report->useds++] = (Used){var, report->v[var]};
}

void cause_loop(Instance *instance, int group, int row, const double *start,
                const double *last) {
    const Plan  *plan = instance->plan;
    const Group *g = &plan->group[group];
    const int   *item = plan->item + g->item + row * g->size;
    Rb          *c = &instance->rb;
    if (instance->report && c->lambda < 1)
        return; /* that of the model itself says more */
    LoopReport *report = new_report(g->torn);
    if (!report) return;
    report->plan = plan;
    report->code = instance->image->residual(group);
    report->group = group;
    report->row = row;
    report->initial = c->initial;
    report->live = c->live;
    report->time = c->time;
    report->lambda = c->lambda;
    memcpy(report->start, start, (size_t)g->torn * sizeof *start);
    memcpy(report->last, last, (size_t)g->torn * sizeof *start);
    for (int k = 0; k < g->torn; k++) report->var[k] = plan_iteration(plan, g, row, k);
    instance_recall(instance);
    report->v = c->v;
    for (int j = 0; j < g->size; j++)
        structure_uses(plan->st, plan->st->eq_row[item[j]], keep_used, report);
    report->modes = instance->image->relations();
    report->mode = mem_resize(NULL, ((size_t)report->modes + 1) * sizeof(double));
    memcpy(report->mode, c->mode, (size_t)report->modes * sizeof(double));
    cause_free(instance->report);
    instance->report = report;
}

/* The instance as it was when the loop failed, as far as its equations can see. x: states. */
static void go_back(Instance *instance, const LoopReport *report, double *x) {
    Rb *c = &instance->rb;
    for (int k = 0; k < report->useds; k++)
        c->v[report->used[k].var] = report->used[k].value;
    for (int i = 0; i < instance->states; i++) {
        x[i] = c->v[instance->state[i]];
        instance->dx[i] = c->v[instance->rate[i]];
    }
    c->x = x;
    c->dx = instance->dx;
    c->mode = report->mode;
    c->table = report->plan->table;
    c->initial = report->initial;
    c->time = report->time;
    c->lambda = report->lambda;
    c->live = report->live;
    instance->complete = false;
}

void cause_loop_study(Instance *instance) {
    LoopReport  *report = instance->report;
    const Group *g = &report->plan->group[report->group];
    Rb          *c = &instance->rb, before = *c;
    size_t       n = (size_t)report->n;
    double      *x = mem_resize(NULL, ((size_t)instance->states + 1) * sizeof *x);
    double      *work = mem_resize(NULL, (2 * n + 1) * sizeof *work);
    go_back(instance, report, x);
    report->code(c, report->row, report->start, report->residual);
    for (int k = 0; k < report->n; k++)
        if (!isfinite(report->residual[k])) {
            find_reason(report, instance, g);
            break;
        }
    if (!report->reason.length) {
        report->code(c, report->row, report->last, report->residual);
        report->advice = most_influence(report, c, work);
    }
    before.stack = c->stack; /* it may have been made now */
    before.room = c->room;
    *c = before;
    free(x);
    free(work);
}

static void attribute_text(const Structure *st, int var, AttributeName name,
                           const char *word, const Instance *instance, Text *out) {
    int              run = system_run_of(st->sys, var);
    int              element = var - st->sys->run[run].first;
    const Attribute *a = system_attribute(st->sys, run, name);
    double           value;
    if (!a) return;
    if (a->kind == VALUE_VARIABLE) value = instance->rb.v[a->index + a->stride * element];
    else if (!system_known(st->sys, run, name, element, &value)) return;
    text_printf(out, ", %s = %.9g", word, value);
}

static void note_unknown(const LoopReport *report, const Instance *instance, int k,
                         Diag *diag) {
    const Structure *st = report->plan->st;
    int              var = report->var[k], from = st->start_from[var];
    Text             text = {0};
    system_name(st->sys, var, &text);
    if (report->initial) text_printf(&text, ": start = %.9g", report->start[k]);
    else text_printf(&text, ": was %.9g", report->start[k]);
    attribute_text(st, var, ATTR_NOMINAL, "nominal", instance, &text);
    attribute_text(st, var, ATTR_MIN, "min", instance, &text);
    attribute_text(st, var, ATTR_MAX, "max", instance, &text);
    if (report->last[k] < report->start[k] || report->last[k] > report->start[k])
        text_printf(&text, "; the iteration ended at %.9g", report->last[k]);
    diag_note(diag, pos_of(st, from), "iteration variable %s", text_get(&text));
    text_free(&text);
}

static void note_residuals(const LoopReport *report, Diag *diag) {
    const Structure *st = report->plan->st;
    const Group     *g = &report->plan->group[report->group];
    const int       *item = report->plan->item + g->item + report->row * g->size;
    bool             shown[64] = {0};
    for (int i = 0; i < SHOWN_ROWS && i < report->n; i++) {
        int worst = -1;
        for (int k = 0; k < report->n && k < LENGTH(shown); k++) {
            double size =
                isfinite(report->residual[k]) ? fabs(report->residual[k]) : HUGE_VAL;
            if (shown[k]) continue;
            if (worst < 0 || size > fabs(report->residual[worst])) worst = k;
        }
        if (worst < 0) return;
        shown[worst] = true;
        int  row = st->eq_row[item[g->size - g->torn + worst]];
        Text text = {0};
        structure_print_row(st, row, &text);
        if (isfinite(report->residual[worst]))
            diag_note(diag, structure_pos(st, row), "off by %.3g: %s",
                      report->residual[worst], text_get(&text));
        else diag_note(diag, structure_pos(st, row), "has no value: %s", text_get(&text));
        text_free(&text);
    }
}

static void note_advice(const LoopReport *report, Diag *diag) {
    const Structure *st = report->plan->st;
    Text             name = {0};
    if (report->advice >= 0) {
        int from = st->start_from[report->var[report->advice]];
        system_name(st->sys, from, &name);
        if (report->initial)
            diag_note(diag, pos_of(st, from),
                      "what to try: another start value for '%s', nearer to the solution",
                      text_get(&name));
        else
            diag_note(diag, pos_of(st, from),
                      "what to try: check whether the equations have a solution for '%s' "
                      "at this time; a smaller tolerance keeps the guess nearer to it",
                      text_get(&name));
    } else {
        diag_note(diag, 0,
                  "what to try: check whether these equations can have a solution, and "
                  "the values of their parameters");
    }
    text_free(&name);
}

void cause_loop_headline(const LoopReport *report, Text *out) {
    const Structure *st = report->plan->st;
    const Group     *g = &report->plan->group[report->group];
    int              eq = report->plan->item[g->item + report->row * g->size];
    text_printf(out, "the %s system of %d equation%s for ",
                g->block == BLOCK_LINEAR ? "linear" : "nonlinear", g->size,
                g->size == 1 ? "" : "s");
    for (int k = 0; k < report->n && k < 4; k++) {
        text_add(out, k ? ", '" : "'");
        system_name(st->sys, report->var[k], out);
        text_char(out, '\'');
    }
    if (report->n > 4) text_printf(out, " and %d more", report->n - 4);
    text_printf(out,
                g->block == BLOCK_LINEAR
                    ? " is singular (block %d)"
                    : " has no solution that Newton's method finds (block %d)",
                st->block_of[eq]);
}

Pos cause_loop_pos(const LoopReport *report) {
    const Structure *st = report->plan->st;
    const Group     *g = &report->plan->group[report->group];
    const int       *item = report->plan->item + g->item + report->row * g->size;
    if (report->reason_pos) return report->reason_pos;
    int worst = worst_row(report->residual, report->n);
    return structure_pos(st, st->eq_row[item[g->size - g->torn + worst]]);
}

void cause_loop_notes(const LoopReport *report, const Instance *instance, Diag *diag) {
    if (report->reason.length)
        diag_note(diag, report->reason_pos, "with these values %s",
                  text_get(&report->reason));
    note_residuals(report, diag);
    for (int k = 0; k < report->n && k < SHOWN_UNKNOWNS; k++)
        note_unknown(report, instance, k, diag);
    if (report->n > SHOWN_UNKNOWNS)
        diag_note(diag, 0, "and %d more iteration variables", report->n - SHOWN_UNKNOWNS);
    note_advice(report, diag);
}

/* ---- warnings of the model ----------------------------------------------------------------- */

enum { SHOWN_WARNINGS = 20 };

void cause_warning(Instance *instance, int action, int row, double text) {
    uint64_t key = (uint64_t)action << 32 | (uint32_t)row;
    if (!instance->diag || map_has(&instance->warned, key)) return;
    if (instance->warned.count >= SHOWN_WARNINGS) return;
    map_put(&instance->warned, key, 1);
    const Family *family = &instance->plan->st->sys->set[ROWS_ACTION].family[action];
    diag_report(
        instance->diag, family->pos, CODE_R105, "at time %.9g: %s", instance->rb.time,
        text != 0 ? (const char *)(uintptr_t)(uint64_t)text : "an assertion is violated");
}
