/* SPDX-License-Identifier: Apache-2.0 */
/* setting.h -- --set name=value: parameters and start values from the command line. */
#ifndef RUBATO_SETTING_H
#define RUBATO_SETTING_H

#include "cli/cli.h"

typedef struct Setting {
    int    var; /* of the system */
    double value;
} Setting;

/* Looks the names up in job->rows; false after a message. */
bool settings_read(Job *job);

#endif
