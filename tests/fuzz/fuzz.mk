# The fuzzers: linked with libFuzzer (make fuzz) in a build of their own, and without it for make check.

FUZZ_TARGETS := index dwarf plain btf object unpack record profile options source
FUZZ         ?= $(FUZZ_TARGETS)
FUZZ_SECONDS ?= 60
FUZZ_B       := build/fuzz
FUZZ_CFLAGS   = $(ALL_CFLAGS) -Itests/fuzz

# What a target is made of beside fuzz_NAME.c; those of pieces have a mutator of their own.
FUZZ_PARTS_index  := pieces sections
FUZZ_PARTS_dwarf  := pieces sections guard
FUZZ_PARTS_plain  := pieces sections guard
FUZZ_PARTS_btf    := pieces sections

FUZZ_REPLAY   := $(FUZZ_TARGETS:%=$(B)/fuzz/replay-%)
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(B)/fuzz/fuzz-%)

$(B)/fuzz/%.o: tests/fuzz/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

.SECONDEXPANSION:
$(FUZZ_REPLAY): $(B)/fuzz/replay-%: $(B)/fuzz/fuzz_%.o $(B)/fuzz/replay.o $$(foreach part,$$(FUZZ_PARTS_$$*),$(B)/fuzz/$$(part).o) \
                $(B)/liblinelint.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) -ldl

$(FUZZ_PROGRAMS): $(B)/fuzz/fuzz-%: $(B)/fuzz/fuzz_%.o $$(foreach part,$$(FUZZ_PARTS_$$*),$(B)/fuzz/$$(part).o) \
                  $$(if $$(FUZZ_PARTS_$$*),$(B)/fuzz/mutate.o) $(B)/liblinelint.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(LIBDWARF_LDFLAGS) -pthread -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBS) -ldl

-include $(wildcard $(B)/fuzz/*.d)

.PHONY: fuzz-programs
fuzz-programs: $(FUZZ:%=$(B)/fuzz/fuzz-%)
