# SPDX-License-Identifier: Apache-2.0
# TARGET is one of tests/fuzz/*_fuzz.c: what it tests, the inputs to begin with, the files with
# words worth trying.

FUZZ_TARGETS := $(patsubst tests/fuzz/%_fuzz.c,%,$(wildcard tests/fuzz/*_fuzz.c))
TARGET ?= ptx
ifeq ($(filter $(TARGET),$(FUZZ_TARGETS)),)
$(error there is nothing to fuzz named '$(TARGET)'; TARGET is one of: $(FUZZ_TARGETS))
endif
FUZZ := $(B)/fuzz/$(TARGET)

PTX_C  := $(filter tb/arena.c tb/ptx/%,$(LIB_C))
EXEC_C := $(filter tb/exec/%,$(LIB_C))

FUZZED_ptx    := $(PTX_C) tests/tb/ptx/ptx_support.c
FUZZED_exec   := $(PTX_C) $(EXEC_C) tb/mem/gmem.c tests/fuzz/kernels.c
FUZZED_locality := $(FUZZED_exec) $(filter tb/locality/%,$(LIB_C))
FUZZED_config := tb/config.c tb/ini_file.c
FUZZED_sweep  := tb/config.c tb/ini_file.c tb/arena.c tb/cli/sweep/groups.c tb/cli/sweep/memory.c
FUZZED_claims := tb/ini_file.c tb/arena.c tb/cli/sweep/memory.c tb/cli/sweep/members.c \
	$(patsubst %,tb/cli/claims/%.c,ledger parse eval scope rule table) tb/text_file.c
FUZZED_classes := $(PTX_C) tb/profile/classes.c tb/profile/repetition.c tb/sm/landmarks.c
FUZZED_capture := $(FUZZED_exec) $(filter-out tb/capture/capture.c tb/capture/out.c,$(filter tb/capture/%,$(LIB_C)))
FUZZED_table   := tb/arena.c tb/text_file.c tb/cli/sweep/memory.c tb/cli/claims/table.c
FUZZED_told    := tb/units/poise_told.c tb/text_file.c
FUZZED_page    := $(PAGE_C) tb/config.c tb/ini_file.c tb/text_file.c tb/notes.c tb/file.c tb/sm/cpi.c tests/tb/cli/html/markup.c
FUZZED_liberty := tb/arena.c tb/text_file.c $(filter-out %/main.c,$(wildcard synth/liberty/*.c))
FUZZED_netlist := $(FUZZED_liberty) $(patsubst %,synth/netlist/%.c,netlist read token simulator switching energy)
FUZZED_lef    := tb/arena.c tb/text_file.c $(wildcard synth/wires/lef*.c) synth/wires/words.c
FUZZED_layout := $(FUZZED_liberty) $(patsubst %,synth/netlist/%.c,netlist read token) \
	$(patsubst %,synth/wires/%.c,words lef lef_layer lef_cell def route design places pieces metal tree spef)
SEEDS_ptx     := $(sort $(shell find tests/tb -name '*.ptx'))
SEEDS_exec    := $(SEEDS_ptx) $(wildcard tests/fuzz/corpus/ptx/*)
SEEDS_locality := $(SEEDS_exec) $(wildcard tests/fuzz/corpus/exec/*)
SEEDS_config  := $(wildcard configs/*.ini)
SEEDS_sweep   := $(wildcard tb/experiments/throttling/*.ini)
SEEDS_claims  := $(filter-out %/variants.ini,$(wildcard tb/experiments/claims/*.ini))
SEEDS_classes := $(wildcard tests/fuzz/corpus/classes/*)
SEEDS_capture := $(wildcard tests/fuzz/corpus/capture/*)
SEEDS_table   := $(wildcard tests/fuzz/corpus/table/*)
SEEDS_told    := $(wildcard tests/fuzz/corpus/told/*)
SEEDS_page    := $(wildcard tests/fuzz/corpus/page/*)
SEEDS_liberty := tests/synth/liberty/small.lib tests/synth/netlist/hand.lib
SEEDS_netlist := $(wildcard tests/fuzz/corpus/netlist/*)
SEEDS_lef     := tests/synth/wires/hand.lef
SEEDS_layout  := tests/synth/wires/hand.def
WORDS_ptx     := $(SEEDS_ptx) tb/ptx/opcode.def tb/ptx/opcode.c
WORDS_exec    := $(WORDS_ptx)
WORDS_locality := $(WORDS_ptx)
WORDS_config  := $(SEEDS_config)
WORDS_sweep   := $(SEEDS_sweep) tb/config.def
WORDS_claims  := $(SEEDS_claims)
WORDS_classes := $(SEEDS_classes)
WORDS_capture := $(WORDS_ptx)
WORDS_table   := $(SEEDS_table)
WORDS_told    := $(SEEDS_told) tb/units/poise.rows
WORDS_page    := $(SEEDS_page) tb/cli/rows.h
WORDS_liberty := $(SEEDS_liberty) synth/liberty/library.c
WORDS_netlist := tests/synth/netlist/hand.lib synth/netlist/read.c
WORDS_lef     := tests/synth/wires/hand.lef synth/wires/lef.c
WORDS_layout  := tests/synth/wires/hand.def synth/wires/def.c
FUZZ_C        := tests/fuzz/$(TARGET)_fuzz.c tests/fuzz/mutate.c tests/fuzz/input.c $(FUZZED_$(TARGET))
FUZZ_H        := $(shell find tb synth tests/fuzz -name '*.h' -o -name '*.def')
SANITIZERS    := -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined

fuzz: $(PACKAGES) ## hostile text for TARGET, under sanitizers, for SECONDS
	@$(MAKE) fuzzed
# clang does not know the word for the machines that tb/exec/v3.c is for: the replayed corpus
# compares its build.
$(FUZZ)/fuzz: $(FUZZ_C) $(FUZZ_H) | $(B)/hw.h $(GENERATED)
	$(call say,CLANG,$@)
	@mkdir -p $(FUZZ)/corpus
	$(Q)clang $(CPPFLAGS) -std=gnu11 -D_GNU_SOURCE= -O1 -g -ffp-contract=off $(SANITIZERS) \
		-D'__builtin_cpu_supports(x)=0' -D$(TARGET)_fuzz=LLVMFuzzerTestOneInput \
		$(FUZZ_C) -o $@ -w -lcmocka -lzstd -lcjson -linih -lmetis -lm
$(FUZZ)/words: $(WORDS_$(TARGET))
	@mkdir -p $(FUZZ)
	@grep -ohE '[.%@[]?[A-Za-z_][A-Za-z0-9_]*' $^ | sort -u | sed 's/.*/"&"/' >$@
# What it finds it leaves in $(FUZZ): once repaired, the input belongs into tests/fuzz/corpus/.
fuzzed: $(FUZZ)/fuzz $(FUZZ)/words
	$(Q)$< -max_total_time=$(or $(SECONDS),60) -timeout=5 -dict=$(FUZZ)/words \
		-artifact_prefix=$(FUZZ)/ -print_final_stats=1 \
		-seed_inputs=$(subst $(SPACE),$(COMMA),$(strip $(SEEDS_$(TARGET)))) \
		$(FUZZ)/corpus tests/fuzz/corpus/$(TARGET)
.PHONY: fuzz fuzzed
