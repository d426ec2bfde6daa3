// SPDX-License-Identifier: Apache-2.0
// pcal: PCAL's search, one per GPU (Poise III-C, VII-C: PCAL-SWL). When a kernel begins all SMs are at (N_swl, N_swl); p is varied over the
// SMs, the best goes to all, and N climbs from N_swl until no neighbour is better. The state machine is fsm/pcal.def; the order of what
// happens in one cycle stands in cmodel/pcal/pcal.h.
//
// The SMs count; their counts are read one SM a cycle, through one adder and one comparator.
`default_nettype none

module pcal #(
    parameter int unsigned NUM_SMS = 0,           // at least 2
    parameter int unsigned NUM_SCHEDULERS = 0,    // of an SM
    parameter int unsigned NUM_WARPS = 0,         // of one scheduler
    parameter int unsigned PCAL_SAMPLE_BITS = 0,  // of a warm-up's or a sample's cycles
    localparam int unsigned S = PCAL_SAMPLE_BITS,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned SmBits = $clog2(NUM_SMS),
    localparam int unsigned CountBits = S + $clog2(NUM_SCHEDULERS + 1)
) (
    input  logic                         clk,
    input  logic                         rst,        // synchronous
    // from the block dispatcher
    input  logic                         start,      // a kernel begins, and with it the search; nothing else of the cycle counts
    input  logic [WarpBits-1:0]          warps,      // most warps of the kernel that a scheduler holds; read at start, 0 counts as 1
    // from software; of the three lengths 0 counts as 1
    input  logic [WarpBits-1:0]          start_n,    // N and p to start at; read at start, 0 and more than W count as W
    input  logic [S-1:0]                 warmup,     // cycles at a pair before it is measured
    input  logic [S-1:0]                 sample,     // cycles of a sample
    input  logic [S-1:0]                 late,       // cycles from its last one until all counts have come
    input  logic [WarpBits-1:0]          stride,     // by how much N is varied; 0: it is not
    // from the SMs
    input  logic [NUM_SMS*CountBits-1:0] issued,     // instructions issued in the last cycles in which count was 1
    input  logic [S-1:0]                 clock,      // cycles of the machine, modulo 2^S
    // to the SMs
    output logic [WarpBits-1:0]          vital,      // N: warps of each scheduler that may issue
    output logic [NUM_SMS*WarpBits-1:0]  polluters,  // p of each SM: of those, that may pollute L1D
    output logic                         count,      // count the instructions that are issued, from 0 where this rises
    // to who leaves out cycles
    output logic                         settled     // without a start no register moves
);
    localparam int unsigned SumBits = CountBits + SmBits;
    localparam int unsigned SmsBits = $clog2(NUM_SMS + 1);
    localparam int unsigned NextBits = (SmBits > WarpBits ? SmBits : WarpBits) + 1;

    if (NUM_SMS < 2) begin : g_check
        $error("p is varied over SMs: there must be 2");
    end

    typedef enum logic [2:0] {
        IDLE,
        DEAL,
        WARM,
        SAMPLE,
        WAIT,
        READ,
        DECIDE,
        HOLD
    } pcal_fsm;

    localparam logic [2:0] Spread = 3'd0, Centre = 3'd1, More = 3'd2, Less = 3'd3, Up = 3'd4, Down = 3'd5;
    localparam logic [SmBits-1:0] LastSm = SmBits'(NUM_SMS - 1);
    localparam logic [WarpBits-1:0] One = WarpBits'(1);

    pcal_fsm state_q, state_d;
    logic [2:0] point_q, point_d;
    logic [WarpBits-1:0] most_q, n_q, n_d, centre_q, best_q, best_d, first_q, first_d, value_q, value_d;
    logic [NUM_SMS*WarpBits-1:0] p_q;
    logic [SumBits-1:0] top_q, top_d, sum_q, sum_d;
    logic [SmsBits-1:0] top_idle_q, top_idle_d, whole_q, whole_d, idle_q, idle_d;
    logic [SmBits-1:0] lead_q, lead_d, sm_q, sm_d;
    logic [S-1:0] due_q, due_d;
    assign vital = n_q;
    assign polluters = p_q;
    assign count = state_q == SAMPLE;

    // Time.
    logic timed, timed_out;
    assign timed = state_q == WARM || state_q == SAMPLE || state_q == WAIT;
    assign timed_out = clock == due_q;
    assign settled = state_q == IDLE || state_q == HOLD || (timed && !timed_out);

    // A kernel begins: W and N_swl.
    logic [WarpBits-1:0] most_of, start_of;
    assign most_of = warps == '0 ? One : 32'(warps) > NUM_WARPS ? WarpBits'(NUM_WARPS) : warps;
    assign start_of = start_n == '0 || start_n > most_of ? most_of : start_n;

    // The SM whose turn it is: its count, and who is next. A p goes on with its SM of the next turn, if that is whole.
    logic spread, last_sm, complete;  // complete: the sum is
    logic [CountBits-1:0] counted;
    logic [NextBits-1:0] next;
    assign spread = point_q == Spread;
    assign last_sm = sm_q == LastSm;
    assign next = NextBits'(sm_q) + (spread ? NextBits'(n_q) : NextBits'(1));
    assign complete = {1'b0, next} >= (spread ? (NextBits + 1)'(whole_q) : (NextBits + 1)'(NUM_SMS));
    always_comb begin
        counted = '0;
        for (int i = 0; i < NUM_SMS; i++) if (SmBits'(i) == sm_q) counted = issued[i*CountBits+:CountBits];
    end

    // Sums: of p where all its SMs had work, of N where as many had none as in the best sample.
    logic better, wins;
    logic [WarpBits-1:0] winner;  // the best with this one
    assign better = idle_q == (spread ? '0 : top_idle_q) && sum_q > top_q;
    assign wins = state_q == DECIDE && (better || point_q == Centre);
    assign winner = !wins ? best_q : spread ? value_q : n_q;

    // The neighbour of the centre, or of the best, that is next: its N, and whether there is one.
    logic climbs, down, there;  // climbs: a direction was found, or is gone on with
    logic [WarpBits-1:0] from, neighbour;
    logic [WarpBits:0] above;
    assign climbs = point_q == Less ? winner != centre_q : better;
    assign down = point_q == More || (point_q == Less && winner < centre_q) || point_q == Down;
    assign from = point_q == Centre || point_q == More ? centre_q : winner;
    assign above = {1'b0, from} + {1'b0, stride};
    assign neighbour = down ? from - stride : above[WarpBits-1:0];
    assign there = down ? {1'b0, from} >= {1'b0, p_q[WarpBits-1:0]} + {1'b0, stride} : above <= {1'b0, most_q};

    // The state machine. Whoever says `deals`, `warms` or `sums` begins that.
    logic deals, warms, samples, waits, sums;
    logic [S-1:0] asked, length;
    always_comb begin
        {state_d, point_d, n_d, best_d} = {state_q, point_q, n_q, winner};
        {first_d, value_d, lead_d, sm_d, whole_d} = {first_q, value_q, lead_q, sm_q, whole_q};
        {top_d, top_idle_d, sum_d, idle_d} = {top_q, top_idle_q, sum_q, idle_q};
        {deals, warms, samples, waits, sums} = '0;
        if (wins) top_d = sum_q;
        if (wins && !spread) top_idle_d = idle_q;
        unique case (state_q)
            DEAL: begin
                if (spread && value_q == n_q) whole_d = SmsBits'(sm_q) + 1'b1;
                if (spread) value_d = value_q == n_q ? One : value_q + 1'b1;
                if (!last_sm) sm_d = sm_q + 1'b1;
                else if (point_q == Centre && stride == '0) state_d = HOLD;
                else warms = 1'b1;
            end
            WARM: samples = timed_out;
            SAMPLE: waits = timed_out;
            WAIT: begin
                sums = timed_out;
                if (timed_out) {value_d, lead_d} = {first_q, SmBits'(0)};
            end
            READ: begin
                sum_d = sum_q + SumBits'(counted);
                idle_d = idle_q + SmsBits'(counted == '0);
                if (complete) state_d = DECIDE;
                else sm_d = next[SmBits-1:0];
            end
            DECIDE: begin
                if (spread && (value_q == n_q || lead_q == LastSm)) begin
                    deals = 1'b1;
                    if (value_q == n_q) point_d = Centre;
                    first_d = value_q == n_q ? winner : value_q + 1'b1;
                end else if (spread) begin
                    sums = 1'b1;
                    value_d = value_q + 1'b1;
                    lead_d = lead_q + 1'b1;
                end else if (point_q == Centre || point_q == More || (climbs && there)) begin
                    unique case (point_q)
                        Centre: point_d = More;
                        More: point_d = Less;
                        Less: point_d = down ? Down : Up;
                        default: ;
                    endcase
                    sum_d = '0;
                    warms = there;
                    if (there) n_d = neighbour;
                end else begin
                    state_d = HOLD;
                    n_d = winner;
                end
            end
            default: ;
        endcase
        if (start) begin
            {deals, warms, samples, waits, sums} = 5'b10000;
            {point_d, first_d, n_d, best_d, top_d} = {Spread, One, start_of, start_of, SumBits'(0)};
        end
        if (deals) begin
            state_d = DEAL;
            value_d = first_d;
            {sm_d, whole_d} = '0;
        end
        if (sums) begin
            state_d = READ;
            {sm_d, sum_d, idle_d} = {lead_d, SumBits'(0), SmsBits'(0)};
        end
        if (warms) state_d = WARM;
        if (samples) state_d = SAMPLE;
        if (waits) state_d = WAIT;
    end
    always_comb begin
        asked = warms ? warmup : samples ? sample : late;
        length = asked == '0 ? S'(1) : asked;
        due_d = warms || samples || waits ? clock + length : due_q;
    end

    always_ff @(posedge clk) begin
        if (rst) begin
            state_q <= IDLE;
            {point_q, top_q, top_idle_q, first_q, value_q, lead_q, sm_q, whole_q, sum_q, idle_q, due_q} <= '0;
            {most_q, n_q, centre_q, best_q} <= {4{WarpBits'(NUM_WARPS)}};
        end else begin
            {state_q, point_q, n_q, best_q, first_q, value_q} <= {state_d, point_d, n_d, best_d, first_d, value_d};
            {sm_q, whole_q, due_q, top_q} <= {sm_d, whole_d, due_d, top_d};
            if (!start) {lead_q, top_idle_q, sum_q, idle_q} <= {lead_d, top_idle_d, sum_d, idle_d};
            if (start) {most_q, centre_q} <= {most_of, start_of};
        end
    end
    for (genvar i = 0; i < NUM_SMS; i++) begin : g_sm
        always_ff @(posedge clk) begin
            if (rst) p_q[i*WarpBits+:WarpBits] <= WarpBits'(NUM_WARPS);
            else if (start) p_q[i*WarpBits+:WarpBits] <= start_of;
            else if (state_q == DEAL && SmBits'(i) == sm_q) p_q[i*WarpBits+:WarpBits] <= value_q;
        end
    end
endmodule

`default_nettype wire
