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
#include VERILATED_ROOT

extern "C" {
#include "cosim/contract.h"
}

#define CONTRACT_DEF UNIT_DEF

namespace
{

// The words of a C field, which is one or an array of them.
template <class Field> uint64_t *words(Field &field)
{
    return reinterpret_cast<uint64_t *>(&field);
}
template <class Field> const uint64_t *words(const Field &field)
{
    return reinterpret_cast<const uint64_t *>(&field);
}

// C field to port: elements packed, element 0 lowest.
template <unsigned PerWord, unsigned Bits, class Port>
inline void drive(Port &port, const uint64_t *field)
{
    uint64_t packed[(Bits + 63) / 64 + 1]; // the last is never touched, which compilers do not see
    bits_pack(packed, field, PerWord, Bits);
    if constexpr (std::is_integral_v<Port>)
        port = static_cast<Port>(packed[0]);
    else
        for (unsigned w = 0; w < (Bits + 31) / 32; w++) // words of 64 into words of 32
            port[w] = static_cast<uint32_t>(packed[w / 2] >> w % 2 * 32);
}

// Port to C field.
template <unsigned PerWord, unsigned Bits, class Port>
inline void sample(const Port &port, uint64_t *field)
{
    uint64_t packed[(Bits + 63) / 64 + 1]; // the last is never touched, which compilers do not see
    if constexpr (std::is_integral_v<Port>)
        packed[0] = port;
    else
        for (unsigned w = 0; w < (Bits + 31) / 32; w++) // words of 32 into words of 64
            packed[w / 2] = w % 2 ? packed[w / 2] | static_cast<uint64_t>(port[w]) << 32 : port[w];
    bits_unpack(field, packed, PerWord, Bits);
}

// Of a contract's line: what both need to know.
#define SHAPE(width_text, width, count) CONTRACT_PER_WORD(width_text, width), (width) * (count)

using In = struct CONTRACT_PASTE(UNIT_STEM, in);
using Out = struct CONTRACT_PASTE(UNIT_STEM, out);
using State = struct CONTRACT_PASTE(UNIT_STEM, state);

constexpr unsigned num_states = 0
#define STATE(name, width, count, meaning)  +1
#define MEMORY(name, width, depth, meaning) +1
#include "cmodel/contract_lines.h"
    ;

// A signal of a MEMORY's instance, which cosim/memory.vlt has made visible.
#define INSIDE(name, signal)                                                                       \
    top.rootp->CONTRACT_PASTE(UNIT_STEM, top__DOT__dut__DOT__##name##__DOT__##signal)

template <class> constexpr std::size_t depth_of = 0;
template <class Word, std::size_t Depth>
constexpr std::size_t depth_of<VlUnpacked<Word, Depth>> = Depth;

// One clock cycle of `top`; a unit without STATE and MEMORY has no clock.
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
        reset(top);
    }

    ~Model()
    {
        Verilated::threadContextp(&context); // the names of `top` are taken out of the current one
#ifdef COVERAGE_DIR // each run leaves its counts; verilator_coverage adds them up
        static unsigned runs;
        std::string file = COVERAGE_DIR "/run" + std::to_string(runs++) + ".dat";
        context.coveragep()->write(file.c_str());
#endif
    }

    void set_inputs(const In &in)
    {
#define IN(name, width, count, meaning)                                                            \
    drive<SHAPE(#width, width, count)>(top.name, words(in.name));
#include "cmodel/contract_lines.h"
        top.eval();
    }

    void get_outputs(Out &out)
    {
#define OUT(name, width, count, meaning)                                                           \
    sample<SHAPE(#width, width, count)>(top.name, words(out.name));
#include "cmodel/contract_lines.h"
    }

    void get_writes([[maybe_unused]] memory_write *write)
    {
#define MEMORY(name, width, depth, meaning)                                                        \
    *write++ = {INSIDE(name, write), INSIDE(name, write_address), INSIDE(name, write_data)};
#include "cmodel/contract_lines.h"
    }

    void get_contents([[maybe_unused]] uint64_t *word)
    {
#define MEMORY(name, width, depth, meaning)                                                        \
    static_assert(depth_of<std::remove_reference_t<decltype(INSIDE(name, word_q))>> == (depth),    \
                  "the depth of MEMORY " #name " is not that of its instance");                    \
    for (unsigned w = 0; w < (depth); w++)                                                         \
        *word++ = INSIDE(name, word_q)[w];
#include "cmodel/contract_lines.h"
    }

    void set_contents([[maybe_unused]] const uint64_t *word)
    {
#define MEMORY(name, width, depth, meaning)                                                        \
    for (unsigned w = 0; w < (depth); w++)                                                         \
        INSIDE(name, word_q)[w] = *word++;
#include "cmodel/contract_lines.h"
    }

    // Registers that are as they were when last looked at are not unpacked again: most are, in most cycles.
    void get_state([[maybe_unused]] State &state)
    {
#define STATE(name, width, count, meaning)                                                         \
    if (std::memcmp(&seen.name.port, &top.state_##name, sizeof seen.name.port)) {                  \
        seen.name.port = top.state_##name;                                                         \
        sample<SHAPE(#width, width, count)>(seen.name.port, words(seen.name.field));               \
    }                                                                                              \
    std::memcpy(&state.name, &seen.name.field, sizeof state.name);
#include "cmodel/contract_lines.h"
    }

  private:
    template <class Port, class Field> struct Seen {
        Port port;
        Field field; // the same, unpacked
    };
    struct {
#define STATE(name, width, count, meaning)                                                         \
    Seen<std::remove_reference_t<decltype(VERILATED_CLASS::state_##name)>, decltype(State::name)>  \
        name;
#include "cmodel/contract_lines.h"
    } seen{};
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

void reset_all(void *model)
{
    reset(static_cast<Model *>(model)->top);
}

void memory_writes(void *model, struct memory_write *write)
{
    static_cast<Model *>(model)->get_writes(write);
}

void memory_contents(void *model, uint64_t *words)
{
    static_cast<Model *>(model)->get_contents(words);
}

void memory_preset(void *model, const uint64_t *words)
{
    static_cast<Model *>(model)->set_contents(words);
}

} // namespace

extern "C" const struct unit_model CONTRACT_PASTE(UNIT_STEM, model);
const struct unit_model CONTRACT_PASTE(UNIT_STEM, model) = {
    open,       close,     sample_all,    sample_outputs,  sample_state,
    clock_edge, reset_all, memory_writes, memory_contents, memory_preset};
