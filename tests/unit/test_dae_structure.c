/* SPDX-License-Identifier: Apache-2.0 */
/* test_dae_structure.c -- aliases, index reduction, states, blocks, tearing, messages. */
#include "flat.h"

#include <math.h>

static Flat      m;
static Structure st;

static int begin(void **state) {
    (void)state;
    flat_begin(&m);
    return 0;
}

static int end(void **state) {
    (void)state;
    structure_free(&st);
    flat_end(&m);
    return 0;
}

static void analyse(void) {
    if (structure_analyse(&st, &m.sys, &m.diag)) return;
    Text text = {0};
    diag_print(&text, &m.diag, 0, false);
    print_message("%s", text_get(&text));
    text_free(&text);
    fail();
}

static Role role(const char *name) {
    int v = flat_var(&m, name);
    return v < st.vars ? (Role)st.role[v] : ROLE_ABSENT;
}

static bool is_state(const char *name) {
    int v = st.alias[flat_var(&m, name)];
    return st.role[v] == ROLE_STATE;
}

/* Every equation uses only what was computed before it, or what its block computes. */
static void assert_ordered(void) {
    int *when = malloc((size_t)(st.eqs + 1) * sizeof *when);
    for (int i = 0; i < st.eqs; i++) when[st.order[i]] = i;
    for (int b = 0; b < st.blocks; b++) {
        const Block *block = &st.block[b];
        for (int i = 0; i < block->count; i++) {
            int e = st.order[block->first + i];
            for (int k = st.graph.start[e]; k < st.graph.start[e + 1]; k++) {
                int v = st.graph.col[k], giver = st.eq_of[v];
                if (st.role[v] != ROLE_UNKNOWN) continue;
                assert_true(giver >= 0);
                if (block->kind == BLOCK_CALL) continue;
                int first_residual = block->first + block->count - block->torn;
                if (when[e] < first_residual)
                    assert_true(when[giver] <= when[e] || when[giver] >= first_residual);
                assert_true(when[giver] < block->first + block->count);
            }
        }
    }
    free(when);
}

/* ---- aliases -------------------------------------------------------------------------------- */

static void equal_and_opposite_variables_become_one(void **state) {
    (void)state;
    flat_reals(&m, "a b c d e");
    flat_equation(&m, "a = b");
    flat_equation(&m, "b + c = 0");
    flat_equation(&m, "0 = c - d");
    flat_equation(&m, "a = sin(time)");
    flat_equation(&m, "e = a + b + c + d");
    analyse();
    assert_int_equal(st.count.aliases, 3);
    assert_int_equal(st.rows, 2);
    int a = flat_var(&m, "a"), d = flat_var(&m, "d"), c = flat_var(&m, "c");
    assert_int_equal(st.alias[a], st.alias[d]);
    assert_int_equal(st.sign[a] * st.sign[d], -1);
    assert_int_equal(st.sign[c] * st.sign[d], 1);
    /* a + b + c + d is 0 for all values: like terms meet and vanish */
    Text text = {0};
    structure_print_row(&st, 1, &text);
    assert_string_equal(text_get(&text), "e = 0.0");
    text_free(&text);
}

static void parameters_stay_and_variables_follow(void **state) {
    (void)state;
    flat_parameter(&m, "p", 2);
    flat_reals(&m, "x y");
    flat_equation(&m, "x = p");
    flat_equation(&m, "y = 2*x");
    analyse();
    assert_int_equal(st.alias[flat_var(&m, "x")], flat_var(&m, "p"));
    assert_int_equal(st.eqs, 1);
}

static void derivatives_follow_their_variables(void **state) {
    (void)state;
    /* two names for one state, each differentiated somewhere */
    flat_reals(&m, "x y v w");
    flat_equation(&m, "x = y");
    flat_equation(&m, "v = der(x)");
    flat_equation(&m, "w = der(y)");
    flat_equation(&m, "v + w = -2*x");
    analyse();
    assert_int_equal(st.states, 1);
    assert_int_equal(st.alias[flat_var(&m, "v")], st.alias[flat_var(&m, "w")]);
    assert_int_equal(st.alias[flat_var(&m, "der(x)")], st.alias[flat_var(&m, "v")]);
    assert_int_equal(st.eqs, 1);
}

static void a_variable_is_never_its_own_derivative(void **state) {
    (void)state;
    flat_reals(&m, "x");
    flat_equation(&m, "x = der(x)");
    analyse();
    assert_int_equal(st.count.aliases, 0);
    assert_int_equal(st.states, 1);
    assert_int_equal(st.eqs, 1);
}

static void the_start_value_of_the_fixed_member_holds(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    int y = flat_run(&m, "y", 1);
    flat_array(&m, VAR_CONTINUOUS, TYPE_REAL, "z", 1);
    system_value(&m.sys, y, ATTR_START, 3);
    system_value(&m.sys, y, ATTR_FIXED, 1);
    system_value(&m.sys, flat_run(&m, "x", 1), ATTR_START, 5);
    m.sys.run[flat_run(&m, "z", 1)].select = SELECT_ALWAYS;
    flat_equation(&m, "x = y");
    flat_equation(&m, "x = z");
    flat_equation(&m, "der(x) = -x");
    analyse();
    int kept = st.alias[flat_var(&m, "x")];
    assert_int_equal(st.start_from[kept], flat_var(&m, "y"));
    assert_int_equal(st.select[kept], SELECT_ALWAYS);
}

/* ---- circuits ------------------------------------------------------------------------------- */

/* source - resistor - inductor - capacitor - ground, as connection equations give it */
static void series_circuit_has_two_states(void **state) {
    (void)state;
    flat_parameter(&m, "R", 10);
    flat_parameter(&m, "L", 0.1);
    flat_parameter(&m, "C", 1e-3);
    flat_reals(&m, "sv si rv ri lv li cv ci p1 p2 p3 p0 g");
    flat_equation(&m, "sv = sin(time)");
    flat_equation(&m, "rv = R*ri");
    flat_equation(&m, "lv = L*der(li)");
    flat_equation(&m, "ci = C*der(cv)");
    flat_equation(&m, "sv = p1 - p0");
    flat_equation(&m, "rv = p1 - p2");
    flat_equation(&m, "lv = p2 - p3");
    flat_equation(&m, "cv = p3 - p0");
    flat_equation(&m, "p0 = 0");
    flat_equation(&m, "si + ri = 0");
    flat_equation(&m, "ri - li = 0");
    flat_equation(&m, "li - ci = 0");
    flat_equation(&m, "ci + si + g = 0");
    analyse();
    assert_int_equal(st.states, 2);
    assert_true(is_state("li"));
    assert_true(is_state("cv"));
    for (int b = 0; b < st.blocks; b++)
        assert_int_equal(st.block[b].kind, BLOCK_EXPLICIT);
    assert_ordered();
}

/* Two capacitors in parallel, each with its own voltage equation: one state. */
static void a_constraint_between_states_takes_one_away(void **state) {
    (void)state;
    flat_parameter(&m, "C1", 1);
    flat_parameter(&m, "C2", 2);
    flat_reals(&m, "v1 v2 i1 i2");
    m.sys.run[flat_run(&m, "v2", 2)].select = SELECT_PREFER;
    flat_equation(&m, "C1*der(v1) = i1");
    flat_equation(&m, "C2*der(v2) = i2");
    flat_equation(&m, "v1 = 3*v2");
    flat_equation(&m, "i1 + i2 = sin(time)");
    analyse();
    assert_int_equal(st.states, 1);
    assert_true(is_state("v2"));
    assert_int_equal(st.count.differentiated, 1);
    assert_int_equal(st.sets.count, 1);
    assert_int_equal(st.sets.set[0].choice, CHOICE_SAFE);
    assert_int_equal(st.eqs, 5);
    assert_ordered();
}

static void state_select_decides(void **state) {
    (void)state;
    flat_reals(&m, "a b c u");
    m.sys.run[flat_run(&m, "a", 1)].select = SELECT_AVOID;
    m.sys.run[flat_run(&m, "b", 1)].select = SELECT_NEVER;
    flat_equation(&m, "der(a) + der(b) + der(c) = u");
    flat_equation(&m, "a = 2*b + time");
    flat_equation(&m, "b = 3*c");
    flat_equation(&m, "u = -a");
    analyse();
    assert_int_equal(st.states, 1);
    assert_true(is_state("c"));
}

/* The coefficients of a, b and c are independent, which elimination must see although each column
 * fills the pivot rows of the columns before it. */
static void independent_choices_are_kept(void **state) {
    (void)state;
    flat_reals(&m, "a b c d");
    m.sys.run[system_run_of(&m.sys, flat_var(&m, "d"))].select = SELECT_PREFER;
    flat_equation(&m, "der(a) + der(b) + der(c) + der(d) = -d");
    flat_equation(&m, "a + b + c + 3*d = time");
    flat_equation(&m, "a + 2*b + 2*c + 3*d = 0");
    flat_equation(&m, "a + 3*b + 2*c + 3*d = 1");
    analyse();
    assert_int_equal(st.states, 1);
    assert_true(is_state("d"));
}

/* ---- the pendulum --------------------------------------------------------------------------- */

static void pendulum(void) {
    flat_parameter(&m, "L", 1);
    flat_parameter(&m, "g", 9.81);
    flat_parameter(&m, "mass", 1);
    flat_reals(&m, "x y vx vy F");
    flat_equation(&m, "der(x) = vx");
    flat_equation(&m, "der(y) = vy");
    flat_equation(&m, "mass*der(vx) = -x/L*F");
    flat_equation(&m, "mass*der(vy) = -y/L*F - mass*g");
    flat_equation(&m, "x^2 + y^2 = L^2");
}

/* x and y are equally good and each vanishes in turn: both stay, with two invariants. */
static void the_pendulum_keeps_its_coordinates(void **state) {
    (void)state;
    pendulum();
    analyse();
    assert_int_equal(st.states, 4);
    assert_true(is_state("x") && is_state("y") && is_state("vx") && is_state("vy"));
    assert_int_equal(st.drift.rows, 2);
    assert_int_equal(st.drift.states, 4);
    /* the constraint twice; its only other rows become aliases */
    assert_int_equal(st.count.differentiated, 2);
    assert_int_equal(st.sets.count, 1);
    assert_int_equal(st.sets.set[0].choice, CHOICE_OPEN); /* x and y vanish in turn */
    assert_int_equal(st.sets.set[0].vars, 2);
    assert_int_equal(st.sets.set[0].states, 2);
    assert_int_equal(st.sets.set[0].open, 1);
    assert_ordered();
    /* nothing is left to solve for the position; accelerations and force are linear */
    int nonlinear = 0, linear = 0;
    for (int b = 0; b < st.blocks; b++) {
        nonlinear += st.block[b].kind == BLOCK_NONLINEAR;
        linear += st.block[b].kind == BLOCK_LINEAR;
    }
    assert_int_equal(nonlinear, 0);
    assert_int_equal(linear, 1);
}

/* Where the pendulum starts says nothing about where it goes. */
static void start_values_do_not_decide(void **state) {
    (void)state;
    pendulum();
    system_value(&m.sys, system_run_of(&m.sys, flat_var(&m, "x")), ATTR_START, 1);
    system_value(&m.sys, system_run_of(&m.sys, flat_var(&m, "x")), ATTR_FIXED, 1);
    analyse();
    assert_int_equal(st.states, 4);
    assert_int_equal(st.drift.rows, 2);
}

/* Two pendulums are two parts: what one misses does not move the other. */
static void parts_that_share_nothing_are_apart(void **state) {
    (void)state;
    pendulum();
    flat_reals(&m, "p q vp vq G");
    flat_equation(&m, "der(p) = vp");
    flat_equation(&m, "der(q) = vq");
    flat_equation(&m, "der(vp) = -p*G");
    flat_equation(&m, "der(vq) = -q*G - g");
    flat_equation(&m, "p^2 + q^2 = 1");
    analyse();
    assert_int_equal(st.states, 8);
    assert_int_equal(st.drift.parts, 2);
    assert_int_equal(st.drift.rows, 4);
    assert_int_equal(st.drift.states, 8);
    for (int i = 0; i < 4; i++) assert_int_equal(st.drift.row_part[i], i / 2);
    for (int i = 0; i < 8; i++) assert_int_equal(st.drift.state_part[i], i / 4);
}

/* A slider crank: the slider follows from the angles for ever, the angles not from each other. */
static void slider_crank(void) {
    flat_reals(&m, "phi psi s w u v a b");
    flat_equation(&m, "der(phi) = w");
    flat_equation(&m, "der(psi) = u");
    flat_equation(&m, "der(s) = v");
    flat_equation(&m, "0.5*cos(phi) + cos(psi) = s");
    flat_equation(&m, "0.5*sin(phi) + sin(psi) = 0");
    flat_equation(&m, "der(w) = b*cos(phi) - a*sin(phi)");
    flat_equation(&m, "der(u) = b*cos(psi) - a*sin(psi)");
    flat_equation(&m, "der(v) = -a");
}

static void what_follows_for_ever_is_no_state(void **state) {
    (void)state;
    slider_crank();
    analyse();
    assert_int_equal(st.states, 4);
    assert_int_equal(st.drift.rows, 2);
    assert_true(is_state("phi") && is_state("psi") && is_state("w") && is_state("u"));
    assert_false(is_state("s"));
    assert_int_equal(st.sets.set[0].choice, CHOICE_OPEN);
}

static void a_preferred_angle_decides(void **state) {
    (void)state;
    slider_crank();
    m.sys.run[system_run_of(&m.sys, flat_var(&m, "phi"))].select = SELECT_PREFER;
    m.sys.run[system_run_of(&m.sys, flat_var(&m, "w"))].select = SELECT_PREFER;
    analyse();
    assert_int_equal(st.states, 2);
    assert_true(is_state("phi") && is_state("w"));
    assert_int_equal(st.sets.set[0].choice, CHOICE_ASKED);
}

/* What is asked for decides: then one coordinate is a state. */
static void the_pendulum_has_the_states_that_are_preferred(void **state) {
    (void)state;
    pendulum();
    m.sys.run[system_run_of(&m.sys, flat_var(&m, "x"))].select = SELECT_PREFER;
    m.sys.run[system_run_of(&m.sys, flat_var(&m, "vx"))].select = SELECT_PREFER;
    analyse();
    assert_int_equal(st.states, 2);
    assert_true(is_state("x") && is_state("vx"));
    assert_int_equal(st.drift.rows, 0);
    assert_ordered();
}

static void the_pendulum_obeys_state_select(void **state) {
    (void)state;
    pendulum();
    m.sys.run[flat_run(&m, "y", 1)].select = SELECT_PREFER;
    m.sys.run[flat_run(&m, "vy", 2)].select = SELECT_PREFER;
    analyse();
    assert_true(is_state("y"));
    assert_true(is_state("vy"));
    assert_false(is_state("x"));
}

/* The derivative rows must hold along a motion that satisfies the constraint. */
static double motion(void *context, int slot) {
    double t = 0.4, w = 1.3, phi = w * t;
    int    v = ((int *)context)[slot], depth = 0;
    while (m.sys.run[system_run_of(&m.sys, v)].of >= 0) {
        v = m.sys.run[m.sys.run[system_run_of(&m.sys, v)].of].first;
        depth++;
    }
    Text name = {0};
    system_name(&m.sys, v, &name);
    char first = text_get(&name)[0], second = text_get(&name)[1];
    text_free(&name);
    if (first == 'v') {
        first = second;
        depth++;
    }
    double value[] = {sin(phi), w * cos(phi), -w * w * sin(phi)};
    double other[] = {-cos(phi), w * sin(phi), w * w * cos(phi)};
    return first == 'x' ? value[depth] : first == 'y' ? other[depth] : 1;
}

static void derived_rows_hold_along_the_motion(void **state) {
    (void)state;
    pendulum();
    analyse();
    int checked = 0;
    for (int r = 0; r < st.rows; r++) {
        if (st.of[r] < 0) continue;
        EvalEnv env = {.context = st.slot + st.first[r], .slot = motion};
        double  value;
        assert_true(expr_eval(&m.shapes, m.shapes.shape[st.shape[r]].root, &env, &value));
        assert_true(fabs(value) < 1e-12);
        checked++;
    }
    assert_int_equal(checked, 2);
}

/* ---- loops ------------------------------------------------------------------------------------ */

/* A ladder of n meshes, all resistors: one linear block with a constant matrix. */
static void ladder(int n) {
    char text[200];
    flat_parameter(&m, "R", 1);
    flat_parameter(&m, "U", 10);
    flat_array(&m, VAR_CONTINUOUS, TYPE_REAL, "v", n);
    flat_array(&m, VAR_CONTINUOUS, TYPE_REAL, "i", n + 1); /* along */
    flat_array(&m, VAR_CONTINUOUS, TYPE_REAL, "j", n);     /* to ground */
    for (int k = 1; k <= n; k++) {
        if (k == 1) snprintf(text, sizeof text, "U - v[1] = R*i[1]");
        else snprintf(text, sizeof text, "v[%d] - v[%d] = R*i[%d]", k - 1, k, k);
        flat_equation(&m, text);
        snprintf(text, sizeof text, "v[%d] = R*j[%d]", k, k);
        flat_equation(&m, text);
        snprintf(text, sizeof text, "i[%d] = i[%d] + j[%d]", k, k + 1, k);
        flat_equation(&m, text);
    }
    snprintf(text, sizeof text, "i[%d] = 0", n + 1);
    flat_equation(&m, text);
}

static void a_ladder_is_torn_to_one_variable(void **state) {
    (void)state;
    ladder(10);
    analyse();
    const Block *loop = NULL;
    for (int b = 0; b < st.blocks; b++)
        if (st.block[b].kind != BLOCK_EXPLICIT) {
            assert_null(loop);
            loop = &st.block[b];
        }
    assert_non_null(loop);
    assert_int_equal(loop->kind, BLOCK_LINEAR);
    assert_int_equal(loop->matrix, MATRIX_PARAMETERS);
    assert_true(loop->count >= 29);
    assert_true(loop->torn <= 3);
    assert_ordered();
}

static void a_bridge_has_few_iteration_variables(void **state) {
    (void)state;
    /* Wheatstone bridge: 5 resistors, 3 inner nodes */
    const char *const equation[] = {"10 - a = R*i1", "10 - b = R*i2", "a = R*i3",
                                    "b = 2*R*i4",    "a - b = R*i5",  "i1 = i3 + i5",
                                    "i2 + i5 = i4"};
    flat_parameter(&m, "R", 1);
    flat_reals(&m, "a b i1 i2 i3 i4 i5");
    for (int k = 0; k < LENGTH(equation); k++) flat_equation(&m, equation[k]);
    analyse();
    assert_int_equal(st.blocks, 1);
    assert_int_equal(st.block[0].kind, BLOCK_LINEAR);
    assert_int_equal(st.block[0].torn, 1);
    assert_ordered();
}

static void a_diode_makes_a_nonlinear_block(void **state) {
    (void)state;
    flat_parameter(&m, "R", 100);
    flat_reals(&m, "u v i");
    flat_equation(&m, "u = 5*sin(time)");
    flat_equation(&m, "u - v = R*i");
    flat_equation(&m, "i = 1e-9*(exp(v/0.026) - 1)");
    analyse();
    assert_int_equal(st.blocks, 2);
    assert_int_equal(st.block[1].kind, BLOCK_NONLINEAR);
    assert_int_equal(st.block[1].torn, 1);
    assert_ordered();
}

static void an_ideal_diode_makes_a_mixed_block(void **state) {
    (void)state;
    flat_parameter(&m, "R", 100);
    flat_reals(&m, "u v i s");
    flat_array(&m, VAR_DISCRETE, TYPE_BOOLEAN, "off", 1);
    flat_equation(&m, "u = 5*sin(time)");
    flat_equation(&m, "u - v = R*i");
    flat_equation(&m, "off = s < 0");
    flat_equation(&m, "v = if off then s else 0");
    flat_equation(&m, "i = if off then 0 else s");
    analyse();
    int mixed = 0;
    for (int b = 0; b < st.blocks; b++) mixed += st.block[b].kind == BLOCK_MIXED;
    assert_int_equal(mixed, 1);
    assert_int_equal(st.block[st.blocks - 1].count, 4);
    assert_ordered();
}

static void a_changing_coefficient_is_no_constant_matrix(void **state) {
    (void)state;
    flat_reals(&m, "x y k");
    flat_equation(&m, "k = 2 + time");
    flat_equation(&m, "k*x + y = 1");
    flat_equation(&m, "x - k*y = time");
    analyse();
    assert_int_equal(st.blocks, 2);
    assert_int_equal(st.block[1].kind, BLOCK_LINEAR);
    assert_int_equal(st.block[1].matrix, MATRIX_VARIES);
}

/* A resistance that a relation chooses stays between events, unless it is inside noEvent. */
static void switches_change_a_matrix_at_events(void **state) {
    static const char *const formula[] = {"if u > 1 then 2 else 3",
                                          "noEvent(if u > 1 then 2 else 3)"};
    for (int k = 0; k < 2; k++) {
        char line[100];
        if (k) begin(state);
        flat_reals(&m, "u i v w");
        flat_equation(&m, "u = 5*sin(time)");
        snprintf(line, sizeof line, "v = (%s)*i", formula[k]);
        flat_equation(&m, line);
        flat_equation(&m, "w + i = 3");
        flat_equation(&m, "v + u = 2*w");
        analyse();
        int loops = 0;
        for (int b = 0; b < st.blocks; b++) {
            if (!st.block[b].torn) continue;
            assert_int_equal(st.block[b].matrix, k ? MATRIX_VARIES : MATRIX_EVENTS);
            loops++;
        }
        assert_int_equal(loops, 1);
        end(state);
    }
    begin(state);
}

/* ---- events ------------------------------------------------------------------------------------- */

static void when_equations_give_their_variable(void **state) {
    (void)state;
    flat_reals(&m, "x");
    flat_array(&m, VAR_DISCRETE, TYPE_BOOLEAN, "c", 1);
    flat_array(&m, VAR_DISCRETE, TYPE_REAL, "n", 1);
    flat_equation(&m, "der(x) = 1 - n");
    flat_equation(&m, "c = x > 0.5");
    flat_row(&m, ROWS_EQUATION, FAMILY_WHEN,
             "n = when edge(c, pre(c)) then pre(n) + 1 else pre(n)");
    analyse();
    assert_int_equal(role("pre(n)"), ROLE_KNOWN);
    assert_int_equal(st.states, 1);
    int eq = st.eq_of[flat_var(&m, "n")];
    assert_true(st.block[st.block_of[eq]].discrete);
    assert_false(st.block[st.block_of[st.eq_of[flat_var(&m, "der(x)")]]].discrete);
    assert_ordered();
}

static void a_delay_breaks_a_loop(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    flat_equation(&m, "x = 2*delay(y, 0.5)");
    flat_equation(&m, "y = x + time");
    analyse();
    assert_int_equal(st.blocks, 2);
    assert_ordered();
}

/* ---- rows with several results -------------------------------------------------------------------- */

static void results_of_a_call_stay_together(void **state) {
    (void)state;
    Function f = {.name = str_of(&m.strings, "f"),
                  .inputs = 1,
                  .outputs = 2,
                  .vars = 3,
                  .var = (FunctionVar[]){{.type = TYPE_REAL},
                                         {.type = TYPE_REAL},
                                         {.type = TYPE_REAL}},
                  .first = -1};
    int      id = function_add(&m.shapes, &f);
    flat_reals(&m, "a b u z");
    flat_equation(&m, "u = 3*time");
    row_begin(&m.row, &m.sys, 0, NULL);
    Term left[] = {row_var(&m.row, flat_var(&m, "a"), NULL),
                   row_var(&m.row, flat_var(&m, "b"), NULL)};
    Term u = row_var(&m.row, flat_var(&m, "u"), NULL);
    row_end(&m.row, ROWS_EQUATION,
            expr_2(&m.shapes, TERM_EQUATION, expr_make(&m.shapes, TERM_TUPLE, left, 2),
                   expr_call(&m.shapes, id, -1, TYPE_NONE, 0, &u, 1)),
            0, 0, 0);
    flat_equation(&m, "z = a*b");
    analyse();
    assert_int_equal(st.eqs, 4);
    assert_int_equal(st.blocks, 3);
    assert_int_equal(st.block[1].kind, BLOCK_CALL);
    assert_int_equal(st.block[1].count, 2);
    assert_ordered();
}

/* ---- singular models -------------------------------------------------------------------------------- */

static void assert_message(const char *expected) {
    Text text = {0};
    diag_print(&text, &m.diag, 0, false);
    if (!strstr(text_get(&text), expected)) {
        print_message("expected '%s' in\n%s", expected, text_get(&text));
        fail();
    }
    text_free(&text);
}

static void connector_flags(const char *name, int flags) {
    m.sys.run[flat_run(&m, name, strlen(name))].flags |= (uint8_t)flags;
}

static void a_missing_ground_is_named(void **state) {
    (void)state;
    flat_parameter(&m, "R", 10);
    flat_reals(&m, "p.v n.v i u");
    connector_flags("p.v", VAR_CONNECTOR);
    connector_flags("n.v", VAR_CONNECTOR);
    flat_equation(&m, "u = p.v - n.v");
    flat_equation(&m, "u = R*i");
    flat_equation(&m, "u = 5");
    assert_false(structure_analyse(&st, &m.sys, &m.diag));
    assert_message("D102");
    assert_message("not determined: p.v, n.v");
    assert_message("likely cause: a reference is missing");
}

static void parallel_sources_are_named(void **state) {
    (void)state;
    flat_reals(&m, "p.v i1 i2");
    connector_flags("p.v", VAR_CONNECTOR);
    flat_equation(&m, "p.v = 5 + time");
    flat_equation(&m, "p.v = 6 + time");
    flat_equation(&m, "i1 + 2*i2 = 0");
    assert_false(structure_analyse(&st, &m.sys, &m.diag));
    assert_message("D103");
    assert_message("determined too often: p.v");
    assert_message("p.v = time + 5.0");
    assert_message("p.v = time + 6.0");
    assert_message("not determined: i1, i2");
}

static void one_equation_too_many(void **state) {
    (void)state;
    flat_reals(&m, "x y");
    flat_equation(&m, "x = 1 + time");
    flat_equation(&m, "y = 2*x");
    flat_equation(&m, "y = 3*x*x");
    assert_false(structure_analyse(&st, &m.sys, &m.diag));
    assert_message("D101");
    assert_message("3 equations for 2 unknowns");
}

static void an_unbalanced_pendulum_is_found_before_differentiation(void **state) {
    (void)state;
    pendulum();
    flat_equation(&m, "F = 3");
    assert_false(structure_analyse(&st, &m.sys, &m.diag));
    assert_message("D101");
}

static void what_cannot_be_differentiated_is_said(void **state) {
    (void)state;
    Function f = {.name = str_of(&m.strings, "table"),
                  .inputs = 1,
                  .outputs = 1,
                  .vars = 2,
                  .var = (FunctionVar[]){{.type = TYPE_REAL}, {.type = TYPE_REAL}},
                  .first = -1,
                  .external = &(ExternalCall){0}};
    int      id = function_add(&m.shapes, &f);
    flat_reals(&m, "x y u");
    flat_equation(&m, "der(x) = u");
    flat_equation(&m, "der(y) = -u");
    row_begin(&m.row, &m.sys, 0, NULL);
    Term x = row_var(&m.row, flat_var(&m, "x"), NULL);
    Term y = row_var(&m.row, flat_var(&m, "y"), NULL);
    row_end(&m.row, ROWS_EQUATION,
            expr_2(&m.shapes, TERM_EQUATION, x,
                   expr_call(&m.shapes, id, 0, TYPE_REAL, 0, &y, 1)),
            0, 0, 0);
    assert_false(structure_analyse(&st, &m.sys, &m.diag));
    assert_message("D110");
    assert_message(
        "'x = table(y)' must be differentiated, but a function has no derivative");
}

/* ---- size --------------------------------------------------------------------------------------------- */

/* x[i] = x[i-1] + ...: a chain of a million rows, given in the worst order. */
static void a_long_chain_needs_no_stack(void **state) {
    (void)state;
    enum { N = 1000000 };
    int x = flat_first(&m, "x", N), back[] = {-1};
    row_begin(&m.row, &m.sys, 1, (int[]){N - 1});
    Term a = row_var(&m.row, x + N - 1, back), b = row_var(&m.row, x + N - 2, back);
    Term e =
        expr_2(&m.shapes, TERM_ADD, expr_1(&m.shapes, TERM_SIN, b), expr_time(&m.shapes));
    row_end(&m.row, ROWS_EQUATION, expr_2(&m.shapes, TERM_EQUATION, a, e), 0, 0, 0);
    flat_equation(&m, "x[1] = time");
    analyse();
    assert_int_equal(st.blocks, N);
    assert_int_equal(st.var_of[st.order[0]], x);
    assert_int_equal(st.var_of[st.order[N - 1]], x + N - 1);
    assert_ordered();
}

/* A million unknowns in one linear loop: tridiagonal. */
static void a_large_loop_is_left_to_a_sparse_solver_or_torn_small(void **state) {
    (void)state;
    enum { N = 100000 };
    int x = flat_first(&m, "x", N), one[] = {1};
    row_begin(&m.row, &m.sys, 1, (int[]){N - 2});
    Term a = row_var(&m.row, x, one), b = row_var(&m.row, x + 1, one);
    Term c = row_var(&m.row, x + 2, one);
    Term sum = expr_sub(&m.shapes, expr_2(&m.shapes, TERM_ADD, a, c),
                        expr_2(&m.shapes, TERM_MUL, expr_real(&m.shapes, 4), b));
    row_end(&m.row, ROWS_EQUATION,
            expr_2(&m.shapes, TERM_EQUATION, sum, expr_time(&m.shapes)), 0, 0, 0);
    flat_equation(&m, "x[2] - 4*x[1] = time");
    char text[80];
    snprintf(text, sizeof text, "x[%d] - 4*x[%d] = time", N - 1, N);
    flat_equation(&m, text);
    analyse();
    assert_int_equal(st.blocks, 1);
    assert_int_equal(st.block[0].kind, BLOCK_LINEAR);
    assert_int_equal(st.block[0].matrix, MATRIX_PARAMETERS);
    assert_ordered();
}

/* n pendulums as an array: every row is differentiated, the shapes stay few. */
static void many_constraints_are_reduced_in_linear_time(void **state) {
    (void)state;
    enum { N = 20000 };
    static const char *const name[] = {"x", "y", "vx", "vy", "F"};
    int                      first[5], one[] = {1};
    for (int k = 0; k < 5; k++) first[k] = flat_first(&m, name[k], N);
    for (int k = 0; k < 2; k++) {
        row_begin(&m.row, &m.sys, 1, (int[]){N});
        Term der = row_var(&m.row, system_der(&m.sys, first[k]), one);
        Term v = row_var(&m.row, first[k + 2], one);
        row_end(&m.row, ROWS_EQUATION, expr_2(&m.shapes, TERM_EQUATION, der, v), 0, 0, 0);
        row_begin(&m.row, &m.sys, 1, (int[]){N});
        Term acc = row_var(&m.row, system_der(&m.sys, first[k + 2]), one);
        Term x = row_var(&m.row, first[k], one), F = row_var(&m.row, first[4], one);
        Term force = expr_1(&m.shapes, TERM_NEG, expr_2(&m.shapes, TERM_MUL, x, F));
        if (k) force = expr_2(&m.shapes, TERM_ADD, force, expr_real(&m.shapes, -9.81));
        row_end(&m.row, ROWS_EQUATION, expr_2(&m.shapes, TERM_EQUATION, acc, force), 0, 0,
                0);
    }
    row_begin(&m.row, &m.sys, 1, (int[]){N});
    Term two = expr_real(&m.shapes, 2);
    Term x2 = expr_2(&m.shapes, TERM_POW, row_var(&m.row, first[0], one), two);
    Term y2 = expr_2(&m.shapes, TERM_POW, row_var(&m.row, first[1], one), two);
    row_end(&m.row, ROWS_EQUATION,
            expr_2(&m.shapes, TERM_EQUATION, expr_2(&m.shapes, TERM_ADD, x2, y2),
                   expr_real(&m.shapes, 1)),
            0, 0, 0);
    analyse();
    assert_int_equal(st.states, 4 * N);
    assert_int_equal(st.drift.rows, 2 * N);
    assert_int_equal(st.count.differentiated, 2 * N);
    assert_true(m.shapes.count < 12);
    assert_ordered();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(equal_and_opposite_variables_become_one),
        TEST(parameters_stay_and_variables_follow),
        TEST(derivatives_follow_their_variables),
        TEST(a_variable_is_never_its_own_derivative),
        TEST(the_start_value_of_the_fixed_member_holds),
        TEST(series_circuit_has_two_states),
        TEST(a_constraint_between_states_takes_one_away),
        TEST(state_select_decides),
        TEST(independent_choices_are_kept),
        TEST(the_pendulum_keeps_its_coordinates),
        TEST(start_values_do_not_decide),
        TEST(parts_that_share_nothing_are_apart),
        TEST(what_follows_for_ever_is_no_state),
        TEST(a_preferred_angle_decides),
        TEST(the_pendulum_has_the_states_that_are_preferred),
        TEST(the_pendulum_obeys_state_select),
        TEST(derived_rows_hold_along_the_motion),
        TEST(a_ladder_is_torn_to_one_variable),
        TEST(a_bridge_has_few_iteration_variables),
        TEST(a_diode_makes_a_nonlinear_block),
        TEST(an_ideal_diode_makes_a_mixed_block),
        TEST(a_changing_coefficient_is_no_constant_matrix),
        TEST(switches_change_a_matrix_at_events),
        TEST(when_equations_give_their_variable),
        TEST(a_delay_breaks_a_loop),
        TEST(results_of_a_call_stay_together),
        TEST(a_missing_ground_is_named),
        TEST(parallel_sources_are_named),
        TEST(one_equation_too_many),
        TEST(an_unbalanced_pendulum_is_found_before_differentiation),
        TEST(what_cannot_be_differentiated_is_said),
        TEST(a_long_chain_needs_no_stack),
        TEST(a_large_loop_is_left_to_a_sparse_solver_or_torn_small),
        TEST(many_constraints_are_reduced_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
