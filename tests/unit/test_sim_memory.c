/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_memory.c -- the runtime when memory runs out: a status, and nothing is lost.
 *
 * Every allocation of a job fails once, the first, the second and so on. The job must come back
 * without a crash, say that there was no memory, and have released everything it took. The allocator of the C library is replaced in this program; under sanitizers, which
 * bring their own, nothing is tested. */
#include <stdlib.h>

#include "init/init.h"
#include "rate_models.h"
#include "sim/sim.h"
#include "unit.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define REPLACED 0
#else
#define REPLACED 1
#endif

typedef struct Heap { /* what the allocator does while a job runs */
    bool watched;
    long asked; /* allocations so far      */
    long fails; /* number of the one to fail, 0: none */
    long taken; /* blocks not yet released */
} Heap;

static Heap heap;

#if REPLACED
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void  __libc_free(void *block);

static bool refuse(void) {
    return heap.watched && ++heap.asked == heap.fails;
}
static void *note(void *block) {
    heap.taken += heap.watched && block;
    return block;
}

void *malloc(size_t bytes) {
    return refuse() ? NULL : note(__libc_malloc(bytes));
}
void *calloc(size_t n, size_t bytes) {
    return refuse() ? NULL : note(__libc_calloc(n, bytes));
}
void *realloc(void *block, size_t bytes) {
    if (refuse()) return NULL;
    void *result = __libc_realloc(block, bytes);
    if (!block) note(result);
    return result;
}
void free(void *block) {
    heap.taken -= heap.watched && block;
    __libc_free(block);
}
#endif

/* ---- jobs: each returns a status ---------------------------------------------------------- */

enum { CELLS = 30, HEATED = 6 };

typedef struct
    Rod { /* cells of which some have two-point heaters; see test_rate_event.c */
    int     start[CELLS + 1], row[3 * CELLS], reads[CELLS + 1], changes[HEATED + 1];
    int     one[HEATED];
    double  x0[CELLS], on[HEATED];
    Pattern pattern, reads_pattern, changes_pattern;
    Model   model;
    Journal journal;
} Rod;

static Status rod_eval(void *instance, double t, const double *x, const Selection *rows,
                       double *dx, Fault *fault) {
    const Rod *r = instance;
    (void)t, (void)fault;
    for (int k = 0, n = selection_count(rows, CELLS); k < n; k++) {
        const int i = selection_row(rows, k);
        dx[i] = 0.12 * (290.0 - x[i]);
        if (i > 0) dx[i] += 0.02 * (x[i - 1] - x[i]);
        if (i < CELLS - 1) dx[i] += 0.02 * (x[i + 1] - x[i]);
        if (i < HEATED) dx[i] += r->on[i] * (3.0 + 0.3 * i);
    }
    return STATUS_OK;
}
static Status rod_crossings(void *instance, double t, const double *x,
                            const Selection *which, double *z, Fault *fault) {
    const Rod *r = instance;
    (void)t, (void)fault;
    for (int k = 0, n = selection_count(which, HEATED); k < n; k++) {
        const int i = selection_row(which, k);
        z[i] = r->on[i] > 0.5 ? x[i] - 301.0 : 299.0 - x[i];
    }
    return STATUS_OK;
}
static Status rod_event(void *instance, double t, double *x, EventKind kind,
                        const Selection *which, bool *again, Fault *fault) {
    Rod *r = instance;
    *again = false;
    if (kind != EVENT_STATE) return STATUS_OK;
    for (int k = 0, n = selection_count(which, HEATED); k < n; k++) {
        const int       i = selection_row(which, k);
        const Selection one = {SELECT_RANGE, i, 1, NULL};
        double          z[HEATED];
        rod_crossings(r, t, x, &one, z, fault);
        if (z[i] > -1e-9 && !journal_set(&r->journal, &r->on[i], 1.0 - r->on[i], t))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}
static Journal *rod_journal(void *instance) {
    Rod *r = instance;
    return &r->journal;
}

static void rod_make(Rod *r) {
    static const ModelFunctions fn = {.eval = rod_eval,
                                      .crossings = rod_crossings,
                                      .event = rod_event,
                                      .journal = rod_journal};
    int                         q = 0;
    *r = (Rod){.journal.value = r->on};
    for (int j = 0; j < CELLS; j++) {
        r->start[j] = q;
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < CELLS) r->row[q++] = i;
        r->x0[j] = j < HEATED ? 299.2 + 0.2 * j : 292.0;
        r->reads[j] = j < HEATED ? j : HEATED;
    }
    r->start[CELLS] = q;
    r->reads[CELLS] = HEATED;
    for (int k = 0; k < HEATED; k++) r->one[k] = r->changes[k] = k, r->on[k] = k % 2;
    r->changes[HEATED] = HEATED;
    r->pattern = (Pattern){CELLS, CELLS, r->start, r->row};
    r->reads_pattern = (Pattern){HEATED, CELLS, r->reads, r->one};
    r->changes_pattern = (Pattern){CELLS, HEATED, r->changes, r->one};
    r->model = (Model){.nx = CELLS,
                       .nz = HEATED,
                       .pattern = &r->pattern,
                       .reads = &r->reads_pattern,
                       .changes = &r->changes_pattern,
                       .fn = &fn,
                       .instance = r};
}

/* Several rates with events by cone. */
static Status levels_with_events(void) {
    static Rod  rod;
    Status      status;
    RateOptions o = {.rates = 3};
    o.ode.method = "rodas4";
    rod_make(&rod);
    Rate *r = rate_new(&rod.model, &o, 0.0, rod.x0, &status);
    if (r) status = rate_advance(r, 3.0, true);
    rate_free(r);
    journal_free(&rod.journal);
    return status;
}

static Status whole_simulation(void) {
    static Rod       rod;
    double           x[CELLS];
    const SimOptions o = {.stop = 1.0, .interval = 0.1, .ode.method = "tsit5"};
    rod_make(&rod);
    memcpy(x, rod.x0, sizeof x);
    const SimOutcome outcome = simulate(&rod.model, &o, x);
    journal_free(&rod.journal);
    return outcome.status;
}

/* A chain; with a sparse matrix KLU allocates while it runs. */
static Status integrate(const char *name) {
    static Chain chain;
    View         view;
    OdeOptions   o = {.method = name, .rtol = 1e-4, .linear = SHIFT_SPARSE};
    chain_make(&chain);
    Status status = view_init(&view, &chain.model, NULL);
    if (status != STATUS_OK) return status;
    Ode *ode = ode_new(&view, &o, 0.0, chain.x0, &status);
    if (ode) status = ode_advance(ode, 1.5, true);
    ode_free(ode);
    view_free(&view);
    return status;
}

static Status methods(void) {
    const Status status = integrate("auto");
    return status == STATUS_OK ? integrate("radauIIA3") : status;
}

static Status singular(void *owner, const double *u, double lambda, double *r,
                       Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    r[0] = u[0] + u[1] - 3;
    r[1] = 2 * u[0] + 2 * u[1] - 6;
    return STATUS_OK;
}
static Status far_away(void *owner, const double *u, double lambda, double *r,
                       Fault *fault) {
    (void)owner, (void)fault;
    if (lambda == 1 && u[0] < 0) return STATUS_RETRY;
    r[0] = lambda * (u[0] * u[0] - 9) + (1 - lambda) * (u[0] - 2);
    r[1] = u[1] * u[1] * u[1] - u[0];
    return STATUS_OK;
}
static Status impossible(void *owner, const double *u, double lambda, double *r,
                         Fault *fault) {
    (void)owner, (void)lambda, (void)fault;
    r[0] = u[0] - u[1];
    r[1] = 100 * (u[0] * u[0] + u[1] * u[1] + 1);
    return STATUS_OK;
}

static Status solve(Status (*residual)(void *, const double *, double, double *,
                                       Fault *)) {
    double      u[2] = {-1, 1};
    SolveReport report;
    Equations   e = {.n = 2, .residual = residual, .homotopy = true};
    Solver     *s = solver_new(&e);
    if (!s) return STATUS_NO_MEMORY;
    const Status status = solver_solve(s, 1e-8, u, &report);
    solver_free(s);
    return status;
}
static Status equations(void) {
    Status status = solve(singular);
    if (status == STATUS_OK) status = solve(far_away);
    if (status != STATUS_OK) return status;
    status = solve(impossible); /* every rung is tried */
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* ---- the test ------------------------------------------------------------------------------- */

static void try_each(Status (*job)(void)) {
    heap = (Heap){0};
    assert_int_equal(job(), STATUS_OK); /* libraries keep what they take the first time */
    for (long k = 1;; k += 1 + k / 40) {
        heap = (Heap){.watched = REPLACED, .fails = k};
        const Status status = job();
        heap.watched = false;
        const bool reached = heap.asked >= k;
        if (heap.taken != 0) print_error("allocation %ld: %ld lost\n", k, heap.taken);
        assert_int_equal(heap.taken, 0);
        if (!reached) {
            assert_int_equal(status, STATUS_OK);
            return;
        }
        if (status != STATUS_NO_MEMORY)
            print_error("allocation %ld: %s\n", k, status_text(status));
        assert_int_equal(status, STATUS_NO_MEMORY);
    }
}

static void levels(void **state) {
    (void)state;
    try_each(levels_with_events);
}
static void simulation(void **state) {
    (void)state;
    try_each(whole_simulation);
}
static void method(void **state) {
    (void)state;
    try_each(methods);
}
static void solver(void **state) {
    (void)state;
    try_each(equations);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(method),
        cmocka_unit_test(solver),
        cmocka_unit_test(levels),
        cmocka_unit_test(simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
