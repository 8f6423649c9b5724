/* SPDX-License-Identifier: Apache-2.0 */
/* suggest.c -- "did you mean": the nearest name by edit distance.
 *
 * Optimal string alignment distance (insert, delete, replace, swap neighbours), two
 * rows kept plus one for the swap. Letters that differ in case only cost nothing extra
 * beyond one edit for the whole word, because wrong case is the commonest slip. */
#include "base/base.h"

#include <ctype.h>
#include <string.h>

enum {
    LONGEST = 63
}; /* longer names get no suggestion: the slip is not in the letters */

Suggest suggest_start(const char *wanted) {
    return (Suggest){.wanted = wanted};
}

static int min3(int a, int b, int c) {
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static bool same_letters(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
    return *a == *b;
}

static int distance(const char *a, const char *b) {
    int m = (int)strlen(a), n = (int)strlen(b);
    int row[3][LONGEST + 2];
    if (m > LONGEST || n > LONGEST) return LONGEST;
    if (same_letters(a, b)) return 1;
    for (int j = 0; j <= n; j++) row[0][j] = j;
    for (int i = 1; i <= m; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= n; j++) {
            int replace = before[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = min3(before[j] + 1, now[j - 1] + 1, replace);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                earlier[j - 2] + 1 < now[j])
                now[j] = earlier[j - 2] + 1;
        }
    }
    return row[m % 3][n];
}

void suggest_candidate(Suggest *suggest, const char *name) {
    int length = (int)strlen(suggest->wanted);
    int allowed = length <= 2 ? 1 : length <= 5 ? 2 : 3;
    int d = distance(suggest->wanted, name);
    if (d == 0 || d > allowed || d >= length) return;
    if (suggest->best && d >= suggest->distance) return;
    suggest->best = name;
    suggest->distance = d;
}
