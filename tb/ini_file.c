/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ini_file.c: see ini_file.h. */
#include "tb/ini_file.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <string.h>

int ini_fail(struct ini_file *f, const char *format, ...)
{
    va_list args;
    if (f->failed) /* the first error is the one to mend */
        return -1;
    f->failed = 1;
    if (f->line)
        fprintf(f->err, "%s:%u: ", f->name, f->line);
    else
        fprintf(f->err, "%s: ", f->name);
    va_start(args, format);
    vfprintf(f->err, format, args);
    va_end(args);
    fputc('\n', f->err);
    return -1;
}

static void note_line(struct ini_file *f, const char *line)
{
    const char *text = line + strspn(line, " \t\r\n\v\f");
    f->line++;
    f->continued = text > line;
    if (*text == '[') {
        f->section = f->line;
        f->sections++;
    }
}

/* inih's own reader cuts lines that are long or hold a zero in silence; this one counts lines and
 * refuses those. */
static char *read_line(char *line, int size, void *file)
{
    struct ini_file *f = file;
    int used = 0, zeros = 0, ch;
    while (!f->failed && used < size - 1 && (ch = getc(f->file)) != EOF) {
        line[used++] = (char)ch;
        zeros += !ch;
        if (ch == '\n')
            break;
    }
    if (!used)
        return NULL;
    line[used] = '\0';
    note_line(f, line);
    if (zeros)
        ini_fail(f, "a byte of value 0; expected text");
    else if (used == size - 1 && line[used - 1] != '\n')
        ini_fail(f, "line of more than %d characters", size - 2);
    return f->failed ? NULL : line;
}

struct receiver {
    struct ini_file *file;
    ini_value *take;
    void *user;
};

static int handle(void *receiver, const char *section, const char *key, const char *value)
{
    const struct receiver *r = receiver;
    if (!r->file->failed)
        r->take(r->user, section, key, value);
    return !r->file->failed;
}

int ini_read(struct ini_file *f, ini_value *take, void *user)
{
    struct receiver receiver = {f, take, user};
    f->file = fopen(f->name, "r");
    if (!f->file)
        return ini_fail(f, "cannot be read: %s", strerror(errno));
    const int status = ini_parse_stream(read_line, f, handle, &receiver);
    const int unreadable = ferror(f->file);
    fclose(f->file);
    f->file = NULL;
    if (f->failed)
        return -1;
    f->line = 0;
    if (unreadable)
        return ini_fail(f, "cannot be read to its end");
    f->line = status > 0 ? (unsigned)status : 0;
    return status ? ini_fail(f, "neither a comment, nor [section], nor key = value") : 0;
}
