/* SPDX-License-Identifier: Apache-2.0 */
/* called.c -- the functions that lib/Rubato/FMI calls: a foreign unit inside a model.
 *
 * They are external functions without a library: guest_function gives their addresses. None of them
 * fails by itself; what went wrong is kept for rubato_unit_complaint, and the class asserts.
 *
 * The model calls at one time as often as it likes (systems of equations, rounds of an event), a unit
 * goes forward only. So each call asks first whether the unit has done it already: begin starts a fresh
 * instance if the inputs are others than before, step does nothing if the unit is there. */
#include "fmi/guest.h"

#include <math.h>
#include <string.h>

typedef struct Called {
    Arena        arena; /* of what the constructor was given */
    const char  *path, *token;
    double      *value; /* of parameters */
    const char **text;
    Guest       *guest; /* NULL: not yet opened */
    bool         begun;
    double       time;  /* where it is */
    double      *given; /* inputs with which it has begun; NULL: not yet */
    Text         why;
} Called;

static void *unit_open(const char *path, const char *token, const double *value,
                       size_t values, const char **text, size_t texts) {
    Called *c = mem_take(1, sizeof *c);
    if (!c) return NULL;
    c->path = arena_string(&c->arena, path, strlen(path));
    c->token = arena_string(&c->arena, token, strlen(token));
    c->value = arena_copy(&c->arena, value, values * sizeof *value);
    c->text = arena_take(&c->arena, sizeof *c->text, texts);
    bool fine = c->path && c->token && c->value && c->text;
    for (size_t k = 0; fine && k < texts; k++) {
        c->text[k] = arena_string(&c->arena, text[k], strlen(text[k]));
        fine = c->text[k] != NULL;
    }
    if (!fine) text_add(&c->why, "there is no memory");
    return c;
}

static void unit_close(void *unit) {
    Called *c = unit;
    if (!c) return;
    guest_close(c->guest);
    text_free(&c->why);
    arena_free(&c->arena);
    mem_free(c);
}

static const char *unit_complaint(void *unit) {
    const Called *c = unit;
    return c && c->why.length ? text_get(&c->why) : "there is no memory for an FMU";
}

/* Keeps the first reason. */
static bool complain(Called *c, const char *what) {
    const char *words = c->guest ? guest_words(c->guest) : "";
    if (!c->why.length)
        text_printf(&c->why, "FMU '%s': %s%s%s", c->path, what, *words ? ": " : "",
                    words);
    return false;
}

/* ---- values ---- */

/* The numbers of all variables of a role, in their order, after time. */
static bool put_values(Called *c, GuestRole role, const double *value) {
    const GuestDescription *d = &c->guest->d;
    value++;
    for (int i = 0; i < d->variables; i++) {
        if (guest_role(&d->variable[i]) != role) continue;
        if (guest_set(c->guest, &d->variable[i], value) > FMI_WARNING)
            return complain(c, role == GUEST_INPUT ? "it refuses an input"
                                                   : "it refuses a parameter");
        value += d->variable[i].count;
    }
    return true;
}

static bool put_texts(Called *c) {
    const GuestDescription *d = &c->guest->d;
    for (int i = 0, n = 1; i < d->variables; i++)
        if (guest_role(&d->variable[i]) == GUEST_TEXT &&
            guest_set_text(c->guest, &d->variable[i], c->text[n++]) > FMI_WARNING)
            return complain(c, "it refuses a text");
    return true;
}

static bool get_outputs(Called *c, double *told) {
    const GuestDescription *d = &c->guest->d;
    *told++ = c->time;
    for (int i = 0; i < d->variables; i++) {
        if (guest_role(&d->variable[i]) != GUEST_OUTPUT) continue;
        if (guest_get(c->guest, &d->variable[i], told) > FMI_WARNING)
            return complain(c, "an output cannot be read");
        told += d->variable[i].count;
    }
    return true;
}

/* ---- calls ---- */

static bool open_guest(Called *c) {
    if (c->why.length) return false;
    if (c->guest) return true;
    c->guest = guest_open(c->path, GUEST_TEMPORARY, &c->why);
    if (!c->guest) return false;
    if (strcmp(c->guest->d.token, c->token) != 0)
        return complain(c, "it is another one than when the model was translated");
    Text why = {0};
    bool fine = guest_bind(c->guest, GUEST_STEPS, &why) || complain(c, text_get(&why));
    text_free(&why);
    return fine;
}

static bool start(Called *c, const double *given) {
    const double tolerance = c->guest->d.tolerance;
    guest_free_instance(c->guest);
    c->begun = false;
    c->time = given[0];
    if (guest_instantiate(c->guest) != FMI_OK)
        return complain(c, "it cannot be instantiated");
    if (!put_values(c, GUEST_PARAMETER, c->value) || !put_texts(c) ||
        !put_values(c, GUEST_INPUT, given))
        return false;
    if (guest_initialise(c->guest, given[0], NAN, tolerance) > FMI_WARNING)
        return complain(c, "it cannot be initialised");
    c->begun = true;
    return true;
}

static int unit_begin(void *unit, const double *given, size_t n, double *told, size_t m) {
    Called *c = unit;
    (void)m;
    if (!c || !open_guest(c)) return 0;
    if (!c->given) c->given = arena_take(&c->arena, sizeof *given, n);
    if (!c->given) return complain(c, "there is no memory");
    if (!c->begun || memcmp(c->given, given, n * sizeof *given) != 0) {
        memcpy(c->given, given, n * sizeof *given);
        if (!start(c, given)) return 0;
    }
    return get_outputs(c, told);
}

static bool advance(Called *c, double to, const double *given) {
    double reached;
    bool   terminate;
    if (!put_values(c, GUEST_INPUT, given)) return false;
    if (guest_step(c->guest, c->time, to - c->time, &reached, &terminate) > FMI_WARNING)
        return complain(c, "it cannot do the step");
    if (terminate) return complain(c, "it ended the simulation");
    c->time = to;
    return true;
}

static int unit_step(void *unit, double to, const double *given, size_t n, double *told,
                     size_t m) {
    Called *c = unit;
    (void)n, (void)m;
    if (!c || c->why.length) return 0;
    if (!c->begun) return complain(c, "it steps before it was initialised");
    return (to <= c->time || advance(c, to, given)) && get_outputs(c, told);
}

/* ---- their names ---- */

typedef void Any(void);

void *guest_function(const char *symbol) {
    static const struct {
        const char *name;
        Any        *at;
    } function[] = {{"rubato_unit_open", (Any *)unit_open},
                    {"rubato_unit_close", (Any *)unit_close},
                    {"rubato_unit_complaint", (Any *)unit_complaint},
                    {"rubato_unit_begin", (Any *)unit_begin},
                    {"rubato_unit_step", (Any *)unit_step}};
    for (int k = 0; k < LENGTH(function); k++)
        if (strcmp(symbol, function[k].name) == 0)
            return (void *)(uintptr_t)function[k].at;
    return NULL;
}
