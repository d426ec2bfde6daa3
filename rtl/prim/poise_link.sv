// SPDX-License-Identifier: Apache-2.0
// poise_link: what poise multiplies and divides in which step of a link function (Poise V-D, table II): the sum of weights times
// features; e to it, as a power of two, 2^k (1 + f - 11/32 f (1 - f)); times W, by 24. Without a register.
//
// Features have 16 bits behind the point but I_n (8) and the latencies (4), weights and their sum 20.
`default_nettype none

module poise_link (
    input  logic               axis,          // 0: the weights of N, 1: those of p
    input  logic [3:0]         step,
    // what the step before has left
    input  logic [15:0]        high,          // of a product, bits 32 to 47
    input  logic [31:0]        low,           // of a product, or a quotient
    input  logic [36:0]        sum,           // of products; from Curve on k and f
    input  logic [6:0]         most,          // W
    // the features
    input  logic [16:0]        hit_base,      // h_o
    input  logic [16:0]        own_base,      // eta_o
    input  logic [15:0]        gap,           // I_n
    input  logic [15:0]        latency_base,  // L_o m_o
    input  logic [16:0]        hit_lone,      // h'
    input  logic [16:0]        own_lone,      // eta'
    input  logic [15:0]        latency_lone,  // L' m'
    input  logic [16*25-1:0]   weight,
    // what this one works on
    output logic [31:0]        operand,       // the first factor, or the dividend
    output logic               multiplies,    // it does not divide
    output logic signed [24:0] factor,
    output logic [24:0]        divisor,
    output logic               adds           // the product belongs to the sum
);
    localparam logic [3:0] HitBase = 4'd0, HitLone = 4'd1, OwnBase = 4'd2, OwnLone = 4'd3, Square = 4'd4, X5 = 4'd5, SquareAgain = 4'd6,
                           Reach = 4'd7, X6 = 4'd8, Change = 4'd9, Tenths = 4'd10, X7 = 4'd11, Power = 4'd12, Curve = 4'd13,
                           Scaled = 4'd14, Pair = 4'd15;
    localparam logic [24:0] Scale = 25'd24;  // warps of a scheduler that the weights are made for
    localparam logic [24:0] TenTo4 = 25'd10000;
    localparam logic [24:0] Log2E = 25'd1512775;
    localparam logic [24:0] Ln2By12 = 25'd8721810;
    localparam logic [36:0] MostSum = 37'd8388608;  // e to 8 is beyond all

    // Of table II: x5 to x7 are made of how far these are apart.
    logic [16:0] own_change;
    logic [15:0] latency_change;
    assign own_change = own_lone > own_base ? own_lone - own_base : own_base - own_lone;
    assign latency_change = latency_lone > latency_base ? latency_lone - latency_base : latency_base - latency_lone;

    logic [3:0] number;  // of the step's weight
    logic [24:0] chosen;
    assign adds = step <= OwnLone || step == X5 || step == X6 || step == X7;
    always_comb begin
        unique case (step)
            HitBase, HitLone, OwnBase, OwnLone: number = {axis, step[2:0]};
            X5: number = {axis, 3'd4};
            X6: number = {axis, 3'd5};
            default: number = {axis, 3'd6};
        endcase
        chosen = weight[number*25+:25];
    end

    // The exponential. The sum is taken from -8 to 8 and raised by 12 ln 2, so that the power of two has a positive exponent.
    logic [24:0] bounded, raised;
    logic [4:0] exponent;
    logic [3:0] shift;   // the power, from 2^-2 on
    logic [15:0] curve;  // 11/32 f (1 - f)
    assign raised = bounded + Ln2By12;
    assign exponent = sum[20:16];
    assign shift = exponent < 5'd10 ? 4'd0 : exponent > 5'd18 ? 4'd8 : 4'(exponent - 5'd10);
    assign curve = 16'({1'b0, low[30:16], 3'b000} + {3'b000, low[30:16], 1'b0} + {4'b0000, low[30:16]} >> 5);
    always_comb begin
        if (sum[36] && sum < -MostSum) bounded = 25'h1800000;
        else if (!sum[36] && sum >= MostSum) bounded = 25'h07fffff;
        else bounded = sum[24:0];
    end

    always_comb begin
        unique case (step)
            HitBase: operand = 32'(hit_base);
            HitLone: operand = 32'(hit_lone);
            OwnBase: operand = 32'(own_base);
            OwnLone: operand = 32'(own_lone);
            Square, SquareAgain: operand = 32'(own_change);
            X5, Reach: operand = {high, low[31:16]};
            X6: operand = {high[7:0], low[31:8]};
            Change: operand = 32'(latency_change);
            X7: operand = {low[23:0], 8'd0};
            Power: operand = 32'(raised);
            Curve: operand = 32'(sum[15:0]);
            Scaled: operand = {15'd0, 1'b1, sum[15:0]} - 32'(curve);
            default: operand = low;
        endcase
        multiplies = step != Tenths && step != Pair;
        divisor = step == Tenths ? TenTo4 : Scale;
        unique case (step)
            Square, SquareAgain: factor = 25'(own_change);
            Reach: factor = 25'(gap);
            Change: factor = 25'(latency_change);
            Power: factor = Log2E;
            Curve: factor = 25'd65536 - 25'(sum[15:0]);
            Scaled: factor = 25'(most) << shift;
            default: factor = chosen;
        endcase
    end
endmodule

`default_nettype wire
