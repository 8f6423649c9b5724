/* SPDX-License-Identifier: Apache-2.0 */
/* figure.c -- which curves share a panel, ranges, ticks, decimation that keeps extrema. */
#include "plot/plot.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The unit at the end of a description: "velocity [m/s]". "" if there is none. */
static const char *unit_of(Arena *arena, const char *description) {
    const char *open = description ? strrchr(description, '[') : NULL;
    size_t      n = open ? strlen(open) : 0;
    if (n < 3 || open[n - 1] != ']') return "";
    return arena_string(arena, open + 1, n - 2);
}

static bool take_curve(Figure *figure, const Result *result, int v, Curve *curve) {
    double *y = NEW(&figure->arena, double, result->points + 1);
    if (!y) return false;
    for (int i = 0; i < result->points; i++) y[i] = result_value(result, v, i);
    *curve = (Curve){.name = result->name[v],
                     .unit = unit_of(&figure->arena, result->description[v]),
                     .x = result->time,
                     .y = y,
                     .n = result->points};
    return true;
}

static bool append(Figure *figure, Panel *panel, Curve curve) {
    Curve *more = arena_grow(&figure->arena, panel->curve, sizeof(Curve), &panel->room,
                             panel->curves + 1);
    if (!more) return false;
    panel->curve = more;
    panel->curve[panel->curves++] = curve;
    return true;
}

static Panel *new_panel(Figure *figure) {
    Panel *more = arena_grow(&figure->arena, figure->panel, sizeof(Panel), &figure->room,
                             figure->panels + 1);
    if (!more) return NULL;
    figure->panel = more;
    figure->panel[figure->panels] = (Panel){0};
    return &figure->panel[figure->panels++];
}

bool figure_add(Figure *figure, const Result *result, int v, bool own_panel) {
    Curve  curve;
    Panel *panel = NULL;
    if (!take_curve(figure, result, v, &curve)) return false;
    for (int k = 0; k < figure->panels && !own_panel && !panel; k++)
        if (strcmp(figure->panel[k].curve[0].unit, curve.unit) == 0)
            panel = &figure->panel[k];
    if (!panel) panel = new_panel(figure);
    return panel && append(figure, panel, curve);
}

bool figure_overlay(Figure *figure, const Result *result, int v, const char *name,
                    bool reference) {
    Curve curve;
    if (!figure->panels || !take_curve(figure, result, v, &curve)) return false;
    curve.name = name;
    curve.reference = reference;
    return append(figure, &figure->panel[figure->panels - 1], curve);
}

void figure_free(Figure *figure) {
    arena_free(&figure->arena);
    *figure = (Figure){0};
}

/* ---- ranges ---- */

/* A constant lies in the middle of its panel. */
static void find_range(Panel *panel) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < panel->curves; k++)
        for (int i = 0; i < panel->curve[k].n; i++) {
            const double y = panel->curve[k].y[i];
            if (!isfinite(y)) continue;
            low = fmin(low, y);
            high = fmax(high, y);
        }
    if (!(low <= high)) low = 0, high = 1;
    double margin = 0.04 * (high - low);
    if (high - low <= 1e-12 * fmax(fabs(low), fabs(high)))
        margin = low == 0 ? 1 : 0.5 * fabs(low);
    panel->low = low - margin;
    panel->high = high + margin;
}

void figure_finish(Figure *figure) {
    figure->begin = HUGE_VAL;
    figure->end = -HUGE_VAL;
    for (int p = 0; p < figure->panels; p++) {
        Panel *panel = &figure->panel[p];
        find_range(panel);
        for (int k = 0; k < panel->curves; k++) {
            const Curve *c = &panel->curve[k];
            if (!c->n) continue;
            figure->begin = fmin(figure->begin, c->x[0]);
            figure->end = fmax(figure->end, c->x[c->n - 1]);
        }
    }
    if (!(figure->begin < figure->end)) figure->end = figure->begin + 1;
}

/* ---- ticks ---- */

int axis_ticks(double low, double high, int most, double *first, double *step) {
    const double span = high - low;
    if (!(span > 0) || !isfinite(span) || most < 1) return 0;
    *step = pow(10, floor(log10(span / most)));
    const double part = span / most / *step;
    *step *= part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1;
    *first = ceil(low / *step - 1e-9) * *step;
    return (int)floor((high - *first) / *step + 1e-9) + 1;
}

void axis_label(Text *out, double value, double step) {
    const double size = fabs(value) + step;
    if (fabs(value) < 1e-6 * step) text_add(out, "0");
    else if (size >= 1e5 || size < 1e-4) text_printf(out, "%.6g", value);
    else {
        int digits = (int)ceil(-log10(step) - 1e-9);
        text_printf(out, "%.*f", digits > 0 ? digits : 0, value);
    }
}

/* ---- decimation ---- */

typedef struct Column { /* points of a curve that fall into one column of a picture */
    Dot first, low, high, last;
    int count;
} Column;

static int flush(const Column *c, Dot *dot, int n) {
    if (!c->count) return n;
    const bool low_first = c->low.x <= c->high.x;
    dot[n++] = c->first;
    if (c->count > 1) {
        dot[n++] = low_first ? c->low : c->high;
        dot[n++] = low_first ? c->high : c->low;
        dot[n++] = c->last;
    }
    return n;
}

int curve_decimate(const Curve *curve, double begin, double end, int columns, Dot *dot) {
    Column now = {0};
    int    n = 0, at = -1;
    for (int i = 0; i < curve->n; i++) {
        const Dot p = {curve->x[i], curve->y[i]};
        if (!isfinite(p.y) || p.x < begin || p.x > end) continue;
        int column = (int)((p.x - begin) / (end - begin) * columns);
        if (column >= columns) column = columns - 1;
        if (column != at) {
            n = flush(&now, dot, n);
            now = (Column){p, p, p, p, 0};
            at = column;
        }
        if (p.y < now.low.y) now.low = p;
        if (p.y > now.high.y) now.high = p;
        now.last = p;
        now.count++;
    }
    return flush(&now, dot, n);
}
