/* SPDX-License-Identifier: Apache-2.0 */
/* builtin.h -- built-in functions of Modelica as C, once for all who need them.
 *
 * The translator computes with them (expr/fold.c, inst/evalfun.c) and generated programs contain
 * them as text (gen/emit.c): a value that is known when translating and one that is computed in
 * the run come from the same words. */
#ifndef RUBATO_BUILTIN_H
#define RUBATO_BUILTIN_H

#include <math.h>

/* Of the C library, with one argument: TERM_ID and its name, in Modelica as in C. */
#define BUILTIN_OF_C(F)                                                                  \
    F(SQRT, sqrt)                                                                        \
    F(SIN, sin)                                                                          \
    F(COS, cos)                                                                          \
    F(TAN, tan)                                                                          \
    F(ASIN, asin)                                                                        \
    F(ACOS, acos)                                                                        \
    F(ATAN, atan)                                                                        \
    F(SINH, sinh)                                                                        \
    F(COSH, cosh)                                                                        \
    F(TANH, tanh)                                                                        \
    F(EXP, exp)                                                                          \
    F(LOG, log)                                                                          \
    F(LOG10, log10)                                                                      \
    F(FLOOR, floor)                                                                      \
    F(CEIL, ceil)

/* Not of the C library: the words of a definition behind `static inline double`. */
#define BUILTIN_OWN(F)                                                                   \
    F(rb_square(double x) { return x * x; })                                             \
    F(rb_cube(double x) { return x * x * x; })                                           \
    F(rb_power(double x, int n) {                                                        \
        double y = n & 1 ? x : 1;                                                        \
        while (n >>= 1) {                                                                \
            x *= x;                                                                      \
            if (n & 1) y *= x;                                                           \
        }                                                                                \
        return y;                                                                        \
    })                                                                                   \
    F(rb_root_power(double x, int n) { return rb_power(x, n) * sqrt(x); })               \
    F(rb_sign(double x) { return (x > 0) - (x < 0); })                                   \
    F(rb_min(double x, double y) { return x < y ? x : y; })                              \
    F(rb_max(double x, double y) { return x > y ? x : y; })                              \
    F(rb_div(double x, double y) { return trunc(x / y); })                               \
    F(rb_mod(double x, double y) { return x - floor(x / y) * y; })                       \
    F(rb_rem(double x, double y) { return x - trunc(x / y) * y; })                       \
    F(rb_in_floor(double x, double m) {                                                  \
        return x == m ? 1e-300 : (x - m) * (m + 1 - x);                                  \
    })                                                                                   \
    F(rb_in_ceil(double x, double m) {                                                   \
        return x == m ? 1e-300 : (m - x) * (x - m + 1);                                  \
    })                                                                                   \
    F(rb_in_trunc(double x, double m) {                                                  \
        return m > 0 ? rb_in_floor(x, m) : m < 0 ? rb_in_ceil(x, m) : (x + 1) * (1 - x); \
    })                                                                                   \
    F(rb_in_sign(double x, double m) {                                                   \
        return m > 0 ? x : m < 0 ? -x : x == 0 ? 1e-300 : x < 0 ? x : -x;                \
    })                                                                                   \
    F(rb_change(double x, double y) { return x != y; })                                  \
    F(rb_semi_linear(double x, double p, double q) { return x >= 0 ? x * p : x * q; })

/* A Real range a:s:b has floor((b - a)/s*(1 + RANGE_RELATIVE) + RANGE_ABSOLUTE) + 1 elements:
 * rounding of 0.3/0.1 does not take away the last one. */
#define RANGE_RELATIVE 1e-15
#define RANGE_ABSOLUTE 1e-10

#define BUILTIN_DEFINE(...) static inline double __VA_ARGS__
BUILTIN_OWN(BUILTIN_DEFINE)

/* The same as C text, with the functions of the C library that they and their users call. */
#define BUILTIN_TEXT(...)       "static inline double " #__VA_ARGS__ "\n"
#define BUILTIN_DECLARE(id, of) "double " #of "(double);\n"
#define BUILTIN_TEXTS                                                                    \
    BUILTIN_OF_C(BUILTIN_DECLARE)                                                        \
    "double fabs(double), trunc(double), atan2(double, double), pow(double, "            \
    "double);\n" BUILTIN_OWN(BUILTIN_TEXT)

#endif
