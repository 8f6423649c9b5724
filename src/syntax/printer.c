/* SPDX-License-Identifier: Apache-2.0 */
/* printer.c -- layout: line breaks, indentation and comments of formatted text.
 *
 * Line-level items (declarations, equations, keywords of sections) get lines of their own.
 * Inside an item a line break stays where the author put one and no others are made, so
 * tables keep their rows and a second run changes nothing. One blank line at most is kept
 * between items. Comments are printed before the first token that followed them. */
#include "syntax/printer.h"

#include <string.h>

const char *source_from(const Printer *f, Pos pos) {
    const Source *source = source_at(&f->session->sources, pos);
    return source->text + (pos - source->base);
}

/* Line breaks of the source between two positions. */
static int breaks_between(const Printer *f, Pos from, Pos to) {
    int n = 0;
    if (!from || from >= to) return 0;
    const char *c = source_from(f, from), *end = c + (to - from);
    while ((c = memchr(c, '\n', (size_t)(end - c)))) {
        n++;
        c++;
    }
    return n;
}

static void new_line(Printer *f, int level) {
    text_char(f->out, '\n');
    for (int i = 0; i < level; i++) text_add(f->out, "  ");
    f->must_break = false;
}

static void blank_line(Printer *f, Pos pos) {
    if (breaks_between(f, f->last, pos) > 1) text_char(f->out, '\n');
}

void print(Printer *f, const char *text) {
    if (f->must_break) new_line(f, f->indent + (f->nest ? f->nest : 1));
    text_add(f->out, text);
}

void print_token(Printer *f, Pos pos, const char *text, size_t length) {
    if (f->must_break) new_line(f, f->indent + (f->nest ? f->nest : 1));
    text_bytes(f->out, text, length);
    f->last = pos + (Pos)length;
}

void print_name(Printer *f, Pos pos, Str name) {
    print_token(f, pos, name_of(f->session, name),
                str_length(&f->session->strings, name));
}

void print_source(Printer *f, Pos pos, size_t length) {
    print_token(f, pos, source_from(f, pos), length);
}

static bool pending(const Printer *f, Pos pos, Remark *remark) {
    if (!f->file || f->remark >= f->file->remarks) return false;
    *remark = f->file->remark[f->remark];
    return remark->pos < pos;
}

static void print_remark(Printer *f, Remark remark) {
    const char *text = source_from(f, remark.pos);
    text_bytes(f->out, text, remark.length);
    f->must_break = text[1] == '/';
    f->last = remark.pos + remark.length;
    f->remark++;
}

void print_gap(Printer *f, Pos pos, const char *space) {
    Remark remark;
    int    level = f->indent + (f->nest ? f->nest : 1);
    if (!f->file) {
        text_add(f->out, space);
        return;
    }
    while (pending(f, pos, &remark)) {
        if (f->must_break || breaks_between(f, f->last, remark.pos)) new_line(f, level);
        else text_char(f->out, ' ');
        print_remark(f, remark);
        space = " ";
    }
    if (f->must_break || breaks_between(f, f->last, pos)) new_line(f, level);
    else text_add(f->out, space);
    if (f->last < pos) f->last = pos;
}

static bool at_start(const Printer *f) {
    return f->out->length == 0;
}

void print_remarks(Printer *f, Pos pos) {
    Remark remark;
    while (pending(f, pos, &remark)) {
        bool own_line = f->must_break || breaks_between(f, f->last, remark.pos);
        if (own_line && !at_start(f)) {
            blank_line(f, remark.pos);
            new_line(f, f->indent);
        } else if (!at_start(f)) {
            text_char(f->out, ' ');
        }
        print_remark(f, remark);
    }
}

void print_line(Printer *f, Pos pos) {
    print_remarks(f, pos);
    if (!at_start(f)) {
        blank_line(f, pos);
        new_line(f, f->indent);
    }
    f->last = pos;
}

void print_end(Printer *f) {
    print_remarks(f, UINT32_MAX);
    text_char(f->out, '\n');
}
