/* The positions of keys are recorded with the tree; the text is not stored. */
#include "scene/where.h"

#include <stdio.h>
#include <string.h>

#include "scene/language/reader.h"

/* Keys of maps, and items of lists that are maps: other lists may contain a million numbers. */
struct scene_spots {
    const struct scene_spots *next;
    const char *path;
    scene_spot at;
};

enum { ITEMS_MOST = 10000 }; /* number of recorded items of a list; later ones have the position of the list */

/* ---- recording --------------------------------------------------------------------------------------------------- */

typedef struct recorder {
    reader *r;
    text_place from; /* in the text of the scene itself */
} recorder;

/* `at`: the node at the place. Returns the path, NULL without memory. */
static const char *record(recorder *all, const char *parent, const char *name, size_t length, const node *at)
{
    reader *r = all->r;
    const tree_source *text = &r->t->sources[at->source];
    text_place own = {0}, *from = at->source == 0 ? &all->from : &own;
    const size_t size = strlen(parent) + length + 2;
    struct scene_spots *spot = read_new(r, 1, sizeof *spot);
    char *path = read_new(r, size, 1);
    if (spot == NULL || path == NULL) return NULL;
    snprintf(path, size, "%s%s%.*s", parent, parent[0] != '\0' ? "." : "", (int)length, name);
    *spot = (struct scene_spots){r->s->spots, path, {.place = place_text(text, at->line, at->column, r->memory)}};
    spot->at.key = path;
    spot->at.file_length = strlen(text->name);
    spot->at.line = text->has_lines ? at->line : 0;
    spot->at.column = text->has_lines ? at->column : 0;
    spot->at.excerpt = place_excerpt(text, at->line, at->column, from, r->memory);
    if (spot->at.place == NULL || spot->at.excerpt == NULL) {
        r->f->no_memory = size;
        return NULL;
    }
    r->s->spots = spot;
    return path;
}

static void record_map(recorder *all, const node *map, const char *parent);

static void record_list(recorder *all, const node *list, const char *parent)
{
    const tree *t = all->r->t;
    size_t index = 0;
    for (const node *item = tree_first(t, list); item != NULL && index < ITEMS_MOST;
         item = tree_next(t, item), index++) {
        char name[24];
        if (item->kind != NODE_MAP) continue;
        const int length = snprintf(name, sizeof name, "%zu", index);
        const char *path = record(all, parent, name, (size_t)length, item);
        if (path != NULL) record_map(all, item, path);
    }
}

/* The position is that of the key, unless an override has replaced its value. */
static void record_map(recorder *all, const node *map, const char *parent)
{
    const tree *t = all->r->t;
    for (const node *value = tree_first(t, map); value != NULL; value = tree_next(t, value)) {
        const node *key = tree_key(t, value), *at = key->source == value->source ? key : value;
        const char *path = record(all, parent, key->text, key->length, at);
        if (path == NULL) continue;
        if (value->kind == NODE_MAP) record_map(all, value, path);
        if (value->kind == NODE_LIST) record_list(all, value, path);
    }
}

void read_places(reader *r, const node *root)
{
    recorder all = {.r = r};
    record_map(&all, root, "");
}

/* ---- look-up ----------------------------------------------------------------------------------------------------- */

scene_spot scene_whole(const scene *s)
{
    const char *place = s->source != NULL ? s->source : "(text)";
    return (scene_spot){.place = place, .file_length = strlen(place)};
}

/* The text has templates in the places of copies. */
static void name_template(const scene *s, char *key, size_t size)
{
    char below[400] = "";
    size_t k = 0;
    if (sscanf(key, "meshes.%zu%399s", &k, below) >= 1 && k < s->mesh_count)
        snprintf(key, size, "meshes.%zu%s", s->meshes[k].listed, below);
    else if (sscanf(key, "bodies.%zu%399s", &k, below) >= 1 && k < s->body_count)
        snprintf(key, size, "bodies.%zu%s", s->bodies[k].listed, below);
}

scene_spot scene_at(const scene *s, const char *path, ...)
{
    char key[512];
    va_list args;
    va_start(args, path);
    vsnprintf(key, sizeof key, path, args);
    va_end(args);
    if (s->expanded) name_template(s, key, sizeof key);
    for (char *end = key; end != NULL; end = strrchr(key, '.')) {
        if (end != key) *end = '\0';
        for (const struct scene_spots *spot = s->spots; spot != NULL; spot = spot->next)
            if (strcmp(spot->path, key) == 0) return spot->at;
    }
    key[strcspn(key, ".")] = '\0';
    if (strcmp(key, "engine") != 0 && settings_find(&table_scene, key) == NULL) return scene_at(s, "engine");
    return scene_whole(s);
}

scene_spot scene_at_law(const scene *s, size_t law, const char *key)
{
    return scene_at(s, "contacts.%zu.%s", s->laws[law].contact, key);
}

scene_spot scene_at_compression(const scene *s)
{
    size_t entry = 0;
    while (entry < s->particles_count && s->particles[entry].place != PLACE_COMPRESS) entry++;
    return scene_at(s, "particles.%zu.place", entry);
}

scene_spot scene_at_size(const scene *s)
{
    return scene_at(s, s->box.packing_fraction > 0 ? "box.packing_fraction" : "box.size");
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

/* Removes the line from the end of `e` if the new message refers to the same place. */
static void take_excerpt(error *e, const scene_spot *at)
{
    const char *text = error_text(e);
    const size_t shown = strlen(at->excerpt), place = strlen(at->place);
    if (e->length <= shown || strcmp(text + e->length - shown, at->excerpt) != 0) return;
    size_t end = e->length - shown - 1, start = end; /* of the line above */
    while (start > 0 && text[start - 1] != '\n') start--;
    if (end - start <= place || strncmp(text + start, at->place, place) != 0 || text[start + place] != ':') return;
    e->length = end;
    e->text[end] = '\0';
}

static carom_status add_at(scene_spot at, error *e, carom_status status, const char *format, va_list args)
{
    error own = {0};
    error_add_list(&own, status, format, args);
    if (at.excerpt != NULL) take_excerpt(e, &at);
    error_add_at(e, status, spot_place(at), "%s", error_text(&own));
    if (at.excerpt != NULL) error_add(e, status, "%s", at.excerpt);
    error_clear(&own);
    return status;
}

carom_status scene_refuse(scene_spot at, error *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const carom_status status = add_at(at, e, CAROM_BAD_DATA, format, args);
    va_end(args);
    return status;
}

carom_status scene_end(scene_spot at, error *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const carom_status status = add_at(at, e, CAROM_DYNAMICS, format, args);
    va_end(args);
    return status;
}
