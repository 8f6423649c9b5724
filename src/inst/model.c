/* SPDX-License-Identifier: Apache-2.0 */
/* model.c -- the whole model: instances, their equations, connections, and the balance of
 * equations and unknowns. Counts are of scalars; arrays and loops are multiplied, not
 * walked, unless a condition inside depends on the loop. */
#include "inst/connect.h"

#include <assert.h>
#include <string.h>

/* ---- equations of instances --------------------------------------------------------------- */

static void add_section(FlatModel *model, InstEqus *part, Cls *cls,
                        const Section *section, Cut *cut) {
    Front *front = model->front;
    Ctx    ctx = {.front = front, .scope = {cls, part->inst}, .cut = cut};
    int    n = (int)section->count;
    switch (section->kind) {
    case SECTION_EQUATION:
        ctx.equation = true;
        type_clauses(&ctx, &part->equation, section->clause, n, false);
        break;
    case SECTION_INITIAL_EQUATION:
        ctx.initial = true;
        type_clauses(&ctx, &part->initial, section->clause, n, false);
        break;
    case SECTION_ALGORITHM:
    case SECTION_INITIAL_ALGORITHM: {
        bool      initial = section->kind == SECTION_INITIAL_ALGORITHM;
        int      *count = initial ? &part->initial_algorithms : &part->algorithms;
        EquList **list = initial ? &part->initial_algorithm : &part->algorithm;
        EquList  *more = NEW(&front->arena, EquList, *count + 1);
        if (*count) memcpy(more, *list, sizeof(EquList) * (size_t)*count);
        *list = more;
        ctx.algorithm = true;
        ctx.initial = initial;
        type_clauses(&ctx, &more[(*count)++], section->clause, n, true);
        break;
    }
    default: break;
    }
}

static void add_sections(FlatModel *model, InstEqus *part, Cls *cls, Cut *cut) {
    for (int k = 0; k < cls->bases; k++) {
        Cut own = {.up = cut, .mods = cls->base_ast[k] ? cls->base_ast[k]->mods : NULL};
        add_sections(model, part, cls->base[k], &own);
        cut_report(model->front, &own);
    }
    const Class *def = cls->def;
    if (!def || (def->form != FORM_LONG && def->form != FORM_EXTENDS)) return;
    for (uint32_t s = 0; s < def->count; s++)
        add_section(model, part, cls, &def->section[s], cut);
}

static void add_part(FlatModel *model, Inst *inst) {
    if (model->parts == model->part_room)
        model->part = arena_grow(&model->front->arena, model->part, sizeof(InstEqus),
                                 &model->part_room, model->parts + 1);
    int k = model->parts++;
    model->part[k] = (InstEqus){.inst = inst};
    InstEqus part = {.inst = inst};
    add_sections(model, &part, inst->cls, NULL);
    model->part[k] = part;
}

static void number_var(FlatModel *model, Inst *inst) {
    if (model->vars == model->var_room)
        model->var = arena_grow(&model->front->arena, model->var, sizeof(Inst *),
                                &model->var_room, model->vars + 1);
    model->var[model->vars++] = inst;
    inst->first = model->scalars;
    model->scalars += inst_count(inst);
}

static void walk(FlatModel *model, Inst *inst) {
    if (inst->state == INST_BAD) return;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->basic >= BASIC_RECORD && child->basic != BASIC_OBJECT)
            walk(model, child);
    }
    if (inst->basic != BASIC_RECORD && !front_stopped(model->front))
        add_part(model, inst);
}

static void number(FlatModel *model, Inst *inst) {
    if (inst->state == INST_BAD) return;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->basic < BASIC_RECORD || child->basic == BASIC_OBJECT)
            number_var(model, child);
        else number(model, child);
    }
}

/* ---- discrete variables ---------------------------------------------------------------------- */

static void mark_discrete(Inst *inst) {
    if (inst->vary == VARY_CONTINUOUS) inst->vary = VARY_DISCRETE;
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k]) mark_discrete(inst->child[k]);
}

static bool is_clocked(const Equ *equ) {
    return equ->count && equ->cond[0] && equ->cond[0]->type.basic == BASIC_CLOCK;
}

/* A variable that a when-clause gives a value changes at events only. A clocked one may hold
 * derivatives: what it gives changes at ticks, whatever kind it is of. */
static void find_discrete(const EquList *list, bool when) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        const Tx  *left = equ->left;
        if (when && equ->kind == EQU_SAME) {
            if (left->kind == TX_REF) mark_discrete(left->inst);
            for (int j = 0; left->kind == TX_TUPLE && j < left->n; j++)
                if (left->arg[j] && left->arg[j]->kind == TX_REF)
                    mark_discrete(left->arg[j]->inst);
        }
        find_discrete(&equ->body, when);
        for (int j = 0; j < equ->count; j++)
            find_discrete(&equ->branch[j],
                          when || (equ->kind == EQU_WHEN && !is_clocked(equ)));
    }
}

static void find_all_discrete(FlatModel *model) {
    for (int k = 0; k < model->parts; k++) {
        find_discrete(&model->part[k].equation, false);
        for (int a = 0; a < model->part[k].algorithms; a++)
            find_discrete(&model->part[k].algorithm[a], false);
    }
}

/* ---- conditions on connections ---- */

/* If-equations whose condition became known with the connections leave one branch. */
static void settle(Front *front, Eval *eval, EquList *list) {
    EquList out = {0};
    bool    any = false;
    for (int k = 0; k < list->count; k++) any |= list->item[k]->kind == EQU_IF;
    if (!any) return;
    for (int k = 0; k < list->count; k++) {
        Equ *equ = list->item[k];
        bool done = false;
        for (int j = 0; equ->kind == EQU_IF && j < equ->count; j++) {
            if (equ->cond[j] && equ->cond[j]->vary > VARY_PARAMETER) break;
            Value *c = equ->cond[j] ? eval_tx(eval, equ->cond[j]) : NULL;
            if (equ->cond[j] && !c) break;
            if (equ->cond[j] && !c->integer[0]) {
                done = j + 1 == equ->count;
                continue;
            }
            settle(front, eval, &equ->branch[j]);
            for (int i = 0; i < equ->branch[j].count; i++)
                equ_add(front, &out, equ->branch[j].item[i]);
            done = true;
            break;
        }
        if (!done) equ_add(front, &out, equ);
    }
    *list = out;
}

static void settle_all(FlatModel *model) {
    Front *front = model->front;
    for (int k = 0; k < model->parts; k++) {
        InstEqus *part = &model->part[k];
        int   any[32]; /* the branch must be the same in all elements of arrays around */
        Arena scratch = {0};
        Eval  eval = {.front = front,
                      .arena = &scratch,
                      .steps = EVAL_STEPS,
                      .index = any,
                      .at = part->inst};
        for (int d = 0; d < LENGTH(any); d++) any[d] = -1;
        settle(front, &eval, &part->equation);
        settle(front, &eval, &part->initial);
        arena_free(&scratch);
    }
}

/* ---- bindings -------------------------------------------------------------------------------- */

static void bind_all(FlatModel *model, Inst *inst) {
    Front *front = model->front;
    for (int k = 0; k < inst->nchild; k++) {
        Inst *child = inst->child[k];
        if (!child || child->absent || child->link || child->state != INST_DONE) continue;
        if (child->basic != BASIC_COMPONENT) inst_bind(front, child);
        if (child->nchild) bind_all(model, child);
    }
}

/* Parameters with annotation(Evaluate = true) take their value now. */
static void evaluate_marked(FlatModel *model) {
    Arena scratch = {0};
    Eval  eval = {.front = model->front, .arena = &scratch};
    for (int k = 0; k < model->vars; k++) {
        Inst *inst = model->var[k];
        if (inst->vary != VARY_PARAMETER || !inst->evaluate ||
            inst->basic == BASIC_STRING)
            continue;
        if (!inst_bind(model->front, inst) && !inst_bind_record(model->front, inst))
            continue;
        eval.steps = EVAL_STEPS;
        eval.why = NULL;
        inst_value(&eval, inst);
        arena_free(&scratch); /* the value is kept with the instance */
    }
}

/* ---- counting ---------------------------------------------------------------------------------- */

typedef struct Count {
    FlatModel *model;
    Eval       eval;
    bool       failed;
} Count;

static int64_t count_list(Count *count, const EquList *list);

static int64_t count_same(Count *count, const Equ *equ) {
    Front *front = count->model->front;
    if (equ->left->kind != TX_TUPLE) {
        int64_t l = ty_scalars(front, equ->left->type),
                r = ty_scalars(front, equ->right->type);
        return l >= 0 ? l : r >= 0 ? r : 0;
    }
    int64_t n = 0;
    for (int k = 0; k < equ->left->n; k++)
        if (equ->left->arg[k]) n += ty_scalars(front, equ->left->arg[k]->type);
    return n;
}

static int64_t count_if(Count *count, const Equ *equ) {
    int64_t first = 0;
    bool    some = false; /* a branch that may be taken was counted */
    for (int k = 0; k < equ->count; k++) {
        if (equ->cond[k] && equ->cond[k]->vary <= VARY_PARAMETER) {
            Value *c = eval_tx(&count->eval, equ->cond[k]);
            if (c && !c->integer[0]) continue;
            if (c) return count_list(count, &equ->branch[k]);
            if (count->eval.differs) return 0;
        }
        int64_t n = count_list(count, &equ->branch[k]);
        if (!some) first = n;
        if (!equ->cond[k] && !some) return n;
        some = true;
        if (n != first) {
            diag_report(count->model->front->diag, equ->pos, CODE_F171,
                        "the branches of 'if' have %lld and %lld equations",
                        (long long)first, (long long)n);
            count->failed = true;
            return first;
        }
        if (!equ->cond[k]) return first;
    }
    if (first && equ->cond[equ->count - 1]) {
        diag_report(count->model->front->diag, equ->pos, CODE_F171,
                    "an 'if' without 'else' has %lld equation%s; without 'else' there "
                    "can be none",
                    (long long)first, first == 1 ? "" : "s");
        count->failed = true;
    }
    return first;
}

static bool depends_on_loop(const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_IF) return true;
        if (equ->kind == EQU_FOR) {
            if (equ->iter->range->type.dim[0] < 0 || depends_on_loop(&equ->body))
                return true;
        }
        if (equ->kind == EQU_SAME && ty_count(equ->left->type) < 0) return true;
    }
    return false;
}

static int64_t count_for(Count *count, const Equ *equ) {
    Value *values = eval_tx(&count->eval, equ->iter->range);
    if (!values || count->eval.binds >= LENGTH(count->eval.bind)) return 0;
    if (!depends_on_loop(&equ->body))
        return values->count * count_list(count, &equ->body);
    int64_t n = 0;
    int     at = count->eval.binds++;
    for (int k = 0; k < values->count; k++) {
        ArenaMark mark = arena_mark(count->eval.arena);
        count->eval.bind[at].var = equ->iter;
        count->eval.bind[at].value = value_element(count->eval.arena, values, k);
        n += count_list(count, &equ->body);
        arena_back(count->eval.arena, mark);
    }
    count->eval.binds = at;
    return n;
}

static int64_t count_list(Count *count, const EquList *list) {
    int64_t n = 0;
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        switch (equ->kind) {
        case EQU_SAME: n += count_same(count, equ); break;
        case EQU_FOR: n += count_for(count, equ); break;
        case EQU_IF: n += count_if(count, equ); break;
        case EQU_WHEN:
            if (equ->count) n += count_list(count, &equ->branch[0]);
            break;
        default: break;
        }
    }
    return n;
}

/* Scalars assigned in an algorithm: a mark per scalar. */
static void mark_left(FlatModel *model, const Tx *left, Inst *at, uint8_t *mark) {
    if (!left) return;
    if (left->kind == TX_TUPLE) {
        for (int k = 0; k < left->n; k++) mark_left(model, left->arg[k], at, mark);
        return;
    }
    if (left->kind != TX_REF) return;
    Inst *inst = left->inst;
    if (inst->nchild) {
        for (int k = 0; k < inst->nchild; k++) {
            Inst *child = inst->child[k];
            if (!child || child->absent) continue;
            mark_left(model, tx_field_of(model->front, (Tx *)left, child, left->pos), at,
                      mark);
        }
        return;
    }
    if (inst->first < 0) return;
    int   n, zero[32] = {0};
    Arena scratch = {0};
    Eval  eval = {.front = model->front, .arena = &scratch, .steps = EVAL_STEPS};
    int  *element = ref_elements(&eval, left, at, zero, &n);
    if (element)
        for (int k = 0; k < n; k++) mark[inst->first + element[k]] = 1;
    else memset(mark + inst->first, 1, (size_t)inst_count(inst));
    arena_free(&scratch);
}

static void mark_list(FlatModel *model, const EquList *list, Inst *at, uint8_t *mark) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME) mark_left(model, equ->left, at, mark);
        mark_list(model, &equ->body, at, mark);
        for (int j = 0; j < equ->count; j++) mark_list(model, &equ->branch[j], at, mark);
    }
}

static int64_t count_algorithm(FlatModel *model, const EquList *list, Inst *at) {
    Arena    scratch = {0};
    uint8_t *mark = arena_take(&scratch, 1, (size_t)model->scalars + 1);
    int64_t  n = 0;
    mark_list(model, list, at, mark);
    for (int k = 0; k < model->scalars; k++) n += mark[k];
    arena_free(&scratch);
    return n;
}

static int64_t count_bindings(FlatModel *model) {
    Front  *front = model->front;
    int64_t n = 0;
    for (int k = 0; k < model->vars; k++) {
        Inst *inst = model->var[k];
        if (inst->vary <= VARY_PARAMETER || inst->basic == BASIC_OBJECT) continue;
        if (inst_bind(front, inst) || inst_bind_record(front, inst))
            n += inst_count(inst);
    }
    return n;
}

bool flat_at_top(const FlatModel *model, const Inst *inst) {
    const Inst *top = inst;
    while (top->parent && top->parent != model->root) top = top->parent;
    return top == inst || top->connector || top->basic == BASIC_RECORD;
}

bool flat_is_input(const FlatModel *model, Inst *inst) {
    if (inst->way != WAY_INPUT || !flat_at_top(model, inst)) return false;
    return !inst_bind(model->front, inst) && !inst_bind_record(model->front, inst);
}

static int64_t count_unknowns(FlatModel *model) {
    int64_t n = 0;
    for (int k = 0; k < model->vars; k++) {
        Inst *inst = model->var[k];
        if (inst->vary <= VARY_PARAMETER) {
            model->parameters += inst_count(inst);
            continue;
        }
        if (inst->basic == BASIC_OBJECT || flat_is_input(model, inst)) continue;
        if (!inst->connected && inst_in_bus(inst)) continue;
        n += inst_count(inst);
    }
    return n;
}

static int64_t count_connections(const FlatModel *model) {
    int64_t n = 0;
    for (int k = 0; k < model->conns; k++)
        n += (int64_t)model->conn[k].repeat *
             (model->conn[k].kind == CONNEQ_SAME ? model->conn[k].count - 1 : 1);
    return n;
}

/* The equations of one instance `one`, and those of all elements of the arrays around it: where a
 * condition differs between them, each is counted by itself. */
static int64_t count_elements(Count *count, Inst *inst, const EquList *list,
                              int64_t *one) {
    int index[32], total = inst_count(inst), size[32], dims = 0; /* innermost first */
    for (int d = 0; d < LENGTH(index); d++) index[d] = -1;
    count->eval.index = index;
    count->eval.at = inst;
    count->eval.differs = false;
    *one = count_list(count, list);
    if (!count->eval.differs) return *one * total;
    for (const Inst *p = inst; p; p = p->parent)
        for (int k = p->ndim - 1; k >= 0 && dims < LENGTH(size); k--)
            size[dims++] = p->dim[k];
    int64_t sum = 0;
    for (int e = 0; e < total; e++) {
        int rest = e;
        for (int d = 0; d < dims; d++) {
            index[dims - 1 - d] = rest % size[d];
            rest /= size[d];
        }
        int64_t n = count_list(count, list);
        if (e == 0) *one = n;
        sum += n;
    }
    return sum;
}

static void balance(FlatModel *model, const Joints *joints) {
    Front   *front = model->front;
    Arena    scratch = {0};
    Count    count = {.model = model};
    int64_t *own = NEW(&front->arena, int64_t, model->parts + 1);
    model->unknowns = count_unknowns(model);
    model->equations =
        count_bindings(model) + count_connections(model) + model->stream_equations;
    for (int k = 0; k < model->parts; k++) {
        InstEqus *part = &model->part[k];
        int64_t   times = inst_count(part->inst), made = 0;
        count.eval = (Eval){.front = front, .arena = &scratch, .steps = EVAL_STEPS};
        model->equations += count_elements(&count, part->inst, &part->equation, &own[k]) +
                            count_elements(&count, part->inst, &part->made, &made);
        for (int a = 0; a < part->algorithms; a++) {
            int64_t assigned = count_algorithm(model, &part->algorithm[a], part->inst);
            model->equations += times * assigned;
            own[k] += assigned;
        }
    }
    count.eval = (Eval){.front = front, .arena = &scratch, .steps = EVAL_STEPS};
    model->equations += count_list(&count, &model->extra);
    arena_free(&scratch);
    if (count.failed || front->diag->errors) return;
    if (model->equations != model->unknowns) balance_report(model, own, joints);
    else if (front->local_balance) balance_classes(model, own, joints, false);
}

/* ---- contracts ---- */

static inline bool parts_are_done(const FlatModel *model) {
    for (int k = 0; k < model->parts; k++)
        if (model->part[k].inst->state != INST_DONE) return false;
    return model->root && model->root->state == INST_DONE;
}

/* Variables have their scalars one after the other. */
static inline bool numbers_ascend(const FlatModel *model) {
    int at = 0;
    for (int k = 0; k < model->vars; k++) {
        if (model->var[k]->first != at) return false;
        at += inst_count(model->var[k]);
    }
    return at == model->scalars;
}

static bool connections_are_numbered(const FlatModel *model) {
    for (int k = 0; k < model->conns; k++)
        for (int i = 0; i < model->conn[k].count; i++) {
            int v = model->conn[k].var[i];
            if ((v < 0 ? ~v : v) >= model->scalars) return false;
        }
    return true;
}

/* ---- entry ---------------------------------------------------------------------------------------- */

Cls *class_named(Front *front, const char *name) {
    Cls        *cls = front->root;
    const char *p = name;
    while (cls && *p) {
        const char *end = p;
        bool        quoted = *p == '\'';
        for (end = p + quoted; *end && (quoted ? *end != '\'' : *end != '.'); end++)
            if (quoted && *end == '\\' && end[1]) end++;
        if (quoted && *end) end++;
        Str   part = str_intern(front->strings, p, (size_t)(end - p));
        Elem *elem = cls_find(front, cls, part);
        if (!elem || !elem->is_class) {
            Suggest suggest = suggest_start(text_of(front, part));
            cls_suggest(front, cls, &suggest);
            diag_report(front->diag, 0, CODE_F101, "there is no class '%s'%s%s%s%s%s",
                        text_of(front, part), cls == front->root ? "" : " in ",
                        cls == front->root ? "" : cls_text(front, cls),
                        suggest.best ? "; did you mean '" : "",
                        suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
            if (cls == front->root && *end == '.')
                library_searched(front->library, text_of(front, part),
                                 version_wanted(front, part));
            return NULL;
        }
        cls = elem_class(front, elem, NULL);
        p = *end == '.' ? end + 1 : end;
    }
    return cls;
}

/* Bodies of the functions that are called. There are more of them while it runs. */
void make_bodies(Front *front) {
    for (int k = 0; k < front->functions.count; k++)
        if (front->functions.func[k]->called &&
            !front->functions.func[k]->cls->def->partial)
            func_body(front, front->functions.func[k]);
}

/* The root instance; false: the class is no model. */
static bool make_root(FlatModel *model, Cls *cls) {
    Front *front = model->front;
    if (cls->basic != BASIC_COMPONENT || cls->is_package) {
        diag_report(front->diag, cls->def ? cls->def->pos : 0, CODE_F172,
                    "'%s' is not a model or block", cls_text(front, cls));
        return false;
    }
    if (cls->def->partial)
        diag_report(front->diag, cls->def->pos, CODE_F173, "model '%s' is partial",
                    cls_text(front, cls));
    Inst *root = inst_root(front, cls);
    front->model = model->root = root;
    check_mod_names(front, cls, front->given);
    root->md = md_of_mods(front, front->given, (Scope){cls, root});
    return true;
}

/* Needs: a front. Gives: the instance tree, typed equations of every instance (part), bindings,
 * bodies of functions. */
FlatModel *flat_instantiate(Front *front, const char *name) {
    assert(!front->model && !front->connects.joints);
    Cls *cls = class_named(front, name);
    if (!cls) return NULL;
    cls_bases(front, cls);
    FlatModel *model = NEW(&front->arena, FlatModel, 1);
    model->front = front;
    if (!make_root(model, cls)) return model;
    inst_all(front, model->root);
    walk(model, model->root);
    pending_connects(front);
    find_all_discrete(model);
    bind_all(model, model->root);
    check_instances(front, model->root);
    make_bodies(front);
    check_redeclared(front);
    check_values(model, model->root);
    check_uses(front);
    version_check(front);
    model->ok = front->diag->errors == 0;
    assert(!model->ok || parts_are_done(model));
    return model;
}

/* Needs: typed equations and bindings without errors. Gives: equations without operators of state
 * machines, and the variables that they need. */
bool flat_machines(FlatModel *model) {
    assert(model->ok && !model->scalars);
    if (model->front->uses.stateful) machines_expand(model);
    return model->ok = model->front->diag->errors == 0;
}

/* Needs: instances without errors and state machines. Gives: numbers of scalars, connection equations
 * and sets of streams, joints (of the front). Breaks: if-equations whose condition is known now leave
 * one branch; parameters that are to be evaluated have their value. */
bool flat_connect(FlatModel *model) {
    Front *front = model->front;
    assert(model->ok && !front->connects.joints && !model->scalars);
    Joints *joints = front->connects.joints = NEW(&front->arena, Joints, 1);
    joints->front = front;
    for (int k = 0; k < model->parts; k++)
        joints_collect(joints, model->part[k].inst, &model->part[k].equation);
    joints_number(joints);
    if (model->folds && !model->wires) rules_check(model, joints, false);
    if (front->diag->errors) return model->ok = false;
    buses_unite(front, joints);
    number(model, model->root);
    graph_build(model, joints);
    connect_sets(model, joints);
    settle_all(model);
    evaluate_marked(model);
    model->ok = front->diag->errors == 0;
    assert(numbers_ascend(model));
    ASSERT_SLOWLY(!model->ok || connections_are_numbered(model));
    return model->ok;
}

/* Needs: connections. Gives: counts of equations, unknowns and parameters, which agree; units are
 * checked. Breaks: joints, which nobody needs any more. */
bool flat_balance(FlatModel *model) {
    Front *front = model->front;
    assert(model->ok && front->connects.joints);
    balance(model, front->connects.joints);
    joints_free(front->connects.joints);
    front->connects.joints = NULL;
    if (front->diag->errors == 0) check_units(model);
    model->ok = front->diag->errors == 0;
    assert(!model->ok || model->equations == model->unknowns);
    return model->ok;
}

FlatModel *flat_model(Front *front, const char *name) {
    FlatModel *model = flat_instantiate(front, name);
    if (model && model->ok && flat_machines(model) && flat_connect(model))
        flat_balance(model);
    return model;
}
