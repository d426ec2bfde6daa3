/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/compile.c: the recipe. The device library (devlib.cl, compiled when Heddle was built) is
 * linked in and everything is inlined: the machine has no calls. Loops stay as they are written and
 * products and sums are not fused, so that a plain C computation gives the same bits.
 * clang leaves out of the PTX what kernels require and what their arguments are; its LLVM assembly,
 * from a second run that optimizes nothing, has it. */
#include "tb/ocl/compile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/ocl/arguments.h"
#include "tb/ocl/machine.h"
#include "tb/ocl/repair.h"
#include "tb/ocl/spawn.h"

/* Diagnostics then name the program's own lines. */
static const char first_line[] = "#line 1 \"program.cl\"\n";

/* The words in capitals stand for files (struct files). The program's directory is where its
 * #include looks last. */
static const char common[] =
    "clang -x cl --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70 -cl-std=CL1.2 "
    "-D__OPENCL_VERSION__=120 -Xclang -cl-ext=+cl_khr_int64_base_atomics,"
    "+cl_khr_int64_extended_atomics,+cl_khr_3d_image_writes -include PRELUDE -O2 -S -o -";
static const char to_ptx[] = "-fno-unroll-loops -ffp-contract=off -mllvm -inline-threshold=1000000 "
                             "-Xclang -mlink-builtin-bitcode -Xclang DEVLIB";
static const char to_assembly[] = "-w -emit-llvm -Xclang -disable-llvm-passes -cl-kernel-arg-info";
static const char input[] = "-I. -";

int compiler_available(void)
{
    return spawn_available("clang");
}

/* What lies beside libheddle.so: the device library, and what is read before each program. */
struct files {
    char *devlib, *prelude;
};

/* Appends the words of `text`, which it cuts into pieces. */
static char **append_words(char **end, char *text, const struct files *files)
{
    for (char *word; (word = strsep(&text, " "));)
        *end++ = strcmp(word, "DEVLIB") == 0    ? files->devlib
                 : strcmp(word, "PRELUDE") == 0 ? files->prelude
                                                : word;
    return end;
}

/* Runs clang with the common words, those of `form`, and the program's options. */
static char *run_clang(const char *source, const char *form, const struct files *files,
                       char *const *options, size_t *bytes, FILE *log)
{
    size_t count = 0;
    while (options[count])
        count++;
    char words[2][sizeof common + sizeof to_ptx + sizeof to_assembly];
    snprintf(words[0], sizeof words[0], "%s %s", common, form);
    strcpy(words[1], input);
    char **arguments = calloc(count + sizeof words, sizeof *arguments);
    if (!arguments) {
        fprintf(log, "no memory for the compiler\n");
        return NULL;
    }
    char **end = append_words(arguments, words[0], files);
    for (size_t i = 0; i < count; i++)
        *end++ = options[i];
    append_words(end, words[1], files);
    char *output = spawn(arguments, source, bytes, log);
    free(arguments);
    return output;
}

/* With the device library, and the source under its name. */
static char *compile_named(const char *source, const struct files *files, char *const *options,
                           size_t *bytes, FILE *log)
{
    char *ptx = run_clang(source, to_ptx, files, options, bytes, log);
    if (ptx)
        ptx = repair_rotations(ptx, bytes);
    if (!ptx)
        return NULL;
    size_t assembly_bytes;
    char *assembly = run_clang(source, to_assembly, files, options, &assembly_bytes, log);
    if (assembly) {
        ptx = arguments_insert(ptx, bytes, assembly);
    } else {
        free(ptx);
        ptx = NULL;
    }
    free(assembly);
    return ptx;
}

/* Whether a file is there; `path` NULL: no memory for its name. */
static int found(const char *path, FILE *log)
{
    if (!path)
        fprintf(log, "no memory for the compiler\n");
    else if (access(path, R_OK) != 0)
        fprintf(log, "a file of Heddle's is missing: %s\n", path);
    else
        return 1;
    return 0;
}

char *compile(const char *source, char *const *options, size_t *bytes, FILE *log)
{
    char *ptx = NULL, *named = NULL;
    const struct files files = {machine_file("devlib.bc"), machine_file("prelude.cl")};
    if (asprintf(&named, "%s%s", first_line, source) < 0) {
        fprintf(log, "no memory for the compiler\n");
        named = NULL;
    } else if (found(files.devlib, log) && found(files.prelude, log)) {
        ptx = compile_named(named, &files, options, bytes, log);
    }
    free(named);
    free(files.devlib);
    free(files.prelude);
    return ptx;
}
