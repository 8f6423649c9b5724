/* SPDX-License-Identifier: Apache-2.0 */
/* batch_part.c -- kernels of a part of a network, as C text, made from its class alone.
 *
 * The equations that stand for the rest of the network at its triplets (translate/network.c) split
 * the blocks of the part in two. What depends on efforts that come in, or on laws of the leaves, is
 * implicit; the rest follows from states, parameters and given signals. Implicit blocks that share
 * something form a section. Kernels, each over any instances:
 *
 *   part_go     explicit values that triplets with output signals pass on, for each group of triplets
 *               that depend on each other
 *   part_law    the laws of the leaves become the law of the section at its own triplet to the root,
 *               and all that is asked of the section becomes affine in the efforts there
 *   part_rate   derivatives of the states
 *   part_miss   of a tie: by how much the equations that are left over are wrong
 *
 * For a mechanism this is the articulated-body algorithm (Featherstone 1983), but nothing here knows what
 * a body is: torn_reduce gives every unknown as affine in the unknowns that tear and in the efforts, the
 * equations left over are solved for the former, and what is left is the law.
 *
 * Cost: linear in the rows of one instance. */
#include "gen/batch.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels ---- */

static void begin_kernel(PartText *p) {
    BatchText *b = &p->b;
    memset(b->wanted, 0, (size_t)b->st->vars);
    memset(b->known, 0, (size_t)b->st->vars);
    text_clear(b->out);
}

static void want(PartText *p, Value v) {
    if (v.var < 0) return;
    if (p->b.st->role[v.var] == ROLE_KNOWN) p->b.known[v.var] = 1;
    else p->b.wanted[v.var] = 1;
}

/* The blocks that what is wanted needs, in order; with_all: the implicit ones, too. */
static void needed_text(PartText *p, bool with_all) {
    BatchText       *b = &p->b;
    const Structure *st = b->st;
    uint8_t         *needed = NEW(&b->arena, uint8_t, st->blocks + 1);
    for (int k = st->blocks - 1; k >= 0; k--) {
        if (!batch_is_wanted(b, &st->block[k]) ||
            (!with_all && part_implicit(p, &st->block[k])))
            continue;
        needed[k] = 1;
        batch_want(b, &st->block[k]);
    }
    for (int k = 0; k < st->blocks && !b->refuse.length; k++)
        if (needed[k]) batch_block(b, &st->block[k]);
}

static void explicit_text(PartText *p) {
    needed_text(p, false);
}

static void value_text(const PartText *p, Value v, Text *out) {
    const BatchText *b = &p->b;
    if (v.var < 0) {
        text_add(out, "0.0");
        return;
    }
    text_add(out, v.sign < 0 ? "-" : "");
    if (b->state[v.var] >= 0) text_printf(out, "x%d", b->state[v.var]);
    else text_printf(out, "%c%d", b->st->role[v.var] == ROLE_KNOWN ? 'p' : 'v', v.var);
}

static void one_text(PartText *p, const char *kind, const char *exact, int number) {
    Text *out = p->out;
    text_printf(out, "static inline int body_%s_%s_@_%d", kind, exact, number);
    text_add(
        out,
        "(long n, long first, long step, const int *at, const int *u,\n    const long "
        "S,\n"
        "    double time, const double *restrict v, const double *restrict q,\n"
        "    const double *restrict x, double *restrict o, double *restrict dx) {\n"
        "    const BatchNow now = {time}, *const c = &now;\n"
        "    long long wide = 0;\n"
        "    (void)v; (void)q; (void)x; (void)o; (void)dx; (void)c; (void)S; (void)u;\n");
    batch_knowns(&p->b, p->f, false, out);
    text_add(out, "    for (long k = 0; k < n; k++) {\n"
                  "        const long i = at ? at[k] : first + k*step;\n");
    batch_knowns(&p->b, p->f, true, out);
    text_add(out, text_get(p->b.out));
    text_add(out, "    }\n    return wide != 0;\n}\n");
    text_printf(
        out,
        "int part_%s_%s_@_%d(long n, long first, long step, const int *at,\n"
        "    const int *u, long S, double time, const double *v, const double *q,\n"
        "    const double *x, double *o, double *dx) {\n"
        "    if (!at && step == 1) return body_%s_%s_@_%d(n, first, 1, 0, u, S, time, "
        "v,\n        q, x, o, dx);\n"
        "    return body_%s_%s_@_%d(n, first, step, at, u, S, time, v, q, x, o, "
        "dx);\n}\n",
        kind, exact, number, kind, exact, number, kind, exact, number);
}

/* The values that it takes from all instances. */
static void list_uniform(PartText *p, int kernel) {
    BatchFamily *f = p->f;
    f->uniform_at[kernel] = f->uniforms;
    for (int var = 0; var < p->b.st->vars; var++) {
        if (!p->b.known[var] || f->differs[var]) continue;
        f->uniform = arena_grow(p->keep, f->uniform, sizeof(int), &f->uniform_room,
                                f->uniforms + 1);
        f->uniform[f->uniforms++] = var;
    }
}

static void end_kernel(PartText *p, const char *kind, int number) {
    if (p->b.refuse.length) return;
    list_uniform(p, p->kernels++);
    text_add(p->out, "#define sin(a) batch_circle(a, 0.0, &wide)\n"
                     "#define cos(a) batch_circle(a, 1.0, &wide)\n");
    one_text(p, kind, "fast", number);
    text_add(p->out, "#undef sin\n#undef cos\n");
    one_text(p, kind, "exact", number);
}

/* ---- explicit values ---- */

static void go_kernel(PartText *p, int root, int number) {
    BatchText *b = &p->b;
    begin_kernel(p);
    for (int k = 0; k < p->f->ports; k++) {
        LawPort *port = &p->f->port[k];
        if (set_find(p->group, k) != root) continue;
        port->net.group = number;
        if (!port->out) p->f->group_reads[number] |= (uint64_t)1 << k;
        for (int i = 0; port->out && i < part_travels(port); i++)
            want(p, part_passed(p, port, i));
    }
    explicit_text(p);
    for (int k = 0; k < p->f->ports; k++) {
        LawPort *port = &p->f->port[k];
        if (set_find(p->group, k) != root || !port->out) continue;
        port->net.given = p->f->results;
        for (int i = 0; i < part_travels(port); i++) {
            text_printf(b->out, "        o[%d*S + i] = ", p->f->results++);
            value_text(p, part_passed(p, port, i), b->out);
            text_add(b->out, ";\n");
        }
    }
    end_kernel(p, "go", number);
}

static void go_kernels(PartText *p) {
    for (int k = 0; k < p->f->ports; k++) p->f->port[k].net.group = -1;
    for (int k = 0; k < p->f->ports; k++)
        if (p->f->port[k].out && p->f->port[k].net.group < 0)
            go_kernel(p, set_find(p->group, k), p->f->groups++);
}

/* ---- sections ---- */

/* The equations of a section, in order. */
static int *section_rows(PartText *p, int root, int *n) {
    const Structure *st = p->b.st;
    int             *list = NEW(&p->b.arena, int, st->eqs + 1);
    *n = 0;
    for (int k = 0; k < st->blocks; k++) {
        const Block *block = &st->block[k];
        int          var = st->var_of[part_eq(p, block, 0)];
        if (!part_implicit(p, block) || !part_asked(p, block) ||
            set_find(p->node, part_node(p, var)) != root)
            continue;
        batch_want(&p->b, block);
        for (int i = 0; i < block->count; i++) list[(*n)++] = part_eq(p, block, i);
    }
    return list;
}

/* z<tear>_0 and z<tear>_<1 + input>: what tears, as affine in the inputs. */
static void solve_text(const Torn *t) {
    Text *out = t->b->out;
    int   n = t->tears, c = t->inputs + 1;
    if (n == 1) {
        text_add(out, "        const double over = 1.0/m0_0, z0_0 = r0*over;\n");
        for (int j = 1; j < c; j++)
            text_printf(out, "        const double z0_%d = -m0_%d*over;\n", j, j);
    } else if (n > 1) {
        text_printf(out, "        double m[%d] = {", n * n);
        for (int i = 0; i < n * n; i++)
            text_printf(out, "%sm%d_%d", i ? ", " : "", i / n, i % n);
        text_printf(out, "}, z[%d] = {", n * c);
        for (int i = 0; i < n; i++) {
            text_printf(out, "%sr%d", i ? ", " : "", i);
            for (int j = 1; j < c; j++) text_printf(out, ", -m%d_%d", i, n + j - 1);
        }
        text_printf(out, "};\n        batch_solve(%d, %d, m, z);\n", n, c);
        for (int i = 0; i < n * c; i++)
            text_printf(out, "        const double z%d_%d = z[%d];\n", i / c, i % c, i);
    }
}

/* Coefficient `column` of a value: 0 is the one without efforts. */
static void affine_text(PartText *p, const Torn *t, Value v, int column, Text *out) {
    int place = v.var < 0 ? -1 : p->b.place[v.var] - 1, var = v.var;
    if (place < 0) { /* explicit */
        if (column) text_add(out, "0.0");
        else value_text(p, v, out);
        return;
    }
    text_add(out, v.sign < 0 ? "-(" : "(");
    if (place >= t->n) text_add(out, column == place - t->n + 1 ? "1.0" : "0.0");
    else if (t->tearing[place]) {
        int j = 0;
        while (t->tear[j] != place) j++;
        text_printf(out, "z%d_%d", j, column);
    } else {
        const uint8_t *moves = t->moves + (size_t)place * MOST_TORN;
        if (!column) text_printf(out, "b%d", var);
        else if (moves[t->tears + column - 1])
            text_printf(out, "d%d_%d", var, t->tears + column - 1);
        else text_add(out, "0.0");
        for (int j = 0; j < t->tears; j++)
            if (moves[j]) text_printf(out, " + d%d_%d*z%d_%d", var, j, j, column);
    }
    text_char(out, ')');
}

static void result_text(PartText *p, const Torn *t, Value v, int column, int sign,
                        int place) {
    text_printf(p->b.out, "        o[%d*S + i] = %s", place, sign < 0 ? "-" : "");
    affine_text(p, t, v, column, p->b.out);
    text_add(p->b.out, ";\n");
}

typedef struct Section {
    NetSection *net;
    Torn        torn;
    int         input[MOST_TORN]; /* variables of the efforts that come in ... */
    int         sign[MOST_TORN];  /* ... by pair; 0: nothing reads it */
    int         column[MOST_TORN];
    int         pairs; /* of the port */
    Value       down[256];
    int         downs;
} Section;

/* One value that is affine in the efforts, with the coefficients of all of them. */
static void down_text(PartText *p, const Section *s, Value v, int place) {
    result_text(p, &s->torn, v, 0, 1, place);
    for (int i = 0; i < s->pairs; i++) {
        if (s->sign[i])
            result_text(p, &s->torn, v, s->column[i] + 1, s->sign[i], place + 1 + i);
        else text_printf(p->b.out, "        o[%d*S + i] = 0.0;\n", place + 1 + i);
    }
}

/* Its own triplet is the first with input signals; others of it are cut. */
static void find_inputs(PartText *p, int root, Section *s) {
    s->net->port = -1;
    for (int k = 0; k < p->f->ports; k++) {
        LawPort *port = &p->f->port[k];
        if (port->out || set_find(p->node, k) != root) continue;
        port->net.cut = s->net->port >= 0;
        if (port->net.cut) continue;
        s->net->port = k;
        s->pairs = port->pairs;
        int inputs = 0;
        for (int i = 0; i < port->pairs; i++) {
            Value e = part_effort_in(p, port, i);
            s->sign[i] = e.var < 0 ? 0 : e.sign;
            s->column[i] = inputs;
            if (e.var >= 0) s->input[inputs++] = e.var;
        }
        s->torn.inputs = inputs;
    }
}

static bool add_down(PartText *p, Section *s, Value v) {
    if (s->downs == LENGTH(s->down)) {
        batch_refuse(&p->b, -1, "a part has too many connectors and states");
        return false;
    }
    s->down[s->downs++] = v;
    return true;
}

/* What is asked of a section: rates of states, efforts that go out, answers at cuts. */
static void find_downs(PartText *p, int root, Section *s) {
    const Structure *st = p->b.st;
    for (int j = 0; j < s->torn.tears; j++) {
        int var = s->torn.var[s->torn.tear[j]];
        if (st->prev[var] < 0 || !add_down(p, s, (Value){var, 1})) continue;
        p->result[var] = s->net->value + s->downs;
    }
    for (int k = 0; k < p->f->ports; k++) {
        LawPort *port = &p->f->port[k];
        if (set_find(p->node, k) != root || (!port->out && !port->net.cut)) continue;
        *(port->out ? &port->net.effort : &port->net.law) = s->net->value + s->downs;
        for (int i = 0; i < port->pairs; i++)
            add_down(p, s, port->out ? part_effort(p, port, i) : part_answer(p, port, i));
    }
}

static void law_text(PartText *p, Section *s) {
    LawPort *port = s->net->port < 0 ? NULL : &p->f->port[s->net->port];
    int      n = s->pairs;
    if (!port) return;
    port->net.law = p->f->results;
    for (int i = 0; i < n; i++) {
        Value v = part_answer(p, port, i);
        result_text(p, &s->torn, v, 0, 1, p->f->results + i);
        for (int j = 0; j < n; j++) {
            int place = p->f->results + n + i * n + j;
            if (s->sign[j])
                result_text(p, &s->torn, v, s->column[j] + 1, s->sign[j], place);
            else text_printf(p->b.out, "        o[%d*S + i] = 0.0;\n", place);
        }
    }
    p->f->results += n + n * n;
}

/* Flows that are differentiated are explicit: neighbours can be compared. */
static void flow_text(PartText *p, int root) {
    for (int k = 0; k < p->f->ports; k++) {
        LawPort *port = &p->f->port[k];
        if (set_find(p->node, k) != root) continue;
        port->net.flow = port->rates ? -1 : p->f->results;
        for (int i = 0; !port->rates && i < port->pairs; i++) {
            text_printf(p->b.out, "        o[%d*S + i] = ", p->f->results++);
            value_text(p, part_value(p->b.st, port->flow[i]), p->b.out);
            text_add(p->b.out, ";\n");
        }
    }
}

/* Explicit values that stand among those asked of a section. */
static void want_ports(PartText *p, int root) {
    for (int k = 0; k < p->f->ports; k++) {
        const LawPort *port = &p->f->port[k];
        for (int i = 0; set_find(p->node, k) == root && i < port->pairs; i++)
            if (!port->rates) want(p, part_value(p->b.st, port->flow[i]));
        for (int i = 0; set_find(p->node, k) == root && i < port->pairs; i++) {
            Value v = port->out ? part_effort(p, port, i) : part_answer(p, port, i);
            if (v.var >= 0 && p->implicit[v.var] != IMPLICIT_FOLLOWS) want(p, v);
        }
    }
}

static void law_kernel(PartText *p, int root, int number) {
    Section s = {.net = &p->f->section[number]};
    int     n;
    begin_kernel(p);
    find_inputs(p, root, &s);
    int  inputs = s.torn.inputs;
    int *eq = section_rows(p, root, &n);
    want_ports(p, root);
    explicit_text(p);
    torn_open(&s.torn, &p->b, n, eq, inputs, s.input);
    if (!p->b.refuse.length && torn_reduce(&s.torn)) {
        solve_text(&s.torn);
        s.net->number = number;
        s.net->torn = s.torn.tears;
        s.net->value = p->f->results;
        find_downs(p, root, &s);
        p->f->results += s.downs;
        s.net->downs = s.downs;
        s.net->affine = p->f->results;
        for (int k = 0; k < s.downs; k++)
            down_text(p, &s, s.down[k], s.net->affine + k * (1 + s.pairs));
        p->f->results += s.downs * (1 + s.pairs);
        law_text(p, &s);
        flow_text(p, root);
    }
    torn_close(&s.torn);
    end_kernel(p, "law", number);
    for (int k = 0; k < p->f->ports; k++)
        if (set_find(p->node, k) == root) p->f->port[k].net.section = number;
}

static void law_kernels(PartText *p) {
    BatchFamily *f = p->f;
    for (int k = 0; k < f->ports; k++) f->port[k].net.section = -1;
    for (int k = 0; k < f->ports && !p->b.refuse.length; k++)
        if (f->port[k].net.section < 0)
            law_kernel(p, set_find(p->node, k), f->sections++);
}

/* ---- rates ---- */

static void rate_kernel(PartText *p) {
    BatchText       *b = &p->b;
    const Structure *st = b->st;
    begin_kernel(p);
    for (int v = 0; v < st->vars; v++) {
        int rate = b->state[v] >= 0 ? st->next[v] : -1;
        if (rate < 0) continue;
        if (p->implicit[rate] != IMPLICIT_FOLLOWS) want(p, (Value){rate, 1});
        else if (p->result[rate])
            text_printf(b->out, "        const double v%d = o[%d*S + i];\n", rate,
                        p->result[rate] - 1);
        else
            batch_refuse(b, -1,
                         "the rate of a state is not determined by its connectors");
    }
    explicit_text(p);
    for (int v = 0; v < st->vars; v++)
        if (b->state[v] >= 0) batch_rate(b, v);
    end_kernel(p, "rate", 0);
}

/* ---- ties ---- */

/* What is missing in the equations of a tie, with all that comes in, and its forces, known. */
static void miss_kernel(PartText *p) {
    const Structure *st = p->b.st;
    LawTie          *tie = p->f->tie;
    begin_kernel(p);
    for (int i = 0; i < tie->count; i++) want(p, part_value(st, tie->missing[i]));
    needed_text(p, true);
    tie->net.miss = p->f->results;
    for (int i = 0; i < tie->count; i++) {
        text_printf(p->b.out, "        o[%d*S + i] = ", p->f->results++);
        value_text(p, part_value(st, tie->missing[i]), p->b.out);
        text_add(p->b.out, ";\n");
    }
    end_kernel(p, "miss", 0);
}

/* ---- one text for equal classes ---- */

/* The digits after p, v, b or d are the number of a variable: the first one in the text becomes 0. */
static void renumber(const char *from, Text *out) {
    Map  rank = {0};
    int  count = 0;
    bool inside = false; /* of a word */
    for (const char *c = from; *c;) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        bool digit = *c >= '0' && *c <= '9';
        if (!inside && strchr("pvbd", *c) && c[1] >= '0' && c[1] <= '9') {
            char *end;
            long  var = strtol(c + 1, &end, 10);
            if (!map_has(&rank, (uint64_t)var)) map_put(&rank, (uint64_t)var, count++);
            text_printf(out, "%c%d", *c, (int)map_get(&rank, (uint64_t)var, 0));
            c = end;
            inside = true;
            continue;
        }
        inside = letter || (inside && digit);
        text_char(out, *c++);
    }
    map_free(&rank);
}

bool gen_part(const Structure *st, BatchFamily *f, Arena *arena, Text *out) {
    Text     body = {0}, text = {0};
    PartText p = {.out = &text, .keep = arena, .b = {.out = &body}};
    part_open(&p, st, f);
    if (!p.b.refuse.length && f->tie) affine_check(&p);
    if (!p.b.refuse.length) go_kernels(&p);
    if (!p.b.refuse.length) law_kernels(&p);
    if (!p.b.refuse.length) rate_kernel(&p);
    if (!p.b.refuse.length && f->tie) miss_kernel(&p);
    if (!p.b.refuse.length) renumber(text_get(&text), out);
    text_free(&body);
    text_free(&text);
    return part_close(&p);
}
