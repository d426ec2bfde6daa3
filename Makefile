# SPDX-License-Identifier: Apache-2.0
# The only Makefile; what it includes lies beside what it builds. Bare `make` prints what it can do.
# Units, sources, tests and workloads are discovered, not listed.
# Everything generated sits in build/<config>/; what all configurations share in build/common/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-print-directory
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

VERSION := 0.1

CONFIG ?= gtx480
UNIT   ?= wia
# SAN=1: address and undefined-behaviour sanitizers; SAN=thread: data races.
# Each mode has folders of its own, so that modes never mix.
SAN    ?=
SUFFIX := $(if $(SAN),$(if $(filter thread,$(SAN)),-tsan,-san))
# NOSETUP=1: nothing is installed; a tool or a library that is missing is an error.
NOSETUP  ?=
V      ?=
B      := build/$(CONFIG)$(SUFFIX)
C      := build/common$(SUFFIX)
Q      := $(if $(V),,@)
say     = @printf '  %-8s %s\n' "$(1)" "$(2)"

PARTS := rtl/rtl.mk fsm/fsm.mk cosim/cosim.mk tb/tb.mk tb/install/install.mk tests/tests.mk \
	tests/units.mk synth/synth.mk tb/experiments/experiments.mk tests/fuzz/fuzz.mk tests/lint.mk

UNITS   := $(filter-out prim,$(patsubst rtl/%/,%,$(wildcard rtl/*/)))
PRIMS   := $(wildcard rtl/prim/*.sv)
CONFIGS := $(patsubst configs/%.ini,%,$(wildcard configs/*.ini))
# Units that the machine has a place for, and their keys; the sizes of a unit are wanted before it has its place.
SOCKETS := $(filter $(UNITS),$(patsubst tb/units/%.c,%,$(wildcard tb/units/*.c)))
KEYS    := $(wildcard $(SOCKETS:%=tb/units/%.keys))
SIZED   := $(wildcard $(UNITS:%=tb/units/%.keys))
# Units whose inputs are worked out a second time.
OBSERVERS := $(filter $(UNITS),$(patsubst tb/observe/%.c,%,$(wildcard tb/observe/*.c)))

# Kernels are compiled once (tb/ocl/cache.h).
export HEDDLE_CACHE ?= $(CURDIR)/build/common/kernels

COMMA    := ,
EMPTY    :=
SPACE    := $(EMPTY) $(EMPTY)
SANITIZE := $(if $(filter thread,$(SAN)),thread,address$(COMMA)undefined -fno-sanitize-recover=all)
OPT      := -O2 -g $(if $(SAN),-fsanitize=$(SANITIZE))
# Other compilers than Debian 12's have other warnings.
WARN     := -Wall -Wextra $(if $(NOSETUP),,-Werror)
CPPFLAGS := -I. -I$(B) -I$(C) -DCL_TARGET_OPENCL_VERSION=120
CFLAGS   := -std=gnu11 -D_GNU_SOURCE= $(OPT) $(WARN) -fPIC -fno-semantic-interposition -ffp-contract=off -MMD -MP
CXXFLAGS := -std=gnu++17 $(OPT) -Wall -Wextra -fPIC -MMD -MP
LDLIBS   := -lcjson -linih -lmetis -lzstd -lz -lm -lpthread -lstdc++
# Tables refer to the Verilated models weakly, and a weak reference takes nothing out of an archive.
LDLIBS   += $(UNITS:%=-Wl,-u,%_model)

## Commands ----------------------------------------------------------------------------------------

help: ## this text
	@printf 'Heddle: GPU scheduling hardware, in Verilog and in C, in lockstep.\n\n'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' \
		Makefile $(PARTS)
	@printf '\n  CONFIG=%s  of: %s\n  UNIT=%s  of: %s\n' \
		'$(CONFIG)' '$(CONFIGS)' '$(UNIT)' '$(UNITS)'
	@printf '  SAN=1, SAN=thread  with sanitizers   V=1  show commands   NOSETUP=1  install nothing\n'

clean: ## removes build/
	rm -rf build

MORE     ?=
PACKAGES := build/packages$(if $(NOSETUP),-found)$(if $(MORE),-more).ok
# What run, test and their like do first.
setup: $(PACKAGES) ## installs the missing Debian packages of packages.txt; MORE=1: what make wires and regress need, too
$(PACKAGES): packages.txt
	@tb/install/packages.sh $(if $(NOSETUP),look $(if $(MORE),all,build),install $(if $(MORE),all,checks))
	@mkdir -p build && touch $@

## Configuration -----------------------------------------------------------------------------------

ifeq ($(wildcard configs/$(CONFIG).ini),)
$(error configs/$(CONFIG).ini does not exist; CONFIG is one of: $(CONFIGS))
endif
ifeq ($(CONFIG),common)
$(error a configuration cannot be named common: build/common holds what all share)
endif
ifneq ($(filter-out $(UNITS),$(UNIT)),)
$(error there is no unit '$(UNIT)'; UNIT is one of: $(UNITS))
endif

# [hw] becomes constants, those of units with their values from tb/units/<stem>.keys unless the
# configuration gives others. Written only when it changes, so that a setting rebuilds nothing.
$(B)/hw.h: $(B)/hw.stamp ;
$(B)/hw.stamp: configs/$(CONFIG).ini $(C)/unit_sizes.def | $(PACKAGES)
	@mkdir -p $(B)
	@{ echo '/* From configs/$(CONFIG).ini, [hw]. */'; \
	   echo '#define CONFIG_NAME "$(CONFIG)"'; \
	   awk -F '[(, ]+' '/^SIZE\(/ { value[$$2] = $$6 } \
		/^\[/ { hw = $$1 == "[hw]" } \
		hw && /^[a-z]/ { value[$$1] = $$3 } \
		END { for (key in value) print "#define", toupper(key), value[key] }' \
		$(C)/unit_sizes.def $< | sort; \
	} > $(B)/hw.h.new
	@cmp -s $(B)/hw.h.new $(B)/hw.h && rm $(B)/hw.h.new || mv $(B)/hw.h.new $(B)/hw.h
	@touch $@
$(B)/$(CONFIG).ini: configs/$(CONFIG).ini | $(PACKAGES)
	@mkdir -p $(B) && cp $< $@

# Lists of what is discovered: units, sockets, state machines, and the keys of units as parts of
# tb/config.def. Looked at each time, written only when they change: files may have any age. Several
# makes may look at once, and others copy the folder meanwhile.
GENERATED := $(addprefix $(C)/,units.def sockets.def observers.def fsms.def unit_sizes.def unit_settings.def)
DELAY      = SETTING($(1), delay, 0, 1024, 0, "cycles that its outputs steer late", "")
kept       = new=$$(mktemp); { $(1); } >$$new; \
	cmp -s $$new $@ || { cp $$new $@.$$$$ && mv $@.$$$$ $@; }; rm $$new
$(GENERATED): looked | $(PACKAGES)
	@mkdir -p $(@D)
	@$(call kept,$(call print_$(basename $(@F))))
print_unit_sizes    = cat $(SIZED) /dev/null | sed -n '/^SIZE(/p'
print_unit_settings = { cat $(KEYS) /dev/null | sed -nE '/^(SETTING|PATH|OPTIONAL_PATH|AT_MOST)\(/p'; \
	printf '%s\n' $(foreach u,$(SOCKETS),'$(call DELAY,$(u))'); } | \
	sed -E 's/^[A-Z_]*\(([a-z_]+)/\1 &/' | LC_ALL=C sort -s -k1,1 | cut -d' ' -f2-
print_units         = printf 'UNIT(%s)\n' $(UNITS)
print_sockets       = printf 'SOCKET(%s)\n' $(SOCKETS)
print_observers     = printf 'OBSERVER(%s)\n' $(OBSERVERS)
print_fsms          = printf 'FSM(%s)\n' $(FSMS)
looked:

## Objects -----------------------------------------------------------------------------------------

# A file that includes hw.h, or a file that does, and so on, is compiled once per configuration. All
# others are compiled once, without -I$(B): one that needs hw.h after all does not compile.
SEES_HW := $(shell grep -rHo --include='*.[ch]' --include='*.def' '^#include "[^"]*"' \
	cmodel cosim synth tb tests | awk -F '[:"]' '\
	function see(file, i, n, user) { \
		n = split(users[file], user, " "); \
		for (i = 1; i <= n; i++) if (!seen[user[i]]++) { print user[i]; see(user[i]) } \
	} \
	{ users[$$3] = users[$$3] " " $$1 } \
	END { see("hw.h") }')
objects = $(patsubst %.c,$(B)/obj/%.o,$(filter $(SEES_HW),$(1))) \
	$(patsubst %.c,$(C)/obj/%.o,$(filter-out $(SEES_HW),$(1)))

$(B)/obj/%.o: %.c | $(B)/hw.h $(GENERATED)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)gcc $(CPPFLAGS) $(CFLAGS) $(EXTRA) -c $< -o $@
$(C)/obj/%.o: %.c | $(PACKAGES) $(GENERATED)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)gcc $(filter-out -I$(B),$(CPPFLAGS)) $(CFLAGS) $(EXTRA) -c $< -o $@

include $(PARTS)
-include $(shell find $(B)/obj $(C)/obj -name '*.d' 2>/dev/null)
.PHONY: help clean setup looked
