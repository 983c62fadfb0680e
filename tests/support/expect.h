/* Comparisons that print what they compared. CAROM_TOL_SCALE scales every tolerance; 0 shows the residuals. */
#ifndef CAROM_TESTS_EXPECT_H
#define CAROM_TESTS_EXPECT_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline double expect_scale(void)
{
    const char *text = getenv("CAROM_TOL_SCALE");
    return text != NULL ? atof(text) : 1.0;
}

/* |value - wanted| <= tolerance (absolute). */
#define EXPECT_CLOSE(name, value, wanted, tolerance)                                                                   \
    do {                                                                                                               \
        double value_ = (value), wanted_ = (wanted), tolerance_ = (tolerance)*expect_scale();                          \
        printf("%s = %.17g, expected %.17g within %.3g: off by %.3g\n", name, value_, wanted_, tolerance_,             \
               fabs(value_ - wanted_));                                                                                \
        ck_assert_msg(fabs(value_ - wanted_) <= tolerance_, "%s = %.17g, expected %.17g within %.3g", name, value_,    \
                      wanted_, tolerance_);                                                                            \
    } while (0)

#endif
