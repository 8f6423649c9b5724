/* SPDX-License-Identifier: Apache-2.0 */
/* emitter.h -- private to gen: the kernel whose text is being written.
 *
 * Values of slots are x[...] for states, dx[...] for their derivatives, l<j> for what kernel j of
 * the same row gives and v[...] for all others (dae/home.c). Slot number slots + k stands for the
 * direction of slot k, which is d[...*W + k] or e<j>[k] for the column k of the loop around it
 * (tangent.c), and 2*slots for that of the time. */
#ifndef RUBATO_EMITTER_H
#define RUBATO_EMITTER_H

#include "gen/access.h"

enum { MOST_EVENTS = 4096 }; /* relations of one kernel */

typedef struct Held { /* relations of one kernel of a group */
    int           group, position;
    const Access *access;
    Term         *node;
    Term *guard; /* by node: only while this holds may it be evaluated; 0: always */
    int   nodes;
    int   own;     /* the first of them stand in the kernel, the others in functions */
    bool  settled; /* an algorithm section changes its path at known times only */
    int   base;    /* index of the first: node r of row i is base + r*count + i */
} Held;

typedef struct Holds { /* of a plan: the same for all texts */
    Held *held;        /* by place in plan->body */
    int   relations;   /* of all kernels */
    Held *past;        /* kernels with delays */
    int   pasts, past_room;
    int   delays;  /* that change, of all kernels */
    int   crowded; /* row with more relations than there is room for, -1 if none */
} Holds;

typedef struct Emitter {
    const Plan *plan;
    Shapes     *shapes;
    Diag       *diag;
    Text       *out;
    bool        failed;
    /* the kernel being written */
    const Access *access; /* of its slots */
    int           shape;
    int           row;     /* of the structure, the first of the group; for array sizes */
    int           count;   /* rows of the group */
    bool          hoisted; /* constants of the loop are in s<j>_<k> */
    int           position; /* j: place in the body */
    int           group;    /* number of the group */
    int           target;   /* slot written through y, -1 if none */
    bool          run;      /* rows are consecutive kernels of a torn block */
    Access       *runs;     /* work: of the slots of a run */
    Holds        *holds;    /* NULL after emitter_begin */
    Arena         arena;    /* of holds, if they are not those of the plan */
} Emitter;

/* Relations are numbered in the order of groups: all programs of a plan agree about them. */
void emitter_open(Emitter *e, const Plan *plan, Diag *diag, Text *out);
/* The same without relations. */
void emitter_begin(Emitter *e, const Plan *plan, Diag *diag, Text *out);
void emitter_close(Emitter *e);
/* From now on texts are those of kernel j of a group, whose slots are at access. */
void emitter_enter(Emitter *e, const Group *group, int j, const Access *access);
/* The same for as many equal kernels from j on as one loop over i can serve, because their slots
 * are at regular distances: residuals of a block that is solved whole. Returns how many. */
int emitter_run(Emitter *e, const Group *group, int j, const Access *access);
/* How many of the accesses from the first on are at regular distances; *all tells which. */
int emitter_regular(const Access *access, int n, int step, Access *all);
/* The same for n iteration variables of a block, if one loop is worth it. */
int emitter_unknowns(Emitter *e, const Group *group, const Access *z, int n, Access *all);
int emitter_slots(const Emitter *e, int kernel); /* number of slots */
static inline bool emitter_is_slot(const Node *node) {
    return node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT;
}
VarKind emitter_kind(const Emitter *e, const Node *slot); /* of the variable in it */
/* What the kernel computes: the value of its unknown or its residual; 0 if it has several
 * results or none. *item: the slot or element that takes the value. */
Term emitter_value(const Emitter *e, const Kernel *kernel, Term *item);
/* C text of such an item; seeded: of its direction. */
void  emitter_target(const Emitter *e, Term item, bool seeded, Text *out);
CText emitter_ctext(Emitter *e, int indent); /* without relations: see value_text */
void  emitter_index(const Emitter *e, const Access *a, Text *out); /* of the variable */
/* Where the value is: "x[3 + i", or with " + " for open "x + 3 + i". */
void emitter_place(const Emitter *e, const Access *a, const char *open, Text *out);
/* Column k of the direction of a variable. */
void emitter_direction(const Emitter *e, const Access *a, Text *out);
/* l<j> := value of the kernel entered, if it stays in the row. */
void emitter_local(Emitter *e, const Kernel *kernel, int indent);
void emitter_comment(Emitter *e, int indent); /* the equation, and where it stands */
/* Statements and value of a term of the kernel, relations held; roots: all arguments of a
 * TUPLE, each after a comma. */
void emitter_text(Emitter *e, Term value, int indent, bool roots, Text *result);
/* result := value, for a variable or an array at the left of a row; seeded: its direction. */
void emitter_result(Emitter *e, Term item, const char *value, bool seeded, int indent);
/* When a relation may change, if that can be said in advance. */
bool emitter_event_times(Emitter *e, Term node, EventTimes *out);
/* Does the term depend on time, parameters and discrete values alone? */
bool emitter_parametric(Emitter *e, Term node);
/* Else: does a relation depend on them alone? */
bool emitter_ahead(Emitter *e, const Held *held, int r);
/* The kernel has no code: why. */
void emitter_refuse(Emitter *e, const char *reason);
/* The same if an operator was missing in a text. */
void emitter_check(Emitter *e, const CText *c);

/* ---- groups as text ---- */
void emitter_slot(const void *emitter, int slot, Text *out);
void emitter_loop_head(Emitter *e, const Group *group, int indent);
void emitter_rows(Emitter *e, const Group *group);
void emitter_chain(Emitter *e, const Group *group);
void emitter_residual(Emitter *e, int g);
void emitter_loops(Emitter *e, int g); /* calls of the solver for each of its blocks */
void emitter_lists(Emitter *e);        /* functions of lists of rows */

/* ---- held.c: relations of a kernel and their place in c->mode ---- */
Holds *holds_make(const Plan *plan, Arena *arena);
void   emitter_mode(const Emitter *e, const Held *held, int r, Text *out);
Held  *emitter_held(const Emitter *e); /* of the kernel being written */
/* Writes the place of an algorithm section that is run along a path; false: it is none. */
bool emitter_path(const Emitter *e, const Held *held, Term call, Text *site);
bool emitter_event_index(const void *context, Term node, Text *index);
bool emitter_past_index(const void *context, Term node, Text *index);

/* Small functions, each of which uses earlier ones only and begins a line with `static inline`. */
extern const char gen_prologue[];
extern const char gen_head[]; /* of functions: where values are */

#endif
