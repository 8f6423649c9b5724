/* SPDX-License-Identifier: Apache-2.0 */
/* study_report.c -- a study as an HTML page. */
#include "cli/simulate.h"
#include "plot/plot.h"

#include <errno.h>
#include <string.h>

static double value_of(void *owner, long number, int column) {
    return rb_study_value(owner, number, column);
}

static const char *reason_of(void *owner, long number) {
    return rb_study_status(owner, number) > RB_END ? rb_study_reason(owner, number)
                                                   : NULL;
}

static long points_of(void *owner, long number, const double **rows) {
    return rb_study_points(owner, number, rows);
}

bool study_report(Show *show, RbStudy *study, const char *path) {
    Arena       *arena = &show->job->arena;
    Text         out = {0};
    const int    columns = rb_study_columns(study), courses = rb_study_courses(study);
    const char **column = NEW(arena, const char *, columns + 1),
               **course = NEW(arena, const char *, courses + 1);
    for (int k = 0; k < columns; k++) column[k] = rb_study_column(study, k);
    for (int k = 0; k < courses; k++) course[k] = rb_study_course(study, k);
    StudyInput in = {.name = rb_info(show->program).model,
                     .cases = rb_study_cases(study),
                     .columns = columns,
                     .varied = rb_study_varied(study),
                     .column = column,
                     .courses = courses,
                     .course = course,
                     .start = show->start,
                     .stop = show->stop,
                     .value = value_of,
                     .reason = reason_of,
                     .points = points_of,
                     .owner = study};
    report_study(&out, &in);
    bool fine = !out.failed && files_write(path, text_get(&out), out.length);
    if (!fine) fprintf(stderr, "rubato: cannot write '%s': %s\n", path, strerror(errno));
    else if (!show->job->options.quiet) printf("report: %s\n", path);
    text_free(&out);
    return fine;
}
