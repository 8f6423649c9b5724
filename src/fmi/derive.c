/* SPDX-License-Identifier: Apache-2.0 */
/* derive.c -- directional and adjoint derivatives of a slave.
 *
 * If the program was exported with derivatives with respect to everything (live/sense.c) they are exact, of outputs and
 * with respect to inputs, too. Else those of states with respect to states come from the generated code of df/dx,
 * and all else is differenced centrally, with one pair of evaluations for a direction:
 *     d unknown = (u(k + h s) - u(k - h s)) / (2 h),   h = eps^(1/3) max |k| / max |s|. */
#include "fmi/slave.h"

#include "live/sense.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct Derive {
    Slave           *s;
    const Direction *unknown, *known;
    int              unknowns, knowns;
    double          *jacobian;         /* of the pattern, NULL: none asked for */
    double          *plus, *x, *input; /* unknowns; states; knowns */
    int             *var;              /* knowns: variables */
    double          *d;      /* directions of all variables, NULL: not asked for yet */
    bool             sensed; /* all come from there */
} Derive;

static int state_behind(const Slave *s, const Direction *d) {
    const int vars = s->program->variables.vars;
    if (d->reference >= (uint32_t)vars) return -1;
    return program_state(s->program,
                         s->program->reduced.alias[(int)d->reference + d->element]);
}

static int rate_behind(const Slave *s, const Direction *d) {
    const int vars = s->program->variables.vars;
    const int at = (int)d->reference - vars - 1;
    return at >= 0 && d->reference < fmu_indicator_reference(s->program) ? at + d->element
                                                                         : -1;
}

static double known_value(const Derive *d, int k) {
    const int state = state_behind(d->s, &d->known[k]);
    return state >= 0 ? d->s->x[state]
                      : instance_value(&d->s->instance,
                                       (int)d->known[k].reference + d->known[k].element);
}

/* Values of all unknowns with the knowns moved along the seed. exact: states stay, what they do is
 * known. */
static bool moved(Derive *d, const double *seed, double h, bool exact, double *value) {
    Slave *s = d->s;
    for (int k = 0; k < d->knowns; k++) {
        const int state = state_behind(s, &d->known[k]);
        if (state >= 0 && !exact) s->x[state] = d->x[state] + h * seed[k];
        else if (state < 0)
            instance_put(&s->instance, (int)d->known[k].reference + d->known[k].element,
                         d->input[k] + h * seed[k]);
    }
    s->fresh = false;
    bool fine = true;
    for (int u = 0; u < d->unknowns && fine; u++)
        fine = slave_get(s, d->unknown[u].reference, d->unknown[u].element, &value[u]);
    return fine;
}

static void put_back(Derive *d) {
    Slave *s = d->s;
    memcpy(s->x, d->x, (size_t)s->program->states.count * sizeof *s->x);
    for (int k = 0; k < d->knowns; k++)
        if (state_behind(s, &d->known[k]) < 0)
            instance_put(&s->instance, (int)d->known[k].reference + d->known[k].element,
                         d->input[k]);
    s->fresh = false;
}

/* exact: of rates with respect to inputs alone. */
static bool difference(Derive *d, const double *seed, bool exact, double *out) {
    double size = 0, step = 0;
    for (int k = 0; k < d->knowns; k++) {
        bool used = seed[k] != 0 && !(exact && state_behind(d->s, &d->known[k]) >= 0);
        if (used) size = fmax(size, fabs(known_value(d, k)));
        if (used) step = fmax(step, fabs(seed[k]));
    }
    for (int u = 0; u < d->unknowns; u++) out[u] = 0;
    if (step == 0) return true;
    const double h = cbrt(DBL_EPSILON) * fmax(size, 1e-3) / step;
    bool fine = moved(d, seed, h, exact, d->plus) && moved(d, seed, -h, exact, out);
    for (int u = 0; u < d->unknowns; u++) out[u] = (d->plus[u] - out[u]) / (2 * h);
    put_back(d);
    return fine;
}

static const Pattern *pattern_of(const Slave *s) {
    return s->common->full ? s->common->full : &s->common->pattern;
}

static bool find_jacobian(Derive *d) {
    Slave     *s = d->s;
    Fault      fault = fault_none();
    Selection  all = {0};
    Model     *model = &s->instance.model;
    const int *start = pattern_of(s)->start;
    d->jacobian = mem_take((size_t)start[s->program->states.count], sizeof(double));
    if (!d->jacobian) return false;
    s->fresh = false;
    Status status =
        model->fn->jacobian(model->instance, s->t, s->x, &all, d->jacobian, &fault);
    return status == STATUS_OK ? true : slave_failed(s, status, &fault);
}

/* What states do to rates is added. */
static void multiply(const Derive *d, const double *seed, double *rate) {
    const Pattern *p = pattern_of(d->s);
    for (int k = 0; k < d->knowns; k++) {
        const int column = state_behind(d->s, &d->known[k]);
        if (column < 0 || seed[k] == 0) continue;
        for (int e = p->start[column]; e < p->start[column + 1]; e++)
            rate[p->row[e]] += d->jacobian[e] * seed[k];
    }
}

static bool all_rates(const Derive *d) {
    for (int u = 0; u < d->unknowns; u++)
        if (rate_behind(d->s, &d->unknown[u]) < 0) return false;
    return true;
}

static bool any_state(const Derive *d) {
    for (int k = 0; k < d->knowns; k++)
        if (state_behind(d->s, &d->known[k]) >= 0) return true;
    return false;
}

/* Of numbers that the model computes with respect to states and inputs. */
static bool is_sensed(const Derive *d) {
    Slave    *s = d->s;
    const int vars = s->program->variables.vars;
    bool      fine = s->begun && s->program->part[PART_RUN].sense_bytes > 0;
    for (int u = 0; u < d->unknowns && fine; u++)
        fine = rate_behind(s, &d->unknown[u]) >= 0 ||
               d->unknown[u].reference < (uint32_t)vars;
    for (int k = 0; k < d->knowns && fine; k++) {
        const int run = variables_run(&s->program->variables, d->var[k]);
        fine = state_behind(s, &d->known[k]) >= 0 ||
               s->program->variables.run[run].kind == VAR_INPUT;
    }
    return fine && sense_possible(&s->instance);
}

/* Of unknown u in a column. */
static double sensed(const Derive *d, int u, int column) {
    const Direction *unknown = &d->unknown[u];
    const int        rate = rate_behind(d->s, unknown);
    return rate >= 0 ? sense_of_rate(&d->s->instance, d->d, rate, column)
                     : sense_of(&d->s->instance, d->d,
                                (int)unknown->reference + unknown->element, column);
}

static bool open_derive(Derive *d, bool *exact) {
    Slave       *s = d->s;
    const size_t n = (size_t)s->program->states.count;
    if (!slave_ready(s) || !slave_refresh(s)) return false;
    for (int k = 0; k < d->knowns; k++)
        if (d->known[k].reference >= fmu_time_reference(s->program)) {
            slave_complain(s, 3, "derivatives are with respect to states and inputs");
            return false;
        }
    d->plus = mem_take((size_t)d->unknowns + n, sizeof(double));
    d->x = mem_take(n, sizeof(double));
    d->input = mem_take((size_t)d->knowns, sizeof(double));
    d->var = mem_take((size_t)d->knowns, sizeof *d->var);
    if (!d->plus || !d->x || !d->input || !d->var) return false;
    memcpy(d->x, s->x, n * sizeof(double));
    for (int k = 0; k < d->knowns; k++) {
        d->input[k] = known_value(d, k);
        d->var[k] = (int)d->known[k].reference + d->known[k].element;
    }
    d->sensed = is_sensed(d);
    *exact = false;
    if (d->sensed) return true;
    *exact = s->begun && all_rates(d) && any_state(d);
    return !*exact || find_jacobian(d);
}

static void close_derive(Derive *d) {
    MEM_FREE(d->plus, d->x, d->input, d->jacobian, d->var, d->d);
}

/* One direction by directions of everything; false: a block has none here. */
static bool sensed_along(Derive *d, const double *seed, double *out) {
    Slave *s = d->s;
    if (!sense_at(&s->instance, s->t, s->x, d->var, seed, d->knowns, &d->d)) return false;
    for (int u = 0; u < d->unknowns; u++) out[u] = sensed(d, u, 0);
    return true;
}

static bool along(Derive *d, bool exact, const double *seed, double *rate, double *out) {
    if (d->sensed && sensed_along(d, seed, out)) return true;
    if (!difference(d, seed, exact, out)) return false;
    if (!exact) return true;
    memset(rate, 0, (size_t)d->s->program->states.count * sizeof *rate);
    multiply(d, seed, rate);
    for (int u = 0; u < d->unknowns; u++)
        out[u] += rate[rate_behind(d->s, &d->unknown[u])];
    return true;
}

static Derive derive_of(Slave *s, const Direction *unknown, int unknowns,
                        const Direction *known, int knowns) {
    return (Derive){.s = s,
                    .unknown = unknown,
                    .known = known,
                    .unknowns = unknowns,
                    .knowns = knowns};
}

bool slave_directional(Slave *s, const Direction *unknown, int unknowns,
                       const Direction *known, int knowns, const double *seed,
                       double *out) {
    Derive d = derive_of(s, unknown, unknowns, known, knowns);
    bool   exact = false;
    bool   fine = open_derive(&d, &exact) &&
                along(&d, exact, seed, d.plus ? d.plus + unknowns : NULL, out);
    close_derive(&d);
    return fine;
}

bool slave_adjoint(Slave *s, const Direction *unknown, int unknowns,
                   const Direction *known, int knowns, const double *seed, double *out) {
    Derive  d = derive_of(s, unknown, unknowns, known, knowns);
    bool    exact = false;
    double *one = mem_take((size_t)knowns, sizeof *one);
    double *column = mem_take((size_t)unknowns, sizeof *column);
    bool    fine = one && column && open_derive(&d, &exact);
    for (int k = 0; k < knowns && fine; k++) {
        const int place = k % SENSE_WIDTH, left = knowns - k;
        if (d.sensed && place == 0)
            d.sensed = sense_at(&s->instance, s->t, s->x, d.var + k, NULL,
                                left < SENSE_WIDTH ? left : SENSE_WIDTH, &d.d);
        out[k] = 0;
        for (int u = 0; d.sensed && u < unknowns; u++)
            out[k] += seed[u] * sensed(&d, u, place);
        if (d.sensed) continue;
        one[k] = 1;
        fine = along(&d, exact, one, d.plus + unknowns, column);
        one[k] = out[k] = 0;
        for (int u = 0; u < unknowns; u++) out[k] += seed[u] * column[u];
    }
    close_derive(&d);
    mem_free(one);
    mem_free(column);
    return fine;
}
