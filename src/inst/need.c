/* SPDX-License-Identifier: Apache-2.0 */
/* need.c -- values that the translation itself needs: sizes, conditions, ranges.
 *
 * Why there is none is kept for the message of whoever needs it. */
#include "inst/front.h"

#include <string.h>

/* The reason of a failure, for the message of whoever needs the value. */
static void keep_reason(Eval *eval, bool good) {
    eval->front->reason.text =
        good || !eval->why
            ? NULL
            : arena_string(&eval->front->arena, eval->why, strlen(eval->why));
    eval->front->reason.pos = good ? 0 : eval->why_pos;
}

Value *eval_now(Front *front, const Tx *tx) {
    if (tx->pos) front->reason.need = tx->pos;
    Arena  scratch = {0};
    Eval   eval = {.front = front, .arena = &scratch, .steps = EVAL_STEPS};
    Value *v = ty_bad(tx->type) ? NULL : eval_tx(&eval, tx);
    if (v) v = value_copy(&front->arena, v);
    keep_reason(&eval, v != NULL);
    arena_free(&scratch);
    return v;
}

bool eval_integer(Front *front, const Tx *tx, int64_t *value) {
    if (tx->pos) front->reason.need = tx->pos;
    if (tx->kind == TX_INTEGER) {
        *value = tx->i;
        return true;
    }
    front->reason.text = NULL;
    if (tx->vary > VARY_PARAMETER && !tx->type.ndim && tx->kind != TX_CALL) return false;
    Arena  scratch = {0};
    Eval   eval = {.front = front, .arena = &scratch, .steps = EVAL_STEPS};
    Value *v = eval_tx(&eval, tx);
    bool   good = v && v->ndim == 0 && v->basic == BASIC_INTEGER;
    if (good) *value = v->integer[0];
    keep_reason(&eval, good);
    arena_free(&scratch);
    return good;
}

bool eval_boolean(Front *front, const Tx *tx, bool *value) {
    if (tx->pos) front->reason.need = tx->pos;
    front->reason.text = NULL;
    if (tx->vary > VARY_PARAMETER) return false;
    Arena  scratch = {0};
    Eval   eval = {.front = front, .arena = &scratch, .steps = EVAL_STEPS};
    Value *v = eval_tx(&eval, tx);
    bool   good = v && v->ndim == 0 && v->basic == BASIC_BOOLEAN;
    if (good) *value = v->integer[0] != 0;
    keep_reason(&eval, good);
    arena_free(&scratch);
    return good;
}
