/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_plot.c -- rubato plot: curves of a result on the terminal or as SVG. */
#define _DEFAULT_SOURCE
#include "cli/cli.h"
#include "plot/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool result_load(Result *result, const char *path) {
    const char *why = "";
    if (result_read(result, path, &why)) return true;
    fprintf(stderr, "rubato: cannot read '%s': %s\n", path, why);
    return false;
}

static int find_variable(const Result *result, const char *name) {
    int v = result_find(result, name);
    if (v >= 0) return v;
    if (strncmp(name, "der(", 4) == 0) {
        fprintf(
            stderr,
            "rubato: the result has no variable '%s': 'rubato simulate --derivatives' "
            "records derivatives\n",
            name);
        return -1;
    }
    Suggest suggest = suggest_start(name);
    for (int k = 0; k < result->variables; k++)
        suggest_candidate(&suggest, result->name[k]);
    fprintf(stderr, "rubato: the result has no variable '%s'%s%s%s\n", name,
            suggest.best ? "; did you mean '" : "", suggest.best ? suggest.best : "",
            suggest.best ? "'?" : " ('rubato variables RESULT' lists all)");
    return -1;
}

/* As wide as the terminal; 80 columns if that is not known. */
static TerminalStyle terminal_style(void) {
    struct winsize size;
    const char    *columns = getenv("COLUMNS");
    int            wide = columns ? atoi(columns) : 0;
    bool           tty = isatty(STDOUT_FILENO);
    if (wide < 30 && tty && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        wide = size.ws_col;
    return (TerminalStyle){.columns = wide < 30    ? 80
                                      : wide > 200 ? 200
                                                   : wide,
                           .rows = 14,
                           .colour = tty && !getenv("NO_COLOR")};
}

static bool is_svg(const char *path) {
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".svg") == 0;
}

int figure_show(Job *job, const Figure *figure) {
    Text        out = {0};
    const char *path = job->options.output;
    int         status = EXIT_DONE;
    if (!path) plot_terminal(&out, figure, terminal_style());
    else plot_svg(&out, figure, 720, 220);
    if (out.failed) status = EXIT_DEFECT;
    else if (!path) show_text(text_get(&out));
    else if (!files_write(path, text_get(&out), out.length)) {
        fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(errno));
        status = EXIT_MODEL;
    }
    text_free(&out);
    return status;
}

int command_plot(Job *job) {
    const Words *words = &job->options.arguments;
    Result       result = {0};
    Figure       figure = {.title = job->options.title};
    const char  *path = job->options.output;
    int          status = EXIT_DONE;
    if (words->count < 2) {
        fprintf(stderr, "rubato: plot needs a result and the names of variables\n");
        return EXIT_USAGE;
    }
    if (path && !is_svg(path)) {
        fprintf(stderr, "rubato: '%s': a picture is written as .svg\n", path);
        return EXIT_USAGE;
    }
    if (!result_load(&result, words->item[0])) return EXIT_MODEL;
    /* without colours curves in one panel could not be told apart */
    bool own = job->options.panels || (!path && !terminal_style().colour);
    for (int k = 1; k < words->count && status == EXIT_DONE; k++) {
        int v = find_variable(&result, words->item[k]);
        if (v < 0) status = EXIT_MODEL;
        else if (!figure_add(&figure, &result, v, own)) status = EXIT_DEFECT;
    }
    figure_finish(&figure);
    if (status == EXIT_DONE) status = figure_show(job, &figure);
    figure_free(&figure);
    result_free(&result);
    return status;
}
