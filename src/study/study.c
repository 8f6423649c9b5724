/* SPDX-License-Identifier: Apache-2.0 */
/* study.c -- a study as a whole: one program for all cases, or one for each combination of values that
 * shape the model; its columns; what is known of its cases. */
#include "study/study.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS_MOST = 10000 };

typedef struct Making { /* a call inside the domain of a study */
    RbStudy           *study;
    const RbStudyPlan *given;
    RbProgram         *program;
    RbError           *error;
    RbStatus           status;
    Variant           *variant;
} Making;

/* ---- values that shape the model ---- */

/* Does a simulation take values of this factor? */
static RbStatus try_factor(Making *m, int k) {
    RbStudy  *study = m->study;
    Factor   *f = &study->plan.factor[k];
    RbStatus  status = RB_OK;
    RbError   error;
    RbOptions options = {0};
    for (int end = 0; end < 2; end++) { /* one of its values may be wrong */
        RbSimulation *s = rb_simulation_new(m->program, &options, m->error);
        if (!s) return m->error ? m->error->status : RB_NO_MEMORY;
        long number = end ? cases_count(&study->plan) - 1 : 0;
        status = rb_set(s, f->name, cases_value(&study->plan, number, k), &error);
        rb_simulation_free(s);
        if (status == RB_OK || status == RB_TRANSLATE) break;
    }
    f->shapes = status == RB_TRANSLATE;
    if (status == RB_OK || (f->shapes && study->translate)) return RB_OK;
    return error_set(m->error, RB_ARGUMENT, "%s: %s", f->name,
                     f->shapes ? "this shapes the model, and a stored program cannot be "
                                 "translated again"
                               : error.text);
}

/* Cases whose shaping values are equal have the same program. */
static RbStatus find_variants(Making *m, int shaping) {
    RbStudy   *study = m->study;
    const long cases = cases_count(&study->plan);
    Map        known = {0};
    double    *shape = NEW(&study->arena, double, shaping + 1);
    int        room = 0;
    study->variant_of = NEW(&study->arena, int, cases);
    study->variants = 0;
    study->variant = NULL;
    for (long i = 0; i < cases; i++) {
        for (int k = 0, n = 0; k < study->plan.factors; k++)
            if (study->plan.factor[k].shapes)
                shape[n++] = cases_value(&study->plan, i, k);
        uint64_t hash = hash_bytes(shape, sizeof(double) * (size_t)shaping);
        int64_t  at = map_get(&known, hash, -1);
        if (at < 0) {
            at = study->variants++;
            map_put(&known, hash, at);
            study->variant = arena_grow(&study->arena, study->variant,
                                        sizeof *study->variant, &room, study->variants);
            study->variant[at] =
                (Variant){.shape = arena_copy(&study->arena, shape,
                                              sizeof(double) * (size_t)shaping)};
        }
        study->variant_of[i] = (int)at;
    }
    map_free(&known);
    if (study->variants <= VARIANTS_MOST) return RB_OK;
    return error_set(m->error, RB_ARGUMENT,
                     "%d combinations of values shape the model, each needs its own "
                     "translation; at most %d",
                     study->variants, VARIANTS_MOST);
}

/* What of a program is kept. */
static void open_variant(void *context) {
    Making  *m = context;
    RbStudy *study = m->study;
    Variant *v = m->variant;
    Text     why = {0};
    v->formula = NEW(&study->arena, Formula *, study->keeps.keeps + 1);
    v->course = NEW(&study->arena, int, study->courses.count + 1);
    for (int k = 0; k < study->keeps.keeps && !why.length; k++) {
        const Keep *keep = &study->keeps.keep[k];
        if (keep->kind != KEEP_EVENT && keep->kind != KEEP_EVENTS)
            v->formula[k] =
                formula_of(&study->arena, &study->session, keep->expr, m->program, &why);
        if (why.length)
            m->status =
                error_set(m->error, RB_ARGUMENT, "%s: %s", keep->name, text_get(&why));
    }
    for (int k = 0; k < study->courses.count; k++)
        v->course[k] = rb_find(m->program, study->courses.name[k]);
    text_free(&why);
}

Variant *study_variant(RbStudy *study, long number) {
    return &study->variant[study->variant_of ? study->variant_of[number] : 0];
}

static void translate(RbStudy *study, Variant *v) {
    RbError  error = {.status = RB_OK};
    RbValue *set = mem_take((size_t)study->plan.factors, sizeof *set);
    Text    *text = mem_take((size_t)study->plan.factors, sizeof *text);
    int      n = 0;
    v->tried = true;
    for (int k = 0; set && text && k < study->plan.factors; k++) {
        const Factor *f = &study->plan.factor[k];
        if (!f->shapes) continue;
        if (f->truth) text_add(&text[n], v->shape[n] != 0 ? "true" : "false");
        else text_printf(&text[n], "%.17g", v->shape[n]);
        set[n] = (RbValue){f->name, text_get(&text[n])};
        n++;
    }
    RbProgram *program =
        set && text ? study->translate(study->owner, set, n, &error) : NULL;
    Making m = {.study = study, .program = program, .variant = v, .error = &error};
    if (program && (!memory_call(study->memory, open_variant, &m) || m.status != RB_OK)) {
        rb_program_free(program);
        program = NULL;
    }
    if (!program)
        v->why = mem_string(*error.text ? error.text : "it cannot be translated");
    v->program = program;
    for (int k = 0; text && k < n; k++) text_free(&text[k]);
    MEM_FREE(text, set);
}

void study_prepare(RbStudy *study, long number) {
    Variant *v = study_variant(study, number);
    if (study->variant_of && !v->tried) translate(study, v);
}

void study_translate(RbStudy *study, bool (*look_on)(void *context), void *context) {
    if (!study->variant_of) return;
    for (long i = 0; i < cases_count(&study->plan); i++) {
        Variant *v = study_variant(study, i);
        if (v->tried || study->outcome[i].status != OPEN) continue;
        study_prepare(study, i);
        if (!look_on(context)) atomic_store(&study->stop_asked, true);
        if (atomic_load(&study->stop_asked)) return;
    }
}

/* ---- making one ---- */

static RbStatus find_courses(Making *m) {
    RbStudy *study = m->study;
    regex_t  pattern;
    if (!m->given->trajectories) return RB_OK;
    if (regcomp(&pattern, m->given->trajectories, REG_EXTENDED | REG_NOSUB) != 0)
        return error_set(m->error, RB_ARGUMENT, "'%s' is no regular expression",
                         m->given->trajectories);
    const int n = rb_info(m->program).variables;
    for (int v = 0; v < n; v++) {
        char       name[1000];
        RbVariable info = rb_variable(m->program, v, name, sizeof name);
        if (info.kind == RB_HIDDEN || info.kind == RB_PARAMETER ||
            info.kind == RB_CONSTANT || info.kind == RB_DERIVATIVE ||
            regexec(&pattern, name, 0, NULL, 0) != 0)
            continue;
        Names *c = &study->courses;
        c->name =
            arena_grow(&study->arena, c->name, sizeof(char *), &c->room, c->count + 1);
        c->name[c->count++] = arena_string(&study->arena, name, strlen(name));
    }
    regfree(&pattern);
    if (study->courses.count) return RB_OK;
    return error_set(m->error, RB_ARGUMENT, "no variable matches '%s'",
                     m->given->trajectories);
}

static void copy_set(RbStudy *study, const RbStudyPlan *given) {
    study->sets = given->sets;
    study->set = NEW(&study->arena, RbValue, given->sets + 1);
    for (int k = 0; k < given->sets; k++)
        study->set[k] = (RbValue){
            arena_string(&study->arena, given->set[k].name, strlen(given->set[k].name)),
            arena_string(&study->arena, given->set[k].value,
                         strlen(given->set[k].value))};
}

static const char *copied(RbStudy *study, const char *text) {
    return text ? arena_string(&study->arena, text, strlen(text)) : NULL;
}

/* Points of the output are made only where somebody looks at them. */
static void copy_options(Making *m) {
    RbStudy *study = m->study;
    RbInfo   info = rb_info(m->program);
    if (m->given->options) study->options = *m->given->options;
    RbOptions *o = &study->options;
    o->solver = copied(study, o->solver);
    o->method = copied(study, o->method);
    o->exchange = o->instances = NULL;
    o->threads = 1;
    if (!study->keeps.points && !study->courses.count) o->interval = -1;
    study->start = o->given_start ? o->start : isnan(info.start) ? 0 : info.start;
    study->stop = o->given_stop      ? o->stop
                  : isnan(info.stop) ? study->start + 1
                                     : info.stop;
}

/* Everything that results depend on. */
static uint64_t key_of(const Making *m) {
    const RbStudy   *study = m->study;
    const RbOptions *o = &study->options;
    Text             all = {0};
    size_t           bytes;
    const void      *data = rb_program_data(m->program, &bytes);
    text_printf(&all, "%s\n%016llx\n", rb_version(),
                (unsigned long long)hash_bytes(data, bytes));
    text_printf(&all, "%.17g %.17g %d %.17g %.17g %ld %s %s %d %d %.17g %.17g %.17g %d\n",
                study->start, study->stop, o->given_tolerance, o->tolerance, o->interval,
                o->max_steps, o->solver ? o->solver : "", o->method ? o->method : "",
                o->rates, o->global_events, o->max_step, o->fixed_step, o->absolute,
                o->bounds);
    for (int k = 0; k < study->sets; k++)
        text_printf(&all, "%s=%s\n", study->set[k].name, study->set[k].value);
    for (int k = 0; k < study->keeps.keeps; k++)
        text_printf(&all, "%s\n", study->keeps.keep[k].name);
    for (int k = 0; k < study->courses.count; k++)
        text_printf(&all, "%s\n", study->courses.name[k]);
    const Cases *plan = &study->plan;
    text_printf(&all, "%ld %ld\n", plan->grid, plan->samples);
    for (int k = 0; k < plan->factors; k++) {
        const Factor *f = &plan->factor[k];
        text_printf(&all, "%s %d\n", f->name, f->levels);
        if (f->level)
            text_bytes(&all, (const char *)f->level, sizeof(double) * (size_t)f->levels);
    }
    uint64_t samples =
        hash_bytes(plan->sample, plan->sample ? sizeof(double) * (size_t)plan->samples *
                                                    (size_t)plan->columns
                                              : 0);
    text_bytes(&all, (const char *)&samples, sizeof samples);
    uint64_t key = hash_bytes(text_get(&all), all.length);
    text_free(&all);
    return key;
}

static void make_plan(void *context) {
    Making  *m = context;
    RbStudy *study = m->study;
    session_init(&study->session);
    study->translate = m->given->translate;
    study->owner = m->given->owner;
    m->status = cases_make(&study->plan, &study->arena, m->given, m->error);
    if (m->status == RB_OK)
        m->status = keeps_make(&study->keeps, &study->arena, &study->session, m->given,
                               m->program, m->error);
    if (m->status == RB_OK) m->status = find_courses(m);
    if (m->status != RB_OK) return;
    copy_set(study, m->given);
    copy_options(m);
}

static void make_room(void *context) {
    Making  *m = context;
    RbStudy *study = m->study;
    Variant  first = {.program = m->program};
    int      shaping = 0;
    for (int k = 0; k < study->plan.factors; k++) shaping += study->plan.factor[k].shapes;
    m->variant = &first;
    open_variant(m); /* names are looked at before anything runs */
    if (m->status != RB_OK) return;
    if (shaping) m->status = find_variants(m, shaping);
    else {
        study->variant = arena_copy(&study->arena, &first, sizeof first);
        study->variant->tried = true;
        study->variants = 1;
        rb_program_retain(m->program);
    }
    size_t cases = (size_t)cases_count(&study->plan);
    study->queue = NEW(&study->arena, long, QUEUE);
    study->outcome = NEW(&study->arena, Outcome, cases);
    study->value = NEW(&study->arena, double, cases *(size_t)study->keeps.keeps + 1);
    for (size_t i = 0; i < cases; i++) study->outcome[i].status = OPEN;
    study->key = key_of(m);
}

/* Simulations are tried outside of the domain: what programs share would belong to it. False: no
 * memory. */
static bool make(Making *m) {
    RbStudy *study = m->study;
    if (!memory_call(study->memory, make_plan, m)) return false;
    for (int k = 0; k < study->plan.factors && m->status == RB_OK; k++)
        m->status = try_factor(m, k);
    return m->status != RB_OK || memory_call(study->memory, make_room, m);
}

RbStudy *rb_study_new(RbProgram *program, const RbStudyPlan *plan, RbError *error) {
    RbError  own;
    RbStudy *study = mem_take(1, sizeof *study);
    if (!error) error = &own;
    *error = (RbError){.status = RB_OK};
    if (study) study->memory = memory_new();
    Making m = {.study = study, .given = plan, .program = program, .error = error};
    if (study) {
        pthread_mutex_init(&study->lock, NULL);
        pthread_cond_init(&study->news, NULL);
    }
    bool fine = study && study->memory && make(&m);
    if (fine && m.status == RB_OK) return study;
    if (!fine) {
        error_set(error, RB_NO_MEMORY, "there is no memory");
        if (study) study->variants = 0;
    }
    rb_study_free(study);
    return NULL;
}

void rb_study_free(RbStudy *study) {
    if (!study) return;
    for (int k = 0; k < study->variants; k++) {
        rb_program_free(study->variant[k].program);
        mem_free(study->variant[k].why);
    }
    journal_close(study);
    TEXT_FREE(&study->memory_journal, &study->path, &study->reason, &study->room,
              &study->outbox);
    pthread_mutex_destroy(&study->lock);
    pthread_cond_destroy(&study->news);
    memory_free(study->memory);
    mem_free(study);
}

/* ---- what is known ---- */

long rb_study_cases(const RbStudy *study) {
    return cases_count(&study->plan);
}

int rb_study_varied(const RbStudy *study) {
    return study->plan.factors;
}

int rb_study_columns(const RbStudy *study) {
    return study->plan.factors + study->keeps.keeps;
}

int rb_study_programs(const RbStudy *study) {
    return study->variants;
}

const char *rb_study_column(const RbStudy *study, int column) {
    const int factors = study->plan.factors;
    if (column < 0 || column >= rb_study_columns(study)) return NULL;
    return column < factors ? study->plan.factor[column].name
                            : study->keeps.keep[column - factors].name;
}

double rb_study_value(const RbStudy *study, long number, int column) {
    const int factors = study->plan.factors;
    if (number < 0 || number >= cases_count(&study->plan) || column < 0 ||
        column >= rb_study_columns(study))
        return NAN;
    if (column < factors) return cases_value(&study->plan, number, column);
    if (study->outcome[number].status == OPEN) return NAN;
    return study
        ->value[(size_t)number * (size_t)study->keeps.keeps + (size_t)(column - factors)];
}

RbStatus rb_study_status(const RbStudy *study, long number) {
    if (number < 0 || number >= cases_count(&study->plan)) return RB_ARGUMENT;
    const int status = study->outcome[number].status;
    return status == OPEN ? RB_STOPPED : (RbStatus)status;
}

const char *rb_study_reason(RbStudy *study, long number) {
    CaseRecord record;
    text_clear(&study->reason);
    if (rb_study_status(study, number) != RB_OK &&
        journal_read(study, number, &study->room, &record))
        text_bytes(&study->reason, record.words, record.head.words);
    return text_get(&study->reason);
}

int rb_study_courses(const RbStudy *study) {
    return study->courses.count;
}

const char *rb_study_course(const RbStudy *study, int course) {
    return course >= 0 && course < study->courses.count ? study->courses.name[course]
                                                        : NULL;
}

long rb_study_points(RbStudy *study, long number, const double **points) {
    CaseRecord record;
    *points = NULL;
    if (number < 0 || number >= cases_count(&study->plan) ||
        !journal_read(study, number, &study->room, &record))
        return 0;
    *points = record.course;
    return (long)record.head.points;
}
