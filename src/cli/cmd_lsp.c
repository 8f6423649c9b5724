/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_lsp.c -- rubato lsp: the language server on standard input and output. */
#define _XOPEN_SOURCE 700
#include "cli/cli.h"
#include "code/code.h"
#include "lsp/lsp.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_CJSON

/* Paths of files in messages are absolute, so those of libraries are, too. */
static const char *absolute(Job *job, const char *path) {
    char       *real = realpath(path, NULL);
    const char *copy =
        arena_string(&job->arena, real ? real : path, strlen(real ? real : path));
    free(real);
    return copy;
}

int command_lsp(Job *job) {
    const Words *library = &job->options.library;
    const char **path = NEW(&job->arena, const char *, library->count + 1);
    Text         own = {0};
    for (int i = 0; i < library->count; i++) path[i] = absolute(job, library->item[i]);
    bool found = libraries_beside(&own);
    signal(SIGPIPE, SIG_IGN); /* an editor that is gone ends the server */
    LspSettings settings = {.in = STDIN_FILENO,
                            .out = STDOUT_FILENO,
                            .library = path,
                            .libraries = library->count,
                            .modelicapath = getenv("MODELICAPATH"),
                            .home = getenv("HOME"),
                            .own = found ? absolute(job, text_get(&own)) : NULL,
                            .version = rb_version(),
                            .trust = job->options.trust};
    int         status = lsp_serve(&settings);
    text_free(&own);
    return status ? EXIT_MODEL : EXIT_DONE;
}

#else

int command_lsp(Job *job) {
    (void)job;
    fprintf(stderr, "rubato: this program was built without cJSON, which the language "
                    "server needs (Debian: libcjson-dev)\n");
    return EXIT_USAGE;
}

#endif
