/* Particles that turn. */
#include <string.h>

#include "base/number.h"
#include "scene/language/reader.h"

bool read_needs_rough(reader *r, const node *key)
{
    if (key == NULL || !r->engine_known) return true;
    const char *engine = r->vocabulary->engines[r->s->engine]->name;
    if (strcmp(engine, "hard") != 0)
        fault_add(r->f, key, "the engine `%s` has no rough spheres; leave '%s' out, or use `engine: hard`", engine,
                  value_quote(r, key));
    return true;
}

static bool read_spin(reader *r, const node *n, double out[3])
{
    return r->s->dimension == 3 ? value_vector(r, n, out) : value_number(r, n, &out[2]);
}

/* One for all: a number in 2D, in 3D a list of numbers. */
static bool is_one(reader *r, const node *n)
{
    const node *first = n->kind == NODE_LIST ? tree_first(r->t, n) : NULL;
    if (r->s->dimension == 2) return n->kind != NODE_LIST;
    return first == NULL || first->kind == NODE_SCALAR;
}

static void read_each(reader *r, const node *n, scene_particles *p)
{
    const bool one = is_one(r, n);
    p->spin = SPIN_EACH;
    if (!one && n->length == 0) {
        fault_add(r->f, n, "this list is empty");
        return;
    }
    p->spins = read_new(r, one ? 1 : n->length, sizeof *p->spins);
    if (p->spins == NULL) return;
    if (one) {
        p->spin_count = read_spin(r, n, p->spins[0]);
        return;
    }
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        if (!read_spin(r, item, p->spins[p->spin_count++])) return;
    if (p->spin_count > 1 && p->count > 0 && p->spin_count != p->count)
        fault_add(r->f, n, "'each' lists %zu angular velocities for %llu particles; give one for all or one for each",
                  p->spin_count, (unsigned long long)p->count);
}

static bool is_zero(const node *n)
{
    double value;
    if (n->kind != NODE_SCALAR) return false;
    return node_is(n, "zero") || (n->plain && number_read(n->text, n->length, &value, NULL) == NUMBER_OK && value == 0);
}

void read_spins(reader *r, const node *n, scene_particles *p)
{
    static const char *const kinds[] = {"maxwell", "each", NULL};
    p->spin_given = n != NULL;
    if (n == NULL && p->velocity == VELOCITY_FILE) p->spin = SPIN_FILE;
    if (n == NULL || is_zero(n)) return;
    if (node_is(n, "file")) {
        r->s->rough = read_needs_rough(r, tree_key(r->t, n));
        p->spin = SPIN_FILE;
        if (p->place != PLACE_FILE) fault_add(r->f, n, "'angular_velocity: file' needs 'place: {file: PATH}'");
        return;
    }
    if (n->kind != NODE_MAP) {
        value_refuse(r, n, "zero, file, {maxwell: T} or {each: ...}");
        return;
    }
    r->s->rough = read_needs_rough(r, tree_key(r->t, n));
    const node *form = value_only_key(r, n, "angular_velocity");
    if (form == NULL) return;
    int kind = value_choice(r, tree_key(r->t, form), "angular_velocity", kinds);
    if (kind == 1) read_each(r, form, p);
    if (kind != 0) return;
    p->spin = SPIN_MAXWELL;
    if (value_number(r, form, &p->spin_temperature) && p->spin_temperature < 0)
        fault_add(r->f, form, "'maxwell' must be at least 0, not %s", value_quote(r, form));
}
