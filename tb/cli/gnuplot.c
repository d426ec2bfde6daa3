/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/gnuplot.c: see gnuplot.h. */
#include "tb/cli/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* What gnuplot is to draw with, by the file's name; NULL: neither. */
static const char *terminal_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".svg")   ? "svg dynamic font 'sans,12'"
           : dot && !strcmp(dot, ".png") ? "pngcairo font 'sans,10'"
                                         : NULL;
}

void picture_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (strchr("\"\\", *text))
            fputc('\\', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

int picture_begin(struct picture *p, const char *path, int width, int height)
{
    const char *terminal = terminal_of(path);
    if (!terminal) {
        fprintf(stderr, "%s: cannot be drawn; expected a name that ends with .svg or .png\n", path);
        return -1;
    }
    /* Without gnuplot the shell may have gone before all is written: its status says so. */
    signal(SIGPIPE, SIG_IGN);
    p->path = path;
    p->script = asprintf(&p->beside, "%s.new", path) < 0 ? NULL : popen("gnuplot", "w");
    if (!p->script) {
        fprintf(stderr, "gnuplot cannot be started: %s\n", strerror(errno));
        return -1;
    }
    fprintf(p->script, "set terminal %s size %d,%d noenhanced\nset output ", terminal, width,
            height);
    picture_text(p->script, p->beside);
    fputc('\n', p->script);
    return 0;
}

int picture_end(struct picture *p)
{
    const int status = pclose(p->script), failed = status != 0 || rename(p->beside, p->path);
    if (failed) {
        fprintf(stderr, "%s: cannot be drawn: gnuplot ended with status %d\n", p->path,
                WIFEXITED(status) ? WEXITSTATUS(status) : -1);
        remove(p->beside);
    }
    free(p->beside);
    return failed ? -1 : 0;
}
