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

/* Areas into the arena; the symbol table on the way: the full one where it is there. */
static Elf_Scn *read_sections(
	struct arena *arena, Elf *elf, struct object_symbols *ret, GElf_Shdr *table_header)
{
	size_t names, capacity = 0;
	struct object_area *areas = NULL;
	Elf_Scn *section = NULL, *table = NULL;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_SYMTAB || (header.sh_type == SHT_DYNSYM && !table)) {
			table = section;
			*table_header = header;
		}
		if (!(header.sh_flags & SHF_ALLOC) || header.sh_flags & SHF_TLS ||
			!header.sh_size || header.sh_addr + header.sh_size < header.sh_addr)
			continue;
		areas = mem_grow(areas, &capacity, ret->area_count + 1, sizeof(*areas));
		areas[ret->area_count++] = (struct object_area){
			.name = name_or_none(elf_strptr(elf, names, header.sh_name)),
			.address = header.sh_addr,
			.size_bytes = header.sh_size,
			.is_writable = header.sh_flags & SHF_WRITE,
		};
	}
	if (ret->area_count)
		qsort(areas, ret->area_count, sizeof(*areas), compare_areas);
	ret->areas = arena_copy(arena, areas, ret->area_count, sizeof(*areas));
	mem_free(areas);
	return table;
}

static bool is_data(const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
	       (type == STT_OBJECT || type == STT_COMMON || type == STT_NOTYPE);
}

static void read_symbols(struct arena *arena, Elf *elf, Elf_Scn *table, const GElf_Shdr *header,
	struct object_symbols *ret)
{
	size_t capacity = 0;
	struct object_symbol *symbols = NULL;
	Elf_Data *data = elf_getdata(table, NULL);
	if (!data || !header->sh_entsize)
		return;
	uint64_t count = header->sh_size / header->sh_entsize;
	for (uint64_t i = 1; i < count && i < INT32_MAX; i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)i, &symbol))
			break;
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (!is_data(&symbol) || !name || !*name || !object_area_at(ret, symbol.st_value))
			continue;
		symbols = mem_grow(symbols, &capacity, ret->count + 1, sizeof(*symbols));
		symbols[ret->count++] = (struct object_symbol){
			.name = name,
			.address = symbol.st_value,
			.size_bytes = symbol.st_size,
			.is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL,
		};
	}
	if (ret->count)
		qsort(symbols, ret->count, sizeof(*symbols), compare_symbols);
	ret->symbols = arena_copy(arena, symbols, ret->count, sizeof(*symbols));
	mem_free(symbols);
}

void object_symbols_read(
	struct arena *arena, const struct object *object, struct object_symbols *ret)
{
	GElf_Shdr header = {.sh_type = SHT_NULL};
	*ret = (struct object_symbols){.count = 0};
	if (object->is_relocatable)
		return;
	Elf_Scn *table = read_sections(arena, object->handle->elf, ret, &header);
	if (table)
		read_symbols(arena, object->handle->elf, table, &header, ret);
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
