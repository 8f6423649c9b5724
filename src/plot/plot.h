/* SPDX-License-Identifier: Apache-2.0 */
/* plot.h -- curves of results as pictures: on a terminal and as SVG.
 *
 *   figure.c    which curves share a panel, ranges, ticks, decimation that keeps extrema
 *   terminal.c  braille characters, eight dots each
 *   svg.c       vector graphics with axes, units and a legend
 *   html.c      a page with all curves, steps and statistics; page/ holds its parts
 *   curves.c    its numbers;  steps.c: its steps and events;  encode.c: base64, JSON, HTML
 *   study.c     a page for many runs
 *   shapes.c    its bodies that move;  mesh.c: shapes from files
 *
 * A figure has panels one below the other with a common time axis. */
#ifndef RUBATO_PLOT_H
#define RUBATO_PLOT_H

#include "record/record.h"

typedef struct Curve {
    const char   *name;
    const char   *unit; /* "" if none                                            */
    const double *x;    /* n, ascending; two equal ones are a jump               */
    const double *y;    /* n                                                     */
    int           n;
    bool          reference; /* drawn dashed, behind the others                      */
} Curve;

typedef struct Panel {
    Curve *curve;
    int    curves, room;
    double low, high; /* of the values, with a margin                                */
} Panel;

typedef struct Figure { /* a picture */
    Arena       arena;
    const char *title; /* "" if none                                                 */
    Panel      *panel;
    int         panels, room;
    double      begin, end; /* of time                                                */
} Figure;

/* ---- figure.c ---- */

/* Appends variable v of a result to the panel of its unit, or to a panel of its own. False if
 * there is no memory. */
bool figure_add(Figure *figure, const Result *result, int v, bool own_panel);
/* To the last panel, whatever its unit. */
bool figure_overlay(Figure *figure, const Result *result, int v, const char *name,
                    bool reference);
void figure_finish(Figure *figure); /* ranges, after the last curve */
void figure_free(Figure *figure);

/* At most `most` round numbers inside [low, high], from *first by *step; their count. */
int axis_ticks(double low, double high, int most, double *first, double *step);
/* A number as the label of a tick that is a multiple of step. */
void axis_label(Text *out, double value, double step);

typedef struct Dot { /* a point of a decimated curve */
    double x, y;
} Dot;
/* The points that a picture with `columns` columns needs, into dot (4 * columns + 4): of each column
 * the first, the lowest, the highest and the last. Their number. */
int curve_decimate(const Curve *curve, double begin, double end, int columns, Dot *dot);

/* ---- terminal.c, svg.c ---- */

typedef struct TerminalStyle {
    int  columns, rows; /* of a panel, with its labels                                */
    bool colour;
} TerminalStyle;
void plot_terminal(Text *out, const Figure *figure, TerminalStyle style);
void plot_svg(Text *out, const Figure *figure, int width, int panel_height);

/* ---- html.c ---- */

typedef struct ReportInput {
    const char   *name; /* of the model */
    const Result *result;
    const Result *other;      /* to compare it with, NULL: none */
    const char   *other_name; /* shown beside its curves */
    const char   *trace;      /* lines of --trace, NULL or "": none */
    const char   *statistics; /* JSON object, NULL: none */
    const char   *structure;  /* JSON object, NULL or "": none */
    const char   *messages;   /* JSON objects, one a line, NULL or "": none */
    const char   *source;     /* text of the model, NULL: none ... */
    const char   *path;       /* ... and of its file */
    /* What a result does not hold; each may be NULL. The value of a String variable, NULL: there is
     * none; the path of the file that a URI names, false: none. */
    const char *(*text)(void *owner, const char *variable);
    bool (*file)(void *owner, const char *uri, Text *path);
    void *owner;
} ReportInput;
void report_html(Text *out, const ReportInput *in);

/* ---- study.c ---- */

typedef struct StudyInput { /* a study as the page asks for it */
    const char  *name;      /* of the model */
    long         cases;
    int          columns, varied; /* those that vary come first */
    const char **column;
    int          courses; /* variables with trajectories */
    const char **course;
    double       start, stop;
    double (*value)(void *owner, long number, int column); /* NAN: there is none */
    const char *(*reason)(void *owner, long number);       /* NULL: it did not fail */
    /* Rows of time and courses of a case; how many. */
    long (*points)(void *owner, long number, const double **rows);
    void *owner;
} StudyInput;
void report_study(Text *out, const StudyInput *in);

#endif
