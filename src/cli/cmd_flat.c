/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_flat.c -- rubato check and rubato flat: everything up to the flat model. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "flat/flat.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *word) {
    size_t n = strlen(word);
    return n > 3 && strcmp(word + n - 3, ".mo") == 0;
}

/* Full name of the last class of a file that can be simulated. */
static const char *class_of_file(Job *job, const StoredFile *file) {
    Text name = {0};
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&name, "%s.", name_of(&job->session, file->within->part[i].name));
    const Class *last = NULL;
    for (uint32_t k = 0; k < file->count; k++) {
        const Class *c = file->stored[k].class_;
        if ((c->kind == CLASS_MODEL || c->kind == CLASS_BLOCK ||
             c->kind == CLASS_CLASS) &&
            !c->partial)
            last = c;
    }
    if (!last && file->count) last = file->stored[file->count - 1].class_;
    if (!last) return NULL;
    text_add(&name, name_of(&job->session, last->name));
    const char *copy = arena_string(&job->arena, text_get(&name), name.length);
    text_free(&name);
    return copy;
}

/* TARGET: a file, or the name of a class. NULL: reported. */
const char *job_target(Job *job) {
    for (int i = 0; i < job->options.library.count; i++)
        library_add(&job->library, job->options.library.item[i]);
    library_add_defaults(&job->library, getenv("MODELICAPATH"), getenv("HOME"));
    if (job->options.arguments.count != 1) {
        fprintf(stderr, "rubato: name one file or one class\n");
        return NULL;
    }
    const char *target = job->options.arguments.item[0];
    if (!is_file(target)) return target;
    const StoredFile *file = library_open(&job->library, target);
    if (!file || !file->good) return NULL;
    return job->options.model ? job->options.model : class_of_file(job, file);
}

/* Parameters whose values shaped the model, and the place that needed each. */
static void print_structural(Job *job) {
    const FlatModel *m = job->flat;
    for (int k = 0; k < m->vars; k++) {
        const Inst *inst = m->var[k];
        if (!inst->structural || inst->vary != VARY_PARAMETER) continue;
        Place place = source_place(&job->session.sources, inst->why);
        Text  name = {0};
        inst_name(&name, m->front, inst);
        printf("structural: %s", text_get(&name));
        if (inst->evaluate) printf(" (annotation Evaluate)");
        else if (place.source) {
            const char *file = strrchr(place.source->path, '/');
            printf(" (needed at %s:%d:%d)", file ? file + 1 : place.source->path,
                   place.line, place.column);
        }
        printf("\n");
        text_free(&name);
    }
}

int command_check(Job *job) {
    if (job->options.arguments.count != 1) {
        fprintf(stderr, "rubato: name one file or one class\n");
        return EXIT_USAGE;
    }
    job->translate = true;
    if (!driver_run(job, "rows")) return EXIT_MODEL;
    const FlatModel *m = job->flat;
    if (!job->options.quiet)
        printf("%lld equations, %lld unknowns, %lld parameters; %d rows, %d shapes; "
               "%d files read\n",
               (long long)m->equations, (long long)m->unknowns, (long long)m->parameters,
               job->rows->sys.set[ROWS_EQUATION].rows, job->rows->shapes.count,
               job->library.files_read);
    if (!job->options.quiet) print_structural(job);
    return EXIT_DONE;
}

int command_flat(Job *job) {
    if (job->options.arguments.count != 1) {
        fprintf(stderr, "rubato: name one file or one class\n");
        return EXIT_USAGE;
    }
    job->translate = true;
    bool good = driver_run(job, "flatten");
    if (!job->flat || !job->flat->root) return EXIT_MODEL;
    Text out = {0};
    flat_print(&out, job->flat);
    fwrite(text_get(&out), 1, out.length, stdout);
    text_free(&out);
    return good ? EXIT_DONE : EXIT_MODEL;
}
