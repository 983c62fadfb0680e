/* Limits of the magnitudes of an initial state. */
#include <math.h>
#include <string.h>

#include "scene/exact.h"
#include "scene/scale.h"
#include "scene/state/build.h"

carom_status build_check_mesh_scale(const scene *s, size_t which, const mesh *m, error *e)
{
    const scale *of = &scales[SCALE_LENGTH];
    for (size_t i = 0; i < 3 * m->vertex_count; i++) {
        if (isnan(m->vertices[i / 3][i % 3]))
            return scene_refuse(scene_at(s, "meshes.%zu", which), e,
                                "mesh '%s': the direction of the shape is undefined at vertex %zu" HINT
                                "give other points or sides",
                                s->meshes[which].name, i / 3);
        if (!scale_fits_component(of, m->vertices[i / 3][i % 3]))
            return scene_refuse(scene_at(s, "meshes.%zu", which), e,
                                "mesh '%s': vertex %zu has a coordinate of %.3g where it is placed; lengths must be "
                                "at most %.0e: choose other units",
                                s->meshes[which].name, i / 3, m->vertices[i / 3][i % 3], of->most);
    }
    return CAROM_OK;
}

static scene_spot where_mass(const build *b, size_t i)
{
    if (i >= build_particles(b)) return build_where(b, i, "density");
    return scene_at(b->s, "species.%s", b->s->species[b->state->species[i]].name);
}

/* Images of a mesh are checked one after the other. */
static carom_status check_images(const build *b, size_t which, error *e)
{
    const mesh *m = &b->state->meshes[which];
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < m->vertex_count; i++) {
            low = fmin(low, m->vertices[i][k]);
            high = fmax(high, m->vertices[i][k]);
        }
        if (!b->box.periodic[k] || !(high - low > SCALE_MESH_IMAGES * b->box.size[k])) continue;
        return scene_refuse(scene_at(b->s, "meshes.%zu", which), e,
                            "mesh '%s' extends over %.3g periodic boxes along %c" HINT "at most %d are possible",
                            b->s->meshes[which].name, (high - low) / b->box.size[k], "xyz"[k], SCALE_MESH_IMAGES);
    }
    return CAROM_OK;
}

static double smallest_width(const build *b)
{
    double least = INFINITY;
    for (size_t i = 0; i < build_particles(b); i++) least = fmin(least, b->state->diameter[i]);
    for (size_t k = 0; k < b->s->mesh_count; k++)
        if (b->s->meshes[k].thickness > 0) least = fmin(least, b->s->meshes[k].thickness);
    for (size_t k = 0; k < b->s->segments_count; k++) least = fmin(least, b->s->segments[k].diameter);
    return least;
}

carom_status build_check_sizes(const build *b, error *e)
{
    const scale *length = &scales[SCALE_LENGTH], *mass = &scales[SCALE_MASS];
    const initial_state *state = b->state;
    double longest = 0;
    for (size_t i = 0; i < build_particles(b); i++) {
        if (!scale_fits(length, state->diameter[i]))
            return scene_refuse(build_where(b, i, "place"), e,
                                "particle %zu has a diameter of %.3g; lengths must lie between %.0e and %.0e: choose "
                                "other units",
                                i, state->diameter[i], length->least, length->most);
        if (!(state->mass[i] > 0) || !scale_fits(mass, state->mass[i]))
            return scene_refuse(where_mass(b, i), e,
                                "particle %zu has a mass of %.3g; masses must lie between %.0e and %.0e: choose other "
                                "units",
                                i, state->mass[i], mass->least, mass->most);
    }
    for (int k = 0; k < b->s->dimension; k++) {
        longest = fmax(longest, state->size[k]);
        if (!(state->size[k] > 0) || !scale_fits(length, state->size[k]))
            return scene_refuse(scene_at_size(b->s), e,
                                "the box is %.3g long along %c; lengths must lie between %.0e and %.0e: choose other "
                                "units",
                                state->size[k], "xyz"[k], length -> least, length -> most);
    }
    for (size_t k = 0; k < state->mesh_count; k++) TRY(check_images(b, k, e));
    if (longest <= SCALE_LENGTHS * smallest_width(b)) return CAROM_OK;
    return scene_refuse(scene_at_size(b->s), e,
                        "the box is %.3g long, and the smallest body %.3g wide: lengths may differ by a factor of "
                        "%.0e at most" HINT "choose a smaller box or larger bodies",
                        longest, smallest_width(b), SCALE_LENGTHS);
}

static carom_status check_near(const build *b, const char *list, size_t index, const char *key, const double *value,
                               size_t components, error *e)
{
    double largest = 0;
    for (size_t i = 0; i < components; i++) largest = fmax(largest, fabs(value[i]));
    if (largest <= SCALE_SURFACES * smallest_width(b)) return CAROM_OK;
    return scene_refuse(
        scene_at(b->s, "%s.%zu.%s", list, index, key), e,
        "'%s' is %.3g, and the smallest body is %.3g wide: lengths of surfaces may be larger by a factor "
        "of %.0e at most" HINT "give a point closer to the origin, or a plane in place of a large radius",
        key, largest, smallest_width(b), SCALE_SURFACES);
}

/* The lengths that place planes and exact surfaces. */
static carom_status check_surfaces(const build *b, error *e)
{
    for (size_t k = 0; k < b->s->plane_count; k++)
        TRY(check_near(b, "planes", k, "point", b->s->planes[k].point, 3, e));
    for (size_t n = 0; n < scene_exact_count(b->s); n++) {
        const scene_exact x = scene_exact_at(b->s, n);
        const settings_table *table = x.kind->table;
        for (size_t i = 0; i < table->count; i++) {
            const setting *row = &table->entries[i];
            const double *value = (const double *)(const void *)((const char *)x.one + row->offset);
            if (strcmp(row->unit, "length") != 0 || (row->type != SETTING_REAL && row->type != SETTING_VECTOR))
                continue;
            TRY(check_near(b, table->name, x.index, row->name, value, row->type == SETTING_REAL ? 1 : 3, e));
        }
    }
    return CAROM_OK;
}

static carom_status check_places(const build *b, error *e)
{
    const double most = SCALE_LENGTHS * smallest_width(b);
    for (size_t i = 0; i < b->state->count; i++)
        for (int k = 0; k < b->s->dimension; k++) {
            if (fabs(b->state->position[i][k]) <= most) continue;
            char who[160];
            state_name(b->state, b->s, i, who, sizeof who);
            return scene_refuse(build_where(b, i, "place"), e,
                                "%s is at %c = %.3g, and the smallest body is %.3g wide: lengths may differ by a "
                                "factor of %.0e at most" HINT "bring it closer to the origin",
                                who, "xyz"[k], b -> state -> position[i][k], smallest_width(b), SCALE_LENGTHS);
        }
    return CAROM_OK;
}

/* Vertices of meshes have masses too, except those of rigid meshes without thickness. */
static carom_status check_vertex_masses(const build *b, error *e)
{
    const scale *of = &scales[SCALE_MASS];
    for (size_t i = build_particles(b); i < b->state->count; i++) {
        if (b->state->diameter[i] == 0 || (b->state->mass[i] > 0 && scale_fits(of, b->state->mass[i]))) continue;
        char who[160];
        state_name(b->state, b->s, i, who, sizeof who);
        return scene_refuse(where_mass(b, i), e,
                            "%s has a mass of %.3g; masses must lie between %.0e and %.0e: choose other units", who,
                            b->state->mass[i], of->least, of->most);
    }
    return CAROM_OK;
}

/* Also of speeds whose squares are no numbers: of translation, or of a point of the surface. */
static double speed_of(const build *b, size_t i)
{
    double speed = 0;
    for (int k = 0; k < b->s->dimension; k++) speed = hypot(speed, b->state->velocity[i][k]);
    for (int k = 0; b->state->spin != NULL && k < 3; k++)
        speed = hypot(speed, 0.5 * b->state->diameter[i] * b->state->spin[i][k]);
    return speed;
}

carom_status build_check_scale(const build *b, error *e)
{
    const scale *speeds = &scales[SCALE_SPEED], *energies = &scales[SCALE_ENERGY];
    const initial_state *state = b->state;
    double fall = 0, fastest = 0, energy = 0;
    TRY(check_places(b, e));
    TRY(check_surfaces(b, e));
    TRY(check_vertex_masses(b, e));
    for (int k = 0; k < b->s->dimension; k++) fall += 2 * fabs(b->s->gravity[k]) * state->size[k];
    for (size_t i = 0; i < state->count; i++) {
        const double speed = speed_of(b, i);
        energy += 0.5 * state->mass[i] * speed * speed;
        fastest = fmax(fastest, speed);
        if (speed <= speeds->most && energy <= energies->most) continue;
        char who[160];
        state_name(state, b->s, i, who, sizeof who);
        return scene_refuse(build_where(b, i, "velocity"), e,
                            "%s starts at a speed of %.3g with a mass of %.3g; speeds must be at most %.0e, and the "
                            "kinetic energy %.0e: choose other units",
                            who, speed, state->mass[i], speeds->most, energies->most);
    }
    if (!scale_fits(speeds, fastest))
        return scene_refuse(scene_at(b->s, "particles.0.velocity"), e,
                            "the largest initial speed is %.3g; speeds must be at least %.0e: choose other units",
                            fastest, speeds->least);
    if (sqrt(fall) <= speeds->most) return CAROM_OK;
    return scene_refuse(scene_at(b->s, "fields.gravity"), e,
                        "a fall through the box ends at a speed of %.3g; speeds must be at most %.0e: choose other "
                        "units",
                        sqrt(fall), speeds->most);
}
