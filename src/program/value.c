/* SPDX-License-Identifier: Apache-2.0 */
/* value.c -- operators on numbers. */
#include "base/builtin.h"
#include "program/term.h"

#include <float.h>
#include <math.h>

const TermInfo term_info[TERM_COUNT] = {
    {"NONE", "", 0, 0, 'V', 0},
#define OP(id, text, least, most, type, traits) {#id, text, least, most, type, traits},
#include "program/ops.def"
#undef OP
};

bool node_literal(const Node *node, double *value) {
    if (node->op == TERM_REAL) *value = node->real;
    else if (node->op == TERM_INTEGER || node->op == TERM_BOOLEAN ||
             node->op == TERM_ENUM)
        *value = (double)node->integer;
    else return false;
    return true;
}

double reduction_empty(TermOp op, Type type) {
    double most = type == TYPE_REAL ? DBL_MAX : INT32_MAX;
    switch (op) {
    case TERM_SUM_OF: return 0;
    case TERM_PRODUCT_OF: return 1;
    case TERM_MIN_OF: return most;
    default: return -most;
    }
}

bool term_value(TermOp op, const double *x, int n, double *value) {
    double v;
    switch (op) {
    case TERM_DIV: v = x[0] / x[1]; break;
    case TERM_POW: v = pow(x[0], x[1]); break;
    case TERM_TO_REAL: v = x[0]; break;
    case TERM_LESS: v = x[0] < x[1]; break;
    case TERM_LESS_EQUAL: v = x[0] <= x[1]; break;
    case TERM_GREATER: v = x[0] > x[1]; break;
    case TERM_GREATER_EQUAL: v = x[0] >= x[1]; break;
    case TERM_EQUAL: v = x[0] == x[1]; break;
    case TERM_NOT_EQUAL: v = x[0] != x[1]; break;
    case TERM_NOT: v = x[0] == 0; break;
    case TERM_NEG: v = -x[0]; break;
    case TERM_ABS: v = fabs(x[0]); break;
    case TERM_SIGN: v = rb_sign(x[0]); break;
#define CASE(id, of)                                                                     \
    case TERM_##id: v = of(x[0]); break;
        BUILTIN_OF_C(CASE)
#undef CASE
    case TERM_ATAN2: v = atan2(x[0], x[1]); break;
    case TERM_MIN: v = rb_min(x[0], x[1]); break;
    case TERM_MAX: v = rb_max(x[0], x[1]); break;
    case TERM_QUOTIENT: v = rb_div(x[0], x[1]); break;
    case TERM_MOD: v = rb_mod(x[0], x[1]); break;
    case TERM_REM: v = rb_rem(x[0], x[1]); break;
    case TERM_TO_INTEGER: v = floor(x[0]); break;
    case TERM_ORDINAL: v = x[0]; break;
    case TERM_NO_EVENT: v = x[0]; break;
    case TERM_SMOOTH: v = x[1]; break;
    case TERM_HOMOTOPY: v = x[0]; break;
    case TERM_SEMI_LINEAR: v = rb_semi_linear(x[0], x[1], x[2]); break;
    case TERM_EDGE: v = x[0] != 0 && x[1] == 0; break;
    case TERM_CHANGE: v = rb_change(x[0], x[1]); break;
    case TERM_ADD:
        v = 0;
        for (int k = 0; k < n; k++) v += x[k];
        break;
    case TERM_MUL:
        v = 1;
        for (int k = 0; k < n; k++) v *= x[k];
        break;
    default: return false;
    }
    *value = v;
    return isfinite(v);
}
