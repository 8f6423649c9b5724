/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c -- triangles of shapes that a model takes from files: DXF, STL and OBJ.
 *
 * Of DXF (Autodesk's exchange format as text) the entities 3DFACE are read: pairs of lines, a group
 * code and a value; codes 10 to 33 are the coordinates of four corners, and a triangle repeats one
 * of them. STL is read as text and in its binary form (80 bytes, a count, 50 bytes a triangle), OBJ
 * with its lines v and f. Anything else in a file is passed over. At most MOST triangles are read, so
 * that a page stays small. */
#include "plot/page.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 200000 };

typedef struct Mesh {
    Text *out;
    int   count;
} Mesh;

static void add_triangle(Mesh *mesh, const float *a, const float *b, const float *c) {
    if (mesh->count++ >= MOST) return;
    text_bytes(mesh->out, (const char *)a, 3 * sizeof(float));
    text_bytes(mesh->out, (const char *)b, 3 * sizeof(float));
    text_bytes(mesh->out, (const char *)c, 3 * sizeof(float));
}

/* The line at *at without blanks in front; moves *at to the next one. False: there is none. */
static bool next_line(const char **at, const char **line) {
    if (!**at) return false;
    *line = *at + strspn(*at, " \t");
    *at += strcspn(*at, "\n");
    *at += **at == '\n';
    return true;
}

static bool starts(const char *line, const char *word) {
    const size_t n = strlen(word);
    return strncmp(line, word, n) == 0 && strchr(" \t\r\n", line[n]);
}

/* ---- DXF ---- */

static void add_face(Mesh *mesh, const float corner[4][3]) {
    const size_t bytes = sizeof corner[0];
    add_triangle(mesh, corner[0], corner[1], corner[2]);
    if (memcmp(corner[3], corner[2], bytes) != 0 &&
        memcmp(corner[3], corner[0], bytes) != 0)
        add_triangle(mesh, corner[0], corner[2], corner[3]);
}

static void read_dxf(Mesh *mesh, const char *at) {
    float       corner[4][3] = {{0}};
    bool        face = false;
    const char *group, *value;
    while (next_line(&at, &group) && next_line(&at, &value)) {
        const long code = strtol(group, NULL, 10);
        if (code == 0) {
            if (face) add_face(mesh, (const float(*)[3])corner);
            face = starts(value, "3DFACE");
            memset(corner, 0, sizeof corner);
        } else if (code >= 10 && code < 40 && code % 10 < 4)
            corner[code % 10][code / 10 - 1] = (float)number_read(value, NULL);
    }
}

/* ---- STL ---- */

static void read_three(const char *text, float *to) {
    for (int k = 0; k < 3; k++) {
        char *end;
        to[k] = (float)number_read(text, &end);
        text = end;
    }
}

static void read_stl_text(Mesh *mesh, const char *at) {
    float       corner[3][3];
    int         n = 0;
    const char *line;
    while (next_line(&at, &line)) {
        if (!starts(line, "vertex")) continue;
        read_three(line + 6, corner[n++]);
        if (n == 3) add_triangle(mesh, corner[0], corner[1], corner[2]), n = 0;
    }
}

static void read_stl_bytes(Mesh *mesh, const char *bytes, size_t size) {
    for (size_t at = 84; at + 50 <= size;
         at += 50) { /* a normal, three corners, two bytes */
        float corner[3][3];
        memcpy(corner, bytes + at + 12, sizeof corner);
        add_triangle(mesh, corner[0], corner[1], corner[2]);
    }
}

/* ---- OBJ ---- */

static void read_obj(Mesh *mesh, const char *at) {
    const char *line;
    Text        corners = {0}; /* three floats each */
    while (next_line(&at, &line)) {
        float point[3];
        if (starts(line, "v")) {
            read_three(line + 1, point);
            text_bytes(&corners, (const char *)point, sizeof point);
        }
        if (!starts(line, "f")) continue;
        const float *all = (const float *)(const void *)text_get(&corners);
        const long   count = (long)(corners.length / sizeof point);
        long         fan[2] = {0, 0};
        const char  *next = line + 1;
        for (int k = 0;; k++) { /* corners as a/b/c, counted from 1 or from the end */
            char *end;
            long  n = strtol(next, &end, 10);
            if (end == next || memchr(next, '\n', (size_t)(end - next))) break;
            n = n < 0 ? count + n : n - 1;
            if (n < 0 || n >= count) break;
            if (k >= 2)
                add_triangle(mesh, all + 3 * fan[0], all + 3 * fan[1], all + 3 * n);
            fan[k == 0 ? 0 : 1] = n;
            next = end + strcspn(end, " \t\r\n");
        }
    }
    mesh->out->failed |= corners.failed;
    text_free(&corners);
}

static bool has_ending(const char *path, const char *ending) {
    const size_t n = strlen(path), own = strlen(ending);
    return n > own && strcmp(path + n - own, ending) == 0;
}

bool mesh_read(const char *path, Text *triangles) {
    Mesh          mesh = {.out = triangles};
    Sources       sources;
    const Source *source;
    sources_init(&sources);
    if (source_load(&sources, path, &source) == SOURCE_OK) {
        const bool text = memchr(source->text, 0, source->size) == NULL;
        if (has_ending(path, ".dxf") && text) read_dxf(&mesh, source->text);
        else if (has_ending(path, ".obj") && text) read_obj(&mesh, source->text);
        else if (has_ending(path, ".stl") && text) read_stl_text(&mesh, source->text);
        else if (has_ending(path, ".stl"))
            read_stl_bytes(&mesh, source->text, source->size);
    }
    sources_free(&sources);
    return mesh.count > 0 && !triangles->failed;
}
