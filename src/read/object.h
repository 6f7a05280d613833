/*
 * object: an ELF file, mapped, its debug sections ready to read.
 *
 * file -> [object] -> index, dwarf, btf. With what is in object/ the only user of libelf. Sections are views of the mapping where that
 * is possible; compressed ones (SHF_COMPRESSED, gABI: zlib, and zstd with its library) are unpacked, and those of relocatable objects are copied and
 * relocated (.rela/.rel, the psABI of each machine), so that the index and libdwarf both see final bytes and neither
 * relocates. In executables and libraries (--emit-relocs) relocations are left alone: they are applied already. Several
 * sections of one name (COMDAT groups) become one. Of .debug_loc, .debug_loclists and .debug_aranges there are only views:
 * where they would have to be unpacked or relocated they are absent. A file of raw BTF (linux/btf.h) is read, not mapped, for
 * /sys/kernel/btf/ can only be read, and is an object with that section alone. What is packed as a whole (unpack.h) is
 * unpacked into memory: .ko.xz, vmlinux.zst, the vmlinux in a kernel image.
 */
#ifndef READ_OBJECT_H
#define READ_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/trail.h"
#include "read/archive.h"
#include "type.h"

enum object_section_id {
	OBJECT_DEBUG_INFO,
	OBJECT_DEBUG_ABBREV,
	OBJECT_DEBUG_STR,
	OBJECT_DEBUG_LINE,
	OBJECT_DEBUG_LINE_STR,
	OBJECT_DEBUG_STR_OFFSETS,
	OBJECT_DEBUG_ADDR,
	OBJECT_DEBUG_RANGES,
	OBJECT_DEBUG_RNGLISTS,
	OBJECT_DEBUG_LOC,
	OBJECT_DEBUG_LOCLISTS,
	OBJECT_DEBUG_TYPES,
	OBJECT_DEBUG_ARANGES,
	OBJECT_DEBUG_CU_INDEX, /* of a package of split files (.dwp), as the next */
	OBJECT_DEBUG_TU_INDEX,
	OBJECT_DWARF_COUNT, /* those before are DWARF's */
	OBJECT_BTF = OBJECT_DWARF_COUNT,
	OBJECT_BTF_BASE,    /* what a module's .BTF builds on, if it has that along (Linux 6.11) */
	OBJECT_SECTION_COUNT
};

struct object_section {
	const char *name;      /* the standard name, ".debug_info" */
	const uint8_t *data;   /* NULL when absent; never written; at least `size` bytes */
	uint64_t size;         /* bytes */
};

/* Where in a package (.dwp) the sections of one split file start: DWARF 5 section 7.3.5, GNU's version 2. */
struct object_contribution {
	uint64_t info_off;    /* of its units, in .debug_info; those of .debug_types count on behind it */
	uint64_t abbrev_off, line_off, str_offsets_off;
};

/* What a skeleton unit (DWARF 5 section 3.1.2) says for the split unit that it stands for. */
struct object_skeleton {
	uint64_t dwo_id;
	const char *comp_dir; /* "" without */
	uint64_t line_off;    /* in .debug_line of the linked file */
	uint64_t addr_base;   /* in its .debug_addr */
	bool has_lines;
};

struct object {
	const char *path;      /* as the user gave it */
	struct object_section sections[OBJECT_SECTION_COUNT];
	uint16_t elf_machine;  /* EM_* of elf.h */
	bool is_64bit;
	bool is_relocatable;   /* ET_REL */
	bool is_raw_btf;       /* no ELF file: raw BTF says its byte order, and nothing else of the machine */
	const char *machine;   /* "x86-64", "i386", "arm64", "arm", "riscv64", "ppc64", "s390x", "mips", "EM_n" otherwise;
	                        * of raw BTF this machine's when the running kernel shows it (sysfs), else "unknown" */
	const char *build_id;  /* lower-case hex; NULL when there is none */
	struct type_machine types; /* endianness, pointer size, scalar alignment */
	uint64_t line_bytes;   /* the machine's cache line: 64; 128 ppc64; 256 s390x; 32 mips; raw BTF: this one's */
	const char *debug_path; /* the file with the debug sections: `path`, or a separate one (companion.h) */
	const char *looked_at;  /* where a separate one was looked for in vain; NULL: nowhere */
	bool is_split;          /* its debug sections are the .dwo ones: a split file or a package of them */
	const struct object_contribution *contributions; /* of a package; by info_off */
	size_t contribution_count;
	/*
	 * Further files with debug information (companion.h). Offsets count on from one to the next: first come this object's
	 * .debug_info and .debug_types, then those of companions[0], and so on.
	 */
	struct object *const *companions;
	size_t companion_count;
	uint64_t start;         /* where its own offsets start among all of them; 0 for what has the companions */
	uint64_t strings_start; /* likewise of .debug_str and .debug_line_str, each: what is different has different offsets */
	const struct object *alternate; /* the companion that DW_FORM_ref_sup* and DW_FORM_strp_sup lead to; NULL: none */
	bool is_shared;         /* a companion that has more than is of this binary: of its own units only used_units count */
	const uint64_t *used_units;     /* where those start: imported from an alternate file, of this build in a package; ascending */
	size_t used_count;
	const struct object_skeleton *skeletons; /* of split units among the companions; by dwo_id */
	size_t skeleton_count;
	size_t missing_count;   /* split files that are not among the companions */
	const char *missing;    /* their names and what is the matter: "a.dwo (looked at ...), ..."; NULL: none */
	struct trail *trail;            /* where readers write down what they read; NULL: nowhere. Not owned */
	struct object_handle *handle; /* file, mapping, libelf; owned */
};

/*
 * Opens and maps `path`, which may be "lib.a(member.o)" (archive.h). Errors, one line each with the next step: cannot
 * open (with the system's reason), a directory, empty, not ELF (an archive; text; compressed with what this was built
 * without), packed and damaged, truncated, a core file, section that cannot be unpacked or relocated. No debug information at all
 * is no error here: see object_require_dwarf().
 * The object stays valid until object_close(); everything that index and dwarf return points into it.
 */
struct error *object_open(struct arena *arena, const char *path, struct object *ret);

/* The same of a member of an archive, whose bytes are read, not mapped. */
struct error *object_open_member(struct arena *arena, const struct archive_member *member, struct object *ret);

/* The same of a file's .debug_*.dwo sections, whatever else is in it; it may have none. */
struct error *object_open_split(struct arena *arena, const char *path, struct object *ret);

/* Closes the descriptor: object_copy() is of no use then, everything else is. */
void object_close_file(struct object *object);

/* Closes it and its companions. */
void object_close(struct object *object);

/* Bytes of .debug_info and .debug_types: how many offsets are its own. */
static inline uint64_t object_span(const struct object *object)
{
	return object->sections[OBJECT_DEBUG_INFO].size + object->sections[OBJECT_DEBUG_TYPES].size;
}

/* The file among whose own offsets `off` is: `object` or one of its companions; the last one for what is behind all. */
const struct object *object_at(const struct object *object, uint64_t off);

/* One past the last offset of all files. */
uint64_t object_limit(const struct object *object);

/* What a package says of the unit at one of its own offsets; NULL where the sections are not shared. */
const struct object_contribution *object_contribution(const struct object *object, uint64_t own_off);

/* By id; NULL: none. */
const struct object_skeleton *object_skeleton(const struct object *object, uint64_t dwo_id);

/* The file to name in what is said of its debug sections. */
static inline const char *object_debug_path(const struct object *object)
{
	return object->debug_path ? object->debug_path : object->path;
}

/*
 * Copies `size` bytes at `off` of a section into `buffer`, from the file: for bytes that are looked at once and then no
 * more, where mapping a page and taking it away again costs more than the copy. False when the section is not in the
 * file as it is used (unpacked, relocated, put together) and when reading fails: then use its `data`.
 */
bool object_copy(const struct object *object, enum object_section_id id, uint64_t off,
	uint64_t size, uint8_t *buffer);

/*
 * The debug sections of `object` become those of `debug`, which was opened and is now part of it: object_close() closes
 * both. What the object is called and which build it is of does not change.
 */
void object_take_debug(struct object *object, struct object *debug);

/* An error that says what to do when there is no .debug_info (stripped, BTF only, -g0). */
struct error *object_require_dwarf(const struct object *object);

#endif
