/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h -- private: units as exponents of the base units, and a factor. */
#ifndef RUBATO_UNIT_H
#define RUBATO_UNIT_H

#include "inst/front.h"

enum { UNIT_BASES = 7, UNIT_PARTS = 60 }; /* exponents are counted in sixtieths */

typedef struct Unit {
    int16_t exponent[UNIT_BASES]; /* of m, kg, s, A, K, mol, cd                        */
    double  factor;               /* to base units; 0: not known                       */
    bool    offset;               /* values have another zero: degC                    */
    bool    known;                /* it could be read                                  */
    Str     text;                 /* as written; 0: computed                           */
} Unit;

/* Reads a unit expression. False: where the error is, as an offset, and what is wrong. */
bool unit_parse(const char *text, Unit *unit, int *at, const char **why);
Unit unit_product(const Unit *a, const Unit *b, int sign); /* a*b, or a/b with -1  */
bool unit_power(const Unit *a, int parts, Unit *result);   /* a^(parts/UNIT_PARTS) */
bool unit_same_dimension(const Unit *a, const Unit *b);
bool unit_fits(const Unit *a, const Unit *b); /* factors, too, if known */
void unit_print(Text *out, const Front *front, const Unit *unit);

#endif
