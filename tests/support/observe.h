/* Observers under test: settings with their defaults, frames made by hand, results looked up by name. */
#ifndef CAROM_TESTS_OBSERVE_H
#define CAROM_TESTS_OBSERVE_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "expect.h"
#include "frame/channels.h"
#include "measure/measure.h"
#include "scene/scene.h"

static inline const observable *observe_find(const char *name)
{
    for (size_t i = 0; i < observable_count; i++)
        if (strcmp(observables[i]->settings->name, name) == 0) return observables[i];
    ck_abort_msg("no observable '%s'", name);
}

/* The struct of a settings table, filled with the defaults; without them, and with empty ones, it is as `begin` makes it. */
static inline void *observe_defaults(const settings_table *table)
{
    char *settings = memory_new(table->size, 1);
    if (table->begin != NULL) table->begin(NULL, settings);
    for (size_t i = 0; i < table->count; i++) {
        const setting *s = &table->entries[i];
        void *field = settings + s->offset;
        if (s->fallback == NULL || s->fallback[0] == '\0') continue;
        if (s->type == SETTING_INTEGER)
            *(uint64_t *)field = strtoull(s->fallback, NULL, 10);
        else if (s->type == SETTING_REAL)
            *(double *)field = atof(s->fallback);
        else if (s->type == SETTING_BOOL)
            *(bool *)field = strcmp(s->fallback, "true") == 0;
        else if (s->type == SETTING_CHOICE)
            while (strcmp(s->choices[*(int *)field], s->fallback) != 0) ++*(int *)field;
        else if (s->type == SETTING_VECTOR)
            ck_assert_int_eq(
                sscanf(s->fallback, "[%lf, %lf, %lf]", (double *)field, (double *)field + 1, (double *)field + 2), 3);
        else
            ck_abort_msg("%s.%s: type not known here", table->name, s->name);
    }
    return settings;
}

static inline const setting *observe_setting(const settings_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->entries[i].name, name) == 0) return &table->entries[i];
    ck_abort_msg("%s has no setting '%s'", table->name, name);
}

/* One observer with its settings. */
typedef struct observer {
    const observable *type;
    void *settings, *self;
    error e;
} observer;

static inline observer observer_new(const char *name)
{
    observer o = {.type = observe_find(name)};
    o.settings = observe_defaults(o.type->settings);
    return o;
}

static inline void observer_set(observer *o, const char *name, double value)
{
    const setting *s = observe_setting(o->type->settings, name);
    void *field = (char *)o->settings + s->offset;
    if (s->type == SETTING_INTEGER)
        *(uint64_t *)field = (uint64_t)value;
    else if (s->type == SETTING_REAL)
        *(double *)field = value;
    else if (s->type == SETTING_CHOICE)
        *(int *)field = (int)value;
    else
        *(bool *)field = value != 0.0;
}

static inline void observer_set_vector(observer *o, const char *name, double x, double y, double z)
{
    const double v[3] = {x, y, z};
    const setting *s = observe_setting(o->type->settings, name);
    ck_assert(s->type == SETTING_VECTOR);
    memcpy((char *)o->settings + s->offset, v, sizeof v);
}

/* Of one species, or a list of two. */
static inline void observer_set_species(observer *o, const char *name, size_t count, const uint32_t *species)
{
    const setting *s = observe_setting(o->type->settings, name);
    ck_assert(s->form == (count == 1 ? &form_species : &form_species_pair));
    memcpy((char *)o->settings + s->offset, species, count * sizeof *species);
}

#define OBSERVE_OK(o, call) ck_assert_msg((call) == CAROM_OK, "%s", error_text(&(o)->e))

static inline void observer_start(observer *o, const carom_frame *first)
{
    OBSERVE_OK(o, o->type->create(&o->self, o->settings, first, &o->e));
}

static inline void observer_sample(observer *o, const carom_frame *frame)
{
    OBSERVE_OK(o, o->type->sample(o->self, frame, &o->e));
}

static inline measure_result observer_result(observer *o)
{
    measure_result result;
    OBSERVE_OK(o, o->type->result(o->self, &result, &o->e));
    return result;
}

static inline void observer_free(observer *o)
{
    o->type->destroy(o->self);
    memory_free(o->settings);
    error_clear(&o->e);
}

static inline measure_value result_value(const measure_result *r, const char *name)
{
    for (size_t i = 0; i < r->value_count; i++)
        if (strcmp(r->values[i].name, name) == 0) return r->values[i];
    ck_abort_msg("no value '%s'", name);
}

static inline measure_table result_table(const measure_result *r, const char *name)
{
    for (size_t i = 0; i < r->table_count; i++)
        if (strcmp(r->tables[i].name, name) == 0) return r->tables[i];
    ck_abort_msg("no table '%s'", name);
}

static inline measure_column table_column(const measure_table *t, const char *name)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (strcmp(t->columns[i].name, name) == 0) return t->columns[i];
    ck_abort_msg("no column '%s'", name);
}

/* A periodic box of unit masses and moments of inertia at rest, ids in order, each a cluster. */
static inline carom_frame frame_of(int dimension, size_t count, double side)
{
    carom_frame f;
    error e = {0};
    ck_assert(frame_create(&f, dimension, count, &e) == CAROM_OK);
    ck_assert(FRAME_ADD(&f, cluster, &e) == CAROM_OK);
    ck_assert(FRAME_ADD(&f, spin, &e) == CAROM_OK);
    ck_assert(FRAME_ADD(&f, inertia, &e) == CAROM_OK);
    for (int a = 0; a < dimension; a++) f.box[a] = side;
    for (size_t i = 0; i < count; i++) {
        f.mass[i] = f.inertia[i] = 1.0;
        f.radius[i] = 0.5;
        f.id[i] = f.cluster[i] = (uint32_t)i;
    }
    return f;
}

/* Velocities with normal components of variance temperature / mass; uniform positions. */
static inline void frame_gas(carom_frame *f, double temperature, uint64_t seed)
{
    random_key velocity = {seed, RANDOM_VELOCITY}, position = {seed, RANDOM_POSITION};
    for (size_t i = 0; i < f->count; i++)
        for (int a = 0; a < f->dimension; a++) {
            double normal[2], uniform[2];
            size_t at = i * (size_t)f->dimension + (size_t)a;
            random_normal2(velocity, i, (uint64_t)a, normal);
            random_uniform2(position, i, (uint64_t)a, uniform);
            f->velocity[at] = normal[0] * sqrt(temperature / f->mass[i]);
            f->position[at] = uniform[0] * f->box[a];
        }
}

/* The same physical velocities and spins, stored times 2^scale. */
static inline void frame_rescale(carom_frame *f, int scale)
{
    for (size_t k = 0; k < f->count * (size_t)f->dimension; k++) f->velocity[k] = ldexp(f->velocity[k], scale);
    for (size_t k = 0; k < 3 * f->count; k++) f->spin[k] = ldexp(f->spin[k], scale);
    f->scale += scale;
}

#endif
