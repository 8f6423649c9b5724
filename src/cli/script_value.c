/* SPDX-License-Identifier: Apache-2.0 */
/* script_value.c -- statements and expressions of a script are executed.
 *
 * A value is a text: numbers, truth values, arrays and records as they are printed, a String as its
 * content. What is no function of scripts and no variable stays as it is written: Modelica.Blocks is
 * a class, der(x) and a.b[2] are variables of a result. */
#include "cli/script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 100000 }; /* of a loop */

/* ---- values ---- */

ScriptValue script_symbol(Run *run, const char *text) {
    return (ScriptValue){.text = arena_string(run->arena, text, strlen(text))};
}

ScriptValue script_text(Run *run, const char *text) {
    ScriptValue value = script_symbol(run, text);
    value.string = true;
    return value;
}

ScriptValue script_truth(bool fine) {
    return (ScriptValue){.text = fine ? "true" : "false"};
}

ScriptValue script_nothing(void) {
    return (ScriptValue){0};
}

const char *script_shown(Run *run, ScriptValue value) {
    Text out = {0};
    if (!value.text) return "";
    if (!value.string) return value.text;
    text_char(&out, '"');
    for (const char *c = value.text; *c; c++) {
        if (*c == '"' || *c == '\\') text_char(&out, '\\');
        text_char(&out, *c);
    }
    text_char(&out, '"');
    const char *copy = arena_string(run->arena, text_get(&out), out.length);
    text_free(&out);
    return copy;
}

static ScriptValue number(Run *run, double x) {
    return (ScriptValue){.text = arena_printf(run->arena, "%.15g", x)};
}

/* True and its value: all of the text is a number. */
static bool is_number(ScriptValue value, double *x) {
    char *end;
    if (!value.text || value.string || !*value.text) return false;
    *x = strtod(value.text, &end);
    return *end == 0;
}

static ScriptValue mistake(Run *run, Pos pos, const char *text) {
    Place place = source_place(&run->job->session.sources, pos);
    if (!run->wrong)
        fprintf(stderr, "%s:%d: error: %s\n",
                place.source ? place.source->path : "script", place.line, text);
    run->wrong = true;
    return script_nothing();
}

/* ---- variables ---- */

static const ScriptVariable *find_variable(const Run *run, const char *name) {
    for (int k = 0; k < run->variables; k++)
        if (strcmp(run->variable[k].name, name) == 0) return &run->variable[k];
    return NULL;
}

static void set_variable(Run *run, const char *name, ScriptValue value) {
    for (int k = 0; k < run->variables; k++) {
        if (strcmp(run->variable[k].name, name) != 0) continue;
        run->variable[k].value = value;
        return;
    }
    run->variable = arena_grow(run->arena, run->variable, sizeof(ScriptVariable),
                               &run->room, run->variables + 1);
    run->variable[run->variables++] =
        (ScriptVariable){arena_string(run->arena, name, strlen(name)), value};
}

/* The field of a record as it is printed, "    field = value,\n". */
static ScriptValue field_of(Run *run, const char *record, const char *field) {
    const char *key = arena_printf(run->arena, "\n    %s = ", field);
    const char *at = strncmp(record, "record ", 7) == 0 ? strstr(record, key) : NULL;
    if (!at) return script_nothing();
    at += strlen(key);
    bool   text = *at == '"';
    size_t n = strcspn(at, ",\n");
    if (!text) return (ScriptValue){.text = arena_string(run->arena, at, n)};
    Text out = {0};
    for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1]) at++;
        text_char(&out, *at);
    }
    ScriptValue value = script_text(run, text_get(&out));
    text_free(&out);
    return value;
}

/* ---- expressions ---- */

static ScriptValue evaluate(Run *run, Expr e);

static ScriptValue as_written(Run *run, Expr e) {
    Text out = {0};
    format_expr(&out, &run->job->session, e);
    ScriptValue value = script_symbol(run, text_get(&out));
    text_free(&out);
    return value;
}

/* An element of {a, b, c}, counted from 1. */
static ScriptValue element_of(Run *run, ScriptValue array, Expr subscript) {
    Words  words = {0};
    double index = 0;
    script_list(run->arena, array.text, &words);
    if (!is_number(evaluate(run, subscript), &index) || !(index >= 1) ||
        !(index <= words.count))
        return mistake(run, subscript.pos, "there is no element with this subscript");
    return script_symbol(run, words.item[(int)index - 1]);
}

/* A variable, its element or its field; else the name of a class or of a variable in a result. */
static ScriptValue evaluate_name(Run *run, Expr e) {
    const Name           *name = e.name;
    const Session        *session = &run->job->session;
    const ScriptVariable *found =
        find_variable(run, name_of(session, name->part[0].name));
    if (!found) return as_written(run, e);
    ScriptValue     value = found->value;
    const ExprList *subscripts = name->part[0].subscripts;
    for (uint32_t k = 0; subscripts && value.text && k < subscripts->count; k++)
        value = element_of(run, value, subscripts->item[k]);
    for (int k = 1; k < name->count && value.text; k++) {
        value = field_of(run, value.text, name_of(session, name->part[k].name));
        if (!value.text) return mistake(run, e.pos, "the value has no such field");
    }
    return value;
}

static ScriptValue evaluate_call(Run *run, Expr e) {
    const Session *session = &run->job->session;
    const Call    *call = e.call;
    const char    *like;
    Text           name = {0};
    for (int k = 0; k < call->function->count; k++)
        text_printf(&name, "%s%s", k ? "." : "",
                    name_of(session, call->function->part[k].name));
    const ScriptEntry *entry = script_function(text_get(&name), &like);
    text_free(&name);
    if (!entry || call->iterators) return as_written(run, e);
    int        places = call->args ? (int)call->args->count : 0;
    ScriptCall now = {.function = entry->name,
                      .arguments = places + (int)call->named_count};
    now.argument = NEW(run->arena, ScriptArgument, now.arguments + 1);
    for (int k = 0; k < places; k++)
        now.argument[k].value = evaluate(run, call->args->item[k]);
    for (uint32_t k = 0; k < call->named_count; k++)
        now.argument[places + (int)k] = (ScriptArgument){
            name_of(session, call->named[k].name), evaluate(run, call->named[k].value)};
    return run->wrong ? script_nothing() : entry->run(run, &now);
}

static ScriptValue arithmetic(Run *run, Expr e, double a, double b) {
    switch (e.op) {
    case OP_ADD: return number(run, a + b);
    case OP_SUB: return number(run, a - b);
    case OP_MUL: return number(run, a * b);
    case OP_DIV: return number(run, a / b);
    case OP_POWER: return number(run, pow(a, b));
    case OP_LESS: return script_truth(a < b);
    case OP_LESS_EQUAL: return script_truth(a <= b);
    case OP_GREATER: return script_truth(a > b);
    case OP_GREATER_EQUAL: return script_truth(a >= b);
    case OP_EQUAL: return script_truth(a == b);
    case OP_NOT_EQUAL: return script_truth(a != b);
    default: return as_written(run, e);
    }
}

static bool is_true(ScriptValue value) {
    return value.text && strcmp(value.text, "true") == 0;
}

static ScriptValue evaluate_binary(Run *run, Expr e) {
    ScriptValue left = evaluate(run, e.arg[0]), right = evaluate(run, e.arg[1]);
    double      a, b;
    if (!left.text || !right.text) return script_nothing();
    if (is_number(left, &a) && is_number(right, &b)) return arithmetic(run, e, a, b);
    if (e.op == OP_ADD && left.string && right.string)
        return script_text(run, arena_printf(run->arena, "%s%s", left.text, right.text));
    if (e.op == OP_EQUAL) return script_truth(strcmp(left.text, right.text) == 0);
    if (e.op == OP_NOT_EQUAL) return script_truth(strcmp(left.text, right.text) != 0);
    if (e.op == OP_AND) return script_truth(is_true(left) && is_true(right));
    if (e.op == OP_OR) return script_truth(is_true(left) || is_true(right));
    return mistake(run, e.pos,
                   "these values cannot be combined; String(x) makes a text of a "
                   "number");
}

static ScriptValue evaluate_unary(Run *run, Expr e) {
    ScriptValue value = evaluate(run, e.arg[0]);
    double      x;
    if (e.op == OP_NOT) return script_truth(!is_true(value));
    if (!is_number(value, &x)) return as_written(run, e);
    return number(run, e.op == OP_SUB ? -x : x);
}

static ScriptValue evaluate_list(Run *run, const ExprList *list) {
    Text out = {0};
    text_char(&out, '{');
    for (uint32_t k = 0; k < list->count; k++)
        text_printf(&out, "%s%s", k ? "," : "",
                    script_shown(run, evaluate(run, list->item[k])));
    text_char(&out, '}');
    ScriptValue value = script_symbol(run, text_get(&out));
    text_free(&out);
    return value;
}

static ScriptValue evaluate_range(Run *run, Expr e) {
    double start, step = 1, stop;
    int    last = (int)e.list->count - 1;
    if (!is_number(evaluate(run, e.list->item[0]), &start) ||
        !is_number(evaluate(run, e.list->item[last]), &stop) ||
        (last == 2 && !is_number(evaluate(run, e.list->item[1]), &step)))
        return as_written(run, e);
    double rounds = floor((stop - start) / step + 1e-10) + 1;
    if (!(rounds <= MOST_ROUNDS)) return mistake(run, e.pos, "this range is too long");
    Text out = {0};
    text_char(&out, '{');
    for (int k = 0; k < rounds; k++)
        text_printf(&out, "%s%.15g", k ? "," : "", start + k * step);
    text_char(&out, '}');
    ScriptValue value = script_symbol(run, text_get(&out));
    text_free(&out);
    return value;
}

static ScriptValue evaluate_if(Run *run, const ExprList *list) {
    uint32_t k = 0;
    while (k + 1 < list->count && !is_true(evaluate(run, list->item[k]))) k += 2;
    return evaluate(run, list->item[k + 1 < list->count ? k + 1 : k]);
}

static ScriptValue evaluate(Run *run, Expr e) {
    Text        out = {0};
    ScriptValue value;
    if (run->wrong) return script_nothing();
    switch (e.kind) {
    case EXPR_STRING:
        string_decode(&out, &run->job->session, e);
        value = script_text(run, text_get(&out));
        text_free(&out);
        return value;
    case EXPR_NAME: return evaluate_name(run, e);
    case EXPR_CALL: return evaluate_call(run, e);
    case EXPR_UNARY: return evaluate_unary(run, e);
    case EXPR_BINARY: return evaluate_binary(run, e);
    case EXPR_ARRAY: return evaluate_list(run, e.list);
    case EXPR_RANGE: return evaluate_range(run, e);
    case EXPR_IF: return evaluate_if(run, e.list);
    default: return as_written(run, e);
    }
}

/* ---- statements ---- */

static void show(Run *run, ScriptValue value) {
    if (value.text && !run->silent && !run->depth && !run->wrong)
        printf("%s\n", script_shown(run, value));
    fflush(stdout);
}

/* A statement calls functions of scripts only. */
static void do_call(Run *run, Expr e) {
    const Session *session = &run->job->session;
    const Name    *function = e.call->function;
    const char    *like, *name = name_of(session, function->part[0].name);
    if (function->count > 1 || !script_function(name, &like)) {
        Text text = {0};
        text_printf(&text, "there is no function '%s' here", name);
        if (like) text_printf(&text, "; did you mean '%s'?", like);
        mistake(run, e.pos, text_get(&text));
        text_free(&text);
        return;
    }
    show(run, evaluate(run, e));
}

static void do_for(Run *run, const Loop *loop) {
    const Iterator *iterator = &loop->iterators->item[0];
    Words           words = {0};
    ScriptValue     range = evaluate(run, iterator->range);
    if (!range.text) return;
    script_list(run->arena, range.text, &words);
    run->depth++;
    for (int k = 0; k < words.count && !run->ended && !run->wrong; k++) {
        set_variable(run, name_of(&run->job->session, iterator->name),
                     (ScriptValue){.text = words.item[k],
                                   .string = strchr(range.text, '"') != NULL});
        script_execute(run, loop->body->item, loop->body->count);
    }
    run->depth--;
}

static void do_if(Run *run, const Branches *branches) {
    run->depth++;
    for (uint32_t k = 0; k < branches->count; k++) {
        const Branch *b = &branches->item[k];
        if (b->condition.kind != EXPR_NONE && !is_true(evaluate(run, b->condition)))
            continue;
        script_execute(run, b->body->item, b->body->count);
        break;
    }
    run->depth--;
}

static void do_while(Run *run, const Branch *loop) {
    run->depth++;
    for (int k = 0; !run->ended && !run->wrong && is_true(evaluate(run, loop->condition));
         k++) {
        if (k == MOST_ROUNDS) mistake(run, loop->pos, "this loop does not end");
        script_execute(run, loop->body->item, loop->body->count);
    }
    run->depth--;
}

static void do_assign(Run *run, const Expr *side) {
    if (side[0].kind != EXPR_NAME || side[0].name->count != 1) {
        mistake(run, side[0].pos, "only a variable of the script can be assigned");
        return;
    }
    ScriptValue value = evaluate(run, side[1]);
    if (run->wrong) return;
    set_variable(run, name_of(&run->job->session, side[0].name->part[0].name), value);
    show(run, value);
}

void script_execute(Run *run, const Clause *const *clause, uint32_t count) {
    for (uint32_t k = 0; k < count && !run->ended && !run->wrong; k++) {
        const Clause *c = clause[k];
        switch (c->kind) {
        case CLAUSE_ASSIGN: do_assign(run, c->side); break;
        case CLAUSE_CALL: do_call(run, c->side[0]); break;
        case CLAUSE_FOR: do_for(run, c->loop); break;
        case CLAUSE_IF: do_if(run, c->branches); break;
        case CLAUSE_WHILE: do_while(run, &c->branches->item[0]); break;
        default: mistake(run, c->pos, "this statement is not known in scripts");
        }
    }
}
