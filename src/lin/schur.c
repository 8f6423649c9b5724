/* SPDX-License-Identifier: Apache-2.0 */
/* schur.c -- sigma I - J over several processes by Schur complements.
 *
 * Each process has the rows of its states. With the states inside the parts before those that couple the parts
 * (Seam, model.h), and A_p, B_p, C_p the blocks of part p,
 *     [ A_p  B_p ] [x_p]   [b_p]
 *     [ C_p  D   ] [y  ] = [g  ],      S = D - sum_p C_p A_p^-1 B_p.
 * Each process factors its A_p, solves for its few columns B_p, and adds to S, which is summed over all processes; every
 * one factors S, all with the same bits. To solve: z = A_p^-1 b_p; S y = g - sum_p C_p z; x_p = A_p^-1 (b_p - B_p y).
 * S has an entry only between states that couple the same part, so that of a tree or chain of parts stays sparse.
 *
 * Cost: a factorisation of the own part with a solve for each of its coupling states, and two solves of it for each solve.
 * Sent: the entries of S for a factorisation, a value for each coupling state for a solve. A part that is singular
 * makes S not finite, so that all processes refuse together.
 * Literature: Smith, Bjorstad, Gropp, Domain Decomposition, 1996, chapter 4. */
#include "lin/lin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Joint { /* an entry between inside and a coupling state near by */
    int place;         /* of the state inside, among those inside */
    int near;          /* of the coupling state, among those near by */
    int entry;         /* of J, those of the seam after those of the pattern */
} Joint;

typedef struct Own { /* an entry between coupling states whose row is of this process */
    int at;          /* in the entries of S */
    int entry;       /* as in Joint; -1: the diagonal */
} Own;

struct Schur {
    const Model   *model;
    const Seam    *seam;
    const Pattern *jacobian;
    int            n, inside;   /* states of this process, of them inside */
    int           *state;       /* by place inside */
    Pattern       *pattern;     /* among these ... */
    int           *entry;       /* ... and which entries of J they are */
    Shift         *shift;       /* A_p */
    int           *near, nears; /* coupling states near by, by number ... */
    int           *at;          /* ... nears^2: entries of S of their pairs, by columns */
    Joint   *down, *up; /* C_p by any order, B_p by coupling state; up_first: nears + 1 */
    int     *up_first, downs, ups;
    Own     *own;
    int      owns;
    int      real_slots, slots;
    double **joint; /* by slot: values of down, then of up */
    double **dense; /* by slot: factors of S, unless it is sparse ... */
    int    **pivot;
    Sparse  *sparse; /* ... NULL */
    double  *value;  /* entries of J inside */
    double  *sum;    /* what is summed: entries of S and one more, or states */
    double  *work;   /* 2 n: a vector inside */
};

/* ---- making it ---- */

static bool choose_inside(Schur *s) {
    s->state = malloc(sizeof(int) * ((size_t)s->n + 1));
    if (!s->state) return false;
    for (int k = 0; k < s->n; k++)
        if (s->seam->number[k] < 0) s->state[s->inside++] = k;
    const Selection rows = {SELECT_LIST, 0, s->inside, s->state};
    s->pattern = pattern_principal(s->jacobian, &rows, &s->entry);
    return s->pattern != NULL;
}

/* Calls visit with the row and the column of every entry of J that this process knows: a state, or -1 - number of a
 * coupling state, its own ones included. */
typedef void Visit(Schur *s, int row, int column, int entry);

static void visit_entries(Schur *s, Visit *visit) {
    const Seam    *b = s->seam;
    const Pattern *p = s->jacobian;
    for (int j = 0; j < s->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            const int i = p->row[e];
            visit(s, b->number[i] < 0 ? i : -1 - b->number[i],
                  b->number[j] < 0 ? j : -1 - b->number[j], e);
        }
    for (int e = 0; e < b->entries; e++) {
        int i = b->row[e], j = b->column[e];
        if (i >= 0 && b->number[i] >= 0) i = -1 - b->number[i];
        if (j >= 0 && b->number[j] >= 0) j = -1 - b->number[j];
        visit(s, i, j, pattern_entries(p) + e);
    }
}

/* Marks coupling states that have an entry with the inside; counts. */
static void count_entry(Schur *s, int row, int column, int entry) {
    (void)entry;
    if (row < 0 && column < 0) s->owns++;
    else if (row < 0) s->near[-1 - row] = 1, s->downs++;
    else if (column < 0) s->near[-1 - column] = 1, s->ups++;
}

/* The entry of S; there is one. */
static int find_entry(const Schur *s, int row, int column) {
    const Pattern *p = s->seam->schur;
    const int     *found = bsearch(&row, p->row + p->start[column],
                                   (size_t)(p->start[column + 1] - p->start[column]),
                                   sizeof row, int_ascending);
    return found ? (int)(found - p->row) : -1;
}

/* work.: place[state] inside, then by number of a coupling state its place near by. */
static void add_entry(Schur *s, int row, int column, int entry) {
    const int *place = (const int *)s->work;
    if (row < 0 && column < 0)
        s->own[s->owns++] = (Own){find_entry(s, -1 - row, -1 - column), entry};
    else if (row < 0)
        s->down[s->downs++] = (Joint){place[column], place[s->n - 1 - row], entry};
    else if (column < 0)
        s->up[s->ups++] = (Joint){place[row], place[s->n - 1 - column], entry};
}

static int by_near(const void *a, const void *b) {
    const Joint *p = a, *q = b;
    return p->near != q->near ? (p->near > q->near) - (p->near < q->near)
                              : (p->entry > q->entry) - (p->entry < q->entry);
}

static bool take_lists(Schur *s, int mine) {
    s->down = malloc(sizeof *s->down * ((size_t)s->downs + 1));
    s->up = malloc(sizeof *s->up * ((size_t)s->ups + 1));
    s->own = malloc(sizeof *s->own * ((size_t)s->owns + (size_t)mine + 1));
    s->up_first = calloc((size_t)s->nears + 2, sizeof(int));
    s->at = malloc(sizeof(int) * ((size_t)s->nears * (size_t)s->nears + 1));
    return s->down && s->up && s->own && s->up_first && s->at;
}

static bool find_joints(Schur *s) {
    const int count = s->seam->count, mine = s->n - s->inside;
    int      *place = (int *)s->work; /* n + count fit */
    s->near = calloc((size_t)count + 1, sizeof(int));
    if (!s->near) return false;
    visit_entries(s, count_entry);
    for (int k = 0; k < count; k++)
        if (s->near[k]) {
            place[s->n + k] = s->nears;
            s->near[s->nears++] = k;
        }
    for (int k = 0; k < s->inside; k++) place[s->state[k]] = k;
    if (!take_lists(s, mine)) return false;
    s->downs = s->ups = s->owns = 0;
    visit_entries(s, add_entry);
    for (int k = 0; k < s->n; k++) {
        const int c = s->seam->number[k];
        if (c >= 0) s->own[s->owns++] = (Own){find_entry(s, c, c), -1};
    }
    qsort(s->up, (size_t)s->ups, sizeof *s->up, by_near);
    for (int k = 0; k < s->ups; k++) s->up_first[s->up[k].near + 1]++;
    for (int k = 0; k < s->nears; k++) s->up_first[k + 1] += s->up_first[k];
    for (int j = 0; j < s->nears; j++)
        for (int i = 0; i < s->nears; i++)
            s->at[j * s->nears + i] = find_entry(s, s->near[i], s->near[j]);
    return true;
}

static bool make_slots(Schur *s, int reals, int complexes) {
    const size_t count = (size_t)s->seam->count;
    const int    slots = reals + complexes;
    const bool   sparse = count > DENSE_OWN && sparse_present();
    s->real_slots = reals;
    s->slots = slots;
    s->joint = calloc((size_t)slots + 1, sizeof(double *));
    s->dense = calloc((size_t)slots + 1, sizeof(double *));
    s->pivot = calloc((size_t)slots + 1, sizeof(int *));
    if (!s->joint || !s->dense || !s->pivot) return false;
    if (sparse) s->sparse = sparse_new(s->seam->schur, reals, complexes);
    bool ok = s->sparse || !sparse;
    for (int k = 0; ok && k < slots; k++) {
        const size_t each = k < reals ? 1 : 2;
        s->joint[k] = malloc(sizeof(double) * ((size_t)(s->downs + s->ups) + 1));
        ok = s->joint[k] != NULL;
        if (!ok || sparse) continue;
        s->dense[k] = malloc(sizeof(double) * (each * count * count + 1));
        s->pivot[k] = malloc(sizeof(int) * (count + 1));
        ok = s->dense[k] && s->pivot[k];
    }
    return ok;
}

Schur *schur_new(const Model *model, int real_slots, int complex_slots, ShiftKind kind) {
    Schur *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->model = model;
    s->seam = model->seam;
    s->jacobian = model->pattern;
    s->n = model->nx;
    const size_t entries = (size_t)pattern_entries(s->seam->schur),
                 count = (size_t)s->seam->count;
    s->work = malloc(sizeof(double) * (2 * (size_t)s->n + count + 1));
    s->sum = malloc(sizeof(double) * 2 * (entries + count + 1));
    bool ok = s->work && s->sum && choose_inside(s) && find_joints(s) &&
              make_slots(s, real_slots, complex_slots);
    if (ok) s->value = malloc(sizeof(double) * ((size_t)pattern_entries(s->pattern) + 1));
    if (ok) s->shift = shift_new(s->pattern, real_slots, complex_slots, kind);
    if (ok && s->value && s->shift) return s;
    schur_free(s);
    return NULL;
}

void schur_free(Schur *s) {
    if (!s) return;
    for (int k = 0; k < s->slots; k++) {
        if (s->joint) free(s->joint[k]);
        if (s->dense) free(s->dense[k]);
        if (s->pivot) free(s->pivot[k]);
    }
    free(s->joint), free(s->dense), free(s->pivot);
    sparse_free(s->sparse);
    shift_free(s->shift);
    pattern_free(s->pattern);
    free(s->state), free(s->entry), free(s->near), free(s->at), free(s->down);
    free(s->up), free(s->up_first), free(s->own), free(s->value), free(s->sum);
    free(s->work), free(s);
}

void schur_forget(Schur *s) {
    shift_forget(s->shift);
    if (s->sparse) sparse_forget(s->sparse);
}

/* ---- factors ---- */

typedef struct
    Number { /* the slot of a real or complex matrix; how many doubles a number has */
    int slot, of_all, width;
} Number;

static Number number_of(const Schur *s, int slot, bool is_complex) {
    return (Number){slot, is_complex ? s->real_slots + slot : slot, is_complex ? 2 : 1};
}

static void total(const Schur *s, double *sum, int n) {
    if (n > 0) s->model->fn->total(s->model->instance, TOTAL_SUM, sum, n);
}

static void solve_inside(Schur *s, Number a, double *v) {
    if (!s->inside) return;
    if (a.width == 2) shift_solve_complex(s->shift, a.slot, v);
    else shift_solve(s->shift, a.slot, v);
}

static double entry_of(const Schur *s, const double *jacobian, int entry) {
    const int own = pattern_entries(s->jacobian);
    return entry < own ? jacobian[entry] : s->seam->value[entry - own];
}

/* What this process adds to S: its rows of D, and -C_p A_p^-1 B_p column by column. */
static void add_part(Schur *s, Number a, const double *jacobian, double re, double im) {
    const double *down = s->joint[a.of_all], *up = down + s->downs;
    const int     w = a.width;
    for (int k = 0; k < s->owns; k++) {
        double *to = s->sum + (size_t)w * (size_t)s->own[k].at;
        if (s->own[k].entry >= 0) *to -= entry_of(s, jacobian, s->own[k].entry);
        else *to += re;
        if (s->own[k].entry < 0 && w == 2) to[1] += im;
    }
    for (int c = 0; c < s->nears; c++) {
        const int from = s->up_first[c], end = s->up_first[c + 1];
        if (from == end || !s->downs) continue;
        memset(s->work, 0, sizeof(double) * (size_t)w * (size_t)s->inside);
        for (int k = from; k < end; k++) s->work[w * s->up[k].place] = up[k];
        solve_inside(s, a, s->work);
        for (int k = 0; k < s->downs; k++) {
            double *to =
                s->sum + (size_t)w * (size_t)s->at[c * s->nears + s->down[k].near];
            for (int q = 0; q < w; q++)
                to[q] -= down[k] * s->work[w * s->down[k].place + q];
        }
    }
}

static Status factor_seam(Schur *s, Number a) {
    const Pattern *p = s->seam->schur;
    const size_t   n = (size_t)p->columns, w = (size_t)a.width;
    bool           fresh;
    if (n == 0) return STATUS_OK;
    if (s->sparse)
        return a.width == 2 ? sparse_factor_complex(s->sparse, a.slot, s->sum, &fresh)
                            : sparse_factor(s->sparse, a.slot, s->sum, &fresh);
    double *to = s->dense[a.of_all];
    memset(to, 0, sizeof(double) * w * n * n);
    for (size_t j = 0; j < n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            memcpy(to + w * (j * n + (size_t)p->row[e]), s->sum + w * (size_t)e,
                   w * sizeof *to);
    const int bad = a.width == 2 ? dense_factor_complex((int)n, to, s->pivot[a.of_all])
                                 : dense_factor((int)n, to, s->pivot[a.of_all]);
    return bad ? STATUS_SINGULAR : STATUS_OK;
}

Status schur_factor(Schur *s, int slot, bool is_complex, const double *jacobian,
                    double re, double im) {
    const Number a = number_of(s, slot, is_complex);
    const size_t entries = (size_t)a.width * (size_t)pattern_entries(s->seam->schur);
    double      *joint = s->joint[a.of_all];
    Status       status = STATUS_OK;
    for (int e = 0; e < pattern_entries(s->pattern); e++)
        s->value[e] = jacobian[s->entry[e]];
    if (s->inside && is_complex)
        status = shift_factor_complex(s->shift, slot, s->value, re, im);
    else if (s->inside) status = shift_factor(s->shift, slot, s->value, re);
    for (int k = 0; k < s->downs; k++) joint[k] = entry_of(s, jacobian, s->down[k].entry);
    for (int k = 0; k < s->ups; k++)
        joint[s->downs + k] = entry_of(s, jacobian, s->up[k].entry);
    memset(s->sum, 0, sizeof(double) * (entries + 1));
    if (status == STATUS_OK) add_part(s, a, jacobian, re, im);
    s->sum[entries] = status != STATUS_OK;
    total(s, s->sum, (int)entries + 1);
    if (!(s->sum[entries] <= 0.0)) return STATUS_SINGULAR;
    return factor_seam(s, a);
}

/* ---- solving ---- */

static void solve_seam(Schur *s, Number a, double *g) {
    const int n = s->seam->count;
    if (!n) return;
    if (s->sparse && a.width == 2) sparse_solve_complex(s->sparse, a.slot, g);
    else if (s->sparse) sparse_solve(s->sparse, a.slot, g);
    else if (a.width == 2)
        dense_solve_complex(n, s->dense[a.of_all], s->pivot[a.of_all], g);
    else dense_solve(n, s->dense[a.of_all], s->pivot[a.of_all], g);
}

static void take_inside(Schur *s, Number a, const double *b) {
    for (int k = 0; k < s->inside; k++)
        for (int q = 0; q < a.width; q++)
            s->work[a.width * k + q] = b[a.width * s->state[k] + q];
}

void schur_solve(Schur *s, int slot, bool is_complex, double *b) {
    const Number  a = number_of(s, slot, is_complex);
    const int     w = a.width;
    const double *down = s->joint[a.of_all], *up = down + s->downs;
    double       *y = s->sum;
    take_inside(s, a, b);
    solve_inside(s, a, s->work);
    memset(y, 0, sizeof(double) * (size_t)w * (size_t)s->seam->count);
    for (int k = 0; k < s->n; k++)
        for (int q = 0; q < w && s->seam->number[k] >= 0; q++)
            y[w * s->seam->number[k] + q] = b[w * k + q];
    for (int k = 0; k < s->downs; k++)
        for (int q = 0; q < w; q++)
            y[w * s->near[s->down[k].near] + q] +=
                down[k] * s->work[w * s->down[k].place + q];
    total(s, y, w * s->seam->count);
    solve_seam(s, a, y);
    if (s->ups) {
        take_inside(s, a, b);
        for (int k = 0; k < s->ups; k++)
            for (int q = 0; q < w; q++)
                s->work[w * s->up[k].place + q] +=
                    up[k] * y[w * s->near[s->up[k].near] + q];
        solve_inside(s, a, s->work);
    }
    for (int k = 0; k < s->inside; k++)
        for (int q = 0; q < w; q++) b[w * s->state[k] + q] = s->work[w * k + q];
    for (int k = 0; k < s->n; k++)
        for (int q = 0; q < w && s->seam->number[k] >= 0; q++)
            b[w * k + q] = y[w * s->seam->number[k] + q];
}

const Shift *schur_part(const Schur *s) {
    return s->shift;
}
