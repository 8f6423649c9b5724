/* SPDX-License-Identifier: Apache-2.0 */
/* bind.c -- the functions of a foreign unit, both versions behind one set of calls.
 *
 * Values are doubles here, whatever type they have there. What the unit says is kept: the last words
 * explain a failure. */
#define _GNU_SOURCE
#include "fmi/guest.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what it says ---- */

static void keep_words(Guest *u, FmiStatus status, const char *text) {
    if (status < FMI_WARNING || !text) return;
    text_clear(&u->said);
    text_printf(&u->said, "%.300s", text);
}

static void on_log2(void *environment, const char *name, FmiStatus status,
                    const char *category, const char *format, ...) {
    char    text[400];
    va_list args;
    (void)name, (void)category;
    va_start(args, format);
    vsnprintf(text, sizeof text, format ? format : "", args);
    va_end(args);
    keep_words(environment, status, text);
}

static void on_log3(void *environment, FmiStatus status, const char *category,
                    const char *text) {
    (void)category;
    keep_words(environment, status, text);
}

/* ---- loading ---- */

static bool look_up(void *library, int version, const char *name, void *place) {
    char full[80];
    snprintf(full, sizeof full, "fmi%d%s", version, name);
    void *at = dlsym(library, full);
    memcpy(place, &at, sizeof at);
    return at != NULL;
}

/* What only the other kind needs may be absent; what was not found is NULL. */
static bool find_functions(Guest *u, Text *why) {
    const char *missing = NULL;
    if (u->d.version == 2) {
#define FUNCTION(result, name, parameters) look_up(u->library, 2, #name, &u->f2.name);
#include "fmi/standard2.def"
#undef FUNCTION
        if (!u->f2.Instantiate) missing = "fmi2Instantiate";
        else if (!u->f2.FreeInstance || !u->f2.SetupExperiment ||
                 !u->f2.EnterInitializationMode || !u->f2.ExitInitializationMode ||
                 !u->f2.GetReal || !u->f2.SetReal || !u->f2.GetInteger ||
                 !u->f2.SetInteger || !u->f2.GetBoolean || !u->f2.SetBoolean ||
                 !u->f2.SetString)
            missing = "all functions of its kind";
        else if (u->mode == GUEST_EXCHANGE
                     ? !u->f2.NewDiscreteStates || !u->f2.GetDerivatives ||
                           !u->f2.SetTime || !u->f2.SetContinuousStates ||
                           !u->f2.GetContinuousStates || !u->f2.EnterEventMode ||
                           !u->f2.EnterContinuousTimeMode || !u->f2.GetEventIndicators ||
                           !u->f2.CompletedIntegratorStep
                     : !u->f2.DoStep)
            missing = "all functions of its kind";
    } else {
#define NUMBER(name, type)                                                               \
    look_up(u->library, 3, "Get" #name, &u->f3.Get##name);                               \
    look_up(u->library, 3, "Set" #name, &u->f3.Set##name);
#define FUNCTION(result, name, parameters) look_up(u->library, 3, #name, &u->f3.name);
#include "fmi/standard3.def"
#undef FUNCTION
#undef NUMBER
        void *const make[] = {
            [GUEST_EXCHANGE] = (void *)(uintptr_t)u->f3.InstantiateModelExchange,
            [GUEST_STEPS] = (void *)(uintptr_t)u->f3.InstantiateCoSimulation,
            [GUEST_SCHEDULED] = (void *)(uintptr_t)u->f3.InstantiateScheduledExecution};
        if (!make[u->mode]) missing = "fmi3Instantiate...";
        else if (!u->f3.FreeInstance || !u->f3.EnterInitializationMode ||
                 !u->f3.ExitInitializationMode || !u->f3.GetFloat64 || !u->f3.SetFloat64)
            missing = "all functions of its kind";
        else if (u->mode == GUEST_SCHEDULED ? !u->f3.ActivateModelPartition
                 : u->mode == GUEST_EXCHANGE
                     ? !u->f3.UpdateDiscreteStates ||
                           !u->f3.GetContinuousStateDerivatives || !u->f3.SetTime ||
                           !u->f3.SetContinuousStates || !u->f3.GetContinuousStates ||
                           !u->f3.EnterEventMode || !u->f3.EnterContinuousTimeMode ||
                           !u->f3.GetEventIndicators || !u->f3.CompletedIntegratorStep
                     : !u->f3.DoStep)
            missing = "all functions of its kind";
    }
    if (missing) text_printf(why, "its code does not have %s", missing);
    return !missing;
}

bool guest_bind(Guest *u, GuestMode mode, Text *why) {
    static const char *const name[] = {"Model Exchange", "Co-Simulation",
                                       "Scheduled Execution"};
    const GuestKind         *kind = mode == GUEST_EXCHANGE ? &u->d.exchange
                                    : mode == GUEST_STEPS  ? &u->d.steps
                                                           : &u->d.scheduled;
    Text                     path = {0};
    u->mode = mode;
    if (!kind->identifier) {
        text_printf(why, "it has no %s", name[mode]);
        return false;
    }
    if (kind->needs_tool) {
        text_add(why, "it needs the tool that made it (needsExecutionTool)");
        return false;
    }
    text_printf(&path, "%s/binaries/%s/%s.so", text_get(&u->folder),
                u->d.version == 2 ? "linux64" : "x86_64-linux", kind->identifier);
    u->library = path.failed ? NULL : dlopen(text_get(&path), RTLD_NOW | RTLD_LOCAL);
    if (!u->library) {
        FILE *there = fopen(text_get(&path), "rb");
        if (there) {
            fclose(there);
            text_printf(why, "its code cannot be loaded: %.300s", dlerror());
        } else
            text_printf(why, "it holds no code for this machine (binaries/%s/%s.so)",
                        u->d.version == 2 ? "linux64" : "x86_64-linux", kind->identifier);
    }
    text_free(&path);
    return u->library && find_functions(u, why);
}

void guest_unbind(Guest *u) {
    guest_free_instance(u);
    if (u->library) dlclose(u->library);
    u->library = NULL;
}

/* ---- life ---- */

static void uri_of(const char *folder, Text *out) {
    text_add(out, "file://");
    for (const char *c = folder; *c; c++)
        if (strchr(" %#?", *c)) text_printf(out, "%%%02X", (unsigned)*c);
        else text_char(out, *c);
    text_add(out, "/resources");
}

/* Clocks are asked after each tick, and partitions run one after the other. */
static void on_clock_update(void *environment) {
    (void)environment;
}

static void on_lock(void) {
}

FmiStatus guest_instantiate(Guest *u) {
    Text resources = {0};
    if (u->d.version == 2) {
        uri_of(text_get(&u->folder), &resources);
        u->callbacks = (Fmi2Callbacks){on_log2, calloc, free, NULL, u};
        u->c = u->f2.Instantiate(
            "unit", u->mode == GUEST_EXCHANGE ? FMI2_MODEL_EXCHANGE : FMI2_CO_SIMULATION,
            u->d.token, text_get(&resources), &u->callbacks, 0, 0);
    } else {
        text_printf(&resources, "%s/resources/", text_get(&u->folder));
        u->c =
            u->mode == GUEST_SCHEDULED
                ? u->f3.InstantiateScheduledExecution(
                      "unit", u->d.token, text_get(&resources), false, false, u, on_log3,
                      on_clock_update, on_lock, on_lock)
            : u->mode == GUEST_EXCHANGE
                ? u->f3.InstantiateModelExchange("unit", u->d.token, text_get(&resources),
                                                 false, false, u, on_log3)
                : u->f3.InstantiateCoSimulation("unit", u->d.token, text_get(&resources),
                                                false, false, false, false, NULL, 0, u,
                                                on_log3, NULL);
    }
    text_free(&resources);
    return u->c ? FMI_OK : FMI_ERROR;
}

void guest_free_instance(Guest *u) {
    if (u->c && u->d.version == 2) u->f2.FreeInstance(u->c);
    if (u->c && u->d.version == 3) u->f3.FreeInstance(u->c);
    u->c = NULL;
}

FmiStatus guest_initialise(Guest *u, double start, double stop, double tolerance) {
    const bool to = !isnan(tolerance), ends = !isnan(stop);
    FmiStatus  status;
    if (u->d.version == 3) {
        status = u->f3.EnterInitializationMode(u->c, to, tolerance, start, ends, stop);
        return status <= FMI_WARNING ? u->f3.ExitInitializationMode(u->c) : status;
    }
    status = u->f2.SetupExperiment(u->c, to, tolerance, start, ends, stop);
    if (status <= FMI_WARNING) status = u->f2.EnterInitializationMode(u->c);
    return status <= FMI_WARNING ? u->f2.ExitInitializationMode(u->c) : status;
}

/* ---- values ---- */

#define NUMBER(name, type)                                                               \
    static FmiStatus get_##name(Guest *u, uint32_t vr, int n, double *value) {           \
        type     *own = mem_take((size_t)n, sizeof *own);                                \
        FmiStatus status = own && u->f3.Get##name                                        \
                               ? u->f3.Get##name(u->c, &vr, 1, own, (size_t)n)           \
                               : FMI_ERROR;                                              \
        for (int k = 0; status <= FMI_WARNING && k < n; k++) value[k] = (double)own[k];  \
        mem_free(own);                                                                   \
        return status;                                                                   \
    }                                                                                    \
    static FmiStatus set_##name(Guest *u, uint32_t vr, int n, const double *value) {     \
        type     *own = mem_take((size_t)n, sizeof *own);                                \
        FmiStatus status = own && u->f3.Set##name ? FMI_OK : FMI_ERROR;                  \
        for (int k = 0; status == FMI_OK && k < n; k++) own[k] = (type)value[k];         \
        if (status == FMI_OK) status = u->f3.Set##name(u->c, &vr, 1, own, (size_t)n);    \
        mem_free(own);                                                                   \
        return status;                                                                   \
    }
#define FUNCTION(result, name, parameters)
#include "fmi/standard3.def"
#undef FUNCTION
#undef NUMBER

typedef FmiStatus Get(Guest *u, uint32_t vr, int n, double *value);
typedef FmiStatus Set(Guest *u, uint32_t vr, int n, const double *value);

static Get *const get3[] = {get_Float64, get_Float32, get_Int8,   get_UInt8,
                            get_Int16,   get_UInt16,  get_Int32,  get_UInt32,
                            get_Int64,   get_UInt64,  get_Boolean};
static Set *const set3[] = {set_Float64, set_Float32, set_Int8,   set_UInt8,
                            set_Int16,   set_UInt16,  set_Int32,  set_UInt32,
                            set_Int64,   set_UInt64,  set_Boolean};

FmiStatus guest_get(Guest *u, const GuestVariable *v, double *value) {
    const unsigned vr = v->reference;
    int            whole = 0;
    if (v->type >= GUEST_STRING) return FMI_ERROR;
    if (u->d.version == 3) return get3[v->type](u, vr, v->count, value);
    if (v->type == GUEST_FLOAT64) return u->f2.GetReal(u->c, &vr, 1, value);
    FmiStatus status = v->type == GUEST_BOOLEAN ? u->f2.GetBoolean(u->c, &vr, 1, &whole)
                                                : u->f2.GetInteger(u->c, &vr, 1, &whole);
    *value = whole;
    return status;
}

FmiStatus guest_set(Guest *u, const GuestVariable *v, const double *value) {
    const unsigned vr = v->reference;
    if (v->type >= GUEST_STRING) return FMI_ERROR;
    if (u->d.version == 3) return set3[v->type](u, vr, v->count, value);
    if (v->type == GUEST_FLOAT64) return u->f2.SetReal(u->c, &vr, 1, value);
    const int whole = (int)*value;
    return v->type == GUEST_BOOLEAN ? u->f2.SetBoolean(u->c, &vr, 1, &whole)
                                    : u->f2.SetInteger(u->c, &vr, 1, &whole);
}

FmiStatus guest_set_text(Guest *u, const GuestVariable *v, const char *text) {
    const unsigned vr = v->reference;
    if (v->type != GUEST_STRING || v->count != 1) return FMI_ERROR;
    if (u->d.version == 2) return u->f2.SetString(u->c, &vr, 1, &text);
    return u->f3.SetString ? u->f3.SetString(u->c, &vr, 1, &text, 1) : FMI_ERROR;
}

/* ---- Model Exchange ---- */

FmiStatus guest_time(Guest *u, double t) {
    return u->d.version == 2 ? u->f2.SetTime(u->c, t) : u->f3.SetTime(u->c, t);
}

FmiStatus guest_put_states(Guest *u, const double *x) {
    const size_t n = (size_t)u->d.states;
    if (!n) return FMI_OK;
    return u->d.version == 2 ? u->f2.SetContinuousStates(u->c, x, n)
                             : u->f3.SetContinuousStates(u->c, x, n);
}

/* A vector that both versions tell in the same way; tell NULL: the unit does not have it. */
static FmiStatus get_vector(Guest *u,
                            FmiStatus (*tell)(void *c, double value[], size_t n), int n,
                            double *value) {
    if (!n) return FMI_OK;
    return tell ? tell(u->c, value, (size_t)n) : FMI_ERROR;
}

FmiStatus guest_get_states(Guest *u, double *x) {
    return get_vector(
        u, u->d.version == 2 ? u->f2.GetContinuousStates : u->f3.GetContinuousStates,
        u->d.states, x);
}

FmiStatus guest_rates(Guest *u, double *dx) {
    return get_vector(
        u, u->d.version == 2 ? u->f2.GetDerivatives : u->f3.GetContinuousStateDerivatives,
        u->d.states, dx);
}

FmiStatus guest_indicators(Guest *u, double *z) {
    return get_vector(
        u, u->d.version == 2 ? u->f2.GetEventIndicators : u->f3.GetEventIndicators,
        u->d.indicators, z);
}

FmiStatus guest_nominals(Guest *u, double *nominal) {
    return get_vector(u,
                      u->d.version == 2 ? u->f2.GetNominalsOfContinuousStates
                                        : u->f3.GetNominalsOfContinuousStates,
                      u->d.states, nominal);
}

FmiStatus guest_enter_events(Guest *u) {
    return u->d.version == 2 ? u->f2.EnterEventMode(u->c) : u->f3.EnterEventMode(u->c);
}

FmiStatus guest_leave_events(Guest *u) {
    return u->d.version == 2 ? u->f2.EnterContinuousTimeMode(u->c)
                             : u->f3.EnterContinuousTimeMode(u->c);
}

FmiStatus guest_update(Guest *u, GuestEvent *event) {
    *event = (GuestEvent){0};
    if (u->d.version == 2) {
        Fmi2EventInfo info = {0};
        FmiStatus     status = u->f2.NewDiscreteStates(u->c, &info);
        *event = (GuestEvent){info.again != 0, info.terminate != 0, info.has_next != 0,
                              info.next};
        return status;
    }
    bool nominals = false, states = false;
    return u->f3.UpdateDiscreteStates(u->c, &event->again, &event->terminate, &nominals,
                                      &states, &event->has_next, &event->next);
}

FmiStatus guest_completed(Guest *u, bool *event, bool *terminate) {
    *event = *terminate = false;
    if (u->d.version == 3)
        return u->f3.CompletedIntegratorStep(u->c, true, event, terminate);
    int       a = 0, b = 0;
    FmiStatus status = u->f2.CompletedIntegratorStep(u->c, 1, &a, &b);
    *event = a != 0;
    *terminate = b != 0;
    return status;
}

/* ---- Co-Simulation ---- */

FmiStatus guest_step(Guest *u, double t, double h, double *reached, bool *terminate) {
    *reached = t + h;
    *terminate = false;
    if (u->d.version == 3) {
        bool      event = false, early = false;
        FmiStatus status =
            u->f3.DoStep(u->c, t, h, true, &event, terminate, &early, reached);
        /* units with steps of their own may report the last of these instead */
        if (!early && !*terminate) *reached = t + h;
        return status;
    }
    FmiStatus status = u->f2.DoStep(u->c, t, h, 1);
    int       ended = 0;
    if (status == FMI_DISCARD && u->f2.GetBooleanStatus &&
        u->f2.GetBooleanStatus(u->c, FMI2_TERMINATED, &ended) == FMI_OK && ended) {
        *terminate = true;
        if (u->f2.GetRealStatus) u->f2.GetRealStatus(u->c, FMI2_LAST_TIME, reached);
        return FMI_OK;
    }
    return status;
}

/* ---- Scheduled Execution ---- */

FmiStatus guest_activate(Guest *u, const GuestVariable *clock, double t) {
    return u->f3.ActivateModelPartition(u->c, clock->reference, t);
}

FmiStatus guest_interval(Guest *u, const GuestVariable *clock, double *interval,
                         bool *told) {
    int       qualifier = FMI3_INTERVAL_NOT_YET_KNOWN;
    FmiStatus status =
        u->f3.GetIntervalDecimal
            ? u->f3.GetIntervalDecimal(u->c, &clock->reference, 1, interval, &qualifier)
            : FMI_ERROR;
    *told = status <= FMI_WARNING && qualifier == FMI3_INTERVAL_CHANGED;
    return status;
}
