/* SPDX-License-Identifier: Apache-2.0 */
/* setting.h -- --set name=value: parameters and start values from the command line. */
#ifndef RUBATO_SETTING_H
#define RUBATO_SETTING_H

#include "cli/cli.h"

typedef struct Setting {
    int    var; /* of the system, -1 if this is a modifier of the model */
    double value;
    int  inside; /* the first variable inside an array or component of the name, or -1 */
    bool modifier; /* the model was translated with it */
} Setting;

/* Looks the names up in job->rows; false after a message. Settings that the translated model cannot
 * take become job->given: it is to be translated again with them. */
bool settings_read(Job *job);

#endif
