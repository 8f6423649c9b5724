/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.c -- the bodies that a model draws, found in its result.
 *
 * A body is a component with the interface of ModelicaServices.Animation.Shape: position r and
 * orientation R of its frame, r_shape, lengthDirection and widthDirection in this frame, length,
 * width, height, extra, color, specularCoefficient. All components whose names have these members
 * are bodies; no class is looked at, so that libraries of visualizers of one's own work too. The
 * String shapeType is no part of a result: who made the result is asked for it. If it is the URI of
 * a file, the triangles of the file come with it (mesh.c), each file once.
 *
 * Cost: one table of all names if there is a body, else one pass over the names. */
#include "plot/plot.h"
#include "plot/page.h"

#include <string.h>

static const char *const members[] = {/* in the order that page/animation.js expects */
                                      "r[1]",
                                      "r[2]",
                                      "r[3]",
                                      "R.T[1,1]",
                                      "R.T[1,2]",
                                      "R.T[1,3]",
                                      "R.T[2,1]",
                                      "R.T[2,2]",
                                      "R.T[2,3]",
                                      "R.T[3,1]",
                                      "R.T[3,2]",
                                      "R.T[3,3]",
                                      "r_shape[1]",
                                      "r_shape[2]",
                                      "r_shape[3]",
                                      "lengthDirection[1]",
                                      "lengthDirection[2]",
                                      "lengthDirection[3]",
                                      "widthDirection[1]",
                                      "widthDirection[2]",
                                      "widthDirection[3]",
                                      "length",
                                      "width",
                                      "height",
                                      "extra",
                                      "color[1]",
                                      "color[2]",
                                      "color[3]",
                                      "specularCoefficient"};
static const char mark[] = ".lengthDirection[1]"; /* of a name that may be of a body */

static bool is_mark(const char *name) {
    const size_t n = strlen(name), own = sizeof mark - 1;
    return n > own && strcmp(name + n - own, mark) == 0;
}

static bool any_mark(const Result *r) {
    for (int v = 0; v < r->variables; v++)
        if (is_mark(r->name[v])) return true;
    return false;
}

/* The variables of a body; false: it is none. */
static bool find_members(const Strings *names, const int *variable, const char *body,
                         int found[LENGTH(members)]) {
    Text name = {0};
    bool all = true;
    for (int k = 0; k < LENGTH(members) && all; k++) {
        text_clear(&name);
        text_printf(&name, "%s.%s", body, members[k]);
        Str str = str_find(names, text_get(&name), name.length);
        all = str != 0;
        if (all) found[k] = variable[str];
    }
    all &= !name.failed;
    text_free(&name);
    return all;
}

static bool is_file(const char *type) {
    return strchr(type, '/') || strstr(type, ".stl") || strstr(type, ".dxf") ||
           strstr(type, ".obj");
}

typedef struct Meshes { /* files whose triangles are in the page */
    Strings uri;
    Text    out; /* JSON: members of an object */
} Meshes;

static void add_mesh(Meshes *meshes, const ReportInput *in, const char *type) {
    Text path = {0}, triangles = {0};
    if (!is_file(type) || str_find(&meshes->uri, type, strlen(type))) return;
    str_of(&meshes->uri, type);
    if (!in->file || !in->file(in->owner, type, &path)) text_add(&path, type);
    if (mesh_read(text_get(&path), &triangles)) {
        text_add(&meshes->out, meshes->out.length ? "," : "");
        page_string(&meshes->out, type);
        text_add(&meshes->out, ":\"");
        page_base64(&meshes->out, text_get(&triangles), triangles.length);
        text_add(&meshes->out, "\"");
    }
    text_free(&path);
    text_free(&triangles);
}

static void put_shape(Text *out, const ReportInput *in, const char *body,
                      const int *found, Meshes *meshes) {
    Text        name = {0};
    const char *type;
    text_printf(&name, "%s.shapeType", body);
    type = in->text ? in->text(in->owner, text_get(&name)) : NULL;
    text_add(out, "{\"n\":");
    page_string(out, body);
    if (type) {
        text_add(out, ",\"t\":");
        page_string(out, type);
        add_mesh(meshes, in, type);
    }
    text_add(out, ",\"v\":[");
    for (int k = 0; k < LENGTH(members); k++)
        text_printf(out, "%s%d", k ? "," : "", found[k]);
    text_add(out, "]}");
    text_free(&name);
}

static int put_shapes(Text *out, const ReportInput *in, const Strings *names,
                      const int *variable) {
    const Result *r = in->result;
    Meshes        meshes = {0};
    Text          body = {0};
    int           found[LENGTH(members)], count = 0;
    strings_init(&meshes.uri);
    text_add(out, ",\"shapes\":[");
    for (int v = 0; v < r->variables; v++) {
        if (!is_mark(r->name[v])) continue;
        text_clear(&body);
        text_bytes(&body, r->name[v], strlen(r->name[v]) - (sizeof mark - 1));
        if (!find_members(names, variable, text_get(&body), found)) continue;
        text_add(out, count++ ? "," : "");
        put_shape(out, in, text_get(&body), found, &meshes);
    }
    text_printf(out, "],\"meshes\":{%s}", text_get(&meshes.out));
    out->failed |= meshes.out.failed || body.failed;
    strings_free(&meshes.uri);
    text_free(&meshes.out);
    text_free(&body);
    return count;
}

int page_shapes(Text *out, const ReportInput *in) {
    const Result *r = in->result;
    Strings       names;
    int           count = 0;
    if (!any_mark(r)) return 0;
    strings_init(&names);
    int *variable = mem_take((size_t)r->variables + 2, sizeof *variable);
    for (int v = 0; v < r->variables && variable; v++) {
        Str str = str_of(&names, r->name[v]);
        if (str <= (Str)r->variables) variable[str] = v;
    }
    if (variable) count = put_shapes(out, in, &names, variable);
    else out->failed = true;
    mem_free(variable);
    strings_free(&names);
    return count;
}
