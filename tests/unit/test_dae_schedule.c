/* SPDX-License-Identifier: Apache-2.0 */
/* test_dae_schedule.c -- groups: how many, and that running them in order is right. */
#include "flat.h"

#include <math.h>

static Flat      m;
static Structure st;
static Plan      plan;

static int begin(void **state) {
    (void)state;
    flat_begin(&m);
    return 0;
}

static int end(void **state) {
    (void)state;
    plan_free(&plan);
    structure_free(&st);
    flat_end(&m);
    return 0;
}

static int variable(const Access *a, int i) {
    return a->table >= 0 ? plan.table[a->table + i] : a->base + a->stride * i;
}

/* Runs through the groups as code would: every variable is given once, after what it uses;
 * rows of a parallel group use nothing that the group gives. */
static void check_plan(void) {
    int *given = calloc((size_t)st.vars + 1, sizeof *given), total = 0;
    for (int v = 0; v < st.vars; v++)
        if (st.role[v] == ROLE_KNOWN || st.role[v] == ROLE_STATE) given[v] = -1;
    for (int g = 0; g < plan.groups; g++) {
        const Group *group = &plan.group[g];
        for (int i = 0; i < group->count; i++) {
            const Access *access = plan.access + group->access;
            if (group->kind == GROUP_LOOP)
                for (int j = 0; j < group->size; j++) {
                    int var = st.var_of[plan.item[group->item + i * group->size + j]];
                    assert_int_equal(given[var], 0);
                    given[var] = g + 1;
                    total++;
                }
            for (int j = 0; j < group->size; j++) {
                const Kernel *kernel = &plan.kernel[plan.body[group->body + j]];
                int           slots = m.shapes.shape[kernel->shape].slots;
                int           eq = plan.item[group->item + i * group->size + j];
                for (int k = 0; k < slots; k++) {
                    TermOp op =
                        expr_op(&m.shapes, shape_leaf(&m.shapes, kernel->shape, k));
                    if (op != TERM_SLOT || k == kernel->slot) continue;
                    int var = variable(&access[k], i);
                    assert_int_equal(var, st.slot[st.first[st.eq_row[eq]] + k]);
                    assert_int_not_equal(given[var], 0);
                    if (group->parallel && group->kind == GROUP_ROWS)
                        assert_int_not_equal(given[var], g + 1);
                }
                if (kernel->kind == KERNEL_SOLVE && group->kind != GROUP_LOOP) {
                    int var = variable(&access[kernel->slot], i);
                    assert_int_equal(var, st.var_of[eq]);
                    assert_int_equal(given[var], 0);
                    given[var] = g + 1;
                    total++;
                }
                access += slots;
            }
        }
    }
    assert_int_equal(total, st.eqs);
    free(given);
}

static void make_plan(void) {
    assert_true(structure_analyse(&st, &m.sys, &m.diag));
    plan_make(&plan, &st);
    check_plan();
}

static Term op(TermOp o, Term a, Term b) {
    return expr_2(&m.shapes, o, a, b);
}

static void end_row(Term left, Term right) {
    row_end(&m.row, ROWS_EQUATION, op(TERM_EQUATION, left, right), 0, 0, 0);
}

enum { N = 5000 };
static const int one[] = {1};

static void independent_rows_are_one_parallel_group(void **state) {
    (void)state;
    int x = flat_first(&m, "x", N);
    row_begin(&m.row, &m.sys, 1, (int[]){N - 1});
    Term der = row_var(&m.row, system_der(&m.sys, x + 1), one);
    Term a = row_var(&m.row, x, one), b = row_var(&m.row, x + 1, one);
    end_row(der, expr_sub(&m.shapes, a, b));
    flat_equation(&m, "der(x[1]) = 1 - x[1]");
    make_plan();
    assert_int_equal(plan.groups, 2);
    const Group *group = &plan.group[plan.group[0].count == 1];
    assert_int_equal(group->count, N - 1);
    assert_true(group->parallel);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(plan.access[group->access + k].table, -1);
        assert_int_equal(plan.access[group->access + k].stride, 1);
    }
}

/* The boundary has the shape of the other rows: it must not cost them their loop. */
static void an_odd_row_leaves_a_stretch_without_tables(void **state) {
    (void)state;
    int x = flat_first(&m, "x", N), u = flat_first(&m, "u", 1);
    row_begin(&m.row, &m.sys, 0, NULL);
    Term der = row_var(&m.row, system_der(&m.sys, x), NULL);
    end_row(der, expr_sub(&m.shapes, row_var(&m.row, u, NULL), row_var(&m.row, x, NULL)));
    row_begin(&m.row, &m.sys, 1, (int[]){N - 1});
    der = row_var(&m.row, system_der(&m.sys, x + 1), one);
    Term a = row_var(&m.row, x, one), b = row_var(&m.row, x + 1, one);
    end_row(der, expr_sub(&m.shapes, a, b));
    flat_equation(&m, "u[1] = time");
    make_plan();
    assert_int_equal(plan.groups, 3);
    assert_int_equal(plan.tables, 0);
    int longest = 0;
    for (int g = 0; g < plan.groups; g++)
        if (plan.group[g].count > longest) longest = plan.group[g].count;
    assert_int_equal(longest, N - 1);
}

static void a_chain_of_one_kernel_is_one_sequential_group(void **state) {
    (void)state;
    int x = flat_first(&m, "x", N);
    row_begin(&m.row, &m.sys, 1, (int[]){N - 1});
    Term a = row_var(&m.row, x + 1, one), b = row_var(&m.row, x, one);
    end_row(a, expr_1(&m.shapes, TERM_SIN, b));
    flat_equation(&m, "x[1] = time");
    make_plan();
    assert_int_equal(plan.groups, 2);
    assert_int_equal(plan.group[1].count, N - 1);
    assert_false(plan.group[1].parallel);
}

static void a_chain_through_several_kernels_is_folded(void **state) {
    (void)state;
    /* y[i] = sin(x[i]); z[i] = 2*y[i] + time; x[i+1] = z[i]*y[i] */
    int x = flat_first(&m, "x", N + 1), y = flat_first(&m, "y", N),
        z = flat_first(&m, "z", N);
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    Term a = row_var(&m.row, y, one);
    end_row(a, expr_1(&m.shapes, TERM_SIN, row_var(&m.row, x, one)));
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    a = row_var(&m.row, z, one);
    Term twice = op(TERM_MUL, expr_real(&m.shapes, 2), row_var(&m.row, y, one));
    end_row(a, op(TERM_ADD, twice, expr_time(&m.shapes)));
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    a = row_var(&m.row, x + 1, one);
    end_row(a, op(TERM_MUL, row_var(&m.row, z, one), row_var(&m.row, y, one)));
    flat_equation(&m, "x[1] = time");
    make_plan();
    assert_true(plan.groups <= 4);
    int chains = 0;
    for (int g = 0; g < plan.groups; g++) chains += plan.group[g].kind == GROUP_CHAIN;
    assert_int_equal(chains, 1);
}

static void equal_loops_are_one_group(void **state) {
    (void)state;
    /* n voltage dividers with a nonlinear resistor each: u - v = R*i, i = v^3 */
    int u = flat_first(&m, "u", N), v = flat_first(&m, "v", N),
        i = flat_first(&m, "i", N);
    flat_parameter(&m, "R", 2);
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    Term a = row_var(&m.row, u, one);
    end_row(a, op(TERM_MUL, expr_time(&m.shapes), row_number(&m.row, 1, one)));
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    Term drop = expr_sub(&m.shapes, row_var(&m.row, u, one), row_var(&m.row, v, one));
    Term R = row_var(&m.row, flat_var(&m, "R"), NULL);
    end_row(drop, op(TERM_MUL, R, row_var(&m.row, i, one)));
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    a = row_var(&m.row, i, one);
    end_row(a, op(TERM_POW, row_var(&m.row, v, one), expr_real(&m.shapes, 3)));
    make_plan();
    assert_int_equal(plan.groups, 2);
    assert_int_equal(plan.group[1].kind, GROUP_LOOP);
    assert_int_equal(plan.group[1].count, N);
    assert_int_equal(plan.group[1].size, 2);
    assert_int_equal(plan.group[1].torn, 1);
    assert_true(plan.group[1].parallel);
    assert_int_equal(plan.tables, 0); /* all affine */
}

static void code_does_not_grow_with_the_model(void **state) {
    (void)state;
    int groups[2], kernels[2], accesses[2];
    for (int round = 0; round < 2; round++) {
        int n = round ? 20000 : 200;
        if (round) {
            end(NULL);
            begin(NULL);
        }
        int T = flat_first(&m, "T", n), Q = flat_first(&m, "Q", n + 1);
        row_begin(&m.row, &m.sys, 1, (int[]){n});
        Term der = row_var(&m.row, system_der(&m.sys, T), one);
        Term in = row_var(&m.row, Q, one), out = row_var(&m.row, Q + 1, one);
        end_row(der, expr_sub(&m.shapes, in, out));
        row_begin(&m.row, &m.sys, 1, (int[]){n - 1});
        Term q = row_var(&m.row, Q + 1, one);
        Term a = row_var(&m.row, T, one), b = row_var(&m.row, T + 1, one);
        end_row(q, expr_sub(&m.shapes, a, b));
        char text[80];
        flat_equation(&m, "Q[1] = 0");
        snprintf(text, sizeof text, "Q[%d] = 0", n + 1);
        flat_equation(&m, text);
        make_plan();
        groups[round] = plan.groups;
        kernels[round] = plan.kernels;
        accesses[round] = (int)plan.accesses;
    }
    assert_int_equal(groups[0], groups[1]);
    assert_int_equal(kernels[0], kernels[1]);
    assert_int_equal(accesses[0], accesses[1]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(independent_rows_are_one_parallel_group),
        TEST(an_odd_row_leaves_a_stretch_without_tables),
        TEST(a_chain_of_one_kernel_is_one_sequential_group),
        TEST(a_chain_through_several_kernels_is_folded),
        TEST(equal_loops_are_one_group),
        TEST(code_does_not_grow_with_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
