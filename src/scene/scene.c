/* Queries of a checked scene. */
#include "scene/scene.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/memory.h"
#include "geometry/shapes.h"
#include "scene/copies.h"
#include "scene/exact.h"
#include "scene/where.h"

const char *const scene_repair_words[] = {"weld", "drop_unreferenced", "orient", "fill", NULL};

double scene_densest_packing(int dimension)
{
    return dimension == 3 ? 0.74048048969306104 /* pi / (3 sqrt 2) */ : 0.90689968211710892 /* pi / (2 sqrt 3) */;
}

carom_status scene_refuse_forces(const scene *s, const char *engine, error *e)
{
    const struct {
        size_t count;
        const char *what;
    } lists[] = {{s->springs_count, "springs"},   {s->hinges_count, "hinges"}, {s->rods_count, "rods"},
                 {s->segments_count, "segments"}, {s->body_count, "bodies"},   {s->clump_count, "clumps"}};
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].count > 0)
            status = scene_refuse(scene_at(s, "%s", lists[i].what), e,
                                  "the engine `%s` has no %s" HINT "leave them out, or use `engine: variational`",
                                  engine, lists[i].what);
    return status;
}

carom_status scene_refuse_friction(const scene *s, const char *engine, error *e)
{
    for (size_t i = 0; i < s->law_count; i++)
        if (s->laws[i].friction > 0)
            return scene_refuse(scene_at_law(s, i, "friction"), e,
                                "the engine `%s` has no friction" HINT "leave it out of the contacts, or use `engine: "
                                "variational`",
                                engine);
    return CAROM_OK;
}

const char *restitution_rolling_key(const restitution_law *law)
{
    if (law->rolling_friction > 0) return "rolling_friction";
    return law->twisting_friction > 0 ? "twisting_friction" : "rolling_viscosity";
}

bool scene_is_elastic(const scene *s)
{
    for (size_t k = 0; k < s->species_count; k++)
        if (s->species[k].young > 0) return true;
    return false;
}

carom_status scene_refuse_lasting(const scene *s, const char *engine, error *e)
{
    for (size_t k = 0; k < s->species_count; k++)
        if (s->species[k].young > 0)
            return scene_refuse(scene_at(s, "species.%s.young", s->species[k].name), e,
                                "the engine `%s` has no lasting contacts, in which 'young' acts" HINT
                                "leave 'young' and 'poisson' out of the species, or use `engine: variational`",
                                engine);
    for (size_t k = 0; k < s->law_count; k++) {
        const restitution_law *l = &s->laws[k];
        const char *key = restitution_resists_rolling(l) ? restitution_rolling_key(l) : "cohesion";
        if (l->cohesion > 0 || restitution_resists_rolling(l))
            return scene_refuse(scene_at_law(s, k, key), e,
                                "the engine `%s` has no lasting contacts, in which '%s' acts" HINT
                                "leave it out of the contacts, or use `engine: variational`",
                                engine, key);
    }
    return CAROM_OK;
}

bool scene_is_thermal(const scene *s)
{
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].temperature > 0) return true;
    return false;
}

bool scene_has_gravity(const scene *s)
{
    return s->gravity[0] != 0 || s->gravity[1] != 0 || s->gravity[2] != 0;
}

carom_status scene_refuse_thermal(const scene *s, const char *engine, error *e)
{
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].temperature > 0)
            return scene_refuse(scene_at_law(s, k, "temperature"), e,
                                "the engine `%s` has no thermal walls" HINT
                                "leave 'temperature' out of the contacts, or "
                                "use `engine: hard`",
                                engine);
    return CAROM_OK;
}

carom_status scene_refuse_drives(const scene *s, const char *engine, error *e)
{
    if (s->drive_count == 0) return CAROM_OK;
    return scene_refuse(scene_at(s, "drives"), e,
                        "the engine `%s` has no drives" HINT "leave them out, or use `engine: variational`", engine);
}

carom_status scene_refuse_exact(const scene *s, const char *engine, error *e)
{
    if (scene_exact_count(s) == 0) return CAROM_OK;
    const char *what = scene_exact_at(s, 0).kind->names;
    return scene_refuse(scene_at(s, "%s", what), e,
                        "the engine `%s` has no %s" HINT "leave them out, or use `engine: hard`", engine, what);
}

carom_status scene_refuse_meshes(const scene *s, const char *engine, error *e)
{
    if (s->mesh_count == 0) return CAROM_OK;
    return scene_refuse(scene_at(s, "meshes"), e,
                        "the engine `%s` has no meshes" HINT "leave them out, or use `engine: variational`", engine);
}

double scene_inertia(const scene *s, uint32_t species)
{
    double given = s->species[species].inertia;
    const scene_species *of = &s->species[species];
    if (given > 0) return given;
    if (of->half[0] > 0) return shapes[of->shape]->inertia(s->dimension, of->half);
    return s->dimension == 3 ? 0.4 : 0.5;
}

double scene_fullness(const scene *s, uint32_t species)
{
    const scene_species *of = &s->species[species];
    const double *half = of->half, longest = fmax(half[0], half[1]);
    if (half[0] == 0) return 1;
    const double flat = half[0] / longest * (half[1] / longest);
    return (s->dimension == 3 ? flat * (half[1] / longest) : flat) * shapes[of->shape]->fullness(s->dimension, half);
}

const body_shape *scene_particle_shape(const scene *s)
{
    for (size_t k = 0; k < s->species_count; k++)
        if (s->species[k].half[0] > 0) return shapes[s->species[k].shape];
    return shapes[BODY_ELLIPSOID];
}

bool scene_tells_shapes(const scene *s)
{
    bool tells = false;
    for (size_t k = 0; k < s->species_count; k++)
        tells = tells || (s->species[k].half[0] > 0 && s->species[k].shape != BODY_ELLIPSOID);
    return tells;
}

void scene_free(scene *s)
{
    if (s == NULL) return;
    arena_free(s->memory);
    memory_free(s);
}

scene_input scene_input_at(const scene *s, size_t k)
{
    for (size_t n = 0; n < s->particles_count; n++) {
        const scene_particles *p = &s->particles[n];
        if (p->from != NULL && k-- == 0) return (scene_input){p->from, p->file, p->array};
    }
    for (size_t n = 0; n < s->mesh_count; n++) {
        const scene_mesh *m = &s->meshes[n];
        if (scene_is_further_copy(s, n)) continue;
        if (m->from != NULL && k-- == 0) return (scene_input){m->from, m->file, m->array};
    }
    return (scene_input){0};
}

static bool is_file(const struct stat *it, const char *path)
{
    struct stat there;
    return path != NULL && stat(path, &there) == 0 && there.st_dev == it->st_dev && there.st_ino == it->st_ino;
}

bool scene_reads(const scene *s, const char *path)
{
    struct stat it;
    if (stat(path, &it) != 0) return false;
    scene_input one;
    for (size_t k = 0; (one = scene_input_at(s, k)).name != NULL; k++)
        if (is_file(&it, one.path)) return true;
    return false;
}

double scene_engine_number(const scene *s, const char *name, double otherwise)
{
    const settings_table *table = s != NULL ? s->engine_table : NULL;
    for (size_t i = 0; table != NULL && i < table->count; i++) {
        const setting *one = &table->entries[i];
        if (strcmp(one->name, name) != 0) continue;
        const void *value = (const char *)s->engine_settings + one->offset;
        if (one->type == SETTING_REAL) return *(const double *)value;
        if (one->type == SETTING_INTEGER) return (double)*(const uint64_t *)value;
        if (one->type == SETTING_CHOICE) return (double)*(const int *)value;
    }
    return otherwise;
}
