/* SPDX-License-Identifier: Apache-2.0 */
/* front.h -- private to src/inst: what its files share. */
#ifndef RUBATO_FRONT_H
#define RUBATO_FRONT_H

#include "inst/typed.h"

typedef enum { RUN_ON, RUN_BREAK, RUN_RETURN, RUN_FAIL } Flow;
typedef struct RootGraph RootGraph;
/* False: too deep, which is reported, or nobody wants the result any more. */
bool front_enter(Front *front, Pos pos);
bool front_stopped(Front *front);
void front_leave(Front *front);
bool annotation_true(const Mods *mods, Str name);

/* ---- mod.c --------------------------------------------------------------------------- */

Md *md_of_mods(Front *front, const Mods *mods, Scope scope); /* NULL if empty     */
/* ... of a class: they hold for each element of an array of such components. */
Md *md_of_class(Front *front, const Mods *mods, Scope scope);
Md *md_of_component(Front *front, const Component *comp, Scope scope);
Md *md_merge(Front *front, Md *outer, Md *inner);
/* ... where the inner ones are what a replaced declaration leaves behind. */
Md *md_merge_left(Front *front, Md *outer, Md *left);
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
bool  elem_is_inner(const Elem *elem);
Md   *elem_constraint(Front *front, const Elem *elem, Inst *inst);
bool  cls_is_kind(const Cls *cls, ClassKind kind);
void  cls_name(Text *out, const Front *front, const Cls *cls);
/* same definition, or one extends the other */
bool cls_extends(Front *front, Cls *cls, Cls *base);

/* A class by its full name; NULL: reported. model.c */
Cls *class_named(Front *front, const char *name);
void make_bodies(Front *front); /* of the functions that are called */

/* ---- mockup.c ------------------------------------------------------------------------ */

/* The class that takes the place of cls under these modifiers: another one if cls stands for an FMU.
 * NULL: reported. */
Cls *mockup_class(Front *front, Cls *cls, Md *mods, Pos pos);

/* ---- lookup.c ------------------------------------------------------------------------ */

typedef struct Found { /* the meaning of a simple name                                  */
    Elem *elem;        /* NULL: nothing found or a whole class in cls                   */
    Cls  *cls;         /* class in which elem was found; or the class itself            */
    Inst *inst;        /* instance of it, NULL: as package                              */
    bool  bad;         /* nothing found, and that is reported                           */
    bool  enclosing;   /* found in a class around the one searched                      */
} Found;

Found lookup_simple(Front *front, Scope scope, Str name);
/* Reports that a protected element is reached from outside. */
void check_protected(Front *front, const Elem *elem, const Cls *cls, Pos pos);
void lookup_suggest(Front *front, Scope scope, Suggest *suggest);
void cls_suggest(Front *front, Cls *cls, Suggest *suggest);

/* ---- instance.c ----------------------------------------------------------------------- */

Inst *inst_new(Front *front, Inst *parent, Str name, Cls *cls, Pos pos);
Inst *inst_root(Front *front, Cls *cls);      /* of a model                      */
Inst *inst_package(Front *front, Cls *cls);   /* its constants, made on demand    */
Inst *inst_prototype(Front *front, Cls *cls); /* of a record or function          */
Inst *inst_real(Inst *inst);                  /* follows outer -> inner           */
void  inst_append(Front *front, Inst *parent, Inst *child); /* one more child      */
/* What the name of a component means inside its class: one that is inner and outer gives the inner
 * for what lies below, but stands for the one around it. */
/* An outer component becomes one of its own, with members and the sizes of the inner one. */
void  inst_unlink(Front *front, Inst *inst);
Inst *inst_outside(Front *front, Inst *inst);

/* The size of a value against the arrays around inst; md: the modifier it comes from. */
bool check_sizes(Front *front, Inst *inst, const Tx *tx, const Md *md, Ty element);

/* ---- check.c --------------------------------------------------------------------------- */

extern const char *const class_kind_names[]; /* by ClassKind */
bool check_base_kind(Front *front, const Class *def, const Cls *base, Pos pos);
bool check_base_operator(Front *front, const Class *def, const Cls *base, Pos pos);
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

/* ---- restrict.c --------------------------------------------------------------------------- */

void check_class(Front *front, const Cls *cls);

/* ---- version.c --------------------------------------------------------------------------- */

/* The version of a library that some class asks for, NULL: any. */
const char *version_wanted(Front *front, Str library);
void        version_note(Front *front, const struct Package *package);
void        version_check(Front *front); /* that were found against those asked for */

/* ---- measure.c -------------------------------------------------------------------------- */

void check_units(FlatModel *model); /* of equations and bindings: warnings only  */
void check_connected_units(Front *front, Inst *a, Inst *b, Pos pos);

/* ---- type.c ----------------------------------------------------------------------------- */

Ty      ty_scalar(Basic basic);
Ty      ty_of_class(Front *front, Cls *cls);
Ty      ty_array(Front *front, Ty type, int ndim, const int *dim); /* dims in front */
Ty      ty_element(Ty type, int drop);
int64_t ty_scalars(Front *front, Ty type); /* built-in scalars in it                */
bool    ty_numeric(Ty type);
bool    ty_same_dims(Ty a, Ty b); /* unknown sizes fit                               */
bool    ty_fits(Front *front, Ty given, Ty wanted, bool dims); /* Integer fits Real  */
const char *ty_text(Front *front, Ty type);
/* What to do about a value of the wrong type: "" or text to append. */
const char *ty_hint(Front *front, const Tx *value, Ty wanted);

/* A use of pre, edge, change or reinit: checked when all equations are known. */
void check_use_later(Ctx *ctx, const Builtin *b, const Tx *arg, Pos pos);
Tx  *tx_bad(Front *front, Pos pos);
bool tx_calls_impure(const Tx *tx);
Tx  *tx_string(Front *front, Pos pos, const char *value);
Tx  *type_sub(Ctx *ctx, Expr expr);
Tx  *type_name(Ctx *ctx, Expr expr);
Tx  *type_field(Ctx *ctx, Tx *of, Str name, Pos pos);
Tx  *type_subscripts(Ctx *ctx, Tx *of, const ExprList *list);
/* inputs of a function replaced by arguments */
Tx  *tx_replace(Front *front, Tx *tx, Inst **from, Tx **to, int n);
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

const Builtin *builtin_find(Front *front, Str name);

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
IterVar *iter_new(Ctx *ctx, const Iterator *it, Expr range); /* NULL: reported        */
void     pending_connects(Front *front); /* of members both of which were missing */
bool     func_has_body(const Cls *cls);
/* A Boolean flag of the class's annotation, own or inherited. */
bool class_flag(Front *front, Cls *cls, Str name);
bool foreign_fortran(Front *front, Func *func);
/* Runs an external function on a frame of values, outputs included. */
Flow foreign_run(Eval *eval, Func *func, Pos pos);

/* ---- machine.c ---- */

/* State machines become equations. */
void machines_expand(FlatModel *model);
void machines_free(Machines *machines);

/* ---- expandable.c ---- */

/* A member for an expandable connector, like another connector or one of its elements. */
Inst *expand_member(Ctx *ctx, Inst *bus, const NamePart *part, const Tx *like);
/* A copy of member `like` in another expandable connector. */
Inst *expand_copy(Front *front, Inst *bus, const Inst *like);
/* A member that grows becomes at least as large as these sizes, or as the subscripts in the name
 * of an argument of connect. */
void expand_to(Front *front, Inst *member, const int *dim);
void expand_subscripts(Ctx *ctx, Inst *member, const NamePart *part);

/* ---- graph.c ----------------------------------------------------------------------------------- */

Value *graph_value(Eval *eval, const Tx *tx); /* isRoot, rooted, cardinality */
void   graph_free(RootGraph *graph);

Value *value_new(Arena *arena, Basic basic, int ndim, const int *dim);
Value *value_real(Arena *arena, double r);
Value *value_string(Arena *arena, const char *s);
Value *value_copy(Arena *arena, const Value *value);
Value *value_convert(Arena *arena, const Value *value, Basic basic); /* Integer -> Real */
bool   value_equal(const Value *a, const Value *b);
Value *value_stack(Arena *arena, Value **items, int n); /* {items...}              */
Value *value_spread(Arena *arena, Value *value, int ndim, const int *dim);
void   value_set(Value *into, int k, const Value *from, int from_k);
Value *eval_fail(Eval *eval, Pos pos, const char *why);
Value *eval_call(Eval *eval, Func *func, Value **arg,
                 Pos pos); /* tuple as item[]       */
Flow   eval_body(Eval *eval, const EquList *list);
/* A variable of the running function; its declaration is evaluated when first needed. */
Value *eval_variable(Eval *eval, Inst *inst);
bool   eval_boolean(Front *front, const Tx *tx, bool *value);
Value *value_select(Eval *eval, Value *value, Tx **subs, int n);
Flow   run_assign(Eval *eval, const Tx *left, Value *value);

#endif
