/* SPDX-License-Identifier: Apache-2.0 */
/* connector.c -- which variables others may connect: the connectors at the top level of the model with all
 * that is in them. Their names are kept apart from those of the variables, so that nobody has to read
 * structure out of a name.
 *
 * Cost: linear in the instances inside of these connectors. */
#include "flat/lower.h"

typedef struct Gather {
    Lower           *l;
    Connector       *connector;
    ConnectorMember *member;
    int             *size;
    int              connectors, members, sizes; /* and how many there is room for: */
    int              connector_room, member_room, size_room;
} Gather;

static void *room(Gather *g, void *list, size_t bytes, int *have, int need) {
    return arena_grow(&g->l->sys->arena, list, bytes, have, need);
}

/* Where they begin in the list. */
static int add_sizes(Gather *g, const int *size, int dims) {
    const int at = g->sizes;
    g->size = room(g, g->size, sizeof *g->size, &g->size_room, at + dims);
    for (int k = 0; k < dims; k++) g->size[g->sizes++] = size[k] > 0 ? size[k] : 1;
    return at;
}

static Str comment_of(const Gather *g, const Inst *inst) {
    Text text = {0};
    Str  found = 0;
    if (inst->elem && inst->elem->comp && inst->elem->comp->comment)
        comment_decode(&text, g->l->front->session, inst->elem->comp->comment);
    if (text.length) found = str_of(g->l->front->strings, text_get(&text));
    text_free(&text);
    return found;
}

/* The path to a member: a pattern, and the sizes of its subscripts. */
typedef struct MemberPath {
    Text text;
    int  size[NAME_DIMS];
    int  dims;
} MemberPath;

static void path_add(const Gather *g, const MemberPath *around, const Inst *inst,
                     MemberPath *out) {
    *out = (MemberPath){.dims = around->dims};
    for (int d = 0; d < around->dims; d++) out->size[d] = around->size[d];
    if (around->text.length) text_printf(&out->text, "%s.", text_get(&around->text));
    text_add(&out->text, str_text(g->l->front->strings, inst->name));
    for (int d = 0; d < inst->ndim && out->dims < NAME_DIMS; d++) {
        text_add(&out->text, d ? "," : "[");
        text_char(&out->text, NAME_SUBSCRIPT);
        out->size[out->dims++] = inst->dim[d] > 0 ? inst->dim[d] : 1;
    }
    if (inst->ndim) text_char(&out->text, ']');
}

/* Are the connectors around an instance elements of arrays? */
static bool in_array(const Inst *inst) {
    for (; inst && inst->parent; inst = inst->parent)
        if (inst->ndim && inst->connector) return true;
    return false;
}

/* A variable of a connector, if it is one of the model. */
static void add_member(Gather *g, const Inst *inst, const MemberPath *path) {
    System   *sys = g->l->sys;
    const int run = inst->first >= 0 && inst->first < sys->vars
                        ? system_run_of(sys, inst->first)
                        : -1;
    if (run < 0 || sys->run[run].owner != inst->id) return;
    g->member = room(g, g->member, sizeof *g->member, &g->member_room, g->members + 1);
    g->member[g->members++] = (ConnectorMember){
        .run = run,
        .name = (int)str_of(g->l->front->strings, text_get(&path->text)),
        .dims = path->dims,
        .size = add_sizes(g, path->size, path->dims),
        .several = in_array(inst->connector ? inst->parent : inst)};
}

static void gather_members(Gather *g, const Inst *inst, const MemberPath *around) {
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *c = inst->child[k];
        MemberPath  path;
        if (!c || c->absent || c->link || c->connector) continue;
        path_add(g, around, c, &path);
        if (c->basic == BASIC_RECORD) gather_members(g, c, &path);
        else add_member(g, c, &path);
        text_free(&path.text);
    }
}

static void gather(Gather *g, const Inst *inst, int parent) {
    static const MemberPath none = {0};
    Strings                *strings = g->l->front->strings;
    const int               at = g->connectors++;
    g->connector =
        room(g, g->connector, sizeof *g->connector, &g->connector_room, at + 1);
    g->connector[at] =
        (Connector){.name = (int)inst->name,
                    .type = (int)str_of(strings, cls_text(g->l->front, inst->cls)),
                    .comment = (int)comment_of(g, inst),
                    .parent = parent,
                    .dims = inst->ndim,
                    .size = add_sizes(g, inst->dim, inst->ndim),
                    .member = g->members,
                    .open = inst->expandable};
    if (inst->basic == BASIC_COMPONENT || inst->basic == BASIC_RECORD)
        gather_members(g, inst, &none);
    else add_member(g, inst, &none);
    g->connector[at].members = g->members - g->connector[at].member;
    for (int k = 0; k < inst->nchild; k++) {
        const Inst *c = inst->child[k];
        if (c && c->connector && !c->absent && !c->link) gather(g, c, at);
    }
}

void lower_connectors(Lower *l) {
    const Inst *root = l->model->root;
    Gather      g = {.l = l};
    for (int k = 0; k < root->nchild; k++) {
        const Inst *c = root->child[k];
        if (c && c->connector && !c->absent && !c->link && !c->prefix.protected_)
            gather(&g, c, -1);
    }
    l->sys->connectors = (Connectors){.count = g.connectors,
                                      .members = g.members,
                                      .sizes = g.sizes,
                                      .connector = g.connector,
                                      .member = g.member,
                                      .size = g.size};
}
