/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c -- one loop over many instances of equal systems, as C text.
 *
 * The rows that the derivatives of the states need stand in the body of one loop over instances: every
 * value but states, derivatives and parameters that differ is a local variable of the body, so it
 * never reaches memory, and C compilers make vector code of the loop. States lie in arrays of
 * BATCH_LANES instances: state k of instance i of a chunk at x[k*BATCH_LANES + i].
 *
 * sin and cos are functions without branches up to angles of 4e5, so that they become vector code,
 * too: reduction by a quarter of the circle in three parts (Cody, Waite 1980), polynomials of the
 * remainder as in fdlibm. Beyond, the function tells so, and the same text with those of the C library
 * runs instead.
 *
 * Cost: linear in the rows of one system, whatever the number of instances. */
#include "gen/batch.h"
#include "gen/emitter.h"

#include <string.h>

static const char quick[] =
    "#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__clang__)\n"
    "#pragma GCC optimize (\"O3\", \"no-math-errno\", \"no-trapping-math\", "
    "\"no-signed-zeros\")\n"
    "#endif\n";

static const char functions[] =
    "double floor(double);\n"
    "#ifdef __TINYC__\n#define restrict\n#endif\n"
    "typedef struct { double time; } BatchNow;\n"
    "static inline double batch_circle(double x, double shift, long long *wide) {\n"
    "    double k = floor(x*6.36619772367581382433e-01 + 0.5);\n"
    "    double r = ((x - k*1.57079632673412561417e+00) - k*6.07710050630396597660e-11)\n"
    "               - k*2.02226624879595063154e-21;\n"
    "    double z = r*r, q = k + shift, w = fabs(x);\n"
    "    double s = r + r*z*(-1.66666666666666324348e-01 + "
    "z*(8.33333333332248946124e-03\n"
    "        + z*(-1.98412698298579493134e-04 + z*(2.75573137070700676789e-06\n"
    "        + z*(-2.50507602534068634195e-08 + z*1.58969099521155010221e-10)))));\n"
    "    double c = 1.0 - (0.5*z - z*z*(4.16666666666666019037e-02\n"
    "        + z*(-1.38888888888741095749e-03 + z*(2.48015872894767294178e-05\n"
    "        + z*(-2.75573143513906633035e-07 + z*(2.08757232129817482790e-09\n"
    "        - z*1.13596475577881948265e-11))))));\n"
    "    double h = floor(q*0.5), odd = q - 2.0*h, sign = 1.0 - 2.0*(h - "
    "2.0*floor(h*0.5));\n"
    "    *wide |= w > 4e5;\n"
    "    return sign*(odd != 0.0 ? c : s);\n"
    "}\n"
    "void batch_combine(int n, int stages, const double *a, double h,\n"
    "    const double *restrict k, const double *x, double *to) {\n"
    "    enum { S = LANES };\n"
    "    for (int s = 0; s < n; s++) {\n"
    "        double sum[S];\n"
    "        for (int i = 0; i < S; i++) sum[i] = 0;\n"
    "        for (int j = 0; j < stages; j++) {\n"
    "            const double aj = a[j], *kj = k + (j*n + s)*S;\n"
    "            if (aj == 0) continue;\n"
    "            for (int i = 0; i < S; i++) sum[i] += aj*kj[i];\n"
    "        }\n"
    "        for (int i = 0; i < S; i++) sum[i] = x[s*S + i] + h*sum[i];\n"
    "        for (int i = 0; i < S; i++) to[s*S + i] = sum[i];\n"
    "    }\n"
    "}\n";

/* Solves linear systems of one instance with c right sides by elimination with pivots of the largest
 * size. */
static const char solver[] =
    "static void batch_solve(int n, int c, double *a, double *b) {\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        int p = k;\n"
    "        for (int i = k + 1; i < n; i++)\n"
    "            if (fabs(a[i*n + k]) > fabs(a[p*n + k])) p = i;\n"
    "        for (int j = k; j < n && p != k; j++) {\n"
    "            double t = a[k*n + j]; a[k*n + j] = a[p*n + j]; a[p*n + j] = t;\n"
    "        }\n"
    "        for (int j = 0; j < c && p != k; j++) {\n"
    "            double t = b[k*c + j]; b[k*c + j] = b[p*c + j]; b[p*c + j] = t;\n"
    "        }\n"
    "        for (int i = k + 1; i < n; i++) {\n"
    "            double f = a[i*n + k]/a[k*n + k];\n"
    "            for (int j = k + 1; j < n; j++) a[i*n + j] -= f*a[k*n + j];\n"
    "            for (int j = 0; j < c; j++) b[i*c + j] -= f*b[k*c + j];\n"
    "        }\n"
    "    }\n"
    "    for (int k = n - 1; k >= 0; k--)\n"
    "        for (int m = 0; m < c; m++) {\n"
    "            for (int j = k + 1; j < n; j++) b[k*c + m] -= a[k*n + j]*b[j*c + m];\n"
    "            b[k*c + m] /= a[k*n + k];\n"
    "        }\n"
    "}\n";

/* ---- rows ---- */

void batch_refuse(BatchText *b, int row, const char *why) {
    if (b->refuse.length) return;
    text_add(&b->refuse, why);
    b->pos = row >= 0 ? structure_pos(b->st, row) : 0;
}

static void slot_text(const void *context, int slot, Text *out) {
    const BatchText *b = context;
    int              slots = batch_slots(b, b->row);
    bool             direction = slot >= slots;
    int              at = direction ? slot - slots : slot, var = batch_var(b, b->row, at);
    Term             leaf = shape_leaf(b->shapes, b->st->shape[b->row], at);
    if (expr_op(b->shapes, leaf) == TERM_NUMBER) text_printf(out, "(%d.0)", var);
    else if (direction) text_printf(out, "d%d_%d", var, b->column);
    else if (b->state[var] >= 0) text_printf(out, "x%d", b->state[var]);
    else if (b->st->role[var] == ROLE_KNOWN) text_printf(out, "p%d", var);
    else if (b->names == NAME_BIAS && b->place[var]) text_printf(out, "b%d", var);
    else text_printf(out, "v%d", var);
}

void batch_value(BatchText *b, int row, Term term, BatchNames names, Text *value) {
    CText c = ctext_new(b->shapes, b, b->out, 8, structure_pos(b->st, row));
    b->row = row;
    b->names = names;
    c.slot = slot_text;
    ctext_value(&c, term, value);
    if (c.missing) batch_refuse(b, row, "an operator has no code in a loop of instances");
}

/* May a value jump where it causes an event? abs, min and max do not: their kinks need none. */
static bool jumps(const Shapes *shapes, Term term) {
    const Node *node = expr_node(shapes, term);
    bool smooth = node->op == TERM_ABS || node->op == TERM_MIN || node->op == TERM_MAX;
    if (!(node->flags & NODE_EVENTS)) return false;
    if (node->op == TERM_SAMPLE) return true;
    if (term_info[node->op].traits & TRAIT_EVENT && !smooth) return true;
    for (uint32_t k = 0; k < node->n; k++)
        if (jumps(shapes, expr_arg(shapes, term, k))) return true;
    return false;
}

/* Arrays, calls and events have no place in the loop. */
static bool is_plain(BatchText *b, int row) {
    const Shape *shape = &b->shapes->shape[b->st->shape[row]];
    const Node  *root = expr_node(b->shapes, shape->root);
    const char  *why = NULL;
    if (jumps(b->shapes, shape->root)) why = "it causes events";
    else if (root->flags & NODE_CALLS) why = "it calls a function that is not inlined";
    else if (root->flags & NODE_IMPURE) why = "it has a past or an effect";
    for (int k = 0; !why && k < shape->slots; k++)
        if (expr_op(b->shapes, shape_leaf(b->shapes, b->st->shape[row], k)) ==
            TERM_ARRAY_SLOT)
            why = "it uses an array as a whole";
    if (why) batch_refuse(b, row, why);
    return !why;
}

bool batch_solvable(BatchText *b, int row, int slot) {
    Solution s = shape_solve(b->shapes, b->st->shape[row], slot);
    if (s.kind == SOLVE_ALWAYS) return true;
    if (s.kind != SOLVE_FACTOR || s.slots >> 63) return false;
    for (int k = 0; k < batch_slots(b, row); k++)
        if (s.slots >> k & 1 && b->st->role[batch_var(b, row, k)] != ROLE_KNOWN)
            return false;
    return true;
}

static void explicit_row(BatchText *b, int eq) {
    const Structure *st = b->st;
    int              row = st->eq_row[eq], var = st->var_of[eq];
    Text             value = {0};
    for (int k = 0; k < batch_slots(b, row); k++) {
        if (batch_var(b, row, k) != var) continue;
        Solution s = shape_solve(b->shapes, st->shape[row], k);
        if (s.kind == SOLVE_NONE) break;
        text_printf(b->out, "        double v%d; {\n", var);
        batch_value(b, row, s.value, NAME_VALUE, &value);
        text_printf(b->out, "        v%d = %s; }\n", var, text_get(&value));
        text_free(&value);
        return;
    }
    batch_refuse(b, row, "it is not solved for its unknown by a formula");
}

/* ---- what is needed ---- */

void batch_want(BatchText *b, const Block *block) {
    for (int i = 0; i < block->count; i++) {
        int row = b->st->eq_row[b->st->order[block->first + i]];
        if (!is_plain(b, row)) return;
        for (int k = 0; k < batch_slots(b, row); k++) {
            Term leaf = shape_leaf(b->shapes, b->st->shape[row], k);
            int  var = batch_var(b, row, k);
            if (expr_op(b->shapes, leaf) == TERM_NUMBER) continue;
            if (b->st->role[var] == ROLE_KNOWN) b->known[var] = 1;
            else b->wanted[var] = 1;
        }
    }
}

bool batch_is_wanted(const BatchText *b, const Block *block) {
    for (int i = 0; i < block->count; i++) {
        int var = b->st->var_of[b->st->order[block->first + i]];
        if (var >= 0 && b->wanted[var]) return true;
    }
    return false;
}

/* By block: the derivatives of the family need it. */
static uint8_t *find_needed(BatchText *b) {
    const Structure *st = b->st;
    uint8_t         *needed = NEW(&b->arena, uint8_t, st->blocks + 1);
    for (int v = 0; v < st->vars; v++) {
        if (b->state[v] < 0) continue;
        int rate = st->next[v];
        if (st->role[rate] == ROLE_KNOWN) b->known[rate] = 1;
        else b->wanted[rate] = 1;
    }
    for (int k = st->blocks - 1; k >= 0; k--) {
        if (!batch_is_wanted(b, &st->block[k])) continue;
        needed[k] = 1;
        batch_want(b, &st->block[k]);
    }
    return needed;
}

/* ---- the kernel ---- */

void batch_block(BatchText *b, const Block *block) {
    int row = b->st->eq_row[b->st->order[block->first]];
    switch ((BlockKind)block->kind) {
    case BLOCK_EXPLICIT: explicit_row(b, b->st->order[block->first]); break;
    case BLOCK_LINEAR: batch_linear(b, block); break;
    case BLOCK_FAST: batch_refuse(b, row, "it belongs to a fast process"); break;
    case BLOCK_NONLINEAR: batch_refuse(b, row, "it is part of a nonlinear loop"); break;
    case BLOCK_MIXED: batch_refuse(b, row, "it has discrete unknowns in a loop"); break;
    case BLOCK_CALL: batch_refuse(b, row, "it has several results"); break;
    }
}

void batch_rate(BatchText *b, int var) {
    const Structure *st = b->st;
    int              rate = st->next[var];
    text_printf(b->out, "        dx[%d*S + i] = %s", b->state[var],
                st->next_sign[var] < 0 ? "-" : "");
    if (b->state[rate] >= 0) text_printf(b->out, "x%d;\n", b->state[rate]);
    else text_printf(b->out, "%c%d;\n", st->role[rate] == ROLE_KNOWN ? 'p' : 'v', rate);
}

void batch_knowns(const BatchText *b, const BatchFamily *f, bool inside, Text *out) {
    for (int var = 0, n = 0; var < b->st->vars; var++) {
        if (!inside && b->known[var] && !f->differs[var]) {
            if (f->ports)
                text_printf(out, "    const double p%d = v[u[%d]];\n", var, n++);
            else text_printf(out, "    const double p%d = v[%d];\n", var, var);
        }
        if (inside && b->state[var] >= 0)
            text_printf(out, "        const double x%d = x[%d*S + i];\n", b->state[var],
                        b->state[var]);
        if (inside && b->known[var] && f->differs[var])
            text_printf(out, "        const double p%d = q[%d*S + i];\n", var,
                        f->differs[var] - 1);
    }
}

static void head_text(const BatchText *b, const BatchFamily *f, Text *out) {
    text_add(out,
             "(long n, double time, const double *restrict v, const double *restrict q,"
             "\n    const double *restrict x, double *restrict dx) {\n"
             "    enum { S = LANES };\n"
             "    const BatchNow now = {time}, *const c = &now;\n"
             "    long long wide = 0;\n    (void)v; (void)q; (void)c;\n");
    batch_knowns(b, f, false, out);
    text_add(out, "    for (long i = 0; i < n; i++) {\n");
    batch_knowns(b, f, true, out);
}

static void kernel_text(const BatchText *b, const BatchFamily *f, const char *body,
                        Text *out) {
    text_add(out, "#define sin(a) batch_circle(a, 0.0, &wide)\n"
                  "#define cos(a) batch_circle(a, 1.0, &wide)\n");
    text_printf(out, "int batch_fast_%d", f->number);
    head_text(b, f, out);
    text_add(out, body);
    text_add(out, "    }\n    return wide != 0;\n}\n#undef sin\n#undef cos\n");
    text_printf(out, "int batch_exact_%d", f->number);
    head_text(b, f, out);
    text_add(out, body);
    text_add(out, "    }\n    return wide != 0;\n}\n");
}

void batch_states(BatchText *b, BatchFamily *f) {
    const Structure *st = b->st;
    f->states = 0;
    b->state = NEW(&b->arena, int, st->vars + 1);
    for (int v = 0; v < st->vars; v++) {
        int  run = system_run_of(st->sys, v);
        bool own = st->role[v] == ROLE_STATE && f->of_run[run] == f->number;
        b->state[v] = own ? f->states++ : -1;
    }
}

bool gen_batch(const Structure *st, BatchFamily *f, Text *out) {
    Text      body = {0};
    BatchText b = {.st = st, .shapes = st->sys->shapes, .out = &body};
    size_t    n = (size_t)st->vars + 1;
    b.wanted = NEW(&b.arena, uint8_t, n);
    b.known = NEW(&b.arena, uint8_t, n);
    b.place = NEW(&b.arena, int, n);
    batch_states(&b, f);
    uint8_t *needed = find_needed(&b);
    for (int k = 0; k < st->blocks && !b.refuse.length; k++)
        if (needed[k]) batch_block(&b, &st->block[k]);
    for (int v = 0; v < st->vars; v++)
        if (b.state[v] >= 0) batch_rate(&b, v);
    f->torn = b.torn;
    f->pos = b.pos;
    f->refused = b.refuse.length > 0;
    if (f->refused) text_add(&f->why, text_get(&b.refuse));
    else kernel_text(&b, f, text_get(&body), out);
    text_free(&body);
    text_free(&b.refuse);
    arena_free(&b.arena);
    return !f->refused;
}

void gen_batch_begin(Text *out) {
    text_add(out, quick);
    text_add(out, rb_declarations);
    text_add(out, gen_prologue);
    text_printf(out, "enum { LANES = %d };\n", BATCH_LANES);
    text_add(out, functions);
    text_add(out, solver);
}
