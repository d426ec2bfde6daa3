/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/common/sha1_test.c: SHA-1 against published digests, and messages of all
 * lengths around a block's end against digests of a system tool (sha1sum). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/sha1.h"

#define TEXT_SIZE (8 * SHA1_WORDS + 1)

static void digest_text(const void *message, size_t size, char text[TEXT_SIZE])
{
    uint32_t digest[SHA1_WORDS];
    sha1(message, size, digest);
    for (unsigned i = 0; i < SHA1_WORDS; i++)
        snprintf(text + 8 * i, TEXT_SIZE - 8 * i, "%08x", digest[i]);
}

static void published_digests(void **state)
{
    static const struct {
        const char *message, *digest;
    } cases[] = {
        {"", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
        {"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
    };
    char text[TEXT_SIZE], *million = malloc(1000000);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        digest_text(cases[i].message, strlen(cases[i].message), text);
        assert_string_equal(text, cases[i].digest);
    }
    assert_non_null(million);
    memset(million, 'a', 1000000);
    digest_text(million, 1000000, text);
    free(million);
    assert_string_equal(text, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

/* `size` letters x, hashed by sha1sum. */
static void system_digest(size_t size, char text[TEXT_SIZE])
{
    char command[128];
    snprintf(command, sizeof command, "head -c %zu /dev/zero | tr '\\0' x | sha1sum", size);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    assert_int_equal(fread(text, 1, TEXT_SIZE - 1, out), TEXT_SIZE - 1);
    text[TEXT_SIZE - 1] = '\0';
    pclose(out);
}

static void lengths_around_a_block(void **state)
{
    char message[130], text[TEXT_SIZE], expected[TEXT_SIZE];
    (void)state;
    memset(message, 'x', sizeof message);
    for (size_t size = 52; size <= sizeof message; size += size == 66 ? 52 : 1) {
        digest_text(message, size, text);
        system_digest(size, expected);
        assert_string_equal(text, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_digests),
        cmocka_unit_test(lengths_around_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
