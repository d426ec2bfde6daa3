// SPDX-License-Identifier: Apache-2.0
// loop_questions: the two footprints that a scheduler's issue asks for (DAWS, MICRO 2013, 5.1.3), from the counts of all loops.
// Logic only. A loop that begins is asked for by the loop inside it that the warp's prediction is of, if there is one.
`default_nettype none

module loop_questions #(
    parameter int unsigned LOOP_BITS = 0,
    parameter int unsigned COUNT_BITS = 0,
    localparam int unsigned Loops = (1 << LOOP_BITS) - 1
) (
    input  logic [5:0]                  active,      // lanes
    input  logic [LOOP_BITS-1:0]        loop_begin,  // the instruction is the first of this loop
    input  logic [LOOP_BITS-1:0]        loop_last,   // last loop inside that loop
    input  logic [LOOP_BITS-1:0]        next_loop,   // first loop that begins behind what is executed next
    input  logic [LOOP_BITS-1:0]        inner,       // loop that the warp's prediction is of
    input  logic [Loops-1:0]            known,       // of loop l, bit l - 1: it has a footprint; else the answer is 0
    input  logic [Loops*COUNT_BITS-1:0] diverged,    // of loop l, element l - 1: as loop_footprint has them
    input  logic [Loops*COUNT_BITS-1:0] converged,
    output logic [7:0]                  footprint,   // lines of loop_begin's loop, or of `inner`
    output logic [7:0]                  closest      // lines of next_loop
);
    logic [2*8-1:0] both;
    for (genvar n = 0; n < 2; n++) begin : g_loop
        logic [LOOP_BITS-1:0] number;
        logic [COUNT_BITS-1:0] many, few;
        if (n == 0) begin : g_begin
            assign number = loop_begin != '0 && inner > loop_begin && inner <= loop_last ? inner : loop_begin;
        end else begin : g_next
            assign number = next_loop;
        end
        always_comb begin
            many = '0;
            few = '0;
            for (int l = 0; l < Loops; l++) begin
                if (number == LOOP_BITS'(l + 1) && known[l]) begin
                    many = many | diverged[l*COUNT_BITS+:COUNT_BITS];
                    few = few | converged[l*COUNT_BITS+:COUNT_BITS];
                end
            end
        end
        loop_footprint #(
            .COUNT_BITS(COUNT_BITS)
        ) footprint_of (
            .active(active),
            .diverged(many),
            .converged(few),
            .lines(both[n*8+:8])
        );
    end
    assign footprint = both[7:0];
    assign closest = both[15:8];
endmodule

`default_nettype wire
