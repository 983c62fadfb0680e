/* Sharing out runs under mpirun: rank 0 hands them out one by one, since their times differ a lot. */
#include "sweep.h"

#include <stdlib.h>

/* A launcher of MPI has started us. */
static const char *launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL) return getenv(names[i]);
    return NULL;
}

#if CAROM_HAVE_MPI

#include <mpi.h>

enum { TAG_ASK = 1, TAG_ANSWER };

static bool begun, gathering;
static MPI_Request all_here;

bool team_begin(int *rank, int *size)
{
    *rank = 0;
    *size = 1;
    if (launched() == NULL) return true;
    begun = MPI_Init(NULL, NULL) == MPI_SUCCESS;
    if (!begun) {
        complain("MPI does not start");
        return false;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    return true;
}

carom_status team_share(carom_status status)
{
    int value = (int)status;
    if (begun) MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return (carom_status)value;
}

long team_ask(void)
{
    long run = 0;
    MPI_Send(&run, 1, MPI_LONG, 0, TAG_ASK, MPI_COMM_WORLD);
    MPI_Recv(&run, 1, MPI_LONG, 0, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return run;
}

void team_answer(sweep_work *w)
{
    int asked = 0;
    MPI_Status who;
    while (begun && MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &asked, &who) == MPI_SUCCESS && asked) {
        long run;
        MPI_Recv(&run, 1, MPI_LONG, who.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        run = sweep_next(w);
        MPI_Send(&run, 1, MPI_LONG, who.MPI_SOURCE, TAG_ANSWER, MPI_COMM_WORLD);
    }
}

bool team_gathered(void)
{
    int here = 1;
    if (!begun) return true;
    if (!gathering) MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
    gathering = true;
    MPI_Test(&all_here, &here, MPI_STATUS_IGNORE);
    return here;
}

void team_end(void)
{
    if (begun) MPI_Finalize();
}

void team_abort(carom_status status)
{
    if (begun) MPI_Abort(MPI_COMM_WORLD, (int)status);
}

#else

bool team_begin(int *rank, int *size)
{
    *rank = 0;
    *size = 1;
    const char *many = launched();
    if (many == NULL || atoi(many) <= 1) return true;
    complain("this carom was built without MPI; run the parts of the sweep as jobs of their own, with --shard I/N");
    return false;
}

carom_status team_share(carom_status status)
{
    return status;
}

long team_ask(void)
{
    return -1;
}

void team_answer(sweep_work *w)
{
    (void)w;
}

bool team_gathered(void)
{
    return true;
}

void team_end(void)
{
}

void team_abort(carom_status status)
{
    (void)status;
}

#endif
