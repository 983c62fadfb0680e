/* Begin and end of a transport. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "parallel/pause.h"
#include "parallel/round.h"

static const int64_t PATIENCE_NS = 1000000000;

/* ---- processes of the ranks ---------------------------------------------------------------------------------------------- */

/* Processes see each other's numbers if they run on the same start of the same machine, in the same namespace. */
static uint64_t place_of_processes(void)
{
    char boot[64] = "";
    struct stat names;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    const bool known = file != NULL && fgets(boot, sizeof boot, file) != NULL && stat("/proc/self/ns/pid", &names) == 0;
    if (file != NULL) fclose(file);
    if (!known) return 0;
    const uint64_t hash = hash_bytes(HASH_START, boot, sizeof boot);
    return hash_finish(hash_u64(hash_u64(hash, (uint64_t)names.st_ino), (uint64_t)names.st_dev)) | 1;
}

static carom_status share_processes(transport *t, error *e)
{
    const size_t ranks = (size_t)t->links.ranks;
    rank_process own = {.place = place_of_processes(), .number = (int32_t)getpid()};
    if (gethostname(own.host, sizeof own.host - 1) != 0) own.host[0] = 0;
    rank_process *processes = NEW_ARRAY(ranks, rank_process);
    parcel *all = NEW_ARRAY(ranks, parcel);
    carom_status status = CAROM_OK;
    if (processes == NULL || all == NULL) {
        status = error_memory(e, "messages between the ranks", ranks * sizeof *processes);
        transport_abandon(t, status, error_text(e));
    }
    if (status == CAROM_OK) status = transport_gather(t, &own, sizeof own, all, e);
    for (size_t k = 0; status == CAROM_OK && t->links.rank == 0 && k < ranks; k++)
        memcpy(&processes[k], all[k].data, sizeof own);
    if (status == CAROM_OK) status = transport_broadcast(t, processes, ranks * sizeof *processes, e);
    memory_free(all);
    if (status == CAROM_OK)
        t->processes = processes;
    else
        memory_free(processes);
    return status;
}

/* ---- begin, end ---------------------------------------------------------------------------------------------------------- */

carom_status transport_open(transport **out, const transport_links *links, bool processes, error *e)
{
    transport *t = NEW_ARRAY(1, transport);
    *out = t;
    if (t == NULL) return error_memory(e, "messages between the ranks", sizeof *t);
    t->links = *links;
    t->patience_ns = PATIENCE_NS;
    if (links->ranks == 1) return CAROM_OK;
    if (!links->receive(links->self, NUMBER_NOTICE, LINKS_ANY_RANK, TAG_NOTICE, &t->notice, sizeof t->notice))
        return error_set(e, CAROM_IO, "error: the communication between the ranks has failed: %s",
                         links->problem(links->self));
    return processes ? share_processes(t, e) : CAROM_OK;
}

/* Short messages leave at once, unless their rank has ended. */
static void send_notices(transport *t, const abandonment *n)
{
    const transport_links *l = &t->links;
    int sent = 0, number;
    for (int rank = 0; rank < l->ranks; rank++)
        if (rank != l->rank && l->send(l->self, NUMBER_NOTICE_OUT, rank, TAG_NOTICE, n, sizeof *n)) sent++;
    for (const int64_t began = pause_clock_ns(); sent > 0 && pause_clock_ns() - began < t->patience_ns / 10;) {
        const int count = l->completed(l->self, &number, 1);
        if (count < 0) return;
        if (count > 0 && number == NUMBER_NOTICE_OUT) sent--;
    }
}

void transport_abandon(transport *t, carom_status status, const char *text)
{
    if (transport_ranks(t) == 1 || t->abandoned) return;
    t->abandoned = true;
    if (t->failure.status == CAROM_OK) error_set(&t->failure, status, "%s", text);
    t->own_notice = (abandonment){.rank = t->links.rank, .status = (int32_t)status};
    snprintf(t->own_notice.text, sizeof t->own_notice.text, "%s", text);
    send_notices(t, &t->own_notice);
}

/* After a failure, a message of which a part has not left refers to memory of the caller. */
static bool in_use(const transport *t)
{
    for (int k = 0; k < t->out_count; k++)
        if (t->out[k].open > 0 && t->out[k].first->bytes > FIRST_BYTES) return true;
    return false;
}

/* Rank 0 reports the loss of a rank and closes its files before it ends the processes of the run. */
static void let_rank_0_end(transport *t)
{
    static const struct timespec nap = {.tv_nsec = 1000000};
    transport_abandon(t, t->failure.status, error_text(&t->failure));
    const int64_t began = pause_clock_ns();
    while (pause_clock_ns() - began < 2 * t->patience_ns && !round_has_ended(t, 0)) nanosleep(&nap, NULL);
}

void transport_close(transport *t)
{
    if (t == NULL || t == transport_alone()) return;
    const bool whole = !t->lost && !in_use(t);
    if (!whole && t->links.rank > 0) let_rank_0_end(t);
    t->links.close(t->links.self, whole, (int)t->failure.status);
    for (int k = 0; k < t->in_room; k++) memory_free(t->in[k].block);
    for (int k = 0; k < t->out_room; k++) memory_free(t->out[k].first);
    memory_free(t->in);
    memory_free(t->out);
    memory_free(t->processes);
    error_clear(&t->failure);
    memory_free(t);
}
