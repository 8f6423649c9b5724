/* SPDX-License-Identifier: Apache-2.0 */
/* print.c -- the flat model as readable Modelica text: arrays stay arrays. */
#include "inst/front.h"

#include <string.h>

void inst_name(Text *out, const Front *front, const Inst *inst) {
    if (!inst) return;
    if (inst->parent && inst->parent->parent) {
        inst_name(out, front, inst->parent);
        text_char(out, '.');
    } else if (inst->parent && inst->parent->is_package) {
        cls_name(out, front, inst->parent->cls);
        text_char(out, '.');
    }
    text_add(out, text_of(front, inst->name));
}

void inst_pair(Text *out, const Front *front, const Inst *a, const Inst *b) {
    text_char(out, '\'');
    inst_name(out, front, a);
    text_add(out, "' and '");
    inst_name(out, front, b);
    text_char(out, '\'');
}

static void list(Text *out, const Front *front, Tx *const *arg, int n) {
    for (int k = 0; k < n; k++) {
        if (k) text_add(out, ", ");
        if (arg[k]) tx_print(out, front, arg[k]);
        else text_char(out, ':');
    }
}

/* Path with subscripts; dimensions of arrays around the equation are left out. */
static void path(Text *out, const Front *front, const Tx *tx, const Inst *inst,
                 int *used) {
    if (inst->parent && inst->parent->parent) {
        path(out, front, tx, inst->parent, used);
        text_char(out, '.');
    } else if (inst->parent && inst->parent->is_package) {
        cls_name(out, front, inst->parent->cls);
        text_char(out, '.');
    }
    text_add(out, text_of(front, inst->name));
    if (!inst_is_under(inst->parent, tx->base) || !inst->ndim) return;
    bool any = false;
    for (int k = 0; k < inst->ndim; k++)
        any |= *used + k < tx->n && tx->arg[*used + k] &&
               tx->arg[*used + k]->kind != TX_COLON;
    if (any) {
        text_char(out, '[');
        list(out, front, tx->arg + *used, inst->ndim);
        text_char(out, ']');
    }
    *used += inst->ndim;
}

static const struct {
    const char *text;
    int         rank;
} ops[] = {
    [TX_OR] = {" or ", 1},       [TX_AND] = {" and ", 2},     [TX_NOT] = {"not ", 3},
    [TX_LT] = {" < ", 4},        [TX_LE] = {" <= ", 4},       [TX_GT] = {" > ", 4},
    [TX_GE] = {" >= ", 4},       [TX_EQ] = {" == ", 4},       [TX_NE] = {" <> ", 4},
    [TX_ADD] = {" + ", 5},       [TX_SUB] = {" - ", 5},       [TX_ADD_EACH] = {" .+ ", 5},
    [TX_SUB_EACH] = {" .- ", 5}, [TX_NEG] = {"-", 6},         [TX_MUL] = {"*", 7},
    [TX_DIV] = {"/", 7},         [TX_MUL_EACH] = {" .* ", 7}, [TX_DIV_EACH] = {" ./ ", 7},
    [TX_POW] = {"^", 8},         [TX_POW_EACH] = {" .^ ", 8}};

static int rank_of(const Tx *tx) {
    if (tx->kind == TX_IF || tx->kind == TX_RANGE) return 0;
    return tx->kind < LENGTH(ops) && ops[tx->kind].text ? ops[tx->kind].rank : 9;
}

static void operand(Text *out, const Front *front, const Tx *tx, bool wrap) {
    if (wrap) text_char(out, '(');
    tx_print(out, front, tx);
    if (wrap) text_char(out, ')');
}

static const char *const reduce_name[] = {"", "sum", "product", "min", "max"};

static void enclosed(Text *out, const Front *front, Tx *const *item, int n,
                     const char *brackets) {
    text_char(out, brackets[0]);
    list(out, front, item, n);
    text_char(out, brackets[1]);
}

static void print_if(Text *out, const Front *front, const Tx *tx) {
    for (int k = 0; k + 1 < tx->n; k += 2) {
        text_add(out, k ? " elseif " : "if ");
        tx_print(out, front, tx->arg[k]);
        text_add(out, " then ");
        tx_print(out, front, tx->arg[k + 1]);
    }
    text_add(out, " else ");
    tx_print(out, front, tx->arg[tx->n - 1]);
}

static void print_reduction(Text *out, const Front *front, const Tx *tx) {
    text_add(out, tx->reduce == REDUCE_ARRAY ? "{" : reduce_name[tx->reduce]);
    if (tx->reduce != REDUCE_ARRAY) text_char(out, '(');
    tx_print(out, front, tx->arg[0]);
    for (int k = 1; k < tx->n; k++) {
        text_printf(out, "%s%s in ", k == 1 ? " for " : ", ",
                    text_of(front, tx->iters[k - 1]->name));
        tx_print(out, front, tx->arg[k]);
    }
    text_char(out, tx->reduce == REDUCE_ARRAY ? '}' : ')');
}

static void print_partial(Text *out, const Front *front, const Tx *tx) {
    bool first = true;
    text_printf(out, "function %s(", tx->func ? text_of(front, tx->func->name) : "?");
    for (int k = 0; k < tx->n; k++) {
        if (!tx->arg[k]) continue;
        text_printf(out, "%s%s = ", first ? "" : ", ",
                    text_of(front, tx->func->in[k]->name));
        tx_print(out, front, tx->arg[k]);
        first = false;
    }
    text_char(out, ')');
}

/* An operator between its arguments. */
static void print_binary(Text *out, const Front *front, const Tx *tx) {
    operand(out, front, tx->arg[0], rank_of(tx->arg[0]) < rank_of(tx));
    text_add(out, ops[tx->kind].text);
    operand(out, front, tx->arg[1], rank_of(tx->arg[1]) <= rank_of(tx));
}

void tx_print(Text *out, const Front *front, const Tx *tx) {
    int used = 0;
    switch (tx->kind) {
    case TX_INTEGER: text_printf(out, "%lld", (long long)tx->i); break;
    case TX_REAL: text_printf(out, "%.17g", tx->r); break;
    case TX_BOOLEAN: text_add(out, tx->i ? "true" : "false"); break;
    case TX_STRING: text_json(out, tx->s, strlen(tx->s)); break;
    case TX_ENUM:
        cls_name(out, front, tx->type.cls);
        text_printf(out, ".%s", text_of(front, tx->type.cls->literal[tx->i - 1]));
        break;
    case TX_TIME: text_add(out, "time"); break;
    case TX_REF: path(out, front, tx, tx->inst, &used); break;
    case TX_ITER: text_add(out, text_of(front, tx->iter->name)); break;
    case TX_COLON: text_char(out, ':'); break;
    case TX_NEG:
    case TX_NOT:
        text_add(out, ops[tx->kind].text);
        operand(out, front, tx->arg[0], rank_of(tx->arg[0]) <= rank_of(tx));
        break;
    case TX_IF: print_if(out, front, tx); break;
    case TX_ARRAY: enclosed(out, front, tx->arg, tx->n, "{}"); break;
    case TX_RANGE:
        for (int k = 0; k < tx->n; k++) {
            if (k) text_char(out, ':');
            operand(out, front, tx->arg[k], rank_of(tx->arg[k]) < 5);
        }
        break;
    case TX_RECORD:
        cls_name(out, front, tx->type.cls);
        enclosed(out, front, tx->arg, tx->n, "()");
        break;
    case TX_FIELD:
        operand(out, front, tx->arg[0], true);
        text_printf(out, ".%s", text_of(front, tx->inst->name));
        break;
    case TX_SUBSCRIPT:
        operand(out, front, tx->arg[0], true);
        enclosed(out, front, tx->arg + 1, tx->n - 1, "[]");
        break;
    case TX_CALL:
        text_add(out, text_of(front, tx->func->name));
        enclosed(out, front, tx->arg, tx->func->nin, "()");
        break;
    case TX_BUILTIN:
        text_add(out, tx->builtin->name);
        enclosed(out, front, tx->arg, tx->n, "()");
        break;
    case TX_REDUCE: print_reduction(out, front, tx); break;
    case TX_TUPLE:
        text_char(out, '(');
        for (int k = 0; k < tx->n; k++) {
            if (k) text_add(out, ", ");
            if (tx->arg[k]) tx_print(out, front, tx->arg[k]);
        }
        text_char(out, ')');
        break;
    case TX_PARTIAL: print_partial(out, front, tx); break;
    case TX_BAD: text_add(out, "(wrong)"); break;
    default: print_binary(out, front, tx);
    }
}

/* ---- equations ---------------------------------------------------------------------------- */

static void indent(Text *out, int depth) {
    for (int k = 0; k < depth; k++) text_add(out, "  ");
}

static void equations(Text *out, const Front *front, const EquList *l, int depth,
                      bool statement);

/* Connections appear as their equations: a loop of nothing else is left out. */
static bool prints(const Equ *equ) {
    if (equ->kind == EQU_CONNECT) return false;
    if (equ->kind != EQU_FOR) return true;
    for (int k = 0; k < equ->body.count; k++)
        if (prints(equ->body.item[k])) return true;
    return false;
}

static void equation(Text *out, const Front *front, const Equ *equ, int depth,
                     bool statement) {
    static const char *const heads[] = {
        [EQU_IF] = "if", [EQU_WHEN] = "when", [EQU_WHILE] = "while"};
    static const char *const nexts[] = {
        [EQU_IF] = "elseif", [EQU_WHEN] = "elsewhen", [EQU_WHILE] = ""};
    if (!prints(equ)) return;
    indent(out, depth);
    switch (equ->kind) {
    case EQU_SAME:
        tx_print(out, front, equ->left);
        text_add(out, statement ? " := " : " = ");
        tx_print(out, front, equ->right);
        break;
    case EQU_CALL: tx_print(out, front, equ->left); break;
    case EQU_FOR:
        text_printf(out, "for %s in ", text_of(front, equ->iter->name));
        tx_print(out, front, equ->iter->range);
        text_add(out, " loop\n");
        equations(out, front, &equ->body, depth + 1, statement);
        indent(out, depth);
        text_add(out, "end for");
        break;
    case EQU_BREAK: text_add(out, "break"); break;
    case EQU_RETURN: text_add(out, "return"); break;
    default:
        for (int k = 0; k < equ->count; k++) {
            if (k) indent(out, depth);
            if (equ->cond[k]) {
                text_printf(out, "%s ", k ? nexts[equ->kind] : heads[equ->kind]);
                tx_print(out, front, equ->cond[k]);
                text_add(out, equ->kind == EQU_WHILE ? " loop\n" : " then\n");
            } else text_add(out, "else\n");
            equations(out, front, &equ->branch[k], depth + 1, statement);
        }
        indent(out, depth);
        text_printf(out, "end %s", heads[equ->kind]);
        break;
    }
    text_add(out, ";\n");
}

static void equations(Text *out, const Front *front, const EquList *l, int depth,
                      bool statement) {
    for (int k = 0; k < l->count; k++) equation(out, front, l->item[k], depth, statement);
}

/* ---- the model -------------------------------------------------------------------------------- */

static void scalar_name(Text *out, const FlatModel *model, int scalar) {
    int low = 0, high = model->vars - 1;
    while (low < high) {
        int mid = (low + high + 1) / 2;
        if (model->var[mid]->first <= scalar) low = mid;
        else high = mid - 1;
    }
    const Inst *inst = model->var[low], *chain[64];
    int         n = 0, rest = scalar - inst->first, index[64];
    for (const Inst *p = inst; p && n < 64; p = p->parent) chain[n++] = p;
    int dims = 0;
    for (int c = 0; c < n; c++)
        for (int k = chain[c]->ndim - 1; k >= 0 && dims < 64; k--) {
            int size = chain[c]->dim[k] > 0 ? chain[c]->dim[k] : 1;
            index[dims++] = rest % size;
            rest /= size;
        }
    for (int c = n - 1; c >= 0; c--) {
        if (!chain[c]->parent) continue;
        if (chain[c]->parent->parent) text_char(out, '.');
        text_add(out, text_of(model->front, chain[c]->name));
        for (int k = 0; k < chain[c]->ndim; k++)
            text_printf(out, "%s%d", k ? "," : "[", index[--dims] + 1);
        if (chain[c]->ndim) text_char(out, ']');
    }
}

/* Equation number `time` of those that eq stands for. */
static void connection(Text *out, const FlatModel *model, const ConnEq *eq, int time) {
    for (int k = 0; k < eq->count; k++) {
        bool minus = eq->var[k] < 0, same = eq->kind == CONNEQ_SAME;
        int  step = eq->step ? time * eq->step[k] : 0;
        if (same && k == 0) continue;
        if (same) {
            text_add(out, "  ");
            scalar_name(out, model, eq->var[0] + (eq->step ? time * eq->step[0] : 0));
            text_add(out, " = ");
        } else text_add(out, k == 0 ? minus ? "  -" : "  " : minus ? " - " : " + ");
        scalar_name(out, model, (minus ? ~eq->var[k] : eq->var[k]) + step);
        if (same) text_add(out, ";\n");
    }
    if (eq->kind == CONNEQ_SUM) text_add(out, " = 0;\n");
}

static void variable(Text *out, const FlatModel *model, Inst *inst) {
    static const char *const prefix[] = {"constant ", "parameter ", "discrete ", ""};
    Front                   *front = model->front;
    text_add(out, "  ");
    if (inst->prefix.protected_) text_add(out, "protected ");
    if (inst->vary != VARY_DISCRETE || inst->basic == BASIC_REAL)
        text_add(out, prefix[inst->vary]);
    if (inst->conn == CONN_FLOW) text_add(out, "flow ");
    if (inst->conn == CONN_STREAM) text_add(out, "stream ");
    if (inst->way == WAY_INPUT && inst->parent == model->root) text_add(out, "input ");
    if (inst->way == WAY_OUTPUT && inst->parent == model->root) text_add(out, "output ");
    Ty          type = inst_type(front, inst);
    int         dim[64], n = 0;
    const Inst *chain[64];
    int         length = 0;
    for (const Inst *p = inst; p && length < 64; p = p->parent) chain[length++] = p;
    for (int c = length - 1; c >= 0; c--)
        for (int k = 0; k < chain[c]->ndim && n < 64; k++) dim[n++] = chain[c]->dim[k];
    type.ndim = (uint8_t)n;
    type.dim = dim;
    type_print(out, front, type);
    text_char(out, ' ');
    inst_name(out, front, inst);
    bool any = false;
    for (int k = 0; inst->md && k < inst->md->count; k++) {
        Md *md = inst->md->sub[k];
        if (!md->value) continue;
        Tx *tx = inst_attribute(front, inst, md->name, NULL);
        if (!tx || ty_bad(tx->type)) continue;
        text_printf(out, "%s%s = ", any ? ", " : "(", text_of(front, md->name));
        tx_print(out, front, tx);
        any = true;
    }
    if (any) text_char(out, ')');
    Tx *bind = inst_bind(front, inst);
    if (bind) {
        text_add(out, " = ");
        if (inst->evaluation.known && inst->vary == VARY_CONSTANT)
            value_print(out, front, inst->evaluation.known);
        else tx_print(out, front, bind);
    }
    text_add(out, ";\n");
}

static void section(Text *out, const FlatModel *model, const char *title,
                    const EquList *l, bool statement) {
    if (!l->count) return;
    text_printf(out, "%s\n", title);
    equations(out, model->front, l, 1, statement);
}

void flat_print_instances(Text *out, const FlatModel *model) {
    const Front *front = model->front;
    for (int k = 0; k < model->parts; k++) {
        const Inst *inst = model->part[k].inst;
        if (inst == model->root) text_add(out, "model");
        else inst_name(out, front, inst);
        text_add(out, ": ");
        cls_name(out, front, inst->cls);
        if (inst_count(inst) != 1) text_printf(out, ", %d times", inst_count(inst));
        text_printf(out, ", %d equations\n", model->part[k].equation.count);
    }
}

void flat_print_connections(Text *out, const FlatModel *model) {
    for (int k = 0; k < model->conns; k++)
        for (int i = 0; i < model->conn[k].repeat; i++)
            connection(out, model, &model->conn[k], i);
}

void flat_print(Text *out, const FlatModel *model) {
    Front *front = model->front;
    if (!model->root) return;
    text_add(out, "model ");
    cls_name(out, front, model->root->cls);
    text_char(out, '\n');
    for (int k = 0; k < model->vars; k++) variable(out, model, model->var[k]);
    for (int k = 0; k < model->parts; k++)
        section(out, model, "initial equation", &model->part[k].initial, false);
    text_add(out, "equation\n");
    for (int k = 0; k < model->parts; k++) {
        equations(out, front, &model->part[k].equation, 1, false);
        equations(out, front, &model->part[k].made, 1, false);
    }
    flat_print_connections(out, model);
    for (int k = 0; k < model->parts; k++) {
        const InstEqus *p = &model->part[k];
        for (int a = 0; a < p->algorithms; a++)
            section(out, model, "algorithm", &p->algorithm[a], true);
        for (int a = 0; a < p->initial_algorithms; a++)
            section(out, model, "initial algorithm", &p->initial_algorithm[a], true);
    }
    text_add(out, "end ");
    cls_name(out, front, model->root->cls);
    text_add(out, ";\n");
}
