// SPDX-License-Identifier: Apache-2.0
// memory_alike: of the same memory of a unit and of its mutant, side by side (memory_pair), no more than that both hold the same as
// long as both write the same. What they hold is anything, in every cycle anew: `contents` is a free input. A mutant that is equivalent
// here is equivalent; inputs that tell it apart here may need contents that no unit writes.
`default_nettype none

module memory_alike #(
    parameter int unsigned WIDTH = 0,
    parameter int unsigned DEPTH = 0,
    parameter int unsigned READS = 1,
    localparam int unsigned AddressBits = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                         clk,
    input  logic                         load,
    input  logic [2*READS*WIDTH-1:0]     contents,   // what is read: by the unit, and by the mutant where it reads elsewhere
    output logic                         differ,     // in what is written
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
    // What is written past the last word is lost.
    logic gold_writes, gate_writes;
    assign gold_writes = gold_write && 32'(gold_write_address) < DEPTH;
    assign gate_writes = gate_write && 32'(gate_write_address) < DEPTH;
    assign differ = gold_writes != gate_writes
                    || (gold_writes && (gold_write_address != gate_write_address || gold_write_data != gate_write_data));

    assign gold_read_data = contents[0+:READS*WIDTH];
    always_comb begin
        gate_read_data = contents[READS*WIDTH+:READS*WIDTH];
        for (int r = 0; r < READS; r++) begin
            if (gold_read_address[r*AddressBits+:AddressBits] == gate_read_address[r*AddressBits+:AddressBits]) begin
                gate_read_data[r*WIDTH+:WIDTH] = gold_read_data[r*WIDTH+:WIDTH];
            end
        end
    end
endmodule

`default_nettype wire
