/* SPDX-License-Identifier: Apache-2.0 */
/* interface.c -- a program as FMI sees it.
 *
 * A run of variables is one variable of FMI 3.0 if its elements are alike: all states in a row, or
 * none; all of them settable, or none. Otherwise, and in FMI 2.0, each element is one. Derivatives of
 * states are variables of their own, whatever else they are equal to, so that the rules about aliases
 * concern ordinary values only.
 *
 * A parameter with a number in the model can be set. One that is computed from others is a
 * calculatedParameter. Start values of states are exact where the model fixes them.
 *
 * What the model computes in connectors at its top level is output in FMI 3.0: only outputs, inputs and
 * parameters may be members of a terminal.
 *
 * In FMI 3.0 each sub-clock partition has a clock, to which its variables belong. In Scheduled Execution
 * that is an input: others say when it ticks. Else it is local and triggered: it tells that it has ticked. */
#include "fmi/fmi.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- names ---- */

void fmu_token(const Program *p, char token[40]) {
    uint64_t a = hash_mix(p->hash), b = hash_mix(a ^ p->bytes);
    snprintf(token, 40, "{%08x-%04x-%04x-%04x-%012llx}", (unsigned)(a >> 32),
             (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xffff), (unsigned)(b >> 48),
             (unsigned long long)(b & 0xffffffffffff));
}

void fmu_identifier(const Program *p, Text *out) {
    for (const char *c = program_text(p, p->info.model); *c; c++)
        text_char(out, isalnum((unsigned char)*c) ? *c : '_');
}

void fmu_whole_name(const char *pattern, Text *out) {
    for (const char *c = pattern; *c; c++) {
        bool open = *c == '[' && c[1] == NAME_SUBSCRIPT;
        if (open) c += strcspn(c, "]");
        else text_char(out, *c);
    }
}

/* der(der(x)) is der(x,2) in structured names. */
static void put_derivative(const char *name, int times, Text *out) {
    size_t n = strlen(name);
    while (n > 5 && strncmp(name, "der(", 4) == 0 && name[n - 1] == ')') {
        name += 4;
        n -= 5;
        times++;
    }
    if (times) text_add(out, "der(");
    text_bytes(out, name, n);
    if (times > 1) text_printf(out, ",%d", times);
    if (times) text_char(out, ')');
}

void fmu_name(const FmuInterface *f, const FmuVariable *v, Text *out) {
    const Program *p = f->program;
    if (v->source == FMU_TIME) text_add(out, "time");
    else if (v->source == FMU_INDICATORS) text_add(out, "'event indicators'");
    else if (v->source == FMU_TICKS) text_printf(out, "'clock %d'", v->number + 1);
    else {
        const VarRun *run = &p->variables.run[variables_run(&p->variables, v->var)];
        Text          name = {0};
        if (v->array && run->owner >= 0)
            fmu_whole_name(program_text(p, p->names.name[run->owner].pattern), &name);
        else program_name(p, v->var, &name);
        out->failed |= name.failed;
        put_derivative(text_get(&name), v->source == FMU_RATE, out);
        text_free(&name);
    }
}

/* ---- start values ---- */

/* False: it is computed, or that of a parameter. */
static bool start_known_of(const Program *p, int var, double *value) {
    const Variables *all = &p->variables;
    const int        from = p->reduced.start_from[var], run = variables_run(all, from);
    const Attribute *a = variables_attribute(all, run, ATTR_START);
    *value = 0;
    if (a && a->kind == VALUE_VARIABLE) return false;
    if (a) variables_known(all, run, ATTR_START, from - all->run[run].first, value);
    *value *= p->reduced.sign[from] * p->reduced.sign[var];
    return true;
}

/* The number that the model gives to a parameter, constant or input. */
static bool binding_known(const Program *p, int var, double *value) {
    const Variables *all = &p->variables;
    const int        run = variables_run(all, var), element = var - all->run[run].first;
    const Attribute *bound = variables_attribute(all, run, ATTR_BINDING);
    *value = 0;
    if (p->reduced.computed[run]) return false;
    if (bound && bound->kind == VALUE_VARIABLE) return false;
    if (bound) return variables_known(all, run, ATTR_BINDING, element, value);
    const Attribute *start = variables_attribute(all, run, ATTR_START);
    if (start && start->kind == VALUE_VARIABLE) return false;
    if (start) variables_known(all, run, ATTR_START, element, value);
    return true;
}

/* The number behind a text belongs to an instance, so only what nothing else is equal to at translation. */
bool fmu_text_settable(const Program *p, int var) {
    double        value;
    const VarRun *run = &p->variables.run[variables_run(&p->variables, var)];
    return run->type == TYPE_STRING && run->kind == VAR_PARAMETER &&
           !(run->flags & (VAR_FINAL | VAR_EVALUATED)) && p->reduced.alias[var] == var &&
           binding_known(p, var, &value);
}

const char *fmu_text(const Program *p, double number) {
    const int k = (int)number;
    return k >= 0 && k < p->texts.literals ? program_text(p, p->texts.literal[k]) : "";
}

static bool is_known_kind(const VarRun *run) {
    return run->kind == VAR_PARAMETER || run->kind == VAR_CONSTANT ||
           run->kind == VAR_INPUT;
}

double fmu_start(const Program *p, int var) {
    double        value;
    const VarRun *run = &p->variables.run[variables_run(&p->variables, var)];
    if (is_known_kind(run)) binding_known(p, var, &value);
    else start_known_of(p, var, &value);
    return value;
}

/* ---- one element ---- */

static int type_of(const VarRun *run) {
    const bool whole = run->type == TYPE_INTEGER || run->type == TYPE_ENUM;
    return run->type == TYPE_REAL      ? (int)FMU_REAL
           : run->type == TYPE_BOOLEAN ? (int)FMU_BOOLEAN
           : run->type == TYPE_STRING  ? (int)FMU_TEXT
           : whole                     ? (int)FMU_INTEGER
                                       : -1;
}

/* A derivative of a state has an entry of its own. */
static bool is_state_rate(const Program *p, const VarRun *run, int var) {
    if (run->kind != VAR_DER || run->of < 0) return false;
    int of = p->variables.run[run->of].first + var - run->first;
    return program_state(p, of) >= 0;
}

static bool is_shown(const Program *p, const VarRun *run, int var) {
    bool named = run->kind != VAR_PRE && run->kind != VAR_PREVIOUS &&
                 run->kind != VAR_RATE && run->kind != VAR_CLOCK;
    bool hidden = run->flags & VAR_HIDDEN && run->kind != VAR_DER;
    return named && !hidden && run->owner >= (run->kind == VAR_DER ? -1 : 0) &&
           type_of(run) >= 0 && p->reduced.role[var] != ROLE_ABSENT &&
           !is_state_rate(p, run, var);
}

/* Parameters, constants and inputs: what nothing in the run computes. */
static void describe_known(const Program *p, const VarRun *run, FmuVariable *v) {
    double value;
    bool   text = run->type == TYPE_STRING, known = binding_known(p, v->var, &value);
    bool   settable =
        text ? fmu_text_settable(p, v->var) : p->reduced.set[v->var] == SET_RUN && known;
    v->started = known;
    if (run->kind == VAR_INPUT) {
        v->causality = FMU_INPUT;
        v->variability = run_is_discrete(run) ? FMU_DISCRETE : FMU_CONTINUOUS;
        v->started = true;
    } else if (run->kind == VAR_PARAMETER && settable) {
        v->causality = FMU_PARAMETER;
        v->variability = FMU_FIXED;
        v->initial = FMU_EXACT;
    } else if (run->kind == VAR_CONSTANT && known) {
        v->causality = FMU_LOCAL;
        v->variability = FMU_CONSTANT;
        v->initial = FMU_EXACT;
    } else {
        v->causality = FMU_CALCULATED;
        v->variability = FMU_FIXED;
        v->initial = FMU_COMPUTED;
        v->started = false;
    }
}

static void describe_unknown(const Program *p, const VarRun *run, FmuVariable *v) {
    double    value, fixed = 0;
    const int set = p->reduced.set[v->var];
    v->causality = run->flags & VAR_OUTPUT ? FMU_OUTPUT : FMU_LOCAL;
    v->variability = run_is_discrete(run) ? FMU_DISCRETE : FMU_CONTINUOUS;
    v->initial = FMU_COMPUTED;
    v->number = p->reduced.role[v->var] == ROLE_STATE ? program_state(p, v->var) : -1;
    v->state = v->number >= 0;
    if (!v->state || (set != SET_RUN && set != SET_START) ||
        !start_known_of(p, v->var, &value))
        return;
    const int from = p->reduced.start_from[v->var];
    const int owner = variables_run(&p->variables, from);
    variables_known(&p->variables, owner, ATTR_FIXED,
                    from - p->variables.run[owner].first, &fixed);
    v->initial = fixed != 0 ? FMU_EXACT : FMU_APPROX;
    v->started = true;
}

static FmuVariable describe(const Program *p, const VarRun *run, int var) {
    FmuVariable v = {.reference = (uint32_t)var,
                     .source = FMU_VALUE,
                     .type = (uint8_t)type_of(run),
                     .var = var,
                     .count = 1,
                     .number = -1,
                     .sub = -1,
                     .alias = -1};
    const int   alias = p->reduced.alias[var];
    if (is_known_kind(run)) describe_known(p, run, &v);
    else describe_unknown(p, run, &v);
    const VarRun *base = &p->variables.run[variables_run(&p->variables, alias)];
    if (alias != var && p->reduced.sign[var] == 1 && base->type == run->type)
        v.alias = alias;
    return v;
}

/* ---- arrays ---- */

static bool alike(const FmuVariable *a, const FmuVariable *b, int distance) {
    return a->causality == b->causality && a->variability == b->variability &&
           a->initial == b->initial && a->started == b->started && a->state == b->state &&
           (!a->state || b->number == a->number + distance) &&
           (a->alias < 0 ? b->alias < 0 : b->alias == a->alias + distance);
}

static bool is_array(const Program *p, const VarRun *run) {
    return run->owner >= 0 && p->names.name[run->owner].dims > 0 && run->count > 0 &&
           run->kind != VAR_DER;
}

/* Is the run one variable of FMI 3.0? Variables of an array of connectors are one for each, so that all that
 * belongs to one connector can be in one terminal. */
static bool is_whole(const Program *p, const VarRun *run) {
    if (!is_array(p, run) || !is_shown(p, run, run->first)) return false;
    const int member = p->connectors.of_run[run - p->variables.run];
    if (member >= 0 && p->connectors.member[member].several) return false;
    FmuVariable first = describe(p, run, run->first);
    for (int i = 1; i < run->count; i++) {
        if (!is_shown(p, run, run->first + i)) return false;
        FmuVariable one = describe(p, run, run->first + i);
        if (!alike(&first, &one, i)) return false;
    }
    return true;
}

int fmu_extent(const Program *p, uint32_t reference) {
    const int n = p->states.count, vars = p->variables.vars;
    if (reference == fmu_indicator_reference(p)) return p->part[PART_RUN].relations;
    if (reference == fmu_time_reference(p) || fmu_clock_behind(p, reference) >= 0)
        return 1;
    if (reference > fmu_indicator_reference(p)) return 0;
    const bool rate = reference > (uint32_t)vars;
    const int var = rate ? p->states.var[reference - (uint32_t)vars - 1] : (int)reference;
    const VarRun *run = &p->variables.run[variables_run(&p->variables, var)];
    (void)n;
    return var == run->first && is_whole(p, run) ? run->count : 1;
}

/* ---- clocks ---- */

typedef struct Reading { /* of a group */
    const FmuInterface *f;
    LinkList *givers; /* by sub-clock partition: whose values of the same tick it uses */
    int       sub;
} Reading;

static void read_value(void *context, int var) {
    Reading  *r = context;
    const int giver = r->f->sub_of[var] - 1;
    if (giver >= 0 && giver != r->sub) links_add(r->givers, r->sub, giver);
}

/* After all whose values of the same tick they use; else in the order in which they begin, which `begin` has. */
static void order_subs(FmuInterface *f, const int *begin, int begun,
                       const Links *givers) {
    for (int place = 0; place < begun; place++) {
        int best = -1, first = -1;
        for (int k = 0; k < begun && best < 0; k++) {
            const int s = begin[k];
            bool      ready = f->order_of[s] < 0;
            if (ready && first < 0) first = s;
            for (int e = givers->start[s]; e < givers->start[s + 1] && ready; e++)
                ready = f->order_of[givers->to[e]] >= 0;
            if (ready) best = s;
        }
        if (best < 0 && !f->tangled) f->tangled = first + 1;
        f->order_of[best < 0 ? first : best] = place;
    }
}

/* Which sub-clock partition computes what; in *begin, in which order they begin. Returns how many. */
static int list_subs(FmuInterface *f, int *begin) {
    const Program    *p = f->program;
    const ClockTable *c = &p->clocks;
    int               begun = 0;
    for (int s = 0; s < c->subs; s++) f->order_of[s] = -1;
    for (int b = 0; b < c->bases; b++) {
        const Part *part = &p->part[c->base[b].part];
        for (int g = 0; g < part->groups; g++) {
            const Group *group = &part->group[g];
            const int    s = c->base[b].first + group->phase / 2;
            if (f->order_of[s] < 0) f->order_of[s] = begun, begin[begun++] = s;
            for (int k = 0; k < group->count * group->size; k++)
                f->sub_of[part->unknown[group->item + k]] = s + 1;
        }
    }
    for (int s = 0; s < c->subs; s++) f->order_of[s] = -1;
    return begun;
}

static void find_givers(const FmuInterface *f, LinkList *list) {
    const Program    *p = f->program;
    const ClockTable *c = &p->clocks;
    for (int b = 0; b < c->bases; b++) {
        const Part *part = &p->part[c->base[b].part];
        for (int g = 0; g < part->groups; g++) {
            const Group *group = &part->group[g];
            Reading      r = {f, list, c->base[b].first + group->phase / 2};
            for (int k = 0; k < group->count * group->size; k++) {
                Equation e = program_equation(p, part, group->item + k);
                equation_uses(&e, read_value, &r);
            }
        }
    }
}

/* Sub-clock partitions, and in which order they come at a common tick. */
static bool find_subs(FmuInterface *f) {
    const ClockTable *c = &f->program->clocks;
    int              *begin = mem_take((size_t)c->subs + 1, sizeof *begin);
    LinkList          list = {0};
    f->sub_of = mem_take((size_t)f->program->variables.vars, sizeof *f->sub_of);
    f->order_of = mem_take((size_t)c->subs, sizeof *f->order_of);
    bool fine = begin && f->sub_of && f->order_of;
    if (fine) {
        int begun = list_subs(f, begin);
        find_givers(f, &list);
        Links givers = links_of(&list, c->subs, false, NULL);
        order_subs(f, begin, begun, &givers);
        links_drop(&list);
        links_free(&givers);
    }
    mem_free(begin);
    return fine;
}

/* Of all elements, or -1. Parameters are computed before. */
static int sub_of(const FmuInterface *f, const FmuVariable *v) {
    if (f->version == 2 || v->source != FMU_VALUE || v->variability <= FMU_FIXED)
        return -1;
    const int *alias = f->program->reduced.alias;
    const int  first = f->sub_of[alias[v->var]];
    for (int i = 1; i < v->count; i++)
        if (f->sub_of[alias[v->var + i]] != first) return -1;
    return first - 1;
}

/* ---- all of them ---- */

static FmuVariable *add(FmuInterface *f, FmuVariable v) {
    GROW(f->variable, f->room, f->variables + 1);
    if (!f->variable) return NULL;
    f->variable[f->variables] = v;
    return &f->variable[f->variables++];
}

static bool add_run(FmuInterface *f, const VarRun *run) {
    const Program *p = f->program;
    const bool     whole = f->version == 3 && is_whole(p, run);
    const bool     connected =
        f->version == 3 && p->connectors.of_run[run - p->variables.run] >= 0;
    for (int i = 0; i < run->count; i += whole ? run->count : 1) {
        if (!whole && !is_shown(p, run, run->first + i)) continue;
        FmuVariable *v = add(f, describe(p, run, run->first + i));
        if (!v) return false;
        v->array = whole;
        if (whole) v->count = run->count;
        v->sub = sub_of(f, v);
        if (v->sub >= 0 || (f->scheduled && v->variability == FMU_CONTINUOUS))
            v->variability = FMU_DISCRETE;
        if (connected && v->causality == FMU_LOCAL && v->variability > FMU_FIXED)
            v->causality = FMU_OUTPUT;
        if (v->state) f->state_of[v->number] = f->variables - 1;
    }
    return true;
}

/* After all states: derivatives in the order of the states. */
static bool add_rates(FmuInterface *f) {
    const Program *p = f->program;
    for (int i = 0; i < p->states.count; i++) {
        if (f->state_of[i] < 0) continue;
        FmuVariable v = f->variable[f->state_of[i]];
        v.reference = fmu_rate_reference(p, i);
        v.source = FMU_RATE;
        v.causality = FMU_LOCAL;
        v.variability = FMU_CONTINUOUS;
        v.initial = FMU_COMPUTED;
        v.started = v.state = false;
        v.alias = -1;
        if (!add(f, v)) return false;
        f->rate_of[i] = f->variables - 1;
    }
    return true;
}

/* States without a name of their own, and those inside arrays that are not whole, are entries by
 * themselves: FMI wants all of them. */
static bool add_hidden_states(FmuInterface *f) {
    const Program *p = f->program;
    uint8_t       *seen = mem_take((size_t)p->states.count, 1);
    bool           fine = seen != NULL;
    for (int k = 0; fine && k < f->variables; k++)
        for (int i = 0; f->variable[k].state && i < f->variable[k].count; i++)
            seen[f->variable[k].number + i] = 1;
    for (int i = 0; fine && i < p->states.count; i++) {
        if (seen[i]) continue;
        const int     var = p->states.var[i];
        const VarRun *run = &p->variables.run[variables_run(&p->variables, var)];
        fine = add(f, describe(p, run, var)) != NULL;
        f->state_of[i] = f->variables - 1;
    }
    mem_free(seen);
    return fine;
}

/* Ticks of a partition: asked for by others, or told to them. */
static bool add_clock(FmuInterface *f, FmuVariable like, int s) {
    like.reference = fmu_clock_reference(f->program, s);
    like.source = FMU_TICKS;
    like.type = FMU_CLOCK;
    like.causality = f->scheduled ? FMU_INPUT : FMU_LOCAL;
    like.variability = FMU_DISCRETE;
    like.number = s;
    return add(f, like) != NULL;
}

static bool fill(FmuInterface *f) {
    const Program *p = f->program;
    const size_t   n = (size_t)p->states.count;
    f->state_of = mem_take(n, sizeof *f->state_of);
    f->rate_of = mem_take(n, sizeof *f->rate_of);
    if (!f->state_of || !f->rate_of) return false;
    for (size_t i = 0; i < n; i++) f->state_of[i] = f->rate_of[i] = -1;
    FmuVariable time = {.reference = fmu_time_reference(p),
                        .source = FMU_TIME,
                        .type = FMU_REAL,
                        .causality = FMU_INDEPENDENT,
                        .variability = FMU_CONTINUOUS,
                        .var = -1,
                        .count = 1,
                        .number = -1,
                        .sub = -1,
                        .alias = -1};
    bool        fine = find_subs(f) && add(f, time) != NULL;
    for (int r = 0; fine && r < p->variables.runs; r++)
        fine = add_run(f, &p->variables.run[r]);
    fine = fine && add_hidden_states(f) && add_rates(f);
    for (int s = 0; fine && f->version == 3 && s < p->clocks.subs; s++)
        fine = f->order_of[s] < 0 || add_clock(f, time, s);
    if (!fine || f->version == 2 || f->scheduled || !p->part[PART_RUN].relations)
        return fine;
    FmuVariable z = time;
    z.reference = fmu_indicator_reference(p);
    z.source = FMU_INDICATORS;
    z.causality = FMU_LOCAL;
    z.initial = FMU_COMPUTED;
    z.array = true;
    z.count = p->part[PART_RUN].relations;
    return add(f, z) != NULL;
}

bool fmu_interface_open(FmuInterface *f, const Program *program, int version,
                        bool scheduled) {
    *f = (FmuInterface){.program = program, .version = version, .scheduled = scheduled};
    if (fill(f)) return true;
    fmu_interface_close(f);
    return false;
}

void fmu_interface_close(FmuInterface *f) {
    MEM_FREE(f->variable, f->state_of, f->rate_of, f->sub_of, f->order_of);
    *f = (FmuInterface){0};
}
