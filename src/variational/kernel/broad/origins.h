/* Where the elements were when their lists were made: for near.c and rods.c. */
#ifndef CAROM_VARIATIONAL_ORIGINS_H
#define CAROM_VARIATIONAL_ORIGINS_H

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"

/* An element that is entered in a cell. */
typedef struct crossing {
    uint32_t who, next;
} crossing;

enum { NET_LEVELS = 40 };
typedef enum net_kind { NET_VERTEX, NET_EDGE, NET_FACE, NET_KINDS } net_kind;

/* The box round an element's home, and its neighbours in the same cell. */
typedef struct net_entry {
    float middle[DIM], half[DIM];
    uint32_t next, prior;
} net_entry;

/* Where the elements of meshes are at home: see net.c. */
typedef struct net {
    double per_length[DIM]; /* of the finest cells */
    int64_t cells[DIM];     /* of those, along periodic axes; 0: without end */
    uint32_t mask;
    uint32_t *head[NET_KINDS]; /* [mask + 1]: first entry of the cells that share this place; NOBODY */
    uint32_t count[NET_KINDS][NET_LEVELS];
    net_entry *at; /* [elements] */
    double widest; /* radius */
} net;

/* One cache line: all that a search looks at. */
typedef struct home {
    double x[DIM], radius;
    uint32_t cell;        /* NOBODY: not at home anywhere yet */
    uint32_t next, prior; /* in the same cell */
    uint32_t mark;        /* the search that found it last */
} __attribute__((aligned(64))) home;

/* Those found near a home: one such list for each thread. */
typedef struct finds {
    uint32_t *at;
    uint32_t count, capacity;
    bool failed; /* no memory */
} finds;

/* An element whose list is made anew, and where those found lie. */
enum { RENEWALS = 4096 };
typedef struct renewal {
    uint32_t who, thread, from, count;
} renewal;

/* Where lists lie: blocks cut from slabs, each of which begins with the one made before it; and by size those that no
 * list has any more. */
enum { SHELF_SIZES = 28 };
typedef struct spare {
    struct spare *next;
} spare;
typedef struct shelf {
    spare *slab, *unused[SHELF_SIZES];
    neighbour *next;
    uint32_t left;
} shelf;

typedef struct near {
    double skin, ahead;           /* ahead: how far before a node that flies its home lies */
    double mesh_skin, mesh_ahead; /* of vertices, edges and faces; not above the others */
    net net;
    uint32_t cells[DIM];
    double per_length[DIM];
    bool wraps[DIM];     /* cells repeat along axes without walls: in open boxes nodes may be anywhere */
    uint32_t *head;      /* [cells]: a node at home there; NOBODY */
    home *home;          /* [count] */
    double (*ends)[DIM]; /* homes of rods and faces, where their ends were: see ends_at_home */
    bool *at_home;       /* [parts] */
    uint32_t *crossed;   /* [cells]: the first of those entries of segments that may be touched from there; NOBODY */
    crossing *crossing;
    uint32_t crossing_count, crossing_capacity, crossing_free;
    double widest;  /* radius of the largest element */
    uint32_t *mark; /* [parts]: the search that found it last */
    uint32_t marks;
    shelf shelf;
    finds *finds;              /* [threads] */
    renewal renewal[RENEWALS]; /* those made at a time */
    uint32_t *used_up;         /* [elements]: whose lists are to be made anew */
} near;

/* Cell of a coordinate along axis k. */
static int32_t near_place(const world *w, const near *n, int k, double x);

/* Notes a neighbour for a list that is to be made. */
static void near_remember(finds *f, uint32_t who);

/* Makes the list of an element from those noted; false where there is no memory. */
static bool near_renew_list(world *w, near *n, uint32_t i, const uint32_t *found, uint32_t count);

static void lists_destroy(near *n);

/* A new home for an element. */
static carom_status near_move(world *w, near *n, uint32_t i, double t, error *e);
static carom_status parts_move(world *w, near *n, uint32_t who, double t, error *e);
static carom_status parts_restore(const world *w, near *n, uint32_t who, error *e);

/* Notes all that may come near it there. */
static void near_search(const world *w, near *n, finds *f, uint32_t i);
static void parts_search(const world *w, near *n, finds *f, uint32_t who);

/* Whether two may meet before one of them leaves home. */
static bool are_near(const world *w, const near *n, uint32_t i, uint32_t who);

/* Where the ends of an element are at home: how many. */
static int home_of(const world *w, const near *n, uint32_t who, double x[3][DIM]);

/* The box round them. */
static void home_box(const world *w, const near *n, uint32_t who, double low[DIM], double high[DIM]);

static inline double skin_of(const world *w, const near *n, uint32_t who)
{
    return is_of_mesh(w, who) ? n->mesh_skin : n->skin;
}

/* Two each of rods, then three each of faces. */
static inline double (*ends_at_home(const world *w, const near *n, uint32_t part))[DIM]
{
    size_t rods = part < w->faces_from ? part - w->count : w->rod_count, faces = part - w->count - rods;
    return n->ends + 2 * rods + 3 * faces;
}

/* A new home for a node: where it is, or ahead of it. */
static void near_settle(const world *w, const near *n, uint32_t i, double t, double x[DIM]);

/* Notes the segments near the home of node i; it leaves marks: no two threads at a time. */
static void rods_search(const world *w, near *n, finds *f, uint32_t i);

/* The net of the meshes' elements. */
static carom_status net_create(const world *w, near *n, error *e);
static void net_destroy(near *n);

/* Enters an element of a mesh at its home, and takes it out. */
static void net_enter(const world *w, near *n, uint32_t who);
static void net_take_out(const world *w, near *n, uint32_t who);

/* Notes the elements of a kind near the home of any element. */
static void net_search(const world *w, const near *n, finds *f, uint32_t who, net_kind kind);

/* The mean length of the edges of a mesh, the least of all. */
static double net_spacing(const world *w);

#endif
