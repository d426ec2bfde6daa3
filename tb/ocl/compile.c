/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/compile.c: the recipe. The device library (devlib.cl, compiled when Heddle was built) is
 * linked in and everything is inlined: the machine has no calls. Loops stay as they are written and
 * products and sums are not fused, so that a plain C computation gives the same bits. */
#include "tb/ocl/compile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/ocl/machine.h"
#include "tb/ocl/required.h"
#include "tb/ocl/spawn.h"

/* Diagnostics then name the program's own lines. */
static const char first_line[] = "#line 1 \"program.cl\"\n";

/* "%s" is the device library. The program's directory is where its #include looks last. */
static const char common[] =
    "clang -x cl --target=nvptx64-nvidia-nvcl -Xclang -target-cpu "
    "-Xclang sm_70 -cl-std=CL1.2 -D__OPENCL_VERSION__=120 "
    "-Xclang -cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics -O2 -S -o -";
static const char to_ptx[] = "-fno-unroll-loops -ffp-contract=off -mllvm -inline-threshold=1000000 "
                             "-Xclang -mlink-builtin-bitcode -Xclang %s";
static const char to_assembly[] = "-w -emit-llvm -Xclang -disable-llvm-passes";
static const char input[] = "-I. -";

int compiler_available(void)
{
    return spawn_available("clang");
}

/* Appends the words of `text`, which it cuts into pieces. */
static char **append_words(char **end, char *text, char *library)
{
    for (char *word; (word = strsep(&text, " "));)
        *end++ = strcmp(word, "%s") == 0 ? library : word;
    return end;
}

/* Runs clang with the common words, those of `form`, and the program's options. */
static char *run_clang(const char *source, const char *form, char *library, char *const *options,
                       size_t *bytes, FILE *log)
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
    char **end = append_words(arguments, words[0], library);
    for (size_t i = 0; i < count; i++)
        *end++ = options[i];
    append_words(end, words[1], library);
    char *output = spawn(arguments, source, bytes, log);
    free(arguments);
    return output;
}

/* With the device library, and the source under its name. */
static char *compile_named(const char *source, char *library, char *const *options, size_t *bytes,
                           FILE *log)
{
    char *ptx = run_clang(source, to_ptx, library, options, bytes, log);
    if (!ptx || !required_possible(source))
        return ptx;
    size_t assembly_bytes;
    char *assembly = run_clang(source, to_assembly, library, options, &assembly_bytes, log);
    if (assembly) {
        ptx = required_insert(ptx, bytes, assembly);
    } else {
        free(ptx);
        ptx = NULL;
    }
    free(assembly);
    return ptx;
}

char *compile(const char *source, char *const *options, size_t *bytes, FILE *log)
{
    char *ptx = NULL, *library = machine_file("devlib.bc"), *named = NULL;
    if (!library || asprintf(&named, "%s%s", first_line, source) < 0) {
        fprintf(log, "no memory for the compiler\n");
        named = NULL;
    } else if (access(library, R_OK) != 0) {
        fprintf(log, "the device library is missing: %s\n", library);
    } else {
        ptx = compile_named(named, library, options, bytes, log);
    }
    free(named);
    free(library);
    return ptx;
}
