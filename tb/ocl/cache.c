/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/cache.c: see cache.h. A file is a header, the result, and what the compiler said. */
#define _GNU_SOURCE
#include "tb/ocl/cache.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tb/file.h"

#define MOST_BYTES (UINT64_C(1) << 30) /* of a result */
#define MOST_MB    UINT64_C(1000)      /* of all, where HEDDLE_CACHE_MB does not say */

__extension__ typedef unsigned __int128 hash;
struct header {
    char kind[16];
    uint64_t bytes, said; /* lengths */
    hash of_both;
};
static const char kind[16] = "heddle cache 2";

/* Of what came before, and these. */
static hash add(hash h, const void *bytes, size_t size)
{
    XXH3_state_t both;
    XXH3_128bits_reset(&both);
    XXH3_128bits_update(&both, &h, sizeof h);
    XXH3_128bits_update(&both, bytes, size);
    const XXH128_hash_t sum = XXH3_128bits_digest(&both);
    return (hash)sum.high64 << 64 | sum.low64;
}

static hash hash_both(const char *result, size_t bytes, const char *said, size_t said_bytes)
{
    return add(add(0, result, bytes), said, said_bytes);
}

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Returns 0, or -1: there is none. */
static int find_folder(char path[PATH_MAX])
{
    const char *given = getenv("HEDDLE_CACHE"), *home = environment("HOME"),
               *caches = environment("XDG_CACHE_HOME");
    const int length = given    ? snprintf(path, PATH_MAX, "%s", given)
                       : caches ? snprintf(path, PATH_MAX, "%s/heddle", caches)
                       : home   ? snprintf(path, PATH_MAX, "%s/.cache/heddle", home)
                                : 0;
    return length > 0 && length < PATH_MAX ? 0 : -1;
}

/* What all results may take, in bytes. */
static uint64_t limit(void)
{
    const char *given = environment("HEDDLE_CACHE_MB");
    char *end = NULL;
    const uint64_t mb = given ? strtoull(given, &end, 10) : MOST_MB;
    return (given && (*end || *given == '-' || mb > UINT32_MAX) ? MOST_MB : mb) * 1000000;
}

struct cache_key cache_key(void)
{
    char path[PATH_MAX];
    return (struct cache_key){.known = find_folder(path) == 0};
}

void cache_add(struct cache_key *key, const void *bytes, size_t size)
{
    if (!key->known)
        return;
    key->hash = add(key->hash, &(uint64_t){size}, sizeof(uint64_t));
    key->hash = add(key->hash, bytes, size);
}

static int contains(const void *text, size_t size, const char *word)
{
    return memmem(text, size, word, strlen(word)) != NULL;
}

int cache_text_reads(const void *text, size_t size)
{
    return contains(text, size, "import") || contains(text, size, "__DATE__") ||
           contains(text, size, "__TIME");
}

void cache_add_file(struct cache_key *key, const char *path)
{
    struct stat s;
    if (!key->known)
        return;
    key->known = !stat(path, &s);
    const int64_t identity[] = {s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
    if (key->known)
        cache_add(key, identity, sizeof identity);
}

/* The name of the result's file. Returns -1: it is too long. */
static int name(const struct cache_key *key, char path[PATH_MAX])
{
    char in[PATH_MAX];
    return find_folder(in) == 0 &&
                   snprintf(path, PATH_MAX, "%s/%016" PRIx64 "%016" PRIx64, in,
                            (uint64_t)(key->hash >> 64), (uint64_t)key->hash) < PATH_MAX
               ? 0
               : -1;
}

/* What the header says follows, and nothing else. */
static char *read_both(FILE *f, const struct header *h)
{
    const size_t size = h->bytes + h->said;
    char *both = malloc(size + 1);
    if (both && (fread(both, 1, size, f) < size || getc(f) != EOF ||
                 hash_both(both, h->bytes, both + h->bytes, h->said) != h->of_both)) {
        free(both);
        both = NULL;
    }
    return both;
}

char *cache_find(const struct cache_key *key, size_t *bytes, FILE *log)
{
    char path[PATH_MAX], *both = NULL;
    struct header h;
    FILE *f = key->known && !name(key, path) ? fopen(path, "r") : NULL;
    if (!f)
        return NULL;
    if (fread(&h, sizeof h, 1, f) == 1 && !memcmp(h.kind, kind, sizeof kind) && h.bytes &&
        h.bytes <= MOST_BYTES && h.said <= MOST_BYTES)
        both = read_both(f, &h);
    if (both)
        futimens(fileno(f),
                 NULL); /* its last use; what fails for lack of permission leaves it older */
    fclose(f);
    if (both) {
        if (log)
            fwrite(both + h.bytes, 1, h.said, log);
        both[h.bytes] = 0;
        *bytes = h.bytes;
    }
    return both;
}

/* The folder that holds a path, made if need be, and that of the caches. Returns 0, or -1 with the reason on `err`. */
static int make_folder(const char *folder, FILE *err)
{
    char *above = strdup(folder), *slash = above ? strrchr(above, '/') : NULL;
    if (slash && !getenv("HEDDLE_CACHE")) {
        *slash = 0;
        mkdir(above, 0700);
    }
    free(above);
    if (mkdir(folder, 0777) == 0 || errno == EEXIST)
        return 0;
    fprintf(err, "%s: cannot be made: %s\n", folder, strerror(errno));
    return -1;
}

/* The folder takes the file. Returns 0, or -1 with the reason on `err`. */
static int write(const char *folder, const char *path, const struct header *h, const char *result,
                 const char *said, FILE *err)
{
    if (make_folder(folder, err))
        return -1;
    struct file *file = file_create(path, err);
    if (!file)
        return -1;
    fwrite(h, sizeof *h, 1, file_stream(file));
    fwrite(result, 1, h->bytes, file_stream(file));
    fwrite(said, 1, h->said, file_stream(file));
    return file_commit(file, err);
}

void cache_keep(const struct cache_key *key, const char *result, size_t bytes, const char *said)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    char folder[PATH_MAX], path[PATH_MAX], *why = NULL;
    size_t size;
    struct header h;
    const uint64_t most = limit();
    if (!key->known || !bytes || bytes > MOST_BYTES || find_folder(folder) || name(key, path) ||
        sizeof h + bytes + strlen(said) > most)
        return;
    memset(&h, 0, sizeof h); /* with what lies between its members */
    memcpy(h.kind, kind, sizeof kind);
    h.bytes = bytes;
    h.said = strlen(said);
    h.of_both = hash_both(result, bytes, said, h.said);
    FILE *err = open_memstream(&why, &size);
    if (!err)
        return;
    const int failed = write(folder, path, &h, result, said, err);
    fclose(err);
    if (failed && getenv("HEDDLE_CACHE") && !atomic_flag_test_and_set(&told))
        fprintf(stderr, "heddle: HEDDLE_CACHE: %s", why);
    free(why);
    if (!failed)
        cache_trim(folder, most);
}
