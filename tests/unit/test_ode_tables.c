/* SPDX-License-Identifier: Apache-2.0 */
/* The methods as data: orders over rooted trees, families, transformation, stability. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "ode/ode.h"

static void trees_are_counted(void **state) {
    (void)state;
    static const int known[] = {1, 1, 2, 4, 9, 20, 48, 115, 286, 719};
    Trees            t;
    assert_true(trees_new(&t, 10));
    for (int n = 1; n <= 10; n++)
        assert_int_equal(t.first[n + 1] - t.first[n], known[n - 1]);
    trees_free(&t);
}

static void every_table_has_its_order(void **state) {
    (void)state;
    Trees t;
    assert_true(trees_new(&t, 10));
    for (int i = 0; method_name(i); i++) {
        Method *m = method_new(method_name(i));
        assert_non_null(m);
        const int seen = tree_order(&t, m->stages, m->a, m->single, m->b, 1e-11);
        assert_int_equal(seen, m->order < 10 ? m->order : 10);
        double hat[METHOD_STAGES];
        if (m->kind != METHOD_FIRK) {
            for (int k = 0; k < m->stages; k++) hat[k] = m->b[k] - m->e[k];
            assert_true(tree_order(&t, m->stages, m->a, m->single, hat, 1e-10) >=
                        m->estimate);
        }
        const bool order_zero =
            strcmp(m->name, "radauIA1") == 0 || /* stages of order 0 */
            strcmp(m->name, "lobattoIIIB2") == 0;
        for (int k = 0; k < m->stages && !order_zero; k++) { /* nodes are row sums */
            double sum = 0.0;
            for (int j = 0; j < m->stages; j++) sum += m->a[k * m->stages + j];
            assert_true(fabs(sum - m->c[k]) < 1e-12);
        }
        if (m->kind == METHOD_ROSENBROCK) /* factors of df/dt are row sums of Gamma */
            for (int k = 0; k < m->stages; k++) {
                double sum = 0.0;
                for (int j = 0; j < m->stages; j++)
                    sum += m->single[k * m->stages + j] - m->a[k * m->stages + j];
                assert_true(fabs(sum - m->ud[k]) < 1e-12);
            }
        method_free(m);
    }
    /* and the check can tell: a wrong digit is found */
    Method *m = method_new("dopri5");
    m->b[3] += 1e-6;
    assert_int_equal(tree_order(&t, m->stages, m->a, m->single, m->b, 1e-11), 0);
    m->b[3] -= 1e-6;
    m->a[3 * 7 + 1] += 1e-4; /* a_42: an order condition of third order */
    assert_true(tree_order(&t, m->stages, m->a, m->single, m->b, 1e-11) < 4);
    method_free(m);
    trees_free(&t);
}

static void radau_is_radau(void **state) {
    (void)state;
    const double q = sqrt(6.0);
    const double a[9] = {
        (88 - 7 * q) / 360,     (296 - 169 * q) / 1800, (-2 + 3 * q) / 225,
        (296 + 169 * q) / 1800, (88 + 7 * q) / 360,     (-2 - 3 * q) / 225,
        (16 - q) / 36,          (16 + q) / 36,          1.0 / 9};
    Method *m = method_new("radauIIA3");
    for (int i = 0; i < 9; i++) assert_true(fabs(m->a[i] - a[i]) < 1e-15);
    assert_true(fabs(m->lambda[0] - 3.6378342527444957) < 1e-13); /* of the inverse */
    assert_true(fabs(m->lambda[1] - 2.6810828736277523) < 1e-13);
    assert_true(fabs(fabs(m->lambda[2]) - 3.0504301992474105) < 1e-13);
    method_free(m);
}

/* T Lambda = A^-1 T, T T^-1 = I, A^-1 A = I for every fully implicit method. */
static void transformations_hold(void **state) {
    (void)state;
    for (int i = 0; method_name(i); i++) {
        Method   *m = method_new(method_name(i));
        const int c = m->core, s = m->stages;
        if (m->kind == METHOD_FIRK) {
            assert_int_equal(m->reals + 2 * m->pairs, c);
            double lambda[METHOD_CORE * METHOD_CORE] = {0};
            for (int r = 0; r < m->reals; r++) lambda[r * c + r] = m->lambda[r];
            for (int p = m->reals; p < c; p += 2) {
                lambda[p * c + p] = lambda[(p + 1) * c + p + 1] = m->lambda[p];
                lambda[p * c + p + 1] = -m->lambda[p + 1];
                lambda[(p + 1) * c + p] = m->lambda[p + 1];
            }
            for (int a = 0; a < c; a++)
                for (int b = 0; b < c; b++) {
                    double left = 0, right = 0, one = 0, two = 0;
                    for (int k = 0; k < c; k++) {
                        left += m->to_z[a * c + k] * lambda[k * c + b];
                        right += m->inverse[a * c + k] * m->to_z[k * c + b];
                        one += m->to_z[a * c + k] * m->to_w[k * c + b];
                        two += m->inverse[a * c + k] *
                               m->a[(k + m->first) * s + b + m->first];
                    }
                    assert_true(fabs(left - right) < 1e-11 * (1 + fabs(left)));
                    assert_true(fabs(one - (a == b)) < 1e-11);
                    assert_true(fabs(two - (a == b)) < 1e-11);
                }
        }
        method_free(m);
    }
}

static void stability_is_as_known(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool        a, l;
    } known[] = {
        {"impl_euler", true, true},    {"trapezoid", true, false},
        {"sdirk2", true, true},        {"sdirk3", true, true},
        {"sdirk4", true, true},        {"esdirk23", true, true},
        {"esdirk3", true, true},       {"esdirk4", true, true},
        {"esdirk5", true, true},       {"rodas4", true, true},
        {"rodas5p", true, true},       {"gauss4", true, false},
        {"radauIA5", true, true},      {"radauIIA7", true, true},
        {"lobattoIIIA4", true, false}, {"lobattoIIIB4", true, false},
        {"lobattoIIIC4", true, true},
    };
    for (int i = 0; i < LENGTH(known); i++) {
        Method         *m = method_new(known[i].name);
        const Stability s = stability_of(m);
        assert_int_equal(s.a_stable, known[i].a);
        assert_int_equal(s.l_stable, known[i].l);
        method_free(m);
    }
    Method *m = method_new("rk4");
    assert_true(fabs(stability_of(m).interval - 2.785) < 0.01);
    method_free(m);
    m = method_new("rkc2"); /* the wide ones are wide: 0.65 s^2 and 2 s^2 */
    assert_true(stability_of(m).interval > 0.6 * 64);
    method_free(m);
    m = method_new("rkc1");
    assert_true(stability_of(m).interval > 1.8 * 36);
    method_free(m);
}

/* b(theta) of the dense output satisfies the order conditions at any theta. */
static void dense_weights_satisfy_conditions(void **state) {
    (void)state;
    static const char *const names[] = {"tsit5",   "dopri5",  "bs3",   "verner6",
                                        "esdirk4", "esdirk5", "sdirk4"};
    for (int i = 0; i < LENGTH(names); i++) {
        Method   *m = method_new(names[i]);
        const int n = m->dense_stages, s = m->stages;
        double    a[METHOD_STAGES * METHOD_STAGES] = {0}, b[METHOD_STAGES];
        Trees     t;
        assert_true(trees_new(&t, m->dense_order));
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++)
                a[r * n + c] = r < s ? (c < s ? m->a[r * s + c] : 0.0)
                                     : m->extra_a[(r - s) * METHOD_STAGES + c];
        double phi[90 * METHOD_STAGES];
        trees_weights(&t, n, a, a, phi);
        for (double theta = 0.1; theta < 1.05; theta += 0.3) {
            for (int k = 0; k < n; k++) {
                b[k] = 0.0;
                for (int q = m->powers - 1; q >= 0; q--)
                    b[k] = (b[k] + m->dense[k * m->powers + q]) * theta;
            }
            for (int tree = 0; tree < t.count; tree++) {
                double sum = -pow(theta, t.size[tree]) / t.density[tree];
                for (int k = 0; k < n; k++) sum += b[k] * phi[tree * n + k];
                assert_true(fabs(sum) < 3e-8);
            }
        }
        trees_free(&t);
        method_free(m);
    }
}

static void the_list_names_all(void **state) {
    (void)state;
    Text text = {0};
    int  lines = 0, count = 0;
    methods_print(&text);
    for (const char *p = text_get(&text); *p; p++) lines += *p == '\n';
    while (method_name(count)) {
        assert_non_null(strstr(text_get(&text), method_name(count)));
        count++;
    }
    assert_int_equal(lines, count + 1);
    assert_true(count >= 55);
    text_free(&text);
    assert_null(method_new("no such method"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_counted),
        cmocka_unit_test(every_table_has_its_order),
        cmocka_unit_test(radau_is_radau),
        cmocka_unit_test(transformations_hold),
        cmocka_unit_test(stability_is_as_known),
        cmocka_unit_test(dense_weights_satisfy_conditions),
        cmocka_unit_test(the_list_names_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
