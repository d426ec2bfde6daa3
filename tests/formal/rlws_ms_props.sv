// SPDX-License-Identifier: Apache-2.0
// rlws_ms_props: the rules of the unit that takes the meta-actions of RLWS_MS, restated warp by warp. tests/formal/run.sh builds the proof of one
// rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
`default_nettype none

module rlws_ms_props #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned RULE = 0,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS)
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 started,  // the first cycle, a reset, is over
    input logic [NUM_WARPS-1:0] ready_sp,
    input logic [NUM_WARPS-1:0] ready_sfu,
    input logic [NUM_WARPS-1:0] ready_gmem,
    input logic [NUM_WARPS-1:0] ready_stcmem,
    input logic [NUM_WARPS-1:0] load,
    input logic [NUM_WARPS-1:0] allow,
    input logic [NUM_WARPS-1:0] allow_load,
    input logic [3:0]           allow_class,
    input logic [NUM_WARPS-1:0] sibling_waits,
    input logic [NUM_WARPS-1:0] sibling_done,
    input logic [9:0]           beats,
    input logic                 drawn,
    input logic [7:0]           draw,
    input logic [2:0]           action,
    input logic [1:0]           policy,
    input logic [NUM_WARPS-1:0] may
);
    localparam logic [2:0] Gto = 3'd0, Youngest = 3'd1, Lrr = 3'd2, YoungestBarrier = 3'd3, YoungestFinish = 3'd4;
    localparam logic [1:0] PolicyLrr = 2'd0, PolicyGto = 2'd1, PolicyYoungest = 2'd3;

    // Which warps can issue?
    logic [NUM_WARPS-1:0] can;
    logic [3:0] classes[NUM_WARPS];
    always_comb begin
        for (int w = 0; w < NUM_WARPS; w++) begin
            classes[w] = {ready_stcmem[w], ready_gmem[w], ready_sfu[w], ready_sp[w]};
            if (load[w] && !allow_load[w]) classes[w][2] = 1'b0;
            can[w] = allow[w] && (classes[w] & allow_class) != '0;
        end
    end

    // Of those, with siblings at a barrier, or that have finished?
    logic barrier, finish;
    always_comb begin
        barrier = 1'b0;
        finish = 1'b0;
        for (int w = 0; w < NUM_WARPS; w++) begin
            if (can[w] && sibling_waits[w]) barrier = 1'b1;
            if (can[w] && sibling_done[w]) finish = 1'b1;
        end
    end

    // R1: The action is possible: one that looks for siblings is taken only if a warp with such a sibling can issue, or if no warp can.
    if (RULE == 1) begin : g_r1
        always_comb begin
            if (started) begin
                assert (action <= YoungestFinish && (can == '0 || ((action != YoungestBarrier || barrier) && (action != YoungestFinish || finish))));
            end
        end
    end

    // R2: Policy and warps are what the action means: gto, youngest and lrr are of all warps; the two others are youngest, of those with
    // such a sibling.
    if (RULE == 2) begin : g_r2
        always_comb begin
            if (started) begin
                assert ((action != Gto || (policy == PolicyGto && may == '1)) && (action != Lrr || (policy == PolicyLrr && may == '1))
                    && (action != Youngest || (policy == PolicyYoungest && may == '1))
                    && (action != YoungestBarrier || (policy == PolicyYoungest && may == sibling_waits))
                    && (action != YoungestFinish || (policy == PolicyYoungest && may == sibling_done)));
            end
        end
    end

    // R3: No action leaves a cycle unused: if a warp can issue, one is left that may.
    if (RULE == 3) begin : g_r3
        always_comb if (started && can != '0) assert ((can & may) != '0);
    end

    logic preferred, lowest, share;
    rlws_choice choice (
        .beats(beats),
        .possible({finish || can == '0, barrier || can == '0, 3'b111}),
        .drawn(drawn),
        .draw(draw),
        .action(action),
        .preferred(preferred),
        .lowest(lowest),
        .share(share)
    );

    // R4: Not drawn, the action is the possible one that is preferred to every other possible one, if there is one; where pairs are in an
    // order there always is.
    if (RULE == 4) begin : g_r4
        always_comb if (started) assert (preferred);
    end

    // R5: If there is none, it is the lowest possible one by number: gto.
    if (RULE == 5) begin : g_r5
        always_comb if (started) assert (lowest);
    end

    // R6: Drawn, it is that possible one below which draw / 256 of them stand, rounded down: each is drawn by as many of the 256 numbers
    // as the others, or by one more.
    if (RULE == 6) begin : g_r6
        always_comb if (started) assert (share);
    end

    // R7: While all actions are alike and none is drawn, the unit does nothing: the action is gto.
    if (RULE == 7) begin : g_r7
        always_comb if (started && beats == '1 && !drawn) assert (action == Gto && policy == PolicyGto && may == '1);
    end

    // wia behind it, whatever has been granted and allocated before.
    if (RULE >= 8) begin : g_wia
        logic grant_valid, alloc;
        logic [WarpBits-1:0] grant, alloc_warp;
        logic [NUM_WARPS-1:0] fits;
        assign alloc = $anyseq;
        assign alloc_warp = $anyseq;
        wia #(
            .NUM_WARPS(NUM_WARPS),
            .TL_GROUP(1)
        ) arbiter (
            .clk(clk),
            .rst(rst),
            .policy({1'b0, policy}),
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
            for (int w = 0; w < NUM_WARPS; w++) begin
                fits[w] = grant == WarpBits'(w) && can[w] && (action != YoungestBarrier || sibling_waits[w])
                    && (action != YoungestFinish || sibling_done[w]);
            end
        end

        // R8: With wia behind it a warp is granted whenever one can issue.
        if (RULE == 8) begin : g_r8
            always_comb if (started) assert (grant_valid == (can != '0));
        end

        // R9: And it can issue itself, and has a sibling as the action wants it.
        if (RULE == 9) begin : g_r9
            always_comb if (started && grant_valid) assert (fits != '0);
        end
    end
endmodule

`default_nettype wire
