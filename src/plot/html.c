/* SPDX-License-Identifier: Apache-2.0 */
/* html.c -- a result as one HTML page that needs nothing else.
 *
 * The page is page/report.html with its script and style, uPlot (tools/uplot.sh) and the data: a
 * JSON object whose numbers are base64 of little-endian values, times as 64-bit, curves as 32-bit
 * floats. A result that would make more than BUDGET bytes is decimated curve by curve, extrema
 * kept, so time and size are bounded whatever the result. Without uPlot the page holds still
 * pictures. */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const char page_style[], page_script[], page_body[]; /* made by tools/embed.sh */
extern const char uplot_script[], uplot_style[], uplot_licence[];

#define BUDGET 24e6                      /* bytes of curves before base64 */
enum { STEPS = 20000, LISTED = 200000 }; /* steps in a page; numbers of states in them */

/* ---- pieces of text ---- */

static void put_base64(Text *out, const void *data, size_t bytes) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = data;
    char                 group[4];
    for (size_t i = 0; i < bytes; i += 3) {
        const unsigned rest = bytes - i < 3 ? (unsigned)(bytes - i) : 3;
        const unsigned word = (unsigned)b[i] << 16 |
                              (rest > 1 ? (unsigned)b[i + 1] << 8 : 0) |
                              (rest > 2 ? b[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            group[k] = k <= rest ? letters[word >> (18 - 6 * k) & 63] : '=';
        text_bytes(out, group, 4);
    }
}

/* A JSON string inside a script element: "</" would end it. */
static void put_string(Text *out, const char *text) {
    Text json = {0};
    text_json(&json, text, strlen(text));
    for (const char *c = text_get(&json); *c; c++)
        if (c[0] == '<') text_add(out, "\\u003c");
        else text_char(out, *c);
    out->failed |= json.failed;
    text_free(&json);
}

static void put_html(Text *out, const char *text) {
    for (; *text; text++)
        if (*text == '<') text_add(out, "&lt;");
        else if (*text == '&') text_add(out, "&amp;");
        else text_char(out, *text);
}

static void put_plain(Text *out, const char *text) { /* JSON of others, as above */
    for (; *text; text++)
        if (*text == '<') text_add(out, "\\u003c");
        else if (*text != '\n') text_char(out, *text);
}

/* ---- curves ---- */

typedef struct Columns { /* distinct data of a result */
    Map place;           /* address -> number */
    int count;
} Columns;

static int column_of(Columns *columns, const Result *r, int v) {
    const uint64_t key = (uint64_t)(uintptr_t)r->data[v];
    if (!map_has(&columns->place, key) && map_put(&columns->place, key, columns->count))
        columns->count++;
    return (int)map_get(&columns->place, key, 0);
}

static void put_variables(Text *out, const Result *r, Columns *columns) {
    for (int v = 0; v < r->variables; v++) {
        const char *text = r->description[v] ? r->description[v] : "";
        const char *open = strrchr(text, '[');
        size_t      n = strlen(text);
        bool        unit = open && n > 2 && text[n - 1] == ']';
        Text        part = {0};
        text_add(out, v ? ",{\"n\":" : "{\"n\":");
        put_string(out, r->name[v]);
        text_bytes(&part, text, unit ? (size_t)(open - text) : n);
        if (part.length) text_add(out, ",\"d\":"), put_string(out, text_get(&part));
        text_clear(&part);
        if (unit) text_bytes(&part, open + 1, strlen(open) - 2);
        if (part.length) text_add(out, ",\"u\":"), put_string(out, text_get(&part));
        text_free(&part);
        const double first = r->points || !r->step[v] ? result_value(r, v, 0) : 0;
        if (!r->step[v]) text_printf(out, ",\"c\":%.9g}", isfinite(first) ? first : 0);
        else
            text_printf(out, ",\"k\":%d,\"s\":%d}", column_of(columns, r, v),
                        r->sign[v] < 0 ? -1 : 1);
    }
}

typedef struct Shrink { /* room for one decimated curve */
    int     buckets;    /* 0: curves are whole */
    double *y, *x;
    float  *small;
    Dot    *dot;
} Shrink;

static bool shrink_new(Shrink *s, const Result *r, int columns) {
    const double whole = 4.0 * r->points * columns;
    *s = (Shrink){.y = mem_take((size_t)r->points + 1, sizeof(double)),
                  .small = mem_take((size_t)r->points + 1, sizeof(float))};
    if (whole > BUDGET) {
        const int most = (int)(BUDGET / 48 / columns);
        s->buckets = most < 100 ? 100 : most > r->points / 4 ? r->points / 4 : most;
        s->dot = mem_take((size_t)(4 * s->buckets + 4), sizeof(Dot));
        s->x = mem_take((size_t)(4 * s->buckets + 4), sizeof(double));
    }
    return s->y && s->small && (!s->buckets || (s->dot && s->x));
}

static void shrink_free(Shrink *s) {
    mem_free(s->y), mem_free(s->x), mem_free(s->small), mem_free(s->dot);
}

static void put_column(Text *out, const Result *r, const double *data, int step,
                       Shrink *s) {
    int n = r->points;
    if (s->buckets) {
        for (int i = 0; i < n; i++) s->y[i] = data[(size_t)i * (size_t)step];
        Curve curve = {.x = r->time, .y = s->y, .n = n};
        n = curve_decimate(&curve, r->time[0], r->time[r->points - 1], s->buckets,
                           s->dot);
        for (int i = 0; i < n; i++) {
            s->x[i] = s->dot[i].x;
            s->small[i] = (float)s->dot[i].y;
        }
        text_add(out, "{\"x\":\"");
        put_base64(out, s->x, sizeof(double) * (size_t)n);
        text_add(out, "\",\"y\":\"");
    } else {
        for (int i = 0; i < n; i++) s->small[i] = (float)data[(size_t)i * (size_t)step];
        text_add(out, "{\"y\":\"");
    }
    put_base64(out, s->small, sizeof(float) * (size_t)n);
    text_add(out, "\"}");
}

static void put_curves(Text *out, const Result *r, const Columns *columns) {
    Shrink s;
    int    told = 0;
    out->failed |= !shrink_new(&s, r, columns->count > 0 ? columns->count : 1);
    text_printf(out, "\"decimated\":%s,\"time\":\"", s.buckets ? "true" : "false");
    if (!s.buckets) put_base64(out, r->time, sizeof(double) * (size_t)r->points);
    text_add(out, "\",\"data\":[");
    for (int v = 0; v < r->variables && !out->failed; v++) {
        if (!r->step[v] ||
            map_get(&columns->place, (uint64_t)(uintptr_t)r->data[v], -1) != told)
            continue;
        text_add(out, told++ ? "," : "");
        put_column(out, r, r->data[v], r->step[v], &s);
    }
    text_add(out, "]");
    shrink_free(&s);
}

/* ---- steps and events ---- */

static int count_steps(const char *trace) {
    int n = 0;
    for (const char *c = trace; (c = strstr(c, "{\"t\":")); c++) n++;
    return n;
}

/* Lines of a trace (api/trace.c), every `every`th step of them. which: 't', 'h', 'l' level,
 * 's' states. */
static void put_steps(Text *out, const char *trace, int every, char which) {
    int k = 0, told = 0;
    for (const char *c = trace; (c = strstr(c, "{\"t\":")); c++) {
        char *end;
        if (k++ % every) continue;
        double      t = strtod(c + 5, &end), h = strtod(end + 5, &end);
        long        level = strtol(end + 9, &end, 10);
        const char *states = end + 10;
        text_add(out, told++ ? "," : "");
        if (which == 't') text_printf(out, "%.9g", t);
        else if (which == 'h') text_printf(out, "%.6g", h);
        else if (which == 'l') text_printf(out, "%ld", level);
        else text_printf(out, "%.*s", (int)strcspn(states, "}"), states);
    }
}

static void put_trace(Text *out, const char *trace) {
    const int   n = count_steps(trace), every = n > STEPS ? n / STEPS + 1 : 1;
    const char *line = strchr(trace, '[');
    bool        first = true;
    if (strncmp(trace, "{\"states\":[", 11) == 0 && line) {
        text_add(out, ",\"states\":");
        Text names = {0};
        text_bytes(&names, line, strcspn(line, "\n") - 1);
        put_plain(out, text_get(&names));
        text_free(&names);
    }
    text_add(out, ",\"steps\":{\"t\":[");
    put_steps(out, trace, every, 't');
    text_add(out, "],\"h\":[");
    put_steps(out, trace, every, 'h');
    text_add(out, "],\"level\":[");
    put_steps(out, trace, every, 'l');
    if (strlen(trace) / 4 / (size_t)every < LISTED * 4) {
        text_add(out, "],\"states\":[");
        put_steps(out, trace, every, 's');
    }
    text_add(out, "]},\"events\":[");
    for (const char *c = trace; (c = strstr(c, "{\"event\":")); c++, first = false)
        text_printf(out, "%s%.9g", first ? "" : ",", strtod(c + 9, NULL));
    text_add(out, "]");
}

/* ---- the page ---- */

static void put_run(Text *out, const Result *r, const char *name, const char *trace,
                    const char *statistics) {
    Columns columns = {0};
    text_add(out, "{\"name\":");
    put_string(out, name);
    text_printf(out, ",\"begin\":%.17g,\"end\":%.17g,\"variables\":[",
                r->points ? r->time[0] : 0, r->points ? r->time[r->points - 1] : 1);
    put_variables(out, r, &columns);
    text_add(out, "],");
    put_curves(out, r, &columns);
    if (trace && *trace) put_trace(out, trace);
    if (statistics && *statistics) {
        text_add(out, ",\"statistics\":");
        put_plain(out, statistics);
    }
    text_add(out, "}");
    map_free(&columns.place);
}

/* What is shown first: varying Reals that look like states, else those that come first. */
static int first_shown(const Result *r, const char *trace, int *list, int most) {
    int n = 0;
    for (int pass = 0; pass < 2 && !n; pass++)
        for (int v = 0; v < r->variables && n < most; v++) {
            Text quoted = {0};
            text_json(&quoted, r->name[v], strlen(r->name[v]));
            const char *end = trace ? strchr(trace, '\n') : NULL;
            const char *at = end ? strstr(trace, text_get(&quoted)) : NULL;
            if (r->step[v] && (pass || (at && at < end))) list[n++] = v;
            text_free(&quoted);
        }
    return n;
}

static void put_data(Text *out, const ReportInput *in, const int *first, int firsts) {
    text_add(out, "<script type=\"application/json\" id=\"data\">{\"runs\":[");
    put_run(out, in->result, in->name, in->trace, in->statistics);
    if (in->other) {
        text_char(out, ',');
        put_run(out, in->other, in->other_name, NULL, NULL);
    }
    text_add(out, "],\"first\":[");
    for (int k = 0; k < firsts; k++) text_printf(out, "%s%d", k ? "," : "", first[k]);
    text_add(out, "]");
    if (in->source) {
        text_add(out, ",\"source\":");
        put_string(out, in->source);
    }
    text_add(out, "}</script>\n");
}

static void put_still(Text *out, const ReportInput *in, const int *first, int firsts) {
    Figure figure = {.title = in->name};
    for (int k = 0; k < firsts; k++)
        out->failed |= !figure_add(&figure, in->result, first[k], false);
    figure_finish(&figure);
    text_add(out, "<section>\n");
    plot_svg(out, &figure, 860, 240);
    text_add(out, "<p class=\"soft\">This build has no uPlot: the pictures do not move. "
                  "'make uplot' fetches it.</p>\n");
    if (in->statistics) {
        text_add(out, "<pre>");
        put_html(out, in->statistics);
        text_add(out, "</pre>");
    }
    text_add(out, "</section>\n");
    figure_free(&figure);
}

void report_html(Text *out, const ReportInput *in) {
    int        first[4];
    const bool live = *uplot_script != 0;
    const int  firsts = first_shown(in->result, in->trace, first, LENGTH(first));
    text_add(out,
             "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    put_html(out, in->name);
    text_printf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n", uplot_style,
                page_style);
    text_add(out, "<header><h1>");
    put_html(out, in->name);
    text_printf(out, "</h1><span class=\"soft\">%d points, %d variables</span>",
                in->result->points, in->result->variables);
    if (live)
        text_add(out, "<nav><button data-tab=\"curves\">Curves</button><button "
                      "data-tab=\"steps\">Steps</button><button "
                      "data-tab=\"statistics\">Statistics</button><button "
                      "data-tab=\"source\">Source</button><button "
                      "id=\"theme\">Light/dark</button></nav>");
    text_add(out, "</header>\n");
    if (live) {
        text_add(out, page_body);
        put_data(out, in, first, firsts);
        text_printf(out, "<script>\n/*\n%s*/\n%s</script>\n<script>\n%s</script>\n",
                    uplot_licence, uplot_script, page_script);
    } else put_still(out, in, first, firsts);
    text_add(out, "</body>\n</html>\n");
}
