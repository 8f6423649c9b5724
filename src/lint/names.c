/* SPDX-License-Identifier: Apache-2.0 */
/* names.c -- names that nothing uses, and names that hide others.
 *
 * A use is any appearance in the text of the class, nested classes and annotations included. Public
 * variables are results, whoever uses them; a class that is partial, or has a replaceable part,
 * leaves uses to others. Cost: the text of a class once for each class around it. */
#include "lint/linter.h"

typedef struct Declared {
    const Component *component;
    const Element   *element;
    NameUse          use;
    bool             protected_;
    bool             read; /* besides being given a value */
} Declared;

typedef struct Names {
    const Linter     *l;
    const ClassScope *in;
    Arena             arena;
    Declared         *item;
    int               count, room;
    Map               of; /* Str -> number */
} Names;

static void declare(Names *n, const Section *section, const Element *element) {
    const Components *group = element->components;
    for (uint32_t c = 0; c < group->count; c++) {
        n->item =
            arena_grow(&n->arena, n->item, sizeof(Declared), &n->room, n->count + 1);
        n->item[n->count] = (Declared){.component = &group->item[c],
                                       .element = element,
                                       .use = {.role = DECLARES_COMPONENT,
                                               .name = group->item[c].name,
                                               .pos = group->item[c].pos,
                                               .in = n->in,
                                               .element = element,
                                               .component = &group->item[c]},
                                       .protected_ = section->kind == SECTION_PROTECTED};
        map_put(&n->of, group->item[c].name, n->count++);
    }
}

static void declare_all(Names *n, const Class *class_) {
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t k = 0; section->kind <= SECTION_PROTECTED && k < section->count;
             k++)
            if (section->element[k]->kind == ELEMENT_COMPONENTS)
                declare(n, section, section->element[k]);
    }
}

/* Only constants of classes around can be seen, so only they can be hidden. */
static bool has_constant(const Class *class_, Str name) {
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t k = 0; section->kind <= SECTION_PROTECTED && k < section->count;
             k++) {
            const Element *e = section->element[k];
            if (e->kind != ELEMENT_COMPONENTS || e->components->varies != VARIES_CONSTANT)
                continue;
            for (uint32_t c = 0; c < e->components->count; c++)
                if (e->components->item[c].name == name) return true;
        }
    }
    return false;
}

/* ---- uses ---- */

static bool is_iterator(const NameUse *use) {
    for (const IteratorScope *it = use->iterators; it; it = it->outer)
        if (it->iterator->name == use->name) return true;
    return false;
}

static bool note_use(void *context, const NameUse *use) {
    Names *n = context;
    bool   value =
        use->role == USE_VALUE || use->role == USE_FUNCTION || use->role == USE_TYPE;
    if (!value || use->part || is_iterator(use)) return false;
    /* a variable of a model has equations that mention it; of a function, assignments */
    bool    given = use->assigned && n->in->class_->kind == CLASS_FUNCTION;
    int64_t k = map_get(&n->of, use->name, -1);
    if (k >= 0 && !given) n->item[k].read = true;
    return false;
}

/* ---- unused ---- */

static bool has_external(const Class *class_) {
    for (uint32_t i = 0; i < class_->count; i++)
        if (class_->section[i].kind == SECTION_EXTERNAL) return true;
    return false;
}

/* Classes whose names others use: bases, and what leaves parts open. */
static bool leaves_open(const Class *class_) {
    if (class_->partial || class_->form == FORM_EXTENDS) return true;
    if (class_->kind == CLASS_FUNCTION) return has_external(class_);
    return class_->kind != CLASS_MODEL && class_->kind != CLASS_BLOCK &&
           class_->kind != CLASS_CLASS;
}

static void report_unused(const Names *n, const Declared *d) {
    const Linter     *l = n->l;
    const Components *group = d->element->components;
    const char       *name = text_of(l->front, d->component->name);
    bool              function = n->in->class_->kind == CLASS_FUNCTION;
    if (d->read || d->element->inner || d->element->outer || d->element->redeclare)
        return;
    if (function && group->causality == CAUSAL_OUTPUT) return;
    bool parameter = group->varies == VARIES_PARAMETER ||
                     (function && group->causality == CAUSAL_INPUT);
    if (!parameter && (!d->protected_ || group->causality)) return;
    LintRule rule = parameter ? LINT_UNUSED_PARAMETER : LINT_UNUSED_VARIABLE;
    if (!lint_is_on(l, rule)) return;
    Basic basic = lint_basic(l, &d->use);
    if (basic == BASIC_BAD || basic >= BASIC_RECORD)
        return; /* a component acts by itself */
    if (parameter)
        lint_say(l, rule, d->component->pos, "%s '%s' is never used",
                 function ? "input" : "parameter", name);
    else lint_say(l, rule, d->component->pos, "'%s' is never used", name);
}

/* ---- shadowed ---- */

static void report_hidden(const Names *n, const Declared *d) {
    for (const ClassScope *outer = n->in->outer; outer; outer = outer->outer)
        if (has_constant(outer->class_, d->component->name)) {
            lint_say(n->l, LINT_SHADOW, d->component->pos, "'%s' hides '%s' of '%s'",
                     text_of(n->l->front, d->component->name),
                     text_of(n->l->front, d->component->name),
                     text_of(n->l->front, outer->class_->name));
            return;
        }
}

static bool note_iterator(void *context, const NameUse *use) {
    const Names *n = context;
    if (use->role != DECLARES_ITERATOR || use->in->class_ != n->in->class_) return false;
    if (map_has(&n->of, use->name))
        lint_say(n->l, LINT_SHADOW, use->pos,
                 "the iterator '%s' hides a component of that name",
                 text_of(n->l->front, use->name));
    for (const IteratorScope *it = use->iterators ? use->iterators->outer : NULL; it;
         it = it->outer)
        if (it->iterator->name == use->name)
            lint_say(n->l, LINT_SHADOW, use->pos, "the iterator '%s' hides another one",
                     text_of(n->l->front, use->name));
    return false;
}

void lint_names(const Linter *l, const Class *class_, const ClassScope *in) {
    Names n = {.l = l, .in = in};
    declare_all(&n, class_);
    visit_class(class_, in->outer, note_use, &n);
    visit_class(class_, in->outer, note_iterator, &n);
    for (int k = 0; k < n.count; k++) {
        if (!leaves_open(class_)) report_unused(&n, &n.item[k]);
        report_hidden(&n, &n.item[k]);
    }
    map_free(&n.of);
    arena_free(&n.arena);
}
