/* SPDX-License-Identifier: Apache-2.0 */
/* program.c -- what is asked of a program: names, slots of rows, positions. */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

const char *set_refusal(SetKind kind, bool start) {
    if (kind == SET_NEVER) return "this is final";
    if (kind == SET_COMPUTED) return "this is computed: it equals a parameter";
    if (kind == SET_START && !start)
        return "this is computed; its start value is set by its name with '.start'";
    return NULL;
}

/* ---- names -------------------------------------------------------------------------------- */

static void base_name(const void *owner, const VarRun *run, int element, Text *out) {
    const Program *p = owner;
    if (run->owner < 0) {
        text_printf(out, "v%d", run->first + element);
        return;
    }
    const VarName *name = &p->names.name[run->owner];
    name_write(program_text(p, name->pattern), p->names.size + name->size, name->dims,
               element, out);
}

void program_name(const Program *p, int var, Text *out) {
    variables_name(&p->variables, var, base_name, p, out);
}

typedef struct InNamed { /* for instance_name */
    const Program *program;
    int64_t        at;
} InNamed;

static const BatchMember *member_at(const Batches *all, const BatchInfo *batch,
                                    int64_t at) {
    const BatchMember *first = all->member + batch->member;
    int                low = 0, high = batch->members;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (first[middle].first <= at) low = middle;
        else high = middle;
    }
    return first + low;
}

/* A name begins with that of the first declaration of the family, whose sizes are 1 in the program: that
 * of the declaration of the instance stands instead. */
static void instance_name(const void *owner, const VarRun *run, int element, Text *out) {
    const InNamed *n = owner;
    const Program *p = n->program;
    const Batches *all = &p->batches;
    int            family = all->of_run[run - p->variables.run];
    if (run->owner < 0 || family < 0 || !all->batch[family].members) {
        base_name(p, run, element, out);
        return;
    }
    const BatchInfo   *batch = &all->batch[family];
    const BatchMember *shown = all->member + batch->member;
    const BatchMember *member = member_at(all, batch, n->at);
    const VarName     *name = &p->names.name[run->owner];
    name_write(program_text(p, member->pattern), all->size + member->size, member->dims,
               (int)(n->at - member->first), out);
    name_write(program_text(p, name->pattern) + strlen(program_text(p, shown->pattern)),
               p->names.size + name->size + shown->dims, name->dims - shown->dims,
               element, out);
}

void program_member_name(const Program *p, int family, int64_t at, Text *out) {
    const BatchInfo *batch = &p->batches.batch[family];
    if (!batch->members) return;
    const BatchMember *m = member_at(&p->batches, batch, at);
    name_write(program_text(p, m->pattern), p->batches.size + m->size, m->dims,
               (int)(at - m->first), out);
}

void program_instance_name(const Program *p, int var, int64_t at, Text *out) {
    InNamed named = {p, at};
    variables_name(&p->variables, var, instance_name, &named, out);
}

bool program_shown_name(const Program *p, const char *name, Text *out) {
    const Batches *all = &p->batches;
    for (int f = 0; f < all->count; f++) {
        const BatchMember *shown = all->member + all->batch[f].member;
        int                one[NAME_DIMS];
        for (int d = 0; d < NAME_DIMS; d++) one[d] = 1;
        for (int m = 1; m < all->batch[f].members; m++) {
            size_t length = name_within(program_text(p, shown[m].pattern), name);
            if (!length) continue;
            name_write(program_text(p, shown->pattern), one, shown->dims, 0, out);
            text_add(out, name + length);
            return true;
        }
    }
    return false;
}

bool program_in_many(const Program *p, int run) {
    const Batches *all = &p->batches;
    int            family = all->count ? all->of_run[run] : -1;
    return family >= 0 && all->batch[family].count > 1;
}

Pos program_declared(const Program *p, int var) {
    return p->variables.run[variables_run(&p->variables, var)].pos;
}

/* Does the name fit the pattern? Then its subscripts, as the number of an element; else -1. */
static int match_name(const char *pattern, const int *size, int dims, const char *name) {
    long element = 0;
    for (int next = 0; *pattern; pattern++) {
        if (*pattern != NAME_SUBSCRIPT) {
            while (*name == ' ' && *pattern != ' ') name++;
            if (*name++ != *pattern) return -1;
            continue;
        }
        char *end;
        long  at = strtol(name, &end, 10);
        if (end == name || next == dims || at < 1 || at > size[next]) return -1;
        element = element * size[next++] + at - 1;
        name = end;
    }
    return *name ? -1 : (int)element;
}

/* der(x) by the name of x. */
static int find_derivative(const Program *p, const char *name, size_t length) {
    Text inner = {0};
    text_bytes(&inner, name + 4, length - 5);
    int var = inner.failed ? -1 : program_find(p, text_get(&inner));
    text_free(&inner);
    if (var < 0) return -1;
    const VarRun *run = &p->variables.run[variables_run(&p->variables, var)];
    return run->der < 0 ? -1 : p->variables.run[run->der].first + (var - run->first);
}

int program_find(const Program *p, const char *name) {
    size_t length = strlen(name);
    if (length > 5 && strncmp(name, "der(", 4) == 0 && name[length - 1] == ')')
        return find_derivative(p, name, length);
    for (int r = 0; r < p->variables.runs; r++) {
        const VarRun *run = &p->variables.run[r];
        if (run->owner < 0 || run->of >= 0) continue;
        const VarName *n = &p->names.name[run->owner];
        int element = match_name(program_text(p, n->pattern), p->names.size + n->size,
                                 n->dims, name);
        if (element >= 0 && element < run->count) return run->first + element;
    }
    return -1;
}

/* ---- variables ------------------------------------------------------------------------------ */

int program_state(const Program *p, int var) {
    int low = 0, high = p->states.count;
    if (p->reduced.role[var] != ROLE_STATE) return -1;
    while (low < high) { /* states are in the order of variables */
        int middle = low + (high - low) / 2;
        if (p->states.var[middle] < var) low = middle + 1;
        else high = middle;
    }
    return low;
}

bool program_left_of(const Program *p, int var, bool continuous) {
    const VarRun *run = &p->variables.run[variables_run(&p->variables, var)];
    if (run->kind != VAR_PRE) return false;
    return !continuous || !run_is_discrete(&p->variables.run[run->of]);
}

int program_source(const Program *p, int pre) {
    const VarRun *run = &p->variables.run[variables_run(&p->variables, pre)];
    return p->reduced.alias[p->variables.run[run->of].first + pre - run->first];
}

/* ---- expressions ---------------------------------------------------------------------------- */

static const char *literal_text(const void *owner, int64_t number) {
    return program_text(owner, (int)number);
}

static const char *function_name(const void *owner, int number) {
    const Program *p = owner;
    return number < p->functions ? program_text(p, p->function[number].name) : NULL;
}

TermPool program_pool(const Program *p) {
    return (TermPool){.node = p->expressions.node,
                      .arg = p->expressions.arg,
                      .owner = p,
                      .text = literal_text,
                      .function = function_name};
}

/* ---- equations ------------------------------------------------------------------------------ */

/* The group that an item belongs to: they are stored in ascending order. */
static const Group *group_of(const Part *part, int item) {
    int low = 0, high = part->groups - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (part->group[middle].item <= item) low = middle;
        else high = middle - 1;
    }
    return &part->group[low];
}

Equation program_equation(const Program *p, const Part *part, int item) {
    const Group  *group = group_of(part, item);
    int           place = (item - group->item) % group->size;
    const Access *access = part->access + group->access;
    for (int j = 0; j < place; j++)
        access += part->formula[part->body[group->body + j]].slots;
    return (Equation){.program = p,
                      .part = part,
                      .formula = &part->formula[part->body[group->body + place]],
                      .access = access,
                      .size = part->size + part->size_at[group->body + place],
                      .row = (item - group->item) / group->size,
                      .item = item};
}

static const Node *leaf_of(const Equation *e, int slot) {
    const Expressions *x = &e->program->expressions;
    return &x->node[x->leaf[e->formula->leaf + slot]];
}

int equation_slot(const Equation *e, int slot) {
    return part_variable(e->part, &e->access[slot], e->row);
}

const int *equation_sizes(const Equation *e, int slot, int *rank) {
    const int *size = e->size;
    for (int k = 0; k < slot; k++) size += 2 * leaf_of(e, k)->rank;
    *rank = leaf_of(e, slot)->rank;
    return *rank ? size : NULL;
}

enum {
    SHOWN_EQUATION = 600
}; /* characters: inlined functions can make tens of thousands */

static void name_slot(const void *context, int slot, Text *out) {
    const Equation *e = context;
    int             var = equation_slot(e, slot), rank, last = var;
    if (leaf_of(e, slot)->op == TERM_NUMBER) {
        text_printf(out, "%d", var);
        return;
    }
    const int *size = equation_sizes(e, slot, &rank);
    program_name(e->program, var, out);
    if (!rank) return;
    for (int d = 0; d < rank; d++) last += (size[2 * d] - 1) * size[2 * d + 1];
    text_add(out, " ... ");
    program_name(e->program, last, out);
}

void equation_print(const Equation *e, Term term, Text *out) {
    TermPool     pool = program_pool(e->program);
    const size_t before = out->length;
    term_print(&pool, term ? term : e->formula->row, name_slot, e, out);
    text_cut(out, before + SHOWN_EQUATION);
}

void equation_slot_uses(const Equation *e, int slot, UseVariable *use, void *context) {
    int        var = equation_slot(e, slot), rank, count = 1;
    const int *size = equation_sizes(e, slot, &rank);
    if (leaf_of(e, slot)->op == TERM_NUMBER) return;
    for (int d = 0; d < rank; d++) count *= size[2 * d];
    for (int n = 0; n < count; n++) {
        int at = var;
        for (int d = rank - 1, rest = n; d >= 0; rest /= size[2 * d], d--)
            at += rest % size[2 * d] * size[2 * d + 1];
        use(context, at);
    }
}

void equation_uses(const Equation *e, UseVariable *use, void *context) {
    for (int k = 0; k < e->formula->slots; k++) equation_slot_uses(e, k, use, context);
}

bool equation_is_number(const Equation *e, int slot) {
    return leaf_of(e, slot)->op == TERM_NUMBER;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

const char *const solver_method_name[SOLVER_METHODS] = {
    [SOLVER_NONE] = "",
    [SOLVER_EXPLICIT_EULER] = "ExplicitEuler",
    [SOLVER_EXPLICIT_MIDPOINT] = "ExplicitMidPoint2",
    [SOLVER_RUNGE_KUTTA4] = "ExplicitRungeKutta4",
    [SOLVER_IMPLICIT_EULER] = "ImplicitEuler",
    [SOLVER_IMPLICIT_TRAPEZOID] = "ImplicitTrapezoid",
    [SOLVER_SEMI_IMPLICIT_EULER] = "SemiImplicitEuler",
    [SOLVER_EXTERNAL] = "External"};

/* ---- positions ------------------------------------------------------------------------------ */

bool program_sources(const Program *p, Sources *sources) {
    sources_init(sources);
    for (int k = 0; k < p->sources.count; k++) {
        const SourceInfo *info = &p->sources.source[k];
        SourceStub        stub = {.path = program_text(p, info->path),
                                  .text = info->text ? program_text(p, info->text) : NULL,
                                  .base = info->base,
                                  .size = info->size,
                                  .length = p->sources.line + info->line,
                                  .lengths = info->lines,
                                  .hash = info->hash};
        if (!source_declare(sources, &stub)) return false;
    }
    return true;
}
