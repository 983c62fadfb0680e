/* Signals and failures at chosen steps of a run on several ranks: part of a carom for tests of the command under mpirun. A step is
 * a message that a rank sends; the profiling interface of MPI counts them. */
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile sig_atomic_t arrived;
static struct sigaction action_of_run;

static void note_arrival(int number)
{
    arrived = 1;
    action_of_run.sa_handler(number);
}

/* Waits until mpirun, the parent of this rank, has forwarded the signal, or killed the rank. */
static void send_to_mpirun(int number)
{
    struct sigaction noting = {.sa_handler = note_arrival, .sa_flags = SA_RESTART};
    sigaction(number, NULL, &action_of_run);
    sigaction(number, &noting, NULL);
    kill(getppid(), number);
    while (!arrived) sched_yield();
    arrived = 0;
    sigaction(number, &action_of_run, NULL);
}

/* CAROM_TEST_SIGNALS=RANK:STEP:SIGNAL,...: signals that ranks send to themselves; SIGNALm: to mpirun. */
static void send_signals(int own, int steps)
{
    const char *at = getenv("CAROM_TEST_SIGNALS");
    int rank, step, number, length;
    for (; at != NULL && sscanf(at, "%d:%d:%d%n", &rank, &step, &number, &length) == 3; at += length) {
        const int up = at[length] == 'm';
        length += up;
        if (rank == own && step == steps && up) send_to_mpirun(number);
        if (rank == own && step == steps && !up) raise(number);
        if (at[length] == ',') at++;
    }
}

/* CAROM_TEST_DISK=BYTES: from its thousandth message on, files of rank 0 cannot become larger. MPI has its own files by then. */
static void limit_files(int own, int steps)
{
    const char *bytes = getenv("CAROM_TEST_DISK");
    if (bytes == NULL || own != 0 || steps != 1000) return;
    struct rlimit most;
    getrlimit(RLIMIT_FSIZE, &most);
    most.rlim_cur = (rlim_t)atol(bytes);
    setrlimit(RLIMIT_FSIZE, &most);
}

/* CAROM_TEST_FAIL=RANK: the hundredth message of this rank cannot be sent. */
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm all, MPI_Request *request)
{
    static int steps;
    int own;
    const char *failing = getenv("CAROM_TEST_FAIL");
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    send_signals(own, ++steps);
    limit_files(own, steps);
    if (failing != NULL && steps == 100 && atoi(failing) == own) return MPI_ERR_NO_MEM;
    return PMPI_Isend(data, count, type, to, tag, all, request);
}
