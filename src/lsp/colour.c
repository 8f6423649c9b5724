/* SPDX-License-Identifier: Apache-2.0 */
/* colour.c -- semantic colours, and hints between the words: units and sizes of arrays. */
#include "lsp/server.h"

#include <string.h>

enum { /* numbers in COLOUR_TYPES */
       C_NAMESPACE,
       C_CLASS,
       C_STRUCT,
       C_INTERFACE,
       C_FUNCTION,
       C_TYPE,
       C_ENUM,
       C_ENUM_MEMBER,
       C_PARAMETER,
       C_VARIABLE,
       C_PROPERTY,
       C_KEYWORD,
       C_NUMBER,
       C_STRING,
       C_COMMENT,
       C_OPERATOR
};
enum { M_DECLARATION = 1, M_READONLY = 2, M_LIBRARY = 4 }; /* of COLOUR_MODIFIERS */

typedef struct Painter {
    Server      *s;
    Kept        *kept;
    Map          colour; /* Pos -> type + 256*modifiers */
    const Class *class_; /* whose scope was found last */
    Scope        scope;
} Painter;

static int class_colour(const Class *def) {
    static const ClassNumbers colours = {C_NAMESPACE, C_FUNCTION, C_STRUCT, C_INTERFACE,
                                         C_CLASS,     C_TYPE,     C_ENUM,   C_CLASS};
    return def ? class_number(def, &colours) : C_TYPE;
}

static int meaning_colour(const Meaning *m) {
    switch (m->kind) {
    case MEANS_CLASS: return class_colour(m->cls ? m->cls->def : NULL);
    case MEANS_LITERAL: return C_ENUM_MEMBER | M_READONLY << 8;
    case MEANS_BUILTIN: return C_FUNCTION | M_LIBRARY << 8;
    case MEANS_TIME: return C_VARIABLE | M_LIBRARY << 8;
    case MEANS_COMPONENT:
        if (m->elem && m->elem->group && m->elem->group->varies == VARIES_CONSTANT)
            return C_VARIABLE | M_READONLY << 8;
        return m->elem && m->elem->group && m->elem->group->varies == VARIES_PARAMETER
                   ? C_PARAMETER
                   : C_VARIABLE;
    default: return C_VARIABLE;
    }
}

static Scope scope_of(Painter *p, const NameUse *use) {
    const Class *class_ = use->in ? use->in->class_ : NULL;
    if (!p->scope.cls || class_ != p->class_) {
        p->scope = resolve_scope(world_front(p->s), p->kept->file, use->in);
        p->class_ = class_;
    }
    return p->scope;
}

/* The first part of a name is looked up; what follows gets the colour of its role. */
static int use_colour(Painter *p, const NameUse *use) {
    bool last = !use->path || use->part + 1 >= use->path->count;
    switch (use->role) {
    case USE_VALUE: {
        if (use->part) return C_PROPERTY;
        Meaning m =
            resolve_first(world_front(p->s), scope_of(p, use), use->iterators, use->name);
        return meaning_colour(&m);
    }
    case USE_FUNCTION: return last ? C_FUNCTION : C_NAMESPACE;
    case USE_TYPE: return last ? C_TYPE : C_NAMESPACE;
    case USE_IMPORT: return last ? C_CLASS : C_NAMESPACE;
    case USE_WITHIN: return C_NAMESPACE;
    case USE_ARGUMENT:
    case USE_MODIFIER:
    case USE_ANNOTATION:
    case USE_FIELD: return C_PROPERTY;
    case DECLARES_CLASS: return class_colour(use->class_) | M_DECLARATION << 8;
    case ENDS_CLASS: return class_colour(use->class_);
    case DECLARES_COMPONENT: {
        uint8_t varies = use->element->components->varies;
        return (varies == VARIES_PARAMETER  ? C_PARAMETER
                : varies == VARIES_CONSTANT ? C_VARIABLE | M_READONLY << 8
                                            : C_VARIABLE) |
               M_DECLARATION << 8;
    }
    case DECLARES_LITERAL: return C_ENUM_MEMBER | M_DECLARATION << 8;
    case DECLARES_ITERATOR: return C_VARIABLE | M_DECLARATION << 8;
    default: return C_NAMESPACE | M_DECLARATION << 8;
    }
}

static bool paint(void *context, const NameUse *use) {
    Painter *p = context;
    map_put(&p->colour, use->pos, use_colour(p, use));
    return false;
}

static int span_colour(const Painter *p, const Span *span) {
    switch (span->kind) {
    case SPAN_KEYWORD: return C_KEYWORD;
    case SPAN_NUMBER: return C_NUMBER;
    case SPAN_STRING: return C_STRING;
    case SPAN_REMARK: return C_COMMENT;
    case SPAN_NAME: return (int)map_get(&p->colour, span->pos, -1);
    default: return -1;
    }
}

/* Five numbers each: lines and characters since the last one, length, type, modifiers. Words over
 * several lines become one item a line. */
static void emit(const Painter *p, cJSON *data, const Span *span, int colour,
                 Point *last) {
    const Source *source = p->kept->file->source;
    const Lines  *lines = kept_lines(p->kept);
    uint32_t      from = span->pos - source->base, end = from + span->length;
    while (from < end) {
        Point    a = offset_point(lines, source->text, from);
        uint32_t line_end = lines->start[a.line + 1],
                 stop = end < line_end ? end : line_end;
        uint32_t text_end = stop;
        while (text_end > from &&
               (source->text[text_end - 1] == '\n' || source->text[text_end - 1] == '\r'))
            text_end--;
        Point b = offset_point(lines, source->text, text_end);
        if (b.line == a.line && b.character > a.character) {
            int number[5] = {a.line - last->line,
                             a.line == last->line ? a.character - last->character
                                                  : a.character,
                             b.character - a.character, colour & 255, colour >> 8};
            for (int i = 0; i < 5; i++)
                cJSON_AddItemToArray(data, cJSON_CreateNumber(number[i]));
            *last = a;
        }
        from = stop;
    }
}

cJSON *request_colours(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    Painter   p = {.s = s, .kept = d ? world_enter(s, d) : NULL};
    cJSON    *out = cJSON_CreateObject(), *data = cJSON_AddArrayToObject(out, "data");
    Point     last = {0};
    if (!p.kept) return out;
    visit_file(p.kept->file, paint, &p);
    const Spans *spans = kept_spans(s, p.kept);
    for (int k = 0; k < spans->count; k++) {
        int colour = span_colour(&p, &spans->item[k]);
        if (colour >= 0) emit(&p, data, &spans->item[k], colour, &last);
    }
    map_free(&p.colour);
    return out;
}

/* ---- hints ---- */

typedef struct Hints {
    Server *s;
    Kept   *kept;
    cJSON  *out;
    Pos     from, to;
} Hints;

static bool is_plain_size(const ExprList *list) {
    for (uint32_t i = 0; list && i < list->count; i++)
        if (list->item[i].kind != EXPR_INTEGER) return false;
    return true;
}

/* Sizes that are written as numbers are no news. */
static bool sizes_worth_showing(const Meaning *m) {
    const Inst *inst = m->inst;
    if (!inst || !inst->ndim || inst->state != INST_DONE) return false;
    for (int k = 0; k < inst->ndim; k++)
        if (inst->dim[k] < 0) return false;
    return inst->cls->ndim || !is_plain_size(m->elem->comp->subscripts) ||
           !is_plain_size(m->elem->group->subscripts);
}

static bool hint(void *context, const NameUse *use) {
    Hints *h = context;
    if (use->role != DECLARES_COMPONENT || use->pos < h->from || use->pos > h->to)
        return false;
    Front  *front = world_front(h->s);
    Meaning m = resolve_use(front, h->kept->file, use);
    Text    text = {0}, unit = {0};
    if (m.kind != MEANS_COMPONENT) return false;
    if (sizes_worth_showing(&m)) {
        text_char(&text, '[');
        for (int k = 0; k < m.inst->ndim; k++)
            text_printf(&text, "%s%d", k ? ", " : "", m.inst->dim[k]);
        text_char(&text, ']');
    }
    bool written =
        use->component->mods && mods_find(&h->s->session, use->component->mods, "unit");
    if (!written && meaning_attribute(&unit, front, &m, WORD(front, unit)) && unit.length)
        text_printf(&text, "%s\xe2\x9f\xa8%s\xe2\x9f\xa9", text.length ? " " : "",
                    text_get(&unit));
    if (text.length) {
        cJSON        *item = cJSON_CreateObject();
        const Source *source = h->kept->file->source;
        uint32_t      end =
            use->pos - source->base + str_length(&h->s->session.strings, use->name);
        cJSON_AddItemToObject(
            item, "position",
            json_point(offset_point(kept_lines(h->kept), source->text, end)));
        cJSON_AddStringToObject(item, "label", text_get(&text));
        cJSON_AddNumberToObject(item, "kind", 1);
        cJSON_AddTrueToObject(item, "paddingLeft");
        cJSON_AddItemToArray(h->out, item);
    }
    TEXT_FREE(&text, &unit);
    return false;
}

cJSON *request_hints(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    Hints h = {.s = s, .kept = d ? world_enter(s, d) : NULL, .out = cJSON_CreateArray()};
    if (!h.kept) return h.out;
    const char *text = text_get(&d->text);
    Pos         base = h.kept->file->source->base;
    h.from =
        base + point_offset(&d->lines, text, point_read(json_at(params, "range.start")));
    h.to = base + point_offset(&d->lines, text, point_read(json_at(params, "range.end")));
    visit_file(h.kept->file, hint, &h);
    return h.out;
}
