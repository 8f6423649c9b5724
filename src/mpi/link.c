/* SPDX-License-Identifier: Apache-2.0 */
/* link.c -- RbLink over MPI: a shared object of its own, loaded by the command when it was started by
 * mpirun, so that nothing else depends on MPI. All calls come from one thread; messages are whole blocks
 * of bytes. */
#include "rubato.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

typedef struct Link {
    RbLink public;
    char  *bytes; /* of the last message */
    size_t room;
} Link;

enum { TAG = 7, PIECE = 1 << 30 };

static bool broadcast(RbLink *link, int from, void *bytes, size_t count) {
    for (size_t at = 0; at < count; at += PIECE) {
        size_t n = count - at < PIECE ? count - at : PIECE;
        if (MPI_Bcast((char *)bytes + at, (int)n, MPI_BYTE, from, MPI_COMM_WORLD) !=
            MPI_SUCCESS)
            return false;
    }
    link->broadcast_bytes += (double)count;
    return true;
}

static bool least(RbLink *link, int64_t *value) {
    int64_t own = *value;
    link->reduced_bytes += (double)sizeof own;
    return MPI_Allreduce(&own, value, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD) ==
           MPI_SUCCESS;
}

static bool send_bytes(RbLink *link, int to, const void *bytes, size_t count) {
    if (count >= PIECE) return false;
    link->sent += (double)count;
    return MPI_Send(bytes, (int)count, MPI_BYTE, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static int receive(RbLink *link, int *from, const void **bytes, size_t *count) {
    Link      *own = (Link *)link;
    MPI_Status status;
    int        there = 0, n = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS)
        return -1;
    if (!there) return 0;
    MPI_Get_count(&status, MPI_BYTE, &n);
    if ((size_t)n + 1 > own->room) {
        char *more = realloc(own->bytes, (size_t)n + 1);
        if (!more) return -1;
        own->bytes = more;
        own->room = (size_t)n + 1;
    }
    if (MPI_Recv(own->bytes, n, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return -1;
    link->received += (double)n;
    *from = status.MPI_SOURCE;
    *bytes = own->bytes;
    *count = (size_t)n;
    return 1;
}

static void end(RbLink *link) {
    Link *own = (Link *)link;
    MPI_Finalize();
    free(own->bytes);
    free(own);
}

/* No header declares it: cli/ranks.c looks for its name. */
RB_API RbLink *rubato_mpi_link(void);

/* The link of this process; NULL: there is none. */
RbLink *rubato_mpi_link(void) {
    int   given;
    Link *own = calloc(1, sizeof *own);
    if (!own || MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS) {
        free(own);
        return NULL;
    }
    own->public = (RbLink){.broadcast = broadcast,
                           .least = least,
                           .send = send_bytes,
                           .receive = receive,
                           .end = end};
    MPI_Comm_rank(MPI_COMM_WORLD, &own->public.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &own->public.size);
    return &own->public;
}
