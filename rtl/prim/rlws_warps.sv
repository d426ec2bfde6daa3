// SPDX-License-Identifier: Apache-2.0
// rlws_warps: those attributes of table II of RLWS that are of one scheduler's warps: is there any, or how many are there? Without a
// register.
`default_nettype none

module rlws_warps #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1)
) (
    input  logic [NUM_WARPS-1:0]    occupied,     // levels, a bit for each warp: as in rlws_state
    input  logic [NUM_WARPS-1:0]    running,
    input  logic [NUM_WARPS-1:0]    buffered,
    input  logic [NUM_WARPS-1:0]    clear,
    input  logic [NUM_WARPS-1:0]    split,
    input  logic [NUM_WARPS-1:0]    next_sp,
    input  logic [NUM_WARPS-1:0]    next_sfu,
    input  logic [NUM_WARPS-1:0]    next_gmem,
    input  logic [NUM_WARPS-1:0]    next_stcmem,
    input  logic [NUM_WARPS-1:0]    long_load,    // the next instruction is a load that has missed
    input  logic [NUM_WARPS-1:0]    recent_block, // the warp is of the block that has issued the last memory instruction
    input  logic                    takes_sp,     // the pipeline takes an instruction
    input  logic                    takes_sfu,
    input  logic                    takes_mem,
    output logic [4:0]              any,          // RLMI to RSPI, attributes 3 to 7
    output logic [18*CountBits-1:0] count         // NIW to STBRMI, attributes 9 to 26; 0 for NAIPMI
);
    logic [NUM_WARPS-1:0] able, unhindered, go_sp, go_sfu, go_gmem, go_stcmem;  // with an instruction; that waits for no register; by pipeline
    logic [NUM_WARPS-1:0] sp, sfu, gmem, stcmem, mem;  // ready
    logic [NUM_WARPS-1:0] no_sp, no_sfu, no_mem;  // stalled
    assign able = running & buffered;
    assign unhindered = able & clear;
    assign go_sp = unhindered & next_sp;
    assign go_sfu = unhindered & next_sfu;
    assign go_gmem = unhindered & next_gmem;
    assign go_stcmem = unhindered & next_stcmem;
    assign sp = takes_sp ? go_sp : '0;
    assign sfu = takes_sfu ? go_sfu : '0;
    assign gmem = takes_mem ? go_gmem : '0;
    assign stcmem = takes_mem ? go_stcmem : '0;
    assign mem = gmem | stcmem;
    assign no_sp = takes_sp ? '0 : go_sp;
    assign no_sfu = takes_sfu ? '0 : go_sfu;
    assign no_mem = takes_mem ? '0 : go_gmem | go_stcmem;

    assign any = {sp != '0, sfu != '0, stcmem != '0, gmem != '0, (mem & long_load) != '0};

    logic [18*NUM_WARPS-1:0] members;  // the highest attribute first
    assign members = {
        mem & recent_block, sp | sfu, running, sp | sfu | mem, {NUM_WARPS{1'b0}},
        no_sp, no_sfu, no_mem, no_sp | no_sfu | no_mem, able & ~clear,
        sfu, stcmem, gmem, sp, able & (next_gmem | next_stcmem), able & next_sfu, split, occupied & ~buffered
    };
    always_comb begin
        for (int a = 0; a < 18; a++) count[a*CountBits+:CountBits] = CountBits'($countones(members[a*NUM_WARPS+:NUM_WARPS]));
    end
endmodule

`default_nettype wire
