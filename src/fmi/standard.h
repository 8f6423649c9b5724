/* SPDX-License-Identifier: Apache-2.0 */
/* standard.h -- private to fmi: the types of the binary interface of FMI 2.0 and 3.0.
 *
 * What the standard fixes is the order of members and parameters, their C types and the numbers of
 * enumerations. A Boolean is an int in 2.0 and a bool in 3.0. */
#ifndef RUBATO_FMI_STANDARD_H
#define RUBATO_FMI_STANDARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { /* 3.0 has no PENDING */
               FMI_OK,
               FMI_WARNING,
               FMI_DISCARD,
               FMI_ERROR,
               FMI_FATAL,
               FMI_PENDING
} FmiStatus;

enum { FMI2_MODEL_EXCHANGE, FMI2_CO_SIMULATION };                            /* type */
enum { FMI2_DO_STEP_STATUS, FMI2_PENDING, FMI2_LAST_TIME, FMI2_TERMINATED }; /* kind */
enum {
    FMI3_INDEPENDENT,
    FMI3_CONSTANT,
    FMI3_FIXED,
    FMI3_TUNABLE,
    FMI3_DISCRETE,
    FMI3_DEPENDENT
};
enum { FMI3_INTERVAL_NOT_YET_KNOWN, FMI3_INTERVAL_UNCHANGED, FMI3_INTERVAL_CHANGED };

typedef void Fmi2Log(void *environment, const char *name, FmiStatus status,
                     const char *category, const char *format, ...);

typedef struct Fmi2Callbacks {
    Fmi2Log *log;
    void *(*take)(size_t n, size_t size);
    void (*release)(void *block);
    void (*step_finished)(void *environment, FmiStatus status);
    void *environment;
} Fmi2Callbacks;

typedef struct Fmi2EventInfo {
    int    again, terminate, nominals, states, has_next;
    double next;
} Fmi2EventInfo;

typedef void Fmi3Log(void *environment, FmiStatus status, const char *category,
                     const char *text);
typedef void Fmi3Update(void *environment, double time, bool set_requested,
                        bool get_allowed, bool step_finished, bool can_return_early,
                        bool *early_return, double *early_time);
typedef void Fmi3ClockUpdate(void *environment);
typedef void Fmi3Lock(void);

#endif
