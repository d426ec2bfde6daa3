// SPDX-License-Identifier: Apache-2.0
// daws_classify_props: the rules of the load classification, restated from its ports and registers. tests/formal/run.sh builds the
// proof of one rule (parameter RULE) around it. What rules say of a warp a is proved for every warp: its slot is taken once, during
// reset. WITH lemmas, rules 1 and 2 are proved together with rule 3, without which they would not follow from the cycle before.
`default_nettype none

module daws_classify_props #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned LOOP_BITS = 0,
    parameter int unsigned LOAD_BITS = 0,
    parameter int unsigned LINE_BITS = 0,
    parameter int unsigned ILRD_SETS = 0,
    parameter int unsigned ILRD_WAYS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,
    localparam int unsigned Slots = NUM_SCHEDULERS * NUM_WARPS,
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned Loops = (1 << LOOP_BITS) - 1,
    localparam int unsigned IdBits = LOAD_BITS - 1,
    localparam int unsigned Loads = 1 << IdBits,
    localparam int unsigned Entries = ILRD_SETS * ILRD_WAYS
) (
    input logic                                clk,
    input logic                                rst,
    input logic                                started,     // the first cycle, a reset, is over
    input logic [3*8-1:0]                      pick,        // slot of warp a, lowest
    input logic                                start,
    input logic [Slots-1:0]                    fresh,
    input logic [NUM_SCHEDULERS-1:0]           issue,
    input logic [NUM_SCHEDULERS*WarpBits-1:0]  warp,
    input logic [NUM_SCHEDULERS*6-1:0]         active,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_begin,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_last,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop_end,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] loop,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] next_loop,
    input logic [NUM_SCHEDULERS*LOOP_BITS-1:0] inner,
    input logic                                access,
    input logic [SlotBits-1:0]                 access_warp,
    input logic [LOAD_BITS-1:0]                access_load,
    input logic [LOOP_BITS-1:0]                access_loop,
    input logic [5:0]                          access_active,
    input logic [5:0]                          access_lines,
    input logic [LINE_BITS-1:0]                access_line,
    input logic                                feedback,
    input logic [SlotBits-1:0]                 feedback_warp,
    input logic [LOOP_BITS-1:0]                feedback_loop,
    input logic                                feedback_local,
    input logic [NUM_SCHEDULERS*8-1:0]         footprint,
    input logic [NUM_SCHEDULERS*8-1:0]         closest,
    input logic [Loops*LOOP_BITS-1:0]          state_last,
    input logic [Loops*SlotBits-1:0]           state_sampler,
    input logic [Loops*6-1:0]                  state_locality,
    input logic [Loops*LOAD_BITS-1:0]          state_diverged,
    input logic [Loops*LOAD_BITS-1:0]          state_converged,
    input logic [Loads*LOOP_BITS-1:0]          state_load_loop,
    input logic [Loads*2-1:0]                  state_divergence,
    input logic [Loads*IdBits-1:0]             state_repetition,
    input logic [Entries-1:0]                  state_ilrd_valid,
    input logic [Entries*SlotBits-1:0]         state_ilrd_warp
);
    // What was a cycle ago, and whether that was an ordinary cycle.
    logic went_on;
    logic [Loops*LOOP_BITS-1:0] was_last;
    logic [Loops*SlotBits-1:0] was_sampler;
    logic [Loops*6-1:0] was_locality;
    logic [Loads*LOOP_BITS-1:0] was_load_loop;
    logic [Loads*2-1:0] was_divergence;
    logic [Loads*IdBits-1:0] was_repetition;
    always_ff @(posedge clk) begin
        went_on <= !rst && !start;
        was_last <= state_last;
        was_sampler <= state_sampler;
        was_locality <= state_locality;
        was_load_loop <= state_load_loop;
        was_divergence <= state_divergence;
        was_repetition <= state_repetition;
    end

    // Of each loop: repetition ids, counted by the load that is named as the id, and those with a diverged load.
    logic [Loads-1:0] names_itself, has_diverged;
    logic ids_right, diverged_right, heads_right;
    logic [LOAD_BITS-1:0] ids, diverged_ids;
    always_comb begin
        ids_right = 1'b1;
        diverged_right = 1'b1;
        heads_right = 1'b1;
        names_itself = '0;
        has_diverged = '0;
        for (int i = 0; i < Loads; i++) begin
            names_itself[i] = state_load_loop[i*LOOP_BITS+:LOOP_BITS] != '0 && state_repetition[i*IdBits+:IdBits] == IdBits'(i);
            for (int j = 0; j < Loads; j++) begin
                if (state_load_loop[j*LOOP_BITS+:LOOP_BITS] != '0 && state_repetition[j*IdBits+:IdBits] == IdBits'(i)) begin
                    if (state_divergence[j*2+:2] > 2'd1) has_diverged[i] = 1'b1;
                    if (state_load_loop[j*LOOP_BITS+:LOOP_BITS] != state_load_loop[i*LOOP_BITS+:LOOP_BITS]) heads_right = 1'b0;
                    if (state_repetition[i*IdBits+:IdBits] != IdBits'(i)) heads_right = 1'b0;
                end
            end
            if (state_load_loop[i*LOOP_BITS+:LOOP_BITS] == '0
                && (state_divergence[i*2+:2] != '0 || state_repetition[i*IdBits+:IdBits] != '0)) heads_right = 1'b0;
        end
        for (int l = 0; l < Loops; l++) begin
            ids = '0;
            diverged_ids = '0;
            for (int i = 0; i < Loads; i++) begin
                if (names_itself[i] && state_load_loop[i*LOOP_BITS+:LOOP_BITS] == LOOP_BITS'(l + 1)) begin
                    ids = ids + 1'b1;
                    if (has_diverged[i]) diverged_ids = diverged_ids + 1'b1;
                end
            end
            if (LOAD_BITS'(state_diverged[l*LOAD_BITS+:LOAD_BITS] + state_converged[l*LOAD_BITS+:LOAD_BITS]) != ids)
                ids_right = 1'b0;
            if (state_diverged[l*LOAD_BITS+:LOAD_BITS] != diverged_ids) diverged_right = 1'b0;
        end
    end

    // R1: Each repetition id of a loop is counted once, as diverged or as converged: the two counts of a loop add up to the number
    // of different ids among its classified loads.
    if (RULE == 1) begin : g_r1
        always_comb if (started) assert (ids_right && (!WITH || diverged_right && heads_right));
    end

    // R2: A repetition id is counted as diverged if any of its loads is diverged, and only then.
    if (RULE == 2) begin : g_r2
        always_comb if (started) assert (diverged_right && (!WITH || ids_right && heads_right));
    end

    // R3: A repetition id is the number of a load that has this id itself and is in the same loop; a load that is not classified
    // has neither an id nor a divergence counter.
    if (RULE == 3) begin : g_r3
        always_comb if (started) assert (heads_right);
    end

    // Warp a, and the innermost loop of what it executes next.
    logic [7:0] a;
    always_ff @(posedge clk) if (rst) a <= pick[7:0];
    logic [NUM_SCHEDULERS-1:0] a_issues;
    logic a_fresh, lower_fresh;
    logic [LOOP_BITS-1:0] a_loop, next_a_loop;
    always_comb begin
        a_fresh = 1'b0;
        lower_fresh = 1'b0;
        for (int w = 0; w < Slots; w++) begin
            if (8'(w) < a && fresh[w]) lower_fresh = 1'b1;
            if (8'(w) == a && fresh[w]) a_fresh = 1'b1;
        end
        next_a_loop = a_fresh && !lower_fresh ? '0 : a_loop;
        for (int s = 0; s < NUM_SCHEDULERS; s++) begin
            a_issues[s] = issue[s] && 32'(a) == s * NUM_WARPS + 32'(warp[s*WarpBits+:WarpBits])
                && 32'(warp[s*WarpBits+:WarpBits]) < NUM_WARPS;
            if (a_issues[s]) next_a_loop = loop[s*LOOP_BITS+:LOOP_BITS];
        end
    end
    always_ff @(posedge clk) a_loop <= rst || start ? '0 : next_a_loop;

    // R4: The sampler of a loop is in that loop, or in one inside it, with what it executes next; no slot beyond the last is one.
    if (RULE == 4) begin : g_r4
        logic right;
        always_comb begin
            right = 1'b1;
            for (int l = 0; l < Loops; l++) begin
                if (state_last[l*LOOP_BITS+:LOOP_BITS] != '0 && 8'(state_sampler[l*SlotBits+:SlotBits]) == a
                    && (32'(a) >= Slots || 32'(a_loop) <= l || a_loop > state_last[l*LOOP_BITS+:LOOP_BITS])) right = 1'b0;
            end
            if (started) assert (right);
        end
    end

    // R5: A loop whose locality counter is not positive has no footprint, neither for those in it nor for those that go there.
    if (RULE == 5) begin : g_r5
        logic [Loops:0] none;
        logic right;
        always_comb begin
            none = '1;
            right = 1'b1;
            for (int l = 1; l <= Loops; l++) none[l] = state_locality[(l-1)*6+:6] == '0 || state_locality[(l-1)*6+5];
            for (int s = 0; s < NUM_SCHEDULERS; s++) begin
                if (none[loop_begin[s*LOOP_BITS+:LOOP_BITS]] && footprint[s*8+:8] != '0
                    && (none[inner[s*LOOP_BITS+:LOOP_BITS]] || loop_begin[s*LOOP_BITS+:LOOP_BITS] == '0
                        || inner[s*LOOP_BITS+:LOOP_BITS] <= loop_begin[s*LOOP_BITS+:LOOP_BITS]
                        || inner[s*LOOP_BITS+:LOOP_BITS] > loop_last[s*LOOP_BITS+:LOOP_BITS])) right = 1'b0;
                if (none[next_loop[s*LOOP_BITS+:LOOP_BITS]] && closest[s*8+:8] != '0) right = 1'b0;
            end
            if (started) assert (right);
        end
    end

    // R6: A locality counter moves by one at a time and does not wrap; up on intra-warp locality alone, down without it alone.
    if (RULE == 6) begin : g_r6
        logic right, up, down;
        logic signed [6:0] was, is;
        always_ff @(posedge clk) begin
            up <= feedback && feedback_local;
            down <= feedback && !feedback_local;
        end
        always_comb begin
            right = 1'b1;
            for (int l = 0; l < Loops; l++) begin
                was = {was_locality[l*6+5], was_locality[l*6+:6]};
                is = {state_locality[l*6+5], state_locality[l*6+:6]};
                if (is != was && !(up && is == was + 7'sd1) && !(down && is == was - 7'sd1)) right = 1'b0;
            end
            if (started && went_on) assert (right);
        end
    end

    // R7: A divergence counter moves by one at a time and does not wrap, and only if more than two lanes load: up for more than
    // two accesses, else down.
    if (RULE == 7) begin : g_r7
        logic right, wide, many;
        logic [2:0] was, is;
        always_ff @(posedge clk) begin
            wide <= access && access_active > 6'd2;
            many <= access_lines > 6'd2;
        end
        always_comb begin
            right = 1'b1;
            for (int i = 0; i < Loads; i++) begin
                was = {1'b0, was_divergence[i*2+:2]};
                is = {1'b0, state_divergence[i*2+:2]};
                if (is != was && !(wide && many && is == was + 3'd1) && !(wide && !many && is == was - 3'd1)) right = 1'b0;
            end
            if (started && went_on) assert (right);
        end
    end

    // R8: After a reset, and after the start of a kernel, all outputs are 0 and nobody samples.
    if (RULE == 8) begin : g_r8
        always_comb if (started && !went_on) assert ({footprint, closest, state_last} == '0);
    end

    // R9: Loads are classified only by accesses of the warp that samples their loop, while its locality counter is positive.
    if (RULE == 9) begin : g_r9
        logic may, could;
        always_comb begin
            may = 1'b0;
            for (int l = 0; l < Loops; l++) begin
                if (access && access_loop == LOOP_BITS'(l + 1) && state_last[l*LOOP_BITS+:LOOP_BITS] != '0
                    && state_sampler[l*SlotBits+:SlotBits] == access_warp && state_locality[l*6+:6] != '0
                    && !state_locality[l*6+5]) may = 1'b1;
            end
        end
        always_ff @(posedge clk) could <= may;
        always_comb
            if (started && went_on && !could)
                assert ({state_load_loop, state_divergence, state_repetition} == {was_load_loop, was_divergence, was_repetition});
    end

    // R10: A warp that samples a loop does so until its slot is fresh or it issues; nobody takes the loop from it.
    if (RULE == 10) begin : g_r10
        logic right, a_moved;
        always_ff @(posedge clk) a_moved <= a_fresh || |a_issues;
        always_comb begin
            right = 1'b1;
            for (int l = 0; l < Loops; l++) begin
                if (was_last[l*LOOP_BITS+:LOOP_BITS] != '0 && 8'(was_sampler[l*SlotBits+:SlotBits]) == a
                    && (state_last[l*LOOP_BITS+:LOOP_BITS] == '0 || 8'(state_sampler[l*SlotBits+:SlotBits]) != a)) right = 1'b0;
            end
            if (started && went_on && !a_moved) assert (right);
        end
    end

    // R11: After the sampler of a loop has issued the loop's last instruction, and after a warp has begun to sample, the repetition
    // detector holds nothing of that warp.
    if (RULE == 11) begin : g_r11
        logic right, forgets, ended;
        always_comb begin
            forgets = 1'b0;
            for (int l = 0; l < Loops; l++) begin
                for (int s = 0; s < NUM_SCHEDULERS; s++) begin
                    if (a_issues[s] && loop_end[s*LOOP_BITS+:LOOP_BITS] == LOOP_BITS'(l + 1)
                        && state_last[l*LOOP_BITS+:LOOP_BITS] != '0 && 8'(state_sampler[l*SlotBits+:SlotBits]) == a)
                        forgets = 1'b1;
                end
            end
        end
        always_ff @(posedge clk) ended <= forgets;
        logic began, holds;
        always_comb begin
            began = 1'b0;
            holds = 1'b0;
            for (int l = 0; l < Loops; l++) begin
                if (state_last[l*LOOP_BITS+:LOOP_BITS] != '0 && 8'(state_sampler[l*SlotBits+:SlotBits]) == a
                    && (was_last[l*LOOP_BITS+:LOOP_BITS] == '0 || 8'(was_sampler[l*SlotBits+:SlotBits]) != a)) began = 1'b1;
            end
            for (int e = 0; e < Entries; e++)
                if (state_ilrd_valid[e] && 8'(state_ilrd_warp[e*SlotBits+:SlotBits]) == a) holds = 1'b1;
            right = !holds || !(ended || began);
            if (started && went_on) assert (right);
        end
    end

    // R12: A load that is classified stays so, and in the same loop, until a kernel begins; two loads with the same repetition id
    // keep having the same one.
    if (RULE == 12) begin : g_r12
        logic right;
        always_comb begin
            right = 1'b1;
            for (int i = 0; i < Loads; i++) begin
                if (was_load_loop[i*LOOP_BITS+:LOOP_BITS] != '0) begin
                    if (state_load_loop[i*LOOP_BITS+:LOOP_BITS] != was_load_loop[i*LOOP_BITS+:LOOP_BITS]) right = 1'b0;
                    for (int j = 0; j < Loads; j++) begin
                        if (was_load_loop[j*LOOP_BITS+:LOOP_BITS] != '0
                            && was_repetition[i*IdBits+:IdBits] == was_repetition[j*IdBits+:IdBits]
                            && state_repetition[i*IdBits+:IdBits] != state_repetition[j*IdBits+:IdBits]) right = 1'b0;
                    end
                end
            end
            if (started && went_on) assert (right);
        end
    end

    // R13: A footprint is what the counts say: with one active lane one line for each repetition id, with more lanes a line for each
    // lane and diverged id, two lines for each other id, and 255 stands for more; without lanes it is 0.
    if (RULE == 13) begin : g_r13
        logic right, sure;  // sure: its locality counter is positive
        logic [LOOP_BITS-1:0] asked;
        logic [LOAD_BITS-1:0] many, few;
        logic [7:0] answer;
        logic [15:0] lines;
        always_comb begin
            right = 1'b1;
            for (int s = 0; s < NUM_SCHEDULERS; s++) begin
                for (int n = 0; n < 2; n++) begin
                    asked = n == 1 ? next_loop[s*LOOP_BITS+:LOOP_BITS]
                            : inner[s*LOOP_BITS+:LOOP_BITS] == '0 ? loop_begin[s*LOOP_BITS+:LOOP_BITS] : '0;
                    answer = n == 1 ? closest[s*8+:8] : footprint[s*8+:8];
                    {many, few, sure} = '0;
                    for (int l = 0; l < Loops; l++) begin
                        if (asked == LOOP_BITS'(l + 1)) begin
                            many = many | state_diverged[l*LOAD_BITS+:LOAD_BITS];
                            few = few | state_converged[l*LOAD_BITS+:LOAD_BITS];
                            sure = state_locality[l*6+:6] == 6'd31;
                        end
                    end
                    lines = '0;
                    for (int k = 0; k < 6; k++) if (active[s*6+k]) lines = lines + (16'(many) << k);
                    if (active[s*6+:6] != '0) lines = lines + 16'(few);
                    if (active[s*6+:6] > 6'd1) lines = lines + 16'(few);
                    if (lines > 16'd255) lines = 16'd255;
                    if (asked != '0 && answer != '0 && 16'(answer) != lines) right = 1'b0;
                    if (n == 1 && answer == '0 && sure && lines != '0) right = 1'b0;
                end
            end
            if (started) assert (right);
        end
    end
endmodule

`default_nettype wire
