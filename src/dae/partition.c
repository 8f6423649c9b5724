/* SPDX-License-Identifier: Apache-2.0 */
/* partition.c -- which rows and variables tick together (Modelica 3.6, 16.7).
 *
 * Two variables of one row belong together, unless one of them stands only under an operator
 * that leads to another partition. Under subSample, superSample, shiftSample, backSample and
 * noClock that is another sub-clock partition of the same base-clock partition; under sample,
 * hold and the condition of a clock it is another base-clock partition. Components of the
 * first relation are sub-clock partitions, those of both base-clock partitions; whatever
 * contains nothing clocked is continuous, and is one partition.
 *
 * Afterwards every family of rows belongs to one base-clock partition (Family.partition): those
 * that do not are cut. Union-find over variables, almost linear in slots. */
#include "dae/clock.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_CLOCKED = 1, MARK_CONTINUOUS = 2, MARK_USED = 4 };

typedef struct Finder {
    ClockFacts f;
    System    *sys;
    int       *sub;  /* by variable: union-find of sub-clock partitions */
    int       *base; /* by variable: of base-clock partitions */
    uint8_t   *mark; /* by variable, then by the one that stands for its base: MARK_ */
    Pos       *why;  /* by variable: where a continuous mark came from */
    int       *row[ROWS_SETS]; /* by row: a variable of it, -1 if it has none */
    bool      *own;            /* by slot of the row that is looked at */
    uint32_t   own_room;
} Finder;

/* ---- rows --------------------------------------------------------------------------------- */

static bool leads_away(const Node *node) {
    if (node->op == TERM_CLOCK)
        return node->index == CLOCK_CONDITION || node->index == CLOCK_SOLVER;
    return term_changes_clock((TermOp)node->op);
}

/* Slots that stand outside of such operators. */
static void find_own(Finder *p, Shapes *shapes, int shape) {
    int n = expr_walk(shapes, shapes->shape[shape].root);
    GROW(p->own, p->own_room, shapes->shape[shape].slots + 1);
    bool *seen = mem_take((size_t)n, sizeof *seen);
    memset(p->own, 0, (size_t)shapes->shape[shape].slots);
    seen[n - 1] = true;
    for (int i = n - 1; i >= 0; i--) { /* users before arguments */
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if (!seen[i]) continue;
        if (node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT)
            p->own[node->index] = true;
        for (uint32_t k = leads_away(node) ? 1 : 0; k < node->n; k++)
            seen[shapes->place[shapes->arg[node->arg + k]]] = true;
    }
    mem_free(seen);
}

static bool is_constant(const System *sys, int var) {
    VarKind kind = (VarKind)sys->run[system_run_of(sys, var)].kind;
    return kind == VAR_PARAMETER || kind == VAR_CONSTANT;
}

static void join_array(Finder *p, const RowWalk *walk, int slot, int *first) {
    const int32_t *sizes = walk->sizes[slot];
    int            rank = 0, count = 1;
    family_sizes(p->sys, &walk->family, slot, &rank);
    for (int d = 0; d < rank; d++) count *= sizes[2 * d];
    for (int e = 0; e < count; e++) {
        int var = walk->slot[slot];
        for (int d = rank - 1, rest = e; d >= 0; rest /= sizes[2 * d], d--)
            var += rest % sizes[2 * d] * sizes[2 * d + 1];
        if (is_constant(p->sys, var)) continue;
        if (*first < 0) *first = var;
        else set_join(p->sub, *first, var);
    }
}

/* All own variables of a row are one; a variable of them, -1 if there is none. */
static int join_row(Finder *p, const RowWalk *walk) {
    const Shapes *shapes = p->sys->shapes;
    int           shape = walk->family.shape, first = -1;
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        TermOp op = expr_op(shapes, shape_leaf(shapes, shape, k));
        if (!p->own[k] || op == TERM_NUMBER) continue;
        if (op == TERM_ARRAY_SLOT) {
            join_array(p, walk, k, &first);
            continue;
        }
        int var = walk->slot[k];
        if (is_constant(p->sys, var)) continue;
        if (first < 0) first = var;
        else set_join(p->sub, first, var);
    }
    return first;
}

/* ---- what a row says about clocks ---- */

static int64_t number_of(const Shapes *shapes, Term term, bool *known) {
    double value = 0;
    *known = expr_literal(shapes, term, &value);
    return (int64_t)value;
}

static void add_said(Finder *p, const RowWalk *walk, Term clock, int row) {
    const Shapes *shapes = p->sys->shapes;
    const Node   *node = expr_node(shapes, clock);
    ClockSaid     said = {.sub = row,
                          .kind = (uint8_t)node->index,
                          .count = 0,
                          .resolution = 1,
                          .variable = -1,
                          .pos = walk->family.pos};
    bool          known;
    double        value = 0;
    Term          first = node->n ? expr_arg(shapes, clock, 0) : 0;
    if (node->n > 1) expr_literal(shapes, expr_arg(shapes, clock, 1), &value);
    switch (node->index) {
    case CLOCK_PERIOD:
        if (!expr_literal(shapes, first, &said.period))
            said.variable = walk->slot[expr_node(shapes, first)->index];
        break;
    case CLOCK_RATIONAL:
        said.count = number_of(shapes, first, &known);
        if (node->n > 1) said.resolution = (int64_t)value;
        if (!known) said.variable = walk->slot[expr_node(shapes, first)->index];
        else if (said.count == 0) return; /* to be inferred */
        break;
    case CLOCK_CONDITION:
        said.period = value;
        if (expr_op(shapes, first) == TERM_SLOT)
            said.variable = walk->slot[expr_node(shapes, first)->index];
        break;
    default: return;
    }
    GROW(p->f.said, p->f.said_room, p->f.saids + 1);
    p->f.said[p->f.saids++] = said;
}

static void add_step(Finder *p, const RowWalk *walk, Term term, int from, int row) {
    const Shapes *shapes = p->sys->shapes;
    const Node   *node = expr_node(shapes, term);
    ClockStep     step = {.from = from,
                          .to = row,
                          .op = node->op,
                          .number = {0, 1},
                          .pos = walk->family.pos};
    for (uint32_t k = 1; k < node->n && k < 3; k++) {
        bool        known;
        Term        arg = expr_arg(shapes, term, k);
        const Node *text = expr_node(shapes, arg);
        if (text->op == TERM_STRING) step.method = (Str)text->integer;
        step.number[k - 1] = number_of(shapes, arg, &known);
        step.numbers = (uint8_t)k;
    }
    GROW(p->f.step, p->f.step_room, p->f.steps + 1);
    p->f.step[p->f.steps++] = step;
}

static void set_mark(Finder *p, int var, int mark, Pos pos) {
    if (var < 0) return;
    p->mark[var] |= (uint8_t)mark;
    if (mark == MARK_CONTINUOUS) p->why[var] = pos;
}

static void look_at_operator(Finder *p, const RowWalk *walk, Term term, int row) {
    const Shapes *shapes = p->sys->shapes;
    const Node   *node = expr_node(shapes, term);
    Term          arg = node->n ? expr_arg(shapes, term, 0) : 0;
    bool          slot = arg && expr_op(shapes, arg) == TERM_SLOT;
    int           from = slot ? walk->slot[expr_node(shapes, arg)->index] : -1;
    Pos           pos = walk->family.pos;
    if (from >= 0 && is_constant(p->sys, from)) from = -1;
    switch (node->op) {
    case TERM_SAMPLE_CLOCKED:
        set_mark(p, from, MARK_CONTINUOUS, pos);
        set_mark(p, row, MARK_CLOCKED, pos);
        break;
    case TERM_HOLD:
        set_mark(p, from, MARK_CLOCKED, pos);
        set_mark(p, row, MARK_CONTINUOUS, pos);
        break;
    case TERM_CLOCK:
        if (node->index == CLOCK_CONDITION) set_mark(p, from, MARK_CONTINUOUS, pos);
        set_mark(p, row, MARK_CLOCKED, pos);
        if (node->index == CLOCK_SOLVER && from >= 0) add_step(p, walk, term, from, row);
        else add_said(p, walk, term, row);
        break;
    case TERM_INTERVAL:
    case TERM_FIRST_TICK: set_mark(p, row, MARK_CLOCKED, pos); break;
    default:
        if (!leads_away(node)) break;
        set_mark(p, from, MARK_CLOCKED, pos);
        set_mark(p, row, MARK_CLOCKED, pos);
        if (from >= 0) add_step(p, walk, term, from, row);
    }
}

static void look_at_row(Finder *p, const RowWalk *walk) {
    Shapes *shapes = p->sys->shapes;
    Term    root = shapes->shape[walk->family.shape].root;
    find_own(p, shapes, walk->family.shape);
    int row = join_row(p, walk), n = expr_walk(shapes, root);
    p->row[walk->set][walk->row] = row;
    Term *list = mem_take((size_t)n, sizeof *list);
    memcpy(list, shapes->walk, (size_t)n * sizeof *list);
    for (int i = 0; i < n; i++) look_at_operator(p, walk, list[i], row);
    mem_free(list);
}

/* der(v), pre(v) and previous(v) tick with v. */
static void join_companions(Finder *p) {
    const System *sys = p->sys;
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        for (int i = 0; i < run->count; i++) {
            int v = run->first + i;
            if (run->kind == VAR_CLOCK) set_mark(p, v, MARK_CLOCKED, run->pos);
            else if (run->kind != VAR_PARAMETER && run->kind != VAR_CONSTANT)
                p->mark[v] |= MARK_USED;
            if (run->of < 0) continue;
            set_join(p->sub, v, sys->run[run->of].first + i);
        }
    }
}

/* ---- partitions ---------------------------------------------------------------------------- */

static void join_bases(Finder *p) {
    for (int v = 0; v < p->sys->vars; v++) p->base[v] = set_find(p->sub, v);
    for (int k = 0; k < p->f.steps; k++)
        set_join(p->base, set_find(p->sub, p->f.step[k].from),
                 set_find(p->sub, p->f.step[k].to));
    for (int v = 0; v < p->sys->vars; v++) {
        int to = set_find(p->base, set_find(p->sub, v));
        p->mark[to] |= p->mark[v];
        if (p->why[v] && !p->why[to]) p->why[to] = p->why[v];
    }
}

/* A partition that is clocked and continuous: which variable, and what makes it so. */
static bool report_mixed(Finder *p) {
    const System *sys = p->sys;
    bool          fine = true;
    for (int v = 0; v < sys->vars; v++) {
        int  root = set_find(p->base, set_find(p->sub, v));
        bool both = (p->mark[root] & MARK_CLOCKED) && (p->mark[root] & MARK_CONTINUOUS);
        if (root != v || !both) continue;
        Text name = {0};
        system_name(sys, v, &name);
        diag_report(p->f.diag, p->why[root], CODE_D130,
                    "'%s' belongs to a clocked partition and is used as continuous here",
                    text_get(&name));
        text_free(&name);
        fine = false;
    }
    return fine;
}

/* Is this the base of a clocked partition with equations? */
static bool is_clocked(const Finder *p, int base) {
    return (p->mark[base] & MARK_CLOCKED) && (p->mark[base] & MARK_USED);
}

/* Numbers for the partitions, in the order of their first variables, base by base. */
static void number_partitions(Finder *p, Clocks *clocks) {
    const int vars = p->sys->vars;
    int      *sub = mem_take((size_t)vars, sizeof *sub), subs = 0;
    int      *base = mem_take((size_t)vars, sizeof *base);
    for (int v = 0; v < vars; v++) {
        int s = set_find(p->sub, v), b = set_find(p->base, s);
        if (s != v || !is_clocked(p, b)) continue;
        if (!base[b]) base[b] = ++p->f.bases;
        subs++;
    }
    p->f.base = NEW(&clocks->arena, BaseClock, p->f.bases + 1);
    p->f.sub = NEW(&clocks->arena, SubClock, subs + 1);
    for (int b = 0; b < p->f.bases; b++) {
        p->f.base[b] = (BaseClock){.first = p->f.subs, .variable = -1, .part = -1};
        for (int v = 0; v < vars; v++) {
            int s = set_find(p->sub, v);
            if (s != v || base[set_find(p->base, s)] != b + 1) continue;
            p->f.sub[p->f.subs] = (SubClock){.base = b};
            sub[s] = ++p->f.subs;
        }
        p->f.base[b].subs = p->f.subs - p->f.base[b].first;
    }
    for (int v = 0; v < vars; v++) clocks->sub_of[v] = sub[set_find(p->sub, v)] - 1;
    MEM_FREE(sub, base);
}

static void number_facts(Finder *p, const Clocks *clocks) {
    int kept = 0;
    for (int k = 0; k < p->f.saids; k++) {
        ClockSaid said = p->f.said[k];
        said.sub = clocks->sub_of[said.sub];
        if (said.sub >= 0) p->f.said[kept++] = said;
    }
    p->f.saids = kept;
    kept = 0;
    for (int k = 0; k < p->f.steps; k++) {
        ClockStep step = p->f.step[k];
        step.from = clocks->sub_of[step.from];
        step.to = clocks->sub_of[step.to];
        if (step.from >= 0 && step.to >= 0) p->f.step[kept++] = step;
    }
    p->f.steps = kept;
}

/* ---- families ------------------------------------------------------------------------------ */

/* What the rows of a family have in common: the base clock, of actions the sub-clock, as the ticks of
 * one let all of them happen (gen/action.c). 0: continuous. */
static int group_of(const Finder *p, const Clocks *clocks, RowSet set, int row) {
    int var = p->row[set] ? p->row[set][row] : -1;
    int sub = var < 0 ? -1 : clocks->sub_of[var];
    if (sub < 0) return 0;
    return 1 + (set == ROWS_ACTION ? sub : p->f.sub[sub].base);
}

static uint16_t partition_of(const Finder *p, RowSet set, int group) {
    bool sub = group > 0 && set == ROWS_ACTION;
    return (uint16_t)(sub ? 1 + p->f.sub[group - 1].base : group);
}

/* Adds the rows of a family that belong to a group. */
static void add_rows(Finder *p, RowSet set, const Family *from, const int *of,
                     int group) {
    System       *sys = p->sys;
    const Shapes *shapes = sys->shapes;
    int           slots = shapes->shape[from->shape].slots, count = 0, words = 0;
    int          *slot = mem_take((size_t)slots * (size_t)from->count, sizeof *slot);
    int          *sizes = mem_take(2 * ROW_DIMS * (size_t)slots, sizeof *sizes);
    for (int i = 0; i < from->count; i++)
        if (of[i] == group) family_slots(sys, from, i, slot + slots * count++);
    for (int k = 0, rank; k < slots; k++) {
        const int32_t *own = family_sizes(sys, from, k, &rank);
        for (int d = 0; own && d < 2 * rank; d++) sizes[words++] = own[d];
    }
    int made = system_table(sys, set, from->shape, count, slot, words ? sizes : NULL,
                            from->flags & ~FAMILY_TABLE, from->owner, from->pos);
    sys->set[set].family[made].partition = partition_of(p, set, group);
    MEM_FREE(slot, sizes);
}

/* Rows that say nothing but which clock there is are done with. */
static bool is_clock_row(const Shapes *shapes, int shape) {
    Term root = shapes->shape[shape].root;
    return expr_op(shapes, root) == TERM_EQUATION &&
           expr_node(shapes, expr_arg(shapes, root, 0))->type == TYPE_CLOCK;
}

static void cut_set(Finder *p, const Clocks *clocks, RowSet set) {
    System  *sys = p->sys;
    Families old = sys->set[set];
    sys->set[set] = (Families){0};
    for (int f = 0; f < old.count; f++) {
        Family family = old.family[f];
        if (set == ROWS_EQUATION && is_clock_row(sys->shapes, family.shape)) continue;
        int *of = mem_take((size_t)family.count, sizeof *of), most = 0, least = 1 << 30;
        for (int i = 0; i < family.count; i++) {
            of[i] = group_of(p, clocks, set, family.row + i);
            most = of[i] > most ? of[i] : most;
            least = of[i] < least ? of[i] : least;
        }
        if (most == least) {
            Families *to = &sys->set[set];
            GROW(to->family, to->room, to->count + 1);
            family.partition = partition_of(p, set, most);
            family.row = to->rows;
            to->rows += family.count;
            to->family[to->count++] = family;
        }
        for (int b = least; most != least && b <= most; b++) {
            bool any = false;
            for (int i = 0; i < family.count && !any; i++) any = of[i] == b;
            if (any) add_rows(p, set, &family, of, b);
        }
        mem_free(of);
    }
    mem_free(old.family);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool has_clocks(const System *sys) {
    for (uint32_t i = 0; i < sys->shapes->nodes; i++) {
        int op = sys->shapes->node[i].op;
        if (op >= TERM_CLOCK && op <= TERM_CLOCK_OF) return true;
    }
    for (int r = 0; r < sys->runs; r++)
        if (sys->run[r].kind == VAR_CLOCK || sys->run[r].kind == VAR_PREVIOUS)
            return true;
    return false;
}

int system_sub(const System *sys, int var) {
    if (!sys->clocks) return -1;
    while (var >= sys->clocks->vars) { /* made later: der, pre or previous of another */
        const VarRun *run = &sys->run[system_run_of(sys, var)];
        if (run->of < 0) return -1;
        var = sys->run[run->of].first + (var - run->first);
    }
    return sys->clocks->sub_of[var];
}

int system_partition_of(const System *sys, int var) {
    int sub = system_sub(sys, var);
    return sub < 0 ? 0 : 1 + sys->clocks->sub[sub].base;
}

static void find_partitions(Finder *p) {
    const RowSet sets[] = {ROWS_EQUATION, ROWS_ACTION, ROWS_INITIAL};
    System      *sys = p->sys;
    join_companions(p);
    for (int s = 0; s < LENGTH(sets); s++) {
        RowWalk walk = {.sys = sys, .set = sets[s]};
        p->row[sets[s]] = mem_take((size_t)sys->set[sets[s]].rows, sizeof(int));
        while (row_walk(&walk)) look_at_row(p, &walk);
    }
    for (int r = 0; r < sys->runs; r++)
        for (int i = 0; i < sys->run[r].count; i++)
            if (sys->run[r].kind == VAR_PREVIOUS)
                set_mark(p, sys->run[r].first + i, MARK_CLOCKED, 0);
    join_bases(p);
}

bool system_partition(System *sys, Diag *diag) {
    if (!has_clocks(sys)) return true;
    size_t  n = (size_t)sys->vars;
    Finder  p = {.sys = sys, .f = {.sys = sys, .diag = diag}};
    Clocks *clocks = NEW(&sys->arena, Clocks, 1);
    p.sub = mem_take(n, sizeof *p.sub);
    p.base = mem_take(n, sizeof *p.base);
    p.mark = mem_take(n, 1);
    p.why = mem_take(n, sizeof *p.why);
    set_start(p.sub, sys->vars);
    find_partitions(&p);
    clocks->vars = sys->vars;
    clocks->sub_of = NEW(&clocks->arena, int, sys->vars + 1);
    bool fine = report_mixed(&p);
    if (fine) {
        number_partitions(&p, clocks);
        number_facts(&p, clocks);
        p.f.sub_of = clocks->sub_of;
        fine = clocks_infer(&p.f);
        clocks->base = p.f.base;
        clocks->sub = p.f.sub;
        clocks->bases = p.f.bases;
        clocks->subs = p.f.subs;
        sys->clocks = clocks;
        cut_set(&p, clocks, ROWS_EQUATION);
        cut_set(&p, clocks, ROWS_ACTION);
        cut_set(&p, clocks, ROWS_INITIAL);
        fine = fine && clocks_check(sys, diag);
    }
    for (int s = 0; s < ROWS_SETS; s++) mem_free(p.row[s]);
    MEM_FREE(p.sub, p.base, p.mark, p.why, p.own, p.f.said, p.f.step);
    return fine;
}
