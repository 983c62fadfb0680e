#define _GNU_SOURCE
#include "output/results/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "base/memory.h"

/* Metadata that was not written: HDF5 may read it again, and would otherwise wait for complete data. */
typedef struct unwritten {
    haddr_t at;
    size_t size;
    char *bytes;
    struct unwritten *next; /* the next one */
} unwritten;

typedef struct disk_file {
    H5FD_t base; /* the part of HDF5, which has to be first */
    disk state;
    haddr_t allocated, size;
    dev_t device;
    ino_t inode;
    bool reads; /* does not write */
    unwritten *first, **end;
} disk_file;

static void keep(disk_file *d, haddr_t at, size_t size, const void *data)
{
    unwritten *u = NEW_ARRAY(1, unwritten);
    char *bytes = memory_new(size, 1);
    if (u == NULL || bytes == NULL) {
        memory_free(u);
        memory_free(bytes);
        return;
    }
    memcpy(bytes, data, size);
    *u = (unwritten){.at = at, .size = size, .bytes = bytes};
    *d->end = u;
    d->end = &u->next;
}

/* Replaces data of the file by the corresponding unwritten data. */
static void lay_over(const disk_file *d, haddr_t at, size_t size, char *data)
{
    for (const unwritten *u = d->first; u != NULL; u = u->next) {
        haddr_t from = u->at > at ? u->at : at;
        haddr_t to = u->at + u->size < at + size ? u->at + u->size : at + size;
        if (from < to) memcpy(data + (from - at), u->bytes + (from - u->at), to - from);
    }
}

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)access;
    (void)most;
    struct stat there;
    int how = O_CLOEXEC | ((flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY) | ((flags & H5F_ACC_TRUNC) ? O_TRUNC : 0) |
              ((flags & H5F_ACC_CREAT) ? O_CREAT : 0) | ((flags & H5F_ACC_EXCL) ? O_EXCL : 0);
    int fd = open(name, how, 0666);
    if (fd < 0) return NULL;
    disk_file *d = NEW_ARRAY(1, disk_file);
    if (d == NULL || fstat(fd, &there) != 0) {
        memory_free(d);
        close(fd);
        return NULL;
    }
    d->state.fd = fd;
    d->size = (haddr_t)there.st_size;
    d->device = there.st_dev;
    d->inode = there.st_ino;
    d->reads = (flags & H5F_ACC_RDWR) == 0;
    d->end = &d->first;
    return &d->base;
}

static herr_t disk_close(H5FD_t *file)
{
    disk_file *d = (disk_file *)file;
    close(d->state.fd);
    while (d->first != NULL) {
        unwritten *u = d->first;
        d->first = u->next;
        memory_free(u->bytes);
        memory_free(u);
    }
    memory_free(d);
    return 0;
}

/* HDF5 shares the cached metadata of equal files. Those of a file that grows become outdated: readers are not equal. */
static int disk_compare(const H5FD_t *one, const H5FD_t *two)
{
    const disk_file *a = (const disk_file *)one, *b = (const disk_file *)two;
    if ((a->reads || b->reads) && a != b) return (uintptr_t)a < (uintptr_t)b ? -1 : 1;
    if (a->device != b->device) return a->device < b->device ? -1 : 1;
    return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t disk_allocated(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)file)->allocated;
}

static herr_t disk_allocate(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((disk_file *)file)->allocated = end;
    return 0;
}

static haddr_t disk_size(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)file)->size;
}

static herr_t disk_handle(H5FD_t *file, hid_t access, void **handle)
{
    (void)access;
    *handle = &((disk_file *)file)->state;
    return 0;
}

/* Data beyond the end read as zeros. */
static herr_t disk_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *data)
{
    (void)type;
    (void)transfer;
    const disk_file *d = (const disk_file *)file;
    char *bytes = data;
    size_t done = 0;
    while (done < size) {
        ssize_t some = pread(d->state.fd, bytes + done, size - done, (off_t)(at + done));
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) return -1;
        if (some == 0) break;
        done += (size_t)some;
    }
    memset(bytes + done, 0, size - done);
    lay_over(d, at, size, bytes);
    return 0;
}

static int write_all(int fd, haddr_t at, size_t size, const char *bytes)
{
    while (size > 0) {
        ssize_t some = pwrite(fd, bytes, size, (off_t)at);
        if (some < 0 && errno == EINTR) continue;
        if (some <= 0) return some < 0 ? errno : EIO;
        bytes += some;
        at += (haddr_t)some;
        size -= (size_t)some;
    }
    return 0;
}

static herr_t disk_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *data)
{
    (void)transfer;
    disk_file *d = (disk_file *)file;
    if (at + size > d->size) d->size = at + size;
    if (d->state.failure == 0) d->state.failure = write_all(d->state.fd, at, size, data);
    if (d->state.failure != 0 && type != H5FD_MEM_DRAW) keep(d, at, size, data);
    return 0;
}

static herr_t disk_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    disk_file *d = (disk_file *)file;
    if (d->allocated == d->size) return 0;
    if (d->state.failure == 0 && ftruncate(d->state.fd, (off_t)d->allocated) != 0) d->state.failure = errno;
    d->size = d->allocated;
    return 0;
}

/* Only files of drivers that lock are marked as being written; the lock itself is in lock.h. */
static herr_t disk_lock(H5FD_t *file, hbool_t write)
{
    (void)file;
    (void)write;
    return 0;
}

static herr_t disk_unlock(H5FD_t *file)
{
    (void)file;
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)511,
#endif
    .name = "carom",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .open = disk_open,
    .close = disk_close,
    .cmp = disk_compare,
    .query = disk_query,
    .get_eoa = disk_allocated,
    .set_eoa = disk_allocate,
    .get_eof = disk_size,
    .get_handle = disk_handle,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .lock = disk_lock,
    .unlock = disk_unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

herr_t disk_use(hid_t access)
{
    static hid_t id = H5I_INVALID_HID; /* kept: HDF5 calls it after the last file has been closed */
    if (H5Iis_valid(id) <= 0) id = H5FDregister(&driver);
    return id < 0 ? -1 : H5Pset_driver(access, id, NULL);
}

disk *disk_of(hid_t file)
{
    void *handle = NULL;
    return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 ? handle : NULL;
}
