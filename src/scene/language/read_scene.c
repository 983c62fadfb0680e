/* Reading of a scene, from the file to the checked struct. */
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text_file.h"
#include "scene/copies.h"
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
        fault_add_hidden(r->f, root->source, 1, 1, "this scene is empty" HINT "'carom init' writes an example");
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

/* Adds an override as a source "--set path=value" and applies it; or the removal of a key, "--unset path". */
static void apply_set(reader *r, const char *set, bool unset, uint32_t *root)
{
    size_t size = strlen(set) + sizeof "--unset ";
    char *name = arena_new(r->t->memory, size, 1);
    if (name == NULL) {
        r->f->no_memory = size;
        return;
    }
    snprintf(name, size, unset ? "--unset %s" : "--set %s", set);
    int source = tree_add_source(r->t, (tree_source){.name = name, .text = set, .length = strlen(set)});
    if (source < 0)
        r->f->no_memory = sizeof(tree_source);
    else if (unset)
        tree_remove(r->t, r->f, *root, (uint16_t)source);
    else
        tree_override(r->t, r->f, root, (uint16_t)source);
}

/* The tree of the text with the overrides; 0 if it is unusable. */
static uint32_t read_tree(reader *r, const scene_text *from)
{
    const size_t mark = from->length >= 3 && memcmp(from->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* byte order mark */
    tree_source file = {
        .name = from->source, .text = from->text + mark, .length = from->length - mark, .has_lines = true};
    if (tree_add_source(r->t, file) < 0) {
        r->f->no_memory = sizeof file;
        return 0;
    }
    uint32_t root = yaml_read(r->t, r->f, 0, 0);
    for (size_t i = 0; i < from->set_count && root != 0; i++)
        apply_set(r, from->sets[i], from->unset != NULL && from->unset[i], &root);
    return root;
}

static carom_status read_text(reader *r, const scene_text *from, error *e)
{
    const uint32_t root = read_tree(r, from);
    if (root != 0) read_all(r, tree_node(r->t, root));
    if (r->f->count == 0 && r->f->no_memory == 0) read_places(r, tree_node(r->t, root));
    r->s->source = arena_text(r->memory, from->source, strlen(from->source));
    if (r->s->source == NULL) r->f->no_memory = strlen(from->source);
    r->s->arrays = from->arrays;
    r->s->endless = from->endless;
    if (r->folder != NULL) r->s->folder = arena_text(r->memory, r->folder, strlen(r->folder));
    if (r->folder != NULL && r->s->folder == NULL) r->f->no_memory = strlen(r->folder);
    return faults_report(r->f, r->t, root, e);
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

static carom_status check_sets(const scene_text *from, error *e)
{
    error_clear(e);
    if (from->set_count < TREE_SOURCES) return CAROM_OK;
    return error_set(e, CAROM_USAGE, "error: more than %d overrides", TREE_SOURCES - 1);
}

static carom_status read(scene **out, const scene_text *from, const scene_vocabulary *vocabulary, error *e)
{
    tree t;
    faults f;
    TRY(check_sets(from, e));
    TRY(tree_create(&t, e));
    scene *s = scene_new();
    carom_status status;
    if (s == NULL || !faults_create(&f)) {
        status = error_memory(e, "a scene", sizeof *s);
    } else {
        reader r = {.t = &t,
                    .f = &f,
                    .memory = s->memory,
                    .s = s,
                    .vocabulary = vocabulary,
                    .folder = from->folder,
                    .arrays = from->arrays,
                    .endless = from->endless || from->stored,
                    .stored = from->stored};
        status = read_text(&r, from, e);
        if (status == CAROM_OK) status = scale_check_scene(s, vocabulary, e);
        faults_free(&f);
    }
    tree_free(&t); /* before the resolved text is made: a long list of particles uses much memory */
    if (status == CAROM_OK) {
        s->resolved = resolved_write(s, vocabulary, from->folder, s->memory);
        if (s->resolved == NULL) status = error_memory(e, "the resolved scene", from->length);
    }
    if (status == CAROM_OK) status = copies_expand(s, e);
    if (status == CAROM_OK)
        *out = s;
    else
        scene_free(s);
    return status;
}

carom_status scene_read_text(scene **out, const scene_text *from, const scene_vocabulary *vocabulary, error *e)
{
    *out = NULL;
    if (from->text != NULL) return read(out, from, vocabulary, e);
    char *text = NULL;
    scene_text file = *from;
    carom_status status =
        text_file_read(from->source, "scene", "list particles in a file (place: {file: PATH})", &text, &file.length, e);
    char *folder = text_file_folder(from->source);
    file.text = text;
    file.folder = folder;
    if (status == CAROM_OK && folder == NULL) status = error_memory(e, "a path", strlen(from->source));
    if (status == CAROM_OK) status = read(out, &file, vocabulary, e);
    memory_free(folder);
    memory_free(text);
    return status;
}

carom_status scene_read(scene **out, const char *source, const char *folder, const char *text, size_t length,
                        const char *const *sets, size_t set_count, const scene_vocabulary *vocabulary, error *e)
{
    const scene_text from = {
        .source = source, .folder = folder, .text = text, .length = length, .sets = sets, .set_count = set_count};
    return scene_read_text(out, &from, vocabulary, e);
}

carom_status scene_read_file(scene **out, const char *path, const char *const *sets, size_t set_count,
                             const scene_vocabulary *vocabulary, error *e)
{
    const scene_text from = {.source = path, .sets = sets, .set_count = set_count};
    return scene_read_text(out, &from, vocabulary, e);
}

carom_status scene_tree_json(char **json, const scene_text *from, error *e)
{
    tree t;
    faults f;
    *json = NULL;
    TRY(check_sets(from, e));
    TRY(tree_create(&t, e));
    carom_status status;
    if (faults_create(&f)) {
        reader r = {.t = &t, .f = &f};
        const uint32_t root = read_tree(&r, from);
        status = faults_report(&f, &t, root, e);
        if (status == CAROM_OK) *json = tree_json(&t, root);
        if (status == CAROM_OK && *json == NULL) status = error_memory(e, "a scene as JSON", from->length);
        faults_free(&f);
    } else {
        status = error_memory(e, "a scene", sizeof f);
    }
    tree_free(&t);
    return status;
}
