/* SPDX-License-Identifier: Apache-2.0 */
/* test_base.c -- arenas, texts, interned strings, maps, positions, suggestions, messages. */
#include "base/base.h"
#include "unit.h"

#include <string.h>

static void arena_gives_zeroed_aligned_memory(void **state) {
    (void)state;
    Arena arena = {0};
    for (size_t n = 1; n < 3000; n += 37) {
        unsigned char *p = arena_take(&arena, 1, n);
        assert_int_equal((uintptr_t)p % 8, 0);
        for (size_t i = 0; i < n; i++) assert_int_equal(p[i], 0);
        memset(p, 0xff, n);
    }
    arena_free(&arena);
    assert_int_equal(arena.reserved, 0);
}

static void arena_large_request_keeps_the_current_chunk(void **state) {
    (void)state;
    Arena arena = {0};
    char *a = arena_take(&arena, 1, 8);
    arena_take(&arena, 1 << 20, 4);
    char *b = arena_take(&arena, 1, 8);
    assert_ptr_equal(b, a + 8);
    arena_free(&arena);
}

static void arena_back_releases_what_came_later(void **state) {
    (void)state;
    Arena arena = {0};
    for (int first = 0; first < 3;
         first++) { /* nothing, a small piece, a large one before */
        size_t before = first == 1 ? 24 : (size_t)1 << 21;
        char  *kept = first ? arena_take(&arena, 1, before) : NULL;
        if (kept) memset(kept, 7, before);
        ArenaMark mark = arena_mark(&arena);
        size_t    used = arena.used, reserved = arena.reserved;
        for (int k = 1; k < 2000; k++)
            memset(arena_take(&arena, 1, (size_t)k), 9, (size_t)k);
        memset(arena_take(&arena, 1, 3 << 20), 9, 3 << 20);
        arena_back(&arena, mark);
        assert_int_equal(arena.used, used);
        assert_int_equal(arena.reserved, reserved);
        if (kept) assert_int_equal(kept[before - 1], 7);
        unsigned char *p = arena_take(&arena, 1, 3000);
        for (int i = 0; i < 3000; i++) assert_int_equal(p[i], 0);
        arena_free(&arena);
    }
}

static void arena_overflow_gives_nothing(void **state) {
    (void)state;
    Arena arena = {0};
    assert_null(arena_take(&arena, SIZE_MAX / 2, 3));
    arena_free(&arena);
}

static void arena_grow_keeps_the_items(void **state) {
    (void)state;
    Arena arena = {0};
    int  *item = NULL, capacity = 0;
    for (int i = 0; i < 1000; i++) {
        item = arena_grow(&arena, item, sizeof *item, &capacity, i + 1);
        item[i] = i;
    }
    for (int i = 0; i < 1000; i++) assert_int_equal(item[i], i);
    arena_free(&arena);
}

static void text_builds_and_escapes(void **state) {
    (void)state;
    Text text = {0};
    text_printf(&text, "%d-", 7);
    text_json(&text, "a\"\\\n\x01z", 6);
    assert_string_equal(text_get(&text), "7-\"a\\\"\\\\\\n\\u0001z\"");
    text_free(&text);
    assert_string_equal(text_get(&text), "");
}

static void strings_are_equal_numbers(void **state) {
    (void)state;
    Strings strings;
    char    name[32];
    Str     first[5000];
    strings_init(&strings);
    assert_int_equal(str_of(&strings, ""), 0);
    for (int i = 0; i < 5000; i++) {
        int n = snprintf(name, sizeof name, "name%d", i);
        first[i] = str_intern(&strings, name, (size_t)n);
    }
    for (int i = 0; i < 5000; i++) {
        int n = snprintf(name, sizeof name, "name%d", i);
        assert_int_equal(str_find(&strings, name, (size_t)n), first[i]);
        assert_string_equal(str_text(&strings, first[i]), name);
        assert_int_equal(str_length(&strings, first[i]), n);
    }
    assert_int_equal(str_find(&strings, "absent", 6), 0);
    strings_free(&strings);
}

static void map_finds_what_was_put(void **state) {
    (void)state;
    Map map = {0};
    assert_int_equal(map_get(&map, 3, -1), -1);
    for (uint64_t i = 0; i < 20000; i++) assert_true(map_put(&map, i * i, (int64_t)i));
    for (uint64_t i = 0; i < 20000; i++) assert_int_equal(map_get(&map, i * i, -1), i);
    assert_true(map_put(&map, 49, 1));
    assert_int_equal(map_get(&map, 49, -1), 1);
    assert_false(map_has(&map, 3));
    assert_int_equal(map.count, 20000);
    map_free(&map);
}

static void positions_become_lines_and_columns(void **state) {
    (void)state;
    Sources       sources;
    const Source *one, *two;
    sources_init(&sources);
    source_add(&sources, "one.mo", "ab\ncde\n", 7, &one);
    source_add(&sources, "two.mo", "\xef\xbb\xbfx\xc3\xa4y", 7, &two);
    Place place = source_place(&sources, one->base + 4);
    assert_string_equal(place.source->path, "one.mo");
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 2);
    assert_int_equal(place.length, 3);
    place = source_place(&sources, one->base + 7); /* just after the text */
    assert_int_equal(place.line, 3);
    assert_int_equal(place.column, 1);
    place =
        source_place(&sources, two->base + 6); /* y: after BOM and a two-byte letter */
    assert_int_equal(place.line, 1);
    assert_int_equal(place.column, 3);
    assert_null(source_place(&sources, 0).source);
    sources_free(&sources);
}

static const char *nearest(const char *wanted, const char *const *names, int n) {
    Suggest suggest = suggest_start(wanted);
    for (int i = 0; i < n; i++) suggest_candidate(&suggest, names[i]);
    return suggest.best;
}

static void suggestions_are_near(void **state) {
    (void)state;
    static const char *const names[] = {"Valve", "Resistor", "Capacitor", "x"};
    assert_string_equal(nearest("Valv", names, 4), "Valve");
    assert_string_equal(nearest("Ressitor", names, 4), "Resistor");
    assert_string_equal(nearest("capacitor", names, 4), "Capacitor");
    assert_null(nearest("Inductor", names, 4));
    assert_null(nearest("y", names, 4));
}

static void messages_show_the_line(void **state) {
    (void)state;
    Sources       sources;
    const Source *source;
    Diag          diag;
    Text          text = {0};
    sources_init(&sources);
    diag_init(&diag, &sources);
    source_add(&sources, "m.mo", "model\n\tfoo bar\n", 15, &source);
    diag_report(&diag, source->base + 11, CODE_S101, "no '%s'", "bar");
    diag_note(&diag, source->base, "here");
    diag_print(&text, &diag, 0, false);
    assert_string_equal(text_get(&text), "m.mo:2:6: error S101: no 'bar'\n"
                                         "    2 | \tfoo bar\n"
                                         "      | \t    ^~~\n"
                                         "m.mo:1:1: note: here\n"
                                         "    1 | model\n"
                                         "      | ^~~~~\n");
    text_clear(&text);
    diag_print_json(&text, &diag, 0);
    assert_string_equal(
        text_get(&text),
        "{\"severity\":\"error\",\"code\":\"S101\",\"file\":\"m.mo\",\"line\":2,"
        "\"column\":6,\"message\":\"no 'bar'\",\"notes\":[{\"file\":\"m.mo\","
        "\"line\":1,\"column\":1,\"message\":\"here\"}]}\n");
    assert_int_equal(diag.errors, 1);
    text_free(&text);
    diag_free(&diag);
    sources_free(&sources);
}

static void every_code_is_found_and_explained(void **state) {
    (void)state;
    for (int c = 1; c < CODE_COUNT; c++) {
        const CodeInfo *info = code_info((Code)c);
        assert_int_equal(code_find(info->id), c);
        assert_true(strlen(info->title) > 5);
        assert_true(strlen(info->explanation) > 40);
    }
    assert_int_equal(code_find("Z999"), CODE_NONE);
}

static void sets_are_joined_by_the_smaller_number(void **state) {
    (void)state;
    enum { N = 1000 };
    int up[N];
    set_start(up, N);
    for (int k = 0; k < N; k++) assert_int_equal(set_find(up, k), k);
    for (int k = N - 1; k >= 7; k--) assert_int_equal(set_join(up, k, k - 7), k - 7);
    for (int k = 0; k < N; k++) assert_int_equal(set_find(up, k), k % 7);
    assert_int_equal(set_join(up, 700, 703), 0);
    assert_int_equal(set_join(up, 3, 10), 0);
    assert_int_equal(set_find(up, 997), 997 % 7 == 3 ? 0 : 997 % 7);
}

static void assert_row(const Links *links, int row, const char *expected) {
    Text text = {0};
    for (int e = links->start[row]; e < links->start[row + 1]; e++)
        text_printf(&text, "%d ", links->to[e]);
    assert_string_equal(text_get(&text), expected);
    text_free(&text);
}

static void rows_are_compressed_turned_and_sorted(void **state) {
    (void)state;
    static const int pair[][2] = {{2, 5}, {0, 3}, {2, 1}, {0, 3}, {3, 0}, {2, 5}};
    LinkList         list = {0};
    Arena            arena = {0};
    for (int k = 0; k < LENGTH(pair); k++) links_add(&list, pair[k][0], pair[k][1]);
    Links links = links_of(&list, 4, false, NULL);
    assert_int_equal(links.start[4], 6);
    assert_row(&links, 0, "3 3 ");
    assert_row(&links, 1, "");
    assert_row(&links, 2, "5 1 5 ");
    assert_row(&links, 3, "0 ");
    Links back = links_of(&list, 6, true, &arena),
          turned = links_turned(&links, 6, &arena);
    assert_row(&back, 3, "0 0 ");
    assert_row(&back, 5, "2 2 ");
    for (int e = 0; e < 6; e++) assert_int_equal(turned.to[e], back.to[e]);
    for (int i = 0; i <= 6; i++) assert_int_equal(turned.start[i], back.start[i]);
    links_sort(&links);
    assert_int_equal(links.start[4], 4);
    assert_row(&links, 0, "3 ");
    assert_row(&links, 2, "1 5 ");
    assert_row(&links, 3, "0 ");
    links_free(&links);
    links_drop(&list);
    links = links_of(&list, 0, false, NULL);
    assert_int_equal(links.start[0], 0);
    links_sort(&links);
    links_free(&links);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_joined_by_the_smaller_number),
        cmocka_unit_test(rows_are_compressed_turned_and_sorted),
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_large_request_keeps_the_current_chunk),
        cmocka_unit_test(arena_back_releases_what_came_later),
        cmocka_unit_test(arena_overflow_gives_nothing),
        cmocka_unit_test(arena_grow_keeps_the_items),
        cmocka_unit_test(text_builds_and_escapes),
        cmocka_unit_test(strings_are_equal_numbers),
        cmocka_unit_test(map_finds_what_was_put),
        cmocka_unit_test(positions_become_lines_and_columns),
        cmocka_unit_test(suggestions_are_near),
        cmocka_unit_test(messages_show_the_line),
        cmocka_unit_test(every_code_is_found_and_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
