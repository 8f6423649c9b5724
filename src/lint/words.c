/* SPDX-License-Identifier: Apache-2.0 */
/* words.c -- declarations that say too little, or something they do not mean: no description, no
 * unit, Evaluate. */
#include "lint/linter.h"

#include <string.h>

static bool has_text(const Comment *comment) {
    return comment && comment->strings;
}

static void description_of_class(const Linter *l, const Class *class_) {
    if (!has_text(class_->comment))
        lint_say(l, LINT_DESCRIPTION, class_->pos, "'%s' has no description",
                 text_of(l->front, class_->name));
}

static bool is_plain_real(const Linter *l, const Components *group) {
    return group->type->count == 1 && group->type->part[0].name == WORD(l->front, Real);
}

static bool says_unit(const Linter *l, const Component *c) {
    return mods_find(l->front->session, c->mods, "unit") != NULL;
}

/* Evaluate = true takes the value of a parameter when translating: nobody can change it later. */
static void look_at_evaluate(const Linter *l, const Components *group,
                             const Component *c) {
    const Mods *notes = c->comment ? c->comment->annotation : NULL;
    const Mod  *mod = mods_find(l->front->session, notes, "Evaluate");
    const char *name = text_of(l->front, c->name);
    if (!mod || mod->value.kind != EXPR_TRUE) return;
    if (group->varies != VARIES_PARAMETER)
        lint_say(l, LINT_EVALUATE, mod->pos,
                 "'%s' is no parameter: Evaluate has no effect", name);
    else if (is_plain_real(l, group))
        lint_say(l, LINT_EVALUATE, mod->pos,
                 "the Real parameter '%s' gets its value when translating and cannot be "
                 "changed "
                 "in a run",
                 name);
}

static void look_at(const Linter *l, const Class *class_, const Section *section,
                    const Element *element) {
    const Components *group = element->components;
    bool              shown = section->kind == SECTION_PUBLIC;
    bool              function = class_->kind == CLASS_FUNCTION;
    for (uint32_t i = 0; i < group->count; i++) {
        const Component *c = &group->item[i];
        const char      *name = text_of(l->front, c->name);
        bool told = shown && (group->varies >= VARIES_PARAMETER || group->causality);
        if (told && !has_text(c->comment))
            lint_say(l, LINT_DESCRIPTION, c->pos, "'%s' has no description", name);
        if (shown && !function && is_plain_real(l, group) && !says_unit(l, c))
            lint_say(l, LINT_UNIT, c->pos, "'%s' has no unit", name);
        look_at_evaluate(l, group, c);
    }
}

void lint_words(const Linter *l, const Class *class_, const ClassScope *in) {
    (void)in;
    description_of_class(l, class_);
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t k = 0; section->kind <= SECTION_PROTECTED && k < section->count;
             k++)
            if (section->element[k]->kind == ELEMENT_COMPONENTS)
                look_at(l, class_, section, section->element[k]);
    }
}
