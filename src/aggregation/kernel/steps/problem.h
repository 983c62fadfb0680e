/* One problem of step 2: small displacements that bring linked spheres to contact. A problem consists of nodes that may
 * be displaced (a particle, or a rigid cluster) and of bonds between them. It is independent of the data structures of
 * particles and clusters. */
#ifndef CAROM_AGGREGATION_STEPS_PROBLEM_H
#define CAROM_AGGREGATION_STEPS_PROBLEM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "aggregation/kernel/steps/constants.h"
#include "aggregation/steps_settings.h"
#include "base/vec.h"

#define DIM CAROM_DIM

typedef struct node {
    double u[DIM];              /* displacement so far */
    double w;                   /* 1 / mass */
    double low[DIM], high[DIM]; /* bounds of u by the walls */
    double shift[DIM];          /* displacement earlier in the same step */
    double reach;               /* largest length of shift + u */
    uint32_t element;           /* the particle or cluster */
    bool expanded;              /* all its bonds are in the problem */
} node;

typedef struct bond {
    uint32_t a, b;    /* nodes */
    double r[DIM];    /* from b to a without displacements */
    double length;    /* contact distance */
    uint32_t element; /* the link, or PROBLEM_NONE */
    bool known;       /* its ends were in contact before */
    bool slack;       /* it cannot be closed, as other spheres block it: it only prevents overlap */
} bond;

#define NONE UINT32_MAX

typedef struct problem {
    node *nodes;
    bond *bonds;
    uint32_t node_count, bond_count;
    size_t node_capacity, bond_capacity;
    double *work; /* work space of the solvers */
    size_t work_capacity;
    bool out_of_memory;
    /* Adds the bonds of nodes that have moved by more than `moved` (relative to a contact distance), or, if `check`, of
     * nodes with a bond outside the tolerance. Returns true if it added any. NULL: the problem is complete from the
     * start. */
    bool (*expand)(struct problem *p, double moved, bool check);
    void *expand_context; /* for expand */
} problem;

typedef struct solution {
    bool converged;
    bool fell_back; /* the chosen solver stalled, and SOLVER_FALLBACK solved the problem */
    uint64_t iterations;
} solution;

static inline void problem_clear(problem *p)
{
    p->node_count = p->bond_count = 0;
}

/* Vector from b to a, with displacements. */
static inline void bond_now(const problem *p, const bond *l, double r[DIM])
{
    for (int k = 0; k < DIM; k++) r[k] = l->r[k] + p->nodes[l->a].u[k] - p->nodes[l->b].u[k];
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Moves a node to the nearest position within its bounds. */
static inline void node_confine(node *n)
{
    if (n->reach < (double)INFINITY) {
        double all[DIM];
        for (int k = 0; k < DIM; k++) all[k] = n->shift[k] + n->u[k];
        const double way = sqrt(dot(all, all));
        for (int k = 0; k < DIM && way > n->reach; k++) n->u[k] = n->reach / way * all[k] - n->shift[k];
    }
    for (int k = 0; k < DIM; k++) n->u[k] = clamp(n->u[k], n->low[k], n->high[k]);
}

static inline void node_move(node *n, const double by[DIM], double factor)
{
    for (int k = 0; k < DIM; k++) n->u[k] += factor * by[k];
    node_confine(n);
}

/* Whether a bond is within the tolerance. A slack bond may be longer. */
static inline bool bond_is_met(const bond *l, double distance, double tolerance)
{
    double gap = distance - l->length;
    return fabs(gap) <= tolerance * l->length || (l->slack && gap > 0);
}

#endif
