/* Detects results of parallel runs that depend on the cuts of space (drawn at random, through the centres of bodies, moved during
 * the run, domains without bodies) or on the thickness of halos: some so thin that windows contain few events. */
#include "../support/random_domains.h"
#include "../support/suite.h"

#include "hard/kernel/tuning.h"
#include "parallel/cuts.h" /* before its function has another name */

#undef HALO_SHIELD
#define HALO_SHIELD drawn_shield
#undef HALO_PARTNERS
#define HALO_PARTNERS 0
#undef RECUT_IMBALANCE
#define RECUT_IMBALANCE (-1.0) /* new cuts at each re-basing */
#undef RECUT_DEVIATIONS
#define RECUT_DEVIATIONS 0
#undef RECUT_COST
#define RECUT_COST (-1.0)
#define cuts_make drawn_cuts
static double drawn_shield = 1;
static carom_status drawn_cuts(cuts *c, int dimension, const double box[3], int domains, const cuts *before,
                               const cuts_bodies *bodies, error *e);

#define CAROM_DIM 2
#define HARD_KERNEL hard_kernel_of_test
#include "hard/kernel/kernel.c"
#undef cuts_make

#include "../support/lone_engine.h"

enum { QUICK = 20, ALL = 120, EVENTS_MOST = 1500, STRETCHES = 4 };

static dice die;
static play_text text;

enum { POINTS = 64 };

static carom_status count_points(void *context, const cutting *k, uint64_t *table, error *e)
{
    const double(*r)[3] = context;
    (void)e;
    for (int n = 0; n < POINTS; n++) cutting_count(k, table, r[n], 1);
    return CAROM_OK;
}

static double (*places)[3];
static size_t place_count;

static void add_place(domain *d, const double place[3])
{
    (void)d;
    memcpy(places[place_count++], place, sizeof *places);
}

static bool is_in(const region *part, int dimension, const double r[3])
{
    for (int k = 0; k < dimension; k++)
        if (r[k] < part->low[k] || !(r[k] < part->high[k])) return false;
    return true;
}

/* Moves cut n of this part of space, and those below it, to centres of bodies; domains may be empty. */
static void cut_at_bodies(cuts *c, int n, region part)
{
    if (n < 0) {
        c->region[-1 - n] = part;
        return;
    }
    cut *own = &c->cut[n];
    for (int k = 0; k < 20; k++) {
        const double *r = places[dice_below(&die, (uint32_t)place_count)];
        own->at = r[own->axis];
        if (is_in(&part, c->dimension, r)) break;
    }
    own->at = fmin(fmax(own->at, part.low[own->axis]), part.high[own->axis]);
    region lower = part, upper = part;
    lower.high[own->axis] = upper.low[own->axis] = own->at;
    cut_at_bodies(c, own->below, lower);
    cut_at_bodies(c, own->above, upper);
}

static void cut_through_bodies(cuts *c, const crew *of)
{
    region all;
    places = memory_new(of->gas->count, sizeof *places);
    place_count = 0;
    for (int n = 0; n < of->count; n++) each_body(&of->domain[n], add_place);
    for (int k = 0; k < 3; k++) {
        all.low[k] = c->box[k] > 0 ? 0 : -INFINITY;
        all.high[k] = c->box[k] > 0 ? c->box[k] : INFINITY;
    }
    cut_at_bodies(c, c->domains > 1 ? 0 : -1, all);
    memory_free(places);
}

/* Bisects points at random in a part of the box, in place of the bodies; or cuts through the centres of bodies. */
static carom_status drawn_cuts(cuts *c, int dimension, const double box[3], int domains, const cuts *before,
                               const cuts_bodies *bodies, error *e)
{
    double r[POINTS][3] = {{0}};
    const double dense = dice_real(&die, 0.5, 4);
    cuts_bodies drawn = {.context = r, .count = count_points};
    for (int k = 0; k < dimension; k++) {
        drawn.high[k] = box[k] > 0 ? box[k] : 12;
        for (int n = 0; n < POINTS; n++) r[n][k] = drawn.high[k] * pow(dice_real(&die, 0, 1), dense);
    }
    const carom_status status = cuts_make(c, dimension, box, domains, before, &drawn, e);
    if (status == CAROM_OK && dice_below(&die, 3) == 0) cut_through_bodies(c, bodies->context);
    return status;
}

/* A change of no velocities: the bodies are united, and divided by new cuts. */
static void move_cuts(lone_engine *l, double time)
{
    if (l->kernel->set_velocities(l->self, time, 0, NULL, NULL, &l->e) != CAROM_OK)
        ck_abort_msg("%s", error_text(&l->e));
}

/* ---- what holds after each window --------------------------------------------------------------------------------- */

/* Index of each body in a domain, or NO_POST. */
static uint32_t *places_in(const domain *d, uint32_t count)
{
    uint32_t *place = NEW_ARRAY(count, uint32_t);
    for (uint32_t n = 0; n < count; n++) place[n] = NO_POST;
    for (uint32_t i = 0; i < d->gas->count; i++)
        if (d->role[i] != ROLE_ABSENT) place[d->gas->id[i]] = i;
    return place;
}

static double distance_between(const gas *g, uint32_t i, const gas *h, uint32_t j)
{
    double a[3], b[3], square = 0;
    place_in_box(g, i, a);
    place_in_box(h, j, b);
    for (int k = 0; k < DIM; k++) {
        double x = fabs(a[k] - b[k]);
        if (g->box[k] > 0) x = fmin(x, (double)g->box[k] - x);
        square += x * x;
    }
    return sqrt(square);
}

/* Whether two bodies may interact before the end of the epoch, with the largest permitted speeds. */
static bool may_meet(const crew *c, const gas *g, uint32_t i, const gas *h, uint32_t j)
{
    const double touch = c->linked ? c->range : (double)extent_of(g, i) + (double)extent_of(h, j);
    const double way = 2 * c->speed * (double)(c->epoch_end - c->reached);
    return distance_between(g, i, h, j) <= touch + (1 - 1e-9) * way;
}

/* Owned body j of domain `of`, and domain d, in which its copy is body `copy`. Copies outside of the contact layer do not have all
 * links. */
static void check_copy(const domain *d, const domain *of, uint32_t j, uint32_t copy)
{
    const gas *g = d->gas, *h = of->gas;
    const bool absent = copy == NO_POST;
    if (!absent && d->role[copy] == ROLE_OWNED) ck_abort_msg("two owners\n%s", text.text);
    if (!absent && (memcmp(g->body[copy].r, h->body[j].r, sizeof h->body[j].r) != 0 ||
                    memcmp(g->body[copy].v, h->body[j].v, sizeof h->body[j].v) != 0 ||
                    (d->role[copy] == ROLE_LAYER && body_chain(g, copy, HASH_START) != body_chain(h, j, HASH_START))))
        ck_abort_msg("a copy differs from its original\n%s", text.text);
    for (uint32_t i = 0; i < g->count && (absent || d->role[copy] != ROLE_LAYER); i++)
        if (d->role[i] == ROLE_OWNED && may_meet(d->crew, g, i, h, j))
            ck_abort_msg("a body that may be reached is not in the contact layer\n%s", text.text);
}

static void check_domain(const crew *c, const domain *d)
{
    uint32_t *place = places_in(d, c->gas->count);
    for (uint32_t i = 0; i < d->gas->count; i++)
        if (d->role[i] == ROLE_OWNED && speed_at(d->gas, i, d->gas->now) > c->speed * (1 + 1e-12))
            ck_abort_msg("a body is faster than the bound\n%s", text.text);
    for (int m = 0; m < c->count; m++) {
        const domain *of = &c->domain[m];
        for (uint32_t j = 0; m != d->index && j < of->gas->count; j++)
            if (of->role[j] == ROLE_OWNED) check_copy(d, of, j, place[of->gas->id[j]]);
    }
    memory_free(place);
}

static void check_domains(const crew *c)
{
    uint32_t owned = 0;
    if (!c->dispersed || c->domain[c->first].rebuild) return; /* after a re-basing the halos are made anew */
    for (int n = 0; n < c->count; n++) {
        const domain *d = &c->domain[n];
        for (uint32_t i = 0; i < d->gas->count; i++) owned += d->role[i] == ROLE_OWNED;
        check_domain(c, d);
    }
    ck_assert_uint_eq(owned, c->gas->count);
}

/* Window by window: what the proof assumes (docs/parallel.md) holds after each eighth. */
static void advance_checked(lone_engine *l, double part)
{
    const gas *g = l->self;
    const engine_limits limits = lone_limits(l, part, 1);
    for (int n = 0; n == 0 || l->stop == CAROM_STOP_NONE; n++) {
        const carom_status status = l->kernel->advance(l->self, &limits, &l->stop, &l->e);
        if (status != CAROM_OK && status != CAROM_DYNAMICS) ck_abort_msg("%s", error_text(&l->e));
        if (n % 8 == 0) check_domains(g->crew);
    }
    lone_look(l);
}

static void compare_with_serial(void)
{
    static const double shields[] = {0.01, 0.1, 0.5, 1.5};
    drawn_shield = shields[dice_below(&die, 4)];
    const engine_workers workers = {.threads = 2 + (int)dice_below(&die, 7)};
    play p = play_try(text.text, "hard.precision=double", NULL);
    lone_engine serial = {.self = NULL}, parallel = {.self = NULL};
    lone_create(&serial, p.scene, NULL, NULL);
    lone_create(&parallel, p.scene, &hard_kernel_of_test.run, &workers);
    for (int k = 1; k <= STRETCHES; k++) {
        lone_advance(&serial, (double)k / STRETCHES);
        advance_checked(&parallel, (double)k / STRETCHES);
        if (!lone_same(&serial, &parallel))
            ck_abort_msg("part %d: other results on %d threads with shields of %g\n%s", k, workers.threads,
                         drawn_shield, text.text);
        if (serial.stop != CAROM_STOP_TIME) break;
        const double time = (double)k / STRETCHES * serial.scene->until.time;
        move_cuts(&serial, time);
        move_cuts(&parallel, time);
    }
    lone_destroy(&serial);
    lone_destroy(&parallel);
    play_close(&p);
}

START_TEST(results_depend_neither_on_cuts_nor_on_halos)
{
    uint64_t number = 2 * (uint64_t)_i;
    die = (dice){number + 77};
    while (random_domains_write(&text, number, false, EVENTS_MOST).dimension != CAROM_DIM) number++;
    compare_with_serial();
}
END_TEST

/* Diameters from 0.02 to 2, their numbers a power law; the large ones at rest at first, or fast. */
START_TEST(cuts_through_bodies_of_all_sizes)
{
    enum { SIZES = 7 };
    double diameter = 2, count = 3;
    die = (dice){(uint64_t)_i + 1234};
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: 2\nseed: %d\nbox: {size: [12, 8], boundary: %s}\nspecies:\n",
             _i, _i % 2 ? "wall" : "periodic");
    for (int k = 0; k < SIZES; k++, diameter /= pow(100, 1.0 / (SIZES - 1)))
        play_add(&text, "  s%d: {diameter: %.9g, mass: 1}\n", k, diameter);
    play_add(&text, "particles:\n");
    for (int k = 0; k < SIZES; k++, count *= 1.9)
        play_add(&text, "  - {species: s%d, count: %d, place: random, velocity: {maxwell: %g}}\n", k, (int)count,
                 k > 0 || _i % 3 ? 1.0 : 1e-9);
    play_add(&text, "run: {until: {time: 3}}\n");
    compare_with_serial();
}
enum { SIZES_QUICK = 2, SIZES_ALL = 12 };
END_TEST

int main(int argc, char **argv)
{
    uint64_t first = 0, count = 0;
    suite_scenes(argc, argv, &first, &count);
    TCase *c = tcase_create("thin_halos"), *rest = suite_long_case();
    if (count > 0) {
        tcase_add_loop_test(c, results_depend_neither_on_cuts_nor_on_halos, (int)first, (int)(first + count));
        return suite_run("test_thin_halos", c);
    }
    suite_split_loop(c, rest, results_depend_neither_on_cuts_nor_on_halos, QUICK, ALL);
    suite_split_loop(c, rest, cuts_through_bodies_of_all_sizes, SIZES_QUICK, SIZES_ALL);
    tcase_set_timeout(c, 60);
    return suite_run("test_thin_halos", c, rest);
}
