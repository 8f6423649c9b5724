/* SPDX-License-Identifier: Apache-2.0 */
/* compiler.c -- RbCompiler: libraries, messages, translation.
 *
 * Everything a compiler takes belongs to one domain of memory. If memory runs out in a call, the
 * call fails, all of it is released, and the compiler can only be freed. */
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

struct RbCompiler {
    Memory *memory;
    Inside *inside; /* NULL: memory ran out */
};

/* ---- calls inside the domain ---- */

typedef struct Asked {
    RbCompiler       *compiler;
    const RbSettings *settings;
    const char       *path, *home;
    const RbRequest  *request;
    RbError          *error;
    RbStatus          status;
    Program          *program;
    Keep              keep;
    bool              from_cache;
    bool    single; /* values of single instances: others may want families of the same */
    int     first;
    RbStyle style;
} Asked;

/* False: no memory; the error says so. */
static bool call_inside(Asked *call, void (*what)(void *call)) {
    RbCompiler *c = call->compiler;
    error_none(call->error);
    if (c->memory && memory_call(c->memory, what, call)) return true;
    c->inside = NULL;
    call->status = error_set(call->error, RB_NO_MEMORY, "there is no memory");
    return false;
}

static bool is_lost(Asked *call) {
    if (call->compiler->inside) return false;
    call->status =
        error_set(call->error, RB_NO_MEMORY, "this compiler ran out of memory");
    return true;
}

static bool is_reserved(const void *session, const char *word) {
    return session_is_keyword(session, word);
}

static bool read_unit(const void *session, const char *path, Text *text, Text *why) {
    return guest_class(path, is_reserved, session, text, why);
}

static void open_inside(void *context) {
    Asked  *call = context;
    Inside *in = mem_take(1, sizeof *in);
    if (call->settings) {
        if (call->settings->cache) text_add(&in->cache, call->settings->cache);
        if (call->settings->c_compiler)
            text_add(&in->c_compiler, call->settings->c_compiler);
        in->trust = call->settings->trust;
    }
    in->options = (CodeOptions){
        .tier = -1,
        .cache = in->cache.length ? text_get(&in->cache) : NULL,
        .compiler = in->c_compiler.length ? text_get(&in->c_compiler) : NULL,
        .trust = in->trust,
        .own = guest_function};
    in->foreign.options = in->options;
    in->cache_bytes = call->settings ? call->settings->cache_bytes : 0;
    session_init(&in->session);
    in->foreign.sources = &in->session.sources;
    in->foreign.unit = read_unit;
    in->foreign.owner = &in->session;
    library_init(&in->library, &in->session);
    in->library.trust = in->trust;
    call->compiler->inside = in;
}

RbCompiler *rb_compiler_new(const RbSettings *settings, RbError *error) {
    RbCompiler *c = mem_take(1, sizeof *c);
    Asked       call = {.compiler = c, .settings = settings, .error = error};
    if (!c) {
        error_set(error, RB_NO_MEMORY, "there is no memory");
        return NULL;
    }
    c->memory = memory_new();
    if (call_inside(&call, open_inside)) return c;
    rb_compiler_free(c);
    return NULL;
}

static void close_inside(void *context) {
    Asked  *call = context;
    Inside *in = call->compiler->inside;
    foreign_close(&in->foreign);
    library_free(&in->library);
    session_free(&in->session);
}

void rb_compiler_free(RbCompiler *c) {
    if (!c) return;
    Asked call = {.compiler = c};
    if (c->inside) call_inside(&call, close_inside);
    memory_free(c->memory);
    mem_free(c);
}

/* ---- libraries ---- */

static void add_library(void *context) {
    Asked  *call = context;
    Inside *in = call->compiler->inside;
    int     first = in->session.diag.count;
    text_printf(&in->key, "%s\n", call->path);
    if (!library_add(&in->library, call->path))
        call->status = error_from(call->error, RB_FILE, &in->session.diag, first);
}

RbStatus rb_add_library(RbCompiler *c, const char *path, RbError *error) {
    Asked call = {.compiler = c, .path = path, .error = error};
    if (!path) return error_set(error, RB_ARGUMENT, "no library is named");
    if (!is_lost(&call)) call_inside(&call, add_library);
    return call.status;
}

static void add_defaults(void *context) {
    Asked  *call = context;
    Inside *in = call->compiler->inside;
    text_printf(&in->key, "%s\n%s\n", call->path ? call->path : "",
                call->home ? call->home : "");
    library_add_defaults(&in->library, call->path, call->home);
    Text own = {0};
    if (libraries_beside(&own)) {
        text_printf(&in->key, "%s\n", text_get(&own));
        library_add(&in->library, text_get(&own));
    }
    text_free(&own);
}

RbStatus rb_add_default_libraries(RbCompiler *c, const char *modelicapath,
                                  const char *home, RbError *error) {
    Asked call = {.compiler = c, .path = modelicapath, .home = home, .error = error};
    if (!is_lost(&call)) call_inside(&call, add_defaults);
    return call.status;
}

/* ---- translation ---- */

static bool is_file(const char *word) {
    size_t n = strlen(word);
    return n > 3 && strcmp(word + n - 3, ".mo") == 0;
}

static void on_pass(void *owner, const char *name, bool fine, double seconds) {
    const RbRequest *r = owner;
    if (r->pass) r->pass(r->owner, &(RbPass){name, fine, seconds});
}

static Setting *read_settings(Inside *in, const RbRequest *r) {
    Setting *setting = NEW(&in->session.ast, Setting, r->sets + 1);
    for (int i = 0; i < r->sets; i++)
        setting[i] = (Setting){.name = r->set[i].name, .value = r->set[i].value};
    return setting;
}

/* The first setting that cannot be done ends the call. */
static bool refused(Asked *call, const Setting *setting) {
    for (int i = 0; i < call->request->sets; i++) {
        if (!setting[i].refused) continue;
        call->status = error_set(call->error, RB_ARGUMENT, "--set %s=%s: %s",
                                 setting[i].name, setting[i].value, setting[i].refused);
        return true;
    }
    return false;
}

static bool is_refused(const Setting *setting, int n) {
    for (int i = 0; i < n; i++)
        if (setting[i].refused) return true;
    return false;
}

/* Out of the cache: at first with the modifiers that are known to be some, then with those that
 * the program found says are some. */
static Program *from_cache(Asked *call, Setting *setting, Text *modifiers) {
    const RbRequest *r = call->request;
    Inside          *in = call->compiler->inside;
    bool             wanted = in->options.cache && !r->fresh && !r->until && !r->dump &&
                  !r->summary && !r->check;
    if (!wanted) return NULL;
    for (int round = 0; round < 2; round++) {
        CacheKey key = cache_key(in, r, text_get(modifiers));
        Text     messages = {0};
        Program *p = cache_load(in, &key, &messages);
        if (!p) return NULL;
        NamedVariables named = program_named(p);
        bool           more = settings_sort(setting, r->sets, &named);
        /* single elements are for the model as a whole */
        bool other = p->batches.chosen && is_refused(setting, r->sets);
        if (!more && !other) cache_messages(in, p, &messages);
        text_free(&messages);
        if (!more && !other) return p;
        if (other) return program_free(p), NULL;
        text_clear(modifiers);
        settings_modifiers(setting, r->sets, &named, modifiers);
        program_free(p);
    }
    return NULL;
}

static bool fails(Asked *call, Translation *t, const char *first, const char *last) {
    Inside *in = call->compiler->inside;
    int     before = in->session.diag.count;
    if (translate_run(t, first, last)) return false;
    if (translate_instead(t)) return fails(call, t, "instantiate", last);
    call->status = error_from(call->error, RB_MODEL, &in->session.diag, before);
    return true;
}

/* Up to the rows, again if settings turn out to be modifiers, then to the program; once more if
 * something is computed together with what is set. */
static bool translate_all(Asked *call, Translation *t, Setting *setting,
                          Text *modifiers) {
    const RbRequest *r = call->request;
    t->modifiers = modifiers->length ? text_get(modifiers) : NULL;
    if (fails(call, t, NULL, "rows")) return false;
    for (int round = 0; round < 4 && r->sets && !t->stopped; round++) {
        NamedVariables named =
            t->program ? program_named(t->program) : system_named(&t->rows->sys);
        bool more = settings_sort(setting, r->sets, &named);
        if (is_refused(setting, r->sets) && translate_instead(t)) {
            call->single = true;
            if (fails(call, t, "instantiate", "rows")) return false;
            continue;
        }
        if (refused(call, setting)) return false;
        if (!more) {
            if (t->program) break;
            if (fails(call, t, "recognise", "freeze")) return false;
            continue;
        }
        text_clear(modifiers);
        settings_modifiers(setting, r->sets, &named, modifiers);
        translate_again(t, text_get(modifiers));
        if (fails(call, t, "instantiate", "rows")) return false;
    }
    return t->stopped || t->program || !fails(call, t, "recognise", "freeze");
}

static void translate(void *context) {
    Asked           *call = context;
    const RbRequest *r = call->request;
    Inside          *in = call->compiler->inside;
    Setting         *setting = read_settings(in, r);
    Text             modifiers = {0};
    int              first = in->session.diag.count;
    bool             file = r->text || is_file(r->target);
    text_clear(&in->text);
    in->session.diag.errors =
        0; /* those of earlier requests do not make this one wrong */
    call->program = from_cache(call, setting, &modifiers);
    call->from_cache = call->program != NULL;
    if (call->program) {
        if (refused(call, setting)) program_free(call->program), call->program = NULL;
        else mem_give(call->program), mem_give(call->program->block);
        text_free(&modifiers);
        return;
    }
    Translation t = {.session = &in->session,
                     .library = &in->library,
                     .foreign = &in->foreign,
                     .file = file ? r->target : NULL,
                     .text = r->text,
                     .beside = r->beside,
                     .besides = r->besides,
                     .class_ = file ? r->model : r->target,
                     .selective = r->rates,
                     .selective_if_worth = r->rates_if_worth,
                     .components = r->components,
                     .components_if_worth = r->components_if_worth && !r->components,
                     .staggered = r->staggered,
                     .sensitive = r->sensitivities && !r->components,
                     .theta = r->theta,
                     .check = r->check,
                     .watch = {r->dump, r->until, on_pass, (void *)r}};
    bool        fine = translate_all(call, &t, setting, &modifiers);
    if (r->dump) text_bytes(&in->text, text_get(&t.dump), t.dump.length);
    if (r->summary) translate_summary(&t, &in->text);
    if (fine && t.program && !t.stopped) {
        CacheKey key = cache_key(in, r, text_get(&modifiers));
        if (!call->single) call->keep = cache_entry(in, &key, first);
        mem_give(t.program);
        mem_give(t.program->block);
        call->program = t.program;
    } else {
        program_free(t.program);
    }
    translate_close(&t);
    text_free(&modifiers);
}

RbProgram *rb_translate(RbCompiler *c, const RbRequest *request, RbError *error) {
    Asked call = {.compiler = c, .request = request, .error = error};
    if (!request || !request->target) {
        error_set(error, RB_ARGUMENT, "no target is named");
        return NULL;
    }
    if (is_lost(&call) || !call_inside(&call, translate) || !call.program) return NULL;
    RbProgram *p = program_wrap(call.program, &c->inside->options);
    if (!p) {
        error_set(error, RB_NO_MEMORY, "there is no memory");
        TEXT_FREE(&call.keep.path, &call.keep.head);
        return NULL;
    }
    p->from_cache = call.from_cache;
    p->keep = call.keep;
    return p;
}

/* ---- messages ---- */

const char *rb_text(const RbCompiler *c) {
    return c->inside ? text_get(&c->inside->text) : "";
}

int rb_message_count(const RbCompiler *c) {
    return c->inside ? c->inside->session.diag.count : 0;
}

RbMessage rb_message(const RbCompiler *c, int number) {
    if (number < 0 || number >= rb_message_count(c))
        return (RbMessage){.severity = RB_NOTE, .code = "", .text = ""};
    const Diag    *diag = &c->inside->session.diag;
    const Message *m = &diag->message[number];
    Place          place = source_place(diag->sources, m->pos);
    return (RbMessage){.severity = (RbSeverity)m->severity,
                       .code = m->code ? code_info(m->code)->id : "",
                       .text = m->text,
                       .file = place.source ? place.source->path : NULL,
                       .line = place.line,
                       .column = place.column};
}

static void find_resource(void *context) {
    Asked  *call = context;
    Inside *in = call->compiler->inside;
    text_clear(&in->words);
    if (!library_resource(&in->library, call->path, &in->words)) text_clear(&in->words);
}

const char *rb_resource(RbCompiler *c, const char *uri) {
    Asked call = {.compiler = c, .path = uri};
    if (is_lost(&call)) return NULL;
    call_inside(&call, find_resource);
    return call.status == RB_OK && c->inside->words.length ? text_get(&c->inside->words)
                                                           : NULL;
}

static void print_messages(void *context) {
    Asked  *call = context;
    Inside *in = call->compiler->inside;
    messages_print(&in->words, &in->session.diag, call->first, call->style);
}

const char *rb_messages(RbCompiler *c, int first, RbStyle style) {
    Asked call = {.compiler = c, .first = first, .style = style};
    if (!c->inside || !call_inside(&call, print_messages)) return "";
    return text_get(&c->inside->words);
}

bool rb_is_pass(const char *name, char *names, size_t room) {
    Text all = {0};
    bool known = translate_pass(name, &all);
    if (room) snprintf(names, room, "%s", text_get(&all));
    text_free(&all);
    return known;
}
