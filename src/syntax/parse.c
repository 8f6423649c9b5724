/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c -- files, and what all parts of the parser share: tokens, messages, recovery. */
#include "syntax/parser.h"

#include <errno.h>
#include <string.h>

/* ---- tokens ---- */

static void give_up(Parser *p) {
    p->given_up = true;
    p->panic = true;
    p->lexer.at = p->lexer.end;
    p->has_ahead = false;
    p->token.kind = TOKEN_EOF;
    p->token.pos = p->lexer.source->base + p->lexer.source->size;
}

static Token read_token(Parser *p) {
    Token token = lexer_next(&p->lexer);
    if (p->lexer.stopped) p->panic = p->given_up = true;
    return token;
}

void tok_take(Parser *p) {
    p->last_end = p->token.pos + p->token.length;
    if (p->has_ahead) {
        p->token = p->ahead;
        p->has_ahead = false;
    } else {
        p->token = read_token(p);
    }
    Diag *diag = &p->session->diag;
    if (diag->errors - p->first_error >= PARSE_ERRORS && !p->given_up) {
        diag_report(diag, p->token.pos, CODE_P128,
                    "%d errors in this file; the rest of it is not looked at",
                    diag->errors - p->first_error);
        give_up(p);
    }
}

TokenKind tok_peek(Parser *p) {
    if (!p->has_ahead) {
        p->ahead = read_token(p);
        p->has_ahead = true;
    }
    return p->ahead.kind;
}

bool tok_is(const Parser *p, TokenKind kind) {
    return p->token.kind == kind;
}

bool tok_accept(Parser *p, TokenKind kind) {
    if (p->token.kind != kind) return false;
    tok_take(p);
    return true;
}

/* ---- messages ---- */

static void report(Parser *p, Pos pos, Code code, const char *format, va_list args) {
    Text text = {0};
    text_vprintf(&text, format, args);
    diag_report(&p->session->diag, pos, code, "%s", text_get(&text));
    text_free(&text);
}

void parse_complain(Parser *p, Pos pos, Code code, const char *format, ...) {
    if (p->panic) return;
    va_list args;
    va_start(args, format);
    report(p, pos, code, format, args);
    va_end(args);
}

void parse_fail(Parser *p, Pos pos, Code code, const char *format, ...) {
    if (p->panic) return;
    p->panic = true;
    if (tok_is(p, TOKEN_BAD) || p->token.reported) return; /* the lexer has said it */
    va_list args;
    va_start(args, format);
    report(p, pos, code, format, args);
    va_end(args);
}

/* "name 'x'", "'end'", "a string": the token as the user sees it. */
void tok_text(Parser *p, char *buffer, size_t size) {
    if (tok_is(p, TOKEN_IDENT))
        snprintf(buffer, size, "'%.60s'", name_of(p->session, p->token.name));
    else snprintf(buffer, size, "%s", token_name(p->token.kind));
}

void parse_unexpected(Parser *p, Code code, const char *expected) {
    char found[80];
    tok_text(p, found, sizeof found);
    parse_fail(p, p->token.pos, code, "expected %s, found %s", expected, found);
}

bool tok_expect(Parser *p, TokenKind kind, const char *where) {
    if (tok_accept(p, kind)) return true;
    char expected[120];
    snprintf(expected, sizeof expected, "%s%s%s", token_name(kind), *where ? " " : "",
             where);
    parse_unexpected(p, CODE_P101, expected);
    return false;
}

Str tok_name(Parser *p, const char *what, Pos *pos) {
    *pos = p->token.pos;
    if (tok_is(p, TOKEN_IDENT)) {
        Str name = p->token.name;
        tok_take(p);
        return name;
    }
    if (p->token.kind >= TOKEN_ALGORITHM && p->token.kind < TOKEN_IDENT)
        parse_fail(p, *pos, CODE_P115, "expected %s, but %s is a keyword", what,
                   token_name(p->token.kind));
    else parse_unexpected(p, CODE_P101, what);
    return 0;
}

/* ---- nesting ---- */

bool parse_enter(Parser *p) {
    p->depth++;
    if (p->depth < PARSE_DEPTH) return true;
    parse_fail(p, p->token.pos, CODE_P112, "nested more than %d levels deep",
               PARSE_DEPTH);
    give_up(p);
    return false;
}

void parse_leave(Parser *p) {
    p->depth--;
}

static char bracket_of(TokenKind kind) {
    switch (kind) {
    case TOKEN_LPAREN:
    case TOKEN_RPAREN: return '(';
    case TOKEN_LBRACKET:
    case TOKEN_RBRACKET: return '[';
    case TOKEN_LBRACE:
    case TOKEN_RBRACE: return '{';
    default: return 0;
    }
}

void parse_open(Parser *p, char open) {
    if (p->brackets < PARSE_DEPTH)
        p->bracket[p->brackets++] = (Bracket){.pos = p->token.pos, .open = open};
    tok_take(p);
}

void parse_close(Parser *p, TokenKind kind) {
    if (p->panic) return;
    if (tok_is(p, kind)) {
        p->brackets--;
        tok_take(p);
        return;
    }
    char    found[80];
    Bracket bracket = p->bracket[p->brackets - 1];
    tok_text(p, found, sizeof found);
    bool bad = tok_is(p, TOKEN_BAD) || p->token.reported;
    parse_fail(p, p->token.pos, CODE_P105, "expected %s or ',', found %s",
               token_name(kind), found);
    if (!bad)
        diag_note(&p->session->diag, bracket.pos, "to close this '%c'", bracket.open);
}

/* ---- recovery ---- */

/* Tokens that begin an element, clause or section and hardly anything else. */
bool tok_starts_clause(const Token *token) {
    switch (token->kind) {
    case TOKEN_ALGORITHM:
    case TOKEN_BLOCK:
    case TOKEN_CLASS:
    case TOKEN_CONNECT:
    case TOKEN_CONNECTOR:
    case TOKEN_CONSTANT:
    case TOKEN_DISCRETE:
    case TOKEN_ENCAPSULATED:
    case TOKEN_EQUATION:
    case TOKEN_EXPANDABLE:
    case TOKEN_EXTENDS:
    case TOKEN_EXTERNAL:
    case TOKEN_FINAL:
    case TOKEN_FLOW:
    case TOKEN_IMPORT:
    case TOKEN_IMPURE:
    case TOKEN_INNER:
    case TOKEN_INPUT:
    case TOKEN_MODEL:
    case TOKEN_OPERATOR:
    case TOKEN_OUTER:
    case TOKEN_OUTPUT:
    case TOKEN_PACKAGE:
    case TOKEN_PARAMETER:
    case TOKEN_PARTIAL:
    case TOKEN_PROTECTED:
    case TOKEN_PUBLIC:
    case TOKEN_PURE:
    case TOKEN_RECORD:
    case TOKEN_REDECLARE:
    case TOKEN_REPLACEABLE:
    case TOKEN_RETURN:
    case TOKEN_STREAM:
    case TOKEN_TYPE:
    case TOKEN_WHEN:
    case TOKEN_WHILE:
    case TOKEN_WITHIN: return true;
    default: return false;
    }
}

/* What may stand after `end`. */
bool tok_ends_something(TokenKind kind) {
    return kind == TOKEN_IDENT || kind == TOKEN_IF || kind == TOKEN_FOR ||
           kind == TOKEN_WHEN || kind == TOKEN_WHILE;
}

/* At a section or the end of something: what was skipped cannot reach beyond. */
static bool stops_skipping(Parser *p, int brackets) {
    switch (p->token.kind) {
    case TOKEN_EOF: return true;
    case TOKEN_END: /* inside brackets it is a value */
        return p->token.line_start ||
               (p->brackets <= brackets && tok_ends_something(tok_peek(p)));
    case TOKEN_PUBLIC:
    case TOKEN_PROTECTED:
    case TOKEN_EQUATION:
    case TOKEN_ALGORITHM: return p->token.line_start;
    case TOKEN_INITIAL: {
        TokenKind next = tok_peek(p);
        return next == TOKEN_EQUATION || next == TOKEN_ALGORITHM;
    }
    default: return p->token.line_start && tok_starts_clause(&p->token);
    }
}

static void skip_bracket(Parser *p, int least) {
    char open = bracket_of(p->token.kind);
    if (!open) return;
    bool opens =
        tok_is(p, TOKEN_LPAREN) || tok_is(p, TOKEN_LBRACKET) || tok_is(p, TOKEN_LBRACE);
    if (opens && p->brackets < PARSE_DEPTH)
        p->bracket[p->brackets++] = (Bracket){.pos = p->token.pos, .open = open};
    for (int i = p->brackets; !opens && i > least; i--) {
        if (p->bracket[i - 1].open != open) continue;
        p->brackets = i - 1;
        break;
    }
}

/* A ';' ends the clause, but not inside an open '[', where it ends a row, nor if the text
 * goes on in the same line inside an open bracket, where it stands for a ','. */
void parse_recover(Parser *p, int brackets) {
    while (!stops_skipping(p, brackets)) {
        if (tok_is(p, TOKEN_SEMICOLON)) {
            bool inside = p->brackets > brackets;
            bool row = inside && p->bracket[p->brackets - 1].open == '[';
            tok_take(p);
            if (!row && (!inside || p->token.line_start)) break;
            continue;
        }
        skip_bracket(p, brackets);
        tok_take(p);
    }
    p->brackets = brackets;
    p->panic = p->given_up;
}

/* The ';' after an element, equation or statement. If it is missing at the end of a line
 * the next line is taken as the next clause. */
void parse_end_clause(Parser *p, int brackets, const char *what) {
    if (!p->panic && tok_accept(p, TOKEN_SEMICOLON)) return;
    const Token *t = &p->token;
    bool next = t->line_start && (tok_starts_clause(t) || t->kind == TOKEN_IDENT ||
                                  t->kind == TOKEN_END || t->kind == TOKEN_IF ||
                                  t->kind == TOKEN_FOR || t->kind == TOKEN_ANNOTATION ||
                                  t->kind == TOKEN_DER || t->kind == TOKEN_INTEGER ||
                                  t->kind == TOKEN_INITIAL || t->kind == TOKEN_EOF);
    if (!p->panic && (next || t->kind == TOKEN_EOF)) {
        parse_complain(p, p->last_end, CODE_P102, "missing ';' after %s", what);
        return;
    }
    if (!p->panic) {
        char expected[80];
        snprintf(expected, sizeof expected, "';' after %s", what);
        parse_unexpected(p, CODE_P101, expected);
    }
    parse_recover(p, brackets);
}

/* ---- lists ---- */

void parse_push(Parser *p, const void *item, size_t size) {
    if (p->used + size > p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 4096;
        p->stack = mem_resize(p->stack, p->capacity);
    }
    memcpy(p->stack + p->used, item, size);
    p->used += size;
}

void *parse_pop(Parser *p, size_t mark, size_t header, size_t size, uint32_t *count) {
    size_t bytes = p->used - mark;
    char  *block = arena_take(&p->session->ast, 1, header + bytes);
    if (bytes) memcpy(block + header, p->stack + mark, bytes);
    p->used = mark;
    *count = (uint32_t)(bytes / size);
    return block;
}

/* ---- files ---- */

static void parse_within(Parser *p, StoredFile *file) {
    file->has_within = true;
    file->within_pos = p->token.pos;
    tok_take(p);
    if (!tok_is(p, TOKEN_SEMICOLON))
        file->within = parse_name(p, "the name of a package");
    parse_end_clause(p, 0, "'within'");
}

/* Outside classes nothing else makes sense: on to the next line that begins one. */
static void skip_to_class(Parser *p) {
    do tok_take(p);
    while (!tok_is(p, TOKEN_EOF) &&
           !(p->token.line_start && tok_starts_class(p->token.kind)));
    p->brackets = 0;
    p->panic = p->given_up;
}

static void file_class(Parser *p) {
    StoredClass stored = {.final = tok_accept(p, TOKEN_FINAL)};
    if (tok_starts_class(p->token.kind) || parse_repair_keyword(p)) {
        stored.class_ = parse_class(p);
        if (stored.class_) parse_push(p, &stored, sizeof stored);
        parse_end_clause(p, 0, "the class");
        return;
    }
    if (tok_is(p, TOKEN_END))
        parse_fail(p, p->token.pos, CODE_P124, "'end' without a class that it could end");
    else if (tok_is(p, TOKEN_WITHIN))
        parse_fail(p, p->token.pos, CODE_P118,
                   "'within' must be the first line of a file");
    else parse_unexpected(p, CODE_P101, "a class such as 'model' or 'package'");
    skip_to_class(p);
}

static void parse_classes(Parser *p, StoredFile *file) {
    size_t mark = p->used;
    while (!tok_is(p, TOKEN_EOF)) file_class(p);
    file->stored = parse_pop(p, mark, 0, sizeof(StoredClass), &file->count);
}

static void parser_start(Parser *p, Session *session, const Source *source) {
    *p = (Parser){.session = session, .first_error = session->diag.errors};
    lexer_start(&p->lexer, session, source, &p->scratch);
    p->token.pos = source->base;
    tok_take(p);
}

static void parser_end(Parser *p) {
    mem_free(p->stack);
    arena_free(&p->scratch);
}

const StoredFile *parse_source(Session *session, const Source *source) {
    Parser      p;
    StoredFile *file = NEW(&session->ast, StoredFile, 1);
    if (!file) return NULL;
    parser_start(&p, session, source);
    file->source = source;
    if (tok_is(&p, TOKEN_WITHIN)) parse_within(&p, file);
    parse_classes(&p, file);
    if (file->count == 0 && session->diag.errors == p.first_error)
        diag_report(&session->diag, source->base, CODE_P120,
                    "the file contains no class");
    file->remarks = (uint32_t)p.lexer.remarks;
    file->remark = arena_copy(&session->ast, p.lexer.remark,
                              sizeof(Remark) * (size_t)p.lexer.remarks);
    file->good = session->diag.errors == p.first_error;
    parser_end(&p);
    return file;
}

const StoredFile *parse_file(Session *session, const char *path) {
    const Source *source;
    Diag         *diag = &session->diag;
    switch (source_load(&session->sources, path, &source)) {
    case SOURCE_OK: return parse_source(session, source);
    case SOURCE_UNREADABLE:
        diag_report(diag, 0, CODE_S101, "cannot read '%s': %s", path, strerror(errno));
        break;
    case SOURCE_DIRECTORY:
        diag_report(diag, 0, CODE_S102, "'%s' is a directory, not a Modelica file", path);
        break;
    case SOURCE_TOO_LARGE:
        diag_report(diag, 0, CODE_S103,
                    "'%s' is too large: all sources of a run must fit 4 GiB", path);
        break;
    case SOURCE_NO_MEMORY:
        diag_report(diag, 0, CODE_S103, "'%s' does not fit the memory", path);
        break;
    }
    return NULL;
}

const StoredFile *parse_text(Session *session, const char *what, const char *text) {
    const Source *source;
    if (source_add(&session->sources, what, text, strlen(text), &source) == SOURCE_OK)
        return parse_source(session, source);
    diag_report(&session->diag, 0, CODE_S103, "'%s' does not fit the memory", what);
    return NULL;
}

Expr parse_expression_text(Session *session, const char *what, const char *text) {
    const Source *source;
    Parser        p;
    if (source_add(&session->sources, what, text, strlen(text), &source) != SOURCE_OK)
        return (Expr){.kind = EXPR_BAD};
    parser_start(&p, session, source);
    Expr expr = parse_expression(&p);
    if (!p.panic && !tok_is(&p, TOKEN_EOF))
        parse_unexpected(&p, CODE_P101, "the end of the expression");
    if (p.panic) expr = (Expr){.kind = EXPR_BAD, .pos = source->base};
    parser_end(&p);
    return expr;
}

const Mods *parse_modifiers_text(Session *session, const char *what, const char *text) {
    const Source *source;
    Parser        p;
    if (source_add(&session->sources, what, text, strlen(text), &source) != SOURCE_OK)
        return NULL;
    parser_start(&p, session, source);
    const Mods *mods = parse_mods(&p, false);
    if (!p.panic && !tok_is(&p, TOKEN_EOF))
        parse_unexpected(&p, CODE_P101, "the end of the modifiers");
    if (p.panic) mods = NULL;
    parser_end(&p);
    return mods;
}
