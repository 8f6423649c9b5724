/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_run.c -- rubato run FILE.mos: the part of the scripting language that people's scripts use.
 *
 * Values of statements are printed one a line as OpenModelica does:
 *     loadModel(Modelica);  loadFile("Plant.mo");  r := simulate(Plant, stopTime = 10);
 *     val(x, 1.0);  plot({x, y});  getErrorString();
 * What translates or simulates runs as a process of its own with the command line that a person would
 * type. A script starts no other programs. script.h names the other files. */
#define _GNU_SOURCE
#include "cli/script.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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
        if (text_is(own, name, n)) return true;
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

/* ---- functions ---- */

static ScriptValue load_model(Run *run, const ScriptCall *call) {
    Words words = begin_words(run, "parse");
    Text  out = {0};
    words_add(run->arena, &words, script_argument(call, NULL, 0, ""));
    for (int k = 0; k < run->job->options.library.count; k++) {
        words_add(run->arena, &words, "--library");
        words_add(run->arena, &words, run->job->options.library.item[k]);
    }
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    text_free(&out);
    return script_truth(fine);
}

/* cd() may follow. */
static const char *from_root(Run *run, const char *path) {
    char *whole = realpath(path, NULL);
    if (!whole) return path;
    path = arena_string(run->arena, whole, strlen(whole));
    free(whole);
    return path;
}

static ScriptValue load_file(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, "fileName", 0, "");
    Words       words = begin_words(run, "parse");
    Text        out = {0};
    words_add(run->arena, &words, path);
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    text_free(&out);
    if (fine) words_add(run->arena, &run->files, from_root(run, path));
    return script_truth(fine);
}

static ScriptValue load_files(Run *run, const ScriptCall *call) {
    Words paths = {0};
    bool  fine = true;
    script_list(run->arena, script_argument(call, "fileNames", 0, ""), &paths);
    for (int k = 0; k < paths.count; k++) {
        ScriptArgument path = {.value = script_text(run, paths.item[k])};
        ScriptValue    one = load_file(run, &(ScriptCall){"loadFile", &path, 1});
        fine = fine && strcmp(one.text, "true") == 0;
    }
    return script_truth(fine);
}

static ScriptValue load_string(Run *run, const ScriptCall *call) {
    const char *text = script_argument(call, "data", 0, "");
    const char *folder = getenv("TMPDIR");
    char       *path =
        arena_printf(run->arena, "%s/rubato-XXXXXX.mo", folder ? folder : "/tmp");
    int  file = mkstemps(path, 3);
    bool fine = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0) close(file);
    if (file >= 0) words_add(run->arena, &run->made, path);
    if (fine) words_add(run->arena, &run->files, path);
    return script_truth(fine);
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

static ScriptValue simulate(Run *run, const ScriptCall *call) {
    const char *name = script_argument(call, "className", 0, "");
    const char *format = script_argument(call, "outputFormat", -1, "mat");
    const char *prefix = script_argument(call, "fileNamePrefix", -1, name);
    const char *method = script_argument(call, "method", 5, NULL);
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
    add_option(run, &words, "--tolerance", script_argument(call, "tolerance", 4, NULL));
    add_option(run, &words, "-variableFilter",
               script_argument(call, "variableFilter", -1, NULL));
    if (method && *method && strcmp(method, "<default>") != 0)
        add_option(run, &words, "-s", method);
    add_flags(run, &words, script_argument(call, "simflags", -1, NULL));
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    if (!getcwd(here, sizeof here)) *here = 0;
    run->result = fine ? from_root(run, file) : NULL;
    const char *told = fine ? text_get(&out) : text_get(&run->errors) + before;
    const char *value = arena_printf(
        run->arena,
        "record SimulationResult\n    resultFile = \"%s%s%s\",\n    messages = "
        "%s\nend SimulationResult;",
        fine ? here : "", fine ? "/" : "", fine ? file : "",
        script_shown(run, script_text(run, told)));
    text_free(&out);
    return script_symbol(run, value);
}

/* What a command says about a class, as a text. */
static ScriptValue told_by(Run *run, const char *command, const ScriptCall *call) {
    Words words = begin_words(run, command);
    Text  out = {0};
    add_target(run, &words, script_argument(call, "className", 0, ""));
    bool        fine = run_self(run, &words, &out) == EXIT_DONE;
    ScriptValue value = script_text(run, fine ? text_get(&out) : "");
    text_free(&out);
    return value;
}

static ScriptValue check_model(Run *run, const ScriptCall *call) {
    return told_by(run, "check", call);
}

static ScriptValue instantiate(Run *run, const ScriptCall *call) {
    return told_by(run, "flat", call);
}

/* buildModel(M): {"M", ""} if it can be simulated, else {"", ""}; nothing is left on disk. */
static ScriptValue build_model(Run *run, const ScriptCall *call) {
    const char *name = script_argument(call, "className", 0, "");
    ScriptValue told = told_by(run, "check", call);
    const char *done = *told.text ? name : "";
    if (strcmp(call->function, "translateModel") == 0) return script_truth(*done);
    return script_symbol(run, arena_printf(run->arena, "{\"%s\",\"\"}", done));
}

static ScriptValue plot(Run *run, const ScriptCall *call) {
    Words       words = begin_words(run, "plot");
    Text        out = {0};
    const char *list = script_argument(call, "vars", 0, "");
    const char *path = script_argument(call, "fileName", 1, run->result);
    if (!path) {
        text_add(&run->errors, "plot: there is no result\n");
        return script_truth(false);
    }
    words_add(run->arena, &words, path);
    script_list(run->arena, list, &words);
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    show_text(text_get(&out));
    text_free(&out);
    return script_truth(fine);
}

static ScriptValue compare(Run *run, const ScriptCall *call) {
    Words words = begin_words(run, "compare");
    Text  out = {0};
    words_add(run->arena, &words, script_argument(call, NULL, 0, ""));
    words_add(run->arena, &words, script_argument(call, NULL, 1, ""));
    bool fine = run_self(run, &words, &out) == EXIT_DONE;
    text_free(&out);
    return script_truth(fine);
}

static ScriptValue error_string(Run *run, const ScriptCall *call) {
    ScriptValue value = script_text(run, text_get(&run->errors));
    (void)call;
    text_clear(&run->errors);
    return value;
}

static ScriptValue clear_messages(Run *run, const ScriptCall *call) {
    (void)call;
    text_clear(&run->errors);
    return script_truth(true);
}

static ScriptValue print(Run *run, const ScriptCall *call) {
    (void)run;
    show_text(script_argument(call, NULL, 0, ""));
    return script_nothing();
}

static ScriptValue library_path(Run *run, const ScriptCall *call) {
    const char *at = script_argument(call, NULL, 0, "");
    while (*at) {
        size_t n = strcspn(at, ":");
        if (n)
            words_add(run->arena, &run->job->options.library,
                      arena_string(run->arena, at, n));
        at += n + (at[n] == ':');
    }
    return script_truth(true);
}

static ScriptValue clear(Run *run, const ScriptCall *call) {
    (void)call;
    run->files.count = 0;
    run->result = NULL;
    return script_truth(true);
}

static ScriptValue quit(Run *run, const ScriptCall *call) {
    run->ended = true;
    run->status = atoi(script_argument(call, NULL, 0, "0"));
    return script_nothing();
}

static ScriptValue version(Run *run, const ScriptCall *call) {
    (void)call;
    return script_text(run, arena_printf(run->arena, "Rubato %s", rb_version()));
}

static ScriptValue nothing(Run *run, const ScriptCall *call) {
    (void)run, (void)call;
    return script_truth(true);
}

static ScriptValue path_of_libraries(Run *run, const ScriptCall *call) {
    Text        out = {0};
    const char *more = getenv("MODELICAPATH");
    (void)call;
    for (int k = 0; k < run->job->options.library.count; k++)
        text_printf(&out, "%s%s", k ? ":" : "", run->job->options.library.item[k]);
    if (more && *more) text_printf(&out, "%s%s", out.length ? ":" : "", more);
    ScriptValue value = script_text(run, text_get(&out));
    text_free(&out);
    return value;
}

/* The classes at the top of the loaded files, the last one first. */
static ScriptValue class_names(Run *run, const ScriptCall *call) {
    Session *session = &run->job->session;
    Text     out = {0};
    (void)call;
    text_char(&out, '{');
    for (int f = run->files.count - 1; f >= 0; f--) {
        const StoredFile *file = parse_file(session, run->files.item[f]);
        for (uint32_t k = file ? file->count : 0; k-- > 0;)
            text_printf(&out, "%s%s", out.length > 1 ? "," : "",
                        name_of(session, file->stored[k].class_->name));
    }
    text_char(&out, '}');
    ScriptValue value = script_symbol(run, text_get(&out));
    text_free(&out);
    return value;
}

static ScriptValue exist_class(Run *run, const ScriptCall *call) {
    Words words = begin_words(run, "flat");
    Text  out = {0}, errors = {0};
    text_bytes(&errors, text_get(&run->errors), run->errors.length);
    add_target(run, &words, script_argument(call, NULL, 0, ""));
    words_add(run->arena, &words, "--stop-after");
    words_add(run->arena, &words, "parse");
    bool found = run_self(run, &words, &out) == EXIT_DONE;
    text_free(&out);
    text_free(&run->errors); /* a class that is missing is no mistake here */
    run->errors = errors;
    return script_truth(found);
}

static ScriptValue show_value(Run *run, const ScriptCall *call) {
    (void)run;
    return call->arguments ? call->argument[0].value : script_nothing();
}

/* String(x): a text of anything. */
static ScriptValue make_string(Run *run, const ScriptCall *call) {
    return script_text(run, script_argument(call, NULL, 0, ""));
}

static ScriptValue size_of(Run *run, const ScriptCall *call) {
    Words words = {0};
    script_list(run->arena, script_argument(call, NULL, 0, ""), &words);
    return script_symbol(run, arena_printf(run->arena, "%d", words.count));
}

static ScriptValue echo(Run *run, const ScriptCall *call) {
    run->silent = strcmp(script_argument(call, NULL, 0, "true"), "false") == 0;
    return script_nothing();
}

static ScriptValue refused(Run *run, const ScriptCall *call) {
    text_printf(&run->errors, "%s: not possible: %s\n", call->function,
                strncmp(call->function, "system", 6) == 0
                    ? "a script starts no other programs"
                    : "Rubato exports no FMUs; rubato build writes a translated model");
    return strncmp(call->function, "system", 6) == 0 ? script_symbol(run, "1")
                                                     : script_text(run, "");
}

static const ScriptEntry functions[] = {
    {"loadModel", load_model},
    {"loadFile", load_file},
    {"loadFiles", load_files},
    {"loadString", load_string},
    {"simulate", simulate},
    {"buildModel", build_model},
    {"translateModel", build_model},
    {"checkModel", check_model},
    {"instantiateModel", instantiate},
    {"buildModelFMU", refused},
    {"translateModelFMU", refused},
    {"system", refused},
    {"val", script_val},
    {"readSimulationResult", script_read_result},
    {"readSimulationResultSize", script_result_size},
    {"readSimulationResultVars", script_result_vars},
    {"plot", plot},
    {"plotAll", nothing},
    {"compareSimulationResults", compare},
    {"getErrorString", error_string},
    {"getMessagesString", error_string},
    {"print", print},
    {"String", make_string},
    {"size", size_of},
    {"show", show_value},
    {"cd", script_change_folder},
    {"mkdir", script_make_folder},
    {"regularFileExists", script_file_exists},
    {"writeFile", script_write_file},
    {"readFile", script_read_file},
    {"deleteFile", script_delete_file},
    {"remove", script_delete_file},
    {"setModelicaPath", library_path},
    {"getModelicaPath", path_of_libraries},
    {"getClassNames", class_names},
    {"existClass", exist_class},
    {"isModel", exist_class},
    {"clear", clear},
    {"clearMessages", clear_messages},
    {"quit", quit},
    {"exit", quit},
    {"getVersion", version},
    {"echo", echo},
    {"setCommandLineOptions", nothing},
    {"setDebugFlags", nothing},
    {"setCompilerFlags", nothing},
    {"setCFlags", nothing},
    {"setCompiler", nothing},
    {"setPlotSilent", nothing},
    {"installPackage", nothing},
    {"updatePackageIndex", nothing},
    {"closeSimulationResultFile", nothing},
};

const ScriptEntry *script_function(const char *name, const char **like) {
    Suggest suggest = suggest_start(name);
    for (int k = 0; k < LENGTH(functions); k++) {
        if (strcmp(functions[k].name, name) == 0) return &functions[k];
        suggest_candidate(&suggest, functions[k].name);
    }
    *like = suggest.best;
    return NULL;
}

int command_run(Job *job) {
    const Words *words = &job->options.arguments;
    Run          run = {.job = job, .arena = &job->arena};
    if (words->count != 1) {
        fprintf(stderr, "rubato: run needs a script, FILE.mos\n");
        return EXIT_USAGE;
    }
    const Section *script = script_read(&run, words->item[0]);
    if (!script) return EXIT_MODEL;
    script_execute(&run, script->clause, script->count);
    for (int k = 0; k < run.made.count; k++) unlink(run.made.item[k]);
    text_free(&run.errors);
    return run.wrong ? EXIT_MODEL : run.status;
}
