/* The functions of MPI for `carom sweep`, in a library of their own, libcarom_mpi.so, loaded under mpirun only.
 * Other commands do not load MPI, and carom runs without it. */
#ifndef CAROM_CLI_TEAM_H
#define CAROM_CLI_TEAM_H

#include <stdbool.h>

typedef struct team_calls {
    bool (*begin)(int *rank, int *size);
    int (*share)(int value);            /* broadcast from rank 0 */
    long (*ask)(void);                  /* requests a run from rank 0 */
    bool (*asked)(int *rank);           /* rank 0: whether a rank has sent a request; does not block */
    void (*answer)(int rank, long run); /* rank 0 */
    bool (*gathered)(void);             /* whether all ranks have arrived; does not block */
    void (*end)(void);
    void (*abort)(int status);
} team_calls;

#define TEAM_LIBRARY "libcarom_mpi.so"
#define TEAM_SYMBOL "carom_team"

#endif
