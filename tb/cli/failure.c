/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/failure.c: see failure.h. */
#include "tb/cli/failure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/unit.h"
#include "hw.h"
#include "tb/cli/cli.h"

#define FOLDER "fail" /* of all runs */

#define CYCLES_BEFORE 48 /* of the waveform that explains a mismatch; the view shows 16 */
#define CYCLES_AFTER  UNIT_AFTER

static void mismatch_path(const struct failure *f, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/mismatch", f->machine->fail);
}

int failure_begin(struct failure *f, struct machine_options *machine, char **program)
{
    char path[PATH_MAX];
    const char *slash = strrchr(program[0], '/'), *name = slash ? slash + 1 : program[0];
    *f = (struct failure){machine, program, machine->fail != NULL, ""};
    if (f->asked) {
        if (mkdir(machine->fail, 0777) && errno != EEXIST)
            return -1;
        mismatch_path(f, path);
        unlink(path);
        return 0;
    }
    /* what an earlier process of this number has left stays */
    snprintf(f->own, sizeof f->own, FOLDER "/%.100s.%d", name, (int)getpid());
    for (int again = 2; !access(f->own, F_OK); again++)
        snprintf(f->own, sizeof f->own, FOLDER "/%.100s.%d.%d", name, (int)getpid(), again);
    machine->fail = f->own;
    return 0;
}

/* Which unit failed and when: "unit cycle" in the file that the machine leaves, which is taken. */
static int take_mismatch(const struct failure *failure, char unit[32], uint64_t *cycle)
{
    char path[PATH_MAX];
    mismatch_path(failure, path);
    FILE *f = fopen(path, "r");
    int fields = f ? fscanf(f, "%31s %" SCNu64, unit, cycle) : 0;
    if (f)
        fclose(f);
    unlink(path);
    return fields == 2 ? 0 : -1;
}

/* A path as a person would type it here. */
static const char *shorten(const char *path)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    return length > 1 && !strncmp(path, here, length) && path[length] == '/' ? path + length + 1
                                                                             : path;
}

static void print_replay(const struct failure *f, const char *command, const char *wave)
{
    fprintf(stderr, "replay   ");
    print_shell_word(shorten(command), stderr);
    fprintf(stderr, " run");
    if (f->machine->config_file != build_path(1, CONFIG_NAME ".ini")) {
        fprintf(stderr, " --config-file=");
        print_shell_word(f->machine->config_file, stderr);
    }
    for (int i = 0; i < f->machine->num_settings; i++) {
        fprintf(stderr, " --set ");
        print_shell_word(f->machine->settings[i], stderr);
    }
    fprintf(stderr, " --wave=%s --", wave);
    for (char **word = f->program; *word; word++) {
        fputc(' ', stderr);
        print_shell_word(*word, stderr);
    }
    fputc('\n', stderr);
}

void failure_explain(struct failure *f)
{
    struct machine_options *m = f->machine;
    char unit[32], again[32], path[PATH_MAX], window[PATH_MAX + 64], short_window[96];
    uint64_t cycle, cycle_again;
    if (take_mismatch(f, unit, &cycle)) /* the status is the program's own */
        return;
    uint64_t from = cycle > CYCLES_BEFORE ? cycle - CYCLES_BEFORE : 0;
    snprintf(path, sizeof path, "%s/%s", m->fail, unit);
    snprintf(window, sizeof window, "%s.fst:%" PRIu64 "-%" PRIu64, path, from,
             cycle + CYCLES_AFTER);
    snprintf(short_window, sizeof short_window, "%s.fst:%" PRIu64 "-%" PRIu64, unit, from,
             cycle + CYCLES_AFTER);
    m->wave = window;
    m->stats = m->trace = m->profile = m->capture = m->timeline = NULL;
    machine_environment(m);
    int status = machine_run(f->program, 1, NULL);
    if (status != EXIT_MISMATCH || take_mismatch(f, again, &cycle_again) || cycle_again != cycle ||
        strcmp(unit, again))
        fprintf(stderr, "heddle: the same run, made again for the waveform, did not end in the "
                        "same mismatch; does the "
                        "program depend on anything but its arguments?\n");
    const char *shown = shorten(path);
    fprintf(stderr,
            "history  %s.txt\nwave     %s.fst   view: gtkwave %s.gtkw\n"
            "         or surfer --command-file %s.sucl %s.fst\n",
            shown, shown, shown, shown, shown);
    print_replay(f, build_path(5, "heddle"), short_window);
}

void failure_end(const struct failure *f)
{
    char link[64];
    if (!rmdir(f->machine->fail) || f->asked || access(f->own, F_OK))
        return;
    snprintf(link, sizeof link, FOLDER "/latest.%d", (int)getpid());
    unlink(link);
    if (symlink(strchr(f->own, '/') + 1, link) || rename(link, FOLDER "/latest"))
        fprintf(stderr, "heddle: " FOLDER "/latest cannot be made: %s\n", strerror(errno));
}
