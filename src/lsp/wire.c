/* SPDX-License-Identifier: Apache-2.0 */
/* wire.c -- messages on two file descriptors: "Content-Length: n", an empty line, n bytes of JSON.
 *
 * Input is read as it comes, so that a check can ask whether there is some without waiting. */
#define _POSIX_C_SOURCE 200809L
#include "lsp/server.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { HEADER_MOST = 1 << 12, MESSAGE_MOST = 1 << 28 }; /* bytes */

double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Takes in what is there after at most so many milliseconds; false: nothing came. */
static bool take_in(Channel *wire, int milliseconds) {
    struct pollfd ask = {.fd = wire->in, .events = POLLIN};
    char          part[65536];
    if (wire->closed) return false;
    int ready = poll(&ask, 1, milliseconds);
    if (ready <= 0) return false;
    ssize_t n = read(wire->in, part, sizeof part);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return false;
    if (n <= 0) wire->closed = true;
    else text_bytes(&wire->inbox, part, (size_t)n);
    return n > 0;
}

static void drop_used(Channel *wire) {
    if (wire->used < 1 << 16 && wire->used < wire->inbox.length) return;
    memmove(wire->inbox.data, wire->inbox.data + wire->used,
            wire->inbox.length - wire->used);
    wire->inbox.length -= wire->used;
    wire->inbox.data[wire->inbox.length] = 0; /* check.c searches the text that is left */
    wire->used = 0;
}

/* Length of the header with its empty line, 0 while it is incomplete; *body: bytes that follow. */
static size_t header(const char *at, size_t size, size_t *body) {
    const char *line = at, *end = at + size;
    *body = 0;
    for (;;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop) return 0;
        size_t n = (size_t)(stop - line) - (stop > line && stop[-1] == '\r');
        if (n == 0) return (size_t)(stop + 1 - at);
        if (n > 15 && strncasecmp(line, "Content-Length:", 15) == 0)
            *body = strtoul(line + 15, NULL, 10);
        line = stop + 1;
    }
}

static cJSON *complete_message(Channel *wire) {
    size_t body, left = wire->inbox.length - wire->used;
    if (!left) return NULL;
    const char *at = wire->inbox.data + wire->used;
    size_t      head = header(at, left, &body);
    if (body > MESSAGE_MOST || (!head && left > HEADER_MOST)) { /* no editor sends that */
        wire->closed = true;
        return NULL;
    }
    if (!head || left < head + body) return NULL;
    cJSON *message = cJSON_ParseWithLength(at + head, body);
    wire->used += head + body;
    drop_used(wire);
    return message ? message : cJSON_CreateNull(); /* not JSON: something is answered */
}

cJSON *wire_receive(Channel *wire, int milliseconds) {
    double until = clock_now() + 1e-3 * milliseconds;
    for (;;) {
        cJSON *message = complete_message(wire);
        if (message || wire->closed) return message;
        int left = milliseconds < 0 ? -1 : (int)(1e3 * (until - clock_now()) + 0.999);
        if (milliseconds >= 0 && left < 0) left = 0;
        if (!take_in(wire, left) && milliseconds >= 0 && clock_now() >= until)
            return NULL;
    }
}

bool wire_waiting(Channel *wire) {
    if (wire->inbox.length > wire->used || wire->closed) return true;
    return take_in(wire, 0) || wire->closed;
}

static bool write_all(int fd, const char *data, size_t size) {
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

void wire_send(Channel *wire, cJSON *message) {
    char *text = cJSON_PrintUnformatted(message);
    Text  out = {0};
    cJSON_Delete(message);
    if (!text) return;
    text_printf(&out, "Content-Length: %zu\r\n\r\n", strlen(text));
    text_add(&out, text);
    if (!wire->broken && !write_all(wire->out, text_get(&out), out.length))
        wire->broken = true;
    text_free(&out);
    cJSON_free(text);
}

void wire_close(Channel *wire) {
    text_free(&wire->inbox);
}
