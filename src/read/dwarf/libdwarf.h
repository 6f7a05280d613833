/*
 * libdwarf: the library's header, and what its releases call differently, under one name.
 *
 * Private to handle.h and what includes that. The tests pass with 20210528, which Debian 12 has, and with 0.11.1. What 0.x has
 * otherwise: the object-access structures have other names and a file size (DW_LIBDWARF_VERSION is theirs), sections are
 * numbered with a wider type, dwarf_object_finish() has no error, and the order of bytes is a DW_END_*. 0.12 and 2.x, which
 * nobody has tried, put more methods behind the others, which map sections and may be left NULL (their libdwarf.h,
 * "Dwarf_Obj_Access_Methods_a_s"); what is loaded without them they do not free. What else is called has kept its name and
 * its parameters; errors go by dwarf_dealloc_error() everywhere. Only sections over memory that is the caller's are
 * supported: nothing is relocated.
 */
#ifndef READ_LIBDWARF_H
#define READ_LIBDWARF_H

#include <stdint.h>
#include <string.h>

#ifdef LIBDWARF_ALONE /* make LIBDWARF_PREFIX=DIR: its directory stands before the system's */
#include <libdwarf.h>
#include <dwarf.h>
#elif __has_include(<libdwarf/libdwarf.h>)
#include <libdwarf/libdwarf.h>
#include <libdwarf/dwarf.h>
#elif __has_include(<libdwarf-2/libdwarf.h>)
#include <libdwarf-2/libdwarf.h>
#include <libdwarf-2/dwarf.h>
#elif __has_include(<libdwarf-0/libdwarf.h>)
#include <libdwarf-0/libdwarf.h>
#include <libdwarf-0/dwarf.h>
#else
#include <libdwarf.h>
#include <dwarf.h>
#endif

/* A section to present: index 0 is reserved by ELF, so the first is 1. */
struct libdwarf_section {
	const char *name;
	const unsigned char *data; /* NULL: not there */
	unsigned long long size;
};

/* What libdwarf calls back with; must outlive the Dwarf_Debug. */
struct libdwarf_source {
	const struct libdwarf_section *sections;
	unsigned section_count;
	unsigned char is_big_endian, offset_bytes, address_bytes;
};

#ifdef DW_LIBDWARF_VERSION
typedef Dwarf_Obj_Access_Section_a libdwarf_section_info;
typedef Dwarf_Obj_Access_Methods_a libdwarf_methods;
typedef Dwarf_Obj_Access_Interface_a libdwarf_interface;
typedef Dwarf_Small libdwarf_byte_order;
#define LIBDWARF_BIG                 DW_END_big
#define LIBDWARF_LITTLE              DW_END_little
#define LIBDWARF_FIELD(prefix, name) prefix##_##name
#else
typedef Dwarf_Obj_Access_Section libdwarf_section_info;
typedef Dwarf_Obj_Access_Methods libdwarf_methods;
typedef Dwarf_Obj_Access_Interface libdwarf_interface;
typedef Dwarf_Endianness libdwarf_byte_order;
#define LIBDWARF_BIG                 DW_OBJECT_MSB
#define LIBDWARF_LITTLE              DW_OBJECT_LSB
#define LIBDWARF_FIELD(prefix, name) name
#endif

static inline int libdwarf_get_info(void *object, Dwarf_Unsigned index, libdwarf_section_info *info)
{
	const struct libdwarf_source *source = object;
	memset(info, 0, sizeof(*info));
	info->LIBDWARF_FIELD(as, name) = "";
	if (index > source->section_count)
		return DW_DLV_NO_ENTRY;
	if (index == 0 || !source->sections[index - 1].data)
		return DW_DLV_OK;
	info->LIBDWARF_FIELD(as, name) = source->sections[index - 1].name;
	info->LIBDWARF_FIELD(as, size) = source->sections[index - 1].size;
	info->LIBDWARF_FIELD(as, type) = 1; /* SHT_PROGBITS */
	return DW_DLV_OK;
}

static inline int libdwarf_load(void *object, Dwarf_Unsigned index, Dwarf_Small **data)
{
	const struct libdwarf_source *source = object;
	if (index == 0 || index > source->section_count || !source->sections[index - 1].data)
		return DW_DLV_NO_ENTRY;
	/* libdwarf only reads it, but has no const in its interface. */
	*data = (Dwarf_Small *)(uintptr_t)source->sections[index - 1].data;
	return DW_DLV_OK;
}

static inline int libdwarf_get_info_half(
	void *object, Dwarf_Half index, libdwarf_section_info *info, int *error)
{
	(void)error;
	return libdwarf_get_info(object, index, info);
}

static inline int libdwarf_get_info_wide(
	void *object, Dwarf_Unsigned index, libdwarf_section_info *info, int *error)
{
	(void)error;
	return libdwarf_get_info(object, index, info);
}

static inline int libdwarf_load_half(void *object, Dwarf_Half index, Dwarf_Small **data, int *error)
{
	(void)error;
	return libdwarf_load(object, index, data);
}

static inline int libdwarf_load_wide(
	void *object, Dwarf_Unsigned index, Dwarf_Small **data, int *error)
{
	(void)error;
	return libdwarf_load(object, index, data);
}

static inline libdwarf_byte_order libdwarf_get_byte_order(void *object)
{
	const struct libdwarf_source *source = object;
	return source->is_big_endian ? LIBDWARF_BIG : LIBDWARF_LITTLE;
}

static inline Dwarf_Small libdwarf_get_length_size(void *object)
{
	const struct libdwarf_source *source = object;
	return source->offset_bytes;
}

static inline Dwarf_Small libdwarf_get_pointer_size(void *object)
{
	const struct libdwarf_source *source = object;
	return source->address_bytes;
}

#ifdef DW_LIBDWARF_VERSION
/* It compares sizes of sections with this. */
static inline Dwarf_Unsigned libdwarf_get_file_size(void *object)
{
	const struct libdwarf_source *source = object;
	Dwarf_Unsigned size = 0;
	for (unsigned i = 0; i < source->section_count; i++)
		size += source->sections[i].size;
	return size;
}
#endif

static inline Dwarf_Unsigned libdwarf_get_section_count(void *object)
{
	const struct libdwarf_source *source = object;
	return source->section_count + 1;
}

static const libdwarf_methods libdwarf_access = {
	.LIBDWARF_FIELD(om, get_section_info) =
		_Generic(((libdwarf_methods *)0)->LIBDWARF_FIELD(om, get_section_info),
			 int (*)(void *, Dwarf_Half, libdwarf_section_info *, int *)
			 : libdwarf_get_info_half, default
			 : libdwarf_get_info_wide),
	.LIBDWARF_FIELD(om, get_byte_order) = libdwarf_get_byte_order,
	.LIBDWARF_FIELD(om, get_length_size) = libdwarf_get_length_size,
	.LIBDWARF_FIELD(om, get_pointer_size) = libdwarf_get_pointer_size,
#ifdef DW_LIBDWARF_VERSION
	.om_get_filesize = libdwarf_get_file_size,
#endif
	.LIBDWARF_FIELD(om, get_section_count) = libdwarf_get_section_count,
	.LIBDWARF_FIELD(om, load_section) =
		_Generic(((libdwarf_methods *)0)->LIBDWARF_FIELD(om, load_section),
			 int (*)(void *, Dwarf_Half, Dwarf_Small **, int *)
			 : libdwarf_load_half, default
			 : libdwarf_load_wide),
};

/*
 * Before the first libdwarf_open(), while there is one thread. libdwarf need not keep a tree of all that it has handed
 * out: we give each thing back.
 */
static inline void libdwarf_begin(void)
{
	dwarf_set_de_alloc_flag(0);
}

/* Opens; `interface` and `source` must outlive the result. A DW_DLV_* code. */
static inline int libdwarf_open(struct libdwarf_source *source, libdwarf_interface *interface,
	Dwarf_Debug *ret, Dwarf_Error *error)
{
	interface->LIBDWARF_FIELD(ai, object) = source;
	interface->LIBDWARF_FIELD(ai, methods) = &libdwarf_access;
	return dwarf_object_init_b(interface, NULL, NULL, DW_GROUPNUMBER_ANY, ret, error);
}

static inline void libdwarf_close(Dwarf_Debug debug)
{
#ifdef DW_LIBDWARF_VERSION
	dwarf_object_finish(debug);
#else
	Dwarf_Error error = NULL;
	dwarf_object_finish(debug, &error);
#endif
}

#endif
