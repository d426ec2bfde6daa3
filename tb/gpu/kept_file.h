/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/kept_file.h: the file that kept.c writes and kept_read.c reads: a head, then records. */
#ifndef HEDDLE_TB_GPU_KEPT_FILE_H
#define HEDDLE_TB_GPU_KEPT_FILE_H

#include "tb/gpu/stats.h"

#define KEPT_MAGIC "heddle kept 1"

struct kept_head {
    char magic[16];
    uint64_t head_bytes, kernel_bytes,
        period_bytes; /* sizes of structs: both sides are of one build */
    uint64_t whole;   /* the statistics have been written */
    uint64_t hash;    /* of the configuration */
    struct config config;
};

enum kept_kind { KEPT_KERNEL = 1, KEPT_PERIOD };

/* Followed by `bytes` bytes: the struct and, of a kernel, its name and its log as text, each with a zero behind it. */
struct kept_record {
    uint64_t kind, bytes, index;
    uint64_t sequence; /* of those with the same kind and index the last whole one counts */
    uint64_t hash;     /* of the above and of what follows: else the record is none */
};

/* FNV-1a */
#define KEPT_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
static inline uint64_t kept_hash(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static inline uint64_t kept_hash_record(const struct kept_record *r, const void *bytes)
{
    return kept_hash(kept_hash(KEPT_HASH_BEGIN, r, offsetof(struct kept_record, hash)), bytes,
                     r->bytes);
}

static inline uint64_t kept_hash_head(const struct kept_head *h)
{
    return kept_hash(KEPT_HASH_BEGIN, &h->config, sizeof h->config);
}

#endif
