/* SPDX-License-Identifier: Apache-2.0 */
/* dae.h -- the flat model as integers, and the structural algorithms on it.
 *
 * A variable is a small integer. Variables are made in runs: a run is a scalar or an array
 * whose elements are consecutive (last dimension fastest). An array of components makes
 * one run per variable of its class, with the component dimensions first: r[1:n].v is one
 * run of n elements, not n runs.
 *
 * A row is a shape and one variable per slot. Rows are stored as families: one shape over
 * a rectangular loop nest, where slot k of the row at loop indices i0, i1, ... (from 0) is
 *     base[k] + stride[k][0]*i0 + stride[k][1]*i1 + ...
 * or, where that is not affine, a table. A scalar equation is a family without dimensions.
 *
 * der(x), pre(x) and previous(x) are variables of their own, made for a whole run at once,
 * so that they are affine where x is.
 *
 *   system.c    variables, attributes, families: construction
 *   partition.c which rows and variables tick together; clock.c: when
 *   row.c       one equation under construction: slots, families
 *   name.c      names of variables, rows as Modelica text, dumps
 *
 *   theta.c     powers of THETA: which states are infinitely fast
 *
 *   structure.c the passes in order; growth of tables
 *   contract.c  what holds between the passes
 *   report.c    what each of them gave, as text
 *   alias.c     equal and opposite variables become one; rows without them
 *   number.c    variables that are 0, 1 or -1 for good, or do not change
 *   equal.c     variables that two rows give by the same formula
 *   sums.c      sums that are zero are taken out of other rows
 *   graph.c     which equation uses which unknown, in compressed rows
 *   match.c     an equation for every unknown
 *   index.c     which equations must be differentiated (Pantelides)
 *   states.c    which variables are states (dummy derivatives, StateSelect)
 *   choice.c    can such a choice become singular, and who decided it?
 *   order.c     blocks in the order of computation (Tarjan)
 *   singular.c  what is over- and underdetermined (Dulmage and Mendelsohn)
 *   single.c    calls that have to be solved for their arguments, result by result
 *   discretise.c  states of clocked partitions become unknowns
 *   tear.c      few unknowns that break the loops of a block
 *   steady.c    how long variables keep their values
 *   share.c     what several rows compute, or a torn block again and again, is computed once
 *   initial.c   the system that holds at the start
 *   resting.c   equations that are others at the start
 *   surplus.c   conditions of the start that others determine already
 *   binding.c   parameters computed from parameters
 *   schedule.c  groups of equal kernels, loops along chains, dependencies of blocks
 *   need.c      which groups the derivatives of the states need
 *   home.c      what code finds in the integrator's vectors, and what among all values
 *   fuse.c      values that one row alone needs are computed there
 *
 * What follows the rows works on graphs of integers; see docs/structure.md. */
#ifndef RUBATO_DAE_H
#define RUBATO_DAE_H

#include "expr/expr.h"
#include "program/clock.h"
#include "program/program.h"

/* ---- variables ---------------------------------------------------------------------- */

typedef enum {
    SELECT_NEVER,
    SELECT_AVOID,
    SELECT_DEFAULT,
    SELECT_PREFER,
    SELECT_ALWAYS
} StateSelect;

typedef struct Enumeration {
    Str        name;    /* full path of the type */
    int        count;   /* literals */
    const Str *literal; /* count names, ordinal - 1 */
} Enumeration;

/* ---- rows ----------------------------------------------------------------------------- */

typedef enum {
    ROWS_EQUATION, /* hold always; with EQUATION(v, WHEN(...)) they change at events */
    ROWS_INITIAL,  /* hold at the start only */
    ROWS_ACTION,   /* assert, terminate, reinit and calls without results; inside a
                       when-clause the root is WHEN(condition, action) */
    ROWS_BINDING,  /* parameter = expression over parameters */
    ROWS_SETS
} RowSet;

enum { ROW_DIMS = 6 }; /* loop dimensions of a family; deeper nests are split */

typedef struct Family {
    int32_t  shape;
    int32_t  count;     /* rows */
    uint32_t data;      /* first in sys->data; layout below */
    int32_t  row;       /* number of its first row in its set */
    int32_t  owner;     /* the front end's number of the instance, for messages */
    Pos      pos;       /* of the equation */
    uint8_t  dims;      /* loop dimensions, 0 for a scalar row */
    uint8_t  flags;     /* FAMILY_ */
    uint16_t partition; /* base-clock partition from 1, 0 continuous; see partition.c */
} Family;

/* Data of a family, in sys->data: extent of each dimension; for each array slot, per array
 * dimension, (size, step in variables); then per slot base and one stride per dimension.
 * With FAMILY_TABLE the last part is instead count times one number per slot. */
enum {
    FAMILY_TABLE = 1,   /* slots from a table */
    FAMILY_CONNECT = 2, /* from a connection; for messages */
    FAMILY_BINDING = 4, /* from a declaration equation */
    FAMILY_WHEN = 8     /* from a when-clause */
};

typedef struct Families {
    Family  *family; /* by ascending row */
    int      count;
    uint32_t room;
    int      rows; /* scalar rows */
} Families;

typedef struct Clocks { /* clocked partitions of a system */
    Arena      arena;
    int        vars;   /* that there were when partitions were found ... */
    int       *sub_of; /* ... by these: sub-clock partition, -1 continuous or constant */
    BaseClock *base;
    SubClock  *sub;
    int        bases, subs;
    bool       staggered, remembers; /* see ClockTable */
    /* discretise.c: see ClockTable */
    ClockState *state;
    ClockInput *input;
    ClockShift *shift; /* of hidden variables only */
    int         states, inputs, shifts;
    uint32_t    state_room, input_room, shift_room;
} Clocks;

typedef struct System System;

/* The pattern of the name of the run with this owner and the sizes of its subscripts, NAME_DIMS at
 * most (see program/variables.h); returns how many there are. */
typedef int NamePattern(const void *names, int owner, Text *out, int *size);
/* Appends the name of the component that holds an element; its declaration, or 0 and no text if the
 * variable belongs to the model itself. */
typedef Pos NameComponent(const void *names, int owner, int element, Text *out);

/* An infinitely fast process: THETA^level der(state) = f. Its rate is a variable that is 0
 * wherever the equations hold; see theta.c. */
typedef struct FastState {
    int state, rate; /* variables */
    int level;       /* power of THETA, at least 1; higher ones are faster */
} FastState;

typedef struct ThetaUse {
    int        var;  /* THETA itself, -1 if the model does not use it */
    FastState *fast; /* by ascending state */
    int        count;
    int        vars;           /* of the system when they were found ... */
    bool      *is_rate;        /* ... by variable; NULL: no state is fast */
    int        runs;           /* of variables that the text of the model makes ... */
    uint8_t   *differentiated; /* ... by run: its derivative stands in an equation */
} ThetaUse;

/* State machines (inst/machine.c): what a solver of a clocked partition must know of states. */
typedef struct TickGuard {
    int var; /* has a derivative and lies in a state                           */
    int active,
        reset; /* Booleans: at other ticks it keeps its value; it starts anew    */
    int start; /* its start value                                                */
} TickGuard;

typedef struct TickUse {
    TickGuard *guard;
    int        guards;
    int *condition; /* conditions of transitions: none depends on itself           */
    int  conditions;
    int *when; /* conditions of when-clauses: their partition has a solver method      */
    int  whens;
} TickUse;

enum { RUN_STEP = 16 };

struct System {
    Arena        arena;
    Shapes      *shapes;
    VarRun      *run; /* by ascending first */
    int          runs;
    uint32_t     run_room;
    int          vars;   /* scalar variables */
    int         *run_at; /* run of variable RUN_STEP * k */
    uint32_t     run_at_room;
    Attribute   *attribute;
    int          attributes;
    uint32_t     attribute_room;
    double      *value; /* lists of attributes */
    int          values;
    uint32_t     value_room;
    Families     set[ROWS_SETS];
    int32_t     *data; /* slots of all families */
    uint32_t     datas, data_room;
    int         *replaced; /* rows of ROWS_EQUATION that later rows stand for (sums.c) */
    int          replaceds;
    uint32_t     replaced_room;
    Enumeration *enumeration;
    int          enumerations;
    uint32_t     enumeration_room;
    Clocks      *clocks; /* NULL: there are none */
    ThetaUse     theta;
    TickUse      machines;
    Connectors   connectors;       /* texts are numbers of strings; in the arena */
    NamePattern *name_pattern;     /* NULL: variables print as v17 */
    NameComponent *name_component; /* NULL: unknown */
    const void    *names;          /* passed to both */
};

/* ---- system.c ------------------------------------------------------------------------- */

void system_init(System *sys, Shapes *shapes);
void system_free(System *sys);
/* A new run; its number. Element 0 is variable sys->run[result].first; sys->run moves when it
 * grows, so take the result first. */
int system_run(System *sys, VarKind kind, Type type, int count, int owner, Pos pos);
/* der(v), pre(v), previous(v): the variable, made with its whole run when first asked. */
int system_der(System *sys, int var);
/* The same, but of an infinitely fast element among slow ones, whose der is its rate: how its
 * equilibrium moves. */
int system_motion(System *sys, int var);
int system_pre(System *sys, int var);
int system_previous(System *sys, int var);
int system_enumeration(System *sys, Str name, const Str *literal, int count);

void system_value(System *sys, int run, AttributeName name, double value);
void system_text(System *sys, int run, AttributeName name, Str text);
void system_list(System *sys, int run, AttributeName name, const double *value, int n);
void system_variable(System *sys, int run, AttributeName name, int var, int stride);
/* The table of variables as everybody sees it; and what is asked of it most, as in variables.h. */
static inline Variables system_variables(const System *sys) {
    return (Variables){.vars = sys->vars,
                       .runs = sys->runs,
                       .attributes = sys->attributes,
                       .values = sys->values,
                       .run = sys->run,
                       .attribute = sys->attribute,
                       .value = sys->value};
}
int system_run_of(const System *sys, int var);
/* That of its run, but for rates: an array may have fast and slow elements. */
VarKind          system_kind(const System *sys, int var);
const Attribute *system_attribute(const System *sys, int run, AttributeName name);
double           system_nominal(const System *sys, int var);
bool             system_known(const System *sys, int run, AttributeName name, int element,
                              double *value);
size_t system_bytes(const System *sys); /* memory of runs, attributes and families */

/* ---- partition.c, clock.c ---- */
/* Finds the clocked partitions and cuts families that are in several. False: reported. */
bool system_partition(System *sys, Diag *diag);
void clocks_report(const System *sys, Text *out); /* a line for each partition */
int  system_sub(const System *sys, int var);      /* sub-clock partition, -1 continuous */
int  system_partition_of(const System *sys,
                         int           var); /* base-clock partition from 1, 0 none */

/* ---- row.c ----------------------------------------------------------------------------- */

typedef struct RowSlot {
    int32_t base;
    int32_t stride[ROW_DIMS];
    uint8_t kind; /* TERM_SLOT, TERM_NUMBER, TERM_ARRAY_SLOT */
    uint8_t type, rank;
    bool    apart; /* it came in under an operator that leads to another clock */
    int32_t size[ROW_DIMS], step[ROW_DIMS]; /* by array dimension */
} RowSlot;

typedef struct Row { /* one equation under construction; zeroed or row_begin */
    System  *sys;
    int      dims;
    int32_t  extent[ROW_DIMS];
    int      slots;
    uint32_t room;
    RowSlot *slot;  /* reused from row to row; row_free releases it */
    Map      found; /* slots by key, used when they are many */
} Row;

void row_begin(Row *row, System *sys, int dims, const int *extent);
void row_free(Row *row);
/* The slot of a variable: `var` in the first row, + stride[d] per step of loop d; stride
 * NULL means 0. The same variable asked for twice is the same slot. */
Term row_var(Row *row, int var, const int *stride);
/* An integer of the row, e.g. the loop index: base + stride[d]*i. */
Term row_number(Row *row, int base, const int *stride);
/* An array of variables: element (j0, j1, ...) from 0 is var + step[0]*j0 + ... Sizes are
 * data of the row, so the shape does not depend on them. */
Term row_array(Row *row, int var, const int *stride, int rank, const int *size,
               const int *step);
/* der(e) of any expression of the row: der(x) of a variable, the chain rule otherwise.
 * Parameters and discrete variables are constant. 0 if there is none; *reason says why. */
Term row_der(Row *row, Term e, const char **reason);
/* Adds the family; its number in the set. flags are FAMILY_. An extent of 0 adds none: -1. */
int row_end(Row *row, RowSet set, Term root, int flags, int owner, Pos pos);
/* A family with a table: count rows of shape, slot[r*slots + k] in the shape's slot order.
 * sizes: (size, step) per dimension of each array slot, NULL if the shape has none. */
int system_table(System *sys, RowSet set, int shape, int count, const int *slot,
                 const int *sizes, int flags, int owner, Pos pos);

/* Reading rows: family that holds a row; its variable in each slot. */
const Family *system_family(const System *sys, RowSet set, int row);
void          family_slots(const System *sys, const Family *family, int index, int *slot);
/* The smallest and the largest variable of slot k in its rows; false: the slots are in a table. */
bool family_range(const System *sys, const Family *family, int k, int *low, int *high);
/* (size, step) pairs of array slot k, and its rank; NULL for a scalar slot. */
const int32_t *family_sizes(const System *sys, const Family *family, int slot, int *rank);

typedef struct RowWalk { /* all rows of a set in turn; zero but for sys and set */
    const System         *sys;
    RowSet                set;
    Family                family; /* a copy: rows may be added on the way */
    int                   row;    /* in the set */
    int                  *slot;   /* variables by slot */
    const int32_t *const *sizes;  /* family_sizes by slot, NULL if it has no arrays */
    const int32_t       **size;   /* memory of sizes */
    int next, index, slot_room, size_room; /* family and row after; room in slot, size */
} RowWalk;

bool row_walk(
    RowWalk *walk); /* to the next row; false: there is none, memory is released */

/* ---- name.c ----------------------------------------------------------------------------- */

void system_name(const System *sys, int var, Text *out);
Pos  system_component(const System *sys, int var, Text *out);      /* see NameComponent */
void row_print(const System *sys, RowSet set, int row, Text *out); /* Modelica text */
void system_dump(const System *sys, Text *out, int most); /* at most `most` rows a set */

/* Modelica text of a part of a row. */
void row_print_term(const System *sys, const RowWalk *walk, Term term, Text *out);

/* ---- theta.c: needs rows; gives sys->theta, rates of fast states ---- */
void theta_find_derivatives(System *sys); /* gives sys->theta.differentiated */
/* The Real parameters with these names, which have commas between, and the derivatives of
 * variables with these names; NULL: none. False: diag says which is none. */
bool theta_named(const System *sys, const char *names, int **list, int *count,
                 Arena *arena, Diag *diag);
/* times: parameters and derivatives that are to be multiplied by THETA. False: diag says why. */
bool theta_analyse(System *sys, const int *times, int count, Diag *diag);
void theta_print(const System *sys, Text *out);

/* ---- structure ---------------------------------------------------------------------------- */

/* how an equation can give an unknown, best last */
typedef enum {
    EDGE_NEVER,     /* it only uses the unknown */
    EDGE_IMPLICIT,  /* by Newton's method, or in a linear system */
    EDGE_VARIABLE,  /* by a formula that divides by something that changes */
    EDGE_PARAMETER, /* by a formula that divides by parameters */
    EDGE_ALWAYS     /* by a formula without such a division */
} EdgeKind;

typedef struct Graph { /* compressed rows: equation -> unknowns it uses */
    int      rows, cols;
    int     *start;   /* rows + 1 */
    int     *col;     /* start[rows] */
    uint8_t *kind;    /* EdgeKind of each; NULL if not asked for */
    bool     current; /* of a structure: rows and roles have not changed since */
} Graph;

typedef struct Block {
    uint8_t kind;      /* BlockKind */
    uint8_t matrix;    /* MatrixKind */
    uint8_t piecewise; /* linear as long as relations keep their values */
    uint8_t discrete;  /* EXPLICIT, CALL: evaluated at events only */
    int     first;  /* equations st->order[first .. first + count); explicit ones in the
                          order of evaluation, then the residuals */
    int     count;  /* equations = unknowns */
    uint8_t sparse; /* too many iteration variables: all unknowns, sparse */
    int     torn;   /* residuals and iteration variables; 0 for EXPLICIT and CALL */
} Block;

typedef enum {               /* of states between which a constraint leaves a choice */
               CHOICE_SAFE,  /* it cannot become singular, or there is none */
               CHOICE_ASKED, /* it may become singular; stateSelect decided */
               CHOICE_OPEN   /* none is good for ever: all candidates are states */
} Choice;

typedef struct StateSet { /* constraints that leave a choice of states */
    int     first, rows;  /* constraint rows: StateSets.row[first ...) */
    int     begin, vars;  /* candidates: StateSets.var[begin ...), states first */
    int     states;       /* candidates that are states: vars - rows + open */
    int     open;         /* rows that take none away: their constraints are invariants */
    uint8_t choice;       /* Choice: the worst of its rows */
} StateSet;

typedef struct StateSets {
    StateSet *set;
    int       count;
    int      *row, *var; /* of all sets */
} StateSets;

typedef struct Drift { /* constraints that states keep by themselves, up to drift */
    int *row, rows;
    int *state, states;         /* variables: the states that share them */
    int *row_part, *state_part; /* parts that share nothing, ascending from 0 */
    int  parts;
} Drift;

/* Structure.source of other rows: row k of ROWS_INITIAL is SOURCE_INITIAL - k, row k of
 * ROWS_BINDING is SOURCE_BINDING - k. SOURCE_START: x = start and
 * the equations of solvers, which have no row. */
enum { SOURCE_INITIAL = -1, SOURCE_BINDING = -1000000000, SOURCE_START = -2000000000 };

typedef enum { /* the last pass that a structure went through */
               DONE_NOTHING,
               DONE_ALIASES,
               DONE_INDEX,
               DONE_STATES,
               DONE_MATCH,
               DONE_ORDER,
               DONE_TEAR
} StructurePass;

typedef enum {
    VARIES,
    STILL, /* parameters alone determine it: its derivative is 0 */
    IS_ZERO,
    IS_ONE,
    IS_MINUS_ONE
} Constancy;

typedef struct Structure {
    Arena   arena;
    System *sys;
    Diag   *diag; /* messages go here; may be NULL */
    int     base; /* base-clock partition that it is of, 0: the continuous one */
    uint8_t done; /* StructurePass */

    struct {
        int      var, row, eq; /* items that there is room for */
        uint32_t slot;
    } room;
    /* by variable; all grow with sys->vars */
    int      vars;
    int     *alias;      /* the variable it equals, itself if none */
    int8_t  *sign;       /* this = sign * alias */
    uint8_t *constancy;  /* Constancy: rows are written without what is a number */
    uint8_t *role;       /* Role */
    uint8_t *select;     /* StateSelect, merged over aliases */
    int     *start_from; /* variable whose start attribute holds for it */
    int     *next;       /* its derivative: a variable, -1 if none */
    int8_t  *next_sign;  /* der(this) = next_sign * next */
    int     *prev;       /* the variable whose derivative it is, -1 if none */
    int     *eq_of;      /* equation matched to it, -1 if none */
    uint8_t
        *lasts; /* MatrixKind: what was found beyond its declaration; of the tear pass */

    /* rows without aliases */
    int      rows;
    int     *shape;
    int     *first;  /* slots are slot[first[r] ...), then (size, step) of array slots */
    int     *source; /* row in ROWS_EQUATION it came from, or SOURCE_ */
    int     *of;     /* row it is the derivative of, -1 if none */
    int     *slot;
    uint32_t slots;

    /* equations: a row with several results is several equations */
    int  eqs;
    int *eq_row;  /* row */
    int *eq_part; /* which result, 0 if it has one */
    int *var_of;  /* unknown matched to it, -1 if none */
    int *deq;     /* equation that is its derivative, -1 if none */

    Graph graph; /* equations x variables, unknowns only; after structure_graph */

    StateSets sets;
    Drift     drift;

    Block *block; /* in the order of computation */
    int    blocks;
    int   *order;    /* eqs: equations block by block */
    int   *block_of; /* by equation */

    int states;
    struct {
        int aliases, differentiated;
    } count;    /* for reports */
    bool plain; /* no derivatives, no selection of states: no tables for them */
} Structure;

/* The passes; what each needs, gives and breaks stands above it. False: diag says why. */
void structure_aliases(Structure *st, System *sys, int base, Diag *diag);
bool structure_index(Structure *st);
void structure_states(Structure *st);
bool structure_match(Structure *st);
void structure_order(Structure *st);
void structure_tear(Structure *st);
/* After tear: relations see through variables of time alone (timely.c). */
void structure_timely(Structure *st);
/* After tear: expressions that are computed once become rows of their own (share.c). */
void structure_share(Structure *st);
/* Match, order and tear in turn; and all passes up to there, for those who do not look on. */
bool structure_solve(Structure *st);
bool structure_analyse(Structure *st, System *sys, Diag *diag);
/* Values that lead from one clocked partition to another (coupling.c). */
void couplings_report(const System *sys, Text *out);
/* A partition with a solver method has something that needs it, there. False: reported, it could be another one
 * as well (discrete.c). */
bool clocks_need_method(const System *sys, int sub, Pos pos, Diag *diag);
/* Rules of clocked partitions without a solver method. False: reported. */
bool clocks_check(System *sys, Diag *diag);
/* The system that holds at the start, over the same variables; st is the simulation, bindings the
 * parameters that are computed from others, NULL if there are none. */
bool structure_initial(Structure *in, const Structure *st, const Structure *bindings,
                       Diag *diag);
/* Notes about what is determined too often or not at all, after the message that equations and
 * unknowns differ in number. */
void structure_explain(System *sys, Diag *diag);
/* The parameters that are computed from others, over the same variables, except those that get
 * their value from outside: given[0 .. givens). Needs: a zeroed or freed st. */
bool structure_bindings(Structure *st, System *sys, const int *given, int givens,
                        Diag *diag);
void structure_free(Structure *st);
/* Gives up rows, equations and their graph: states, sets and names are left for reports. */
void structure_shed(Structure *st);
/* The family a row came from. */
const Family *structure_family(const Structure *st, int row);
void          structure_grow(Structure *st); /* after sys->vars changed */
/* Room for that many more rows and their slots, so that tables are not moved again and again. */
void structure_reserve(Structure *st, int rows, uint32_t slots);
int  structure_add_row(Structure *st, int shape, const int *slot,
                       const int32_t *const *sizes, int source, int of);
/* (size, step) pairs of array slot k of a row, and its rank. */
const int32_t *structure_sizes(const Structure *st, int row, int k, int *rank);
int            structure_add_equation(Structure *st, int row, int part);
void           structure_add_equations(Structure *st); /* of all rows */
Pos            structure_pos(const Structure *st, int row);

/* ---- discretise.c ---- */
void structure_inline_late(Structure *st); /* of a clocked partition with its states */
/* Of a clocked partition: every state gets the equation of its solver. False: reported. */
bool structure_discretise(Structure *st);
/* Does the row bring a value into a partition, or advance a state by a step? */
bool structure_is_early(const Structure *st, int row);
/* An expression in which firstTick() is known. */
Term first_tick_is(Shapes *shapes, Term root, bool value);
bool term_has(Shapes *shapes, Term root, TermOp op);
/* After order: every block lies in one phase of one sub-clock partition. False: reported. */
bool structure_has_phases(const Structure *st);
/* Must the equation wait at a tick for the one that gives this variable? */
bool structure_waits(const Structure *st, int eq, int var);
/* Phase of the equation, from 0 in its base-clock partition; -1 outside of clocked ones. */
int structure_phase(const Structure *st, int eq);

/* ---- contract.c: what holds after a pass; linear in variables, equations and edges ---- */
bool structure_is_reduced(const Structure *st);        /* aliases */
bool structure_is_differentiated(const Structure *st); /* index */
bool structure_has_states(const Structure *st);        /* states */
bool structure_is_matched(const Structure *st);        /* match */
bool structure_is_ordered(const Structure *st);        /* order */
bool structure_is_torn(const Structure *st);           /* tear */

/* ---- report.c ---- */
typedef struct RowText { /* whose slots are written */
    const Structure *st;
    int              row;
} RowText;
void structure_print_row(const Structure *st, int row, Text *out);
void structure_print_term(const Structure *st, int row, Term term, Text *out);
void structure_report(const Structure *st, Text *out, int most);
/* What the passes gave. */
void structure_print_aliases(const Structure *st, Text *out);
void structure_print_index(const Structure *st, Text *out);
void structure_print_states(const Structure *st, Text *out);
void structure_print_match(const Structure *st, Text *out);
void structure_print_order(const Structure *st, Text *out);
void structure_print_tear(const Structure *st, Text *out);
/* A line for each set of states whose choice is at least so bad. */
void structure_report_sets(const Structure *st, Choice least, Text *out);

/* ---- alias.c: needs sys; gives alias, roles, rows, eqs ---- */
void alias_reduce(Structure *st);

/* ---- sums.c: needs rows without aliases ---- */
/* True if rows of the system were replaced: aliases must be looked for again. */
bool sums_take_out(Structure *st);

/* ---- graph.c ---- */
/* Calls use(context, var, slot) for every unknown-or-other variable of a row that matters at
 * this instant; slot is the scalar slot or the array slot it stands in. */
typedef void UseVar(void *context, int var, int slot);
void         structure_uses(const Structure *st, int row, UseVar *use, void *context);
void         structure_graph(Structure *st); /* gives graph with kinds */
/* After unknowns became known: the graph without them. */
void  structure_narrow(Structure *st);
Graph graph_transpose(const Graph *graph, Arena *arena);
/* Some rows of a graph; its columns are number[column] - 1, and those with 0 are left out, as are
 * edges of a lesser kind. */
Graph graph_part(const Graph *graph, const int *row, int rows, const int *number,
                 int cols, EdgeKind least, Arena *arena);
bool structure_multiple(const Structure *st, int row); /* left side is a tuple or array */
int  structure_results(const Structure *st, int row);  /* how many scalars it gives */
/* The variable that result `part` of a row with several results stands for, -1 if known. */
int structure_result(const Structure *st, int row, int part);
/* Scalar `part` of the left side and what gives it, as terms; 0 if the row is of another form. */
Term structure_part(const Structure *st, int row, int part, Term *value);
/* The kept variable that moves at the rate `var`; -1 if it is no rate (theta.c). */
int structure_fast_state(const Structure *st, int var);
/* The coefficient of a variable in a row, if it is made of parameters whose values are known. */
bool structure_coefficient(const Structure *st, int row, int var, double *value);

/* ---- match.c ---- */
/* Enlarges a matching to a largest one along edges of at least `kind` to columns with
 * allow[col] (NULL: all). row_of and col_of hold -1 where free. Returns matched rows. */
int match_largest(const Graph *graph, EdgeKind kind, const bool *allow, int *col_of,
                  int *row_of);
/* Rows path[0 .. last]: the last one takes the column, each other that of the next. */
void match_path(const int *path, int last, int column, int *col_of, int *row_of);

/* ---- index.c, states.c: need eqs, graph; give derivative rows, roles, sets ---- */
/* Variables with at least this StateSelect may become states though they are not differentiated. */
bool index_reduce(Structure *st, StateSelect wish);
bool index_wishes(const Structure *st, StateSelect wish); /* are there any? */
void states_select(Structure *st);

/* ---- singular.c ---- */
typedef struct Singular {       /* parts of a system without a complete matching */
    int *over_row, over_rows;   /* too many equations ... */
    int *over_col, over_cols;   /* ... for these unknowns */
    int *under_row, under_rows; /* these equations ... */
    int *under_col, under_cols; /* ... have too many unknowns */
} Singular;

/* wanted[col]: a column that needs a row. */
Singular singular_parts(const Graph *graph, const bool *wanted, const int *col_of,
                        const int *row_of, Arena *arena);
/* One error with notes; without headline only the notes, after a message already made. */
void singular_report(const Structure *st, const Singular *parts, bool headline);

/* ---- single.c ---- */
/* Takes rows with several results among these equations apart: numbers of rows change, those of equations
 * do not, the graph has to be made again. False: there is none that can be solved for its arguments. */
bool structure_single(Structure *st, const int *eq, int eqs);

/* ---- order.c ---- */
/* Strong components of "row uses the column of": component numbers in order of computation,
 * rows sorted by it. Returns the number of components; start has one more entry. */
int  order_components(const Graph *graph, const int *row_of, int *sorted, int *start,
                      Arena *scratch);
void order_blocks(Structure *st);

/* ---- tear.c ---- */
void tear_blocks(Structure *st);

/* ---- steady.c: needs blocks up to this one, torn ---- */
bool       steady_is_stepwise(const Structure *st, int var); /* it moves in steps */
MatrixKind steady_lasts(const Structure *st, int var); /* how long it keeps its value */
/* Nothing that the rows of an action see varies between events. */
bool steady_happens(const Structure *st, const Family *family);
/* Marks a block that gives nothing new between events. */
void steady_block(Structure *st, int b);

/* ---- schedule.c ---------------------------------------------------------------------------- */

typedef enum {
    KERNEL_SOLVE,    /* the equation solved for one slot */
    KERNEL_RESIDUAL, /* left - right */
    KERNEL_CALL,     /* all results of the row */
    KERNEL_PART,     /* one result of a row with several, inside a loop */
    KERNEL_REST      /* its residual */
} KernelKind;

typedef struct Kernel { /* one piece of code for many rows */
    uint8_t kind;       /* KernelKind */
    int     shape;
    int     slot; /* SOLVE: the slot it gives; PART, REST: the result; else -1 */
} Kernel;

typedef struct Plan {
    const Structure *st;
    Kernel          *kernel;
    int              kernels;
    Group           *group; /* in the order of computation */
    int              groups;
    int             *body; /* kernel numbers */
    Access          *access;
    int             *table;
    int             *item;
    uint32_t         bodies, accesses, tables, items, kernel_room, group_room, body_room,
        access_room, table_room, item_room;
    Map   kernel_of; /* (shape, slot, kind) -> kernel */
    Graph uses;      /* block -> blocks whose results it uses */
    Arena arena;     /* of uses, written, copied */
    bool  selective; /* code for single rows of groups is wanted too */
    bool  guarded;   /* rows give no variable whose value came from outside (Rb.given) */
    /* by state, in the order of variables; see home.c */
    uint8_t *written; /* code writes its derivative where the integrator wants it */
    uint8_t *copied;  /* code reads it among the values too */
    /* of src/gen, in arena: relations of all kernels; NULL: every text looks for them */
    struct Holds *holds;
} Plan;

/* Needs: blocks, torn. Gives: kernels, groups, their rows and variables, dependencies of blocks. */
void plan_groups(Plan *plan, const Structure *st);
/* Groups, needs and homes in turn, for those who do not look on. */
void plan_make(Plan *plan, const Structure *st);
void plan_free(Plan *plan);
void plan_report(const Plan *plan, Text *out);
/* The variable in a slot, for row i. */
static inline int plan_variable(const Plan *plan, const Access *access, int i) {
    return access->table >= 0 ? plan->table[access->table + i]
                              : access->base + access->stride * i;
}
/* Iteration variable k of block `row` of a loop group. */
int plan_iteration(const Plan *plan, const Group *group, int row, int k);

/* Contracts, and what the passes below gave. */
bool plan_is_complete(const Plan *plan); /* groups: every row once, after what it uses */
bool plan_has_needs(const Plan *plan);   /* needs: what is needed needs nothing shown */
bool plan_has_homes(
    const Plan *plan); /* homes, fuse: accesses lie inside of their homes */
bool plan_homes_agree(const Plan *plan); /* ... and hold the variable, row by row */
void plan_print_needs(const Plan *plan, Text *out);
void plan_print_homes(const Plan *plan, Text *out);

/* ---- need.c: needs groups and uses; gives Group.shown ---- */
void plan_needs(Plan *plan);

/* ---- home.c: needs groups and needs; gives the homes of accesses, written, copied ---- */
void plan_homes(Plan *plan);

/* ---- fuse.c: needs homes; gives groups that store fewer values; breaks that a row stands in one
 * group only ---- */
/* Values that one other row alone needs are computed there and not stored. Not for plans whose
 * rows are evaluated one by one. */
void plan_fuse(Plan *plan);

#endif
