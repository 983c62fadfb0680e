/* Texts in result files. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "output/results/h5.h"

enum { SHORT = 256 }; /* bytes of an attribute */

/* Type H5T_VARIABLE, or of that many bytes without a terminating zero. */
static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return type;
    if (H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
        (size == H5T_VARIABLE || H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0))
        return type;
    H5Tclose(type);
    return -1;
}

bool h5_text_dataset(hid_t group, const char *name, const char *text)
{
    return h5_fixed(group, name, SNAPSHOT_U8, strlen(text), text);
}

bool h5_text(hid_t object, const char *name, const char *text)
{
    const size_t length = strlen(text);
    if (length > SHORT) return h5_text_dataset(object, name, text);
    hid_t type = text_type(length > 0 ? length : 1), space = H5Screate(H5S_SCALAR);
    bool done = type >= 0 && space >= 0 && h5_attribute_write(object, name, type, space, text);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done;
}

bool h5_text_variable(hid_t object, const char *name, const char *text)
{
    hid_t type = text_type(H5T_VARIABLE), space = H5Screate(H5S_SCALAR);
    bool done = type >= 0 && space >= 0 && h5_attribute_write(object, name, type, space, &text);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done;
}

/* Texts one after the other, each in `width` bytes. */
static bool write_texts(hid_t object, const char *name, hid_t type, const char *block, hsize_t count, size_t width)
{
    if (count * width <= SHORT) {
        hid_t space = H5Screate_simple(1, &count, NULL);
        bool done = space >= 0 && h5_attribute_write(object, name, type, space, block);
        if (space >= 0) H5Sclose(space);
        return done;
    }
    hid_t dataset = h5_fixed_open(object, name, type, count, 0, block);
    if (dataset < 0) return false;
    bool done = h5_seal(dataset, h5_digest(block, count * width), true);
    return H5Dclose(dataset) >= 0 && done;
}

bool h5_texts(hid_t object, const char *name, const char *const *texts, hsize_t count)
{
    size_t width = 1;
    for (hsize_t i = 0; i < count; i++)
        if (strlen(texts[i]) > width) width = strlen(texts[i]);
    char *block = memory_new(count, width);
    hid_t type = text_type(width);
    for (hsize_t i = 0; block != NULL && i < count; i++) memcpy(block + i * width, texts[i], strlen(texts[i]));
    bool done = block != NULL && type >= 0 && write_texts(object, name, type, block, count, width);
    if (type >= 0) H5Tclose(type);
    memory_free(block);
    return done;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* An attribute or a dataset of texts. */
typedef struct stored {
    hid_t attribute, dataset, type, space;
    hssize_t count;
    size_t width; /* bytes of each; 0: of variable length */
} stored;

static void stored_close(stored *s)
{
    if (s->space >= 0) H5Sclose(s->space);
    if (s->type >= 0) H5Tclose(s->type);
    if (s->dataset >= 0) H5Dclose(s->dataset);
    if (s->attribute >= 0) H5Aclose(s->attribute);
}

static bool stored_open(stored *s, hid_t object, const char *name)
{
    *s = (stored){-1, -1, -1, -1, 0, 0};
    if (H5Aexists(object, name) > 0) {
        s->attribute = H5Aopen(object, name, H5P_DEFAULT);
        s->type = s->attribute >= 0 ? H5Aget_type(s->attribute) : -1;
        s->space = s->attribute >= 0 ? H5Aget_space(s->attribute) : -1;
    } else if (H5Iget_type(object) == H5I_GROUP && H5Lexists(object, name, H5P_DEFAULT) > 0) {
        s->dataset = H5Dopen2(object, name, H5P_DEFAULT);
        s->type = s->dataset >= 0 ? H5Dget_type(s->dataset) : -1;
        s->space = s->dataset >= 0 ? H5Dget_space(s->dataset) : -1;
    }
    if (s->type < 0 || s->space < 0) return false;
    s->count = H5Sget_simple_extent_npoints(s->space);
    const bool is_text = H5Tget_class(s->type) == H5T_STRING, variable = is_text && H5Tis_variable_str(s->type) > 0;
    s->width = variable ? 0 : H5Tget_size(s->type);
    return s->count >= 0 && (is_text || s->dataset >= 0);
}

/* All bytes of texts of fixed length; NULL on failure. Freed with memory_free. */
static char *read_block(const stored *s)
{
    const hsize_t count = (hsize_t)s->count;
    const bool fits = s->width > 0 && count <= SIZE_MAX / s->width - 1 && memory_can_hold(count * s->width);
    char *block = fits ? memory_new(count * s->width + 1, 1) : NULL;
    if (block == NULL || count == 0) return block;
    bool done = s->attribute >= 0 ? H5Aread(s->attribute, s->type, block) >= 0
                                  : H5Dread(s->dataset, s->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0;
    done = done && (s->attribute >= 0 || h5_sealed(s->dataset, block, count * s->width));
    if (done) return block;
    memory_free(block);
    return NULL;
}

static char *read_variable(const stored *s)
{
    char *text = NULL, *copy = NULL;
    hid_t type = text_type(H5T_VARIABLE);
    if (type >= 0 && s->attribute >= 0 && H5Aread(s->attribute, type, &text) >= 0 && text != NULL) {
        copy = memory_text(text);
        H5Dvlen_reclaim(type, s->space, H5P_DEFAULT, &text);
    }
    if (type >= 0) H5Tclose(type);
    return copy;
}

char *h5_text_read(hid_t object, const char *name)
{
    stored s;
    char *text = NULL;
    if (stored_open(&s, object, name) && (s.dataset >= 0 || s.count == 1))
        text = s.width > 0 ? read_block(&s) : read_variable(&s);
    stored_close(&s);
    return text;
}

void h5_texts_free(char **texts, size_t count)
{
    for (size_t i = 0; texts != NULL && i < count; i++) memory_free(texts[i]);
    memory_free(texts);
}

/* Reads texts of variable length into `raw`, then copies them, so that all texts are freed alike. */
static carom_status copy_variable(const stored *s, char **texts, error *e)
{
    const size_t count = (size_t)s->count;
    char **raw = NEW_ARRAY(count, char *);
    if (raw == NULL) return error_memory(e, "texts", count * sizeof *raw);
    hid_t type = text_type(H5T_VARIABLE);
    const bool done = count == 0 || (type >= 0 && s->attribute >= 0 && H5Aread(s->attribute, type, raw) >= 0);
    carom_status status = done ? CAROM_OK : CAROM_BAD_DATA;
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        texts[i] = memory_text(raw[i] != NULL ? raw[i] : "");
        if (texts[i] == NULL) status = error_memory(e, "texts", count);
    }
    if (done && count > 0) H5Dvlen_reclaim(type, s->space, H5P_DEFAULT, raw);
    if (type >= 0) H5Tclose(type);
    memory_free(raw);
    return status;
}

static carom_status copy_fixed(const stored *s, char **texts, error *e)
{
    char *block = read_block(s);
    if (block == NULL) return CAROM_BAD_DATA;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < (size_t)s->count && status == CAROM_OK; i++) {
        texts[i] = memory_new(s->width + 1, 1);
        if (texts[i] == NULL)
            status = error_memory(e, "texts", s->width);
        else
            memcpy(texts[i], block + i * s->width, s->width);
    }
    memory_free(block);
    return status;
}

carom_status h5_texts_read(hid_t object, const char *name, char ***texts, size_t *count, error *e)
{
    stored s;
    *texts = NULL;
    *count = 0;
    carom_status status = stored_open(&s, object, name) && memory_can_hold((size_t)s.count) ? CAROM_OK : CAROM_BAD_DATA;
    if (status == CAROM_OK) {
        *count = (size_t)s.count;
        *texts = NEW_ARRAY(*count, char *);
        if (*texts == NULL) status = error_memory(e, "texts", *count * sizeof **texts);
    }
    if (status == CAROM_OK) status = s.width > 0 ? copy_fixed(&s, *texts, e) : copy_variable(&s, *texts, e);
    stored_close(&s);
    if (status != CAROM_OK) {
        h5_texts_free(*texts, *count);
        *texts = NULL;
        *count = 0;
    }
    return status;
}

/* ---- Words that are written again -------------------------------------------------------------------------------- */

bool h5_word(hid_t object, const char *name, const char *text, bool create)
{
    char word[H5_WORD] = "";
    snprintf(word, sizeof word, "%s", text);
    hid_t type = text_type(H5_WORD), space = H5Screate(H5S_SCALAR), attribute = -1;
    if (type >= 0 && space >= 0)
        attribute = create ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)
                           : H5Aopen(object, name, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, type, word) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done;
}

bool h5_word_read(hid_t object, const char *name, char text[H5_WORD])
{
    hid_t type = text_type(H5_WORD), attribute = -1;
    if (type >= 0 && H5Aexists(object, name) > 0) attribute = H5Aopen(object, name, H5P_DEFAULT);
    bool done = attribute >= 0 && h5_attribute_count(object, name) == 1 && H5Aread(attribute, type, text) >= 0;
    text[done ? H5_WORD - 1 : 0] = '\0';
    if (attribute >= 0) H5Aclose(attribute);
    if (type >= 0) H5Tclose(type);
    return done;
}
