/* SPDX-License-Identifier: Apache-2.0 */
/* common.c -- what all instances of one program share: where values are, patterns, code.
 *
 * It is made once and never changed, except that code gets better (code/code.c) and that the
 * colouring of df/dx is made when it is first asked for: explicit methods never do, and a row that
 * reads all states makes it expensive. */
#include "live/live.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- states and derivatives ---- */

/* Where derivatives are when the code has run: written for one state each, as the value of
 * another state, or among the values. */
static bool place_rates(Common *c) {
    const Program *p = c->program;
    const States  *s = &p->states;
    int           *number = mem_take((size_t)p->variables.vars, sizeof *number);
    if (!number) return false;
    for (int i = 0; i < s->count; i++) number[s->var[i]] = i + 1;
    for (int i = 0; i < s->count; i++)
        if (s->written[i]) number[s->rate[i]] = -1 - i;
    for (int i = 0; i < s->count; i++) {
        int n = number[s->rate[i]];
        c->rate_home[i] = n > 0 ? HOME_STATES : n < 0 ? HOME_RATES : HOME_VALUES;
        c->rate_at[i] = n ? abs(n) - 1 : s->rate[i];
        c->nominal[i] = variables_nominal(&p->variables, s->var[i]);
    }
    mem_free(number);
    return true;
}

static bool add_segment(Segments *s, Segment one) {
    Segment *last = s->count ? &s->list[s->count - 1] : NULL;
    if (last && one.state == last->state + last->count &&
        one.at == last->at + last->count && one.home == last->home &&
        one.sign == last->sign) {
        last->count++;
        return true;
    }
    if ((s->count & (s->count - 1)) == 0) {
        Segment *more = mem_resize(s->list, 2 * ((size_t)s->count + 1) * sizeof *s->list);
        if (!more) return false;
        s->list = more;
    }
    s->list[s->count++] = one;
    return true;
}

/* Runs of consecutive variables: copying them costs no more than the memory they fill. */
static bool make_segments(Common *c) {
    const States *s = &c->program->states;
    bool          fine = true;
    for (int i = 0; i < s->count && fine; i++) {
        Segment own = {i, s->var[i], 1, HOME_VALUES, 1};
        Segment rate = {i, c->rate_at[i], 1, c->rate_home[i], s->rate_sign[i]};
        fine = add_segment(&c->in, own);
        if (s->copied[i]) fine = fine && add_segment(&c->copied, own);
        if (!s->written[i]) fine = fine && add_segment(&c->out, rate);
        own.at = s->rate[i];
        if (s->written[i]) fine = fine && add_segment(&c->back, own);
    }
    return fine;
}

/* ---- patterns ---- */

static Pattern pattern_of(const Lists *t, int rows) {
    return (Pattern){rows, t->rows, t->start, t->to};
}

static bool make_patterns(Common *c) {
    const Program    *p = c->program;
    const BlockGraph *g = &p->graph;
    int               n = p->states.count;
    if (p->states.pattern.rows >= 0) c->pattern = pattern_of(&p->states.pattern, n);
    else if (!(c->full = pattern_full(n))) return false;
    if (g->states_of_crossing.rows >= 0 && g->crossings_of_state.entries > 0) {
        c->reads = pattern_of(&g->crossings_of_state, g->crossing.rows);
        c->changes = pattern_of(&g->states_of_crossing, n);
    }
    return true;
}

struct Colours {
    pthread_mutex_t lock;
    bool            made;
    Colouring       colouring;
};

static bool open_colours(Common *c) {
    c->colours = mem_take(1, sizeof *c->colours);
    return c->colours && pthread_mutex_init(&c->colours->lock, NULL) == 0;
}

static void close_colours(Common *c) {
    if (!c->colours) return;
    if (c->colours->made) colouring_free(&c->colours->colouring);
    pthread_mutex_destroy(&c->colours->lock);
    mem_free(c->colours);
}

const Colouring *common_colouring(const Common *c) {
    struct Colours *own = c->colours;
    pthread_mutex_lock(&own->lock);
    if (!own->made)
        own->made = colour_columns(c->full ? c->full : &c->pattern, &own->colouring);
    pthread_mutex_unlock(&own->lock);
    return own->made ? &own->colouring : NULL;
}

static void count_rows(Common *c) {
    const Part *part = &c->program->part[PART_RUN];
    for (int g = 0; g < part->groups; g++) {
        const Group *group = &part->group[g];
        long         rows = (long)group->count * group->size;
        c->event_rows += rows;
        if (!group->discrete) c->value_rows += rows;
        if (!group->discrete && !group->shown) c->all_rows += rows;
    }
}

/* Of kept variables. A value that stays in its row is stored by a group that is shown. */
static void find_efforts(Common *c) {
    const Part *part = &c->program->part[PART_RUN];
    for (int g = 0; g < part->groups; g++) {
        const Group *group = &part->group[g];
        for (int k = 0; k < group->count * group->size && !group->discrete; k++) {
            uint8_t *own = &c->effort[part->unknown[group->item + k]];
            bool     local = group->kind == GROUP_ROWS && (k + 1) % group->size != 0;
            if (group->shown) *own = EFFORT_ALL;
            else if (!local && *own == EFFORT_NONE) *own = EFFORT_RATES;
        }
    }
}

static LeftLimit left_limit(const Program *p, int pre, const VarRun *run) {
    const VarRun *of = &p->variables.run[run->of];
    int           var = of->first + pre - run->first;
    return (LeftLimit){.pre = pre,
                       .of = var,
                       .at = p->reduced.alias[var],
                       .sign = p->reduced.sign[var],
                       .discrete = run_is_discrete(of)};
}

/* Those of clocked variables fill the list from its end. */
static bool find_left_limits(Common *c) {
    const Program    *p = c->program;
    const ClockTable *clocks = &p->clocks;
    uint8_t          *clocked = mem_take((size_t)p->variables.vars, 1);
    for (int r = 0; r < p->variables.runs; r++)
        if (p->variables.run[r].kind == VAR_PRE) c->lefts += p->variables.run[r].count;
    c->left = mem_take((size_t)c->lefts, sizeof *c->left);
    c->recalled = mem_take((size_t)p->variables.vars, 1);
    for (int k = 0; clocked && k < clocks->shifts; k++)
        clocked[clocks->shift[k].before] = 1;
    for (int r = 0, n = 0; c->left && clocked && c->recalled && r < p->variables.runs;
         r++) {
        const VarRun *run = &p->variables.run[r];
        if (run->kind != VAR_PRE) continue;
        const VarRun *of = &p->variables.run[run->of];
        for (int i = 0; run_is_discrete(of) && i < of->count; i++)
            c->recalled[p->reduced.alias[of->first + i]] = 1;
        for (int v = run->first; v < run->first + run->count; v++)
            c->left[clocked[v] ? c->lefts - ++c->clocked : n++] = left_limit(p, v, run);
    }
    mem_free(clocked);
    return c->left && clocked && c->recalled;
}

static bool make(Common *c) {
    size_t n = (size_t)c->program->states.count;
    c->rate_home = mem_take(n, 1);
    c->rate_at = mem_take(n, sizeof *c->rate_at);
    c->nominal = mem_take(n, sizeof *c->nominal);
    c->effort = mem_take((size_t)c->program->variables.vars, 1);
    c->binary = mem_take((size_t)c->program->parts, sizeof *c->binary);
    if (!c->binary || !c->rate_home || !c->rate_at || !c->nominal || !c->effort)
        return false;
    find_efforts(c);
    count_rows(c);
    if (!find_left_limits(c)) return false;
    c->seen = seen_new(c->program);
    if (!c->seen || !open_colours(c) || !place_rates(c) || !make_segments(c) ||
        !make_patterns(c))
        return false;
    if (!c->program->part[PART_RUN].selective) return true;
    return (c->cones = cone_graph_new(c->program)) != NULL;
}

/* What runs once is not worth the time of an optimising compiler. */
static bool compile(Common *c, const CodeOptions *options, Text *why) {
    for (int k = 0; k < c->program->parts; k++) {
        CodeOptions own = *options;
        if (k == PART_START || k == PART_BINDINGS) own.tier = 0;
        bool idle = k >= PARTS && (k - PARTS) % 2 && /* no first ticks of their own */
                    !c->program->clocks.base[(k - PARTS) / 2].starts;
        idle |= k == PART_BINDINGS && c->program->part[k].groups == 0;
        if (idle) continue;
        c->binary[k] = binary_new(&c->program->part[k], &own, why);
        if (!c->binary[k]) return false;
    }
    return true;
}

Common *common_new(const Program *program, const CodeOptions *options, Text *why) {
    Common *c = mem_take(1, sizeof *c);
    if (c) c->program = program;
    if (c && code_options_copy(&c->options, options, &c->cache, &c->compiler) &&
        make(c)) {
        if (compile(c, options, why)) return c;
    } else {
        text_add(why, "there is no memory");
    }
    common_free(c);
    return NULL;
}

void common_free(Common *c) {
    if (!c) return;
    for (int k = 0; c->binary && k < c->program->parts; k++) binary_free(c->binary[k]);
    mem_free(c->binary);
    cone_graph_free(c->cones);
    seen_free(c->seen);
    text_free(&c->cache), text_free(&c->compiler);
    mem_free(c->rate_home), mem_free(c->rate_at), mem_free(c->nominal);
    MEM_FREE(c->effort, c->left, c->recalled);
    mem_free(c->in.list), mem_free(c->copied.list), mem_free(c->out.list);
    mem_free(c->back.list);
    pattern_free(c->full);
    close_colours(c);
    mem_free(c);
}
