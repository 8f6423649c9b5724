/* SPDX-License-Identifier: Apache-2.0 */
/* flat.h -- for tests: scalar flat models from text, e.g. flat_equation(&m, "C*der(v) = i").
 *
 * Expressions have + - * / ^, comparisons, and, or, not, if then else, numbers, time, calls of
 * the built-in functions, der(x), pre(x). Unknown names are a failed test. */
#ifndef RUBATO_FLAT_H
#define RUBATO_FLAT_H

#include "dae/dae.h"
#include "unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Flat {
    Strings     strings;
    Shapes      shapes;
    System      sys;
    Sources     sources;
    Diag        diag;
    Row         row;
    Str        *name; /* by owner */
    int        *run;  /* by owner */
    int         names;
    const char *at; /* of the text being read */
} Flat;

static int flat_name(const void *names, int owner, Text *out, int *size) {
    const Flat *m = names;
    text_add(out, str_text(&m->strings, m->name[owner]));
    *size = m->sys.run[m->run[owner]].count;
    if (*size <= 1) return 0;
    text_printf(out, "[%c]", NAME_SUBSCRIPT);
    return 1;
}

static inline void flat_begin(Flat *m) {
    *m = (Flat){0};
    strings_init(&m->strings);
    shapes_init(&m->shapes, &m->strings);
    system_init(&m->sys, &m->shapes);
    sources_init(&m->sources);
    diag_init(&m->diag, &m->sources);
    m->sys.name_pattern = flat_name;
    m->sys.names = m;
}

static inline void flat_end(Flat *m) {
    row_free(&m->row);
    system_free(&m->sys);
    shapes_free(&m->shapes);
    strings_free(&m->strings);
    diag_free(&m->diag);
    sources_free(&m->sources);
    free(m->name);
    free(m->run);
}

/* An array of count variables; returns the run. */
static inline int flat_array(Flat *m, VarKind kind, Type type, const char *name,
                             int count) {
    m->name = realloc(m->name, (size_t)(m->names + 1) * sizeof *m->name);
    m->run = realloc(m->run, (size_t)(m->names + 1) * sizeof *m->run);
    m->name[m->names] = str_of(&m->strings, name);
    m->run[m->names] = system_run(&m->sys, kind, type, count, m->names, 0);
    return m->run[m->names++];
}

static inline int flat_first(Flat *m, const char *name, int count) {
    int run = flat_array(m, VAR_CONTINUOUS, TYPE_REAL, name, count);
    return m->sys.run[run].first;
}

/* "x y z": several Real variables. */
static inline void flat_reals(Flat *m, const char *names) {
    char text[400], *save = text;
    snprintf(text, sizeof text, "%s", names);
    for (char *word = strtok(save, " "); word; word = strtok(NULL, " "))
        flat_array(m, VAR_CONTINUOUS, TYPE_REAL, word, 1);
}

static inline int flat_parameter(Flat *m, const char *name, double value) {
    int run = flat_array(m, VAR_PARAMETER, TYPE_REAL, name, 1);
    system_value(&m->sys, run, ATTR_BINDING, value);
    return run;
}

static inline int flat_run(const Flat *m, const char *name, size_t length) {
    Str str = str_find(&m->strings, name, length);
    for (int i = 0; i < m->names; i++)
        if (str && m->name[i] == str) return m->run[i];
    print_message("no variable '%.*s'\n", (int)length, name);
    fail();
    return -1;
}

/* "x", "x[3]", "der(x)", "der(der(x))". */
static inline int flat_var(Flat *m, const char *name) {
    size_t n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '.' || name[n] == '_') n++;
    if (name[n] == '(' && !strncmp(name, "der", 3))
        return system_der(&m->sys, flat_var(m, name + 4));
    if (name[n] == '(' && !strncmp(name, "pre", 3))
        return system_pre(&m->sys, flat_var(m, name + 4));
    int first = m->sys.run[flat_run(m, name, n)].first;
    return name[n] == '[' ? first + atoi(name + n + 1) - 1 : first;
}

/* ---- expressions ------------------------------------------------------------------------ */

static Term flat_expr(Flat *m);

static inline bool flat_take(Flat *m, const char *word) {
    size_t n = strlen(word);
    while (*m->at == ' ') m->at++;
    if (strncmp(m->at, word, n)) return false;
    if (isalpha((unsigned char)word[0]) && (isalnum((unsigned char)m->at[n])))
        return false;
    m->at += n;
    return true;
}

static inline Term flat_primary(Flat *m) {
    while (*m->at == ' ') m->at++;
    if (flat_take(m, "(")) {
        Term e = flat_expr(m);
        assert_true(flat_take(m, ")"));
        return e;
    }
    if (isdigit((unsigned char)*m->at)) {
        char  *end;
        double value = strtod(m->at, &end);
        m->at = end;
        return expr_real(&m->shapes, value);
    }
    if (flat_take(m, "time")) return expr_time(&m->shapes);
    if (flat_take(m, "initial()")) return expr_make(&m->shapes, TERM_INITIAL, NULL, 0);
    size_t n = 0;
    while (isalnum((unsigned char)m->at[n]) || m->at[n] == '.' || m->at[n] == '_') n++;
    const char *word = m->at;
    if (word[n] == '(' && strncmp(word, "der(", 4) && strncmp(word, "pre(", 4)) {
        Term args[8];
        int  count = 0;
        m->at += n + 1;
        do args[count++] = flat_expr(m);
        while (flat_take(m, ","));
        assert_true(flat_take(m, ")"));
        for (int op = TERM_ABS; op < TERM_COUNT; op++)
            if (strlen(term_info[op].text) == n && !strncmp(term_info[op].text, word, n))
                return expr_make(&m->shapes, (TermOp)op, args, count);
        fail();
    }
    int var = flat_var(m, word);
    for (int depth = 0;; m->at++) { /* past the reference */
        if (*m->at == '(' || *m->at == '[') depth++;
        if (*m->at == ')' || *m->at == ']') {
            if (!depth) break;
            depth--;
            continue;
        }
        if (!depth && !isalnum((unsigned char)*m->at) && *m->at != '.' && *m->at != '_' &&
            *m->at != '(' && *m->at != '[')
            break;
    }
    return row_var(&m->row, var, NULL);
}

static inline Term flat_power(Flat *m) {
    Term e = flat_primary(m);
    if (flat_take(m, "^")) e = expr_2(&m->shapes, TERM_POW, e, flat_primary(m));
    return e;
}

static inline Term flat_product(Flat *m) {
    Term e = flat_power(m);
    for (;;) {
        if (flat_take(m, "*")) e = expr_2(&m->shapes, TERM_MUL, e, flat_power(m));
        else if (flat_take(m, "/")) e = expr_2(&m->shapes, TERM_DIV, e, flat_power(m));
        else return e;
    }
}

static inline Term flat_sum(Flat *m) {
    bool minus = flat_take(m, "-");
    Term e = flat_product(m);
    if (minus) e = expr_1(&m->shapes, TERM_NEG, e);
    for (;;) {
        if (flat_take(m, "+")) e = expr_2(&m->shapes, TERM_ADD, e, flat_product(m));
        else if (flat_take(m, "-")) e = expr_sub(&m->shapes, e, flat_product(m));
        else return e;
    }
}

static inline Term flat_relation(Flat *m) {
    static const TermOp op[] = {TERM_LESS_EQUAL, TERM_GREATER_EQUAL, TERM_LESS,
                                TERM_GREATER};
    if (flat_take(m, "not")) return expr_1(&m->shapes, TERM_NOT, flat_relation(m));
    Term e = flat_sum(m);
    for (int i = 0; i < LENGTH(op); i++)
        if (flat_take(m, term_info[op[i]].text))
            return expr_2(&m->shapes, op[i], e, flat_sum(m));
    return e;
}

static Term flat_expr(Flat *m) {
    if (flat_take(m, "if") || flat_take(m, "when")) {
        bool when = m->at[-1] == 'n';
        Term c = flat_expr(m);
        assert_true(flat_take(m, "then"));
        Term a = flat_expr(m);
        assert_true(flat_take(m, "else"));
        Term b = flat_expr(m);
        return expr_3(&m->shapes, when ? TERM_WHEN : TERM_IF, c, a, b);
    }
    Term e = flat_relation(m);
    for (;;) {
        if (flat_take(m, "and")) e = expr_2(&m->shapes, TERM_AND, e, flat_relation(m));
        else if (flat_take(m, "or")) e = expr_2(&m->shapes, TERM_OR, e, flat_relation(m));
        else return e;
    }
}

static inline void flat_row(Flat *m, RowSet set, int flags, const char *text) {
    row_begin(&m->row, &m->sys, 0, NULL);
    m->at = text;
    Term left = flat_expr(m);
    assert_true(flat_take(m, "="));
    Term right = flat_expr(m);
    assert_int_equal(*m->at, 0);
    row_end(&m->row, set, expr_2(&m->shapes, TERM_EQUATION, left, right), flags, 0, 0);
}

static inline void flat_equation(Flat *m, const char *text) {
    flat_row(m, ROWS_EQUATION, 0, text);
}

#endif
