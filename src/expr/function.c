/* SPDX-License-Identifier: Apache-2.0 */
/* function.c -- the table of user functions and algorithm sections. */
#include "expr/expr.h"
#include "expr/pool.h"

int function_add(Shapes *shapes, const Function *function) {
    POOL_GROW(&shapes->arena, shapes->function, shapes->function_room,
              shapes->functions + 1);
    Function *copy = NEW(&shapes->arena, Function, 1);
    *copy = *function;
    shapes->function[shapes->functions] = copy;
    return shapes->functions++;
}
