/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/units/traced_test.c: what a waveform shows of a rack, read back by GTKWave's fst2vcd. */
#include <inttypes.h>
#include <stdio.h>

#include "cosim/wave.h"
#include "tests/tb/units/parts.h"

/* What fst2vcd says of the signal of that name in a scope: its value in each cycle up to the last, -1: none yet. */
static void read_back(const char *file, const char *scope, const char *signal, int64_t *values,
                      unsigned last)
{
    char command[128], line[256], name[64], id[16], of[16] = "", in[64] = "";
    uint64_t cycle = 0;
    snprintf(command, sizeof command, "fst2vcd %s", file);
    FILE *vcd = popen(command, "r");
    assert_non_null(vcd);
    for (unsigned i = 0; i <= last; i++)
        values[i] = -1;
    while (fgets(line, sizeof line, vcd)) {
        if (sscanf(line, "$scope %*s %63s", name) == 1 && strcmp(name, "in"))
            strcpy(in, name);
        if (sscanf(line, "$var %*s %*s %15s %63s", id, name) == 2 && !strcmp(name, signal) &&
            !strcmp(in, scope))
            strcpy(of, id);
        sscanf(line, "#%" SCNu64, &cycle);
        if (sscanf(line, "b%63s %15s", name, id) == 2 && !strcmp(id, of) &&
            strtol(name, NULL, 2) >= 0)
            for (uint64_t i = cycle; i <= last; i++)
                values[i] = strtol(name, NULL, 2);
    }
    assert_int_equal(pclose(vcd), 0);
}

/* A trace has every unit asked in every cycle, and shows what each was shown: nothing where it was
 * not asked after all. */
static void a_trace_shows_every_cycle(void **unused)
{
    (void)unused;
    struct unit cable = wire;
    cable.stem = "cable";
    static const struct socket first = PART_SOCKET("wire"), second = PART_SOCKET("cable");
    const struct plan plan = {
        .units = {part_planned(&first, &wire, 0, 0), part_planned(&second, &cable, 1, 0)},
        .count = 2};
    char folder[] = "/tmp/rack-XXXXXX", file[64];
    int64_t level[5];
    struct part_view v = {0};
    struct controls c[NUM_SCHEDULERS];
    struct rack r;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/a.fst", folder);
    struct wave *w = wave_open(file, stderr);
    assert_non_null(w);
    part_open(&r, &plan, &v, SCOPE_SCHEDULER, BACKEND_C);
    wave_scope(w, "box");
    assert_false(r.always); /* it need not be asked in each */
    assert_int_equal(rack_trace_declare(&r, w), 0);
    assert_true(r.always);
    wave_up(w);
    for (unsigned cycle = 1; cycle <= 4; cycle++) {
        *part_word(&v) = 4 + cycle + (14 + cycle) * 256;
        memset(c, 0xff, sizeof c);
        if (cycle != 3)
            assert_int_equal(rack_step(&r, cycle, c), 0);
        assert_true(wave_cycle(w, cycle));
        if (cycle != 2) /* what it was shown meanwhile is not shown later */
            rack_trace(&r, w, cycle, cycle != 3);
    }
    rack_trace_show(&r, w);
    assert_int_equal(wave_close(w), 0);
    read_back(file, "wire", "level", level, 4);
    assert_int_equal(level[1], 5);
    assert_int_equal(level[3], 0);
    assert_int_equal(level[4], 8);
    read_back(file, "cable", "level", level, 4);
    assert_int_equal(level[1], 15);
    assert_int_equal(level[3], 0);
    assert_int_equal(level[4], 18);
    snprintf(file, sizeof file, "grep -q '^[^@]*wire[.]' %s/a.gtkw", folder);
    assert_int_equal(system(file), 0); /* the view names the signals of both */
    snprintf(file, sizeof file, "grep -q '^[^@]*cable[.]' %s/a.gtkw", folder);
    assert_int_equal(system(file), 0);
    rack_close(&r);
    snprintf(file, sizeof file, "rm -r %s", folder);
    assert_int_equal(system(file), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_shows_every_cycle)};
    return cmocka_run_group_tests_name("tb/units/traced", tests, NULL, NULL);
}
