/* SPDX-License-Identifier: Apache-2.0 */
/* front.c -- what lives as long as one translation, and the predefined classes.
 *
 * The predefined enumerations are Modelica text, so that they are classes like any other;
 * the five basic types are classes without definition. */
#include "inst/connect.h"

#include <string.h>

static const char predefined[] =
    "type StateSelect = enumeration(never, avoid, default, prefer, always);\n"
    "type AssertionLevel = enumeration(warning, error);\n";

const char *text_of(const Front *front, Str str) {
    return str_text(front->strings, str);
}

bool front_stopped(Front *front) {
    if (front->watch.stopped || !front->watch.stop) return front->watch.stopped;
    if (!front->watch.stop(front->watch.owner)) return false;
    front->watch.stopped = true;
    front->diag->errors++; /* so that no later pass begins */
    return true;
}

bool front_enter(Front *front, Pos pos) {
    if (front_stopped(front)) return false;
    if (front->depth < FRONT_DEPTH) {
        front->depth++;
        return true;
    }
    diag_report(front->diag, pos, CODE_F190, "nesting is too deep here: a cycle?");
    return false;
}

void front_leave(Front *front) {
    front->depth--;
}

const Mod *annotation_find(const Mods *mods, Str name) {
    if (!mods) return NULL;
    for (uint32_t k = 0; k < mods->count; k++)
        if (mods->item[k].kind == MOD_VALUE && mods->item[k].name == name)
            return &mods->item[k];
    return NULL;
}

bool annotation_true(const Mods *mods, Str name) {
    const Mod *mod = annotation_find(mods, name);
    return mod && mod->value.kind == EXPR_TRUE;
}

static Cls *basic_class(Front *front, int word, Basic basic) {
    Cls *cls = cls_new(front, NULL, front->builtin, NULL);
    cls->name = front->word[word];
    cls->basic = (uint8_t)basic;
    cls->own_done = true;
    cls->base_state = cls->member_state = STEP_DONE;
    Elem *elem = NEW(&front->arena, Elem, 1);
    *elem = (Elem){.name = cls->name, .is_class = true, .owner = front->builtin};
    elem->cls = cls;
    cls->elem = elem;
    map_put(&front->builtin->own, cls->name, (int64_t)(intptr_t)elem);
    return cls;
}

static void predefined_classes(Front *front) {
    Session *session = front->session;
    if (!session->predefined)
        session->predefined = parse_text(session, "(predefined)", predefined);
    const StoredFile *file = session->predefined;
    for (uint32_t k = 0; file && k < file->count; k++) {
        Elem *elem = NEW(&front->arena, Elem, 1);
        *elem = (Elem){.name = file->stored[k].class_->name,
                       .is_class = true,
                       .def = file->stored[k].class_,
                       .owner = front->builtin};
        map_put(&front->builtin->own, elem->name, (int64_t)(intptr_t)elem);
        Cls *cls = elem_class(front, elem, NULL);
        if (k == 0) front->state_select = cls;
        if (k == 1) front->assertion_level = cls;
    }
}

Front *front_new(Session *session, Library *library) {
    static const char *const words[] = {
#define X(w) #w,
        WORDS(X)
#undef X
    };
    Front *front = mem_take(1, sizeof *front);
    if (!front) return NULL;
    front->session = session;
    front->library = library;
    front->strings = &session->strings;
    front->diag = &session->diag;
    for (int k = 0; k < W_COUNT; k++) front->word[k] = str_of(front->strings, words[k]);
    front->root = cls_new(front, NULL, NULL, NULL);
    front->root->is_package = true;
    front->root->own_done = true;
    front->root->base_state = front->root->member_state = STEP_DONE;
    front->builtin = cls_new(front, NULL, NULL, NULL);
    front->builtin->is_package = true;
    front->builtin->own_done = true;
    front->builtin->base_state = front->builtin->member_state = STEP_DONE;
    front->real = basic_class(front, W_Real, BASIC_REAL);
    front->integer = basic_class(front, W_Integer, BASIC_INTEGER);
    front->boolean = basic_class(front, W_Boolean, BASIC_BOOLEAN);
    front->string = basic_class(front, W_String, BASIC_STRING);
    front->clock = basic_class(front, W_Clock, BASIC_CLOCK);
    front->object = basic_class(front, W_ExternalObject, BASIC_OBJECT);
    predefined_classes(front);
    return front;
}

void front_free(Front *front) {
    if (!front) return;
    for (int k = 0; k < front->insts; k++) map_free(&front->inst[k]->local);
    for (Cls *cls = front->newest; cls; cls = cls->older) {
        map_free(&cls->own);
        map_free(&cls->index);
    }
    if (front->connects.joints) joints_free(front->connects.joints);
    graph_free(front->roots.graph);
    machines_free(front->uses.machines);
    map_free(&front->rules.checked);
    map_free(&front->functions.of);
    map_free(&front->instance_of.package);
    map_free(&front->instance_of.prototype);
    map_free(&front->mockups);
    map_free(&front->outside_of);
    map_free(&front->instance_of.scope);
    map_free(&front->builtin_of);
    map_free(&front->measure.of);
    arena_free(&front->arena);
    mem_free(front);
}
