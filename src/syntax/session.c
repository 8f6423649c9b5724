/* SPDX-License-Identifier: Apache-2.0 */
/* session.c -- what lives as long as the loaded text. */
#include "syntax/lexer.h"

#include <string.h>
#include <assert.h>

static void intern_keywords(Strings *strings) {
    static const char *const keyword[] = {
#define X(upper, lower) #lower,
        KEYWORDS(X)
#undef X
    };
    for (int i = 0; i < LENGTH(keyword); i++) {
        Str str = str_of(strings, keyword[i]);
        assert(str == (Str)i + 1);
        (void)str;
    }
}

void session_init(Session *session) {
    strings_init(&session->strings);
    sources_init(&session->sources);
    diag_init(&session->diag, &session->sources);
    session->ast = (Arena){0};
    session->predefined = NULL;
    intern_keywords(&session->strings);
}

void session_free(Session *session) {
    diag_free(&session->diag);
    sources_free(&session->sources);
    strings_free(&session->strings);
    arena_free(&session->ast);
}

bool session_is_keyword(const Session *session, const char *word) {
    Str known = str_find(&session->strings, word, strlen(word));
    return known && known <= KEYWORD_COUNT;
}

const char *name_of(const Session *session, Str str) {
    return str_text(&session->strings, str);
}

const Mod *mods_find(const Session *session, const Mods *mods, const char *name) {
    for (uint32_t i = 0; mods && i < mods->count; i++)
        if (mods->item[i].kind == MOD_VALUE &&
            strcmp(name_of(session, mods->item[i].name), name) == 0)
            return &mods->item[i];
    return NULL;
}
