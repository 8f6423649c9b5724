/* SPDX-License-Identifier: Apache-2.0 */
/* lexer.h -- tokens, private to this folder. */
#ifndef RUBATO_LEXER_H
#define RUBATO_LEXER_H

#include "syntax/syntax.h"

/* Keywords of Modelica 3.6, section 2.3.3. session_init interns them first and in this
 * order, so the Str of the k-th is k + 1 and a keyword costs no comparison. */
#define KEYWORDS(X)                                                                      \
    X(ALGORITHM, algorithm) X(AND, and) X(ANNOTATION, annotation) X(BLOCK, block)        \
    X(BREAK, break) X(CLASS, class) X(CONNECT, connect) X(CONNECTOR, connector)          \
    X(CONSTANT, constant) X(CONSTRAINEDBY, constrainedby) X(DER, der)                    \
    X(DISCRETE, discrete) X(EACH, each) X(ELSE, else) X(ELSEIF, elseif)                  \
    X(ELSEWHEN, elsewhen) X(ENCAPSULATED, encapsulated) X(END, end)                      \
    X(ENUMERATION, enumeration) X(EQUATION, equation) X(EXPANDABLE, expandable)          \
    X(EXTENDS, extends) X(EXTERNAL, external) X(FALSE, false) X(FINAL, final)            \
    X(FLOW, flow) X(FOR, for) X(FUNCTION, function) X(IF, if) X(IMPORT, import)          \
    X(IMPURE, impure) X(IN, in) X(INITIAL, initial) X(INNER, inner) X(INPUT, input)      \
    X(LOOP, loop) X(MODEL, model) X(NOT, not) X(OPERATOR, operator) X(OR, or)            \
    X(OUTER, outer) X(OUTPUT, output) X(PACKAGE, package) X(PARAMETER, parameter)        \
    X(PARTIAL, partial) X(PROTECTED, protected) X(PUBLIC, public) X(PURE, pure)          \
    X(RECORD, record) X(REDECLARE, redeclare) X(REPLACEABLE, replaceable)                \
    X(RETURN, return) X(STREAM, stream) X(THEN, then) X(TRUE, true) X(TYPE, type)        \
    X(WHEN, when) X(WHILE, while) X(WITHIN, within)

typedef enum {
    TOKEN_EOF,
#define X(upper, lower) TOKEN_##upper,
    KEYWORDS(X)
#undef X
        TOKEN_IDENT,
    TOKEN_INTEGER,
    TOKEN_REAL,
    TOKEN_STRING,
    TOKEN_LPAREN,
    TOKEN_RPAREN,
    TOKEN_LBRACKET,
    TOKEN_RBRACKET,
    TOKEN_LBRACE,
    TOKEN_RBRACE,
    TOKEN_COMMA,
    TOKEN_SEMICOLON,
    TOKEN_COLON,
    TOKEN_DOT,
    TOKEN_EQUALS,
    TOKEN_ASSIGN,
    TOKEN_LESS,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL,
    TOKEN_NOT_EQUAL,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_PLUS_EACH,
    TOKEN_MINUS_EACH,
    TOKEN_STAR,
    TOKEN_SLASH,
    TOKEN_STAR_EACH,
    TOKEN_SLASH_EACH,
    TOKEN_POWER,
    TOKEN_POWER_EACH,
    TOKEN_BAD, /* wrong characters, already reported */
    TOKEN_COUNT
} TokenKind;

enum { KEYWORD_COUNT = TOKEN_IDENT - 1 };

typedef struct Token {
    Pos      pos;
    uint32_t length;     /* bytes                                       */
    uint8_t  kind;       /* TokenKind                                   */
    bool     line_start; /* a line break stands between it and the last */
    bool     reported;   /* malformed, and the lexer said so            */
    Str      name;       /* of identifiers and keywords                 */
    union {
        int64_t integer;
        double  real;
    };
} Token;

typedef struct Lexer {
    Session      *session;
    const Source *source;
    const char   *at, *end; /* next character, end of the text                    */
    bool          stopped;  /* reported something after which no text makes sense */
    bool          not_utf8; /* reported once                                      */
    Remark       *remark;   /* comments met so far, in scratch                    */
    int           remarks, capacity;
    Arena        *scratch;
} Lexer;

void  lexer_start(Lexer *lexer, Session *session, const Source *source, Arena *scratch);
Token lexer_next(Lexer *lexer);
/* "';'", "'model'", "a number": for messages. */
const char *token_name(TokenKind kind);

#endif
