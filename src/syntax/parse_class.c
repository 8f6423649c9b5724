/* SPDX-License-Identifier: Apache-2.0 */
/* parse_class.c -- classes, elements and modifications (Modelica 3.6, A.2.2 to A.2.5). */
#include "syntax/parser.h"

#include <string.h>

static const Element *element(Parser *p, Mod *mod);

/* ---- descriptions and annotations ---- */

static const ExprList *description(Parser *p) {
    size_t   mark = p->used;
    uint32_t count;
    if (!tok_is(p, TOKEN_STRING)) return NULL;
    do {
        Expr part = {.pos = p->token.pos, .kind = EXPR_STRING, .length = p->token.length};
        if (!tok_expect(p, TOKEN_STRING, "after '+' in a description")) break;
        parse_push(p, &part, sizeof part);
    } while (tok_accept(p, TOKEN_PLUS));
    ExprList *list = parse_pop(p, mark, offsetof(ExprList, item), sizeof(Expr), &count);
    list->count = count;
    return list;
}

static const Mods *annotation(Parser *p) { /* at `annotation` */
    tok_take(p);
    if (tok_is(p, TOKEN_LPAREN)) return parse_mods(p, false);
    parse_unexpected(p, CODE_P101, "'(' after 'annotation'");
    return NULL;
}

static const Comment *keep_comment(Parser *p, Comment comment) {
    if (!comment.strings && !comment.annotation) return NULL;
    Comment *copy = NEW(&p->session->ast, Comment, 1);
    *copy = comment;
    return copy;
}

const Comment *parse_comment(Parser *p) {
    Comment comment = {.strings = description(p)};
    if (!p->panic && tok_is(p, TOKEN_ANNOTATION)) comment.annotation = annotation(p);
    return keep_comment(p, comment);
}

/* ---- modifications ---- */

static Expr modification_value(Parser *p) {
    if (!tok_is(p, TOKEN_BREAK)) return parse_expression(p);
    Expr expr = {.pos = p->token.pos, .kind = EXPR_BREAK};
    tok_take(p);
    return expr;
}

static bool at_value(const Parser *p) {
    return tok_is(p, TOKEN_EQUALS) || tok_is(p, TOKEN_ASSIGN);
}

/* name.name(args) = value: the dotted names become nested modifications. */
static Mod value_mod(Parser *p, bool each, bool final) {
    Mod mod = {.kind = MOD_VALUE};
    mod.name = tok_name(p, "the name of something to modify", &mod.pos);
    if (!p->panic && tok_is(p, TOKEN_DOT)) {
        if (!parse_enter(p)) return parse_leave(p), mod;
        tok_take(p);
        Mods *inner = arena_take(&p->session->ast, 1, sizeof(Mods) + sizeof(Mod));
        inner->pos = p->token.pos;
        inner->count = 1;
        inner->item[0] = value_mod(p, each, final);
        parse_leave(p);
        mod.dotted = true;
        mod.args = inner;
        return mod;
    }
    mod.each = each;
    mod.final = final;
    if (!p->panic && tok_is(p, TOKEN_LPAREN)) mod.args = parse_mods(p, false);
    if (!p->panic && at_value(p)) {
        mod.assign = tok_is(p, TOKEN_ASSIGN);
        tok_take(p);
        mod.value = modification_value(p);
    }
    if (!p->panic && tok_is(p, TOKEN_LBRACKET))
        parse_fail(
            p, p->token.pos, CODE_P126,
            "single elements of an array cannot be modified; modify the whole array");
    if (!p->panic && (tok_is(p, TOKEN_STRING) || tok_is(p, TOKEN_ANNOTATION)))
        mod.comment = parse_comment(p);
    return mod;
}

static Mod break_mod(Parser *p) { /* at `break` */
    Mod mod = {.kind = MOD_BREAK, .pos = p->token.pos};
    tok_take(p);
    if (tok_is(p, TOKEN_CONNECT)) {
        mod.kind = MOD_BREAK_CONNECT;
        mod.connect = parse_connect(p);
    } else {
        Pos pos;
        mod.name = tok_name(p, "the name of an inherited component", &pos);
    }
    return mod;
}

static Mod element_mod(Parser *p, bool each, bool final) {
    Mod mod = {.kind = MOD_ELEMENT, .pos = p->token.pos, .each = each, .final = final};
    mod.element = element(p, &mod);
    if (mod.element && mod.element->kind == ELEMENT_CLASS)
        mod.name = mod.element->class_->name;
    else if (mod.element && mod.element->kind == ELEMENT_COMPONENTS)
        mod.name = mod.element->components->item[0].name;
    return mod;
}

static Mod modification(Parser *p, bool inherit) {
    if (inherit && tok_is(p, TOKEN_BREAK)) return break_mod(p);
    bool each = tok_accept(p, TOKEN_EACH);
    bool final = tok_accept(p, TOKEN_FINAL);
    if (tok_is(p, TOKEN_REPLACEABLE) || tok_is(p, TOKEN_REDECLARE))
        return element_mod(p, each, final);
    return value_mod(p, each, final);
}

const Mods *parse_mods(Parser *p, bool inherit) { /* at '(' */
    size_t   mark = p->used;
    uint32_t count;
    Pos      pos = p->token.pos;
    bool     fits = parse_enter(p);
    parse_open(p, '(');
    bool more = fits && !tok_is(p, TOKEN_RPAREN);
    while (more) {
        Mod mod = modification(p, inherit);
        parse_push(p, &mod, sizeof mod);
        more = !p->panic && tok_accept(p, TOKEN_COMMA);
    }
    parse_close(p, TOKEN_RPAREN);
    parse_leave(p);
    Mods *mods = parse_pop(p, mark, offsetof(Mods, item), sizeof(Mod), &count);
    mods->pos = pos;
    mods->count = count;
    return mods;
}

static const Mods *optional_mods(Parser *p, bool inherit) {
    return !p->panic && tok_is(p, TOKEN_LPAREN) ? parse_mods(p, inherit) : NULL;
}

/* ---- components ---- */

static void prefix(Parser *p, uint8_t *where, int value) {
    if (*where)
        parse_complain(p, p->token.pos, CODE_P127,
                       "%s contradicts or repeats an earlier prefix",
                       token_name(p->token.kind));
    *where = (uint8_t)value;
    tok_take(p);
}

static void type_prefixes(Parser *p, Components *clause) {
    for (;;) {
        switch (p->token.kind) {
        case TOKEN_FLOW: prefix(p, &clause->flow, FLOW_FLOW); break;
        case TOKEN_STREAM: prefix(p, &clause->flow, FLOW_STREAM); break;
        case TOKEN_DISCRETE: prefix(p, &clause->varies, VARIES_DISCRETE); break;
        case TOKEN_PARAMETER: prefix(p, &clause->varies, VARIES_PARAMETER); break;
        case TOKEN_CONSTANT: prefix(p, &clause->varies, VARIES_CONSTANT); break;
        case TOKEN_INPUT: prefix(p, &clause->causality, CAUSAL_INPUT); break;
        case TOKEN_OUTPUT: prefix(p, &clause->causality, CAUSAL_OUTPUT); break;
        default: return;
        }
    }
}

static Component component(Parser *p, bool in_modification) {
    Component item = {0};
    item.name = tok_name(p, "the name of a component", &item.pos);
    if (!p->panic && tok_is(p, TOKEN_LBRACKET)) item.subscripts = parse_subscripts(p);
    item.mods = optional_mods(p, false);
    if (!p->panic && at_value(p)) {
        item.assign = tok_is(p, TOKEN_ASSIGN);
        tok_take(p);
        item.value = modification_value(p);
    }
    if (!p->panic && tok_is(p, TOKEN_EQUAL))
        parse_fail(p, p->token.pos, CODE_P101, "a value is given with '=', not '=='");
    if (!p->panic && !in_modification && tok_accept(p, TOKEN_IF))
        item.condition = parse_expression(p);
    if (!p->panic) item.comment = parse_comment(p);
    if (!p->panic && item.comment && at_value(p))
        parse_fail(p, p->token.pos, CODE_P101,
                   "the value must stand before the description");
    return item;
}

static const Components *components(Parser *p, bool in_modification) {
    Components clause = {0};
    size_t     mark = p->used;
    uint32_t   count;
    type_prefixes(p, &clause);
    clause.type = parse_name(p, "the name of a type");
    if (!p->panic && tok_is(p, TOKEN_LBRACKET)) clause.subscripts = parse_subscripts(p);
    if (p->panic) return NULL;
    do {
        Component item = component(p, in_modification);
        parse_push(p, &item, sizeof item);
    } while (!p->panic && !in_modification && tok_accept(p, TOKEN_COMMA));
    Components *copy =
        parse_pop(p, mark, offsetof(Components, item), sizeof(Component), &count);
    memcpy(copy, &clause, offsetof(Components, count));
    copy->count = count;
    return p->panic ? NULL : copy;
}

/* ---- extends, import, constrainedby ---- */

static Based *based(Parser *p, const char *wanted,
                    bool inherit) { /* at the word before it */
    Based *result = NEW(&p->session->ast, Based, 1);
    tok_take(p);
    result->base = parse_name(p, wanted);
    result->mods = optional_mods(p, inherit);
    return result;
}

static const Based *extends(Parser *p) { /* at `extends` */
    Based *result = based(p, "the name of a base class", true);
    if (!p->panic && tok_is(p, TOKEN_ANNOTATION))
        result->comment = keep_comment(p, (Comment){.annotation = annotation(p)});
    return p->panic ? NULL : result;
}

/* After the first dotted part of `import a.b.{c, d}`. */
static void import_list(Parser *p, Import *import) {
    size_t mark = p->used;
    import->kind = IMPORT_LIST;
    parse_open(p, '{');
    do {
        NamePart part = {0};
        part.name = tok_name(p, "a name to import", &part.pos);
        parse_push(p, &part, sizeof part);
    } while (!p->panic && tok_accept(p, TOKEN_COMMA));
    parse_close(p, TOKEN_RBRACE);
    import->list = parse_pop(p, mark, 0, sizeof(NamePart), &import->count);
}

static const Import *import_clause(Parser *p) { /* at `import` */
    Import *import = NEW(&p->session->ast, Import, 1);
    tok_take(p);
    if (tok_is(p, TOKEN_IDENT) && tok_peek(p) == TOKEN_EQUALS) {
        import->kind = IMPORT_RENAMED;
        import->alias = p->token.name;
        import->alias_pos = p->token.pos;
        tok_take(p);
        tok_take(p);
    }
    import->path = parse_name(p, "the name of a package or class");
    if (p->panic) return NULL;
    if (import->kind != IMPORT_RENAMED && tok_accept(p, TOKEN_STAR_EACH)) {
        import->kind = IMPORT_ALL;
    } else if (import->kind != IMPORT_RENAMED && tok_is(p, TOKEN_DOT) &&
               tok_peek(p) == TOKEN_LBRACE) {
        tok_take(p);
        import_list(p, import);
    }
    if (!p->panic) import->comment = parse_comment(p);
    return p->panic ? NULL : import;
}

static const Based *constraint(Parser *p) { /* at `constrainedby` */
    Based *result = based(p, "the name of the constraining class", false);
    if (!p->panic) result->comment = parse_comment(p);
    return result;
}

/* ---- elements ---- */

bool tok_starts_class(TokenKind kind) {
    switch (kind) {
    case TOKEN_ENCAPSULATED:
    case TOKEN_PARTIAL:
    case TOKEN_CLASS:
    case TOKEN_MODEL:
    case TOKEN_RECORD:
    case TOKEN_BLOCK:
    case TOKEN_CONNECTOR:
    case TOKEN_EXPANDABLE:
    case TOKEN_TYPE:
    case TOKEN_PACKAGE:
    case TOKEN_FUNCTION:
    case TOKEN_OPERATOR:
    case TOKEN_PURE:
    case TOKEN_IMPURE: return true;
    default: return false;
    }
}

/* What follows `modle Foo`: a string, or a new line with something that is no continuation
 * of a declaration. Looks ahead on a copy of the lexer. */
static bool class_follows(Parser *p) {
    if (tok_peek(p) != TOKEN_IDENT) return false;
    Lexer copy = p->lexer;
    int   messages = p->session->diag.count;
    Token behind = lexer_next(&copy);
    bool  quiet = p->session->diag.count == messages;
    p->session->diag.count = messages;
    return quiet && behind.line_start && behind.kind != TOKEN_EOF &&
           (behind.kind == TOKEN_STRING || behind.kind == TOKEN_IDENT ||
            behind.kind == TOKEN_END || tok_starts_clause(&behind));
}

/* `modle Foo`: a misspelt class keyword would make every line after it look wrong, so it is
 * reported and taken as the word that was meant. True if the token is now a class keyword. */
bool parse_repair_keyword(Parser *p) {
    static const TokenKind kinds[] = {
        TOKEN_MODEL, TOKEN_PACKAGE, TOKEN_FUNCTION, TOKEN_CONNECTOR, TOKEN_RECORD,
        TOKEN_BLOCK, TOKEN_CLASS,   TOKEN_TYPE,     TOKEN_PARTIAL,   TOKEN_ENCAPSULATED};
    if (!tok_is(p, TOKEN_IDENT)) return false;
    Suggest suggest = suggest_start(name_of(p->session, p->token.name));
    for (int i = 0; i < LENGTH(kinds); i++)
        suggest_candidate(&suggest, name_of(p->session, (Str)kinds[i]));
    if (!suggest.best || !class_follows(p)) return false;
    parse_complain(p, p->token.pos, CODE_P129, "unknown keyword '%s'; did you mean '%s'?",
                   suggest.wanted, suggest.best);
    p->token.kind = (uint8_t)str_of(&p->session->strings, suggest.best);
    return true;
}

static void element_prefixes(Parser *p, Element *result, Mod *mod) {
    for (;;) {
        bool *flag;
        if (mod && tok_accept(p, TOKEN_EACH)) mod->each = true; /* redeclare each */
        switch (p->token.kind) {
        case TOKEN_REDECLARE: flag = &result->redeclare; break;
        case TOKEN_FINAL: flag = &result->final; break;
        case TOKEN_INNER: flag = &result->inner; break;
        case TOKEN_OUTER: flag = &result->outer; break;
        case TOKEN_REPLACEABLE: flag = &result->replaceable; break;
        default: return;
        }
        if (*flag)
            parse_complain(p, p->token.pos, CODE_P127, "%s is repeated",
                           token_name(p->token.kind));
        *flag = true;
        tok_take(p);
    }
}

static Element element_content(Parser *p, Element result, bool in_modification) {
    if (tok_is(p, TOKEN_EXTENDS)) {
        result.kind = ELEMENT_EXTENDS;
        result.extends = extends(p);
    } else if (tok_is(p, TOKEN_IMPORT)) {
        result.kind = ELEMENT_IMPORT;
        result.import = import_clause(p);
    } else if (tok_starts_class(p->token.kind) || parse_repair_keyword(p)) {
        result.kind = ELEMENT_CLASS;
        result.class_ = parse_class(p);
    } else {
        result.kind = ELEMENT_COMPONENTS;
        result.components = components(p, in_modification);
    }
    return result;
}

/* In a modification, mod carries the prefixes met before and takes those met here. */
static const Element *element(Parser *p, Mod *mod) {
    Element result = {.pos = p->token.pos, .final = mod && mod->final};
    element_prefixes(p, &result, mod);
    bool prefixed = p->token.pos != result.pos;
    if (prefixed && (tok_is(p, TOKEN_EXTENDS) || tok_is(p, TOKEN_IMPORT)))
        parse_complain(p, result.pos, CODE_P127, "%s takes no prefix",
                       token_name(p->token.kind));
    if (mod) mod->final = result.final;
    result = element_content(p, result, mod != NULL);
    if (!p->panic && tok_is(p, TOKEN_CONSTRAINEDBY)) {
        if (!result.replaceable && !result.redeclare)
            parse_complain(p, p->token.pos, CODE_P127,
                           "'constrainedby' belongs to 'replaceable'");
        result.constraint = constraint(p);
    }
    if (p->panic || (result.kind == ELEMENT_CLASS && !result.class_)) return NULL;
    result.stop = p->last_end;
    Element *copy = NEW(&p->session->ast, Element, 1);
    *copy = result;
    return copy;
}

/* ---- sections ---- */

/* At `end Name`. A stray `end if` is reported and passed over. */
static bool ends_class(Parser *p) {
    while (tok_is(p, TOKEN_END) && tok_ends_something(tok_peek(p)) &&
           p->ahead.kind != TOKEN_IDENT) {
        parse_complain(p, p->token.pos, CODE_P116,
                       "'end %s' without a matching beginning",
                       name_of(p->session, (Str)p->ahead.kind));
        tok_take(p);
        tok_take(p);
        tok_accept(p, TOKEN_SEMICOLON);
    }
    return tok_is(p, TOKEN_END) || tok_is(p, TOKEN_EOF) || p->given_up;
}

static bool starts_section(Parser *p) {
    switch (p->token.kind) {
    case TOKEN_PUBLIC:
    case TOKEN_PROTECTED:
    case TOKEN_EQUATION:
    case TOKEN_ALGORITHM:
    case TOKEN_ANNOTATION: return true;
    case TOKEN_EXTERNAL: return true;
    case TOKEN_INITIAL: {
        TokenKind next = tok_peek(p);
        return next == TOKEN_EQUATION || next == TOKEN_ALGORITHM;
    }
    default: return false;
    }
}

static void elements(Parser *p, Section *section) {
    size_t mark = p->used;
    while (!ends_class(p) && !starts_section(p)) {
        int            brackets = p->brackets;
        Pos            before = p->token.pos;
        const Element *item = element(p, NULL);
        if (item) parse_push(p, &item, sizeof item);
        parse_end_clause(p, brackets, "the declaration");
        if (p->token.pos == before) tok_take(p);
    }
    section->element = parse_pop(p, mark, 0, sizeof(Element *), &section->count);
}

static void clauses(Parser *p, Section *section) {
    size_t mark = p->used;
    bool   equations =
        section->kind == SECTION_EQUATION || section->kind == SECTION_INITIAL_EQUATION;
    while (!ends_class(p) && !starts_section(p)) {
        int           brackets = p->brackets;
        Pos           before = p->token.pos;
        const Clause *item = equations ? parse_equation(p) : parse_statement(p);
        if (item) parse_push(p, &item, sizeof item);
        parse_end_clause(p, brackets, equations ? "the equation" : "the statement");
        if (p->token.pos == before) tok_take(p);
    }
    section->clause = parse_pop(p, mark, 0, sizeof(Clause *), &section->count);
}

static void external_call(Parser *p, External *result) {
    Expr first = parse_reference(p, "the name of an external function");
    if (!p->panic && tok_accept(p, TOKEN_EQUALS)) {
        result->result = first;
        result->function = tok_name(p, "the name of an external function", &result->pos);
    } else if (!p->panic) {
        if (first.name->count > 1 || first.name->part[0].subscripts)
            parse_fail(p, first.pos, CODE_P101,
                       "expected the plain name of an external function");
        result->function = first.name->part[0].name;
        result->pos = first.pos;
    }
    if (p->panic) return;
    if (!tok_is(p, TOKEN_LPAREN)) {
        parse_unexpected(p, CODE_P101, "'(' after the name of the external function");
        return;
    }
    parse_open(p, '(');
    result->args = parse_expression_list(p, TOKEN_RPAREN);
    parse_close(p, TOKEN_RPAREN);
}

static void external(Parser *p, Section *section) { /* after `external` */
    External *result = NEW(&p->session->ast, External, 1);
    int       brackets = p->brackets;
    if (tok_is(p, TOKEN_STRING)) {
        result->language =
            (Expr){.pos = p->token.pos, .kind = EXPR_STRING, .length = p->token.length};
        tok_take(p);
    }
    if (tok_is(p, TOKEN_IDENT)) external_call(p, result);
    if (!p->panic && tok_is(p, TOKEN_ANNOTATION)) result->annotation = annotation(p);
    parse_end_clause(p, brackets, "the external clause");
    section->external = result;
}

static SectionKind section_kind(Parser *p) { /* takes its keywords */
    bool      initial = tok_accept(p, TOKEN_INITIAL);
    TokenKind word = p->token.kind;
    tok_take(p);
    switch (word) {
    case TOKEN_PROTECTED: return SECTION_PROTECTED;
    case TOKEN_EQUATION: return initial ? SECTION_INITIAL_EQUATION : SECTION_EQUATION;
    case TOKEN_ALGORITHM: return initial ? SECTION_INITIAL_ALGORITHM : SECTION_ALGORITHM;
    case TOKEN_EXTERNAL: return SECTION_EXTERNAL;
    default: return SECTION_PUBLIC;
    }
}

static void section_content(Parser *p, Section *section) {
    if (section->kind == SECTION_EXTERNAL) external(p, section);
    else if (section->kind <= SECTION_PROTECTED) elements(p, section);
    else clauses(p, section);
}

/* All sections up to `end`; leaves the last annotation in class_. */
static void composition(Parser *p, Class *class_) {
    size_t      mark = p->used;
    SectionKind current = SECTION_PUBLIC;
    if (!starts_section(p) && !ends_class(p)) {
        Section first = {.kind = SECTION_PUBLIC};
        elements(p, &first);
        parse_push(p, &first, sizeof first);
    }
    while (!ends_class(p)) {
        int     brackets = p->brackets;
        Section section = {.pos = p->token.pos, .named = true};
        if (tok_is(p, TOKEN_ANNOTATION)) {
            section.kind = SECTION_ANNOTATION;
            section.annotation = class_->annotation = annotation(p);
            parse_end_clause(p, brackets, "the annotation");
        } else if (starts_section(p)) {
            section.kind = (uint8_t)(current = section_kind(p));
            section_content(p, &section);
        } else { /* goes on after an annotation or an external clause */
            if (current == SECTION_EXTERNAL) current = SECTION_PUBLIC;
            section = (Section){.kind = (uint8_t)current};
            section_content(p, &section);
        }
        parse_push(p, &section, sizeof section);
    }
    class_->section = parse_pop(p, mark, 0, sizeof(Section), &class_->count);
}

/* ---- classes ---- */

static bool encloses(const OpenClass *open, Str name) {
    for (; open; open = open->outer)
        if (open->name == name) return true;
    return false;
}

static void not_closed(Parser *p, const OpenClass *open) {
    const char *name = name_of(p->session, open->name);
    p->panic = open->name == 0; /* its name was wrong, which is reported */
    parse_complain(p, tok_is(p, TOKEN_END) ? p->token.pos : open->pos, CODE_P104,
                   "the class '%s' is not closed: 'end %s;' is missing", name, name);
    if (tok_is(p, TOKEN_END))
        diag_note(&p->session->diag, open->pos, "'%s' begins here", name);
    p->panic = true; /* no ';' is expected after it */
}

static void class_end(Parser *p, Class *class_, const OpenClass *open) {
    class_->end = p->token.pos;
    bool named = tok_is(p, TOKEN_END) && tok_peek(p) == TOKEN_IDENT;
    if (p->given_up) return;
    if (!tok_is(p, TOKEN_END) ||
        (named && p->ahead.name != open->name && encloses(open->outer, p->ahead.name))) {
        not_closed(p, open);
        return;
    }
    tok_take(p);
    bool right = named && p->token.name == open->name;
    if (right) class_->end_name = p->token.pos;
    if (open->name && !right) { /* a class whose own name was wrong may end as it likes */
        char found[80];
        tok_text(p, found, sizeof found);
        parse_complain(p, p->token.pos, CODE_P103, "expected '%s' after 'end', found %s",
                       name_of(p->session, open->name), found);
        diag_note(&p->session->diag, open->pos, "the class begins here");
    }
    if (named || (!open->name && !tok_is(p, TOKEN_SEMICOLON))) tok_take(p);
}

static void long_class(Parser *p, Class *class_) {
    OpenClass open = {.outer = p->open, .name = class_->name, .pos = class_->pos};
    /* cppcheck-suppress autoVariables; taken back below */
    p->open = &open;
    class_->comment = keep_comment(p, (Comment){.strings = description(p)});
    composition(p, class_);
    class_end(p, class_, &open);
    p->open = open.outer;
}

static bool list_begins(Parser *p, const char *wanted) {
    if (tok_is(p, TOKEN_LPAREN)) parse_open(p, '(');
    else parse_unexpected(p, CODE_P101, wanted);
    return !p->panic;
}

static void enumeration(Parser *p, Class *class_) { /* at `enumeration` */
    size_t mark = p->used;
    class_->form = FORM_ENUMERATION;
    tok_take(p);
    if (!list_begins(p, "'(' after 'enumeration'")) return;
    class_->any_literals = tok_accept(p, TOKEN_COLON);
    bool more = !class_->any_literals && !tok_is(p, TOKEN_RPAREN);
    while (more) {
        Literal item = {0};
        item.name = tok_name(p, "the name of an enumeration literal", &item.pos);
        if (!p->panic) item.comment = parse_comment(p);
        parse_push(p, &item, sizeof item);
        more = !p->panic && tok_accept(p, TOKEN_COMMA);
    }
    parse_close(p, TOKEN_RPAREN);
    class_->literal = parse_pop(p, mark, 0, sizeof(Literal), &class_->count);
}

static void derivative(Parser *p, Class *class_) { /* at `der` */
    size_t mark = p->used;
    class_->form = FORM_DERIVATIVE;
    tok_take(p);
    if (!list_begins(p, "'(' after 'der'")) return;
    class_->base = parse_name(p, "the name of a function");
    if (!p->panic) tok_expect(p, TOKEN_COMMA, "before the variables of differentiation");
    while (!p->panic) {
        NamePart part = {0};
        part.name = tok_name(p, "the name of an input", &part.pos);
        parse_push(p, &part, sizeof part);
        if (!tok_accept(p, TOKEN_COMMA)) break;
    }
    parse_close(p, TOKEN_RPAREN);
    class_->variable = parse_pop(p, mark, 0, sizeof(NamePart), &class_->count);
}

static void short_class(Parser *p, Class *class_) { /* after '=' */
    if (tok_is(p, TOKEN_ENUMERATION)) {
        enumeration(p, class_);
    } else if (tok_is(p, TOKEN_DER)) {
        derivative(p, class_);
    } else {
        class_->form = FORM_SHORT;
        if (tok_is(p, TOKEN_INPUT)) prefix(p, &class_->causality, CAUSAL_INPUT);
        else if (tok_is(p, TOKEN_OUTPUT)) prefix(p, &class_->causality, CAUSAL_OUTPUT);
        class_->base = parse_name(p, "the name of a class");
        if (!p->panic && tok_is(p, TOKEN_LBRACKET))
            class_->subscripts = parse_subscripts(p);
        class_->mods = optional_mods(p, false);
    }
    if (!p->panic) class_->comment = parse_comment(p);
}

static void class_keyword(Parser *p, Class *class_) {
    switch (p->token.kind) {
    case TOKEN_CLASS: class_->kind = CLASS_CLASS; break;
    case TOKEN_MODEL: class_->kind = CLASS_MODEL; break;
    case TOKEN_RECORD: class_->kind = CLASS_RECORD; break;
    case TOKEN_BLOCK: class_->kind = CLASS_BLOCK; break;
    case TOKEN_CONNECTOR: class_->kind = CLASS_CONNECTOR; break;
    case TOKEN_TYPE: class_->kind = CLASS_TYPE; break;
    case TOKEN_PACKAGE: class_->kind = CLASS_PACKAGE; break;
    case TOKEN_FUNCTION: class_->kind = CLASS_FUNCTION; break;
    default: {
        char found[80];
        tok_text(p, found, sizeof found);
        parse_complain(p, p->token.pos, CODE_P101,
                       "expected a class keyword such as 'model', found %s", found);
        return; /* go on with its name */
    }
    }
    tok_take(p);
}

static void class_prefixes(Parser *p, Class *class_) {
    class_->encapsulated = tok_accept(p, TOKEN_ENCAPSULATED);
    class_->partial = tok_accept(p, TOKEN_PARTIAL);
    class_->expandable = tok_accept(p, TOKEN_EXPANDABLE);
    class_->pure = tok_accept(p, TOKEN_PURE);
    class_->impure = !class_->pure && tok_accept(p, TOKEN_IMPURE);
    if (tok_is(p, TOKEN_OPERATOR)) {
        TokenKind next = tok_peek(p);
        tok_take(p);
        if (next != TOKEN_RECORD && next != TOKEN_FUNCTION) {
            class_->kind = CLASS_OPERATOR;
            return;
        }
        class_->operator_ = true;
    }
    if (class_->expandable && !tok_is(p, TOKEN_CONNECTOR))
        parse_complain(p, p->token.pos, CODE_P127,
                       "only a connector can be 'expandable'");
    if ((class_->pure || class_->impure) && !tok_is(p, TOKEN_FUNCTION))
        parse_complain(p, p->token.pos, CODE_P127,
                       "only a function can be 'pure' or 'impure'");
    class_keyword(p, class_);
}

/* A missing or impossible name is reported and the class is parsed all the same. */
static void class_name(Parser *p, Class *class_) {
    class_->pos = p->token.pos;
    bool declares = tok_is(p, TOKEN_IDENT) && p->token.line_start &&
                    tok_peek(p) == TOKEN_IDENT &&
                    !p->ahead.line_start; /* `model` above `Real x;` */
    if (tok_is(p, TOKEN_IDENT) && !declares) {
        class_->name = tok_name(p, "", &class_->pos);
        return;
    }
    if (declares)
        parse_complain(p, p->last_end, CODE_P101, "the name of the class is missing");
    else if (!p->token.reported) tok_name(p, "the name of the class", &class_->pos);
    p->panic = p->given_up;
    if (!p->token.line_start && !tok_is(p, TOKEN_EQUALS) && !tok_is(p, TOKEN_SEMICOLON))
        tok_take(p);
}

static void class_body(Parser *p, Class *class_) {
    if (tok_accept(p, TOKEN_EXTENDS)) class_->form = FORM_EXTENDS;
    class_name(p, class_);
    if (class_->form == FORM_EXTENDS) {
        class_->mods = optional_mods(p, false);
        if (!p->panic) long_class(p, class_);
    } else if (tok_accept(p, TOKEN_EQUALS)) {
        short_class(p, class_);
    } else {
        long_class(p, class_);
    }
}

/* NULL if it has no usable name; that is reported. */
const Class *parse_class(Parser *p) {
    Class *class_ = NEW(&p->session->ast, Class, 1);
    class_->start = p->token.pos;
    if (parse_enter(p)) {
        class_prefixes(p, class_);
        class_body(p, class_);
    }
    class_->stop = p->last_end;
    parse_leave(p);
    return class_->name ? class_ : NULL;
}
