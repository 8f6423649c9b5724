/* SPDX-License-Identifier: Apache-2.0 */
/* version.c -- the version of this build, from the build system. */
#include "cli/cli.h"

#ifndef RUBATO_VERSION
#define RUBATO_VERSION "unknown"
#endif

const char *rubato_version(void) {
    return RUBATO_VERSION;
}
