/* SPDX-License-Identifier: Apache-2.0 */
/* statistics.c -- counts of a simulation as JSON, with the keys of the documentation. */
#define _POSIX_C_SOURCE 200809L
#include "api/api.h"

#include <string.h>
#include <sys/resource.h>

/* Infinitely fast processes: see docs/theta.md. */
static void put_theta(const RbSimulation *s, Text *out) {
    const Program   *p = s->program->program;
    const Part      *part = &p->part[PART_RUN];
    const Counts     total = instance_counts(&s->instance);
    const FastCounts f = total.fast;
    int              processes = 0, levels = 0;
    for (int g = 0; g < part->groups; g++)
        if (part->group[g].kind == GROUP_LOOP && part->group[g].block == BLOCK_FAST)
            processes += part->group[g].count;
    for (int k = 0; k < p->fast.count; k++)
        if (p->fast.level[k] > levels) levels = p->fast.level[k];
    text_printf(out, ",\"theta\":{\"processes\":%d,\"states\":%d,\"levels\":%d",
                processes, p->fast.count, levels);
    text_printf(out, ",\"solves\":%ld,\"factorizations\":%ld,\"steps\":%ld", f.solves,
                f.newton, f.steps);
    text_printf(out, ",\"followed\":%ld,\"jumps\":%ld}", f.followed, f.jumps);
}

static void integration(const RbSimulation *s, Text *out) {
    const SimStatistics *t = &s->outcome.statistics;
    const Counts         total = instance_counts(&s->instance), *c = &total;
    text_printf(out, ",\"steps_accepted\":%ld,\"steps_rejected\":%ld,\"rhs_calls\":%ld",
                t->ode.steps_accepted, t->ode.steps_rejected, t->ode.rhs_calls);
    text_printf(out, ",\"rhs_rows\":%ld,\"jacobians\":%ld", c->rows, t->ode.jacobians);
    spread_statistics(s, out);
    text_printf(out, ",\"jacobians_differenced\":%ld,\"factorizations\":%ld",
                c->differenced, t->ode.factorizations);
    text_printf(out, ",\"refactorizations\":%ld,\"solves\":%ld,\"newton_iterations\":%ld",
                t->ode.refactorizations, t->ode.solves, t->ode.newton_iterations);
    text_printf(out, ",\"factor_entries\":%.0f", t->ode.fill);
    text_printf(out, ",\"newton_failures\":%ld,\"events_time\":%ld,\"events_state\":%ld",
                t->ode.newton_failures, t->events_time, t->events_state);
    text_printf(out, ",\"crossing_rows\":%ld,\"state_steps\":%ld", c->crossing_rows,
                t->ode.state_steps);
    if (s->options.check_parts)
        text_printf(out, ",\"mismatches\":%ld", t->rate.mismatches);
    text_printf(out, ",\"points\":%ld", t->points);
    text_printf(out, ",\"selection_changes\":%ld,\"selection_cache_hits\":%ld",
                t->rate.selections, t->rate.cache_hits);
    if (s->program->program->fast.count) put_theta(s, out);
    text_printf(out, ",\"invariants\":%d,\"projections\":%ld",
                s->program->program->invariants.rows, t->projections);
}

static const VarRun *variable_run(const Program *p, int var) {
    return &p->variables.run[variables_run(&p->variables, var)];
}

/* A variable of a sub-clock partition, to know it by; -1 if it has none. */
static int one_of(const Program *p, int sub) {
    const BaseClock *base = &p->clocks.base[p->clocks.sub[sub].base];
    const Part      *part = &p->part[base->part];
    for (int g = 0; g < part->groups; g++)
        if (part->group[g].phase / 2 == sub - base->first)
            for (int i = part->group[g].item;
                 i < part->group[g].item + part->group[g].count * part->group[g].size;
                 i++)
                if (!(variable_run(p, part->unknown[i])->flags & VAR_HIDDEN))
                    return part->unknown[i];
    return -1;
}

static void put_clock(const BaseClock *base, const SubClock *sub, Text *out) {
    if (base->kind == BASE_RATIONAL)
        text_printf(out, "%.9g",
                    (double)sub->every * (double)base->count / (double)base->resolution);
    else if (base->kind == BASE_REAL)
        text_printf(out, "%.9g",
                    (double)sub->every * base->period * (double)base->count /
                        (double)base->resolution);
    else text_add(out, "null");
}

static void put_schedule(const RbSimulation *s, Text *out) {
    static const char *const tasks[] = {[RB_TASKS_SINGLE] = "single",
                                        [RB_TASKS_SPLIT] = "split",
                                        [RB_TASKS_RATES] = "rates"};
    const Schedule          *c = &s->schedule;
    long                     missed = 0;
    for (int k = 0; k < s->program->program->clocks.subs; k++)
        missed += ticks_frame(&s->instance, k)->misses;
    MissedTicks why = ticks_missed(&s->instance);
    text_printf(out,
                ",\"ticks_missed\":%ld,\"woken_late\":%ld,\"interrupted\":%ld,"
                "\"too_long\":%ld",
                why.wake + why.interrupted + why.work, why.wake, why.interrupted,
                why.work);
    text_printf(out, ",\"frames_missed\":%ld,\"schedule\":{\"tasks\":\"%s\"", missed,
                s->program->program->clocks.staggered ? "staggered"
                                                      : tasks[s->options.tasks]);
    text_printf(out, ",\"priorities\":%s,\"locked\":%s",
                ticks_priorities(&s->instance) ? "true" : "false",
                ticks_locked(&s->instance) ? "true" : "false");
    int lines, shared = ticks_lines(&s->instance, &lines);
    text_printf(out, ",\"lines\":%d,\"lines_shared\":%d", lines, shared);
    if (c->measured)
        text_printf(out,
                    ",\"fits\":%s,\"need\":%.9g,\"interval\":%.9g,\"utilization\":%.6g",
                    c->fits ? "true" : "false", c->need, c->interval, c->utilization);
    text_add(out, "}");
}

/* What was measured of clocked partitions: see docs/clocks.md. */
static void put_partitions(const RbSimulation *s, Text *out) {
    const Program    *p = s->program->program;
    const ClockTable *c = &p->clocks;
    if (!c->subs || !ticks_frame(&s->instance, 0)) return;
    put_schedule(s, out);
    text_add(out, ",\"partitions\":[");
    for (int k = 0; k < c->subs; k++) {
        const Frame *f = ticks_frame(&s->instance, k);
        Text         name = {0};
        int          var = one_of(p, k);
        if (var >= 0) program_name(p, var, &name);
        text_printf(out, "%s{\"variable\":", k ? "," : "");
        text_json(out, text_get(&name), name.length);
        text_add(out, ",\"clock\":");
        put_clock(&c->base[c->sub[k].base], &c->sub[k], out);
        text_printf(out, ",\"method\":\"%s\",\"thread\":%d,\"ticks\":%ld",
                    c->sub[k].discretised ? solver_method_name[c->sub[k].method] : "",
                    f->thread, f->ticks);
        const double share = f->timed ? (double)f->ticks / (double)f->timed : 1;
        text_printf(out, ",\"time\":%.9g,\"worst_frame\":%.9g", share * f->total,
                    f->worst);
        text_printf(out, ",\"jitter\":%.9g,\"misses\":%ld}", f->jitter, f->misses);
        text_free(&name);
    }
    text_add(out, "]");
}

static void put_exchange(const RbSimulation *s, Text *out) {
    ExchangeCounts c;
    if (!ticks_exchanged(&s->instance, &c)) return;
    text_printf(out, ",\"exchange\":{\"received\":%ld,\"lost\":%ld,\"held\":%ld",
                c.received, c.lost, c.held);
    text_printf(out, ",\"refused\":%ld,\"sent\":%ld,\"unsent\":%ld}", c.refused, c.sent,
                c.unsent);
}

static void levels(const SimStatistics *t, Text *out) {
    for (int k = 0; k < t->levels; k++) {
        const RateStatistics *r = &t->rate;
        double mean = r->steps[k] ? (double)r->state_steps[k] / (double)r->steps[k] : 0;
        text_printf(out, "%s{\"states_mean\":%.6g,\"steps\":%ld,\"state_steps\":%ld",
                    k ? "," : ",\"levels\":[", mean, r->steps[k], r->state_steps[k]);
        text_printf(out, ",\"rhs_rows\":%ld}", r->rhs_rows[k]);
    }
    text_add(out, t->levels ? "]}\n" : "}\n");
}

/* Of all instances of families. */
static long long all_states(const Program *p) {
    long long n = p->batches.count ? 0 : p->states.count;
    for (int k = 0; k < p->batches.count; k++)
        n += (long long)p->batches.batch[k].count * p->batches.batch[k].states;
    return n;
}

/* How the model was translated, and of families how many instances there are, the rest being one more. */
static void put_path(const RbSimulation *s, Text *out) {
    const Batches *families = &s->program->program->batches;
    long long      n = 0;
    for (int k = 0; k < families->count; k++) n += (long long)families->batch[k].count;
    text_printf(out, ",\"path\":\"%s\"", families->count ? "components" : "whole");
    if (families->count)
        text_printf(out, ",\"instances\":%lld,\"instances_recorded\":%d", n,
                    s->results ? s->results->views : 0);
}

const char *rb_statistics(RbSimulation *s) {
    const Program     *p = s->program->program;
    const ProgramInfo *i = &p->info;
    Text              *out = &s->statistics;
    struct rusage      usage;
    double             ended = s->wall_ended > 0 ? s->wall_ended : wall_time();
    getrusage(RUSAGE_SELF, &usage);
    text_clear(out);
    text_add(out, "{\"model\":");
    text_json(out, program_text(p, i->model), strlen(program_text(p, i->model)));
    text_printf(out, ",\"equations\":%d,\"rows\":%d,\"shapes\":%d,\"states\":%lld",
                i->rows, i->reduced_rows, i->shapes, all_states(p));
    text_printf(out, ",\"parameters\":%d,\"tier\":%d,\"solver\":\"%s\",\"method\":\"%s\"",
                s->results ? s->results->constants : i->parameters,
                s->instance.run.image->tier, s->options.solver ? s->options.solver : "rk",
                s->options.method ? s->options.method : "auto");
    put_path(s, out);
    text_printf(out,
                ",\"tolerance\":%.17g,\"time_simulate\":%.6f,\"memory_peak_bytes\":%ld",
                s->tolerance, s->wall_begun > 0 ? ended - s->wall_begun : 0,
                usage.ru_maxrss * 1024L);
    integration(s, out);
    rb_profile(s);
    text_add(out, text_get(&s->profile));
    put_exchange(s, out);
    put_partitions(s, out);
    levels(&s->outcome.statistics, out);
    return text_get(out);
}
