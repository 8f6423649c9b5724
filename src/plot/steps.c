/* SPDX-License-Identifier: Apache-2.0 */
/* steps.c -- the steps and events of a trace as JSON for the page.
 *
 * A trace is what api/trace.c writes: a line with the names of the states, then one object a line.
 * Of more than STEPS steps every n-th is taken; lists of states are left out if they would be long. */
#include "plot/page.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 20000, LISTED = 200000 }; /* steps in a page; numbers of states in them */

typedef struct StepLists { /* one JSON array each */
    Text t, h, level, order, worst, states;
} StepLists;

/* The value after a key in a line; NULL: it has none. */
static const char *value_of(const char *line, const char *key) {
    const char *at = strstr(line, key), *end = strchr(line, '\n');
    return at && (!end || at < end) ? at + strlen(key) : NULL;
}

static double number_of(const char *line, const char *key, double otherwise) {
    const char *at = value_of(line, key);
    return at ? number_read(at, NULL) : otherwise;
}

static bool is_step(const char *line) {
    return strncmp(line, "{\"t\":", 5) == 0;
}

static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : "";
}

static int count_steps(const char *trace) {
    int n = 0;
    for (const char *line = trace; *line; line = next_line(line)) n += is_step(line);
    return n;
}

static void add_step(StepLists *to, const char *line, bool listed) {
    const char *comma = to->t.length ? "," : "";
    const char *states = value_of(line, "\"states\":");
    text_printf(&to->t, "%s%.9g", comma, number_of(line, "\"t\":", 0));
    text_printf(&to->h, "%s%.6g", comma, number_of(line, "\"h\":", 0));
    text_printf(&to->level, "%s%.0f", comma, number_of(line, "\"level\":", 0));
    text_printf(&to->order, "%s%.0f", comma, number_of(line, "\"order\":", 0));
    text_printf(&to->worst, "%s%.0f", comma, number_of(line, "\"worst\":", -1));
    if (listed && states)
        text_printf(&to->states, "%s%.*s", comma, (int)strcspn(states, "}\n"), states);
}

static void put_names(Text *out, const char *trace) {
    const char *names = value_of(trace, "{\"states\":");
    Text        line = {0};
    if (!names || names[0] != '[' || strncmp(trace, "{\"states\":", 10) != 0) return;
    text_bytes(&line, names, strcspn(names, "\n") - 1);
    text_add(out, ",\"states\":");
    page_json(out, text_get(&line));
    text_free(&line);
}

static void put_events(Text *out, const char *trace) {
    bool first = true;
    text_add(out, ",\"events\":[");
    for (const char *line = trace; *line; line = next_line(line)) {
        if (strncmp(line, "{\"event\":", 9) != 0 ||
            value_of(line, "\"kind\":\"start\"") || value_of(line, "\"kind\":\"final\""))
            continue; /* these two belong to every run */
        text_printf(out, "%s%.9g", first ? "" : ",", number_read(line + 9, NULL));
        first = false;
    }
    text_add(out, "]");
}

void page_steps(Text *out, const char *trace) {
    const int  n = count_steps(trace), every = n > STEPS ? n / STEPS + 1 : 1;
    const bool listed = strlen(trace) / 4 / (size_t)every < LISTED * 4;
    StepLists  to = {0};
    int        k = 0;
    put_names(out, trace);
    for (const char *line = trace; *line; line = next_line(line))
        if (is_step(line) && k++ % every == 0) add_step(&to, line, listed);
    const struct {
        const char *name;
        Text       *list;
    } all[] = {{"t", &to.t},         {"h", &to.h},         {"level", &to.level},
               {"order", &to.order}, {"worst", &to.worst}, {"states", &to.states}};
    text_printf(out, ",\"steps\":{\"of\":%d", n);
    for (int i = 0; i < LENGTH(all); i++) {
        if (all[i].list->length || all[i].list != &to.states)
            text_printf(out, ",\"%s\":[%s]", all[i].name, text_get(all[i].list));
        out->failed |= all[i].list->failed;
        text_free(all[i].list);
    }
    text_add(out, "}");
    put_events(out, trace);
}
