/* SPDX-License-Identifier: Apache-2.0 */
/* value.c -- values known when translating: scalars and arrays of the built-in types, and
 * records as lists of field values. Elements lie in one block, last dimension fastest. */
#include "inst/front.h"

#include <string.h>

static int product(int ndim, const int *dim) {
    int n = 1;
    for (int k = 0; k < ndim; k++) n *= dim[k];
    return n;
}

Value *value_new(Arena *arena, Basic basic, int ndim, const int *dim) {
    Value *v = NEW(arena, Value, 1);
    v->basic = (uint8_t)basic;
    v->ndim = ndim;
    v->count = product(ndim, dim);
    if (ndim) v->dim = arena_copy(arena, dim, sizeof(int) * (size_t)ndim);
    int n = v->count ? v->count : 1;
    switch (basic) {
    case BASIC_REAL: v->real = NEW(arena, double, n); break;
    case BASIC_STRING:
        v->string = NEW(arena, const char *, n);
        for (int k = 0; k < n; k++) v->string[k] = "";
        break;
    case BASIC_RECORD:
    case BASIC_FUNCTION: break;
    default: v->integer = NEW(arena, int64_t, n); break;
    }
    return v;
}

Value *value_integer(Arena *arena, int64_t i) {
    Value *v = value_new(arena, BASIC_INTEGER, 0, NULL);
    v->integer[0] = i;
    return v;
}

Value *value_real(Arena *arena, double r) {
    Value *v = value_new(arena, BASIC_REAL, 0, NULL);
    v->real[0] = r;
    return v;
}

Value *value_boolean(Arena *arena, bool b) {
    Value *v = value_new(arena, BASIC_BOOLEAN, 0, NULL);
    v->integer[0] = b;
    return v;
}

Value *value_string(Arena *arena, const char *s) {
    Value *v = value_new(arena, BASIC_STRING, 0, NULL);
    v->string[0] = s;
    return v;
}

static Value *like(Arena *arena, const Value *from, int ndim, const int *dim) {
    Value *v = value_new(arena, (Basic)from->basic, ndim, dim);
    v->cls = from->cls;
    v->rec = from->rec;
    v->nfield = from->nfield;
    v->func = from->func;
    if (from->basic == BASIC_RECORD)
        v->item = NEW(arena, Value *, v->count * v->nfield + 1);
    return v;
}

Value *value_copy(Arena *arena, const Value *from) {
    Value *v = like(arena, from, from->ndim, from->dim);
    if (from->basic == BASIC_FUNCTION) {
        v->nfield = from->nfield;
        v->item = NEW(arena, Value *, v->nfield + 1);
        for (int k = 0; k < v->nfield; k++)
            if (from->item[k]) v->item[k] = value_copy(arena, from->item[k]);
        return v;
    }
    if (from->basic == BASIC_STRING) {
        for (int k = 0; k < v->count; k++)
            v->string[k] = arena_string(arena, from->string[k], strlen(from->string[k]));
        return v;
    }
    for (int k = 0; k < v->count; k++) value_set(v, k, from, k);
    if (from->basic == BASIC_RECORD)
        for (int k = 0; k < v->count * v->nfield; k++)
            if (v->item[k]) v->item[k] = value_copy(arena, v->item[k]);
    return v;
}

void value_set(Value *into, int k, const Value *from, int j) {
    switch (into->basic) {
    case BASIC_REAL:
        into->real[k] =
            from->basic == BASIC_REAL ? from->real[j] : (double)from->integer[j];
        break;
    case BASIC_STRING: into->string[k] = from->string[j]; break;
    case BASIC_RECORD:
        for (int f = 0; f < into->nfield; f++)
            into->item[k * into->nfield + f] = from->item[j * into->nfield + f];
        break;
    case BASIC_FUNCTION: break;
    default:
        into->integer[k] =
            from->basic == BASIC_REAL ? (int64_t)from->real[j] : from->integer[j];
        break;
    }
}

Value *value_convert(Arena *arena, const Value *from, Basic basic) {
    if (from->basic == basic || basic != BASIC_REAL || from->basic != BASIC_INTEGER)
        return (Value *)from;
    Value *v = value_new(arena, BASIC_REAL, from->ndim, from->dim);
    for (int k = 0; k < v->count; k++) v->real[k] = (double)from->integer[k];
    return v;
}

double value_number(const Value *v, int k) {
    return v->basic == BASIC_REAL ? v->real[k] : (double)v->integer[k];
}

static bool element_equal(const Value *a, int k, const Value *b, int j) {
    switch (a->basic) {
    case BASIC_REAL: return value_number(a, k) == value_number(b, j);
    case BASIC_STRING: return strcmp(a->string[k], b->string[j]) == 0;
    case BASIC_RECORD:
        for (int f = 0; f < a->nfield; f++)
            if (!value_equal(a->item[k * a->nfield + f], b->item[j * a->nfield + f]))
                return false;
        return true;
    case BASIC_FUNCTION: return a->func == b->func;
    default: return b->basic != BASIC_REAL && a->integer[k] == b->integer[j];
    }
}

bool value_equal(const Value *a, const Value *b) {
    if (!a || !b) return a == b;
    if (a->count != b->count || a->ndim != b->ndim) return false;
    if (a->basic != b->basic && (a->basic == BASIC_STRING || b->basic == BASIC_STRING))
        return false;
    for (int k = 0; k < a->count; k++)
        if (!element_equal(a, k, b, k)) return false;
    return true;
}

Value *value_row(Arena *arena, const Value *from, int k) {
    Value *v = like(arena, from, from->ndim - 1, from->dim + 1);
    for (int j = 0; j < v->count; j++) value_set(v, j, from, k * v->count + j);
    return v;
}

Value *value_element(Arena *arena, const Value *from, int k) {
    Value *v = like(arena, from, 0, NULL);
    value_set(v, 0, from, k);
    return v;
}

Value *value_stack(Arena *arena, Value **items, int n) {
    int dim[16] = {n};
    if (n == 0) {
        Value *empty = value_new(arena, BASIC_REAL, 1, dim);
        return empty;
    }
    const Value *first = items[0];
    if (first->ndim > 14) return NULL;
    Basic basic = (Basic)first->basic;
    for (int k = 0; k < n; k++) {
        if (items[k]->basic == BASIC_REAL && basic == BASIC_INTEGER) basic = BASIC_REAL;
        if (items[k]->count != first->count || items[k]->ndim != first->ndim) return NULL;
    }
    for (int k = 0; k < first->ndim; k++) dim[k + 1] = first->dim[k];
    Value kind = *first;
    kind.basic = (uint8_t)basic;
    Value *v = like(arena, &kind, first->ndim + 1, dim);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < first->count; j++)
            value_set(v, k * first->count + j, items[k], j);
    return v;
}

/* The value repeated over leading dimensions. */
Value *value_spread(Arena *arena, Value *value, int ndim, const int *dim) {
    if (ndim == 0) return value;
    int all[32];
    if (ndim + value->ndim > 32) return value;
    memcpy(all, dim, sizeof(int) * (size_t)ndim);
    for (int k = 0; k < value->ndim; k++) all[ndim + k] = value->dim[k];
    Value *v = like(arena, value, ndim + value->ndim, all);
    int    n = value->count ? value->count : 1;
    for (int k = 0; k < v->count; k++) value_set(v, k, value, k % n);
    return v;
}

void value_print(Text *out, const Front *front, const Value *v) {
    if (v->ndim) {
        Arena scratch = {0};
        text_char(out, '{');
        for (int k = 0; k < v->dim[0]; k++) {
            if (k) text_add(out, ", ");
            value_print(out, front, value_row(&scratch, v, k));
        }
        text_char(out, '}');
        arena_free(&scratch);
        return;
    }
    switch (v->basic) {
    case BASIC_REAL: text_printf(out, "%.17g", v->real[0]); break;
    case BASIC_INTEGER: text_printf(out, "%lld", (long long)v->integer[0]); break;
    case BASIC_BOOLEAN: text_add(out, v->integer[0] ? "true" : "false"); break;
    case BASIC_STRING: text_json(out, v->string[0], strlen(v->string[0])); break;
    case BASIC_ENUM:
        if (v->cls && v->integer[0] >= 1 && v->integer[0] <= v->cls->literals) {
            cls_name(out, front, v->cls);
            text_printf(out, ".%s", text_of(front, v->cls->literal[v->integer[0] - 1]));
        } else text_printf(out, "%lld", (long long)v->integer[0]);
        break;
    case BASIC_RECORD:
        if (v->cls) cls_name(out, front, v->cls);
        text_char(out, '(');
        for (int f = 0; f < v->nfield; f++) {
            if (f) text_add(out, ", ");
            if (v->item[f]) value_print(out, front, v->item[f]);
        }
        text_char(out, ')');
        break;
    default: text_char(out, '?'); break;
    }
}
