/* Detects crashes, hangs and leaks of the scene reader on any bytes, and accepted scenes that change when written and
 * read again. A first line that begins with '=' is an override. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/vocabulary.h"
#include "base/memory.h"
#include "scene/scene.h"

static void require(int holds, const char *what, const char *detail)
{
    if (holds) return;
    fprintf(stderr, "%s\n%s\n", what, detail);
    abort();
}

static void read_again(const scene *s)
{
    scene *again;
    error e = {0};
    char *key = NULL;
    carom_status status =
        scene_read(&again, "resolved", "folder", s->resolved, strlen(s->resolved), NULL, 0, &toy_vocabulary, &e);
    require(status == CAROM_OK, "the resolved scene is refused", error_text(&e));
    require(strcmp(s->resolved, again->resolved) == 0, "the resolved scene changes", s->resolved);
    require(scene_difference(s->resolved, again->resolved, &key, &e) == CAROM_OK && key == NULL, "a difference", "");
    scene_free(again);
    error_clear(&e);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    char set[256] = "";
    const char *sets[] = {set}, *text = (const char *)data;
    const char *end = size > 0 && text[0] == '=' ? memchr(text, '\n', size) : NULL;
    if (end != NULL && (size_t)(end - text) < sizeof set) {
        memcpy(set, text + 1, (size_t)(end - text) - 1);
        size -= (size_t)(end + 1 - text);
        text = end + 1;
    }
    scene *s;
    error e = {0};
    carom_status status = scene_read(&s, "fuzz", "folder", text, size, sets, set[0] != '\0', &toy_vocabulary, &e);
    require((status == CAROM_OK) == (s != NULL), "status and scene disagree", "");
    require((status == CAROM_OK) == (error_text(&e)[0] == '\0'), "status and message disagree", error_text(&e));
    if (s != NULL) read_again(s);
    scene_free(s);
    error_clear(&e);
    return 0;
}
