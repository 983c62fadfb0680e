/* Checks of the magnitudes of all numbers in a scene. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/pi.h"
#include "base/text.h"
#include "geometry/shapes.h"
#include "scene/exact.h"
#include "scene/language/reader.h"
#include "scene/scale.h"
#include "scene/where.h"

void scale_reference(text_buffer *out)
{
    text_add(
        out,
        "\n## Limits\n\n"
        "Numbers with these units, given or derived (the mass from a density, the box from a packing fraction), must\n"
        "have magnitudes between these limits; 0 is allowed where the key allows it, and components of vectors may\n"
        "be smaller. SI units for nanometres (lengths 1e-9, masses 1e-27) and for galaxies (1e20) lie far within.\n"
        "Choose other units for a scene that does not.\n\n"
        "| quantity | unit | smallest | largest |\n|---|---|---|---|\n");
    for (size_t k = 0; k < SCALES; k++)
        text_add(out, "| %s | %s | %.0e | %.0e |\n", scales[k].plural, scales[k].unit, scales[k].least, scales[k].most);
    text_add(
        out,
        "\nThe box and the distances from the origin are at most %.0e times the width of the smallest body (particle,\n"
        "segment, shell); points and radii of planes and exact surfaces at most %.0e times. Positions are at most "
        "%.0e\n"
        "box lengths away from a periodic box, and a mesh extends over at most %d periodic boxes.\n",
        SCALE_LENGTHS, SCALE_SURFACES, SCALE_IMAGES, SCALE_MESH_IMAGES);
}

typedef struct check {
    const scene *s;
    error *e;
    carom_status status;
} check;

static void refuse(check *c, const scale *of, const char *path, double value)
{
    char text[NUMBER_SIZE];
    size_t end = strlen(path), start;
    for (;; end = start - 1) { /* the last key; numbers are places in lists */
        for (start = end; start > 0 && path[start - 1] != '.';) start--;
        if (start == 0 || path[start] < '0' || path[start] > '9') break;
    }
    number_write(text, value);
    c->status = scene_refuse(scene_at(c->s, "%s", path), c->e,
                             "'%.*s' has a value of %s; %s must lie between %.0e and %.0e: choose other units",
                             (int)(end - start), path + start, text, of->plural, of->least, of->most);
}

static void check_number(check *c, const char *path, const scale *of, double value)
{
    if (!scale_fits(of, value)) refuse(c, of, path, value);
}

/* For vectors: the first component outside the limits. */
static void check_vectors(check *c, const char *path, const scale *of, const double (*v)[3], size_t count)
{
    for (size_t i = 0; i < 3 * count; i++) {
        if (scale_fits_component(of, v[i / 3][i % 3])) continue;
        refuse(c, of, path, v[i / 3][i % 3]);
        return;
    }
}

static void check_setting(check *c, const setting *row, const char *path, const char *field)
{
    double value[3];
    const scale *of = row->unit != NULL ? scale_of_unit(row->unit) : NULL;
    if (of == NULL || (row->type != SETTING_REAL && row->type != SETTING_VECTOR)) return;
    memcpy(value, field, row->type == SETTING_REAL ? sizeof *value : sizeof value);
    if (row->type == SETTING_VECTOR)
        check_vectors(c, path, of, (const double(*)[3])value, 1);
    else if (isfinite(value[0])) /* infinite: not given */
        check_number(c, path, of, value[0]);
}

/* All numbers of the struct of a table. */
static void check_table(check *c, const settings_table *table, const char *path, const void *filled)
{
    for (size_t i = 0; filled != NULL && i < table->count; i++) {
        const setting *row = &table->entries[i];
        const char *field = (const char *)filled + row->offset;
        char below[256];
        snprintf(below, sizeof below, "%s%s%s", path, path[0] != '\0' ? "." : "", row->name);
        if (row->type == SETTING_TABLE)
            check_table(c, row->table, below, field);
        else
            check_setting(c, row, below, field);
    }
}

static void check_list(check *c, const settings_table *table, const char *key, const void *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s.%zu", key, i);
        check_table(c, table, path, (const char *)items + i * table->size);
    }
}

static void check_species(check *c, const scene_species *species)
{
    char path[160];
    const scene_size *size = &species->diameter;
    snprintf(path, sizeof path, "species.%s", species->name);
    check_table(c, &table_species, path, species);
    snprintf(path, sizeof path, "species.%s.%s", species->name,
             species->half[0] > 0 ? shapes[species->shape]->key : "diameter");
    const double lengths[] = {size->a, size->b, size->min, size->max, species->half[0], species->half[1]};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        if (isfinite(lengths[k])) check_number(c, path, &scales[SCALE_LENGTH], lengths[k]);
}

/* The places and motions of an entry of particles, or of copies of a body. */
static void check_placed(check *c, const char *key, const scene_particles *p)
{
    char path[80];
    snprintf(path, sizeof path, "%s.place", key);
    check_vectors(c, path, &scales[SCALE_LENGTH], (const double(*)[3])p->at, p->at != NULL ? p->count : 0);
    if (p->place == PLACE_WALK) check_number(c, path, &scales[SCALE_LENGTH], p->walk_step);
    const double region[2][3] = {{p->region.from[0], p->region.from[1], p->region.from[2]},
                                 {p->region.to[0], p->region.to[1], p->region.to[2]}};
    check_vectors(c, path, &scales[SCALE_LENGTH], region, 2);
    check_number(c, path, &scales[SCALE_LENGTH], p->region.radius);
    snprintf(path, sizeof path, "%s.velocity", key);
    const double uniform[3] = {p->a, p->b, 0};
    if (p->velocity == VELOCITY_UNIFORM)
        check_vectors(c, path, &scales[SCALE_SPEED], &uniform, 1);
    else
        check_number(c, path, p->velocity == VELOCITY_MAXWELL ? &scales[SCALE_ENERGY] : &scales[SCALE_SPEED], p->a);
    for (size_t k = 0; p->temperatures != NULL && k < p->share_count; k++)
        check_number(c, path, &scales[SCALE_ENERGY], p->temperatures[k]);
    check_vectors(c, path, &scales[SCALE_SPEED], (const double(*)[3])p->each, p->each_count);
    snprintf(path, sizeof path, "%s.angular_velocity", key);
    check_number(c, path, &scales[SCALE_ENERGY], p->spin_temperature);
    check_vectors(c, path, &scales[SCALE_RATE], (const double(*)[3])p->spins, p->spin_count);
}

static void check_particles(check *c, size_t entry)
{
    char path[48];
    snprintf(path, sizeof path, "particles.%zu", entry);
    check_placed(c, path, &c->s->particles[entry]);
}

static void check_copies(check *c, size_t body)
{
    char path[48];
    snprintf(path, sizeof path, "bodies.%zu.copies", body);
    if (c->s->bodies[body].copies.count > 0) check_placed(c, path, &c->s->bodies[body].copies);
}

static void check_clump(check *c, size_t k)
{
    char path[80];
    for (size_t i = 0; i < c->s->clumps[k].sphere_count; i++) {
        snprintf(path, sizeof path, "clumps.%zu.spheres.%zu", k, i);
        check_table(c, &table_clump_spheres, path, &c->s->clumps[k].spheres[i]);
    }
}

static void check_law(check *c, size_t k)
{
    const restitution_law *law = &c->s->laws[k];
    char path[80];
    snprintf(path, sizeof path, "contacts.%zu", law->contact);
    check_table(c, &table_contacts, path, law);
    snprintf(path, sizeof path, "contacts.%zu.restitution", law->contact);
    for (size_t i = 0; i < law->count; i++) check_number(c, path, &scales[SCALE_SPEED], law->table[i][0]);
    snprintf(path, sizeof path, "contacts.%zu.stick", law->contact);
    if (isfinite(law->stick_below)) check_number(c, path, &scales[SCALE_SPEED], law->stick_below);
}

static void check_drive(check *c, size_t k)
{
    const scene_drive *d = &c->s->drives[k];
    char path[80];
    snprintf(path, sizeof path, "drives.%zu.within", k);
    if (d->within.given) check_table(c, &table_within, path, &d->within);
    snprintf(path, sizeof path, "drives.%zu.start.when", k);
    if (d->start.given) check_table(c, &table_when, path, &d->start.when);
    for (size_t i = 0; i < d->motion_count; i++) {
        snprintf(path, sizeof path, "drives.%zu.motion.%zu", k, i);
        check_table(c, &table_motion, path, &d->motion[i]);
        check_table(c, &table_turn, path, &d->motion[i]);
        snprintf(path, sizeof path, "drives.%zu.motion.%zu.oscillate", k, i);
        check_table(c, &table_oscillate, path, &d->motion[i]);
        double fastest[3];
        for (int n = 0; n < 3; n++) fastest[n] = 2 * PI * d->motion[i].frequency * d->motion[i].swing[n];
        check_vectors(c, path, &scales[SCALE_SPEED], (const double(*)[3]) & fastest, 1);
    }
}

static void check_load(check *c, size_t k)
{
    const scene_load *load = &c->s->loads[k];
    char path[80];
    snprintf(path, sizeof path, "loads.%zu", k);
    check_table(c, &table_loads, path, load);
    snprintf(path, sizeof path, "loads.%zu.within", k);
    if (load->within.given) check_table(c, &table_within, path, &load->within);
    snprintf(path, sizeof path, "loads.%zu.ramp", k);
    check_list(c, &table_ramp, path, load->ramp, load->ramp_count);
}

static void check_moment(check *c, const settings_table *table, const char *path, const scene_moment *moment)
{
    char when[96];
    snprintf(when, sizeof when, "%s.when", path);
    if (moment->given) check_table(c, table, path, moment);
    if (moment->waits) check_table(c, &table_when, when, &moment->when);
}

static void check_mesh(check *c, size_t k)
{
    const scene_mesh *m = &c->s->meshes[k];
    char path[80];
    snprintf(path, sizeof path, "meshes.%zu", k);
    check_table(c, &table_meshes, path, m);
    snprintf(path, sizeof path, "meshes.%zu.appear", k);
    check_moment(c, &table_appear, path, &m->appear);
    snprintf(path, sizeof path, "meshes.%zu.vanish", k);
    check_moment(c, &table_vanish, path, &m->vanish);
    snprintf(path, sizeof path, "meshes.%zu.shape", k);
    if (m->from != NULL) return;
    check_table(c, table_shape.entries[m->shape.kind].table, path, &m->shape);
    check_vectors(c, path, &scales[SCALE_LENGTH], (const double(*)[3])m->shape.points, m->shape.point_count);
}

static void check_potential(check *c, size_t k)
{
    char path[80];
    snprintf(path, sizeof path, "potentials.%zu", k);
    for (size_t i = 0; i < c->s->potentials[k].count; i++)
        if (isfinite(c->s->potentials[k].steps[i].energy)) /* else a wall */
            check_number(c, path, &scales[SCALE_ENERGY], c->s->potentials[k].steps[i].energy);
}

carom_status scale_check_scene(const scene *s, const scene_vocabulary *vocabulary, error *e)
{
    check c = {s, e, CAROM_OK};
    const settings_table *engine = vocabulary->engines[s->engine];
    char path[80];
    check_table(&c, &table_scene, "", s);
    for (int k = 0; k < s->dimension && c.status == CAROM_OK; k++)
        check_number(&c, "box.size", &scales[SCALE_LENGTH], s->box.size[k]);
    for (size_t k = 0; k < s->species_count; k++) check_species(&c, &s->species[k]);
    for (size_t k = 0; k < s->particles_count; k++) check_particles(&c, k);
    check_list(&c, &table_planes, "planes", s->planes, s->plane_count);
    for (size_t k = 0; k < EXACT_COUNT; k++)
        check_list(&c, exact_kinds[k]->table, exact_kinds[k]->names, s->exact[k].items, s->exact[k].count);
    for (size_t k = 1; k < s->law_count; k++) check_law(&c, k);
    for (size_t k = 0; k < s->mesh_count; k++) check_mesh(&c, k);
    for (size_t k = 0; k < s->potential_count; k++) check_potential(&c, k);
    check_list(&c, &table_bonds, "bonds", s->bonds, s->bonds_count);
    check_list(&c, &table_springs, "springs", s->springs, s->springs_count);
    for (size_t k = 0; k < s->springs_count; k++) {
        snprintf(path, sizeof path, "springs.%zu.length", k);
        if (s->springs[k].length >= 0) check_number(&c, path, &scales[SCALE_LENGTH], s->springs[k].length);
    }
    check_list(&c, &table_hinges, "hinges", s->hinges, s->hinges_count);
    check_list(&c, &table_rods, "rods", s->rods, s->rods_count);
    check_list(&c, &table_segments, "segments", s->segments, s->segments_count);
    for (size_t k = 0; k < s->drive_count; k++) check_drive(&c, k);
    for (size_t k = 0; k < s->load_count; k++) check_load(&c, k);
    check_list(&c, &table_clumps, "clumps", s->clumps, s->clump_count);
    for (size_t k = 0; k < s->clump_count; k++) check_clump(&c, k);
    check_list(&c, &table_outflow, "outflow", s->outflows, s->outflow_count);
    check_list(&c, &table_bodies, "bodies", s->bodies, s->body_count);
    for (size_t k = 0; k < s->body_count; k++) check_copies(&c, k);
    for (size_t k = 0; k < s->body_count; k++) {
        snprintf(path, sizeof path, "bodies.%zu.angular_velocity", k);
        check_vectors(&c, path, &scales[SCALE_RATE], (const double(*)[3]) & s->bodies[k].angular_velocity, 1);
    }
    for (size_t k = 0; k < s->observe_count; k++) {
        snprintf(path, sizeof path, "observe.%zu", k);
        check_table(&c, &table_observe, path, &s->observe[k]);
        check_table(&c, vocabulary->observables[s->observe[k].what], path, s->observe[k].settings);
    }
    if (s->until.rest.every > 0) check_table(&c, &table_rest, "run.until.rest", &s->until.rest);
    check_table(&c, engine, engine->name, s->engine_settings);
    return c.status;
}
