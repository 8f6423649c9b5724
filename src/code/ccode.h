/* SPDX-License-Identifier: Apache-2.0 */
/* ccode.h -- C code of Modelica libraries as shared objects. */
#ifndef RUBATO_CCODE_H
#define RUBATO_CCODE_H

#include "code/code.h"

typedef struct CCode {  /* begins zeroed */
    char    *item[400]; /* sources and options of the compiler */
    int      count;
    uint64_t key;     /* of all of them */
    bool     several; /* more sources than the one text */
    bool     failed;  /* something is missing: no memory, or too many files */
} CCode;

/* All C sources of a folder and of the folders directly below it. */
void ccode_sources(CCode *code, const char *folder);
void ccode_include_in(CCode *code, const char *folder);
void ccode_library_in(CCode *code, const char *folder);
void ccode_library(CCode *code, const char *name);
void ccode_free(CCode *code);

/* The shared object of these and of one more C text, for dlclose; NULL and why if that fails. */
void *ccode_load(const CCode *code, const char *text, const CodeOptions *options,
                 Text *why);

#endif
