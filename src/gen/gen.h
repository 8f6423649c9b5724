/* SPDX-License-Identifier: Apache-2.0 */
/* gen.h -- C text from a plan. src/code turns it into code, src/live runs that.
 *
 *   emit.c      groups and kernels as C text
 *   access.c    array slots as C text, for kernels, actions and invariants
 *   held.c      relations that keep their value between events
 *   program.c   the functions around the groups
 *   tangent.c   derivatives of groups and torn blocks as C text;  matrix.c: matrices of torn blocks
 *   action.c    assertions, reinit, terminate and calls without results as C text
 *   relation.c  what the relations of a plan read
 *   formula.c   what the kernels of a plan compute, for messages
 *   invariant.c constraints that states keep up to drift, as C text
 *   function.c  user functions as C text;  costly.c: which results are worth keeping
 *   extern.c    calls of external functions as C text
 *   batch.c     a loop over many instances of equal systems;  batch_linear.c: linear blocks in it
 *   support.c   C text that every program begins with */
#ifndef RUBATO_GEN_H
#define RUBATO_GEN_H

#include "dae/dae.h"
#include "program/rb.h"

/* ---- costly.c ---- */
/* By function; to be released by free. */
bool *gen_costly(Shapes *shapes);

/* ---- held.c ---- */
void gen_relations(
    Plan *plan); /* a pass; texts of plans without it look for themselves */
void gen_print_relations(const Plan *plan, Text *out);
/* ---- program.c ---- */
/* The whole program. False if something cannot be expressed; diag says what. */
bool gen_text(const Plan *plan, Diag *diag, Text *out);
/* ---- tangent.c ---- */
/* The program of derivatives, `width` columns at a time. */
bool gen_tangents(const Plan *plan, int width, Diag *diag, Text *out);
int  gen_width(const Plan *plan); /* how many columns are worth it */
/* The same with respect to everything that is a Real, time and what changes at events included, SENSE_WIDTH
 * columns at a time: directions of all variables, crossings and new values of states. */
bool gen_senses(const Plan *plan, Text *out);
/* ---- action.c, invariant.c ---- */
bool gen_actions(const Plan *plan, Diag *diag, Text *out);
/* void rb_turns(c): new values of states at an event in all directions. keep is told of all terms written. */
typedef void KeepTerm(void *owner, Term term);
bool         gen_turns(const Plan *plan, KeepTerm *keep, void *owner, Text *out);
bool         action_is_check(const Shapes *shapes, const Family *family);
bool         gen_invariants(const Plan *plan, Diag *diag, Text *out);

/* ---- relation.c ---- */
typedef struct Relations { /* entries of mode and z */
    int   count;
    int  *place;       /* of its kernel in plan->body */
    int  *item;        /* of its equation in plan->item */
    int  *start, *var; /* variables that its crossing reads: var[start[k] ...) */
    bool *timed;       /* time events, known in advance: there is no crossing */
    Term *term;        /* over the slots of its row; 0: it is a call */
    Term *guard;       /* it is evaluated where this holds; 0: everywhere */
} Relations;

/* reads: also what their crossings read. */
void relations_find(Relations *relations, const Plan *plan, bool reads);
void relations_free(Relations *relations);

/* ---- formula.c ---- */
/* The term that a kernel computes for each row, 0 if it has several results. By kernel; to be
 * released by free. */
Term *gen_formulas(const Plan *plan);

/* ---- function.c ---- */
bool gen_functions(Shapes *shapes, const Plan *plan, Diag *diag, Text *out);
/* Only the functions that these terms call. */
bool gen_functions_of(Shapes *shapes, const Term *root, int roots, Diag *diag, Text *out);

/* x<number>(c, frame): calls the external function on variables at frame[k]. False: an argument has
 * no code. */
bool extern_text(Shapes *shapes, const Function *f, int number, Text *out); /* extern.c */

/* ---- batch.c ---- */
typedef struct BatchFamily { /* equal systems that are analysed once */
    int        number;
    const int *of_run;  /* by run: number of its family, -1: none */
    const int *differs; /* by variable: 1 + place among those that differ, 0 */
    /* of a part of a network: */
    struct LawPort *port; /* its triplets */
    int             ports;
    struct LawTie  *tie; /* NULL: every unknown of it has an equation */
    /* out: */
    int      states;                    /* of one instance */
    int      code;                      /* see network_code */
    int      results, groups, sections; /* of a part, see NetPort */
    uint64_t group_reads[64]; /* by group: ports with input signals that it needs */
    int     *host; /* of a part without kernels, by result: see Network.host; else NULL */
    int *
        uniform; /* of a part: variables whose values kernels take from all instances ... */
    int uniforms, uniform_room; /* ... kernel by kernel: groups, sections, rates */
    int uniform_at[3 *
                   64]; /* by kernel in that order, then the tie: where its list begins */
    NetSection *section; /* in the arena of the structure; ports count from 0 */
    int         torn;    /* unknowns of its largest linear system */
    int         aside;   /* implicit equations of a part that no section needs */
    bool        refused; /* there is no kernel: */
    Text        why;     /* of the equation at pos */
    Pos         pos;
} BatchFamily;

typedef struct LawPort { /* a triplet of a part of a network, as variables */
    bool out;
    bool rates; /* the potential is differentiated, and signals travel with derivatives */
    int  signals, pairs;
    const int *signal, *potential, *flow;
    const int
        *slope;  /* out and rates: the derivatives of signals; in, not rates: of flows */
    int  given;  /* in: first of the known variables that give it, else -1 */
    int  givens; /* how many there are; the efforts are the last of them */
    int  law;    /* out: first of the known variables of its law, else -1 */
    int  coefficient; /* ... and of the variables that are equal to them */
    NetPort net;      /* out: all but family and wires */
} LawPort;

typedef struct LawTie { /* see NetTie, as variables */
    int    count;
    int   *force;   /* the unknowns without equations */
    int    given;   /* the first of the known variables that they equal */
    int   *missing; /* the differences of the sides of the equations left over */
    NetTie net;     /* out: all but family */
} LawTie;

/* int batch_fast_<number>(n, time, v, q, x, dx): derivatives of n instances; not 0: an angle is too
 * wide, use batch_exact_<number>. */
void gen_batch_begin(Text *out);
bool gen_batch(const Structure *st, BatchFamily *family, Text *out);
/* batch_part.c: kernels of a part of a network, see there. Names are part_<kind>_<fast or
 * exact>_@_<number>, and variables are numbered in the order of the text: parts of one class have the
 * same text. */
bool gen_part(const Structure *st, BatchFamily *family, Arena *arena, Text *out);

/* batch_host.c: no kernels, but where their results are among the values of the ordinary code. */
bool gen_host(const Structure *st, BatchFamily *family, Arena *arena);

/* ---- support.c ---- */
/* What a text begins with; what only arrays need if it has some. */
void gen_begin(const Text *functions, const Text *body, Text *out);

#endif
