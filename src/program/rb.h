/* SPDX-License-Identifier: Apache-2.0 */
/* rb.h -- what generated code works on.
 *
 * Generated code has no state: all it reads and writes is in the Rb that it is handed. Values of
 * all variables, also Boolean and Integer ones, are doubles in one array by variable number; but
 * states are read from the integrator's vector, and derivatives written into it.
 *
 * A String value is a number, too, so that values can be stored, copied and sent: texts of the
 * program are numbered from 0, the empty one, in Texts.literal; texts made while the model runs
 * have the numbers after those and belong to the simulation. An external object is its number in
 * the list of objects of the simulation, from 1. */
#ifndef RUBATO_RB_H
#define RUBATO_RB_H

#include <stdint.h>

typedef struct Rb    Rb;
typedef struct RbApi RbApi;

struct Rb {
#define FIELD(...) __VA_ARGS__;
#define ENTRY(...)
#include "program/rb.def"
#undef FIELD
#undef ENTRY
};

struct RbApi {
#define FIELD(...)
#define ENTRY(...) __VA_ARGS__;
#include "program/rb.def"
#undef FIELD
#undef ENTRY
};

typedef enum { REPORT_ERROR, REPORT_WARNING, REPORT_TERMINATE } ReportKind;

/* layout.c: the declarations of both structs as C text, and a number that changes with them. The
 * text defines rb_layout(), which tells the sizes as the generated code sees them. */
extern const char rb_declarations[];
uint64_t          rb_layout_key(void);
long              rb_layout_sizes(void);

#endif
