/* Detects transports that lose, mix up or cut messages, reduce wrongly, miscount costs, or wait for a rank that has ended. */
#include "../support/fake_ranks.h"
#include "../support/suite.h"
#include "../support/transport_play.h"

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

typedef struct player {
    uint64_t seed;
    int calls;
    transport_cost cost;
} player;

static void play(transport *t, void *context)
{
    player *p = context;
    play_calls(t, p->seed, p->calls);
    p->cost = transport_cost_of(t);
}

START_TEST(calls_agree_with_one_rank)
{
    player players[PLAY_RANKS_MOST];
    const int ranks = 1 + _i % 9;
    uint64_t overtook = 0, out = 0, in = 0, bytes_out = 0, bytes_in = 0;
    for (int k = 0; k < ranks; k++) players[k] = (player){.seed = (uint64_t)_i, .calls = 120};
    ck_assert_int_eq(fake_run(ranks, (uint64_t)_i, play, players, sizeof *players, &overtook), ranks);
    for (int k = 0; k < ranks; k++) {
        out += players[k].cost.messages_out;
        in += players[k].cost.messages_in;
        bytes_out += players[k].cost.bytes_out;
        bytes_in += players[k].cost.bytes_in;
        if (ranks > 1) ck_assert_double_gt(players[k].cost.waited, 0);
    }
    printf("%d ranks: %llu messages, %llu bytes, %llu overtook another\n", ranks, (unsigned long long)out,
           (unsigned long long)bytes_out, (unsigned long long)overtook);
    ck_assert_uint_eq(out, in);
    ck_assert_uint_eq(bytes_out, bytes_in);
    if (ranks > 2) ck_assert_uint_gt(overtook, 0);
    ck_assert_uint_eq(memory_held(), 0);
}
END_TEST

START_TEST(one_rank_is_alone)
{
    double x = 3;
    uint64_t n = 4;
    parcel all[1];
    error e = {0};
    transport *const alone[] = {NULL, transport_alone()};
    for (int k = 0; k < 2; k++) {
        transport *t = alone[k];
        ck_assert_int_eq(transport_rank(t), 0);
        ck_assert_int_eq(transport_ranks(t), 1);
        ck_assert_int_eq(transport_exchange(t, 0, NULL, NULL, &e), CAROM_OK);
        ck_assert_int_eq(transport_reduce_real(t, TRANSPORT_SUM, 1, &x, &e), CAROM_OK);
        ck_assert_int_eq(transport_reduce_count(t, TRANSPORT_MAX, 1, &n, &e), CAROM_OK);
        ck_assert_int_eq(transport_broadcast(t, &x, sizeof x, &e), CAROM_OK);
        ck_assert_int_eq(transport_gather(t, &x, sizeof x, all, &e), CAROM_OK);
        ck_assert(x == 3 && n == 4 && all[0].rank == 0 && all[0].data == &x && all[0].bytes == sizeof x);
        transport_abandon(t, CAROM_IO, "error: nothing");
        transport_hurry(t);
        ck_assert_uint_eq(transport_cost_of(t).calls, 0);
        transport_close(t);
    }
}
END_TEST

static void play_long_ones(transport *t, void *context)
{
    (void)context;
    play_long(t);
}

START_TEST(long_messages_arrive_whole)
{
    ck_assert_int_eq(fake_run(3, 5, play_long_ones, NULL, 0, NULL), 3);
    ck_assert_uint_eq(memory_held(), 0);
}
END_TEST

/* ---- costs --------------------------------------------------------------------------------------------------------------- */

static void count_costs(transport *t, void *context)
{
    const int other = 1 - transport_rank(t);
    char data[10000] = "";
    parcel in, out = {other, data, 100};
    error e = {0};
    ck_assert_int_eq(transport_exchange(t, 1, &out, &in, &e), CAROM_OK);
    out.bytes = sizeof data;
    ck_assert_int_eq(transport_exchange(t, 1, &out, &in, &e), CAROM_OK);
    *(transport_cost *)context = transport_cost_of(t);
}

START_TEST(costs_are_those_of_the_messages)
{
    transport_cost costs[2];
    fake_run(2, 8, count_costs, costs, sizeof *costs, NULL);
    for (int k = 0; k < 2; k++) {
        ck_assert_uint_eq(costs[k].calls, 2);
        ck_assert_uint_eq(costs[k].messages_out, 3); /* 10000 bytes need a second message */
        ck_assert_uint_eq(costs[k].messages_in, 3);
        ck_assert_uint_eq(costs[k].bytes_out, 16 + 100 + 16 + 10000);
        ck_assert_uint_eq(costs[k].bytes_in, 16 + 100 + 16 + 10000);
    }
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------------------------ */

typedef struct ending {
    int breaker, call; /* the rank that ends the run, before this call */
    void (*how)(transport *t);
    carom_status status;
    char text[600];
} ending;

static void abandon(transport *t)
{
    transport_abandon(t, CAROM_BAD_DATA, "error: the scene is another");
}

static void vanish(transport *t)
{
    (void)t;
}

static void cut(transport *t)
{
    fake_rank *own = t->links.self;
    pthread_mutex_lock(&own->network->lock);
    own->network->broken = true;
    pthread_mutex_unlock(&own->network->lock);
}

static void run_to_the_end(transport *t, void *context)
{
    ending *end = context;
    double x[300] = {0};
    error e = {0};
    t->patience_ns = 20000000;
    for (int n = 0; e.status == CAROM_OK; n++) {
        if (n == end->call && transport_rank(t) == end->breaker) end->how(t);
        if (n == end->call && transport_rank(t) == end->breaker && end->how == vanish) return;
        if (n == end->call) transport_hurry(t);
        (void)transport_reduce_real(t, TRANSPORT_MAX, sizeof x / sizeof *x, x, &e);
    }
    end->status = e.status;
    snprintf(end->text, sizeof end->text, "%s", error_text(&e));
    ck_assert_int_eq(transport_broadcast(t, x, sizeof x, &e), end->status);
    ck_assert_str_eq(error_text(&e), end->text);
    error_clear(&e);
}

static int end_by(void (*how)(transport *t), int ranks, uint64_t seed, ending *endings)
{
    dice d = {seed};
    const int breaker = (int)dice_below(&d, (uint32_t)ranks), call = (int)dice_below(&d, 30);
    for (int k = 0; k < ranks; k++) endings[k] = (ending){.breaker = breaker, .call = call, .how = how};
    const int whole = fake_run(ranks, seed, run_to_the_end, endings, sizeof *endings, NULL);
    ck_assert_uint_eq(memory_held(), 0);
    return whole;
}

START_TEST(an_abandoned_run_ends_on_all_ranks)
{
    ending endings[PLAY_RANKS_MOST];
    char wanted[64];
    const int ranks = 2 + _i % 5;
    ck_assert_int_eq(end_by(abandon, ranks, (uint64_t)_i, endings), ranks);
    snprintf(wanted, sizeof wanted, "error: rank %d (?): the scene is another", endings[0].breaker);
    for (int k = 0; k < ranks; k++) {
        ck_assert_int_eq(endings[k].status, CAROM_BAD_DATA);
        ck_assert_str_eq(endings[k].text, k == endings[0].breaker ? "error: the scene is another" : wanted);
    }
}
END_TEST

/* The ranks that wait for it find no sign of it; the others wait for these. */
START_TEST(a_rank_that_has_ended_ends_the_run)
{
    ending endings[PLAY_RANKS_MOST];
    char name[32];
    const int ranks = 2 + _i % 5;
    end_by(vanish, ranks, (uint64_t)_i, endings);
    snprintf(name, sizeof name, "error: rank %d of 2 (?) ", endings[0].breaker);
    for (int k = 0; k < ranks; k++) {
        if (k == endings[0].breaker) continue;
        ck_assert_int_eq(endings[k].status, CAROM_IO);
        ck_assert_ptr_nonnull(strstr(endings[k].text, "does not answer"));
        if (ranks == 2) ck_assert_ptr_nonnull(strstr(endings[k].text, name));
    }
}
END_TEST

START_TEST(a_broken_network_ends_the_run)
{
    ending endings[PLAY_RANKS_MOST];
    const int ranks = 2 + _i % 5;
    ck_assert_int_eq(end_by(cut, ranks, (uint64_t)_i, endings), 0);
    for (int k = 0; k < ranks; k++) {
        ck_assert_int_eq(endings[k].status, CAROM_IO);
        ck_assert_str_eq(endings[k].text, "error: the communication between the ranks has failed: the network is down");
    }
}
END_TEST

/* Calls in different orders are an error of the program. */
static void differ(transport *t, void *context)
{
    parcel all[2], in, out = {1 - transport_rank(t), NULL, 0};
    error e = {0};
    carom_status *status = context;
    *status = transport_rank(t) == 0 ? transport_gather(t, NULL, 0, all, &e) : transport_exchange(t, 1, &out, &in, &e);
    error_clear(&e);
}

START_TEST(calls_in_different_orders_are_found)
{
    carom_status status[2];
    ck_assert_int_eq(fake_run(2, 3, differ, status, sizeof *status, NULL), 2);
    ck_assert_int_eq(status[0], CAROM_INTERNAL);
    ck_assert_int_eq(status[1], CAROM_INTERNAL);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("ranks");
    tcase_add_loop_test(c, calls_agree_with_one_rank, 0, 18);
    tcase_add_test(c, one_rank_is_alone);
    tcase_add_test(c, long_messages_arrive_whole);
    tcase_add_test(c, costs_are_those_of_the_messages);
    tcase_add_loop_test(c, an_abandoned_run_ends_on_all_ranks, 0, 20);
    tcase_add_loop_test(c, a_rank_that_has_ended_ends_the_run, 0, 10);
    tcase_add_loop_test(c, a_broken_network_ends_the_run, 0, 10);
    tcase_add_test(c, calls_in_different_orders_are_found);
    return suite_run("ranks", c);
}
