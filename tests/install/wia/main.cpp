// SPDX-License-Identifier: Apache-2.0
// The unit wia three times: its C reference, its Verilog, its SystemC module. All get the same random inputs; outputs and registers are
// compared in every cycle. Usage: wia [CYCLES]. Exit status: 0 all agree, 3 a difference, 2 usage.
#include "Vwia_top.h" // before <systemc>, or Verilator takes the program's time from there

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include <heddle/wia.h>
#include <heddle/wia_systemc.h>
#include <systemc>

// The ports that go in, and those that can be compared as numbers.
#define INPUTS(each)                                                                               \
    each(policy) each(ready_sp) each(ready_sfu) each(ready_gmem) each(ready_stcmem) each(load)     \
        each(long_wait) each(allow) each(allow_load) each(allow_class) each(alloc)                 \
            each(alloc_warp)
#define OUTPUTS(each)   each(grant_valid) each(grant) each(turn_passes)
#define REGISTERS(each) each(last_valid) each(last) each(issued) each(turn)

namespace
{

// A linear congruential generator; its upper bits are good ones.
uint64_t random_state = 1;
uint64_t random_bits(unsigned bits)
{
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return random_state >> (64 - bits);
}

wia_in random_inputs()
{
    wia_in in{};
    in.policy = random_bits(3);
    in.ready_sp = random_bits(WIA_NUM_WARPS) & random_bits(WIA_NUM_WARPS);
    in.ready_sfu = random_bits(WIA_NUM_WARPS) & random_bits(WIA_NUM_WARPS);
    in.ready_gmem = random_bits(WIA_NUM_WARPS);
    in.ready_stcmem = random_bits(WIA_NUM_WARPS) & random_bits(WIA_NUM_WARPS);
    in.load = random_bits(WIA_NUM_WARPS);
    in.long_wait = random_bits(WIA_NUM_WARPS) | random_bits(WIA_NUM_WARPS);
    in.allow = random_bits(WIA_NUM_WARPS);
    in.allow_load = random_bits(WIA_NUM_WARPS);
    in.allow_class = random_bits(4);
    in.alloc = random_bits(3) == 0;
    in.alloc_warp = random_bits(16) % WIA_NUM_WARPS;
    return in;
}

// The SystemC module between signals.
struct bench {
    heddle::wia module{"module"};
    sc_core::sc_signal<bool> clk, rst;
#define SIGNAL(name) sc_core::sc_signal<decltype(heddle::wia::name)::data_type> name;
    INPUTS(SIGNAL)
    OUTPUTS(SIGNAL)
#define STATE_SIGNAL(name)                                                                         \
    sc_core::sc_signal<decltype(heddle::wia::state_##name)::data_type> state_##name;
    REGISTERS(STATE_SIGNAL)
    STATE_SIGNAL(order)

    bench()
    {
        module.clk(clk);
        module.rst(rst);
#define CONNECT(name) module.name(name);
        INPUTS(CONNECT)
        OUTPUTS(CONNECT)
#define STATE_CONNECT(name) module.state_##name(state_##name);
        REGISTERS(STATE_CONNECT) STATE_CONNECT(order)
    }
};

void half(bench &b, Vwia_top &rtl, bool level)
{
    b.clk = level;
    rtl.clk = level;
    sc_core::sc_start(5, sc_core::SC_NS);
    rtl.eval();
}

int differences = 0;

void compare(const char *name, uint64_t cycle, uint64_t reference, uint64_t rtl, uint64_t module)
{
    if (reference == rtl && reference == module)
        return;
    std::printf("cycle %" PRIu64 ": %s: reference %" PRIu64 ", Verilog %" PRIu64
                ", SystemC %" PRIu64 "\n",
                cycle, name, reference, rtl, module);
    differences++;
}

void compare_all(uint64_t cycle, const wia_out &out, const wia_state &state, Vwia_top &rtl,
                 bench &b)
{
#define COMPARE(name) compare(#name, cycle, out.name, rtl.name, b.name.read());
    OUTPUTS(COMPARE)
#define STATE_COMPARE(name)                                                                        \
    compare(#name, cycle, state.name, rtl.state_##name, b.state_##name.read());
    REGISTERS(STATE_COMPARE)
    for (int bit = 0; bit < b.state_order.read().length(); bit++)
        compare("order", cycle, state.order[bit / 64] >> bit % 64 & 1,
                rtl.state_order[bit / 32] >> bit % 32 & 1,
                b.state_order.read()[bit] == sc_dt::SC_LOGIC_1);
}

} // namespace

int sc_main(int argc, char **argv)
{
    const uint64_t cycles = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 10000;
    if (argc > 2 || !cycles) {
        std::fprintf(stderr, "usage: %s [CYCLES]\n", argv[0]);
        return 2;
    }
    bench b;
    Vwia_top rtl;
    wia_state state;
    wia_reset(&state);
    b.rst = rtl.rst = 1;
    half(b, rtl, false);
    half(b, rtl, true);
    b.rst = rtl.rst = 0;
    for (uint64_t cycle = 0; cycle < cycles && !differences; cycle++) {
        const wia_in in = random_inputs();
        wia_out out;
#define DRIVE(name) b.name = in.name, rtl.name = in.name;
        INPUTS(DRIVE)
        half(b, rtl, false);
        wia_comb(&state, &in, &out);
        compare_all(cycle, out, state, rtl, b);
        wia_tick(&state, &in, &out);
        half(b, rtl, true);
    }
    rtl.final();
    std::printf("wia: %" PRIu64 " cycles, %d differences\n", cycles, differences);
    return differences ? 3 : 0;
}
