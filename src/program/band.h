/* SPDX-License-Identifier: Apache-2.0 */
/* band.h -- intervals of what an expression is over a piece of time; see band.c. */
#ifndef RUBATO_BAND_H
#define RUBATO_BAND_H

#include "model/model.h"
#include "program/term.h"

typedef struct
    BandCode { /* the operators of an expression in order; the last is its root */
    const TermPool *pool;
    Term           *term;
    int            *arg; /* places of the arguments, operator by operator */
    int             count;
} BandCode;

/* False: it has an operator whose values are not known, or there is no memory. root: the root counts, too; else
 * it has two arguments at most. */
bool band_code(BandCode *code, const TermPool *pool, Term term, bool root);
void band_free(BandCode *code);
/* Intervals of all operators into value, by those of the slots; root: of the root, too. */
bool band_run(const BandCode *code, Range time, const Band *slot, Band *value, bool root);
/* Of an argument of the root; NULL: it has fewer. */
const Band *band_argument(const BandCode *code, const Band *value, int k);
Band        band_quotient(Band a, Band b);
/* May the expression have a kink or a jump on the piece, by the operators whose intervals band_run gave? What touches
 * its border at an end counts. */
bool band_switches(const BandCode *code, const Band *value);
/* Of a polynomial in time and in slots: 0 is constant between events. A product, a power of two and the branch of
 * an `if` count where their arguments are known. */
enum {
    BAND_LINE = 1,
    BAND_ANY = 3,   /* none, or above two */
    BAND_ABRUPT = 4 /* and it may follow from relations without events */
};
/* value: of the operators on a piece of time, as of band_run, whose conditions hold until the next event; NULL:
 * degrees hold at any time. degree: work, by operator. */
int band_degree(const BandCode *code, const int *slot, const Band *value, int *degree,
                bool root);

#endif
