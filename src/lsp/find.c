/* SPDX-License-Identifier: Apache-2.0 */
/* find.c -- the name under the cursor and its meaning, the classes around a place.
 *
 * The word comes from the text, the role of the word from the tree: names keep the position of
 * their first character, so both are the same number. */
#include "lsp/server.h"

#include <string.h>

/* ---- what outlives a walk over the tree ---- */

const ClassScope *scope_copy(const ClassScope *in, Arena *arena) {
    if (!in) return NULL;
    ClassScope *copy = NEW(arena, ClassScope, 1);
    *copy = (ClassScope){scope_copy(in->outer, arena), in->class_};
    return copy;
}

static const IteratorScope *iterators_copy(const IteratorScope *its, Arena *arena) {
    if (!its) return NULL;
    IteratorScope *copy = NEW(arena, IteratorScope, 1);
    *copy = (IteratorScope){iterators_copy(its->outer, arena), its->iterator};
    return copy;
}

static const ModScope *modifies_copy(const ModScope *mod, Arena *arena) {
    if (!mod) return NULL;
    ModScope *copy = NEW(arena, ModScope, 1);
    *copy = (ModScope){modifies_copy(mod->outer, arena), mod->of, mod->mod};
    return copy;
}

static NameUse use_copy(const NameUse *use, Arena *arena) {
    NameUse copy = *use;
    copy.in = scope_copy(use->in, arena);
    copy.iterators = iterators_copy(use->iterators, arena);
    copy.modifies = modifies_copy(use->modifies, arena);
    return copy;
}

/* ---- the name at a position ---- */

typedef struct Wanted {
    Pos     pos;
    Arena  *arena;
    NameUse use;
    bool    found;
} Wanted;

static bool is_wanted(void *context, const NameUse *use) {
    Wanted *w = context;
    if (use->pos != w->pos) return false;
    w->use = use_copy(use, w->arena);
    w->found = true;
    return true;
}

/* The name that touches a place: the cursor may stand after its last character. */
static int name_at(const Spans *spans, Pos pos) {
    int at = spans_find(spans, pos);
    for (int k = at; k >= 0 && k >= at - 1; k--) {
        const Span *span = &spans->item[k];
        if (span->kind == SPAN_NAME && pos <= span->pos + span->length) return k;
    }
    return -1;
}

Spot spot_at_cursor(Server *s, const cJSON *params, Arena *arena) {
    const Document *d = document_of(s, params);
    Spot            spot = {.kept = d ? world_enter(s, d) : NULL};
    if (!spot.kept) return spot;
    const Spans *spans = kept_spans(s, spot.kept);
    int          at = name_at(spans, spot.kept->file->source->base + d->cursor);
    if (at < 0) return spot;
    Wanted wanted = {.pos = spans->item[at].pos, .arena = arena};
    spot.span = spans->item[at];
    visit_file(spot.kept->file, is_wanted, &wanted);
    spot.found = wanted.found;
    spot.use = wanted.use;
    if (spot.found)
        spot.meaning = resolve_use(world_front(s), spot.kept->file, &spot.use);
    return spot;
}

/* ---- the classes around a place ---- */

static const ClassScope *scope_in(const Class *class_, const ClassScope *outer, Pos pos,
                                  Arena *arena) {
    if (class_->form != FORM_LONG && class_->form != FORM_EXTENDS) return outer;
    if (pos < class_->start || pos > class_->stop) return outer;
    ClassScope *own = NEW(arena, ClassScope, 1);
    *own = (ClassScope){outer, class_};
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t k = 0; section->kind <= SECTION_PROTECTED && k < section->count;
             k++) {
            const Element *item = section->element[k];
            if (item->kind != ELEMENT_CLASS) continue;
            const ClassScope *in = scope_in(item->class_, own, pos, arena);
            if (in != own) return in;
        }
    }
    return own;
}

const ClassScope *find_scope(const StoredFile *file, Pos pos, Arena *arena) {
    for (uint32_t i = 0; i < file->count; i++) {
        const ClassScope *in = scope_in(file->stored[i].class_, NULL, pos, arena);
        if (in) return in;
    }
    return NULL;
}
