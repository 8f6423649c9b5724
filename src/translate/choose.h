/* SPDX-License-Identifier: Apache-2.0 */
/* choose.h -- when families of equal components are chosen without being asked for. */
#ifndef RUBATO_TRANSLATE_CHOOSE_H
#define RUBATO_TRANSLATE_CHOOSE_H

#include "translate/translate.h"

/* Needs: instances. Is the model so large that it is worth looking for families? */
bool choose_to_try(const FlatModel *model);
/* Needs: folds. Are they what the model consists of? */
bool choose_families(const FlatModel *model);
/* Needs: relations and kernels of all families. Is nothing lost by them? */
bool choose_to_keep(const Translation *t);

#endif
