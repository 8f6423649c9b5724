/* SPDX-License-Identifier: Apache-2.0 */
/* Simulations as bytes, values between steps and in callbacks, inputs. */
#include "api_models.h"

#include <math.h>
#include <string.h>

/* ---- save, restore, go on ---- */

typedef struct Kept {
    void  *bytes;
    size_t count;
} Kept;

static Kept keep(const RbSimulation *s) {
    Kept k = {.count = rb_state_bytes(s)};
    k.bytes = malloc(k.count);
    assert_non_null(k.bytes);
    FINE(rb_state_save(s, k.bytes, k.count, why));
    return k;
}

/* One run without interruption, one that is saved at a time and goes on in another simulation, one
 * that goes on in a copy; all agree at `check` and at the end. Two that go on from the same bytes
 * agree bit for bit. */
static void agrees(const char *model, const char *const *name, double at, double check,
                   double within, const RbOptions *options) {
    RbProgram    *p = model_program(model);
    RbSimulation *whole = model_simulation(p, options);
    RbSimulation *part = model_simulation(p, options);
    RbSimulation *next = model_simulation(p, options),
                 *twin = model_simulation(p, options);
    RbError error;
    FINE(rb_set(whole, "e", rb_get(whole, "e") * 0.9, why));
    FINE(rb_set(part, "e", rb_get(part, "e") * 0.9, why));
    FINE(rb_step(part, at, why));
    assert_true(rb_time(part) == at);
    Kept          k = keep(part);
    RbSimulation *copy = rb_copy(part, &error);
    assert_non_null(copy);
    FINE(rb_step(part, check, why)); /* it can go on, too */
    rb_simulation_free(part);
    FINE(rb_state_restore(next, k.bytes, k.count, why));
    FINE(rb_state_restore(twin, k.bytes, k.count, why));
    assert_true(rb_time(next) == at && rb_time(copy) == at);
    for (int round = 0; round < 2; round++) {
        double t = round ? rb_info(p).stop : check;
        FINE(rb_step(whole, t, why));
        FINE(rb_step(next, t, why));
        FINE(rb_step(twin, t, why));
        FINE(rb_step(copy, t, why));
        for (int i = 0; name[i]; i++) {
            double x = rb_get(whole, name[i]), y = rb_get(next, name[i]);
            if (!(fabs(x - y) <= within))
                fail_msg("%s.%s at %g: %.12g and %.12g", model, name[i], t, x, y);
            y = rb_get(next, name[i]);
            assert_true(y == rb_get(twin, name[i]) && y == rb_get(copy, name[i]));
        }
    }
    free(k.bytes);
    rb_simulation_free(whole);
    rb_simulation_free(next);
    rb_simulation_free(twin);
    rb_simulation_free(copy);
    rb_program_free(p);
}

static void events(void **unused) {
    (void)unused;
    agrees("Ball", (const char *[]){"h", "v", "flying", NULL}, 1.1, 1.9, 1e-6, NULL);
}

static void delays(void **unused) {
    (void)unused;
    const char *const name[] = {"x", "u", "y", "der(x)", NULL};
    agrees("Delayed", name, 0.8, 1.05, 1e-5, NULL); /* the jump is on its way */
    agrees("Delayed", name, 1.3, 2.0, 1e-5, NULL);
}

static void objects(void **unused) {
    (void)unused;
    agrees("Object", (const char *[]){"x", "e", NULL}, 1, 2, 1e-6, NULL);
}

static void texts_and_samples(void **unused) {
    (void)unused;
    const char *const name[] = {"n", "eight", "x", NULL};
    agrees("Sampled", name, 1.2, 1.5, 1e-9, NULL);
    agrees("Sampled", name, 1.125, 1.9, 1e-9, NULL); /* at an event */
}

static void loops_and_relations(void **unused) {
    (void)unused;
    agrees("Loop", (const char *[]){"x", "y", "z", "a", "b", NULL}, 1, 2, 1e-5, NULL);
    agrees("Diode", (const char *[]){"v", "i", "off", NULL}, 0.33, 0.77, 1e-4, NULL);
}

static void rates(void **unused) {
    (void)unused;
    RbOptions several = {.rates = -1};
    agrees("Rates", (const char *[]){"x[1]", "x[2]", NULL}, 1, 2, 1e-4, &several);
    agrees("Ball", (const char *[]){"h", "v", "flying", NULL}, 1.1, 1.9, 1e-6, &several);
    agrees("Arrays", (const char *[]){"T[20]", "mean", NULL}, 0.1, 2, 1e-5, NULL);
}

static void before_the_start(void **unused) {
    (void)unused;
    RbProgram    *p = model_program("Ball");
    RbSimulation *a = model_simulation(p, NULL), *b = model_simulation(p, NULL);
    FINE(rb_set(a, "e", 0.5, why));
    Kept k = keep(a); /* values that are given, nothing else */
    FINE(rb_state_restore(b, k.bytes, k.count, why));
    FINE(rb_run(a, why));
    FINE(rb_run(b, why));
    assert_true(rb_get(a, "h") == rb_get(b, "h") && rb_get(b, "e") == 0.5);
    free(k.bytes);
    rb_simulation_free(a);
    a = model_simulation(p, NULL);
    FINE(rb_initialise(a, why));
    k = keep(a);
    FINE(rb_state_restore(b, k.bytes, k.count, why)); /* also into one that has ended */
    FINE(rb_run(a, why));
    FINE(rb_run(b, why));
    assert_true(rb_get(a, "h") == rb_get(b, "h") && rb_get(b, "e") == 0.8);
    free(k.bytes);
    rb_simulation_free(a);
    rb_simulation_free(b);
    rb_program_free(p);
}

static void refused(void **unused) {
    (void)unused;
    RbProgram    *p = model_program("Ball"), *other = model_program("Loop");
    RbSimulation *a = model_simulation(p, NULL), *b = model_simulation(other, NULL);
    RbOptions     late = {.given_start = true, .start = 1.5};
    RbSimulation *c = model_simulation(p, &late);
    RbError       error;
    FINE(rb_step(a, 1, why));
    Kept  k = keep(a);
    char *bytes = k.bytes;
    assert_int_equal(rb_state_restore(b, bytes, k.count, &error), RB_ARGUMENT);
    assert_string_equal(error.text, "this is the state of another program");
    FINE(rb_run(b, why)); /* untouched */
    assert_int_equal(rb_state_restore(c, bytes, k.count, &error), RB_ARGUMENT);
    assert_int_equal(rb_state_restore(a, bytes, k.count - 1, &error), RB_FILE);
    assert_int_equal(rb_state_restore(a, bytes, 3, &error), RB_FILE);
    bytes[k.count / 2] ^= 1;
    assert_int_equal(rb_state_restore(a, bytes, k.count, &error), RB_FILE);
    assert_int_equal(rb_state_save(a, bytes, k.count - 1, &error), RB_ARGUMENT);
    FINE(rb_step(a, 2, why)); /* untouched */
    free(bytes);
    rb_simulation_free(a);
    rb_simulation_free(b);
    rb_simulation_free(c);
    rb_program_free(p);
    rb_program_free(other);
}

/* ---- values between steps and in callbacks ---- */

typedef struct Seen {
    int    points;
    double last;
    bool   wrong;
} Seen;

static RbStatus on_point(void *owner, RbSimulation *s, double time) {
    Seen   *seen = owner;
    RbError error;
    double  x = rb_get(s, "x"), value[2];
    int     number[2] = {1, 0};
    rb_get_numbers(s, number, 2, value);
    seen->wrong |= value[0] != rb_get_number(s, 1) || value[1] != rb_get_number(s, 0);
    seen->wrong |= rb_time(s) != time || time < seen->last;
    seen->wrong |= fabs(rb_get(s, "der(x)") + 1.0 * rb_get(s, "e") * x) > 1e-12;
    seen->wrong |= fabs(x - exp(-2 * time)) > 1e-5;
    seen->wrong |= rb_state_save(s, &error, sizeof error, &error) != RB_ARGUMENT;
    seen->wrong |= rb_step(s, 2, &error) != RB_ARGUMENT;
    seen->last = time;
    seen->points++;
    return RB_OK;
}

static void callbacks(void **unused) {
    (void)unused;
    RbProgram    *p = model_program("Object");
    RbSimulation *s = model_simulation(p, &(RbOptions){.interval = 0.01});
    Seen          seen = {0};
    rb_listen(s, &(RbListener){.point = on_point, .owner = &seen});
    for (double t = 0.333; t < 3; t += 0.333) {
        FINE(rb_step(s, t, why));
        assert_true(rb_time(s) == t);
        assert_true(fabs(rb_get(s, "x") - exp(-2 * t)) < 1e-5);
        assert_true(fabs(rb_get(s, "der(x)") + 2 * rb_get(s, "x")) < 1e-12);
    }
    FINE(rb_run(s, why));
    assert_false(seen.wrong);
    assert_int_equal(seen.points, 301);
    rb_simulation_free(s);
    rb_program_free(p);
}

static RbStatus count_point(void *owner, RbSimulation *s, double time) {
    (void)s;
    ((Seen *)owner)->points++;
    ((Seen *)owner)->last = time;
    return RB_OK;
}

/* Points of a run that goes on lie where they would have been. */
static void points_go_on(void **unused) {
    (void)unused;
    RbProgram    *p = model_program("Loop");
    RbOptions     o = {.interval = 0.5};
    RbSimulation *a = model_simulation(p, &o), *b;
    Seen          seen = {0};
    RbError       error;
    FINE(rb_step(a, 1.2, why));
    b = rb_copy(a, &error);
    assert_non_null(b);
    rb_listen(b, &(RbListener){.point = count_point, .owner = &seen});
    FINE(rb_step(b, 1.6, why)); /* where it begins, and 1.5 */
    assert_int_equal(seen.points, 2);
    assert_true(seen.last == 1.5);
    FINE(rb_run(b, why)); /* 2, 2.5, 3 */
    assert_int_equal(seen.points, 5);
    assert_true(seen.last == 3);
    assert_int_equal(rb_step(b, 3, &error), RB_ARGUMENT); /* it has ended */
    rb_simulation_free(a);
    rb_simulation_free(b);
    rb_program_free(p);
}

/* ---- inputs ---- */

static void inputs(void **unused) {
    (void)unused;
    RbProgram    *p = model_program("Input");
    RbSimulation *s = model_simulation(p, NULL);
    RbError       error;
    FINE(rb_set(s, "u", 0.25, why));
    FINE(rb_step(s, 1, why));
    double x = 0.25 * (1 - exp(-1));
    assert_true(fabs(rb_get(s, "x") - x) < 1e-6);
    FINE(rb_set(s, "u", 1, why)); /* the relation changes: an event */
    FINE(rb_step(s, 2, why));
    x = 1 + (x - 1) * exp(-1);
    assert_true(fabs(rb_get(s, "x") - x) < 1e-6);
    assert_true(fabs(rb_get(s, "y") - 2 * rb_get(s, "x") - 1) < 1e-12);
    assert_true(rb_get(s, "n") == 1 && rb_get(s, "u") == 1);
    assert_int_equal(rb_set(s, "k", 3, &error), RB_ARGUMENT);
    assert_int_equal(rb_set(s, "x", 3, &error), RB_ARGUMENT);
    RbSimulation *copy = rb_copy(s, &error); /* with the present input */
    assert_non_null(copy);
    FINE(rb_run(s, why));
    FINE(rb_run(copy, why));
    x = 1 + (x - 1) * exp(-1);
    assert_true(fabs(rb_get(s, "x") - x) < 1e-6 && fabs(rb_get(copy, "x") - x) < 1e-6);
    assert_true(rb_get(copy, "n") == 1);
    assert_int_equal(rb_set(s, "u", 3, &error), RB_ARGUMENT); /* it has ended */
    rb_simulation_free(s);
    rb_simulation_free(copy);
    rb_program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(events),
                                       cmocka_unit_test(delays),
                                       cmocka_unit_test(objects),
                                       cmocka_unit_test(texts_and_samples),
                                       cmocka_unit_test(loops_and_relations),
                                       cmocka_unit_test(rates),
                                       cmocka_unit_test(before_the_start),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(callbacks),
                                       cmocka_unit_test(points_go_on),
                                       cmocka_unit_test(inputs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
