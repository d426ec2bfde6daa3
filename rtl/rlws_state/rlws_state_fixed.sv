// SPDX-License-Identifier: Apache-2.0
// rlws_state_fixed: rlws_state with what software would set wired up, for a designer who knows what the learner is to see: the variables of
// table V of RLWS, or those of table VIII. Synthesis leaves out what
// they do not need. Edges are those of tb/units/rlws_design.h.
`default_nettype none

module rlws_state_fixed #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned LOAD_BITS = 0,
    parameter int unsigned RLWS_COUNT_BITS = 0,
    parameter int unsigned TABLE = 5,  // 8: table VIII
    localparam int unsigned S = NUM_SCHEDULERS,
    localparam int unsigned N = NUM_WARPS,
    localparam int unsigned Slots = S * N,
    localparam int unsigned WarpBits = $clog2(N)
) (  // as in rlws_state
    input  logic                       clk,
    input  logic                       rst,          // synchronous
    // from the block dispatcher
    input  logic                       start,        // a kernel begins; of the cycle's events only those of in_flight and waiting count
    input  logic                       last_block,   // none waits to be handed out after this cycle
    output logic                       waiting,      // blocks wait to be handed out
    // from the warps of all schedulers
    input  logic [Slots-1:0]           occupied,     // the slot has a warp
    input  logic [Slots-1:0]           running,      // which has begun, has not ended and waits at no barrier
    input  logic [Slots-1:0]           at_barrier,   // which waits at one
    input  logic [Slots-1:0]           done,         // which has ended; its block has not
    input  logic [Slots-1:0]           buffered,     // a valid instruction is in its buffer
    input  logic [Slots-1:0]           clear,        // the next instruction waits for no register
    input  logic [Slots-1:0]           split,        // lanes of the warp have left the others
    input  logic [Slots-1:0]           next_sp,      // where the next instruction issues to
    input  logic [Slots-1:0]           next_sfu,
    input  logic [Slots-1:0]           next_gmem,
    input  logic [Slots-1:0]           next_stcmem,
    input  logic [Slots*LOAD_BITS-1:0] next_load,    // number of the load that it is
    input  logic [Slots*6-1:0]         block,        // thread-block context
    input  logic                       block_end,    // a block has ended, or more
    // from the schedulers
    input  logic [S-1:0]               issued,       // an instruction is issued
    input  logic [S*2-1:0]             issue_class,  // to SP, SFU, MEM for global memory, MEM for other memory
    input  logic [S*WarpBits-1:0]      issued_warp,  // of which warp
    input  logic [S-1:0]               fetch,        // the instruction cache is looked up
    input  logic [S-1:0]               fetch_miss,   // and does not have the line
    // from the pipelines
    input  logic [S-1:0]               takes_sp,     // an instruction is taken
    input  logic                       takes_sfu,
    input  logic                       takes_mem,
    input  logic [9:0]                 completed,    // memory instructions that have completed
    // from L1D
    input  logic                       access,       // a load accesses a line
    input  logic                       miss,         // and does not find it
    input  logic [LOAD_BITS-1:0]       missed_load,  // number of that load
    // from the GPU
    input  logic [9:0]                 agml,         // average latency of global memory
    input  logic [6:0]                 l2mp,         // misses of L2 in percent
    input  logic [9:0]                 gnmie,        // memory instructions issued and not completed
    // to the learner
    output logic [S*8*3-1:0]           value,        // bucket of each variable of each scheduler
    output logic                       busy          // a ratio is divided, or will be
);
    localparam logic [9:0] Warps = 10'(N), None = 10'd1023;
    // Of each variable, the last one first: attribute, buckets, range, and whether sizes of buckets shrink.
    localparam logic [8*6-1:0] Attribute = TABLE == 8
        ? {6'd34, 6'd7, 6'd24, 6'd10, 6'd14, 6'd22, 6'd1, 6'd0}
        : {6'd27, 6'd25, 6'd31, 6'd12, 6'd30, 6'd29, 6'd33, 6'd32};
    localparam logic [8*4-1:0] Buckets = TABLE == 8
        ? {4'd1, 4'd2, 4'd2, 4'd4, 4'd8, 4'd8, 4'd2, 4'd2}
        : {4'd4, 4'd4, 4'd4, 4'd4, 4'd2, 4'd8, 4'd8, 4'd2};
    localparam logic [8*10-1:0] Range = TABLE == 8
        ? {10'd1, 10'd1, Warps, Warps, Warps, 10'd24, 10'd1, 10'd1}
        : {10'd40, Warps, 10'd100, Warps, 10'd100, 10'd100, 10'd600, 10'd800};
    localparam logic [7:0] Shrinks = TABLE == 8 ? 8'b0000_0000 : 8'b0000_1100;

    logic [56*10-1:0] edges;
    for (genvar i = 0; i < 8; i++) begin : g_variable
        localparam int unsigned B = 32'(Buckets[i*4+:4]), R = 32'(Range[i*10+:10]), Whole = B * (B + 1);
        for (genvar j = 1; j < 8; j++) begin : g_edge
            localparam int unsigned Left = j < B ? B - j : 0;
            localparam int unsigned Part = Shrinks[i] ? R - R * Left * (Left + 1) / Whole : R * j * (j + 1) / Whole;
            assign edges[(i*7+j-1)*10+:10] = j >= B ? None : Part == 0 ? 10'd1 : 10'(Part);
        end
    end

    rlws_state #(
        .NUM_SCHEDULERS(NUM_SCHEDULERS),
        .NUM_WARPS(NUM_WARPS),
        .LOAD_BITS(LOAD_BITS),
        .RLWS_COUNT_BITS(RLWS_COUNT_BITS),
        .RATIOS(TABLE == 8 ? 4'b1000 : 4'b0110)
    ) unit (
        .clk(clk),
        .rst(rst),
        .attribute(Attribute),
        .edges(edges),
        .start(start),
        .last_block(last_block),
        .waiting(waiting),
        .occupied(occupied),
        .running(running),
        .at_barrier(at_barrier),
        .done(done),
        .buffered(buffered),
        .clear(clear),
        .split(split),
        .next_sp(next_sp),
        .next_sfu(next_sfu),
        .next_gmem(next_gmem),
        .next_stcmem(next_stcmem),
        .next_load(next_load),
        .block(block),
        .block_end(block_end),
        .issued(issued),
        .issue_class(issue_class),
        .issued_warp(issued_warp),
        .fetch(fetch),
        .fetch_miss(fetch_miss),
        .takes_sp(takes_sp),
        .takes_sfu(takes_sfu),
        .takes_mem(takes_mem),
        .completed(completed),
        .access(access),
        .miss(miss),
        .missed_load(missed_load),
        .agml(agml),
        .l2mp(l2mp),
        .gnmie(gnmie),
        .value(value),
        .busy(busy)
    );
endmodule

`default_nettype wire
