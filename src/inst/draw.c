/* SPDX-License-Identifier: Apache-2.0 */
/* draw.c -- state machines as a graph for Graphviz (dot).
 *
 * A machine is a dashed frame, a state with machines in it a frame around them. As in 17.2 of the
 * specification a filled arrow head resets and an open one does not, a number other than 1 before the
 * condition is the priority, and a bullet leads to the initial state; transitions that are delayed are
 * dashed, and those that synchronize begin with a bar. */
#include "inst/machine.h"

static void indent(Text *out, int depth) {
    for (int k = 0; k < depth; k++) text_add(out, "  ");
}

/* Text between double quotes. */
static void quote(Text *out, const char *text) {
    text_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') text_char(out, '\\');
        text_char(out, *text);
    }
    text_char(out, '"');
}

static void draw_label(const Machines *m, int state, Text *out) {
    const MachineState *s = &m->state[state];
    const Inst         *inst = m->block[s->block].inst;
    Text                name = {0};
    text_add(&name, text_of(m->front, inst->name));
    if (inst->ndim) text_printf(&name, "[%d]", s->element + 1);
    quote(out, text_get(&name));
    text_free(&name);
}

static void draw_transition(const Machines *m, const Transition *t, int depth,
                            Text *out) {
    Text label = {0};
    if (t->priority > 1) text_printf(&label, "%lld: ", (long long)t->priority);
    tx_print(&label, m->front, t->condition);
    indent(out, depth);
    text_printf(out, "s%d -> s%d [label=", t->from, t->to);
    quote(out, text_get(&label));
    if (!t->immediate) text_add(out, ", style=dashed");
    if (!t->reset) text_add(out, ", arrowhead=empty");
    if (t->synchronize) text_add(out, ", dir=both, arrowtail=tee");
    text_add(out, "];\n");
    text_free(&label);
}

static void draw_machine(const Machines *m, int number, int depth, Text *out);

/* A node, and a frame around it if there are machines in the state. */
static void draw_state(const Machines *m, int state, int depth, Text *out) {
    bool framed = false;
    for (int k = 0; k < m->machines; k++)
        framed |= m->machine[k].up == m->state[state].block;
    if (framed) {
        indent(out, depth);
        text_printf(out, "subgraph cluster_state%d {\n", state);
    }
    indent(out, depth + framed);
    text_printf(out, "s%d [label=", state);
    draw_label(m, state, out);
    text_add(out, framed ? ", penwidth=2];\n" : "];\n");
    for (int k = 0; k < m->machines; k++)
        if (m->machine[k].up == m->state[state].block) draw_machine(m, k, depth + 1, out);
    if (!framed) return;
    indent(out, depth);
    text_add(out, "}\n");
}

static void draw_machine(const Machines *m, int number, int depth, Text *out) {
    const Machine *k = &m->machine[number];
    indent(out, depth);
    text_printf(out, "subgraph cluster_machine%d {\n", number);
    indent(out, depth + 1);
    text_add(out, "style=dashed;\n");
    indent(out, depth + 1);
    text_printf(out, "i%d [shape=point, width=0.12];\n", number);
    for (int j = 0; j < k->states; j++) draw_state(m, k->state[j], depth + 1, out);
    indent(out, depth + 1);
    text_printf(out, "i%d -> s%d;\n", number, k->initial);
    for (int i = k->transitions - 1; i >= 0; i--)
        draw_transition(m, &m->transition[k->transition[i]], depth + 1, out);
    indent(out, depth);
    text_add(out, "}\n");
}

void flat_print_machines(Text *out, const FlatModel *model) {
    const Machines *m = model->front->uses.machines;
    text_add(out, "digraph ");
    quote(out, cls_text(model->front, model->root->cls));
    text_add(out, " {\n  node [shape=box, style=rounded];\n");
    for (int k = 0; m && k < m->machines; k++)
        if (m->machine[k].up < 0) draw_machine(m, k, 1, out);
    text_add(out, "}\n");
}
