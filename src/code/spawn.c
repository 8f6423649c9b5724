/* SPDX-License-Identifier: Apache-2.0 */
/* spawn.c -- starts a compiler.
 *
 * Signals that a program handles in a thread are blocked in the others, and a child would inherit that:
 * nothing could end it but SIGKILL. So it begins without blocked signals. */
#define _GNU_SOURCE /* environ */
#include "code/code.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

int compiler_spawn(char *const argv[], const char *log, bool group, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          attributes;
    sigset_t                   none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
                                              (group ? POSIX_SPAWN_SETPGROUP : 0));
    int error = posix_spawnp(child, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}
