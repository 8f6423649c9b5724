/* SPDX-License-Identifier: Apache-2.0 */
/* script.c -- the text of a script as statements.
 *
 * A script consists of statements of the language, so the parser of the language reads it, as the
 * algorithm of a function: assignments, calls, if, for, while. Two things are more than that: a
 * statement may be an expression, whose value is printed, and the last semicolon may be missing. So
 * an expression becomes show(expression) before the text is parsed. Cost: linear. */
#include "cli/script.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* ---- words of the text ---- */

static const char *after_comment(const char *at) {
    if (at[1] == '/') return at + strcspn(at, "\n");
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

static const char *after_text(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

static bool is_comment(const char *at) {
    return at[0] == '/' && (at[1] == '/' || at[1] == '*');
}

static const char *skip_blanks(const char *at) {
    while (isspace((unsigned char)*at) || is_comment(at))
        at = is_comment(at) ? after_comment(at) : at + 1;
    return at;
}

/* The semicolon at the end of a statement, or the end of the text. */
static const char *end_of_statement(const char *at) {
    while (*at && *at != ';')
        at = *at == '"' ? after_text(at) : is_comment(at) ? after_comment(at) : at + 1;
    return at;
}

static size_t name_length(const char *at) {
    size_t n = 0;
    if (!isalpha((unsigned char)*at) && *at != '_') return 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.') n++;
    return n;
}

static bool is_keyword(const char *at, size_t n) {
    static const char *const words[] = {"if",  "elseif", "else",   "for",
                                        "end", "while",  "return", "break"};
    for (int k = 0; k < LENGTH(words); k++)
        if (strlen(words[k]) == n && strncmp(words[k], at, n) == 0) return true;
    return false;
}

/* Does an expression begin here whose value is to be shown? Not a call, an assignment, a loop. */
static bool is_expression(const char *at) {
    size_t n = name_length(at);
    if (!n) return *at && *at != ';' && *at != '(';
    if (is_keyword(at, n)) return false;
    const char *end = end_of_statement(at);
    for (const char *c = at; c < end;) {
        if (c[0] == ':' && c[1] == '=') return false;
        c = *c == '"' ? after_text(c) : is_comment(c) ? after_comment(c) : c + 1;
    }
    if (*skip_blanks(at + n) != '(') return true;
    int depth = 0; /* f(x) alone is a call; f(x) + 1 is an expression */
    for (const char *c = skip_blanks(at + n); c < end;) {
        depth += (*c == '(') - (*c == ')');
        c = *c == '"' ? after_text(c) : is_comment(c) ? after_comment(c) : c + 1;
        if (depth == 0) return skip_blanks(c) < end;
    }
    return false;
}

/* ---- the whole script ---- */

static void put_statements(Text *out, const char *at) {
    while (*at) {
        const char *begin = skip_blanks(at), *end = end_of_statement(begin);
        bool        shown = is_expression(begin);
        text_bytes(out, at, (size_t)(begin - at));
        if (shown) text_add(out, "show(");
        text_bytes(out, begin, (size_t)(end - begin));
        if (shown) text_add(out, ")");
        if (begin < end) text_add(out, ";"); /* an empty statement is left out */
        at = *end ? end + 1 : end;
    }
}

static bool read_whole(const char *path, Text *text) {
    FILE *file = fopen(path, "rb");
    char  part[4096];
    if (!file) return false;
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        text_bytes(text, part, n);
    bool fine = !ferror(file);
    fclose(file);
    return fine;
}

const Section *script_read(Run *run, const char *path) {
    static const Section none = {0};
    Text                 text = {0}, whole = {0};
    if (!read_whole(path, &text)) {
        fprintf(stderr, "rubato: cannot read '%s': %s\n", path, strerror(errno));
        text_free(&text);
        return NULL;
    }
    text_add(&whole, "function script algorithm ");
    put_statements(&whole, text_get(&text));
    text_add(&whole, "\nend script;");
    const StoredFile *file = parse_text(&run->job->session, path, text_get(&whole));
    text_free(&text);
    text_free(&whole);
    if (!file || !file->good || file->count != 1) return NULL;
    const Class *class_ = file->stored[0].class_;
    for (uint32_t s = 0; s < class_->count; s++)
        if (class_->section[s].kind == SECTION_ALGORITHM) return &class_->section[s];
    return &none;
}

/* ---- arguments ---- */

const char *script_argument(const ScriptCall *call, const char *name, int place,
                            const char *otherwise) {
    int unnamed = 0;
    for (int k = 0; k < call->arguments; k++) {
        const ScriptArgument *a = &call->argument[k];
        if (a->name ? name && strcmp(a->name, name) == 0 : unnamed++ == place)
            return a->value.text ? a->value.text : "";
    }
    return otherwise;
}

/* The end of an element: a comma at its own depth. */
static const char *end_of_element(const char *at) {
    int depth = 0;
    while (*at && !(depth == 0 && *at == ',')) {
        if (*at == '"') {
            at = after_text(at);
            continue;
        }
        depth += strchr("({[", *at) != NULL;
        depth -= strchr(")}]", *at) != NULL;
        at++;
    }
    return at;
}

void script_list(Arena *arena, const char *text, Words *words) {
    size_t      n = strlen(text);
    const char *at = text;
    if (n > 1 && *text == '{' && text[n - 1] == '}')
        at = arena_string(arena, text + 1, n - 2);
    while (*at) {
        const char *end = end_of_element(at), *from = at, *to = end;
        while (from < to && isspace((unsigned char)*from)) from++;
        while (to > from && isspace((unsigned char)to[-1])) to--;
        if (to - from > 1 && *from == '"') from++, to--;
        if (to > from)
            words_add(arena, words, arena_string(arena, from, (size_t)(to - from)));
        at = *end ? end + 1 : end;
    }
}
