/* SPDX-License-Identifier: Apache-2.0 */
/* journal.c -- what events changed during a step, so that it can be taken back or looked at again
 * at any time within the step. Every operation costs the changes that it passes. A change names its
 * value by number, so that it means the same for every instance of a model. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

static bool add(Journal *j, long at, double value, double t) {
    if (j->count == j->room) {
        const int more = 2 * j->room + 64;
        Change   *p = realloc(j->change, sizeof *p * (size_t)more);
        if (!p) return false;
        j->change = p;
        j->room = more;
    }
    j->change[j->count] = (Change){at, j->value[at], value, t, j->count};
    j->applied = ++j->count;
    j->version++;
    j->value[at] = value;
    return true;
}

bool journal_set(Journal *j, const double *at, double value, double t) {
    return add(j, (long)(at - j->value), value, t);
}

bool journal_adopt(Journal *j, const Change *change, int count) {
    for (int k = 0; k < count; k++)
        if (!add(j, change[k].at, change[k].after, change[k].t)) return false;
    return true;
}

void journal_follow(Journal *j, const Change *change, int count) {
    for (int k = 0; k < count; k++) j->value[change[k].at] = change[k].after;
    j->version += count;
}

static void back(Journal *j) {
    const Change *c = &j->change[--j->applied];
    j->value[c->at] = c->before;
    j->version++;
}

void journal_undo(Journal *j, int mark) {
    while (j->applied > mark) back(j);
    if (j->count > mark) j->count = mark;
}

static int by_time(const void *a, const void *b) {
    const Change *p = a, *q = b;
    if (p->t != q->t) return p->t < q->t ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

void journal_sort(Journal *j) {
    if (j->count > 1) qsort(j->change, (size_t)j->count, sizeof *j->change, by_time);
}

void journal_to(Journal *j, double t) {
    while (j->applied > 0 && j->change[j->applied - 1].t > t) back(j);
    while (j->applied < j->count && j->change[j->applied].t <= t) {
        const Change *c = &j->change[j->applied++];
        j->value[c->at] = c->after;
        j->version++;
    }
}

void journal_cut(Journal *j, double t) {
    journal_to(j, t);
    j->count = j->applied;
}

void journal_end(Journal *j) {
    journal_to(j, HUGE_VAL);
    j->count = j->applied = 0;
}

void journal_free(Journal *j) {
    free(j->change);
    *j = (Journal){.value = j->value};
}
