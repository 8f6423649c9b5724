/* SPDX-License-Identifier: Apache-2.0 */
/* tokens.c -- the words of a text with their lengths, for editors.
 *
 * Comments are words here, too. What is wrong in the text is no concern: messages about it came
 * from the parser. Cost: linear. */
#include "syntax/lexer.h"

static SpanKind kind_of(const Token *token) {
    if (token->kind < TOKEN_IDENT) return SPAN_KEYWORD;
    switch (token->kind) {
    case TOKEN_IDENT: return SPAN_NAME;
    case TOKEN_INTEGER:
    case TOKEN_REAL: return SPAN_NUMBER;
    case TOKEN_STRING: return SPAN_STRING;
    case TOKEN_LPAREN:
    case TOKEN_LBRACKET:
    case TOKEN_LBRACE: return SPAN_OPEN;
    case TOKEN_RPAREN:
    case TOKEN_RBRACKET:
    case TOKEN_RBRACE: return SPAN_CLOSE;
    case TOKEN_COMMA: return SPAN_COMMA;
    case TOKEN_SEMICOLON: return SPAN_SEMICOLON;
    case TOKEN_DOT: return SPAN_DOT;
    default: return SPAN_OPERATOR;
    }
}

static void add(Spans *spans, Arena *arena, Span span) {
    spans->item =
        arena_grow(arena, spans->item, sizeof(Span), &spans->room, spans->count + 1);
    spans->item[spans->count++] = span;
}

/* Comments that stand before a position, in the order of the text. */
static void add_remarks(Spans *spans, Arena *arena, const Lexer *lexer, int *next,
                        Pos before) {
    for (; *next < lexer->remarks && lexer->remark[*next].pos < before; ++*next)
        add(spans, arena,
            (Span){.pos = lexer->remark[*next].pos,
                   .length = lexer->remark[*next].length,
                   .kind = SPAN_REMARK});
}

Spans spans_of(Session *session, const Source *source, Arena *arena) {
    Spans spans = {0};
    Lexer lexer;
    Arena scratch = {0};
    int   remark = 0;
    Diag  keep = session->diag;
    diag_init(&session->diag, &session->sources);
    lexer_start(&lexer, session, source, &scratch);
    for (;;) {
        Token token = lexer_next(&lexer);
        add_remarks(&spans, arena, &lexer, &remark,
                    token.kind == TOKEN_EOF ? UINT32_MAX : token.pos);
        if (token.kind == TOKEN_EOF) break;
        add(&spans, arena,
            (Span){.pos = token.pos,
                   .length = token.length,
                   .kind = (uint8_t)kind_of(&token),
                   .name = token.name});
    }
    diag_free(&session->diag);
    session->diag = keep;
    arena_free(&scratch);
    return spans;
}

int spans_find(const Spans *spans, Pos pos) {
    int low = 0, high = spans->count; /* the last one that begins at or before pos */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (spans->item[middle].pos <= pos) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}
