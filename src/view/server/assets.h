/* The files of the page (web/), embedded by the build. */
#ifndef CAROM_VIEW_SERVER_ASSETS_H
#define CAROM_VIEW_SERVER_ASSETS_H

#include <stddef.h>

typedef struct view_asset {
    const char *path, *type;
    const unsigned char *data;
    size_t size;
} view_asset;

extern const view_asset view_assets[];
extern const size_t view_asset_count;

/* All of them in one page, as a text that ends in a zero byte (cmake/page.cmake). Recorded messages replace the mark. */
extern const view_asset view_page;
#define VIEW_PAGE_MARK "<!-- recording -->"

#endif
