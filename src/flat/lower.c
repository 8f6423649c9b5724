/* SPDX-License-Identifier: Apache-2.0 */
/* lower.c -- the whole model: variables with their attributes, parameters, rows.
 *
 * Attributes and parameter values that are numbers are stored; those that depend on
 * parameters become rows of ROWS_BINDING, through a hidden parameter for an attribute, so
 * that parameters stay changeable without a new translation. */
#include "flat/lower.h"

#include <string.h>

int lower_hidden(Lower *l, VarKind kind, Type type, int count, Pos pos) {
    int run = system_run(l->sys, kind, type, count, -1, pos);
    l->sys->run[run].flags |= VAR_HIDDEN | VAR_PROTECTED;
    return l->sys->run[run].first;
}

/* ---- names ------------------------------------------------------------------------------ */

/* The path to an instance, without its last `inner` parts, as a pattern; the sizes of the subscripts
 * from the outside in. */
static int name_path(const FlatModel *model, int owner, int inner, Text *out, int *size) {
    const Inst *chain[64] = {0};
    int         n = 0, dims = 0;
    for (const Inst *p = model->front->inst[owner]; p && p->parent && n < LENGTH(chain);
         p = p->parent)
        chain[n++] = p;
    for (int c = n - 1; c >= inner; c--) {
        const Inst *part = chain[c];
        if (c < n - 1) text_char(out, '.');
        text_add(out, str_text(model->front->strings, part->name));
        for (int k = 0; k < part->ndim && dims < NAME_DIMS; k++) {
            text_add(out, k ? "," : "[");
            text_char(out, NAME_SUBSCRIPT);
            size[dims++] = part->dim[k] > 0 ? part->dim[k] : 1;
        }
        if (part->ndim) text_char(out, ']');
    }
    return dims;
}

static int name_pattern(const void *names, int owner, Text *out, int *size) {
    return name_path(names, owner, 0, out, size);
}

/* The component around a variable: connectors and records belong to it. */
static Pos name_component(const void *names, int owner, int element, Text *out) {
    const FlatModel *model = names;
    int              inner = 1;
    if (owner < 0 || owner >= model->front->insts) return 0;
    const Inst *p = model->front->inst[owner]->parent;
    for (; p && p->parent && (p->connector || p->basic == BASIC_RECORD); p = p->parent)
        inner++;
    if (!p || !p->parent) return 0;
    Text pattern = {0};
    int  size[NAME_DIMS], dims = name_path(model, owner, inner, &pattern, size);
    /* subscripts of what is left out come last */
    for (const Inst *q = model->front->inst[owner]; inner-- > 0; q = q->parent)
        for (int k = 0; k < q->ndim; k++) element /= q->dim[k] > 0 ? q->dim[k] : 1;
    name_write(text_get(&pattern), size, dims, element, out);
    text_free(&pattern);
    return p->pos;
}

/* ---- variables ----------------------------------------------------------------------------- */

static VarKind kind_of(const FlatModel *model, Inst *inst) {
    if (inst->basic == BASIC_CLOCK) return VAR_CLOCK;
    if (inst->basic == BASIC_OBJECT) return VAR_PARAMETER;
    switch (inst->vary) {
    case VARY_CONSTANT: return VAR_CONSTANT;
    case VARY_PARAMETER:
        return inst->structural && inst->evaluation.known ? VAR_CONSTANT : VAR_PARAMETER;
    default: break;
    }
    if (!inst->connected && inst_in_bus(inst)) return VAR_PARAMETER; /* does not exist */
    if (flat_is_input(model, inst)) return VAR_INPUT;
    return inst->vary == VARY_DISCRETE || inst->basic != BASIC_REAL ? VAR_DISCRETE
                                                                    : VAR_CONTINUOUS;
}

static void select_state(Lower *l, Inst *inst, int run) {
    Tx     *tx = inst_attribute(l->front, inst, WORD(l->front, stateSelect), NULL);
    int64_t ordinal = 3;
    if (tx && !ty_bad(tx->type)) {
        Value *v = eval_now(l->front, tx);
        if (v && v->basic == BASIC_ENUM && v->count > 0) ordinal = v->integer[0];
    }
    l->sys->run[run].select = (uint8_t)(ordinal - 1);
}

static void make_runs(Lower *l) {
    FlatModel *model = l->model;
    for (int k = 0; k < model->vars; k++) {
        Inst   *inst = model->var[k];
        VarKind kind = kind_of(model, inst);
        int     n = 1;
        for (const Inst *p = inst; p; p = p->parent)
            for (int d = 0; d < p->ndim; d++) n *= p->dim[d] > 0 ? p->dim[d] : 0;
        int     run = system_run(l->sys, kind, lower_type(inst), n, inst->id, inst->pos);
        VarRun *r = &l->sys->run[run];
        if (inst->basic == BASIC_ENUM) {
            int e = lower_enum(l, inst->cls);
            l->sys->run[run].enumeration = e;
            r = &l->sys->run[run];
        }
        if (inst->prefix.protected_) r->flags |= VAR_PROTECTED;
        if (inst->prefix.protected_ && inst->prefix.made) r->flags |= VAR_HIDDEN;
        if (inst->prefix.final) r->flags |= VAR_FINAL;
        if (inst->conn == CONN_FLOW) r->flags |= VAR_FLOW;
        if (inst->conn == CONN_STREAM) r->flags |= VAR_STREAM;
        if (inst->in_connector) r->flags |= VAR_CONNECTOR;
        if (inst->way == WAY_OUTPUT && flat_at_top(model, inst)) r->flags |= VAR_OUTPUT;
        if (inst->basic == BASIC_REAL) select_state(l, inst, run);
    }
}

/* ---- attributes ------------------------------------------------------------------------------- */

/* A known value as attribute: one number, or one per element. */
static bool store_value(Lower *l, int run, AttributeName name, const Value *v) {
    int n = l->sys->run[run].count;
    if (v->basic == BASIC_RECORD || v->basic == BASIC_FUNCTION || v->count == 0)
        return v->count == 0;
    if (v->basic == BASIC_STRING && v->count == 1) {
        system_text(l->sys, run, name, str_of(l->front->strings, v->string[0]));
        return true;
    }
    if (v->basic == BASIC_STRING && name != ATTR_START) return false;
    bool equal = v->basic != BASIC_STRING;
    for (int k = 1; k < v->count && equal; k++)
        equal = value_number(v, k) == value_number(v, 0);
    if (equal) {
        system_value(l->sys, run, name, value_number(v, 0));
        return true;
    }
    double *list = NEW(&l->scratch, double, n);
    for (int k = 0; k < n; k++)
        list[k] = v->basic == BASIC_STRING
                      ? (double)str_of(l->front->strings, v->string[k % v->count])
                      : value_number(v, k % v->count);
    system_list(l->sys, run, name, list, n);
    return true;
}

/* A size of 0 is none. */
static void check_nominal(Lower *l, const Inst *inst, const Tx *tx, const Value *v) {
    for (int k = 0; k < v->count; k++) {
        if (v->basic == BASIC_RECORD || v->basic == BASIC_STRING ||
            value_number(v, k) != 0)
            continue;
        diag_report(l->front->diag, tx->pos, CODE_T198,
                    "the nominal value of '%s' is 0: 1 is taken",
                    text_of(l->front, inst->name));
        return;
    }
}

static void attribute(Lower *l, Inst *inst, int run, Str word, AttributeName name) {
    Inst *base = NULL;
    Tx   *tx = inst_attribute(l->front, inst, word, &base);
    if (!tx || ty_bad(tx->type)) return;
    if (tx->vary > VARY_PARAMETER) return;
    if (tx->vary == VARY_CONSTANT || tx->type.basic == BASIC_STRING ||
        name == ATTR_FIXED) {
        Value *v = eval_now(l->front, tx);
        if (v && name == ATTR_NOMINAL) check_nominal(l, inst, tx, v);
        if (v && store_value(l, run, name, v)) return;
    }
    if (tx->type.basic == BASIC_STRING) return;
    int stride[ROW_DIMS], var;
    if (tx->kind == TX_REF && tx->type.ndim == 0 && tx->inst->first >= 0 &&
        !tx->inst->prefix.theta && l->sys->run[run].count == 1 && tx->n == 0 &&
        inst_depth_dims(tx->inst, NULL) == 0) {
        Idx none[1];
        if (lower_variable(l, tx, none, &var, stride)) {
            system_variable(l->sys, run, name, var, 0);
            return;
        }
    }
    int count = l->sys->run[run].count;
    int hidden =
        lower_hidden(l, VAR_PARAMETER, (Type)l->sys->run[run].type, count, tx->pos);
    lower_binding_to(l, inst, hidden, tx, base, ROWS_BINDING);
    system_variable(l->sys, run, name, hidden, 1);
}

static void attributes_of(Lower *l, Inst *inst, int run) {
    static const struct {
        int           word;
        AttributeName name;
    } list[] = {{W_start, ATTR_START},
                {W_fixed, ATTR_FIXED},
                {W_nominal, ATTR_NOMINAL},
                {W_min, ATTR_MIN},
                {W_max, ATTR_MAX},
                {W_unit, ATTR_UNIT},
                {W_displayUnit, ATTR_DISPLAY_UNIT},
                {W_quantity, ATTR_QUANTITY}};
    if (!inst->md || inst->basic == BASIC_OBJECT) return;
    for (int k = 0; k < LENGTH(list); k++)
        if (md_find(inst->md, l->front->word[list[k].word]))
            attribute(l, inst, run, l->front->word[list[k].word], list[k].name);
    if (inst->elem && inst->elem->comp && inst->elem->comp->comment) {
        Text text = {0};
        comment_decode(&text, l->front->session, inst->elem->comp->comment);
        if (text.length)
            system_text(l->sys, run, ATTR_COMMENT,
                        str_of(l->front->strings, text_get(&text)));
        text_free(&text);
    }
}

/* ---- bindings ------------------------------------------------------------------------------------ */

static bool is_number(Basic basic) {
    return basic == BASIC_REAL || basic == BASIC_INTEGER || basic == BASIC_BOOLEAN;
}

/* The value of a computed parameter as the text stands: which formulas may divide by it, or by
 * what it chooses. In arrays of components each element has its own. */
static void expect(Lower *l, const Inst *inst, int run, const Tx *tx) {
    enum { MOST = 256 };
    double list[MOST];
    int    count = l->sys->run[run].count, size[NEST], index[NEST] = {0}, each = count;
    const Inst *base = inst->binding.base;
    if (!is_number(inst->basic) || count > MOST || count < 1) return;
    bool above = base && !base->is_package && inst_is_under(inst, base);
    int  dims = above ? lower_around(base, size) : 0;
    if (!above && inst_depth_dims(inst, NULL) != inst->ndim) return;
    for (int d = 0; d < dims; d++) each /= size[d] > 0 ? size[d] : 1;
    for (int at = 0; at < count; at += each) {
        l->eval.why = NULL;
        l->eval.steps = EVAL_STEPS;
        l->eval.at = (Inst *)base;
        l->eval.index = dims ? index : NULL;
        Value *v = eval_tx(&l->eval, tx);
        l->eval.index = NULL;
        if (!v || !is_number(v->basic) || v->count < 1) return;
        for (int k = 0; k < each; k++) list[at + k] = value_number(v, k % v->count);
        for (int d = dims - 1; d >= 0; d--) {
            if (++index[d] < size[d]) break;
            index[d] = 0;
        }
    }
    system_list(l->sys, run, ATTR_EXPECTED, list, count);
    arena_free(&l->scratch);
}

/* A large array that a function makes out of what can no longer change: by rows, each element would call it. */
static bool is_large_result(Lower *l, const Inst *inst, const Tx *tx) {
    enum { LARGE = 64 };
    int64_t count = 1;
    for (int k = 0; k < inst->ndim; k++) count *= inst->dim[k];
    return tx->kind == TX_CALL && tx->type.ndim == inst->ndim && count >= LARGE &&
           lower_frozen(l, tx);
}

static void parameter(Lower *l, Inst *inst, int run) {
    Tx  *tx = inst_bind(l->front, inst);
    bool now =
        inst->basic != BASIC_OBJECT; /* one made while translating is not that of a run */
    if (now && inst->evaluation.known &&
        (inst->structural || inst->vary == VARY_CONSTANT) &&
        store_value(l, run, ATTR_BINDING, inst->evaluation.known))
        return;
    if (!tx || ty_bad(tx->type)) return;
    if (now && (tx->vary == VARY_CONSTANT || is_large_result(l, inst, tx))) {
        Value *v = eval_now(l->front, tx);
        if (v && store_value(l, run, ATTR_BINDING, v)) return;
    }
    lower_binding(l, inst, tx, inst->binding.base, ROWS_BINDING);
    expect(l, inst, run, tx);
}

static void bindings(Lower *l) {
    FlatModel *model = l->model;
    for (int k = 0; k < model->vars; k++) {
        Inst *inst = model->var[k];
        int   run = k;
        attributes_of(l, inst, run);
        arena_free(&l->scratch);
        if (inst->vary <= VARY_PARAMETER || inst->basic == BASIC_OBJECT) {
            parameter(l, inst, run);
            continue;
        }
        Tx *tx = inst_bind(l->front, inst);
        if (!tx || ty_bad(tx->type)) continue;
        if (!lower_whole_binding(l, inst, tx, inst->binding.base))
            lower_binding(l, inst, tx, inst->binding.base, ROWS_EQUATION);
    }
}

/* ---- algorithms ---------------------------------------------------------------------- */

/* Assignments in a row, each variable given once and not read before: equations. */
static bool straight(const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_CALL && equ->left->kind == TX_BUILTIN) continue;
        if (equ->kind != EQU_SAME || equ->left->kind != TX_REF) return false;
        for (int j = 0; j < equ->left->n; j++)
            if (equ->left->arg[j] && equ->left->arg[j]->kind != TX_COLON) return false;
        for (int j = 0; j < list->count; j++) {
            const Equ *other = list->item[j];
            if (j <= k &&
                (tx_uses(other->right, equ->left->inst) ||
                 (other->kind == EQU_CALL && tx_uses(other->left, equ->left->inst))))
                return false;
            if (j != k && other->kind == EQU_SAME &&
                (inst_is_under(other->left->inst, equ->left->inst) ||
                 inst_is_under(equ->left->inst, other->left->inst)))
                return false;
        }
    }
    return true;
}

static void algorithm(Lower *l, Inst *at, const EquList *list, RowSet set) {
    l->failed = l->unroll = false;
    if (list->count == 0) return;
    if (straight(list)) lower_list(l, at, list, set);
    else lower_algorithm(l, at, list, set, list->item[0]->pos);
    arena_free(&l->scratch);
}

/* Parameters whose values shaped the model, also those that only the rows needed. */
static void mark_evaluated(Lower *l) {
    for (int k = 0; k < l->model->vars; k++) {
        const Inst *inst = l->model->var[k];
        if (inst->structural && inst->vary == VARY_PARAMETER)
            l->sys->run[k].flags |= VAR_EVALUATED;
    }
}

/* ---- entry ------------------------------------------------------------------------------------------ */

bool flat_lower(FlatModel *model, System *sys) {
    Lower l = {.model = model,
               .front = model->front,
               .sys = sys,
               .shapes = sys->shapes,
               .theta = -1,
               .good = true,
               .clock = {.var = -1}};
    l.eval = (Eval){
        .front = model->front, .arena = &l.scratch, .steps = EVAL_STEPS, .peek = true};
    sys->name_pattern = name_pattern;
    sys->name_component = name_component;
    sys->names = model;
    l.shapes->clocked = model->front->uses.clocked;
    make_runs(&l);
    lower_connectors(&l);
    bindings(&l);
    for (int k = 0; k < model->parts; k++) {
        InstEqus *part = &model->part[k];
        lower_list(&l, part->inst, &part->equation, ROWS_EQUATION);
        lower_list(&l, part->inst, &part->made, ROWS_EQUATION);
        lower_list(&l, part->inst, &part->initial, ROWS_INITIAL);
        for (int a = 0; a < part->algorithms; a++)
            algorithm(&l, part->inst, &part->algorithm[a], ROWS_EQUATION);
        for (int a = 0; a < part->initial_algorithms; a++)
            algorithm(&l, part->inst, &part->initial_algorithm[a], ROWS_INITIAL);
    }
    lower_list(&l, model->root, &model->extra, ROWS_EQUATION);
    lower_connections(&l);
    lower_machines(&l);
    mark_evaluated(&l);
    row_free(&l.row);
    map_free(&l.func);
    map_free(&l.enums);
    map_free(&l.spatial);
    arena_free(&l.scratch);
    return l.good;
}

Rows *rows_of_model(FlatModel *model) {
    Rows *rows = mem_take(1, sizeof *rows);
    if (!rows) return NULL;
    shapes_init(&rows->shapes, model->front->strings);
    system_init(&rows->sys, &rows->shapes);
    rows->good = flat_lower(model, &rows->sys);
    return rows;
}

void rows_free(Rows *rows) {
    if (!rows) return;
    system_free(&rows->sys);
    shapes_free(&rows->shapes);
    mem_free(rows);
}
