/* Faulty scenes and the exact words that the reader has for them. */
#ifndef CAROM_TESTS_SCENE_FAULTS_H
#define CAROM_TESTS_SCENE_FAULTS_H

#include <check.h>
#include <stdio.h>

#include "scene/scene.h"
#include "vocabulary.h"

/* The parts of a sound scene. */
#define HEAD                                                                                                           \
    "carom: 1\n"                                                                                                       \
    "engine: hard\n"
#define HEAD2                                                                                                          \
    "carom: 1\n"                                                                                                       \
    "engine: hard\n"                                                                                                   \
    "dimension: 2\n"
#define BOX "box: {size: 10}\n"
#define KINDS "species: {a: {diameter: 1}, b: {diameter: 2}}\n"
#define ONE "particles: [{species: a, count: 1, place: fcc}]\n"
#define RUN "run: {until: {time: 1}}\n"

/* With its length, since some hold zero bytes. */
#define TEXT(...) __VA_ARGS__, sizeof(__VA_ARGS__) - 1

typedef struct faulty_scene {
    const char *name, *text;
    size_t length;
    const char *message;
} faulty_scene;

static inline void expect_message(const char *name, const char *text, size_t length, const char *const *sets,
                                  size_t set_count, carom_status wanted_status, const char *wanted)
{
    error e = {0};
    scene *s;
    carom_status status = scene_read(&s, "s.yaml", NULL, text, length, sets, set_count, &toy_vocabulary, &e);
    printf("%s:\n%s\n", name, error_text(&e));
    ck_assert_msg(status == wanted_status, "%s: status %d, expected %d", name, (int)status, (int)wanted_status);
    ck_assert_ptr_null(s);
    ck_assert_str_eq(error_text(&e), wanted);
    error_clear(&e);
}

#endif
