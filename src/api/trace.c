/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c -- --trace: which states stepped when, on which level, and the events.
 *
 * A JSON object a line. The first names the states: {"states":["a","b"]}. A step is
 * {"t":begin,"h":size,"level":0,"states":[numbers from 0]} in the order of acceptance, with
 * "states":null for all; small steps stand before the large one they belong to. An event is
 * {"event":time,"kind":"state"}. */
#include "cli/trace.h"

#include <errno.h>
#include <string.h>

bool trace_open(Trace *trace, const char *path, const Instance *instance) {
    const System *sys = instance->plan->st->sys;
    Text          name = {0}, line = {0};
    *trace = (Trace){.path = path, .file = fopen(path, "w")};
    if (!trace->file) {
        fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(errno));
        return false;
    }
    text_add(&line, "{\"states\":[");
    for (int i = 0; i < instance->states; i++) {
        text_clear(&name);
        system_name(sys, instance->state[i], &name);
        if (i > 0) text_char(&line, ',');
        text_json(&line, text_get(&name), name.length);
    }
    text_add(&line, "]}\n");
    fwrite(text_get(&line), 1, line.length, trace->file);
    text_free(&line);
    text_free(&name);
    return true;
}

void trace_step(Trace *trace, const RateTrace *step) {
    FILE *out = trace->file;
    if (!out) return;
    fprintf(out, "{\"t\":%.17g,\"h\":%.17g,\"level\":%d,\"states\":", step->t, step->h,
            step->level);
    if (!step->state) fputs("null", out);
    for (int i = 0; i < step->count && step->state; i++)
        fprintf(out, "%c%d", i > 0 ? ',' : '[', step->state[i]);
    fputs(step->state ? "]}\n" : "}\n", out);
}

void trace_event(Trace *trace, double t, EventKind kind) {
    static const char *const names[] = {"start", "time", "state", "final"};
    if (trace->file)
        fprintf(trace->file, "{\"event\":%.17g,\"kind\":\"%s\"}\n", t, names[kind]);
}

bool trace_close(Trace *trace) {
    bool good = !trace->file || !ferror(trace->file);
    if (trace->file && fclose(trace->file) != 0) good = false;
    if (!good)
        fprintf(stderr, "rubato: '%s' could not be written completely\n", trace->path);
    trace->file = NULL;
    return good;
}
