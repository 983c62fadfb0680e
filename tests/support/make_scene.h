/* Scenes made by hand, for tests of what comes after the reader. */
#ifndef CAROM_TESTS_MAKE_SCENE_H
#define CAROM_TESTS_MAKE_SCENE_H

#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "scene/state.h"

enum { MADE_MOST = 4 };

/* A scene that owns nothing: at most four species and entries, in place. */
typedef struct made_scene {
    scene s;
    scene_species species[MADE_MOST];
    scene_particles particles[MADE_MOST];
    scene_share shares[MADE_MOST][MADE_MOST];
    scene_plane planes[MADE_MOST];
} made_scene;

static inline void made_share(made_scene *m, size_t entry, uint32_t species, double ratio)
{
    scene_particles *p = &m->particles[entry];
    p->shares = m->shares[entry];
    p->shares[p->share_count++] = (scene_share){species, ratio};
}

/* One species `grain` of diameter 1 and mass 1, no particles, a periodic box of side `size`. */
static inline void made_start(made_scene *m, int dimension, double size)
{
    static char source[] = "scene.yaml", name[] = "grain";
    memset(m, 0, sizeof *m);
    m->s.source = source;
    m->s.dimension = dimension;
    m->s.seed = 42;
    m->s.species = m->species;
    m->s.particles = m->particles;
    m->s.planes = m->planes;
    for (int k = 0; k < 3; k++) {
        m->s.box.aspect[k] = 1;
        m->s.box.size[k] = k < dimension ? size : 1;
    }
    m->species[0] = (scene_species){.name = name, .diameter = {.law = SIZE_CONSTANT, .a = 1}, .mass = 1};
    m->s.species_count = 1;
}

static inline scene_particles *made_entry(made_scene *m, uint64_t count, scene_place place)
{
    size_t entry = m->s.particles_count++;
    m->particles[entry] =
        (scene_particles){.clump = SIZE_MAX, .count = count, .place = place, .inside = SIZE_MAX, .outside = SIZE_MAX};
    made_share(m, entry, 0, 1);
    return &m->particles[entry];
}

static inline void made_fraction(made_scene *m, double fraction)
{
    m->s.box.packing_fraction = fraction;
    for (int k = 0; k < m->s.dimension; k++) m->s.box.size[k] = 0;
}

#endif
