/* SPDX-License-Identifier: Apache-2.0 */
/* script.c -- a Modelica script as a list of calls.
 *
 * Statements end with a semicolon; `//` and slash-star comments are skipped. An argument reaches to
 * the next comma outside of brackets and texts. */
#include "cli/script.h"

#include <ctype.h>
#include <string.h>

bool script_read(Script *script, const char *path) {
    FILE *file = fopen(path, "rb");
    Text  text = {0};
    char  part[4096];
    if (!file) return false;
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        text_bytes(&text, part, n);
    fclose(file);
    script->at = arena_string(script->arena, text_get(&text), text.length);
    script->line = 1;
    text_free(&text);
    return true;
}

static void skip(Script *s) {
    for (;;) {
        if (isspace((unsigned char)*s->at)) s->line += *s->at++ == '\n';
        else if (strncmp(s->at, "//", 2) == 0) s->at += strcspn(s->at, "\n");
        else if (strncmp(s->at, "/*", 2) == 0) {
            const char *end = strstr(s->at + 2, "*/");
            const char *stop = end ? end + 2 : s->at + strlen(s->at);
            for (; s->at < stop; s->at++) s->line += *s->at == '\n';
        } else return;
    }
}

/* Behind the text that begins here. */
static const char *end_of_text(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* The end of an expression: a comma, a closing bracket or a semicolon at its own depth. */
static const char *end_of_value(const char *at) {
    int depth = 0;
    while (*at) {
        if (*at == '"') {
            at = end_of_text(at);
            continue;
        }
        if (depth == 0 && strchr(",);", *at)) return at;
        if (strchr("({[", *at)) depth++;
        if (strchr(")}]", *at)) depth--;
        at++;
    }
    return at;
}

/* As written, without blanks around it; a text without its quotes. */
static const char *take_value(Script *s, const char *from, const char *to) {
    for (const char *c = from; c < to; c++) s->line += *c == '\n';
    while (from < to && isspace((unsigned char)*from)) from++;
    while (to > from && isspace((unsigned char)to[-1])) to--;
    if (to - from < 2 || *from != '"' || to[-1] != '"')
        return arena_string(s->arena, from, (size_t)(to - from));
    Text out = {0};
    for (const char *c = from + 1; c < to - 1; c++) {
        bool escaped = *c == '\\' && c + 1 < to - 1;
        if (escaped) c++;
        text_char(&out, escaped && *c == 'n' ? '\n' : escaped && *c == 't' ? '\t' : *c);
    }
    const char *copy = arena_string(s->arena, text_get(&out), out.length);
    text_free(&out);
    return copy;
}

static size_t name_length(const char *at) {
    size_t n = 0;
    if (!isalpha((unsigned char)*at) && *at != '_') return 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.') n++;
    return n;
}

static void take_argument(Script *s, ScriptCall *call) {
    ScriptArgument argument = {0};
    skip(s);
    size_t      n = name_length(s->at);
    const char *sign = s->at + n + strspn(s->at + n, " \t\n");
    if (n && *sign == '=' && sign[1] != '=') {
        argument.name = arena_string(s->arena, s->at, n);
        s->at = sign + 1;
    }
    const char *end = end_of_value(s->at);
    argument.value = take_value(s, s->at, end);
    s->at = end;
    call->argument = arena_grow(s->arena, call->argument, sizeof argument, &call->room,
                                call->arguments + 1);
    call->argument[call->arguments++] = argument;
}

static void take_arguments(Script *s, ScriptCall *call) {
    skip(s);
    while (*s->at && *s->at != ')') {
        take_argument(s, call);
        if (*s->at == ',') s->at++;
        else if (*s->at != ')') break;
        skip(s);
    }
    if (*s->at == ')') s->at++;
    else s->wrong = "a closing ')' is missing";
}

static void end_statement(Script *s) {
    skip(s);
    if (*s->at == ';') s->at++;
    else if (*s->at && !s->wrong) s->wrong = "a ';' is missing between statements";
}

bool script_next(Script *s, ScriptCall *call) {
    *call = (ScriptCall){0};
    do skip(s);
    while (*s->at == ';' && s->at++);
    if (!*s->at || s->wrong) return false;
    call->line = s->line;
    size_t n = name_length(s->at);
    if (n && strncmp(s->at + n + strspn(s->at + n, " \t"), ":=", 2) == 0) {
        call->assigned = arena_string(s->arena, s->at, n);
        s->at = strstr(s->at, ":=") + 2;
        skip(s);
        n = name_length(s->at);
    }
    const char *open = s->at + n + strspn(s->at + n, " \t");
    if (n && *open == '(') {
        call->function = arena_string(s->arena, s->at, n);
        s->at = open + 1;
        take_arguments(s, call);
    } else {
        const char *end = end_of_value(s->at);
        call->literal = take_value(s, s->at, end);
        s->at = end;
    }
    end_statement(s);
    return !s->wrong;
}

const char *script_argument(const ScriptCall *call, const char *name, int place,
                            const char *otherwise) {
    int unnamed = 0;
    for (int k = 0; k < call->arguments; k++) {
        const ScriptArgument *a = &call->argument[k];
        if (a->name ? name && strcmp(a->name, name) == 0 : unnamed++ == place)
            return a->value;
    }
    return otherwise;
}

void script_list(Arena *arena, const char *text, Words *words) {
    Script s = {.arena = arena, .at = text};
    size_t n = strlen(text);
    if (*text == '{' && text[n - 1] == '}') s.at = arena_string(arena, text + 1, n - 2);
    while (*s.at) {
        const char *end = end_of_value(s.at);
        words_add(arena, words, take_value(&s, s.at, end));
        s.at = *end ? end + 1 : end;
    }
}
