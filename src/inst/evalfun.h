/* SPDX-License-Identifier: Apache-2.0 */
/* evalfun.h -- private: evaluation of built-in functions, one function per column entry. */
#ifndef RUBATO_EVALFUN_H
#define RUBATO_EVALFUN_H

#include "inst/front.h"

#define EVALFUN(name) Value *evalfun_##name(Eval *eval, const Tx *tx, Value **arg)
EVALFUN(none);
EVALFUN(sin);
EVALFUN(cos);
EVALFUN(tan);
EVALFUN(asin);
EVALFUN(acos);
EVALFUN(atan);
EVALFUN(atan2);
EVALFUN(sinh);
EVALFUN(cosh);
EVALFUN(tanh);
EVALFUN(exp);
EVALFUN(log);
EVALFUN(log10);
EVALFUN(sqrt);
EVALFUN(abs);
EVALFUN(sign);
EVALFUN(floor);
EVALFUN(ceil);
EVALFUN(integer);
EVALFUN(div);
EVALFUN(mod);
EVALFUN(rem);
EVALFUN(min);
EVALFUN(max);
EVALFUN(sum);
EVALFUN(product);
EVALFUN(size);
EVALFUN(ndims);
EVALFUN(zeros);
EVALFUN(ones);
EVALFUN(fill);
EVALFUN(linspace);
EVALFUN(identity);
EVALFUN(diagonal);
EVALFUN(transpose);
EVALFUN(outer);
EVALFUN(symmetric);
EVALFUN(cross);
EVALFUN(skew);
EVALFUN(reshape);
EVALFUN(cat);
EVALFUN(array);
EVALFUN(string);
EVALFUN(ordinal);
EVALFUN(first);
EVALFUN(second);
EVALFUN(semilinear);
EVALFUN(graph);

#endif
