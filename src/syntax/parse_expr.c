/* SPDX-License-Identifier: Apache-2.0 */
/* parse_expr.c -- expressions (Modelica 3.6, appendix A.2.7).
 *
 *   expression   = if ... then ... {elseif ...} else ... | simple
 *   simple       = logical [":" logical [":" logical]]
 *   logical      = binary operations; here by precedence climbing, so that the stack grows
 *                  with brackets only and not with the ladder of precedences
 *
 * Operators from loose to tight: or, and, not, relations, + -, * /, ^. A sign belongs to the
 * whole first term: -a*b is -(a*b). Relations and ^ do not chain. Each function leaves the
 * height of what it built in p->height. */
#include "syntax/parser.h"

enum {
    LEVEL_OR = 1,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_RELATION,
    LEVEL_ADD,
    LEVEL_MUL,
    LEVEL_POWER
};

typedef struct Infix {
    uint8_t level; /* 0: the token is no infix operator */
    uint8_t op;    /* Op                                */
} Infix;

static const Infix infix_of[TOKEN_COUNT] = {
    [TOKEN_OR] = {LEVEL_OR, OP_OR},
    [TOKEN_AND] = {LEVEL_AND, OP_AND},
    [TOKEN_LESS] = {LEVEL_RELATION, OP_LESS},
    [TOKEN_LESS_EQUAL] = {LEVEL_RELATION, OP_LESS_EQUAL},
    [TOKEN_GREATER] = {LEVEL_RELATION, OP_GREATER},
    [TOKEN_GREATER_EQUAL] = {LEVEL_RELATION, OP_GREATER_EQUAL},
    [TOKEN_EQUAL] = {LEVEL_RELATION, OP_EQUAL},
    [TOKEN_NOT_EQUAL] = {LEVEL_RELATION, OP_NOT_EQUAL},
    [TOKEN_PLUS] = {LEVEL_ADD, OP_ADD},
    [TOKEN_MINUS] = {LEVEL_ADD, OP_SUB},
    [TOKEN_PLUS_EACH] = {LEVEL_ADD, OP_ADD_EACH},
    [TOKEN_MINUS_EACH] = {LEVEL_ADD, OP_SUB_EACH},
    [TOKEN_STAR] = {LEVEL_MUL, OP_MUL},
    [TOKEN_SLASH] = {LEVEL_MUL, OP_DIV},
    [TOKEN_STAR_EACH] = {LEVEL_MUL, OP_MUL_EACH},
    [TOKEN_SLASH_EACH] = {LEVEL_MUL, OP_DIV_EACH},
    [TOKEN_POWER] = {LEVEL_POWER, OP_POWER},
    [TOKEN_POWER_EACH] = {LEVEL_POWER, OP_POWER_EACH},
};

static Expr bad(const Parser *p) {
    return (Expr){.pos = p->token.pos, .kind = EXPR_BAD};
}

static int max(int a, int b) {
    return a > b ? a : b;
}

static void grow(Parser *p, int height) {
    p->height = height + 1;
    if (p->height <= PARSE_HEIGHT) return;
    parse_fail(
        p, p->token.pos, CODE_P112,
        "an expression of more than %d operators in a row; use sum({...}) or parts",
        PARSE_HEIGHT);
    p->height = 1;
}

static Expr *take_args(Parser *p, int n) {
    return NEW(&p->session->ast, Expr, n);
}

/* ---- names and references ---- */

static const Name *pop_name(Parser *p, size_t mark, bool global) {
    uint32_t count;
    Name    *name = parse_pop(p, mark, offsetof(Name, part), sizeof(NamePart), &count);
    name->count = (uint16_t)(count > UINT16_MAX ? UINT16_MAX : count);
    name->global = global;
    return name;
}

static const Name *parse_parts(Parser *p, const char *what, bool subscripts) {
    size_t mark = p->used;
    bool   global = tok_accept(p, TOKEN_DOT);
    int    height = 1;
    do {
        NamePart part = {0};
        part.name = tok_name(p, what, &part.pos);
        p->height = 1;
        if (subscripts && tok_is(p, TOKEN_LBRACKET))
            part.subscripts = parse_subscripts(p);
        height = max(height, p->height);
        parse_push(p, &part, sizeof part);
    } while (!p->panic && tok_is(p, TOKEN_DOT) && tok_peek(p) != TOKEN_LBRACE &&
             tok_accept(p, TOKEN_DOT));
    p->height = height;
    return pop_name(p, mark, global);
}

const Name *parse_name(Parser *p, const char *what) {
    return parse_parts(p, what, false);
}

Expr parse_reference(Parser *p, const char *what) {
    Expr expr = {.pos = p->token.pos, .kind = EXPR_NAME};
    expr.name = parse_parts(p, what, true);
    return p->panic ? bad(p) : expr;
}

/* ---- lists ---- */

static const ExprList *pop_expressions(Parser *p, size_t mark) {
    uint32_t  count;
    ExprList *list = parse_pop(p, mark, offsetof(ExprList, item), sizeof(Expr), &count);
    list->count = count;
    return list;
}

const ExprList *parse_expression_list(Parser *p, TokenKind close) {
    size_t mark = p->used;
    int    height = 0;
    if (tok_is(p, close)) return NULL;
    do {
        Expr expr = parse_expression(p);
        parse_push(p, &expr, sizeof expr);
        height = max(height, p->height);
    } while (!p->panic && tok_accept(p, TOKEN_COMMA));
    grow(p, height);
    return pop_expressions(p, mark);
}

static Expr subscript(Parser *p) {
    if (!tok_is(p, TOKEN_COLON)) return parse_expression(p);
    Expr colon = {.pos = p->token.pos, .kind = EXPR_COLON};
    p->height = 1;
    tok_take(p);
    return colon;
}

const ExprList *parse_subscripts(Parser *p) {
    size_t mark = p->used;
    int    height = 0;
    parse_open(p, '[');
    p->subscripts++;
    do {
        Expr expr = subscript(p);
        parse_push(p, &expr, sizeof expr);
        height = max(height, p->height);
    } while (!p->panic && tok_accept(p, TOKEN_COMMA));
    p->subscripts--;
    parse_close(p, TOKEN_RBRACKET);
    grow(p, height);
    return pop_expressions(p, mark);
}

const Iterators *parse_iterators(Parser *p) { /* after `for` */
    size_t   mark = p->used;
    uint32_t count;
    int      height = 0;
    do {
        Iterator item = {0};
        item.name = tok_name(p, "the name of a loop variable", &item.pos);
        p->height = 1;
        if (tok_accept(p, TOKEN_IN)) item.range = parse_expression(p);
        else if (!p->panic && tok_is(p, TOKEN_EQUALS))
            parse_fail(p, p->token.pos, CODE_P101,
                       "expected 'in' before the range of a loop, found '='");
        height = max(height, p->height);
        parse_push(p, &item, sizeof item);
    } while (!p->panic && tok_accept(p, TOKEN_COMMA));
    Iterators *list =
        parse_pop(p, mark, offsetof(Iterators, item), sizeof(Iterator), &count);
    list->count = count;
    p->height = height;
    return list;
}

/* ---- calls ---- */

static Expr call_expr(Parser *p, ExprKind kind, Pos pos, Call call) {
    Call *copy = NEW(&p->session->ast, Call, 1);
    *copy = call;
    return (Expr){.pos = pos, .kind = (uint8_t)kind, .call = copy};
}

static Expr partial_application(Parser *p);

static bool at_named_argument(Parser *p) {
    return tok_is(p, TOKEN_IDENT) && tok_peek(p) == TOKEN_EQUALS;
}

static Expr argument(Parser *p) {
    return tok_is(p, TOKEN_FUNCTION) ? partial_application(p) : parse_expression(p);
}

static void named_arguments(Parser *p, Call *call) {
    size_t mark = p->used;
    int    height = 0;
    do {
        if (!at_named_argument(p)) {
            if (tok_is(p, TOKEN_RPAREN) || tok_is(p, TOKEN_EQUALS))
                parse_unexpected(p, CODE_P101, "a named argument");
            else
                parse_fail(p, p->token.pos, CODE_P111,
                           "an argument without name cannot follow named arguments");
            break;
        }
        NamedArg item = {.name = p->token.name, .pos = p->token.pos};
        tok_take(p);
        tok_take(p);
        item.value = argument(p);
        height = max(height, p->height);
        parse_push(p, &item, sizeof item);
    } while (!p->panic && tok_accept(p, TOKEN_COMMA));
    p->height = height;
    call->named = parse_pop(p, mark, 0, sizeof(NamedArg), &call->named_count);
}

/* f(a, b, c = 1), f(e for i in r), {e for i in r}; the opening bracket is taken. */
static void arguments(Parser *p, Call *call, TokenKind close) {
    size_t mark = p->used;
    int    height = 0;
    bool   more = !tok_is(p, close);
    while (more && !at_named_argument(p)) {
        Expr expr = argument(p);
        parse_push(p, &expr, sizeof expr);
        height = max(height, p->height);
        if (!p->panic && tok_is(p, TOKEN_FOR)) break;
        more = !p->panic && tok_accept(p, TOKEN_COMMA);
    }
    if (p->used > mark) call->args = pop_expressions(p, mark);
    if (!p->panic && tok_is(p, TOKEN_FOR)) {
        if (call->args->count > 1)
            parse_fail(p, p->token.pos, CODE_P117,
                       "'for' makes a list of one expression; here are %u",
                       call->args->count);
        tok_take(p);
        call->iterators = parse_iterators(p);
        height = max(height, p->height);
    } else if (more && !p->panic) {
        named_arguments(p, call);
        height = max(height, p->height);
    }
    grow(p, height);
}

static void call_arguments(Parser *p, Call *call) { /* at '(' */
    parse_open(p, '(');
    arguments(p, call, TOKEN_RPAREN);
    parse_close(p, TOKEN_RPAREN);
}

static Expr partial_application(Parser *p) { /* at `function` */
    Pos  pos = p->token.pos;
    Call call = {0};
    tok_take(p);
    call.function = parse_name(p, "the name of a function");
    if (!p->panic && !tok_is(p, TOKEN_LPAREN))
        parse_unexpected(p, CODE_P101, "'(' after the function name");
    if (p->panic) return bad(p);
    call_arguments(p, &call);
    if (call.args)
        parse_complain(p, pos, CODE_P111,
                       "a partial application binds arguments by name only");
    return call_expr(p, EXPR_PARTIAL, pos, call);
}

static const Name *keyword_name(Parser *p) { /* der, initial, pure used as functions */
    size_t   mark = p->used;
    NamePart part = {.name = p->token.name, .pos = p->token.pos};
    parse_push(p, &part, sizeof part);
    tok_take(p);
    return pop_name(p, mark, false);
}

static Expr keyword_call(Parser *p) {
    Pos  pos = p->token.pos;
    Call call = {.function = keyword_name(p)};
    if (!tok_is(p, TOKEN_LPAREN)) {
        parse_unexpected(p, CODE_P101, "'('");
        return bad(p);
    }
    call_arguments(p, &call);
    return call_expr(p, EXPR_CALL, pos, call);
}

static Expr reference_or_call(Parser *p) {
    Pos  pos = p->token.pos;
    Expr expr = parse_reference(p, "a name");
    if (p->panic || !tok_is(p, TOKEN_LPAREN)) return expr;
    Call call = {.function = expr.name};
    call_arguments(p, &call);
    return call_expr(p, EXPR_CALL, pos, call);
}

/* ---- brackets ---- */

static Expr subscripted(Parser *p, Expr expr) { /* (e)[i], at '[' */
    size_t mark = p->used;
    parse_push(p, &expr, sizeof expr);
    const ExprList *subs = parse_subscripts(p);
    parse_push(p, subs->item, subs->count * sizeof(Expr));
    return (Expr){
        .pos = expr.pos, .kind = EXPR_SUBSCRIPT, .list = pop_expressions(p, mark)};
}

static Expr field(Parser *p, Expr expr) { /* (e).name, at '.' */
    Field *copy = NEW(&p->session->ast, Field, 1);
    tok_take(p);
    copy->expr = expr;
    copy->name = tok_name(p, "the name of a member", &copy->pos);
    return (Expr){.pos = expr.pos, .kind = EXPR_FIELD, .field = copy};
}

static bool tuple_member(Parser *p) { /* pushes one member; true if a comma follows */
    Expr expr = {.pos = p->token.pos, .kind = EXPR_NONE};
    p->height = 1;
    if (!tok_is(p, TOKEN_COMMA) && !tok_is(p, TOKEN_RPAREN)) expr = parse_expression(p);
    parse_push(p, &expr, sizeof expr);
    return !p->panic && tok_accept(p, TOKEN_COMMA);
}

static Expr parenthesised(Parser *p) { /* at '(' */
    Pos    pos = p->token.pos;
    size_t mark = p->used;
    int    height = 0;
    bool   comma = false, more = true;
    parse_open(p, '(');
    while (more) {
        more = tuple_member(p);
        comma |= more;
        height = max(height, p->height);
    }
    parse_close(p, TOKEN_RPAREN);
    const ExprList *list = pop_expressions(p, mark);
    grow(p, height);
    if (p->panic) return bad(p);
    Expr expr = {.pos = pos, .kind = EXPR_TUPLE, .list = list};
    if (!comma && list->item[0].kind != EXPR_NONE) {
        expr = list->item[0];
        expr.parens = true;
        if (tok_is(p, TOKEN_LBRACKET)) expr = subscripted(p, expr);
        else if (tok_is(p, TOKEN_DOT)) expr = field(p, expr);
    }
    return expr;
}

static Expr matrix(Parser *p) { /* at '[' */
    Pos    pos = p->token.pos;
    size_t mark = p->used;
    int    height = 0;
    parse_open(p, '[');
    do {
        if (p->token.line_start && (tok_is(p, TOKEN_END) || tok_starts_clause(&p->token)))
            break;
        Expr row = {.pos = p->token.pos, .kind = EXPR_ARRAY};
        row.list = parse_expression_list(p, TOKEN_RBRACKET);
        if (!row.list) parse_unexpected(p, CODE_P106, "an expression");
        height = max(height, p->height);
        parse_push(p, &row, sizeof row);
    } while (!p->panic && tok_accept(p, TOKEN_SEMICOLON));
    parse_close(p, TOKEN_RBRACKET);
    grow(p, height);
    Expr expr = {.pos = pos, .kind = EXPR_MATRIX, .list = pop_expressions(p, mark)};
    return p->panic ? bad(p) : expr;
}

static Expr array(Parser *p) { /* at '{' */
    Pos  pos = p->token.pos;
    Call call = {0};
    parse_open(p, '{');
    if (tok_is(p, TOKEN_RBRACE)) {
        parse_fail(p, p->token.pos, CODE_P106,
                   "an array constructor needs a value; for none write fill(0, 0)");
        return bad(p);
    }
    arguments(p, &call, TOKEN_RBRACE);
    if (!p->panic && call.named_count)
        parse_fail(p, call.named[0].pos, CODE_P111,
                   "an array constructor has no named arguments");
    parse_close(p, TOKEN_RBRACE);
    if (p->panic) return bad(p);
    if (call.iterators) return call_expr(p, EXPR_ARRAY_FOR, pos, call);
    return (Expr){.pos = pos, .kind = EXPR_ARRAY, .list = call.args};
}

/* ---- operators ---- */

static Expr literal(Parser *p, ExprKind kind) {
    Expr expr = {.pos = p->token.pos, .kind = (uint8_t)kind};
    if (kind == EXPR_REAL) expr.real = p->token.real;
    else if (kind == EXPR_STRING) expr.length = p->token.length;
    else expr.integer = kind == EXPR_INTEGER ? p->token.integer : 0;
    tok_take(p);
    p->height = 1;
    return expr;
}

static Expr no_primary(Parser *p) {
    if (tok_is(p, TOKEN_IF))
        parse_fail(p, p->token.pos, CODE_P121,
                   "an if-expression used as an operand needs parentheses");
    else if (tok_is(p, TOKEN_END))
        parse_fail(p, p->token.pos, CODE_P122, "expected an expression, found 'end'%s",
                   p->token.line_start ? ""
                                       : ", which is a value only inside subscripts");
    else if (tok_is(p, TOKEN_NOT))
        parse_fail(p, p->token.pos, CODE_P109,
                   "'not' as an operand here needs parentheses");
    else parse_unexpected(p, CODE_P106, "an expression");
    return bad(p);
}

static Expr primary(Parser *p) {
    p->height = 1;
    switch (p->token.kind) {
    case TOKEN_INTEGER: return literal(p, EXPR_INTEGER);
    case TOKEN_REAL: return literal(p, EXPR_REAL);
    case TOKEN_STRING: return literal(p, EXPR_STRING);
    case TOKEN_FALSE: return literal(p, EXPR_FALSE);
    case TOKEN_TRUE: return literal(p, EXPR_TRUE);
    case TOKEN_END: return p->subscripts ? literal(p, EXPR_END) : no_primary(p);
    case TOKEN_IDENT:
    case TOKEN_DOT: return reference_or_call(p);
    case TOKEN_DER:
    case TOKEN_INITIAL:
    case TOKEN_PURE: return keyword_call(p);
    case TOKEN_LPAREN: return parenthesised(p);
    case TOKEN_LBRACKET: return matrix(p);
    case TOKEN_LBRACE: return array(p);
    default: return no_primary(p);
    }
}

static Expr binary(Parser *p, int level);

static Expr unary(Parser *p, Op op, int operand_level) {
    Expr  expr = {.pos = p->token.pos, .kind = EXPR_UNARY, .op = (uint8_t)op};
    Expr *arg = take_args(p, 1);
    tok_take(p);
    *arg = binary(p, operand_level);
    expr.arg = arg;
    grow(p, p->height);
    return expr;
}

static bool is_sign(TokenKind kind) {
    return infix_of[kind].level == LEVEL_ADD;
}

static Expr operand(Parser *p, int level) {
    if (tok_is(p, TOKEN_NOT) && level <= LEVEL_NOT)
        return unary(p, OP_NOT, LEVEL_RELATION);
    if (!is_sign(p->token.kind)) return primary(p);
    Op op = (Op)infix_of[p->token.kind].op;
    if (level <= LEVEL_ADD) return unary(p, op, LEVEL_MUL);
    Pos  pos = p->token.pos;
    Expr expr = unary(p, op, LEVEL_POWER);
    parse_complain(p, pos, CODE_P109, "a signed operand needs parentheses: write (%s...)",
                   op_text(op));
    return expr;
}

static bool chains(Expr left, Infix infix) {
    if (infix.level != LEVEL_RELATION && infix.level != LEVEL_POWER) return false;
    if (left.kind != EXPR_BINARY || left.parens) return false;
    return infix.level == LEVEL_RELATION ? left.op >= OP_LESS && left.op <= OP_NOT_EQUAL
                                         : left.op >= OP_POWER;
}

static Expr binary(Parser *p, int level) {
    if (!parse_enter(p)) {
        parse_leave(p);
        return bad(p);
    }
    Expr left = operand(p, level);
    while (!p->panic) {
        Infix infix = infix_of[p->token.kind];
        if (!infix.level || infix.level < level) break;
        if (chains(left, infix))
            parse_complain(p, p->token.pos, CODE_P110,
                           "%s cannot be chained; use parentheses",
                           infix.level == LEVEL_POWER ? "powers" : "relations");
        Expr  expr = {.pos = p->token.pos, .kind = EXPR_BINARY, .op = infix.op};
        Expr *arg = take_args(p, 2);
        int   height = p->height;
        tok_take(p);
        arg[0] = left;
        arg[1] = binary(p, infix.level + 1);
        expr.arg = arg;
        grow(p, max(height, p->height));
        left = expr;
    }
    parse_leave(p);
    return left;
}

Expr parse_simple_expression(Parser *p) {
    Expr first = binary(p, LEVEL_OR);
    if (p->panic || !tok_is(p, TOKEN_COLON)) return first;
    size_t mark = p->used;
    int    height = p->height;
    Pos    pos = p->token.pos;
    parse_push(p, &first, sizeof first);
    for (int n = 1; n < 3 && !p->panic && tok_accept(p, TOKEN_COLON); n++) {
        Expr expr = binary(p, LEVEL_OR);
        parse_push(p, &expr, sizeof expr);
        height = max(height, p->height);
    }
    grow(p, height);
    return (Expr){.pos = pos, .kind = EXPR_RANGE, .list = pop_expressions(p, mark)};
}

static void push_expression(Parser *p, int *height) {
    Expr expr = parse_expression(p);
    parse_push(p, &expr, sizeof expr);
    *height = max(*height, p->height);
}

static Expr if_expression(Parser *p) { /* at `if` */
    Pos    pos = p->token.pos;
    size_t mark = p->used;
    int    height = 0;
    do {
        tok_take(p); /* if, elseif */
        push_expression(p, &height);
        if (!p->panic) tok_expect(p, TOKEN_THEN, "in an if-expression");
        if (!p->panic) push_expression(p, &height);
    } while (!p->panic && tok_is(p, TOKEN_ELSEIF));
    if (!p->panic && !tok_accept(p, TOKEN_ELSE)) {
        char found[80];
        tok_text(p, found, sizeof found);
        parse_fail(p, p->token.pos, CODE_P121, "an if-expression needs 'else'; found %s",
                   found);
    }
    if (!p->panic) push_expression(p, &height);
    grow(p, height);
    Expr expr = {.pos = pos, .kind = EXPR_IF, .list = pop_expressions(p, mark)};
    return p->panic ? bad(p) : expr;
}

Expr parse_expression(Parser *p) {
    if (!tok_is(p, TOKEN_IF)) return parse_simple_expression(p);
    Expr expr = parse_enter(p) ? if_expression(p) : bad(p);
    parse_leave(p);
    return expr;
}
