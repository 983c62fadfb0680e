/* Detects observables that a checkpoint does not restore to the bit, that read columns of frames that they have not
 * asked for, or that break the contract of all observables. */
#include "../support/observe.h"
#include "../support/suite.h"

enum { COUNT = 40, SAMPLES = 23 };

static uint64_t impacts[IMPACT_BINS], layers[LAYER_BINS];
static double impact_density[IMPACT_BINS];

/* Two species. Ellipsoids, or spheres if the observable is of spheres alone. */
static carom_frame eggs_of(int dimension, size_t count, double side, bool spheres)
{
    carom_frame f = frame_of(dimension, count, side);
    error e = {0};
    for (size_t i = 0; i < count; i++) f.species[i] = i % 2;
    if (spheres) return f;
    ck_assert(FRAME_ADD(&f, axis, &e) == CAROM_OK);
    for (size_t i = 0; i < count; i++) {
        f.axis[3 * i + i % (size_t)dimension] = 1;
        for (int k = 0; k < 3; k++) f.semi_axes[3 * i + (size_t)k] = k == 0 ? 1 : 0.5;
    }
    return f;
}

/* The boundary along y of all frames: a wall, but periodic for observables that do not measure boxes with walls. */
static int boundary_y;

/* Frame number n of a made-up run, which is rescaled on the way. */
static void make_frame(carom_frame *f, uint64_t n)
{
    f->box[0] = 5.0;
    f->boundary[1] = boundary_y;
    f->time = 0.5 * (double)n;
    f->scale = 0;
    frame_gas(f, 1.0, 7 + n);
    for (size_t k = 0; k < COUNT * 3; k++) f->image[k] = (int64_t)(k + n) % 5;
    for (size_t k = 0; k < COUNT * 3; k++) f->spin[k] = f->velocity[COUNT * 3 - 1 - k];
    frame_rescale(f, (int)(n / 4));
    f->events[EVENT_COLLISION] = 100 * n * n;
    f->events[EVENT_WALL] = 10 * n;
    f->tallies.dissipated = 1.0 / (1.0 + (double)n);
    f->tallies.stabilising = 45 * n * n;
    f->tallies.three_body_again = n / 5;
    f->tallies.three_body_double = n / 3;
    for (int a = 0; a < 3; a++) {
        f->tallies.wall_impulse[a][0] = 3.0 * (double)n;
        f->tallies.wall_impulse[a][1] = sqrt((double)n);
        for (int b = 0; b < 3; b++) f->tallies.virial[a][b] = 7.0 * (double)n + a * b;
        for (int b = 0; b < 3; b++) f->tallies.transport.momentum[a][b] = (double)(n * n % 11) + a * b * (double)n;
        f->tallies.transport.heat[a] = (double)(n * n * n % 17) + a;
    }
    f->tallies.supplied = 0.5 * (double)(n * n);
    for (int i = 0; i < IMPACT_BINS; i++) impacts[i] = abs(i - IMPACT_HALF) < 9 ? n * (uint64_t)i : 0;
    for (int i = 0; i < IMPACT_BINS; i++) impact_density[i] = (double)impacts[i] / (i < IMPACT_HALF ? 0.5 : 1);
    f->tallies.impact = impacts;
    f->tallies.impact_density = impact_density;
    for (int i = 0; i < LAYER_BINS; i++) layers[i] = i < 5 ? n * (uint64_t)(i + 1) : 0;
    f->tallies.layers = layers;
    f->tallies.closest = 1.0 / (1.0 + (double)n);
    f->tallies.ledger = (frame_ledger){.kept = true,
                                       .springs = 1.0,
                                       .contact = 0.5 * (double)(n % 3),
                                       .restitution = 2.0 * (double)n,
                                       .damping = 0.25,
                                       .work = 3.0 * (double)n};
}

static bool same_numbers(const double *a, const double *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static void expect_same(const measure_result *a, const measure_result *b, const char *what)
{
    ck_assert_uint_eq(a->value_count, b->value_count);
    ck_assert_uint_eq(a->table_count, b->table_count);
    for (size_t i = 0; i < a->value_count; i++) {
        const measure_value *x = &a->values[i], *y = &b->values[i];
        ck_assert_str_eq(x->name, y->name);
        ck_assert(x->width == y->width && x->converged == y->converged);
        ck_assert_msg(same_numbers(x->mean, y->mean, x->width), "%s: %s", what, x->name);
        ck_assert_msg(same_numbers(x->error, y->error, x->width), "%s: error of %s", what, x->name);
    }
    for (size_t i = 0; i < a->table_count; i++) {
        const measure_table *x = &a->tables[i], *y = &b->tables[i];
        ck_assert(x->rows == y->rows && x->first_row == y->first_row && x->column_count == y->column_count);
        for (size_t c = 0; c < x->column_count; c++)
            ck_assert_msg(same_numbers(x->columns[c].data, y->columns[c].data, x->rows * x->columns[c].width),
                          "%s: column %s", what, x->columns[c].name);
    }
}

/* Contacts before and after a sample. */
static void gather(observer *o, const carom_frame *f, double turn)
{
    contact_impulse all[3] = {{.boundary = 0}};
    if (o->type->gather == NULL) return;
    for (uint32_t n = 0; n < 3; n++) {
        contact_impulse *c = &all[n];
        c->i = (uint32_t)(f->time * 2) % 3 + n;
        c->j = n == 2 ? CONTACT_BOUNDARY : 7;
        c->species[0] = n % 2;
        for (int a = 0; a < 3; a++) {
            c->place[a] = fmod(f->time + 0.7 * n + a, 5);
            c->branch[a] = sin(turn + n + 2 * a + f->time);
            c->line[a] = c->branch[a];
            c->impulse[a] = c->branch[a] + 0.1 * a;
        }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) c->product[a][b] = c->impulse[a] * c->branch[b];
    }
    const contact_log log = {.at = all, .count = 3, .capacity = 3};
    OBSERVE_OK(o, o->type->gather(o->self, &log, &o->e));
}

static void observe(observer *o, const carom_frame *f)
{
    gather(o, f, 0);
    observer_sample(o, f);
    gather(o, f, 1);
}

static observer observer_of(size_t which)
{
    observer o = observer_new(observables[which]->settings->name);
    if (strcmp(o.type->settings->name, "viscosity") == 0) observer_set(&o, "lags", 5);
    if (strcmp(o.type->settings->name, "thermal_conductivity") == 0) observer_set(&o, "lags", 4);
    if (strcmp(o.type->settings->name, "paths") == 0) {
        observer_set(&o, "within", 50); /* some points are within that of a line, and some are not */
        observer_set(&o, "per_frame", 12);
    }
    if (strcmp(o.type->settings->name, "vacf") == 0) {
        observer_set(&o, "lags", 9);
        observer_set(&o, "origins", 3);
    }
    if (strcmp(o.type->settings->name, "mass_flow") == 0) {
        observer_set_vector(&o, "point", 1, 2, 3);
        observer_set_vector(&o, "normal", 1, 0, 0);
        observer_set(&o, "radius", 2);
    }
    if (strcmp(o.type->settings->name, "mixing") == 0)
        observer_set_species(&o, "between", 2, (const uint32_t[2]){0, 1});
    if (strcmp(o.type->settings->name, "fields") == 0) {
        observer_set_vector(&o, "cells", 4, 5, 1);
        observer_set(&o, "width", 0.3);
    }
    if (strcmp(o.type->settings->name, "stress") == 0 || strcmp(o.type->settings->name, "fabric") == 0)
        observer_set(&o, "axis", 2);
    if (strcmp(o.type->settings->name, "free_surface") == 0) observer_set_vector(&o, "up", 0, 1, 0);
    return o;
}

static bool accepts(size_t which, const carom_frame *f)
{
    observer o = observer_of(which);
    const carom_status status = o.type->create(&o.self, o.settings, f, &o.e);
    observer_free(&o);
    return status == CAROM_OK;
}

static carom_frame first_frame(size_t which)
{
    carom_frame f = eggs_of(3, COUNT, 6.0, false);
    boundary_y = BOUNDARY_WALL;
    make_frame(&f, 0);
    if (accepts(which, &f)) return f;
    boundary_y = BOUNDARY_PERIODIC;
    make_frame(&f, 0);
    if (accepts(which, &f)) return f;
    frame_destroy(&f);
    f = eggs_of(3, COUNT, 6.0, true);
    boundary_y = BOUNDARY_WALL;
    make_frame(&f, 0);
    return f;
}

/* Having seen some frames. */
static observer observer_after_some(size_t which, carom_frame *f)
{
    observer o = observer_of(which);
    observer_start(&o, f);
    for (uint64_t n = 1; n < 9; n++) {
        make_frame(f, n);
        observe(&o, f);
    }
    return o;
}

START_TEST(a_resumed_observer_gives_the_same_bits)
{
    for (size_t which = 0; which < observable_count; which++)
        for (uint64_t stop = 0; stop < SAMPLES; stop += 1 + stop / 4) {
            carom_frame f = first_frame(which);
            observer through = observer_of(which), before = observer_of(which), after = observer_of(which);
            observer_start(&through, &f);
            observer_start(&before, &f);
            for (uint64_t n = 1; n < SAMPLES; n++) {
                make_frame(&f, n);
                observe(&through, &f);
                if (n <= stop) observe(&before, &f);
                if (n == 3) through.type->drain(through.self);
                if (n == 3 && n <= stop) before.type->drain(before.self);
            }
            snapshot saved = {0};
            OBSERVE_OK(&before, before.type->save(before.self, "observe/0", &saved, &before.e));
            make_frame(&f, stop);
            observer_start(&after, &f);
            OBSERVE_OK(&after, after.type->load(after.self, "observe/0", &saved, &after.e));
            for (uint64_t n = stop + 1; n < SAMPLES; n++) {
                make_frame(&f, n);
                observe(&after, &f);
                if (n == 3) after.type->drain(after.self);
            }
            measure_result a = observer_result(&through), b = observer_result(&after);
            expect_same(&a, &b, after.type->settings->name);
            printf("%s, resumed after %llu: same\n", after.type->settings->name, (unsigned long long)stop);
            snapshot_free(&saved);
            observer_free(&through);
            observer_free(&before);
            observer_free(&after);
            frame_destroy(&f);
        }
}
END_TEST

START_TEST(results_may_be_asked_for_at_any_time)
{
    for (size_t which = 0; which < observable_count; which++) {
        carom_frame f = first_frame(which);
        observer often = observer_of(which), once = observer_of(which);
        observer_start(&often, &f);
        observer_start(&once, &f);
        for (uint64_t n = 1; n < SAMPLES; n++) {
            make_frame(&f, n);
            observer_result(&often);
            observe(&often, &f);
            observe(&once, &f);
        }
        measure_result a = observer_result(&often), b = observer_result(&once);
        expect_same(&a, &b, once.type->settings->name);
        observer_free(&often);
        observer_free(&once);
        frame_destroy(&f);
    }
}
END_TEST

/* A frame of which the columns have wrong values until they are needed. */
typedef struct late_frame {
    carom_frame frame;
    frame_source source;
    const carom_frame *whole;
} late_frame;

static void fill_late(frame_source *source, unsigned columns)
{
    const late_frame *late = source->owner;
    const unsigned missing = frame_begin(source, columns);
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++) {
        if (c->kind == CHANNEL_NUMBERS || (c->column & missing) == 0 || frame_array(&late->frame, c) == NULL) continue;
        const size_t each = channel_width(c, late->frame.dimension) * snapshot_element_size(c->type);
        memcpy(frame_array(&late->frame, c), frame_array(late->whole, c), late->frame.count * each);
    }
}

/* The numbers of the frame of which `whole` is set, without its columns. */
static const carom_frame *late_look(late_frame *late)
{
    if (late->frame.source != NULL) (void)frame_begin(&late->source, FRAME_ALL);
    frame_copy(&late->frame, late->whole);
    late->frame.tallies = late->whole->tallies;
    late->source = (frame_source){.frame = &late->frame, .owner = late, .filled = FRAME_ALL, .need = fill_late};
    late->frame.source = &late->source;
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++) {
        if (c->kind == CHANNEL_NUMBERS || frame_array(&late->frame, c) == NULL) continue;
        const size_t each = channel_width(c, late->frame.dimension) * snapshot_element_size(c->type);
        memset(frame_array(&late->frame, c), 0x3b, late->frame.count * each);
    }
    frame_forget(&late->source, 0);
    return &late->frame;
}

START_TEST(observers_need_the_columns_that_they_read)
{
    for (size_t which = 0; which < observable_count; which++) {
        error e = {0};
        carom_frame f = first_frame(which);
        late_frame late = {.whole = &f};
        ck_assert_int_eq(frame_clone(&late.frame, &f, &e), CAROM_OK);
        observer whole = observer_of(which), fit = observer_of(which);
        observer_start(&whole, &f);
        observer_start(&fit, late_look(&late));
        unsigned read = late.source.filled;
        for (uint64_t n = 1; n < SAMPLES; n++) {
            make_frame(&f, n);
            observe(&whole, &f);
            observe(&fit, late_look(&late));
            read |= late.source.filled;
        }
        measure_result a = observer_result(&whole), b = observer_result(&fit);
        expect_same(&a, &b, fit.type->settings->name);
        printf("%s reads columns %x\n", fit.type->settings->name, read);
        ck_assert((read & FRAME_HASH) == 0);
        observer_free(&whole);
        observer_free(&fit);
        late.frame.source = NULL;
        frame_destroy(&late.frame);
        frame_destroy(&f);
    }
}
END_TEST

/* A frame costs no more than the sums that are asked of it. */
START_TEST(energies_need_velocities_and_masses)
{
    error e = {0};
    carom_frame f = first_frame(0);
    late_frame late = {.whole = &f};
    ck_assert_int_eq(frame_clone(&late.frame, &f, &e), CAROM_OK);
    make_frame(&f, 5);
    for (int falls = 0; falls < 2; falls++) {
        f.gravity[1] = -falls;
        const frame_energy whole = frame_energy_of(&f), fit = frame_energy_of(late_look(&late));
        ck_assert_mem_eq(&whole, &fit, sizeof whole);
        const unsigned paths = falls ? FRAME_PATH : 0;
        ck_assert_uint_eq(late.source.filled, FRAME_VELOCITY | FRAME_MASS | FRAME_SPIN | paths);
        (void)frame_row_of(late_look(&late));
        ck_assert_uint_eq(late.source.filled, FRAME_VELOCITY | FRAME_MASS | FRAME_SPIN | FRAME_HASH | paths);
    }
    late.frame.source = NULL;
    frame_destroy(&late.frame);
    frame_destroy(&f);
}
END_TEST

/* A checkpoint that lacks an array, or holds one of another length, is refused with its name. */
START_TEST(a_damaged_checkpoint_is_refused)
{
    for (size_t which = 0; which < observable_count; which++) {
        carom_frame f = first_frame(which);
        observer o = observer_after_some(which, &f);
        snapshot saved = {0};
        OBSERVE_OK(&o, o.type->save(o.self, "x", &saved, &o.e));
        for (size_t i = 0; i < 2 * saved.count; i++) {
            snapshot_array *array = &saved.arrays[i / 2], kept = *array;
            char missing[] = "none";
            if (i % 2 == 0)
                array->name = missing;
            else
                array->count--;
            observer damaged = observer_of(which);
            observer_start(&damaged, &f);
            carom_status status = damaged.type->load(damaged.self, "x", &saved, &damaged.e);
            ck_assert_msg(status == CAROM_BAD_DATA, "%s without %s: %d", o.type->settings->name, kept.name,
                          (int)status);
            ck_assert_msg(strlen(error_text(&damaged.e)) > 0, "no message");
            observer_free(&damaged);
            *array = kept;
        }
        snapshot_free(&saved);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* Names are keys in files: words of small letters, digits and underscores, each once. */
START_TEST(names_are_stable_keys)
{
    for (size_t which = 0; which < observable_count; which++) {
        carom_frame f = first_frame(which);
        observer o = observer_after_some(which, &f);
        measure_result r = observer_result(&o);
        printf("%s:", o.type->settings->name);
        for (size_t i = 0; i < r.value_count; i++) {
            printf(" %s", r.values[i].name);
            ck_assert(strspn(r.values[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(r.values[i].name));
            for (size_t j = 0; j < i; j++) ck_assert_str_ne(r.values[i].name, r.values[j].name);
        }
        for (size_t i = 0; i < r.table_count; i++) {
            printf(" | %s:", r.tables[i].name);
            ck_assert_uint_gt(r.tables[i].rows, 0);
            for (size_t c = 0; c < r.tables[i].column_count; c++) {
                const char *name = r.tables[i].columns[c].name;
                printf(" %s", name);
                ck_assert(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name));
                for (size_t j = 0; j < c; j++) ck_assert_str_ne(name, r.tables[i].columns[j].name);
            }
        }
        printf("\n");
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* No particle, or one: no crash, and nothing is made up. */
START_TEST(empty_and_lonely_frames_are_measured)
{
    for (size_t which = 0; which < observable_count; which++)
        for (size_t count = 0; count < 2; count++) {
            carom_frame like = first_frame(which);
            carom_frame f = eggs_of(2, count, 6.0, like.axis == NULL);
            f.boundary[1] = BOUNDARY_WALL;
            f.tallies.impact = impacts;
            f.tallies.impact_density = impact_density;
            f.tallies.layers = layers;
            f.tallies.ledger.kept = true;
            if (!accepts(which, &f)) f.boundary[1] = BOUNDARY_PERIODIC;
            if (strcmp(observables[which]->settings->name, "chains") == 0) { /* there is none */
                ck_assert(!accepts(which, &f));
                frame_destroy(&f);
                frame_destroy(&like);
                continue;
            }
            observer o = observer_of(which);
            observer_start(&o, &f);
            for (int n = 0; n < 4; n++) {
                f.time += 1.0;
                observe(&o, &f);
            }
            observer_result(&o);
            snapshot saved = {0};
            OBSERVE_OK(&o, o.type->save(o.self, "x", &saved, &o.e));
            OBSERVE_OK(&o, o.type->load(o.self, "x", &saved, &o.e));
            snapshot_free(&saved);
            observer_free(&o);
            frame_destroy(&f);
            frame_destroy(&like);
        }
}
END_TEST

/* Scaled velocities are the same motion: all results agree to rounding (powers of two: to the bit). */
START_TEST(a_scaled_frame_gives_the_same)
{
    for (size_t which = 0; which < observable_count; which++) {
        carom_frame f = first_frame(which);
        observer plain = observer_of(which), scaled = observer_of(which);
        observer_start(&plain, &f);
        observer_start(&scaled, &f);
        for (uint64_t n = 1; n < SAMPLES; n++) {
            make_frame(&f, n);
            frame_rescale(&f, -(int)f.scale);
            observe(&plain, &f);
            frame_rescale(&f, 3 * (int)n - 20);
            observe(&scaled, &f);
        }
        measure_result a = observer_result(&plain), b = observer_result(&scaled);
        if (strstr(plain.type->settings->name, "temperature") == NULL) /* their logarithms round */
            expect_same(&a, &b, plain.type->settings->name);
        else
            ck_assert(same_numbers(a.values[0].mean, b.values[0].mean, 1));
        observer_free(&plain);
        observer_free(&scaled);
        frame_destroy(&f);
    }
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all observables");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, a_resumed_observer_gives_the_same_bits);
    tcase_add_test(all, results_may_be_asked_for_at_any_time);
    tcase_add_test(all, observers_need_the_columns_that_they_read);
    tcase_add_test(all, energies_need_velocities_and_masses);
    tcase_add_test(all, a_damaged_checkpoint_is_refused);
    tcase_add_test(all, names_are_stable_keys);
    tcase_add_test(all, empty_and_lonely_frames_are_measured);
    tcase_add_test(all, a_scaled_frame_gives_the_same);
    return suite_run("all observables", all);
}
