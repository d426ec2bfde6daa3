// SPDX-License-Identifier: Apache-2.0
// mask_steps: the vital and pollute bits held in flip-flops, two for each warp, as Poise VII-I counts them. The other forms are
// mask and mask_queue. Both sets follow the inputs one warp per cycle (oldest_set): what mask says in the cycle of a
// change, mask_steps says one cycle later, and n + 1 cycles later at the most.
`default_nettype none

module mask_steps #(
    parameter int unsigned NUM_WARPS = 0,
    localparam int unsigned CountBits = $clog2(NUM_WARPS + 1),
    localparam int unsigned Pairs = NUM_WARPS * (NUM_WARPS - 1) / 2
) (
    input  logic                 clk,
    input  logic                 rst,     // synchronous: nobody is vital
    input  logic [CountBits-1:0] n,       // as in mask
    input  logic [CountBits-1:0] p,
    input  logic [NUM_WARPS-1:0] live,
    input  logic [Pairs-1:0]     order,
    output logic [NUM_WARPS-1:0] vital,
    output logic [NUM_WARPS-1:0] pollute
);
    logic [NUM_WARPS-1:0] p_oldest;

    oldest_set #(
        .NUM_WARPS(NUM_WARPS)
    ) of_n (
        .clk(clk),
        .rst(rst),
        .size(n),
        .of(live),
        .order(order),
        .members(vital)
    );
    oldest_set #(
        .NUM_WARPS(NUM_WARPS)
    ) of_p (
        .clk(clk),
        .rst(rst),
        .size(p),
        .of(live),
        .order(order),
        .members(p_oldest)
    );
    assign pollute = p_oldest & vital;
endmodule

`default_nettype wire
