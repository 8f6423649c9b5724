/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c -- rooted trees and the order conditions they stand for.
 *
 * A method with coefficients A, b has order p exactly when, for every rooted tree t of at
 * most p nodes, sum_i b_i phi_i(t) = 1 / density(t). phi of a tree with branches t_1..t_m
 * is the product over the branches of (A phi(t_k)); the density is the number of nodes
 * times the densities of the branches. For Rosenbrock methods the matrix below a node
 * with a single branch is A + Gamma (the Jacobian acts there), below all others A. Trees
 * of n nodes are the multisets of smaller trees with n - 1 nodes in all: 1, 1, 2, 4, 9,
 * 20, 48, 115, 286, 719 for n = 1..10. Literature: Butcher 1963; Hairer, Norsett, Wanner
 * I, II.2; Hairer, Wanner II, IV.7. */
#include <math.h>
#include <stdlib.h>

#include "ode/ode.h"

enum { LARGEST = 12 };

typedef struct Builder { /* growing arrays while trees are made */
    Trees *trees;
    int    branches, capacity, room; /* used branches, room for trees and branches */
    int    stack[LARGEST];           /* branches chosen so far                     */
} Builder;

static bool reserve(Builder *b, int trees, int branches) {
    Trees *t = b->trees;
    if (trees > b->capacity) {
        const int c = 2 * trees + 64;
        int      *size = realloc(t->size, sizeof(int) * (size_t)c);
        if (size) t->size = size;
        double *density = realloc(t->density, sizeof(double) * (size_t)c);
        if (density) t->density = density;
        int *start = realloc(t->start, sizeof(int) * ((size_t)c + 1));
        if (start) t->start = start;
        if (!size || !density || !start) return false;
        b->capacity = c;
    }
    if (branches > b->room) {
        const int r = 2 * branches + 256;
        int      *branch = realloc(t->branch, sizeof(int) * (size_t)r);
        if (!branch) return false;
        t->branch = branch;
        b->room = r;
    }
    return true;
}

static bool add(Builder *b, int size, int depth) {
    Trees *t = b->trees;
    if (!reserve(b, t->count + 1, b->branches + depth)) return false;
    double density = size;
    for (int k = 0; k < depth; k++) {
        density *= t->density[b->stack[k]];
        t->branch[b->branches + k] = b->stack[k];
    }
    t->size[t->count] = size;
    t->density[t->count] = density;
    t->start[t->count] = b->branches;
    b->branches += depth;
    t->start[++t->count] = b->branches;
    return true;
}

/* Adds every tree of the given size whose branches after depth are at most `below` and
 * have `left` nodes together. */
static bool extend(Builder *b, int size, int left, int below, int depth) {
    if (left == 0) return add(b, size, depth);
    for (int k = below; k >= 0; k--) {
        if (b->trees->size[k] > left) continue;
        b->stack[depth] = k;
        if (!extend(b, size, left - b->trees->size[k], k, depth + 1)) return false;
    }
    return true;
}

bool trees_new(Trees *trees, int order) {
    *trees = (Trees){.order = order};
    Builder b = {.trees = trees};
    trees->first = malloc(sizeof(int) * (size_t)(order + 2));
    bool ok = trees->first && order < LARGEST && reserve(&b, 64, 64);
    for (int n = 1; ok && n <= order; n++) {
        trees->first[n] = trees->count;
        ok = extend(&b, n, n - 1, trees->count - 1, 0);
    }
    if (!ok) {
        trees_free(trees);
        return false;
    }
    trees->first[order + 1] = trees->count;
    return true;
}

void trees_free(Trees *trees) {
    free(trees->first), free(trees->size), free(trees->density);
    free(trees->start), free(trees->branch);
    *trees = (Trees){0};
}

void trees_weights(const Trees *trees, int stages, const double *many,
                   const double *single, double *phi) {
    for (int t = 0; t < trees->count; t++) {
        double       *out = phi + (size_t)t * stages;
        const int     from = trees->start[t], to = trees->start[t + 1];
        const double *matrix = to - from == 1 ? single : many;
        for (int i = 0; i < stages; i++) {
            long double product = 1.0L;
            for (int k = from; k < to; k++) {
                const double *below = phi + (size_t)trees->branch[k] * stages;
                long double   sum = 0.0L;
                for (int j = 0; j < stages; j++)
                    sum += (long double)matrix[i * stages + j] * below[j];
                product *= sum;
            }
            out[i] = (double)product;
        }
    }
}

int tree_order(const Trees *trees, int stages, const double *many, const double *single,
               const double *b, double tolerance) {
    double *phi = malloc(sizeof(double) * (size_t)trees->count * (size_t)stages);
    if (!phi) return 0;
    trees_weights(trees, stages, many, single, phi);
    int order = 0;
    for (int t = 0; t < trees->count; t++) {
        long double sum = -1.0L / trees->density[t], scale = fabsl(sum);
        for (int i = 0; i < stages; i++) {
            const long double term = (long double)b[i] * phi[(size_t)t * stages + i];
            sum += term;
            scale += fabsl(term);
        }
        if (fabsl(sum) > tolerance * scale) break;
        if (t + 1 == trees->first[trees->size[t] + 1]) order = trees->size[t];
    }
    free(phi);
    return order;
}
