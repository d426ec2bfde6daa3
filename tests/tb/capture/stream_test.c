/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/capture/stream_test.c: what is written is read; a file that is cut anywhere, or in which any byte is another, is refused, or says
 * the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/capture/in.h"
#include "tb/capture/out.h"
#include "tests/tb/capture/place.h"

static uint8_t blob[3000];

static void write_one(void)
{
    struct capture_out *o = out_open(path, stderr);
    assert_non_null(o);
    for (unsigned i = 0; i < sizeof blob; i++)
        blob[i] = (uint8_t)(i * i >> 3);
    out_record(o, RECORD_write);
    out_u64(o, UINT64_C(0x0123456789abcdef));
    out_bytes(o, blob, sizeof blob);
    out_record(o, RECORD_ended);
    out_u32(o, UINT32_C(0x89abcdef));
    out_text(o, "a text");
    out_bytes(o, NULL, 0);
    out_record(o, RECORD_last);
    out_u64(o, 1);
    assert_int_equal(out_close(o, stderr), 0);
}

/* Whether the file says what was written; else it must have been refused. */
static int read_one(void)
{
    uint64_t wide = 0, count = 1, launches = 0;
    uint32_t narrow = 0;
    uint8_t *bytes = NULL, *text = NULL, *empty = NULL;
    char *said;
    size_t length;
    FILE *err = open_memstream(&said, &length);
    struct capture_in *in = in_open(path, err);
    fclose(err);
    if (!in) {
        assert_non_null(strstr(said, path));
        free(said);
        return 0;
    }
    assert_int_equal(length, 0);
    const int good = in_record(in) == RECORD_write && !in_u64(in, &wide) &&
                     !in_bytes(in, sizeof blob, &bytes, &count) && in_record(in) == RECORD_ended &&
                     !in_u32(in, &narrow) && !in_bytes(in, 100, &text, NULL) &&
                     !in_bytes(in, 100, &empty, NULL) && in_record(in) == RECORD_last &&
                     !in_last(in, &launches);
    if (good) {
        assert_null(in_error(in));
        assert_true(wide == UINT64_C(0x0123456789abcdef) && narrow == UINT32_C(0x89abcdef));
        assert_int_equal(count, sizeof blob);
        assert_int_equal(memcmp(bytes, blob, sizeof blob), 0);
        assert_string_equal(text, "a text");
        assert_string_equal(empty, "");
        assert_int_equal(launches, 1);
    } else if (!in_error(in)) /* a kind that is another */
        in_refuse(in, "is another");
    if (!good) {
        assert_non_null(strstr(in_error(in), path));
        assert_int_equal(in_u32(in, &narrow), -1); /* the first error stays */
    }
    free(bytes);
    free(text);
    free(empty);
    free(said);
    in_close(in);
    return good;
}

static uint8_t *load(size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = malloc(100000);
    *size = fread(bytes, 1, 100000, f);
    fclose(f);
    return bytes;
}

static void store(const uint8_t *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void what_is_written_is_read(void **unused)
{
    (void)unused;
    write_one();
    assert_int_equal(read_one(), 1);
}

static void cut_anywhere(void **unused)
{
    (void)unused;
    size_t size;
    write_one();
    uint8_t *bytes = load(&size);
    for (size_t i = 0; i < size; i++) {
        store(bytes, i);
        assert_int_equal(read_one(), 0);
    }
    bytes[size] = 0;
    store(bytes, size + 1);
    assert_int_equal(read_one(), 0);
    free(bytes);
}

static void any_byte_another(void **unused)
{
    (void)unused;
    size_t size;
    unsigned harmless = 0;
    write_one();
    uint8_t *bytes = load(&size);
    for (size_t i = 0; i < size; i++) {
        const uint8_t was = bytes[i];
        bytes[i] ^= (uint8_t)(1 << i % 8);
        store(bytes, size);
        harmless += (unsigned)read_one();
        bytes[i] = was;
    }
    assert_true(harmless <= 2); /* how much memory the reader may take */
    free(bytes);
}

/* A length that is larger than the file is not believed. */
static void lengths_are_not_believed(void **unused)
{
    (void)unused;
    uint8_t *bytes;
    uint64_t count;
    struct capture_out *o = out_open(path, stderr);
    out_record(o, RECORD_write);
    out_u64(o, UINT64_C(1) << 40);
    out_close(o, stderr);
    struct capture_in *in = in_open(path, stderr);
    in_record(in);
    assert_int_equal(in_bytes(in, UINT64_C(1) << 41, &bytes, &count), -1);
    assert_null(bytes);
    assert_non_null(strstr(in_error(in), "ends within it"));
    in_close(in);
    in = in_open(path, stderr);
    in_record(in);
    assert_int_equal(in_bytes(in, 1000, &bytes, &count), -1);
    assert_non_null(strstr(in_error(in), "expected at most 1000"));
    in_close(in);
}

static void nothing_half_written(void **unused)
{
    (void)unused;
    write_one();
    struct capture_out *o = out_open(path, stderr);
    out_record(o, RECORD_last);
    out_discard(o);
    assert_int_equal(read_one(), 1); /* what was there is still there */
    char *said;
    size_t length;
    FILE *err = open_memstream(&said, &length);
    assert_null(out_open("/nowhere/x", err));
    assert_null(in_open("/nowhere/x", err));
    o = out_open("/dev/full", err);
    assert_non_null(o);
    for (unsigned i = 0; i < 100000; i++)
        out_u64(o, i * UINT64_C(0x9e3779b97f4a7c15));
    assert_int_equal(out_close(o, err), -1);
    fclose(err);
    assert_non_null(strstr(said, "/nowhere/x: cannot be written: No such file"));
    assert_non_null(strstr(said, "/nowhere/x: cannot be read: No such file"));
    assert_non_null(strstr(said, "/dev/full: cannot be written: No space left"));
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read), cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(any_byte_another),        cmocka_unit_test(lengths_are_not_believed),
        cmocka_unit_test(nothing_half_written),
    };
    return cmocka_run_group_tests(tests, make_path, drop_path);
}
