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
    bool whole;    /* molecules and clusters in one piece, outside the box where they cross its boundary */
    bool unshaded; /* without ambient occlusion */
    camera_options camera;
    double rate; /* frames a second of a movie; 0: as suits */
    size_t plane_count;
    void (*planes_at)(const void *world, double time, view_plane *planes, size_t count); /* where they are */
    const void *world;
    view_exact exact;
} render_options;

typedef struct render_report {
    uint64_t first, frames; /* of the result that are shown */
    int width, height;
    const char *by;
    double draw_s, write_s; /* in all: drawing, and making files of it */
} render_report;

/* To a file that ends in .png, in .mp4, or to a file a frame: "frames-%d.png", "frames-%05d.png". */
carom_status render_result(const reader *r, const char *target, bool force, const render_options *options,
                           render_report *report, error *e);

/* ---- parts ------------------------------------------------------------------------------------------------------- */

enum { RENDER_ENTRIES = 8, RENDER_SPECIES_MOST = 64 };

/* What colours mean. */
typedef struct render_legend {
    bool map; /* from `from` to `to`; else so many entries */
    const char *what;
    double from, to;
    size_t count;
    const char *name[RENDER_ENTRIES];
    colour paint[RENDER_ENTRIES];
} render_legend;

typedef struct renderer {
    const reader *r;
    const result_about *about;
    render_options options;
    const theme *theme;
    render_by by;
    result_links links;
    carom_frame frame;  /* the present one, with true velocities */
    view_plane *planes; /* [options.plane_count] at its time */
    bool *is_vertex;    /* [count]: of a mesh, and not drawn by itself */
    uint32_t *paint;    /* [count], unlit */
    uint8_t *shade;     /* [count], of each cluster: 1 + a colour; 0 where it has none yet */
    molecules molecules;
    const uint32_t *group; /* [count]: cluster or molecule of each particle, where that is what colours mean */
    double *value;         /* [count]: what a colour map shows */
    colour *mesh_paint;    /* [meshes], by species */
    size_t hue[RENDER_SPECIES_MOST]; /* of the theme, for each species: those that are seen, counted */
    mesh_strain strain;              /* since the first frame */
    double low[3], high[3];          /* of all that is shown, in all frames */
    faces *faces;                    /* [meshes] */
    double line;                     /* half the thickness of lines */
    double dot;                      /* least radius of particles, in pixels: few tiny ones are still seen */
    render_legend legend;
    camera camera;
    raster raster; /* in three dimensions */
    uint32_t *pixels;
    int width, height;
} renderer;

/* Sets by, value's range and legend, from the frames first .. first + count - 1. */
carom_status render_colours_begin(renderer *v, uint64_t first, uint64_t count, error *e);

/* Sets paint and value for the present frame. */
void render_colours(renderer *v);
uint32_t render_mesh_paint(const renderer *v, size_t mesh);

/* Gives the groups of more than one particle shades that differ from those beside them in the usual view of the box.
 * sizes: [count]. */
void render_shade_clusters(renderer *v, const uint32_t *sizes);

/* Reads frame `index`. */
carom_status render_read(renderer *v, uint64_t index, error *e);

/* Draws the present frame into v->pixels, marks and all. */
carom_status render_draw(renderer *v, error *e);
carom_status render_marks(renderer *v, error *e);

/* Joins of the triangles of all meshes. */
carom_status render_meshes_begin(renderer *v, error *e);
void render_meshes_end(renderer *v);

/* Meshes before and behind raster_backdrop: faces that hide, and what is seen of others. */
carom_status render_solid_meshes(renderer *v, error *e);
carom_status render_thin_meshes(renderer *v, error *e);

/* Sets v->low and v->high: of the scene's view, else of the box, of meshes, and of the bulk of the bodies. */
carom_status render_find_extent(renderer *v, const render_report *report, error *e);

/* Some frames, evenly chosen, stand for all that are shown: look < RENDER_LOOKS. */
enum { RENDER_SAMPLES = 12 };
uint64_t render_sampled_frame(const render_report *report, uint64_t style, uint64_t samples);

/* A flat polygon without dents, unlit. */
void render_polygon(renderer *v, double (*corners)[3], size_t count, uint32_t paint);

/* Exact surfaces in the plane and in space; and room for those that are not much larger than what is `wide` and around
 * `middle`. */
void render_flat_exact(renderer *v, flat *on);
void render_draw_exact(renderer *v);
void render_see_exact(renderer *v, double wide, const double middle[3]);

/* Where a vertex is, not wrapped into the box. */
void render_unwrapped(const carom_frame *f, size_t i, double x[3]);

/* The part of the picture that bodies are drawn in, and the size of texts. */
viewport render_viewport(int width, int height);
double render_text_size(int width, int height);

/* The least radius that `count` particles are drawn with, in pixels: a dot where they are few, nothing where all their
 * dots would be a haze of their own. */
double render_dot(size_t count, int width, int height);

/* Frames to ffmpeg. */
typedef struct movie movie;
carom_status movie_open(movie **out, const char *target, int width, int height, double rate, bool force, error *e);
carom_status movie_frame(movie *m, const uint32_t *pixels, error *e);
carom_status movie_close(movie *m, carom_status status, error *e);

#endif
