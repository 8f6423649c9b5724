/* SPDX-License-Identifier: Apache-2.0 */
/* server.c -- the loop, the table of requests, beginning and end (LSP 3.17, life cycle). */
#define _XOPEN_SOURCE 700
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

enum { /* errors of JSON-RPC and the protocol */
       PARSE_ERROR = -32700,
       INVALID_REQUEST = -32600,
       METHOD_NOT_FOUND = -32601,
       NOT_INITIALISED = -32002,
       REQUEST_FAILED = -32803
};

/* ---- answers ---- */

static cJSON *answer_to(const cJSON *id) {
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "jsonrpc", "2.0");
    cJSON_AddItemToObject(out, "id", id ? cJSON_Duplicate(id, true) : cJSON_CreateNull());
    return out;
}

static void refuse(Server *s, const cJSON *id, int code, const char *text) {
    cJSON *out = answer_to(id), *error = cJSON_CreateObject();
    cJSON_AddNumberToObject(error, "code", code);
    cJSON_AddStringToObject(error, "message", text);
    cJSON_AddItemToObject(out, "error", error);
    wire_send(&s->wire, out);
}

static void reply(Server *s, const cJSON *id, cJSON *result) {
    cJSON *out = answer_to(id);
    cJSON_AddItemToObject(out, "result", result ? result : cJSON_CreateNull());
    wire_send(&s->wire, out);
}

/* ---- beginning and end ---- */

static void add_folder(Server *s, const char *uri) {
    Text path = {0};
    if (uri && uri_path(&path, uri)) {
        char *real = realpath(text_get(&path), NULL);
        if (real) {
            s->folder = arena_grow(&s->arena, s->folder, sizeof(char *), &s->folder_room,
                                   s->folders + 1);
            s->folder[s->folders++] = arena_string(&s->arena, real, strlen(real));
        }
        free(real);
    }
    text_free(&path);
}

static void strings(cJSON *object, const char *name, const char *words) {
    cJSON *list = cJSON_AddArrayToObject(object, name);
    while (*words) {
        char   one[40];
        size_t n = strcspn(words, " ");
        snprintf(one, sizeof one, "%.*s", (int)n, words);
        cJSON_AddItemToArray(list, cJSON_CreateString(one));
        words += n + (words[n] == ' ');
    }
}

static cJSON *capabilities(void) {
    static const char *const simple[] = {"hoverProvider",
                                         "definitionProvider",
                                         "typeDefinitionProvider",
                                         "referencesProvider",
                                         "documentSymbolProvider",
                                         "workspaceSymbolProvider",
                                         "foldingRangeProvider",
                                         "documentFormattingProvider",
                                         "inlayHintProvider",
                                         "documentRangeFormattingProvider",
                                         "documentHighlightProvider"};
    cJSON                   *out = cJSON_CreateObject(), *item;
    cJSON_AddStringToObject(out, "positionEncoding", "utf-16");
    item = cJSON_AddObjectToObject(out, "textDocumentSync");
    cJSON_AddTrueToObject(item, "openClose");
    cJSON_AddNumberToObject(item, "change", 2); /* incremental */
    cJSON_AddTrueToObject(item, "save");
    for (int i = 0; i < LENGTH(simple); i++) cJSON_AddTrueToObject(out, simple[i]);
    item = cJSON_AddObjectToObject(out, "completionProvider");
    strings(item, "triggerCharacters", ". (");
    item = cJSON_AddObjectToObject(out, "signatureHelpProvider");
    strings(item, "triggerCharacters", "( ,");
    item = cJSON_AddObjectToObject(out, "renameProvider");
    cJSON_AddTrueToObject(item, "prepareProvider");
    item = cJSON_AddObjectToObject(out, "documentOnTypeFormattingProvider");
    cJSON_AddStringToObject(item, "firstTriggerCharacter", ";");
    item = cJSON_AddObjectToObject(out, "codeActionProvider");
    strings(item, "codeActionKinds", "quickfix");
    cJSON_AddObjectToObject(out, "codeLensProvider");
    item = cJSON_AddObjectToObject(out, "semanticTokensProvider");
    cJSON *legend = cJSON_AddObjectToObject(item, "legend");
    strings(legend, "tokenTypes", COLOUR_TYPES);
    strings(legend, "tokenModifiers", COLOUR_MODIFIERS);
    cJSON_AddTrueToObject(item, "full");
    return out;
}

static cJSON *initialise(Server *s, const cJSON *params) {
    const cJSON *folder;
    bool         any = false;
    cJSON_ArrayForEach(folder, json_at(params, "workspaceFolders")) {
        add_folder(s, json_text(folder, "uri"));
        any = true;
    }
    if (!any) add_folder(s, json_text(params, "rootUri"));
    s->lint_off = cJSON_IsFalse(json_at(params, "initializationOptions.lint"));
    s->whole = cJSON_IsFalse(json_at(params, "initializationOptions.partial"));
    const cJSON *can = json_at(params, "capabilities.workspace.workspaceEdit"), *one;
    cJSON_ArrayForEach(one, json_at(can, "resourceOperations")) {
        const char *name = cJSON_GetStringValue(one);
        s->moves |= name && strcmp(name, "rename") == 0 &&
                    cJSON_IsTrue(json_at(can, "documentChanges"));
    }
    s->initialised = true;
    cJSON *out = cJSON_CreateObject(), *info;
    cJSON_AddItemToObject(out, "capabilities", capabilities());
    info = cJSON_AddObjectToObject(out, "serverInfo");
    cJSON_AddStringToObject(info, "name", "rubato");
    cJSON_AddStringToObject(info, "version", s->settings->version);
    return out;
}

static cJSON *shut_down(Server *s, const cJSON *params) {
    (void)params;
    s->shut = true;
    return NULL;
}

/* ---- notifications ---- */

typedef void Notice(Server *s, const cJSON *params);

static void on_exit(Server *s, const cJSON *params) {
    (void)params;
    s->done = true;
}

/* ---- the table ---- */

static const struct {
    const char *method;
    Request    *answer; /* NULL: a notification */
    Notice     *take;   /* NULL: a request */
} methods[] = {
    {"initialize", initialise, NULL},
    {"shutdown", shut_down, NULL},
    {"textDocument/documentSymbol", request_symbols, NULL},
    {"textDocument/foldingRange", request_folding, NULL},
    {"workspace/symbol", request_workspace_symbols, NULL},
    {"textDocument/hover", request_hover, NULL},
    {"textDocument/definition", request_definition, NULL},
    {"textDocument/typeDefinition", request_type_definition, NULL},
    {"textDocument/references", request_references, NULL},
    {"textDocument/documentHighlight", request_highlight, NULL},
    {"textDocument/prepareRename", request_prepare_rename, NULL},
    {"textDocument/rename", request_rename, NULL},
    {"textDocument/completion", request_completion, NULL},
    {"textDocument/signatureHelp", request_signature, NULL},
    {"textDocument/semanticTokens/full", request_colours, NULL},
    {"textDocument/inlayHint", request_hints, NULL},
    {"textDocument/codeAction", request_actions, NULL},
    {"textDocument/codeLens", request_lens, NULL},
    {"textDocument/formatting", request_format, NULL},
    {"textDocument/rangeFormatting", request_format_range, NULL},
    {"textDocument/onTypeFormatting", request_format_typed, NULL},
    {"exit", NULL, on_exit},
    {"textDocument/didOpen", NULL, document_open},
    {"textDocument/didChange", NULL, document_change},
    {"textDocument/didClose", NULL, document_close},
    {"textDocument/didSave", NULL, document_save},
    {"workspace/didChangeWatchedFiles", NULL, document_save},
};

static void handle_request(Server *s, const cJSON *message, const char *method) {
    const cJSON *id = json_at(message, "id");
    if (!s->initialised && strcmp(method, "initialize") != 0) {
        refuse(s, id, NOT_INITIALISED, "the first request is 'initialize'");
        return;
    }
    if (s->shut) {
        refuse(s, id, INVALID_REQUEST, "the server is shut down");
        return;
    }
    for (int i = 0; i < LENGTH(methods); i++) {
        if (!methods[i].answer || strcmp(methods[i].method, method) != 0) continue;
        s->refusal = NULL;
        cJSON *result = methods[i].answer(s, json_at(message, "params"));
        if (s->refusal) refuse(s, id, REQUEST_FAILED, s->refusal);
        else reply(s, id, result);
        return;
    }
    refuse(s, id, METHOD_NOT_FOUND, method);
}

static void handle(Server *s, const cJSON *message) {
    const char *method = json_text(message, "method");
    if (!cJSON_IsObject(message)) {
        refuse(s, NULL, PARSE_ERROR, "this is no message");
        return;
    }
    if (!method) return; /* an answer to us: we ask nothing */
    if (json_at(message, "id")) {
        handle_request(s, message, method);
        return;
    }
    for (int i = 0; i < LENGTH(methods); i++)
        if (methods[i].take && strcmp(methods[i].method, method) == 0 &&
            (s->initialised || methods[i].take == on_exit))
            methods[i].take(s, json_at(message, "params"));
}

/* ---- the loop ---- */

static void step(Server *s) {
    double wait = check_wait(s);
    cJSON *message = wire_receive(&s->wire, wait < 0 ? -1 : (int)(1e3 * wait + 0.999));
    if (message) {
        handle(s, message);
        cJSON_Delete(message);
        return;
    }
    if (s->wire.closed) {
        s->done = true;
        return;
    }
    Document *due = check_due(s);
    if (due && check_wait(s) <= 0) check_document(s, due);
}

int lsp_serve(const LspSettings *settings) {
    Server *s = mem_take(1, sizeof *s);
    s->settings = settings;
    s->wire = (Channel){.in = settings->in, .out = settings->out};
    session_init(&s->session);
    s->foreign.sources = &s->session.sources;
    s->foreign.options = (CodeOptions){.tier = -1, .trust = settings->trust};
    while (!s->done && !s->wire.broken) step(s);
    bool clean = s->shut;
    documents_free(s);
    world_free(s);
    wire_close(&s->wire);
    arena_free(&s->arena);
    arena_free(&s->index);
    map_free(&s->indexed_of);
    mem_free(s);
    return clean ? 0 : 1;
}
