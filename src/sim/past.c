/* SPDX-License-Identifier: Apache-2.0 */
/* past.c -- the step just taken, for a model that looks back.
 *
 * What is delayed or transported may move much faster than any state. The model keeps it at points
 * and takes polynomials of degree five between them; it tells how far a point is from what those
 * before it foretell, which for n points is an error of order n in the length of the pieces. With six
 * points that is 205 times the error between them (720 against 3.5), and it is kept at fifty
 * tolerances: pieces of the step become shorter or longer as the steps of an integrator do.
 *
 * After an event the points begin anew. The first piece, which nothing foretells, is a thousandth of the usual
 * one, or of the step where that is shorter, and the order grows with the points as in a multistep method. If a shorter piece has no smaller error, the
 * value has noise or jumps without an event; its error is then accepted, and expected for a while.
 * Cost: an evaluation of the model for each point.
 *
 * A step longer than a delay, or than the way through a distribution, sees a part of itself: a
 * polynomial through the value now and points before the step. Its error is no error of the
 * integrator, which takes what it sees for the right-hand side. It is compared with what is known after
 * the step; a step for which it is above the tolerance is repeated shorter, and the next ones are as
 * long as it allows. A step shorter than the delay sees nothing of itself. */
#include <float.h>
#include <math.h>

#include "sim/run.h"

static const double FORETOLD = 50.0; /* tolerances that a point may be off ... */
static const double LEAST = 1e-11;   /* ... at least */
static const double FIRST_PIECE =
    1e-3;                         /* of the usual one, or of the step, after an event */
static const double NOISY = 0.7;  /* of the error of a piece at least twice as long */
static const double FADING = 0.8; /* of expected noise, for each point */
enum { POINTS = 6, UNKNOWN_PARTS = 64 };

/* The piece after one of length h with this point at its end. */
static double next_piece(double h, const PastPoint *point, double tolerance,
                         double most) {
    const double ratio = tolerance / fmax(point->error, 1e-300);
    const double factor = 0.8 * pow(ratio, 1.0 / fmax(point->order, 2));
    return h * fmin(fmax(factor, 0.1), most);
}

static Status give(Simulation *run, PastPoint *point, Fault *fault) {
    const Model *model = run->model;
    const bool   end = point->t == run->t;
    if (!end) {
        const Status status = stepper_dense(&run->stepper, point->t, run->inside);
        if (status != STATUS_OK) {
            *fault = *stepper_fault(&run->stepper);
            return status;
        }
    }
    point->x = end ? run->x : run->inside;
    fault->time = point->t;
    return model->fn->accept(model->instance, point, fault);
}

/* The next piece after a point that was kept; one that the end of the step cut says less. */
static void adapt(Simulation *run, const PastPoint *point, double h, double tolerance) {
    const bool   cut = point->t == run->t;
    const double most = point->order < POINTS ? 4.0 : 2.0;
    const double next = point->order < 2 ? h : next_piece(h, point, tolerance, most);
    run->piece = cut ? fmax(run->piece, next) : next;
    run->noise *= FADING;
    if (point->order >= POINTS) run->usual = run->piece;
}

/* A point at the end of the piece [t, point->t]: kept, or the piece is made shorter. *refused is
 * the error of the last piece that was not kept from here. */
static Status offer(Simulation *run, PastPoint *point, double t, double tolerance,
                    double *refused, bool *kept) {
    const double h = point->t - t;
    Fault        fault = fault_none();
    Status       status = give(run, point, &fault);
    *kept = !(point->error > point->most);
    if (status == STATUS_OK && !*kept && point->error > NOISY * *refused) {
        run->noise = 2 * point->error;
        point->most = HUGE_VAL;
        status = give(run, point, &fault);
        *kept = true;
    }
    if (status != STATUS_OK) return run_fault(run, status, &fault);
    *refused = *kept ? HUGE_VAL : point->error;
    if (*kept) adapt(run, point, h, fmax(tolerance, run->noise));
    if (*kept) run->looks.error = fmax(run->looks.error, point->looked);
    else run->piece = next_piece(h, point, tolerance, 0.5);
    return STATUS_OK;
}

/* Of a piece from t on, of length h or a little longer; the last two in a step are equal. */
static double end_of_piece(double t, double h, double end) {
    if (end - t < 1.1 * h) return end;
    return end - t < 2 * h ? t + 0.5 * (end - t) : t + h;
}

/* How long the next step may be after one that saw so much of itself; STATUS_RETRY: it saw too much. A
 * length that was too much is tried again only after many steps. */
static Status judge_looks(Simulation *run, double tolerance) {
    enum { ORDER = 5 };                /* points of the polynomial */
    static const double FORGET = 1.01; /* of that length, for each step */
    Looks              *l = &run->looks;
    const double        h = run->t - run->last, least = run->model->step_most;
    const double        ratio = tolerance / fmax(l->error, 1e-300);
    const double        factor = fmin(fmax(0.8 * pow(ratio, 1.0 / ORDER), 0.1), 2.0);
    if (run->options->ode.h_fixed > 0) return STATUS_OK;
    if (l->error > tolerance && h > 1.01 * least) {
        l->refused = h;
        l->reach = fmax(least, factor * h);
        run->share = fmin(l->reach / h, 0.5);
        return STATUS_RETRY;
    }
    if (!(l->error > 0) && !(l->refused > 0) && !(least > 0)) return STATUS_OK;
    l->reach = factor * fmax(h, factor < 1 ? 0 : 0.5 * l->reach);
    l->refused *= FORGET;
    if (l->refused > 0) l->reach = fmin(l->reach, 0.9 * l->refused);
    l->reach = fmax(l->reach, least);
    return STATUS_OK;
}

Status run_past(Simulation *run) {
    const double rtol = run->options->ode.rtol > 0 ? run->options->ode.rtol : 1e-6;
    const double tolerance = fmax(FORETOLD * rtol, LEAST);
    const double finest = 64 * DBL_EPSILON * fmax(fabs(run->last), fabs(run->t));
    double       t = run->last, refused = HUGE_VAL;
    Status       status = STATUS_OK;
    if (!run->model->fn->accept) return STATUS_OK;
    if (!(run->usual > 0)) run->usual = (run->t - t) / UNKNOWN_PARTS;
    if (!(run->piece > 0)) run->piece = FIRST_PIECE * fmin(run->usual, run->t - t);
    run->looks.error = 0;
    while (t < run->t && status == STATUS_OK) {
        const double h = fmax(run->piece, finest);
        bool         kept = false;
        PastPoint    point = {.begin = run->last,
                              .t = end_of_piece(t, h, run->t),
                              .most = h > finest ? fmax(tolerance, run->noise) : HUGE_VAL};
        status = offer(run, &point, t, tolerance, &refused, &kept);
        if (kept) t = point.t;
    }
    return status == STATUS_OK ? judge_looks(run, fmax(rtol, LEAST)) : status;
}

double past_limit(const Simulation *run, double limit) {
    const double most = fmax(run->looks.reach, run->model->step_most);
    const bool   any = !run->model->fn->accept || run->options->ode.h_fixed > 0;
    return any || !(most > 0) ? limit : fmin(limit, run->t + most);
}
