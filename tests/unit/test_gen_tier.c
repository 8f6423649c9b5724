/* SPDX-License-Identifier: Apache-2.0 */
/* test_gen_tier.c -- code that is replaced while it runs, and the cache it comes from. */
#define _POSIX_C_SOURCE 200809L
#include "live/live.h"
#include "flat.h"

#include <dirent.h>
#include <math.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static Flat      m;
static Structure st;
static Plan      plan;
static Image     image;
static Instance  instance;
static char      cache[64];

static int begin(void **state) {
    Text why = {0}, text = {0};
    (void)state;
    strcpy(cache, "/tmp/rubato-tier-XXXXXX");
    assert_non_null(mkdtemp(cache));
    flat_begin(&m);
    flat_reals(&m, "x y z");
    flat_equation(&m, "der(x) = sin(x) + y*time");
    flat_equation(&m, "y + z^3 = x");
    flat_equation(&m, "z - x*y = 0.1");
    assert_true(structure_analyse(&st, &m.sys, &m.diag));
    plan_make(&plan, &st);
    assert_true(gen_text(&plan, &m.diag, &text));
    assert_true(image_tcc(&image, text_get(&text), &why));
    image.text = text;
    image_with_tangents(&image, &plan, NULL);
    assert_true(instance_open(&instance, &plan, &image));
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

static int end(void **state) {
    (void)state;
    instance_free(&instance);
    image_free(&image);
    plan_free(&plan);
    structure_free(&st);
    flat_end(&m);
    files(true);
    rmdir(cache);
    return 0;
}

static double slope(void) {
    Fault     fault = fault_none();
    Selection all = {0};
    double    x = 0.7, dx;
    assert_int_equal(instance.model.fn->eval(&instance, 0.4, &x, &all, &dx, &fault),
                     STATUS_OK);
    return dx;
}

static double derivative(void) {
    Fault     fault = fault_none();
    Selection all = {0};
    double    x = 0.7, value;
    assert_int_equal(
        instance.model.fn->jacobian(&instance, 0.4, &x, &all, &value, &fault), STATUS_OK);
    return value;
}

/* Steps until the compiler is done with one text. */
static void wait_for(Tier *tier) {
    for (int i = 0; i < 3000; i++) {
        if (tier_step(tier)) return;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    fail();
}

static void code_gets_better(void **state) {
    (void)state;
    double before = slope(), rate = derivative();
    Tier  *tier = tier_new(&image, cache);
    assert_int_equal(image.tier, 0); /* the cache is empty */
    wait_for(tier);
    assert_int_equal(image.tier, 1);
    assert_true(slope() == before); /* the same numbers to the last bit */
    wait_for(tier);                 /* the derivatives */
    assert_int_equal(image_made_tangents(&image)->tier, 1);
    assert_true(derivative() == rate);
    assert_int_equal(files(false), 2); /* nothing but the results is left */
    tier_free(tier);
}

static void cached_code_is_taken_at_once(void **state) {
    (void)state;
    double before = slope();
    Native native = {0};
    Text   why = {0};
    assert_true(native_begin(&native, text_get(&image.text), cache, &why));
    assert_int_equal(native_poll(&native, true), NATIVE_READY);
    native_end(&native);
    Tier *tier = tier_new(&image, cache);
    assert_int_equal(image.tier, 1);
    assert_true(slope() == before);
    tier_free(tier);
}

/* Two at the same time write the same file; both end with it. */
static void runs_at_the_same_time(void **state) {
    (void)state;
    Native a = {0}, b = {0};
    Text   why = {0};
    Image  one, other;
    assert_true(native_begin(&a, text_get(&image.text), cache, &why));
    assert_true(native_begin(&b, text_get(&image.text), cache, &why));
    assert_int_equal(native_poll(&a, true), NATIVE_READY);
    assert_true(native_load(&a, &one, &why));
    assert_int_equal(native_poll(&b, true), NATIVE_READY);
    assert_true(native_load(&b, &other, &why));
    assert_int_equal(files(false), 1);
    native_end(&a);
    native_end(&b);
    image_free(&one);
    image_free(&other);
}

static void a_run_that_ends_early_leaves_nothing(void **state) {
    (void)state;
    Tier *tier = tier_new(&image, cache);
    assert_false(tier_step(tier)); /* started */
    tier_free(tier);
    assert_int_equal(files(false), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void wrong_text_stays_what_it_is(void **state) {
    (void)state;
    Native native = {0};
    Text   why = {0};
    assert_true(native_begin(&native, "int main(void) { return }", cache, &why));
    assert_int_equal(native_poll(&native, true), NATIVE_FAILED);
    native_end(&native);
    assert_int_equal(files(false), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(code_gets_better),
        TEST(cached_code_is_taken_at_once),
        TEST(runs_at_the_same_time),
        TEST(a_run_that_ends_early_leaves_nothing),
        TEST(wrong_text_stays_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
