# SPDX-License-Identifier: Apache-2.0
# What prints the pages' tables. Nothing here is a test.

dispatching: $(PRODUCT) ## lrr against bcs on the kernels that PAVER 6.3 names: SIZE
	$(Q)tests/tb/workloads/dispatching.sh $(B)

# A sweep of (N, p), its tables and maps.
throttling: $(PRODUCT) ## what fewer warps gain: CONFIG=poise or daws, WORKLOADS
	$(Q)WORKLOADS="$(CHOSEN)" tests/tb/workloads/throttling.sh $(B) configs/sweeps/$(CONFIG).ini

# Which sets of workloads the papers run on which machine.
BASELINES_poise := poise poise-training
BASELINES_daws  := daws
# As Markdown tables.
baselines: $(PRODUCT) ## the machine without any of the papers' policies: SIZE, SET, WORKLOADS
	$(Q)WORKLOADS="$(CHOSEN)" tests/tb/workloads/baselines.sh $(or $(SIZE),medium) $(B) \
		$(or $(SET),$(BASELINES_$(CONFIG)),thesis rlws paver)

bench: $(PRODUCT) ## how fast the simulator is, against the recorded speeds
	$(Q)$(B)/heddle bench --baseline=tests/bench.baseline
.PHONY: dispatching throttling baselines bench
