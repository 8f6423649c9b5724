/* SPDX-License-Identifier: Apache-2.0 */
/* symbols.c -- the outline of a text, what can be folded, and the classes of the workspace. */
#define _POSIX_C_SOURCE 200809L
#include "lsp/server.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { /* of the protocol */
       KIND_PACKAGE = 4,
       KIND_CLASS = 5,
       KIND_FIELD = 8,
       KIND_ENUM = 10,
       KIND_INTERFACE = 11,
       KIND_FUNCTION = 12,
       KIND_VARIABLE = 13,
       KIND_CONSTANT = 14,
       KIND_ENUM_MEMBER = 22,
       KIND_STRUCT = 23,
       KIND_OPERATOR = 25,
       KIND_TYPE = 26
};

int class_number(const Class *class_, const ClassNumbers *numbers) {
    if (class_->form == FORM_ENUMERATION) return numbers->enumeration;
    switch (class_->kind) {
    case CLASS_PACKAGE: return numbers->package;
    case CLASS_FUNCTION: return numbers->function;
    case CLASS_RECORD: return numbers->record;
    case CLASS_CONNECTOR: return numbers->connector;
    case CLASS_OPERATOR: return numbers->operator_;
    case CLASS_TYPE: return numbers->type;
    default: return numbers->other;
    }
}

int symbol_kind(const Class *class_) {
    static const ClassNumbers kinds = {KIND_PACKAGE,   KIND_FUNCTION, KIND_STRUCT,
                                       KIND_INTERFACE, KIND_OPERATOR, KIND_TYPE,
                                       KIND_ENUM,      KIND_CLASS};
    return class_number(class_, &kinds);
}

/* ---- outline ---- */

static cJSON *symbol(Server *s, Kept *k, Str name, int kind, Pos from, Pos to, Pos pos) {
    cJSON *out = cJSON_CreateObject();
    if (to < pos + str_length(&s->session.strings, name))
        to = pos + str_length(&s->session.strings, name);
    cJSON_AddStringToObject(out, "name", name_of(&s->session, name));
    cJSON_AddNumberToObject(out, "kind", kind);
    cJSON_AddItemToObject(out, "range", kept_between(k, from < pos ? from : pos, to));
    cJSON_AddItemToObject(out, "selectionRange", kept_range(s, k, pos));
    return out;
}

static void add_detail(Server *s, cJSON *item, const Components *group) {
    Text text = {0};
    for (int k = 0; k < group->type->count; k++)
        text_printf(&text, "%s%s", k ? "." : "",
                    name_of(&s->session, group->type->part[k].name));
    cJSON_AddStringToObject(item, "detail", text_get(&text));
    text_free(&text);
}

static cJSON *class_symbol(Server *s, Kept *k, const Class *class_);

static void element_symbols(Server *s, Kept *k, const Element *element, cJSON *children) {
    if (element->kind == ELEMENT_CLASS)
        cJSON_AddItemToArray(children, class_symbol(s, k, element->class_));
    if (element->kind != ELEMENT_COMPONENTS) return;
    const Components *group = element->components;
    for (uint32_t c = 0; c < group->count; c++) {
        int kind = group->varies >= VARIES_PARAMETER ? KIND_CONSTANT : KIND_VARIABLE;
        const Component *item = &group->item[c];
        Pos              from = c ? item->pos : element->pos;
        Pos              to = c + 1 < group->count ? item->pos : element->stop;
        cJSON           *one = symbol(s, k, item->name, kind, from, to, item->pos);
        add_detail(s, one, group);
        cJSON_AddItemToArray(children, one);
    }
}

static cJSON *class_symbol(Server *s, Kept *k, const Class *class_) {
    cJSON *out = symbol(s, k, class_->name, symbol_kind(class_), class_->start,
                        class_->stop, class_->pos);
    cJSON *children = cJSON_AddArrayToObject(out, "children");
    cJSON_AddStringToObject(out, "detail", class_word(class_));
    bool long_ = class_->form == FORM_LONG || class_->form == FORM_EXTENDS;
    for (uint32_t i = 0; long_ && i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t e = 0; section->kind <= SECTION_PROTECTED && e < section->count;
             e++)
            element_symbols(s, k, section->element[e], children);
    }
    for (uint32_t i = 0; class_->form == FORM_ENUMERATION && i < class_->count; i++)
        cJSON_AddItemToArray(children,
                             symbol(s, k, class_->literal[i].name, KIND_ENUM_MEMBER,
                                    class_->literal[i].pos, 0, class_->literal[i].pos));
    return out;
}

cJSON *request_symbols(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    Kept     *k = d ? world_enter(s, d) : NULL;
    cJSON    *out = cJSON_CreateArray();
    for (uint32_t i = 0; k && i < k->file->count; i++)
        cJSON_AddItemToArray(out, class_symbol(s, k, k->file->stored[i].class_));
    return out;
}

/* ---- folding ---- */

static void fold(Kept *k, cJSON *out, Pos from, Pos to, const char *kind) {
    const Source *source = k->file->source;
    if (!from || to <= from) return;
    Point a = offset_point(kept_lines(k), source->text, from - source->base);
    Point b = offset_point(kept_lines(k), source->text, to - source->base);
    if (b.line <= a.line) return;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddNumberToObject(item, "startLine", a.line);
    cJSON_AddNumberToObject(item, "endLine", b.line);
    if (kind) cJSON_AddStringToObject(item, "kind", kind);
    cJSON_AddItemToArray(out, item);
}

static void fold_clause(Kept *k, cJSON *out, const Clause *clause) {
    if (clause->end) fold(k, out, clause->pos, clause->end, NULL);
    if (clause->kind == CLAUSE_FOR)
        for (uint32_t i = 0; i < clause->loop->body->count; i++)
            fold_clause(k, out, clause->loop->body->item[i]);
    if (clause->kind != CLAUSE_IF && clause->kind != CLAUSE_WHEN &&
        clause->kind != CLAUSE_WHILE)
        return;
    for (uint32_t b = 0; b < clause->branches->count; b++)
        for (uint32_t i = 0; i < clause->branches->item[b].body->count; i++)
            fold_clause(k, out, clause->branches->item[b].body->item[i]);
}

static void fold_class(Server *s, Kept *k, cJSON *out, const Class *class_) {
    if (class_->form != FORM_LONG && class_->form != FORM_EXTENDS) return;
    fold(k, out, class_->start, class_->end, NULL);
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        Pos next = i + 1 < class_->count ? class_->section[i + 1].pos : class_->end;
        const Spans *spans = kept_spans(s, k);
        int          before = next ? spans_find(spans, next) - 1 : -1;
        if (section->pos && before >= 0)
            fold(k, out, section->pos, spans->item[before].pos, NULL);
        for (uint32_t e = 0; section->kind <= SECTION_PROTECTED && e < section->count;
             e++)
            if (section->element[e]->kind == ELEMENT_CLASS)
                fold_class(s, k, out, section->element[e]->class_);
        for (uint32_t c = 0;
             section->kind >= SECTION_EQUATION &&
             section->kind <= SECTION_INITIAL_ALGORITHM && c < section->count;
             c++)
            fold_clause(k, out, section->clause[c]);
    }
}

cJSON *request_folding(Server *s, const cJSON *params) {
    Document *d = document_of(s, params);
    Kept     *k = d ? world_enter(s, d) : NULL;
    cJSON    *out = cJSON_CreateArray();
    for (uint32_t i = 0; k && i < k->file->count; i++)
        fold_class(s, k, out, k->file->stored[i].class_);
    for (uint32_t i = 0; k && i < k->file->remarks; i++)
        fold(k, out, k->file->remark[i].pos,
             k->file->remark[i].pos + k->file->remark[i].length, "comment");
    return out;
}

/* ---- files of a folder ---- */

static bool is_modelica(const char *name) {
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".mo") == 0;
}

static void each_file(Server *s, const char *folder, FileVisit *visit, void *context,
                      int depth) {
    struct dirent **entry = NULL;
    int             n = depth < 64 ? scandir(folder, &entry, NULL, alphasort) : 0;
    for (int i = 0; i < n; i++) {
        struct stat info;
        Text        path = {0};
        const char *name = entry[i]->d_name;
        text_printf(&path, "%s/%s", folder, name);
        if (name[0] != '.' && strcmp(name, "Resources") != 0 &&
            stat(text_get(&path), &info) == 0) {
            if (S_ISDIR(info.st_mode))
                each_file(s, text_get(&path), visit, context, depth + 1);
            else if (S_ISREG(info.st_mode) && is_modelica(name))
                visit(context, text_get(&path));
        }
        text_free(&path);
        free(entry[i]);
    }
    free(entry);
}

void files_each(Server *s, const char *folder, FileVisit *visit, void *context) {
    each_file(s, folder, visit, context, 0);
}

void package_folder(Text *out, const char *path) {
    struct stat info;
    Text        folder = {0}, file = {0};
    text_add(&folder, path);
    for (;;) {
        char *slash = folder.length ? strrchr(folder.data, '/') : NULL;
        if (!slash) break;
        folder.length = (size_t)(slash - folder.data);
        *slash = '\0';
        text_clear(&file);
        text_printf(&file, "%s/package.mo", text_get(&folder));
        bool package = stat(text_get(&file), &info) == 0;
        if (!out->length || package) {
            text_clear(out);
            text_add(out, text_get(&folder));
        }
        if (!package) break;
    }
    text_free(&folder);
    text_free(&file);
}

/* ---- classes of the workspace ---- */

typedef struct Listed { /* a class */
    struct Listed *next;
    const char    *name, *around;
    int            kind;
    Point          from, to;
} Listed;

typedef struct WorkspaceFile { /* what was found in a file; the tree is not kept for it */
    const char     *path;
    struct timespec changed;
    off_t           size;
    int64_t         version;
    Listed         *first;
} WorkspaceFile;

typedef struct Lister {
    Server        *s;
    const char    *query;
    cJSON         *out;
    WorkspaceFile *file;
    Kept          *kept;
} Lister;

static void list_class(Lister *l, const Class *class_, const char *around) {
    Server       *s = l->s;
    const Source *source = l->kept->file->source;
    Listed       *item = NEW(&s->index, Listed, 1);
    const char   *name = name_of(&s->session, class_->name);
    uint32_t      at = class_->pos - source->base;
    *item = (Listed){.next = l->file->first,
                     .name = arena_string(&s->index, name, strlen(name)),
                     .around = around,
                     .kind = symbol_kind(class_),
                     .from = offset_point(kept_lines(l->kept), source->text, at),
                     .to = offset_point(kept_lines(l->kept), source->text,
                                        at + (uint32_t)strlen(name))};
    l->file->first = item;
    if (class_->form != FORM_LONG && class_->form != FORM_EXTENDS) return;
    const char *inner =
        *around ? arena_printf(&s->index, "%s.%s", around, name) : item->name;
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t e = 0; section->kind <= SECTION_PROTECTED && e < section->count;
             e++)
            if (section->element[e]->kind == ELEMENT_CLASS)
                list_class(l, section->element[e]->class_, inner);
    }
}

static void list_file(Lister *l) {
    const StoredFile *file = l->kept->file;
    Text              around = {0};
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&around, "%s%s", i ? "." : "",
                    name_of(&l->s->session, file->within->part[i].name));
    const char *name = arena_string(&l->s->index, text_get(&around), around.length);
    l->file->first = NULL;
    for (uint32_t i = 0; i < file->count; i++)
        list_class(l, file->stored[i].class_, name);
    text_free(&around);
}

static WorkspaceFile *file_listed(Server *s, const char *path) {
    Str            name = str_of(&s->session.strings, path);
    WorkspaceFile *f = (WorkspaceFile *)(intptr_t)map_get(&s->indexed_of, name, 0);
    if (f) return f;
    f = NEW(&s->index, WorkspaceFile, 1);
    f->path = arena_string(&s->index, path, strlen(path));
    f->version = -2;
    map_put(&s->indexed_of, name, (int64_t)(intptr_t)f);
    return f;
}

/* Is the query contained in the name, letters in order? */
static bool matches(const char *name, const char *query) {
    for (; *query; query++) {
        while (*name && strncasecmp(name, query, 1) != 0) name++;
        if (!*name++) return false;
    }
    return true;
}

static void add_listed(Lister *l, const Listed *item) {
    if (!matches(item->name, l->query) || cJSON_GetArraySize(l->out) >= 500) return;
    Text            uri = {0};
    const Document *d = document_at(l->s, l->file->path);
    if (d) text_add(&uri, d->uri);
    else path_uri(&uri, l->file->path);
    cJSON *out = cJSON_CreateObject(), *place = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "name", item->name);
    cJSON_AddNumberToObject(out, "kind", item->kind);
    cJSON_AddStringToObject(out, "containerName", item->around);
    cJSON_AddStringToObject(place, "uri", text_get(&uri));
    cJSON_AddItemToObject(place, "range", json_range(item->from, item->to));
    cJSON_AddItemToObject(out, "location", place);
    cJSON_AddItemToArray(l->out, out);
    text_free(&uri);
}

static void visit_listed(void *context, const char *path) {
    Lister     *l = context;
    struct stat info;
    if (stat(path, &info) != 0) return;
    WorkspaceFile  *f = l->file = file_listed(l->s, path);
    const Document *d = document_at(l->s, path);
    int64_t         version = d ? d->number : -1;
    bool            same = f->version == version && f->size == info.st_size &&
                f->changed.tv_sec == info.st_mtim.tv_sec &&
                f->changed.tv_nsec == info.st_mtim.tv_nsec;
    if (!same) {
        l->kept = kept_get(l->s, path);
        if (!l->kept) return;
        list_file(l);
        f->version = version;
        f->size = info.st_size;
        f->changed = info.st_mtim;
    }
    for (const Listed *item = f->first; item; item = item->next) add_listed(l, item);
    world_spare(l->s, 0);
}

cJSON *request_workspace_symbols(Server *s, const cJSON *params) {
    const char *query = json_text(params, "query");
    Lister      l = {.s = s, .query = query ? query : "", .out = cJSON_CreateArray()};
    for (int i = 0; i < s->folders; i++) files_each(s, s->folder[i], visit_listed, &l);
    for (Document *d = s->document; d; d = d->next) {
        bool inside = false;
        for (int i = 0; i < s->folders; i++)
            inside |= strncmp(d->path, s->folder[i], strlen(s->folder[i])) == 0;
        if (!inside) visit_listed(&l, d->path);
    }
    if (s->folders) world_change(s); /* the trees may be forgotten */
    return l.out;
}
