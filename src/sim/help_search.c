#include "sim/help_search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"
#include "scene/language/reference.h"
#include "scene/language/suggest.h"
#include "sim/scene_api.h"
#include "sim/texts.h"

enum { HITS = 512, KEYS_SHOWN = 12, SECTIONS_SHOWN = 6, WORD = 64, LINE = 100, NAME_WIDTH = 34 };

/* Scores: equal name, word in the name, word in the text. */
enum { CALLED = 1000, NAMED = 100, MENTIONED = 10, MOST_MENTIONS = 9 };

typedef struct hit {
    int score, order;
    char *line;
} hit;

typedef struct hits {
    const char *stem;
    size_t length;
    hit at[HITS];
    int count;
    suggest near;
    char near_word[WORD];
} hits;

/* Synonyms of terms of carom. */
static const char *const other_words[][2] = {
    {"restart", "resume"},         {"continue", "resume"}, {"dimensions", "units"},
    {"elasticity", "restitution"}, {"cad", "stl"},         {"movie", "render"},
    {"video", "render"},           {"picture", "render"},  {"parallel", "threads"}};

static bool begins(const char *text, const char *stem, size_t length)
{
    return strncasecmp(text, stem, length) == 0;
}

/* Number of words in a text of this length that begin with the stem. */
static int mentions(const char *text, size_t size, const hits *h, const char **first)
{
    int count = 0;
    for (size_t k = 0; k + h->length <= size; k++) {
        if ((k > 0 && isalpha((unsigned char)text[k - 1])) || !begins(text + k, h->stem, h->length)) continue;
        if (count++ == 0 && first != NULL) *first = text + k;
    }
    return count < MOST_MENTIONS ? count : MOST_MENTIONS;
}

static void add_hit(hits *h, int score, char *line)
{
    if (h->count == HITS || line == NULL) {
        memory_free(line);
        return;
    }
    h->at[h->count] = (hit){score, h->count, line};
    h->count++;
}

static void try_near(hits *h, const char *word, size_t length)
{
    char copy[WORD] = "";
    if (length < 3 || length >= sizeof copy) return;
    for (size_t k = 0; k < length; k++) copy[k] = (char)tolower((unsigned char)word[k]);
    const char *before = h->near.best;
    suggest_try(&h->near, copy);
    if (h->near.best != before) {
        memcpy(h->near_word, copy, length + 1);
        h->near.best = h->near_word;
    }
}

static void look_at_key(const char *path, const setting *s, void *user)
{
    hits *h = user;
    const char *dot = strrchr(path, '.'), *name = dot != NULL ? dot + 1 : path;
    const int named = mentions(path, strlen(path), h, NULL), said = mentions(s->help, strlen(s->help), h, NULL);
    const bool called = begins(name, h->stem, h->length);
    try_near(h, s->name, strlen(s->name));
    if (named + said > 0)
        add_hit(h, called ? CALLED - (int)strlen(path) : NAMED * (named > 0) + MENTIONED * said,
                memory_format("  %-*s %s", NAME_WIDTH, path, s->help));
}

/* A heading's section ends at the next heading. */
static size_t section_length(const char *text)
{
    const char *next = strstr(text, "\n#");
    return next != NULL ? (size_t)(next - text) : strlen(text);
}

/* The words around the first mention, in one line. */
static void add_excerpt(text_buffer *to, const char *text, const char *first, size_t length)
{
    const char *from = first, *end = text + length;
    while (from > text && from[-1] != '\n') from--;
    if (first - from > LINE / 2) from = first - LINE / 2;
    while (from < first && !isspace((unsigned char)from[-1])) from++;
    size_t size = 0;
    while (from + size < end && size < LINE && from[size] != '\n') size++;
    while (from + size < end && size > 0 && from[size] != '\n' && !isspace((unsigned char)from[size])) size--;
    text_add(to, "      %.*s", (int)size, from);
}

static void look_at_section(hits *h, const char *guide, const char *heading)
{
    const char *title = heading + strspn(heading, "#"), *first = NULL;
    title += strspn(title, " ");
    const size_t size = strcspn(title, "\n"), length = section_length(title);
    const int named = mentions(title, size, h, &first), said = mentions(title + size, length - size, h, &first);
    for (const char *word = title; word < title + size;) {
        const size_t letters = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        try_near(h, word, letters);
        word += letters > 0 ? letters : 1;
    }
    if (named + said == 0) return;
    text_buffer line = {0};
    text_add(&line, "  docs/%s.md, %.*s\n", guide, (int)size, title);
    add_excerpt(&line, title, first, length);
    add_hit(h, NAMED * (named > 0) + MENTIONED * said, line.failed ? NULL : line.data);
}

static void look_at_guides(hits *h)
{
    for (size_t g = 0; g < guides_count; g++) {
        bool code = false;
        for (const char *line = guides[g].text; *line != '\0'; line += strcspn(line, "\n") + 1) {
            if (strncmp(line, "```", 3) == 0) code = !code;
            if (!code && *line == '#') look_at_section(h, guides[g].name, line);
            if (line[strcspn(line, "\n")] == '\0') break;
        }
    }
}

static int better(const void *a, const void *b)
{
    const hit *x = a, *y = b;
    return x->score != y->score ? y->score - x->score : x->order - y->order;
}

static void put_best(hits *h, const char *title, int most, text_buffer *to)
{
    qsort(h->at, (size_t)h->count, sizeof *h->at, better);
    if (h->count > 0) text_add(to, "%s%s\n", to->length > 0 ? "\n" : "", title);
    for (int k = 0; k < h->count && k < most; k++) text_add(to, "%s\n", h->at[k].line);
    if (h->count > most) text_add(to, "  ... and %d more\n", h->count - most);
    for (int k = 0; k < h->count; k++) memory_free(h->at[k].line);
    h->count = 0;
}

static void take_stem(hits *h, const char *word)
{
    size_t length = strlen(word);
    if (length > 3 && tolower((unsigned char)word[length - 1]) == 's') length--; /* units: unit */
    h->stem = word;
    h->length = length;
}

static void look_for(hits *h, const char *word, text_buffer *to)
{
    take_stem(h, word);
    scene_each_key(&vocabulary, look_at_key, h);
    put_best(h, "keys of the scene, and observables (carom help KEY)", KEYS_SHOWN, to);
    look_at_guides(h);
    put_best(h, "guides", SECTIONS_SHOWN, to);
}

carom_status help_add_guides(const char *word, char **text, error *e)
{
    text_buffer guides_text = {0};
    hits *h = NEW_ARRAY(1, hits);
    if (h == NULL) return error_memory(e, "a search", sizeof *h);
    take_stem(h, word);
    look_at_guides(h);
    put_best(h, "guides", SECTIONS_SHOWN, &guides_text);
    memory_free(h);
    char *both = guides_text.length > 0 ? memory_format("%s\n%s", *text, guides_text.data) : NULL;
    const bool lost = guides_text.failed || (guides_text.length > 0 && both == NULL);
    text_free(&guides_text);
    if (lost) return error_memory(e, "a help text", 1);
    if (both == NULL) return CAROM_OK;
    memory_free(*text);
    *text = both;
    return CAROM_OK;
}

/* The term of carom for a synonym; else the word. */
static const char *own_word(const char *word)
{
    for (size_t k = 0; k < sizeof other_words / sizeof *other_words; k++)
        if (strcasecmp(word, other_words[k][0]) == 0) return other_words[k][1];
    return word;
}

carom_status help_search(const char *word, char **out, error *e)
{
    text_buffer text = {0};
    hits *h = NEW_ARRAY(1, hits);
    *out = NULL;
    if (h == NULL) return error_memory(e, "a search", sizeof *h);
    h->near = suggest_begin(word, strlen(word));
    const char *own = own_word(word);
    if (own != word) text_add(&text, "carom calls it '%s'.\n", own);
    if (strlen(own) > 2) look_for(h, own, &text);
    carom_status status = CAROM_OK;
    if (text.failed)
        status = error_memory(e, "a help text", text.length);
    else if (text.length == 0 && h->near.best != NULL)
        status = error_set(e, CAROM_USAGE, "error: no help on '%s'; did you mean '%s'?", word, h->near.best);
    else if (text.length == 0)
        status = error_set(
            e, CAROM_USAGE,
            "error: no help on '%s': no key, observable or guide contains the word; 'carom help scene' lists all keys",
            word);
    if (status == CAROM_OK)
        *out = text.data;
    else
        text_free(&text);
    memory_free(h);
    return status;
}
