/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_lint.c -- rubato lint: what is right and yet may be a mistake.
 *
 * Files are parsed once, whether they are looked at or only looked up: the library asks here. */
#define _XOPEN_SOURCE 700
#include "cli/cli.h"
#include "code/code.h"
#include "lint/lint.h"

#include <stdlib.h>
#include <string.h>

typedef struct Files { /* what was parsed, by path */
    Job *job;
    Map  of; /* Str -> StoredFile */
} Files;

static const StoredFile *read_once(void *context, const char *path) {
    Files  *files = context;
    Str     name = str_of(&files->job->session.strings, path);
    int64_t known = map_get(&files->of, name, 0);
    if (known) return (const StoredFile *)(intptr_t)known;
    const StoredFile *file = parse_file(&files->job->session, path);
    map_put(&files->of, name, (int64_t)(intptr_t)file);
    return file;
}

static void lint_one(Job *job, const char *path, const LintRules *rules) {
    char             *real = realpath(path, NULL);
    const StoredFile *file = library_open(&job->library, real ? real : path, NULL);
    free(real);
    if (!file || !file->good) return;
    Front *front = front_new(&job->session, &job->library);
    lint_file(front, file, rules);
    front_free(front);
}

static void summary(const Job *job, int files) {
    int count[LINT_COUNT] = {0}, all = 0;
    for (int i = 0; i < job->session.diag.count; i++)
        for (int k = 0; k < LINT_COUNT; k++)
            count[k] += job->session.diag.message[i].code == lint_code(k);
    for (int k = 0; k < LINT_COUNT; k++) {
        all += count[k];
        printf("%s %-20s %6d\n", code_info(lint_code(k))->id, lint_name(k), count[k]);
    }
    printf("%d finding%s in %d file%s\n", all, all == 1 ? "" : "s", files,
           files == 1 ? "" : "s");
}

int command_lint(Job *job) {
    const Words *arguments = &job->options.arguments;
    Words        paths = {0};
    LintRules    rules = {0};
    Text         wrong = {0};
    Files        files = {.job = job};
    if (!arguments->count) {
        fprintf(stderr, "rubato: nothing to look at; name files or folders\n");
        return EXIT_USAGE;
    }
    if (job->options.rules && !lint_choose(&rules, job->options.rules, &wrong)) {
        fprintf(stderr, "rubato: --rules: there is no rule '%s'; the rules are:",
                text_get(&wrong));
        for (int k = 0; k < LINT_COUNT; k++) fprintf(stderr, " %s", lint_name(k));
        fprintf(stderr, "\n");
        text_free(&wrong);
        return EXIT_USAGE;
    }
    job->library.reader = (LibraryReader){.read = read_once, .context = &files};
    if (!job_open_libraries(job)) return EXIT_MODEL;
    Text own = {0};
    if (libraries_beside(&own)) library_add(&job->library, text_get(&own));
    text_free(&own);
    for (int i = 0; i < arguments->count; i++)
        files_collect(job, arguments->item[i], &paths);
    for (int i = 0; i < paths.count; i++) lint_one(job, paths.item[i], &rules);
    if (!job->options.quiet) summary(job, paths.count);
    map_free(&files.of);
    return job->session.diag.errors ? EXIT_MODEL : EXIT_DONE;
}
