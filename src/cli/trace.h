/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h -- the file of steps. */
#ifndef RUBATO_TRACE_H
#define RUBATO_TRACE_H

#include "live/live.h"
#include "rate/rate.h"

#include <stdio.h>

typedef struct Trace {
    const char *path;
    FILE       *file; /* NULL: none */
} Trace;

bool trace_open(Trace *trace, const char *path, const Instance *instance);
void trace_step(Trace *trace, const RateTrace *step);
void trace_event(Trace *trace, double t, EventKind kind);
bool trace_close(Trace *trace); /* false after a message */

#endif
