/* Each collision of a gas: a histogram of the normal impulses, during the run. The arguments are a scene and the
 * number of collisions. */
#include <carom/carom.h>

#include <stdlib.h>
#include <time.h>

enum { BINS = 10 };

typedef struct histogram {
    uint64_t count[BINS + 1]; /* the last: all beyond */
    uint64_t collisions;
    double width;
} histogram;

/* Receives about ten thousand events at a time. */
static void sort_in(const carom_event *events, size_t count, void *user)
{
    histogram *h = user;
    for (size_t n = 0; n < count; n++) {
        double along = 0;
        for (int k = 0; k < 3; k++) along += events[n].impulse[k] * events[n].normal[k];
        const double bin = along / h->width;
        h->count[bin < BINS ? (int)bin : BINS]++;
    }
    h->collisions += count;
}

static int fail(const char *message, carom_status status)
{
    fprintf(stderr, "%s\n", message);
    return (int)status;
}

int main(int argc, char **argv)
{
    carom_scene *scene = carom_scene_new();
    carom_sim *sim = NULL;
    carom_recording *recording = NULL;
    histogram h = {.width = 0.5};
    const carom_limits until = {.collisions = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000};
    const carom_record_options options = {.kinds = 1u << CAROM_EVENT_COLLISION, .events = sort_in, .user = &h};
    if (scene == NULL) return fail("no memory", CAROM_INTERNAL);
    if (argc < 2) return fail("usage: events SCENE [COLLISIONS]", CAROM_USAGE);

    carom_status status = carom_scene_load(scene, argv[1]);
    if (status != CAROM_OK) return fail(carom_scene_message(scene), status);
    status = carom_sim_new(&sim, scene, NULL);
    if (status == CAROM_OK) status = carom_sim_record(sim, &options, &recording);
    const clock_t start = clock();
    if (status == CAROM_OK) status = carom_sim_run_to(sim, &until);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (status == CAROM_OK) {
        for (int bin = 0; bin <= BINS; bin++)
            printf("impulse from %4.1f: %llu\n", bin * h.width, (unsigned long long)h.count[bin]);
        printf("%llu collisions; %.3g per second of processor time\n", (unsigned long long)h.collisions,
               (double)h.collisions / seconds);
    } else
        fail(carom_sim_message(sim), status);
    carom_sim_free(sim); /* with its recording */
    carom_scene_free(scene);
    return (int)status;
}
