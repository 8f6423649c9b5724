/* SPDX-License-Identifier: Apache-2.0 */
/* dump.c -- the tree as indented text, one node a line.
 *
 * Everything is printed but positions, so two texts that mean the same give the same dump:
 * the formatter is tested and guards itself with that. Reals are printed with 17 digits,
 * strings and names as written. */
#include "syntax/syntax.h"

#include <inttypes.h>
#include <string.h>

typedef struct Dump {
    Text          *out;
    const Session *session;
    int            indent;
} Dump;

static void dump_expr(Dump *d, const char *role, Expr expr);
static void dump_mods(Dump *d, const char *role, const Mods *mods);
static void dump_class(Dump *d, const Class *class_);
static void dump_clause(Dump *d, const Clause *clause);
static void dump_element(Dump *d, const Element *element);

static void begin(Dump *d, const char *what) {
    for (int i = 0; i < d->indent; i++) text_add(d->out, "  ");
    text_add(d->out, what);
}

static void end(Dump *d) {
    text_char(d->out, '\n');
}

static void word(Dump *d, const char *text) {
    text_char(d->out, ' ');
    text_add(d->out, text);
}

static void name(Dump *d, Str str) {
    word(d, name_of(d->session, str));
}

static void flag(Dump *d, bool set, const char *text) {
    if (set) word(d, text);
}

static void line(Dump *d, const char *what) {
    begin(d, what);
    end(d);
}

static const char *source_text(const Dump *d, Pos pos) {
    const Source *source = source_at(&d->session->sources, pos);
    return source->text + (pos - source->base);
}

/* ---- expressions ---- */

static void dump_list(Dump *d, const char *role, const ExprList *list) {
    if (!list) return;
    line(d, role);
    d->indent++;
    for (uint32_t i = 0; i < list->count; i++) dump_expr(d, "", list->item[i]);
    d->indent--;
}

static void dump_name(Dump *d, const char *role, const Name *path) {
    begin(d, role);
    text_add(d->out, path->global ? " ." : " ");
    for (int i = 0; i < path->count; i++) {
        if (i) text_char(d->out, '.');
        text_add(d->out, name_of(d->session, path->part[i].name));
    }
    end(d);
    d->indent++;
    for (int i = 0; i < path->count; i++) {
        if (!path->part[i].subscripts) continue;
        begin(d, "at");
        text_printf(d->out, " %d", i);
        end(d);
        dump_list(d, "subscripts", path->part[i].subscripts);
    }
    d->indent--;
}

static void dump_named(Dump *d, const char *what, Str of, const char *role, Expr value) {
    begin(d, what);
    name(d, of);
    end(d);
    d->indent++;
    dump_expr(d, role, value);
    d->indent--;
}

static void dump_iterators(Dump *d, const Iterators *iterators) {
    for (uint32_t i = 0; iterators && i < iterators->count; i++) {
        dump_named(d, "for", iterators->item[i].name, "in", iterators->item[i].range);
    }
}

static void dump_call(Dump *d, const Call *call) {
    d->indent++;
    if (call->function) dump_name(d, "function", call->function);
    dump_list(d, "arguments", call->args);
    for (uint32_t i = 0; i < call->named_count; i++) {
        dump_named(d, "named", call->named[i].name, "", call->named[i].value);
    }
    dump_iterators(d, call->iterators);
    d->indent--;
}

static void dump_value(Dump *d,
                       Expr  expr) { /* what stands after the kind, then children */
    switch (expr.kind) {
    case EXPR_INTEGER: text_printf(d->out, " %" PRId64 "\n", expr.integer); return;
    case EXPR_REAL: text_printf(d->out, " %.17g\n", expr.real); return;
    case EXPR_STRING:
        text_char(d->out, ' ');
        text_bytes(d->out, source_text(d, expr.pos), expr.length);
        end(d);
        return;
    case EXPR_UNARY:
    case EXPR_BINARY: word(d, op_text((Op)expr.op)); break;
    default: break;
    }
    end(d);
    d->indent++;
    switch (expr.kind) {
    case EXPR_NAME: dump_name(d, "name", expr.name); break;
    case EXPR_CALL:
    case EXPR_PARTIAL:
    case EXPR_ARRAY_FOR: dump_call(d, expr.call); break;
    case EXPR_UNARY: dump_expr(d, "", expr.arg[0]); break;
    case EXPR_BINARY:
        dump_expr(d, "", expr.arg[0]);
        dump_expr(d, "", expr.arg[1]);
        break;
    case EXPR_FIELD:
        begin(d, "field");
        name(d, expr.field->name);
        end(d);
        dump_expr(d, "of", expr.field->expr);
        break;
    default: dump_list(d, "items", expr_items(expr)); break;
    }
    d->indent--;
}

static void dump_expr(Dump *d, const char *role, Expr expr) {
    static const char *const kind[] = {
        "none",      "bad",    "integer", "real",      "string", "false",
        "true",      "end",    "colon",   "break",     "name",   "call",
        "partial",   "unary",  "binary",  "range",     "if",     "array",
        "array-for", "matrix", "tuple",   "subscript", "field"};
    begin(d, role);
    word(d, kind[expr.kind]);
    flag(d, expr.parens, "parens");
    dump_value(d, expr);
}

static void dump_optional(Dump *d, const char *role, Expr expr) {
    if (expr.kind != EXPR_NONE) dump_expr(d, role, expr);
}

/* ---- comments and modifications ---- */

static void dump_comment(Dump *d, const Comment *comment) {
    if (!comment) return;
    dump_list(d, "description", comment->strings);
    dump_mods(d, "annotation", comment->annotation);
}

static void dump_mod(Dump *d, const Mod *mod) {
    static const char *const kind[] = {"modify", "element", "break", "break-connect"};
    begin(d, kind[mod->kind]);
    name(d, mod->name);
    flag(d, mod->each, "each");
    flag(d, mod->final, "final");
    flag(d, mod->dotted, "dotted");
    flag(d, mod->assign, "assign");
    end(d);
    d->indent++;
    dump_mods(d, "arguments", mod->args);
    dump_optional(d, "value", mod->value);
    dump_comment(d, mod->comment);
    if (mod->kind == MOD_ELEMENT && mod->element) dump_element(d, mod->element);
    if (mod->kind == MOD_BREAK_CONNECT && mod->connect) dump_clause(d, mod->connect);
    d->indent--;
}

static void dump_mods(Dump *d, const char *role, const Mods *mods) {
    if (!mods) return;
    line(d, role);
    d->indent++;
    for (uint32_t i = 0; i < mods->count; i++) dump_mod(d, &mods->item[i]);
    d->indent--;
}

/* ---- equations and statements ---- */

static void dump_body(Dump *d, const ClauseList *body) {
    line(d, "body");
    d->indent++;
    for (uint32_t i = 0; i < body->count; i++) dump_clause(d, body->item[i]);
    d->indent--;
}

static void dump_clause(Dump *d, const Clause *clause) {
    static const char *const kind[] = {"equation",  "assign", "call-clause", "connect",
                                       "if-clause", "when",   "for-clause",  "while",
                                       "break",     "return"};
    line(d, kind[clause->kind]);
    d->indent++;
    switch (clause->kind) {
    case CLAUSE_EQUATION:
    case CLAUSE_ASSIGN:
    case CLAUSE_CONNECT:
        dump_expr(d, "left", clause->side[0]);
        dump_expr(d, "right", clause->side[1]);
        break;
    case CLAUSE_CALL: dump_expr(d, "", clause->side[0]); break;
    case CLAUSE_FOR:
        dump_iterators(d, clause->loop->iterators);
        dump_body(d, clause->loop->body);
        break;
    case CLAUSE_BREAK:
    case CLAUSE_RETURN: break;
    default:
        for (uint32_t i = 0; i < clause->branches->count; i++) {
            dump_expr(d, "condition", clause->branches->item[i].condition);
            dump_body(d, clause->branches->item[i].body);
        }
    }
    dump_comment(d, clause->comment);
    d->indent--;
}

/* ---- elements and classes ---- */

static void dump_components(Dump *d, const Components *clause) {
    static const char *const flow[] = {"", "flow", "stream"};
    static const char *const varies[] = {"", "discrete", "parameter", "constant"};
    static const char *const causality[] = {"", "input", "output"};
    begin(d, "components");
    flag(d, clause->flow, flow[clause->flow]);
    flag(d, clause->varies, varies[clause->varies]);
    flag(d, clause->causality, causality[clause->causality]);
    end(d);
    d->indent++;
    dump_name(d, "type", clause->type);
    dump_list(d, "subscripts", clause->subscripts);
    for (uint32_t i = 0; i < clause->count; i++) {
        const Component *item = &clause->item[i];
        begin(d, "component");
        name(d, item->name);
        flag(d, item->assign, "assign");
        end(d);
        d->indent++;
        dump_list(d, "subscripts", item->subscripts);
        dump_mods(d, "modifications", item->mods);
        dump_optional(d, "value", item->value);
        dump_optional(d, "condition", item->condition);
        dump_comment(d, item->comment);
        d->indent--;
    }
    d->indent--;
}

static void dump_import(Dump *d, const Import *import) {
    static const char *const kind[] = {"import", "import-as", "import-all",
                                       "import-list"};
    begin(d, kind[import->kind]);
    if (import->alias) name(d, import->alias);
    for (uint32_t i = 0; i < import->count; i++) name(d, import->list[i].name);
    end(d);
    d->indent++;
    dump_name(d, "path", import->path);
    dump_comment(d, import->comment);
    d->indent--;
}

static void dump_based(Dump *d, const char *what, const Name *base, const Mods *mods,
                       const Comment *comment) {
    line(d, what);
    d->indent++;
    dump_name(d, "base", base);
    dump_mods(d, "modifications", mods);
    dump_comment(d, comment);
    d->indent--;
}

static void dump_element(Dump *d, const Element *element) {
    begin(d, "element");
    flag(d, element->redeclare, "redeclare");
    flag(d, element->final, "final");
    flag(d, element->inner, "inner");
    flag(d, element->outer, "outer");
    flag(d, element->replaceable, "replaceable");
    end(d);
    d->indent++;
    switch (element->kind) {
    case ELEMENT_CLASS: dump_class(d, element->class_); break;
    case ELEMENT_COMPONENTS: dump_components(d, element->components); break;
    case ELEMENT_EXTENDS:
        dump_based(d, "extends", element->extends->base, element->extends->mods,
                   element->extends->comment);
        break;
    case ELEMENT_IMPORT: dump_import(d, element->import); break;
    }
    if (element->constraint)
        dump_based(d, "constrainedby", element->constraint->base,
                   element->constraint->mods, element->constraint->comment);
    d->indent--;
}

static void dump_external(Dump *d, const External *external) {
    dump_optional(d, "language", external->language);
    dump_optional(d, "result", external->result);
    if (external->function) {
        begin(d, "function");
        name(d, external->function);
        end(d);
    }
    dump_list(d, "arguments", external->args);
    dump_mods(d, "annotation", external->annotation);
}

static void dump_section(Dump *d, const Section *section) {
    static const char *const kind[] = {
        "public",    "protected",         "equation", "initial equation",
        "algorithm", "initial algorithm", "external", "annotation"};
    begin(d, kind[section->kind]);
    flag(d, !section->named, "unnamed");
    end(d);
    d->indent++;
    for (uint32_t i = 0; i < section->count; i++) {
        if (section->kind <= SECTION_PROTECTED) dump_element(d, section->element[i]);
        else dump_clause(d, section->clause[i]);
    }
    if (section->kind == SECTION_EXTERNAL) dump_external(d, section->external);
    if (section->kind == SECTION_ANNOTATION)
        dump_mods(d, "arguments", section->annotation);
    d->indent--;
}

static void dump_class_body(Dump *d, const Class *class_) {
    if (class_->base) dump_name(d, "base", class_->base);
    dump_mods(d, "modifications", class_->mods);
    dump_comment(d, class_->comment);
    if (class_->form == FORM_SHORT) dump_list(d, "subscripts", class_->subscripts);
    for (uint32_t i = 0; i < class_->count; i++) {
        if (class_->form == FORM_ENUMERATION || class_->form == FORM_DERIVATIVE) {
            bool literal = class_->form == FORM_ENUMERATION;
            begin(d, literal ? "literal" : "variable");
            name(d, literal ? class_->literal[i].name : class_->variable[i].name);
            end(d);
            if (literal) dump_comment(d, class_->literal[i].comment);
        } else if (class_->form != FORM_SHORT) {
            dump_section(d, &class_->section[i]);
        }
    }
}

static void dump_class(Dump *d, const Class *class_) {
    static const char *const kind[] = {"class",   "model",     "record",
                                       "block",   "connector", "type",
                                       "package", "function",  "operator"};
    static const char *const form[] = {"long", "extends", "short", "enumeration", "der"};
    begin(d, kind[class_->kind]);
    name(d, class_->name);
    word(d, form[class_->form]);
    flag(d, class_->encapsulated, "encapsulated");
    flag(d, class_->partial, "partial");
    flag(d, class_->expandable, "expandable");
    flag(d, class_->pure, "pure");
    flag(d, class_->impure, "impure");
    flag(d, class_->operator_, "operator");
    flag(d, class_->any_literals, "any");
    flag(d, class_->causality == CAUSAL_INPUT, "input");
    flag(d, class_->causality == CAUSAL_OUTPUT, "output");
    end(d);
    d->indent++;
    dump_class_body(d, class_);
    d->indent--;
}

void dump_file(Text *out, const Session *session, const StoredFile *file, bool remarks) {
    Dump d = {.out = out, .session = session};
    if (file->has_within && !file->within) line(&d, "within");
    if (file->within) dump_name(&d, "within", file->within);
    for (uint32_t i = 0; i < file->count; i++) {
        if (file->stored[i].final) line(&d, "final");
        dump_class(&d, file->stored[i].class_);
    }
    for (uint32_t i = 0; remarks && i < file->remarks; i++) {
        begin(&d, "remark ");
        text_bytes(out, source_text(&d, file->remark[i].pos), file->remark[i].length);
        end(&d);
    }
}
