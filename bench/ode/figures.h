/* SPDX-License-Identifier: Apache-2.0 */
/* figures.h -- single figures of the integrator benchmark besides the tables. */
#ifndef RUBATO_BENCH_ODE_FIGURES_H
#define RUBATO_BENCH_ODE_FIGURES_H

void figure_linear_stages(void); /* evaluations per implicit stage, beside IDA       */
void figure_factorisation(void); /* transformed against coupled stage systems        */
void figure_orders(void);        /* observed orders of all methods and dense outputs */

#endif
