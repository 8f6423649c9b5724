/* SPDX-License-Identifier: Apache-2.0 */
/* entry2.c -- the functions of FMI 2.0 over a slave. Part of the runtime of exported models only. */
#include "fmi/slave.h"
#include "fmi/standard.h"

#include <math.h>
#include <string.h>

#define FUNCTION(result, name, parameters)                                               \
    __attribute__((visibility("default"))) result fmi2##name parameters;
#include "fmi/standard2.def"
#undef FUNCTION

typedef struct Unit {
    Slave               *slave;
    const Fmi2Callbacks *functions;
    char                *name;
    bool                 logging;
    FmiStatus            last; /* of the last step */
    bool                 terminated;
} Unit;

static void say(void *owner, int status, const char *category, const char *text) {
    const Unit *u = owner;
    if (u->functions && u->functions->log && (u->logging || status >= FMI_ERROR))
        u->functions->log(u->functions->environment, u->name, (FmiStatus)status, category,
                          "%s", text);
}

#define FMI(name)             fmi2##name
#define FMI_STATE(verb, rest) fmi2##verb##FMUstate##rest
typedef char Byte;
#include "fmi/entry_shared.h"

/* ---- life ---- */

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

FmiStatus fmi2SetDebugLogging(void *c, int on, size_t n, const char *const category[]) {
    Unit *u = c;
    (void)n, (void)category;
    u->logging = on != 0;
    return FMI_OK;
}

/* A URI of a file becomes a path: file:///a%20b, file:/a or file://localhost/a. */
static bool path_of(const char *uri, Text *out) {
    static const char digits[] = "0123456789abcdef";
    if (!uri) return false;
    if (strncmp(uri, "file://localhost/", 17) == 0) uri += 16;
    else if (strncmp(uri, "file:///", 8) == 0) uri += 7;
    else if (strncmp(uri, "file:/", 6) == 0) uri += 5;
    for (; *uri; uri++) {
        const char *high = *uri == '%' && uri[1] ? strchr(digits, uri[1] | 32) : NULL;
        const char *low = high && uri[2] ? strchr(digits, uri[2] | 32) : NULL;
        if (high && low) {
            text_char(out, (char)(16 * (high - digits) + (low - digits)));
            uri += 2;
        } else text_char(out, *uri);
    }
    return !out->failed;
}

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                      const Fmi2Callbacks *functions, int visible, int logging) {
    Unit *u = mem_take(1, sizeof *u);
    Text  path = {0};
    (void)visible;
    if (!u) return NULL;
    u->functions = functions;
    u->logging = logging != 0;
    u->name = mem_string(name ? name : "");
    if (u->name && path_of(resources, &path)) {
        const SlaveSource from = {
            text_get(&path), guid, 2, built, type == FMI2_CO_SIMULATION, false};
        u->slave = slave_new(&from, say, u);
    } else say(u, FMI_ERROR, "logStatusError", "there is no place of the resources");
    text_free(&path);
    if (u->slave) return u;
    mem_free(u->name);
    mem_free(u);
    return NULL;
}

void fmi2FreeInstance(void *c) {
    Unit *u = c;
    if (!u) return;
    slave_free(u->slave);
    mem_free(u->name);
    mem_free(u);
}

FmiStatus fmi2SetupExperiment(void *c, int has_tolerance, double tolerance, double start,
                              int has_stop, double stop) {
    Unit *u = c;
    slave_setup(u->slave, has_tolerance != 0, tolerance, start, has_stop != 0, stop);
    return FMI_OK;
}

FmiStatus fmi2EnterInitializationMode(void *c) {
    Unit *u = c;
    if (u->slave->phase != PHASE_INSTANTIATED) return FMI_ERROR;
    u->slave->phase = PHASE_STARTING;
    return FMI_OK;
}

FmiStatus fmi2Reset(void *c) {
    Unit *u = c;
    u->terminated = false;
    return result(slave_reset(u->slave));
}

/* ---- values ---- */

static bool is_reference(const Unit *u, unsigned vr) {
    return slave_extent(u->slave, vr) > 0 &&
           vr != fmu_indicator_reference(u->slave->program);
}

FmiStatus fmi2GetReal(void *c, const unsigned vr[], size_t n, double value[]) {
    Unit *u = c;
    bool  fine = true;
    for (size_t k = 0; k < n && fine; k++)
        fine = is_reference(u, vr[k]) && slave_get(u->slave, vr[k], 0, &value[k]);
    return result(fine);
}

static FmiStatus get_whole(Unit *u, const unsigned vr[], size_t n, int value[]) {
    bool fine = true;
    for (size_t k = 0; k < n && fine; k++) {
        double one = 0;
        fine = is_reference(u, vr[k]) && slave_get(u->slave, vr[k], 0, &one);
        value[k] = (int)one;
    }
    return result(fine);
}

FmiStatus fmi2GetInteger(void *c, const unsigned vr[], size_t n, int value[]) {
    return get_whole(c, vr, n, value);
}

FmiStatus fmi2GetBoolean(void *c, const unsigned vr[], size_t n, int value[]) {
    return get_whole(c, vr, n, value);
}

FmiStatus fmi2GetString(void *c, const unsigned vr[], size_t n, const char *value[]) {
    Unit *u = c;
    bool  fine = true;
    for (size_t k = 0; k < n && fine; k++)
        fine = (value[k] = slave_text(u->slave, vr[k], 0)) != NULL;
    return result(fine);
}

static bool set_one(Unit *u, unsigned vr, double value) {
    return is_reference(u, vr) && slave_set(u->slave, vr, 0, value);
}

FmiStatus fmi2SetReal(void *c, const unsigned vr[], size_t n, const double value[]) {
    bool fine = true;
    for (size_t k = 0; k < n && fine; k++) fine = set_one(c, vr[k], value[k]);
    return result(fine);
}

FmiStatus fmi2SetInteger(void *c, const unsigned vr[], size_t n, const int value[]) {
    bool fine = true;
    for (size_t k = 0; k < n && fine; k++) fine = set_one(c, vr[k], value[k]);
    return result(fine);
}

FmiStatus fmi2SetBoolean(void *c, const unsigned vr[], size_t n, const int value[]) {
    bool fine = true;
    for (size_t k = 0; k < n && fine; k++) fine = set_one(c, vr[k], value[k] != 0);
    return result(fine);
}

FmiStatus fmi2SetString(void *c, const unsigned vr[], size_t n,
                        const char *const value[]) {
    Unit *u = c;
    for (size_t k = 0; k < n; k++)
        if (!slave_set_text(u->slave, vr[k], 0, value[k])) return FMI_ERROR;
    return FMI_OK;
}

/* ---- states as bytes ---- */

FmiStatus fmi2SetFMUstate(void *c, void *state) {
    Unit *u = c;
    u->terminated = false;
    return result(state && slave_restore(u->slave, state));
}

FmiStatus fmi2DeSerializeFMUstate(void *c, const char bytes[], size_t size,
                                  void **state) {
    (void)c;
    return state_from(bytes, size, state);
}

/* ---- derivatives ---- */

FmiStatus fmi2GetDirectionalDerivative(void *c, const unsigned unknown[], size_t unknowns,
                                       const unsigned known[], size_t knowns,
                                       const double seed[], double out[]) {
    Unit      *u = c;
    Direction *d = mem_take(unknowns + knowns, sizeof *d);
    bool       fine = d != NULL;
    for (size_t k = 0; k < unknowns && fine; k++) {
        d[k].reference = unknown[k];
        fine = is_reference(u, unknown[k]);
    }
    for (size_t k = 0; k < knowns && fine; k++) {
        d[unknowns + k].reference = known[k];
        fine = is_reference(u, known[k]);
    }
    fine = fine && slave_directional(u->slave, d, (int)unknowns, d + unknowns,
                                     (int)knowns, seed, out);
    mem_free(d);
    return result(fine);
}

/* ---- Model Exchange ---- */

FmiStatus fmi2NewDiscreteStates(void *c, Fmi2EventInfo *info) {
    Unit      *u = c;
    SlaveEvent event;
    bool       fine = slave_update(u->slave, &event);
    *info = (Fmi2EventInfo){.terminate = event.terminate,
                            .states = event.states_changed,
                            .has_next = event.has_next,
                            .next = event.has_next ? event.next : 0};
    return result(fine);
}

FmiStatus fmi2CompletedIntegratorStep(void *c, int keep_no_state, int *enter_event_mode,
                                      int *terminate) {
    Unit *u = c;
    bool  ends = false;
    (void)keep_no_state;
    bool fine = slave_completed(u->slave, &ends);
    *enter_event_mode = 0;
    *terminate = ends;
    return result(fine);
}

FmiStatus fmi2GetDerivatives(void *c, double dx[], size_t n) {
    return rates(c, dx, n);
}

/* ---- Co-Simulation ---- */

FmiStatus fmi2SetRealInputDerivatives(void *c, const unsigned vr[], size_t n,
                                      const int order[], const double value[]) {
    (void)vr, (void)order, (void)value;
    return refuse(c, n, "inputs are constant during a step");
}

FmiStatus fmi2GetRealOutputDerivatives(void *c, const unsigned vr[], size_t n,
                                       const int order[], double value[]) {
    (void)vr, (void)order, (void)value;
    return refuse(c, n, "derivatives of outputs are not given");
}

FmiStatus fmi2DoStep(void *c, double t, double h, int keep_no_state) {
    Unit *u = c;
    (void)keep_no_state;
    if (!u->slave->steps) return FMI_ERROR;
    bool fine = slave_step(u->slave, t + h, &u->terminated);
    return u->last = !fine ? FMI_ERROR : u->terminated ? FMI_DISCARD : FMI_OK;
}

FmiStatus fmi2CancelStep(void *c) {
    (void)c;
    return FMI_ERROR; /* no step is ever pending */
}

FmiStatus fmi2GetStatus(void *c, int kind, FmiStatus *value) {
    const Unit *u = c;
    if (kind != FMI2_DO_STEP_STATUS) return FMI_DISCARD;
    *value = u->last;
    return FMI_OK;
}

FmiStatus fmi2GetRealStatus(void *c, int kind, double *value) {
    const Unit *u = c;
    if (kind != FMI2_LAST_TIME) return FMI_DISCARD;
    *value = u->slave->t;
    return FMI_OK;
}

FmiStatus fmi2GetIntegerStatus(void *c, int kind, int *value) {
    (void)c, (void)kind, (void)value;
    return FMI_DISCARD;
}

FmiStatus fmi2GetBooleanStatus(void *c, int kind, int *value) {
    const Unit *u = c;
    if (kind != FMI2_TERMINATED) return FMI_DISCARD;
    *value = u->terminated;
    return FMI_OK;
}

FmiStatus fmi2GetStringStatus(void *c, int kind, const char **value) {
    (void)c;
    if (kind != FMI2_PENDING) return FMI_DISCARD;
    *value = "";
    return FMI_OK;
}
