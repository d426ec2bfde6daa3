// SPDX-License-Identifier: Apache-2.0
// memory_pair: the same memory (rtl/prim/memory.sv) of a unit and of its mutant, side by side. Both hold the same before the first
// cycle ends, and that is anything: `contents` is a free input.
`default_nettype none

module memory_pair #(
    parameter int unsigned WIDTH = 0,
    parameter int unsigned DEPTH = 0,
    parameter int unsigned READS = 1,
    localparam int unsigned AddressBits = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                         clk,
    input  logic                         load,       // in the first cycle
    input  logic [DEPTH*WIDTH-1:0]       contents,
    output logic                         differ,     // in any word
    // of the unit
    input  logic                         gold_write,
    input  logic [AddressBits-1:0]       gold_write_address,
    input  logic [WIDTH-1:0]             gold_write_data,
    input  logic [READS*AddressBits-1:0] gold_read_address,
    output logic [READS*WIDTH-1:0]       gold_read_data,
    // of the mutant
    input  logic                         gate_write,
    input  logic [AddressBits-1:0]       gate_write_address,
    input  logic [WIDTH-1:0]             gate_write_data,
    input  logic [READS*AddressBits-1:0] gate_read_address,
    output logic [READS*WIDTH-1:0]       gate_read_data
);
    logic [DEPTH*WIDTH-1:0] gold_q, gate_q;
    assign differ = gold_q != gate_q;

    always_ff @(posedge clk) begin
        for (int i = 0; i < DEPTH; i++) begin
            if (load) gold_q[i*WIDTH+:WIDTH] <= contents[i*WIDTH+:WIDTH];
            else if (gold_write && 32'(gold_write_address) == i) gold_q[i*WIDTH+:WIDTH] <= gold_write_data;
            if (load) gate_q[i*WIDTH+:WIDTH] <= contents[i*WIDTH+:WIDTH];
            else if (gate_write && 32'(gate_write_address) == i) gate_q[i*WIDTH+:WIDTH] <= gate_write_data;
        end
    end

    // An address past DEPTH reads 0.
    always_comb begin
        gold_read_data = '0;
        gate_read_data = '0;
        for (int r = 0; r < READS; r++) begin
            for (int i = 0; i < DEPTH; i++) begin
                if (32'(gold_read_address[r*AddressBits+:AddressBits]) == i) gold_read_data[r*WIDTH+:WIDTH] = gold_q[i*WIDTH+:WIDTH];
                if (32'(gate_read_address[r*AddressBits+:AddressBits]) == i) gate_read_data[r*WIDTH+:WIDTH] = gate_q[i*WIDTH+:WIDTH];
            end
        end
    end
endmodule

`default_nettype wire
