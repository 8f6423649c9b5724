/* SPDX-License-Identifier: Apache-2.0 */
/* local.c -- events of parts of a model: which relations can be looked at, and their events lived
 * through, without the rest.
 *
 * Forward cone. A relation that changes makes its block change, then whatever reads the unknowns
 * of that block or their left limits, actions included; a reinit makes change what reads the state.
 * Nothing else can change in the event.
 * Evaluated are those blocks of the forward cone that hold discrete values or relations, and what
 * they and the actions need of continuous blocks. All states that this concerns, together with
 * those whose derivatives lie in the forward cone, must be integrated together; boundary values
 * are known for what their derivatives read.
 *
 * A relation is local unless its forward cone holds a time event, an impure function, an action
 * other than reinit, a relation that is not local, or needs a nonlinear block; unless it reads no
 * state; and unless it ties more than half of the states together. What is not local is treated
 * for the model as a whole.
 *
 * Setting up costs the sum of the cones, and stops with WORK_LIMIT: later relations are not local. */
#include "live/live.h"

#include <stdlib.h>
#include <string.h>

#define WORK_LIMIT 5e7

typedef struct Run { /* rows of one group or family */
    int group, first, count;
} Run;

typedef struct Event {  /* what happens when relations of some blocks change */
    int *list;          /* everything below, one after the other */
    int *input, inputs; /* states that are read */
    int *item;          /* rows, run by run */
    Run *run;           /* blocks in the order of the plan */
    int  runs;
    Run *act; /* actions, items in the same list */
    int  acts;
    int *relation, relations; /* whose values may change */
    int *left, lefts;         /* left limits of continuous variables that are read */
    int *shift, shifts;       /* left limits that change */
    int *given, givens;       /* discrete unknowns */
    int *jump, jumps;         /* states that may be set */
    int *moved, moves;        /* states whose derivatives or values may change */
    int *tied, ties;          /* states that must be integrated together */
    long rows;                /* scalar equations */
    bool fine;                /* it is local, as far as that is seen from here */
} Event;

typedef struct Links { /* compressed rows */
    int *start, *to;
} Links;

struct Locals {
    Relations relations;
    bool     *local;                 /* by relation */
    int       blocks, actions;       /* nodes: blocks, then rows of actions */
    int      *group, *item, *family; /* by block; family and item by action behind them */
    int      *order;                 /* by block: place in the plan */
    int      *target;     /* by action: state that is set + 1, 0: another action */
    Links     readers;    /* by variable: nodes that read it */
    Links     reads;      /* by action: variables */
    Links     pres;       /* by variable: its left limits that somebody reads */
    Links     of_block;   /* by block: relations */
    int      *number;     /* by variable: its state + 1 */
    Links     rates;      /* by variable: states whose derivative it is */
    int      *derivative; /* by state: block of its derivative, -1 if none */
    int      *mark, *need, *base; /* by node: stamps */
    int      *state_mark, *var_mark;
    int       stamp;
    int      *queue, *list; /* work */
    double    work;
    Event   **event; /* by block, NULL until it is needed */
    Event    *joint; /* of several blocks: the last one */
    int      *joint_block, joint_blocks;
    bool      again; /* the last round asked for another one */
    bool      any;   /* relation is local */
    Pattern   reads_pattern, changes_pattern;
    double   *before; /* values at the beginning of a round */
};

static void *take(size_t n, size_t size) {
    void *p = calloc(n + 1, size);
    if (!p) abort();
    return p;
}

/* ---- who reads what ---------------------------------------------------------------------- */

typedef struct Pairs { /* (row, entry) on the way to compressed rows */
    int     *pair;
    int      count;
    uint32_t room;
    int      row;
} Pairs;

static void add_pair(Pairs *p, int row, int entry) {
    if ((uint32_t)(2 * p->count) + 2 > p->room) {
        p->room = 2 * p->room + 256;
        p->pair = mem_resize(p->pair, (size_t)p->room * sizeof(int));
    }
    p->pair[2 * p->count] = row;
    p->pair[2 * p->count++ + 1] = entry;
}

/* Ends the list; `by` 1: entries become rows. */
static Links make_links(Pairs *p, int rows, int by) {
    Links l = {take((size_t)rows + 1, sizeof(int)), take((size_t)p->count, sizeof(int))};
    for (int k = 0; k < p->count; k++) l.start[p->pair[2 * k + by] + 1]++;
    for (int i = 0; i < rows; i++) l.start[i + 1] += l.start[i];
    for (int k = 0; k < p->count; k++)
        l.to[l.start[p->pair[2 * k + by]]++] = p->pair[2 * k + 1 - by];
    for (int i = rows; i > 0; i--) l.start[i] = l.start[i - 1];
    l.start[0] = 0;
    return l;
}

static void free_links(Links *l) {
    free(l->start), free(l->to);
}

static void read_by_row(void *context, int var, int slot) {
    Pairs *p = context;
    (void)slot;
    add_pair(p, p->row, var);
}

/* Variables of row i of a family of actions. */
static void read_by_action(const Structure *st, const Family *family, int i, Pairs *p) {
    const System *sys = st->sys;
    const Shapes *shapes = sys->shapes;
    int           slots = shapes->shape[family->shape].slots;
    int          *slot = take((size_t)slots, sizeof(int));
    family_slots(sys, family, i, slot);
    for (int k = 0; k < slots; k++) {
        int rank = 0, count = 1, at[ROW_DIMS] = {0}, var = slot[k];
        if (expr_op(shapes, shape_leaf(shapes, family->shape, k)) == TERM_NUMBER)
            continue;
        const int32_t *sizes = family_sizes(sys, family, k, &rank);
        if (!sizes) rank = 0;
        for (int d = 0; d < rank; d++) count *= sizes[2 * d];
        for (int n = 0; n < count; n++) {
            add_pair(p, p->row, st->alias[var]);
            for (int d = rank - 1; d >= 0; d--) {
                var += sizes[2 * d + 1];
                if (++at[d] < sizes[2 * d]) break;
                var -= sizes[2 * d] * sizes[2 * d + 1];
                at[d] = 0;
            }
        }
    }
    free(slot);
}

/* The state that an action sets, -1 if it does something else. */
static int reinit_target(const Structure *st, const Family *family, int i) {
    const Shapes *shapes = st->sys->shapes;
    Term          root = shapes->shape[family->shape].root;
    int          *slot, var;
    if (expr_op(shapes, root) == TERM_WHEN) root = expr_arg(shapes, root, 1);
    if (expr_op(shapes, root) != TERM_REINIT) return -1;
    slot = take((size_t)shapes->shape[family->shape].slots, sizeof(int));
    family_slots(st->sys, family, i, slot);
    var = slot[shapes->node[expr_arg(shapes, root, 0)].index];
    free(slot);
    return st->alias[var];
}

static void find_actions(Locals *l, const Structure *st, Pairs *reads) {
    const Families *actions = &st->sys->set[ROWS_ACTION];
    int             n = l->blocks;
    for (int f = 0; f < actions->count; f++) {
        const Family *family = &actions->family[f];
        bool          check = action_is_check(st->sys->shapes, family);
        for (int i = 0; i < family->count; i++, n++) {
            int target = reinit_target(st, family, i);
            l->family[n - l->blocks] = f;
            l->item[n] = i;
            l->target[n - l->blocks] = target >= 0 ? l->number[target] : 0;
            reads->row = n;
            if (!check) read_by_action(st, family, i, reads); /* asked after every step */
        }
    }
}

static void find_blocks(Locals *l, const Plan *plan) {
    const Structure *st = plan->st;
    int              n = 0;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        bool         loop = group->kind == GROUP_LOOP;
        int          count = group->count * (loop ? 1 : group->size);
        for (int k = 0; k < count; k++) {
            int b = st->block_of[plan->item[group->item + (loop ? k * group->size : k)]];
            l->group[b] = g;
            l->item[b] = k;
            l->order[b] = n++;
        }
    }
}

static bool is_left_limit(const System *sys, int var) {
    return sys->run[system_run_of(sys, var)].kind == VAR_PRE;
}

/* The variable that a left limit is of. */
static int source_of(const Structure *st, int pre) {
    const System *sys = st->sys;
    const VarRun *run = &sys->run[system_run_of(sys, pre)];
    return st->alias[sys->run[run->of].first + pre - run->first];
}

static void find_readers(Locals *l, const Plan *plan) {
    const Structure *st = plan->st;
    Pairs            reads = {0}, pres = {0}, acts = {0}, own = {0};
    for (int b = 0; b < st->blocks; b++)
        for (int i = 0; i < st->block[b].count; i++) {
            reads.row = b;
            structure_uses(st, st->eq_row[st->order[st->block[b].first + i]], read_by_row,
                           &reads);
        }
    int from = reads.count;
    find_actions(l, st, &reads);
    for (int k = from; k < reads.count; k++)
        add_pair(&acts, reads.pair[2 * k] - l->blocks, reads.pair[2 * k + 1]);
    l->readers = make_links(&reads, st->vars, 1);
    l->reads = make_links(&acts, l->actions, 0);
    for (int v = 0; v < st->vars; v++)
        if (l->readers.start[v + 1] > l->readers.start[v] && is_left_limit(st->sys, v))
            add_pair(&pres, source_of(st, v), v);
    l->pres = make_links(&pres, st->vars, 0);
    for (int k = 0; k < l->relations.count; k++)
        add_pair(&own, st->block_of[plan->item[l->relations.item[k]]], k);
    l->of_block = make_links(&own, st->blocks, 0);
    free(reads.pair), free(pres.pair), free(acts.pair), free(own.pair);
}

/* ---- one event --------------------------------------------------------------------------- */

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
    Event          *event;
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
static int continuous_giver(const Structure *st, int var) {
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
    int *pair = take(2 * (size_t)count, sizeof(int));
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
    Event  *e = m->event;
    e->run = take((size_t)(count + m->nodes), sizeof *e->run);
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
    Event           *e = m->event;
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
static void place_lists(Event *e, int items, int *list) {
    int **at[] = {&e->moved, &e->left,     &e->item, &e->tied, &e->shift,
                  &e->given, &e->relation, &e->jump, &e->input};
    int   length[] = {e->moves,  e->lefts,     items,    e->ties,  e->shifts,
                      e->givens, e->relations, e->jumps, e->inputs};
    e->list = list;
    for (int k = 0; k < LENGTH(at); k++) *at[k] = list, list += length[k];
}

static Event *make_event(Locals *l, const Instance *instance, const int *block,
                         int blocks) {
    Event *e = take(1, sizeof *e);
    Making m = {.l = l, .instance = instance, .plan = instance->plan, .event = e};
    l->stamp++;
    forward_cone(&m, block, blocks);
    e->fine = true;
    for (int q = 0; q < m.nodes && e->fine; q++) e->fine = may_change(&m, l->queue[q]);
    if (!e->fine) return e;
    find_moved(&m);
    int left = m.lists.count;
    find_lefts(&m);
    int  count = find_needed(&m, m.lists.at + left);
    int *evaluated = take((size_t)count, sizeof(int));
    memcpy(evaluated, l->list, (size_t)count * sizeof(int));
    int from = m.lists.count;
    make_runs(&m, count);
    int  items = m.lists.count - from, tied = m.lists.count;
    int *lefts = take((size_t)e->lefts, sizeof(int)); /* the lists move while they grow */
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

static void event_free(Event *e) {
    if (!e) return;
    free(e->list);
    free(e->run);
    free(e);
}

/* ---- what is local ----------------------------------------------------------------------- */

static int root_of(int *up, int k) {
    while (up[k] != k) k = up[k] = up[up[k]];
    return k;
}

/* Relations that tie more than half of the states together are not local. */
static void leave_large(Locals *l, const Instance *instance) {
    const Structure *st = instance->plan->st;
    int              n = instance->states;
    int *up = take((size_t)n, sizeof(int)), *size = take((size_t)n, sizeof(int));
    for (int i = 0; i < n; i++) up[i] = i;
    for (int b = 0; b < st->blocks; b++) {
        const Event *e = l->event[b];
        for (int k = 1; e && e->fine && k < e->ties; k++)
            up[root_of(up, e->tied[k])] = root_of(up, e->tied[0]);
    }
    for (int i = 0; i < n; i++) size[root_of(up, i)]++;
    for (int b = 0; b < st->blocks; b++) {
        Event *e = l->event[b];
        if (e && e->fine && 2 * size[root_of(up, e->tied[0])] > n) e->fine = false;
    }
    free(up);
    free(size);
}

/* What can make a relation change that is not local is not local either. */
static bool leave_dependent(Locals *l, const Instance *instance) {
    bool left = false;
    for (int b = 0; b < instance->plan->st->blocks; b++) {
        Event *e = l->event[b];
        for (int k = 0; e && e->fine && k < e->relations; k++) {
            int other =
                instance->plan->st
                    ->block_of[instance->plan->item[l->relations.item[e->relation[k]]]];
            if (l->event[other] && l->event[other]->fine) continue;
            e->fine = false;
            left = true;
        }
    }
    return left;
}

static void choose(Locals *l, const Instance *instance) {
    const Structure *st = instance->plan->st;
    for (int b = 0; b < st->blocks && l->work < WORK_LIMIT; b++) {
        if (l->of_block.start[b + 1] == l->of_block.start[b]) continue;
        l->event[b] = make_event(l, instance, &b, 1);
        if (l->event[b]->ties == 0) l->event[b]->fine = false;
    }
    leave_large(l, instance);
    while (leave_dependent(l, instance)) continue;
    for (int b = 0; b < st->blocks; b++)
        for (int k = l->of_block.start[b]; k < l->of_block.start[b + 1]; k++)
            l->local[l->of_block.to[k]] = l->event[b] && l->event[b]->fine;
}

static int ascending(const void *a, const void *b) {
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* A crossing reads and changes all that its event ties together. */
static bool make_patterns(Locals *l, const Instance *instance) {
    const Structure *st = instance->plan->st;
    const Plan      *plan = instance->plan;
    Pairs            pairs = {0};
    for (int k = 0; k < l->relations.count; k++) {
        const Event *e = l->event[st->block_of[plan->item[l->relations.item[k]]]];
        for (int i = 0; l->local[k] && i < e->ties; i++) add_pair(&pairs, k, e->tied[i]);
    }
    Links by_state = make_links(&pairs, instance->states, 1);
    Links by_crossing = make_links(&pairs, l->relations.count, 0);
    for (int k = 0; k < l->relations.count; k++)
        qsort(by_crossing.to + by_crossing.start[k],
              (size_t)(by_crossing.start[k + 1] - by_crossing.start[k]), sizeof(int),
              ascending);
    l->reads_pattern =
        (Pattern){l->relations.count, instance->states, by_state.start, by_state.to};
    l->changes_pattern = (Pattern){instance->states, l->relations.count,
                                   by_crossing.start, by_crossing.to};
    free(pairs.pair);
    return by_state.start[instance->states] > 0;
}

static bool has_clocks(const System *sys) {
    for (int r = 0; r < sys->runs; r++)
        if (sys->run[r].kind == VAR_CLOCK || sys->run[r].kind == VAR_PREVIOUS)
            return true;
    return false;
}

Locals *locals_new(const Instance *instance) {
    const Plan      *plan = instance->plan;
    const Structure *st = plan->st;
    size_t           vars = (size_t)st->vars, states = (size_t)instance->states;
    if (!plan->selective || !instance->image->rows) return NULL;
    Locals *l = take(1, sizeof *l);
    relations_find(&l->relations, plan);
    l->blocks = st->blocks;
    l->actions = st->sys->set[ROWS_ACTION].rows;
    size_t nodes = (size_t)(l->blocks + l->actions);
    l->local = take((size_t)l->relations.count, sizeof(bool));
    l->group = take(nodes, sizeof(int));
    l->item = take(nodes, sizeof(int));
    l->order = take(nodes, sizeof(int));
    l->family = take((size_t)l->actions, sizeof(int));
    l->target = take((size_t)l->actions, sizeof(int));
    l->number = take(vars, sizeof(int));
    l->derivative = take(states, sizeof(int));
    l->mark = take(nodes, sizeof(int));
    l->need = take(nodes, sizeof(int));
    l->base = take(nodes, sizeof(int));
    l->queue = take(nodes, sizeof(int));
    l->list = take(nodes, sizeof(int));
    l->state_mark = take(states, sizeof(int));
    l->var_mark = take(vars, sizeof(int));
    l->event = take((size_t)l->blocks, sizeof *l->event);
    Pairs rates = {0};
    for (int i = 0; i < instance->states; i++) {
        l->number[instance->state[i]] = i + 1;
        l->derivative[i] = continuous_giver(st, instance->rate[i]);
        add_pair(&rates, instance->rate[i], i);
    }
    l->rates = make_links(&rates, st->vars, 0);
    free(rates.pair);
    find_blocks(l, plan);
    find_readers(l, plan);
    if (l->relations.count && !has_clocks(st->sys)) choose(l, instance);
    l->any = make_patterns(l, instance);
    l->before = take(vars + vars + (size_t)l->relations.count, sizeof(double));
    l->joint_block = take((size_t)l->relations.count, sizeof(int));
    return l;
}

void locals_free(Locals *l) {
    if (!l) return;
    for (int b = 0; b < l->blocks; b++) event_free(l->event[b]);
    event_free(l->joint);
    relations_free(&l->relations);
    free_links(&l->readers), free_links(&l->reads), free_links(&l->pres);
    free_links(&l->of_block), free_links(&l->rates);
    free((void *)l->reads_pattern.start), free((void *)l->reads_pattern.row);
    free((void *)l->changes_pattern.start), free((void *)l->changes_pattern.row);
    free(l->local), free(l->group), free(l->item), free(l->order), free(l->family);
    free(l->target), free(l->number), free(l->derivative), free(l->mark), free(l->need);
    free(l->base), free(l->queue), free(l->list), free(l->state_mark), free(l->var_mark);
    free(l->event), free(l->joint_block), free(l->before);
    free(l);
}

const Relations *locals_relations(const Locals *l) {
    return &l->relations;
}

bool locals_patterns(const Locals *l, const Pattern **reads, const Pattern **changes) {
    *reads = &l->reads_pattern;
    *changes = &l->changes_pattern;
    return l->any;
}

/* ---- living through it ------------------------------------------------------------------- */

/* The event of some relations: of their blocks together. */
static const Event *event_of(Locals *l, const Instance *instance,
                             const Selection *which) {
    const Plan *plan = instance->plan;
    int         n = selection_count(which, l->relations.count), blocks = 0;
    int        *list = l->list;
    for (int k = 0; k < n; k++) {
        int b =
            plan->st->block_of[plan->item[l->relations.item[selection_row(which, k)]]];
        bool known = false;
        for (int i = 0; i < blocks && !known; i++) known = list[i] == b;
        if (!known) list[blocks++] = b;
    }
    if (blocks == 1) return l->event[list[0]];
    size_t bytes = (size_t)blocks * sizeof(int);
    if (!l->joint || l->joint_blocks != blocks ||
        memcmp(list, l->joint_block, bytes) != 0) {
        event_free(l->joint);
        l->joint_blocks = blocks;
        memcpy(l->joint_block, list, bytes);
        l->joint = make_event(l, instance, l->joint_block, blocks);
    }
    return l->joint;
}

/* Runs the blocks; not 0: failed. */
static int run_blocks(Instance *instance, const Event *e, bool discrete) {
    instance->part = true;
    for (int k = 0; k < e->runs; k++) {
        const Run *run = &e->run[k];
        if (instance->plan->group[run->group].discrete && !discrete) continue;
        if (instance->image->rows(run->group)(&instance->rb, e->item + run->first,
                                              run->count))
            return instance->part = false, 1;
    }
    instance->part = false;
    for (int k = 0; k < e->moves; k++) { /* actions read derivatives among the values */
        int i = e->moved[k];
        if (instance->plan->written[i])
            instance->rb.v[instance->rate[i]] = instance->dx[i];
    }
    instance->rows += e->rows;
    return instance->rb.failed;
}

static int run_actions(Instance *instance, const Event *e) {
    for (int k = 0; k < e->acts; k++) {
        const Run *run = &e->act[k];
        if (instance->image->action(run->group)(&instance->rb, e->item + run->first,
                                                run->count))
            return 1;
    }
    return 0;
}

static double present(const Instance *instance, int pre) {
    const System *sys = instance->plan->st->sys;
    const VarRun *run = &sys->run[system_run_of(sys, pre)];
    return instance_value(instance, sys->run[run->of].first + pre - run->first);
}

/* Left limits take the present values. Did a discrete one change? */
static bool shift(Instance *instance, const int *pre, int n, double t) {
    const System *sys = instance->plan->st->sys;
    bool          changed = false;
    for (int k = 0; k < n; k++) {
        double  now = present(instance, pre[k]), *at = &instance->rb.v[pre[k]];
        VarRun *of = &sys->run[sys->run[system_run_of(sys, pre[k])].of];
        if (!(*at < now || *at > now)) continue;
        changed |= of->kind == VAR_DISCRETE || of->type != TYPE_REAL;
        if (!journal_set(&instance->journal, at, now, t)) abort();
    }
    return changed;
}

/* What the code has written goes through the journal; undo: it never was. */
static bool settle(Instance *instance, double *at, double before, double t, bool undo) {
    double now = *at;
    if (!(now < before || now > before)) return false;
    *at = before;
    if (!undo && !journal_set(&instance->journal, at, now, t)) abort();
    return true;
}

Status locals_event(Instance *instance, double t, double *x, const Selection *which,
                    bool *again) {
    Locals      *l = instance->locals;
    Rb          *c = &instance->rb;
    const Event *e = event_of(l, instance, which);
    double      *given = l->before, *mode = given + e->givens;
    bool         changed = false;
    cones_forget(instance->cones);
    instance->complete = false;
    for (int k = 0; k < e->inputs; k++)
        c->v[instance->state[e->input[k]]] = x[e->input[k]];
    c->x = x;
    c->dx = instance->dx;
    c->time = t;
    if (!l->again && e->lefts) {
        if (run_blocks(instance, e, false)) return STATUS_RETRY;
        shift(instance, e->left, e->lefts, t);
    }
    for (int k = 0; k < e->givens; k++) given[k] = c->v[e->given[k]];
    for (int k = 0; k < e->relations; k++) mode[k] = c->mode[e->relation[k]];
    c->live = 1;
    instance->settling = true;
    bool failed = run_blocks(instance, e, true) || run_actions(instance, e);
    instance->settling = false;
    c->live = 0;
    instance->stamps.events++;
    for (int k = 0; k < e->givens; k++)
        settle(instance, &c->v[e->given[k]], given[k], t, failed);
    for (int k = 0; k < e->relations; k++)
        changed |= settle(instance, &c->mode[e->relation[k]], mode[k], t, failed);
    l->again = false;
    if (failed) return STATUS_RETRY;
    for (int k = 0; k < e->jumps; k++) x[e->jump[k]] = c->v[instance->state[e->jump[k]]];
    changed |= shift(instance, e->shift, e->shifts, t);
    *again = l->again = changed;
    return STATUS_OK;
}
