#include "scene/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "scene/build.h"
#include "scene/language.h"

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* By the unit of a setting. Squares and products of two or three of them are numbers, in single precision after a
 * division by a typical one. `most` of times is where a time means "never". */
typedef struct scale {
    const char *unit, *plural;
    double least, most; /* of what is not 0 */
} scale;

enum { LENGTH, MASS, TIME, SPEED, ACCELERATION, RATE, ENERGY };
static const scale scales[] = {
    [LENGTH] = {"length", "lengths", 1e-30, 1e30},
    [MASS] = {"mass", "masses", 1e-60, 1e60},
    [TIME] = {"time", "times", 1e-40, 1e300},
    [SPEED] = {"speed", "speeds", 1e-40, 1e40},
    [ACCELERATION] = {"length / time^2", "accelerations", 1e-60, 1e60},
    [RATE] = {"1 / time", "rates", 1e-40, 1e40},
    [ENERGY] = {"energy", "energies", 1e-100, 1e100},
    {"mass / volume", "densities", 1e-100, 1e100},
    {"force / length", "stiffnesses", 1e-100, 1e100},
    {"energy / radian^2", "stiffnesses", 1e-100, 1e100},
    {"force / speed", "dampings", 1e-100, 1e100},
    {"force time / length", "dampings", 1e-100, 1e100},
    {"energy time", "dampings", 1e-100, 1e100},
};
enum { SCALES = sizeof scales / sizeof *scales };

static const scale *find_scale(const char *unit)
{
    for (size_t k = 0; k < SCALES; k++)
        if (strcmp(scales[k].unit, unit) == 0) return &scales[k];
    return NULL;
}

static bool fits(const scale *of, double value)
{
    return value == 0 || (fabs(value) >= of->least && fabs(value) <= of->most);
}

/* A component of a vector may be as small as it likes. */
static bool component_fits(const scale *of, double value)
{
    return fabs(value) <= of->most;
}

void scale_reference(text_buffer *out)
{
    text_add(
        out,
        "\n## Limits\n\n"
        "Numbers with these units, given or derived (the mass from a density, the box from a packing fraction), must\n"
        "have magnitudes between these limits; 0 is allowed where the key allows it, and components of vectors may\n"
        "be smaller. SI units for nanometres (lengths 1e-9, masses 1e-27) and for galaxies (1e20) lie far within.\n"
        "Choose other units for a scene that does not.\n\n"
        "| quantity | unit | smallest | largest |\n|---|---|---|---|\n");
    for (size_t k = 0; k < SCALES; k++)
        text_add(out, "| %s | %s | %.0e | %.0e |\n", scales[k].plural, scales[k].unit, scales[k].least, scales[k].most);
    text_add(
        out,
        "\nThe box and the distances from the origin are at most %.0e times as long as the smallest body (particle,\n"
        "segment, shell) is wide. Places in a periodic box are at most %.0e boxes away, and a mesh extends over at\n"
        "most %d periodic boxes.\n",
        SCALE_LENGTHS, SCALE_IMAGES, SCALE_MESH_IMAGES);
}

/* ---- of the scene ------------------------------------------------------------------------------------------------ */

typedef struct check {
    const scene *s;
    error *e;
    carom_status status;
} check;

static void refuse(check *c, const scale *of, const char *path, double value)
{
    char text[NUMBER_SIZE];
    size_t last = strlen(path);
    while (last > 0 && path[last - 1] != '.') last--;
    number_write(text, value);
    c->status = scene_refuse(scene_at(c->s, "%s", path), c->e,
                             "'%s' has a value of %s; %s must lie between %.0e and %.0e: choose other units",
                             path + last, text, of->plural, of->least, of->most);
}

static void check_number(check *c, const char *path, const scale *of, double value)
{
    if (!fits(of, value)) refuse(c, of, path, value);
}

/* Of vectors; the first that does not fit. */
static void check_vectors(check *c, const char *path, const scale *of, const double (*v)[3], size_t count)
{
    for (size_t i = 0; i < 3 * count; i++) {
        if (component_fits(of, v[i / 3][i % 3])) continue;
        refuse(c, of, path, v[i / 3][i % 3]);
        return;
    }
}

static void check_setting(check *c, const setting *row, const char *path, const char *field)
{
    double value[3];
    const scale *of = row->unit != NULL ? find_scale(row->unit) : NULL;
    if (of == NULL || (row->type != SETTING_REAL && row->type != SETTING_VECTOR)) return;
    memcpy(value, field, row->type == SETTING_REAL ? sizeof *value : sizeof value);
    if (row->type == SETTING_VECTOR)
        check_vectors(c, path, of, (const double(*)[3])value, 1);
    else if (isfinite(value[0])) /* infinite: not given */
        check_number(c, path, of, value[0]);
}

/* All numbers of a struct that a table fills. */
static void check_table(check *c, const settings_table *table, const char *path, const void *filled)
{
    for (size_t i = 0; filled != NULL && i < table->count; i++) {
        const setting *row = &table->entries[i];
        const char *field = (const char *)filled + row->offset;
        char below[256];
        snprintf(below, sizeof below, "%s%s%s", path, path[0] != '\0' ? "." : "", row->name);
        if (row->type == SETTING_TABLE)
            check_table(c, row->table, below, field);
        else
            check_setting(c, row, below, field);
    }
}

static void check_list(check *c, const settings_table *table, const char *key, const void *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s.%zu", key, i);
        check_table(c, table, path, (const char *)items + i * table->size);
    }
}

static void check_species(check *c, const scene_species *species)
{
    char path[160];
    const scene_size *size = &species->diameter;
    snprintf(path, sizeof path, "species.%s", species->name);
    check_table(c, &table_species, path, species);
    const bool ellipsoid = species->semi_axes[0] > 0;
    snprintf(path, sizeof path, "species.%s.%s", species->name, ellipsoid ? "semi_axes" : "diameter");
    const double lengths[] = {size->a, size->b, size->min, size->max, species->semi_axes[0], species->semi_axes[1]};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        if (isfinite(lengths[k])) check_number(c, path, &scales[LENGTH], lengths[k]);
}

static void check_particles(check *c, size_t entry)
{
    const scene_particles *p = &c->s->particles[entry];
    char path[80];
    snprintf(path, sizeof path, "particles.%zu.place", entry);
    check_vectors(c, path, &scales[LENGTH], (const double(*)[3])p->at, p->at != NULL ? p->count : 0);
    if (p->place == PLACE_WALK) check_number(c, path, &scales[LENGTH], p->walk_step);
    const double region[2][3] = {{p->region.from[0], p->region.from[1], p->region.from[2]},
                                 {p->region.to[0], p->region.to[1], p->region.to[2]}};
    check_vectors(c, path, &scales[LENGTH], region, 2);
    check_number(c, path, &scales[LENGTH], p->region.radius);
    snprintf(path, sizeof path, "particles.%zu.velocity", entry);
    const double uniform[3] = {p->a, p->b, 0};
    if (p->velocity == VELOCITY_UNIFORM)
        check_vectors(c, path, &scales[SPEED], &uniform, 1);
    else
        check_number(c, path, p->velocity == VELOCITY_MAXWELL ? &scales[ENERGY] : &scales[SPEED], p->a);
    for (size_t k = 0; p->temperatures != NULL && k < p->share_count; k++)
        check_number(c, path, &scales[ENERGY], p->temperatures[k]);
    check_vectors(c, path, &scales[SPEED], (const double(*)[3])p->each, p->each_count);
    snprintf(path, sizeof path, "particles.%zu.angular_velocity", entry);
    check_number(c, path, &scales[ENERGY], p->spin_temperature);
    check_vectors(c, path, &scales[RATE], (const double(*)[3])p->spins, p->spin_count);
}

static void check_law(check *c, size_t k)
{
    const restitution_law *law = &c->s->laws[k];
    char path[80];
    snprintf(path, sizeof path, "contacts.%zu", law->contact);
    check_table(c, &table_contact, path, law);
    snprintf(path, sizeof path, "contacts.%zu.restitution", law->contact);
    for (size_t i = 0; i < law->count; i++) check_number(c, path, &scales[SPEED], law->table[i][0]);
    snprintf(path, sizeof path, "contacts.%zu.stick", law->contact);
    if (isfinite(law->stick_below)) check_number(c, path, &scales[SPEED], law->stick_below);
}

static void check_drive(check *c, size_t k)
{
    const scene_drive *d = &c->s->drives[k];
    char path[80];
    snprintf(path, sizeof path, "drives.%zu.within", k);
    if (d->within) check_table(c, &table_within, path, d);
    snprintf(path, sizeof path, "drives.%zu.start.when", k);
    if (d->start.given) check_table(c, &table_when, path, d);
    for (size_t i = 0; i < d->motion_count; i++) {
        snprintf(path, sizeof path, "drives.%zu.motion.%zu", k, i);
        check_table(c, &table_motion, path, &d->motion[i]);
        check_table(c, &table_turn, path, &d->motion[i]);
        snprintf(path, sizeof path, "drives.%zu.motion.%zu.oscillate", k, i);
        check_table(c, &table_oscillate, path, &d->motion[i]);
        double fastest[3];
        for (int n = 0; n < 3; n++) fastest[n] = 6.283185307179586 * d->motion[i].frequency * d->motion[i].swing[n];
        check_vectors(c, path, &scales[SPEED], (const double(*)[3]) & fastest, 1);
    }
}

static void check_mesh(check *c, size_t k)
{
    const scene_mesh *m = &c->s->meshes[k];
    char path[80];
    snprintf(path, sizeof path, "meshes.%zu", k);
    check_table(c, &table_meshes, path, m);
    snprintf(path, sizeof path, "meshes.%zu.shape", k);
    if (m->file != NULL) return;
    check_table(c, table_shape.entries[m->shape.kind].table, path, &m->shape);
    check_vectors(c, path, &scales[LENGTH], (const double(*)[3])m->shape.points, m->shape.point_count);
}

static void check_potential(check *c, size_t k)
{
    char path[80];
    snprintf(path, sizeof path, "potentials.%zu", k);
    for (size_t i = 0; i < c->s->potentials[k].count; i++)
        if (isfinite(c->s->potentials[k].steps[i].energy)) /* else a wall */
            check_number(c, path, &scales[ENERGY], c->s->potentials[k].steps[i].energy);
}

carom_status scale_check_scene(const scene *s, const scene_vocabulary *vocabulary, error *e)
{
    check c = {s, e, CAROM_OK};
    const settings_table *engine = vocabulary->engines[s->engine];
    char path[80];
    check_table(&c, &table_scene, "", s);
    for (int k = 0; k < s->dimension && c.status == CAROM_OK; k++)
        check_number(&c, "box.size", &scales[LENGTH], s->box.size[k]);
    for (size_t k = 0; k < s->species_count; k++) check_species(&c, &s->species[k]);
    for (size_t k = 0; k < s->particles_count; k++) check_particles(&c, k);
    check_list(&c, &table_plane, "planes", s->planes, s->plane_count);
    check_list(&c, &table_cylinder, "cylinders", s->cylinders, s->cylinder_count);
    for (size_t k = 1; k < s->law_count; k++) check_law(&c, k);
    for (size_t k = 0; k < s->mesh_count; k++) check_mesh(&c, k);
    for (size_t k = 0; k < s->potential_count; k++) check_potential(&c, k);
    check_list(&c, &table_bonds, "bonds", s->bonds, s->bonds_count);
    check_list(&c, &table_springs, "springs", s->springs, s->springs_count);
    for (size_t k = 0; k < s->springs_count; k++) {
        snprintf(path, sizeof path, "springs.%zu.length", k);
        if (s->springs[k].length >= 0) check_number(&c, path, &scales[LENGTH], s->springs[k].length);
    }
    check_list(&c, &table_hinges, "hinges", s->hinges, s->hinges_count);
    check_list(&c, &table_segments, "segments", s->segments, s->segments_count);
    for (size_t k = 0; k < s->drive_count; k++) check_drive(&c, k);
    check_list(&c, &table_bodies, "bodies", s->bodies, s->body_count);
    for (size_t k = 0; k < s->body_count; k++) {
        snprintf(path, sizeof path, "bodies.%zu.angular_velocity", k);
        check_vectors(&c, path, &scales[RATE], (const double(*)[3]) & s->bodies[k].angular_velocity, 1);
    }
    for (size_t k = 0; k < s->observe_count; k++) {
        snprintf(path, sizeof path, "observe.%zu", k);
        check_table(&c, &table_observe, path, &s->observe[k]);
        check_table(&c, vocabulary->observables[s->observe[k].what], path, s->observe[k].settings);
    }
    check_table(&c, engine, engine->name, s->engine_settings);
    return c.status;
}

/* ---- of the initial state ---------------------------------------------------------------------------------------- */

carom_status scale_check_mesh(const scene *s, size_t which, const mesh *m, error *e)
{
    const scale *of = &scales[LENGTH];
    for (size_t i = 0; i < 3 * m->vertex_count; i++) {
        if (isnan(m->vertices[i / 3][i % 3]))
            return scene_refuse(scene_at(s, "meshes.%zu", which), e,
                                "mesh '%s': the shape has no direction at vertex %zu; give other points or sides",
                                s->meshes[which].name, i / 3);
        if (!component_fits(of, m->vertices[i / 3][i % 3]))
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

/* Images of a mesh are looked at one by one. */
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
                            "mesh '%s' extends over %.3g periodic boxes along %c; at most %d are possible",
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

carom_status scale_check_sizes(const build *b, error *e)
{
    const scale *length = &scales[LENGTH], *mass = &scales[MASS];
    const initial_state *state = b->state;
    double longest = 0;
    for (size_t i = 0; i < build_particles(b); i++) {
        if (!fits(length, state->diameter[i]))
            return scene_refuse(build_where(b, i, "place"), e,
                                "particle %zu has a diameter of %.3g; lengths must lie between %.0e and %.0e: choose "
                                "other units",
                                i, state->diameter[i], length->least, length->most);
        if (!(state->mass[i] > 0) || !fits(mass, state->mass[i]))
            return scene_refuse(where_mass(b, i), e,
                                "particle %zu has a mass of %.3g; masses must lie between %.0e and %.0e: choose other "
                                "units",
                                i, state->mass[i], mass->least, mass->most);
    }
    for (int k = 0; k < b->s->dimension; k++) {
        longest = fmax(longest, state->size[k]);
        if (!(state->size[k] > 0) || !fits(length, state->size[k]))
            return scene_refuse(scene_at_size(b->s), e,
                                "the box is %.3g long along %c; lengths must lie between %.0e and %.0e: choose other "
                                "units",
                                state->size[k], "xyz"[k], length -> least, length -> most);
    }
    for (size_t k = 0; k < state->mesh_count; k++) TRY(check_images(b, k, e));
    if (longest <= SCALE_LENGTHS * smallest_width(b)) return CAROM_OK;
    return scene_refuse(scene_at_size(b->s), e,
                        "the box is %.3g long, and the smallest body %.3g wide: lengths may differ by a factor of "
                        "%.0e at most; choose a smaller box or larger bodies",
                        longest, smallest_width(b), SCALE_LENGTHS);
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
                                "factor of %.0e at most; bring it closer to the origin",
                                who, "xyz"[k], b -> state -> position[i][k], smallest_width(b), SCALE_LENGTHS);
        }
    return CAROM_OK;
}

/* Vertices of meshes have masses too; of rigid ones without thickness none. */
static carom_status check_vertex_masses(const build *b, error *e)
{
    const scale *of = &scales[MASS];
    for (size_t i = build_particles(b); i < b->state->count; i++) {
        if (b->state->diameter[i] == 0 || (b->state->mass[i] > 0 && fits(of, b->state->mass[i]))) continue;
        char who[160];
        state_name(b->state, b->s, i, who, sizeof who);
        return scene_refuse(where_mass(b, i), e,
                            "%s has a mass of %.3g; masses must lie between %.0e and %.0e: choose other units", who,
                            b->state->mass[i], of->least, of->most);
    }
    return CAROM_OK;
}

carom_status scale_check_state(const build *b, error *e)
{
    const scale *speeds = &scales[SPEED], *energies = &scales[ENERGY];
    const initial_state *state = b->state;
    double fall = 0, fastest = 0, energy = 0;
    TRY(check_places(b, e));
    TRY(check_vertex_masses(b, e));
    for (int k = 0; k < b->s->dimension; k++) fall += 2 * fabs(b->s->gravity[k]) * state->size[k];
    for (size_t i = 0; i < state->count; i++) {
        double square = 0;
        for (int k = 0; k < b->s->dimension; k++) square += state->velocity[i][k] * state->velocity[i][k];
        for (int k = 0; state->spin != NULL && k < 3; k++) {
            const double rim = 0.5 * state->diameter[i] * state->spin[i][k];
            square += rim * rim;
        }
        energy += 0.5 * state->mass[i] * square;
        fastest = fmax(fastest, square);
        if (sqrt(square) <= speeds->most && energy <= energies->most) continue;
        char who[160];
        state_name(state, b->s, i, who, sizeof who);
        return scene_refuse(build_where(b, i, "velocity"), e,
                            "%s starts at a speed of %.3g with a mass of %.3g; speeds must be at most %.0e, and the "
                            "kinetic energy %.0e: choose other units",
                            who, sqrt(square), state->mass[i], speeds->most, energies->most);
    }
    if (!fits(speeds, sqrt(fastest)))
        return scene_refuse(scene_at(b->s, "particles.0.velocity"), e,
                            "nothing starts faster than %.3g; speeds must be at least %.0e: choose other units",
                            sqrt(fastest), speeds->least);
    if (sqrt(fall) <= speeds->most) return CAROM_OK;
    return scene_refuse(scene_at(b->s, "fields.gravity"), e,
                        "a fall through the box ends at a speed of %.3g; speeds must be at most %.0e: choose other "
                        "units",
                        sqrt(fall), speeds->most);
}
