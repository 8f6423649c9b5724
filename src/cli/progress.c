/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c -- what is shown while a simulation runs, and at its end.
 *
 * The line is written to a terminal at most five times a second; the size of steps and the number
 * of states in them are means since the line before. */
#include "cli/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WORDS 0.05 /* of --max-output: a result worth a word; then each doubling */

long count_of(const char *statistics, const char *key) {
    Text quoted = {0};
    text_printf(&quoted, "\"%s\":", key);
    const char *at = strstr(statistics, text_get(&quoted));
    long        n = at ? strtol(at + quoted.length, NULL, 10) : 0;
    text_free(&quoted);
    return n;
}

void duration(Text *out, double seconds) {
    if (seconds < 100) text_printf(out, "%.0f s", seconds);
    else if (seconds < 6000) text_printf(out, "%.0f min", seconds / 60);
    else text_printf(out, "%.1f h", seconds / 3600);
}

void counted(Text *out, long n, const char *what) {
    text_printf(out, "%ld %s%s", n, what, n == 1 ? "" : "s");
}

static void word_about_size(Show *show, double t) {
    Progress    *p = &show->progress;
    double       bytes = rb_recorded_bytes(show->simulation);
    const double most = show->options.max_output;
    if (!p->words) p->words = most > 0 ? FIRST_WORDS * most : HUGE_VAL;
    if (bytes < p->words) return;
    while (p->words <= bytes) p->words *= 2;
    progress_end(show);
    fprintf(stderr,
            "rubato: the result has %.3g GB at time %g of %g; at %.3g GB the run ends "
            "(--max-output); --interval and --variables make it smaller\n",
            bytes / 1e9, t, show->stop, most / 1e9);
}

static void write_line(Show *show, double t, double now) {
    Progress   *p = &show->progress;
    const char *s = rb_statistics(show->simulation);
    long   steps = count_of(s, "steps_accepted"), states = count_of(s, "state_steps");
    long   more = steps - p->steps;
    double span = show->stop - show->start;
    double share = span > 0 ? (t - show->start) / span : 1;
    Text   line = {0};
    text_printf(&line, "%3.0f %%  t = %-10.4g", 100 * share, t);
    if (share > 0.001) {
        text_add(&line, "  ");
        duration(&line, (now - show->begun) * (1 - share) / share);
        text_add(&line, " left");
    }
    if (more > 0)
        text_printf(&line, "  steps of %.2g s, %.3g of %ld states in each",
                    (t - p->time) / (double)more,
                    (double)(states - p->state_steps) / (double)more,
                    count_of(s, "states"));
    fprintf(stderr, "\r%-79.79s", text_get(&line));
    p->shown = true;
    p->steps = steps;
    p->state_steps = states;
    p->time = t;
    text_free(&line);
}

void progress_step(Show *show, double t) {
    Progress *p = &show->progress;
    double    now = wall_time_now();
    if (!show->job->timing.stepped) show->job->timing.stepped = now;
    word_about_size(show, t);
    if (now - p->moment < 0.2) return;
    p->moment = now;
    if (p->on) write_line(show, t, now);
}

void progress_end(Show *show) {
    if (show->progress.shown) fprintf(stderr, "\r%79s\r", "");
    show->progress.shown = false;
}

void summary(const Show *show) {
    const char *s = rb_statistics(show->simulation);
    RbInfo      info = rb_info(show->program);
    Text        line = {0};
    if (show->job->options.quiet || strcmp(show->path, "-") == 0) return;
    text_printf(&line, "%s: %g s in %.3f s, ", info.model,
                rb_time(show->simulation) - show->start, wall_time_now() - show->begun);
    counted(&line, count_of(s, "states"), "state");
    text_add(&line, ", ");
    counted(&line, count_of(s, "steps_accepted"), "step");
    if (show->options.rates > 1 || show->options.rates < 0)
        text_printf(&line, " (%ld of single states)", count_of(s, "state_steps"));
    text_add(&line, ", ");
    counted(&line, count_of(s, "events_time") + count_of(s, "events_state"), "event");
    text_add(&line, ", ");
    counted(&line, count_of(s, "points"), "point");
    long all = count_of(s, "instances"), shown = count_of(s, "instances_recorded");
    if (info.components) text_add(&line, ", component by component");
    if (shown < all) text_printf(&line, " (%ld of %ld instances recorded)", shown, all);
    printf("%s -> %s\n", text_get(&line), show->path);
    text_free(&line);
}

void summary_interrupted(const Show *show, long points) {
    Text line = {0};
    text_printf(&line,
                "rubato: interrupted at time %.6g of %g: ", rb_time(show->simulation),
                show->stop);
    counted(&line, points, "point");
    text_printf(&line, " up to there %s kept in '%s'", points == 1 ? "is" : "are",
                show->path);
    if (show->job->options.simulate.save_state)
        text_printf(&line, ", the state in '%s' (--from-state goes on from it)",
                    show->job->options.simulate.save_state);
    fprintf(stderr, "%s\n", text_get(&line));
    text_free(&line);
}
