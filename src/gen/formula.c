/* SPDX-License-Identifier: Apache-2.0 */
/* formula.c -- what the kernels of a plan compute, as terms: a message can then name the operator
 * that has no value. */
#include "gen/emitter.h"

/* A kernel is the same term in all groups that use it. */
Term *gen_formulas(const Plan *plan) {
    Emitter e;
    Text    none = {0};
    Term   *formula = mem_take((size_t)plan->kernels, sizeof *formula);
    emitter_begin(&e, plan, NULL, &none);
    for (int g = 0; g < plan->groups; g++) {
        const Group  *group = &plan->group[g];
        const Access *access = plan->access + group->access;
        for (int j = 0; j < group->size; j++) {
            int           number = plan->body[group->body + j];
            const Kernel *kernel = &plan->kernel[number];
            Term          item, value;
            emitter_enter(&e, group, j, access);
            access += emitter_slots(&e, number);
            if (formula[number]) continue;
            value = emitter_value(&e, kernel, &item);
            formula[number] = value && expr_op(e.shapes, value) == TERM_EQUATION
                                  ? expr_residual(e.shapes, value)
                                  : value;
        }
    }
    emitter_close(&e);
    text_free(&none);
    return formula;
}
