/* Drawing of exact surfaces: as lines, and in 3D as flat facets, which are passed to a callback one by one. */
#ifndef CAROM_GEOMETRY_OUTLINE_H
#define CAROM_GEOMETRY_OUTLINE_H

typedef struct outline {
    int dimension;
    double low[3], high[3]; /* of all visible objects: infinite surfaces are drawn up to here */
    void (*line)(void *to, const double a[3], const double b[3]);
    /* Facet with four corners in order; normal: unit vector at its middle, towards the particles. */
    void (*facet)(void *to, double (*corners)[3], const double middle[3], const double normal[3]);
    void *to;
} outline;

/* The extent of a surface near a position. */
typedef struct outline_extent {
    double centre[3], reach[3]; /* from `centre` along each axis */
    double size;                /* e.g. the radius: very large surfaces are not drawn as a whole */
} outline_extent;

#endif
