// SPDX-License-Identifier: Apache-2.0
// daws_table: the static load classification table of one SM under Profiled DAWS (DAWS, MICRO 2013, 5.1): for each loop how many
// repetition ids have a diverged load, and how many have none. Software writes it when a kernel begins; the schedulers ask
// it for the footprints of loops. The order of what happens in one cycle stands in cmodel/daws_table/daws_table.h.
`default_nettype none

module daws_table #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned LOOP_BITS = 0,
    parameter int unsigned LOAD_BITS = 0,
    localparam int unsigned Loops = (1 << LOOP_BITS) - 1
) (
    input  logic                                clk,
    input  logic                                rst,              // synchronous
    // from software, when a kernel begins
    input  logic                                start,            // a kernel begins: all is as after a reset
    input  logic                                write,            // this loop gets these counts
    input  logic [LOOP_BITS-1:0]                write_loop,       // 0 is none
    input  logic [LOAD_BITS-1:0]                write_diverged,   // its repetition ids with a diverged load
    input  logic [LOAD_BITS-1:0]                write_converged,  // those without
    // from the schedulers
    input  logic [NUM_SCHEDULERS*6-1:0]         active,           // active lanes of the warp that issues
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_begin,       // its instruction is the first of this loop
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_last,        // last loop inside that loop
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] next_loop,        // first loop that begins behind what it executes next
    input  logic [NUM_SCHEDULERS*LOOP_BITS-1:0] inner,            // loop that its prediction is of
    // to daws_predict
    output logic [NUM_SCHEDULERS*8-1:0]         footprint,        // lines of loop_begin's loop, or of `inner`
    output logic [NUM_SCHEDULERS*8-1:0]         closest           // lines of next_loop
);
    logic [Loops*LOAD_BITS-1:0] diverged_q, converged_q;

    for (genvar l = 0; l < Loops; l++) begin : g_row
        always_ff @(posedge clk) begin
            if (rst || start) begin
                diverged_q[l*LOAD_BITS+:LOAD_BITS] <= '0;
                converged_q[l*LOAD_BITS+:LOAD_BITS] <= '0;
            end else if (write && write_loop == LOOP_BITS'(l + 1)) begin
                diverged_q[l*LOAD_BITS+:LOAD_BITS] <= write_diverged;
                converged_q[l*LOAD_BITS+:LOAD_BITS] <= write_converged;
            end
        end
    end

    // Two questions of each scheduler.
    for (genvar s = 0; s < NUM_SCHEDULERS; s++) begin : g_questions
        loop_questions #(
            .LOOP_BITS(LOOP_BITS),
            .COUNT_BITS(LOAD_BITS)
        ) questions (
            .active(active[s*6+:6]),
            .loop_begin(loop_begin[s*LOOP_BITS+:LOOP_BITS]),
            .loop_last(loop_last[s*LOOP_BITS+:LOOP_BITS]),
            .next_loop(next_loop[s*LOOP_BITS+:LOOP_BITS]),
            .inner(inner[s*LOOP_BITS+:LOOP_BITS]),
            .known({Loops{1'b1}}),
            .diverged(diverged_q),
            .converged(converged_q),
            .footprint(footprint[s*8+:8]),
            .closest(closest[s*8+:8])
        );
    end
endmodule

`default_nettype wire
