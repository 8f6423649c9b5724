/* SPDX-License-Identifier: Apache-2.0 */
/* schedule.c -- blocks become groups of equal kernels: the text of the code no longer grows with
 * the number of rows.
 *
 * Blocks wait until all they use is computed, then queue up with the blocks of equal build.
 * One queue is emptied after the other; a row that becomes ready while its own queue is being
 * emptied joins the same group, so a chain of one kernel is one group whose rows run in order.
 * Chains that go through several kernels come out as a repeated sequence of short groups, which
 * is then found and folded into one group that runs the sequence as a loop.
 *
 * In clocked parts each phase of a partition has a line of its own, in the order in which its builds could begin if
 * every partition had a processor. One line is emptied as far as that goes without a wait: a piece of code belongs to
 * one phase, and every change costs a call and perhaps a wait (live/roster.c).
 *
 * In a group of single rows long stretches whose variables are affine in the row become groups
 * of their own.
 *
 * Torn blocks are of equal build if their kernels, and the places at which their unknowns
 * stand, are equal. Linear in blocks and edges, times the longest period that is looked for. */
#include "dae/plan.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PERIOD = 24, FEWEST_REPEATS = 4, STRETCH = 32, MOST_STRETCHES = 8 };
enum {
    TRANSFER = 40,
    STEP = 400
}; /* rows that take as long: until another partition sees a value; a step */

/* Code is written for the sizes of the arrays of its rows: they are part of a kernel. */
static uint64_t hash_sizes(const Structure *st, int row) {
    const Shapes *shapes = st->sys->shapes;
    uint64_t      h = 0;
    if (!shapes->shape[st->shape[row]].wide) return 0;
    for (int k = 0, rank; k < shapes->shape[st->shape[row]].slots; k++) {
        if (expr_op(shapes, shape_leaf(shapes, st->shape[row], k)) != TERM_ARRAY_SLOT)
            continue;
        const int32_t *sizes = structure_sizes(st, row, k, &rank);
        for (int d = 0; d < 2 * rank; d++)
            h = hash_mix(h * 31 ^ (uint64_t)(uint32_t)sizes[d]);
    }
    return h;
}

static int kernel_number(Plan *plan, KernelKind kind, int row, int slot) {
    int      shape = plan->st->shape[row];
    uint64_t key = (uint64_t)(uint32_t)shape << 32 | (uint64_t)(uint32_t)(slot + 1) << 3 |
                   (uint64_t)kind;
    key ^= hash_sizes(plan->st, row);
    int64_t known = map_get(&plan->kernel_of, key, -1);
    if (known >= 0) return (int)known;
    GROW(plan->kernel, plan->kernel_room, plan->kernels + 1);
    plan->kernel[plan->kernels] = (Kernel){(uint8_t)kind, shape, slot};
    map_put(&plan->kernel_of, key, plan->kernels);
    return plan->kernels++;
}

static int slot_of_variable(const Structure *st, int row, int var) {
    const Shapes *shapes = st->sys->shapes;
    for (int k = 0; k < shapes->shape[st->shape[row]].slots; k++)
        if (st->slot[st->first[row] + k] == var &&
            expr_op(shapes, shape_leaf(shapes, st->shape[row], k)) == TERM_SLOT)
            return k;
    return -1;
}

/* Kernel of the i-th equation of a block. */
static int kernel_of(Plan *plan, const Block *block, int i) {
    const Structure *st = plan->st;
    int              eq = st->order[block->first + i], row = st->eq_row[eq];
    if (block->kind == BLOCK_CALL) return kernel_number(plan, KERNEL_CALL, row, -1);
    bool residual = i >= block->count - block->torn;
    if (structure_multiple(st, row))
        return kernel_number(plan, residual ? KERNEL_REST : KERNEL_PART, row,
                             st->eq_part[eq]);
    if (residual) return kernel_number(plan, KERNEL_RESIDUAL, row, -1);
    return kernel_number(plan, KERNEL_SOLVE, row,
                         slot_of_variable(st, row, st->var_of[eq]));
}

/* ---- dependencies of blocks ------------------------------------------------------------------- */

static void make_uses(Plan *plan) {
    const Structure *st = plan->st;
    const Graph     *g = &st->graph;
    int             *mark = mem_resize(NULL, (size_t)(st->blocks + 1) * sizeof *mark);
    int *col = mem_resize(NULL, (size_t)(g->start[g->rows] + 1) * sizeof *col);
    int  edges = 0;
    plan->uses = (Graph){.rows = st->blocks, .cols = st->blocks};
    plan->uses.start = NEW(&plan->arena, int, st->blocks + 1);
    for (int b = 0; b < st->blocks; b++) mark[b] = -1;
    for (int b = 0; b < st->blocks; b++) {
        plan->uses.start[b] = edges;
        const Block *block = &st->block[b];
        for (int i = 0; i < block->count; i++) {
            int e = st->order[block->first + i];
            for (int k = g->start[e]; k < g->start[e + 1]; k++) {
                if (st->role[g->col[k]] != ROLE_UNKNOWN ||
                    !structure_waits(st, e, g->col[k]))
                    continue;
                int giver = st->block_of[st->eq_of[g->col[k]]];
                if (giver == b || mark[giver] == b) continue;
                mark[giver] = b;
                col[edges++] = giver;
            }
        }
    }
    plan->uses.start[st->blocks] = edges;
    plan->uses.col = NEW(&plan->arena, int, edges + 1);
    if (edges) memcpy(plan->uses.col, col, (size_t)edges * sizeof *col);
    MEM_FREE(mark, col);
}

/* ---- blocks of equal build ---------------------------------------------------------------------- */

/* Number of the build of a block: the same for blocks that one piece of code serves. */
static int build_of(Plan *plan, Map *builds, int b, int *place) {
    const Structure *st = plan->st;
    const Block     *block = &st->block[b];
    const Shapes    *shapes = st->sys->shapes;
    uint64_t         h =
        hash_mix((uint64_t)block->kind << 16 | (uint64_t)block->discrete << 8 |
                 (uint64_t)(block->matrix | block->sparse << 2 | block->piecewise << 3));
    h = hash_mix(h ^ (uint64_t)(1 + structure_phase(st, st->order[block->first])) << 40);
    if (block->kind == BLOCK_EXPLICIT || block->kind == BLOCK_CALL) {
        h ^= hash_mix((uint64_t)kernel_of(plan, block, 0) + 77);
    } else {
        for (int i = 0; i < block->count; i++)
            place[st->var_of[st->order[block->first + i]]] = i + 1;
        h = hash_mix(h ^ (uint64_t)block->count << 32 ^ (uint64_t)block->torn);
        for (int i = 0; i < block->count; i++) {
            int row = st->eq_row[st->order[block->first + i]];
            h = hash_mix(h ^ (uint64_t)(kernel_of(plan, block, i) + 1));
            for (int k = 0; k < shapes->shape[st->shape[row]].slots; k++) {
                TermOp op = expr_op(shapes, shape_leaf(shapes, st->shape[row], k));
                int    var = st->slot[st->first[row] + k];
                h = hash_mix(h * 31 ^ (uint64_t)(op == TERM_SLOT ? place[var] : 0));
            }
        }
        for (int i = 0; i < block->count; i++)
            place[st->var_of[st->order[block->first + i]]] = 0;
    }
    int64_t known = map_get(builds, h, -1);
    if (known >= 0) return (int)known;
    int number = (int)builds->count;
    map_put(builds, h, number);
    return number;
}

/* ---- queues ---------------------------------------------------------------------------------------- */

typedef struct Queue {
    int  *build;        /* by block */
    int  *waits;        /* by block: blocks it still waits for */
    int  *next;         /* by block: next in its queue, -1 if last */
    int  *head, *tail;  /* by build, -1 if empty */
    bool *listed;       /* by build: stands in line */
    int  *after;        /* by build: next in its line, -1 if last */
    int  *first, *last; /* by phase + 1: line of builds with something in their queue */
    int   phases, now;  /* lines; the one that is being emptied */
    /* of clocked parts, else NULL: */
    int  *phase; /* by build: its line */
    long *cost;  /* by block: in rows */
    long *due;   /* by build: when its first block can begin, see find_due */
    bool *gives; /* by build: another partition waits for its values */
    long *clock; /* by line: when the partition has done what came out of it */
} Queue;

/* Does build a come before b, which arrived earlier? */
static bool comes_before(const Queue *q, int a, int b) {
    if (!q->due) return false;
    return q->due[a] < q->due[b] ||
           (q->due[a] == q->due[b] && q->gives[a] && !q->gives[b]);
}

static void stand_in_line(Queue *q, int build) {
    const int phase = q->phase ? q->phase[build] : 0, last = q->last[phase];
    int      *at = &q->first[phase];
    if (*at >= 0 && !comes_before(q, build, last)) at = &q->after[last];
    while (*at >= 0 && !comes_before(q, build, *at)) at = &q->after[*at];
    q->after[build] = *at;
    *at = build;
    if (q->after[build] < 0) q->last[phase] = build;
}

static void enqueue(Queue *q, int b) {
    int build = q->build[b];
    q->next[b] = -1;
    if (q->head[build] < 0) q->head[build] = b;
    else q->next[q->tail[build]] = b;
    q->tail[build] = b;
    if (q->listed[build]) return;
    q->listed[build] = true;
    stand_in_line(q, build);
}

/* The line to go on with: the same while its first build is due, then the one whose first build is due first. */
static int next_line(const Queue *q) {
    int best = -1;
    if (!q->due ||
        (q->first[q->now] >= 0 && q->due[q->first[q->now]] <= q->clock[q->now]))
        return q->now;
    for (int p = 0; p < q->phases; p++)
        if (q->first[p] >= 0 &&
            (best < 0 || q->due[q->first[p]] < q->due[q->first[best]]))
            best = p;
    return best;
}

/* The build whose queue is emptied next, -1: none is left. */
static int next_build(Queue *q) {
    const int line = next_line(q), build = line < 0 ? -1 : q->first[line];
    if (build < 0) return -1;
    q->first[line] = q->after[build];
    q->now = line;
    if (q->due && q->clock[line] < q->due[build]) q->clock[line] = q->due[build];
    return build;
}

/* A step of several stages evaluates the rest of its partition; here it counts as so many rows. */
static long cost_of(const Structure *st, int b) {
    const Block *block = &st->block[b];
    const int    row = st->eq_row[st->order[block->first]];
    const long   torn = block->torn;
    bool         step =
        block->kind == BLOCK_EXPLICIT &&
        term_has(st->sys->shapes, st->sys->shapes->shape[st->shape[row]].root, TERM_STEP);
    return step ? STEP : block->count + torn * torn / 2;
}

/* When blocks can begin if every partition had a processor: blocks come in an order in which none uses a later
 * one. */
static void find_due(Queue *q, const Structure *st, const Graph *uses, int builds,
                     Arena *scratch) {
    long *end = NEW(scratch, long, st->blocks + 1);
    q->cost = NEW(scratch, long, st->blocks + 1);
    q->due = NEW(scratch, long, builds + 1);
    q->gives = NEW(scratch, bool, builds + 1);
    q->clock = NEW(scratch, long, q->phases + 1);
    for (int i = 0; i < builds; i++) q->due[i] = LONG_MAX;
    for (int b = 0; b < st->blocks; b++) {
        const int own = q->build[b];
        long      due = 0;
        for (int k = uses->start[b]; k < uses->start[b + 1]; k++) {
            const int  giver = q->build[uses->col[k]];
            const bool apart = q->phase[giver] / 2 != q->phase[own] / 2;
            const long seen = end[uses->col[k]] + (apart ? TRANSFER : 0);
            if (seen > due) due = seen;
            q->gives[giver] |= apart;
        }
        q->cost[b] = cost_of(st, b);
        end[b] = due + q->cost[b];
        if (due < q->due[own]) q->due[own] = due;
    }
}

static void open_lines(Queue *q, const Structure *st, const Graph *uses, int builds,
                       Arena *scratch) {
    q->head = NEW(scratch, int, builds + 1);
    q->tail = NEW(scratch, int, builds + 1);
    q->after = NEW(scratch, int, builds + 1);
    q->listed = NEW(scratch, bool, builds + 1);
    for (int i = 0; i < builds; i++) q->head[i] = -1;
    q->phases = 1;
    if (st->base > 0) q->phase = NEW(scratch, int, builds + 1);
    for (int b = 0; b < st->blocks && q->phase; b++) {
        int phase = structure_phase(st, st->order[st->block[b].first]);
        q->phase[q->build[b]] = phase;
        if (phase >= q->phases) q->phases = phase + 1;
    }
    q->first = NEW(scratch, int, q->phases);
    q->last = NEW(scratch, int, q->phases);
    for (int p = 0; p < q->phases; p++) q->first[p] = -1;
    if (q->phase) find_due(q, st, uses, builds, scratch);
}

/* Blocks in groups of equal build: sequence[] and the start of each run. Returns runs. */
static int run_queues(Plan *plan, int *sequence, int *run, uint8_t *parallel,
                      Arena *scratch) {
    const Structure *st = plan->st;
    int              n = st->blocks, done = 0, runs = 0;
    Map              builds = {0};
    Queue            q = {.build = NEW(scratch, int, n + 1),
                          .waits = NEW(scratch, int, n + 1),
                          .next = NEW(scratch, int, n + 1)};
    int  *place = NEW(scratch, int, st->vars + 1), *group_of = NEW(scratch, int, n + 1);
    Graph users = graph_transpose(&plan->uses, scratch);
    for (int b = 0; b < n; b++) q.build[b] = build_of(plan, &builds, b, place);
    open_lines(&q, st, &plan->uses, (int)builds.count, scratch);
    for (int b = 0; b < n; b++) {
        q.waits[b] = plan->uses.start[b + 1] - plan->uses.start[b];
        group_of[b] = -1;
    }
    for (int b = 0; b < n; b++)
        if (!q.waits[b]) enqueue(&q, b);
    for (int build; (build = next_build(&q)) >= 0; runs++) {
        run[runs] = done;
        parallel[runs] = true;
        while (q.head[build] >= 0) {
            int b = q.head[build];
            q.head[build] = q.next[b];
            if (q.clock) q.clock[q.now] += q.cost[b];
            sequence[done++] = b;
            group_of[b] = runs;
            for (int k = plan->uses.start[b]; k < plan->uses.start[b + 1]; k++)
                if (group_of[plan->uses.col[k]] == runs) parallel[runs] = false;
            for (int k = users.start[b]; k < users.start[b + 1]; k++)
                if (!--q.waits[users.col[k]]) enqueue(&q, users.col[k]);
        }
        q.listed[build] = false;
    }
    run[runs] = done;
    assert(done == n);
    map_free(&builds);
    for (int r = 0; r < runs; r++) parallel[r] |= run[r + 1] - run[r] == 1;
    return runs;
}

/* ---- groups ------------------------------------------------------------------------------------------ */

void plan_push_item(Plan *plan, int eq) {
    GROW(plan->item, plan->item_room, plan->items + 1);
    plan->item[plan->items++] = eq;
}

static void push_access(Plan *plan, const int *var, int count) {
    Access access = {.base = var[0],
                     .stride = count > 1 ? var[1] - var[0] : 0,
                     .table = -1,
                     .list = -1};
    bool   affine = true;
    for (int i = 2; i < count && affine; i++)
        affine = var[i] == access.base + access.stride * i;
    if (!affine) {
        GROW(plan->table, plan->table_room, plan->tables + (uint32_t)count);
        access.table = (int)plan->tables;
        memcpy(plan->table + plan->tables, var, (size_t)count * sizeof *var);
        plan->tables += (uint32_t)count;
    }
    GROW(plan->access, plan->access_room, plan->accesses + 1);
    plan->access[plan->accesses++] = access;
}

void plan_describe(Plan *plan, Group *group, const int *kernels) {
    const Structure *st = plan->st;
    const Shapes    *shapes = st->sys->shapes;
    int             *var = mem_take((size_t)group->count, sizeof *var);
    group->body = (int)plan->bodies;
    group->access = (int)plan->accesses;
    GROW(plan->body, plan->body_room, plan->bodies + (uint32_t)group->size);
    for (int j = 0; j < group->size; j++) plan->body[plan->bodies++] = kernels[j];
    for (int j = 0; j < group->size; j++)
        for (int k = 0; k < shapes->shape[plan->kernel[kernels[j]].shape].slots; k++) {
            for (int i = 0; i < group->count; i++) {
                int row = st->eq_row[plan->item[group->item + i * group->size + j]];
                var[i] = st->slot[st->first[row] + k];
            }
            push_access(plan, var, group->count);
        }
    group->iteration = (int)plan->accesses;
    for (int j = group->size - group->torn; j < group->size; j++) {
        for (int i = 0; i < group->count; i++)
            var[i] = st->var_of[plan->item[group->item + i * group->size + j]];
        push_access(plan, var, group->count);
    }
    mem_free(var);
}

static Group *new_group(Plan *plan, const Block *block, GroupKind kind) {
    GROW(plan->group, plan->group_room, plan->groups + 1);
    Group *group = &plan->group[plan->groups++];
    *group = (Group){.kind = (uint8_t)kind,
                     .block = block->kind,
                     .matrix = block->matrix,
                     .piecewise = block->piecewise,
                     .sparse = block->sparse,
                     .discrete = block->discrete,
                     .phase = structure_phase(plan->st, plan->st->order[block->first]),
                     .item = (int)plan->items};
    return group;
}

/* Blocks sequence[from .. to) of equal build. */
static void add_group(Plan *plan, const int *sequence, int from, int to, bool parallel) {
    const Structure *st = plan->st;
    const Block     *block = &st->block[sequence[from]];
    bool             loop = block->torn > 0;
    Group           *group = new_group(plan, block, loop ? GROUP_LOOP : GROUP_ROWS);
    group->parallel = parallel;
    group->count = to - from;
    group->size = loop ? block->count : 1; /* a call is one row whatever it gives */
    group->torn = block->torn;
    int *kernels = mem_take((size_t)group->size, sizeof *kernels);
    for (int j = 0; j < group->size; j++) kernels[j] = kernel_of(plan, block, j);
    for (int i = from; i < to; i++)
        for (int j = 0; j < group->size; j++)
            plan_push_item(plan, st->order[st->block[sequence[i]].first + j]);
    plan_describe(plan, group, kernels);
    mem_free(kernels);
}

/* ---- affine stretches ---- */

static int row_of_block(const Structure *st, int b) {
    return st->eq_row[st->order[st->block[b].first]];
}

/* Do the slots of row c follow those of b as b's follow a's? */
static bool continues(const Structure *st, int a, int b, int c) {
    const int *x = st->slot + st->first[a], *y = st->slot + st->first[b];
    const int *z = st->slot + st->first[c];
    for (int k = 0; k < st->sys->shapes->shape[st->shape[a]].slots; k++)
        if (z[k] - y[k] != y[k] - x[k]) return false;
    return true;
}

/* End of the stretch of blocks that begins at `from` and is affine in all slots. A first block
 * that is only followed by chance stays alone. */
static int stretch(const Structure *st, const int *sequence, int from, int to) {
    int end = from + 2;
    if (end >= to) return to;
    while (end < to && continues(st, row_of_block(st, sequence[end - 2]),
                                 row_of_block(st, sequence[end - 1]),
                                 row_of_block(st, sequence[end])))
        end++;
    return end == from + 2 ? from + 1 : end;
}

/* Rows that do not depend on each other in the order of the equations, where loops are. Most stand close together:
 * then each is put at its place. */
static void sort_rows(const Structure *st, int *sequence, int from, int to) {
    int  low = INT_MAX, high = -1, n = to - from;
    bool ascends = true;
    for (int i = from; i < to; i++) {
        const int row = row_of_block(st, sequence[i]);
        ascends &= row > high;
        if (row < low) low = row;
        if (row > high) high = row;
    }
    if (ascends) return;
    if (high - low < 8 * n) {
        int *block = mem_take((size_t)(high - low) + 1, sizeof *block);
        for (int i = from; i < to; i++)
            block[row_of_block(st, sequence[i]) - low] = sequence[i] + 1;
        for (int k = 0; k <= high - low; k++)
            if (block[k]) sequence[from++] = block[k] - 1;
        mem_free(block);
        return;
    }
    Ranked *pair = mem_take((size_t)n + 1, sizeof *pair);
    for (int i = 0; i < n; i++)
        pair[i] = (Ranked){row_of_block(st, sequence[from + i]), sequence[from + i]};
    qsort(pair, (size_t)n, sizeof *pair, ranked_ascending);
    for (int i = 0; i < n; i++) sequence[from + i] = pair[i].number;
    mem_free(pair);
}

/* Long affine stretches become groups of their own, because they need no tables and make vector
 * code; what is between them stays together. Only a few, so that the text does not grow. */
static void add_stretches(Plan *plan, int *sequence, int from, int to, bool parallel) {
    const Structure *st = plan->st;
    int              count = 0, covered = 0, pending = from;
    if (parallel) sort_rows(st, sequence, from, to);
    for (int i = from, end; i < to; i = end) {
        end = stretch(st, sequence, i, to);
        if (end - i < STRETCH) continue;
        covered += end - i;
        count++;
    }
    if (count <= MOST_STRETCHES && covered >= (to - from) / 8 * 7) {
        for (int i = from, end; i < to; i = end) {
            end = stretch(st, sequence, i, to);
            if (end - i < STRETCH) continue;
            if (i > pending) add_group(plan, sequence, pending, i, parallel);
            add_group(plan, sequence, i, end, parallel);
            pending = end;
        }
    }
    if (to > pending) add_group(plan, sequence, pending, to, parallel);
}

static void add_rows(Plan *plan, int *sequence, int from, int to, bool parallel) {
    bool explicit = plan->st->block[sequence[from]].kind == BLOCK_EXPLICIT;
    if (explicit && to - from >= 2 * STRETCH)
        add_stretches(plan, sequence, from, to, parallel);
    else add_group(plan, sequence, from, to, parallel);
}

typedef struct Runs {
    Plan          *plan;
    int           *sequence;
    const int     *run;
    const uint8_t *parallel;
    const int *build; /* by run: kernel if it is a single explicit row, else -1 - run */
    int        runs;
} Runs;

/* Repeats of the sequence of `period` runs that starts at r; 0 if it is none. */
static int repeats(const Runs *x, int r, int period) {
    int length = period;
    for (int i = r; i < r + period; i++)
        if (i >= x->runs || x->build[i] < 0) return 0;
    while (r + length < x->runs && x->build[r + length] == x->build[r + length - period])
        length++;
    return length / period;
}

static void add_chain(const Runs *x, int r, int period, int count) {
    Plan            *plan = x->plan;
    const Structure *st = plan->st;
    const Block     *block = &st->block[x->sequence[x->run[r]]];
    Group           *group = new_group(plan, block, GROUP_CHAIN);
    group->size = period;
    group->count = count;
    for (int i = 0; i < period * count; i++)
        plan_push_item(plan, st->order[st->block[x->sequence[x->run[r + i]]].first]);
    plan_describe(plan, group, x->build + r);
}

static void make_groups(const Runs *x) {
    for (int r = 0; r < x->runs;) {
        int best = 0, count = 0;
        for (int period = 1; x->build[r] >= 0 && period <= LONGEST_PERIOD; period++) {
            int n = repeats(x, r, period);
            if (n >= FEWEST_REPEATS && n * period > best * count) {
                best = period;
                count = n;
                break; /* the shortest period that repeats is the natural one */
            }
        }
        if (best) {
            add_chain(x, r, best, count);
            r += best * count;
        } else {
            add_rows(x->plan, x->sequence, x->run[r], x->run[r + 1], x->parallel[r]);
            r++;
        }
    }
}

void plan_groups(Plan *plan, const Structure *st) {
    assert(st->done == DONE_TEAR);
    ASSERT_SLOWLY(structure_is_torn(st));
    *plan = (Plan){.st = st};
    Arena    scratch = {0};
    int     *sequence = NEW(&scratch, int, st->blocks + 1);
    int     *run = NEW(&scratch, int, st->blocks + 2);
    uint8_t *parallel = NEW(&scratch, uint8_t, st->blocks + 1);
    make_uses(plan);
    int  runs = run_queues(plan, sequence, run, parallel, &scratch);
    int *build = NEW(&scratch, int, runs + 1);
    for (int r = 0; r < runs; r++) {
        const Block *block = &st->block[sequence[run[r]]];
        bool         single = run[r + 1] - run[r] == 1 && block->kind == BLOCK_EXPLICIT &&
                      !block->discrete && !st->base;
        build[r] = single ? kernel_of(plan, block, 0) : -1 - r;
    }
    make_groups(&(Runs){plan, sequence, run, parallel, build, runs});
    arena_free(&scratch);
    ASSERT_CONTRACT(plan->st->eqs, plan_is_complete(plan));
}

void plan_make(Plan *plan, const Structure *st) {
    plan_groups(plan, st);
    plan_needs(plan);
    plan_homes(plan);
}

void plan_free(Plan *plan) {
    MEM_FREE(plan->kernel, plan->group, plan->body, plan->access, plan->table,
             plan->item);
    map_free(&plan->kernel_of);
    arena_free(&plan->arena);
    *plan = (Plan){0};
}

int plan_iteration(const Plan *plan, const Group *group, int row, int k) {
    return plan_variable(plan, plan->access + group->iteration + k, row);
}

void plan_report(const Plan *plan, Text *out) {
    static const char *const kind[] = {"rows", "chain", "loop"};
    static const char *const matrix[] = {"", ", matrix changes at events",
                                         ", constant matrix"};
    text_printf(out, "%d groups of %d kernels\n", plan->groups, plan->kernels);
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        text_printf(out, "%s: %d x %d kernels%s%s%s", kind[group->kind], group->count,
                    group->size, group->parallel ? ", parallel" : "",
                    group->discrete ? ", at events" : "", group->shown ? ", shown" : "");
        if (group->torn)
            text_printf(out, ", %d iteration variables%s", group->torn,
                        matrix[group->matrix]);
        text_char(out, '\n');
    }
}

void plan_print_needs(const Plan *plan, Text *out) {
    static const char *const when[] = {"with the derivatives", "to be shown",
                                       "at events"};
    int                      groups[3] = {0}, rows[3] = {0};
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        int          k = group->discrete ? 2 : group->shown;
        groups[k]++;
        rows[k] += group->count * group->size;
    }
    for (int k = 0; k < LENGTH(when); k++)
        text_printf(out, "%s: %d groups, %d rows\n", when[k], groups[k], rows[k]);
}

void plan_print_homes(const Plan *plan, Text *out) {
    const Structure *st = plan->st;
    int              count[4] = {0};
    for (int g = 0; g < plan->groups; g++)
        for (int k = plan->group[g].access; k < plan->group[g].iteration; k++)
            count[plan->access[k].home]++;
    text_printf(out, "accesses: %d of values, %d of states, %d of rates, %d local\n",
                count[HOME_VALUES], count[HOME_STATES], count[HOME_RATES],
                count[HOME_LOCAL]);
    for (int v = 0, state = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_STATE) continue;
        system_name(st->sys, v, out);
        text_add(out, plan->copied[state] ? ": copied" : ": in place");
        text_add(out, plan->written[state++] ? ", rate in place\n" : ", rate copied\n");
    }
}
