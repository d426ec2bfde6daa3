// SPDX-License-Identifier: Apache-2.0
// heddle/systemc.h: what the SystemC modules of all units (heddle/<unit>_systemc.h) share: fields of the references as values of
// ports. The modules have the ports that `verilator --sc` gives the RTL, so that a platform takes either and can be tried with the
// fast one first: clk, rst, every input and output, and state_<name> for every register.
#ifndef HEDDLE_COSIM_SYSTEMC_H
#define HEDDLE_COSIM_SYSTEMC_H

#include <cstdint>
#include <type_traits>

#include <systemc>

#include "cmodel/bits.h"

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

} // namespace heddle

#endif
