/* List reference positions: positions of the elements, or points ahead of them, at the creation of their lists. */
#ifndef CAROM_VARIATIONAL_ORIGINS_H
#define CAROM_VARIATIONAL_ORIGINS_H

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"

/* An entry of an element in a cell. */
typedef struct crossing {
    uint32_t element, next;
} crossing;

enum { MESH_GRID_LEVELS = 40 };
typedef enum mesh_grid_kind { MESH_GRID_VERTEX, MESH_GRID_EDGE, MESH_GRID_FACE, MESH_GRID_KINDS } mesh_grid_kind;

/* The box around an element's reference position, and the adjacent entries of its cell. */
typedef struct mesh_grid_entry {
    float middle[DIM], half[DIM];
    uint32_t next, prior;
} mesh_grid_entry;

/* The grid of the elements of meshes: see mesh_grid.c. */
typedef struct mesh_grid {
    double per_length[DIM]; /* of the finest cells */
    int64_t cells[DIM];     /* number of finest cells along periodic axes; 0: no limit */
    uint32_t mask;
    uint32_t *head[MESH_GRID_KINDS]; /* [mask + 1]: first entry of the cells with this hash; NONE */
    uint32_t count[MESH_GRID_KINDS][MESH_GRID_LEVELS];
    float reach[MESH_GRID_KINDS][MESH_GRID_LEVELS][DIM]; /* half the width of the widest box since the start */
    mesh_grid_entry *at;                                 /* [elements] */
    double widest;                                       /* largest radius */
} mesh_grid;

/* One cache line: all data that a search reads. */
typedef struct origin {
    double x[DIM], radius;
    uint32_t cell;        /* NONE: no reference position yet */
    uint32_t next, prior; /* in the same cell */
    uint32_t mark;        /* number of the last search that found it */
} __attribute__((aligned(64))) origin;

/* Elements near a reference position: results of searches, one set for each thread. */
typedef struct found_set {
    uint32_t *at;
    uint32_t count, capacity;
    bool failed; /* no memory */
} found_set;

/* An element with a new list, and the place of its search results. */
enum { RENEWALS = 4096 };
typedef struct renewal {
    uint32_t element, thread, from, count;
} renewal;

/* Memory of lists: blocks of slabs, each of which begins with a link to the previous one; and unused blocks by size. */
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
    double skin, ahead;           /* ahead: distance of a reference position ahead of its node */
    double mesh_skin, mesh_ahead; /* of vertices, edges and faces; at most skin and ahead */
    mesh_grid mesh_grid;
    uint32_t cells[DIM];
    double per_length[DIM], period[DIM];
    bool wraps[DIM];     /* cells repeat along axes without walls, as positions in open boxes have no limit */
    uint32_t *head;      /* [cells]: first node with its reference position in the cell; NONE */
    origin *origin;      /* [count] */
    double (*ends)[DIM]; /* reference positions of the ends of rods and faces: see origin_ends */
    bool *has_origin;    /* [parts] */
    uint32_t *crossed;   /* [cells]: first entry of a segment within reach of the cell; NONE */
    crossing *crossing;
    uint32_t crossing_count, crossing_capacity, crossing_free;
    double widest;  /* radius of the largest element */
    uint32_t *mark; /* [parts]: number of the last search that found it */
    uint32_t marks;
    list_pool list_pool;
    found_set *found_set;      /* [threads] */
    renewal renewal[RENEWALS]; /* one portion of renewals */
    uint32_t *used_up;         /* [elements]: elements whose lists have expired */
} grid;

/* Cell of a coordinate along axis k. */
static int32_t grid_cell_along(const grid *n, int k, double x);

/* Records a neighbour for a new list. */
static void found_add(found_set *f, uint32_t element);

/* Updates the list of an element by the recorded neighbours; false: no memory. */
static bool list_renew(world *w, grid *n, uint32_t i, const uint32_t *found, uint32_t count);

static void lists_destroy(grid *n);

/* Removes all entries of element i, which have no contacts, and those that refer to it. */
static void lists_empty(world *w, uint32_t i);

/* Sets a new reference position of an element. */
static carom_status origin_move(world *w, grid *n, uint32_t i, double t, error *e);
static carom_status part_origin_move(world *w, grid *n, uint32_t element, double t, error *e);
static carom_status part_origin_restore(const world *w, grid *n, uint32_t element, error *e);

/* Records all elements that may come near it there. */
static void grid_search(const world *w, grid *n, found_set *f, uint32_t i);
static void grid_search_part(const world *w, grid *n, found_set *f, uint32_t element);

/* Whether contact of two elements is possible while both are within half a skin of their reference positions. */
static bool are_near(const world *w, const grid *n, uint32_t i, uint32_t partner);

/* The reference positions of an element's ends. Returns their number. */
static int origin_of(const world *w, const grid *n, uint32_t element, double x[3][DIM]);

/* The box around them. */
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

/* A new reference position for a node: its position, or a point ahead of it. */
static void origin_choose(const world *w, const grid *n, uint32_t i, double t, double x[DIM]);

/* Records the segments near the reference position of node i. It writes marks: one thread at a time. */
static void grid_search_segments(const world *w, grid *n, found_set *f, uint32_t i);

/* The grid of the meshes' elements. */
static carom_status mesh_grid_create(const world *w, grid *n, error *e);
static void mesh_grid_destroy(grid *n);

/* Enters an element of a mesh at its reference position, and removes it. */
static void mesh_grid_enter(const world *w, grid *n, uint32_t element);
static void mesh_grid_remove(const world *w, grid *n, uint32_t element);

/* Records the elements of a kind near the reference position of any element. */
static void mesh_grid_search(const world *w, const grid *n, found_set *f, uint32_t element, mesh_grid_kind kind);

/* The smallest mean length of edges among all meshes. */
static double mesh_grid_spacing(const world *w);

#endif
