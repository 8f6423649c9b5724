/* SPDX-License-Identifier: Apache-2.0 */
/* entry3.c -- the functions of FMI 3.0 over a slave. Part of the runtime of exported models only. */
#include "fmi/slave.h"
#include "fmi/standard.h"

#include <math.h>
#include <string.h>

#define EXPORT                             __attribute__((visibility("default")))
#define FUNCTION(result, name, parameters) EXPORT result fmi3##name parameters;
#define UNUSED(name, parameters)           EXPORT FmiStatus fmi3##name parameters;
#define NUMBER(name, type)                                                               \
    EXPORT FmiStatus fmi3Get##name(void *c, const uint32_t vr[], size_t n, type value[], \
                                   size_t values);                                       \
    EXPORT FmiStatus fmi3Set##name(void *c, const uint32_t vr[], size_t n,               \
                                   const type value[], size_t values);
#include "fmi/standard3.def"
#undef FUNCTION
#undef NUMBER

typedef struct Unit {
    Slave      *slave;
    void       *environment;
    Fmi3Log    *log;
    Fmi3Update *update;
    Fmi3Lock   *lock, *unlock; /* of Scheduled Execution; NULL: none */
    bool        logging, early_allowed;
} Unit;

static void say(void *owner, int status, const char *category, const char *text) {
    const Unit *u = owner;
    if (u->log && (u->logging || status >= FMI_ERROR))
        u->log(u->environment, (FmiStatus)status, category, text);
}

#define FMI(name)             fmi3##name
#define FMI_STATE(verb, rest) fmi3##verb##FMUState##rest
typedef uint8_t Byte;
#include "fmi/entry_shared.h"

/* ---- life ---- */

const char *fmi3GetVersion(void) {
    return "3.0";
}

FmiStatus fmi3SetDebugLogging(void *c, bool on, size_t n, const char *const category[]) {
    Unit *u = c;
    (void)n, (void)category;
    u->logging = on;
    return FMI_OK;
}

typedef enum { UNIT_EXCHANGE, UNIT_STEPS, UNIT_SCHEDULED } UnitKind;

static Unit *instantiate(const char *token, const char *resources, bool logging,
                         void *environment, Fmi3Log *log, UnitKind kind) {
    Unit *u = mem_take(1, sizeof *u);
    if (!u) return NULL;
    u->environment = environment;
    u->log = log;
    u->logging = logging;
    const SlaveSource from = {
        resources, token, 3, built, kind == UNIT_STEPS, kind == UNIT_SCHEDULED};
    if (resources) u->slave = slave_new(&from, say, u);
    else say(u, FMI_ERROR, "logStatusError", "there is no path of the resources");
    if (u->slave) return u;
    mem_free(u);
    return NULL;
}

void *fmi3InstantiateModelExchange(const char *name, const char *token,
                                   const char *resources, bool visible, bool logging,
                                   void *environment, Fmi3Log *log) {
    (void)name, (void)visible;
    return instantiate(token, resources, logging, environment, log, UNIT_EXCHANGE);
}

/* Tells the other tool that a step of the integrator is over. */
static bool on_update(Slave *s, double time) {
    Unit  *u = s->owner;
    bool   early = false;
    double when = time;
    u->update(u->environment, time, false, true, true, u->early_allowed, &early, &when);
    return !(u->early_allowed && early && time >= when);
}

void *fmi3InstantiateCoSimulation(const char *name, const char *token,
                                  const char *resources, bool visible, bool logging,
                                  bool event_mode, bool early_return,
                                  const uint32_t intermediate[], size_t intermediates,
                                  void *environment, Fmi3Log *log, Fmi3Update *update) {
    Unit *u = instantiate(token, resources, logging, environment, log, UNIT_STEPS);
    (void)name, (void)visible, (void)event_mode, (void)intermediate, (void)intermediates;
    if (!u) return NULL;
    u->update = update;
    u->early_allowed = early_return;
    if (update) u->slave->update = on_update;
    return u;
}

void *fmi3InstantiateScheduledExecution(const char *name, const char *token,
                                        const char *resources, bool visible, bool logging,
                                        void *environment, Fmi3Log *log,
                                        Fmi3ClockUpdate *update, Fmi3Lock *lock,
                                        Fmi3Lock *unlock) {
    Unit *u = instantiate(token, resources, logging, environment, log, UNIT_SCHEDULED);
    (void)name, (void)visible, (void)update;
    if (!u) return NULL;
    u->lock = lock;
    u->unlock = unlock;
    return u;
}

void fmi3FreeInstance(void *c) {
    Unit *u = c;
    if (!u) return;
    slave_free(u->slave);
    mem_free(u);
}

FmiStatus fmi3EnterInitializationMode(void *c, bool has_tolerance, double tolerance,
                                      double start, bool has_stop, double stop) {
    Unit *u = c;
    if (u->slave->phase != PHASE_INSTANTIATED) return FMI_ERROR;
    slave_setup(u->slave, has_tolerance, tolerance, start, has_stop, stop);
    u->slave->phase = PHASE_STARTING;
    return FMI_OK;
}

FmiStatus fmi3Reset(void *c) {
    Unit *u = c;
    return result(slave_reset(u->slave));
}

/* ---- values ---- */

/* Elements behind a reference for which as many values are left; 0: it was said what is wrong. */
static int claim(Unit *u, uint32_t reference, size_t left) {
    const int extent = slave_extent(u->slave, reference);
    if (extent && (size_t)extent <= left) return extent;
    slave_complain(u->slave, FMI_ERROR,
                   extent ? "too few values for reference %u"
                          : "there is no reference %u",
                   (unsigned)reference);
    return 0;
}

static bool get(Unit *u, const uint32_t vr[], size_t n, size_t values,
                void (*put)(void *to, size_t k, double value), void *to) {
    size_t at = 0;
    for (size_t k = 0; k < n; k++) {
        const int extent = claim(u, vr[k], values - at);
        if (!extent) return false;
        for (int i = 0; i < extent; i++) {
            double value;
            if (!slave_get(u->slave, vr[k], i, &value)) return false;
            put(to, at++, value);
        }
    }
    return true;
}

static bool set(Unit *u, const uint32_t vr[], size_t n, size_t values,
                double (*take)(const void *from, size_t k), const void *from) {
    size_t at = 0;
    for (size_t k = 0; k < n; k++) {
        const int extent = claim(u, vr[k], values - at);
        if (!extent) return false;
        for (int i = 0; i < extent; i++, at++)
            if (!slave_set(u->slave, vr[k], i, take(from, at))) return false;
    }
    return true;
}

#define NUMBER(name, type)                                                               \
    static void put_##name(void *to, size_t k, double value) {                           \
        ((type *)to)[k] = (type)value;                                                   \
    }                                                                                    \
    static double take_##name(const void *from, size_t k) {                              \
        return (double)((const type *)from)[k];                                          \
    }                                                                                    \
    FmiStatus fmi3Get##name(void *c, const uint32_t vr[], size_t n, type value[],        \
                            size_t values) {                                             \
        return result(get(c, vr, n, values, put_##name, value));                         \
    }                                                                                    \
    FmiStatus fmi3Set##name(void *c, const uint32_t vr[], size_t n, const type value[],  \
                            size_t values) {                                             \
        return result(set(c, vr, n, values, take_##name, value));                        \
    }
#define FUNCTION(result, name, parameters)
#include "fmi/standard3.def"
#undef FUNCTION
#undef NUMBER

static FmiStatus texts(Unit *u, const uint32_t vr[], size_t n, size_t values,
                       bool (*move)(Slave *slave, uint32_t vr, int i, void *value),
                       void *value) {
    size_t at = 0;
    for (size_t k = 0; k < n; k++) {
        const int extent = claim(u, vr[k], values - at);
        if (!extent) return FMI_ERROR;
        for (int i = 0; i < extent; i++)
            if (!move(u->slave, vr[k], i, (const char **)value + at++)) return FMI_ERROR;
    }
    return FMI_OK;
}

static bool put_text(Slave *slave, uint32_t vr, int i, void *value) {
    return (*(const char **)value = slave_text(slave, vr, i)) != NULL;
}

static bool take_text(Slave *slave, uint32_t vr, int i, void *value) {
    return slave_set_text(slave, vr, i, *(const char **)value);
}

FmiStatus fmi3GetString(void *c, const uint32_t vr[], size_t n, const char *value[],
                        size_t values) {
    return texts(c, vr, n, values, put_text, value);
}

FmiStatus fmi3SetString(void *c, const uint32_t vr[], size_t n, const char *const value[],
                        size_t values) {
    return texts(c, vr, n, values, take_text, (void *)(uintptr_t)value);
}

FmiStatus fmi3GetNumberOfVariableDependencies(void *c, uint32_t vr, size_t *n) {
    (void)c, (void)vr, (void)n;
    return FMI_ERROR; /* sizes do not change: the description tells them */
}

FmiStatus fmi3GetVariableDependencies(void *c, uint32_t vr, size_t dependent[],
                                      uint32_t independent[], size_t element[],
                                      int kind[], size_t n) {
    (void)c, (void)vr, (void)dependent, (void)independent, (void)element, (void)kind;
    (void)n;
    return FMI_ERROR;
}

/* ---- states as bytes ---- */

FmiStatus fmi3SetFMUState(void *c, void *state) {
    Unit *u = c;
    return result(state && slave_restore(u->slave, state));
}

FmiStatus fmi3DeserializeFMUState(void *c, const uint8_t bytes[], size_t size,
                                  void **state) {
    (void)c;
    return state_from(bytes, size, state);
}

/* ---- derivatives ---- */

/* The scalars behind references; NULL: something is wrong with them. */
static Direction *spread(Unit *u, const uint32_t vr[], size_t n, int *count) {
    size_t all = 0;
    for (size_t k = 0; k < n; k++) {
        if (!slave_extent(u->slave, vr[k])) return NULL;
        all += (size_t)slave_extent(u->slave, vr[k]);
    }
    Direction *d = mem_take(all, sizeof *d);
    *count = 0;
    for (size_t k = 0; d && k < n; k++)
        for (int i = 0; i < slave_extent(u->slave, vr[k]); i++)
            d[(*count)++] = (Direction){vr[k], i};
    return d;
}

static FmiStatus derive(Unit *u, const uint32_t unknown[], size_t unknowns,
                        const uint32_t known[], size_t knowns, const double seed[],
                        size_t seeds, double out[], size_t outs, bool adjoint) {
    int        a = 0, b = 0;
    Direction *to = spread(u, unknown, unknowns, &a);
    Direction *from = spread(u, known, knowns, &b);
    bool       fine = to && from && seeds == (size_t)(adjoint ? a : b) &&
                outs == (size_t)(adjoint ? b : a);
    if (fine)
        fine = (adjoint ? slave_adjoint : slave_directional)(u->slave, to, a, from, b,
                                                             seed, out);
    mem_free(to);
    mem_free(from);
    return result(fine);
}

FmiStatus fmi3GetDirectionalDerivative(void *c, const uint32_t unknown[], size_t unknowns,
                                       const uint32_t known[], size_t knowns,
                                       const double seed[], size_t seeds, double out[],
                                       size_t outs) {
    return derive(c, unknown, unknowns, known, knowns, seed, seeds, out, outs, false);
}

FmiStatus fmi3GetAdjointDerivative(void *c, const uint32_t unknown[], size_t unknowns,
                                   const uint32_t known[], size_t knowns,
                                   const double seed[], size_t seeds, double out[],
                                   size_t outs) {
    return derive(c, unknown, unknowns, known, knowns, seed, seeds, out, outs, true);
}

/* ---- clocks ---- */

FmiStatus fmi3GetClock(void *c, const uint32_t vr[], size_t n, bool value[]) {
    Unit *u = c;
    for (size_t k = 0; k < n; k++)
        if (!slave_ticked(u->slave, vr[k], &value[k]))
            return refuse(u, 1, "this is no clock");
    return FMI_OK;
}

/* Interval and first tick of the partition behind a reference; false: there is none. */
static bool is_regular(const Unit *u, uint32_t vr, double *interval, double *shift) {
    const ClockTable *c = &u->slave->program->clocks;
    const int         s = fmu_clock_behind(u->slave->program, vr);
    if (s < 0 || !clock_is_periodic(&c->base[c->sub[s].base])) return false;
    *interval = clock_seconds(&c->base[c->sub[s].base], c->sub[s].every);
    *shift = clock_seconds(&c->base[c->sub[s].base], c->sub[s].offset);
    return true;
}

FmiStatus fmi3GetIntervalDecimal(void *c, const uint32_t vr[], size_t n,
                                 double interval[], int qualifier[]) {
    double shift;
    for (size_t k = 0; k < n; k++) {
        if (!is_regular(c, vr[k], &interval[k], &shift))
            return refuse(c, 1, "this clock has no interval");
        qualifier[k] = FMI3_INTERVAL_UNCHANGED;
    }
    return FMI_OK;
}

FmiStatus fmi3GetShiftDecimal(void *c, const uint32_t vr[], size_t n, double shift[]) {
    double interval;
    for (size_t k = 0; k < n; k++)
        if (!is_regular(c, vr[k], &interval, &shift[k]))
            return refuse(c, 1, "this clock has no interval");
    return FMI_OK;
}

/* Partitions share the values of the model: nobody else runs meanwhile. */
FmiStatus fmi3ActivateModelPartition(void *c, uint32_t clock, double time) {
    Unit *u = c;
    if (u->lock) u->lock();
    bool fine = slave_activate(u->slave, clock, time);
    if (u->unlock) u->unlock();
    return result(fine);
}

/* ---- configuration, binary values, clocks from outside: the model has none of them ---- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define FUNCTION(result, name, parameters)
#define UNUSED(name, parameters)                                                         \
    FmiStatus fmi3##name parameters {                                                    \
        return refuse(c, n, "the model has nothing for fmi3" #name);                     \
    }
#include "fmi/standard3.def"
#undef FUNCTION
#pragma GCC diagnostic pop

FmiStatus fmi3EnterConfigurationMode(void *c) {
    (void)c;
    return FMI_ERROR;
}

FmiStatus fmi3ExitConfigurationMode(void *c) {
    (void)c;
    return FMI_ERROR;
}

FmiStatus fmi3EvaluateDiscreteStates(void *c) {
    (void)c;
    return FMI_OK; /* fmi3UpdateDiscreteStates iterates until nothing changes */
}

/* ---- events ---- */

/* Co-Simulation handles its events inside steps; from outside only inputs may have changed. */
static bool update_steps(Slave *s, SlaveEvent *event) {
    *event = (SlaveEvent){0};
    return slave_step(s, s->t, &event->terminate);
}

FmiStatus fmi3UpdateDiscreteStates(void *c, bool *again, bool *terminate, bool *nominals,
                                   bool *states, bool *has_next, double *next) {
    Unit      *u = c;
    SlaveEvent event;
    bool       fine =
        u->slave->steps ? update_steps(u->slave, &event) : slave_update(u->slave, &event);
    if (again) *again = false;
    if (terminate) *terminate = event.terminate;
    if (nominals) *nominals = false;
    if (states) *states = event.states_changed;
    if (has_next) *has_next = event.has_next;
    if (next && event.has_next) *next = event.next;
    return result(fine);
}

/* ---- Model Exchange ---- */

FmiStatus fmi3CompletedIntegratorStep(void *c, bool keep_no_state, bool *enter_event_mode,
                                      bool *terminate) {
    Unit *u = c;
    (void)keep_no_state;
    *enter_event_mode = false;
    return result(slave_completed(u->slave, terminate));
}

FmiStatus fmi3GetContinuousStateDerivatives(void *c, double dx[], size_t n) {
    return rates(c, dx, n);
}

FmiStatus fmi3GetNumberOfEventIndicators(void *c, size_t *n) {
    *n = indicator_count(c);
    return FMI_OK;
}

FmiStatus fmi3GetNumberOfContinuousStates(void *c, size_t *n) {
    const Unit *u = c;
    *n = (size_t)u->slave->program->states.count;
    return FMI_OK;
}

/* ---- Co-Simulation ---- */

FmiStatus fmi3EnterStepMode(void *c) {
    Unit *u = c;
    return result(u->slave->steps && u->slave->phase == PHASE_RUNNING);
}

FmiStatus fmi3GetOutputDerivatives(void *c, const uint32_t vr[], size_t n,
                                   const int32_t order[], double value[], size_t values) {
    (void)vr, (void)order, (void)value, (void)values;
    return refuse(c, n, "derivatives of outputs are not given");
}

FmiStatus fmi3DoStep(void *c, double t, double h, bool keep_no_state, bool *event,
                     bool *terminate, bool *early, double *reached) {
    Unit *u = c;
    (void)keep_no_state;
    if (!u->slave->steps) return FMI_ERROR;
    bool fine = slave_step(u->slave, t + h, terminate);
    *event = false;
    *early = u->slave->early;
    *reached = u->slave->t;
    return result(fine);
}
