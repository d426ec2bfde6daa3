/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/format.c: see format.h. A conversion is taken apart, checked, and given to the C library
 * once for each element, as the widest type of its kind. */
#include "tb/ocl/format.h"

#include <string.h>

#define MOST_WIDTH 4095 /* of a field: what C guarantees, and no endless output */

/* %[flags][width][.precision][vn][length]conversion */
struct conversion {
    char flags[6];
    int width, precision; /* 0 and -1: none */
    unsigned elements;    /* 0: a scalar */
    unsigned bytes;       /* from the length modifier; 0: none */
    char letter;
};

struct reader {
    const char *at, *end;
};

static char peek(const struct reader *r)
{
    return r->at < r->end ? *r->at : 0;
}

static int accept(struct reader *r, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return 0;
    r->at += length;
    return 1;
}

static int digits(struct reader *r, int if_none)
{
    if (peek(r) < '0' || peek(r) > '9')
        return if_none;
    int value = 0;
    for (; peek(r) >= '0' && peek(r) <= '9'; r->at++)
        value = value < MOST_WIDTH ? value * 10 + (*r->at - '0') : value;
    return value < MOST_WIDTH ? value : MOST_WIDTH;
}

/* Reads what follows a '%'. Returns whether it is a conversion. */
static int read_conversion(struct reader *r, struct conversion *c)
{
    static const struct {
        const char *word;
        unsigned bytes;
    } lengths[] = {{"hh", 1},
                   {"hl", 4},
                   {"h", 2},
                   /* the others are CUDA's, but for one */
                   {"ll", 8},
                   {"l", 8},
                   {"j", 8},
                   {"z", 8},
                   {"t", 8}};
    *c = (struct conversion){.precision = -1};
    for (size_t n = 0; peek(r) && strchr("-+ #0", peek(r)); r->at++)
        if (!strchr(c->flags, *r->at) && n < sizeof c->flags - 1)
            c->flags[n++] = *r->at;
    c->width = digits(r, 0);
    if (accept(r, "."))
        c->precision = digits(r, 0);
    if (accept(r, "v")) {
        c->elements = (unsigned)digits(r, 0);
        if (!c->elements || c->elements > 16 || !strchr("\2\3\4\10\20", (int)c->elements))
            return 0;
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && !c->bytes; i++)
        if (accept(r, lengths[i].word))
            c->bytes = lengths[i].bytes;
    c->letter = peek(r);
    if (!c->letter || !strchr(c->elements ? "diouxXfFeEgGaA" : "diouxXfFeEgGaAcsp", c->letter))
        return 0;
    r->at++;
    return 1;
}

/* The conversion for the C library, which takes width and precision as arguments. */
static void host_conversion(const struct conversion *c, const char *type, char out[16])
{
    snprintf(out, 16, "%%%s*.*%s", c->flags, type);
}

static void print_text(FILE *out, const struct conversion *c, struct text text)
{
    if (!text.bytes)
        text = (struct text){"(null)", strlen("(null)")};
    const size_t length = strnlen(text.bytes, text.room);
    const int all = c->precision < 0 || length < (size_t)c->precision;
    fprintf(out, strchr(c->flags, '-') ? "%-*.*s" : "%*.*s", c->width,
            all ? (int)length : c->precision, text.bytes);
}

static double as_double(const struct value *v, unsigned e)
{
    double d;
    memcpy(&d, &v->elements[e], sizeof d);
    return v->kind == VALUE_FLOAT    ? d
           : v->kind == VALUE_SIGNED ? (double)(int64_t)v->elements[e]
                                     : (double)v->elements[e];
}

static uint64_t as_integer(const struct value *v, unsigned e)
{
    if (v->kind != VALUE_FLOAT)
        return v->elements[e];
    const double d = as_double(v, e);
    return d >= 0x1p63 ? INT64_MAX : d > -0x1p63 ? (uint64_t)(int64_t)d : (uint64_t)INT64_MIN;
}

static void print_integer(FILE *out, const struct conversion *c, const struct value *v, unsigned e)
{
    const unsigned bytes = c->bytes ? c->bytes : c->elements ? v->bytes : sizeof(int);
    const unsigned unused = bytes < 8 ? 64 - 8 * bytes : 0;
    const uint64_t shifted = as_integer(v, e) << unused;
    char host[16];
    host_conversion(c, (char[]){'l', 'l', c->letter, 0}, host);
    if (c->letter == 'd' || c->letter == 'i')
        fprintf(out, host, c->width, c->precision, (long long)((int64_t)shifted >> unused));
    else
        fprintf(out, host, c->width, c->precision, (unsigned long long)(shifted >> unused));
}

static void print_element(FILE *out, const struct conversion *c, const struct value *v, unsigned e)
{
    char text[24];
    switch (c->letter) {
    case 'c':
        fprintf(out, strchr(c->flags, '-') ? "%-*c" : "%*c", c->width, (int)as_integer(v, e));
        break;
    case 'p':
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)as_integer(v, e));
        print_text(out, c, (struct text){text, sizeof text});
        break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X': print_integer(out, c, v, e); break;
    default:
        host_conversion(c, (char[]){c->letter, 0}, text);
        fprintf(out, text, c->width, c->precision, as_double(v, e));
    }
}

void format_print(FILE *out, struct text format, const struct value *values, size_t num_values,
                  struct text (*text_at)(const void *context, uint64_t address),
                  const void *context)
{
    struct reader r = {format.bytes, format.bytes + strnlen(format.bytes, format.room)};
    const struct value *const end = values + num_values;
    while (r.at < r.end) {
        const char *start = r.at;
        const char *percent = memchr(start, '%', (size_t)(r.end - start));
        r.at = percent ? percent : r.end;
        fwrite(start, 1, (size_t)(r.at - start), out);
        start = r.at;
        struct conversion c;
        if (!percent || accept(&r, "%%")) {
            if (percent)
                putc('%', out);
            continue;
        }
        r.at++;
        if (!read_conversion(&r, &c) || values == end) {
            fwrite(start, 1, (size_t)(r.at - start), out);
            continue;
        }
        if (c.letter == 's')
            print_text(out, &c, text_at(context, as_integer(values, 0)));
        const unsigned elements = c.letter == 's' ? 0 : c.elements ? c.elements : 1;
        for (unsigned e = 0; e < elements && e < values->count; e++) {
            fputs(e ? "," : "", out);
            print_element(out, &c, values, e);
        }
        values++;
    }
}
