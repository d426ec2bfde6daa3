// SPDX-License-Identifier: Apache-2.0
// synth/variants/same.sv: two ways to do the same job, side by side. Before synth/compare.sh prints what ways cost it proves that
// `differ` never rises, whatever the inputs; with BROKEN=1 the second way hears of no allocation or start, and `differ` must rise.
`default_nettype none

// age_matrix and age_queue.
module same_age #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned BROKEN = 0,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS)
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 yield,
    input  logic [WarpBits-1:0]  yield_warp,
    input  logic                 alloc,
    input  logic [WarpBits-1:0]  alloc_warp,
    input  logic [NUM_WARPS-1:0] candidates,
    input  logic                 youngest,
    output logic                 differ
);
    logic [WarpBits-1:0] by_matrix, by_queue;
    logic begun_q = 1'b0;  // the first cycle is a reset
    always_ff @(posedge clk) begun_q <= 1'b1;
    age_matrix #(
        .NUM_WARPS(NUM_WARPS)
    ) matrix (
        .clk(clk),
        .rst(rst || !begun_q),
        .yield(yield),
        .yield_warp(yield_warp),
        .alloc(alloc),
        .alloc_warp(alloc_warp),
        .candidates(candidates),
        .youngest(youngest),
        .chosen(by_matrix),
        .order()
    );
    age_queue #(
        .NUM_WARPS(NUM_WARPS)
    ) queue (
        .clk(clk),
        .rst(rst || !begun_q),
        .yield(yield),
        .yield_warp(yield_warp),
        .alloc(alloc && BROKEN == 0),
        .alloc_warp(alloc_warp),
        .candidates(candidates),
        .youngest(youngest),
        .chosen(by_queue),
        .order()
    );
    assign differ = begun_q && by_matrix != by_queue;
endmodule

// mask_chain in form 0 and in another. Without a choice the other outputs mean nothing.
module same_chain #(
    parameter int unsigned NUM_WARPS = 0,
    parameter int unsigned FORM = 0,
    parameter int unsigned HELD = 0,
    parameter int unsigned BROKEN = 0,
    localparam int unsigned WarpBits = $clog2(NUM_WARPS),
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1)
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic [CountBits-1:0] n,
    input  logic [CountBits-1:0] p,
    input  logic [NUM_WARPS-1:0] live,
    input  logic                 alloc,
    input  logic [WarpBits-1:0]  alloc_warp,
    input  logic [NUM_WARPS-1:0] ready,
    output logic                 differ
);
    logic valid_0, valid_form, pollutes_0, pollutes_form;
    logic [WarpBits-1:0] chosen_0, chosen_form;
    logic begun_q = 1'b0;  // the first cycle is a reset
    always_ff @(posedge clk) begun_q <= 1'b1;
    mask_chain #(
        .NUM_WARPS(NUM_WARPS),
        .FORM(0),
        .HELD(HELD)
    ) chain_0 (
        .clk(clk),
        .rst(rst || !begun_q),
        .n(n),
        .p(p),
        .live(live),
        .alloc(alloc),
        .alloc_warp(alloc_warp),
        .ready(ready & live),
        .valid(valid_0),
        .chosen(chosen_0),
        .pollutes(pollutes_0)
    );
    mask_chain #(
        .NUM_WARPS(NUM_WARPS),
        .FORM(FORM),
        .HELD(HELD)
    ) chain_form (
        .clk(clk),
        .rst(rst || !begun_q),
        .n(n),
        .p(p),
        .live(live),
        .alloc(alloc && BROKEN == 0),
        .alloc_warp(alloc_warp),
        .ready(ready & live),
        .valid(valid_form),
        .chosen(chosen_form),
        .pollutes(pollutes_form)
    );
    assign differ = begun_q && (valid_0 != valid_form
                                || valid_0 && (chosen_0 != chosen_form || pollutes_0 != pollutes_form));
endmodule

// taws_best in form 0 and in another, with counts of three bits.
module same_best #(
    parameter int unsigned SM_BLOCKS = 0,
    parameter int unsigned FORM = 0,
    parameter int unsigned BROKEN = 0,
    localparam int unsigned BlockBits = $clog2(SM_BLOCKS)
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic [SM_BLOCKS*3-1:0] count,
    input  logic                   start,
    input  logic [BlockBits-1:0]   start_block,
    input  logic [SM_BLOCKS-1:0]   can,
    output logic                   differ
);
    logic [SM_BLOCKS-1:0] best_0, best_form;
    logic begun_q = 1'b0;  // the first cycle is a reset
    always_ff @(posedge clk) begun_q <= 1'b1;
    taws_best #(
        .SM_BLOCKS(SM_BLOCKS),
        .COUNT_BITS(3),
        .FORM(0)
    ) form_0 (
        .clk(clk),
        .rst(rst || !begun_q),
        .count(count),
        .start(start),
        .start_block(start_block),
        .can(can),
        .best(best_0)
    );
    taws_best #(
        .SM_BLOCKS(SM_BLOCKS),
        .COUNT_BITS(3),
        .FORM(FORM)
    ) form_other (
        .clk(clk),
        .rst(rst || !begun_q),
        .count(count),
        .start(start && BROKEN == 0),
        .start_block(start_block),
        .can(can),
        .best(best_form)
    );
    assign differ = begun_q && best_0 != best_form;
endmodule

`default_nettype wire
