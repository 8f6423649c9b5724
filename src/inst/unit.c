/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c -- unit expressions (Modelica 3.6, chapter 19).
 *
 *   expression  = numerator ["/" denominator]
 *   numerator   = "1" | factors | "(" expression ")"
 *   denominator = factor | "(" expression ")"
 *   factors     = factor {"." factor}
 *   factor      = [prefix] symbol [["+" | "-"] digits]
 *
 * A symbol of the table wins over a prefix and a symbol: "cd" is the candela, "min" the
 * minute. Parentheses also stand in products, as "(Pa.s)/m3" and "m.(s/K)" show. */
#include "inst/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Symbol {
    const char *name;
    bool        prefixes;
    double      factor, offset;
    int8_t      exponent[UNIT_BASES];
} Symbol;

typedef struct Prefix {
    const char *name;
    double      factor;
} Prefix;

#define UNIT(name, prefixes, factor, offset, ...)                                        \
    {name, prefixes, factor, offset, {__VA_ARGS__}},
#define PREFIX(name, factor)
static const Symbol symbols[] = {
#include "inst/units.def"
};
#undef UNIT
#undef PREFIX
#define UNIT(...)
#define PREFIX(name, factor) {name, factor},
static const Prefix prefixes[] = {
#include "inst/units.def"
};
#undef UNIT
#undef PREFIX

/* ---- arithmetic ------------------------------------------------------------------------ */

static Unit unit_one(void) {
    return (Unit){.factor = 1, .known = true};
}

Unit unit_product(const Unit *a, const Unit *b, int sign) {
    Unit unit = {.known = a->known && b->known};
    for (int k = 0; k < UNIT_BASES; k++)
        unit.exponent[k] = (int16_t)(a->exponent[k] + sign * b->exponent[k]);
    if (a->factor > 0 && b->factor > 0)
        unit.factor = sign > 0 ? a->factor * b->factor : a->factor / b->factor;
    return unit;
}

bool unit_power(const Unit *a, int parts, Unit *result) {
    *result = (Unit){.known = a->known};
    for (int k = 0; k < UNIT_BASES; k++) {
        int whole = a->exponent[k] * parts;
        if (whole % UNIT_PARTS || abs(whole / UNIT_PARTS) > 20000) return false;
        result->exponent[k] = (int16_t)(whole / UNIT_PARTS);
    }
    if (a->factor > 0) result->factor = pow(a->factor, (double)parts / UNIT_PARTS);
    return true;
}

bool unit_same_dimension(const Unit *a, const Unit *b) {
    return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}

bool unit_fits(const Unit *a, const Unit *b) {
    if (!unit_same_dimension(a, b)) return false;
    if (!(a->factor > 0) || !(b->factor > 0)) return true;
    return a->offset == b->offset && fabs(a->factor - b->factor) <= 1e-6 * a->factor;
}

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct Reader {
    const char *text, *at;
    const char *why; /* NULL: all is well */
    int         depth;
} Reader;

static bool is_symbol_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || c == '_' ||
           (unsigned char)c >= 128;
}

static Unit unit_of_symbol(const Symbol *symbol, double prefix) {
    Unit unit = {.known = true, .factor = symbol->factor * prefix};
    unit.offset = symbol->offset != 0;
    for (int k = 0; k < UNIT_BASES; k++)
        unit.exponent[k] = (int16_t)(symbol->exponent[k] * UNIT_PARTS);
    return unit;
}

static const Symbol *find_symbol(const char *text, size_t n) {
    for (int k = 0; k < LENGTH(symbols); k++)
        if (text_is(symbols[k].name, text, n)) return &symbols[k];
    return NULL;
}

static Unit read_symbol(Reader *r) {
    const char *from = r->at;
    while (is_symbol_char(*r->at)) r->at++;
    size_t        n = (size_t)(r->at - from);
    const Symbol *symbol = n ? find_symbol(from, n) : NULL;
    if (symbol) return unit_of_symbol(symbol, 1);
    for (int k = 0; n && k < LENGTH(prefixes); k++) {
        size_t p = strlen(prefixes[k].name);
        if (p >= n || memcmp(prefixes[k].name, from, p) != 0) continue;
        symbol = find_symbol(from + p, n - p);
        if (symbol && symbol->prefixes) return unit_of_symbol(symbol, prefixes[k].factor);
    }
    r->at = from;
    r->why = n ? "this symbol is not known" : "a unit is missing here";
    return unit_one();
}

static int read_exponent(Reader *r) {
    int sign = 1, value = 0;
    if ((*r->at == '+' || *r->at == '-') && r->at[1] >= '0' && r->at[1] <= '9')
        sign = *r->at++ == '-' ? -1 : 1;
    else if (*r->at < '0' || *r->at > '9') return 1;
    while (*r->at >= '0' && *r->at <= '9' && value < 100)
        value = 10 * value + *r->at++ - '0';
    if (value >= 100) r->why = "this exponent is too large";
    return sign * value;
}

static Unit read_expression(Reader *r);

static Unit read_factor(Reader *r) {
    Unit unit = unit_one(), power;
    if (*r->at == '1' && !(r->at[1] >= '0' && r->at[1] <= '9')) {
        r->at++;
        return unit;
    }
    if (*r->at == '(') {
        if (++r->depth > 20) r->why = "too many parentheses";
        else r->at++;
        if (!r->why) unit = read_expression(r);
        if (!r->why && *r->at != ')') r->why = "')' is missing here";
        if (!r->why) r->at++;
        r->depth--;
        return unit;
    }
    unit = read_symbol(r);
    if (r->why) return unit;
    const char *from = r->at;
    int         exponent = read_exponent(r);
    if (exponent == 1 || r->why) return unit;
    if (!unit_power(&unit, exponent * UNIT_PARTS, &power)) {
        r->at = from;
        r->why = "this exponent is too large";
    }
    return power;
}

static Unit read_expression(Reader *r) {
    Unit unit = read_factor(r);
    while (!r->why && *r->at == '.') {
        r->at++;
        Unit next = read_factor(r);
        unit = unit_product(&unit, &next, 1);
    }
    if (r->why || *r->at != '/') return unit;
    r->at++;
    Unit under = read_factor(r);
    if (!r->why && (*r->at == '/' || *r->at == '.'))
        r->why = "parentheses must tell what stands below '/'";
    return unit_product(&unit, &under, -1);
}

bool unit_parse(const char *text, Unit *unit, int *at, const char **why) {
    Reader r = {.text = text, .at = text};
    *unit = read_expression(&r);
    if (!r.why && *r.at) r.why = "this is no part of a unit";
    *at = (int)(r.at - text);
    *why = r.why;
    unit->known = !r.why;
    return unit->known;
}

/* ---- printing ----------------------------------------------------------------------------- */

static int print_part(Text *out, const Unit *unit, int sign) {
    static const char *const base[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    int                      n = 0;
    for (int k = 0; k < UNIT_BASES; k++) {
        int e = sign * unit->exponent[k];
        if (e <= 0) continue;
        text_printf(out, "%s%s", n++ ? "." : "", base[k]);
        if (e % UNIT_PARTS) text_printf(out, "(%d/%d)", e, UNIT_PARTS);
        else if (e != UNIT_PARTS) text_printf(out, "%d", e / UNIT_PARTS);
    }
    return n;
}

void unit_print(Text *out, const Front *front, const Unit *unit) {
    if (unit->text) {
        text_add(out, text_of(front, unit->text));
        return;
    }
    Text under = {0};
    int  below = print_part(&under, unit, -1);
    if (unit->factor > 0 && fabs(unit->factor - 1) > 1e-9)
        text_printf(out, "%g ", unit->factor);
    if (print_part(out, unit, 1) == 0) text_char(out, '1');
    if (below) text_printf(out, below > 1 ? "/(%s)" : "/%s", text_get(&under));
    text_free(&under);
}
