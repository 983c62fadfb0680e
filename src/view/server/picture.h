/* Contents of the page, and their messages (docs/view.md describes the bytes). */
#ifndef CAROM_VIEW_SERVER_PICTURE_H
#define CAROM_VIEW_SERVER_PICTURE_H

#include "frame/frame.h"
#include "view/camera.h"
#include "view/cylinder.h"
#include "view/exact.h"
#include "view/framing.h"
#include "view/mesh_style.h"
#include "view/plane.h"

/* No more points than that in a frame: beyond, every k-th particle is shown. */
enum { VIEW_POINTS = 150000, VIEW_PLANES = 64, VIEW_CYLINDERS = 64, VIEW_OUTLINES = 64 };

/* A mesh whose vertices are particles. */
typedef struct view_mesh {
    const char *name;
    uint32_t first, vertices;
    const uint32_t (*triangles)[3]; /* counted from `first` */
    size_t triangle_count;
    bool rigid;
} view_mesh;

/* What the charts show. */
typedef struct view_moment {
    double time, kinetic, potential, stored, total, events, clusters;
} view_moment;

/* Constant properties of a simulation or a file. view_show copies them. */
typedef struct view_subject {
    const char *title, *engine, *step; /* step: what a single one is */
    const char *const *species;
    size_t species_count;
    const carom_frame *first; /* where all is at the start */
    const view_mesh *meshes;
    size_t mesh_count;
    const uint32_t *const *segment, *const *spring; /* [2][count]: ends */
    const double *segment_radius;
    size_t segment_count, spring_count;
    size_t plane_count, cylinder_count;
    view_exact outlined; /* exact surfaces but cylinders: they are sent as lines and facets */
    camera_options camera;
    mesh_style style;
    bool whole;                 /* molecules and clusters in one piece */
    uint64_t frames;            /* of a file; 0: a simulation */
    double begin, end;          /* time; end NAN: unknown */
    double speed;               /* usual; time per wall second */
    const view_moment *history; /* of a file's frames, some of them */
    size_t history_count;
} view_subject;

typedef enum view_state { VIEW_WAITING, VIEW_RUNNING, VIEW_PAUSED, VIEW_ENDED } view_state;

/* Data sent with a frame that are not part of it. */
typedef struct view_status {
    view_state state;
    carom_stop stop;
    double rate;      /* events per wall second */
    double speed;     /* time per wall second; infinite: as fast as it goes */
    uint64_t index;   /* of a file's frame */
    uint64_t frames;  /* of the file by now */
    bool unfinished;  /* it may get more */
    view_moment last; /* of its last frame by now */
    const view_plane *planes;
    const view_cylinder *cylinders;
    const double (*moved)[3]; /* how far those are from their first place that are outlined */
} view_status;

/* Which particles are shown: grains (all that are no vertices), every stride-th, then vertices. */
typedef struct view_choice {
    uint32_t *particle; /* [points] */
    uint32_t *home;     /* [points - grains]: the particle that is the first vertex of the same mesh */
    size_t points, grains, stride;
    bool meshes; /* else their vertices are too many, and count as grains */
} view_choice;

carom_status choice_make(view_choice *c, const view_subject *s, error *e);
void choice_free(view_choice *c);

/* Where the n-th point is shown. A mesh is in one piece, and its first vertex in the box. */
void choice_place(const view_choice *c, size_t n, const carom_frame *f, double place[3]);

/* A frame as the engine fills it: copied, not encoded. */
typedef struct picture {
    view_moment moment;
    view_status status; /* its planes, cylinders and `moved` point to those here */
    view_plane planes[VIEW_PLANES];
    size_t plane_count;
    view_cylinder cylinders[VIEW_CYLINDERS];
    size_t cylinder_count;
    double moved[VIEW_OUTLINES][3];
    size_t outline_count;
    int dimension;
    double box[3];
    size_t points;
    double *position;  /* [points][3] */
    float *speed;      /* [points], true units */
    uint32_t *cluster; /* [points]; NULL where there are none */
    uint16_t *layers;  /* [points]; likewise */
    float (*axis)[3];  /* [points]: of bodies that are no spheres, unit; likewise */
} picture;

carom_status picture_create(picture *p, const view_subject *s, const view_choice *c, error *e);
void picture_destroy(picture *p);
void picture_fill(picture *p, const view_choice *c, const carom_frame *f, const view_status *status);

/* The initial view: that of the scene, otherwise the box, the meshes and the bulk of the bodies at the start. */
framing view_framing(const view_subject *s);

view_moment view_moment_of(const carom_frame *f);

/* Whole WebSocket messages; *size of them. NULL: no memory. Freed with memory_free. */
uint8_t *encode_hello(const view_subject *s, const view_choice *c, size_t *size);
uint8_t *encode_text(const char *text, size_t *size);
uint8_t *encode_things(const view_subject *s, const view_choice *c, size_t *size);
uint8_t *encode_history(const view_moment *moments, size_t count, size_t *size);
uint8_t *encode_frame(const picture *p, size_t *size);

#endif
