/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_structure.c -- rubato structure: states, blocks and torn systems of a model. */
#include "cli/code.h"

int command_structure(Job *job) {
    Text out = {0};
    job->translate = true;
    if (!driver_run(job, "structure")) return EXIT_MODEL;
    if (job->stopped) return EXIT_DONE;
    structure_report(&job->code->run.structure, &out, 100000);
    fwrite(text_get(&out), 1, out.length, stdout);
    text_free(&out);
    return EXIT_DONE;
}
