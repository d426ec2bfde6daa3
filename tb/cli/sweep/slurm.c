/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/slurm.c: the tasks of a sweep as a Slurm job array. The array's number stays in the
 * tasks' folder until it has ended: a sweep that was killed meanwhile waits for it when it is
 * started again, and submits only what is then still missing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/cli/cli.h"
#include "tb/cli/sweep/folder.h"
#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/sweep.h"

#define MOST_ELEMENTS 1000  /* of an array, where Slurm does not say how many it allows */
#define POLL          2000  /* milliseconds */
#define PATIENCE      150   /* polls in vain until the controller is given up */
#define MOST_SAID     65536 /* of what a command of Slurm says */

/* Runs a command of Slurm; both its outputs are in `said`. Returns its exit status, 127: there is
 * none. */
static int ask(const char *command, char said[MOST_SAID])
{
    char *line = text_of("%s 2>&1", command);
    FILE *pipe = popen(line, "r");
    free(line);
    *said = 0;
    if (!pipe)
        return 127;
    said[fread(said, 1, MOST_SAID - 1, pipe)] = 0;
    while (getc(pipe) != EOF)
        ;
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/* A file of the folder, opened; told where it cannot be. */
static FILE *open_file(const struct sweep *s, const char *name, const char *mode)
{
    char *path = text_of("%s/%s", s->folder, name);
    FILE *f = fopen(path, mode);
    if (!f)
        fprintf(stderr, "heddle sweep: %s: %s\n", path, strerror(errno));
    free(path);
    return f;
}

static int most_elements(void)
{
    static char said[MOST_SAID];
    int most = 0;
    if (ask("scontrol show config", said) == 0 && strstr(said, "MaxArraySize"))
        sscanf(strstr(said, "MaxArraySize"), "MaxArraySize = %d", &most);
    return most > 0 ? most : MOST_ELEMENTS;
}

/* One element runs every so many-th line of the list, however long that is. */
static int write_script(const struct sweep *s)
{
    const int most = most_elements(), elements = s->num_pending < most ? s->num_pending : most;
    FILE *list = open_file(s, "list", "w"), *script = list ? open_file(s, "array.sh", "w") : NULL;
    if (list && script) {
        for (int i = 0; i < s->num_pending; i++)
            fprintf(list, "%d\n", s->pending[i]);
        fprintf(script, "#!/bin/sh\n#SBATCH --job-name=heddle-sweep\n#SBATCH --output=/dev/null\n");
        fprintf(script, "#SBATCH --array=0-%d", elements - 1);
        if (s->jobs)
            fprintf(script, "%%%d", s->jobs);
        fprintf(script, "\nfolder=");
        print_shell_word(s->folder, script);
        fprintf(script,
                "\nfor task in $(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))~%dp\" \"$folder/list\"); "
                "do\n    ",
                elements);
        const char *const words[] = {s->command, "sweep", "--results", s->results, s->file};
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            print_shell_word(words[i], script);
            fputc(' ', script);
        }
        fprintf(script, "--timeout=%d --task=\"$task\" >\"$folder/$task.task\" 2>&1\ndone\n",
                s->timeout);
    }
    int failed = !list || !script || ferror(list) || ferror(script);
    failed |= list && fclose(list);
    failed |= script && fclose(script);
    if (failed)
        fprintf(stderr, "heddle sweep: the job array cannot be written\n");
    return failed ? -1 : 0;
}

/* Submits the pending points. The array's number is in `job`, and in the folder. */
static int submit(const struct sweep *s, char job[32])
{
    static char said[MOST_SAID];
    if (write_script(s))
        return EXIT_USAGE;
    char *text = NULL;
    size_t size;
    FILE *command = open_memstream(&text, &size);
    if (!command)
        no_memory();
    fprintf(command, "sbatch --parsable %s ", s->sbatch ? s->sbatch : "");
    char *script = text_of("%s/array.sh", s->folder);
    print_shell_word(script, command);
    fclose(command);
    const int status = ask(text, said);
    free(text);
    free(script);
    const size_t digits = strspn(said, "0123456789");
    if (status || !digits || digits > 20) {
        fprintf(stderr, "heddle sweep: sbatch ended with status %d%s\n%s", status,
                status == 127 ? "; is Slurm installed?" : "", said);
        return EXIT_USAGE;
    }
    snprintf(job, 32, "%.*s", (int)digits, said);
    FILE *f = open_file(s, FOLDER_JOB, "w");
    if (!f || fprintf(f, "%s\n", job) < 0 || fclose(f))
        fprintf(stderr, "heddle sweep: array %s was submitted, but its number cannot be kept\n",
                job);
    return 0;
}

/* The array of an earlier sweep. */
static int find_job(const struct sweep *s, char job[32])
{
    FILE *f = folder_job(s->folder) ? open_file(s, FOLDER_JOB, "r") : NULL;
    const int found = f && fscanf(f, "%20[0123456789]", job) == 1;
    if (f)
        fclose(f);
    return found;
}

/* Is any of the array waiting or running? Counts what is running. -1: Slurm does not say. */
static int alive(struct sweep *s, const char *job)
{
    static char said[MOST_SAID];
    char command[96];
    snprintf(command, sizeof command, "squeue --noheader --array --format=%%t --jobs=%s", job);
    const int status = ask(command, said);
    if (status)
        return strstr(said, "Invalid job id") ? 0 : -1;
    s->progress.running = 0;
    for (const char *line = said; *line; line += strcspn(line, "\n"), line += *line == '\n')
        s->progress.running += line[0] == 'R' && line[1] == '\n';
    return *said != 0;
}

static void import_ready(struct sweep *s)
{
    int left = 0;
    for (int i = 0; i < s->num_pending; i++)
        if (!folder_has(s->folder, s->pending[i]) || sweep_import(s, s->pending[i], NULL))
            s->pending[left++] = s->pending[i];
    s->num_pending = left;
}

static void forget_job(const struct sweep *s)
{
    static const char *const files[] = {FOLDER_JOB, "list", "array.sh"};
    for (int i = 0; i < 3; i++) {
        char *path = text_of("%s/%s", s->folder, files[i]);
        unlink(path);
        free(path);
    }
}

/* Waits for the end of the array, importing what it leaves. */
static int wait_for(struct sweep *s, const char *job)
{
    static char said[MOST_SAID];
    int vain = 0, cancelled = 0, state;
    while ((state = alive(s, job)) != 0) {
        vain = state < 0 ? vain + 1 : 0;
        if (vain == PATIENCE) {
            fprintf(stderr, "heddle sweep: Slurm does not answer; array %s is not waited for\n",
                    job);
            return EXIT_USAGE;
        }
        progress_show(&s->progress);
        if (signal_ends(signals_wait(POLL)) && !cancelled++) {
            char command[64];
            snprintf(command, sizeof command, "scancel %s", job);
            ask(command, said);
        }
        import_ready(s);
    }
    import_ready(s);
    s->progress.running = 0;
    forget_job(s);
    return cancelled ? EXIT_INTERRUPTED : 0;
}

int engine_slurm(struct sweep *s)
{
    char job[32];
    int status = 0;
    if (find_job(s, job)) {
        fprintf(stderr, "array %s of an earlier sweep is waited for\n", job);
        status = wait_for(s, job);
    }
    if (status || !s->num_pending || (status = submit(s, job)))
        return status;
    fprintf(stderr, "array %s: %d points\n", job, s->num_pending);
    status = wait_for(s, job);
    for (int i = 0; i < s->num_pending && !status; i++) {
        char *log = task_file(s->folder, s->pending[i], ".task"), *told = excerpt_of(log),
             *why = text_of("array %s ended without its result%s%s", job, *told ? ": " : "", told);
        sweep_import(s, s->pending[i], why);
        free(why);
        free(told);
        free(log);
    }
    return status;
}
