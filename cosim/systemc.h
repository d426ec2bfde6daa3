// SPDX-License-Identifier: Apache-2.0
// cosim/systemc.h: the C reference of one unit as a SystemC module, with the ports that `verilator
// --sc` gives the RTL: a SystemC platform takes either, and can be tried with the fast one first.
// Compiled per unit: UNIT_STEM, UNIT_DEF and UNIT_HEADER say which. Ports: clk, rst, every IN and
// OUT of the contract, and state_<name> for every STATE.
#ifndef HEDDLE_COSIM_SYSTEMC_H
#define HEDDLE_COSIM_SYSTEMC_H

#include <cstdint>
#include <type_traits>

#include <systemc>

#include UNIT_HEADER

#define CONTRACT_DEF UNIT_DEF

namespace heddle
{

// The port type of so many bits, as Verilator chooses it.
template <unsigned Bits>
using port_type = std::conditional_t<
    Bits == 1, bool,
    std::conditional_t<
        Bits <= 32, uint32_t,
        std::conditional_t<Bits <= 64, uint64_t, sc_dt::sc_bv<(Bits > 64 ? Bits : 65)>>>>;

// C field, one word or several with PerWord bits in each, to port value: elements packed, element 0
// lowest.
template <unsigned PerWord, unsigned Bits, class Field> port_type<Bits> to_port(const Field &field)
{
    uint64_t packed[(Bits + 63) / 64];
    bits_pack(packed, reinterpret_cast<const uint64_t *>(&field), PerWord, Bits);
    if constexpr (Bits <= 64)
        return static_cast<port_type<Bits>>(packed[0]);
    else {
        port_type<Bits> port;
        for (unsigned b = 0; b < Bits; b++)
            port[b] = bit_get(packed, b) != 0;
        return port;
    }
}

// Port value to C field.
template <unsigned PerWord, unsigned Bits, class Field>
void from_port(const port_type<Bits> &port, Field &field)
{
    uint64_t packed[(Bits + 63) / 64];
    if constexpr (Bits <= 64)
        packed[0] = port;
    else
        for (unsigned b = 0; b < Bits; b++)
            bit_set(packed, b, port[b] == sc_dt::SC_LOGIC_1);
    bits_unpack(reinterpret_cast<uint64_t *>(&field), packed, PerWord, Bits);
}

// Of a contract's line: what both need to know.
#define HEDDLE_SHAPE(width_text, width, count)                                                     \
    CONTRACT_PER_WORD(width_text, width), (width) * (count)

constexpr unsigned num_states = 0
#define STATE(name, width, count, meaning)  +1
#define MEMORY(name, width, depth, meaning) +1
#include "cmodel/contract_lines.h"
    ;

// A unit without STATE and MEMORY has neither clock nor reset: its bench, RTL and reference are not connected
// to any.
template <bool Clocked> struct clocking {
    sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};
};
template <> struct clocking<false> {
};

// Connects both if they are there.
template <class Module>
void connect_clock([[maybe_unused]] Module &module, [[maybe_unused]] sc_core::sc_signal<bool> &clk,
                   [[maybe_unused]] sc_core::sc_signal<bool> &rst)
{
    if constexpr (num_states > 0)
        module.clk(clk), module.rst(rst);
}

class reference : public sc_core::sc_module, public clocking<(num_states > 0)>
{
  public:
    using In = struct CONTRACT_PASTE(UNIT_STEM, in);
    using Out = struct CONTRACT_PASTE(UNIT_STEM, out);
    using State = struct CONTRACT_PASTE(UNIT_STEM, state);

#define IN(name, width, count, meaning)  sc_core::sc_in<port_type<(width) * (count)>> name{#name};
#define OUT(name, width, count, meaning) sc_core::sc_out<port_type<(width) * (count)>> name{#name};
#define STATE(name, width, count, meaning)                                                         \
    sc_core::sc_out<port_type<(width) * (count)>> state_##name{"state_" #name};
#include "cmodel/contract_lines.h"

    // The words of a MEMORY, which no port shows: a bench may preset them.
#define MEMORY(name, width, depth, meaning)                                                        \
    uint64_t *name##_words()                                                                       \
    {                                                                                              \
        return state.name;                                                                         \
    }
#include "cmodel/contract_lines.h"

    SC_HAS_PROCESS(reference);
    explicit reference(sc_core::sc_module_name name) : sc_core::sc_module(name)
    {
        CONTRACT_PASTE(UNIT_STEM, reset)(&state);
        SC_METHOD(comb);
        sensitive << moved;
#define IN(name, width, count, meaning) sensitive << name;
#include "cmodel/contract_lines.h"
        start_clock(*this);
    }

  private:
    State state{};
    sc_core::sc_event moved; // the state has

    template <class Module> void start_clock([[maybe_unused]] Module &module)
    {
        if constexpr (num_states > 0) {
            SC_METHOD(tick);
            sensitive << module.clk.pos();
            dont_initialize();
        }
    }

    template <class Module> static bool in_reset([[maybe_unused]] const Module &module)
    {
        if constexpr (num_states > 0)
            return module.rst.read();
        return false;
    }

    void read(In &in)
    {
#define IN(name, width, count, meaning)                                                            \
    from_port<HEDDLE_SHAPE(#width, width, count)>(name.read(), in.name);
#include "cmodel/contract_lines.h"
    }

    void comb()
    {
        In in{};
        Out out{};
        read(in);
        CONTRACT_PASTE(UNIT_STEM, comb)(&state, &in, &out);
#define OUT(name, width, count, meaning)                                                           \
    name.write(to_port<HEDDLE_SHAPE(#width, width, count)>(out.name));
#define STATE(name, width, count, meaning)                                                         \
    state_##name.write(to_port<HEDDLE_SHAPE(#width, width, count)>(state.name));
#include "cmodel/contract_lines.h"
    }

    void tick()
    {
        In in{};
        Out out{};
        read(in);
        CONTRACT_PASTE(UNIT_STEM, comb)(&state, &in, &out);
        if (in_reset(*this))
            CONTRACT_PASTE(UNIT_STEM, reset)(&state);
        else
            CONTRACT_PASTE(UNIT_STEM, tick)(&state, &in, &out);
        moved.notify(sc_core::SC_ZERO_TIME);
    }
};

} // namespace heddle

#endif
