/* The final checkpoint of a finished run within its result: /carom/checkpoint, the bytes of the checkpoint file in rows
 * of fixed width, the last one padded with zeros. Attribute `bytes`: the size of the checkpoint; 0: none is stored, or
 * only a part. The checksum of the checkpoint covers the bytes, those of the chunks the padding. */
#ifndef CAROM_OUTPUT_RESULTS_EMBEDDED_H
#define CAROM_OUTPUT_RESULTS_EMBEDDED_H

#include <hdf5.h>
#include <stdbool.h>

#include "base/error.h"

#define EMBEDDED_PATH "carom/checkpoint"

/* Creates the empty dataset in /carom. */
bool embedded_make(hid_t root);

/* Stores the bytes of the open file `fd`; *failure: errno of a failed read, ENOMEM. `bytes` stays 0. */
bool embedded_store(hid_t dataset, int fd, uint64_t *bytes, int *failure);
bool embedded_seal(hid_t dataset, uint64_t bytes);

/* Number of bytes stored; 0: none. Returns false if it is unreadable. */
bool embedded_size(hid_t file, uint64_t *bytes);

/* Reads all of them, and the padding, into [embedded_room(bytes)]. */
size_t embedded_room(uint64_t bytes);
bool embedded_read(hid_t file, uint64_t bytes, unsigned char *data);

#endif
