/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/progress_test.c: tests tb/gpu/progress.c on a terminal of its own, and on a pipe. */
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#include "tb/gpu/progress.h"
#include "tests/tb/gpu/bench.h"

static const struct progress_now early = {"fft", 3, 64, 1000000, 5000000, 0},
                                 late = {"fft", 40, 64, 9000000, 45000000, 0};

/* What is written while kernels look `looks` times, for more than two seconds; the first two times that it is due it is shown. */
static void run(int to, int asked, int *due)
{
    struct progress p = {.asked = asked};
    const int before = dup(STDERR_FILENO);
    assert_true(before >= 0 && dup2(to, STDERR_FILENO) >= 0);
    progress_start(&p);
    const double began = seconds_now();
    while (seconds_now() - began < 2.5)
        if (progress_due(&p))
            progress_show(&p, (*due)++ ? &late : &early);
    progress_end(&p);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
}

static char *read_all(int from)
{
    static char text[4096];
    struct pollfd ready = {.fd = from, .events = POLLIN};
    size_t used = 0;
    while (poll(&ready, 1, 200) > 0) { /* a terminal gives what was written in pieces */
        const ssize_t got = read(from, text + used, sizeof text - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    text[used] = 0;
    return text;
}

static void a_line_on_a_terminal(void **unused)
{
    (void)unused;
    int master, slave, due = 0;
    assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
    run(slave, 0, &due);
    const char *text = read_all(master);
    assert_int_equal(due, 2); /* once per second */
    assert_non_null(strstr(text, "\r\033[Kkernel fft  3 of 64 blocks  cycle 1000000  "));
    assert_non_null(strstr(text, "\r\033[Kkernel fft  40 of 64 blocks  cycle 9000000  "));
    assert_null(strchr(text, '\n'));
    assert_string_equal(text + strlen(text) - 4, "\r\033[K"); /* erased */
    /* of what has come since, in little more than a second */
    const double rate = atof(strstr(text, "cycle 9000000  ") + strlen("cycle 9000000  "));
    assert_true(rate > 4e6 && rate <= 8e6);
    close(master);
    close(slave);
}

/* In a log every 30 seconds; the clock is read every 1,024 windows. */
static int due_after(double seconds)
{
    struct progress p = {0};
    int due = 0;
    progress_start(&p);
    p.last -= seconds;
    for (int i = 0; i < 1024; i++)
        due += progress_due(&p);
    return due;
}

static void elsewhere_soon_where_asked(void **unused)
{
    (void)unused;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int before = dup(STDERR_FILENO);
    assert_true(before >= 0 && dup2(ends[1], STDERR_FILENO) >= 0);
    const int soon = due_after(28), then = due_after(31);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(soon, 0);
    assert_int_equal(then, 1);
    for (int asked = 0; asked < 2; asked++) {
        int ends[2], due = 0;
        assert_int_equal(pipe(ends), 0);
        run(ends[1], asked, &due);
        const char *text = read_all(ends[0]);
        assert_int_equal(due, asked ? 2 : 0);
        assert_int_equal(!strncmp(text, "heddle: kernel fft  3 of 64 blocks", 34), asked);
        assert_true(!asked || text[strlen(text) - 1] == '\n');
        close(ends[0]);
        close(ends[1]);
    }
}

/* What is written while a kernel of 8 blocks runs on the machine, and for how many seconds. */
static const char *written(const struct config *c, const char *ptx, enum gpu_status expected,
                           double *took)
{
    struct bench b;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    bench_open(&b, c, ptx, NULL);
    gpu_progress(b.gpu);
    const int before = dup(STDERR_FILENO);
    assert_true(before >= 0 && dup2(ends[1], STDERR_FILENO) >= 0);
    const double began = seconds_now();
    const enum gpu_status status = bench_run(&b, "k", 8, 64);
    *took = seconds_now() - began;
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    const char *text = read_all(ends[0]);
    assert_int_equal(status, expected);
    bench_close(&b);
    close(ends[0]);
    close(ends[1]);
    return text;
}

/* Of a kernel that does not end by itself. */
static void a_kernel_that_takes_long(void **unused)
{
    static const char loop[] = PTX_HEADER ".entry k()\n{\n .reg .b32 %r<9>;\n mov.u32 %r1, 0;\n"
                                          "L:\n add.u32 %r1, %r1, 1;\n bra L;\n}\n";
    (void)unused;
    struct config c = test_config();
    double took;
    c.run_max_cycles = 3000000;
    const char *text = written(&c, loop, GPU_LIMIT, &took);
    size_t lines = 0;
    for (const char *at = text; (at = strstr(at, "heddle: kernel k  0 of 8 blocks  cycle ")); at++)
        lines++;
    assert_true(lines >= (took > 1.2) && (double)lines <= took);
}

/* Without time there are no cycles. Each of the 16 warps executes as many instructions as take the host about a quarter of a second. */
static void a_kernel_without_time(void **unused)
{
    static const char loop[] = PTX_HEADER
        ".entry k()\n{\n .reg .b32 %r<9>;\n .reg .pred %p;\n mov.u32 %r1, 0;\n"
        "L:\n add.u32 %r1, %r1, 1;\n setp.lt.u32 %p, %r1, 4000000;\n @%p bra L;\n ret;\n}\n";
    (void)unused;
    struct config c = test_config();
    double took;
    c.run_timing = 0;
    const char *text = written(&c, loop, GPU_OK, &took);
    unsigned long long last = 0, blocks = 0;
    size_t lines = 0;
    for (const char *at = text; *at; at = strchr(at, '\n') + 1, lines++) {
        unsigned long long ended, instructions;
        double rate;
        char tail[8] = "";
        assert_int_equal(
            sscanf(at,
                   "heddle: kernel k %llu of 8 blocks %llu warp instructions %lf M warp "
                   "instructions%3[/s\n]",
                   &ended, &instructions, &rate, tail),
            4);
        assert_string_equal(tail, "/s\n");
        /* blocks of two warps, one after the other; an end is at most a block away */
        assert_true(ended >= blocks && ended == instructions / (2 * (3 * 4000000 + 2)));
        assert_true(instructions > last && rate > 0);
        last = instructions;
        blocks = ended;
    }
    assert_true(lines >= (took > 1.5) && (double)lines <= took);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_on_a_terminal),
        cmocka_unit_test(elsewhere_soon_where_asked),
        cmocka_unit_test(a_kernel_that_takes_long),
        cmocka_unit_test(a_kernel_without_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
