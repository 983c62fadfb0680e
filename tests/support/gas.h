/* Frames made by hand for the tests of files: a few particles on a grid that drift, with every field set. */
#ifndef CAROM_TESTS_GAS_H
#define CAROM_TESTS_GAS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame/frame.h"
#include "output/results/result.h"

/* For programs with and without Check: ends the process where a call failed. */
static inline void gas_must(carom_status status, const error *e)
{
    if (status == CAROM_OK) return;
    printf("status %d: %s\n", (int)status, error_text(e));
    exit(1);
}

/* side^dimension unit spheres at distance 2 that all move with (0.25, 0.125, 0.5), two species. */
static inline void gas_create(carom_frame *f, int dimension, size_t side)
{
    error e = {0};
    size_t count = side * side * (dimension == 3 ? side : 1);
    gas_must(frame_create(f, dimension, count, &e), &e);
    for (int k = 0; k < dimension; k++) f->box[k] = 2 * (double)side;
    for (size_t i = 0; i < count; i++) {
        f->radius[i] = 0.5;
        f->mass[i] = 1 + (double)(i % 2);
        f->species[i] = (uint32_t)(i % 2);
        f->id[i] = (uint32_t)i;
    }
}

static inline void gas_at(carom_frame *f, size_t side, double time)
{
    static const double drift[3] = {0.25, 0.125, 0.5};
    size_t dimension = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++) {
        size_t cell[3] = {i % side, i / side % side, i / side / side};
        for (size_t k = 0; k < dimension; k++) {
            double x = 1 + 2 * (double)cell[k] + drift[k] * time, turns = floor(x / f->box[k]);
            f->position[i * dimension + k] = x - turns * f->box[k];
            f->image[i * dimension + k] = (int64_t)turns;
            f->velocity[i * dimension + k] = drift[k];
        }
    }
    f->time = time;
    f->events[EVENT_COLLISION] = (uint64_t)(10 * time);
    f->events[EVENT_TRANSFER] = (uint64_t)(3 * time);
    f->tallies.virial[0][1] = -time;
    f->tallies.stabilising = (uint64_t)time;
    f->tallies.max_overlap = 1e-16 * time;
    f->state_hash = 0xfeed0000u + (uint64_t)(16 * time);
}

/* A folder of the test's own, which is its working directory from then on. */
static inline void gas_folder(void)
{
    char path[] = "/tmp/carom-test-XXXXXX";
    if (mkdtemp(path) == NULL || chdir(path) != 0) exit(1);
}

static const char *const gas_species[] = {"light", "heavy"};

static inline result_header gas_header(void)
{
    return (result_header){.version = "0.1.0",
                           .commit = "abc",
                           .scene = "carom: 1\ntitle: drift\n",
                           .title = "Drift",
                           .engine = "hard",
                           .flags = "test",
                           .seed = 42,
                           .threads = 1,
                           .species = gas_species,
                           .species_count = 2};
}

/* Two observables: a series (time, pressure, tensor) with a mean, and a histogram. */
typedef struct gas_measure {
    double time[64], value[64], tensor[64][9], r[5], g[5];
    measure_column series_columns[3], histogram_columns[2];
    measure_table series, histogram;
    measure_value mean;
    measure_result results[2];
    result_observable watched[2];
} gas_measure;

static inline void gas_measure_create(gas_measure *m)
{
    *m = (gas_measure){0};
    m->series_columns[0] = (measure_column){"time", "time", 1, m->time};
    m->series_columns[1] = (measure_column){"pressure", "pressure", 1, m->value};
    m->series_columns[2] = (measure_column){"tensor", "pressure", 9, &m->tensor[0][0]};
    m->series = (measure_table){.name = "pressure", .series = true, .columns = m->series_columns, .column_count = 3};
    m->mean = (measure_value){.name = "pressure", .unit = "pressure", .width = 1, .mean = {NAN}, .error = {NAN}};
    m->histogram_columns[0] = (measure_column){"r", "length", 1, m->r};
    m->histogram_columns[1] = (measure_column){"g", "", 1, m->g};
    m->histogram = (measure_table){.name = "g", .columns = m->histogram_columns, .column_count = 2};
    m->results[0] = (measure_result){&m->mean, 1, &m->series, 1};
    m->results[1] = (measure_result){NULL, 0, &m->histogram, 1};
    m->watched[0] = (result_observable){"pressure", "pressure", &m->results[0]};
    m->watched[1] = (result_observable){"rdf", "radial_distribution", &m->results[1]};
}

/* Sample number n of the series, kept in row n - drained. */
static inline void gas_measure_sample(gas_measure *m, uint64_t n)
{
    size_t row = m->series.rows++;
    m->time[row] = 0.5 * (double)n;
    m->value[row] = 3 + 0.25 * (double)n;
    for (int k = 0; k < 9; k++) m->tensor[row][k] = (double)n + 0.1 * k;
    m->mean.mean[0] = 3 + 0.125 * (double)n;
    m->mean.error[0] = 0.01;
    m->mean.converged = n > 2;
    m->histogram.rows = 5;
    for (int k = 0; k < 5; k++) {
        m->r[k] = 1 + 0.1 * k;
        m->g[k] = (double)n + k;
    }
}

static inline void gas_measure_drain(gas_measure *m)
{
    m->series.first_row += m->series.rows;
    m->series.rows = 0;
}

/* Frames [from, to) with a sample each. */
static inline void gas_run(result *r, carom_frame *f, size_t side, gas_measure *m, uint64_t from, uint64_t to)
{
    error e = {0};
    for (uint64_t n = from; n < to; n++) {
        gas_at(f, side, 0.5 * (double)n);
        gas_measure_sample(m, n);
        gas_must(result_observe(r, 0, 5 * n, &m->results[0], &e), &e);
        gas_measure_drain(m);
        gas_must(result_frame(r, f, &e), &e);
    }
}

static inline void gas_finish(result *r, carom_frame *f, gas_measure *m)
{
    error e = {0};
    for (size_t i = 0; i < 2; i++) gas_must(result_observe(r, i, 0, &m->results[i], &e), &e);
    gas_must(result_finish(r, "time", "{\"stop\": \"time\"}", f, &e), &e);
    gas_must(result_close(r, &e), &e);
}

#endif
