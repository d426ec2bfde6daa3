/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/profile/parts_test.c: numbers of addresses, reuse distances and the shadow cache, each
 * against plain lists, on random streams of accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/profile/address_map.h"
#include "tb/profile/reuse.h"
#include "tb/profile/shadow.h"
#include "tb/profile/sharing.h"
#include "tests/tb/mem/random.h"

#define ACCESSES 6000

static void addresses_are_numbered_as_they_come(void **unused)
{
    (void)unused;
    static uint64_t seen[ACCESSES];
    struct address_map m = {0};
    uint32_t count = 0;
    assert_int_equal(address_find(&m, 0), NO_NUMBER);
    for (unsigned i = 0; i < ACCESSES; i++) {
        const uint64_t address =
            below(2) ? below(400) * UINT64_C(128) : (uint64_t)below(1u << 20) << 40 | below(3);
        uint32_t expected = 0;
        while (expected < count && seen[expected] != address)
            expected++;
        assert_int_equal(address_find(&m, address), expected < count ? expected : NO_NUMBER);
        seen[expected] = address;
        count += expected == count;
        assert_int_equal(address_number(&m, address), expected);
        assert_int_equal(address_find(&m, address), expected);
        assert_int_equal(m.count, count);
    }
    assert_true(count > 3000);
    address_map_clear(&m);
    assert_int_equal(address_find(&m, seen[0]), NO_NUMBER);
    assert_int_equal(address_number(&m, seen[5]), 0);
    address_map_clear(&m);
}

/* All accesses so far; distances are found by looking back. */
static void distances_are_those_of_the_list(void **unused)
{
    (void)unused;
    static uint32_t list[ACCESSES];
    static const uint32_t most[] = {1, 3, 40, 700, ACCESSES};
    uint64_t farthest = 0;
    for (unsigned round = 0; round < sizeof most / sizeof *most; round++) {
        struct reuse r = {0};
        uint32_t lines = 0;
        for (unsigned i = 0; i < ACCESSES; i++) {
            static uint8_t met[ACCESSES];
            struct distance expected = {0}, d;
            uint32_t line = below(most[round]);
            line = line < lines ? line : lines; /* lines are numbered as they come */
            memset(met, 0, sizeof met);
            unsigned back = i;
            while (back > 0 && list[back - 1] != line) {
                back--;
                expected.lines += !met[list[back]];
                met[list[back]] = 1;
            }
            expected.accesses = i - back;
            assert_int_equal(reuse_touch(&r, line, &d), back > 0);
            if (back > 0) {
                assert_int_equal(d.lines, expected.lines);
                assert_int_equal(d.accesses, expected.accesses);
                farthest = d.lines > farthest ? d.lines : farthest;
            }
            list[i] = line;
            lines += line == lines;
        }
        assert_true(lines == most[round] || most[round] > 40);
        reuse_clear(&r);
    }
    assert_true(farthest > 600);
}

/* The lines in the order of last use, newest first, and why each other line is not among them. */
static struct {
    uint32_t lines[64], count;
    enum shadow_state why[256];
} plain;

static void plain_leave(uint32_t at, enum shadow_state why)
{
    plain.why[plain.lines[at]] = why;
    plain.count--;
    memmove(&plain.lines[at], &plain.lines[at + 1], (plain.count - at) * sizeof *plain.lines);
}

static uint32_t plain_find(uint32_t line)
{
    uint32_t at = 0;
    while (at < plain.count && plain.lines[at] != line)
        at++;
    return at;
}

static void plain_load(uint32_t line, int brings, uint32_t capacity)
{
    const uint32_t at = plain_find(line);
    if (at == plain.count && !brings)
        return;
    if (at < plain.count)
        plain_leave(at, SHADOW_NEVER);
    else if (plain.count == capacity)
        plain_leave(plain.count - 1, SHADOW_EVICTED);
    memmove(&plain.lines[1], &plain.lines[0], plain.count * sizeof *plain.lines);
    plain.lines[0] = line;
    plain.count++;
    plain.why[line] = SHADOW_HERE;
}

static void the_shadow_is_a_list(void **unused)
{
    (void)unused;
    uint64_t seen[NUM_SHADOW_STATES] = {0};
    for (uint32_t capacity = 1; capacity <= 61; capacity += 12) {
        struct shadow s = {.capacity = capacity};
        memset(&plain, 0, sizeof plain);
        for (unsigned i = 0; i < ACCESSES; i++) {
            const uint32_t line = below(below(2) ? 256 : 40), what = below(10);
            const enum shadow_state state = shadow_state(&s, line);
            assert_int_equal(state, plain.why[line]);
            seen[state]++;
            if (what < 2) {
                shadow_write(&s, line);
                if (plain_find(line) < plain.count)
                    plain_leave(plain_find(line), SHADOW_WRITTEN);
                else if (plain.why[line] != SHADOW_NEVER)
                    plain.why[line] = SHADOW_WRITTEN;
                continue;
            }
            assert_int_equal(shadow_load(&s, line, what > 3), 0);
            plain_load(line, what > 3, capacity);
            if (what == 2) {
                shadow_bypass(&s, line);
                if (plain_find(line) == plain.count)
                    plain.why[line] = SHADOW_BYPASSED;
            }
        }
        shadow_clear(&s);
        assert_int_equal(s.capacity, capacity);
    }
    for (unsigned i = 0; i < NUM_SHADOW_STATES; i++)
        assert_true(seen[i] > 500);
}

/* Accesses of two SMs, whose blocks are not the same, against all pairs of accesses. */
static void sharing_is_that_of_all_pairs(void **unused)
{
    (void)unused;
    enum { SHARED = 900, SMS = 2 };
    static struct {
        uint64_t address, block, warp;
    } all[SHARED];
    uint64_t reached[NUM_SHARING_KINDS] = {0};
    for (unsigned round = 0; round < 6; round++) {
        struct sharing sms[SMS] = {{.line_places = 0}}, sum = {.line_places = 0};
        struct sharing_counts expected = {.lines = {0}}, found = {.lines = {0}};
        for (unsigned i = 0; i < SHARED; i++) {
            const unsigned sm = below(SMS), block = 2 * below(9) + sm;
            all[i].address = UINT64_C(128) * below(100 << round);
            all[i].block = block;
            all[i].warp = 3 * block + below(3);
            assert_int_equal(sharing_touch(&sms[sm], all[i].address, all[i].block, all[i].warp), 0);
        }
        for (unsigned sm = 0; sm < SMS; sm++)
            assert_int_equal(sharing_add(&sum, &sms[sm]), 0);
        sharing_count(&sum, &found);
        for (unsigned i = 0; i < SHARED; i++) {
            int blocks = 0, warps = 0, first = 1;
            for (unsigned j = 0; j < i; j++)
                first &= all[j].address != all[i].address;
            for (unsigned j = 0; j < SHARED; j++)
                for (unsigned k = 0; k < SHARED && all[j].address == all[i].address; k++)
                    if (all[k].address == all[i].address) {
                        blocks |= all[j].block != all[k].block;
                        warps |= all[j].block == all[k].block && all[j].warp != all[k].warp;
                    }
            const enum sharing_kind kind = blocks  ? warps ? SHARING_both : SHARING_inter_block
                                           : warps ? SHARING_intra_block
                                                   : SHARING_unshared;
            expected.accesses[kind]++;
            expected.lines[kind] += (uint64_t)first;
        }
        for (unsigned i = 0; i < NUM_SHARING_KINDS; i++) {
            assert_int_equal(found.accesses[i], expected.accesses[i]);
            assert_int_equal(found.lines[i], expected.lines[i]);
            reached[i] += found.accesses[i];
        }
        for (unsigned sm = 0; sm < SMS; sm++)
            sharing_clear(&sms[sm]);
        sharing_clear(&sum);
    }
    for (unsigned i = 0; i < NUM_SHARING_KINDS; i++)
        assert_true(reached[i] > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_numbered_as_they_come),
        cmocka_unit_test(distances_are_those_of_the_list),
        cmocka_unit_test(the_shadow_is_a_list),
        cmocka_unit_test(sharing_is_that_of_all_pairs),
    };
    return cmocka_run_group_tests_name("tb/profile/parts", tests, NULL, NULL);
}
