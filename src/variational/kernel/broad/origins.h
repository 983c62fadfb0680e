/* List reference positions: where the elements were, or ahead of it, when their lists were made. */
#ifndef CAROM_VARIATIONAL_ORIGINS_H
#define CAROM_VARIATIONAL_ORIGINS_H

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"

/* An element that is entered in a cell. */
typedef struct crossing {
    uint32_t element, next;
} crossing;

enum { MESH_GRID_LEVELS = 40 };
typedef enum mesh_grid_kind { MESH_GRID_VERTEX, MESH_GRID_EDGE, MESH_GRID_FACE, MESH_GRID_KINDS } mesh_grid_kind;

/* The box round an element's reference position, and its neighbours in the same cell. */
typedef struct mesh_grid_entry {
    float middle[DIM], half[DIM];
    uint32_t next, prior;
} mesh_grid_entry;

/* The grid of the elements of meshes: see mesh_grid.c. */
typedef struct mesh_grid {
    double per_length[DIM]; /* of the finest cells */
    int64_t cells[DIM];     /* of those, along periodic axes; 0: without end */
    uint32_t mask;
    uint32_t *head[MESH_GRID_KINDS]; /* [mask + 1]: first entry of the cells that share this place; NONE */
    uint32_t count[MESH_GRID_KINDS][MESH_GRID_LEVELS];
    mesh_grid_entry *at; /* [elements] */
    double widest;       /* radius */
} mesh_grid;

/* One cache line: all that a search looks at. */
typedef struct origin {
    double x[DIM], radius;
    uint32_t cell;        /* NONE: there is no reference position yet */
    uint32_t next, prior; /* in the same cell */
    uint32_t mark;        /* the search that found it last */
} __attribute__((aligned(64))) origin;

/* Elements found near a reference position: one such list for each thread. */
typedef struct found_set {
    uint32_t *at;
    uint32_t count, capacity;
    bool failed; /* no memory */
} found_set;

/* An element whose list is made anew, and where those found lie. */
enum { RENEWALS = 4096 };
typedef struct renewal {
    uint32_t element, thread, from, count;
} renewal;

/* Where lists lie: blocks cut from slabs, each of which begins with the one made before it; and by size those that no
 * list has any more. */
enum { POOL_SIZES = 28 };
typedef struct free_block {
    struct free_block *next;
} free_block;
typedef struct list_pool {
    free_block *slab, *unused[POOL_SIZES];
    neighbour *next;
    uint32_t left;
} list_pool;

typedef struct grid {
    double skin, ahead;           /* ahead: how far ahead of a flying node its reference position lies */
    double mesh_skin, mesh_ahead; /* of vertices, edges and faces; not above the others */
    mesh_grid mesh_grid;
    uint32_t cells[DIM];
    double per_length[DIM];
    bool wraps[DIM];     /* cells repeat along axes without walls: in open boxes nodes may be anywhere */
    uint32_t *head;      /* [cells]: first node with its reference position there; NONE */
    origin *origin;      /* [count] */
    double (*ends)[DIM]; /* reference positions of the ends of rods and faces: see origin_ends */
    bool *has_origin;    /* [parts] */
    uint32_t *crossed;   /* [cells]: the first of those entries of segments that may be touched from there; NONE */
    crossing *crossing;
    uint32_t crossing_count, crossing_capacity, crossing_free;
    double widest;  /* radius of the largest element */
    uint32_t *mark; /* [parts]: the search that found it last */
    uint32_t marks;
    list_pool list_pool;
    found_set *found_set;      /* [threads] */
    renewal renewal[RENEWALS]; /* those made at a time */
    uint32_t *used_up;         /* [elements]: whose lists are to be made anew */
} grid;

/* Cell of a coordinate along axis k. */
static int32_t grid_cell_along(const world *w, const grid *n, int k, double x);

/* Notes a neighbour for a list that is to be made. */
static void found_add(found_set *f, uint32_t element);

/* Makes the list of an element from those noted; false where there is no memory. */
static bool list_renew(world *w, grid *n, uint32_t i, const uint32_t *found, uint32_t count);

static void lists_destroy(grid *n);

/* A new reference position for an element. */
static carom_status origin_move(world *w, grid *n, uint32_t i, double t, error *e);
static carom_status part_origin_move(world *w, grid *n, uint32_t element, double t, error *e);
static carom_status part_origin_restore(const world *w, grid *n, uint32_t element, error *e);

/* Notes all that may come near it there. */
static void grid_search(const world *w, grid *n, found_set *f, uint32_t i);
static void grid_search_part(const world *w, grid *n, found_set *f, uint32_t element);

/* Whether two elements may meet while both are within half a skin of their reference positions. */
static bool are_near(const world *w, const grid *n, uint32_t i, uint32_t partner);

/* The reference positions of an element's ends: how many. */
static int origin_of(const world *w, const grid *n, uint32_t element, double x[3][DIM]);

/* The box round them. */
static void origin_box(const world *w, const grid *n, uint32_t element, double low[DIM], double high[DIM]);

static inline double skin_of(const world *w, const grid *n, uint32_t element)
{
    return is_of_mesh(w, element) ? n->mesh_skin : n->skin;
}

/* Two each of rods, then three each of faces. */
static inline double (*origin_ends(const world *w, const grid *n, uint32_t part))[DIM]
{
    size_t rods = part < w->topology.faces_from ? part - w->count : w->topology.rod_count,
           faces = part - w->count - rods;
    return n->ends + 2 * rods + 3 * faces;
}

/* A new reference position for a node: where it is, or ahead of it. */
static void origin_choose(const world *w, const grid *n, uint32_t i, double t, double x[DIM]);

/* Notes the segments near the reference position of node i; it leaves marks: no two threads at a time. */
static void grid_search_segments(const world *w, grid *n, found_set *f, uint32_t i);

/* The grid of the meshes' elements. */
static carom_status mesh_grid_create(const world *w, grid *n, error *e);
static void mesh_grid_destroy(grid *n);

/* Enters an element of a mesh at its reference position, and removes it. */
static void mesh_grid_enter(const world *w, grid *n, uint32_t element);
static void mesh_grid_remove(const world *w, grid *n, uint32_t element);

/* Notes the elements of a kind near the reference position of any element. */
static void mesh_grid_search(const world *w, const grid *n, found_set *f, uint32_t element, mesh_grid_kind kind);

/* The mean length of the edges of a mesh, the least of all. */
static double mesh_grid_spacing(const world *w);

#endif
