/* SPDX-License-Identifier: Apache-2.0 */
/* fmi.h -- models as Functional Mock-up Units, FMI 2.0 and 3.0, and units of others as models.
 *
 *   standard.h, standard2.def, standard3.def   the binary interface as the standard fixes it
 *   interface.c  a program as FMI sees it: variables, causalities, value references
 *   depend.c     which states and inputs a value depends on
 *   describe.c   modelDescription.xml; terminals.c: connectors
 *   archive.c    zip archives, written and read (minizip)
 *   export.c     an archive out of a program; sources.c: as C sources
 *   slave.c      a program under control of another tool; indicators.c: events for others; steps.c: with our integrators;
 *                state.c: as bytes; derive.c: directional derivatives
 *   entry2.c, entry3.c   the functions of the standard over a slave: part of exported models only
 *   reader.c     modelDescription.xml of others (expat)
 *   bind.c       the functions of a foreign model, both versions behind one table
 *   guest.c    a foreign unit: unpacked, given values, begun; exchange.c: as a Model, integrated by
 *                us; stepped.c: one that steps itself; scheduled.c: one whose partitions are activated
 *   component.c  a foreign unit as a Modelica class; called.c: the functions that this class calls */
#ifndef RUBATO_FMI_H
#define RUBATO_FMI_H

#include "live/live.h"
#include "sim/sim.h"

/* ---- interface.c ---- */

typedef enum {
    FMU_REAL,
    FMU_INTEGER,
    FMU_BOOLEAN,
    FMU_TEXT,
    FMU_CLOCK, /* 3.0 */
    FMU_TYPES
} FmuType;
typedef enum {
    FMU_PARAMETER,
    FMU_CALCULATED, /* calculatedParameter */
    FMU_INPUT,
    FMU_OUTPUT,
    FMU_LOCAL,
    FMU_INDEPENDENT
} FmuCausality;
typedef enum { FMU_CONSTANT, FMU_FIXED, FMU_DISCRETE, FMU_CONTINUOUS } FmuVariability;
typedef enum { FMU_NO_INITIAL, FMU_EXACT, FMU_APPROX, FMU_COMPUTED } FmuInitial;
typedef enum {            /* what a value reference leads to */
               FMU_VALUE, /* a variable of the program */
               FMU_TIME,
               FMU_RATE,       /* the derivative of a state */
               FMU_INDICATORS, /* all event indicators */
               FMU_TICKS       /* of a sub-clock partition */
} FmuSource;

typedef struct FmuVariable {
    uint32_t reference; /* value reference */
    uint8_t  source;    /* FmuSource */
    uint8_t  type;      /* FmuType */
    uint8_t  causality, variability, initial;
    bool     started; /* it has a start value */
    bool     array;   /* in FMI 3.0: one variable of several elements */
    bool     state;
    int      var;    /* VALUE: first variable of the program; RATE: of its state */
    int      count;  /* elements */
    int      number; /* states: of the first one; TICKS: sub-clock partition */
    int      sub;    /* sub-clock partition that computes it, -1: none */
    int      alias;  /* VALUE: first variable of the program that it is equal to, or -1 */
} FmuVariable;

typedef struct FmuInterface {
    const Program *program;
    int            version;   /* 2 or 3 */
    bool           scheduled; /* Scheduled Execution: ticks come from outside */
    int           *sub_of;    /* by variable: its sub-clock partition + 1 */
    int           *order_of;  /* by that: its place at a common tick; -1: it is empty */
    int            tangled; /* a sub-clock partition + 1 that has none, as others use its values and it theirs; 0: none */
    FmuVariable   *variable;
    int            variables, room;
    int           *rate_of; /* by state: the number in `variable` of its derivative ... */
    int *state_of; /* ... and its own; of arrays the first element has it, others -1 */
} FmuInterface;

/* Value references are numbers of variables, then time, derivatives by state, indicators, clocks. */
static inline uint32_t fmu_time_reference(const Program *p) {
    return (uint32_t)p->variables.vars;
}
static inline uint32_t fmu_rate_reference(const Program *p, int state) {
    return (uint32_t)(p->variables.vars + 1 + state);
}
static inline uint32_t fmu_indicator_reference(const Program *p) {
    return fmu_rate_reference(p, p->states.count);
}

/* Of sub-clock partition s. */
static inline uint32_t fmu_clock_reference(const Program *p, int s) {
    return fmu_indicator_reference(p) + 1 + (uint32_t)s;
}
/* The partition behind a reference, -1: none. */
static inline int fmu_clock_behind(const Program *p, uint32_t reference) {
    const uint32_t first = fmu_clock_reference(p, 0);
    return reference >= first && reference - first < (uint32_t)p->clocks.subs
               ? (int)(reference - first)
               : -1;
}

/* False: no memory. */
bool fmu_interface_open(FmuInterface *f, const Program *program, int version,
                        bool scheduled);
void fmu_interface_close(FmuInterface *f);
/* Elements that FMI 3.0 sees behind a value reference; 0: there is none. */
int  fmu_extent(const Program *p, uint32_t reference);
void fmu_name(const FmuInterface *f, const FmuVariable *v, Text *out);
/* The name behind a pattern without the subscripts of elements. */
void fmu_whole_name(const char *pattern, Text *out);
/* The start value of an element. */
double fmu_start(const Program *p, int var);
/* A String parameter that may be set before the start. */
bool        fmu_text_settable(const Program *p, int var);
const char *fmu_text(const Program *p, double number); /* of the program, by its number */
/* The text by which an archive and its program recognise each other. */
void fmu_token(const Program *p, char token[40]);
/* The name of the class as the name of a C function and of a file. */
void fmu_identifier(const Program *p, Text *out);

/* ---- depend.c ---- */
typedef struct Depends Depends;
Depends               *depends_new(const Program *p); /* NULL: no memory */
/* States and inputs that a variable depends on: states first, by ascending number. -1: that is not
 * known, or costs too much to find. The list holds until the next call. */
typedef struct Dependency {
    const int *state, *input; /* numbers of states; variables */
    int        states, inputs;
} Dependency;
bool depends_find(Depends *d, int var, Dependency *out);
void depends_free(Depends *d);

/* ---- describe.c ---- */
typedef struct FmuOptions {
    int         version; /* 2 or 3 */
    bool        model_exchange, co_simulation, scheduled;
    bool        instant, sources; /* forms of the code */
    const char *tool;             /* with its version */
    const char *runtime; /* instant: path of the shared object with the entry points */
    const char *method;  /* of Co-Simulation; NULL: chosen while running */
    int         rates;   /* its levels; 0: one, -1: as many as are found useful */
    const CodeOptions *code; /* with which external code of the model is compiled */
} FmuOptions;
/* compiled: names of sources to be compiled, each with the end of a line. False: no memory. */
bool fmu_describe(const Program *p, const FmuOptions *options, const char *compiled,
                  Text *out);

/* ---- terminals.c ---- */
/* terminalsAndIcons.xml of FMI 3.0; nothing if the model has no connectors. False: no memory. */
bool fmu_terminals(const Program *p, const FmuOptions *options, Text *out);

/* ---- archive.c ---- */
bool archives_present(void); /* this build can read and write them */
typedef struct ArchiveEntry {
    const char *name;
    const void *bytes;
    size_t      count;
} ArchiveEntry;
/* Equal entries give equal bytes. False and why. */
bool archive_write(const char *path, const ArchiveEntry *entry, int entries, Text *why);

/* ---- export.c ---- */
bool fmu_write(const Program *p, const FmuOptions *options, const char *path, Text *why);

/* ---- guest.c: a unit that somebody else made ---- */
typedef struct Guest Guest;

typedef struct GuestInfo {
    const char *model;
    int         version, states, variables;
    bool        exchange, steps, scheduled;   /* kinds that it has */
    double      start, stop, tolerance, step; /* NAN: not said */
} GuestInfo;

/* Unpacks it below a folder for temporary files, where nobody names another one: */
#define GUEST_TEMPORARY "/tmp"
/* NULL and why. */
Guest    *guest_open(const char *path, const char *temporary, Text *why);
void      guest_close(Guest *u); /* also removes what was unpacked */
GuestInfo guest_info(const Guest *u);
typedef enum { GUEST_EXCHANGE, GUEST_STEPS, GUEST_SCHEDULED } GuestMode;
/* Loads its code, which is the first that runs of it. */
bool guest_load(Guest *u, GuestMode mode, Text *why);
/* Before guest_begin: a start value, and a CSV file with the values of inputs over time. */
bool guest_give(Guest *u, const char *name, const char *value, Text *why);
bool guest_inputs(Guest *u, const char *path, Text *why);
bool guest_begin(Guest *u, double start, double stop, double tolerance, Text *why);

typedef struct GuestColumn { /* a scalar that can be recorded */
    const char *unit, *comment;
    bool        constant, whole;
} GuestColumn;
int         guest_columns(const Guest *u);
GuestColumn guest_column(const Guest *u, int column, Text *name);
Status      guest_values(Guest *u, const Selection *which, double *y);
const char *guest_words(const Guest *u); /* what it said last */

/* ---- exchange.c ---- */
/* After guest_begin of Model Exchange. NULL: no memory. */
const Model *guest_model(Guest *u);
/* ---- component.c ---- */
/* The text of a Modelica class that stands for the unit; reserved: is a word one of the language?
 * False and why. */
typedef bool GuestReserved(const void *owner, const char *word);
bool guest_class(const char *path, GuestReserved *reserved, const void *owner, Text *text,
                 Text *why);
/* ---- called.c ---- */
/* The functions after lib/Rubato/FMI by their names; NULL: it is none of them. */
void *guest_function(const char *symbol);
/* ---- scheduled.c ---- */
/* Scheduled Execution: its partitions are activated when their clocks tick. */
SimOutcome guest_run_scheduled(Guest *u, const SimOptions *options);
/* ---- stepped.c ---- */
/* Co-Simulation with steps of a fixed length. Calls point and progress as the time loop does. */
SimOutcome guest_run(Guest *u, const SimOptions *options);

#endif
