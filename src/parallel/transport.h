/* Communication between the ranks of a run. All ranks call the same functions in the same order. NULL as a transport:
 * one rank alone. After an error of a transport, its later calls fail too. */
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
    uint64_t calls;                   /* of all functions below */
    uint64_t messages_out, bytes_out; /* sent to other ranks */
    uint64_t messages_in, bytes_in;   /* received from them */
    double waited;                    /* seconds within calls */
} transport_cost;

int transport_rank(const transport *t);
int transport_ranks(const transport *t);

/* Each rank sends one parcel to each of `count` other ranks and receives one from each of them (the relation is
 * symmetric; parcels may be empty). in[k] is from rank out[k].rank; its data is valid until the next call, aligned for
 * any type. */
carom_status transport_exchange(transport *t, int count, const parcel *out, parcel *in, error *e);

/* The result is the same on all ranks. Sums of reals depend on the order of the ranks unless they are exact. */
carom_status transport_reduce_real(transport *t, transport_op op, size_t count, double *x, error *e);
carom_status transport_reduce_count(transport *t, transport_op op, size_t count, uint64_t *x,
                                    error *e); /* sums mod 2^64 */

/* At rank 0: all[ranks], that of rank 0 included, whose data is `data` itself; the others are valid until the next
 * call. At other ranks `all` is not set. */
carom_status transport_gather(transport *t, const void *data, size_t bytes, parcel *all, error *e);

/* From rank 0 to all, of the same size on all ranks. */
carom_status transport_broadcast(transport *t, void *data, size_t bytes, error *e);

transport_cost transport_cost_of(const transport *t);

void transport_close(transport *t);

/* One rank; it cannot fail. */
transport *transport_alone(void);

#endif
