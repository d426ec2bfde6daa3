// SPDX-License-Identifier: Apache-2.0
// rlws_state: what the learner of RLWS sees of its SM (RLWS IV-B). It counts the 34 attributes of table II; for each of eight variables
// software says which attribute it is of, and where its buckets begin. The order of what happens in one cycle stands in
// cmodel/rlws_state/rlws_state.h.
//
// Four attributes are ratios. One divider serves them in turn, a bit of the quotient in each cycle.
`default_nettype none

module rlws_state #(
    parameter int unsigned NUM_SCHEDULERS = 0,
    parameter int unsigned NUM_WARPS = 0,        // of one scheduler, at most 64
    parameter int unsigned LOAD_BITS = 0,        // of a load's number
    parameter int unsigned RLWS_COUNT_BITS = 0,  // of what ratios are taken of
    parameter bit [3:0] RATIOS = 4'b1111,        // which are shown: misses of fetches, of L1D, and the quotients of attributes 31 and 22
    localparam int unsigned S = NUM_SCHEDULERS,
    localparam int unsigned N = NUM_WARPS,
    localparam int unsigned Slots = S * N,
    localparam int unsigned WarpBits = $clog2(N),
    localparam int unsigned B = RLWS_COUNT_BITS
) (
    input  logic                       clk,
    input  logic                       rst,          // synchronous
    // from the block dispatcher
    input  logic                       start,        // a kernel begins; in_flight and waiting go on, all else is as after a reset
    input  logic                       last_block,   // none waits to be handed out after this cycle
    output logic                       waiting,      // blocks wait to be handed out
    // from the warps of all schedulers
    input  logic [Slots-1:0]           occupied,     // the slot has a warp
    input  logic [Slots-1:0]           running,      // which has begun, has not ended and waits at no barrier
    input  logic [Slots-1:0]           at_barrier,   // which waits at one
    input  logic [Slots-1:0]           done,         // which has ended; its block has not
    input  logic [Slots-1:0]           buffered,     // a valid instruction is in its buffer
    input  logic [Slots-1:0]           clear,        // the next instruction waits for no register
    input  logic [Slots-1:0]           split,        // lanes of the warp have left the others
    input  logic [Slots-1:0]           next_sp,      // where the next instruction issues to
    input  logic [Slots-1:0]           next_sfu,
    input  logic [Slots-1:0]           next_gmem,
    input  logic [Slots-1:0]           next_stcmem,
    input  logic [Slots*LOAD_BITS-1:0] next_load,    // number of the load that it is
    input  logic [Slots*6-1:0]         block,        // thread-block context
    input  logic                       block_end,    // a block has ended, or more
    // from the schedulers
    input  logic [S-1:0]               issued,       // an instruction is issued
    input  logic [S*2-1:0]             issue_class,  // to SP, SFU, MEM for global memory, MEM for other memory
    input  logic [S*WarpBits-1:0]      issued_warp,  // of which warp
    input  logic [S-1:0]               fetch,        // the instruction cache is looked up
    input  logic [S-1:0]               fetch_miss,   // and does not have the line
    // from the pipelines
    input  logic [S-1:0]               takes_sp,     // an instruction is taken
    input  logic                       takes_sfu,
    input  logic                       takes_mem,
    input  logic [9:0]                 completed,    // memory instructions that have completed
    // from L1D
    input  logic                       access,       // a load accesses a line
    input  logic                       miss,         // and does not find it
    input  logic [LOAD_BITS-1:0]       missed_load,  // number of that load
    // from the GPU
    input  logic [9:0]                 agml,         // average latency of global memory
    input  logic [6:0]                 l2mp,         // misses of L2 in percent
    input  logic [9:0]                 gnmie,        // memory instructions issued and not completed
    // from software
    input  logic [8*6-1:0]             attribute,    // of each variable; above 33 it stays 0
    input  logic [56*10-1:0]           edges,        // of each variable: the least of buckets 1 to 7
    // to the learner
    output logic [S*8*3-1:0]           value,        // bucket of each variable of each scheduler
    output logic                       busy          // a ratio is divided, or will be
);
    localparam int unsigned Loads = 1 << (LOAD_BITS - 1), CountBits = $clog2(N + 1), AddBits = $clog2(S + 1);
    localparam int unsigned Attributes = 34, LowBits = B + 7, StepBits = $clog2(B + 8);
    localparam logic [9:0] Most = 10'd1022;  // that an attribute can be

    if (N > 64 || B < 4 || LOAD_BITS < 2) begin : g_check
        $error("counts have 10 bits, a quotient can be above 1022, and loads have numbers");
    end

    logic waiting_q, ended_q, recent_known_q;
    logic [Loads-1:0] missed_q;
    logic [5:0] recent_q;
    logic [9:0] in_flight_q;
    logic [4*B-1:0] dividend_q, divisor_q;
    logic [2*7-1:0] percent_q;
    logic [2*10-1:0] quotient_q;
    logic [3:0] stale_q;
    logic [1:0] turn_q;
    logic [StepBits-1:0] steps_q;
    logic [LowBits-1:0] low_q;
    logic [B-1:0] high_q, by_q;
    assign waiting = waiting_q;
    assign busy = stale_q != '0 || steps_q != '0;

    // Each scheduler's attributes, and the buckets that they are in.
    logic barrier, finished;
    assign barrier = at_barrier != '0;
    assign finished = done != '0;
    for (genvar k = 0; k < S; k++) begin : g_scheduler
        logic [N-1:0] long_load, recent_block;
        for (genvar w = k * N; w < (k + 1) * N; w++) begin : g_warp
            logic [LOAD_BITS-1:0] load;  // from 0 on; of none, and of those that are not noted, the highest bit is set
            assign load = next_load[w*LOAD_BITS+:LOAD_BITS] - 1'b1;
            assign long_load[w-k*N] = !load[LOAD_BITS-1] && missed_q[load[LOAD_BITS-2:0]];
            assign recent_block[w-k*N] = recent_known_q && block[w*6+:6] == recent_q;
        end
        logic [4:0] any;
        logic [18*CountBits-1:0] count;
        rlws_warps #(
            .NUM_WARPS(N)
        ) warps (
            .occupied(occupied[k*N+:N]),
            .running(running[k*N+:N]),
            .buffered(buffered[k*N+:N]),
            .clear(clear[k*N+:N]),
            .split(split[k*N+:N]),
            .next_sp(next_sp[k*N+:N]),
            .next_sfu(next_sfu[k*N+:N]),
            .next_gmem(next_gmem[k*N+:N]),
            .next_stcmem(next_stcmem[k*N+:N]),
            .long_load(long_load),
            .recent_block(recent_block),
            .takes_sp(takes_sp[k]),
            .takes_sfu(takes_sfu),
            .takes_mem(takes_mem),
            .any(any),
            .count(count)
        );
        logic [64*16-1:0] seen;  // of each attribute 16 bits, so that its number is an address
        always_comb begin
            seen = '0;
            seen[0*16] = barrier;
            seen[1*16] = finished;
            seen[2*16] = waiting_q;
            for (int a = 0; a < 5; a++) seen[(a+3)*16] = any[a];
            seen[8*16] = !ended_q;
            for (int a = 0; a < 18; a++) seen[(a+9)*16+:10] = 10'(count[a*CountBits+:CountBits]);
            seen[22*16+:10] = quotient_q[10+:10];
            seen[27*16+:10] = in_flight_q;
            seen[28*16+:10] = 10'(percent_q[0+:7]);
            seen[29*16+:10] = 10'(percent_q[7+:7]);
            seen[30*16+:10] = 10'(l2mp);
            seen[31*16+:10] = quotient_q[0+:10];
            seen[32*16+:10] = agml;
            seen[33*16+:10] = gnmie;
        end
        for (genvar i = 0; i < 8; i++) begin : g_variable
            logic [5:0] number;
            logic [9:0] chosen;
            logic [2:0] bucket;
            assign number = attribute[i*6+:6];
            assign chosen = seen[{number, 4'd0}+:10];
            always_comb begin
                bucket = '0;  // an edge of 1023 is above all that an attribute is taken for
                for (int e = 0; e < 7; e++) begin
                    bucket = bucket + 3'(number < 6'(Attributes) && edges[(i*7+e)*10+:10] <= chosen && edges[(i*7+e)*10+:10] != '1);
                end
            end
            assign value[(k*8+i)*3+:3] = bucket;
        end
    end

    // What is issued and fetched, and the block that the last memory instruction is of.
    logic [AddBits-1:0] alus, mems, fetches, fetch_misses;
    logic misses;
    logic [5:0] recent_d;
    always_comb begin
        {alus, mems, fetches, fetch_misses} = '0;
        recent_d = recent_q;
        for (int k = 0; k < S; k++) begin
            alus = alus + AddBits'(issued[k] && !issue_class[k*2+1]);
            mems = mems + AddBits'(issued[k] && issue_class[k*2+1]);
            fetches = fetches + AddBits'(fetch[k]);
            fetch_misses = fetch_misses + AddBits'(fetch[k] && fetch_miss[k]);
            for (int w = 0; w < N; w++) begin
                if (issued[k] && issue_class[k*2+1] && issued_warp[k*WarpBits+:WarpBits] == WarpBits'(w)) recent_d = block[(k*N+w)*6+:6];
            end
        end
    end
    assign misses = access && miss;

    logic [10:0] in_flight_sum;
    logic [9:0] in_flight_d;
    assign in_flight_sum = 11'(in_flight_q) + 11'(mems);
    always_comb begin
        in_flight_d = 10'(in_flight_sum - 11'(completed));
        if (in_flight_sum <= 11'(completed)) in_flight_d = '0;
        else if (in_flight_sum - 11'(completed) > 11'd1023) in_flight_d = '1;
    end

    logic [LOAD_BITS-1:0] noted;  // from 0 on, as above
    assign noted = missed_load - 1'b1;
    always_ff @(posedge clk) begin
        if (rst) begin
            waiting_q <= 1'b0;
            in_flight_q <= '0;
        end else begin
            waiting_q <= (start || waiting_q) && !last_block;
            in_flight_q <= in_flight_d;
        end
        if (rst || start) begin
            ended_q <= 1'b0;
            missed_q <= '0;
            recent_q <= '0;
            recent_known_q <= 1'b0;
        end else begin
            ended_q <= ended_q || block_end;
            if (misses && !noted[LOAD_BITS-1]) missed_q[noted[LOAD_BITS-2:0]] <= 1'b1;
            recent_q <= recent_d;
            recent_known_q <= recent_known_q || mems != '0;
        end
    end

    // What ratios are taken of: a pair of counts each, halved when one would be full.
    logic [4*AddBits-1:0] above, below;  // by how much they grow
    logic [3:0] grows;
    assign above = {alus, alus + mems, AddBits'(misses), fetch_misses};
    assign below = {mems, AddBits'(misses), AddBits'(access), fetches};
    for (genvar r = 0; r < 4; r++) begin : g_ratio
        logic [B:0] dividend_sum, divisor_sum;
        logic full;
        assign grows[r] = RATIOS[r] && (above[r*AddBits+:AddBits] != '0 || below[r*AddBits+:AddBits] != '0);
        assign dividend_sum = {1'b0, dividend_q[r*B+:B]} + (B + 1)'(above[r*AddBits+:AddBits]);
        assign divisor_sum = {1'b0, divisor_q[r*B+:B]} + (B + 1)'(below[r*AddBits+:AddBits]);
        assign full = dividend_sum[B] || divisor_sum[B];
        always_ff @(posedge clk) begin
            if (rst || start) begin
                dividend_q[r*B+:B] <= '0;
                divisor_q[r*B+:B] <= '0;
            end else begin
                dividend_q[r*B+:B] <= full ? dividend_sum[B:1] : dividend_sum[B-1:0];
                divisor_q[r*B+:B] <= full ? divisor_sum[B:1] : divisor_sum[B-1:0];
            end
        end
    end

    // The divider: a restoring one. Next comes the first ratio behind the last one whose counts have changed.
    logic takes, ends, fits;
    logic [1:0] next;
    logic [B:0] part;
    logic [B-1:0] rest, dividend, divisor;  // of the ratio that is next
    logic [LowBits-1:0] low_d;
    logic [9:0] found;
    logic [6:0] found_percent;
    always_comb begin
        next = turn_q;
        for (int n = 3; n > 0; n--) if (stale_q[turn_q+2'(n)]) next = turn_q + 2'(n);
        dividend = '0;
        divisor = '0;
        for (int r = 0; r < 4; r++) begin
            if (next == 2'(r)) begin
                dividend = dividend_q[r*B+:B];
                divisor = divisor_q[r*B+:B];
            end
        end
    end
    assign takes = steps_q == '0 && stale_q != '0;
    assign ends = steps_q == StepBits'(1);
    assign part = {high_q, low_q[LowBits-1]};
    assign fits = part >= {1'b0, by_q};
    assign rest = part[B-1:0] - by_q;
    assign low_d = {low_q[LowBits-2:0], fits};
    assign found = low_d > LowBits'(Most) ? Most : low_d[9:0];
    assign found_percent = by_q == '0 ? '0 : low_d[6:0];
    always_ff @(posedge clk) begin
        if (rst || start) begin
            stale_q <= '0;
            {turn_q, steps_q, low_q, high_q, by_q} <= '0;
            percent_q <= '0;
            quotient_q <= {Most, Most};
        end else begin
            stale_q <= (takes ? stale_q & ~(4'd1 << next) : stale_q) | grows;
            if (takes) begin
                turn_q <= next;
                steps_q <= StepBits'(LowBits);
                low_q <= LowBits'(dividend) * (next[1] ? LowBits'(1) : LowBits'(100));
                high_q <= '0;
                by_q <= divisor;
            end else if (steps_q != '0) begin
                steps_q <= steps_q - 1'b1;
                low_q <= low_d;
                high_q <= fits ? rest : part[B-1:0];
            end
            for (int r = 0; r < 2; r++) begin
                if (ends && turn_q == 2'(r)) percent_q[r*7+:7] <= found_percent;
                if (ends && turn_q == 2'(r + 2)) quotient_q[r*10+:10] <= found;
            end
        end
    end
endmodule

`default_nettype wire
