/* SPDX-License-Identifier: Apache-2.0 */
/* lin.h -- linear algebra for stiff integrators.
 *
 *   shift.c    factorisations of sigma I - J for real and complex sigma, by size
 *   schur.c    the same over several processes, part by part
 *   dense.c    dense LU, unrolled for tiny n, real and complex
 *   band.c     band LU with partial pivoting, real and complex
 *   sparse.c   KLU, real and complex on one symbolic analysis, guarded refactorisation
 *   pattern.c  sparsity: bandwidth, transposition, sub-patterns, full patterns
 *   colour.c   groups of columns that can be differenced together
 *   plain.c    least squares and eigenvalues where LAPACK is not there
 *
 * Implicit Runge-Kutta methods need several matrices sigma_k I - J at once, with the same
 * J. A Shift holds them in numbered slots. Complex vectors are interleaved: re, im. */
#ifndef RUBATO_LIN_H
#define RUBATO_LIN_H

#include "model/model.h"

/* ---- pattern.c ------------------------------------------------------------------ */

/* n columns with all rows; the caller frees it with pattern_free. NULL: no memory. */
Pattern *pattern_full(int n);
/* The same entries and the diagonal; map[p] is the new place of old entry p (may be
 * NULL), diagonal[j] the place of (j, j). */
Pattern *pattern_with_diagonal(const Pattern *pattern, int *map, int *diagonal);
/* Principal sub-pattern of the selected rows and columns; entry[q] is the place in the
 * full pattern of the sub-pattern's q-th entry. The caller frees both. */
Pattern *pattern_principal(const Pattern *pattern, const Selection *rows, int **entry);
void     pattern_free(Pattern *pattern);
int      pattern_entries(const Pattern *pattern);
bool     pattern_is_full(const Pattern *pattern);
void     pattern_bandwidth(const Pattern *pattern, int *below, int *above);

/* ---- colour.c ------------------------------------------------------------------- */

typedef struct Colouring { /* a partition of the columns                        */
    int  colours;
    int *start;  /* colours + 1 entries                               */
    int *column; /* columns of colour k: start[k] .. start[k + 1] - 1 */
} Colouring;

/* No two columns of a colour share a row. False: no memory. */
bool colour_columns(const Pattern *pattern, Colouring *colouring);
void colouring_free(Colouring *colouring);

/* ---- dense.c -------------------------------------------------------------------- */

enum { DENSE_TINY = 8, DENSE_OWN = 48 }; /* unrolled up to, LAPACK above if it is there */

/* P A = L U in place, A column by column (n x n). Result: 0, or 1 + index of the first
 * zero pivot. Complex entries are interleaved. */
int  dense_factor(int n, double *a, int *pivot);
void dense_solve(int n, const double *a, const int *pivot, double *b);
int  dense_factor_complex(int n, double *a, int *pivot);
void dense_solve_complex(int n, const double *a, const int *pivot, double *b);
/* Reciprocal condition estimate from the factors' diagonal: min |u_ii| / max |u_ii|. */
double dense_quality(int n, const double *a, bool is_complex);
/* Is a pivot so small beside the column it is left over from that rounding may have made it? */
bool dense_doubtful(int n, const double *a);
/* Sign of the determinant from the factors. */
int dense_sign(int n, const double *a, const int *pivot);
/* b becomes the x of least norm among those with least |A x - b|; directions in which A is below
 * the threshold, relative to its largest, count as none. A is destroyed. Result: the largest
 * component of |A x - b|, infinite if it fails. */
double dense_least_squares(int n, double *a, double *b, double threshold);
/* The same without allocating; work: dense_least_room(n) values, order: n. */
double dense_least_squares_in(int n, double *a, double *b, double threshold, double *work,
                              int *order);
size_t dense_least_room(int n);
/* Eigenvalues wr + i wi of A, which is destroyed; conjugate ones follow each other, the positive
 * imaginary part first. vectors, unless NULL: by columns, of a pair the real and the imaginary part of the
 * first. work: 4 n values. False: they were not found. */
bool dense_eigen(int n, double *a, double *wr, double *wi, double *vectors, double *work);
/* Keeps a threaded BLAS from starting or spinning threads; harmless without one. */
void blas_single_thread(void);

/* ---- plain.c -------------------------------------------------------------------- */

/* work: 2 n values. False: the result is not finite. */
bool plain_least_squares(int n, double *a, double *b, double threshold, double *work,
                         int *order);
bool plain_eigen(int n, double *a, double *wr, double *wi, double *vectors);

/* ---- band.c --------------------------------------------------------------------- */

/* Band storage: element (i, j) at a[j * ld + 2 kl... ]: see band.c. */
int  band_leading(int below, int above); /* rows of the storage per column */
int  band_factor(int n, int below, int above, double *a, int *pivot);
void band_solve(int n, int below, int above, const double *a, const int *pivot,
                double *b);
int  band_factor_complex(int n, int below, int above, double *a, int *pivot);
void band_solve_complex(int n, int below, int above, const double *a, const int *pivot,
                        double *b);

/* ---- sparse.c ------------------------------------------------------------------- */

typedef struct Sparse Sparse; /* one symbolic analysis and its numeric slots */

bool sparse_present(void); /* this build has KLU */

Sparse *sparse_new(const Pattern *pattern, int real_slots, int complex_slots);
void    sparse_free(Sparse *sparse);
void    sparse_forget(Sparse *sparse); /* pivots are chosen anew */
/* value: entries of the pattern (interleaved if complex). Refactors with the old pivots
 * when that is numerically safe, else factors anew. *fresh tells which. */
Status sparse_factor(Sparse *sparse, int slot, double *value, bool *fresh);
Status sparse_factor_complex(Sparse *sparse, int slot, double *value, bool *fresh);
void   sparse_solve(Sparse *sparse, int slot, double *b);
void   sparse_solve_complex(Sparse *sparse, int slot, double *b);
double sparse_fill(const Sparse *sparse); /* entries of the factors expected, 0 unknown */
int    sparse_singular_column(const Sparse *sparse); /* -1 if unknown */
/* Floating-point operations of the last factorisation in a slot, as real operations. */
double sparse_flops(Sparse *sparse, int slot, bool is_complex);

/* ---- shift.c -------------------------------------------------------------------- */

typedef enum { SHIFT_AUTO, SHIFT_DENSE, SHIFT_BAND, SHIFT_SPARSE } ShiftKind;

typedef struct ShiftCounts {
    long factorizations;   /* with a fresh choice of pivots               */
    long refactorizations; /* with the pivots of an earlier one           */
    long solves;           /* real or complex, one each                   */
} ShiftCounts;

typedef struct Schur Schur; /* see schur.c */

typedef struct Shift {
    ShiftKind      kind;
    int            n;
    int            real_slots, complex_slots;
    int            below, above; /* bandwidths, kind SHIFT_BAND               */
    int            leading;      /* rows of the band storage                  */
    Pattern       *pattern;      /* of J plus diagonal, kind SHIFT_SPARSE     */
    const Pattern *jacobian;     /* of J                                      */
    int           *map;          /* entry of J -> entry of pattern            */
    int           *diagonal;     /* place of (j, j) in pattern                */
    double       **matrix;       /* by slot, reals first: factors or values   */
    int          **pivot;        /* by slot                                   */
    Sparse        *sparse;
    Schur         *schur;    /* over several processes; NULL: not         */
    double        *work;     /* values for sparse_factor                  */
    int            singular; /* column of the last failure, -1 if none    */
    ShiftCounts    counts;
} Shift;

/* What SHIFT_AUTO means for a pattern. */
ShiftKind shift_choose(const Pattern *jacobian);
/* NULL: no memory. The pattern must outlive the result. */
Shift *shift_new(const Pattern *jacobian, int real_slots, int complex_slots,
                 ShiftKind kind);
/* For a part of a model over several processes that has a border. */
Shift *shift_new_part(const Model *model, int real_slots, int complex_slots,
                      ShiftKind kind);
void   shift_free(Shift *shift);
void   shift_forget(Shift *shift); /* the next factors depend on nothing before */
/* Factors sigma I - J into a slot. STATUS_SINGULAR names shift->singular. */
Status shift_factor(Shift *shift, int slot, const double *jacobian, double sigma);
Status shift_factor_complex(Shift *shift, int slot, const double *jacobian, double re,
                            double im);
void   shift_solve(Shift *shift, int slot, double *b);
void   shift_solve_complex(Shift *shift, int slot, double *b);
double shift_fill(const Shift *shift); /* entries of the factors of one slot */

/* ---- schur.c: as shift_..., on all processes at once ------------------------------ */

Schur *schur_new(const Model *model, int real_slots, int complex_slots, ShiftKind kind);
void   schur_free(Schur *schur);
void   schur_forget(Schur *schur);
Status schur_factor(Schur *schur, int slot, bool is_complex, const double *jacobian,
                    double re, double im);
void   schur_solve(Schur *schur, int slot, bool is_complex, double *b);
const Shift *schur_part(const Schur *schur); /* of the states inside */

#endif
