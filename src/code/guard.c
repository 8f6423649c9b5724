/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c -- what C code of libraries may do to the machine.
 *
 * Every shared object of external code is linked with `--wrap` for the functions of the C library
 * that start programs, write, delete or list files, read files, or touch the environment. The
 * references of the code then lead to the text below, which asks the caller: with --trust
 * everything is allowed, otherwise only to read files below the folders of the model and of the
 * libraries it uses. What is refused becomes an error of the model. Code that comes compiled
 * (Library annotations) is not covered: such a library must have been installed by the user. */
#define _GNU_SOURCE
#include "code/ccode.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line a function: name, arguments as declared and as passed on, what to show, whether it only
 * reads. Functions with three dots have a text of their own. */
const char guard_text[] =
    "#include <fcntl.h>\n#include <sys/types.h>\n"
    "static void rb_ask(const char *what, const char *name, int read) {\n"
    "    char s[380];\n"
    "    if (host && host->may(host, name, read)) return;\n"
    "    snprintf(s, sizeof s, \"%s(\\\"%.200s\\\") is refused: models %s (--trust "
    "allows "
    "it)\", what,\n"
    "             name ? name : \"\", read ? \"read files only below their own folders "
    "and "
    "those of their libraries\"\n"
    "             : \"do not start programs, change files or use the environment\");\n"
    "    ModelicaError(s);\n}\n"
    "#define RB_GUARD(type, name, declared, passed, shown, read) \\\n"
    "    type __real_##name declared; type __wrap_##name declared; \\\n"
    "    type __wrap_##name declared { rb_ask(#name, shown, read); \\\n"
    "        return __real_##name passed; }\n"
    "#define RB_PLAIN(m) ((m)[0] == 'r' && !strchr(m, '+'))\n"
    "RB_GUARD(int, system, (const char *a), (a), a, 0)\n"
    "RB_GUARD(FILE *, popen, (const char *a, const char *m), (a, m), a, 0)\n"
    "RB_GUARD(int, remove, (const char *a), (a), a, 0)\n"
    "RB_GUARD(int, unlink, (const char *a), (a), a, 0)\n"
    "RB_GUARD(int, rmdir, (const char *a), (a), a, 0)\n"
    "RB_GUARD(int, rename, (const char *a, const char *b), (a, b), a, 0)\n"
    "RB_GUARD(int, link, (const char *a, const char *b), (a, b), b, 0)\n"
    "RB_GUARD(int, symlink, (const char *a, const char *b), (a, b), b, 0)\n"
    "RB_GUARD(int, mkdir, (const char *a, mode_t m), (a, m), a, 0)\n"
    "RB_GUARD(int, chmod, (const char *a, mode_t m), (a, m), a, 0)\n"
    "RB_GUARD(int, creat, (const char *a, mode_t m), (a, m), a, 0)\n"
    "RB_GUARD(int, truncate, (const char *a, off_t n), (a, n), a, 0)\n"
    "RB_GUARD(int, chdir, (const char *a), (a), a, 0)\n"
    "RB_GUARD(int, putenv, (char *a), (a), a, 0)\n"
    "RB_GUARD(int, setenv, (const char *a, const char *b, int c), (a, b, c), a, 0)\n"
    "RB_GUARD(int, unsetenv, (const char *a), (a), a, 0)\n"
    "RB_GUARD(char *, getenv, (const char *a), (a), a, 0)\n"
    "RB_GUARD(void *, opendir, (const char *a), (a), a, 1)\n"
    "RB_GUARD(char *, tmpnam, (char *a), (a), \"\", 0)\n"
    "RB_GUARD(FILE *, tmpfile, (void), (), \"\", 0)\n"
    "RB_GUARD(int, mkstemp, (char *a), (a), a, 0)\n"
    "RB_GUARD(int, fork, (void), (), \"\", 0)\n"
    "RB_GUARD(int, execv, (const char *a, char *const v[]), (a, v), a, 0)\n"
    "RB_GUARD(int, execvp, (const char *a, char *const v[]), (a, v), a, 0)\n"
    "RB_GUARD(int, execve, (const char *a, char *const v[], char *const e[]), (a, v, e), "
    "a, 0)\n"
    "RB_GUARD(int, socket, (int a, int b, int c), (a, b, c), \"\", 0)\n"
    "RB_GUARD(void *, dlopen, (const char *a, int b), (a, b), a, 0)\n"
    "RB_GUARD(void *, dlsym, (void *h, const char *a), (h, a), a, 0)\n"
    "RB_GUARD(int, posix_spawn, (void *p, const char *a, const void *f, const void *t,"
    " char *const v[], char *const e[]), (p, a, f, t, v, e), a, 0)\n"
    "RB_GUARD(int, posix_spawnp, (void *p, const char *a, const void *f, const void *t,"
    " char *const v[], char *const e[]), (p, a, f, t, v, e), a, 0)\n"
    "RB_GUARD(int, wordexp, (const char *a, void *b, int c), (a, b, c), a, 0)\n"
    "RB_GUARD(int, unlinkat, (int d, const char *a, int b), (d, a, b), a, 0)\n"
    "RB_GUARD(int, renameat, (int c, const char *a, int d, const char *b),"
    " (c, a, d, b), a, 0)\n"
    "RB_GUARD(int, mkdirat, (int d, const char *a, mode_t m), (d, a, m), a, 0)\n"
    "RB_GUARD(int, chown, (const char *a, uid_t b, gid_t c), (a, b, c), a, 0)\n"
    "RB_GUARD(int, mkfifo, (const char *a, mode_t m), (a, m), a, 0)\n"
    "RB_GUARD(char *, mkdtemp, (char *a), (a), a, 0)\n"
    "RB_GUARD(int, clearenv, (void), (), \"\", 0)\n"
    "RB_GUARD(char *, secure_getenv, (const char *a), (a), a, 0)\n"
    "RB_GUARD(int, scandir, (const char *a, void *b, void *c, void *d), (a, b, c, d), a, "
    "1)\n"
    "int __wrap_vfork(void);\n"
    "int __wrap_vfork(void) { rb_ask(\"vfork\", \"\", 0); return __real_fork(); }\n"
    "long __real_syscall(long n, long a, long b, long c, long d, long e, long f);\n"
    "long __wrap_syscall(long n, long a, long b, long c, long d, long e, long f);\n"
    "long __wrap_syscall(long n, long a, long b, long c, long d, long e, long f) {\n"
    "    rb_ask(\"syscall\", \"\", 0); return __real_syscall(n, a, b, c, d, e, f); }\n"
    "#define RB_EXECL(name, real) \\\n"
    "    int __wrap_##name(const char *a, ...); \\\n"
    "    int __wrap_##name(const char *a, ...) { \\\n"
    "        char *v[256]; int n = 0; va_list l; rb_ask(#name, a, 0); va_start(l, a); "
    "\\\n"
    "        while (n < 255 && (v[n] = va_arg(l, char *))) n++; \\\n"
    "        v[n] = 0; va_end(l); return real(a, v); }\n"
    "RB_EXECL(execl, __real_execv)\nRB_EXECL(execlp, __real_execvp)\n"
    "RB_GUARD(FILE *, fopen, (const char *a, const char *m), (a, m), a, RB_PLAIN(m))\n"
    "RB_GUARD(FILE *, fopen64, (const char *a, const char *m), (a, m), a, RB_PLAIN(m))\n"
    "RB_GUARD(FILE *, freopen, (const char *a, const char *m, FILE *f), (a, m, f), a, "
    "RB_PLAIN(m))\n"
    "int __real_open(const char *a, int flags, ...);\n"
    "int __wrap_open(const char *a, int flags, ...) {\n"
    "    va_list v; va_start(v, flags);\n"
    "    mode_t mode = flags & O_CREAT ? va_arg(v, mode_t) : 0;\n    va_end(v);\n"
    "    rb_ask(\"open\", a, (flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | "
    "O_TRUNC)));\n"
    "    return __real_open(a, flags, mode);\n}\n"
    "int __real_openat(int d, const char *a, int flags, ...);\n"
    "int __wrap_openat(int d, const char *a, int flags, ...) {\n"
    "    va_list v; va_start(v, flags);\n"
    "    mode_t mode = flags & O_CREAT ? va_arg(v, mode_t) : 0;\n    va_end(v);\n"
    "    rb_ask(\"openat\", a, a && a[0] == '/' && (flags & O_ACCMODE) == O_RDONLY && "
    "!(flags & "
    "(O_CREAT | O_TRUNC)));\n"
    "    return __real_openat(d, a, flags, mode);\n}\n";

#define WRAP(name) "-Wl,--wrap=" #name
const char *const guard_flags[] = {WRAP(system),       WRAP(popen),
                                   WRAP(remove),       WRAP(unlink),
                                   WRAP(rmdir),        WRAP(rename),
                                   WRAP(link),         WRAP(symlink),
                                   WRAP(mkdir),        WRAP(chmod),
                                   WRAP(creat),        WRAP(truncate),
                                   WRAP(chdir),        WRAP(putenv),
                                   WRAP(setenv),       WRAP(getenv),
                                   WRAP(unsetenv),     WRAP(opendir),
                                   WRAP(tmpnam),       WRAP(tmpfile),
                                   WRAP(fork),         WRAP(mkstemp),
                                   WRAP(execv),        WRAP(execvp),
                                   WRAP(execve),       WRAP(socket),
                                   WRAP(dlopen),       WRAP(fopen),
                                   WRAP(fopen64),      WRAP(freopen),
                                   WRAP(open),         WRAP(openat),
                                   WRAP(dlsym),        WRAP(posix_spawn),
                                   WRAP(posix_spawnp), WRAP(wordexp),
                                   WRAP(unlinkat),     WRAP(renameat),
                                   WRAP(mkdirat),      WRAP(chown),
                                   WRAP(mkfifo),       WRAP(mkdtemp),
                                   WRAP(clearenv),     WRAP(secure_getenv),
                                   WRAP(scandir),      WRAP(vfork),
                                   WRAP(syscall),      WRAP(execl),
                                   WRAP(execlp),       NULL};

/* The folder of a file, or the outermost one around it that is a package. Ends with a slash. */
static bool home_of(const char *source, char *home) {
    char  work[PATH_MAX + 16];
    char *slash;
    if (!realpath(source, home) || !(slash = strrchr(home, '/'))) return false;
    slash[1] = 0;
    for (int depth = 0; depth < 64; depth++) {
        snprintf(work, sizeof work, "%spackage.mo", home);
        size_t n = strlen(home);
        if (access(work, F_OK) != 0 || n < 2) break;
        memcpy(work, home, n);
        work[n - 1] = 0;
        slash = strrchr(work, '/');
        slash[1] = 0;
        char outer[PATH_MAX + 32];
        snprintf(outer, sizeof outer, "%spackage.mo", work);
        if (access(outer, F_OK) != 0) break;
        memcpy(home, work, strlen(work) + 1);
    }
    return true;
}

bool guard_below(const char *source, const char *path) {
    char home[PATH_MAX], full[PATH_MAX];
    if (!path || !realpath(path, full) || !home_of(source, home)) return false;
    return strncmp(full, home, strlen(home)) == 0;
}
