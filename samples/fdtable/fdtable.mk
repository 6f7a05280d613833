# The reference fd table: a library for each variant, $(B)/samples/fdtable/LAYOUT-INSTALL-ALLOC/libfdtable.a, and the
# programs of FDTABLE_PROGRAMS beside it, compiled with the same flags. LAYOUT-INSTALL-ALLOC-FILE has another struct
# file. V=best-best-batch; make build/plain/samples/fdtable/$V/test_fdtable

FDTABLE_LAYOUTS  := linux-2.6.13 dumazet-2005 dumazet-2005-long best
FDTABLE_INSTALLS := lock seqcount resize best
FDTABLE_ALLOCS   := lock atomic hint batch
FDTABLE_FILES    := linux-5.8 count-last

# As fdtable.h and file_layout.h number them: by their place in these lists.
FDTABLE_SOURCES  := $(addprefix samples/fdtable/,batch.c bits.c expand.c fdtable.c fget.c file.c files.c lock.c memory.c \
                    name.c number_atomic.c number_lock.c points.c rcu.c slot_array.c slot_segment.c)
FDTABLE_PROGRAMS := test_fdtable
FDTABLE_LIBS     := -lurcu-bp

# Programs of the library with points (points.h), in LAYOUT-INSTALL-ALLOC/points.
FDTABLE_VALIDATE := $(patsubst samples/fdtable/%.c,%.o,$(wildcard samples/fdtable/validate/*.c))
FDTABLE_POINTED  := validate/validate test_fdtable

FDTABLE_BEST     := best-best-batch
# Variants that `make check` runs: each layout and policy at least once, and those that go together least.
FDTABLE_CHECKED  := linux-2.6.13-lock-lock dumazet-2005-lock-lock dumazet-2005-long-seqcount-lock \
                    dumazet-2005-long-resize-atomic linux-2.6.13-best-batch best-best-lock best-best-atomic best-best-hint \
                    best-seqcount-hint best-resize-batch $(FDTABLE_BEST)

# Those that validate is run on: each install policy, each kind of bitmap.
FDTABLE_VALIDATED := linux-2.6.13-lock-lock dumazet-2005-long-seqcount-lock best-resize-batch best-best-atomic $(FDTABLE_BEST)

FDTABLE_D := $(B)/samples/fdtable
fdtable_place = $(strip $(foreach i,1 2 3 4,$(if $(filter $(1),$(word $(i),$(2))),$(i))))

# $(1) variant, $(2) layout, $(3) install, $(4) alloc, $(5) file or nothing
define fdtable_variant
FDTABLE_FLAGS_$(1) := -DFDTABLE_LAYOUT=$(call fdtable_place,$(2),$(FDTABLE_LAYOUTS)) \
  -DFDTABLE_INSTALL=$(call fdtable_place,$(3),$(FDTABLE_INSTALLS)) -DFDTABLE_ALLOC=$(call fdtable_place,$(4),$(FDTABLE_ALLOCS)) \
  $(if $(5),-DFILE_LAYOUT=$(call fdtable_place,$(5),$(FDTABLE_FILES))) -DVARIANT='"$(2)-$(3)-$(4)"' \
  $(if $(SANITIZE),-DFDTABLE_CALL_URCU)
FDTABLE_VARIANTS += $(1)
$(FDTABLE_D)/$(1)/%.o: samples/fdtable/%.c
	@mkdir -p $$(@D)
	$$(call say,CC,"$$< ($(1))")
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(FDTABLE_FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(FDTABLE_D)/$(1)/libfdtable.a: $(FDTABLE_SOURCES:samples/fdtable/%.c=$(FDTABLE_D)/$(1)/%.o)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(FDTABLE_PROGRAMS:%=$(FDTABLE_D)/$(1)/%): $(FDTABLE_D)/$(1)/%: $(FDTABLE_D)/$(1)/%.o $(FDTABLE_D)/$(1)/libfdtable.a
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $(FDTABLE_LIBS) -lcmocka
$(FDTABLE_D)/$(1)/points/%.o: samples/fdtable/%.c
	@mkdir -p $$(@D)
	$$(call say,CC,"$$< ($(1), with points)")
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(FDTABLE_FLAGS_$(1)) -DFDTABLE_POINTS -MMD -MP -c -o $$@ $$<
$(FDTABLE_D)/$(1)/points/libfdtable.a: $(FDTABLE_SOURCES:samples/fdtable/%.c=$(FDTABLE_D)/$(1)/points/%.o)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(FDTABLE_D)/$(1)/points/validate/validate: $(FDTABLE_VALIDATE:%=$(FDTABLE_D)/$(1)/points/%)
$(FDTABLE_D)/$(1)/points/test_fdtable: $(FDTABLE_D)/$(1)/points/test_fdtable.o
$(FDTABLE_POINTED:%=$(FDTABLE_D)/$(1)/points/%): $(FDTABLE_D)/$(1)/points/libfdtable.a
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) $(FDTABLE_LIBS) $$(if $$(filter %/test_fdtable,$$@),-lcmocka)
$(FDTABLE_D)/$(1)/mutants/%/mutant.o: $(FDTABLE_D)/$(1)/mutants/%/mutant.c $(FDTABLE_D)/$(1)/points/libfdtable.a
	$$(Q)$$(CC) $$(ALL_CFLAGS) $$(FDTABLE_FLAGS_$(1)) -w -DFDTABLE_POINTS -iquote samples/fdtable -c -o $$@ $$<
$(FDTABLE_D)/$(1)/mutants/%/validate: $(FDTABLE_D)/$(1)/mutants/%/mutant.o $(FDTABLE_VALIDATE:%=$(FDTABLE_D)/$(1)/points/%) \
  $(FDTABLE_D)/$(1)/points/libfdtable.a
	$$(Q)$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $(FDTABLE_LIBS)
endef

$(foreach l,$(FDTABLE_LAYOUTS),$(foreach i,$(FDTABLE_INSTALLS),$(foreach a,$(FDTABLE_ALLOCS),\
  $(eval $(call fdtable_variant,$(l)-$(i)-$(a),$(l),$(i),$(a),)))))
$(foreach f,$(FDTABLE_FILES),$(eval $(call fdtable_variant,$(FDTABLE_BEST)-$(f),best,best,batch,$(f))))

FDTABLE_TESTS := $(FDTABLE_CHECKED:%=$(FDTABLE_D)/%/test_fdtable) \
                 $(FDTABLE_VALIDATED:%=$(FDTABLE_D)/%/points/validate/validate)
.SECONDARY: $(foreach v,$(FDTABLE_CHECKED),$(FDTABLE_D)/$(v)/test_fdtable.o) \
            $(foreach v,$(FDTABLE_VALIDATED),$(FDTABLE_VALIDATE:%=$(FDTABLE_D)/$(v)/points/%))
-include $(wildcard $(FDTABLE_D)/*/*.d $(FDTABLE_D)/*/points/*.d $(FDTABLE_D)/*/points/validate/*.d)

# All variants, without code: warnings and the sizes that the layouts assert.
.PHONY: fdtable-lint
fdtable-lint:
	$(Q)$(foreach v,$(FDTABLE_VARIANTS),$(CC) $(ALL_CFLAGS) $(FDTABLE_FLAGS_$(v)) -fsyntax-only $(FDTABLE_SOURCES) &&) true
