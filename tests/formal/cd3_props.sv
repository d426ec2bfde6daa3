// SPDX-License-Identifier: Apache-2.0
// cd3_props: the rules of the unit that measures distances of dependent instructions, restated from ports and registers. Passive; see wia_props.sv.
// Vectors have a bit for each register, or for each count.
`default_nettype none

module cd3_props #(
    parameter int unsigned CD3_REGISTER_BITS = 0,
    parameter int unsigned CD3_NUMBER_BITS = 0,
    parameter int unsigned CD3_DISTANCE_BITS = 0,
    parameter int unsigned CD3_READS = 0,
    parameter int unsigned CD3_COUNT_BITS = 0,
    parameter int unsigned RULE = 0,
    localparam int unsigned R = CD3_REGISTER_BITS,
    localparam int unsigned N = CD3_NUMBER_BITS,
    localparam int unsigned D = CD3_DISTANCE_BITS,
    localparam int unsigned C = CD3_COUNT_BITS,
    localparam int unsigned Registers = 2 ** R,
    localparam int unsigned Bins = 2 ** D,
    localparam int unsigned Counts = 3 * Bins
) (
    input logic                   clk,
    input logic                   rst,
    input logic                   started,  // the first cycle, a reset, is over
    input logic                   start,
    input logic [C-1:0]           first,
    input logic                   fresh,
    input logic                   issue,
    input logic [1:0]             pipe,
    input logic [CD3_READS*R-1:0] reads,
    input logic [CD3_READS-1:0]   reading,
    input logic [R-1:0]           write,
    input logic                   writing,
    input logic                   waits,
    input logic [D-1:0]           distance,
    input logic [1:0]             waits_for,
    input logic [Counts-1:0]      wraps,
    input logic [N-1:0]           state_now,
    input logic [Registers*N-1:0] state_writer,
    input logic [Registers*2-1:0] state_writer_pipe,
    input logic [Registers-1:0]   state_live,
    input logic [Registers-1:0]   state_far,
    input logic [Counts*C-1:0]    state_count
);
    // The registers that the instruction of this cycle reads or writes, and those of them that have a writer.
    logic [Registers-1:0] written, named, needed;
    always_comb begin
        named = '0;
        for (int r = 0; r < Registers; r++) begin
            written[r] = issue && writing && write == R'(r);
            for (int i = 0; i < CD3_READS; i++) if (issue && reading[i] && reads[i*R+:R] == R'(r)) named[r] = 1'b1;
            if (written[r]) named[r] = 1'b1;
        end
        needed = start ? '0 : named & state_live;
    end

    // Which of its counts this cycle adds to, by outputs and inputs.
    logic [Counts-1:0] more;
    logic [1:0] its, their;
    assign its = pipe[1] ? 2'd2 : pipe;
    assign their = waits_for[1] ? 2'd2 : waits_for;
    always_comb begin
        for (int c = 0; c < Counts; c++) begin
            more[c] = c % Bins == 0 ? issue && 32'(its) == c / Bins : waits && 32'(their) == c / Bins && 32'(distance) == c % Bins;
        end
    end

    // What the cycle before this one was like.
    logic was_reset, was_start, was_fresh, was_issue;
    logic [1:0] was_pipe;
    logic [C-1:0] was_first;
    logic [Counts-1:0] was_more, was_wraps;
    logic [N-1:0] was_now;
    logic [Registers-1:0] was_written, was_named, was_live, was_far;
    logic [Registers*N-1:0] was_writer;
    logic [Registers*2-1:0] was_writer_pipe;
    logic [Counts*C-1:0] was_count;
    always_ff @(posedge clk) begin
        was_reset <= rst;
        was_start <= start;
        was_fresh <= fresh;
        was_issue <= issue;
        was_pipe <= pipe;
        was_first <= first;
        was_more <= more;
        was_wraps <= wraps;
        was_now <= state_now;
        was_written <= written;
        was_named <= named;
        was_live <= state_live;
        was_far <= state_far;
        was_writer <= state_writer;
        was_writer_pipe <= state_writer_pipe;
        was_count <= state_count;
    end

    logic rule;
    always_comb if (started) assert (rule);

    // R1: After a reset nothing is counted, and no register has a writer.
    if (RULE == 1) assign rule = !was_reset || {state_count, state_live, state_far, state_now, state_writer, state_writer_pipe} == '0;

    // R2: A register that an instruction wrote has it as its writer: its number, its pipe. Any other register's writer stays.
    if (RULE == 2) begin : g_r2
        logic [Registers-1:0] wrong;
        always_comb begin
            for (int r = 0; r < Registers; r++) begin
                if (was_written[r]) wrong[r] = state_writer[r*N+:N] != was_now || state_writer_pipe[2*r+:2] != was_pipe;
                else wrong[r] = state_writer[r*N+:N] != was_writer[r*N+:N] || state_writer_pipe[2*r+:2] != was_writer_pipe[2*r+:2];
            end
        end
        assign rule = was_reset || wrong == '0;
    end

    // R3: A writer counts once: once its register was named it is forgotten, but for the writer that comes anew. Nobody else gets or loses one,
    // unless a kernel starts, or another warp is watched, which forgets all.
    if (RULE == 3) begin : g_r3
        logic [Registers-1:0] expected;
        always_comb begin
            expected = was_live;
            if (was_start) expected = '0;
            for (int r = 0; r < Registers; r++) begin
                if (was_named[r]) expected[r] = 1'b0;
                if (was_written[r]) expected[r] = 1'b1;
                if (was_fresh) expected[r] = 1'b0;
            end
        end
        assign rule = was_reset || state_live == expected;
    end

    // R4: Instructions are numbered one after the other.
    if (RULE == 4) assign rule = was_reset || state_now == (was_issue ? was_now + 1'b1 : was_now);

    // R5: It waits exactly if one of its registers has a writer; if not, there is neither a distance nor a pipe.
    if (RULE == 5) assign rule = waits == (needed != '0) && (waits || (distance == '0 && waits_for == '0));

    // R6: If any of those that it needs is a memory instruction, what counts is one; and it counts for the pipe of one that it needs.
    if (RULE == 6) begin : g_r6
        logic memory, same;
        always_comb begin
            memory = 1'b0;
            same = 1'b0;
            for (int r = 0; r < Registers; r++) begin
                if (needed[r] && state_writer_pipe[2*r+1]) memory = 1'b1;
                if (needed[r] && state_writer_pipe[2*r+:2] == waits_for) same = 1'b1;
            end
        end
        assign rule = !waits || (same && waits_for[1] == memory);
    end

    // R7: The distance is that of the nearest one that it needs: of those of memory if there is any. What is half of all numbers away or more, and
    // what is marked as far, has the largest distance.
    if (RULE == 7) begin : g_r7
        logic [Registers-1:0] nearer, equal;
        logic [N-1:0] ago;
        logic [D-1:0] its_distance;
        always_comb begin
            ago = '0;
            its_distance = '0;
            for (int r = 0; r < Registers; r++) begin
                ago = state_now - state_writer[r*N+:N];
                its_distance = ago >= N'(Bins - 1) || state_far[r] ? '1 : D'(ago);
                nearer[r] = needed[r] && state_writer_pipe[2*r+1] == waits_for[1] && its_distance < distance;
                equal[r] = needed[r] && state_writer_pipe[2*r+:2] == waits_for && its_distance == distance;
            end
        end
        assign rule = !waits || (nearer == '0 && equal != '0);
    end

    // R8: Of the counts of pipes, the one of the instruction's pipe rises by one; of the distances, the one of what it waits for. No other moves; all
    // begin anew where a kernel started.
    if (RULE == 8) begin : g_r8
        logic [Counts-1:0] wrong;
        logic [C-1:0] from;
        always_comb begin
            from = '0;
            for (int c = 0; c < Counts; c++) begin
                from = was_start ? was_first : was_count[c*C+:C];
                wrong[c] = state_count[c*C+:C] != from + C'(was_more[c]);
            end
        end
        assign rule = was_reset || wrong == '0;
    end

    // R9: `wraps` says exactly which counts become 0 because something is counted.
    if (RULE == 9) begin : g_r9
        logic [Counts-1:0] zero;
        always_comb for (int c = 0; c < Counts; c++) zero[c] = was_more[c] && state_count[c*C+:C] == '0;
        assign rule = was_reset || was_wraps == zero;
    end

    // R10: At most two counts move in a cycle, and the one of a distance only with the one of a pipe.
    if (RULE == 10) begin : g_r10
        logic pipes, distances, again;
        always_comb begin
            {pipes, distances, again} = '0;
            for (int c = 0; c < Counts; c++) begin
                if (!was_start && state_count[c*C+:C] != was_count[c*C+:C]) begin
                    if (c % Bins == 0) {pipes, again} = {1'b1, again || pipes};
                    else {distances, again} = {1'b1, again || distances};
                end
            end
        end
        assign rule = was_reset || (!again && (pipes || !distances));
    end

    // R11: Numbers tell the truth: a writer that is not far issued as many instructions ago as its number says, however often numbers have come again;
    // one that is far half of all numbers ago or more. So no distance is 0.
    if (RULE == 11) begin : g_r11
        logic [Registers-1:0] wrong;
        for (genvar r = 0; r < Registers; r++) begin : g_register
            logic [N:0] ago;  // it stays at its largest value
            logic [N-1:0] by_number;
            assign by_number = state_now - state_writer[r*N+:N];
            always_ff @(posedge clk) ago <= rst ? '0 : written[r] ? (N + 1)'(1) : ago + (N + 1)'(issue && ago != '1);
            assign wrong[r] = state_live[r] && (state_far[r] ? ago < (N + 1)'(2 ** (N - 1)) : ago != {1'b0, by_number});
        end
        assign rule = wrong == '0 && (!waits || distance != '0);
    end

    // R12: Of each pipe, distances and writers that wait to be needed are together no more than its instructions, as long as no count has wrapped or
    // begun with something.
    if (RULE == 12) begin : g_r12
        logic [2:0] wrong;
        logic moved;
        localparam int unsigned S = C + R + D + 1;
        always_ff @(posedge clk) moved <= !rst && ((moved && !start) || (start && first != '0) || wraps != '0);
        for (genvar p = 0; p < 3; p++) begin : g_pipe
            logic [S-1:0] sum;
            always_comb begin
                sum = '0;
                for (int b = 1; b < Bins; b++) sum = sum + S'(state_count[(p*Bins+b)*C+:C]);
                for (int r = 0; r < Registers; r++) begin
                    if (state_live[r] && (p == 2 ? state_writer_pipe[2*r+1] : state_writer_pipe[2*r+:2] == 2'(p))) sum = sum + S'(1);
                end
            end
            assign wrong[p] = sum > S'(state_count[p*Bins*C+:C]);
        end
        assign rule = moved || wrong == '0;
    end

    // R13: A register is marked as far only if it has a writer; the mark goes only when it is written.
    if (RULE == 13) begin : g_r13
        logic [Registers-1:0] wrong;
        assign wrong = (state_far & ~was_far & ~was_live) | (was_far & ~state_far & ~was_written);
        assign rule = was_reset || wrong == '0;
    end

    // R14: A register that was just written is not far.
    if (RULE == 14) assign rule = was_reset || (state_far & was_written) == '0;
endmodule

`default_nettype wire
