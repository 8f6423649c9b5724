/* SPDX-License-Identifier: Apache-2.0 */
/* system.c -- variables in runs, their attributes, enumerations.
 *
 * A run costs 48 bytes and an attribute 24, whatever the length of the array. */
#include "dae/dae.h"

#include <assert.h>
#include <string.h>

void system_init(System *sys, Shapes *shapes) {
    *sys = (System){.shapes = shapes, .theta = {.var = -1}};
}

void system_free(System *sys) {
    MEM_FREE(sys->run, sys->run_at, sys->attribute, sys->value);
    for (int s = 0; s < ROWS_SETS; s++) mem_free(sys->set[s].family);
    MEM_FREE(sys->data, sys->replaced, sys->enumeration, sys->theta.fast,
             sys->theta.differentiated, sys->theta.is_rate);
    if (sys->clocks) {
        MEM_FREE(sys->clocks->state, sys->clocks->input, sys->clocks->shift);
        arena_free(&sys->clocks->arena);
    }
    arena_free(&sys->arena);
    *sys = (System){0};
}

/* The next run has `count` variables. */
static void note_run(System *sys, int count) {
    const int end = sys->vars + count;
    GROW(sys->run_at, sys->run_at_room, (uint32_t)(end / RUN_STEP + 1));
    for (int k = (sys->vars + RUN_STEP - 1) / RUN_STEP; k * RUN_STEP < end; k++)
        sys->run_at[k] = sys->runs;
}

int system_run(System *sys, VarKind kind, Type type, int count, int owner, Pos pos) {
    assert(count >= 0);
    note_run(sys, count);
    GROW(sys->run, sys->run_room, sys->runs + 1);
    sys->run[sys->runs] = (VarRun){.first = sys->vars,
                                   .count = count,
                                   .kind = (uint8_t)kind,
                                   .type = (uint8_t)type,
                                   .select = SELECT_DEFAULT,
                                   .owner = owner,
                                   .pos = pos,
                                   .of = -1,
                                   .der = -1,
                                   .pre = -1,
                                   .previous = -1,
                                   .attribute = -1,
                                   .enumeration = -1};
    sys->vars += count;
    return sys->runs++;
}

int system_run_of(const System *sys, int var) {
    assert(var >= 0 && var < sys->vars);
    int r = sys->run_at[var / RUN_STEP];
    while (r + 1 < sys->runs && sys->run[r + 1].first <= var) r++;
    return r;
}

VarKind system_kind(const System *sys, int var) {
    bool rate = sys->theta.is_rate && var < sys->theta.vars && sys->theta.is_rate[var];
    return rate ? VAR_RATE : (VarKind)sys->run[system_run_of(sys, var)].kind;
}

/* A run for derivatives or previous values of run r. */
static int run_beside(System *sys, int r, VarKind kind) {
    VarRun run = sys->run[r];
    int    made = system_run(sys, kind, (Type)run.type, run.count, -1, run.pos);
    sys->run[made].of = r;
    sys->run[made].flags = VAR_HIDDEN;
    sys->run[made].enumeration = run.enumeration;
    return made;
}

static int32_t *link_of(VarRun *run, VarKind kind) {
    return kind == VAR_DER ? &run->der : kind == VAR_PRE ? &run->pre : &run->previous;
}

/* The companion of var's run: made on first use. */
static int companion(System *sys, int var, VarKind kind) {
    int r = system_run_of(sys, var), made = *link_of(&sys->run[r], kind);
    if (made < 0) {
        made = run_beside(sys, r, kind);
        *link_of(&sys->run[r], kind) = made;
    }
    return sys->run[made].first + (var - sys->run[r].first);
}

int system_der(System *sys, int var) {
    return companion(sys, var, VAR_DER);
}

int system_motion(System *sys, int var) {
    int der = system_der(sys, var), r = system_run_of(sys, var), made = -1;
    if (system_kind(sys, der) != VAR_RATE) return der;
    for (int k = 0; k < sys->runs && made < 0; k++)
        if (sys->run[k].kind == VAR_DER && sys->run[k].of == r && sys->run[r].der != k)
            made = k;
    if (made < 0) made = run_beside(sys, r, VAR_DER);
    return sys->run[made].first + (var - sys->run[r].first);
}

int system_pre(System *sys, int var) {
    return companion(sys, var, VAR_PRE);
}

int system_previous(System *sys, int var) {
    return companion(sys, var, VAR_PREVIOUS);
}

int system_enumeration(System *sys, Str name, const Str *literal, int count) {
    GROW(sys->enumeration, sys->enumeration_room, sys->enumerations + 1);
    sys->enumeration[sys->enumerations] = (Enumeration){
        name, count, arena_copy(&sys->arena, literal, (size_t)count * sizeof *literal)};
    return sys->enumerations++;
}

/* ---- attributes ------------------------------------------------------------------------- */

static void put(System *sys, int run, Attribute attribute) {
    for (int a = sys->run[run].attribute; a >= 0; a = sys->attribute[a].next)
        if (sys->attribute[a].name == attribute.name) { /* given again: replaced */
            attribute.next = sys->attribute[a].next;
            sys->attribute[a] = attribute;
            return;
        }
    GROW(sys->attribute, sys->attribute_room, sys->attributes + 1);
    attribute.next = sys->run[run].attribute;
    sys->attribute[sys->attributes] = attribute;
    sys->run[run].attribute = sys->attributes++;
}

void system_value(System *sys, int run, AttributeName name, double value) {
    put(sys, run, (Attribute){.name = (uint8_t)name, .kind = VALUE_ONE, .value = value});
}

void system_text(System *sys, int run, AttributeName name, Str text) {
    system_value(sys, run, name, text);
}

void system_list(System *sys, int run, AttributeName name, const double *value, int n) {
    assert(n == sys->run[run].count);
    GROW(sys->value, sys->value_room, sys->values + n);
    if (n) memcpy(sys->value + sys->values, value, (size_t)n * sizeof *value);
    put(sys, run,
        (Attribute){.name = (uint8_t)name, .kind = VALUE_LIST, .index = sys->values});
    sys->values += n;
}

void system_variable(System *sys, int run, AttributeName name, int var, int stride) {
    put(sys, run,
        (Attribute){.name = (uint8_t)name,
                    .kind = VALUE_VARIABLE,
                    .index = var,
                    .stride = stride});
}

const Attribute *system_attribute(const System *sys, int run, AttributeName name) {
    Variables all = system_variables(sys);
    return variables_attribute(&all, run, name);
}

bool system_known(const System *sys, int run, AttributeName name, int element,
                  double *value) {
    Variables all = system_variables(sys);
    return variables_known(&all, run, name, element, value);
}

double system_nominal(const System *sys, int var) {
    Variables all = system_variables(sys);
    return variables_nominal(&all, var);
}

size_t system_bytes(const System *sys) {
    size_t bytes = (size_t)sys->runs * sizeof *sys->run +
                   (size_t)sys->attributes * sizeof *sys->attribute +
                   (size_t)sys->values * sizeof *sys->value +
                   (size_t)sys->datas * sizeof *sys->data;
    for (int s = 0; s < ROWS_SETS; s++)
        bytes += (size_t)sys->set[s].count * sizeof(Family);
    return bytes;
}
