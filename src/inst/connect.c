/* SPDX-License-Identifier: Apache-2.0 */
/* connect.c -- connection sets (Modelica 3.6, chapter 9).
 *
 * Every connect becomes joints: pairs of connector elements, loops and arrays unrolled to
 * integers. Sets are union-find over scalar variables; a flow variable has two nodes, as seen
 * from outside its component (inside the class that uses it) and from within. Equal
 * variables of a set give n - 1 equations, flows give one sum. Linear in connects. */
#include "inst/connect.h"

#include <string.h>

int inst_count(const Inst *inst) {
    int64_t n = 1;
    for (; inst; inst = inst->parent)
        for (int k = 0; k < inst->ndim; k++) n *= inst->dim[k] > 0 ? inst->dim[k] : 0;
    return n > ARRAY_MOST ? ARRAY_MOST : (int)n;
}

/* ---- elements of references -------------------------------------------------------------- */

typedef struct Axis { /* one dimension on the way to an instance */
    int  size;
    int *at; /* selected positions, NULL all */
    int  n;
} Axis;

/* Axes of inst, outermost first. Subscripts apply below base; dimensions of `at` and above
 * have the given index. */
static int axes_of(Eval *eval, const Tx *tx, const Inst *inst, const Inst *at,
                   const int *index, Axis *axis, bool *failed) {
    if (!inst) return 0;
    int n = axes_of(eval, tx, inst->parent, at, index, axis, failed);
    if (inst->ndim == 0) return n;
    bool above = inst == tx->base || inst_is_under(tx->base, inst);
    int  sub = above ? 0 : inst_depth_dims(inst->parent, tx->base);
    for (int k = 0; k < inst->ndim && n < 32; k++, n++) {
        axis[n] = (Axis){.size = inst->dim[k], .n = inst->dim[k]};
        if (above) {
            if (!inst_is_under(at, inst)) continue;
            int *one = NEW(eval->arena, int, 1);
            one[0] = index[n];
            axis[n].at = one;
            axis[n].n = 1;
            continue;
        }
        const Tx *s = tx->arg[sub + k];
        if (!s || s->kind == TX_COLON) continue;
        Value *v = eval_tx(eval, s);
        if (!v || v->basic == BASIC_REAL || v->basic == BASIC_STRING) {
            *failed = true;
            return n;
        }
        axis[n].at = NEW(eval->arena, int, v->count + 1);
        axis[n].n = v->count;
        for (int j = 0; j < v->count; j++) {
            int64_t i = v->integer[j] + (v->basic == BASIC_BOOLEAN);
            if (i < 1 || i > axis[n].size) {
                diag_report(eval->front->diag, s->pos, CODE_T121,
                            "subscript %lld of '%s' is outside 1..%d", (long long)i,
                            text_of(eval->front, inst->name), axis[n].size);
                *failed = true;
                return n;
            }
            axis[n].at[j] = (int)(i - 1);
        }
    }
    return n;
}

int *ref_elements(Eval *eval, const Tx *tx, const Inst *at, const int *index,
                  int *count) {
    Axis axis[32];
    bool failed = false;
    int  n = axes_of(eval, tx, tx->inst, at, index, axis, &failed), total = 1,
        step[32] = {0};
    if (failed) return NULL;
    for (int k = 0; k < n; k++) total *= axis[k].n;
    int *out = NEW(eval->arena, int, total + 1);
    for (int e = 0; e < total; e++) {
        int flat = 0;
        for (int k = 0; k < n; k++)
            flat = flat * axis[k].size + (axis[k].at ? axis[k].at[step[k]] : step[k]);
        out[e] = flat;
        for (int k = n - 1; k >= 0; k--) {
            if (++step[k] < axis[k].n) break;
            step[k] = 0;
        }
    }
    *count = total;
    return out;
}

/* ---- joints ------------------------------------------------------------------------------- */

static bool is_absent(const Inst *inst) {
    for (; inst; inst = inst->parent)
        if (inst->absent) return true;
    return false;
}

/* Outside: the first component below `at` on the way to inst is a connector. */
static bool is_outside(const Inst *inst, const Inst *at) {
    const Inst *below = inst;
    while (below && below->parent != at) below = below->parent;
    return below && below->connector;
}

static void add_joint(Joints *joints, Joint joint) {
    if (joints->count == joints->room)
        joints->item = arena_grow(&joints->front->arena, joints->item, sizeof(Joint),
                                  &joints->room, joints->count + 1);
    joint.number = joints->count;
    joint.level = joints->level;
    joints->item[joints->count++] = joint;
}

static bool may_connect(Front *front, const Tx *tx) {
    if (tx->inst->connector || tx->inst->in_connector) return true;
    diag_report(front->diag, tx->pos, CODE_T180, "'%s' is not a connector",
                text_of(front, tx->inst->name));
    return false;
}

static void print_size(Text *out, Ty type) {
    for (int k = 0; k < type.ndim; k++)
        text_printf(out, "%s%d", k ? ", " : "[", type.dim[k]);
    text_add(out, type.ndim ? "]" : "one element");
}

static void report_sizes(Front *front, const Equ *equ) {
    Text text = {0};
    for (int k = 0; k < 2; k++) {
        const Tx *tx = k ? equ->right : equ->left;
        text_add(&text, k ? ", '" : "'");
        inst_name(&text, front, tx->inst);
        text_add(&text, tx->type.ndim ? "' has size " : "' is ");
        print_size(&text, tx->type);
    }
    diag_report(front->diag, equ->pos, CODE_T181, "connect of different sizes: %s",
                text_get(&text));
    text_free(&text);
}

static void joint_elements(Joints *joints, Eval *eval, Inst *inst, const int *index,
                           const Equ *equ) {
    Front    *front = joints->front;
    const Tx *l = equ->left, *r = equ->right;
    int       nl, nr;
    if (is_absent(l->inst) || is_absent(r->inst)) return;
    if (!may_connect(front, l) || !may_connect(front, r)) return;
    int *el = ref_elements(eval, l, inst, index, &nl);
    int *er = el ? ref_elements(eval, r, inst, index, &nr) : NULL;
    if (!el || !er) {
        if (eval->why)
            diag_report(front->diag, equ->pos, CODE_F155,
                        "a subscript in connect cannot be determined when translating");
        return;
    }
    if (nl != nr || !ty_same_dims(l->type, r->type)) {
        report_sizes(front, equ);
        return;
    }
    bool ol = is_outside(l->inst, inst), or_ = is_outside(r->inst, inst);
    for (int k = 0; k < nl; k++)
        if (l->inst == r->inst && el[k] == er[k]) {
            Text text = {0};
            inst_name(&text, front, l->inst);
            diag_report(front->diag, equ->pos, CODE_T187, "'%s' is connected with itself",
                        text_get(&text));
            text_free(&text);
            return;
        }
    for (int k = 0; k < nl; k++)
        add_joint(joints,
                  (Joint){l->inst, r->inst, el[k], er[k], ol, or_, equ->pos, 0, 0});
}

static void collect(Joints *joints, Eval *eval, Inst *inst, const int *index,
                    const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_CONNECT) joint_elements(joints, eval, inst, index, equ);
        else if (equ->kind == EQU_FOR) {
            Value *values = eval_tx(eval, equ->iter->range);
            if (!values || eval->binds >= LENGTH(eval->bind)) continue;
            int at = eval->binds++;
            for (int j = 0; j < values->count; j++) {
                eval->bind[at].var = equ->iter;
                eval->bind[at].value = value_element(eval->arena, values, j);
                collect(joints, eval, inst, index, &equ->body);
            }
            eval->binds = at;
        } else if (equ->kind == EQU_IF) {
            for (int j = 0; j < equ->count; j++) {
                Value *c = equ->cond[j] ? eval_tx(eval, equ->cond[j]) : NULL;
                if (equ->cond[j] && (!c || !c->integer[0])) continue;
                collect(joints, eval, inst, index, &equ->branch[j]);
                break;
            }
        }
    }
}

static bool has_connects(const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_CONNECT) return true;
        if (equ->kind == EQU_FOR && has_connects(&equ->body)) return true;
        if (equ->kind == EQU_IF)
            for (int j = 0; j < equ->count; j++)
                if (has_connects(&equ->branch[j])) return true;
    }
    return false;
}

void joints_collect(Joints *joints, Inst *inst, const EquList *list) {
    if (!has_connects(list)) return;
    int         dim[32] = {0}, n = 0, index[32] = {0}, total = inst_count(inst);
    const Inst *chain[64];
    int         length = 0;
    for (const Inst *p = inst; p && length < 64; p = p->parent) chain[length++] = p;
    for (int c = length - 1; c >= 0; c--)
        for (int k = 0; k < chain[c]->ndim && n < 32; k++) dim[n++] = chain[c]->dim[k];
    for (int e = 0; e < total; e++) {
        Arena scratch = {0};
        Eval  eval = {.front = joints->front, .arena = &scratch, .steps = EVAL_STEPS};
        eval.index = index;
        eval.at = inst;
        joints->level++;
        collect(joints, &eval, inst, index, list);
        arena_free(&scratch);
        for (int k = n - 1; k >= 0; k--) {
            if (++index[k] < dim[k]) break;
            index[k] = 0;
        }
    }
}

/* ---- sets ------------------------------------------------------------------------------------- */

typedef struct Sets {
    FlatModel *model;
    Front     *front;
    int       *link; /* union-find over 2*scalar + outside; -1 not in a set       */
    Pos       *pos;  /* by node: a connect it came from                           */
} Sets;

static int find(int *link, int x) {
    while (link[x] != x) {
        link[x] = link[link[x]];
        x = link[x];
    }
    return x;
}

static void join(Sets *sets, int a, int b, Pos pos) {
    if (sets->link[a] < 0) sets->link[a] = a;
    if (sets->link[b] < 0) sets->link[b] = b;
    a = find(sets->link, a);
    b = find(sets->link, b);
    if (!sets->pos[a]) sets->pos[a] = pos;
    if (a == b) return;
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    sets->link[b] = a;
    if (!sets->pos[a]) sets->pos[a] = pos;
}

static void mismatch(Sets *sets, const Joint *joint, const char *why) {
    Text a = {0}, b = {0};
    inst_name(&a, sets->front, joint->a);
    inst_name(&b, sets->front, joint->b);
    diag_report(sets->front->diag, joint->pos, CODE_T182,
                "'%s' and '%s' cannot be connected: %s", text_get(&a), text_get(&b), why);
    text_free(&a);
    text_free(&b);
}

/* "'v' is flow in 'a' but not in 'b'" and the like; names as seen from the connect. */
static void mismatch_member(Sets *sets, const Joint *joint, const Inst *member,
                            const char *in_a, const char *in_b) {
    Text why = {0};
    if (member != joint->a && member != joint->b)
        text_printf(&why, "'%s' is ", text_of(sets->front, member->name));
    else text_add(&why, "one is ");
    text_printf(&why, "%s in '", in_a);
    inst_name(&why, sets->front, joint->a);
    text_printf(&why, "' %s '", in_b);
    inst_name(&why, sets->front, joint->b);
    text_char(&why, '\'');
    mismatch(sets, joint, text_get(&why));
    text_free(&why);
}

static void report_prefix(Sets *sets, const Joint *joint, const Inst *a, const Inst *b) {
    static const char *const names[] = {"", "flow", "stream"};
    Text                     why = {0};
    const Inst              *has = a->conn ? a : b;
    text_printf(&why, "'%s' is %s in '", text_of(sets->front, a->name), names[has->conn]);
    inst_name(&why, sets->front, has == a ? joint->a : joint->b);
    text_add(&why, "' but not in '");
    inst_name(&why, sets->front, has == a ? joint->b : joint->a);
    text_char(&why, '\'');
    mismatch(sets, joint, text_get(&why));
    text_free(&why);
}

static void report_types(Sets *sets, const Joint *joint, Inst *a, Inst *b) {
    Front *front = sets->front;
    Text   in_b = {0};
    text_printf(&in_b, "and %s in",
                ty_text(front, ty_element(inst_type(front, b), b->ndim)));
    mismatch_member(sets, joint, a,
                    ty_text(front, ty_element(inst_type(front, a), a->ndim)),
                    text_get(&in_b));
    text_free(&in_b);
}

/* Parameters of connected connectors must be equal where both are known. */
static void compare_parameters(Sets *sets, const Joint *joint, Inst *a, Inst *b) {
    Front *front = sets->front;
    if ((a->vary <= VARY_PARAMETER) != (b->vary <= VARY_PARAMETER)) {
        mismatch_member(
            sets, joint, a, a->vary <= VARY_PARAMETER ? "a parameter" : "a variable",
            a->vary <= VARY_PARAMETER ? "but a variable in" : "but a parameter in");
        return;
    }
    Arena scratch = {0};
    Eval  eval = {.front = front, .arena = &scratch, .steps = EVAL_STEPS};
    front->peek++;
    Value *va = inst_value(&eval, a), *vb = va ? inst_value(&eval, b) : NULL;
    front->peek--;
    if (va && vb && va->count == vb->count && !value_equal(va, vb)) {
        Text text = {0};
        text_printf(&text, "'%s' is ", text_of(front, a->name));
        value_print(&text, front, va);
        text_add(&text, " in '");
        inst_name(&text, front, joint->a);
        text_add(&text, "' and ");
        value_print(&text, front, vb);
        text_add(&text, " in '");
        inst_name(&text, front, joint->b);
        text_char(&text, '\'');
        diag_report(front->diag, joint->pos, CODE_T189,
                    "connected connectors have different parameters: %s",
                    text_get(&text));
        text_free(&text);
    }
    arena_free(&scratch);
}

static void join_leaf(Sets *sets, const Joint *joint, Inst *a, Inst *b, int ia, int ib) {
    if (a->first < 0 || b->first < 0) return;
    a->connected = b->connected = true;
    if (a->conn != b->conn) {
        report_prefix(sets, joint, a, b);
        return;
    }
    if (!ty_fits(sets->front, ty_element(inst_type(sets->front, a), a->ndim),
                 ty_element(inst_type(sets->front, b), b->ndim), true) &&
        !ty_fits(sets->front, ty_element(inst_type(sets->front, b), b->ndim),
                 ty_element(inst_type(sets->front, a), a->ndim), true)) {
        report_types(sets, joint, a, b);
        return;
    }
    if (a->vary <= VARY_PARAMETER || b->vary <= VARY_PARAMETER) {
        compare_parameters(sets, joint, a, b);
        return;
    }
    check_connected_units(sets->front, a, b, joint->pos);
    int x = 2 * (a->first + ia), y = 2 * (b->first + ib);
    if (a->conn != CONN_NONE) {
        x += joint->oa;
        y += joint->ob;
    }
    join(sets, x, y, joint->pos);
}

static void only_one_has(Sets *sets, const Joint *joint, const Inst *has,
                         const Inst *member) {
    Text why = {0};
    text_add(&why, "only '");
    inst_name(&why, sets->front, has);
    text_printf(&why, "' has '%s'", text_of(sets->front, member->name));
    mismatch(sets, joint, text_get(&why));
    text_free(&why);
}

static void join_connectors(Sets *sets, const Joint *joint, Inst *a, Inst *b, int ia,
                            int ib) {
    Front *front = sets->front;
    if (a->absent || b->absent) return;
    if (graph_broken(front->graph, joint->number, a)) {
        graph_residue(sets->model, joint, a, b, ia, ib);
        return;
    }
    if (a->basic < BASIC_RECORD || a->basic == BASIC_OBJECT) {
        if (b->basic >= BASIC_RECORD)
            mismatch(sets, joint, "one is a single variable, the other has several");
        else join_leaf(sets, joint, a, b, ia, ib);
        return;
    }
    if (b->basic < BASIC_RECORD) {
        mismatch(sets, joint, "one is a single variable, the other has several");
        return;
    }
    if (a->expandable != b->expandable && a == joint->a && b == joint->b) {
        mismatch(sets, joint, "only one of them is expandable");
        return;
    }
    for (int k = 0; k < a->nchild; k++) {
        Inst *ca = inst_member(front, a, k);
        if (!ca || ca->absent) continue;
        Inst *cb = inst_child(front, b, ca->name);
        if (!cb) {
            if (!a->expandable && !b->expandable) only_one_has(sets, joint, joint->a, ca);
            continue;
        }
        int na = 1, nb = 1;
        for (int d = 0; d < ca->ndim; d++) na *= ca->dim[d];
        for (int d = 0; d < cb->ndim; d++) nb *= cb->dim[d];
        if (na != nb) {
            Text why = {0};
            text_printf(&why, "'%s' has size ", text_of(front, ca->name));
            print_size(&why, inst_type(front, ca));
            text_add(&why, " in '");
            inst_name(&why, front, joint->a);
            text_add(&why, "' and ");
            print_size(&why, inst_type(front, cb));
            text_add(&why, " in '");
            inst_name(&why, front, joint->b);
            text_char(&why, '\'');
            mismatch(sets, joint, text_get(&why));
            text_free(&why);
            continue;
        }
        for (int e = 0; e < na; e++)
            join_connectors(sets, joint, ca, cb, ia * na + e, ib * nb + e);
    }
    for (int k = 0; k < b->nchild; k++) {
        Inst *cb = inst_member(front, b, k);
        if (!cb || cb->absent || a->expandable || inst_child(front, a, cb->name))
            continue;
        only_one_has(sets, joint, joint->b, cb);
    }
}

/* ---- causality --------------------------------------------------------------------------- */

/* Sets of inputs and outputs have one source (9.3). What is a source depends on the class
 * that holds the connect, so the sets of every level are built anew. */
typedef struct Level {
    Sets  *sets;
    int   *link;        /* by scalar: union-find of this level, -1 not in it      */
    int   *seen, count; /* scalars in it                                          */
    Inst **from;        /* by representative: inside output or outside input      */
    Inst **input;       /* an inside input; NULL                                  */
    bool  *open;        /* has a member that may get its value otherwise          */
} Level;

static void enter(Level *level, int x) {
    if (level->link[x] >= 0) return;
    level->link[x] = x;
    level->seen[level->count++] = x;
    level->from[x] = level->input[x] = NULL;
    level->open[x] = false;
}

static void two_sources(Level *level, const Joint *joint, const Inst *a, const Inst *b,
                        const Inst *input) {
    Front *front = level->sets->front;
    Text   text = {0};
    text_char(&text, '\'');
    inst_name(&text, front, a);
    text_add(&text, "' and '");
    inst_name(&text, front, b);
    text_add(&text, "' both give a value");
    if (input) {
        text_add(&text, " to '");
        inst_name(&text, front, input);
        text_char(&text, '\'');
    }
    diag_report(front->diag, joint->pos, CODE_T183, "%s", text_get(&text));
    text_free(&text);
}

static void level_node(Level *level, Inst *inst, int x, bool outside) {
    enter(level, x);
    int root = find(level->link, x);
    if (inst->way == WAY_NONE ||
        (outside && (inst->protected_ || inst->way == WAY_OUTPUT)) ||
        (inst->value && inst->way == WAY_INPUT))
        level->open[root] = true;
    else if (outside || inst->way == WAY_OUTPUT) level->from[root] = inst;
    else level->input[root] = inst;
}

static void level_leaf(Level *level, const Joint *joint, Inst *a, Inst *b, int ia,
                       int ib) {
    if (a->first < 0 || b->first < 0 || a->conn != CONN_NONE || a->vary <= VARY_PARAMETER)
        return;
    int x = a->first + ia, y = b->first + ib;
    level_node(level, a, x, joint->oa);
    level_node(level, b, y, joint->ob);
    x = find(level->link, x);
    y = find(level->link, y);
    if (x == y) return;
    if (level->from[x] && level->from[y])
        two_sources(level, joint, level->from[x], level->from[y],
                    level->input[x] ? level->input[x] : level->input[y]);
    level->link[y] = x;
    if (!level->from[x]) level->from[x] = level->from[y];
    if (!level->input[x]) level->input[x] = level->input[y];
    level->open[x] |= level->open[y];
}

static void level_join(Level *level, const Joint *joint, Inst *a, Inst *b, int ia,
                       int ib) {
    if (a->absent || b->absent || a->expandable || b->expandable) return;
    if (a->basic < BASIC_RECORD) {
        if (b->basic < BASIC_RECORD) level_leaf(level, joint, a, b, ia, ib);
        return;
    }
    for (int k = 0; k < a->nchild; k++) {
        Inst *ca = a->child[k];
        Inst *cb = ca ? inst_child(level->sets->front, b, ca->name) : NULL;
        if (!cb || ca->state != INST_DONE) continue;
        int n = 1;
        for (int d = 0; d < ca->ndim; d++) n *= ca->dim[d];
        for (int e = 0; e < n; e++)
            level_join(level, joint, ca, cb, ia * n + e, ib * n + e);
    }
}

static void end_level(Level *level, const Joint *joint) {
    Front *front = level->sets->front;
    for (int k = 0; k < level->count; k++) {
        int x = level->seen[k];
        if (find(level->link, x) == x && !level->from[x] && !level->open[x] &&
            level->input[x]) {
            Text text = {0};
            inst_name(&text, front, level->input[x]);
            diag_report(front->diag, joint->pos, CODE_T188,
                        "nothing gives a value to '%s': only inputs are connected",
                        text_get(&text));
            text_free(&text);
        }
    }
    for (int k = 0; k < level->count; k++) level->link[level->seen[k]] = -1;
    level->count = 0;
}

static void check_causality(Sets *sets, const Joints *joints) {
    Arena *arena = &sets->front->arena;
    int    n = sets->model->scalars + 1;
    Level  level = {.sets = sets};
    level.link = NEW(arena, int, n);
    level.seen = NEW(arena, int, n);
    level.from = NEW(arena, Inst *, n);
    level.input = NEW(arena, Inst *, n);
    level.open = NEW(arena, bool, n);
    memset(level.link, -1, sizeof(int) * (size_t)n);
    for (int k = 0; k < joints->count; k++) {
        const Joint *j = &joints->item[k];
        if (inst_in_bus(j->a) || inst_in_bus(j->b)) {
            const Inst *other =
                inst_in_bus(j->a) ? j->b : j->a; /* the bus may be its source */
            int x = other->first + (other == j->a ? j->ia : j->ib);
            if (other->first >= 0 && other->basic < BASIC_RECORD) {
                enter(&level, x);
                level.open[find(level.link, x)] = true;
            }
        } else level_join(&level, j, j->a, j->b, j->ia, j->ib);
        if (k + 1 == joints->count || joints->item[k + 1].level != j->level)
            end_level(&level, j);
    }
}

static ConnEq *add_eq(FlatModel *model, ConnEqKind kind, Pos pos, int n) {
    if (model->conns == model->conn_room)
        model->conn = arena_grow(&model->front->arena, model->conn, sizeof(ConnEq),
                                 &model->conn_room, model->conns + 1);
    ConnEq *eq = &model->conn[model->conns++];
    *eq = (ConnEq){.kind = (uint8_t)kind, .pos = pos};
    eq->var = NEW(&model->front->arena, int, n);
    return eq;
}

bool inst_in_bus(const Inst *inst) {
    for (const Inst *p = inst->parent; p && p->in_connector; p = p->parent)
        if (p->expandable) return true;
    return false;
}

/* Sets of members of expandable connectors alone have no source: they do not exist. */
static uint8_t *real_sets(Sets *sets) {
    FlatModel *model = sets->model;
    uint8_t *real = arena_take(&model->front->arena, 1, (size_t)(2 * model->scalars) + 1);
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < model->vars; v++) {
            Inst *inst = model->var[v];
            if (!inst->in_connector) continue;
            bool bus = inst_in_bus(inst), any = false;
            int  n = inst_count(inst);
            for (int e = 0; e < 2 * n; e++) {
                int x = 2 * inst->first + e;
                if (sets->link[x] < 0) continue;
                x = find(sets->link, x);
                if (pass == 0 && !bus) real[x] = 1;
                any |= real[x];
            }
            if (pass == 1 && bus) inst->connected = any;
        }
    return real;
}

/* Sets in order of their first member: node lists by counting. */
static void emit(Sets *sets) {
    FlatModel *model = sets->model;
    int        nodes = 2 * model->scalars;
    int       *size = NEW(&model->front->arena, int, nodes + 1);
    for (int x = 0; x < nodes; x++)
        if (sets->link[x] >= 0) size[find(sets->link, x)]++;
    int     *eq_of = NEW(&model->front->arena, int, nodes + 1);
    uint8_t *real = real_sets(sets);
    for (int v = 0; v < model->vars; v++) {
        Inst *inst = model->var[v];
        if (!inst->in_connector || inst->vary <= VARY_PARAMETER) continue;
        if (inst->conn == CONN_STREAM) continue;
        bool flow = inst->conn == CONN_FLOW;
        int  n = inst_count(inst);
        for (int e = 0; e < n; e++)
            for (int side = 0; side < 2; side++) {
                int x = 2 * (inst->first + e) + side;
                int root = sets->link[x] >= 0 ? find(sets->link, x) : -1;
                if (root < 0) {
                    if (!flow || side == 1) continue;
                    ConnEq *eq = add_eq(model, CONNEQ_SUM, 0, 1);
                    eq->var[eq->count++] = x / 2;
                    continue;
                }
                if (!real[root] || (!flow && size[root] < 2)) continue;
                if (!eq_of[root]) {
                    add_eq(model, flow ? CONNEQ_SUM : CONNEQ_SAME, sets->pos[root],
                           size[root]);
                    eq_of[root] = model->conns;
                }
                ConnEq *eq = &model->conn[eq_of[root] - 1];
                eq->var[eq->count++] = flow && side ? ~(x / 2) : x / 2;
            }
    }
}

void connect_sets(FlatModel *model, const Joints *joints) {
    Sets sets = {.model = model, .front = model->front};
    int  nodes = 2 * model->scalars;
    sets.link = NEW(&model->front->arena, int, nodes + 1);
    sets.pos = NEW(&model->front->arena, Pos, nodes + 1);
    memset(sets.link, -1, sizeof(int) * (size_t)(nodes + 1));
    for (int k = 0; k < joints->count; k++) {
        const Joint *j = &joints->item[k];
        join_connectors(&sets, j, j->a, j->b, j->ia, j->ib);
    }
    if (model->front->diag->errors == 0) check_causality(&sets, joints);
    emit(&sets);
    stream_sets(model, sets.link);
}
