/* SPDX-License-Identifier: Apache-2.0 */
/* lint.c -- the table of rules, their switches, and the classes of a file. */
#include "lint/linter.h"

#include <string.h>

static const struct {
    const char *name;
    Code        code;
} table[] = {
#define RULE(id, code, name) {name, CODE_##code},
#include "lint/rules.def"
#undef RULE
};

const char *lint_name(int rule) {
    return table[rule].name;
}

Code lint_code(int rule) {
    return table[rule].code;
}

bool lint_is_on(const Linter *l, LintRule rule) {
    return !l->rules->off[rule];
}

void lint_say(const Linter *l, LintRule rule, Pos pos, const char *format, ...) {
    Text    text = {0};
    va_list args;
    if (!lint_is_on(l, rule)) return;
    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    diag_add(&l->front->session->diag, pos, table[rule].code, "%s", text_get(&text));
    text_free(&text);
}

/* ---- switches ---- */

static int rule_named(const char *word, size_t n) {
    for (int k = 0; k < LINT_COUNT; k++)
        if (text_is(table[k].name, word, n) ||
            text_is(code_info(table[k].code)->id, word, n))
            return k;
    return -1;
}

bool lint_choose(LintRules *rules, const char *text, Text *wrong) {
    if (*text && *text != '-')
        for (int k = 0; k < LINT_COUNT; k++) rules->off[k] = true;
    while (*text) {
        size_t n = strcspn(text, ",");
        bool   minus = *text == '-';
        int    rule = rule_named(text + minus, n - minus);
        if (rule < 0) {
            text_bytes(wrong, text + minus, n - minus);
            return false;
        }
        rules->off[rule] = minus;
        text += n + (text[n] == ',');
    }
    return true;
}

/* ---- types ---- */

Basic lint_basic(const Linter *l, const NameUse *use) {
    Meaning m = resolve_use(l->front, l->file, use);
    return m.kind == MEANS_COMPONENT && m.cls ? (Basic)m.cls->basic : BASIC_BAD;
}

/* ---- classes ---- */

static void one_class(const Linter *l, const Class *class_, const ClassScope *around) {
    if (class_->form != FORM_LONG && class_->form != FORM_EXTENDS) return;
    ClassScope in = {around, class_};
    lint_names(l, class_, &in);
    lint_words(l, class_, &in);
    lint_sense(l, class_, &in);
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t k = 0; section->kind <= SECTION_PROTECTED && k < section->count;
             k++)
            if (section->element[k]->kind == ELEMENT_CLASS)
                one_class(l, section->element[k]->class_, &in);
    }
}

void lint_file(Front *front, const StoredFile *file, const LintRules *rules) {
    Linter l = {.front = front, .file = file, .rules = rules};
    for (uint32_t i = 0; i < file->count; i++)
        one_class(&l, file->stored[i].class_, NULL);
}
