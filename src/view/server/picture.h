/* Contents of the page, and their messages (docs/view.md describes the format). */
#ifndef CAROM_VIEW_SERVER_PICTURE_H
#define CAROM_VIEW_SERVER_PICTURE_H

#include "frame/frame.h"
#include "view/camera.h"
#include "view/cylinder.h"
#include "view/exact.h"
#include "view/framing.h"
#include "view/mesh_style.h"
#include "view/plane.h"

/* Maximum number of points of a frame; with more particles, every k-th is sent. */
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
    const char *title, *engine, *step; /* step: unit of a single step */
    const char *const *species;
    size_t species_count;
    const carom_frame *first; /* positions at the start */
    const view_mesh *meshes;
    size_t mesh_count;
    const uint32_t *const *segment, *const *spring; /* [2][count]: ends */
    const double *segment_radius;
    size_t segment_count, spring_count;
    size_t plane_count, cylinder_count;
    view_exact outlined; /* exact surfaces other than cylinders: sent as lines and facets */
    camera_options camera;
    mesh_style style;
    bool whole;                 /* molecules and clusters in one piece */
    uint64_t frames;            /* of a file; 0: the frames of a simulation */
    double begin, end;          /* time; end NAN: unknown */
    double speed;               /* default speed; simulated time per wall second */
    const view_moment *history; /* times of some frames of a file */
    size_t history_count;
    size_t grains_most; /* largest number of particles that are not vertices; 0: VIEW_POINTS with the vertices */
} view_subject;

typedef enum view_state { VIEW_WAITING, VIEW_RUNNING, VIEW_PAUSED, VIEW_ENDED } view_state;

/* Data that are sent with a frame and are not part of it. */
typedef struct view_status {
    view_state state;
    carom_stop stop;
    double rate;      /* events per wall second */
    double speed;     /* simulated time per wall second; infinite: without a limit */
    uint64_t index;   /* index of the frame of a file */
    uint64_t frames;  /* current number of frames of the file */
    bool unfinished;  /* further frames may follow */
    view_moment last; /* time of the last frame */
    const view_plane *planes;
    const view_cylinder *cylinders;
    const double (*moved)[3]; /* displacements of the exact surfaces that are drawn as outlines */
} view_status;

/* The particles that are sent: grains (all particles that are not vertices), every stride-th, then vertices. */
typedef struct view_choice {
    uint32_t *particle;     /* [points] */
    uint32_t *first_vertex; /* [points - grains]: the first vertex of the same mesh */
    size_t points, grains, stride;
    bool meshes; /* false: too many vertices; they count as grains */
} view_choice;

carom_status choice_make(view_choice *c, const view_subject *s, error *e);
void choice_free(view_choice *c);

/* Position of point n. A mesh is in one piece, with its first vertex in the box. */
void choice_place(const view_choice *c, size_t n, const carom_frame *f, double place[3]);

/* A frame as the engine provides it: copied, not encoded. */
typedef struct picture {
    view_moment moment;
    view_status status; /* pointers to planes, cylinders and displacements refer to the arrays below */
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
    float *speed;      /* [points], in units of the scene */
    uint32_t *cluster; /* [points]; NULL: absent */
    uint16_t *layers;  /* [points]; likewise */
    uint16_t *absent;  /* [points]: 1: not in the system at present; NULL if no particles enter or leave */
    float (*axis)[3];  /* [points]; of bodies that are not spheres, unit vectors; likewise */
} picture;

carom_status picture_create(picture *p, const view_subject *s, const view_choice *c, error *e);
/* Whether picture_fill can take this frame, which has as many points as the first one. */
bool picture_suits(const picture *p, const carom_frame *f);
void picture_destroy(picture *p);
void picture_fill(picture *p, const view_choice *c, const carom_frame *f, const view_status *status);

/* The initial view: that of the scene, otherwise the box, the meshes and the bulk of the bodies at the start. */
framing view_framing(const view_subject *s);

view_moment view_moment_of(const carom_frame *f);

/* Complete WebSocket messages; *size: their length. NULL: no memory. Freed with memory_free. */
uint8_t *encode_hello(const view_subject *s, const view_choice *c, size_t *size);
uint8_t *encode_text(const char *text, size_t *size);
uint8_t *encode_things(const view_subject *s, const view_choice *c, size_t *size);
uint8_t *encode_history(const view_moment *moments, size_t count, size_t *size);
uint8_t *encode_frame(const picture *p, size_t *size);

#endif
