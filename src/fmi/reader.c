/* SPDX-License-Identifier: Apache-2.0 */
/* reader.c -- modelDescription.xml of others, by expat.
 *
 * The file comes from anywhere: it has no document type (so no entities of its own), its variables
 * have a limit together, and whatever is missing or not a number is said with its line. */
#include "fmi/guest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_EXPAT

#include <expat.h>

enum { DEPTH = 64, ELEMENTS = 10000000, FILE_BYTES = 1000000000 };

typedef struct Reading {
    GuestDescription *d;
    XML_Parser        parser;
    const char       *inside[DEPTH]; /* names of the elements that are open */
    int               depth;
    Text             *why;
    GuestVariable    *now; /* the last variable */
} Reading;

static void fail(Reading *r, const char *format, ...) PRINTF_LIKE(2, 3);
static void fail(Reading *r, const char *format, ...) {
    va_list args;
    if (r->why->length) return;
    va_start(args, format);
    text_printf(r->why, "line %lu of modelDescription.xml: ",
                (unsigned long)XML_GetCurrentLineNumber(r->parser));
    text_vprintf(r->why, format, args);
    va_end(args);
    XML_StopParser(r->parser, XML_FALSE);
}

/* ---- attributes ---- */

static const char *find(const char **attribute, const char *name) {
    for (int k = 0; attribute[k]; k += 2)
        if (strcmp(attribute[k], name) == 0) return attribute[k + 1];
    return NULL;
}

static const char *copy(Reading *r, const char *text) {
    char *own = text ? arena_string(&r->d->arena, text, strlen(text)) : NULL;
    if (text && !own) fail(r, "there is no memory");
    return own;
}

static double number(Reading *r, const char **attribute, const char *name,
                     double otherwise) {
    const char *text = find(attribute, name);
    char       *end;
    if (!text) return otherwise;
    double value = number_read(text, &end);
    if (!*text || *end) fail(r, "%s is '%.40s', which is no number", name, text);
    return value;
}

static uint32_t reference(Reading *r, const char **attribute, const char *name) {
    double value = number(r, attribute, name, NAN);
    if (!(value >= 0 && value <= UINT32_MAX)) {
        fail(r, "%s is missing or no value reference", name);
        return 0;
    }
    return (uint32_t)value;
}

static int choose(const char *text, const char *const *among, int n, int otherwise) {
    for (int k = 0; text && k < n; k++)
        if (strcmp(text, among[k]) == 0) return k;
    return otherwise;
}

/* ---- elements ---- */

static void take_head(Reading *r, const char **a) {
    GuestDescription *d = r->d;
    const char       *version = find(a, "fmiVersion");
    if (!version || (version[0] != '2' && version[0] != '3') || version[1] != '.') {
        fail(r, "this is FMI %.20s, and only 2.0 and 3.0 are known",
             version ? version : "?");
        return;
    }
    d->version = version[0] - '0';
    d->model = copy(r, find(a, "modelName"));
    d->token = copy(r, find(a, d->version == 2 ? "guid" : "instantiationToken"));
    double indicators = number(r, a, "numberOfEventIndicators", 0);
    if (!(indicators >= 0 && indicators <= ELEMENTS))
        fail(r, "too many event indicators");
    d->indicators = d->version == 2 ? (int)indicators : 0;
    if (!d->model || !d->token)
        fail(r, "the name or the identity of the model is missing");
}

static void take_kind(Reading *r, const char **a, GuestKind *kind) {
    const char *tool = find(a, "needsExecutionTool");
    kind->step = number(r, a, "fixedInternalStepSize", NAN);
    kind->identifier = copy(r, find(a, "modelIdentifier"));
    kind->needs_tool = tool && (strcmp(tool, "true") == 0 || strcmp(tool, "1") == 0);
    if (!kind->identifier || !*kind->identifier || strchr(kind->identifier, '/'))
        fail(r, "the modelIdentifier is missing or no name");
}

static void take_experiment(Reading *r, const char **a) {
    r->d->start = number(r, a, "startTime", NAN);
    r->d->stop = number(r, a, "stopTime", NAN);
    r->d->tolerance = number(r, a, "tolerance", NAN);
    r->d->step = number(r, a, "stepSize", NAN);
}

/* The variables with room for one more; NULL: there is none. */
static GuestVariable *grow_variables(Reading *r) {
    GuestDescription *d = r->d;
    if (d->variables >= ELEMENTS) {
        fail(r, "too many variables");
        return NULL;
    }
    GuestVariable *more =
        arena_grow(&d->arena, d->variable, sizeof *more, &d->room, d->variables + 1);
    if (!more) fail(r, "there is no memory");
    return more;
}

static GuestVariable *add_variable(Reading *r, const char **a) {
    static const char *const causality[] = {
        "parameter", "calculatedParameter", "input", "output", "local", "independent"};
    static const char *const variability[] = {"constant", "fixed", "discrete",
                                              "continuous"};
    GuestDescription        *d = r->d;
    GuestVariable           *more = grow_variables(r);
    if (!more) return NULL;
    d->variable = more;
    GuestVariable *v = r->now = &d->variable[d->variables++];
    const char    *cause = find(a, "causality");
    *v = (GuestVariable){.name = copy(r, find(a, "name")),
                         .comment = copy(r, find(a, "description")),
                         .reference = reference(r, a, "valueReference"),
                         .type = GUEST_OTHER,
                         .count = 1};
    v->structural = cause && strcmp(cause, "structuralParameter") == 0;
    v->causality = (uint8_t)choose(cause, causality, LENGTH(causality),
                                   v->structural ? FMU_PARAMETER : FMU_LOCAL);
    v->variability =
        (uint8_t)choose(find(a, "variability"), variability, LENGTH(variability), -1);
    if (!v->name) fail(r, "a variable has no name");
    return v;
}

/* What a type says of a variable: a child of it in 2.0, the element itself in 3.0. */
static void take_type(Reading *r, const char *name, const char **a) {
    static const char *const type2[] = {"Real", "Integer", "Boolean", "String",
                                        "Enumeration"};
    static const uint8_t     code2[] = {GUEST_FLOAT64, GUEST_INT32, GUEST_BOOLEAN,
                                        GUEST_STRING, GUEST_INT32};
    static const char *const type3[] = {
        "Float64", "Float32", "Int8",   "UInt8",   "Int16",  "UInt16",     "Int32",
        "UInt32",  "Int64",   "UInt64", "Boolean", "String", "Enumeration"};
    GuestVariable *v = r->now;
    bool           two = r->d->version == 2;
    int            k = two ? choose(name, type2, LENGTH(type2), -1)
                           : choose(name, type3, LENGTH(type3), -1);
    if (!v || k < 0) return;
    v->type = two ? code2[k] : (uint8_t)(k == 12 ? GUEST_INT64 : k);
    bool real = v->type == GUEST_FLOAT64 || v->type == GUEST_FLOAT32;
    if (v->variability == (uint8_t)-1)
        v->variability = v->causality == FMU_PARAMETER || v->causality == FMU_CALCULATED
                             ? FMU_FIXED
                         : real ? FMU_CONTINUOUS
                                : FMU_DISCRETE;
    v->unit = copy(r, find(a, "unit"));
    v->start = copy(r, find(a, "start"));
    double of = number(r, a, "derivative", two ? 0 : -1) + (two ? 0 : 1);
    v->derivative = of >= 0 && of <= UINT32_MAX ? (int64_t)of : 0;
}

static void take_clock(Reading *r, const char **a) {
    static const char *const name[] = {"constant", "fixed",     "tunable",
                                       "changing", "countdown", "triggered"};
    static const uint8_t     ticks[] = {TICKS_REGULAR,  TICKS_REGULAR,   TICKS_REGULAR,
                                        TICKS_CHANGING, TICKS_COUNTDOWN, TICKS_TRIGGERED};
    GuestVariable           *v = r->now;
    if (!v) return;
    int          k = choose(find(a, "intervalVariability"), name, LENGTH(name), -1);
    const double resolution = number(r, a, "resolution", NAN);
    if (k < 0) fail(r, "a clock has no intervalVariability");
    v->type = GUEST_CLOCK;
    v->ticks = k < 0 ? TICKS_TRIGGERED : ticks[k];
    v->priority = number(r, a, "priority", 0);
    v->interval = number(r, a, "intervalDecimal",
                         number(r, a, "intervalCounter", NAN) / resolution);
    v->shift = number(r, a, "shiftDecimal", NAN);
    if (isnan(v->shift)) v->shift = number(r, a, "shiftCounter", NAN) / resolution;
    if (isnan(v->shift)) v->shift = 0;
    if (v->interval <= 0 || v->shift < 0)
        fail(r, "the interval of a clock is not positive");
}

static void take_dimension(Reading *r, const char **a) {
    GuestVariable *v = r->now;
    if (!v) return;
    if (v->dims == LENGTH(v->size)) {
        fail(r, "an array has more than %d dimensions", LENGTH(v->size));
        return;
    }
    double size = number(r, a, "start", -1);
    if (find(a, "valueReference"))
        v->size_from[v->dims] = reference(r, a, "valueReference") + 1;
    else if (!(size >= 0 && size <= ELEMENTS)) fail(r, "a dimension has no size");
    v->size[v->dims++] = size >= 0 && size <= ELEMENTS ? (int)size : -1;
}

static void take_alias(Reading *r, const char **a) {
    if (!r->now) return;
    GuestVariable     own = *r->now;
    const ptrdiff_t   base = r->now - r->d->variable;
    const char       *name = copy(r, find(a, "name"));
    GuestDescription *d = r->d;
    GuestVariable    *more = grow_variables(r);
    if (!more) return;
    if (!name) {
        fail(r, "an alias has no name");
        return;
    }
    own.name = name;
    own.comment = copy(r, find(a, "description"));
    own.alias = true;
    own.causality = FMU_LOCAL;
    d->variable = more;
    r->now = &d->variable[base]; /* more may follow */
    d->variable[d->variables++] = own;
}

static bool add_number(Reading *r, uint32_t **list, int *count, int *room,
                       uint32_t value) {
    uint32_t *more = arena_grow(&r->d->arena, *list, sizeof **list, room, *count + 1);
    if (!more) {
        fail(r, "there is no memory");
        return false;
    }
    *list = more;
    (*list)[(*count)++] = value;
    return true;
}

static void take_structure(Reading *r, const char *name, const char **a) {
    GuestDescription *d = r->d;
    const char       *parent = r->depth > 0 ? r->inside[r->depth - 1] : "";
    if (d->version == 2 && strcmp(parent, "Derivatives") == 0)
        add_number(r, &d->rate, &d->rates, &d->rate_room, reference(r, a, "index"));
    if (d->version == 3 && strcmp(name, "ContinuousStateDerivative") == 0)
        add_number(r, &d->rate, &d->rates, &d->rate_room,
                   reference(r, a, "valueReference"));
    if (d->version == 3 && strcmp(name, "EventIndicator") == 0)
        add_number(r, &d->indicator, &d->indicator_entries, &d->indicator_room,
                   reference(r, a, "valueReference"));
}

static void on_start(void *owner, const char *name, const char **a) {
    Reading    *r = owner;
    const char *parent = r->depth > 0 ? r->inside[r->depth - 1] : "";
    if (r->depth == DEPTH) {
        fail(r, "elements are nested too deeply");
        return;
    }
    if (r->depth == 0) {
        if (strcmp(name, "fmiModelDescription") != 0)
            fail(r, "this is no description of a model");
        else take_head(r, a);
    } else if (r->depth == 1) {
        if (strcmp(name, "ModelExchange") == 0) take_kind(r, a, &r->d->exchange);
        if (strcmp(name, "CoSimulation") == 0) take_kind(r, a, &r->d->steps);
        if (strcmp(name, "ScheduledExecution") == 0) take_kind(r, a, &r->d->scheduled);
        if (strcmp(name, "DefaultExperiment") == 0) take_experiment(r, a);
    } else if (r->depth == 2 && strcmp(parent, "ModelVariables") == 0) {
        r->now = NULL;
        add_variable(r, a);
        if (r->d->version == 3) take_type(r, name, a);
        if (r->d->version == 3 && strcmp(name, "Clock") == 0) take_clock(r, a);
    } else if (r->depth == 3 && strcmp(r->inside[1], "ModelVariables") == 0) {
        if (r->d->version == 2) take_type(r, name, a);
        else if (strcmp(name, "Dimension") == 0) take_dimension(r, a);
        else if (strcmp(name, "Alias") == 0) take_alias(r, a);
        else if (strcmp(name, "Start") == 0 && r->now && !r->now->start)
            r->now->start = copy(r, find(a, "value"));
    }
    if (r->depth >= 2 && strcmp(r->inside[1], "ModelStructure") == 0)
        take_structure(r, name, a);
    r->inside[r->depth++] = copy(r, name);
    if (!r->inside[r->depth - 1]) r->inside[r->depth - 1] = "";
}

static void on_end(void *owner, const char *name) {
    Reading *r = owner;
    (void)name;
    if (r->depth > 0) r->depth--;
}

static void on_doctype(void *owner, const char *name, const char *system,
                       const char *public, int internal) {
    (void)name, (void)system, (void)public, (void)internal;
    fail(owner, "a document type is not accepted");
}

/* ---- sizes ---- */

/* Variables by reference; of those that share one, the first. */
static bool find_references(const GuestDescription *d, Map *of) {
    for (int k = 0; k < d->variables; k++)
        if (!map_has(of, d->variable[k].reference) &&
            !map_put(of, d->variable[k].reference, k))
            return false;
    return true;
}

static const GuestVariable *by_reference(const GuestDescription *d, const Map *of,
                                         uint32_t wanted) {
    const int64_t k = map_get(of, wanted, -1);
    return k < 0 ? NULL : &d->variable[k];
}

/* A size that the start value of a parameter tells; -1: it tells none. */
static int told_size(const GuestVariable *from) {
    char  *end;
    double value = from && from->start ? number_read(from->start, &end) : -1;
    return value >= 0 && value <= ELEMENTS && !*end ? (int)value : -1;
}

static bool measure(const GuestDescription *d, const Map *of, GuestVariable *v,
                    Text *why) {
    double count = 1;
    for (int k = 0; k < v->dims; k++) {
        if (v->size_from[k])
            v->size[k] = told_size(by_reference(d, of, v->size_from[k] - 1));
        if (v->size[k] < 0) {
            text_printf(why, "the size of '%.80s' is not known", v->name);
            return false;
        }
        count *= v->size[k];
    }
    if (count > ELEMENTS) text_printf(why, "'%.80s' is too large", v->name);
    v->count = count <= ELEMENTS ? (int)count : 0;
    return count <= ELEMENTS;
}

/* Adds elements to a sum that later sizes memory: no sum of them may leave int. */
static bool add_count(int *sum, int more, const char *what, Text *why) {
    if (more > ELEMENTS - *sum) {
        text_printf(why, "it has more than %d %s", (int)ELEMENTS, what);
        return false;
    }
    *sum += more;
    return true;
}

/* States and indicators are those of the structure. */
static bool count_all(GuestDescription *d, const Map *of, Text *why) {
    int elements = 0;
    for (int k = 0; k < d->variables; k++)
        if (!measure(d, of, &d->variable[k], why) ||
            !add_count(&elements, d->variable[k].count, "elements of variables", why))
            return false;
    for (int k = 0; k < d->rates; k++) {
        const GuestVariable *v = d->version == 3 ? by_reference(d, of, d->rate[k]) : NULL;
        bool                 inside =
            d->version == 2 && d->rate[k] >= 1 && d->rate[k] <= (uint32_t)d->variables;
        if (!v && !inside) {
            text_add(why, "a derivative in its structure is no variable");
            return false;
        }
        if (!add_count(&d->states, v ? v->count : 1, "states", why)) return false;
    }
    for (int k = 0; k < d->indicator_entries; k++) {
        const GuestVariable *v = by_reference(d, of, d->indicator[k]);
        if (!add_count(&d->indicators, v ? v->count : 1, "event indicators", why))
            return false;
    }
    return true;
}

static bool find_sizes(GuestDescription *d, Text *why) {
    Map  of = {0};
    bool fine = find_references(d, &of);
    if (!fine) text_add(why, "there is no memory");
    fine = fine && count_all(d, &of, why);
    map_free(&of);
    return fine;
}

/* ---- the file ---- */

static bool parse(Reading *r, FILE *file) {
    char   buffer[1 << 16];
    double total = 0;
    bool   last = false;
    while (!last && !r->why->length) {
        size_t n = fread(buffer, 1, sizeof buffer, file);
        last = n < sizeof buffer;
        total += (double)n;
        if (total > FILE_BYTES) fail(r, "the file is too large");
        if (XML_Parse(r->parser, buffer, (int)n, last) == XML_STATUS_ERROR &&
            !r->why->length)
            text_printf(r->why, "line %lu of modelDescription.xml: %s",
                        (unsigned long)XML_GetCurrentLineNumber(r->parser),
                        XML_ErrorString(XML_GetErrorCode(r->parser)));
    }
    return !r->why->length;
}

bool guest_read(GuestDescription *d, const char *path, Text *why) {
    Reading r = {.d = d, .why = why};
    FILE   *file = fopen(path, "rb");
    *d = (GuestDescription){
        .start = NAN, .stop = NAN, .tolerance = NAN, .step = NAN, .steps.step = NAN};
    if (!file) {
        text_add(why, "it has no modelDescription.xml");
        return false;
    }
    r.parser = XML_ParserCreate(NULL);
    bool fine = r.parser != NULL;
    if (fine) {
        XML_SetUserData(r.parser, &r);
        XML_SetElementHandler(r.parser, on_start, on_end);
        XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
        fine = parse(&r, file) && find_sizes(d, why);
        XML_ParserFree(r.parser);
    } else text_add(why, "there is no memory");
    fclose(file);
    return fine;
}

#else

bool guest_read(GuestDescription *d, const char *path, Text *why) {
    (void)path;
    *d = (GuestDescription){0};
    text_add(why, "this build has no expat, which reads FMUs");
    return false;
}

#endif

void guest_read_end(GuestDescription *d) {
    arena_free(&d->arena);
    *d = (GuestDescription){0};
}
