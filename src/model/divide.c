/* SPDX-License-Identifier: Apache-2.0 */
/* divide.c -- whether several rates can pay, before anything has run.
 *
 * A small step of one state has a fixed cost, and evaluates everything its derivative needs about ten times, by
 * lists, which costs two and a half times as much as in a sweep over all equations. A step of n states evaluates all
 * of them as often and solves linear systems. In simple equations, with the constants of src/rate/work.c for a
 * Rosenbrock method of order four with a sparse matrix:
 *
 *   one state    4100 + 33 alone          all of them    1450 + n (13 each + 250)
 *
 * Where the first is not clearly below the second, no choice of large and small steps gains anything. */
#include "model/model.h"

static const double USUAL = 3.0; /* simple equations of a derivative            */
static const double CLEAR = 0.6; /* as gains must be to begin with several rates */

Efforts model_effort(const Efforts *known) {
    const double each = known->each > 0.0 ? known->each : USUAL;
    return (Efforts){each, known->alone > 0.0 ? known->alone : each};
}

bool model_divides(const Efforts *effort, int states) {
    const Efforts e = model_effort(effort);
    const double  one = 4100.0 + 33.0 * e.alone;
    const double  all = 1450.0 + states * (13.0 * e.each + 250.0);
    return one < CLEAR * all;
}
