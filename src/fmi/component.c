/* SPDX-License-Identifier: Apache-2.0 */
/* component.c -- a foreign unit as a Modelica class.
 *
 * The class is text: its parameters, inputs and outputs have the names, types, units and start values
 * of modelDescription.xml, and its equations call the functions of lib/Rubato/FMI. A name that is no
 * identifier is quoted; one that the class needs itself gets an underscore. Numbers of all types pass
 * as one vector of Real in the order of the description, with time in front, so that it is never empty.
 *
 * Co-Simulation: at each tick the unit steps from the last tick to this one with the inputs of the last
 * tick; so outputs belong to the time at which they are seen, and an input acts from the next step on. */
#define _POSIX_C_SOURCE 200809L
#include "fmi/guest.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

GuestRole guest_role(const GuestVariable *v) {
    if (v->alias || v->structural || v->type == GUEST_OTHER) return GUEST_HIDDEN;
    if (v->causality == FMU_PARAMETER && v->type == GUEST_STRING)
        return v->count == 1 && !v->dims ? GUEST_TEXT : GUEST_HIDDEN;
    if (v->type == GUEST_STRING) return GUEST_HIDDEN;
    return v->causality == FMU_PARAMETER ? GUEST_PARAMETER
           : v->causality == FMU_INPUT   ? GUEST_INPUT
           : v->causality == FMU_OUTPUT  ? GUEST_OUTPUT
                                         : GUEST_HIDDEN;
}

/* ---- pieces of text ---- */

typedef struct Writer {
    const GuestDescription *d;
    Text                   *out;
    GuestReserved          *reserved; /* of `owner`: is it a keyword? */
    const void             *owner;
} Writer;

static const char *type_name(const GuestVariable *v) {
    return v->type <= GUEST_FLOAT32   ? "Real"
           : v->type == GUEST_BOOLEAN ? "Boolean"
           : v->type == GUEST_STRING  ? "String"
                                      : "Integer";
}

static bool is_identifier(const Writer *w, const char *name) {
    if (!isalpha((unsigned char)*name) && *name != '_') return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return !w->reserved(w->owner, name);
}

static void write_escaped(Text *out, const char *text, char quote) {
    for (const char *c = text; *c; c++) {
        if (*c == quote || *c == '\\') text_char(out, '\\');
        if (*c == '\n') text_add(out, "\\n");
        else text_char(out, *c);
    }
}

static void write_name(Writer *w, const char *name) {
    static const char *const own[] = {"file", "interval", "time", "Rubato"};
    Text                    *out = w->out;
    if (is_identifier(w, name)) {
        text_add(out, name);
        for (int k = 0; k < LENGTH(own); k++)
            if (strcmp(name, own[k]) == 0) text_char(out, '_');
        return;
    }
    text_char(out, '\'');
    write_escaped(out, name, '\'');
    text_char(out, '\'');
}

/* [2,1] of element k, nothing of a scalar. */
static void write_subscripts(Text *out, const GuestVariable *v, int k) {
    int index[LENGTH(v->size)];
    for (int d = v->dims - 1; d >= 0; d--) {
        index[d] = k % v->size[d] + 1;
        k /= v->size[d];
    }
    for (int d = 0; d < v->dims; d++) text_printf(out, d ? ",%d" : "[%d", index[d]);
    if (v->dims) text_char(out, ']');
}

static void write_element(Writer *w, const GuestVariable *v, int k) {
    write_name(w, v->name);
    write_subscripts(w->out, v, k);
}

static void write_number(Text *out, const GuestVariable *v, const char *word) {
    char        *end;
    const double number = number_read(word, &end);
    if (v->type == GUEST_BOOLEAN)
        text_add(out,
                 strcmp(word, "true") == 0 || strcmp(word, "1") == 0 ? "true" : "false");
    else text_printf(out, v->type <= GUEST_FLOAT32 ? "%.17g" : "%.0f", number);
}

/* Start values are words with spaces between them, one for all elements or one for each. */
static bool read_words(const GuestVariable *v, Text *copy, const char **word) {
    int n = 0;
    text_add(copy, v->start);
    if (copy->failed) return false;
    for (char *rest = NULL, *at = strtok_r(copy->data, " \t\n", &rest); at;
         at = strtok_r(NULL, " \t\n", &rest)) {
        char *end;
        bool  good = v->type == GUEST_BOOLEAN || isfinite(number_read(at, &end));
        if (n == v->count || !good) return false;
        word[n++] = at;
    }
    for (int k = 1; n == 1 && k < v->count; k++) word[k] = word[0];
    return n == 1 || n == v->count;
}

/* {{1,2},{3,4}}: elements of the dimensions from d on. */
static void write_nested(Text *out, const GuestVariable *v, const char **word, int d,
                         int *k) {
    if (d == v->dims) {
        write_number(out, v, word[(*k)++]);
        return;
    }
    text_char(out, '{');
    for (int i = 0; i < v->size[d]; i++) {
        if (i) text_char(out, ',');
        write_nested(out, v, word, d + 1, k);
    }
    text_char(out, '}');
}

/* between, then the start value, if there is one that Modelica can say. */
static void write_start(Text *out, const char *between, const GuestVariable *v) {
    Text         copy = {0};
    const char **word =
        v->start && v->count ? mem_take((size_t)v->count, sizeof *word) : NULL;
    int k = 0;
    if (v->type == GUEST_STRING && v->start) {
        text_printf(out, "%s\"", between);
        write_escaped(out, v->start, '"');
        text_char(out, '"');
    } else if (word && read_words(v, &copy, word)) {
        text_add(out, between);
        write_nested(out, v, word, 0, &k);
    }
    text_free(&copy);
    mem_free(word);
}

/* ---- the class ---- */

static void write_declaration(Writer *w, const GuestVariable *v) {
    Text           *out = w->out;
    const GuestRole role = guest_role(v);
    const bool      parameter = role == GUEST_PARAMETER || role == GUEST_TEXT;
    text_add(out, "  ");
    if (parameter) text_printf(out, "parameter %s ", type_name(v));
    else
        text_printf(out, "Rubato.FMI.%s%s ", type_name(v),
                    role == GUEST_INPUT ? "Input" : "Output");
    write_name(w, v->name);
    for (int d = 0; d < v->dims; d++) text_printf(out, d ? ",%d" : "[%d", v->size[d]);
    if (v->dims) text_char(out, ']');
    Text attributes = {0};
    if (v->unit && *v->unit && v->type <= GUEST_FLOAT32) {
        text_printf(&attributes, "%sunit=\"", v->dims ? "each " : "");
        write_escaped(&attributes, v->unit, '"');
        text_char(&attributes, '"');
    }
    if (role == GUEST_INPUT)
        write_start(&attributes, attributes.length ? ", start=" : "start=", v);
    if (attributes.length) text_printf(out, "(%s)", text_get(&attributes));
    out->failed |= attributes.failed;
    text_free(&attributes);
    if (parameter) write_start(out, " = ", v);
    if (v->comment && *v->comment) {
        text_add(out, " \"");
        write_escaped(out, v->comment, '"');
        text_char(out, '"');
    }
    text_add(out, ";\n");
}

/* {first, all elements of variables of a role as Real}; texts as they are. */
static void write_vector(Writer *w, GuestRole role, const char *first) {
    Text *out = w->out;
    text_printf(out, "{%s", first);
    for (int i = 0; i < w->d->variables; i++) {
        const GuestVariable *v = &w->d->variable[i];
        for (int k = 0; guest_role(v) == role && k < v->count; k++) {
            text_add(out, v->type == GUEST_BOOLEAN ? ", if " : ", ");
            write_element(w, v, k);
            if (v->type == GUEST_BOOLEAN) text_add(out, " then 1 else 0");
        }
    }
    text_char(out, '}');
}

static int count_elements(const GuestDescription *d, GuestRole role) {
    int n = 1; /* time */
    for (int i = 0; i < d->variables; i++)
        if (guest_role(&d->variable[i]) == role) n += d->variable[i].count;
    return n;
}

/* Outputs out of the vector that the unit told: those of Real everywhere, the others at events. */
static void write_outputs(Writer *w, bool real) {
    Text *out = w->out;
    int   n = 1;
    for (int i = 0; i < w->d->variables; i++) {
        const GuestVariable *v = &w->d->variable[i];
        if (guest_role(v) != GUEST_OUTPUT) continue;
        for (int k = 0; k < v->count; k++) {
            n++;
            if ((v->type <= GUEST_FLOAT32) != real) continue;
            text_add(out, "    ");
            write_element(w, v, k);
            text_printf(out,
                        real                       ? " = 'the outputs'[%d];\n"
                        : v->type == GUEST_BOOLEAN ? " = 'the outputs'[%d] > 0.5;\n"
                                                   : " = integer('the outputs'[%d]);\n",
                        n);
        }
    }
}

static void write_stepped(Writer *w) {
    const int outputs = count_elements(w->d, GUEST_OUTPUT);
    text_printf(w->out, "  discrete Real 'the inputs'[%d], 'the outputs'[%d];\n",
                count_elements(w->d, GUEST_INPUT), outputs);
    text_add(w->out, "initial equation\n  'the inputs' = ");
    write_vector(w, GUEST_INPUT, "time");
    text_add(w->out, ";\n  'the outputs' = Rubato.FMI.begin('the unit', ");
    write_vector(w, GUEST_INPUT, "time");
    text_printf(w->out, ", %d);\n", outputs);
    write_outputs(w, false);
    text_printf(
        w->out,
        "equation\n  when sample(0, interval) then\n"
        "    'the outputs' = Rubato.FMI.step('the unit', time, pre('the inputs'), "
        "%d);\n    'the inputs' = ",
        outputs);
    write_vector(w, GUEST_INPUT, "time");
    text_add(w->out, ";\n");
    write_outputs(w, false);
    text_add(w->out, "  end when;\n");
    write_outputs(w, true);
}

static void write_unit(Writer *w, const char *path) {
    text_add(w->out, "protected\n  Rubato.FMI.Unit 'the unit' = Rubato.FMI.Unit(\"");
    write_escaped(w->out, path, '"');
    text_add(w->out, "\", \"");
    write_escaped(w->out, w->d->token, '"');
    text_add(w->out, "\", ");
    write_vector(w, GUEST_PARAMETER, "0");
    text_add(w->out, ", ");
    write_vector(w, GUEST_TEXT, "\"\"");
    text_add(w->out, ");\n");
}

static void write_class(Writer *w, const char *path, double step) {
    text_add(w->out, "block ");
    write_name(w, w->d->model);
    text_add(w->out, "\n  parameter String file annotation(Evaluate = true);\n"
                     "  parameter Real interval(unit = \"s\")");
    if (step > 0) text_printf(w->out, " = %.17g", step);
    text_add(w->out, ";\n");
    for (int i = 0; i < w->d->variables; i++)
        if (guest_role(&w->d->variable[i]) != GUEST_HIDDEN)
            write_declaration(w, &w->d->variable[i]);
    write_unit(w, path);
    write_stepped(w);
    text_add(w->out, "end ");
    write_name(w, w->d->model);
    text_add(w->out, ";\n");
}

bool guest_class(const char *path, GuestReserved *reserved, const void *owner, Text *text,
                 Text *why) {
    Guest *u = guest_open(path, GUEST_TEMPORARY, why);
    if (!u) return false;
    if (!u->d.steps.identifier) text_printf(why, "'%s' has no Co-Simulation", path);
    else write_class(&(Writer){&u->d, text, reserved, owner}, path, guest_info(u).step);
    guest_close(u);
    if (text->failed) text_add(why, "there is no memory");
    return !why->length;
}
