/* SPDX-License-Identifier: Apache-2.0 */
/* complete.c -- what can be written at the cursor, and the arguments of the call around it.
 *
 * While somebody types, the tree lacks the clause at the cursor, so where it stands is read from the
 * words before it: after a dot, in the brackets of a modification or of a call, or anywhere else. The
 * classes around it come from the tree, which keeps them. */
#include "lsp/server.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { /* kinds of completion items in the protocol */
       ITEM_FUNCTION = 3,
       ITEM_VARIABLE = 6,
       ITEM_CLASS = 7,
       ITEM_INTERFACE = 8,
       ITEM_MODULE = 9,
       ITEM_PROPERTY = 10,
       ITEM_KEYWORD = 14,
       ITEM_ENUM_MEMBER = 20,
       ITEM_CONSTANT = 21,
       ITEM_STRUCT = 22
};

enum { CHAIN_MOST = 32, IMPORTS_MOST = 50 };

typedef struct Cursor { /* what stands around the cursor */
    Server           *s;
    Kept             *kept;
    const Spans      *spans;
    int               at;    /* last word before what is typed, -1 none */
    Pos               from;  /* where the typed name begins */
    const char       *typed; /* the part before the cursor */
    size_t            length;
    Scope             scope;
    const ClassScope *in;
    Arena             arena;
} Cursor;

static const char *word_text(const Cursor *c, int k) {
    const Source *source = c->kept->file->source;
    return source->text + (c->spans->item[k].pos - source->base);
}

static bool is_char(const Cursor *c, int k, char which) {
    return k >= 0 && c->spans->item[k].length == 1 && *word_text(c, k) == which;
}

static bool is_word(const Cursor *c, int k, const char *word) {
    return k >= 0 && c->spans->item[k].length == strlen(word) &&
           memcmp(word_text(c, k), word, strlen(word)) == 0;
}

/* False: inside a comment or a string. */
static bool cursor_open(Cursor *c, Server *s, Document *d) {
    *c = (Cursor){.s = s, .kept = world_enter(s, d)};
    if (!c->kept) return false;
    c->spans = kept_spans(s, c->kept);
    const Source *source = c->kept->file->source;
    Pos           pos = source->base + d->cursor;
    c->at = spans_find(c->spans, pos ? pos - 1 : 0);
    c->from = pos;
    if (c->at >= 0) {
        const Span *span = &c->spans->item[c->at];
        bool        touches = span->pos + span->length >= pos;
        if (touches && (span->kind == SPAN_NAME || span->kind == SPAN_KEYWORD)) {
            c->from = span->pos;
            c->at--;
        } else if (span->pos + span->length > pos ||
                   (touches && span->kind == SPAN_REMARK &&
                    word_text(c, c->at)[1] == '/'))
            return false;
    }
    c->typed = source->text + (c->from - source->base);
    c->length = pos - c->from;
    c->in = find_scope(c->kept->file, pos, &c->arena);
    c->scope = resolve_scope(world_front(s), c->kept->file, c->in);
    return true;
}

static void cursor_close(Cursor *c) {
    arena_free(&c->arena);
}

/* ---- names before the cursor ---- */

/* The word before a bracket that ends at word k. */
static int before_bracket(const Cursor *c, int k) {
    int depth = 0;
    for (; k >= 0; k--) {
        if (c->spans->item[k].kind == SPAN_CLOSE) depth++;
        if (c->spans->item[k].kind == SPAN_OPEN && --depth == 0) return k - 1;
    }
    return -1;
}

/* a.b[1].c that ends at word k: its names, first one first; *before: the word before it. */
static int chain_of(const Cursor *c, int k, Str *name, int *before) {
    Str back[CHAIN_MOST];
    int n = 0;
    for (;;) {
        if (is_char(c, k, ']')) k = before_bracket(c, k);
        if (k < 0 || c->spans->item[k].kind != SPAN_NAME || n == CHAIN_MOST) break;
        back[n++] = c->spans->item[k--].name;
        if (k < 0 || c->spans->item[k].kind != SPAN_DOT) break;
        k--;
    }
    for (int i = 0; i < n; i++) name[i] = back[n - 1 - i];
    *before = k;
    return n;
}

static Meaning meaning_of(const Cursor *c, const Str *name, int n) {
    Front  *front = world_front(c->s);
    Meaning m = n ? resolve_first(front, c->scope, NULL, name[0]) : (Meaning){0};
    for (int i = 1; i < n && m.kind; i++) m = resolve_next(front, &m, name[i]);
    return m;
}

/* The opening bracket around word k, -1 outside of all. Nothing reaches over a ';'. */
static int open_around(const Cursor *c, int k) {
    int depth = 0;
    for (; k >= 0; k--) {
        uint8_t kind = c->spans->item[k].kind;
        if (kind == SPAN_SEMICOLON && depth == 0) return -1;
        if (kind == SPAN_CLOSE) depth++;
        else if (kind == SPAN_OPEN && depth-- == 0) return k;
    }
    return -1;
}

/* The class that the bracket at word k modifies; NULL: it is no modification. */
static Cls *modified_by(const Cursor *c, int k) {
    Str name[CHAIN_MOST];
    int before, n;
    if (!is_char(c, k, '(')) return NULL;
    n = chain_of(c, k - 1, name, &before);
    if (!n) return NULL;
    if (before >= 0 && n == 1 &&
        (c->spans->item[before].kind == SPAN_NAME || is_char(c, before, ']'))) {
        n = chain_of(c, before, name, &before); /* Type name( */
        Meaning type = meaning_of(c, name, n);
        return type.kind == MEANS_CLASS ? type.cls : NULL;
    }
    bool declares = is_word(c, before, "extends") ||
                    is_word(c, before, "constrainedby") ||
                    (is_char(c, before, '=') && before > 1 &&
                     c->spans->item[before - 1].kind == SPAN_NAME &&
                     c->spans->item[before - 2].kind == SPAN_KEYWORD &&
                     !is_word(c, before - 2, "parameter"));
    if (declares) {
        Meaning m = meaning_of(c, name, n);
        return m.kind == MEANS_CLASS ? m.cls : NULL;
    }
    Cls *outer = modified_by(c, open_around(c, before));
    if (!outer) return NULL;
    Meaning of = {.kind = MEANS_CLASS, .cls = outer};
    return resolve_next(world_front(c->s), &of, name[n - 1]).cls;
}

/* ---- items ---- */

typedef struct Items {
    Cursor     *c;
    cJSON      *list;
    const char *behind; /* of each name: "", " = " */
    bool        values; /* classes are not wanted */
    bool        inputs; /* only inputs are wanted */
} Items;

static bool fits(const Items *items, const char *name) {
    return strncasecmp(name, items->c->typed, items->c->length) == 0;
}

static int item_kind(const Meaning *m) {
    const Class *def = m->elem ? m->elem->def : NULL;
    switch (m->kind) {
    case MEANS_BUILTIN: return ITEM_FUNCTION;
    case MEANS_LITERAL: return ITEM_ENUM_MEMBER;
    case MEANS_CLASS:
        if (!def) return ITEM_CLASS;
        return def->kind == CLASS_PACKAGE     ? ITEM_MODULE
               : def->kind == CLASS_FUNCTION  ? ITEM_FUNCTION
               : def->kind == CLASS_CONNECTOR ? ITEM_INTERFACE
               : def->kind == CLASS_RECORD    ? ITEM_STRUCT
                                              : ITEM_CLASS;
    default:
        return m->elem && m->elem->group && m->elem->group->varies >= VARIES_PARAMETER
                   ? ITEM_CONSTANT
                   : ITEM_VARIABLE;
    }
}

static cJSON *add_item(Items *items, const char *name, int kind) {
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "label", name);
    cJSON_AddNumberToObject(item, "kind", kind);
    if (*items->behind) {
        Text text = {0};
        text_printf(&text, "%s%s", name, items->behind);
        cJSON_AddStringToObject(item, "insertText", text_get(&text));
        text_free(&text);
    }
    cJSON_AddItemToArray(items->list, item);
    return item;
}

static void offer(void *context, const Meaning *m) {
    Items      *items = context;
    Server     *s = items->c->s;
    const char *name = name_of(&s->session, m->name);
    if (!fits(items, name) || (items->values && m->kind == MEANS_CLASS)) return;
    if (items->inputs && (m->kind != MEANS_COMPONENT || !m->elem->group ||
                          m->elem->group->causality != CAUSAL_INPUT))
        return;
    if (m->kind == MEANS_COMPONENT && m->elem->protected_ &&
        m->elem->owner != items->c->scope.cls)
        return;
    cJSON *item = add_item(items, name, item_kind(m));
    Text   detail = {0}, text = {0};
    meaning_type(&detail, world_front(s), m);
    if (m->kind == MEANS_CLASS && m->elem && m->elem->def)
        text_add(&detail, class_word(m->elem->def));
    if (detail.length) cJSON_AddStringToObject(item, "detail", text_get(&detail));
    const Comment *comment = meaning_comment(m);
    if (comment && comment->strings) comment_decode(&text, &s->session, comment);
    if (text.length) cJSON_AddStringToObject(item, "documentation", text_get(&text));
    TEXT_FREE(&detail, &text);
}

static void offer_words(Items *items, const char *const *word, int n, int kind) {
    for (int i = 0; i < n; i++)
        if (fits(items, word[i])) add_item(items, word[i], kind);
}

static void offer_modifiers(Items *items, Cls *cls) {
    static const char *const attribute[] = {"start",   "fixed",    "min",
                                            "max",     "unit",     "displayUnit",
                                            "nominal", "quantity", "stateSelect"};
    Meaning                  of = {.kind = MEANS_CLASS, .cls = cls};
    items->behind = " = ";
    if (cls->basic && cls->basic < BASIC_RECORD) {
        offer_words(items, attribute, LENGTH(attribute), ITEM_PROPERTY);
        return;
    }
    resolve_members(world_front(items->c->s), &of, offer, items);
}

/* ---- classes that an import would make visible ---- */

typedef struct Importer {
    Items      *items;
    int         count;
    cJSON      *place;  /* where it is added */
    const char *indent; /* of what follows */
} Importer;

static void offer_import(Importer *im, const Class *class_, const char *name) {
    const char *own = name_of(&im->items->c->s->session, class_->name);
    if (!fits(im->items, own) || im->count >= IMPORTS_MOST) return;
    Str     str = class_->name;
    Meaning known = meaning_of(im->items->c, &str, 1);
    if (known.kind) return;
    im->count++;
    cJSON *item = add_item(im->items, own, ITEM_CLASS), *edit = cJSON_CreateObject();
    Text   text = {0};
    text_printf(&text, "import %s;\n%s", name, im->indent);
    cJSON_AddStringToObject(item, "detail", name);
    cJSON_AddItemToObject(edit, "range", cJSON_Duplicate(im->place, true));
    cJSON_AddStringToObject(edit, "newText", text_get(&text));
    cJSON_AddItemToArray(cJSON_AddArrayToObject(item, "additionalTextEdits"), edit);
    text_free(&text);
}

static void offer_imports_in(Importer *im, const Class *class_, const char *around) {
    Server     *s = im->items->c->s;
    const char *own = name_of(&s->session, class_->name);
    const char *name =
        *around ? arena_printf(&im->items->c->arena, "%s.%s", around, own) : own;
    if (*around) offer_import(im, class_, name);
    if (class_->form != FORM_LONG || class_->kind != CLASS_PACKAGE) return;
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t e = 0; section->kind == SECTION_PUBLIC && e < section->count; e++)
            if (section->element[e]->kind == ELEMENT_CLASS)
                offer_imports_in(im, section->element[e]->class_, name);
    }
}

/* Before the first thing in the class: after its name and description. */
static Pos import_place(const Cursor *c) {
    const Class *class_ = c->in->class_;
    int          k = spans_find(c->spans, class_->pos) + 1;
    while (k < c->spans->count &&
           (c->spans->item[k].kind == SPAN_STRING ||
            c->spans->item[k].kind == SPAN_REMARK || is_char(c, k, '+')))
        k++;
    return k < c->spans->count ? c->spans->item[k].pos : class_->pos;
}

static void offer_imports(Items *items) {
    Cursor *c = items->c;
    if (c->length < 2 || !c->in) return;
    Pos           at = import_place(c);
    const Source *source = c->kept->file->source;
    const char   *line = source->text + (at - source->base);
    size_t        blanks = 0;
    while (at - source->base > blanks && strchr(" \t", *(line - blanks - 1))) blanks++;
    Importer im = {.items = items,
                   .place = kept_between(c->kept, at, at),
                   .indent = arena_string(&c->arena, line - blanks, blanks)};
    for (Kept *k = c->s->kept; k; k = k->next) {
        if (!k->file || k->seen != c->s->generation) continue;
        Text around = {0};
        for (int i = 0; k->file->within && i < k->file->within->count; i++)
            text_printf(&around, "%s%s", i ? "." : "",
                        name_of(&c->s->session, k->file->within->part[i].name));
        const char *name = arena_string(&c->arena, text_get(&around), around.length);
        text_free(&around);
        for (uint32_t i = 0; i < k->file->count; i++)
            offer_imports_in(&im, k->file->stored[i].class_, name);
    }
    cJSON_Delete(im.place);
}

/* ---- the request ---- */

static void offer_top(void *context, Str name) {
    Meaning m = {.kind = MEANS_CLASS, .name = name};
    offer(context, &m);
}

static void offer_libraries(Items *items) {
    Server *s = items->c->s;
    for (int i = 0; i < s->library.places; i++)
        offer_top(items, s->library.place[i].name);
    for (int i = 0; i < s->library.packages; i++)
        if (!s->library.package[i]->parent) offer_top(items, s->library.package[i]->name);
}

static void anything(Items *items) {
    static const char *const keyword[] = {
        "algorithm", "annotation", "block",     "connect",     "connector", "constant",
        "discrete",  "each",       "else",      "elseif",      "elsewhen",  "end",
        "equation",  "extends",    "final",     "flow",        "for",       "function",
        "if",        "import",     "initial",   "inner",       "input",     "model",
        "outer",     "output",     "package",   "parameter",   "partial",   "protected",
        "public",    "record",     "redeclare", "replaceable", "stream",    "then",
        "type",      "when",       "within"};
    resolve_visible(world_front(items->c->s), items->c->scope, offer, items);
    offer_libraries(items);
    offer_words(items, keyword, LENGTH(keyword), ITEM_KEYWORD);
    offer_imports(items);
}

/* No name is offered twice, whatever it means. */
static void drop_repeated(cJSON *list, Arena *arena, Strings *strings) {
    Map seen = {0};
    (void)arena;
    for (cJSON *item = list->child, *next; item; item = next) {
        next = item->next;
        Str name = str_of(strings, json_text(item, "label"));
        if (map_has(&seen, name)) cJSON_Delete(cJSON_DetachItemViaPointer(list, item));
        else map_put(&seen, name, 1);
    }
    map_free(&seen);
}

static void complete(Items *items) {
    Cursor *c = items->c;
    Front  *front = world_front(c->s);
    Str     name[CHAIN_MOST];
    int     before;
    if (c->at >= 0 && c->spans->item[c->at].kind == SPAN_DOT) {
        int     n = chain_of(c, c->at - 1, name, &before);
        Meaning m = meaning_of(c, name, n);
        if (is_word(c, before, "import") || is_char(c, before, '='))
            if (!m.kind && n) {
                c->scope = (Scope){front->root, NULL};
                m = meaning_of(c, name, n);
            }
        if (m.kind) resolve_members(front, &m, offer, items);
        return;
    }
    int  open = open_around(c, c->at);
    bool starts = c->at >= 0 && (c->at == open || is_char(c, c->at, ',') ||
                                 is_word(c, c->at, "each") || is_word(c, c->at, "final"));
    Cls *modified = starts && open >= 0 ? modified_by(c, open) : NULL;
    if (modified) {
        offer_modifiers(items, modified);
        return;
    }
    if (starts && is_char(c, open, '(')) { /* of a call: its arguments, and anything */
        int     n = chain_of(c, open - 1, name, &before);
        Meaning m = meaning_of(c, name, n);
        if (m.kind == MEANS_CLASS && m.cls) {
            items->behind = "=";
            items->inputs = m.cls->basic == BASIC_FUNCTION;
            items->values = true;
            resolve_members(front, &m, offer, items);
            items->behind = "";
            items->inputs = items->values = false;
        }
    }
    anything(items);
}

cJSON *request_completion(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    Cursor    c;
    cJSON    *list = cJSON_CreateArray();
    if (!d) return list;
    if (cursor_open(&c, s, d)) {
        Items items = {.c = &c, .list = list, .behind = ""};
        complete(&items);
        drop_repeated(list, &c.arena, &s->session.strings);
    }
    cursor_close(&c);
    return list;
}

/* ---- signature help ---- */

static void add_parameter(cJSON *list, Text *label, const char *text) {
    cJSON *item = cJSON_CreateObject();
    if (cJSON_GetArraySize(list)) text_add(label, ", ");
    text_add(label, text);
    cJSON_AddStringToObject(item, "label", text);
    cJSON_AddItemToArray(list, item);
}

typedef struct Signature {
    Server *s;
    Text    label, results;
    cJSON  *parameters;
    bool    function;
} Signature;

static void add_member(void *context, const Meaning *m) {
    Signature *sig = context;
    if (m->kind != MEANS_COMPONENT || !m->elem->group || m->elem->protected_) return;
    uint8_t way = m->elem->group->causality;
    Text    text = {0};
    Meaning plain = *m;
    meaning_type(&text, world_front(sig->s), &plain);
    text_printf(&text, " %s", name_of(&sig->s->session, m->name));
    if (m->elem->comp->value.kind > EXPR_BAD) {
        text_add(&text, " = ");
        format_expr(&text, &sig->s->session, m->elem->comp->value);
    }
    const char *shown = text_get(&text);
    if (strncmp(shown, "input ", 6) == 0) shown += 6;
    if (strncmp(shown, "output ", 7) == 0) shown += 7;
    if (!sig->function || way == CAUSAL_INPUT)
        add_parameter(sig->parameters, &sig->label, shown);
    else if (way == CAUSAL_OUTPUT)
        text_printf(&sig->results, "%s%s", sig->results.length ? ", " : "", shown);
    text_free(&text);
}

/* Commas between the bracket and the cursor, or the place of a named argument. */
static int active_parameter(const Cursor *c, int open) {
    int n = 0, depth = 0;
    for (int k = open + 1; k <= c->at; k++) {
        uint8_t kind = c->spans->item[k].kind;
        if (kind == SPAN_OPEN) depth++;
        if (kind == SPAN_CLOSE) depth--;
        if (kind == SPAN_COMMA && depth == 0) n++;
    }
    return n;
}

static cJSON *signature_of(Server *s, const Meaning *m) {
    Signature sig = {.s = s, .parameters = cJSON_CreateArray()};
    if (m->kind == MEANS_BUILTIN) {
        text_printf(&sig.label, "%s(", m->function->name);
        for (const char *c = m->function->args; *c;) {
            char   one[40];
            size_t n = strcspn(c, " ");
            snprintf(one, sizeof one, "%.*s", (int)n, c);
            add_parameter(sig.parameters, &sig.label, one);
            c += n + (c[n] == ' ');
        }
    } else {
        text_printf(&sig.label, "%s(", name_of(&s->session, m->name));
        sig.function = m->cls->basic == BASIC_FUNCTION;
        resolve_members(world_front(s), m, add_member, &sig);
    }
    text_char(&sig.label, ')');
    if (sig.results.length) text_printf(&sig.label, " -> %s", text_get(&sig.results));
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "label", text_get(&sig.label));
    Text           text = {0};
    const Comment *comment = meaning_comment(m);
    if (comment && comment->strings) comment_decode(&text, &s->session, comment);
    if (text.length) cJSON_AddStringToObject(out, "documentation", text_get(&text));
    cJSON_AddItemToObject(out, "parameters", sig.parameters);
    TEXT_FREE(&sig.label, &sig.results, &text);
    return out;
}

cJSON *request_signature(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    Cursor    c;
    cJSON    *out = NULL;
    Str       name[CHAIN_MOST];
    int       before;
    if (!d) return NULL;
    if (cursor_open(&c, s, d)) {
        int open = open_around(&c, c.at);
        while (open >= 0 && !is_char(&c, open, '(')) open = open_around(&c, open - 1);
        int     n = open > 0 ? chain_of(&c, open - 1, name, &before) : 0;
        bool    modifies = n && modified_by(&c, open);
        Meaning m = n && !modifies ? meaning_of(&c, name, n) : (Meaning){0};
        if (m.kind == MEANS_BUILTIN || (m.kind == MEANS_CLASS && m.cls)) {
            out = cJSON_CreateObject();
            cJSON *list = cJSON_AddArrayToObject(out, "signatures");
            cJSON_AddItemToArray(list, signature_of(s, &m));
            cJSON_AddNumberToObject(out, "activeSignature", 0);
            cJSON_AddNumberToObject(out, "activeParameter", active_parameter(&c, open));
        }
    }
    cursor_close(&c);
    return out;
}
