// SPDX-License-Identifier: Apache-2.0
// cosim/systemc.cpp: a SystemC bench that drives the RTL of one unit (as `verilator --sc` makes it)
// and its reference (heddle/<unit>_systemc.h) with the same constrained-random signals and compares every
// output and register in every cycle, every MEMORY at the end. Usage: systemc-<unit> [CYCLES [SEED [LIE]]]; in cycle LIE one
// bit of the reference's answer is changed on purpose, to show that the comparison is alive. Exit
// status: 0 all cycles agree, 3 a difference, 2 usage.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "cmodel/contract.h"
#include SYSTEMC_HEADER
#include VERILATED_HEADER
#include VERILATED_ROOT

extern "C" {
#include "cosim/stimulus.h"
stimulus_fn CONTRACT_PASTE(UNIT_STEM, stimulus);
}

#define CONTRACT_DEF UNIT_DEF

// Of a contract's line: how many bits are in a word of its C field, and how many there are.
#define SHAPE(width_text, width, count) CONTRACT_PER_WORD(width_text, width), (width) * (count)

namespace
{

using heddle::port_type;
using heddle::to_port;
using In = struct CONTRACT_PASTE(UNIT_STEM, in);
using Out = struct CONTRACT_PASTE(UNIT_STEM, out);
using State = struct CONTRACT_PASTE(UNIT_STEM, state);

// The words of a MEMORY in the RTL: cosim/memory.vlt.
#define RTL_WORDS(name)                                                                            \
    rtl.rootp->CONTRACT_PASTE(UNIT_STEM, top__DOT__dut__DOT__##name##__DOT__word_q)

constexpr unsigned num_states = 0
#define STATE(name, width, count, meaning)  +1
#define MEMORY(name, width, depth, meaning) +1
#include "cmodel/contract_lines.h"
    ;

// A unit without STATE and MEMORY has neither clock nor reset.
template <class Module>
void connect_clock([[maybe_unused]] Module &module, [[maybe_unused]] sc_core::sc_signal<bool> &clk,
                   [[maybe_unused]] sc_core::sc_signal<bool> &rst)
{
    if constexpr (num_states > 0)
        module.clk(clk), module.rst(rst);
}

struct bench {
    sc_core::sc_signal<bool> clk, rst;
#define IN(name, width, count, meaning) sc_core::sc_signal<port_type<(width) * (count)>> name;
#define OUT(name, width, count, meaning)                                                           \
    sc_core::sc_signal<port_type<(width) * (count)>> name##_ref, name##_rtl;
#define STATE(name, width, count, meaning)                                                         \
    sc_core::sc_signal<port_type<(width) * (count)>> state_##name##_ref, state_##name##_rtl;
#include "cmodel/contract_lines.h"
    heddle::UNIT_STEM ref{"ref"};
    VERILATED_CLASS rtl{"rtl"};
    int differences = 0;

    bench()
    {
        connect_clock(ref, clk, rst);
        connect_clock(rtl, clk, rst);
#define IN(name, width, count, meaning)  ref.name(name), rtl.name(name);
#define OUT(name, width, count, meaning) ref.name(name##_ref), rtl.name(name##_rtl);
#define STATE(name, width, count, meaning)                                                         \
    ref.state_##name(state_##name##_ref), rtl.state_##name(state_##name##_rtl);
#include "cmodel/contract_lines.h"
    }

    static void set_clock([[maybe_unused]] In &in, [[maybe_unused]] uint64_t clock)
    {
#define IN(name, width, count, meaning) [[maybe_unused]] constexpr unsigned name##_width = (width);
#include "cmodel/contract_lines.h"
#define CLOCK(input) in.input = clock & ~uint64_t{0} >> (64 - input##_width);
#include "cmodel/contract_lines.h"
    }

    void drive(const In &in)
    {
#define IN(name, width, count, meaning) name.write(to_port<SHAPE(#width, width, count)>(in.name));
#include "cmodel/contract_lines.h"
    }

    template <class Value>
    void compare(const char *name, uint64_t cycle, Value ref_value, Value rtl_value)
    {
        if (ref_value == rtl_value)
            return;
        if (differences++ == 0)
            std::printf("MISMATCH  first in cycle %" PRIu64 "\n", cycle);
        std::printf("  %s differs\n", name);
    }

    // The same noise in the MEMORYs of both, and of the state that the stimulus sees.
    void preset_memories([[maybe_unused]] State &state, uint64_t seed)
    {
        [[maybe_unused]] stimulus noise = stimulus_start(seed);
#define MEMORY(name, width, depth, meaning)                                                        \
    for (unsigned w = 0; w < (depth); w++)                                                         \
        state.name[w] = ref.name##_words()[w] = RTL_WORDS(name)[w] =                               \
            stimulus_bits(&noise) >> (64 - (width));
#include "cmodel/contract_lines.h"
    }

    void compare_memories([[maybe_unused]] uint64_t cycle)
    {
#define MEMORY(name, width, depth, meaning)                                                        \
    for (unsigned w = 0; w < (depth); w++)                                                         \
        compare<uint64_t>(#name, cycle, ref.name##_words()[w], RTL_WORDS(name)[w]);
#include "cmodel/contract_lines.h"
    }

    // `lie`: change the answer of the reference in its first output.
    void compare_all(uint64_t cycle, bool lie)
    {
#define OUT(name, width, count, meaning)                                                           \
    {                                                                                              \
        auto ref_value = name##_ref.read();                                                        \
        if (lie)                                                                                   \
            ref_value = !ref_value;                                                                \
        lie = false;                                                                               \
        compare(#name, cycle, ref_value, name##_rtl.read());                                       \
    }
#define STATE(name, width, count, meaning)                                                         \
    compare(#name, cycle, state_##name##_ref.read(), state_##name##_rtl.read());
#include "cmodel/contract_lines.h"
    }
};

void half(bench &b, bool level)
{
    b.clk.write(level);
    sc_core::sc_start(5, sc_core::SC_NS);
}

} // namespace

int sc_main(int argc, char **argv)
{
    const uint64_t cycles = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 100000;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    const uint64_t lie = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : UINT64_MAX;
    if (!cycles || !seed || argc > 4) {
        std::fprintf(stderr, "usage: %s [CYCLES [SEED [LIE]]], numbers above 0\n", argv[0]);
        return 2;
    }
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    bench b;
    State state{};
    CONTRACT_PASTE(UNIT_STEM, reset)(&state);
    stimulus s = stimulus_start(seed);
    s.state = &state; // the stimulus may look at a state: this one runs beside the modules
    b.rst.write(true);
    half(b, false), half(b, true), half(b, false);
    b.rst.write(false);
    b.preset_memories(state, seed);
    for (; s.cycle < cycles && !b.differences; stimulus_next(&s)) {
        In in{};
        Out out{};
        CONTRACT_PASTE(UNIT_STEM, stimulus)(&s, &in);
        bench::set_clock(in, s.clock);
        b.drive(in);
        half(b, false);
        b.compare_all(s.cycle, s.cycle == lie);
        half(b, true);
        CONTRACT_PASTE(UNIT_STEM, comb)(&state, &in, &out);
        CONTRACT_PASTE(UNIT_STEM, tick)(&state, &in, &out);
    }
    b.compare_memories(s.cycle);
    b.rtl.final();
    std::printf("systemc: %" PRIu64 " cycles compared, %d differences\n", s.cycle, b.differences);
    return b.differences ? 3 : 0;
}
