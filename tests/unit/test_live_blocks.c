/* SPDX-License-Identifier: Apache-2.0 */
/* test_live_blocks.c -- blocks at the waist: the same walk over blocks sees a generated model with
 * a torn and a linear block, and a model written by hand. */
#include "running.h"

#include <math.h>
#include <string.h>

/* The block that gives a variable. */
static int giver(const Model *model, int var) {
    const BlockFunctions *f = model->fn->block;
    for (int b = 0; b < f->count(model->instance); b++) {
        BlockInfo info;
        assert_int_equal(f->info(model->instance, b, &info), STATUS_OK);
        for (int k = 0; k < info.gives; k++)
            if (info.variable[k] == var) return b;
    }
    return -1;
}

/* Newton's method on a block of one or two unknowns, through the waist alone; the iterations. */
static int newton(const Model *model, int block, double *z) {
    const BlockFunctions *f = model->fn->block;
    BlockInfo             info;
    Fault                 fault = fault_none();
    assert_int_equal(f->info(model->instance, block, &info), STATUS_OK);
    assert_in_range(info.n, 1, 2);
    for (int k = 1; k < 30; k++) {
        double r[2] = {0}, j[2][2] = {{1, 0}, {0, 1}}, step[2] = {0};
        assert_int_equal(f->residual(model->instance, block, z, r, &fault), STATUS_OK);
        for (int c = 0; c < info.n; c++) {
            double e[2] = {c == 0, c == 1}, column[2];
            assert_int_equal(
                f->tangent(model->instance, block, z, e, NULL, column, &fault),
                STATUS_OK);
            for (int i = 0; i < info.n; i++) j[i][c] = column[i];
        }
        double det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        step[0] = (r[0] * j[1][1] - r[1] * j[0][1]) / det;
        step[1] = (r[1] * j[0][0] - r[0] * j[1][0]) / det;
        for (int i = 0; i < info.n; i++) z[i] -= step[i];
        if (fabs(step[0]) + fabs(step[1]) < 1e-13) return k;
    }
    return 30;
}

static void build(void) {
    begin(NULL);
    flat_parameter(&m, "k", 2);
    flat_reals(&m, "x y a b c d e f");
    flat_equation(&m, "c + 3*d = x"); /* linear */
    flat_equation(&m, "2*c - d = k*y");
    flat_equation(&m, "a + exp(b) = x"); /* torn */
    flat_equation(&m, "3*a - b^3 = c");
    flat_equation(&m, "e = a + d");
    flat_equation(&m, "f = e*x");
    flat_equation(&m, "der(x) = f - x");
    flat_equation(&m, "der(y) = b - y");
    make_plan(false);
    make_program(true);
    make_instance(0);
}

static double value(const char *name) {
    return instance_value(&instance, flat_var(&m, name));
}

static void generated_blocks(void **state) {
    (void)state;
    build();
    const Model          *model = &instance.model;
    const BlockFunctions *f = model->fn->block;
    double                x[2] = {1.5, 0.25}, z[2], before[2];
    Fault                 fault = fault_none();
    BlockInfo             info;
    assert_int_equal(f->place(&instance, 0, x, &fault), STATUS_OK);
    int linear = giver(model, flat_var(&m, "c")),
        curved = giver(model, flat_var(&m, "a"));
    assert_int_equal(linear, giver(model, flat_var(&m, "d")));
    assert_int_equal(curved, giver(model, flat_var(&m, "b")));
    /* what they are and depend on */
    assert_int_equal(f->info(&instance, linear, &info), STATUS_OK);
    assert_true(info.linear);
    assert_int_equal(info.gives, 2);
    assert_int_equal(info.uses, 0);
    assert_int_equal(info.states, 2);
    assert_int_equal(f->info(&instance, curved, &info), STATUS_OK);
    assert_false(info.linear);
    assert_int_equal(info.n, 1);
    assert_int_equal(info.uses, 1);
    assert_int_equal(info.block[0], linear);
    assert_int_equal(info.states, 1);
    assert_int_equal(info.state[0], 0);
    /* a formula has no residual */
    int formula = giver(model, flat_var(&m, "e"));
    assert_int_equal(f->info(&instance, formula, &info), STATUS_OK);
    assert_int_equal(info.n, 0);
    assert_int_equal(f->residual(&instance, formula, z, before, &fault), STATUS_ABSENT);
    assert_int_equal(f->info(&instance, f->count(&instance), &info), STATUS_ARGUMENT);
    /* solved from outside: one step, and the answer of the inner solver */
    int blocks[] = {linear, curved};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(f->solution(&instance, blocks[k], before), STATUS_OK);
        f->info(&instance, blocks[k], &info);
        memcpy(z, before, sizeof z);
        for (int i = 0; i < info.n; i++) z[i] += 0.5;
        int rounds = newton(model, blocks[k], z);
        assert_in_range(rounds, 2, k == 0 ? 2 : 10);
        for (int i = 0; i < info.n; i++) assert_true(fabs(z[i] - before[i]) < 1e-9);
    }
    /* the point is what it was */
    assert_true(fabs(value("c") + 3 * value("d") - 1.5) < 1e-12);
    assert_true(fabs(value("a") + exp(value("b")) - 1.5) < 1e-9);
    assert_true(fabs(3 * value("a") - pow(value("b"), 3) - value("c")) < 1e-9);
}

/* dr/dx against differences: the residual of the torn block reads x itself. */
static void tangent_of_states(void **state) {
    (void)state;
    build();
    const BlockFunctions *f = instance.model.fn->block;
    double x[2] = {1.5, 0.25}, dx[2] = {1, 0}, z[2] = {0.7}, r[2][2], dr[2], h = 1e-6;
    double zero[2] = {0};
    Fault  fault = fault_none();
    f->place(&instance, 0, x, &fault);
    int linear = giver(&instance.model, flat_var(&m, "c"));
    assert_int_equal(f->tangent(&instance, linear, z, zero, dx, dr, &fault), STATUS_OK);
    for (int k = 0; k < 2; k++) {
        x[0] = 1.5 + h * k;
        f->place(&instance, 0, x, &fault);
        f->residual(&instance, linear, z, r[k], &fault);
    }
    BlockInfo info;
    f->info(&instance, linear, &info);
    double size = 0;
    for (int i = 0; i < info.n; i++) {
        assert_true(fabs(dr[i] - (r[1][i] - r[0][i]) / h) < 1e-6);
        size += fabs(dr[i]);
    }
    assert_true(size > 0.1);
}

/* ---- by hand: z^2 + z = x, dx/dt = -z ---- */

static double hand_x, hand_z;

static int hand_count(void *self) {
    (void)self;
    return 1;
}

static Status hand_info(void *self, int block, BlockInfo *info) {
    static const int variable[] = {0}, states[] = {0};
    (void)self;
    (void)block;
    *info = (BlockInfo){
        .n = 1, .gives = 1, .variable = variable, .states = 1, .state = states};
    return STATUS_OK;
}

static Status hand_residual(void *self, int block, const double *z, double *r,
                            Fault *fault) {
    (void)self, (void)block, (void)fault;
    r[0] = z[0] * z[0] + z[0] - hand_x;
    return STATUS_OK;
}

static Status hand_tangent(void *self, int block, const double *z, const double *dz,
                           const double *dx, double *dr, Fault *fault) {
    (void)self, (void)block, (void)fault;
    dr[0] = (2 * z[0] + 1) * dz[0] - (dx ? dx[0] : 0);
    return STATUS_OK;
}

static Status hand_place(void *self, double t, const double *x, Fault *fault) {
    (void)self, (void)t, (void)fault;
    hand_x = x[0];
    hand_z = sqrt(0.25 + x[0]) - 0.5;
    return STATUS_OK;
}

static Status hand_eval(void *self, double t, const double *x, const Selection *rows,
                        double *dx, Fault *fault) {
    (void)rows;
    hand_place(self, t, x, fault);
    dx[0] = -hand_z;
    return STATUS_OK;
}

static void hand_model(void **state) {
    (void)state;
    static const BlockFunctions blocks = {.count = hand_count,
                                          .info = hand_info,
                                          .place = hand_place,
                                          .residual = hand_residual,
                                          .tangent = hand_tangent};
    static const ModelFunctions functions = {.eval = hand_eval, .block = &blocks};
    Model                       model = {.nx = 1, .fn = &functions};
    double                      x = 6, z = 1;
    Fault                       fault = fault_none();
    blocks.place(NULL, 0, &x, &fault);
    assert_in_range(newton(&model, giver(&model, 0), &z), 3, 8);
    assert_true(fabs(z - 2) < 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(generated_blocks, end),
        cmocka_unit_test_teardown(tangent_of_states, end),
        cmocka_unit_test(hand_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
