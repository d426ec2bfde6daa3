/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/kept_test.c: tests tb/gpu/kept.c and kept_read.c: what is recovered is what the machine would have written of its kernels,
 * wherever the file ends and whatever is wrong in it. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb/gpu/kept.h"
#include "tests/tb/gpu/statistics.h"

static const char text[] = PTX_HEADER
    ".entry copy(.param .u64 p)\n{\n .reg .b32 %r<6>; .reg .b64 %d<4>;\n ld.param.u64 %d1, [p];\n"
    " mov.u32 %r1, %tid.x;\n mul.wide.u32 %d2, %r1, 4;\n add.u64 %d1, %d1, %d2;\n"
    " ld.global.u32 %r2, [%d1];\n st.global.u32 [%d1+512], %r2;\n ret;\n}\n"
    ".entry other()\n{\n ret;\n}\n";

static char folder[] = "/tmp/heddle-kept-XXXXXX", kept[64], stats[64];

enum { LAUNCHES = 6 };

/* Launches of two kernels; the machine is closed and its file kept, or left as if the process had ended. */
static void run(struct bench *b, int fold, int launches)
{
    struct config c = test_config();
    c.run_fold = fold;
    bench_open(b, &c, text, stats);
    gpu_keep(b->gpu, kept, stderr);
    const uint64_t words = bench_buffer(b, 256);
    for (int i = 0; i < launches; i++) {
        const int other = i % 3 == 1;
        if (!other)
            bench_param(b, words);
        bench_time(b, other ? "other" : "copy", 2 + (i == 5), 64);
    }
}

/* The file as it is, without what an incomplete one lacks. */
static char *kernels_of(const char *path)
{
    static const char *const lacks[] = {"incomplete", "warp_edges", "lockstep", "host",
                                        "dispatch_edges"};
    cJSON *root = statistics_of(path);
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        cJSON_DeleteItemFromObject(root, lacks[i]);
    char *result = cJSON_Print(root);
    cJSON_Delete(root);
    return result;
}

static int64_t recover(const char *from)
{
    struct note note = {"command", "of a test"};
    const struct notes notes = {&note, 1};
    const int fd = open(from, O_RDWR);
    assert_true(fd >= 0);
    const int64_t launches = kept_recover(fd, stats, "of a test", &notes, stderr);
    close(fd);
    return launches;
}

static void the_same_kernels(void **unused)
{
    (void)unused;
    for (int fold = 0; fold < 2; fold++) {
        struct bench b;
        run(&b, fold, LAUNCHES);
        unlink(stats);
        assert_int_equal(recover(kept), LAUNCHES);
        cJSON *root = statistics_of(stats);
        assert_string_equal(cJSON_GetObjectItem(root, "incomplete")->valuestring, "of a test");
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "kernels")),
                         fold ? 3 : LAUNCHES);
        assert_null(cJSON_GetObjectItem(root, "lockstep"));
        const cJSON *host = cJSON_GetObjectItem(root, "host");
        assert_int_equal(cJSON_GetArraySize(host), 1);
        assert_string_equal(cJSON_GetObjectItem(host, "command")->valuestring, "of a test");
        cJSON_Delete(root);
        char *recovered = kernels_of(stats);
        bench_close(&b);
        char *whole = kernels_of(stats);
        assert_string_equal(recovered, whole);
        free(recovered);
        free(whole);
        assert_int_equal(recover(kept), -1); /* the machine has written it */
        root = statistics_of(stats);
        assert_null(cJSON_GetObjectItem(root, "incomplete"));
        cJSON_Delete(root);
    }
}

/* A folded kernel is put at two places in turns, so that the file does not grow. */
static void folded_launches_take_no_room(void **unused)
{
    (void)unused;
    struct stat few, many;
    struct bench b;
    run(&b, 1, LAUNCHES);
    assert_int_equal(stat(kept, &few), 0);
    bench_close(&b);
    run(&b, 1, 10 * LAUNCHES);
    assert_int_equal(stat(kept, &many), 0);
    assert_true(many.st_size < 2 * few.st_size);
    assert_int_equal(recover(kept), 10 * LAUNCHES);
    bench_close(&b);
}

static size_t load(char **bytes)
{
    struct stat s;
    assert_int_equal(stat(kept, &s), 0);
    *bytes = malloc((size_t)s.st_size);
    const int fd = open(kept, O_RDONLY);
    assert_non_null(*bytes);
    assert_int_equal(read(fd, *bytes, (size_t)s.st_size), s.st_size);
    close(fd);
    return (size_t)s.st_size;
}

static void store(const char *path, const char *bytes, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
}

/* Ends anywhere: the launches before that are there. A wrong byte: the launch that has it is not. */
static void torn_and_wrong_files(void **unused)
{
    (void)unused;
    char torn[80], *bytes;
    struct bench b;
    snprintf(torn, sizeof torn, "%s/torn", folder);
    run(&b, 0, LAUNCHES);
    const size_t size = load(&bytes);
    int64_t before = -1, steps = 0;
    for (size_t end = 0; end <= size; end += end + 97 < size || end == size ? 97 : size - end) {
        store(torn, bytes, end);
        const int64_t launches = recover(torn);
        assert_true(launches == before || launches == before + 1);
        steps += launches != before;
        before = launches;
    }
    assert_int_equal(steps, LAUNCHES + 1);
    for (size_t at = 0; at < size; at += 61) {
        bytes[at] ^= 0x5a;
        store(torn, bytes, size);
        const int64_t launches = recover(torn);
        assert_true(launches >= -1 && launches <= LAUNCHES);
        bytes[at] ^= 0x5a;
    }
    unlink(torn);
    free(bytes);
    bench_close(&b);
}

/* One process has the file; one that was forked from it puts nothing there. */
static void one_process_at_a_time(void **unused)
{
    (void)unused;
    struct bench b, second;
    int status;
    run(&b, 0, 2);
    run(&second, 0, 3);
    assert_null(second.gpu->kept);
    assert_int_equal(recover(kept), 2);
    bench_close(&second);
    assert_int_equal(recover(kept), 2); /* not what it was whole of */
    const pid_t child = fork();
    if (child == 0) {
        bench_time(&b, "other", 2, 64);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(recover(kept), 2);
    bench_close(&b);
    run(&b, 0, 1); /* begins anew */
    assert_int_equal(recover(kept), 1);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_kernels),
        cmocka_unit_test(folded_launches_take_no_room),
        cmocka_unit_test(torn_and_wrong_files),
        cmocka_unit_test(one_process_at_a_time),
    };
    if (!mkdtemp(folder))
        return 1;
    snprintf(kept, sizeof kept, "%s/kept", folder);
    snprintf(stats, sizeof stats, "%s/stats.json", folder);
    store(kept, "", 0);
    const int result = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(kept);
    unlink(stats);
    rmdir(folder);
    return result;
}
