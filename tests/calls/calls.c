/* Detects crashes, hangs, leaks and errors without a message when functions of carom.h are called with wrong
 * arguments, alone and in random sequences. world.c and values.c hold the arguments.
 *
 *     calls [COUNT [SEED]]         all calls, then COUNT random sequences
 *     calls --seconds S [SEED]     random sequences only */
#include "calls.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct call {
    const char *name;
    void (*make)(chooser *c);
} call;

enum { PATIENCE = 60, SEQUENCE = 8 }; /* seconds a call, calls a sequence */

#include "calls.inc"

enum { CALLS = sizeof calls / sizeof *calls };

static char now[256]; /* what is called: said by signal handlers */

/* ---- looking ----------------------------------------------------------------------------------------------------- */

static void say_call(int number)
{
    static const char crashed[] = "\ncrashed: ", hangs[] = "\nhangs: ";
    const char *what = number == SIGALRM ? hangs : crashed;
    ssize_t ignored = write(STDERR_FILENO, what, strlen(what));
    ignored += write(STDERR_FILENO, now, strlen(now));
    (void)ignored;
    signal(number, SIG_DFL);
    raise(number);
}

static void fault(chooser *c, const char *what)
{
    fprintf(stderr, "%s: %s\n", now, what);
    c->failed = true;
}

void call_begins(chooser *c)
{
    (void)c;
    alarm(PATIENCE);
}

void call_ends(chooser *c)
{
    (void)c;
    alarm(0);
}

void see_status(chooser *c, carom_status status, const char *message)
{
    switch (status) {
    case CAROM_OK:
    case CAROM_EARLY:
    case CAROM_VIOLATION:
        return;
    case CAROM_USAGE:
    case CAROM_BAD_DATA:
    case CAROM_NO_INPUT:
    case CAROM_INTERNAL:
    case CAROM_NO_CREATE:
    case CAROM_IO:
    case CAROM_DYNAMICS:
        if (message != NULL && *message == '\0') fault(c, "an error without a message");
        return;
    }
    fault(c, "a status that does not exist");
}

void see_text(chooser *c, const char *text)
{
    if (text != NULL && strlen(text) > 1 << 26) fault(c, "a text without an end");
}

void see_own_text(chooser *c, char *text)
{
    see_text(c, text);
    carom_free(text);
}

void see_stop(chooser *c, carom_stop value)
{
    if (strcmp(carom_stop_name(value), "unknown") == 0) fault(c, "a stop that does not exist");
}

void see_count(chooser *c, size_t value)
{
    if (value > 1000) fault(c, "a count of what is not there");
}

void see_numbers(chooser *c, const double *values)
{
    if (values != NULL && !isfinite(values[0])) fault(c, "no number");
}

void see_frame(chooser *c, const carom_frame *frame)
{
    if (frame != NULL && carom_frame_count(frame) == 0) fault(c, "an empty frame");
}

void see_step(chooser *c, const carom_step *step)
{
    if (step != NULL && (step->kind[0] == '\0' || !(step->step > 0))) fault(c, "an empty step");
}

void see_observable(chooser *c, const carom_observable *observable)
{
    if (observable == NULL) return;
    if (observable->name[0] == '\0' || observable->what[0] == '\0') fault(c, "an observable without a name");
    for (size_t k = 0; k < observable->value_count; k++)
        if (observable->values[k].name[0] == '\0') fault(c, "a value without a name");
    for (size_t k = 0; k < observable->table_count; k++)
        if (observable->tables[k].column_count == 0) fault(c, "a table without columns");
}

void see_fault(chooser *c, const carom_fault *one)
{
    if (one != NULL && (one->file == NULL || one->key == NULL || one->message[0] == '\0' || one->hint == NULL))
        fault(c, "an empty fault");
}

void see_double(chooser *c, double value)
{
    if (isnan(value)) fault(c, "no number");
}

void see_bool(chooser *c, bool value)
{
    (void)c, (void)value;
}

void see_int(chooser *c, int value)
{
    (void)c, (void)value;
}

void see_int64(chooser *c, int64_t value)
{
    (void)c, (void)value;
}

void see_uint64(chooser *c, uint64_t value)
{
    (void)c, (void)value;
}

void see_scene(chooser *c, carom_scene *scene)
{
    if (scene == NULL) fault(c, "no scene");
    carom_scene_free(scene);
}

void see_sweep(chooser *c, carom_sweep *sweep)
{
    if (sweep == NULL) fault(c, "no sweep");
    carom_sweep_free(sweep);
}

void see_statistics(chooser *c, carom_statistics statistics)
{
    if (statistics.count > 5) fault(c, "more numbers than given");
}

/* ---- calling ----------------------------------------------------------------------------------------------------- */

static bool make_call(const call *what, chooser *c)
{
    c->position = c->texts = 0;
    what->make(c);
    return !c->failed;
}

/* One call in a world of its own; what it leaves is used as a sound program would. */
static bool alone(const call *what, chooser *c)
{
    snprintf(now, sizeof now, "%s with argument %zu = %zu, %zu = %zu", what->name, c->forced[0], c->to[0],
             c->forced_count > 1 ? c->forced[1] : 0, c->forced_count > 1 ? c->to[1] : 0);
    c->alternatives = 0;
    bool sound = make_call(what, c);
    alarm(PATIENCE);
    if (sound && !world_use(c)) {
        fault(c, "the simulation goes on with what is no number");
        sound = false;
    }
    world_renew();
    alarm(0);
    return sound;
}

/* Each value of the choice at `first`, and where it brings further choices, each of theirs. */
static bool all_of(const call *what, size_t first, size_t usual, size_t *made)
{
    bool sound = true;
    chooser c = {.forced = {first}, .forced_count = 1};
    for (c.to[0] = 0; sound; c.to[0]++) {
        sound = alone(what, &c);
        ++*made;
        if (c.to[0] + 1 >= c.alternatives) break;
        const size_t further = c.position > usual ? c.position - usual : 0;
        for (size_t k = 1; sound && k <= further; k++) {
            chooser deep = {.forced = {first, first + k}, .to = {c.to[0], 0}, .forced_count = 2};
            do {
                sound = alone(what, &deep);
                ++*made;
            } while (sound && ++deep.to[1] < deep.alternatives);
        }
    }
    return sound;
}

static bool call_all(void)
{
    for (size_t k = 0; k < CALLS; k++) {
        size_t made = 1;
        chooser usual = {.forced_count = 0};
        bool sound = alone(&calls[k], &usual);
        for (size_t p = 0; sound && p < usual.position; p++) sound = all_of(&calls[k], p, usual.position, &made);
        if (!sound) return false;
        printf("%-32s %5zu calls\n", calls[k].name, made);
        fflush(stdout);
    }
    return true;
}

static bool call_some(uint64_t seed)
{
    uint64_t random = seed * 2 + 1;
    chooser c = {.random = next_random(&random) | 1};
    for (int k = 0; k < SEQUENCE; k++) {
        const call *what = &calls[next_random(&random) % CALLS];
        snprintf(now, sizeof now, "%s, call %d of sequence %llu (calls 1 %llu)", what->name, k + 1,
                 (unsigned long long)seed, (unsigned long long)seed);
        if (!make_call(what, &c)) return false;
    }
    world_renew();
    return true;
}

static bool call_for(double seconds, uint64_t seed)
{
    const time_t end = time(NULL) + (time_t)seconds;
    uint64_t first = seed;
    while (time(NULL) < end)
        if (!call_some(seed++)) return false;
    printf("%llu sequences of %d calls\n", (unsigned long long)(seed - first), SEQUENCE);
    return true;
}

int main(int count, char **words)
{
    const bool timed = count > 2 && strcmp(words[1], "--seconds") == 0;
    const int at = timed ? 2 : 1;
    const double amount = count > at ? strtod(words[at], NULL) : 500;
    const uint64_t seed = count > at + 1 ? strtoull(words[at + 1], NULL, 10) : 1;
    signal(SIGALRM, say_call);
    signal(SIGABRT, say_call);
#if !defined __SANITIZE_ADDRESS__ /* they report more */
    signal(SIGSEGV, say_call);
#endif
    if (!world_open()) {
        fputs("cannot make the files of the test\n", stderr);
        return 1;
    }
    bool sound = timed ? call_for(amount, seed) : count > at + 1 || call_all();
    for (uint64_t k = 0; !timed && sound && k < (uint64_t)amount; k++) sound = call_some(seed + k);
    if (!timed && sound)
        printf("%.0f random sequences of %d calls from seed %llu\n", amount, SEQUENCE, (unsigned long long)seed);
    world_renew();
    world_close();
    return sound ? 0 : 1;
}
