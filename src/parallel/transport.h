/* Communication between the ranks of a run. All ranks call the same functions in the same order, each from one thread.
 * NULL as a transport: one rank alone.
 *
 * A call that fails has the status of its cause: CAROM_IO if a rank has ended or does not answer; that of the other
 * rank if it has abandoned the run (transport_abandon). Later calls fail in the same way. */
#ifndef CAROM_PARALLEL_TRANSPORT_H
#define CAROM_PARALLEL_TRANSPORT_H

#include <stdint.h>

#include "base/error.h"

typedef struct transport transport;

typedef struct parcel {
    int rank;
    const void *data;
    size_t bytes;
} parcel;

typedef enum transport_op { TRANSPORT_MIN, TRANSPORT_MAX, TRANSPORT_SUM } transport_op;

/* What the calls of this rank have cost since the transport exists. */
typedef struct transport_cost {
    uint64_t calls;                   /* of the functions that communicate */
    uint64_t messages_out, bytes_out; /* sent to other ranks */
    uint64_t messages_in, bytes_in;   /* received from them */
    double waited;                    /* seconds within these calls */
} transport_cost;

int transport_rank(const transport *t);
int transport_ranks(const transport *t);
const char *transport_host(const transport *t, int rank); /* "?" if it is unknown */

/* Each rank sends one parcel to each of `count` other ranks and receives one from each of them (the relation is
 * symmetric; parcels may be empty). in[k] is from rank out[k].rank; its data is valid until the next call, aligned for
 * any type. */
carom_status transport_exchange(transport *t, int count, const parcel *out, parcel *in, error *e);

/* The result has the same bits on all ranks: -0 is less than +0, and NaN remains. Sums are in the order of a tree over
 * the ranks: independent of their number only if they are exact, or of integers (mod 2^64). */
carom_status transport_reduce_real(transport *t, transport_op op, size_t count, double *x, error *e);
carom_status transport_reduce_count(transport *t, transport_op op, size_t count, uint64_t *x, error *e);

/* At rank 0: all[ranks], by rank; that of rank 0 is `data` itself, the others are valid until the next call. At other
 * ranks `all` is not set. */
carom_status transport_gather(transport *t, const void *data, size_t bytes, parcel *all, error *e);

/* From rank 0 to all, of the same size on all ranks. */
carom_status transport_broadcast(transport *t, void *data, size_t bytes, error *e);

/* This rank ends because of an error: present and later calls of the other ranks fail with this status and text. */
void transport_abandon(transport *t, carom_status status, const char *text);

/* The process has been asked to end, perhaps since a rank has died: from now on a call fails if nothing arrives for
 * about a second. Safe in a signal handler. */
void transport_hurry(transport *t);

transport_cost transport_cost_of(const transport *t);

/* Waits for the other ranks, which close it too. After the loss of a rank this cannot be: it ends the processes of all
 * ranks, with the status of the failure as exit code. */
void transport_close(transport *t);

/* One rank; it cannot fail. */
transport *transport_alone(void);

#endif
