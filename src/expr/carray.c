/* SPDX-License-Identifier: Apache-2.0 */
/* carray.c -- statements that fill whole arrays. */
#include "expr/ctext.h"

/* {e for i in 1:n, j in 1:m}: one array, filled by nested loops. */
static void each_statement(Emit *e, Stand s) {
    Term body = e->list[s.node];
    int  t = e->temp[s.node], rank = 0;
    Text sizes = {0}, flat = {0}, value = {0};
    for (; expr_op(e->shapes, body) == TERM_EACH; body = expr_arg(e->shapes, body, 1)) {
        text_add(&sizes, rank ? ", (int)(" : "(int)(");
        ctext_of(e, expr_arg(e->shapes, body, 0), &sizes);
        text_char(&sizes, ')');
        rank++;
    }
    bool rows = e->shapes->node[body].rank > 0;
    ctext_declare(e, t, true);
    ctext_line(e);
    text_printf(e->c->out, "const int n%d[%d] = {%s};\n", t, rank, text_get(&sizes));
    if (!rows) {
        ctext_line(e);
        text_printf(e->c->out, "rb_new(c, t%d, %d, n%d);\n", t, rank, t);
    }
    Term level = e->list[s.node];
    for (int d = 0; d < rank; d++, level = expr_arg(e->shapes, level, 1)) {
        Text length = {0};
        text_printf(&length, rows ? "n%d[%d]" : "t%d->n[%d]", t, d);
        ctext_loop_head(e, e->shapes->node[level].index, text_get(&length));
        if (d) text_printf(&flat, ")*n%d[%d] + ", t, d);
        text_printf(&flat, "i%d - 1", e->shapes->node[level].index);
        text_free(&length);
    }
    ctext_write(e->c, body, e, s.region, e->loud[s.node], false, &value);
    ctext_line(e);
    if (rows) text_printf(e->c->out, "rb_put(c, t%d, %d, n%d, ", t, rank, t);
    else text_printf(e->c->out, "t%d->d[", t);
    for (int d = 1; d < rank; d++) text_char(e->c->out, '(');
    text_add(e->c->out, text_get(&flat));
    if (rows)
        text_printf(e->c->out, ", %s, %d);\n", text_get(&value),
                    e->shapes->node[body].rank);
    else text_printf(e->c->out, "] = %s;\n", text_get(&value));
    for (int d = 0; d < rank; d++) ctext_loop_end(e);
    text_free(&sizes);
    text_free(&flat);
    text_free(&value);
}

bool literal_sizes(const Shapes *shapes, Term x, int *size, int rank) {
    const Node *node = expr_node(shapes, x);
    if (!rank) return node->rank == 0;
    if (node->op != TERM_ARRAY) return false;
    if (*size < 0) *size = (int)node->n;
    bool fine = *size == (int)node->n;
    for (uint32_t k = 0; k < node->n && fine; k++)
        fine = literal_sizes(shapes, expr_arg(shapes, x, k), size + 1, rank - 1);
    return fine;
}

static bool all_numbers(const Shapes *shapes, Term x) {
    double value;
    if (expr_op(shapes, x) != TERM_ARRAY) return expr_literal(shapes, x, &value);
    for (uint32_t k = 0; k < shapes->node[x].n; k++)
        if (!all_numbers(shapes, expr_arg(shapes, x, k))) return false;
    return true;
}

static void number_items(const Emit *e, Term x, int *next) {
    double value = 0;
    if (expr_op(e->shapes, x) == TERM_ARRAY) {
        for (uint32_t k = 0; k < e->shapes->node[x].n; k++)
            number_items(e, expr_arg(e->shapes, x, k), next);
        return;
    }
    expr_literal(e->shapes, x, &value);
    text_add(e->c->out, *next == 0 ? "" : *next % 8 ? ", " : ",\n");
    if (*next && *next % 8 == 0) text_printf(e->c->out, "%*s", e->c->indent + 4, "");
    ctext_number(e->c->out, value);
    ++*next;
}

/* An array of numbers is data of the program: tables in functions are not built by every call. */
static void table_statement(Emit *e, int i, const int *size, int rank) {
    int t = e->temp[i], next = 0;
    e->c->arrays = true;
    ctext_line(e);
    text_printf(e->c->out, "static const double k%d[] = {", t);
    number_items(e, e->list[i], &next);
    text_add(e->c->out, "};\n");
    ctext_line(e);
    text_printf(e->c->out, "RbArray t%d[1] = {{(double *)k%d, {", t, t);
    for (int d = 0; d < rank; d++) text_printf(e->c->out, d ? ", %d" : "%d", size[d]);
    text_add(e->c->out, "}, 0, 0}};\n");
}

static void literal_items(Emit *e, Term x, int rank, int t, int *next) {
    if (rank) {
        for (uint32_t k = 0; k < e->shapes->node[x].n; k++)
            literal_items(e, expr_arg(e->shapes, x, k), rank - 1, t, next);
        return;
    }
    Text value = {0};
    ctext_of(e, x, &value);
    ctext_line(e);
    text_printf(e->c->out, "t%d->d[%d] = %s;\n", t, (*next)++, text_get(&value));
    text_free(&value);
}
static void constructor_statement(Emit *e, int i) {
    enum { MOST = 32 };
    Term x = e->list[i];
    Node node = e->shapes->node[x];
    int  t = e->temp[i], size[MOST], next = 0;
    for (int d = 0; d < MOST; d++) size[d] = -1;
    bool regular = node.rank < MOST && literal_sizes(e->shapes, x, size, node.rank);
    if (regular && node.n && node.rank <= 6 && all_numbers(e->shapes, x)) {
        table_statement(e, i, size, node.rank);
        return;
    }
    ctext_declare(e, t, true);
    if (regular) {
        ctext_line(e);
        text_printf(e->c->out, "rb_new(c, t%d, %d, (int[]){", t, node.rank);
        for (int d = 0; d < node.rank; d++)
            text_printf(e->c->out, d ? ", %d" : "%d", size[d]);
        text_add(e->c->out, "});\n");
        literal_items(e, x, node.rank, t, &next);
        return;
    }
    for (uint32_t k = 0; k < node.n; k++) {
        Text value = {0};
        ctext_of(e, expr_arg(e->shapes, x, k), &value);
        ctext_line(e);
        text_printf(e->c->out, "rb_put(c, t%d, 1, (int[]){%u}, %u, %s, %d);\n", t, node.n,
                    k, text_get(&value), node.rank - 1);
        text_free(&value);
    }
}

static int result_number(const Emit *e, const Stand *s) {
    int64_t number = e->shapes->node[e->list[s->node]].integer;
    return number < 0 ? 0 : (int)number;
}

static const Stand *mate_of(const Emit *e, const Stand *s) {
    return s->mate < 0 ? NULL : &e->stand[s->mate];
}

void ctext_call_statement(Emit *e, Stand s) {
    Term x = e->list[s.node];
    Node node = e->shapes->node[x];
    Text args = {0};
    int  outputs =
        node.index < e->shapes->functions ? e->shapes->function[node.index]->outputs : 0;
    ctext_list(e, x, &args);
    for (const Stand *m = &s; m; m = mate_of(e, m)) {
        bool array = e->shapes->node[e->list[m->node]].rank;
        if (array) e->c->arrays = true;
        ctext_line(e); /* a call that fails gives nothing */
        text_printf(e->c->out, array ? "RbArray t%d[1] = {{0}};\n" : "double t%d = 0;\n",
                    e->temp[m->node]);
    }
    ctext_line(e);
    text_printf(e->c->out, "f%d(c%s", node.index, text_get(&args));
    for (int k = 0; k < outputs; k++) {
        const Stand *m = &s;
        while (m && result_number(e, m) != k) m = mate_of(e, m);
        if (!m) text_add(e->c->out, ", 0");
        else
            text_printf(e->c->out,
                        e->shapes->node[e->list[m->node]].rank ? ", t%d" : ", &t%d",
                        e->temp[m->node]);
    }
    text_add(e->c->out, ");\n");
    text_free(&args);
}

/* Sums, products by a scalar and the like: element by element. */
static void elementwise_statement(Emit *e, int i) {
    Term        x = e->list[i];
    Node        node = e->shapes->node[x];
    const char *op = node.op == TERM_ADD   ? " + "
                     : node.op == TERM_MUL ? "*"
                     : node.op == TERM_DIV ? "/"
                                           : "";
    int         t = e->temp[i];
    Text        item = {0};
    bool        sized = false;
    uint32_t    first = node.op == TERM_SMOOTH;
    bool        known = *op || node.op == TERM_NEG || node.op == TERM_NO_EVENT ||
                 node.op == TERM_SMOOTH || node.op == TERM_TO_REAL;
    ctext_declare(e, t, true);
    for (uint32_t k = first; k < node.n; k++) {
        Term arg = expr_arg(e->shapes, x, k);
        Text value = {0};
        ctext_of(e, arg, &value);
        text_printf(&item, "%s%s%s",
                    k > first             ? op
                    : node.op == TERM_NEG ? "-"
                                          : "",
                    text_get(&value), e->shapes->node[arg].rank ? "->d[k]" : "");
        if (e->shapes->node[arg].rank && !sized) {
            ctext_line(e);
            text_printf(e->c->out, "rb_new(c, t%d, %d, %s->n);\n", t, node.rank,
                        text_get(&value));
            sized = true;
        }
        text_free(&value);
    }
    if (!known) {
        text_clear(&item);
        ctext_missing(e, "", &item);
    }
    ctext_line(e);
    text_printf(e->c->out,
                "for (int k = 0; k < rb_count(t%d, %d); k++) t%d->d[k] = %s;\n", t,
                node.rank, t, text_get(&item));
    text_free(&item);
}

void ctext_array_statement(Emit *e, Stand s) {
    int  i = s.node;
    Node node = e->shapes->node[e->list[i]];
    switch (node.op) {
    case TERM_ARRAY_SLOT: {
        Text value = {0};
        e->c->gather(e->c->context, node.index, e->temp[i], &value);
        ctext_declare(e, e->temp[i], true);
        ctext_line(e);
        text_printf(e->c->out, "%s;\n", text_get(&value));
        text_free(&value);
        break;
    }
    case TERM_EACH: each_statement(e, s); break;
    case TERM_ARRAY: constructor_statement(e, i); break;
    case TERM_CALL: ctext_call_statement(e, s); break;
    case TERM_IF: ctext_if(e, s); break;
    default: elementwise_statement(e, i);
    }
}
