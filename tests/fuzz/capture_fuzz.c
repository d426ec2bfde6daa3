/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/capture_fuzz.c: any bytes as the records of a capture, which are compressed here. What is played must be launches that a driver
 * could make, of memory that is there; what is refused must be told in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

#include "tb/capture/play.h"
#include "tb/capture/record.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

#define MOST_MEMORY (1u << 20)

struct host {
    struct gmem *memory;
    uint64_t launches, ended;
};

/* Writes the first byte of each allocation, so that memory differs from the capture's. */
static enum gpu_status launch(void *context, const struct gpu_launch *l,
                              const struct capture_program *program)
{
    struct host *h = context;
    uint64_t bytes = 0;
    assert_true(strlen(program->ptx) == program->ptx_bytes && program->module);
    assert_true(*program->name && *program->name != '.' && !strchr(program->name, '/'));
    assert_true(!l->kernel->refused && l->params && l->work_dim >= 1 && l->work_dim <= 3);
    for (int i = 0; i < 3; i++)
        assert_true(l->grid[i] && l->block[i]);
    for (size_t i = 0; gmem_range(h->memory, i); i++) {
        bytes += gmem_range(h->memory, i)->size;
        gmem_range(h->memory, i)->host[0]++;
    }
    assert_true(bytes <= MOST_MEMORY);
    return ++h->launches % 3 ? GPU_OK : GPU_FAULT;
}

static void written(void *context, uint64_t address, uint64_t bytes)
{
    struct host *h = context;
    assert_true(bytes && gmem_host(h->memory, address, bytes));
}

static void ended(void *context, const struct play_ended *e)
{
    struct host *h = context;
    assert_int_equal(e->number, h->launches);
    assert_int_equal(++h->ended, h->launches);
    assert_true(e->kernel && e->captured_message);
    assert_true(!e->difference.bytes || (e->status == GPU_OK && e->captured == GPU_OK));
}

int capture_fuzz(const uint8_t *data, size_t size)
{
    char path[64], *said;
    size_t length;
    struct host h = {gmem_new(), 0, 0};
    const struct play_host host = {&h,      h.memory, MOST_MEMORY, PTX_STACK_BYTES,
                                   written, launch,   ended};
    const size_t room = ZSTD_compressBound(size);
    uint8_t *packed = malloc(room);
    const size_t bytes = ZSTD_compress(packed, room, data, size, 1);
    const int file = input_open(CAPTURE_MARK, strlen(CAPTURE_MARK), path);
    assert_true(packed && !ZSTD_isError(bytes));
    assert_int_equal(write(file, packed, bytes), bytes);
    FILE *err = open_memstream(&said, &length);
    const int failed = capture_play(path, &host, err);
    fclose(err);
    assert_true(!failed == !length);
    assert_true(!length || memchr(said, '\n', length) == said + length - 1);
    assert_true(failed || h.ended == h.launches);
    free(said);
    free(packed);
    close(file);
    gmem_free_all(h.memory);
    return 0;
}
