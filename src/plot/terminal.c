/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.c -- curves in braille characters.
 *
 * A character has 2 x 4 dots (Unicode U+2800 to U+28FF), so a panel of 70 x 14 characters has
 * 140 x 56 dots. A segment of a curve sets all dots between its ends. Where curves of different
 * colour meet in a character, the later one gives the colour. */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>

enum { LABEL = 10 }; /* characters left of the axis */

typedef struct Canvas {
    int            columns, rows; /* characters                        */
    unsigned char *dots, *curve;  /* of a character: its dots, the last curve + 1 */
    double         begin, end, low, high;
} Canvas;

static const int colours[] = {36, 33, 32, 35, 34, 31};

static void set_dot(Canvas *c, int x, int y, int curve) {
    static const unsigned char bit[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= 2 * c->columns || y >= 4 * c->rows) return;
    const int at = y / 4 * c->columns + x / 2;
    c->dots[at] |= bit[y % 4][x % 2];
    c->curve[at] = (unsigned char)(curve + 1);
}

static int to_x(const Canvas *c, double t) {
    return (int)((t - c->begin) / (c->end - c->begin) * (2 * c->columns - 1) + 0.5);
}

static int to_y(const Canvas *c, double v) {
    return (int)((c->high - v) / (c->high - c->low) * (4 * c->rows - 1) + 0.5);
}

static void draw_line(Canvas *c, int x0, int y0, int x1, int y1, int curve) {
    const int steps = abs(x1 - x0) > abs(y1 - y0) ? abs(x1 - x0) : abs(y1 - y0);
    for (int k = 0; k <= steps; k++) {
        const double s = steps ? (double)k / steps : 0;
        set_dot(c, x0 + (int)lround(s * (x1 - x0)), y0 + (int)lround(s * (y1 - y0)),
                curve);
    }
}

static void draw_curve(Canvas *c, const Curve *curve, int number, Dot *dot) {
    const int n = curve_decimate(curve, c->begin, c->end, 2 * c->columns, dot);
    for (int i = 0; i < n; i++) {
        const Dot a = dot[i > 0 ? i - 1 : 0], b = dot[i];
        draw_line(c, to_x(c, a.x), to_y(c, a.y), to_x(c, b.x), to_y(c, b.y), number);
    }
}

static void put_braille(Text *out, unsigned char dots) {
    const unsigned code = 0x2800u + dots;
    text_char(out, (char)(0xe0 | code >> 12));
    text_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
    text_char(out, (char)(0x80 | (code & 0x3f)));
}

/* The label of the tick that falls into a row, or blanks. */
static bool put_row_label(Text *out, const Canvas *c, int row, double first, double step,
                          int ticks) {
    for (int k = 0; k < ticks; k++) {
        const double value = first + k * step;
        if (to_y(c, value) / 4 != row) continue;
        Text label = {0};
        axis_label(&label, value, step);
        text_printf(out, "%*s", LABEL, text_get(&label));
        text_free(&label);
        return true;
    }
    text_printf(out, "%*s", LABEL, "");
    return false;
}

static void put_legend(Text *out, const Panel *panel, bool colour) {
    text_printf(out, "%*s  ", LABEL, "");
    for (int k = 0; k < panel->curves; k++) {
        const Curve *c = &panel->curve[k];
        if (k) text_add(out, "   ");
        if (colour) text_printf(out, "\033[%dm", colours[k % LENGTH(colours)]);
        if (panel->curves > 1) text_add(out, "\xe2\x94\x81 ");
        text_add(out, c->name);
        if (colour) text_add(out, "\033[0m");
        if (*c->unit) text_printf(out, " [%s]", c->unit);
    }
    text_char(out, '\n');
}

static void put_rows(Text *out, const Canvas *c, bool colour) {
    double first, step;
    int    ticks = axis_ticks(c->low, c->high, c->rows / 3 + 1, &first, &step);
    for (int row = 0; row < c->rows; row++) {
        const bool tick = put_row_label(out, c, row, first, step, ticks);
        text_add(out, tick ? " \xe2\x94\xa4" : " \xe2\x94\x82");
        int now = 0;
        for (int k = 0; k < c->columns; k++) {
            const int at = row * c->columns + k, curve = c->curve[at];
            if (colour && curve && curve != now)
                text_printf(out, "\033[%dm", colours[(curve - 1) % LENGTH(colours)]);
            if (curve) now = curve;
            if (c->dots[at]) put_braille(out, c->dots[at]);
            else text_char(out, ' ');
        }
        if (colour && now) text_add(out, "\033[0m");
        text_char(out, '\n');
    }
}

/* The time axis with a mark and a number at each tick. */
static void put_time(Text *out, const Canvas *c) {
    double first, step;
    int    ticks = axis_ticks(c->begin, c->end, c->columns / 12 + 1, &first, &step);
    char  *mark = mem_take((size_t)c->columns + 1, 1);
    if (!mark) return;
    for (int k = 0; k < c->columns; k++) mark[k] = '-';
    for (int k = 0; k < ticks; k++) mark[to_x(c, first + k * step) / 2] = '+';
    text_printf(out, "%*s \xe2\x94\x94", LABEL, "");
    for (int k = 0; k < c->columns; k++)
        text_add(out, mark[k] == '+' ? "\xe2\x94\xb4" : "\xe2\x94\x80");
    text_printf(out, "\n%*s", LABEL + 2, "");
    int at = 0;
    for (int k = 0; k < ticks; k++) {
        Text label = {0};
        axis_label(&label, first + k * step, step);
        if (k + 1 == ticks) text_add(&label, " s");
        int place = to_x(c, first + k * step) / 2 - (int)label.length / 2;
        if (place < at) place = at;
        if (place + (int)label.length > c->columns)
            place = c->columns - (int)label.length;
        if (place >= at) {
            text_printf(out, "%*s%s", place - at, "", text_get(&label));
            at = place + (int)label.length + 1;
            text_char(out, ' ');
        }
        text_free(&label);
    }
    text_char(out, '\n');
    mem_free(mark);
}

static void plot_panel(Text *out, const Figure *figure, const Panel *panel,
                       TerminalStyle style, bool last) {
    const int columns = style.columns > LABEL + 24 ? style.columns - LABEL - 3 : 21;
    const int rows = style.rows > 4 ? style.rows : 4;
    Canvas    c = {.columns = columns,
                   .rows = rows,
                   .dots = mem_take((size_t)(columns * rows), 1),
                   .curve = mem_take((size_t)(columns * rows), 1),
                   .begin = figure->begin,
                   .end = figure->end,
                   .low = panel->low,
                   .high = panel->high};
    Dot      *dot = mem_take((size_t)(8 * columns + 8), sizeof(Dot));
    if (c.dots && c.curve && dot) {
        for (int k = 0; k < panel->curves; k++) draw_curve(&c, &panel->curve[k], k, dot);
        put_legend(out, panel, style.colour);
        put_rows(out, &c, style.colour);
        if (last) put_time(out, &c);
    }
    mem_free(c.dots);
    mem_free(c.curve);
    mem_free(dot);
}

void plot_terminal(Text *out, const Figure *figure, TerminalStyle style) {
    for (int k = 0; k < figure->panels; k++)
        plot_panel(out, figure, &figure->panel[k], style, k + 1 == figure->panels);
}
