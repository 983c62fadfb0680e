/* The key `meshes`: files, arrays and shapes, placement and material. */
#include <math.h>

#include "mesh/read.h"
#include "mesh/repair.h"
#include "scene/language/reader.h"

/* ---- file and array ---- */

WRITTEN_IF(is_file, scene_mesh, one->file != NULL)

WRITTEN_IF(is_array, scene_mesh, one->array_name != NULL)

WRITTEN_IF(is_given, scene_mesh, one->from != NULL)

static bool is_shape(const scene *s, const void *from)
{
    return !is_given(s, from);
}

static void read_file(reader *r, const node *n, void *into)
{
    scene_mesh *one = into;
    one->from = one->file = value_path(r, n);
    if (one->file != NULL && !mesh_is_readable(one->file))
        fault_add(r->f, n, "the name of a mesh file ends in " MESH_ENDINGS);
}

static void write_file(writer *w, const void *from)
{
    write_path(w, ((const scene_mesh *)from)->file);
}

static void read_array(reader *r, const node *n, void *into)
{
    scene_mesh *one = into;
    one->array = read_array_name(r, n, GIVEN_MESH, &one->array_name, &one->from);
}

static void write_array(writer *w, const void *from)
{
    write_text(w, ((const scene_mesh *)from)->array_name);
}

static const setting_form form_file = {read_file, write_file, false};
static const setting_form form_array = {read_array, write_array, false};

/* ---- repair and weld_within ---- */

static void read_repair(reader *r, const node *n, void *into)
{
    scene_mesh *one = into;
    if (!value_is_list(r, n, "a list of weld, drop_unreferenced, orient and fill")) return;
    if (one->from == NULL) fault_add(r->f, tree_key(r->t, n), "shapes need no 'repair': leave it out");
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        const int bit = value_choice(r, item, "repair", scene_repair_words);
        if (bit >= 0) one->repair |= 1U << bit;
    }
}

static void write_repair(writer *w, const void *from)
{
    const char *gap = "[";
    for (int bit = 0; bit < MESH_REPAIRS; bit++) {
        if (!(((const scene_mesh *)from)->repair >> bit & 1)) continue;
        text_add(w->out, "%s%s", gap, scene_repair_words[bit]);
        gap = ", ";
    }
    text_add(w->out, "]");
}

static bool has_repair(const scene *s, const void *from)
{
    return is_given(s, from) && ((const scene_mesh *)from)->repair != 0;
}

static bool has_weld_within(const scene *s, const void *from)
{
    return is_given(s, from) && ((const scene_mesh *)from)->weld_within > 0;
}

static const setting_form form_repair = {read_repair, write_repair, false};

/* ---- material: without thickness there is none ------------------------------------------------------------------- */

WRITTEN_IF(has_matter, scene_mesh, one->thickness > 0)

/* Rigid meshes have contacts, in `hard` also without a thickness. */
WRITTEN_IF(takes_part, scene_mesh, one->thickness > 0 || one->rigid)

static bool is_elastic(const scene *s, const void *from)
{
    return has_matter(s, from) && !((const scene_mesh *)from)->rigid;
}

static bool yields(const scene *s, const void *from)
{
    const scene_mesh *one = from;
    return is_elastic(s, from) && (one->yield_angle > 0 || one->yield_moment > 0);
}

WRITTEN_IF(yields_by_angle, scene_mesh, one->yield_angle > 0)

WRITTEN_IF(yields_by_moment, scene_mesh, one->yield_moment > 0)

WRITTEN_IF(has_young, scene_mesh, one->young > 0)

static bool is_plate(const scene *s, const void *from)
{
    return is_elastic(s, from) && has_young(s, from);
}

static bool is_not_plate(const scene *s, const void *from)
{
    return is_elastic(s, from) && !has_young(s, from);
}

WRITTEN_IF(has_fabric, scene_mesh, one->fabric.given)

static bool has_material(const scene *s, const void *from)
{
    return is_plate(s, from) && !has_fabric(s, from);
}

static void finish_fabric(reader *r, const node *map, void *filled)
{
    scene_fabric *fabric = filled;
    const double *a = fabric->warp;
    const node *warp = tree_get(r->t, map, "warp");
    fabric->given = true;
    if (warp != NULL && warp->kind == NODE_LIST && a[0] == 0 && a[1] == 0 && a[2] == 0)
        fault_add(r->f, warp, "a warp of length zero has no direction");
}

static bool has_elastic_thickness(const scene *s, const void *from)
{
    return is_plate(s, from) && ((const scene_mesh *)from)->elastic_thickness > 0;
}

static void check_fabric(reader *r, const node *n, const scene_mesh *one)
{
    const node *fabric = tree_get(r->t, n, "fabric"), *material = tree_get(r->t, n, "material");
    if (one->fabric.given && material != NULL)
        fault_add(r->f, tree_key(r->t, material),
                  "the energy of a 'fabric' is that of St Venant and Kirchhoff" HINT "leave one of them out");
    if (one->fabric.weft > 0 && one->young > 0 && one->poisson * one->poisson * one->fabric.weft >= one->young)
        fault_add(r->f, tree_get(r->t, fabric, "weft"),
                  "the energy of this fabric is not positive: poisson^2 weft is %.10g, 'young' is %.10g" HINT
                  "give a smaller 'poisson', the contraction along the weft for a pull along the warp",
                  one->poisson * one->poisson * one->fabric.weft, one->young);
}

/* Plastic bending: the moment per length belongs to plates, the angle to edges. */
static void check_yield(reader *r, const node *n, const node *yield, bool plate)
{
    static const char *const others[] = {"angle", "hardening"};
    const node *moment = tree_get(r->t, yield, "moment"), *fabric = tree_get(r->t, n, "fabric");
    for (size_t k = 0; k < 2 && plate; k++)
        if (tree_get(r->t, yield, others[k]) != NULL) {
            fault_add(r->f, tree_key(r->t, tree_get(r->t, yield, others[k])),
                      "'%s' belongs to edges with 'bend'" HINT "with 'young', give the 'moment' of 'yield' alone",
                      others[k]);
            return;
        }
    if (!plate && moment != NULL)
        fault_add(r->f, tree_key(r->t, moment),
                  "'moment' belongs to plates with 'young'" HINT "with 'bend', give the 'angle' of 'yield'");
    else if (plate && fabric != NULL)
        fault_add(r->f, tree_key(r->t, tree_get(r->t, n, "yield")),
                  "plastic bending of fabric is not defined" HINT "leave 'yield' or 'fabric' out");
    else if (tree_get(r->t, yield, plate ? "moment" : "angle") == NULL)
        fault_add(r->f, yield, "missing key '%s' of 'yield': limit of elastic bending", plate ? "moment" : "angle");
}

static void check_plate(reader *r, const node *n)
{
    static const char *const others[] = {"stretch", "bend"};
    static const char *const parts[] = {"elastic_thickness", "material", "fabric"};
    const node *yield = tree_get(r->t, n, "yield");
    const bool given = tree_get(r->t, n, "young") != NULL;
    for (size_t k = 0; k < 2 && given; k++)
        if (tree_get(r->t, n, others[k]) != NULL)
            fault_add(r->f, tree_key(r->t, tree_get(r->t, n, others[k])),
                      "'young' determines '%s' as well" HINT "leave one of them out", others[k]);
    if (yield != NULL && yield->kind == NODE_MAP) check_yield(r, n, yield, given);
    for (size_t k = 0; k < 3 && !given; k++)
        if (tree_get(r->t, n, parts[k]) != NULL)
            fault_add(r->f, tree_key(r->t, tree_get(r->t, n, parts[k])),
                      "'%s' has no effect without 'young'" HINT "give both, or neither", parts[k]);
}

static void check_matter(reader *r, const node *n, const scene_mesh *one)
{
    static const char *const elastic[] = {"stretch", "bend",  "damping",           "rest",     "yield",
                                          "poisson", "young", "elastic_thickness", "material", "fabric"};
    const node *velocity = tree_get(r->t, n, "velocity");
    for (size_t k = 0; k < sizeof elastic / sizeof *elastic && one->rigid; k++)
        if (tree_get(r->t, n, elastic[k]) != NULL)
            fault_add(r->f, tree_key(r->t, tree_get(r->t, n, elastic[k])),
                      "this mesh is rigid: leave '%s' out, or 'rigid'", elastic[k]);
    if (one->rigid && velocity != NULL)
        fault_add(r->f, tree_key(r->t, velocity), "this mesh is rigid: give its velocity in a drive");
}

/* ---- appear and vanish ---- */

WRITTEN_IF(has_condition, scene_moment, one->waits)

WRITTEN_IF(has_time, scene_moment, !one->waits)

WRITTEN_IF(has_trials, scene_moment, one->every > 0)

WRITTEN_IF(appears, scene_mesh, one->appear.given)

WRITTEN_IF(vanishes, scene_mesh, one->vanish.given)

static void finish_moment(reader *r, const node *map, void *filled)
{
    scene_moment *moment = filled;
    const node *when = tree_get(r->t, map, "when");
    moment->given = true;
    moment->waits = when != NULL;
    if (tree_get(r->t, map, "time") == NULL && when == NULL)
        fault_add(r->f, map, "missing key 'time' (or 'when'): the moment itself");
}

static void finish_appear(reader *r, const node *map, void *filled)
{
    const node *every = tree_get(r->t, map, "every");
    finish_moment(r, map, filled);
    if (tree_get(r->t, map, "when") == NULL && every == NULL)
        fault_add(r->f, map,
                  "missing key 'every' of 'appear': interval of the trials as long as the place is occupied");
    if (tree_get(r->t, map, "when") != NULL && every != NULL)
        fault_add(r->f, tree_key(r->t, every), "'every' is for a mesh that appears at a time: 'when' has its own");
}

static void check_moments(reader *r, const node *map, const scene_mesh *one)
{
    const scene_moment *in = &one->appear, *out = &one->vanish;
    const node *first = tree_get(r->t, map, in->given ? "appear" : "vanish"), *last = tree_get(r->t, map, "vanish");
    if (first == NULL) return;
    if (!one->rigid)
        fault_add(r->f, tree_key(r->t, first),
                  "only a mesh that is `rigid` can appear or vanish" HINT "set `rigid: true`, or leave '%s' out",
                  in->given ? "appear" : "vanish");
    if (in->given && out->given && !in->waits && !out->waits && !(out->time > in->time))
        fault_add(r->f, last, "the mesh vanishes at %.10g, before it appears, at %.10g", out->time, in->time);
}

/* ---- A mesh as a whole ---- */

static void finish_mesh(reader *r, const node *map, void *filled)
{
    const scene_mesh *one = filled;
    const double *a = one->axis;
    const node *axis = tree_get(r->t, tree_get(r->t, tree_get(r->t, map, "place"), "rotate"), "axis");
    const node *within = tree_get(r->t, map, "weld_within");
    read_list_name(r, map, r->s->meshes, sizeof *one, one, "meshes");
    const node *array = tree_get(r->t, map, "array"), *shape = tree_get(r->t, map, "shape");
    if (array != NULL && shape != NULL)
        fault_add(r->f, tree_key(r->t, shape), "'array' and 'shape' exclude each other" HINT "give one");
    if (tree_get(r->t, map, "file") == NULL && array == NULL && shape == NULL)
        fault_add(r->f, map, "missing key 'file' (or 'shape'): the mesh itself");
    if (axis != NULL && axis->kind == NODE_LIST && a[0] == 0 && a[1] == 0 && a[2] == 0)
        fault_add(r->f, axis, "an axis of length zero has no direction");
    if (within != NULL && !(one->repair & MESH_WELD))
        fault_add(r->f, tree_key(r->t, within), "'weld_within' is for `repair: [weld]`: give that, or leave it out");
    check_matter(r, map, one);
    if (!one->rigid) check_plate(r, map);
    if (!one->rigid) check_fabric(r, map, one);
    check_moments(r, map, one);
}

static void check_dimension(reader *r, const node *n)
{
    if (r->s->dimension != 3 && r->s->mesh_count > 0)
        fault_add(r->f, tree_key(r->t, n), "meshes lie in space: they need 'dimension: 3'");
}

const setting_list list_meshes = {
    .wanted = "a list of meshes", .count = offsetof(scene, mesh_count), .silent = true, .finish = check_dimension};

/* clang-format off */
static const setting rotate_entries[] = {
    {.name = "axis", .type = SETTING_VECTOR, .offset = offsetof(scene_mesh, axis), .unit = "", .fallback = "[0, 0, 1]",
     .help = "through the origin; of any length but zero"},
    {.name = "angle", .type = SETTING_REAL, .offset = offsetof(scene_mesh, angle), .unit = "radians", .fallback = "0",
     .help = "counterclockwise, seen against the direction of the axis"},
};
static const settings_table table_rotate = {TABLE_OF("rotate", scene_mesh, rotate_entries, "a rotation about an axis")};

static const setting place_entries[] = {
    {.name = "scale", .type = SETTING_REAL, .offset = offsetof(scene_mesh, scale), .unit = "", .fallback = "1", .min = 0,
     .max = INFINITY, .above_min = true, .help = "first all coordinates are multiplied by this"},
    {.name = "rotate", .type = SETTING_TABLE, .unit = "", .table = &table_rotate, .help = "then the mesh is rotated about an axis through the origin"},
    {.name = "at", .type = SETTING_VECTOR, .offset = offsetof(scene_mesh, at), .unit = "length", .fallback = "[0, 0, 0]",
     .help = "then the origin of the mesh is moved here"},
};
static const settings_table table_place = {TABLE_OF("place", scene_mesh, place_entries, "the position of a mesh")};

static const char *const shape_shapes[] = {"{rectangle: {...}}", "{disk: {...}}", "{ribbon: {...}}", "{sphere: {...}}",
                                           "{globe: {...}}", "{torus: {...}}", "{solid: {...}}", "{box: {...}}", "{capsule: {...}}", "{prism: {...}}",
                                           "{tube: {...}}", "{revolution: {...}}", "{spikes: {...}}", "{reef_knot: {...}}", "{bowline: {...}}", NULL};
static const setting damping_entries[] = {
    {.name = "stretch", .type = SETTING_REAL, .offset = offsetof(scene_mesh, stretch_damping), .unit = "force time / length", .fallback = "0",
     .min = 0, .max = INFINITY, .help = "tension by the rate of strain, as stretch is by the strain"},
    {.name = "bend", .type = SETTING_REAL, .offset = offsetof(scene_mesh, bend_damping), .unit = "energy time", .fallback = "0", .min = 0,
     .max = INFINITY, .help = "moment by the rate of bending, as bend is by the bending"},
};
static const settings_table table_damping = {TABLE_OF("damping", scene_mesh, damping_entries, "proportional to stiffness")};

static const setting yield_entries[] = {
    {.name = "angle", .type = SETTING_REAL, .offset = offsetof(scene_mesh, yield_angle), .unit = "radians", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .written = yields_by_angle, .help = "with `bend`: limit of the elastic bending of an edge; beyond it the rest angle changes"},
    {.name = "hardening", .type = SETTING_REAL, .offset = offsetof(scene_mesh, hardening), .unit = "", .fallback = "0", .min = 0,
     .max = INFINITY, .written = yields_by_angle, .help = "with `bend`: increase of the yield angle per radian of plastic bending"},
    {.name = "moment", .type = SETTING_REAL, .offset = offsetof(scene_mesh, yield_moment), .unit = "force", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .written = yields_by_moment,
     .help = "with `young`: bending moment per length at which a strip yields; beyond it the rest angles change"},
};
static const settings_table table_yield = {TABLE_OF("yield", scene_mesh, yield_entries, "plastic bending")};

#define MOMENT_ROWS(what)                                                                                              \
    {.name = "time", .type = SETTING_REAL, .offset = offsetof(scene_moment, time), .unit = "time", .fallback = "", .min = 0, \
     .max = INFINITY, .above_min = true, .written = has_time, .help = "time at which it " what},                       \
    {.name = "when", .type = SETTING_SHAPE, .offset = offsetof(scene_moment, when), .unit = "", .fallback = "",        \
     .choices = when_shapes, .table = &table_when, .form = &form_map, .instead_of = "time", .written = has_condition,  \
     .help = "instead of a time: it " what " at the first check at which this condition holds"}
static const setting appear_entries[] = {
    MOMENT_ROWS("appears"),
    {.name = "every", .type = SETTING_REAL, .offset = offsetof(scene_moment, every), .unit = "time", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .written = has_trials, .help = "beside `time`: interval of the trials, as long as the place is occupied"},
};
const settings_table table_appear = {TABLE_OF("appear", scene_moment, appear_entries, "the moment at which a mesh appears; until then it has no contacts"),
                                     .wanted = "a map of 'time' and 'every', or of 'when'", .finish = finish_appear};
static const char *const appear_shapes[] = {"{time: TIME, every: TIME}", "{when: {...}}", NULL};
static const setting vanish_entries[] = {MOMENT_ROWS("vanishes")};
const settings_table table_vanish = {TABLE_OF("vanish", scene_moment, vanish_entries, "the moment at which a mesh vanishes; from then on it has no contacts"),
                                     .wanted = "a map of 'time' or 'when'", .finish = finish_moment};
static const char *const vanish_shapes[] = {"{time: TIME}", "{when: {...}}", NULL};

static const char *const repair_shapes[] = {"[weld, drop_unreferenced, orient, fill]", NULL};
static const char *const rest_words[] = {"mesh", "flat", NULL};
static const char *const material_words[] = {"st_venant_kirchhoff", "neo_hookean", NULL};
static const char *const fabric_shapes[] = {"{weft: YOUNG, shear: MODULUS, warp: DIRECTION}", NULL};
static const setting fabric_entries[] = {
    {.name = "weft", .type = SETTING_REAL, .offset = offsetof(scene_fabric, weft), .unit = "force / area", .min = 0, .max = INFINITY,
     .above_min = true, .help = "Young's modulus along the weft, normal to the warp; `young` is that along the warp, `poisson` the contraction along the weft for a "
             "pull along the warp"},
    {.name = "shear", .type = SETTING_REAL, .offset = offsetof(scene_fabric, shear), .unit = "force / area", .min = 0, .max = INFINITY,
     .above_min = true, .help = "shear modulus between warp and weft"},
    {.name = "warp", .type = SETTING_VECTOR, .offset = offsetof(scene_fabric, warp), .unit = "", .fallback = "[1, 0, 0]",
     .help = "direction of the warp, of any length but zero, before `place` rotates the mesh; each triangle has its projection"},
};
static const settings_table table_fabric = {TABLE_OF("fabric", scene_fabric, fabric_entries, "moduli of a woven fabric"),
                                            .wanted = "a map with 'weft' and 'shear'", .finish = finish_fabric};
static const setting meshes_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_mesh, name), .unit = "", .help = "name in messages"},
    {.name = "file", .type = SETTING_TEXT, .unit = "", .fallback = "", .form = &form_file, .written = is_file,
     .help = "OBJ, STL, PLY, OFF or Gmsh MSH (2.2 and 4.1, text), by the extension; the path is relative to the folder of the scene"},
    {.name = "array", .type = SETTING_TEXT, .unit = "", .fallback = "", .form = &form_array, .instead_of = "file",
     .written = is_array, .help = "instead of a file: vertices and triangles that a program gives under this name (C: carom_scene_set_mesh; "
                                  "Python: numpy arrays)"},
    {.name = "repair", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = repair_shapes,
     .form = &form_repair, .written = has_repair,
     .help = "permitted changes of a file or an array: vertices with equal positions are merged; vertices without triangles are removed; triangles with an orientation "
             "opposite to that of most are reversed; holes are closed. Triangles of rigid meshes are reversed in any case"},
    {.name = "weld_within", .type = SETTING_REAL, .offset = offsetof(scene_mesh, weld_within), .unit = "length", .fallback = "0", .min = 0,
     .max = INFINITY, .written = has_weld_within, .help = "with `repair: [weld]`: vertices up to this distance, in lengths of the file, are merged; 0: those with "
             "equal positions"},
    {.name = "shape", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = shape_shapes, .table = &table_shape,
     .form = &form_shape, .instead_of = "file", .written = is_shape,
     .help = "instead of a file: a generated mesh"},
    {.name = "place", .type = SETTING_TABLE, .unit = "", .table = &table_place, .help = "position and orientation"},
    {.name = "species", .type = SETTING_SHAPE, .offset = offsetof(scene_mesh, species), .unit = "", .fallback = "",
     .form = &form_species, .written = takes_part, .help = "species that determines its contacts; default: the first"},
    {.name = "thickness", .type = SETTING_REAL, .offset = offsetof(scene_mesh, thickness), .unit = "length", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .written = has_matter, .help = "of the shell; a rigid mesh needs none in `hard`; other meshes without thickness only appear in `carom check`"},
    {.name = "density", .type = SETTING_REAL, .offset = offsetof(scene_mesh, density), .unit = "mass / volume", .fallback = "1", .min = 0,
     .max = INFINITY, .above_min = true, .written = has_matter, .help = "a vertex has a third of the mass of its triangles: density * thickness * area"},
    {.name = "velocity", .type = SETTING_VECTOR, .offset = offsetof(scene_mesh, velocity), .unit = "speed", .fallback = "[0, 0, 0]",
     .written = is_elastic, .help = "of all vertices at the start"},
    {.name = "rigid", .type = SETTING_BOOL, .offset = offsetof(scene_mesh, rigid), .unit = "", .fallback = "false",
     .written = takes_part, .help = "an obstacle: at rest, or moved by a drive"},
    {.name = "appear", .type = SETTING_SHAPE, .offset = offsetof(scene_mesh, appear), .unit = "", .fallback = "", .choices = appear_shapes,
     .table = &table_appear, .form = &form_map, .written = appears,
     .help = "of a rigid mesh: when it appears, at the first trial at which nothing touches it (`hard`, `variational`)"},
    {.name = "vanish", .type = SETTING_SHAPE, .offset = offsetof(scene_mesh, vanish), .unit = "", .fallback = "", .choices = vanish_shapes,
     .table = &table_vanish, .form = &form_map, .written = vanishes, .help = "of a rigid mesh: when it vanishes (`hard`, `variational`)"},
    {.name = "stretch", .type = SETTING_REAL, .offset = offsetof(scene_mesh, stretch), .unit = "force / length", .fallback = "0", .min = 0,
     .max = INFINITY, .written = is_not_plate, .help = "stiffness against stretching: Young's modulus times the thickness"},
    {.name = "poisson", .type = SETTING_REAL, .offset = offsetof(scene_mesh, poisson), .unit = "", .fallback = "0.3", .min = 0,
     .max = 0.5, .written = is_elastic, .help = "Poisson's ratio, of stretching and, with `young`, of bending"},
    {.name = "bend", .type = SETTING_REAL, .offset = offsetof(scene_mesh, bend), .unit = "energy", .fallback = "0", .min = 0, .max = INFINITY,
     .written = is_not_plate, .help = "stiffness against bending: the energy of an edge e between triangles of areas A and B, bent by an angle a from rest, is bend "
             "a^2 3 e^2 / (A + B)"},
    {.name = "young", .type = SETTING_REAL, .offset = offsetof(scene_mesh, young), .unit = "force / area", .fallback = "", .min = 0, .max = INFINITY,
     .above_min = true, .written = is_plate, .help = "instead of stretch and bend: Young's modulus of a plate. It bends with the rigidity young * elastic_thickness^3 / "
             "(12 (1 - poisson^2)), in the limit of small triangles of any pattern"},
    {.name = "elastic_thickness", .type = SETTING_REAL, .offset = offsetof(scene_mesh, elastic_thickness), .unit = "length", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .written = has_elastic_thickness, .help = "with `young`: thickness that determines the stiffness; default: thickness"},
    {.name = "material", .type = SETTING_CHOICE, .offset = offsetof(scene_mesh, material), .unit = "", .fallback = "st_venant_kirchhoff",
     .choices = material_words, .written = has_material, .help = "with `young`: energy of stretching; neo_hookean is that of rubber, also far stretched "
             "(`poisson: 0.5`: incompressible)"},
    {.name = "fabric", .type = SETTING_SHAPE, .offset = offsetof(scene_mesh, fabric), .unit = "", .fallback = "", .choices = fabric_shapes,
     .table = &table_fabric, .form = &form_map, .written = has_fabric, .help = "with `young`: a woven fabric, whose moduli depend on the direction"},
    {.name = "damping", .type = SETTING_TABLE, .unit = "", .table = &table_damping, .written = is_elastic, .help = "proportional to stiffness"},
    {.name = "rest", .type = SETTING_CHOICE, .offset = offsetof(scene_mesh, rest), .unit = "", .fallback = "mesh", .choices = rest_words,
     .written = is_elastic, .help = "rest angles of the edges: those of the mesh, or flat"},
    {.name = "yield", .type = SETTING_TABLE, .unit = "", .table = &table_yield, .written = yields, .help = "plastic bending"},
};
const settings_table table_meshes = {TABLE_OF("meshes", scene_mesh, meshes_entries, "a triangle mesh"), .lines = true,
                                     .wanted = "a map with 'name', and 'file' or 'shape'", .finish = finish_mesh};
