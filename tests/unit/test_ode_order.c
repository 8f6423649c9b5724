/* SPDX-License-Identifier: Apache-2.0 */
/* Every method shows its order with constant steps, and so does its dense output. */
#include "unit.h"

#include <math.h>
#include <stdio.h>

#include "../../bench/ode/convergence.h"

static void observed_orders(void **state) {
    (void)state;
    int wrong = 0;
    for (int i = 0; method_name(i); i++) {
        Method *m = method_new(method_name(i));
        assert_non_null(m);
        const Observed o = wave_observed_order(m->name, m->order, m->dense_order,
                                               m->kind == METHOD_EXPLICIT);
        if (fabs(o.order - m->order) > 0.2 || o.dense < m->dense_order - 0.2) {
            wrong++;
            printf("# %s: order %d seen %.2f, dense %d seen %.2f\n", m->name, m->order,
                   o.order, m->dense_order, o.dense);
        }
        if (m->adaptive) assert_true(m->dense_order >= m->order - 1);
        method_free(m);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(observed_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
