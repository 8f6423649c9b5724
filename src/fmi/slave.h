/* SPDX-License-Identifier: Apache-2.0 */
/* slave.h -- private to fmi: a program under control of another tool.
 *
 * Between instantiation and initialisation values are only noted. Whoever asks for a value during
 * initialisation makes the model start with what is known then; another value afterwards makes it start
 * anew. From then on Model Exchange moves time and states from outside, and Co-Simulation has a time
 * loop of ours. */
#ifndef RUBATO_FMI_SLAVE_H
#define RUBATO_FMI_SLAVE_H

#include "fmi/fmi.h"

typedef enum {
    PHASE_INSTANTIATED,
    PHASE_STARTING, /* initialisation mode */
    PHASE_RUNNING,
    PHASE_ENDED,
    PHASE_FAILED
} SlavePhase;

/* How bad is it? The numbers are those of FMI. */
typedef void SlaveSay(void *owner, int status, const char *category, const char *text);

typedef struct SlaveEvent { /* what one update of discrete states told */
    bool   terminate, states_changed, has_next;
    double next;
} SlaveEvent;

typedef struct Indicators { /* see indicators.c */
    int     n;              /* of the description */
    double *z;              /* all of the model */
    double *size;           /* by indicator: its largest value so far */
    int8_t *side;           /* by indicator: of zero, since the last event */
} Indicators;

typedef struct Slave Slave;
/* During a step of Co-Simulation, after each step of the integrator; false: return early. */
typedef bool SlaveUpdate(Slave *s, double time);

struct Slave {
    Program      *program;
    const Common *common;
    Instance      instance;
    int       *extent; /* by run: elements that FMI 3.0 sees behind its first reference */
    double    *given;  /* by variable: value from outside ... */
    uint8_t   *is_given;
    char     **words; /* by variable: the text that was given, NULL: it is none */
    SlavePhase phase;
    bool       steps;     /* Co-Simulation */
    bool       scheduled; /* Scheduled Execution */
    double     start, stop, tolerance;
    bool       has_stop, has_tolerance;
    double     t, last; /* last: of the integrator step completed before */
    double    *x, *before;
    Indicators indicators;
    bool       open;    /* the instance holds something */
    bool       started; /* initial values are computed, with all that is given */
    bool       begun;   /* the event of the start is over */
    bool       fresh;   /* values are those at t and x */
    bool       early;   /* a step returned early */
    Simulation  *run;   /* Co-Simulation: the time loop, NULL until it begins */
    SimOptions   sim;
    Text         method, resources, objects;
    int          rates;
    bool         disturbed; /* an input changed since the last step */
    SlaveUpdate *update;    /* NULL: nobody looks */
    SlaveSay    *say;
    void        *owner;
};

/* ---- slave.c ---- */
typedef struct SlaveSource {
    const char      *resources; /* a folder */
    const char      *token;     /* what the other tool takes it for */
    int              version;   /* of FMI */
    const BuiltText *built;     /* its code, NULL: it is compiled */
    bool             steps, scheduled;
} SlaveSource;
/* NULL: it was said why. */
Slave *slave_new(const SlaveSource *from, SlaveSay *say, void *owner);
void   slave_free(Slave *s);
bool   slave_reset(Slave *s); /* as after slave_new */
void   slave_complain(Slave *s, int status, const char *format, ...) PRINTF_LIKE(3, 4);
/* From a status of the model, which failed with this fault; always false. */
bool slave_failed(Slave *s, Status status, const Fault *fault);

/* Elements behind a reference of FMI 3.0, 0: there is none. */
int  slave_extent(const Slave *s, uint32_t reference);
bool slave_set(Slave *s, uint32_t reference, int element, double value);
bool slave_get(Slave *s, uint32_t reference, int element, double *value);
/* Of a String parameter, before the start. */
bool slave_set_text(Slave *s, uint32_t reference, int element, const char *text);
void slave_forget_given(Slave *s); /* nothing was given from outside */
/* Of a String; NULL: it is none. */
const char *slave_text(Slave *s, uint32_t reference, int element);

void slave_setup(Slave *s, bool has_tolerance, double tolerance, double start,
                 bool has_stop, double stop);
bool slave_initialise(Slave *s); /* the end of initialisation mode */
bool slave_ready(Slave *s);      /* values can be asked for */
bool slave_refresh(Slave *s);    /* all values at t and x */
bool slave_start(Slave *s);      /* a fresh instance with what is given, initial values */
/* A fresh instance with what is given; false: no memory. */
bool slave_open_instance(Slave *s);

void slave_set_time(Slave *s, double t);
void slave_set_states(Slave *s, const double *x);
bool slave_rates(Slave *s, double *dx);
bool slave_update(Slave *s, SlaveEvent *event);
/* A tick of a clock, in Scheduled Execution. */
bool slave_activate(Slave *s, uint32_t clock, double t);
/* Has it ticked at the present time? False: there is no such clock. */
bool slave_ticked(Slave *s, uint32_t clock, bool *ticked);
/* The integrator completed a step; *terminate: the model wants to end. */
bool slave_completed(Slave *s, bool *terminate);

/* The point cannot be evaluated, but others may: the caller tries a shorter step. Always false. */
bool slave_refused(Slave *s, Status status, const Fault *fault);

/* ---- indicators.c ---- */
bool slave_indicators(Slave *s, double *z);
bool slave_indicator(Slave *s, int number, double *value);
bool indicators_settle(Slave *s); /* after an event */
void indicators_grow(Slave *s);   /* after a step */
void indicators_close(Slave *s);

/* ---- steps.c ---- */
bool slave_begin_steps(Slave *s);
/* On to a time. *terminate: the model ended itself before. */
bool slave_step(Slave *s, double until, bool *terminate);
void slave_end_steps(Slave *s);

/* ---- state.c ---- */
typedef struct SlaveState {
    size_t count;
    char   bytes[];
} SlaveState;
SlaveState *slave_save(Slave *s); /* NULL: no memory */
bool        slave_restore(Slave *s, const SlaveState *state);
SlaveState *slave_state_of(const void *bytes, size_t count);

/* ---- derive.c ---- */
typedef struct Direction { /* scalars behind references */
    uint32_t reference;
    int      element;
} Direction;
/* out = d unknown / d known * seed. */
bool slave_directional(Slave *s, const Direction *unknown, int unknowns,
                       const Direction *known, int knowns, const double *seed,
                       double *out);
/* out = seed^T * d unknown / d known. */
bool slave_adjoint(Slave *s, const Direction *unknown, int unknowns,
                   const Direction *known, int knowns, const double *seed, double *out);

#endif
