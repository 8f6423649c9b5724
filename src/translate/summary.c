/* SPDX-License-Identifier: Apache-2.0 */
/* summary.c -- what there is to say about a translated model. */
#include "translate/translate.h"

#include <string.h>

/* Parameters whose values shaped the model, and the place that needed each. */
static void list_structural(const Translation *t, Text *out) {
    const FlatModel *m = t->flat;
    for (int k = 0; k < m->vars; k++) {
        const Inst *inst = m->var[k];
        if (!inst->structural || inst->vary != VARY_PARAMETER) continue;
        Place place = source_place(&t->session->sources, inst->why);
        text_add(out, "structural: ");
        inst_name(out, m->front, inst);
        if (inst->evaluate) text_add(out, " (annotation Evaluate)");
        else if (place.source) {
            const char *file = strrchr(place.source->path, '/');
            text_printf(out, " (needed at %s:%d:%d)",
                        file ? file + 1 : place.source->path, place.line, place.column);
        }
        text_char(out, '\n');
    }
}

static void put_count(Text *out, long long n, const char *what, const char *after) {
    text_printf(out, "%lld %s%s%s", n, what, n == 1 ? "" : "s", after);
}

enum { SHOWN = 12 }; /* states named one by one */

static void list_names(const Program *p, int states, Text *out) {
    int n = 0;
    for (int v = 0; v < p->variables.vars && n < SHOWN && n < states; v++) {
        if (p->reduced.role[v] != ROLE_STATE) continue;
        text_add(out, n++ ? ", " : ": ");
        program_name(p, v, out);
    }
    if (n && states > n) text_printf(out, " and %d more", states - n);
}

/* How many states there are, which, and those whose choice may not be valid for all times. */
static void list_states(const Translation *t, Text *out) {
    const Structure *st = &t->part[PART_RUN].structure;
    put_count(out, st->states, "state", "");
    if (st->drift.rows)
        text_printf(out, " (%d independent)", st->states - st->drift.rows);
    list_names(t->program, st->states, out);
    text_char(out, '\n');
    structure_report_sets(st, CHOICE_ASKED, out);
}

void translate_summary(const Translation *t, Text *out) {
    const FlatModel *m = t->flat;
    if (!t->rows || !t->rows->good) return;
    put_count(out, m->equations, "equation", ", ");
    put_count(out, m->unknowns, "unknown", ", ");
    put_count(out, m->parameters, "parameter", "; ");
    put_count(out, t->rows->sys.set[ROWS_EQUATION].rows, "row", ", ");
    put_count(out, t->rows->shapes.count, "shape", "; ");
    put_count(out, t->library->files_read, "file", " read\n");
    list_structural(t, out);
    if (t->program) list_states(t, out);
}
