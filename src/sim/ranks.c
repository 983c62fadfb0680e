/* Runs on several ranks: rank 0 has the observers, the files and the run loop; the engines of the others follow its engine. */
#include "sim/sim.h"

#include "base/hash.h"
#include "base/memory.h"
#include "parallel/launch.h"

#include <stdio.h>
#include <string.h>

/* ---- the processes --------------------------------------------------------------------------------------------------- */

/* MPI starts and ends once in a process. */
static transport *joined;

int carom_rank(void)
{
    return launch_rank();
}

int carom_ranks(void)
{
    return launch_ranks();
}

void carom_ranks_end(int status, const char *message)
{
    error ignored = {0};
    if (joined == NULL && status != CAROM_OK) (void)launch_open(&joined, &ignored); /* the others wait for this rank */
    if (status != CAROM_OK) transport_abandon(joined, (carom_status)status, message != NULL ? message : "an error");
    transport_close(joined);
    joined = NULL;
    error_clear(&ignored);
}

carom_status ranks_join(carom_sim *sim, bool saved)
{
    if (!sim->options.ranks) return CAROM_OK;
    if (joined == NULL) TRY(launch_open(&joined, &sim->message));
    if (transport_ranks(joined) > 1 && saved)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: a saved simulation continues in one process, not on %d ranks",
                         transport_ranks(joined));
    if (transport_ranks(joined) > 1) sim->workers.transport = joined;
    sim->follows = transport_rank(joined) > 0;
    return CAROM_OK;
}

/* ---- agreement -------------------------------------------------------------------------------------------------------- */

/* What has to be the same on all ranks. */
typedef struct rank_run {
    char version[32], commit[64];
    uint64_t seed, scene, inputs;
    int64_t resume, threads;
} rank_run;

static rank_run describe(const carom_sim *sim)
{
    const scene *s = sim->scene;
    rank_run run;
    memset(&run, 0, sizeof run);
    snprintf(run.version, sizeof run.version, "%s", carom_version());
    snprintf(run.commit, sizeof run.commit, "%s", carom_commit());
    run.seed = s->seed;
    run.scene = hash_finish(hash_bytes(HASH_START, s->resolved, strlen(s->resolved)));
    run.inputs = inputs_hash(s);
    run.resume = sim->options.resume;
    run.threads = sim->workers.threads;
    return run;
}

static carom_status refuse_rank(carom_sim *sim, int rank, const char *what)
{
    const transport *t = sim->workers.transport;
    return error_set(&sim->message, CAROM_USAGE,
                     "error: rank %d of %d (%s) has %s than rank 0; start all ranks with the same program, scene and "
                     "options",
                     rank, transport_ranks(t), transport_host(t, rank), what);
}

static carom_status compare(carom_sim *sim, const rank_run *own, const parcel *other)
{
    rank_run run;
    if (other->bytes != sizeof run) return refuse_rank(sim, other->rank, "another carom");
    memcpy(&run, other->data, sizeof run);
    if (strcmp(run.version, own->version) != 0 || strcmp(run.commit, own->commit) != 0)
        return refuse_rank(sim, other->rank, "another carom");
    if (run.seed != own->seed) return refuse_rank(sim, other->rank, "another seed");
    if (run.scene != own->scene) return refuse_rank(sim, other->rank, "another scene");
    if (run.inputs != own->inputs) return refuse_rank(sim, other->rank, "other input files");
    if (run.resume != own->resume) return refuse_rank(sim, other->rank, "another option --resume");
    if (run.threads != own->threads) return refuse_rank(sim, other->rank, "another option --threads");
    return CAROM_OK;
}

/* The others wait for the word of rank 0, which they also receive if it abandons the run. */
carom_status ranks_agree(carom_sim *sim)
{
    transport *t = sim->workers.transport;
    const int ranks = transport_ranks(t);
    char word = 0;
    if (ranks == 1) return CAROM_OK;
    const rank_run own = describe(sim);
    parcel *all = transport_rank(t) == 0 ? NEW_ARRAY((size_t)ranks, parcel) : NULL;
    if (transport_rank(t) == 0 && all == NULL) return error_memory(&sim->message, "the ranks", sizeof own);
    carom_status status = transport_gather(t, &own, sizeof own, all, &sim->message);
    for (int k = 1; all != NULL && status == CAROM_OK && k < ranks; k++) status = compare(sim, &own, &all[k]);
    memory_free(all);
    return status == CAROM_OK ? transport_broadcast(t, &word, sizeof word, &sim->message) : status;
}

carom_status ranks_check_engine(carom_sim *sim)
{
    const int ranks = transport_ranks(sim->workers.transport);
    if (ranks == 1 || sim->kernel->follow != NULL) return CAROM_OK;
    return error_set(&sim->message, CAROM_USAGE,
                     "error: the engine `%s` cannot divide this run among %d ranks: on several ranks only `hard` runs, "
                     "with its default precision and detection; start one process, with --threads for several cores",
                     sim->engine->settings->name, ranks);
}

/* ---- run and end -------------------------------------------------------------------------------------------------------- */

carom_status ranks_follow(carom_sim *sim)
{
    if (sim->finished || sim->gas == NULL) return sim->message.status;
    sim->finished = true;
    const carom_status status = sim->kernel->follow(sim->gas, &sim->message);
    ranks_fail(sim, status);
    return status;
}

static void name_checkpoint(carom_sim *sim, carom_status status)
{
    if (sim->result == NULL || sim->last_checkpoint <= 0) return;
    error_add(&sim->message, status, "'%s' has a checkpoint of time %.9g; carom run --resume continues from it",
              sim->options.output, sim->checkpoint_time);
}

void ranks_fail(carom_sim *sim, carom_status status)
{
    if (transport_ranks(sim->workers.transport) == 1 || status == CAROM_OK) return;
    transport_abandon(sim->workers.transport, status, error_text(&sim->message));
    name_checkpoint(sim, status);
}
