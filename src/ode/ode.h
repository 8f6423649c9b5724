/* SPDX-License-Identifier: Apache-2.0 */
/* ode.h -- one-step integrators as data, and the machine that runs them.
 *
 *   tree.c              rooted trees: order conditions of any table
 *   table_explicit.c    explicit tables          table_dirk.c   diagonally implicit ones
 *   table_rosenbrock.c  Rosenbrock tables        collocation.c  Gauss, Radau, Lobatto
 *   pool.c              methods that many integrators share
 *   eigen.c             the block-diagonal transformation of a fully implicit table
 *   interpolant.c       dense output derived from the order conditions
 *   stability.c         R(z), A- and L-stability, checked numerically
 *   method.c            names to methods, and the printed list
 *   view.c              a model, or some states of it, as a packed system of equations
 *   control.c           step-size controllers as data, norms
 *   step_explicit.c step_dirk.c step_rosenbrock.c step_firk.c   one stepper per family
 *   core.c              combinations, norms, Jacobian and factors, Newton's test
 *   confirm.c           is a stage solved, or are corrections small for another reason?
 *   defect.c            errors inside a step
 *   integrator.c        the step: attempt, judge, accept; restart
 *   steer.c             an integrator as part of a larger one: placed, cut, repeated, judged
 *   dense.c             the state anywhere inside the last step
 *   automatic.c         choice of the method while running
 *   sundials.c          CVODE, IDA and ARKODE on the same model (optional)
 *
 * Nothing is allocated between ode_new and ode_free, except inside KLU. */
#ifndef RUBATO_ODE_H
#define RUBATO_ODE_H

#include "lin/lin.h"

enum {
    METHOD_STAGES = 40, /* largest number of stages, stages for dense output included */
    METHOD_POWERS = 12, /* largest degree of a dense output in powers of theta        */
    METHOD_CORE = 8     /* largest number of coupled stages                           */
};

/* ---- method.c ------------------------------------------------------------------- */

typedef enum { METHOD_EXPLICIT, METHOD_DIRK, METHOD_ROSENBROCK, METHOD_FIRK } MethodClass;

typedef struct Table { /* one method as written down; matrices by rows              */
    const char   *name;
    const char   *source; /* author or family, year                                */
    MethodClass   kind;
    int           stages, order;
    int           embedded; /* order of the embedded result, 0 if none               */
    const double *a;        /* explicit: i entries in row i; DIRK: i + 1             */
    const double *b, *c;
    const double *bhat; /* NULL if none                                          */
    /* Rosenbrock, in the variables u = Gamma k that avoid a product with J: */
    const double *uc; /* c_ij / h, i entries in row i                          */
    const double *um; /* weights of u in the result                            */
    const double *ue; /* weights of u in the error                             */
    const double *ud; /* factors of h df/dt                                    */
    double        gamma;
} Table;

typedef struct DenseWeights { /* of the stages, at one point of the dense output        */
    double theta;
    double value[METHOD_STAGES], slope[METHOD_STAGES];
} DenseWeights;

typedef struct Method { /* a table made ready: everything a stepper needs             */
    const char *name, *source;
    MethodClass kind;
    int         stages, order;
    int         estimate; /* order of the error estimate: it behaves as h^(estimate+1) */
    bool        adaptive; /* has an estimate                                      */
    bool        stiffly_accurate; /* the result is the last stage                      */
    bool        first_explicit; /* stage 1 is f(y) at the start                        */
    bool        last_explicit;  /* stage s does not enter the others (fully implicit)   */
    bool        fsal;           /* stage s is f at the result                           */
    double      gamma;          /* diagonal of DIRK and Rosenbrock tables, else 0       */
    double     *a, *b, *c;      /* stages^2, stages, stages                             */
    double     *e;              /* b - bhat, stages; zero if none                       */
    double     *single;         /* Rosenbrock: a + Gamma, used under a lone branch; = a */
    double     *ua, *uc, *um, *ue, *ud; /* Rosenbrock: see Table; ua, uc stages^2      */
    /* dense output: y(theta) = y + sum_i sum_k dense[i powers + k] theta^(k+1) h k_i   */
    int     dense_order;       /* of the largest error over the step, 0 if none         */
    int     dense_stages;      /* stages used, extra ones included                     */
    int     powers;            /* degree                                               */
    double *dense;             /* dense_stages x powers                                */
    double *extra_a, *extra_c; /* rows (METHOD_STAGES wide) and nodes of extra stages */
    int     sweeps;            /* corrections that lift a collocation polynomial       */
    DenseWeights look;         /* where the dense output is compared with the model     */
    /* fully implicit: stages first .. first + core - 1 are coupled                    */
    int     first, core;
    int     reals, pairs; /* eigenvalues of the inverse of the core of A          */
    double  lambda[METHOD_CORE]; /* reals first, then re, im of each pair          */
    double *inverse;     /* core^2: inverse of the core of A                     */
    double *to_z, *to_w; /* core^2: T and its inverse                            */
    double *slope0;      /* stages: extrapolation of the slopes to theta = 0     */
    Arena   arena;
} Method;

/* Names of all methods in a fixed order; NULL ends. "auto" is not among them. */
const char *method_name(int index);
bool        method_known(const char *name); /* is there one of that name? */
/* Ready to run, with dense output. NULL if there is none of that name or no memory. */
Method *method_new(const char *name);
void    method_free(Method *method);

/* pool.c: methods made once for many integrators, which may be on several threads. */
typedef struct Methods Methods;
Methods               *methods_new(void); /* NULL: no memory */
void                   methods_free(Methods *pool);
/* As method_new; it belongs to the pool, or without one to the caller, until it is given back. */
const Method *methods_take(Methods *pool, const char *name);
void          methods_give(Methods *pool, const Method *method);
/* The list for people: name, class, stages, order, estimator, dense output, stability. */
void methods_print(Text *out);

extern const Table explicit_tables[], dirk_tables[], rosenbrock_tables[]; /* end: NULL */

/* ---- tree.c --------------------------------------------------------------------- */

typedef struct Trees { /* all rooted trees of 1 .. order nodes, by number of nodes    */
    int     order, count;
    int    *first;   /* by number of nodes 1 .. order + 1: first tree of that size     */
    int    *size;    /* nodes                                                         */
    double *density; /* product of the sizes of all subtrees                          */
    int    *start;   /* branches of tree t: branch[start[t] .. start[t + 1] - 1]       */
    int    *branch;
} Trees;

bool trees_new(Trees *trees, int order);
void trees_free(Trees *trees);
/* phi (count x stages): elementary weights per stage. single is used below a node with
 * one branch, many below a node with several; both are a for Runge-Kutta methods. */
void trees_weights(const Trees *trees, int stages, const double *many,
                   const double *single, double *phi);
/* Largest order whose conditions all hold within tolerance, at most trees->order. */
int tree_order(const Trees *trees, int stages, const double *many, const double *single,
               const double *b, double tolerance);

/* ---- collocation.c, eigen.c, interpolant.c, stability.c -------------------------- */

typedef enum {
    FAMILY_GAUSS,
    FAMILY_RADAU_IA,
    FAMILY_RADAU_IIA,
    FAMILY_LOBATTO_IIIA,
    FAMILY_LOBATTO_IIIB,
    FAMILY_LOBATTO_IIIC
} NodeFamily;

/* Coefficients by rows; stages <= METHOD_CORE. */
void family_table(NodeFamily family, int stages, long double *a, long double *b,
                  long double *c);
int  family_order(NodeFamily family, int stages);
/* Integrals from 0 to theta of the Lagrange polynomials over n nodes. */
void lagrange_integrals(int n, const double *node, double theta, double *value);
void lagrange_values(int n, const double *node, double theta, double *value);

/* inverse = T Lambda T^-1; false if the matrix is singular or defective. */
bool block_diagonalise(int n, const long double *a, double *inverse, double *t,
                       double *t_inverse, double *lambda, int *reals, int *pairs);

bool interpolant_build(Method *method); /* false: no memory */

typedef struct Stability {
    bool   a_stable, l_stable;
    double angle;    /* degrees of the sector around the negative axis, 0 if none */
    double interval; /* explicit: extent of the real interval                     */
    double infinity; /* |R(infinity)|, HUGE_VAL for explicit methods              */
} Stability;

void      stability_value(const Method *method, double re, double im, double *out);
Stability stability_of(const Method *method);

/* ---- view.c --------------------------------------------------------------------- */

/* A packed system: all states of a model or some of them. The steppers see only this.
 * For some states, x holds full-length values; packed values are put into it before each
 * evaluation, and boundary() may first set what the selected rows read besides. Cost of
 * an evaluation: that of the selected rows and O(n) for packing. */
typedef struct View {
    const Model *model;
    Selection    rows;   /* SELECT_ALL: packed = full                                   */
    int          n;      /* packed states                                               */
    double      *x, *dx; /* full length, only if not SELECT_ALL                         */
    bool         shared; /* x and dx belong to someone else                             */
    void (*boundary)(void *owner, double t, double *x); /* NULL: others are constant    */
    void     *owner;
    Pattern  *pattern; /* packed; own unless it is the model's                       */
    bool      own_pattern;
    int      *entry; /* packed entry -> entry of the model's pattern, NULL: the same */
    double   *value; /* room for all entries, if entry is used                       */
    Colouring colouring;
    double   *base, *moved, *step; /* packed work vectors                            */
    double   *seed, *out;          /* full-length work for tangents                  */
    long      rhs_calls, rhs_rows, jacobians;
    Fault     fault;
} View;

Status view_init(View *view, const Model *model, const Selection *rows);
void   view_free(View *view);
/* Several views of parts of one model may work on the same full-length vectors. */
void   view_share(View *view, double *x, double *dx);
Status view_eval(View *view, double t, const double *x, double *dx);
/* Values of view->pattern at (t, x); dx = f(t, x) is used by differences. */
Status view_jacobian(View *view, double t, const double *x, const double *dx,
                     const double *weight, double *value);
Status view_time_derivative(View *view, double t, const double *x, const double *dx,
                            double h, double *dt);

/* ---- control.c ------------------------------------------------------------------- */

typedef enum {
    CONTROL_DEFAULT, /* predictive for fully implicit and Rosenbrock, PI for the others */
    CONTROL_I,
    CONTROL_PI,
    CONTROL_PID,
    CONTROL_H211,
    CONTROL_H312,
    CONTROL_PREDICTIVE,
    CONTROL_COUNT
} ControlKind;

typedef struct Control {
    ControlKind kind;
    int         order;      /* of the estimate                                       */
    double      err1, err2; /* errors of the two accepted steps before, 1 at start   */
    double      h1, h2;     /* their step sizes, 0 if none                           */
    bool        rejected;   /* the attempt before this one was                       */
} Control;

void        control_reset(Control *control);
double      control_factor(const Control *control, double err, double h);
void        control_accept(Control *control, double err, double h);
const char *control_name(ControlKind kind);

/* ---- integrator.c ----------------------------------------------------------------- */

typedef enum {
    ESTIMATE_DEFAULT, /* filtered where a factorisation exists, else embedded */
    ESTIMATE_EMBEDDED,
    ESTIMATE_FILTERED,
    ESTIMATE_TWO_STEP
} EstimateKind;

typedef struct OdeOptions {  /* a zeroed OdeOptions means the defaults                 */
    const char   *method;    /* NULL: "auto"                                           */
    double        rtol;      /* 0: 1e-6                                                */
    double        atol;      /* scalar, times the model's nominal value; 0: rtol       */
    const double *atols;     /* per state of the view instead, NULL: none              */
    double        h_first;   /* 0: chosen                                              */
    double        h_max;     /* 0: no limit                                            */
    double        h_look;    /* longer steps are looked at inside as often; 0: not     */
    double        h_fixed;   /* not 0: constant steps, no error control                */
    long          max_steps; /* per call of ode_advance; 0: 10 million                */
    ControlKind   control;
    EstimateKind  estimate;
    double        kappa; /* Newton: share of the tolerance; 0: chosen                 */
    ShiftKind     linear;
    bool end_only; /* nobody asks for values inside steps: errors there do not count */
    bool exact_tolerance; /* do not transform the tolerance of high-order methods */
    Methods      *pool;   /* methods are taken from there; NULL: made anew          */
    const Method *shared; /* a method already made, used but not freed; NULL: by name */
} OdeOptions;

typedef struct OdeStatistics { /* names as in the statistics file                    */
    long   steps_accepted, steps_rejected;
    long   rhs_calls, rhs_rows, jacobians, factorizations, refactorizations, solves;
    long   newton_iterations, newton_failures, stages_implicit, method_changes;
    long   state_steps;
    long   projections; /* to invariants, by a library inside its steps */
    double fill;        /* entries of the factors of one matrix, the largest there was */
    double time_simulate; /* seconds, filled by sundials_solve */
} OdeStatistics;

typedef struct Ode Ode;

/* Starts at (t, x); x is copied. NULL with *status if that is impossible. The view must
 * outlive the result. */
Ode *ode_new(View *view, const OdeOptions *options, double t, const double *x,
             Status *status);
void ode_free(Ode *ode);
/* One accepted step of at most up to limit. On failure the state is the last good one and
 * ode_fault tells where and what. */
Status ode_step(Ode *ode, double limit);
/* Steps until t >= to; the state then is that at t, at or after to: use ode_dense. With
 * stop, the last step ends at to exactly. */
Status ode_advance(Ode *ode, double to, bool stop);
/* State anywhere inside the last step. */
Status ode_dense(Ode *ode, double t, double *x);
/* The state jumped or its equations changed: history is dropped, the step is at least h_init
 * and, as far as steps after earlier restarts allow, 0.1 h_old. x may be NULL: unchanged. */
Status ode_restart(Ode *ode, double t, const double *x);
/* A correction of the state within its error: the integration goes on from there. */
void ode_correct(Ode *ode, const double *x);
/* Takes back what was integrated after (t, x) because the caller cannot use it: the next
 * step starts there and is at most h long. */
Status ode_retreat(Ode *ode, double t, const double *x, double h);

double ode_time(const Ode *ode);      /* end of the last step            */
double ode_time_last(const Ode *ode); /* its beginning                   */
double ode_next_step(const Ode *ode); /* proposal                        */
/* A time so short that the state moves along its slope by no more than a share of its tolerance;
 * 0 if the slope is not known. */
double        ode_moment(Ode *ode);
const double *ode_slope(const Ode *ode);  /* n values, if ode_moment is not 0 */
const double *ode_state(const Ode *ode);  /* n values at ode_time            */
const double *ode_error(const Ode *ode);  /* n estimates of the last step's local error */
const char   *ode_method(const Ode *ode); /* running now                     */
const Fault  *ode_fault(const Ode *ode);
OdeStatistics ode_statistics(const Ode *ode);

/* ---- steer.c ------------------------------------------------------------------------ */

/* Starts anew at t with a step of h, 0: chosen; nothing of earlier steps has any influence. The n
 * values of the state are to be written to where the result points. */
double *ode_place(Ode *ode, double t, double h);
/* The state jumped to x, and its equations may have changed: the next step is h long. Unlike
 * ode_restart this evaluates nothing. */
void ode_jump(Ode *ode, const double *x, double h);
void ode_renew(Ode *ode); /* some equations are others now; the state goes on smoothly  */
void ode_propose(Ode *ode, double h); /* length of the next step                       */
/* Back to the beginning of the last step, for one that ends at `end` or before it. */
void ode_repeat(Ode *ode, double end);
/* The last step ends at t, inside of it, with the state x. */
void   ode_cut(Ode *ode, double t, const double *x);
Status ode_find_slope(Ode *ode); /* evaluates it, if it is not known */
/* The state at t on the line along the slope, which is known; the step goes on to there; the same
 * as a step of its own, of nearly no length, whose polynomial is constant. */
void ode_on_line(const Ode *ode, double t, double *x);
void ode_slide(Ode *ode, double t);
void ode_creep(Ode *ode, double t);
/* As ode_dense, without the sweeps of fully implicit methods. */
Status ode_plain_dense(Ode *ode, double t, double *x);
/* The same as polynomial of one state in powers of (t - ode_time_last) / ode_length; its degree,
 * which ode_curve_degree tells before: -1 if the model refuses to be evaluated for it. */
int ode_curve_degree(Ode *ode);
int ode_curve(const Ode *ode, int i, double *coefficient);
/* Marks the states (n, NULL: none) that others give inside the last step: sweeps leave them as they
 * are. True if the dense output of that step has been made already. */
bool ode_dense_known(Ode *ode, const unsigned char *known);
void ode_blame(Ode *ode, const Fault *fault); /* for what happened from outside */

/* Judges the attempt of size h instead of the norm of all errors, and may improve its result;
 * above 1 the step is repeated. What it accepts is accepted, if the slopes at the end can be
 * evaluated; where that matters it looks itself. */
typedef double OdeReview(void *owner, Ode *ode, double h);
void           ode_review(Ode *ode, OdeReview *review, void *owner);
/* Newton's iteration failed in an attempt of size h; ode_error has its last corrections. True: the
 * equations are others now (ode_renew), the attempt is to be made once more. */
typedef bool OdeRescue(void *owner, Ode *ode, double h);
void         ode_rescue(Ode *ode, OdeRescue *rescue); /* of the owner of the review */
/* Inside a review: the step fails with this status, a smaller one would not help. */
void ode_refuse(Ode *ode, Status status);
/* Inside a review: the result, n values; the polynomial of state i; what all polynomials need
 * besides the stages; state i is constant in it. */
double *ode_attempt(Ode *ode);
int     ode_attempt_curve(const Ode *ode, int i, double h, double *coefficient);
Status  ode_attempt_dense(Ode *ode, double h);
/* Does no input come and go inside it? False also where they were not looked at. */
bool ode_attempt_calm(const Ode *ode);
void ode_attempt_flat(Ode *ode, int i);
/* Slopes at the end of the attempt, n values: NULL if not known; made known; forgotten. */
double *ode_attempt_slopes(Ode *ode);
Status  ode_attempt_find_slopes(Ode *ode, double t);
void    ode_attempt_forget_slopes(Ode *ode);
/* The step is to end at t, inside the attempt: the result is the state there, slopes belong to it. If
 * the review does not accept it, the step is repeated up to t. */
void ode_attempt_end(Ode *ode, double t);
/* The error of the polynomial at a share of the attempt, as far as the model tells; n values. */
Status ode_attempt_error(Ode *ode, double h, double theta, double *error);

typedef struct OdeTolerance { /* what errors are measured with                          */
    const double *weight;     /* n: 1 / tolerance at the beginning of the step          */
    const double *absolute;   /* n: as asked for                                        */
    double        relative;   /* as asked for                                           */
    double looser; /* the running method uses so much more of both; its weights do too  */
    double relative_now; /* relative, that much looser                                  */
} OdeTolerance;

OdeTolerance  ode_tolerance(const Ode *ode);
const double *ode_state_last(const Ode *ode); /* n values at ode_time_last              */
/* Of the polynomial of the last step, 0 if there is none. A step that was cut is shorter. */
double        ode_length(const Ode *ode);
bool          ode_slope_known(const Ode *ode); /* ode_slope is that of ode_state        */
double        ode_fixed_step(const Ode *ode);  /* 0: steps are chosen                   */
const Method *ode_running(const Ode *ode);
const double              *
ode_jacobian(const Ode *ode); /* entries of the view's pattern, NULL: none */
const Shift *ode_shift(const Ode *ode);    /* factorisations, NULL: none               */
/* Number of the running method among those it is chosen from, -1 if it is not chosen. */
int  ode_candidate(const Ode *ode);
void ode_choose(Ode *ode, int candidate);

/* ---- whatever integrates -------------------------------------------------------------- */

/* What the time loop asks of an integrator: of our own (rate.h), or of a library. */
typedef struct IntegratorFunctions {
    Status (*step)(void *self, double limit); /* one step, at most up to limit          */
    Status (*dense)(void *self, double t, double *x); /* anywhere inside the last step  */
    Status (*restart)(void *self, double t, const double *x); /* after a jump           */
    /* The state at the end of the last step, changed within its error. */
    Status (*correct)(void *self, const double *x);
    /* Back to (t, x), which is inside the last step, for one of at most h. */
    Status (*retreat)(void *self, double t, const double *x, double h);
    /* Is its dense output good enough to end the last step inside? NULL: always. Otherwise the step
     * is repeated up to t; *end: how far it came. There it may go on along its slope. */
    bool (*accurate)(const void *self);
    Status (*repeat)(void *self, double t, double *end);
    void (*slide)(void *self, double t);
    double (*time)(const void *self); /* end of the last step                           */
    const double *(*state)(const void *self);
    /* Slope there, and a time within which the state is on the line along it, see ode_moment;
     * NULL: not known. */
    const double *(*slope)(void *self, double *moment);
    /* How far from invariants the state may drift before it is corrected, in tolerances. */
    double (*drift)(const void *self);
    const Fault *(*fault)(const void *self);
    OdeStatistics (*statistics)(const void *self);
    void (*free)(void *self);
} IntegratorFunctions;

typedef struct Integrator {
    const IntegratorFunctions *fn; /* NULL: there is nothing to integrate               */
    void                      *self;
} Integrator;

/* ---- sundials.c -------------------------------------------------------------------- */

typedef enum {
    PEER_CVODE,
    PEER_CVODE_ADAMS,
    PEER_IDA,
    PEER_ARKODE,
    PEER_ARKODE_EXPLICIT
} SundialsKind;

bool sundials_present(void);
/* One of them at work, from (t, x); order: ARKODE only, 0: default. The view must outlive it. */
Status sundials_new(Integrator *out, SundialsKind kind, View *view,
                    const OdeOptions *options, int order, double t, const double *x);
/* Integrates from (t, x) to stop; x is overwritten. order: ARKODE only, 0: default. */
Status sundials_solve(SundialsKind kind, View *view, const OdeOptions *options, int order,
                      double t, double stop, double *x, OdeStatistics *statistics);

#endif
