/* Reading a scene, from the file to the checked struct. */
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text_file.h"
#include "scene/language/reader.h"
#include "scene/where.h"

static const settings_table *engine_of(const reader *r)
{
    return r->vocabulary->engines[r->s->engine];
}

/* A scene of another version has other keys: then there is nothing more to say about it. */
static bool read_version(reader *r, const node *root)
{
    const node *n = tree_get(r->t, root, "carom");
    uint64_t version;
    if (n == NULL || !value_count(r, n, &version) || version == 1) return true;
    fault_add(r->f, n, "this carom reads version 1 of the scene language, and the scene says %s", value_quote(r, n));
    return false;
}

static bool is_coming(const node *n)
{
    for (size_t i = 0; coming_engines[i] != NULL; i++)
        if (node_is(n, coming_engines[i])) return true;
    return false;
}

static bool read_engine(reader *r, const node *root)
{
    const scene_vocabulary *v = r->vocabulary;
    const node *n = tree_get(r->t, root, "engine");
    const char *words[64] = {NULL};
    if (n == NULL) return false;
    for (size_t i = 0; i < v->engine_count && i < 63; i++) words[i] = v->engines[i]->name;
    int word = -1;
    for (int i = 0; words[i] != NULL; i++)
        if (node_is(n, words[i])) word = i;
    if (word < 0 && is_coming(n))
        fault_add(r->f, n, "the engine '%s' is not available yet in this version", value_quote(r, n));
    else if (word < 0)
        word = value_choice(r, n, "engine", words);
    if (word >= 0) r->s->engine = (uint32_t)word;
    return word >= 0;
}

static void read_dimension(reader *r, const node *root)
{
    const node *n = tree_get(r->t, root, "dimension");
    uint64_t dimension = 3;
    r->s->dimension = 3;
    if (n == NULL || !value_count(r, n, &dimension)) return;
    if (dimension == 2 || dimension == 3)
        r->s->dimension = (int)dimension;
    else
        fault_add(r->f, n, "'dimension' must be 2 or 3, not %s", value_quote(r, n));
}

/* Every engine's settings are checked, so that one word changes the engine; those of the chosen one are kept. */
static void read_engine_settings(reader *r, const node *root, bool engine_known)
{
    const scene_vocabulary *v = r->vocabulary;
    for (size_t i = 0; i < v->engine_count; i++) {
        const settings_table *table = v->engines[i];
        const node *n = tree_get(r->t, root, table->name);
        bool chosen = engine_known && i == r->s->engine;
        if (n == NULL && !chosen) continue;
        void *settings = read_new(r, 1, table->size);
        if (settings == NULL || (n != NULL && !value_is_map(r, n, "a map"))) continue;
        if (n != NULL) settings_check_keys(r, n, table, NULL);
        settings_read(r, table, n, n != NULL ? n : root, settings);
        if (chosen) r->s->engine_settings = settings, r->s->engine_table = table;
    }
    for (size_t i = 0; coming_engines[i] != NULL; i++) {
        const node *n = tree_get(r->t, root, coming_engines[i]);
        bool known = false;
        for (size_t j = 0; j < v->engine_count; j++)
            known = known || strcmp(v->engines[j]->name, coming_engines[i]) == 0;
        if (n != NULL && !known)
            fault_add(r->f, tree_key(r->t, n), "the engine '%s' is not available yet in this version",
                      coming_engines[i]);
    }
}

static void refuse_walls(reader *r, const node *root, bool engine_known)
{
    const node *n = tree_get(r->t, root, "walls");
    if (n == NULL || !value_is_list(r, n, "a list") || n->length == 0) return;
    fault_add(r->f, tree_key(r->t, n), "walls are not available in `%s` yet",
              engine_known ? engine_of(r)->name : "carom");
}

static void read_run(reader *r, const node *root, bool engine_known)
{
    const node *run = tree_get(r->t, root, "run"), *until = tree_get(r->t, run, "until");
    const node *time = tree_get(r->t, until, "time"), *clusters = tree_get(r->t, until, "clusters");
    const node *where = run == NULL ? root : run;
    bool maps = (run == NULL || run->kind == NODE_MAP) && (until == NULL || until->kind == NODE_MAP);
    if (maps && until == NULL)
        fault_add(r->f, where, "missing key '%s': %s", run == NULL ? "run.until" : "until", table_until.help);
    else if (maps && until->length == 0)
        fault_add(r->f, until, "no limit is given: one of time, events, collisions, clusters, pressure, wall_time");
    if (time == NULL) r->s->until.time = INFINITY;
    const node *pressure = tree_get(r->t, until, "pressure");
    if (pressure != NULL && engine_known && strcmp(engine_of(r)->name, "hard") != 0)
        fault_add(r->f, tree_key(r->t, pressure), "'pressure' ends runs of `hard` that compress, no others");
    if (clusters != NULL && engine_known && strcmp(engine_of(r)->name, "hard") == 0)
        fault_add(r->f, tree_key(r->t, clusters), "`hard` merges nothing, so 'clusters' would never end the run");
}

static void check_output(reader *r, const node *root)
{
    const node *frames = tree_get(r->t, tree_get(r->t, root, "output"), "frames");
    const node *collisions = tree_get(r->t, frames, "every_collisions");
    if (collisions != NULL && tree_get(r->t, frames, "every") != NULL)
        fault_add(r->f, tree_key(r->t, collisions), "'every' and 'every_collisions' exclude each other; give one");
}

static void read_framing(reader *r, const node *view)
{
    const node *low = tree_get(r->t, view, "low"), *high = tree_get(r->t, view, "high");
    const scene_view *given = &r->s->view;
    r->s->view.framed = low != NULL && high != NULL;
    if ((low == NULL) != (high == NULL))
        fault_add(r->f, tree_key(r->t, low != NULL ? low : high),
                  "'low' and 'high' belong together: they are the corners of the box that the picture shows");
    for (int k = 0; k < r->s->dimension && given->framed; k++)
        if (!(given->high[k] > given->low[k])) {
            fault_add(r->f, tree_key(r->t, high),
                      "'high' must be above 'low' along each axis; axis %d goes from %g to %g", k, given->low[k],
                      given->high[k]);
            return;
        }
}

static void read_view(reader *r, const node *view)
{
    static const char *const spatial[] = {"azimuth", "elevation", "up", "meshes"};
    r->s->view.given = view != NULL && view->kind == NODE_MAP;
    r->s->view.aimed = tree_get(r->t, view, "target") != NULL;
    read_framing(r, view);
    for (size_t k = 0; k < sizeof spatial / sizeof *spatial && r->s->dimension == 2; k++) {
        const node *given = tree_get(r->t, view, spatial[k]);
        if (given != NULL)
            fault_add(r->f, tree_key(r->t, given), "in two dimensions the plane is seen from above; '%s' means nothing",
                      spatial[k]);
    }
}

/* Vertices of meshes are particles, numbered on; how many there are is known later. */
static void check_anybody(reader *r, const node *root)
{
    if (r->s->mesh_count > 0)
        r->particles = UINT64_MAX;
    else if (tree_get(r->t, root, "particles") == NULL)
        settings_missing(r, root, "", settings_find(&table_scene, "particles"));
}

static void read_all(reader *r, const node *root)
{
    if (root->kind == NODE_SCALAR && root->length == 0 && root->plain) {
        fault_add_hidden(r->f, root->source, 1, 1, "this scene is empty; 'carom init' writes one to begin with");
        return;
    }
    if (!value_is_map(r, root, "a scene (a map that begins with 'carom: 1')") || !read_version(r, root)) return;
    r->root = root;
    read_dimension(r, root);
    bool engine_known = r->engine_known = read_engine(r, root);
    settings_check_keys(r, root, &table_scene, NULL);
    settings_read(r, &table_scene, root, root, r->s);
    if (tree_get(r->t, root, "box") == NULL) fault_add(r->f, root, "missing key 'box': %s", table_box.help);
    read_species(r, tree_get(r->t, root, "species"));
    read_box(r, tree_get(r->t, root, "box"));
    read_meshes(r, tree_get(r->t, root, "meshes"));
    read_particles(r, tree_get(r->t, root, "particles"));
    read_planes(r, tree_get(r->t, root, "planes"));
    read_cylinders(r, tree_get(r->t, root, "cylinders"));
    read_contacts(r, tree_get(r->t, root, "contacts"));
    check_anybody(r, root);
    read_potentials(r, tree_get(r->t, root, "potentials"));
    read_bonds(r, tree_get(r->t, root, "bonds"));
    read_springs(r, tree_get(r->t, root, "springs"));
    read_hinges(r, tree_get(r->t, root, "hinges"));
    read_segments(r, tree_get(r->t, root, "segments"));
    read_drives(r, tree_get(r->t, root, "drives"));
    read_bodies(r, tree_get(r->t, root, "bodies"));
    read_owners(r, root);
    read_ellipsoids(r, root);
    refuse_walls(r, root, engine_known);
    read_run(r, root, engine_known);
    read_observe(r, tree_get(r->t, root, "observe"));
    check_output(r, root);
    read_view(r, tree_get(r->t, root, "view"));
    read_engine_settings(r, root, engine_known);
}

/* Adds an override as a source "--set path=value" and applies it. */
static void apply_set(reader *r, const char *set, uint32_t *root)
{
    size_t size = strlen(set) + sizeof "--set ";
    char *name = arena_new(r->t->memory, size, 1);
    if (name == NULL) {
        r->f->no_memory = size;
        return;
    }
    snprintf(name, size, "--set %s", set);
    int source = tree_add_source(r->t, (tree_source){.name = name, .text = set, .length = strlen(set)});
    if (source < 0)
        r->f->no_memory = sizeof(tree_source);
    else
        tree_override(r->t, r->f, root, (uint16_t)source);
}

static carom_status read_text(reader *r, const char *source, const char *text, size_t length, const char *const *sets,
                              size_t set_count, error *e)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        length -= 3;
    }
    tree_source file = {.name = source, .text = text, .length = length, .has_lines = true};
    if (tree_add_source(r->t, file) < 0) return error_memory(e, "a scene", sizeof(tree_source));
    uint32_t root = yaml_read(r->t, r->f, 0, 0);
    for (size_t i = 0; i < set_count && root != 0; i++) apply_set(r, sets[i], &root);
    if (root != 0) read_all(r, tree_node(r->t, root));
    if (r->f->count == 0 && r->f->no_memory == 0) read_places(r, tree_node(r->t, root));
    r->s->source = arena_text(r->memory, source, strlen(source));
    if (r->s->source == NULL) r->f->no_memory = strlen(source);
    return faults_report(r->f, r->t, e);
}

static scene *scene_new(void)
{
    scene *s = memory_new(1, sizeof *s);
    if (s == NULL) return NULL;
    s->memory = arena_create();
    if (s->memory != NULL) return s;
    memory_free(s);
    return NULL;
}

carom_status scene_read(scene **out, const char *source, const char *folder, const char *text, size_t length,
                        const char *const *sets, size_t set_count, const scene_vocabulary *vocabulary, error *e)
{
    tree t;
    faults f;
    *out = NULL;
    error_clear(e);
    if (set_count >= TREE_SOURCES) return error_set(e, CAROM_USAGE, "error: more than %d overrides", TREE_SOURCES - 1);
    TRY(tree_create(&t, e));
    scene *s = scene_new();
    carom_status status;
    if (s == NULL || !faults_create(&f)) {
        status = error_memory(e, "a scene", sizeof *s);
    } else {
        reader r = {.t = &t, .f = &f, .memory = s->memory, .s = s, .vocabulary = vocabulary, .folder = folder};
        status = read_text(&r, source, text, length, sets, set_count, e);
        if (status == CAROM_OK) status = scale_check_scene(s, vocabulary, e);
        faults_free(&f);
    }
    tree_free(&t); /* before the resolved text is made: a long list of particles takes room */
    if (status == CAROM_OK) {
        s->resolved = resolved_write(s, vocabulary, folder, s->memory);
        if (s->resolved == NULL) status = error_memory(e, "the resolved scene", length);
    }
    if (status == CAROM_OK)
        *out = s;
    else
        scene_free(s);
    return status;
}

carom_status scene_read_file(scene **out, const char *path, const char *const *sets, size_t set_count,
                             const scene_vocabulary *vocabulary, error *e)
{
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    carom_status status =
        text_file_read(path, "scene", "list particles in a file (place: {file: PATH})", &text, &length, e);
    char *folder = text_file_folder(path);
    if (status == CAROM_OK && folder == NULL) status = error_memory(e, "a path", strlen(path));
    if (status == CAROM_OK) status = scene_read(out, path, folder, text, length, sets, set_count, vocabulary, e);
    memory_free(folder);
    memory_free(text);
    return status;
}
