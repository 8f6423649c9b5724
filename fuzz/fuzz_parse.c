/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_parse.c -- libFuzzer target for lexer, parser and formatter.
 *
 * Any bytes must give a tree or messages. If the text is right, what the formatter prints
 * must parse to an equal tree, and formatting that again must change nothing. */
#include "syntax/syntax.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const StoredFile *parse(Session *session, const char *text, size_t size) {
    const Source *source;
    session_init(session);
    if (source_add(&session->sources, "input", text, size, &source) != SOURCE_OK) abort();
    return parse_source(session, source);
}

static void same_tree(Session *a, const StoredFile *one, Session *b,
                      const StoredFile *two) {
    Text left = {0}, right = {0};
    dump_file(&left, a, one, true);
    dump_file(&right, b, two, true);
    if (!two->good || strcmp(text_get(&left), text_get(&right)) != 0) abort();
    text_free(&left);
    text_free(&right);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session           session, again;
    Text              messages = {0}, formatted = {0}, twice = {0};
    const StoredFile *file = parse(&session, (const char *)data, size);
    diag_print(&messages, &session.diag, 0, false);
    if (!file->good && !session.diag.errors) abort();
    if (file->good) {
        format_file(&formatted, &session, file);
        const StoredFile *second = parse(&again, text_get(&formatted), formatted.length);
        same_tree(&session, file, &again, second);
        format_file(&twice, &again, second);
        if (strcmp(text_get(&formatted), text_get(&twice)) != 0) abort();
        session_free(&again);
    }
    session_free(&session);
    text_free(&messages);
    text_free(&formatted);
    text_free(&twice);
    return 0;
}
