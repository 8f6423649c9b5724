/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_format.c -- rubato format: pretty-print, never change the meaning.
 *
 * What was printed is parsed again and both trees are compared, comments included, before
 * anything is shown or written. Files that are wrong are reported and left alone. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

/* The dump of what the formatter printed; empty if it does not parse. */
static bool same_tree(Job *job, const char *path, const Text *formatted) {
    Session       again;
    const Source *source;
    Text          before = {0}, after = {0};
    bool          same = false;
    session_init(&again);
    if (source_add(&again.sources, path, text_get(formatted), formatted->length,
                   &source) == SOURCE_OK) {
        const StoredFile *file = parse_source(&again, source);
        dump_file(&before, &job->session, job->file, true);
        dump_file(&after, &again, file, true);
        same = file->good && before.length == after.length &&
               memcmp(text_get(&before), text_get(&after), before.length) == 0;
    }
    session_free(&again);
    text_free(&before);
    text_free(&after);
    return same;
}

static int deliver(Job *job, const char *path, const Text *formatted) {
    const Source *source = job->file->source;
    bool          changed = formatted->length != source->size ||
                   memcmp(text_get(formatted), source->text, source->size) != 0;
    if (job->options.check) {
        if (changed) printf("%s\n", path);
        return changed ? EXIT_MODEL : EXIT_DONE;
    }
    if (!job->options.in_place) {
        fwrite(text_get(formatted), 1, formatted->length, stdout);
        return EXIT_DONE;
    }
    if (!changed || files_write(path, text_get(formatted), formatted->length))
        return EXIT_DONE;
    diag_report(&job->session.diag, 0, CODE_S101, "cannot write '%s': %s", path,
                strerror(errno));
    return EXIT_MODEL;
}

static int format_one(Job *job, const char *path) {
    Text formatted = {0};
    int  status = EXIT_DEFECT;
    if (!job_parse(job, path)) return EXIT_MODEL;
    format_file(&formatted, &job->session, job->file);
    if (same_tree(job, path, &formatted)) status = deliver(job, path, &formatted);
    else
        fprintf(stderr,
                "rubato: a defect: the formatted text of '%s' does not mean the same; "
                "nothing was written\n",
                path);
    text_free(&formatted);
    return status;
}

int command_format(Job *job) {
    const Words *arguments = &job->options.arguments;
    Words        files = {0};
    int          worst = EXIT_DONE;
    if (!arguments->count) {
        fprintf(stderr, "rubato: nothing to format; name files or folders\n");
        return EXIT_USAGE;
    }
    for (int i = 0; i < arguments->count; i++)
        if (!files_collect(job, arguments->item[i], &files)) worst = EXIT_MODEL;
    for (int i = 0; i < files.count; i++) {
        int status = format_one(job, files.item[i]);
        if (status > worst) worst = status;
    }
    return worst;
}
