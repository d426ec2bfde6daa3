// SPDX-License-Identifier: Apache-2.0
// cd3: how far from each other the dependent instructions of a warp stand: critical data dependency distances (thesis 9.4.1), as it runs. A table
// says of each register which instruction wrote it last, until one needs it; a histogram per pipe counts distances. The order of what happens in one
// cycle stands in cmodel/cd3/cd3.h.
`default_nettype none

module cd3 #(
    parameter int unsigned CD3_REGISTER_BITS = 0,  // of a register's number
    parameter int unsigned CD3_NUMBER_BITS = 0,    // of an instruction's number; more than the others that name a register or a distance
    parameter int unsigned CD3_DISTANCE_BITS = 0,  // of a distance
    parameter int unsigned CD3_READS = 0,          // registers that an instruction reads, at most
    parameter int unsigned CD3_COUNT_BITS = 0,     // of a count
    localparam int unsigned Registers = 2 ** CD3_REGISTER_BITS,
    localparam int unsigned Bins = 2 ** CD3_DISTANCE_BITS,
    localparam int unsigned Counts = 3 * Bins
) (
    input  logic                                   clk,
    input  logic                                   rst,        // synchronous
    // from software
    input  logic                                   start,      // a kernel starts: counts begin anew
    input  logic [CD3_COUNT_BITS-1:0]              first,      // what counts begin with
    // from the block slots
    input  logic                                   fresh,      // from the next cycle on another warp is watched
    // from the issue stage, of the warp that is watched
    input  logic                                   issue,      // it issues an instruction
    input  logic [1:0]                             pipe,       // where to: SP, SFU, MEM, MEM
    input  logic [CD3_READS*CD3_REGISTER_BITS-1:0] reads,      // registers that it reads
    input  logic [CD3_READS-1:0]                   reading,    // which of these there are
    input  logic [CD3_REGISTER_BITS-1:0]           write,      // the register that it writes
    input  logic                                   writing,    // it writes one
    // to who looks on
    output logic                                   waits,      // it needs what an earlier one writes
    output logic [CD3_DISTANCE_BITS-1:0]           distance,   // that one's distance, the largest number for all that are larger; 0: it needs none
    output logic [1:0]                             waits_for,  // that one's pipe
    // to who reads the counts
    output logic [Counts-1:0]                      wraps,      // the count passes its largest value at this clock edge
    output logic [Counts*CD3_COUNT_BITS-1:0]       count       // of SP, SFU, MEM: instructions; those with distance 1, 2, ...
);
    localparam int unsigned Operands = CD3_READS + 1;  // the last is the register that it writes
    localparam int unsigned N = CD3_NUMBER_BITS, R = CD3_REGISTER_BITS, D = CD3_DISTANCE_BITS;

    logic [N-1:0] now_q;
    logic [Registers*N-1:0] writer_q;
    logic [Registers*2-1:0] writer_pipe_q;
    logic [Registers-1:0] live_q, far_q;
    logic [Counts*CD3_COUNT_BITS-1:0] count_q;
    assign count = count_q;

    // The registers that have a writer in this cycle.
    logic [Registers-1:0] live;
    assign live = start ? '0 : live_q;

    // Per operand: is there a writer, where it issued to, and how many instructions ago, up to half of all numbers: beyond that it is not known.
    logic [Operands*R-1:0] operand;
    logic [Operands-1:0] there, pending;
    logic [2*Operands-1:0] its_pipe;
    logic [N*Operands-1:0] age;
    logic [Registers*Operands-1:0] named;
    assign operand = {write, reads};
    assign there = {writing, reading} & {Operands{issue}};
    for (genvar i = 0; i < Operands; i++) begin : g_operand
        logic [N-1:0] its_writer, ago;
        logic its_live, its_far;
        always_comb begin
            {its_writer, its_live, its_far} = '0;
            its_pipe[2*i+:2] = '0;
            for (int r = 0; r < Registers; r++) begin
                named[i*Registers+r] = there[i] && operand[i*R+:R] == R'(r);
                its_writer = its_writer | (writer_q[r*N+:N] & {N{named[i*Registers+r]}});
                its_pipe[2*i+:2] = its_pipe[2*i+:2] | (writer_pipe_q[2*r+:2] & {2{named[i*Registers+r]}});
                its_live = its_live || (live[r] && named[i*Registers+r]);
                its_far = its_far || (far_q[r] && named[i*Registers+r]);
            end
        end
        assign pending[i] = its_live;
        assign ago = now_q - its_writer;
        assign age[i*N+:N] = its_far || ago[N-1] ? {1'b1, {(N - 1) {1'b0}}} : ago;
    end

    // Which of these leaves the pipes last: the youngest memory instruction, else the youngest.
    logic [N-1:0] last;
    logic later;
    always_comb begin
        waits = 1'b0;
        waits_for = '0;
        last = '0;
        later = 1'b0;
        for (int i = 0; i < Operands; i++) begin
            later = its_pipe[2*i+1] == waits_for[1] ? age[i*N+:N] < last : its_pipe[2*i+1];
            if (pending[i] && (!waits || later)) begin
                waits = 1'b1;
                waits_for = its_pipe[2*i+:2];
                last = age[i*N+:N];
            end
        end
        distance = last[N-1:D] == '0 ? last[D-1:0] : '1;
    end

    // The table. In its turn a register whose writer is half of all numbers away is marked, so that the number may come again.
    logic [N-1:0] turn_writer, turn_age;
    logic [Registers-1:0] turn, needed, written;
    always_comb begin
        turn_writer = '0;
        for (int r = 0; r < Registers; r++) begin
            turn[r] = issue && now_q[R-1:0] == R'(r);
            turn_writer = turn_writer | (writer_q[r*N+:N] & {N{turn[r]}});
            needed[r] = 1'b0;
            for (int i = 0; i < Operands; i++) needed[r] = needed[r] || named[i*Registers+r];
            written[r] = named[CD3_READS*Registers+r];
        end
    end
    assign turn_age = now_q - turn_writer;

    always_ff @(posedge clk) begin
        if (rst) begin
            {now_q, live_q, far_q, writer_q, writer_pipe_q} <= '0;
        end else begin
            now_q <= now_q + N'(issue);
            live_q <= fresh ? '0 : (live & ~needed) | written;
            far_q <= (far_q | (turn & live & {Registers{turn_age[N-1]}})) & ~written;
            for (int r = 0; r < Registers; r++) begin
                if (written[r]) begin
                    writer_q[r*N+:N] <= now_q;
                    writer_pipe_q[2*r+:2] <= pipe;
                end
            end
        end
    end

    // The histograms: of each pipe how many have issued, and behind that the distances.
    for (genvar p = 0; p < 3; p++) begin : g_pipe
        logic issues, counts;
        assign issues = issue && (p == 2 ? pipe[1] : pipe == 2'(p));
        assign counts = waits && (p == 2 ? waits_for[1] : waits_for == 2'(p));
        for (genvar b = 0; b < Bins; b++) begin : g_bin
            localparam int unsigned C = p * Bins + b;
            logic [CD3_COUNT_BITS-1:0] from, count_d;
            logic more;
            assign from = start ? first : count_q[C*CD3_COUNT_BITS+:CD3_COUNT_BITS];
            assign more = b == 0 ? issues : counts && distance == D'(b);
            assign {wraps[C], count_d} = {1'b0, from} + (CD3_COUNT_BITS + 1)'(more);
            always_ff @(posedge clk) count_q[C*CD3_COUNT_BITS+:CD3_COUNT_BITS] <= rst ? '0 : count_d;
        end
    end
endmodule

`default_nettype wire
