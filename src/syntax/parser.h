/* SPDX-License-Identifier: Apache-2.0 */
/* parser.h -- the parser's state and the calls between its files; private to this folder.
 *
 * Errors. `fail` reports and sets `panic`; while it is set nothing is reported, and every
 * level returns what it has. The clause, element or class that owns the text up to the next
 * ';' calls `recover`, which skips there and clears it. `complain` reports a slip after which
 * the text still makes sense. So one mistake gives one message.
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
    Token    ahead; /* the one behind it, if has_ahead                     */
    bool     has_ahead;
    Pos      last_end;    /* just behind the last token taken                    */
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
void      take(Parser *p); /* go to the next token */
TokenKind peek(Parser *p);
bool      at(const Parser *p, TokenKind kind);
bool      accept(Parser *p, TokenKind kind);
bool      expect(Parser *p, TokenKind kind, const char *where);
Str       expect_name(Parser *p, const char *what, Pos *pos);
void complain(Parser *p, Pos pos, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
void fail(Parser *p, Pos pos, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
void unexpected(Parser *p, Code code, const char *expected);
void found_text(Parser *p, char *buffer, size_t size);
bool enter(Parser *p); /* one level of nesting; false if too deep. Pair with leave */
void leave(Parser *p);
void open_bracket(Parser *p, char open);
void close_bracket(Parser *p, TokenKind kind);
void recover(Parser *p, int brackets); /* to the next ';' outside the given depth */
void end_of_clause(Parser *p, int brackets, const char *what);
bool starts_clause(const Token *token);
bool ends_something(TokenKind kind);

void push(Parser *p, const void *item, size_t size);
/* Copies what was pushed since mark behind `header` bytes in the tree. */
void *pop_list(Parser *p, size_t mark, size_t header, size_t size, uint32_t *count);

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
const Comment *parse_comment(Parser *p);
bool           starts_class(TokenKind kind);
bool           repair_class_keyword(Parser *p);

#endif
