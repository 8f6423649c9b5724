/* SPDX-License-Identifier: Apache-2.0 */
/* access.c -- array slots as C text: elements, sizes, whole arrays.
 *
 * Kernels, actions and invariants find their variables in different places; from there on their
 * arrays are the same. */
#include "gen/access.h"

void access_subscripts(const Sizes *s, const Text *subscript, int rank, Text *out) {
    for (int d = 0; d < rank && d < s->rank; d++)
        text_printf(out, " + %d*(rb_sub(c, %s, %d, %d, %uu) - 1)", s->size[2 * d + 1],
                    text_get(&subscript[d]), s->size[2 * d], d + 1, s->pos);
}

void access_size(const Sizes *s, int dimension, Text *out) {
    text_printf(out, "%d", dimension <= s->rank ? s->size[2 * (dimension - 1)] : 1);
}

void access_extent(const Sizes *s, const char *factor, Text *out) {
    text_printf(out, ", %d, (int[]){", s->rank);
    for (int d = 0; d < s->rank; d++) text_printf(out, d ? ", %d" : "%d", s->size[2 * d]);
    text_add(out, "}, (int[]){");
    for (int d = 0; d < s->rank; d++)
        text_printf(out, "%s%s%d", d ? ", " : "", factor, s->size[2 * d + 1]);
    text_char(out, '}');
}

void access_gather(int temp, Text *array, Text *out) {
    text_printf(out, "rb_gather(c, t%d, %s)", temp, text_get(array));
    text_free(array);
}
