/* SPDX-License-Identifier: Apache-2.0 */
/* growth.c -- the eigenvalues of an infinitely fast block around a point.
 *
 * With J = dr/dz and R = dr/dw of the residual r(z, w), what moves is x, a part of z, with the rate
 * v, a part of w; the other unknowns y follow (rates of states that wait are among them). From
 *     J_x dx + R_x dv + J_y dy = 0
 * follows dv = A dx, and the point is stable if all eigenvalues of A have negative real parts.
 *
 * Up to SMALL unknowns A is made and all eigenvalues are computed. In a larger block A is never made.
 * Krylov spaces of DIRECTIONS vectors (Arnoldi's method; Saad, Numerical methods for large eigenvalue
 * problems, 2011) show the eigenvalues at the end of the spectrum, of
 *     A               the largest ones: what grows fast
 *     A^-1            those next to 0: where a branch of equilibria ends
 *     (A - s)^-1      those next to s > 0, between the two if they are far apart
 * each with one sparse factorisation of
 *     [ J_x + s R_x, J_y ], or [ R_x, J_y ] for A itself.
 * An eigenvalue counts as one that grows only if the error of its Ritz value is smaller than its
 * distance from the imaginary axis (for the third space from its image, a circle): a block is never
 * refused because of an estimate that has not converged. So what is found to grow does; in a large
 * block a growth in the middle of the spectrum can be missed. */
#include "live/growth.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

enum { SMALL = 96, DIRECTIONS = 24 };
static const double apart = 1e3; /* ends of the spectrum between which is looked */

struct Krylov {
    Pattern *full;  /* made where the block has none */
    Shift   *shift; /* factors */
    double  *value; /* what is factored */
    double  *basis; /* DIRECTIONS + 1 vectors of what moves */
    double  *b;     /* n */
    double  *h, *copy, *vector, *wr, *wi, *work; /* of the projected matrix */
};

/* ---- memory ---- */

void growth_free(Growth *g) {
    if (!g) return;
    Krylov *k = g->krylov;
    if (k) {
        if (k->shift) shift_free(k->shift);
        pattern_free(k->full);
        MEM_FREE(k->value, k->basis, k->h, k);
    }
    MEM_FREE(g->j, g->k, g->pivot, g->moving, g);
}

static bool open_small(Growth *g) {
    size_t n = (size_t)g->n;
    g->k = mem_take(2 * n * n + 8 * n, sizeof(double));
    g->pivot = mem_take(n, sizeof(int));
    if (!g->k || !g->pivot) return false;
    g->a = g->k + n * n;
    g->eigen = g->a + n * n;
    return true;
}

static bool open_large(Growth *g) {
    size_t  n = (size_t)g->n, d = DIRECTIONS;
    Krylov *k = g->krylov = mem_take(1, sizeof *k);
    if (!k) return false;
    if (!g->pattern) k->full = pattern_full(g->n);
    const Pattern *p = g->pattern ? g->pattern : k->full;
    if (!p) return false;
    k->shift = shift_new(p, 1, 0, SHIFT_AUTO);
    k->value = mem_take((size_t)pattern_entries(p) + n, sizeof(double));
    k->basis = mem_take((d + 1) * n, sizeof(double));
    k->h = mem_take(3 * (d + 1) * d + 6 * d, sizeof(double));
    if (!k->shift || !k->value || !k->basis || !k->h) return false;
    k->b = k->value + pattern_entries(p);
    k->copy = k->h + (d + 1) * d;
    k->vector = k->copy + (d + 1) * d;
    k->wr = k->vector + (d + 1) * d;
    k->wi = k->wr + d;
    k->work = k->wi + d; /* 4 d */
    return true;
}

size_t growth_entries(const Growth *g) {
    size_t n = (size_t)g->n;
    return g->pattern ? (size_t)pattern_entries(g->pattern) : n * n;
}

Growth *growth_new(int n, const Pattern *pattern) {
    Growth *g = mem_take(1, sizeof *g);
    if (!g) return NULL;
    *g = (Growth){.n = n, .pattern = pattern};
    size_t entries = growth_entries(g);
    g->j = mem_take(2 * entries + (size_t)n, sizeof(double));
    g->moving = mem_take((size_t)n + 1, sizeof(int));
    if (!g->j || !g->moving || !(n <= SMALL ? open_small(g) : open_large(g))) {
        growth_free(g);
        return NULL;
    }
    g->r = g->j + entries;
    g->speed = g->r + entries;
    return g;
}

/* ---- entries ---- */

static int column_start(const Growth *g, int column) {
    return g->pattern ? g->pattern->start[column] : column * g->n;
}

static int entry_row(const Growth *g, int column, int entry) {
    return g->pattern ? g->pattern->row[entry] : entry - column * g->n;
}

/* b += factor * a column of the matrix with these entries. */
static void add_column(const Growth *g, const double *value, int column, double factor,
                       double *b) {
    for (int e = column_start(g, column); e < column_start(g, column + 1); e++)
        b[entry_row(g, column, e)] += factor * value[e];
}

/* ---- a small block ---- */

/* Largest real part of the eigenvalues of the count x count matrix in a. */
static double largest_part(Growth *g, int count) {
    double *wr = g->eigen, *wi = wr + count, *work = wi + count, largest = -HUGE_VAL;
    if (count == 1) return g->a[0];
    if (!dense_eigen(count, g->a, wr, wi, NULL, work)) return NAN;
    for (int i = 0; i < count; i++) largest = fmax(largest, wr[i]);
    return largest;
}

static bool find_all(Growth *g, const int *level, int at, int count,
                     const double *residual) {
    size_t n = (size_t)g->n;
    memset(g->k, 0, n * n * sizeof *g->k);
    for (int c = 0; c < g->n; c++)
        add_column(g, level[c] && level[c] <= at ? g->r : g->j, c, 1,
                   g->k + (size_t)c * n);
    if (dense_factor(g->n, g->k, g->pivot) != 0) return false;
    for (int c = 0; c < count; c++) {
        double *x = g->eigen, sum = 0;
        memset(x, 0, n * sizeof *x);
        add_column(g, g->j, g->moving[c], -1, x);
        dense_solve(g->n, g->k, g->pivot, x);
        for (int i = 0; i < count; i++)
            sum += fabs(g->a[c * count + i] = x[g->moving[i]]);
        g->size = fmax(g->size, sum);
    }
    for (size_t i = 0; i < n; i++) g->speed[i] = -residual[i];
    dense_solve(g->n, g->k, g->pivot, g->speed);
    g->growth = largest_part(g, count);
    return isfinite(g->growth);
}

/* ---- a large block ---- */

typedef struct Space {
    bool   inverse; /* of (A - s)^-1, else of A */
    double s;
    int    count; /* of what moves */
} Space;

/* Factors of -[ J_x + s R_x, J_y ] or -[ R_x, J_y ]. */
static bool factor(Growth *g, const int *level, int at, const Space *space) {
    Krylov *k = g->krylov;
    for (int c = 0; c < g->n; c++) {
        bool   moves = level[c] == at, waits = level[c] && level[c] < at;
        double own = waits || (moves && !space->inverse) ? 0 : 1;
        double rate = waits || (moves && !space->inverse) ? 1 : moves ? space->s : 0;
        for (int e = column_start(g, c); e < column_start(g, c + 1); e++)
            k->value[e] = own * g->j[e] + rate * g->r[e];
    }
    return shift_factor(k->shift, 0, k->value, 0) == STATUS_OK;
}

/* to = A x, or (A - s)^-1 x. */
static void apply(Growth *g, const Space *space, const double *x, double *to) {
    Krylov *k = g->krylov;
    memset(k->b, 0, (size_t)g->n * sizeof *k->b);
    for (int i = 0; i < space->count; i++)
        add_column(g, space->inverse ? g->r : g->j, g->moving[i], x[i], k->b);
    shift_solve(k->shift, 0, k->b);
    for (int i = 0; i < space->count; i++) to[i] = k->b[g->moving[i]];
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void add_to(int n, double factor, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] += factor * x[i];
}

/* next without its parts in directions 0 .. c, which are added to column c of h; its length then. */
static double orthogonalise(Krylov *k, int m, int c, double *next) {
    double *column = k->h + (size_t)c * (DIRECTIONS + 1);
    for (int i = 0; i <= c; i++) {
        const double *old = k->basis + (size_t)i * (size_t)m;
        double        part = dot(m, old, next);
        column[i] += part;
        add_to(m, -part, old, next);
    }
    return sqrt(dot(m, next, next));
}

/* Arnoldi's method; what cancels is orthogonalised twice. The number of directions that were found, -1 if
 * something is not finite. h: by columns of DIRECTIONS + 1. */
static int find_directions(Growth *g, const Space *space) {
    Krylov *k = g->krylov;
    int     m = space->count, d = m < DIRECTIONS ? m : DIRECTIONS, lead = DIRECTIONS + 1;
    memset(k->h, 0, (size_t)(lead * DIRECTIONS) * sizeof *k->h);
    for (int i = 0; i < m; i++) /* irregular, and the same in every run */
        k->basis[i] = 0.5 + fmod((i + 1) * 0.6180339887498949, 1.0);
    add_to(m, 1 / sqrt(dot(m, k->basis, k->basis)) - 1, k->basis, k->basis);
    for (int c = 0; c < d; c++) {
        double *next = k->basis + (size_t)(c + 1) * (size_t)m;
        apply(g, space, k->basis + (size_t)c * (size_t)m, next);
        double before = sqrt(dot(m, next, next)), left = orthogonalise(k, m, c, next);
        if (left < 0.7 * before) left = orthogonalise(k, m, c, next);
        if (!isfinite(left)) return -1;
        if (left <= 1e-12 * before || c + 1 == m) return c + 1; /* all there is */
        k->h[c * lead + c + 1] = left;
        add_to(m, 1 / left - 1, next, next);
    }
    return d;
}

/* The real part of the eigenvalue of A that belongs to a Ritz value; NAN: with this error it may lie on
 * the other side. */
static double part_of(const Space *space, double re, double im, double error) {
    if (!space->inverse) return fabs(re) > error ? re : NAN;
    double square = re * re + im * im, part = space->s + re / square;
    if (space->s > 0) { /* its axis is a circle */
        double radius = 0.5 / space->s, distance = hypot(re + radius, im) - radius;
        return fabs(distance) > error ? part : NAN;
    }
    return fabs(re) > error ? part : NAN;
}

/* Eigenvalues that a space shows: the largest real part, and the largest and smallest magnitude. */
static bool look(Growth *g, const int *level, int at, const Space *space, double *largest,
                 double *smallest) {
    Krylov *k = g->krylov;
    int     lead = DIRECTIONS + 1;
    if (!factor(g, level, at, space)) return false;
    int d = find_directions(g, space);
    if (d < 1) return false;
    double left = d < space->count ? k->h[(d - 1) * lead + d] : 0;
    for (int c = 0; c < d; c++)
        memcpy(k->copy + c * d, k->h + c * lead, (size_t)d * sizeof *k->copy);
    if (!dense_eigen(d, k->copy, k->wr, k->wi, k->vector, k->work)) return false;
    for (int c = 0; c < d; c++) {
        bool          pair = k->wi[c] != 0; /* two columns: real and imaginary part */
        int           first = pair && c > 0 && k->wi[c] < 0 ? c - 1 : c;
        const double *v = k->vector + first * d;
        double        last = pair ? hypot(v[d - 1], v[d + d - 1]) : fabs(v[d - 1]);
        double        size = hypot(k->wr[c], k->wi[c]), error = fabs(left) * last;
        if (size == 0) continue;
        double own = space->inverse ? hypot(space->s * size, 1) / size : size;
        *largest = fmax(*largest, own);
        *smallest = fmin(*smallest, space->inverse && space->s == 0 ? 1 / size : own);
        double part = part_of(space, k->wr[c], k->wi[c], error);
        if (part > g->growth) g->growth = part;
    }
    return true;
}

static bool find_ends(Growth *g, const int *level, int at, int count,
                      const double *residual) {
    double largest = 0, smallest = HUGE_VAL, none = HUGE_VAL, more = 0;
    g->growth = -HUGE_VAL;
    if (!look(g, level, at, &(Space){false, 0, count}, &largest, &none)) return false;
    g->size = largest;
    memcpy(g->speed, residual, (size_t)g->n * sizeof *g->speed);
    shift_solve(g->krylov->shift, 0, g->speed);
    if (!look(g, level, at, &(Space){true, 0, count}, &more, &smallest))
        return false; /* a singular Jacobian: the end of a branch */
    if (largest > apart * smallest && g->growth < 0) {
        Space middle = {true, sqrt(largest * smallest), count};
        look(g, level, at, &middle, &more, &none);
    }
    return isfinite(g->growth);
}

bool growth_find(Growth *g, const int *level, int at, const double *residual) {
    int count = 0;
    g->growth = g->size = 0;
    for (int c = 0; c < g->n; c++)
        if (level[c] == at) g->moving[count++] = c;
    return g->krylov ? find_ends(g, level, at, count, residual)
                     : find_all(g, level, at, count, residual);
}
