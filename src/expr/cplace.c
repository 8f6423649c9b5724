/* SPDX-License-Identifier: Apache-2.0 */
/* cplace.c -- where temporaries stand: uses, regions, and which nodes need a name (see ctext.c). */
#include "expr/ctext.h"

enum {
    MOST_STANDS = 64
}; /* of one node: shared branches within branches could have many */

int place_of(const Emit *e, Term x) {
    return (int)map_get(&e->place, x, -1);
}

int region_new(Emit *e, int parent) {
    GROW(e->tree, e->tree_room, e->regions + 1);
    e->tree[e->regions] =
        (Region){parent, parent < 0 ? 0 : e->tree[parent].depth + 1, -1, -1, -1};
    return (int)e->regions++;
}
/* The two ways at a condition: the first is returned, the other one follows it. */
static int region_pair(Emit *e, int parent) {
    int way = region_new(e, parent), other = region_new(e, parent);
    e->tree[way].twin = other;
    e->tree[other].twin = way;
    return way;
}
static int common(const Emit *e, int a, int b) {
    while (a != b) {
        if (e->tree[a].depth >= e->tree[b].depth) a = e->tree[a].parent;
        else b = e->tree[b].parent;
    }
    return a;
}

bool is_loop(TermOp op) {
    return op == TERM_SUM_OF || op == TERM_PRODUCT_OF || op == TERM_MIN_OF ||
           op == TERM_MAX_OF;
}

bool is_quiet(const Shapes *shapes, Term x) {
    double order = 0;
    if (expr_op(shapes, x) == TERM_NO_EVENT) return true;
    return expr_op(shapes, x) == TERM_SMOOTH &&
           expr_literal(shapes, expr_arg(shapes, x, 0), &order) && order >= 1;
}

/* ---- stands ------------------------------------------------------------------------------------- */

void place_stand(Emit *e, int p, int region) {
    GROW(e->stand, e->stand_room, e->stands + 1);
    e->stand[e->stands] = (Stand){.node = p,
                                  .region = region,
                                  .inner = -1,
                                  .another = e->first[p],
                                  .mate = -1,
                                  .next = -1};
    e->first[p] = (int)e->stands++;
}
/* One region around all uses. */
static void stand_above(Emit *e, int p, int region) {
    for (int s = e->first[p]; s >= 0; s = e->stand[s].another)
        region = common(e, region, e->stand[s].region);
    e->first[p] = -1;
    place_stand(e, p, region);
}
/* What may fail is computed only where it is needed: in each of its uses, unless one of them is
 * sure to come. That is so in the region of another use, and where both ways need it. */
static void stand_apart(Emit *e, int p, int region) {
    int *link = &e->first[p], count = 0;
    while (*link >= 0) {
        Stand *s = &e->stand[*link];
        int    above = common(e, s->region, region);
        if (above == s->region) return;
        bool both = s->region == e->tree[region].twin;
        if (above == region || both) *link = s->another;
        else link = &s->another;
        if (both) {
            stand_apart(e, p, above);
            return;
        }
        count++;
    }
    if (count < MOST_STANDS) place_stand(e, p, region);
    else stand_above(e, p, region);
}
static void use(Emit *e, Term arg, int region) {
    int p = place_of(e, arg);
    e->uses[p]++;
    if (e->faults[p]) stand_apart(e, p, region);
    else stand_above(e, p, region);
}
static void use_whole(Emit *e, Term arg, int region) {
    use(e, arg, region);
    if (e->shapes->node[arg].rank) e->whole[place_of(e, arg)] = true;
}

/* What is inside is used at most on a way that may be taken without an event. */
static void lift(Emit *e, Term arg, int region) {
    int *own = &e->lift[place_of(e, arg)];
    if (region >= 0) *own = *own < 0 ? region : common(e, *own, region);
}

/* Arguments from the first on that is behind a silent condition of an IF, AND or OR, and what the node itself
 * hands on. Relations there take their values at events: if none is due when the way is taken, they must have
 * been computed before. */
static void lift_arguments(Emit *e, int i, int here) {
    const Node node = e->shapes->node[e->list[i]];
    const bool branches = node.op == TERM_IF || node.op == TERM_WHEN;
    const bool ways = branches || node.op == TERM_AND || node.op == TERM_OR;
    int        region = e->lift[i];
    for (uint32_t k = 0; k < node.n; k++) {
        const Term arg = expr_arg(e->shapes, e->list[i], k);
        const bool condition = !branches || (k % 2 == 0 && k + 1 < node.n);
        lift(e, arg, region);
        if (ways && condition && region < 0 && e->silent[place_of(e, arg)]) region = here;
    }
}

/* The temporary of an enclosing text that holds x, -1 if none. */
static int outer_temp(const Emit *e, Term x) {
    if (e->shapes->node[x].flags & NODE_BOUND) return -1;
    for (; e->outer; e = e->outer) {
        const Emit *o = e->outer;
        int         p = place_of(o, x);
        if (p < 0 || o->temp[p] < 0) continue;
        for (int r = e->outer_region; r >= 0; r = o->tree[r].parent)
            for (int s = o->first[p]; s >= 0; s = o->stand[s].another)
                if (r == o->stand[s].region) return o->temp[p];
    }
    return -1;
}

/* Short constructors are read by a chain of conditions, longer ones become arrays. */
bool is_chain(const Shapes *shapes, Term array) {
    const Node *node = expr_node(shapes, array);
    return node->op == TERM_ARRAY && node->rank == 1 && node->n <= 8;
}

/* Where the size of a dimension is found: a length (*array 0, *dimension -1), a number
 * (*array 0, the result 0) or the dimension of an array that is a slot or a temporary. */
Term size_source(const Shapes *shapes, Term *array, int *dimension) {
    for (;;) {
        const Node *node = expr_node(shapes, *array);
        switch (node->op) {
        case TERM_EACH: {
            Term length = expr_arg(shapes, *array, 0);
            if (*dimension == 1) {
                *array = 0;
                return length;
            }
            *array = expr_arg(shapes, *array, 1);
            --*dimension;
            break;
        }
        case TERM_ARRAY:
            if (*dimension == 1) {
                *dimension = (int)node->n;
                *array = 0;
                return 0;
            }
            *array = expr_arg(shapes, *array, 0);
            --*dimension;
            break;
        case TERM_NEG:
        case TERM_NO_EVENT: *array = expr_arg(shapes, *array, 0); break;
        case TERM_IF: *array = expr_arg(shapes, *array, 1); break;
        default: return 0;
        }
    }
}
static void visit_size(Emit *e, Term x, int here) {
    Term   array = expr_arg(e->shapes, x, 0);
    double d = 1;
    expr_literal(e->shapes, expr_arg(e->shapes, x, 1), &d);
    int  dimension = (int)d;
    Term length = size_source(e->shapes, &array, &dimension);
    if (length) use(e, length, here);
    else if (array && expr_op(e->shapes, array) != TERM_ARRAY_SLOT)
        use_whole(e, array, here);
}

/* Constructors of scalars inside one another are filled at once: the inner ones are no arrays of
 * their own. */
static bool is_nested(const Shapes *shapes, Term x) {
    enum { MOST = 32 };
    int size[MOST], rank = shapes->node[x].rank;
    if (expr_op(shapes, x) != TERM_ARRAY || rank < 2 || rank >= MOST) return false;
    for (int d = 0; d < rank; d++) size[d] = -1;
    return literal_sizes(shapes, x, size, rank);
}

/* Regions of the arguments of a node that stands in a region. An IF with branches 1..m makes for
 * each branch a region for its value and one for all that follows; AND and OR one for each
 * argument but the first. */
static void visit_branches(Emit *e, Stand *s, Term x) {
    Node     node = e->shapes->node[x];
    int      rest = s->region;
    uint32_t k = 0;
    s->inner = (int)e->regions;
    for (; k + 1 < node.n; k += 2) {
        int way = region_pair(e, rest);
        use(e, expr_arg(e->shapes, x, k), rest);
        use_whole(e, expr_arg(e->shapes, x, k + 1), way);
        rest = way + 1;
    }
    if (k < node.n) use_whole(e, expr_arg(e->shapes, x, k), rest);
}
static void visit_logic(Emit *e, Stand *s, Term x) {
    int here = s->region;
    s->inner = (int)e->regions;
    use(e, expr_arg(e->shapes, x, 0), here);
    for (uint32_t k = 1; k < e->shapes->node[x].n; k++) {
        here = region_new(e, here);
        use(e, expr_arg(e->shapes, x, k), here);
    }
}
static void visit_stand(Emit *e, Stand *s, Term x) {
    Node     node = e->shapes->node[x];
    int      here = s->region;
    uint32_t k = 0;
    switch (node.op) {
    case TERM_IF:
    case TERM_WHEN: visit_branches(e, s, x); return;
    case TERM_AND:
    case TERM_OR: visit_logic(e, s, x); return;
    case TERM_SUM_OF:
    case TERM_PRODUCT_OF:
    case TERM_MIN_OF:
    case TERM_MAX_OF: use(e, expr_arg(e->shapes, x, 0), here); return;
    case TERM_EACH:
        for (; expr_op(e->shapes, x) == TERM_EACH; x = expr_arg(e->shapes, x, 1))
            use(e, expr_arg(e->shapes, x, 0), here);
        return;
    case TERM_SIZE: visit_size(e, x, here); return;
    case TERM_ELEMENT: {
        Term array = expr_arg(e->shapes, x, k++);
        if (is_chain(e->shapes, array)) use(e, array, here);
        else if (expr_op(e->shapes, array) != TERM_ARRAY_SLOT) use_whole(e, array, here);
        break;
    }
    default: break;
    }
    bool nested = is_nested(e->shapes, x);
    for (; k < node.n; k++) {
        if (nested) use(e, expr_arg(e->shapes, x, k), here);
        else use_whole(e, expr_arg(e->shapes, x, k), here);
    }
}

void place_visit(Emit *e, int i) {
    Term x = e->list[i];
    Node node = e->shapes->node[x];
    if (e->first[i] < 0) return; /* only in the body of a loop */
    if (node.n && (e->temp[i] = outer_temp(e, x)) >= 0) return;
    for (uint32_t k = 0; k < node.n && e->loud[i] && !is_quiet(e->shapes, x); k++)
        e->loud[place_of(e, expr_arg(e->shapes, x, k))] = true;
    if (e->c->event && e->loud[i] && !is_quiet(e->shapes, x)) {
        if (e->lift[i] >= 0 && is_held(e->shapes, x) && !e->faults[i]) {
            stand_above(e, i, e->lift[i]);
            e->uses[i]++;
        }
        for (int s = e->first[i]; s >= 0; s = e->stand[s].another)
            lift_arguments(e, i, e->stand[s].region);
    }
    for (int s = e->first[i]; s >= 0; s = e->stand[s].another) {
        Stand stand = e->stand[s];
        visit_stand(e, &stand, x);
        e->stand[s].inner = stand.inner;
    }
}

bool has_statements(const Emit *e, const Stand *s) {
    Node node = e->shapes->node[e->list[s->node]];
    int  regions;
    if (node.op == TERM_IF || node.op == TERM_WHEN) regions = (int)(node.n / 2) * 2;
    else if (node.op == TERM_AND || node.op == TERM_OR) regions = (int)node.n - 1;
    else return false;
    for (int r = 0; r < regions; r++)
        if (e->tree[s->inner + r].first >= 0) return true;
    return false;
}

static bool is_wanted(const Emit *e, int i) {
    Node node = e->shapes->node[e->list[i]];
    bool cheap = !node.n || node.op == TERM_NEG || node.op == TERM_ELEMENT ||
                 node.op == TERM_SIZE || node.rank;
    bool array = node.rank && e->whole[i] && (node.op != TERM_ARRAY_SLOT || e->c->gather);
    if (array || is_loop((TermOp)node.op) || (e->uses[i] > 1 && !cheap)) return true;
    for (int k = e->first[i]; k >= 0; k = e->stand[k].another) {
        const Stand *s = &e->stand[k];
        if (has_statements(e, s) || s->mate >= 0 || s->follows) return true;
    }
    return false;
}

/* ---- results of one call ------------------------------------------------------------------------ */

static bool is_call(const Emit *e, int i) {
    Node node = e->shapes->node[e->list[i]];
    return node.op == TERM_CALL && node.type != TYPE_NONE && e->first[i] >= 0 &&
           e->temp[i] < 0 && (!node.rank || e->whole[i]);
}

static bool same_call(const Emit *e, int i, int j) {
    const Shapes *shapes = e->shapes;
    Node          a = shapes->node[e->list[i]], b = shapes->node[e->list[j]];
    if (a.index != b.index || a.n != b.n) return false;
    for (uint32_t k = 0; k < a.n; k++)
        if (expr_arg(shapes, e->list[i], k) != expr_arg(shapes, e->list[j], k))
            return false;
    return true;
}

static uint64_t call_hash(const Emit *e, int i) {
    Node     node = e->shapes->node[e->list[i]];
    uint64_t h = hash_mix((uint64_t)node.index + 1);
    for (uint32_t k = 0; k < node.n; k++)
        h = hash_mix(h * 31 ^ (uint64_t)expr_arg(e->shapes, e->list[i], k));
    return h;
}

/* A result in a branch is taken from a call outside of it, if there is one. */
static void move_out(Emit *e, int i, int first) {
    int old = e->first[i];
    e->first[i] = -1;
    for (; old >= 0; old = e->stand[old].another) {
        int  region = e->stand[old].region;
        bool there = false;
        for (int j = first; j >= 0; j = e->mate[j])
            for (int s = e->first[j]; s >= 0; s = e->stand[s].another)
                if (common(e, region, e->stand[s].region) == e->stand[s].region)
                    region = e->stand[s].region;
        for (int s = e->first[i]; s >= 0; s = e->stand[s].another)
            there |= e->stand[s].region == region;
        if (!there) place_stand(e, i, region);
    }
}

/* The results of one call, linked by `mate` from the first: those in the same region are linked. */
static void join_results(Emit *e, int first) {
    for (int i = first; i >= 0; i = e->mate[i]) move_out(e, i, first);
    for (int i = first; i >= 0; i = e->mate[i])
        for (int s = e->first[i]; s >= 0; s = e->stand[s].another) {
            int m = -1;
            for (int j = e->mate[i]; j >= 0 && m < 0; j = e->mate[j])
                for (m = e->first[j]; m >= 0; m = e->stand[m].another)
                    if (e->stand[m].region == e->stand[s].region) break;
            e->stand[s].mate = m;
            if (m >= 0) e->stand[m].follows = true;
        }
}

static void join_calls(Emit *e, bool call_root) {
    Map first = {0}; /* call -> place of its first result */
    for (int i = e->n - 1 - call_root; i >= 0; i--) {
        if (!is_call(e, i)) continue;
        int behind = (int)map_get(&first, call_hash(e, i), -1);
        if (behind >= 0 && !same_call(e, i, behind)) continue;
        e->mate[i] = behind;
        map_put(&first, call_hash(e, i), i);
    }
    for (int i = 0; i < e->n - call_root; i++)
        if (is_call(e, i) && map_get(&first, call_hash(e, i), -1) == i)
            join_results(e, i);
    map_free(&first);
}

/* Levels of text that the arguments of a node stand for. */
static int levels_below(const Emit *e, int i) {
    int levels = 0;
    for (uint32_t k = 0; k < e->shapes->node[e->list[i]].n; k++) {
        int p = place_of(e, expr_arg(e->shapes, e->list[i], k));
        if (e->temp[p] < 0 && e->levels[p] > levels) levels = e->levels[p];
    }
    return levels;
}

/* C compilers limit how deep expressions nest; libtcc does so at 256 values. */
static bool is_deep(const Emit *e, int i) {
    enum { MOST_LEVELS = 64 };
    Node node = e->shapes->node[e->list[i]];
    return e->levels[i] > MOST_LEVELS && node.type == TYPE_REAL && !node.rank;
}

/* Which nodes become temporaries; they join the lists of their regions. */
void place_temporaries(Emit *e, bool call_root) {
    if (e->shapes->node[e->list[e->n - 1]].flags & NODE_CALLS) join_calls(e, call_root);
    for (int i = 0; i < e->n; i++) {
        if (e->first[i] < 0 || e->temp[i] >= 0 || (call_root && i == e->n - 1)) continue;
        e->levels[i] = levels_below(e, i) + 1;
        if (!is_wanted(e, i) && !is_deep(e, i)) continue;
        e->temp[i] = e->c->temps++;
        for (int s = e->first[i]; s >= 0; s = e->stand[s].another) {
            Region *region = &e->tree[e->stand[s].region];
            if (e->stand[s].follows) continue;
            if (region->last >= 0) e->stand[region->last].next = s;
            else region->first = s;
            region->last = s;
        }
    }
}
