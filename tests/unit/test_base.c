/* Detects wrong messages, memory arithmetic and hashes. */
#include "../support/expect.h"
#include "../support/suite.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

#include <locale.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

/* A sanitizer would rather stop at a hopeless allocation than let it fail. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

#if defined __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#elif defined __has_feature
#if __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#else
enum { SANITIZED = 0 };
#endif

/* ---- Messages -------------------------------------------------------------------------------------------------- */

START_TEST(test_error_set)
{
    error e = {0};
    ck_assert_str_eq(error_text(&e), "");
    ck_assert_int_eq(error_set(&e, CAROM_USAGE, "no %s before %d", "tea", 5), CAROM_USAGE);
    ck_assert_str_eq(error_text(&e), "no tea before 5");
    ck_assert_uint_eq(e.length, strlen(e.text));
    ck_assert_int_eq(error_set(&e, CAROM_IO, "half-way"), CAROM_IO);
    ck_assert_int_eq(e.status, CAROM_IO);
    ck_assert_str_eq(error_text(&e), "half-way");
    error_clear(&e);
    ck_assert_int_eq(e.status, CAROM_OK);
    ck_assert_str_eq(error_text(&e), "");
    error_clear(&e);
}
END_TEST

START_TEST(test_error_add)
{
    error e = {0};
    ck_assert_int_eq(error_add(&e, CAROM_BAD_DATA, "first"), CAROM_BAD_DATA);
    ck_assert_int_eq(error_add(&e, CAROM_IO, "second"), CAROM_IO);
    ck_assert_int_eq(e.status, CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e), "first\nsecond");
    for (int k = 0; k < 10000; k++) error_add(&e, CAROM_IO, "%d", k);
    ck_assert_uint_eq(e.length, strlen(e.text));
    ck_assert_uint_eq(e.length, strlen("first\nsecond") + 10000 + 10 + 90 * 2 + 900 * 3 + 9000 * 4);
    ck_assert_str_eq(e.text + e.length - 5, "\n9999");
    error_clear(&e);
}
END_TEST

/* A message may be built from the one it replaces. */
START_TEST(test_error_from_itself)
{
    error e = {0};
    error_set(&e, CAROM_IO, "disk full");
    error_set(&e, CAROM_NO_CREATE, "out.h5: %s", error_text(&e));
    ck_assert_str_eq(error_text(&e), "out.h5: disk full");
    error_add(&e, CAROM_IO, "(%s)", error_text(&e));
    ck_assert_str_eq(error_text(&e), "out.h5: disk full\n(out.h5: disk full)");
    error_clear(&e);
}
END_TEST

START_TEST(test_error_long)
{
    enum { LONG = 1 << 20 };
    error e = {0};
    char *text = malloc(LONG + 1);
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    error_set(&e, CAROM_BAD_DATA, "<%s>", text);
    ck_assert_uint_eq(e.length, LONG + 2);
    ck_assert_int_eq(e.text[LONG + 1], '>');
    error_clear(&e);
    free(text);
}
END_TEST

static carom_status give_up_after(error *e, int *steps)
{
    TRY(CAROM_OK);
    ++*steps;
    TRY(error_set(e, CAROM_VIOLATION, "enough"));
    ++*steps;
    return CAROM_OK;
}

START_TEST(test_try)
{
    error e = {0};
    int steps = 0;
    ck_assert_int_eq(give_up_after(&e, &steps), CAROM_VIOLATION);
    ck_assert_int_eq(steps, 1);
    error_clear(&e);
}
END_TEST

START_TEST(test_error_memory)
{
    error e = {0};
    const char *locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
    for (int k = 0; k < 3; k++) {
        setlocale(LC_ALL, locales[k]); /* where it is installed */
        ck_assert_int_eq(error_memory(&e, "the gas", 12345678), CAROM_INTERNAL);
        ck_assert_str_eq(
            error_text(&e),
            "error: out of memory: there is no room for the gas (12.3 MB); use fewer particles or raise the limit");
    }
    error_memory(&e, "a line", 1);
    ck_assert_str_eq(error_text(&e), "error: out of memory: there is no room for a line");
    error_memory(&e, "everything", SIZE_MAX);
    printf("%s\n", error_text(&e));
    ck_assert_ptr_nonnull(strstr(error_text(&e), " MB"));
    error_clear(&e);
}
END_TEST

/* From here on this process gets no more than a few MB. */
static void *use_up_memory(void)
{
    struct rlimit limit = {0};
    limit.rlim_cur = limit.rlim_max = 1 << 24;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    void *chain = NULL;
    for (size_t size = 1 << 24; size >= 16;) {
        void **link = malloc(size);
        if (link == NULL) {
            size = size > 4096 ? size / 2 : size - 8; /* every small size: freed pieces are kept by size */
            continue;
        }
        *link = chain;
        chain = link;
    }
    return chain;
}

static void give_back(void *chain)
{
    while (chain != NULL) {
        void *next = *(void **)chain;
        free(chain);
        chain = next;
    }
}

/* Where not even the message finds room, it says so, and the status is still right. */
START_TEST(test_error_without_memory)
{
    if (SANITIZED) return;
    error set = {0}, added = {0}, memory = {0};
    error_set(&added, CAROM_IO, "first");
    void *chain = use_up_memory();
    carom_status a = error_set(&set, CAROM_USAGE, "a text that needs more room than is left: %s, %s", "here", "there");
    for (int k = 0; k < 1000; k++) error_add(&added, CAROM_USAGE, "line %d of many that do not fit any more at all", k);
    carom_status c = error_memory(&memory, "the gas", 1000);
    give_back(chain);
    ck_assert_int_eq(a, CAROM_USAGE);
    ck_assert_int_eq(set.status, CAROM_USAGE);
    ck_assert_str_eq(error_text(&set), "out of memory");
    ck_assert_int_eq(added.status, CAROM_IO);
    ck_assert_str_eq(error_text(&added), "out of memory");
    ck_assert_int_eq(c, CAROM_INTERNAL);
    ck_assert_ptr_nonnull(strstr(error_text(&memory), "out of memory"));
    error_set(&set, CAROM_IO, "afterwards");
    ck_assert_str_eq(error_text(&set), "afterwards");
    error_clear(&set);
    error_clear(&added);
    error_clear(&memory);
}
END_TEST

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

START_TEST(test_memory_new)
{
    static const size_t sizes[] = {0, 1, 7, 63, 64, 65, 4096, 1000003};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int again = 0; again < 3; again++) { /* used memory comes back zeroed as well */
            unsigned char *block = memory_new(sizes[k], 1);
            ck_assert_ptr_nonnull(block);
            ck_assert_uint_eq((uintptr_t)block % 64, 0);
            size_t set = 0;
            for (size_t i = 0; i < sizes[k]; i++) set += block[i] != 0;
            ck_assert_uint_eq(set, 0);
            memset(block, 0xff, sizes[k]);
            memory_free(block);
        }
    }
    memory_free(NULL);
}
END_TEST

START_TEST(test_memory_too_large)
{
    static const struct {
        size_t count, size;
    } cases[] = {
        {SIZE_MAX, 1},     {SIZE_MAX - 63, 1},     {SIZE_MAX / 2 + 1, 1}, {SIZE_MAX / 8 + 1, 8},
        {SIZE_MAX / 8, 8}, {SIZE_MAX, SIZE_MAX},   {2, SIZE_MAX / 2 + 1}, {(size_t)1 << 32, (size_t)1 << 32},
        {1, SIZE_MAX},     {(size_t)1 << 60, 256}, {(size_t)1 << 60, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ck_assert_msg(memory_new(cases[k].count, cases[k].size) == NULL, "%zu * %zu", cases[k].count, cases[k].size);
    }
}
END_TEST

START_TEST(test_memory_resize)
{
    int *block = memory_resize(NULL, 0, 100, sizeof *block);
    ck_assert_ptr_nonnull(block);
    for (int i = 0; i < 100; i++) block[i] = i + 1;
    block = memory_resize(block, 100, 1000, sizeof *block);
    for (int i = 0; i < 1000; i++) ck_assert_int_eq(block[i], i < 100 ? i + 1 : 0);
    block = memory_resize(block, 1000, 10, sizeof *block);
    for (int i = 0; i < 10; i++) ck_assert_int_eq(block[i], i + 1);
    ck_assert_ptr_null(memory_resize(block, 10, SIZE_MAX / 2, sizeof *block));
    ck_assert_ptr_null(memory_resize(block, 10, SIZE_MAX / 8, sizeof *block));
    for (int i = 0; i < 10; i++) ck_assert_int_eq(block[i], i + 1);
    block = memory_resize(block, 10, 0, sizeof *block);
    ck_assert_ptr_nonnull(block);
    memory_free(block);
}
END_TEST

START_TEST(test_memory_limit)
{
    if (SANITIZED) return;
    void *chain = use_up_memory();
    void *block = memory_new(1 << 20, 1);
    char *text = memory_text("a text longer than any piece of memory that may still be lying about");
    char *line = memory_format("%s", "a text longer than any piece of memory that may still be lying about");
    give_back(chain);
    ck_assert_ptr_null(block);
    ck_assert_ptr_null(text);
    ck_assert_ptr_null(line);
}
END_TEST

START_TEST(test_memory_text)
{
    char *copy = memory_text("grain");
    ck_assert_str_eq(copy, "grain");
    memory_free(copy);
    copy = memory_text("");
    ck_assert_str_eq(copy, "");
    memory_free(copy);
    copy = memory_format("%s-%03d", "frame", 7);
    ck_assert_str_eq(copy, "frame-007");
    memory_free(copy);
}
END_TEST

/* ---- Hashes ---------------------------------------------------------------------------------------------------- */

/* State hashes are stored in results: these numbers, worked out apart from this code, must never change. */
START_TEST(test_hash_pinned)
{
    ck_assert_uint_eq(hash_finish(HASH_START), 0xefd01f60ba992926ull);
    ck_assert_uint_eq(hash_finish(hash_u64(HASH_START, 0)), 0x3706559361f3e0fbull);
    ck_assert_uint_eq(hash_finish(hash_bytes(HASH_START, "collision", 9)), 0x80689b957ec73580ull);
}
END_TEST

START_TEST(test_hash_words_and_bytes)
{
    uint64_t words[3] = {1, UINT64_MAX, 0x0123456789abcdefull};
    uint64_t by_words = HASH_START;
    for (int k = 0; k < 3; k++) by_words = hash_u64(by_words, words[k]);
    ck_assert_uint_eq(hash_bytes(HASH_START, words, sizeof words), by_words);
    ck_assert_uint_eq(hash_bytes(hash_bytes(HASH_START, words, 8), words + 1, 16), by_words);
    ck_assert_uint_eq(hash_bytes(HASH_START, NULL, 0), HASH_START);
    char shifted[sizeof words + 1]; /* at any address */
    memcpy(shifted + 1, words, sizeof words);
    ck_assert_uint_eq(hash_bytes(HASH_START, shifted + 1, sizeof words), by_words);
}
END_TEST

static int compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Flipping any one or two bits of a state changes the hash; also the signs of two neighbours. */
START_TEST(test_hash_tells_bits_apart)
{
    enum { BITS = 256, COUNT = 1 + BITS + BITS * (BITS - 1) / 2 };
    uint64_t *seen = malloc(COUNT * sizeof *seen);
    double state[4] = {1.0, -2.5, 0.0, 1e300};
    int count = 0;
    for (int a = -1; a < BITS; a++) {
        for (int b = a < 0 ? -1 : a; b < BITS; b++) {
            if (a < 0 && b >= 0) break;
            uint64_t words[4];
            memcpy(words, state, sizeof words);
            if (a >= 0) words[a / 64] ^= 1ull << (a % 64);
            if (b > a) words[b / 64] ^= 1ull << (b % 64);
            seen[count++] = hash_finish(hash_bytes(HASH_START, words, sizeof words));
        }
    }
    ck_assert_int_eq(count, COUNT);
    qsort(seen, COUNT, sizeof *seen, compare_u64);
    for (int k = 1; k < COUNT; k++) {
        if (seen[k] == seen[k - 1]) ck_abort_msg("two states with hash %llx", (unsigned long long)seen[k]);
    }
    free(seen);
}
END_TEST

/* One bit more or less changes half of the hash's bits. */
START_TEST(test_hash_avalanche)
{
    double changed = 0.0;
    for (int k = 0; k < 64; k++) {
        uint64_t a = hash_finish(hash_u64(HASH_START, 42)), b = hash_finish(hash_u64(HASH_START, 42 ^ 1ull << k));
        changed += __builtin_popcountll(a ^ b);
    }
    EXPECT_CLOSE("bits changed", changed / 64.0, 32.0, 2.0);
}
END_TEST

int main(void)
{
    TCase *messages = tcase_create("messages");
    tcase_add_test(messages, test_error_set);
    tcase_add_test(messages, test_error_add);
    tcase_add_test(messages, test_error_from_itself);
    tcase_add_test(messages, test_error_long);
    tcase_add_test(messages, test_try);
    tcase_add_test(messages, test_error_memory);
    tcase_add_test(messages, test_error_without_memory);
    TCase *memory = tcase_create("memory");
    tcase_add_test(memory, test_memory_new);
    tcase_add_test(memory, test_memory_too_large);
    tcase_add_test(memory, test_memory_resize);
    tcase_add_test(memory, test_memory_limit);
    tcase_add_test(memory, test_memory_text);
    TCase *hash = tcase_create("hash");
    tcase_add_test(hash, test_hash_pinned);
    tcase_add_test(hash, test_hash_words_and_bytes);
    tcase_add_test(hash, test_hash_tells_bits_apart);
    tcase_add_test(hash, test_hash_avalanche);
    return suite_run("base", messages, memory, hash);
}
