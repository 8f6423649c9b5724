/* SPDX-License-Identifier: Apache-2.0 */
/* test_program.c -- programs as bytes and back, what is asked of them, and the struct that
 * generated code shares with its host. */
#include "running.h"

/* A heater that switches, a torn block, a row over an array, an action, a parameter that depends on
 * another. */
static void model(bool selective) {
    int n = 3, step = 1, a = flat_first(&m, "a", n);
    flat_parameter(&m, "k", 3);
    flat_array(&m, VAR_PARAMETER, TYPE_REAL, "twice", 1);
    flat_reals(&m, "T x y z s");
    flat_array(&m, VAR_DISCRETE, TYPE_BOOLEAN, "on", 1);
    flat_row(&m, ROWS_BINDING, 0, "twice = 2*k");
    flat_equation(&m, "on = T < 20");
    flat_equation(&m, "der(T) = (if on then k else 0.0) - 0.1*T");
    flat_equation(&m, "der(x) = y - twice*x");
    flat_equation(&m, "y + z^3 = x");
    flat_equation(&m, "z - x*y = 0.1");
    row_begin(&m.row, &m.sys, 1, &n);
    Term left = row_var(&m.row, a, (int[]){1}), i = row_number(&m.row, 1, (int[]){1});
    row_end(
        &m.row, ROWS_EQUATION,
        expr_2(&m.shapes, TERM_EQUATION, left,
               expr_2(&m.shapes, TERM_MUL, i, row_var(&m.row, flat_var(&m, "x"), NULL))),
        0, 0, 0);
    row_begin(&m.row, &m.sys, 0, NULL);
    left = row_var(&m.row, flat_var(&m, "s"), NULL);
    Term array = row_array(&m.row, a, NULL, 1, &n, &step);
    Term size = expr_2(&m.shapes, TERM_SIZE, array, expr_integer(&m.shapes, 1));
    Term e = expr_2(&m.shapes, TERM_ELEMENT, array, expr_iterator(&m.shapes, 0));
    Term sum = expr_indexed(&m.shapes, TERM_SUM_OF, 0, (Term[]){size, e}, 2);
    row_end(&m.row, ROWS_EQUATION, expr_2(&m.shapes, TERM_EQUATION, left, sum), 0, 0, 0);
    system_value(&m.sys, flat_run(&m, "x", 1), ATTR_START, 0.5);
    make_plan(selective);
    make_program(true);
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static Program *adopt(const void *bytes, size_t count, const char **why) {
    void *block = mem_take(count, 1);
    memcpy(block, bytes, count);
    Program *p = program_adopt(block, count, why);
    if (!p) mem_free(block);
    return p;
}

static void same(const void *a, const void *b, int count, size_t size) {
    if (count <= 0) return;
    assert_ptr_not_equal(a, b);
    assert_memory_equal(a, b, (size_t)count * size);
}

#define SAME(field, count)                                                               \
    assert_int_equal(p->count, q->count);                                                \
    same(p->field, q->field, p->count, sizeof *p->field)
#define SAME_LISTS(lists)                                                                \
    SAME(lists.to, lists.entries);                                                       \
    same(p->lists.start, q->lists.start, p->lists.rows + 1, sizeof(int))

static void same_parts(const Part *p, const Part *q) {
    SAME(group, groups);
    SAME(formula, kernels);
    SAME(body, bodies);
    SAME(size_at, bodies);
    SAME(access, accesses);
    SAME(table, tables);
    SAME(unknown, items);
    SAME(block, items);
    SAME(pos, items);
    SAME(size, sizes);
    SAME(pattern_at, groups);
    SAME(pattern, patterns);
    SAME(relation_item, relations);
    SAME(text, text_bytes);
    SAME(tangent, tangent_bytes);
    assert_int_equal(p->width, q->width);
    assert_int_equal(p->selective, q->selective);
}

static void same_graphs(const BlockGraph *p, const BlockGraph *q) {
    SAME(group, nodes);
    SAME(row, nodes);
    SAME(rank, blocks);
    SAME(giver, vars);
    SAME(discrete, blocks);
    SAME(impure, blocks);
    SAME(first, blocks);
    SAME(unknown, unknowns);
    SAME_LISTS(uses);
    SAME_LISTS(states);
    SAME_LISTS(readers);
    SAME_LISTS(reads);
    SAME_LISTS(pres);
    SAME_LISTS(relations);
    SAME_LISTS(rates);
    SAME_LISTS(crossing);
    SAME_LISTS(lefts);
    SAME(place, crossing.rows);
    SAME(timed, crossing.rows);
    SAME(local, crossing.rows);
    SAME(target, actions);
    SAME_LISTS(effect);
    SAME_LISTS(crossings_of_state);
    SAME_LISTS(states_of_crossing);
}

static void same_programs(const Program *p, const Program *q) {
    SAME(texts.text, texts.chars);
    SAME(texts.literal, texts.literals);
    SAME(texts.list, texts.lists);
    SAME(expressions.node, expressions.nodes);
    SAME(expressions.arg, expressions.args);
    SAME(expressions.leaf, expressions.leaves);
    SAME(variables.run, variables.runs);
    SAME(variables.attribute, variables.attributes);
    SAME(variables.value, variables.values);
    SAME(names.name, names.names);
    SAME(names.size, names.sizes);
    SAME(reduced.alias, reduced.vars);
    SAME(reduced.sign, reduced.vars);
    SAME(reduced.role, reduced.vars);
    SAME(reduced.set, reduced.vars);
    SAME(reduced.start_from, reduced.vars);
    SAME(reduced.computed, reduced.runs);
    SAME(states.var, states.count);
    SAME(states.rate, states.count);
    SAME(states.rate_sign, states.count);
    SAME(states.written, states.count);
    SAME(states.copied, states.count);
    SAME_LISTS(states.pattern);
    SAME(invariants.part, invariants.rows);
    SAME(invariants.state, invariants.states);
    SAME(invariants.state_part, invariants.states);
    SAME(action_pos, actions);
    SAME(function, functions);
    SAME(sources.source, sources.count);
    SAME(sources.line, sources.lines);
    for (int k = 0; k < PARTS; k++) same_parts(&p->part[k], &q->part[k]);
    same_graphs(&p->graph, &q->graph);
    assert_memory_equal(&p->info, &q->info, sizeof p->info);
}

static void there_and_back(void **state) {
    (void)state;
    for (int selective = 0; selective < 2; selective++) {
        const char *why = "";
        if (selective) end(NULL), begin(NULL);
        model(selective);
        Program *again = adopt(program->block, program->bytes, &why);
        if (!again) fail_msg("%s", why);
        same_programs(program, again);
        assert_true(again->hash == program->hash);
        Program *packed = program_pack(again); /* through its pointers */
        assert_int_equal(packed->bytes, program->bytes);
        assert_memory_equal(packed->block, program->block, program->bytes);
        program_free(packed);
        program_free(again);
    }
}

/* The same model gives the same bytes: no addresses, nothing left over from the stack. */
static void bytes_are_those_of_the_model(void **state) {
    (void)state;
    model(true);
    Program *first = program_pack(program);
    end(NULL);
    begin(NULL);
    char *between = malloc(12345); /* other addresses */
    model(true);
    free(between);
    assert_int_equal(first->bytes, program->bytes);
    assert_memory_equal(first->block, program->block, program->bytes);
    assert_true(first->hash == program->hash);
    program_free(first);
}

static void refused(const char *bytes, size_t count, const char *expected) {
    const char *why = "";
    assert_null(adopt(bytes, count, &why));
    assert_string_equal(why, expected);
}

static void damage_is_noticed(void **state) {
    (void)state;
    static const char other[] =
        "it was made by another version of rubato or on another kind of machine";
    enum { MAGIC = 8, LAYOUT = 16, HEAD = 32 };
    model(false);
    size_t count = program->bytes;
    char  *bytes = malloc(count + 1);
    memcpy(bytes, program->block, count);
    for (size_t at = 0; at < count; at += at < 4000 ? 1 : 101) {
        for (int bit = 0; bit < 8; bit += 5) {
            bytes[at] ^= (char)(1 << bit);
            refused(bytes, count,
                    at < MAGIC    ? "it is no program of rubato"
                    : at < LAYOUT ? other
                                  : "it is damaged");
            bytes[at] ^= (char)(1 << bit);
        }
    }
    refused(bytes, 0, "it is no program of rubato");
    refused(bytes, HEAD, "it is no program of rubato");
    for (size_t n = HEAD + sizeof(Program); n < count; n += 997)
        refused(bytes, n, "it is damaged");
    refused(bytes, count - 1, "it is damaged");
    bytes[count] = 0;
    refused(bytes, count + 1, "it is damaged");
    free(bytes);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* x is an array of components: x[1:2].v[1:2, 1:3]. */
static int component_name(const void *names, int owner, Text *out, int *size) {
    const Flat *flat = names;
    if (strcmp(str_text(&flat->strings, flat->name[owner]), "x") != 0)
        return flat_name(names, owner, out, size);
    text_printf(out, "r[%c].v[%c,%c]", NAME_SUBSCRIPT, NAME_SUBSCRIPT, NAME_SUBSCRIPT);
    size[0] = size[1] = 2;
    size[2] = 3;
    return 3;
}

static void names(void **state) {
    (void)state;
    m.sys.name_pattern = component_name;
    int x = flat_first(&m, "x", 12), y = flat_first(&m, "y", 2);
    flat_parameter(&m, "k", 3);
    row_begin(&m.row, &m.sys, 1, (int[]){12});
    Term der = row_var(&m.row, system_der(&m.sys, x), (int[]){1});
    Term own = row_var(&m.row, x, (int[]){1});
    row_end(&m.row, ROWS_EQUATION, expr_2(&m.shapes, TERM_EQUATION, der, own), 0, 0, 0);
    flat_equation(&m, "y[1] = time");
    flat_equation(&m, "y[2] = k");
    int rate = system_der(&m.sys, x);
    make_plan(false);
    make_program(false);
    Text name = {0};
    for (int k = 0; k < 12; k++) {
        char expected[40];
        snprintf(expected, sizeof expected, "r[%d].v[%d,%d]", k / 6 + 1, k / 3 % 2 + 1,
                 k % 3 + 1);
        text_clear(&name);
        program_name(program, x + k, &name);
        assert_string_equal(text_get(&name), expected);
        assert_int_equal(program_find(program, expected), x + k);
        snprintf(expected, sizeof expected, "der(r[%d].v[%d,%d])", k / 6 + 1,
                 k / 3 % 2 + 1, k % 3 + 1);
        text_clear(&name);
        program_name(program, rate + k, &name);
        assert_string_equal(text_get(&name), expected);
        assert_int_equal(program_find(program, expected), rate + k);
    }
    text_free(&name);
    assert_int_equal(program_find(program, "r[2].v[1, 3]"), x + 8);
    assert_int_equal(program_find(program, "y[2]"), y + 1);
    assert_int_equal(program_find(program, "k"), flat_var(&m, "k"));
    static const char *const wrong[] = {"",
                                        "r",
                                        "r[1].v",
                                        "r[1].v[1,4]",
                                        "r[0].v[1,1]",
                                        "r[3].v[1,1]",
                                        "r[1].v[1]",
                                        "r[1].v[1,1]x",
                                        "r[1].w[1,1]",
                                        "y",
                                        "y[3]",
                                        "y[-1]",
                                        "der(y[1])",
                                        "der(k)",
                                        "der()",
                                        "der(der(r[1].v[1,1]))",
                                        "y[1",
                                        "y[1]]",
                                        "r[1].v[1,1,1]"};
    for (int k = 0; k < LENGTH(wrong); k++)
        if (program_find(program, wrong[k]) != -1) fail_msg("'%s' is found", wrong[k]);
}

/* ---- equations ------------------------------------------------------------------------------ */

static Equation equation_of(int part, const char *var) {
    const Part *p = &program->part[part];
    int         item = part_item_of(p, flat_var(&m, var));
    assert_true(item >= 0);
    return program_equation(program, p, item);
}

static void assert_equation(int part, const char *var, const char *expected) {
    Text     text = {0};
    Equation e = equation_of(part, var);
    equation_print(&e, 0, &text);
    assert_string_equal(text_get(&text), expected);
    text_free(&text);
}

typedef struct Found {
    int var[8], count;
} Found;

static void note(void *context, int var) {
    Found *found = context;
    found->var[found->count++] = var;
}

static void equations(void **state) {
    (void)state;
    model(false);
    assert_equation(PART_RUN, "der(T)", "der(T) = (if on then k else 0.0) - 0.1*T");
    assert_equation(PART_RUN, "der(x)", "der(x) = y - twice*x");
    assert_equation(PART_RUN, "a[2]", "a[2] = 2*x");
    assert_equation(PART_RUN, "s",
                    "s = sum(a[1] ... a[3][i1] for i1 in 1:size(a[1] ... a[3], 1))");
    assert_equation(PART_BINDINGS, "twice", "twice = 2.0*k");
    Found    found = {.count = 0};
    Equation e = equation_of(PART_RUN, "s");
    equation_uses(&e, note, &found);
    assert_int_equal(found.count, 4);
    for (int k = 0; k < 3; k++) assert_int_equal(found.var[1 + k], flat_var(&m, "a") + k);
    e = equation_of(PART_RUN, "a[3]");
    assert_int_equal(equation_slot(&e, 0), flat_var(&m, "a[3]"));
    assert_false(equation_is_number(&e, 0));
    assert_true(equation_is_number(&e, 1));
    assert_int_equal(equation_slot(&e, 1), 3);
}

/* ---- effects -------------------------------------------------------------------------------- */

static void assert_list(const int *a, const int *b, int n, int other) {
    assert_int_equal(n, other);
    if (n) assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

static void assert_runs(const RowRun *a, const RowRun *b, int n, int other) {
    assert_int_equal(n, other);
    if (n) assert_memory_equal(a, b, (size_t)n * sizeof *a);
}

/* What is stored is what is found again, and as long as it says. */
static void effects(void **state) {
    (void)state;
    EffectWork work;
    int        with = 0;
    model(true);
    const Lists *stored = &program->graph.effect;
    assert_int_equal(stored->rows, program->graph.blocks);
    assert_true(effect_work_open(&work, program));
    for (int b = 0; b < stored->rows; b++) {
        const int *from = stored->to + stored->start[b];
        int        length = stored->start[b + 1] - stored->start[b];
        if (!length) continue;
        with++;
        assert_int_equal(effect_length(from), length);
        Effect was = effect_read(from), is;
        assert_true(effect_make(&work, program, &b, 1, &is));
        assert_int_equal(was.fine, is.fine);
        assert_int_equal(was.rows, is.rows);
        assert_runs(was.run, is.run, was.runs, is.runs);
        assert_runs(was.act, is.act, was.acts, is.acts);
        assert_list(was.item, is.item, was.items, is.items);
        assert_list(was.relation, is.relation, was.relations, is.relations);
        assert_list(was.input, is.input, was.inputs, is.inputs);
        assert_list(was.left, is.left, was.lefts, is.lefts);
        assert_list(was.shift, is.shift, was.shifts, is.shifts);
        assert_list(was.given, is.given, was.givens, is.givens);
        assert_list(was.jump, is.jump, was.jumps, is.jumps);
        assert_list(was.moved, is.moved, was.moves, is.moves);
        assert_list(was.tied, is.tied, was.ties, is.ties);
        /* the heater: its switch is given, the temperature alone is moved */
        int T = program_state(program, flat_var(&m, "T"));
        assert_true(was.fine);
        assert_list((int[]){flat_var(&m, "on")}, was.given, 1, was.givens);
        assert_list((int[]){T}, was.moved, 1, was.moves);
        assert_list((int[]){T}, was.tied, 1, was.ties);
        assert_int_equal(was.jumps, 0);
    }
    assert_int_equal(with, 1);
    effect_work_close(&work);
}

/* ---- struct Rb and struct RbApi as generated code sees them ---------------------------------- */

typedef struct Offset {
    const char *name;
    size_t      at;
} Offset;

#define AT(name)                                                                         \
    { #name, offsetof(Rb, name) }
static const Offset field[] = {
    AT(v),          AT(x),        AT(dx),         AT(time),         AT(lambda),
    AT(initial),    AT(terminal), AT(tick),       AT(before),       AT(interval),
    AT(first_tick), AT(ticks),    AT(intervals),  AT(live),         AT(mode),
    AT(table),      AT(given),    AT(d),          AT(columns),      AT(scope),
    AT(dt),         AT(dm),       AT(loop),       AT(loop_tangent), AT(step),
    AT(reinit),     AT(turn),     AT(report),     AT(stack),        AT(top),
    AT(room),       AT(spare),    AT(failed),     AT(depth),        AT(at),
    AT(fault_pos),  AT(fault_at), AT(fault_text), AT(waste),        AT(api),
    AT(external),   AT(host),
};
#undef AT
#define AT(name)                                                                         \
    { #name, offsetof(RbApi, name) }
static const Offset entry[] = {
    AT(more),        AT(fault),         AT(outside),        AT(sizes),
    AT(check),       AT(chars),         AT(keep),           AT(join),
    AT(compare),     AT(string_real),   AT(string_integer), AT(string_boolean),
    AT(string_text), AT(string_format), AT(guard),          AT(object),
    AT(own),         AT(mark),          AT(release),        AT(delay),
    AT(remember),    AT(spatial),       AT(transport),      AT(known),
    AT(know),        AT(path),          AT(passed),         AT(follow),
};
#undef AT

static const char *const field_text[] = {
#define FIELD(...) #__VA_ARGS__,
#define ENTRY(...)
#include "program/rb.def"
#undef FIELD
#undef ENTRY
};
static const char *const entry_text[] = {
#define FIELD(...)
#define ENTRY(...) #__VA_ARGS__,
#include "program/rb.def"
#undef FIELD
#undef ENTRY
};

/* The name in a declaration: of a function pointer after "(*", else the last word. */
static void name_in(const char *text, char *name, size_t room) {
    const char *from = strstr(text, "(*"), *to;
    if (from) from += 2;
    else {
        to = strchr(text, '[');
        if (!to) to = text + strlen(text);
        for (from = to; isalnum((unsigned char)from[-1]) || from[-1] == '_';) from--;
    }
    for (to = from; isalnum((unsigned char)*to) || *to == '_';) to++;
    snprintf(name, room, "%.*s", (int)(to - from), from);
}

/* Every member of the list is in the table above, and code has it where the host has it. */
static void compare_members(const char *type, const Offset *member, int n,
                            const char *const *declared, int count) {
    Text  text = {0}, why = {0};
    void *code;
    long (*offset)(int);
    text_printf(&text, "%slong offset(int k) {\n  switch (k) {\n", rb_declarations);
    assert_int_equal(n, count);
    for (int k = 0; k < n; k++) {
        char name[40];
        name_in(declared[k], name, sizeof name);
        assert_string_equal(member[k].name, name);
        text_printf(&text, "  case %d: return (long)&((%s *)0)->%s;\n", k, type, name);
    }
    text_printf(&text, "  case %d: return sizeof(%s);\n  }\n  return -1;\n}\n", n, type);
    *(void **)&offset = tcc_function(text_get(&text), "offset", &code, &why);
    if (!offset) fail_msg("%s", text_get(&why));
    for (int k = 0; k < n; k++) assert_int_equal(offset(k), member[k].at);
    assert_int_equal(offset(n), n == LENGTH(field) ? sizeof(Rb) : sizeof(RbApi));
    tcc_release(code);
    text_free(&text);
    text_free(&why);
}

static void layout(void **state) {
    (void)state;
    compare_members("Rb", field, LENGTH(field), field_text, LENGTH(field_text));
    compare_members("RbApi", entry, LENGTH(entry), entry_text, LENGTH(entry_text));
    assert_int_equal(rb_layout_sizes(), sizeof(Rb) * 1000 + sizeof(RbApi));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(there_and_back),
        TEST(bytes_are_those_of_the_model),
        TEST(damage_is_noticed),
        TEST(names),
        TEST(equations),
        TEST(effects),
        TEST(layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
