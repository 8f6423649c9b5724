/* SPDX-License-Identifier: Apache-2.0 */
/* rounds.c -- one event: rounds until nothing changes; events that follow each other without end.
 *
 * Modelica gives an event a duration of zero and any number of rounds: in each, relations and
 * when-clauses see the results of the one before. The rounds end when nothing changes; a
 * model in which something always changes is stopped with an explanation.
 *
 * A relay without hysteresis switches back as soon as it has switched. Time then hardly
 * moves and the run looks hung, so it is stopped and the crossing is named. Counting over a
 * window tells this from models that have many events and still move on. */
#include "event/event.h"

enum {
    ROUNDS = 100
}; /* and one for each crossing: a cascade may switch them one after the other */

Status event_rounds(const Model *model, double t, double *x, EventKind kind,
                    const Selection *which, EventRounds *rounds, Fault *fault) {
    const int most = rounds->most ? rounds->most : ROUNDS + model->nz;
    bool      again = true;
    *fault = fault_none();
    for (int round = 0; again; round++) {
        if (round == most) { /* the fault names what changed last */
            rounds->endless = true;
            fault->what =
                "the event iteration does not settle: something changes in every round";
            return STATUS_DIVERGED;
        }
        *fault = fault_none();
        fault->time = t;
        again = false;
        const Status status =
            model->fn->event(model->instance, t, x, kind, which, &again, fault);
        rounds->changed |= again;
        rounds->count++;
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

static int most_frequent(const Chatter *chatter) {
    int best = chatter->crossing[0], most = 0;
    for (int i = 0; i < CHATTER_EVENTS; i++) {
        int n = 0;
        for (int j = 0; j < CHATTER_EVENTS; j++)
            n += chatter->crossing[j] == chatter->crossing[i];
        if (n > most) {
            most = n;
            best = chatter->crossing[i];
        }
    }
    return best;
}

void chatter_fault(Fault *fault, double t, int crossing) {
    *fault = fault_none();
    fault->time = t;
    fault->relation = crossing;
    fault->what =
        "events follow each other without end; a relation switches back and forth";
}

bool chatter_note(Chatter *chatter, double t, int crossing, double interval,
                  Fault *fault) {
    chatter->time[chatter->next] = t;
    chatter->crossing[chatter->next] = crossing;
    chatter->next = (chatter->next + 1) % CHATTER_EVENTS;
    if (chatter->count < CHATTER_EVENTS) chatter->count++;
    if (chatter->count < CHATTER_EVENTS) return false;
    const double oldest = chatter->time[chatter->next];
    if (t - oldest > CHATTER_SHARE * interval) return false;
    chatter_fault(fault, t, most_frequent(chatter));
    return true;
}
