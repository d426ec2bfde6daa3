// SPDX-License-Identifier: Apache-2.0
// rlws_act_props: the rules of the unit that takes the actions of RLWS, restated warp by warp. tests/formal/run.sh builds the proof of one
// rule (parameter RULE) around it; it takes each rule's number and words from the lines `// R<n>: ...`.
`default_nettype none

module rlws_act_props #(
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
    input logic [9:0]           beats,
    input logic                 drawn,
    input logic [7:0]           draw,
    input logic                 rested,
    input logic [2:0]           action,
    input logic [3:0]           only
);
    localparam logic [2:0] NoInstr = 3'd0;

    // To which classes can a warp issue, and can any?
    logic [3:0] can[NUM_WARPS];
    logic [3:0] any;
    always_comb begin
        any = '0;
        for (int w = 0; w < NUM_WARPS; w++) begin
            can[w] = {ready_stcmem[w], ready_gmem[w], ready_sfu[w], ready_sp[w]};
            if (load[w] && !allow_load[w]) can[w][2] = 1'b0;
            can[w] = allow[w] ? can[w] & allow_class : 4'd0;
            any = any | can[w];
        end
    end

    // R1: The action is possible: it issues nothing, or to a class to which a warp can issue.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert (action == NoInstr || (action <= 3'd4 && any[2'(action-3'd1)]));
    end

    // R2: NO_INSTR is not taken twice in a row while another action is possible.
    if (RULE == 2) begin : g_r2
        always_comb if (started && rested && any != '0) assert (action != NoInstr);
    end

    // R3: The classes that may issue are the one of the action, or none with NO_INSTR.
    if (RULE == 3) begin : g_r3
        always_comb if (started) assert ({only, action == NoInstr} == 5'd1 << action);
    end

    // R4: Unless the action is NO_INSTR, a warp is left that can issue.
    if (RULE == 4) begin : g_r4
        always_comb if (started && action != NoInstr) assert ((any & only) != '0);
    end

    logic preferred, lowest, share;
    rlws_choice choice (
        .beats(beats),
        .possible({any, !(rested && any != '0)}),
        .drawn(drawn),
        .draw(draw),
        .action(action),
        .preferred(preferred),
        .lowest(lowest),
        .share(share)
    );

    // R5: Not drawn, the action is the possible one that is preferred to every other possible one, if there is one; where pairs are in an
    // order there always is.
    if (RULE == 5) begin : g_r5
        always_comb if (started) assert (preferred);
    end

    // R6: If there is none, it is the lowest possible one by number.
    if (RULE == 6) begin : g_r6
        always_comb if (started) assert (lowest);
    end

    // R7: Drawn, it is that possible one below which draw / 256 of them stand, rounded down: each is drawn by as many of the 256 numbers
    // as the others, or by one more.
    if (RULE == 7) begin : g_r7
        always_comb if (started) assert (share);
    end

    // wia behind it, under gto, whatever has been granted and allocated before.
    if (RULE >= 8) begin : g_wia
        logic grant_valid, alloc;
        logic [WarpBits-1:0] grant, alloc_warp;
        logic fits;
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
            .allow(allow),
            .allow_load(allow_load),
            .allow_class(allow_class & only),
            .alloc(alloc),
            .alloc_warp(alloc_warp),
            .grant_valid(grant_valid),
            .grant(grant),
            .turn_passes(),
            .order()
        );
        always_comb begin
            fits = 1'b0;
            for (int w = 0; w < NUM_WARPS; w++) if (grant == WarpBits'(w)) fits = (5'(can[w]) << 1 & 5'd1 << action) != '0;
        end

        // R8: With wia behind it a warp is granted unless the action is NO_INSTR, and none with NO_INSTR.
        if (RULE == 8) begin : g_r8
            always_comb if (started) assert (grant_valid == (action != NoInstr));
        end

        // R9: And it can issue to the class of the action.
        if (RULE == 9) begin : g_r9
            always_comb if (started && grant_valid) assert (fits);
        end
    end
endmodule

`default_nettype wire
