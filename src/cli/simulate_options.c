/* SPDX-License-Identifier: Apache-2.0 */
/* simulate_options.c -- the command line as options of a simulation. */
#include "cli/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = RB_MOST_RATES };
#define MOST_OUTPUT 20e9 /* bytes of a result, unless --max-output says otherwise */

static bool reject(const char *text) {
    fprintf(stderr, "rubato: %s\n", text);
    return false;
}

/* An option whose number must be above 0. */
static bool read_positive(const char *name, const char *text, double *value) {
    bool given;
    if (!option_number(name, text, value, &given)) return false;
    if (!given || *value > 0) return true;
    fprintf(stderr, "rubato: %s must be positive, not %s\n", name, text);
    return false;
}

/* --threads N[,WORK] */
static bool read_threads(Show *show) {
    const char *text = show->job->options.simulate.threads;
    const char *comma = text ? strchr(text, ',') : NULL;
    Text        first = {0};
    if (text) text_printf(&first, "%.*s", comma ? (int)(comma - text) : 300, text);
    show->options.threads =
        option_count("--threads", text ? text_get(&first) : NULL, 256, 1);
    text_free(&first);
    if (comma)
        show->options.grain =
            option_count("--threads N,WORK: WORK", comma + 1, 1000000000, 0);
    return show->options.threads != 0 && (!comma || show->options.grain > 0);
}

/* An option whose value is one of `n` words, whose number is put into *chosen. */
static bool read_word(const char *option, const char *text, const char *const *word,
                      int n, int *chosen) {
    for (int k = 0; k < n; k++)
        if (text && strcmp(text, word[k]) == 0) return *chosen = k, true;
    if (!text) return true;
    fprintf(stderr, "rubato: %s is ", option);
    for (int k = 0; k < n; k++)
        fprintf(stderr, "%s%s", word[k], k < n - 2 ? ", " : k == n - 2 ? " or " : "");
    fprintf(stderr, ", not '%s'\n", text);
    return false;
}

static bool read_words(Show *show) {
    static const char *const tasks[] = {[RB_TASKS_SINGLE] = "single",
                                        [RB_TASKS_SPLIT] = "split",
                                        [RB_TASKS_RATES] = "rates"};
    static const char *const parameters[] = {[RB_PARAMETERS_ALL] = "all",
                                             [RB_PARAMETERS_ONCE] = "once",
                                             [RB_PARAMETERS_NONE] = "no"};
    static const char *const bounds[] = {"error", "warning", "off"};
    const SimulateOptions   *o = &show->job->options.simulate;
    int                      bound = 0;
    if (!read_word("--bounds", o->bounds, bounds, LENGTH(bounds), &bound)) return false;
    if (o->bounds) show->options.bounds = RB_BOUNDS_STOP + bound;
    return read_word("--tasks", o->tasks, tasks, LENGTH(tasks), &show->options.tasks) &&
           read_word("--parameters", o->parameters, parameters, LENGTH(parameters),
                     &show->options.parameters);
}

static bool read_rates(Show *show) {
    const SimulateOptions *o = &show->job->options.simulate;
    bool                   chosen = o->rates && strcmp(o->rates, "auto") == 0;
    show->options.rates = chosen ? -1 : option_count("--rates", o->rates, LEVELS, 1);
    if (o->events && strcmp(o->events, "auto") && strcmp(o->events, "global")) {
        fprintf(stderr, "rubato: --events is auto or global, not '%s'\n", o->events);
        return false;
    }
    show->options.global_events = o->events && o->events[0] == 'g';
    show->options.check_parts = o->check_parts;
    show->options.profile = o->profile;
    if (o->realtime) show->options.realtime = 1;
    if (o->realtime && *o->realtime &&
        !read_positive("--realtime", o->realtime, &show->options.realtime))
        return false;
    if (o->spin && !read_positive("--spin", o->spin, &show->options.spin)) return false;
    show->options.spin *= 1e-6;
    return show->options.rates != 0 && read_threads(show);
}

static bool read_tier(Show *show) {
    const char *tier = show->job->options.simulate.tier;
    if (!tier || strcmp(tier, "auto") == 0) return true;
    show->options.given_tier = true;
    show->options.tier = tier[0] - '0';
    if (strcmp(tier, "0") == 0 || strcmp(tier, "1") == 0) return true;
    fprintf(stderr, "rubato: --tier is 0, 1 or auto, not '%s'\n", tier);
    return false;
}

/* Bytes with k, M, G or T after the number. */
static bool read_size(const char *name, const char *text, double *bytes) {
    static const char units[] = "kMGT";
    char             *end;
    if (!text) return true;
    *bytes = number_read(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit) *bytes *= pow(1e3, (double)(unit - units + 1)), end++;
    if (*text && !*end && *bytes > 0) return true;
    fprintf(stderr, "rubato: %s is a number of bytes, as 500M or 20G, not '%s'\n", name,
            text);
    return false;
}

static bool read_times(Show *show) {
    const SimulateOptions *o = &show->job->options.simulate;
    RbOptions             *to = &show->options;
    bool                   given;
    double                 most = 0;
    if (!option_number("--start", o->start, &to->start, &to->given_start) ||
        !option_number("--stop", o->stop, &to->stop, &to->given_stop) ||
        !option_number("--tolerance", o->tolerance, &to->tolerance,
                       &to->given_tolerance) ||
        !read_positive("--interval", o->interval, &to->interval))
        return false;
    if (!option_number("--max-steps", o->max_steps, &most, &given)) return false;
    if (given && !(most >= 1 && most < 1e15))
        return reject("--max-steps must be at least 1");
    to->max_steps = (long)most;
    to->max_output = MOST_OUTPUT;
    return read_positive("--max-step", o->max_step, &to->max_step) &&
           read_positive("--fixed-step", o->fixed_step, &to->fixed_step) &&
           read_positive("--absolute", o->absolute, &to->absolute) &&
           read_size("--max-output", o->max_output, &to->max_output);
}

bool simulate_options(Show *show) {
    show->options.solver = show->job->options.simulate.solver;
    show->options.method = show->job->options.simulate.method;
    show->options.exchange = show->job->options.simulate.exchange;
    show->options.instances = show->job->options.simulate.instances;
    show->options.derivatives = show->job->options.simulate.derivatives;
    return read_tier(show) && read_words(show) && read_rates(show) && read_times(show);
}

bool simulate_times(Show *show) {
    RbInfo     info = rb_info(show->program);
    RbOptions *o = &show->options;
    double     intervals = 0;
    bool       given;
    show->start = o->given_start ? o->start : isnan(info.start) ? 0 : info.start;
    show->stop = o->given_stop ? o->stop : isnan(info.stop) ? show->start + 1 : info.stop;
    if (!option_number("--intervals", show->job->options.simulate.intervals, &intervals,
                       &given))
        return false;
    if (!given) return true;
    if (!(intervals >= 1)) return reject("--intervals must be at least 1");
    if (intervals > floor(intervals)) return reject("--intervals must be a whole number");
    o->interval = (show->stop - show->start) / intervals;
    if (!(o->interval > 0)) o->interval = -1; /* no time passes */
    return true;
}
