/* Links of MPI, in a library of its own: only this file and cli/mpi need MPI. */
#include "../links.h"

#include <mpi.h>
#include <stdlib.h>

typedef struct mpi_links {
    MPI_Comm all;
    MPI_Request *requests; /* [room], of the operations that have not completed */
    int *numbers, *done;   /* [room] */
    int count, room;
    bool own_start; /* MPI was not running before */
    int failure;
    char problem[MPI_MAX_ERROR_STRING];
} mpi_links;

static mpi_links links;

static bool succeeded(mpi_links *l, int code)
{
    if (code != MPI_SUCCESS) l->failure = code;
    return code == MPI_SUCCESS;
}

static bool make_room(mpi_links *l)
{
    if (l->count < l->room) return true;
    const size_t room = 2 * (size_t)l->room + 64;
    MPI_Request *requests = realloc(l->requests, room * sizeof *requests);
    if (requests != NULL) l->requests = requests;
    int *numbers = realloc(l->numbers, room * sizeof *numbers);
    if (numbers != NULL) l->numbers = numbers;
    int *done = realloc(l->done, room * sizeof *done);
    if (done != NULL) l->done = done;
    if (requests == NULL || numbers == NULL || done == NULL) return succeeded(l, MPI_ERR_NO_MEM);
    l->room = (int)room;
    return true;
}

static bool send(void *self, int number, int rank, int tag, const void *data, size_t bytes)
{
    mpi_links *l = self;
    if (!make_room(l)) return false;
    l->numbers[l->count] = number;
    return succeeded(l, MPI_Isend(data, (int)bytes, MPI_BYTE, rank, tag, l->all, &l->requests[l->count++]));
}

static bool receive(void *self, int number, int rank, int tag, void *data, size_t room)
{
    mpi_links *l = self;
    const int from = rank == LINKS_ANY_RANK ? MPI_ANY_SOURCE : rank;
    if (!make_room(l)) return false;
    l->numbers[l->count] = number;
    return succeeded(l, MPI_Irecv(data, (int)room, MPI_BYTE, from, tag, l->all, &l->requests[l->count++]));
}

static int completed(void *self, int *numbers, int room)
{
    mpi_links *l = self;
    int count = 0, kept = 0;
    if (room < l->count) { /* the others at the next call: Testsome stores all */
        for (int k = 0; k < l->count && count < room;) {
            int here = 0;
            if (!succeeded(l, MPI_Test(&l->requests[k], &here, MPI_STATUS_IGNORE))) return -1;
            if (!here) {
                k++;
                continue;
            }
            numbers[count++] = l->numbers[k];
            l->requests[k] = l->requests[--l->count];
            l->numbers[k] = l->numbers[l->count];
        }
        return count;
    }
    if (!succeeded(l, MPI_Testsome(l->count, l->requests, &count, l->done, MPI_STATUSES_IGNORE))) return -1;
    if (count == MPI_UNDEFINED || count == 0) return 0;
    for (int k = 0; k < count; k++) numbers[k] = l->numbers[l->done[k]];
    for (int k = 0; k < l->count; k++) {
        if (l->requests[k] == MPI_REQUEST_NULL) continue;
        l->requests[kept] = l->requests[k];
        l->numbers[kept++] = l->numbers[k];
    }
    l->count = kept;
    return count;
}

static const char *problem(void *self)
{
    mpi_links *l = self;
    int length = 0;
    if (MPI_Error_string(l->failure, l->problem, &length) != MPI_SUCCESS) return "an error of MPI";
    return l->problem;
}

/* The receipt of a notice that has not come. */
static void forget_all(mpi_links *l)
{
    for (int k = 0; k < l->count; k++) {
        MPI_Cancel(&l->requests[k]);
        MPI_Request_free(&l->requests[k]);
    }
    l->count = 0;
}

static void end(void *self, bool whole, int code)
{
    mpi_links *l = self;
    if (!whole) MPI_Abort(l->all, code);
    forget_all(l);
    MPI_Comm_free(&l->all);
    free(l->requests);
    free(l->numbers);
    free(l->done);
    if (l->own_start) MPI_Finalize();
    *l = (mpi_links){0};
}

static const char *name(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "MPI";
    for (int k = 0; k < length; k++)
        if (text[k] == ',' || text[k] == '\n') text[k] = '\0'; /* the first item is the name */
    return text;
}

static bool begin(transport_links *out, const char **why)
{
    mpi_links *l = &links;
    int running = 0, ended = 0, level = 0;
    MPI_Initialized(&running);
    MPI_Finalized(&ended);
    *why = ended ? "MPI has ended in this process" : "this process has a transport already";
    if (ended || l->room > 0) return false;
    *why = "MPI does not start";
    l->own_start = !running;
    if (!running && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return false;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &l->all) != MPI_SUCCESS || !make_room(l)) return false;
    MPI_Comm_set_errhandler(l->all, MPI_ERRORS_RETURN);
    *out = (transport_links){
        .self = l, .send = send, .receive = receive, .completed = completed, .problem = problem, .close = end};
    MPI_Comm_rank(l->all, &out->rank);
    MPI_Comm_size(l->all, &out->ranks);
    return true;
}

extern const links_library carom_links;
__attribute__((visibility("default"))) const links_library carom_links = {LINKS_VERSION, name, begin};
