/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/text.c: see text.h. */
#include "tb/locality/text.h"

#include <inttypes.h>

#include "tb/ptx/type.h"

#define HEXADECIMAL 65536 /* numbers from here on are addresses */

static void put_number(FILE *f, int64_t number)
{
    fprintf(f, number >= HEXADECIMAL ? "0x%" PRIx64 : "%" PRId64, number);
}

static void put_two(FILE *f, const char *name, const struct atom *a)
{
    fprintf(f, "%s(", name);
    text_value(f, a->a);
    fputs(", ", f);
    text_value(f, a->b);
    fputc(')', f);
}

static void put_atom(FILE *f, const struct atom *a)
{
    static const char *const axes[] = {"block.x", "block.y", "block.z", "x", "y", "z"};
    static const char *const names[] = {[A_PRODUCT] = "product",
                                        [A_QUOTIENT] = "quotient",
                                        [A_REMAINDER] = "remainder",
                                        [A_AND] = "and",
                                        [A_OR] = "or",
                                        [A_XOR] = "xor"};
    switch (a->kind) {
    case A_AXIS: fputs(axes[a->number], f); break;
    case A_TRIP: fprintf(f, "trip%u", a->number + 1); break;
    case A_GUESS: fprintf(f, "guess%u", a->number); break;
    case A_WRAP:
        fprintf(f, "%s(", type_name(a->number) + 1);
        text_value(f, a->a);
        fputc(')', f);
        break;
    case A_CHOICE:
        fputc('(', f);
        text_condition(f, a->condition);
        fputs(" ? ", f);
        text_value(f, a->a);
        fputs(" : ", f);
        text_value(f, a->b);
        fputc(')', f);
        break;
    default: put_two(f, names[a->kind], a); break;
    }
}

void text_doubt(FILE *f, const struct doubt *d)
{
    static const char *const words[] = {
#define REASON(name, text) text,
#include "tb/locality/reason.def"
#undef REASON
    };
    fprintf(f, "%s in line %u", words[d->reason], d->line);
}

void text_value(FILE *f, const struct value *v)
{
    if (v->doubt) {
        text_doubt(f, v->doubt);
        return;
    }
    if (v->constant || v->count == 0)
        put_number(f, v->constant);
    for (uint32_t i = 0; i < v->count; i++) {
        const int64_t factor = v->terms[i].factor;
        if (i || v->constant)
            fputs(factor < 0 ? " - " : " + ", f);
        else if (factor < 0)
            fputc('-', f);
        if (factor != 1 && factor != -1)
            fprintf(f, "%" PRIu64 " * ", factor < 0 ? -(uint64_t)factor : (uint64_t)factor);
        put_atom(f, v->terms[i].atom);
    }
}

void text_condition(FILE *f, const struct condition *c)
{
    const char *word = c->kind == CONDITION_BOTH ? " and " : " or ";
    switch (c->kind) {
    case CONDITION_ALWAYS: fputs("always", f); break;
    case CONDITION_NEVER: fputs("never", f); break;
    case CONDITION_BOTH:
    case CONDITION_EITHER:
        fputc('(', f);
        text_condition(f, c->a);
        fputs(word, f);
        text_condition(f, c->b);
        fputc(')', f);
        break;
    case CONDITION_UNKNOWN:
    case CONDITION_UNKNOWN_NOT: text_doubt(f, c->doubt); break;
    default:
        text_value(f, c->value);
        fputs(c->kind == CONDITION_NEGATIVE ? " < 0"
              : c->kind == CONDITION_ZERO   ? " = 0"
                                            : " != 0",
              f);
        break;
    }
}
