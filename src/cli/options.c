/* SPDX-License-Identifier: Apache-2.0 */
/* options.c -- one table of options gives parsing, messages and help. */
#include "cli/cli.h"

#include <string.h>

/* OPTIONAL: a value only after '=', else it is "" */
typedef enum { KIND_FLAG, KIND_VALUE, KIND_OPTIONAL, KIND_WORDS } Kind;

typedef struct Option {
    const char *name;  /* "--library"                                         */
    const char *value; /* how the value is called in the help; NULL for flags */
    Kind        kind;
    size_t      field;    /* in Options                                          */
    const char *commands; /* " parse format ", or "" for all                     */
    const char *help;
} Option;

#define FIELD(f) offsetof(Options, f)

static const Option table[] = {
    /* the model and its values */
    {"--library", "PATH", KIND_WORDS, FIELD(library),
     " parse check flat simulate sweep fit steady linearize structure build variables "
     "lsp lint "
     "run advise fmu ",
     "package folder, .mo file or folder with libraries; repeatable"},
    {"--model", "NAME", KIND_VALUE, FIELD(model),
     " check flat simulate sweep fit steady linearize structure build variables advise "
     "fmu ",
     "the class to take from a file"},
    {"--set", "NAME=VALUE", KIND_WORDS, FIELD(set),
     " simulate sweep fit steady linearize build variables check advise fmu ",
     "value of a parameter or start value; repeatable"},
    {"--override", "FILE", KIND_VALUE, FIELD(override), " simulate ",
     "values as of --set, one a line"},
    {"--trust", NULL, KIND_FLAG, FIELD(trust),
     " simulate sweep fit steady linearize check flat build variables advise fmu lsp ",
     "external code may do everything, also that of the model; see docs/security.md"},
    /* time and results */
    {"--start", "TIME", KIND_VALUE, FIELD(simulate.start),
     " simulate sweep fit steady linearize advise ", "start time"},
    {"--stop", "TIME", KIND_VALUE, FIELD(simulate.stop),
     " simulate sweep steady linearize advise ", "stop time"},
    {"--interval", "DT", KIND_VALUE, FIELD(simulate.interval), " simulate sweep ",
     "time between output points"},
    {"--intervals", "N", KIND_VALUE, FIELD(simulate.intervals), " simulate sweep ",
     "number of output intervals; default 500"},
    {"--tolerance", "TOL", KIND_VALUE, FIELD(simulate.tolerance),
     " compare simulate sweep fit steady linearize advise ",
     "relative tolerance; of a comparison 0.002"},
    {"--absolute", "TOL", KIND_VALUE, FIELD(simulate.absolute),
     " simulate sweep fit steady linearize advise ",
     "tolerance near zero, times the nominal value; default: that of --tolerance"},
    {"--output", "FILE", KIND_VALUE, FIELD(output),
     " simulate sweep linearize build plot report convert compare fmu ",
     "simulate, convert: FILE.mat, FILE.csv, or - for CSV; sweep: FILE.csv, FILE.mat or "
     "without ending both; linearize: FILE.mat or FILE.mo; plot, compare: FILE.svg; "
     "report: FILE.html"},
    {"--variables", "REGEX", KIND_VALUE, FIELD(simulate.variables),
     " simulate fit convert ",
     "record only variables whose names match; fit: columns of the data"},
    {"--derivatives", NULL, KIND_FLAG, FIELD(simulate.derivatives), " simulate ",
     "record der(x) of states, too"},
    {"--parameters", "all|once|no", KIND_VALUE, FIELD(simulate.parameters), " simulate ",
     "parameters in the result: all (default), once (CSV: in the first line only), no"},
    {"--report", "FILE", KIND_VALUE, FIELD(simulate.report), " simulate sweep ",
     "an HTML page with curves, steps and statistics; of a study its cases"},
    {"--stats", "FILE", KIND_VALUE, FIELD(simulate.stats), " simulate ",
     "statistics as JSON; - is standard output"},
    {"--max-output", "BYTES", KIND_VALUE, FIELD(simulate.max_output), " simulate ",
     "the run ends when its result is as large (500M, 20G); default 20G"},
    {"--no-progress", NULL, KIND_FLAG, FIELD(simulate.no_progress),
     " simulate sweep fit ", "no line about the progress on a terminal"},
    /* studies */
    {"--vary", "NAME=VALUES", KIND_WORDS, FIELD(study.vary), " sweep ",
     "A:STEP:B, lin(A,B,N), log(A,B,N) or V,V,...; repeatable: all combinations"},
    {"--table", "FILE.csv", KIND_VALUE, FIELD(study.table), " sweep ",
     "a case each line, a parameter each column"},
    {"--sample", "KIND:N[:SEED]", KIND_VALUE, FIELD(study.sample), " sweep ",
     "lhs (Latin hypercube), sobol or mc (Monte Carlo): N samples of:"},
    {"--normal", "NAME=MEAN,SD", KIND_WORDS, FIELD(study.normal), " sweep ",
     "a normal distribution; repeatable"},
    {"--uniform", "NAME=A,B", KIND_WORDS, FIELD(study.uniform), " sweep ",
     "a uniform distribution; repeatable"},
    {"--lognormal", "NAME=MEDIAN,F", KIND_WORDS, FIELD(study.lognormal), " sweep ",
     "two thirds of the values lie between MEDIAN / F and MEDIAN * F; repeatable"},
    {"--loguniform", "NAME=A,B", KIND_WORDS, FIELD(study.loguniform), " sweep ",
     "a logarithm that is uniform; repeatable"},
    {"--keep", "WHAT", KIND_WORDS, FIELD(study.keep), " sweep ",
     "EXPR, EXPR@T, min(EXPR), max(EXPR), first(RELATION), event(N), events(); "
     "repeatable; default: states at the end"},
    {"--trajectories", "REGEX", KIND_VALUE, FIELD(study.trajectories), " sweep ",
     "keep whole trajectories of variables whose names match"},
    {"--resume", NULL, KIND_FLAG, FIELD(study.resume), " sweep ",
     "go on with a study that was interrupted or killed"},
    {"--data", "FILE", KIND_VALUE, FIELD(study.data), " fit ",
     "measurements (.csv, .mat): time, and columns named as variables or expressions"},
    {"--parameter", "NAME[=V[,L,H]]", KIND_WORDS, FIELD(study.parameter), " fit ",
     "to be found, beginning with V (default: of the model), between L and H; "
     "repeatable"},
    {"--confidence", "P", KIND_VALUE, FIELD(study.confidence), " fit ",
     "probability with which all intervals hold together; default 0.95"},
    {"--at", "TIME", KIND_VALUE, FIELD(study.at), " steady linearize ",
     "after a simulation up to this time; default: the start"},
    {"--steady", NULL, KIND_FLAG, FIELD(study.steady), " linearize ",
     "at the steady state that is found from there"},
    /* methods */
    {"--method", "NAME[,NAME...]", KIND_VALUE, FIELD(simulate.method),
     " simulate sweep fit steady linearize advise fmu ",
     "integration method, and those of the other levels; see 'rubato methods'"},
    {"--solver", "NAME", KIND_VALUE, FIELD(simulate.solver),
     " simulate sweep fit steady linearize advise ",
     "rk (default), or as second opinion cvode, ida, arkode"},
    {"--rates", "auto|N", KIND_VALUE, FIELD(simulate.rates), " simulate build fmu ",
     "states step at their own tempo, on at most N levels; default 1"},
    {"--theta", "NAME[,NAME...]", KIND_VALUE, FIELD(theta),
     " simulate sweep fit steady linearize build check structure advise fmu ",
     "parameters, and variables with a derivative, that are multiplied by THETA: what "
     "they "
     "delay is infinitely fast"},
    {"--components", NULL, KIND_FLAG, FIELD(components),
     " simulate build check structure ",
     "translate arrays of components once, whatever their size"},
    {"--dot", NULL, KIND_FLAG, FIELD(dot), " structure ",
     "state machines as a graph for Graphviz"},
    {"--instances", "N,...", KIND_VALUE, FIELD(simulate.instances), " simulate ",
     "with --components: instances to record, counted from 1; default first and last"},
    {"--threads", "N[,WORK]", KIND_VALUE, FIELD(simulate.threads), " simulate sweep fit ",
     "clocked partitions, and with --rates parts of the model if there is WORK, on N "
     "threads; sweep: cases; the same results"},
    {"--realtime", "FACTOR", KIND_OPTIONAL, FIELD(simulate.realtime), " simulate ",
     "ticks of clocks wait for their time; FACTOR simulated seconds a second, default 1"},
    {"--tasks", "single|split|rates", KIND_VALUE, FIELD(simulate.tasks), " simulate ",
     "slow clocked partitions: with fast ones (default), between their ticks, or on "
     "threads"},
    {"--exchange", "shm:NAME|udp:P:Q", KIND_VALUE, FIELD(simulate.exchange), " simulate ",
     "inputs and outputs at ticks through shared memory, or ports P (in) and Q (out)"},
    {"--events", "auto|global", KIND_VALUE, FIELD(simulate.events), " simulate ",
     "with --rates: events concern what they can reach, or always all states"},
    {"--fixed-step", "H", KIND_VALUE, FIELD(simulate.fixed_step), " simulate sweep ",
     "all steps have this length, whatever their error is; with any --method"},
    {"--max-step", "H", KIND_VALUE, FIELD(simulate.max_step),
     " simulate sweep fit steady linearize advise ", "no step is longer"},
    {"--max-steps", "N", KIND_VALUE, FIELD(simulate.max_steps), " simulate sweep ",
     "give up after so many steps"},
    {"--bounds", "error|warning|off", KIND_VALUE, FIELD(simulate.bounds),
     " simulate sweep ",
     "if a value is outside of its min and max (default: error of a parameter, else "
     "warning)"},
    {"--tier", "0|1|auto", KIND_VALUE, FIELD(simulate.tier),
     " simulate sweep fit steady linearize advise ",
     "code: 0 libtcc, 1 cc -O3, auto from 0 to 1 while running"},
    /* go on */
    {"--save-state", "FILE", KIND_VALUE, FIELD(simulate.save_state), " simulate steady ",
     "the state at the end, or where the run was interrupted"},
    {"--from-state", "FILE", KIND_VALUE, FIELD(simulate.from_state), " simulate ",
     "go on from a state that was saved"},
    {"--no-cache", NULL, KIND_FLAG, FIELD(no_cache),
     " simulate sweep fit steady linearize build advise fmu ",
     "translate anew, whatever was translated before"},
    /* look inside */
    {"--profile", NULL, KIND_FLAG, FIELD(simulate.profile), " simulate ",
     "who limits the steps, and what components and lines of the model cost"},
    {"--trace", "FILE", KIND_VALUE, FIELD(simulate.trace), " simulate report ",
     "every step: time, size, level, states; a JSON object a line"},
    {"--timing", NULL, KIND_FLAG, FIELD(timing),
     " parse check flat simulate sweep structure build fmu ", "time spent in each pass"},
    {"--stages", NULL, KIND_FLAG, FIELD(stages),
     " parse check flat simulate structure build fmu ",
     "print 'stage: NAME ok' to standard error"},
    {"--dump", "PASS", KIND_VALUE, FIELD(dump),
     " parse check flat simulate structure build ", "print the result of a pass"},
    {"--stop-after", "PASS", KIND_VALUE, FIELD(stop_after),
     " parse check flat simulate structure build ", "run no later pass"},
    {"--check-parts", NULL, KIND_FLAG, FIELD(simulate.check_parts), " simulate ",
     "with --rates: every evaluation of a part is compared with one of the whole"},
    /* other commands */
    {"--fmi", "2|3", KIND_VALUE, FIELD(fmi), " fmu ",
     "version of the standard; default 3"},
    {"--kind", "me,cs", KIND_VALUE, FIELD(kind), " fmu simulate ",
     "Model Exchange, Co-Simulation; default both, of a given FMU the first"},
    {"--inputs", "FILE.csv", KIND_VALUE, FIELD(inputs), " simulate ",
     "of an FMU: time, then a column for each input"},
    {"--title", "TEXT", KIND_VALUE, FIELD(title), " plot ", "above the picture"},
    {"--panels", NULL, KIND_FLAG, FIELD(panels), " plot ",
     "one for each variable, instead of one for each unit"},
    {"--signals", "FILE", KIND_VALUE, FIELD(signals), " compare ",
     "names to compare, one a line; default: all of the reference"},
    {"--experiments", NULL, KIND_FLAG, FIELD(experiments), " parse ",
     "list the models with a stop time instead of a summary"},
    {"--in-place", NULL, KIND_FLAG, FIELD(in_place), " format ", "overwrite the files"},
    {"--check", NULL, KIND_FLAG, FIELD(check), " format ",
     "only tell which files would change; exit status 1 if any"},
    {"--rules", "NAME,...", KIND_VALUE, FIELD(rules), " lint ",
     "only these rules, or all but those with a minus; see docs/editor.md"},
    {"--markdown", NULL, KIND_FLAG, FIELD(markdown), " explain ", "all codes, as a page"},
    /* all commands */
    {"--quiet", NULL, KIND_FLAG, FIELD(quiet), "", "no summary"},
    {"--help", NULL, KIND_FLAG, FIELD(help), "", "this text"},
    {"--version", NULL, KIND_FLAG, FIELD(version), "", "version of this program"},
};

/* Does a command have the option? */
static bool belongs(const Option *option, const char *command) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, " %s ", command);
    return !*option->commands || strstr(option->commands, wanted);
}

const char *option_name(int index, const char *command) {
    if (index >= LENGTH(table)) return NULL;
    return belongs(&table[index], command) ? table[index].name : "";
}

static void print_option(FILE *out, const Option *option) {
    char left[40];
    bool optional = option->kind == KIND_OPTIONAL;
    snprintf(left, sizeof left, "%s%s%s%s", option->name,
             optional        ? "[="
             : option->value ? " "
                             : "",
             option->value ? option->value : "", optional ? "]" : "");
    fprintf(out, "  %-23s %s\n", left, option->help);
}

static void help_all(FILE *out) {
    fprintf(out, "Rubato, a Modelica compiler and simulator.\n\n"
                 "  rubato COMMAND [options] ...\n\n");
    for (int i = 0; command_info(i); i++)
        fprintf(out, "  %-10s %-22s %s\n", command_info(i)->name,
                command_info(i)->arguments, command_info(i)->help);
    fprintf(
        out,
        "\nTARGET is FILE.mo (its last model, or the one that --model names), the full\n"
        "name of a class in a library, - for standard input, a file that\n"
        "'rubato build' wrote, or of simulate an FMU. Further .mo files may stand before "
        "it.\n"
        "RESULT is a .mat or .csv file. 'rubato help COMMAND' lists options and "
        "examples.\n\n");
}

void options_help(FILE *out, const char *command) {
    const CommandInfo *info = command ? command_find(command) : NULL;
    if (!info) help_all(out);
    else {
        fprintf(out, "rubato %s [options] %s\n", info->name, info->arguments);
        fprintf(out, "%s\n\nExamples:\n", info->help);
        for (const char *line = info->examples; *line;) {
            size_t n = strcspn(line, "\n");
            fprintf(out, "  %.*s\n", (int)n, line);
            line += n + (line[n] == '\n');
        }
        fprintf(out, "\n");
    }
    fprintf(out, info ? "Options:\n" : "Options of all commands:\n");
    for (int i = 0; i < LENGTH(table); i++)
        if (info ? belongs(&table[i], info->name) : !*table[i].commands)
            print_option(out, &table[i]);
    fprintf(out, "  %-23s %s\n", "--diagnostics=json",
            "messages as JSON, one object a line");
    fprintf(out, "\nExit status: 0 done, 1 wrong model or input, 2 wrong command line, "
                 "3 failed simulation, 4 defect of ours.\n");
}

void words_add(Arena *arena, Words *words, const char *word) {
    words->item = arena_grow(arena, words->item, sizeof(char *), &words->capacity,
                             words->count + 1);
    words->item[words->count++] = word;
}

static bool usage(const char *text, const char *word, const char *best) {
    fprintf(stderr, "rubato: %s '%s'", text, word);
    if (best) fprintf(stderr, "; did you mean '%s'?", best);
    fprintf(stderr, "\nTry 'rubato help'.\n");
    return false;
}

static const Option *find(const char *name, size_t length) {
    for (int i = 0; i < LENGTH(table); i++)
        if (text_is(table[i].name, name, length)) return &table[i];
    return NULL;
}

static bool unknown_option(const char *word, size_t length) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    Suggest suggest = suggest_start(name);
    for (int i = 0; i < LENGTH(table); i++) suggest_candidate(&suggest, table[i].name);
    suggest_candidate(&suggest, "--diagnostics");
    return usage("unknown option", name, suggest.best);
}

static bool set_diagnostics(Options *options, const char *value) {
    if (strcmp(value, "json") == 0) options->json = true;
    else if (strcmp(value, "text") == 0) options->json = false;
    else return usage("--diagnostics is text or json, not", value, NULL);
    return true;
}

static void set_value(Job *job, const Option *option, const char *value) {
    char *field = (char *)&job->options + option->field;
    switch (option->kind) {
    case KIND_FLAG: *(bool *)field = true; break;
    case KIND_OPTIONAL:
    case KIND_VALUE: *(const char **)field = value; break;
    case KIND_WORDS: words_add(&job->arena, (Words *)field, value); break;
    }
}

bool option_set(Job *job, const char *name, const char *value) {
    const Option *option = find(name, strlen(name));
    if (option) set_value(job, option, value);
    return option != NULL;
}

static bool take_option(Job *job, int argc, char **argv, int *i) {
    const char   *word = strcmp(argv[*i], "-o") == 0   ? "--output"
                         : strcmp(argv[*i], "-h") == 0 ? "--help"
                                                       : argv[*i];
    const char   *sign = strchr(word, '=');
    size_t        length = sign ? (size_t)(sign - word) : strlen(word);
    const char   *value = sign ? sign + 1 : NULL;
    bool          diagnostics = length == 13 && strncmp(word, "--diagnostics", 13) == 0;
    const Option *option = find(word, length);
    if (!option && !diagnostics) return unknown_option(word, length);
    bool wants = diagnostics || option->kind != KIND_FLAG;
    if (!wants && value) return usage("this option takes no value:", word, NULL);
    if (wants && !value && option && option->kind == KIND_OPTIONAL) value = "";
    if (wants && !value) {
        if (*i + 1 >= argc) return usage("a value is missing after", word, NULL);
        value = argv[++*i];
    }
    if (diagnostics) return set_diagnostics(&job->options, value);
    set_value(job, option, value);
    return true;
}

/* An option of another command is a mistake worth telling. */
static bool check_commands(const Job *job, int argc, char **argv) {
    if (!job->options.command) return true;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) break;
        if (strncmp(argv[i], "--", 2) != 0) continue;
        const Option *option = find(argv[i], strcspn(argv[i], "="));
        if (!option || belongs(option, job->options.command)) continue;
        fprintf(stderr, "rubato: '%s' has no option %s\n", job->options.command,
                option->name);
        return false;
    }
    return true;
}

bool options_parse(Job *job, int argc, char **argv) {
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        if (!only_arguments && strcmp(argv[i], "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && argv[i][0] == '-' && argv[i][1]) {
            int used = 0;
            if (argv[i][1] != '-' &&
                !known_flag(job, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used))
                return false;
            if (used) i += used - 1;
            else if (!take_option(job, argc, argv, &i)) return false;
        } else if (!job->options.command) {
            job->options.command = argv[i];
        } else {
            words_add(&job->arena, &job->options.arguments, argv[i]);
        }
    }
    if (job->options.override && !override_file(job, job->options.override)) return false;
    return check_commands(job, argc, argv);
}
