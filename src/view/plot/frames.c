/* Panels from frames: energies, and the shape of the largest cluster. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "measure/shape.h"
#include "view/plot/plot.h"

enum { PARTS = 4 };

static carom_status read_energies(const reader *r, uint64_t rows, double *columns[1 + PARTS], error *e)
{
    for (uint64_t k = 0; k < rows; k++) {
        frame_row row;
        TRY(reader_row(r, k, &row, e));
        const double values[1 + PARTS] = {row.f.time, row.total, row.kinetic, row.potential, row.dissipated};
        for (int c = 0; c <= PARTS; c++) columns[c][k] = values[c];
    }
    return CAROM_OK;
}

static void add_energies(plot_sheet *p, uint64_t rows, double *columns[1 + PARTS])
{
    static const char *const names[PARTS] = {"total", "kinetic", "potential", "dissipated"};
    for (int c = 0; c < PARTS; c++) {
        bool any = false;
        char name[PLOT_NAME], title[PLOT_NAME];
        for (uint64_t k = 0; k < rows; k++) any = any || columns[c + 1][k] != 0;
        if (!any) continue;
        snprintf(name, sizeof name, p->split ? "energy_%s" : "energy", names[c]);
        snprintf(title, sizeof title, p->split ? "Energy: %s" : "Energy", names[c]);
        plot_panel *panel = plot_panel_of(p, "energy", name, title);
        plot_label(p, panel, "time", "energy");
        plot_curve_add(p, panel, names[c], columns[0], columns[c + 1], 1, NULL, rows);
    }
}

carom_status plot_add_frames(plot_sheet *p, const reader *r, error *e)
{
    const uint64_t rows = reader_about(r)->frames;
    double *columns[1 + PARTS] = {NULL};
    carom_status status = CAROM_OK;
    if (rows < 2) return CAROM_OK;
    for (int c = 0; c <= PARTS; c++) columns[c] = NEW_ARRAY(rows, double);
    for (int c = 0; c <= PARTS; c++)
        if (columns[c] == NULL) status = error_memory(e, "energies", rows * sizeof(double));
    if (status == CAROM_OK) status = read_energies(r, rows, columns, e);
    if (status == CAROM_OK) add_energies(p, rows, columns);
    if (status == CAROM_OK && !p->split) plot_join_equal(p, plot_panel_of(p, "energy", "energy", "Energy"));
    for (int c = 0; c <= PARTS; c++) memory_free(columns[c]);
    return status;
}

/* The straight line of a fit in double-logarithmic axes. */
static void add_fit(plot_sheet *p, plot_panel *panel, const shape_fit *fit, double from, double to, const char *meaning,
                    double sign)
{
    const double x[2] = {from, to};
    const double y[2] = {exp(fit->intercept + fit->slope * log(from)), exp(fit->intercept + fit->slope * log(to))};
    if (!isfinite(fit->slope) || !isfinite(y[0]) || !isfinite(y[1]) || !(from > 0)) return;
    plot_curve *c = plot_curve_add(p, panel, "fit", x, y, 1, NULL, 2);
    if (c != NULL) c->guide = true;
    plot_note(p, panel, meaning, sign * fit->slope, fit->error);
}

static plot_panel *shape_panel(plot_sheet *p, const char *name, const char *title, const char *x, const char *y)
{
    plot_panel *panel = plot_panel_of(p, "shape", name, title);
    plot_label(p, panel, x, y);
    if (panel != NULL) panel->flags = PLOT_LOG_X | PLOT_LOG_Y;
    return panel;
}

static void add_boxes(plot_sheet *p, const shape_cluster *c, const shape_curves *curves)
{
    double side[SHAPE_LEVELS], boxes[SHAPE_LEVELS];
    plot_panel *panel = shape_panel(p, "boxes", "Box counting of the largest cluster", "side of the boxes (length)",
                                    "boxes that hold a particle");
    for (int m = 0; m < curves->levels; m++) {
        side[m] = ldexp(curves->side, -m);
        boxes[m] = (double)curves->boxes[m];
    }
    plot_curve *points = plot_curve_add(p, panel, "boxes", side, boxes, 1, NULL, (size_t)curves->levels);
    if (points != NULL) points->mark = PLOT_POINTS;
    if (curves->fit_from <= curves->fit_to)
        add_fit(p, panel, &c->boxes, side[curves->fit_to], side[curves->fit_from], "dimension", -1);
}

static void add_pairs(plot_sheet *p, const shape_cluster *c, const shape_curves *curves)
{
    double r[SHAPE_RADII];
    plot_panel *panel = shape_panel(p, "pairs", "Pairs of the largest cluster, P(r)", "r (length)",
                                    "mean number of particles within r");
    for (int k = 0; k < SHAPE_RADII; k++) r[k] = 0.5 * (SHAPE_FIRST + k) * c->radius;
    plot_curve *points = plot_curve_add(p, panel, "P(r)", r, curves->pairs, 1, NULL, SHAPE_RADII);
    if (points != NULL) points->mark = PLOT_POINTS;
    add_fit(p, panel, &c->pairs, c->pairs.from, c->pairs.to, "exponent", 1);
}

carom_status plot_add_shapes(plot_sheet *p, const reader *r, error *e)
{
    enum { ENOUGH = 20 };
    const uint64_t frames = reader_about(r)->frames;
    shape_partition parts = {0};
    shape_cluster cluster;
    shape_curves curves;
    carom_frame f;
    if (frames == 0) return CAROM_OK;
    TRY(reader_frame_create(r, &f, e));
    carom_status status = reader_frame(r, frames - 1, &f, e);
    const carom_frame particles = frame_of_particles(&f);
    if (status == CAROM_OK) status = shape_partition_create(&parts, &particles, 1e-6, false, e);
    frame_destroy(&f);
    if (status != CAROM_OK) return status;
    if (parts.count > 0 && parts.groups[0].size >= ENOUGH && parts.groups[0].state == SHAPE_WHOLE) {
        status = shape_measure(&parts, 0, &cluster, &curves, e);
        if (status == CAROM_OK) add_boxes(p, &cluster, &curves);
        if (status == CAROM_OK) add_pairs(p, &cluster, &curves);
    }
    shape_partition_destroy(&parts);
    return status;
}
