/* SPDX-License-Identifier: Apache-2.0 */
/* fit_runs.c -- the measurements that a model is fitted to, and its simulations with other values.
 * Columns of the file are named as variables, or as expressions of them; empty fields are measurements
 * that are missing. */
#include "study/fit.h"

#include "record/record.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* ---- one simulation, and many ---- */

static RbStatus set_values(const Fit *f, const FitRun *run, RbSimulation *s,
                           RbError *error) {
    RbStatus status = study_set(s, f->plan->set, f->plan->sets, error);
    for (int k = 0; k < f->parameters && status == RB_OK; k++)
        status = rb_set(s, f->parameter[k].name, run->value[k], error);
    return status;
}

/* What a column is at a point of a run. */
static void look(const Fit *f, FitRun *run, RbSimulation *s, int c, int i) {
    const size_t at = (size_t)c * (size_t)f->points + (size_t)i;
    double       y = formula_value(f->formula[c], s);
    bool         fine = isfinite(y);
    run->y[at] = y;
    for (int k = 0; k < run->senses && fine; k++) {
        double *slope = &f->slope[(size_t)(run->sense + k) * f->size + at];
        formula_slope(f->formula[c], s, k, slope);
        fine = isfinite(*slope);
    }
    if (!fine)
        run->status = error_set(&run->error, RB_FAILED, "%s is not finite at %.9g",
                                f->column[c], f->time[i]);
}

static void simulate(Fit *f, FitRun *run) {
    RbSimulation *s = rb_simulation_new(f->program, &f->options, &run->error);
    run->status = s ? set_values(f, run, s, &run->error) : run->error.status;
    if (run->status == RB_OK && run->senses)
        run->status = rb_sensitivities(s, f->name + run->sense, run->senses, &run->error);
    for (int i = 0; i < f->points && run->status == RB_OK; i++) {
        run->status = f->time[i] > f->options.start ? rb_step(s, f->time[i], &run->error)
                                                    : rb_initialise(s, &run->error);
        for (int c = 0; c < f->columns && run->status == RB_OK; c++)
            look(f, run, s, c, i);
    }
    rb_simulation_free(s);
    atomic_fetch_add(&f->simulations, 1);
}

typedef struct Crew {
    Fit       *fit;
    int        last;
    atomic_int next;
} Crew;

static void *work(void *context) {
    Crew *crew = context;
    for (int k; (k = atomic_fetch_add(&crew->next, 1)) < crew->last;)
        simulate(crew->fit, &crew->fit->run[k]);
    return NULL;
}

void fit_simulate(Fit *f, int first, int count) {
    enum { MOST = 64 };
    pthread_t thread[MOST];
    Crew      crew = {.fit = f, .last = first + count};
    int       wanted = f->plan->threads < count ? f->plan->threads : count, begun = 0;
    atomic_init(&crew.next, first);
    for (; begun < wanted - 1 && begun < MOST; begun++)
        if (pthread_create(&thread[begun], NULL, work, &crew) != 0) break;
    work(&crew);
    for (int k = 0; k < begun; k++) pthread_join(thread[k], NULL);
}

/* A few parameters go with one run, the next ones with another, on threads: who goes together does not depend on how
 * many threads there are. */
RbStatus fit_sense(Fit *f) {
    enum { TOGETHER = 7 }; /* and the time: what code takes at once */
    const int n = f->parameters, parts = (n + TOGETHER - 1) / TOGETHER;
    RbStatus  status = RB_OK;
    for (int k = 0; k < parts; k++) {
        FitRun *run = &f->run[1 + k];
        memcpy(run->value, f->value, sizeof(double) * (size_t)n);
        run->sense = k * TOGETHER;
        run->senses = n - run->sense < TOGETHER ? n - run->sense : TOGETHER;
    }
    fit_simulate(f, 1, parts);
    for (int k = 0; k < parts; k++) {
        if (f->run[1 + k].status != RB_OK && status == RB_OK) {
            status = f->run[1 + k].status;
            f->run[0].error = f->run[1 + k].error;
        }
        f->run[1 + k].senses = 0;
    }
    return status;
}

/* ---- the measurements ---- */

typedef struct Opening {
    Fit     *fit;
    RbError *error;
    RbStatus status;
} Opening;

static RbStatus read_columns(Opening *o, const Result *data) {
    Fit    *f = o->fit;
    regex_t pattern;
    bool    chosen = f->plan->columns != NULL;
    Text    why = {0};
    if (chosen && regcomp(&pattern, f->plan->columns, REG_EXTENDED | REG_NOSUB) != 0)
        return error_set(o->error, RB_ARGUMENT, "'%s' is no regular expression",
                         f->plan->columns);
    size_t most = (size_t)data->variables;
    f->column = NEW(&f->arena, const char *, most);
    f->formula = NEW(&f->arena, Formula *, most);
    f->counted = NEW(&f->arena, long, most);
    f->noise = NEW(&f->arena, double, most);
    f->measured = NEW(&f->arena, double, most *(size_t)f->points + 1);
    for (int v = 0; v < data->variables && !why.length; v++) {
        const char *name = data->name[v];
        if (chosen && regexec(&pattern, name, 0, NULL, 0) != 0) continue;
        int     c = f->columns++;
        Expr    e = parse_expression_text(&f->session, "column", name);
        double *to = f->measured + (size_t)c * (size_t)f->points, sum = 0, square = 0;
        f->column[c] = arena_string(&f->arena, name, strlen(name));
        if (e.kind == EXPR_BAD)
            text_printf(&why, "the column '%s' is no expression", name);
        else f->formula[c] = formula_of(&f->arena, &f->session, e, f->program, &why);
        for (int i = 0; i < f->points; i++) {
            to[i] = result_value(data, v, i);
            if (isnan(to[i])) continue;
            f->counted[c]++, sum += to[i], square += to[i] * to[i];
        }
        double n = (double)f->counted[c], mean = n > 0 ? sum / n : 0;
        double spread = n > 1 ? sqrt(fmax(square / n - mean * mean, 0)) : 0;
        f->noise[c] = spread > 0 ? spread : fmax(fabs(mean), 1);
        if (!f->counted[c]) text_printf(&why, "the column '%s' has no number", name);
    }
    if (chosen) regfree(&pattern);
    if (!f->columns && !why.length) text_add(&why, "there is no column of measurements");
    RbStatus status =
        why.length ? error_set(o->error, RB_FILE, "%s: %s", f->plan->data, text_get(&why))
                   : RB_OK;
    text_free(&why);
    return status;
}

static RbStatus read_times(Opening *o, const Result *data) {
    Fit   *f = o->fit;
    RbInfo info = rb_info(f->program);
    f->points = data->points;
    f->time = NEW(&f->arena, double, f->points + 1);
    if (f->plan->options) f->options = *f->plan->options;
    if (!f->options.given_start) f->options.start = isnan(info.start) ? 0 : info.start;
    f->options.given_start = f->options.given_stop = true;
    for (int i = 0; i < f->points; i++) {
        f->time[i] = data->time[i];
        if (!(f->time[i] >= (i ? f->time[i - 1] : f->options.start)))
            return error_set(o->error, RB_FILE, "%s, line %d: times ascend from %.9g on",
                             f->plan->data, i + 2, f->options.start);
    }
    f->options.stop = f->points ? f->time[f->points - 1] : f->options.start;
    f->options.interval = -1;
    f->options.threads = 1;
    if (!f->options.given_tolerance) { /* differences must be seen through it */
        f->options.given_tolerance = true;
        f->options.tolerance = fmin(isnan(info.tolerance) ? 1e-8 : info.tolerance, 1e-8);
    }
    return RB_OK;
}

/* NAME[=START[,LOW,HIGH]] */
static RbStatus read_parameter(Opening *o, int k) {
    Fit          *f = o->fit;
    const char   *word = f->plan->parameter[k], *sign = strchr(word, '=');
    FitParameter *p = &f->parameter[k];
    double       *to[] = {&p->start, &p->low, &p->high};
    *p = (FitParameter){
        arena_string(&f->arena, word, sign ? (size_t)(sign - word) : strlen(word)), NAN,
        -INFINITY, INFINITY};
    int n = 0;
    for (const char *at = sign ? sign + 1 : ""; *at && n < 3; n++) {
        char *end;
        *to[n] = number_read(at, &end);
        if (end == at || (*end && *end != ',')) n = 9;
        at = *end ? end + 1 : end;
    }
    if ((sign && n != 1 && n != 3) || !(p->low < p->high))
        return error_set(o->error, RB_ARGUMENT, "%s: this is not NAME[=START[,LOW,HIGH]]",
                         word);
    return RB_OK;
}

/* Start values that were not given are those of the model. */
static RbStatus find_starts(Fit *f, RbError *error) {
    RbSimulation *s = rb_simulation_new(f->program, NULL, error);
    if (!s) return error->status;
    RbStatus status = study_set(s, f->plan->set, f->plan->sets, error);
    RbStatus began = status == RB_OK ? rb_initialise(s, error) : status;
    for (int k = 0; k < f->parameters && status == RB_OK; k++) {
        FitParameter *p = &f->parameter[k];
        if (isnan(p->start)) p->start = began == RB_OK ? rb_get(s, p->name) : NAN;
        if (!isfinite(p->start))
            status = error_set(error, RB_ARGUMENT,
                               "%s: the model does not give it a value to begin with",
                               p->name);
        f->value[k] = fmin(fmax(p->start, p->low), p->high);
    }
    rb_simulation_free(s);
    return status;
}

static RbStatus make_room(Opening *o) {
    Fit   *f = o->fit;
    size_t n = (size_t)f->parameters;
    long   all = 0;
    for (int c = 0; c < f->columns; c++) all += f->counted[c];
    if (all <= f->parameters)
        return error_set(o->error, RB_FILE,
                         "%s: %ld measurements do not determine %d parameters",
                         f->plan->data, all, f->parameters);
    f->size = (size_t)f->columns * (size_t)f->points;
    double *room = NEW(&f->arena, double, 3 * n + 2 * n * n + 2 * f->size + n * f->size);
    room = CUT(room, n, &f->value, &f->step, &f->gradient);
    room = CUT(room, n * n, &f->normal, &f->work);
    f->slope = CUT(room, f->size, &f->residual, &f->other);
    f->held = NEW(&f->arena, bool, n);
    f->fitted = NEW(&f->arena, RbFitted, n);
    f->run = NEW(&f->arena, FitRun, n + 1);
    f->name = NEW(&f->arena, const char *, n);
    for (size_t k = 0; k < n; k++) f->name[k] = f->parameter[k].name;
    f->exact = true;
    for (size_t k = 0; k <= n; k++) {
        f->run[k].value = NEW(&f->arena, double, n);
        f->run[k].y = NEW(&f->arena, double, f->size);
    }
    return RB_OK;
}

static void open_fit(void *context) {
    Opening    *o = context;
    Fit        *f = o->fit;
    Result      data;
    const char *why = "";
    session_init(&f->session);
    f->parameters = f->plan->parameters;
    f->parameter = NEW(&f->arena, FitParameter, f->parameters + 1);
    if (!f->parameters)
        o->status = error_set(o->error, RB_ARGUMENT, "no parameter is to be fitted");
    for (int k = 0; k < f->parameters && o->status == RB_OK; k++)
        o->status = read_parameter(o, k);
    if (o->status != RB_OK) return;
    if (!result_measured(&data, f->plan->data, &why)) {
        o->status =
            error_set(o->error, RB_FILE, "cannot read '%s': %s", f->plan->data, why);
        return;
    }
    o->status = read_times(o, &data);
    if (o->status == RB_OK) o->status = read_columns(o, &data);
    if (o->status == RB_OK) o->status = make_room(o);
    result_free(&data);
}

static void publish(Fit *f) {
    f->public = (RbFit){.parameters = f->parameters,
                        .parameter = f->fitted,
                        .columns = f->columns,
                        .column = f->column,
                        .simulations = atomic_load(&f->simulations),
                        .noise = f->noise,
                        .measurements = f->counted,
                        .iterations = f->iterations,
                        .exact = f->exact,
                        .differenced = f->why,
                        .converged = f->converged};
}

RbFit *rb_fit(RbProgram *program, const RbFitPlan *plan, RbError *error) {
    RbError own;
    Fit    *f = mem_take(1, sizeof *f);
    if (!error) error = &own;
    *error = (RbError){.status = RB_OK};
    Opening o = {.fit = f, .error = error};
    if (f) {
        f->plan = plan;
        f->program = program;
        f->memory = memory_new();
    }
    if (!f || !f->memory || !memory_call(f->memory, open_fit, &o))
        o.status = error_set(error, RB_NO_MEMORY, "there is no memory");
    if (o.status == RB_OK) o.status = find_starts(f, error);
    if (o.status == RB_OK) o.status = fit_run(f, error);
    if (o.status == RB_OK) {
        publish(f);
        return &f->public;
    }
    if (f) rb_fit_free(&f->public);
    return NULL;
}

void rb_fit_free(RbFit *fit) {
    if (!fit) return;
    Fit *f = (Fit *)fit;
    memory_free(f->memory);
    mem_free(f);
}
