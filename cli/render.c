/* carom render: pictures and movies of frames. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char *const frame_words[] = {"last", "all", NULL};
static const char *const colour_words[] = {"species", "speed", "cluster", "molecule", "strain", "layers", NULL};

static const char *const mesh_words[] = {"solid", "transparent", "edges", "hidden", NULL};

static int64_t frame_of(const char *text)
{
    if (text == NULL) return CAROM_RENDER_SUITS;
    if (strcmp(text, "last") == 0) return CAROM_RENDER_LAST;
    if (strcmp(text, "all") == 0) return CAROM_RENDER_ALL;
    const unsigned long long number = strtoull(text, NULL, 10);
    return number < INT64_MAX ? (int64_t)number : INT64_MAX;
}

/* "960x720" */
static bool read_size(const char *text, carom_render_options *o)
{
    int used = 0;
    if (text == NULL) return true;
    if (strspn(text, "0123456789x") == strlen(text) && strlen(text) < 20 &&
        sscanf(text, "%9dx%9d%n", &o->width, &o->height, &used) == 2 && text[used] == '\0' && o->width > 0 &&
        o->height > 0)
        return true;
    complain("option '--size' needs WIDTHxHEIGHT in pixels, as in 960x720, not '%s'", text);
    return false;
}

/* "1,2" or "1,2,3": the number of values; 0 for any other text. */
static int read_numbers(const char *text, double numbers[3])
{
    char *end = NULL;
    for (int count = 1; count <= 3; count++, text = end + 1) {
        numbers[count - 1] = strtod(text, &end);
        if (end == text || (*end != ',' && *end != '\0')) return 0;
        if (*end == '\0') return count;
    }
    return 0;
}

static bool read_camera(const char *text, carom_render_options *o)
{
    double given[3] = {0};
    const int count = text != NULL ? read_numbers(text, given) : 0;
    if (text == NULL) return true;
    o->turned = true;
    o->azimuth = given[0];
    o->elevation = given[1];
    o->zoom = given[2];
    if (count >= 2 && given[0] >= -360 && given[0] <= 360 && given[1] >= -90 && given[1] <= 90 &&
        (count == 2 || (given[2] > 0 && given[2] <= 1000)))
        return true;
    complain(
        "option '--camera' needs AZIMUTH,ELEVATION in degrees, up to 360 and 90, and a zoom above 0 and up to 1000 "
        "after another comma, not '%s'",
        text);
    return false;
}

static bool read_rate(const char *text, carom_render_options *o)
{
    if (text == NULL) return true;
    o->rate = strtod(text, NULL);
    if (o->rate > 0 && o->rate <= 1000) return true;
    complain("option '--rate' needs frames per second, above 0 and up to 1000, not '%s'", text);
    return false;
}

/* The picture must not replace the result or the report. */
static carom_status check_targets(const arguments *args, const char *target)
{
    const char *const places[] = {target, args->json};
    for (int k = 0; k < 2; k++) {
        if (places[k] == NULL || !same_file(places[k], args->operand)) continue;
        complain("'%s %s' is the result file", k == 0 ? "-o" : "--json", args->operand);
        return CAROM_USAGE;
    }
    if (args->json == NULL || !same_file(args->json, target)) return check_text_target(args->json, args->force);
    complain("'--json' and '-o' are the same file, '%s'", target);
    return CAROM_USAGE;
}

static carom_status draw(const arguments *args, const char *target, const carom_render_options *o)
{
    carom_file *file = NULL;
    char *json = NULL;
    carom_status status = open_result(&file, args->operand);
    if (status == CAROM_OK) {
        status = carom_file_render(file, target, args->force, o, args->json != NULL ? &json : NULL);
        complain_message(carom_file_message(file));
    }
    if (status == CAROM_OK) fprintf(stderr, "wrote %s\n", target);
    if (status == CAROM_OK && json != NULL) status = put_text(args->json, json);
    carom_free(json);
    carom_file_free(file);
    return status;
}

static int run_render(const arguments *args)
{
    carom_render_options o = {.frame = frame_of(args->frame),
                              .colour = args->colour,
                              .dark = args->dark,
                              .meshes = args->meshes,
                              .whole = args->whole,
                              .unshaded = args->unshaded};
    if (!read_size(args->size, &o) || !read_camera(args->camera, &o) || !read_rate(args->rate, &o)) return CAROM_USAGE;
    char *made = args->output == NULL ? name_with_ending(args->operand, ".png") : NULL;
    const char *target = args->output != NULL ? args->output : made;
    if (target == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    if (made != NULL && strchr(made, '%') != NULL) {
        complain("'%s' would stand for several pictures: give the name of the picture with -o", made);
        free(made);
        return CAROM_USAGE;
    }
    carom_status status = check_targets(args, target);
    if (status == CAROM_OK) status = draw(args, target, &o);
    free(made);
    return (int)status;
}

static const option options[] = {
    {"output", 'o', OPTION_FILE, offsetof(arguments, output), "PICTURE", NULL, false,
     "file to write: a picture .png, a movie .mp4 (by ffmpeg), or one picture for each frame, frames-%d.png; default: "
     "the name of FILE with .png, in the current folder"},
    {"frame", 0, OPTION_COUNT, offsetof(arguments, frame), "FRAME", frame_words, false,
     "which frames: a number, from 0; last (default for one picture); or all (default for movies and numbered "
     "pictures)"},
    {"colour", 'c', OPTION_CHOICE, offsetof(arguments, colour), "BY", colour_words, false,
     "quantity shown by colour; default: cluster if particles merge, else species"},
    {"size", 0, OPTION_WORD, offsetof(arguments, size), "WxH", NULL, false,
     "width and height in pixels; default: 960x720, 720x960 for tall scenes, in two dimensions the proportions of the "
     "scene"},
    {"camera", 0, OPTION_WORD, offsetof(arguments, camera), "AZ,EL[,ZOOM]", NULL, false,
     "azimuth and elevation of the camera in degrees, and a zoom; default: the view of the scene, else 30,22,1 with "
     "all bodies in the picture"},
    {"meshes", 0, OPTION_CHOICE, offsetof(arguments, meshes), "LOOK", mesh_words, false,
     "how meshes are drawn; default: the view of the scene, else solid"},
    {"whole", 0, OPTION_FLAG, offsetof(arguments, whole), NULL, NULL, false,
     "draw molecules and clusters in one piece, beyond the box if they cross a periodic boundary"},
    {"unshaded", 0, OPTION_FLAG, offsetof(arguments, unshaded), NULL, NULL, false,
     "without ambient occlusion (three dimensions)"},
    {"rate", 0, OPTION_NUMBER, offsetof(arguments, rate), "N", NULL, false,
     "frames per second of a movie; default: 4 to 25, for a movie of six seconds"},
    {"dark", 0, OPTION_FLAG, offsetof(arguments, dark), NULL, NULL, false, "light on dark"},
    {"json", 0, OPTION_FILE, offsetof(arguments, json), "FILE", NULL, false,
     "write a description of the pictures and the drawing time as one JSON object; - is standard output"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace existing files"},
};

const command command_render = {
    .name = "render",
    .summary = "draw the bodies of a result, as a picture or a movie",
    .text = "Draws the bodies of FILE: disks, shaded spheres, rods, shells, walls; with a scale bar, the time, and a "
            "legend of the colours. It needs no screen.",
    .operand = OPERAND_RESULT,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_render,
};
