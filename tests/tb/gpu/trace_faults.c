/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/gpu/trace_faults.c: see trace_faults.h. */
#include "tests/tb/gpu/trace_faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *find(char *text, const char *what)
{
    char *found = strstr(text, what);
    assert_non_null(found);
    return found;
}

static char *line_with(char *text, const char *what)
{
    char *at = find(text, what);
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

static char *after_line(char *line)
{
    return strchr(line, '\n') + 1;
}

static void replace(char *text, const char *old, const char *new)
{
    char *at = find(text, old);
    const size_t length = strlen(old);
    memmove(at + strlen(new), at + length, strlen(at + length) + 1);
    memcpy(at, new, strlen(new));
}

static void count_less(char *text, const char *what)
{
    char *insts = NULL, number[32];
    const char *const end = find(text, what);
    for (char *next = text; (next = strstr(next, "insts = ")) && next < end; next++)
        insts = next;
    assert_non_null(insts);
    const unsigned long count = strtoul(insts + 8, NULL, 10);
    char *rest = strdup(strchr(insts, '\n'));
    snprintf(number, sizeof number, "%lu", count - 1);
    sprintf(insts + 8, "%s%s", number, rest);
    free(rest);
}

static void drop(char *text, const char *what)
{
    char *line = line_with(text, what);
    memmove(line, after_line(line), strlen(after_line(line)) + 1);
}

static void drop_line(char *text)
{
    drop(text, " SHL ");
}

static void drop_line_and_count(char *text)
{
    count_less(text, " SHL ");
    drop(text, " SHL ");
}

static void swap_lines(char *text)
{
    char *line = line_with(text, " DMUL "), *next = after_line(line), *end = after_line(next);
    char *copy = strndup(line, (size_t)(next - line));
    memmove(line, next, (size_t)(end - next));
    memcpy(line + (end - next), copy, strlen(copy));
    free(copy);
}

static void swap_blocks(char *text)
{
    replace(text, "thread block = 1,0,0", "thread block = 2,0,1");
    replace(text, "thread block = 2,0,0", "thread block = 1,0,0");
    replace(text, "thread block = 2,0,1", "thread block = 2,0,0");
}

/* The records of two blocks, bodies and all. */
static void swap_records(char *text)
{
    char *first = find(text, "#BEGIN_TB"), *second = find(first + 1, "#BEGIN_TB"),
         *third = find(second + 1, "#BEGIN_TB");
    char *copy = strndup(first, (size_t)(second - first));
    memmove(first, second, (size_t)(third - second));
    memcpy(first + (third - second), copy, strlen(copy));
    free(copy);
}

static void drop_block(char *text)
{
    char *first = find(text, "#BEGIN_TB"), *second = find(first + 1, "#BEGIN_TB");
    memmove(first, second, strlen(second) + 1);
}

/* Changes a character of a line, counted from the first `at` in it. */
static void change(char *text, const char *what, const char *at, int distance, char to)
{
    char *line = line_with(text, what), *end = after_line(line), *place = find(line, at);
    assert_true(place < end);
    assert_true(place[distance] != to);
    place[distance] = to;
}

static void shift_address(char *text)
{
    char *last = strchr(find(line_with(text, " LDG.E.U8 "), " 0x") + 1, ' ') - 1;
    *last = *last == '0' ? '1' : '0';
}

static void change_stride(char *text)
{
    replace(line_with(text, " LDG.E.128 "), " 16 0\n", " 12 0\n");
}

static void change_difference(char *text)
{
    char *line = line_with(text, " 4 2 0x"), *last = after_line(line) - 4;
    assert_memory_equal(last + 1, " 0\n", 3);
    *last = *last == '4' ? '8' : '4';
}

static void clear_lane(char *text)
{
    change(text, " DMUL ", " ffff", 8, 'e');
}

static void all_lanes(char *text)
{
    char *store = line_with(text, " STG.E.U8 "), *mask = strchr(store, ' ') + 1;
    assert_memory_not_equal(mask, "ffffffff", 8);
    memcpy(mask, "ffffffff", 8);
}

static void shift_pc(char *text)
{
    char *line = line_with(text, " DMUL ");
    line[3] = line[3] == '8' ? '0' : '8';
}

static void store_for_load(char *text)
{
    replace(text, " LDG.E.U16 ", " STG.E.U16 ");
}

static void global_for_local(char *text)
{
    replace(text, " LDL.64 ", " LDG.64 ");
}

static void wrong_width(char *text)
{
    replace(text, " LDG.E.U16 ", " LDG.E.U8 ");
}

static void unknown_opcode(char *text)
{
    replace(text, " DMUL ", " DMIL ");
}

static void other_pipeline(char *text)
{
    replace(text, " MUFU.", " FADD.");
}

static void zero_register(char *text)
{
    char *at = find(line_with(text, " S2R "), " 1 R"), number[16], old[32];
    assert_int_equal(sscanf(at, " 1 R%15[0-9]", number), 1);
    snprintf(old, sizeof old, " 1 R%s S2R ", number);
    replace(at, old, " 1 R255 S2R ");
}

static void other_source(char *text)
{
    char *line = line_with(text, " FFMA 3 R"), *source = find(line, " FFMA 3 R") + 9;
    *source = *source == '9' ? '8' : '9';
}

static void no_exit(char *text)
{
    replace(text, " 0 EXIT ", " 0 BRA ");
}

static void no_end(char *text)
{
    drop(text, "#END_TB");
}

static void no_newline(char *text)
{
    text[strlen(text) - 1] = 0;
}

static void other_warp(char *text)
{
    replace(text, "warp = 1\n", "warp = 2\n");
}

static void outside_the_grid(char *text)
{
    replace(text, "thread block = 0,0,0", "thread block = 3,0,0");
}

static void no_header_end(char *text)
{
    drop(text, "#traces format");
}

const struct trace_fault trace_faults[] = {
    {"a line is missing", drop_line, "warp = 1"},
    {"a line is missing and not counted", drop_line_and_count, "executed"},
    {"lines change places", swap_lines, "PC"},
    {"blocks have each other's names", swap_blocks, "block"},
    {"blocks change places", swap_records, "block"},
    {"a block is missing", drop_block, "blocks"},
    {"an address is one too high", shift_address, "address"},
    {"a stride is wrong", change_stride, "address"},
    {"a difference is wrong", change_difference, "address"},
    {"a lane is missing", clear_lane, "lanes"},
    {"a guard is not obeyed", all_lanes, ""},
    {"a PC is wrong", shift_pc, "PC"},
    {"a load is a store", store_for_load, "opcode"},
    {"local memory is global", global_for_local, "opcode"},
    {"an access is too narrow", wrong_width, "width"},
    {"an opcode is none", unknown_opcode, "opcode"},
    {"an opcode is of another pipeline", other_pipeline, "opcode"},
    {"a register is the zero register", zero_register, "destination"},
    {"a source is another register", other_source, "sources"},
    {"an exit is missing", no_exit, "opcode"},
    {"a block has no end", no_end, "#END_TB"},
    {"the file ends in a line", no_newline, "no end"},
    {"a warp has another's number", other_warp, "warp 1"},
    {"a block lies outside the grid", outside_the_grid, "grid"},
    {"the header does not end", no_header_end, "header"},
};
const unsigned num_trace_faults = sizeof trace_faults / sizeof *trace_faults;
