/* SPDX-License-Identifier: Apache-2.0 */
/* resolve.c -- what a name in a text means, for editors and the linter.
 *
 * The lookup is that of translation (lookup.c, class.c, instance.c), so that an editor shows what
 * the compiler does: redeclarations and modifiers are followed, files are read when a name leads
 * there, and components are made one by one along the name that is asked for. Messages of these
 * lookups go to a list that is thrown away. */
#include "inst/resolve.h"
#include "inst/unit.h"

#include <string.h>

typedef struct Quiet { /* no messages while something is tried */
    Diag  own;
    Diag *kept;
    Diag  session;
} Quiet;

static void quiet_begin(Quiet *q, Front *front) {
    q->kept = front->diag;
    diag_init(&q->own, front->diag->sources);
    q->session = front->session->diag;
    diag_init(&front->session->diag, &front->session->sources);
    front->diag = &q->own;
    front->peek++;
}

static void quiet_end(Quiet *q, Front *front) {
    front->peek--;
    front->diag = q->kept;
    diag_free(&q->own);
    diag_free(&front->session->diag);
    front->session->diag = q->session;
}

/* ---- scopes ---- */

Inst *resolve_instance(Front *front, Cls *cls) {
    int64_t known = map_get(&front->instance_of.scope, (uintptr_t)cls, 0);
    if (known) return (Inst *)(intptr_t)known;
    Quiet q;
    quiet_begin(&q, front);
    Inst *inst = NULL;
    if (cls->def && cls_bases(front, cls) && cls->basic >= BASIC_RECORD) {
        inst = cls->is_package                 ? inst_package(front, cls)
               : cls->basic == BASIC_COMPONENT ? inst_root(front, cls)
                                               : inst_prototype(front, cls);
        if (!cls->is_package && !front->model && cls->basic == BASIC_COMPONENT)
            front->model = inst;
        map_put(&front->instance_of.scope, (uintptr_t)cls, (int64_t)(intptr_t)inst);
    }
    quiet_end(&q, front);
    return inst;
}

static Cls *inner_class_of(Front *front, Cls *cls, Str name) {
    Elem *elem = cls ? cls_find(front, cls, name) : NULL;
    return elem && elem->is_class ? elem_class(front, elem, NULL) : NULL;
}

static Cls *class_of_scope(Front *front, const StoredFile *file, const ClassScope *in) {
    Cls *cls = front->root;
    if (in && in->outer) cls = class_of_scope(front, file, in->outer);
    else
        for (int k = 0; file->within && k < file->within->count; k++)
            cls = inner_class_of(front, cls, file->within->part[k].name);
    return in ? inner_class_of(front, cls, in->class_->name) : cls;
}

Scope resolve_scope(Front *front, const StoredFile *file, const ClassScope *in) {
    Quiet q;
    quiet_begin(&q, front);
    Cls *cls = class_of_scope(front, file, in);
    quiet_end(&q, front);
    if (!cls) return (Scope){front->root, NULL};
    Inst *inst = cls->is_package ? NULL : resolve_instance(front, cls);
    return (Scope){cls, inst};
}

/* ---- meanings ---- */

static const Meaning nothing = {0};

static Pos literal_pos(const Cls *cls, int k) {
    while (cls->def && cls->def->form == FORM_SHORT && cls->bases) cls = cls->base[0];
    return cls->def && cls->def->form == FORM_ENUMERATION && (uint32_t)k < cls->def->count
               ? cls->def->literal[k].pos
               : 0;
}

Meaning resolve_class(Front *front, Cls *cls) {
    (void)front;
    if (!cls) return nothing;
    return (Meaning){.kind = MEANS_CLASS,
                     .name = cls->name,
                     .pos = cls->def ? cls->def->pos : 0,
                     .elem = cls->elem,
                     .cls = cls};
}

static Meaning of_class_elem(Front *front, Elem *elem, Inst *inst) {
    Meaning m = resolve_class(front, elem_class(front, elem, inst));
    if (!m.kind) return m;
    m.name = elem->name;
    m.elem = elem;
    m.pos = elem->pos;
    return m;
}

/* The class of a component that could not be made. */
static Cls *declared_class(Front *front, const Elem *elem) {
    if (!elem->group || !elem->group->type) return NULL;
    return lookup_class(front, (Scope){elem->owner, elem->inst}, elem->group->type, true);
}

static Meaning of_component(Front *front, Elem *elem, Inst *inst) {
    Meaning m = {.kind = MEANS_COMPONENT,
                 .name = elem->name,
                 .pos = elem->pos,
                 .elem = elem,
                 .inst = inst};
    if (inst && inst->elem) m.pos = inst->elem->pos;
    if (inst && inst->link) inst = inst_real(inst);
    m.cls = inst && inst->cls && inst->cls != front->real ? inst->cls
                                                          : declared_class(front, elem);
    if (!m.cls && inst) m.cls = inst->cls;
    return m;
}

static Meaning of_iterator(const Iterator *it) {
    return (Meaning){.kind = MEANS_ITERATOR, .name = it->name, .pos = it->pos};
}

static Meaning first(Front *front, Scope scope, const IteratorScope *iterators,
                     Str name) {
    for (; iterators; iterators = iterators->outer)
        if (iterators->iterator->name == name) return of_iterator(iterators->iterator);
    Found found = lookup_simple(front, scope, name);
    if (found.elem && found.elem->is_class)
        return of_class_elem(front, found.elem, found.inst);
    if (found.elem) {
        Inst *owner = found.inst ? found.inst : inst_package(front, found.cls);
        return of_component(front, found.elem,
                            inst_child(front, owner, found.elem->name));
    }
    const Builtin *function = builtin_find(front, name);
    if (function)
        return (Meaning){.kind = MEANS_BUILTIN, .name = name, .function = function};
    if (name == WORD(front, time)) return (Meaning){.kind = MEANS_TIME, .name = name};
    return nothing;
}

Meaning resolve_first(Front *front, Scope scope, const IteratorScope *iterators,
                      Str name) {
    Quiet q;
    quiet_begin(&q, front);
    Meaning m = first(front, scope, iterators, name);
    quiet_end(&q, front);
    return m;
}

Pos meaning_origin(Front *front, const Meaning *m) {
    Elem *elem = m->elem;
    if (m->kind == MEANS_COMPONENT && m->inst && m->inst->elem) elem = m->inst->elem;
    if (!elem || m->kind == MEANS_LITERAL) return m->pos;
    Quiet q;
    quiet_begin(&q, front);
    Pos pos = elem_origin(front, elem)->pos;
    quiet_end(&q, front);
    return pos;
}

/* ---- after a dot ---- */

static Meaning next_in_class(Front *front, const Meaning *of, Str name) {
    Cls *cls = of->cls;
    if (!cls) return nothing;
    cls_bases(front, cls);
    for (int k = 0; cls->basic == BASIC_ENUM && k < cls->literals; k++)
        if (cls->literal[k] == name)
            return (Meaning){.kind = MEANS_LITERAL,
                             .name = name,
                             .pos = literal_pos(cls, k),
                             .cls = cls,
                             .number = k};
    Elem *elem = cls_find(front, cls, name);
    if (!elem) return nothing;
    if (elem->is_class) return of_class_elem(front, elem, NULL);
    Inst *owner = resolve_instance(front, cls);
    return of_component(front, elem, owner ? inst_child(front, owner, name) : NULL);
}

static Meaning next_in_component(Front *front, const Meaning *of, Str name) {
    Inst *inst = of->inst ? inst_real(of->inst) : NULL;
    if (inst && inst->nchild) {
        Inst *child = inst_child(front, inst, name);
        if (child && child->elem) return of_component(front, child->elem, child);
    }
    return next_in_class(front, of, name);
}

Meaning resolve_next(Front *front, const Meaning *of, Str name) {
    Quiet q;
    quiet_begin(&q, front);
    Meaning m = of->kind == MEANS_COMPONENT ? next_in_component(front, of, name)
                : of->kind == MEANS_CLASS   ? next_in_class(front, of, name)
                                            : nothing;
    quiet_end(&q, front);
    return m;
}

/* ---- names in texts ---- */

static Meaning of_path(Front *front, Scope scope, const IteratorScope *iterators,
                       const Name *path, int part) {
    Meaning m;
    if (path->global) {
        Meaning root = {.kind = MEANS_CLASS, .cls = front->root};
        m = resolve_next(front, &root, path->part[0].name);
    } else m = resolve_first(front, scope, iterators, path->part[0].name);
    for (int k = 1; k <= part && k < path->count && m.kind; k++)
        m = resolve_next(front, &m, path->part[k].name);
    return m;
}

Cls *resolve_modified(Front *front, Scope scope, const ModScope *modifies) {
    if (!modifies->outer) {
        if (!modifies->of) return NULL;
        Meaning m = of_path(front, scope, NULL, modifies->of, modifies->of->count - 1);
        return m.kind == MEANS_CLASS ? m.cls : NULL;
    }
    Cls *outer = resolve_modified(front, scope, modifies->outer);
    if (!outer) return NULL;
    Meaning of = {.kind = MEANS_CLASS, .cls = outer};
    Meaning m = resolve_next(front, &of, modifies->mod->name);
    return m.cls;
}

static bool is_attribute(const Front *front, Str name) {
    for (int k = W_start; k <= W_unbounded; k++)
        if (front->word[k] == name) return true;
    return false;
}

static Meaning of_modifier(Front *front, Scope scope, const NameUse *use) {
    Cls *cls = resolve_modified(front, scope, use->modifies);
    if (!cls) return nothing;
    if (cls->basic && cls->basic < BASIC_RECORD && is_attribute(front, use->name))
        return (Meaning){.kind = MEANS_ATTRIBUTE, .name = use->name, .cls = cls};
    Meaning of = {.kind = MEANS_CLASS, .cls = cls};
    return resolve_next(front, &of, use->name);
}

static Meaning of_import(Front *front, const NameUse *use) {
    Scope       scope = {front->root, NULL};
    const Name *path = use->path;
    Meaning     m = of_path(front, scope, NULL, path,
                        use->part < path->count ? use->part : path->count - 1);
    return use->part < path->count || !m.kind ? m : resolve_next(front, &m, use->name);
}

static Meaning of_argument(Front *front, Scope scope, const NameUse *use) {
    const Name *path = use->call->function;
    Meaning     m = of_path(front, scope, use->iterators, path, path->count - 1);
    return m.kind == MEANS_CLASS ? resolve_next(front, &m, use->name) : nothing;
}

static Meaning of_declaration(Front *front, Scope scope, const NameUse *use) {
    Meaning here = {.kind = MEANS_CLASS, .cls = scope.cls};
    Meaning m = resolve_next(front, &here, use->name);
    return m.pos == use->pos ? m : nothing; /* declared twice, or redeclared */
}

Meaning resolve_use(Front *front, const StoredFile *file, const NameUse *use) {
    Scope scope = resolve_scope(front, file, use->in);
    switch (use->role) {
    case USE_VALUE:
    case USE_FUNCTION:
    case USE_TYPE: return of_path(front, scope, use->iterators, use->path, use->part);
    case USE_IMPORT:
    case USE_WITHIN: return of_import(front, use);
    case USE_ARGUMENT:
        return use->call->function ? of_argument(front, scope, use) : nothing;
    case USE_MODIFIER: return of_modifier(front, scope, use);
    case DECLARES_CLASS:
    case ENDS_CLASS:
        if (!use->in) scope = resolve_scope(front, file, NULL);
        return resolve_next(front, &(Meaning){.kind = MEANS_CLASS, .cls = scope.cls},
                            use->name);
    case DECLARES_COMPONENT: return of_declaration(front, scope, use);
    case DECLARES_ITERATOR:
        return (Meaning){.kind = MEANS_ITERATOR, .name = use->name, .pos = use->pos};
    case DECLARES_LITERAL: {
        Meaning around = {.kind = MEANS_CLASS, .cls = scope.cls};
        Meaning type = resolve_next(front, &around, use->class_->name);
        return type.kind == MEANS_CLASS ? resolve_next(front, &type, use->name) : nothing;
    }
    case DECLARES_IMPORT:
        return of_path(front, (Scope){front->root, NULL}, NULL, use->path,
                       use->path->count - 1);
    default: return nothing;
    }
}

/* ---- what can be written ---- */

typedef struct Offers {
    Front         *front;
    ResolveVisit  *visit;
    void          *context;
    Map            seen; /* Str */
    const Meaning *of;
} Offers;

static void offer(Offers *o, const Meaning *m) {
    if (!m->kind || !m->name || map_has(&o->seen, m->name)) return;
    map_put(&o->seen, m->name, 1);
    o->visit(o->context, m);
}

/* A class in a file of its own is offered without reading the file. */
static void offer_file(void *context, Str name) {
    Offers *o = context;
    offer(o, &(Meaning){.kind = MEANS_CLASS, .name = name});
}

static void offer_members(Offers *o, Cls *cls, int depth) {
    Front *front = o->front;
    if (depth > FRONT_DEPTH) return;
    cls_own(front, cls);
    for (int k = 0; k < cls->owns; k++) {
        Elem   *elem = elem_final(cls->own_list[k]);
        Meaning m = {.kind = elem->is_class ? MEANS_CLASS : MEANS_COMPONENT,
                     .name = elem->name,
                     .pos = elem->pos,
                     .elem = elem};
        offer(o, &m);
    }
    for (int k = 0; k < cls->literals; k++)
        offer(o, &(Meaning){.kind = MEANS_LITERAL,
                            .name = cls->literal[k],
                            .pos = literal_pos(cls, k),
                            .cls = cls,
                            .number = k});
    if (cls->package && cls->package->folder)
        library_each_member(front->library, cls->package, offer_file, o);
    if (cls->def) cls_bases(front, cls);
    for (int k = 0; k < cls->bases; k++) offer_members(o, cls->base[k], depth + 1);
}

void resolve_members(Front *front, const Meaning *of, ResolveVisit *visit,
                     void *context) {
    Offers o = {.front = front, .visit = visit, .context = context, .of = of};
    Cls   *cls = of->inst ? inst_real(of->inst)->cls : of->cls;
    Quiet  q;
    if (!cls) return;
    quiet_begin(&q, front);
    cls_bases(front, cls);
    offer_members(&o, cls, 0);
    quiet_end(&q, front);
    map_free(&o.seen);
}

static void offer_imports(Offers *o, Cls *cls) {
    for (int k = 0; k < cls->imports; k++) {
        const Import *import = cls->import[k].import;
        Str           name = import->kind == IMPORT_RENAMED ? import->alias
                             : import->kind == IMPORT_NAME
                                 ? import->path->part[import->path->count - 1].name
                                 : 0;
        offer(o, &(Meaning){.kind = MEANS_CLASS, .name = name});
        for (uint32_t i = 0; import->kind == IMPORT_LIST && i < import->count; i++)
            offer(o, &(Meaning){.kind = MEANS_CLASS, .name = import->list[i].name});
        if (import->kind != IMPORT_ALL) continue;
        Meaning m = of_path(o->front, (Scope){o->front->root, NULL}, NULL, import->path,
                            import->path->count - 1);
        if (m.kind == MEANS_CLASS) offer_members(o, m.cls, 0);
    }
}

void resolve_visible(Front *front, Scope scope, ResolveVisit *visit, void *context) {
    Offers o = {.front = front, .visit = visit, .context = context};
    Quiet  q;
    quiet_begin(&q, front);
    for (Cls *cls = scope.cls; cls && cls != front->root; cls = cls->scope) {
        offer_members(&o, cls, 0);
        offer_imports(&o, cls);
        if (cls->def && cls->def->encapsulated) break;
    }
    quiet_end(&q, front);
    for (int k = 0; k < BUILTIN_COUNT; k++) {
        const Builtin *b = builtin_at(k);
        if (b->name[0] == '(') continue;
        offer(&o, &(Meaning){.kind = MEANS_BUILTIN,
                             .name = str_of(front->strings, b->name),
                             .function = b});
    }
    map_free(&o.seen);
}

/* ---- texts ---- */

const char *class_word(const Class *def) {
    static const char *const word[] = {"class",   "model",     "record",
                                       "block",   "connector", "type",
                                       "package", "function",  "operator"};
    return def ? word[def->kind] : "type";
}

void meaning_name(Text *out, Front *front, const Meaning *m) {
    if (m->cls && (m->kind == MEANS_CLASS || m->kind == MEANS_LITERAL))
        cls_name(out, front, m->cls);
    if (m->kind == MEANS_LITERAL) text_printf(out, ".%s", text_of(front, m->name));
}

void meaning_type(Text *out, Front *front, const Meaning *m) {
    static const char *const vary[] = {"constant ", "parameter ", "discrete ", ""};
    static const char *const way[] = {"", "input ", "output "};
    static const char *const conn[] = {"", "flow ", "stream "};
    if (m->kind != MEANS_COMPONENT || !m->elem || !m->elem->group) return;
    const Components *group = m->elem->group;
    const Inst       *inst = m->inst;
    bool shown = inst && inst->state == INST_DONE && inst->basic < BASIC_RECORD;
    int  v = shown ? inst->vary
                   : (int[]){VARY_CONTINUOUS, VARY_DISCRETE, VARY_PARAMETER,
                             VARY_CONSTANT}[group->varies];
    if (shown && inst->basic != BASIC_REAL && v == VARY_DISCRETE && !group->varies)
        v = VARY_CONTINUOUS; /* said by the type already */
    text_printf(out, "%s%s%s", conn[group->flow], vary[v], way[group->causality]);
    Meaning type = {.kind = MEANS_CLASS, .cls = m->cls};
    if (m->cls) meaning_name(out, front, &type);
    else
        for (int k = 0; k < group->type->count; k++)
            text_printf(out, "%s%s", k ? "." : "",
                        text_of(front, group->type->part[k].name));
    if (!inst || !inst->ndim) return;
    for (int k = 0; k < inst->ndim; k++) {
        text_add(out, k ? ", " : "[");
        if (inst->dim && inst->dim[k] >= 0) text_printf(out, "%d", inst->dim[k]);
        else text_char(out, ':');
    }
    text_char(out, ']');
}

bool meaning_attribute(Text *out, Front *front, const Meaning *m, Str name) {
    Quiet  q;
    size_t before = out->length;
    if (m->kind != MEANS_COMPONENT || !m->inst || m->inst->basic >= BASIC_RECORD)
        return false;
    quiet_begin(&q, front);
    Inst  *inst = inst_real(m->inst);
    Tx    *tx = inst->state == INST_DONE ? inst_attribute(front, inst, name, NULL) : NULL;
    Value *value = tx && !ty_bad(tx->type) ? eval_now(front, tx) : NULL;
    if (value && value->basic == BASIC_STRING && value->count)
        text_add(out, value->string[0]);
    else if (value) value_print(out, front, value);
    else if (tx && !ty_bad(tx->type)) tx_print(out, front, tx);
    quiet_end(&q, front);
    return out->length > before;
}

bool meaning_value(Text *out, Front *front, const Meaning *m) {
    Quiet  q;
    size_t before = out->length;
    if (m->kind != MEANS_COMPONENT) return false;
    quiet_begin(&q, front);
    Inst *inst = m->inst ? inst_real(m->inst) : NULL;
    if (inst && inst->state == INST_DONE && inst->basic < BASIC_RECORD) {
        Tx    *tx = inst_bind(front, inst);
        Value *value = tx && !ty_bad(tx->type) && inst->vary <= VARY_PARAMETER
                           ? eval_now(front, tx)
                           : NULL;
        if (value && value->count <= 20) value_print(out, front, value);
        else if (tx && !ty_bad(tx->type)) tx_print(out, front, tx);
    }
    if (out->length == before && m->elem && m->elem->comp &&
        m->elem->comp->value.kind > EXPR_BAD)
        format_expr(out, front->session, m->elem->comp->value);
    quiet_end(&q, front);
    return out->length > before;
}

const Comment *meaning_comment(const Meaning *m) {
    if (m->kind == MEANS_COMPONENT && m->elem && m->elem->comp)
        return m->elem->comp->comment;
    if (m->kind == MEANS_CLASS && m->cls && m->cls->def) return m->cls->def->comment;
    if (m->kind == MEANS_CLASS && m->elem && m->elem->def) return m->elem->def->comment;
    if (m->kind == MEANS_LITERAL && m->cls && m->cls->def &&
        m->cls->def->form == FORM_ENUMERATION)
        return m->cls->def->literal[m->number].comment;
    return NULL;
}

bool unit_convert(const char *from, const char *to, double *factor) {
    Unit        a, b;
    int         at;
    const char *why;
    if (!unit_parse(from, &a, &at, &why) || !unit_parse(to, &b, &at, &why)) return false;
    if (!unit_same_dimension(&a, &b) || a.offset || b.offset) return false;
    if (!(a.factor > 0) || !(b.factor > 0)) return false;
    *factor = a.factor / b.factor;
    return true;
}
