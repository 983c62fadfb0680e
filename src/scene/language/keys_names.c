/* Names: those of the elements of a scene, and those that keys refer to. */
#include <stdio.h>
#include <string.h>

#include "scene/exact.h"
#include "scene/language/reader.h"
#include "scene/language/suggest.h"

enum { LONGEST_NAME = 100 };

/* ---- names of elements ------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool read_is_name(reader *r, const node *at, const char *text, size_t length)
{
    bool good = length > 0 && length <= LONGEST_NAME && is_letter(text[0]);
    for (size_t i = 1; i < length && good; i++)
        good = is_letter(text[i]) || (text[i] >= '0' && text[i] <= '9') || text[i] == '_' || text[i] == '-';
    if (!good) {
        fault_add(r->f, at, "'%s' cannot be a name: a letter, then letters, digits, '_' and '-'",
                  faults_quote(r->f, text, length));
    } else if (length == 4 && memcmp(text, "wall", 4) == 0) {
        fault_add(r->f, at, "'wall' stands for the walls of the box" HINT "choose another name");
        good = false;
    }
    return good;
}

void read_item_name(reader *r, const node *key, void *one)
{
    char *name = NULL;
    if (read_is_name(r, key, key->text, key->length)) {
        name = arena_text(r->memory, key->text, key->length);
        if (name == NULL) r->f->no_memory = key->length;
    }
    *(char **)one = name;
}

void read_list_name(reader *r, const node *item, const void *first, size_t size, const void *own, const char *what)
{
    const char *name = *(char *const *)own;
    const node *n = tree_get(r->t, item, "name");
    if (n == NULL || name == NULL || !read_is_name(r, n, name, strlen(name))) return;
    for (const char *one = first; one != own; one += size) {
        const char *taken = *(char *const *)(const void *)one;
        if (taken != NULL && strcmp(taken, name) == 0)
            fault_add(r->f, n, "the name '%s' is taken by other %s", name, what);
    }
}

/* ---- references -------------------------------------------------------------------------------------------------- */

bool read_knows(const reader *r, const char *key)
{
    const node *n = tree_get(r->t, r->root, key);
    return n == NULL || n->kind == (strcmp(key, "species") == 0 ? NODE_MAP : NODE_LIST);
}

/* Structs of `size` bytes that begin with their name. */
typedef struct named {
    const void *list;
    size_t count, size;
    const char *kind, *key; /* "plane", listed under "planes" */
} named;

/* Index of the struct with the name `n`; their count if there is none. */
static size_t find_named(reader *r, const node *n, const named *all)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "the name of a %s", all->kind);
    if (n->kind != NODE_SCALAR || n->length == 0) {
        value_refuse(r, n, wanted);
        return all->count;
    }
    suggest near = suggest_begin(n->text, n->length);
    for (size_t i = 0; i < all->count; i++) {
        const char *name = *(char *const *)((const char *)all->list + i * all->size);
        if (name == NULL) continue;
        if (node_is(n, name)) return i;
        suggest_try(&near, name);
    }
    if (near.best != NULL)
        fault_add(r->f, n, "unknown %s '%s'" HINT "did you mean '%s'?", all->kind, value_quote(r, n), near.best);
    else if (read_knows(r, all->key))
        fault_add(r->f, n, "unknown %s '%s'; it is not under '%s'", all->kind, value_quote(r, n), all->key);
    return all->count;
}

static size_t find_plane(reader *r, const node *n)
{
    const scene *s = r->s;
    return find_named(r, n, &(named){s->planes, s->plane_count, sizeof *s->planes, "plane", "planes"});
}

static size_t find_exact(reader *r, const node *n, exact_id kind)
{
    const exact_kind *of = exact_kinds[kind];
    const exact_list *all = &r->s->exact[kind];
    return find_named(r, n, &(named){all->items, all->count, of->table->size, of->name, of->names});
}

size_t read_find_mesh(reader *r, const node *n)
{
    const scene *s = r->s;
    return find_named(r, n, &(named){s->meshes, s->mesh_count, sizeof *s->meshes, "mesh", "meshes"});
}

uint32_t read_find_species(const reader *r, const char *name, size_t length)
{
    for (size_t i = 0; i < r->s->species_count; i++) {
        const char *known = r->s->species[i].name;
        if (known != NULL && strlen(known) == length && memcmp(known, name, length) == 0) return (uint32_t)i;
    }
    return UINT32_MAX;
}

const scene_array *read_array_name(reader *r, const node *n, given_kind kind, char **name, char **from)
{
    static const char *const calls[] = {
        [GIVEN_POINTS] = "carom_scene_set_points", [GIVEN_MESH] = "carom_scene_set_mesh"};
    *name = value_text(r, n);
    if (*name == NULL) return NULL;
    const size_t size = strlen(*name) + sizeof "array ''";
    *from = read_new(r, size, 1);
    if (*from != NULL) snprintf(*from, size, "array '%s'", *name);
    const scene_array *found = arrays_find(r->arrays, kind, *name);
    if (found != NULL || r->stored) return found;
    suggest near = suggest_begin(n->text, n->length);
    for (const scene_array *a = r->arrays; a != NULL; a = a->next)
        if (a->kind == kind && !a->replaced) suggest_try(&near, a->name);
    if (near.best != NULL)
        fault_add(r->f, n, "unknown array '%s'" HINT "did you mean '%s'?", value_quote(r, n), near.best);
    else
        fault_add(r->f, n, "unknown array '%s': only a program can give arrays (%s)" HINT "in a scene file use 'file'",
                  value_quote(r, n), calls[kind]);
    return NULL;
}

static void refuse_species(reader *r, const node *n)
{
    suggest near = suggest_begin(n->text, n->length);
    for (size_t i = 0; i < r->s->species_count; i++)
        if (r->s->species[i].name != NULL) suggest_try(&near, r->s->species[i].name);
    if (near.best != NULL)
        fault_add(r->f, n, "unknown species '%s'" HINT "did you mean '%s'?", value_quote(r, n), near.best);
    else if (read_knows(r, "species"))
        fault_add(r->f, n, "unknown species '%s'; it is not under 'species'", value_quote(r, n));
}

uint32_t read_species_name(reader *r, const node *n)
{
    if (n->kind != NODE_SCALAR || n->length == 0) {
        value_refuse(r, n, "the name of a species");
        return UINT32_MAX;
    }
    uint32_t species = read_find_species(r, n->text, n->length);
    if (species == UINT32_MAX) refuse_species(r, n);
    return species;
}

/* ---- keys whose value is a reference: the field is an index ------------------------------------------------------ */

static void read_species_key(reader *r, const node *n, void *into)
{
    const uint32_t species = read_species_name(r, n);
    memcpy((char *)into + r->row->offset, &species, sizeof species);
}

static void write_species_key(writer *w, const void *from)
{
    uint32_t species;
    memcpy(&species, (const char *)from + w->row->offset, sizeof species);
    text_add(w->out, "%s", w->s->species[species].name);
}

static void read_species_pair(reader *r, const node *n, void *into)
{
    uint32_t pair[2];
    if (n->kind != NODE_LIST) {
        value_refuse(r, n, "a list of the names of two species");
        return;
    }
    if (n->length != 2) {
        fault_add(r->f, n, "expected the names of two species, found %u", n->length);
        return;
    }
    const node *first = tree_first(r->t, n), *second = tree_next(r->t, first);
    pair[0] = read_species_name(r, first);
    pair[1] = read_species_name(r, second);
    if (pair[0] == pair[1] && pair[0] != NO_SPECIES)
        fault_add(r->f, second, "'%s' is the first species, too" HINT "name two different ones",
                  value_quote(r, second));
    memcpy((char *)into + r->row->offset, pair, sizeof pair);
}

static void write_species_pair(writer *w, const void *from)
{
    uint32_t pair[2];
    memcpy(pair, (const char *)from + w->row->offset, sizeof pair);
    text_add(w->out, "[%s, %s]", w->s->species[pair[0]].name, w->s->species[pair[1]].name);
}

bool setting_has_species(const scene *s, const void *from)
{
    uint32_t species;
    (void)s;
    memcpy(&species, from, sizeof species);
    return species != NO_SPECIES;
}

static void set_index(const reader *r, size_t index, void *into)
{
    memcpy((char *)into + r->row->offset, &index, sizeof index);
}

static size_t index_of(const writer *w, const void *from)
{
    size_t index;
    memcpy(&index, (const char *)from + w->row->offset, sizeof index);
    return index;
}

static void read_mesh_key(reader *r, const node *n, void *into)
{
    set_index(r, read_find_mesh(r, n), into);
}

static void write_mesh_key(writer *w, const void *from)
{
    text_add(w->out, "%s", w->s->meshes[index_of(w, from)].name);
}

static void read_clump_key(reader *r, const node *n, void *into)
{
    const scene *s = r->s;
    set_index(r, find_named(r, n, &(named){s->clumps, s->clump_count, sizeof *s->clumps, "clump", "clumps"}), into);
}

static void write_clump_key(writer *w, const void *from)
{
    text_add(w->out, "%s", w->s->clumps[index_of(w, from)].name);
}

static void read_plane_key(reader *r, const node *n, void *into)
{
    set_index(r, find_plane(r, n), into);
}

static void write_plane_key(writer *w, const void *from)
{
    text_add(w->out, "%s", w->s->planes[index_of(w, from)].name);
}

/* The kind is that of the key's name. */
static exact_id kind_of_key(const setting *row)
{
    exact_id kind = 0;
    while (strcmp(row->name, exact_kinds[kind]->name) != 0) kind++;
    return kind;
}

static void read_exact_key(reader *r, const node *n, void *into)
{
    set_index(r, find_exact(r, n, kind_of_key(r->row)), into);
}

static void write_exact_key(writer *w, const void *from)
{
    const exact_id kind = kind_of_key(w->row);
    const char *items = w->s->exact[kind].items, *one = items + index_of(w, from) * exact_kinds[kind]->table->size;
    text_add(w->out, "%s", *(char *const *)(const void *)one);
}

const setting_form form_species = {read_species_key, write_species_key, false};
const setting_form form_species_pair = {read_species_pair, write_species_pair, false};
const setting_form form_clump = {read_clump_key, write_clump_key, false};
const setting_form form_mesh = {read_mesh_key, write_mesh_key, false};
const setting_form form_plane = {read_plane_key, write_plane_key, false};
const setting_form form_exact = {read_exact_key, write_exact_key, false};
