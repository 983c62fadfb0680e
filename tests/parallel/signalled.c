/* Signals and failures at chosen steps of a run on several ranks: part of a carom for tests of the command under mpirun. A step is
 * a message that a rank sends; the profiling interface of MPI counts them. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* CAROM_TEST_SIGNALS=RANK:STEP:SIGNAL,...: signals that ranks send to themselves. */
static void send_signals(int own, int steps)
{
    const char *at = getenv("CAROM_TEST_SIGNALS");
    int rank, step, number, length;
    for (; at != NULL && sscanf(at, "%d:%d:%d%n", &rank, &step, &number, &length) == 3; at += length) {
        if (rank == own && step == steps) raise(number);
        if (at[length] == ',') at++;
    }
}

/* CAROM_TEST_FAIL=RANK: the hundredth message of this rank cannot be sent. */
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm all, MPI_Request *request)
{
    static int steps;
    int own;
    const char *failing = getenv("CAROM_TEST_FAIL");
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    send_signals(own, ++steps);
    if (failing != NULL && steps == 100 && atoi(failing) == own) return MPI_ERR_NO_MEM;
    return PMPI_Isend(data, count, type, to, tag, all, request);
}
