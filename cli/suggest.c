/* "did you mean": the candidate with the smallest edit distance. */
#include <string.h>

#include "cli.h"

enum { WORD_MAX = 63 };

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance with swaps of neighbours (optimal string alignment). */
static size_t distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    size_t row[3][WORD_MAX + 1] = {{0}};
    if (m > WORD_MAX || n > WORD_MAX) return WORD_MAX;
    for (size_t j = 0; j <= n; j++) row[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *now = row[i % 3];
        const size_t *above = row[(i + 2) % 3], *twice = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t same = a[i - 1] == b[j - 1] ? 0 : 1;
            now[j] = min3(above[j] + 1, now[j - 1] + 1, above[j - 1] + same);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && twice[j - 2] + 1 < now[j]) now[j] = twice[j - 2] + 1;
        }
    }
    return row[m % 3][n];
}

const char *closest(const char *word, const char *const *candidates, size_t count)
{
    const char *best = NULL;
    size_t least = 1 + (strlen(word) + 2) / 4;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, candidates[i]);
        if (d <= least && d < strlen(candidates[i]) && (best == NULL || d < least)) {
            best = candidates[i];
            least = d;
        }
    }
    return best;
}
