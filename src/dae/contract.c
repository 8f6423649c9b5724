/* SPDX-License-Identifier: Apache-2.0 */
/* contract.c -- what holds between the structural passes. Each function belongs to the pass that
 * gives it, which asserts it at its end. The next pass only asks which pass was the last, and for
 * all of it in sanitized builds. Linear in variables, equations and edges. */
#include "dae/dae.h"

#include <string.h>

/* ---- tables ---- */

static bool in_range(int k, int n) {
    return k >= 0 && k < n;
}

static bool ascends(const int *start, int rows) {
    for (int r = 0; r < rows; r++)
        if (start[r] > start[r + 1]) return false;
    return true;
}

static bool is_graph(const Graph *g, int rows, int cols) {
    if (g->rows != rows || g->cols > cols || !ascends(g->start, rows)) return false;
    for (int k = 0; k < g->start[rows]; k++)
        if (!in_range(g->col[k], cols)) return false;
    return true;
}

/* Rows lie one after the other. */
static bool rows_lie(const Structure *st) {
    return st->rows == 0 ||
           (ascends(st->first, st->rows) && st->first[st->rows] <= (int)st->slots);
}

/* ---- aliases: who stands for whom ---- */

static bool is_represented(const Structure *st, int v) {
    int to = st->alias[v];
    return in_range(to, st->vars) && st->alias[to] == to && st->sign[to] == 1 &&
           (st->sign[v] == 1 || st->sign[v] == -1);
}

/* A variable and its derivative know each other. */
static bool is_linked(const Structure *st, int v) {
    return st->next[v] < 0 ||
           (in_range(st->next[v], st->vars) && st->prev[st->next[v]] == v);
}

bool structure_is_reduced(const Structure *st) {
    if (st->vars != st->sys->vars || !rows_lie(st)) return false;
    for (int v = 0; v < st->vars; v++)
        if (!is_represented(st, v) || !is_linked(st, v)) return false;
    for (int e = 0; e < st->eqs; e++) { /* by ascending row, then by result */
        bool first = e == 0 || st->eq_row[e] != st->eq_row[e - 1];
        if (st->eq_row[e] !=
                (first ? e ? st->eq_row[e - 1] + 1 : 0 : st->eq_row[e - 1]) ||
            st->eq_part[e] != (first ? 0 : st->eq_part[e - 1] + 1))
            return false;
    }
    return is_graph(&st->graph, st->eqs, st->vars);
}

/* ---- index: what is not differentiated has an unknown of the highest order ---- */

bool structure_is_differentiated(const Structure *st) {
    if (st->vars != st->sys->vars || !rows_lie(st)) return false;
    for (int v = 0; v < st->vars; v++)
        if (!is_linked(st, v)) return false;
    for (int e = 0; e < st->eqs; e++) {
        int d = st->deq[e], v = st->var_of[e];
        if (!in_range(st->eq_row[e], st->rows)) return false;
        if (d >= 0 ? d <= e || st->of[st->eq_row[d]] != st->eq_row[e]
                   : v < 0 || st->next[v] >= 0 || st->eq_of[v] != e)
            return false;
    }
    return true;
}

/* ---- states ---- */

bool structure_has_states(const Structure *st) {
    int states = 0;
    for (int v = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_STATE) continue;
        if (st->next[v] < 0) return false;
        states++;
    }
    for (int s = 0; s < st->sets.count; s++)
        if (st->sets.set[s].states > st->sets.set[s].vars) return false;
    for (int i = 0; i < st->drift.states; i++)
        if (st->role[st->drift.state[i]] != ROLE_STATE) return false;
    return states == st->states && st->drift.rows <= states;
}

/* ---- match: equations and unknowns, one for one ---- */

bool structure_is_matched(const Structure *st) {
    int unknowns = 0;
    for (int v = 0; v < st->vars; v++) {
        if (st->role[v] != ROLE_UNKNOWN) continue;
        unknowns++;
        if (!in_range(st->eq_of[v], st->eqs) || st->var_of[st->eq_of[v]] != v)
            return false;
    }
    return unknowns == st->eqs && is_graph(&st->graph, st->eqs, st->vars);
}

/* ---- order: every equation in one block, after all blocks it uses ---- */

static bool uses_earlier(const Structure *st, int e) {
    const Graph *g = &st->graph;
    for (int k = g->start[e]; k < g->start[e + 1]; k++) {
        int v = g->col[k];
        if (st->role[v] == ROLE_UNKNOWN && st->block_of[st->eq_of[v]] > st->block_of[e] &&
            structure_waits(st, e, v))
            return false;
    }
    return true;
}

bool structure_is_ordered(const Structure *st) {
    uint8_t *seen = mem_take((size_t)st->eqs, 1);
    int      at = 0;
    bool     fine = true;
    for (int b = 0; b < st->blocks && fine; b++) {
        const Block *block = &st->block[b];
        fine = block->first == at && block->count > 0;
        for (int i = 0; i < block->count && fine; i++) {
            int e = st->order[at++];
            fine = in_range(e, st->eqs) && !seen[e] && st->block_of[e] == b &&
                   uses_earlier(st, e);
            if (fine) seen[e] = true;
        }
    }
    mem_free(seen);
    return fine && at == st->eqs;
}

/* ---- tear: formulas use iteration variables and what comes before them ---- */

/* place: by equation, where it stands in the order. */
static bool is_formula(const Structure *st, const Block *block, int e, const int *place) {
    const Graph *g = &st->graph;
    int          residuals = block->first + block->count - block->torn;
    for (int k = g->start[e]; k < g->start[e + 1]; k++) {
        int v = g->col[k];
        if (st->role[v] != ROLE_UNKNOWN || v == st->var_of[e]) continue;
        int giver = place[st->eq_of[v]];
        if (giver > place[e] && giver < residuals) return false;
    }
    return true;
}

static bool is_torn(const Structure *st, const Block *block, const int *place) {
    int formulas = block->count - block->torn;
    if (block->torn < 0 || formulas < 0) return false;
    switch (block->kind) {
    case BLOCK_EXPLICIT: return block->torn == 0 && block->count == 1;
    case BLOCK_CALL: return block->torn == 0;
    default: break;
    }
    if (block->torn == 0 || (block->sparse && formulas)) return false;
    for (int i = 0; i < formulas; i++)
        if (!is_formula(st, block, st->order[block->first + i], place)) return false;
    return true;
}

bool structure_is_torn(const Structure *st) {
    if (!structure_is_ordered(st)) return false;
    int *place = mem_take((size_t)st->eqs, sizeof *place);
    bool fine = true;
    for (int i = 0; i < st->eqs; i++) place[st->order[i]] = i;
    for (int b = 0; b < st->blocks && fine; b++) fine = is_torn(st, &st->block[b], place);
    mem_free(place);
    return fine;
}

/* ---- schedule: every row once, after what it uses ---- */

/* place: by block, where its first row stands among the items, -1 if nowhere. */
static bool uses_placed(const Plan *plan, int b, const int *place) {
    for (int k = plan->uses.start[b]; k < plan->uses.start[b + 1]; k++)
        if (place[plan->uses.col[k]] >= place[b]) return false;
    return true;
}

static bool lies_in_groups(const Plan *plan, int *place, int *count) {
    const Structure *st = plan->st;
    int              at = 0;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        if (group->item != at || group->count < 1 || group->size < 1 ||
            group->torn > group->size || !in_range(group->body, (int)plan->bodies) ||
            group->access > (int)plan->accesses)
            return false;
        for (int i = 0; i < group->count * group->size; i++, at++) {
            int b = st->block_of[plan->item[at]];
            if (count[b]++ == 0) place[b] = at;
        }
    }
    return at == (int)plan->items;
}

bool plan_is_complete(const Plan *plan) {
    const Structure *st = plan->st;
    int             *place = mem_take((size_t)st->blocks, sizeof *place);
    int             *count = mem_take((size_t)st->blocks, sizeof *count);
    bool             fine = lies_in_groups(plan, place, count);
    for (int b = 0; b < st->blocks && fine; b++) {
        const Block *block = &st->block[b];
        fine = count[b] == (block->kind == BLOCK_CALL ? 1 : block->count) &&
               uses_placed(plan, b, place);
    }
    MEM_FREE(place, count);
    return fine;
}

/* ---- needs: what derivatives need is not only shown ---- */

bool plan_has_needs(const Plan *plan) {
    const Structure *st = plan->st;
    uint8_t         *needed = mem_take((size_t)st->blocks, 1);
    bool             fine = true;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        fine &= !(group->shown && group->discrete);
        for (int i = 0; i < group->count * group->size && !group->shown; i++)
            needed[st->block_of[plan->item[group->item + i]]] = true;
    }
    for (int b = 0; b < st->blocks && fine; b++) {
        if (!needed[b] || st->block[b].discrete) continue;
        for (int k = plan->uses.start[b]; k < plan->uses.start[b + 1]; k++)
            fine &= needed[plan->uses.col[k]];
    }
    mem_free(needed);
    return fine;
}

/* ---- homes: accesses lie where they say ---- */

static bool has_home(const Plan *plan, const Group *group, const Access *a) {
    int last = group->count - 1, states = plan->st->states;
    if (a->home == HOME_LOCAL) return in_range(a->at, group->size);
    if (a->home == HOME_VALUES) return true;
    if (a->list >= 0) return a->list + last < (int)plan->tables;
    int end = a->at + (a->table < 0 && a->stride == 0 ? 0 : a->step * last);
    if (!in_range(a->at, states) || !in_range(end, states)) return false;
    return a->home == HOME_STATES || (plan->written[a->at] && plan->written[end]);
}

bool plan_has_homes(const Plan *plan) {
    const Shapes *shapes = plan->st->sys->shapes;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        int          access = group->access;
        for (int j = 0; j < group->size; j++) {
            int shape = plan->kernel[plan->body[group->body + j]].shape;
            for (int k = 0; k < shapes->shape[shape].slots; k++, access++)
                if (!has_home(plan, group, &plan->access[access])) return false;
        }
        if (access != group->iteration) return false;
    }
    return true;
}

bool plan_homes_agree(const Plan *plan) {
    const Structure *st = plan->st;
    int             *var = mem_take((size_t)st->states, sizeof *var), n = 0;
    bool             fine = true;
    for (int v = 0; v < st->vars; v++)
        if (st->role[v] == ROLE_STATE) var[n++] = v;
    for (int g = 0; g < plan->groups && fine; g++) {
        const Group *group = &plan->group[g];
        for (int k = group->access; k < group->iteration; k++) {
            const Access *a = &plan->access[k];
            if (a->home != HOME_STATES && a->home != HOME_RATES) continue;
            for (int i = 0; i < group->count && fine; i++) {
                int s = a->list >= 0 ? plan->table[a->list + i] : a->at + a->step * i;
                fine = plan_variable(plan, a, i) ==
                       (a->home == HOME_STATES ? var[s] : st->next[var[s]]);
            }
        }
    }
    mem_free(var);
    return fine;
}
