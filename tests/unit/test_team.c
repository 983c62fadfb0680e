/* Detects teams of threads that lose a call, return before all calls, hide writes, or let threads receive signals. */
#include "../support/dice.h"
#include "../support/suite.h"
#include "base/memory.h"
#include "parallel/team.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MEMBERS_MOST = 9, SLOTS = 64 };

/* Plain memory: the thread sanitizer reports an access that the team does not order. */
typedef struct ledger {
    uint64_t calls[MEMBERS_MOST][8]; /* [0]: of a member; the others keep members apart */
    uint64_t seen[MEMBERS_MOST][8];  /* what the member found in `board` */
    uint64_t board[SLOTS];           /* written by the caller before a round, by the members in it */
    uint64_t labour[MEMBERS_MOST];   /* steps of the member's work */
    int members;
} ledger;

static uint64_t labour_of(uint64_t steps)
{
    volatile uint64_t value = 1;
    for (uint64_t k = 0; k < steps; k++) value = value * 3 + k;
    return value;
}

static void enter(void *context, int member)
{
    ledger *l = context;
    labour_of(l->labour[member]);
    l->seen[member][0] = l->board[SLOTS - 1];
    for (int k = member; k < SLOTS - 1; k += l->members) l->board[k] += (uint64_t)member + 1;
    l->calls[member][0]++;
}

/* Rounds with work of random durations, some long enough for the others to fall asleep. */
static void play(team *t, ledger *l, int rounds, dice *d)
{
    for (int n = 0; n < rounds; n++) {
        const uint64_t before = l->board[0], calls = l->calls[0][0];
        for (int m = 0; m < l->members; m++) l->labour[m] = dice_below(d, 8) == 0 ? dice_below(d, 300) : 0;
        if (dice_below(d, 200) == 0) l->labour[dice_below(d, (uint32_t)l->members)] = 200000;
        if (dice_below(d, 200) == 0) labour_of(200000);
        l->board[SLOTS - 1] = dice_bits(d);
        team_run(t, enter, l);
        for (int m = 0; m < l->members; m++) {
            if (l->calls[m][0] != calls + 1)
                ck_abort_msg("round %d: member %d of %d: %llu calls", n, m, l->members,
                             (unsigned long long)(l->calls[m][0] - calls));
            if (l->seen[m][0] != l->board[SLOTS - 1]) ck_abort_msg("round %d: member %d sees an old value", n, m);
        }
        if (l->board[0] != before + 1) ck_abort_msg("round %d: a write of member 0 is missing", n);
    }
}

START_TEST(every_member_works_in_every_round)
{
    dice d = {(uint64_t)_i};
    const int members = _i % MEMBERS_MOST + 1, rounds = 2000;
    ledger l = {.members = members};
    error e = {0};
    team *t;
    ck_assert_int_eq(team_create(&t, members, &e), CAROM_OK);
    ck_assert_int_eq(team_members(t), members);
    play(t, &l, rounds, &d);
    for (int k = 0; k < SLOTS - 1; k++) ck_assert_uint_eq(l.board[k], (uint64_t)(rounds * (k % members + 1)));
    team_destroy(t);
    ck_assert_uint_eq(memory_held(), 0);
}
END_TEST

START_TEST(teams_are_independent)
{
    enum { TEAMS = 3 };
    dice d = {77};
    ledger ledgers[TEAMS] = {{.members = 2}, {.members = 5}, {.members = 3}};
    team *teams[TEAMS];
    error e = {0};
    for (int k = 0; k < TEAMS; k++) ck_assert_int_eq(team_create(&teams[k], ledgers[k].members, &e), CAROM_OK);
    for (int n = 0; n < 300; n++) {
        const uint32_t k = dice_below(&d, TEAMS);
        play(teams[k], &ledgers[k], 1 + (int)dice_below(&d, 5), &d);
    }
    for (int k = 0; k < TEAMS; k++) team_destroy(teams[k]);
}
END_TEST

START_TEST(teams_come_and_go)
{
    error e = {0};
    for (int n = 0; n < 300; n++) {
        ledger l = {.members = 1 + n % 4};
        dice d = {(uint64_t)n};
        team *t;
        ck_assert_int_eq(team_create(&t, l.members, &e), CAROM_OK);
        play(t, &l, n % 3, &d);
        team_destroy(t);
    }
    team_destroy(NULL);
    ck_assert_uint_eq(memory_held(), 0);
}
END_TEST

static volatile pthread_t handled_by;

static void note_thread(int number)
{
    (void)number;
    handled_by = pthread_self();
}

static void look_at_mask(void *context, int member)
{
    sigset_t *masks = context;
    pthread_sigmask(SIG_SETMASK, NULL, &masks[member]);
}

/* A signal for the process is delivered to the thread that runs the simulation, whose calls it interrupts. */
START_TEST(signals_reach_the_caller)
{
    enum { MEMBERS = 4 };
    const int numbers[] = {SIGTERM, SIGINT, SIGUSR1, SIGHUP};
    sigset_t masks[MEMBERS];
    error e = {0};
    team *t;
    ck_assert_int_eq(team_create(&t, MEMBERS, &e), CAROM_OK);
    team_run(t, look_at_mask, masks);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        for (int m = 0; m < MEMBERS; m++) ck_assert_int_eq(sigismember(&masks[m], numbers[k]), m > 0);
    signal(SIGUSR1, note_thread);
    for (int n = 0; n < 20; n++) {
        handled_by = 0;
        kill(getpid(), SIGUSR1);
        ck_assert(pthread_equal(handled_by, pthread_self()));
    }
    team_destroy(t);
}
END_TEST

/* Address space for some of the stacks only. */
START_TEST(too_many_threads_are_an_error)
{
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
    return; /* the sanitizer needs the address space itself */
#endif
    error e = {0};
    team *t = NULL;
    const struct rlimit little = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &little), 0);
    ck_assert_int_eq(team_create(&t, 4000, &e), CAROM_INTERNAL);
    ck_assert_ptr_null(t);
    ck_assert_ptr_nonnull(strstr(error_text(&e), " of 4000 cannot be started ("));
    error_clear(&e);
    ck_assert_uint_eq(memory_held(), 0);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("team");
    tcase_add_loop_test(c, every_member_works_in_every_round, 0, 2 * MEMBERS_MOST);
    tcase_add_test(c, teams_are_independent);
    tcase_add_test(c, teams_come_and_go);
    tcase_add_test(c, signals_reach_the_caller);
    tcase_add_test(c, too_many_threads_are_an_error);
    return suite_run("team", c);
}
