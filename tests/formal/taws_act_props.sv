// SPDX-License-Identifier: Apache-2.0
// taws_act_props: the rules of the unit that chooses the thread block under TAWS, restated warp by warp and pair by pair. tests/formal/run.sh
// builds the proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
//
// Rules 2, 9 and 11 need `ahead` to be an order: never three blocks in a circle. That is assumed there; taws proves it of the pairs that it
// keeps. All others hold for any pairs.
`default_nettype none

module taws_act_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned SM_BLOCKS = 0,
    parameter int unsigned RULE = 0,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned BlockBits = $clog2(SM_BLOCKS),
    localparam int unsigned Pairs = SM_BLOCKS * (SM_BLOCKS - 1) / 2
) (
    input logic                           clk,
    input logic                           rst,
    input logic                           started,  // the first cycle, a reset, is over
    input logic                           greedy,
    input logic [NUM_WARPS-1:0]           ready_sp,
    input logic [NUM_WARPS-1:0]           ready_sfu,
    input logic [NUM_WARPS-1:0]           ready_gmem,
    input logic [NUM_WARPS-1:0]           ready_stcmem,
    input logic [NUM_WARPS-1:0]           load,
    input logic [NUM_WARPS-1:0]           allow,
    input logic [NUM_WARPS-1:0]           allow_load,
    input logic [3:0]                     allow_class,
    input logic [NUM_WARPS*BlockBits-1:0] block,
    input logic [Pairs-1:0]               ahead,
    input logic [SM_BLOCKS-1:0]           held_valid,
    input logic [SM_BLOCKS*WarpBits-1:0]  held,
    input logic [NUM_WARPS-1:0]           may
);
    // Which warps can issue, and which of them are remembered by their block? Which blocks do they make wait?
    logic [NUM_WARPS-1:0] able, favoured;
    logic [SM_BLOCKS-1:0] waiting;
    logic [3:0] classes;
    logic [BlockBits-1:0] of;
    always_comb begin
        able = '0;
        favoured = '0;
        waiting = '0;
        for (int w = 0; w < NUM_WARPS; w++) begin
            classes = {ready_stcmem[w], ready_gmem[w] && !(load[w] && !allow_load[w]), ready_sfu[w], ready_sp[w]} & allow_class;
            of = block[w*BlockBits+:BlockBits];
            for (int b = 0; b < SM_BLOCKS; b++) begin
                if (32'(of) == b && allow[w] && classes != '0) begin
                    able[w] = 1'b1;
                    waiting[b] = 1'b1;
                    if (held_valid[b] && 32'(held[b*WarpBits+:WarpBits]) == w) favoured[w] = 1'b1;
                end
            end
        end
    end

    logic [SM_BLOCKS-1:0] sooner[SM_BLOCKS];  // sooner[b]: blocks ahead of b
    for (genvar i = 0; i < SM_BLOCKS; i++) begin : g_i
        assign sooner[i][i] = 1'b0;
        for (genvar j = i + 1; j < SM_BLOCKS; j++) begin : g_j
            assign sooner[j][i] = ahead[i*(2*SM_BLOCKS-1-i)/2+j-i-1];
            assign sooner[i][j] = !ahead[i*(2*SM_BLOCKS-1-i)/2+j-i-1];
        end
    end
    logic [SM_BLOCKS-1:0] served, outdone;  // blocks with a warp that may issue; behind another with one that can
    logic [NUM_WARPS-1:0] behind, beside;   // warps of an outdone block; of a served one
    always_comb begin
        served = '0;
        behind = '0;
        beside = '0;
        for (int b = 0; b < SM_BLOCKS; b++) begin
            outdone[b] = (sooner[b] & waiting) != '0;
            for (int w = 0; w < NUM_WARPS; w++) if (32'(block[w*BlockBits+:BlockBits]) == b && may[w]) served[b] = 1'b1;
            for (int w = 0; w < NUM_WARPS; w++) begin
                if (32'(block[w*BlockBits+:BlockBits]) == b) begin
                    behind[w] = outdone[b];
                    beside[w] = served[b];
                end
            end
        end
    end

    // With global greed a warp that is remembered goes on; of several the one of the lowest context.
    logic goes_on;
    logic [NUM_WARPS-1:0] first;  // that one
    assign goes_on = greedy && favoured != '0;
    always_comb begin
        first = '0;
        for (int b = 0; b < SM_BLOCKS; b++) begin
            for (int w = 0; w < NUM_WARPS; w++) begin
                if (first == '0 && favoured[w] && 32'(block[w*BlockBits+:BlockBits]) == b) first[w] = 1'b1;
            end
        end
    end

    // Is `ahead` an order?
    logic [SM_BLOCKS*SM_BLOCKS-1:0] circle;
    circles #(
        .NUM_WARPS(SM_BLOCKS)
    ) of_three (
        .started(started),
        .order(ahead),
        .circle(circle)
    );
    if (RULE == 2 || RULE == 9 || RULE == 11) begin : g_order
        always_comb assume (circle == 0);
    end

    // R1: Who may issue can issue: ready for a class that is not withheld, neither warp nor load withheld, and of a context that there is.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert ((may & ~able) == '0);
    end

    // R2: Where a warp can issue and blocks are in an order, a warp may.
    if (RULE == 2) begin : g_r2
        always_comb if (started && able != '0) assert (may != '0);
    end

    // R3: All that may issue are of one block.
    if (RULE == 3) begin : g_r3
        always_comb if (started) assert ((served & (served - 1'b1)) == '0);
    end

    // R4: No warp of a better block that can issue is passed over: no block with one is ahead of the block of a warp that may, unless with
    // global greed a warp goes on. So where no block goes before all others, nobody may.
    if (RULE == 4) begin : g_r4
        always_comb if (started && !goes_on) assert ((may & behind) == '0);
    end

    // R5: Where the block that may issue remembers a warp that can, that warp alone may.
    if (RULE == 5) begin : g_r5
        always_comb if (started && (beside & favoured) != '0) assert (may == (beside & favoured));
    end

    // R6: Where it does not, all its warps that can issue may.
    if (RULE == 6) begin : g_r6
        always_comb if (started && (beside & favoured) == '0) assert ((beside & able & ~may) == '0);
    end

    // R7: With global greed a remembered warp that can issue goes on, whatever its block; of several the one of the lowest context.
    if (RULE == 7) begin : g_r7
        always_comb if (started && goes_on) assert (may == first);
    end

    // R8: Where one block with a warp that can issue goes before all others of them, a warp may, whatever the other pairs say.
    if (RULE == 8) begin : g_r8
        always_comb if (started && (able & ~behind) != '0) assert (may != '0);
    end

    // wia behind it, under gto, whatever has been granted and allocated before.
    if (RULE == 9 || RULE == 10) begin : g_wia
        logic grant_valid, alloc;
        logic [WarpBits-1:0] grant, alloc_warp;
        logic [NUM_WARPS-1:0] granted;
        assign alloc = $anyseq;
        assign alloc_warp = $anyseq;
        wia #(
            .NUM_WARPS(NUM_WARPS),
            .TL_GROUP(1)
        ) arbiter (
            .clk(clk),
            .rst(rst),
            .policy(3'd1),
            .ready_sp(ready_sp),
            .ready_sfu(ready_sfu),
            .ready_gmem(ready_gmem),
            .ready_stcmem(ready_stcmem),
            .load(load),
            .long_wait('0),
            .allow(allow & may),
            .allow_load(allow_load),
            .allow_class(allow_class),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .grant_valid(grant_valid),
            .grant(grant),
            .turn_passes(),
            .order()
        );
        always_comb begin
            for (int w = 0; w < NUM_WARPS; w++) granted[w] = grant_valid && 32'(grant) == w;
        end

        // R9: With wia behind it a warp is granted whenever one can issue, where blocks are in an order; and none otherwise.
        if (RULE == 9) begin : g_r9
            always_comb if (started) assert (grant_valid == (able != '0));
        end

        // R10: And it is the warp that goes on, or one of the best block.
        if (RULE == 10) begin : g_r10
            always_comb begin
                if (started && grant_valid) assert (granted != '0 && (granted & ~(goes_on ? first : able & ~behind)) == '0);
            end
        end
    end

    // R11: A knock-out by pairs finds the same block as all pairs at once, where blocks are in an order.
    if (RULE == 11) begin : g_r11
        logic [SM_BLOCKS-1:0] at_once, by_knock_out;
        foremost #(.NUM(SM_BLOCKS)) pairs (.candidates(waiting), .order(ahead), .chosen(at_once));
        foremost_tree #(.NUM(SM_BLOCKS)) tree (.candidates(waiting), .order(ahead), .chosen(by_knock_out));
        always_comb if (started) assert (at_once == by_knock_out);
    end
endmodule

`default_nettype wire
