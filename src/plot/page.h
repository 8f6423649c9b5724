/* SPDX-License-Identifier: Apache-2.0 */
/* page.h -- pieces of the HTML report; private to this folder. */
#ifndef RUBATO_PAGE_H
#define RUBATO_PAGE_H

#include "plot/plot.h"

/* ---- encode.c ---- */
void page_base64(Text *out, const void *data, size_t bytes);
/* A JSON string inside a script element: "</" would end it. */
void page_string(Text *out, const char *text);
void page_json(Text *out, const char *text); /* JSON of others, as above */
void page_html(Text *out, const char *text);

/* ---- html.c ---- */
/* Everything up to the name in the header of the page, which stays open; a script. */
void page_head(Text *out, const char *name);
void page_script_text(Text *out, const char *text);

/* ---- curves.c ---- */
/* Members of a JSON object: names, values and curves of a result; those of some variables first. */
void page_curves(Text *out, const Result *result, const int *first, int firsts);

/* ---- steps.c ---- */
/* The same of a trace: names of states, steps, events. */
void page_steps(Text *out, const char *trace);

/* ---- shapes.c, mesh.c ---- */
/* Members of a JSON object: bodies and arrows to draw and the triangles of files; their number. */
int page_shapes(Text *out, const ReportInput *in);
/* Appends the triangles of a DXF, STL or OBJ file: nine floats each. False: it cannot be read. */
bool mesh_read(const char *path, Text *triangles);

#endif
