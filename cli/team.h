/* What `carom sweep` asks of MPI: a library of its own, libcarom_mpi.so, which is loaded under mpirun only. So no other
 * command loads MPI, and carom runs where there is none. */
#ifndef CAROM_CLI_TEAM_H
#define CAROM_CLI_TEAM_H

#include <stdbool.h>

typedef struct team_calls {
    bool (*begin)(int *rank, int *size);
    int (*share)(int value);            /* what rank 0 says, to all */
    long (*ask)(void);                  /* rank 0 for a run */
    bool (*asked)(int *rank);           /* rank 0: has a rank asked? Does not wait */
    void (*answer)(int rank, long run); /* rank 0 */
    bool (*gathered)(void);             /* have all come here? Does not wait */
    void (*end)(void);
    void (*abort)(int status);
} team_calls;

#define TEAM_LIBRARY "libcarom_mpi.so"
#define TEAM_SYMBOL "carom_team"

#endif
