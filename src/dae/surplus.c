/* SPDX-License-Identifier: Apache-2.0 */
/* surplus.c -- conditions of the start that others determine already.
 *
 * An initial equation without an unknown, and a fixed start value of a variable that follows from
 * others, cannot be solved for anything. They are not forgotten: each gives a warning at its place
 * that names the other place, and an assertion that holds at the start only. If the values that the
 * other conditions determine do not satisfy it, the run ends there. Of two variables that are
 * aliases both start values are compared, not the value of the class: then a value from outside
 * replaces both. If these are numbers of the model's text, the comparison is made here.
 *
 * The other place is the nearest condition in the matching that determines the variable: a search
 * in breadth from its column, linear in the edges, once for each warning. */
#include "dae/initial.h"

#include <math.h>
#include <string.h>

/* What the two sides of a condition may differ by: the accuracy of the solution, in units of nominal
 * values and of the values. */
static const double share_of_nominal = 1e-6, share_of_value = 1e-5;

/* ---- questions at the start -------------------------------------------------------------------- */

static double largest_nominal(const System *sys, const int *slot, int slots) {
    double most = 0, value;
    for (int k = 0; k < slots; k++) {
        int run = system_run_of(sys, slot[k]);
        if (!system_known(sys, run, ATTR_NOMINAL, slot[k] - sys->run[run].first, &value))
            value = 1;
        most = fmax(most, fabs(value));
    }
    return most;
}

static Term allowance(Shapes *shapes, double nominal, Term left, Term right) {
    Term sizes = expr_2(shapes, TERM_ADD, expr_1(shapes, TERM_ABS, left),
                        expr_1(shapes, TERM_ABS, right));
    return expr_2(shapes, TERM_ADD, expr_real(shapes, share_of_nominal * nominal),
                  expr_2(shapes, TERM_MUL, expr_real(shapes, share_of_value), sizes));
}

typedef struct Question { /* do left and right agree when everything is known? */
    Term        left, right;
    const int  *slot; /* variables of both */
    int         slots;
    int         owner;
    Pos         pos;
    const char *text; /* what is said if they do not */
} Question;

/* An assertion that holds at the start. */
static void ask(const Initial *x, const Question *q) {
    Shapes *shapes = x->sys->shapes;
    Term    holds;
    if (shapes->node[q->left].type == TYPE_REAL)
        holds = expr_2(shapes, TERM_LESS_EQUAL,
                       expr_1(shapes, TERM_ABS, expr_sub(shapes, q->left, q->right)),
                       allowance(shapes, largest_nominal(x->sys, q->slot, q->slots),
                                 q->left, q->right));
    else holds = expr_2(shapes, TERM_EQUAL, q->left, q->right);
    Term       part[] = {expr_1(shapes, TERM_NO_EVENT, holds),
                         expr_string(shapes, str_of(shapes->strings, q->text)),
                         expr_integer(shapes, 2)};
    Term       asks = expr_2(shapes, TERM_WHEN, expr_make(shapes, TERM_INITIAL, NULL, 0),
                             expr_make(shapes, TERM_ASSERT, part, 3));
    const int *order;
    int        shape = shape_of(shapes, asks, &order), n = shapes->shape[shape].slots;
    int       *moved = mem_take((size_t)n, sizeof *moved);
    for (int k = 0; k < n; k++) moved[k] = q->slot[order ? order[k] : k];
    int made =
        system_table(x->sys, ROWS_ACTION, shape, 1, moved, NULL, 0, q->owner, q->pos);
    x->sys->set[ROWS_ACTION].family[made].partition = (uint16_t)x->st->base;
    mem_free(moved);
}

/* Does initial equation `row` hold? False if that cannot be asked. */
static bool ask_equation(const Initial *x, int row) {
    System *sys = x->sys;
    Shapes *shapes = sys->shapes;
    Family  family = *system_family(sys, ROWS_INITIAL, row);
    Term    root = shapes->shape[family.shape].root;
    if (expr_op(shapes, root) != TERM_EQUATION || shapes->shape[family.shape].wide ||
        expr_op(shapes, expr_arg(shapes, root, 0)) == TERM_TUPLE)
        return false;
    int  slots = shapes->shape[family.shape].slots;
    int *slot = mem_take((size_t)slots, sizeof *slot);
    family_slots(sys, &family, row - family.row, slot);
    ask(x, &(Question){
               .left = expr_arg(shapes, root, 0),
               .right = expr_arg(shapes, root, 1),
               .slot = slot,
               .slots = slots,
               .owner = family.owner,
               .pos = family.pos,
               .text = "this initial equation does not hold: the others determine other "
                       "values"});
    mem_free(slot);
    return true;
}

/* ---- initial equations -------------------------------------------------------------------------- */

/* An initial equation that found no unknown, and of which can be asked whether it holds. */
static bool is_surplus(const Initial *x, int e) {
    const Structure *in = x->in;
    int              row = in->eq_row[e];
    return e >= x->equations && structure_results(in, row) == 1 &&
           in->source[row] <= SOURCE_INITIAL && in->source[row] > SOURCE_BINDING;
}

bool surplus_leave_out(Initial *x, const int *col_of) {
    Structure *in = x->in;
    int        kept = 0;
    for (int e = 0; e < in->eqs; e++)
        if (col_of[e] < 0 && !is_surplus(x, e)) return false;
    for (int e = 0; e < in->eqs; e++) {
        int row = in->eq_row[e];
        if (col_of[e] < 0) {
            if (!ask_equation(x, SOURCE_INITIAL - in->source[row])) return false;
            if (in->diag)
                diag_report(
                    in->diag, structure_pos(in, row), CODE_D123,
                    "this initial equation is left out: others determine all that "
                    "it speaks of");
            continue;
        }
        in->eq_row[kept] = row;
        in->eq_part[kept] = in->eq_part[e];
        in->var_of[kept++] = -1;
    }
    in->eqs = kept;
    return true;
}

void surplus_too_many(const Initial *x, const InitialMatch *m, int count,
                      Arena *scratch) {
    const Structure *in = x->in;
    Singular parts = singular_parts(&m->graph, m->wanted, m->col_of, m->row_of, scratch);
    parts.under_rows = parts.under_cols = 0;
    if (!in->diag) return;
    diag_report(in->diag, structure_pos(in, in->eq_row[parts.over_row[0]]), CODE_D120,
                "%d initial equation%s too many", count, count == 1 ? " is" : "s are");
    singular_report(in, &parts, false);
}

/* ---- fixed start values ------------------------------------------------------------------------- */

typedef struct Rival { /* a condition that determines the same variable */
    int var;           /* a fixed start value, -1: none */
    int row;           /* an initial equation, -1: none */
} Rival;

/* The nearest condition in the matching that determines a variable. */
static Rival find_rival(const Initial *x, const InitialMatch *m, int var,
                        Arena *scratch) {
    const Graph *g = &m->graph;
    bool        *seen = NEW(scratch, bool, g->rows + 1);
    int         *queue = NEW(scratch, int, g->rows + 1), count = 0;
    if (m->row_of[var] >= 0) seen[queue[count++] = m->row_of[var]] = true;
    for (int i = 0; i < count; i++) {
        int row = queue[i], candidate = row - x->in->eqs;
        if (candidate >= 0 && candidate < x->fixed)
            return (Rival){x->st->start_from[x->start_var[candidate]], -1};
        if (candidate < 0 && row >= x->equations) return (Rival){-1, x->in->eq_row[row]};
        for (int k = g->start[row]; k < g->start[row + 1]; k++) {
            int next = m->row_of[g->col[k]];
            if (next >= 0 && !seen[next]) seen[queue[count++] = next] = true;
        }
    }
    return (Rival){-1, -1};
}

static Pos declared(const System *sys, int var) {
    return sys->run[system_run_of(sys, var)].pos;
}

/* The start value of a variable as a term; a parameter that gives it takes slot *n. */
static Term start_term(const System *sys, int var, int *slot, int *n) {
    Shapes          *shapes = sys->shapes;
    int              run = system_run_of(sys, var), element = var - sys->run[run].first;
    const Attribute *a = system_attribute(sys, run, ATTR_START);
    double           value = 0;
    if (a && a->kind == VALUE_VARIABLE) {
        slot[*n] = a->index + a->stride * element;
        return expr_slot(shapes, (*n)++, TYPE_REAL);
    }
    system_known(sys, run, ATTR_START, element, &value);
    return expr_real(shapes, value);
}

static void name_rival(const Initial *x, Rival rival, Text *out) {
    if (rival.var >= 0) {
        text_add(out, "the fixed start value of '");
        system_name(x->sys, rival.var, out);
        text_char(out, '\'');
    } else {
        text_add(out, rival.row >= 0 ? "an initial equation" : "the equations");
    }
}

static void place_rival(const Initial *x, Rival rival, Text *out) {
    Pos pos = rival.var >= 0   ? declared(x->sys, rival.var)
              : rival.row >= 0 ? structure_pos(x->in, rival.row)
                               : 0;
    if (!pos || !x->in->diag || !x->in->diag->sources) return;
    Place place = source_place(x->in->diag->sources, pos);
    if (place.source)
        text_printf(out, " (%s:%d:%d)", place.source->path, place.line, place.column);
}

/* Asks at the start whether the fixed start value of `var` holds: against that of `kept`, another
 * member of its class whose start value holds for it, or if there is none against its value. */
static void ask_start(const Initial *x, int var, int kept, Rival rival) {
    Shapes *shapes = x->sys->shapes;
    int     slot[2], slots = 0, run = system_run_of(x->sys, var);
    Text    text = {0};
    Term    left, right;
    if (kept >= 0) {
        left = start_term(x->sys, kept, slot, &slots);
        if (x->st->sign[kept] * x->st->sign[var] < 0)
            left = expr_1(shapes, TERM_NEG, left);
    } else {
        slot[slots] = var;
        left = expr_slot(shapes, slots++, TYPE_REAL);
    }
    right = start_term(x->sys, var, slot, &slots);
    text_add(&text, "the fixed start value of '");
    system_name(x->sys, var, &text);
    text_add(&text, "' does not hold: ");
    name_rival(x, rival, &text);
    place_rival(x, rival, &text);
    text_add(&text, rival.var < 0 && rival.row < 0 ? " determine" : " determines");
    text_add(&text, " another value");
    ask(x, &(Question){left, right, slot, slots, x->sys->run[run].owner,
                       x->sys->run[run].pos, text_get(&text)});
    text_free(&text);
}

static bool known_start(const System *sys, int var, double *value) {
    int              run = system_run_of(sys, var);
    const Attribute *a = system_attribute(sys, run, ATTR_START);
    *value = 0;
    if (a && a->kind == VALUE_VARIABLE) return false;
    system_known(sys, run, ATTR_START, var - sys->run[run].first, value);
    return true;
}

/* Two start values of one class, both of them numbers of the text: an error if they differ. */
static bool agree(const Initial *x, int var, int kept) {
    double a, b;
    if (!known_start(x->sys, var, &a) || !known_start(x->sys, kept, &b)) return true;
    b *= x->st->sign[kept] * x->st->sign[var];
    double nominal = fmax(system_nominal(x->sys, var), system_nominal(x->sys, kept));
    return fabs(a - b) <=
           share_of_nominal * nominal + share_of_value * (fabs(a) + fabs(b));
}

static void contradiction(const Initial *x, int var, int kept) {
    Text   name = {0}, other = {0};
    double a = 0, b = 0;
    known_start(x->sys, var, &a);
    known_start(x->sys, kept, &b);
    system_name(x->sys, var, &name);
    system_name(x->sys, kept, &other);
    bool opposite = x->st->sign[kept] * x->st->sign[var] < 0;
    if (x->in->diag) {
        diag_report(x->in->diag, declared(x->sys, var), CODE_D124,
                    "'%s' is fixed at %.9g, but '%s', which is %s, is fixed at %.9g",
                    text_get(&name), a, text_get(&other),
                    opposite ? "its opposite" : "equal to it", b);
        diag_note(x->in->diag, declared(x->sys, kept), "'%s' is declared here",
                  text_get(&other));
    }
    text_free(&name);
    text_free(&other);
}

static void warn(const Initial *x, int var, int count, Rival rival) {
    Text name = {0}, other = {0};
    if (!x->in->diag) return;
    system_name(x->sys, var, &name);
    if (count > 1) text_printf(&name, " and %d more", count - 1);
    name_rival(x, rival, &other);
    diag_report(
        x->in->diag, declared(x->sys, var), CODE_D121,
        "the fixed start value%s of %s %s left out: other conditions determine %s",
        count > 1 ? "s" : "", text_get(&name), count > 1 ? "are" : "is",
        count > 1 ? "them" : "it");
    if (rival.var >= 0)
        diag_note(x->in->diag, declared(x->sys, rival.var), "one of them is %s",
                  text_get(&other));
    else if (rival.row >= 0)
        diag_note(x->in->diag, structure_pos(x->in, rival.row),
                  "one of them is this initial equation");
    text_free(&name);
    text_free(&other);
}

bool surplus_starts(Initial *x, const InitialMatch *m, Arena *scratch) {
    const System *sys = x->sys;
    bool         *taken = NEW(scratch, bool, x->st->vars + 1), fine = true;
    for (int k = 0; k < x->fixed; k++)
        taken[x->start_var[k]] = m->col_of[x->in->eqs + k] >= 0;
    for (int r = 0; r < sys->runs; r++) {
        VarRun run = sys->run[r];
        int    first = -1, count = 0;
        Rival  rival = {-1, -1};
        if (run.kind != VAR_CONTINUOUS || run.type != TYPE_REAL ||
            !system_attribute(sys, r, ATTR_FIXED))
            continue;
        for (int v = run.first; v < run.first + run.count && v < x->st->vars; v++) {
            int class = x->st->alias[v];
            int kept = taken[class] ? x->st->start_from[class] : -1;
            if (kept == v || x->st->role[class] == ROLE_ABSENT ||
                !initial_fixed(sys, v) || system_partition_of(sys, v) != x->st->base ||
                (x->fast && x->fast[x->st->alias[v]]))
                continue;
            if (kept >= 0 && !agree(x, v, kept)) {
                contradiction(x, v, kept);
                fine = false;
                continue;
            }
            if (first < 0)
                rival = kept >= 0 ? (Rival){kept, -1} : find_rival(x, m, class, scratch);
            if (first < 0) first = v;
            count++;
            ask_start(x, v, kept, rival);
        }
        if (count) warn(x, first, count, rival);
    }
    return fine;
}
