/* SPDX-License-Identifier: Apache-2.0 */
/* error.h -- errors of include/rubato.h, for those who work over it, too. */
#ifndef RUBATO_API_ERROR_H
#define RUBATO_API_ERROR_H

#include "base/base.h"
#include "rubato.h"

/* Fills *error unless it is NULL; the status, for a return statement. */
RbStatus error_set(RbError *error, RbStatus status, const char *format, ...)
    PRINTF_LIKE(3, 4);

#endif
