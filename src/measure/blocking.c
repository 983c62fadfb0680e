#include "measure/blocking.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/measure.h"
#include "measure/store.h"

/* A level: weight of the block that has no partner yet, sum w, sum w^2, and for each column (y = x - shift) the same
 * block, sum w y, sum w^2 y, sum w^2 y^2. Level k has such a block if bit k of `count` is set. */
enum { WAITING, WEIGHT, WEIGHT2, HEAD };
enum { Y_WAITING, WY, WWY, WWYY, PARTS };
enum { BLOCKS_MIN = 8 }; /* fewer blocks do not determine their variance */

static size_t stride(const blocking *b)
{
    return HEAD + PARTS * b->width;
}

carom_status blocking_create(blocking *b, size_t width, error *e)
{
    *b = (blocking){.width = width};
    b->shift = NEW_ARRAY(width, double);
    b->carry = NEW_ARRAY(width, double);
    if (b->shift != NULL && b->carry != NULL) return CAROM_OK;
    blocking_destroy(b);
    return error_memory(e, "an observable's average", 2 * width * sizeof(double));
}

void blocking_destroy(blocking *b)
{
    memory_free(b->shift);
    memory_free(b->carry);
    memory_free(b->level);
    *b = (blocking){0};
}

static size_t levels_for(uint64_t count)
{
    size_t levels = 0;
    for (; count > 0; count >>= 1) levels++;
    return levels;
}

static carom_status grow(blocking *b, size_t levels, error *e)
{
    if (levels <= b->levels) return CAROM_OK;
    size_t size = stride(b) * sizeof(double);
    double *level = memory_resize(b->level, b->levels, levels, size);
    if (level == NULL) return error_memory(e, "an observable's average", levels * size);
    b->level = level;
    b->levels = levels;
    return CAROM_OK;
}

static void add_block(const blocking *b, double *level, double weight)
{
    level[WEIGHT] += weight;
    level[WEIGHT2] += weight * weight;
    for (size_t c = 0; c < b->width; c++) {
        double *part = level + HEAD + PARTS * c, wy = weight * b->carry[c];
        part[WY] += wy;
        part[WWY] += weight * wy;
        part[WWYY] += wy * wy;
    }
}

static void wait(const blocking *b, double *level, double weight)
{
    level[WAITING] = weight;
    for (size_t c = 0; c < b->width; c++) level[HEAD + PARTS * c + Y_WAITING] = b->carry[c];
}

/* Joins the present block with the one without a partner; returns their total weight. */
static double join(const blocking *b, const double *level, double weight)
{
    double both = level[WAITING] + weight;
    for (size_t c = 0; c < b->width; c++)
        b->carry[c] = (level[WAITING] * level[HEAD + PARTS * c + Y_WAITING] + weight * b->carry[c]) / both;
    return both;
}

carom_status blocking_add(blocking *b, double weight, const double *x, error *e)
{
    TRY(grow(b, levels_for(b->count + 1), e));
    if (b->count == 0) memcpy(b->shift, x, b->width * sizeof(double));
    for (size_t c = 0; c < b->width; c++) b->carry[c] = x[c] - b->shift[c];
    size_t k = 0;
    for (;; k++) {
        double *level = b->level + k * stride(b);
        add_block(b, level, weight);
        if ((b->count >> k & 1) == 0) break;
        weight = join(b, level, weight);
    }
    wait(b, b->level + k * stride(b), weight);
    b->count++;
    return CAROM_OK;
}

double blocking_mean(const blocking *b, size_t column)
{
    if (b->count == 0) return NAN;
    return b->shift[column] + b->level[HEAD + PARTS * column + WY] / b->level[WEIGHT];
}

/* Square of the standard error from the blocks of one level; NAN if squares are out of range. */
static double error2(const blocking *b, size_t k, size_t column)
{
    const double *level = b->level + k * stride(b), *part = level + HEAD + PARTS * column;
    double n = (double)(b->count >> k), weight = level[WEIGHT], mean = part[WY] / weight;
    if (!isfinite(part[WWYY]) || (part[WWYY] < DBL_MIN && part[WY] != 0)) return NAN;
    double spread = part[WWYY] - 2.0 * mean * part[WWY] + mean * mean * level[WEIGHT2];
    return spread > 0.0 ? spread / (weight * weight) * n / (n - 1.0) : 0.0;
}

/* A conserved quantity drifts by rounding, whose correlation exceeds any number of samples. */
static const double ROUNDING = 1e-12;

double blocking_standard_error(const blocking *b, size_t column, bool *converged)
{
    *converged = false;
    if (b->count < 2) return NAN;
    double first = error2(b, 0, column), largest = first, length = 1.0;
    if (!(first > 0.0)) {
        *converged = first == 0.0 && isfinite(blocking_mean(b, column)); /* all samples equal */
        return sqrt(first);
    }
    for (size_t k = 0; b->count >> k >= BLOCKS_MIN; k++, length *= 2.0) {
        double square = error2(b, k, column), rise = square / first;
        if (square > largest) largest = square;
        if (length * length * length > 2.0 * (double)b->count * rise * rise) {
            *converged = true;
            return sqrt(square);
        }
    }
    *converged = sqrt(largest) <= ROUNDING * fabs(blocking_mean(b, column));
    return sqrt(largest);
}

double blocking_error(const double *data, size_t count, size_t stride_, bool *converged)
{
    error e = {0};
    blocking b;
    *converged = false;
    if (blocking_create(&b, 1, &e) != CAROM_OK) return NAN;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; i++) status = blocking_add(&b, 1.0, data + i * stride_, &e);
    double result = status == CAROM_OK ? blocking_standard_error(&b, 0, converged) : NAN;
    blocking_destroy(&b);
    error_clear(&e);
    return result;
}

carom_status blocking_save(const blocking *b, const char *prefix, snapshot *out, error *e)
{
    TRY(store_put(out, prefix, "blocks_count", SNAPSHOT_U64, 1, &b->count, e));
    TRY(store_put(out, prefix, "blocks_shift", SNAPSHOT_F64, b->width, b->shift, e));
    return store_put(out, prefix, "blocks", SNAPSHOT_F64, levels_for(b->count) * stride(b), b->level, e);
}

carom_status blocking_load(blocking *b, const char *prefix, const snapshot *in, error *e)
{
    uint64_t count;
    TRY(store_get(in, prefix, "blocks_count", SNAPSHOT_U64, 1, &count, e));
    size_t levels = levels_for(count);
    TRY(grow(b, levels, e));
    TRY(store_get(in, prefix, "blocks_shift", SNAPSHOT_F64, b->width, b->shift, e));
    TRY(store_get(in, prefix, "blocks", SNAPSHOT_F64, levels * stride(b), b->level, e));
    b->count = count;
    return CAROM_OK;
}
