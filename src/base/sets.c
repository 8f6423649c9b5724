/* SPDX-License-Identifier: Apache-2.0 */
/* sets.c -- disjoint sets of integers, in one array of the caller.
 *
 * Joined by the smaller number, so that who stands for a set does not depend on the order of
 * joining; with path halving (Tarjan, van Leeuwen 1984) O(log n) a step on average. */
#include "base/base.h"

void set_start(int *up, int n) {
    for (int k = 0; k < n; k++) up[k] = k;
}

int set_find(int *up, int k) {
    while (up[k] != k) k = up[k] = up[up[k]];
    return k;
}

int set_join(int *up, int a, int b) {
    a = set_find(up, a);
    b = set_find(up, b);
    if (a < b) return up[b] = a;
    return up[a] = b;
}
