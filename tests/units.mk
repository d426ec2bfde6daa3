# SPDX-License-Identifier: Apache-2.0
# Tests of UNIT's Verilog: planted faults, proofs, mutants.

faults: $(B)/random ## every planted fault of UNIT is found, and on the field it names
	$(Q)sh tests/faults/run.sh $(UNIT) $(B)
prove: | $(B)/hw.h ## the numbered rules of UNIT, and that each proof fails on its planted bug
	$(Q)sh tests/formal/run.sh $(UNIT) $(B)
mutate: $(B)/random ## 1,000 small changes of UNIT: how many are noticed, and what the others are
	$(Q)sh tests/mutate/run.sh $(UNIT) $(B) $(or $(MUTANTS),1000)
.PHONY: faults prove mutate
