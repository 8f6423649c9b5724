/* SPDX-License-Identifier: Apache-2.0 */
/* network.h -- private to translate: parts of a network before there is code of them.
 *
 *   network.c  the rest of the network as equations at the triplets of each part
 *   merge.c    parts that have no answer of their own join the rest of the model */
#ifndef RUBATO_TRANSLATE_NETWORK_H
#define RUBATO_TRANSLATE_NETWORK_H

#include "translate/freeze.h"

#include "gen/gen.h"
#include "inst/typed.h"

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

/* ---- merge.c ---- */
/* Needs: ports and domains. Gives: parts of one instance that cannot be translated on their own belong to
 * the rest of the model; wires between such are equations. True: some do now. */
bool merge_parts(Closing *c);
/* Parts of which a triplet is not connected belong to the rest of the model. True: some do now. */
bool merge_open(Closing *c);

#endif
