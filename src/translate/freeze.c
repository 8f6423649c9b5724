/* SPDX-License-Identifier: Apache-2.0 */
/* freeze.c -- the program out of what translation made: one constant block.
 *
 * Cost: linear in variables and equations; expressions once per shape. */
#include "translate/freeze.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

Lists freeze_links(Links links) {
    return (Lists){links.rows, links.start[links.rows], links.start, links.to};
}

bool lists_fit(const Lists *l, int rows, int below) {
    if (l->rows < 0) return true;
    if (l->rows != rows || l->start[0] != 0 || l->start[rows] != l->entries) return false;
    for (int i = 0; i < rows; i++)
        if (l->start[i] > l->start[i + 1]) return false;
    for (int k = 0; k < l->entries; k++)
        if (l->to[k] < 0 || l->to[k] >= below) return false;
    return true;
}

/* ---- texts ---- */

int freeze_chars(Draft *d, const char *text, size_t length) {
    int at = (int)d->chars.length;
    text_bytes(&d->chars, text, length);
    text_char(&d->chars, 0);
    return at;
}

int freeze_text(Draft *d, Str text) {
    int64_t found = text ? map_get(&d->text_of, text, -1) : 0;
    if (found >= 0) return (int)found;
    const Strings *strings = d->shapes->strings;
    int at = freeze_chars(d, str_text(strings, text), str_length(strings, text));
    map_put(&d->text_of, text, at);
    return at;
}

/* The texts that generated code names, and Strings of parameters, come first. */
static void freeze_literals(Draft *d) {
    const Literals *l = &d->shapes->literals;
    int            *literal = NEW(&d->arena, int, l->count + 1);
    for (int k = 0; k < l->count; k++) literal[k] = freeze_text(d, l->text[k]);
    d->program.texts.literal = literal;
    d->program.texts.literals = l->count ? l->count : 1;
}

/* ---- variables ---- */

static bool is_text(AttributeName name) {
    return name >= ATTR_UNIT && name <= ATTR_COMMENT;
}

/* Values of Strings are numbers of literals, texts of attributes numbers of texts. */
static void freeze_attributes(Draft *d) {
    const System *sys = d->sys;
    Attribute    *attribute = arena_copy(&d->arena, sys->attribute,
                                         (size_t)sys->attributes * sizeof *attribute);
    double       *value =
        arena_copy(&d->arena, sys->value, (size_t)sys->values * sizeof *value);
    for (int r = 0; r < sys->runs; r++)
        for (int a = sys->run[r].attribute; a >= 0; a = sys->attribute[a].next) {
            Attribute *at = &attribute[a];
            bool       string = sys->run[r].type == TYPE_STRING;
            bool       content = at->name == ATTR_BINDING || at->name == ATTR_START;
            if (at->kind == VALUE_ONE && is_text((AttributeName)at->name))
                at->value = freeze_text(d, (Str)at->value);
            else if (at->kind == VALUE_ONE && string && content)
                at->value = shapes_literal(d->shapes, (Str)at->value);
            for (int i = 0;
                 at->kind == VALUE_LIST && string && content && i < sys->run[r].count;
                 i++)
                value[at->index + i] =
                    shapes_literal(d->shapes, (Str)value[at->index + i]);
        }
    d->program.variables = system_variables(sys);
    d->program.variables.attribute = attribute;
    d->program.variables.value = value;
}

static void freeze_names(Draft *d) {
    const System *sys = d->sys;
    VarRun       *run = arena_copy(&d->arena, sys->run, (size_t)sys->runs * sizeof *run);
    VarName      *name = NEW(&d->arena, VarName, sys->runs + 1);
    Text          pattern = {0};
    int           names = 0, sizes = 0, room = 0, *size = NULL, own[NAME_DIMS];
    for (int r = 0; r < sys->runs; r++) {
        if (run[r].owner < 0 || !sys->name_pattern) {
            run[r].owner = -1;
            continue;
        }
        text_clear(&pattern);
        int dims = sys->name_pattern(sys->names, run[r].owner, &pattern, own);
        name[names] =
            (VarName){freeze_chars(d, text_get(&pattern), pattern.length), dims, sizes};
        size = arena_grow(&d->arena, size, sizeof(int), &room, sizes + dims);
        for (int k = 0; k < dims; k++) size[sizes++] = own[k];
        run[r].owner = names++;
    }
    text_free(&pattern);
    d->program.variables.run = run;
    d->program.names = (VarNames){names, sizes, name, size};
}

static void freeze_connectors(Draft *d) {
    Connectors      *all = &d->program.connectors;
    int             *of_run = NEW(&d->arena, int, d->sys->runs + 1);
    Connector       *connector;
    ConnectorMember *member;
    *all = d->sys->connectors;
    connector =
        arena_copy(&d->arena, all->connector, (size_t)all->count * sizeof *connector);
    member = arena_copy(&d->arena, all->member, (size_t)all->members * sizeof *member);
    for (int k = 0; k < all->count; k++) {
        connector[k].name = freeze_text(d, (Str)connector[k].name);
        connector[k].type = freeze_text(d, (Str)connector[k].type);
        connector[k].comment = freeze_text(d, (Str)connector[k].comment);
    }
    for (int r = 0; r < d->sys->runs; r++) of_run[r] = -1;
    for (int k = 0; k < all->members; k++) {
        member[k].name = freeze_text(d, (Str)member[k].name);
        of_run[member[k].run] = k;
    }
    all->of_run = of_run;
    all->runs = d->sys->runs;
    all->connector = connector;
    all->member = member;
}

/* Parameters that a row of the bindings gives, and those it gives together with others. */
static void mark_computed(Draft *d, uint8_t *computed, uint8_t *set) {
    const Plan      *plan = &d->from->part[PART_BINDINGS].plan;
    const Structure *st = plan->st;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        for (int k = 0; k < group->count * group->size; k++) {
            int           var = st->var_of[plan->item[group->item + k]];
            const Kernel *kernel =
                &plan->kernel[plan->body[group->body + k % group->size]];
            computed[system_run_of(d->sys, var)] = true;
            if (group->kind == GROUP_LOOP || kernel->kind != KERNEL_SOLVE)
                set[var] = SET_TRANSLATE;
        }
    }
}

/* Variables that equations compute: a value from outside would not last. Those with a memory,
 * states and discrete ones with a left limit, begin with theirs. */
static void mark_unknowns(Draft *d, uint8_t *set) {
    const System *sys = d->sys;
    bool         *remembered = NEW(&d->arena, bool, sys->runs + 1);
    for (int r = 0; r < sys->runs; r++) {
        int  first = sys->run[r].first;
        bool left = sys->run[r].kind == VAR_PRE || sys->run[r].kind == VAR_PREVIOUS;
        if (!left || !sys->run[r].count) continue;
        const Structure *st = freeze_owner(d, first);
        if (first < st->vars && st->role[first] != ROLE_ABSENT)
            remembered[sys->run[r].of] = true;
    }
    for (int k = 0; sys->clocks && k < sys->clocks->states; k++)
        remembered[system_run_of(sys, sys->clocks->state[k].var)] = true;
    for (int v = 0; v < sys->vars; v++) {
        const VarRun    *run = &sys->run[system_run_of(sys, v)];
        const Structure *st = freeze_owner(d, v);
        if (v >= st->vars) continue;
        const int root = st->alias[v], of = system_run_of(sys, root);
        if (run->kind != VAR_CONTINUOUS && run->kind != VAR_DISCRETE) continue;
        if (st->role[root] == ROLE_KNOWN && sys->run[of].kind != VAR_INPUT)
            set[v] = SET_COMPUTED;
        else if (st->role[root] == ROLE_UNKNOWN && !remembered[of]) set[v] = SET_START;
    }
}

static void freeze_reduced(Draft *d) {
    const System *sys = d->sys;
    uint8_t      *set = NEW(&d->arena, uint8_t, sys->vars + 1);
    uint8_t      *computed = NEW(&d->arena, uint8_t, sys->runs + 1);
    for (int r = 0; r < sys->runs; r++)
        memset(set + sys->run[r].first, run_set_kind(&sys->run[r]),
               (size_t)sys->run[r].count);
    mark_computed(d, computed, set);
    mark_unknowns(d, set);
    int     *alias = NEW(&d->arena, int, sys->vars + 1);
    int     *start_from = NEW(&d->arena, int, sys->vars + 1);
    int8_t  *sign = NEW(&d->arena, int8_t, sys->vars + 1);
    uint8_t *role = NEW(&d->arena, uint8_t, sys->vars + 1);
    for (int v = 0; v < sys->vars; v++) {
        const Structure *st = freeze_owner(d, v);
        bool             known = v < st->vars; /* else only the start knows it */
        alias[v] = known ? st->alias[v] : v;
        start_from[v] = known ? st->start_from[v] : v;
        sign[v] = known ? st->sign[v] : 1;
        role[v] = known ? st->role[v] : ROLE_ABSENT;
    }
    d->program.reduced =
        (Reduced){sys->vars, sys->runs, alias, sign, role, set, start_from, computed};
}

/* ---- states ---- */

static void freeze_states(Draft *d) {
    const Structure *st = &d->from->part[PART_RUN].structure;
    const Plan      *plan = &d->from->part[PART_RUN].plan;
    size_t           n = (size_t)st->states + 1;
    int    *var = NEW(&d->arena, int, n), *rate = NEW(&d->arena, int, n), count = 0;
    int8_t *sign = NEW(&d->arena, int8_t, n);
    for (int v = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_STATE) continue;
        var[count] = v;
        rate[count] = st->next[v];
        sign[count++] = st->next_sign[v];
    }
    d->program.states = (States){.count = count,
                                 .var = var,
                                 .rate = rate,
                                 .rate_sign = sign,
                                 .written = plan->written,
                                 .copied = plan->copied};
}

static void freeze_invariants(Draft *d) {
    const Structure *st = &d->from->part[PART_RUN].structure;
    int             *state = NEW(&d->arena, int, st->drift.states + 1);
    for (int k = 0; k < st->drift.states; k++)
        state[k] = program_state(&d->program, st->drift.state[k]);
    d->program.invariants = (Invariants){.rows = st->drift.rows,
                                         .states = st->drift.states,
                                         .parts = st->drift.parts,
                                         .part = st->drift.row_part,
                                         .state = state,
                                         .state_part = st->drift.state_part};
}

static void freeze_fast(Draft *d) {
    const ThetaUse *use = &d->sys->theta;
    int             n = use->count;
    Ranked         *order = NEW(&d->arena, Ranked, n + 1);
    int    *state = NEW(&d->arena, int, n + 1), *rate = NEW(&d->arena, int, n + 1);
    int    *level = NEW(&d->arena, int, n + 1);
    int8_t *sign = NEW(&d->arena, int8_t, n + 1);
    for (int k = 0; k < n; k++) {
        int var = use->fast[k].state;
        order[k] = (Ranked){freeze_owner(d, var)->alias[var], k};
    }
    if (n) qsort(order, (size_t)n, sizeof *order, ranked_ascending);
    for (int k = 0; k < n; k++) {
        const FastState *fast = &use->fast[order[k].number];
        state[k] = order[k].key;
        rate[k] = fast->rate;
        level[k] = fast->level;
        sign[k] = freeze_owner(d, fast->state)->sign[fast->state];
    }
    d->program.fast =
        (FastStates){n, state, rate, sign, level, use->runs, use->differentiated};
}

/* ---- functions ---- */

typedef struct ListMaker {
    int *list, count, room;
} ListMaker;

static int freeze_list(Draft *d, ListMaker *m, const Str *from) {
    int first = m->count, n = 0;
    while (from && from[n]) n++;
    if (!n) return 0; /* list[0] is 0: the empty list */
    m->list = arena_grow(&d->arena, m->list, sizeof(int), &m->room, m->count + n + 1);
    for (int k = 0; k < n; k++) m->list[m->count++] = freeze_text(d, from[k]);
    m->list[m->count++] = 0;
    return first;
}

static void freeze_functions(Draft *d) {
    const Shapes *shapes = d->shapes;
    FunctionInfo *info = NEW(&d->arena, FunctionInfo, shapes->functions + 1);
    ListMaker     m = {.list = NEW(&d->arena, int, 8), .count = 1, .room = 8};
    for (int k = 0; k < shapes->functions; k++) {
        const Function *f = shapes->function[k];
        if (!f) continue;
        const ExternalCall *x = f->external;
        info[k] = (FunctionInfo){.name = freeze_text(d, f->name),
                                 .flags = f->flags,
                                 .inputs = f->inputs,
                                 .destructor = -1};
        if (!x) continue;
        info[k].symbol = freeze_text(d, x->symbol);
        info[k].language = freeze_text(d, x->language);
        info[k].destructor = x->destructor;
        info[k].directory = freeze_list(d, &m, x->directory);
        info[k].include = freeze_list(d, &m, x->include);
        info[k].include_in = freeze_list(d, &m, x->include_in);
        info[k].library = freeze_list(d, &m, x->library);
        info[k].library_in = freeze_list(d, &m, x->library_in);
    }
    d->program.functions = shapes->functions;
    d->program.function = info;
    d->program.texts.list = m.list;
    d->program.texts.lists = m.count;
}

static void freeze_actions(Draft *d) {
    const Families  *actions = &d->sys->set[ROWS_ACTION];
    Pos             *pos = NEW(&d->arena, Pos, actions->count + 1);
    const Structure *st = &d->from->part[PART_RUN].structure;
    for (int f = 0; f < actions->count; f++) {
        pos[f] = actions->family[f].pos;
        d->program.info.checked |= action_is_check(d->shapes, &actions->family[f]) &&
                                   !steady_happens(st, &actions->family[f]);
    }
    d->program.actions = actions->count;
    d->program.action_pos = pos;
}

/* ---- sources ---- */

static void freeze_sources(Draft *d) {
    const Sources *sources = &d->from->session->sources;
    SourceInfo    *info = NEW(&d->arena, SourceInfo, sources->count + 1);
    Text           lines = {0};
    for (int k = 0; k < sources->count; k++) {
        const Source *s = sources->source[k];
        int           from = (int)lines.length;
        source_lengths(s, &lines);
        info[k] = (SourceInfo){.path = freeze_chars(d, s->path, strlen(s->path)),
                               .base = s->base,
                               .size = s->size,
                               .line = from,
                               .lines = (int)lines.length - from,
                               .hash = hash_bytes(s->text, s->size)};
        if (!s->file) info[k].text = freeze_chars(d, s->text, s->size);
    }
    d->program.sources =
        (SourceInfos){sources->count, (int)lines.length, info,
                      arena_copy(&d->arena, text_get(&lines), lines.length + 1)};
    text_free(&lines);
}

/* ---- the whole ---- */

static bool uses(const Shapes *shapes, TermOp op) {
    for (uint32_t i = 0; i < shapes->nodes; i++)
        if (shapes->node[i].op == op) return true;
    return false;
}

bool freeze_has_clocks(const System *sys) {
    for (int r = 0; r < sys->runs; r++)
        if (sys->run[r].kind == VAR_CLOCK || sys->run[r].kind == VAR_PREVIOUS)
            return true;
    return false;
}

static bool freeze_info(Draft *d) {
    const Translation *t = d->from;
    ProgramInfo       *info = &d->program.info;
    info->model = freeze_chars(d, t->target, strlen(t->target));
    info->rows = d->sys->set[ROWS_EQUATION].rows;
    info->reduced_rows = t->part[PART_RUN].structure.rows;
    info->shapes = d->shapes->count;
    if (t->flat) {
        info->equations = (int)t->flat->equations;
        info->parameters = (int)t->flat->parameters;
    }
    info->homotopy = uses(d->shapes, TERM_HOMOTOPY);
    info->terminal = uses(d->shapes, TERM_TERMINAL);
    info->clocks = freeze_has_clocks(d->sys);
    info->effort = effort_of(&t->part[PART_RUN].plan);
    return experiment_find(t, info);
}

/* Needs: plans and C texts of all parts. Gives: texts, variables, states, functions, sources, parts
 * without patterns. */
Draft *freeze_tables(Translation *t) {
    System *sys = t->part[PART_RUN].structure.sys;
    Draft  *d = mem_take(1, sizeof *d);
    *d = (Draft){.from = t, .sys = sys, .shapes = sys->shapes};
    for (int k = 0; k < t->parts; k++)
        assert(t->part[k].planned && t->part[k].text.length);
    freeze_chars(d, "", 0);
    freeze_attributes(d);
    freeze_names(d);
    freeze_connectors(d);
    freeze_literals(d);
    freeze_reduced(d);
    freeze_states(d);
    freeze_invariants(d);
    freeze_fast(d);
    freeze_functions(d);
    freeze_actions(d);
    freeze_sources(d);
    freeze_parts(d);
    freeze_batches(d);
    freeze_clocks(d);
    assert(d->program.states.count == t->part[PART_RUN].structure.states);
    return d;
}

/* Needs: patterns; of selective code locality, too. Gives: the program, which refers to nothing of
 * the compiler. */
Program *freeze_program(Draft *d) {
    assert(d->program.graph.group);
    assert(d->from->selective == (d->program.graph.local != NULL));
    if (!freeze_info(d)) return NULL;
    d->program.texts.text = text_get(&d->chars);
    d->program.texts.chars = (int)d->chars.length;
    if (!d->from->keep) structure_shed(&d->from->part[PART_RUN].structure);
    Program *program = program_pack(&d->program);
    assert(!program || program->states.count == d->program.states.count);
    return program;
}

void freeze_close(Draft *d) {
    if (!d) return;
    arena_free(&d->arena);
    text_free(&d->chars);
    map_free(&d->text_of);
    mem_free(d);
}

const char *freeze_part_name(int part) {
    static const char *const name[] = {"run", "start", "bindings", "ticks",
                                       "first ticks"};
    return name[part < PARTS ? part : PARTS + (part - PARTS) % 2];
}

void freeze_print_tables(const Draft *d, Text *out) {
    const Program *p = &d->program;
    text_printf(out, "%d variables in %d runs, %d states, %d functions, %d sources\n",
                p->variables.vars, p->variables.runs, p->states.count, p->functions,
                p->sources.count);
    for (int k = 0; k < p->parts; k++)
        text_printf(out, "%s: %d groups, %d equations, %d relations\n",
                    freeze_part_name(k), p->part[k].groups, p->part[k].items,
                    p->part[k].relations);
}
