/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/out.c: see out.h. */
#include "tb/capture/out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tb/file.h"

#define BUFFER 65536

struct capture_out {
    char *path;
    struct file *file;
    ZSTD_CCtx *zstd;
    int failed; /* errno, or -1: it does not compress */
    uint8_t buffer[BUFFER];
};

/* Hands bytes to the compressor, and what comes of them to the file. */
static void compress(struct capture_out *o, const void *bytes, size_t count,
                     ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = {bytes, count, 0};
    size_t left = 1;
    while (!o->failed && (in.pos < in.size || (directive == ZSTD_e_end && left))) {
        ZSTD_outBuffer out = {o->buffer, BUFFER, 0};
        left = ZSTD_compressStream2(o->zstd, &out, &in, directive);
        if (ZSTD_isError(left))
            o->failed = -1;
        else if (fwrite(o->buffer, 1, out.pos, file_stream(o->file)) != out.pos)
            o->failed = errno ? errno : EIO;
    }
}

struct capture_out *out_open(const char *path, FILE *err)
{
    struct capture_out *o = calloc(1, sizeof *o);
    if (o && (o->path = strdup(path)) && (o->zstd = ZSTD_createCCtx())) {
        ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_checksumFlag, 1);
        o->file = file_create(path, err);
        if (o->file && fputs(CAPTURE_MARK, file_stream(o->file)) == EOF)
            o->failed = errno;
    } else
        fprintf(err, "%s: no memory for a capture\n", path);
    if (o && !o->file) {
        out_discard(o);
        return NULL;
    }
    return o;
}

static void put(struct capture_out *o, uint64_t number, unsigned bytes)
{
    uint8_t all[8];
    for (unsigned i = 0; i < bytes; i++)
        all[i] = (uint8_t)(number >> 8 * i);
    compress(o, all, bytes, ZSTD_e_continue);
}

void out_record(struct capture_out *o, enum record record)
{
    put(o, record, 1);
}

void out_u32(struct capture_out *o, uint32_t number)
{
    put(o, number, 4);
}

void out_u64(struct capture_out *o, uint64_t number)
{
    put(o, number, 8);
}

void out_bytes(struct capture_out *o, const void *bytes, uint64_t count)
{
    out_u64(o, count);
    compress(o, bytes, count, ZSTD_e_continue);
}

void out_text(struct capture_out *o, const char *text)
{
    out_bytes(o, text, strlen(text));
}

int out_close(struct capture_out *o, FILE *err)
{
    compress(o, NULL, 0, ZSTD_e_end);
    if (o->failed) {
        fprintf(err, "%s: cannot be written: %s\n", o->path,
                o->failed < 0 ? "it does not compress" : strerror(o->failed));
        out_discard(o);
        return -1;
    }
    const int failed = file_commit(o->file, err);
    o->file = NULL;
    out_discard(o);
    return failed;
}

void out_discard(struct capture_out *o)
{
    file_discard(o->file);
    ZSTD_freeCCtx(o->zstd);
    free(o->path);
    free(o);
}
