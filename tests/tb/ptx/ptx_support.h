/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/ptx_support.h: what the tests of the PTX front end share. */
#ifndef HEDDLE_TESTS_TB_PTX_PTX_SUPPORT_H
#define HEDDLE_TESTS_TB_PTX_PTX_SUPPORT_H

#include <stddef.h>

#include "tb/ptx/ptx.h"

/* The text of tests/tb/ptx/<name>, NUL-terminated; free() it. The test fails where there is none.
 */
char *sample_read(const char *name, size_t *length);

/* Parses a sample; the test fails with the message where it cannot be parsed. */
struct ptx_module *sample_parse(const char *name);

/* A module of one kernel `k` with parameters a (.u64), n (.u32), s (16 bytes, aligned to 8) and v
 * (.f32), registers %p0..9
 * (.pred), %h (.b16), %r (.b32), %f (.f32), %d (.b64), %e (.f64), and the given statements; free()
 * it. They begin at line BODY_LINE. */
#define BODY_LINE 16
char *body_text(const char *statements);

/* The same, parsed; the test fails with the message where it cannot be. */
struct ptx_module *body_parse(const char *statements);

/* Fails the test unless every operand of every micro-operation lies inside the register block or
 * the constants, every target inside the kernel and every scoreboard number below num_regs: what
 * whoever executes the module relies on. */
void check_bounds(const struct ptx_module *);

#define HEADER ".version 6.0\n.target sm_70\n.address_size 64\n"
/* A text that can be parsed, as k.ptx; it passes check_bounds. */
struct ptx_module *kernels_parse(const char *text);
/* All instructions of a kernel: line, operation, text, and the target of branches; each ends its line. */
void kernel_expect(const struct ptx_kernel *, const char *expected);

/* The index of the first instruction with this text, from `from` on; the test fails where there is
 * none. */
uint32_t find_text(const struct ptx_kernel *, const char *text, uint32_t from);

/* A ptx_place callback: *ctx is a uint64_t, the next free address. */
uint64_t place_upwards(void *ctx, const struct ptx_var *);

/* Parses and places any text. Returns 1: it is PTX, and the module is safe to execute
 * (check_bounds); 0: it is not, and the error names a line of it. Anything else fails the test. */
int ptx_try(const char *text, size_t length);

/* A small deterministic generator for random tests. */
uint32_t random_next(uint32_t *state);

/* The instructions that can follow `at`, 1 or 2 of them; num_uops is the kernel's end. */
#define MOST_FOLLOWERS 4
uint32_t program_followers(const struct ptx_kernel *, uint32_t at, uint32_t to[MOST_FOLLOWERS]);

/* Statements of a random program: moves, stores, guarded writes, branches and exits to random
 * places; free() it. Its first six instructions write the registers 19 to 24: %r0 to %r3, %d0 and
 * %d1; %p1, if it occurs, is 25. */
char *program_random(uint32_t *state);

#endif
