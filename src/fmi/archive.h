/* SPDX-License-Identifier: Apache-2.0 */
/* archive.h -- private to fmi: archives that are read. */
#ifndef RUBATO_FMI_ARCHIVE_H
#define RUBATO_FMI_ARCHIVE_H

#include "base/base.h"

enum { ARCHIVE_NAME = 1000 }; /* characters of a name in an archive, most */
#define ARCHIVE_BYTES 4e9     /* that all files of one may have */

/* Into an existing empty folder; false and why. */
bool archive_unpack(const char *path, const char *folder, Text *why);

#endif
