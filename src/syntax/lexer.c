/* SPDX-License-Identifier: Apache-2.0 */
/* lexer.c -- characters to tokens, one at a time.
 *
 * A table of character classes decides by the first character; the text has NULs after
 * its end, so no test for the end is needed inside a word. Wrong characters are reported
 * here. Where the intention is plain (`!=`, `&&`) the intended token is returned, so that
 * one slip gives one message; otherwise TOKEN_BAD, which the parser takes as reported. */
#include "syntax/lexer.h"

#include <string.h>

enum { IS_SPACE = 1, IS_LETTER = 2, IS_DIGIT = 4, IS_WORD = IS_LETTER | IS_DIGIT };

#define L(c) [c] = IS_LETTER, [c + 32] = IS_LETTER
#define D(c) [c] = IS_DIGIT
#define S(c) [c] = IS_SPACE
static const uint8_t class_of[256] = {S(' '),  S('\t'), S('\n'),
                                      S('\r'), S('\f'), S('\v'),
                                      L('A'),  L('B'),  L('C'),
                                      L('D'),  L('E'),  L('F'),
                                      L('G'),  L('H'),  L('I'),
                                      L('J'),  L('K'),  L('L'),
                                      L('M'),  L('N'),  L('O'),
                                      L('P'),  L('Q'),  L('R'),
                                      L('S'),  L('T'),  L('U'),
                                      L('V'),  L('W'),  L('X'),
                                      L('Y'),  L('Z'),  ['_'] = IS_LETTER,
                                      D('0'),  D('1'),  D('2'),
                                      D('3'),  D('4'),  D('5'),
                                      D('6'),  D('7'),  D('8'),
                                      D('9')};
#undef L
#undef D
#undef S

static bool is(char c, int which) {
    return class_of[(unsigned char)c] & which;
}

static Pos position(const Lexer *lexer, const char *at) {
    return lexer->source->base + (Pos)(at - lexer->source->text);
}

void lexer_start(Lexer *lexer, Session *session, const Source *source, Arena *scratch) {
    *lexer = (Lexer){.session = session,
                     .source = source,
                     .at = source->text,
                     .end = source->text + source->size,
                     .scratch = scratch};
    if (source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) lexer->at += 3;
}

static void stop(Lexer *lexer) {
    lexer->stopped = true;
    lexer->at = lexer->end;
}

/* ---- UTF-8 ---- */

/* Bytes of the UTF-8 character at text, 0 if it is not one. Overlong forms and
 * surrogates are let through: nothing here depends on them. */
static int utf8_length(const char *text) {
    unsigned char c = (unsigned char)*text;
    int           n = c < 0x80    ? 1
                      : c >= 0xf8 ? 0
                      : c >= 0xf0 ? 4
                      : c >= 0xe0 ? 3
                      : c >= 0xc2 ? 2
                                  : 0;
    for (int i = 1; i < n; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
    return n;
}

/* In strings and comments: older libraries are sometimes Latin-1, which does no harm. */
static void check_utf8(Lexer *lexer, const char *from, const char *to) {
    while (!lexer->not_utf8 && from < to) {
        int n = utf8_length(from);
        if (!n) {
            diag_report(&lexer->session->diag, position(lexer, from), CODE_L108,
                        "byte 0x%02x is not UTF-8; the file may be Latin-1",
                        (unsigned char)*from);
            lexer->not_utf8 = true;
        }
        from += n;
    }
}

/* ---- white space and comments ---- */

static void keep_remark(Lexer *lexer, const char *from, const char *to, bool high) {
    if (high) check_utf8(lexer, from, to);
    lexer->remark = arena_grow(lexer->scratch, lexer->remark, sizeof(Remark),
                               &lexer->capacity, lexer->remarks + 1);
    if (!lexer->remark) return;
    lexer->remark[lexer->remarks++] =
        (Remark){.pos = position(lexer, from), .length = (uint32_t)(to - from)};
}

static void line_comment(Lexer *lexer) {
    const char *from = lexer->at, *to = memchr(from, '\n', (size_t)(lexer->end - from));
    if (!to) to = lexer->end;
    lexer->at = to;
    while (to > from && is(to[-1], IS_SPACE)) to--;
    bool high = false;
    for (const char *c = from; c < to; c++) high |= (*c & 0x80) != 0;
    keep_remark(lexer, from, to, high);
}

static void block_comment(Lexer *lexer) {
    const char *from = lexer->at, *c = from + 2;
    bool        high = false;
    for (; c < lexer->end && !(c[0] == '*' && c[1] == '/'); c++) high |= (*c & 0x80) != 0;
    if (c >= lexer->end) {
        diag_report(&lexer->session->diag, position(lexer, from), CODE_L103,
                    "this comment is not closed");
        stop(lexer);
        return;
    }
    lexer->at = c + 2;
    keep_remark(lexer, from, lexer->at, high);
}

/* True if a line break was passed. */
static bool skip_space(Lexer *lexer) {
    bool line = lexer->at == lexer->source->text;
    for (;;) {
        while (is(*lexer->at, IS_SPACE)) line |= *lexer->at++ == '\n';
        if (lexer->at[0] != '/') return line;
        if (lexer->at[1] == '/') {
            line_comment(lexer);
        } else if (lexer->at[1] == '*') {
            const char *from = lexer->at;
            block_comment(lexer);
            line |= memchr(from, '\n', (size_t)(lexer->at - from)) != NULL;
        } else {
            return line;
        }
    }
}

/* ---- words ---- */

static void word(Lexer *lexer, Token *token) {
    const char *c = lexer->at;
    while (is(*c, IS_WORD)) c++;
    token->name =
        str_intern(&lexer->session->strings, lexer->at, (size_t)(c - lexer->at));
    token->kind = token->name <= KEYWORD_COUNT ? (uint8_t)token->name : TOKEN_IDENT;
    lexer->at = c;
}

static void quoted_name(Lexer *lexer, Token *token) {
    const char *from = lexer->at, *c = from + 1;
    while (c < lexer->end && *c != '\'' && *c != '\n')
        c += *c == '\\' && c + 1 < lexer->end ? 2 : 1;
    if (c >= lexer->end || *c == '\n') {
        diag_report(&lexer->session->diag, token->pos, CODE_L104,
                    "this quoted name is not closed in its line");
        lexer->at = c > lexer->end ? lexer->end : c;
        token->kind = TOKEN_BAD;
        return;
    }
    if (c == from + 1)
        diag_report(&lexer->session->diag, token->pos, CODE_L110,
                    "a quoted name must not be empty");
    lexer->at = c + 1;
    check_utf8(lexer, from, c);
    token->kind = TOKEN_IDENT;
    token->name = str_intern(&lexer->session->strings, from, (size_t)(lexer->at - from));
}

/* ---- strings ---- */

static void check_escape(Lexer *lexer, const char *c) {
    if (c[1] && strchr("'\"?\\abfnrtv", c[1])) return;
    diag_report(&lexer->session->diag, position(lexer, c), CODE_L105,
                "'\\%c' is no escape sequence; both characters are kept",
                (unsigned char)c[1] < 0x20 || c[1] & 0x80 ? '?' : c[1]);
}

static void string(Lexer *lexer, Token *token) {
    const char *c = lexer->at + 1;
    bool        high = false;
    for (; *c != '"'; c++) {
        if (c >= lexer->end) {
            diag_report(&lexer->session->diag, token->pos, CODE_L102,
                        "this string is not closed");
            token->kind = TOKEN_EOF;
            stop(lexer);
            return;
        }
        high |= (*c & 0x80) != 0;
        if (*c == '\\' && c + 1 < lexer->end) {
            check_escape(lexer, c);
            c++;
        }
    }
    if (high) check_utf8(lexer, lexer->at, c);
    token->kind = TOKEN_STRING;
    lexer->at = c + 1;
}

/* ---- numbers ---- */

static const char *skip_digits(const char *c) {
    while (is(*c, IS_DIGIT)) c++;
    return c;
}

/* Swallows what is glued to a number, so that it is reported once. */
static void malformed(Lexer *lexer, Token *token, const char *c, const char *why) {
    while (is(*c, IS_WORD)) c++;
    diag_report(&lexer->session->diag, token->pos, CODE_L106, "%.*s: %s",
                (int)(c - lexer->at > 40 ? 40 : c - lexer->at), lexer->at, why);
    lexer->at = c;
    token->kind = TOKEN_REAL;
    token->reported = true;
    token->real = 0;
}

static void integer_value(Lexer *lexer, Token *token, const char *to) {
    uint64_t value = 0;
    for (const char *c = lexer->at; c < to; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (value > (INT64_MAX - digit) / 10) {
            diag_report(
                &lexer->session->diag, token->pos, CODE_L107,
                "the integer does not fit 64 bits; write it as a Real, with a dot");
            value = 0;
            break;
        }
        value = 10 * value + digit;
    }
    token->kind = TOKEN_INTEGER;
    token->integer = (int64_t)value;
}

static void number(Lexer *lexer, Token *token) {
    const char *c = skip_digits(lexer->at);
    bool        real = false;
    if (*c == '.') { /* also in `1.*x`: the longest token wins, and it is a number */
        real = true;
        c = skip_digits(c + 1);
    }
    if (*c == 'e' || *c == 'E') {
        const char *digits = c + 1 + (c[1] == '+' || c[1] == '-');
        if (!is(*digits, IS_DIGIT)) {
            malformed(lexer, token, digits, "the exponent has no digits");
            return;
        }
        real = true;
        c = skip_digits(digits);
    }
    if (*c == '.' && is(c[1], IS_DIGIT)) {
        malformed(lexer, token, c + 1, "a number has one dot at most");
        return;
    }
    if (is(*c, IS_WORD)) {
        malformed(lexer, token, c, "letters follow a number; a product needs '*'");
        return;
    }
    if (!real) {
        integer_value(lexer, token, c);
    } else {
        token->kind = TOKEN_REAL;
        if (!number_decode(lexer->at, (uint32_t)(c - lexer->at), &token->real))
            diag_report(&lexer->session->diag, token->pos, CODE_L107,
                        "the number is too large for a Real");
    }
    lexer->at = c;
}

/* ---- operators ---- */

static TokenKind punctuation(const char *c, int *length) {
    *length = 1;
    switch (c[0]) {
    case '(': return TOKEN_LPAREN;
    case ')': return TOKEN_RPAREN;
    case '[': return TOKEN_LBRACKET;
    case ']': return TOKEN_RBRACKET;
    case '{': return TOKEN_LBRACE;
    case '}': return TOKEN_RBRACE;
    case ',': return TOKEN_COMMA;
    case ';': return TOKEN_SEMICOLON;
    case '+': return TOKEN_PLUS;
    case '-': return TOKEN_MINUS;
    case '*': return TOKEN_STAR;
    case '/': return TOKEN_SLASH;
    case '^': return TOKEN_POWER;
    case ':': return c[1] == '=' ? (*length = 2, TOKEN_ASSIGN) : TOKEN_COLON;
    case '=': return c[1] == '=' ? (*length = 2, TOKEN_EQUAL) : TOKEN_EQUALS;
    case '>': return c[1] == '=' ? (*length = 2, TOKEN_GREATER_EQUAL) : TOKEN_GREATER;
    case '<':
        if (c[1] == '=') return *length = 2, TOKEN_LESS_EQUAL;
        return c[1] == '>' ? (*length = 2, TOKEN_NOT_EQUAL) : TOKEN_LESS;
    case '.':
        *length = 2;
        switch (c[1]) {
        case '+': return TOKEN_PLUS_EACH;
        case '-': return TOKEN_MINUS_EACH;
        case '*': return TOKEN_STAR_EACH;
        case '/': return TOKEN_SLASH_EACH;
        case '^': return TOKEN_POWER_EACH;
        default: *length = 1; return TOKEN_DOT;
        }
    default: return TOKEN_BAD;
    }
}

typedef struct Foreign { /* operators of other languages                */
    const char *text;
    const char *instead; /* what Modelica writes                        */
    TokenKind   kind;    /* token to go on with; TOKEN_BAD if none fits */
} Foreign;

static const Foreign foreign[] = {
    {"!=", "'<>'", TOKEN_NOT_EQUAL},
    {"~=", "'<>'", TOKEN_NOT_EQUAL},
    {"&&", "'and'", TOKEN_AND},
    {"||", "'or'", TOKEN_OR},
    {"!", "'not'", TOKEN_NOT},
    {"&", "'and'", TOKEN_AND},
    {"|", "'or'", TOKEN_OR},
    {"%", "mod(a, b) or rem(a, b)", TOKEN_SLASH},
    {"#", "'//' for comments", TOKEN_BAD},
};

/* A letter that is not ASCII spoils the whole word. */
static const char *skip_word(const char *c) {
    for (int n = 0; is(*c, IS_WORD) || ((*c & 0x80) && (n = utf8_length(c)) > 0);)
        c += is(*c, IS_WORD) ? 1 : n;
    return c;
}

static void wrong_character(Lexer *lexer, Token *token) {
    const char *c = lexer->at;
    int         n = utf8_length(c);
    for (int i = 0; i < LENGTH(foreign); i++) {
        size_t length = strlen(foreign[i].text);
        if (strncmp(c, foreign[i].text, length) != 0) continue;
        diag_report(&lexer->session->diag, token->pos, CODE_L101,
                    "'%s' is not used in Modelica; write %s", foreign[i].text,
                    foreign[i].instead);
        lexer->at += length;
        token->kind = (uint8_t)foreign[i].kind;
        return;
    }
    token->kind = TOKEN_BAD;
    if (*c == '\0') {
        diag_report(&lexer->session->diag, token->pos, CODE_L109,
                    "a zero byte: this is not a text file");
        stop(lexer);
    } else if (n > 0 && (unsigned char)*c >= 0x20 && *c != 0x7f) {
        diag_report(&lexer->session->diag, token->pos, CODE_L101,
                    "unexpected character '%.*s'%s", n, c,
                    n > 1 ? "; outside strings and comments only ASCII is allowed" : "");
        lexer->at = n > 1 ? skip_word(c) : c + 1;
    } else {
        diag_report(&lexer->session->diag, token->pos, CODE_L101,
                    "unexpected byte 0x%02x", (unsigned char)*c);
        do lexer->at++; /* one message for a run of them */
        while (*lexer->at && !is(*lexer->at, IS_SPACE) &&
               ((unsigned char)*lexer->at < 0x20 || !utf8_length(lexer->at)));
    }
}

Token lexer_next(Lexer *lexer) {
    bool        line = skip_space(lexer);
    const char *from = lexer->at;
    Token       token = {.pos = position(lexer, from), .line_start = line};
    int         length;
    if (from >= lexer->end) {
        token.kind = TOKEN_EOF;
        return token;
    }
    if (is(*from, IS_LETTER)) {
        word(lexer, &token);
    } else if (is(*from, IS_DIGIT) || (*from == '.' && is(from[1], IS_DIGIT))) {
        number(lexer, &token);
    } else if (*from == '"') {
        string(lexer, &token);
    } else if (*from == '\'') {
        quoted_name(lexer, &token);
    } else if ((token.kind = (uint8_t)punctuation(from, &length)) != TOKEN_BAD) {
        lexer->at += length;
    } else {
        wrong_character(lexer, &token);
    }
    token.length = (uint32_t)(lexer->at - from);
    return token;
}

const char *token_name(TokenKind kind) {
    static const char *const name[TOKEN_COUNT] = {
        [TOKEN_EOF] = "the end of the file",
#define X(upper, lower) [TOKEN_##upper] = "'" #lower "'",
        KEYWORDS(X)
#undef X
            [TOKEN_IDENT] = "a name",
        [TOKEN_INTEGER] = "a number",
        [TOKEN_REAL] = "a number",
        [TOKEN_STRING] = "a string",
        [TOKEN_LPAREN] = "'('",
        [TOKEN_RPAREN] = "')'",
        [TOKEN_LBRACKET] = "'['",
        [TOKEN_RBRACKET] = "']'",
        [TOKEN_LBRACE] = "'{'",
        [TOKEN_RBRACE] = "'}'",
        [TOKEN_COMMA] = "','",
        [TOKEN_SEMICOLON] = "';'",
        [TOKEN_COLON] = "':'",
        [TOKEN_DOT] = "'.'",
        [TOKEN_EQUALS] = "'='",
        [TOKEN_ASSIGN] = "':='",
        [TOKEN_LESS] = "'<'",
        [TOKEN_LESS_EQUAL] = "'<='",
        [TOKEN_GREATER] = "'>'",
        [TOKEN_GREATER_EQUAL] = "'>='",
        [TOKEN_EQUAL] = "'=='",
        [TOKEN_NOT_EQUAL] = "'<>'",
        [TOKEN_PLUS] = "'+'",
        [TOKEN_MINUS] = "'-'",
        [TOKEN_PLUS_EACH] = "'.+'",
        [TOKEN_MINUS_EACH] = "'.-'",
        [TOKEN_STAR] = "'*'",
        [TOKEN_SLASH] = "'/'",
        [TOKEN_STAR_EACH] = "'.*'",
        [TOKEN_SLASH_EACH] = "'./'",
        [TOKEN_POWER] = "'^'",
        [TOKEN_POWER_EACH] = "'.^'",
        [TOKEN_BAD] = "a wrong character",
    };
    return name[kind];
}
