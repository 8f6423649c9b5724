/* SPDX-License-Identifier: Apache-2.0 */
/* format.c -- the tree as formatted Modelica.
 *
 * What is printed parses to the same tree; `rubato format` checks that each time before it
 * lets the text out. Layout is decided in printer.c. */
#include "syntax/printer.h"

#include <string.h>

static void expression(Printer *f, Expr expr);
static void modifications(Printer *f, const Mods *mods);
static void class_definition(Printer *f, const Class *class_);
static void element(Printer *f, const Element *item, bool each);
static void clause(Printer *f, const Clause *item);

const char *op_text(Op op) {
    static const char *const text[] = {"",   "or", "and", "not", "<", "<=", ">",
                                       ">=", "==", "<>",  "+",   "-", ".+", ".-",
                                       "*",  "/",  ".*",  "./",  "^", ".^"};
    return text[op];
}

/* ---- expressions ---- */

/* Where the text of an expression begins, parentheses aside. */
static Pos start_of(Expr expr) {
    switch (expr.kind) {
    case EXPR_BINARY: return start_of(expr.arg[0]);
    case EXPR_RANGE: return start_of(expr.list->item[0]);
    default: return expr.pos;
    }
}

static void open(Printer *f, const char *bracket) {
    print_text(f, bracket);
    f->nest++;
}

static void close(Printer *f, const char *bracket) {
    f->nest--;
    print_text(f, bracket);
}

static void items(Printer *f, const ExprList *list, uint32_t first) {
    for (uint32_t i = first; list && i < list->count; i++) {
        if (i > first) print_text(f, ",");
        if (list->item[i].kind == EXPR_NONE) {
            if (i > first && i + 1 < list->count) print_text(f, " ");
            continue;
        }
        print_gap(f, start_of(list->item[i]), i > first && !f->tight ? " " : "");
        expression(f, list->item[i]);
    }
}

static void enclosed(Printer *f, const char *opening, const ExprList *list,
                     uint32_t first, const char *closing) {
    open(f, opening);
    items(f, list, first);
    close(f, closing);
}

static void subscripts(Printer *f, const ExprList *list) {
    if (!list) return;
    enclosed(f, "[", list, 0, "]");
}

static void name(Printer *f, const Name *path) {
    if (path->global) print_text(f, ".");
    for (int i = 0; i < path->count; i++) {
        if (i) print_text(f, ".");
        print_name(f, path->part[i].pos, path->part[i].name);
        subscripts(f, path->part[i].subscripts);
    }
}

static void iterators(Printer *f, const Iterators *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (i) print_text(f, ",");
        print_gap(f, list->item[i].pos, " ");
        print_name(f, list->item[i].pos, list->item[i].name);
        if (list->item[i].range.kind == EXPR_NONE) continue;
        print_text(f, " in");
        print_gap(f, start_of(list->item[i].range), " ");
        expression(f, list->item[i].range);
    }
}

static void arguments(Printer *f, const Call *call) {
    items(f, call->args, 0);
    for (uint32_t i = 0; i < call->named_count; i++) {
        if (i || call->args) print_text(f, ",");
        print_gap(f, call->named[i].pos, i || call->args ? " " : "");
        print_name(f, call->named[i].pos, call->named[i].name);
        print_text(f, "=");
        print_gap(f, start_of(call->named[i].value), "");
        expression(f, call->named[i].value);
    }
    if (call->iterators) {
        print_text(f, " for");
        iterators(f, call->iterators);
    }
}

static void call(Printer *f, const Call *c) {
    name(f, c->function);
    open(f, "(");
    arguments(f, c);
    close(f, ")");
}

static size_t number_length(const char *text) {
    size_t n = strspn(text, "0123456789");
    if (text[n] == '.') n += 1 + strspn(text + n + 1, "0123456789");
    if (text[n] == 'e' || text[n] == 'E') {
        n += 1 + (text[n + 1] == '+' || text[n + 1] == '-');
        n += strspn(text + n, "0123456789");
    }
    return n;
}

static void binary(Printer *f, Expr expr) {
    bool        tight = expr.op == OP_MUL || expr.op == OP_DIV || expr.op == OP_POWER;
    const char *space = tight ? "" : " ", *op = op_text((Op)expr.op);
    expression(f, expr.arg[0]);
    print_gap(f, expr.pos, space);
    print_token(f, expr.pos, op, strlen(op));
    print_gap(f, start_of(expr.arg[1]), space);
    expression(f, expr.arg[1]);
}

static void if_expression(Printer *f, const ExprList *list) {
    f->nest++;
    for (uint32_t i = 0; i + 1 < list->count; i += 2) {
        if (i) print_gap(f, start_of(list->item[i]), " ");
        print_text(f, i ? "elseif " : "if ");
        expression(f, list->item[i]);
        print_text(f, " then");
        print_gap(f, start_of(list->item[i + 1]), " ");
        expression(f, list->item[i + 1]);
    }
    print_gap(f, start_of(list->item[list->count - 1]), " ");
    print_text(f, "else ");
    expression(f, list->item[list->count - 1]);
    f->nest--;
}

static void matrix(Printer *f, const ExprList *rows) {
    open(f, "[");
    for (uint32_t i = 0; i < rows->count; i++) {
        if (i) print_text(f, ";");
        print_gap(f, start_of(rows->item[i].list->item[0]), i ? " " : "");
        items(f, rows->item[i].list, 0);
    }
    close(f, "]");
}

static void bare_expression(Printer *f, Expr expr) {
    switch (expr.kind) {
    case EXPR_NONE: break;
    case EXPR_BAD: print_text(f, "?"); break;
    case EXPR_INTEGER:
    case EXPR_REAL:
        print_source(f, expr.pos, number_length(print_source_at(f, expr.pos)));
        break;
    case EXPR_STRING: print_source(f, expr.pos, expr.length); break;
    case EXPR_FALSE: print_token(f, expr.pos, "false", 5); break;
    case EXPR_TRUE: print_token(f, expr.pos, "true", 4); break;
    case EXPR_END: print_token(f, expr.pos, "end", 3); break;
    case EXPR_COLON: print_token(f, expr.pos, ":", 1); break;
    case EXPR_BREAK: print_token(f, expr.pos, "break", 5); break;
    case EXPR_NAME: name(f, expr.name); break;
    case EXPR_PARTIAL: print_text(f, "function "); /* fall through */
    case EXPR_CALL: call(f, expr.call); break;
    case EXPR_UNARY:
        print_text(f, op_text((Op)expr.op));
        print_gap(f, start_of(expr.arg[0]), expr.op == OP_NOT ? " " : "");
        expression(f, expr.arg[0]);
        break;
    case EXPR_BINARY: binary(f, expr); break;
    case EXPR_RANGE:
        for (uint32_t i = 0; i < expr.list->count; i++) {
            if (i) print_text(f, ":");
            expression(f, expr.list->item[i]);
        }
        break;
    case EXPR_IF: if_expression(f, expr.list); break;
    case EXPR_ARRAY: enclosed(f, "{", expr.list, 0, "}"); break;
    case EXPR_ARRAY_FOR:
        open(f, "{");
        arguments(f, expr.call);
        close(f, "}");
        break;
    case EXPR_MATRIX: matrix(f, expr.list); break;
    case EXPR_TUPLE: enclosed(f, "(", expr.list, 0, ")"); break;
    case EXPR_SUBSCRIPT:
        expression(f, expr.list->item[0]);
        enclosed(f, "[", expr.list, 1, "]");
        break;
    case EXPR_FIELD:
        expression(f, expr.field->expr);
        print_text(f, ".");
        print_name(f, expr.field->pos, expr.field->name);
        break;
    }
}

static void expression(Printer *f, Expr expr) {
    if (expr.parens) open(f, "(");
    bare_expression(f, expr);
    if (expr.parens) close(f, ")");
}

void format_expr(Text *out, const Session *session, Expr expr) {
    Printer f = {.out = out, .session = session};
    expression(&f, expr);
}

/* ---- descriptions, annotations, modifications ---- */

static void description(Printer *f, const ExprList *strings) {
    for (uint32_t i = 0; strings && i < strings->count; i++) {
        if (i) print_text(f, " +");
        print_gap(f, strings->item[i].pos, " ");
        expression(f, strings->item[i]);
    }
}

static void annotation(Printer *f, const Mods *mods) {
    bool tight = f->tight;
    print_text(f, "annotation ");
    f->tight = true; /* {{-10,-10},{10,10}}, as graphical editors write it */
    modifications(f, mods);
    f->tight = tight;
}

static void comment(Printer *f, const Comment *c) {
    if (!c) return;
    description(f, c->strings);
    if (!c->annotation) return;
    print_gap(f, c->annotation->pos, " ");
    annotation(f, c->annotation);
}

static void value(Printer *f, Expr expr, bool assign, bool spaced) {
    if (expr.kind == EXPR_NONE) return;
    print_text(f, assign ? (spaced ? " :=" : ":=") : (spaced ? " =" : "="));
    print_gap(f, start_of(expr), spaced ? " " : "");
    expression(f, expr);
}

static void value_mod(Printer *f, const Mod *mod) {
    const Mod *last = mod;
    while (last->dotted) last = &last->args->item[0];
    if (last->each) print_text(f, "each ");
    if (last->final) print_text(f, "final ");
    for (const Mod *m = mod;; m = &m->args->item[0]) {
        print_name(f, m->pos, m->name);
        if (!m->dotted) break;
        print_text(f, ".");
    }
    if (last->args) modifications(f, last->args);
    value(f, last->value, last->assign, false);
    comment(f, last->comment);
}

static void modification(Printer *f, const Mod *mod) {
    switch (mod->kind) {
    case MOD_VALUE: value_mod(f, mod); break;
    case MOD_ELEMENT: element(f, mod->element, mod->each); break;
    case MOD_BREAK:
        print_text(f, "break ");
        print_name(f, mod->pos + 6, mod->name);
        break;
    case MOD_BREAK_CONNECT:
        print_text(f, "break ");
        clause(f, mod->connect);
        break;
    }
}

static void modifications(Printer *f, const Mods *mods) {
    if (!mods) return;
    open(f, "(");
    f->last = mods->pos + 1;
    for (uint32_t i = 0; i < mods->count; i++) {
        if (i) print_text(f, ",");
        print_gap(f, mods->item[i].pos, i ? " " : "");
        modification(f, &mods->item[i]);
    }
    close(f, ")");
}

/* ---- equations and statements ---- */

static void body(Printer *f, const ClauseList *list) {
    int nest = f->nest;
    f->nest = 0;
    f->indent++;
    for (uint32_t i = 0; i < list->count; i++) {
        print_line(f, list->item[i]->pos);
        clause(f, list->item[i]);
        print_text(f, ";");
    }
    f->indent--;
    f->nest = nest;
}

/* `else`, `end if`, `end Name`: comments above it belong to the body it ends. */
static void keyword_line(Printer *f, Pos pos, const char *keyword) {
    f->indent++;
    print_remarks(f, pos);
    f->indent--;
    print_line(f, pos);
    print_token(f, pos, keyword, strlen(keyword));
}

static void branches(Printer *f, const Clause *item, const char *word, const char *again,
                     const char *then) {
    const Branches *list = item->branches;
    for (uint32_t i = 0; i < list->count; i++) {
        const Branch *b = &list->item[i];
        const char   *keyword = i == 0                           ? word
                                : b->condition.kind == EXPR_NONE ? "else"
                                                                 : again;
        if (i) keyword_line(f, b->pos, keyword);
        else print_token(f, b->pos, keyword, strlen(keyword));
        if (b->condition.kind != EXPR_NONE) {
            print_gap(f, start_of(b->condition), " ");
            expression(f, b->condition);
            print_text(f, " ");
            print_text(f, then);
        }
        body(f, b->body);
    }
    keyword_line(f, item->end, "end ");
    print_text(f, word);
}

static void for_loop(Printer *f, const Clause *item) {
    print_text(f, "for");
    iterators(f, item->loop->iterators);
    print_text(f, " loop");
    body(f, item->loop->body);
    keyword_line(f, item->end, "end ");
    print_text(f, "for");
}

static void sides(Printer *f, const Clause *item, const char *sign) {
    expression(f, item->side[0]);
    print_text(f, sign);
    print_gap(f, start_of(item->side[1]), " ");
    expression(f, item->side[1]);
}

static void clause(Printer *f, const Clause *item) {
    switch (item->kind) {
    case CLAUSE_EQUATION: sides(f, item, " ="); break;
    case CLAUSE_ASSIGN: sides(f, item, " :="); break;
    case CLAUSE_CALL: expression(f, item->side[0]); break;
    case CLAUSE_CONNECT:
        print_text(f, "connect(");
        sides(f, item, ",");
        print_text(f, ")");
        break;
    case CLAUSE_IF: branches(f, item, "if", "elseif", "then"); break;
    case CLAUSE_WHEN: branches(f, item, "when", "elsewhen", "then"); break;
    case CLAUSE_WHILE: branches(f, item, "while", "", "loop"); break;
    case CLAUSE_FOR: for_loop(f, item); break;
    case CLAUSE_BREAK: print_token(f, item->pos, "break", 5); break;
    case CLAUSE_RETURN: print_token(f, item->pos, "return", 6); break;
    }
    comment(f, item->comment);
}

/* ---- elements ---- */

static void word(Printer *f, bool set, const char *text) {
    if (set) print_text(f, text);
}

static void components(Printer *f, const Components *c) {
    word(f, c->flow == FLOW_FLOW, "flow ");
    word(f, c->flow == FLOW_STREAM, "stream ");
    word(f, c->varies == VARIES_DISCRETE, "discrete ");
    word(f, c->varies == VARIES_PARAMETER, "parameter ");
    word(f, c->varies == VARIES_CONSTANT, "constant ");
    word(f, c->causality == CAUSAL_INPUT, "input ");
    word(f, c->causality == CAUSAL_OUTPUT, "output ");
    name(f, c->type);
    subscripts(f, c->subscripts);
    for (uint32_t i = 0; i < c->count; i++) {
        const Component *item = &c->item[i];
        if (i) print_text(f, ",");
        print_gap(f, item->pos, " ");
        print_name(f, item->pos, item->name);
        subscripts(f, item->subscripts);
        modifications(f, item->mods);
        value(f, item->value, item->assign, true);
        if (item->condition.kind != EXPR_NONE) {
            print_text(f, " if");
            print_gap(f, start_of(item->condition), " ");
            expression(f, item->condition);
        }
        comment(f, item->comment);
    }
}

static void import_clause(Printer *f, const Import *import) {
    print_text(f, "import ");
    if (import->kind == IMPORT_RENAMED) {
        print_text(f, name_of(f->session, import->alias));
        print_text(f, " = ");
    }
    name(f, import->path);
    if (import->kind == IMPORT_ALL) print_text(f, ".*");
    if (import->kind == IMPORT_LIST) {
        open(f, ".{");
        for (uint32_t i = 0; i < import->count; i++) {
            if (i) print_text(f, ",");
            print_gap(f, import->list[i].pos, i ? " " : "");
            print_name(f, import->list[i].pos, import->list[i].name);
        }
        close(f, "}");
    }
    comment(f, import->comment);
}

static void based(Printer *f, const char *keyword, const Name *base, const Mods *mods,
                  const Comment *c) {
    print_text(f, keyword);
    name(f, base);
    modifications(f, mods);
    comment(f, c);
}

static void element(Printer *f, const Element *item, bool each) {
    word(f, item->redeclare, "redeclare ");
    word(f, each, "each ");
    word(f, item->final, "final ");
    word(f, item->inner, "inner ");
    word(f, item->outer, "outer ");
    word(f, item->replaceable, "replaceable ");
    switch (item->kind) {
    case ELEMENT_CLASS: class_definition(f, item->class_); break;
    case ELEMENT_COMPONENTS: components(f, item->components); break;
    case ELEMENT_EXTENDS:
        based(f, "extends ", item->extends->base, item->extends->mods,
              item->extends->comment);
        break;
    case ELEMENT_IMPORT: import_clause(f, item->import); break;
    }
    if (!item->constraint) return;
    print_gap(f, item->constraint->base->part[0].pos, " ");
    based(f, "constrainedby ", item->constraint->base, item->constraint->mods,
          item->constraint->comment);
}

/* ---- sections and classes ---- */

static void external(Printer *f, const External *e) {
    print_text(f, "external");
    if (e->language.kind != EXPR_NONE) {
        print_gap(f, e->language.pos, " ");
        expression(f, e->language);
    }
    if (e->result.kind != EXPR_NONE) {
        print_gap(f, start_of(e->result), " ");
        expression(f, e->result);
        print_text(f, " =");
    }
    if (e->function) {
        print_gap(f, e->pos, " ");
        print_name(f, e->pos, e->function);
        enclosed(f, "(", e->args, 0, ")");
    }
    if (e->annotation) {
        print_gap(f, e->annotation->pos, " ");
        annotation(f, e->annotation);
    }
    print_text(f, ";");
}

static void section(Printer *f, const Section *s) {
    static const char *const keyword[] = {"public",    "protected",
                                          "equation",  "initial equation",
                                          "algorithm", "initial algorithm"};
    if (s->named && s->kind < SECTION_EXTERNAL) {
        print_line(f, s->pos);
        print_token(f, s->pos, keyword[s->kind], strlen(keyword[s->kind]));
    }
    f->indent++;
    if (s->kind == SECTION_EXTERNAL || s->kind == SECTION_ANNOTATION) {
        print_line(f, s->pos);
        if (s->kind == SECTION_EXTERNAL) {
            external(f, s->external);
        } else {
            annotation(f, s->annotation);
            print_text(f, ";");
        }
    }
    for (uint32_t i = 0; i < s->count; i++) {
        bool elements = s->kind <= SECTION_PROTECTED;
        print_line(f, elements ? s->element[i]->pos : s->clause[i]->pos);
        if (elements) element(f, s->element[i], false);
        else clause(f, s->clause[i]);
        print_text(f, ";");
    }
    f->indent--;
}

static void literals(Printer *f, const Class *class_) {
    open(f, "(");
    word(f, class_->any_literals, ":");
    for (uint32_t i = 0; i < class_->count; i++) {
        if (i) print_text(f, ",");
        print_gap(f, class_->literal[i].pos, i ? " " : "");
        print_name(f, class_->literal[i].pos, class_->literal[i].name);
        comment(f, class_->literal[i].comment);
    }
    close(f, ")");
}

static void derivative(Printer *f, const Class *class_) {
    open(f, "(");
    name(f, class_->base);
    for (uint32_t i = 0; i < class_->count; i++) {
        print_text(f, ", ");
        print_name(f, class_->variable[i].pos, class_->variable[i].name);
    }
    close(f, ")");
}

static void short_class(Printer *f, const Class *class_) {
    print_text(f, " = ");
    if (class_->form == FORM_ENUMERATION) {
        print_text(f, "enumeration");
        literals(f, class_);
    } else if (class_->form == FORM_DERIVATIVE) {
        print_text(f, "der");
        derivative(f, class_);
    } else {
        word(f, class_->causality == CAUSAL_INPUT, "input ");
        word(f, class_->causality == CAUSAL_OUTPUT, "output ");
        name(f, class_->base);
        subscripts(f, class_->subscripts);
        modifications(f, class_->mods);
    }
    comment(f, class_->comment);
}

static void long_class(Printer *f, const Class *class_) {
    int nest = f->nest;
    if (class_->form == FORM_EXTENDS) modifications(f, class_->mods);
    if (class_->comment) description(f, class_->comment->strings);
    f->nest = 0;
    for (uint32_t i = 0; i < class_->count; i++) section(f, &class_->section[i]);
    keyword_line(f, class_->end, "end ");
    print_text(f, name_of(f->session, class_->name));
    f->nest = nest;
}

static void class_definition(Printer *f, const Class *class_) {
    static const char *const keyword[] = {"class ",   "model ",     "record ",
                                          "block ",   "connector ", "type ",
                                          "package ", "function ",  "operator "};
    word(f, class_->encapsulated, "encapsulated ");
    word(f, class_->partial, "partial ");
    word(f, class_->expandable, "expandable ");
    word(f, class_->pure, "pure ");
    word(f, class_->impure, "impure ");
    word(f, class_->operator_, "operator ");
    print_text(f, keyword[class_->kind]);
    word(f, class_->form == FORM_EXTENDS, "extends ");
    print_name(f, class_->pos, class_->name);
    if (class_->form == FORM_LONG || class_->form == FORM_EXTENDS) long_class(f, class_);
    else short_class(f, class_);
}

void format_file(Text *out, const Session *session, const StoredFile *file) {
    Printer f = {
        .out = out, .session = session, .file = file, .last = file->source->base};
    if (file->has_within) {
        print_line(&f, file->within_pos);
        print_token(&f, file->within_pos, "within", 6);
        if (file->within) {
            print_text(&f, " ");
            name(&f, file->within);
        }
        print_text(&f, ";");
    }
    for (uint32_t i = 0; i < file->count; i++) {
        print_line(&f, file->stored[i].class_->start);
        word(&f, file->stored[i].final, "final ");
        class_definition(&f, file->stored[i].class_);
        print_text(&f, ";");
    }
    print_end(&f);
}
