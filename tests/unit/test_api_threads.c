/* SPDX-License-Identifier: Apache-2.0 */
/* Eight threads translate a model each, then every one simulates all of them: values of all
 * variables, on the way and at the end, are those of one thread, bit for bit. */
#define _POSIX_C_SOURCE 200809L
#include "api_models.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 8, MODELS = 8, LOOKS = 3 };

static const char *const model[MODELS] = {"Ball",    "Object", "Arrays",  "Loop",
                                          "Delayed", "Rates",  "Sampled", "Diode"};

typedef struct Shared {
    RbProgram        *program[MODELS];
    pthread_barrier_t all;
} Shared;

typedef struct Task {
    Shared *shared;
    int     number;
    double *value[MODELS]; /* LOOKS rows of all variables; NULL: it failed */
    char    wrong[600];    /* "": nothing */
} Task;

static RbOptions options_of(int k) {
    return (RbOptions){.rates = strcmp(model[k], "Rates") == 0 ? -1 : 1};
}

/* LOOKS rows of all variables; NULL and why if it fails. */
static double *values(RbProgram *p, int k, char *why, size_t room) {
    RbOptions     options = options_of(k);
    RbInfo        info = rb_info(p);
    RbError       error;
    double       *value = calloc((size_t)LOOKS * (size_t)info.variables, sizeof *value);
    RbSimulation *s = rb_simulation_new(p, &options, &error);
    bool          fine = s && value;
    for (int look = 0; fine && look < LOOKS; look++) {
        fine = rb_step(s, info.stop * (look + 1) / LOOKS, &error) == RB_OK;
        for (int i = 0; fine && i < info.variables; i++)
            value[look * info.variables + i] = rb_get_number(s, i);
    }
    rb_simulation_free(s);
    if (fine) return value;
    snprintf(why, room, "%s: %s", model[k], value ? error.text : "no memory");
    free(value);
    return NULL;
}

static void *work(void *context) {
    Task   *task = context;
    Shared *shared = task->shared;
    RbError error;
    shared->program[task->number] = model_translate(model[task->number], &error);
    if (!shared->program[task->number])
        snprintf(task->wrong, sizeof task->wrong, "%s: %s", model[task->number],
                 error.text);
    pthread_barrier_wait(&shared->all);
    for (int i = 0; i < MODELS && !*task->wrong; i++) {
        int k = (i + task->number) % MODELS;
        if (shared->program[k])
            task->value[k] =
                values(shared->program[k], k, task->wrong, sizeof task->wrong);
    }
    return NULL;
}

/* With a program that is translated and simulated when nobody else does. */
static void compare(const Task *task, int k) {
    char       why[600] = "";
    RbProgram *alone = model_program(model[k]);
    size_t     bytes = sizeof(double) * LOOKS * (size_t)rb_info(alone).variables;
    double    *expected = values(alone, k, why, sizeof why);
    assert_string_equal(why, "");
    for (int i = 0; i < THREADS; i++) {
        if (memcmp(task[i].value[k], expected, bytes) != 0)
            fail_msg("%s differs on thread %d", model[k], i);
        free(task[i].value[k]);
    }
    free(expected);
    rb_program_free(alone);
}

static void eight_threads(void **unused) {
    Shared    shared = {0};
    pthread_t thread[THREADS];
    Task      task[THREADS] = {0};
    (void)unused;
    pthread_barrier_init(&shared.all, NULL, THREADS);
    for (int k = 0; k < THREADS; k++) {
        task[k] = (Task){.shared = &shared, .number = k};
        assert_int_equal(pthread_create(&thread[k], NULL, work, &task[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
    pthread_barrier_destroy(&shared.all);
    for (int k = 0; k < THREADS; k++) assert_string_equal(task[k].wrong, "");
    for (int k = 0; k < MODELS; k++) {
        compare(task, k);
        rb_program_free(shared.program[k]);
    }
}

/* A program outlives its owner as long as a simulation runs on another thread. */
static void *run_alone(void *context) {
    RbSimulation *s = context;
    RbError       error;
    bool          fine = rb_run(s, &error) == RB_OK;
    rb_simulation_free(s);
    return fine ? context : NULL;
}

static void last_user(void **unused) {
    (void)unused;
    RbProgram    *p = model_program("Ball");
    RbSimulation *a = model_simulation(p, NULL), *b = model_simulation(p, NULL);
    pthread_t     thread[2];
    void         *fine[2];
    assert_int_equal(pthread_create(&thread[0], NULL, run_alone, a), 0);
    assert_int_equal(pthread_create(&thread[1], NULL, run_alone, b), 0);
    rb_program_free(p);
    for (int k = 0; k < 2; k++) pthread_join(thread[k], &fine[k]);
    assert_true(fine[0] && fine[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(eight_threads),
                                       cmocka_unit_test(last_user)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
