/* The functions of MPI for `carom sweep`. */
#include "../team.h"

#include <mpi.h>

enum { TAG_ASK = 1, TAG_ANSWER };

static bool gathering;
static MPI_Request all_here;

static bool begin(int *rank, int *size)
{
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return false;
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    return true;
}

static int share(int value)
{
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value;
}

static long ask(void)
{
    long run = 0;
    MPI_Send(&run, 1, MPI_LONG, 0, TAG_ASK, MPI_COMM_WORLD);
    MPI_Recv(&run, 1, MPI_LONG, 0, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return run;
}

static bool asked(int *rank)
{
    int somebody = 0;
    long nothing;
    MPI_Status who;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &somebody, &who);
    if (!somebody) return false;
    *rank = who.MPI_SOURCE;
    MPI_Recv(&nothing, 1, MPI_LONG, *rank, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}

static void answer(int rank, long run)
{
    MPI_Send(&run, 1, MPI_LONG, rank, TAG_ANSWER, MPI_COMM_WORLD);
}

static bool gathered(void)
{
    int here = 0;
    if (!gathering) MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
    gathering = true;
    MPI_Test(&all_here, &here, MPI_STATUS_IGNORE);
    return here;
}

static void end(void)
{
    MPI_Finalize();
}

static void stop_all(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

extern const team_calls carom_team;
__attribute__((visibility("default")))
const team_calls carom_team = {begin, share, ask, asked, answer, gathered, end, stop_all};
