/* Entries of particles with positions from a file or an array: its contents must agree with the scene. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/ball.h"
#include "geometry/shapes.h"
#include "scene/state/build.h"

/* Permitted relative difference between numbers of a file and of the scene: rounding by other programs. */
#define AGREES 1e-6

static bool agree(double a, double b)
{
    return fabs(a - b) <= AGREES * fmax(fabs(a), fabs(b));
}

static scene_spot spot_of(const build *b, size_t entry)
{
    return scene_at(b->s, "particles.%zu.place", entry);
}

static carom_status refuse_stranger(const build *b, size_t entry, error *e)
{
    const points *file = &b->files[entry];
    const char *name = b->s->particles[entry].from;
    if (file->stranger_name != NULL)
        return scene_refuse(spot_of(b, entry), e,
                            "particle %zu of %s is of species '%s', which the scene does not have" HINT
                            "add it to `species`",
                            file->stranger, name, file->stranger_name);
    return scene_refuse(spot_of(b, entry), e,
                        "particle %zu of %s is of species %lld, and the scene has %zu, numbered from 0" HINT
                        "add the others "
                        "to `species`",
                        file->stranger, name, (long long)file->stranger_number, b->s->species_count);
}

/* Whether another entry takes the clumps of the same file. */
static bool others_take_clumps(const scene *s, size_t entry)
{
    const char *file = s->particles[entry].file;
    bool any = false;
    for (size_t k = 0; k < s->particles_count && file != NULL; k++) {
        const scene_particles *p = &s->particles[k];
        any = any || (p->clump != SIZE_MAX && p->file != NULL && strcmp(p->file, file) == 0);
    }
    return any && s->particles[entry].clump == SIZE_MAX;
}

carom_status build_file(build *b, size_t entry, error *e)
{
    const scene_particles *p = &b->s->particles[entry];
    const points_rules rules = {.dimension = b->s->dimension,
                                .species = b->s->species,
                                .species_count = b->s->species_count,
                                .frame = p->frame,
                                .clump = build_is_clump(b, entry) ? b->s->clumps[p->clump].name : NULL,
                                .single = others_take_clumps(b->s, entry)};
    points *file = &b->files[entry];
    TRY(p->file != NULL ? points_read(file, p->file, &rules, e) : build_array(b, entry, e));
    b->state->clusters += file->clusters;
    if (file->clusters > 0) b->state->clusters_entry = entry;
    if (file->no_frame)
        return scene_refuse(
            scene_at(b->s, "particles.%zu.place.frame", entry), e,
            "particles.%zu: %s holds %llu frames, numbered from 0, or backwards from -1: there is no frame "
            "%lld",
            entry, p->from, (unsigned long long)file->frames, (long long)p->frame);
    if (file->strange) return refuse_stranger(b, entry, e);
    TRY(build_count_clumps(b, entry, e));
    const size_t items = file->count / scene_item_size(b->s, entry);
    if (p->count != 0 && p->count != items)
        return scene_refuse(scene_at(b->s, "particles.%zu.count", entry), e,
                            "particles.%zu: count is %llu, but %s holds %zu %s", entry, (unsigned long long)p->count,
                            p->from, items, build_is_clump(b, entry) ? "clumps" : "particles");
    if (p->velocity == VELOCITY_FILE && file->velocity == NULL)
        return scene_refuse(scene_at(b->s, "particles.%zu.velocity", entry), e, "particles.%zu: %s holds no velocities",
                            entry, p->from);
    return CAROM_OK;
}

carom_status build_compare_box(const build *b, size_t entry, error *e)
{
    const points *file = &b->files[entry];
    for (int k = 0; file->has_box && k < b->s->dimension; k++) /* walls may be elsewhere: check_inside */
        if (b->box.periodic[k] && file->box[k] > 0 && fabs(file->box[k] - b->box.size[k]) > AGREES * b->box.size[k])
            return scene_refuse(spot_of(b, entry), e,
                                "the box of %s is %.10g long along %c, but that of the scene is %.10g",
                                b->s->particles[entry].from, file->box[k], "xyz"[k], b -> box.size[k]);
    return CAROM_OK;
}

/* ---- Species ---- */

static bool has_share(const scene_particles *p, uint32_t species)
{
    size_t k = 0;
    while (k < p->share_count && p->shares[k].species != species) k++;
    return k < p->share_count;
}

static carom_status check_names(const build *b, size_t entry, error *e)
{
    const scene_particles *p = &b->s->particles[entry];
    const points *file = &b->files[entry];
    for (size_t n = 0; file->species != NULL && n < file->count; n++)
        if (!has_share(p, file->species[n]))
            return scene_refuse(scene_at(b->s, "particles.%zu.species", entry), e,
                                "particle %zu of %s is of species '%s', which this entry does not name" HINT
                                "name all that "
                                "the file has: `species: {%s: 1, %s: 1}`",
                                n, p->from, b->s->species[file->species[n]].name,
                                b->s->species[p->shares[0].species].name, b->s->species[file->species[n]].name);
    return CAROM_OK;
}

/* ---- Sizes and masses ---- */

/* Smallest and largest value in a file for the particles of one species. */
static void range_of(const build *b, size_t entry, uint32_t species, const double *of, double range[2])
{
    range[0] = INFINITY;
    range[1] = 0;
    for (size_t n = 0; n < b->files[entry].count; n++) {
        if (b->state->species[b->first[entry] + n] != species) continue;
        range[0] = fmin(range[0], of[n]);
        range[1] = fmax(range[1], of[n]);
    }
}

/* With a distribution of diameters, all diameters of a file are valid. */
static carom_status check_diameters(const build *b, size_t entry, error *e)
{
    const points *file = &b->files[entry];
    for (size_t n = 0; file->diameter != NULL && n < file->count; n++) {
        const uint32_t kind = b->state->species[b->first[entry] + n];
        const scene_species *species = &b->s->species[kind];
        double range[2];
        if (species->diameter.law != SIZE_CONSTANT || agree(file->diameter[n], species->diameter.a)) continue;
        char remedy[160];
        snprintf(remedy, sizeof remedy, "the file's `%s`", shapes[species->shape]->key);
        range_of(b, entry, kind, file->diameter, range);
        if (species->half[0] == 0 && agree(range[0], range[1]))
            snprintf(remedy, sizeof remedy, "`diameter: %.10g`", range[0]);
        else if (species->half[0] == 0)
            snprintf(remedy, sizeof remedy,
                     "`diameter: {uniform: [%.10g, %.10g]}` (each particle keeps that of the file)", range[0],
                     range[1]);
        return scene_refuse(
            spot_of(b, entry), e,
            "particle %zu of %s has diameter %.10g, but species '%s' has %.10g" HINT "give the species %s, or "
            "use a file without radii",
            n, b->s->particles[entry].from, file->diameter[n], species->name, species->diameter.a, remedy);
    }
    return CAROM_OK;
}

static double volume_of(const build *b, size_t i)
{
    return ball_volume(b->s->dimension, b->state->diameter[i]) * scene_fullness(b->s, b->state->species[i]);
}

/* The common mass or density of all particles of a species; false if they differ. */
static bool one_for_all(const build *b, size_t entry, uint32_t species, bool density, double *value)
{
    const points *file = &b->files[entry];
    bool found = false;
    for (size_t n = 0; n < file->count; n++) {
        const size_t i = b->first[entry] + n;
        if (b->state->species[i] != species) continue;
        const double now = density ? file->mass[n] / volume_of(b, i) : file->mass[n];
        if (found && !agree(now, *value)) return false;
        if (!found) *value = now;
        found = true;
    }
    return found;
}

/* Masses are taken from the file if a species has neither one mass nor one density. */
static carom_status check_masses(const build *b, size_t entry, error *e)
{
    const points *file = &b->files[entry];
    for (size_t n = 0; file->mass != NULL && n < file->count; n++) {
        const size_t i = b->first[entry] + n;
        const scene_species *species = &b->s->species[b->state->species[i]];
        const bool drawn = file->diameter == NULL && species->diameter.law != SIZE_CONSTANT;
        const double wanted = species->density > 0 ? species->density * volume_of(b, i) : species->mass;
        double value = 0;
        if ((drawn && species->density > 0) || agree(file->mass[n], wanted)) continue;
        const bool mass = one_for_all(b, entry, b->state->species[i], false, &value);
        if (!mass && (drawn || !one_for_all(b, entry, b->state->species[i], true, &value))) continue;
        return scene_refuse(
            spot_of(b, entry), e,
            "particle %zu of %s has mass %.10g, but by species '%s' it has %.10g" HINT "give the species `%s: "
            "%.10g`, or use a file without masses",
            n, b->s->particles[entry].from, file->mass[n], species->name, wanted, mass ? "mass" : "density", value);
    }
    return CAROM_OK;
}

carom_status build_compare_file(const build *b, size_t entry, error *e)
{
    TRY(check_names(b, entry, e));
    if (build_is_clump(b, entry)) return CAROM_OK; /* later, as shapes depend on the box */
    TRY(check_diameters(b, entry, e));
    return check_masses(b, entry, e);
}
