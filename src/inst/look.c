/* SPDX-License-Identifier: Apache-2.0 */
/* look.c -- a class of any kind by itself, as an editor shows it: names, types and rules, also of
 * partial models, functions, records, connectors and packages, which are no models to translate.
 *
 * What a partial class leaves open, somebody else gives: that it is partial, or uses what is, is
 * no mistake, so values and sizes that are not known yet are not missed. */
#include "inst/connect.h"

/* Messages that only say that something is still open. */
static bool says_open(Code code) {
    switch (code) {
    case CODE_F105: /* a component of a partial class            */
    case CODE_F109: /* a call of a partial function              */
    case CODE_F116: /* a function without body                   */
    case CODE_F126: /* a constant without value                  */
    case CODE_F150: /* a size that is not known                  */
    case CODE_F151:
    case CODE_F152: /* a condition that is not known             */
    case CODE_F160: /* no inner                                  */
    case CODE_F161: return true;
    default: return false;
    }
}

static void look_at_function(Front *front, Cls *cls) {
    Func *func = func_of(front, cls, cls->def->pos);
    if (func && !cls->def->partial && !func->bad && func_has_body(cls))
        func_body(front, func);
}

/* Equations of the class itself and of its bases, not of its components. */
static void look_at_sections(Front *front, Cls *cls, Inst *inst) {
    for (int k = 0; k < cls->bases; k++) look_at_sections(front, cls->base[k], inst);
    const Class *def = cls->def;
    if (!def || (def->form != FORM_LONG && def->form != FORM_EXTENDS)) return;
    for (uint32_t s = 0; s < def->count && !front_stopped(front); s++) {
        const Section *section = &def->section[s];
        if (section->kind < SECTION_EQUATION || section->kind > SECTION_INITIAL_ALGORITHM)
            continue;
        bool algorithm = section->kind == SECTION_ALGORITHM ||
                         section->kind == SECTION_INITIAL_ALGORITHM;
        Ctx     ctx = {.front = front,
                       .scope = {cls, inst},
                       .algorithm = algorithm,
                       .equation = section->kind == SECTION_EQUATION,
                       .initial = section->kind == SECTION_INITIAL_EQUATION ||
                                  section->kind == SECTION_INITIAL_ALGORITHM};
        EquList list = {0};
        type_clauses(&ctx, &list, section->clause, (int)section->count, algorithm);
    }
}

static void look_at_components(Front *front, Cls *cls) {
    bool package = cls->is_package;
    if (cls->basic < BASIC_RECORD) return;
    Inst *inst = package ? inst_package(front, cls) : inst_root(front, cls);
    if (!package) front->model = inst;
    for (int k = 0; k < inst->nchild && !front_stopped(front); k++) {
        Inst *child = inst_member(front, inst, k);
        if (!child || child->state != INST_DONE || child->absent || child->link) continue;
        inst_bind(front, child);
    }
    if (!package) look_at_sections(front, cls, inst);
    if (!package) pending_connects(front);
}

/* Takes back messages about what a partial class leaves open. */
static void forgive(Front *front, int first) {
    Diag *diag = front->diag;
    int   kept = first;
    bool  gone = false;
    for (int k = first; k < diag->count; k++) {
        const Message *m = &diag->message[k];
        if (m->severity != SEVERITY_NOTE) {
            gone = says_open(m->code);
            if (gone && m->severity == SEVERITY_ERROR) diag->errors--;
            if (gone && m->severity == SEVERITY_WARNING) diag->warnings--;
        }
        if (!gone) diag->message[kept++] = *m;
    }
    diag->count = kept;
}

void class_look(Front *front, const char *name) {
    int  first = front->diag->count;
    Cls *cls = class_named(front, name);
    if (!cls || !cls->def || !cls_bases(front, cls)) return;
    cls_members(front, cls);
    check_class(front, cls);
    if (cls->basic == BASIC_FUNCTION) look_at_function(front, cls);
    else look_at_components(front, cls);
    forgive(front, first);
}
