// SPDX-License-Identifier: Apache-2.0
// rlws_act: takes the actions of RLWS for one scheduler (IV-A, IV-F, table I): to issue nothing, or to issue to one of four classes. An action
// that issues is possible if a warp can issue to its class; to issue nothing is, but not twice in a row while another action is possible. Which of
// them is taken rlws_pick says. No register: the order of actions is kept in rlws, and wia chooses a warp of the class.
`default_nettype none

module rlws_act #(
    parameter int unsigned NUM_WARPS = 0
) (
    // from the instruction buffer, the scoreboard and the pipelines
    input  logic [NUM_WARPS-1:0] ready_sp,      // next instruction can issue to SP
    input  logic [NUM_WARPS-1:0] ready_sfu,     // next instruction can issue to SFU
    input  logic [NUM_WARPS-1:0] ready_gmem,    // next instruction can issue to MEM, for global memory
    input  logic [NUM_WARPS-1:0] ready_stcmem,  // next instruction can issue to MEM, for shared, texture, constant
    input  logic [NUM_WARPS-1:0] load,          // next instruction is a load from global memory
    // from throttling units
    input  logic [NUM_WARPS-1:0] allow,         // may issue at all
    input  logic [NUM_WARPS-1:0] allow_load,    // may issue loads
    input  logic [3:0]           allow_class,   // may issue: bit 0 SP, 1 SFU, 2 GMEM, 3 STCMEM
    // from rlws
    input  logic [9:0]           beats,         // pair (i, j), i < j, row after row: action i is preferred to j
    input  logic                 drawn,         // the action is drawn
    input  logic [7:0]           draw,          // by this number
    // from rlws: of the last action
    input  logic                 rested,        // it was to issue nothing
    // to rlws
    output logic [2:0]           action,        // see the contract: 0 no_instr, then the classes
    // to wia's allow_class
    output logic [3:0]           only           // classes that may issue by it
);
    logic [3:0] classes;  // to which a warp can issue
    assign classes[0] = allow_class[0] && (allow & ready_sp) != '0;
    assign classes[1] = allow_class[1] && (allow & ready_sfu) != '0;
    assign classes[2] = allow_class[2] && (allow & ready_gmem & (~load | allow_load)) != '0;
    assign classes[3] = allow_class[3] && (allow & ready_stcmem) != '0;

    logic [4:0] possible;
    assign possible = {classes, !rested || classes == '0};
    rlws_pick pick (
        .beats(beats),
        .possible(possible),
        .drawn(drawn),
        .draw(draw),
        .action(action)
    );

    for (genvar c = 0; c < 4; c++) begin : g_only
        assign only[c] = action == 3'(c + 1);
    end
endmodule

`default_nettype wire
