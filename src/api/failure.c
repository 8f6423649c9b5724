/* SPDX-License-Identifier: Apache-2.0 */
/* failure.c -- a failed run in words: what happened, where, and what to try.
 *
 * The runtime gives a status and a fault; the running model knows the rest. What fits is
 * chosen here: a loop without solution, a value that is not finite, relations that switch
 * without end, a state whose steps become too small, or the words of the model itself. */
#include "api/api.h"

typedef struct Failure {
    Status        status;
    double        time; /* reached                                                     */
    Fault         fault;
    const double *x; /* the last good state, NULL if the run did not begin           */
} Failure;

static const char when_text[] = "the simulation failed at time %.9g: %s";

static void explain_loop(Diag *diag, Instance *instance, double time) {
    const LoopReport *report = instance->report;
    Text              text = {0};
    cause_loop_study(instance);
    cause_loop_headline(report, &text);
    diag_report(diag, cause_loop_pos(report), cause_loop_code(report), when_text, time,
                text_get(&text));
    cause_loop_notes(report, instance, diag);
    text_free(&text);
}

static void explain_switching(Diag *diag, const Instance *instance, const Fault *fault,
                              double time, const char *what) {
    Pos pos = fault->relation >= 0 ? cause_relation(instance, fault->relation, NULL)
                                   : fault->pos;
    diag_report(diag, pos, CODE_R104, when_text, time, what);
    if (fault->relation >= 0) cause_relation(instance, fault->relation, diag);
    if (fault->row >= 0 && fault->variable >= 0) {
        Text name = {0};
        program_name(instance->program, fault->variable, &name);
        diag_note(diag, fault->pos, "'%s' changes in every round", text_get(&name));
        text_free(&name);
    }
    diag_note(diag, 0,
              "what to try: a hysteresis between switching on and off, a minimum time "
              "between switches, or a smooth transition instead of the relation");
}

/* A value that is not finite: at the point where all values were asked for, at the last good
 * point, or where the integrator tried to go from there. */
static bool explain_not_finite(Diag *diag, Instance *instance, const Failure *failure) {
    Cause cause;
    bool  found = cause_not_finite(instance, &cause) ||
                 (failure->x && cause_ahead(instance, failure->time, failure->x, &cause));
    if (found) {
        diag_report(diag, cause.pos, CODE_R103, when_text, cause.time,
                    text_get(&cause.headline));
        cause_notes(instance, &cause, diag);
    }
    text_free(&cause.headline);
    return found;
}

/* An error inside a function belongs to the component whose equation called it. */
static void name_caller(Diag *diag, const Program *p, const Fault *fault) {
    Text name = {0};
    if (fault->given >= 0 && fault->given < p->variables.vars)
        program_name(p, fault->given, &name);
    if (name.length)
        diag_note(diag, fault->caller, "called to compute '%s'", text_get(&name));
    else diag_note(diag, fault->caller, "called by this equation");
    text_free(&name);
}

static Code code_of(const Failure *failure) {
    static const Code by_kind[] = {
        [FAULT_CONDITION] = CODE_R107, [FAULT_BOUNDS] = CODE_R114,
        [FAULT_FUNCTION] = CODE_R115,  [FAULT_VALUE] = CODE_R103,
        [FAULT_OUTPUT] = CODE_R109,
    };
    if (failure->fault.kind != FAULT_OTHER) return by_kind[failure->fault.kind];
    switch (failure->status) {
    case STATUS_TOO_MANY: return CODE_R108;
    case STATUS_NO_MEMORY: return CODE_R109;
    case STATUS_TOLERANCE: return CODE_R116;
    default: return CODE_R101;
    }
}

/* The words of the model or of the integrator. */
static void explain_other(Diag *diag, const Instance *instance, const Failure *failure,
                          const char *what) {
    const Fault   *fault = &failure->fault;
    const Program *p = instance->program;
    bool           state =
        fault->row < 0 && fault->variable >= 0 && fault->variable < p->states.count;
    int  var = state ? p->states.var[fault->variable] : fault->variable;
    Text text = {0};
    text_printf(&text, when_text, failure->time, what);
    if (var >= 0 && var < p->variables.vars) {
        text_add(&text, ", in '");
        program_name(p, var, &text);
        text_char(&text, '\'');
    }
    Pos pos = fault->pos;
    if (!pos && state) pos = cause_state(instance, fault->variable, NULL);
    if (!pos && fault->relation >= 0)
        pos = cause_relation(instance, fault->relation, NULL);
    diag_report(diag, pos, code_of(failure), "%s", text_get(&text));
    if (fault->relation >= 0) cause_relation(instance, fault->relation, diag);
    if (fault->caller) name_caller(diag, p, fault);
    if (state && !fault->pos) cause_state(instance, fault->variable, diag);
    text_free(&text);
}

void simulation_explain(RbSimulation *s) {
    Instance    *instance = &s->instance;
    Diag        *diag = &s->diag;
    Failure      failure = {.status = s->outcome.status,
                            .time = s->outcome.time,
                            .fault = s->outcome.fault,
                            .x = s->run ? s->x : NULL};
    const Fault *fault = &failure.fault;
    const char  *what = fault->what ? fault->what : status_text(failure.status);
    if (failure.status == STATUS_NO_MEMORY)
        diag_report(diag, 0, CODE_R109, when_text, failure.time, "there is no memory");
    else if (fault->block >= 0 && instance->report)
        explain_loop(diag, instance, failure.time);
    else if (failure.status == STATUS_CHATTERING || failure.status == STATUS_DIVERGED)
        explain_switching(diag, instance, fault, failure.time, what);
    else if (fault->pos || failure.status == STATUS_FATAL ||
             !explain_not_finite(diag, instance, &failure))
        explain_other(diag, instance, &failure, what);
}
