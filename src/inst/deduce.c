/* SPDX-License-Identifier: Apache-2.0 */
/* deduce.c -- ranges of iterators that are not written (Modelica 3.6, 10.4.1 and 11.2.2.1).
 *
 * An iterator that stands alone as a subscript, x[i], runs over that dimension: 1:size(x, 1).
 * The range is made as text, so that everything else works as if it had been written. */
#include "inst/front.h"

typedef struct Use { /* where the iterator is a subscript */
    Str         name;
    const Name *array; /* NULL: not found yet */
    int         part;  /* of array, that has the subscript */
    int         dim;   /* which, from 0 */
} Use;

static void find_in(Use *use, Expr expr);

static void find_in_list(Use *use, const ExprList *list) {
    for (uint32_t k = 0; list && k < list->count; k++) find_in(use, list->item[k]);
}

static void find_in_name(Use *use, const Name *name) {
    for (int p = 0; p < name->count && !use->array; p++) {
        const ExprList *subs = name->part[p].subscripts;
        for (uint32_t k = 0; subs && k < subs->count; k++) {
            Expr s = subs->item[k];
            bool alone = s.kind == EXPR_NAME && s.name->count == 1 &&
                         s.name->part[0].name == use->name && !s.name->part[0].subscripts;
            if (alone && !use->array) {
                use->array = name;
                use->part = p;
                use->dim = (int)k;
            } else find_in(use, s);
        }
    }
}

static bool has_iterator(const Iterators *its, Str name) {
    for (uint32_t k = 0; its && k < its->count; k++)
        if (its->item[k].name == name) return true;
    return false;
}

static void find_in(Use *use, Expr expr) {
    if (use->array) return;
    switch (expr.kind) {
    case EXPR_NAME: find_in_name(use, expr.name); break;
    case EXPR_CALL:
    case EXPR_PARTIAL:
    case EXPR_ARRAY_FOR:
        if (has_iterator(expr.call->iterators, use->name)) break; /* another one */
        find_in_list(use, expr.call->args);
        for (uint32_t k = 0; k < expr.call->named_count; k++)
            find_in(use, expr.call->named[k].value);
        for (uint32_t k = 0; expr.call->iterators && k < expr.call->iterators->count; k++)
            find_in(use, expr.call->iterators->item[k].range);
        break;
    case EXPR_BINARY: find_in(use, expr.arg[1]); /* fall through */
    case EXPR_UNARY: find_in(use, expr.arg[0]); break;
    case EXPR_FIELD: find_in(use, expr.field->expr); break;
    default: find_in_list(use, expr_items(expr)); break;
    }
}

static void find_in_clauses(Use *use, const ClauseList *list) {
    for (uint32_t k = 0; list && k < list->count && !use->array; k++) {
        const Clause *clause = list->item[k];
        switch (clause->kind) {
        case CLAUSE_EQUATION:
        case CLAUSE_ASSIGN:
        case CLAUSE_CONNECT: find_in(use, clause->side[1]); /* fall through */
        case CLAUSE_CALL: find_in(use, clause->side[0]); break;
        case CLAUSE_FOR:
            if (has_iterator(clause->loop->iterators, use->name)) break;
            find_in_clauses(use, clause->loop->body);
            break;
        case CLAUSE_IF:
        case CLAUSE_WHEN:
        case CLAUSE_WHILE:
            for (uint32_t b = 0; b < clause->branches->count; b++) {
                find_in(use, clause->branches->item[b].condition);
                find_in_clauses(use, clause->branches->item[b].body);
            }
            break;
        default: break;
        }
    }
}

/* 1:size(array, dim) */
static Expr make_range(Front *front, const Use *use, Pos pos) {
    Arena    *arena = &front->arena;
    ExprList *args = arena_take(arena, 1, sizeof *args + 2 * sizeof(Expr));
    ExprList *range = arena_take(arena, 1, sizeof *range + 2 * sizeof(Expr));
    Name     *function = arena_take(arena, 1, sizeof *function + sizeof(NamePart));
    Call     *call = NEW(arena, Call, 1);
    size_t    parts = (size_t)use->part + 1;
    Name     *array = arena_take(arena, 1, sizeof *array + parts * sizeof(NamePart));
    array->count = (uint16_t)parts;
    array->global = use->array->global;
    for (size_t k = 0; k < parts; k++) array->part[k] = use->array->part[k];
    array->part[parts - 1].subscripts = NULL;
    function->count = 1;
    function->part[0] = (NamePart){.name = str_of(front->strings, "size"), .pos = pos};
    args->count = range->count = 2;
    args->item[0] = (Expr){.pos = pos, .kind = EXPR_NAME, .name = array};
    args->item[1] = (Expr){.pos = pos, .kind = EXPR_INTEGER, .integer = use->dim + 1};
    call->function = function;
    call->args = args;
    range->item[0] = (Expr){.pos = pos, .kind = EXPR_INTEGER, .integer = 1};
    range->item[1] = (Expr){.pos = pos, .kind = EXPR_CALL, .call = call};
    return (Expr){.pos = pos, .kind = EXPR_RANGE, .list = range};
}

Expr deduce_range(Front *front, const Iterator *it, const ExprList *exprs,
                  const ClauseList *clauses) {
    Use use = {.name = it->name};
    if (it->range.kind != EXPR_NONE) return it->range;
    find_in_list(&use, exprs);
    find_in_clauses(&use, clauses);
    if (use.array) return make_range(front, &use, it->pos);
    diag_report(front->diag, it->pos, CODE_F904,
                "the range of iterator '%s' must be given: it stands nowhere alone as a "
                "subscript",
                text_of(front, it->name));
    return (Expr){.pos = it->pos, .kind = EXPR_BAD};
}
