/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.c -- was this process started by mpirun or a batch system? Then the link to the others is
 * loaded from librubato_mpi.so, beside the program or where libraries are; without that nothing here
 * needs MPI. */
#define _GNU_SOURCE
#include "cli/simulate.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_started_together(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK",
                                        "MPI_LOCALNRANKS"};
    for (int k = 0; k < LENGTH(names); k++)
        if (getenv(names[k])) return true;
    return false;
}

static void *open_beside(Job *job, const char *folder) {
    char    self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return NULL;
    self[n] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    return dlopen(arena_printf(&job->arena, "%s/%slibrubato_mpi.so", self, folder),
                  RTLD_NOW | RTLD_GLOBAL);
}

bool ranks_link(Job *job, RbLink **link) {
    *link = NULL;
    if (!is_started_together()) return true;
    void *object = open_beside(job, "");
    if (!object) object = open_beside(job, "../lib/");
    if (!object) object = dlopen("librubato_mpi.so", RTLD_NOW | RTLD_GLOBAL);
    RbLink *(*make)(void);
    *(void **)&make = object ? dlsym(object, "rubato_mpi_link") : NULL;
    if (make) *link = make();
    if (*link) return true;
    fprintf(stderr,
            "rubato: started as one of several processes, but librubato_mpi.so is not "
            "here: %s\n",
            object ? "it does not begin" : dlerror());
    return false;
}

RbProgram *ranks_program(Job *job, RbLink *link, RbProgram *program, RbError *error) {
    uint64_t    bytes = 0;
    size_t      own = 0;
    const void *data = program ? rb_program_data(program, &own) : NULL;
    RbSettings  settings = job_settings(job);
    bytes = own;
    if (!link->broadcast(link, 0, &bytes, sizeof bytes) || !bytes) return program;
    void *room =
        program ? (void *)data : mem_take(bytes, 1); /* one that sends it only reads */
    if (room && link->broadcast(link, 0, room, bytes) && !program)
        program = rb_program_of(room, bytes, &settings, error);
    if (room != data) mem_free(room);
    return program;
}
