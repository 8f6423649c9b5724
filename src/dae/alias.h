/* SPDX-License-Identifier: Apache-2.0 */
/* alias.h -- private to dae: classes of equal and opposite variables while they are found (alias.c), and
 * what is known of them for good (number.c). */
#ifndef RUBATO_ALIAS_H
#define RUBATO_ALIAS_H

#include "dae/dae.h"

typedef struct Class { /* data of a class, at its root */
    int     parent;    /* itself at a root */
    int     size;
    int     der;  /* a variable: der(root) = der_sign * der; -1 if none */
    int     of;   /* a variable whose derivative it is, -1 if none */
    int8_t  sign; /* this = sign * parent */
    int8_t  der_sign;
    uint8_t constancy; /* Constancy of the root */
    bool    known;     /* a member is a parameter, constant or input */
    bool    pinned;    /* a member is read as part of an array */
    bool    named;     /* a member is more than a derivative */
} Class;

typedef struct Union {
    Structure *st;
    System    *sys;
    Class *class;  /* by variable */
    uint8_t *seen; /* by variable: SEEN_ */
    bool    *gone; /* by row: used up */
    uint8_t
        *gives;  /* by row: slot + 1 of a variable that is 0, 1 or -1 because of it; 0 */
    int  merged; /* rows used up */
} Union;

int union_find(Class *class, int v, int8_t *sign);
/* a = sign * b. False if they must stay apart. */
bool union_unite(Union *u, int a, int b, int8_t sign);
bool union_may_alias(const System *sys, int a, int b);
/* +1: a = b, -1: a = -b, 0: no alias shape. */
int alias_shape(Shapes *shapes, int number);
/* Of the opposite, if the sign is negative. */
static inline Constancy constancy_signed(Constancy c, int sign) {
    return sign > 0 || c <= IS_ZERO ? c : c == IS_ONE ? IS_MINUS_ONE : IS_ONE;
}

/* ---- known.c ---- */
enum { KNOWN_SLOTS = 63 }; /* of the widest shape that is asked about */

typedef struct KnownShape {
    int      shape;
    uint32_t pattern; /* where it begins in the patterns */
} KnownShape;

typedef struct KnownShapes {
    Map         known; /* shape and pattern -> number */
    KnownShape *item;
    uint8_t    *pattern;
    int         count, last;
    int        *order; /* slots of the old shapes, see known_order */
    uint32_t    room, patterns, pattern_room, orders, order_room;
} KnownShapes;

/* The number of a shape with a pattern by slot; the count before, if it is asked about for the first time.
 * Patterns of one shape have the same length. */
int known_shape(KnownShapes *v, int shape, const void *pattern, size_t bytes);
/* Keeps which slots of the old shape those of the new one are (NULL: the same): order[result ...). */
uint32_t known_order(KnownShapes *v, const int *slot, int slots);
void     known_shapes_free(KnownShapes *v);

/* ---- number.c ---- */
/* Can the slot of a shape be replaced by its number? Edges and changes of a Boolean need the variable. */
bool constancy_fits(Shapes *shapes, int shape, int slot);
/* The number as a term of the type of a slot, 0 if it is none. */
static inline Term constancy_term(Shapes *shapes, Constancy c, Term leaf) {
    if (c >= IS_ZERO && shapes->node[leaf].type == TYPE_BOOLEAN)
        return expr_boolean(shapes, c == IS_ONE);
    return c == IS_ZERO        ? shapes->zero
           : c == IS_ONE       ? shapes->one
           : c == IS_MINUS_ONE ? expr_1(shapes, TERM_NEG, shapes->one)
                               : 0;
}
/* Finds what is constant or a number for good, and the aliases that show then. */
void union_find_numbers(Union *u);

/* ---- equal.c ---- */
/* Finds variables that two rows give by the same formula; true if there are any. */
bool union_find_equal(Union *u);

#endif
