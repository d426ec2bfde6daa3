// SPDX-License-Identifier: Apache-2.0
// kmu_props: the rules of the kernel management unit, restated without looking at how the RTL does it.
// Passive: it watches the unit's ports and, for the rules about STATE, its registers. tests/formal/run.sh builds the
// proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// What the rules call "to be placed", "holds", "served before" is kept here, from the ports alone. Each rule is stated for both kernels
// and all SMs at once, as vectors (wia_props.sv says why): element k * NUM_SMS + s is kernel k's on SM s. Inputs are free: quotas, SMs
// and room may change at any time, and a kernel may be started or given up in any cycle.
`default_nettype none

module kmu_props #(
    parameter int unsigned NUM_SMS = 0,
    parameter int unsigned SM_BLOCKS = 0,
    parameter int unsigned BLOCK_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove rules 4 and 9 along with the rule: together they are inductive
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned CountBits = $clog2(SM_BLOCKS + 1)
) (
    input logic                           clk,
    input logic                           rst,
    input logic                           started,  // the first cycle, a reset, is over
    input logic [1:0]                     start,
    input logic [2*BLOCK_BITS-1:0]        first,
    input logic [2*BLOCK_BITS-1:0]        blocks,
    input logic [1:0]                     stop,
    input logic [2*CountBits-1:0]         quota,
    input logic [2*NUM_SMS-1:0]           may_use,
    input logic [2*NUM_SMS-1:0]           room,
    input logic [2*NUM_SMS-1:0]           ended,
    input logic                           place_valid,
    input logic                           place_kernel,
    input logic [SmBits-1:0]              place_sm,
    input logic [BLOCK_BITS-1:0]          place_block,
    input logic [1:0]                     done,
    input logic [1:0]                     state_state_0,
    input logic [1:0]                     state_state_1,
    input logic [2*BLOCK_BITS-1:0]        state_next,
    input logic [2*BLOCK_BITS-1:0]        state_left,
    input logic [2*SmBits-1:0]            state_last,
    input logic [2*NUM_SMS*CountBits-1:0] state_resident,
    input logic                           state_turn
);
    localparam logic [1:0] Idle = 2'd0, Search = 2'd1, Drain = 2'd2;
    localparam int unsigned Bits = CountBits + 1;
    localparam logic [Bits-1:0] Most = Bits'(SM_BLOCKS);

    logic [3:0] states;
    assign states = {state_state_1, state_state_0};

    // Of each kernel: it runs from its start until it is over; blocks to be placed; number of the next one; it has blocks to hand out;
    // the SM that was served before, the last one when the kernel begins.
    logic [1:0] runs, begins, places, hands_out;
    logic [2*BLOCK_BITS-1:0] todo, number;
    logic [2*SmBits-1:0] served;
    for (genvar k = 0; k < 2; k++) begin : g_kernel
        logic [BLOCK_BITS-1:0] mine, next;
        logic [SmBits-1:0] sm;
        logic going;
        assign begins[k] = !going && start[k] && blocks[k*BLOCK_BITS+:BLOCK_BITS] != 0;
        assign places[k] = place_valid && place_kernel == 1'(k);
        assign hands_out[k] = going && mine != 0 && !stop[k];
        always_ff @(posedge clk) begin
            if (rst) begin
                going <= 1'b0;
                mine <= '0;
                next <= '0;
                sm <= '0;
            end else begin
                if (begins[k]) going <= 1'b1;
                else if (done[k]) going <= 1'b0;
                if (begins[k]) mine <= blocks[k*BLOCK_BITS+:BLOCK_BITS];
                else if (going && stop[k]) mine <= '0;
                else if (places[k]) mine <= mine - 1'b1;
                if (begins[k]) next <= first[k*BLOCK_BITS+:BLOCK_BITS];
                else if (places[k]) next <= next + 1'b1;
                if (begins[k]) sm <= SmBits'(NUM_SMS - 1);
                else if (places[k]) sm <= place_sm;
            end
        end
        assign runs[k] = going;
        assign todo[k*BLOCK_BITS+:BLOCK_BITS] = mine;
        assign number[k*BLOCK_BITS+:BLOCK_BITS] = next;
        assign served[k*SmBits+:SmBits] = sm;
    end

    // The kernel that was placed before.
    logic latest;
    always_ff @(posedge clk) begin
        if (rst) latest <= 1'b1;
        else if (place_valid) latest <= place_kernel;
    end

    // Blocks of each kernel that each SM holds, at the beginning of the cycle, and without one that ends in it. Does it hold none then,
    // may it hold one more? Who is placed now, one-hot.
    logic [2*NUM_SMS*Bits-1:0] holds;
    logic [2*NUM_SMS-1:0] empty, context_left, quota_left, here, fits, passed_over;
    for (genvar k = 0; k < 2; k++) begin : g_holds
        logic [SmBits-1:0] before;
        assign before = served[k*SmBits+:SmBits];
        for (genvar s = 0; s < NUM_SMS; s++) begin : g_sm
            localparam int unsigned At = k * NUM_SMS + s;
            logic [Bits-1:0] mine, stay;
            assign here[At] = places[k] && place_sm == SmBits'(s);
            assign stay = mine - Bits'(ended[At] && mine != 0);
            always_ff @(posedge clk) mine <= rst ? '0 : stay + Bits'(here[At]);
            assign holds[At*Bits+:Bits] = mine;
            assign empty[At] = stay == 0;
            assign context_left[At] = stay < Most;
            assign quota_left[At] = stay < {1'b0, quota[k*CountBits+:CountBits]};
            // Where the kernel can go; who of those stands, going up and around, between the SM served before and the one served now.
            assign fits[At] = hands_out[k] && may_use[At] && room[At] && context_left[At] && (quota_left[At] || !hands_out[1-k]);
            assign passed_over[At] = fits[At] && places[k] && (place_sm > before ? SmBits'(s) > before && SmBits'(s) < place_sm
                                                                                 : SmBits'(s) > before || SmBits'(s) < place_sm);
        end
    end
    logic [1:0] can, over;
    assign can = {|fits[NUM_SMS+:NUM_SMS], |fits[0+:NUM_SMS]};
    assign over = {&empty[NUM_SMS+:NUM_SMS], &empty[0+:NUM_SMS]};

    // The rule holds in this cycle. What R4 and R9 say of the registers, in the cycles after the first.
    logic rule, truth, kept;
    logic [2*NUM_SMS-1:0] lies;
    always_comb if (started) assert (rule && (!WITH || (truth && kept)));

    // R1: Every block is issued exactly once: those of each kernel in order, from its first on, and none when none of it is left.
    if (RULE == 1) begin : g_r1
        logic [1:0] strange;
        for (genvar k = 0; k < 2; k++) begin : g_kernel
            assign strange[k] = places[k] && !(runs[k] && todo[k*BLOCK_BITS+:BLOCK_BITS] != 0
                                               && place_block == number[k*BLOCK_BITS+:BLOCK_BITS]);
        end
        assign rule = strange == 0;
    end

    // R2: No block is lost: a kernel is over only when all its blocks were issued, or it was given up, and no SM holds one.
    logic [1:0] missing;
    assign missing = {todo[BLOCK_BITS+:BLOCK_BITS] != 0, todo[0+:BLOCK_BITS] != 0};
    if (RULE == 2) assign rule = (done & ~(runs & ~missing & over)) == 0;

    // R3: Nothing is placed on an SM that the kernel may not use, that has no room for it in this cycle, or that does not exist.
    if (RULE == 3) assign rule = place_valid == (here != 0) && (here & ~(may_use & room)) == 0;

    // R4: The count of a kernel's blocks on an SM is the truth at all times, placed and not ended, and no more than an SM can hold. An end
    // where none is resident is ignored; an end and a placement in one cycle both count.
    for (genvar i = 0; i < 2 * NUM_SMS; i++) begin : g_count
        assign lies[i] = started && ({1'b0, state_resident[i*CountBits+:CountBits]} != holds[i*Bits+:Bits] || holds[i*Bits+:Bits] > Most);
    end
    assign truth = lies == 0;
    if (RULE == 4) assign rule = truth;

    // R5: Quotas hold: while the other kernel has blocks to hand out, none is placed on an SM that holds as many of this kernel as its quota
    // says; and never one where the SM can hold no more.
    if (RULE == 5) begin : g_r5
        logic [2*NUM_SMS-1:0] beyond;
        assign beyond = {~quota_left[NUM_SMS+:NUM_SMS] & {NUM_SMS{hands_out[0]}}, ~quota_left[0+:NUM_SMS] & {NUM_SMS{hands_out[1]}}};
        assign rule = (here & (beyond | ~context_left)) == 0;
    end

    // R6: Round robin: a block goes to the next SM that its kernel can go to, after the one that received the kernel's block before.
    if (RULE == 6) assign rule = passed_over == 0;

    // R7: No cycle is lost: a kernel that can go somewhere is placed if the other cannot, and one of them is if both can. What a kernel without
    // blocks to hand out may hold is lent in that cycle.
    if (RULE == 7) assign rule = !(can[0] || can[1]) || (place_valid && can[place_kernel]);

    // R8: Strict alternation: where both kernels can go somewhere, the one is placed that was not placed before.
    if (RULE == 8) assign rule = !(can[0] && can[1]) || (place_valid && place_kernel != latest);

    // R9: Kernels do not meddle with each other, a start is refused while the kernel runs, and one that is given up places nothing more:
    // placed and left are together its blocks. A kernel's registers change by nothing else than its own placements, its start when it does
    // not run, its stop, and its end.
    logic [8:0] moved;
    for (genvar k = 0; k < 2; k++) begin : g_kept
        assign moved[4*k+0] = started && state_left[k*BLOCK_BITS+:BLOCK_BITS] != todo[k*BLOCK_BITS+:BLOCK_BITS];
        assign moved[4*k+1] = started && state_next[k*BLOCK_BITS+:BLOCK_BITS] != number[k*BLOCK_BITS+:BLOCK_BITS];
        assign moved[4*k+2] = started && state_last[k*SmBits+:SmBits] != served[k*SmBits+:SmBits];
        assign moved[4*k+3] = started && states[2*k+:2] != (!runs[k] ? Idle : missing[k] ? Search : Drain);
    end
    assign moved[8] = started && state_turn == latest;
    assign kept = moved == 0;
    if (RULE == 9) assign rule = kept;

    // R10: A kernel ends: when nothing of it is left to place and the last SM that holds a block of it ends that, it is over.
    if (RULE == 10) assign rule = (runs & ~missing & over & ~done) == 0;

    // R11: Neither kernel starves: one that can go somewhere in two cycles in a row is placed in one of them.
    if (RULE == 11) begin : g_r11
        logic [1:0] waited;
        always_ff @(posedge clk) waited <= rst ? 2'b0 : can & ~places;
        assign rule = (waited & can & ~places) == 0;
    end

    // R12: With one kernel alone the unit is `dispatch` under lrr, whose limit is what an SM can hold and whose `allow` are the SMs that may be
    // used and have room: the same outputs in every cycle, whatever the quotas.
    if (RULE == 12) begin : g_r12
        logic by_kmu_valid, by_kmu_kernel, by_dispatch_valid, by_dispatch_done;
        logic [1:0] by_kmu_done;
        logic [SmBits-1:0] by_kmu_sm, by_dispatch_sm;
        logic [BLOCK_BITS-1:0] by_kmu_block, by_dispatch_block;
        kmu #(
            .NUM_SMS(NUM_SMS),
            .SM_BLOCKS(SM_BLOCKS),
            .BLOCK_BITS(BLOCK_BITS)
        ) alone (
            .clk(clk),
            .rst(rst),
            .start({1'b0, start[0]}),
            .first(first),
            .blocks(blocks),
            .stop(stop),
            .quota(quota),
            .may_use(may_use),
            .room(room),
            .ended(ended),
            .place_valid(by_kmu_valid),
            .place_kernel(by_kmu_kernel),
            .place_sm(by_kmu_sm),
            .place_block(by_kmu_block),
            .done(by_kmu_done)
        );
        dispatch #(
            .NUM_SMS(NUM_SMS),
            .SM_BLOCKS(SM_BLOCKS),
            .BLOCK_BITS(BLOCK_BITS)
        ) lrr (
            .clk(clk),
            .rst(rst),
            .policy(1'b0),
            .start(start[0]),
            .first(first[0+:BLOCK_BITS]),
            .blocks(blocks[0+:BLOCK_BITS]),
            .stop(stop[0]),
            .limit(CountBits'(SM_BLOCKS)),
            .allow(may_use[0+:NUM_SMS] & room[0+:NUM_SMS]),
            .ended(ended[0+:NUM_SMS]),
            .place_valid(by_dispatch_valid),
            .place_sm(by_dispatch_sm),
            .place_block(by_dispatch_block),
            .done(by_dispatch_done)
        );
        assign rule = !started || (by_kmu_valid == by_dispatch_valid && !by_kmu_kernel && by_kmu_sm == by_dispatch_sm
                                   && by_kmu_block == by_dispatch_block && by_kmu_done == {1'b0, by_dispatch_done});
    end

    // R13: The state machine of each kernel takes only the edges of fsm/kmu.def.
    if (RULE == 13) begin : g_r13
        logic [3:0] from;
        logic known;
        logic [1:0] legal;
        always_ff @(posedge clk) begin
            from <= states;
            known <= started && !rst;
        end
        for (genvar k = 0; k < 2; k++) begin : g_kernel
            assign legal[k] = from[2*k+:2] == states[2*k+:2] || (from[2*k+:2] == Idle && states[2*k+:2] == Search)
                              || (from[2*k+:2] == Search && states[2*k+:2] == Drain) || (from[2*k+:2] == Drain && states[2*k+:2] == Idle);
        end
        assign rule = !known || legal == 2'b11;
    end

    // R14: After a reset no kernel runs, no SM holds a block, and it is kernel 0's turn.
    if (RULE == 14) begin : g_r14
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        assign rule = !was_reset || (states == {Idle, Idle} && state_next == 0 && state_left == 0 && state_last == 0
                                     && state_resident == 0 && !state_turn);
    end

    // R15: Outputs that say nothing are quiet: without a placement place_kernel and place_sm are 0.
    if (RULE == 15) assign rule = place_valid || (!place_kernel && place_sm == 0);
endmodule

`default_nettype wire
