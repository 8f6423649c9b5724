/* SPDX-License-Identifier: Apache-2.0 */
/* freeze.h -- private to translate: a program under construction.
 *
 * Every pass below needs the equations in order with their C text (PartBuild) and gives some
 * sections of the draft; their memory belongs to the arena of the draft.
 *
 *   freeze.c    texts, variables, states, functions, sources; the order of the passes
 *   equation.c  the parts: groups, what kernels compute, patterns of torn blocks
 *   blocks.c    how blocks depend on each other; the pattern of df/dx
 *   readers.c   who reads what at events
 *   locality.c  which events concern a part of the model, and what they do
 *   effort.c    how much the derivatives cost */
#ifndef RUBATO_FREEZE_H
#define RUBATO_FREEZE_H

#include "translate/translate.h"

typedef struct Draft {
    Arena        arena; /* of all sections */
    Program      program;
    Translation *from;
    System      *sys;
    Shapes      *shapes;
    Text         chars; /* all texts, each ended by 0 */
    Map          text_of; /* Str -> text */
    Term        *term_of; /* by term of shapes: its number in the program + 1, 0 if none */
} Draft;

/* Compressed rows in the arena as a section. */
Lists freeze_links(Links links);

int  freeze_text(Draft *d, Str text); /* the number of a text */
void freeze_parts(Draft *d);          /* needs plans and texts; gives part, expressions */
void freeze_blocks(Draft *d);         /* needs states, parts; gives graph, states.pattern */
/* The next two only for selective code: */
void freeze_readers(Draft *d);  /* needs blocks; gives readers, reads, pres, ... of graph */
void freeze_locality(Draft *d); /* needs readers; gives local, effect, ... of graph */
/* Simple equations that the derivatives of one state stand for, in the mean. */
double effort_of(const Plan *plan, int states);

#endif
