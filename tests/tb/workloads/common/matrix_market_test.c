/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/matrix_market_test.c: good files against their dense matrices; bad ones
 * against the exact message; every truncation; random damage. */
#include "tests/tb/workloads/common/csr_check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tb/workloads/common/matrix_market.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/reference.h"

#define MESSAGE_SIZE 256
#define BANNER       "%%MatrixMarket matrix coordinate "

static int read_text(struct csr *m, const char *text, size_t length, char *message)
{
    FILE *in = fmemopen((void *)text, length, "r");
    assert_non_null(in);
    message[0] = '\0';
    int result = matrix_market_read(m, in, "m.mtx", message, MESSAGE_SIZE);
    fclose(in);
    return result;
}

/* Good files of 3 x 3 matrices, and what they say. */
static const struct {
    const char *text;
    unsigned nonzeros;
    float dense[9];
} good[] = {
    {BANNER "real general\n3 3 4\n1 1 1.5\n3 2 -2e1\n2 3 .25\n1 3 +4\n",
     4,
     {1.5, 0, 4, 0, 0, .25, 0, -20, 0}},
    {BANNER "real general\n3 3 0\n", 0, {0}},
    {BANNER "integer general\n3 3 2\n1 1 -7\n3 3 12\n", 2, {-7, 0, 0, 0, 0, 0, 0, 0, 12}},
    {BANNER "pattern general\n3 3 2\n2 1\n1 2\n", 2, {0, 1, 0, 1, 0, 0, 0, 0, 0}},
    {BANNER "real symmetric\n3 3 3\n1 1 1\n2 1 2\n3 2 3\n", 5, {1, 2, 0, 2, 0, 3, 0, 3, 0}},
    {BANNER "pattern symmetric\n3 3 2\n2 2\n3 1\n", 3, {0, 0, 1, 0, 1, 0, 1, 0, 0}},
    {BANNER "real skew-symmetric\n3 3 2\n2 1 5\n3 1 -6\n", 4, {0, -5, 6, 5, 0, 0, -6, 0, 0}},
    {BANNER "integer skew-symmetric\n3 3 1\n3 2 8\n", 2, {0, 0, 0, 0, 0, -8, 0, 8, 0}},
    /* Names in capitals, comments, blank lines, tabs, carriage returns. */
    {"%%MatrixMarket MATRIX Coordinate REAL General\r\n% a comment\n\n  \t\n%\n3\t3 2\r\n% more\n "
     "1 2\t3 \r\n\n3 1 4\n%end\n",
     2,
     {0, 3, 0, 0, 0, 0, 4, 0, 0}},
    /* Repeated places count together. */
    {BANNER "real general\n3 3 3\n2 2 1\n2 2 2\n2 2 4\n", 3, {0, 0, 0, 0, 7, 0, 0, 0, 0}},
};

static void reads_good_files(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof good / sizeof good[0]; g++) {
        char message[MESSAGE_SIZE];
        struct csr m;
        assert_int_equal(read_text(&m, good[g].text, strlen(good[g].text), message), 0);
        check_csr(&m, 1);
        assert_int_equal(m.nonzeros, good[g].nonzeros);
        for (unsigned column = 0; column < 3; column++) {
            float unit[3] = {0}, y[3];
            unit[column] = 1;
            reference_multiply(&m, unit, y);
            for (unsigned row = 0; row < 3; row++)
                assert_true(y[row] == good[g].dense[3 * row + column]);
        }
        csr_free(&m);
    }
}

static void keeps_repeated_entries_in_order(void **state)
{
    static const char text[] = BANNER "real general\n2 2 4\n1 2 4\n1 1 9\n1 2 -3\n1 2 2\n";
    char message[MESSAGE_SIZE];
    struct csr m;
    (void)state;
    assert_int_equal(read_text(&m, text, sizeof text - 1, message), 0);
    assert_int_equal(m.nonzeros, 4);
    const float expected[] = {9, 4, -3, 2};
    for (unsigned i = 0; i < 4; i++)
        assert_true(m.value[i] == expected[i]);
    csr_free(&m);
}

static const struct {
    const char *text, *message;
} bad[] = {
#define NO_BANNER                                                                                  \
    "m.mtx:1: not a Matrix Market file; expected \"%%MatrixMarket matrix coordinate FIELD "        \
    "SYMMETRY\""
    {"\n", NO_BANNER},
    {"1 1 1\n", NO_BANNER},
    {"%MatrixMarket matrix coordinate real general\n", NO_BANNER},
    {BANNER "real\n", NO_BANNER},
    {BANNER "real general more\n", NO_BANNER},
    {"%%MatrixMarket vector coordinate real general\n",
     "m.mtx:1: object \"vector\"; expected matrix"},
    {"%%MatrixMarket matrix array real general\n",
     "m.mtx:1: format \"array\"; expected coordinate"},
    {BANNER "complex general\n", "m.mtx:1: field \"complex\"; expected real, integer or pattern"},
    {BANNER "real hermitian\n",
     "m.mtx:1: symmetry \"hermitian\"; expected general, symmetric or skew-symmetric"},
    {BANNER "pattern skew-symmetric\n",
     "m.mtx:1: a pattern has no signs; expected general or symmetric"},
    {BANNER "r\033[31mal general\n",
     "m.mtx:1: field \"r?[31mal\"; expected real, integer or pattern"},
#define NO_SIZES "; expected the size line \"ROWS COLUMNS ENTRIES\""
    {BANNER "real general\n", "m.mtx:2: the file ends here" NO_SIZES},
    {BANNER "real general\n% only\n\n", "m.mtx:4: the file ends here" NO_SIZES},
    {BANNER "real general\n3 3\n", "m.mtx:2: a line of another form" NO_SIZES},
    {BANNER "real general\n3 3 1 1\n", "m.mtx:2: a line of another form" NO_SIZES},
    {BANNER "real general\n0 3 1\n", "m.mtx:2: number of rows 0 is outside 1..16777216"},
    {BANNER "real general\n3 0 1\n", "m.mtx:2: number of columns 0 is outside 1..16777216"},
    {BANNER "real general\n16777217 3 1\n",
     "m.mtx:2: number of rows 16777217 is outside 1..16777216"},
    {BANNER "real general\n-3 3 1\n", "m.mtx:2: number of rows \"-3\"; expected a whole number"},
    {BANNER "real general\n3 3.0 1\n",
     "m.mtx:2: number of columns \"3.0\"; expected a whole number"},
    {BANNER "real general\n3 18446744073709551617 1\n",
     "m.mtx:2: number of columns 18446744073709551617 is outside 1..16777216"},
    {BANNER "real general\n3 3 99999999999999999999999999999999999999\n",
     "m.mtx:2: number of entries 99999999999999999999999999999999 is outside 0..268435456"},
    {BANNER "real symmetric\n3 3 134217729\n",
     "m.mtx:2: number of entries 134217729 is outside 0..134217728"},
    {BANNER "real symmetric\n3 4 1\n",
     "m.mtx:2: a symmetric matrix of 3 rows and 4 columns; expected a square one"},
    {BANNER "real general\n3 3 2\n% one\n1 1 1\n",
     "m.mtx:5: the file ends after 1 entries; the size line says 2"},
    {BANNER "real general\n3 3 200000000\n1 1 1\n",
     "m.mtx:4: the file ends after 1 entries; the size line says 200000000"},
    {BANNER "real general\n3 3 1\n1 1 1\n\n2 2 2\n",
     "m.mtx:5: a line after the last entry; the size line says 1 entries"},
    {BANNER "real general\n3 3 1\n1 1\n",
     "m.mtx:3: an entry of too few words; expected \"ROW COLUMN VALUE\""},
    {BANNER "real general\n3 3 1\n1 1 1 0\n",
     "m.mtx:3: an entry of too many words; expected \"ROW COLUMN VALUE\""},
    {BANNER "pattern general\n3 3 1\n1 1 1\n",
     "m.mtx:3: an entry of too many words; expected \"ROW COLUMN\""},
    {BANNER "real general\n3 3 1\n4 1 1\n", "m.mtx:3: row 4 is outside 1..3"},
    {BANNER "real general\n8192 9 2\n1 1 1\n\n9000 1 1\n", "m.mtx:5: row 9000 is outside 1..8192"},
    {BANNER "real general\n3 3 1\n0 1 1\n", "m.mtx:3: row 0 is outside 1..3"},
    {BANNER "real general\n3 3 1\n1 4294967297 1\n", "m.mtx:3: column 4294967297 is outside 1..3"},
    {BANNER "real general\n3 3 1\none 1 1\n", "m.mtx:3: row \"one\"; expected a whole number"},
    {BANNER "real general\n3 3 1\n1 1 x\n", "m.mtx:3: value \"x\"; expected a real number"},
    {BANNER "real general\n3 3 1\n1 1 1.5.2\n", "m.mtx:3: value \"1.5.2\"; expected a real number"},
    {BANNER "real general\n3 3 1\n1 1 1e\n", "m.mtx:3: value \"1e\"; expected a real number"},
    {BANNER "real general\n3 3 1\n1 1 .\n", "m.mtx:3: value \".\"; expected a real number"},
    {BANNER "real general\n3 3 1\n1 1 nan\n", "m.mtx:3: value \"nan\"; expected a real number"},
    {BANNER "real general\n3 3 1\n1 1 -inf\n", "m.mtx:3: value \"-inf\"; expected a real number"},
    {BANNER "real general\n3 3 1\n1 1 0x10\n", "m.mtx:3: value \"0x10\"; expected a real number"},
    {BANNER "real general\n3 3 1\n1 1 1e39\n", "m.mtx:3: value 1e39 does not fit a 32-bit float"},
    {BANNER "integer general\n3 3 1\n1 1 1.0\n", "m.mtx:3: value \"1.0\"; expected a whole number"},
    {BANNER "integer general\n3 3 1\n1 1 -\n", "m.mtx:3: value \"-\"; expected a whole number"},
    {BANNER "real symmetric\n3 3 1\n1 2 1\n",
     "m.mtx:3: row 1, column 2 of a symmetric matrix; expected only its lower triangle"},
    {BANNER "real skew-symmetric\n3 3 1\n2 2 1\n",
     "m.mtx:3: row 2, column 2 of a skew-symmetric matrix; expected nothing on the diagonal"},
    {BANNER "real general\n3 3 1\n1 1 1",
     "m.mtx:3: the file ends inside this line; expected a line end"},
};

static void rejects_bad_files(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        char message[MESSAGE_SIZE];
        struct csr m;
        assert_int_equal(read_text(&m, bad[b].text, strlen(bad[b].text), message), -1);
        assert_string_equal(message, bad[b].message);
        assert_null(m.start);
    }
}

static void rejects_zero_bytes_and_long_lines(void **state)
{
    static const char zero[] = BANNER "real general\n3 3 1\n1 1\0 1\n";
    char text[4096], message[MESSAGE_SIZE];
    struct csr m;
    (void)state;
    assert_int_equal(read_text(&m, zero, sizeof zero - 1, message), -1);
    assert_string_equal(message, "m.mtx:3: a zero byte; expected text");
    /* 1024 characters are allowed, 1025 are not; a comment may be longer. */
    for (int length = 1024; length <= 1025; length++) {
        int used = snprintf(text, sizeof text, "%sreal general\n3 3 1\n%%%2000s\n1 1 %*s\n", BANNER,
                            "x", length - 4, "1");
        assert_int_equal(read_text(&m, text, (size_t)used, message), length == 1024 ? 0 : -1);
        assert_string_equal(
            message, length == 1024 ? "" : "m.mtx:4: the line is longer than 1024 characters");
        csr_free(&m);
    }
}

/* Every message names the file and a line. */
static void check_message(const char *message)
{
    assert_memory_equal(message, "m.mtx:", 6);
    assert_true(isdigit((unsigned char)message[6]));
    assert_non_null(strstr(message, ": "));
}

static void rejects_every_truncation(void **state)
{
    (void)state;
    for (size_t g = 0; g < 8; g++) { /* those without comments behind the last entry */
        for (size_t length = 1; length < strlen(good[g].text); length++) {
            char message[MESSAGE_SIZE];
            struct csr m;
            assert_int_equal(read_text(&m, good[g].text, length, message), -1);
            check_message(message);
        }
    }
}

/* A few bytes changed, dropped or added. What is still accepted is a valid matrix. */
static void survives_random_damage(void **state)
{
    static const char bytes[] = "0123456789 -+.eE%\n\t\r\0ax\377";
    struct random random = {11};
    unsigned accepted = 0;
    (void)state;
    for (unsigned trial = 0; trial < 20000; trial++) {
        const char *original = good[trial % (sizeof good / sizeof good[0])].text;
        char text[512], message[MESSAGE_SIZE];
        size_t length = strlen(original);
        struct csr m;
        memcpy(text, original, length);
        for (uint64_t changes = 1 + random_below(&random, 3); changes > 0; changes--) {
            size_t at = random_below(&random, length);
            uint64_t kind = random_below(&random, 3);
            if (kind == 0 && length > 1) {
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
                continue;
            }
            if (kind == 1) {
                memmove(text + at + 1, text + at, length - at);
                length++;
            }
            text[at] = bytes[random_below(&random, sizeof bytes - 1)];
        }
        if (read_text(&m, text, length, message) == 0) {
            check_csr(&m, 1);
            accepted++;
        } else {
            check_message(message);
            assert_null(m.start);
        }
        csr_free(&m);
    }
    assert_in_range(accepted, 500, 15000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_good_files),
        cmocka_unit_test(keeps_repeated_entries_in_order),
        cmocka_unit_test(rejects_bad_files),
        cmocka_unit_test(rejects_zero_bytes_and_long_lines),
        cmocka_unit_test(rejects_every_truncation),
        cmocka_unit_test(survives_random_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
