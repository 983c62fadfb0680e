/* What a transport needs of a library for messages: a library with these functions makes a transport (transport_open).
 * Messages with the same sender, receiver and tag arrive in their order; others in any order. */
#ifndef CAROM_PARALLEL_LINKS_H
#define CAROM_PARALLEL_LINKS_H

#include <stdbool.h>
#include <stddef.h>

enum { LINKS_TAG_MOST = 32767, LINKS_MESSAGE_MOST = 1 << 24, LINKS_ANY_RANK = -1 };

typedef struct transport_links {
    int rank, ranks;
    void *self;
    /* Begin to send or to receive at most LINKS_MESSAGE_MOST bytes; the memory belongs to the library until `completed`
     * gives this number. `rank` of a receipt may be LINKS_ANY_RANK. */
    bool (*send)(void *self, int number, int rank, int tag, const void *data, size_t bytes);
    bool (*receive)(void *self, int number, int rank, int tag, void *data, size_t room);
    /* Stores the numbers of operations that have completed, at most `room`, and returns how many: 0 if there is nothing
     * new, negative after a failure. Does not wait. */
    int (*completed)(void *self, int *numbers, int room);
    const char *(*problem)(void *self); /* of the call that has failed */
    /* whole: waits until all ranks are here. Otherwise ends the processes of the run with this exit code; a library that
     * cannot do this returns. */
    void (*close)(void *self, bool whole, int code);
} transport_links;

/* A library of links, loaded when a launcher has started several processes. */
typedef struct links_library {
    int version;
    const char *(*name)(void); /* and version of what it was built for */
    /* Makes the links of this process. False: *problem says why. */
    bool (*open)(transport_links *out, const char **problem);
} links_library;

enum { LINKS_VERSION = 1 };
#define LINKS_LIBRARY "libcarom_mpi.so"
#define LINKS_SYMBOL "carom_links"

#endif
