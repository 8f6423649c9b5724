/* SPDX-License-Identifier: Apache-2.0 */
/* experiment.c -- what to simulate: the annotation of the model and the options over it. */
#include "cli/experiment.h"
#include "inst/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INTERVALS = 500, DEPTH = 50 };

/* Numbers in the annotation are literals, perhaps with a sign. */
static bool literal_value(Expr expr, double *value) {
    switch (expr.kind) {
    case EXPR_INTEGER: *value = (double)expr.integer; return true;
    case EXPR_REAL: *value = expr.real; return true;
    case EXPR_UNARY:
        if (!literal_value(expr.arg[0], value)) return false;
        if (expr.op == OP_SUB) *value = -*value;
        return expr.op == OP_SUB || expr.op == OP_ADD;
    default: return false;
    }
}

static const Mod *find_mod(const Session *session, const Mods *mods, const char *name) {
    for (uint32_t i = 0; mods && i < mods->count; i++)
        if (mods->item[i].kind == MOD_VALUE &&
            strcmp(name_of(session, mods->item[i].name), name) == 0)
            return &mods->item[i];
    return NULL;
}

static bool annotated(const Session *session, const Mods *experiment, const char *name,
                      double *value) {
    const Mod *mod = find_mod(session, experiment, name);
    return mod && literal_value(mod->value, value);
}

static bool option_number(const char *name, const char *text, double *value) {
    char *end;
    if (!text) return false;
    *value = number_read(text, &end);
    if (*text && !*end && isfinite(*value)) return true;
    fprintf(stderr, "rubato: %s needs a number, not '%s'\n", name, text);
    *value = NAN;
    return true;
}

static int reject(const char *text) {
    fprintf(stderr, "rubato: %s\n", text);
    return EXIT_USAGE;
}

/* Numbers that make no sense: those of the options, or else those of the annotation. */
static int complain(Job *job, const Mods *given, bool option, const char *text) {
    if (option || !given || !given->count) return reject(text);
    diag_report(&job->session.diag, given->item[0].pos, CODE_R106, "%s", text);
    return EXIT_MODEL;
}

/* Of the class itself, else of the first class it extends that has one. */
static const Mods *find_experiment(const Job *job, const Cls *cls, int depth) {
    const Mods *annotation = cls->def ? cls->def->annotation : NULL;
    const Mod  *mod = find_mod(&job->session, annotation, "experiment");
    if (mod && mod->args) return mod->args;
    const Mods *found = NULL;
    for (int k = 0; k < cls->bases && depth < DEPTH && !found; k++)
        found = cls->base[k] ? find_experiment(job, cls->base[k], depth + 1) : NULL;
    return found;
}

int experiment_read(Job *job, Experiment *e) {
    const Options *o = &job->options;
    const Mods    *given = find_experiment(job, job->flat->root->cls, 0);
    double         intervals = 0, most = 0;
    *e = (Experiment){.stop = 1, .tolerance = 1e-6};
    annotated(&job->session, given, "StartTime", &e->start);
    if (!annotated(&job->session, given, "StopTime", &e->stop)) e->stop = e->start + 1;
    annotated(&job->session, given, "Interval", &e->interval);
    annotated(&job->session, given, "Tolerance", &e->tolerance);
    option_number("--start", o->start, &e->start);
    option_number("--stop", o->stop, &e->stop);
    option_number("--tolerance", o->tolerance, &e->tolerance);
    bool spaced = option_number("--interval", o->interval, &e->interval);
    if (option_number("--intervals", o->intervals, &intervals)) {
        if (!(intervals >= 1)) return reject("--intervals must be at least 1");
        e->interval = (e->stop - e->start) / intervals;
    } else if (!(e->interval > 0) && !(spaced && e->interval < 0)) {
        e->interval = (e->stop - e->start) / INTERVALS;
    }
    if (option_number("--max-steps", o->max_steps, &most)) {
        if (!(most >= 1 && most < 1e15)) return reject("--max-steps must be at least 1");
        e->most = (long)most;
    }
    if (isnan(e->start) || isnan(e->stop) || isnan(e->tolerance) || isnan(e->interval) ||
        isnan(intervals))
        return EXIT_USAGE;
    if (e->stop < e->start)
        return complain(job, given, o->start || o->stop,
                        "the stop time lies before the start time");
    if (!(e->tolerance > 0))
        return complain(job, given, o->tolerance, "the tolerance must be positive");
    if (e->interval < 0) return reject("the interval must be positive");
    return EXIT_DONE;
}
