/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/told_fuzz.c: any bytes as the statistics that the inference engine is told by (poise.told). What is accepted
 * must give pairs with 1 <= p <= N <= warps of a scheduler or none, what is refused must be told in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/units/poise_told.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

static void check_launch(const struct told *t, size_t launch)
{
    char message[256] = "";
    const struct told_pairs *told = told_of(t, launch, "k", message, sizeof message);
    if (!told) {
        assert_true(strlen(message) > 10);
        return;
    }
    for (unsigned sm = 0; sm < NUM_SMS; sm++)
        for (size_t i = 0; i < told[sm].count; i++) {
            const struct told_pair pair = told[sm].pairs[i];
            assert_true(pair.n ? 1 <= pair.p && pair.p <= pair.n && pair.n <= NUM_WARPS : !pair.p);
        }
}

int told_fuzz(const uint8_t *data, size_t size)
{
    char path[64], *said;
    size_t length;
    const int file = input_open(data, size, path);
    FILE *err = open_memstream(&said, &length);
    struct told *t = told_read(path, err);
    fclose(err);
    assert_true(!t == (length > 0));
    assert_true(!length || memchr(said, '\n', length) == said + length - 1);
    free(said);
    close(file);
    for (size_t launch = 0; t && launch < 4; launch++)
        check_launch(t, launch);
    told_free(t);
    return 0;
}
