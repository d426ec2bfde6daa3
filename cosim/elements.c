/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/elements.c: see elements.h. */
#include "cosim/elements.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct writer {
    char *text;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void write_text(struct writer *w, const char *format,
                                                             ...)
{
    va_list arguments;
    const size_t room = ELEMENTS_SIZE - w->length;
    va_start(arguments, format);
    const int length = vsnprintf(w->text + w->length, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        w->length += (size_t)length < room ? (size_t)length : room - 1;
}

static uint64_t bits_of(const uint64_t *words, unsigned from, unsigned width)
{
    const unsigned word = from / 64, shift = from % 64;
    uint64_t value = words[word] >> shift;
    if (shift && shift + width > 64)
        value |= words[word + 1] << (64 - shift);
    return width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
}

static void print_number(struct writer *w, const uint64_t *words, unsigned bits)
{
    unsigned word = (bits - 1) / 64;
    write_text(w, "0x%0*" PRIx64, (int)(bits - 64 * word + 3) / 4,
               bits_of(words, 64 * word, bits - 64 * word));
    while (word--)
        write_text(w, "%016" PRIx64, words[word]);
}

static void print_bits(struct writer *w, const uint64_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!bits_of(words, i, 1))
            continue;
        unsigned last = i;
        while (last + 1 < count && bits_of(words, last + 1, 1))
            last++;
        write_text(w, w->length ? " %u" : "%u", i);
        if (last > i)
            write_text(w, last > i + 1 ? "-%u" : " %u", last);
        i = last;
    }
}

static void print_values(struct writer *w, const uint64_t *words, unsigned count, unsigned width)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t value = bits_of(words, i * width, width);
        if (value)
            write_text(w, width > 6 ? "%s%u:0x%" PRIx64 : "%s%u:%" PRIu64, w->length ? " " : "", i,
                       value);
    }
}

void elements_print(char text[ELEMENTS_SIZE], const uint64_t *words, unsigned count, unsigned width)
{
    struct writer w = {text, 0};
    text[0] = 0;
    if (count > ELEMENTS_LISTED)
        print_number(&w, words, count * width);
    else if (width == 1)
        print_bits(&w, words, count);
    else
        print_values(&w, words, count, width);
    if (!w.length)
        write_text(&w, "-");
}
