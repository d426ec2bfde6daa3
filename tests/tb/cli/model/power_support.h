/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/power_support.h: runs made up, as statistics for `heddle model power`, of a machine of 15 SMs with 1000 MHz. */
#ifndef HEDDLE_TESTS_TB_CLI_MODEL_POWER_SUPPORT_H
#define HEDDLE_TESTS_TB_CLI_MODEL_POWER_SUPPORT_H

/* Members of the totals: COUNT(member, the same as a word). */
#define POWER_COUNTS(COUNT)                                                                        \
    COUNT(cycles, "cycles")                                                                        \
    COUNT(warps, "warp_instructions")                                                              \
    COUNT(branches, "branches")                                                                    \
    COUNT(conflicts, "shared_conflicts")                                                           \
    COUNT(shared, "shared_accesses")                                                               \
    COUNT(sp, "threads.sp")                                                                        \
    COUNT(sfu, "threads.sfu")                                                                      \
    COUNT(gmem, "threads.gmem")                                                                    \
    COUNT(stcmem, "threads.stcmem")                                                                \
    COUNT(l1c, "l1c.accesses")                                                                     \
    COUNT(l1d, "l1d.accesses")                                                                     \
    COUNT(l1d_misses, "l1d.misses")                                                                \
    COUNT(l1d_merged, "l1d.mshr_merged")                                                           \
    COUNT(bypassed, "l1d.bypassed")                                                                \
    COUNT(request, "xbar.request_flits")                                                           \
    COUNT(reply, "xbar.reply_flits")                                                               \
    COUNT(l2, "l2.accesses")                                                                       \
    COUNT(l2_misses, "l2.misses")                                                                  \
    COUNT(l2_merged, "l2.mshr_merged")                                                             \
    COUNT(writebacks, "l2.writebacks")                                                             \
    COUNT(reads, "dram.reads")                                                                     \
    COUNT(writes, "dram.writes")                                                                   \
    COUNT(activates, "dram.activates")

/* What a run counted. */
struct power_counts {
#define COUNT(member, word) double member;
    POWER_COUNTS(COUNT)
#undef COUNT
};

/* Femtojoules of each key of [energy], as tb/gpu/energy.def has them: ROW(key, events of the counts c, femtojoules). */
#define POWER_ROWS(ROW)                                                                            \
    ROW(instruction, c->warps, 60000)                                                              \
    ROW(registers, c->sp + c->sfu + c->gmem + c->stcmem, 15000)                                    \
    ROW(sp, c->sp, 2000)                                                                           \
    ROW(sfu, c->sfu, 13000)                                                                        \
    ROW(address, c->gmem + c->stcmem, 100)                                                         \
    ROW(shared, c->shared + c->conflicts, 390000)                                                  \
    ROW(l1c, c->l1c, 10000)                                                                        \
    ROW(l1d, c->l1d + c->l1d_misses - c->l1d_merged - c->bypassed, 220000)                         \
    ROW(flit, c->request + c->reply, 310000)                                                       \
    ROW(l2, c->l2 + c->reads + c->writebacks, 450000)                                              \
    ROW(dram_read, c->reads, 51000000)                                                             \
    ROW(dram_write, c->writes, 28000000)                                                           \
    ROW(dram_activate, c->activates, 4200000)                                                      \
    ROW(sm_cycle, c->cycles * 15, 1200000)

/* Settings, with so many SMs of the first program and ways of L2. */
#define POWER_SETTINGS                                                                             \
    "\"hw.num_sms\": 15, \"gpu.clock_mhz\": 1000, \"kmu.partition\": 3, \"kmu.sms_0\": %u, "       \
    "\"l2.banks\": 2, \"l2.sets\": 32, \"l2.ways\": %u, \"energy.sp\": 2000"

/* The totals; `watts` of the machine; 0: as POWER_ROWS have it. */
struct cJSON *power_totals(const struct power_counts *, double watts);

/* Writes a run of a program alone, with so many SMs of its own and ways of L2. */
void power_write(const char *path, const char *name, const struct power_counts *, double watts,
                 unsigned sms, unsigned ways);

/* The watts that POWER_ROWS have. */
double power_watts(const struct power_counts *);

/* Some counts, others for each number. */
struct power_counts power_some(unsigned number);

/* The model of the five events that the made-up power follows: watts of an SM, joules of an event. */
#define POWER_IDLE 2.0
extern const double power_joules[5];
double power_thesis(const struct power_counts *);

/* `heddle model power` with these words ends with this status, and says this; what it said is in `said`. */
void power_says(const char *words, int status, const char *says);

/* Numbers behind the first of these words that begins a line, behind `from`; each may be followed by a unit. */
void power_numbers(const char *from, const char *words, double *numbers, unsigned count);

#endif
