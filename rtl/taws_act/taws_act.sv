// SPDX-License-Identifier: Apache-2.0
// taws_act: chooses the thread block under TAWS for one scheduler (thesis 7.2, 7.3.1). Of the blocks with a warp that can issue it is the one that
// goes before all others: its warp that issued last may go on, and where that one cannot issue, all that can may. No register: what blocks and warps
// have done is kept in taws, and wia chooses one of the warps that may.
`default_nettype none

module taws_act #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned SM_BLOCKS = 0,
    parameter bit TREE = 1'b0,  // 1: foremost_tree in the place of foremost
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned BlockBits = $clog2(SM_BLOCKS),
    localparam int unsigned Pairs = SM_BLOCKS * (SM_BLOCKS - 1) / 2
) (
    // from software
    input  logic                           greedy,        // a warp goes on 0: while no better block has one that can issue; 1: while it can issue
    // from the instruction buffer, the scoreboard and the pipelines
    input  logic [NUM_WARPS-1:0]           ready_sp,      // next instruction can issue to SP
    input  logic [NUM_WARPS-1:0]           ready_sfu,     // next instruction can issue to SFU
    input  logic [NUM_WARPS-1:0]           ready_gmem,    // next instruction can issue to MEM, for global memory
    input  logic [NUM_WARPS-1:0]           ready_stcmem,  // next instruction can issue to MEM, for shared, texture, constant
    input  logic [NUM_WARPS-1:0]           load,          // next instruction is a load from global memory
    // from throttling units
    input  logic [NUM_WARPS-1:0]           allow,         // may issue at all
    input  logic [NUM_WARPS-1:0]           allow_load,    // may issue loads
    input  logic [3:0]                     allow_class,   // may issue: bit 0 SP, 1 SFU, 2 GMEM, 3 STCMEM
    // from the block dispatcher
    input  logic [NUM_WARPS*BlockBits-1:0] block,         // of each warp: its thread-block context
    // from taws
    input  logic [Pairs-1:0]               ahead,         // pair (i, j), i < j, row after row: the block of context i goes before that of j
    input  logic [SM_BLOCKS-1:0]           held_valid,    // of each block: a warp is remembered that issued last
    input  logic [SM_BLOCKS*WarpBits-1:0]  held,          // which
    // to wia's allow
    output logic [NUM_WARPS-1:0]           may            // warps that may issue, all of which can
);
    logic [NUM_WARPS-1:0] can;  // issue
    assign can = allow & (({NUM_WARPS{allow_class[0]}} & ready_sp)
                        | ({NUM_WARPS{allow_class[1]}} & ready_sfu)
                        | ({NUM_WARPS{allow_class[2]}} & ready_gmem & (~load | allow_load))
                        | ({NUM_WARPS{allow_class[3]}} & ready_stcmem));

    // A warp is of one block, so that the remembered warps of all blocks fit into one vector, which does not wait for the choice.
    logic [NUM_WARPS-1:0] of_block[SM_BLOCKS];  // of each block: warps that can issue
    logic [NUM_WARPS-1:0] last[SM_BLOCKS];      // of these: the one that issued last
    logic [NUM_WARPS-1:0] remembered;           // those of all blocks
    logic [SM_BLOCKS-1:0] waits, goes_on;       // a warp of the block can issue; the one that issued last can
    for (genvar b = 0; b < SM_BLOCKS; b++) begin : g_block
        for (genvar w = 0; w < NUM_WARPS; w++) begin : g_warp
            assign of_block[b][w] = can[w] && block[w*BlockBits+:BlockBits] == BlockBits'(b);
        end
        // A number beyond the last warp shifts the bit out.
        assign last[b] = held_valid[b] ? of_block[b] & (NUM_WARPS'(1) << held[b*WarpBits+:WarpBits]) : '0;
        assign waits[b] = of_block[b] != '0;
        assign goes_on[b] = last[b] != '0;
    end

    logic [SM_BLOCKS-1:0] best;  // one-hot, or 0
    if (TREE) begin : g_tree
        foremost_tree #(.NUM(SM_BLOCKS)) block_first (.candidates(waits), .order(ahead), .chosen(best));
    end else begin : g_pairs
        foremost #(.NUM(SM_BLOCKS)) block_first (.candidates(waits), .order(ahead), .chosen(best));
    end

    // With global greed it is the lowest block with a warp that goes on, if there is one.
    logic [SM_BLOCKS-1:0] chosen;
    logic [NUM_WARPS-1:0] of_chosen;
    assign chosen = greedy && goes_on != '0 ? goes_on & (~goes_on + 1'b1) : best;
    always_comb begin
        of_chosen = '0;
        remembered = '0;
        for (int b = 0; b < SM_BLOCKS; b++) begin
            if (chosen[b]) of_chosen = of_chosen | of_block[b];
            remembered = remembered | last[b];
        end
        may = (chosen & goes_on) != '0 ? of_chosen & remembered : of_chosen;
    end
endmodule

`default_nettype wire
