/* A round: parcels to some ranks, and from some ranks. The functions of transport.h consist of rounds. */
#ifndef CAROM_PARALLEL_ROUND_H
#define CAROM_PARALLEL_ROUND_H

#include <stdatomic.h>

#include "parallel/links.h"
#include "parallel/transport.h"

/* What a rank tells about its process. */
typedef struct rank_process {
    uint64_t place; /* of the processes that can be asked for by number; 0: unknown */
    int32_t number;
    char host[52];
} rank_process;

/* First message of a parcel: most parcels are short, and need no other. It is below the size, 4096 bytes with a header, up to
 * which Open MPI sends a message in shared memory at once. */
enum { FIRST_BYTES = 3984 };
typedef struct first_message {
    uint64_t bytes; /* of the parcel */
    uint32_t call, kind;
    char data[FIRST_BYTES];
} first_message;

typedef struct inlet {
    int rank;
    char *block; /* begins with the header of the message, so that the data is aligned */
    size_t room;
    uint64_t bytes;
    int open; /* operations that have not completed */
} inlet;

typedef struct outlet {
    first_message *first;
    int rank, open;
} outlet;

typedef struct abandonment {
    int32_t rank, status;
    char text[500];
} abandonment;

enum { TAG_NOTICE = 0, NUMBER_NOTICE = -1, NUMBER_NOTICE_OUT = -2 };

struct transport {
    transport_links links;
    transport_cost cost;
    inlet *in;
    outlet *out;
    int in_room, out_room, in_count, out_count; /* counts: of the present round */
    int open;                                   /* operations of the round that have not completed */
    uint32_t call, kind;                        /* number of the call; its function */
    rank_process *processes;                    /* [ranks]; NULL: unknown */
    abandonment notice, own_notice;             /* that of another rank; that of this one */
    error failure;                              /* after which all calls fail */
    bool abandoned;                             /* own_notice has been sent */
    bool lost;                                  /* a rank cannot be reached */
    int64_t patience_ns;
    atomic_bool urgent;
};

/* in[receipts]: with ranks; receives the data, which is valid until the next round. Between two ranks, the rounds of one
 * call have the same order. */
carom_status round_run(transport *t, int sends, const parcel *out, int receipts, parcel *in, error *e);

/* Whether the process of a rank is known to have ended. */
bool round_has_ended(const transport *t, int rank);

/* Makes a transport of links, which it closes. processes: whether ranks are processes of their own. */
carom_status transport_open(transport **out, const transport_links *links, bool processes, error *e);

#endif
