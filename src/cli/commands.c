/* SPDX-License-Identifier: Apache-2.0 */
/* commands.c -- one table of commands: what they do, how they are called, examples. */
#include "cli/cli.h"

#include <string.h>

static const CommandInfo table[] = {
    {"simulate", command_simulate, "TARGET", "translate a model and run it",
     "rubato simulate Ball.mo                        # writes Ball_res.mat\n"
     "rubato simulate Ball.mo --stop 10 --set e=0.5 --output ball.csv\n"
     "rubato simulate Plant.mo --model Plant.Test --rates auto --stats -\n"
     "rubato simulate Plant.mo --solver cvode        # a second opinion\n"},
    {"plot", command_plot, "RESULT VARIABLE...", "curves on the terminal, or as SVG",
     "rubato plot Ball_res.mat h v\n"
     "rubato plot Ball_res.mat h v --output ball.svg --title 'A ball'\n"},
    {"report", command_report, "RESULT [RESULT]",
     "an HTML page with curves to zoom and compare",
     "rubato simulate Ball.mo --report ball.html   # with steps and statistics\n"
     "rubato report Ball_res.mat                   # writes Ball.html\n"
     "rubato report new_res.mat old_res.mat --output both.html\n"},
    {"variables", command_variables, "TARGET|RESULT [REGEX]",
     "names, values, units and descriptions",
     "rubato variables Ball.mo                       # values at the start\n"
     "rubato variables Ball_res.mat '^motor\\.'\n"},
    {"check", command_check, "TARGET", "everything up to code; counts, states, messages",
     "rubato check Plant.mo --library libraries\n"},
    {"flat", command_flat, "TARGET", "the flat model as Modelica text",
     "rubato flat Plant.mo\n"},
    {"structure", command_structure, "TARGET",
     "states, blocks and torn systems of a model", "rubato structure Plant.mo\n"},
    {"sweep", command_sweep, "TARGET", "many runs of one model with other values",
     "rubato sweep Filter.mo --vary R=1:0.5:10 --vary 'C=log(1e-9,1e-6,20)'\n"
     "rubato sweep Filter.mo --table cases.csv --keep 'max(u)' --keep y@0.5\n"
     "rubato sweep Filter.mo --sample lhs:1000:7 --normal m=1,0.1 --threads 4\n"
     "rubato sweep Filter.mo --table cases.csv --resume   # after Ctrl-C or a kill\n"},
    {"steady", command_steady, "TARGET [REGEX]",
     "the values at which nothing moves any more",
     "rubato steady Plant.mo                         # prints the states\n"
     "rubato steady Plant.mo --at 2 --set u=1 '^tank' --save-state rest.state\n"},
    {"fit", command_fit, "TARGET", "parameters out of measurements, with intervals",
     "rubato fit Motor.mo --data measured.csv --parameter R=1,0.1,10 --parameter J\n"
     "rubato fit Motor.mo --data measured.csv --parameter R --variables '^w$' --threads "
     "4\n"},
    {"linearize", command_linearize, "TARGET",
     "sparse matrices A, B, C, D of a model near a point",
     "rubato linearize Plant.mo --steady             # writes Plant_linear.mat\n"
     "rubato linearize Plant.mo --at 0.5 --output linear.mo\n"},
    {"advise", command_advise, "TARGET",
     "states that are worth being infinitely fast (--theta)",
     "rubato advise Circuit.mo --stop 0.1\n"},
    {"build", command_build, "TARGET", "translate a model into a file that simulate runs",
     "rubato build Plant.mo --output plant.rbp && rubato simulate plant.rbp\n"},
    {"fmu", command_fmu, "TARGET",
     "a Functional Mock-up Unit for other tools (FMI 2.0, 3.0)",
     "rubato fmu Plant.mo                            # writes Plant.fmu\n"
     "rubato fmu Plant.mo --fmi 2 --kind cs --output plant2.fmu\n"},
    {"compare", command_compare, "RESULT REFERENCE",
     "is a result inside the tube around a reference?",
     "rubato compare Plant_res.mat reference.csv --output worst.svg\n"},
    {"convert", command_convert, "RESULT", "a result in another format",
     "rubato convert Plant_res.mat --output plant.csv --variables '^motor'\n"},
    {"run", command_run, "FILE.mos", "a script of loadFile, simulate, val, plot, ...",
     "rubato run test.mos --library libraries\n"},
    {"methods", command_methods, "", "every integration method", "rubato methods\n"},
    {"parse", command_parse, "PATH...|CLASS...",
     "read files, whole library trees, or a class by name",
     "rubato parse libraries/Modelica\n"},
    {"format", command_format, "FILE...", "pretty-print Modelica text",
     "rubato format --in-place Plant.mo\n"},
    {"lint", command_lint, "PATH...", "what is right and yet may be a mistake",
     "rubato lint Plant.mo --rules -missing-unit\n"},
    {"lsp", command_lsp, "", "language server for editors, on standard input and output",
     "rubato lsp --library libraries\n"},
    {"explain", command_explain, "CODE", "explain a message code, with an example",
     "rubato explain R104\n"},
    {"completion", command_completion, "bash|zsh|fish",
     "words for the Tab key of a shell",
     "rubato completion bash > ~/.local/share/bash-completion/completions/rubato\n"},
    {"help", command_help, "[COMMAND]", "this text, or that of a command",
     "rubato help simulate\n"},
};

const CommandInfo *command_info(int index) {
    return index < LENGTH(table) ? &table[index] : NULL;
}

const CommandInfo *command_find(const char *name) {
    for (int i = 0; i < LENGTH(table); i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

int unknown_command(const char *name) {
    Suggest suggest = suggest_start(name);
    for (int i = 0; i < LENGTH(table); i++) suggest_candidate(&suggest, table[i].name);
    size_t n = strlen(name);
    fprintf(stderr, "rubato: unknown command '%s'", name);
    if (suggest.best) fprintf(stderr, "; did you mean '%s'?", suggest.best);
    else if (n > 3 && strcmp(name + n - 3, ".mo") == 0)
        fprintf(stderr, "; did you mean 'rubato simulate %s'?", name);
    fprintf(stderr, "\nTry 'rubato help'.\n");
    return EXIT_USAGE;
}

int command_help(Job *job) {
    const Words *words = &job->options.arguments;
    if (words->count && !command_find(words->item[0]))
        return unknown_command(words->item[0]);
    options_help(stdout, words->count ? words->item[0] : NULL);
    return EXIT_DONE;
}
