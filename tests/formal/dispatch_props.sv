// SPDX-License-Identifier: Apache-2.0
// dispatch_props: the rules of the thread-block dispatcher, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports and, for the rules about STATE, its registers. tests/formal/run.sh builds the
// proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// What the rules call "to be placed", "holds", "served before" is kept here, from the ports alone. Each rule is stated for all
// SMs at once, as vectors (wia_props.sv says why). Inputs are free: policy, limit and allowance may change at any time, and a
// kernel may be started or given up in any cycle.
`default_nettype none

module dispatch_props #(
    parameter int unsigned NUM_SMS = 0,
    parameter int unsigned SM_BLOCKS = 0,
    parameter int unsigned BLOCK_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove rules 4 and 10, and the lemma of rule 11, along with the rule: together they are inductive
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned CountBits = $clog2(SM_BLOCKS + 1)
) (
    input logic                         clk,
    input logic                         rst,
    input logic                         started,  // the first cycle, a reset, is over
    input logic                         policy,
    input logic                         start,
    input logic [BLOCK_BITS-1:0]        first,
    input logic [BLOCK_BITS-1:0]        blocks,
    input logic                         stop,
    input logic [CountBits-1:0]         limit,
    input logic [NUM_SMS-1:0]           allow,
    input logic [NUM_SMS-1:0]           ended,
    input logic                         place_valid,
    input logic [SmBits-1:0]            place_sm,
    input logic [BLOCK_BITS-1:0]        place_block,
    input logic                         done,
    input logic [1:0]                   state_state,
    input logic [BLOCK_BITS-1:0]        state_next,
    input logic [BLOCK_BITS-1:0]        state_left,
    input logic [SmBits-1:0]            state_last,
    input logic [NUM_SMS*CountBits-1:0] state_resident
);
    localparam logic Bcs = 1'b1;
    localparam logic [1:0] Idle = 2'd0, Search = 2'd1, Second = 2'd2, Drain = 2'd3;

    // The kernel: runs from its start until it is over; blocks to be placed; number of the next one.
    logic runs, begins;
    logic [BLOCK_BITS-1:0] todo, number;
    assign begins = !runs && start && blocks != 0;
    always_ff @(posedge clk) begin
        if (rst) begin
            runs <= 1'b0;
            todo <= '0;
            number <= '0;
        end else begin
            if (begins) runs <= 1'b1;
            else if (done) runs <= 1'b0;
            if (begins) todo <= blocks;
            else if (runs && stop) todo <= '0;
            else if (place_valid) todo <= todo - 1'b1;
            if (begins) number <= first;
            else if (place_valid) number <= number + 1'b1;
        end
    end

    // The SM that was served before; the last one when a kernel begins. The SM that is served now, one-hot.
    logic [SmBits-1:0] before;
    logic [NUM_SMS-1:0] served, here;
    always_ff @(posedge clk) begin
        if (rst) before <= '0;
        else if (begins) before <= SmBits'(NUM_SMS - 1);
        else if (place_valid) before <= place_sm;
    end

    // Blocks that each SM holds, at the beginning of the cycle, and without one that ends in it. Does none hold any then?
    localparam int unsigned Bits = CountBits + 1;
    logic [NUM_SMS*Bits-1:0] holds, stay;
    logic [NUM_SMS-1:0] empty;
    for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
        logic [Bits-1:0] mine;
        assign served[i] = before == SmBits'(i);
        assign here[i] = place_valid && place_sm == SmBits'(i);
        always_ff @(posedge clk) mine <= rst ? '0 : stay[i*Bits+:Bits] + Bits'(here[i]);
        assign holds[i*Bits+:Bits] = mine;
        assign stay[i*Bits+:Bits] = mine - Bits'(ended[i] && mine != 0);
        assign empty[i] = stay[i*Bits+:Bits] == 0;
    end

    // bcs: a pair is begun where two blocks are left and two can be together at all; its second half is open until placed.
    logic half, two;
    assign two = !half && policy == Bcs && todo > 1 && limit > 1;
    always_ff @(posedge clk) begin
        if (rst || stop) half <= 1'b0;
        else if (place_valid) half <= two;
    end

    // Who can take what is to be placed next, who has room for one block, and for two; who of those that can take it stands, going
    // up and around, between the SM served before and the one served now.
    logic [NUM_SMS-1:0] fits, one, both, passed_over;
    always_comb begin
        for (int i = 0; i < NUM_SMS; i++) begin
            one[i] = {1'b0, stay[i*Bits+:Bits]} < (Bits + 1)'(limit);
            both[i] = {1'b0, stay[i*Bits+:Bits]} + 1'b1 < (Bits + 1)'(limit);
            fits[i] = allow[i] && (two ? both[i] : one[i]) && (!half || served[i]);
            passed_over[i] = fits[i] && place_valid && (place_sm > before ? SmBits'(i) > before && SmBits'(i) < place_sm
                                                                          : SmBits'(i) > before || SmBits'(i) < place_sm);
        end
    end

    // The rule holds in this cycle. What R4 and R10 say of the registers, in the cycles after the first.
    logic rule, truth, kept;
    logic [NUM_SMS-1:0] lies;
    always_comb if (started) assert (rule && (!WITH || (truth && kept)));

    // R1: Every block is issued exactly once: those of the kernel in order, from the first on, and none when none is left.
    if (RULE == 1) assign rule = !place_valid || (runs && todo != 0 && place_block == number);

    // R2: No block is lost: a kernel is over only when all its blocks were issued, or it was given up, and no SM holds one.
    if (RULE == 2) assign rule = !done || (runs && todo == 0 && &empty);

    // R3: Nothing is placed on an SM that is not allowed, has no room under the limit of this cycle, or does not exist.
    if (RULE == 3) assign rule = place_valid == (here != 0) && (here & ~(allow & one)) == 0;

    // R4: The count of an SM's blocks is the truth at all times: placed and not ended. An end where nothing runs is ignored,
    // an end and a placement in one cycle both count, and the count neither overflows nor goes below zero.
    for (genvar i = 0; i < NUM_SMS; i++) begin : g_count
        assign lies[i] = started && {1'b0, state_resident[i*CountBits+:CountBits]} != holds[i*Bits+:Bits];
    end
    assign truth = lies == 0;
    if (RULE == 4) assign rule = truth;

    // R5: Round robin: who receives a block is the next SM, after the one served before, that can take what is to be placed.
    if (RULE == 5) assign rule = half || passed_over == 0;

    // R6: No cycle is lost: while blocks are left and an SM can take what is to be placed, something is placed.
    if (RULE == 6) assign rule = !(runs && todo != 0 && !stop && fits != 0) || place_valid;

    // R7: bcs waits for two free contexts: the first of two blocks goes only to an SM that has room for both.
    if (RULE == 7) assign rule = !two || (here & ~both) == 0;

    // R8: Pairs stay together: the second block of a pair goes to the SM of the first.
    if (RULE == 8) assign rule = !half || (here & ~served) == 0;

    // R9: Pairs do not wait: while limit and allowance stay, the second block follows in the next cycle, unless given up.
    if (RULE == 9) begin : g_r9
        logic fresh;  // the first block was placed in the cycle before
        logic [CountBits-1:0] was_limit;
        always_ff @(posedge clk) begin
            fresh <= !rst && place_valid && two;
            was_limit <= limit;
        end
        assign rule = !(half && fresh && limit == was_limit && (allow & served) != 0 && !stop) || place_valid;
    end

    // R10: A start is refused while a kernel runs, and a kernel that is given up places nothing more: what is left to place,
    // its number, the open half of a pair and the SM served before change by nothing else than placements, the start of a
    // kernel when none runs, a stop, and the end of the kernel.
    logic [5:0] moved;
    assign moved[0] = started && state_left != todo;
    assign moved[1] = started && state_next != number;
    assign moved[2] = started && (state_state != Idle) != runs;
    assign moved[3] = started && (state_state == Second) != half;
    assign moved[4] = started && (state_state == Drain) != (runs && todo == 0);
    assign moved[5] = started && runs && state_last != before;
    assign kept = moved == 0;
    if (RULE == 10) assign rule = kept;

    // R11: No deadlock: where all SMs may receive and blocks end, a block is placed within as many cycles as an SM can hold
    // blocks, under every limit but 0 and both policies.
    if (RULE == 11) begin : g_r11
        localparam logic [CountBits-1:0] Most = {CountBits{1'b1}};
        logic [CountBits-1:0] waited;
        logic waits;
        logic [NUM_SMS-1:0] stuck;
        assign waits = runs && todo != 0 && &allow && &ended && limit != 0 && !stop && !place_valid;
        always_ff @(posedge clk) waited <= rst || !waits ? '0 : waited + 1'b1;
        // The lemma, one SM at a time: while all wait, each one's blocks become fewer with every cycle, until there is none.
        for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
            assign stuck[i] = started && holds[i*Bits+:Bits] != 0 && {1'b0, holds[i*Bits+:Bits]} + (Bits + 1)'(waited) > (Bits + 1)'(Most);
        end
        assign rule = (!waits || waited < Most) && (!WITH || stuck == 0);
    end

    // R12: A kernel ends: when nothing is left to place and the last SM that holds a block ends it, the kernel is over.
    if (RULE == 12) assign rule = !(runs && todo == 0 && &empty) || done;

    // R13: The state machine takes only the edges of fsm/dispatch.def.
    if (RULE == 13) begin : g_r13
        logic [1:0] from;
        logic known;
        always_ff @(posedge clk) begin
            from <= state_state;
            known <= started && !rst;
        end
        assign rule = !known || from == state_state || (from == Idle && state_state == Search)
                      || (from == Search && state_state == Second) || (from == Search && state_state == Drain)
                      || (from == Second && state_state == Search) || (from == Second && state_state == Drain)
                      || (from == Drain && state_state == Idle);
    end

    // R14: After a reset no kernel runs and no SM holds a block.
    if (RULE == 14) begin : g_r14
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        assign rule = !was_reset || (state_state == Idle && state_next == 0 && state_left == 0 && state_last == 0
                                     && state_resident == 0);
    end

    // R15: Outputs that say nothing are quiet: without a placement place_sm is 0.
    if (RULE == 15) assign rule = place_valid || place_sm == 0;
endmodule

`default_nettype wire
