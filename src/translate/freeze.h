/* SPDX-License-Identifier: Apache-2.0 */
/* freeze.h -- private to translate: a program under construction.
 *
 * Every pass below needs the equations in order with their C text (PartBuild) and gives some
 * sections of the draft; their memory belongs to the arena of the draft.
 *
 *   freeze.c    tables: texts, variables, states, functions, sources; the whole
 *   equation.c  tables: the parts, what kernels compute
 *   pattern.c   patterns of torn blocks
 *   blocks.c    how blocks depend on each other; the pattern of df/dx
 *   readers.c   who reads what at events
 *   locality.c  which events concern a part of the model, and what they do
 *   effort.c    how much the derivatives cost */
#ifndef RUBATO_FREEZE_H
#define RUBATO_FREEZE_H

#include "translate/translate.h"

struct Draft {
    Arena        arena; /* of all sections */
    Program      program;
    Translation *from;
    System      *sys;
    Shapes      *shapes;
    Text         chars;   /* all texts, each ended by 0 */
    Map          text_of; /* Str -> text */
    Term *term_of; /* by term of shapes: its number in the program + 1, 0 if none */
};

/* Compressed rows in the arena as a section. */
Lists freeze_links(Links links);

bool        freeze_has_clocks(const System *sys);
const char *freeze_part_name(int part);
/* ---- clocks.c ---- */
void freeze_clocks(Draft *d);
/* The structure whose equations give a variable. */
const Structure *freeze_owner(const Draft *d, int var);
int              freeze_text(Draft *d, Str text); /* the number of a text */
int              freeze_chars(Draft *d, const char *text, size_t length);
void             freeze_parts(Draft *d);  /* part, but for patterns; expressions */
void             freeze_loops(Draft *d);  /* patterns of torn blocks */
void             freeze_blocks(Draft *d); /* graph, states.pattern */

/* A table of so many rows with entries in 0 .. below - 1, or none. For contracts. */
bool lists_fit(const Lists *lists, int rows, int below);

/* The passes; what each needs, gives and breaks stands above it. */
Draft   *freeze_tables(Translation *t);
void     freeze_patterns(Draft *d);
void     freeze_readers(Draft *d);
void     freeze_locality(Draft *d);
Program *freeze_program(Draft *d);
void     freeze_close(Draft *d);
/* What they gave. */
void freeze_print_tables(const Draft *d, Text *out);
void freeze_print_patterns(const Draft *d, Text *out);
void freeze_print_readers(const Draft *d, Text *out);
void freeze_print_locality(const Draft *d, Text *out);
/* Simple equations that the derivatives of one state stand for, in the mean. */
Efforts effort_of(const Plan *plan);

/* ---- driver.c ---- */
/* No component is left that could be translated on its own: a warning, and the ordinary way. */
void translate_as_whole(Translation *t);

/* ---- network.c ---- */
/* Needs: rows. Gives: at triplets of parts equations that stand for the rest of the network. False:
 * messages. */
bool network_close(Translation *t);
/* The triplets of a family. */
struct LawTie  *network_tie(const Translation *t, int family); /* NULL: none */
struct LawPort *network_ports(const Translation *t, int family, int *count);
void            network_families(const Translation *t, int *of_run);
/* The number of these kernels; they are added to the text of all if they are new. */
int network_code(Translation *t, const char *text, Text *out);
/* What kernels were made for a family; where the list of what its rates take begins. */
int network_keep(Translation *t, int family, const struct BatchFamily *f);
/* For a look: what a network consists of; the sections of a part. */
void network_report(const Translation *t, Text *out);
void network_report_part(const Translation *t, int family, Text *out);
void freeze_network(Draft *d);

/* ---- batches.c ---- */
bool batches_emit(Translation *t);
void batches_print(const Translation *t, Text *out);
void batches_report(const Translation *t, Text *out);
void freeze_batches(Draft *d);

/* ---- lied.c ---- */
typedef struct LiedClass { /* a class looked at alone */
    bool lied;
    bool matched; /* unknowns and equations match */
    int  tears;   /* unknowns that tear, and residuals */
    Text text;    /* what it is, or why it is none */
    Pos  pos;     /* where that is, 0: nowhere */
} LiedClass;

bool lied_is_open(const Translation *t); /* the model has triplets as connectors */
void lied_recognise(Translation *t, LiedClass *to);

#endif
