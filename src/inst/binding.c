/* SPDX-License-Identifier: Apache-2.0 */
/* binding.c -- values of components: that of a declaration or of a modifier, or a field of the value of
 * a record around.
 *
 * A binding stays text until it is asked for, once. Its type, its sizes against the arrays around and
 * what it may depend on are checked then. */
#include "inst/front.h"

/* Sizes below base, outermost first; returns their number. */
static int sizes_below(const Inst *inst, const Inst *base, int *dim, int most) {
    if (!inst || inst == base) return 0;
    int n = sizes_below(inst->parent, base, dim, most);
    for (int k = 0; k < inst->ndim && n < most; k++) dim[n++] = inst->dim[k];
    return n;
}

/* A value without each has the sizes of all arrays around; with each the last ones. */
static bool size_fits(const Inst *inst, const int *dim, int n, Ty given, const Md *md) {
    int  r = given.ndim, lead = n - r;
    bool each = md && (md->each || md->spread);
    if (lead < 0 || (lead > 0 && !each)) return false;
    if (md && md->each && !md->spread && r > inst->ndim) return false;
    for (int k = 0; k < r; k++)
        if (dim[lead + k] >= 0 && given.dim[k] >= 0 && dim[lead + k] != given.dim[k])
            return false;
    return true;
}

/* A value that is meant for each element of the arrays around, but does not say so. */
static bool lacks_each(Front *front, const Md *md, Pos pos, Str name, const int *dim,
                       int n, Ty given) {
    Md spread = {.spread = true};
    if ((md && (md->each || md->spread)) || given.ndim >= n) return false;
    Inst element = {.ndim = given.ndim};
    if (!size_fits(&element, dim, n, given, &spread)) return false;
    diag_report(front->diag, pos, CODE_T106,
                "all elements get this value: write 'each %s', or an array",
                text_of(front, name));
    return true;
}

bool tx_calls_impure(const Tx *tx) {
    if (!tx) return false;
    if (tx->kind == TX_CALL && tx->func->impure) return true;
    for (int k = 0; k < tx->n; k++)
        if (tx_calls_impure(tx->arg[k])) return true;
    return false;
}

static bool names_theta(const Tx *tx) {
    if (!tx) return false;
    if (tx->kind == TX_REF && tx->inst->prefix.theta) return true;
    for (int k = 0; k < tx->n; k++)
        if (names_theta(tx->arg[k])) return true;
    return false;
}

/* Constants follow from constants, parameters from parameters; a variable is no place for impure calls. */
static void check_vary(Front *front, Inst *inst, Tx *bind) {
    if (!inst->in_function && inst->basic < BASIC_RECORD && inst->vary >= VARY_DISCRETE &&
        tx_calls_impure(bind))
        diag_report(
            front->diag, bind->pos, CODE_T109,
            "an impure function is called to compute '%s', as often as the solver wants",
            text_of(front, inst->name));
    if (inst->in_function || inst->basic == BASIC_OBJECT || inst->vary >= bind->vary)
        return;
    if (bind->vary == VARY_DISCRETE && tx_calls_impure(bind)) return;
    const char *name = text_of(front, inst->name);
    if (inst->vary == VARY_DISCRETE) {
        if (inst->basic != BASIC_REAL) return;
        diag_report(front->diag, bind->pos, CODE_T105,
                    "'%s' is discrete: give it a value in a when-clause", name);
    } else if (inst->vary == VARY_CONSTANT && names_theta(bind))
        diag_report(front->diag, bind->pos, CODE_H107,
                    "constant '%s' is a number, and a THETA has no value: make '%s' a "
                    "parameter",
                    name, name);
    else
        diag_report(front->diag, bind->pos, CODE_T104, "%s '%s' cannot depend on a %s",
                    inst->vary == VARY_CONSTANT ? "constant" : "parameter", name,
                    bind->vary == VARY_PARAMETER ? "parameter" : "variable");
    bind->type.basic = BASIC_BAD;
}

static void check_binding(Front *front, Inst *inst, Tx *bind, Inst *base) {
    Ty wanted = inst_type(front, inst);
    if (ty_bad(bind->type) || ty_bad(wanted)) return;
    if (bind->type.basic == BASIC_NONE) {
        diag_report(front->diag, bind->pos, CODE_T173, "this call has no result");
        bind->type.basic = BASIC_BAD;
        return;
    }
    if (!ty_fits(front, bind->type, wanted, false)) {
        diag_report(front->diag, bind->pos, CODE_T101,
                    "'%s' is %s, but its value is %s%s", text_of(front, inst->name),
                    ty_text(front, wanted), ty_text(front, bind->type),
                    ty_hint(front, bind, wanted));
        bind->type.basic = BASIC_BAD;
        return;
    }
    check_vary(front, inst, bind);
    int dim[32],
        n = sizes_below(inst, base && inst_is_under(inst, base) ? base : inst->parent,
                        dim, 32);
    const Md *md = inst->md;
    if (!size_fits(inst, dim, n, bind->type, md)) {
        if (bind->type.ndim == inst->ndim &&
            lacks_each(front, md, bind->pos, inst->name, dim, n, bind->type))
            return;
        if (!md || !(md->each || md->spread)) {
            wanted.ndim = (uint8_t)n;
            wanted.dim = arena_copy(&front->arena, dim, sizeof(int) * (size_t)n);
        }
        diag_report(front->diag, bind->pos, CODE_T102, "'%s' is %s, but its value is %s",
                    text_of(front, inst->name), ty_text(front, wanted),
                    ty_text(front, bind->type));
        bind->type.basic = BASIC_BAD;
    }
}

bool check_sizes(Front *front, Inst *inst, const Tx *tx, const Md *md, Ty element) {
    Inst *base = md->scope.inst;
    int   dim[32];
    if (!base || base == inst || !inst_is_under(inst, base)) return true;
    int n = sizes_below(inst, base, dim, 32);
    if (md->each && n == 0)
        diag_report(
            front->diag, md->pos, CODE_F132,
            "'each' has no meaning here: neither '%s' nor a component around it is an "
            "array",
            text_of(front, inst->name));
    if (size_fits(inst, dim, n, tx->type, md)) return true;
    if (md->each && tx->type.ndim == 0) return true;
    if (tx->type.ndim == 0 && lacks_each(front, md, tx->pos, md->name, dim, n, tx->type))
        return true;
    if (!md->each) element = ty_array(front, element, n, dim);
    diag_report(front->diag, tx->pos, CODE_T102,
                "'%s' of '%s' is %s, but its value is %s", text_of(front, md->name),
                text_of(front, inst->name), ty_text(front, element),
                ty_text(front, tx->type));
    return false;
}

static Tx *bind_of_parent(Front *front, Inst *inst) {
    Inst *parent = inst->parent;
    if (!parent || parent->basic != BASIC_RECORD || parent->is_package) return NULL;
    Tx *whole = inst_bind(front, parent);
    if (!whole || ty_bad(whole->type)) return whole;
    Inst *field = whole->type.rec ? inst_child(front, whole->type.rec, inst->name) : NULL;
    if (!field) return NULL;
    inst->binding.base = parent->binding.base;
    return tx_field_of(front, whole, field, whole->pos);
}

/* Whether a field has a value of its own that counts more than that of its record, which was
 * written in `record_base`: the outer of two modifications counts, and of two at one place
 * that of the field. */
static bool counts_more(const Inst *inst, const Inst *record_base) {
    const Inst *base = inst->binding.text ? inst->binding.scope.inst : inst->parent;
    if (base == inst->parent) return false;
    return !base || !record_base || base == record_base ||
           !inst_is_under(base, record_base);
}

Tx *inst_bind(Front *front, Inst *inst) {
    if (inst->binding.state == STEP_DONE) return inst->binding.tx;
    if (inst->binding.state == STEP_BUSY) return NULL;
    inst->binding.state = STEP_BUSY;
    Tx *tx = bind_of_parent(front, inst);
    if (tx && counts_more(inst, inst->binding.base)) tx = NULL;
    if (!tx && inst->binding.text && front_enter(front, inst->pos)) {
        Ctx ctx = {.front = front, .scope = inst->binding.scope};
        tx = type_expr(&ctx, *inst->binding.text);
        inst->binding.base = inst->binding.scope.inst;
        check_binding(front, inst, tx, inst->binding.base);
        front_leave(front);
    }
    inst->binding.tx = tx;
    inst->binding.state = STEP_DONE;
    return tx;
}

Tx *inst_bind_record(Front *front, const Inst *inst) {
    Tx *tx = NULL;
    for (Inst *p = inst->parent; !tx && p && p->basic == BASIC_RECORD; p = p->parent)
        tx = inst_bind(front, p);
    return tx;
}

Tx *inst_attribute(Front *front, Inst *inst, Str name, Inst **base) {
    Md *md = md_find(inst->md, name);
    if (!md || !md->value) return NULL;
    if (!front_enter(front, inst->pos)) return NULL;
    Ctx ctx = {.front = front, .scope = md->scope};
    Tx *tx = type_expr(&ctx, *md->value);
    if (base) *base = md->scope.inst;
    front_leave(front);
    return tx;
}
