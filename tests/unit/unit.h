/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h -- cmocka wants these headers, in this order. */
#ifndef RUBATO_UNIT_H
#define RUBATO_UNIT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#endif
