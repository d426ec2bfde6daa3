// SPDX-License-Identifier: Apache-2.0
// evictor: counts per warp the lines that leave L1D and withholds loads from the warp that loses most, unless no other
// warp runs. The order of what happens in one cycle stands in cmodel/evictor/evictor.h.
`default_nettype none

module evictor #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,  // of one scheduler
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned SlotBits = $clog2(Slots)
) (
    input  logic                clk,
    input  logic                rst,         // synchronous
    // from the block dispatcher
    input  logic                start,       // a kernel begins: all counts are zero
    input  logic [Slots-1:0]    fresh,       // slot gets a new warp: its count is zero
    // from L1D
    input  logic                evict,       // a valid line leaves
    input  logic [SlotBits-1:0] owner,       // warp that had brought it
    // from the schedulers
    input  logic [Slots-1:0]    running,     // warp has not ended and waits at no barrier
    // from software
    input  logic [7:0]          threshold,   // from so many evictions on a warp can be held
    // to the schedulers
    output logic [Slots-1:0]    allow_load   // may issue loads
);
    localparam logic [SlotBits:0] NumSlots = (SlotBits + 1)'(Slots);

    logic held_valid_q;
    logic [SlotBits-1:0] held_q;
    logic [7:0] most_q;
    logic [Slots-1:0] used_q;  // a count that is not used is zero, whatever the memory holds

    // The count of the owner, before and after.
    logic counted;
    logic [7:0] stored, old_count, new_count;
    assign counted = evict && {1'b0, owner} < NumSlots && !fresh[owner];
    assign old_count = used_q[owner] ? stored : 8'd0;
    assign new_count = old_count == 8'd255 ? old_count : old_count + 8'd1;

    memory #(
        .WIDTH(8),
        .DEPTH(Slots)
    ) count (
        .clk(clk),
        .write(counted && !start),
        .write_address(owner),
        .write_data(new_count),
        .read_address(owner),
        .read_data(stored)
    );

    // Who is held.
    logic keeps, takes;  // the held warp is held on; the owner is, or becomes, the held one
    assign keeps = held_valid_q && !fresh[held_q];
    assign takes = counted && (keeps && owner == held_q || new_count >= threshold && (!keeps || new_count > most_q));

    always_ff @(posedge clk) begin
        if (rst || start) begin
            held_valid_q <= 1'b0;
            held_q <= '0;
            most_q <= '0;
            used_q <= '0;
        end else begin
            held_valid_q <= keeps || takes;
            if (takes) begin
                held_q <= owner;
                most_q <= new_count;
            end else if (!keeps) begin
                held_q <= '0;
                most_q <= '0;
            end
            used_q <= used_q & ~fresh | (counted ? Slots'(1) << owner : '0);
        end
    end

    logic [Slots-1:0] held;  // one-hot
    assign held = held_valid_q ? Slots'(1) << held_q : '0;
    assign allow_load = |(running & ~held) ? ~held : '1;
endmodule

`default_nettype wire
