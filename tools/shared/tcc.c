/* SPDX-License-Identifier: Apache-2.0 */
/* tcc.c -- what an archive of libtcc asks of the C library, for the shared object only.
 *
 * It looks at these where it prints or runs a program, neither of which is asked of it here. */
#include <stdio.h>

extern FILE *const rb_tcc_stdout, *const rb_tcc_stderr;
extern char **const rb_tcc_environ;

FILE *const rb_tcc_stdout = NULL, *const rb_tcc_stderr = NULL;
char **const rb_tcc_environ = NULL;
