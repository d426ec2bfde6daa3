/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/matrix_market.c: the Matrix Market reader. Nothing in the file is believed
 * before it is checked; memory grows with what was read, not with what the size line promises. */
#include "tb/workloads/common/matrix_market.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_WORDS   6 /* of a line: one more than the banner has, so that a surplus word is seen */
#define BANNER_WORDS 5

enum field { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN, NUM_FIELDS };
enum symmetry { SYMMETRY_GENERAL, SYMMETRY_SYMMETRIC, SYMMETRY_SKEW, NUM_SYMMETRIES };

static const char *const field_names[NUM_FIELDS] = {"real", "integer", "pattern"};
static const char *const symmetry_names[NUM_SYMMETRIES] = {"general", "symmetric",
                                                           "skew-symmetric"};

struct reader {
    FILE *in;
    const char *name;
    unsigned long line;
    char text[MATRIX_MARKET_LINE + 1];
    char *word[MOST_WORDS];
    unsigned num_words;
    char *message;
    size_t message_size;
    enum field field;
    enum symmetry symmetry;
    uint32_t rows, columns, promised; /* the size line */
    struct csr_entry *entries;        /* mirrored ones included */
    size_t count, room;
};

__attribute__((format(printf, 2, 3))) static int wrong(struct reader *r, const char *format, ...)
{
    va_list arguments;
    int used = snprintf(r->message, r->message_size, "%s:%lu: ", r->name, r->line);
    if (used >= 0 && (size_t)used < r->message_size) {
        va_start(arguments, format);
        vsnprintf(r->message + used, r->message_size - (size_t)used, format, arguments);
        va_end(arguments);
    }
    return -1;
}

/* Reads a line into r->text, without its end. Returns 1, 0 at the end of the file, -1 on an error.
 */
static int read_line(struct reader *r)
{
    size_t length = 0;
    int c = getc(r->in);
    r->line++;
    if (c == EOF)
        return ferror(r->in) ? wrong(r, "the file cannot be read") : 0;
    int comment = c == '%' && r->line > 1;
    for (; c != '\n'; c = getc(r->in)) {
        if (c == EOF)
            return wrong(r, "the file ends inside this line; expected a line end");
        if (c == '\0')
            return wrong(r, "a zero byte; expected text");
        if (length < MATRIX_MARKET_LINE)
            r->text[length++] = (char)c;
        else if (!comment)
            return wrong(r, "the line is longer than %d characters", MATRIX_MARKET_LINE);
    }
    r->text[length] = '\0';
    return 1;
}

/* Splits r->text at blanks. What an error message quotes is made printable. */
static void split(struct reader *r)
{
    char *rest = r->text, *word;
    for (char *c = rest; *c != '\0'; c++)
        if (!isprint((unsigned char)*c) && !isspace((unsigned char)*c))
            *c = '?';
    r->num_words = 0;
    while (r->num_words < MOST_WORDS && (word = strtok_r(rest, " \t\r\v\f", &rest)) != NULL)
        r->word[r->num_words++] = word;
}

/* Reads the next line that is neither blank nor a comment and splits it. Returns as read_line. */
static int next_line(struct reader *r)
{
    int result;
    do {
        result = read_line(r);
        if (result == 1)
            split(r);
    } while (result == 1 && (r->num_words == 0 || r->word[0][0] == '%'));
    return result;
}

static unsigned find_name(const char *word, const char *const *names, unsigned count)
{
    unsigned i = 0;
    while (i < count && strcasecmp(word, names[i]) != 0)
        i++;
    return i;
}

/* %%MatrixMarket matrix coordinate FIELD SYMMETRY */
static int read_banner(struct reader *r)
{
    int result = read_line(r);
    if (result < 0)
        return -1;
    r->num_words = 0;
    if (result == 1)
        split(r);
    if (r->num_words != BANNER_WORDS || strcmp(r->word[0], "%%MatrixMarket") != 0)
        return wrong(r, "not a Matrix Market file; expected \"%%%%MatrixMarket matrix coordinate "
                        "FIELD SYMMETRY\"");
    if (strcasecmp(r->word[1], "matrix") != 0)
        return wrong(r, "object \"%.32s\"; expected matrix", r->word[1]);
    if (strcasecmp(r->word[2], "coordinate") != 0)
        return wrong(r, "format \"%.32s\"; expected coordinate", r->word[2]);
    r->field = find_name(r->word[3], field_names, NUM_FIELDS);
    if (r->field == NUM_FIELDS)
        return wrong(r, "field \"%.32s\"; expected real, integer or pattern", r->word[3]);
    r->symmetry = find_name(r->word[4], symmetry_names, NUM_SYMMETRIES);
    if (r->symmetry == NUM_SYMMETRIES)
        return wrong(r, "symmetry \"%.32s\"; expected general, symmetric or skew-symmetric",
                     r->word[4]);
    if (r->field == FIELD_PATTERN && r->symmetry == SYMMETRY_SKEW)
        return wrong(r, "a pattern has no signs; expected general or symmetric");
    return 0;
}

/* A whole number in least .. most. */
static int read_whole(struct reader *r, const char *what, const char *word, uint32_t least,
                      uint32_t most, uint32_t *value)
{
    uint64_t number = 0;
    if (word[strspn(word, "0123456789")] != '\0')
        return wrong(r, "%s \"%.32s\"; expected a whole number", what, word);
    for (const char *digit = word; *digit != '\0' && number <= most; digit++)
        number = number * 10 + (uint64_t)(*digit - '0');
    if (number < least || number > most)
        return wrong(r, "%s %.32s is outside %u..%u", what, word, least, most);
    *value = (uint32_t)number;
    return 0;
}

static int read_value(struct reader *r, const char *word, float *value)
{
    int integer = r->field == FIELD_INTEGER;
    const char *digits = word + (*word == '+' || *word == '-');
    char *end = NULL;
    if (digits[strspn(digits, integer ? "0123456789" : "+-.0123456789eE")] == '\0')
        *value = strtof(word, &end);
    if (end == NULL || *end != '\0')
        return wrong(r, "value \"%.32s\"; expected %s number", word,
                     integer ? "a whole" : "a real");
    if (!isfinite(*value))
        return wrong(r, "value %.32s does not fit a 32-bit float", word);
    return 0;
}

static int read_sizes(struct reader *r)
{
    int result = next_line(r);
    if (result < 0)
        return -1;
    if (result == 0)
        return wrong(r, "the file ends here; expected the size line \"ROWS COLUMNS ENTRIES\"");
    if (r->num_words != 3)
        return wrong(r, "a line of another form; expected the size line \"ROWS COLUMNS ENTRIES\"");
    uint32_t most = r->symmetry == SYMMETRY_GENERAL ? CSR_MOST_NONZEROS : CSR_MOST_NONZEROS / 2;
    if (read_whole(r, "number of rows", r->word[0], 1, CSR_MOST_ROWS, &r->rows) != 0 ||
        read_whole(r, "number of columns", r->word[1], 1, CSR_MOST_ROWS, &r->columns) != 0 ||
        read_whole(r, "number of entries", r->word[2], 0, most, &r->promised) != 0)
        return -1;
    if (r->symmetry != SYMMETRY_GENERAL && r->rows != r->columns)
        return wrong(r, "a %s matrix of %u rows and %u columns; expected a square one",
                     symmetry_names[r->symmetry], r->rows, r->columns);
    return 0;
}

static int add(struct reader *r, uint32_t row, uint32_t column, float value)
{
    if (r->count == r->room) {
        size_t room = r->room > 0 ? 2 * r->room : 1024;
        struct csr_entry *grown = realloc(r->entries, room * sizeof *grown);
        if (grown == NULL)
            return wrong(r, "no memory for %zu entries", room);
        r->entries = grown;
        r->room = room;
    }
    r->entries[r->count++] = (struct csr_entry){row - 1, column - 1, value};
    return 0;
}

/* One entry, and its mirror image. */
static int read_entry(struct reader *r)
{
    unsigned expected = r->field == FIELD_PATTERN ? 2 : 3;
    uint32_t row, column;
    float value = 1;
    if (r->num_words != expected)
        return wrong(r, "an entry of %s words; expected \"ROW COLUMN%s\"",
                     r->num_words < expected ? "too few" : "too many",
                     expected == 3 ? " VALUE" : "");
    if (read_whole(r, "row", r->word[0], 1, r->rows, &row) != 0 ||
        read_whole(r, "column", r->word[1], 1, r->columns, &column) != 0 ||
        (expected == 3 && read_value(r, r->word[2], &value) != 0))
        return -1;
    if (r->symmetry != SYMMETRY_GENERAL && column > row)
        return wrong(r, "row %u, column %u of a %s matrix; expected only its lower triangle", row,
                     column, symmetry_names[r->symmetry]);
    if (r->symmetry == SYMMETRY_SKEW && column == row)
        return wrong(
            r, "row %u, column %u of a skew-symmetric matrix; expected nothing on the diagonal",
            row, column);
    if (add(r, row, column, value) != 0)
        return -1;
    if (r->symmetry == SYMMETRY_GENERAL || column == row)
        return 0;
    return add(r, column, row, r->symmetry == SYMMETRY_SKEW ? -value : value);
}

static int read_entries(struct reader *r)
{
    int result;
    for (uint32_t i = 0; i < r->promised; i++) {
        result = next_line(r);
        if (result == 0)
            return wrong(r, "the file ends after %u entries; the size line says %u", i,
                         r->promised);
        if (result < 0 || read_entry(r) != 0)
            return -1;
    }
    result = next_line(r);
    if (result == 1)
        return wrong(r, "a line after the last entry; the size line says %u entries", r->promised);
    return result;
}

int matrix_market_read(struct csr *matrix, FILE *in, const char *name, char *message, size_t size)
{
    struct reader r = {.in = in, .name = name, .message = message, .message_size = size};
    int result = -1;
    *matrix = (struct csr){0};
    if (read_banner(&r) == 0 && read_sizes(&r) == 0 && read_entries(&r) == 0) {
        result = csr_build(matrix, r.rows, r.columns, r.entries, r.count, CSR_KEEP);
        if (result != 0)
            wrong(&r, "no memory for %u rows and %zu entries", r.rows, r.count);
    }
    free(r.entries);
    return result;
}
