// SPDX-License-Identifier: Apache-2.0
// dvfs_props: the rules of the frequency controller of P-DVFS, restated from its ports and registers without looking at how the RTL does it.
// tests/formal/run.sh builds the proof of one rule (parameter RULE) around it; it takes each rule's number and words from the lines
// `// R<n>: ...`.
//
// Rules about times hold while the clock goes on by one in each cycle and the settings stay as they are, and that about slots while the
// edges do, too. All others hold for any inputs.
`default_nettype none

module dvfs_props #(
    parameter int unsigned DVFS_SLOTS = 0,
    parameter int unsigned DVFS_LEVELS = 0,
    parameter int unsigned DVFS_TIME_BITS = 0,
    parameter int unsigned DVFS_SETTLE_BITS = 0,
    parameter int unsigned DVFS_COUNT_BITS = 0,
    parameter int unsigned DVFS_EDGE_BITS = 0,
    parameter int unsigned DVFS_SHARE_BITS = 0,
    parameter int unsigned RULE = 0,
    parameter logic WITH = 1'b0,  // prove what rules 6, 8 and 9 say of the registers along with the rule
    localparam int unsigned T = DVFS_TIME_BITS,
    localparam int unsigned C = DVFS_COUNT_BITS,
    localparam int unsigned E = DVFS_EDGE_BITS,
    localparam int unsigned S = DVFS_SHARE_BITS,
    localparam int unsigned SlotBits = $clog2(DVFS_SLOTS),
    localparam int unsigned LevelBits = $clog2(DVFS_LEVELS),
    localparam int unsigned FractionBits = $clog2(E + 1),
    localparam int unsigned StepBits = $clog2(C + 2 ** FractionBits)
) (
    input logic                              clk,
    input logic                              rst,
    input logic                              started,  // the first cycle, a reset, is over
    input logic                              run,
    input logic [T-1:0]                      scaling,
    input logic [T-1:0]                      control,
    input logic [DVFS_SETTLE_BITS-1:0]       settle,
    input logic [FractionBits-1:0]           fraction,
    input logic [1:0]                        write,
    input logic [SlotBits-1:0]               index,
    input logic [E-1:0]                      value,
    input logic [C-1:0]                      issued,
    input logic [C-1:0]                      missed,
    input logic [T:0]                        clock,
    input logic                              change,
    input logic                              settling,
    input logic                              counted,
    input logic                              busy,
    input logic [2:0]                        state_state,
    input logic [LevelBits-1:0]              state_level,
    input logic                              state_irq,
    input logic [SlotBits-1:0]               state_slot,
    input logic [DVFS_SLOTS*S-1:0]           state_histogram,
    input logic [(DVFS_SLOTS-1)*E-1:0]       state_edges,
    input logic [2*DVFS_SLOTS*LevelBits-1:0] state_table,
    input logic                              state_used,
    input logic [T:0]                        state_due,
    input logic [T-1:0]                      state_left,
    input logic [T:0]                        state_ends,
    input logic [C-1:0]                      state_instructions,
    input logic [C-1:0]                      state_misses,
    input logic                              state_by_control,
    input logic [C-1:0]                      state_divisor,
    input logic [C-1:0]                      state_remainder,
    input logic [C-1:0]                      state_quotient,
    input logic [StepBits-1:0]               state_step
);
    localparam logic [2:0] Idle = 0, Run = 1, Divide = 2, Search = 3, Lookup = 4, Settle = 5, Control = 6;
    localparam logic [1:0] Edge = 1, Entry = 2, Commit = 3;
    localparam logic [LevelBits-1:0] Highest = LevelBits'(DVFS_LEVELS - 1);

    // The cycle before this one.
    logic known, was_run, was_change, was_counted;
    logic [1:0] was_write;
    logic [2:0] was_state;
    logic [LevelBits-1:0] was_level;
    logic [SlotBits-1:0] was_slot;
    logic [DVFS_SLOTS*S-1:0] was_histogram;
    logic [T:0] was_clock;
    always_ff @(posedge clk) begin
        known <= started && !rst;
        {was_run, was_change, was_counted, was_write, was_state} <= {run, change, counted, write, state_state};
        {was_level, was_slot, was_histogram, was_clock} <= {state_level, state_slot, state_histogram, clock};
    end

    // Lengths as software means them. `kept`: settings are as the reset found them, and the clock has gone on by one in each cycle since.
    logic [T-1:0] scaling_of, control_of, scaling_q, control_q;
    logic [DVFS_SETTLE_BITS-1:0] settle_of, settle_q;
    logic [FractionBits-1:0] fraction_q;
    logic kept, kept_q;
    assign scaling_of = scaling == '0 ? T'(1) : scaling;
    assign control_of = control == '0 ? T'(1) : control;
    assign settle_of = settle == '0 ? DVFS_SETTLE_BITS'(1) : settle;
    assign kept = kept_q && {scaling_of, control_of, settle_of, fraction} == {scaling_q, control_q, settle_q, fraction_q}
                  && (!known || clock == was_clock + 1'b1);
    always_ff @(posedge clk) begin
        kept_q <= rst || !started || kept;
        if (rst || !started) {scaling_q, control_q, settle_q, fraction_q} <= {scaling_of, control_of, settle_of, fraction};
    end

    // What happens in this cycle: it begins to run, or stops; a point ends a period.
    logic waits, starts, stops, settled, point, searching;
    logic [T:0] since_due, since_ends;
    assign since_due = clock - state_due;
    assign since_ends = clock - state_ends;
    assign waits = state_state == Run || state_state == Control;
    assign searching = state_state == Divide || state_state == Search || state_state == Lookup;
    assign settled = !since_ends[T];
    assign starts = state_state == Idle && run;
    assign stops = !run && (state_state != Settle || settled);
    assign point = waits && run && !since_due[T];

    // Counts of this period, and of the one that is searched; whether a control point ended that.
    logic [C-1:0] here, here_misses, there, there_misses;
    logic [C:0] sum, sum_misses;
    logic [C-1:0] all, all_misses;
    logic asked_by;
    assign sum = {1'b0, here} + {1'b0, issued};
    assign sum_misses = {1'b0, here_misses} + {1'b0, missed};
    assign all = sum[C] ? '1 : sum[C-1:0];
    assign all_misses = sum_misses[C] ? '1 : sum_misses[C-1:0];
    always_ff @(posedge clk) begin
        if (rst) {here, here_misses, there, there_misses, asked_by} <= '0;
        else begin
            {here, here_misses} <= starts || point ? '0 : {all, all_misses};
            if (point && all != '0) {there, there_misses, asked_by} <= {all, all_misses, state_left == '0};
        end
    end
    logic truth;
    assign truth = (state_state == Idle || {state_instructions, state_misses} == {here, here_misses})
                   && (!searching || {state_divisor, state_by_control} == {there, asked_by}) && kept_asks == state_irq
                   && (state_state != Run || !kept_asks) && (state_state != Control || kept_asks) && (state_state != Idle || !kept_asks)
                   && !(state_state == Settle && state_by_control) && state_state <= Control;

    // Software is asked for a table, and has not answered.
    logic kept_asks, asks_now;
    assign asks_now = (point && all == '0 && state_left == '0) || (counted && asked_by);
    always_ff @(posedge clk) kept_asks <= !rst && !stops && (asks_now || (kept_asks && write != Commit));

    // Times. When this period began; how many cycles ago; after how many a scaling or the control point comes; cycles of SETTLE before this
    // one. A search takes as many cycles in all as `search`, and has taken `progress` so far, this one included.
    localparam int unsigned Wide = (T > DVFS_SETTLE_BITS ? T : DVFS_SETTLE_BITS) + 2;
    logic [T:0] began, age, span;
    logic [T-1:0] left;
    logic [DVFS_SETTLE_BITS-1:0] in_settle;
    logic [Wide-1:0] search, progress;
    logic was_waiting, timely;
    assign age = clock - began;
    assign span = {1'b0, left > scaling_of ? scaling_of : left};
    always_ff @(posedge clk) begin
        if (starts || point) began <= clock;
        if (starts || (point && left <= scaling_of)) left <= control_of;
        else if (point) left <= left - scaling_of;
        in_settle <= rst || !settling ? '0 : in_settle + 1'b1;
        was_waiting <= waits;
    end
    assign search = Wide'(C + DVFS_SLOTS) + Wide'(fraction);
    assign progress = state_state == Divide ? Wide'(state_step) + Wide'(1)
                      : state_state == Search ? Wide'(C + 1) + Wide'(fraction) + Wide'(state_step) : search;
    // What is so inside the unit, such that rules 1, 2 and 7 hold.
    assign timely = (state_state == Idle || (state_due == began + span && state_left == (left > scaling_of ? left - scaling_of : '0) && left != '0))
                    && (state_state != Divide || 32'(state_step) < C + 32'(fraction)) && (state_state != Search || 32'(state_step) < DVFS_SLOTS - 1)
                    && (!searching || Wide'(age) == progress)
                    && (state_state != Settle || (Wide'(age) == search + Wide'(in_settle) + Wide'(1) && in_settle < settle_of
                                                  && state_ends == clock + (T + 1)'(settle_of) - (T + 1)'(in_settle) - 1'b1))
                    && (!waits || age != '0) && (!waits || age <= span || (!was_waiting && Wide'(age) <= search + Wide'(settle_of) + Wide'(1)));

    // R1: One change per T_scaling: from one change of the level to the next at least T_scaling cycles pass.
    if (RULE == 1) begin : g_r1
        logic changed;
        logic [T-1:0] since;  // cycles since the last change, no more than can be said
        logic apart;
        always_ff @(posedge clk) begin
            if (rst) {changed, since} <= '0;
            else begin
                changed <= changed || change;
                since <= change ? T'(1) : &since ? since : since + 1'b1;
            end
        end
        assign apart = !changed || &since || (Wide'(since) + search >= Wide'(age)
                                              && (!searching || asked_by || Wide'(since) + search >= Wide'(scaling_of) + progress));
        always_comb if (started && kept) assert ((!(change && changed) || since >= scaling_of) && (!WITH || (truth && timely && (state_state == Idle || apart))));
    end

    // R2: A change takes its time: SETTLE follows at once, lasts as many cycles as software says, and in it the level stays as it is.
    if (RULE == 2) begin : g_r2
        always_comb begin
            if (started) begin
                assert ((!known || !was_change || settling) && !(settling && change) && (!(known && was_state == Settle) || state_level == was_level)
                        && settling == (state_state == Settle)
                        && (!kept || !known || !(settling || was_state == Settle) || (settling ? in_settle < settle_of : in_settle == settle_of))
                        && (!WITH || !kept || timely));
            end
        end
    end

    // Tables as software wrote them: the one in use, and the other.
    logic [DVFS_SLOTS*LevelBits-1:0] front, back, back_d, front_of, back_of;
    assign front_of = state_used ? state_table[DVFS_SLOTS*LevelBits+:DVFS_SLOTS*LevelBits] : state_table[0+:DVFS_SLOTS*LevelBits];
    assign back_of = state_used ? state_table[0+:DVFS_SLOTS*LevelBits] : state_table[DVFS_SLOTS*LevelBits+:DVFS_SLOTS*LevelBits];
    always_comb begin
        back_d = back;
        for (int i = 0; i < DVFS_SLOTS; i++) begin
            if (write == Entry && 32'(index) == i) back_d[i*LevelBits+:LevelBits] = 32'(value) >= DVFS_LEVELS ? Highest : value[LevelBits-1:0];
        end
    end
    always_ff @(posedge clk) begin
        if (rst) {front, back} <= {(2 * DVFS_SLOTS) {Highest}};
        else {front, back} <= write == Commit ? {back, front} : {front, back_d};
    end

    // R3: The level changes to that which the table in use has for the slot, when a scaling point's period is counted; by nothing else, and
    // if it is that already, not at all.
    if (RULE == 3) begin : g_r3
        logic [LevelBits-1:0] found, was_found;
        always_comb begin
            found = '0;
            for (int i = 0; i < DVFS_SLOTS; i++) if (32'(state_slot) == i) found = front[i*LevelBits+:LevelBits];
        end
        always_ff @(posedge clk) was_found <= found;
        always_comb begin
            if (started) begin
                assert (change == (counted && !asked_by && found != state_level) && (!known || state_level == (was_change ? was_found : was_level))
                        && (!WITH || (truth && front_of == front && back_of == back)));
            end
        end
    end

    // R4: Tables are swapped as a whole: the one in use changes by a commit alone, and is then what was written to the other before.
    if (RULE == 4) begin : g_r4
        always_comb if (started && known) assert (front_of == front && back_of == back);
    end

    // R5: The slot of a period is the number of edges that its misses per instruction reach: misses * 2^fraction >= edge * instructions.
    if (RULE == 5) begin : g_r5
        localparam int unsigned Product = C + 2 ** FractionBits + E;
        logic same_q, same;  // edges have stayed since the period ended
        logic [SlotBits-1:0] reached;
        assign same = same_q && write != Edge;
        always_ff @(posedge clk) same_q <= !rst && (point || same);
        always_comb begin
            reached = '0;
            for (int i = 0; i < DVFS_SLOTS - 1; i++) begin
                reached = reached + SlotBits'(Product'(there_misses) << fraction >= Product'(state_edges[i*E+:E]) * Product'(there));
            end
        end
        always_comb if (started && kept) assert (!(counted && same_q) || state_slot == reached);
    end

    // R6: Shares sum up: the instructions of a period are added to the count of its slot, once, and to no other; nothing else moves a count.
    if (RULE == 6) begin : g_r6
        logic [DVFS_SLOTS*S-1:0] should;
        logic [C-1:0] was_there;
        always_ff @(posedge clk) was_there <= there;
        always_comb begin
            should = was_histogram;
            for (int i = 0; i < DVFS_SLOTS; i++) if (was_counted && 32'(was_slot) == i) should[i*S+:S] = was_histogram[i*S+:S] + S'(was_there);
        end
        always_comb begin
            if (started) begin
                assert ((!known || state_histogram == should) && counted == (state_state == Lookup && run)
                        && !(known && was_counted && state_state == Lookup) && (!WITH || truth));
            end
        end
    end

    // R7: A period lasts T_scaling cycles, or as many as are left to the control point if these are not more, and only while a slot is
    // searched or the frequency settles longer. Control points are T_control apart, but for what points before them were late.
    if (RULE == 7) begin : g_r7
        always_comb begin
            if (started && known && kept) begin
                assert ((!(waits && run) || (point == (age >= span) && (age <= span || !was_waiting)
                                             && (!point || (state_left == '0) == (left <= scaling_of))))
                        && (!WITH || timely));
            end
        end
    end

    // R8: Software is asked when the period before a control point has been counted, or had no instructions, and until it commits a table or stops
    // the unit: no control point is lost, and a scaling point asks nothing.
    if (RULE == 8) begin : g_r8
        always_comb begin
            if (started && known) begin
                assert (state_irq == kept_asks && (state_state != Control || kept_asks) && (state_state != Run || !kept_asks)
                        && (!WITH || truth));
            end
        end
    end

    // R9: What the SMs tell is counted once, in the period of its cycle, as far as a count holds; and the slot of a period is searched if it had
    // instructions.
    if (RULE == 9) begin : g_r9
        logic was_point;
        logic [C-1:0] was_all;
        always_ff @(posedge clk) {was_point, was_all} <= {point, all};
        always_comb begin
            if (started && known) begin
                assert ((state_state == Idle || {state_instructions, state_misses} == {here, here_misses})
                        && (!was_point || (state_state == Divide) == (was_all != '0))
                        && (!(was_point && was_all != '0) || {state_divisor, state_quotient} == {there, there_misses}) && (!WITH || truth));
            end
        end
    end

    // R10: The state machine takes only the edges of fsm/dvfs.def, and never stands still in LOOKUP. What runs is idle only when software stops it.
    if (RULE == 10) begin : g_r10
        logic [7:0] next;
        always_comb begin
            unique case (was_state)
                Idle: next = 8'b00000011;
                Run: next = 8'b01000111;
                Divide: next = 8'b00001101;
                Search: next = 8'b00011001;
                Lookup: next = 8'b01100011;
                Settle: next = 8'b01100011;
                Control: next = 8'b01000111;
                default: next = 8'b0;
            endcase
            if (was_state == Settle) next[Settle] = 1'b1;
        end
        always_comb if (started && known) assert (next[state_state] && (state_state != Idle || was_state == Idle || !was_run));
    end

    // R11: After a reset it does not run; the level is the highest, and so are those of both tables; all counts are 0; no edge is reached but by
    // what reaches every edge.
    if (RULE == 11) begin : g_r11
        logic was_reset;
        always_ff @(posedge clk) was_reset <= rst;
        always_comb begin
            if (started && was_reset) begin
                assert (state_state == Idle && state_level == Highest && state_table == {(2 * DVFS_SLOTS) {Highest}} && &state_edges
                        && {state_irq, state_slot, state_histogram, state_used, state_due, state_left, state_ends} == '0
                        && {state_instructions, state_misses, state_by_control} == '0
                        && {state_divisor, state_remainder, state_quotient, state_step} == '0);
            end
        end
    end

    // R12: An edge changes when software writes it, and by nothing else.
    if (RULE == 12) begin : g_r12
        logic [(DVFS_SLOTS-1)*E-1:0] should;
        always_ff @(posedge clk) begin
            for (int i = 0; i < DVFS_SLOTS - 1; i++) should[i*E+:E] <= write == Edge && 32'(index) == i ? value : state_edges[i*E+:E];
        end
        always_comb if (started && known) assert (state_edges == should);
    end

    // R13: What software stops is idle in the next cycle, but that a change is finished; what is idle keeps its level, counts nothing and asks
    // nothing.
    if (RULE == 13) begin : g_r13
        logic idle, still;
        assign idle = state_state == Idle;
        assign still = !change && !counted && !settling && !state_irq && (!known || was_state != Idle || state_level == was_level);
        always_comb begin
            if (started) assert ((!idle || still) && (!known || was_run || was_state == Settle || idle) && (!WITH || truth));
        end
    end
endmodule

`default_nettype wire
