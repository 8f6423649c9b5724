/* SPDX-License-Identifier: Apache-2.0 */
/* terminals.c -- terminalsAndIcons.xml of FMI 3.0: connectors at the top level of the model as terminals.
 *
 * A connector inside of another one is a terminal inside of its terminal. An array of connectors is one terminal
 * whose members are arrays, as far as its variables are arrays of the description; the others are members
 * of a terminal for each element. A flow of Modelica counts into the component: inflow. Nothing is connected
 * to these connectors, so inStream(h) is h itself, and both names of a stream variable are the same. */
#include "fmi/fmi.h"
#include "fmi/xml.h"

#include <string.h>

typedef struct Terminals {
    const Program *program;
    FmuInterface   f;
    int           *place; /* by variable of the program: its entry + 1 */
    Text          *out;
} Terminals;

enum { ALL = -1 }; /* instead of the number of an element */

static int product(const Connectors *all, int at, int dims) {
    int n = 1;
    for (int k = 0; k < dims; k++) n *= all->size[at + k];
    return n;
}

/* Connectors that a connector and those around it are. */
static int elements(const Connectors *all, int c) {
    int n = 1;
    for (; c >= 0; c = all->connector[c].parent)
        n *= product(all, all->connector[c].size, all->connector[c].dims);
    return n;
}

static void open_terminal(const Terminals *t, int c, int element, Text *out) {
    const Connectors *all = &t->program->connectors;
    const Connector  *own = &all->connector[c];
    Text              name = {0}, pattern = {0};
    const bool        self =
        own->members == 1 && !*program_text(t->program, all->member[own->member].name);
    text_add(&pattern, program_text(t->program, own->name));
    for (int k = 0; element != ALL && k < own->dims; k++) {
        text_add(&pattern, k ? "," : "[");
        text_char(&pattern, NAME_SUBSCRIPT);
    }
    if (element != ALL && own->dims) text_char(&pattern, ']');
    if (element == ALL) text_add(&name, text_get(&pattern));
    else
        name_write(text_get(&pattern), all->size + own->size, own->dims,
                   element % product(all, own->size, own->dims), &name);
    text_add(out, "    <Terminal");
    xml_attribute(out, "name", text_get(&name));
    xml_attribute(out, "matchingRule", self ? "sequence" : own->open ? "bus" : "plug");
    xml_attribute(out, "terminalKind", program_text(t->program, own->type));
    if (*program_text(t->program, own->comment))
        xml_attribute(out, "description", program_text(t->program, own->comment));
    text_add(out, ">\n");
    out->failed |= name.failed || pattern.failed;
    TEXT_FREE(&name, &pattern);
}

/* One variable of the description, the element `at` of what a member is in one connector. */
static void member(const Terminals *t, const ConnectorMember *m, const FmuVariable *v,
                   int at, Text *plain, Text *streams) {
    const Program *p = t->program;
    const uint8_t  flags = p->variables.run[m->run].flags;
    const char    *pattern = program_text(p, m->name);
    Text           name = {0}, variable = {0};
    fmu_name(&t->f, v, &variable);
    if (v->array) fmu_whole_name(pattern, &name);
    else name_write(pattern, p->connectors.size + m->size, m->dims, at, &name);
    if (flags & VAR_STREAM) {
        text_add(streams, "      <TerminalStreamMemberVariable");
        xml_attribute(streams, "inStreamMemberName", text_get(&name));
        xml_attribute(streams, "outStreamMemberName", text_get(&name));
        xml_attribute(streams, "inStreamVariableName", text_get(&variable));
        xml_attribute(streams, "outStreamVariableName", text_get(&variable));
        text_add(streams, "/>\n");
    } else {
        text_add(plain, "      <TerminalMemberVariable");
        xml_attribute(plain, "variableName", text_get(&variable));
        if (name.length) xml_attribute(plain, "memberName", text_get(&name));
        xml_attribute(plain, "variableKind", flags & VAR_FLOW ? "inflow" : "signal");
        text_add(plain, "/>\n");
    }
    plain->failed |= name.failed || variable.failed;
    TEXT_FREE(&name, &variable);
}

/* Of all elements those that are arrays of the description, if there are several; of one element what is
 * none. */
static void members(const Terminals *t, int c, int element, Text *plain, Text *streams) {
    const Connectors *all = &t->program->connectors;
    const Connector  *own = &all->connector[c];
    const int         n = elements(all, c);
    for (int k = own->member; k < own->member + own->members; k++) {
        const ConnectorMember *m = &all->member[k];
        const VarRun          *run = &t->program->variables.run[m->run];
        const int              each = run->count / n;
        const int              first = element == ALL ? 0 : element * each;
        const int              end = element == ALL && n > 1 ? 1 : each;
        for (int i = 0; i < end && first + i < run->count; i++) {
            const int          place = t->place[run->first + first + i];
            const FmuVariable *v = place ? &t->f.variable[place - 1] : NULL;
            if (!v || v->causality == FMU_LOCAL) continue;
            if (n > 1 && v->array != (element == ALL)) continue;
            member(t, m, v, i, plain, streams);
        }
    }
}

/* The connector, or one element of an array, with all that is inside; nothing if that is nothing. */
static void terminal(const Terminals *t, int c, int element, Text *out) {
    const Connectors *all = &t->program->connectors;
    const int         n = elements(all, c);
    Text              plain = {0}, streams = {0}, inside = {0};
    members(t, c, element, &plain, &streams);
    for (int k = c + 1; k < all->count; k++) {
        if (all->connector[k].parent != c) continue;
        const int each = elements(all, k) / n;
        if (element == ALL) terminal(t, k, ALL, &inside);
        for (int i = 0; i < each && (element != ALL || (n == 1 && each > 1)); i++)
            terminal(t, k, element == ALL ? i : element * each + i, &inside);
    }
    if (plain.length + streams.length + inside.length) {
        open_terminal(t, c, element, out);
        text_add(out, text_get(&plain));
        text_add(out, text_get(&streams));
        text_add(out, text_get(&inside));
        text_add(out, "    </Terminal>\n");
    }
    out->failed |= plain.failed || streams.failed || inside.failed;
    TEXT_FREE(&plain, &streams, &inside);
}

static void all_terminals(Terminals *t) {
    const Connectors *all = &t->program->connectors;
    Text              found = {0};
    for (int k = 0; k < t->f.variables; k++)
        if (t->f.variable[k].source == FMU_VALUE) t->place[t->f.variable[k].var] = k + 1;
    for (int c = 0; c < all->count; c++) {
        if (all->connector[c].parent >= 0) continue;
        const int n = elements(all, c);
        terminal(t, c, ALL, &found);
        for (int i = 0; n > 1 && i < n; i++) terminal(t, c, i, &found);
    }
    if (found.length)
        text_printf(t->out,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n"
                    "  <Terminals>\n%s  </Terminals>\n"
                    "</fmiTerminalsAndIcons>\n",
                    text_get(&found));
    t->out->failed |= found.failed;
    text_free(&found);
}

bool fmu_terminals(const Program *p, const FmuOptions *options, Text *out) {
    Terminals t = {.program = p, .out = out};
    if (options->version != 3 || !p->connectors.count) return true;
    if (!fmu_interface_open(&t.f, p, 3, options->scheduled)) return false;
    t.place = mem_take((size_t)p->variables.vars + 1, sizeof *t.place);
    if (t.place) all_terminals(&t);
    const bool fine = t.place && !out->failed;
    mem_free(t.place);
    fmu_interface_close(&t.f);
    return fine;
}
