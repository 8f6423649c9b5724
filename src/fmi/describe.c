/* SPDX-License-Identifier: Apache-2.0 */
/* describe.c -- modelDescription.xml of FMI 2.0 and 3.0.
 *
 * Both versions have the same content in another form: 2.0 counts variables from 1 in the order of
 * the file and refers to these numbers, 3.0 refers to value references; in 3.0 an array is one
 * variable, and variables that are equal stand inside of each other as aliases. The same program gives
 * the same bytes: no time, no path of the machine. */
#include "fmi/fmi.h"
#include "fmi/xml.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Writer {
    FmuInterface      f;
    const Program    *program;
    const FmuOptions *options;
    const char       *compiled; /* sources, each with the end of a line */
    Depends          *depends;
    Text             *out;
    int              *index;  /* 2.0: by entry, its number in the file from 1 */
    int              *place;  /* by variable of the program: its entry + 1 */
    bool             *nested; /* 3.0: by entry: it stands inside another as an alias */
    int *first, *next;        /* by entry: its first such + 1; of one, the next + 1 */
} Writer;

static const VarRun *run_of(const Writer *w, const FmuVariable *v) {
    return &w->program->variables.run[variables_run(&w->program->variables, v->var)];
}

static const char *text_attribute(const Writer *w, const FmuVariable *v,
                                  AttributeName name) {
    const Program   *p = w->program;
    const Attribute *a =
        variables_attribute(&p->variables, variables_run(&p->variables, v->var), name);
    return a && a->kind == VALUE_ONE ? program_text(p, (int)a->value) : "";
}

/* ---- units ---- */

/* All units in use, each once, in the order of their texts. */
static void units(Writer *w) {
    const Program *p = w->program;
    const char   **list = mem_take((size_t)p->variables.runs, sizeof *list);
    int            count = 0, different = 0;
    if (!list) {
        w->out->failed = true;
        return;
    }
    for (int k = 0; k < w->f.variables; k++) {
        const FmuVariable *v = &w->f.variable[k];
        if (v->source != FMU_VALUE || v->type != FMU_REAL ||
            (k && w->f.variable[k - 1].var >= run_of(w, v)->first))
            continue; /* once for each run */
        const char *unit = text_attribute(w, v, ATTR_UNIT);
        if (*unit) list[count++] = unit;
    }
    qsort(list, (size_t)count, sizeof *list, text_ascending);
    for (int k = 0; k < count; k++) {
        if (k && strcmp(list[k], list[k - 1]) == 0) continue;
        if (!different++) text_add(w->out, "  <UnitDefinitions>\n");
        text_add(w->out, "    <Unit");
        xml_attribute(w->out, "name", list[k]);
        text_add(w->out, "/>\n");
    }
    if (different) text_add(w->out, "  </UnitDefinitions>\n");
    mem_free(list);
}

/* ---- variables ---- */

static const char *const causality[] = {
    [FMU_PARAMETER] = "parameter", [FMU_CALCULATED] = "calculatedParameter",
    [FMU_INPUT] = "input",         [FMU_OUTPUT] = "output",
    [FMU_LOCAL] = "local",         [FMU_INDEPENDENT] = "independent"};
static const char *const variability[] = {[FMU_CONSTANT] = "constant",
                                          [FMU_FIXED] = "fixed",
                                          [FMU_DISCRETE] = "discrete",
                                          [FMU_CONTINUOUS] = "continuous"};
static const char *const initials[] = {
    [FMU_EXACT] = "exact", [FMU_APPROX] = "approx", [FMU_COMPUTED] = "calculated"};
static const char *const types[2][FMU_TYPES] = {
    {"Real", "Integer", "Boolean", "String"},
    {"Float64", "Int32", "Boolean", "String", "Clock"}};

static void name_and_words(Writer *w, const FmuVariable *v) {
    Text name = {0};
    fmu_name(&w->f, v, &name);
    xml_attribute(w->out, "name", text_get(&name));
    w->out->failed |= name.failed;
    text_free(&name);
}

static const char *comment_of(const Writer *w, const FmuVariable *v) {
    return v->source == FMU_VALUE ? text_attribute(w, v, ATTR_COMMENT) : "";
}

static void start_value(Writer *w, const FmuVariable *v, int element) {
    const double value = fmu_start(w->program, v->var + element);
    if (v->type == FMU_BOOLEAN) text_add(w->out, value != 0 ? "true" : "false");
    else if (v->type == FMU_TEXT) xml_escaped(w->out, fmu_text(w->program, value));
    else xml_number(w->out, value);
}

/* Texts of 3.0 are elements of their own, one for each. */
static bool has_start_elements(const Writer *w, const FmuVariable *v) {
    return v->started && v->type == FMU_TEXT && w->f.version == 3;
}

static void start_elements(Writer *w, const FmuVariable *v) {
    for (int i = 0; i < v->count; i++) {
        text_add(w->out, "      <Start value=\"");
        start_value(w, v, i);
        text_add(w->out, "\"/>\n");
    }
}

static void start_attribute(Writer *w, const FmuVariable *v) {
    if (!v->started || has_start_elements(w, v)) return;
    text_add(w->out, " start=\"");
    for (int i = 0; i < v->count; i++) {
        if (i) text_char(w->out, ' ');
        start_value(w, v, i);
    }
    text_char(w->out, '"');
}

/* Limits in the types that FMI 2.0 and 3.0 have for them: where all elements share them. */
static void limits(Writer *w, const FmuVariable *v) {
    static const struct {
        AttributeName name;
        const char   *text;
    } limit[] = {{ATTR_MIN, "min"}, {ATTR_MAX, "max"}, {ATTR_NOMINAL, "nominal"}};
    const Variables *all = &w->program->variables;
    const int        run = variables_run(all, v->var);
    if (v->type != FMU_REAL && v->type != FMU_INTEGER) return;
    for (int k = 0; k < LENGTH(limit); k++) {
        double first, other;
        int    at = v->var - all->run[run].first;
        bool   same = variables_known(all, run, limit[k].name, at, &first);
        for (int i = 1; same && i < v->count; i++)
            same = variables_known(all, run, limit[k].name, at + i, &other) &&
                   other == first;
        bool whole = v->type == FMU_REAL || (first == floor(first) && fabs(first) < 2e9);
        if (!same || !whole || !(fabs(first) < 1e300)) continue;
        if (limit[k].name == ATTR_NOMINAL && (v->type != FMU_REAL || !(first > 0)))
            continue;
        xml_number_attribute(w->out, limit[k].text, first);
    }
}

static void real_attributes(Writer *w, const FmuVariable *v) {
    if (v->type != FMU_REAL || v->source != FMU_VALUE) return;
    const char *unit = text_attribute(w, v, ATTR_UNIT);
    const char *quantity = text_attribute(w, v, ATTR_QUANTITY);
    if (*quantity) xml_attribute(w->out, "quantity", quantity);
    if (*unit) xml_attribute(w->out, "unit", unit);
}

/* One <ScalarVariable> of FMI 2.0. Equal ones have the value reference of the one that the others are
 * equal to. */
static void scalar(Writer *w, const FmuVariable *v) {
    const bool alias =
        v->alias >= 0 && w->place[v->alias] && v->causality == FMU_LOCAL &&
        w->f.variable[w->place[v->alias] - 1].variability == v->variability;
    text_add(w->out, "    <ScalarVariable");
    name_and_words(w, v);
    text_printf(w->out, " valueReference=\"%u\"",
                alias ? (unsigned)v->alias : (unsigned)v->reference);
    if (*comment_of(w, v)) xml_attribute(w->out, "description", comment_of(w, v));
    xml_attribute(w->out, "causality", causality[v->causality]);
    xml_attribute(w->out, "variability", variability[v->variability]);
    if (v->initial) xml_attribute(w->out, "initial", initials[v->initial]);
    text_printf(w->out, "><%s", types[0][v->type]);
    real_attributes(w, v);
    if (v->source == FMU_VALUE) limits(w, v);
    if (v->source == FMU_RATE)
        text_printf(w->out, " derivative=\"%d\"", w->index[w->f.state_of[v->number]]);
    start_attribute(w, v);
    text_add(w->out, "/></ScalarVariable>\n");
}

/* Dimensions of an array of FMI 3.0. */
static void dimensions(Writer *w, const FmuVariable *v) {
    if (v->source == FMU_INDICATORS) {
        text_printf(w->out, "      <Dimension start=\"%d\"/>\n", v->count);
        return;
    }
    const Program *p = w->program;
    const VarName *name = &p->names.name[run_of(w, v)->owner];
    for (int d = 0; d < name->dims; d++)
        text_printf(w->out, "      <Dimension start=\"%d\"/>\n",
                    p->names.size[name->size + d]);
}

static void aliases(Writer *w, int entry) {
    for (int k = w->first[entry]; k; k = w->next[k - 1]) {
        const FmuVariable *other = &w->f.variable[k - 1];
        text_add(w->out, "      <Alias");
        name_and_words(w, other);
        if (*comment_of(w, other))
            xml_attribute(w->out, "description", comment_of(w, other));
        text_add(w->out, "/>\n");
    }
}

static void clock(Writer *w, const FmuVariable *v) {
    const ClockTable *c = &w->program->clocks;
    const SubClock   *sub = &c->sub[v->number];
    const BaseClock  *base = &c->base[sub->base];
    xml_attribute(w->out, "causality", causality[v->causality]);
    xml_attribute(w->out, "intervalVariability",
                  w->f.scheduled ? "constant" : "triggered");
    if (!w->f.scheduled) return;
    /* what is computed first at a common tick is most urgent: the smallest number */
    text_printf(w->out, " priority=\"%d\"", w->f.order_of[v->number]);
    xml_number_attribute(w->out, "intervalDecimal", clock_seconds(base, sub->every));
    if (sub->offset)
        xml_number_attribute(w->out, "shiftDecimal", clock_seconds(base, sub->offset));
}

/* One variable of FMI 3.0. */
static void variable(Writer *w, int entry) {
    const FmuVariable *v = &w->f.variable[entry];
    const char        *type = types[1][v->type];
    const bool         inside = v->array || w->first[entry] || has_start_elements(w, v);
    if (w->nested[entry]) return;
    text_printf(w->out, "    <%s", type);
    name_and_words(w, v);
    text_printf(w->out, " valueReference=\"%u\"", (unsigned)v->reference);
    if (*comment_of(w, v)) xml_attribute(w->out, "description", comment_of(w, v));
    if (v->source == FMU_TICKS) {
        clock(w, v);
        text_add(w->out, "/>\n");
        return;
    }
    xml_attribute(w->out, "causality", causality[v->causality]);
    xml_attribute(w->out, "variability", variability[v->variability]);
    if (v->sub >= 0)
        text_printf(w->out, " clocks=\"%u\"",
                    (unsigned)fmu_clock_reference(w->program, v->sub));
    if (v->initial && v->causality != FMU_INPUT)
        xml_attribute(w->out, "initial", initials[v->initial]);
    real_attributes(w, v);
    if (v->source == FMU_VALUE) limits(w, v);
    if (v->source == FMU_RATE)
        text_printf(w->out, " derivative=\"%u\"",
                    (unsigned)w->f.variable[w->f.state_of[v->number]].reference);
    start_attribute(w, v);
    text_add(w->out, inside ? ">\n" : "/>\n");
    if (v->array) dimensions(w, v);
    if (has_start_elements(w, v)) start_elements(w, v);
    aliases(w, entry);
    if (inside) text_printf(w->out, "    </%s>\n", type);
}

/* May an entry of 3.0 stand inside the one that it is equal to? */
static bool may_nest(const Writer *w, const FmuVariable *v) {
    if (v->source != FMU_VALUE || v->alias < 0 || v->causality != FMU_LOCAL ||
        !w->place[v->alias])
        return false;
    const FmuVariable *base = &w->f.variable[w->place[v->alias] - 1];
    const int          owner = run_of(w, base)->owner;
    return base->count == v->count && base->variability == v->variability &&
           base->type == v->type && base->array == v->array &&
           (!v->array ||
            (owner >= 0 && w->program->names.name[owner].dims ==
                               w->program->names.name[run_of(w, v)->owner].dims));
}

/* From the last to the first: lists are in the order of the variables then. */
static void nest(Writer *w) {
    for (int k = w->f.variables - 1; k >= 0; k--) {
        if (!may_nest(w, &w->f.variable[k])) continue;
        const int at = w->place[w->f.variable[k].alias] - 1;
        w->nested[k] = true;
        w->next[k] = w->first[at];
        w->first[at] = k + 1;
    }
}

static void variables(Writer *w) {
    text_add(w->out, "  <ModelVariables>\n");
    if (w->f.version == 3) nest(w);
    for (int k = 0; k < w->f.variables; k++)
        if (w->f.version == 2) scalar(w, &w->f.variable[k]);
        else variable(w, k);
    text_add(w->out, "  </ModelVariables>\n");
}

/* ---- structure ---- */

static void reference(Writer *w, int entry) {
    if (w->f.version == 2) text_printf(w->out, "%d", w->index[entry]);
    else text_printf(w->out, "%u", (unsigned)w->f.variable[entry].reference);
}

/* The entry that holds a state or an input. */
static int state_entry(const Writer *w, int state) {
    while (w->f.state_of[state] < 0) state--; /* inside an array */
    return w->f.state_of[state];
}

static int input_entry(const Writer *w, int var) {
    while (!w->place[var]) var--;
    return w->place[var] - 1;
}

/* What the elements of an entry depend on, as entries, not yet in order; -1: not known. */
static int find_dependencies(Writer *w, const FmuVariable *v, int **entry) {
    enum { ELEMENTS = 64 }; /* of arrays: beyond it is not worth the work */
    const Program *p = w->program;
    Dependency     found;
    int            n = 0, room = 0;
    if (v->count > ELEMENTS) return -1;
    for (int i = 0; i < v->count; i++) {
        int var = v->source == FMU_RATE ? p->states.rate[v->number + i] : v->var + i;
        if (!depends_find(w->depends, var, &found)) return -1;
        GROW(*entry, room, n + found.states + found.inputs + 1);
        if (!*entry) return -1;
        for (int k = 0; k < found.states; k++)
            (*entry)[n++] = state_entry(w, found.state[k]);
        for (int k = 0; k < found.inputs; k++)
            (*entry)[n++] = input_entry(w, found.input[k]);
    }
    return n;
}

static void dependencies(Writer *w, const FmuVariable *v) {
    int *entry = NULL;
    int  n = find_dependencies(w, v, &entry);
    if (n >= 0) {
        if (n) qsort(entry, (size_t)n, sizeof *entry, int_ascending);
        text_add(w->out, " dependencies=\"");
        for (int k = 0; k < n; k++) {
            if (k && entry[k] == entry[k - 1]) continue;
            if (k) text_char(w->out, ' ');
            reference(w, entry[k]);
        }
        text_char(w->out, '"');
    }
    mem_free(entry);
}

static void unknown(Writer *w, const char *element, int entry, bool depends) {
    text_printf(w->out, "    <%s %s=\"", element,
                w->f.version == 2 ? "index" : "valueReference");
    reference(w, entry);
    text_char(w->out, '"');
    if (depends) dependencies(w, &w->f.variable[entry]);
    text_add(w->out, "/>\n");
}

static bool is_initial_unknown(const FmuVariable *v) {
    bool open = v->initial == FMU_APPROX || v->initial == FMU_COMPUTED;
    return (v->causality == FMU_OUTPUT && v->sub < 0 && open) ||
           v->causality == FMU_CALCULATED ||
           ((v->state || v->source == FMU_RATE) && open);
}

static void outputs(Writer *w, const char *element) {
    for (int k = 0; k < w->f.variables; k++)
        if (w->f.variable[k].causality == FMU_OUTPUT) unknown(w, element, k, true);
}

static void rates(Writer *w, const char *element) {
    for (int i = 0; i < w->program->states.count; i++)
        if (w->f.rate_of[i] >= 0) unknown(w, element, w->f.rate_of[i], true);
}

static void initial_unknowns(Writer *w, const char *element) {
    for (int k = 0; k < w->f.variables; k++)
        if (is_initial_unknown(&w->f.variable[k]) && !w->nested[k])
            unknown(w, element, k, false);
}

static bool any(const Writer *w, bool (*is)(const FmuVariable *v)) {
    for (int k = 0; k < w->f.variables; k++)
        if (is(&w->f.variable[k])) return true;
    return false;
}

static bool is_output(const FmuVariable *v) {
    return v->causality == FMU_OUTPUT;
}

static void structure2(Writer *w) {
    text_add(w->out, "  <ModelStructure>\n");
    if (any(w, is_output)) {
        text_add(w->out, "    <Outputs>\n");
        outputs(w, "Unknown");
        text_add(w->out, "    </Outputs>\n");
    }
    if (w->program->states.count) {
        text_add(w->out, "    <Derivatives>\n");
        rates(w, "Unknown");
        text_add(w->out, "    </Derivatives>\n");
    }
    if (any(w, is_initial_unknown)) {
        text_add(w->out, "    <InitialUnknowns>\n");
        initial_unknowns(w, "Unknown");
        text_add(w->out, "    </InitialUnknowns>\n");
    }
    text_add(w->out, "  </ModelStructure>\n");
}

static void structure3(Writer *w) {
    text_add(w->out, "  <ModelStructure>\n");
    outputs(w, "Output");
    rates(w, "ContinuousStateDerivative");
    initial_unknowns(w, "InitialUnknown");
    for (int k = 0; k < w->f.variables; k++)
        if (w->f.variable[k].source == FMU_INDICATORS)
            unknown(w, "EventIndicator", k, false);
    text_add(w->out, "  </ModelStructure>\n");
}

/* ---- the whole ---- */

/* One kind; words: what it can do. */
static void kind(Writer *w, const char *name, const char *identifier, const char *words) {
    const bool listed = w->f.version == 2 && *w->compiled;
    text_printf(w->out, "  <%s modelIdentifier=\"%s\"%s%s>\n", name, identifier, words,
                listed ? "" : "/");
    if (!listed) return;
    text_add(w->out, "    <SourceFiles>\n");
    for (const char *at = w->compiled; *at; at += strcspn(at, "\n") + 1)
        text_printf(w->out, "      <File name=\"%.*s\"/>\n", (int)strcspn(at, "\n"), at);
    text_printf(w->out, "    </SourceFiles>\n  </%s>\n", name);
}

#define BOTH2                                                                            \
    " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\""         \
    " canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\""
#define BOTH3                                                                            \
    " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""                       \
    " providesDirectionalDerivatives=\"true\" providesAdjointDerivatives=\"true\""

static void kinds(Writer *w, const char *identifier) {
    const bool two = w->f.version == 2;
    if (w->options->model_exchange)
        kind(w, "ModelExchange", identifier,
             two ? BOTH2 : BOTH3 " needsCompletedIntegratorStep=\"true\"");
    if (w->options->co_simulation)
        kind(w, "CoSimulation", identifier,
             two ? BOTH2 " canHandleVariableCommunicationStepSize=\"true\""
                 : BOTH3 " canHandleVariableCommunicationStepSize=\"true\""
                         " hasEventMode=\"true\" providesIntermediateUpdate=\"true\""
                         " canReturnEarlyAfterIntermediateUpdate=\"true\"");
    if (w->options->scheduled)
        kind(w, "ScheduledExecution", identifier,
             " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"");
}

static void head(Writer *w) {
    const Program *p = w->program;
    char           token[40];
    fmu_token(p, token);
    text_add(w->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    xml_attribute(w->out, "fmiVersion", w->f.version == 2 ? "2.0" : "3.0");
    xml_attribute(w->out, "modelName", program_text(p, p->info.model));
    xml_attribute(w->out, w->f.version == 2 ? "guid" : "instantiationToken", token);
    xml_attribute(w->out, "generationTool", w->options->tool);
    xml_attribute(w->out, "variableNamingConvention", "structured");
    if (w->f.version == 2 && w->options->model_exchange)
        text_printf(w->out, " numberOfEventIndicators=\"%d\"",
                    p->part[PART_RUN].relations);
    text_add(w->out, ">\n");
}

static void log_categories(Writer *w) {
    text_add(w->out, "  <LogCategories>\n"
                     "    <Category name=\"logStatusError\"/>\n"
                     "    <Category name=\"logStatusWarning\"/>\n"
                     "    <Category name=\"logEvents\"/>\n"
                     "  </LogCategories>\n");
}

static void experiment(Writer *w) {
    static const char *const name[] = {"startTime", "stopTime", "stepSize", "tolerance"};
    const ProgramInfo       *i = &w->program->info;
    text_add(w->out, "  <DefaultExperiment");
    for (int k = 0; k < LENGTH(name); k++)
        if ((k < 2 || i->experiment[k] > 0) && i->annotated[k])
            xml_number_attribute(w->out, name[k], i->experiment[k]);
    text_add(w->out, "/>\n");
}

static bool number_entries(Writer *w) {
    const size_t n = (size_t)w->f.variables;
    w->index = mem_take(n, sizeof *w->index);
    w->nested = mem_take(n, sizeof *w->nested);
    w->first = mem_take(n, sizeof *w->first);
    w->next = mem_take(n, sizeof *w->next);
    w->place = mem_take((size_t)w->program->variables.vars, sizeof *w->place);
    if (!w->index || !w->nested || !w->place || !w->first || !w->next) return false;
    for (int k = 0; k < w->f.variables; k++) {
        w->index[k] = k + 1;
        if (w->f.variable[k].source == FMU_VALUE) w->place[w->f.variable[k].var] = k + 1;
    }
    return true;
}

bool fmu_describe(const Program *p, const FmuOptions *options, const char *compiled,
                  Text *out) {
    Writer w = {.program = p, .options = options, .compiled = compiled, .out = out};
    Text   identifier = {0};
    if (!fmu_interface_open(&w.f, p, options->version, options->scheduled)) return false;
    w.depends = depends_new(p);
    fmu_identifier(p, &identifier);
    bool fine = number_entries(&w) && w.depends;
    if (fine) {
        head(&w);
        kinds(&w, text_get(&identifier));
        units(&w);
        log_categories(&w);
        experiment(&w);
        variables(&w);
        if (w.f.version == 2) structure2(&w);
        else structure3(&w);
        text_add(out, "</fmiModelDescription>\n");
    }
    MEM_FREE(w.index, w.nested, w.place, w.first, w.next);
    depends_free(w.depends);
    fmu_interface_close(&w.f);
    fine = fine && !out->failed && !identifier.failed;
    text_free(&identifier);
    return fine;
}
