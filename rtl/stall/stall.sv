// SPDX-License-Identifier: Apache-2.0
// stall: where the cycles of a scheduler's warps go (thesis 6.3, 6.3.1). In each cycle each resident warp is in exactly one of eleven classes,
// the first that applies: a priority encoder per warp. What a class has is added to its count: a popcount and an accumulator per class. The order
// of what happens in one cycle stands in cmodel/stall/stall.h.
`default_nettype none

module stall #(
    parameter int unsigned NUM_WARPS = 0,         // of one scheduler
    parameter int unsigned STALL_COUNT_BITS = 0,  // of a count; must be able to say NUM_WARPS
    localparam int unsigned Classes = 11
) (
    input  logic                                clk,
    input  logic                                rst,              // synchronous
    // from software
    input  logic                                start,            // a kernel starts: counts begin anew
    input  logic                                overlap,          // who waits for a register and a pipeline waits for: 0 the pipeline, 1 the register
    // from the warps, a bit each
    input  logic [NUM_WARPS-1:0]                resident,         // a warp has the slot
    input  logic [NUM_WARPS-1:0]                issued,           // it issues in this cycle
    input  logic [NUM_WARPS-1:0]                at_barrier,       // it waits at a barrier
    input  logic [NUM_WARPS-1:0]                done,             // it has ended, its block has not
    // from fetch
    input  logic [NUM_WARPS-1:0]                buffered,         // an instruction is in its buffer
    input  logic [NUM_WARPS-1:0]                jumping,          // it waits for a branch target
    // from the scoreboard
    input  logic [NUM_WARPS-1:0]                clear,            // its next instruction meets no pending register
    input  logic [NUM_WARPS-1:0]                blocked_by_load,  // if it meets one: one that comes from global or local memory
    // from the issue stage
    input  logic [2*NUM_WARPS-1:0]              pipe,             // where its next instruction issues to: SP, SFU, MEM, MEM
    input  logic [2:0]                          takes,            // of SP, SFU, MEM: takes an instruction in this cycle
    // to who counts per warp
    output logic [Classes*NUM_WARPS-1:0]        members,          // of each class, its warps
    // to who reads the counts
    output logic [Classes-1:0]                  wraps,            // the count passes its largest value at this clock edge
    output logic [Classes*STALL_COUNT_BITS-1:0] count             // of each class
);
    localparam int unsigned OnesBits = $clog2(NUM_WARPS + 1);
    localparam int unsigned Issued = 0, Ibuf = 1, Barrier = 2, Done = 3, Control = 4, StructSp = 5, StructSfu = 6, StructMem = 7, DataMem = 8,
                            DataExe = 9, NotSelected = 10;

    // Of each warp the classes that apply to it, and the first of them. The last always does.
    for (genvar w = 0; w < NUM_WARPS; w++) begin : g_warp
        logic [Classes-1:0] applies, first;
        logic may_be_refused, left;
        assign may_be_refused = clear[w] || !overlap;
        assign applies[Issued] = issued[w];
        assign applies[Ibuf] = !(buffered[w] || jumping[w] || at_barrier[w] || done[w]);
        assign applies[Barrier] = at_barrier[w];
        assign applies[Done] = done[w];
        assign applies[Control] = !buffered[w];
        assign applies[StructSp] = may_be_refused && !takes[0] && pipe[2*w+:2] == 2'd0;
        assign applies[StructSfu] = may_be_refused && !takes[1] && pipe[2*w+:2] == 2'd1;
        assign applies[StructMem] = may_be_refused && !takes[2] && pipe[2*w+1];
        assign applies[DataMem] = !clear[w] && blocked_by_load[w];
        assign applies[DataExe] = !clear[w];
        assign applies[NotSelected] = 1'b1;
        always_comb begin
            left = resident[w];
            for (int c = 0; c < Classes; c++) begin
                first[c] = left && applies[c];
                left = left && !applies[c];
            end
        end
        for (genvar c = 0; c < Classes; c++) begin : g_class
            assign members[c*NUM_WARPS+w] = first[c];
        end
    end

    logic [Classes*STALL_COUNT_BITS-1:0] count_q;
    assign count = count_q;
    for (genvar c = 0; c < Classes; c++) begin : g_count
        logic [OnesBits-1:0] more;
        logic [STALL_COUNT_BITS-1:0] from, count_d;
        ones #(
            .NUM(NUM_WARPS)
        ) warps (
            .of(members[c*NUM_WARPS+:NUM_WARPS]),
            .count(more)
        );
        assign from = start ? '0 : count_q[c*STALL_COUNT_BITS+:STALL_COUNT_BITS];
        assign {wraps[c], count_d} = {1'b0, from} + (STALL_COUNT_BITS + 1)'(more);
        always_ff @(posedge clk) count_q[c*STALL_COUNT_BITS+:STALL_COUNT_BITS] <= rst ? '0 : count_d;
    end
endmodule

`default_nettype wire
