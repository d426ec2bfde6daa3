/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/in.c: see in.h. */
#include "tb/capture/in.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define BUFFER 65536
#define PIECE  (1 << 20) /* memory grows by so much at a time, as bytes come */

struct capture_in {
    char *path;
    FILE *file;
    ZSTD_DCtx *zstd;
    ZSTD_inBuffer compressed; /* what has been read of the file, and not taken from there */
    int complete;             /* the compressed data are at an end */
    uint64_t records;
    char *error;
    uint8_t buffer[BUFFER];
};

int in_refuse(struct capture_in *in, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!in->error &&
        asprintf(&in->error, "%s: record %" PRIu64 ": %s", in->path, in->records, what) < 0)
        abort();
    return -1;
}

const char *in_error(const struct capture_in *in)
{
    return in->error;
}

struct capture_in *in_open(const char *path, FILE *err)
{
    char mark[sizeof CAPTURE_MARK] = "";
    struct capture_in *in = calloc(1, sizeof *in);
    if (!in || !(in->path = strdup(path)) || !(in->zstd = ZSTD_createDCtx())) {
        fprintf(err, "%s: no memory to read it\n", path);
    } else if (!(in->file = fopen(path, "rb"))) {
        fprintf(err, "%s: cannot be read: %s\n", path, strerror(errno));
    } else if (fread(mark, 1, sizeof mark - 1, in->file) != sizeof mark - 1 && ferror(in->file)) {
        fprintf(err, "%s: cannot be read: %s\n", path, strerror(errno));
    } else if (strcmp(mark, CAPTURE_MARK)) {
        fprintf(err, "%s: is no capture of this version: it does not begin with '%.*s'\n", path,
                (int)sizeof mark - 2, CAPTURE_MARK);
    } else {
        in->compressed.src = in->buffer;
        return in;
    }
    if (in)
        in_close(in);
    return NULL;
}

void in_close(struct capture_in *in)
{
    if (in->file)
        fclose(in->file);
    ZSTD_freeDCtx(in->zstd);
    free(in->path);
    free(in->error);
    free(in);
}

/* Reads on in the file. Returns 0, or -1: there is no more. */
static int refill(struct capture_in *in)
{
    in->compressed = (ZSTD_inBuffer){in->buffer, fread(in->buffer, 1, BUFFER, in->file), 0};
    return in->compressed.size ? 0 : -1;
}

/* Decompresses some of what there is. */
static int decompress(struct capture_in *in, ZSTD_outBuffer *out)
{
    if (in->complete || (in->compressed.pos == in->compressed.size && refill(in)))
        return in_refuse(in, "the file ends within it");
    const size_t left = ZSTD_decompressStream(in->zstd, out, &in->compressed);
    if (ZSTD_isError(left))
        return in_refuse(in, "damaged: %s", ZSTD_getErrorName(left));
    in->complete = left == 0;
    return 0;
}

int in_raw(struct capture_in *in, void *bytes, uint64_t count)
{
    ZSTD_outBuffer out = {bytes, count, 0};
    while (!in->error && out.pos < out.size)
        if (decompress(in, &out))
            return -1;
    return in->error ? -1 : 0;
}

static int get(struct capture_in *in, uint64_t *number, unsigned bytes)
{
    uint8_t all[8];
    *number = 0;
    if (in_raw(in, all, bytes))
        return -1;
    for (unsigned i = 0; i < bytes; i++)
        *number |= (uint64_t)all[i] << 8 * i;
    return 0;
}

int in_u32(struct capture_in *in, uint32_t *number)
{
    uint64_t wide;
    const int result = get(in, &wide, 4);
    *number = (uint32_t)wide;
    return result;
}

int in_u64(struct capture_in *in, uint64_t *number)
{
    return get(in, number, 8);
}

/* Behind the last record: the checksum of the compressed data, and then the end of the file. */
static int ends(struct capture_in *in)
{
    uint8_t byte;
    while (!in->complete) {
        ZSTD_outBuffer out = {&byte, 1, 0};
        if (decompress(in, &out))
            return -1;
        if (out.pos)
            return in_refuse(in, "something comes behind it");
    }
    if (in->compressed.pos < in->compressed.size || !refill(in))
        return in_refuse(in, "something comes behind it");
    return 0;
}

enum record in_record(struct capture_in *in)
{
    uint64_t kind;
    in->records++;
    if (get(in, &kind, 1))
        return RECORD_none;
    if (kind == RECORD_none || kind >= NUM_RECORDS) {
        in_refuse(in, "is of kind %" PRIu64 ", which does not exist", kind);
        return RECORD_none;
    }
    return (enum record)kind;
}

int in_last(struct capture_in *in, uint64_t *launches)
{
    return in_u64(in, launches) || ends(in) ? -1 : 0;
}

int in_bytes(struct capture_in *in, uint64_t most, uint8_t **bytes, uint64_t *count)
{
    uint64_t length, there = 0;
    uint8_t *all = NULL;
    *bytes = NULL;
    if (in_u64(in, &length))
        return -1;
    if (length > most)
        return in_refuse(in, "has %" PRIu64 " bytes; expected at most %" PRIu64, length, most);
    do {
        const uint64_t piece = length - there < PIECE ? length - there : PIECE;
        uint8_t *longer = realloc(all, there + piece + 1);
        if (!longer || (all = longer, in_raw(in, all + there, piece))) {
            free(all);
            return longer ? -1 : in_refuse(in, "no memory for its %" PRIu64 " bytes", length);
        }
        there += piece;
    } while (there < length);
    all[length] = 0;
    if (!count && memchr(all, 0, length)) {
        free(all);
        return in_refuse(in, "its text has a NUL");
    }
    if (count)
        *count = length;
    *bytes = all;
    return 0;
}
