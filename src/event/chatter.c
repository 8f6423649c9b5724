/* SPDX-License-Identifier: Apache-2.0 */
/* chatter.c -- events that follow each other without end.
 *
 * A relay without hysteresis switches back as soon as it has switched. Time then hardly
 * moves and the run looks hung, so it is stopped and the crossing is named. Counting over a
 * window tells this from models that have many events and still move on. */
#include "event/event.h"

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

bool chatter_note(Chatter *chatter, double t, int crossing, double interval, int *worst) {
    chatter->time[chatter->next] = t;
    chatter->crossing[chatter->next] = crossing;
    chatter->next = (chatter->next + 1) % CHATTER_EVENTS;
    if (chatter->count < CHATTER_EVENTS) chatter->count++;
    if (chatter->count < CHATTER_EVENTS) return false;
    double oldest = chatter->time[chatter->next];
    if (t - oldest > 1e-9 * interval) return false;
    *worst = most_frequent(chatter);
    return true;
}
