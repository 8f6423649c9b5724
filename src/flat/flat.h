/* SPDX-License-Identifier: Apache-2.0 */
/* flat.h -- from typed equations to variables, shapes and rows.
 *
 *   lower.c      variables, attributes; the whole model
 *   term.c       a typed expression at given indices -> a term over slots;
 *                reference.c, array.c, reduce.c, call.c, builtin.c, stream.c, past.c: parts of it
 *   job.c        one equation in its nest of loops -> families of rows; equation.c, when.c, ifs.c,
 *                binding.c, connection.c make the equations, unroll.c takes loops away
 *   connector.c  the connectors at the top level, and what is in them
 *   machine.c    what is left of state machines
 *   function.c   functions -> statements over local slots; algorithm.c: algorithm sections;
 *                body.c, statement.c, external.c, derivative.c: parts of both
 *
 * The variables of the System have the numbers of the flat model: scalar e of instance x is
 * x->first + e; der, pre and hidden variables follow. An equation under arrays of components
 * and for-loops is lowered once, with its indices as affine forms of the loop counters; where they
 * are so only in parts, loops are cut (window.c), else unrolled from the outside in.
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
