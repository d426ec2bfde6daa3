/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/pictures.c: pictures within a page, as data: of an SVG that is shown as an image browsers run no script and fetch
 * nothing. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/html/html.h"
#include "tb/cli/html/page.h"
#include "tb/text_file.h"

#define MOST_BYTES (16 << 20)

struct page_picture {
    char *path, *bytes;
    size_t size;
    const char *type;
};

/* What kind of picture the bytes are; NULL: none that a page takes. */
static const char *type_of(const char *path, const char *bytes, size_t size)
{
    const char *dot = strrchr(path, '.');
    if (dot && !strcmp(dot, ".png") && size > 8 && !memcmp(bytes, "\x89PNG\r\n\x1a\n", 8))
        return "png";
    return dot && !strcmp(dot, ".svg") && strstr(bytes, "<svg") ? "svg+xml" : NULL;
}

int pictures_add(struct pictures *p, const char *path)
{
    struct page_picture picture = {.path = strdup(path)};
    picture.bytes = text_file_read(path, MOST_BYTES, &picture.size, stderr);
    struct page_picture *more =
        picture.bytes ? realloc(p->pictures, ((size_t)p->count + 1) * sizeof *more) : NULL;
    p->pictures = more ? more : p->pictures;
    picture.type = picture.bytes ? type_of(path, picture.bytes, picture.size) : NULL;
    if (more && picture.type && picture.path) {
        more[p->count++] = picture;
        return 0;
    }
    if (more && !picture.type)
        fprintf(stderr, "%s: not a picture; with --html, --picture takes .svg and .png files\n",
                path);
    free(picture.path);
    free(picture.bytes);
    return -1;
}

void pictures_free(struct pictures *p)
{
    for (int i = 0; i < p->count; i++) {
        free(p->pictures[i].path);
        free(p->pictures[i].bytes);
    }
    free(p->pictures);
    *p = (struct pictures){0};
}

/* RFC 4648, section 4. */
static void write_base64(FILE *to, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t bits = (uint32_t)bytes[i] << 16 |
                              (uint32_t)(left > 1 ? bytes[i + 1] : 0) << 8 |
                              (left > 2 ? bytes[i + 2] : 0);
        fputc(digits[bits >> 18], to);
        fputc(digits[bits >> 12 & 63], to);
        fputc(left > 1 ? digits[bits >> 6 & 63] : '=', to);
        fputc(left > 2 ? digits[bits & 63] : '=', to);
    }
}

static int has_pictures(const struct page *p)
{
    return p->pictures && p->pictures->count;
}

static void write_pictures(const struct page *p)
{
    for (int i = 0; i < p->pictures->count; i++) {
        const struct page_picture *picture = &p->pictures->pictures[i];
        const char *slash = strrchr(picture->path, '/'), *name = slash ? slash + 1 : picture->path;
        fprintf(p->to, "<figure><img alt=\"");
        html_text(p->to, name);
        fprintf(p->to, "\" src=\"data:image/%s;base64,", picture->type);
        write_base64(p->to, (const uint8_t *)picture->bytes, picture->size);
        fputs("\"><figcaption>", p->to);
        html_text(p->to, name);
        fputs("</figcaption></figure>\n", p->to);
    }
}

const struct page_part part_pictures = {"pictures", "Pictures", has_pictures, write_pictures};
