/* SPDX-License-Identifier: Apache-2.0 */
/* job.h -- private to src/flat: equations on their way to rows. */
#ifndef RUBATO_JOB_H
#define RUBATO_JOB_H

#include "flat/lower.h"

typedef struct Chain { /* for-loops around an equation, innermost first */
    IterVar            *var;
    const struct Chain *up;
} Chain;

typedef struct Binding Binding; /* a declaration with a value: binding.c */

typedef struct LowerJob {
    Lower         *l;
    Inst          *at; /* instance of the equation                              */
    const Chain   *chain;
    const Equ     *equ;
    const Tx      *left, *right; /* what to equate; equ gives the place               */
    const Tx      *type; /* expression whose dimensions are looped over; NULL: none */
    RowSet         set;
    int            flags;
    const Binding *binding;
    /* when: conditions and the values of the branches; NULL otherwise */
    const Equ *when;
    Tx       **value; /* by branch, NULL: keeps its value                      */
    int        n;     /* loops                                                 */
    int        extent[NEST];
    int        fixed; /* loops with a value so far                             */
    int        at_value[NEST];
    struct {
        int first, count; /* count 0: all values                                       */
    } window[NEST];   /* of the other loops: the part that is lowered now            */
    const Tx *guard;  /* of an action: a condition, NULL: none */
    int       hidden; /* when: first hidden condition variable                 */
    int       clock;  /* clocked when: first hidden clock variable + 1, 0: none */
    void (*build)(struct LowerJob *job,
                  const Idx       *idx); /* makes the root and ends the row */
} LowerJob;

/* ---- job.c ---- */
void job_run(LowerJob *job);
bool job_attempt(LowerJob *job); /* false: some index is not affine */
int  job_first(const LowerJob *job,
               int             loop); /* value of a loop in the first row, from 0 */
/* Of the loops that are fixed: the element of the arrays around the equation. */
void job_element(const LowerJob *job, int dims, int *index);

/* ---- equation.c ---- */
void lower_equ(Lower *l, LowerJob job, const Equ *equ);
void job_same(LowerJob job, const Tx *left, const Tx *right);
bool is_parameter_field(const Tx *left, const Inst *field);
bool is_of_graph(const Equ *equ);

/* ---- when.c ---- */
/* The clock of the clocked when-clause around the first row of the job, and strides. */
int  job_clock(const LowerJob *job, int *stride);
void lower_when(Lower *l, LowerJob job, const Equ *equ);
void job_build_action(LowerJob  *job,
                      const Idx *idx);     /* assert, terminate, reinit, calls */
bool same_place(const Tx *a, const Tx *b); /* the same variable */

/* ---- ifs.c ---- */
void lower_if_equation(Lower *l, LowerJob job, const Equ *equ);
/* ... in loops, with conditions of parameters and loop counters. */
void lower_loop_if(Lower *l, LowerJob job, const Equ *equ);

/* ---- unroll.c ---- */
/* An equation of records as equations of their fields, of any other kind as it is. */
void       split_record(Lower *l, EquList *out, const Equ *equ);
EquList    unrolled(Lower *l, const EquList *list);
const Equ *without_loops(Lower *l, const Equ *equ);
int        loop_count(Lower *l, const Chain *chain);

#endif
