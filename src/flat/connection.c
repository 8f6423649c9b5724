/* SPDX-License-Identifier: Apache-2.0 */
/* connection.c -- equations of connections, already in runs, as families of rows. */
#include "flat/job.h"

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

/* Connection equations of one kind, from one connect: rows of one family. */
static bool alike(const FlatModel *model, const ConnEq *a, const ConnEq *b) {
    if (a->repeat > 1 || b->repeat > 1) return false;
    if (a->kind != b->kind || a->pos != b->pos || a->count != b->count) return false;
    if (a->kind == CONNEQ_SAME)
        return scalar_type(model, a->var[0]) == scalar_type(model, b->var[0]);
    for (int k = 0; k < a->count; k++)
        if ((a->var[k] < 0) != (b->var[k] < 0)) return false;
    return true;
}

static void connection_rows(Lower *l, const ConnEq *eq, int n) {
    bool       sum = eq->kind == CONNEQ_SUM;
    int        slots = sum ? eq->count : 2, per = sum ? 1 : eq->count - 1;
    Type       type = (Type)scalar_type(l->model, eq->var[0]);
    Term      *item = NEW(&l->scratch, Term, slots), root;
    const int *order;
    for (int k = 0; k < slots; k++) {
        item[k] = expr_slot(l->shapes, k, type);
        if (sum && eq->var[k] < 0) item[k] = expr_1(l->shapes, TERM_NEG, item[k]);
    }
    if (sum)
        root = expr_2(l->shapes, TERM_EQUATION,
                      slots == 1 ? item[0] : expr_make(l->shapes, TERM_ADD, item, slots),
                      l->shapes->zero);
    else root = expr_2(l->shapes, TERM_EQUATION, item[0], item[1]);
    int  shape = shape_of(l->shapes, root, &order);
    int *place = NEW(&l->scratch, int, slots),
        *table = NEW(&l->scratch, int, n *per *slots);
    for (int k = 0; k < slots; k++) place[k] = order ? order[k] : k;
    int at = 0;
    for (int e = 0; e < n; e++)
        for (int j = 0; j < per; j++)
            for (int k = 0; k < slots; k++) {
                int var = sum ? eq[e].var[place[k]] : eq[e].var[place[k] ? j + 1 : 0];
                table[at++] = var < 0 ? ~var : var;
            }
    if (per > 0)
        system_table(l->sys, ROWS_EQUATION, shape, n * per, table, NULL, FAMILY_CONNECT,
                     -1, eq->pos);
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
        else connection_rows(l, &model->conn[k], n);
        arena_free(&l->scratch);
        k += n;
    }
}
