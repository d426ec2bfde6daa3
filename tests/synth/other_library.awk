# SPDX-License-Identifier: Apache-2.0
# tests/synth/other_library.awk: a Liberty file in other words: cells and pins have other names, times are in ps, capacitances in fF,
# and a cell has a hundredth of its area. What is built of it is the same circuit, as fast, of a hundredth of the area.

# All names of pins in a line: words of capitals and digits.
function renamed(text,   out) {
    while (match(text, /[A-Z][A-Z0-9]*/)) {
        out = out substr(text, 1, RSTART - 1) "pin_" substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
function scaled(text, factor,   out) {
    while (match(text, /-?[0-9]+\.?[0-9]*(e-?[0-9]+)?/)) {
        out = out substr(text, 1, RSTART - 1) sprintf("%.9g", factor * substr(text, RSTART, RLENGTH))
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}
/^library/ { sub(/\(.*\)/, "(other_words)") }
/^ *time_unit/ { sub(/"1ns"/, "\"1ps\"") }
/^ *capacitive_load_unit/ { sub(/1,pf/, "1,ff") }
/^ *cell *\(/ { sub(/\(/, "(U_"); in_cell = 1 }
/^ *(area|[a-z_]*area) *:/ { print scaled($0, 0.01); next }
/^ *(capacitance|rise_capacitance|fall_capacitance|max_capacitance|min_pulse_width_[a-z]*) *:/ {
    split($0, part, ":"); print part[1] ":" scaled(part[2], 1000); next
}
/^ *(pin *\(|related_pin|function|next_state|clocked_on|clear *:|preset *:|when|enable|data_in|three_state)/ {
    text = $0; sub(/^ *[a-z_]+ */, "", text)
    print substr($0, 1, length($0) - length(text)) (text ~ /P000|DS0000/ ? text : renamed(text)); next # states keep their names
}
in_cell && /^ *index_[12]/ { split($0, part, "("); print part[1] "(" scaled(part[2], 1000); next }
in_cell && /^ *"/ { print scaled($0, 1000); next }
{ print }
