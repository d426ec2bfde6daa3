# SPDX-License-Identifier: Apache-2.0
# Tests of UNIT's Verilog: planted faults, proofs, mutants.

faults: $(CHECK)/random ## every planted fault of UNIT is found, and on the field it names
	$(Q)sh tests/faults/run.sh $(UNIT) $(B)
prove: | $(B)/hw.h ## the numbered rules of UNIT, and that each proof fails on its planted bug
	$(Q)sh tests/formal/run.sh $(UNIT) $(B)
mutate: $(CHECK)/mutants ## 1,000 small changes of UNIT: how many are noticed, and what the others are
	$(Q)sh tests/mutate/run.sh $(UNIT) $(B) $(or $(MUTANTS),1000)

mutate-reference: $(CHECK)/random $(C)/cmutate ## all small changes of UNIT's C reference, the same way
	$(Q)tests/mutate/references.sh $(UNIT) $(B)

mutate-sockets: $(PRODUCT) $(C)/cmutate ## small changes of tb/units: what notices them, MUTANTS of all
	$(Q)tests/mutate/sockets.sh $(B) $(MUTANTS)

# The worked example of a unit with a memory, in a copy of the tree.
sample-test: | $(B)/hw.h ## every command about a unit, on the sample unit of tests/sample: TARGETS
	$(Q)tests/sample.sh $(B) $(TARGETS)

# What these and synth, variants, cosim, coverage have found out, as a page.
evidence: | $(B)/hw.h ## rtl/UNIT/EVIDENCE.md, from the reports that other commands have left
	$(Q)tests/evidence.sh write $(UNIT) $(B)
evidence-check: | $(B)/hw.h ## UNIT is synthesized, and its pages agree with what is found
	$(Q)$(MAKE) CONFIG=gtx480 build/gtx480/check/$(UNIT)/expand
	$(Q)$(MAKE) synth >$(B)/synth-$(UNIT).log || { cat $(B)/synth-$(UNIT).log; exit 1; }
	$(Q)tests/evidence.sh check $(UNIT) $(B)
.PHONY: faults prove mutate mutate-reference mutate-sockets sample-test evidence evidence-check
