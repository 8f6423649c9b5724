/* SPDX-License-Identifier: Apache-2.0 */
/* typed.h -- classes, typed expressions and values: what the stage that makes rows of a flat model
 * (src/flat) asks of the front end. What only the files of src/inst share is in front.h. */
#ifndef RUBATO_TYPED_H
#define RUBATO_TYPED_H

#include "syntax/syntax.h"
#include "inst/inst.h"

typedef struct Eval Eval;

enum {
    FRONT_DEPTH = 400,     /* nested classes, instances, calls: deeper is a cycle     */
    INST_DEPTH = 60,       /* components inside components                            */
    EVAL_STEPS = 20000000, /* statements executed in one evaluation                   */
    ARRAY_MOST = 1 << 27   /* elements of one array                                   */
};

/* ---- modifiers ----------------------------------------------------------------------- */

struct Md { /* modifications of one name, a tree                           */
    Str         name;
    Pos         pos; /* of the name in the modifier that set it                 */
    bool        each, final;
    bool        spread; /* stands inside a modifier with each, or in a class definition */
    bool        used;   /* matched an element                                      */
    bool        checked;   /* its type as attribute was checked                       */
    bool        broken;    /* break: the element is removed                           */
    const Expr *value;     /* NULL if none                                            */
    Scope       scope;     /* where value is resolved; inst NULL: see md_bind         */
    Pos         value_pos; /* of the value's name                                     */
    Elem       *redeclare; /* NULL if none                                            */
    int         count;
    Md        **sub; /* modifications of its elements                           */
};

/* ---- classes ------------------------------------------------------------------------- */

struct Elem { /* an element of a class: component or local class              */
    Str               name;
    Pos               pos;
    bool              is_class;
    bool              protected_;
    const Element    *ast;      /* NULL for a class in a file of its own                */
    const Components *group;    /* component                                            */
    const Component  *comp;     /* component                                            */
    const Class      *def;      /* class                                                */
    Package          *package;  /* class with a file of its own; else NULL              */
    Cls              *owner;    /* class in which its text is resolved                  */
    Inst             *inst;     /* instance of owner, NULL: the current one             */
    Md               *mod;      /* class-level modifications, NULL if none              */
    Elem             *replaced; /* the element that redeclares it; NULL                 */
    Elem             *original; /* what it redeclares; NULL                             */
    Md               *inherit;  /* modifiers of the constraining clause of the original;
                                   names in them mean what they mean there, not at `inst`  */
    Cls              *cls;      /* class elements of packages: made when first used     */
    bool              busy;     /* its class is being made                              */
};

typedef struct ImportUse {
    const Import *import;
    Cls          *cls; /* of the path, once resolved; NULL                           */
    bool          tried;
} ImportUse;

struct Cls {
    const Class *def; /* NULL for the root scope and built-in types              */
    Str          name;
    int          id;
    Package     *package;    /* with a file of its own; NULL                            */
    Cls         *scope;      /* enclosing class; NULL for the root                      */
    Inst        *scope_inst; /* instance of the enclosing class, NULL: as package       */
    Elem        *elem;       /* it was made for, NULL                                   */
    Cls         *older;      /* list of all, to release their maps                      */
    Md          *mods;       /* class modifications it stands under                     */
    Md          *under; /* of constraining types: count less than those of the text */
    Cls         *plain; /* the Cls it is a view of, or itself                      */
    bool         is_package; /* package, or a class used only as a scope                */
    bool         own_done, bad;
    uint8_t      base_state, member_state; /* StepState                                 */
    Map          own;      /* Str -> Elem, own elements                               */
    Elem       **own_list; /* in the order of the text                                */
    int          owns, own_room;
    ImportUse   *import;
    int          imports, import_room;
    Cls        **base;      /* views, in the order of the text                         */
    const Based **base_ast; /* by base; NULL for short classes                         */
    int           bases, base_room;
    /* after cls_bases */
    uint8_t    basic; /* built-in type it is or extends; BASIC_COMPONENT, _RECORD */
    uint8_t    way;   /* of a short class                                        */
    Md        *attr;  /* attributes of a built-in type                           */
    int        ndim;  /* dimensions of a short class                             */
    Expr      *dim;
    Scope     *dim_scope;
    int        literals; /* ENUM                                                    */
    const Str *literal;
    bool       any_enum; /* enumeration(:)                                          */
    /* after cls_members */
    Elem **member; /* components, inherited ones in place                     */
    int    members, member_room;
    Map    index; /* Str -> index in member                                  */
};

/* words the front end knows, interned once: front->word[W_...] */
/* clang-format off */
#define WORDS(X)                                                                         \
    X(start) X(fixed) X(min) X(max) X(nominal) X(unit) X(displayUnit) X(quantity)        \
    X(stateSelect) X(unbounded) X(time) X(Evaluate) X(Inline) X(LateInline)              \
    X(smoothOrder) X(GenerateEvents) X(constructor) X(destructor)                        \
    X(equalityConstraint) X(missingInnerMessage) X(Connections) X(root)                  \
    X(potentialRoot) X(branch) X(isRoot) X(rooted) X(uniqueRoot)                         \
    X(uniqueRootIndices) X(inStream) X(actualStream) X(end) X(Real) X(Integer)           \
    X(Boolean) X(String) X(Clock) X(ExternalObject) X(Subtask) X(THETA)              \
    X(__Rubato_theta) X(__Rubato_FMU) X(file)
/* clang-format on */
enum {
#define X(w) W_##w,
    WORDS(X)
#undef X
        W_COUNT
};
#define WORD(front, w) ((front)->word[W_##w])

/* ---- names, classes, instances ---- */

const char *text_of(const Front *front, Str str);
/* The annotation `path` in mods, NULL if there is none. */
const Mod *annotation_find(const Mods *mods, Str name);
Md        *md_find(const Md *md, Str name);
/* The class of a class element met in instance inst of its owner. NULL: reported. */
Cls *elem_class(Front *front, Elem *elem, Inst *inst);
/* own, file and inherited elements; NULL if there is none */
Elem *cls_find(Front *front, Cls *cls, Str name);
/* What it redeclares, and what that redeclares, to the end; itself if it redeclares nothing. */
Elem       *elem_origin(Front *front, Elem *elem);
const char *cls_text(Front *front, const Cls *cls);
/* A class by name; NULL and a message (unless quiet) if there is none. */
Cls  *lookup_class(Front *front, Scope scope, const Name *name, bool quiet);
Inst *inst_member(Front *front, Inst *inst, int k);
Inst *inst_child(Front *front, Inst *inst, Str name); /* NULL if there is none       */
void  inst_all(Front *front, Inst *inst);  /* all children                     */
Tx   *inst_bind(Front *front, Inst *inst); /* typed binding, NULL if none      */
Tx   *inst_bind_record(Front *front, const Inst *inst); /* of the nearest record around */
Tx   *inst_attribute(Front *front, Inst *inst, Str name, Inst **base);
Ty    inst_type(Front *front, Inst *inst); /* with its own dimensions          */
int   inst_depth_dims(const Inst *inst, const Inst *base); /* dims below base      */
bool  inst_in_bus(const Inst *inst); /* member of an expandable connector */
int   inst_count(const Inst *inst);  /* elements in all dimensions around it */
bool  inst_is_under(const Inst *inst, const Inst *ancestor); /* or the same         */
int   ty_count(Ty type); /* scalars of its dims, -1 unknown; not of record fields */
bool  ty_bad(Ty type);

/* ---- typed expressions ---- */

typedef struct IterScope IterScope;
struct IterScope { /* iterators in force, innermost first */
    IterVar   *var;
    IterScope *up;
};

typedef struct Ctx { /* where an expression stands */
    Front          *front;
    Scope           scope;
    IterScope      *iters;
    Func           *func;     /* its body or signature; NULL                           */
    bool            connect;  /* argument of connect: absent components are allowed    */
    Inst           *bus;      /* out: expandable connector that lacks a member         */
    const NamePart *lacks;    /* out: that member, NULL none                         */
    int             after;    /* out: parts of the name after it                      */
    Inst           *grows;    /* out: member whose sizes connects tell; NULL none      */
    bool            assign;   /* left side of an assignment                            */
    Pos             when_pos; /* of the when-clause around it; 0 none                  */
    bool            when;     /* inside a when-clause                                  */
    bool  clocked; /* ... whose condition is a clock: any equation may stand there */
    bool  algorithm;
    bool  initial;   /* initial equation or algorithm                         */
    bool  equation;  /* an equation of a model, not a declaration             */
    bool  loop;      /* inside for or while of an algorithm                   */
    bool  varies;    /* inside an if or while whose condition is not known    */
    bool  types;     /* the name of a type is allowed                         */
    bool  guarded;   /* in a branch that may never be used                    */
    bool *beyond;    /* set instead of a message where a subscript leaves its array   */
    struct Cut *cut; /* connects that are left out; NULL                      */
    Tx         *end_of; /* array that `end` refers to; NULL                      */
    int         end_dim;
} Ctx;

Tx  *tx_new(Front *front, TxKind kind, Pos pos, Ty type, Vary vary, int n);
Tx  *tx_integer(Front *front, Pos pos, int64_t value);
Tx  *tx_real(Front *front, Pos pos, double value);
Tx  *tx_boolean(Front *front, Pos pos, bool value);
Tx  *tx_ref(Front *front, Pos pos, Inst *inst, Inst *base); /* no subscripts          */
Tx  *tx_of_value(Front *front, Pos pos, const Value *value);
Tx  *type_expr(Ctx *ctx, Expr expr);
Tx  *tx_index(Front *front, Tx *array, Tx **subs, int n); /* array[subs...]           */
Tx  *tx_field_of(Front *front, Tx *record, Inst *field, Pos pos);
bool tx_uses(const Tx *tx, const Inst *inst);

/* ---- built-in functions ---- */

typedef Tx    *TypeRule(Ctx *ctx, const Builtin *b, Pos pos, Tx **arg, int n);
typedef Value *EvalRule(Eval *eval, const Tx *tx, Value **arg);

struct Builtin {
    const char *name;
    int8_t      least, most; /* arguments; most -1: any number                          */
    const char *args;        /* names of the arguments, space separated; ""             */
    int         id;          /* BUILTIN_                                                */
    TypeRule   *type;        /* makes the typed call                                    */
    EvalRule   *eval;        /* value, NULL if it has none at translation               */
    const char *flags;       /* e no events inside noEvent; see builtin.c               */
};

enum {
#define BUILTIN(id, ...) BUILTIN_##id,
#include "inst/builtin.def"
#undef BUILTIN
    BUILTIN_COUNT
};

const Builtin *builtin_at(int id);
Tx  *builtin_make(Front *front, int id, Pos pos, Ty type, Vary vary, Tx **arg, int n);
void equ_add(Front *front, EquList *list, Equ *equ);

/* ---- iterator.c: a value for an iterator ---- */
Tx  *put_iterator(Front *front, Tx *tx, const IterVar *var, Tx *value);
Equ *put_iterator_equ(Front *front, const Equ *equ, const IterVar *var, Tx *value);
/* The equations of a loop for element j of its range. */
EquList loop_round(Front *front, const Equ *loop, const Value *range, int j);

/* ---- functions ---- */

Func           *func_of(Front *front, Cls *cls,
                        Pos pos); /* NULL: reported                        */
void            func_body(Front *front, Func *func);
const External *func_external(Front *front, Func *func); /* NULL if written in Modelica */

/* Resources/NAME of the library that holds this place, if its code may run; else 0. */
Str foreign_folder(Front *front, Pos pos, const char *name);

/* ---- values ---- */

struct Eval {
    Front  *front;
    Arena  *arena;
    Value **frame; /* variables of the running function; NULL                         */
    int     starting; /* declarations of it that are being evaluated                  */
    Func   *func;
    struct IterBind {
        IterVar *var;
        Value   *value;
    } bind[32];
    int     binds;
    int     depth;   /* calls                                                           */
    int64_t steps;   /* left                                                            */
    bool    failed;  /* a message was reported or is known                              */
    const char *why; /* reason of a failure                                             */
    Pos         why_pos;
    Inst       *at; /* instance whose surrounding arrays are indexed by `index`        */
    const int *index; /* from 0; -1: any, the value must be the same for all            */
    bool differs;     /* out: a value was not, so that there is none                    */
    bool peek;        /* values of parameters do not make them structural               */
};
Value *value_integer(Arena *arena, int64_t i);
Value *value_boolean(Arena *arena, bool b);
double value_number(const Value *value, int k);
/* sub-array at leading index k (from 0) */
Value *value_row(Arena *arena, const Value *value, int k);
Value *value_element(Arena *arena, const Value *value, int k); /* scalar k              */

Value *eval_tx(Eval *eval, const Tx *tx);
/* Value of an expression that must be known now; NULL if it is not (silent). */
Value *eval_now(Front *front, const Tx *tx);
bool   eval_integer(Front *front, const Tx *tx, int64_t *value);
/* Value of a constant or parameter; marks it structural. NULL if unknown. */
Value *inst_value(Eval *eval, Inst *inst);

#endif
