/* SPDX-License-Identifier: Apache-2.0 */
/* test_rate_threads.c -- clusters with events on threads: the same bits as on one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rate/rate.h"
#include "unit.h"

/* A row of units of four states: a cell with a two-point heater, two cells that lead to the next
 * unit, and a sawtooth, which jumps back at one and counts. Heater and counter are discrete. */
enum {
    UNITS = 16,
    OWN = 4,
    STATES = OWN * UNITS,
    CROSSINGS = 2 * UNITS,
    LOG = 20000,
    THREADS = 4
};
enum { HEATED, NEAR, FAR, SAW };

typedef struct Row {
    int         start[STATES + 1], row[STATES * 5];
    int         reads_start[STATES + 1], reads[CROSSINGS];
    int         changes_start[CROSSINGS + 1], changes[2 * CROSSINGS];
    Pattern     pattern, reads_pattern, changes_pattern;
    double      x0[STATES];
    double      value[2 * UNITS]; /* heaters, counts */
    double      couple;           /* between units */
    double      fatal_after;      /* a sawtooth that jumps later is fatal */
    bool        chatters;         /* the last heater has no hysteresis */
    unsigned    seed;             /* of partitions */
    Journal     journal;
    Model       model;
    struct Row *original; /* NULL: it is */
    long        events_of_twins;
} Row;

static double unit_speed(int k) {
    return 1.0 + 0.17 * (k % 5) + 0.03 * k;
}

static Status row_eval(void *instance, double t, const double *x, const Selection *rows,
                       double *dx, Fault *fault) {
    const Row *r = instance;
    (void)fault;
    for (int q = 0, n = selection_count(rows, STATES); q < n; q++) {
        const int     i = selection_row(rows, q), k = i / OWN;
        const double *u = x + (size_t)k * OWN;
        switch (i % OWN) {
        case HEATED:
            dx[i] = 0.12 * (290.0 + sin(0.1 * t) - u[HEATED]) +
                    0.05 * (u[NEAR] - u[HEATED]) + r->value[k] * (3.0 * unit_speed(k)) +
                    0.2 * u[SAW];
            if (k > 0) dx[i] += r->couple * (u[FAR - OWN] - u[HEATED]);
            break;
        case NEAR:
            dx[i] = 0.05 * (u[HEATED] - u[NEAR]) + 0.02 * (u[FAR] - u[NEAR]) +
                    0.1 * fmod(r->value[UNITS + k], 3.0);
            break;
        case FAR:
            dx[i] = 0.02 * (u[NEAR] - u[FAR]) + 0.05 * (290.0 - u[FAR]);
            if (k + 1 < UNITS) dx[i] += r->couple * (u[OWN + HEATED] - u[FAR]);
            break;
        default: dx[i] = 0.4 * unit_speed(k) + 1e-3 * (u[HEATED] - 300.0);
        }
    }
    return STATUS_OK;
}

static Status row_crossings(void *instance, double t, const double *x,
                            const Selection *which, double *z, Fault *fault) {
    const Row *r = instance;
    (void)t, (void)fault;
    for (int q = 0, n = selection_count(which, CROSSINGS); q < n; q++) {
        const int    c = selection_row(which, q), k = c / 2;
        const double heated = x[k * OWN + HEATED];
        const double gap = r->chatters && k == UNITS - 1 ? 0.0 : 1.0;
        if (c % 2) z[c] = x[k * OWN + SAW] - 1.0;
        else z[c] = r->value[k] > 0.5 ? heated - 300.0 - gap : 300.0 - gap - heated;
    }
    return STATUS_OK;
}

static Status row_event(void *instance, double t, double *x, EventKind kind,
                        const Selection *which, bool *again, Fault *fault) {
    Row *r = instance;
    (void)kind;
    *again = false;
    for (int q = 0, n = selection_count(which, CROSSINGS); q < n; q++) {
        const int c = selection_row(which, q), k = c / 2;
        double   *at = &r->value[c % 2 ? UNITS + k : k];
        if (c % 2 && t > r->fatal_after) {
            fault->what = "too late";
            fault->relation = c;
            return STATUS_FATAL;
        }
        if (c % 2) x[k * OWN + SAW] = 0.0;
        assert_true(journal_set(&r->journal, at, c % 2 ? *at + 1.0 : 1.0 - *at, t));
    }
    if (r->original) r->events_of_twins++;
    return STATUS_OK;
}

static Journal *row_journal(void *instance) {
    Row *r = instance;
    return &r->journal;
}
static void *row_twin(void *instance, void *twin) {
    const Row *r = instance;
    Row       *t = twin ? twin : malloc(sizeof *t);
    if (!t) return NULL;
    if (!twin) {
        *t = *r;
        t->original = instance;
        t->journal = (Journal){.value = t->value};
    }
    memcpy(t->value, r->value, sizeof t->value);
    return t;
}
static void row_twin_free(void *twin) {
    Row *t = twin;
    t->original->events_of_twins += t->events_of_twins;
    journal_free(&t->journal);
    free(t);
}

/* Column j of the pattern: the rows that read state j, ascending. */
static void row_pattern(Row *r) {
    int q = 0;
    for (int j = 0; j < STATES; j++) {
        const int k = j / OWN, at = k * OWN;
        r->start[j] = q;
        if (j % OWN == HEATED && k > 0) r->row[q++] = at - OWN + FAR;
        if (j % OWN != FAR) r->row[q++] = at + HEATED;
        if (j % OWN != SAW) r->row[q++] = at + NEAR;
        if (j % OWN == NEAR || j % OWN == FAR) r->row[q++] = at + FAR;
        if (j % OWN == HEATED || j % OWN == SAW) r->row[q++] = at + SAW;
        if (j % OWN == FAR && k + 1 < UNITS) r->row[q++] = at + OWN + HEATED;
    }
    r->start[STATES] = q;
    r->pattern = (Pattern){STATES, STATES, r->start, r->row};
}

static void row_make(Row *r) {
    static const ModelFunctions fn = {.eval = row_eval,
                                      .crossings = row_crossings,
                                      .event = row_event,
                                      .journal = row_journal,
                                      .twin = row_twin,
                                      .twin_free = row_twin_free};
    int                         q = 0;
    journal_free(&r->journal);
    *r = (Row){.journal.value = r->value, .couple = 0.002, .fatal_after = HUGE_VAL};
    row_pattern(r);
    for (int j = 0; j < STATES; j++) {
        const int k = j / OWN;
        r->reads_start[j] = q;
        if (j % OWN == HEATED) r->reads[q++] = 2 * k;
        if (j % OWN == SAW) r->reads[q++] = 2 * k + 1;
        r->x0[j] = j % OWN == SAW ? fmod(0.37 * k, 1.0) : j % OWN == HEATED ? 299.5 : 294;
    }
    r->reads_start[STATES] = q;
    q = 0;
    for (int c = 0; c < CROSSINGS; c++) {
        r->changes_start[c] = q;
        if (c % 2 == 0) r->changes[q++] = c / 2 * OWN + HEATED;
        else r->changes[q++] = c / 2 * OWN + NEAR, r->changes[q++] = c / 2 * OWN + SAW;
    }
    r->changes_start[CROSSINGS] = q;
    for (int k = 0; k < UNITS; k++) r->value[k] = k % 2;
    r->reads_pattern = (Pattern){CROSSINGS, STATES, r->reads_start, r->reads};
    r->changes_pattern = (Pattern){STATES, CROSSINGS, r->changes_start, r->changes};
    r->model = (Model){.nx = STATES,
                       .nz = CROSSINGS,
                       .pattern = &r->pattern,
                       .reads = &r->reads_pattern,
                       .changes = &r->changes_pattern,
                       .fn = &fn,
                       .instance = r};
}

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct Log { /* everything that a run tells, to compare bit by bit */
    double         number[LOG];
    int            count, events, steps;
    double         x[STATES], inside[STATES], value[2 * UNITS];
    RateStatistics stats;
    Status         status;
    Fault          fault;
    long           elsewhere; /* events of other runs on other threads */
    unsigned       seed;      /* of at_random */
} Log;

static void put(Log *log, double number) {
    log->number[log->count % LOG] += number * (1 + log->count / LOG);
    log->count++;
}
static void on_event(void *owner, double t, const Selection *which) {
    Log *log = owner;
    put(log, t), put(log, selection_row(which, 0));
    log->events++;
}
static void on_step(void *owner, const RateTrace *step) {
    Log *log = owner;
    put(log, step->t), put(log, step->h), put(log, step->level), put(log, step->count);
    for (int k = 0; step->state && k < step->count; k++) put(log, step->state[k]);
    log->steps++;
}

/* A function of its arguments, so that it may be asked on any thread. */
static void at_random(void *owner, int level, double t, int n, const int *state,
                      unsigned char *fast) {
    const Log     *log = owner;
    const uint64_t moment =
        (uint64_t)(t * 8.0) * 64 + (uint64_t)level + 77777ull * log->seed;
    for (int k = 0; k < n; k++)
        fast[k] = hash_mix(moment * 1000 + (uint64_t)state[k]) % (2 + log->seed % 4) == 0;
}

static void run_to(Row *row, RateOptions o, double end, Log *log) {
    *log = (Log){.seed = row->seed};
    o.trace = on_step;
    o.event = on_event;
    o.owner = log;
    o.grain = 1e-9;
    Rate *r = rate_new(&row->model, &o, 0.0, row->x0, &log->status);
    assert_non_null(r);
    log->status = rate_advance(r, end, true);
    log->fault = *rate_fault(r);
    memcpy(log->x, rate_state(r), sizeof log->x);
    rate_dense(r, 0.5 * (rate_time(r) + rate_time_last(r)), log->inside);
    memcpy(log->value, row->value, sizeof log->value);
    log->stats = rate_statistics(r);
    rate_free(r);
}

static void same_work(RateStatistics a, RateStatistics b) {
    a.selections = b.selections,
    a.derived = b.derived; /* every thread has its own cache */
    a.visits = b.visits, a.cache_hits = b.cache_hits;
    assert_memory_equal(&a, &b, sizeof a);
}

static void same_log(const Log *a, const Log *b) {
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->number, b->number, sizeof a->number);
    assert_memory_equal(a->x, b->x, sizeof a->x);
    assert_memory_equal(a->inside, b->inside, sizeof a->inside);
    assert_memory_equal(a->value, b->value, sizeof a->value);
    same_work(a->stats, b->stats);
}

/* On one to four threads; the log of one. */
static const Log *compare_threads(Row *row, void (*change)(Row *row), RateOptions o,
                                  double end) {
    static Log one, many;
    long       elsewhere = 0; /* events that another thread lived through */
    for (int threads = 1; threads <= THREADS; threads++) {
        o.threads = threads;
        row_make(row);
        change(row);
        run_to(row, o, end, threads == 1 ? &one : &many);
        if (threads > 1) same_log(&one, &many);
        elsewhere += row->events_of_twins;
    }
    one.elsewhere = elsewhere;
    return &one;
}

static void as_it_is(Row *row) {
    (void)row;
}

static RateOptions options(int rates, double tolerance, const char *method) {
    RateOptions o = {.rates = rates};
    o.ode.method = method;
    o.ode.rtol = o.ode.atol = tolerance;
    return o;
}

static void clusters_with_events(void **state) {
    static const char *const method[] = {"rodas4", "esdirk4", "radauIIA3", "tsit5"};
    Row                     *row = calloc(1, sizeof *row);
    long                     elsewhere = 0;
    (void)state;
    assert_non_null(row);
    for (int m = 0; m < LENGTH(method); m++)
        for (int rates = 0; rates <= 3; rates++) {
            if (rates == 1) continue;
            const Log *log =
                compare_threads(row, as_it_is, options(rates, 1e-6, method[m]), 6.0);
            assert_int_equal(log->status, STATUS_OK);
            assert_true(log->events > 60);
            assert_true(rates == 0 || log->stats.clusters > 50); /* auto: if they pay */
            elsewhere += log->elsewhere;
        }
    assert_true(elsewhere > 0);
    journal_free(&row->journal);
    free(row);
}

/* A stronger coupling makes clusters take the cells between them, and meet. */
static void couple_strongly(Row *row) {
    row->couple = 0.2;
}
static void clusters_that_meet(void **state) {
    Row *row = calloc(1, sizeof *row);
    (void)state;
    assert_non_null(row);
    for (int rates = 2; rates <= 3; rates++) {
        const Log *log =
            compare_threads(row, couple_strongly, options(rates, 1e-7, "rodas4"), 4.0);
        assert_int_equal(log->status, STATUS_OK);
        assert_true(log->stats.joined > 0);
        assert_true(log->stats.redone > 0);
    }
    journal_free(&row->journal);
    free(row);
}

/* Some of them leave nothing to judge in a step: all states are fast or concerned by events. */
static const struct Forced {
    double      couple, tolerance;
    const char *method;
    int         rates;
    unsigned    seed;
} forced[] = {{0.002, 1e-6, "rodas4", 2, 1},
              {0.002, 1e-6, "rodas4", 3, 1},
              {0.0321433, 5.68076e-5, "tsit5", 4, 2973701229u},
              {0.0045, 5e-4, "esdirk3", 4, 5},
              {0.2, 1e-5, "esdirk4", 3, 2},
              {0.2, 1e-4, "radauIIA3", 2, 3},
              {0.03, 1e-7, "rodas5p", 3, 4}};

static const struct Forced *now_forced;
static void                 force(Row *row) {
                    row->couple = now_forced->couple;
                    row->seed = now_forced->seed;
}

static void random_partitions(void **state) {
    Row *row = calloc(1, sizeof *row);
    (void)state;
    assert_non_null(row);
    for (int k = 0; k < LENGTH(forced); k++) {
        static Log  alone;
        RateOptions o = options(forced[k].rates, forced[k].tolerance, forced[k].method);
        now_forced = &forced[k];
        row_make(row);
        force(row);
        run_to(row, options(1, 1e-9, "rodas4"), 3.0, &alone);
        o.partition = at_random;
        const Log *log = compare_threads(row, force, o, 3.0);
        assert_int_equal(log->status, STATUS_OK);
        assert_int_equal(log->events, alone.events);
        for (int i = 0; i < STATES; i++)
            assert_true(fabs(log->x[i] - alone.x[i]) < 300.0 * forced[k].tolerance);
    }
    journal_free(&row->journal);
    free(row);
}

/* Which event ends the run does not depend on who found it first. */
static void give_up_late(Row *row) {
    row->fatal_after = 2.0;
}
static void fatal_events(void **state) {
    Row *row = calloc(1, sizeof *row);
    (void)state;
    assert_non_null(row);
    for (int rates = 2; rates <= 3; rates++) {
        static Log one, many;
        for (int threads = 1; threads <= THREADS; threads++) {
            RateOptions o = options(rates, 1e-6, "rodas4");
            Log        *log = threads == 1 ? &one : &many;
            o.threads = threads;
            row_make(row);
            give_up_late(row);
            run_to(row, o, 6.0, log);
            assert_int_equal(log->status, STATUS_FATAL);
            assert_string_equal(log->fault.what, "too late");
            assert_true(log->fault.time > 2.0 && log->fault.time < 3.0);
            assert_true(log->fault.time == one.fault.time);
            assert_int_equal(log->fault.relation, one.fault.relation);
        }
    }
    journal_free(&row->journal);
    free(row);
}

static void chatter(Row *row) {
    row->chatters = true;
}
static void chattering(void **state) {
    Row *row = calloc(1, sizeof *row);
    (void)state;
    assert_non_null(row);
    static Log one, many;
    for (int threads = 1; threads <= THREADS; threads++) {
        RateOptions o = options(2, 1e-6, "rodas4");
        Log        *log = threads == 1 ? &one : &many;
        o.threads = threads;
        row_make(row);
        chatter(row);
        run_to(row, o, 6.0, log);
        assert_int_equal(log->status, STATUS_CHATTERING);
        assert_int_equal(log->fault.relation, CROSSINGS - 2);
        assert_true(log->fault.time == one.fault.time);
    }
    journal_free(&row->journal);
    free(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_with_events), cmocka_unit_test(clusters_that_meet),
        cmocka_unit_test(random_partitions),    cmocka_unit_test(fatal_events),
        cmocka_unit_test(chattering),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
