/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/mutate.c: how `make fuzz` changes text, every other time: whole words, marks and lines
 * move, come again or go, so that most of what comes out still looks like the language and gets
 * past the lexer. The other times libFuzzer does what it does with bytes. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* libFuzzer's; the tests link this file without it and never call it. */
extern size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

#define MOST_PIECE 256

struct piece {
    size_t start, size;
};

static uint32_t draw(uint32_t *state, size_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 8) * below >> 24);
}

static int in_word(uint8_t ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
           ch == '_' || ch == '$' || ch == '%' || ch == '.';
}

/* A word or a mark. */
static struct piece draw_token(const uint8_t *data, size_t size, uint32_t *state)
{
    size_t start = draw(state, size), end = start + 1;
    if (in_word(data[start])) {
        while (start > 0 && in_word(data[start - 1]))
            start--;
        while (end < size && in_word(data[end]))
            end++;
    }
    return (struct piece){start, end - start};
}

/* From one token to the end of another, or of the same. */
static struct piece draw_tokens(const uint8_t *data, size_t size, uint32_t *state)
{
    struct piece p = draw_token(data, size, state);
    size_t rest = size - p.start - p.size;
    if (rest > 0 && draw(state, 2)) {
        const size_t reach = 1 + draw(state, rest < 64 ? rest : 64);
        struct piece last = draw_token(data + p.start + p.size, reach, state);
        p.size += last.start + last.size;
    }
    return p;
}

static struct piece draw_line(const uint8_t *data, size_t size, uint32_t *state)
{
    size_t start = draw(state, size), end = start;
    while (start > 0 && data[start - 1] != '\n')
        start--;
    while (end < size && data[end] != '\n')
        end++;
    return (struct piece){start, end - start + (end < size)};
}

/* Puts `with` where `out` was. */
static size_t replace(uint8_t *data, size_t size, size_t room, struct piece out,
                      const uint8_t *with, size_t with_size)
{
    if (size - out.size + with_size > room)
        return size;
    memmove(data + out.start + with_size, data + out.start + out.size, size - out.start - out.size);
    memcpy(data + out.start, with, with_size);
    return size - out.size + with_size;
}

static size_t mutate_pieces(uint8_t *data, size_t size, size_t room, uint32_t *state)
{
    uint8_t copy[MOST_PIECE];
    const int lines = draw(state, 4) == 0;
    struct piece (*const draw_piece)(const uint8_t *, size_t, uint32_t *) =
        lines ? draw_line : draw_tokens;
    struct piece from = draw_piece(data, size, state), to = draw_piece(data, size, state);
    if (from.size > MOST_PIECE)
        return size;
    memcpy(copy, data + from.start, from.size);
    switch (draw(state, 5)) {
    case 0: return replace(data, size, room, to, copy, 0);
    case 1: /* again, up to eight times, in the same place */
        for (uint32_t times = 1 + draw(state, 8); times > 0; times--)
            size = replace(data, size, room, (struct piece){from.start, 0}, copy, from.size);
        return size;
    case 2: to.size = 0; /* fall through */
    default: return replace(data, size, room, to, copy, from.size);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    uint32_t state = seed;
    if (size == 0 || draw(&state, 2))
        return LLVMFuzzerMutate(data, size, room);
    for (uint32_t times = 1 + draw(&state, 3); times > 0 && size > 0; times--)
        size = mutate_pieces(data, size, room, &state);
    return size;
}
