// SPDX-License-Identifier: Apache-2.0
// cosim/model.cpp: the Verilated model of one unit behind the C functions of struct unit_model.
// Compiled once for every unit. Which port takes which field comes from the contract; how wide a
// port is, from Verilator's own port types.
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>

#include UNIT_HEADER
#include VERILATED_HEADER

extern "C" {
#include "cosim/contract.h"
}

#define CONTRACT_DEF UNIT_DEF

#ifdef MUTANTS
extern "C" {
unsigned model_mutant; // 0: none; taken when a model is opened
}
#endif

namespace
{

// An element of a C field: word and bit of it, as contract.h lays it out.
template <class Field> uint64_t element(const Field &field, unsigned width, unsigned index)
{
    if constexpr (std::is_array_v<Field>)
        return width == 1 ? field[index / 64] >> index % 64 & 1 : field[index];
    else
        return field;
}

// C field to port: elements packed, element 0 lowest.
template <unsigned Width, unsigned Count, class Port, class Field>
inline void drive(Port &port, const Field &field)
{
    constexpr unsigned bits = Width * Count;
    if constexpr (std::is_integral_v<Port> && !std::is_array_v<Field>) {
        port = static_cast<Port>(field & (~uint64_t{0} >> (64 - bits)));
    } else if constexpr (std::is_integral_v<Port>) {
        uint64_t packed = 0;
        for (unsigned i = 0; i < Count; i++)
            packed |= element(field, Width, i) << (i * Width);
        port = static_cast<Port>(packed);
    } else if constexpr (std::is_array_v<Field> && Width == 1) {
        for (unsigned w = 0; w < (bits + 31) / 32; w++) { // words of 64 into words of 32
            uint32_t kept = w == bits / 32 ? (uint32_t{1} << bits % 32) - 1 : ~uint32_t{0};
            port[w] = static_cast<uint32_t>(field[w / 2] >> w % 2 * 32) & kept;
        }
    } else {
        for (unsigned w = 0; w < (bits + 31) / 32; w++)
            port[w] = 0;
        for (unsigned i = 0; i < Count; i++) {
            uint64_t value = element(field, Width, i);
            for (unsigned b = 0; b < Width; b++)
                port[(i * Width + b) / 32] |= static_cast<uint32_t>(value >> b & 1)
                                              << ((i * Width + b) % 32);
        }
    }
}

// Port to C field.
template <unsigned Width, unsigned Count, class Port, class Field>
inline void sample(const Port &port, Field &field)
{
    constexpr unsigned bits = Width * Count;
    if constexpr (std::is_integral_v<Port> && !std::is_array_v<Field>) {
        field = port;
    } else if constexpr (!std::is_integral_v<Port> && std::is_array_v<Field> && Width == 1) {
        for (unsigned w = 0; w < (bits + 31) / 32; w++) // words of 32 into words of 64
            field[w / 2] = w % 2 ? field[w / 2] | static_cast<uint64_t>(port[w]) << 32 : port[w];
    } else {
        auto bit = [&](unsigned b) -> uint64_t {
            if constexpr (std::is_integral_v<Port>)
                return static_cast<uint64_t>(port) >> b & 1;
            else
                return port[b / 32] >> b % 32 & 1;
        };
        for (unsigned i = 0; i < Count; i++) {
            uint64_t value = 0;
            for (unsigned b = 0; b < Width; b++)
                value |= bit(i * Width + b) << b;
            if constexpr (std::is_array_v<Field>)
                field[i] = static_cast<std::remove_extent_t<Field>>(value);
            else
                field = value;
        }
    }
}

using In = struct CONTRACT_PASTE(UNIT_STEM, in);
using Out = struct CONTRACT_PASTE(UNIT_STEM, out);
using State = struct CONTRACT_PASTE(UNIT_STEM, state);

constexpr unsigned num_states = 0
#define STATE(name, width, count, meaning) +1
#include "cmodel/contract_lines.h"
    ;

// One clock cycle of `top`; a unit without STATE has no clock.
template <class Top> void tick([[maybe_unused]] Top &top)
{
    if constexpr (num_states > 0) {
        top.clk = 1;
        top.eval();
        top.clk = 0; // the falling edge moves nothing: the next eval with inputs sees it
    }
}

template <class Top> void reset([[maybe_unused]] Top &top)
{
    if constexpr (num_states > 0) {
        top.clk = 0;
        top.rst = 1;
        top.eval(); // the first eval only settles: a rising edge needs a low clock before it
        tick(top);
        top.rst = 0;
    }
}

// Registers start with random bits, others in each instance, so that a missed reset is seen.
struct RandomStart : VerilatedContext {
    RandomStart()
    {
        static int opened;
        randReset(2);
        randSeed(++opened);
    }
};

struct Model {
    RandomStart context;
    VERILATED_CLASS top{&context};

    Model()
    {
#ifdef MUTANTS
        top.mutsel = model_mutant;
#endif
        reset(top);
    }

#ifdef COVERAGE_DIR
    ~Model() // each run leaves its counts; verilator_coverage adds them up
    {
        static unsigned runs;
        std::string file = COVERAGE_DIR "/run" + std::to_string(runs++) + ".dat";
        context.coveragep()->write(file.c_str());
    }
#endif

    void set_inputs(const In &in)
    {
#define IN(name, width, count, meaning) drive<(width), (count)>(top.name, in.name);
#include "cmodel/contract_lines.h"
        top.eval();
    }

    void get_outputs(Out &out)
    {
#define OUT(name, width, count, meaning) sample<(width), (count)>(top.name, out.name);
#include "cmodel/contract_lines.h"
    }

    void get_state([[maybe_unused]] State &state)
    {
#define STATE(name, width, count, meaning) sample<(width), (count)>(top.state_##name, state.name);
#include "cmodel/contract_lines.h"
    }
};

void *open()
{
    return new (std::nothrow) Model;
}

void close(void *model)
{
    delete static_cast<Model *>(model);
}

void sample_all(void *model, const void *in, void *out, void *state)
{
    auto *m = static_cast<Model *>(model);
    m->set_inputs(*static_cast<const In *>(in));
    m->get_outputs(*static_cast<Out *>(out));
    m->get_state(*static_cast<State *>(state));
}

void sample_outputs(void *model, const void *in, void *out)
{
    auto *m = static_cast<Model *>(model);
    m->set_inputs(*static_cast<const In *>(in));
    m->get_outputs(*static_cast<Out *>(out));
}

void sample_state(void *model, void *state)
{
    static_cast<Model *>(model)->get_state(*static_cast<State *>(state));
}

void clock_edge(void *model)
{
    tick(static_cast<Model *>(model)->top);
}

} // namespace

extern "C" const struct unit_model CONTRACT_PASTE(UNIT_STEM, model);
const struct unit_model CONTRACT_PASTE(UNIT_STEM, model) = {
    open, close, sample_all, sample_outputs, sample_state, clock_edge};
