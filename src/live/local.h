/* SPDX-License-Identifier: Apache-2.0 */
/* local.h -- private to live: events of parts of a model. */
#ifndef RUBATO_LOCAL_H
#define RUBATO_LOCAL_H

#include "live/live.h"

#define WORK_LIMIT 5e7 /* of all cones together */

typedef struct Run { /* rows of one group or family */
    int group, first, count;
} Run;

typedef struct Effect { /* what happens when relations of some blocks change */
    int *list;          /* everything below, one after the other */
    int *input, inputs; /* states that are read */
    int *item;          /* rows, run by run */
    Run *run;           /* blocks in the order of the plan */
    int  runs;
    Run *act; /* actions, items in the same list */
    int  acts;
    int *relation, relations; /* whose values may change */
    int *left, lefts;         /* left limits of continuous variables that are read */
    int *shift, shifts;       /* left limits that change */
    int *given, givens;       /* discrete unknowns */
    int *jump, jumps;         /* states that may be set */
    int *moved, moves;        /* states whose derivatives or values may change */
    int *tied, ties;          /* states that must be integrated together */
    long rows;                /* scalar equations */
    bool fine;                /* it is local, as far as that is seen from here */
} Effect;

#define Links      LocalLinks /* not yet those of base */
#define links_add  local_links_add
#define links_free local_links_free
typedef struct Links { /* compressed rows */
    int *start, *to;
} Links;

struct Locals {
    Relations relations;
    bool     *local;           /* by relation */
    int       blocks, actions; /* nodes: blocks, then rows of actions */
    int       states, vars;
    int      *group, *item, *family; /* by block; family and item by action behind them */
    int      *order;                 /* by block: place in the plan */
    int      *target;     /* by action: state that is set + 1, 0: another action */
    Links     readers;    /* by variable: nodes that read it */
    Links     reads;      /* by action: variables */
    Links     pres;       /* by variable: its left limits that somebody reads */
    Links     of_block;   /* by block: relations */
    int      *number;     /* by variable: its state + 1 */
    Links     rates;      /* by variable: states whose derivative it is */
    int      *derivative; /* by state: block of its derivative, -1 if none */
    double    work;
    Effect  **effect; /* by block, NULL: none of its relations is local */
    bool      any;    /* relation is local */
    Pattern   reads_pattern, changes_pattern;
    /* work: twins have their own, and share everything above */
    int    *mark, *need, *base; /* by node: stamps */
    int    *state_mark, *var_mark;
    int     stamp;
    int    *queue, *list;
    Effect *joint; /* of several blocks: the last one */
    int    *joint_block, joint_blocks;
    bool    again;  /* the last round asked for another one */
    double *before; /* values at the beginning of a round */
};

typedef struct Pairs { /* (row, entry) on the way to compressed rows */
    int     *pair;
    int      count;
    uint32_t room;
    int      row;
} Pairs;

/* ---- readers.c ---- */
void  links_add(Pairs *p, int row, int entry);
Links links_make(Pairs *p, int rows,
                 int by); /* ends the list; by 1: entries become rows */
void  links_free(Links *l);
void  readers_of_blocks(Locals *l, const Plan *plan);
void  readers_find(Locals *l, const Plan *plan);
bool  is_left_limit(const System *sys, int var);
int   source_of(const Structure *st, int pre); /* whose left limit it is */

/* ---- effect.c ---- */
Effect *effect_make(Locals *l, const Instance *instance, const int *block, int blocks);
void    effect_free(Effect *e);
bool    relation_follows_states(Locals *l, const Plan *plan, int relation);
int     continuous_giver(const Structure *st, int var); /* its block, -1 if none */

#endif
