/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h -- private to src/inst: state machines (Modelica 3.6, chapter 17). */
#ifndef RUBATO_MACHINE_H
#define RUBATO_MACHINE_H

#include "inst/connect.h"

typedef struct
    MachineBlock { /* a component that is a state, or an array of states      */
    Inst *inst;
    Inst *active; /* variables, one element for each state: it is active at this tick   */
    Inst *reset; /* it is active and starts anew at this tick                           */
    Inst *ticks,
        *time; /* since it became active; NULL: nobody asks                     */
} MachineBlock;

typedef struct MachineState {
    int  block;
    Tx  *ref;     /* the block as seen from the class with the transitions              */
    int  element; /* of the block, in the dimensions below that class                   */
    int  machine;
    int  number; /* in its machine, from 1: the initial state                           */
    bool final;  /* no transition leaves it                                             */
    Pos  pos;    /* of the equation that named it first                                 */
} MachineState;

typedef struct Transition {
    int  from, to; /* states                                                          */
    Tx  *condition;
    bool immediate, reset, synchronize;
    int64_t priority;
    Pos     pos;
} Transition;

typedef struct Machine {
    Inst *at;     /* instance whose class has the transitions                           */
    int   up;     /* block of the state around it, -1: none                             */
    int  initial; /* state, -1 not yet found                                            */
    int  states;
    int *state; /* by number - 1                                                  */
    int  transitions;
    int *transition; /* highest priority number first, as in 17.3                      */
    bool shares; /* outputs of several states are connected to one input                */
    Pos  pos;
    /* variables, see activity.c */
    Inst *reset, *selected, *selected_reset, *immediate, *delayed, *fired, *active_state,
        *active_reset, *next_state, *next_reset, *entered, *due, *next_due, *condition;
} Machine;

struct Machines {
    Front        *front;
    FlatModel    *model;
    MachineBlock *block;
    int           blocks, block_room;
    MachineState *state;
    int           states, state_room;
    Transition   *transition;
    int           transitions, transition_room;
    Machine      *machine;
    int           machines;
    Map block_of; /* Inst -> block + 1                                         */
    Map part_of;  /* Inst -> part of the model + 1                             */
    struct Merge
        *merge; /* variables that states determine as outer output, merge.c     */
    int  merges, merge_room;
};

/* ---- machine.c ---- */
int machine_block_of(const Machines *m, const Inst *inst);     /* -1: it is none        */
int machine_block_around(const Machines *m, const Inst *inst); /* or itself; -1      */
/* A new variable of an instance. */
Inst *machine_variable(Machines *m, Inst *parent, const char *name, Basic basic,
                       int count, bool shown);

/* ---- activity.c ---- */
void machine_flags(
    Machines *m); /* variables of all states and machines                 */
void machine_activity(Machines *m,
                      Machine  *machine); /* their equations                 */
/* ticksInState or timeInState of a block, made when first asked for. */
Inst *machine_since(Machines *m, int block, bool ticks);
/* ... in the condition of a transition: of the state that it leaves. */
Tx *machine_since_now(Machines *m, const Transition *of, bool ticks, Inst *at);

/* ---- terms of typed expressions ---- */
Tx *mx_variable(Machines *m, Inst *inst, Inst *at); /* as seen from an instance         */
Tx *mx_element(Machines *m, Inst *inst, int k, Inst *at);
Tx *mx_of_state(Machines *m, const MachineState *state, Inst *field, Inst *at);
Tx *mx_previous(Machines *m, Tx *ref);
Tx *mx_if(Machines *m, Tx *cond, Tx *yes, Tx *no);
Tx *mx_2(Machines *m, TxKind kind, Tx *a, Tx *b); /* relations, and, or: Booleans       */
void mx_equate(Machines *m, Inst *at, Tx *left, Tx *right, Pos pos);

typedef struct Guard { /* of the equations of an instance that lies in a state */
    Machines           *m;
    const MachineBlock *block; /* the state */
    Inst               *at;    /* instance with the equations */
    EquList *
        open; /* equations that are to find their variable, NULL: it stands alone on a side */
} Guard;

/* ---- open.c ---- */
/* Each of the equations gets a variable that none of `out` determines, and joins these. */
void guard_open(const Guard *g, const EquList *open, EquList *out);

/* A choice with such equations in its branches. */
void guard_open_choice(const Guard *g, EquList *out, Equ *equ);

/* ---- whens.c ---- */
void guard_when(const Guard *g, EquList *out, const Equ *equ);

/* ---- guard.c ---- */
Tx  *guard_active(const Guard *g);
bool guard_owns(const Guard *g,
                const Tx    *tx); /* a reference to a variable of the state */
void guard_add(const Guard *g, EquList *out, const Equ *like, Tx *left, Tx *right);
/* An equation, or those of the fields of a record and of the results of a call. */
void guard_parts(const Guard *g, EquList *out, const Equ *equ, Tx *left, Tx *right);
void guard_list(const Guard *g, EquList *list);
bool guard_is_derivative(const Tx *tx);
/* May an equation of the state determine what a reference or derivative names? */
bool guard_may_give(const Guard *g, const Tx *tx);
/* The side of an equation that it determines, if it is one variable; NULL: none. */
Tx *guard_side(const Guard *g, const Tx *left, const Tx *right);
/* What a variable or derivative is while the state is not active. */
Tx  *guard_kept(const Guard *g, Tx *own);
void guard_solved(const Guard *g, EquList *out, const Equ *like, Tx *own, Tx *value);
/* An equation under a condition. */
Equ *guard_branch(const Guard *g, EquKind kind, Tx *condition, Equ *equ);
/* The same variable, and the same element of it. */
bool mx_same_place(Machines *m, const Tx *a, const Tx *b);
void guard_refuse(const Guard *g, const Equ *equ, const char *what);
void guard_refuse_open(const Guard *g, const Equ *equ);
void machine_guard(Machines *m);
/* An expression that stands in instance `at`, with the operators of state machines replaced; `of`:
 * the transition that has it as condition, or NULL. */
Tx *machine_rewrite(Machines *m, Inst *at, const Transition *of, Tx *tx);

/* ---- merge.c ---- */
void machine_merge_find(Machines *m);      /* before equations are guarded */
void machine_merge_equations(Machines *m); /* after it */
/* The variable that stands for `inst` in the equations of instance `at`: itself, or what `at`
 * determines as outer output. */
Inst *machine_local(const Machines *m, const Inst *at, Inst *inst);
/* The instance whose equations determine a variable, which may be a field of a record. */
Inst *machine_holder(const Inst *inst);
/* A variable that is inner and outer stands for one further out. */
Inst *machine_outermost(const Machines *m, Inst *inst);
/* Whether two states are never active at once. */
bool  machine_exclusive(const Machines *m, int a, int b);
Inst *machine_start(Machines *m,
                    Inst     *inst); /* a parameter with the start value        */
/* The value of a variable at the tick before, or its start value if its state starts anew. */
Tx *machine_before(Machines *m, Inst *at, Tx *ref);

#endif
