/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c -- when the clocked partitions tick, in exact rational arithmetic (Modelica 3.6, 16.7).
 *
 * Every sub-clock partition has an interval and a time of its first tick, both in units of its
 * base clock: seconds, or the one Real period, or the ticks of the one condition. From a
 * partition whose clock is given they follow for its neighbours, since every operator between
 * two of them tells one from the other; factors that are left open are checked at the end. Where
 * two ways lead to different clocks the message shows both. One breadth-first search over the
 * operators of a partition: linear. The greatest common divisor of all numbers of a base is its
 * tick. */
#include "dae/clock.h"

#include <math.h>
#include <string.h>

/* ---- rational numbers ---------------------------------------------------------------------- */

typedef struct Rational { /* den 0: too large to be held */
    int64_t num, den;
} Rational;

static int64_t divisor(int64_t a, int64_t b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static Rational rational(int64_t num, int64_t den) {
    if (den == 0) return (Rational){0, 0};
    int64_t g = divisor(num, den);
    if (g == 0) g = 1;
    return den < 0 ? (Rational){-num / g, -den / g} : (Rational){num / g, den / g};
}

static bool product(int64_t a, int64_t b, int64_t *out) {
    double size = fabs((double)a) * fabs((double)b);
    *out = size < 9e18 ? a * b : 0;
    return size < 9e18;
}

static Rational times(Rational a, Rational b) {
    int64_t num, den;
    if (!a.den || !b.den) return (Rational){0, 0};
    Rational p = rational(a.num, b.den), q = rational(b.num, a.den);
    if (!product(p.num, q.num, &num) || !product(p.den, q.den, &den))
        return (Rational){0, 0};
    return rational(num, den);
}

static Rational plus(Rational a, Rational b) {
    int64_t p, q, den;
    if (!a.den || !b.den) return (Rational){0, 0};
    int64_t g = divisor(a.den, b.den);
    if (!product(a.num, b.den / g, &p) || !product(b.num, a.den / g, &q) ||
        !product(a.den / g, b.den, &den) || fabs((double)p + (double)q) > 9e18)
        return (Rational){0, 0};
    return rational(p + q, den);
}

static bool same(Rational a, Rational b) {
    return a.num == b.num && a.den == b.den;
}

/* The largest number of which both are multiples. */
static Rational common(Rational a, Rational b) {
    int64_t p, q, den;
    int64_t g = divisor(a.den, b.den);
    if (!a.den || !b.den || !product(a.num, b.den / g, &p) ||
        !product(b.num, a.den / g, &q) || !product(a.den / g, b.den, &den))
        return (Rational){0, 0};
    return rational(divisor(p, q), den);
}

/* ---- the search ------------------------------------------------------------------------------ */

typedef struct Ticking { /* of a sub-clock partition, in units of the base clock */
    bool     known;
    Rational interval, first;
    int      by;   /* operator it was found by, -1: its clock is given */
    int      from; /* partition it was found from, -1 none */
} Ticking;

typedef struct Search {
    ClockFacts *f;
    Ticking    *at;    /* by sub-clock partition */
    int        *queue; /* of those whose neighbours are not yet visited */
    int         done, found;
    bool       *idle; /* by sub-clock partition: it consists of clocks alone */
    bool        fine;
} Search;

static void interval_text(const BaseClock *base, Rational r, Text *out) {
    static const char *const unit[] = {
        [BASE_RATIONAL] = " s", [BASE_VARIES] = " ticks", [BASE_EVENT] = " ticks"};
    text_printf(out, "%lld", (long long)r.num);
    if (r.den != 1) text_printf(out, "/%lld", (long long)r.den);
    if (base->kind == BASE_REAL) text_printf(out, "*%.15g s", base->period);
    else text_add(out, unit[base->kind]);
}

/* The clock of `to` as one of its neighbours tells. False: the operator leaves it open. */
static bool follow(const ClockStep *step, bool forth, const Ticking *from, Ticking *to) {
    Rational factor = {step->number[0], 1}, inverse = rational(1, step->number[0]);
    Rational shift = rational(step->number[0], step->number[1]);
    *to = *from;
    switch (step->op) {
    case TERM_CLOCK: return true;
    case TERM_SUB_SAMPLE:
    case TERM_SUPER_SAMPLE:
        if (step->numbers < 1 || step->number[0] == 0) return false;
        to->interval = times(from->interval,
                             (step->op == TERM_SUB_SAMPLE) == forth ? factor : inverse);
        return true;
    case TERM_SHIFT_SAMPLE:
    case TERM_BACK_SAMPLE:
        if ((step->op == TERM_BACK_SAMPLE) == forth) shift.num = -shift.num;
        to->first = plus(from->first, times(shift, from->interval));
        return true;
    default: return false;
    }
}

/* How the clock of a partition came about; the way of another one is known. */
static void note_way(const Search *s, int sub, int known) {
    const ClockFacts *f = s->f;
    for (int steps = 0; sub >= 0 && steps < 12; steps++, sub = s->at[sub].from) {
        int same = known;
        while (same >= 0 && same != sub) same = s->at[same].from;
        if (same >= 0) return;
        Text how = {0};
        interval_text(&f->base[f->sub[sub].base], s->at[sub].interval, &how);
        text_add(&how, ", first at ");
        interval_text(&f->base[f->sub[sub].base], s->at[sub].first, &how);
        int by = s->at[sub].by;
        if (by >= 0)
            diag_note(f->diag, f->step[by].pos, "%s here: every %s",
                      f->step[by].op == TERM_CLOCK ? "Clock with a solver"
                                                   : term_info[f->step[by].op].text,
                      text_get(&how));
        else if (f->sub[sub].pos)
            diag_note(f->diag, (Pos)f->sub[sub].pos, "the clock is given here: every %s",
                      text_get(&how));
        text_free(&how);
    }
}

/* What makes both ways lead to one clock: another factor at the operator that closed the circle, or
 * values that are held and sampled. */
static void note_remedy(const Search *s, Pos pos, int b, const Ticking *wanted) {
    const ClockFacts *f = s->f;
    const ClockStep  *step = wanted->by < 0 ? NULL : &f->step[wanted->by];
    bool              sub = step && step->op == TERM_SUB_SAMPLE;
    if (sub || (step && step->op == TERM_SUPER_SAMPLE)) {
        Rational from = s->at[wanted->from].interval, to = s->at[b].interval;
        bool     forth = step->to == b;
        Rational ratio = sub == forth ? times(to, rational(from.den, from.num))
                                      : times(from, rational(to.den, to.num));
        if (ratio.den == 1 && same(wanted->first, s->at[b].first)) {
            diag_note(f->diag, pos,
                      "both agree with the factor %lld in this %s, or without a factor",
                      (long long)ratio.num, sub ? "subSample" : "superSample");
            return;
        }
    }
    diag_note(f->diag, 0,
              "give both the same clock, or lead the value through hold() and sample()");
}

static void contradiction(Search *s, Pos pos, int a, int b, const Ticking *wanted) {
    const ClockFacts *f = s->f;
    const BaseClock  *base = &f->base[f->sub[b].base];
    Text              has = {0}, other = {0};
    interval_text(base, s->at[b].interval, &has);
    text_add(&has, ", first at ");
    interval_text(base, s->at[b].first, &has);
    interval_text(base, wanted->interval, &other);
    text_add(&other, ", first at ");
    interval_text(base, wanted->first, &other);
    diag_report(
        f->diag, pos, CODE_D131,
        "two clocks for one partition: every %s by this equation, every %s by others",
        text_get(&other), text_get(&has));
    note_way(s, a, -1);
    note_way(s, b, a);
    note_remedy(s, pos, b, wanted);
    text_free(&has);
    text_free(&other);
    s->fine = false;
}

/* A partition is reached, for the first time or again. */
static void arrive(Search *s, int sub, Ticking found, Pos pos) {
    Ticking *at = &s->at[sub];
    if (!found.interval.den || !found.first.den) {
        diag_report(s->f->diag, pos, CODE_D132,
                    "the interval of this clock has too many digits to be held exactly");
        s->fine = false;
        return;
    }
    if (at->known) {
        if (!same(at->interval, found.interval) || !same(at->first, found.first))
            contradiction(s, pos, found.from, sub, &found);
        return;
    }
    *at = found;
    at->known = true;
    s->queue[s->found++] = sub;
}

static void spread(Search *s) {
    const ClockFacts *f = s->f;
    while (s->done < s->found && s->fine) {
        int sub = s->queue[s->done++];
        for (int k = 0; k < f->steps && s->fine; k++) {
            const ClockStep *step = &f->step[k];
            bool             forth = step->from == sub;
            int              other = forth ? step->to : step->from;
            Ticking          found;
            if (!forth && step->to != sub) continue;
            if (!follow(step, forth, &s->at[sub], &found)) continue;
            found.by = k;
            found.from = sub;
            if (k != s->at[sub].by) arrive(s, other, found, step->pos);
        }
    }
}

/* ---- clocks that are given -------------------------------------------------------------------- */

static BaseKind kind_of(const ClockSaid *said) {
    if (said->kind == CLOCK_CONDITION) return BASE_EVENT;
    if (said->kind == CLOCK_PERIOD && said->variable < 0) return BASE_REAL;
    return said->variable >= 0 ? BASE_VARIES : BASE_RATIONAL;
}

static bool is_sound(Search *s, const ClockSaid *said) {
    bool counts = said->kind == CLOCK_RATIONAL;
    if ((!counts || (said->resolution > 0 && (said->variable >= 0 || said->count > 0))) &&
        (said->kind != CLOCK_PERIOD || said->variable >= 0 || said->period > 0))
        return true;
    diag_report(s->f->diag, said->pos, CODE_D133,
                "the interval of a clock must be larger than zero");
    return s->fine = false;
}

/* The first clock of a base decides what it is counted in. */
static void take_clock(Search *s, BaseClock *base, const ClockSaid *said, bool first) {
    ClockFacts *f = s->f;
    BaseKind    kind = kind_of(said);
    Ticking     found = {.interval = {1, 1}, .first = {0, 1}, .by = -1, .from = -1};
    if (first) {
        base->kind = (int)kind;
        base->period = said->period;
        base->variable = said->variable;
        base->resolution = said->resolution;
    }
    bool other = kind != (BaseKind)base->kind ||
                 (kind != BASE_RATIONAL && said->variable != base->variable);
    if (kind == BASE_REAL && !other && !first && said->period != base->period) {
        double ratio = said->period / base->period;
        other = true;
        for (int64_t q = 1; q <= 1000 && other;
             q++) { /* a multiple or part of the first */
            double p = nearbyint(ratio * (double)q);
            if (p < 1 || fabs(ratio * (double)q - p) > 1e-12 * p) continue;
            found.interval = rational((int64_t)p, q);
            other = false;
        }
    }
    if (other) {
        diag_report(f->diag, said->pos, CODE_D134,
                    "another clock of another kind drives the same partition");
        if (f->sub[base->first].pos)
            diag_note(f->diag, (Pos)f->sub[base->first].pos, "it is given here");
        s->fine = false;
        return;
    }
    if (kind == BASE_RATIONAL) found.interval = rational(said->count, said->resolution);
    if (!f->sub[said->sub].pos) f->sub[said->sub].pos = (int)said->pos;
    arrive(s, said->sub, found, said->pos);
    spread(s);
}

/* Partitions that only operators with open factors lead to tick with their neighbours. */
static bool take_open(Search *s, const BaseClock *base) {
    const ClockFacts *f = s->f;
    for (int k = 0; k < f->steps; k++) {
        const ClockStep *step = &f->step[k];
        if (f->sub[step->from].base != f->sub[base->first].base) continue;
        if (s->at[step->from].known == s->at[step->to].known) continue;
        bool    forth = s->at[step->from].known;
        Ticking found = s->at[forth ? step->from : step->to];
        found.by = k;
        found.from = forth ? step->from : step->to;
        arrive(s, forth ? step->to : step->from, found, step->pos);
        spread(s);
        return true;
    }
    return false;
}

/* Open factors must turn out to be whole numbers. */
static void check_open(Search *s, int base) {
    const ClockFacts *f = s->f;
    for (int k = 0; k < f->steps && s->fine; k++) {
        const ClockStep *step = &f->step[k];
        bool sub = step->op == TERM_SUB_SAMPLE, super = step->op == TERM_SUPER_SAMPLE;
        if (f->sub[step->from].base != base || (!sub && !super)) continue;
        if (step->numbers && step->number[0]) continue;
        const Ticking *a = &s->at[sub ? step->to : step->from];
        const Ticking *b = &s->at[sub ? step->from : step->to];
        Rational factor = times(a->interval, rational(b->interval.den, b->interval.num));
        if (factor.den == 1 && same(a->first, b->first)) continue;
        Text has = {0};
        text_printf(&has, "%lld/%lld", (long long)factor.num, (long long)factor.den);
        diag_report(f->diag, step->pos, CODE_D135, "the factor of %s would be %s%s",
                    term_info[step->op].text, text_get(&has),
                    factor.den == 1 ? ", but the clocks do not begin at the same time"
                                    : "");
        note_way(s, step->from, -1);
        note_way(s, step->to, step->from);
        text_free(&has);
        s->fine = false;
    }
}

/* Partitions of clocks alone, which there are on the way to others. If there are no others they count. */
static void find_idle(Search *s) {
    const ClockFacts *f = s->f;
    for (int k = 0; k < f->subs; k++) s->idle[k] = true;
    for (int v = 0; v < f->sys->vars; v++)
        if (f->sub_of[v] >= 0 && f->sys->run[system_run_of(f->sys, v)].kind != VAR_CLOCK)
            s->idle[f->sub_of[v]] = false;
    for (int b = 0; b < f->bases; b++) {
        const BaseClock *base = &f->base[b];
        bool             all = true;
        for (int k = base->first; k < base->first + base->subs; k++) all &= s->idle[k];
        for (int k = base->first; all && k < base->first + base->subs; k++)
            s->idle[k] = false;
    }
}

/* They have nothing to do at ticks of their own, which may be many: they tick with the first other one. */
static void leave_idle(const Search *s, const BaseClock *base) {
    SubClock *sub = s->f->sub;
    int       busy = base->first;
    while (s->idle[busy]) busy++;
    for (int k = base->first; k < base->first + base->subs; k++)
        if (s->idle[k]) {
            sub[k].every = sub[busy].every;
            sub[k].offset = sub[busy].offset;
        }
}

/* The tick of a base, and its partitions in numbers of ticks. */
static void count_ticks(Search *s, BaseClock *base) {
    ClockFacts *f = s->f;
    Rational    tick = {0, 1};
    for (int k = base->first; k < base->first + base->subs; k++) {
        if (s->at[k].first.num < 0) {
            int by = s->at[k].by;
            diag_report(f->diag, by < 0 ? 0 : f->step[by].pos, CODE_D136,
                        "a partition would tick before its base clock begins");
            note_way(s, k, -1);
            s->fine = false;
            return;
        }
        if (!s->idle[k]) tick = common(common(tick, s->at[k].interval), s->at[k].first);
    }
    bool fixed = base->kind == BASE_EVENT || base->kind == BASE_VARIES;
    if (!tick.den || (fixed && tick.den != 1)) {
        diag_report(f->diag, (Pos)f->sub[base->first].pos, CODE_D132,
                    fixed ? "a clock that is driven by events can only be subsampled"
                          : "the clocks of this partition have no common tick");
        s->fine = false;
        return;
    }
    if (fixed) tick = (Rational){1, 1};
    for (int k = base->first; k < base->first + base->subs; k++) {
        Rational inverse = rational(tick.den, tick.num);
        f->sub[k].every = times(s->at[k].interval, inverse).num;
        f->sub[k].offset = times(s->at[k].first, inverse).num;
    }
    leave_idle(s, base);
    base->count = tick.num;
    if (!fixed) base->resolution = tick.den;
}

static void infer_base(Search *s, int b) {
    ClockFacts *f = s->f;
    BaseClock  *base = &f->base[b];
    bool        first = true;
    for (int k = 0; k < f->saids && s->fine; k++) {
        if (f->sub[f->said[k].sub].base != b || !is_sound(s, &f->said[k])) continue;
        if (first) f->sub[base->first].pos = (int)f->said[k].pos;
        take_clock(s, base, &f->said[k], first);
        first = false;
    }
    if (first && s->fine) {
        ClockSaid second = {base->first, CLOCK_RATIONAL, 1, 1, 0, -1, 0};
        Text      name = {0};
        for (int v = 0; v < f->sys->vars && !name.length; v++)
            if (f->sub_of[v] == base->first) system_name(f->sys, v, &name);
        diag_report(
            f->diag, 0, CODE_D137,
            "nothing gives a clock to the partition of '%s': it ticks every second",
            text_get(&name));
        text_free(&name);
        take_clock(s, base, &second, true);
    }
    while (s->fine && take_open(s, base)) {}
    if (s->fine) check_open(s, b);
    if (s->fine) count_ticks(s, base);
}

/* ---- solvers ----------------------------------------------------------------------------------- */

static bool method_of(const Search *s, const ClockStep *step, int *method) {
    const char *text = str_text(s->f->sys->shapes->strings, step->method);
    for (*method = 0; *method < SOLVER_METHODS; (*method)++)
        if (strcmp(text, solver_method_name[*method]) == 0) return true;
    diag_report(s->f->diag, step->pos, CODE_D138, "there is no solver method \"%s\"",
                text);
    for (int k = 1; k < SOLVER_METHODS; k++)
        diag_note(s->f->diag, 0, "there is \"%s\"", solver_method_name[k]);
    return false;
}

/* Partitions without a method of their own that are joined to each other have that of their neighbours
 * (16.8.4). Only derivatives mind if these have several, see discretise.c. */
static void follow_neighbours(ClockFacts *f) {
    int *set = mem_take((size_t)f->subs + 1, sizeof *set);
    int *found = mem_take(2 * (size_t)f->subs + 2, sizeof *found);
    for (int s = 0; s < f->subs; s++) set[s] = s;
    for (int k = 0; k < f->steps; k++) {
        const ClockStep *step = &f->step[k];
        if (step->op != TERM_CLOCK && !f->sub[step->from].method &&
            !f->sub[step->to].method)
            set_join(set, step->from, step->to);
    }
    for (int k = 0; k < f->steps; k++) {
        const ClockStep *step = &f->step[k];
        const SubClock  *a = &f->sub[step->from], *b = &f->sub[step->to];
        if (step->op == TERM_CLOCK || !a->method == !b->method) continue;
        int *first = &found[2 * set_find(set, a->method ? step->to : step->from)];
        int  method = a->method ? a->method : b->method;
        if (!first[0]) first[0] = method;
        else if (first[0] != method) first[1] = method;
    }
    for (int s = 0; s < f->subs; s++)
        if (!f->sub[s].method) {
            f->sub[s].method = found[2 * set_find(set, s)];
            f->sub[s].other = found[2 * set_find(set, s) + 1];
        }
    MEM_FREE(set, found);
}

/* A clock with a solver decides for its partition; others follow their neighbours. */
static void infer_methods(Search *s) {
    ClockFacts *f = s->f;
    for (int k = 0; k < f->steps; k++) {
        int        method = SOLVER_NONE;
        ClockStep *step = &f->step[k];
        if (step->op != TERM_CLOCK || !step->method) continue;
        if (!method_of(s, step, &method)) {
            s->fine = false;
            return;
        }
        SubClock *sub = &f->sub[step->to];
        if (sub->method && method && sub->method != method) {
            diag_report(f->diag, step->pos, CODE_D139,
                        "two solver methods for one partition: %s and %s",
                        solver_method_name[sub->method], solver_method_name[method]);
            s->fine = false;
        }
        if (method) sub->method = method;
    }
    follow_neighbours(f);
}

bool clocks_infer(ClockFacts *f) {
    Arena  scratch = {0};
    Search s = {.f = f, .fine = true};
    s.at = NEW(&scratch, Ticking, f->subs + 1);
    s.queue = NEW(&scratch, int, f->subs + 1);
    s.idle = NEW(&scratch, bool, f->subs + 1);
    find_idle(&s);
    for (int b = 0; b < f->bases && s.fine; b++) infer_base(&s, b);
    if (s.fine) infer_methods(&s);
    arena_free(&scratch);
    return s.fine;
}

/* ---- report --------------------------------------------------------------------------------------- */

static void base_text(const System *sys, const BaseClock *base, Text *out) {
    switch (base->kind) {
    case BASE_RATIONAL:
        text_printf(out, "every %lld/%lld s", (long long)base->count,
                    (long long)base->resolution);
        break;
    case BASE_REAL:
        text_printf(out, "every %.15g s",
                    base->period * (double)base->count / (double)base->resolution);
        break;
    case BASE_VARIES: text_add(out, "as the model says"); break;
    default:
        text_add(out, "when ");
        system_name(sys, base->variable, out);
        text_add(out, " becomes true");
    }
}

void clocks_report(const System *sys, Text *out) {
    const Clocks *c = sys->clocks;
    for (int b = 0; c && b < c->bases; b++) {
        const BaseClock *base = &c->base[b];
        text_printf(out, "base clock %d ticks ", b + 1);
        base_text(sys, base, out);
        text_char(out, '\n');
        for (int s = base->first; s < base->first + base->subs; s++) {
            int vars = 0, shown = -1;
            for (int v = 0; v < c->vars; v++) {
                const VarRun *run = &sys->run[system_run_of(sys, v)];
                if (c->sub_of[v] != s || run->kind == VAR_CLOCK) continue;
                vars++;
                if (shown < 0 && run->owner >= 0) shown = v;
            }
            if (!vars) continue; /* of clocks alone */
            text_printf(out, "  partition %d: ", s - base->first + 1);
            if (c->sub[s].every == 1) text_add(out, "every tick");
            else text_printf(out, "every %lld ticks", (long long)c->sub[s].every);
            if (c->sub[s].offset)
                text_printf(out, " from tick %lld", (long long)c->sub[s].offset);
            if (c->sub[s].discretised)
                text_printf(out, ", %s", solver_method_name[c->sub[s].method]);
            text_printf(out, ", %d variable%s", vars, vars == 1 ? "" : "s");
            if (shown >= 0) {
                text_add(out, ": ");
                system_name(sys, shown, out);
                if (vars > 1) text_add(out, ", ...");
            }
            text_char(out, '\n');
        }
    }
    if (c) couplings_report(sys, out);
}
