/* SPDX-License-Identifier: Apache-2.0 */
/* cause.c -- why a run failed, in terms of the model.
 *
 * A value that is not finite is followed back: blocks are stored in the order of computation,
 * so the first unknown in that order that is not finite was made by its own equation from
 * finite values. Inside the equation the operator is found by descending from the root to a
 * term that has no value although its arguments have one; branches that are not taken do not
 * count. A loop that has no solution leaves its iterates and the values of its equations after
 * at once, because they exist only while it is being solved. Most such trials are taken back with
 * a smaller step, so what they mean is found out only if the run has ended. */
#include "live/live.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_VALUES = 8, SHOWN_ROWS = 3, SHOWN_UNKNOWNS = 8 };

/* ---- values of a row ---------------------------------------------------------------------- */

typedef struct RowValues { /* an equation and the values of all variables */
    Equation      e;
    const double *v;
    TermPool      pool;
} RowValues;

static RowValues row_values(const Instance *instance, const Part *part, int item) {
    return (RowValues){program_equation(instance->program, part, item), instance->v,
                       program_pool(instance->program)};
}

static double slot_value(void *context, int slot) {
    const RowValues *p = context;
    int              var = equation_slot(&p->e, slot);
    return equation_is_number(&p->e, slot) ? var : p->v[var];
}

static double element_value(void *context, int slot, const int *subscript, int rank) {
    const RowValues *p = context;
    int              own, var = equation_slot(&p->e, slot);
    const int       *sizes = equation_sizes(&p->e, slot, &own);
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
    const int       *sizes = equation_sizes(&p->e, slot, &rank);
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
    return term_eval(&place->pool, term, env, &value) ? value : NAN;
}

/* The operator below `term` that has no finite value though its arguments have; 0 if the term
 * has a finite value. */
static Term find_operator(const RowValues *place, const EvalEnv *env, Term term) {
    const TermPool *pool = &place->pool;
    for (;;) {
        Node node = pool->node[term];
        Term below = 0;
        if (node.rank || isfinite(value_of(place, env, term))) return 0;
        if (node.op == TERM_CALL) return term; /* what happens inside is not seen here */
        for (uint32_t k = 0; k < node.n && !below; k++) {
            Term arg = term_arg(pool, term, k);
            if (pool->node[arg].rank) continue;
            if (node.op == TERM_IF && k + 1 < node.n) { /* only the branch taken counts */
                double condition = value_of(place, env, arg);
                if (!isfinite(condition)) below = arg;
                else if (condition == 0) k++;
                else {
                    arg = term_arg(pool, term, ++k);
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

static void say_operator(const RowValues *place, const EvalEnv *env, Term term,
                         Text *out) {
    const TermPool *pool = &place->pool;
    Node            node = pool->node[term];
    double          x[2] = {NAN, NAN};
    Text            what = {0};
    for (uint32_t k = 0; k < node.n && k < 2; k++)
        x[k] = value_of(place, env, term_arg(pool, term, k));
    equation_print(&place->e, term, &what);
    const char *text = text_get(&what);
    switch (node.op) {
    case TERM_DIV: {
        Text below = {0};
        equation_print(&place->e, term_arg(pool, term, 1), &below);
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

static void list_value(void *context, int var) {
    Listing *list = context;
    for (int i = 0; i < list->count; i++)
        if (list->seen[i] == var) return;
    if (list->count == SHOWN_VALUES) return;
    list->seen[list->count] = var;
    text_add(list->out, list->count++ ? ", " : ", where ");
    program_name(list->place->e.program, var, list->out);
    text_printf(list->out, " = %.9g", list->place->v[var]);
}

static void note_row(Diag *diag, const RowValues *place, const char *before) {
    Text    text = {0};
    Listing list = {.place = place, .out = &text};
    equation_print(&place->e, 0, &text);
    equation_uses(&place->e, list_value, &list);
    diag_note(diag, place->e.part->pos[place->e.item], "%s%s", before, text_get(&text));
    text_free(&text);
}

/* ---- values that are not finite --------------------------------------------------------------- */

/* The first item in the order of computation whose unknown is not finite; -1 if none. */
static int first_not_finite(const Part *part, const double *v) {
    for (int k = 0; k < part->items; k++)
        if (!isfinite(v[part->unknown[k]])) return k;
    return -1;
}

static void explain_equation(const Instance *instance, const Part *part, int item,
                             Text *headline) {
    RowValues place = row_values(instance, part, item);
    EvalEnv   env = environment(&place, &instance->run.rb);
    Term      formula = place.e.formula->value;
    Term      term = formula ? find_operator(&place, &env, formula) : 0;
    if (term) say_operator(&place, &env, term, headline);
    else text_add(headline, "a value is not finite");
    text_add(headline, ", in the equation for '");
    program_name(instance->program, part->unknown[item], headline);
    text_char(headline, '\'');
}

bool cause_not_finite(const Instance *instance, Cause *cause) {
    const Program *p = instance->program;
    int            number = p->parts, item = -1; /* ticks come before the run */
    while (item < 0 && --number >= PART_RUN) {
        bool ticks = number >= PARTS;
        if (number == PART_RUN ? instance->complete : ticks)
            item = first_not_finite(&p->part[number], instance->v);
    }
    *cause = (Cause){.item = item, .part = number, .time = instance->run.rb.time};
    if (item < 0) return false;
    cause->pos = p->part[number].pos[item];
    explain_equation(instance, &p->part[number], item, &cause->headline);
    return true;
}

bool cause_ahead(Instance *instance, double t, const double *x, Cause *cause) {
    int     states = instance->program->states.count;
    double *to = mem_take(2 * (size_t)states, sizeof *to), *rate = to + states;
    double  size = fmax(fabs(t), DBL_MIN / DBL_EPSILON);
    if (!to) return false;
    instance->fault = NULL; /* of a run that may be over */
    instance_evaluate(instance, t, x);
    bool found = cause_not_finite(instance, cause);
    for (int i = 0; i < states; i++) rate[i] = instance_rate(instance, i, x);
    for (double h = DBL_EPSILON; h < 1e-9 && !found; h *= 4) {
        for (int i = 0; i < states; i++) to[i] = x[i] + h * size * rate[i];
        instance_evaluate(instance, t + h * size, to);
        found = cause_not_finite(instance, cause);
    }
    if (!found) instance_evaluate(instance, t, x);
    instance->run.rb.failed = 0;
    instance->run.rb.x = NULL; /* all values are copied */
    mem_free(to);
    return found;
}

void cause_notes(const Instance *instance, const Cause *cause, Diag *diag) {
    RowValues place =
        row_values(instance, &instance->program->part[cause->part], cause->item);
    note_row(diag, &place, "first row that gives no finite value: ");
    diag_note(diag, 0,
              "what to try: keep the argument inside its domain (max, noEvent(if ...), "
              "a reinit or terminate before it is left), or check start values and "
              "parameters");
}

/* ---- a state that changes too fast ---------------------------------------------------------------- */

Pos cause_state(const Instance *instance, int state, Diag *diag) {
    const Program *p = instance->program;
    const Part    *part = instance->run.part;
    int            var = p->states.var[state], rate = p->states.rate[state];
    int            item = part_item_of(part, rate);
    Text           name = {0};
    Pos            pos = item >= 0 ? part->pos[item] : 0;
    if (!diag) return pos;
    program_name(p, var, &name);
    diag_note(diag, program_declared(p, var), "'%s' = %.9g changes with the rate %.9g",
              text_get(&name), instance->v[var],
              p->states.rate_sign[state] * instance->v[rate]);
    if (item >= 0) {
        RowValues place = row_values(instance, part, item);
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
    const Part *part = instance->run.part;
    if (relation < 0 || relation >= part->relations) return 0;
    int item = part->relation_item[relation];
    if (item < 0) return 0;
    RowValues place = row_values(instance, part, item);
    if (diag) note_row(diag, &place, "the relation that switches: ");
    return part->pos[item];
}

/* ---- loops without solution ------------------------------------------------------------------------ */

typedef struct Used { /* a variable that the equations of a loop use */
    int    var;
    double value;
} Used;

struct LoopReport {
    Running       *running; /* NULL when that has ended */
    const Program *program;
    const Part    *part;
    Residual      *code;
    int            group, row, n;
    FastFailure    fast;   /* why, if it is an infinitely fast process */
    double *start, *last;  /* n each: first and last iterate                          */
    int    *var;           /* n iteration variables                                  */
    int     initial, live; /* of the Rb when it failed, as time and lambda           */
    double  time, lambda;
    Used   *used;
    int     useds, used_room;
    double *mode; /* kept values of relations                               */
    int     modes;
    const double *v; /* values of all variables, while used is collected       */
    bool          inconsistent; /* its relations contradict each of their solutions     */
    bool          fraction; /* its solution gives an Integer a fraction              */
    /* found out by cause_loop_study */
    double *residual; /* n, at the last iterate                                 */
    int     advice;   /* which start value to change, -1: none                  */
    Text    reason;   /* why the equations have no value at the start, empty if they do */
    Pos     reason_pos;
};

void cause_free(LoopReport *report) {
    if (!report) return;
    text_free(&report->reason);
    MEM_FREE(report->start, report->var, report->used, report->mode, report);
}

static LoopReport *new_report(int n) {
    LoopReport *report = mem_take(1, sizeof *report);
    if (!report) return NULL;
    report->start = mem_take(3 * (size_t)n, sizeof(double));
    report->var = mem_take((size_t)n, sizeof(int));
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
    const Variables *all = &report->program->variables;
    int              n = report->n, worst = worst_row(report->residual, n), best = -1;
    double           most = 0, *z = work, *r = work + n;
    memcpy(z, report->start, (size_t)n * sizeof *z);
    report->code(c, report->row, z, r);
    double base = r[worst];
    for (int k = 0; k < n && isfinite(base); k++) {
        double scale = fmax(fabs(z[k]), variables_nominal(all, report->var[k]));
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

/* An unknown of the loop that stands in the term is the one to change. Arguments may be shared, so
 * the search gives up after some nodes. */
static void advise_from(LoopReport *report, const RowValues *place, Term term,
                        int *nodes) {
    const Node *node = &place->pool.node[term];
    if (--*nodes < 0) return;
    if (node->op == TERM_SLOT) {
        int var = equation_slot(&place->e, node->index);
        for (int k = 0; k < report->n; k++)
            if (report->var[k] == var) report->advice = k;
    }
    for (uint32_t k = 0; k < node->n; k++)
        advise_from(report, place, term_arg(&place->pool, term, k), nodes);
}

/* At the start values an equation of the block may have no value: then that is the reason. */
static void find_reason(LoopReport *report, const Instance *instance, const Group *g) {
    const Part *part = report->part;
    int         first = g->item + report->row * g->size;
    for (int j = 0; j < g->size && !report->reason.length; j++) {
        RowValues place = row_values(instance, part, first + j);
        EvalEnv   env = environment(&place, &report->running->rb);
        Term      formula = place.e.formula->value;
        Term      term = formula ? find_operator(&place, &env, formula) : 0;
        if (!term || place.pool.node[term].op == TERM_CALL) continue;
        say_operator(&place, &env, term, &report->reason);
        report->reason_pos = part->pos[first + j];
        advise_from(report, &place, term, &(int){10000});
    }
}

static void keep_used(void *context, int var) {
    LoopReport *report = context;
    if (report->useds == report->used_room) {
        int   room = 2 * report->used_room + 16;
        Used *more = mem_resize(report->used, (size_t)room * sizeof *more);
        if (!more) return; /* a message may be less precise */
        report->used = more;
        report->used_room = room;
    }
    report->used[report->useds++] = (Used){var, report->v[var]};
}

void cause_loop(Running *running, int group, int row, FastFailure fast,
                const double *start, const double *last) {
    Instance    *instance = running->instance;
    const Part  *part = running->part;
    const Group *g = &part->group[group];
    Rb          *c = &running->rb;
    if (instance->report && c->lambda < 1)
        return; /* that of the model itself says more */
    LoopReport *report = new_report(g->torn);
    if (!report) return;
    report->running = running;
    report->program = instance->program;
    report->part = part;
    report->code = running->image->residual(group);
    report->group = group;
    report->row = row;
    report->fast = fast;
    report->initial = c->initial;
    report->live = c->live;
    report->time = c->time;
    report->lambda = c->lambda;
    memcpy(report->start, start, (size_t)g->torn * sizeof *start);
    memcpy(report->last, last, (size_t)g->torn * sizeof *start);
    for (int k = 0; k < g->torn; k++) report->var[k] = part_iteration(part, g, row, k);
    if (running == &instance->run) instance_recall(instance);
    report->v = c->v;
    for (int j = 0; j < g->size; j++) {
        Equation e =
            program_equation(instance->program, part, g->item + row * g->size + j);
        equation_uses(&e, keep_used, report);
    }
    report->modes = part->relations;
    report->mode = mem_take((size_t)report->modes, sizeof(double));
    if (!report->mode) {
        cause_free(report);
        return;
    }
    memcpy(report->mode, c->mode, (size_t)report->modes * sizeof(double));
    cause_free(instance->report);
    instance->report = report;
}

void cause_fraction(Instance *instance) {
    if (instance->report) instance->report->fraction = true;
}

void cause_inconsistent(Instance *instance) {
    if (instance->report) instance->report->inconsistent = true;
}

/* The instance as it was when the loop failed, as far as its equations can see. x: states. */
static void go_back(Instance *instance, const LoopReport *report, double *x) {
    const States *s = &instance->program->states;
    Rb           *c = &report->running->rb;
    for (int k = 0; k < report->useds; k++)
        c->v[report->used[k].var] = report->used[k].value;
    for (int i = 0; i < s->count; i++) {
        x[i] = c->v[s->var[i]];
        instance->dx[i] = c->v[s->rate[i]];
    }
    c->x = x;
    c->dx = instance->dx;
    instance->complete = false;
    c->mode = report->mode;
    c->initial = report->initial;
    c->time = report->time;
    c->lambda = report->lambda;
    c->live = report->live;
}

bool cause_loop_study(Instance *instance) {
    LoopReport *report = instance->report;
    if (!report->running) return true; /* it was studied before */
    const Group *g = &report->part->group[report->group];
    Rb          *c = &report->running->rb, before = *c;
    double      *x = mem_take((size_t)instance->program->states.count, sizeof *x);
    double      *work = mem_take(2 * (size_t)report->n, sizeof *work);
    bool         fine = x && work;
    if (fine) {
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
    }
    report->running = NULL;
    mem_free(x);
    mem_free(work);
    return fine;
}

static void attribute_text(const Instance *instance, int var, AttributeName name,
                           const char *word, Text *out) {
    const Variables *all = &instance->program->variables;
    int              run = variables_run(all, var);
    int              element = var - all->run[run].first;
    const Attribute *a = variables_attribute(all, run, name);
    double           value;
    if (!a) return;
    if (a->kind == VALUE_VARIABLE) value = instance->v[a->index + a->stride * element];
    else if (!variables_known(all, run, name, element, &value)) return;
    text_printf(out, ", %s = %.9g", word, value);
}

static void note_unknown(const LoopReport *report, const Instance *instance, int k,
                         Diag *diag) {
    const Program *p = report->program;
    int            var = report->var[k], from = p->reduced.start_from[var];
    Text           text = {0};
    program_name(p, var, &text);
    if (report->initial) text_printf(&text, ": start = %.9g", report->start[k]);
    else text_printf(&text, ": was %.9g", report->start[k]);
    attribute_text(instance, var, ATTR_NOMINAL, "nominal", &text);
    attribute_text(instance, var, ATTR_MIN, "min", &text);
    attribute_text(instance, var, ATTR_MAX, "max", &text);
    if (report->last[k] < report->start[k] || report->last[k] > report->start[k])
        text_printf(&text, "; the iteration ended at %.9g", report->last[k]);
    diag_note(diag, program_declared(p, from), "iteration variable %s", text_get(&text));
    text_free(&text);
}

static void note_residuals(const LoopReport *report, Diag *diag) {
    const Part  *part = report->part;
    const Group *g = &part->group[report->group];
    bool         shown[64] = {0};
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
        int      item = g->item + report->row * g->size + g->size - g->torn + worst;
        Equation e = program_equation(report->program, part, item);
        Text     text = {0};
        equation_print(&e, 0, &text);
        if (isfinite(report->residual[worst]))
            diag_note(diag, part->pos[item], "off by %.3g: %s", report->residual[worst],
                      text_get(&text));
        else diag_note(diag, part->pos[item], "has no value: %s", text_get(&text));
        text_free(&text);
    }
}

static void note_advice(const LoopReport *report, Diag *diag) {
    const Program *p = report->program;
    Text           name = {0};
    if (report->fast) {
        diag_note(
            diag, 0, "what to try: %s",
            report->fast == FAST_UNSTABLE
                ? "a start value beside the unstable equilibrium: it decides which "
                  "stable one is reached"
                : "simulate without THETA to see where the process goes; it must come "
                  "to rest while everything else stays as it is");
        return;
    }
    if (report->advice >= 0) {
        int from = p->reduced.start_from[report->var[report->advice]];
        program_name(p, from, &name);
        if (report->initial)
            diag_note(diag, program_declared(p, from),
                      "what to try: another start value for '%s', nearer to the solution",
                      text_get(&name));
        else
            diag_note(diag, program_declared(p, from),
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

static const struct {
    Code        code;
    const char *what;
} fast_failure[] = {
    [FAST_STUCK] = {CODE_R110,
                    "cannot be followed: no step of its motion has a solution"},
    [FAST_NO_REST] = {CODE_R111, "does not come to rest"},
    [FAST_DIVERGES] = {CODE_R112, "grows beyond all bounds"},
    [FAST_UNSTABLE] = {CODE_R113, "starts at an equilibrium that is not stable"},
    [FAST_FOLD] = {CODE_R111, "has left its branch, and no event finds another"},
};

Code cause_loop_code(const LoopReport *report) {
    return report->fast ? fast_failure[report->fast].code : CODE_R102;
}

void cause_loop_headline(const LoopReport *report, Text *out) {
    const Group *g = &report->part->group[report->group];
    text_printf(out, "the %s of %d equation%s for ",
                report->fast               ? "infinitely fast process"
                : g->block == BLOCK_LINEAR ? "linear system"
                                           : "nonlinear system",
                g->size, g->size == 1 ? "" : "s");
    for (int k = 0; k < report->n && k < 4; k++) {
        text_add(out, k ? ", '" : "'");
        program_name(report->program, report->var[k], out);
        text_char(out, '\'');
    }
    if (report->n > 4) text_printf(out, " and %d more", report->n - 4);
    text_printf(
        out, " %s (block %d)",
        report->fast ? fast_failure[report->fast].what
        : report->inconsistent
            ? "has no consistent branch: whatever its relations are taken to be, the "
              "solution contradicts them"
        : report->fraction         ? "has a solution that is no Integer"
        : g->block == BLOCK_LINEAR ? "is singular"
                                   : "has no solution that Newton's method finds",
        report->part->block[g->item + report->row * g->size]);
}

Pos cause_loop_pos(const LoopReport *report) {
    const Group *g = &report->part->group[report->group];
    if (report->inconsistent || report->fraction)
        return report->part->pos[g->item + report->row * g->size];
    int first = g->item + report->row * g->size + g->size - g->torn;
    if (report->reason_pos) return report->reason_pos;
    return report->part->pos[first + worst_row(report->residual, report->n)];
}

/* The equations of the block that hold relations. */
static void note_relations(const LoopReport *report, Diag *diag) {
    const Part  *part = report->part;
    const Group *g = &part->group[report->group];
    int          first = g->item + report->row * g->size, last = -1;
    for (int i = 0; i < part->relations; i++) {
        int item = part->relation_item[i];
        if (item < first || item >= first + g->size || item == last) continue;
        Equation e = program_equation(report->program, part, last = item);
        Text     text = {0};
        equation_print(&e, 0, &text);
        diag_note(diag, part->pos[item], "with a relation: %s", text_get(&text));
        text_free(&text);
    }
    diag_note(diag, 0,
              "what to try: an equation without a jump at the border of the relation, or "
              "a memory of the last branch by pre()");
}

void cause_loop_notes(const LoopReport *report, const Instance *instance, Diag *diag) {
    if (report->inconsistent) {
        note_relations(report, diag);
        return;
    }
    if (report->fraction) {
        diag_note(
            diag, 0,
            "what to try: compute these Integers one after the other, with div() where "
            "something is to be divided");
        return;
    }
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

/* ---- equations too many and too few in one system -------------------------------------------- */

enum { SHOWN_NAMES = 4 };

static void list_name(const Program *program, int k, int var, Text *out) {
    text_add(out, k ? ", '" : "'");
    program_name(program, var, out);
    text_char(out, '\'');
}

void cause_redundant(Running *running, int group, int row) {
    Instance    *instance = running->instance;
    const Part  *part = running->part;
    const Group *g = &part->group[group];
    int          first = g->item + row * g->size;
    uint64_t     key = ~((uint64_t)(unsigned)group << 32 | (unsigned)row);
    Text         text = {0};
    if (!instance->say || running->piece || map_has(&instance->warned, key)) return;
    map_put(&instance->warned, key, 1);
    if (g->size == 1) text_add(&text, "the equation for ");
    else text_printf(&text, "%d equations for ", g->size);
    for (int k = 0; k < g->size && k < SHOWN_NAMES; k++)
        list_name(instance->program, k, part->unknown[first + k], &text);
    if (g->size > SHOWN_NAMES) text_printf(&text, " and %d more", g->size - SHOWN_NAMES);
    text_add(&text,
             g->size == 1
                 ? " does not feel it: it has many solutions, and that with "
                 : " depend on each other: they have many solutions, and that with ");
    for (int k = 0; k < g->torn && k < SHOWN_NAMES; k++)
        list_name(instance->program, k, part_iteration(part, g, row, k), &text);
    if (g->torn > SHOWN_NAMES) text_printf(&text, " and %d more", g->torn - SHOWN_NAMES);
    text_add(&text, " nearest to the start is taken");
    instance->say(instance->say_owner, part->pos[first], running->rb.time, true,
                  text_get(&text));
    text_free(&text);
}

/* ---- warnings of the model ----------------------------------------------------------------- */

enum { SHOWN_WARNINGS = 20 };

void cause_words(const Instance *instance, double text, Text *out) {
    const Member *m = instance->incident.member;
    const char   *said = texts_get(instance, text);
    Text          name = {0};
    if (m) program_member_name(instance->program, m->family, m->at, &name);
    if (name.length) text_printf(out, "'%s': ", text_get(&name));
    text_add(out, *said ? said : "an assertion is violated");
    text_free(&name);
}

void cause_warning(Instance *instance, int action, int row, double text) {
    uint64_t key = (uint64_t)action << 32 | (uint32_t)row;
    if (!instance->say || map_has(&instance->warned, key)) return;
    if (instance->warned.count >= SHOWN_WARNINGS) return;
    map_put(&instance->warned, key, 1);
    Text said = {0};
    cause_words(instance, text, &said);
    instance->say(instance->say_owner, instance->program->action_pos[action],
                  instance->run.rb.time, true, text_get(&said));
    text_free(&said);
}
