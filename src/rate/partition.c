/* SPDX-License-Identifier: Apache-2.0 */
/* partition.c -- natural steps per state, the choice of the large step and the fast set.
 *
 * Every accepted step tells, state by state, how large a step would have been just good
 * enough: h (1/2 / e)^(1/(q+1)) for a weighted error e and an estimate of order q. Its
 * logarithm is remembered per state. A histogram of these natural steps, in half octaves,
 * gives for every candidate H the states that would be fast and the step h_f their norm
 * allows, so the cost per unit of time is known before it is paid:
 *
 *   cost(all) / H + (cost(fast) + arrivals H) / h_f     against     cost(all) / h_single
 *
 * in the unit of work.c for the first level, below it in states with an overhead for each step. Where
 * events are treated by cone, costs are in states on all levels, and each event costs some steps of its cluster: of
 * the states it concerns if a level is left for them, else of the fast set, and without a fast set of what grows
 * together in a step.
 *
 * Costs are counted, not timed, so that runs repeat exactly. The arrival term charges states that join
 * during a large step, as at a moving front. A promise is measured by what came of earlier ones: small steps
 * may take more work than expected, single rate fewer steps. And there is a limit to what may be lost:
 * when the work beyond that of single rate exceeds a share of all work, there is one rate until it does not.
 *
 * The choice is made after every large step; in single-rate phases only now and then, with growing pauses
 * while nothing is to be gained, and when the step shrinks. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "rate/group.h"

enum {
    BINS = 80,
    PROVEN = 4, /* large steps with a fast set after which its changes are known       */
    MANY =
        8, /* states of which one at rest is worth evaluating a list of rows          */
    SOON = 1, /* steps until a promise of gain is looked at again                      */
    MIXED = 4 /* reviews without gain until a model is taken for one of a single rate */
};

#define OVERHEAD 8.0 /* cost of a step besides its states, in states */
/* Several rates must promise to be cheaper than this times single rate to begin. Above 0.75 attempts that lose come
 * first, and a heating system that gains a factor of 17 is not tried again after them. */
#define ENTER  0.75
#define STAY   0.9  /* and than this to go on */
#define LOSS   0.02 /* share of the work so far that several rates may lose */
#define SHRUNK 0.5  /* a step that falls to this share of its size is reviewed */
#define FORCED 20.0 /* if a number of rates is asked for, a fast set may cost as much */
#define FADE   0.98 /* what was once too costly may be tried again */
#define LOCAL  0.75 /* events are left to a deeper level if that is cheaper by this */

int partition_levels(const Model *m, const RateOptions *o) {
    if (o->rates > 0) return o->rates < RATE_LEVELS ? o->rates : RATE_LEVELS;
    return o->partition || model_divides(&m->effort, m->nx) ? 3 : 1;
}

bool partition_allowed(const RateGroup *g) {
    return g->level + 1 < g->rate->levels && g->n > 1 && !g->events.tied &&
           !g->events.flat;
}

float partition_stable(const RateGroup *g, int state) {
    const double a = -group_diagonal(g, state);
    return a > 0.0 ? fminf((float)log2(1.0 / a), ANY) : ANY;
}

/* The largest step a state may take part in: as its accuracy asks for, and with an explicit method
 * where its own decay is stable, however smooth it is. */
static inline float tempo(const RateGroup *g, int i) {
    const bool bound = ode_running(g->ode)->kind == METHOD_EXPLICIT;
    return bound ? fminf(g->part.natural[i], g->part.stable[i]) : g->part.natural[i];
}

void partition_note(RateGroup *g, double h, double horizon) {
    float      *natural = g->part.natural;
    const float lh = (float)log2(h),
                k = 1.0f / (float)(ode_running(g->ode)->estimate + 1);
    const float share = horizon > 0.0 ? (float)fmin(1.0, h / (0.15 * horizon)) : 1.0f;
    for (int i = 0; i < g->n; i++) {
        if (g->part.fast[i]) continue;
        float raw = lh + (-1.0f - g->part.size[i]) * k;
        raw = fmaxf(lh - 6.0f, fminf(lh + 11.0f, raw));
        float      *v = &natural[i];
        const float up = fmaxf(share * (raw - *v), fminf(raw - *v, 0.5f));
        *v = raw < *v ? raw : *v + up;
    }
}

typedef struct Bins {
    double base; /* log2 of the lower end of bin 0 */
    double count[BINS], cost[BINS];
    double need[BINS]; /* of down^b for each, b being the bin its accuracy asks for    */
    double total;      /* of cost                                           */
    double sum;        /* of count, weighted by down^bin                     */
} Bins;

static inline int bin(float above) {
    const int k = (int)(2.0f * above);
    return k < BINS - 1 ? k : BINS - 1;
}

static void fill(const RateGroup *g, Bins *b, double down) {
    const float *weight = g->rate->weight;
    float        least = HUGE_VALF;
    double       power[BINS];
    memset(b, 0, sizeof *b);
    for (int i = 0; i < g->n; i++) least = fminf(least, tempo(g, i));
    b->base = least;
    power[0] = 1.0;
    for (int k = 1; k < BINS; k++) power[k] = power[k - 1] * down;
    for (int i = 0; i < g->n; i++) {
        const int k = bin(tempo(g, i) - least);
        b->count[k] += 1.0;
        b->need[k] += power[bin(g->part.natural[i] - least)];
        b->cost[k] += weight[g->state[i]];
    }
    for (int k = 0; k < BINS; k++) {
        b->total += b->cost[k];
        b->sum += b->count[k] * power[k];
    }
}

/* log2 of the step that makes the RMS over m states one, given the sum of
 * 2^(-2 (q+1) (natural - base)). */
static double allowed(const Bins *b, int q, double m, double sum) {
    return b->base + 0.25 + log2(4.0 * m / sum) / (2.0 * (q + 1));
}

bool partition_many(const RateGroup *g, int rows) {
    return rows > 0 && MANY * rows >= g->n;
}

/* A fast state that no slow row reads can rest as well: the large step does not need its values.
 * Only where they are many: a change of those at rest costs a Jacobian. */
static void rest_inside(RateGroup *g) {
    const Pattern *p = g->view.pattern;
    int            rests = 0;
    if (g->rate->events && !g->rate->cones) return; /* find.c goes along their slopes */
    if (g->parent || !partition_many(g, g->part.fasts)) return;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < g->n; j++) {
            bool inside = g->part.fast[j] != 0;
            for (int e = p->start[j]; e < p->start[j + 1] && inside; e++)
                inside = g->part.fast[p->row[e]] != 0;
            rests += inside && pass == 0;
            if (inside && pass == 1 && partition_many(g, rests)) g->part.fast[j] = 2;
        }
}

static void mark(RateGroup *g, float lh) {
    g->part.fasts = 0;
    for (int i = 0; i < g->n; i++) {
        const float v = tempo(g, i);
        const float least = lh + (g->part.fast[i] ? 1.0f : 0.0f); /* leaving takes more */
        g->part.fast[i] = v < lh - 3.0f ? 2 : v < least ? 1 : 0;
        g->part.fasts += g->part.fast[i] != 0;
    }
    rest_inside(g);
}

static void clear(RateGroup *g) {
    memset(g->part.fast, 0, (size_t)g->n);
    g->part.fasts = 0;
    g->part.refining = false;
}

/* What clusters knew of stiff states: the error of an explicit step that is far beyond their stability may be small
 * nevertheless, where they rest, but its polynomial is not good. */
void partition_restart(RateGroup *g) {
    Ode  *o = g->ode;
    float least = ANY;
    if (ode_running(o)->kind != METHOD_EXPLICIT || ode_fixed_step(o) > 0.0) return;
    for (int i = 0; i < g->n; i++) least = fminf(least, g->part.stable[i]);
    ode_propose(o, fmin(ode_next_step(o), 2.0 * exp2((double)least)));
}

void partition_forget(RateGroup *g) {
    clear(g);
    group_rest(g);
    g->part.until_review = 2;
    g->part.reviewed = 0.0;
    g->part.idle_reviews = 0;
    g->part.noted_time = NAN;
}

/* While there is no fast set, the states that would join one are counted from review to review: along
 * a delay line there are too many for it to pay. The set that was considered last must be known. */
static int faster(const RateGroup *g, float lh) {
    int count = 0;
    for (int i = 0; i < g->n; i++) count += tempo(g, i) < lh;
    return count;
}
static void note(RateGroup *g, float lh) {
    g->part.noted_step = lh;
    g->part.noted_time = ode_time(g->ode);
    g->part.noted = faster(g, lh);
}
static void count_arrivals(RateGroup *g) {
    const int    more = faster(g, g->part.noted_step) - g->part.noted;
    const double time = ode_time(g->ode) - g->part.noted_time;
    g->part.join_rate = more > 0 && time > 0.0 ? more / time : 0.0;
    g->part.join_span = time;
}

/* ---- events by cone ---------------------------------------------------------------------- */

typedef struct
    Pace { /* of the events of a group that hands them to the deepest level           */
    double rate; /* events per time                                                     */
    double
        states; /* that one of them concerns, those that join because of it included    */
    double all; /* states that any of them may concern                                 */
    double
        weight; /* cost of a state                                                     */
    double
        total; /* cost of the group                                                   */
} Pace;

static Pace pace_of(const RateGroup *g) {
    const Rate *r = g->rate;
    Pace        p = {.all = g->events.switching};
    if (g->events.crossings > 0)
        p.rate = r->event_rate * g->events.crossings / r->root->events.crossings;
    p.states = fmin(fmax(g->events.concerned, g->events.changed + r->spread), p.all);
    for (int i = 0; i < g->n; i++) p.total += r->weight[g->state[i]];
    p.weight = p.total / g->n;
    return p;
}

static double event_cost(const Pace *p, double states) {
    return p->rate * EVENT_STEPS * (OVERHEAD + p->weight * states);
}

/* Cost per time with steps h of the group. An event costs k steps of its cluster. In h they concern
 * A = e c h states of S: where these are few the clusters are apart, where they are many they grow
 * together.   (o + C) / h + e k (o + w (c + A^2 / S)) */
static double pace_events(const Pace *p, double h) {
    const double a = fmin(p->rate * p->states * h, p->all);
    return event_cost(p, a > 0.0 ? fmin(p->states + a * a / p->all, p->all) : 0.0);
}
static double pace_cost(const Pace *p, double h) {
    return (OVERHEAD + p->total) / h + pace_events(p, h);
}

/* The step at which that is least, if it is worth having:
 *   h = ((o + C) S / (2 k w c^2))^(1/3) / e */
static double pace_step(const Pace *p, double most) {
    const double c = p->states, k = EVENT_STEPS;
    const double h =
        cbrt((OVERHEAD + p->total) * p->all / (2.0 * k * p->weight * c * c)) /
        fmax(p->rate, DBL_MIN);
    if (!(h < most)) return most;
    return pace_cost(p, h) < STAY * pace_cost(p, most) ? h : most;
}

/* ---- costs --------------------------------------------------------------------------- */

/* Of the first level in the unit of work.c, where steps of all states are compared with those of a part.
 * Below it parts are compared with parts, and where events are found by cone single rate would stop at each of
 * them: there states are counted. */
static bool counts_states(const RateGroup *g) {
    return g->parent || g->rate->cones;
}

typedef struct
    Prices {       /* of steps of a group                                           */
    double single; /* of all states, as single rate takes them                          */
    double large;  /* of all states, as a large step                                    */
    double lead; /* single rate's steps are longer than those of its inner method      */
    double excess; /* small steps cost so much of what is expected of them ...          */
    double pace;   /* ... and steps of single rate are as many                          */
} Prices;

static Prices prices_of(const RateGroup *g, double total) {
    const Rate   *r = g->rate;
    const Ledger *l = &r->ledger;
    if (counts_states(g))
        return (Prices){OVERHEAD + total, OVERHEAD + total, 1.0, 1.0, 1.0};
    const double known = l->single > 0.0 ? l->single : 1.0;
    return (Prices){known, l->large > 0.0 ? l->large : known,
                    l->lead > 0.0 ? l->lead : 1.0, l->excess > 0.0 ? l->excess : 1.0,
                    l->pace > 0.0 ? l->pace : 1.0};
}

/* Work per time of the states that are fast at a step h, if these are `count`, cost `cost` and take
 * `steps` per time. States that join are part of the set for a part of the large step, and each makes
 * a new selection. */
static double fast_work(const RateGroup *g, double count, double cost, double h,
                        double steps) {
    const Rate *r = g->rate;
    if (counts_states(g))
        return (OVERHEAD + 2.0 * cost + 4.0 * g->part.join_rate * h) * steps;
    const Method *m = r->method[1];
    const double  states = fmin(count + 2.0 * g->part.join_rate * h, g->n);
    return work_run() / h + work_part(r, m, states) * steps +
           g->part.join_rate * work_build((int)states);
}

/* Several rates may lose this part of the work so far, before a single one is used until that has
 * become less. */
static bool in_debt(const RateGroup *g) {
    const Ledger *l = &g->rate->ledger;
    return g->rate->options.rates == 0 && !g->parent && l->saved < -LOSS * l->spent;
}

typedef struct
    StepOffer {  /* the cheapest large step                                        */
    double step; /* log2                                                                */
    double work; /* per time, HUGE_VAL: there is none                                   */
    double below; /* of that, of the small steps                                        */
} StepOffer;

/* Among steps above 2^low, which single rate could take, and of at most 2^high. behind: natural steps over those that the inner method will take. */
static StepOffer cheapest(const RateGroup *g, const Bins *b, const Prices *price,
                          double behind, double low, double high) {
    const int  q = ode_running(g->ode)->estimate;
    const Pace pace = pace_of(g);
    const bool deep = g->level + 2 < g->rate->levels; /* events are below the fast set */
    StepOffer  best = {0.0, HUGE_VAL, 0.0};
    double     sum = 0.0, count = 0.0, cost = 0.0;
    for (int k = 1; k < BINS && partition_allowed(g); k++) {
        const double lh = fmin(b->base + 0.5 * k, high);
        sum += b->need[k - 1];
        count += b->count[k - 1];
        cost += b->cost[k - 1];
        if (count >= g->n || cost > 0.5 * b->total) break;
        /* in between it is worse */
        if (lh > low && (b->count[k] > 0.0 || b->base + 0.5 * k >= high)) {
            const double fast = exp2(fmin(allowed(b, q, count, sum), lh)), h = exp2(lh);
            const double each = deep ? pace.states : fmin(2.0 * count, pace.all);
            const double small = fast_work(g, count, cost, h, behind / fast);
            const double work = price->large / h + small + event_cost(&pace, each);
            if (work < best.work) best = (StepOffer){lh, work, small};
        }
        if (b->base + 0.5 * k >= high) break;
    }
    return best;
}

/* What is expected of the next steps of the first level, for the ledger. Without a fast set experience grows
 * old: that states joined in quick succession when levels were given up says little of later. Where the
 * choice is not automatic no balance would take a hope back that fails. */
static void expect(RateGroup *g, const StepOffer *offer, double single) {
    Ledger *l = &g->rate->ledger;
    l->small = g->part.refining ? offer->below : 0.0;
    l->steps = g->part.refining ? 1.0 / single : 0.0;
    if (!g->part.refining && l->excess > 1.0) l->excess = pow(l->excess, FADE);
    if (!g->part.refining && l->pace > 0.0) l->pace = pow(l->pace, FADE);
    if (!g->part.refining && l->refined > 0.0 && g->rate->options.rates == 0)
        g->part.join_rate = 0.5 * (g->part.join_rate + l->joins / l->refined);
}

/* Chooses the fast set and returns the step that goes with it, at most `most` and, if `high` is not 0,
 * at most that for a large step. */
static double choose(RateGroup *g, double longest, double most) {
    Bins         b;
    const int    q = ode_running(g->ode)->estimate;
    const bool   chosen = g->rate->options.rates == 0, was = g->part.refining;
    const double gain = chosen ? (was ? STAY : ENTER) : g->level == 0 ? FORCED : 1.0;
    fill(g, &b, exp2(-(q + 1)));
    const double top = log2(most);
    const Prices price = prices_of(g, b.total);
    /* natural steps are those of the inner method where there was a fast set */
    const double ahead = was ? log2(price.lead) : 0.0, behind = price.lead * exp2(-ahead);
    const double single = fmin(allowed(&b, q, g->n, b.sum) + ahead, top);
    const Pace   pace = pace_of(g);
    const double alone =
        price.single * price.pace / exp2(single) + pace_events(&pace, exp2(single));
    const double high = longest > 0.0 ? fmin(log2(fmax(longest, DBL_MIN)), top) : top;
    const bool   asked = !g->parent && !was && g->part.refined < PROVEN && chosen;
    const bool   known = !asked || isfinite(g->part.noted_time);
    if (asked && isfinite(g->part.noted_time)) count_arrivals(g);
    const StepOffer offer = cheapest(g, &b, &price, behind, single, high);
    const double    real =
        offer.work + (price.excess - 1.0) * offer.below; /* by experience */
    const bool worth = real < gain * alone && !in_debt(g);
    if (asked && worth && !known) g->part.until_review = SOON;
    g->part.noted_time = NAN;
    if (asked && isfinite(offer.work) && !(worth && known)) note(g, (float)offer.step);
    g->part.refining = false;
    if (worth && known) {
        mark(g, (float)offer.step);
        /* a step with a larger set would be refused, see refine.c */
        g->part.refining = g->part.fasts > 0 && g->part.fasts < g->n &&
                           (g->n <= 8 || 2 * g->part.fasts <= g->n);
    }
    if (!g->part.refining) clear(g);
    if (!g->parent) expect(g, &offer, exp2(single));
    group_rest(g);
    return exp2(g->part.refining ? offer.step : single);
}

/* ---- the choice of steps for events ------------------------------------------------------- */

/* Does the group hand its events to the deepest level? */
static bool hands_down(const RateGroup *g) {
    return g->rate->cones && g->level + 2 == g->rate->levels && g->events.crossings > 0 &&
           partition_allowed(g);
}

static double events_step(const RateGroup *g, double most) {
    if (!hands_down(g)) return most;
    const Pace p = pace_of(g);
    return pace_step(&p, most);
}

/* Where an event concerns most of a group anyway, the group finds it itself. */
static bool events_are_here(const RateGroup *g, double most) {
    if (!g->parent || !hands_down(g)) return false;
    const Pace   p = pace_of(g);
    const double own = (OVERHEAD + p.total) * (1.0 / most + p.rate * EVENT_STEPS);
    return p.rate > 0.0 && LOCAL * own < pace_cost(&p, pace_step(&p, most));
}

/* The fast set a test wants; the step remains the controller's. */
static void prescribe(RateGroup *g) {
    const RateOptions *o = &g->rate->options;
    clear(g);
    if (partition_allowed(g))
        o->partition(o->owner, g->level, ode_time(g->ode), g->n, g->state, g->part.fast);
    for (int i = 0; i < g->n; i++) {
        g->part.fast[i] = g->part.fast[i] != 0;
        g->part.fasts += g->part.fast[i];
    }
    g->part.refining = g->part.fasts > 0 && g->part.fasts < g->n;
    if (!g->part.refining) clear(g);
    group_rest(g);
}

void partition_start(RateGroup *g, double most) {
    g->part.idle_reviews = 0;
    g->part.until_review = 4;
    g->part.reviewed = 0.0;
    g->part.noted_time = NAN;
    g->part.refining = g->events.flat = false; /* a group begins as if it were new */
    g->events.flat = events_are_here(g, most);
    memset(g->part.fast, 0, (size_t)g->n);
    const double h = 0.8 * choose(g, 0.0, most), fixed = ode_fixed_step(g->ode);
    ode_propose(g->ode, fixed > 0.0 ? fmin(most, fixed) : events_step(g, h));
    if (g->rate->options.partition) prescribe(g);
}

/* A group of all states comes back to the method it had in single rate, if also to its steps: large steps
 * may have needed another one. */
static void come_back(RateGroup *g) {
    const Ledger *l = &g->rate->ledger;
    Ode          *o = g->ode;
    const int     now = ode_candidate(o);
    if (!g->parent && now >= 0 && now != l->candidate &&
        ode_next_step(o) < 2.0 * l->entry)
        ode_choose(o, l->candidate);
}

/* At most how long the next large step may be. A step that had to end inside its attempt tells how far
 * slow states can go without news of the fast ones: what clusters do beyond it is in vain. */
static double longest(const RateGroup *g, double h) {
    const double again = 6.0, growth = 8.0;
    const bool   cut = h < 0.99 * ode_length(g->ode);
    return cut ? again * h : growth * fmax(h, ode_next_step(g->ode));
}

static void review(RateGroup *g, double h, double most) {
    Ode *o = g->ode;
    if (!g->part.refining && g->part.until_review > 0 &&
        ode_next_step(o) < SHRUNK * g->part.reviewed)
        g->part.until_review = 1; /* something begins: it is looked at in the next step */
    if (!g->part.refining && g->part.until_review-- > 0) return;
    const bool   was = g->part.refining;
    const double next = choose(g, longest(g, h), most);
    if (!was && !g->parent) {
        g->rate->ledger.candidate = ode_candidate(o);
        g->rate->ledger.entry = ode_next_step(o);
    }
    if (g->part.refining) {
        ode_propose(o, next);
        if (g->part.refined < PROVEN) g->part.refined++;
        g->part.idle_reviews = 0;
        g->part.until_review = 0;
        g->part.mixed =
            g->part.mixed < MIXED - 2 ? g->part.mixed + 2 : MIXED; /* one may be chance */
        return;
    }
    if (g->part.mixed > 0) g->part.mixed--;
    if (was) {
        ode_propose(o, fmin(ode_next_step(o), next));
        come_back(g);
    }
    g->part.reviewed = ode_next_step(o);
    if (g->part.until_review > 0) return;
    g->part.until_review = g->part.idle_reviews > 3 ? 64 : 8 << g->part.idle_reviews;
    g->part.idle_reviews++;
}

Status partition_events(RateGroup *g) {
    const bool flat = in_debt(g);
    if (flat == g->events.flat) return STATUS_OK;
    g->events.flat = flat;
    partition_forget(g);
    return event_refresh(g);
}

void partition_review(RateGroup *g, double h, double most) {
    Ode *o = g->ode;
    if (!partition_allowed(g) || !(most > 0.0)) return;
    if (g->rate->options.partition) prescribe(g);
    if (g->rate->options.partition || ode_fixed_step(o) > 0.0) return;
    review(g, h, most);
    ode_propose(o, events_step(g, ode_next_step(o)));
}
