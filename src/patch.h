/*
 * patch: a suggestion and the text of a source file -> the text with the members in the suggested order.
 *
 * suggest + read/source -> [patch] -> cmd. Pure: bytes in, bytes out. Members are found by name in the body of the struct
 * and moved as whole declarations with the comments that belong to them; every other byte stays. The new text is read
 * again before it is handed out: it must have exactly the wanted order, and no name used before it is defined.
 *
 * What is refused, with file and line: a text that is not what was compiled; a member that would leave, or go into, a
 * branch of a conditional, an access section or the kernel's randomized part; a member that comes out of a macro with
 * others or under a name that the text does not have; declarators that cannot be parted.
 *
 * An alignment on a member is written as its surroundings do: in a kernel ____cacheline_aligned_in_smp when it is the
 * line, else __aligned(N); alignas(N) in C++; _Alignas(N) where the file uses that already; else
 * __attribute__((aligned(N))), which every version of C has. Bit-fields get the attribute.
 */
#ifndef PATCH_H
#define PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "layout.h"
#include "suggest.h"

/* One struct of the file. */
struct patch_change {
	const struct layout *layout; /* today's */
	const char *keyword;         /* "struct", "union", "class" */
	const struct suggestion *suggestion;
	bool is_cxx; /* it was compiled as C++; else its text may still show that it is */
};

struct patch_input {
	const char *file;  /* its name in messages */
	const char *bytes; /* its text; below 4 GiB */
	size_t length;
	const struct patch_change *changes;
	size_t change_count;
	bool is_kernel;
};

struct patch_note {
	uint32_t line; /* of the old text */
	const char *text;
};

struct patch_result {
	const char *bytes; /* in the arena; `input->bytes` when nothing changes */
	size_t length;
	bool is_changed;
	const struct patch_note *notes; /* what the user has to look at */
	size_t note_count;
};

struct error *patch_build(
	struct arena *arena, const struct patch_input *input, struct patch_result *ret);

/* Appends the unified diff between two texts, for git apply and patch -p1; nothing when they are equal. */
void patch_diff(struct arena *arena, const char *name, const struct patch_input *before,
	const struct patch_result *after, struct buf *out);

#endif
