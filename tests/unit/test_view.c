/* Detects wrong live-page protocol (against the examples of the standards), mailbox, and reduction of large scenes. */
#include "view/server/mailbox.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "base/memory.h"
#include "view/server/sha1.h"
#include "view/server/websocket.h"

/* clang-format off */
/* FIPS 180-4's examples, and one for each length of the padding. */
START_TEST(sha1_of_the_standard)
{
    static const char *const pairs[][2] = {
        {"", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
        {"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "c1c8bbdc22796e28c0e15163d20899b65621d65a"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "0098ba824b5c16427bd7a1122a5a442a25ec644d"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        uint8_t hash[SHA1_SIZE];
        char text[2 * SHA1_SIZE + 1];
        sha1(pairs[k][0], strlen(pairs[k][0]), hash);
        for (int i = 0; i < SHA1_SIZE; i++) snprintf(text + 2 * i, 3, "%02x", hash[i]);
        printf("%zu letters: %s\n", strlen(pairs[k][0]), text);
        ck_assert_str_eq(text, pairs[k][1]);
    }
}
END_TEST

/* RFC 6455, sections 1.3 and 5.7. */
START_TEST(websocket_of_the_standard)
{
    static const uint8_t hello[] = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58};
    char answer[WEBSOCKET_ANSWER];
    uint8_t header[WEBSOCKET_HEADER];
    websocket_reader reader = {0};
    websocket_message message;
    size_t used;
    int code;
    websocket_accept("dGhlIHNhbXBsZSBub25jZQ==", answer);
    ck_assert_str_eq(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    ck_assert_int_eq(websocket_read(&reader, hello, sizeof hello - 1, &used, &message, &code), WEBSOCKET_MORE);
    ck_assert_uint_eq(used, 0);
    ck_assert_int_eq(websocket_read(&reader, hello, sizeof hello, &used, &message, &code), WEBSOCKET_WHOLE);
    ck_assert_str_eq(message.data, "Hello");
    ck_assert_uint_eq(used, sizeof hello);
    ck_assert_uint_eq(websocket_header(WEBSOCKET_TEXT, 5, header), 2);
    ck_assert_mem_eq(header, "\x81\x05", 2);
    ck_assert_uint_eq(websocket_header(WEBSOCKET_BINARY, 256, header), 4);
    ck_assert_mem_eq(header, "\x82\x7e\x01\x00", 4);
    ck_assert_uint_eq(websocket_header(WEBSOCKET_BINARY, 65536, header), 10);
    ck_assert_mem_eq(header, "\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10);
}
END_TEST

/* A frame of `count` disks in a row, moving ever faster; `meshes` of its last particles. */
static void make_subject(view_subject *s, carom_frame *f, size_t count, view_mesh *mesh, uint32_t vertices)
{
    error e = {0};
    ck_assert_int_eq(frame_create(f, 2, count, &e), CAROM_OK);
    f->box[0] = f->box[1] = (double)count;
    for (size_t i = 0; i < count; i++) {
        f->position[2 * i] = (double)i;
        f->velocity[2 * i + 1] = (double)i;
        f->radius[i] = 0.5;
        f->id[i] = (uint32_t)i;
    }
    *mesh = (view_mesh){.name = "mesh", .first = (uint32_t)count - vertices, .vertices = vertices};
    *s = (view_subject){.title = "t", .engine = "hard", .first = f, .meshes = mesh, .mesh_count = vertices > 0};
}

/* However many there are, a frame has so many bytes and no more; vertices of meshes are all shown, or none as such. */
START_TEST(frames_are_bounded)
{
    static const struct { size_t count; uint32_t vertices; size_t points, stride; bool meshes; } cases[] = {
        {1, 0, 1, 1, true}, {1000, 10, 1000, 1, true}, {150000, 0, 150000, 1, true}, {150001, 0, 75001, 2, true},
        {1000000, 0, 142858, 7, true}, {300000, 75000, 75000 + 75000, 3, true}, {200000, 75001, 100000, 2, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        error e = {0};
        view_subject s;
        carom_frame f;
        view_mesh mesh;
        view_choice c;
        picture p;
        size_t size = 0;
        make_subject(&s, &f, cases[k].count, &mesh, cases[k].vertices);
        ck_assert_int_eq(choice_make(&c, &s, &e), CAROM_OK);
        ck_assert_int_eq(picture_create(&p, &s, &c, &e), CAROM_OK);
        picture_fill(&p, &c, &f, &(view_status){.state = VIEW_RUNNING});
        uint8_t *message = encode_frame(&p, &size);
        printf("%zu particles: %zu shown, every %zu., %zu bytes\n", cases[k].count, c.points, c.stride, size);
        ck_assert_uint_eq(c.points, cases[k].points);
        ck_assert_uint_eq(c.stride, cases[k].stride);
        ck_assert_int_eq(c.meshes, cases[k].meshes);
        ck_assert_uint_le(size, 224 + 6 * VIEW_POINTS);
        if (cases[k].vertices > 0 && c.meshes) ck_assert_uint_eq(c.particle[c.points - 1], cases[k].count - 1);
        memory_free(message);
        picture_destroy(&p);
        choice_free(&c);
        frame_destroy(&f);
    }
}
END_TEST

/* What is not a number, and what has flown away, spoils nothing of the rest. */
START_TEST(odd_places_are_encoded)
{
    error e = {0};
    view_subject s;
    carom_frame f;
    view_mesh mesh;
    view_choice c;
    picture p;
    size_t size = 0;
    make_subject(&s, &f, 100, &mesh, 0);
    f.position[0] = NAN;
    f.position[2] = 1e300;
    f.position[4] = -INFINITY;
    f.velocity[6] = NAN;
    ck_assert_int_eq(choice_make(&c, &s, &e), CAROM_OK);
    ck_assert_int_eq(picture_create(&p, &s, &c, &e), CAROM_OK);
    picture_fill(&p, &c, &f, &(view_status){0});
    uint8_t *message = encode_frame(&p, &size);
    ck_assert_ptr_nonnull(message);
    double low[3], high[3];
    memcpy(low, message + 4 + 88, sizeof low);
    memcpy(high, message + 4 + 112, sizeof high);
    printf("from %g to %g\n", low[0], high[0]);
    ck_assert(low[0] <= 3 && low[0] > 3 - 3300 / 16. && high[0] >= 99 && high[0] <= 3300 * (1 + 1 / 16.));
    memory_free(message);
    picture_destroy(&p);
    choice_free(&c);
    frame_destroy(&f);
}
END_TEST

enum { POSTS = 20000 };

static void *post_all(void *user)
{
    mailbox *m = user;
    for (int k = 1; k <= POSTS; k++) {
        picture *p = mailbox_open(m);
        p->moment.time = k;
        for (size_t n = 0; n < p->points; n++) p->speed[n] = (float)k;
        mailbox_post(m, p);
        while (k % 100 == 0 && atomic_load(&m->latest) >= 0) sched_yield(); /* now and then it is read */
    }
    return NULL;
}

/* A reader gets whole pictures, ever newer ones, and the last. */
START_TEST(the_newest_picture_wins)
{
    error e = {0};
    view_subject s;
    carom_frame f;
    view_mesh mesh;
    view_choice c;
    mailbox m;
    pthread_t writer;
    make_subject(&s, &f, 50, &mesh, 0);
    ck_assert_int_eq(choice_make(&c, &s, &e), CAROM_OK);
    ck_assert_int_eq(mailbox_create(&m, &s, &c, &e), CAROM_OK);
    ck_assert_ptr_null(mailbox_take(&m));
    ck_assert_int_eq(pthread_create(&writer, NULL, post_all, &m), 0);
    double last = 0;
    int read = 0;
    while (last < POSTS) {
        picture *p = mailbox_take(&m);
        if (p == NULL) continue;
        ck_assert(p->moment.time > last);
        last = p->moment.time;
        for (size_t n = 0; n < p->points; n++) ck_assert(p->speed[n] == (float)last);
        mailbox_return(&m, p);
        read++;
    }
    pthread_join(writer, NULL);
    ck_assert_ptr_null(mailbox_take(&m));
    printf("%d written, %d read, the last too\n", POSTS, read);
    ck_assert_int_ge(read, POSTS / 100);
    mailbox_destroy(&m);
    choice_free(&c);
    frame_destroy(&f);
}
END_TEST
/* clang-format on */

int main(void)
{
    TCase *all = tcase_create("view");
    tcase_add_test(all, sha1_of_the_standard);
    tcase_add_test(all, websocket_of_the_standard);
    tcase_add_test(all, frames_are_bounded);
    tcase_add_test(all, odd_places_are_encoded);
    tcase_add_test(all, the_newest_picture_wins);
    return suite_run("view", all);
}
