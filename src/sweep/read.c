/* Reading a sweep: the strict YAML of scenes, with its messages. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text_file.h"
#include "scene/language/reader.h"
#include "sweep/sweep.h"
#include "sweep/values.h"

static const char *const version_shapes[] = {"1", NULL};
static const char *const seed_shapes[] = {"COUNT", "[SEED, ...]", "{from: SEED, count: COUNT}", NULL};
static const char *const keep_words[] = {"results", "nothing", NULL};

static const setting sweep_entries[] = {
    {.name = "carom", .type = SETTING_SHAPE, .choices = version_shapes, .help = "version of the sweep language"},
    {.name = "scene", .type = SETTING_SHAPE, .help = "the scene's file; its path counts from the sweep's folder"},
    {.name = "seeds", .type = SETTING_SHAPE, .choices = seed_shapes, .fallback = "1", .help = "how many, or which"},
    {.name = "parameters",
     .type = SETTING_SHAPE,
     .fallback = "",
     .help = "key.of.the.scene: [value, ...]; all combinations"},
    {.name = "together",
     .type = SETTING_SHAPE,
     .fallback = "",
     .help = "key.of.the.scene: [value, ...]; the first with "
             "the first, the second with the second, ..."},
    {.name = "measure", .type = SETTING_SHAPE, .fallback = "", .help = "paths into the summary of a run"},
    {.name = "keep",
     .type = SETTING_SHAPE,
     .fallback = "results",
     .choices = keep_words,
     .help = "whether result files stay"},
};
static const settings_table table_sweep = {.name = "sweep",
                                           .help = "a scene over seeds and parameters",
                                           .size = sizeof(sweep),
                                           .entries = sweep_entries,
                                           .count = sizeof sweep_entries / sizeof *sweep_entries};

static const setting from_entries[] = {
    {.name = "from", .type = SETTING_INTEGER, .help = "the first seed"},
    {.name = "count", .type = SETTING_INTEGER, .help = "how many seeds"},
};
static const settings_table table_from = {
    .name = "seeds", .help = "consecutive seeds", .size = 0, .entries = from_entries, .count = 2};

enum { LISTED = 20000 }; /* each is compared with all before it */

static bool is_short(reader *r, const node *list, const char *what)
{
    if (list->length == 0)
        fault_add(r->f, list, "this list of %s is empty", what);
    else if (list->length > LISTED)
        fault_add(r->f, list, "a list of more than %d %s", LISTED, what);
    return list->length > 0 && list->length <= LISTED;
}

/* ---- Seeds ---- */

static void count_seeds(reader *r, sweep *s, const node *n, uint64_t from, uint64_t count)
{
    if (count == 0 || count > SWEEP_RUNS) {
        fault_add(r->f, n, "expected from 1 to %d seeds, found %s", SWEEP_RUNS, value_quote(r, n));
        return;
    }
    if (from > UINT64_MAX - count + 1) {
        fault_add(r->f, n, "these seeds would pass 2^64 - 1");
        return;
    }
    s->seeds = read_new(r, count, sizeof *s->seeds);
    for (uint64_t i = 0; s->seeds != NULL && i < count; i++) s->seeds[s->seed_count++] = from + i;
}

static void list_seeds(reader *r, sweep *s, const node *n)
{
    if (!is_short(r, n, "seeds")) return;
    s->seeds = read_new(r, n->length, sizeof *s->seeds);
    if (s->seeds == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        uint64_t seed;
        if (!value_count(r, item, &seed)) continue;
        bool known = false;
        for (size_t i = 0; i < s->seed_count; i++) known = known || s->seeds[i] == seed;
        if (known)
            fault_add(r->f, item, "the seed %s is there twice", value_quote(r, item));
        else
            s->seeds[s->seed_count++] = seed;
    }
}

static void span_seeds(reader *r, sweep *s, const node *n)
{
    const node *from = tree_get(r->t, n, "from"), *count = tree_get(r->t, n, "count");
    uint64_t first = 1, many = 0;
    settings_check_keys(r, n, &table_from, NULL);
    if (from == NULL) settings_missing(r, n, "", &from_entries[0]);
    if (count == NULL) settings_missing(r, n, "", &from_entries[1]);
    if (from == NULL || count == NULL) return;
    bool good = value_count(r, from, &first);
    if (value_count(r, count, &many) && good) count_seeds(r, s, count, first, many);
}

static void read_seeds(reader *r, sweep *s, const node *n)
{
    uint64_t count = 1;
    if (n == NULL) {
        s->seeds = read_new(r, 1, sizeof *s->seeds);
        if (s->seeds != NULL) s->seeds[s->seed_count++] = 1;
    } else if (n->kind == NODE_LIST) {
        list_seeds(r, s, n);
    } else if (n->kind == NODE_MAP) {
        span_seeds(r, s, n);
    } else if (value_count(r, n, &count)) {
        count_seeds(r, s, n, 1, count);
    }
}

/* ---- Parameters ---- */

/* "a.b" and "a.b.c": one would overwrite the other. */
static bool one_inside_other(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b), least = m < n ? m : n;
    return strncmp(a, b, least) == 0 && (m == n || (m > n ? a : b)[least] == '.');
}

static bool is_path(const char *path)
{
    size_t length = strlen(path);
    return length > 0 && path[0] != '.' && path[length - 1] != '.' && strstr(path, "..") == NULL;
}

static bool check_name(reader *r, const sweep *s, const node *key, const char *name)
{
    if (strcmp(name, "seed") == 0) {
        fault_add(r->f, key, "seeds are listed under 'seeds', which gives statistics over them");
        return false;
    }
    if (!is_path(name) || strchr(name, '=') != NULL) {
        fault_add(r->f, key, "expected a key of the scene by its path, as in run.until.time, found '%s'",
                  value_quote(r, key));
        return false;
    }
    for (size_t i = 0; i < s->parameter_count; i++) {
        if (!one_inside_other(name, s->parameters[i].name)) continue;
        fault_add(r->f, key, "'%s' and '%s' set the same thing; give one", s->parameters[i].name, name);
        return false;
    }
    return true;
}

/* Numbers are compared by value: 1 and 1.0 are the same. */
static bool same_value(const sweep_value *a, const sweep_value *b)
{
    double x, y;
    if (a->yaml == NULL || b->yaml == NULL) return false;
    if (strcmp(a->yaml, b->yaml) == 0) return true;
    return number_read(a->yaml, strlen(a->yaml), &x, NULL) == NUMBER_OK &&
           number_read(b->yaml, strlen(b->yaml), &y, NULL) == NUMBER_OK && x == y;
}

static void read_parameter(reader *r, sweep *s, const node *n, bool together)
{
    const node *key = tree_key(r->t, n);
    char *name = value_text(r, key);
    if (name == NULL || !check_name(r, s, key, name)) return;
    if (!value_is_list(r, n, "a list of values") || !is_short(r, n, "values")) return;
    sweep_parameter *p = &s->parameters[s->parameter_count++];
    *p = (sweep_parameter){.name = name, .together = together};
    p->values = read_new(r, n->length, sizeof *p->values);
    if (p->values == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        sweep_value *value = &p->values[p->count++];
        if (!sweep_read_value(r, item, value)) continue;
        for (size_t i = 0; !together && i + 1 < p->count; i++) {
            if (!same_value(&p->values[i], value)) continue;
            fault_add(r->f, item, "the value %s is there twice", faults_quote(r->f, value->text, strlen(value->text)));
            break;
        }
    }
}

static void check_lengths(reader *r, const node *together)
{
    const node *first = tree_first(r->t, together);
    for (const node *n = first; n != NULL; n = tree_next(r->t, n))
        if (n->kind == NODE_LIST && first->kind == NODE_LIST && n->length != first->length)
            fault_add(r->f, n, "the lists of 'together' are equally long: expected %u values, as above, found %u",
                      first->length, n->length);
}

static void read_parameters(reader *r, sweep *s, const node *product, const node *together)
{
    bool has_product = product != NULL && value_is_map(r, product, "a map of keys of the scene with their values");
    bool has_together = together != NULL && value_is_map(r, together, "a map of keys of the scene with their values");
    size_t most = (has_product ? product->length : 0) + (has_together ? together->length : 0);
    s->parameters = read_new(r, most, sizeof *s->parameters);
    if (s->parameters == NULL) return;
    if (has_together) check_lengths(r, together);
    for (const node *n = has_together ? tree_first(r->t, together) : NULL; n != NULL; n = tree_next(r->t, n))
        read_parameter(r, s, n, true);
    for (const node *n = has_product ? tree_first(r->t, product) : NULL; n != NULL; n = tree_next(r->t, n))
        read_parameter(r, s, n, false);
}

/* The last parameter varies fastest; those of `together` form one axis, the slowest. */
static void count_points(reader *r, sweep *s, const node *root)
{
    double runs = (double)s->seed_count;
    size_t stride = 1;
    for (size_t i = s->parameter_count; i-- > 0;) {
        sweep_parameter *p = &s->parameters[i];
        bool again = p->together && i + 1 < s->parameter_count && s->parameters[i + 1].together;
        if (!again) runs *= (double)p->count;
        if (runs > SWEEP_RUNS) {
            fault_add(r->f, root, "this makes more than %d runs; split it into several sweeps", SWEEP_RUNS);
            return;
        }
        p->stride = again ? s->parameters[i + 1].stride : stride;
        if (!again) stride *= p->count;
    }
    s->point_count = stride;
}

/* ---- The rest ---- */

static bool find_spot(reader *r, const node *n, scene_spot *spot)
{
    const tree_source *text = &r->t->sources[n->source];
    text_place from = {0};
    *spot = (scene_spot){.place = place_text(text, n->line, n->column, r->memory),
                         .excerpt = place_excerpt(text, n->line, n->column, &from, r->memory),
                         .file_length = strlen(text->name),
                         .line = n->line,
                         .column = n->column};
    if (spot->place != NULL && spot->excerpt != NULL) return true;
    r->f->no_memory = n->length;
    return false;
}

static void read_measures(reader *r, sweep *s, const node *n)
{
    if (n == NULL || !value_is_list(r, n, "a list of paths into the summary of a run")) return;
    if (!is_short(r, n, "measures")) return;
    s->measures = read_new(r, n->length, sizeof *s->measures);
    s->measures_at = read_new(r, n->length, sizeof *s->measures_at);
    if (s->measures == NULL || s->measures_at == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        char *path = value_text(r, item);
        if (path == NULL) continue;
        bool twice = false;
        for (size_t i = 0; i < s->measure_count; i++) twice = twice || strcmp(s->measures[i], path) == 0;
        if (!is_path(path))
            fault_add(r->f, item, "expected a path into the summary of a run, as in energy.total, found '%s'",
                      value_quote(r, item));
        else if (twice)
            fault_add(r->f, item, "the measure '%s' is there twice", value_quote(r, item));
        else if (find_spot(r, item, &s->measures_at[s->measure_count]))
            s->measures[s->measure_count++] = path;
    }
}

static void read_scene_path(reader *r, sweep *s, const node *root, const node *n)
{
    char *path = n != NULL ? value_text(r, n) : NULL;
    if (n == NULL) settings_missing(r, root, "", &sweep_entries[1]);
    if (path == NULL) return;
    if (*path == '\0') {
        fault_add(r->f, n, "expected the scene's file, found nothing");
        return;
    }
    size_t size = strlen(r->folder) + strlen(path) + 2;
    bool here = path[0] == '/' || r->folder[0] == '\0';
    s->scene = read_new(r, size, 1);
    if (s->scene == NULL) return;
    const char *slash = here || r->folder[strlen(r->folder) - 1] == '/' ? "" : "/";
    snprintf(s->scene, size, "%s%s%s", here ? "" : r->folder, slash, path);
}

static bool read_version(reader *r, const node *root)
{
    const node *n = tree_get(r->t, root, "carom");
    uint64_t version;
    if (n == NULL) settings_missing(r, root, "", &sweep_entries[0]);
    if (n == NULL || !value_count(r, n, &version) || version == 1) return true;
    fault_add(r->f, n, "this version of carom reads version 1 of the sweep language, not %s", value_quote(r, n));
    return false;
}

static void read_all(reader *r, sweep *s, const node *root)
{
    if (root->kind == NODE_SCALAR && root->length == 0 && root->plain) {
        fault_add_hidden(r->f, root->source, 1, 1, "this sweep is empty; docs/sweep.md shows one to begin with");
        return;
    }
    if (!value_is_map(r, root, "a sweep (a map that begins with 'carom: 1')") || !read_version(r, root)) return;
    const node *engine = tree_get(r->t, root, "engine"), *scene_node = tree_get(r->t, root, "scene");
    if (engine != NULL && scene_node == NULL) {
        fault_add(r->f, tree_key(r->t, engine),
                  "this is a scene, which 'carom run' runs; a sweep is a file of its own that names it: 'scene: %s'",
                  s->source);
        return;
    }
    settings_check_keys(r, root, &table_sweep, NULL);
    read_scene_path(r, s, root, scene_node);
    read_seeds(r, s, tree_get(r->t, root, "seeds"));
    read_parameters(r, s, tree_get(r->t, root, "parameters"), tree_get(r->t, root, "together"));
    count_points(r, s, root);
    read_measures(r, s, tree_get(r->t, root, "measure"));
    const node *keep = tree_get(r->t, root, "keep");
    if (keep != NULL) s->keep = value_choice(r, keep, "thing to keep", keep_words);
}

static carom_status read_text(reader *r, sweep *s, const char *text, size_t length, error *e)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        length -= 3;
    }
    tree_source file = {.name = s->source, .text = text, .length = length, .has_lines = true};
    if (tree_add_source(r->t, file) < 0) return error_memory(e, "a sweep", sizeof(tree_source));
    uint32_t root = yaml_read(r->t, r->f, 0, 0);
    if (root != 0) read_all(r, s, tree_node(r->t, root));
    return faults_report(r->f, r->t, root, e);
}

carom_status sweep_read(sweep **out, const char *source, const char *folder, const char *text, size_t length, error *e)
{
    tree t;
    faults f;
    *out = NULL;
    error_clear(e);
    sweep *s = NEW_ARRAY(1, sweep);
    if (s != NULL) s->memory = arena_create();
    if (s != NULL && s->memory != NULL) s->source = arena_text(s->memory, source, strlen(source));
    if (s == NULL || s->source == NULL || tree_create(&t, e) != CAROM_OK) {
        sweep_free(s);
        return error_memory(e, "a sweep", sizeof *s);
    }
    carom_status status;
    if (faults_create(&f)) {
        reader r = {.t = &t, .f = &f, .memory = s->memory, .folder = folder};
        status = read_text(&r, s, text, length, e);
        faults_free(&f);
    } else {
        status = error_memory(e, "a sweep", sizeof f);
    }
    tree_free(&t);
    if (status == CAROM_OK)
        *out = s;
    else
        sweep_free(s);
    return status;
}

carom_status sweep_read_file(sweep **out, const char *path, error *e)
{
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    carom_status status = text_file_read(path, "sweep", "is this a sweep?", &text, &length, e);
    char *folder = text_file_folder(path);
    if (status == CAROM_OK && folder == NULL) status = error_memory(e, "a path", strlen(path));
    if (status == CAROM_OK) status = sweep_read(out, path, folder, text, length, e);
    memory_free(folder);
    memory_free(text);
    return status;
}

void sweep_free(sweep *s)
{
    if (s == NULL) return;
    arena_free(s->memory);
    memory_free(s);
}
