// SPDX-License-Identifier: Apache-2.0
// daws_table_props: the rules of the load classification table, restated from its ports and registers. tests/formal/run.sh builds
// the proof of one rule (parameter RULE) around it. What rules say of loop a, and of scheduler b, is proved for every loop and
// scheduler: their numbers are taken once, during reset.
`default_nettype none

module daws_table_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned LOOP_BITS = 0,
    parameter int unsigned LOAD_BITS = 0,
    parameter int unsigned RULE = 0,
    localparam int unsigned Loops = (1 << LOOP_BITS) - 1
) (
    input logic                                clk,
    input logic                                rst,
    input logic                                started,  // the first cycle, a reset, is over
    input logic [3*8-1:0]                      pick,     // loop a, lowest; scheduler b
    input logic                                start,
    input logic                                write,
    input logic [LOOP_BITS-1:0]                write_loop,
    input logic [LOAD_BITS-1:0]                write_diverged,
    input logic [LOAD_BITS-1:0]                write_converged,
    input logic [NUM_SCHEDULERS*6-1:0]         active,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_begin,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_last,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] next_loop,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] inner,
    input logic [NUM_SCHEDULERS*8-1:0]         footprint,
    input logic [NUM_SCHEDULERS*8-1:0]         closest,
    input logic [Loops*LOAD_BITS-1:0]          state_diverged,
    input logic [Loops*LOAD_BITS-1:0]          state_converged
);
    logic [7:0] a, b;
    always_ff @(posedge clk) begin
        if (rst) begin
            a <= pick[7:0];
            b <= pick[15:8];
        end
    end

    // Loop a's counts as the table has them, and as they were written last since the kernel began.
    logic [LOAD_BITS-1:0] has_diverged, has_converged, told_diverged, told_converged;
    always_comb begin
        has_diverged = '0;
        has_converged = '0;
        for (int l = 0; l < Loops; l++) begin
            if (32'(a) == l + 1) begin
                has_diverged = state_diverged[l*LOAD_BITS+:LOAD_BITS];
                has_converged = state_converged[l*LOAD_BITS+:LOAD_BITS];
            end
        end
    end
    always_ff @(posedge clk) begin
        if (rst || start) begin
            told_diverged <= '0;
            told_converged <= '0;
        end else if (write && 8'(write_loop) == a && a != '0) begin
            told_diverged <= write_diverged;
            told_converged <= write_converged;
        end
    end

    // What scheduler b asks, and what it is answered.
    logic [5:0] lanes;
    logic [LOOP_BITS-1:0] first, last, next, deeper;
    logic [7:0] its_footprint, its_closest;
    always_comb begin
        {lanes, first, last, next, deeper, its_footprint, its_closest} = '0;
        for (int s = 0; s < NUM_SCHEDULERS; s++) begin
            if (32'(b) == s) begin
                lanes = active[s*6+:6];
                first = loop_begin[s*LOOP_BITS+:LOOP_BITS];
                last = loop_last[s*LOOP_BITS+:LOOP_BITS];
                next = next_loop[s*LOOP_BITS+:LOOP_BITS];
                deeper = inner[s*LOOP_BITS+:LOOP_BITS];
                its_footprint = footprint[s*8+:8];
                its_closest = closest[s*8+:8];
            end
        end
    end

    // The paper's sum over the ids of loop a: what each contributes is added by itself.
    logic [15:0] lines;
    always_comb begin
        lines = '0;
        for (int i = 0; i < 1 << LOAD_BITS; i++) begin
            if (i < 32'(has_diverged)) lines = lines + 16'(lanes);
            if (i < 32'(has_converged)) lines = lines + (lanes > 6'd2 ? 16'd2 : 16'(lanes));
        end
        if (lines > 16'd255) lines = 16'd255;
    end

    // R1: After a reset, and after the start of a kernel, every footprint is 0, whatever is asked.
    logic went_on;
    always_ff @(posedge clk) went_on <= !rst && !start;
    if (RULE == 1) begin : g_r1
        always_comb if (started && !went_on) assert ({footprint, closest} == '0);
    end

    // R2: A loop has the counts that were written to it last since the kernel began, and none if none were.
    if (RULE == 2) begin : g_r2
        always_comb if (started && 32'(a) <= Loops && a != '0) assert (has_diverged == told_diverged && has_converged == told_converged);
    end

    // R3: The closest loop's footprint is the sum over its repetition ids: one with a diverged load a line for each active lane,
    // another one two lines, but one if a single lane is active; 255 stands for more.
    if (RULE == 3) begin : g_r3
        always_comb if (started && 8'(next) == a && a != '0) assert (16'(its_closest) == lines);
    end

    // R4: So is the footprint of the loop that begins, if the warp's prediction is not of a loop inside it.
    if (RULE == 4) begin : g_r4
        always_comb if (started && 8'(first) == a && a != '0 && (deeper <= first || deeper > last)) assert (16'(its_footprint) == lines);
    end

    // R5: If it is, the footprint is that of the loop inside.
    if (RULE == 5) begin : g_r5
        always_comb if (started && 8'(deeper) == a && first != '0 && deeper > first && deeper <= last) assert (16'(its_footprint) == lines);
    end

    // R6: No loop has no footprint.
    if (RULE == 6) begin : g_r6
        always_comb if (started) assert ((first != '0 || its_footprint == '0) && (next != '0 || its_closest == '0));
    end

    // R7: Two schedulers that ask for the same loop get the same lines for the same lanes, and fewer lanes never need more lines.
    if (RULE == 7) begin : g_r7
        always_comb if (started && NUM_SCHEDULERS > 1 && next_loop[0+:LOOP_BITS] == next_loop[(NUM_SCHEDULERS-1)*LOOP_BITS+:LOOP_BITS]
            && active[5:0] <= active[(NUM_SCHEDULERS-1)*6+:6]) assert (closest[7:0] <= closest[(NUM_SCHEDULERS-1)*8+:8]);
    end
endmodule

`default_nettype wire
