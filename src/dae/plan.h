/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h -- private to dae: how groups are made. */
#ifndef RUBATO_DAE_PLAN_H
#define RUBATO_DAE_PLAN_H

#include "dae/dae.h"

void plan_push_item(Plan *plan, int eq);
/* Fills body and access of a group whose items are in place; its kernels in order. */
void plan_describe(Plan *plan, Group *group, const int *kernels);

#endif
