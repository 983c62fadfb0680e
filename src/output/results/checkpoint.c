#define _GNU_SOURCE
#include "output/results/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"

static const char magic[16] = {'c', 'a', 'r', 'o', 'm', ' ', 'c', 'h', 'e', 'c', 'k', 'p', 'o', 'i', 'n', 't'};
enum { ORDER_MARK = 0x01020304, PADDING = 8 };

char *checkpoint_path(const char *result)
{
    return memory_format("%s.checkpoint", result);
}

void checkpoint_free(checkpoint *c)
{
    memory_free(c->version);
    memory_free(c->commit);
    memory_free(c->scene);
    memory_free(c->title);
    memory_free(c->engine);
    memory_free(c->lengths);
    snapshot_free(&c->state);
    *c = (checkpoint){0};
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* Data pass through a block, so that the blocks of the checksum do not depend on the sizes of the writes. */
typedef struct sink {
    int fd;         /* negative: count bytes only */
    uint64_t bytes; /* written so far */
    uint64_t hash;
    size_t filled;
    int failure; /* errno of the first failed write */
    unsigned char *block;
    bool no_memory;
} sink;

enum { BLOCK = 1 << 20, SOURCE_BLOCKS = 16 };

static void write_all(sink *s, const unsigned char *data, size_t size)
{
    while (size > 0 && s->failure == 0) {
        ssize_t written = write(s->fd, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            s->failure = written < 0 ? errno : EIO;
            return;
        }
        data += written;
        size -= (size_t)written;
    }
}

static void empty(sink *s)
{
    s->hash = hash_bytes(s->hash, s->block, s->filled);
    write_all(s, s->block, s->filled);
    s->filled = 0;
}

static void put(sink *s, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    s->bytes += size;
    if (s->fd < 0) return;
    while (size > 0) {
        size_t part = BLOCK - s->filled < size ? BLOCK - s->filled : size;
        memcpy(s->block + s->filled, bytes, part);
        s->filled += part;
        bytes += part;
        size -= part;
        if (s->filled == BLOCK) empty(s);
    }
}

static void put_u32(sink *s, uint32_t value)
{
    put(s, &value, sizeof value);
}

static void put_u64(sink *s, uint64_t value)
{
    put(s, &value, sizeof value);
}

static void put_text(sink *s, const char *text)
{
    size_t length = text != NULL ? strlen(text) : 0;
    put_u64(s, length);
    if (length > 0) put(s, text, length);
}

/* Few blocks: each may require a pass over all data of the owner. */
static void put_source(sink *s, const snapshot_array *array)
{
    const size_t record = array->source->bytes, most = array->count / record / SOURCE_BLOCKS + BLOCK / record + 1;
    unsigned char *block = s->fd >= 0 ? memory_new(most, record) : NULL;
    s->no_memory = s->no_memory || (s->fd >= 0 && block == NULL);
    if (block == NULL) {
        s->bytes += array->count;
        return;
    }
    for (size_t at = 0; at < array->count; at += most * record) {
        const size_t some = array->count - at < most * record ? array->count - at : most * record;
        snapshot_read(array, at, some, block);
        put(s, block, some);
    }
    memory_free(block);
}

static void put_array(sink *s, const snapshot_array *array)
{
    put_text(s, array->name);
    put_u32(s, array->type);
    put_u64(s, array->count);
    if (array->source != NULL)
        put_source(s, array);
    else
        put(s, array->data, array->count * snapshot_element_size(array->type));
}

static void put_checkpoint(sink *s, const checkpoint *c, uint64_t bytes)
{
    put(s, magic, sizeof magic);
    put_u32(s, ORDER_MARK);
    put_u32(s, CHECKPOINT_FORMAT);
    put_u64(s, bytes);
    put_text(s, c->version);
    put_text(s, c->commit);
    put_text(s, c->scene);
    put_text(s, c->title);
    put_text(s, c->engine);
    put(s, &c->time, sizeof c->time);
    put_u64(s, c->particles);
    put_u64(s, c->events);
    put_u64(s, c->collisions);
    put_u64(s, c->length_count);
    if (c->length_count > 0) put(s, c->lengths, c->length_count * sizeof *c->lengths);
    put_u64(s, c->state.count);
    for (size_t i = 0; i < c->state.count; i++) put_array(s, &c->state.arrays[i]);
}

static int write_file(int fd, const checkpoint *c)
{
    sink count = {.fd = -1};
    put_checkpoint(&count, c, 0);
    sink s = {.fd = fd, .hash = HASH_START, .block = memory_new(BLOCK, 1)};
    if (s.block == NULL) return ENOMEM;
    put_checkpoint(&s, c, count.bytes + sizeof s.hash);
    empty(&s);
    uint64_t sum = hash_finish(s.hash);
    write_all(&s, (const unsigned char *)&sum, sizeof sum);
    memory_free(s.block);
    if (s.no_memory) return ENOMEM;
    if (s.failure == 0 && fsync(fd) != 0) s.failure = errno;
    return s.failure;
}

/* A rename is durable only when the folder has been synced. */
static void sync_folder(const char *path)
{
    char *folder = memory_text(path);
    if (folder == NULL) return;
    char *slash = strrchr(folder, '/');
    if (slash != NULL) slash[slash == folder] = '\0';
    int fd = open(slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    memory_free(folder);
}

carom_status checkpoint_write(const char *path, const checkpoint *c, error *e)
{
    char *aside = memory_format("%s.part", path);
    if (aside == NULL) return error_memory(e, "a file name", strlen(path));
    int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int failure = fd >= 0 ? write_file(fd, c) : errno;
    if (fd >= 0 && close(fd) != 0 && failure == 0) failure = errno;
    if (failure == 0 && rename(aside, path) != 0) failure = errno;
    if (failure != 0) {
        unlink(aside);
        if (failure == ENOMEM)
            error_memory(e, "a checkpoint", BLOCK);
        else
            error_set(e, CAROM_IO,
                      "error: cannot write checkpoint '%s': %s; an earlier checkpoint, if any, remains valid", path,
                      strerror(failure));
    } else {
        sync_folder(path);
    }
    memory_free(aside);
    return failure == 0 ? CAROM_OK : e->status;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* A whole file in memory; `failed` after a read beyond its end. */
typedef struct source {
    const unsigned char *data;
    size_t size, at;
    bool failed, no_memory;
} source;

static const void *take(source *s, uint64_t size)
{
    if (s->failed || size > s->size - s->at) {
        s->failed = true;
        return NULL;
    }
    const void *data = s->data + s->at;
    s->at += size;
    return data;
}

static uint32_t take_u32(source *s)
{
    uint32_t value = 0;
    const void *data = take(s, sizeof value);
    if (data != NULL) memcpy(&value, data, sizeof value);
    return value;
}

static uint64_t take_u64(source *s)
{
    uint64_t value = 0;
    const void *data = take(s, sizeof value);
    if (data != NULL) memcpy(&value, data, sizeof value);
    return value;
}

static double take_f64(source *s)
{
    double value = 0;
    const void *data = take(s, sizeof value);
    if (data != NULL) memcpy(&value, data, sizeof value);
    return value;
}

static void *take_block(source *s, uint64_t size)
{
    const void *data = take(s, size);
    if (data == NULL) return NULL;
    char *copy = memory_new(size + PADDING, 1);
    if (copy == NULL) {
        s->failed = s->no_memory = true;
        return NULL;
    }
    memcpy(copy, data, size);
    return copy;
}

static char *take_text(source *s)
{
    uint64_t length = take_u64(s);
    return take_block(s, length);
}

static void take_array(source *s, snapshot *state)
{
    snapshot_array array = {.name = take_text(s)};
    uint32_t type = take_u32(s);
    uint64_t count = take_u64(s);
    size_t size = type <= SNAPSHOT_F64 ? snapshot_element_size((snapshot_type)type) : 0;
    if (size == 0 || count > s->size / size) s->failed = true;
    array.type = (snapshot_type)type;
    array.count = count;
    array.data = s->failed ? NULL : take_block(s, count * size);
    if (s->failed) {
        memory_free(array.name);
        return;
    }
    state->arrays[state->count++] = array;
}

static void take_state(source *s, snapshot *state)
{
    enum { LEAST = 20 }; /* bytes of an array with empty name and data */
    uint64_t count = take_u64(s);
    if (count > (s->size - s->at) / LEAST) s->failed = true;
    if (s->failed) return;
    state->arrays = NEW_ARRAY(count, snapshot_array);
    if (state->arrays == NULL) {
        s->failed = s->no_memory = true;
        return;
    }
    state->capacity = count;
    for (uint64_t i = 0; i < count && !s->failed; i++) take_array(s, state);
}

static void take_body(source *s, checkpoint *c)
{
    c->scene = take_text(s);
    c->title = take_text(s);
    c->engine = take_text(s);
    c->time = take_f64(s);
    c->particles = take_u64(s);
    c->events = take_u64(s);
    c->collisions = take_u64(s);
    uint64_t lengths = take_u64(s);
    if (lengths > s->size / sizeof *c->lengths) s->failed = true;
    if (!s->failed) c->lengths = take_block(s, lengths * sizeof *c->lengths);
    c->length_count = lengths;
    take_state(s, &c->state);
    if (s->at != s->size) s->failed = true;
}

/* The same blocks as in writing. */
static uint64_t checksum(const unsigned char *data, size_t size)
{
    uint64_t hash = HASH_START;
    for (size_t at = 0; at < size; at += BLOCK)
        hash = hash_bytes(hash, data + at, size - at < BLOCK ? size - at : BLOCK);
    return hash_finish(hash);
}

static carom_status damaged(const char *path, const char *how, error *e)
{
    return error_set(e, CAROM_BAD_DATA,
                     "error: checkpoint '%s' is damaged: %s; it cannot be resumed, start again with --force", path,
                     how);
}

static carom_status parse(checkpoint *c, const char *path, const unsigned char *data, size_t size, error *e)
{
    source s = {.data = data, .size = size};
    const void *start = take(&s, sizeof magic);
    if (start == NULL || memcmp(start, magic, sizeof magic) != 0)
        return error_set(e, CAROM_BAD_DATA, "error: '%s' is not a checkpoint of carom", path);
    uint32_t order = take_u32(&s), format = take_u32(&s);
    uint64_t bytes = take_u64(&s);
    if (s.failed || bytes > size) return damaged(path, "it ends too early", e);
    if (order != ORDER_MARK) return damaged(path, "its byte order is that of another machine", e);
    uint64_t sum = 0;
    if (bytes == size && size > s.at + sizeof sum) {
        s.size -= sizeof sum;
        memcpy(&sum, data + s.size, sizeof sum);
    }
    if (bytes != size || sum != checksum(data, s.size)) return damaged(path, "its checksum is wrong", e);
    c->version = take_text(&s);
    c->commit = take_text(&s);
    if (!s.failed && format != CHECKPOINT_FORMAT)
        return error_set(e, CAROM_BAD_DATA,
                         "error: checkpoint '%s' has format %u, this carom reads %d; resume it with carom %s (%s)",
                         path, format, CHECKPOINT_FORMAT, c->version, c->commit);
    take_body(&s, c);
    if (s.no_memory) return error_memory(e, "a checkpoint", size);
    return s.failed ? damaged(path, "its parts are inconsistent", e) : CAROM_OK;
}

bool checkpoint_is_whole(const unsigned char *data, size_t size)
{
    uint64_t sum;
    if (size < sizeof magic + sizeof sum || memcmp(data, magic, sizeof magic) != 0) return false;
    memcpy(&sum, data + size - sizeof sum, sizeof sum);
    return sum == checksum(data, size - sizeof sum);
}

carom_status checkpoint_parse(checkpoint *c, const char *path, const unsigned char *data, size_t size, error *e)
{
    *c = (checkpoint){0};
    carom_status status = parse(c, path, data, size, e);
    if (status != CAROM_OK) checkpoint_free(c);
    return status;
}

/* Reads up to `size` bytes, fewer if the file has shrunk; *failure is 0 or an errno. */
static size_t read_all(int fd, unsigned char *data, size_t size, int *failure)
{
    size_t at = 0;
    *failure = 0;
    while (at < size) {
        ssize_t some = read(fd, data + at, size - at);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) *failure = errno;
        if (some <= 0) break;
        at += (size_t)some;
    }
    return at;
}

static carom_status read_open(checkpoint *c, const char *path, int fd, error *e)
{
    struct stat there;
    int failure = 0;
    if (fstat(fd, &there) != 0 || !S_ISREG(there.st_mode))
        return error_set(e, CAROM_BAD_DATA, "error: '%s' is not a checkpoint of carom", path);
    unsigned char *data = memory_new((size_t)there.st_size, 1);
    if (data == NULL) return error_memory(e, "a checkpoint", (size_t)there.st_size);
    size_t size = read_all(fd, data, (size_t)there.st_size, &failure);
    carom_status status =
        failure == 0 ? checkpoint_parse(c, path, data, size, e)
                     : error_set(e, CAROM_IO, "error: cannot read checkpoint '%s': %s", path, strerror(failure));
    memory_free(data);
    return status;
}

carom_status checkpoint_read(checkpoint *c, const char *path, error *e)
{
    *c = (checkpoint){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe must not block */
    if (fd < 0) return error_set(e, CAROM_NO_INPUT, "error: cannot open checkpoint '%s': %s", path, strerror(errno));
    carom_status status = read_open(c, path, fd, e);
    close(fd);
    return status;
}

bool checkpoint_is(const char *path)
{
    unsigned char start[sizeof magic];
    int failure, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    bool is = read_all(fd, start, sizeof start, &failure) == sizeof start && memcmp(start, magic, sizeof magic) == 0;
    close(fd);
    return is;
}
