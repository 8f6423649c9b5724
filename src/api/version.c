/* SPDX-License-Identifier: Apache-2.0 */
/* version.c -- the version and the sources of this build, from the build system. */
#include "api/api.h"

#ifndef RUBATO_VERSION
#define RUBATO_VERSION "unknown"
#endif
#ifndef RUBATO_BUILD
#define RUBATO_BUILD "unknown"
#endif

const char *rb_version(void) {
    return RUBATO_VERSION;
}

const char *build_key(void) {
    return RUBATO_BUILD;
}
