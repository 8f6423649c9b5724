/* SPDX-License-Identifier: Apache-2.0 */
/* effect.c -- what happens when relations of some blocks change (see local.c): the forward cone, what
 * of it is evaluated, what that needs, and which states this ties together. */
#include "live/local.h"

#include <stdlib.h>
#include <string.h>

typedef struct Lists { /* of an event under construction, one after the other */
    int     *at;
    int      count;
    uint32_t room;
} Lists;

static void push(Lists *s, int value) {
    if ((uint32_t)s->count == s->room) {
        s->room = 2 * s->room + 64;
        s->at = mem_resize(s->at, (size_t)s->room * sizeof(int));
    }
    s->at[s->count++] = value;
}

typedef struct Making {
    Locals         *l;
    const Instance *instance;
    const Plan     *plan;
    Effect         *event;
    int             nodes; /* of the forward cone, in l->queue */
    Lists           lists;
} Making;

static void reach(Locals *l, int node, int *count) {
    if (l->mark[node] == l->stamp) return;
    l->mark[node] = l->stamp;
    l->queue[(*count)++] = node;
}

/* All that reads a variable or its left limit. */
static void reach_readers(Locals *l, int var, int *count) {
    for (int e = l->readers.start[var]; e < l->readers.start[var + 1]; e++)
        reach(l, l->readers.to[e], count);
    for (int k = l->pres.start[var]; k < l->pres.start[var + 1]; k++) {
        int pre = l->pres.to[k];
        for (int e = l->readers.start[pre]; e < l->readers.start[pre + 1]; e++)
            reach(l, l->readers.to[e], count);
    }
}

static void forward_cone(Making *m, const int *block, int blocks) {
    Locals          *l = m->l;
    const Structure *st = m->plan->st;
    int              count = 0;
    for (int k = 0; k < blocks; k++) reach(l, block[k], &count);
    for (int q = 0; q < count; q++) { /* grows while it runs */
        int node = l->queue[q];
        if (node >= l->blocks) {
            int state = l->target[node - l->blocks];
            if (state) reach_readers(l, m->instance->state[state - 1], &count);
            continue;
        }
        const Block *b = &st->block[node];
        for (int i = 0; i < b->count; i++)
            reach_readers(l, st->var_of[st->order[b->first + i]], &count);
    }
    m->nodes = count;
    l->work += count;
}

static bool is_impure(const Plan *plan, int block) {
    const Structure *st = plan->st;
    const Shapes    *shapes = st->sys->shapes;
    const Block     *b = &st->block[block];
    for (int i = 0; i < b->count; i++) {
        int row = st->eq_row[st->order[b->first + i]];
        if (shapes->node[shapes->shape[st->shape[row]].root].flags & NODE_IMPURE)
            return true;
    }
    return false;
}

/* Can a node of the forward cone belong to a local event? */
static bool may_change(const Making *m, int node) {
    const Locals *l = m->l;
    if (node >= l->blocks) return l->target[node - l->blocks] != 0;
    const Group *group = &m->plan->group[l->group[node]];
    int          from = l->of_block.start[node], to = l->of_block.start[node + 1];
    if (is_impure(m->plan, node) || (group->kind == GROUP_LOOP && to > from))
        return false;
    for (int k = from; k < to; k++)
        if (l->relations.timed[l->of_block.to[k]]) return false;
    return true;
}

static bool holds_discrete(const Making *m, int block) {
    const Locals *l = m->l;
    return m->plan->st->block[block].discrete ||
           l->of_block.start[block + 1] > l->of_block.start[block];
}

/* The block whose unknown a variable is, -1 if it has none or changes at events only. */
int continuous_giver(const Structure *st, int var) {
    if (st->role[var] != ROLE_UNKNOWN || st->eq_of[var] < 0) return -1;
    int b = st->block_of[st->eq_of[var]];
    return st->block[b].discrete ? -1 : b;
}

/* Marks in `mark` the continuous blocks that those in l->list need; the new count. */
static int backward_cone(Locals *l, const Plan *plan, int *mark, int count) {
    const Graph *uses = &plan->uses;
    for (int q = 0; q < count; q++) {
        int b = l->list[q];
        for (int k = uses->start[b]; k < uses->start[b + 1]; k++) {
            int giver = uses->col[k];
            if (mark[giver] == l->stamp || plan->st->block[giver].discrete) continue;
            mark[giver] = l->stamp;
            l->list[count++] = giver;
        }
    }
    l->work += count;
    return count;
}

static int begin_at(const Locals *l, int *mark, int block, int count) {
    if (block < 0 || mark[block] == l->stamp) return count;
    mark[block] = l->stamp;
    l->list[count] = block;
    return count + 1;
}

static bool reads_state(const Locals *l, const Structure *st, int block) {
    const Graph *g = &st->graph;
    for (int i = 0; i < st->block[block].count; i++) {
        int e = st->order[st->block[block].first + i];
        for (int k = g->start[e]; k < g->start[e + 1]; k++)
            if (l->number[g->col[k]]) return true;
    }
    return false;
}

bool relation_follows_states(Locals *l, const Plan *plan, int relation) {
    const Relations *r = &l->relations;
    int              count = 0;
    bool             found = false;
    l->stamp++;
    for (int e = r->start[relation]; e < r->start[relation + 1]; e++) {
        found |= l->number[r->var[e]] != 0;
        count = begin_at(l, l->need, continuous_giver(plan->st, r->var[e]), count);
    }
    count = found ? 0 : backward_cone(l, plan, l->need, count);
    for (int k = 0; k < count && !found; k++)
        found = reads_state(l, plan->st, l->list[k]);
    return found;
}

static void tie(Making *m, int state) {
    Locals *l = m->l;
    if (l->state_mark[state] == l->stamp) return;
    l->state_mark[state] = l->stamp;
    push(&m->lists, state);
}

/* States that the block reads. */
static void tie_block(Making *m, int block) {
    const Structure *st = m->plan->st;
    const Graph     *g = &st->graph;
    for (int i = 0; i < st->block[block].count; i++) {
        int e = st->order[st->block[block].first + i];
        for (int k = g->start[e]; k < g->start[e + 1]; k++)
            if (m->l->number[g->col[k]]) tie(m, m->l->number[g->col[k]] - 1);
    }
}

static void push_rates(Making *m, int var) {
    const Links *rates = &m->l->rates;
    for (int k = rates->start[var]; k < rates->start[var + 1]; k++)
        push(&m->lists, rates->to[k]);
}

/* Derivatives in the forward cone, states that are set. Continuous blocks that those derivatives
 * need are marked in l->base. */
static void find_moved(Making *m) {
    Locals          *l = m->l;
    const Structure *st = m->plan->st;
    int              from = m->lists.count, count = 0;
    for (int q = 0; q < m->nodes; q++) {
        int node = l->queue[q];
        if (node >= l->blocks) {
            int state = l->target[node - l->blocks] - 1;
            push(&m->lists, state);
            push_rates(m, m->instance->state[state]);
            continue;
        }
        for (int i = 0; i < st->block[node].count; i++)
            push_rates(m, st->var_of[st->order[st->block[node].first + i]]);
    }
    m->event->moves = m->lists.count - from;
    for (int k = from; k < m->lists.count; k++)
        count = begin_at(l, l->base, l->derivative[m->lists.at[k]], count);
    backward_cone(l, m->plan, l->base, count);
}

static void note_left(Making *m, int var) {
    const Structure *st = m->plan->st;
    const System    *sys = st->sys;
    Locals          *l = m->l;
    if (l->var_mark[var] == l->stamp || !is_left_limit(sys, var)) return;
    l->var_mark[var] = l->stamp;
    const VarRun *of = &sys->run[sys->run[system_run_of(sys, var)].of];
    if (of->kind == VAR_DISCRETE || of->type != TYPE_REAL) return;
    push(&m->lists, var);
}

static void left_of_row(void *context, int var, int slot) {
    (void)slot;
    note_left(context, var);
}

/* Left limits of continuous variables that the discrete blocks and actions read. */
static void find_lefts(Making *m) {
    Locals          *l = m->l;
    const Structure *st = m->plan->st;
    int              from = m->lists.count;
    for (int q = 0; q < m->nodes; q++) {
        int node = l->queue[q];
        if (node >= l->blocks) {
            int a = node - l->blocks;
            for (int e = l->reads.start[a]; e < l->reads.start[a + 1]; e++)
                note_left(m, l->reads.to[e]);
        } else if (holds_discrete(m, node)) {
            for (int i = 0; i < st->block[node].count; i++)
                structure_uses(st, st->eq_row[st->order[st->block[node].first + i]],
                               left_of_row, m);
        }
    }
    m->event->lefts = m->lists.count - from;
}

static int by_order(const void *a, const void *b) {
    const int *p = a, *q = b;
    return (p[0] > q[0]) - (p[0] < q[0]);
}

/* The blocks to be evaluated, into l->list by their place in the plan; how many. */
static int find_needed(Making *m, const int *left) {
    Locals          *l = m->l;
    const Structure *st = m->plan->st;
    int              count = 0;
    for (int q = 0; q < m->nodes; q++) {
        int node = l->queue[q];
        if (node < l->blocks) {
            if (holds_discrete(m, node)) count = begin_at(l, l->need, node, count);
            continue;
        }
        int a = node - l->blocks;
        for (int e = l->reads.start[a]; e < l->reads.start[a + 1]; e++)
            count = begin_at(l, l->need, continuous_giver(st, l->reads.to[e]), count);
    }
    for (int k = 0; k < m->event->lefts; k++)
        count = begin_at(l, l->need, continuous_giver(st, source_of(st, left[k])), count);
    count = backward_cone(l, m->plan, l->need, count);
    int *pair = mem_take(2 * (size_t)count, sizeof(int));
    for (int k = 0; k < count; k++)
        pair[2 * k] = l->order[l->list[k]], pair[2 * k + 1] = l->list[k];
    qsort(pair, (size_t)count, 2 * sizeof(int), by_order);
    for (int k = 0; k < count; k++) l->list[k] = pair[2 * k + 1];
    free(pair);
    return count;
}

static void add_run(Run *run, int *runs, int group, int at) {
    if (*runs == 0 || run[*runs - 1].group != group) run[(*runs)++] = (Run){group, at, 0};
    run[*runs - 1].count++;
}

/* Rows of the blocks in l->list and of the actions. */
static void make_runs(Making *m, int count) {
    Locals *l = m->l;
    Effect *e = m->event;
    e->run = mem_take((size_t)(count + m->nodes), sizeof *e->run);
    for (int k = 0; k < count; k++) {
        const Group *group = &m->plan->group[l->group[l->list[k]]];
        add_run(e->run, &e->runs, l->group[l->list[k]], k);
        push(&m->lists, l->item[l->list[k]]);
        e->rows += m->plan->st->block[l->list[k]].count;
        e->fine &= group->kind != GROUP_LOOP || group->block == BLOCK_LINEAR;
    }
    e->act = e->run + e->runs;
    for (int node = l->blocks, k = count; node < l->blocks + l->actions; node++)
        if (l->mark[node] == l->stamp) {
            add_run(e->act, &e->acts, l->family[node - l->blocks], k++);
            push(&m->lists, l->item[node]);
        }
}

/* States that are read while the event is lived through, beyond what derivatives read. */
static void find_tied(Making *m, int count, const int *left) {
    Locals          *l = m->l;
    const Structure *st = m->plan->st;
    for (int k = 0; k < count; k++)
        if (l->base[l->list[k]] != l->stamp) tie_block(m, l->list[k]);
    for (int q = 0; q < m->nodes; q++) {
        int node = l->queue[q], a = node - l->blocks;
        for (int e = a >= 0 ? l->reads.start[a] : 0; a >= 0 && e < l->reads.start[a + 1];
             e++)
            if (l->number[l->reads.to[e]]) tie(m, l->number[l->reads.to[e]] - 1);
    }
    for (int k = 0; k < m->event->lefts; k++) {
        int state = l->number[source_of(st, left[k])];
        if (state) tie(m, state - 1);
    }
}

/* States that the crossings of the event read. */
static void tie_relations(Making *m) {
    Locals          *l = m->l;
    const Structure *st = m->plan->st;
    const Relations *r = &l->relations;
    int              count = 0, stamp = l->stamp;
    l->stamp++; /* need is used again */
    for (int q = 0; q < m->nodes; q++) {
        int b = l->queue[q];
        for (int k = b < l->blocks ? l->of_block.start[b] : 0;
             b < l->blocks && k < l->of_block.start[b + 1]; k++)
            for (int e = r->start[l->of_block.to[k]]; e < r->start[l->of_block.to[k] + 1];
                 e++) {
                int var = r->var[e];
                count = begin_at(l, l->need, continuous_giver(st, var), count);
                if (!l->number[var] || l->state_mark[l->number[var] - 1] == stamp)
                    continue;
                l->state_mark[l->number[var] - 1] = stamp;
                push(&m->lists, l->number[var] - 1);
            }
    }
    count = backward_cone(l, m->plan, l->need, count);
    l->stamp = stamp;
    for (int k = 0; k < count; k++) tie_block(m, l->list[k]);
    for (int k = 0; k < count; k++) l->need[l->list[k]] = 0;
}

/* Left limits of what may have changed; discrete unknowns; relations; states that are set. */
static void find_changes(Making *m, int count, const int *blocks) {
    Locals          *l = m->l;
    const Structure *st = m->plan->st;
    Effect          *e = m->event;
    int              from = m->lists.count;
    l->stamp++; /* var_mark is used again */
    for (int k = 0; k < count; k++)
        for (int i = 0; i < st->block[blocks[k]].count; i++) {
            int var = st->var_of[st->order[st->block[blocks[k]].first + i]];
            for (int p = l->pres.start[var]; p < l->pres.start[var + 1]; p++) {
                l->var_mark[l->pres.to[p]] = l->stamp;
                push(&m->lists, l->pres.to[p]);
            }
        }
    for (int q = 0; q < m->nodes; q++) {
        if (l->queue[q] < l->blocks) continue;
        int var = m->instance->state[l->target[l->queue[q] - l->blocks] - 1];
        for (int p = l->pres.start[var]; p < l->pres.start[var + 1]; p++)
            if (l->var_mark[l->pres.to[p]] != l->stamp) {
                l->var_mark[l->pres.to[p]] = l->stamp;
                push(&m->lists, l->pres.to[p]);
            }
    }
    e->shifts = m->lists.count - from;
    from = m->lists.count;
    for (int k = 0; k < count; k++)
        for (int i = 0; st->block[blocks[k]].discrete && i < st->block[blocks[k]].count;
             i++)
            push(&m->lists, st->var_of[st->order[st->block[blocks[k]].first + i]]);
    e->givens = m->lists.count - from;
    from = m->lists.count;
    for (int k = 0; k < count; k++)
        for (int i = l->of_block.start[blocks[k]]; i < l->of_block.start[blocks[k] + 1];
             i++)
            push(&m->lists, l->of_block.to[i]);
    e->relations = m->lists.count - from;
    from = m->lists.count;
    for (int q = 0; q < m->nodes; q++)
        if (l->queue[q] >= l->blocks)
            push(&m->lists, l->target[l->queue[q] - l->blocks] - 1);
    e->jumps = m->lists.count - from;
}

/* States that the evaluated blocks and all else that is tied read. */
static void find_inputs(Making *m, int count, const int *blocks, int tied, int ties) {
    int from = m->lists.count;
    m->l->stamp++;
    for (int k = 0; k < count; k++) tie_block(m, blocks[k]);
    for (int k = 0; k < ties; k++) tie(m, m->lists.at[tied + k]);
    m->event->inputs = m->lists.count - from;
}

/* Gives the lists their places. */
static void place_lists(Effect *e, int items, int *list) {
    int **at[] = {&e->moved, &e->left,     &e->item, &e->tied, &e->shift,
                  &e->given, &e->relation, &e->jump, &e->input};
    int   length[] = {e->moves,  e->lefts,     items,    e->ties,  e->shifts,
                      e->givens, e->relations, e->jumps, e->inputs};
    e->list = list;
    for (int k = 0; k < LENGTH(at); k++) *at[k] = list, list += length[k];
}

Effect *effect_make(Locals *l, const Instance *instance, const int *block, int blocks) {
    Effect *e = mem_take(1, sizeof *e);
    Making  m = {.l = l, .instance = instance, .plan = instance->plan, .event = e};
    l->stamp++;
    forward_cone(&m, block, blocks);
    e->fine = true;
    for (int q = 0; q < m.nodes && e->fine; q++) e->fine = may_change(&m, l->queue[q]);
    if (!e->fine) return e;
    find_moved(&m);
    int left = m.lists.count;
    find_lefts(&m);
    int  count = find_needed(&m, m.lists.at + left);
    int *evaluated = mem_take((size_t)count, sizeof(int));
    memcpy(evaluated, l->list, (size_t)count * sizeof(int));
    int from = m.lists.count;
    make_runs(&m, count);
    int  items = m.lists.count - from, tied = m.lists.count;
    int *lefts =
        mem_take((size_t)e->lefts, sizeof(int)); /* the lists move while they grow */
    memcpy(lefts, m.lists.at + left, (size_t)e->lefts * sizeof(int));
    for (int k = 0; k < e->moves; k++) tie(&m, m.lists.at[k]);
    find_tied(&m, count, lefts);
    tie_relations(&m);
    e->ties = m.lists.count - tied;
    find_changes(&m, count, evaluated);
    find_inputs(&m, count, evaluated, tied, e->ties);
    place_lists(e, items, m.lists.at);
    free(evaluated);
    free(lefts);
    return e;
}

void effect_free(Effect *e) {
    if (!e) return;
    free(e->list);
    free(e->run);
    free(e);
}
