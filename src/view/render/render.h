/* Pictures and movies of frames. */
#ifndef CAROM_VIEW_RENDER_RENDER_H
#define CAROM_VIEW_RENDER_RENDER_H

#include "output/results/read.h"
#include "output/results/strain.h"
#include "view/camera.h"
#include "view/colours.h"
#include "view/exact.h"
#include "view/framing.h"
#include "view/mesh_style.h"
#include "view/plane.h"
#include "view/render/faces.h"
#include "view/render/flat.h"
#include "view/render/molecules.h"
#include "view/render/raster.h"

typedef enum render_by {
    RENDER_DEFAULT,
    RENDER_SPECIES,
    RENDER_SPEED,
    RENDER_CLUSTER,
    RENDER_MOLECULE,
    RENDER_STRAIN,
    RENDER_LAYERS,
    RENDER_BYS
} render_by;
extern const char *const render_by_names[RENDER_BYS];

typedef struct render_options {
    int64_t frame;     /* a number, CAROM_RENDER_LAST or CAROM_RENDER_ALL */
    int width, height; /* 0: as suits */
    render_by by;
    bool dark;
    mesh_style meshes;
    bool whole;    /* molecules and clusters in one piece, beyond the box if they cross its boundary */
    bool unshaded; /* without ambient occlusion */
    camera_options camera;
    double rate; /* frames per second of a movie; 0: automatic */
    size_t plane_count;
    void (*planes_at)(const void *world, double time, view_plane *planes, size_t count); /* their positions */
    const void *world;
    view_exact exact;
} render_options;

/* Frames to be drawn: those of a result, or one of a simulation. */
typedef struct render_source {
    const char *name; /* for messages */
    const result_about *about;
    const void *self;                                                                 /* argument of the functions */
    carom_status (*create)(const void *self, carom_frame *f, error *e);               /* a frame of the right size */
    carom_status (*read)(const void *self, uint64_t index, carom_frame *f, error *e); /* with true velocities */
    carom_status (*time)(const void *self, uint64_t index, double *time, error *e);
    const result_links *links;
} render_source;

typedef struct render_report {
    uint64_t first, frames; /* of the result: index of the first frame drawn, and their number */
    int width, height;
    const char *by;
    double draw_s, write_s; /* total time: drawing, and encoding of the files */
} render_report;

/* To a file with extension .png or .mp4, or to one file per frame: "frames-%d.png", "frames-%05d.png". */
carom_status render_frames(const render_source *from, const char *target, bool force, const render_options *options,
                           render_report *report, error *e);
carom_status render_result(const reader *r, const char *target, bool force, const render_options *options,
                           render_report *report, error *e);

/* ---- parts ------------------------------------------------------------------------------------------------------- */

enum { RENDER_ENTRIES = 8, RENDER_SPECIES_MOST = 64 };

/* Meaning of the colours. */
typedef struct render_legend {
    bool map; /* continuous from `from` to `to`; otherwise `entries` categories */
    const char *what;
    double from, to;
    size_t count;
    const char *name[RENDER_ENTRIES];
    colour paint[RENDER_ENTRIES];
} render_legend;

typedef struct renderer {
    const render_source *from;
    const result_about *about;
    render_options options;
    const theme *theme;
    render_by by;
    const result_links *links;
    carom_frame frame;  /* the present one, with true velocities */
    view_plane *planes; /* [options.plane_count] at its time */
    bool *is_vertex;    /* [count]: particles of a mesh that are not drawn themselves */
    uint32_t *paint;    /* [count], unlit */
    uint8_t *shade;     /* [count], for each cluster: 1 + index of its colour; 0 before the assignment */
    molecules molecules;
    const uint32_t *group;           /* [count]: cluster or molecule of each particle, if colours show it */
    double *value;                   /* [count]: the value on the colour map */
    colour *mesh_paint;              /* [meshes], by species */
    size_t hue[RENDER_SPECIES_MOST]; /* of the theme, for each species: index among those that appear */
    mesh_strain strain;              /* since the first frame */
    double low[3], high[3];          /* the region shown, the same in all frames */
    faces *faces;                    /* [meshes] */
    double line;                     /* half the thickness of lines */
    double dot;                      /* least radius of particles in pixels, for visibility */
    render_legend legend;
    camera camera;
    raster raster; /* in three dimensions */
    uint32_t *pixels;
    int width, height;
} renderer;

/* Sets `by`, the range of `value` and the legend, from the frames first .. first + count - 1. */
carom_status render_colours_begin(renderer *v, uint64_t first, uint64_t count, error *e);

/* Sets `paint` and `value` for the present frame. */
void render_colours(renderer *v);
uint32_t render_mesh_paint(const renderer *v, size_t mesh);

/* Assigns shades to the groups of more than one particle that differ from those of their neighbours in the default view
 * of the box. sizes: [count]. */
void render_shade_clusters(renderer *v, const uint32_t *sizes);

/* Reads frame `index`. */
carom_status render_read(renderer *v, uint64_t index, error *e);

/* Draws the present frame with its annotations into v->pixels. */
carom_status render_draw(renderer *v, error *e);
carom_status render_marks(renderer *v, error *e);

/* Adjacency of the triangles of all meshes. */
carom_status render_meshes_begin(renderer *v, error *e);
void render_meshes_end(renderer *v);

/* Meshes before and after raster_backdrop: opaque faces, and the visible parts of others. */
carom_status render_solid_meshes(renderer *v, error *e);
carom_status render_thin_meshes(renderer *v, error *e);

/* Sets v->low and v->high: the range set by the scene, otherwise the box, the meshes, and the bulk of the bodies. */
carom_status render_find_extent(renderer *v, const render_report *report, error *e);

/* A sample of all frames of the movie, evenly distributed: look < RENDER_LOOKS. */
enum { RENDER_SAMPLES = 12 };
uint64_t render_sampled_frame(const render_report *report, uint64_t style, uint64_t samples);

/* A plane convex polygon, unlit. */
void render_polygon(renderer *v, double (*corners)[3], size_t count, uint32_t paint);

/* Exact surfaces in two and three dimensions; and the extent of those that are at most slightly larger than `wide`,
 * around `middle`. */
void render_flat_exact(renderer *v, flat *on);
void render_draw_exact(renderer *v);
void render_see_exact(renderer *v, double wide, const double middle[3]);

/* The unwrapped position of a vertex. */
void render_unwrapped(const carom_frame *f, size_t i, double x[3]);

/* The part of the picture for the bodies, and the size of texts. */
viewport render_viewport(int width, int height);
double render_text_size(int width, int height);

/* Lower limit of the radius of `count` particles in pixels: a dot if they are few, 0 if so many dots would cover the
 * picture. */
double render_dot(size_t count, int width, int height);

/* Frames to ffmpeg. */
typedef struct movie movie;
carom_status movie_open(movie **out, const char *target, int width, int height, double rate, bool force, error *e);
carom_status movie_frame(movie *m, const uint32_t *pixels, error *e);
carom_status movie_close(movie *m, carom_status status, error *e);

#endif
