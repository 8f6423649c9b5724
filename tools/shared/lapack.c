/* SPDX-License-Identifier: Apache-2.0 */
/* lapack.c -- what an archive of LAPACK asks of the run-time library of Fortran, for the runtime of
 * exported models only.
 *
 * xerbla_ is told of wrong arguments, which are mistakes of the caller: the one of LAPACK prints and ends
 * the process. Texts are joined where LAPACK makes names of options. */
#include <stddef.h>
#include <string.h>

void xerbla_(const char *name, const int *argument, size_t length);
void _gfortran_concat_string(size_t room, char *to, size_t a, const char *x, size_t b,
                             const char *y);

void xerbla_(const char *name, const int *argument, size_t length) {
    (void)name, (void)argument, (void)length;
}

void _gfortran_concat_string(size_t room, char *to, size_t a, const char *x, size_t b,
                             const char *y) {
    const size_t first = a < room ? a : room,
                 second = b < room - first ? b : room - first;
    memcpy(to, x, first);
    memcpy(to + first, y, second);
    memset(to + first + second, ' ', room - first - second);
}
