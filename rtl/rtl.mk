# SPDX-License-Identifier: Apache-2.0
# The files of the RTL library, as lists for other people's tools. They lie in the outermost folder, where FuseSoC and Bender look,
# and are checked in: `make lint` compares them with the tree.

LISTS := heddle.f heddle.core Bender.yml
# Of the sizes of one machine, whatever CONFIG is.
SIZES_H := build/gtx480/hw.h
list_files = VERSION=$(VERSION) rtl/lists.sh $(or $(patsubst .%,%,$(filter .f .core,$(suffix $(1)))),bender) $(SIZES_H) $(sort $(UNITS))

lists: ## heddle.f, heddle.core and Bender.yml: the files of the RTL library, for other tools
	@$(MAKE) CONFIG=gtx480 SAN= $(SIZES_H)
	$(Q)for list in $(LISTS); do $(MAKE) -s print-$$list >$$list.$$$$; mv $$list.$$$$ $$list; done
$(LISTS:%=print-%): print-%:
	@$(call list_files,$*)
listed:
	@$(MAKE) CONFIG=gtx480 SAN= $(SIZES_H)
	$(Q)for list in $(LISTS); do $(MAKE) -s print-$$list | diff $$list - || \
		{ echo "$$list (<) is not what the tree holds (>): make lists"; exit 1; }; done
.PHONY: lists listed $(LISTS:%=print-%)
