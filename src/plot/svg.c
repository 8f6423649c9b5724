/* SPDX-License-Identifier: Apache-2.0 */
/* svg.c -- curves as vector graphics: axes, units, legend, one panel below the other.
 *
 * Colours follow the reader's choice of a light or dark page. Curves are decimated to half a unit
 * of the picture, so the size of the file does not depend on the number of points. */
#include "plot/plot.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT = 78, RIGHT = 14, TOP = 30, BETWEEN = 34, BOTTOM = 42 };

typedef struct Box { /* where a panel is drawn */
    double x, y, width, height;
    double begin, end, low, high;
} Box;

static double to_x(const Box *p, double t) {
    return p->x + (t - p->begin) / (p->end - p->begin) * p->width;
}

static double to_y(const Box *p, double v) {
    return p->y + (p->high - v) / (p->high - p->low) * p->height;
}

static void put_escaped(Text *out, const char *text) {
    for (; *text; text++) switch (*text) {
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '&': text_add(out, "&amp;"); break;
        default: text_char(out, *text);
        }
}

static void put_text(Text *out, double x, double y, const char *anchor, const char *style,
                     const char *text) {
    text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">", x, y,
                anchor, style);
    put_escaped(out, text);
    text_add(out, "</text>\n");
}

static void put_line(Text *out, const char *style, double x0, double y0, double x1,
                     double y1) {
    text_printf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", style, x0, y0,
                x1, y1);
}

static void put_axes(Text *out, const Box *p, const char *unit, bool last) {
    double first, step;
    Text   label = {0};
    int    ticks = axis_ticks(p->low, p->high, 6, &first, &step);
    for (int k = 0; k < ticks; k++) {
        const double y = to_y(p, first + k * step);
        put_line(out, "g", p->x, y, p->x + p->width, y);
        text_clear(&label);
        axis_label(&label, first + k * step, step);
        put_text(out, p->x - 6, y + 4, "end", "t", text_get(&label));
    }
    ticks = axis_ticks(p->begin, p->end, 10, &first, &step);
    for (int k = 0; k < ticks; k++) {
        const double x = to_x(p, first + k * step);
        put_line(out, "g", x, p->y, x, p->y + p->height);
        if (!last) continue;
        text_clear(&label);
        axis_label(&label, first + k * step, step);
        put_text(out, x, p->y + p->height + 16, "middle", "t", text_get(&label));
    }
    text_printf(out,
                "<rect class=\"a\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                "height=\"%.1f\"/>\n",
                p->x, p->y, p->width, p->height);
    if (last)
        put_text(out, p->x + p->width / 2, p->y + p->height + 34, "middle", "t",
                 "time [s]");
    if (*unit) {
        text_clear(&label);
        text_printf(&label, "[%s]", unit);
        put_text(out, 4, p->y - 8, "start", "t", text_get(&label));
    }
    text_free(&label);
}

static void put_curve(Text *out, const Box *p, const Curve *curve, int number, Dot *dot) {
    const int n = curve_decimate(curve, p->begin, p->end, (int)(2 * p->width), dot);
    if (!n) return;
    text_printf(out, "<path class=\"c c%d%s\" d=\"", number % 6,
                curve->reference ? " r" : "");
    for (int i = 0; i < n; i++)
        text_printf(out, "%c%.1f %.1f", i ? 'L' : 'M', to_x(p, dot[i].x),
                    to_y(p, dot[i].y));
    text_add(out, "\"/>\n");
}

static void put_legend(Text *out, const Box *p, const Panel *panel) {
    double x = p->x;
    for (int k = 0; k < panel->curves; k++) {
        text_printf(out, "<path class=\"c c%d%s\" d=\"M%.1f %.1fh18\"/>\n", k % 6,
                    panel->curve[k].reference ? " r" : "", x, p->y - 12);
        put_text(out, x + 23, p->y - 8, "start", "t", panel->curve[k].name);
        x += 40 + 7.2 * (double)strlen(panel->curve[k].name);
    }
}

static void put_head(Text *out, const Figure *figure, int width, int height) {
    static const char *const light[] = {"#1f6fb2", "#d1601f", "#2b8a3e",
                                        "#9c36b5", "#c92a2a", "#0b7285"};
    static const char *const dark[] = {"#74b9ff", "#ffa94d", "#8ce99a",
                                       "#e599f7", "#ff8787", "#66d9e8"};
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
                width, height, width, height);
    put_escaped(out, figure->title && *figure->title ? figure->title : "simulation");
    text_add(out, "</title>\n<style>\n"
                  "text{font:12px sans-serif;fill:#333}.h{font-weight:bold}\n"
                  ".b{fill:#fff}.g{stroke:#e4e4e4;fill:none}.a{stroke:#888;fill:none}\n"
                  ".c{fill:none;stroke-width:1.6;stroke-linejoin:round}"
                  ".r{stroke-dasharray:5 4;opacity:.7}\n");
    for (int k = 0; k < LENGTH(light); k++)
        text_printf(out, ".c%d{stroke:%s}", k, light[k]);
    text_add(out, "\n@media(prefers-color-scheme:dark){text{fill:#ddd}.b{fill:#181a1f}"
                  ".g{stroke:#33363d}.a{stroke:#777}");
    for (int k = 0; k < LENGTH(dark); k++)
        text_printf(out, ".c%d{stroke:%s}", k, dark[k]);
    text_printf(out, "}\n</style>\n<rect class=\"b\" width=\"%d\" height=\"%d\"/>\n",
                width, height);
}

void plot_svg(Text *out, const Figure *figure, int width, int panel_height) {
    const bool titled = figure->title && *figure->title;
    const int  top = TOP + (titled ? 18 : 0);
    const int  panels = figure->panels;
    const int  height = top + panels * panel_height + (panels - 1) * BETWEEN + BOTTOM;
    Dot       *dot = mem_take((size_t)(8 * width + 8), sizeof(Dot));
    if (!dot) {
        out->failed = true;
        return;
    }
    put_head(out, figure, width, height);
    if (titled) put_text(out, LEFT, 20, "start", "h", figure->title);
    for (int k = 0; k < panels; k++) {
        const Panel *panel = &figure->panel[k];
        Box          p = {.x = LEFT,
                          .y = top + k * (panel_height + BETWEEN),
                          .width = width - LEFT - RIGHT,
                          .height = panel_height,
                          .begin = figure->begin,
                          .end = figure->end,
                          .low = panel->low,
                          .high = panel->high};
        put_axes(out, &p, panel->curve[0].unit, k + 1 == panels);
        for (int c = 0; c < panel->curves; c++)
            put_curve(out, &p, &panel->curve[c], c, dot);
        put_legend(out, &p, panel);
    }
    text_add(out, "</svg>\n");
    mem_free(dot);
}
