#include "scene/language/suggest.h"

#include <string.h>

enum { LONGEST = 40 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Number of insertions, deletions, replacements and transpositions between a and b (optimal string alignment). */
static size_t edit_distance(const char *a, size_t m, const char *b, size_t n)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n; j++) last[j] = j;
    for (size_t i = 1; i <= m; i++) {
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(change, smaller(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[n];
}

suggest suggest_begin(const char *text, size_t length)
{
    size_t allowed = length < 3 ? 1 : length / 3;
    return (suggest){.text = text, .length = length, .distance = allowed + 1};
}

void suggest_try(suggest *s, const char *word)
{
    size_t n = strlen(word);
    if (s->length > LONGEST || n > LONGEST || n == 0) return;
    size_t distance = edit_distance(s->text, s->length, word, n);
    if (distance >= s->distance || distance >= n) return;
    s->distance = distance;
    s->best = word;
}
