// SPDX-License-Identifier: Apache-2.0
// mask_wia: the arbiter of a throttled scheduler, mask and wia wired as tb/units/mask.c and tb/units/wia.c wire them: mask reads the
// order that wia keeps, and wia grants only who is vital. It is no unit, for it decides nothing; it is here to be proved and
// to be mapped to gates as a whole.
`default_nettype none

module mask_wia #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned TL_GROUP = 0,
    parameter int unsigned STEPS = 0,  // 1: mask_steps in the place of mask
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic                 clk,
    input  logic                 rst,
    // as in mask
    input  logic [CountBits-1:0] n,
    input  logic [CountBits-1:0] p,
    input  logic [NUM_WARPS-1:0] live,
    // as in wia
    input  logic [2:0]           policy,
    input  logic [NUM_WARPS-1:0] ready_sp,
    input  logic [NUM_WARPS-1:0] ready_sfu,
    input  logic [NUM_WARPS-1:0] ready_gmem,
    input  logic [NUM_WARPS-1:0] ready_stcmem,
    input  logic [NUM_WARPS-1:0] load,
    input  logic [NUM_WARPS-1:0] long_wait,
    input  logic [NUM_WARPS-1:0] allow,        // by others than mask
    input  logic [NUM_WARPS-1:0] allow_load,
    input  logic [3:0]           allow_class,
    input  logic                 alloc,
    input  logic [WarpBits-1:0]  alloc_warp,
    output logic                 grant_valid,
    output logic [WarpBits-1:0]  grant,
    output logic                 turn_passes,
    output logic [Pairs-1:0]     order,
    // as in mask
    output logic [NUM_WARPS-1:0] pollute
);
    logic [NUM_WARPS-1:0] vital, may_issue;
    if (STEPS != 0) begin : g_steps
        mask_steps #(
            .NUM_WARPS(NUM_WARPS)
        ) masks (
            .clk(clk),
            .rst(rst),
            .n(n),
            .p(p),
            .live(live),
            .order(order),
            .vital(vital),
            .pollute(pollute)
        );
    end else begin : g_ranks
        mask #(
            .NUM_WARPS(NUM_WARPS)
        ) masks (
            .n(n),
            .p(p),
            .live(live),
            .order(order),
            .vital(vital),
            .pollute(pollute)
        );
    end

    assign may_issue = allow & vital;
    wia #(
        .NUM_WARPS(NUM_WARPS),
        .TL_GROUP(TL_GROUP)
    ) arbiter (
        .clk(clk),
        .rst(rst),
        .policy(policy),
        .ready_sp(ready_sp),
        .ready_sfu(ready_sfu),
        .ready_gmem(ready_gmem),
        .ready_stcmem(ready_stcmem),
        .load(load),
        .long_wait(long_wait | ~may_issue),  // under tl a group must not keep the turn for warps that may not issue
        .allow(may_issue),
        .allow_load(allow_load),
        .allow_class(allow_class),
        .alloc(alloc),
        .alloc_warp(alloc_warp),
        .grant_valid(grant_valid),
        .grant(grant),
        .turn_passes(turn_passes),
        .order(order)
    );
endmodule

`default_nettype wire
