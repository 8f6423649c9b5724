/* SPDX-License-Identifier: Apache-2.0 */
/* guest.c -- a unit that somebody else made: unpacked, described, given values, begun.
 *
 * Reading the archive and its description runs none of its code; guest_load does. */
#define _GNU_SOURCE
#include "fmi/guest.h"
#include "fmi/archive.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- opening ---- */

static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

void guest_close(Guest *u) {
    if (!u) return;
    guest_unbind(u);
    if (u->folder.length)
        nftw(text_get(&u->folder), remove_one, 16, FTW_DEPTH | FTW_PHYS);
    result_free(&u->given);
    guest_read_end(&u->d);
    TEXT_FREE(&u->folder, &u->said);
    MEM_FREE(u->input, u->column, u->element, u->nominal, u->buffer);
    mem_free(u);
}

static bool is_recorded(const GuestVariable *v) {
    return v->type < GUEST_STRING && v->causality != FMU_INDEPENDENT;
}

static bool find_columns(Guest *u) {
    int n = 0, most = 1;
    for (int k = 0; k < u->d.variables; k++) {
        const GuestVariable *v = &u->d.variable[k];
        if (is_recorded(v)) n += v->count;
        if (v->count > most) most = v->count;
    }
    u->column = mem_take((size_t)n, sizeof *u->column);
    u->element = mem_take((size_t)n, sizeof *u->element);
    u->most = most;
    u->buffer = mem_take((size_t)most, sizeof *u->buffer);
    if (!u->column || !u->element || !u->buffer) return false;
    for (int k = 0; k < u->d.variables; k++)
        for (int i = 0; is_recorded(&u->d.variable[k]) && i < u->d.variable[k].count;
             i++) {
            u->column[u->columns] = k;
            u->element[u->columns++] = i;
        }
    return true;
}

static bool find_input_list(Guest *u) {
    for (int k = 0; k < u->d.variables; k++)
        u->inputs +=
            u->d.variable[k].causality == FMU_INPUT && is_recorded(&u->d.variable[k]);
    u->input = mem_take((size_t)u->inputs, sizeof *u->input);
    if (!u->input) return false;
    for (int k = 0, n = 0; k < u->d.variables; k++)
        if (u->d.variable[k].causality == FMU_INPUT && is_recorded(&u->d.variable[k]))
            u->input[n++] = (GuestInput){.variable = k, .column = -1};
    return true;
}

Guest *guest_open(const char *path, const char *temporary, Text *why) {
    Guest *u = mem_take(1, sizeof *u);
    Text   reason = {0}, file = {0};
    if (!u) {
        text_add(why, "there is no memory");
        return NULL;
    }
    u->next = u->wanted = HUGE_VAL;
    text_printf(&u->folder, "%s/rubato-fmu-XXXXXX", temporary);
    if (u->folder.failed || !mkdtemp(u->folder.data)) {
        text_printf(&reason, "there is no folder to unpack it to: %s", strerror(errno));
        text_clear(&u->folder);
    } else if (archive_unpack(path, text_get(&u->folder), &reason)) {
        text_printf(&file, "%s/modelDescription.xml", text_get(&u->folder));
        if (guest_read(&u->d, text_get(&file), &reason) &&
            (!find_columns(u) || !find_input_list(u)))
            text_add(&reason, "there is no memory");
    }
    const bool fine = !reason.length;
    if (!fine) text_printf(why, "'%s' is not usable: %s", path, text_get(&reason));
    TEXT_FREE(&reason, &file);
    if (fine) return u;
    guest_close(u);
    return NULL;
}

GuestInfo guest_info(const Guest *u) {
    return (GuestInfo){.model = u->d.model,
                       .version = u->d.version,
                       .states = u->d.states,
                       .variables = u->d.variables,
                       .exchange = u->d.exchange.identifier != NULL,
                       .steps = u->d.steps.identifier != NULL,
                       .scheduled = u->d.scheduled.identifier != NULL,
                       .start = u->d.start,
                       .stop = u->d.stop,
                       .tolerance = u->d.tolerance,
                       .step = isnan(u->d.step) ? u->d.steps.step : u->d.step};
}

const char *guest_words(const Guest *u) {
    return text_get(&u->said);
}

static bool failed(const Guest *u, const char *what, Text *why) {
    text_printf(why, "%s%s%s", what, u->said.length ? ": " : "", text_get(&u->said));
    return false;
}

bool guest_load(Guest *u, GuestMode mode, Text *why) {
    if (!guest_bind(u, mode, why)) return false;
    return guest_instantiate(u) == FMI_OK ? true
                                          : failed(u, "it cannot be instantiated", why);
}

/* ---- columns ---- */

int guest_columns(const Guest *u) {
    return u->columns;
}

GuestColumn guest_column(const Guest *u, int column, Text *name) {
    const GuestVariable *v = &u->d.variable[u->column[column]];
    int                  rest = u->element[column], index[LENGTH(v->size)];
    text_add(name, v->name);
    for (int k = v->dims - 1; k >= 0; k--) {
        index[k] = rest % v->size[k] + 1;
        rest /= v->size[k];
    }
    for (int k = 0; k < v->dims; k++) text_printf(name, k ? ",%d" : "[%d", index[k]);
    if (v->dims) text_char(name, ']');
    return (GuestColumn){.unit = v->unit ? v->unit : "",
                         .comment = v->comment ? v->comment : "",
                         .constant = v->variability <= FMU_FIXED,
                         .whole = v->type > GUEST_FLOAT32};
}

/* Elements of an array are asked for once. */
Status guest_values(Guest *u, const Selection *which, double *y) {
    const int n = selection_count(which, u->columns);
    for (int k = 0, last = -1; k < n; k++) {
        const int column = selection_row(which, k), variable = u->column[column];
        if (variable != last &&
            guest_get(u, &u->d.variable[variable], u->buffer) > FMI_WARNING)
            return STATUS_FATAL;
        last = variable;
        y[k] = u->buffer[u->element[column]];
    }
    return STATUS_OK;
}

/* ---- values from outside ---- */

static const GuestVariable *by_name(const Guest *u, const char *name, int *element) {
    *element = -1;
    for (int k = 0; k < u->d.variables; k++)
        if (strcmp(u->d.variable[k].name, name) == 0) return &u->d.variable[k];
    Text text = {0};
    for (int k = 0; k < u->columns; k++) {
        text_clear(&text);
        guest_column(u, k, &text);
        if (strcmp(text_get(&text), name) != 0) continue;
        text_free(&text);
        *element = u->element[k];
        return &u->d.variable[u->column[k]];
    }
    text_free(&text);
    return NULL;
}

static bool read_value(const char *text, double *value) {
    char *end;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = *text == 't';
        return true;
    }
    *value = number_read(text, &end);
    return *text && !*end;
}

bool guest_give(Guest *u, const char *name, const char *value, Text *why) {
    int                  element;
    double               number;
    const GuestVariable *v = by_name(u, name, &element);
    if (!v) {
        text_printf(why, "the unit has no variable '%s'", name);
        return false;
    }
    if (v->type == GUEST_STRING)
        return guest_set_text(u, v, value) <= FMI_WARNING
                   ? true
                   : failed(u, "it is refused", why);
    if (!read_value(value, &number)) {
        text_printf(why, "'%s' is no number", value);
        return false;
    }
    if (element >= 0 && guest_get(u, v, u->buffer) > FMI_WARNING)
        return failed(u, "its other elements are not known", why);
    for (int i = 0; i < v->count; i++)
        if (element < 0 || i == element) u->buffer[i] = number;
    return guest_set(u, v, u->buffer) <= FMI_WARNING ? true
                                                     : failed(u, "it is refused", why);
}

bool guest_inputs(Guest *u, const char *path, Text *why) {
    const char *reason = "";
    if (!result_read(&u->given, path, &reason)) {
        text_printf(why, "'%s' cannot be read: %s", path, reason);
        return false;
    }
    u->has_given = u->given.points > 0;
    for (int k = 0; k < u->inputs; k++) {
        const GuestVariable *v = &u->d.variable[u->input[k].variable];
        if (v->count == 1) u->input[k].column = result_find(&u->given, v->name);
    }
    return true;
}

/* The value of an input at t: left or right of a jump there. What is no Float holds until the next
 * row, the others are straight between rows. */
static double input_value(const Guest *u, const GuestInput *in, double t, bool right) {
    const Result *g = &u->given;
    int           i = 0;
    while (i + 1 < g->points && (right ? g->time[i + 1] <= t : g->time[i + 1] < t)) i++;
    const double a = result_value(g, in->column, i);
    const bool   smooth = u->d.variable[in->variable].variability == FMU_CONTINUOUS;
    if (!smooth || i + 1 >= g->points || t <= g->time[i]) return a;
    const double b = result_value(g, in->column, i + 1), h = g->time[i + 1] - g->time[i];
    return h > 0 ? a + (b - a) * fmin(1, (t - g->time[i]) / h) : b;
}

bool guest_put_inputs(Guest *u, double t, bool right) {
    for (int k = 0; u->has_given && k < u->inputs; k++) {
        const GuestVariable *v = &u->d.variable[u->input[k].variable];
        if (u->input[k].column < 0 || (!right && v->variability != FMU_CONTINUOUS))
            continue;
        const double value = input_value(u, &u->input[k], t, right);
        if (guest_set(u, v, &value) > FMI_WARNING) return false;
    }
    return true;
}

/* The first jump of an input after t, HUGE_VAL if none. */
double guest_next_jump(const Guest *u, double t) {
    const Result *g = &u->given;
    for (int i = 1; u->has_given && i < g->points; i++) {
        if (g->time[i] <= t) continue;
        if (g->time[i] == g->time[i - 1]) return g->time[i];
        for (int k = 0; k < u->inputs; k++)
            if (u->input[k].column >= 0 &&
                u->d.variable[u->input[k].variable].variability != FMU_CONTINUOUS &&
                result_value(g, u->input[k].column, i) !=
                    result_value(g, u->input[k].column, i - 1))
                return g->time[i];
        if (i + 1 < g->points && g->time[i + 1] == g->time[i]) return g->time[i];
    }
    return HUGE_VAL;
}

bool guest_begin(Guest *u, double start, double stop, double tolerance, Text *why) {
    if (!guest_put_inputs(u, start, true))
        return failed(u, "its inputs are refused", why);
    if (guest_initialise(u, start, stop, tolerance) > FMI_WARNING)
        return failed(u, "it cannot be initialised", why);
    u->event_mode = u->mode == GUEST_EXCHANGE;
    return true;
}
