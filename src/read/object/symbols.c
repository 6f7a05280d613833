#include "read/object/symbols.h"

#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "read/object/handle.h"

static int compare_areas(const void *left, const void *right)
{
	const struct object_area *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int compare_symbols(const void *left, const void *right)
{
	const struct object_symbol *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->size_bytes != b->size_bytes)
		return a->size_bytes > b->size_bytes ? -1 : 1;
	if (a->is_local != b->is_local)
		return a->is_local ? 1 : -1;
	return strcmp(a->name, b->name);
}

static const char *name_or_none(const char *name)
{
	return name ? name : "";
}

/* What is read from, and what of it was found. */
struct table {
	const struct object_handle *handle;
	Elf_Scn *section; /* of the symbols; NULL: none */
	GElf_Shdr header;
};

/* Where a section lies; false when it is not there at run time, or nobody can say. */
static bool area_of(const struct object_handle *handle, size_t index, const GElf_Shdr *header,
	struct object_area *ret)
{
	uint64_t address = handle->areas ? handle->areas[index] : header->sh_addr;
	if (!(header->sh_flags & SHF_ALLOC) || header->sh_flags & SHF_TLS || !header->sh_size ||
		address + header->sh_size < address || (handle->areas && !address))
		return false;
	bool good_align =
		header->sh_addralign && !(header->sh_addralign & (header->sh_addralign - 1));
	*ret = (struct object_area){
		.address = address,
		.size_bytes = header->sh_size,
		.align_bytes = good_align ? header->sh_addralign : 1,
		.is_writable = header->sh_flags & SHF_WRITE,
	};
	return true;
}

/* Areas into the arena; the symbol table on the way: the full one where it is there. */
static void read_sections(struct arena *arena, struct table *table, struct object_symbols *ret)
{
	size_t names, capacity = 0;
	struct object_area *areas = NULL, area;
	Elf *elf = table->handle->elf;
	Elf_Scn *section = NULL;
	ret->is_stripped = true;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_SYMTAB ||
			(header.sh_type == SHT_DYNSYM && !table->section)) {
			table->section = section;
			table->header = header;
			ret->is_stripped &= header.sh_type != SHT_SYMTAB;
		}
		if (!area_of(table->handle, elf_ndxscn(section), &header, &area))
			continue;
		area.name = name_or_none(elf_strptr(elf, names, header.sh_name));
		areas = mem_grow(areas, &capacity, ret->area_count + 1, sizeof(*areas));
		areas[ret->area_count++] = area;
	}
	if (ret->area_count)
		qsort(areas, ret->area_count, sizeof(*areas), compare_areas);
	ret->areas = arena_copy(arena, areas, ret->area_count, sizeof(*areas));
	mem_free(areas);
}

static bool is_data(const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
	       symbol->st_shndx != SHN_COMMON &&
	       (type == STT_OBJECT || type == STT_COMMON || type == STT_NOTYPE);
}

/* Of a relocatable object symbols count from their section. False: in none that has a place. */
static bool find_address(const struct object_handle *handle, const GElf_Sym *symbol, uint64_t *ret)
{
	*ret = symbol->st_value;
	if (!handle->areas)
		return true;
	if (symbol->st_shndx >= handle->area_count || symbol->st_shndx >= SHN_LORESERVE ||
		!handle->areas[symbol->st_shndx])
		return false;
	*ret += handle->areas[symbol->st_shndx];
	return *ret >= symbol->st_value;
}

static void read_symbols(struct arena *arena, const struct table *table, struct object_symbols *ret)
{
	size_t capacity = 0, local_capacity = 0;
	struct object_symbol *symbols = NULL;
	const char **locals = NULL;
	Elf_Data *data = elf_getdata(table->section, NULL);
	if (!data || !table->header.sh_entsize)
		return;
	uint64_t count = table->header.sh_size / table->header.sh_entsize, address;
	for (uint64_t i = 1; i < count && i < INT32_MAX; i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)i, &symbol))
			break;
		const char *name =
			elf_strptr(table->handle->elf, table->header.sh_link, symbol.st_name);
		if (!name || !*name)
			continue;
		if (GELF_ST_TYPE(symbol.st_info) == STT_TLS) {
			locals = mem_grow(locals, &local_capacity, ret->thread_local_count + 1,
				sizeof(*locals));
			locals[ret->thread_local_count++] = name;
			continue;
		}
		if (!is_data(&symbol) || !find_address(table->handle, &symbol, &address) ||
			!object_area_at(ret, address))
			continue;
		symbols = mem_grow(symbols, &capacity, ret->count + 1, sizeof(*symbols));
		symbols[ret->count++] = (struct object_symbol){
			.name = name,
			.address = address,
			.size_bytes = symbol.st_size,
			.is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL,
		};
	}
	if (ret->count)
		qsort(symbols, ret->count, sizeof(*symbols), compare_symbols);
	ret->symbols = arena_copy(arena, symbols, ret->count, sizeof(*symbols));
	ret->thread_locals = arena_copy(arena, locals, ret->thread_local_count, sizeof(*locals));
	mem_free(symbols);
	mem_free(locals);
}

void object_symbols_read(
	struct arena *arena, const struct object *object, struct object_symbols *ret)
{
	struct table table = {.handle = object->handle};
	*ret = (struct object_symbols){.count = 0};
	read_sections(arena, &table, ret);
	if (table.section)
		read_symbols(arena, &table, ret);
}

const struct object_area *object_area_at(const struct object_symbols *symbols, uint64_t address)
{
	/* sections of a program do not overlap, but those of a kernel do: per-CPU ones start at 0 */
	for (size_t i = 0; i < symbols->area_count && symbols->areas[i].address <= address; i++)
		if (address - symbols->areas[i].address < symbols->areas[i].size_bytes)
			return &symbols->areas[i];
	return NULL;
}

const struct object_symbol *object_symbol_at(const struct object_symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (symbols->symbols[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < symbols->count && symbols->symbols[low].address == address
		       ? &symbols->symbols[low]
		       : NULL;
}

const struct object_symbol *object_symbol_next(
	const struct object_symbols *symbols, const struct object_symbol *symbol)
{
	const struct object_symbol *next = symbol + 1;
	bool is_there = next < symbols->symbols + symbols->count;
	return is_there && next->address == symbol->address ? next : NULL;
}
