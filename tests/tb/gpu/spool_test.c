/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/spool_test.c: texts that grow side by side, on several threads, in memory and in a
 * file. What each must be is computed from its number. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tb/gpu/spool.h"

#define THREADS 3
#define TEXTS   20 /* of a thread */

/* Byte i of text n. */
static char byte_of(unsigned n, uint64_t i)
{
    return (char)('a' + (n * 7 + i / 3) % 26);
}

/* Lengths around those of pages, and others; text 0 is empty. */
static uint64_t length_of(unsigned n)
{
    return n == 0 ? 0 : n % 3 == 0 ? SPOOL_PAGE * (n % 5) : n * n * 997u % (6 * SPOOL_PAGE);
}

struct writer {
    struct spool *spool;
    unsigned first;
    struct spool_text texts[TEXTS];
};

/* All texts grow in turns, by pieces of all lengths. */
static void *write_texts(void *context)
{
    struct writer *w = context;
    uint64_t done[TEXTS] = {0};
    char piece[3000];
    for (unsigned left = TEXTS, turn = 1; left; turn++) {
        left = 0;
        for (unsigned t = 0; t < TEXTS; t++) {
            const uint64_t rest = length_of(w->first + t) - done[t];
            const uint64_t most = (turn * 311 + t) % sizeof piece, now = rest < most ? rest : most;
            for (uint64_t i = 0; i < now; i++)
                piece[i] = byte_of(w->first + t, done[t] + i);
            spool_add(w->spool, &w->texts[t], piece, (uint32_t)now);
            done[t] += now;
            left += done[t] < length_of(w->first + t);
            if (done[t] == length_of(w->first + t))
                spool_rest(w->spool, &w->texts[t]);
        }
    }
    return NULL;
}

static void check_text(struct spool *s, struct spool_text *t, unsigned number)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    spool_write(s, t, to);
    fclose(to);
    assert_int_equal(size, length_of(number));
    for (size_t i = 0; i < size; i++)
        if (text[i] != byte_of(number, i))
            fail_msg("text %u, byte %zu", number, i);
    free(text);
}

static void run(uint64_t memory)
{
    static struct writer writers[THREADS];
    struct spool *s = spool_open("/tmp", memory);
    uint64_t pages, places, all = 0, before = 0;
    assert_non_null(s);
    for (unsigned round = 0; round < 3; round++) {
        pthread_t threads[THREADS];
        memset(writers, 0, sizeof writers);
        for (unsigned i = 0; i < THREADS; i++) {
            writers[i].spool = s;
            writers[i].first = i * TEXTS;
            pthread_create(&threads[i], NULL, write_texts, &writers[i]);
        }
        for (unsigned i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        assert_int_equal(spool_error(s), 0);
        spool_pages(s, &pages, &places);
        assert_true(pages <= memory / SPOOL_PAGE);
        all = pages + places;
        assert_true(all > 100);
        for (unsigned i = 0; i < THREADS * TEXTS; i++) {
            if (i % 7 == 3)
                spool_drop(s, &writers[i / TEXTS].texts[i % TEXTS]);
            else
                check_text(s, &writers[i / TEXTS].texts[i % TEXTS], i);
        }
        spool_pages(s, &pages, &places);
        assert_int_equal(pages, 0);
        if (round) /* the file's places are used again */
            assert_true(places <= before + before / 4 + 8);
        before = places;
    }
    spool_close(s);
}

static void texts_are_kept(void **unused)
{
    (void)unused;
    run(0);
    run(10 * SPOOL_PAGE);
    run(UINT64_C(1) << 30);
}

static void a_folder_that_is_not_there(void **unused)
{
    (void)unused;
    assert_null(spool_open("/nowhere", 0));
    assert_int_equal(errno, ENOENT);
    spool_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_kept),
        cmocka_unit_test(a_folder_that_is_not_there),
    };
    return cmocka_run_group_tests_name("tb/gpu/spool", tests, NULL, NULL);
}
