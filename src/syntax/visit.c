/* SPDX-License-Identifier: Apache-2.0 */
/* visit.c -- every name in a tree with what it takes to find its meaning: the classes, iterators
 * and modifiers around it. One walk serves colours, definitions, references and the linter.
 * Cost: linear in the size of the tree; it recurses as deep as the tree is high. */
#include "syntax/syntax.h"

typedef struct Visitor {
    VisitUse            *visit;
    void                *context;
    const ClassScope    *in;
    const IteratorScope *iterators;
    int                  annotation; /* > 0: inside one */
    bool                 assigned;   /* the next reference is what gets a value */
    bool                 stop;
} Visitor;

static void expression(Visitor *v, Expr expr);
static void modifications(Visitor *v, const Mods *mods, const ModScope *scope);
static void element(Visitor *v, const Element *item, const ModScope *scope);
static void one_class(Visitor *v, const Class *class_, const Element *item);

static void tell(Visitor *v, NameUse use) {
    if (v->stop || !use.name || !use.pos) return;
    use.in = v->in;
    use.iterators = v->iterators;
    use.annotation = v->annotation > 0;
    v->stop = v->visit(v->context, &use);
}

/* ---- expressions ---- */

static void list(Visitor *v, const ExprList *items) {
    for (uint32_t i = 0; items && i < items->count && !v->stop; i++)
        expression(v, items->item[i]);
}

static void path(Visitor *v, const Name *name, UseRole role) {
    bool assigned = v->assigned;
    v->assigned = false;
    for (int i = 0; name && i < name->count && !v->stop; i++) {
        tell(v, (NameUse){.role = (uint8_t)role,
                          .name = name->part[i].name,
                          .pos = name->part[i].pos,
                          .path = name,
                          .part = i,
                          .assigned = assigned});
        list(v, name->part[i].subscripts);
    }
}

/* Runs over what iterators are in force for. */
static void under_iterators(Visitor *v, const Iterators *iterators, uint32_t k,
                            void (*body)(Visitor *v, const void *what),
                            const void *what) {
    if (!iterators || k == iterators->count) {
        body(v, what);
        return;
    }
    const Iterator *it = &iterators->item[k];
    expression(v, it->range);
    IteratorScope own = {v->iterators, it};
    /* cppcheck-suppress autoVariables; taken back below */
    v->iterators = &own;
    tell(v, (NameUse){.role = DECLARES_ITERATOR, .name = it->name, .pos = it->pos});
    under_iterators(v, iterators, k + 1, body, what);
    v->iterators = own.outer;
}

static void arguments(Visitor *v, const void *what) {
    const Call *call = what;
    list(v, call->args);
    for (uint32_t i = 0; i < call->named_count && !v->stop; i++) {
        const NamedArg *arg = &call->named[i];
        tell(v,
             (NameUse){
                 .role = USE_ARGUMENT, .name = arg->name, .pos = arg->pos, .call = call});
        expression(v, arg->value);
    }
}

static void call_of(Visitor *v, const Call *call) {
    if (call->function) path(v, call->function, USE_FUNCTION);
    under_iterators(v, call->iterators, 0, arguments, call);
}

static void expression(Visitor *v, Expr expr) {
    if (v->stop) return;
    switch (expr.kind) {
    case EXPR_NAME: path(v, expr.name, USE_VALUE); break;
    case EXPR_CALL:
    case EXPR_PARTIAL:
    case EXPR_ARRAY_FOR: call_of(v, expr.call); break;
    case EXPR_UNARY: expression(v, expr.arg[0]); break;
    case EXPR_BINARY:
        expression(v, expr.arg[0]);
        expression(v, expr.arg[1]);
        break;
    case EXPR_FIELD:
        expression(v, expr.field->expr);
        tell(v, (NameUse){.role = USE_FIELD,
                          .name = expr.field->name,
                          .pos = expr.field->pos,
                          .field = expr.field});
        break;
    default: list(v, expr_items(expr)); break;
    }
}

/* ---- modifications, comments ---- */

static void annotation(Visitor *v, const Mods *mods) {
    if (!mods) return;
    v->annotation++;
    modifications(v, mods, NULL);
    v->annotation--;
}

static void comment(Visitor *v, const Comment *item) {
    if (item) annotation(v, item->annotation);
}

static void modification(Visitor *v, const Mod *mod, const ModScope *scope) {
    ModScope inner = {scope, NULL, mod};
    switch (mod->kind) {
    case MOD_VALUE:
        tell(v, (NameUse){.role = scope ? USE_MODIFIER : USE_ANNOTATION,
                          .name = mod->name,
                          .pos = mod->pos,
                          .modifies = scope});
        modifications(v, mod->args, scope ? &inner : NULL);
        expression(v, mod->value);
        comment(v, mod->comment);
        break;
    case MOD_ELEMENT:
        if (mod->element) element(v, mod->element, scope);
        break;
    default: break;
    }
}

static void modifications(Visitor *v, const Mods *mods, const ModScope *scope) {
    for (uint32_t i = 0; mods && i < mods->count && !v->stop; i++)
        modification(v, &mods->item[i], scope);
}

static void modifications_of(Visitor *v, const Mods *mods, const Name *of) {
    ModScope scope = {NULL, of, NULL};
    modifications(v, mods, &scope);
}

/* ---- elements ---- */

static void based(Visitor *v, const Based *item) {
    path(v, item->base, USE_TYPE);
    modifications_of(v, item->mods, item->base);
    comment(v, item->comment);
}

static void import(Visitor *v, const Import *item) {
    if (item->kind == IMPORT_RENAMED)
        tell(v, (NameUse){.role = DECLARES_IMPORT,
                          .name = item->alias,
                          .pos = item->alias_pos,
                          .path = item->path});
    path(v, item->path, USE_IMPORT);
    for (uint32_t i = 0; item->kind == IMPORT_LIST && i < item->count; i++)
        tell(v, (NameUse){.role = USE_IMPORT,
                          .name = item->list[i].name,
                          .pos = item->list[i].pos,
                          .path = item->path,
                          .part = item->path->count});
    comment(v, item->comment);
}

/* scope: of the modification the element stands in, NULL if it stands in a class */
static void components(Visitor *v, const Element *item, const ModScope *scope) {
    const Components *group = item->components;
    path(v, group->type, USE_TYPE);
    list(v, group->subscripts);
    for (uint32_t i = 0; i < group->count && !v->stop; i++) {
        const Component *c = &group->item[i];
        tell(v, (NameUse){.role = scope ? USE_MODIFIER : DECLARES_COMPONENT,
                          .name = c->name,
                          .pos = c->pos,
                          .modifies = scope,
                          .element = item,
                          .component = c});
        list(v, c->subscripts);
        modifications_of(v, c->mods, group->type);
        expression(v, c->value);
        expression(v, c->condition);
        comment(v, c->comment);
    }
}

static void element(Visitor *v, const Element *item, const ModScope *scope) {
    switch (item->kind) {
    case ELEMENT_CLASS:
        if (scope)
            tell(v, (NameUse){.role = USE_MODIFIER,
                              .name = item->class_->name,
                              .pos = item->class_->pos,
                              .modifies = scope,
                              .element = item});
        one_class(v, item->class_, scope ? NULL : item);
        break;
    case ELEMENT_COMPONENTS:
        if (item->components) components(v, item, scope);
        break;
    case ELEMENT_EXTENDS:
        if (item->extends) based(v, item->extends);
        break;
    case ELEMENT_IMPORT:
        if (item->import) import(v, item->import);
        break;
    }
    if (item->constraint) based(v, item->constraint);
}

/* ---- equations ---- */

static void clause(Visitor *v, const Clause *item);

static void clauses(Visitor *v, const void *what) {
    const ClauseList *body = what;
    for (uint32_t i = 0; i < body->count && !v->stop; i++) clause(v, body->item[i]);
}

static void clause(Visitor *v, const Clause *item) {
    switch (item->kind) {
    case CLAUSE_EQUATION:
    case CLAUSE_ASSIGN:
        v->assigned = item->side[0].kind == EXPR_NAME;
        expression(v, item->side[0]);
        v->assigned = false;
        expression(v, item->side[1]);
        break;
    case CLAUSE_CONNECT:
        expression(v, item->side[0]);
        expression(v, item->side[1]);
        break;
    case CLAUSE_CALL: expression(v, item->side[0]); break;
    case CLAUSE_IF:
    case CLAUSE_WHEN:
    case CLAUSE_WHILE:
        for (uint32_t i = 0; i < item->branches->count && !v->stop; i++) {
            expression(v, item->branches->item[i].condition);
            clauses(v, item->branches->item[i].body);
        }
        break;
    case CLAUSE_FOR:
        under_iterators(v, item->loop->iterators, 0, clauses, item->loop->body);
        break;
    default: break;
    }
    comment(v, item->comment);
}

/* ---- classes ---- */

static void section(Visitor *v, const Section *item) {
    switch (item->kind) {
    case SECTION_PUBLIC:
    case SECTION_PROTECTED:
        for (uint32_t i = 0; i < item->count && !v->stop; i++)
            element(v, item->element[i], NULL);
        break;
    case SECTION_EXTERNAL:
        if (!item->external) break;
        expression(v, item->external->result);
        list(v, item->external->args);
        annotation(v, item->external->annotation);
        break;
    case SECTION_ANNOTATION: annotation(v, item->annotation); break;
    default:
        for (uint32_t i = 0; i < item->count && !v->stop; i++) clause(v, item->clause[i]);
    }
}

static void long_class(Visitor *v, const Class *class_) {
    ClassScope own = {v->in, class_};
    v->in = &own;
    modifications_of(v, class_->mods, NULL);
    for (uint32_t i = 0; i < class_->count && !v->stop; i++)
        section(v, &class_->section[i]);
    v->in = own.outer;
}

static void short_class(Visitor *v, const Class *class_) {
    if (class_->form == FORM_ENUMERATION) {
        for (uint32_t i = 0; i < class_->count && !v->stop; i++) {
            tell(v, (NameUse){.role = DECLARES_LITERAL,
                              .name = class_->literal[i].name,
                              .pos = class_->literal[i].pos,
                              .class_ = class_});
            comment(v, class_->literal[i].comment);
        }
    } else if (class_->base) {
        path(v, class_->base, USE_TYPE);
        if (class_->form == FORM_SHORT) {
            list(v, class_->subscripts);
            modifications_of(v, class_->mods, class_->base);
        }
    }
    comment(v, class_->comment);
}

/* item: NULL inside a modification, where the name is that of a modifier */
static void one_class(Visitor *v, const Class *class_, const Element *item) {
    const bool long_ = class_->form == FORM_LONG || class_->form == FORM_EXTENDS;
    if (item || !v->in)
        tell(v, (NameUse){.role = DECLARES_CLASS,
                          .name = class_->name,
                          .pos = class_->pos,
                          .element = item,
                          .class_ = class_});
    if (v->stop) return;
    if (!long_) {
        short_class(v, class_);
        return;
    }
    long_class(v, class_);
    tell(v, (NameUse){.role = ENDS_CLASS,
                      .name = class_->name,
                      .pos = class_->end_name,
                      .class_ = class_});
}

bool visit_class(const Class *class_, const ClassScope *around, VisitUse *visit,
                 void *context) {
    Visitor v = {.visit = visit, .context = context, .in = around};
    if (class_->form == FORM_LONG || class_->form == FORM_EXTENDS) long_class(&v, class_);
    else short_class(&v, class_);
    return v.stop;
}

bool visit_file(const StoredFile *file, VisitUse *visit, void *context) {
    Visitor v = {.visit = visit, .context = context};
    if (file->within) path(&v, file->within, USE_WITHIN);
    for (uint32_t i = 0; i < file->count && !v.stop; i++)
        one_class(&v, file->stored[i].class_, NULL);
    return v.stop;
}
