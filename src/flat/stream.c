/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c -- stream variables: inStream and actualStream.
 *
 * actualStream(h) jumps where its flow m changes the direction, m*actualStream(h) does not: it is zero there on both
 * sides, so that no event is needed (Modelica 3.6, 15.3), nor inside smooth(0, m/density(actualStream(h))). With one, a
 * flow that comes to rest would switch with the noise around zero, without end. */
#include "flat/lower.h"

static Term number_var(Lower *l, int var) {
    return row_var(&l->row, var, NULL);
}

/* Whether medium can leave the component of a node towards its set: the bound of the flow that
 * stands against it, min seen from outside, max from within, is not zero. */
static bool can_deliver(Lower *l, int node, int flow) {
    Front *front = l->front;
    Inst  *inst = flat_var_of(l->model, flow);
    bool   within = node & 1;
    Str    name = within ? WORD(front, max) : WORD(front, min);
    Tx    *bound = inst_attribute(front, inst, name, NULL);
    Value *v = bound && bound->vary <= VARY_PARAMETER ? eval_now(front, bound) : NULL;
    int    k = flow - inst->first;
    if (!v || !v->count) return true;
    double limit = value_number(v, k < v->count ? k : 0);
    return within ? limit > 0 : limit < 0;
}

/* What a node takes out of its set: inside nodes give what flows out of their component,
 * outside ones what flows in from beyond. skip is left out. (Modelica 3.6, 15.2) A node that cannot
 * deliver has a weight that does not count beside the least one of the others: leaving it out makes
 * the same mixture, but one that depends on the direction of a single flow, where Newton's method
 * fails more often. */
Term lower_mixture(Lower *l, int skip, int depth) {
    FlatModel *model = l->model;
    int        set = model->stream_of ? model->stream_of[skip] : -1;
    if (depth > 60) return lower_fail(l, 0, "so deep a nest of stream connectors");
    if (set < 0) return number_var(l, skip / 2);
    const StreamSet *s = &model->stream[set];
    if (s->count == 1) return number_var(l, skip / 2);
    Term *weight = NEW(&l->scratch, Term, s->count),
         *value = NEW(&l->scratch, Term, s->count);
    int  n = 0;
    bool some = false; /* of them can deliver */
    for (int k = 0; k < s->count; k++) {
        int node = s->node[k];
        if (node == skip) continue;
        bool within = node & 1;
        int  flow = stream_flow(model, node / 2);
        if (flow < 0) return lower_fail(l, 0, "a stream variable without flow");
        bool delivers = can_deliver(l, node, flow);
        some |= delivers;
        value[n] =
            within ? lower_mixture(l, node - 1, depth + 1) : number_var(l, node / 2);
        Term m = number_var(l, flow);
        Term out = within ? m : expr_1(l->shapes, TERM_NEG, m);
        weight[n] = expr_real(l->shapes, delivers ? 1e-10 : 1e-18);
        if (delivers)
            weight[n] = expr_1(l->shapes, TERM_NO_EVENT,
                               expr_2(l->shapes, TERM_MAX, out, weight[n]));
        n++;
    }
    if (n == 1) return value[0];
    if (!some && !(skip & 1)) return number_var(l, skip / 2);
    Term *part = NEW(&l->scratch, Term, n);
    for (int k = 0; k < n; k++)
        part[k] = expr_2(l->shapes, TERM_MUL, weight[k], value[k]);
    return expr_2(l->shapes, TERM_DIV, expr_make(l->shapes, TERM_ADD, part, n),
                  expr_make(l->shapes, TERM_ADD, weight, n));
}

Term lower_stream(Lower *l, const Tx *tx, const Idx *idx) {
    int var, stride[ROW_DIMS];
    if (!lower_variable(l, tx->arg[0], idx, &var, stride)) return lower_again(l);
    for (int k = 0; k < ROW_DIMS; k++)
        if (stride[k]) return lower_again(l);
    Term in = lower_mixture(l, 2 * var, 0);
    if (tx->builtin->id == BUILTIN_inStream) return in;
    int flow = stream_flow(l->model, var);
    if (flow < 0) return lower_fail(l, tx->pos, "a stream variable without flow");
    Term args[3] = {expr_2(l->shapes, TERM_GREATER, number_var(l, flow), l->shapes->zero),
                    in, number_var(l, var)};
    Term value = expr_make(l->shapes, TERM_IF, args, 3);
    return l->smooth ? expr_1(l->shapes, TERM_NO_EVENT, value) : value;
}

/* Is x the actualStream that flow belongs to? */
static bool is_stream_of(const Shapes *shapes, const Tx *tx, Term x, Term flow) {
    if (tx->kind != TX_BUILTIN || tx->builtin->id != BUILTIN_actualStream) return false;
    if (expr_op(shapes, x) != TERM_IF) return false;
    Term forward = expr_arg(shapes, x, 0);
    return expr_op(shapes, forward) == TERM_GREATER &&
           expr_arg(shapes, forward, 0) == flow;
}

Term lower_product(Lower *l, const Tx *x, Term a, const Tx *y, Term b) {
    if (is_stream_of(l->shapes, x, a, b)) a = expr_1(l->shapes, TERM_NO_EVENT, a);
    else if (is_stream_of(l->shapes, y, b, a)) b = expr_1(l->shapes, TERM_NO_EVENT, b);
    return expr_2(l->shapes, TERM_MUL, a, b);
}
