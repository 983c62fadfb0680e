/* How a surface with a formula is drawn: as lines, and in space as flat facets, which it hands over one by one. */
#ifndef CAROM_GEOMETRY_OUTLINE_H
#define CAROM_GEOMETRY_OUTLINE_H

typedef struct outline {
    int dimension;
    double low[3], high[3]; /* of all that is in sight: what has no end is drawn that far */
    void (*line)(void *to, const double a[3], const double b[3]);
    /* Between four corners in turn; normal, a unit vector: at its middle, to the side where particles are. */
    void (*facet)(void *to, double (*corners)[3], const double middle[3], const double normal[3]);
    void *to;
} outline;

/* How far a surface reaches, near to some place. */
typedef struct outline_extent {
    double centre[3], reach[3]; /* from `centre` along each axis */
    double size;                /* the radius, say: very large ones are not shown as a whole */
} outline_extent;

#endif
