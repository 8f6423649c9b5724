/* SPDX-License-Identifier: Apache-2.0 */
/* graph.c -- which equation uses which unknown, and how it could give it.
 *
 * Compressed rows. What a shape can do with a slot is found out once for each shape; only factors are
 * looked at row by row. Linear in the number of slots. */
#include "dae/dae.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- variables of a row ------------------------------------------------------------------------ */

static void uses_array(const Structure *st, int row, int k, UseVar *use, void *context) {
    int rank, at[ROW_DIMS] = {0}, var = st->slot[st->first[row] + k], count = 1;
    const int32_t *sizes = structure_sizes(st, row, k, &rank);
    for (int d = 0; d < rank; d++) count *= sizes[2 * d];
    for (int i = 0; i < count; i++) {
        use(context, var, k);
        for (int d = rank - 1; d >= 0; d--) {
            var += sizes[2 * d + 1];
            if (++at[d] < sizes[2 * d]) break;
            var -= sizes[2 * d] * sizes[2 * d + 1];
            at[d] = 0;
        }
    }
}

void structure_uses(const Structure *st, int row, UseVar *use, void *context) {
    Shapes     *shapes = st->sys->shapes;
    int         number = st->shape[row];
    const Shape shape = shapes->shape[number];
    const int  *slot = st->slot + st->first[row];
    bool       *now = NULL;
    if (shapes->node[shape.root].flags & (NODE_IMPURE | NODE_CLOCKED)) { /* or a delay */
        now = mem_take((size_t)shape.slots, 1);
        expr_present(shapes, shape.root, now, shape.slots);
    }
    for (int k = 0; k < shape.slots; k++) {
        TermOp op = expr_op(shapes, shape_leaf(shapes, number, k));
        if (now && !now[k]) continue;
        if (op == TERM_SLOT) use(context, slot[k], k);
        else if (op == TERM_ARRAY_SLOT) uses_array(st, row, k, use, context);
    }
    mem_free(now);
}

/* ---- results of a row ---------------------------------------------------------------------------- */

/* Scalar results of one item at the left; *slot is its slot or -1. */
static int item_results(const Structure *st, int row, Term item, int *slot) {
    const Shapes *shapes = st->sys->shapes;
    while (expr_op(shapes, item) == TERM_NEG) item = expr_arg(shapes, item, 0);
    const Node *node = expr_node(shapes, item);
    *slot = node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT ? node->index : -1;
    if (node->op != TERM_ARRAY_SLOT) return 1;
    int            rank, count = 1;
    const int32_t *sizes = structure_sizes(st, row, node->index, &rank);
    for (int d = 0; d < rank; d++) count *= sizes[2 * d];
    return count;
}

bool structure_multiple(const Structure *st, int row) {
    const Shapes *shapes = st->sys->shapes;
    Term          root = shapes->shape[st->shape[row]].root;
    if (expr_op(shapes, root) != TERM_EQUATION) return false;
    TermOp left = expr_op(shapes, expr_arg(shapes, root, 0));
    return left == TERM_TUPLE || left == TERM_ARRAY_SLOT;
}

int structure_results(const Structure *st, int row) {
    const Shapes *shapes = st->sys->shapes;
    if (!structure_multiple(st, row)) return 1;
    Term left = expr_arg(shapes, shapes->shape[st->shape[row]].root, 0);
    int  slot, count = 0;
    if (expr_op(shapes, left) != TERM_TUPLE) return item_results(st, row, left, &slot);
    for (uint32_t k = 0; k < shapes->node[left].n; k++)
        count += item_results(st, row, expr_arg(shapes, left, k), &slot);
    return count;
}

int structure_result(const Structure *st, int row, int part) {
    const Shapes *shapes = st->sys->shapes;
    Term          left = expr_arg(shapes, shapes->shape[st->shape[row]].root, 0);
    bool          tuple = expr_op(shapes, left) == TERM_TUPLE;
    uint32_t      items = tuple ? shapes->node[left].n : 1;
    for (uint32_t k = 0; k < items; k++) {
        int slot,
            n = item_results(st, row, tuple ? expr_arg(shapes, left, k) : left, &slot);
        if (part >= n) {
            part -= n;
            continue;
        }
        if (slot < 0) return -1;
        int            var = st->slot[st->first[row] + slot], rank = 0;
        const int32_t *sizes =
            expr_op(shapes, shape_leaf(shapes, st->shape[row], slot)) == TERM_ARRAY_SLOT
                ? structure_sizes(st, row, slot, &rank)
                : NULL;
        for (int d = rank - 1; d >= 0; d--) { /* last dimension fastest */
            var += part % sizes[2 * d] * sizes[2 * d + 1];
            part /= sizes[2 * d];
        }
        return var;
    }
    return -1;
}

/* Element `part` of an array of the given sizes. */
static Term element_at(Shapes *shapes, Term array, int part, const int32_t *sizes,
                       int rank) {
    Term args[ROW_DIMS + 1] = {array};
    for (int d = rank - 1; d >= 0; d--) { /* last dimension fastest */
        args[d + 1] = expr_integer(shapes, part % sizes[2 * d] + 1);
        part /= sizes[2 * d];
    }
    return expr_make(shapes, TERM_ELEMENT, args, rank + 1);
}

Term structure_part(const Structure *st, int row, int part, Term *value) {
    Shapes  *shapes = st->sys->shapes;
    Term     root = shapes->shape[st->shape[row]].root;
    Term     left = expr_arg(shapes, root, 0), right = expr_arg(shapes, root, 1);
    Node     call = shapes->node[right];
    bool     tuple = expr_op(shapes, left) == TERM_TUPLE;
    uint32_t items = tuple ? shapes->node[left].n : 1, k = 0;
    int      slot = -1, rank = 0;
    if (tuple && call.op != TERM_CALL) return 0;
    for (; k < items; k++) {
        int n = item_results(st, row, tuple ? expr_arg(shapes, left, k) : left, &slot);
        if (part < n) break;
        part -= n;
    }
    if (k == items || slot < 0) return 0;
    Term item = tuple ? expr_arg(shapes, left, k) : left, given = right;
    bool minus = expr_op(shapes, item) == TERM_NEG;
    if (minus) item = expr_arg(shapes, item, 0);
    Node leaf = shapes->node[item];
    if (tuple) {
        Term *args = mem_take(call.n, sizeof *args);
        for (uint32_t j = 0; j < call.n; j++) args[j] = expr_arg(shapes, right, j);
        given = expr_call(shapes, call.index, (int)k, (Type)leaf.type, leaf.rank, args,
                          (int)call.n);
        mem_free(args);
    }
    if (leaf.op == TERM_ARRAY_SLOT) {
        const int32_t *sizes = structure_sizes(st, row, slot, &rank);
        item = element_at(shapes, item, part, sizes, rank);
        given = element_at(shapes, given, part, sizes, rank);
    }
    *value = minus ? expr_1(shapes, TERM_NEG, given) : given;
    return item;
}

/* ---- how an equation gives an unknown --------------------------------------------------------------- */

enum {
    EDGE_FACTOR = EDGE_ALWAYS + 1
}; /* by a formula whose factor is looked at row by row */

typedef struct SlotEdge { /* of a slot that a shape uses */
    int      slot;
    uint8_t  kind;     /* EdgeKind or EDGE_FACTOR */
    bool     array;    /* it is an array slot */
    uint8_t  found;    /* EdgeKind of row `asked` */
    int      asked;    /* row whose factor was looked at last, -1 none */
    Solution solution; /* with EDGE_FACTOR */
} SlotEdge;

typedef struct ShapeEdges {
    int  first, count; /* slots that it uses: SlotEdge */
    bool known;        /* the rest holds */
    bool several;      /* rows have several results */
    bool real;         /* a side of the equation is Real: it may give a Real */
    bool when;         /* right side is a WHEN */
} ShapeEdges;

typedef struct Expected {
    const System *sys;
    const int    *slot;
    bool          known; /* all values asked for were */
} Expected;

static double expected_value(void *context, int slot) {
    Expected     *e = context;
    const System *sys = e->sys;
    int           var = e->slot[slot], run = system_run_of(sys, var);
    int           element = var - sys->run[run].first;
    double        value = 0;
    e->known &= system_known(sys, run, ATTR_BINDING, element, &value) ||
                system_known(sys, run, ATTR_EXPECTED, element, &value);
    return value;
}

/* The factor of a solution, if it is made of parameters whose values are known. */
static bool factor_value(const Structure *st, int row, const Solution *solution,
                         double *value) {
    Expected    expected = {st->sys, st->slot + st->first[row], true};
    EvalEnv     env = {.context = &expected, .slot = expected_value};
    const Node *node = expr_node(st->sys->shapes, solution->factor);
    if (node->op == TERM_SLOT) {
        *value = expected_value(&expected, node->index);
        return expected.known;
    }
    return expr_eval(st->sys->shapes, solution->factor, &env, value) && expected.known;
}

/* What the factor of a solution is made of. */
static bool is_parametric(const Structure *st, int row, const Solution *solution) {
    const System *sys = st->sys;
    const int    *slot = st->slot + st->first[row];
    if (solution->slots >> 63) return false;
    for (int k = 0; k < 63 && solution->slots >> k; k++) {
        if (!(solution->slots >> k & 1)) continue;
        if (expr_op(sys->shapes, shape_leaf(sys->shapes, st->shape[row], k)) ==
            TERM_NUMBER)
            continue;
        VarKind kind = (VarKind)sys->run[system_run_of(sys, slot[k])].kind;
        if (kind != VAR_PARAMETER && kind != VAR_CONSTANT) return false;
    }
    return true;
}

bool structure_coefficient(const Structure *st, int row, int var, double *value) {
    Shapes  *shapes = st->sys->shapes;
    int      shape = st->shape[row];
    Expected expected = {st->sys, st->slot + st->first[row], true};
    EvalEnv  env = {.context = &expected, .slot = expected_value};
    for (int k = 0; k < shapes->shape[shape].slots; k++) {
        const char *reason;
        if (st->slot[st->first[row] + k] != var ||
            expr_op(shapes, shape_leaf(shapes, shape, k)) != TERM_SLOT)
            continue;
        Term d = expr_partial(shapes, shapes->shape[shape].root, k, &reason);
        return d && expr_eval(shapes, d, &env, value) && expected.known;
    }
    return false;
}

/* Parameters that are zero divide nothing; so do those that are rounding errors beside the other
 * coefficients of the row, as the cosine of a right angle; *alone: those did not matter. */
static EdgeKind factor_kind(const Structure *st, int row, const Solution *solution,
                            bool *alone) {
    Shapes   *shapes = st->sys->shapes;
    const int shape = st->shape[row], slots = shapes->shape[shape].slots;
    double    value, other, scale = 0;
    if (!is_parametric(st, row, solution)) return EDGE_VARIABLE;
    if (!factor_value(st, row, solution, &value)) return EDGE_PARAMETER;
    if (value == 0) return EDGE_IMPLICIT;
    if (fabs(value) > 1e-10) return EDGE_PARAMETER;
    *alone = false;
    for (int k = 0; k < slots; k++) {
        const Solution s = shape_solve(shapes, shape, k);
        if (s.kind == SOLVE_ALWAYS) scale = fmax(scale, 1);
        if (s.kind == SOLVE_FACTOR && is_parametric(st, row, &s) &&
            factor_value(st, row, &s, &other))
            scale = fmax(scale, fabs(other));
    }
    return fabs(value) < 1e-14 * scale ? EDGE_IMPLICIT : EDGE_PARAMETER;
}

/* Do two rows of one shape have the same variables in a factor? */
static bool same_factor(const Structure *st, int a, int b, const Solution *solution) {
    const int *x = st->slot + st->first[a], *y = st->slot + st->first[b];
    if (solution->slots >> 63) return false;
    for (int k = 0; k < 63 && solution->slots >> k; k++)
        if (solution->slots >> k & 1 && x[k] != y[k]) return false;
    return true;
}

/* Rows of a loop often divide by the same parameters: then the answer is that of the row
 * before. Other coefficients of the row matter only beside a very small factor. */
static EdgeKind factor_kind_again(const Structure *st, int row, SlotEdge *slot) {
    bool alone = true;
    if (slot->asked >= 0 && same_factor(st, row, slot->asked, &slot->solution))
        return (EdgeKind)slot->found;
    EdgeKind kind = factor_kind(st, row, &slot->solution, &alone);
    slot->asked = alone ? row : -1;
    slot->found = (uint8_t)kind;
    return kind;
}

/* aside: it enters functions as noDerivative only. */
static uint8_t slot_kind(Shapes *shapes, int shape, bool when, int slot, bool aside,
                         Solution *solution) {
    *solution = shape_solve(shapes, shape, slot);
    if (shapes->node[shape_leaf(shapes, shape, slot)].type != TYPE_REAL || when)
        return solution->kind == SOLVE_ALWAYS && (!when || slot == 0) ? EDGE_ALWAYS
                                                                      : EDGE_NEVER;
    if (solution->inverted) return EDGE_VARIABLE;
    if (solution->kind == SOLVE_ALWAYS) return EDGE_ALWAYS;
    if (solution->kind == SOLVE_FACTOR) return EDGE_FACTOR;
    if (expr_op(shapes, shapes->shape[shape].root) != TERM_EQUATION) return EDGE_NEVER;
    /* who gives a derivative without an input does not mean the input to be solved for */
    return solution->degree == DEGREE_NONE || aside ? EDGE_NEVER : EDGE_IMPLICIT;
}

/* ---- what is the same for all rows of a shape -------------------------------------------------------- */

typedef struct EdgeTable {
    ShapeEdges *shape; /* by number */
    SlotEdge   *slot;
    int         slots;
    uint32_t    room;
} EdgeTable;

/* A Boolean or Integer equation gives no Real. */
static ShapeEdges begin_shape(const Shapes *shapes, Term root, int first) {
    ShapeEdges s = {.first = first, .known = true};
    if (expr_op(shapes, root) != TERM_EQUATION) return s;
    const Node *left = expr_node(shapes, expr_arg(shapes, root, 0));
    const Node *right = expr_node(shapes, expr_arg(shapes, root, 1));
    s.several = left->op == TERM_TUPLE || left->op == TERM_ARRAY_SLOT;
    s.real = left->type == TYPE_REAL || right->type == TYPE_REAL;
    s.when = right->op == TERM_WHEN;
    return s;
}

static void look_at_shape(EdgeTable *table, Shapes *shapes, int number) {
    const Shape  shape = shapes->shape[number];
    const size_t n = (size_t)shape.slots;
    const int    flags = shapes->node[shape.root].flags;
    ShapeEdges   made = begin_shape(shapes, shape.root, table->slots);
    bool         late = flags & (NODE_IMPURE | NODE_CLOCKED); /* or a delay */
    bool         calls = shapes->clocked && flags & NODE_CALLS;
    bool        *now = mem_take(2 * n, sizeof *now), *asked = now + n;
    if (late) expr_present(shapes, shape.root, now, shape.slots);
    if (calls) expr_asked(shapes, shape.root, asked, shape.slots);
    GROW(table->slot, table->room, (uint32_t)table->slots + (uint32_t)n + 1);
    for (int k = 0; k < shape.slots; k++) {
        SlotEdge s = {.slot = k, .asked = -1};
        TermOp   op = expr_op(shapes, shape_leaf(shapes, number, k));
        if ((late && !now[k]) || (op != TERM_SLOT && op != TERM_ARRAY_SLOT)) continue;
        s.array = op == TERM_ARRAY_SLOT;
        s.kind = slot_kind(shapes, number, made.when, k, calls && !asked[k], &s.solution);
        table->slot[table->slots++] = s;
        made.count++;
    }
    mem_free(now);
    table->shape[number] = made;
}

static const ShapeEdges *shape_edges(EdgeTable *table, const Structure *st, int row) {
    const int number = st->shape[row];
    if (!table->shape[number].known) look_at_shape(table, st->sys->shapes, number);
    return &table->shape[number];
}

/* ---- the graph -------------------------------------------------------------------------------------- */

typedef struct Fill {
    Structure *st;
    EdgeTable  table;
    int       *edge; /* by variable: its edge in the equation that met it last, -1 none */
    int *clause; /* by variable: the row of its when-clause, -1 if none; NULL: none is */
    int  row, first; /* of the equation: its row, its first edge */
    bool real;
    int  n, room; /* edges so far, and how many there is room for */
    /* a row with several results */
    int      several; /* the row these are of, -1 if none */
    bool    *input;   /* by slot: used at the right */
    int      inputs;
    int     *used; /* unknowns at the right */
    int      uses;
    uint32_t use_room;
} Fill;

static bool is_column(const Structure *st, int var) {
    return var >= 0 && (st->role[var] == ROLE_UNKNOWN || st->role[var] == ROLE_STATE);
}

static void make_room(Fill *f, int room) {
    f->room = room;
    RESIZE(f->st->graph.col, room);
    RESIZE(f->st->graph.kind, room);
}

/* True if the equation has met the variable before. */
static bool enter_edge(Fill *f, int var) {
    if (f->edge[var] >= f->first) return true;
    if (f->n == f->room) make_room(f, f->n + f->n / 2 + 16);
    f->st->graph.col[f->n] = var;
    f->edge[var] = f->n++;
    return false;
}

static void put_edge(Fill *f, int var, EdgeKind kind) {
    f->st->graph.kind[f->edge[var]] = (uint8_t)kind;
}

int structure_fast_state(const Structure *st, int var) {
    const System *sys = st->sys;
    if (system_kind(sys, var) != VAR_RATE) return -1;
    const VarRun *run = &sys->run[system_run_of(sys, var)];
    return st->alias[sys->run[run->of].first + var - run->first];
}

/* What moves at a rate belongs to the block in which the rate stands. */
static void add_tie(Fill *f, int rate) {
    int state = structure_fast_state(f->st, rate);
    if (state < 0 || !is_column(f->st, state)) return;
    enter_edge(f, state);
    put_edge(f, state, EDGE_IMPLICIT);
}

static void add_edge(Fill *f, int var, SlotEdge *slot) {
    if (f->st->sys->theta.count) add_tie(f, var);
    if (!is_column(f->st, var)) return;
    bool     again = enter_edge(f, var);
    EdgeKind kind = slot->kind == EDGE_FACTOR ? factor_kind_again(f->st, f->row, slot)
                                              : (EdgeKind)slot->kind;
    if (!f->real && kind < EDGE_ALWAYS) kind = EDGE_NEVER;
    if (again && kind > EDGE_IMPLICIT) kind = EDGE_IMPLICIT;
    if (f->clause && f->clause[var] >= 0 && f->clause[var] != f->row) kind = EDGE_NEVER;
    put_edge(f, var, kind);
}

typedef struct ArrayEdge {
    Fill     *fill;
    SlotEdge *slot;
} ArrayEdge;

static void add_element(void *context, int var, int slot) {
    const ArrayEdge *a = context;
    (void)slot;
    add_edge(a->fill, var, a->slot);
}

static void add_use(void *context, int var, int slot) {
    Fill *f = context;
    if (f->st->sys->theta.count && structure_fast_state(f->st, var) >= 0)
        var = structure_fast_state(f->st, var);
    if (!f->input[slot] || !is_column(f->st, var)) return;
    GROW(f->used, f->use_room, f->uses + 1);
    f->used[f->uses++] = var;
}

/* What the right side uses is the same for all results: looked for once, since a row may have
 * thousands of them. */
static void start_several(Fill *f) {
    Structure *st = f->st;
    Shapes    *shapes = st->sys->shapes;
    int        shape = st->shape[f->row], slots = shapes->shape[shape].slots;
    if (f->several == f->row) return;
    f->several = f->row;
    GROW(f->input, f->inputs, slots);
    expr_present(shapes, expr_arg(shapes, shapes->shape[shape].root, 1), f->input, slots);
    f->uses = 0;
    structure_uses(st, f->row, add_use, f);
}

/* Result `part`: it uses all that stands at the right, and the next result, because results of
 * one row stay together. */
static void add_result(Fill *f, int part) {
    const Structure *st = f->st;
    int              n = structure_results(st, f->row);
    int              result = structure_result(st, f->row, part);
    int              sibling = structure_result(st, f->row, (part + 1) % n);
    start_several(f);
    for (int k = 0; k < f->uses; k++)
        if (!enter_edge(f, f->used[k]))
            put_edge(f, f->used[k], f->used[k] == result ? EDGE_IMPLICIT : EDGE_NEVER);
    if (is_column(st, result) && !enter_edge(f, result)) put_edge(f, result, EDGE_ALWAYS);
    if (is_column(st, sibling) && !enter_edge(f, sibling))
        put_edge(f, sibling, EDGE_NEVER);
}

static void add_row(Fill *f, const ShapeEdges *shape) {
    const Structure *st = f->st;
    const int       *slot = st->slot + st->first[f->row];
    SlotEdge        *edge = f->table.slot + shape->first;
    for (int k = 0; k < shape->count; k++, edge++) {
        ArrayEdge array = {f, edge};
        if (edge->array) uses_array(st, f->row, edge->slot, add_element, &array);
        else add_edge(f, slot[edge->slot], edge);
    }
}

/* What a when-clause assigns is given by it and by no other equation. */
static void find_clauses(Fill *f) {
    const Structure *st = f->st;
    const Shapes    *shapes = st->sys->shapes;
    for (int r = 0; r < st->rows; r++) {
        if (!shape_edges(&f->table, st, r)->when) continue;
        Term left = expr_arg(shapes, shapes->shape[st->shape[r]].root, 0);
        if (expr_op(shapes, left) != TERM_SLOT) continue;
        if (!f->clause) {
            f->clause = mem_resize(NULL, (size_t)st->vars * sizeof *f->clause);
            for (int v = 0; v < st->vars; v++) f->clause[v] = -1;
        }
        f->clause[st->slot[st->first[r] + shapes->node[left].index]] = r;
    }
}

void structure_graph(Structure *st) {
    Fill f = {.st = st, .several = -1};
    f.edge = mem_resize(NULL, ((size_t)st->vars + 1) * sizeof *f.edge);
    for (int v = 0; v < st->vars; v++) f.edge[v] = -1;
    f.table.shape = mem_take((size_t)st->sys->shapes->count, sizeof *f.table.shape);
    find_clauses(&f);
    MEM_FREE(st->graph.start, st->graph.col, st->graph.kind);
    st->graph = (Graph){.rows = st->eqs, .cols = st->vars};
    st->graph.start = mem_take((size_t)st->eqs, sizeof *st->graph.start);
    make_room(&f, (int)st->slots + 1); /* enough, but for arrays */
    for (int e = 0; e < st->eqs; e++) {
        f.row = st->eq_row[e];
        st->graph.start[e] = f.first = f.n;
        const ShapeEdges *shape = shape_edges(&f.table, st, f.row);
        f.real = shape->real;
        if (shape->several) add_result(&f, st->eq_part[e]);
        else add_row(&f, shape);
    }
    st->graph.start[st->eqs] = f.n;
    make_room(&f, f.n + 1);
    MEM_FREE(f.edge, f.clause, f.table.shape, f.table.slot, f.input, f.used);
    st->graph.current = true;
}

void structure_narrow(Structure *st) {
    Graph *g = &st->graph;
    int    n = 0;
    for (int e = 0, k = 0; e < g->rows; e++) {
        g->start[e] = n;
        for (; k < g->start[e + 1]; k++) {
            if (!is_column(st, g->col[k])) continue;
            g->col[n] = g->col[k];
            g->kind[n++] = g->kind[k];
        }
    }
    g->start[g->rows] = n;
}

Graph graph_transpose(const Graph *graph, Arena *arena) {
    Links links = {.rows = graph->rows, .start = graph->start, .to = graph->col};
    Links turned = links_turned(&links, graph->cols, arena);
    return (Graph){.rows = graph->cols,
                   .cols = graph->rows,
                   .start = turned.start,
                   .col = turned.to};
}

Graph graph_part(const Graph *graph, const int *row, int rows, const int *number,
                 int cols, EdgeKind least, Arena *arena) {
    int n = 0;
    for (int r = 0; r < rows; r++) n += graph->start[row[r] + 1] - graph->start[row[r]];
    Graph part = {.rows = rows,
                  .cols = cols,
                  .start = NEW(arena, int, rows + 1),
                  .col = NEW(arena, int, n + 1),
                  .kind = NEW(arena, uint8_t, n + 1)};
    n = 0;
    for (int r = 0; r < rows; r++) {
        part.start[r] = n;
        for (int k = graph->start[row[r]]; k < graph->start[row[r] + 1]; k++) {
            int col = number[graph->col[k]] - 1;
            if (col < 0 || graph->kind[k] < least) continue;
            part.col[n] = col;
            part.kind[n++] = graph->kind[k];
        }
    }
    part.start[rows] = n;
    return part;
}
