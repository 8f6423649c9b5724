/* SPDX-License-Identifier: Apache-2.0 */
/* experiment.h -- what to simulate: the annotation of the model and the options over it. */
#ifndef RUBATO_EXPERIMENT_H
#define RUBATO_EXPERIMENT_H

#include "cli/cli.h"

typedef struct Experiment {
    double start, stop;
    double interval;  /* between output points */
    double tolerance; /* relative              */
    long   most;      /* steps; 0: no limit    */
} Experiment;

/* Defaults, then the annotation(experiment(...)) of the model or of what it extends, then the
 * options. The exit status: after a message EXIT_USAGE or EXIT_MODEL, if an option is no number
 * or the numbers make no sense. */
int experiment_read(Job *job, Experiment *experiment);

#endif
