/* SPDX-License-Identifier: Apache-2.0 */
/* driver.c -- the way of a model as one table of passes.
 *
 * Adding a pass is adding a row: --dump, --stop-after, --timing and --stages follow. What a pass
 * needs, gives and breaks stands above the function that does the work. */
#define _POSIX_C_SOURCE 200809L
#include "translate/choose.h"
#include "translate/freeze.h"

#include <assert.h>
#include <string.h>
#include <time.h>

typedef struct Pass {
    const char *name;
    bool (*run)(Translation *t); /* false: messages were reported */
    void (*dump)(const Translation *t, Text *out);
} Pass;

static Structure *run_structure(Translation *t) {
    return &t->part[PART_RUN].structure;
}

/* ---- parse: file or class -> target ---- */

/* Gives: the full name of the class. */
static bool pass_parse(Translation *t) {
    assert(!t->target && (t->file || t->class_));
    t->target = target_find(t);
    return t->target != NULL;
}

static void dump_parse(const Translation *t, Text *out) {
    text_printf(out, "%s\n", t->target);
}

/* ---- instantiate, connect, flatten: target -> flat ---- */

static bool pass_instantiate(Translation *t) {
    assert(t->target && !t->front);
    t->front = front_new(t->session, t->library);
    if (!t->front) return false;
    if (t->modifiers) {
        t->front->given = parse_modifiers_text(t->session, "--set", t->modifiers);
        if (!t->front->given) return false;
    }
    t->front->local_balance = t->check;
    t->front->watch.stop = t->watch.stop;
    t->front->watch.owner = t->watch.owner;
    if (t->foreign) foreign_end_objects(t->foreign);
    t->front->external.call = foreign_call;
    t->front->external.unit = foreign_unit;
    t->front->external.context = t->foreign;
    t->flat = flat_instantiate(t->front, t->target);
    t->front->watch.stop =
        NULL; /* later passes need whole answers: they end in between */
    return t->flat && t->flat->ok;
}

/* A pass over the flat model that needs nothing else, and how its result is printed. */
#define FLAT_PASS(name, print)                                                           \
    static bool pass_##name(Translation *t) {                                            \
        return flat_##name(t->flat);                                                     \
    }                                                                                    \
    static void dump_##name(const Translation *t, Text *out) {                           \
        print(out, t->flat);                                                             \
    }

static void dump_instantiate(const Translation *t, Text *out) {
    flat_print_instances(out, t->flat);
}

FLAT_PASS(machines, flat_print_machines)

/* Signals and flows below an instance: 1 and 2. */
static int kinds_below(const Inst *inst) {
    int kinds = (inst->way != WAY_NONE) | (inst->conn == CONN_FLOW) << 1;
    for (int k = 0; k < inst->nchild; k++)
        if (inst->child[k]) kinds |= kinds_below(inst->child[k]);
    return kinds;
}

/* Is the model a component that is to be connected by signals and flows? */
static bool is_component(const Inst *root) {
    for (int k = 0; k < root->nchild; k++) {
        const Inst *child = root->child[k];
        if (child && child->connector && !child->absent && !child->prefix.protected_ &&
            kinds_below(child) == 3)
            return true;
    }
    return false;
}

void translate_as_whole(Translation *t) {
    diag_report(
        &t->session->diag, t->flat->root->pos, CODE_C116,
        "no component of '%s' can be translated on its own: all of them belong to "
        "the rest of the model",
        t->target);
    t->components = false;
}

/* Families that nobody asked for: what is said from here on counts only if they are kept. False: the model is
 * to be translated as a whole. */
static bool try_families(Translation *t) {
    t->components = t->trial = true;
    t->before = t->session->diag;
    bool fine = flat_fold(t->flat) && choose_families(t->flat);
    if (fine || t->flat->folds || t->flat->wires) return fine;
    diag_back(&t->session->diag, &t->before); /* nothing has changed */
    t->components = t->trial = false;
    return true;
}

/* Gives: families of equal components, if they are asked for or found to be worth it. */
static bool pass_fold(Translation *t) {
    if (is_component(t->flat->root)) return true;
    if (!t->components)
        return !t->components_if_worth || !choose_to_try(t->flat) || try_families(t);
    if (!flat_fold(t->flat)) return false;
    if (!t->flat->folds && !t->flat->rests)
        diag_report(&t->session->diag, t->flat->root->pos, CODE_C102,
                    "'%s' contains no array of components that could be translated once",
                    t->target);
    else if (!t->flat->folds) translate_as_whole(t);
    return t->flat->folds || t->flat->rests;
}

static void dump_fold(const Translation *t, Text *out) {
    flat_print_folds(out, t->flat);
}

FLAT_PASS(connect, flat_print_connections)

/* Which unknowns are left over follows from the structure. Messages on the way there are not wanted:
 * the model is known to be wrong. */
static void explain_balance(Translation *t) {
    Diag silent, *diag = t->front->diag;
    diag_init(&silent, diag->sources);
    t->front->diag = &silent;
    Rows *rows = rows_of_model(t->flat);
    t->front->diag = diag;
    if (rows && rows->good && system_partition(&rows->sys, &silent) && !silent.errors)
        structure_explain(&rows->sys, diag);
    rows_free(rows);
    diag_free(&silent);
}

/* A class that is to be connected has open connectors: its counts say nothing. */
static bool is_open(const Translation *t) {
    return t->components && !t->flat->folds;
}

static bool pass_flatten(Translation *t) {
    if (is_open(t) || t->flat->wires) return true;
    if (flat_balance(t->flat)) return true;
    bool other = t->session->diag.errors > 1; /* the number of equations is not all */
    if (!other && t->flat->equations != t->flat->unknowns) explain_balance(t);
    return false;
}

static void dump_flatten(const Translation *t, Text *out) {
    flat_print(out, t->flat);
}

/* ---- rows: flat -> rows ---- */

static bool pass_rows(Translation *t) {
    assert(t->flat && t->flat->ok && !t->rows);
    int errors = t->session->diag.errors;
    t->rows = rows_of_model(t->flat);
    return t->rows && t->rows->good && t->session->diag.errors == errors;
}

static void dump_rows(const Translation *t, Text *out) {
    system_dump(&t->rows->sys, out, 10000);
}

/* A class that is to be connected: what it is, and then the end. */
static bool pass_recognise(Translation *t) {
    if (!is_open(t)) return network_close(t);
    LiedClass found = {0};
    lied_recognise(t, &found);
    text_printf(&t->dump, "%s: %s: %s\n", t->target, found.lied ? "LIED" : "not LIED",
                text_get(&found.text));
    if (!found.lied)
        diag_report(&t->session->diag, found.pos, CODE_C104, "class '%s' is not LIED: %s",
                    t->target, text_get(&found.text));
    t->stopped = true;
    text_free(&found.text);
    return found.lied;
}

/* ---- clocks: rows -> rows that belong to one clock each ---- */

static bool pass_clocks(Translation *t) {
    System *sys = &t->rows->sys;
    if (!system_partition(sys, &t->session->diag)) return false;
    translate_open_parts(t, sys->clocks ? sys->clocks->bases : 0);
    return true;
}

static void dump_clocks(const Translation *t, Text *out) {
    clocks_report(&t->rows->sys, out);
}

/* ---- theta: rows -> which states are infinitely fast ---- */

static bool pass_theta(Translation *t) {
    Arena scratch = {0};
    int   count = 0, *times = NULL;
    theta_find_derivatives(&t->rows->sys);
    bool fine = theta_named(&t->rows->sys, t->theta, &times, &count, &scratch,
                            &t->session->diag) &&
                theta_analyse(&t->rows->sys, times, count, &t->session->diag);
    arena_free(&scratch);
    return fine;
}

static void dump_theta(const Translation *t, Text *out) {
    theta_print(&t->rows->sys, out);
}

/* ---- aliases, index, states, match, order, tear: rows -> blocks of the run ---- */

static bool pass_aliases(Translation *t) {
    assert(t->rows && t->rows->good);
    structure_aliases(run_structure(t), &t->rows->sys, 0, &t->session->diag);
    return true;
}

static void dump_aliases(const Translation *t, Text *out) {
    structure_print_aliases(&t->part[PART_RUN].structure, out);
}

/* A circle of signals may be why a structure is singular. */
static bool explain_circle(Translation *t, bool fine) {
    if (!fine && t->flat->circle)
        diag_report(&t->session->diag, t->flat->circle_pos, CODE_C113,
                    "cyclic stream %s without a volume", t->flat->circle);
    return fine;
}

static bool pass_index(Translation *t) {
    return explain_circle(t, structure_index(run_structure(t)));
}

/* Passes over the structure of the run, and what they gave. */
#define PASS_STRUCTURE(name)                                                             \
    static bool pass_##name(Translation *t) {                                            \
        structure_##name(run_structure(t));                                              \
        return true;                                                                     \
    }
#define DUMP_STRUCTURE(name)                                                             \
    static void dump_##name(const Translation *t, Text *out) {                           \
        structure_print_##name(&t->part[PART_RUN].structure, out);                       \
    }
DUMP_STRUCTURE(index)
PASS_STRUCTURE(states)
DUMP_STRUCTURE(states)

static bool pass_match(Translation *t) {
    return explain_circle(t, structure_match(run_structure(t)));
}

DUMP_STRUCTURE(match)
PASS_STRUCTURE(order)
DUMP_STRUCTURE(order)
PASS_STRUCTURE(tear)
DUMP_STRUCTURE(tear)

static bool pass_partitions(Translation *t) {
    return translate_partitions(t);
}

static void dump_partitions(const Translation *t, Text *out) {
    for (int k = PARTS; k < t->parts; k++)
        structure_report(&t->part[k].structure, out, 100000);
}

/* The continuous equations, then the clocked ones. */
static void dump_structure(const Translation *t, Text *out) {
    structure_report(&t->part[PART_RUN].structure, out, 100000);
    if (t->parts > PARTS) dump_clocks(t, out);
    for (int k = PARTS; k < t->parts; k += 2)
        structure_report(&t->part[k].structure, out, 100000);
}

/* ---- bindings, start: rows -> blocks of parameters and of the initial system ---- */

static bool pass_bindings(Translation *t) {
    return structure_bindings(&t->part[PART_BINDINGS].structure, &t->rows->sys, NULL, 0,
                              &t->session->diag);
}

static void dump_bindings(const Translation *t, Text *out) {
    structure_report(&t->part[PART_BINDINGS].structure, out, 100000);
}

static bool pass_start(Translation *t) {
    return structure_initial(&t->part[PART_START].structure, run_structure(t),
                             &t->part[PART_BINDINGS].structure, &t->session->diag);
}

static void dump_start(const Translation *t, Text *out) {
    structure_report(&t->part[PART_START].structure, out, 100000);
}

static bool pass_timely(Translation *t) {
    if (!t->components) structure_timely(run_structure(t));
    return true;
}

/* The start was made of the rows as they were: it must not solve for what is shared. */
static bool pass_share(Translation *t) {
    if (t->components) return true;
    structure_share(run_structure(t));
    for (int k = 0; k < t->parts; k++) structure_grow(&t->part[k].structure);
    return true;
}

/* ---- schedule, needs, homes, fuse: blocks -> groups of equal kernels ---- */

/* Code for parts stores every value on its way, and takes time to make: it must have something to gain. */
static bool is_divisible(const PartBuild *run) {
    const Efforts effort = effort_of(&run->plan);
    return model_divides(&effort, run->structure.states);
}

static bool pass_schedule(Translation *t) {
    for (int k = 0; k < t->parts; k++) {
        PartBuild *b = &t->part[k];
        assert(!b->planned);
        plan_groups(&b->plan, &b->structure);
        b->planned = true;
        if (k == PART_RUN && t->selective_if_worth) t->selective |= is_divisible(b);
        b->plan.selective = k == PART_RUN && t->selective;
        b->plan.guarded = k == PART_BINDINGS;
    }
    return true;
}

static void dump_schedule(const Translation *t, Text *out) {
    plan_report(&t->part[PART_RUN].plan, out);
}

static bool pass_needs(Translation *t) {
    for (int k = 0; k < t->parts; k++) plan_needs(&t->part[k].plan);
    return true;
}

static void dump_needs(const Translation *t, Text *out) {
    plan_print_needs(&t->part[PART_RUN].plan, out);
}

static bool pass_homes(Translation *t) {
    for (int k = 0; k < t->parts; k++) plan_homes(&t->part[k].plan);
    return true;
}

static void dump_homes(const Translation *t, Text *out) {
    plan_print_homes(&t->part[PART_RUN].plan, out);
}

/* Rows of the bindings may be passed over, so none is computed inside another. */
static bool pass_fuse(Translation *t) {
    for (int k = 0; k < t->parts; k++) {
        Plan *plan = &t->part[k].plan;
        if (!plan->selective && !plan->guarded && k < PARTS) plan_fuse(plan);
    }
    return true;
}

/* ---- relations, emit: groups -> C text ---- */

static bool pass_relations(Translation *t) {
    for (int k = 0; k < t->parts; k++) gen_relations(&t->part[k].plan);
    return true;
}

static void dump_relations(const Translation *t, Text *out) {
    gen_print_relations(&t->part[PART_RUN].plan, out);
}

static bool has_loops(const Plan *plan) {
    for (int g = 0; g < plan->groups; g++)
        if (plan->group[g].kind == GROUP_LOOP) return true;
    return false;
}

/* All of them or none: sensitivities go through all parts. */
static void emit_senses(Translation *t) {
    bool fine = true;
    for (int k = 0; k < t->parts && fine; k++)
        fine = gen_senses(&t->part[k].plan, &t->part[k].sense);
    for (int k = 0; k < t->parts && !fine; k++) text_free(&t->part[k].sense);
}

/* Needs: relations. Gives: text; tangent, if somebody will ask for derivatives and all of
 * them can be written; sense, if it is asked for and can be written; width. */
static bool pass_emit(Translation *t) {
    for (int k = 0; k < t->parts; k++) {
        PartBuild *b = &t->part[k];
        assert(b->plan.holds && !b->text.length);
        if (!gen_text(&b->plan, &t->session->diag, &b->text)) return false;
        b->width = gen_width(&b->plan);
        bool wanted = has_loops(&b->plan) || (k == PART_RUN && b->structure.states);
        if (wanted && !gen_tangents(&b->plan, b->width, NULL, &b->tangent))
            text_free(&b->tangent); /* what needs them takes differences */
        assert(b->text.length && b->width > 0);
    }
    if (t->sensitive && t->parts == PARTS) emit_senses(t);
    return true;
}

static void dump_emit(const Translation *t, Text *out) {
    const Text *text = &t->part[PART_RUN].text;
    text_bytes(out, text_get(text), text->length);
}

static bool pass_batch(Translation *t) {
    return !t->components || ((!t->trial || choose_to_keep(t)) && batches_emit(t));
}

static bool pass_families(Translation *t) {
    (void)t;
    return true;
}

/* ---- tables, patterns, readers, locality, freeze: all of it -> program ---- */

static bool pass_tables(Translation *t) {
    assert(!t->draft);
    t->draft = freeze_tables(t);
    return true;
}

#define PASS_DRAFT(name)                                                                 \
    static bool pass_##name(Translation *t) {                                            \
        freeze_##name(t->draft);                                                         \
        return true;                                                                     \
    }
#define DUMP_DRAFT(name)                                                                 \
    static void dump_##name(const Translation *t, Text *out) {                           \
        freeze_print_##name(t->draft, out);                                              \
    }
DUMP_DRAFT(tables)
PASS_DRAFT(patterns)
DUMP_DRAFT(patterns)
PASS_DRAFT(readers)
DUMP_DRAFT(readers)
PASS_DRAFT(locality)
DUMP_DRAFT(locality)

static bool pass_freeze(Translation *t) {
    assert(t->draft && !t->program);
    t->program = freeze_program(t->draft);
    return t->program != NULL;
}

static void dump_freeze(const Translation *t, Text *out) {
    const Program *p = t->program;
    text_printf(out, "%zu bytes: %d variables, %d states, %d functions, %d sources\n",
                p->bytes, p->variables.vars, p->states.count, p->functions,
                p->sources.count);
}

/* ---- the table ---- */

static const Pass passes[] = {
    {"parse", pass_parse, dump_parse},                   /* file or class -> target */
    {"instantiate", pass_instantiate, dump_instantiate}, /* target -> instances */
    {"machines", pass_machines, dump_machines},          /* state machines -> equations */
    {"fold", pass_fold, dump_fold},                      /* arrays -> families */
    {"connect", pass_connect, dump_connect},             /* connects -> equations */
    {"flatten", pass_flatten, dump_flatten},             /* balance, units */
    {"rows", pass_rows, dump_rows},                      /* equations -> shapes, rows */
    {"recognise", pass_recognise, NULL},                 /* what a class is */
    {"clocks", pass_clocks, dump_clocks},                /* which rows tick when */
    {"theta", pass_theta, dump_theta},                   /* infinitely fast states */
    {"aliases", pass_aliases, dump_aliases},             /* one variable of a = -b */
    {"index", pass_index, dump_index},                   /* derivatives of equations */
    {"states", pass_states, dump_states},                /* which variables are states */
    {"match", pass_match, dump_match},                /* an equation for each unknown */
    {"order", pass_order, dump_order},                /* blocks in order */
    {"tear", pass_tear, dump_tear},                   /* iteration variables */
    {"partitions", pass_partitions, dump_partitions}, /* the same for clocked rows */
    {"bindings", pass_bindings, dump_bindings},       /* blocks of parameters */
    {"start", pass_start, dump_start},                /* blocks of the start */
    {"timely", pass_timely, dump_structure},          /* relations of time */
    {"share", pass_share, dump_structure},            /* what is computed once */
    {"schedule", pass_schedule, dump_schedule},       /* blocks -> groups */
    {"needs", pass_needs, dump_needs},                /* groups for derivatives */
    {"homes", pass_homes, dump_homes},                /* where values live */
    {"fuse", pass_fuse, dump_schedule},               /* values that stay in a row */
    {"relations", pass_relations, dump_relations},    /* that cause events */
    {"emit", pass_emit, dump_emit},                   /* groups -> C text */
    {"batch", pass_batch, batches_print},             /* families -> C text */
    {"families", pass_families, batches_report},      /* what they are, for a look */
    {"tables", pass_tables, dump_tables},             /* variables, parts */
    {"patterns", pass_patterns, dump_patterns},       /* of df/dx and torn blocks */
    {"readers", pass_readers, dump_readers},          /* who reads what at events */
    {"locality", pass_locality, dump_locality},       /* events of parts */
    {"freeze", pass_freeze, dump_freeze},             /* all of it -> program */
    {0},
};

/* The state after partitions under another name: all that it shows of the structure. */
static const Pass whole = {"structure", pass_partitions, dump_structure};

static bool is_called(const Pass *p, const char *name) {
    return strcmp(p->name, name) == 0 ||
           (p->run == whole.run && strcmp(whole.name, name) == 0);
}

bool translate_pass(const char *name, Text *names) {
    for (const Pass *p = passes; p->name; p++)
        if (is_called(p, name)) return true;
    for (const Pass *p = passes; names && p->name; p++)
        text_printf(names, " %s", p->name);
    return false;
}

/* The structure of families is theirs, and one instance of each. */
static const char *asked_for(const Translation *t, const char *name) {
    bool families = t->components && t->flat && t->flat->folds;
    return families && name && strcmp(name, whole.name) == 0 ? "families" : name;
}

static double wall_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_pass(Translation *t, const Pass *p) {
    double       before = wall_time();
    const Watch *w = &t->watch;
    if (w->stop && w->stop(w->owner)) return false;
    bool good = p->run(t);
    if (w->pass && (good || !t->trial))
        w->pass(w->owner, p->name, good, wall_time() - before);
    const char *dump = asked_for(t, w->dump), *until = asked_for(t, w->until);
    if (good && dump && is_called(p, dump) && p->dump)
        (strcmp(dump, p->name) == 0 ? p : &whole)->dump(t, &t->dump);
    if (good && until && is_called(p, until)) t->stopped = true;
    return good;
}

bool translate_run(Translation *t, const char *first, const char *last) {
    bool begun = !first;
    for (const Pass *p = passes; p->name; p++) {
        begun |= first && is_called(p, first);
        if (!begun) continue;
        if (!run_pass(t, p)) return false;
        if (t->stopped || is_called(p, last)) break;
    }
    return true;
}

/* Frees what the passes gave, but for the target and the program. */
static void forget(Translation *t) {
    freeze_close(t->draft);
    t->draft = NULL;
    for (int k = 0; k < t->parts; k++) {
        PartBuild *b = &t->part[k];
        if (b->planned) plan_free(&b->plan);
        structure_free(&b->structure);
        TEXT_FREE(&b->text, &b->tangent, &b->sense);
        *b = (PartBuild){0};
    }
    text_free(&t->batch_text);
    t->batches = 0;
    mem_free(t->part);
    t->part = NULL;
    t->parts = 0;
    rows_free(t->rows);
    front_free(t->front);
    t->rows = NULL;
    t->front = NULL;
    t->flat = NULL;
}

void translate_again(Translation *t, const char *modifiers) {
    forget(t);
    t->components &= !t->trial;
    t->trial = false;
    program_free(t->program);
    t->program = NULL;
    t->modifiers = modifiers;
}

bool translate_instead(Translation *t) {
    if (!t->trial) return false;
    diag_back(&t->session->diag, &t->before);
    translate_again(t, t->modifiers);
    t->components_if_worth = false;
    return true;
}

void translate_close(Translation *t) {
    forget(t);
    text_free(&t->dump);
    arena_free(&t->arena);
}
