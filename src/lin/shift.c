/* SPDX-License-Identifier: Apache-2.0 */
/* shift.c -- factorisations of sigma I - J, several at once, by size and structure.
 *
 * J comes as the values of a compressed-column pattern. What is done with it is decided
 * once, from the pattern: dense up to a size or density, band when the band storage is
 * small compared with a general sparse factorisation, KLU otherwise. Slots share the
 * pattern, the choice and, in the sparse case, the symbolic analysis. Everything except
 * KLU's own factors is allocated here, before the time loop. */
#include <stdlib.h>
#include <string.h>

#include "lin/lin.h"

ShiftKind shift_choose(const Pattern *p) {
    const double n = p->columns, entries = pattern_entries(p);
    int          below, above;
    pattern_bandwidth(p, &below, &above);
    if (n <= 24) return SHIFT_DENSE;
    if (2 * below + above < 24 && 2 * below + above + 1 < n / 3) return SHIFT_BAND;
    if (!sparse_present())
        return 2 * below + above + 1 < n / 3 ? SHIFT_BAND : SHIFT_DENSE;
    if (n <= 400 && entries > 0.25 * n * n) return SHIFT_DENSE;
    return entries > 0.4 * n * n ? SHIFT_DENSE : SHIFT_SPARSE;
}

/* Doubles of one real slot. */
static size_t slot_size(const Shift *s) {
    if (s->kind == SHIFT_DENSE) return (size_t)s->n * s->n;
    if (s->kind == SHIFT_BAND) return (size_t)s->n * s->leading;
    return 0;
}

static bool set_up_sparse(Shift *s) {
    s->map = malloc(sizeof(int) * ((size_t)pattern_entries(s->jacobian) + 1));
    s->diagonal = malloc(sizeof(int) * ((size_t)s->n + 1));
    if (!s->map || !s->diagonal) return false;
    s->pattern = pattern_with_diagonal(s->jacobian, s->map, s->diagonal);
    if (!s->pattern) return false;
    s->work = malloc(sizeof(double) * 2 * ((size_t)pattern_entries(s->pattern) + 1));
    if (!s->work) return false;
    s->sparse = sparse_new(s->pattern, s->real_slots, s->complex_slots);
    return s->sparse != NULL;
}

Shift *shift_new(const Pattern *jacobian, int real_slots, int complex_slots,
                 ShiftKind kind) {
    Shift *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    blas_single_thread();
    pattern_bandwidth(jacobian, &s->below, &s->above);
    s->kind = kind == SHIFT_AUTO ? shift_choose(jacobian) : kind;
    s->n = jacobian->columns;
    s->real_slots = real_slots;
    s->complex_slots = complex_slots;
    s->jacobian = jacobian;
    s->leading = band_leading(s->below, s->above);
    s->singular = -1;
    const int slots = real_slots + complex_slots;
    s->matrix = calloc((size_t)slots + 1, sizeof(double *));
    s->pivot = calloc((size_t)slots + 1, sizeof(int *));
    bool ok = s->matrix && s->pivot;
    if (ok && s->kind == SHIFT_SPARSE) ok = set_up_sparse(s);
    for (int k = 0; ok && k < slots && s->kind != SHIFT_SPARSE; k++) {
        const size_t each = k < real_slots ? 1 : 2;
        s->matrix[k] = malloc(sizeof(double) * each * (slot_size(s) + 1));
        s->pivot[k] = malloc(sizeof(int) * ((size_t)s->n + 1));
        ok = s->matrix[k] && s->pivot[k];
    }
    if (ok) return s;
    shift_free(s);
    return NULL;
}

Shift *shift_new_part(const Model *model, int real_slots, int complex_slots,
                      ShiftKind kind) {
    Shift *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->kind = kind == SHIFT_AUTO ? shift_choose(model->seam->whole) : kind;
    s->n = model->nx;
    s->jacobian = model->pattern;
    s->singular = -1;
    s->schur = schur_new(model, real_slots, complex_slots, kind);
    if (s->schur) return s;
    shift_free(s);
    return NULL;
}

void shift_free(Shift *s) {
    if (!s) return;
    schur_free(s->schur);
    for (int k = 0; k < s->real_slots + s->complex_slots; k++) {
        if (s->matrix) free(s->matrix[k]);
        if (s->pivot) free(s->pivot[k]);
    }
    free(s->matrix), free(s->pivot);
    sparse_free(s->sparse);
    pattern_free(s->pattern);
    free(s->map), free(s->diagonal), free(s->work);
    free(s);
}

void shift_forget(Shift *s) {
    if (s->schur) schur_forget(s->schur);
    if (s->sparse) sparse_forget(s->sparse);
}

static Status dense_or_band(Shift *s, int bad) {
    s->counts.factorizations++;
    s->singular = bad - 1;
    return bad ? STATUS_SINGULAR : STATUS_OK;
}

static Status sparse_result(Shift *s, Status status, bool fresh) {
    if (fresh) s->counts.factorizations++;
    else s->counts.refactorizations++;
    s->singular = status == STATUS_OK ? -1 : sparse_singular_column(s->sparse);
    return status;
}

static Status factor_parts(Shift *s, int slot, bool is_complex, const double *jacobian,
                           double re, double im) {
    const Status status = schur_factor(s->schur, slot, is_complex, jacobian, re, im);
    const long   solves = s->counts.solves;
    s->counts = schur_part(s->schur)->counts;
    s->counts.solves = solves;
    return status;
}

Status shift_factor(Shift *s, int slot, const double *jacobian, double sigma) {
    const Pattern *p = s->jacobian;
    const int      n = s->n;
    if (s->schur) return factor_parts(s, slot, false, jacobian, sigma, 0.0);
    if (s->kind == SHIFT_SPARSE) {
        bool fresh;
        memset(s->work, 0, sizeof(double) * (size_t)pattern_entries(s->pattern));
        for (int e = 0; e < pattern_entries(p); e++) s->work[s->map[e]] = -jacobian[e];
        for (int j = 0; j < n; j++) s->work[s->diagonal[j]] += sigma;
        const Status status = sparse_factor(s->sparse, slot, s->work, &fresh);
        return sparse_result(s, status, fresh);
    }
    double *a = s->matrix[slot];
    if (s->kind == SHIFT_DENSE) {
        if (pattern_entries(p) == n * n) {
            for (int e = 0; e < n * n; e++) a[e] = -jacobian[e];
        } else {
            memset(a, 0, sizeof(double) * slot_size(s));
            for (int j = 0; j < n; j++)
                for (int e = p->start[j]; e < p->start[j + 1]; e++)
                    a[(size_t)j * n + p->row[e]] = -jacobian[e];
        }
        for (int j = 0; j < n; j++) a[(size_t)j * n + j] += sigma;
        return dense_or_band(s, dense_factor(n, a, s->pivot[slot]));
    }
    memset(a, 0, sizeof(double) * slot_size(s));
    for (int j = 0; j < n; j++) {
        double *column = a + (size_t)j * s->leading + s->below + s->above - j;
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            column[p->row[e]] = -jacobian[e];
        column[j] += sigma;
    }
    return dense_or_band(s, band_factor(n, s->below, s->above, a, s->pivot[slot]));
}

Status shift_factor_complex(Shift *s, int slot, const double *jacobian, double re,
                            double im) {
    const Pattern *p = s->jacobian;
    const int      n = s->n;
    if (s->schur) return factor_parts(s, slot, true, jacobian, re, im);
    if (s->kind == SHIFT_SPARSE) {
        bool fresh;
        memset(s->work, 0, sizeof(double) * 2 * (size_t)pattern_entries(s->pattern));
        for (int e = 0; e < pattern_entries(p); e++)
            s->work[2 * s->map[e]] = -jacobian[e];
        for (int j = 0; j < n; j++) {
            s->work[2 * s->diagonal[j]] += re;
            s->work[2 * s->diagonal[j] + 1] += im;
        }
        const Status status = sparse_factor_complex(s->sparse, slot, s->work, &fresh);
        return sparse_result(s, status, fresh);
    }
    const int k = s->real_slots + slot;
    double   *a = s->matrix[k];
    memset(a, 0, sizeof(double) * 2 * slot_size(s));
    if (s->kind == SHIFT_DENSE) {
        for (int j = 0; j < n; j++) {
            double *column = a + 2 * (size_t)j * n;
            for (int e = p->start[j]; e < p->start[j + 1]; e++)
                column[2 * p->row[e]] = -jacobian[e];
            column[2 * j] += re;
            column[2 * j + 1] += im;
        }
        return dense_or_band(s, dense_factor_complex(n, a, s->pivot[k]));
    }
    for (int j = 0; j < n; j++) {
        double *column = a + 2 * ((size_t)j * s->leading + s->below + s->above - j);
        for (int e = p->start[j]; e < p->start[j + 1]; e++)
            column[2 * p->row[e]] = -jacobian[e];
        column[2 * j] += re;
        column[2 * j + 1] += im;
    }
    return dense_or_band(s, band_factor_complex(n, s->below, s->above, a, s->pivot[k]));
}

static void solve(Shift *s, int slot, bool complex, double *b) {
    const int k = complex ? s->real_slots + slot : slot;
    s->counts.solves++;
    if (s->schur) schur_solve(s->schur, slot, complex, b);
    else if (s->kind == SHIFT_DENSE)
        (complex ? dense_solve_complex : dense_solve)(s->n, s->matrix[k], s->pivot[k], b);
    else if (s->kind == SHIFT_BAND)
        (complex ? band_solve_complex : band_solve)(s->n, s->below, s->above,
                                                    s->matrix[k], s->pivot[k], b);
    else (complex ? sparse_solve_complex : sparse_solve)(s->sparse, slot, b);
}

void shift_solve(Shift *s, int slot, double *b) {
    solve(s, slot, false, b);
}

void shift_solve_complex(Shift *s, int slot, double *b) {
    solve(s, slot, true, b);
}

double shift_fill(const Shift *s) {
    if (s->schur) return shift_fill(schur_part(s->schur));
    return s->kind == SHIFT_SPARSE ? sparse_fill(s->sparse) : (double)slot_size(s);
}
