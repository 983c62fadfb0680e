/* Panels of the observables of a result: by recipes; without a recipe one panel per column. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/pi.h"
#include "view/plot/plot.h"

enum {
    DROP_ZERO = 8,
    BARS = 16,
    POINTS = 32,
    LEVEL = 64,
    GAUSS = 128,
    SPEEDS = 256,
    ONE = 512,
    DIFFUSION = 1024,
    SHIFT = 2048,
    LEDGER = 4096
};

typedef struct recipe {
    const char *what, *table, *name, *title;
    const char *columns;           /* separated by blanks; the abscissa is the first column of the table */
    const char *error;             /* the column with the standard errors */
    const char *x_label, *y_label; /* NULL: from the names of the columns */
    unsigned flags;
} recipe;

static const recipe recipes[] = {
    {"ledger", "ledger", "ledger", "Energy balance",
     "total kinetic potential springs contact stretch bend restitution friction damping plastic sliding rolling "
     "twisting work",
     NULL, NULL, "energy", DROP_ZERO | SHIFT | LEDGER},
    {"ledger", "ledger", "drift", "Drift of the energy", "drift", NULL, NULL, "drift (energy)", 0},
    {"energy", "energy", "energy", "Energy", "total kinetic potential dissipated", NULL, NULL, "energy",
     DROP_ZERO | SHIFT},
    {"momentum", "momentum", "momentum", "Momentum", "momentum", NULL, NULL, NULL, 0},
    {"temperature", "temperature", "temperature", "Temperature", "temperature", NULL, NULL, NULL, PLOT_LOG_WIDE},
    {"collision_rate", "collision_rate", "collision_rate", "Collision rate", "collision_rate", NULL, NULL,
     "collisions / (particle time)", LEVEL},
    {"pressure", "pressure", "pressure", "Pressure", "pressure", NULL, NULL, "pressure (energy / volume)", LEVEL},
    {"pressure", "pressure", "compressibility", "Compressibility factor", "compressibility", NULL, NULL, "P V / (N T)",
     LEVEL},
    {"wall_pressure", "wall_pressure", "wall_pressure", "Pressure on the walls", "wall_pressure", NULL, NULL, NULL,
     LEVEL},
    {"msd", "msd", "msd", "Mean-square displacement", "msd", "error", "lag (time)", "length^{2}",
     PLOT_LOG_X | PLOT_LOG_Y | POINTS | DIFFUSION},
    {"vacf", "vacf", "vacf", "Velocity autocorrelation", "vacf", "error", "lag (time)", "speed^{2}", DIFFUSION},
    {"radial_distribution", "radial_distribution", "radial_distribution", "Radial distribution function", "g", "error",
     "r (length)", "g(r)", ONE},
    {"velocity_distribution", "components", "velocity_components", "Velocity components", "density", "error",
     "component / thermal speed", "probability density", PLOT_LOG_Y | POINTS | GAUSS},
    {"velocity_distribution", "speeds", "speeds", "Speeds", "density", "error", "speed / thermal speed",
     "probability density", POINTS | SPEEDS},
    {"velocity_distribution", "a2", "a2", "Fourth cumulant of the velocities", "a2", NULL, NULL, "a_{2}", LEVEL},
    {"impact_separation", "impact_separation", "impact_separation", "Separation at impact", "density", NULL,
     "floating-point numbers from contact", "density (1 / spacing above contact)", PLOT_LOG_Y | POINTS},
    {"stabilising", "stabilising", "stabilising", "Stabilising collisions", "fraction", NULL, NULL,
     "fraction of collisions", LEVEL},
    {"three_body", "three_body", "three_body", "Three-body events", "again_fraction double_fraction", NULL, NULL,
     "fraction of collisions", 0},
    {"clusters", "clusters", "cluster_number", "Number of clusters", "number", NULL, NULL, "clusters",
     PLOT_LOG_X | PLOT_LOG_Y},
    {"clusters", "clusters", "cluster_mass", "Mass of the clusters", "mean_mass weighted_mass largest_mass", NULL, NULL,
     "mass", PLOT_LOG_X | PLOT_LOG_Y},
    {"shape", "shape", "gyration_radius", "Radius of gyration of the largest cluster", "gyration_radius", NULL, NULL,
     "radius of gyration (length)", 0},
    {"shape", "shape", "aspect_ratio", "Aspect ratio of the largest cluster", "aspect_ratio", NULL, NULL,
     "aspect ratio", 0},
    {"shape", "shape", "anisotropy", "Relative shape anisotropy of the largest cluster", "anisotropy", NULL, NULL,
     "anisotropy", 0},
    {"shape", "shape", "box_dimension", "Box-counting dimension of the largest cluster", "box_dimension", NULL, NULL,
     "dimension", 0},
    {"mass_flow", "mass_flow", "mass_flow", "Flow of mass", "mass_flow", NULL, NULL, NULL, LEVEL},
    {"coordination", "coordination", "coordination", "Contacts of a particle", "coordination", NULL, NULL, NULL, LEVEL},
    {"coordination", "distribution", "contact_numbers", "Numbers of contacts", "fraction", NULL, "contacts",
     "fraction of particles", BARS},
    {"fabric", "fabric", "fabric", "Anisotropy of contacts", "anisotropy", NULL, NULL, NULL, LEVEL},
    {"mixing", "mixing", "mixing", "Lacey's mixing index", "lacey", NULL, NULL, NULL, LEVEL},
    {"free_surface", "free_surface", "free_surface", "Angle of the free surface", "angle", NULL, NULL, NULL, LEVEL},
    {"force_distribution", "force_distribution", "force_distribution", "Mean force of contacts", "normal tangential",
     NULL, NULL, "force (energy / length)", 0},
    {"force_distribution", "distribution", "forces", "Forces of contacts", "normal tangential", NULL,
     "force / mean force", "probability density", PLOT_LOG_Y | POINTS},
    {"layers", "layers", "layers", "Deepest penalty layer of impacts", "fraction", NULL, "layer", "fraction of impacts",
     BARS | PLOT_LOG_Y},
};
enum { RECIPES = sizeof recipes / sizeof *recipes };

const char *plot_title_of(const char *what, const char *column, const char **label)
{
    for (int k = 0; k < RECIPES; k++) {
        if (strcmp(recipes[k].what, what) != 0 || strcmp(recipes[k].columns, column) != 0) continue;
        *label = recipes[k].y_label;
        return recipes[k].title;
    }
    return NULL;
}

/* A table of the file. Its numbers are read at first use. */
typedef struct source {
    const reader *r;
    const reader_observable *observable;
    size_t table;
    double *x; /* the abscissa */
} source;

static const reader_table *table_of(const source *s)
{
    return &s->observable->tables[s->table];
}

static size_t find_column(const reader_table *t, const char *name, size_t length)
{
    size_t k = 0;
    while (k < t->column_count &&
           (strlen(t->columns[k].name) != length || strncmp(t->columns[k].name, name, length) != 0))
        k++;
    return k;
}

static bool all_zero(const double *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (y[i] != 0) return false;
    return true;
}

/* A value of the observable as a note; a mean over the run also as a horizontal line. */
static void add_value(plot_sheet *p, plot_panel *panel, const source *s, const char *name, const char *meaning)
{
    const reader_observable *o = s->observable;
    const size_t rows = table_of(s)->rows;
    char words[PLOT_NAME];
    for (size_t k = 0; k < o->value_count; k++) {
        const reader_value *v = &o->values[k];
        if (strcmp(v->name, name) != 0 || v->width != 1 || !isfinite(v->mean[0]) || rows < 2) continue;
        snprintf(words, sizeof words, "%s%s", v->converged || !(v->error[0] > 0) ? "" : "not converged: ", meaning);
        plot_note(p, panel, words, v->mean[0], v->error[0]);
        if (strcmp(meaning, "mean") != 0 || p->split) continue;
        const double x[2] = {s->x[0], s->x[rows - 1]}, y[2] = {v->mean[0], v->mean[0]};
        plot_curve *c = plot_curve_add(p, panel, "mean", x, y, 1, NULL, 2);
        if (c != NULL) c->guide = true;
    }
}

enum { LAW_STEPS = 161 };

/* Theoretical curve of an elastic gas in equilibrium, from low to high. */
static void fill_law(double *x, double *y, double low, double high, unsigned flags, int dimension)
{
    for (int i = 0; i < LAW_STEPS; i++) {
        x[i] = low + (high - low) * i / (LAW_STEPS - 1);
        const double bell = exp(-0.5 * x[i] * x[i]);
        if (flags & ONE)
            y[i] = 1;
        else if (flags & GAUSS)
            y[i] = bell / sqrt(2 * PI);
        else
            y[i] = dimension == 2 ? x[i] * bell : sqrt(2 / PI) * x[i] * x[i] * bell;
    }
}

static plot_curve *find_guide(plot_panel *panel, const char *name)
{
    for (size_t k = 0; panel != NULL && k < panel->count; k++)
        if (panel->curves[k].guide && strcmp(panel->curves[k].name, name) == 0) return &panel->curves[k];
    return NULL;
}

/* Files that are compared share an analytical curve over the longest of their ranges. */
static void add_law(plot_sheet *p, plot_panel *panel, const source *s, unsigned flags)
{
    const size_t rows = table_of(s)->rows;
    const int dimension = reader_about(s->r)->dimension;
    const char *maxwell = !p->split || !(flags & SPEEDS) ? "Maxwell" : dimension == 2 ? "Maxwell, 2D" : "Maxwell, 3D";
    const char *name = flags & ONE ? "ideal gas" : maxwell;
    double x[LAW_STEPS], y[LAW_STEPS];
    if (rows < 2) return;
    plot_curve *there = find_guide(panel, name);
    if (there != NULL && there->count == LAW_STEPS) {
        const double low = fmin(there->x[0], s->x[0]), high = fmax(there->x[LAW_STEPS - 1], s->x[rows - 1]);
        fill_law(there->x, there->y, low, high, flags, dimension);
        return;
    }
    fill_law(x, y, s->x[0], s->x[rows - 1], flags, dimension);
    plot_curve *c = plot_curve_add(p, panel, name, x, y, 1, NULL, LAW_STEPS);
    if (c != NULL) c->guide = true;
}

static double span_of(const double *y, size_t count, double *greatest)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    *greatest = fmax(fabs(low), fabs(high));
    return high - low;
}

/* If the potential varies little relative to its magnitude, it is plotted from 0, since its zero is arbitrary. */
static carom_status shift_of(const source *s, double *shift, error *e)
{
    const reader_table *t = table_of(s);
    const size_t column = find_column(t, "potential", strlen("potential"));
    double *y, greatest;
    *shift = 0;
    if (column == t->column_count || t->columns[column].width != 1) return CAROM_OK;
    TRY(reader_numbers(s->r, s->observable, s->table, column, &y, e));
    if (span_of(y, t->rows, &greatest) < 0.3 * greatest) *shift = y[0];
    memory_free(y);
    return CAROM_OK;
}

static bool is_shifted(const char *name)
{
    return strcmp(name, "potential") == 0 || strcmp(name, "total") == 0;
}

static carom_status add_column(plot_sheet *p, const source *s, plot_panel *panel, size_t column, unsigned flags,
                               const double *errors, error *e)
{
    static const char *const axes[] = {"x", "y", "z"};
    const reader_table *t = table_of(s);
    const size_t width = t->columns[column].width;
    char words[PLOT_NAME];
    double *y;
    double shift = 0;
    if ((flags & SHIFT) && !p->split && is_shifted(t->columns[column].name)) TRY(shift_of(s, &shift, e));
    TRY(reader_numbers(s->r, s->observable, s->table, column, &y, e));
    for (size_t i = 0; i < t->rows && shift != 0; i++) y[i] -= shift;
    for (size_t k = 0; k < width && k < 9; k++) {
        if ((flags & DROP_ZERO) && all_zero(y, t->rows)) break;
        const char *name = width == 1 ? plot_words(words, t->columns[column].name) : axes[k % 3];
        if (shift != 0) name = strcmp(name, "total") == 0 ? "total \u2212 U_{0}" : "potential \u2212 U_{0}";
        plot_curve *c = plot_curve_add(p, panel, name, s->x, y + k, width, errors, t->rows);
        if (c != NULL && (flags & LEDGER)) c->hue = plot_ledger_hue(t->columns[column].name);
        if (c != NULL) c->mark = flags & BARS ? PLOT_BARS : flags & POINTS ? PLOT_POINTS : PLOT_LINE;
    }
    if (shift != 0) plot_note(p, panel, "U_{0} =", shift, (double)NAN);
    memory_free(y);
    return CAROM_OK;
}

static carom_status read_errors(const source *s, const char *name, double **errors, error *e)
{
    const reader_table *t = table_of(s);
    const size_t column = name != NULL ? find_column(t, name, strlen(name)) : t->column_count;
    *errors = NULL;
    if (column == t->column_count || t->columns[column].width != 1) return CAROM_OK;
    return reader_numbers(s->r, s->observable, s->table, column, errors, e);
}

static const char *axis_label(char buffer[2 * PLOT_NAME], const reader_column *c)
{
    return plot_with_quantity(buffer, c->name, c->quantity);
}

/* The panel for a column of a recipe: one for all columns, or one each if files are compared. */
static plot_panel *panel_for(plot_sheet *p, const source *s, const recipe *from, size_t column)
{
    const reader_table *t = table_of(s);
    const bool split = p->split && strchr(from->columns, ' ') != NULL;
    char name[2 * PLOT_NAME], title[2 * PLOT_NAME], words[PLOT_NAME], x[2 * PLOT_NAME], y[2 * PLOT_NAME];
    snprintf(name, sizeof name, split ? "%s_%s" : "%s", from->name, t->columns[column].name);
    snprintf(title, sizeof title, split ? "%.*s: %s" : "%.*s", split ? (int)strcspn(from->title, ":") : 2 * PLOT_NAME,
             from->title, plot_words(words, t->columns[column].name));
    /* An observable may have a name from the scene, and occur more than once. */
    if (strcmp(s->observable->name, s->observable->what) != 0)
        snprintf(name, sizeof name, "%s_%s", s->observable->name, from->name);
    plot_panel *panel = plot_panel_of(p, s->observable->name, name, title);
    if (panel == NULL) return NULL;
    if (panel->count == 0)
        plot_label(p, panel, from->x_label != NULL ? from->x_label : axis_label(x, &t->columns[0]),
                   from->y_label != NULL ? from->y_label : axis_label(y, &t->columns[column]));
    panel->flags = from->flags;
    return panel;
}

static carom_status add_recipe(plot_sheet *p, const source *s, const recipe *from, error *e)
{
    const reader_table *t = table_of(s);
    plot_panel *panel = NULL;
    double *errors;
    TRY(read_errors(s, from->error, &errors, e));
    carom_status status = CAROM_OK;
    for (const char *at = from->columns; *at != '\0' && status == CAROM_OK; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " "), column = find_column(t, at, length);
        at += length;
        if (column == t->column_count) continue;
        panel = panel_for(p, s, from, column);
        status = add_column(p, s, panel, column, from->flags, errors, e);
    }
    memory_free(errors);
    if (status != CAROM_OK || panel == NULL) return status;
    if (from->flags & LEVEL) add_value(p, panel, s, from->columns, "mean");
    if (from->flags & DIFFUSION) add_value(p, panel, s, "diffusion", "diffusion coefficient");
    if (!p->split) plot_join_equal(p, panel);
    if (from->flags & (GAUSS | SPEEDS | ONE)) add_law(p, panel, s, from->flags);
    return CAROM_OK;
}

static bool is_coordinate(const reader_column *c)
{
    return c->width == 1 && c->name[0] >= 'x' && c->name[0] <= 'z' && c->name[1] == '\0';
}

/* The abscissa: the first column; of a grid the coordinate along which it has several cells, `none` if there are more. */
static carom_status find_abscissa(source *s, size_t *over, bool *none, error *e)
{
    const reader_table *t = table_of(s);
    size_t axes = 0;
    *over = 0;
    *none = false;
    if (!is_coordinate(&t->columns[0])) return CAROM_OK;
    for (size_t k = 0; k < t->column_count && is_coordinate(&t->columns[k]); k++) {
        double *x, greatest;
        TRY(reader_numbers(s->r, s->observable, s->table, k, &x, e));
        const bool varies = span_of(x, t->rows, &greatest) > 0;
        if (varies && axes++ == 0) {
            double *before = s->x;
            s->x = x;
            x = before;
            *over = k;
        }
        memory_free(x);
    }
    *none = axes > 1;
    return CAROM_OK;
}

/* Several tables of an observable may have columns of one name. */
static bool is_in_main_table(const source *s, const char *column)
{
    const reader_table *t = &s->observable->tables[0];
    return s->table > 0 && find_column(t, column, strlen(column)) < t->column_count;
}

/* A table without a recipe: each column against the abscissa. */
static carom_status add_plainly(plot_sheet *p, source *s, error *e)
{
    const reader_table *t = table_of(s);
    const char *of = s->observable->name;
    size_t over;
    bool none;
    TRY(find_abscissa(s, &over, &none, e));
    for (size_t k = 1; k < t->column_count && !none; k++) {
        char name[3 * PLOT_NAME], title[3 * PLOT_NAME], words[PLOT_NAME], x[2 * PLOT_NAME], y[2 * PLOT_NAME];
        const char *column = t->columns[k].name;
        if (t->columns[k].width > 3) continue; /* tensors, and histograms of each sample, have no curve */
        if (is_coordinate(&t->columns[0]) && is_coordinate(&t->columns[k])) continue;
        if (is_in_main_table(s, column))
            snprintf(name, sizeof name, "%s_%s_%s", of, t->name, column);
        else
            snprintf(name, sizeof name, strcmp(of, column) == 0 ? "%s" : "%s_%s", of, column);
        snprintf(title, sizeof title, "%s", plot_words(words, name));
        plot_panel *panel = plot_panel_of(p, of, name, title);
        if (panel != NULL && panel->count == 0)
            plot_label(p, panel, axis_label(x, &t->columns[over]), axis_label(y, &t->columns[k]));
        TRY(add_column(p, s, panel, k, 0, NULL, e));
    }
    return CAROM_OK;
}

/* One curve per stage of the aggregation: when the logarithm of the number of clusters has done 1/4, 1/2, ... of its
 * change. */
static void add_stages(plot_sheet *p, const source *s, const double *time, const double *count, const double *octaves,
                       size_t rows)
{
    enum { STAGES = 4 };
    const size_t bins = table_of(s)->rows;
    plot_panel *panel = plot_panel_of(p, s->observable->name, "cluster_sizes", "Clusters of each mass");
    plot_label(p, panel, "mass, at least (octaves)", "clusters");
    if (panel != NULL) panel->flags = PLOT_LOG_X | PLOT_LOG_Y;
    size_t row = 0;
    for (int k = 1; k <= STAGES; k++) {
        char name[PLOT_NAME];
        const double reached = count[0] * pow(fmax(count[rows - 1], 1) / count[0], (double)k / (STAGES + 1));
        const size_t before = row;
        while (row + 1 < rows && count[row] > reached) row++;
        if ((p->split && k != STAGES / 2) || (row == before && k > 1)) continue;
        snprintf(name, sizeof name, "t = %.3g", time[row]);
        plot_curve_add(p, panel, name, s->x, octaves + row * bins, 1, NULL, bins);
        if (p->split) plot_note(p, panel, "t =", time[row], (double)NAN);
    }
}

/* Number of clusters in each octave of mass, from a time series with one column per octave. */
static carom_status add_octaves(plot_sheet *p, const source *s, error *e)
{
    static const char *const names[] = {"time", "number", "number_per_octave"};
    const reader_table *t = &s->observable->tables[0];
    const size_t bins = table_of(s)->rows;
    double *numbers[3] = {NULL};
    carom_status status = CAROM_OK;
    bool fits = t->rows > 0;
    for (int k = 0; k < 3; k++) {
        const size_t column = find_column(t, names[k], strlen(names[k]));
        fits = fits && column < t->column_count && t->columns[column].width == (k == 2 ? bins : 1);
        if (fits && status == CAROM_OK) status = reader_numbers(s->r, s->observable, 0, column, &numbers[k], e);
    }
    if (status == CAROM_OK && fits && numbers[1][0] > 0) add_stages(p, s, numbers[0], numbers[1], numbers[2], t->rows);
    for (int k = 0; k < 3; k++) memory_free(numbers[k]);
    return status;
}

static carom_status add_table(plot_sheet *p, source *s, error *e)
{
    const reader_table *t = table_of(s);
    bool known = false;
    if (t->rows == 0 || t->column_count < 2 || t->columns[0].width != 1) return CAROM_OK;
    TRY(reader_numbers(s->r, s->observable, s->table, 0, &s->x, e));
    carom_status status = CAROM_OK;
    if (strcmp(s->observable->what, "ledger") == 0 && strcmp(t->name, "ledger") == 0 && !p->split)
        status = plot_add_stack(p, s->r, s->observable, s->table, s->x, e);
    for (size_t k = 0; k < RECIPES && status == CAROM_OK; k++) {
        if (strcmp(recipes[k].what, s->observable->what) != 0 || strcmp(recipes[k].table, t->name) != 0) continue;
        known = true;
        status = add_recipe(p, s, &recipes[k], e);
    }
    if (status == CAROM_OK && strcmp(t->name, "octaves") == 0)
        status = add_octaves(p, s, e);
    else if (status == CAROM_OK && !known)
        status = add_plainly(p, s, e);
    memory_free(s->x);
    return status;
}

carom_status plot_add_result(plot_sheet *p, const reader *r, error *e)
{
    const result_about *about = reader_about(r);
    bool energies = false;
    plot_begin_file(p, reader_path(r));
    if (p->title == NULL) p->title = memory_text(about->title);
    for (size_t k = 0; k < about->observable_count; k++) {
        const reader_observable *o = &about->observables[k];
        energies = energies || strcmp(o->what, "energy") == 0 || strcmp(o->what, "ledger") == 0;
        for (size_t t = 0; t < o->table_count; t++) {
            source s = {r, o, t, NULL};
            TRY(add_table(p, &s, e));
        }
    }
    if (!energies) TRY(plot_add_frames(p, r, e));
    if (ABOUT_HAS(about, cluster)) TRY(plot_add_shapes(p, r, e));
    return p->failed ? error_memory(e, "a plot", 1 << 20) : CAROM_OK;
}
