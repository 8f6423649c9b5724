/* SPDX-License-Identifier: Apache-2.0 */
/* translating.c -- a model for the commands that need one: libraries, passes, timing. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double wall_time_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void show_text(const char *text) {
    fwrite(text, 1, strlen(text), stdout);
}

/* ---- passes ---- */

static bool known(const char *name) {
    char names[400];
    if (!name || strcmp(name, "compile") == 0 || rb_is_pass(name, names, sizeof names))
        return true;
    fprintf(stderr, "rubato: there is no pass '%s'; the passes are:%s compile\n", name,
            names);
    return false;
}

bool passes_check(const Job *job) {
    const char *components = job->options.components;
    if (components && *components && strcmp(components, "auto") != 0 &&
        strcmp(components, "no") != 0) {
        fprintf(stderr, "rubato: --components=%s: this is auto or no, or nothing\n",
                components);
        return false;
    }
    return known(job->options.dump) && known(job->options.stop_after);
}

void pass_time(Job *job, const char *name, bool fine, double seconds) {
    Timing       *t = &job->timing;
    struct rusage usage;
    int           k = 0;
    while (k < t->passes && strcmp(t->name[k], name) != 0) k++;
    if (k == LENGTH(t->name)) return;
    if (k == t->passes) t->name[t->passes++] = name;
    getrusage(RUSAGE_SELF, &usage);
    t->seconds[k] += seconds;
    t->peak[k] = usage.ru_maxrss;
    if (job->options.stages)
        fprintf(stderr, "stage: %s %s\n", name, fine ? "ok" : "fail");
}

static void on_pass(void *owner, const RbPass *pass) {
    pass_time(owner, pass->name, pass->fine, pass->seconds);
}

/* peak: kB, 0 if not known */
static void show_time(const char *what, double seconds, long peak) {
    fprintf(stderr, "%-10s %9.3f ms", what, 1e3 * seconds);
    if (peak) fprintf(stderr, " %9.1f MB at most so far", (double)peak / 1024);
    fprintf(stderr, "\n");
}

void show_timing(const Job *job) {
    const Timing *t = &job->timing;
    for (int k = 0; k < t->passes; k++) show_time(t->name[k], t->seconds[k], t->peak[k]);
    if (t->initialised > 0) show_time("initial", t->initialised - t->compiled, 0);
    if (t->stepped > 0) show_time("first step", t->stepped - t->initialised, 0);
    if (t->stepped > 0) show_time("to here", t->stepped - t->begun, 0);
    if (t->ended > 0) /* there may be no step */
        show_time("the rest", t->ended - fmax(t->stepped, t->initialised), 0);
}

/* ---- the compiler ---- */

RbStyle job_style(const Job *job) {
    bool colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
    return job->options.json ? RB_JSON : colour ? RB_COLOUR : RB_PLAIN;
}

void job_messages(Job *job) {
    if (!job->compiler) return;
    const char *text = rb_messages(job->compiler, job->told, job_style(job));
    job->told = rb_message_count(job->compiler);
    fwrite(text, 1, strlen(text), stderr);
}

RbSettings job_settings(Job *job) {
    const char *most = getenv("RUBATO_CACHE_BYTES"), *compiler = getenv("CC");
    if (compiler && strchr(compiler, ' ')) compiler = NULL; /* a program with options */
    return (RbSettings){.cache = files_cache(job),
                        .cache_bytes = most ? strtod(most, NULL) : 0,
                        .c_compiler = compiler,
                        .trust = job->options.trust};
}

static bool open_compiler(Job *job) {
    RbError    error;
    RbSettings settings = job_settings(job);
    bool       good = true;
    job->compiler = rb_compiler_new(&settings, &error);
    if (!job->compiler) {
        fprintf(stderr, "rubato: %s\n", error.text);
        return false;
    }
    for (int i = 0; i < job->options.library.count; i++)
        good &=
            rb_add_library(job->compiler, job->options.library.item[i], &error) == RB_OK;
    rb_add_default_libraries(job->compiler, getenv("MODELICAPATH"), getenv("HOME"),
                             &error);
    return good;
}

static const char *trimmed(Job *job, const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t')) from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    return arena_string(&job->arena, from, (size_t)(to - from));
}

RbValue *job_values(Job *job) {
    const Words *set = &job->options.set;
    RbValue     *value = NEW(&job->arena, RbValue, set->count + 1);
    for (int i = 0; i < set->count; i++) {
        const char *item = set->item[i], *sign = strchr(item, '=');
        if (sign) value[i].name = trimmed(job, item, sign);
        if (!sign || !*value[i].name) {
            fprintf(stderr, "rubato: --set %s: this is not name=value\n", item);
            return NULL;
        }
        value[i].value = trimmed(job, sign + 1, item + strlen(item));
    }
    return value;
}

bool job_is_program(const char *path) {
    char   head[8] = "";
    size_t n = strlen(path);
    if (n > 4 && strcmp(path + n - 4, ".rbp") == 0) return true;
    FILE *file = fopen(path, "rb");
    bool  fine = file && fread(head, 1, sizeof head, file) == sizeof head &&
                memcmp(head, "rubato\n", 7) == 0;
    if (file) fclose(file);
    return fine;
}

/* All of standard input; NULL and a message if it cannot be read or is no text. */
static const char *standard_input(Job *job) {
    Text   all = {0};
    char   part[65536];
    size_t n;
    while ((n = fread(part, 1, sizeof part, stdin)) > 0) text_bytes(&all, part, n);
    const char *text = arena_string(&job->arena, text_get(&all), all.length);
    bool        fine = !ferror(stdin) && strlen(text) == all.length;
    text_free(&all);
    if (!fine) fprintf(stderr, "rubato: standard input is no Modelica text\n");
    return fine ? text : NULL;
}

/* Words of the command line: files, of which the last one is the target; it may be a class or "-",
 * standard input. */
static bool take_target(Job *job, RbRequest *wish) {
    const Words *words = &job->options.arguments;
    int          last = words->count - 1;
    for (int k = 0; k < last; k++) {
        size_t n = strlen(words->item[k]);
        if (n > 3 && strcmp(words->item[k] + n - 3, ".mo") == 0) continue;
        fprintf(stderr, "rubato: '%s': only .mo files may stand before the target '%s'\n",
                words->item[k], words->item[last]);
        return false;
    }
    if (last < 0) {
        fprintf(stderr, "rubato: name a file or a class\n");
        return false;
    }
    const char *target = words->item[last];
    struct stat info;
    if (stat(target, &info) == 0 && (S_ISDIR(info.st_mode) || is_result_file(target))) {
        fprintf(stderr,
                "rubato: '%s' is %s, not a model: name a .mo file, or a class%s\n",
                target, S_ISDIR(info.st_mode) ? "a folder" : "a result",
                S_ISDIR(info.st_mode) ? " and this folder with --library" : "");
        return false;
    }
    wish->beside = words->item;
    wish->besides = last;
    wish->target = words->item[last];
    wish->model = job->options.model;
    if (strcmp(wish->target, "-") != 0) return true;
    wish->target = "<stdin>";
    wish->text = standard_input(job);
    return wish->text != NULL;
}

/* After a failure: a name without a dot was probably meant as a file. */
static void hint_file(Job *job, const RbRequest *wish) {
    if (wish->text || strchr(wish->target, '.') || strchr(wish->target, '/')) return;
    const char *file = arena_printf(&job->arena, "%s.mo", wish->target);
    job_messages(job);
    if (access(file, F_OK) == 0)
        fprintf(stderr,
                "rubato: there is a file '%s' here; its models are found if you "
                "name it\n",
                file);
    else
        fprintf(stderr, "rubato: name a file, or a class of a library with its full name "
                        "(Library.Package.Model)\n");
}

RbProgram *job_translate(Job *job, RbRequest wish, int *status) {
    const Options *o = &job->options;
    RbError        error;
    *status = EXIT_USAGE;
    RbValue *set = take_target(job, &wish) ? job_values(job) : NULL;
    if (!set) return NULL;
    wish.set = set;
    wish.sets = o->set.count;
    wish.fresh = o->no_cache;
    wish.components = o->components && !*o->components;
    wish.components_if_worth &= !o->components || strcmp(o->components, "no") != 0;
    wish.staggered = o->staggered;
    if (!wish.theta) wish.theta = o->theta;
    wish.pass = on_pass;
    wish.owner = job;
    if (!wish.dump && o->dump) wish.dump = strcmp(o->dump, "compile") ? o->dump : "emit";
    if (!wish.until && o->stop_after && strcmp(o->stop_after, "compile") != 0)
        wish.until = o->stop_after;
    *status = EXIT_MODEL;
    if (!job->compiler && !open_compiler(job)) return NULL;
    RbProgram *program = rb_translate(job->compiler, &wish, &error);
    if (wish.dump && o->dump) show_text(rb_text(job->compiler));
    if (program) *status = EXIT_DONE;
    else if (error.status == RB_OK) *status = EXIT_DONE; /* --stop-after */
    else if (error.status == RB_ARGUMENT || error.status == RB_NO_MEMORY) {
        fprintf(stderr, "rubato: %s\n", error.text);
        *status = error.status == RB_ARGUMENT ? EXIT_USAGE : EXIT_DEFECT;
    } else hint_file(job, &wish);
    return program;
}

bool job_parse(Job *job, const char *path) {
    double before = wall_time_now();
    job->file = parse_file(&job->session, path);
    bool good = job->file && job->file->good;
    pass_time(job, "parse", good, wall_time_now() - before);
    if (good && job->options.dump && strcmp(job->options.dump, "parse") == 0) {
        Text out = {0};
        dump_file(&out, &job->session, job->file, true);
        fwrite(text_get(&out), 1, out.length, stdout);
        text_free(&out);
    }
    return good;
}
