/* SPDX-License-Identifier: Apache-2.0 */
/* version.c -- the version of this build, from the build system. */
#include "rubato.h"

#ifndef RUBATO_VERSION
#define RUBATO_VERSION "unknown"
#endif

const char *rb_version(void) {
    return RUBATO_VERSION;
}
