# SPDX-License-Identifier: Apache-2.0
# What prints the pages' tables. Nothing here is a test.

dispatching: $(PRODUCT) ## lrr against bcs on the kernels that PAVER 6.3 names: SIZE
	$(Q)tb/experiments/dispatching.sh $(B)

# A sweep of (N, p), its tables and maps.
throttling: $(PRODUCT) ## what fewer warps gain: CONFIG=poise or daws, WORKLOADS, JOBS
	$(Q)WORKLOADS="$(CHOSEN)" tb/experiments/throttling/throttling.sh $(B) $(CONFIG)

# From a sweep of the training workloads; judged by what the claims' runs of the others have found.
training: $(PRODUCT) ## weights for Poise's engine, and how far off they are: CONFIG=poise, JOBS
	$(Q)tb/experiments/training/training.sh $(B) build/claims/poise.sqlite

code: $(PRODUCT) ## Poise's workloads with loops rolled and unrolled: SIZE, WORKLOADS
	$(Q)WORKLOADS="$(CHOSEN)" tb/experiments/code.sh $(B)

occupancy: $(PRODUCT) ## what a block of each kernel needs, how many fit an SM: SIZE, WORKLOADS
	$(Q)WORKLOADS="$(CHOSEN)" tb/experiments/occupancy.sh $(B)

icache: $(PRODUCT) ## lrr against gto with an instruction cache: SIZE, SETS, WORKLOADS
	$(Q)WORKLOADS="$(CHOSEN)" tb/experiments/icache.sh $(B)

# Which sets of workloads the papers run on which machine.
BASELINES_poise := poise poise-training
BASELINES_daws  := daws
# As Markdown tables.
baselines: $(PRODUCT) ## the machine without any of the papers' policies: SIZE, SET, WORKLOADS
	$(Q)WORKLOADS="$(CHOSEN)" tb/experiments/baselines.sh $(or $(SIZE),medium) $(B) \
		$(or $(SET),$(BASELINES_$(CONFIG)),thesis rlws paver)

# The papers' claims. What their configurations need is built first; --names: an unknown statistic is
# found before anything runs.
LEDGERS := $(patsubst %,tb/experiments/claims/%.ini,daws poise rlws paver thesis)
CLAIMS   = $(if $(PAPER),--paper=$(PAPER)) $(if $(CLAIM),--claim=$(CLAIM)) $(if $(SIZE),--size=$(SIZE)) \
	$(if $(ROBUST),--robust) $(if $(KEEP),--keep=$(KEEP)) --variants=tb/experiments/claims/variants.ini
claims: $(PRODUCT) ## what papers claim, and what is measured: PAPER, CLAIM, SIZE, JOBS, ROBUST=1, RUN=no, KEEP=FILE
	$(Q)mkdir -p build/claims
	$(Q)$(if $(filter no,$(RUN)),,for config in $$($(B)/heddle claims --configs $(CLAIMS) $(LEDGERS)); do \
		[ $$config = $(CONFIG) ] || $(MAKE) -s CONFIG=$$config build; done)
	$(Q)$(B)/heddle run --stats=build/claims/names.json -- $(B)/workloads/vecadd --size=small \
		>/dev/null
	$(Q)$(B)/heddle claims $(CLAIMS) --names=build/claims/names.json --out=build/claims \
		$(if $(filter no,$(RUN)),--no-run) $(if $(JOBS),--jobs=$(JOBS)) $(if $(RETRY),--retry) $(LEDGERS)

# Tables that claims read: they are where `claims` keeps its results.
models: $(PRODUCT) ## models of the thesis beside the machine, for claims to read: TABLE="mix power" (all without), JOBS
	$(Q)tb/experiments/models/models.sh $(B) build/claims $(TABLE)

# Costs by synthesis and by netlists that run, benefits by a sweep.
frontier: $(PRODUCT) $(LIBERTY_TOOL) ## what every policy costs, and what it buys, with a picture: SET, SIZE, KERNELS, ROBUST, JOBS, WRITE=1
	$(Q)sh tb/experiments/frontier/frontier.sh $(B)

bench: $(PRODUCT) ## how fast the simulator is, against the recorded speeds
	$(Q)$(B)/heddle bench --baseline=tb/experiments/bench.baseline
.PHONY: dispatching throttling training code occupancy icache baselines claims models frontier bench
