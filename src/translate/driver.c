/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c -- the way of a model as one table of passes.
 *
 * Adding a pass is adding a row: --dump, --stop-after, --timing and --stages follow. */
#define _POSIX_C_SOURCE 200809L
#include "translate/translate.h"

#include <assert.h>
#include <string.h>
#include <time.h>

typedef struct Pass {
    const char *name;
    bool (*run)(Translation *t); /* false: messages were reported */
    void (*dump)(const Translation *t, Text *out);
} Pass;

/* ---- parse: file or class -> target ---- */

static bool pass_parse(Translation *t) {
    t->target = target_find(t);
    return t->target != NULL;
}

static void dump_parse(const Translation *t, Text *out) {
    text_printf(out, "%s\n", t->target);
}

/* ---- flatten: target -> flat ---- */

/* Is the number of equations all that is wrong? */
static bool is_unbalanced(const Translation *t) {
    return t->session->diag.errors == 1 && t->flat->equations != t->flat->unknowns;
}

/* Which unknowns are left over follows from the structure. Messages of the way there are not
 * wanted: the model is known to be wrong. */
static void explain_balance(Translation *t) {
    Diag *diag = &t->session->diag;
    Diag  before = *diag;
    Rows *rows = rows_of_model(t->flat);
    if (rows && rows->good && diag->count == before.count)
        structure_explain(&rows->sys, diag);
    else diag->count = before.count, diag->errors = before.errors;
    rows_free(rows);
}

static bool pass_flatten(Translation *t) {
    assert(t->target && !t->front);
    t->front = front_new(t->session, t->library);
    if (!t->front) return false;
    if (t->modifiers) {
        t->front->given = parse_modifiers_text(t->session, "--set", t->modifiers);
        if (!t->front->given) return false;
    }
    t->front->local_balance = t->check;
    t->front->external.call = foreign_call;
    t->front->external.context = t->foreign;
    t->flat = flat_model(t->front, t->target);
    if (t->flat && is_unbalanced(t)) explain_balance(t);
    return t->flat && t->flat->ok;
}

static void dump_flatten(const Translation *t, Text *out) {
    flat_print(out, t->flat);
}

/* ---- rows: flat -> rows ---- */

static bool pass_rows(Translation *t) {
    assert(t->flat && t->flat->ok && !t->rows);
    t->rows = rows_of_model(t->flat);
    return t->rows && t->rows->good;
}

static void dump_rows(const Translation *t, Text *out) {
    system_dump(&t->rows->sys, out, 10000);
}

/* ---- structure: rows -> blocks in order, torn ---- */

static bool pass_structure(Translation *t) {
    System *sys = &t->rows->sys;
    Diag   *diag = &t->session->diag;
    return structure_analyse(&t->part[PART_RUN].structure, sys, diag) &&
           structure_bindings(&t->part[PART_BINDINGS].structure, sys, NULL, 0, diag) &&
           structure_initial(&t->part[PART_START].structure, &t->part[PART_RUN].structure,
                             &t->part[PART_BINDINGS].structure, diag);
}

static void dump_structure(const Translation *t, Text *out) {
    structure_report(&t->part[PART_RUN].structure, out, 100000);
}

/* ---- schedule: blocks -> groups of equal kernels ---- */

/* Rows of the bindings may be passed over, so none is computed inside another. */
static bool pass_schedule(Translation *t) {
    for (int k = 0; k < PARTS; k++) {
        PartBuild *b = &t->part[k];
        plan_make(&b->plan, &b->structure);
        b->planned = true;
        b->plan.selective = k == PART_RUN && t->selective;
        b->plan.guarded = k == PART_BINDINGS;
        if (!b->plan.selective && !b->plan.guarded) plan_fuse(&b->plan);
    }
    return true;
}

static void dump_schedule(const Translation *t, Text *out) {
    plan_report(&t->part[PART_RUN].plan, out);
}

/* ---- emit: groups -> C text ---- */

static bool has_loops(const Plan *plan) {
    for (int g = 0; g < plan->groups; g++)
        if (plan->group[g].kind == GROUP_LOOP) return true;
    return false;
}

static bool pass_emit(Translation *t) {
    for (int k = 0; k < PARTS; k++) {
        PartBuild *b = &t->part[k];
        if (!gen_text(&b->plan, &t->session->diag, &b->text)) return false;
        b->width = gen_width(&b->plan);
        bool wanted = has_loops(&b->plan) || (k == PART_RUN && b->structure.states);
        if (wanted && !gen_tangents(&b->plan, b->width, NULL, &b->tangent))
            text_free(&b->tangent); /* what needs them takes differences */
    }
    return true;
}

static void dump_emit(const Translation *t, Text *out) {
    const Text *text = &t->part[PART_RUN].text;
    text_bytes(out, text_get(text), text->length);
}

/* ---- freeze: all of it -> program ---- */

static bool pass_freeze(Translation *t) {
    t->program = freeze(t);
    return t->program != NULL;
}

static void dump_freeze(const Translation *t, Text *out) {
    const Program *p = t->program;
    text_printf(out, "%zu bytes: %d variables, %d states, %d functions, %d sources\n",
                p->bytes, p->variables.vars, p->states.count, p->functions,
                p->sources.count);
}

/* ---- the table ---- */

static const Pass passes[] = {
    {"parse", pass_parse, dump_parse},             /* file or class -> target */
    {"flatten", pass_flatten, dump_flatten},       /* target -> flat */
    {"rows", pass_rows, dump_rows},                /* flat -> rows */
    {"structure", pass_structure, dump_structure}, /* rows -> blocks in order */
    {"schedule", pass_schedule, dump_schedule},    /* blocks -> groups */
    {"emit", pass_emit, dump_emit},                /* groups -> C text */
    {"freeze", pass_freeze, dump_freeze},          /* all of it -> program */
    {0},
};

bool translate_pass(const char *name, Text *names) {
    for (const Pass *p = passes; p->name; p++)
        if (strcmp(p->name, name) == 0) return true;
    for (const Pass *p = passes; names && p->name; p++) text_printf(names, " %s", p->name);
    return false;
}

static double wall_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_pass(Translation *t, const Pass *p) {
    double       before = wall_time();
    const Watch *w = &t->watch;
    bool         good = p->run(t);
    if (w->pass) w->pass(w->owner, p->name, good, wall_time() - before);
    if (good && w->dump && strcmp(w->dump, p->name) == 0) p->dump(t, &t->dump);
    if (good && w->until && strcmp(w->until, p->name) == 0) t->stopped = true;
    return good;
}

bool translate_run(Translation *t, const char *first, const char *last) {
    bool begun = !first;
    for (const Pass *p = passes; p->name; p++) {
        begun |= first && strcmp(p->name, first) == 0;
        if (!begun) continue;
        if (!run_pass(t, p)) return false;
        if (t->stopped || strcmp(p->name, last) == 0) break;
    }
    return true;
}

void translate_again(Translation *t, const char *modifiers) {
    rows_free(t->rows);
    front_free(t->front);
    t->rows = NULL;
    t->front = NULL;
    t->flat = NULL;
    t->modifiers = modifiers;
}

void translate_close(Translation *t) {
    for (int k = 0; k < PARTS; k++) {
        PartBuild *b = &t->part[k];
        if (b->planned) plan_free(&b->plan);
        structure_free(&b->structure);
        text_free(&b->text);
        text_free(&b->tangent);
        *b = (PartBuild){0};
    }
    translate_again(t, NULL);
    text_free(&t->dump);
    arena_free(&t->arena);
}
