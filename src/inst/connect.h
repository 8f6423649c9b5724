/* SPDX-License-Identifier: Apache-2.0 */
/* connect.h -- private: connections as sets of scalar variables. */
#ifndef RUBATO_CONNECT_H
#define RUBATO_CONNECT_H

#include "inst/front.h"

typedef struct Joint { /* pairs of scalar connectors from one connect           */
    Inst *a, *b;       /* connectors                                            */
    int   ia, ib;      /* elements of the first pair, in all dimensions around  */
    int   sa, sb;      /* steps to the elements of the next pair                */
    int   count;       /* pairs                                                 */
    bool  oa, ob;      /* outside: a connector of the class with the connect    */
    Pos   pos;
    int   number; /* of the first pair among all                           */
    Inst *at;     /* instance whose class has the connect                   */
} Joint;

typedef struct Joints {
    Front *front;
    Arena  arena;
    Joint *item;
    int    count, room;
    Inst  *at;   /* being looked at                                       */
    Map    last; /* Equ -> its joint that may grow                        */
} Joints;

/* Runs over all connects of a list of equations, loops and conditions included. */
void joints_collect(Joints *joints, Inst *inst, const EquList *list);
void joints_number(Joints *joints); /* when all are collected */
void joints_free(Joints *joints);
void print_size(Text *out, Ty type);

/* rules.c: rules of networks of triplets; messages. parts: only the connectors of components of the
 * model itself count. */
void rules_check(FlatModel *model, const Joints *joints, bool parts);
/* network.c: parts of a network and their connections. Gives: parts as folds, wires; the connects are no
 * longer among the equations. False: messages. */
bool network_find(FlatModel *model);
bool network_is_part(const FlatModel *model, const Inst *inst);
/* A component with triplets that the model refers to otherwise as well. */
bool network_is_rest(const FlatModel *model, const Inst *inst);

/* ---- closed.c ---- */

typedef struct Border { /* of a component: the first reference that crosses it */
    const Inst *seen;   /* what it refers to; NULL: the component is closed */
    Pos         pos;
} Border;

typedef struct Borders {
    Arena   arena;
    Border *of; /* by Inst.id */
} Borders;

/* Nothing outside of a closed component refers to what is in it, and what is in it to nothing that
 * changes outside. */
Borders       borders_find(const FlatModel *model);
const Border *border_crossed(const Borders *borders, const Inst *inst); /* NULL: none */
void          borders_free(Borders *borders);

/* ---- alike.c ---- */

/* Components that could be instances of one family. */
typedef struct Alikes {
    FlatModel *model;
    Arena      arena;
    Map        part; /* Inst.id -> 1 + number in model->part */
    Map differs; /* 2*Inst.id + DifferKind of the first of a group: its values differ */
} Alikes;

void alikes_begin(Alikes *alikes, FlatModel *model);
/* Equal for components that are alike. */
uint64_t alike_hash(Alikes *alikes, const Inst *inst);
/* The same variables and equations, but for their own sizes, and for numbers that parameters and start
 * values have. What differs is noted for a. */
bool alike(Alikes *alikes, Inst *a, Inst *b);
void alikes_end(Alikes *alikes);

typedef struct Pairs { /* what a joint makes of two members of its connectors    */
    int ia, ib, sa, sb, count; /* as in Joint, in elements of the members               */
} Pairs;

/* Calls visit with every two scalar or array members that a joint joins. */
typedef void VisitPairs(void *context, const Joint *joint, Inst *a, Inst *b, Pairs pairs);
void joint_leaves(Front *front, const Joint *joint, VisitPairs *visit, void *context);
/* Connection equations of the model, from the joints. */
void connect_sets(FlatModel *model, const Joints *joints);
/* Elements a reference selects, as numbers in all dimensions around its instance. */
int *ref_elements(Eval *eval, const Tx *tx, const Inst *at, const int *index, int *n);

/* One equation from connections over scalar numbers; it may repeat the last one. */
void connect_add(FlatModel *model, ConnEqKind kind, Pos pos, const int *var, int n);

/* ---- share.c ---- */
/* Outputs of states of one machine may be connected to one input: equations of such a set; false: it
 * is none. */
bool machine_connected(FlatModel *model, Pos pos, const int *var, int n);
/* Whether that is so in the class of an instance. */
bool machine_shares(const Front *front, const Inst *inst);
/* Whether two outputs belong to states that are never active at once. */
bool machine_may_share(const Front *front, const Inst *a, const Inst *b);

typedef struct Sets {
    FlatModel *model;
    Front     *front;
    Arena      arena; /* of what follows                                            */
    int        nodes;
    int       *link; /* union-find over nodes; -1 not in a set                     */
    Pos       *pos;  /* by node: a connect it came from                            */
} Sets;

int  node_of(const Inst *inst, int element, bool outside); /* of a connector's variable */
bool has_nodes(const Inst *inst);
int  nodes_of(const Inst *inst);

/* ---- causality.c ---- */
void check_causality(Sets *sets, const Joints *joints);

/* ---- stream.c ---- */
void stream_sets(Sets *sets);

/* ---- expandable.c ---- */
void buses_unite(Front *front, const Joints *joints);

/* ---- balance.c ---- */
/* Reports that equations and unknowns do not match, and where to look; own: equations of
 * each part by itself. */
void balance_report(FlatModel *model, const int64_t *own, const Joints *joints);

/* ---- local.c ---- */
/* Classes whose components do not balance by themselves, as warnings, or as notes of a message
 * before; own: as above. */
void balance_classes(FlatModel *model, const int64_t *own, const Joints *joints,
                     bool notes);

/* ---- graph.c ---- */
void graph_build(FlatModel *model, const Joints *joints);
/* Whether the overconstrained record at side a of a connect is not joined. */
bool graph_broken(const RootGraph *graph, int joint, const Inst *inst, int element);
/* Whether an array is one overconstrained record: the inputs of its equalityConstraint are arrays. */
bool graph_whole(Front *front, Inst *inst);
void graph_residue(FlatModel *model, const Joint *joint, Inst *a, Inst *b, int ia,
                   int ib);

#endif
