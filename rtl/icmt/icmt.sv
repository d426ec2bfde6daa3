// SPDX-License-Identifier: Apache-2.0
// icmt: the issue arbiter of one scheduler that two kernels share: two-level GTO (thesis 8.6.1), up to one instruction of each
// class, SP, SFU and MEM (8.5.1). The order of what happens in one cycle stands in cmodel/icmt/icmt.h.
`default_nettype none

module icmt #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic                  clk,
    input  logic                  rst,           // synchronous
    // from software
    input  logic [1:0]            issue,         // grants in a cycle, at most: 1 to 3; 0: none
    // from the block slots
    input  logic [NUM_WARPS-1:0]  kernel_1,      // the warp is of kernel 1; else of kernel 0
    // from the instruction buffer, the scoreboard and the pipelines
    input  logic [NUM_WARPS-1:0]  ready_sp,      // next instruction can issue to SP
    input  logic [NUM_WARPS-1:0]  ready_sfu,     // next instruction can issue to SFU
    input  logic [NUM_WARPS-1:0]  ready_gmem,    // next instruction can issue to MEM, for global memory
    input  logic [NUM_WARPS-1:0]  ready_stcmem,  // next instruction can issue to MEM, for shared, texture, constant
    input  logic [NUM_WARPS-1:0]  load,          // next instruction is a load from global memory
    // from throttling units
    input  logic [NUM_WARPS-1:0]  allow,         // may issue at all
    input  logic [NUM_WARPS-1:0]  allow_load,    // may issue loads
    input  logic [3:0]            allow_class,   // may issue: bit 0 SP, 1 SFU, 2 GMEM, 3 STCMEM
    // from the block dispatcher
    input  logic                  alloc,         // a warp is allocated this cycle
    input  logic [WarpBits-1:0]   alloc_warp,    // which
    // to the pipelines, of SP, SFU and MEM, the lowest bits first
    output logic [2:0]            grant_valid,   // a warp is granted this cycle
    output logic [3*WarpBits-1:0] grant,         // which; 0 without a grant
    // to units that go by age
    output logic [Pairs-1:0]      order          // pair (i, j), i < j, row after row: i is older than j
);
    localparam int unsigned All = 3;  // behind the classes: the leader, which is chosen among all warps

    logic [1:0] last_valid_q, last_valid_d, first_q, first_d;
    logic [2*WarpBits-1:0] last_q, last_d;
    logic turn_q;

    // Who may issue: of each class, and of any.
    logic [3*NUM_WARPS-1:0] ready;
    logic [4*NUM_WARPS-1:0] sets;  // and those of any class, behind
    assign ready[0+:NUM_WARPS] = {NUM_WARPS{allow_class[0]}} & ready_sp & allow;
    assign ready[NUM_WARPS+:NUM_WARPS] = {NUM_WARPS{allow_class[1]}} & ready_sfu & allow;
    assign ready[2*NUM_WARPS+:NUM_WARPS] = (({NUM_WARPS{allow_class[2]}} & ready_gmem & (~load | allow_load))
                                          | ({NUM_WARPS{allow_class[3]}} & ready_stcmem)) & allow;
    assign sets = {ready[0+:NUM_WARPS] | ready[NUM_WARPS+:NUM_WARPS] | ready[2*NUM_WARPS+:NUM_WARPS], ready};

    // Warps of the kernel with priority; each kernel's greedy warp, if it is still the kernel's.
    logic [NUM_WARPS-1:0] preferred, greedy;
    logic [2*NUM_WARPS-1:0] warps_of;
    always_comb begin
        warps_of = {kernel_1, ~kernel_1};
        preferred = turn_q ? kernel_1 : ~kernel_1;
        for (int w = 0; w < NUM_WARPS; w++) begin
            greedy[w] = kernel_1[w] ? last_valid_q[1] && last_q[WarpBits+:WarpBits] == WarpBits'(w)
                                    : last_valid_q[0] && last_q[0+:WarpBits] == WarpBits'(w);
        end
    end

    // Two-level GTO as one order of the warps: by kernel, by greed, by age. It does not wait for who is ready, and serves all four choices: of
    // each class, and of all.
    logic [Pairs-1:0] sooner;
    for (genvar i = 0; i < NUM_WARPS; i++) begin : g_row
        for (genvar j = i + 1; j < NUM_WARPS; j++) begin : g_pair
            localparam int unsigned Pair = i * (2 * NUM_WARPS - 1 - i) / 2 + j - i - 1;
            assign sooner[Pair] = preferred[i] != preferred[j] ? preferred[i] : greedy[i] || (!greedy[j] && order[Pair]);
        end
    end
    logic [4*NUM_WARPS-1:0] choice;  // one-hot
    for (genvar c = 0; c < 4; c++) begin : g_choice
        foremost #(
            .NUM(NUM_WARPS)
        ) of_class (
            .candidates(sets[c*NUM_WARPS+:NUM_WARPS]),
            .order(sooner),
            .chosen(choice[c*NUM_WARPS+:NUM_WARPS])
        );
    end

    // The classes that issue: the leader's first, and of the others all, one or none.
    logic [2:0] can, lead, others, second, passed;
    always_comb begin
        for (int c = 0; c < 3; c++) begin
            can[c] = |ready[c*NUM_WARPS+:NUM_WARPS];
            lead[c] = |(ready[c*NUM_WARPS+:NUM_WARPS] & choice[All*NUM_WARPS+:NUM_WARPS]);
        end
        lead = lead & (~lead + 1'b1);  // of a warp that is in two classes, against all promises
        others = can & ~lead;
        unique case (first_q)
            2'd0: second = others[0] ? 3'b001 : others[1] ? 3'b010 : others & 3'b100;
            2'd1: second = others[1] ? 3'b010 : others[2] ? 3'b100 : others & 3'b001;
            default: second = others[2] ? 3'b100 : others[0] ? 3'b001 : others & 3'b010;
        endcase
        unique case (issue)
            2'd0: grant_valid = 3'b000;
            2'd1: grant_valid = lead;
            2'd2: grant_valid = lead | second;
            default: grant_valid = can;
        endcase
        passed = issue == 2'd2 ? others & ~second : 3'b000;
        first_d = |passed ? {passed[2], passed[1]} : first_q;
    end

    always_comb begin
        grant = '0;
        for (int c = 0; c < 3; c++) begin
            for (int w = 0; w < NUM_WARPS; w++) begin
                if (grant_valid[c] && choice[c*NUM_WARPS+w]) grant[c*WarpBits+:WarpBits] = grant[c*WarpBits+:WarpBits] | WarpBits'(w);
            end
        end
    end

    // Each kernel's greedy warp: the one it has if that is granted again, else the leader, else the first granted by class.
    // A warp that is allocated now is not the one that was granted before under its number: greed ends with the tenant.
    logic [NUM_WARPS-1:0] comes;  // the warp that is allocated, one-hot
    assign comes = alloc ? NUM_WARPS'(1) << alloc_warp : '0;
    for (genvar k = 0; k < 2; k++) begin : g_kernel
        // Classes: it has a grant; of its greedy warp; of one that is allocated now; whose grant is greedy from now on.
        logic [2:0] of_kernel, again, renewed, from;
        logic [WarpBits-1:0] next;
        always_comb begin
            for (int c = 0; c < 3; c++) begin
                of_kernel[c] = grant_valid[c] && |(choice[c*NUM_WARPS+:NUM_WARPS] & warps_of[k*NUM_WARPS+:NUM_WARPS]);
                again[c] = of_kernel[c] && |(choice[c*NUM_WARPS+:NUM_WARPS] & greedy);
                renewed[c] = |(choice[c*NUM_WARPS+:NUM_WARPS] & comes);
            end
            from = |again ? again : |(of_kernel & lead) ? lead : of_kernel & (~of_kernel + 1'b1);
            next = |of_kernel ? '0 : last_q[k*WarpBits+:WarpBits];
            for (int c = 0; c < 3; c++) begin
                if (from[c]) next = next | grant[c*WarpBits+:WarpBits];
            end
        end
        assign last_d[k*WarpBits+:WarpBits] = next;
        assign last_valid_d[k] = |of_kernel ? (from & renewed) == 3'b000
                                            : last_valid_q[k] && !(alloc && alloc_warp == last_q[k*WarpBits+:WarpBits]);
    end

    logic [WarpBits-1:0] unused_chosen;
    age_matrix #(
        .NUM_WARPS(NUM_WARPS)
    ) age (
        .clk(clk),
        .rst(rst),
        .yield(1'b0),
        .yield_warp({WarpBits{1'b0}}),
        .alloc(alloc),
        .alloc_warp(alloc_warp),
        .candidates({NUM_WARPS{1'b0}}),
        .youngest(1'b0),
        .chosen(unused_chosen),
        .order(order)
    );

    always_ff @(posedge clk) begin
        if (rst) begin
            last_valid_q <= 2'b00;
            last_q <= '0;
            turn_q <= 1'b0;
            first_q <= 2'd0;
        end else begin
            last_valid_q <= last_valid_d;
            last_q <= last_d;
            turn_q <= turn_q ^ (|grant_valid);
            first_q <= first_d;
        end
    end
endmodule

`default_nettype wire
