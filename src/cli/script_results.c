/* SPDX-License-Identifier: Apache-2.0 */
/* script_results.c -- functions of scripts that read results and handle files. */
#define _POSIX_C_SOURCE 200809L
#include "cli/script.h"
#include "record/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- results ---- */

/* Opens the result that a call names, or the last one; on failure getErrorString tells. */
static bool open_result(Run *run, const char *path, const char *function, Result *r) {
    const char *why = "there is no result";
    if (path && *path && result_read(r, path, &why)) return true;
    text_printf(&run->errors, "%s: %s%s%s\n", function, path ? path : "",
                path ? ": " : "", why);
    return false;
}

/* Between two points on the line. */
static double value_at(const Result *r, int v, double t) {
    int i = 0;
    while (i + 1 < r->points && r->time[i + 1] < t) i++;
    int          next = i + 1 < r->points ? i + 1 : i;
    const double a = r->time[i], b = r->time[next];
    const double y = result_value(r, v, i), z = result_value(r, v, next);
    return b > a ? y + (z - y) * (t - a) / (b - a) : z;
}

/* val(x, time [, file]) */
ScriptValue script_val(Run *run, const ScriptCall *call) {
    const char *name = script_argument(call, "var", 0, "");
    const char *path = script_argument(call, "fileName", 2, run->result);
    double      t = atof(script_argument(call, "timePoint", 1, "0"));
    double      value = NAN;
    Result      r = {0};
    if (open_result(run, path, "val", &r)) {
        int v = result_find(&r, name);
        if (v >= 0 && r.points) value = value_at(&r, v, t);
        else
            text_printf(&run->errors, "val(%s): the result has no such variable\n", name);
    }
    result_free(&r);
    if (isnan(value)) return script_symbol(run, "fail()");
    return script_symbol(run, arena_printf(run->arena, "%.12g", value));
}

/* readSimulationResult(file, {x, y}, size): {{x...}, {y...}} at all points, or at `size` points of
 * equal distance. */
ScriptValue script_read_result(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, "filename", 0, run->result);
    int         size = atoi(script_argument(call, "size", 2, "0"));
    Words       names = {0};
    Result      r = {0};
    Text        out = {0};
    bool        fine = open_result(run, path, "readSimulationResult", &r) && r.points;
    script_list(run->arena, script_argument(call, "variables", 1, ""), &names);
    text_char(&out, '{');
    for (int k = 0; fine && k < names.count; k++) {
        bool time = strcmp(names.item[k], "time") == 0;
        int  v = time ? 0 : result_find(&r, names.item[k]);
        int  n = size > 0 ? size : r.points;
        fine = v >= 0;
        text_add(&out, k ? ",{" : "{");
        for (int i = 0; fine && i < n; i++) {
            double first = r.time[0], last = r.time[r.points - 1];
            double t = n > 1 ? first + (last - first) * i / (n - 1) : last;
            double x = time       ? (size > 0 ? t : r.time[i])
                       : size > 0 ? value_at(&r, v, t)
                                  : result_value(&r, v, i);
            text_printf(&out, "%s%.12g", i ? "," : "", x);
        }
        text_char(&out, '}');
        if (!fine)
            text_printf(&run->errors, "readSimulationResult: no variable '%s'\n",
                        names.item[k]);
    }
    text_char(&out, '}');
    ScriptValue value =
        fine ? script_symbol(run, text_get(&out)) : script_symbol(run, "fail()");
    text_free(&out);
    result_free(&r);
    return value;
}

ScriptValue script_result_size(Run *run, const ScriptCall *call) {
    Result r = {0};
    bool   fine = open_result(run, script_argument(call, "fileName", 0, run->result),
                              "readSimulationResultSize", &r);
    int    points = fine ? r.points : 0;
    result_free(&r);
    return script_symbol(run, arena_printf(run->arena, "%d", points));
}

ScriptValue script_result_vars(Run *run, const ScriptCall *call) {
    Result r = {0};
    Text   out = {0};
    bool   fine = open_result(run, script_argument(call, "fileName", 0, run->result),
                              "readSimulationResultVars", &r);
    text_add(&out, fine ? "{\"time\"" : "{");
    for (int k = 0; fine && k < r.variables; k++) text_printf(&out, ",\"%s\"", r.name[k]);
    text_char(&out, '}');
    ScriptValue value = script_symbol(run, text_get(&out));
    text_free(&out);
    result_free(&r);
    return value;
}

/* ---- files ---- */

ScriptValue script_file_exists(Run *run, const ScriptCall *call) {
    struct stat info;
    (void)run;
    return script_truth(stat(script_argument(call, NULL, 0, ""), &info) == 0 &&
                        S_ISREG(info.st_mode));
}

ScriptValue script_write_file(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, "fileName", 0, "");
    const char *data = script_argument(call, "data", 1, "");
    const char *append = script_argument(call, "append", 2, "false");
    FILE       *file = fopen(path, strcmp(append, "true") == 0 ? "ab" : "wb");
    bool        fine = file && fwrite(data, 1, strlen(data), file) == strlen(data);
    if (file && fclose(file) != 0) fine = false;
    if (!fine) text_printf(&run->errors, "writeFile: '%s': %s\n", path, strerror(errno));
    return script_truth(fine);
}

ScriptValue script_read_file(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, "fileName", 0, "");
    FILE       *file = fopen(path, "rb");
    Text        out = {0};
    char        part[4096];
    if (!file) {
        text_printf(&run->errors, "readFile: '%s': %s\n", path, strerror(errno));
        return script_text(run, "");
    }
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        text_bytes(&out, part, n);
    fclose(file);
    ScriptValue value = script_text(run, text_get(&out));
    text_free(&out);
    return value;
}

ScriptValue script_delete_file(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, NULL, 0, "");
    bool        fine = unlink(path) == 0;
    if (!fine) text_printf(&run->errors, "deleteFile: '%s': %s\n", path, strerror(errno));
    return script_truth(fine);
}

ScriptValue script_make_folder(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, NULL, 0, "");
    bool        fine = mkdir(path, 0777) == 0 || errno == EEXIST;
    if (!fine) text_printf(&run->errors, "mkdir: '%s': %s\n", path, strerror(errno));
    return script_truth(fine);
}

ScriptValue script_change_folder(Run *run, const ScriptCall *call) {
    const char *path = script_argument(call, NULL, 0, "");
    char        here[4096];
    if (*path && chdir(path) != 0)
        text_printf(&run->errors, "cd: '%s': %s\n", path, strerror(errno));
    if (!getcwd(here, sizeof here)) *here = 0;
    return script_text(run, here);
}
