/* SPDX-License-Identifier: Apache-2.0 */
/* printer.h -- layout of formatted text; private to this folder. See printer.c. */
#ifndef RUBATO_PRINTER_H
#define RUBATO_PRINTER_H

#include "syntax/syntax.h"

typedef struct Printer {
    Text             *out;
    const Session    *session;
    const StoredFile *file;       /* NULL: single line, no comments                     */
    uint32_t          remark;     /* next comment of the file to print                  */
    Pos               last;       /* just after the last token of the source printed   */
    int               indent;     /* of line-level items                                */
    int               nest;       /* open brackets: continuation lines stand deeper     */
    bool              tight;      /* in annotations: no blank after a comma in lists */
    bool              must_break; /* a // comment was printed: nothing may follow it  */
} Printer;

void print_text(Printer *f, const char *text);
void print_token(Printer *f, Pos pos, const char *text, size_t length);
void print_name(Printer *f, Pos pos, Str name);
void print_source(Printer *f, Pos pos, size_t length); /* as written */
/* Before something that stood at pos in the source, inside a line-level item. */
void print_gap(Printer *f, Pos pos, const char *space);
/* Before a line-level item that stood at pos. */
void print_line(Printer *f, Pos pos);
/* Only the comments that stood before pos, on lines of their own or after the last item. */
void        print_remarks(Printer *f, Pos pos);
void        print_end(Printer *f); /* the remaining comments and the last line break */
const char *print_source_at(const Printer *f, Pos pos);

#endif
