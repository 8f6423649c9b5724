/* SPDX-License-Identifier: Apache-2.0 */
/* front.h -- private to src/inst: classes, modifiers, and what the files share. */
#ifndef RUBATO_FRONT_H
#define RUBATO_FRONT_H

#include "syntax/syntax.h"
#include "inst/inst.h"

typedef struct Eval Eval;
typedef enum { RUN_ON, RUN_BREAK, RUN_RETURN, RUN_FAIL } Run;
typedef struct RootGraph RootGraph;

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
    bool        spread;    /* stands inside a modifier with each                      */
    bool        used;      /* matched an element                                      */
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
    Md               *inherit;  /* modifiers of the constraining clause of the original */
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
    Cls         *plain;      /* the Cls it is a view of, or itself                      */
    bool         is_package; /* package, or a class used only as a scope                */
    bool         own_done, bad;
    uint8_t      base_state, member_state; /* StepState                                 */
    Map          own;      /* Str -> Elem, own elements                               */
    Elem       **own_list; /* in the order of the text                                */
    int          owns, own_room;
    ImportUse   *import;
    int          imports, import_room;
    Cls        **base; /* views, in the order of the text                         */
    const Extends *
        *base_ast; /* by base; NULL for short classes                         */
    int  bases, base_room;
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
    X(Boolean) X(String) X(Clock) X(ExternalObject) X(Subtask)
/* clang-format on */
enum {
#define X(w) W_##w,
    WORDS(X)
#undef X
        W_COUNT
};
#define WORD(front, w) ((front)->word[W_##w])

/* ---- front.c ------------------------------------------------------------------------- */

const char *text_of(const Front *front, Str str);
bool        front_enter(Front *front, Pos pos); /* false: too deep, reported          */
void        front_leave(Front *front);
/* The annotation `path` in mods, NULL if there is none. */
const Mod *annotation_find(const Mods *mods, Str name);
bool       annotation_true(const Mods *mods, Str name);

/* ---- mod.c --------------------------------------------------------------------------- */

Md *md_of_mods(Front *front, const Mods *mods, Scope scope); /* NULL if empty     */
Md *md_of_component(Front *front, const Component *comp, Scope scope);
Md *md_merge(Front *front, Md *outer, Md *inner);
Md *md_find(const Md *md, Str name);
/* Reports md if it changes something: what it modifies is final (by modifier `by` or NULL). */
void check_final(Front *front, const Md *by, const Md *md);
Md  *md_bind(Front *front, Md *md, Inst *inst);
Md  *md_add_redeclare(Front *front, Md *md, Elem *elem);
Md  *md_subs(Front *front, Md *md); /* without its own value and redeclaration       */

/* ---- class.c ------------------------------------------------------------------------- */

Cls  *cls_new(Front *front, const Class *def, Cls *scope, Inst *scope_inst);
Cls  *cls_view(Front *front, Cls *cls, Md *md);
void  cls_own(Front *front, Cls *cls);
bool  cls_bases(Front *front, Cls *cls);
bool  cls_members(Front *front, Cls *cls);
Elem *elem_final(Elem *elem);
/* The class of a class element met in instance inst of its owner. NULL: reported. */
Cls *elem_class(Front *front, Elem *elem, Inst *inst);
/* own, file and inherited elements; NULL if there is none */
Elem       *cls_find(Front *front, Cls *cls, Str name);
bool        cls_is_kind(const Cls *cls, ClassKind kind);
void        cls_name(Text *out, const Front *front, const Cls *cls);
const char *cls_text(Front *front, const Cls *cls);
/* same definition, or one extends the other */
bool cls_extends(Front *front, Cls *cls, Cls *base);

/* ---- lookup.c ------------------------------------------------------------------------ */

typedef struct Found { /* the meaning of a simple name                                  */
    Elem *elem;        /* NULL: nothing found or a whole class in cls                   */
    Cls  *cls;         /* class in which elem was found; or the class itself            */
    Inst *inst;        /* instance of it, NULL: as package                              */
    bool  bad;         /* nothing found, and that is reported                           */
    bool  enclosing;   /* found in a class around the one searched                      */
} Found;

Found lookup_simple(Front *front, Scope scope, Str name);
/* A class by name; NULL and a message (unless quiet) if there is none. */
Cls *lookup_class(Front *front, Scope scope, const Name *name, bool quiet);
/* Reports that a protected element is reached from outside. */
void check_protected(Front *front, const Elem *elem, const Cls *cls, Pos pos);
void lookup_suggest(Front *front, Scope scope, Suggest *suggest);
void cls_suggest(Front *front, Cls *cls, Suggest *suggest);

/* ---- instance.c ----------------------------------------------------------------------- */

Inst *inst_new(Front *front, Inst *parent, Str name, Cls *cls, Pos pos);
Inst *inst_root(Front *front, Cls *cls);      /* of a model                      */
Inst *inst_package(Front *front, Cls *cls);   /* its constants, made on demand    */
Inst *inst_prototype(Front *front, Cls *cls); /* of a record or function          */
Inst *inst_member(Front *front, Inst *inst, int k);
Inst *inst_child(Front *front, Inst *inst, Str name); /* NULL if there is none       */
void  inst_all(Front *front, Inst *inst);  /* all children                     */
Tx   *inst_bind(Front *front, Inst *inst); /* typed binding, NULL if none      */
Tx   *inst_bind_record(Front *front, const Inst *inst); /* of the nearest record around */
Tx   *inst_attribute(Front *front, Inst *inst, Str name, Inst **base);
Inst *inst_real(Inst *inst); /* follows outer -> inner           */
/* What the name of a component means inside its class: one that is inner and outer gives the inner
 * for what lies below, but stands for the one around it. */
Inst *inst_outside(Front *front, Inst *inst);
Ty    inst_type(Front *front, Inst *inst); /* with its own dimensions          */
int   inst_depth_dims(const Inst *inst, const Inst *base); /* dims below base      */
bool  inst_in_bus(const Inst *inst); /* member of an expandable connector */
int   inst_count(const Inst *inst);  /* elements in all dimensions around it */
bool  inst_is_under(const Inst *inst, const Inst *ancestor); /* or the same         */

/* The size of a value against the arrays around inst; md: the modifier it comes from. */
bool check_sizes(Front *front, Inst *inst, const Tx *tx, const Md *md, Ty element);

/* ---- check.c --------------------------------------------------------------------------- */

bool check_base_kind(Front *front, const Class *def, const Cls *base, Pos pos);
void check_class(Front *front, const Cls *cls);
void check_component(Front *front, Inst *inst, const Elem *first);
void check_instances(Front *front, Inst *inst);
/* Elements that the class does not have. */
void check_mod_names(Front *front, Cls *base, const Mods *mods);
void check_attribute_names(Front *front, Inst *inst, Md *md);
void check_attributes(Front *front, Inst *inst);
void check_twice(Front *front, Elem *first, Elem *second, Pos pos);
void check_inherited(Front *front, Cls *cls);
void check_uses(Front *front);
/* Constants and parameters have values that do not depend on themselves. */
void check_values(FlatModel *model, Inst *root);
/* cls must be able to stand for constraint: checked when the model is complete. */
void check_later(Front *front, Cls *cls, Cls *constraint, Pos pos);
void check_redeclared(Front *front);
bool check_inner(Front *front, Inst *outer, Inst *inner);

/* ---- measure.c -------------------------------------------------------------------------- */

void check_units(FlatModel *model); /* of equations and bindings: warnings only  */
void check_connected_units(Front *front, Inst *a, Inst *b, Pos pos);

/* ---- type.c ----------------------------------------------------------------------------- */

Ty      ty_scalar(Basic basic);
Ty      ty_of_class(Front *front, Cls *cls);
Ty      ty_array(Front *front, Ty type, int ndim, const int *dim); /* dims in front */
Ty      ty_element(Ty type, int drop);
int     ty_count(Ty type); /* scalars of its dims, -1 unknown; not of record fields */
int64_t ty_scalars(Front *front, Ty type); /* built-in scalars in it                */
bool    ty_numeric(Ty type);
bool    ty_bad(Ty type);
bool    ty_same_dims(Ty a, Ty b); /* unknown sizes fit                               */
bool    ty_fits(Front *front, Ty given, Ty wanted, bool dims); /* Integer fits Real  */
const char *ty_text(Front *front, Ty type);
/* What to do about a value of the wrong type: "" or text to append. */
const char *ty_hint(Front *front, const Tx *value, Ty wanted);

/* ---- expr.c ---------------------------------------------------------------------------- */

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
    int             after;    /* out: parts of the name behind it                      */
    bool            assign;   /* left side of an assignment                            */
    Pos             when_pos; /* of the when-clause around it; 0 none                  */
    bool            when;     /* inside a when-clause                                  */
    bool            algorithm;
    bool            initial;  /* initial equation or algorithm                         */
    bool            equation; /* an equation of a model, not a declaration             */
    bool            loop;     /* inside for or while of an algorithm                   */
    bool            varies;   /* inside an if or while whose condition is not known    */
    bool            types;    /* the name of a type is allowed                         */
    bool            guarded;  /* in a branch that may never be used                    */
    struct Cut     *cut;      /* connects that are left out; NULL                      */
    Tx             *end_of;   /* array that `end` refers to; NULL                      */
    int             end_dim;
} Ctx;

/* A use of pre, edge, change or reinit: checked when all equations are known. */
void check_use_later(Ctx *ctx, const Builtin *b, const Tx *arg, Pos pos);

Tx *tx_new(Front *front, TxKind kind, Pos pos, Ty type, Vary vary, int n);
Tx *tx_bad(Front *front, Pos pos);
Tx *tx_integer(Front *front, Pos pos, int64_t value);
Tx *tx_real(Front *front, Pos pos, double value);
Tx *tx_boolean(Front *front, Pos pos, bool value);
Tx *tx_string(Front *front, Pos pos, const char *value);
Tx *tx_ref(Front *front, Pos pos, Inst *inst, Inst *base); /* no subscripts          */
Tx *tx_of_value(Front *front, Pos pos, const Value *value);
Tx *type_expr(Ctx *ctx, Expr expr);
Tx *type_sub(Ctx *ctx, Expr expr);
Tx *type_name(Ctx *ctx, Expr expr);
Tx *type_field(Ctx *ctx, Tx *of, Str name, Pos pos);
Tx *type_subscripts(Ctx *ctx, Tx *of, const ExprList *list);
Tx *tx_index(Front *front, Tx *array, Tx **subs, int n); /* array[subs...]           */
Tx *tx_field_of(Front *front, Tx *record, Inst *field, Pos pos);
/* inputs of a function replaced by arguments */
Tx  *tx_replace(Front *front, Tx *tx, Inst **from, Tx **to, int n);
bool tx_uses(const Tx *tx, const Inst *inst);
Vary vary_most(Vary a, Vary b);

/* ---- operator.c -------------------------------------------------------------------------- */

Tx  *type_binary(Ctx *ctx, Pos pos, TxKind kind, Tx *a, Tx *b);
Tx  *type_unary(Ctx *ctx, Pos pos, TxKind kind, Tx *a);
Tx  *type_matrix(Ctx *ctx, Expr expr);
Tx  *type_array_of(Ctx *ctx, Pos pos, Tx **items, int n);
bool ty_common(Front *front, Ty a, Ty b,
               Ty *result); /* of branches and elements        */

/* ---- call.c -------------------------------------------------------------------------------- */

Tx *type_call(Ctx *ctx, Expr expr);
Tx *type_call_func(Ctx *ctx, Pos pos, Func *func, Tx **pos_args, int n);
Tx *type_reduction(Ctx *ctx, Pos pos, const Call *call, int reduce);
Tx *type_partial(Ctx *ctx, Expr expr);
/* Overloaded operator `name` of a record class; NULL if none fits. each: element by element, no
 * function of arrays. */
Tx *type_overload(Ctx *ctx, Pos pos, Str name, Tx **args, int n, bool each);

/* ---- builtin.c ------------------------------------------------------------------------------ */

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

const Builtin *builtin_find(Front *front, Str name);
const Builtin *builtin_at(int id);
Tx *builtin_make(Front *front, int id, Pos pos, Ty type, Vary vary, Tx **arg, int n);

/* ---- cut.c ------------------------------------------------------------------------------------ */

typedef struct
    Cut { /* what the extends of one class leave out                               */
    struct Cut
        *up; /* of the class derived from it; NULL                                    */
    const Mods *mods;
    uint64_t
        used; /* by modifier: it matched a connect                                    */
} Cut;

bool cut_leaves_out(Cut *cut, const Clause *connect);
void cut_report(Front     *front,
                const Cut *cut); /* what matched nothing                        */

/* ---- deduce.c --------------------------------------------------------------------------------- */

/* The range of an iterator, as written or from its use in what it runs over; EXPR_BAD: reported. */
Expr deduce_range(Front *front, const Iterator *it, const ExprList *exprs,
                  const ClauseList *clauses);

/* ---- clause.c -------------------------------------------------------------------------------- */

void     type_clauses(Ctx *ctx, EquList *out, const Clause *const *clause, int n,
                      bool statement);
void     equ_add(Front *front, EquList *list, Equ *equ);
IterVar *iter_new(Ctx *ctx, const Iterator *it, Expr range); /* NULL: reported        */
void     pending_connects(Front *front); /* of members both of which were missing */

/* ---- func.c ------------------------------------------------------------------------------------ */

Func           *func_of(Front *front, Cls *cls,
                        Pos pos); /* NULL: reported                        */
void            func_body(Front *front, Func *func);
bool            func_has_body(const Cls *cls);
const External *func_external(Front *front, Func *func); /* NULL if written in Modelica */
/* A Boolean flag of the class's annotation, own or inherited. */
bool class_flag(Front *front, Cls *cls, Str name);

/* ---- foreign.c ---- */

/* Resources/NAME of the library that holds this place, if its code may run; else 0. */
Str  foreign_folder(Front *front, Pos pos, const char *name);
bool foreign_fortran(Front *front, Func *func);
/* Runs an external function on a frame of values, outputs included. */
Run foreign_run(Eval *eval, Func *func, Pos pos);

/* ---- expandable.c ---- */

/* A member for an expandable connector, like another connector or one of its elements. */
Inst *expand_member(Ctx *ctx, Inst *bus, const NamePart *part, const Tx *like);
/* A copy of member `like` in another expandable connector. */
Inst *expand_copy(Front *front, Inst *bus, const Inst *like);

/* ---- graph.c ----------------------------------------------------------------------------------- */

Value *graph_value(Eval *eval, const Tx *tx); /* isRoot, rooted, cardinality */
void   graph_free(RootGraph *graph);

/* ---- value.c, eval.c, exec.c --------------------------------------------------------------------- */

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

Value *value_new(Arena *arena, Basic basic, int ndim, const int *dim);
Value *value_integer(Arena *arena, int64_t i);
Value *value_real(Arena *arena, double r);
Value *value_boolean(Arena *arena, bool b);
Value *value_string(Arena *arena, const char *s);
Value *value_copy(Arena *arena, const Value *value);
Value *value_convert(Arena *arena, const Value *value, Basic basic); /* Integer -> Real */
double value_number(const Value *value, int k);
bool   value_equal(const Value *a, const Value *b);
/* sub-array at leading index k (from 0) */
Value *value_row(Arena *arena, const Value *value, int k);
Value *value_stack(Arena *arena, Value **items, int n); /* {items...}              */
Value *value_spread(Arena *arena, Value *value, int ndim, const int *dim);
Value *value_element(Arena *arena, const Value *value, int k); /* scalar k              */
void   value_set(Value *into, int k, const Value *from, int from_k);

Value *eval_tx(Eval *eval, const Tx *tx);
Value *eval_fail(Eval *eval, Pos pos, const char *why);
Value *eval_call(Eval *eval, Func *func, Value **arg,
                 Pos pos); /* tuple as item[]       */
Run    eval_body(Eval *eval, const EquList *list);
/* A variable of the running function; its declaration is evaluated when first needed. */
Value *eval_variable(Eval *eval, Inst *inst);
Value *eval_default(Eval *eval, Inst *inst); /* of a variable before it is assigned */
/* Value of an expression that must be known now; NULL if it is not (silent). */
Value *eval_now(Front *front, const Tx *tx);
bool   eval_integer(Front *front, const Tx *tx, int64_t *value);
bool   eval_boolean(Front *front, const Tx *tx, bool *value);
/* Value of a constant or parameter; marks it structural. NULL if unknown. */
Value *inst_value(Eval *eval, Inst *inst);
Value *value_select(Eval *eval, Value *value, Tx **subs, int n);
Run    run_assign(Eval *eval, const Tx *left, Value *value);

#endif
