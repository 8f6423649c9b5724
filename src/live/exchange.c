/* SPDX-License-Identifier: Apache-2.0 */
/* exchange.c -- top-level inputs and outputs at ticks: shared memory, or UDP on this machine.
 *
 *     shm:NAME         the object /NAME: a block of inputs, then one of outputs
 *     udp:FROM:TO      packets of inputs come to port FROM of 127.0.0.1, packets of outputs go to TO
 *
 * A block and a packet have the same layout, in the order of bytes of the machine:
 *     0   4 bytes   "RBX1"
 *     4   uint32    number of values n
 *     8   uint64    sequence
 *     16  double    simulated time; of inputs not used
 *     24  n double  values of the scalars in the order of declaration
 * A sequence counts packets from 1. In shared memory it counts twice for each change and is odd while a
 * block is written, so that a reader who finds it odd or changed reads again.
 *
 * At a tick the newest inputs are taken before anything is computed; if there are none, the last values
 * hold. Outputs are given when the tick is over. Nothing waits for the other side. Counted are blocks taken,
 * those whose place in the sequence was passed over, and ticks that had to hold. */
#define _DEFAULT_SOURCE
#include "live/tick.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TRIES = 100 }; /* to read a block while another process writes it */

typedef struct Block {
    char     name[4];
    uint32_t count;
    uint64_t sequence;
    double   time;
    double   value[];
} Block;

struct Exchange {
    Instance *instance;
    int      *in, *out; /* variables */
    int       ins, outs;
    Block    *packet; /* what is read or sent */
    Block    *block; /* of shared memory: inputs, and after them outputs; NULL: sockets */
    size_t    bytes; /* of shared memory */
    Text      name;
    int       receiver, sender; /* sockets, -1: none */
    ExchangeCounts counts;
    uint64_t       last; /* sequence of the last inputs */
};

static size_t size_of(int count) {
    return sizeof(Block) + (size_t)count * sizeof(double);
}

static bool is_block(const Block *b, size_t bytes, int count) {
    return bytes == size_of(count) && memcmp(b->name, "RBX1", 4) == 0 &&
           b->count == (uint32_t)count;
}

/* ---- inputs --------------------------------------------------------------------------------------- */

static void accept_block(Exchange *e, const Block *b, uint64_t step) {
    if (b->sequence <= e->last) return;
    if (e->last) e->counts.lost += (long)((b->sequence - e->last) / step) - 1;
    e->last = b->sequence;
    e->counts.received++;
    for (int k = 0; k < e->ins; k++) instance_put(e->instance, e->in[k], b->value[k]);
}

static void take_packets(Exchange *e) {
    for (;;) {
        ssize_t n =
            recv(e->receiver, e->packet, size_of(e->ins), MSG_DONTWAIT | MSG_TRUNC);
        if (n < 0) return;
        if (is_block(e->packet, (size_t)n, e->ins)) accept_block(e, e->packet, 1);
        else e->counts.refused++;
    }
}

static uint64_t sequence_of(Block *b) {
    return __atomic_load_n(&b->sequence, __ATOMIC_ACQUIRE);
}

static void take_memory(Exchange *e) {
    for (int tries = 0; tries < TRIES; tries++) {
        uint64_t before = sequence_of(e->block);
        if (before % 2) continue;
        memcpy(e->packet, e->block, size_of(e->ins));
        atomic_thread_fence(memory_order_acquire);
        if (sequence_of(e->block) != before) continue;
        e->packet->sequence = before;
        if (before && is_block(e->packet, size_of(e->ins), e->ins))
            accept_block(e, e->packet, 2);
        return;
    }
}

void exchange_take(Exchange *e) {
    uint64_t before = e->last;
    if (!e->ins) return;
    if (e->block) take_memory(e);
    else take_packets(e);
    if (e->last == before) e->counts.held++;
}

/* ---- outputs ------------------------------------------------------------------------------------ */

static void fill(Exchange *e, Block *b, double t) {
    memcpy(b->name, "RBX1", 4);
    b->count = (uint32_t)e->outs;
    b->time = t;
    for (int k = 0; k < e->outs; k++)
        b->value[k] = instance_value(e->instance, e->out[k]);
}

void exchange_give(Exchange *e, double t) {
    e->counts.sent++;
    if (e->block) {
        Block   *to = (Block *)((char *)e->block + size_of(e->ins));
        uint64_t sequence = 2 * (uint64_t)e->counts.sent;
        __atomic_store_n(&to->sequence, sequence - 1, __ATOMIC_RELEASE);
        atomic_thread_fence(memory_order_seq_cst);
        fill(e, to, t);
        __atomic_store_n(&to->sequence, sequence, __ATOMIC_RELEASE);
    } else {
        fill(e, e->packet, t);
        e->packet->sequence = (uint64_t)e->counts.sent;
        if (send(e->sender, e->packet, size_of(e->outs), MSG_DONTWAIT) < 0)
            e->counts.unsent++; /* nobody listens yet */
    }
}

ExchangeCounts exchange_counts(const Exchange *e) {
    return e->counts;
}

/* ---- opening and closing ------------------------------------------------------------------------- */

static bool complain(Text *why, const char *what, const char *where) {
    text_printf(why, "%s '%s': %s", what, where, strerror(errno));
    return false;
}

static bool open_memory(Exchange *e, const char *name, Text *why) {
    text_printf(&e->name, "/%s", name);
    e->bytes = size_of(e->ins) + size_of(e->outs);
    int file = shm_open(text_get(&e->name), O_RDWR | O_CREAT, 0600);
    if (file < 0) return complain(why, "cannot open shared memory", name);
    if (ftruncate(file, (off_t)e->bytes) == 0) {
        void *at = mmap(NULL, e->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (at != MAP_FAILED) e->block = at;
    }
    bool fine = e->block || complain(why, "cannot map shared memory", name);
    close(file);
    return fine;
}

static int open_socket(int port, bool listens) {
    struct sockaddr_in     at = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int                    s = socket(AF_INET, SOCK_DGRAM, 0);
    const struct sockaddr *address = (const struct sockaddr *)&at;
    if (s < 0) return -1;
    if ((listens ? bind(s, address, sizeof at) : connect(s, address, sizeof at)) == 0)
        return s;
    close(s);
    return -1;
}

static bool open_sockets(Exchange *e, const char *ports, Text *why) {
    char *end;
    long from = strtol(ports, &end, 10), to = *end == ':' ? strtol(end + 1, &end, 10) : 0;
    if (*end || from < 1 || from > 65535 || to < 1 || to > 65535) {
        text_printf(why, "'udp:%s' does not have two ports from 1 to 65535", ports);
        return false;
    }
    e->receiver = open_socket((int)from, true);
    if (e->receiver < 0) return complain(why, "cannot listen to port", ports);
    e->sender = open_socket((int)to, false);
    return e->sender >= 0 || complain(why, "cannot send to port", ports);
}

static void list_variables(Exchange *e) {
    const Variables *all = &e->instance->program->variables;
    for (int r = 0; r < all->runs; r++) {
        const VarRun *run = &all->run[r];
        bool          number = run->type != TYPE_STRING;
        for (int k = 0; number && k < run->count; k++) {
            if (run->kind == VAR_INPUT) e->in[e->ins++] = run->first + k;
            else if (run->flags & VAR_OUTPUT) e->out[e->outs++] = run->first + k;
        }
    }
}

Exchange *exchange_new(Instance *instance, const char *where, Text *why) {
    size_t    vars = (size_t)instance->program->variables.vars;
    Exchange *e = mem_take(1, sizeof *e);
    if (!e) return NULL;
    *e = (Exchange){.instance = instance, .receiver = -1, .sender = -1};
    e->in = mem_take(vars, sizeof *e->in);
    e->out = mem_take(vars, sizeof *e->out);
    if (e->in && e->out) list_variables(e);
    e->packet = mem_take(1, size_of(e->ins > e->outs ? e->ins : e->outs));
    bool fine = e->in && e->out && e->packet;
    if (fine && strncmp(where, "shm:", 4) == 0 && where[4] && !strchr(where + 4, '/'))
        fine = open_memory(e, where + 4, why);
    else if (fine && strncmp(where, "udp:", 4) == 0)
        fine = open_sockets(e, where + 4, why);
    else if (fine) {
        text_printf(why, "'%s' is neither shm:NAME nor udp:PORT:PORT", where);
        fine = false;
    }
    if (fine) return e;
    exchange_free(e);
    return NULL;
}

void exchange_free(Exchange *e) {
    if (!e) return;
    if (e->block) munmap(e->block, e->bytes);
    if (e->receiver >= 0) close(e->receiver);
    if (e->sender >= 0) close(e->sender);
    text_free(&e->name);
    MEM_FREE(e->in, e->out, e->packet, e);
}
