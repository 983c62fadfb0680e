/* The broad phase that Vouga et al. 2011 name in section 6.1: hierarchies of k-DOPs (Klosowski et al. 1998) that move,
 * and separation lists (Weller and Zachmann 2006). For comparison; compiled for 2D and for 3D.
 *
 * Each kind of element - balls, segments, vertices, edges, faces - has a binary tree over it. A node of a tree has,
 * along each of k/2 directions, bounds of its elements' places that move with bounds of their velocities and
 * accelerations. The separation list of two trees is a cut through the tree of pairs of their nodes: each pair of the
 * cut has a certificate, the time until which one of the directions separates the two, in a queue. A pair whose
 * certificate ends is looked at with tight bounds; it gets a new one, or its children replace it, or, once all of the
 * parent's children are apart, its parent replaces them. A pair of elements that no direction separates has the
 * certificate of the engine (separation.h of the kernel). New motions widen bounds up to where they are wide enough, and the certificates
 * of what was widened are made anew (the paper's algorithm 3). */
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
