/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/accepted.c: see accepted.h. */
#define _GNU_SOURCE
#include "tb/ocl/accepted.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char word[] = "accepted";

struct cache_key accepted_key(const char *ptx, size_t bytes)
{
    struct cache_key key = cache_key();
    Dl_info reader;
    if (bytes < ACCEPTED_LEAST_BYTES || !dladdr(word, &reader) || !reader.dli_fname)
        return (struct cache_key){0};
    cache_add(&key, word, sizeof word);
    cache_add_file(&key, reader.dli_fname);
    cache_add(&key, ptx, bytes);
    return key;
}

int accepted_find(const struct cache_key *key)
{
    size_t bytes = 0;
    char *found = cache_find(key, &bytes, NULL);
    const int result = found && bytes == strlen(word) && !memcmp(found, word, bytes);
    free(found);
    return result;
}

void accepted_keep(const struct cache_key *key)
{
    cache_keep(key, word, strlen(word), "");
}
