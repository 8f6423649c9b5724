/* SPDX-License-Identifier: Apache-2.0 */
/* variables.c -- runs of variables, their attributes and names.
 *
 * Finding the run of a variable is a binary search. */
#include "program/variables.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int variables_run(const Variables *all, int var) {
    assert(var >= 0 && var < all->vars);
    int low = 0, high = all->runs - 1;
    while (low < high) { /* the last run whose first is not above var */
        int middle = low + (high - low + 1) / 2;
        if (all->run[middle].first <= var) low = middle;
        else high = middle - 1;
    }
    return low;
}

const Attribute *variables_attribute(const Variables *all, int run, AttributeName name) {
    for (int a = all->run[run].attribute; a >= 0; a = all->attribute[a].next)
        if (all->attribute[a].name == name) return &all->attribute[a];
    return NULL;
}

bool variables_known(const Variables *all, int run, AttributeName name, int element,
                     double *value) {
    for (int depth = 0; depth < 100; depth++) { /* a chain of bindings, maybe a cycle */
        const Attribute *a = variables_attribute(all, run, name);
        if (!a) return false;
        if (a->kind == VALUE_ONE) *value = a->value;
        else if (a->kind == VALUE_LIST) *value = all->value[a->index + element];
        if (a->kind != VALUE_VARIABLE) return true;
        int var = a->index + a->stride * element;
        run = variables_run(all, var);
        element = var - all->run[run].first;
        name = ATTR_BINDING;
    }
    return false;
}

const char *run_refuses(const VarRun *run, double value) {
    bool whole = value == floor(value);
    if (run->type == TYPE_INTEGER && !whole) return "this is an Integer";
    if (run->type == TYPE_BOOLEAN && value != 0 && value != 1)
        return "this is a Boolean: true or false";
    if (run->type == TYPE_ENUM && (!whole || value < 1))
        return "this is an enumeration: the name or the number of a literal";
    return NULL;
}

double variables_nominal(const Variables *all, int var) {
    int    run = variables_run(all, var);
    double value = 1;
    variables_known(all, run, ATTR_NOMINAL, var - all->run[run].first, &value);
    return value != 0 ? fabs(value) : 1;
}

static void write_subscript(Text *out, int number) {
    char digit[12];
    int  n = (int)sizeof digit;
    for (; number > 0; number /= 10) digit[--n] = (char)('0' + number % 10);
    text_bytes(out, digit + n, sizeof digit - (size_t)n);
}

void name_write(const char *pattern, const int *size, int dims, int element, Text *out) {
    int index[NAME_DIMS], next = 0;
    for (int d = dims - 1; d >= 0; d--) {
        index[d] = element % size[d];
        element /= size[d];
    }
    for (;;) {
        size_t plain = strcspn(pattern, (const char[]){NAME_SUBSCRIPT, 0});
        text_bytes(out, pattern, plain);
        if (!pattern[plain]) return;
        write_subscript(out, index[next++] + 1);
        pattern += plain + 1;
    }
}

size_t name_within(const char *pattern, const char *name) {
    const char *at = name;
    for (; *pattern; pattern++) {
        if (*pattern == NAME_SUBSCRIPT) at += strspn(at, "0123456789");
        else if (*at++ != *pattern) return 0;
    }
    return *at == '.' ? (size_t)(at - name) : 0;
}

void variables_name(const Variables *all, int var, NameBase *base, const void *owner,
                    Text *out) {
    static const char *const word[] = {[VAR_DER] = "der",
                                       [VAR_PRE] = "pre",
                                       [VAR_PREVIOUS] = "previous",
                                       [VAR_RATE] = "der"};
    const VarRun            *run = &all->run[variables_run(all, var)];
    int                      depth = 0;
    for (; run->of >= 0; depth++) {
        text_printf(out, "%s(", word[run->kind]);
        var = all->run[run->of].first + (var - run->first);
        run = &all->run[run->of];
    }
    base(owner, run, var - run->first, out);
    while (depth--) text_char(out, ')');
}
