/* Overwrites one number of a dataset in a file, as another program would. */
#ifndef CAROM_TESTS_H5_NUMBER_H
#define CAROM_TESTS_H5_NUMBER_H

#include <check.h>
#include <hdf5.h>

/* at: [rank of the dataset], at most 3. */
static inline void h5_set_number(const char *path, const char *name, const hsize_t *at, double value)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset), one = H5Screate(H5S_SCALAR);
    const hsize_t count[3] = {1, 1, 1};
    ck_assert_int_ge(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, count, NULL), 0);
    ck_assert_int_ge(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value), 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
}

#endif
