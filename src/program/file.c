/* SPDX-License-Identifier: Apache-2.0 */
/* file.c -- a program as one block of bytes.
 *
 * The block begins with a head that says what it is, then the Program struct itself and its parts,
 * whose pointers mean nothing there, then the arrays, each aligned to 8 bytes, in the order of the
 * lists below. Reading copies the struct and finds the arrays again by their counts, so the same lists
 * write, read and check. The head holds the layout of the structs as a number: a program of another
 * build, another machine or another version is refused, never misread. */
#include "program/program.h"
#include "program/rb.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRAM_VERSION = 3, ALIGNED = 8 };

typedef struct Head {
    char     magic[8];
    uint64_t layout; /* of the structs in the block */
    uint64_t bytes;  /* of the whole block */
    uint64_t hash;   /* of all that follows the head */
} Head;

static const char magic[8] = "rubato\n\1";

typedef struct Field { /* an array of a struct */
    size_t pointer;    /* where the struct points to it */
    size_t count;      /* where the struct counts it: an int */
    size_t size;       /* of an item */
    int    more;       /* items beyond the count */
} Field;

#define FIELD(T, array, number, extra)                                                   \
    { offsetof(T, array), offsetof(T, number), sizeof *((T *)0)->array, extra }
#define ARRAY(T, array, number) FIELD(T, array, number, 0)
#define TABLE(T, table)                                                                  \
    FIELD(T, table.start, table.rows, 1), ARRAY(T, table.to, table.entries)

static const Field of_program[] = {
    ARRAY(Program, texts.text, texts.chars),
    ARRAY(Program, texts.literal, texts.literals),
    ARRAY(Program, texts.list, texts.lists),
    ARRAY(Program, expressions.node, expressions.nodes),
    ARRAY(Program, expressions.arg, expressions.args),
    ARRAY(Program, expressions.leaf, expressions.leaves),
    ARRAY(Program, variables.run, variables.runs),
    ARRAY(Program, variables.attribute, variables.attributes),
    ARRAY(Program, variables.value, variables.values),
    ARRAY(Program, names.name, names.names),
    ARRAY(Program, names.size, names.sizes),
    ARRAY(Program, connectors.connector, connectors.count),
    ARRAY(Program, connectors.member, connectors.members),
    ARRAY(Program, connectors.size, connectors.sizes),
    ARRAY(Program, connectors.of_run, connectors.runs),
    ARRAY(Program, reduced.alias, reduced.vars),
    ARRAY(Program, reduced.sign, reduced.vars),
    ARRAY(Program, reduced.role, reduced.vars),
    ARRAY(Program, reduced.set, reduced.vars),
    ARRAY(Program, reduced.start_from, reduced.vars),
    ARRAY(Program, reduced.computed, reduced.runs),
    ARRAY(Program, states.var, states.count),
    ARRAY(Program, states.rate, states.count),
    ARRAY(Program, states.rate_sign, states.count),
    ARRAY(Program, states.written, states.count),
    ARRAY(Program, states.copied, states.count),
    TABLE(Program, states.pattern),
    ARRAY(Program, invariants.part, invariants.rows),
    ARRAY(Program, invariants.state, invariants.states),
    ARRAY(Program, invariants.state_part, invariants.states),
    ARRAY(Program, clocks.base, clocks.bases),
    ARRAY(Program, clocks.sub, clocks.subs),
    ARRAY(Program, clocks.state, clocks.states),
    ARRAY(Program, clocks.input, clocks.inputs),
    ARRAY(Program, clocks.shift, clocks.shifts),
    ARRAY(Program, fast.state, fast.count),
    ARRAY(Program, fast.rate, fast.count),
    ARRAY(Program, fast.sign, fast.count),
    ARRAY(Program, fast.level, fast.count),
    ARRAY(Program, fast.differentiated, fast.runs),
    ARRAY(Program, action_pos, actions),
    ARRAY(Program, function, functions),
    ARRAY(Program, batches.batch, batches.count),
    ARRAY(Program, batches.of_run, batches.runs),
    ARRAY(Program, batches.of_action, batches.actions),
    ARRAY(Program, batches.state, batches.states),
    ARRAY(Program, batches.member, batches.members),
    ARRAY(Program, batches.size, batches.sizes),
    ARRAY(Program, batches.known, batches.knowns),
    ARRAY(Program, batches.differ, batches.differs),
    ARRAY(Program, batches.value, batches.values),
    ARRAY(Program, batches.text, batches.text_bytes),
    ARRAY(Program, batches.network.port, batches.network.ports),
    ARRAY(Program, batches.network.section, batches.network.sections),
    ARRAY(Program, batches.network.group, batches.network.groups),
    ARRAY(Program, batches.network.wire, batches.network.wires),
    ARRAY(Program, batches.network.tie, batches.network.ties),
    ARRAY(Program, batches.network.uniform, batches.network.uniforms),
    ARRAY(Program, batches.network.host, batches.network.hosts),
    ARRAY(Program, sources.source, sources.count),
    ARRAY(Program, sources.line, sources.lines),
};

/* clang-format off */
static const Field of_part[] = {
    ARRAY(Part, group, groups),          ARRAY(Part, formula, kernels),
    ARRAY(Part, body, bodies),           ARRAY(Part, access, accesses),
    ARRAY(Part, table, tables),          ARRAY(Part, unknown, items),
    ARRAY(Part, block, items),           ARRAY(Part, pos, items),
    ARRAY(Part, size_at, bodies),        ARRAY(Part, size, sizes),
    ARRAY(Part, pattern_at, groups),     ARRAY(Part, pattern, patterns),
    ARRAY(Part, relation_item, relations), ARRAY(Part, relation_term, relations),
    ARRAY(Part, relation_guard, relations),
    ARRAY(Part, text, text_bytes),       ARRAY(Part, tangent, tangent_bytes),
    ARRAY(Part, sense, sense_bytes),
};
/* clang-format on */

static const Field of_graph[] = {
    ARRAY(BlockGraph, group, nodes),
    ARRAY(BlockGraph, row, nodes),
    ARRAY(BlockGraph, rank, blocks),
    ARRAY(BlockGraph, giver, vars),
    ARRAY(BlockGraph, discrete, blocks),
    ARRAY(BlockGraph, impure, blocks),
    FIELD(BlockGraph, first, blocks, 1),
    ARRAY(BlockGraph, unknown, unknowns),
    TABLE(BlockGraph, uses),
    TABLE(BlockGraph, states),
    TABLE(BlockGraph, needs),
    TABLE(BlockGraph, readers),
    TABLE(BlockGraph, reads),
    TABLE(BlockGraph, pres),
    TABLE(BlockGraph, relations),
    TABLE(BlockGraph, rates),
    TABLE(BlockGraph, crossing),
    TABLE(BlockGraph, lefts),
    ARRAY(BlockGraph, place, crossing.rows),
    ARRAY(BlockGraph, timed, crossing.rows),
    ARRAY(BlockGraph, local, crossing.rows),
    ARRAY(BlockGraph, target, actions),
    TABLE(BlockGraph, effect),
    TABLE(BlockGraph, crossings_of_state),
    TABLE(BlockGraph, states_of_crossing),
};

/* ---- one walk over all arrays ---- */

typedef bool Visit(void *context, const Field *field, char *owner);

static bool visit_fields(const Field *field, int n, void *owner, Visit *visit,
                         void *context) {
    for (int i = 0; i < n; i++)
        if (!visit(context, &field[i], owner)) return false;
    return true;
}

static bool visit_all(Program *p, Visit *visit, void *context) {
    bool fine = visit_fields(of_program, LENGTH(of_program), p, visit, context);
    for (int k = 0; k < p->parts && fine; k++)
        fine = visit_fields(of_part, LENGTH(of_part), &p->part[k], visit, context);
    return fine && visit_fields(of_graph, LENGTH(of_graph), &p->graph, visit, context);
}

/* Bytes of an array; a count below 0 is that of an array that does not exist. */
static size_t bytes_of(const Field *field, const char *owner) {
    int count;
    memcpy(&count, owner + field->count, sizeof count);
    if (count < 0) return 0;
    size_t bytes = ((size_t)count + (size_t)field->more) * field->size;
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

typedef struct Packing {
    char  *block; /* NULL: only measured */
    size_t at, end;
} Packing;

static bool pack(void *context, const Field *field, char *owner) {
    Packing *to = context;
    size_t   bytes = bytes_of(field, owner);
    int      count;
    memcpy(&count, owner + field->count, sizeof count);
    const void *from;
    memcpy(&from, owner + field->pointer, sizeof from);
    if (to->block && bytes && from)
        memcpy(to->block + to->at, from,
               ((size_t)count + (size_t)field->more) * field->size);
    to->at += bytes;
    return true;
}

/* Points the struct to its array in the block; false if it would end outside. */
static bool place(void *context, const Field *field, char *owner) {
    Packing    *in = context;
    size_t      bytes = bytes_of(field, owner);
    const void *at = bytes && in->block ? in->block + in->at : NULL;
    if (bytes > in->end - in->at) return false;
    memcpy(owner + field->pointer, &at, sizeof at);
    in->at += bytes;
    return true;
}

static uint64_t layout_of(const Field *field, int n, uint64_t key) {
    for (int i = 0; i < n; i++)
        key = hash_mix(key ^
                       (field[i].pointer << 40 ^ field[i].count << 20 ^ field[i].size));
    return key;
}

/* Changes with any struct, list of operators or version; differs between kinds of machines. */
static uint64_t layout(void) {
    const uint16_t order = 1;
    uint64_t       key = rb_layout_key();
    key = layout_of(of_program, LENGTH(of_program), key);
    key = layout_of(of_part, LENGTH(of_part), key);
    key = layout_of(of_graph, LENGTH(of_graph), key);
    key = hash_mix(key ^ (uint64_t)TERM_COUNT << 32 ^ sizeof(Program));
    key = hash_mix(key ^ sizeof(Part));
    return hash_mix(key ^ (uint64_t) * (const uint8_t *)&order << 8 ^ PROGRAM_VERSION);
}

/* ---- packing and back ---- */

static void forget_block(Program *p) {
    p->block = NULL;
    p->bytes = 0;
    p->hash = 0;
}

/* Bytes of the structs that come before the arrays. */
static size_t structs_of(int parts) {
    return sizeof(Program) + (size_t)parts * sizeof(Part);
}

/* A program and its parts, in one piece of memory, out of a draft or out of a block. NULL: no
 * memory. */
static Program *copy_structs(const void *program, const void *part, int parts) {
    Program *p = mem_take(structs_of(parts), 1);
    if (!p) return NULL;
    memcpy(p, program, sizeof *p);
    p->part = (Part *)(p + 1);
    memcpy(p->part, part, (size_t)parts * sizeof *p->part);
    return p;
}

/* NULL: the counts do not fit the block, or there is no memory. */
static Program *open_block(void *block, size_t bytes, uint64_t hash) {
    const char *from = (char *)block + sizeof(Head);
    Program     head;
    memcpy(&head, from, sizeof head);
    if (head.parts < PARTS || (size_t)head.parts > bytes / sizeof(Part) ||
        sizeof(Head) + structs_of(head.parts) > bytes)
        return NULL;
    Program *p = copy_structs(from, from + sizeof head, head.parts);
    if (!p) return NULL;
    Packing in = {
        .block = block, .at = sizeof(Head) + structs_of(head.parts), .end = bytes};
    if (!visit_all(p, place, &in) || in.at != bytes) {
        mem_free(p);
        return NULL;
    }
    p->block = block;
    p->bytes = bytes;
    p->hash = hash;
    return p;
}

Program *program_pack(const Program *draft) {
    Program *copy = copy_structs(draft, draft->part, draft->parts);
    if (!copy) return NULL;
    size_t  structs = structs_of(draft->parts);
    Packing to = {.at = sizeof(Head) + structs};
    visit_all(copy, pack, &to);
    size_t bytes = to.at;
    char  *block = mem_take(bytes, 1);
    if (!block) {
        mem_free(copy);
        return NULL;
    }
    to = (Packing){.block = block, .at = sizeof(Head) + structs};
    visit_all(copy, pack, &to);
    forget_block(copy);
    Packing none = {.end = SIZE_MAX}; /* equal programs have equal bytes: no addresses */
    visit_all(copy, place, &none);
    copy->part = NULL;
    memcpy(block + sizeof(Head), copy, structs);
    mem_free(copy);
    Head head = {.layout = layout(), .bytes = bytes};
    memcpy(head.magic, magic, sizeof magic);
    head.hash = hash_bytes(block + sizeof head, bytes - sizeof head);
    memcpy(block, &head, sizeof head);
    Program *p = open_block(block, bytes, head.hash);
    if (!p) mem_free(block);
    return p;
}

Program *program_adopt(void *block, size_t bytes, const char **why) {
    Head head;
    *why = "it is no program of rubato";
    if (bytes < sizeof head + sizeof(Program)) return NULL;
    memcpy(&head, block, sizeof head);
    if (memcmp(head.magic, magic, sizeof magic) != 0) return NULL;
    *why = "it was made by another version of rubato or on another kind of machine";
    if (head.layout != layout()) return NULL;
    *why = "it is damaged";
    if (head.bytes != bytes ||
        head.hash != hash_bytes((char *)block + sizeof head, bytes - sizeof head))
        return NULL;
    return open_block(block, bytes, head.hash);
}

void program_free(Program *p) {
    if (!p) return;
    mem_free(p->block);
    mem_free(p);
}
