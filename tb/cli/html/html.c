/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/html/html.c: see html.h. */
#include "tb/cli/html/html.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* How many bytes the character has that begins here; 0: it is none, or a control character. */
static size_t character(const unsigned char *at)
{
    static const struct {
        unsigned char mask, bits, least;
    } leads[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0xc2}, {0xf0, 0xe0, 0xe0}, {0xf8, 0xf0, 0xf0}};
    size_t more = 0;
    while (more < 4 && (*at & leads[more].mask) != leads[more].bits)
        more++;
    if (more == 4 || *at < leads[more].least || *at > 0xf4)
        return 0;
    if (!more)
        return (*at >= ' ' && *at != 0x7f) || *at == '\t' || *at == '\n';
    for (size_t i = 1; i <= more; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    const int overlong = (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xf0 && at[1] < 0x90),
              surrogate = *at == 0xed && at[1] >= 0xa0, beyond = *at == 0xf4 && at[1] >= 0x90,
              control = *at == 0xc2 && at[1] < 0xa0;
    return overlong || surrogate || beyond || control ? 0 : more + 1;
}

void html_text(FILE *to, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = character(at);
        switch (*at) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        case '\'': fputs("&#39;", to); break;
        default:
            if (length)
                fwrite(at, 1, length, to);
            else
                fputs("\xef\xbf\xbd", to);
        }
        at += length ? length : 1;
    }
}

void html_format(FILE *to, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    html_text(to, text);
}

void html_number(FILE *to, double value, int digits)
{
    char text[64];
    if (!(fabs(value) < 1e15)) {
        html_format(to, "%.6g", value);
        return;
    }
    const int length = snprintf(text, sizeof text, "%.*f", digits, value),
              whole = length - (digits ? digits + 1 : 0);
    for (int i = 0; i < length; i++) {
        fputc(text[i], to);
        if (i + 1 < whole && (whole - 1 - i) % 3 == 0 && text[i] != '-')
            fputc(',', to);
    }
}

void html_value(FILE *to, double value)
{
    html_format(to, value == floor(value) && fabs(value) < 1e15 ? "%.0f" : "%.9g", value);
}

void html_table(FILE *to, const char *label, const char *const *heads, size_t count)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", to);
    html_text(to, label);
    fputs("\"><table><thead><tr>", to);
    for (size_t i = 0; i < count; i++) {
        const int number = *heads[i] == '#';
        fputs(number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", to);
        html_text(to, heads[i] + number);
        fputs("</th>", to);
    }
    fputs("</tr></thead><tbody>\n", to);
}

void html_table_end(FILE *to)
{
    fputs("</tbody></table></div>\n", to);
}

void html_cell(FILE *to, const char *text)
{
    fputs("<td>", to);
    html_text(to, text);
    fputs("</td>", to);
}

void html_number_cell(FILE *to, double value, int digits)
{
    fputs("<td class=\"n\">", to);
    html_number(to, value, digits);
    fputs("</td>", to);
}

void html_share_cell(FILE *to, double share)
{
    const double bar = share > 1 ? 1 : share > 0 ? share : 0;
    fputs("<td class=\"n share\">", to);
    html_number(to, 100 * share, 1);
    fprintf(to, "&nbsp;%%<span class=\"bar\"><span style=\"width:%.1f%%\"></span></span></td>",
            100 * bar);
}

void html_figure(FILE *to, const char *term, const char *meaning, double value, int digits)
{
    fputs("<div><dt", to);
    if (meaning) {
        fputs(" title=\"", to);
        html_text(to, meaning);
        fputc('"', to);
    }
    fputc('>', to);
    html_text(to, term);
    fputs("</dt><dd>", to);
    html_number(to, value, digits);
    fputs("</dd></div>", to);
}

void html_swatch(FILE *to, const char *colour)
{
    fprintf(to, "<span class=\"swatch\" style=\"background:%s\"></span>", colour);
}

void html_stack(FILE *to, const char *label, const struct html_part *parts, size_t count)
{
    double whole = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        whole += parts[i].value > 0 ? parts[i].value : 0;
    if (!(whole > 0) || !isfinite(whole))
        return;
    fputs("<svg class=\"stack\" viewBox=\"0 0 1000 30\" preserveAspectRatio=\"none\" role=\"img\" "
          "aria-label=\"",
          to);
    html_text(to, label);
    fputs("\">", to);
    for (size_t i = 0; i < count; i++) {
        const double width = parts[i].value > 0 ? 1000 * parts[i].value / whole : 0;
        if (width > 0)
            fprintf(to,
                    "<rect x=\"%.2f\" width=\"%.2f\" height=\"30\" fill=\"%s\">"
                    "<title>%s: %.2f %%</title></rect>",
                    at, width, parts[i].colour, parts[i].name, width / 10);
        at += width;
    }
    fputs("</svg>\n", to);
}
