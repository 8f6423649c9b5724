/* SPDX-License-Identifier: Apache-2.0 */
/* cases.c -- which values each case has.
 *
 *   NAME=A:STEP:B   NAME=A:B   NAME=lin(A,B,N)   NAME=log(A,B,N)   NAME=V,V,...      a grid
 *   NAME=uniform(A,B)  loguniform(A,B)  normal(MEAN,SD)  lognormal(MEDIAN,FACTOR)    samples
 *   a table: a CSV file, a column for each name, a line for each case
 *
 * Cases are all combinations of the levels of grids, the first factor slowest, each with all lines of
 * the table or with all samples. */
#include "study/study.h"

#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MOST = 10000000 };

typedef struct Reading { /* of one factor */
    Arena      *arena;
    const char *word; /* as given */
    RbError    *error;
} Reading;

static RbStatus wrong(const Reading *r, const char *why) {
    return error_set(r->error, RB_ARGUMENT, "%s: %s", r->word, why);
}

/* Numbers separated by a sign; how many, -1 if something else is there. */
static int numbers(const char *text, size_t length, char sign, double *value, int most,
                   bool *truth) {
    const char *end = text + length;
    for (int n = 0; n < most; n++) {
        char *after;
        while (text < end && *text == ' ') text++;
        if (end - text >= 4 && strncmp(text, "true", 4) == 0) {
            value[n] = 1, after = (char *)text + 4, *truth = true;
        } else if (end - text >= 5 && strncmp(text, "false", 5) == 0) {
            value[n] = 0, after = (char *)text + 5, *truth = true;
        } else value[n] = number_read(text, &after);
        if (after == text || after > end || !isfinite(value[n])) return -1;
        while (after < end && *after == ' ') after++;
        if (after == end) return n + 1;
        if (*after != sign) return -1;
        text = after + 1;
    }
    return -1;
}

/* Name of a function in front of parentheses that go to the end of the text; NULL: none of these. */
static const char *call_of(const char *text, const char *const *name, int names,
                           double *value, int arguments) {
    size_t length = strlen(text);
    bool   truth = false;
    for (int k = 0; k < names; k++) {
        size_t n = strlen(name[k]);
        if (strncmp(text, name[k], n) != 0 || text[n] != '(' || text[length - 1] != ')')
            continue;
        int given = numbers(text + n + 1, length - n - 2, ',', value, arguments, &truth);
        return given == arguments && !truth ? name[k] : "";
    }
    return NULL;
}

static RbStatus levels_spaced(const Reading *r, Factor *f, const double *v, bool log) {
    if (!(v[2] >= 1) || v[2] != floor(v[2]) || v[2] > LEVELS_MOST)
        return wrong(r, "the number of values is a whole number from 1 on");
    if (log && !(v[0] > 0 && v[1] > 0)) return wrong(r, "logarithms need positive ends");
    f->levels = (int)v[2];
    f->level = NEW(r->arena, double, f->levels);
    for (int k = 0; k < f->levels; k++) {
        double share = f->levels > 1 ? (double)k / (f->levels - 1) : 0;
        f->level[k] = log ? v[0] * pow(v[1] / v[0], share) : v[0] + (v[1] - v[0]) * share;
    }
    if (f->levels > 1) f->level[f->levels - 1] = v[1]; /* exactly */
    return RB_OK;
}

/* A:STEP:B with the end included if a step ends there, but for rounding. */
static RbStatus levels_range(const Reading *r, Factor *f, const double *v, int n) {
    double first = v[0], step = n == 3 ? v[1] : 1, last = v[n - 1];
    double steps = step != 0 ? (last - first) / step : -1;
    if (!(steps >= 0))
        return wrong(r, "the step does not lead from the first to the last");
    if (steps > LEVELS_MOST) return wrong(r, "these are too many values");
    f->levels = (int)floor(steps * (1 + 1e-12) + 1e-9) + 1;
    f->level = NEW(r->arena, double, f->levels);
    for (int k = 0; k < f->levels; k++) f->level[k] = first + k * step;
    return RB_OK;
}

static RbStatus levels_list(const Reading *r, Factor *f, const char *text) {
    int most = 1;
    for (const char *c = text; *c; c++) most += *c == ',';
    f->level = NEW(r->arena, double, most);
    f->levels = numbers(text, strlen(text), ',', f->level, most, &f->truth);
    return f->levels > 0
               ? RB_OK
               : wrong(r, "this is neither numbers, nor a range A:STEP:B, nor lin, log, "
                          "uniform, loguniform, normal, lognormal (...)");
}

static RbStatus read_law(const Reading *r, Factor *f, const char *name, const double *v) {
    f->a = v[0];
    f->b = v[1];
    if (strcmp(name, "normal") == 0) {
        f->law = LAW_NORMAL;
        return v[1] >= 0 ? RB_OK : wrong(r, "a standard deviation is not negative");
    }
    if (strcmp(name, "lognormal") == 0) {
        f->law = LAW_LOGNORMAL;
        return v[0] > 0 && v[1] >= 1
                   ? RB_OK
                   : wrong(r, "lognormal needs a positive median and a factor from 1 on");
    }
    f->law = strcmp(name, "uniform") == 0 ? LAW_UNIFORM : LAW_LOGUNIFORM;
    if (!(v[0] <= v[1])) return wrong(r, "the first end is above the second");
    return f->law == LAW_UNIFORM || v[0] > 0 ? RB_OK
                                             : wrong(r, "logarithms need positive ends");
}

static RbStatus read_factor(const Reading *r, Factor *f, const char *text) {
    static const char *const spaced[] = {"lin", "log"}, *const laws[] = {
                                                            "uniform", "loguniform",
                                                            "normal", "lognormal"};
    double      v[3];
    bool        truth = false;
    const char *name = call_of(text, spaced, LENGTH(spaced), v, 3);
    if (name && !*name)
        return wrong(r, "lin and log have three numbers: first, last, how many");
    if (name) return levels_spaced(r, f, v, name[1] == 'o');
    name = call_of(text, laws, LENGTH(laws), v, 2);
    if (name && !*name) return wrong(r, "a distribution has two numbers");
    if (name) return read_law(r, f, name, v);
    int n = numbers(text, strlen(text), ':', v, 3, &truth);
    if (n >= 2 && !truth) return levels_range(r, f, v, n);
    return levels_list(r, f, text);
}

static Factor *add_factor(Cases *plan, Arena *arena, const char *name, size_t length) {
    plan->factor = arena_grow(arena, plan->factor, sizeof *plan->factor, &plan->room,
                              plan->factors + 1);
    Factor *f = &plan->factor[plan->factors++];
    *f = (Factor){.name = arena_string(arena, name, length)};
    return f;
}

static RbStatus read_varied(Cases *plan, Arena *arena, const RbStudyPlan *given,
                            RbError *error) {
    for (int k = 0; k < given->varies; k++) {
        Reading     r = {arena, given->vary[k], error};
        const char *sign = strchr(r.word, '=');
        if (!sign || sign == r.word) return wrong(&r, "this is not NAME=VALUES");
        size_t n = (size_t)(sign - r.word);
        while (n && r.word[n - 1] == ' ') n--;
        Factor  *f = add_factor(plan, arena, r.word, n);
        RbStatus status = read_factor(&r, f, sign + 1 + strspn(sign + 1, " "));
        if (status != RB_OK) return status;
        if (!f->level) f->column = plan->columns++;
        for (int other = 0; other < plan->factors - 1; other++)
            if (strcmp(plan->factor[other].name, f->name) == 0)
                return wrong(&r, "this varies twice");
    }
    return RB_OK;
}

static double by_law(const Factor *f, double u) {
    switch (f->law) {
    case LAW_UNIFORM: return f->a + (f->b - f->a) * u;
    case LAW_LOGUNIFORM: return f->a * pow(f->b / f->a, u);
    case LAW_NORMAL: return f->a + f->b * normal_quantile(u);
    case LAW_LOGNORMAL: return f->a * pow(f->b, normal_quantile(u));
    default: return u;
    }
}

/* KIND:N[:SEED] */
static RbStatus make_samples(Cases *plan, Arena *arena, const char *word,
                             RbError *error) {
    static const char *const name[] = {
        [SAMPLE_RANDOM] = "mc:", [SAMPLE_LATIN] = "lhs:", [SAMPLE_SOBOL] = "sobol:"};
    double v[2] = {0, 1};
    bool   truth;
    for (int kind = 0; kind < LENGTH(name); kind++) {
        size_t n = strlen(name[kind]);
        if (strncmp(word, name[kind], n) != 0) continue;
        int given = numbers(word + n, strlen(word + n), ':', v, 2, &truth);
        if (given < 1 || !(v[0] >= 1) || v[0] > CASES_MOST || v[0] != floor(v[0]) ||
            v[1] != floor(v[1]) || fabs(v[1]) > 0x1p53)
            break;
        if (kind == SAMPLE_SOBOL && plan->columns > SOBOL_MOST)
            return error_set(error, RB_ARGUMENT,
                             "sobol has at most %d dimensions, not %d", SOBOL_MOST,
                             plan->columns);
        plan->samples = (long)v[0];
        plan->sample =
            NEW(arena, double, (size_t)plan->samples *(size_t)plan->columns + 1);
        sample_fill((SampleKind)kind, (uint64_t)(int64_t)v[1], plan->samples,
                    plan->columns, plan->sample);
        for (long i = 0; i < plan->samples; i++)
            for (int k = 0; k < plan->factors; k++)
                if (!plan->factor[k].level) {
                    double *x = &plan->sample[i * plan->columns + plan->factor[k].column];
                    *x = by_law(&plan->factor[k], *x);
                }
        return RB_OK;
    }
    return error_set(error, RB_ARGUMENT,
                     "samples are mc:N[:SEED], lhs:N[:SEED] or sobol:N[:SEED], not '%s'",
                     word);
}

static RbStatus read_table(Cases *plan, Arena *arena, const char *path, RbError *error) {
    Result      table;
    const char *why = "";
    if (!result_table(&table, path, &why))
        return error_set(error, RB_FILE, "cannot read '%s': %s", path, why);
    plan->samples = table.points;
    plan->columns = table.variables;
    plan->sample = NEW(arena, double, (size_t)table.points *(size_t)table.variables + 1);
    RbStatus status = RB_OK;
    if (!table.points)
        status = error_set(error, RB_FILE, "'%s' has no line of values", path);
    for (int v = 0; v < table.variables && status == RB_OK; v++) {
        add_factor(plan, arena, table.name[v], strlen(table.name[v]))->column = v;
        for (int i = 0; i < table.points && status == RB_OK; i++) {
            double x = plan->sample[(size_t)i * (size_t)plan->columns + (size_t)v] =
                result_value(&table, v, i);
            if (!isfinite(x))
                status = error_set(error, RB_FILE, "'%s', line %d: %s has no number",
                                   path, i + 2, table.name[v]);
        }
    }
    result_free(&table);
    return status;
}

RbStatus cases_make(Cases *plan, Arena *arena, const RbStudyPlan *given, RbError *error) {
    plan->samples = plan->grid = 1;
    RbStatus status = read_varied(plan, arena, given, error);
    if (status != RB_OK) return status;
    if (plan->columns && given->table)
        return error_set(error, RB_ARGUMENT, "a study has samples or a table, not both");
    if (plan->columns && !given->sample)
        return error_set(error, RB_ARGUMENT,
                         "distributions need to know how many samples: lhs:1000, "
                         "sobol:1024 or mc:1000");
    if (given->sample && !plan->columns)
        return error_set(error, RB_ARGUMENT,
                         "samples of nothing: no parameter has a "
                         "distribution");
    if (given->sample) status = make_samples(plan, arena, given->sample, error);
    if (given->table) status = read_table(plan, arena, given->table, error);
    double cases = (double)plan->samples;
    for (int k = 0; k < plan->factors; k++)
        if (plan->factor[k].level) {
            cases *= plan->factor[k].levels;
            if (cases <= CASES_MOST) plan->grid *= plan->factor[k].levels;
        }
    if (status != RB_OK) return status;
    if (!plan->factors)
        return error_set(error, RB_ARGUMENT, "nothing varies in this study");
    if (cases > CASES_MOST)
        return error_set(error, RB_ARGUMENT, "%.3g cases are too many; at most %d", cases,
                         CASES_MOST);
    return RB_OK;
}

double cases_value(const Cases *plan, long number, int factor) {
    const Factor *f = &plan->factor[factor];
    if (!f->level)
        return plan->sample[number % plan->samples * plan->columns + f->column];
    long rest = number / plan->samples;
    for (int k = plan->factors - 1; k > factor; k--)
        if (plan->factor[k].level) rest /= plan->factor[k].levels;
    return f->level[rest % f->levels];
}
