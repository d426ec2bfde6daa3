// SPDX-License-Identifier: Apache-2.0
// dispatch_props: the rules of the thread-block dispatcher, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports and, for the rules about STATE, its registers. tests/formal/run.sh builds the
// proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// What the rules call "to be placed", "holds", "served before" is kept here, from the ports alone. Rules about "an SM"
// speak of SM a, an input that is taken once, during reset: the proof holds for every choice. Inputs are free: policy,
// limit and allowance may change at any time, and a kernel may be started or given up in any cycle.
`default_nettype none

module dispatch_props #(
    parameter int unsigned NUM_SMS = 0,
    parameter int unsigned SM_BLOCKS = 0,
    parameter int unsigned BLOCK_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove rules 4 and 10 along with the rule: together they are inductive
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned CountBits = $clog2(SM_BLOCKS + 1)
) (
    input logic                         clk,
    input logic                         rst,
    input logic                         started,  // the first cycle, a reset, is over
    input logic [23:0]                  pick,     // number of SM a
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

    function automatic logic in(input logic [NUM_SMS-1:0] set, input logic [7:0] sm);
        begin
            in = 1'b0;
            for (int i = 0; i < NUM_SMS; i++) if (32'(sm) == i) in = set[i];
        end
    endfunction

    // An SM, chosen during reset.
    logic [7:0] a;
    always_ff @(posedge clk) if (rst) a <= pick[7:0];
    logic exists, here;  // here: a block is placed on SM a
    assign exists = a < 8'(NUM_SMS);
    assign here = place_valid && 8'(place_sm) == a;

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

    // Blocks that SM a holds, at the beginning of the cycle, and without one that ends in it.
    logic [CountBits:0] holds, stay;
    assign stay = holds - (CountBits + 1)'(in(ended, a) && holds != 0);
    always_ff @(posedge clk) holds <= rst ? '0 : stay + (CountBits + 1)'(here);

    // The SM that was served before; the last one when a kernel begins.
    logic [7:0] before;
    always_ff @(posedge clk) begin
        if (rst) before <= 8'd0;
        else if (begins) before <= 8'(NUM_SMS - 1);
        else if (place_valid) before <= 8'(place_sm);
    end
    function automatic logic [7:0] steps(input logic [7:0] sm);  // from the SM served before, 0 the next one
        steps = sm > before ? sm - before - 8'd1 : sm + 8'(NUM_SMS) - before - 8'd1;
    endfunction

    // bcs: a pair is begun where two blocks are left and two can be together at all; its second half is open until placed.
    logic half, two;
    assign two = !half && policy == Bcs && todo > 1 && limit > 1;
    always_ff @(posedge clk) begin
        if (rst || stop) half <= 1'b0;
        else if (place_valid) half <= two;
    end

    // SM a can take what is to be placed next.
    logic fits;
    assign fits = exists && in(allow, a) && 8'(stay) + 8'(two) < 8'(limit) && (!half || before == a);

    // The rule holds in this cycle; what R4 and R10 say of the registers.
    logic rule, truth, kept;
    always_comb if (started) assert (rule && (!WITH || (truth && kept)));

    // R1: Every block is issued exactly once: those of the kernel in order, from the first on, and none when none is left.
    if (RULE == 1) assign rule = !place_valid || (runs && todo != 0 && place_block == number);

    // R2: No block is lost: a kernel is over only when all its blocks were issued, or it was given up, and no SM holds one.
    if (RULE == 2) assign rule = !done || (runs && todo == 0 && (!exists || stay == 0));

    // R3: Nothing is placed on an SM that is not allowed, has no room under the limit of this cycle, or does not exist.
    if (RULE == 3) begin : g_r3
        assign rule = !(place_valid && 32'(place_sm) >= NUM_SMS)
                      && (!(here && exists) || (in(allow, a) && 8'(stay) < 8'(limit)));
    end

    // R4: The count of an SM's blocks is the truth at all times: placed and not ended. An end where nothing runs is ignored,
    // an end and a placement in one cycle both count, and the count neither overflows nor goes below zero.
    always_comb begin
        truth = 1'b1;
        for (int i = 0; i < NUM_SMS; i++) begin
            if (32'(a) == i) truth = {1'b0, state_resident[i*CountBits+:CountBits]} == holds;
        end
    end
    if (RULE == 4) assign rule = truth;

    // R5: Round robin: who receives a block is the next SM, after the one served before, that can take what is to be placed.
    if (RULE == 5) assign rule = !(place_valid && fits && !half) || steps(8'(place_sm)) <= steps(a);

    // R6: No cycle is lost: while blocks are left and an SM can take what is to be placed, something is placed.
    if (RULE == 6) assign rule = !(runs && todo != 0 && !stop && fits) || place_valid;

    // R7: bcs waits for two free contexts: the first of two blocks goes only to an SM that has room for both.
    if (RULE == 7) assign rule = !(here && exists && two) || 8'(stay) + 8'd2 <= 8'(limit);

    // R8: Pairs stay together: the second block of a pair goes to the SM of the first.
    if (RULE == 8) assign rule = !(place_valid && half) || 8'(place_sm) == before;

    // R9: Pairs do not wait: while limit and allowance stay, the second block follows in the next cycle, unless given up.
    if (RULE == 9) begin : g_r9
        logic fresh;  // the first block was placed in the cycle before
        logic [CountBits-1:0] was_limit;
        always_ff @(posedge clk) begin
            fresh <= !rst && place_valid && two;
            was_limit <= limit;
        end
        assign rule = !(half && fresh && limit == was_limit && in(allow, before) && !stop) || place_valid;
    end

    // R10: A start is refused while a kernel runs, and a kernel that is given up places nothing more: what is left to place,
    // its number, the open half of a pair and the SM served before change by nothing else than placements, the start of a
    // kernel when none runs, a stop, and the end of the kernel.
    assign kept = state_left == todo && state_next == number && (state_state != Idle) == runs
                  && (state_state == Second) == half && (state_state == Drain) == (runs && todo == 0)
                  && (!runs || 8'(state_last) == before);
    if (RULE == 10) assign rule = kept;

    // R11: No deadlock: where all SMs may receive and blocks end, a block is placed within as many cycles as an SM can hold
    // blocks, under every limit but 0 and both policies.
    if (RULE == 11) begin : g_r11
        logic [CountBits:0] waited;
        logic waits;
        assign waits = runs && todo != 0 && &allow && &ended && limit != 0 && !stop && !place_valid;
        always_ff @(posedge clk) waited <= rst || !waits ? '0 : waited + 1'b1;
        assign rule = !waits || waited < (CountBits + 1)'((1 << CountBits) - 1);
    end

    // R12: A kernel ends: when nothing is left to place and SM a, the last that holds a block, ends it, the kernel is over.
    if (RULE == 12) begin : g_r12
        logic others;
        always_comb begin
            others = 1'b0;
            for (int i = 0; i < NUM_SMS; i++) begin
                if (32'(a) != i && state_resident[i*CountBits+:CountBits] != 0) others = 1'b1;
            end
        end
        assign rule = !(runs && todo == 0 && exists && stay == 0 && !others) || done;
    end

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
