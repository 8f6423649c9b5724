/* SPDX-License-Identifier: Apache-2.0 */
/* study.c -- a study as one HTML page: columns of its cases, failed cases, and bands of trajectories.
 *
 * A band holds at each of BAND_POINTS times what the least, 5, 50, 95 % and the most of the cases have
 * there, each on the line between its own points. Of very many cases the page holds some, evenly apart. */
#include "plot/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const char page_style[], page_study[];
extern const char uplot_script[], uplot_style[], uplot_licence[];

enum { CASES_SHOWN = 20000, FAILURES_SHOWN = 200, BAND_POINTS = 200, LEVELS = 5 };

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value of column c at a time, in rows of n numbers, time first; *at: where the last one was found. */
static double value_at(const double *rows, long points, int n, int c, double t,
                       long *at) {
    while (*at + 2 < points && rows[(*at + 1) * n] < t) ++*at;
    const double *low = rows + *at * n, *high = low + (*at + 1 < points ? n : 0);
    if (t < low[0] || t > high[0] || high[0] <= low[0])
        return t == low[0] ? low[c] : high[c];
    return low[c] + (high[c] - low[c]) * ((t - low[0]) / (high[0] - low[0]));
}

/* One variable: value[BAND_POINTS][cases] is work. */
static void put_band(Text *out, const StudyInput *in, int variable, double *value) {
    const int           n = in->courses + 1;
    static const double share[LEVELS] = {0, 0.05, 0.5, 0.95, 1};
    double              level[LEVELS][BAND_POINTS];
    long                many = 0;
    for (long i = 0; i < in->cases; i++) {
        const double *rows;
        long          points = in->points(in->owner, i, &rows), at = 0;
        if (points < 2) continue;
        for (int k = 0; k < BAND_POINTS; k++) {
            double t = in->start + (in->stop - in->start) * k / (BAND_POINTS - 1);
            value[(size_t)k * (size_t)in->cases + (size_t)many] =
                value_at(rows, points, n, variable + 1, t, &at);
        }
        many++;
    }
    for (int k = 0; k < BAND_POINTS && many; k++) {
        double *own = value + (size_t)k * (size_t)in->cases;
        qsort(own, (size_t)many, sizeof *own, by_value);
        for (int l = 0; l < LEVELS; l++)
            level[l][k] = own[(long)floor(share[l] * (double)(many - 1) + 0.5)];
    }
    text_add(out, "{\"n\":");
    page_string(out, in->course[variable]);
    text_add(out, ",\"levels\":[");
    for (int l = 0; l < LEVELS && many; l++) {
        text_add(out, l ? ",\"" : "\"");
        page_base64(out, level[l], sizeof level[l]);
        text_char(out, '"');
    }
    text_add(out, "]}");
}

static void put_bands(Text *out, const StudyInput *in) {
    double  time[BAND_POINTS];
    double *value = mem_take((size_t)in->cases * BAND_POINTS, sizeof *value);
    out->failed |= !value;
    if (!value) return;
    for (int k = 0; k < BAND_POINTS; k++)
        time[k] = in->start + (in->stop - in->start) * k / (BAND_POINTS - 1);
    text_add(out, ",\"bands\":{\"time\":\"");
    page_base64(out, time, sizeof time);
    text_add(out, "\",\"variables\":[");
    for (int v = 0; v < in->courses; v++) {
        if (v) text_char(out, ',');
        put_band(out, in, v, value);
    }
    text_add(out, "]}");
    mem_free(value);
}

/* Cases that are done, `step` apart. */
static void put_columns(Text *out, const StudyInput *in, long step) {
    double *value = mem_take((size_t)(in->cases / step) + 1, sizeof *value);
    out->failed |= !value;
    for (int c = 0; c < in->columns && value; c++) {
        size_t n = 0;
        for (long i = 0; i < in->cases; i += step)
            value[n++] = in->value(in->owner, i, c);
        text_add(out, c ? ",{\"n\":" : "{\"n\":");
        page_string(out, in->column[c]);
        text_add(out, ",\"y\":\"");
        page_base64(out, value, n * sizeof *value);
        text_add(out, "\"}");
    }
    mem_free(value);
}

static void put_failures(Text *out, const StudyInput *in) {
    int n = 0;
    for (long i = 0; i < in->cases && n < FAILURES_SHOWN; i++) {
        const char *why = in->reason(in->owner, i);
        if (!why) continue;
        text_printf(out, "%s{\"c\":%ld,\"why\":", n++ ? "," : "", i + 1);
        page_string(out, why);
        text_char(out, '}');
    }
}

static void put_data(Text *out, const StudyInput *in) {
    const long step = in->cases / CASES_SHOWN + 1;
    text_printf(
        out, "<script type=\"application/json\" id=\"data\">{\"varied\":%d,\"columns\":[",
        in->varied);
    put_columns(out, in, step);
    text_add(out, "],\"numbers\":[");
    for (long i = 0; i < in->cases; i += step)
        text_printf(out, "%s%ld", i ? "," : "", i + 1);
    text_add(out, "],\"failures\":[");
    put_failures(out, in);
    text_add(out, "]");
    if (in->courses) put_bands(out, in);
    text_add(out, "}</script>\n");
}

void report_study(Text *out, const StudyInput *in) {
    page_head(out, in->name);
    text_printf(out, "<span class=\"soft\">%ld cases, %d varied, %d kept</span>",
                in->cases, in->varied, in->columns - in->varied);
    text_add(out, "<nav id=\"tabs\"></nav></header>\n<div id=\"study\"></div>\n");
    put_data(out, in);
    if (*uplot_script) {
        text_printf(out, "<!-- uPlot\n%s-->\n", uplot_licence);
        page_script_text(out, uplot_script);
    }
    page_script_text(out, page_study);
    text_add(out, "</body>\n</html>\n");
}
