/* SPDX-License-Identifier: Apache-2.0 */
/* bench_parse.c -- how fast text becomes a tree, beside reading the same bytes.
 *
 *   bench_parse [PATH...]      .mo files and folders; without any, text made here
 *
 * All text is loaded first, so no disk is measured. The yardstick is memchr looking for a
 * character that never occurs: what it costs to touch every byte once. Each figure is the
 * best of five runs. */
#define _XOPEN_SOURCE 700
#include "syntax/syntax.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Sources *collected; /* nftw passes no context */

static int collect(const char *path, const struct stat *info, int type, struct FTW *ftw) {
    const Source *source;
    size_t        n = strlen(path);
    (void)info;
    (void)ftw;
    if (strstr(path, "/Resources/")) return 0; /* scripts and translations, no classes */
    if (type == FTW_F && n > 3 && strcmp(path + n - 3, ".mo") == 0)
        source_load(collected, path, &source);
    return 0;
}

/* A library of many small models: declarations, equations, annotations, documentation. */
static void make_text(Sources *sources) {
    const Source *source;
    Text          text = {0};
    text_add(&text, "package Made\n");
    for (int i = 0; i < 20000; i++)
        text_printf(
            &text,
            "  model M%d \"Model number %d\"\n"
            "    extends Interfaces.TwoPin(v(start=0), p.i(nominal=%d.5));\n"
            "    parameter SI.Resistance R_%d(min=0)=%d \"Resistance\"\n"
            "      annotation (Dialog(group=\"Main\"), "
            "Placement(transformation(extent={{-10,%d},{10,20}})));\n"
            "    Real x[3]={1.0, 2.5e-3, %d}, y;\n"
            "  equation\n"
            "    v = R_%d*i + sum(x[k]^2 for k in 1:3);\n"
            "    der(y) = if y > 1 and time < 10 then -y/(1 + x[1]) else sin(2*y);\n"
            "    connect(p, n) annotation (Line(points={{0,0},{10,%d}}, "
            "color={0,0,255}));\n"
            "    annotation (Documentation(info=\"<html><p>Some text about it, as long "
            "as descriptions usually are, and a little longer.</p></html>\"));\n"
            "  end M%d;\n",
            i, i, i, i, i, -i, i, i, i, i);
    text_add(&text, "end Made;\n");
    source_add(sources, "made.mo", text_get(&text), text.length, &source);
    text_free(&text);
}

static double time_memchr(const Sources *sources, size_t *found) {
    double start = now();
    for (int i = 0; i < sources->count; i++) {
        const Source *source = sources->source[i];
        *found += memchr(source->text, 1, source->size) != NULL;
    }
    return now() - start;
}

static double time_parse(const Sources *sources, Session *session, int *errors) {
    double start = now();
    for (int i = 0; i < sources->count; i++) parse_source(session, sources->source[i]);
    double seconds = now() - start;
    *errors = session->diag.errors;
    return seconds;
}

int main(int argc, char **argv) {
    Sources sources;
    size_t  bytes = 0, found = 0, tree = 0;
    int     errors = 0;
    double  best_scan = 1e9, best_parse = 1e9;
    sources_init(&sources);
    collected = &sources;
    for (int i = 1; i < argc; i++) nftw(argv[i], collect, 32, FTW_PHYS);
    if (argc == 1) make_text(&sources);
    for (int i = 0; i < sources.count; i++) bytes += sources.source[i]->size;
    for (int run = 0; run < RUNS && bytes; run++) {
        Session session;
        session_init(&session);
        double scan = time_memchr(&sources, &found),
               parse = time_parse(&sources, &session, &errors);
        if (scan < best_scan) best_scan = scan;
        if (parse < best_parse) best_parse = parse;
        tree = session.ast.used;
        session_free(&session);
    }
    if (!bytes) {
        fprintf(stderr, "no .mo file found\n");
        return 1;
    }
    double mega = 1e-6 * (double)bytes;
    printf("%d files, %.2f MB, %d errors%s\n", sources.count, mega, errors,
           found ? " (byte 1 occurs)" : "");
    printf("%-28s %10.1f MB/s\n", "parse", mega / best_parse);
    printf("%-28s %10.1f MB/s\n", "memchr over the same bytes", mega / best_scan);
    printf("%-28s %10.1f\n", "parse time / memchr time", best_parse / best_scan);
    printf("%-28s %10.2f\n", "tree bytes per source byte", (double)tree / (double)bytes);
    sources_free(&sources);
    return errors > 0;
}
