/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c -- units of expressions, and warnings where they cannot fit.
 *
 * A variable has the unit of its declaration; operators combine units as the SI does. What has
 * no unit (a variable without one, a number like 9.81) is not known and silences what it meets:
 * a warning appears only where both sides are known. Small whole numbers and halves are plain
 * factors, but after a product with one the scale of the unit is left open (60*x converts).
 * Equal dimensions with different factors (s and min, rad and deg) do not fit either; sums with
 * temperatures leave the zero open, because x - 273.15 converts. The unit of `time` is not used:
 * sin(time) and 2*time are common and meant as they stand.
 *
 * Each equation is looked at once per class instance, not per element of arrays. */
#include "inst/unit.h"

#include <math.h>
#include <string.h>

typedef enum { SURE_NOTHING, SURE_NUMBER, SURE_UNIT } Sure;

typedef struct Measure {
    Sure sure; /* NUMBER: a plain number, fits everything                              */
    Unit unit; /* UNIT                                                                 */
} Measure;

static const Measure unknown = {SURE_NOTHING, {.known = false}};

static Measure measure(Front *front, const Tx *tx);

/* ---- units of variables ------------------------------------------------------------------- */

static int unit_add(Front *front, Str text, Pos pos) {
    int64_t k = map_get(&front->measure.of, text, -1);
    if (k >= 0) return (int)k;
    Unit        unit;
    int         at;
    const char *why;
    if (!unit_parse(text_of(front, text), &unit, &at, &why))
        diag_report(front->diag, pos, CODE_T201, "unit \"%s\" cannot be read: %s%s%s",
                    text_of(front, text), why, text_of(front, text)[at] ? ", at " : "",
                    text_of(front, text) + at);
    unit.text = text;
    if (front->measure.units == front->measure.room)
        front->measure.unit = arena_grow(&front->arena, front->measure.unit, sizeof(Unit),
                                         &front->measure.room, front->measure.units + 1);
    front->measure.unit[front->measure.units] = unit;
    map_put(&front->measure.of, text, front->measure.units);
    return front->measure.units++;
}

/* The text of attribute `word` if it is one text for all elements; 0 otherwise. */
static Str attribute_text(Front *front, Inst *inst, Str word, Pos *pos) {
    const Md *md = md_find(inst->md, word);
    if (!md || !md->value) return 0;
    Str text = 0;
    *pos = md->value->pos;
    if (md->value->kind == EXPR_STRING) {
        Text out = {0};
        string_decode(&out, front->session, *md->value);
        text = str_of(front->strings, text_get(&out));
        text_free(&out);
        return text;
    }
    Tx *tx = inst_attribute(front, inst, word, NULL);
    if (!tx || tx->vary > VARY_PARAMETER || tx->type.basic != BASIC_STRING) return 0;
    front->peek++;
    Value *v = eval_now(front, tx);
    front->peek--;
    for (int k = 0; v && v->basic == BASIC_STRING && k < v->count; k++) {
        Str one = str_of(front->strings, v->string[k]);
        if (k && one != text) return 0;
        text = one;
    }
    return text;
}

/* The unit of a variable, NULL if it has none. displayUnit is compared on the way. */
static const Unit *unit_of(Front *front, Inst *inst) {
    if (inst->basic != BASIC_REAL || inst->state != INST_DONE) return NULL;
    if (!inst->unit) {
        Pos pos = 0, shown_pos = 0;
        Str text = attribute_text(front, inst, WORD(front, unit), &pos);
        Str shown = attribute_text(front, inst, WORD(front, displayUnit), &shown_pos);
        inst->unit = text ? unit_add(front, text, pos) + 1 : -1;
        int display = shown ? unit_add(front, shown, shown_pos) : -1;
        if (text && shown && front->measure.unit[inst->unit - 1].known &&
            front->measure.unit[display].known &&
            !unit_same_dimension(&front->measure.unit[inst->unit - 1],
                                 &front->measure.unit[display]))
            diag_report(front->diag, shown_pos, CODE_T200,
                        "displayUnit \"%s\" of '%s' does not fit its unit \"%s\"",
                        text_of(front, shown), text_of(front, inst->name),
                        text_of(front, text));
    }
    const Unit *unit = inst->unit > 0 ? &front->measure.unit[inst->unit - 1] : NULL;
    return unit && unit->known ? unit : NULL;
}

static Measure of_inst(Front *front, Inst *inst) {
    const Unit *unit = unit_of(front, inst_real(inst));
    return unit ? (Measure){SURE_UNIT, *unit} : unknown;
}

/* ---- rules ---------------------------------------------------------------------------------- */

static Measure plain(void) { /* no dimension, factor 1 */
    return (Measure){SURE_UNIT, {.factor = 1, .known = true}};
}

static Measure number(double value) {
    bool whole = fabs(value) <= 64 && 2 * value == floor(2 * value);
    return (Measure){.sure = whole ? SURE_NUMBER : SURE_NOTHING};
}

static void report(Front *front, Pos pos, const char *what, const Unit *a,
                   const Unit *b) {
    Text left = {0}, right = {0};
    unit_print(&left, front, a);
    unit_print(&right, front, b);
    diag_report(front->diag, pos, CODE_T200, "%s have different units: \"%s\" and \"%s\"",
                what, text_get(&left), text_get(&right));
    text_free(&left);
    text_free(&right);
}

static bool is_temperature(const Unit *unit) {
    const Unit kelvin = {.exponent = {0, 0, 0, 0, UNIT_PARTS, 0, 0}};
    return unit_same_dimension(unit, &kelvin);
}

/* Both must have one unit; what is known of it. */
static Measure same(Front *front, Pos pos, const char *what, Measure a, Measure b) {
    if (a.sure != SURE_UNIT && b.sure != SURE_UNIT) return a.sure < b.sure ? a : b;
    if (a.sure != SURE_UNIT) return b;
    if (b.sure != SURE_UNIT) return a;
    if (!unit_fits(&a.unit, &b.unit)) {
        report(front, pos, what, &a.unit, &b.unit);
        return unknown;
    }
    return a.unit.factor > 0 ? a : b;
}

/* Elements of an array may have different units: then nothing is known. */
static Measure common(Measure a, Measure b) {
    if (a.sure == SURE_NUMBER) return b;
    if (b.sure == SURE_NUMBER) return a;
    if (a.sure == SURE_NOTHING || b.sure == SURE_NOTHING) return unknown;
    return unit_fits(&a.unit, &b.unit) ? a : unknown;
}

static Measure sum(Front *front, const Tx *tx, Measure a, Measure b) {
    const char *what = tx->kind == TX_SUB || tx->kind == TX_SUB_EACH
                           ? "the operands of '-'"
                           : "the operands of '+'";
    Measure     out;
    if (a.sure == SURE_UNIT && b.sure == SURE_UNIT && is_temperature(&a.unit) &&
        is_temperature(&b.unit)) /* T_degC + 273.15 with a constant of either unit */
        a.unit.factor = b.unit.factor =
            a.unit.offset || b.unit.offset ? 0 : a.unit.factor;
    out = same(front, tx->pos, what, a, b);
    if (out.sure == SURE_UNIT && is_temperature(&out.unit) &&
        (a.sure != b.sure || out.unit.offset))
        out.unit.factor = 0;
    return out;
}

static Measure times(Measure a, Measure b, int sign) {
    if (a.sure == SURE_NOTHING || b.sure == SURE_NOTHING) return unknown;
    if (a.sure == SURE_NUMBER && b.sure == SURE_NUMBER) return a;
    if (a.sure == SURE_NUMBER || b.sure == SURE_NUMBER) {
        Measure     one = plain();
        const Unit *other = a.sure == SURE_UNIT ? &a.unit : &b.unit;
        if (unit_same_dimension(other, &one.unit))
            return unknown; /* 8*sin(x) in kelvin */
        one.unit.factor = 0;
        if (a.sure == SURE_NUMBER) a = one;
        else b = one;
    }
    return (Measure){SURE_UNIT, unit_product(&a.unit, &b.unit, sign)};
}

static Measure power_parts(Measure a, int parts) {
    Measure out = {.sure = SURE_UNIT};
    if (a.sure != SURE_UNIT) return a;
    return unit_power(&a.unit, parts, &out.unit) ? out : unknown;
}

static bool literal(const Tx *tx, double *value) {
    if (tx->kind == TX_INTEGER) *value = (double)tx->i;
    else if (tx->kind == TX_REAL) *value = tx->r;
    else if (tx->kind == TX_NEG && literal(tx->arg[0], value)) *value = -*value;
    else if (tx->kind == TX_DIV && literal(tx->arg[0], value)) {
        double by;
        if (!literal(tx->arg[1], &by) || by == 0) return false;
        *value /= by;
    } else return false;
    return true;
}

static Measure power(const Tx *exponent, Measure a) {
    double value, parts;
    if (a.sure != SURE_UNIT) return a;
    Measure one = plain();
    if (unit_same_dimension(&a.unit, &one.unit) && a.unit.factor == 1) return a;
    if (!literal(exponent, &value)) return unknown;
    parts = value * UNIT_PARTS;
    if (fabs(parts) > 6000 || fabs(parts - floor(parts + 0.5)) > 1e-9) return unknown;
    return power_parts(a, (int)floor(parts + 0.5));
}

/* ---- calls ------------------------------------------------------------------------------------ */

/* An argument of sin and the like has no dimension. */
static Measure pure(Front *front, const Tx *tx, Measure a, Measure result) {
    Measure one = plain();
    if (a.sure == SURE_UNIT && !unit_fits(&a.unit, &one.unit)) {
        Text text = {0};
        unit_print(&text, front, &a.unit);
        diag_report(front->diag, tx->pos, CODE_T200,
                    "the argument of '%s' must be a plain number, its unit is \"%s\"",
                    tx->builtin->name, text_get(&text));
        text_free(&text);
    }
    return result;
}

static Measure of_builtin(Front *front, const Tx *tx) {
    Measure     a[4] = {{0}};
    const Unit  second = {.exponent = {0, 0, UNIT_PARTS}, .factor = 1, .known = true};
    const char *name = "the arguments of this function";
    for (int k = 0; k < tx->n; k++) {
        Measure m = tx->arg[k] ? measure(front, tx->arg[k]) : unknown;
        if (k < LENGTH(a)) a[k] = m;
    }
    switch (tx->builtin->id) {
    case BUILTIN_der: return times(a[0], (Measure){SURE_UNIT, second}, -1);
    case BUILTIN_sqrt: return power_parts(a[0], UNIT_PARTS / 2);
    case BUILTIN_sin:
    case BUILTIN_cos:
    case BUILTIN_tan:
    case BUILTIN_sinh:
    case BUILTIN_cosh:
    case BUILTIN_tanh:
    case BUILTIN_exp:
    case BUILTIN_asin:
    case BUILTIN_acos:
    case BUILTIN_atan: return pure(front, tx, a[0], plain());
    case BUILTIN_sign: return plain();
    case BUILTIN_atan2: same(front, tx->pos, name, a[0], a[1]); return plain();
    case BUILTIN_mod:
    case BUILTIN_rem:
    case BUILTIN_homotopy:
    case BUILTIN_reinit:
    case BUILTIN_min:
    case BUILTIN_max: return tx->n > 1 ? same(front, tx->pos, name, a[0], a[1]) : a[0];
    case BUILTIN_linspace: return same(front, tx->pos, name, a[0], a[1]);
    case BUILTIN_semiLinear:
        return times(a[0], same(front, tx->pos, name, a[1], a[2]), 1);
    case BUILTIN_cross:
    case BUILTIN_outerProduct: return times(a[0], a[1], 1);
    case BUILTIN_cat: {
        Measure out = a[1];
        for (int k = 2; k < tx->n; k++) out = common(out, measure(front, tx->arg[k]));
        return out;
    }
    case BUILTIN_zeros:
    case BUILTIN_ones:
    case BUILTIN_identity: return (Measure){.sure = SURE_NUMBER};
    case BUILTIN_smooth: return a[1];
    case BUILTIN_interval: return (Measure){SURE_UNIT, second};
    case BUILTIN_abs:
    case BUILTIN_sum:
    case BUILTIN_fill:
    case BUILTIN_diagonal:
    case BUILTIN_transpose:
    case BUILTIN_symmetric:
    case BUILTIN_skew:
    case BUILTIN_scalar:
    case BUILTIN_vector:
    case BUILTIN_matrix:
    case BUILTIN_promote:
    case BUILTIN_pre:
    case BUILTIN_noEvent:
    case BUILTIN_delay:
    case BUILTIN_inStream:
    case BUILTIN_actualStream:
    case BUILTIN_previous:
    case BUILTIN_hold:
    case BUILTIN_subSample:
    case BUILTIN_superSample:
    case BUILTIN_shiftSample:
    case BUILTIN_backSample:
    case BUILTIN_noClock:
    case BUILTIN_pure: return a[0];
    default: return unknown;
    }
}

static Measure of_call(Front *front, const Tx *tx) {
    Func *func = tx->func;
    for (int k = 0; k < tx->n; k++) {
        if (!tx->arg[k]) continue;
        Measure given = measure(front, tx->arg[k]);
        Measure wanted = k < func->nin ? of_inst(front, func->in[k]) : unknown;
        if (given.sure != SURE_UNIT || wanted.sure != SURE_UNIT ||
            unit_fits(&given.unit, &wanted.unit))
            continue;
        Text what = {0};
        text_printf(&what, "the argument and input '%s' of '%s'",
                    text_of(front, func->in[k]->name), text_of(front, func->name));
        report(front, tx->arg[k]->pos, text_get(&what), &given.unit, &wanted.unit);
        text_free(&what);
    }
    int64_t k = tx->output < 0 ? 0 : tx->output;
    return k < func->nout ? of_inst(front, func->out[k]) : unknown;
}

/* ---- expressions -------------------------------------------------------------------------------- */

static Measure of_array(Front *front, const Tx *tx) {
    Measure out = {.sure = SURE_NUMBER};
    for (int k = 0; k < tx->n; k++) out = common(out, measure(front, tx->arg[k]));
    return out;
}

static Measure of_if(Front *front, const Tx *tx) {
    Measure out = {.sure = SURE_NUMBER};
    for (int k = 0; k < tx->n; k++) {
        Measure one = measure(front, tx->arg[k]);
        if (k % 2 || k + 1 == tx->n)
            out = same(front, tx->arg[k]->pos, "the branches of 'if'", out, one);
    }
    return out;
}

static Measure of_binary(Front *front, const Tx *tx) {
    Measure a = measure(front, tx->arg[0]), b = measure(front, tx->arg[1]);
    switch (tx->kind) {
    case TX_ADD:
    case TX_SUB:
    case TX_ADD_EACH:
    case TX_SUB_EACH: return sum(front, tx, a, b);
    case TX_MUL:
    case TX_MUL_EACH: return times(a, b, 1);
    case TX_DIV:
    case TX_DIV_EACH: return times(a, b, -1);
    case TX_POW:
    case TX_POW_EACH: return power(tx->arg[1], a);
    default: same(front, tx->pos, "the sides of a comparison", a, b); return unknown;
    }
}

static Measure measure(Front *front, const Tx *tx) {
    switch (tx->kind) {
    case TX_INTEGER: return number((double)tx->i);
    case TX_REAL: return number(tx->r);
    case TX_REF:
    case TX_FIELD: return of_inst(front, tx->inst);
    case TX_NEG:
    case TX_SUBSCRIPT: return measure(front, tx->arg[0]);
    case TX_ADD:
    case TX_SUB:
    case TX_ADD_EACH:
    case TX_SUB_EACH:
    case TX_MUL:
    case TX_MUL_EACH:
    case TX_DIV:
    case TX_DIV_EACH:
    case TX_POW:
    case TX_POW_EACH:
    case TX_LT:
    case TX_LE:
    case TX_GT:
    case TX_GE:
    case TX_EQ:
    case TX_NE: return of_binary(front, tx);
    case TX_IF: return of_if(front, tx);
    case TX_ARRAY: return of_array(front, tx);
    case TX_BUILTIN: return of_builtin(front, tx);
    case TX_CALL: return of_call(front, tx);
    case TX_REDUCE: {
        Measure item = measure(front, tx->arg[0]);
        return tx->reduce == REDUCE_PRODUCT ? unknown : item;
    }
    case TX_AND:
    case TX_OR:
    case TX_NOT:
        for (int k = 0; k < tx->n; k++) measure(front, tx->arg[k]);
        return unknown;
    default: return unknown;
    }
}

/* ---- the model -------------------------------------------------------------------------------------- */

static void check_list(Front *front, const EquList *list) {
    for (int k = 0; k < list->count; k++) {
        const Equ *equ = list->item[k];
        if (equ->kind == EQU_SAME && equ->left->kind == TX_TUPLE) {
            measure(front, equ->right);
        } else if (equ->kind == EQU_SAME) {
            Measure left = measure(front, equ->left), right = measure(front, equ->right);
            same(front, equ->pos, "the sides of this equation", left, right);
        } else if (equ->kind == EQU_CALL) measure(front, equ->left);
        check_list(front, &equ->body);
        for (int j = 0; j < equ->count; j++) {
            if (equ->cond[j]) measure(front, equ->cond[j]);
            check_list(front, &equ->branch[j]);
        }
    }
}

static void check_bound(Front *front, Inst *inst) {
    Measure   own = of_inst(front, inst);
    const Tx *bind = inst_bind(front, inst);
    if (!bind || ty_bad(bind->type) || inst->basic != BASIC_REAL) return;
    Measure given = measure(front, bind);
    if (given.sure != SURE_UNIT || own.sure != SURE_UNIT ||
        unit_fits(&given.unit, &own.unit))
        return;
    Text what = {0};
    text_printf(&what, "'%s' and its value", text_of(front, inst->name));
    report(front, bind->pos, text_get(&what), &own.unit, &given.unit);
    text_free(&what);
}

void check_connected_units(Front *front, Inst *a, Inst *b, Pos pos) {
    const Unit *ua = unit_of(front, a), *ub = unit_of(front, b);
    if (ua == ub || !ua || !ub || unit_fits(ua, ub)) return;
    Text what = {0};
    inst_pair(&what, front, a, b);
    report(front, pos, text_get(&what), ua, ub);
    text_free(&what);
}

void check_units(FlatModel *model) {
    Front *front = model->front;
    for (int k = 0; k < model->parts; k++) {
        const InstEqus *part = &model->part[k];
        check_list(front, &part->equation);
        check_list(front, &part->initial);
        for (int a = 0; a < part->algorithms; a++) check_list(front, &part->algorithm[a]);
        for (int a = 0; a < part->initial_algorithms; a++)
            check_list(front, &part->initial_algorithm[a]);
    }
    for (int k = 0; k < model->vars; k++) check_bound(front, model->var[k]);
}
