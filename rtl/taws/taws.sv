// SPDX-License-Identifier: Apache-2.0
// taws: what thread-block based, tail-aware warp scheduling keeps of one SM (thesis 7.2, 7.3): which block goes before which, and which warp
// each block issued last. A block with more warps that wait at a barrier, or have ended, goes before one with fewer; of two with as many the one
// that started earlier does. The order of what happens in one cycle stands in cmodel/taws/taws.h.
//
// Both orders are a bit for each pair of blocks. No block is compared with a block twice, and nothing is sorted: who looks for the best of some
// blocks asks for the one that no other of them goes before.
`default_nettype none

module taws #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,   // of one scheduler
    parameter int unsigned SM_BLOCKS = 0,   // contexts for thread blocks
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned BlockBits = $clog2(SM_BLOCKS),
    localparam int unsigned Pairs = SM_BLOCKS * (SM_BLOCKS - 1) / 2,
    localparam int unsigned Held = NUM_SCHEDULERS * SM_BLOCKS
) (
    input  logic                               clk,
    input  logic                               rst,          // synchronous
    // from software
    input  logic                               greedy,       // which warps are remembered: 0 of each block the last, 1 only the scheduler's last
    // from the warps: slot s * NUM_WARPS + w is warp w of scheduler s
    input  logic [Slots-1:0]                   stalled,      // the slot's warp waits at a barrier, or has ended and its block has not
    input  logic [Slots*BlockBits-1:0]         block,        // thread-block context of the slot's warp
    // from the block dispatcher
    input  logic                               start,        // a block starts
    input  logic [BlockBits-1:0]               start_block,  // its context
    input  logic [Slots-1:0]                   fresh,        // a new warp begins in the slot
    // from the schedulers
    input  logic [NUM_SCHEDULERS-1:0]          issued,       // the scheduler has issued an instruction
    input  logic [NUM_SCHEDULERS*WarpBits-1:0] issued_warp,  // of which of its warps
    // to who may leave cycles out
    output logic                               settled,      // the clock edge does not move ahead
    // to taws_act
    output logic [Pairs-1:0]                   ahead,        // pair (i, j), i < j, row after row: the block of context i goes before that of j
    output logic [Held-1:0]                    held_valid,   // of each scheduler's blocks: a warp is remembered
    output logic [Held*WarpBits-1:0]           held          // which
);
    localparam int unsigned CountBits = $clog2(Slots + 1);

    logic [Pairs-1:0] older_q, older_d, ahead_q, ahead_d;
    logic [Held-1:0] held_valid_q;
    logic [Held*WarpBits-1:0] held_q;
    assign ahead = ahead_q;
    assign held_valid = held_valid_q;
    assign held = held_q;

    // Of each context: does its block start, and how many of its warps are stalled?
    logic [SM_BLOCKS-1:0] starts;
    logic [SM_BLOCKS*CountBits-1:0] count;
    for (genvar c = 0; c < SM_BLOCKS; c++) begin : g_context
        logic [Slots-1:0] waits;
        for (genvar w = 0; w < Slots; w++) begin : g_slot
            assign waits[w] = stalled[w] && block[w*BlockBits+:BlockBits] == BlockBits'(c);
        end
        ones #(
            .NUM(Slots)
        ) waiting (
            .of(waits),
            .count(count[c*CountBits+:CountBits])
        );
        assign starts[c] = start && start_block == BlockBits'(c);
    end

    // Who starts is the youngest. Of as many stalled warps age decides, as a bit below the lowest.
    for (genvar i = 0; i < SM_BLOCKS; i++) begin : g_row
        for (genvar j = i + 1; j < SM_BLOCKS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * SM_BLOCKS - 1 - i) / 2 + j - i - 1;
            assign older_d[Pair] = !starts[i] && (starts[j] || older_q[Pair]);
            assign ahead_d[Pair] = {count[i*CountBits+:CountBits], older_d[Pair]} > {count[j*CountBits+:CountBits], !older_d[Pair]};
        end
    end
    assign settled = ahead_d == ahead_q;

    always_ff @(posedge clk) begin
        if (rst) begin
            older_q <= '1;
            ahead_q <= '1;
        end else begin
            older_q <= older_d;
            ahead_q <= ahead_d;
        end
    end

    // What each scheduler remembers of each block, unless a new warp has begun in the slot.
    for (genvar s = 0; s < NUM_SCHEDULERS; s++) begin : g_scheduler
        logic [WarpBits-1:0] warp;
        logic [2**WarpBits-1:0] begins;  // of each number of a warp
        logic [BlockBits-1:0] its_block;
        logic tells;                     // a warp that there is has issued
        assign warp = issued_warp[s*WarpBits+:WarpBits];
        always_comb begin
            begins = '0;
            begins[NUM_WARPS-1:0] = fresh[s*NUM_WARPS+:NUM_WARPS];
            tells = 1'b0;
            its_block = '0;
            for (int w = 0; w < NUM_WARPS; w++) begin
                if (warp == WarpBits'(w)) begin
                    tells = issued[s];
                    its_block = block[(s*NUM_WARPS+w)*BlockBits+:BlockBits];
                end
            end
        end
        for (genvar c = 0; c < SM_BLOCKS; c++) begin : g_held
            localparam int unsigned Entry = s * SM_BLOCKS + c;
            logic told;
            assign told = tells && its_block == BlockBits'(c);
            always_ff @(posedge clk) begin
                if (rst) begin
                    held_valid_q[Entry] <= 1'b0;
                    held_q[Entry*WarpBits+:WarpBits] <= '0;
                end else if (told) begin
                    held_valid_q[Entry] <= !begins[warp];
                    held_q[Entry*WarpBits+:WarpBits] <= warp;
                end else if (begins[held_q[Entry*WarpBits+:WarpBits]] || (issued[s] && greedy)) begin
                    held_valid_q[Entry] <= 1'b0;
                end
            end
        end
    end
endmodule

`default_nettype wire
