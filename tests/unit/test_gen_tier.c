/* SPDX-License-Identifier: Apache-2.0 */
/* test_gen_tier.c -- code that is replaced while it runs, and the cache it comes from. */
#define _POSIX_C_SOURCE 200809L
#include "running.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char        cache[64];
static CodeOptions options;

/* Code of the program, and an instance that runs it. */
static void open_code(void) {
    Text why = {0};
    common = common_new(program, &options, &why);
    assert_non_null(common);
    assert_true(instance_open(&instance, common));
}

static void close_code(void) {
    instance_free(&instance);
    common_free(common);
    common = NULL;
}

static Binary *code(void) {
    return common->binary[PART_RUN];
}

static const char *text(void) {
    return program->part[PART_RUN].text;
}

static int begin_tier(void **state) {
    strcpy(cache, "/tmp/rubato-tier-XXXXXX");
    assert_non_null(mkdtemp(cache));
    options = (CodeOptions){.tier = -1, .cache = cache};
    begin(state);
    flat_reals(&m, "x y z");
    flat_equation(&m, "der(x) = sin(x) + y*time");
    flat_equation(&m, "y + z^3 = x");
    flat_equation(&m, "z - x*y = 0.1");
    make_plan(false);
    make_program(true);
    open_code();
    return 0;
}

static int files(bool delete) {
    DIR           *dir = opendir(cache);
    struct dirent *entry;
    int            n = 0;
    while (dir && (entry = readdir(dir))) {
        char path[400];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
        n++;
        if (delete) unlink(path);
    }
    if (dir) closedir(dir);
    return n;
}

static int end_tier(void **state) {
    end(state);
    files(true);
    rmdir(cache);
    return 0;
}

static double slope_of(Instance *i) {
    Fault     fault = fault_none();
    Selection all = {0};
    double    x = 0.7, dx;
    assert_int_equal(i->model.fn->eval(i, 0.4, &x, &all, &dx, &fault), STATUS_OK);
    return dx;
}

static double slope(void) {
    return slope_of(&instance);
}

static double derivative(void) {
    Fault     fault = fault_none();
    Selection all = {0};
    double    x = 0.7, value;
    assert_int_equal(
        instance.model.fn->jacobian(&instance, 0.4, &x, &all, &value, &fault), STATUS_OK);
    return value;
}

/* Steps of a run that has lasted so long, until there is optimised code. */
static void wait_for(const Image *(*image)(void)) {
    for (int i = 0; i < 3000 && image()->tier == 0; i++) {
        binary_improve(code(), 2);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    assert_int_equal(image()->tier, 1);
}

static const Image *model_image(void) {
    return binary_image(code());
}

static const Image *tangent_image(void) {
    return binary_tangents(code());
}

static void code_gets_better(void **state) {
    (void)state;
    double before = slope(), rate = derivative();
    assert_int_equal(model_image()->tier, 0); /* the cache is empty */
    wait_for(model_image);
    assert_true(slope() == before); /* the same numbers to the last bit */
    assert_ptr_equal(instance.run.image, model_image());
    wait_for(tangent_image); /* the derivatives */
    assert_true(derivative() == rate);
    binary_improve(code(), 3);
    assert_int_equal(files(false), 2); /* nothing but the results is left */
}

/* What somebody runs stays loaded. */
static void old_code_still_runs(void **state) {
    (void)state;
    const Image *old = model_image();
    double       before = slope();
    wait_for(model_image);
    assert_ptr_not_equal(old, model_image());
    assert_ptr_equal(model_image()->before, old);
    instance.run.rb.x = (double[]){0.7};
    instance.run.rb.dx = instance.dx;
    instance.run.rb.time = 0.4;
    assert_int_equal(old->rates(&instance.run.rb), 0);
    assert_true(instance_rate(&instance, 0, instance.run.rb.x) == before);
}

static void short_runs_start_no_compiler(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) binary_improve(code(), 0.09 * i);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child was started */
    assert_int_equal(files(false), 0);
    close_code();
    options.tier = 0;
    open_code();
    binary_improve(code(), 100);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(model_image()->tier, 0);
}

static void cached_code_is_taken_at_once(void **state) {
    (void)state;
    double before = slope();
    Native native = {0};
    Text   why = {0};
    assert_true(native_begin(&native, text(), &options, &why));
    assert_int_equal(native_poll(&native, true), NATIVE_READY);
    native_end(&native);
    close_code();
    open_code();
    assert_int_equal(model_image()->tier, 1);
    assert_true(slope() == before);
}

/* Two at the same time write the same file; both end with it. */
static void runs_at_the_same_time(void **state) {
    (void)state;
    Native a = {0}, b = {0};
    Text   why = {0};
    Image  one, other;
    assert_true(native_begin(&a, text(), &options, &why));
    assert_true(native_begin(&b, text(), &options, &why));
    assert_int_equal(native_poll(&a, true), NATIVE_READY);
    assert_true(native_load(&a, &one, &why));
    assert_int_equal(native_poll(&b, true), NATIVE_READY);
    assert_true(native_load(&b, &other, &why));
    assert_int_equal(files(false), 1);
    native_end(&a);
    native_end(&b);
    image_close(&one);
    image_close(&other);
}

/* ---- threads ---- */

enum { THREADS = 8 };

typedef struct Worker {
    pthread_t          thread;
    pthread_barrier_t *together;
    const Image       *tangents;
    double             slope;
    bool               same; /* every evaluation gave the same bits */
} Worker;

static void *ask(void *context) {
    Worker *w = context;
    pthread_barrier_wait(w->together);
    w->tangents = binary_tangents(code());
    return NULL;
}

static void on_threads(Worker *worker, void *(*job)(void *)) {
    pthread_barrier_t together;
    pthread_barrier_init(&together, NULL, THREADS);
    for (int k = 0; k < THREADS; k++) {
        worker[k].together = &together;
        assert_int_equal(pthread_create(&worker[k].thread, NULL, job, &worker[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(worker[k].thread, NULL);
    pthread_barrier_destroy(&together);
}

static void threads_ask_for_tangents(void **state) {
    (void)state;
    Worker worker[THREADS] = {0};
    on_threads(worker, ask);
    for (int k = 0; k < THREADS; k++) {
        assert_non_null(worker[k].tangents);
        assert_ptr_equal(worker[k].tangents, worker[0].tangents);
    }
    assert_null(worker[0].tangents->before); /* made once */
}

static void *simulate(void *context) {
    Worker  *w = context;
    Instance own;
    w->same = instance_open(&own, common);
    pthread_barrier_wait(w->together);
    for (int i = 0; i < 3000 && w->same; i++) {
        w->same = slope_of(&own) == w->slope;
        if (own.run.image->tier == 1) break;
        binary_improve(code(), 2);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    w->same = w->same && own.run.image->tier == 1;
    instance_free(&own);
    return NULL;
}

/* Instances on several threads take the better code each at its time. */
static void threads_take_better_code(void **state) {
    (void)state;
    Worker worker[THREADS] = {0};
    for (int k = 0; k < THREADS; k++) worker[k].slope = slope();
    on_threads(worker, simulate);
    for (int k = 0; k < THREADS; k++) assert_true(worker[k].same);
    assert_int_equal(files(false), 1);
}

static void a_run_that_ends_early_leaves_nothing(void **state) {
    (void)state;
    binary_improve(code(), 2); /* started */
    assert_int_equal(model_image()->tier, 0);
    close_code();
    assert_int_equal(files(false), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void wrong_text_stays_what_it_is(void **state) {
    (void)state;
    Native native = {0};
    Text   why = {0};
    assert_true(native_begin(&native, "int main(void) { return }", &options, &why));
    assert_int_equal(native_poll(&native, true), NATIVE_FAILED);
    native_end(&native);
    assert_int_equal(files(false), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_tier, end_tier)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(code_gets_better),
        TEST(old_code_still_runs),
        TEST(short_runs_start_no_compiler),
        TEST(cached_code_is_taken_at_once),
        TEST(runs_at_the_same_time),
        TEST(threads_ask_for_tangents),
        TEST(threads_take_better_code),
        TEST(a_run_that_ends_early_leaves_nothing),
        TEST(wrong_text_stays_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
