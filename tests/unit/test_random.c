/* Detects wrong random numbers: known answers, independence of the order of draws, moments. */
#include "../support/expect.h"
#include "../support/suite.h"
#include "base/random.h"

static double unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* The known answers of Philox4x32-10 that come with Random123 (Salmon et al., SC11). */
START_TEST(known_answers)
{
    static const struct {
        uint64_t seed, entity, index, first, second;
        uint32_t stream;
    } cases[] = {
        {0, 0, 0, 0x6627e8d5e169c58d, 0xbc57ac4c9b00dbd8, 0},
        {0xffffffffffffffff, 0xffffffffffffffff, 0xffffffff, 0x408f276d41c83b0e, 0xa20bc7c66d5451fd, 0xffffffff},
        {0x299f31d0a4093822, 0x85a308d3243f6a88, 0x13198a2e, 0xd16cfe0994fdcceb, 0x5001e42024126ea1, 0x03707344},
    };
    for (size_t i = 0; i < 3; i++) {
        double out[2];
        random_uniform2((random_key){cases[i].seed, cases[i].stream}, cases[i].entity, cases[i].index, out);
        EXPECT_CLOSE("first", out[0], unit(cases[i].first), 0);
        EXPECT_CLOSE("second", out[1], unit(cases[i].second), 0);
    }
}
END_TEST

START_TEST(keys_differ)
{
    const random_key key = {7, RANDOM_POSITION};
    double base = random_uniform(key, 3, 5);
    ck_assert(base == random_uniform(key, 3, 5));
    ck_assert(base != random_uniform((random_key){8, RANDOM_POSITION}, 3, 5));
    ck_assert(base != random_uniform((random_key){7, RANDOM_VELOCITY}, 3, 5));
    ck_assert(base != random_uniform(key, 4, 5));
    ck_assert(base != random_uniform(key, 3, 6));
    ck_assert(base != random_uniform(key, 3, 5 + (1ull << 32)));
    ck_assert(base != random_uniform(key, 3 + (1ull << 32), 5));
}
END_TEST

enum { DRAWS = 200000 };

/* Moments against those of the distributions, within five standard errors. */
START_TEST(uniform_moments)
{
    double sum = 0, square = 0, cross = 0, low = 1, high = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        double u[2];
        random_uniform2((random_key){1, RANDOM_GENERAL}, i, 0, u);
        sum += u[0] + u[1];
        square += u[0] * u[0] + u[1] * u[1];
        cross += (u[0] - 0.5) * (u[1] - 0.5);
        low = fmin(low, fmin(u[0], u[1]));
        high = fmax(high, fmax(u[0], u[1]));
    }
    const double n = 2.0 * DRAWS;
    EXPECT_CLOSE("mean", sum / n, 0.5, 5 * sqrt(1 / 12.0 / n));
    EXPECT_CLOSE("second moment", square / n, 1 / 3.0, 5 * sqrt(4 / 45.0 / n));
    EXPECT_CLOSE("correlation", cross / DRAWS, 0, 5 / 12.0 / sqrt(DRAWS));
    ck_assert(low >= 0 && low < 1e-4 && high < 1 && high > 1 - 1e-4);
}
END_TEST

START_TEST(normal_moments)
{
    double moment[5] = {0}, cross = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        double x[2];
        random_normal2((random_key){1, RANDOM_GENERAL}, i, 1, x);
        for (int k = 0; k < 2; k++)
            for (int m = 1; m <= 4; m++) moment[m] += pow(x[k], m);
        cross += x[0] * x[1];
    }
    const double n = 2.0 * DRAWS;
    EXPECT_CLOSE("mean", moment[1] / n, 0, 5 * sqrt(1 / n));
    EXPECT_CLOSE("variance", moment[2] / n, 1, 5 * sqrt(2 / n));
    EXPECT_CLOSE("third moment", moment[3] / n, 0, 5 * sqrt(15 / n));
    EXPECT_CLOSE("fourth moment", moment[4] / n, 3, 5 * sqrt(96 / n));
    EXPECT_CLOSE("correlation", cross / DRAWS, 0, 5 / sqrt(DRAWS));
}
END_TEST

START_TEST(integers_are_uniform)
{
    enum { FACES = 7 };
    double seen[FACES] = {0}, chi2 = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t face = random_below((random_key){1, RANDOM_GENERAL}, i, 2, FACES);
        ck_assert_uint_lt(face, FACES);
        seen[face] += 1;
    }
    for (int f = 0; f < FACES; f++) chi2 += pow(seen[f] - DRAWS / (double)FACES, 2) / (DRAWS / (double)FACES);
    EXPECT_CLOSE("chi squared of six degrees of freedom", chi2, 6, 18);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("random");
    tcase_add_test(cases, known_answers);
    tcase_add_test(cases, keys_differ);
    tcase_add_test(cases, uniform_moments);
    tcase_add_test(cases, normal_moments);
    tcase_add_test(cases, integers_are_uniform);
    return suite_run("random", cases);
}
