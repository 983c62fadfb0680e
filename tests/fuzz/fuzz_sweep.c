/* Detects crashes, hangs and leaks of the sweep reader on any bytes, and accepted sweeps with invalid points or an
 * unreadable record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/scene.h"
#include "sweep/sweep.h"

static void require(int holds, const char *what, const char *detail)
{
    if (holds) return;
    fprintf(stderr, "%s\n%s\n", what, detail);
    abort();
}

static void look(const sweep *s)
{
    error e = {0};
    char *key = NULL, *record = sweep_record(s, "engine: hard\n", 1), *other = sweep_record(s, "engine: soft\n", 1);
    require(s->point_count * s->seed_count <= SWEEP_RUNS && s->point_count > 0, "too many runs", s->source);
    for (size_t i = 0; i < s->parameter_count; i++)
        require(sweep_value_at(s, s->point_count - 1, i) != NULL, "value", "");
    require(scene_text_difference(record, other, &key, &e) == CAROM_OK, "the record is refused", error_text(&e));
    require(key != NULL && strcmp(key, "scene.engine") == 0, "another difference", key != NULL ? key : "none");
    memory_free(key);
    memory_free(record);
    memory_free(other);
    error_clear(&e);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    sweep *s;
    error e = {0};
    carom_status status = sweep_read(&s, "fuzz", "folder", (const char *)data, size, &e);
    require((status == CAROM_OK) == (s != NULL), "status and sweep disagree", "");
    require((status == CAROM_OK) == (error_text(&e)[0] == '\0'), "status and message disagree", error_text(&e));
    if (s != NULL) look(s);
    sweep_free(s);
    error_clear(&e);
    return 0;
}
