// SPDX-License-Identifier: Apache-2.0
// synth/variants/taws.sv: the rank of thread blocks together with the choice that is made by it, from counts of stalled warps on, so that ways
// to keep it can be compared as wholes. It is kept from one cycle to the next.
//   FORM 0  a bit for each pair of blocks (taws): the best block is the one that no other which can goes before
//        1  sorted: of each block its place, found by counting the pairs that it wins; the best is found by a tree of comparisons
//        2  the counts: a tree finds the highest one, and age decides among the blocks that have it
// In each form age is a bit for each pair.
`default_nettype none

module taws_best #(
    parameter int unsigned SM_BLOCKS = 0,
    parameter int unsigned COUNT_BITS = 0,
    parameter int unsigned FORM = 0,
    localparam int unsigned BlockBits = $clog2(SM_BLOCKS),
    localparam int unsigned Pairs = SM_BLOCKS * (SM_BLOCKS - 1) / 2
) (
    input  logic                            clk,
    input  logic                            rst,
    input  logic [SM_BLOCKS*COUNT_BITS-1:0] count,        // stalled warps of each block
    input  logic                            start,        // a block starts
    input  logic [BlockBits-1:0]            start_block,
    input  logic [SM_BLOCKS-1:0]            can,          // blocks that have a warp that can issue
    output logic [SM_BLOCKS-1:0]            best          // one-hot; none where none can
);
    logic [Pairs-1:0] older_q, older_d;
    logic [SM_BLOCKS*SM_BLOCKS-1:0] wins, elders;  // i*SM_BLOCKS+j: i goes before j; j is older than i
    always_ff @(posedge clk) older_q <= rst ? '1 : older_d;
    for (genvar i = 0; i < SM_BLOCKS; i++) begin : g_row
        assign {wins[i*SM_BLOCKS+i], elders[i*SM_BLOCKS+i]} = 2'b00;
        for (genvar j = i + 1; j < SM_BLOCKS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * SM_BLOCKS - 1 - i) / 2 + j - i - 1;
            assign older_d[Pair] = !(start && start_block == BlockBits'(i))
                                   && ((start && start_block == BlockBits'(j)) || older_q[Pair]);
            assign wins[i*SM_BLOCKS+j] = {count[i*COUNT_BITS+:COUNT_BITS], older_d[Pair]}
                                         > {count[j*COUNT_BITS+:COUNT_BITS], !older_d[Pair]};
            assign wins[j*SM_BLOCKS+i] = !wins[i*SM_BLOCKS+j];
            assign {elders[i*SM_BLOCKS+j], elders[j*SM_BLOCKS+i]} = {!older_q[Pair], older_q[Pair]};
        end
    end

    if (FORM == 0) begin : g_pairs
        logic [Pairs-1:0] ahead_q;
        logic [SM_BLOCKS*SM_BLOCKS-1:0] betters;
        for (genvar i = 0; i < SM_BLOCKS; i++) begin : g_row
            assign betters[i*SM_BLOCKS+i] = 1'b0;
            for (genvar j = i + 1; j < SM_BLOCKS; j++) begin : g_pair
                localparam int unsigned Pair = i * (2 * SM_BLOCKS - 1 - i) / 2 + j - i - 1;
                always_ff @(posedge clk) ahead_q[Pair] <= rst || wins[i*SM_BLOCKS+j];
                assign {betters[i*SM_BLOCKS+j], betters[j*SM_BLOCKS+i]} = {!ahead_q[Pair], ahead_q[Pair]};
            end
            assign best[i] = can[i] && (can & betters[i*SM_BLOCKS+:SM_BLOCKS]) == '0;
        end
    end else begin : g_numbers
        // A number of each block; the highest of those that can, by a tree: node n above nodes 2n and 2n + 1.
        localparam int unsigned Bits = FORM == 1 ? BlockBits : COUNT_BITS;
        localparam int unsigned Leaves = 1 << BlockBits;
        logic [SM_BLOCKS*Bits-1:0] number_q, number_d;
        logic [2*Leaves-1:0] any;
        logic [2*Leaves*Bits-1:0] highest;
        logic [SM_BLOCKS-1:0] high;
        always_comb begin
            any = '0;
            highest = '0;
            for (int c = 0; c < SM_BLOCKS; c++) begin
                any[Leaves+c] = can[c];
                highest[(Leaves+c)*Bits+:Bits] = number_q[c*Bits+:Bits];
            end
            for (int n = Leaves - 1; n > 0; n--) begin
                any[n] = any[2*n] || any[2*n+1];
                highest[n*Bits+:Bits] = any[2*n] && (!any[2*n+1] || highest[2*n*Bits+:Bits] > highest[(2*n+1)*Bits+:Bits])
                                        ? highest[2*n*Bits+:Bits] : highest[(2*n+1)*Bits+:Bits];
            end
            for (int c = 0; c < SM_BLOCKS; c++) high[c] = can[c] && number_q[c*Bits+:Bits] == highest[Bits+:Bits];
        end
        for (genvar c = 0; c < SM_BLOCKS; c++) begin : g_block
            if (FORM == 1) begin : g_sorted
                // It wins against up to SM_BLOCKS - 1 others: as many as its number can say.
                logic [$clog2(SM_BLOCKS+1)-1:0] won;
                ones #(
                    .NUM(SM_BLOCKS)
                ) wins_of (
                    .of(wins[c*SM_BLOCKS+:SM_BLOCKS]),
                    .count(won)
                );
                assign number_d[c*Bits+:Bits] = won[Bits-1:0];
                always_ff @(posedge clk) number_q[c*Bits+:Bits] <= rst ? Bits'(SM_BLOCKS - 1 - c) : number_d[c*Bits+:Bits];
                assign best[c] = high[c];
            end else begin : g_counts
                assign number_d[c*Bits+:Bits] = count[c*Bits+:Bits];
                always_ff @(posedge clk) number_q[c*Bits+:Bits] <= rst ? '0 : number_d[c*Bits+:Bits];
                assign best[c] = high[c] && (high & elders[c*SM_BLOCKS+:SM_BLOCKS]) == '0;
            end
        end
    end
endmodule

`default_nettype wire
