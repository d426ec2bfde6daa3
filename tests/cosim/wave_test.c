/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/wave_test.c: what the waveform writer wrote, read back by GTKWave's fst2vcd. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cosim/wave.h"
#include "cosim/wave_check.h"
#include "tests/cosim/folder.h"

static char *output_of(const char *command)
{
    char *text = calloc(1, 65536);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_true(fread(text, 1, 65535, pipe) > 0);
    assert_int_equal(pclose(pipe), 0);
    return text;
}

/* One signal of 5 bits, an array of 70, one of 8 with its list, one text, over cycles 0 to 9 with window 3 to 6, of which 4 is marked. */
static void window_changes_and_names(void **unused)
{
    (void)unused;
    static const struct wave_name colours[] = {{0, "red"}, {1, "green"}, {2, "blue"}};
    struct wave *w = wave_open("a.fst:3-6", stderr);
    assert_non_null(w);
    wave_scope(w, "box");
    unsigned colour = wave_signal(w, "colour", 5, colours, 3), wide = wave_array(w, "wide", 70, 1),
             few = wave_array(w, "few", 8, 1), word = wave_text_signal(w, "word");
    wave_up(w);
    wave_comment(w, "the box");
    wave_show(w, colour, VIEW_DECIMAL);
    wave_group(w, "arrays", 0);
    wave_show(w, wide, VIEW_HEX);
    wave_show(w, few, VIEW_HEX);
    wave_group_end(w, "arrays", 0);
    wave_group(w, "text", 1);
    wave_show(w, word, VIEW_HEX);
    wave_group_end(w, "text", 1);
    wave_mark(w, 4);
    unsigned written = 0;
    for (uint64_t cycle = 0; cycle < 10; cycle++)
        if (wave_cycle(w, cycle)) {
            uint64_t value = cycle / 2 % 3, bits[2] = {cycle == 5, cycle >= 5 ? 32 : 0};
            wave_set(w, colour, &value);
            wave_set(w, wide, bits);
            wave_set(w, few, &(uint64_t){cycle == 5 ? 0x4f : 0});
            wave_set_text(w, word, cycle < 5 ? "warp" : "weft");
            written++;
        }
    assert_int_equal(wave_close(w), 0);
    assert_int_equal(written, 4);

    char *vcd = output_of("fst2vcd a.fst");
    assert_non_null(strstr(vcd, "$var wire 5 ! colour [4:0] $end"));
    assert_non_null(strstr(vcd, "$var wire 70 \" wide [69:0] $end"));
    assert_non_null(strstr(vcd, "$scope module box $end"));
    char *three = strstr(vcd, "#3\n"), *four = strstr(vcd, "#4\n"), *five = strstr(vcd, "#5\n"),
         *six = strstr(vcd, "#6\n");
    assert_true(three && four && five && six);
    assert_null(strstr(vcd, "#2\n"));
    assert_non_null(strstr(vcd, "#7\n")); /* the end of cycle 6 */
    assert_null(strstr(vcd, "#8\n"));
    char *green = strstr(three, "b00001 !"), *blue = strstr(three, "b00010 !"),
         *red = strstr(six, "b00000 !");
    assert_true(green && green < four);              /* 3 / 2 = 1 */
    assert_true(blue && blue > four && blue < five); /* and no second change in cycle 5 */
    assert_null(strstr(five, "b00010 !"));
    assert_non_null(red);
    char wide_at_5[80] = "b1";
    memset(wide_at_5 + 2, '0', 68); /* bits 69 and 0 */
    memcpy(wide_at_5 + 70, "1 \"", 4);
    assert_non_null(strstr(five, wide_at_5));
    assert_non_null(strstr(five, "s0x200000000000000001 #\n"));
    assert_non_null(strstr(three, "s- %\n"));
    assert_non_null(strstr(five, "b01001111 $\n"));
    assert_non_null(strstr(five, "s0-3\\0406 %\n"));
    assert_non_null(strstr(three, "swarp"));
    assert_non_null(strstr(five, "sweft"));
    free(vcd);

    char *save = output_of("cat a.gtkw"), *commands = output_of("cat a.sucl"),
         *names = output_of("strings -n 3 a.fst.hier 2>/dev/null; fst2vcd -e a.fst");
    assert_non_null(strstr(save, "[dumpfile] \"a.fst\"\n[savefile] \"a.gtkw\"\n"));
    assert_non_null(strstr(save, "[timestart] 3"));
    assert_non_null(strstr(save,
                           "@200\n-the box\n@100000028\n+{box/colour[4:0]} top.box.colour[4:0]\n"
                           "@800200\n-arrays\n@820\n+{box/wide_list} top.box.wide_list\n"
                           "@820\n+{box/few_list} top.box.few_list\n@1000200\n-arrays\n"
                           "@c00200\n-text\n@820\n+{box/word} top.box.word\n@1401200\n-text\n"));
    assert_non_null(strstr(save, " 4 4 -1 -1 -1 ")); /* cursor and marker A */
    assert_non_null(strstr(names, "red green blue 00000 00001 00010"));
    assert_string_equal(commands, "divider_add the_box\nvariable_add top.box.colour\n"
                                  "divider_add arrays\nvariable_add top.box.wide_list\n"
                                  "variable_add top.box.few_list\ndivider_add text\n"
                                  "variable_add top.box.word\nzoom_fit\ncursor_set 4\n"
                                  "marker_set A\n");
    free(save);
    free(commands);
    free(names);
}

static void bad_specifications(void **unused)
{
    (void)unused;
    static const struct {
        const char *spec, *says;
    } cases[] = {
        {"a.vcd", "ends in .fst"},
        {".fst", "ends in .fst"},
        {"a.fst:5", "FROM <= TO"},
        {"a.fst:7-5", "FROM <= TO"},
        {"a.fst:1-2x", "FROM <= TO"},
        {"a.fst:-", "FROM <= TO"},
        {"nowhere/a.fst", "cannot be written"},
        {"folder.fst", "it is not a regular file"},
        {"pipe.fst", "it is not a regular file"},
        {"pipe2.fst:1-2", "pipe2.gtkw: cannot be written: it is not a regular file"},
        {"pipe3.fst:1-2", "pipe3.sucl: cannot be written: it is not a regular file"},
        {"away.fst:1-2", "away.sucl: cannot be written: No such file or directory"},
    };
    assert_int_equal(mkdir("folder.fst", 0777) | mkfifo("pipe.fst", 0666), 0);
    assert_int_equal(mkfifo("pipe2.gtkw", 0666) | mkfifo("pipe3.sucl", 0666), 0);
    assert_int_equal(symlink("nowhere/away", "away.sucl"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *said;
        size_t size;
        FILE *err = open_memstream(&said, &size);
        assert_null(wave_open(cases[i].spec, err));
        fclose(err);
        if (!strstr(said, cases[i].says))
            fail_msg("'%s': expected '%s' in '%s'", cases[i].spec, cases[i].says, said);
        free(said);
    }
}

/* A waveform that cannot be compressed. */
static struct wave *noisy(const char *spec)
{
    struct wave *w = wave_open(spec, stderr);
    uint64_t bits[64], state = 1;
    assert_non_null(w);
    const unsigned noise = wave_signal(w, "noise", 64 * 64, NULL, 0);
    wave_show(w, noise, VIEW_HEX);
    for (uint64_t cycle = 0; cycle < 1000; cycle++)
        if (wave_cycle(w, cycle)) {
            for (int i = 0; i < 64; i++)
                bits[i] = state = state * 6364136223846793005u + 1442695040888963407u;
            wave_set(w, noise, bits);
        }
    return w;
}

/* A link stays, and the waveform is what it leads to. */
static void links_are_followed(void **unused)
{
    (void)unused;
    FILE *f = fopen("behind.fst", "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(symlink("behind.fst", "link.fst"), 0);
    assert_int_equal(wave_close(noisy("link.fst")), 0);
    struct stat link, behind;
    assert_int_equal(lstat("link.fst", &link) | lstat("behind.fst", &behind), 0);
    assert_true(S_ISLNK(link.st_mode) && S_ISREG(behind.st_mode) && behind.st_size > 0);
}

static void cut_files_are_noticed(void **unused)
{
    (void)unused;
    static char whole[1 << 20], copy[1 << 20];
    assert_int_equal(wave_close(noisy("cut.fst:0-20")), 0);
    assert_null(wave_check("cut.fst"));
    FILE *f = fopen("cut.fst", "r+b");
    assert_non_null(f);
    const size_t size = fread(whole, 1, sizeof whole, f);
    assert_in_range(size, 5000, sizeof whole - 1);
    for (size_t left = size; left-- > 0;) {
        assert_int_equal(ftruncate(fileno(f), (off_t)left), 0);
        if (!wave_check("cut.fst"))
            fail_msg("%zu of %zu bytes are a whole waveform", left, size);
    }
    fclose(f);
    /* without the block of changes, which is the second; and with more than there are bytes */
    const size_t second = 330;
    uint64_t length = 0;
    for (int i = 1; i <= 8; i++)
        length = length << 8 | (uint8_t)whole[second + (size_t)i];
    memcpy(copy, whole, second);
    memcpy(copy + second, whole + second + 1 + length, size - second - 1 - length);
    f = fopen("cut.fst", "wb");
    fwrite(copy, 1, size - 1 - length, f);
    fclose(f);
    assert_string_equal(wave_check("cut.fst"), "blocks of changes are missing");
    memcpy(copy, whole, size);
    memset(copy + second + 1, 0xff, 8);
    f = fopen("cut.fst", "wb");
    fwrite(copy, 1, size, f);
    fclose(f);
    assert_string_equal(wave_check("cut.fst"), "a block is cut off");
    assert_string_equal(wave_check("none.fst"), "No such file or directory");
}

static void assert_printed(const char *command, const char *expected)
{
    char *printed = output_of(command);
    assert_string_equal(printed, expected);
    free(printed);
}

/* A disk that takes no more: files of this process end at a limit. */
static void full_disks_are_noticed(void **unused)
{
    (void)unused;
    struct rlimit before, small;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    struct wave *w = noisy("full.fst");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const int status = wave_close(w);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, -1);
    assert_printed("ls | grep -c full; true", "0\n");
    assert_int_equal(wave_close(noisy("full.fst")), 0);
    assert_printed("ls | grep full", "full.fst\nfull.gtkw\nfull.sucl\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window_changes_and_names), cmocka_unit_test(bad_specifications),
        cmocka_unit_test(links_are_followed),       cmocka_unit_test(cut_files_are_noticed),
        cmocka_unit_test(full_disks_are_noticed),
    };
    return cmocka_run_group_tests_name("cosim/wave", tests, enter, leave);
}
