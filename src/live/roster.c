/* SPDX-License-Identifier: Apache-2.0 */
/* roster.c -- which thread computes which piece of a tick, in which order, and who waits for whom.
 *
 * The code of a base-clock partition consists of pieces; each belongs to one phase of a sub-clock partition, and
 * uses what others give at the same tick. A sub-clock partition stays on one thread, which runs its pieces in the
 * order of the program. Partitions are given to threads by decreasing effort, those that are worth no exchange of
 * values together with others.
 *
 * Then the tick is played through with estimated times (list scheduling, Graham 1969): of the pieces whose
 * givers are done that one comes next which can begin first, and of several the one that most of the work still
 * waits for, along the longest path. So a thread does what nobody waits for while it waits itself. The order in
 * which pieces begin there is one for all threads, so that no two of them can wait for each other for ever. Partitions
 * go to other threads as long as the tick ends clearly earlier. Variables of equal components lie beside each other, so
 * that such partitions on two threads share lines of the cache: those with equal work are given out in their order.
 *
 * Times are estimated by counting nodes of formulas; nothing is measured, so that the roster is the same in every
 * run. Linear in the rows; each piece is chosen among LOOK at most. */
#include "live/tick.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {                 /* nodes of formulas: one takes about half a nanosecond */
       TRANSFER = 400, /* until another thread sees a value */
       CALL = 10,      /* a function of one number, a call, a power */
       PIECE = 20,     /* to begin one */
       LOOP = 400,     /* to begin to solve one */
       WORTH = 10,     /* share of a tick that must be gained by another thread */
       LATER = 50,     /* share of a tick that it may end later for fewer shared lines */
       LOOK = 64,      /* pieces that are looked at for the next one */
       PLAYS =
           200000 /* times the pieces are put in order while better threads are looked for */
};

enum { SLOT_READ = 1, SLOT_GIVEN = 2 };

typedef struct KernelUse {
    long     effort; /* of a row */
    uint8_t *slot;   /* by slot: SLOT_ */
} KernelUse;

typedef struct Making {
    const Program   *program;
    const BaseClock *base;
    const Image     *image;
    int              threads;
    Arena            arena;
    int              count;  /* pieces, in the order of the program */
    int             *phase;  /* by piece ... */
    KernelUse       *kernel; /* of the part */
    long            *effort;
    long            *tail; /* with all that waits for it, along the longest path */
    Links            givers, takers;
    int             *giver;  /* by variable: the piece that gives it, -1 */
    int             *thread; /* by sub-clock partition */
    long            *size;   /* by sub-clock partition: effort of its pieces */
    int     *set;  /* by sub-clock partition: who stands for those that stay with it */
    Ranked  *rank; /* work of sets, decreasing */
    int      sets;
    LinkList found;
    bool     fits;         /* no piece uses what a later one gives */
    int      piece, group; /* that is looked at */
    int *
        own; /* by variable: the last group that computes it + 1, to keep it in the row */
} Making;

/* ---- effort --------------------------------------------------------------------------------------- */

/* What the formula of a kernel costs, and what its slots are for. The argument of interval() and firstTick() only
 * says which clock is meant. A formula without a value is a call with several results. In a memory_call. */
static KernelUse look_at_kernel(Making *m, const Formula *f) {
    const TermPool pool = program_pool(m->program);
    const Term     root = f->value ? f->value : f->row;
    KernelUse      use = {.effort = 1, .slot = NEW(&m->arena, uint8_t, f->slots + 1)};
    TermWalk       walk = {0};
    term_walk(&pool, root, &walk);
    uint8_t *seen = mem_take((size_t)walk.count, 1);
    seen[walk.count - 1] = SLOT_READ;
    for (int i = walk.count - 1; i >= 0; i--) { /* users before arguments */
        const Node *node = &pool.node[walk.term[i]];
        const bool  costly = node->op == TERM_CALL || node->op == TERM_POW ||
                            (node->op >= TERM_SQRT && node->op <= TERM_LOG10);
        if (!seen[i]) continue;
        use.effort += costly ? CALL : 1;
        if ((node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT) &&
            node->index < f->slots)
            use.slot[node->index] |= seen[i];
        if (node->op == TERM_INTERVAL || node->op == TERM_FIRST_TICK) continue;
        for (uint32_t k = 0; k < node->n; k++) {
            Term to = term_arg(&pool, walk.term[i], k);
            bool left = !f->value && walk.term[i] == root && k == 0;
            seen[map_get(&walk.at, to, 0)] |= left ? SLOT_GIVEN : seen[i];
        }
    }
    mem_free(seen);
    term_unwalk(&walk);
    return use;
}

/* Of torn systems most are linear: they are evaluated about once, and their matrix is factorised. */
static long group_effort(const Group *group, const Part *part, const KernelUse *kernel) {
    long sum = 0, torn = group->torn;
    for (int j = 0; j < group->size; j++)
        sum += kernel[part->body[group->body + j]].effort;
    if (group->kind == GROUP_LOOP)
        sum += LOOP + 2 * torn * torn * torn / 3 + 4 * torn * torn;
    return sum * group->count;
}

/* Methods that look inside a step evaluate the second phase in the first piece of the first one that advances
 * states; which one that is does not matter here: they follow each other. */
static void find_effort(Making *m) {
    const Part     *part = &m->program->part[m->base->part];
    const SubClock *sub = m->program->clocks.sub + m->base->first;
    long           *second = NEW(&m->arena, long, m->base->subs + 1);
    m->kernel = NEW(&m->arena, KernelUse, part->kernels + 1);
    for (int k = 0; k < part->kernels; k++)
        m->kernel[k] = look_at_kernel(m, &part->formula[k]);
    for (int g = 0; g < part->groups; g++) {
        const Group *group = &part->group[g];
        int          piece = m->image->piece_of(g);
        long         effort = group_effort(group, part, m->kernel);
        m->phase[piece] = group->phase;
        m->effort[piece] += effort;
        if (group->phase % 2) second[group->phase / 2] += effort;
    }
    for (int k = m->count - 1; k >= 0; k--) {
        int s = m->phase[k] / 2;
        m->effort[k] += PIECE;
        if (m->phase[k] % 2) continue;
        m->effort[k] += clock_stages(&sub[s]) * second[s];
        second[s] = 0;
    }
}

/* ---- who uses what -------------------------------------------------------------------------------- */

static void read(void *context, int var) {
    Making *m = context;
    int     from = m->giver[var];
    if (from < 0 || from == m->piece || m->own[var] == m->group + 1) return;
    if (from > m->piece) m->fits = false;
    links_add(&m->found, m->piece, from);
}

static void give(void *context, int var) {
    Making *m = context;
    m->giver[var] = m->piece;
    m->own[var] = m->group + 1;
}

/* First who gives what, then who reads it. A group may keep in its rows what another one stores. */
static void look_at_group(Making *m, int g, bool reads) {
    const Part  *part = &m->program->part[m->base->part];
    const Group *group = &part->group[g];
    const int    end = group->item + group->count * group->size;
    m->piece = m->image->piece_of(g);
    m->group = g;
    for (int i = group->item; i < end; i++)
        if (reads) m->own[part->unknown[i]] = g + 1;
        else give(m, part->unknown[i]);
    for (int i = group->item; i < end; i++) {
        Equation       e = program_equation(m->program, part, i);
        const uint8_t *slot = m->kernel[e.formula - part->formula].slot;
        for (int k = 0; k < e.formula->slots; k++)
            if (slot[k] & (reads ? SLOT_READ : SLOT_GIVEN))
                equation_slot_uses(&e, k, reads ? read : give, m);
    }
}

static void find_givers(Making *m) {
    const ClockTable *c = &m->program->clocks;
    const Part       *part = &m->program->part[m->base->part];
    int              *last = NEW(&m->arena, int, m->base->subs + 1);
    m->giver = NEW(&m->arena, int, m->program->variables.vars + 1);
    m->own = NEW(&m->arena, int, m->program->variables.vars + 1);
    memset(m->giver, -1, (size_t)m->program->variables.vars * sizeof *m->giver);
    m->fits = true;
    for (int reads = 0; reads < 2; reads++)
        for (int g = 0; g < part->groups; g++) {
            int sub = m->base->first + part->group[g].phase / 2;
            if (c->staggered && clock_is_slow(m->base, c->sub, sub))
                continue; /* it never runs beside others */
            look_at_group(m, g, reads);
        }
    for (int k = 0; k < m->count; k++) { /* a step begins with what was there before */
        int *before = &last[m->phase[k] / 2];
        if (*before && clock_stages(&c->sub[m->base->first + m->phase[k] / 2]))
            links_add(&m->found, k, *before - 1);
        *before = k + 1;
    }
    m->givers = links_of(&m->found, m->count, false, &m->arena);
    links_drop(&m->found);
    links_sort(&m->givers);
    m->takers = links_turned(&m->givers, m->count, &m->arena);
}

static void find_tails(Making *m) {
    for (int k = m->count - 1; k >= 0; k--) {
        m->tail[k] += m->effort[k];
        for (int e = m->givers.start[k]; e < m->givers.start[k + 1]; e++)
            if (m->tail[k] > m->tail[m->givers.to[e]])
                m->tail[m->givers.to[e]] = m->tail[k];
    }
}

/* ---- partitions to threads ------------------------------------------------------------------------ */

/* Which partitions exchange values. */
static Links find_neighbours(Making *m) {
    LinkList list = {0};
    for (int k = 0; k < m->count; k++)
        for (int e = m->givers.start[k]; e < m->givers.start[k + 1]; e++) {
            int a = m->phase[k] / 2, b = m->phase[m->givers.to[e]] / 2;
            if (a == b) continue;
            links_add(&list, a, b);
            links_add(&list, b, a);
        }
    Links links = links_of(&list, m->base->subs, false, &m->arena);
    links_drop(&list);
    links_sort(&links);
    return links;
}

/* Partitions that are worth no exchange of values go with the smallest of those that they exchange values with. */
static void join_small(Making *m, const Links *near, int *up, long *work) {
    for (int s = 0; s < m->base->subs; s++) {
        int own = set_find(up, s), best = -1;
        for (int e = near->start[s]; e < near->start[s + 1] && m->size[s] < TRANSFER;
             e++) {
            int other = set_find(up, near->to[e]);
            if (other != own && (best < 0 || work[other] < work[best])) best = other;
        }
        if (best < 0) continue;
        long sum = work[own] + work[best];
        work[set_join(up, own, best)] = sum;
    }
}

static int by_work(const void *a, const void *b) {
    return ranked_ascending(b, a);
}

/* The sets of partitions that stay together, by decreasing work. */
static void find_sets(Making *m, const Links *near) {
    int   subs = m->base->subs;
    long *work = NEW(&m->arena, long, subs + 1);
    m->size = NEW(&m->arena, long, subs + 1);
    m->set = NEW(&m->arena, int, subs + 1);
    m->rank = NEW(&m->arena, Ranked, subs + 1);
    for (int k = 0; k < m->count; k++) m->size[m->phase[k] / 2] += m->effort[k];
    memcpy(work, m->size, (size_t)subs * sizeof *work);
    set_start(m->set, subs);
    join_small(m, near, m->set, work);
    for (int s = 0; s < subs; s++)
        if (set_find(m->set, s) == s)
            m->rank[m->sets++] = (Ranked){work[s] < INT_MAX ? (int)work[s] : INT_MAX, s};
    qsort(m->rank, (size_t)m->sets, sizeof *m->rank, by_work);
    for (int s = 0; s < subs; s++) m->set[s] = set_find(m->set, s);
}

static void put_set(Making *m, int set, int thread) {
    for (int s = 0; s < m->base->subs; s++)
        if (m->set[s] == set) m->thread[s] = thread;
}

/* The largest first, each to the thread on which its work, and the values that would come from others, cost
 * least so far. */
static void share_out(Making *m) {
    Links near = find_neighbours(m);
    int   subs = m->base->subs, threads = m->threads;
    long *work = NEW(&m->arena, long, threads), *apart = NEW(&m->arena, long, threads);
    find_sets(m, &near);
    memset(m->thread, -1, (size_t)subs * sizeof *m->thread);
    for (int n = 0; n < m->sets; n++) {
        int set = m->rank[n].number, best = 0;
        for (int t = 0; t < threads; t++) apart[t] = work[t];
        for (int s = 0; s < subs; s++)
            for (int e = near.start[s]; e < near.start[s + 1] && m->set[s] == set; e++)
                for (int t = 0, other = m->thread[near.to[e]]; t < threads; t++)
                    if (other >= 0 && other != t) apart[t] += TRANSFER;
        for (int t = 1; t < threads; t++)
            if (apart[t] < apart[best]) best = t;
        work[best] += m->rank[n].key;
        put_set(m, set, m->fits ? best : 0);
    }
}

/* ---- order ------------------------------------------------------------------------------------------ */

typedef struct Play { /* of a tick, with estimated times */
    Making *m;
    int    *ready, readies; /* pieces whose givers are done */
    int    *order;          /* pieces as they begin */
    int    *missing;        /* by piece: givers that are not */
    long   *end;            /* by piece */
    long   *free;           /* by thread: end of its last piece */
    int    *place;          /* by piece: in the order of its thread, from 1; 0: not yet */
    int    *done;           /* by thread: pieces */
} Play;

static long start_of(const Play *p, int piece) {
    const Making *m = p->m;
    int           own = m->thread[m->phase[piece] / 2];
    long          start = p->free[own];
    for (int e = m->givers.start[piece]; e < m->givers.start[piece + 1]; e++) {
        int  giver = m->givers.to[e], other = m->thread[m->phase[giver] / 2];
        long seen = p->end[giver] + (other != own ? TRANSFER : 0);
        if (seen > start) start = seen;
    }
    return start;
}

/* Takes the next piece out of those that are ready. */
static int next_piece(Play *p, long *start) {
    int best = 0;
    *start = start_of(p, p->ready[0]);
    for (int k = 1; k < p->readies && k < LOOK; k++) {
        long at = start_of(p, p->ready[k]);
        bool longer = p->m->tail[p->ready[k]] > p->m->tail[p->ready[best]];
        if (at > *start || (at == *start && !longer)) continue;
        best = k;
        *start = at;
    }
    int piece = p->ready[best];
    p->ready[best] = p->ready[--p->readies];
    return piece;
}

static void play_open(Play *p, Making *m) {
    *p = (Play){.m = m,
                .ready = NEW(&m->arena, int, m->count + 1),
                .order = NEW(&m->arena, int, m->count + 1),
                .missing = NEW(&m->arena, int, m->count + 1),
                .end = NEW(&m->arena, long, m->count + 1),
                .free = NEW(&m->arena, long, m->threads),
                .place = NEW(&m->arena, int, m->count + 1),
                .done = NEW(&m->arena, int, m->threads)};
}

/* Times of all pieces; the order of the program respects who uses what, so that none is left. Returns the end. */
static long play(Play *p) {
    const Making *m = p->m;
    long          end = 0;
    memset(p->free, 0, (size_t)m->threads * sizeof *p->free);
    memset(p->done, 0, (size_t)m->threads * sizeof *p->done);
    for (int k = 0; k < m->count; k++) {
        p->missing[k] = m->fits ? m->givers.start[k + 1] - m->givers.start[k] : !!k;
        if (!p->missing[k]) p->ready[p->readies++] = k;
    }
    for (int n = 0; p->readies; n++) {
        long start;
        int  piece = p->order[n] = next_piece(p, &start),
            t = m->thread[m->phase[piece] / 2];
        p->free[t] = p->end[piece] = start + m->effort[piece];
        p->place[piece] = ++p->done[t];
        if (p->end[piece] > end) end = p->end[piece];
        for (int e = m->takers.start[piece]; m->fits && e < m->takers.start[piece + 1];
             e++)
            if (!--p->missing[m->takers.to[e]]) p->ready[p->readies++] = m->takers.to[e];
        if (!m->fits && piece + 1 < m->count) p->ready[p->readies++] = piece + 1;
    }
    return end;
}

/* Sets go to other threads as long as the tick ends clearly earlier. */
static void improve(Making *m, Play *p) {
    long best = play(p), plays = PLAYS / (m->count + 1);
    bool better = m->fits && m->threads > 1;
    while (better && plays > 0) {
        better = false;
        for (int n = 0; n < m->sets; n++) {
            const int set = m->rank[n].number, own = m->thread[set];
            int       to = own;
            for (int t = 0; t < m->threads && plays-- > 0; t++) {
                if (t == own) continue;
                put_set(m, set, t);
                long end = play(p);
                if (end < best - best / WORTH) to = t, best = end, better = true;
            }
            put_set(m, set, to);
        }
    }
    play(p);
}

/* ---- neighbours ------------------------------------------------------------------------------------ */

/* Sets with nearly equal work, rank[from .. to), get the threads they have in the order of their numbers: variables of equal
 * components lie beside each other in that order, so that few lines of the cache hold values of two threads. */
static void put_in_order(Making *m, int from, int to) {
    int n = to - from, *set = NEW(&m->arena, int, n), *thread = NEW(&m->arena, int, n);
    for (int k = 0; k < n; k++) {
        set[k] = m->rank[from + k].number;
        thread[k] = m->thread[set[k]];
    }
    qsort(set, (size_t)n, sizeof *set, int_ascending);
    qsort(thread, (size_t)n, sizeof *thread, int_ascending);
    for (int k = 0; k < n; k++) put_set(m, set[k], thread[k]);
}

/* Neighbours stay together where the tick hardly ends later by that. */
static void bring_together(Making *m, Play *p) {
    size_t bytes = (size_t)m->base->subs * sizeof *m->thread;
    for (int from = 0, to; from < m->sets; from = to) {
        const long least = m->rank[from].key - m->rank[from].key / WORTH;
        for (to = from; to < m->sets && m->rank[to].key >= least;) to++;
        int *before = arena_copy(&m->arena, m->thread, bytes);
        long end = play(p);
        put_in_order(m, from, to);
        if (play(p) > end + end / LATER) memcpy(m->thread, before, bytes);
    }
    play(p);
}

/* Lines of the cache with values that the tick gives, and those of them with values of two threads. */
static void count_lines(const Making *m, Roster *r) {
    enum { LINE = 64 / sizeof(double) };
    const Part *part = &m->program->part[m->base->part];
    int        *of = mem_take((size_t)m->program->variables.vars / LINE + 1, sizeof *of);
    for (int g = 0; g < part->groups; g++) {
        const Group *group = &part->group[g];
        const int    thread = m->thread[group->phase / 2] + 1;
        for (int i = group->item; i < group->item + group->count * group->size; i++) {
            int *line = &of[part->unknown[i] / LINE];
            r->lines += *line == 0;
            r->shared += *line > 0 && *line != thread;
            *line = *line == 0 || *line == thread ? thread : -1;
        }
    }
    mem_free(of);
}

/* ---- the roster ------------------------------------------------------------------------------------- */

static void write_down(const Play *p, Roster *r) {
    const Making *m = p->m;
    for (int t = 0; t < r->threads; t++)
        r->turn[t] =
            (Turn){.duty = mem_take((size_t)p->done[t], sizeof(Duty)),
                   .before = mem_take((size_t)(p->done[t] * r->threads), sizeof(int))};
    for (int n = 0; n < m->count; n++) {
        int   piece = p->order[n];
        Turn *own = &r->turn[m->thread[m->phase[piece] / 2]];
        int  *before = own->before + own->duties * r->threads;
        Duty *duty = &own->duty[own->duties++];
        *duty = (Duty){.piece = piece, .phase = m->phase[piece]};
        for (int e = m->givers.start[piece]; e < m->givers.start[piece + 1]; e++) {
            int giver = m->givers.to[e], t = m->thread[m->phase[giver] / 2];
            if (&r->turn[t] == own) continue;
            duty->waits = true;
            r->turn[t].duty[p->place[giver] - 1].tells = true;
            if (p->place[giver] > before[t]) before[t] = p->place[giver];
        }
    }
}

void roster_make(Roster *r, const Program *program, const BaseClock *base,
                 const Image *image, int threads) {
    const Part *part = &program->part[base->part];
    Making m = {.program = program, .base = base, .image = image, .threads = threads};
    for (int g = 0; g < part->groups; g++)
        if (image->piece_of(g) >= m.count) m.count = image->piece_of(g) + 1;
    *r = (Roster){.threads = threads, .turn = mem_take((size_t)threads, sizeof(Turn))};
    m.phase = NEW(&m.arena, int, m.count + 1);
    m.effort = NEW(&m.arena, long, m.count + 1);
    m.tail = NEW(&m.arena, long, m.count + 1);
    m.thread = r->thread = mem_take((size_t)base->subs, sizeof(int));
    find_effort(&m);
    find_givers(&m);
    find_tails(&m);
    share_out(&m);
    Play p;
    play_open(&p, &m);
    improve(&m, &p);
    bring_together(&m, &p);
    write_down(&p, r);
    count_lines(&m, r);
    arena_free(&m.arena);
}
