/* Takes the digests from a result, so that numbers which a test changes afterwards count as those that were written. */
#ifndef CAROM_TESTS_UNSEAL_H
#define CAROM_TESTS_UNSEAL_H

#include <hdf5.h>
#include <string.h>

static herr_t unseal_attribute(hid_t at, const char *name, const H5O_info_t *info, void *ignored)
{
    (void)ignored;
    if (info->type == H5O_TYPE_DATASET && H5Aexists_by_name(at, name, "digest", H5P_DEFAULT) > 0)
        H5Adelete_by_name(at, name, "digest", H5P_DEFAULT);
    return 0;
}

/* One at a time: what is visited must not be changed. */
static herr_t find_digests(hid_t at, const char *name, const H5L_info_t *info, void *found)
{
    (void)at;
    (void)info;
    const size_t length = strlen(name), end = strlen("/digest");
    if (length < end || length >= 128 || strcmp(name + length - end, "/digest") != 0) return 0;
    strcpy(found, name);
    return 1;
}

static inline void unseal(const char *path)
{
    char found[128];
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, unseal_attribute, NULL);
    while (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, find_digests, found) > 0) H5Ldelete(file, found, H5P_DEFAULT);
    H5Fclose(file);
}

#endif
