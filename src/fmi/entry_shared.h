/* SPDX-License-Identifier: Apache-2.0 */
/* entry_shared.h -- private to fmi: entry points that FMI 2.0 and 3.0 have in common.
 *
 * entry2.c and entry3.c include it once each (so it has no guard), after their Unit, the type Byte, and
 * the macros FMI(name) and FMI_STATE(verb, rest) that give names their version; 2.0 writes FMUstate, 3.0
 * FMUState. Where a name differs otherwise, a static function here is what both entry points call. */

static FmiStatus result(bool fine) {
    return fine ? FMI_OK : FMI_ERROR;
}

/* The code of the model, where it was built together with this. */
#ifdef RUBATO_BUILT
extern const BuiltText        RUBATO_BUILT[];
static const BuiltText *const built = RUBATO_BUILT;
#else
static const BuiltText *const built = NULL;
#endif

/* ---- life ---- */

FmiStatus FMI(ExitInitializationMode)(void *c) {
    Unit *u = c;
    return result(u->slave->phase == PHASE_STARTING && slave_initialise(u->slave));
}

FmiStatus FMI(EnterEventMode)(void *c) {
    Unit *u = c;
    return result(u->slave->phase == PHASE_RUNNING);
}

FmiStatus FMI(Terminate)(void *c) {
    Unit *u = c;
    slave_end_steps(u->slave);
    return FMI_OK;
}

/* What cannot be done for any of n references. */
static FmiStatus refuse(Unit *u, size_t n, const char *why) {
    if (n) slave_complain(u->slave, FMI_ERROR, "%s", why);
    return n ? FMI_ERROR : FMI_OK;
}

/* ---- states as bytes ---- */

FmiStatus FMI_STATE(Get, )(void *c, void **state) {
    Unit *u = c;
    mem_free(*state);
    *state = slave_save(u->slave);
    return result(*state != NULL);
}

FmiStatus FMI_STATE(Free, )(void *c, void **state) {
    (void)c;
    if (state) mem_free(*state);
    if (state) *state = NULL;
    return FMI_OK;
}

FmiStatus FMI_STATE(Serialized, Size)(void *c, void *state, size_t *bytes) {
    (void)c;
    *bytes = ((const SlaveState *)state)->count;
    return FMI_OK;
}

FmiStatus FMI_STATE(Serialize, )(void *c, void *state, Byte bytes[], size_t size) {
    const SlaveState *s = state;
    (void)c;
    if (size < s->count) return FMI_ERROR;
    memcpy(bytes, s->bytes, s->count);
    return FMI_OK;
}

static FmiStatus state_from(const void *bytes, size_t size, void **state) {
    *state = slave_state_of(bytes, size);
    return result(*state != NULL);
}

/* ---- Model Exchange ---- */

FmiStatus FMI(EnterContinuousTimeMode)(void *c) {
    Unit *u = c;
    return result(u->slave->phase == PHASE_RUNNING && u->slave->begun);
}

FmiStatus FMI(SetTime)(void *c, double time) {
    Unit *u = c;
    slave_set_time(u->slave, time);
    return FMI_OK;
}

static bool is_size(const Unit *u, size_t n) {
    return n == (size_t)u->slave->program->states.count;
}

FmiStatus FMI(SetContinuousStates)(void *c, const double x[], size_t n) {
    Unit *u = c;
    if (!is_size(u, n)) return FMI_ERROR;
    slave_set_states(u->slave, x);
    return FMI_OK;
}

FmiStatus FMI(GetContinuousStates)(void *c, double x[], size_t n) {
    Unit *u = c;
    if (!is_size(u, n) || !slave_ready(u->slave)) return FMI_ERROR;
    if (n) memcpy(x, u->slave->x, n * sizeof *x);
    return FMI_OK;
}

FmiStatus FMI(GetNominalsOfContinuousStates)(void *c, double nominal[], size_t n) {
    Unit *u = c;
    if (!is_size(u, n)) return FMI_ERROR;
    if (n) memcpy(nominal, u->slave->common->nominal, n * sizeof *nominal);
    return FMI_OK;
}

static FmiStatus rates(Unit *u, double dx[], size_t n) {
    return is_size(u, n) && slave_rates(u->slave, dx) ? FMI_OK : FMI_DISCARD;
}

static size_t indicator_count(const Unit *u) {
    return (size_t)u->slave->program->part[PART_RUN].relations;
}

FmiStatus FMI(GetEventIndicators)(void *c, double z[], size_t n) {
    Unit *u = c;
    if (n == 0) return FMI_OK;
    return n == indicator_count(u) && slave_indicators(u->slave, z) ? FMI_OK
                                                                    : FMI_DISCARD;
}
