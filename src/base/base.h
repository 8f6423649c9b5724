/* SPDX-License-Identifier: Apache-2.0 */
/* base.h -- what every other folder stands on.
 *
 *   memory.c   blocks that belong to a domain; calls that end where memory does
 *   arena.c    memory taken piece by piece, released at once
 *   number.c   numbers as text in any locale
 *   text.c     a growing character buffer
 *   strings.c  interned names: equal text, equal number
 *   map.c      integer -> integer hash map
 *   sets.c     disjoint sets of integers
 *   rows.c     compressed rows; orders for qsort
 *   source.c   loaded files and the one number that names a place in them
 *   suggest.c  "did you mean"
 *   diag.c     messages to the user
 *   builtin.h  built-in functions, for the translator and for generated text
 *
 * But for the domain that runs (memory.c) nothing here has file-scope state: every function
 * works on what it is given, so that many models can live in one process. */
#ifndef RUBATO_BASE_H
#define RUBATO_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* ---- memory.c ------------------------------------------------------------------ */

typedef struct Memory Memory; /* a domain: the blocks taken in calls under it */

Memory *memory_new(void);    /* NULL: no memory                                         */
void memory_free(Memory *m); /* releases what is still in it; NULL is allowed           */
/* Runs call with m as the domain of this thread; calls under different domains nest. False:
 * memory ran out inside, and everything in the domain has been released. */
bool memory_call(Memory *m, void (*call)(void *context), void *context);

/* Within memory_call these never return without memory; outside of it they return NULL then, and
 * their blocks belong to nobody. Blocks are aligned for any type. */
void *mem_take(size_t n, size_t size); /* n + 1 zeroed items: a block also for none   */
void *mem_resize(void *block, size_t bytes); /* like realloc; keeps its domain        */
char *mem_string(const char *text);          /* a copy                                */
void  mem_free(void *block);                 /* NULL is allowed                       */
void  mem_free_list(void *const *block, int n);
#define MEM_FREE(...) /* several blocks */                                               \
    mem_free_list((void *const[]){__VA_ARGS__}, LENGTH(((void *[]){__VA_ARGS__})))
void mem_give(void *block); /* it outlives its domain and belongs to nobody          */
/* The block with room for more than *room items, at least `needed`: it grows by a half. */
void *mem_grow(void *block, size_t size, uint32_t *room, uint64_t needed);

static inline void *mem_room(void *block, size_t size, uint32_t *room, uint64_t needed) {
    return needed <= *room ? block : mem_grow(block, size, room, needed);
}

/* A typed block gets room for `needed` items; room is an int or a uint32_t, 0 for none. */
#define GROW(block, room, needed)                                                        \
    ((block) = mem_room((block), sizeof *(block) / (sizeof(room) == 4),                  \
                        (uint32_t *)&(room), (uint64_t)(needed)))
/* A typed block gets room for n items, no more and no less. */
#define RESIZE(block, n) ((block) = mem_resize((block), (size_t)(n) * sizeof *(block)))

/* One block as several arrays: *piece[k] become consecutive parts of n numbers each. Returns what
 * follows them. */
static inline double *mem_cut(double *at, size_t n, double **const *piece, int count) {
    for (int k = 0; k < count; k++, at += n) *piece[k] = at;
    return at;
}
#define CUT(at, n, ...)                                                                  \
    mem_cut((at), (n), (double **const[]){__VA_ARGS__},                                  \
            LENGTH(((double **[]){__VA_ARGS__})))

/* A thing of another library is released with the domain that runs, until disowned. */
void mem_own(void *thing, void (*release)(void *thing));
void mem_disown(void *thing);

/* ---- arena.c ------------------------------------------------------------------- */

typedef struct ArenaChunk ArenaChunk;

typedef struct Arena {      /* a zeroed Arena is ready for use                       */
    ArenaChunk *chunk;      /* newest chunk, linked to the older ones; NULL if none  */
    char       *next, *end; /* free part of the newest chunk                         */
    size_t      used;       /* bytes handed out                                      */
    size_t      reserved;   /* bytes obtained from the system                        */
    bool        sealed;     /* taking from a sealed arena is our own mistake         */
} Arena;

/* size * n zeroed bytes, aligned for any scalar type. */
void *arena_take(Arena *arena, size_t size, size_t n);
/* A larger block that starts with the *capacity items of old; updates *capacity. */
void *arena_grow(Arena *arena, const void *old, size_t size, int *capacity, int needed);
void *arena_copy(Arena *arena, const void *from, size_t bytes);
char *arena_string(Arena *arena, const char *text, size_t length); /* adds the NUL */
char *arena_printf(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
void  arena_free(Arena *arena); /* back to the zeroed state */

typedef struct ArenaMark { /* a moment in the life of an arena */
    ArenaChunk *chunk, *older;
    char       *next;
    size_t      used;
} ArenaMark;

ArenaMark arena_mark(const Arena *arena);
void      arena_back(Arena *arena, ArenaMark mark); /* releases what was taken since */

#define NEW(arena, T, n) ((T *)arena_take((arena), sizeof(T), (size_t)(n)))

/* ---- number.c ------------------------------------------------------------------ */

typedef struct Numbers { /* locales of POSIX; own NULL: nothing was changed */
    void *own, *before;
} Numbers;

/* Until the end this thread reads and writes numbers as C does, whatever the program has set. */
Numbers numbers_begin(void);
void    numbers_end(Numbers plain);
double  number_read(const char *text, char **end); /* strtod of C */

/* ---- real.c --------------------------------------------------------------------- */

enum { REAL_TEXT = 32 };
/* The shortest text that is read back as x, not terminated; its length. */
int real_text(double x, char out[REAL_TEXT]);

/* ---- replace.c ----------------------------------------------------------------- */

/* The content of a file becomes these blocks, or stays what it is: false and errno. */
bool file_replace(const char *path, const void *const *block, const size_t *bytes, int n);

/* ---- text.c -------------------------------------------------------------------- */

typedef struct Text { /* a zeroed Text is the empty text           */
    char  *data;      /* NUL-terminated, or NULL while empty       */
    size_t length;    /* without the NUL                           */
    size_t capacity;  /* bytes allocated                           */
    bool   failed;    /* no memory, and no domain; later additions are lost */
} Text;

/* Is it the first n characters of a word? */
bool text_is(const char *text, const char *word, size_t n);
void text_char(Text *text, char c);
void text_bytes(Text *text, const char *data, size_t length);
void text_add(Text *text, const char *string);
/* Numbers are written as C does, in any locale. */
void        text_printf(Text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void        text_vprintf(Text *text, const char *format, va_list args);
void        text_json(Text *text, const char *data, size_t length); /* quoted, escaped */
const char *text_get(const Text *text);                             /* never NULL      */
void        text_cut(Text *text, size_t length); /* if longer, ends in " ..."      */
void        text_clear(Text *text);              /* keeps capacity  */
void        text_free(Text *text);
void        text_free_list(Text *const *text, int n);
#define TEXT_FREE(...) /* several */                                                     \
    text_free_list((Text *const[]){__VA_ARGS__}, LENGTH(((Text *[]){__VA_ARGS__})))

/* ---- convert.c ------------------------------------------------------------------- */

/* String of Modelica. */
void string_of_real(Text *out, double x, double digits);
void string_of_integer(Text *out, double x);
bool string_of_format(Text *out, double x, const char *format); /* false: no format */
void string_padded(Text *out, const char *value, double width, bool left);

/* ---- strings.c ------------------------------------------------------------------- */

typedef uint32_t Str; /* an interned string; 0 is the empty string */

typedef struct Strings {
    Arena        arena;
    uint32_t    *slot;     /* open addressing: 1 + Str, 0 if free       */
    uint32_t     mask;     /* number of slots - 1, a power of two       */
    uint32_t     count;    /* strings stored, the empty one included    */
    int          capacity; /* room in text, length and hash             */
    const char **text;     /* by Str: NUL-terminated                    */
    uint32_t    *length;   /* by Str                                    */
    uint32_t    *hash;     /* by Str                                    */
} Strings;

void strings_init(Strings *strings);
void strings_free(Strings *strings);
Str  str_intern(Strings *strings, const char *text, size_t length);
Str  str_of(Strings *strings, const char *text);
/* The number of text if it was interned before, else 0. */
Str         str_find(const Strings *strings, const char *text, size_t length);
const char *str_text(const Strings *strings, Str str);
uint32_t    str_length(const Strings *strings, Str str);

/* ---- map.c ----------------------------------------------------------------------- */

typedef struct Map { /* a zeroed Map is empty                         */
    uint64_t *key;   /* by slot; meaningful where used[] is set       */
    int64_t  *value; /* by slot                                       */
    uint8_t  *used;  /* by slot                                       */
    size_t    mask;  /* slots - 1, or 0 before the first insertion    */
    size_t    count; /* entries                                       */
} Map;

bool map_put(Map *map, uint64_t key, int64_t value); /* false: no memory, and no domain */
int64_t  map_get(const Map *map, uint64_t key, int64_t otherwise);
bool     map_has(const Map *map, uint64_t key);
void     map_free(Map *map);
uint64_t hash_mix(uint64_t x); /* spreads all bits     */
uint64_t hash_bytes(const void *data, size_t length);

/* ---- sets.c ---------------------------------------------------------------------- */

/* Disjoint sets of 0 .. n - 1: up[k] leads towards the member that stands for the set of k, and
 * that one to itself. Who fills up himself may leave out numbers, e.g. with -1. */
void set_start(int *up, int n); /* every number is a set of its own                  */
int  set_find(int *up, int k);  /* who stands for the set of k; halves the way       */
/* One set of two; the smaller of those that stood for them stands for it, and is returned. */
int set_join(int *up, int a, int b);

/* ---- rows.c ---------------------------------------------------------------------- */

typedef struct LinkList { /* (row, to) on the way to compressed rows; zeroed: none */
    int *pair;            /* 2 * count                                             */
    int  count, room;     /* pairs; ints in pair                                   */
} LinkList;

typedef struct Links { /* compressed rows                                         */
    int  rows;
    int *start; /* rows + 1: row i has to[start[i]] .. to[start[i + 1] - 1]       */
    int *to;    /* start[rows]                                                    */
} Links;

void links_add(LinkList *list, int row, int to);
void links_drop(LinkList *list);
/* In the order in which pairs were added. arena NULL: blocks of their own, for links_free.
 * turned: `to` becomes the row. */
Links links_of(const LinkList *list, int rows, bool turned, Arena *arena);
/* Who leads to each of 0 .. rows - 1, in ascending order. */
Links links_turned(const Links *links, int rows, Arena *arena);
void  links_sort(Links *links); /* each row ascends, and nothing is there twice */
/* Takes away what a longer path implies, if rows * entries is not above limit: from the rows of a
 * graph in which each row leads to earlier ones only. Returns how many. */
int  links_reduce(Links *links, double limit);
void links_free(Links *links);

/* Orders for qsort. */
int int_ascending(const void *a, const void *b);
int uint_ascending(const void *a, const void *b); /* uint32_t */
int pair_ascending(const void *a, const void *b); /* structs that begin with two ints */
int text_ascending(const void *a, const void *b); /* const char * */
/* By key, then by number. */
typedef struct Ranked {
    int key, number;
} Ranked;
int ranked_ascending(const void *a, const void *b);

/* ---- source.c -------------------------------------------------------------------- */

typedef uint32_t Pos; /* a byte in all text loaded so far; 0 is "no position" */

typedef struct Source {   /* one loaded text                                     */
    const char    *path;  /* as shown to the user                                */
    const char    *text;  /* size bytes and SOURCE_PADDING NULs                  */
    uint32_t       size;  /* bytes                                               */
    Pos            base;  /* position of its first byte                          */
    uint32_t      *line;  /* offset of each line; NULL until first asked for     */
    int            lines; /* entries of line                                     */
    bool           file;  /* it was read from a file                             */
    struct Source *spare; /* of a forgotten one: the next of them              */
    /* of a text that was only declared; text is NULL until a place in it is shown */
    const uint8_t
            *length;  /* lengths of its lines in bytes; 255 continues with the next */
    int      lengths; /* entries of length                                  */
    uint64_t hash;    /* of the text: another one is not shown              */
} Source;

typedef struct SourceStub {     /* a text as a translated model remembers it, see above */
    const char    *path, *text; /* text NULL: to be found in the file              */
    Pos            base;
    uint32_t       size;
    const uint8_t *length;
    int            lengths;
    uint64_t       hash;
} SourceStub;

typedef struct Sources {
    Arena    arena;
    Source **source; /* by ascending base             */
    int      count, capacity;
    Pos      next;  /* base of the next text         */
    Source  *spare; /* forgotten ones, to be used again; NULL */
} Sources;

typedef struct Place {    /* a position as people read it  */
    const Source *source; /* NULL if the position is 0     */
    int           line;   /* from 1                        */
    int           column; /* from 1, in characters         */
    const char   *text;   /* start of the line             */
    int           length; /* its bytes, without the break  */
    int           offset; /* byte of the position in it    */
} Place;

enum { SOURCE_PADDING = 16 };

typedef enum {
    SOURCE_OK,
    SOURCE_UNREADABLE, /* errno says why                               */
    SOURCE_DIRECTORY,  /* a directory where a file is needed           */
    SOURCE_TOO_LARGE,  /* positions would not fit 32 bits              */
    SOURCE_NO_MEMORY   /* outside of a domain                          */
} SourceStatus;

void         sources_init(Sources *sources);
void         sources_free(Sources *sources);
SourceStatus source_load(Sources *sources, const char *path, const Source **result);
/* text is copied */
SourceStatus source_add(Sources *sources, const char *path, const char *text, size_t size,
                        const Source **result);
/* A text that is not here: places in it have lines, and show their text if it is found again. In
 * ascending order of base. False: no memory. */
bool source_declare(Sources *sources, const SourceStub *stub);
/* Appends the lengths of the lines, as in SourceStub. */
void source_lengths(const Source *source, Text *out);
/* Forgets a text; nobody may hold a position in it any more. */
void          source_forget(Sources *sources, const Source *source);
const Source *source_at(const Sources *sources, Pos pos);
Place         source_place(const Sources *sources, Pos pos);
/* Text and line of a position, without what else a Place holds; the line is 0 if unknown. */
int source_line(const Sources *sources, Pos pos, const Source **source);

/* ---- suggest.c --------------------------------------------------------------------- */

/* Collects candidates and keeps the nearest: edit distance with transpositions. */
typedef struct Suggest {
    const char *wanted;
    const char *best;     /* NULL if nothing is near enough */
    int         distance; /* of best                        */
} Suggest;

Suggest suggest_start(const char *wanted);
void    suggest_candidate(Suggest *suggest, const char *name);

/* ---- contracts ------------------------------------------------------------------- */

/* Contracts that cost as much as the pass they belong to: asserted in sanitized builds only. The
 * file that uses it includes <assert.h>. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ASSERT_SLOWLY(holds)      assert(holds)
#define ASSERT_CONTRACT(n, holds) assert(holds)
#else
#define ASSERT_SLOWLY(holds)      ((void)(0 && (holds)))
/* Of n equations: looking at all of them must not be felt in large models. */
#define ASSERT_CONTRACT(n, holds) assert((n) > 20000 || (holds))
#endif

/* ---- diag.c ------------------------------------------------------------------------- */

typedef enum { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE } Severity;

typedef enum {
    CODE_NONE,
#define CODE(id, severity, title, explanation, example) CODE_##id,
#include "base/codes.def"
#undef CODE
    CODE_COUNT
} Code;

typedef struct CodeInfo {
    const char *id;          /* "P101"                                     */
    Severity    severity;    /* of messages with this code                 */
    const char *title;       /* one line                                   */
    const char *explanation; /* what it means and what to do               */
    const char *example;     /* Modelica text that causes it, "" if none   */
} CodeInfo;

typedef struct Message {
    Code        code; /* CODE_NONE for notes                        */
    Severity    severity;
    Pos         pos; /* 0: concerns no place in a text             */
    const char *text;
} Message;

typedef struct Diag { /* the messages of one job, in order                 */
    Arena          arena;
    const Sources *sources; /* to show places                                    */
    Message       *message;
    int            count, capacity;
    int            errors, warnings;
    int            limit; /* errors after which a phase should give up; 0 none */
    bool           muted; /* the last report was a repetition: so are its notes   */
} Diag;

void diag_init(Diag *diag, const Sources *sources);
void diag_free(Diag *diag);
/* Severity comes from the code. Notes belong to the message before them. The same code at
 * the same place is reported once: a class may be looked at for many instances. */
void diag_report(Diag *diag, Pos pos, Code code, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* The same, also if it was reported before. */
void diag_add(Diag *diag, Pos pos, Code code, const char *format, ...) PRINTF_LIKE(4, 5);
void diag_note(Diag *diag, Pos pos, const char *format, ...) PRINTF_LIKE(3, 4);
bool diag_full(const Diag *diag); /* limit reached */
/* Takes back what was said since a copy was made. */
void diag_back(Diag *diag, const Diag *copy);

const CodeInfo *code_info(Code code);
Code            code_find(const char *id); /* CODE_NONE if there is none */

/* Appends messages [first, count) as text for people or as one JSON object a line. */
void diag_print(Text *out, const Diag *diag, int first, bool colour);
void diag_print_json(Text *out, const Diag *diag, int first);

#endif
