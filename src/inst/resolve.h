/* SPDX-License-Identifier: Apache-2.0 */
/* resolve.h -- what a name in a text means, for editors and the linter. */
#ifndef RUBATO_RESOLVE_H
#define RUBATO_RESOLVE_H

#include "inst/typed.h"

typedef enum {
    MEANS_NOTHING,
    MEANS_CLASS,     /* cls, elem                                                     */
    MEANS_COMPONENT, /* elem; inst, if it could be made; cls is its class             */
    MEANS_LITERAL,   /* number of cls                                                 */
    MEANS_BUILTIN,   /* function                                                      */
    MEANS_ITERATOR,
    MEANS_ATTRIBUTE, /* of a built-in type: start, unit, ...; cls is what it belongs to */
    MEANS_TIME
} MeaningKind;

typedef struct Meaning {
    uint8_t        kind; /* MeaningKind                                               */
    Str            name;
    Pos            pos; /* of its declaration, 0 if it has none                       */
    Elem          *elem;
    Cls           *cls;
    Inst          *inst;
    const Builtin *function;
    int            number;
} Meaning;

/* Everything here works without messages: lookups that fail give MEANS_NOTHING. */

/* Where names of a file in these classes are looked up, with an instance of the innermost one. */
Scope   resolve_scope(Front *front, const StoredFile *file, const ClassScope *in);
Meaning resolve_use(Front *front, const StoredFile *file, const NameUse *use);
Meaning resolve_class(Front *front, Cls *cls);
/* The first name, and one after a dot. */
Meaning resolve_first(Front *front, Scope scope, const IteratorScope *iterators,
                      Str name);
Meaning resolve_next(Front *front, const Meaning *of, Str name);
/* The class a modification applies to; NULL if it is not known. */
Cls *resolve_modified(Front *front, Scope scope, const ModScope *modifies);
/* The instance that stands for a class while its names are looked at. */
Inst *resolve_instance(Front *front, Cls *cls);

/* Where it is declared first: what redeclares an element goes by the name of the element. */
Pos meaning_origin(Front *front, const Meaning *meaning);

/* Names that can stand after a dot or begin a name, each once, in order of nearness. */
typedef void ResolveVisit(void *context, const Meaning *meaning);
void resolve_members(Front *front, const Meaning *of, ResolveVisit *visit, void *context);
void resolve_visible(Front *front, Scope scope, ResolveVisit *visit, void *context);

/* Parts of a text about it. */
void meaning_type(Text *out, Front *front,
                  const Meaning *meaning); /* "parameter Real[3]" */
void meaning_name(Text *out, Front *front,
                  const Meaning *meaning); /* full name of a class */
/* The unit of a component, or the attribute of that name as text; false if it has none. */
bool meaning_attribute(Text *out, Front *front, const Meaning *meaning, Str name);
/* The value of a constant or parameter, as text: evaluated, or as written. */
bool           meaning_value(Text *out, Front *front, const Meaning *meaning);
const Comment *meaning_comment(const Meaning *meaning); /* NULL if it has none */
/* A value in unit `from` times *factor is the value in unit `to`; false: they do not fit, or have
 * different zeros. */
bool        unit_convert(const char *from, const char *to, double *factor);
const char *class_word(const Class *def); /* "model", "partial block", ... */

#endif
