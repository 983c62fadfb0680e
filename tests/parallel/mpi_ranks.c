/* The calls of a transport between processes of mpirun: mpi_ranks [SEED CALLS], or mpi_ranks RANK abandon|die|stop. Each
 * rank prints the costs of its calls, or the error that ends them. */
#include "../support/transport_play.h"
#include "parallel/launch.h"

#include <signal.h>
#include <unistd.h>

static void on_end(int number)
{
    (void)number;
}

static transport *ours;

static void on_request(int number)
{
    (void)number;
    transport_hurry(ours);
}

/* Calls without end, until one rank ends. */
static int end_one(transport *t, int which, const char *how)
{
    double x = 1;
    error e = {0};
    ours = t;
    signal(SIGTERM, transport_rank(t) == 0 ? on_request : on_end);
    for (int n = 0; e.status == CAROM_OK; n++) {
        const bool now = n == 1000 && transport_rank(t) == which;
        if (now && strcmp(how, "die") == 0) raise(SIGKILL);
        if (now && strcmp(how, "abandon") == 0) transport_abandon(t, CAROM_BAD_DATA, "error: no more");
        (void)transport_reduce_real(t, TRANSPORT_MAX, 1, &x, &e);
    }
    printf("rank %d: status %d: %s\n", transport_rank(t), (int)e.status, error_text(&e));
    fflush(stdout);
    transport_close(t);
    return transport_rank(t) == which ? 0 : (int)e.status;
}

int main(int count, char **words)
{
    transport *t;
    error e = {0};
    if (launch_open(&t, &e) != CAROM_OK) {
        printf("rank %d: status %d: %s\n", launch_rank(), (int)e.status, error_text(&e));
        return (int)e.status;
    }
    if (count > 2 && strtol(words[2], NULL, 10) == 0) return end_one(t, atoi(words[1]), words[2]);
    play_calls(t, count > 2 ? strtoull(words[1], NULL, 10) : 1, count > 2 ? atoi(words[2]) : 1000);
    play_long(t);
    const transport_cost c = transport_cost_of(t);
    printf("rank %d of %d: %llu messages out, %llu in\n", transport_rank(t), transport_ranks(t),
           (unsigned long long)c.messages_out, (unsigned long long)c.messages_in);
    transport_close(t);
    return 0;
}
