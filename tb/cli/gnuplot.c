/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/gnuplot.c: see gnuplot.h. gnuplot reads the script as its standard input and draws to its
 * standard output, so that it learns no name of a file. */
#include "tb/cli/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PDF             "pdfcairo font 'sans,10'"
#define POINTS_PER_INCH 96.0

extern char **environ;

/* What gnuplot is to draw with, by the file's name; NULL with the reason on stderr. */
static const char *terminal_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && !strcmp(dot, ".svg"))
        return "svg dynamic font 'sans,12'";
    if (dot && !strcmp(dot, ".png"))
        return "pngcairo font 'sans,10'";
    if (dot && !strcmp(dot, ".pdf"))
        return PDF;
    fprintf(stderr, "%s: cannot be drawn; expected a name that ends with .svg, .png or .pdf\n",
            path);
    return NULL;
}

/* In the unit of the terminal: a PDF is measured in inches. */
static void set_terminal(FILE *script, const char *terminal, int width, int height)
{
    const int pdf = !strcmp(terminal, PDF);
    fprintf(script,
            pdf ? "set terminal %s size %.3f,%.3f noenhanced\n"
                : "set terminal %s size %.0f,%.0f noenhanced\n",
            terminal, pdf ? width / POINTS_PER_INCH : width,
            pdf ? height / POINTS_PER_INCH : height);
}

/* No command can begin in a text that stays on its line and does not end early. */
static void print_harmless(FILE *to, const char *text, char quote, const char *instead)
{
    fputc(quote, to);
    for (; *text; text++)
        if (*text == quote)
            fputs(instead, to);
        else
            fputc((unsigned char)*text < ' ' || *text == 127 ? '?' : *text, to);
    fputc(quote, to);
}

void picture_text(FILE *to, const char *format, ...)
{
    char *text;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        text = NULL;
    va_end(values);
    print_harmless(to, text ? text : "?", '\'', "''"); /* nothing else has a meaning in it */
    free(text);
}

void picture_label(FILE *to, const char *text)
{
    print_harmless(to, text, '"', "'"); /* data have no way to write this quote */
}

int picture_check(const char *path)
{
    return terminal_of(path) ? file_check(path, stderr) : -1;
}

int picture_begin(struct picture *p, const char *path, int width, int height)
{
    const char *terminal = terminal_of(path);
    p->path = path;
    p->file = terminal ? file_create(path, stderr) : NULL;
    if (!p->file)
        return -1;
    const int memory = memfd_create("gnuplot", MFD_CLOEXEC);
    p->script = memory < 0 ? NULL : fdopen(memory, "w+");
    if (!p->script) {
        fprintf(stderr, "%s: cannot be drawn: %s\n", path, strerror(errno));
        file_discard(p->file);
        return -1;
    }
    set_terminal(p->script, terminal, width, height);
    return 0;
}

/* Returns 0, or -1 with the reason on stderr. */
static int run_gnuplot(const struct picture *p)
{
    char name[] = "gnuplot", *arguments[] = {name, NULL};
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = 0, error = posix_spawn_file_actions_init(&files);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&files, fileno(p->script), STDIN_FILENO);
    if (!error)
        error =
            posix_spawn_file_actions_adddup2(&files, fileno(file_stream(p->file)), STDOUT_FILENO);
    if (!error)
        error = posix_spawnp(&child, name, &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error) {
        fprintf(stderr, "%s: cannot be drawn: gnuplot: %s\n", p->path, strerror(error));
        return -1;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (status)
        fprintf(stderr, "%s: cannot be drawn: gnuplot ended with status %d\n", p->path,
                WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return status ? -1 : 0;
}

int picture_end(struct picture *p)
{
    int failed = fflush(p->script) | ferror(p->script);
    if (failed)
        fprintf(stderr, "%s: cannot be drawn: %s\n", p->path, strerror(errno));
    rewind(p->script);
    failed = failed || run_gnuplot(p);
    fclose(p->script);
    if (!failed)
        return file_commit(p->file, stderr);
    file_discard(p->file);
    return -1;
}
