/* SPDX-License-Identifier: Apache-2.0 */
/* flat.h -- from typed equations to variables, shapes and rows.
 *
 *   lower.c      variables, attributes, bindings; the whole model
 *   term.c       a typed expression at given indices -> a term over slots
 *   equation.c   equations, loops, if, when, connections -> families of rows
 *   function.c   functions and algorithm sections -> statements over local slots
 *
 * The variables of the System have the numbers of the flat model: scalar e of instance x is
 * x->first + e; der, pre and hidden variables follow. An equation under arrays of components
 * and for-loops is lowered once, with its indices as affine forms of the loop counters; only
 * where a subscript or condition is not affine are loops unrolled, from the outside in.
 *
 * Cost: linear in the text of the equations, not in array sizes. */
#ifndef RUBATO_FLAT_ROWS_H
#define RUBATO_FLAT_ROWS_H

#include "dae/dae.h"
#include "inst/inst.h"

typedef struct Rows { /* the flat model as integers */
    Shapes shapes;
    System sys;
    bool   good; /* everything could be expressed */
} Rows;

Rows *rows_of_model(FlatModel *model); /* never NULL unless memory ran out */
void  rows_free(Rows *rows);

/* needs: model->ok. gives: variables, rows, functions in an initialised System. False if
 * something could not be expressed; messages are in the session. */
bool flat_lower(FlatModel *model, System *sys);

#endif
