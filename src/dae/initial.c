/* SPDX-License-Identifier: Apache-2.0 */
/* initial.c -- the equations that hold at the start, as a structure of their own.
 *
 * At the start states are unknowns like all others, parameters declared with fixed = false
 * are unknown, and the initial equations hold besides all others. Start values fill what is
 * left open (Modelica 3.6, section 8.6). Which of them are used is found by matching in
 * classes: unknowns that nobody can guess first, then states without and with a start value,
 * then left limits, then start values marked fixed. A matched column stays matched, so what
 * remains free at the end is what one would rather take from its start value:
 *
 *   free fixed start      used, as declared
 *   free other start      used, reported as chosen
 *   matched fixed start   superfluous: the equations determine it; reported
 *   initial equation left without unknown: superfluous; reported and left out
 *
 * Linear in rows and edges but for the matching. */
#include "dae/dae.h"
#include "dae/rewrite.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TAKEN_FREE, TAKEN_STATE, TAKEN_START, TAKEN_PRE, TAKEN_FIXED, TAKEN_CLASSES };

typedef struct Initial {
    Structure       *st;   /* being made */
    const Structure *main; /* of the running model */
    System          *sys;
    uint8_t *class; /* by variable: TAKEN_; 255: no unknown */
} Initial;

enum { NO_UNKNOWN = 255 };

/* ---- rows ---- */

static void copy_variables(Initial *in) {
    Structure       *st = in->st;
    const Structure *from = in->main;
    size_t           n = (size_t)from->vars;
    structure_grow(st);
    memcpy(st->alias, from->alias, n * sizeof *st->alias);
    memcpy(st->sign, from->sign, n * sizeof *st->sign);
    memcpy(st->role, from->role, n * sizeof *st->role);
    memcpy(st->select, from->select, n * sizeof *st->select);
    memcpy(st->start_from, from->start_from, n * sizeof *st->start_from);
    memcpy(st->next, from->next, n * sizeof *st->next);
    memcpy(st->next_sign, from->next_sign, n * sizeof *st->next_sign);
    memcpy(st->prev, from->prev, n * sizeof *st->prev);
}

static void copy_rows(Initial *in) {
    const Structure *from = in->main;
    const int32_t  **sizes = NULL;
    for (int r = 0; r < from->rows; r++) {
        int slots = in->sys->shapes->shape[from->shape[r]].slots, rank;
        sizes = realloc(sizes, ((size_t)slots + 1) * sizeof *sizes);
        if (!sizes) abort();
        for (int k = 0; k < slots; k++) sizes[k] = structure_sizes(from, r, k, &rank);
        structure_add_row(in->st, from->shape[r], from->slot + from->first[r], sizes,
                          from->source[r], from->of[r]);
    }
    free(sizes);
}

/* A row of another set, with aliases replaced; its source is told from the others by ~. */
static void add_row_of(Initial *in, Rewrite *w, RowSet set, const Family *family,
                       int index) {
    int             slots = in->sys->shapes->shape[family->shape].slots, rank;
    int            *slot = malloc(((size_t)slots + 1) * sizeof *slot);
    const int32_t **sizes = malloc(((size_t)slots + 1) * sizeof *sizes);
    bool            wide = in->sys->shapes->shape[family->shape].wide;
    if (!slot || !sizes) abort();
    for (int k = 0; wide && k < slots; k++)
        sizes[k] = family_sizes(in->sys, family, k, &rank);
    family_slots(in->sys, family, index, slot);
    rewrite_add(w, family->shape, slot, wide ? sizes : NULL,
                source_of(set, family->row + index), -1);

    free(slot);
    free(sizes);
}

static void add_initial_rows(Initial *in, Rewrite *w) {
    const Families *families = &in->sys->set[ROWS_INITIAL];
    for (int f = 0; f < families->count; f++)
        for (int i = 0; i < families->family[f].count; i++)
            add_row_of(in, w, ROWS_INITIAL, &families->family[f], i);
}

/* ---- parameters that are computed at the start ---- */

static bool declared_free(const System *sys, int run, int element) {
    double fixed;
    return sys->run[run].kind == VAR_PARAMETER &&
           system_known(sys, run, ATTR_FIXED, element, &fixed) && fixed == 0;
}

static bool is_free_parameter(const Initial *in, int v) {
    return in->class[v] == TAKEN_FREE &&
           in->sys->run[system_run_of(in->sys, v)].kind == VAR_PARAMETER;
}

/* Bindings that depend on free parameters make their own parameter free as well. */
static void follow_bindings(Initial *in, Rewrite *w) {
    const Families *families = &in->sys->set[ROWS_BINDING];
    bool           *taken = calloc((size_t)families->rows + 1, 1);
    if (!taken) abort();
    for (bool again = true; again;) {
        again = false;
        for (int f = 0; f < families->count; f++) {
            const Family *family = &families->family[f];
            int           slots = in->sys->shapes->shape[family->shape].slots;
            int          *slot = malloc(((size_t)slots + 1) * sizeof *slot);
            if (!slot) abort();
            for (int i = 0; i < family->count; i++) {
                bool depends = false;
                if (taken[family->row + i]) continue;
                family_slots(in->sys, family, i, slot);
                for (int k = 1; k < slots; k++) /* slot 0 is the parameter itself */
                    depends |= slot[k] >= 0 && slot[k] < in->st->vars &&
                               is_free_parameter(in, slot[k]);
                if (!depends) continue;
                taken[family->row + i] = again = true;
                in->class[slot[0]] = TAKEN_FREE;
                add_row_of(in, w, ROWS_BINDING, family, i);
            }
            free(slot);
        }
    }
    free(taken);
}

/* ---- unknowns ---- */

static bool is_fixed(const System *sys, int v) {
    int    run = system_run_of(sys, v);
    double fixed;
    return system_known(sys, run, ATTR_FIXED, v - sys->run[run].first, &fixed) &&
           fixed != 0;
}

static bool has_start(const System *sys, int v) {
    return system_attribute(sys, system_run_of(sys, v), ATTR_START) != NULL;
}

static bool is_continuous(const System *sys, int v) {
    const VarRun *run = &sys->run[system_run_of(sys, v)];
    return run->kind == VAR_CONTINUOUS && run->type == TYPE_REAL;
}

static void classify(Initial *in) {
    const Structure *st = in->main;
    for (int r = 0; r < in->sys->runs; r++)
        for (int i = 0; i < in->sys->run[r].count; i++) {
            int v = in->sys->run[r].first + i, from = st->start_from[v];
            in->class[v] = NO_UNKNOWN;
            if (declared_free(in->sys, r, i)) in->class[v] = TAKEN_FREE;
            if (st->role[v] != ROLE_UNKNOWN && st->role[v] != ROLE_STATE) continue;
            bool state = st->role[v] == ROLE_STATE;
            bool fixed = is_continuous(in->sys, v) && is_fixed(in->sys, from);
            in->class[v] = fixed                      ? TAKEN_FIXED
                           : !state                   ? TAKEN_FREE
                           : has_start(in->sys, from) ? TAKEN_START
                                                      : TAKEN_STATE;
        }
}

/* Left limits that an initial equation speaks of are unknowns, all others are known. */
static void note_use(void *context, int var, int slot) {
    Initial *in = context;
    int      kind = in->sys->run[system_run_of(in->sys, var)].kind;
    (void)slot;
    if (kind == VAR_PRE && in->class[var] == NO_UNKNOWN) in->class[var] = TAKEN_PRE;
    if (kind == VAR_DER && in->st->role[var] == ROLE_ABSENT) in->class[var] = TAKEN_FREE;
}

static void make_equations(Initial *in) {
    Structure *st = in->st;
    for (int r = in->main->rows; r < st->rows; r++) structure_uses(st, r, note_use, in);
    for (int v = 0; v < st->vars; v++)
        if (in->class[v] != NO_UNKNOWN) st->role[v] = ROLE_UNKNOWN;
    for (int r = 0; r < st->rows; r++) {
        int parts = structure_results(st, r);
        for (int p = 0; p < parts; p++) structure_add_equation(st, r, p);
    }
    structure_graph(st);
}

/* ---- which start values are used ---- */

static void match_by_class(Initial *in) {
    Structure *st = in->st;
    bool      *allow = calloc((size_t)st->vars + 1, 1);
    if (!allow) abort();
    for (int v = 0; v < st->vars; v++) st->eq_of[v] = -1;
    for (int e = 0; e < st->eqs; e++) st->var_of[e] = -1;
    for (int class = 0; class < TAKEN_CLASSES; class ++) {
        for (int v = 0; v < st->vars; v++) allow[v] |= in->class[v] == class;
        for (EdgeKind kind = EDGE_ALWAYS; kind >= EDGE_IMPLICIT; kind--)
            match_largest(&st->graph, kind, allow, st->var_of, st->eq_of);
    }
    free(allow);
}

static void report_variable(const Initial *in, Code code, int v, const char *format) {
    Text name = {0};
    if (!in->st->diag) return;
    system_name(in->sys, in->main->start_from[v], &name);
    diag_report(in->st->diag, in->sys->run[system_run_of(in->sys, v)].pos, code, format,
                text_get(&name));
    text_free(&name);
}

static void settle_variables(Initial *in) {
    Structure *st = in->st;
    for (int v = 0; v < st->vars; v++) {
        if (in->class[v] == NO_UNKNOWN) continue;
        bool matched = st->eq_of[v] >= 0;
        if (matched && in->class[v] == TAKEN_FIXED)
            report_variable(in, CODE_D121, v,
                            "the start value of '%s' is fixed, but the equations already "
                            "determine it; it is only used as a guess");
        if (matched) continue;
        st->role[v] = ROLE_KNOWN;
        if (in->class[v] == TAKEN_STATE || in->class[v] == TAKEN_START)
            report_variable(in, CODE_D120, v,
                            "'%s' starts at its start value, because no initial equation "
                            "determines it");
        else if (in->class[v] == TAKEN_FREE)
            report_variable(
                in, CODE_D123, v,
                "nothing determines '%s' at the start; its start value is taken");
    }
}

/* Equations without unknown are left out; false if one of them is no initial equation. */
static bool settle_equations(Initial *in) {
    Structure *st = in->st;
    int        n = 0;
    bool       good = true;
    for (int e = 0; e < st->eqs; e++) {
        if (st->var_of[e] >= 0) {
            st->eq_row[n] = st->eq_row[e];
            st->eq_part[n] = st->eq_part[e];
            st->var_of[n] = st->var_of[e];
            st->eq_of[st->var_of[n]] = n;
            n++;
            continue;
        }
        RowSet set;
        source_set(st->source[st->eq_row[e]], &set);
        good &= set == ROWS_INITIAL;
        if (!st->diag) continue;
        Text text = {0};
        structure_print_row(st, st->eq_row[e], &text);
        diag_report(st->diag, structure_pos(st, st->eq_row[e]),
                    set == ROWS_INITIAL ? CODE_D122 : CODE_D124,
                    set == ROWS_INITIAL
                        ? "the initial equation '%s' is superfluous: everything in it is "
                          "determined by others"
                        : "at the start nothing is left that '%s' could determine",
                    text_get(&text));
        text_free(&text);
    }
    st->eqs = n;
    return good;
}

bool structure_initial(Structure *st, const Structure *from, Diag *diag) {
    Initial in = {.st = st, .main = from, .sys = from->sys};
    Rewrite w;
    *st = (Structure){.sys = from->sys, .diag = diag};
    st->arena.oom = from->arena.oom;
    st->arena.owner = from->arena.owner;
    in.class = malloc((size_t)from->vars + 1);
    if (!in.class) abort();
    assert(from->vars == from->sys->vars);
    copy_variables(&in);
    copy_rows(&in);
    classify(&in);
    rewrite_begin(&w, st);
    add_initial_rows(&in, &w);
    follow_bindings(&in, &w);
    rewrite_end(&w);
    make_equations(&in);
    match_by_class(&in);
    settle_variables(&in);
    bool good = settle_equations(&in);
    free(in.class);
    if (!good) return false;
    structure_graph(st);
    order_blocks(st);
    return true;
}
