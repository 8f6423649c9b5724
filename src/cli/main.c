/* SPDX-License-Identifier: Apache-2.0 */
/* main.c -- picks the command, shows the messages, sets the exit status. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_messages(const Job *job) {
    Text out = {0};
    bool colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
    if (job->options.json) diag_print_json(&out, &job->session.diag, 0);
    else diag_print(&out, &job->session.diag, 0, colour);
    fwrite(text_get(&out), 1, out.length, stderr);
    text_free(&out);
}

/* LAPACK reports a wrong argument here and in its result info. Its own version of this ends the
 * process; ours leaves the matter to whoever reads info. It is the command's to decide: the
 * library leaves the symbol alone. */
RB_API void xerbla_(const char *name, const int *argument, size_t length);
void        xerbla_(const char *name, const int *argument, size_t length) {
           (void)name;
           (void)argument;
           (void)length;
}

static int run_command(Job *job) {
    const Options *options = &job->options;
    if (options->version) {
        printf("rubato %s\n", rb_version());
        return EXIT_DONE;
    }
    if (options->help && options->command && !command_find(options->command))
        return unknown_command(options->command);
    if (options->help || !options->command) {
        options_help(options->help ? stdout : stderr, options->command);
        return options->help ? EXIT_DONE : EXIT_USAGE;
    }
    const CommandInfo *command = command_find(options->command);
    if (!command) return unknown_command(options->command);
    int status = command->run(job);
    show_messages(job);
    job_messages(job);
    return status == EXIT_DONE && job->session.diag.errors ? EXIT_MODEL : status;
}

static int finish_output(int status) { /* a full disk must not look like success */
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fprintf(stderr, "rubato: cannot write the output\n");
    return EXIT_MODEL;
}

typedef struct CommandLine { /* what main hands through memory_call */
    int    argc;
    char **argv;
    int    status;
} CommandLine;

static void whole_command(void *context) {
    CommandLine *command = context;
    Job          job = {.timing = {.begun = wall_time_now()}};
    session_init(&job.session);
    library_init(&job.library, &job.session);
    command->status = EXIT_USAGE;
    if (options_parse(&job, command->argc, command->argv) && passes_check(&job))
        command->status = run_command(&job);
    if (job.options.timing) show_timing(&job);
    rb_compiler_free(job.compiler);
    library_free(&job.library);
    session_free(&job.session);
    arena_free(&job.arena);
}

int main(int argc, char **argv) {
    signal(SIGXFSZ, SIG_IGN); /* beyond the limit of files writing fails, and says so */
    CommandLine command = {.argc = argc, .argv = argv};
    Memory     *memory = memory_new();
    bool        fine = memory && memory_call(memory, whole_command, &command);
    memory_free(memory);
    if (fine) return finish_output(command.status);
    fprintf(stderr, "rubato: out of memory\n");
    return EXIT_DEFECT;
}
