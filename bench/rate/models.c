/* SPDX-License-Identifier: Apache-2.0 */
/* models.c -- construction of the benchmark's models: arrays, sparsity, names. */
#include <stdlib.h>
#include <string.h>

#include "rate/models.h"

typedef struct Builder {
    const char *name;
    bool (*build)(Case *c);
    int size; /* of the benchmark */
} Builder;

static const Builder builders[] = {
    {"inverter", inverter_build, 1000},
    {"front", adr_build, 1000},
    {"burgers", burgers_build, 600},
    {"heating", heating_build, 100},
    {"exogenous", exogenous_build, 100},
    {"chip", chip_build, 30},
    {"kpr2", kpr2_build, 2},
    {"kpr3", kpr3_build, 3},
    {"savcenco", savcenco_build, 2},
    {"cells", cells_build, 100},
    {"scattered", scattered_build, 400},
    {"delay", delay_build, 200},
    {"power", power_build, 40},
};

const char *case_name(int index) {
    return index < LENGTH(builders) ? builders[index].name : NULL;
}

Case *case_new(const char *name, int size) {
    for (int i = 0; i < LENGTH(builders); i++) {
        if (strcmp(builders[i].name, name) != 0) continue;
        Case *c = calloc(1, sizeof *c);
        if (!c) return NULL;
        c->name = builders[i].name;
        c->size = size > 0 ? size : builders[i].size;
        c->atol = 1.0;
        c->model.instance = c;
        if (builders[i].build(c)) return c;
        case_free(c);
        return NULL;
    }
    return NULL;
}

void case_free(Case *c) {
    if (!c) return;
    free(c->x0), free(c->data), free(c->mode), free(c->nominal);
    journal_free(&c->journal);
    free((void *)c->pattern.start), free((void *)c->pattern.row);
    free((void *)c->reads.start); /* shared with changes */
    free(c);
}

bool case_states(Case *c, int nx) {
    c->model.nx = nx;
    c->x0 = calloc((size_t)nx, sizeof(double));
    return c->x0 != NULL;
}

static int by_column(const void *a, const void *b) {
    const Link *p = a, *q = b;
    if (p->column != q->column) return p->column < q->column ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

bool case_pattern(Case *c, const Link *links, int count) {
    const int n = c->model.nx;
    Link     *sort = malloc(sizeof(Link) * (size_t)(count + 1));
    int      *start = calloc((size_t)n + 1, sizeof(int));
    int      *row = malloc(sizeof(int) * (size_t)(count + 1));
    int       q = 0;
    if (!sort || !start || !row) {
        free(sort), free(start), free(row);
        return false;
    }
    memcpy(sort, links, sizeof(Link) * (size_t)count);
    qsort(sort, (size_t)count, sizeof(Link), by_column);
    for (int k = 0; k < count; k++) {
        if (k > 0 && by_column(&sort[k], &sort[k - 1]) == 0) continue;
        row[q++] = sort[k].row;
        start[sort[k].column + 1]++;
    }
    for (int j = 0; j < n; j++) start[j + 1] += start[j];
    free(sort);
    c->pattern = (Pattern){n, n, start, row};
    c->model.pattern = &c->pattern;
    return true;
}
