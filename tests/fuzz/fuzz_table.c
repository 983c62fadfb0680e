/* Detects crashes, hangs and leaks of the reader of sweep tables on any bytes, and accepted tables that cannot be
 * drawn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "view/plot/plot.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    char *text = NEW_ARRAY(size + 1, char);
    plot_sheet p = {0};
    text_buffer bytes = {0};
    error e = {0};
    if (text == NULL) return 0;
    memcpy(text, data, size);
    plot_begin_file(&p, "fuzz");
    carom_status status = plot_add_table(&p, text, "fuzz", &e);
    if ((status == CAROM_OK) != (error_text(&e)[0] == '\0')) abort();
    /* Without cairo nothing can be drawn. */
    if (status == CAROM_OK && p.count > 0 && p.count < 10) status = plot_draw(&p, CANVAS_PNG, &bytes, &e);
    if (status != CAROM_OK && status != CAROM_BAD_DATA && status != CAROM_USAGE) abort();
    text_free(&bytes);
    plot_free(&p);
    memory_free(text);
    error_clear(&e);
    return 0;
}
