/* Particles from a file, in its order. */
#ifndef CAROM_SCENE_POINTS_H
#define CAROM_SCENE_POINTS_H

#include "scene/scene.h"

/* Arrays are [count]; NULL: not in the file. */
typedef struct points {
    size_t count;
    double (*position)[3]; /* third component 0 in 2D */
    double (*velocity)[3];
    uint32_t *species; /* index into the scene's species */
    double *diameter;
    double *mass;
    double (*spin)[3];   /* 2D: the third component */
    double (*axis)[3];   /* of bodies that are not spheres; any length but 0 */
    size_t clusters;     /* of more than one particle */
    bool clumps;         /* of carom: there are spheres of clumps */
    uint64_t frames;     /* number of frames in the file */
    bool no_frame;       /* the requested frame does not exist: no other data have been read */
    bool strange;        /* a particle has a species that the scene does not contain: no further data have been read */
    size_t stranger;     /* the first */
    char *stranger_name; /* its species; NULL if the file has numbers only */
    int64_t stranger_number;
    bool has_box;
    double box[3]; /* box lengths, if has_box; 0 along an axis without bounds in the file */
} points;

/* The properties of the scene that the readers use. */
typedef struct points_rules {
    int dimension;
    const scene_species *species;
    size_t species_count;
    int64_t frame; /* from 0; negative: from the end, -1 the last */
    /* of results of carom: */
    const char *clump; /* only spheres of this template, if the result has it; NULL: all */
    bool single;       /* without spheres of clumps */
} points_rules;

/* Index of the requested frame; false if it does not exist. */
bool points_frame(const points_rules *rules, uint64_t frames, uint64_t *index);

enum {
    POINTS_VELOCITY = 1,
    POINTS_SPECIES = 2,
    POINTS_DIAMETER = 4,
    POINTS_MASS = 8,
    POINTS_SPIN = 16,
    POINTS_AXIS = 32
};

/* Allocates the positions and the arrays named by the POINTS_ flags. */
carom_status points_create(points *p, size_t count, unsigned arrays, error *e);
void points_free(points *p);

/* The species of that name, or species_count; *guess (start with 0) makes runs of one name cheap. */
size_t points_species(const points_rules *rules, const char *name, size_t length, size_t *guess);

/* Reads a file in the extended XYZ or H5MD format, identified by its first bytes, without the vertices of meshes.
 * CAROM_NO_INPUT: cannot be opened. CAROM_BAD_DATA: with the line (XYZ) or the data set (H5MD) of the error. On failure
 * *p is empty. */
carom_status points_read(points *p, const char *path, const points_rules *rules, error *e);

/* Extended or plain XYZ in memory; messages contain `name` as the file. */
carom_status xyz_parse(points *p, const char *name, const char *text, size_t length, const points_rules *rules,
                       error *e);

/* H5MD from a file. */
carom_status h5md_read(points *p, const char *path, const points_rules *rules, error *e);

#endif
