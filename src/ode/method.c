/* SPDX-License-Identifier: Apache-2.0 */
/* method.c -- from a name to a method ready to run, and the list of all names.
 *
 * Tables are completed to full matrices, fully implicit families are generated and
 * transformed, dense output is derived. Everything lies in the method's own arena. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ode/core.h"

typedef struct FamilyName {
    const char *prefix; /* the stage number follows */
    const char *source;
    NodeFamily  family;
    int         least, most; /* stages */
} FamilyName;

static const FamilyName families[] = {
    {"gauss", "Kuntzmann 1961, Butcher 1964", FAMILY_GAUSS, 1, 6},
    {"radauIA", "Ehle 1969", FAMILY_RADAU_IA, 1, 7},
    {"radauIIA", "Ehle 1969, Axelsson 1969", FAMILY_RADAU_IIA, 1, 7},
    {"lobattoIIIA", "Ehle 1969", FAMILY_LOBATTO_IIIA, 2, 5},
    {"lobattoIIIB", "Ehle 1969", FAMILY_LOBATTO_IIIB, 2, 5},
    {"lobattoIIIC", "Chipman 1971", FAMILY_LOBATTO_IIIC, 2, 5},
};

static const char *const family_names[][8] = {
    {"gauss1", "gauss2", "gauss3", "gauss4", "gauss5", "gauss6"},
    {"radauIA1", "radauIA2", "radauIA3", "radauIA4", "radauIA5", "radauIA6", "radauIA7"},
    {"radauIIA1", "radauIIA2", "radauIIA3", "radauIIA4", "radauIIA5", "radauIIA6",
     "radauIIA7"},
    {"lobattoIIIA2", "lobattoIIIA3", "lobattoIIIA4", "lobattoIIIA5"},
    {"lobattoIIIB2", "lobattoIIIB3", "lobattoIIIB4", "lobattoIIIB5"},
    {"lobattoIIIC2", "lobattoIIIC3", "lobattoIIIC4", "lobattoIIIC5"},
};

static const Table *const table_lists[] = {explicit_tables, dirk_tables,
                                           rosenbrock_tables};

/* Calls back per name is not needed: the list is short, so index by counting. */
const char *method_name(int index) {
    for (int l = 0; l < LENGTH(table_lists); l++)
        for (const Table *t = table_lists[l]; t->name; t++)
            if (index-- == 0) return t->name;
    for (int f = 0; f < LENGTH(families); f++)
        for (int k = 0; k <= families[f].most - families[f].least; k++)
            if (index-- == 0) return family_names[f][k];
    return NULL;
}

static const Table *find_table(const char *name) {
    for (int l = 0; l < LENGTH(table_lists); l++)
        for (const Table *t = table_lists[l]; t->name; t++)
            if (strcmp(t->name, name) == 0) return t;
    return NULL;
}

static bool take_arrays(Method *m) {
    const int s = m->stages;
    double  **square[] = {&m->a, &m->single, &m->ua, &m->uc};
    double  **vector[] = {&m->b, &m->c, &m->e, &m->um, &m->ue, &m->ud, &m->slope0};
    for (int i = 0; i < LENGTH(square); i++)
        if (!(*square[i] = NEW(&m->arena, double, s *s))) return false;
    for (int i = 0; i < LENGTH(vector); i++)
        if (!(*vector[i] = NEW(&m->arena, double, s))) return false;
    return true;
}

/* Rows of `width(i)` entries, i or i + 1, to a full matrix. */
static void spread(int s, bool diagonal, const double *packed, double *full) {
    for (int i = 0; i < s; i++)
        for (int j = 0; j < i + (diagonal ? 1 : 0); j++) full[i * s + j] = *packed++;
}

/* Gamma^-1 = I / gamma - C; a = ua Gamma, b = um Gamma, k = Gamma^-1 u. */
static void from_transformed(Method *m, double *inverse) {
    const int s = m->stages;
    double    g[METHOD_STAGES * METHOD_STAGES] = {0};
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            inverse[i * s + j] = (i == j ? 1.0 / m->gamma : 0.0) - m->uc[i * s + j];
    for (int c = 0; c < s; c++) /* Gamma, column by column: forward substitution */
        for (int i = c; i < s; i++) {
            double sum = i == c;
            for (int j = c; j < i; j++) sum -= inverse[i * s + j] * g[j * s + c];
            g[i * s + c] = sum * m->gamma;
        }
    for (int j = 0; j < s; j++) {
        for (int i = 0; i < s; i++)
            for (int k = 0; k < s; k++)
                m->a[i * s + j] += m->ua[i * s + k] * g[k * s + j];
        for (int k = 0; k < s; k++) {
            m->b[j] += m->um[k] * g[k * s + j];
            m->e[j] += m->ue[k] * g[k * s + j];
        }
    }
    for (int i = 0; i < s * s; i++) m->single[i] = m->a[i] + g[i];
}

/* Dense weights are wanted for u, not for k. */
static void dense_in_u(Method *m, const double *inverse) {
    const int s = m->stages, p = m->powers;
    double    out[METHOD_STAGES * METHOD_POWERS] = {0};
    for (int j = 0; j < s; j++)
        for (int k = 0; k < p; k++)
            for (int i = 0; i < s; i++)
                out[j * p + k] += m->dense[i * p + k] * inverse[i * s + j];
    memcpy(m->dense, out, sizeof(double) * (size_t)(s * p));
}

static bool complete_table(Method *m, const Table *t) {
    const int s = m->stages;
    memcpy(m->c, t->c, sizeof(double) * (size_t)s);
    m->gamma = t->gamma;
    if (t->kind == METHOD_ROSENBROCK) {
        double inverse[METHOD_STAGES * METHOD_STAGES];
        spread(s, false, t->a, m->ua);
        spread(s, false, t->uc, m->uc);
        memcpy(m->um, t->um, sizeof(double) * (size_t)s);
        memcpy(m->ue, t->ue, sizeof(double) * (size_t)s);
        memcpy(m->ud, t->ud, sizeof(double) * (size_t)s);
        from_transformed(m, inverse);
        m->adaptive = true;
        if (!interpolant_build(m)) return false;
        dense_in_u(m, inverse);
        return true;
    }
    spread(s, t->kind == METHOD_DIRK, t->a, m->a);
    memcpy(m->single, m->a, sizeof(double) * (size_t)(s * s));
    memcpy(m->b, t->b, sizeof(double) * (size_t)s);
    m->adaptive = t->bhat != NULL;
    for (int i = 0; t->bhat && i < s; i++) m->e[i] = t->b[i] - t->bhat[i];
    m->first_explicit = m->a[0] == 0.0;
    bool last = fabs(m->c[s - 1] - 1.0) < 1e-15;
    for (int j = 0; j < s; j++)
        last = last && fabs(m->a[(s - 1) * s + j] - m->b[j]) < 1e-15;
    m->fsal = last;
    m->stiffly_accurate = last && t->kind == METHOD_DIRK;
    for (int i = 0; i < s && t->kind == METHOD_DIRK; i++)
        if (m->a[i * s + i] != 0.0) m->gamma = m->a[i * s + i];
    return interpolant_build(m);
}

static bool complete_family(Method *m, NodeFamily family) {
    const int   s = m->stages;
    long double a[METHOD_CORE * METHOD_CORE], b[METHOD_CORE], c[METHOD_CORE],
        core[METHOD_CORE * METHOD_CORE];
    family_table(family, s, a, b, c);
    for (int i = 0; i < s * s; i++) m->a[i] = m->single[i] = (double)a[i];
    for (int i = 0; i < s; i++) m->b[i] = (double)b[i], m->c[i] = (double)c[i];
    m->first_explicit = family == FAMILY_LOBATTO_IIIA;
    m->last_explicit = family == FAMILY_LOBATTO_IIIB;
    m->stiffly_accurate = family == FAMILY_RADAU_IIA || family == FAMILY_LOBATTO_IIIA ||
                          family == FAMILY_LOBATTO_IIIC;
    m->fsal = m->stiffly_accurate;
    m->first = m->first_explicit ? 1 : 0;
    m->core = s - (m->first_explicit || m->last_explicit ? 1 : 0);
    for (int i = 0; i < m->core; i++)
        for (int j = 0; j < m->core; j++)
            core[i * m->core + j] = a[(i + m->first) * s + j + m->first];
    double **square[] = {&m->inverse, &m->to_z, &m->to_w};
    for (int i = 0; i < LENGTH(square); i++)
        if (!(*square[i] = NEW(&m->arena, double, m->core * m->core))) return false;
    if (!block_diagonalise(m->core, core, m->inverse, m->to_z, m->to_w, m->lambda,
                           &m->reals, &m->pairs))
        return false;
    /* The estimate compares f at the start with the slopes of the stages after it. */
    double    node[METHOD_CORE], value[METHOD_CORE];
    const int from = m->c[0] < 1e-12 ? 1 : 0;
    for (int i = from; i < s; i++) node[i - from] = m->c[i];
    lagrange_values(s - from, node, 0.0, value);
    for (int i = from; i < s; i++) m->slope0[i] = value[i - from];
    m->estimate = s - from < m->order ? s - from : m->order;
    m->adaptive = s - from > 0;
    return interpolant_build(m);
}

bool method_known(const char *name) {
    const char *one;
    for (int i = 0; (one = method_name(i)) != NULL; i++)
        if (strcmp(one, name) == 0) return true;
    return false;
}

Method *method_new(const char *name) {
    Method *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    const Table *t = find_table(name);
    bool         ok = false;
    if (t) {
        *m = (Method){.name = t->name,
                      .source = t->source,
                      .kind = t->kind,
                      .stages = t->stages,
                      .order = t->order};
        m->estimate = t->embedded < t->order ? t->embedded : t->order;
        ok = take_arrays(m) && complete_table(m, t);
    }
    for (int f = 0; !t && f < LENGTH(families); f++)
        for (int k = 0; k <= families[f].most - families[f].least; k++) {
            if (strcmp(family_names[f][k], name) != 0) continue;
            const int s = families[f].least + k;
            *m = (Method){.name = family_names[f][k],
                          .source = families[f].source,
                          .kind = METHOD_FIRK,
                          .stages = s,
                          .order = family_order(families[f].family, s)};
            ok = take_arrays(m) && complete_family(m, families[f].family);
        }
    if (ok) {
        defect_prepare(m);
        return m;
    }
    method_free(m);
    return NULL;
}

void method_free(Method *m) {
    if (!m) return;
    arena_free(&m->arena);
    free(m);
}

void methods_print(Text *out) {
    static const char *const kinds[] = {"explicit", "diagonally implicit", "Rosenbrock",
                                        "fully implicit"};
    text_printf(out, "%-13s %-20s %6s %5s %9s %6s  %-22s %s\n", "method", "class",
                "stages", "order", "estimator", "dense", "stability", "source");
    for (int i = 0; method_name(i); i++) {
        Method *m = method_new(method_name(i));
        if (!m) continue;
        const Stability st = stability_of(m);
        char            text[40];
        if (m->kind == METHOD_EXPLICIT)
            snprintf(text, sizeof text, "real axis to -%.1f", st.interval);
        else if (st.a_stable)
            snprintf(text, sizeof text, st.l_stable ? "L" : "A, R(inf) = %.2g",
                     st.infinity);
        else snprintf(text, sizeof text, "A(%.1f), R(inf) = %.2g", st.angle, st.infinity);
        text_printf(out, "%-13s %-20s %6d %5d %9d %6d  %-22s %s\n", m->name,
                    kinds[m->kind], m->stages, m->order, m->estimate, m->dense_order,
                    text, m->source);
        method_free(m);
    }
}
