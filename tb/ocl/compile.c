/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/compile.c: the recipe. The device library (devlib.cl, compiled when Heddle was built) is
 * linked in. clang inlines what it finds worth it, and tb/ptx the calls that are left: so a function
 * needs a body, and C99's `inline` ones keep theirs (-fgnu89-inline, in objects repair_inline). Loops stay as they are written
 * and products and sums are not fused, so that a plain C computation gives the same bits.
 * What a fault names is the source: clang is to say which line each instruction comes from.
 * clang leaves out of the PTX what kernels require and what their arguments are; its LLVM assembly,
 * from a second run that optimizes nothing, has it. (A front end for both, of whose bitcode a second run makes the PTX, gives
 * the same PTX of 36 workloads, in seven eighths of the time: what is linked is then read and written twice.) An object is a program before all this, as
 * LLVM's bitcode. */
#include "tb/ocl/compile.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/ocl/arguments.h"
#include "tb/ocl/cache.h"
#include "tb/ocl/includes.h"
#include "tb/ocl/machine.h"
#include "tb/ocl/repair.h"
#include "tb/ocl/spawn.h"

/* Diagnostics then name the program's own lines. */
static const char first_line[] = "#line 1 \"program.cl\"\n";

static const char common[] =
    "clang -x cl --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70 -cl-std=CL1.2 "
    "-D__OPENCL_VERSION__=120 -D__IMAGE_SUPPORT__=1 -Xclang -cl-ext=+cl_khr_int64_base_atomics,"
    "+cl_khr_int64_extended_atomics,+cl_khr_3d_image_writes -O2 -o -";
static const char to_ptx[] = "-S -fno-unroll-loops -ffp-contract=off -fgnu89-inline -Xclang "
                             "-mlink-builtin-bitcode";
/* .loc says of each instruction where it comes from; the instructions stay the same. No folder is named. Later versions
 * of DWARF describe calls, with labels in the middle of a call instruction. */
static const char lines[] = "-gdwarf-2 -gline-directives-only -fdebug-compilation-dir=.";
static const char to_assembly[] = "-w -S -emit-llvm -Xclang -disable-llvm-passes "
                                  "-cl-kernel-arg-info";
static const char to_text[] = "-w -E";
static const char to_object[] = "-c -emit-llvm -Xclang -disable-llvm-passes -cl-kernel-arg-info";
static const char to_ir[] = "-S -emit-llvm -Xclang -disable-llvm-passes -cl-kernel-arg-info";
static const char from_ir[] =
    "clang -x ir --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang "
    "sm_70 -O2 -w -c -emit-llvm -Xclang -disable-llvm-passes -o - -";

int compiler_available(void)
{
    char file[PATH_MAX];
    return spawn_where("clang", file);
}

/* What one translation is made of. */
struct job {
    const char *source; /* with its first line */
    const struct input *inputs;
    size_t num_inputs;
    char *const *options;
    char *devlib, *prelude; /* files beside libheddle.so */
    const char *text;       /* what the source says, with all that it reads; NULL: not known */
    struct cache_key files; /* those that it includes, beside the text */
    FILE *log;
};

/* A list of words, ended by NULL. */
struct words {
    char **list;
    size_t count;
    int failed; /* no memory */
};

__attribute__((format(printf, 2, 3))) static void add(struct words *words, const char *format, ...)
{
    char **list = realloc(words->list, (words->count + 2) * sizeof *list);
    char *word = NULL;
    va_list values;
    va_start(values, format);
    if (!list || vasprintf(&word, format, values) < 0)
        words->failed = 1;
    va_end(values);
    if (!list)
        return;
    words->list = list;
    list[words->count] = words->failed ? NULL : word;
    words->count += !words->failed;
    list[words->count] = NULL;
}

static void add_text(struct words *words, const char *text)
{
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        add(words, "%.*s", (int)length, text);
    }
}

static void words_free(struct words *words)
{
    while (words->count)
        free(words->list[--words->count]);
    free(words->list);
}

/* An option of clang's inner part, with its value. */
#define ADD_INNER(words, option, ...)                                                              \
    (add(words, "-Xclang"), add(words, option), add(words, "-Xclang"), add(words, __VA_ARGS__))

/* Headers are in the program's directory, without being there. */
static void add_inputs(struct words *words, const struct job *job)
{
    for (size_t i = 0; i < job->num_inputs; i++) {
        const int file = SPAWN_FIRST_FILE + (int)i;
        if (job->inputs[i].name)
            ADD_INNER(words, "-remap-file", "./%s;/dev/fd/%d", job->inputs[i].name, file);
        else
            ADD_INNER(words, "-mlink-bitcode-file", "/dev/fd/%d", file);
    }
}

static int has_objects(const struct job *job)
{
    size_t i = 0;
    while (i < job->num_inputs && job->inputs[i].name)
        i++;
    return i < job->num_inputs;
}

/* All that what clang makes depends on: the compiler, the words but for the names of files, and what is in the files. */
static struct cache_key key_of(const struct job *job, const struct words *words)
{
    struct cache_key key = cache_key();
    char clang[PATH_MAX];
    if (!spawn_where("clang", clang))
        return (struct cache_key){0};
    cache_add_file(&key, clang);
    cache_add_file(&key, job->devlib);
    cache_add_file(&key, job->prelude);
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->list[i], job->devlib) && strcmp(words->list[i], job->prelude))
            cache_add(&key, words->list[i], strlen(words->list[i]));
    if (!job->text)
        return (struct cache_key){0};
    cache_add(&key, job->text, strlen(job->text));
    cache_add(&key, &job->files.hash, sizeof job->files.hash);
    for (size_t i = 0; i < job->num_inputs; i++)
        cache_add(&key, job->inputs[i].bytes, job->inputs[i].size);
    return key;
}

/* What clang makes of the words, from the cache or now, which is kept. */
static char *made(const struct job *job, const struct words *words, const struct spawn_file *files,
                  size_t *bytes)
{
    const struct cache_key key = key_of(job, words);
    char *output = cache_find(&key, bytes, job->log), *said = NULL;
    size_t size;
    FILE *log = output ? NULL : open_memstream(&said, &size);
    if (output || !log)
        return output;
    output = spawn(words->list, job->source, files, job->num_inputs, bytes, log);
    fclose(log);
    fputs(said, job->log);
    if (output)
        cache_keep(&key, output, *bytes, said);
    free(said);
    return output;
}

/* Runs clang with the words of `form`. */
static char *run_clang(const struct job *job, const char *form, size_t *bytes)
{
    struct words words = {NULL, 0, 0};
    struct spawn_file *files = calloc(job->num_inputs + 1, sizeof *files);
    char *output = NULL;
    add_text(&words, common);
    add(&words, "-include");
    add(&words, "%s", job->prelude);
    add_inputs(&words, job); /* before the device library, of which they take what they need */
    if (form != to_assembly && form != to_text)
        add_text(&words, lines);
    add_text(&words, form);
    if (form == to_ptx) {
        add(&words, "-Xclang");
        add(&words, "%s", job->devlib);
    }
    for (size_t i = 0; job->options[i]; i++)
        add(&words, "%s", job->options[i]);
    add_text(&words, "-I. -"); /* the program's directory is where its #include looks last */
    for (size_t i = 0; files && i < job->num_inputs; i++)
        files[i] = (struct spawn_file){job->inputs[i].bytes, job->inputs[i].size};
    if (words.failed || !files)
        fprintf(job->log, "no memory for the compiler\n");
    else
        output = made(job, &words, files, bytes);
    words_free(&words);
    free(files);
    return output;
}

static char *make_ptx(const struct job *job, size_t *bytes)
{
    size_t assembly_bytes;
    char *ptx = run_clang(job, to_ptx, bytes);
    if (ptx) {
        repair_labels(ptx, bytes);
        ptx = repair_rotations(ptx, bytes);
    }
    if (ptx)
        ptx = repair_kernel_calls(ptx, bytes);
    char *assembly = ptx ? run_clang(job, to_assembly, &assembly_bytes) : NULL;
    if (assembly) {
        ptx = arguments_insert(ptx, bytes, assembly);
    } else {
        free(ptx);
        ptx = NULL;
    }
    free(assembly);
    return ptx;
}

/* Of a source, by way of its text, in which inline functions keep their bodies; or of objects. */
static char *make_object(const struct job *job, size_t *bytes)
{
    if (has_objects(job))
        return run_clang(job, to_object, bytes);
    struct words words = {NULL, 0, 0};
    char *ir = run_clang(job, to_ir, bytes), *output = NULL;
    if (ir) {
        repair_inline(ir);
        add_text(&words, from_ir);
    }
    const struct job rest = {
        .source = ir, .text = ir, .devlib = job->devlib, .prelude = job->prelude, .log = job->log};
    if (words.failed)
        fprintf(job->log, "no memory for the compiler\n");
    else if (ir)
        output = made(&rest, &words, NULL, bytes);
    words_free(&words);
    free(ir);
    return output;
}

/* Whether the source includes headers that are programs, whose names the compiler alone resolves. */
static int has_headers(const struct job *job)
{
    return job->num_inputs && !has_objects(job);
}

/* A program that reads files is known by what they hold now: by the files themselves where they can be seen in the source, else by what
 * the compiler's first stage makes of it, which is returned. Where even that fails it is not known, and the compiler says why. */
static char *read_all(struct job *job)
{
    char *said = NULL, *text = NULL;
    size_t size;
    int hidden = has_headers(job); /* what it reads */
    for (size_t i = 0; job->options[i]; i++)
        hidden |= cache_text_reads(job->options[i], strlen(job->options[i]));
    job->text = job->source;
    job->files = cache_key();
    if (!job->files.known || (!hidden && includes_add(&job->files, job->source, job->options)))
        return NULL;
    job->text = NULL;
    job->files = cache_key();
    FILE *log = open_memstream(&said, &size);
    if (!log)
        return NULL;
    struct job first = *job;
    first.log = log;
    job->text = text = run_clang(&first, to_text, &size);
    fclose(log);
    free(said);
    return text;
}

/* Whether a file is there; `path` NULL: no memory for its name. */
static int found(const char *path, FILE *log)
{
    if (!path)
        fprintf(log, "no memory for the compiler\n");
    else if (access(path, R_OK) != 0)
        fprintf(log, "a file of Heddle is missing: %s\n", path);
    else
        return 1;
    return 0;
}

char *compile(const char *source, const struct input *inputs, size_t num_inputs,
              char *const *options, enum result result, size_t *bytes, FILE *log)
{
    char *output = NULL, *named = NULL, *read = NULL;
    struct job job = {.inputs = inputs,
                      .num_inputs = num_inputs,
                      .options = options,
                      .devlib = machine_file("devlib.bc"),
                      .prelude = machine_file("prelude.cl"),
                      .log = log};
    if (asprintf(&named, "%s%s", first_line, source) < 0) {
        fprintf(log, "no memory for the compiler\n");
        named = NULL;
    } else if (found(job.devlib, log) && found(job.prelude, log)) {
        job.source = named;
        read = read_all(&job);
        output = result == RESULT_PTX ? make_ptx(&job, bytes) : make_object(&job, bytes);
    }
    free(named);
    free(read);
    free(job.devlib);
    free(job.prelude);
    return output;
}
