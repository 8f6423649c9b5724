/* SPDX-License-Identifier: Apache-2.0 */
/* equation.c -- the parts of a program: groups of rows, and what their kernels compute. */
#include "translate/freeze.h"

#include <string.h>

/* ---- expressions ---- */

/* Marks the nodes below a root. */
static void mark_terms(Draft *d, Term root) {
    int n = root ? expr_walk(d->shapes, root) : 0;
    for (int i = 0; i < n; i++) d->term_of[d->shapes->walk[i]] = 1;
}

/* Numbers the marked nodes in the same order and copies them. */
static void copy_terms(Draft *d) {
    const Shapes *shapes = d->shapes;
    uint32_t      nodes = 1, args = 0;
    for (uint32_t k = 1; k < shapes->nodes; k++)
        if (d->term_of[k]) {
            d->term_of[k] = nodes++;
            args += shapes->node[k].n;
        }
    Node *node = NEW(&d->arena, Node, nodes);
    Term *arg = NEW(&d->arena, Term, args + 1);
    args = 0;
    for (uint32_t k = 1; k < shapes->nodes; k++) {
        if (!d->term_of[k]) continue;
        Node *to = &node[d->term_of[k]];
        *to = shapes->node[k];
        for (uint32_t i = 0; i < to->n; i++)
            arg[args + i] = d->term_of[shapes->arg[shapes->node[k].arg + i]];
        to->arg = args;
        args += to->n;
        if (to->op == TERM_STRING) to->integer = freeze_text(d, (Str)to->integer);
    }
    d->program.expressions.node = node;
    d->program.expressions.arg = arg;
    d->program.expressions.nodes = (int)nodes;
    d->program.expressions.args = (int)args;
}

/* Leaves of all shapes that kernels use, and where each shape begins. */
static int *copy_leaves(Draft *d, const bool *used) {
    const Shapes *shapes = d->shapes;
    int          *first = NEW(&d->arena, int, shapes->count + 1), n = 0;
    for (int s = 0; s < shapes->count; s++) {
        first[s] = n;
        if (used[s]) n += shapes->shape[s].slots;
    }
    Term *leaf = NEW(&d->arena, Term, n + 1);
    for (int s = 0; s < shapes->count; s++)
        for (int k = 0; used[s] && k < shapes->shape[s].slots; k++)
            leaf[first[s] + k] = d->term_of[shape_leaf(shapes, s, k)];
    d->program.expressions.leaf = leaf;
    d->program.expressions.leaves = n;
    return first;
}

static void freeze_formulas(Draft *d, const Relations *relations) {
    int    parts = d->from->parts;
    Term **value = NEW(&d->arena, Term *, parts);
    for (int k = 0; k < parts; k++) value[k] = gen_formulas(&d->from->part[k].plan);
    bool *used = NEW(&d->arena, bool, d->shapes->count + 1);
    d->term_of = NEW(&d->arena, Term, d->shapes->nodes + 1);
    for (int k = 0; k < parts; k++) {
        const Plan *plan = &d->from->part[k].plan;
        for (int i = 0; i < relations[k].count; i++)
            if (!i || relations[k].term[i] != relations[k].term[i - 1])
                mark_terms(d, relations[k].term[i]), mark_terms(d, relations[k].guard[i]);
        for (int i = 0; i < plan->kernels; i++) {
            int shape = plan->kernel[i].shape;
            used[shape] = true;
            mark_terms(d, d->shapes->shape[shape].root);
            mark_terms(d, value[k][i]);
            for (int s = 0; s < d->shapes->shape[shape].slots; s++)
                d->term_of[shape_leaf(d->shapes, shape, s)] = 1;
        }
    }
    copy_terms(d);
    int *first = copy_leaves(d, used);
    for (int k = 0; k < parts; k++) {
        const Plan *plan = &d->from->part[k].plan;
        Formula    *formula = NEW(&d->arena, Formula, plan->kernels + 1);
        for (int i = 0; i < plan->kernels; i++) {
            int shape = plan->kernel[i].shape;
            formula[i] = (Formula){.row = d->term_of[d->shapes->shape[shape].root],
                                   .value = d->term_of[value[k][i]],
                                   .slots = d->shapes->shape[shape].slots,
                                   .leaf = first[shape]};
        }
        d->program.part[k].formula = formula;
        d->program.part[k].kernels = plan->kernels;
        mem_free(value[k]);
    }
}

/* ---- items and sizes ---- */

static void freeze_items(Draft *d, const Plan *plan, Part *part) {
    const Structure *st = plan->st;
    size_t           n = plan->items + 1;
    int             *unknown = NEW(&d->arena, int, n), *block = NEW(&d->arena, int, n);
    Pos             *pos = NEW(&d->arena, Pos, n);
    for (uint32_t k = 0; k < plan->items; k++) {
        int eq = plan->item[k];
        unknown[k] = st->var_of[eq];
        block[k] = st->block_of[eq];
        pos[k] = structure_pos(st, st->eq_row[eq]);
    }
    part->items = (int)plan->items;
    part->unknown = unknown;
    part->block = block;
    part->pos = pos;
}

/* Array slots have the same sizes in all rows of a group. */
static void freeze_sizes(Draft *d, const Plan *plan, Part *part) {
    const Structure *st = plan->st;
    int             *at = NEW(&d->arena, int, plan->bodies + 1), *size = NULL;
    int              count = 0, room = 0;
    for (int g = 0; g < plan->groups; g++) {
        const Group *group = &plan->group[g];
        for (int j = 0; j < group->size; j++) {
            const Kernel *kernel = &plan->kernel[plan->body[group->body + j]];
            int           row = st->eq_row[plan->item[group->item + j]], rank;
            at[group->body + j] = count;
            for (int k = 0; d->shapes->shape[kernel->shape].wide &&
                            k < d->shapes->shape[kernel->shape].slots;
                 k++) {
                const Node *leaf =
                    expr_node(d->shapes, shape_leaf(d->shapes, kernel->shape, k));
                if (leaf->op != TERM_ARRAY_SLOT) continue;
                const int32_t *from = structure_sizes(st, row, k, &rank);
                size = arena_grow(&d->arena, size, sizeof(int), &room, count + 2 * rank);
                for (int i = 0; i < 2 * rank; i++) size[count++] = from[i];
            }
        }
    }
    part->size_at = at;
    part->size = size;
    part->sizes = count;
}

/* ---- the parts ---- */

static void freeze_relations(Draft *d, const Relations *found, Part *part) {
    Term *term = NEW(&d->arena, Term, found->count + 1);
    Term *guard = NEW(&d->arena, Term, found->count + 1);
    for (int k = 0; k < found->count; k++) {
        term[k] = d->term_of[found->term[k]];
        guard[k] = d->term_of[found->guard[k]];
    }
    part->relations = found->count;
    part->relation_item =
        arena_copy(&d->arena, found->item, (size_t)found->count * sizeof(int));
    part->relation_term = term;
    part->relation_guard = guard;
}

void freeze_parts(Draft *d) {
    d->program.parts = d->from->parts;
    d->program.part = NEW(&d->arena, Part, d->from->parts);
    Relations *relations = mem_take((size_t)d->from->parts, sizeof *relations);
    for (int k = 0; k < d->from->parts; k++)
        relations_find(&relations[k], &d->from->part[k].plan, false);
    freeze_formulas(d, relations);
    for (int k = 0; k < d->from->parts; k++) {
        const PartBuild *b = &d->from->part[k];
        const Plan      *plan = &b->plan;
        Part            *part = &d->program.part[k];
        part->group = plan->group;
        part->groups = plan->groups;
        part->body = plan->body;
        part->bodies = (int)plan->bodies;
        part->access = plan->access;
        part->accesses = (int)plan->accesses;
        part->table = plan->table;
        part->tables = (int)plan->tables;
        part->text = text_get(&b->text);
        part->text_bytes = (int)b->text.length + 1;
        part->tangent = text_get(&b->tangent);
        part->tangent_bytes = b->tangent.length ? (int)b->tangent.length + 1 : 0;
        part->sense = text_get(&b->sense);
        part->sense_bytes = b->sense.length ? (int)b->sense.length + 1 : 0;
        part->width = b->width;
        part->selective = plan->selective;
        freeze_items(d, plan, part);
        freeze_sizes(d, plan, part);
        freeze_relations(d, &relations[k], part);
        relations_free(&relations[k]);
    }
    mem_free(relations);
}
