/* SPDX-License-Identifier: Apache-2.0 */
/* continuous.c -- a sign that another factor makes continuous needs no event.
 *
 * In sign(h)*sqrt(abs(h)) the root is zero where the sign changes, so the product has no jump: an event
 * there would only stop the integrator, and where h comes to rest, again and again. Such a sign is
 * evaluated without events, as if it stood in noEvent. A factor is known to be zero there if it folds
 * to zero with the argument of the sign replaced by 0. One walk; a replacement for each product with a
 * sign. */
#include "expr/expr.h"

#include <string.h>

typedef struct Signs {
    Term *from, *to; /* products, and what stands for them */
    int   n;
} Signs;

/* The argument of a factor that is a sign, or the opposite of one, else 0. */
static Term sign_argument(const Shapes *shapes, Term factor) {
    while (expr_op(shapes, factor) == TERM_NEG || expr_op(shapes, factor) == TERM_TO_REAL)
        factor = expr_arg(shapes, factor, 0);
    return expr_op(shapes, factor) == TERM_SIGN ? expr_arg(shapes, factor, 0) : 0;
}

/* Are the other factors zero where the argument of factor k is? */
static bool is_continuous(Shapes *shapes, const Term *factor, int n, int k) {
    Term u = sign_argument(shapes, factor[k]), zero = shapes->zero;
    for (int i = 0; i < n; i++)
        if (i != k && !sign_argument(shapes, factor[i]) &&
            expr_is_zero(shapes, expr_replace(shapes, factor[i], &u, &zero, 1)))
            return true;
    return false;
}

static void look_at_product(Shapes *shapes, Term product, Signs *signs) {
    Node  node = shapes->node[product];
    int   n = (int)node.n;
    Term *factor = mem_take((size_t)n, sizeof *factor);
    bool  quiet = false;
    for (int k = 0; k < n; k++) factor[k] = expr_arg(shapes, product, (uint32_t)k);
    for (int k = 0; k < n; k++) {
        if (!sign_argument(shapes, factor[k]) || !is_continuous(shapes, factor, n, k))
            continue;
        factor[k] = expr_1(shapes, TERM_NO_EVENT, factor[k]);
        quiet = true;
    }
    if (quiet) {
        signs->from[signs->n] = product;
        signs->to[signs->n++] = expr_make(shapes, TERM_MUL, factor, n);
    }
    mem_free(factor);
}

Term expr_continuous(Shapes *shapes, Term root) {
    int   n = expr_walk(shapes, root), products = 0;
    Term *product = NULL;
    bool  signs = false;
    for (int i = 0; i < n; i++) {
        signs |= expr_op(shapes, shapes->walk[i]) == TERM_SIGN;
        products += expr_op(shapes, shapes->walk[i]) == TERM_MUL;
    }
    if (!signs || !products) return root;
    product = mem_take(3 * (size_t)products, sizeof *product);
    Signs found = {product + products, product + 2 * products, 0};
    for (int i = 0, k = 0; i < n; i++)
        if (expr_op(shapes, shapes->walk[i]) == TERM_MUL) product[k++] = shapes->walk[i];
    for (int k = 0; k < products; k++) look_at_product(shapes, product[k], &found);
    if (found.n) root = expr_replace(shapes, root, found.from, found.to, found.n);
    mem_free(product);
    return root;
}
