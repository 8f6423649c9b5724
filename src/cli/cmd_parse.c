/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_parse.c -- rubato parse: files, whole trees, or a class by its name. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Totals {
    int      files, bad;
    uint64_t bytes, lines;
    double   seconds;
} Totals;

static uint64_t count_lines(const Source *source) {
    uint64_t    n = 0;
    const char *c = source->text, *end = c + source->size;
    while ((c = memchr(c, '\n', (size_t)(end - c)))) {
        n++;
        c++;
    }
    return n + (source->size && source->text[source->size - 1] != '\n');
}

/* ---- --experiments: the models that say how long to simulate them ---- */

static bool has_stop_time(const Session *session, const Class *class_) {
    const Mods *mods = class_->form == FORM_LONG ? class_->annotation : NULL;
    for (uint32_t i = 0; mods && i < mods->count; i++) {
        if (strcmp(name_of(session, mods->item[i].name), "experiment") != 0) continue;
        const Mods *args = mods->item[i].args;
        for (uint32_t k = 0; args && k < args->count; k++)
            if (strcmp(name_of(session, args->item[k].name), "StopTime") == 0)
                return true;
    }
    return false;
}

static void list_experiments(const Session *session, const Class *class_, Text *name) {
    size_t length = name->length;
    if (length) text_char(name, '.');
    text_add(name, name_of(session, class_->name));
    if (!class_->partial && has_stop_time(session, class_))
        printf("%s\n", text_get(name));
    bool nested = class_->form == FORM_LONG || class_->form == FORM_EXTENDS;
    for (uint32_t s = 0; nested && s < class_->count; s++) {
        const Section *section = &class_->section[s];
        for (uint32_t i = 0; section->kind <= SECTION_PROTECTED && i < section->count;
             i++)
            if (section->element[i]->kind == ELEMENT_CLASS)
                list_experiments(session, section->element[i]->class_, name);
    }
    name->length = length;
    if (name->data) name->data[length] = '\0';
}

static void experiments_of_file(const Job *job) {
    const StoredFile *file = job->file;
    Text              name = {0};
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&name, "%s%s", i ? "." : "",
                    name_of(&job->session, file->within->part[i].name));
    for (uint32_t i = 0; i < file->count; i++)
        list_experiments(&job->session, file->stored[i].class_, &name);
    text_free(&name);
}

static void parse_one(Job *job, const char *path, Totals *totals) {
    job->file = NULL;
    double before = wall_time_now();
    bool   good = job_parse(job, path);
    totals->seconds += wall_time_now() - before;
    totals->bad += !good;
    totals->files++;
    if (!job->file) return;
    if (job->options.experiments) experiments_of_file(job);
    totals->bytes += job->file->source->size;
    totals->lines += count_lines(job->file->source);
}

static void summary(const Job *job, const Totals *totals) {
    if (job->options.quiet || job->options.experiments) return;
    double mega = 1e-6 * (double)totals->bytes;
    double per_byte =
        totals->bytes ? (double)job->session.ast.used / (double)totals->bytes : 0;
    printf(
        "%d file%s, %llu lines, %.2f MB in %.3f s: %.1f MB/s; tree %.2f bytes per byte; ",
        totals->files, totals->files == 1 ? "" : "s", (unsigned long long)totals->lines,
        mega, totals->seconds, totals->seconds > 0 ? mega / totals->seconds : 0,
        per_byte);
    printf("%d error%s in %d file%s\n", job->session.diag.errors,
           job->session.diag.errors == 1 ? "" : "s", totals->bad,
           totals->bad == 1 ? "" : "s");
}

static bool is_path(const char *word) {
    struct stat info;
    size_t      n = strlen(word);
    return stat(word, &info) == 0 || strchr(word, '/') ||
           (n > 3 && strcmp(word + n - 3, ".mo") == 0);
}

static void find_class(Job *job, const char *name) {
    const Class *class_ = library_class(&job->library, name);
    if (!class_) return;
    Place place = source_place(&job->session.sources, class_->pos);
    if (!job->options.quiet)
        printf("%s: %s:%d:%d, %d file%s read\n", name, place.source->path, place.line,
               place.column, job->library.files_read,
               job->library.files_read == 1 ? "" : "s");
}

bool job_open_libraries(Job *job) {
    bool good = true;
    for (int i = 0; i < job->options.library.count; i++)
        good &= library_add(&job->library, job->options.library.item[i]);
    library_add_defaults(&job->library, getenv("MODELICAPATH"), getenv("HOME"));
    return good;
}

int command_parse(Job *job) {
    Words        files = {0};
    Totals       totals = {0};
    const Words *arguments = &job->options.arguments;
    if (!arguments->count) {
        fprintf(stderr, "rubato: nothing to parse; name files, folders or classes\n");
        return EXIT_USAGE;
    }
    if (!job_open_libraries(job)) return EXIT_MODEL;
    for (int i = 0; i < arguments->count; i++) {
        if (is_path(arguments->item[i])) files_collect(job, arguments->item[i], &files);
        else find_class(job, arguments->item[i]);
    }
    for (int i = 0; i < files.count; i++) parse_one(job, files.item[i], &totals);
    if (files.count) summary(job, &totals);
    return job->session.diag.errors ? EXIT_MODEL : EXIT_DONE;
}
