/* SPDX-License-Identifier: Apache-2.0 */
/* check.c -- messages about an open text.
 *
 * Syntax is told at once. Where it is right, every class of the file is looked at by itself after a
 * short pause, that under the cursor first: lookup, types, balance, units, and the structure of
 * models that need nothing from outside. A check asks now and then whether the editor has something
 * to say, and ends then; it begins again when that is answered. After some such ends only a change
 * of a text ends it, so that an editor that keeps asking gets its messages, too.
 *
 * The messages of a text follow from the text and the libraries alone, not from what was there
 * before. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

static const double PAUSE = 0.015;  /* seconds without a keystroke before a check */
static const double PARTLY = 0.080; /* messages so far are sent after so many */
enum { PATIENCE = 4 };              /* ends by questions before they have to wait */

typedef struct Findings {
    Server   *s;
    Document *document;
    Kept     *kept;
    cJSON    *list;
    Arena     arena;
    Pos       at; /* of the name of the class that is looked at */
    double    sent;
} Findings;

/* ---- messages as the protocol has them ---- */

static void send(Server *s, Document *d, const cJSON *list) {
    char *text = cJSON_PrintUnformatted(list);
    if (text && d->told && strcmp(text, d->told) == 0 && !d->due) {
        cJSON_free(text);
        return;
    }
    mem_free(d->told);
    d->told = mem_string(text ? text : "");
    cJSON_free(text);
    cJSON *message = cJSON_CreateObject(), *params = cJSON_CreateObject();
    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    cJSON_AddStringToObject(message, "method", "textDocument/publishDiagnostics");
    cJSON_AddStringToObject(params, "uri", d->uri);
    cJSON_AddNumberToObject(params, "version", (double)d->version);
    cJSON_AddItemToObject(params, "diagnostics", cJSON_Duplicate(list, true));
    cJSON_AddItemToObject(message, "params", params);
    wire_send(&s->wire, message);
}

static void add_related(Findings *f, cJSON *item, Pos pos, const char *text) {
    cJSON *place = kept_location(f->s, pos);
    if (!place) return;
    cJSON *list = cJSON_GetObjectItem(item, "relatedInformation");
    if (!list) list = cJSON_AddArrayToObject(item, "relatedInformation");
    cJSON *note = cJSON_CreateObject();
    cJSON_AddItemToObject(note, "location", place);
    cJSON_AddStringToObject(note, "message", text);
    cJSON_AddItemToArray(list, note);
}

static int severity_of(const Message *m) {
    const char *id = code_info(m->code)->id;
    if (id[0] == 'W') return 3; /* of the linter: information */
    return m->severity == SEVERITY_ERROR ? 1 : 2;
}

/* What is found elsewhere is told at the name of the class, and leads there. */
static cJSON *one_message(Findings *f, const Message *m) {
    cJSON *item = cJSON_CreateObject();
    bool   here = m->pos && kept_of(f->s, m->pos) == f->kept;
    Pos    pos = here ? m->pos : f->at ? f->at : f->kept->file->source->base;
    cJSON_AddItemToObject(item, "range", kept_range(f->s, f->kept, pos));
    cJSON_AddNumberToObject(item, "severity", severity_of(m));
    cJSON_AddStringToObject(item, "code", code_info(m->code)->id);
    cJSON_AddStringToObject(item, "source", "rubato");
    cJSON_AddStringToObject(item, "message", m->text);
    if (!here) add_related(f, item, m->pos, m->text);
    return item;
}

static bool is_there(const cJSON *list, const cJSON *item) {
    const cJSON *other;
    cJSON_ArrayForEach(other, list) {
        if (strcmp(json_text(other, "message"), json_text(item, "message")) == 0 &&
            cJSON_Compare(json_at(other, "range"), json_at(item, "range"), true))
            return true;
    }
    return false;
}

/* fresh: none of them can be there already */
static void collect(Findings *f, const Message *message, int count, bool fresh) {
    cJSON *last = NULL;
    for (int i = 0; i < count; i++) {
        const Message *m = &message[i];
        if (m->severity != SEVERITY_NOTE) {
            last = one_message(f, m);
            if (!fresh && is_there(f->list, last)) {
                cJSON_Delete(last);
                last = NULL;
            } else cJSON_AddItemToArray(f->list, last);
        } else if (last) {
            Text text = {0};
            if (!m->pos || !kept_of(f->s, m->pos)) { /* a note without a place */
                text_printf(&text, "%s\n%s", json_text(last, "message"), m->text);
                cJSON_ReplaceItemInObject(last, "message",
                                          cJSON_CreateString(text_get(&text)));
                text_free(&text);
            } else add_related(f, last, m->pos, m->text);
        }
    }
}

/* ---- one class ---- */

static bool interrupted(void *owner) {
    Server *s = owner;
    if (s->interrupted || ++s->polls % 16) return s->interrupted;
    double now = clock_now();
    if (now - s->polled < 5e-4) return false;
    s->polled = now;
    if (!wire_waiting(&s->wire)) return false;
    s->interrupted = s->ended < PATIENCE || s->wire.closed ||
                     strstr(text_get(&s->wire.inbox) + s->wire.used, "didChange") != NULL;
    return s->interrupted;
}

/* What a model needs from outside. */
typedef enum { NEEDS_NOTHING, NEEDS_PARTNERS, NEEDS_SIGNALS } Needs;

static bool is_overconstrained(const Front *front, const Cls *cls) {
    if (map_has(&cls->own, WORD(front, equalityConstraint))) return true;
    for (int k = 0; k < cls->bases; k++)
        if (is_overconstrained(front, cls->base[k])) return true;
    return false;
}

/* Are there equations that come with connections only? */
static bool has_signals(const Front *front, const Inst *inst) {
    if (inst->way == WAY_INPUT || inst->expandable) return true;
    if (is_overconstrained(front, inst->cls)) return true;
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k] && has_signals(front, inst->child[k])) return true;
    return false;
}

static Needs needs_of(const FlatModel *flat) {
    const Inst *root = flat ? flat->root : NULL;
    Needs       needs = NEEDS_NOTHING;
    for (int k = 0; root && k < root->nchild; k++) {
        const Inst *child = root->child[k];
        if (!child) continue;
        if (child->prefix.outer && needs == NEEDS_NOTHING) needs = NEEDS_PARTNERS;
        if (child->prefix.protected_ || (!child->connector && child->way != WAY_INPUT))
            continue;
        if (needs == NEEDS_NOTHING) needs = NEEDS_PARTNERS;
        if (has_signals(flat->front, child)) needs = NEEDS_SIGNALS;
    }
    return needs;
}

/* Messages that only say what the surroundings of a component will give. */
static bool left_to_others(const Message *m, Needs needs) {
    switch (m->code) {
    case CODE_F150: /* sizes and conditions that depend on an outer component */
    case CODE_F151:
    case CODE_F152:
    case CODE_F160: /* no inner */
    case CODE_F161:
    case CODE_F183: return needs != NEEDS_NOTHING; /* no root of a graph */
    case CODE_F170: return needs == NEEDS_SIGNALS; /* counts */
    default: return false;
    }
}

static void leave_to_others(Diag *diag, Needs needs) {
    int  kept = 0;
    bool gone = false;
    for (int k = 0; k < diag->count; k++) {
        const Message *m = &diag->message[k];
        if (m->severity != SEVERITY_NOTE) gone = left_to_others(m, needs);
        if (!gone) diag->message[kept++] = *m;
    }
    diag->count = kept;
}

static bool can_be_translated(const Class *c) {
    return (c->kind == CLASS_MODEL || c->kind == CLASS_BLOCK) && !c->partial &&
           c->form == FORM_LONG;
}

static void translate(Findings *f, const char *name) {
    Server     *s = f->s;
    Translation t = {.session = &s->session,
                     .library = &s->library,
                     .foreign = &s->foreign,
                     .class_ = name,
                     .watch = {.stop = interrupted, .owner = s}};
    bool        fine = translate_run(&t, "parse", "flatten");
    Needs       needs = needs_of(t.flat);
    if (fine && needs == NEEDS_NOTHING) translate_run(&t, "rows", "partitions");
    leave_to_others(&s->session.diag, needs);
    translate_close(&t);
}

static void look(Findings *f, const char *name) {
    Front *front = front_new(&f->s->session, &f->s->library);
    front->watch.stop = interrupted;
    front->watch.owner = f->s;
    class_look(front, name);
    front_free(front);
}

/* False: the editor has something to say. */
static bool check_class_named(Findings *f, const Class *class_, const char *name) {
    Diag *diag = &f->s->session.diag;
    diag_free(diag);
    diag_init(diag, &f->s->session.sources);
    f->at = class_->pos;
    if (can_be_translated(class_)) translate(f, name);
    else look(f, name);
    if (!f->s->interrupted) collect(f, diag->message, diag->count, false);
    diag_free(diag);
    diag_init(diag, &f->s->session.sources);
    return !f->s->interrupted;
}

/* ---- all classes of a file ---- */

typedef struct Named {
    const Class *class_;
    const char  *name;
} Named;

typedef struct ClassList {
    Named *item;
    int    count, room;
} ClassList;

static void list_classes(Findings *f, ClassList *list, const Class *class_,
                         const char *around) {
    const char *own = name_of(&f->s->session, class_->name);
    const char *name = *around ? arena_printf(&f->arena, "%s.%s", around, own) : own;
    list->item =
        arena_grow(&f->arena, list->item, sizeof(Named), &list->room, list->count + 1);
    list->item[list->count++] = (Named){class_, name};
    if (class_->form != FORM_LONG || class_->kind != CLASS_PACKAGE) return;
    for (uint32_t i = 0; i < class_->count; i++) {
        const Section *section = &class_->section[i];
        for (uint32_t k = 0; section->kind <= SECTION_PROTECTED && k < section->count;
             k++)
            if (section->element[k]->kind == ELEMENT_CLASS)
                list_classes(f, list, section->element[k]->class_, name);
    }
}

static ClassList classes_of(Findings *f) {
    const StoredFile *file = f->kept->file;
    ClassList         list = {0};
    Text              around = {0};
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&around, "%s%s", i ? "." : "",
                    name_of(&f->s->session, file->within->part[i].name));
    const char *name = arena_string(&f->arena, text_get(&around), around.length);
    text_free(&around);
    for (uint32_t i = 0; i < file->count; i++)
        list_classes(f, &list, file->stored[i].class_, name);
    return list;
}

/* That under the cursor, else the last one: it is the model in most files. */
static int first_of(const Findings *f, const ClassList *list) {
    Pos pos = f->kept->file->source->base + f->document->cursor;
    int best = list->count - 1;
    for (int i = 0; i < list->count; i++)
        if (list->item[i].class_->start <= pos && pos <= list->item[i].class_->stop)
            best = i;
    return best;
}

static int by_place(const void *a, const void *b) {
    const cJSON             *x = *(cJSON *const *)a, *y = *(cJSON *const *)b;
    static const char *const key[] = {"range.start.line", "range.start.character"};
    for (int k = 0; k < 2; k++) {
        double d = json_number(x, key[k], 0) - json_number(y, key[k], 0);
        if (d != 0) return d < 0 ? -1 : 1;
    }
    int order = strcmp(json_text(x, "code"), json_text(y, "code"));
    return order ? order : strcmp(json_text(x, "message"), json_text(y, "message"));
}

/* Whatever class was looked at first, the list is the same. */
static void sort(Findings *f) {
    int     n = cJSON_GetArraySize(f->list);
    cJSON **item = NEW(&f->arena, cJSON *, n + 1);
    for (int i = 0; i < n; i++) item[i] = cJSON_DetachItemFromArray(f->list, 0);
    if (n) qsort(item, (size_t)n, sizeof *item, by_place);
    for (int i = 0; i < n; i++) cJSON_AddItemToArray(f->list, item[i]);
}

/* A file in the folder of a package begins with its name. False: it does not, reported. */
static bool check_within(Findings *f) {
    const StoredFile *file = f->kept->file;
    Text              wanted = {0}, found = {0};
    Diag             *diag = &f->s->session.diag;
    world_within(&wanted, f->kept->path);
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&found, "%s%s", i ? "." : "",
                    name_of(&f->s->session, file->within->part[i].name));
    bool right = !wanted.length || strcmp(text_get(&wanted), text_get(&found)) == 0;
    if (!right) {
        diag_report(
            diag, file->has_within ? file->within_pos : file->source->base, CODE_S107,
            "this file belongs to the package '%s': it must start with 'within %s;'",
            text_get(&wanted), text_get(&wanted));
        collect(f, diag->message, diag->count, false);
    }
    TEXT_FREE(&wanted, &found);
    return right;
}

static bool check_classes(Findings *f) {
    ClassList list = classes_of(f);
    int       first = first_of(f, &list);
    for (int k = 0; k < list.count; k++) {
        int i = k == 0 ? first : k <= first ? k - 1 : k;
        if (!check_class_named(f, list.item[i].class_, list.item[i].name)) return false;
        if (f->s->whole || clock_now() - f->sent < PARTLY || k + 1 == list.count)
            continue;
        sort(f);
        send(f->s, f->document, f->list);
        f->sent = clock_now();
    }
    return true;
}

static Findings begin(Server *s, Document *d) {
    return (Findings){.s = s,
                      .document = d,
                      .kept = world_enter(s, d),
                      .list = cJSON_CreateArray(),
                      .sent = clock_now()};
}

static void end(Findings *f) {
    cJSON_Delete(f->list);
    arena_free(&f->arena);
}

void check_syntax(Server *s, Document *d) {
    Findings f = begin(s, d);
    s->ended = 0;
    if (f.kept && !f.kept->file->good) {
        collect(&f, f.kept->message, f.kept->messages, false);
        sort(&f);
        send(s, d, f.list);
        d->due = false;
    }
    end(&f);
}

void check_document(Server *s, Document *d) {
    Findings f = begin(s, d);
    bool     done = true;
    s->interrupted = false;
    if (f.kept) collect(&f, f.kept->message, f.kept->messages, false);
    if (f.kept && f.kept->file->good && check_within(&f)) {
        done = check_classes(&f);
        if (done && !s->lint_off) {
            f.at = 0;
            lint_file(world_front(s), f.kept->file, &s->rules);
            collect(&f, s->session.diag.message, s->session.diag.count, true);
        }
    }
    if (done) {
        sort(&f);
        send(s, d, f.list);
        d->due = false;
    } else s->ended++;
    end(&f);
}

Document *check_due(Server *s) {
    Document *best = NULL; /* that which changed last */
    for (Document *d = s->document; d; d = d->next)
        if (d->due && (!best || d->since > best->since)) best = d;
    return best;
}

double check_wait(const Server *s) {
    double          wait = -1, now = clock_now();
    const Document *d = check_due((Server *)s);
    if (d) wait = d->since + PAUSE - now;
    return d && wait < 0 ? 0 : wait;
}
