/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c -- which states stepped when, on which level, and the events: JSON objects.
 *
 * The first names the states: {"states":["a","b"]}. A step is
 * {"t":begin,"h":size,"level":0,"order":5,"worst":2,"states":[numbers from 0]} in the order of
 * acceptance, with "states":null for all; worst is the state with the largest share of the error,
 * -1 if that was not estimated. Small steps stand before the large one they belong to. An event is
 * {"event":time,"kind":"state"}. */
#include "api/api.h"

static void tell(const RbSimulation *s, Text *line) {
    s->listener.trace(s->listener.owner, text_get(line));
    text_free(line);
}

void trace_begin(RbSimulation *s) {
    const Program *p = s->program->program;
    Text           name = {0}, line = {0};
    text_add(&line, "{\"states\":[");
    for (int i = 0; i < p->states.count; i++) {
        text_clear(&name);
        program_name(p, p->states.var[i], &name);
        if (i > 0) text_char(&line, ',');
        text_json(&line, text_get(&name), name.length);
    }
    text_add(&line, "]}\n");
    text_free(&name);
    tell(s, &line);
}

void trace_step(void *owner, const RateTrace *step) {
    Text line = {0};
    text_printf(&line, "{\"t\":%.17g,\"h\":%.17g,\"level\":%d", step->t, step->h,
                step->level);
    text_printf(&line, ",\"order\":%d,\"worst\":%d,\"states\":", step->order,
                step->worst);
    if (!step->state) text_add(&line, "null");
    for (int i = 0; i < step->count && step->state; i++)
        text_printf(&line, "%c%d", i > 0 ? ',' : '[', step->state[i]);
    text_add(&line, step->state ? "]}\n" : "}\n");
    tell(owner, &line);
}

void trace_event(void *owner, double t, EventKind kind) {
    static const char *const names[] = {"start", "time", "state", "final"};
    Text                     line = {0};
    text_printf(&line, "{\"event\":%.17g,\"kind\":\"%s\"}\n", t, names[kind]);
    tell(owner, &line);
}
