/* SPDX-License-Identifier: Apache-2.0 */
/* link.c -- RbLink over MPI: a shared object of its own, loaded by the command when it was started by
 * mpirun, so that nothing else depends on MPI. All calls come from one thread; messages are whole blocks
 * of bytes. */
#include "rubato.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Link {
    RbLink public;
    char        *bytes; /* of the last message */
    size_t       room;
    MPI_Request *request; /* of the exchange under way */
    int          requests, request_room;
} Link;

enum { TAG = 7, TAG_SWAP = 8, PIECE = 1 << 30 };

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

static bool swap(RbLink *link, const RbSwap *with, int count) {
    Link *own = (Link *)link;
    own->requests = 0;
    if (2 * count > own->request_room) {
        MPI_Request *more = realloc(own->request, 2 * (size_t)count * sizeof *more);
        if (!more) return false;
        own->request = more;
        own->request_room = 2 * count;
    }
    for (int k = 0; k < count; k++) {
        const RbSwap *w = &with[k];
        if (w->ins >= PIECE || w->outs >= PIECE) return false;
        if (w->ins &&
            MPI_Irecv(w->in, (int)w->ins, MPI_DOUBLE, w->peer, TAG_SWAP, MPI_COMM_WORLD,
                      &own->request[own->requests++]) != MPI_SUCCESS)
            return false;
        if (w->outs &&
            MPI_Isend(w->out, (int)w->outs, MPI_DOUBLE, w->peer, TAG_SWAP, MPI_COMM_WORLD,
                      &own->request[own->requests++]) != MPI_SUCCESS)
            return false;
        link->sent += (double)(w->outs * sizeof(double));
        link->received += (double)(w->ins * sizeof(double));
    }
    return true;
}

static bool swapped(RbLink *link) {
    Link     *own = (Link *)link;
    const int n = own->requests;
    own->requests = 0;
    return MPI_Waitall(n, own->request, MPI_STATUSES_IGNORE) == MPI_SUCCESS;
}

/* One process reduces and tells the others, so that all have the same bits. */
static bool reduce(RbLink *link, MPI_Op how, double *value, int count) {
    link->reduced_bytes += (double)count * sizeof(double);
    return MPI_Reduce(link->rank ? value : MPI_IN_PLACE, value, count, MPI_DOUBLE, how, 0,
                      MPI_COMM_WORLD) == MPI_SUCCESS &&
           MPI_Bcast(value, count, MPI_DOUBLE, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static bool sum(RbLink *link, double *value, int count) {
    return reduce(link, MPI_SUM, value, count);
}

static bool most(RbLink *link, double *value, int count) {
    return reduce(link, MPI_MAX, value, count);
}

/* METIS as its manual describes it (version 5, numbers of 32 bits), where it is installed. */
typedef int32_t Metis;
typedef int     Partition(Metis *nodes, Metis *weights, Metis *start, Metis *to,
                          Metis *weight, Metis *size, Metis *edge, Metis *parts, float *share,
                          float *balance, Metis *options, Metis *cut, Metis *part);

static bool cut(RbLink *link, int nodes, const int *start, const int *to, int *part) {
    void      *library = dlopen("libmetis.so.5", RTLD_NOW | RTLD_LOCAL);
    Metis      n = nodes, one = 1, parts = link->size, found;
    Partition *partition;
    *(void **)&partition = library ? dlsym(library, "METIS_PartGraphKway") : NULL;
    bool fine = partition && sizeof(Metis) == sizeof *part &&
                partition(&n, &one, (Metis *)start, (Metis *)to, NULL, NULL, NULL, &parts,
                          NULL, NULL, NULL, &found, part) == 1;
    if (library) dlclose(library);
    return fine;
}

static void end(RbLink *link) {
    Link *own = (Link *)link;
    MPI_Finalize();
    free(own->request);
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
                           .swap = swap,
                           .swapped = swapped,
                           .sum = sum,
                           .most = most,
                           .cut = cut,
                           .end = end};
    MPI_Comm_rank(MPI_COMM_WORLD, &own->public.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &own->public.size);
    return &own->public;
}
