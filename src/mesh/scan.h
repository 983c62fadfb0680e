/* Common parts of the readers of mesh files. */
#ifndef CAROM_MESH_SCAN_H
#define CAROM_MESH_SCAN_H

#include "base/lines.h"
#include "mesh/read.h"

typedef struct scan {
    mesh *m;
    const char *name; /* of the file */
    lines text;
    error *e;
} scan;

#define SCAN_FAULT(s, format, ...)                                                                                     \
    error_set_at((s)->e, CAROM_BAD_DATA, (s)->name, (s)->text.number, format, __VA_ARGS__)
/* An error of the file as a whole, or of a part without line numbers. */
#define SCAN_FILE_FAULT(s, format, ...) error_set_at((s)->e, CAROM_BAD_DATA, (s)->name, 0, format, __VA_ARGS__)

/* The next line with a word before the comment ('#'); false at the end of the file. */
bool scan_line(scan *s, span *line);
/* The same, if `what` must follow. */
carom_status scan_need_line(scan *s, const char *what, span *line);

/* The next word of a line as a finite number, or as an integer of at most `most`. */
carom_status scan_real(scan *s, span *line, const char *what, double *out);
carom_status scan_count(scan *s, span *line, const char *what, uint64_t most, uint64_t *out);
carom_status scan_vertex(scan *s, span *line); /* three numbers */
/* The rest of the line must be empty. */
carom_status scan_end(scan *s, span line);

/* Corners of a polygon of any size. */
typedef struct polygon {
    uint32_t *corners;
    size_t count, room;
} polygon;

/* CAROM_INTERNAL without memory. */
carom_status polygon_add(polygon *p, uint32_t corner, error *e);

carom_status obj_parse(scan *s);
carom_status stl_parse(scan *s);
carom_status ply_parse(scan *s);
carom_status off_parse(scan *s);
carom_status gmsh_parse(scan *s);

#endif
