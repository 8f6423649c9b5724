/* SPDX-License-Identifier: Apache-2.0 */
/* lied.h -- families of equal systems while they run.
 *
 *   batch.c    states of all instances, derivatives, explicit steps of fixed length
 *   network.c  parts that triplets join: who is connected with whom, in which order they are computed
 *   sweep.c    their derivatives: signals to the leaves, laws to the root, efforts to the leaves
 *   team.c     threads that share the work of a sweep
 *   steps.c    explicit steps of fixed length of a network
 *   host.c     parts without kernels: their ordinary code answers
 *   cut.c      efforts at triplets that close a loop
 *   mechanisms.c  which states can act on each other
 *
 * An instance is a number: it has no object, no name and no values but its states and the parameters
 * in which it differs. State k of instance i is x[(i/LANES*states + k)*LANES + i%LANES]. */
#ifndef RUBATO_LIED_H
#define RUBATO_LIED_H

#include "code/code.h"
#include "ode/ode.h"

/* Derivatives of n instances; not 0: angles are too wide for it. */
typedef int BatchCode(long n, double time, const double *v, const double *q,
                      const double *x, double *dx);

/* to = x + h sum a[j] k_j, of n vectors of LANES. */
typedef void CombineCode(int n, int stages, const double *a, double h, const double *k,
                         const double *x, double *to);

typedef struct Batch {
    int64_t       count;  /* instances of the family */
    int64_t       first;  /* the first one that is here */
    int64_t       chunks; /* that are here */
    int           states, knowns;
    BatchCode    *fast, *exact;
    CombineCode  *combine;
    const double *v; /* values of one instance, by variable: parameters that are equal */
    double *x;     /* chunks * states * LANES, at the beginning of a line of the cache */
    double *block; /* x lies in it; NULL: x belongs to somebody else */
    double *q;     /* chunks * knowns * LANES: parameters that differ */
} Batch;

typedef struct BatchFault { /* the first instance that has no value */
    int64_t instance;       /* -1: none */
    double  time;
} BatchFault;

/* Part number `part` of `parts` is here, one chunk or more of LANES. False: no memory. */
bool batch_open(Batch *batch, const BatchInfo *info, const double *v, int part,
                int parts);
bool batch_has(const Batch *batch, int64_t instance);
/* The part that has an instance. */
int  batch_owner(const Batch *batch, int64_t instance, int parts);
void batch_close(Batch *batch);
/* All instances get these values: states then known parameters. */
void batch_fill(Batch *batch, const double *x, const double *q);
/* States and differing parameters of one instance. */
void batch_put(Batch *batch, int64_t instance, const double *x, const double *q);
void batch_get(const Batch *batch, int64_t instance, double *x, double *q);
/* dx at x, both in the layout of batch->x. */
void batch_rates(const Batch *batch, double time, const double *x, double *dx,
                 int threads);
/* The states lie in this vector from now on. */
void   batch_lend(Batch *batch, double *x);
size_t batch_size(const Batch *batch); /* numbers in x */
/* steps of length h from time on by an explicit method. Chunk by chunk all of them, so that states
 * are read and written once. STATUS_NO_MEMORY, STATUS_NOT_FINITE and the fault. */
Status batch_advance(Batch *batch, const Method *method, double time, double h,
                     long steps, int threads, BatchFault *fault);
/* ---- team.c ---- */

/* Share number `share` of a piece of work; what all of them give is summed. */
typedef int         TeamWork(void *context, int share, int shares);
typedef struct Team Team;

Team *team_open(int threads); /* NULL: one thread, or no memory for more */
int   team_run(Team *team, TeamWork *work, void *context);
void  team_close(Team *team);

/* ---- network.c ---- */

/* Values of n instances of a part: those in at[], or first + k*step. S: distance between two values
 * of an instance, u: what is taken of v. Not 0: angles are too wide for it. */
typedef int PartCode(long n, long first, long step, const int *at, const int *u, long S,
                     double time, const double *v, const double *q, const double *x,
                     double *o, double *dx);

typedef struct PartKernel { /* for usual angles, and for all */
    PartCode  *fast, *exact;
    const int *u;
} PartKernel;

/* Instances of a part. Value k of instance i is [k*count + i] in each of these. */
typedef struct NetPart {
    long       count;
    int        states, knowns, results;
    long       x0; /* its states begin there in the vector of all */
    double    *q;  /* knowns: parameters that differ, and what neighbours give */
    double    *o;  /* results */
    PartKernel rate;
    const int *host; /* by result: see Network.host; NULL: there are kernels */
} NetPart;

typedef struct PortEnds { /* of a port with input signals: by instance */
    uint32_t *instance;   /* of the neighbour towards the root */
    uint16_t *port;       /* and its port */
} PortEnds;

typedef struct Sweep { /* instances of one kernel that are computed together */
    int  kernel;       /* group or section */
    int  level;        /* of its first instance */
    int  list;         /* first in Net.list; -1: first + k*step */
    long first, step, count;
    bool chain; /* each needs the one before */
} Sweep;

typedef struct Sweeps {
    Sweep *item;
    int    count, room;
    int    levels;
} Sweeps;

typedef struct
    Cut { /* of an instance: a port whose effort and answer are unknowns, or the forces of a tie */
    int  port; /* -1: tie */
    int  tie;
    long instance;
    int  system, place; /* of its first unknown */
} Cut;

typedef struct Cuts {
    Cut    *item;
    int     count;
    int     systems;
    int    *first;                       /* by system: where its unknowns begin */
    int     most;                        /* unknowns of the largest */
    int     all;                         /* unknowns */
    double *u, *base, *missing, *matrix; /* all, all, all, sum of squares */
    int    *pivot;
} Cuts;

typedef struct Net { /* parts that triplets join */
    const Batches *all;
    const Network *net;
    double        *v;    /* values of one instance, by variable: what is equal */
    NetPart       *part; /* by family; count 0: not a part */
    PortEnds      *ends; /* by port */
    PartKernel    *go, *law, *miss; /* by group, by section, by tie */
    int   *feed, *feed_at; /* ports that give signals to group g: feed[feed_at[g] ...) */
    Sweeps down;           /* explicit values, in order */
    Sweeps deep;           /* sections, from the root to the leaves */
    int   *list;
    int    lists, list_room;
    Cuts   cuts;
    Team  *team; /* NULL: one thread */
    long   states;
    /* Ordinary code brings some variables up to date at (t, x), for what is known among v now; not 0: it has
     * failed. dx: instead the derivatives of the states of parts without kernels. */
    int (*evaluate)(void *owner, double t, const double *x, int *var, int n, double *dx);
    void   *owner;
    bool    hosts;  /* there are parts without kernels ... */
    double *unit;   /* ... by section: the effort that shows their laws */
    bool    sloped; /* ... how laws change with efforts is known at this point */
    int    *want;   /* room for variables */
} Net;

typedef enum { NET_OK, NET_NO_MEMORY, NET_CIRCLE } NetStatus;

/* Code is found by find(owner, name). circle: a family in a circle of signals. */
NetStatus net_open(Net *net, const Batches *all, double *v, int threads,
                   void *(*find)(const void *owner, const char *name), const void *owner,
                   int *circle);
void      net_close(Net *net);
size_t    net_bytes(const Net *net);
void      net_put(Net *net, int family, long instance, double *all, const double *x,
                  const double *q);
void      net_get(const Net *net, int family, long instance, const double *all, double *x,
                  double *q);

/* ---- sweep.c ---- */
/* dx at (t, x): vectors of all parts, family by family. What neighbours give is among the knowns then.
 * False: a linear system is singular, or ordinary code has failed. */
bool net_rates(Net *net, double t, const double *x, double *dx);
/* Nothing has answered yet. */
void net_clear(const Net *net);
/* Laws to the root, then efforts to the leaves. False: ordinary code has failed. */
bool net_implicit(Net *net, double t, const double *x);
/* What is missing in the equations of ties; needs efforts. False: ordinary code has failed. */
bool net_missing(Net *net, double t, const double *x);

typedef struct FlowMismatch { /* flows of a node do not add up to 0 */
    int    in, out;           /* ports; in: one that takes some, -1 none does */
    long   in_at, out_at;     /* instances */
    double taken, given;
} FlowMismatch;

/* Do flows that are states agree with those of the neighbours? Needs: rates at this point. False: here
 * they do not, or there is no memory. */
bool net_flows_agree(const Net *net, FlowMismatch *found);

/* ---- mechanisms.c ---- */

typedef struct Mechanisms { /* by state of a network */
    int *first;             /* the first state of its mechanism */
    int *next;              /* the next one, -1: none */
    int *size;              /* of the first: how many there are */
} Mechanisms;

bool net_mechanisms(const Net *net, Mechanisms *mechanisms); /* false: no memory */
void mechanisms_free(Mechanisms *mechanisms);

/* ---- steps.c ---- */
/* As batch_advance, for the states x of a network; work: net_room numbers. */
Status net_advance(Net *net, const Method *method, double t, double h, long steps,
                   double *x, double *work);
size_t net_room(const Net *net, const Method *method);

/* ---- host.c ---- */
/* What the neighbours give to the first instance of each part, to where the ordinary code reads it. */
void net_known(const Net *net);
/* Signals of all parts without kernels on the level of a sweep, or laws: false: it has failed. b: its
 * number; those after it, or before it, on the same level are done as well. */
bool host_go(Net *net, int b, double t, const double *x);
bool host_law(Net *net, int b, double t, const double *x);
bool host_missing(Net *net, const NetTie *tie, double t, const double *x);
bool host_rates(Net *net, double t, const double *x, double *dx);

/* ---- sweep.c, for host.c ---- */
/* Values of the neighbours towards the root become known: signals or efforts. */
void net_pull(const Net *net, int port, bool efforts, const Sweep *sweep);
void net_push(const Net *net, int port, const Sweep *sweep);

/* ---- cut.c ---- */
bool cuts_open(Net *net); /* false: no memory */
bool cuts_solve(Net *net, double t, const double *x);
void cuts_close(Cuts *cuts);

/* Evaluations of a step. */
int    batch_stages(const Method *method);
size_t batch_bytes(const Batch *batch);

#endif
