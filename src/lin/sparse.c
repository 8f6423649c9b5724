/* SPDX-License-Identifier: Apache-2.0 */
/* sparse.c -- KLU for real and complex matrices of one pattern.
 *
 * The block-triangular ordering and the fill-reducing permutation depend on the pattern
 * only, so one symbolic analysis serves every slot. A slot's first factorisation chooses
 * pivots; later ones reuse them (an order of magnitude cheaper), which is safe only while
 * the pivots stay large. After each refactorisation the ratio of smallest to largest
 * pivot is compared with that of the last full factorisation: if it fell by more than
 * GUARD, or KLU reports a zero pivot (a positive status, not an error), the matrix is
 * factored anew with pivoting. KLU allocates inside klu_factor only.
 * Without KLU there is none: large matrices are dense then, unless they are bands.
 * Literature: Davis, Palamadai Natarajan, ACM TOMS 37(3), 2010. */
#include <math.h>
#include <stdlib.h>

#include "lin/lin.h"

#ifdef HAVE_KLU

#include <suitesparse/klu.h>

bool sparse_present(void) {
    return true;
}

static const double GUARD = 1e-3; /* fall of the pivot ratio that forces new pivots */

typedef struct Slot {
    klu_numeric *numeric; /* NULL before the first factorisation         */
    double       rcond;   /* pivot ratio right after a full factorisation */
} Slot;

struct Sparse {
    int           n;
    int          *start, *row; /* KLU wants them writable in its signature */
    klu_symbolic *symbolic;
    klu_common    common;
    Slot         *slot; /* reals, then complex ones */
    int           real_slots, complex_slots;
};

Sparse *sparse_new(const Pattern *pattern, int real_slots, int complex_slots) {
    Sparse *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->n = pattern->columns;
    s->start = (int *)pattern->start;
    s->row = (int *)pattern->row;
    s->real_slots = real_slots;
    s->complex_slots = complex_slots;
    s->slot = calloc((size_t)(real_slots + complex_slots), sizeof(Slot));
    klu_defaults(&s->common);
    if (s->slot) s->symbolic = klu_analyze(s->n, s->start, s->row, &s->common);
    if (!s->symbolic) {
        sparse_free(s);
        return NULL;
    }
    return s;
}

void sparse_forget(Sparse *s) {
    for (int k = 0; s->slot && k < s->real_slots + s->complex_slots; k++) {
        if (!s->slot[k].numeric) continue;
        if (k < s->real_slots) klu_free_numeric(&s->slot[k].numeric, &s->common);
        else klu_z_free_numeric(&s->slot[k].numeric, &s->common);
    }
}

void sparse_free(Sparse *s) {
    if (!s) return;
    sparse_forget(s);
    if (s->symbolic) klu_free_symbolic(&s->symbolic, &s->common);
    free(s->slot);
    free(s);
}

double sparse_fill(const Sparse *s) {
    return fmax(0.0, s->symbolic ? s->symbolic->lnz + s->symbolic->unz : 0.0);
}

int sparse_singular_column(const Sparse *s) {
    return s->common.singular_col < s->n ? s->common.singular_col : -1;
}

static Status status_of(const Sparse *s) {
    if (s->common.status == KLU_OUT_OF_MEMORY) return STATUS_NO_MEMORY;
    return STATUS_SINGULAR;
}

typedef struct Klu { /* real or complex numbers */
    int (*refactor)(int *start, int *row, double *value, klu_symbolic *symbolic,
                    klu_numeric *numeric, klu_common *common);
    klu_numeric *(*factor)(int *start, int *row, double *value, klu_symbolic *symbolic,
                           klu_common *common);
    int (*rcond)(klu_symbolic *symbolic, klu_numeric *numeric, klu_common *common);
    int (*free)(klu_numeric **numeric, klu_common *common);
} Klu;

static const Klu real = {klu_refactor, klu_factor, klu_rcond, klu_free_numeric};
static const Klu complex = {klu_z_refactor, klu_z_factor, klu_z_rcond,
                            klu_z_free_numeric};

static Status factor(Sparse *s, const Klu *klu, Slot *slot, double *value, bool *fresh) {
    klu_common *common = &s->common;
    *fresh = false;
    if (slot->numeric &&
        klu->refactor(s->start, s->row, value, s->symbolic, slot->numeric, common) &&
        common->status == KLU_OK && klu->rcond(s->symbolic, slot->numeric, common) &&
        common->rcond > GUARD * slot->rcond)
        return STATUS_OK;
    *fresh = true;
    if (slot->numeric) klu->free(&slot->numeric, common);
    slot->numeric = klu->factor(s->start, s->row, value, s->symbolic, common);
    if (!slot->numeric || common->status != KLU_OK) {
        const Status status = status_of(s);
        if (slot->numeric) klu->free(&slot->numeric, common);
        return status;
    }
    klu->rcond(s->symbolic, slot->numeric, common);
    slot->rcond = common->rcond;
    return isfinite(slot->rcond) && slot->rcond > 0.0 ? STATUS_OK : STATUS_SINGULAR;
}

Status sparse_factor(Sparse *s, int k, double *value, bool *fresh) {
    return factor(s, &real, &s->slot[k], value, fresh);
}

Status sparse_factor_complex(Sparse *s, int k, double *value, bool *fresh) {
    return factor(s, &complex, &s->slot[s->real_slots + k], value, fresh);
}

void sparse_solve(Sparse *s, int k, double *b) {
    klu_solve(s->symbolic, s->slot[k].numeric, s->n, 1, b, &s->common);
}

void sparse_solve_complex(Sparse *s, int k, double *b) {
    klu_z_solve(s->symbolic, s->slot[s->real_slots + k].numeric, s->n, 1, b, &s->common);
}

double sparse_flops(Sparse *s, int k, bool is_complex) {
    Slot *slot = &s->slot[is_complex ? s->real_slots + k : k];
    if (!slot->numeric) return 0.0;
    if (is_complex) klu_z_flops(s->symbolic, slot->numeric, &s->common);
    else klu_flops(s->symbolic, slot->numeric, &s->common);
    return s->common.flops;
}

#else

bool sparse_present(void) {
    return false;
}

Sparse *sparse_new(const Pattern *pattern, int real_slots, int complex_slots) {
    (void)pattern, (void)real_slots, (void)complex_slots;
    return NULL;
}

void sparse_forget(Sparse *s) {
    (void)s;
}

void sparse_free(Sparse *s) {
    (void)s;
}

double sparse_fill(const Sparse *s) {
    (void)s;
    return 0.0;
}

int sparse_singular_column(const Sparse *s) {
    (void)s;
    return -1;
}

Status sparse_factor(Sparse *s, int k, double *value, bool *fresh) {
    (void)s, (void)k, (void)value, (void)fresh;
    return STATUS_ABSENT;
}

Status sparse_factor_complex(Sparse *s, int k, double *value, bool *fresh) {
    return sparse_factor(s, k, value, fresh);
}

void sparse_solve(Sparse *s, int k, double *b) {
    (void)s, (void)k, (void)b;
}

void sparse_solve_complex(Sparse *s, int k, double *b) {
    (void)s, (void)k, (void)b;
}

double sparse_flops(Sparse *s, int k, bool is_complex) {
    (void)s, (void)k, (void)is_complex;
    return 0.0;
}

#endif
