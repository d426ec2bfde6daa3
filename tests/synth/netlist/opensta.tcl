# SPDX-License-Identifier: Apache-2.0
# What OpenSTA says of the power of shift.v: LIBRARY, LOAD_FF of the output; 100 MHz, half an edge of the input per cycle. The
# rows that its debug level 2 prints say what each pin takes.
read_liberty $env(LIBRARY)
read_verilog tests/synth/netlist/shift.v
link_design shift
create_clock -name clk -period 10 [get_ports clk]
set_cmd_units -capacitance fF
set_driving_cell -lib_cell BUFX2 [get_ports in]
set_load $env(LOAD_FF) [get_ports out]
set_input_delay 0 -clock clk [get_ports in]
set_power_activity -input_ports [get_ports in] -activity 0.5 -duty 0.5
sta::set_debug power 2
foreach cell {b1 b2 b3 b4 b5 b6 f1 f2 f3 f4} {
    report_power -instances $cell -digits 8
}
