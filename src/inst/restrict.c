/* SPDX-License-Identifier: Apache-2.0 */
/* restrict.c -- what specialised classes may hold (Modelica 3.6, 4.6; 14), seen from their text alone:
 * each definition is looked at once, when the class is first instantiated. */
#include "inst/front.h"

#include <string.h>

static void cannot_hold(Front *front, Pos pos, const char *text) {
    diag_report(front->diag, pos, CODE_F115, "%s", text);
}

/* connect is no equation of the start. */
static void check_initial(Front *front, const Clause *const *clause, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        if (clause[k]->kind == CLAUSE_CONNECT)
            diag_report(front->diag, clause[k]->pos, CODE_T184,
                        "connect cannot stand in an initial equation");
        if (clause[k]->kind == CLAUSE_FOR)
            check_initial(front, clause[k]->loop->body->item,
                          clause[k]->loop->body->count);
        for (uint32_t b = 0;
             clause[k]->kind == CLAUSE_IF && b < clause[k]->branches->count; b++)
            check_initial(front, clause[k]->branches->item[b].body->item,
                          clause[k]->branches->item[b].body->count);
    }
}

static void check_section(Front *front, const Class *def, const Section *section,
                          int *bodies) {
    bool algorithm =
        section->kind == SECTION_ALGORITHM || section->kind == SECTION_INITIAL_ALGORITHM;
    bool equation =
        section->kind == SECTION_EQUATION || section->kind == SECTION_INITIAL_EQUATION;
    if ((algorithm || equation) && section->count &&
        (def->kind == CLASS_RECORD || def->kind == CLASS_CONNECTOR ||
         def->kind == CLASS_PACKAGE || def->kind == CLASS_TYPE ||
         def->kind == CLASS_OPERATOR)) {
        Text text = {0};
        text_printf(&text, "a %s cannot have %s", class_kind_names[def->kind],
                    equation ? "equations" : "algorithms");
        cannot_hold(front, section->pos, text_get(&text));
        text_free(&text);
    }
    if (section->kind == SECTION_INITIAL_EQUATION)
        check_initial(front, section->clause, section->count);
    if (def->kind != CLASS_FUNCTION && section->kind == SECTION_EXTERNAL)
        cannot_hold(front, section->pos, "'external' belongs into a function");
    if (def->kind != CLASS_FUNCTION) return;
    if (section->kind == SECTION_ALGORITHM || section->kind == SECTION_EXTERNAL) {
        if ((*bodies)++)
            cannot_hold(
                front, section->pos,
                "a function has one algorithm or one external call, this is another");
    }
}

static void check_record(Front *front, const Element *ast, Pos pos) {
    const Components *group = ast->components;
    if (group->causality)
        cannot_hold(front, pos, "elements of a record are neither input nor output");
    if (ast->inner || ast->outer)
        cannot_hold(front, pos, "elements of a record are neither inner nor outer");
}

/* Inputs or outputs of a function as its text declares them; -1: it inherits some. */
static int declared(const Class *def, int causality) {
    int n = 0;
    if (def->form != FORM_LONG) return -1;
    for (uint32_t s = 0; s < def->count; s++) {
        const Section *section = &def->section[s];
        if (section->kind > SECTION_PROTECTED) continue;
        for (uint32_t k = 0; k < section->count; k++) {
            const Element *ast = section->element[k];
            if (ast->kind == ELEMENT_EXTENDS) return -1;
            if (ast->kind == ELEMENT_COMPONENTS &&
                ast->components->causality == causality)
                n += (int)ast->components->count;
        }
    }
    return n;
}

/* '0' has no inputs, operators have one or two operands, all of them one result (Modelica 3.6, 14.5). */
static void check_operands(Front *front, const Class *def, const char *name) {
    static const char *const two[] = {"'+'", "'*'",  "'/'", "'^'",  "'=='",  "'<>'",
                                      "'<'", "'<='", "'>'", "'>='", "'and'", "'or'"};
    static const char *const others[] = {"'-'", "'not'", "'0'", "'String'",
                                         "'constructor'"};
    int                      n = declared(def, CAUSAL_INPUT), known = 0;
    for (int k = 0; k < LENGTH(two); k++) known += !strcmp(name, two[k]);
    for (int k = 0; k < LENGTH(others); k++) known += !strcmp(name, others[k]);
    if (!known) {
        Text text = {0};
        text_printf(&text, "%s is no operator", name);
        cannot_hold(front, def->pos, text_get(&text));
        text_free(&text);
    }
    if (n < 0) return;
    if (declared(def, CAUSAL_OUTPUT) != 1)
        cannot_hold(front, def->pos, "a function of an operator has one result");
    for (int k = 0; k < LENGTH(two); k++)
        if (strcmp(name, two[k]) == 0 && n < 2)
            cannot_hold(front, def->pos,
                        "a function of this operator needs two operands");
    if ((!strcmp(name, "'-'") || !strcmp(name, "'not'")) && n < 1)
        cannot_hold(front, def->pos, "a function of this operator needs an operand");
    if (!strcmp(name, "'0'") && n)
        cannot_hold(front, def->pos, "the function '0' has no inputs");
}

/* `operator` holds functions, and stands in an operator record. */
static void check_operator(Front *front, const Class *around, const Class *def) {
    if (def->kind == CLASS_FUNCTION && def->operator_)
        check_operands(front, def, text_of(front, def->name));
    if (def->kind != CLASS_OPERATOR) return;
    if (around->kind != CLASS_RECORD || !around->operator_) {
        cannot_hold(front, def->pos, "an operator belongs into an operator record");
        return;
    }
    if (def->form != FORM_LONG) return;
    for (uint32_t s = 0; s < def->count; s++) {
        const Section *section = &def->section[s];
        if (section->kind > SECTION_PROTECTED) continue;
        for (uint32_t k = 0; k < section->count; k++) {
            const Element *ast = section->element[k];
            if (ast->kind == ELEMENT_COMPONENTS && ast->components->count)
                cannot_hold(front, ast->components->item[0].pos,
                            "an operator holds functions only");
            if (ast->kind != ELEMENT_CLASS) continue;
            if (ast->class_->kind != CLASS_FUNCTION)
                cannot_hold(front, ast->class_->pos, "an operator holds functions only");
            else check_operands(front, ast->class_, text_of(front, def->name));
        }
    }
}

static void check_components(Front *front, const Class *def, const Element *ast,
                             bool protected_) {
    const Components *group = ast->components;
    for (uint32_t k = 0; k < group->count; k++) {
        const Component *comp = &group->item[k];
        if (group->flow && def->kind != CLASS_CONNECTOR)
            diag_report(front->diag, comp->pos, CODE_F117,
                        "'%s' belongs into a connector",
                        group->flow == FLOW_FLOW ? "flow" : "stream");
        if (def->kind == CLASS_RECORD) check_record(front, ast, comp->pos);
        if (def->kind == CLASS_RECORD && protected_)
            cannot_hold(front, comp->pos, "elements of a record are public");
        if (def->kind == CLASS_FUNCTION && (ast->inner || ast->outer))
            cannot_hold(front, comp->pos,
                        "variables of a function are neither inner nor outer");
        if (def->kind == CLASS_TYPE)
            cannot_hold(front, comp->pos, "a type cannot have components");
        if ((def->kind == CLASS_PACKAGE || def->kind == CLASS_OPERATOR) &&
            group->varies != VARIES_CONSTANT)
            cannot_hold(front, comp->pos,
                        "a package can hold constants and classes only");
        if (def->kind != CLASS_FUNCTION) continue;
        if (!protected_ && !group->causality && group->varies < VARIES_PARAMETER)
            cannot_hold(
                front, comp->pos,
                "public components of a function are inputs or outputs; put others "
                "behind 'protected'");
        if (protected_ && group->causality)
            cannot_hold(front, comp->pos, "inputs and outputs of a function are public");
    }
}

/* An external object has a constructor, a destructor, and nothing else (Modelica 3.6, 12.9.7). */
static void check_object(Front *front, const Cls *cls) {
    static const char *const name[] = {"constructor", "destructor"};
    if (cls->basic != BASIC_OBJECT) return;
    for (int k = 0; k < LENGTH(name); k++)
        if (!cls_find(front, (Cls *)cls, str_of(front->strings, name[k]))) {
            Text text = {0};
            text_printf(&text, "the external object '%s' has no %s", cls_text(front, cls),
                        name[k]);
            cannot_hold(front, cls->def->pos, text_get(&text));
            text_free(&text);
        }
    for (uint32_t s = 0; s < cls->def->count; s++) {
        const Section *section = &cls->def->section[s];
        for (uint32_t k = 0; section->kind <= SECTION_PROTECTED && k < section->count;
             k++)
            if (section->element[k]->kind == ELEMENT_COMPONENTS)
                cannot_hold(front, section->element[k]->components->item[0].pos,
                            "an external object holds its constructor and destructor "
                            "only");
    }
}

void check_class(Front *front, const Cls *cls) {
    const Class *def = cls->def;
    if (!def || (def->form != FORM_LONG && def->form != FORM_EXTENDS)) return;
    if (map_has(&front->rules.checked, (uintptr_t)def)) return;
    map_put(&front->rules.checked, (uintptr_t)def, 1);
    check_object(front, cls);
    int bodies = 0;
    for (uint32_t s = 0; s < def->count; s++) {
        const Section *section = &def->section[s];
        check_section(front, def, section, &bodies);
        if (section->kind > SECTION_PROTECTED) continue;
        for (uint32_t k = 0; k < section->count; k++) {
            const Element *ast = section->element[k];
            if (ast->kind == ELEMENT_CLASS) check_operator(front, def, ast->class_);
            if (ast->kind == ELEMENT_COMPONENTS)
                check_components(front, def, ast, section->kind == SECTION_PROTECTED);
        }
    }
    for (int k = 0; k < cls->bases; k++) check_class(front, cls->base[k]);
}
