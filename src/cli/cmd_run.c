/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_run.c -- rubato run FILE.mos: the part of the scripting language that people's scripts use.
 *
 * A script is a list of calls, whose values are printed one a line as OpenModelica does:
 *     loadModel(Modelica);  loadFile("Plant.mo");  r := simulate(Plant, stopTime = 10);
 *     val(x, 1.0);  plot({x, y});  getErrorString();
 * What translates or simulates runs as a process of its own with the command line that a person would
 * type, so a script cannot do anything that the command cannot. script.c splits the text. */
#define _GNU_SOURCE
#include "cli/script.h"
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct Variable { /* name := value */
    const char *name, *value;
} Variable;

typedef struct Run { /* of a script */
    Job        *job;
    Arena      *arena;
    Words       files;  /* loaded, the last one last */
    Words       made;   /* files of loadString, removed at the end */
    const char *result; /* file of the last simulation, NULL: none */
    Text        errors; /* of getErrorString */
    Variable   *variable;
    int         variables, room;
    bool        ended; /* quit() */
    int         status;
} Run;

/* ---- processes ---- */

static void read_back(int file, Text *out) {
    char part[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t n; (n = read(file, part, sizeof part)) > 0;)
        text_bytes(out, part, (size_t)n);
    close(file);
}

/* This program. Where /proc is not there, by the path with which it was started. */
static const char *own_path(void) {
    static const char link[] = "/proc/self/exe";
    return access(link, X_OK) == 0 ? link : (const char *)getauxval(AT_EXECFN);
}

/* Runs this program with some words; its exit status, -1 if it cannot be started. */
static int run_self(Run *run, Words *words, Text *out) {
    posix_spawn_file_actions_t actions;
    int   to = memfd_create("out", 0), errors = memfd_create("errors", 0), status = -1;
    pid_t child;
    words_add(run->arena, words, NULL);
    if (to < 0 || errors < 0) return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    char **argv = (char **)(uintptr_t)words->item;
    if (posix_spawn(&child, own_path(), &actions, NULL, argv, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    posix_spawn_file_actions_destroy(&actions);
    read_back(to, out);
    read_back(errors, &run->errors);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- targets ---- */

/* The first part of a dotted name is a class of this file. */
static bool defines(Run *run, const char *file, const char *name) {
    const StoredFile *stored = parse_file(&run->job->session, file);
    size_t            n = strcspn(name, ".");
    for (uint32_t k = 0; stored && k < stored->count; k++) {
        const char *own = name_of(&run->job->session, stored->stored[k].class_->name);
        if (strlen(own) == n && strncmp(own, name, n) == 0) return true;
    }
    return false;
}

/* The words that name a class: its file, or the class in a library; other files are libraries. */
static void add_target(Run *run, Words *words, const char *name) {
    const char *own = NULL;
    for (int k = run->files.count - 1; k >= 0 && !own; k--)
        if (defines(run, run->files.item[k], name)) own = run->files.item[k];
    words_add(run->arena, words, own ? own : name);
    if (own) words_add(run->arena, words, "--model"), words_add(run->arena, words, name);
    for (int k = 0; k < run->files.count; k++) {
        if (run->files.item[k] == own) continue;
        words_add(run->arena, words, "--library");
        words_add(run->arena, words, run->files.item[k]);
    }
    for (int k = 0; k < run->job->options.library.count; k++) {
        words_add(run->arena, words, "--library");
        words_add(run->arena, words, run->job->options.library.item[k]);
    }
}

static Words begin_words(Run *run, const char *command) {
    Words words = {0};
    words_add(run->arena, &words, "rubato");
    words_add(run->arena, &words, command);
    return words;
}

static const char *truth(bool fine) {
    return fine ? "true" : "false";
}

/* A text as the script language writes it. */
static const char *quoted(Run *run, const char *text) {
    Text out = {0};
    text_char(&out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') text_char(&out, '\\');
        text_char(&out, *text);
    }
    text_char(&out, '"');
    const char *copy = arena_string(run->arena, text_get(&out), out.length);
    text_free(&out);
    return copy;
}

/* ---- functions ---- */

typedef const char *Function(Run *run, const ScriptCall *call);

static const char *load_model(Run *run, const ScriptCall *call) {
    Words words = begin_words(run, "parse");
    Text  out = {0};
    words_add(run->arena, &words, script_argument(call, NULL, 0, ""));
    for (int k = 0; k < run->job->options.library.count; k++) {
        words_add(run->arena, &words, "--library");
        words_add(run->arena, &words, run->job->options.library.item[k]);
    }
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    text_free(&out);
    return truth(fine);
}

static const char *load_file(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, "fileName", 0, "");
    Words       words = begin_words(run, "parse");
    Text        out = {0};
    words_add(run->arena, &words, path);
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    text_free(&out);
    if (fine) words_add(run->arena, &run->files, path);
    return truth(fine);
}

static const char *load_string(Run *run, const ScriptCall *call) {
    const char *text = script_argument(call, "data", 0, "");
    const char *folder = getenv("TMPDIR");
    char       *path =
        arena_printf(run->arena, "%s/rubato-XXXXXX.mo", folder ? folder : "/tmp");
    int  file = mkstemps(path, 3);
    bool fine = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0) close(file);
    if (file >= 0) words_add(run->arena, &run->made, path);
    if (fine) words_add(run->arena, &run->files, path);
    return truth(fine);
}

static void add_option(Run *run, Words *words, const char *option, const char *value) {
    if (!value) return;
    words_add(run->arena, words, option);
    words_add(run->arena, words, value);
}

/* "-override=a=1 -lv=LOG_STATS" */
static void add_flags(Run *run, Words *words, const char *text) {
    for (const char *at = text ? text : ""; *at;) {
        at += strspn(at, " ");
        size_t n = strcspn(at, " ");
        if (n) words_add(run->arena, words, arena_string(run->arena, at, n));
        at += n;
    }
}

static const char *simulate(Run *run, const ScriptCall *call) {
    const char *name = script_argument(call, "className", 0, "");
    const char *format = script_argument(call, "outputFormat", -1, "mat");
    const char *prefix = script_argument(call, "fileNamePrefix", -1, name);
    const char *method = script_argument(call, "method", 4, NULL);
    char        here[4096];
    Words       words = begin_words(run, "simulate");
    Text        out = {0};
    size_t      before = run->errors.length;
    const char *file = arena_printf(run->arena, "%s_res.%s", prefix, format);
    add_target(run, &words, name);
    add_option(run, &words, "--output", file);
    add_option(run, &words, "--start", script_argument(call, "startTime", 1, NULL));
    add_option(run, &words, "--stop", script_argument(call, "stopTime", 2, NULL));
    add_option(run, &words, "--intervals",
               script_argument(call, "numberOfIntervals", 3, NULL));
    add_option(run, &words, "--interval", script_argument(call, "stepSize", -1, NULL));
    add_option(run, &words, "--tolerance", script_argument(call, "tolerance", 5, NULL));
    add_option(run, &words, "-variableFilter",
               script_argument(call, "variableFilter", -1, NULL));
    if (method && *method) add_option(run, &words, "-s", method);
    add_flags(run, &words, script_argument(call, "simflags", -1, NULL));
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    if (!getcwd(here, sizeof here)) *here = 0;
    run->result = fine ? file : NULL;
    const char *told = fine ? text_get(&out) : text_get(&run->errors) + before;
    const char *value = arena_printf(
        run->arena,
        "record SimulationResult\n    resultFile = \"%s%s%s\",\n    messages = "
        "%s\nend SimulationResult;",
        fine ? here : "", fine ? "/" : "", fine ? file : "", quoted(run, told));
    text_free(&out);
    return value;
}

/* What a command says about a class, as a text. */
static const char *told_by(Run *run, const char *command, const ScriptCall *call) {
    Words words = begin_words(run, command);
    Text  out = {0};
    add_target(run, &words, script_argument(call, "className", 0, ""));
    bool        fine = run_self(run, &words, &out) == EXIT_DONE;
    const char *value = fine ? quoted(run, text_get(&out)) : "\"\"";
    text_free(&out);
    return value;
}

static const char *check_model(Run *run, const ScriptCall *call) {
    return told_by(run, "check", call);
}

static const char *instantiate(Run *run, const ScriptCall *call) {
    return told_by(run, "flat", call);
}

static const char *build_fmu(Run *run, const ScriptCall *call) {
    return told_by(run, "fmu", call);
}

/* val(x, time [, file]): between two points on the line. */
static const char *val(Run *run, const ScriptCall *call) {
    const char *name = script_argument(call, "var", 0, "");
    const char *path = script_argument(call, "fileName", 2, run->result);
    double      t = atof(script_argument(call, "timePoint", 1, "0"));
    const char *why = "there is no result";
    Result      r = {0};
    double      value = NAN;
    if (path && result_read(&r, path, &why)) {
        int v = result_find(&r, name), i = 0;
        why = "the result has no such variable";
        while (i + 1 < r.points && r.time[i + 1] < t) i++;
        if (v >= 0 && r.points) {
            const double a = r.time[i], b = r.time[i + 1 < r.points ? i + 1 : i];
            const double y = result_value(&r, v, i);
            const double z = result_value(&r, v, i + 1 < r.points ? i + 1 : i);
            value = b > a ? y + (z - y) * (t - a) / (b - a) : z;
        }
    }
    if (isnan(value)) text_printf(&run->errors, "val(%s): %s\n", name, why);
    result_free(&r);
    return isnan(value) ? "fail()" : arena_printf(run->arena, "%.12g", value);
}

static const char *plot(Run *run, const ScriptCall *call) {
    Words       words = begin_words(run, "plot");
    Text        out = {0};
    const char *list = script_argument(call, "vars", 0, "");
    const char *path = script_argument(call, "fileName", 1, run->result);
    if (!path) {
        text_add(&run->errors, "plot: there is no result\n");
        return "false";
    }
    words_add(run->arena, &words, path);
    script_list(run->arena, list, &words);
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    show_text(text_get(&out));
    text_free(&out);
    return truth(fine);
}

static const char *compare(Run *run, const ScriptCall *call) {
    Words words = begin_words(run, "compare");
    Text  out = {0};
    words_add(run->arena, &words, script_argument(call, NULL, 0, ""));
    words_add(run->arena, &words, script_argument(call, NULL, 1, ""));
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    text_free(&out);
    return truth(fine);
}

static const char *error_string(Run *run, const ScriptCall *call) {
    const char *value = quoted(run, text_get(&run->errors));
    (void)call;
    text_clear(&run->errors);
    return value;
}

static const char *print(Run *run, const ScriptCall *call) {
    (void)run;
    show_text(script_argument(call, NULL, 0, ""));
    return "";
}

static const char *change_folder(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, NULL, 0, "");
    char        here[4096];
    if (*path && chdir(path) != 0)
        text_printf(&run->errors, "cd: '%s': %s\n", path, strerror(errno));
    if (!getcwd(here, sizeof here)) *here = 0;
    return quoted(run, here);
}

static const char *library_path(Run *run, const ScriptCall *call) {
    const char *at = script_argument(call, NULL, 0, "");
    while (*at) {
        size_t n = strcspn(at, ":");
        if (n)
            words_add(run->arena, &run->job->options.library,
                      arena_string(run->arena, at, n));
        at += n + (at[n] == ':');
    }
    return "true";
}

static const char *clear(Run *run, const ScriptCall *call) {
    (void)call;
    run->files.count = 0;
    run->result = NULL;
    return "true";
}

static const char *quit(Run *run, const ScriptCall *call) {
    run->ended = true;
    run->status = atoi(script_argument(call, NULL, 0, "0"));
    return "";
}

static const char *version(Run *run, const ScriptCall *call) {
    (void)call;
    return quoted(run, arena_printf(run->arena, "Rubato %s", rb_version()));
}

static const char *nothing(Run *run, const ScriptCall *call) {
    (void)run, (void)call;
    return "true";
}

static const struct {
    const char *name;
    Function   *run;
} functions[] = {
    {"loadModel", load_model},
    {"loadFile", load_file},
    {"loadString", load_string},
    {"simulate", simulate},
    {"checkModel", check_model},
    {"instantiateModel", instantiate},
    {"buildModelFMU", build_fmu},
    {"val", val},
    {"plot", plot},
    {"plotAll", nothing},
    {"compareSimulationResults", compare},
    {"getErrorString", error_string},
    {"getMessagesString", error_string},
    {"print", print},
    {"cd", change_folder},
    {"setModelicaPath", library_path},
    {"clear", clear},
    {"quit", quit},
    {"exit", quit},
    {"getVersion", version},
    {"echo", nothing},
    {"setCommandLineOptions", nothing},
    {"installPackage", nothing},
    {"updatePackageIndex", nothing},
    {"closeSimulationResultFile", nothing},
};

/* ---- the script ---- */

static const char *value_of(const Run *run, const char *name) {
    for (int k = run->variables - 1; k >= 0; k--)
        if (strcmp(run->variable[k].name, name) == 0) return run->variable[k].value;
    return NULL;
}

/* NULL: there is no such function. */
static const char *evaluate(Run *run, const ScriptCall *call) {
    for (int k = 0; call->function && k < LENGTH(functions); k++)
        if (strcmp(functions[k].name, call->function) == 0)
            return functions[k].run(run, call);
    if (call->function) return NULL;
    const char *value = value_of(run, call->literal);
    return value ? value : call->literal;
}

static bool do_statement(Run *run, const ScriptCall *call, const char *path) {
    const char *value = evaluate(run, call);
    if (!value) {
        Suggest suggest = suggest_start(call->function);
        for (int k = 0; k < LENGTH(functions); k++)
            suggest_candidate(&suggest, functions[k].name);
        fprintf(stderr, "%s:%d: error: there is no function '%s' here%s%s%s\n", path,
                call->line, call->function, suggest.best ? "; did you mean '" : "",
                suggest.best ? suggest.best : "", suggest.best ? "'?" : "");
        return false;
    }
    if (call->assigned) {
        run->variable = arena_grow(run->arena, run->variable, sizeof(Variable),
                                   &run->room, run->variables + 1);
        run->variable[run->variables++] = (Variable){call->assigned, value};
    }
    if (*value) printf("%s\n", value);
    fflush(stdout);
    return true;
}

int command_run(Job *job) {
    const Words *words = &job->options.arguments;
    Run          run = {.job = job, .arena = &job->arena};
    Script       script = {.arena = &job->arena};
    if (words->count != 1) {
        fprintf(stderr, "rubato: run needs a script, FILE.mos\n");
        return EXIT_USAGE;
    }
    const char *path = words->item[0];
    if (!script_read(&script, path)) {
        fprintf(stderr, "rubato: cannot read '%s': %s\n", path, strerror(errno));
        return EXIT_MODEL;
    }
    ScriptCall call;
    bool       fine = true;
    while (fine && !run.ended && script_next(&script, &call))
        fine = do_statement(&run, &call, path);
    if (fine && script.wrong)
        fprintf(stderr, "%s:%d: error: %s\n", path, script.line, script.wrong);
    fine = fine && !script.wrong;
    for (int k = 0; k < run.made.count; k++) unlink(run.made.item[k]);
    text_free(&run.errors);
    return fine ? run.status : EXIT_MODEL;
}
