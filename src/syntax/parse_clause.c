/* SPDX-License-Identifier: Apache-2.0 */
/* parse_clause.c -- equations and statements (Modelica 3.6, appendix A.2.6).
 *
 * Both share their compound forms: if, for, when. What differs is the simple form
 * (`a = b` or `a := b`), `while`, `break`, `return` and `connect`. One flag says which
 * of the two is being parsed. */
#include "syntax/parser.h"

typedef enum { EQUATIONS, STATEMENTS } Kind;

static const Clause *clause(Parser *p, Kind kind);

static const Clause *finish(Parser *p, Clause result) {
    if (p->panic) return NULL;
    result.comment = parse_comment(p);
    if (p->panic) return NULL;
    result.stop = p->last_end;
    Clause *copy = NEW(&p->session->ast, Clause, 1);
    *copy = result;
    return copy;
}

static const Expr *two_sides(Parser *p, Expr left, Expr right) {
    Expr *side = NEW(&p->session->ast, Expr, 2);
    side[0] = left;
    side[1] = right;
    return side;
}

/* ---- bodies ---- */

static bool ends_body(const Parser *p) {
    switch (p->token.kind) {
    case TOKEN_EOF:
    case TOKEN_END:
    case TOKEN_ELSE:
    case TOKEN_ELSEIF:
    case TOKEN_ELSEWHEN:
    case TOKEN_EQUATION:
    case TOKEN_ALGORITHM:
    case TOKEN_PUBLIC:
    case TOKEN_PROTECTED: return true;
    default: return false;
    }
}

static const ClauseList *body(Parser *p, Kind kind) {
    size_t   mark = p->used;
    uint32_t count;
    while (!ends_body(p) && !p->given_up) {
        int           brackets = p->brackets;
        Pos           before = p->token.pos;
        const Clause *item = clause(p, kind);
        if (item) parse_push(p, &item, sizeof item);
        parse_end_clause(p, brackets,
                         kind == EQUATIONS ? "the equation" : "the statement");
        if (p->token.pos == before) tok_take(p);
    }
    ClauseList *list =
        parse_pop(p, mark, offsetof(ClauseList, item), sizeof(Clause *), &count);
    list->count = count;
    return list;
}

/* `end if` and its kin. */
static void expect_end(Parser *p, TokenKind kind, Pos begin) {
    if (p->panic) return;
    const char *word = name_of(p->session, (Str)kind);
    if (tok_is(p, TOKEN_END) && tok_peek(p) == kind) {
        tok_take(p);
        tok_take(p);
        return;
    }
    TokenKind next = tok_is(p, TOKEN_END) ? tok_peek(p) : TOKEN_EOF;
    if (tok_ends_something(next) && next != TOKEN_IDENT) {
        parse_complain(p, p->ahead.pos, CODE_P116, "expected 'end %s', found 'end %s'",
                       word, name_of(p->session, (Str)next));
        tok_take(p);
        tok_take(p);
    } else {
        parse_fail(p, p->token.pos, CODE_P104,
                   "'%s' is not closed: 'end %s;' is missing here", word, word);
    }
    diag_note(&p->session->diag, begin, "'%s' begins here", word);
}

/* ---- compound forms ---- */

/* Where the head of a compound form is wrong, its body is still worth looking at. */
static void expect_head_end(Parser *p, TokenKind word, const char *where, int brackets) {
    if (!p->panic && tok_expect(p, word, where)) return;
    while (!tok_is(p, word) && !tok_is(p, TOKEN_EOF) && !tok_is(p, TOKEN_SEMICOLON) &&
           !p->token.line_start)
        tok_take(p);
    tok_accept(p, word);
    p->brackets = brackets;
    p->panic = p->given_up;
}

static Branch branch(Parser *p, Kind kind, bool conditional, TokenKind behind) {
    Branch result = {.pos = p->token.pos};
    int    brackets = p->brackets;
    tok_take(p);
    if (conditional) {
        result.condition = parse_expression(p);
        expect_head_end(p, behind, "after the condition", brackets);
    }
    result.body = body(p, kind);
    return result;
}

static const Clause *branches(Parser *p, Kind kind, ClauseKind form, TokenKind word,
                              TokenKind again) {
    Clause    result = {.pos = p->token.pos, .kind = (uint8_t)form};
    size_t    mark = p->used;
    uint32_t  count;
    bool      last = false;
    TokenKind behind = form == CLAUSE_WHILE ? TOKEN_LOOP : TOKEN_THEN;
    Branch    item = branch(p, kind, true, behind);
    parse_push(p, &item, sizeof item);
    while (
        !p->panic && form != CLAUSE_WHILE &&
        (tok_is(p, TOKEN_ELSE) || tok_is(p, TOKEN_ELSEIF) || tok_is(p, TOKEN_ELSEWHEN))) {
        bool conditional = !tok_is(p, TOKEN_ELSE);
        if (conditional && !tok_is(p, again))
            parse_complain(p, p->token.pos, CODE_P114, "%s does not belong to %s",
                           token_name(p->token.kind), token_name(word));
        else if (last)
            parse_complain(p, p->token.pos, CODE_P114, "%s after 'else'",
                           token_name(p->token.kind));
        else if (!conditional && form == CLAUSE_WHEN)
            parse_complain(p, p->token.pos, CODE_P114,
                           "a when-clause has no 'else'; use 'elsewhen'");
        last |= !conditional;
        item = branch(p, kind, conditional, behind);
        parse_push(p, &item, sizeof item);
    }
    result.end = p->token.pos;
    expect_end(p, word, result.pos);
    Branches *list = parse_pop(p, mark, offsetof(Branches, item), sizeof(Branch), &count);
    list->count = count;
    result.branches = list;
    return finish(p, result);
}

static const Clause *for_loop(Parser *p, Kind kind) {
    Clause result = {.pos = p->token.pos, .kind = CLAUSE_FOR};
    Loop  *loop = NEW(&p->session->ast, Loop, 1);
    int    brackets = p->brackets;
    tok_take(p);
    loop->iterators = parse_iterators(p);
    expect_head_end(p, TOKEN_LOOP, "after the range", brackets);
    loop->body = body(p, kind);
    result.loop = loop;
    result.end = p->token.pos;
    expect_end(p, TOKEN_FOR, result.pos);
    return finish(p, result);
}

/* ---- simple forms ---- */

const Clause *parse_connect(Parser *p) { /* at `connect`, without a comment behind */
    Clause *result = NEW(&p->session->ast, Clause, 1);
    result->pos = p->token.pos;
    result->kind = CLAUSE_CONNECT;
    tok_take(p);
    if (!tok_is(p, TOKEN_LPAREN)) {
        parse_unexpected(p, CODE_P101, "'(' after 'connect'");
        return NULL;
    }
    parse_open(p, '(');
    Expr left = parse_reference(p, "a connector");
    if (!p->panic) tok_expect(p, TOKEN_COMMA, "between the two connectors");
    Expr right = p->panic ? left : parse_reference(p, "a connector");
    parse_close(p, TOKEN_RPAREN);
    result->side = two_sides(p, left, right);
    return p->panic ? NULL : result;
}

static bool declares(Parser *p) { /* `Real y`: a declaration in the wrong section */
    switch (p->token.kind) {
    case TOKEN_PARAMETER:
    case TOKEN_CONSTANT:
    case TOKEN_DISCRETE:
    case TOKEN_INPUT:
    case TOKEN_OUTPUT:
    case TOKEN_FLOW:
    case TOKEN_STREAM:
    case TOKEN_FINAL:
    case TOKEN_INNER:
    case TOKEN_OUTER:
    case TOKEN_REPLACEABLE:
    case TOKEN_REDECLARE:
    case TOKEN_EXTENDS:
    case TOKEN_IMPORT: return true;
    case TOKEN_IDENT: return tok_peek(p) == TOKEN_IDENT && !p->ahead.line_start;
    default: return tok_starts_class(p->token.kind) && !tok_is(p, TOKEN_PURE);
    }
}

static const Clause *declaration_here(Parser *p) {
    parse_complain(
        p, p->token.pos, CODE_P125,
        "a declaration cannot stand here; put it before 'equation' or 'algorithm', or "
        "behind 'public' or 'protected'");
    if (tok_starts_class(p->token.kind)) {
        parse_class(p);
    } else {
        tok_take(p); /* its first word would stop the skipping at once */
        p->panic = true;
    }
    return NULL;
}

/* A call stands alone; anything else is no clause. */
static void call_alone(Parser *p, Clause *result, Expr left, const char *expression,
                       const char *wanted) {
    if (left.kind == EXPR_CALL) {
        result->kind = CLAUSE_CALL;
        result->side = two_sides(p, left, (Expr){0});
    } else if (tok_is(p, TOKEN_SEMICOLON) || p->token.line_start) {
        parse_fail(p, result->pos, CODE_P113, expression);
    } else {
        parse_unexpected(p, CODE_P101, wanted);
    }
}

static const Clause *simple_equation(Parser *p) {
    Clause result = {.pos = p->token.pos, .kind = CLAUSE_EQUATION};
    Expr   left = parse_simple_expression(p);
    if (p->panic) return NULL;
    if (tok_is(p, TOKEN_EQUALS)) {
        tok_take(p);
        result.side = two_sides(p, left, parse_expression(p));
    } else if (tok_is(p, TOKEN_ASSIGN)) {
        parse_fail(p, p->token.pos, CODE_P107,
                   "an equation is written with '=', not ':='");
    } else if (left.kind == EXPR_BINARY && left.op == OP_EQUAL && !left.parens) {
        parse_fail(p, left.pos, CODE_P113,
                   "'==' compares; an equation is written with '='");
    } else {
        call_alone(p, &result, left, "this is an expression; an equation needs '='",
                   "'=' or ';'");
    }
    return finish(p, result);
}

static bool assignable(Expr left) {
    if (left.kind == EXPR_NAME) return !left.parens;
    if (left.kind != EXPR_TUPLE) return false;
    for (uint32_t i = 0; i < left.list->count; i++) {
        Expr item = left.list->item[i];
        if (item.kind != EXPR_NONE && item.kind != EXPR_NAME) return false;
    }
    return true;
}

static const Clause *simple_statement(Parser *p) {
    Clause result = {.pos = p->token.pos, .kind = CLAUSE_ASSIGN};
    Expr   left = parse_simple_expression(p);
    if (p->panic) return NULL;
    if (tok_is(p, TOKEN_ASSIGN)) {
        if (left.kind == EXPR_NAME &&
            left.parens) { /* (a) := f(...) takes the first result */
            ExprList *one =
                arena_take(&p->session->ast, 1, sizeof(ExprList) + sizeof(Expr));
            one->count = 1;
            one->item[0] = left;
            one->item[0].parens = false;
            left = (Expr){.pos = result.pos, .kind = EXPR_TUPLE, .list = one};
        }
        if (!assignable(left)) {
            parse_fail(
                p, result.pos, CODE_P123,
                "only a variable, or (a, b, ...) for several results, can stand before "
                "':='");
            return NULL;
        }
        tok_take(p);
        result.side = two_sides(p, left, parse_expression(p));
        if (!p->panic && left.kind == EXPR_TUPLE && result.side[1].kind != EXPR_CALL)
            parse_fail(p, result.side[1].pos, CODE_P123,
                       "several results can only come from a function call");
    } else if (tok_is(p, TOKEN_EQUALS)) {
        parse_fail(p, p->token.pos, CODE_P108,
                   "an assignment is written with ':=', not '='");
    } else {
        call_alone(p, &result, left,
                   "this is an expression; a statement assigns with ':='", "':=' or ';'");
    }
    return finish(p, result);
}

static const Clause *bare_keyword(Parser *p, ClauseKind kind) {
    Clause result = {.pos = p->token.pos, .kind = (uint8_t)kind};
    tok_take(p);
    return finish(p, result);
}

static const Clause *connect_equation(Parser *p) {
    const Clause *connect = parse_connect(p);
    return connect ? finish(p, *connect) : NULL;
}

/* Statement keywords among equations and the reverse: reported, then parsed all the same. */
static void check_section(Parser *p, Kind kind, Kind wanted) {
    if (kind != wanted)
        parse_complain(p, p->token.pos, CODE_P119, "%s is allowed only in %s sections",
                       token_name(p->token.kind),
                       wanted == EQUATIONS ? "equation" : "algorithm");
}

static const Clause *clause_of_kind(Parser *p, Kind kind) {
    switch (p->token.kind) {
    case TOKEN_IF: return branches(p, kind, CLAUSE_IF, TOKEN_IF, TOKEN_ELSEIF);
    case TOKEN_WHEN: return branches(p, kind, CLAUSE_WHEN, TOKEN_WHEN, TOKEN_ELSEWHEN);
    case TOKEN_FOR: return for_loop(p, kind);
    case TOKEN_CONNECT: check_section(p, kind, EQUATIONS); return connect_equation(p);
    case TOKEN_WHILE:
        check_section(p, kind, STATEMENTS);
        return branches(p, kind, CLAUSE_WHILE, TOKEN_WHILE, TOKEN_EOF);
    case TOKEN_BREAK:
        check_section(p, kind, STATEMENTS);
        return bare_keyword(p, CLAUSE_BREAK);
    case TOKEN_RETURN:
        check_section(p, kind, STATEMENTS);
        return bare_keyword(p, CLAUSE_RETURN);
    default:
        if (declares(p)) return declaration_here(p);
        return kind == EQUATIONS ? simple_equation(p) : simple_statement(p);
    }
}

static const Clause *clause(Parser *p, Kind kind) {
    const Clause *result = parse_enter(p) ? clause_of_kind(p, kind) : NULL;
    parse_leave(p);
    return result;
}

const Clause *parse_equation(Parser *p) {
    return clause(p, EQUATIONS);
}

const Clause *parse_statement(Parser *p) {
    return clause(p, STATEMENTS);
}
