/* SPDX-License-Identifier: Apache-2.0 */
/* theta.c -- powers of THETA: which states are infinitely fast.
 *
 * Every variable is proportional to THETA^n with an integer n, as if THETA were a unit. Products
 * add powers, quotients subtract them; terms of a sum, sides of equations and relations and the
 * branches of an if must agree; arguments of functions have the power 0, and so have states,
 * discrete variables, inputs and parameters that are numbers. A literal has the power 0, but the
 * number 0 any.
 *
 * Most of these statements relate two unknown powers by a constant. They unite classes of a
 * union-find forest whose links carry the difference; a statement about more unknowns waits until
 * all but two are known. Where nothing more follows, a power that is still free is 0. Almost linear
 * in rows, and nothing is done for a model without THETA.
 *
 * The power of der(x) is -k: k = 0 is an ordinary state, k = 1 a fast one, k > 1 one that is
 * fast inside of a fast process, k < 0 would never move. With the powers known, THETA is divided out of
 * all equations: it reads 1, and THETA^k der(x) becomes the rate of x, a variable that is 0 where
 * the equations hold, so that x is an algebraic variable of the rest of the model.
 *
 * Zimmer, Handling infinitely fast processes in continuous system modeling, EOOLT 2014. */
#include "dae/dae.h"

#include <stdlib.h>
#include <string.h>

enum { GROUND = 0, MOST = 6 }; /* class of the power 0; unknowns of a form */

typedef struct Form { /* constant + sum of factor * power of class; or any power */
    int  constant;
    int  n; /* more than MOST: too many to be written */
    int  class_[MOST], factor[MOST];
    bool any;
} Form;

typedef struct Powers {
    System    *sys;
    Diag      *diag;
    int       *parent; /* by variable + 1; GROUND is 0 */
    int       *above;  /* power of this = power of parent + above */
    Form      *form;   /* by place in the walk of a row */
    uint32_t   room;
    RowWalk    walk;    /* the row that is looked at */
    bool       moved;   /* something became known in this sweep */
    bool       waiting; /* a statement of this row waits */
    bool       settle;  /* waiting statements are settled: a free power is 0 */
    bool       failed;
    const int *times; /* parameters and derivatives with a THETA from outside */
    int        count;
} Powers;

/* ---- classes ---- */

static int find(Powers *p, int node, int *above) {
    int sum = 0, root = node;
    while (p->parent[root] != root) {
        sum += p->above[root];
        root = p->parent[root];
    }
    *above = sum;
    while (p->parent[node] != node) { /* compress */
        int next = p->parent[node], own = p->above[node];
        p->parent[node] = root;
        p->above[node] = sum;
        sum -= own;
        node = next;
    }
    return root;
}

/* power(a) = power(b) + more; both are roots. */
static void unite(Powers *p, int a, int b, int more) {
    if (a == GROUND) {
        a = b;
        b = GROUND;
        more = -more;
    }
    p->parent[a] = b;
    p->above[a] = more;
    p->moved = true;
}

/* ---- forms ---- */

static Form constant(int power) {
    return (Form){.constant = power};
}

static Form power_of(Powers *p, int var) {
    int  above, root = find(p, var + 1, &above);
    Form f = {.constant = above};
    if (root != GROUND) {
        f.n = 1;
        f.class_[0] = root;
        f.factor[0] = 1;
    }
    return f;
}

/* a + factor * b. */
static Form combine(const Form *a, const Form *b, int factor) {
    Form r = *a;
    r.any |= b->any;
    r.constant += factor * b->constant;
    if (a->n > MOST || b->n > MOST) {
        r.n = MOST + 1;
        return r;
    }
    for (int k = 0; k < b->n; k++) {
        int i = 0;
        while (i < r.n && r.class_[i] != b->class_[k]) i++;
        if (i == MOST) {
            r.n = MOST + 1;
            return r;
        }
        if (i == r.n) {
            r.class_[r.n] = b->class_[k];
            r.factor[r.n++] = 0;
        }
        r.factor[i] += factor * b->factor[k];
        if (r.factor[i] == 0) {
            r.class_[i] = r.class_[--r.n];
            r.factor[i] = r.factor[r.n];
        }
    }
    return r;
}

/* With what became known since. */
static Form refreshed(Powers *p, const Form *f) {
    Form r = {.constant = f->constant, .any = f->any};
    if (f->n > MOST) return *f;
    for (int k = 0; k < f->n; k++) {
        int  above, root = find(p, f->class_[k], &above);
        Form one = {.constant = above};
        if (root != GROUND) one = (Form){above, 1, {root}, {1}, false};
        r = combine(&r, &one, f->factor[k]);
    }
    return r;
}

/* ---- messages ---- */

static bool is_derivative(const System *sys, int var) {
    return sys->run[system_run_of(sys, var)].kind == VAR_DER;
}

static bool has_fast_rate(const Powers *p, Term term) {
    Shapes *shapes = p->sys->shapes;
    int     n = expr_walk(shapes, term), above;
    for (int i = 0; i < n; i++) {
        const Node *node = &shapes->node[shapes->walk[i]];
        if (node->op != TERM_SLOT) continue;
        int var = p->walk.slot[node->index];
        if (is_derivative(p->sys, var) && find((Powers *)p, var + 1, &above) == GROUND &&
            above < 0)
            return true;
    }
    return false;
}

static void print_power(const Form *f, Text *out) {
    if (f->n == 1) {
        text_printf(out, "THETA^(%d*n", f->factor[0]);
        if (f->constant) text_printf(out, " %+d", f->constant);
        text_add(out, ") with an unknown n");
    } else if (f->n) text_add(out, "an unknown power of THETA");
    else text_printf(out, "THETA^%d", f->constant);
}

/* Two terms that do not agree; b = 0: a must have the power 0. */
static void report(Powers *p, Code code, Term a, const Form *fa, Term b, const Form *fb) {
    Text ta = {0}, tb = {0}, pa = {0}, pb = {0};
    if (p->failed) return;
    p->failed = true;
    row_print_term(p->sys, &p->walk, a, &ta);
    print_power(fa, &pa);
    if (b && fb) {
        row_print_term(p->sys, &p->walk, b, &tb);
        print_power(fb, &pb);
        if (code == CODE_H101 && (has_fast_rate(p, a) || has_fast_rate(p, b)))
            code = CODE_H104;
        diag_report(p->diag, p->walk.family.pos, code,
                    "'%.120s' is of the order %s, but '%.120s' is of the order %s",
                    text_get(&ta), text_get(&pa), text_get(&tb), text_get(&pb));
    } else {
        diag_report(p->diag, p->walk.family.pos, code, "'%.200s' is of the order %s%s",
                    text_get(&ta), text_get(&pa),
                    code == CODE_H105 ? " in a when-clause or between clocks"
                                      : ", but must be finite");
    }
    text_free(&ta);
    text_free(&tb);
    text_free(&pa);
    text_free(&pb);
}

/* ---- statements ---- */

/* The form is zero. False: it cannot be. */
static bool solve(Powers *p, const Form *zero) {
    Form f = refreshed(p, zero);
    if (f.any) return true;
    if (f.n == 0) return f.constant == 0;
    if (f.n == 1) {
        if (f.constant % f.factor[0]) return false;
        unite(p, f.class_[0], GROUND, -f.constant / f.factor[0]);
        return true;
    }
    if (f.n == 2 && abs(f.factor[0]) == 1 && f.factor[0] == -f.factor[1]) {
        unite(p, f.class_[0], f.class_[1], f.factor[0] > 0 ? -f.constant : f.constant);
        return true;
    }
    p->waiting = true;
    if (p->settle && f.n <= MOST) {
        unite(p, f.class_[0], GROUND, 0);
        p->settle = false;
    }
    return true;
}

static Form *form_of(const Powers *p, Term term) {
    return &p->form[p->sys->shapes->place[term]];
}

static void must_agree(Powers *p, Term a, Term b) {
    const Form *fa = form_of(p, a), *fb = form_of(p, b);
    Form        difference = combine(fa, fb, -1);
    if (solve(p, &difference)) return;
    Form left = refreshed(p, fa), right = refreshed(p, fb);
    report(p, CODE_H101, a, &left, b, &right);
}

static void must_be_finite(Powers *p, Term term, Code code) {
    if (solve(p, form_of(p, term))) return;
    Form f = refreshed(p, form_of(p, term));
    report(p, code, term, &f, 0, NULL);
}

/* All elements of an array slot have one power. */
static Form array_power(Powers *p, Term term) {
    int            slot = p->sys->shapes->node[term].index, rank, count = 1;
    const int32_t *sizes = family_sizes(p->sys, &p->walk.family, slot, &rank);
    int            at[ROW_DIMS] = {0}, var = p->walk.slot[slot];
    Form           first = power_of(p, var);
    for (int d = 0; d < rank; d++) count *= sizes[2 * d];
    for (int i = 0; i < count; i++) {
        Form own = power_of(p, var), difference = combine(&own, &first, -1);
        if (!solve(p, &difference)) report(p, CODE_H101, term, &own, term, &first);
        for (int d = rank - 1; d >= 0; d--) {
            var += sizes[2 * d + 1];
            if (++at[d] < sizes[2 * d]) break;
            var -= sizes[2 * d] * sizes[2 * d + 1];
            at[d] = 0;
        }
    }
    return count ? refreshed(p, &first) : constant(0);
}

static bool is_real(const Powers *p, Term term) {
    return p->sys->shapes->node[term].type == TYPE_REAL;
}

/* Arguments from `first` on, `step` apart, agree; the one that has a power of its own. */
static Form agreeing(Powers *p, Term term, uint32_t first, uint32_t step) {
    Node node = p->sys->shapes->node[term];
    Term one = expr_arg(p->sys->shapes, term, first);
    for (uint32_t k = first + step; k < node.n; k += step) {
        Term other = expr_arg(p->sys->shapes, term, k);
        if (form_of(p, one)->any) one = other;
        else if (is_real(p, one) || is_real(p, other)) must_agree(p, one, other);
    }
    return *form_of(p, one);
}

/* Values of an if: every second argument, and the last one. */
static Form branches(Powers *p, Term term) {
    Node node = p->sys->shapes->node[term];
    Term one = expr_arg(p->sys->shapes, term, node.n - 1);
    for (uint32_t k = 1; k + 1 < node.n; k += 2) {
        Term other = expr_arg(p->sys->shapes, term, k);
        if (form_of(p, one)->any) one = other;
        else must_agree(p, one, other);
    }
    return *form_of(p, one);
}

static Form product(Powers *p, Term term) {
    Node node = p->sys->shapes->node[term];
    Form sum = constant(0);
    for (uint32_t k = 0; k < node.n; k++)
        sum = combine(&sum, form_of(p, expr_arg(p->sys->shapes, term, k)), 1);
    return sum;
}

static Form power(Powers *p, Term term) {
    Shapes *shapes = p->sys->shapes;
    Term    base = expr_arg(shapes, term, 0), exponent = expr_arg(shapes, term, 1);
    double  value;
    must_be_finite(p, exponent, CODE_H102);
    if (expr_literal(shapes, exponent, &value) && value == (int)value) {
        Form none = constant(0);
        return combine(&none, form_of(p, base), (int)value);
    }
    must_be_finite(p, base, CODE_H102);
    return constant(0);
}

static Form semi_linear(Powers *p, Term term) {
    Shapes *shapes = p->sys->shapes;
    Term    x = expr_arg(shapes, term, 0), k = expr_arg(shapes, term, 1);
    must_agree(p, k, expr_arg(shapes, term, 2));
    return combine(form_of(p, x), form_of(p, k), 1);
}

/* Everything in it is finite. */
static Form finite(Powers *p, Term term, Code code) {
    Node node = p->sys->shapes->node[term];
    for (uint32_t k = 0; k < node.n; k++)
        must_be_finite(p, expr_arg(p->sys->shapes, term, k), code);
    return constant(0);
}

static Form term_power(Powers *p, Term term) {
    Shapes *shapes = p->sys->shapes;
    Node    node = shapes->node[term];
    Term    first = node.n ? expr_arg(shapes, term, 0) : 0;
    switch ((TermOp)node.op) {
    case TERM_REAL:
    case TERM_INTEGER:
        return (Form){.any = node.op == TERM_REAL ? node.real == 0 : node.integer == 0};
    case TERM_SLOT: return power_of(p, p->walk.slot[node.index]);
    case TERM_ARRAY_SLOT: return array_power(p, term);
    case TERM_ADD:
    case TERM_MIN:
    case TERM_MAX:
    case TERM_ARRAY:
    case TERM_HOMOTOPY: return agreeing(p, term, 0, 1);
    case TERM_MUL: return product(p, term);
    case TERM_DIV:
        return combine(form_of(p, first), form_of(p, expr_arg(shapes, term, 1)), -1);
    case TERM_POW: return power(p, term);
    case TERM_NEG:
    case TERM_ABS:
    case TERM_TO_REAL:
    case TERM_NO_EVENT: return *form_of(p, first);
    case TERM_ELEMENT: return *form_of(p, first);
    case TERM_SMOOTH:
    case TERM_SUM_OF:
    case TERM_MIN_OF:
    case TERM_MAX_OF:
    case TERM_EACH: return *form_of(p, expr_arg(shapes, term, 1));
    case TERM_SEMI_LINEAR: return semi_linear(p, term);
    case TERM_IF: return branches(p, term);
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_EQUATION: agreeing(p, term, 0, 1); return constant(0);
    case TERM_SIGN:
    case TERM_SIZE:
    case TERM_NOT:
    case TERM_AND:
    case TERM_OR:
    case TERM_ASSERT: return constant(0);
    case TERM_WHEN:
    case TERM_REINIT: return finite(p, term, CODE_H105);
    default:
        return finite(p, term,
                      term_changes_clock((TermOp)node.op) ? CODE_H105 : CODE_H102);
    }
}

/* One row; false: a statement waits for others. */
static bool row_powers(Powers *p) {
    Shapes *shapes = p->sys->shapes;
    int     n = expr_walk(shapes, shapes->shape[p->walk.family.shape].root);
    GROW(p->form, p->room, n);
    p->waiting = false;
    bool still = p->walk.family.flags & FAMILY_WHEN;
    for (int i = 0; i < n && !p->failed; i++) {
        p->form[i] = term_power(p, shapes->walk[i]);
        /* the messages walk, too, but only once, at the end */
        if (still && !p->failed && is_real(p, shapes->walk[i]))
            must_be_finite(p, shapes->walk[i], CODE_H105);
    }
    return !p->waiting;
}

/* ---- the system ---- */

/* Is the row parameter = value with a parameter that gets a THETA from outside? */
static bool is_multiplied(const Powers *p) {
    const Shapes *shapes = p->sys->shapes;
    Term          root = shapes->shape[p->walk.family.shape].root;
    if (p->walk.set != ROWS_BINDING || expr_op(shapes, root) != TERM_EQUATION)
        return false;
    const Node *left = &shapes->node[expr_arg(shapes, root, 0)];
    if (left->op != TERM_SLOT) return false;
    for (int k = 0; k < p->count; k++)
        if (p->times[k] == p->walk.slot[left->index]) return true;
    return false;
}

/* One sweep over the rows that are not done; true if some still wait. */
static bool sweep(Powers *p, bool *done[ROWS_SETS]) {
    bool waits = false;
    p->moved = false;
    for (RowSet s = 0; s < ROWS_SETS && !p->failed; s++) {
        p->walk = (RowWalk){.sys = p->sys, .set = s};
        while (row_walk(&p->walk)) {
            bool *own = &done[s][p->walk.row];
            if (*own || p->failed) continue;
            *own = is_multiplied(p) || row_powers(p);
            waits |= !*own;
        }
    }
    return waits && !p->failed;
}

/* What is finite from the beginning. */
static void ground_known(Powers *p) {
    const System *sys = p->sys;
    bool         *computed = mem_take((size_t)sys->vars + 1, 1);
    RowWalk       walk = {.sys = sys, .set = ROWS_BINDING};
    while (row_walk(&walk)) {
        const Shape *shape = &sys->shapes->shape[walk.family.shape];
        for (int k = 0; k < shape->slots; k++)
            if (expr_op(sys->shapes, shape_leaf(sys->shapes, walk.family.shape, k)) ==
                TERM_SLOT)
                computed[walk.slot[k]] = true;
    }
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        bool          open = run->kind == VAR_CONTINUOUS || run->kind == VAR_DER;
        for (int v = run->first; v < run->first + run->count; v++) {
            bool parameter = run->kind == VAR_PARAMETER && computed[v];
            if ((!open && !parameter) || run->type != TYPE_REAL || run->der >= 0)
                p->parent[v + 1] = GROUND;
        }
    }
    mem_free(computed);
    p->above[sys->theta.var + 1] = 1;
    p->parent[sys->theta.var + 1] = GROUND;
    for (int k = 0; k < p->count; k++) { /* THETA*der(x), a rate, is finite */
        p->parent[p->times[k] + 1] = GROUND;
        p->above[p->times[k] + 1] = is_derivative(sys, p->times[k]) ? 0 : 1;
    }
}

static bool find_powers(Powers *p) {
    bool *done[ROWS_SETS];
    for (RowSet s = 0; s < ROWS_SETS; s++)
        done[s] = mem_take((size_t)p->sys->set[s].rows + 1, 1);
    for (int k = 0; k < p->sys->replaceds; k++)
        done[ROWS_EQUATION][p->sys->replaced[k]] = true;
    ground_known(p);
    while (sweep(p, done)) p->settle = !p->moved;
    for (RowSet s = 0; s < ROWS_SETS; s++) mem_free(done[s]);
    return !p->failed;
}

/* ---- attributes ---- */

/* Power of a variable, if it is known. */
static bool known_power(Powers *p, int var, int *power) {
    return find(p, var + 1, power) == GROUND;
}

/* start, nominal, min and max with a THETA inside are of the order of their variable. */
static bool attribute_fits(Powers *p, int r, AttributeName name, const char *word) {
    const VarRun    *run = &p->sys->run[r];
    const Attribute *a = system_attribute(p->sys, r, name);
    if (!a || a->kind != VALUE_VARIABLE) return true;
    for (int i = 0; i < run->count; i++) {
        int own, given;
        if (!known_power(p, a->index + a->stride * i, &given) || given == 0) continue;
        if (!known_power(p, run->first + i, &own)) own = 0;
        if (own == given) continue;
        Text text = {0};
        system_name(p->sys, run->first + i, &text);
        diag_report(p->diag, run->pos, CODE_H101,
                    "'%s.%s' is of the order THETA^%d, but '%s' is of the order THETA^%d",
                    text_get(&text), word, given, text_get(&text), own);
        text_free(&text);
        return false;
    }
    return true;
}

static bool attributes_fit(Powers *p) {
    bool fine = true;
    for (int r = 0; r < p->sys->runs && fine; r++)
        fine = attribute_fits(p, r, ATTR_START, "start") &&
               attribute_fits(p, r, ATTR_NOMINAL, "nominal") &&
               attribute_fits(p, r, ATTR_MIN, "min") &&
               attribute_fits(p, r, ATTR_MAX, "max");
    return fine;
}

/* ---- fast states ---- */

static int level_of(Powers *p, int var) {
    int above, root = find(p, var + 1, &above);
    for (int k = 0; k < p->count; k++)
        if (p->times[k] == var) return 1;
    return root == GROUND ? -above : 0;
}

static bool refuse(Powers *p, const VarRun *run, int var, Code code, const char *why) {
    Text name = {0};
    system_name(p->sys, var, &name);
    diag_report(p->diag, run->pos, code, "%s: %s", text_get(&name), why);
    text_free(&name);
    return false;
}

/* What is fast is a guess at the start, whatever the model says. */
static void unfix(System *sys, int r, const bool *is_fast) {
    int     n = sys->run[r].count;
    double *fixed = mem_take((size_t)n + 1, sizeof *fixed);
    for (int i = 0; i < n; i++)
        if (!is_fast[i]) system_known(sys, r, ATTR_FIXED, i, &fixed[i]);
    system_list(sys, r, ATTR_FIXED, fixed, n);
    mem_free(fixed);
}

static void add_fast(System *sys, int state, int rate, int level) {
    ThetaUse *use = &sys->theta;
    use->fast = mem_resize(use->fast, (size_t)(use->count + 1) * sizeof *use->fast);
    use->fast[use->count++] = (FastState){state, rate, level};
    use->is_rate[rate] = true;
}

/* Derivatives of a run become rates, all of them or some; their states are guesses at the start. */
static bool make_fast(Powers *p, int r) {
    System *sys = p->sys;
    VarRun *run = &sys->run[r], *of = &sys->run[run->of];
    int     before = sys->theta.count;
    for (int i = 0; i < run->count; i++) {
        int level = level_of(p, run->first + i);
        if (level < 0)
            return refuse(p, of, of->first + i, CODE_H103,
                          "its derivative is infinitely small, so that it never moves");
        if (level > 0) add_fast(sys, of->first + i, run->first + i, level);
    }
    if (sys->theta.count == before) return true;
    unfix(sys, run->of, sys->theta.is_rate + run->first);
    if (sys->theta.count < before + run->count) return true;
    run->kind = VAR_RATE;
    of->der = -1;
    of->select = SELECT_DEFAULT;
    return true;
}

static int by_state(const void *a, const void *b) {
    const FastState *x = a, *y = b;
    return x->state < y->state ? -1 : x->state > y->state;
}

bool theta_analyse(System *sys, const int *times, int count, Diag *diag) {
    if (sys->theta.var < 0 && count == 0) return true;
    Powers p = {.sys = sys, .diag = diag, .times = times, .count = count};
    if (sys->theta.var < 0) { /* nobody names it */
        int run = system_run(sys, VAR_PARAMETER, TYPE_REAL, 1, -1, 0);
        sys->run[run].flags |= VAR_HIDDEN | VAR_PROTECTED | VAR_FINAL;
        system_value(sys, run, ATTR_BINDING, 1);
        sys->theta.var = sys->run[run].first;
    }
    p.parent = mem_take((size_t)sys->vars + 1, sizeof *p.parent);
    p.above = mem_take((size_t)sys->vars + 1, sizeof *p.above);
    for (int k = 0; k <= sys->vars; k++) p.parent[k] = k;
    sys->theta.vars = sys->vars;
    sys->theta.is_rate = mem_take((size_t)sys->vars + 1, sizeof *sys->theta.is_rate);
    bool fine = find_powers(&p) && attributes_fit(&p);
    for (int r = 0; r < sys->runs && fine; r++)
        if (sys->run[r].kind == VAR_DER) fine = make_fast(&p, r);
    if (sys->theta.count)
        qsort(sys->theta.fast, (size_t)sys->theta.count, sizeof(FastState), by_state);
    MEM_FREE(p.parent, p.above, p.form);
    return fine;
}

/* ---- from outside ---- */

/* The run of slot k in all rows of a family; -1: they differ. */
static int common_run(const System *sys, const Family *family, int k) {
    int low, high;
    if (!family_range(sys, family, k, &low, &high)) return -1;
    int run = system_run_of(sys, low);
    return high < sys->run[run].first + sys->run[run].count ? run : -1;
}

static bool names_variables(const System *sys, int shape, int k) {
    int op = expr_op(sys->shapes, shape_leaf(sys->shapes, shape, k));
    return op == TERM_SLOT || op == TERM_ARRAY_SLOT;
}

static void note_derivative(System *sys, int run) {
    if (sys->run[run].kind == VAR_DER) sys->theta.differentiated[sys->run[run].of] = 1;
}

void theta_find_derivatives(System *sys) {
    int     *slot = NULL;
    uint32_t room = 0;
    sys->theta.runs = sys->runs;
    sys->theta.differentiated = mem_take((size_t)sys->runs + 1, 1);
    for (int f = 0; f < sys->set[ROWS_EQUATION].count; f++) {
        const Family *family = &sys->set[ROWS_EQUATION].family[f];
        int           slots = family->count ? sys->shapes->shape[family->shape].slots : 0;
        bool          apart = false; /* rows have to be looked at one by one */
        for (int k = 0; k < slots; k++) {
            if (!names_variables(sys, family->shape, k)) continue;
            int run = common_run(sys, family, k);
            if (run >= 0) note_derivative(sys, run);
            apart |= run < 0;
        }
        GROW(slot, room, slots + 1);
        for (int i = 0; apart && i < family->count; i++) {
            family_slots(sys, family, i, slot);
            for (int k = 0; k < slots; k++)
                if (names_variables(sys, family->shape, k))
                    note_derivative(sys, system_run_of(sys, slot[k]));
        }
    }
    mem_free(slot);
}

/* A parameter, or a variable that is differentiated: then its derivative. */
static bool may_be_named(const System *sys, int r) {
    const VarRun *run = &sys->run[r];
    if (run->type != TYPE_REAL) return false;
    if (run->kind == VAR_PARAMETER) return !(run->flags & (VAR_HIDDEN | VAR_EVALUATED));
    return r < sys->theta.runs && sys->theta.differentiated[r];
}

static int find_named(const System *sys, const char *name, size_t length) {
    Text text = {0};
    int  found = -1;
    for (int r = 0; r < sys->runs && found < 0; r++) {
        const VarRun *run = &sys->run[r];
        for (int i = 0; may_be_named(sys, r) && i < run->count && found < 0; i++) {
            text_clear(&text);
            system_name(sys, run->first + i, &text);
            if (text.length != length || memcmp(text_get(&text), name, length) != 0)
                continue;
            found = run->der >= 0 ? sys->run[run->der].first + i : run->first + i;
        }
    }
    text_free(&text);
    return found;
}

/* Length of the first of names with commas between; those inside of subscripts do not count. */
static size_t name_length(const char *names) {
    int    depth = 0;
    size_t n = 0;
    for (; names[n] && (depth > 0 || names[n] != ','); n++)
        depth += (names[n] == '[') - (names[n] == ']');
    return n;
}

bool theta_named(const System *sys, const char *names, int **list, int *count,
                 Arena *arena, Diag *diag) {
    bool fine = true;
    if (!names) return true;
    *list = NEW(arena, int, strlen(names) + 1);
    while (*names) {
        size_t length = name_length(names);
        int    var = find_named(sys, names, length);
        if (var >= 0) (*list)[(*count)++] = var;
        else
            diag_report(diag, 0, CODE_H109,
                        "--theta %.*s: the model has no Real parameter of this name that "
                        "stays one, and differentiates no such variable",
                        (int)length, names);
        fine &= var >= 0;
        names += length + (names[length] == ',');
    }
    return fine;
}

void theta_print(const System *sys, Text *out) {
    for (int k = 0; k < sys->theta.count; k++) {
        system_name(sys, sys->theta.fast[k].state, out);
        text_printf(out, ": level %d\n", sys->theta.fast[k].level);
    }
    if (!sys->theta.count) text_add(out, "no infinitely fast states\n");
}
