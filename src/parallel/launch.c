#define _GNU_SOURCE /* dladdr */
#include "parallel/launch.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parallel/links.h"
#include "parallel/round.h"

/* ---- the environment ----------------------------------------------------------------------------------------------------- */

typedef struct launcher {
    const char *size, *rank; /* variables with the number of processes and that of this process */
} launcher;

/* Open MPI; MPICH, Intel MPI and others with PMI; MVAPICH; srun with PMIx, which has no variable for the size. */
static const launcher launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                     {"PMI_SIZE", "PMI_RANK"},
                                     {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
                                     {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"}};

static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text != NULL ? atoi(text) : -1;
}

static const launcher *launcher_here(void)
{
    for (size_t k = 0; k < sizeof launchers / sizeof *launchers; k++)
        if (number_of(launchers[k].size) > 0 && number_of(launchers[k].rank) >= 0) return &launchers[k];
    return NULL;
}

int launch_rank(void)
{
    const launcher *l = launcher_here();
    return l != NULL ? number_of(l->rank) : 0;
}

int launch_ranks(void)
{
    const launcher *l = launcher_here();
    return l != NULL ? number_of(l->size) : 1;
}

/* ---- the library ---------------------------------------------------------------------------------------------------------- */

/* Opens it in the folder of libcarom, else where the loader looks. Components of Open MPI need its symbols. */
static void *open_library(void)
{
    const int how = RTLD_NOW | RTLD_GLOBAL;
    Dl_info here;
    const char *slash = dladdr(launchers, &here) != 0 ? strrchr(here.dli_fname, '/') : NULL;
    if (slash != NULL) {
        char *path = memory_format("%.*s/%s", (int)(slash - here.dli_fname), here.dli_fname, LINKS_LIBRARY);
        void *library = path != NULL ? dlopen(path, how) : NULL;
        memory_free(path);
        if (library != NULL) return library;
    }
    return dlopen(LINKS_LIBRARY, how);
}

static carom_status find_library(const links_library **out, int ranks, error *e)
{
    void *opened = open_library();
    *out = opened != NULL ? dlsym(opened, LINKS_SYMBOL) : NULL;
    if (*out != NULL && (*out)->version == LINKS_VERSION) return CAROM_OK;
    if (*out != NULL || opened != NULL)
        return error_set(e, CAROM_USAGE, "error: %s belongs to another version of carom; install both from one build",
                         LINKS_LIBRARY);
    const char *why = dlerror();
    return error_set(e, CAROM_USAGE,
                     "error: a launcher of MPI has started %d processes, and this carom has no MPI (%s); install "
                     "%s of the same build beside libcarom, or start one process",
                     ranks, why != NULL ? why : "no library", LINKS_LIBRARY);
}

/* Processes of a launcher of another MPI do not find each other. */
static carom_status check_ranks(const links_library *library, const transport_links *l, int ranks, error *e)
{
    if (l->ranks == ranks) return CAROM_OK;
    l->close(l->self, true, 0);
    return error_set(
        e, CAROM_USAGE,
        "error: a launcher of MPI has started %d processes, of which %s, for which %s was built, finds %d; "
        "use the launcher of that MPI",
        ranks, library->name(), LINKS_LIBRARY, l->ranks);
}

carom_status launch_open(transport **out, error *e)
{
    const int ranks = launch_ranks();
    const links_library *library;
    const char *problem;
    transport_links links;
    *out = transport_alone();
    if (ranks == 1) return CAROM_OK;
    TRY(find_library(&library, ranks, e));
    if (!library->open(&links, &problem)) return error_set(e, CAROM_IO, "error: %s: %s", library->name(), problem);
    TRY(check_ranks(library, &links, ranks, e));
    return transport_open(out, &links, true, e);
}
