/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
/* test_memory.c -- domains: what belongs to them, and what happens when memory runs out.
 *
 * The program is linked with malloc and its relatives wrapped (see the Makefile): blocks are
 * counted, and one request of choice fails. */
#include "unit.h"
#include "translate/translate.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long living;       /* blocks of the program that are not released    */
static long requests;     /* so far                                         */
static long refused = -1; /* the number of the request that fails, -1: none */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t bytes);
void  __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t bytes);
void  __wrap_free(void *block);

static void *counted(void *block) {
    living += block != NULL;
    return block;
}

/* What no machine has is refused here: sanitizers end the program for it. */
static bool is_refused(size_t bytes) {
    return requests++ == refused || bytes > SIZE_MAX / 8;
}

void *__wrap_malloc(size_t bytes) {
    return is_refused(bytes) ? NULL : counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t n, size_t size) {
    return is_refused(n * size) ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_realloc(void *block, size_t bytes) {
    if (is_refused(bytes)) return NULL;
    void *larger = __real_realloc(block, bytes);
    return block ? larger : counted(larger);
}

void __wrap_free(void *block) {
    living -= block != NULL;
    __real_free(block);
}

static bool run(Memory *m, void (*call)(void *context), void *context, long fails) {
    requests = 0;
    refused = fails;
    bool fine = memory_call(m, call, context);
    refused = -1;
    return fine;
}

/* ---- blocks ---- */

static void take_some(void *context) {
    int **kept = context;
    for (int i = 0; i < 20; i++) {
        int *block = mem_take(100, sizeof *block);
        assert_int_equal((uintptr_t)block % 16, 0);
        for (int k = 0; k <= 100; k++) assert_int_equal(block[k], 0);
        block[99] = i;
        block = mem_resize(block, 5000 * sizeof *block);
        assert_int_equal(block[99], i);
        if (i == 7) mem_give(*kept = block);
        if (i % 3 == 0) mem_free(block == *kept ? NULL : block);
    }
    assert_string_equal(mem_string("text"), "text");
}

static void a_domain_releases_its_blocks(void **state) {
    (void)state;
    long    before = living;
    int    *kept = NULL;
    Memory *m = memory_new();
    assert_true(run(m, take_some, &kept, -1));
    assert_true(living > before + 2);
    memory_free(m);
    assert_int_equal(living, before + 1); /* the one that was given away */
    assert_int_equal(kept[99], 7);
    kept = mem_resize(kept, 10000 * sizeof *kept);
    assert_int_equal(kept[99], 7);
    mem_free(kept);
    assert_int_equal(living, before);
}

static void outside_of_a_domain_there_is_null(void **state) {
    (void)state;
    Text text = {0};
    Map  map = {0};
    assert_null(mem_take(SIZE_MAX / 4, 8));
    assert_null(mem_resize(NULL, SIZE_MAX / 4));
    char *block = mem_string("kept");
    assert_null(mem_resize(block, SIZE_MAX / 4));
    assert_string_equal(block, "kept");
    mem_free(block);
    requests = 0, refused = 0;
    text_add(&text, "lost");
    assert_true(text.failed);
    text_printf(&text, "%d", 3);
    assert_string_equal(text_get(&text), "");
    requests = 0, refused = 1;
    assert_false(map_put(&map, 1, 2));
    refused = -1;
    assert_true(map_put(&map, 1, 3));
    assert_int_equal(map_get(&map, 1, 0), 3);
    map_free(&map);
}

/* ---- guests ---- */

static void count_release(void *thing) {
    ++*(int *)thing;
}

static void own_two(void *context) {
    int *released = context;
    mem_own(&released[0], count_release);
    mem_own(&released[1], count_release);
    mem_own(&released[2], count_release);
    mem_disown(&released[1]);
    mem_take(1, 1);
}

static void guests_leave_with_their_domain(void **state) {
    (void)state;
    long    before = living;
    int     released[3] = {0};
    Memory *m = memory_new();
    assert_true(run(m, own_two, released, -1));
    assert_int_equal(released[0], 0);
    memory_free(m);
    assert_int_equal(released[0] * 100 + released[1] * 10 + released[2], 101);
    for (int fails = 0; fails < 4; fails++) { /* also where it cannot join */
        int again[3] = {0};
        m = memory_new();
        assert_false(run(m, own_two, again, fails));
        assert_int_equal(again[0], 1);
        assert_int_equal(again[1], fails == 1 || fails == 2);
        assert_int_equal(again[2], fails >= 2);
        memory_free(m);
    }
    assert_int_equal(living, before);
}

/* ---- nesting ---- */

typedef struct Nested {
    Memory *inner;
    bool    inner_fine, after;
    char   *grown;
} Nested;

static void too_much(void *context) {
    Nested *n = context;
    mem_take(10, 10);
    n->grown = mem_resize(n->grown, 100); /* stays a block of the outer domain */
    mem_take(SIZE_MAX / 4, 2);
    fail_msg("there cannot be so much memory");
}

static void with_inner(void *context) {
    Nested *n = context;
    n->grown = mem_string("outer");
    n->inner_fine = memory_call(n->inner, too_much, n);
    assert_string_equal(n->grown, "outer");
    mem_take(3, 3);
    n->after = true;
}

static void an_inner_call_fails_alone(void **state) {
    (void)state;
    long    before = living;
    Nested  n = {.inner = memory_new(), .inner_fine = true};
    Memory *m = memory_new();
    assert_true(run(m, with_inner, &n, -1));
    assert_false(n.inner_fine);
    assert_true(n.after);
    assert_int_equal(living, before + 4); /* two domains, two blocks of the outer one */
    n.after = false;
    assert_false(run(m, with_inner, &n, requests - 1));
    assert_false(n.after);
    assert_int_equal(living, before + 2);
    memory_free(m);
    memory_free(n.inner);
    assert_int_equal(living, before);
}

/* ---- a whole translation ---- */

static const char model_text[] =
    "model M\n"
    "  function f\n    input Real u[:];\n    output Real y;\n"
    "  algorithm\n    y := 0;\n    for i in 1:size(u, 1) loop y := y + u[i]^2; end for;\n"
    "  end f;\n"
    "  connector Pin\n    Real v;\n    flow Real i;\n  end Pin;\n"
    "  model R\n    Pin p, n;\n    parameter Real r = 2;\n"
    "  equation\n    p.v - n.v = r*p.i;\n    p.i + n.i = 0;\n  end R;\n"
    "  model Source\n    Pin p;\n    Real v;\n  equation\n    p.v = v;\n  end Source;\n"
    "  R a[3], b;\n  Source from(v = sin(time)), to(v = 0);\n  Real x(start = 1), y, "
    "z[3];\n  discrete Real k(start = 0);\n"
    "  Real phi, w(start = 1);\n"
    "equation\n"
    "  for i in 1:2 loop connect(a[i].n, a[i + 1].p); end for;\n"
    "  connect(a[3].n, b.p);\n  connect(from.p, a[1].p);\n  connect(to.p, b.n);\n"
    "  der(x) = -x*b.p.i;\n  y = f({x, y, 2}) - 3*y;\n"
    "  z = if x > 0.5 then {x, 2, 3} else {1, x, mod(time, 2)};\n"
    "  when x < 0.3 then k = pre(k) + 1; end when;\n"
    "  der(phi) = w;\n  phi = sin(time) + 0*x;\n"
    "initial equation\n  x = 2;\n"
    "end M;\n";

typedef struct Asked {
    const char *path;
    size_t      bytes; /* of the program */
} Asked;

/* All passes. */
static void translate(void *context) {
    Asked  *asked = context;
    Session session;
    Library library;
    Foreign foreign = {.options = {.tier = -1}};
    session_init(&session);
    library_init(&library, &session);
    Translation t = {.session = &session,
                     .library = &library,
                     .foreign = &foreign,
                     .file = asked->path};
    bool        fine = translate_run(&t, NULL, "freeze");
    Text        messages = {0};
    diag_print(&messages, &session.diag, 0, false);
    assert_string_equal(text_get(&messages), "");
    assert_true(fine);
    asked->bytes = t.program->bytes;
    text_free(&messages);
    program_free(t.program);
    translate_close(&t);
    foreign_close(&foreign);
    library_free(&library);
    session_free(&session);
}

static void a_translation_ends_where_memory_does(void **state) {
    (void)state;
    char path[] = "/tmp/rubato-memory-XXXXXX.mo";
    int  file = mkstemps(path, 3);
    assert_true(file >= 0);
    assert_int_equal(write(file, model_text, sizeof model_text - 1),
                     sizeof model_text - 1);
    close(file);
    long     before = living, all;
    locale_t locale = uselocale((locale_t)0);
    Asked    t = {.path = path};
    Memory  *m = memory_new();
    assert_true(run(m, translate, &t, -1));
    assert_true(t.bytes > 1000);
    assert_int_equal(living,
                     before + 1); /* the domain: all blocks were released one by one */
    all = requests;
    assert_true(all > 200);
    for (long fails = 0, tries = 0; fails < all; tries++, fails += 1 + tries % 7) {
        assert_false(run(m, translate, &t, fails));
        assert_int_equal(living, before + 1);
        assert_ptr_equal(uselocale((locale_t)0), locale);
    }
    assert_true(run(m, translate, &t, -1)); /* the domain is as good as before */
    memory_free(m);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_domain_releases_its_blocks),
        cmocka_unit_test(outside_of_a_domain_there_is_null),
        cmocka_unit_test(guests_leave_with_their_domain),
        cmocka_unit_test(an_inner_call_fails_alone),
        cmocka_unit_test(a_translation_ends_where_memory_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
