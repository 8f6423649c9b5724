/* SPDX-License-Identifier: Apache-2.0 */
/* connect.h -- private: connections as sets of scalar variables. */
#ifndef RUBATO_CONNECT_H
#define RUBATO_CONNECT_H

#include "inst/front.h"

typedef struct Joint { /* one connect of two scalar connectors, after loops     */
    Inst *a, *b;       /* connectors                                            */
    int   ia, ib;      /* element in all dimensions around them                 */
    bool  oa, ob;      /* outside: a connector of the class with the connect    */
    Pos   pos;
    int   number; /* in the list                                           */
    int   level;  /* equal for connects of one instance                    */
} Joint;

typedef struct Joints {
    Front *front;
    Joint *item;
    int    count, room;
    int    level; /* of the instance being looked at                       */
} Joints;

/* Runs over all connects of a list of equations, loops and conditions included. */
void joints_collect(Joints *joints, Inst *inst, const EquList *list);
/* Connection equations of the model, from the joints. */
void connect_sets(FlatModel *model, const Joints *joints);
/* Elements a reference selects, as numbers in all dimensions around its instance. */
int *ref_elements(Eval *eval, const Tx *tx, const Inst *at, const int *index, int *n);

/* ---- stream.c ---- */
void stream_sets(FlatModel *model, int *link);

/* ---- expandable.c ---- */
void buses_unite(Front *front, const Joints *joints);

/* ---- graph.c ---- */
void graph_build(FlatModel *model, const Joints *joints);
/* Whether the overconstrained record at side a of a connect is not joined. */
bool graph_broken(const RootGraph *graph, int joint, const Inst *inst);
void graph_residue(FlatModel *model, const Joint *joint, Inst *a, Inst *b, int ia,
                   int ib);

#endif
