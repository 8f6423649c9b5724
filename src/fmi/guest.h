/* SPDX-License-Identifier: Apache-2.0 */
/* guest.h -- private to fmi: a unit that somebody else made. */
#ifndef RUBATO_FMI_GUEST_H
#define RUBATO_FMI_GUEST_H

#include "fmi/fmi.h"
#include "fmi/standard.h"
#include "record/record.h"

/* ---- reader.c: the description ---- */

typedef enum { /* types of FMI 3.0; those of 2.0 are among them */
               GUEST_FLOAT64,
               GUEST_FLOAT32,
               GUEST_INT8,
               GUEST_UINT8,
               GUEST_INT16,
               GUEST_UINT16,
               GUEST_INT32,
               GUEST_UINT32,
               GUEST_INT64,
               GUEST_UINT64,
               GUEST_BOOLEAN,
               GUEST_STRING,
               GUEST_CLOCK,
               GUEST_OTHER /* Binary: not looked at */
} GuestType;

typedef enum {                  /* when a clock ticks */
               TICKS_REGULAR,   /* with a constant interval */
               TICKS_CHANGING,  /* after an interval that is asked for after each tick */
               TICKS_COUNTDOWN, /* once, after an interval that another tick gave */
               TICKS_TRIGGERED  /* when somebody says so */
} GuestTicks;

typedef struct GuestVariable {
    const char *name, *unit, *comment, *start; /* start NULL: none */
    uint32_t    reference;
    uint8_t     type;      /* GuestType */
    uint8_t     causality; /* FmuCausality; FMU_PARAMETER also if structural */
    uint8_t     variability;
    bool        structural; /* FMI 3.0: a parameter that gives sizes */
    bool        alias;      /* FMI 3.0: another name of the variable before */
    int         count;      /* elements */
    int         dims, size[8];
    uint32_t    size_from[8]; /* reference of the parameter that tells it + 1; 0: size */
    uint8_t     ticks;        /* CLOCK: GuestTicks ... */
    double interval, shift, priority; /* ... seconds, NAN: not said; the smallest first */
    int64_t derivative; /* 2.0: index of its state, from 1; 3.0: reference + 1; 0 none */
} GuestVariable;

typedef struct GuestKind { /* NULL: it is not of this kind */
    const char *identifier;
    bool        needs_tool;
    double      step; /* its own, NAN if none is said */
} GuestKind;

typedef struct GuestDescription {
    Arena          arena;
    int            version; /* 2 or 3 */
    const char    *model, *token;
    GuestKind      exchange, steps, scheduled;
    double         start, stop, tolerance, step; /* NAN: not said */
    GuestVariable *variable;
    int            variables, room;
    uint32_t      *rate; /* 2.0: index from 1, 3.0: reference, of derivatives in order */
    int            rates, rate_room;
    int            states, indicators; /* scalars */
    uint32_t      *indicator;          /* 3.0: references */
    int            indicator_entries, indicator_room;
} GuestDescription;

/* False and why. */
bool guest_read(GuestDescription *d, const char *path, Text *why);
void guest_read_end(GuestDescription *d);

/* ---- bind.c: the functions ---- */

typedef struct Functions2 {
#define FUNCTION(result, name, parameters) result(*name) parameters;
#include "fmi/standard2.def"
#undef FUNCTION
} Functions2;

typedef struct Functions3 {
#define NUMBER(name, type)                                                               \
    FmiStatus (*Get##name)(void *c, const uint32_t vr[], size_t n, type value[],         \
                           size_t values);                                               \
    FmiStatus (*Set##name)(void *c, const uint32_t vr[], size_t n, const type value[],   \
                           size_t values);
#define FUNCTION(result, name, parameters) result(*name) parameters;
#include "fmi/standard3.def"
#undef FUNCTION
#undef NUMBER
} Functions3;

typedef struct GuestInput {
    int variable;
    int column; /* of the given values, -1: it keeps its start value */
} GuestInput;

typedef struct GuestEvent {
    bool   again, terminate, has_next;
    double next;
} GuestEvent;

struct Guest {
    GuestDescription d;
    Text             folder, said; /* said: the last message of the unit */
    void            *library, *c;
    Functions2       f2;
    Functions3       f3;
    Fmi2Callbacks    callbacks;
    GuestMode        mode; /* the kind that runs */
    /* guest.c: where the unit is */
    bool        event_mode;
    double      next;   /* time event, HUGE_VAL none */
    double      wanted; /* an event that the unit asked for after a step, HUGE_VAL none */
    GuestInput *input;
    int         inputs;
    Result      given; /* values of inputs over time */
    bool        has_given;
    int        *column;  /* by scalar that can be recorded: its variable ... */
    int        *element; /* ... and its element */
    int         columns;
    double     *buffer; /* elements of a variable, then states */
    int         most;   /* elements of the largest variable */
    double     *nominal;
    Model       model;
};

/* ---- component.c ---- */

typedef enum { /* what a variable is in a component that stands for the unit */
               GUEST_HIDDEN,
               GUEST_PARAMETER,
               GUEST_TEXT, /* a parameter */
               GUEST_INPUT,
               GUEST_OUTPUT
} GuestRole;
GuestRole guest_role(const GuestVariable *v);

/* ---- guest.c ---- */
/* right: after a jump at t, all inputs; else those that change continuously. False: refused. */
bool   guest_put_inputs(Guest *u, double t, bool right);
double guest_next_jump(const Guest *u, double t);

bool      guest_bind(Guest *u, GuestMode mode, Text *why);
void      guest_unbind(Guest *u);
FmiStatus guest_instantiate(Guest *u);
/* stop, tolerance NAN: not known. */
FmiStatus guest_initialise(Guest *u, double start, double stop, double tolerance);
void      guest_free_instance(Guest *u);
/* All elements of a variable as numbers. */
FmiStatus guest_get(Guest *u, const GuestVariable *v, double *value);
FmiStatus guest_set(Guest *u, const GuestVariable *v, const double *value);
FmiStatus guest_set_text(Guest *u, const GuestVariable *v, const char *text);
FmiStatus guest_time(Guest *u, double t);
FmiStatus guest_put_states(Guest *u, const double *x);
FmiStatus guest_get_states(Guest *u, double *x);
FmiStatus guest_rates(Guest *u, double *dx);
FmiStatus guest_indicators(Guest *u, double *z);
FmiStatus guest_nominals(Guest *u, double *nominal);
FmiStatus guest_enter_events(Guest *u);
FmiStatus guest_update(Guest *u, GuestEvent *event);
FmiStatus guest_leave_events(Guest *u);
FmiStatus guest_completed(Guest *u, bool *event, bool *terminate);
FmiStatus guest_step(Guest *u, double t, double h, double *reached, bool *terminate);
FmiStatus guest_activate(Guest *u, const GuestVariable *clock, double t);
/* The interval to the next tick; *told: it is new. */
FmiStatus guest_interval(Guest *u, const GuestVariable *clock, double *interval,
                         bool *told);

/* ---- stepped.c ---- */
/* A point of the result at t. */
Status guest_record(Guest *u, const SimOptions *o, double t, double *y, SimOutcome *out);

#endif
