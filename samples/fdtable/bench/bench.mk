# The benchmarks of the fd table, beside the library that each is linked with: V=best-best-batch;
# make build/plain/samples/fdtable/$V/fdbench. `make bench-fdtable` runs all of them.

FDBENCH_DIR := samples/fdtable/bench
# What the steps from 2005 to today change, one at a time.
FDBENCH_TABLES := linux-2.6.13-lock-lock dumazet-2005-lock-lock dumazet-2005-long-lock-lock dumazet-2005-long-seqcount-lock \
                  dumazet-2005-long-resize-lock best-best-lock best-best-atomic best-best-hint $(FDTABLE_BEST)
FDBENCH_FILES  := $(FDTABLE_FILES:%=$(FDTABLE_BEST)-%) $(FDTABLE_BEST)
FDBENCH_PROGRAMS := $(foreach v,$(FDBENCH_TABLES),$(FDTABLE_D)/$(v)/fdbench $(FDTABLE_D)/$(v)/opensock) \
                    $(FDBENCH_FILES:%=$(FDTABLE_D)/%/filebench) \
                    $(addprefix $(FDTABLE_D)/,uidbench arraybench pingpong rivals)

define fdbench_variant
$(FDTABLE_D)/$(1)/bench/%.o: $(FDBENCH_DIR)/%.c
	@mkdir -p $$(@D)
	$$(call say,CC,"$$< ($(1))")
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(FDTABLE_FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(addprefix $(FDTABLE_D)/$(1)/,fdbench opensock filebench): $(FDTABLE_D)/$(1)/%: \
		$(addprefix $(FDTABLE_D)/$(1)/bench/,%.o bench.o table.o) $(FDTABLE_D)/$(1)/libfdtable.a
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $(FDTABLE_LIBS)
.SECONDARY: $(addprefix $(FDTABLE_D)/$(1)/bench/,fdbench.o opensock.o filebench.o bench.o table.o)
endef
$(foreach v,$(sort $(FDBENCH_TABLES) $(FDBENCH_FILES)),$(eval $(call fdbench_variant,$(v))))

# The same with library and recorder in one program, for traces of all memory of a table.
FDBENCH_RECORDED_CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc $(WARNINGS) $(if $(DEV),-Werror) -O2 -g -pthread -fsanitize=thread -DLINELINT_RECORD
FDBENCH_RECORDED := $(foreach v,$(FDBENCH_TABLES),$(FDTABLE_D)/$(v)/recorded/fdbench $(FDTABLE_D)/$(v)/recorded/opensock)

# What `make check` runs: not all recordings, which compile the library once more each.
FDBENCH_TESTS := $(FDBENCH_PROGRAMS) $(if $(SANITIZE),,$(foreach v,linux-2.6.13-lock-lock $(FDTABLE_BEST),\
                   $(FDTABLE_D)/$(v)/recorded/fdbench $(FDTABLE_D)/$(v)/recorded/opensock))

define fdbench_recorded
$(FDTABLE_D)/$(1)/recorded/%.o: samples/fdtable/%.c
	@mkdir -p $$(@D)
	$$(call say,CC,"$$< ($(1) recorded)")
	$$(Q)$$(CC) $$(FDBENCH_RECORDED_CFLAGS) $$(FDTABLE_FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(FDTABLE_D)/$(1)/recorded/fdbench $(FDTABLE_D)/$(1)/recorded/opensock: $(FDTABLE_D)/$(1)/recorded/%: \
		$(addprefix $(FDTABLE_D)/$(1)/recorded/bench/,%.o bench.o table.o) \
		$(FDTABLE_SOURCES:samples/fdtable/%.c=$(FDTABLE_D)/$(1)/recorded/%.o) $(RECORDER)
	$$(Q)$$(CC) $$(LDFLAGS) -o $$@ $$^ $(FDTABLE_LIBS) -pthread
.SECONDARY: $(addprefix $(FDTABLE_D)/$(1)/recorded/bench/,fdbench.o opensock.o bench.o table.o) \
            $(FDTABLE_SOURCES:samples/fdtable/%.c=$(FDTABLE_D)/$(1)/recorded/%.o)
endef
$(foreach v,$(FDBENCH_TABLES),$(eval $(call fdbench_recorded,$(v))))

$(addprefix $(FDTABLE_D)/,uidbench arraybench pingpong): $(FDTABLE_D)/%: $(FDTABLE_D)/bench/%.o $(FDTABLE_D)/bench/bench.o
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^

# Against the best of ours.
FDBENCH_RIVALS := $(patsubst $(FDBENCH_DIR)/%.c,$(FDTABLE_D)/bench/%.o,$(wildcard $(FDBENCH_DIR)/rival*.c)) \
                  $(FDTABLE_D)/bench/bench.o $(FDTABLE_D)/bench/table.o
$(FDTABLE_D)/rivals: $(FDBENCH_RIVALS) $(FDTABLE_D)/$(FDTABLE_BEST)/libfdtable.a
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(FDTABLE_LIBS) -lurcu-cds -lck
$(FDTABLE_D)/bench/%.o: $(FDBENCH_DIR)/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(FDTABLE_FLAGS_$(FDTABLE_BEST)) -MMD -MP -c -o $@ $<
.SECONDARY: $(FDBENCH_RIVALS) $(addprefix $(FDTABLE_D)/bench/,uidbench.o arraybench.o pingpong.o)
-include $(wildcard $(FDTABLE_D)/bench/*.d $(FDTABLE_D)/*/bench/*.d $(FDTABLE_D)/*/recorded/*.d $(FDTABLE_D)/*/recorded/bench/*.d)
