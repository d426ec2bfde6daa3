/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/spool.c: see spool.h. A page of the file that has been read is used again. */
#include "tb/gpu/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct spool_page {
    struct spool_page *next;
    char *bytes;    /* NULL: it is in the file */
    uint64_t place; /* there, in pages */
    uint32_t used;
};

struct spool {
    int file;
    uint64_t most_in_memory, in_memory, places; /* pages; places: of the file */
    struct spool_page *free;                    /* pages whose place in the file is free */
    int error;
    pthread_mutex_t mutex; /* over all of these but the file */
};

struct spool *spool_open(const char *folder, uint64_t memory)
{
    struct spool *s = calloc(1, sizeof *s);
    char *name;
    if (!s || asprintf(&name, "%s/spool.XXXXXX", folder) < 0) {
        free(s);
        return NULL;
    }
    s->most_in_memory = memory / SPOOL_PAGE;
    s->file = mkostemp(name, O_CLOEXEC);
    if (s->file >= 0)
        unlink(name);
    free(name);
    if (s->file < 0) {
        free(s);
        return NULL;
    }
    pthread_mutex_init(&s->mutex, NULL);
    return s;
}

void spool_close(struct spool *s)
{
    if (!s)
        return;
    while (s->free) {
        struct spool_page *page = s->free;
        s->free = page->next;
        free(page);
    }
    close(s->file);
    pthread_mutex_destroy(&s->mutex);
    free(s);
}

static void fail(struct spool *s, int why)
{
    pthread_mutex_lock(&s->mutex);
    s->error = s->error ? s->error : why;
    pthread_mutex_unlock(&s->mutex);
}

/* Writes or reads all of a page's bytes. Returns 0, or an errno. */
static int transfer(int file, const struct spool_page *page, char *bytes, int writes)
{
    for (uint32_t done = 0; done < page->used;) {
        const off_t at = (off_t)(page->place * SPOOL_PAGE + done);
        const ssize_t count = writes ? pwrite(file, bytes + done, page->used - done, at)
                                     : pread(file, bytes + done, page->used - done, at);
        if (count <= 0 && !(count < 0 && errno == EINTR))
            return count < 0 ? errno : EIO;
        done += count > 0 ? (uint32_t)count : 0;
    }
    return 0;
}

/* Puts a page into the file if there are enough of them in memory. */
static void put_out(struct spool *s, struct spool_page *page)
{
    struct spool_page *place = NULL;
    pthread_mutex_lock(&s->mutex);
    const int out = page->bytes && s->in_memory > s->most_in_memory && !s->error;
    if (out) {
        place = s->free;
        page->place = place ? place->place : s->places++;
        s->free = place ? place->next : NULL;
        s->in_memory--;
    }
    pthread_mutex_unlock(&s->mutex);
    if (!out)
        return;
    free(place);
    const int why = transfer(s->file, page, page->bytes, 1);
    if (why)
        fail(s, why);
    free(page->bytes);
    page->bytes = NULL;
}

/* A page at the text's end, or NULL: no memory. */
static struct spool_page *new_page(struct spool *s, struct spool_text *t)
{
    struct spool_page *page = calloc(1, sizeof *page);
    if (!page || !(page->bytes = malloc(SPOOL_PAGE))) {
        fail(s, ENOMEM);
        free(page);
        return NULL;
    }
    pthread_mutex_lock(&s->mutex);
    s->in_memory++;
    pthread_mutex_unlock(&s->mutex);
    *(t->last ? &t->last->next : &t->first) = page;
    return t->last = page;
}

void spool_add(struct spool *s, struct spool_text *t, const char *bytes, uint32_t count)
{
    while (count) {
        struct spool_page *page = t->last;
        if (!page || !page->bytes || page->used == SPOOL_PAGE) {
            if (page)
                put_out(s, page);
            if (!(page = new_page(s, t)))
                return;
        }
        const uint32_t room = SPOOL_PAGE - page->used, now = count < room ? count : room;
        memcpy(page->bytes + page->used, bytes, now);
        page->used += now;
        bytes += now;
        count -= now;
    }
}

void spool_rest(struct spool *s, struct spool_text *t)
{
    if (t->last)
        put_out(s, t->last);
}

/* Takes a page out of memory, or makes its place in the file free. */
static void give_away(struct spool *s, struct spool_page *page)
{
    char *const bytes = page->bytes;
    pthread_mutex_lock(&s->mutex);
    if (bytes) {
        s->in_memory--;
    } else {
        page->next = s->free;
        s->free = page;
    }
    pthread_mutex_unlock(&s->mutex);
    if (bytes) {
        free(bytes);
        free(page);
    }
}

/* Gives all pages away; first, unless `to` is NULL, writes them there. */
static void empty(struct spool *s, struct spool_text *t, FILE *to)
{
    char bytes[SPOOL_PAGE];
    while (t->first) {
        struct spool_page *page = t->first;
        t->first = page->next;
        const int why = to && !page->bytes ? transfer(s->file, page, bytes, 0) : 0;
        if (why)
            fail(s, why);
        else if (to)
            fwrite(page->bytes ? page->bytes : bytes, 1, page->used, to);
        give_away(s, page);
    }
    t->last = NULL;
}

void spool_write(struct spool *s, struct spool_text *t, FILE *to)
{
    empty(s, t, to);
}

void spool_drop(struct spool *s, struct spool_text *t)
{
    empty(s, t, NULL);
}

int spool_error(struct spool *s)
{
    pthread_mutex_lock(&s->mutex);
    const int error = s->error;
    pthread_mutex_unlock(&s->mutex);
    return error;
}

void spool_pages(struct spool *s, uint64_t *in_memory, uint64_t *in_file)
{
    pthread_mutex_lock(&s->mutex);
    *in_memory = s->in_memory;
    *in_file = s->places;
    pthread_mutex_unlock(&s->mutex);
}
