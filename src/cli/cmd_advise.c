/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_advise.c -- rubato advise: which states are worth being infinitely fast, and what it gains.
 *
 * A run with an L-stable method is looked at in SAMPLES places. Its steps there tell how fast the
 * motion of interest is; a state that belongs to damped modes far faster than these steps
 * (rb_fast_parts) in most places and to none that grows is a candidate: it follows the others, and
 * nobody sees how.
 *
 * Whether it pays is not estimated but tried: the model is translated again with --theta on the
 * candidates, and both run with the same options. If that cannot be translated or fails, or if results
 * outside of fast transients differ by more than WITHIN, the slowest candidate is dropped, and it is
 * tried again: what a faster one does wrong is most often due to a slower one. If nothing is left, it
 * begins anew with all of them, and the one is dropped that differs most.
 *
 * A model may differentiate more variables than it has states, as the voltages inside of a transistor
 * beside those of its capacitors. With the states infinitely fast others would become states in their
 * place: these are parts of the same process and get a THETA, too. */
#include "cli/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 40,       /* places where motions are looked at */
    POINTS = 200,       /* intervals between points that are compared */
    WHILE_STEPS = 50000 /* steps after which a run has been looked at long enough */
};
static const double far_below = 10; /* steps over the time constant of a fast mode */
static const double belongs = 0.6;  /* share of a state in fast modes */
static const double mostly = 0.8;   /* of the places */
static const double settled = 10;   /* time constants after which a transient has ended */
static const double within = 1e-3;  /* of the largest value: the same result */
static const double worth_it = 0.95; /* of the steps or of the time: a gain */

typedef struct Candidate {
    int    variable; /* state of the model as it is */
    int    fast;     /* places where it is fast and damped */
    bool   grows;    /* fast, but not damped, somewhere */
    double slowest;  /* 1/s, of its fast modes */
    double step;     /* the mean step where this was */
} Candidate;

typedef struct Course { /* the states of the model as it is, at POINTS + 1 times */
    double  start, stop;
    int     states;
    int    *number;      /* by state: in the program that runs, -1 if unknown there */
    double *value;       /* by point, then by state; NAN: not reached */
    double *since;       /* by point: time of the last event */
    double  last, event; /* times of the last point and of the last event */
    long    steps, rejected;
    double  seconds;
} Course;

typedef struct Advice {
    Show       show;
    Candidate *candidate; /* by state */
    int       *chosen;    /* states, the fastest first */
    int        choices;
    Text   besides; /* variables that would be states in the place of the chosen ones */
    bool   by_difference; /* the next one to be dropped is the one that differs most */
    Course plain, fast;
    double least; /* of a largest value: the integrator resolves nothing below */
    double slow_difference, fast_difference;
    int    slow_worst, fast_worst; /* states, -1: none */
    Text   why;                    /* the last trial failed */
} Advice;

/* ---- the motions ---- */

static int states_of(const Advice *a) {
    return rb_info(a->show.program).states;
}

static void note_sample(Advice *a, const RbFastPart *part, double step) {
    for (int k = 0; k < states_of(a); k++) {
        Candidate *c = &a->candidate[k];
        c->variable = part[k].variable;
        if (part[k].share < belongs) continue;
        if (!part[k].damped) c->grows = true;
        c->fast++;
        if (part[k].slowest >= c->slowest) continue;
        c->slowest = part[k].slowest;
        c->step = step;
    }
}

/* One part of the run and the motions at its end; *steps: of all so far. */
static RbStatus sample(Advice *a, RbSimulation *s, double to, long *steps,
                       RbFastPart *part, RbError *error) {
    double   from = rb_time(s);
    RbStatus status = rb_step(s, to, error);
    if (status != RB_OK) return status;
    long   all = count_of(rb_statistics(s), "steps_accepted");
    double step = (rb_time(s) - from) / (double)(all > *steps ? all - *steps : 1);
    *steps = all;
    if (!(step > 0)) return RB_OK;
    status = rb_fast_parts(s, far_below / step, part, error);
    if (status == RB_OK) note_sample(a, part, step);
    return status;
}

/* Samples that were taken, and where the last one is; 0 after a message. */
static int look(Advice *a, double *until) {
    RbError   error = {.status = RB_OK};
    RbOptions options = a->show.options;
    int       taken = 0;
    long      steps = 0;
    if (!options.method && !options.solver) options.method = "radauIIA5";
    options.interval = -1;
    RbSimulation *s = rb_simulation_new(a->show.program, &options, &error);
    RbFastPart   *part = NEW(&a->show.job->arena, RbFastPart, states_of(a) + 1);
    RbStatus      status = s ? rb_initialise(s, &error) : error.status;
    double        span = a->show.stop - a->show.start;
    for (; status == RB_OK && taken < SAMPLES && steps < WHILE_STEPS; taken++)
        status = sample(a, s, a->show.start + span * (taken + 1) / SAMPLES, &steps, part,
                        &error);
    if (s) *until = rb_time(s);
    if (status == RB_END) taken = taken > 1 ? taken - 1 : 0;
    else if (status != RB_OK) taken = 0;
    if (!taken) fprintf(stderr, "rubato: %s\n", error.text);
    rb_simulation_free(s);
    return taken;
}

static int by_rate(const void *x, const void *y) {
    const Candidate *a = *(Candidate *const *)x, *b = *(Candidate *const *)y;
    return a->slowest > b->slowest ? -1 : a->slowest < b->slowest;
}

/* Does the text of the model differentiate a state, or something equal to it? */
static bool can_be_named(const Advice *a, int variable) {
    int  n = rb_info(a->show.program).variables;
    char name[2];
    for (int v = 0; v < n; v++) {
        RbVariable info = rb_variable(a->show.program, v, name, 0);
        if (info.differentiated && info.equal == variable) return true;
    }
    return false;
}

static void choose(Advice *a, int samples) {
    int         n = states_of(a);
    Candidate **order = NEW(&a->show.job->arena, Candidate *, n + 1);
    a->chosen = NEW(&a->show.job->arena, int, n + 1);
    for (int k = 0; k < n; k++) {
        Candidate *c = &a->candidate[k];
        if (!c->grows && c->fast >= mostly * samples && can_be_named(a, c->variable))
            order[a->choices++] = c;
    }
    if (a->choices) qsort(order, (size_t)a->choices, sizeof *order, by_rate);
    for (int k = 0; k < a->choices; k++) a->chosen[k] = (int)(order[k] - a->candidate);
}

/* ---- names ---- */

static const char *state_name(const Advice *a, int variable) {
    char buffer[400];
    rb_variable(a->show.program, variable, buffer, sizeof buffer);
    return arena_printf(&a->show.job->arena, "%s", buffer);
}

/* What --theta takes for the chosen states: all that is differentiated and equal to one of them. */
static const char *names(Advice *a) {
    Text        out = {0};
    char        name[400];
    const char *given = a->show.job->options.theta;
    int         n = rb_info(a->show.program).variables;
    if (given) text_add(&out, given);
    for (int k = 0; k < a->choices; k++)
        for (int v = 0; v < n; v++) {
            RbVariable info = rb_variable(a->show.program, v, name, sizeof name);
            if (!info.differentiated || info.equal != a->candidate[a->chosen[k]].variable)
                continue;
            text_printf(&out, "%s%s", out.length ? "," : "", name);
        }
    if (a->besides.length) text_printf(&out, ",%s", text_get(&a->besides));
    const char *all = arena_printf(&a->show.job->arena, "%s", text_get(&out));
    text_free(&out);
    return all;
}

/* ---- the trial ---- */

static RbStatus on_point(void *owner, RbSimulation *s, double t) {
    Course *c = owner;
    double  share = (t - c->start) / (c->stop - c->start) * POINTS;
    int     at = (int)floor(share + 0.5);
    bool    after = t == c->last; /* the second point of an event */
    if (after) c->event = t;
    c->last = t;
    if (fabs(share - at) > 1e-6 || at < 0 || at > POINTS || after) return RB_OK;
    rb_get_numbers(s, c->number, c->states, c->value + (size_t)at * (size_t)c->states);
    c->since[at] = c->event;
    return RB_OK;
}

static double seconds_of(const char *statistics) {
    const char *at = strstr(statistics, "\"time_simulate\":");
    return at ? strtod(at + strlen("\"time_simulate\":"), NULL) : 0;
}

static void open_course(Advice *a, Course *c, const RbProgram *program) {
    Arena *arena = &a->show.job->arena;
    int    n = states_of(a);
    char   name[400];
    *c = (Course){a->show.start, a->show.stop,  n,  NULL, NULL,    NULL,
                  NAN,           a->show.start, -1, 0,    HUGE_VAL};
    c->number = NEW(arena, int, n + 1);
    c->value = NEW(arena, double, (size_t)(n + 1) * (POINTS + 1));
    c->since = NEW(arena, double, POINTS + 1);
    for (size_t k = 0; k < (size_t)n * (POINTS + 1); k++) c->value[k] = NAN;
    for (int k = 0; k < n; k++) {
        rb_variable(a->show.program, a->candidate[k].variable, name, sizeof name);
        c->number[k] = rb_find(program, name);
    }
}

/* At least twice, so that the first one has warmed up what both need, and short runs often enough for a time that means
 * something. */
static bool follow(Advice *a, Course *c, RbProgram *program) {
    enum { RUNS = 2, MOST_RUNS = 20 };
    const double enough = 0.05; /* s */
    double       spent = 0;
    RbError      error;
    RbStatus     status = RB_OK;
    RbOptions    options = a->show.options;
    RbListener   listener = {.point = on_point, .owner = c};
    open_course(a, c, program);
    options.given_stop = options.given_tier = true; /* the same kind of code for both */
    options.stop = a->show.stop;
    options.interval = (c->stop - c->start) / POINTS;
    for (int run = 0; run < RUNS || (run < MOST_RUNS && spent < enough); run++) {
        RbSimulation *s = rb_simulation_new(program, &options, &error);
        if (!s) break;
        c->last = NAN;
        c->event = c->start;
        rb_listen(s, &listener);
        status = rb_run(s, &error);
        const char *statistics = rb_statistics(s);
        c->steps = count_of(statistics, "steps_accepted");
        c->rejected = count_of(statistics, "steps_rejected");
        c->seconds = fmin(c->seconds, seconds_of(statistics));
        spent += seconds_of(statistics);
        rb_simulation_free(s);
        if (status != RB_OK && status != RB_END) break;
    }
    bool fine = c->steps >= 0 && (status == RB_OK || status == RB_END);
    if (!fine) text_printf(&a->why, "%.200s", error.text);
    return fine;
}

static bool is_chosen(const Advice *a, int state) {
    for (int k = 0; k < a->choices; k++)
        if (a->chosen[k] == state) return true;
    return false;
}

/* Largest difference of a state outside of fast transients, over its largest value, but at least what
 * the tolerance resolves; NAN: there is hardly a point outside. */
static double difference(const Advice *a, int state) {
    const Course *p = &a->plain, *f = &a->fast;
    double        largest = a->least, most = 0, pause = 0;
    int           compared = 0;
    for (int k = 0; k < a->choices; k++)
        pause = fmax(pause, settled / a->candidate[a->chosen[k]].slowest);
    for (int i = 0; i <= POINTS; i++) {
        size_t at = (size_t)i * (size_t)p->states + (size_t)state;
        double t = p->start + (p->stop - p->start) * i / POINTS;
        if (isnan(p->value[at]) || isnan(f->value[at])) continue;
        largest = fmax(largest, fabs(p->value[at]));
        if (t - p->since[i] < pause || t - f->since[i] < pause) continue;
        most = fmax(most, fabs(p->value[at] - f->value[at]));
        compared++;
    }
    if (compared < POINTS / 2) return NAN;
    return most / largest;
}

static bool differences_fit(Advice *a) {
    a->slow_difference = a->fast_difference = 0;
    a->slow_worst = a->fast_worst = -1;
    for (int k = 0; k < states_of(a); k++) {
        bool    fast = is_chosen(a, k);
        double *worst = fast ? &a->fast_difference : &a->slow_difference;
        double  own = difference(a, k);
        if (isnan(own)) {
            text_add(&a->why, "fast transients last most of the time");
            return false;
        }
        if (own < *worst) continue;
        *worst = own;
        *(fast ? &a->fast_worst : &a->slow_worst) = k;
    }
    bool slow = a->slow_difference > a->fast_difference;
    if (fmax(a->slow_difference, a->fast_difference) <= within) return true;
    int state = slow ? a->slow_worst : a->fast_worst;
    text_printf(&a->why, "%s differs by %.1e of its largest value",
                state_name(a, a->candidate[state].variable),
                slow ? a->slow_difference : a->fast_difference);
    return false;
}

/* The first error among the messages from `first` on. */
static void first_error(Advice *a, int first) {
    RbCompiler *compiler = a->show.job->compiler;
    for (int k = first; k < rb_message_count(compiler) && !a->why.length; k++)
        if (rb_message(compiler, k).severity == RB_ERROR)
            text_printf(&a->why, "%s: %.200s", rb_message(compiler, k).code,
                        rb_message(compiler, k).text);
}

/* Is a variable of a trial, by name, a state of the model as it is? */
static bool is_state_there(const Advice *a, const char *name) {
    char buffer[400];
    int  v = rb_find(a->show.program, name);
    if (v < 0) return false;
    v = rb_variable(a->show.program, v, buffer, sizeof buffer).equal;
    return rb_variable(a->show.program, v, buffer, sizeof buffer).state;
}

/* States of a trial that are none of the model as it is; with `add` they join the process. */
static int find_besides(Advice *a, const RbProgram *program, bool add) {
    char name[400], other[400];
    int  found = 0, n = rb_info(program).variables;
    for (int v = 0; v < n; v++) {
        if (!rb_variable(program, v, name, sizeof name).state || is_state_there(a, name))
            continue;
        found++;
        for (int w = 0; add && w < n; w++) {
            RbVariable info = rb_variable(program, w, other, sizeof other);
            if (info.differentiated && info.equal == v)
                text_printf(&a->besides, "%s%s", a->besides.length ? "," : "", other);
        }
    }
    return found;
}

static RbProgram *translate_chosen(Advice *a) {
    Job       *job = a->show.job;
    int        status, first = job->told = rb_message_count(job->compiler);
    RbProgram *program = job_translate(job, (RbRequest){.theta = names(a)}, &status);
    job->told = rb_message_count(job->compiler);
    if (!program) first_error(a, first);
    return program;
}

/* With THETA on the chosen states: does it run and agree? Messages of a trial are not shown. */
static bool try_chosen(Advice *a) {
    text_clear(&a->why);
    text_clear(&a->besides);
    a->fast_worst = -1;
    RbProgram *program = translate_chosen(a);
    int        more = program ? rb_info(program).states - (states_of(a) - a->choices) : 0;
    if (more > 0 && find_besides(a, program, false) == more) {
        find_besides(a, program, true);
        rb_program_free(program);
        program = translate_chosen(a);
    }
    bool fine = program && follow(a, &a->fast, program) && differences_fit(a);
    rb_program_free(program);
    return fine;
}

/* The slowest ones, or the state whose own course differs most, are not chosen any more. */
static void drop(Advice *a) {
    bool own = a->by_difference && a->fast_worst >= 0 && a->fast_difference > within;
    int  fewer = a->choices > 8 && !own ? a->choices * 3 / 4 : a->choices - 1;
    if (own) {
        int k = 0;
        while (a->chosen[k] != a->fast_worst) k++;
        memmove(a->chosen + k, a->chosen + k + 1,
                (size_t)(a->choices - k - 1) * sizeof *a->chosen);
        a->chosen[a->choices - 1] = a->fast_worst;
    }
    for (int k = fewer; k < a->choices; k++)
        printf("without %s: %s\n", state_name(a, a->candidate[a->chosen[k]].variable),
               text_get(&a->why));
    a->choices = fewer;
}

/* False: no choice agrees. */
static bool find_choice(Advice *a) {
    int all = a->choices;
    while (a->choices && !try_chosen(a)) drop(a);
    if (a->choices || all < 2) return a->choices > 0;
    printf("once more with all of them:\n");
    a->choices = all; /* dropping has only changed their order */
    a->by_difference = true;
    while (a->choices && !try_chosen(a)) drop(a);
    return a->choices > 0;
}

/* ---- what is said ---- */

static void show_candidates(const Advice *a) {
    printf("parasitic states: fast, damped, and far below the steps of the rest\n");
    printf("  %-40s %-14s %s\n", "state", "time constant", "step there");
    for (int k = 0; k < a->choices; k++) {
        const Candidate *c = &a->candidate[a->chosen[k]];
        printf("  %-40s %-14.3g %.3g\n", state_name(a, c->variable), 1 / c->slowest,
               c->step);
    }
}

static void show_gain(Advice *a) {
    double steps = (double)a->fast.steps / (double)(a->plain.steps ? a->plain.steps : 1);
    double time = a->plain.seconds > 0 ? a->fast.seconds / a->plain.seconds : 1;
    printf("measured from %g to %g:\n", a->plain.start, a->plain.stop);
    printf("  as it is     %ld steps, %ld rejected\n", a->plain.steps, a->plain.rejected);
    printf(
        "  with --theta %ld steps, %ld rejected: %.2f of the steps, %.2f of the time\n",
        a->fast.steps, a->fast.rejected, steps, time);
    printf("  differences outside of fast transients, of the largest value: %.1e (slow "
           "states),"
           " %.1e (fast ones)\n",
           a->slow_difference, a->fast_difference);
    printf(time < worth_it    ? "worth it:\n"
           : steps < worth_it ? "fewer steps, but not less time with this method:\n"
                              : "it works, but gains nothing:\n");
    printf("  --theta '%s'\n", names(a));
}

/* ---- the command ---- */

static int advise(Advice *a) {
    int samples = look(a, &a->show.stop);
    if (!samples) return EXIT_RUN;
    printf("%s: %d states, looked at in %d places up to time %g\n",
           rb_info(a->show.program).model, states_of(a), samples, a->show.stop);
    choose(a, samples);
    if (!a->choices) {
        printf("no parasitic states: nothing is far faster than the steps of the rest\n");
        return EXIT_DONE;
    }
    show_candidates(a);
    if (!follow(a, &a->plain, a->show.program)) {
        fprintf(stderr, "rubato: the model as it is does not run with these options\n");
        return EXIT_RUN;
    }
    if (!find_choice(a)) {
        printf("none of them can be left to THETA\n");
        return EXIT_DONE;
    }
    show_gain(a);
    return EXIT_DONE;
}

int command_advise(Job *job) {
    Advice a = {.show = {.job = job}};
    int    status;
    if (!simulate_options(&a.show)) return EXIT_USAGE;
    a.show.program = job_translate(job, (RbRequest){0}, &status);
    if (!a.show.program) return status;
    double annotated = rb_info(a.show.program).tolerance;
    a.least = (a.show.options.given_tolerance ? a.show.options.tolerance
               : isnan(annotated)             ? 1e-6
                                              : annotated) /
              within;
    a.candidate = NEW(&job->arena, Candidate, states_of(&a) + 1);
    for (int k = 0; k < states_of(&a); k++) a.candidate[k].slowest = HUGE_VAL;
    status = simulate_times(&a.show) ? advise(&a) : EXIT_USAGE;
    text_free(&a.why);
    text_free(&a.besides);
    rb_program_free(a.show.program);
    return status;
}
