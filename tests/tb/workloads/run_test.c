/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/run_test.c: the programs themselves, run on Heddle: verified results for sizes
 * with and without tails, the same output every time, exit statuses, and the registry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hw.h"
#include "tests/tb/shell.h"

enum { STATUS_VERIFIED = 0, STATUS_USAGE = 2, STATUS_DEVICE = 4 };

static const char *build_folder(void)
{
    const char *folder = getenv("HEDDLE_BUILD");
    assert_non_null(folder);
    return folder;
}

/* Runs `line`, a workload and its options, on Heddle. */
static int run_on_heddle(const char *settings, const char *line, char *text)
{
    char command[1024];
    snprintf(command, sizeof command, "%s/heddle run %s -- %s/workloads/%s", build_folder(),
             settings, build_folder(), line);
    return shell(command, text);
}

static void results_are_verified(void **state)
{
    static const struct {
        const char *line, *verified;
    } cases[] = {
        {"vecadd --size=small", "verified: 10007 elements equal the host's\n"},
        {"vecadd --count=1", "verified: 1 elements"},
        {"vecadd --count=127", "verified: 127 elements"},
        {"vecadd --count=128", "verified: 128 elements"},
        {"vecadd --count=129 --repeat=3", "run 3 of 3: 1 launches, kernel time "},
        {"backprop --size=small", "verified: sums and 5117 weights equal the host's bit by bit\n"},
        {"backprop --inputs=17 --epochs=3 --repeat=2", "run 2 of 2: 6 launches"},
        {"backprop --inputs=1", "verified: sums and 34 weights"},
        {"gc --size=small", "verified: the levels of "},
        {"gc --objects=1 --roots=1 --repeat=2", "verified: the levels of 1 objects"},
        {"hotspot --size=small", "verified: 2025 temperatures equal the host's bit by bit\n"},
        {"hotspot --side=31 --pyramid=7 --steps=8", "run 1 of 1: 2 launches"},
        {"hotspot --side=1 --pyramid=1", "verified: 1 temperatures"},
        {"kmeans --size=small", "verified: 350 points belong to the host's clusters"},
        {"kmeans_columns --size=small", "verified: 350 points belong to the host's clusters"},
        {"kmeans_columns --points=130 --features=3 --iterations=1", "run 1 of 1: 2 launches"},
        {"kmeans --points=64 --centres=64 --features=256", "verified: 64 points"},
        {"lud --size=small", "verified: 4096 elements equal the host's bit by bit\n"},
        {"lud --order=33 --seed=3 --repeat=2", "run 2 of 2: 7 launches"},
        {"lud --order=1 --tolerance=1e-6", "verified: 256 elements equal the host's within"},
        {"memcached --size=small", "verified: 430 responses have the right values\n"},
        {"memcached --requests=129 --items=2 --repeat=2", "the store's 2 items in 2 buckets"},
        {"memcached --requests=1 --items=1 --block=1", "verified: 1 responses"},
        {"nw --size=small", "verified: 9409 scores equal the host's\n"},
        {"nw --length=17 --penalty=0 --repeat=2", "run 2 of 2: 3 launches"},
        {"nw --length=1 --penalty=1000", "verified: 289 scores"},
        {"spmv_vector --size=small", "verified: 350 rows equal the host's bit by bit\n"},
        {"spmv_vector --rows=100 --nonzeros=0", "verified: 100 rows"},
        {"spmv_vector --rows=33 --nonzeros=33 --seed=2", "1089 non-zeros, 33 to 33 in a row"},
        {"srad --size=small", "verified: 2025 pixels equal the host's bit by bit\n"},
        {"srad --side=33 --iterations=3 --repeat=2", "run 2 of 2: 15 launches"},
        {"srad --side=2 --tolerance=1e-6", "verified: 4 pixels equal the host's within"},
        {"spmv_jds --size=small", "verified: 1000 rows equal the host's bit by bit\n"},
        {"spmv_jds --rows=1 --nonzeros=1 --block=1", "verified: 1 rows"},
        {"spmv_jds --rows=100 --nonzeros=0", "verified: 100 rows"},
        {"spmv_jds --rows=90 --nonzeros=7 --width=9 --seed=2", "630 non-zeros, "},
        {"spmv --size=small", "verified: 1024 rows equal the host's bit by bit\n"},
        {"spmv --rows=1 --nonzeros=1 --block=1", "verified: 1 rows"},
        {"spmv --rows=100 --nonzeros=0", "verified: 100 rows"},
        {"spmv --rows=90 --nonzeros=90 --block=33", "8100 non-zeros, 90 to 90 in a row"},
        {"matmul --size=small", "verified: 10000 elements equal the host's bit by bit\n"},
        {"matmul --size=1", "verified: 1 elements"},
        {"matmul --size=16", "verified: 256 elements"},
        {"matmul --size=33 --seed=2", "verified: 1089 elements"},
        {"syrk --rows=33 --columns=7 --block=1", "verified: 1089 elements"},
        {"syr2k --rows=33 --columns=7 --block=3 --width=7", "verified: 1089 elements"},
        {"gesummv --rows=70 --columns=1 --block=33", "verified: 140 elements"},
        {"mvt --rows=1 --columns=90 --block=32 --repeat=2", "run 2 of 2: 2 launches"},
        {"bicg --rows=90 --columns=41 --block=7", "verified: 131 elements"},
        {"atax --rows=40 --columns=99 --seed=3", "verified: 139 elements"},
        {"inverted_index --documents=40 --words=9 --block=33 --repeat=2", "run 2 of 2: "},
        {"inverted_index --documents=1 --words=1", "verified: 0 postings of 0 links"},
        {"similarity_score --documents=2 --features=1", "verified: 1 scores"},
        {"similarity_score --documents=23 --features=37 --block=9", "verified: 253 scores"},
        {"page_view_rank --records=90 --pages=9 --visitors=3", "the ranking of 9 pages equals"},
        {"page_view_rank --records=1 --pages=1 --visitors=1", "the ranking of 1 pages equals"},
        {"graph_coloring --scale=6 --degree=20 --block=50", "the colours of 64 vertices equal"},
        {"graph_coloring --scale=1 --degree=0", "run 1 of 1: 1 launches"},
        {"component_labelling --scale=7 --degree=1 --repeat=2", "run 2 of 2: "},
        {"bfs --size=small", "verified: the levels of 1024 vertices equal the host's\n"},
        {"bfs --scale=1", "verified: the levels of 2 vertices"},
        {"bfs --scale=7 --degree=2 --block=40 --source=3", "from vertex 3 to "},
        {"bfs --graph=rmat --scale=6 --degree=40 --seed=9 --repeat=2", "run 2 of 2: "},
        {"gc --objects=300 --roots=3 --fields=7 --repeat=2", "2401 words, 3 roots"},
        {"cutcp --size=small", "verified: 2744 points equal the host's within 2e-05"},
        {"cutcp --points=9 --cutoff=9 --density=8 --repeat=2", "729 points, 64 atoms, cutoff 9"},
        {"cutcp --points=1 --cutoff=1 --density=0", "verified: 1 points"},
        {"histogram --size=small", "verified: 4096 bins of each image equal the host's\n"},
        {"histogram --pixels=300 --bins=2049 --groups=2 --frames=2", "run 1 of 1: 6 launches"},
        {"histogram --pixels=1 --bins=1 --groups=1", "verified: 1 bins"},
        {"lbm --size=small",
         "verified: the populations of 2160 cells equal the host's bit by bit\n"},
        {"lbm --columns=33 --rows=4 --planes=3 --steps=5 --seed=3", "run 1 of 1: 5 launches"},
        {"lbm --layout=cells --size=small", "run 1 of 1: 2 launches"},
        {"mriq --size=small", "verified: 1000 voxels equal the host's within 3e-05\n"},
        {"mriq --voxels=33 --samples=7 --piece=3 --block=32", "run 1 of 1: 4 launches"},
        {"sgemm --size=small", "verified: 6000 elements equal the host's bit by bit\n"},
        {"sgemm --rows=129 --columns=17 --depth=9 --seed=2", "verified: 2193 elements"},
        {"sgemm --rows=1 --columns=1 --depth=1", "verified: 1 elements"},
        {"stencil --size=small", "verified: 5600 points equal the host's bit by bit\n"},
        {"stencil --columns=65 --rows=5 --planes=3 --repeat=2", "verified: 975 points"},
        {"stencil --columns=3 --rows=3 --planes=3", "verified: 27 points"},
        {"stressmark --size=small", "verified: 1920 results equal the host's\n"},
        {"stressmark --groups=1 --rounds=9 --regions=3 --lines=9 --seed=4",
         "9 rounds of 4 of 24 lines"},
        {"stressmark --groups=2 --rounds=1 --regions=1 --lines=4 --repeat=2", "run 2 of 2: 1 "},
    };
    char text[MAX_OUTPUT];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int status = run_on_heddle("", cases[i].line, text);
        if (status != STATUS_VERIFIED || strstr(text, cases[i].verified) == NULL)
            fail_msg("%s: status %d\n%s", cases[i].line, status, text);
        assert_non_null(strstr(text, "device: Heddle"));
        assert_non_null(strstr(text, "kernel time "));
    }
}

/* Groups of 1024 work-items run, or where the machine has no more threads than that, are refused by
 * name: then a kernel may need too many registers. */
static void greatest_groups_run_or_are_refused(void **state)
{
    static const char *const lines[] = {
        "gc --objects=33 --roots=40 --block=1024 --seed=77",
        "spmv --rows=300 --block=1024 --seed=5",
        "syr2k --rows=31 --columns=9 --block=32",
    };
    char text[MAX_OUTPUT];
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        int status = run_on_heddle("", lines[i], text);
        int refused = status == STATUS_DEVICE && NUM_SCHEDULERS * NUM_WARPS * 32 <= 1024 &&
                      (strstr(text, "clEnqueueNDRangeKernel failed: CL_OUT_OF_RESOURCES") ||
                       strstr(text, "clEnqueueNDRangeKernel failed: CL_INVALID_WORK_"));
        int verified = status == STATUS_VERIFIED && strstr(text, "\nverified: ") != NULL;
        if (!refused && !verified)
            fail_msg("%s: status %d\n%s", lines[i], status, text);
    }
}

/* The simulated time is part of the output. */
static void output_is_the_same_every_time(void **state)
{
    static const char *const lines[] = {"vecadd --size=small",     "spmv --rows=200",
                                        "matmul --size=40",        "bfs --scale=8",
                                        "histogram --pixels=3000", "mriq --voxels=200"};
    char first[MAX_OUTPUT], second[MAX_OUTPUT], other_seed[MAX_OUTPUT], line[128];
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(run_on_heddle("", lines[i], first), STATUS_VERIFIED);
        assert_int_equal(run_on_heddle("", lines[i], second), STATUS_VERIFIED);
        assert_string_equal(first, second);
        snprintf(line, sizeof line, "%s --seed=2", lines[i]);
        assert_int_equal(run_on_heddle("", line, other_seed), STATUS_VERIFIED);
        assert_string_not_equal(first, other_seed);
    }
}

/* A matrix file beside the system's other temporary files; the caller removes it. */
static void write_matrix(char *path, const char *text)
{
    strcpy(path, "/tmp/heddle-run-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static void reads_matrix_files(void **state)
{
    static const struct {
        const char *matrix, *message;
        int status;
    } cases[] = {
        {"%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n1 1 2\n3 1 5\n4 4 1e2\n",
         "spmv: 4 rows, 4 columns, 4 non-zeros, 0 to 2 in a row", STATUS_VERIFIED},
        {"%%MatrixMarket matrix coordinate pattern general\n2 9 2\n1 9\n2 1\n",
         "spmv: 2 rows, 9 columns, 2 non-zeros, 1 to 1 in a row", STATUS_VERIFIED},
        {"%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 2\n9000 1 5\n",
         ":4: row 9000 is outside 1..4\n", STATUS_USAGE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[64], line[128], text[MAX_OUTPUT];
        write_matrix(path, cases[i].matrix);
        snprintf(line, sizeof line, "spmv --matrix=%s", path);
        int status = run_on_heddle("", line, text);
        unlink(path);
        assert_int_equal(status, cases[i].status);
        assert_non_null(strstr(text, cases[i].message));
    }
}

static void wrong_options_are_usage_errors(void **state)
{
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"vecadd --count=0", "--count=0: expected a whole number in 1..67108864"},
        {"vecadd --device-type=toaster", "expected gpu, cpu, accelerator or any"},
        {"backprop --inputs=1048577", "expected a whole number in 1..1048576"},
        {"gc --roots=0", "--roots=0: expected a whole number in 1..4194304"},
        {"hotspot --pyramid=8", "--pyramid=8: expected a whole number in 1..7"},
        {"kmeans --points=16777216 --features=256", "expected at most 134217728 features in all"},
        {"kmeans --points=4", "--centres=5: expected at most one for each of the 4 points"},
        {"lud --tolerance=-1", "expected a number that is not negative"},
        {"memcached --items=0", "--items=0: expected a whole number in 1..1048576"},
        {"nw --length=4097", "--length=4097: expected a whole number in 1..4096"},
        {"spmv_vector --block=32", "unrecognized option '--block=32'"},
        {"srad --side=1", "--side=1: expected a whole number in 2..4096"},
        {"spmv --rows=64", "--nonzeros=82: rows of 64 columns have no room for so many"},
        {"spmv_jds --width=5", "--nonzeros=25: rows of 5 columns have no room for so many"},
        {"spmv_jds --rows=600000 --nonzeros=1", "75000 bytes of constant memory; expected at most"},
        {"spmv --rows=16777216", "expected at most 268435456 non-zeros in all"},
        {"spmv --matrix=/nonexistent/m.mtx", "/nonexistent/m.mtx: No such file or directory"},
        {"spmv --matrix=/", ":1: the file cannot be read"},
        {"matmul --size=huge", "expected small, medium, large or a whole number in 1..4096"},
        {"syrk --block=33", "--block=33: expected at most 1024 work-items in all with --width=32"},
        {"inverted_index --documents=99999 --words=9999", "expected at most 16777216 words in all"},
        {"bfs --scale=5 --source=32", "--source=32: expected a vertex in 0..31"},
        {"bfs --graph=tree", "--graph=tree: expected uniform or rmat"},
        {"bfs --scale=22 --degree=9", "expected at most 33554432 edges in all"},
        {"bfs --graph=rmat --scale=1 --degree=1", "expected a larger --degree or another --seed"},
        {"cutcp --cutoff=17", "--cutoff=17: expected a whole number in 1..16"},
        {"histogram --groups=4097", "expected a whole number in 1..4096"},
        {"lbm --columns=512 --rows=1024 --planes=1024", "expected at most 4194304 cells"},
        {"lbm --layout=planes", "--layout=planes: expected velocities or cells"},
        {"mriq --voxels=4194304", "expected at most 268435456 terms in all"},
        {"sgemm --rows=4096 --columns=4096 --depth=4096", "expected at most 8589934592 products"},
        {"stencil --columns=4096 --rows=4096", "expected at most 67108864 points"},
        {"stressmark --lines=3", "--lines=3: expected a whole number in 4..4096"},
    };
    char text[MAX_OUTPUT];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(run_on_heddle("", cases[i].line, text), STATUS_USAGE);
        assert_non_null(strstr(text, cases[i].message));
    }
}

static void device_errors_are_named(void **state)
{
    char text[MAX_OUTPUT], command[1024];
    (void)state;
    assert_int_equal(run_on_heddle("--max-cycles=10", "spmv --size=small", text), STATUS_DEVICE);
    assert_non_null(strstr(text, "spmv: clEnqueueNDRangeKernel failed: CL_"));
    snprintf(command, sizeof command,
             "env -u OCL_ICD_FILENAMES OCL_ICD_VENDORS=/nonexistent %s/workloads/vecadd",
             build_folder());
    assert_int_equal(shell(command, text), STATUS_DEVICE);
    assert_non_null(strstr(text, "clGetPlatformIDs failed: CL_PLATFORM_NOT_FOUND_KHR"));
}

/* Every program has its line, and the line tells the sizes that --help tells. */
static void registry_is_complete(void **state)
{
    static const struct {
        const char *name, *sizes;
    } registry[] = {
#define WORKLOAD(name, paper_set, memory_sensitive, meaning, sizes) {#name, sizes},
#include "tb/workloads/registry.def"
#undef WORKLOAD
    };
    const size_t count = sizeof registry / sizeof registry[0];
    char path[1024], text[MAX_OUTPUT];
    size_t programs = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "COLUMNS=200 ARGP_HELP_FMT=rmargin=200 %s/workloads/%s --help",
                 build_folder(), registry[i].name);
        assert_int_equal(shell(path, text), 0);
        char *sizes = strstr(text, "(by size: ");
        assert_non_null(sizes);
        sizes += strlen("(by size: ");
        *strchr(sizes, ')') = '\0';
        assert_non_null(strstr(registry[i].sizes, sizes));
    }
    snprintf(path, sizeof path, "%s/workloads", build_folder());
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        programs += entry->d_name[0] != '.';
    closedir(folder);
    assert_int_equal(programs, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_verified),
        cmocka_unit_test(greatest_groups_run_or_are_refused),
        cmocka_unit_test(output_is_the_same_every_time),
        cmocka_unit_test(reads_matrix_files),
        cmocka_unit_test(wrong_options_are_usage_errors),
        cmocka_unit_test(device_errors_are_named),
        cmocka_unit_test(registry_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
