// SPDX-License-Identifier: Apache-2.0
// rlws_ms: takes the meta-actions of RLWS_MS for one scheduler (RLWS V-D, table IX): a policy of wia, and the warps from which it chooses. gto, youngest
// and lrr are always possible; the two that look for warps with siblings at a barrier, or that have finished, if such a warp can issue or no warp can.
// Which of them is taken rlws_pick says. No register: the order of actions is kept in rlws, and that of warps in wia.
`default_nettype none

module rlws_ms #(
    parameter int unsigned NUM_WARPS = 0
) (
    // from the instruction buffer, the scoreboard and the pipelines
    input  logic [NUM_WARPS-1:0] ready_sp,       // next instruction can issue to SP
    input  logic [NUM_WARPS-1:0] ready_sfu,      // next instruction can issue to SFU
    input  logic [NUM_WARPS-1:0] ready_gmem,     // next instruction can issue to MEM, for global memory
    input  logic [NUM_WARPS-1:0] ready_stcmem,   // next instruction can issue to MEM, for shared, texture, constant
    input  logic [NUM_WARPS-1:0] load,           // next instruction is a load from global memory
    // from throttling units
    input  logic [NUM_WARPS-1:0] allow,          // may issue at all
    input  logic [NUM_WARPS-1:0] allow_load,     // may issue loads
    input  logic [3:0]           allow_class,    // may issue: bit 0 SP, 1 SFU, 2 GMEM, 3 STCMEM
    // from the warps' states
    input  logic [NUM_WARPS-1:0] sibling_waits,  // another warp of its block waits at a barrier
    input  logic [NUM_WARPS-1:0] sibling_done,   // another warp of its block has finished
    // from rlws
    input  logic [9:0]           beats,          // pair (i, j), i < j, row after row: action i is preferred to j
    input  logic                 drawn,          // the action is drawn
    input  logic [7:0]           draw,           // by this number
    // to rlws
    output logic [2:0]           action,         // see the constants below
    // to wia
    output logic [1:0]           policy,         // by which it chooses, numbered as there
    // to wia's allow
    output logic [NUM_WARPS-1:0] may             // warps from which it chooses
);
    localparam logic [2:0] Gto = 3'd0, Lrr = 3'd2, YoungestBarrier = 3'd3, YoungestFinish = 3'd4;
    localparam logic [1:0] PolicyLrr = 2'd0, PolicyGto = 2'd1, PolicyYoungest = 2'd3;

    logic [NUM_WARPS-1:0] can;  // issue
    assign can = allow & (({NUM_WARPS{allow_class[0]}} & ready_sp)
                        | ({NUM_WARPS{allow_class[1]}} & ready_sfu)
                        | ({NUM_WARPS{allow_class[2]}} & ready_gmem & (~load | allow_load))
                        | ({NUM_WARPS{allow_class[3]}} & ready_stcmem));

    logic barrier, finish;  // are possible
    logic [4:0] possible;
    assign possible = {finish, barrier, 3'b111};
    assign barrier = can == '0 || (can & sibling_waits) != '0;
    assign finish = can == '0 || (can & sibling_done) != '0;

    rlws_pick pick (
        .beats(beats),
        .possible(possible),
        .drawn(drawn),
        .draw(draw),
        .action(action)
    );

    assign policy = action == Gto ? PolicyGto : action == Lrr ? PolicyLrr : PolicyYoungest;
    assign may = action == YoungestBarrier ? sibling_waits : action == YoungestFinish ? sibling_done : '1;
endmodule

`default_nettype wire
