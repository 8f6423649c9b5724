/* SPDX-License-Identifier: Apache-2.0 */
/* error.c -- errors as values, messages as text. */
#include "api/api.h"

#include <string.h>

void error_none(RbError *error) {
    if (error) *error = (RbError){.status = RB_OK};
}

RbStatus error_set(RbError *error, RbStatus status, const char *format, ...) {
    va_list args;
    if (!error) return status;
    *error = (RbError){.status = status};
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return status;
}

RbStatus error_from(RbError *error, RbStatus status, const Diag *diag, int first) {
    int k = first;
    while (k < diag->count && diag->message[k].severity != SEVERITY_ERROR) k++;
    if (!error) return status;
    if (k == diag->count) return error_set(error, status, "the model is wrong");
    error_set(error, status, "%s", diag->message[k].text);
    Place place = source_place(diag->sources, diag->message[k].pos);
    if (!place.source) return status;
    snprintf(error->file, sizeof error->file, "%s", place.source->path);
    error->line = place.line;
    error->column = place.column;
    return status;
}

void messages_print(Text *out, const Diag *diag, int first, RbStyle style) {
    text_clear(out);
    if (style == RB_JSON) diag_print_json(out, diag, first);
    else diag_print(out, diag, first, style == RB_COLOUR);
}
