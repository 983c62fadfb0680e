#define _GNU_SOURCE
#include "output/results/embedded.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/results/h5.h"

/* A chunk, with its checksum, fills whole pages. */
enum { WIDTH = 4 * H5_PAGE - H5_CHECKSUM, BLOCK_ROWS = 64 };

static const h5_row bytes_row = {.type = SNAPSHOT_U8, .rank = 1, .dims = {WIDTH}};

bool embedded_make(hid_t root)
{
    const uint64_t none = 0;
    hid_t dataset = h5_column(root, "checkpoint", &bytes_row, 0);
    if (dataset < 0) return false;
    const bool done = h5_attribute(dataset, "bytes", SNAPSHOT_U64, 0, &none);
    return H5Dclose(dataset) >= 0 && done;
}

/* Fills the block up to the end of the file. */
static size_t read_block(int fd, unsigned char *block, size_t size, int *failure)
{
    size_t filled = 0;
    while (filled < size) {
        const ssize_t some = read(fd, block + filled, size - filled);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) *failure = errno;
        if (some <= 0) break;
        filled += (size_t)some;
    }
    return filled;
}

bool embedded_store(hid_t dataset, int fd, uint64_t *bytes, int *failure)
{
    const size_t size = (size_t)BLOCK_ROWS * WIDTH;
    unsigned char *block = memory_new(size, 1);
    *bytes = 0;
    *failure = block != NULL ? 0 : ENOMEM;
    bool done = block != NULL;
    for (uint64_t row = 0; done; row += BLOCK_ROWS) {
        const size_t filled = read_block(fd, block, size, failure), rows = (filled + WIDTH - 1) / WIDTH;
        memset(block + filled, 0, rows * WIDTH - filled);
        *bytes += filled;
        done = *failure == 0 && (rows == 0 || h5_append(dataset, &bytes_row, row, rows, block));
        if (filled < size) break;
    }
    memory_free(block);
    return done;
}

bool embedded_seal(hid_t dataset, uint64_t bytes)
{
    return h5_attribute_set(dataset, "bytes", SNAPSHOT_U64, &bytes);
}

bool embedded_size(hid_t file, uint64_t *bytes)
{
    *bytes = 0;
    const htri_t there = H5Lexists(file, EMBEDDED_PATH, H5P_DEFAULT);
    if (there <= 0) return there == 0;
    hid_t dataset = H5Dopen2(file, EMBEDDED_PATH, H5P_DEFAULT);
    if (dataset < 0) return false;
    bool done = h5_attribute_read(dataset, "bytes", SNAPSHOT_U64, 0, bytes);
    if (done && *bytes > 0) {
        const int64_t rows = h5_rows(dataset, &bytes_row);
        done = rows > 0 && (*bytes - 1) / WIDTH == (uint64_t)rows - 1;
    }
    H5Dclose(dataset);
    return done;
}

size_t embedded_room(uint64_t bytes)
{
    return (bytes + WIDTH - 1) / WIDTH * WIDTH;
}

bool embedded_read(hid_t file, uint64_t bytes, unsigned char *data)
{
    hid_t dataset = H5Dopen2(file, EMBEDDED_PATH, H5P_DEFAULT);
    if (dataset < 0) return false;
    const bool done = h5_read_rows(dataset, &bytes_row, 0, embedded_room(bytes) / WIDTH, data);
    H5Dclose(dataset);
    return done;
}
