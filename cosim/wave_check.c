/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/wave_check.c: see wave_check.h. A block of an FST file is its kind, one byte, and its length, eight bytes of which the first is
 * the highest; the length counts itself. The first one is the header. */
#include "cosim/wave_check.h"

#include <errno.h>
#include <fstapi.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define AT_SECTIONS                                                                                \
    (1 +                                                                                           \
     8 * 8) /* the header's count of blocks with changes; its length and seven words stand before it */

static uint64_t read_word(FILE *f)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) {
        const int byte = getc(f);
        word = word << 8 | (uint64_t)(byte & 0xff);
    }
    return word;
}

static int has_changes(int kind)
{
    return kind == FST_BL_VCDATA || kind == FST_BL_VCDATA_DYN_ALIAS ||
           kind == FST_BL_VCDATA_DYN_ALIAS2;
}

static const char *walk(FILE *f, uint64_t size)
{
    uint64_t sections = 0, counted, at = 0;
    int kinds[256] = {0};
    while (at < size) {
        if (fseeko(f, (off_t)at, SEEK_SET))
            return strerror(errno);
        const int kind = getc(f);
        const uint64_t length = read_word(f);
        if (feof(f) || length < 8 || length > size - at - 1)
            return "a block is cut off";
        if (!at && kind != FST_BL_HDR)
            return "it has no header";
        kinds[kind & 0xff]++;
        sections += (uint64_t)has_changes(kind);
        at += 1 + length;
    }
    if (!kinds[FST_BL_GEOM] ||
        kinds[FST_BL_HIER] + kinds[FST_BL_HIER_LZ4] + kinds[FST_BL_HIER_LZ4DUO] == 0)
        return "its signals are missing";
    if (fseeko(f, AT_SECTIONS, SEEK_SET))
        return strerror(errno);
    counted = read_word(f);
    return ferror(f)             ? strerror(errno)
           : counted != sections ? "blocks of changes are missing"
                                 : NULL;
}

const char *wave_check(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return strerror(errno);
    const char *wrong = fseeko(f, 0, SEEK_END) ? strerror(errno) : walk(f, (uint64_t)ftello(f));
    fclose(f);
    return wrong;
}
