/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_flat.c -- rubato check: everything up to code; rubato flat: the flat model as text. */
#define _POSIX_C_SOURCE 200809L
#include "cli/code.h"
#include "flat/flat.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *word) {
    size_t n = strlen(word);
    return n > 3 && strcmp(word + n - 3, ".mo") == 0;
}

static bool can_be_simulated(const Class *c) {
    return (c->kind == CLASS_MODEL || c->kind == CLASS_BLOCK || c->kind == CLASS_CLASS) &&
           !c->partial;
}

/* Appends ".name" of the last class inside that can be simulated; false if there is none. */
static bool last_inside(const Session *session, const Class *outer, Text *name) {
    if (can_be_simulated(outer)) return true;
    if (outer->kind != CLASS_PACKAGE || outer->form != FORM_LONG) return false;
    for (uint32_t s = outer->count; s-- > 0;) {
        const Section *section = &outer->section[s];
        for (uint32_t i = section->kind <= SECTION_PROTECTED ? section->count : 0;
             i-- > 0;) {
            if (section->element[i]->kind != ELEMENT_CLASS) continue;
            const Class *inner = section->element[i]->class_;
            size_t       length = name->length;
            text_printf(name, ".%s", name_of(session, inner->name));
            if (last_inside(session, inner, name)) return true;
            name->length = length;
        }
    }
    return false;
}

/* Full name of the last class of a file that can be simulated. */
static const char *class_of_file(Job *job, const StoredFile *file) {
    Text   name = {0};
    size_t length;
    for (int i = 0; file->within && i < file->within->count; i++)
        text_printf(&name, "%s.", name_of(&job->session, file->within->part[i].name));
    length = name.length;
    bool found = false;
    for (uint32_t k = file->count; k-- > 0 && !found;) {
        name.length = length;
        text_add(&name, name_of(&job->session, file->stored[k].class_->name));
        found = last_inside(&job->session, file->stored[k].class_, &name);
    }
    if (!found && file->count) { /* the message will name what it is */
        name.length = length;
        text_add(&name,
                 name_of(&job->session, file->stored[file->count - 1].class_->name));
    }
    const char *copy =
        file->count ? arena_string(&job->arena, text_get(&name), name.length) : NULL;
    text_free(&name);
    return copy;
}

/* TARGET: a file, or the name of a class. NULL: reported. */
const char *job_target(Job *job) {
    if (!job_open_libraries(job)) return NULL;
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

/* How many states there are, and those whose choice may not be good for ever. */
static void print_states(const Structure *st) {
    Text out = {0};
    text_printf(&out, "%d states", st->states);
    if (st->drift.rows)
        text_printf(&out, " (%d independent)", st->states - st->drift.rows);
    text_char(&out, '\n');
    structure_report_sets(st, CHOICE_ASKED, &out);
    fwrite(text_get(&out), 1, out.length, stdout);
    text_free(&out);
}

/* As far as the model came: what was counted helps also when a later pass fails. */
static void print_counts(Job *job) {
    const FlatModel *m = job->flat;
    if (!job->rows || !job->rows->good) return;
    printf("%lld equations, %lld unknowns, %lld parameters; %d rows, %d shapes; "
           "%d files read\n",
           (long long)m->equations, (long long)m->unknowns, (long long)m->parameters,
           job->rows->sys.set[ROWS_EQUATION].rows, job->rows->shapes.count,
           job->library.files_read);
    print_structural(job);
}

int command_check(Job *job) {
    if (job->options.arguments.count != 1) {
        fprintf(stderr, "rubato: name one file or one class\n");
        return EXIT_USAGE;
    }
    job->translate = job->check = true;
    bool good = driver_run(job, "compile");
    if (good && job->stopped) return EXIT_DONE;
    if (!job->options.quiet) print_counts(job);
    if (!job->options.quiet && good) print_states(&job->code->run.structure);
    return good ? EXIT_DONE : EXIT_MODEL;
}

int command_flat(Job *job) {
    if (job->options.arguments.count != 1) {
        fprintf(stderr, "rubato: name one file or one class\n");
        return EXIT_USAGE;
    }
    job->translate = true;
    bool good = driver_run(job, "flatten");
    if (good && job->stopped) return EXIT_DONE;
    if (!job->flat || !job->flat->root) return EXIT_MODEL;
    Text out = {0};
    flat_print(&out, job->flat);
    fwrite(text_get(&out), 1, out.length, stdout);
    text_free(&out);
    return good ? EXIT_DONE : EXIT_MODEL;
}
