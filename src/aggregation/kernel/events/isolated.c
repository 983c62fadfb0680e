#include "aggregation/kernel/events/isolated.h"

#include "aggregation/kernel/rotating/body.h"
#include "base/memory.h"

#include <string.h>

enum { CELLS_NEAR = DIM == 2 ? 9 : 27 };

/* A grid of the centres of the clusters, COARSE_WIDTH mean distances wide. Clusters that extend beyond their cell by
 * more than COARSE_SHARE of its width are `large`, and are in a separate list. Two other clusters whose cells are not
 * adjacent are at least half a cell apart. */
typedef struct isolated {
    uint32_t *root;        /* [roots] of all clusters, once their number is small */
    uint32_t *slot;        /* by root: position in `root` */
    uint32_t *cell, *next; /* by root: its cell, and the next root in that cell */
    uint32_t *head;        /* [total + 1]: the last one is the list of large clusters */
    uint32_t roots, built_for, total, room;
    uint32_t count[DIM];
    double width;
    uint32_t attempts, successes; /* since the grid was built: in dense systems no cluster is isolated */
    bool any;
} isolated;

static uint32_t few_clusters(const cluster_state *s)
{
    const uint32_t part = s->count / PARTICLES_PER_CLUSTER;
    return part > CHECK_ALL ? part : CHECK_ALL;
}

#if CAROM_ROTATING

/* Distance of the balls that enclose the clusters at any attitude, at the list origins. */
static double gap_between(const cluster_state *s, uint32_t a, uint32_t b)
{
    double apart[DIM];
    for (int k = 0; k < DIM; k++) {
        apart[k] = s->cluster[a].anchor[k] - s->cluster[b].anchor[k];
        apart[k] -= s->period[k] * nearest_whole(apart[k] * s->per_period[k]);
    }
    return length_of(apart, DIM) * ROUND_DOWN - s->rotation.body[a].reach - s->rotation.body[b].reach;
}

/* Distance of the ball that encloses the cluster at any attitude from the walls: a cluster close to a wall is not
 * isolated. */
static double wall_gap(const cluster_state *s, uint32_t root)
{
    double room = INFINITY;
    for (int k = 0; k < DIM; k++) {
        if (s->period[k] > 0) continue;
        const double x = s->cluster[root].anchor[k];
        room = fmin(room, fmin(x, s->size[k] - x) - s->rotation.body[root].reach);
    }
    return room;
}

static double middle(const cluster_state *s, uint32_t root, int k, double *half)
{
    *half = s->rotation.body[root].reach;
    return s->cluster[root].anchor[k];
}

#else

static double middle(const cluster_state *s, uint32_t root, int k, double *half)
{
    const cluster *c = &s->cluster[root];
    *half = 0.5 * (c->high[k] - c->low[k]);
    return c->anchor[k] + 0.5 * (c->low[k] + c->high[k]);
}

static double wall_gap(const cluster_state *s, uint32_t root)
{
    (void)s;
    (void)root;
    return INFINITY;
}

/* Distance of the bounding boxes at the list origins, by the nearest images. */
static double gap_between(const cluster_state *s, uint32_t a, uint32_t b)
{
    const cluster *c = &s->cluster[a], *d = &s->cluster[b];
    double square = 0;
    for (int k = 0; k < DIM; k++) {
        double apart = 0.5 * ((c->low[k] + c->high[k]) - (d->low[k] + d->high[k])) + (c->anchor[k] - d->anchor[k]);
        double half = 0.5 * ((c->high[k] - c->low[k]) + (d->high[k] - d->low[k]));
        double gap = fabs(apart - s->period[k] * nearest_whole(apart * s->per_period[k])) - half;
        if (gap > 0) square += gap * gap;
    }
    return sqrt(square) * ROUND_DOWN;
}

#endif

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

static uint32_t cell_of(const cluster_state *s, const isolated *g, uint32_t root)
{
    uint32_t at = 0, stride = 1;
    for (int k = 0; k < DIM; k++) {
        double half, x = middle(s, root, k, &half);
        if (half > COARSE_SHARE * g->width) return g->total;
        x -= s->period[k] * floor(x * s->per_period[k]);
        const double c = x / s->size[k] * g->count[k];
        at += stride * (c <= 0 ? 0 : c >= g->count[k] ? g->count[k] - 1 : (uint32_t)c);
        stride *= g->count[k];
    }
    return at;
}

static void enter(const cluster_state *s, isolated *g, uint32_t root)
{
    const uint32_t c = g->cell[root] = cell_of(s, g, root);
    g->next[root] = g->head[c];
    g->head[c] = root;
}

static void leave(isolated *g, uint32_t root)
{
    uint32_t *link = &g->head[g->cell[root]];
    while (*link != root) link = &g->next[*link];
    *link = g->next[root];
}

/* Creates the empty grid with the number of cells for that many clusters. */
static void isolated_shape(const cluster_state *s, isolated *g, uint32_t roots)
{
    double volume = 1, cells;
    for (int k = 0; k < DIM; k++) volume *= s->size[k];
    g->width = COARSE_WIDTH * pow(volume / roots, 1.0 / DIM);
    for (;; g->width *= CELLS_WIDENING) {
        cells = 1;
        for (int k = 0; k < DIM; k++) cells *= g->count[k] = (uint32_t)fmax(1, floor(s->size[k] / g->width));
        if (cells < g->room) break;
    }
    g->total = (uint32_t)cells;
    g->built_for = roots;
    g->attempts = g->successes = 0;
    for (uint32_t c = 0; c <= g->total; c++) g->head[c] = NONE;
}

static void build(const cluster_state *s, isolated *g)
{
    isolated_shape(s, g, g->roots);
    for (uint32_t k = 0; k < g->roots; k++) enter(s, g, g->root[k]);
}

/* Starts the search once the number of clusters is small. */
static void begin(const cluster_state *s, isolated *g)
{
    if (s->clusters > few_clusters(s)) return;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->particle[i].root != i) continue;
        g->slot[i] = g->roots;
        g->root[g->roots++] = i;
    }
    build(s, g);
}

static carom_status isolated_create(cluster_state *s, error *e)
{
    isolated *g = s->isolated = NEW_ARRAY(1, isolated);
    if (g == NULL) return error_memory(e, "the clusters", sizeof *g);
    g->room = few_clusters(s) + 1;
    g->root = NEW_ARRAY(g->room, uint32_t);
    g->head = NEW_ARRAY(g->room + 1, uint32_t);
    g->slot = NEW_ARRAY(s->count, uint32_t);
    g->cell = NEW_ARRAY(s->count, uint32_t);
    g->next = NEW_ARRAY(s->count, uint32_t);
    if (g->root == NULL || g->head == NULL || g->slot == NULL || g->cell == NULL || g->next == NULL)
        return error_memory(e, "the clusters", 3 * (size_t)s->count * sizeof(uint32_t));
    return CAROM_OK;
}

static void isolated_destroy(cluster_state *s)
{
    isolated *g = s->isolated;
    if (g == NULL) return;
    memory_free(g->root);
    memory_free(g->head);
    memory_free(g->slot);
    memory_free(g->cell);
    memory_free(g->next);
    memory_free(g);
    s->isolated = NULL;
}

static void isolated_begin(cluster_state *s)
{
    begin(s, s->isolated);
}

static void isolated_moved(cluster_state *s, uint32_t root)
{
    isolated *g = s->isolated;
    if (g->roots == 0 || g->cell[root] == cell_of(s, g, root)) return;
    leave(g, root);
    enter(s, g, root);
}

static void isolated_merged(cluster_state *s, uint32_t stays, uint32_t gone)
{
    isolated *g = s->isolated;
    if (g->roots == 0) {
        begin(s, g);
        return;
    }
    leave(g, gone);
    g->root[g->slot[gone]] = g->root[--g->roots];
    g->slot[g->root[g->slot[gone]]] = g->slot[gone];
    if (2 * g->roots <= g->built_for)
        build(s, g);
    else
        isolated_moved(s, stays);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* The clusters of all cells, in the order of insertion that reproduces the present order of each cell. */
static void list_entries(const isolated *g, uint32_t *entry)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c <= g->total; c++) {
        const uint32_t first = count;
        for (uint32_t r = g->head[c]; r != NONE; r = g->next[r]) entry[count++] = r;
        for (uint32_t a = first, b = count; a + 1 < b; a++) {
            const uint32_t held = entry[a];
            entry[a] = entry[--b];
            entry[b] = held;
        }
    }
}

static carom_status isolated_save(const cluster_state *s, snapshot *out, error *e)
{
    const isolated *g = s->isolated;
    const uint32_t numbers[] = {g->built_for, g->attempts, g->successes, g->any};
    uint32_t *entry = NEW_ARRAY(g->roots, uint32_t);
    if (entry == NULL) return error_memory(e, "a checkpoint", g->roots * sizeof *entry);
    if (g->roots > 0) list_entries(g, entry);
    carom_status status = snapshot_put(out, "alone/numbers", SNAPSHOT_U32, 4, numbers, e);
    if (status == CAROM_OK) status = snapshot_put(out, "alone/roots", SNAPSHOT_U32, g->roots, g->root, e);
    if (status == CAROM_OK) status = snapshot_put(out, "alone/entries", SNAPSHOT_U32, g->roots, entry, e);
    memory_free(entry);
    return status;
}

static carom_status refuse_clusters(error *e)
{
    return error_set(e, CAROM_BAD_DATA,
                     "error: the clusters of the checkpoint do not fit its state; start again with --force");
}

/* Each entry is a root and occurs once. */
static bool are_roots(const cluster_state *s, const uint32_t *root, uint32_t count, uint32_t *seen)
{
    for (uint32_t i = 0; i < s->count; i++) seen[i] = 0;
    for (uint32_t k = 0; k < count; k++)
        if (root[k] >= s->count || s->particle[root[k]].root != root[k] || seen[root[k]]++ > 0) return false;
    return true;
}

static carom_status isolated_restore(cluster_state *s, const snapshot *in, error *e)
{
    isolated *g = s->isolated;
    uint32_t numbers[4] = {0};
    const snapshot_array *roots = snapshot_find(in, "alone/roots"), *entries = snapshot_find(in, "alone/entries");
    TRY(snapshot_get(in, "alone/numbers", SNAPSHOT_U32, 4, numbers, e));
    if (roots == NULL || entries == NULL || roots->type != SNAPSHOT_U32 || entries->type != SNAPSHOT_U32)
        return refuse_clusters(e);
    const uint32_t count = (uint32_t)roots->count, *entry = entries->data;
    if (roots->count != entries->count || count > g->room || count > numbers[0] || numbers[0] > s->count)
        return refuse_clusters(e);
    if (count == 0) return CAROM_OK;
    if (!are_roots(s, roots->data, count, g->next) || !are_roots(s, entry, count, g->next)) return refuse_clusters(e);
    memcpy(g->root, roots->data, count * sizeof *g->root);
    g->roots = count;
    for (uint32_t k = 0; k < count; k++) g->slot[g->root[k]] = k;
    isolated_shape(s, g, numbers[0]);
    g->attempts = numbers[1];
    g->successes = numbers[2];
    g->any = numbers[3] != 0;
    for (uint32_t k = 0; k < count; k++) enter(s, g, entry[k]);
    return CAROM_OK;
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

/* Whether a cluster has to be compared with all others, not only with those in adjacent cells. */
static bool checks_all(const isolated *g, uint32_t root)
{
    return g->roots <= CHECK_ALL || g->cell[root] == g->total;
}

/* The cells around that of a cluster, including it, each once, and the list of large clusters. */
static int cells_around(const cluster_state *s, const isolated *g, uint32_t root, uint32_t cells[CELLS_NEAR + 1])
{
    int found = 1;
    cells[0] = 0;
    for (uint32_t k = 0, rest = g->cell[root], stride = 1; k < DIM; k++) {
        const uint32_t n = g->count[k], c = rest % n;
        const bool around = s->period[k] > 0;
        const int before = found;
        uint32_t at[3] = {c}, steps = 1;
        if (n > 1 && (c + 1 < n || around)) at[steps++] = (c + 1) % n;
        if (n > 1 && (c > 0 || around) && (n > 2 || steps == 1)) at[steps++] = (c + n - 1) % n;
        for (uint32_t m = 1; m < steps; m++)
            for (int j = 0; j < before; j++) cells[found++] = cells[j] + at[m] * stride;
        for (int j = 0; j < before; j++) cells[j] += c * stride;
        rest /= n;
        stride *= n;
    }
    cells[found++] = g->total;
    return found;
}

static double room_beside(const cluster_state *s, uint32_t root, uint32_t other)
{
    return other == root ? INFINITY : gap_between(s, root, other) - s->cluster[other].skin;
}

static double room_around(const cluster_state *s, const isolated *g, uint32_t root)
{
    uint32_t cells[CELLS_NEAR + 1];
    double room = g->roots > CHECK_ALL ? COARSE_SHARE * g->width : INFINITY;
    if (checks_all(g, root)) {
        for (uint32_t k = 0; k < g->roots && room > 0; k++) room = fmin(room, room_beside(s, root, g->root[k]));
        return room;
    }
    const int count = cells_around(s, g, root, cells);
    for (int n = 0; n < count; n++)
        for (uint32_t other = g->head[cells[n]]; other != NONE && room > 0; other = g->next[other])
            room = fmin(room, room_beside(s, root, other));
    return room;
}

static double isolated_skin(const cluster_state *s, uint32_t root)
{
    isolated *g = s->isolated;
    if (g->roots < 2 || (g->roots > CHECK_LARGE && g->cell[root] == g->total)) return 0;
    if (g->roots > CHECK_ALL && (COARSE_SHARE * g->width < 2 * LEAST_GAIN * s->skin ||
                                 (g->attempts >= CHECK_ALL && ATTEMPTS_PER_SUCCESS * g->successes < g->attempts)))
        return 0;
    const double room = fmin(wall_gap(s, root), room_around(s, g, root));
    const bool gained = room > 2 * LEAST_GAIN * s->skin;
    g->attempts++;
    g->successes += gained;
    g->any = g->any || gained;
    return gained ? 0.5 * room : 0;
}

static bool too_near(const cluster_state *s, uint32_t root, uint32_t other)
{
    const cluster *d = &s->cluster[other];
    return d->isolated && other != root && gap_between(s, root, other) <= s->cluster[root].skin + d->skin;
}

static uint32_t isolated_too_near(const cluster_state *s, uint32_t root)
{
    const isolated *g = s->isolated;
    uint32_t cells[CELLS_NEAR + 1];
    if (!g->any) return NONE;
    if (checks_all(g, root)) {
        for (uint32_t k = 0; k < g->roots; k++)
            if (too_near(s, root, g->root[k])) return g->root[k];
        return NONE;
    }
    const int count = cells_around(s, g, root, cells);
    for (int n = 0; n < count; n++)
        for (uint32_t other = g->head[cells[n]]; other != NONE; other = g->next[other])
            if (too_near(s, root, other)) return other;
    return NONE;
}
