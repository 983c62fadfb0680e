/* Reading of a scene, from the file to the checked struct. */
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text_file.h"
#include "scene/language/reader.h"
#include "scene/where.h"

/* A scene of another version has other keys: further messages would be meaningless. */
static bool read_version(reader *r, const node *root)
{
    const node *n = tree_get(r->t, root, "carom");
    uint64_t version;
    if (n == NULL || !value_count(r, n, &version) || version == 1) return true;
    fault_add(r->f, n, "this version of carom reads version 1 of the scene language, not %s", value_quote(r, n));
    return false;
}

/* The settings of all engines are checked, so that a change of `engine` is sufficient to change the engine; those of
 * the selected engine are kept. */
static void read_engine_settings(reader *r, const node *root)
{
    const scene_vocabulary *v = r->vocabulary;
    for (size_t i = 0; i < v->engine_count; i++) {
        const settings_table *table = v->engines[i];
        const node *n = tree_get(r->t, root, table->name);
        bool chosen = r->engine_known && i == r->s->engine;
        if (n == NULL && !chosen) continue;
        void *settings = read_new(r, 1, table->size);
        if (settings == NULL || (n != NULL && !value_is_map(r, n, "a map"))) continue;
        if (n != NULL) settings_check_keys(r, n, table, NULL);
        settings_read(r, table, n, n != NULL ? n : root, settings);
        if (chosen) r->s->engine_settings = settings, r->s->engine_table = table;
    }
}

static void read_all(reader *r, const node *root)
{
    if (root->kind == NODE_SCALAR && root->length == 0 && root->plain) {
        fault_add_hidden(r->f, root->source, 1, 1, "this scene is empty; 'carom init' writes an example");
        return;
    }
    if (!value_is_map(r, root, "a scene (a map that begins with 'carom: 1')") || !read_version(r, root)) return;
    r->root = root;
    r->s->dimension = 3; /* where the scene's is not known */
    settings_check_keys(r, root, &table_scene, NULL);
    settings_read(r, &table_scene, root, root, r->s);
    read_owners(r, root);
    read_shapes(r, root);
    read_engine_settings(r, root);
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
    if (r->folder != NULL) r->s->folder = arena_text(r->memory, r->folder, strlen(r->folder));
    if (r->folder != NULL && r->s->folder == NULL) r->f->no_memory = strlen(r->folder);
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
    tree_free(&t); /* before the resolved text is made: a long list of particles uses much memory */
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
