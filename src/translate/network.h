/* SPDX-License-Identifier: Apache-2.0 */
/* network.h -- private to translate: parts of a network before there is code of them.
 *
 *   network.c  the rest of the network as equations at the triplets of each part
 *   merge.c    parts that have no answer of their own join the rest of the model
 *   tie.c      those that cannot: their forces are unknowns of the network */
#ifndef RUBATO_TRANSLATE_NETWORK_H
#define RUBATO_TRANSLATE_NETWORK_H

#include "translate/freeze.h"

#include "gen/gen.h"
#include "inst/typed.h"

typedef struct TieRow { /* an equation of a part that is left over */
    int  source, shape; /* its row in ROWS_EQUATION */
    int *slot;
} TieRow;

typedef struct TieBuild {
    int     fold;
    TieRow *row;
    LawTie  law;
} TieBuild;

typedef struct NetBuild {
    LawPort     *port; /* by fold */
    const Inst **inst;
    int         *element, *fold;
    int          ports, port_room, inst_room, element_room, fold_room;
    int         *set;  /* union-find over ports: domains */
    int          runs; /* of the system, before those made here ... */
    int         *of;   /* ... by run after them: family */
    int          of_room;
    bool         asks;         /* an initial equation asks for what neighbours give */
    int          clock, still; /* the time of the given values; a known 0 */
    NetSection  *section;
    NetGroup    *group;
    int          sections, groups;
    int         *uniform;
    int          uniforms, uniform_room;
    TieBuild    *tie;
    int          ties, tie_room;
    const char **code; /* texts of kernels, each once */
    int          codes, code_room;
} NetBuild;

typedef struct Closing {
    Translation *t;
    System      *sys;
    NetBuild    *net;
    Row          row;
} Closing;

/* ---- network.c ---- */
/* The number of the port of an element of a connector, -1: it is none. */
int net_port_of(const NetBuild *net, const Inst *inst, int element);
/* The part that a variable belongs to, NULL: the rest of the model. */
const Fold *net_fold_of(const Closing *c, int var);

/* A hidden run that belongs to a family. */
int network_run(Closing *c, VarKind kind, int count, int fold);
/* var = c0 + c1*(time - clock); var = c0 if it changes at events only */
void network_given(Closing *c, int var, int c0, int c1);

/* ---- tie.c ---- */
/* Unknowns of a part that have no equation, and rows of it that are left over. False: they are not as many, or cannot
 * be changed. */
bool tie_part(Closing *c, const Structure *st, int part, int forces, const int *force,
              int rows, const int *row);
/* The equations of a tie; needs all parts as they stay. */
void tie_close(Closing *c, TieBuild *tie);

/* ---- merge.c ---- */
/* Needs: ports and domains. Gives: parts of one instance that cannot be translated on their own belong to
 * the rest of the model; wires between such are equations. True: some do now. */
bool merge_parts(Closing *c);
/* Parts of which a triplet is not connected belong to the rest of the model. True: some do now. */
bool merge_open(Closing *c);

#endif
