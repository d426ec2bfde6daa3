# SPDX-License-Identifier: Apache-2.0
# synth/timing.tcl: the slowest path of each kind, by OpenSTA, as lines
#   path <from>_<to> <ns> <start> <end>     or    path <from>_<to> none
# where a path is from in, reg or mem and to out, reg or mem. One that ends in a flip-flop includes its setup time, one that starts
# there its clock-to-output time. One that ends at a memory or starts from it does so at its pins: its own times are unknown. The
# clock is ideal; a module without one gets one that goes nowhere. From the environment: TOP, NETLIST, LIBERTY, PERIOD_NS, LOAD_FF,
# DRIVER, FLOPS (the library's), MEMORIES (names; their pins are ports called NAME.pin). SPEF: resistors and capacitors of the wires; empty:
# there are none. Writes the constraints to SDC.

read_liberty $env(LIBERTY)
set_cmd_units -time ns -capacitance fF
read_verilog $env(NETLIST)
link_design $env(TOP)
if {$env(SPEF) ne ""} {
    read_spef $env(SPEF)
}

# Is a port the pin of a memory?
proc at_memory {name} {
    global env
    foreach memory $env(MEMORIES) {
        if {[string first "$memory." [string trimleft $name "\\"]] == 0} { return 1 }
    }
    return 0
}

set clock_ports {}
set inputs {}
set from(in) {}
set from(mem) {}
foreach port [all_inputs] {
    set name [get_full_name $port]
    if {$name eq "clk"} {
        lappend clock_ports $port
    } else {
        lappend inputs $port
        lappend from([expr {[at_memory $name] ? "mem" : "in"}]) $port
    }
}
set to(out) {}
set to(mem) {}
foreach port [all_outputs] {
    lappend to([expr {[at_memory [get_full_name $port]] ? "mem" : "out"}]) $port
}
create_clock -name clk -period $env(PERIOD_NS) {*}$clock_ports
set_driving_cell -lib_cell $env(DRIVER) $inputs
set_load $env(LOAD_FF) [all_outputs]
set_input_delay 0 -clock clk $inputs
set_output_delay 0 -clock clk [all_outputs]
write_sdc $env(SDC)

# A flip-flop is named after the net that it drives, its kind behind that.
set kinds [join $env(FLOPS) |]
proc pin_name {pin} {
    global kinds
    set name [get_full_name $pin]
    regsub "\[\\\\_\]+(?:$kinds)\[^/\]*/\[^/\]+$" $name {} name
    return $name
}

set from(reg) [all_registers -clock_pins]
set to(reg) [all_registers -data_pins]
foreach start {in reg mem} {
    foreach end {out reg mem} {
        set paths {}
        if {[llength $from($start)] && [llength $to($end)]} {
            set paths [find_timing_paths -path_delay max -from $from($start) -to $to($end)]
        }
        if {[llength $paths] == 0} {
            puts "path ${start}_$end none"
            continue
        }
        set path [lindex $paths 0]
        set delay [expr {$env(PERIOD_NS) - [get_property $path slack]}]
        puts [format "path %s %.2f %s %s" ${start}_$end $delay [pin_name [get_property $path startpoint]] \
            [pin_name [get_property $path endpoint]]]
        report_checks -path_delay max -from $from($start) -to $to($end) -fields {capacitance slew fanout} -digits 3
    }
}
puts timing-done
