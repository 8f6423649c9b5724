/* SPDX-License-Identifier: Apache-2.0 */
/* case.c -- one case: its values, its run, what is kept of it. A case that fails is a record with its
 * reason and no values. */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Collect { /* what a run is asked for while it goes on */
    RbStudy       *study;
    const Variant *variant;
    double        *value;  /* by keep */
    double        *before; /* by keep: of KEEP_WHEN at the point before */
    double         last;   /* time of the point before */
    long           events;
    Text           courses;
    int64_t        points;
    double        *row; /* time and trajectories at a point */
} Collect;

/* Where it passed 0 on the line between two points. */
static void look_when(Collect *c, int k, double t, double now) {
    double *value = &c->value[k], before = c->before[k];
    c->before[k] = now;
    if (!isnan(*value) || !(now > 0)) return;
    bool crossed = isfinite(before) && before < 0 && t > c->last;
    *value = crossed ? c->last + (t - c->last) * (before / (before - now)) : t;
}

static void look_keeps(Collect *c, RbSimulation *s, double t) {
    const Keeps *keeps = &c->study->keeps;
    for (int k = 0; k < keeps->keeps; k++) {
        KeepKind kind = keeps->keep[k].kind;
        if (kind != KEEP_LEAST && kind != KEEP_MOST && kind != KEEP_WHEN) continue;
        double x = formula_value(c->variant->formula[k], s);
        if (kind == KEEP_WHEN) look_when(c, k, t, x);
        else if (kind == KEEP_LEAST) c->value[k] = fmin(c->value[k], x);
        else c->value[k] = fmax(c->value[k], x);
    }
}

static RbStatus on_point(void *owner, RbSimulation *s, double t) {
    Collect       *c = owner;
    const RbStudy *study = c->study;
    const int      courses = study->courses.count;
    /* the second point of an event; start and end have two as well */
    if (t == c->last && t > study->start && t < study->stop) {
        c->events++;
        for (int k = 0; k < study->keeps.keeps; k++)
            if (study->keeps.keep[k].kind == KEEP_EVENT &&
                study->keeps.keep[k].number == c->events)
                c->value[k] = t;
    }
    if (study->keeps.points) look_keeps(c, s, t);
    if (courses) {
        c->row[0] = t;
        rb_get_numbers(s, c->variant->course, courses, c->row + 1);
        text_bytes(&c->courses, (const char *)c->row,
                   sizeof(double) * ((size_t)courses + 1));
        c->points++;
    }
    c->last = t;
    return c->courses.failed ? RB_NO_MEMORY : RB_OK;
}

static bool on_asked(void *owner) {
    const Collect *c = owner;
    return atomic_load(&c->study->stop_asked);
}

static bool on_progress(void *owner, RbSimulation *s, double t) {
    (void)s, (void)t;
    return !on_asked(owner);
}

static void look_at(Collect *c, RbSimulation *s, KeepKind kind, double t) {
    const Keeps *keeps = &c->study->keeps;
    for (int k = 0; k < keeps->keeps; k++)
        if (keeps->keep[k].kind == kind && (kind == KEEP_END || keeps->keep[k].time == t))
            c->value[k] = formula_value(c->variant->formula[k], s);
}

RbStatus study_set(RbSimulation *s, const RbValue *set, int sets, RbError *error) {
    for (int k = 0; k < sets; k++) {
        char  *end;
        double value = number_read(set[k].value, &end);
        bool   truth = strcmp(set[k].value, "true") == 0;
        if (truth || strcmp(set[k].value, "false") == 0) value = truth;
        else if (end == set[k].value || *end) continue; /* translated with it */
        RbStatus status = rb_set(s, set[k].name, value, error);
        if (status != RB_OK && status != RB_TRANSLATE) return status;
    }
    return RB_OK;
}

static RbStatus set_values(const RbStudy *study, RbSimulation *s, long number,
                           RbError *error) {
    RbStatus status = study_set(s, study->set, study->sets, error);
    for (int k = 0; k < study->plan.factors && status == RB_OK; k++) {
        const Factor *f = &study->plan.factor[k];
        if (!f->shapes)
            status = rb_set(s, f->name, cases_value(&study->plan, number, k), error);
    }
    return status;
}

/* Kept values of moments in between are those of the solver there: steps end at them. */
static RbStatus run(Collect *c, RbSimulation *s, RbError *error) {
    const Keeps *keeps = &c->study->keeps;
    RbStatus     status = RB_OK;
    for (int k = 0; k < keeps->times && status == RB_OK; k++) {
        const double t = keeps->time[k];
        if (t > c->study->start) status = rb_step(s, t, error);
        else status = rb_initialise(s, error);
        if (status == RB_OK) look_at(c, s, KEEP_AT, t);
    }
    if (status == RB_OK && rb_time(s) < c->study->stop) status = rb_run(s, error);
    if (status == RB_OK || status == RB_END) look_at(c, s, KEEP_END, 0);
    return status;
}

static RbStatus simulate(Collect *c, long number, RbError *error) {
    const RbStudy *study = c->study;
    RbSimulation  *s = rb_simulation_new(c->variant->program, &study->options, error);
    if (!s) return error->status;
    bool points = study->keeps.points || study->keeps.events || study->courses.count;
    RbListener listener = {.point = points ? on_point : NULL,
                           .progress = on_progress,
                           .asked = on_asked,
                           .owner = c};
    RbStatus   status = set_values(study, s, number, error);
    rb_listen(s, &listener);
    if (status == RB_OK) status = run(c, s, error);
    rb_simulation_free(s);
    return status;
}

static void values_none(Collect *c) {
    for (int k = 0; k < c->study->keeps.keeps; k++) c->value[k] = c->before[k] = NAN;
    text_clear(&c->courses);
    c->points = 0;
    c->last = NAN;
}

static RbStatus collect(Collect *c, long number, RbError *error) {
    c->variant = study_variant(c->study, number);
    values_none(c);
    if (!c->variant->program)
        return error_set(error, RB_MODEL, "%s",
                         c->variant->why ? c->variant->why : "it cannot be translated");
    RbStatus status = simulate(c, number, error);
    for (int k = 0; k < c->study->keeps.keeps; k++)
        if (c->study->keeps.keep[k].kind == KEEP_EVENTS) c->value[k] = (double)c->events;
    if (status != RB_OK && status != RB_END) values_none(c);
    return status;
}

bool case_run(RbStudy *study, long number, Text *out) {
    const size_t keeps = (size_t)study->keeps.keeps + 1;
    Collect      c = {.study = study};
    RbError      error = {.status = RB_OK};
    double *room = mem_take(2 * keeps + (size_t)study->courses.count + 1, sizeof(double));
    if (!room) return false;
    c.value = room;
    c.before = room + keeps;
    c.row = room + 2 * keeps;
    RbStatus status = collect(&c, number, &error);
    bool     done = status != RB_STOPPED && status != RB_NO_MEMORY;
    if (done) {
        const char *words = status == RB_OK ? "" : error.text;
        RecordHead  head = {.number = number,
                            .status = (int32_t)status,
                            .words = (uint32_t)strlen(words),
                            .values = (uint32_t)study->keeps.keeps,
                            .points = c.points};
        record_pack(out, &head, c.value, &c.courses, words);
    }
    text_free(&c.courses);
    mem_free(room);
    return done && !out->failed;
}
