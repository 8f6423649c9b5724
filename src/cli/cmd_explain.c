/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_explain.c -- rubato explain: the long explanation of a message code. */
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

static const char *const severity[] = {"error", "warning", "note"};

static void indented(Text *out, const char *text) {
    text_add(out, "    ");
    for (; *text; text++) {
        text_char(out, *text);
        if (*text == '\n') text_add(out, "    ");
    }
    text_char(out, '\n');
}

static void wrapped(Text *out, const char *text) { /* at 90 columns */
    size_t column = 0;
    while (*text) {
        size_t n = strcspn(text, " ");
        if (column && column + 1 + n > 90) {
            text_char(out, '\n');
            column = 0;
        } else if (column) {
            text_char(out, ' ');
            column++;
        }
        text_bytes(out, text, n);
        column += n;
        text += n + strspn(text + n, " ");
    }
    text_char(out, '\n');
}

static void explain(Text *out, const CodeInfo *info, bool markdown) {
    text_printf(out, markdown ? "\n## %s: %s\n\n" : "%s: %s\n\n", info->id, info->title);
    if (info->severity != SEVERITY_ERROR)
        text_printf(out, "This is a %s.\n\n", severity[info->severity]);
    wrapped(out, info->explanation);
    if (!*info->example) return;
    text_add(out, "\nExample:\n\n");
    indented(out, info->example);
}

static void all_codes(Text *out) {
    static const struct {
        char        letter;
        const char *phase;
    } phases[] = {{'S', "files and libraries"},
                  {'L', "characters and words"},
                  {'P', "grammar"},
                  {'F', "lookup and instances"},
                  {'T', "types"},
                  {'D', "equations"},
                  {'H', "infinitely fast processes"},
                  {'G', "generated code"},
                  {'R', "run time"},
                  {'C', "component-wise translation"}};
    char last = 0;
    text_add(out, "# Messages\n\nPrinted by `rubato explain --markdown`; the table is "
                  "`src/base/codes.def`.\n");
    for (int c = 1; c < CODE_COUNT; c++) {
        const CodeInfo *info = code_info((Code)c);
        for (int i = 0; i < LENGTH(phases) && info->id[0] != last; i++)
            if (phases[i].letter == info->id[0])
                text_printf(out, "\n# %c: %s\n", info->id[0], phases[i].phase);
        last = info->id[0];
        explain(out, info, true);
    }
}

static int unknown_code(const char *id) {
    Suggest suggest = suggest_start(id);
    for (int c = 1; c < CODE_COUNT; c++)
        suggest_candidate(&suggest, code_info((Code)c)->id);
    fprintf(stderr, "rubato: there is no message code '%s'", id);
    if (suggest.best) fprintf(stderr, "; did you mean '%s'?", suggest.best);
    fprintf(stderr, "\n");
    return EXIT_USAGE;
}

int command_explain(Job *job) {
    Text         out = {0};
    int          status = EXIT_DONE;
    const Words *arguments = &job->options.arguments;
    if (job->options.markdown) all_codes(&out);
    else if (!arguments->count) status = EXIT_USAGE;
    if (status)
        fprintf(stderr, "rubato: explain what? For example: rubato explain P102\n");
    for (int i = 0; i < arguments->count && !job->options.markdown; i++) {
        char *id = arena_printf(&job->arena, "%s", arguments->item[i]);
        *id = (char)toupper((unsigned char)*id);
        Code code = code_find(id);
        if (code) explain(&out, code_info(code), false);
        else status = unknown_code(arguments->item[i]);
    }
    fwrite(text_get(&out), 1, out.length, stdout);
    text_free(&out);
    return status;
}
