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

// C field to port value: elements packed, element 0 lowest.
template <unsigned Width, unsigned Count, class Field>
port_type<Width * Count> to_port(const Field &field)
{
    constexpr unsigned bits = Width * Count;
    auto element = [&](unsigned i) -> uint64_t {
        if constexpr (!std::is_array_v<Field>)
            return Width == 1 && Count > 1 ? field >> i & 1 : field;
        else
            return Width == 1 ? field[i / 64] >> i % 64 & 1 : field[i];
    };
    if constexpr (bits <= 64) {
        uint64_t packed = 0;
        for (unsigned i = 0; i < Count; i++)
            packed |= element(i) << i * Width;
        return static_cast<port_type<bits>>(packed);
    } else {
        port_type<bits> packed;
        for (unsigned b = 0; b < bits; b++)
            packed[b] = (element(b / Width) >> b % Width & 1) != 0;
        return packed;
    }
}

// A bit of a port value: a number of up to 64 bits, or a vector.
template <class Port> uint64_t bit_of(const Port &port, unsigned bit)
{
    if constexpr (std::is_integral_v<Port>)
        return static_cast<uint64_t>(port) >> bit & 1;
    else
        return port[bit] == sc_dt::SC_LOGIC_1;
}

// Port value to C field.
template <unsigned Width, unsigned Count, class Port, class Field>
void from_port(const Port &port, Field &field)
{
    if constexpr (!std::is_array_v<Field>)
        field = static_cast<uint64_t>(port);
    else {
        constexpr unsigned width = Width == 1 ? 64 : Width; // single bits fill words
        for (unsigned i = 0; i < std::extent_v<Field>; i++) {
            uint64_t value = 0;
            for (unsigned b = 0; b < width && i * width + b < Width * Count; b++)
                value |= bit_of(port, i * width + b) << b;
            field[i] = static_cast<std::remove_extent_t<Field>>(value);
        }
    }
}

constexpr unsigned num_states = 0
#define STATE(name, width, count, meaning) +1
#include "cmodel/contract_lines.h"
    ;

// A unit without STATE has neither clock nor reset: its bench, RTL and reference are not connected
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
#define IN(name, width, count, meaning) from_port<(width), (count)>(name.read(), in.name);
#include "cmodel/contract_lines.h"
    }

    void comb()
    {
        In in{};
        Out out{};
        read(in);
        CONTRACT_PASTE(UNIT_STEM, comb)(&state, &in, &out);
#define OUT(name, width, count, meaning) name.write(to_port<(width), (count)>(out.name));
#define STATE(name, width, count, meaning)                                                         \
    state_##name.write(to_port<(width), (count)>(state.name));
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
