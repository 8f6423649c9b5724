/* SPDX-License-Identifier: Apache-2.0 */
/* server.h -- private to this folder: what its files share. */
#ifndef RUBATO_LSP_SERVER_H
#define RUBATO_LSP_SERVER_H

#include "lint/lint.h"
#include "lsp/lsp.h"
#include "translate/translate.h"

#include <cjson/cJSON.h>
#include <sys/types.h>

/* ---- wire.c ---- */

typedef struct Channel {
    int    in, out;
    Text   inbox;  /* bytes that came in */
    size_t used;   /* of them that are taken */
    bool   closed; /* nothing more will come */
    bool   broken; /* nothing more can be sent */
} Channel;

/* The next message, NULL if there is none within so many milliseconds (-1: for ever). */
cJSON *wire_receive(Channel *wire, int milliseconds);
bool   wire_waiting(Channel *wire);              /* something has come in */
void   wire_send(Channel *wire, cJSON *message); /* and frees it */
void   wire_close(Channel *wire);
double clock_now(void); /* seconds */

/* ---- place.c ---- */

typedef struct Lines { /* where the lines of a text begin */
    uint32_t *start;   /* count, and the size of the text after them */
    int       count;
} Lines;

typedef struct Point { /* as the protocol counts */
    int line, character;
} Point;

Lines    lines_of(const char *text, size_t size);
void     lines_free(Lines *lines);
uint32_t point_offset(const Lines *lines, const char *text, Point point);
Point    offset_point(const Lines *lines, const char *text, uint32_t offset);
Point    point_read(const cJSON *position);
cJSON   *json_point(Point point);
cJSON   *json_range(Point from, Point to);
/* "file:///a%20b" and a path; false: it is no file. */
bool uri_path(Text *out, const char *uri);
void path_uri(Text *out, const char *path);

/* ---- kept.c ---- */

typedef struct Kept { /* a parsed file */
    struct Kept      *next;
    char             *path;
    const StoredFile *file;
    Arena             tree; /* of the file, its messages and spans */
    Message          *message;
    int               messages;
    Spans             spans; /* made when first asked for */
    Lines             lines;
    int64_t           changed; /* of the file on disk: nanoseconds */
    off_t             size;
    int64_t           version; /* of the open text, -1: from disk */
    int               seen;    /* generation in which it was last found to be valid */
    int               wanted;  /* ... in which a library or the editor wanted it */
} Kept;

typedef struct Document { /* a text the editor has open */
    struct Document *next;
    char            *uri, *path;
    Text             text;
    Lines            lines;
    int64_t  version, number; /* the editor's, and ours: one more at each change */
    uint32_t cursor;          /* byte the editor was last heard of */
    bool     due;             /* messages of this text are not sent yet */
    double   since;           /* when the text changed */
    char    *told;            /* messages that were sent, as text */
} Document;

typedef struct Server {
    const LspSettings *settings;
    Channel            wire;
    Session            session;
    Library            library;
    Foreign            foreign;
    Document          *document;
    Kept              *kept;         /* all files */
    Map                kept_by_path; /* Str of the path -> Kept */
    int                generation;
    int64_t            changes; /* of all texts */
    bool               stale;   /* something has changed since the library was opened */
    bool               open;    /* the library is open */
    Front             *front;   /* for questions; NULL until one is asked */
    const char       **folder;  /* of the workspace */
    int                folders, folder_room;
    Arena              arena;      /* as long as the server */
    Arena              index;      /* classes of the workspace, see symbols.c */
    Map                indexed_of; /* Str of the path -> what is in it */
    bool               initialised, shut, done, failed;
    bool               lint_off;
    const char        *refusal; /* why the request is not answered, NULL */
    bool               whole;   /* messages are sent when all classes were looked at */
    bool               moves;   /* the editor can rename files */
    LintRules          rules;
    int                polls; /* of a running check */
    double             polled;
    bool               interrupted;
    int                ended; /* checks of this text that were interrupted */
} Server;

/* ---- document.c ---- */
Document *document_find(Server *s, const char *uri);
Document *document_at(Server *s, const char *path);
void      document_open(Server *s, const cJSON *params);
void      document_change(Server *s, const cJSON *params);
void      document_close(Server *s, const cJSON *params);
void      document_save(Server *s, const cJSON *params);
void      documents_free(Server *s);
/* The document of a request, which also tells the cursor; NULL if it is not open. */
Document *document_of(Server *s, const cJSON *params);

/* ---- kept.c ---- */
Kept        *kept_get(Server *s, const char *path); /* NULL: reported */
Kept        *kept_of(Server *s, Pos pos);           /* the file a position lies in */
const Spans *kept_spans(Server *s, Kept *kept);
const Lines *kept_lines(Kept *kept);
bool         kept_full(const Server *s); /* there is too much */
void kept_trim(Server *s); /* forgets what was not used lately, if there is too much */
void kept_free(Server *s);
/* The range of the word at a position, and a location in a file. */
cJSON *kept_range(Server *s, Kept *kept, Pos pos);
cJSON *kept_location(Server *s, Pos pos); /* NULL: nowhere */
cJSON *kept_between(Kept *kept, Pos from, Pos to);

/* ---- world.c ---- */
void world_change(Server *s); /* a text has changed */
/* Libraries around the document, valid now. The document's file; NULL if it cannot be parsed. */
Kept  *world_enter(Server *s, const Document *document);
Front *world_front(Server *s); /* for questions */
/* The package that a file lies in, by the folders around it; empty if in none. */
void world_within(Text *out, const char *path);
/* Between two files: if there are too many trees, forgets them all but that of this position. */
void world_spare(Server *s, Pos pos);
void world_free(Server *s);

/* ---- find.c ---- */
typedef struct Spot { /* the name under the cursor */
    Kept                *kept;
    NameUse              use;
    Span                 span;
    Meaning              meaning;
    const IteratorScope *iterators; /* copies that outlive the walk */
    const ClassScope    *in;
    bool                 found; /* a name stands there */
} Spot;
Spot spot_at_cursor(Server *s, const cJSON *params, Arena *arena);
/* The class around a place, NULL outside of all, and the classes around it. */
const ClassScope *find_scope(const StoredFile *file, Pos pos, Arena *arena);
const ClassScope *scope_copy(const ClassScope *in, Arena *arena);

/* ---- search.c ---- */
typedef void PlaceVisit(void *context, Pos pos);
/* Every place of the name at a spot: in all files it may be used in, in its own text. */
void search_files(Server *s, const Spot *spot, bool declaration, PlaceVisit *visit,
                  void *context);
void search_text(Server *s, const Spot *spot, PlaceVisit *visit, void *context);

/* ---- check.c ---- */
void   check_syntax(Server *s, Document *document); /* at once */
void   check_document(Server *s, Document *document);
double check_wait(const Server *s); /* seconds until something is due, < 0: nothing is */
Document *check_due(Server *s);

/* ---- requests: the result, or NULL for null ---- */
/* Of semantic tokens, in this order. */
#define COLOUR_TYPES                                                                     \
    "namespace class struct interface function type enum enumMember parameter variable " \
    "property keyword number string comment operator"
#define COLOUR_MODIFIERS "declaration readonly defaultLibrary"

typedef cJSON *Request(Server *s, const cJSON *params);
Request        request_symbols, request_folding, request_workspace_symbols, request_hover,
    request_definition, request_type_definition, request_references,
    request_prepare_rename, request_rename, request_completion, request_signature,
    request_colours, request_hints, request_actions, request_lens, request_format,
    request_format_range, request_format_typed, request_highlight;

/* ---- helpers ---- */
const char *json_text(const cJSON *object, const char *name); /* NULL if it is none */
double      json_number(const cJSON *object, const char *name, double otherwise);
/* Within the range that the protocol has for whole numbers, whatever was sent. */
int64_t json_whole(const cJSON *object, const char *name, int64_t otherwise);
cJSON  *json_at(const cJSON *object, const char *path); /* "a.b.c"; NULL */
/* Kinds of symbols and of completion items in the protocol. */
typedef struct ClassNumbers { /* what a list of the protocol calls each kind of class */
    int package, function, record, connector, operator_, type, enumeration, other;
} ClassNumbers;
int class_number(const Class *class_, const ClassNumbers *numbers);
int symbol_kind(const Class *class_);
/* Calls visit with each file of the package around a document, or of the workspace. */
typedef void FileVisit(void *context, const char *path);
void         files_each(Server *s, const char *folder, FileVisit *visit, void *context);
/* The outermost folder of the package a file lies in, or its own folder. */
void package_folder(Text *out, const char *path);

#endif
