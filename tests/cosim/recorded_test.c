/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/recorded_test.c: what a waveform shows of a unit's inputs comes back cycle by cycle, and so do its outputs;
 * waveforms that do not do are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmodel/wia/wia.h"
#include "cosim/recorded.h"
#include "cosim/stimulus.h"
#include "cosim/unit.h"
#include "cosim/wave.h"
#include "tests/cosim/folder.h"

void wia_stimulus(struct stimulus *, void *);

#define CYCLES 3000

static struct wia_in in[2][CYCLES];   /* as they were given, at two places */
static struct wia_out out[2][CYCLES]; /* what came of them */

/* Two arbiters in a waveform, as the machine shows them. */
static void write_wave(const char *spec, enum unit_backend backend)
{
    struct wave *w = wave_open(spec, stderr);
    struct unit_inst *units[2];
    struct stimulus s[2] = {stimulus_start(3), stimulus_start(7)};
    assert_non_null(w);
    wave_scope(w, "sm4");
    for (unsigned u = 0; u < 2; u++) {
        char name[16];
        snprintf(name, sizeof name, "scheduler%u", u);
        wave_scope(w, name);
        units[u] = unit_open(unit_find("wia"), backend, name);
        assert_non_null(units[u]);
        assert_int_equal(unit_trace_declare(units[u], w), 0);
        wave_up(w);
    }
    wave_up(w);
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        const int shown = wave_cycle(w, cycle);
        for (unsigned u = 0; u < 2; u++) {
            s[u].state = unit_state(units[u]);
            wia_stimulus(&s[u], &in[u][cycle]);
            stimulus_next(&s[u]);
            assert_int_equal(unit_step(units[u], cycle, &in[u][cycle], &out[u][cycle]), 0);
            if (shown)
                unit_trace(units[u], w, cycle, &in[u][cycle]);
        }
    }
    for (unsigned u = 0; u < 2; u++)
        unit_close(units[u]);
    assert_int_equal(wave_close(w), 0);
}

static void expect_played(const char *spec, unsigned unit, const char *place)
{
    struct recorded *r = recorded_open(spec, unit_find("wia"), stderr);
    assert_non_null(r);
    assert_string_equal(recorded_place(r), place);
    assert_int_equal(recorded_cycles(r), CYCLES);
    for (unsigned pass = 0; pass < 2; pass++, recorded_rewind(r)) {
        struct wia_in played = {0};
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            recorded_next(r, &played);
            assert_memory_equal(&played, &in[unit][cycle], sizeof played);
            assert_null(recorded_differs(r, &out[unit][cycle]));
        }
    }
    recorded_close(r);
}

static void every_input_comes_back(void **unused)
{
    (void)unused;
    write_wave("a.fst", BACKEND_LOCKSTEP);
    expect_played("a.fst", 0, "top.sm4.scheduler0");
    expect_played("a.fst:scheduler1", 1, "top.sm4.scheduler1");
    expect_played("a.fst:sm4.scheduler1", 1, "top.sm4.scheduler1");
    write_wave("rtl.fst", BACKEND_RTL);
    expect_played("rtl.fst", 0, "top.sm4.scheduler0");
    write_wave("c.fst", BACKEND_C);
    expect_played("c.fst", 0, "top.sm4.scheduler0");
}

static void an_output_that_differs_is_named(void **unused)
{
    (void)unused;
    write_wave("a.fst", BACKEND_C);
    struct recorded *r = recorded_open("a.fst", unit_find("wia"), stderr);
    struct wia_in played = {0};
    unsigned named = 0;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        struct wia_out wrong = out[0][cycle];
        recorded_next(r, &played);
        wrong.turn_passes ^= 1;
        assert_string_equal(recorded_differs(r, &wrong), "turn_passes");
        wrong.grant ^= 1;
        named += !strcmp(recorded_differs(r, &wrong), "grant");
    }
    assert_int_equal(named, CYCLES);
    recorded_close(r);
}

static void expect_refused(const char *spec, const char *message)
{
    char *said;
    size_t length;
    FILE *err = open_memstream(&said, &length);
    struct recorded *r = recorded_open(spec, unit_find("wia"), err);
    fclose(err);
    assert_null(r);
    assert_string_equal(said, message);
    free(said);
}

static void what_is_refused(void **unused)
{
    (void)unused;
    write_wave("a.fst", BACKEND_C);
    write_wave("late.fst:1000-2000", BACKEND_C);
    expect_refused("nix.fst", "'nix.fst' is no waveform in FST format\n");
    expect_refused("a.fst:sm5", "the waveform does not show wia at sm5\n");
    expect_refused("a.fst:4.scheduler1", "the waveform does not show wia at 4.scheduler1\n");
    expect_refused(
        "late.fst",
        "top.sm4.scheduler0: in cycle 1000, with which the waveform begins, 'last_valid' is not "
        "as a reset leaves it; a waveform from cycle 0 on is\n");
    FILE *f = fopen("text.fst", "w");
    fputs("no waveform", f);
    fclose(f);
    expect_refused("text.fst", "'text.fst' is no waveform in FST format\n");
    struct wave *w = wave_open("other.fst", stderr);
    wave_scope(w, "sm0");
    wave_scope(w, "wia");
    wave_scope(w, "in");
    const unsigned policy = wave_signal(w, "policy", 9, NULL, 0);
    wave_up(w);
    wave_up(w);
    wave_up(w);
    wave_scope(w, "sm1"); /* what the first place lacks is not taken from another one */
    wave_scope(w, "wia");
    wave_scope(w, "in");
    wave_signal(w, "ready_sp", NUM_WARPS, NULL, 0);
    for (uint64_t cycle = 0; cycle < 3; cycle++)
        if (wave_cycle(w, cycle))
            wave_set(w, policy, &cycle);
    assert_int_equal(wave_close(w), 0);
    expect_refused("other.fst", "top.sm0: 'policy' has 9 bits, but 3 in this build\n"
                                "top.sm0: the waveform has no 'ready_sp' of wia\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_input_comes_back),
        cmocka_unit_test(an_output_that_differs_is_named),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
