/* SPDX-License-Identifier: Apache-2.0 */
/* connection.c -- equations of connections, already in runs, as families of rows. */
#include "flat/job.h"

#include <string.h>

static void stream_rows(Lower *l) {
    const FlatModel *model = l->model;
    for (int k = 0; k < model->streams; k++)
        for (int j = 0; j < model->stream[k].count; j++) {
            int node = model->stream[k].node[j];
            if (!(node & 1)) continue;
            l->failed = l->unroll = false;
            lower_begin(l, 0, NULL);
            Term left = row_var(&l->row, node / 2, NULL),
                 right = lower_mixture(l, node, 0);
            if (!l->failed)
                lower_end(l, ROWS_EQUATION, expr_2(l->shapes, TERM_EQUATION, left, right),
                          FAMILY_CONNECT, -1, 0);
            arena_free(&l->scratch);
        }
}

static int scalar_type(const FlatModel *model, int scalar) {
    return lower_type(flat_var_of(model, scalar < 0 ? ~scalar : scalar));
}

enum { WIDTH = 32 };

static bool is_wide(const ConnEq *eq) {
    return eq->kind == CONNEQ_SUM && eq->count > 2 * WIDTH;
}

/* Connection equations of one kind, from one connect: rows of one family. */
static bool alike(const FlatModel *model, const ConnEq *a, const ConnEq *b) {
    if (a->repeat > 1 || b->repeat > 1 || is_wide(a)) return false;
    if (a->kind != b->kind || a->pos != b->pos || a->count != b->count) return false;
    if (a->kind == CONNEQ_SAME)
        return scalar_type(model, a->var[0]) == scalar_type(model, b->var[0]);
    for (int k = 0; k < a->count; k++)
        if ((a->var[k] < 0) != (b->var[k] < 0)) return false;
    return true;
}

/* n rows of one shape; vars has the variables of each row in the order of the slots of root. */
static void table_rows(Lower *l, Term root, int slots, int n, const int *vars, Pos pos) {
    const int *order;
    int        shape = shape_of(l->shapes, root, &order);
    int       *table = NEW(&l->scratch, int, n *slots);
    for (int e = 0; e < n; e++)
        for (int k = 0; k < slots; k++)
            table[e * slots + k] = vars[e * slots + (order ? order[k] : k)];
    system_table(l->sys, ROWS_EQUATION, shape, n, table, NULL, FAMILY_CONNECT, -1, pos);
}

/* Sum of slots first, first + 1, ... with the given signs. */
static Term slot_sum(Lower *l, int first, int n, const int *var, Type type) {
    Term *item = NEW(&l->scratch, Term, n);
    for (int k = 0; k < n; k++) {
        item[k] = expr_slot(l->shapes, first + k, type);
        if (var[k] < 0) item[k] = expr_1(l->shapes, TERM_NEG, item[k]);
    }
    return n == 1 ? item[0] : expr_make(l->shapes, TERM_ADD, item, n);
}

/* n rows sum = its `width` variables, all of one sign. */
static void partial_sums(Lower *l, const ConnEq *eq, const int *var, int width, int sum,
                         int n) {
    if (n == 0) return;
    int *vars = NEW(&l->scratch, int, n *(width + 1)), at = 0;
    for (int g = 0; g < n; g++) {
        vars[at++] = sum + g;
        for (int k = 0; k < width; k++, var++) vars[at++] = *var < 0 ? ~*var : *var;
    }
    Term left = expr_slot(l->shapes, 0, TYPE_REAL);
    Term right = slot_sum(l, 1, width, var - width, TYPE_REAL);
    table_rows(l, expr_2(l->shapes, TERM_EQUATION, left, right), width + 1, n, vars,
               eq->pos);
}

/* Hidden sums of n variables of one sign, WIDTH in each; returns their number. */
static int sums_of(Lower *l, const ConnEq *eq, const int *var, int n, int *out) {
    int full = n / WIDTH, sums = (n + WIDTH - 1) / WIDTH;
    if (n == 0) return 0;
    int first = lower_hidden(l, VAR_CONTINUOUS, TYPE_REAL, sums, eq->pos);
    for (int k = 0; k < sums; k++) out[k] = first + k;
    partial_sums(l, eq, var, WIDTH, first, full);
    partial_sums(l, eq, var + full * WIDTH, n - full * WIDTH, first + full, sums - full);
    return sums;
}

/* A sum of very many flows (thousands of parts on one ground) as a tree of sums: symbolic work and
 * C text follow the width of rows, so rows stay narrow. */
static void wide_sum(Lower *l, const ConnEq *eq) {
    int n = eq->count, *var = NEW(&l->scratch, int, n),
        *sorted = NEW(&l->scratch, int, n);
    memcpy(var, eq->var, sizeof(int) * (size_t)n);
    while (n > WIDTH) {
        int plus = 0, at = 0;
        for (int minus = 0; minus < 2; minus++) {
            for (int k = 0; k < n; k++)
                if ((var[k] < 0) == minus) sorted[at++] = var[k];
            if (!minus) plus = at;
        }
        int sums = sums_of(l, eq, sorted, plus, var);
        n = sums + sums_of(l, eq, sorted + plus, at - plus, var + sums);
    }
    table_rows(l,
               expr_2(l->shapes, TERM_EQUATION, slot_sum(l, 0, n, var, TYPE_REAL),
                      l->shapes->zero),
               n, 1, var, eq->pos);
}

static void connection_rows(Lower *l, const ConnEq *eq, int n) {
    bool sum = eq->kind == CONNEQ_SUM;
    int  slots = sum ? eq->count : 2, per = sum ? 1 : eq->count - 1, at = 0;
    Type type = (Type)scalar_type(l->model, eq->var[0]);
    Term root =
        expr_2(l->shapes, TERM_EQUATION,
               sum ? slot_sum(l, 0, slots, eq->var, type) : expr_slot(l->shapes, 0, type),
               sum ? l->shapes->zero : expr_slot(l->shapes, 1, type));
    int *vars = NEW(&l->scratch, int, n *per *slots);
    for (int e = 0; e < n; e++)
        for (int j = 0; j < per; j++)
            for (int k = 0; k < slots; k++) {
                int var = eq[e].var[sum ? k : k ? j + 1 : 0];
                vars[at++] = var < 0 ? ~var : var;
            }
    if (per > 0) table_rows(l, root, slots, n * per, vars, eq->pos);
}

/* Equations that repeat with constant steps: affine families. */
static void repeated_rows(Lower *l, const ConnEq *eq) {
    Term *item = NEW(&l->scratch, Term, eq->count), root;
    bool  sum = eq->kind == CONNEQ_SUM;
    for (int j = sum ? 0 : 1; j < (sum ? 1 : eq->count); j++) {
        row_begin(&l->row, l->sys, 1, &eq->repeat);
        for (int k = 0; k < eq->count; k++) {
            bool minus = eq->var[k] < 0;
            if (!sum && k && k != j) continue;
            item[k] = row_var(&l->row, minus ? ~eq->var[k] : eq->var[k], &eq->step[k]);
            if (minus) item[k] = expr_1(l->shapes, TERM_NEG, item[k]);
        }
        Term left = !sum || eq->count == 1
                        ? item[0]
                        : expr_make(l->shapes, TERM_ADD, item, eq->count);
        root = expr_2(l->shapes, TERM_EQUATION, left, sum ? l->shapes->zero : item[j]);
        row_end(&l->row, ROWS_EQUATION, root, FAMILY_CONNECT, -1, eq->pos);
    }
}

void lower_connections(Lower *l) {
    const FlatModel *model = l->model;
    stream_rows(l);
    for (int k = 0; k < model->conns;) {
        int n = 1;
        while (k + n < model->conns && alike(model, &model->conn[k], &model->conn[k + n]))
            n++;
        if (model->conn[k].repeat > 1) repeated_rows(l, &model->conn[k]);
        else if (is_wide(&model->conn[k])) wide_sum(l, &model->conn[k]);
        else connection_rows(l, &model->conn[k], n);
        arena_free(&l->scratch);
        k += n;
    }
}
