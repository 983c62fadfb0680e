/* Runs a fuzz target without libFuzzer: over checked-in inputs, and over some random ones that are the same every time.
 *     replay FOLDER-OR-FILE...
 *     replay --random COUNT SEED        other random ones, and no files */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 1;
    uint8_t *data = NULL;
    size_t size = 0, capacity = 0, got = 0;
    do {
        if (size == capacity) {
            capacity = 2 * capacity + 4096;
            uint8_t *grown = realloc(data, capacity);
            if (grown == NULL) exit(1);
            data = grown;
        }
        got = fread(data + size, 1, capacity - size, file);
        size += got;
    } while (got > 0);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

static int replay_folder(const char *folder, size_t *count)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        (*count)++;
        return replay_file(folder);
    }
    int bad = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        bad += replay_file(path);
        (*count)++;
    }
    closedir(dir);
    return bad;
}

/* One that takes longer than any should hangs: the program ends. */
static void try_one(const uint8_t *data, size_t size)
{
    alarm(60);
    LLVMFuzzerTestOneInput(data, size);
    alarm(0);
}

static void random_inputs(uint64_t count, uint64_t seed)
{
    uint8_t data[512];
    uint64_t state = 88172645463325252u ^ seed; /* xorshift64 (Marsaglia 2003) */
    for (uint64_t i = 0; i < count; i++) {
        size_t size = i % (sizeof data + 1);
        for (size_t k = 0; k < size; k++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            data[k] = (uint8_t)(state >> 32);
        }
        try_one(data, size);
    }
}

int main(int argc, char **argv)
{
    uint64_t random = 2000, seed = 0;
    size_t count = 0;
    int bad = 0;
    if (argc == 4 && strcmp(argv[1], "--random") == 0) {
        random = strtoull(argv[2], NULL, 10);
        seed = strtoull(argv[3], NULL, 10);
        argc = 1;
    }
    for (int i = 1; i < argc; i++) bad += replay_folder(argv[i], &count);
    random_inputs(random, seed);
    printf("replayed %zu inputs, %d unreadable, and %" PRIu64 " random ones\n", count, bad, random);
    return bad > 0;
}
