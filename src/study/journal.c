/* SPDX-License-Identifier: Apache-2.0 */
/* journal.c -- finished cases on disk, as they finish.
 *
 * A file that is only appended to: a head with the key of the study, then records in the order in which
 * cases ended. Each begins with its size and ends with a sum over its bytes, so that one cut short by a
 * kill is recognised and cut off. The key covers the program, all values and all options: a journal of
 * another study is not gone on with. Without a file records are kept in memory. */
#define _POSIX_C_SOURCE 200809L
#include "study/study.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MARK = 0x63617365 }; /* "case" */

typedef struct JournalHead {
    char     magic[16];
    uint64_t key;
    int64_t  cases;
} JournalHead;

static const char magic[16] = "rubato study 1\n";

void record_pack(Text *out, const RecordHead *head, const double *value,
                 const Text *courses, const char *words) {
    static const char zeros[8] = "";
    RecordHead        h = *head;
    size_t            begin = out->length;
    h.mark = MARK;
    text_bytes(out, (const char *)&h, sizeof h);
    text_bytes(out, (const char *)value, sizeof(double) * h.values);
    text_bytes(out, text_get(courses), courses->length);
    text_bytes(out, words, h.words);
    text_bytes(out, zeros, (8 - h.words % 8) % 8);
    if (out->failed) return;
    uint64_t sum = hash_bytes(out->data + begin, out->length - begin);
    text_bytes(out, (const char *)&sum, sizeof sum);
}

size_t record_size(const RbStudy *study, const RecordHead *h) {
    return sizeof *h +
           sizeof(double) *
               (h->values + (size_t)h->points * ((size_t)study->courses.count + 1)) +
           (h->words + 7) / 8 * 8 + sizeof(uint64_t);
}

static bool head_fits(const RbStudy *study, const RecordHead *h) {
    return h->mark == MARK && h->number >= 0 && h->number < cases_count(&study->plan) &&
           h->status >= RB_OK && h->status <= RB_DEFECT &&
           h->values == (uint32_t)study->keeps.keeps && h->words < 4096 &&
           h->points >= 0 && h->points < ((int64_t)1 << 40);
}

bool record_open_bytes(const RbStudy *study, const char *bytes, size_t count,
                       CaseRecord *record) {
    RecordHead *h = &record->head;
    uint64_t    sum;
    if (count < sizeof *h) return false;
    memcpy(h, bytes, sizeof *h);
    if (!head_fits(study, h) || record_size(study, h) != count) return false;
    memcpy(&sum, bytes + count - sizeof sum, sizeof sum);
    if (sum != hash_bytes(bytes, count - sizeof sum)) return false;
    record->value = (const double *)(const void *)(bytes + sizeof *h);
    record->course = record->value + h->values;
    record->words =
        (const char *)(record->course +
                       (size_t)h->points * ((size_t)study->courses.count + 1));
    return true;
}

static void know(RbStudy *study, const CaseRecord *record, int64_t at) {
    long     number = (long)record->head.number;
    Outcome *o = &study->outcome[number];
    if (o->status == OPEN) {
        study->done++;
        study->failed += record->head.status > RB_END;
    }
    *o = (Outcome){record->head.status, at};
    memcpy(study->value + (size_t)number * (size_t)study->keeps.keeps, record->value,
           sizeof(double) * (size_t)study->keeps.keeps);
}

/* A message of share.c. */
static bool post(RbStudy *study, const char *bytes, size_t count) {
    const size_t all = count + 1;
    text_bytes(&study->outbox, (const char *)&all, sizeof all);
    text_char(&study->outbox, 'r');
    text_bytes(&study->outbox, bytes, count);
    study->broken |= study->outbox.failed;
    return !study->broken;
}

bool journal_add(RbStudy *study, const char *bytes, size_t count) {
    CaseRecord record;
    if (study->follows) return post(study, bytes, count);
    if (!record_open_bytes(study, bytes, count, &record)) return false;
    if (study->outcome[record.head.number].status != OPEN) return true;
    if (!study->journal) {
        text_bytes(&study->memory_journal, bytes, count);
        study->broken |= study->memory_journal.failed;
    } else if (fwrite(bytes, 1, count, study->journal) != count ||
               fflush(study->journal) != 0) {
        study->why = errno;
        study->broken = true;
    }
    if (study->broken) return false;
    know(study, &record, study->end);
    study->end += (int64_t)count;
    return true;
}

RbStatus study_broken(const RbStudy *study, RbError *error) {
    if (!study->why) return error_set(error, RB_NO_MEMORY, "there is no memory");
    return error_set(error, RB_FILE, "'%s' cannot be written: %s", text_get(&study->path),
                     strerror(study->why));
}

static bool read_at(RbStudy *study, int64_t at, void *to, size_t bytes) {
    if (!study->journal) {
        const Text *t = &study->memory_journal;
        if ((size_t)at + bytes > t->length) return false;
        memcpy(to, t->data + at, bytes);
        return true;
    }
    return pread(fileno(study->journal), to, bytes, (off_t)at) == (ssize_t)bytes;
}

/* The record that begins at a place; false: there is no whole one. */
static bool read_record(RbStudy *study, int64_t at, Text *room, CaseRecord *record) {
    RecordHead h;
    if (!read_at(study, at, &h, sizeof h) || !head_fits(study, &h)) return false;
    size_t bytes = record_size(study, &h);
    if (room->capacity < bytes + 1) {
        char *more = mem_resize(room->data, bytes + 1);
        if (!more) return false;
        room->data = more;
        room->capacity = bytes + 1;
    }
    return read_at(study, at, room->data, bytes) &&
           record_open_bytes(study, room->data, bytes, record);
}

bool journal_read(RbStudy *study, long number, Text *room, CaseRecord *record) {
    const Outcome *o = &study->outcome[number];
    return o->status != OPEN && read_record(study, o->at, room, record);
}

/* Everything up to the first record that is not whole; the rest is cut off. */
static bool read_all(RbStudy *study) {
    Text       room = {0};
    CaseRecord record;
    study->end = sizeof(JournalHead);
    while (read_record(study, study->end, &room, &record)) {
        know(study, &record, study->end);
        study->end += (int64_t)record_size(study, &record.head);
    }
    text_free(&room);
    return ftruncate(fileno(study->journal), (off_t)study->end) == 0 &&
           fseek(study->journal, 0, SEEK_END) == 0;
}

static RbStatus begin(RbStudy *study, RbError *error) {
    JournalHead head = {.key = study->key, .cases = cases_count(&study->plan)};
    memcpy(head.magic, magic, sizeof magic);
    if (fwrite(&head, sizeof head, 1, study->journal) == 1 &&
        fflush(study->journal) == 0) {
        study->end = sizeof head;
        return RB_OK;
    }
    return error_set(error, RB_FILE, "cannot write '%s': %s", text_get(&study->path),
                     strerror(errno));
}

RbStatus rb_study_journal(RbStudy *study, const char *file, bool resume, RbError *error) {
    JournalHead head;
    struct stat info;
    journal_close(study);
    text_clear(&study->path);
    text_add(&study->path, file);
    bool there = resume && stat(file, &info) == 0;
    study->journal = fopen(file, there ? "r+b" : "w+b");
    if (!study->journal || study->path.failed)
        return error_set(error, RB_FILE, "cannot write '%s': %s", file, strerror(errno));
    if (!there) return begin(study, error);
    size_t n = fread(&head, 1, sizeof head, study->journal);
    if (n < sizeof head) { /* killed while it was made */
        rewind(study->journal);
        if (ftruncate(fileno(study->journal), 0) == 0) return begin(study, error);
    } else if (memcmp(head.magic, magic, sizeof magic) != 0)
        return error_set(error, RB_FILE, "'%s' is no journal of a study", file);
    else if (head.key != study->key || head.cases != cases_count(&study->plan))
        return error_set(
            error, RB_ARGUMENT,
            "'%s' belongs to another study: the model, its values or options "
            "were different",
            file);
    else if (read_all(study)) return RB_OK;
    return error_set(error, RB_FILE, "cannot write '%s': %s", file, strerror(errno));
}

void journal_close(RbStudy *study) {
    if (study->journal) fclose(study->journal);
    study->journal = NULL;
}
