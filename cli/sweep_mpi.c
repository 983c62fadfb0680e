/* Distribution of runs under mpirun: rank 0 distributes them one by one, since their durations differ. */
#include "sweep.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "team.h"

static const team_calls *team; /* NULL: not under mpirun */

/* Number of processes that a launcher of MPI has started, from its environment variables; NULL: none. */
static const char *launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL) return getenv(names[i]);
    return NULL;
}

/* The library in the folder of libcarom.so. Components of Open MPI need its symbols to be global. */
static const team_calls *load_team(void)
{
    void *library = dlopen(TEAM_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
    return library != NULL ? dlsym(library, TEAM_SYMBOL) : NULL;
}

bool team_begin(int *rank, int *size)
{
    *rank = 0;
    *size = 1;
    const char *many = launched();
    if (many == NULL) return true;
    team = load_team();
    if (team == NULL && atoi(many) <= 1) return true;
    if (team == NULL)
        complain("this carom was built without MPI; run the parts of the sweep as separate jobs with --shard I/N");
    else if (team->begin(rank, size))
        return true;
    else
        complain("MPI does not start");
    team = NULL;
    return false;
}

carom_status team_share(carom_status status)
{
    return team != NULL ? (carom_status)team->share((int)status) : status;
}

long team_ask(void)
{
    return team != NULL ? team->ask() : -1;
}

void team_answer(sweep_work *w)
{
    int rank;
    while (team != NULL && team->asked(&rank)) team->answer(rank, sweep_next(w));
}

bool team_gathered(void)
{
    return team == NULL || team->gathered();
}

void team_end(void)
{
    if (team != NULL) team->end();
}

void team_abort(carom_status status)
{
    if (team != NULL) team->abort((int)status);
}
