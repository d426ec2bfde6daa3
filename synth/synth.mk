# SPDX-License-Identifier: Apache-2.0
# What UNIT costs.

SYNTH_INPUTS = $(wildcard synth/*) rtl/$(UNIT)/$(UNIT).sv $(PRIMS) cmodel/$(UNIT)/$(UNIT).def \
	cmodel/contract.h
# STATE bits must equal flip-flops.
synth: $(B)/synth/$(UNIT)/result.txt ## flip-flops, area and delay of UNIT
	$(Q)cat $(B)/synth/$(UNIT)/report.md; echo; sh synth/ledger.sh $(UNIT) $(B)
$(B)/synth/$(UNIT)/result.txt: $(SYNTH_INPUTS) | $(B)/hw.h
	$(Q)sh synth/run.sh $(UNIT) $(B) >$(B)/synth-$(UNIT).log || \
		{ cat $(B)/synth-$(UNIT).log; exit 1; }

variants: | $(B)/hw.h ## what other ways to build parts of UNIT cost (synth/variants)
	$(Q)sh synth/compare.sh $(UNIT) $(B)

# Wrong registers and memories, planted, are noticed; so are wrong constants of the area model.
synth-test: | $(B)/hw.h ## planted wrong registers and memories are refused by synth
	$(Q)tests/synth/run.sh $(UNIT) $(B)
	$(Q)tests/synth/memory.sh
.PHONY: synth variants synth-test
