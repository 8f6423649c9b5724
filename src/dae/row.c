/* SPDX-License-Identifier: Apache-2.0 */
/* row.c -- equations under construction, and reading rows back.
 *
 * A loop over n elements is described once: each slot has its first variable and the stride
 * per loop step, so a family of a million rows costs what one row costs. Adding a row is
 * O(slots) when its root is known already. */
#include "dae/dae.h"

#include <assert.h>
#include <string.h>

enum { SCAN = 16 }; /* up to this many slots are compared one by one */

void row_begin(Row *row, System *sys, int dims, const int *extent) {
    assert(dims >= 0 && dims <= ROW_DIMS);
    row->sys = sys;
    row->dims = dims;
    row->slots = 0;
    for (int d = 0; d < dims; d++) row->extent[d] = extent[d];
    if (row->found.count) {
        map_free(&row->found);
        row->found = (Map){0};
    }
}

void row_free(Row *row) {
    mem_free(row->slot);
    map_free(&row->found);
    *row = (Row){0};
}

static bool same(const Row *row, const RowSlot *a, const RowSlot *b) {
    if (a->base != b->base || a->kind != b->kind || a->rank != b->rank) return false;
    for (int d = 0; d < row->dims; d++)
        if (a->stride[d] != b->stride[d]) return false;
    for (int d = 0; d < a->rank; d++)
        if (a->size[d] != b->size[d] || a->step[d] != b->step[d]) return false;
    return true;
}

static uint64_t key(const Row *row, const RowSlot *slot) {
    uint64_t h = hash_mix((uint64_t)slot->kind << 32 | (uint32_t)slot->base);
    for (int d = 0; d < row->dims; d++) h = hash_mix(h ^ (uint32_t)slot->stride[d]);
    return h;
}

static int find(Row *row, const RowSlot *slot) {
    if (row->slots <= SCAN) {
        for (int k = 0; k < row->slots; k++)
            if (same(row, &row->slot[k], slot)) return k;
        return -1;
    }
    if (!row->found.count)
        for (int k = 0; k < row->slots; k++)
            map_put(&row->found, key(row, &row->slot[k]), k);
    int k = (int)map_get(&row->found, key(row, slot), -1);
    return k >= 0 && same(row, &row->slot[k], slot) ? k : -1;
}

static int slot_number(Row *row, const RowSlot *slot) {
    int k = find(row, slot);
    if (k >= 0) return k;
    GROW(row->slot, row->room, row->slots + 1);
    row->slot[row->slots] = *slot;
    if (row->found.count) map_put(&row->found, key(row, slot), row->slots);
    return row->slots++;
}

static RowSlot slot_of(const Row *row, TermOp kind, Type type, int base,
                       const int *stride) {
    RowSlot slot = {.base = base, .kind = (uint8_t)kind, .type = (uint8_t)type};
    for (int d = 0; d < row->dims; d++) slot.stride[d] = stride ? stride[d] : 0;
    return slot;
}

Term row_var(Row *row, int var, const int *stride) {
    System *sys = row->sys;
    Type    type = (Type)sys->run[system_run_of(sys, var)].type;
    RowSlot slot = slot_of(row, TERM_SLOT, type, var, stride);
    return expr_slot(sys->shapes, slot_number(row, &slot), type);
}

Term row_number(Row *row, int base, const int *stride) {
    RowSlot slot = slot_of(row, TERM_NUMBER, TYPE_INTEGER, base, stride);
    return expr_number(row->sys->shapes, slot_number(row, &slot));
}

Term row_array(Row *row, int var, const int *stride, int rank, const int *size,
               const int *step) {
    System *sys = row->sys;
    Type    type =
        var < sys->vars ? (Type)sys->run[system_run_of(sys, var)].type : TYPE_REAL;
    RowSlot slot = slot_of(row, TERM_ARRAY_SLOT, type, var, stride);
    slot.rank = (uint8_t)rank;
    for (int d = 0; d < rank; d++) {
        slot.size[d] = size[d];
        slot.step[d] = step[d];
    }
    return expr_array_slot(sys->shapes, slot_number(row, &slot), type, rank);
}

/* The slot of the derivative of slot k; 0 if it is constant. */
static Term slot_der(Row *row, int k) {
    System      *sys = row->sys;
    RowSlot      slot = row->slot[k];
    const VarRun run = sys->run[system_run_of(sys, slot.base)];
    if (slot.kind == TERM_NUMBER || slot.type != TYPE_REAL) return 0;
    if (run.kind != VAR_CONTINUOUS && run.kind != VAR_DER && run.kind != VAR_INPUT)
        return 0;
    int der = system_der(sys, slot.base);
    if (slot.kind == TERM_SLOT) return row_var(row, der, slot.stride);
    return row_array(row, der, slot.stride, slot.rank, slot.size, slot.step);
}

Term row_der(Row *row, Term e, const char **reason) {
    Shapes *shapes = row->sys->shapes;
    int     slots = row->slots, n = expr_walk(shapes, e);
    Term   *seed = mem_take((size_t)slots, sizeof *seed);
    bool   *used = mem_take((size_t)slots, sizeof *used);
    for (int i = 0; i < n; i++) {
        const Node *node = expr_node(shapes, shapes->walk[i]);
        if (node->op == TERM_SLOT || node->op == TERM_ARRAY_SLOT)
            used[node->index] = true;
    }
    for (int k = 0; k < slots; k++)
        if (used[k]) seed[k] = slot_der(row, k);
    Term d = expr_tangent(shapes, e, seed, slots, true, reason);
    MEM_FREE(seed, used);
    return d ? expr_simplify(shapes, d) : 0;
}

/* Root with der(expression) carried out; what has no derivative stays. */
static Term expand_ders(Row *row, Term root) {
    Shapes *shapes = row->sys->shapes;
    for (int rounds = 0; rounds < 16;
         rounds++) { /* der inside der: the innermost first */
        int  n = expr_walk(shapes, root);
        Term der = 0;
        for (int i = 0; i < n && !der; i++)
            if (expr_op(shapes, shapes->walk[i]) == TERM_DER) der = shapes->walk[i];
        if (!der) return root;
        const char *reason;
        Term        value = row_der(row, expr_arg(shapes, der, 0), &reason);
        if (!value) return root;
        root = expr_replace(shapes, root, &der, &value, 1);
    }
    return root;
}

static Family *new_family(System *sys, RowSet set, int shape, int count, int words) {
    Families *families = &sys->set[set];
    GROW(families->family, families->room, families->count + 1);
    GROW(sys->data, sys->data_room, sys->datas + (uint32_t)words);
    Family *family = &families->family[families->count++];
    *family = (Family){
        .shape = shape, .count = count, .data = sys->datas, .row = families->rows};
    sys->datas += (uint32_t)words;
    families->rows += count;
    return family;
}

int row_end(Row *row, RowSet set, Term root, int flags, int owner, Pos pos) {
    System    *sys = row->sys;
    int        count = 1;
    const int *order;
    for (int d = 0; d < row->dims; d++) count *= row->extent[d];
    if (!count) return -1;
    if (set != ROWS_BINDING) root = expr_inline(sys->shapes, root);
    if (sys->shapes->ders) root = expand_ders(row, root);
    root = expr_continuous(sys->shapes, root);
    int shape = shape_of(sys->shapes, root, &order);
    int slots = sys->shapes->shape[shape].slots,
        words = row->dims + slots * (1 + row->dims);
    for (int k = 0; k < slots; k++) {
        const RowSlot *slot = &row->slot[order ? order[k] : k];
        words += 2 * slot->rank;
    }
    Family  *family = new_family(sys, set, shape, count, words);
    int32_t *data = sys->data + family->data;
    family->dims = (uint8_t)row->dims;
    family->flags = (uint8_t)flags;
    family->owner = owner;
    family->pos = pos;
    for (int d = 0; d < row->dims; d++) *data++ = row->extent[d];
    for (int k = 0; k < slots; k++) {
        const RowSlot *slot = &row->slot[order ? order[k] : k];
        for (int d = 0; d < slot->rank; d++) {
            *data++ = slot->size[d];
            *data++ = slot->step[d];
        }
    }
    for (int k = 0; k < slots; k++) {
        const RowSlot *slot = &row->slot[order ? order[k] : k];
        *data++ = slot->base;
        for (int d = 0; d < row->dims; d++) *data++ = slot->stride[d];
    }
    return sys->set[set].count - 1;
}

/* Words of (size, step) pairs of a shape's array slots. */
static int size_words(const Shapes *shapes, int shape) {
    int words = 0;
    if (!shapes->shape[shape].wide) return 0;
    for (int k = 0; k < shapes->shape[shape].slots; k++)
        if (expr_op(shapes, shape_leaf(shapes, shape, k)) == TERM_ARRAY_SLOT)
            words += 2 * shapes->node[shape_leaf(shapes, shape, k)].rank;
    return words;
}

int system_table(System *sys, RowSet set, int shape, int count, const int *slot,
                 const int *sizes, int flags, int owner, Pos pos) {
    if (!count) return -1;
    int      slots = sys->shapes->shape[shape].slots;
    int      head = size_words(sys->shapes, shape);
    Family  *family = new_family(sys, set, shape, count, head + count * slots);
    int32_t *data = sys->data + family->data;
    family->flags = (uint8_t)(flags | FAMILY_TABLE);
    family->owner = owner;
    family->pos = pos;
    if (head) memcpy(data, sizes, (size_t)head * sizeof *data);
    if (slots) memcpy(data + head, slot, (size_t)count * (size_t)slots * sizeof *data);
    return sys->set[set].count - 1;
}

/* ---- reading --------------------------------------------------------------------------- */

const Family *system_family(const System *sys, RowSet set, int row) {
    const Families *families = &sys->set[set];
    int             low = 0, high = families->count - 1;
    assert(row >= 0 && row < families->rows);
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (families->family[middle].row <= row) low = middle;
        else high = middle - 1;
    }
    return &families->family[low];
}

bool family_range(const System *sys, const Family *family, int k, int *low, int *high) {
    const int32_t *extent = sys->data + family->data, *data = extent;
    if (family->flags & FAMILY_TABLE) return false;
    data +=
        family->dims + size_words(sys->shapes, family->shape) + k * (family->dims + 1);
    *low = *high = *data++;
    for (int d = 0; d < family->dims; d++) {
        int last = data[d] * (extent[d] - 1);
        *(last < 0 ? low : high) += last;
    }
    return true;
}

void family_slots(const System *sys, const Family *family, int index, int *slot) {
    int            slots = sys->shapes->shape[family->shape].slots;
    const int32_t *data = sys->data + family->data, *extent = data;
    data += family->dims + size_words(sys->shapes, family->shape);
    if (family->flags & FAMILY_TABLE) {
        if (slots)
            memcpy(slot, data + (size_t)index * (size_t)slots,
                   (size_t)slots * sizeof *slot);
        return;
    }
    if (family->dims == 1) {
        for (int k = 0; k < slots; k++) slot[k] = data[2 * k] + data[2 * k + 1] * index;
        return;
    }
    int at[ROW_DIMS] = {0};
    for (int d = family->dims - 1; d >= 0; d--) {
        at[d] = index % extent[d];
        index /= extent[d];
    }
    for (int k = 0; k < slots; k++) {
        slot[k] = *data++;
        for (int d = 0; d < family->dims; d++) slot[k] += *data++ * at[d];
    }
}

const int32_t *family_sizes(const System *sys, const Family *family, int slot,
                            int *rank) {
    const Shapes  *shapes = sys->shapes;
    const int32_t *data = sys->data + family->data + family->dims;
    for (int k = 0; k <= slot; k++) {
        const Node *leaf = &shapes->node[shape_leaf(shapes, family->shape, k)];
        int         dims = leaf->op == TERM_ARRAY_SLOT ? leaf->rank : 0;
        if (k == slot) {
            *rank = dims;
            return dims ? data : NULL;
        }
        data += 2 * dims;
    }
    return NULL;
}

static void enter_family(RowWalk *walk) {
    walk->family = walk->sys->set[walk->set].family[walk->next++];
    walk->index = 0;
    const Shape *shape = &walk->sys->shapes->shape[walk->family.shape];
    GROW(walk->slot, walk->slot_room, shape->slots + 1);
    GROW(walk->size, walk->size_room, shape->slots + 1);
    for (int k = 0, rank; shape->wide && k < shape->slots; k++)
        walk->size[k] = family_sizes(walk->sys, &walk->family, k, &rank);
    walk->sizes = shape->wide ? walk->size : NULL;
}

bool row_walk(RowWalk *walk) {
    while (walk->index >= walk->family.count) {
        if (walk->next >= walk->sys->set[walk->set].count) {
            MEM_FREE(walk->slot, walk->size);
            *walk = (RowWalk){.sys = walk->sys, .set = walk->set};
            return false;
        }
        enter_family(walk);
    }
    walk->row = walk->family.row + walk->index;
    family_slots(walk->sys, &walk->family, walk->index++, walk->slot);
    return true;
}
