/* SPDX-License-Identifier: Apache-2.0 */
/* html.c -- a result as one HTML page that needs nothing else.
 *
 * The page is page/report.html with its scripts and style, uPlot, three.js if there are bodies to
 * draw (tools/web.sh), and the data: one JSON object with curves (curves.c), bodies (shapes.c),
 * steps (steps.c), statistics and source. Without uPlot the page holds still pictures. */
#include "plot/page.h"

#include <string.h>

/* made by tools/embed.sh */
extern const char page_style[], page_script[], page_panels[], page_body[],
    page_animation[];
extern const char uplot_script[], uplot_style[], uplot_licence[];
extern const char three_core[], three_module[], three_orbit[], three_licence[];

static void put_run(Text *out, const ReportInput *in, const int *first, int firsts) {
    const Result *r = in->result;
    text_add(out, "{\"name\":");
    page_string(out, in->name);
    text_printf(out, ",\"begin\":%.17g,\"end\":%.17g,", r->points ? r->time[0] : 0,
                r->points ? r->time[r->points - 1] : 1);
    page_curves(out, r, first, firsts);
    if (in->trace && *in->trace) page_steps(out, in->trace);
    if (in->statistics && *in->statistics) {
        text_add(out, ",\"statistics\":");
        page_json(out, in->statistics);
    }
    text_add(out, "}");
}

/* What is shown first: varying Reals that are states by the first line of the trace, else those
 * that come first. */
static int first_shown(const Result *r, const char *trace, int *list, int most) {
    Text states = {0}, quoted = {0};
    int  n = 0;
    text_bytes(&states, trace ? trace : "", trace ? strcspn(trace, "\n") : 0);
    for (int pass = 0; pass < 2 && !n; pass++)
        for (int v = 0; v < r->variables && n < most; v++) {
            text_clear(&quoted);
            text_json(&quoted, r->name[v], strlen(r->name[v]));
            if (r->step[v] && (pass || strstr(text_get(&states), text_get(&quoted))))
                list[n++] = v;
        }
    text_free(&states);
    text_free(&quoted);
    return n;
}

/* Lines as elements of a list. */
static void put_messages(Text *out, const char *lines) {
    Text list = {0};
    for (const char *c = lines; *c; c++)
        if (*c != '\n') text_char(&list, *c);
        else if (c[1]) text_char(&list, ',');
    text_add(out, ",\"messages\":[");
    page_json(out, text_get(&list));
    text_add(out, "]");
    out->failed |= list.failed;
    text_free(&list);
}

/* The number of bodies to draw. */
static int put_data(Text *out, const ReportInput *in, const int *first, int firsts) {
    int shapes;
    text_add(out, "<script type=\"application/json\" id=\"data\">{\"runs\":[");
    put_run(out, in, first, firsts);
    if (in->other) {
        text_char(out, ',');
        put_run(out, &(ReportInput){.name = in->other_name, .result = in->other}, NULL,
                0);
    }
    text_add(out, "],\"first\":[");
    for (int k = 0; k < firsts; k++) text_printf(out, "%s%d", k ? "," : "", first[k]);
    text_add(out, "]");
    shapes = *three_core ? page_shapes(out, in) : 0;
    if (in->structure && *in->structure) {
        text_add(out, ",\"structure\":");
        page_json(out, in->structure);
    }
    if (in->messages && *in->messages) put_messages(out, in->messages);
    if (in->source) {
        text_add(out, ",\"source\":");
        page_string(out, in->source);
        text_add(out, ",\"file\":");
        page_string(out, in->path);
    }
    text_add(out, "}</script>\n");
    return shapes;
}

void page_script_text(Text *out, const char *text) {
    text_add(out, "<script>\n");
    text_add(out, text);
    text_add(out, "</script>\n");
}

/* A module, as text: page/animation.js loads it. */
static void put_module(Text *out, const char *id, const char *text) {
    text_printf(out, "<script type=\"text/plain\" id=\"%s\">\n", id);
    text_add(out, text);
    text_add(out, "</script>\n");
}

static void put_animation(Text *out) {
    text_printf(out, "<!-- three.js\n%s-->\n", three_licence);
    put_module(out, "three-core", three_core);
    put_module(out, "three-module", three_module);
    put_module(out, "three-orbit", three_orbit);
    page_script_text(out, page_animation);
}

static void put_still(Text *out, const ReportInput *in, const int *first, int firsts) {
    Figure figure = {.title = in->name};
    for (int k = 0; k < firsts; k++)
        out->failed |= !figure_add(&figure, in->result, first[k], false);
    figure_finish(&figure);
    text_add(out, "<section>\n");
    plot_svg(out, &figure, 860, 240);
    text_add(out, "<p class=\"soft\">This build has no uPlot: the pictures do not move. "
                  "'make web' fetches it.</p>\n");
    if (in->statistics) {
        text_add(out, "<pre>");
        page_html(out, in->statistics);
        text_add(out, "</pre>");
    }
    text_add(out, "</section>\n");
    figure_free(&figure);
}

void page_head(Text *out, const char *name) {
    text_add(out,
             "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    page_html(out, name);
    text_printf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n", uplot_style,
                page_style);
    text_add(out, "<header><h1>");
    page_html(out, name);
    text_add(out, "</h1>");
}

static void put_head(Text *out, const ReportInput *in) {
    page_head(out, in->name);
    text_printf(out, "<span class=\"soft\">%d points, %d variables</span>",
                in->result->points, in->result->variables);
    text_add(out, "<nav id=\"tabs\"></nav></header>\n");
}

void report_html(Text *out, const ReportInput *in) {
    int        first[4];
    const bool live = *uplot_script != 0;
    const int  firsts = first_shown(in->result, in->trace, first, LENGTH(first));
    put_head(out, in);
    if (live) {
        text_add(out, page_body);
        const int shapes = put_data(out, in, first, firsts);
        text_printf(out, "<!-- uPlot\n%s-->\n", uplot_licence);
        page_script_text(out, uplot_script);
        page_script_text(out, page_script);
        if (shapes) put_animation(out);
        page_script_text(out, page_panels);
        text_add(out, "<script>rubato.start();</script>\n");
    } else put_still(out, in, first, firsts);
    text_add(out, "</body>\n</html>\n");
}
