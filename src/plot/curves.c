/* SPDX-License-Identifier: Apache-2.0 */
/* curves.c -- the variables of a result as JSON with numbers in base64.
 *
 * Little-endian values, times as 64-bit, curves as 32-bit floats. A result that would make more than
 * BUDGET bytes is decimated curve by curve, extrema kept, to LEAST intervals at least; of curves that do
 * not fit even so the first ones are in the page, those that are shown at once before all others. So
 * time and size are bounded whatever the result. */
#include "plot/page.h"

#include <math.h>
#include <string.h>

#define BUDGET 24e6   /* bytes of curves before base64 */
enum { LEAST = 100 }; /* intervals of a decimated curve, four points of 12 bytes each */

typedef struct Columns { /* distinct data of a result */
    Map  place;          /* address -> number */
    int *variable;       /* by number: one that has it */
    int  count;
} Columns;

static int column_of(Columns *columns, const Result *r, int v) {
    const uint64_t key = (uint64_t)(uintptr_t)r->data[v];
    if (!map_has(&columns->place, key) && map_put(&columns->place, key, columns->count))
        columns->variable[columns->count++] = v;
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
        page_string(out, r->name[v]);
        text_bytes(&part, text, unit ? (size_t)(open - text) : n);
        if (part.length) text_add(out, ",\"d\":"), page_string(out, text_get(&part));
        text_clear(&part);
        if (unit) text_bytes(&part, open + 1, strlen(open) - 2);
        if (part.length) text_add(out, ",\"u\":"), page_string(out, text_get(&part));
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
    const int    most = (int)(BUDGET / 48 / columns);
    *s = (Shrink){.y = mem_take((size_t)r->points + 1, sizeof(double)),
                  .small = mem_take((size_t)r->points + 1, sizeof(float))};
    if (whole > BUDGET && most < r->points / 12) {
        s->buckets = most < LEAST ? LEAST : most;
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
        page_base64(out, s->x, sizeof(double) * (size_t)n);
        text_add(out, "\",\"y\":\"");
    } else {
        for (int i = 0; i < n; i++) s->small[i] = (float)data[(size_t)i * (size_t)step];
        text_add(out, "{\"y\":\"");
    }
    page_base64(out, s->small, sizeof(float) * (size_t)n);
    text_add(out, "\"}");
}

static void put_curves(Text *out, const Result *r, const Columns *columns) {
    const double least = fmin(4.0 * r->points, 48.0 * LEAST); /* bytes of a curve */
    const double room = BUDGET / fmax(least, 1);
    const int    fitting = columns->count < room ? columns->count : (int)room;
    Shrink       s;
    out->failed |= !shrink_new(&s, r, fitting > 0 ? fitting : 1);
    text_printf(out, "\"decimated\":%s,\"time\":\"", s.buckets ? "true" : "false");
    if (!s.buckets) page_base64(out, r->time, sizeof(double) * (size_t)r->points);
    text_add(out, "\",\"data\":[");
    for (int k = 0; k < fitting && !out->failed; k++) {
        const int v = columns->variable[k];
        text_add(out, k ? "," : "");
        put_column(out, r, r->data[v], r->step[v], &s);
    }
    text_add(out, "]");
    shrink_free(&s);
}

void page_curves(Text *out, const Result *r, const int *first, int firsts) {
    Columns columns = {.variable = mem_take((size_t)r->variables + 1, sizeof(int))};
    if (!columns.variable) {
        out->failed = true;
        return;
    }
    for (int k = 0; k < firsts; k++) column_of(&columns, r, first[k]);
    text_add(out, "\"variables\":[");
    put_variables(out, r, &columns);
    text_add(out, "],");
    put_curves(out, r, &columns);
    map_free(&columns.place);
    mem_free(columns.variable);
}
