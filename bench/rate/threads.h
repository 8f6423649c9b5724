/* SPDX-License-Identifier: Apache-2.0 */
/* threads.h -- figure 6 of the benchmark of several rates. */
#ifndef BENCH_RATE_THREADS_H
#define BENCH_RATE_THREADS_H

/* Models with local events on 1, 2 and 4 threads: is everything they tell the same? */
void figure_threads(void);

#endif
