/* SPDX-License-Identifier: Apache-2.0 */
/* type.c -- types of expressions: comparing, counting, printing.
 *
 * A type is a built-in type or class and dimensions. BASIC_BAD fits everything, so that one
 * mistake gives one message. A size of -1 is known at run time only and fits every size. */
#include "inst/front.h"

#include <string.h>

Ty ty_scalar(Basic basic) {
    return (Ty){.basic = (uint8_t)basic};
}

bool ty_bad(Ty type) {
    return type.basic == BASIC_BAD;
}

bool ty_numeric(Ty type) {
    return type.basic == BASIC_REAL || type.basic == BASIC_INTEGER || ty_bad(type);
}

Ty ty_array(Front *front, Ty type, int ndim, const int *dim) {
    if (ndim == 0) return type;
    int *all = NEW(&front->arena, int, ndim + type.ndim);
    memcpy(all, dim, sizeof(int) * (size_t)ndim);
    if (type.ndim) memcpy(all + ndim, type.dim, sizeof(int) * type.ndim);
    type.ndim = (uint8_t)(type.ndim + ndim);
    type.dim = all;
    return type;
}

Ty ty_element(Ty type, int drop) {
    if (drop > type.ndim) drop = type.ndim;
    type.ndim = (uint8_t)(type.ndim - drop);
    type.dim = type.ndim ? type.dim + drop : NULL;
    return type;
}

Ty ty_of_class(Front *front, Cls *cls) {
    if (!cls_bases(front, cls)) return ty_scalar(BASIC_BAD);
    Ty type = {.basic = cls->basic, .cls = cls};
    if (cls->basic == BASIC_RECORD) type.rec = inst_prototype(front, cls);
    return type;
}

int ty_count(Ty type) {
    int64_t n = 1;
    for (int k = 0; k < type.ndim; k++) {
        if (type.dim[k] < 0) return -1;
        n *= type.dim[k];
        if (n > ARRAY_MOST) return -1;
    }
    return (int)n;
}

int64_t ty_scalars(Front *front, Ty type) {
    int64_t n = ty_count(type);
    if (n < 0) return -1;
    if (type.basic == BASIC_TUPLE || type.basic == BASIC_NONE) return 0;
    if ((type.basic != BASIC_RECORD && type.basic != BASIC_COMPONENT) || !type.rec)
        return n;
    int64_t sum = 0;
    inst_all(front, type.rec);
    for (int k = 0; k < type.rec->nchild; k++) {
        Inst *child = type.rec->child[k];
        if (!child || child->absent || child->link) continue;
        int64_t part = ty_scalars(front, inst_type(front, child));
        if (part < 0) return -1;
        sum += part;
    }
    return n * sum;
}

bool ty_same_dims(Ty a, Ty b) {
    if (a.ndim != b.ndim) return false;
    for (int k = 0; k < a.ndim; k++)
        if (a.dim[k] != b.dim[k] && a.dim[k] >= 0 && b.dim[k] >= 0) return false;
    return true;
}

/* Every field wanted is there; types of fields are compared where they are used. */
static bool fields_fit(Front *front, Inst *given, Inst *wanted) {
    if (!given || !wanted || given == wanted) return true;
    cls_members(front, given->cls);
    cls_members(front, wanted->cls);
    for (int k = 0; k < wanted->cls->members; k++)
        if (!map_has(&given->cls->index, wanted->cls->member[k]->name)) return false;
    return true;
}

bool ty_fits(Front *front, Ty given, Ty wanted, bool dims) {
    if (ty_bad(given) || ty_bad(wanted)) return true;
    if (dims && !ty_same_dims(given, wanted)) return false;
    if (given.basic == BASIC_INTEGER && wanted.basic == BASIC_REAL) return true;
    if (given.basic != wanted.basic) return false;
    switch (given.basic) {
    case BASIC_ENUM:
        if (given.cls == wanted.cls || !given.cls || !wanted.cls) return true;
        if (wanted.cls->any_enum || given.cls->any_enum) return true;
        if (given.cls->literals != wanted.cls->literals) return false;
        for (int k = 0; k < given.cls->literals; k++)
            if (given.cls->literal[k] != wanted.cls->literal[k]) return false;
        return true;
    case BASIC_RECORD:
        if (given.cls && wanted.cls && given.cls->plain == wanted.cls->plain) return true;
        return fields_fit(front, given.rec, wanted.rec);
    case BASIC_OBJECT:
        return !given.cls || !wanted.cls || cls_extends(front, given.cls, wanted.cls) ||
               cls_extends(front, wanted.cls, given.cls);
    default: return true;
    }
}

void type_print(Text *out, const Front *front, Ty type) {
    static const char *const names[] = {
        "(wrong)", "Real",   "Integer",   "Boolean",  "String",    "enum",     "Clock",
        "record",  "object", "component", "function", "(several)", "(nothing)"};
    if (type.cls && type.basic >= BASIC_ENUM && type.basic != BASIC_CLOCK)
        cls_name(out, front, type.cls);
    else text_add(out, names[type.basic]);
    for (int k = 0; k < type.ndim; k++) {
        text_add(out, k ? ", " : "[");
        if (type.dim[k] < 0) text_char(out, ':');
        else text_printf(out, "%d", type.dim[k]);
    }
    if (type.ndim) text_char(out, ']');
}

const char *ty_text(Front *front, Ty type) {
    Text text = {0};
    type_print(&text, front, type);
    const char *copy = arena_string(&front->arena, text_get(&text), text.length);
    text_free(&text);
    return copy;
}

const char *ty_hint(Front *front, const Tx *value, Ty wanted) {
    if (wanted.basic == BASIC_INTEGER &&
        (value->kind == TX_DIV || value->kind == TX_DIV_EACH))
        return ": '/' of Integers is Real; use div(a, b)";
    if (wanted.basic == BASIC_INTEGER && value->type.basic == BASIC_REAL)
        return ": use integer(x) to round down";
    if (wanted.basic == BASIC_INTEGER && value->type.basic == BASIC_ENUM)
        return ": use Integer(e) for the number of a literal";
    if (wanted.basic == BASIC_STRING && value->type.basic < BASIC_STRING)
        return ": use String(x)";
    if (wanted.basic == BASIC_RECORD && value->type.basic == BASIC_RECORD) {
        Text  text = {0};
        Inst *given = value->type.rec;
        for (int k = 0; wanted.rec && given && k < wanted.rec->cls->members; k++) {
            Str name = wanted.rec->cls->member[k]->name;
            if (map_has(&given->cls->index, name)) continue;
            text_printf(&text, ", which has no '%s'", text_of(front, name));
            const char *copy = arena_string(&front->arena, text_get(&text), text.length);
            text_free(&text);
            return copy;
        }
    }
    return "";
}
