/* SPDX-License-Identifier: Apache-2.0 */
/* program.h -- what translation gives: one constant object that owns itself.
 *
 * A program holds all that a simulation needs and nothing of the compiler: sizes, variables with
 * their attributes and names, the equations of its parts in order, their block graph and patterns,
 * what events read and change, source positions, and the C text of the model. It is one block of
 * memory, so that it can be written to a file, read back and shared by any number of simulations on
 * any number of threads. Nothing changes it.
 *
 *   term.h, eval.c, print.c, value.c   expressions, for messages
 *   band.h, band.c                     intervals of what they are over a piece of time
 *   variables.h, variables.c           variables, attributes, names
 *   part.h                             equations in the order of computation
 *   clock.h                            clocked partitions
 *   program.c                          names, slots of rows, positions: what is asked of a program
 *   file.c                             one block out of many arrays, and back
 *   effect.c                           what happens in a part of the model at an event
 *   rb.h, rb.def, layout.c             what generated code and its host share */
#ifndef RUBATO_PROGRAM_H
#define RUBATO_PROGRAM_H

#include "program/clock.h"
#include "program/part.h"
#include "program/variables.h"

/* what a variable is in the run */
typedef enum {
    ROLE_ABSENT,  /* never used: a derivative or left limit nobody asked for */
    ROLE_KNOWN,   /* parameter, constant, input, left limit */
    ROLE_STATE,   /* integrated */
    ROLE_UNKNOWN, /* computed: algebraic, derivative or discrete */
    ROLE_ALIAS    /* equal or opposite to the variable alias[] */
} Role;

/* how a number of a parameter, or the start value of a variable, can be changed */
typedef enum {
    SET_NEVER,     /* final, or not a number of the model */
    SET_RUN,       /* in a simulation */
    SET_TRANSLATE, /* it shaped the model, or something is computed together with it */
    SET_START,     /* computed: its start value alone, in a simulation */
    SET_COMPUTED,  /* equal to a parameter: not at all */
} SetKind;

/* Why the value of such a variable cannot be set, or its start value; NULL: it can. */
const char *set_refusal(SetKind kind, bool start);

static inline SetKind run_set_kind(const VarRun *run) {
    bool number = run->type == TYPE_REAL || run->type == TYPE_INTEGER ||
                  run->type == TYPE_BOOLEAN || run->type == TYPE_ENUM;
    if (run->flags & VAR_FINAL) return SET_NEVER;
    return number && run->kind != VAR_CONSTANT && !(run->flags & VAR_EVALUATED)
               ? SET_RUN
               : SET_TRANSLATE;
}

typedef struct VarName {
    int pattern;    /* text: see variables.h */
    int dims, size; /* sizes of its subscripts: names.size[size ...) */
} VarName;

typedef struct SourceInfo { /* a text that positions refer to */
    int      path;          /* text */
    Pos      base;          /* position of its first byte */
    uint32_t size;          /* bytes */
    int line, lines; /* lengths of its lines: sources.line[line ...), 255 continues */
    int text;        /* the text itself if it was no file, else 0 */
    uint64_t hash;   /* of the text */
} SourceInfo;

typedef struct FunctionInfo {
    int name;             /* text */
    int flags;            /* FUNCTION_ of a user function */
    int inputs;           /* number of arguments before the results */
    int symbol, language; /* of external code: texts; 0 if written in Modelica */
    int destructor;       /* function that ends the object this one makes, -1 none */
    int directory;        /* the next five are lists in texts.list, ended by 0: */
    int include,
        include_in; /* folders of C sources of its library, annotations Include, ... */
    int library, library_in;
} FunctionInfo;

typedef struct Invariants { /* constraints that states keep up to drift */
    int        rows, states, parts;
    const int *part;       /* by row: parts share nothing; ascending from 0 */
    const int *state;      /* numbers of the states, part by part */
    const int *state_part; /* by entry of state */
} Invariants;

/* States that are infinitely fast: unknowns of blocks of the kind BLOCK_FAST, which a solver of
 * their own follows to an equilibrium (live/fast.c). By ascending state, one for each rate. */
typedef struct FastStates {
    int           count;
    const int    *state; /* the kept variable */
    const int    *rate; /* what stands for THETA^level der(state): 0 but for the solver */
    const int8_t *sign; /* rate = sign * what state moves at */
    const int    *level; /* power of THETA; higher ones are faster */
    int runs; /* of variables that the text of the model makes: the first so many */
    const uint8_t *differentiated; /* by these: its derivative stands in an equation */
} FastStates;

/* How blocks of the run depend on each other, and their events. A node is a block or, from
 * `blocks` on, a row of an action. */
typedef struct BlockGraph {
    int            blocks, actions, nodes, vars; /* nodes = blocks + actions */
    const int     *group; /* by node: the group of a block, the family of an action ... */
    const int     *row;   /* ... and the row in it: of a chain row*size + position */
    const int     *rank;  /* by block: place in the order of computation */
    const int     *giver; /* by variable: the block it is an unknown of, -1 if none */
    const uint8_t *discrete; /* by block: evaluated at events only */
    const uint8_t *impure;   /* by block: it calls something that is not a function */
    const int     *first;    /* by block, and one more: its first in ... */
    const int     *unknown;  /* ... the unknowns block by block */
    int            unknowns;
    Lists          uses;   /* by block: blocks whose results it uses */
    Lists          states; /* by block: states it reads */
    /* the rest only if the part is selective */
    Lists      needs;   /* by block: continuous blocks whose results it uses, as far as no
                              longer path implies it */
    Lists      readers; /* by variable: nodes that read it */
    Lists      reads;   /* by action: variables */
    Lists      pres;    /* by variable: its left limits that somebody reads */
    Lists      relations;  /* by block */
    Lists      rates;      /* by variable: states whose derivative it is */
    Lists      crossing;   /* by relation: variables that its crossing reads */
    Lists      lefts;      /* by block: left limits of continuous variables it reads */
    const int *place;      /* by relation: of its kernel in the body of the run */
    const uint8_t *timed;  /* by relation: a time event, known in advance */
    const int     *target; /* by action: state that is set + 1, 0: another action */
    const uint8_t *local;  /* by relation: its event concerns a part of the model */
    Lists          effect; /* by block: see effect.c */
    Lists          crossings_of_state; /* by state: local crossings that read it */
    Lists          states_of_crossing; /* by crossing: states it reads or changes */
} BlockGraph;

/* Base-clock partition b has part PARTS + 2*b for its ticks, and the one after it for those of
 * its sub-clock partitions that tick for the first time. */
enum { PARTS = 3, PART_RUN = 0, PART_START = 1, PART_BINDINGS = 2 };

typedef struct ProgramInfo {                     /* what the model is, for reports */
    int     model;                               /* text: full name of the class */
    int     equations, rows, shapes, parameters; /* rows: of the model ... */
    int     reduced_rows;                        /* ... and of the run */
    bool    annotated[4];                        /* the model says: */
    double  experiment[4];                       /* start, stop, interval, tolerance */
    Pos     experiment_pos;
    Efforts effort;
    bool    homotopy, clocks, terminal,
        checked; /* has homotopy(), clocks, terminal(), assertions to look at between events */
} ProgramInfo;

typedef struct Texts {
    int chars, literals, lists;
    const char
              *text; /* texts are numbered by their first character; 0 is the empty one */
    const int *literal; /* by String value: its text, see rb.h */
    const int *list;    /* lists of texts, each ended by 0 */
} Texts;

typedef struct Expressions {
    int         nodes, args, leaves;
    const Node *node;
    const Term *arg, *leaf;
} Expressions;

typedef struct VarNames {
    int            names, sizes;
    const VarName *name; /* by VarRun.owner */
    const int     *size;
} VarNames;

typedef struct Reduced { /* by variable: what it is in the run */
    int            vars, runs;
    const int     *alias;      /* the variable it equals, itself if none */
    const int8_t  *sign;       /* this = sign * alias */
    const uint8_t *role;       /* Role */
    const uint8_t *set;        /* SetKind */
    const int     *start_from; /* the variable whose start attribute holds for it */
    const uint8_t *computed;   /* by run: a row of the bindings gives it */
} Reduced;

typedef struct States { /* in the order of variables */
    int            count;
    const int     *var, *rate; /* variables of the state and of its derivative */
    const int8_t  *rate_sign;  /* der(var) = rate_sign * rate */
    const uint8_t *written; /* code writes the derivative where the integrator wants it */
    const uint8_t *copied;  /* code reads the state among the values too */
    Lists          pattern; /* of df/dx, by columns; rows -1: dense */
} States;

enum { BATCH_LANES = 128 }; /* instances whose values lie together */

typedef struct BatchDiffer { /* a value that differs from instance to instance */
    int var;
    int start; /* 1: its start value, 0: the value of a parameter */
    int value; /* of the first instance in Batches.value, others follow */
} BatchDiffer;

typedef struct BatchMember { /* a declaration, whose elements are instances of a family */
    int64_t first, count;    /* instances */
    int     pattern;         /* text: its name, see variables.h */
    int     dims, size;      /* of an array: Batches.size[size ...) */
} BatchMember;

typedef struct BatchInfo {   /* a family of equal systems */
    int64_t count;           /* instances */
    int     member, members; /* declarations: Batches.member[member ...); 0: the rest */
    int     state, states;   /* of one instance: Batches.state[state ...) */
    int     known, knowns;   /* parameters that may differ: Batches.known[known ...) */
    int     differ, differs;
    int     torn;    /* unknowns of its largest linear system */
    int     rows;    /* scalar equations of one instance, as written */
    int     part;    /* 1: triplets join its instances to others, see NetPort */
    int     host;    /* of a part without kernels: its results in Network.host, else -1 */
    int     code;    /* of a part: number of its kernels; parts of one class share them */
    int     uniform; /* of a part: what its rates take, Network.uniform[uniform ...) */
    int results; /* of a part: values of an instance that others read, or later kernels */
} BatchInfo;

/* A triplet of a part of a network. An effort is what the components of a node have in common in the
 * implicit section, and an answer what they share out: acceleration and force, or inertial
 * pressure and the derivative of the mass flow. An answer is p + P*effort; see lied/network.c. */
typedef struct NetPort {
    int family;
    int out;     /* 1: signals go out */
    int travels; /* values that go with the signals, before anything implicit */
    int pairs;   /* efforts, and as many answers */
    int given; /* the first of `travels`: in: place among the known, out: among results */
    int effort; /* the first effort: in: among the known, out: among results */
    int law; /* p, then P by rows. out: among the known, in: among results; cut: the answers */
    int group;   /* in: explicit group that reads it, -1 none; out: that gives it */
    int section; /* number in Network.section */
    int cut;     /* in: 1: its effort is an unknown of the network, not passed on */
    int flow;    /* the flow itself among results, where it is a state; -1 */
    int var;     /* the first variable of its flows */
} NetPort;

typedef struct NetSection { /* what is implicit of a part and depends on each other */
    int family;
    int number; /* of its kernel in the family */
    int uniform;
    int port; /* whose efforts it is affine in, -1 none */
    int downs; /* values that are affine in them: rates of states, efforts, answers of cuts */
    int affine; /* among results: downs*(1 + pairs) */
    int value;  /* among results: downs */
    int torn;   /* unknowns that tear it */
} NetSection;

typedef struct NetWire { /* pair k: instance ia + k*sa of port a, ib + k*sb of port b */
    int port_in, port_out;
    int in, out, step_in, step_out, count;
} NetWire;

typedef struct NetGroup { /* explicit values of a part that depend on the same ports */
    int family, number, uniform;
    uint64_t
        reads; /* ports of the family whose signals it needs, by number in the family */
} NetGroup;

/* Forces that no equation of a part determines, as those of a pin, and as many equations of it that are
 * left over: they ask for efforts, and hold once the network is solved. See lied/cut.c. */
typedef struct NetTie {
    int family;
    int count;   /* of forces, and of equations */
    int given;   /* the first force among the known */
    int miss;    /* among results: by how much the first equation is wrong */
    int uniform; /* of its kernel */
} NetTie;

typedef struct Network {
    int               ports, sections, groups, wires, ties, uniforms, hosts;
    int               clock; /* the variable that is the time of the given values */
    int               asks;  /* 1: start values depend on what neighbours give */
    const NetPort    *port;  /* by family */
    const NetSection *section;
    const NetGroup   *group;
    const NetWire    *wire;
    const NetTie     *tie;
    const int        *uniform; /* variables whose values are those of all instances */
    /* Parts without kernels, by result: 1 + the variable that it is, negative: with the opposite sign; 0: it
     * is a difference of two evaluations, or zero. */
    const int *host;
} Network;

/* Families of equal systems, of which the rest of the program holds one instance each; the last is what
 * belongs to none. */
typedef struct Batches {
    int count;  /* 0: the program is not made of families */
    int chosen; /* nobody asked for them: results are as of any program */
    int actions, runs, states, members, sizes, knowns, differs, values, text_bytes;
    const BatchInfo   *batch;
    const BatchMember *member; /* the first of a family is what the program has of it */
    const int         *of_run; /* by run: its family, -1 */
    const int         *of_action; /* by family of actions: the family it is about */
    const int         *state;     /* numbers of states, family by family */
    const int         *size, *known;
    const BatchDiffer *differ;
    const double      *value;
    const char        *text; /* C text of the kernels */
    Network            network;
} Batches;

typedef struct SourceInfos {
    int               count, lines;
    const SourceInfo *source;
    const uint8_t    *line;
} SourceInfos;

typedef struct Program {
    ProgramInfo         info;
    Texts               texts;
    Expressions         expressions;
    Variables           variables;
    VarNames            names;
    Connectors          connectors;
    Reduced             reduced;
    States              states;
    Invariants          invariants;
    FastStates          fast;
    int                 parts;
    Part               *part;
    ClockTable          clocks;
    BlockGraph          graph; /* of the run */
    Batches             batches;
    int                 actions, functions;
    const Pos          *action_pos; /* by family of actions */
    const FunctionInfo *function;
    SourceInfos         sources;
    /* not part of the block: */
    void    *block; /* all that is pointed to above; NULL: a draft that owns nothing */
    size_t   bytes;
    uint64_t hash; /* of the block: two programs with one hash are the same */
} Program;

/* ---- file.c ---- */
/* A program in a block of its own, with the content of a draft; NULL: no memory. */
Program *program_pack(const Program *draft);
/* A program out of a block from mem_take, which it owns then; NULL and why if it is none. */
Program *program_adopt(void *block, size_t bytes, const char **why);
void     program_free(Program *program);

/* ---- program.c ---- */
static inline const char *program_text(const Program *p, int text) {
    return p->texts.text + text;
}
TermPool program_pool(const Program *p);
void     program_name(const Program *p, int var, Text *out);
Pos      program_declared(const Program *p, int var); /* where the variable is declared */
/* The same in instance `at` (from 0) of the family it belongs to, by the name of its declaration. */
void program_instance_name(const Program *p, int var, int64_t at, Text *out);
/* Of the instance itself; nothing for the rest of the model. */
void program_member_name(const Program *p, int family, int64_t at, Text *out);
/* A name in a declaration that another one of its family stands for in the program: by the name of that one.
 * False: it is in none. */
bool program_shown_name(const Program *p, const char *name, Text *out);
bool program_in_many(const Program *p,
                     int            run); /* is it in a family of several instances? */
int  program_state(const Program *p, int var); /* number of a state, -1 if it is none */
/* Is the variable a left limit (of a continuous variable)? And what it is the left limit of. */
bool program_left_of(const Program *p, int var, bool continuous);
int  program_source(const Program *p, int pre);
/* A variable by its name, -1 if there is none. */
int program_find(const Program *p, const char *name);
/* The sources of positions, opened again as far as they are unchanged files; to be released by
 * sources_free. False: no memory. */
bool program_sources(const Program *p, Sources *sources);

typedef struct Equation { /* one equation of a part, for messages */
    const Program *program;
    const Part    *part;
    const Formula *formula;
    const Access  *access; /* of its slots */
    const int     *size;   /* of its array slots */
    int            row;    /* in the group */
    int            item;
} Equation;

Equation program_equation(const Program *p, const Part *part, int item);
/* The variable (or the number) in a slot; of an array the first element. */
int equation_slot(const Equation *e, int slot);
/* (size, step) by dimension of an array slot, and its rank; NULL for a scalar slot. */
const int *equation_sizes(const Equation *e, int slot, int *rank);
void       equation_print(const Equation *e, Term term, Text *out); /* 0: the equation */
bool equation_is_number(const Equation *e, int slot); /* the slot holds no variable */
typedef void UseVariable(void *context, int var);
void         equation_uses(const Equation *e, UseVariable *use, void *context);
void equation_slot_uses(const Equation *e, int slot, UseVariable *use, void *context);

/* ---- effect.c ---- */
typedef struct RowRun { /* rows of one group or family of actions */
    int group, first, count;
} RowRun;

typedef struct Effect {     /* what happens when relations of some blocks change */
    int           fine;     /* it is local, as far as that is seen from here */
    int           rows;     /* scalar equations */
    const RowRun *run;      /* blocks in the order of computation */
    const RowRun *act;      /* actions, their items in the same list */
    const int    *item;     /* rows, run by run */
    const int    *relation; /* whose values may change */
    const int    *input;    /* states that are read */
    const int    *left;     /* left limits of continuous variables that are read */
    const int    *shift;    /* left limits that change */
    const int    *given;    /* discrete unknowns */
    const int    *jump;     /* states that may be set */
    const int    *moved;    /* states whose derivatives or values may change */
    const int    *tied;     /* states that must be integrated together */
    int runs, acts, items, relations, inputs, lefts, shifts, givens, jumps, moves, ties;
} Effect;

/* Work for finding effects: stamps by node, state and variable. */
typedef struct EffectWork {
    int   *mark, *need, *base, *queue, *list; /* by node */
    int   *state_mark, *var_mark;
    int   *made; /* the last effect */
    int    count;
    size_t room;
    int    stamp;
    double spent;   /* nodes visited so far */
    bool   lacking; /* memory ran out */
} EffectWork;

bool effect_work_open(EffectWork *w, const Program *p); /* false: no memory */
void effect_work_close(EffectWork *w);
/* The effect of some blocks together, valid until the next one is made; false: no memory. */
bool effect_make(EffectWork *w, const Program *p, const int *block, int blocks,
                 Effect *out);
/* An effect as stored in graph.effect: count numbers at from. */
Effect effect_read(const int *from);
int    effect_length(const int *from);
bool   relation_follows_states(EffectWork *w, const Program *p, int relation);

#endif
