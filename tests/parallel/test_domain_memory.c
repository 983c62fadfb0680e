/* Detects domains of parallel runs whose cells or grids of lists cover the whole box, and bodies of the whole that are in
 * memory while the domains have them: during the run, and for frames and checkpoints that read them in the domains. */
#include "../support/suite.h"

#define CAROM_DIM 3
#define HARD_KERNEL hard_kernel_of_test
#include "hard/kernel/kernel.c"

#include "../support/lone_engine.h"

enum { THREADS = 8, COUNT = 4000, COLLISIONS = 3000 };

static const char *const scenes[] = {
    "particles: [{species: g, count: 4000, place: fcc, velocity: {maxwell: 1}}]\n"
    "box: {packing_fraction: 0.05, boundary: periodic}\n",
    "particles: [{species: g, count: 4000, place: fcc, velocity: {maxwell: 1}}]\n"
    "box: {packing_fraction: 0.45, boundary: periodic}\n",
    "particles: [{species: g, count: 4000, place: fcc, velocity: {maxwell: 1}}]\n"
    "box: {packing_fraction: 0.05, boundary: wall}\n",
    "particles: [{species: g, count: 2000, place: random, velocity: {maxwell: 1}}, "
    "{species: h, count: 2000, place: random, velocity: {maxwell: 1}}]\n"
    "box: {packing_fraction: 0.2, boundary: wall}\n",
    "particles: [{species: g, count: 4000, place: fcc, velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [g, g], restitution: 1, tangential: 0.5}]\n"
    "box: {packing_fraction: 0.1, boundary: periodic}\n",
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static play open_scene(int number)
{
    char text[1024];
    snprintf(text, sizeof text,
             "carom: 1\nengine: hard\ndimension: 3\nseed: 3\nspecies: {g: {diameter: 1, mass: 1}, h: {diameter: 0.4, "
             "mass: 1}}\n"
             "%srun: {until: {collisions: %d, time: 1000}}\n",
             scenes[number], COLLISIONS);
    return play_try(text, "hard.precision=double", NULL);
}

static bool has_bodies(const gas *g)
{
    return g->body != NULL || g->id != NULL || g->image != NULL || g->plan != NULL || g->stall.time != NULL ||
           g->image_high != NULL || g->stall.count != NULL;
}

/* Length along an axis on which a domain has cells. */
static double length_of_search(const gas *g, int k)
{
    const cell_grid *c = g->cells;
    return c != NULL ? (double)((real)c->count[k] * c->width[k]) : (double)g->lists->length[k];
}

static void check_domain(const domain *d)
{
    const crew *c = d->crew;
    const gas *g = d->gas;
    const double depth = c->range + c->slack + c->shield;
    bool part = false;
    for (int k = 0; k < DIM; k++) {
        const double low = fmax(c->cuts.region[d->index].low[k], 0),
                     high = fmin(c->cuts.region[d->index].high[k], (double)g->size[k]), length = length_of_search(g, k);
        const bool all = length > 0.999 * (double)g->size[k] && high - low + 2 * depth + c->range > (double)g->size[k];
        if (!all) REQUIRE(length <= 1.001 * (high - low + 2 * depth));
        part = part || !all;
    }
    REQUIRE(part);
    if (g->cells != NULL) REQUIRE(g->cells->total <= CELLS_PER_BODY * (size_t)g->room + SPARE_CELLS_OF_GAS);
    if (g->lists != NULL) REQUIRE(g->lists->cell_total <= g->room + SPARE_CELLS + SPARE_CELLS_OF_LEVEL * MOST_LEVELS);
}

/* A frame and a checkpoint: a copy of the bodies is made only if they have more data. */
static void look_and_save(lone_engine *l, lone_engine *resumed)
{
    gas *g = l->self;
    snapshot saved = {.count = 0};
    lone_look(l);
    REQUIRE(l->kernel->save(g, &saved, &l->e) == CAROM_OK);
    REQUIRE(resumed->kernel->load(resumed->self, &saved, &resumed->e) == CAROM_OK);
    snapshot_free(&saved);
    REQUIRE(has_bodies(g) == g->body_data && g->plan == NULL);
}

START_TEST(domains_cover_their_regions)
{
    const engine_workers workers = {.threads = THREADS};
    play p = open_scene(_i);
    lone_engine l = {.self = NULL}, serial = {.self = NULL}, resumed = {.self = NULL};
    lone_create(&l, p.scene, &hard_kernel_of_test.run, &workers);
    lone_create(&serial, p.scene, NULL, NULL);
    lone_create(&resumed, p.scene, NULL, NULL);
    gas *g = l.self;
    const engine_limits part = {.time = INFINITY, .events = UINT64_MAX, .collisions = COLLISIONS / 2, .slice = 1};
    REQUIRE(l.kernel->advance(l.self, &part, &l.stop, &l.e) == CAROM_OK);
    REQUIRE(l.stop == CAROM_STOP_NONE);
    REQUIRE(g->crew->dispersed && !has_bodies(g));
    for (int n = 0; n < THREADS; n++) check_domain(&g->crew->domain[n]);
    look_and_save(&l, &resumed);
    REQUIRE(l.kernel->advance(l.self, &part, &l.stop, &l.e) == CAROM_OK);
    REQUIRE(!has_bodies(g));
    lone_advance(&l, 1);
    lone_advance(&serial, 1);
    REQUIRE(lone_same(&l, &serial));
    lone_advance(&resumed, 1);
    REQUIRE(lone_same(&resumed, &serial));
    lone_destroy(&resumed);
    lone_destroy(&l);
    lone_destroy(&serial);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("domain_memory");
    tcase_add_loop_test(c, domains_cover_their_regions, 0, SCENES);
    tcase_set_timeout(c, 60);
    return suite_run("test_domain_memory", c);
}
