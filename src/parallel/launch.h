/* The processes that a launcher of MPI (mpirun, srun) has started together. */
#ifndef CAROM_PARALLEL_LAUNCH_H
#define CAROM_PARALLEL_LAUNCH_H

#include "parallel/transport.h"

/* The number of this process among them, from the environment; 0 without a launcher. */
int launch_rank(void);
int launch_ranks(void); /* their number, at least 1 */

/* Makes the transport between them: transport_alone() for one process. Only then does the process load MPI. On failure
 * *out may hold a transport, which is to be closed. CAROM_USAGE: the library for MPI is missing, or it is for another MPI
 * than that of the launcher. */
carom_status launch_open(transport **out, error *e);

#endif
