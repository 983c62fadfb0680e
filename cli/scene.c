/* Access to the files of a command. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static carom_status apply_overrides(carom_scene *scene, const arguments *args)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < args->set_count; i++) status = carom_scene_set(scene, args->sets[i]);
    if (status != CAROM_OK || args->seed == NULL) return status;
    char text[64];
    snprintf(text, sizeof text, "seed=%s", args->seed);
    return carom_scene_set(scene, text);
}

/* All of standard input; NULL after an error, which is reported. The caller frees it. */
static char *read_input(size_t *length)
{
    char *text = NULL;
    size_t capacity = 0, used = 0, got = 0;
    do {
        if (used == capacity) {
            char *grown = realloc(text, 2 * capacity + 65536);
            if (grown == NULL) {
                complain("out of memory while reading standard input");
                free(text);
                return NULL;
            }
            text = grown;
            capacity = 2 * capacity + 65536;
        }
        got = fread(text + used, 1, capacity - used, stdin);
        used += got;
    } while (got > 0);
    if (ferror(stdin)) {
        complain("cannot read standard input: %s", strerror(errno));
        free(text);
        return NULL;
    }
    *length = used;
    return text;
}

static carom_status load(carom_scene *scene, const char *path)
{
    if (strcmp(path, "-") != 0) return carom_scene_load(scene, path);
    size_t length = 0;
    char *text = read_input(&length);
    if (text == NULL) return CAROM_IO;
    carom_status status = carom_scene_load_text(scene, "stdin", text, length);
    free(text);
    return status;
}

carom_status load_scene(carom_scene **out_scene, const arguments *args)
{
    *out_scene = NULL;
    carom_scene *scene = carom_scene_new();
    if (scene == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    carom_status status = apply_overrides(scene, args);
    if (status == CAROM_OK) status = load(scene, args->operand);
    if (status != CAROM_OK) {
        complain_message(carom_scene_message(scene));
        carom_scene_free(scene);
        return status;
    }
    *out_scene = scene;
    return CAROM_OK;
}

carom_status open_result(carom_file **out_file, const char *path)
{
    carom_status status = carom_file_open(out_file, path);
    if (status == CAROM_OK) return CAROM_OK;
    if (*out_file == NULL)
        complain("out of memory");
    else
        complain_message(carom_file_message(*out_file));
    carom_file_free(*out_file);
    *out_file = NULL;
    return status;
}
