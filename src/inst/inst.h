/* SPDX-License-Identifier: Apache-2.0 */
/* inst.h -- from classes to a typed instance tree and typed equations.
 *
 *   front.c      data with the lifetime of one translation; built-in classes
 *   class.c      classes in their context: elements, base classes, views under modification
 *   lookup.c     names: scopes, imports, encapsulated, composite names
 *   mod.c        modifiers, merged outer ones first, each with the scope it is resolved in
 *   instance.c   components: types, sizes, conditions, inner/outer;  binding.c: their values
 *   type.c       types and their texts
 *   expr.c       expressions -> typed expressions      (operator.c: operators, overloading)
 *   node.c       typed expressions: made, searched, copied
 *   call.c       calls of functions, constructors, reductions
 *   builtin.c    the one table of built-in operators and functions
 *   clause.c     equations and statements -> typed ones;  cut.c: removed connections
 *   deduce.c     ranges of iterators that are written without a range
 *   func.c       functions: signature, body
 *   value.c      values;  eval.c, exec.c: evaluation of expressions and statements;  need.c: for
 *                the translation itself
 *   mockup.c     classes that stand for FMUs
 *   foreign.c    calls of external functions during translation
 *   joints.c     connect equations -> pairs of connectors
 *   connect.c    pairs -> sets -> equations (causality.c, expandable.c, graph.c, stream.c)
 *   machine.c    state machines (chapter 17) -> equations: which there are
 *   activity.c   ... when a state is active;  guard.c: equations of states
 *   merge.c      ... variables that several states determine;  share.c: by connections
 *   draw.c       state machines as a graph
 *   iterator.c   copies of equations with a value for an iterator
 *   check.c      rules about classes, modifiers and redeclarations
 *   restrict.c   what specialised classes may hold
 *   unit.c       unit expressions;  measure.c: units of equations, warnings
 *   model.c      the whole model: every equation of every instance, balance
 *   closed.c     components that nothing crosses the border of
 *   alike.c      components of equal structure, by a hash of their trees
 *   fold.c       arrays of components, and components that are alike, are translated once
 *   rules.c      rules of connection in networks of triplets
 *   network.c    components that triplets join: each is translated once, its connections are numbers
 *   balance.c    messages for unbalanced models;  local.c: balance of single classes
 *   print.c      the flat model as text
 *   resolve.c    what a name in a text means, for editors and the linter (resolve.h)
 *   look.c       every class by itself, also those that are no models
 *
 * How it works. A Cls is a class definition in a context: the definition, the enclosing
 * Cls and the class modifications that apply to it (mainly redeclarations). Its elements
 * are found lazily, and its own elements without reading base classes, so that looking up a
 * name opens only the files that the lookup needs. A base class under modifications is a
 * separate Cls (a view), in which names written in the base class find redeclared elements.
 * An Inst is a component. Modifiers of values are stored in instances, so all resistors
 * share one Cls. An array of components is one Inst with dimensions. Names in equations are
 * resolved to Inst pointers. An equation of an instance inside arrays holds for all indices
 * of the enclosing arrays: a reference to a sibling needs no subscripts for them (Tx.base).
 *
 * This header does not include the syntax tree, so that later stages do not depend on it.
 *
 * Cost: linear in the number of used classes and of instances, independent of array sizes. */
#ifndef RUBATO_INST_H
#define RUBATO_INST_H

#include "base/base.h"

struct Class;
struct Element;
struct Component;
struct Components;
struct Expr;
struct ExprList;
struct Clause;
struct Library;
struct Session;
struct Package;
struct Mods;

typedef struct Front    Front;
typedef struct Cls      Cls;
typedef struct Elem     Elem;
typedef struct Md       Md;
typedef struct Inst     Inst;
typedef struct Tx       Tx;
typedef struct IterVar  IterVar;
typedef struct Func     Func;
typedef struct Builtin  Builtin;
typedef struct Value    Value;
typedef struct Equ      Equ;
typedef struct EquList  EquList;
typedef struct Annotate Annotate;
typedef struct Machines Machines;

/* ---- types ------------------------------------------------------------------------- */

typedef enum {
    BASIC_BAD, /* reported; silences everything that follows            */
    BASIC_REAL,
    BASIC_INTEGER,
    BASIC_BOOLEAN,
    BASIC_STRING,
    BASIC_ENUM,
    BASIC_CLOCK,
    BASIC_RECORD,
    BASIC_OBJECT,    /* external object                                       */
    BASIC_COMPONENT, /* model, block, connector with members: not a value     */
    BASIC_FUNCTION,  /* a function as argument                                */
    BASIC_TUPLE,     /* several results                                       */
    BASIC_NONE       /* no value                                              */
} Basic;

typedef struct Ty {   /* of an expression; passed by value                     */
    uint8_t    basic; /* Basic                                                 */
    uint8_t    ndim;  /* array dimensions                                      */
    const int *dim;   /* sizes, -1 if not known before run time                */
    Cls       *cls;   /* ENUM, RECORD, OBJECT, FUNCTION, COMPONENT; else NULL  */
    Inst      *rec;   /* RECORD, COMPONENT: an instance whose children are the fields */
} Ty;

typedef enum { VARY_CONSTANT, VARY_PARAMETER, VARY_DISCRETE, VARY_CONTINUOUS } Vary;

/* ---- instances ---------------------------------------------------------------------- */

typedef struct Scope { /* where a name is looked up                               */
    Cls  *cls;         /* class whose text it stands in                           */
    Inst *inst;        /* the instance of that class; NULL: the class as package  */
} Scope;

typedef enum { INST_NEW, INST_BUSY, INST_DONE, INST_BAD } InstState;
typedef enum { STEP_NEW, STEP_BUSY, STEP_DONE } StepState;
typedef enum { WAY_NONE, WAY_INPUT, WAY_OUTPUT } Way;
typedef enum { CONN_NONE, CONN_FLOW, CONN_STREAM } ConnKind;

typedef struct Prefixes {
    bool inner, outer, protected_, final;
    bool hidden; /* implicit inner */
    bool made;   /* by translation: nobody declares it */
    bool theta;  /* stands for THETA: a symbol, not a number (dae/theta.c) */
    bool grows;  /* member of an expandable connector: connects tell its sizes */
    bool sized;  /* ... which something else has used already */
} Prefixes;

typedef struct GivenValue {   /* the value a declaration or modifier gives           */
    const struct Expr *text;  /* NULL if none                                        */
    Scope              scope; /* where to resolve it                                 */
    Tx                *tx;    /* typed, after inst_bind; NULL if none                */
    Inst              *base;  /* instance relative to which tx has dimensions        */
    uint8_t            state; /* StepState                                           */
    bool               each;  /* carries each                                        */
} GivenValue;

typedef struct Evaluation { /* of a constant or structural parameter                  */
    Value  *known;          /* its value                                              */
    uint8_t state;          /* StepState                                              */
    uint8_t circle;         /* StepState of the search for circles of parameters      */
} Evaluation;

struct Inst {
    Str      name;   /* 0 for the root                                              */
    int      id;     /* number in front->inst                                       */
    Pos      pos;    /* of its declaration                                          */
    Inst    *parent; /* NULL for the root and for package and prototype instances   */
    Cls     *cls;    /* class after redeclaration                                   */
    Elem    *elem;   /* NULL for roots                                              */
    Md      *md;     /* modifiers of its contents and value; NULL if none           */
    uint8_t  basic;  /* Basic                                                       */
    uint8_t  state;  /* InstState                                                   */
    uint8_t  vary;   /* Vary, as declared, with the prefixes of components around it */
    uint8_t  way;    /* Way                                                         */
    uint8_t  conn;   /* ConnKind                                                    */
    bool     connector, expandable; /* its class is one                             */
    Prefixes prefix;
    bool     absent;       /* condition is false                                     */
    bool     structural;   /* a parameter whose value was needed to translate        */
    bool     evaluate;     /* annotation(Evaluate = true)                            */
    bool     is_package;   /* stands for a package: children are made when asked for */
    bool     in_function;  /* variable of a function                                 */
    bool     in_connector; /* is, or lies in, a connector                            */
    bool     sampled;      /* set in a when-clause                                   */
    bool     derived;      /* der() of it appears                                    */
    bool     connected;    /* appears in a connect                                   */
    Pos      why;          /* structural: the place that needed it                   */
    int      ndim;         /* its own array dimensions                               */
    int     *dim;          /* sizes; -1 not known (functions)                        */
    Cls  **dim_type; /* Boolean or enumeration as dimension, NULL Integer; NULL if none */
    Tx   **dimx;     /* functions: size expressions, NULL where `:`                */
    Inst **child;    /* by element of the class, NULL where not yet made           */
    int    nchild;   /* elements of the class that are components                  */
    Inst  *link;     /* outer: the inner it stands for; NULL otherwise             */
    GivenValue binding;
    Evaluation evaluation;
    Map        local;    /* classes of this instance: Elem -> Cls                      */
    int        first;    /* first scalar number, set by model_number; -1 before        */
    int        node;     /* variable of a connector: first node, see connect.c         */
    int        slot;     /* functions: place in the frame                              */
    int        unit;     /* 1 + number in front->measure, 0 not looked for, -1 none    */
    Inst      *alias_of; /* expandable: member added for this one; NULL                */
};

/* ---- values --------------------------------------------------------------------------- */

struct Value {
    uint8_t    basic; /* Basic                                                    */
    int        ndim;  /* 0 scalar                                                 */
    const int *dim;
    int        count; /* elements                                                 */
    Cls       *cls;   /* ENUM, RECORD                                             */
    Inst      *rec;   /* RECORD: prototype of its fields                          */
    union {
        double      *real;    /* REAL                                             */
        int64_t     *integer; /* INTEGER, BOOLEAN, ENUM (ordinal from 1)          */
        const char **string;  /* STRING                                           */
        Value      **item; /* RECORD: count * fields, by element then field; FUNCTION */
    };
    int   nfield; /* RECORD                                                       */
    Func *func;   /* FUNCTION: item holds bound arguments by input, NULL open      */
};

/* ---- typed expressions ------------------------------------------------------------------ */

typedef enum {
    TX_BAD,
    TX_INTEGER, /* i                                                         */
    TX_REAL,    /* r                                                         */
    TX_BOOLEAN, /* i                                                         */
    TX_STRING,  /* s                                                         */
    TX_ENUM,    /* i ordinal, type.cls                                       */
    TX_TIME,
    TX_REF,   /* inst, base; arg: one subscript for each dimension between
                     base (exclusive) and inst; NULL or TX_COLON: whole dimension */
    TX_ITER,  /* iter                                                      */
    TX_COLON, /* whole dimension                                           */
    TX_NEG,   /* arg[0]                                                    */
    TX_NOT,
    TX_ADD,
    TX_SUB,
    TX_MUL,
    TX_DIV,
    TX_POW, /* two arguments, the array rules of Modelica */
    TX_MUL_EACH,
    TX_DIV_EACH,
    TX_POW_EACH, /* element by element, scalars spread */
    TX_ADD_EACH,
    TX_SUB_EACH,
    TX_AND,
    TX_OR,
    TX_LT,
    TX_LE,
    TX_GT,
    TX_GE,
    TX_EQ,
    TX_NE,
    TX_IF,        /* condition, value, condition, value, ..., value            */
    TX_ARRAY,     /* arg: elements; dimension n first                          */
    TX_RANGE,     /* start, stop or start, step, stop                          */
    TX_RECORD,    /* arg: fields in order of type.rec's children               */
    TX_FIELD,     /* arg[0].inst: field of a record value                      */
    TX_SUBSCRIPT, /* arg[0] subscripted by arg[1..]; TX_COLON or NULL: whole   */
    TX_CALL,      /* func(arg); i: which output, -1 all; arg NULL: default; vectorised
                     calls have type.ndim larger than the output's             */
    TX_BUILTIN,   /* builtin(arg)                                              */
    TX_REDUCE,    /* op i: REDUCE_; arg[0] body, arg[1..] ranges; iters        */
    TX_TUPLE,     /* arg; NULL where left out                                  */
    TX_PARTIAL    /* func with some arguments bound: arg by input, NULL open   */
} TxKind;

typedef enum {
    REDUCE_ARRAY,
    REDUCE_SUM,
    REDUCE_PRODUCT,
    REDUCE_MIN,
    REDUCE_MAX
} ReduceKind;

struct IterVar { /* an iterator of a for or a reduction                       */
    Str name;
    Pos pos;
    Ty  type;  /* of one value                                              */
    Tx *range; /* values it takes                                           */
    int id;    /* unique                                                    */
};

struct Tx {
    uint8_t  kind; /* TxKind                                                    */
    uint8_t  vary; /* Vary                                                      */
    uint16_t n;    /* arguments (large constructors: at most 65535)             */
    Pos      pos;
    Ty       type;
    Tx     **arg;
    union {
        int64_t     i;
        double      r;
        const char *s;
        IterVar    *iter;
        struct {
            Inst *inst; /* what is referred to; for FIELD the field's prototype */
            Inst *base; /* instance its subscripts start below; NULL: a package */
        };
        struct {
            const Builtin *builtin;
            int64_t        extra; /* of the builtin                             */
        };
        struct {
            Func   *func;
            int64_t output; /* which result, -1 all                             */
        };
        struct {
            IterVar **iters; /* n - 1 of them                                   */
            int       reduce;
        };
    };
};

/* ---- functions and statements --------------------------------------------------------------- */

typedef enum {
    EQU_SAME,  /* left = right;  statement: left := right                       */
    EQU_FOR,   /* iter, body                                                    */
    EQU_IF,    /* cond[k], branch[k]; the last cond may be NULL                 */
    EQU_WHEN,  /* cond[k], branch[k]                                            */
    EQU_CALL,  /* left: assert, terminate, reinit, call without results         */
    EQU_WHILE, /* cond[0], branch[0]                                            */
    EQU_BREAK,
    EQU_RETURN,
    EQU_CONNECT /* left, right: references to connectors                         */
} EquKind;

struct EquList {
    Equ **item;
    int   count, room;
};

struct Equ {
    uint8_t  kind; /* EquKind                                                      */
    Pos      pos;
    Tx      *left, *right;
    IterVar *iter;  /* FOR                                                         */
    EquList  body;  /* FOR                                                         */
    int      count; /* branches                                                    */
    Tx     **cond;
    EquList *branch;
};

struct Annotate { /* of functions                                                 */
    bool inline_, no_inline, late_inline, generate_events;
    int  smooth;
};

struct Func {
    Cls    *cls;
    Inst   *inst; /* its components                                            */
    Str     name; /* full name                                                 */
    int     nin, nout, nlocal;
    Inst  **in, **out, **local;
    Tx    **init; /* by nout + nlocal: binding or NULL, made with the body     */
    Tx    **dflt; /* by input: default, NULL if none                           */
    EquList body;
    uint8_t body_state; /* StepState                                              */
    Func   *partial_of; /* function g = der(f, x): f; NULL                        */
    Inst  **partial_by; /* ... and x, inputs of f                                 */
    int     partials;   /* how many                                               */
    bool    external;   /* written in another language                            */
    Tx    **foreign;    /* its arguments, then its result; NULL entries: none      */
    int     foreigns;   /* arguments                                              */
    bool    impure;
    bool    called; /* somewhere in the model                                  */
    bool    record; /* record constructor                                     */
    bool    bad;
    const Builtin *builtin; /* external "builtin"; NULL                            */
    Annotate       note;
    int            slots; /* frame size                                             */
    int            id;
};

/* ---- the model -------------------------------------------------------------------------------- */

typedef struct InstEqus { /* what one instance contributes                           */
    Inst    *inst;
    EquList  equation, initial;
    EquList  made;      /* equations of variables that translation made      */
    EquList *algorithm; /* one list per section                              */
    int      algorithms;
    EquList *initial_algorithm;
    int      initial_algorithms;
} InstEqus;

typedef enum { CONNEQ_SAME, CONNEQ_SUM } ConnEqKind;

typedef struct ConnEq { /* an equation from connections, over scalar numbers          */
    uint8_t kind;       /* SAME: var[0] = var[1] = ...; SUM: signed sum is zero       */
    Pos     pos;        /* of a connect, 0 for an unconnected flow                    */
    int     count;
    int    *var;    /* scalar number; SUM: ~number has minus sign                 */
    int     repeat; /* how often, each time with the numbers a step further       */
    int    *step;   /* by var; NULL if it stands alone                            */
} ConnEq;

typedef struct StreamSet { /* connected stream variables                              */
    int  count;
    int *node; /* 2*scalar, or 2*scalar + 1 where seen from within its component      */
} StreamSet;

typedef enum { DIFFER_VALUE, DIFFER_START } DifferKind;

typedef struct Differ { /* a value that differs from instance to instance of a family  */
    Inst   *inst;
    int     kind;  /* DifferKind: of a parameter, or the start value of a variable      */
    int     each;  /* values of one instance                                           */
    double *value; /* count*each                                                       */
} Differ;

typedef struct FoldMember { /* a declaration whose elements are instances of a family  */
    Inst   *inst;           /* of the first one the sizes are 1 now, others are absent */
    int64_t count;          /* elements                                                */
    int     dims;
    int    *size; /* dims, as declared                                                 */
} FoldMember;

typedef struct Fold {   /* components of equal structure that are translated once      */
    Inst       *inst;   /* of the first member: what everything that follows sees      */
    FoldMember *member; /* in the order of declaration                                 */
    int         members;
    int64_t     count; /* instances of all members, one member after the other         */
    bool        part;  /* of a network: triplets join it to others (network.c)          */
    Differ     *differ;
    int         differs, differ_room;
} Fold;

/* Connections of triplets of parts: pair k joins element ia + k*sa of a with ib + k*sb of b, both
 * counted over all dimensions around the connector. */
typedef struct Wire {
    Inst *a, *b;
    int   ia, ib, sa, sb, count;
    Pos   pos;
} Wire;

typedef struct
    GuardedVar { /* a variable with a derivative in a state of a state machine  */
    Inst *var, *active,
        *reset;  /* the state is active, and starts anew                     */
    Inst *start; /* parameter: its start value                               */
} GuardedVar;

typedef struct
    MachineUse { /* what is left of state machines when they are equations      */
    GuardedVar *guarded;
    Inst **condition; /* conditions of transitions, arrays                           */
    Inst **when; /* conditions of when-clauses in states                             */
    int    guardeds, guarded_room, conditions, condition_room, whens, when_room;
} MachineUse;

typedef struct FlatModel {
    Front     *front;
    Inst      *root;
    InstEqus  *part; /* in the order of the instance tree                         */
    int        parts, part_room;
    ConnEq    *conn;
    int        conns, conn_room;
    EquList    extra;     /* equations from overconstrained connections                */
    int       *stream_of; /* by node: its set, -1 none; NULL without streams           */
    StreamSet *stream;
    int        streams;
    int64_t    stream_equations;
    Inst     **var; /* instances of built-in type, by ascending first            */
    int        vars, var_room;
    int        scalars; /* scalar variables, parameters included                     */
    /* balance */
    int64_t unknowns, equations, states, parameters;
    Fold   *fold; /* families, if they were asked for */
    int     folds, fold_room;
    Wire   *wire; /* of a network of parts; NULL: there is none */
    int     wires;
    const Inst        *
        *rest; /* components with triplets that belong to no part of the network */
    int         rests;
    Map         inner; /* their connectors that no wire ends at, while wires are found */
    MachineUse  machines;
    const char *circle; /* components in a circle of triplets; NULL: there is none */
    Pos         circle_pos;
    bool        ok;
} FlatModel;

/* ---- external code ----------------------------------------------------------------------------- */

typedef struct ForeignArg { /* one argument of a call                                  */
    uint8_t     basic;      /* Basic: double, int, const char *                        */
    bool        address;    /* the callee gets a pointer to data                       */
    bool        size;       /* an Integer that C takes as size_t                       */
    void       *data;       /* in the layout of the callee                             */
    const char *layout;     /* of a record: its struct as C text                       */
} ForeignArg;

typedef struct ForeignCall {
    const char *symbol;
    bool        fortran;
    const char
        *folder; /* C sources that define it; NULL if there are none or they are not
                           trusted                                                     */
    ForeignArg *arg;
    int         args;
    ForeignArg  result; /* basic BASIC_NONE: it returns nothing                        */
    const char
        *destructor; /* symbol that ends the object that this call makes; NULL      */
    char why[200];   /* out: reason of a failure                                  */
} ForeignCall;

/* Calls external code while translating; false: it could not. Given by what can run code. */
typedef bool ForeignFunction(void *context, ForeignCall *call);
/* The text of the class that stands for an FMU; false and why. Given by what reads FMUs. */
typedef bool UnitFunction(void *context, const char *path, Text *text, Text *why);

/* ---- front.c ------------------------------------------------------------------------------------ */

struct Front {
    struct Session *session;
    struct Library *library;
    Strings        *strings;
    Diag           *diag;
    Arena           arena;
    Cls            *root;    /* the unnamed scope around all libraries               */
    Cls            *builtin; /* scope of the predefined types                        */
    Cls            *real, *integer, *boolean, *string, *clock, *object;
    Cls            *state_select, *assertion_level;
    Inst          **inst; /* by id                                                */
    int             insts, inst_room;
    int             iters;
    struct {
        Func **func; /* by id                                                     */
        int    count, room;
        Map    of; /* Cls -> Func                                               */
    } functions;
    struct { /* rules of classes: what was checked, and what is to be             */
        Map                checked;    /* definitions                             */
        struct Redeclared *redeclared; /* to compare with their constraints       */
        struct Later      *later;      /* uses of pre, edge, change, reinit       */
        struct Top *tops; /* top-level classes that were looked up, see version.c */
    } rules;
    struct { /* why an evaluation failed                                          */
        const char *text; /* NULL: none has                                       */
        Pos         pos;
        Pos         need; /* of the expression whose value is looked for          */
    } reason;
    struct { /* overconstrained connections                                       */
        struct RootGraph *graph; /* NULL: not yet                                 */
        bool              done;
    } roots;
    struct { /* units met                                                         */
        struct Unit *unit; /* by number                                           */
        int          units, room;
        Map          of; /* Str -> number                                         */
    } measure;
    struct { /* functions in other languages                                      */
        ForeignFunction *call;    /* NULL: they have no value                        */
        UnitFunction    *unit;    /* NULL: there are no FMUs                         */
        void            *context; /* of both                                      */
    } external;
    struct { /* who may want no more of it                                        */
        bool (*stop)(void *owner); /* NULL: nobody                                 */
        void *owner;
        bool  stopped; /* what is left is not worked out, and counts as an error   */
    } watch;
    int peek; /* > 0: values are looked at, parameters stay changeable */
    struct {  /* instances that classes have without a component: Cls -> Inst        */
        Map package;   /* of a package                                             */
        Map prototype; /* of a record                                              */
        Map scope;     /* for names in its text, see resolve.c                     */
    } instance_of;
    Cls               *newest;  /* all classes made, linked by older                    */
    Map                mockups; /* path of an FMU -> Elem of its class            */
    Map                outside_of; /* inner outer component -> what its name means   */
    Inst              *model; /* root instance of the model                           */
    int                depth; /* recursion guard                                      */
    Map                builtin_of; /* Str -> index in the table                         */
    bool               local_balance; /* classes are balanced one by one, too           */
    const struct Mods *given;         /* modifiers of the model from outside; NULL      */
    struct { /* what the model has                                                */
        bool      counted;  /* cardinality                                             */
        bool      clocked;  /* a Clock: there are partitions                           */
        bool      stateful; /* an operator of state machines                           */
        Machines *machines; /* they themselves; NULL: there are none               */
    } uses;
    bool endless; /* a component that contains itself was reported         */
    struct {      /* connects                                                          */
        struct Joints  *joints;  /* as pairs, while connections are made; NULL     */
        struct Pending *pending; /* of members that do not exist yet               */
    } connects;
    Str word[64]; /* interned words, see front.h                          */
};

Front *front_new(struct Session *session, struct Library *library);
void   front_free(Front *front);

/* ---- model.c -------------------------------------------------------------------------------------- */

/* The passes; what each needs, gives and breaks stands above it. The model's `ok` tells whether it
 * is right so far; messages are in the session. NULL: the class was not found. */
FlatModel *flat_instantiate(Front *front, const char *name);
bool       flat_machines(FlatModel *model);
bool       flat_connect(FlatModel *model);
bool       flat_balance(FlatModel *model);
/* Looks at a class of any kind by itself: names, types, rules. NULL name: reported. look.c */
void class_look(Front *front, const char *name);
/* A variable of the model itself, or of a connector or record there. */
bool flat_at_top(const FlatModel *model, const Inst *inst);
/* A variable of the model that is given from outside: an input at the top without a value. */
bool flat_is_input(const FlatModel *model, Inst *inst);
/* All of them in turn, for those who do not look on. */
FlatModel *flat_model(Front *front, const char *name);

/* ---- fold.c ---- */

/* Arrays of components that nothing outside refers to become one component each. False: an array
 * cannot, and a message says why. */
bool flat_fold(FlatModel *model);
/* Has the connector signals of one direction, potentials and flows? */
bool rules_is_triplet(const Inst *connector);
void flat_print_folds(Text *out, const FlatModel *model);
/* What its members are called, the first of them. */
void flat_fold_name(Text *out, const FlatModel *model, const Fold *fold);

/* ---- stream.c ---- */

Inst *flat_var_of(const FlatModel *model,
                  int              scalar); /* the variable of a scalar number  */
int   stream_flow(const FlatModel *model,
                  int              scalar); /* its flow, -1 if there is none    */

/* ---- print.c ---------------------------------------------------------------------------------------- */

void flat_print(Text *out, const FlatModel *model);
void flat_print_instances(Text *out, const FlatModel *model); /* name: class */
void flat_print_connections(Text            *out,
                            const FlatModel *model);         /* equations of connects */
void flat_print_machines(Text *out, const FlatModel *model); /* draw.c, for Graphviz */
void tx_print(Text *out, const Front *front, const Tx *tx);
void inst_name(Text *out, const Front *front, const Inst *inst); /* a.b.c */
void inst_pair(Text *out, const Front *front, const Inst *a,
               const Inst *b); /* 'a' and 'b' */
void type_print(Text *out, const Front *front, Ty type);
void value_print(Text *out, const Front *front, const Value *value);

#endif
