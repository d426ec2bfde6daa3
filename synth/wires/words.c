/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/words.c: see words.h. */
#include "synth/wires/words.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/text_file.h"

int words_open(struct words *w, const char *path, struct arena *memory, FILE *err)
{
    size_t size = 0;
    *w = (struct words){.path = path, .err = err, .memory = memory, .line = 1};
    w->text = text_file_read(path, WORDS_MOST_BYTES, &size, err);
    if (!w->text)
        return -1;
    w->at = w->text;
    w->end = w->text + size;
    if (memchr(w->text, 0, size))
        return words_error(w, "a byte of value 0; expected text");
    words_next(w);
    return 0;
}

void words_close(struct words *w)
{
    free(w->text);
    w->text = NULL;
}

static void skip_blanks(struct words *w)
{
    for (; w->at < w->end; w->at++)
        if (*w->at == '#')
            while (w->at + 1 < w->end && w->at[1] != '\n')
                w->at++;
        else if (*w->at == '\n')
            w->line++;
        else if (!isspace((unsigned char)*w->at))
            return;
}

void words_next(struct words *w)
{
    skip_blanks(w);
    w->word = w->at;
    if (w->at < w->end && *w->at == '"') {
        const char *close = memchr(w->at + 1, '"', (size_t)(w->end - w->at - 1));
        w->at = close ? close + 1 : w->end;
        for (const char *c = w->word; c < w->at; c++)
            w->line += *c == '\n';
    } else {
        while (w->at < w->end && !isspace((unsigned char)*w->at))
            w->at++;
        if (w->at - w->word > 1 && w->at[-1] == ';')
            w->at--; /* the end of a statement, without a blank before it */
    }
    w->length = (size_t)(w->at - w->word);
}

int words_is(const struct words *w, const char *text)
{
    return w->length == strlen(text) && !memcmp(w->word, text, w->length);
}

int words_accept(struct words *w, const char *text)
{
    const int is = w->length && words_is(w, text);
    if (is)
        words_next(w);
    return is;
}

int words_expect(struct words *w, const char *text)
{
    return words_accept(w, text) ? 0 : words_expected(w, text);
}

int words_skip(struct words *w)
{
    while (w->length && !words_is(w, ";"))
        words_next(w);
    return words_expect(w, ";");
}

const char *words_name(struct words *w)
{
    if (!w->length || words_is(w, ";")) {
        words_expected(w, "a name");
        return NULL;
    }
    char *name = arena_alloc(w->memory, w->length + 1, 1);
    if (!name) {
        words_error(w, "no memory");
        return NULL;
    }
    memcpy(name, w->word, w->length);
    words_next(w);
    return name;
}

int words_number(struct words *w, double *to)
{
    char text[48] = "", *end;
    if (w->length && w->length < sizeof text)
        memcpy(text, w->word, w->length);
    const double value = strtod(text, &end);
    if (!*text || *end || !isfinite(value))
        return words_expected(w, "a number");
    *to = value;
    words_next(w);
    return 0;
}

int words_length(struct words *w, double scale, int32_t *to)
{
    const struct words here = *w;
    double value;
    if (words_number(w, &value))
        return -1;
    if (!(fabs(value * scale) <= LONGEST))
        return words_error(&here, "%.*s is too long; expected at most %g", (int)here.length,
                           here.word, LONGEST / scale);
    *to = (int32_t)lround(value * scale);
    return 0;
}

int words_count(struct words *w, uint32_t most, uint32_t *to)
{
    const struct words here = *w;
    double value;
    if (words_number(w, &value))
        return -1;
    if (!(value >= 0 && value <= most && value == floor(value)))
        return words_error(&here, "%.*s; expected a whole number from 0 to %u", (int)here.length,
                           here.word, most);
    *to = (uint32_t)value;
    return 0;
}

void *words_grow(struct words *w, void *array, uint32_t count, size_t size)
{
    if (count >= 1u << 30) {
        words_error(w, "more than %u of these", count);
        return NULL;
    }
    void *larger = arena_grow(w->memory, array, count, size);
    if (!larger)
        words_error(w, "no memory");
    return larger;
}

int words_error(const struct words *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_file_error(w->err, w->path, w->line, format, arguments);
    va_end(arguments);
    return -1;
}

int words_expected(const struct words *w, const char *what)
{
    return w->length ? words_error(w, "'%.*s'; expected %s", (int)(w->length > 60 ? 60 : w->length),
                                   w->word, what)
                     : words_error(w, "the file ends; expected %s", what);
}
