/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.c -- the bodies and arrows that a model draws, found in its result.
 *
 * A body is a component with the interface of ModelicaServices.Animation.Shape: position r and
 * orientation R of its frame, r_shape, lengthDirection and widthDirection in this frame, length,
 * width, height, extra, color, specularCoefficient; an arrow one with that of its neighbour Vector:
 * coordinates instead of a size, quantity, headAtOrigin, twoHeadedArrow. All components whose names
 * have these members are drawn; no class is looked at, so that libraries of visualizers of one's own
 * work too. The String shapeType is no part of a result: who made the result is asked for it. If it is
 * the URI of a file, the triangles of the file come with it (mesh.c), each file once.
 *
 * Cost: one table of all names if there is something to draw, else one pass over the names. */
#include "plot/page.h"

#include <string.h>

/* Members in the order that page/animation.js expects. */
static const char *const shape_members[] = {"r[1]",
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
static const char *const arrow_members[] = {
    "r[1]",          "r[2]",     "r[3]",           "R.T[1,1]",       "R.T[1,2]",
    "R.T[1,3]",      "R.T[2,1]", "R.T[2,2]",       "R.T[2,3]",       "R.T[3,1]",
    "R.T[3,2]",      "R.T[3,3]", "coordinates[1]", "coordinates[2]", "coordinates[3]",
    "color[1]",      "color[2]", "color[3]",       "quantity",       "headAtOrigin",
    "twoHeadedArrow"};

typedef struct Interface {   /* of what is drawn */
    const char        *list; /* in JSON */
    const char        *mark; /* ends a name that may belong to it */
    const char *const *member;
    int                members;
    const char        *type; /* String, NULL: it has none */
} Interface;

static const Interface interfaces[] = {
    {"shapes", ".lengthDirection[1]", shape_members, LENGTH(shape_members), "shapeType"},
    {"arrows", ".coordinates[1]", arrow_members, LENGTH(arrow_members), NULL},
};
enum { MOST_MEMBERS = LENGTH(shape_members) };

static bool is_marked(const Interface *of, const char *name) {
    const size_t n = strlen(name), own = strlen(of->mark);
    return n > own && strcmp(name + n - own, of->mark) == 0;
}

static bool any_marked(const Result *r) {
    for (int v = 0; v < r->variables; v++)
        for (int k = 0; k < LENGTH(interfaces); k++)
            if (is_marked(&interfaces[k], r->name[v])) return true;
    return false;
}

/* The variables of a component; false: it is nothing to draw. */
static bool find_members(const Interface *of, const Strings *names, const int *variable,
                         const char *component, int *found) {
    Text name = {0};
    bool all = true;
    for (int k = 0; k < of->members && all; k++) {
        text_clear(&name);
        text_printf(&name, "%s.%s", component, of->member[k]);
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

static void put_type(Text *out, const ReportInput *in, const Interface *of,
                     const char *component, Meshes *meshes) {
    Text name = {0};
    text_printf(&name, "%s.%s", component, of->type);
    const char *type = in->text ? in->text(in->owner, text_get(&name)) : NULL;
    if (type) {
        text_add(out, ",\"t\":");
        page_string(out, type);
        add_mesh(meshes, in, type);
    }
    text_free(&name);
}

static void put_one(Text *out, const ReportInput *in, const Interface *of,
                    const char *component, const int *found, Meshes *meshes) {
    text_add(out, "{\"n\":");
    page_string(out, component);
    if (of->type) put_type(out, in, of, component, meshes);
    text_add(out, ",\"v\":[");
    for (int k = 0; k < of->members; k++)
        text_printf(out, "%s%d", k ? "," : "", found[k]);
    text_add(out, "]}");
}

static int put_all(Text *out, const ReportInput *in, const Interface *of,
                   const Strings *names, const int *variable, Meshes *meshes) {
    const Result *r = in->result;
    Text          component = {0};
    int           found[MOST_MEMBERS], count = 0;
    text_printf(out, ",\"%s\":[", of->list);
    for (int v = 0; v < r->variables; v++) {
        if (!is_marked(of, r->name[v])) continue;
        text_clear(&component);
        text_bytes(&component, r->name[v], strlen(r->name[v]) - strlen(of->mark));
        if (!find_members(of, names, variable, text_get(&component), found)) continue;
        text_add(out, count++ ? "," : "");
        put_one(out, in, of, text_get(&component), found, meshes);
    }
    text_add(out, "]");
    out->failed |= component.failed;
    text_free(&component);
    return count;
}

int page_shapes(Text *out, const ReportInput *in) {
    const Result *r = in->result;
    Strings       names;
    Meshes        meshes = {0};
    int           count = 0;
    if (!any_marked(r)) return 0;
    strings_init(&names);
    strings_init(&meshes.uri);
    int *variable = mem_take((size_t)r->variables + 2, sizeof *variable);
    out->failed |= !variable;
    for (int v = 0; v < r->variables && variable; v++) {
        Str str = str_of(&names, r->name[v]);
        if (str <= (Str)r->variables) variable[str] = v;
    }
    for (int k = 0; k < LENGTH(interfaces) && variable; k++)
        count += put_all(out, in, &interfaces[k], &names, variable, &meshes);
    text_printf(out, ",\"meshes\":{%s}", text_get(&meshes.out));
    out->failed |= meshes.out.failed;
    text_free(&meshes.out);
    strings_free(&meshes.uri);
    strings_free(&names);
    mem_free(variable);
    return count;
}
