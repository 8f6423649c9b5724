/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h -- private to expr: what making a node folds. */
#ifndef RUBATO_FOLD_H
#define RUBATO_FOLD_H

#include "expr/expr.h"

/* The node itself, without folding. args must not point into shapes->arg. */
Term node_intern(Shapes *shapes, Node node, const Term *args);
/* The folded expression, or 0 if nothing folds. type is that of the unfolded node. */
Term node_fold(Shapes *shapes, TermOp op, const Term *args, int n, Type type);

#endif
