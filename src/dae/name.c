/* SPDX-License-Identifier: Apache-2.0 */
/* name.c -- names of variables and rows as Modelica text: made on demand, for people only. */
#include "dae/dae.h"

static void base_name(const void *owner, const VarRun *run, int element, Text *out) {
    const System *sys = owner;
    Text          pattern = {0};
    int           size[NAME_DIMS];
    if (sys->name_pattern && run->owner >= 0) {
        int dims = sys->name_pattern(sys->names, run->owner, &pattern, size);
        name_write(text_get(&pattern), size, dims, element, out);
    } else {
        text_printf(out, "v%d", run->first + element);
    }
    text_free(&pattern);
}

void system_name(const System *sys, int var, Text *out) {
    Variables all = system_variables(sys);
    variables_name(&all, var, base_name, sys, out);
}

Pos system_component(const System *sys, int var, Text *out) {
    const VarRun *run = &sys->run[system_run_of(sys, var)];
    for (; run->of >= 0; run = &sys->run[system_run_of(sys, var)])
        var = sys->run[run->of].first + (var - run->first);
    if (!sys->name_component || run->owner < 0) return 0;
    return sys->name_component(sys->names, run->owner, var - run->first, out);
}

typedef struct RowNames {
    const System *sys;
    const Family *family;
    const int    *slot;
} RowNames;

static void name_slot(const void *context, int slot, Text *out) {
    const RowNames *names = context;
    const Shapes   *shapes = names->sys->shapes;
    int             rank, var = names->slot[slot];
    if (expr_op(shapes, shape_leaf(shapes, names->family->shape, slot)) == TERM_NUMBER) {
        text_printf(out, "%d", var);
        return;
    }
    const int32_t *sizes = family_sizes(names->sys, names->family, slot, &rank);
    int            last = var, count = 1;
    for (int d = 0; d < rank; d++) {
        last += (sizes[2 * d] - 1) * sizes[2 * d + 1];
        count *= sizes[2 * d];
    }
    if (!rank) {
        system_name(names->sys, var, out);
    } else if (!count) {
        text_add(out, "{}");
    } else { /* an array of variables by its first and last element */
        text_char(out, '{');
        system_name(names->sys, var, out);
        if (count > 1) {
            text_add(out, " ... ");
            system_name(names->sys, last, out);
        }
        text_char(out, '}');
    }
}

void row_print(const System *sys, RowSet set, int row, Text *out) {
    const Family *family = system_family(sys, set, row);
    const Shape  *shape = &sys->shapes->shape[family->shape];
    int          *slot = mem_take((size_t)shape->slots, sizeof *slot);
    if (!slot) return;
    family_slots(sys, family, row - family->row, slot);
    RowNames names = {sys, family, slot};
    expr_print(sys->shapes, shape->root, name_slot, &names, out);
    mem_free(slot);
}

void row_print_term(const System *sys, const RowWalk *walk, Term term, Text *out) {
    RowNames names = {sys, &walk->family, walk->slot};
    expr_print(sys->shapes, term, name_slot, &names, out);
}

void system_dump(const System *sys, Text *out, int most) {
    static const char *const title[ROWS_SETS] = {"equation", "initial equation", "action",
                                                 "parameter"};
    text_printf(out, "// %d variables in %d runs, %d shapes\n", sys->vars, sys->runs,
                sys->shapes->count);
    for (int s = 0; s < ROWS_SETS; s++) {
        const Families *families = &sys->set[s];
        if (!families->rows) continue;
        text_printf(out, "%s // %d rows in %d families\n", title[s], families->rows,
                    families->count);
        for (int row = 0; row < families->rows && row < most; row++) {
            text_add(out, "  ");
            row_print(sys, (RowSet)s, row, out);
            text_add(out, ";\n");
        }
    }
}
