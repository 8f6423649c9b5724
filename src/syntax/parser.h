/* SPDX-License-Identifier: Apache-2.0 */
/* parser.h -- the parser's state and the calls between its files; private to this folder.
 *
 * Errors. parse_fail reports and sets `panic`; while it is set nothing is reported, and
 * every level returns what it has. The clause, element or class that owns the text up to
 * the next ';' calls parse_recover, which skips there and clears it. parse_complain reports
 * a slip after which the text still makes sense. So one mistake gives one message.
 *
 * Lists are gathered on one byte stack and copied to the tree when complete. */
#ifndef RUBATO_PARSER_H
#define RUBATO_PARSER_H

#include "syntax/lexer.h"

typedef struct OpenClass {         /* the classes that surround the text being parsed */
    const struct OpenClass *outer; /* NULL for the outermost */
    Str                     name;
    Pos                     pos;
} OpenClass;

typedef struct Bracket {
    Pos  pos;
    char open; /* ( [ or { */
} Bracket;

typedef struct Parser {
    Session *session;
    Lexer    lexer;
    Token    token; /* the next one to take                                */
    Token    ahead; /* the one after it, if has_ahead                     */
    bool     has_ahead;
    Pos      last_end;    /* just after the last token taken                    */
    bool     panic;       /* see above                                           */
    bool     given_up;    /* the rest of the file is not looked at               */
    int      first_error; /* diag.errors when the file began                     */
    int      depth;       /* of nesting, at most PARSE_DEPTH                     */
    int      height;      /* of the expression just parsed                       */
    int      subscripts;  /* > 0: `end` is a value                               */
    Bracket  bracket[PARSE_DEPTH];
    int      brackets; /* open now                                            */
    char    *stack;    /* unfinished lists                                    */
    size_t   used, capacity;
    const OpenClass *open; /* innermost class; NULL at file level                */
    Arena            scratch;
} Parser;

/* ---- parse.c ---- */
void      tok_take(Parser *p); /* go to the next token */
TokenKind tok_peek(Parser *p);
bool      tok_is(const Parser *p, TokenKind kind);
bool      tok_accept(Parser *p, TokenKind kind);
bool      tok_expect(Parser *p, TokenKind kind, const char *where);
Str       tok_name(Parser *p, const char *what, Pos *pos);
void      parse_complain(Parser *p, Pos pos, Code code, const char *format, ...)
    PRINTF_LIKE(4, 5);
void parse_fail(Parser *p, Pos pos, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
void parse_unexpected(Parser *p, Code code, const char *expected);
void tok_text(Parser *p, char *buffer, size_t size);
bool parse_enter(
    Parser *p); /* one level of nesting; false if too deep. Pair with leave */
void parse_leave(Parser *p);
void parse_open(Parser *p, char open);
void parse_close(Parser *p, TokenKind kind);
void parse_recover(Parser *p, int brackets); /* to the next ';' outside the given depth */
void parse_end_clause(Parser *p, int brackets, const char *what);
bool tok_starts_clause(const Token *token);
bool tok_ends_something(TokenKind kind);

void parse_push(Parser *p, const void *item, size_t size);
/* Copies what was pushed since mark after `header` bytes in the tree. */
void *parse_pop(Parser *p, size_t mark, size_t header, size_t size, uint32_t *count);

/* ---- parse_expr.c ---- */
Expr             parse_expression(Parser *p);
Expr             parse_simple_expression(Parser *p);
const Name      *parse_name(Parser *p, const char *what);      /* a.b.c, no subscripts */
Expr             parse_reference(Parser *p, const char *what); /* a[1].b               */
const ExprList  *parse_subscripts(Parser *p);                  /* at '['               */
const Iterators *parse_iterators(Parser *p);
const ExprList  *parse_expression_list(Parser *p, TokenKind close);

/* ---- parse_clause.c ---- */
const Clause *parse_equation(Parser *p); /* without the ';'; NULL if it was wrong */
const Clause *parse_statement(Parser *p);
const Clause *parse_connect(Parser *p);

/* ---- parse_class.c ---- */
const Class   *parse_class(Parser *p);
const Mods    *parse_mods(Parser *p, bool inherit); /* at '('; inherit: of an extends */
const Comment *parse_comment(Parser *p);
bool           tok_starts_class(TokenKind kind);
bool           parse_repair_keyword(Parser *p);

#endif
