/* The broad phase named by Vouga et al. 2011 in section 6.1: moving hierarchies of k-DOPs (Klosowski et al. 1998), and
 * separation lists (Weller and Zachmann 2006). For comparison; compiled for 2D and for 3D.
 *
 * Each kind of element - balls, segments, vertices, edges, faces - has a binary tree. A node of a tree has, along each of
 * k/2 directions, bounds of the positions of its elements, which move with bounds of their velocities and accelerations.
 * The separation list of two trees is a cut through the tree of pairs of their nodes. Each pair of the cut has a
 * certificate in a queue: the time until which one of the directions separates the two. At the end of a certificate the
 * pair is checked with tight bounds. It gets a new certificate, or its children replace it, or, if all children of its
 * parent are separate, the parent replaces them. A pair of elements that no direction separates has the certificate of
 * the engine (separation.h of the kernel). New motions widen the bounds of a node and of its ancestors as far as
 * necessary, and the certificates of widened bounds are renewed (algorithm 3 of the paper). */
#ifndef CAROM_BENCH_SEPARATION_H
#define CAROM_BENCH_SEPARATION_H

#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/schedule/flight_bound.h"

typedef enum phase { PHASE_REST, PHASE_LISTS, PHASE_CERTIFICATES, PHASE_BOXES, PHASE_SIGHTS, PHASES } phase;

/* The present part of the work: read by the signal handler that samples it. */
extern volatile int now_in;

typedef struct separation_counts {
    uint64_t refits;   /* of bounds */
    uint64_t boxes;    /* certificates of two k-DOPs */
    uint64_t sights;   /* certificates of two elements without active layers */
    uint64_t touching; /* of two with active layers */
    uint64_t motions;  /* new ones of nodes */
    uint32_t most;     /* pairs in the lists */
} separation_counts;

typedef struct separation_lists separation_lists;

/* start: motions of the nodes, now. counts: incremented. */
separation_lists *separation_create(world *w, const nominal *start, separation_counts *counts);
void separation_destroy(separation_lists *s);

/* All events up to t, then the new motions of the nodes of these elements. */
void separation_advance(separation_lists *s, const nominal *anew, const uint32_t *partner, uint32_t count, double t);

/* Whether a pair of elements is among those with certificates of their own. */
bool separation_holds(const separation_lists *s, uint32_t i, uint32_t j);

#endif
