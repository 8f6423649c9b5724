/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.c -- patterns of torn blocks.
 *
 * Which residual depends on which iteration variable follows from the formulas between them. Only
 * blocks with many iteration variables that touch few residuals each have a pattern; the others
 * are factored densely. */
#include "translate/freeze.h"

#include <assert.h>
#include <string.h>

enum { DENSE_MOST = 40 }; /* iteration variables that are always factored densely */

/* For each equation of a block the iteration variables it depends on, as bits. */
static uint64_t *dependencies(const Plan *plan, const Group *g, size_t words,
                              Arena *scratch) {
    const Structure *st = plan->st;
    const int       *item = plan->item + g->item;
    uint64_t        *set = NEW(scratch, uint64_t, (size_t)g->size * words + 1);
    int             *place = NEW(scratch, int, st->vars + 1);
    int explicit = g->size - g->torn;
    for (int i = 0; i < g->size; i++) place[st->var_of[item[i]]] = i + 1;
    for (int i = 0; i < g->size; i++) {
        uint64_t *own = set + (size_t)i * words;
        for (int k = st->graph.start[item[i]]; k < st->graph.start[item[i] + 1]; k++) {
            int from = place[st->graph.col[k]] - 1;
            if (from < 0 || (from == i && i < explicit)) continue;
            if (from >= explicit) {
                own[(from - explicit) / 64] |= 1ull << (from - explicit) % 64;
                continue;
            }
            const uint64_t *other = set + (size_t)from * words;
            for (size_t w = 0; w < words; w++) own[w] |= other[w];
        }
    }
    return set + (size_t) explicit * words;
}

/* Of a block with formulas: starts, then rows; NULL if it would be full. */
static int *pattern_through_formulas(const Plan *plan, const Group *g, int *length,
                                     Arena *scratch) {
    size_t    n = (size_t)g->torn, words = (n + 63) / 64, entries = 0;
    uint64_t *set = dependencies(plan, g, words, scratch);
    for (size_t k = 0; k < n * words; k++)
        for (uint64_t w = set[k]; w; w &= w - 1) entries++;
    if (entries >= n * n / 4) return NULL;
    int *start = NEW(scratch, int, n + 1 + entries), *row = start + n + 1, at = 0;
    for (size_t k = 0; k < n; k++) {
        start[k] = at;
        for (size_t i = 0; i < n; i++)
            if (set[i * words + k / 64] >> k % 64 & 1) row[at++] = (int)i;
    }
    start[n] = at;
    *length = (int)(n + 1 + entries);
    return start;
}

/* Of a block in which everything is iterated: what stands in the equations. */
static int *pattern_of_equations(const Plan *plan, const Group *g, int *length,
                                 Arena *scratch) {
    const Structure *st = plan->st;
    const Graph     *graph = &st->graph;
    const int       *item = plan->item + g->item;
    int              n = g->torn, entries = 0;
    int             *place = NEW(scratch, int, st->vars + 1);
    int             *count = NEW(scratch, int, n + 2);
    for (int i = 0; i < n; i++) place[st->var_of[item[i]]] = i + 1;
    for (int i = 0; i < n; i++)
        for (int k = graph->start[item[i]]; k < graph->start[item[i] + 1]; k++)
            if (place[graph->col[k]]) count[place[graph->col[k]]]++, entries++;
    int *start = NEW(scratch, int, n + 1 + entries), *row = start + n + 1;
    for (int k = 0; k < n; k++) start[k + 1] = start[k] + count[k + 1];
    for (int k = 0; k < n; k++) count[k + 1] = start[k];
    for (int i = 0; i < n; i++)
        for (int k = graph->start[item[i]]; k < graph->start[item[i] + 1]; k++)
            if (place[graph->col[k]]) row[count[place[graph->col[k]]]++] = i;
    *length = n + 1 + entries;
    return start;
}

static void add_patterns(Draft *d, const Plan *plan, Part *part) {
    int  *at = NEW(&d->arena, int, plan->groups + 1), *pattern = NULL;
    int   count = 0, room = 0;
    Arena scratch = {0};
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        int          length = 0, *own = NULL;
        at[g] = -1;
        if (group->kind != GROUP_LOOP || group->torn <= DENSE_MOST) continue;
        own = group->torn == group->size
                  ? pattern_of_equations(plan, group, &length, &scratch)
                  : pattern_through_formulas(plan, group, &length, &scratch);
        if (own) {
            pattern = arena_grow(&d->arena, pattern, sizeof(int), &room, count + length);
            memcpy(pattern + count, own, (size_t)length * sizeof(int));
            at[g] = count;
            count += length;
        }
        arena_free(&scratch);
    }
    part->pattern_at = at;
    part->pattern = pattern;
    part->patterns = count;
}

void freeze_loops(Draft *d) {
    for (int k = 0; k < d->from->parts; k++)
        add_patterns(d, &d->from->part[k].plan, &d->program.part[k]);
}

/* ---- the pass ---- */

/* Starts ascend and residuals exist. */
static inline bool loops_fit(const Part *part) {
    for (int g = 0; g < part->groups; g++) {
        int n = part->group[g].torn, at = part->pattern_at[g];
        if (at < 0) continue;
        Lists own = {n, part->pattern[at + n], part->pattern + at,
                     part->pattern + at + n + 1};
        if (at + n + 1 + own.entries > part->patterns || !lists_fit(&own, n, n))
            return false;
    }
    return true;
}

/* Needs: tables. Gives: patterns of large torn blocks, the graph of blocks, the pattern of
 * df/dx. */
void freeze_patterns(Draft *d) {
    assert(d->program.states.var && d->program.part[PART_RUN].block);
    freeze_loops(d);
    for (int k = 0; k < d->from->parts && !d->from->keep;
         k++) /* from here on only the run counts */
        if (k != PART_RUN) structure_shed(&d->from->part[k].structure);
    freeze_blocks(d);
    for (int k = 0; k < d->from->parts; k++) assert(loops_fit(&d->program.part[k]));
    assert(lists_fit(&d->program.states.pattern, d->program.states.count,
                     d->program.states.count));
}

static void print_loops(const char *name, const Part *part, Text *out) {
    for (int g = 0; g < part->groups; g++) {
        const Group *group = &part->group[g];
        if (group->kind != GROUP_LOOP) continue;
        text_printf(out, "%s: %d loop%s of %d x %d", name, group->count,
                    group->count == 1 ? "" : "s", group->torn, group->torn);
        if (part->pattern_at[g] < 0) text_add(out, ", dense\n");
        else
            text_printf(out, ", %d entries\n",
                        part->pattern[part->pattern_at[g] + group->torn]);
    }
}

void freeze_print_patterns(const Draft *d, Text *out) {
    const States *s = &d->program.states;
    text_printf(out, "df/dx: %d x %d, ", s->count, s->count);
    if (s->pattern.rows < 0) text_add(out, "dense\n");
    else text_printf(out, "%d entries\n", s->pattern.entries);
    for (int k = 0; k < d->from->parts; k++)
        print_loops(freeze_part_name(k), &d->program.part[k], out);
}
