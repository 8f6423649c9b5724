/* SPDX-License-Identifier: Apache-2.0 */
/* batches.c -- families of equal systems: their kernels, and what a program knows of them.
 *
 * Families come from inst/fold.c, where an array of components became one component. What belongs to
 * none is a family of one instance. */
#include "translate/freeze.h"
#include "translate/network.h"

#include "gen/gen.h"
#include "inst/typed.h"

#include <assert.h>
#include <string.h>

typedef struct Builder {
    Translation *t;
    System      *sys;
    int         *of_run;  /* by run */
    int         *differs; /* by variable: see BatchFamily */
} Builder;

static int family_of(const FlatModel *model, int owner) {
    if (owner < 0) return -1;
    for (int k = 0; k < model->folds; k++)
        if (inst_is_under(model->front->inst[owner], model->fold[k].inst)) return k;
    return -1;
}

static void find_families(Builder *b) {
    const FlatModel *model = b->t->flat;
    const System    *sys = b->sys;
    b->of_run = NEW(&b->t->arena, int, sys->runs + 1);
    for (int r = 0; r < sys->runs; r++) {
        int base = r;
        while (sys->run[base].of >= 0) base = sys->run[base].of;
        int family = family_of(model, sys->run[base].owner);
        b->of_run[r] = family < 0 ? model->folds : family;
    }
    network_families(b->t, b->of_run);
    for (int r = 0; r < sys->runs; r++)
        if (sys->run[r].of >= 0) b->of_run[r] = b->of_run[sys->run[r].of];
}

/* What neighbours in a network give differs as well. */
static int add_given(const Builder *b, int family, int *list, int n) {
    int            ports;
    const LawPort *port = network_ports(b->t, family, &ports);
    const LawTie  *tie = network_tie(b->t, family);
    for (int i = 0; tie && i < tie->count; i++) list[n++] = tie->given + i;
    for (int k = 0; k < ports; k++) {
        int law = port[k].pairs + port[k].pairs * port[k].pairs;
        for (int i = 0; !port[k].out && i < port[k].givens; i++)
            list[n++] = port[k].given + i;
        for (int i = 0; port[k].out && i < law; i++) list[n++] = port[k].law + i;
    }
    return n;
}

/* A parameter that differs, and all that are computed once one of the family does. */
static int find_differing(Builder *b, int family, int *list) {
    const FlatModel *model = b->t->flat;
    const System    *sys = b->sys;
    int              n = 0;
    bool             any = false;
    memset(b->differs, 0, (size_t)sys->vars * sizeof *b->differs);
    const Fold *fold = family < model->folds ? &model->fold[family] : NULL;
    for (int k = 0; fold && k < fold->differs; k++)
        any |= fold->differ[k].kind == DIFFER_VALUE;
    for (int r = 0; any && r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        if (b->of_run[r] != family || run->kind != VAR_PARAMETER) continue;
        bool own = !system_attribute(sys, r, ATTR_BINDING);
        for (int k = 0; k < fold->differs && !own; k++)
            own = fold->differ[k].inst->id == run->owner;
        for (int i = 0; own && i < run->count; i++) list[n++] = run->first + i;
    }
    n = add_given(b, family, list, n);
    for (int k = 0; k < n; k++) b->differs[list[k]] = k + 1;
    return n;
}

static bool refuse(const Builder *b, const BatchFamily *f) {
    const FlatModel *model = b->t->flat;
    Text             name = {0};
    if (f->number < model->folds) flat_fold_name(&name, model, &model->fold[f->number]);
    diag_report(&b->t->session->diag, f->pos, CODE_C103,
                "an equation of '%s' cannot be computed instance by instance: %s",
                text_get(&name), text_get(&f->why));
    text_free(&name);
    return false;
}

/* Families have no ticks. */
static bool is_clocked(const Builder *b) {
    const System *sys = b->sys;
    for (int r = 0; sys->clocks && r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        Text          name = {0};
        if (!run->count || run->flags & VAR_HIDDEN || system_sub(sys, run->first) < 0)
            continue;
        system_name(sys, run->first, &name);
        diag_report(
            &b->t->session->diag, run->pos, CODE_C103,
            "'%s' is clocked, so the model cannot be computed instance by instance",
            text_get(&name));
        text_free(&name);
        return true;
    }
    return false;
}

/* A value that shapes the model cannot differ: the model is translated once. */
static bool is_shaped(const Builder *b) {
    const FlatModel *model = b->t->flat;
    bool             shaped = false;
    for (int k = 0; k < model->folds; k++)
        for (int i = 0; i < model->fold[k].differs; i++) {
            const Inst *inst = model->fold[k].differ[i].inst;
            Text        name = {0};
            if (model->fold[k].differ[i].kind != DIFFER_VALUE || !inst->structural)
                continue;
            shaped = true;
            inst_name(&name, model->front, inst);
            diag_report(
                &b->t->session->diag, inst->why ? inst->why : inst->pos, CODE_C106,
                "'%s' shapes the model, so it cannot differ between the instances of "
                "a family",
                text_get(&name));
            text_free(&name);
        }
    return shaped;
}

/* The family of components that an action is about. */
static int action_family(const FlatModel *model, const Family *action) {
    const int family = family_of(model, action->owner);
    return family < 0 ? model->folds : family;
}

/* What is looked at in all instances: assertions that hold always, or at the start. */
static bool is_looked_at(const Shapes *shapes, const Family *action) {
    Term root = shapes->shape[action->shape].root;
    if (expr_op(shapes, root) == TERM_WHEN &&
        expr_op(shapes, expr_arg(shapes, root, 0)) == TERM_INITIAL)
        root = expr_arg(shapes, root, 1);
    return expr_op(shapes, root) == TERM_ASSERT;
}

/* Nothing happens in a family; the rest of a network has the ordinary events. */
static bool has_actions(const Builder *b) {
    const FlatModel *model = b->t->flat;
    const Families  *actions = &b->sys->set[ROWS_ACTION];
    const bool       network = b->t->net && b->t->net->ports > 0;
    for (int k = 0; k < actions->count; k++) {
        const Family *action = &actions->family[k];
        const int     family = action_family(model, action);
        const Fold   *fold = family < model->folds ? &model->fold[family] : NULL;
        Text          name = {0};
        if (is_looked_at(b->sys->shapes, action) ||
            (network && (!fold || fold->count == 1)))
            continue;
        if (fold) flat_fold_name(&name, model, fold);
        else text_add(&name, "the rest of the model");
        diag_report(&b->t->session->diag, action->pos, CODE_C103,
                    "a statement of '%s' that happens at events cannot be computed "
                    "instance by instance",
                    text_get(&name));
        text_free(&name);
        return true;
    }
    return false;
}

/* Nor does a value stay from one event to the next: nothing is kept of an instance but states and parameters. */
static bool has_memory(const Builder *b) {
    const FlatModel *model = b->t->flat;
    const System    *sys = b->sys;
    const bool       network = b->t->net && b->t->net->ports > 0;
    for (int r = 0; r < sys->runs; r++) {
        const VarRun *run = &sys->run[r];
        const int     family = b->of_run[r];
        const bool    one = family >= model->folds || model->fold[family].count == 1;
        Text          name = {0};
        if (run->kind != VAR_PRE || !run->count || run->of < 0 || (network && one))
            continue;
        const int of = sys->run[run->of].first;
        if (sys->run[run->of].flags & VAR_HIDDEN) continue;
        system_name(sys, of, &name);
        diag_report(&b->t->session->diag, sys->run[run->of].pos, CODE_C103,
                    "'%s' keeps its value between events, so it cannot be computed "
                    "instance by instance",
                    text_get(&name));
        text_free(&name);
        return true;
    }
    return false;
}

static void describe(Builder *b, int number, const BatchFamily *f, const int *known,
                     int knowns) {
    Translation     *t = b->t;
    const FlatModel *model = t->flat;
    const Fold      *fold = number < model->folds ? &model->fold[number] : NULL;
    BatchBuild      *to = &t->batch[number];
    *to = (BatchBuild){.count = fold ? fold->count : 1,
                       .states = f->states,
                       .torn = f->torn,
                       .aside = f->aside,
                       .knowns = knowns,
                       .results = f->results,
                       .code = f->code,
                       .part = f->ports > 0 || f->host,
                       .host = f->host,
                       .why = arena_string(&t->arena, text_get(&f->why), f->why.length),
                       .fold = fold};
    to->known = NEW(&t->arena, int, knowns + 1);
    for (int k = 0; k < knowns; k++) to->known[k] = known[k];
}

/* Of one instance, in a network: the rest of the model has a place there also if no triplet joins it. */
static bool may_be_host(const Translation *t, const BatchFamily *f) {
    if (f->number >= t->flat->folds) return t->net && t->net->ports > 0;
    return f->ports > 0 && t->flat->fold[f->number].count == 1;
}

static bool make_kernels(const Builder *b, BatchFamily *f) {
    Translation     *t = b->t;
    const Structure *st = &t->part[PART_RUN].structure;
    Text             own = {0};
    bool             fine;
    f->port = network_ports(t, f->number, &f->ports);
    f->tie = network_tie(t, f->number);
    if (!f->ports) fine = gen_batch(st, f, &t->batch_text);
    else {
        f->section = NEW(&t->arena, NetSection, f->ports + 1);
        fine = gen_part(st, f, &t->arena, &own);
        if (fine) f->code = network_code(t, text_get(&own), &t->batch_text);
        text_free(&own);
    }
    if (fine || !may_be_host(t, f)) return fine;
    const char *why = arena_string(&t->arena, text_get(&f->why), f->why.length);
    if (!gen_host(st, f, &t->arena)) return false;
    text_add(&f->why, why);
    return true;
}

/* Needs: blocks of the run, families. Gives: the text of the kernels; a message for a family that has
 * none. */
bool batches_emit(Translation *t) {
    Builder b = {.t = t, .sys = t->part[PART_RUN].structure.sys};
    int     families = t->flat->folds + 1;
    b.differs = NEW(&t->arena, int, b.sys->vars + 1);
    int *list = NEW(&t->arena, int, b.sys->vars + 1);
    find_families(&b);
    if (is_clocked(&b) || is_shaped(&b) || has_actions(&b) || has_memory(&b))
        return false;
    t->batch = NEW(&t->arena, BatchBuild, families);
    t->batch_of_run = b.of_run;
    gen_batch_begin(&t->batch_text);
    for (int k = 0; k < families; k++) {
        int         knowns = find_differing(&b, k, list);
        BatchFamily f = {.number = k, .of_run = b.of_run, .differs = b.differs};
        if (!make_kernels(&b, &f)) {
            bool fine = refuse(&b, &f);
            text_free(&f.why);
            return fine;
        }
        describe(&b, k, &f, list, knowns);
        text_free(&f.why);
        if (f.ports) t->batch[k].uniform = network_keep(t, k, &f);
    }
    t->batches = families;
    return true;
}

void batches_print(const Translation *t, Text *out) {
    text_bytes(out, text_get(&t->batch_text), t->batch_text.length);
}

/* What a look at the structure shows: families, then the blocks of one instance of each. */
void batches_report(const Translation *t, Text *out) {
    network_report(t, out);
    for (int k = 0; k < t->batches; k++) {
        const BatchBuild *b = &t->batch[k];
        if (!b->fold && !b->states && !b->part) continue;
        text_add(out, "family ");
        if (b->fold) flat_fold_name(out, t->flat, b->fold);
        else text_add(out, "of the rest");
        text_printf(out, ": %lld instances, %d states, ", (long long)b->count, b->states);
        if (b->torn) text_printf(out, "linear systems of %d unknowns at most, ", b->torn);
        text_printf(out, "%d bytes an instance",
                    8 * (b->states + b->knowns + b->results));
        if (b->aside) text_printf(out, ", %d equations aside", b->aside);
        if (b->host) text_printf(out, ", by the ordinary code: %s\n", b->why);
        else if (b->part) text_printf(out, ", class %d\n", b->code + 1);
        else if (b->knowns) text_printf(out, " (%d parameters differ)\n", b->knowns);
        else text_char(out, '\n');
        network_report_part(t, k, out);
    }
    structure_report(&t->part[PART_RUN].structure, out, 100000);
}

/* ---- into the program ---- */

typedef struct DifferList {
    BatchDiffer *differ;
    double      *value;
    int          differs, values, differ_room, value_room;
} DifferList;

static void add_differ(Draft *d, DifferList *l, const Differ *from, int64_t count) {
    int run = -1;
    for (int r = 0; r < d->sys->runs; r++)
        if (d->sys->run[r].owner == from->inst->id && d->sys->run[r].of < 0) run = r;
    if (run < 0) return;
    for (int e = 0; e < from->each; e++) {
        l->differ = arena_grow(&d->arena, l->differ, sizeof(BatchDiffer), &l->differ_room,
                               l->differs + 1);
        l->value = arena_grow(&d->arena, l->value, sizeof(double), &l->value_room,
                              l->values + (int)count);
        l->differ[l->differs++] = (BatchDiffer){d->sys->run[run].first + e,
                                                from->kind == DIFFER_START, l->values};
        for (int64_t i = 0; i < count; i++)
            l->value[l->values++] = from->value[i * from->each + e];
    }
}

typedef struct MemberList {
    BatchMember *member;
    int         *size;
    int          members, sizes, member_room, size_room;
} MemberList;

static void add_members(Draft *d, MemberList *l, const Fold *fold) {
    Text    pattern = {0};
    int     own[NAME_DIMS];
    int64_t at = 0;
    l->member = arena_grow(&d->arena, l->member, sizeof *l->member, &l->member_room,
                           l->members + fold->members);
    for (int m = 0; m < fold->members; m++) {
        const FoldMember *from = &fold->member[m];
        text_clear(&pattern);
        d->sys->name_pattern(d->sys->names, from->inst->id, &pattern, own);
        l->member[l->members++] = (BatchMember){
            at, from->count, freeze_chars(d, text_get(&pattern), pattern.length),
            from->dims, l->sizes};
        l->size = arena_grow(&d->arena, l->size, sizeof(int), &l->size_room,
                             l->sizes + from->dims);
        for (int i = 0; i < from->dims; i++) l->size[l->sizes++] = from->size[i];
        at += from->count;
    }
    text_free(&pattern);
}

static int *of_actions(Draft *d) {
    const Families *actions = &d->sys->set[ROWS_ACTION];
    int            *of = NEW(&d->arena, int, actions->count + 1);
    for (int k = 0; k < actions->count; k++)
        of[k] = action_family(d->from->flat, &actions->family[k]);
    return of;
}

void freeze_batches(Draft *d) {
    const Translation *t = d->from;
    Batches           *to = &d->program.batches;
    if (!t->batches) return;
    BatchInfo *info = NEW(&d->arena, BatchInfo, t->batches);
    int       *state = NEW(&d->arena, int, d->program.states.count + 1), states = 0;
    int        knowns = 0, *known = NULL, room = 0;
    int        hosts = 0, *host = NULL, host_room = 0;
    DifferList l = {0};
    MemberList m = {0};
    for (int k = 0; k < t->batches; k++) {
        const BatchBuild *from = &t->batch[k];
        info[k] = (BatchInfo){.count = from->count,
                              .torn = from->torn,
                              .state = states,
                              .states = from->states,
                              .known = knowns,
                              .knowns = from->knowns,
                              .member = m.members,
                              .members = from->fold ? from->fold->members : 0,
                              .part = from->part,
                              .host = from->host ? hosts : -1,
                              .results = from->results,
                              .code = from->code,
                              .uniform = from->uniform,
                              .differ = l.differs};
        for (int s = 0; s < d->program.states.count; s++)
            if (t->batch_of_run[system_run_of(d->sys, d->program.states.var[s])] == k)
                state[states++] = s;
        known =
            arena_grow(&d->arena, known, sizeof(int), &room, knowns + from->knowns + 1);
        for (int i = 0; i < from->knowns; i++) known[knowns++] = from->known[i];
        if (from->fold) add_members(d, &m, from->fold);
        for (int i = 0; from->host && i < from->results; i++) {
            host = arena_grow(&d->arena, host, sizeof(int), &host_room, hosts + 1);
            host[hosts++] = from->host[i];
        }
        for (int i = 0; from->fold && i < from->fold->differs; i++)
            add_differ(d, &l, &from->fold->differ[i], from->count);
        info[k].differs = l.differs - info[k].differ;
        assert(states - info[k].state == from->states);
    }
    *to = (Batches){.count = t->batches,
                    .chosen = t->trial,
                    .runs = d->sys->runs,
                    .states = states,
                    .text = text_get(&t->batch_text),
                    .text_bytes = (int)t->batch_text.length + 1,
                    .members = m.members,
                    .sizes = m.sizes,
                    .knowns = knowns,
                    .differs = l.differs,
                    .values = l.values,
                    .batch = info,
                    .of_run = t->batch_of_run,
                    .of_action = of_actions(d),
                    .actions = d->sys->set[ROWS_ACTION].count,
                    .state = state,
                    .member = m.member,
                    .size = m.size,
                    .known = known,
                    .differ = l.differ,
                    .value = l.value};
    freeze_network(d);
    to->network.hosts = hosts;
    to->network.host = host;
}
