#include "explain.h"

#include <assert.h>
#include <string.h>

#include "base/nearest.h"

struct page {
	const char *rule;
	const char *what, *why, *example, *fix, *ignore;
};

static const struct page pages[] = {
	{"LL001",
		"A field that some threads write lies on a cache line with fields that others\n"
		"read, or that the same operation reads in the other threads.\n",

		"A write takes the line away from every other processor. Whoever reads a\n"
		"neighbour next has to fetch the line again, although the neighbour has not\n"
		"changed. With many threads on one object the fetches queue up.\n",

		"struct file of Linux 6.12, 64-byte lines:\n"
		"\n"
		"    line 0    0  f_count     written twice by every pread(2) (fget, fput)\n"
		"             12  f_mode      read\n"
		"             16  f_op        read\n"
		"             24  f_mapping   read\n"
		"             40  f_inode     read\n"
		"\n"
		"What each thread reads is fetched again whenever another takes or drops its\n"
		"reference. Linux 6.15 has the counter (as f_ref) on the third line.\n",

		"Move the written field to a line that its readers do not read; where there is\n"
		"none, to one of its own, or beside what the same operations write. The\n"
		"counter's own contention stays: that is true sharing, and no layout helps.\n"
		"Where no order of the same size has room for it, an error becomes a warning,\n"
		"which says what 'padding: allowed' in the profile's constraints would do.\n"
		"Look at what the field meets on its new line before you send the patch.\n",

		"When the object is not shared in practice, or the threads of the profile\n"
		"never meet. Say so: instance: per-thread, fewer threads, or an ignore with a\n"
		"reason.\n"},
	{"LL002",
		"Fields that different roles write lie on one line, and no lock that both\n"
		"take orders them.\n",

		"Each write takes the line away from the other writer. Nobody waits for a\n"
		"value of the other, they only wait for the line.\n",

		"    struct queue {\n"
		"            unsigned long produced;   /* offset 0, written by the producer */\n"
		"            unsigned long consumed;   /* offset 8, written by the consumer */\n"
		"    };\n"
		"\n"
		"Two threads, each busy with its own counter, make the line travel at every\n"
		"operation.\n",

		"Put what each role writes on a line of its own, beside what only that role\n"
		"reads. Keep together what one operation writes: apart it costs more.\n",

		"When the roles never run at the same time (put them into different\n"
		"workloads), or when a lock orders them that the profile does not know (state\n"
		"it in locks).\n"},
	{"LL003",
		"A scalar lies across two lines because it is packed or under-aligned; or\n"
		"fields that the profile wants kept together would fit one line and do not\n"
		"lie on one.\n",

		"An access that crosses lines needs both; an atomic one may lock the bus or\n"
		"trap. What is used together should come with one fetch.\n",

		"struct file of Linux 5.8 on i386, where 8-byte scalars are aligned to 4:\n"
		"\n"
		"    line 1  124  f_ra.prev_pos   bytes 124 to 131 lie on lines 1 and 2\n",

		"Give the scalar its natural alignment, or move it off the border. Move the\n"
		"members of a keep_together group one behind the other.\n",

		"When the layout is somebody else's (a wire format, firmware tables), or\n"
		"nobody accesses the field often. A lock as a whole is never reported: its\n"
		"halves may be wanted apart, as those of mmap_lock are.\n"},
	{"LL004",
		"The fields that one role touches in an operation take more lines than they\n"
		"need: lines now, and the least possible with what is written kept apart from\n"
		"what is only read.\n",

		"Every line that an operation touches is a line that can miss, and one less\n"
		"for other data.\n",

		"A page fault in struct mm_struct of Linux 6.12 touches five fields on four\n"
		"lines; two would hold them:\n"
		"\n"
		"    line  1    72  mm_mt.ma_root    120  pgd\n"
		"    line  3   224  mm_lock_seq\n"
		"    line 17  1128  flags\n"
		"    line 18  1152  owner\n",

		"Bring together what the role reads, and what it writes, without putting a\n"
		"written field beside what others read.\n",

		"When the object is small or always in the cache, or other roles need the\n"
		"order. It is an info: it never fails a build.\n"},
	{"LL005",
		"The elements of an array lie across lines because their size is neither a\n"
		"divisor nor a multiple of the line; or neighbours share a line on which one\n"
		"of their fields is written. The array is one of the struct (instance:\n"
		"array), or a member of which each thread has its own element (index:\n"
		"thread).\n",

		"Neighbours belong to different threads. A write to one element takes its\n"
		"neighbour's line away; an element that lies across two lines has twice the\n"
		"neighbours and needs both lines.\n",

		"mem_map[] of Linux 2.2.5 on 32-bit, lines of 32 bytes:\n"
		"\n"
		"    struct page: 40 bytes, so elements begin at 0, 8, 16 and 24 of a line, and\n"
		"    at three of these four places they lie across two lines.\n"
		"\n"
		"A patch padded them to 48 bytes, which is no multiple either: the same\n"
		"again. 64 bytes are right, at 24 more for every page.\n",

		"Give the elements a size that is a multiple of the line, and let the array\n"
		"start a line. Or keep one array a thread. Padding costs memory: the advice\n"
		"says how much, and what it saves, which no order of the members could.\n"
		"Where it gains next to nothing the finding is an info. An error stays one\n"
		"although the element has to grow: that is its way out, while LL001 and LL002\n"
		"are judged by orders of the same size.\n",

		"When neighbours belong to the same thread, or the array is only read: then\n"
		"it is no instance: array.\n"},
	{"LL006",
		"Holes and padding cost a line or an allocation: the same members take fewer\n"
		"lines, or a smaller slab object, in another order.\n",

		"Bytes that nobody uses are fetched and allocated all the same.\n",

		"struct dma_slave_config of Linux 6.12:\n"
		"\n"
		"    line 0    0  direction              4 bytes, then a hole of 4\n"
		"             48  device_fc              1 byte, then a hole of 7\n"
		"             56  peripheral_config\n"
		"    line 1   64  peripheral_size\n"
		"\n"
		"72 bytes on two lines; with device_fc behind direction it would be 64 on\n"
		"one.\n",

		"Put smaller members into the holes, but no written field beside read ones.\n"
		"Holes in front of members that are aligned to a line are left alone: they\n"
		"were made on purpose.\n",

		"When the order is an interface, or there are few such objects.\n"},
	{"LL007",
		"Objects may start at several places of a line, and the separation that the\n"
		"layout seems to have holds at some of them only; or the type asks for an\n"
		"alignment that its allocation does not give.\n",

		"Offsets say which fields share a line only when it is known where objects\n"
		"start. It is said once for the struct, not for every pair.\n",

		"struct inode of Linux 6.12 lies inside the inodes of file systems, which are\n"
		"aligned to 8. i_size (80) and i_rwsem (152) are 72 bytes apart, so they\n"
		"never share a line. i_mtime_nsec (116) and i_rwsem.count (152) share one\n"
		"when the object starts at 16, 24 or 32 of a line, and at no other place.\n",

		"Let objects start a line: an allocation that is aligned to it, and a stride\n"
		"that is a multiple of it. Or keep what is written a whole line away from\n"
		"what others use.\n",

		"When the placement is known and the profile does not say so: state\n"
		"alignment, stride or container.\n"},
	{"LL008",
		"The size just misses a smaller allocation: a few bytes less, and objects\n"
		"would take the next smaller kmalloc class or slab object.\n",

		"Memory, and the lines of it that are in the cache.\n",

		"struct fdtable of Linux 2.6.14 on 64-bit has 72 bytes and takes an object of\n"
		"128, 32 of them a page. Without next_fd it has 64 bytes and takes 64.\n",

		"Find the bytes: a member that another struct can hold, a smaller type, a\n"
		"hole.\n",

		"When there are few such objects, or the profile states another allocator\n"
		"than the real one.\n"},
	{"LL009",
		"An expectation of the profile (expect) does not hold: same_line, apart,\n"
		"line, max_size or max_lines.\n",

		"A tuned layout rots: somebody adds a member, and the careful order is gone.\n"
		"An expectation fails the build that loses it.\n",

		"With struct file of Linux 6.12,\n"
		"\n"
		"    expect:\n"
		"      - {apart: [f_count, f_mode]}\n"
		"\n"
		"is broken: f_count (0) and f_mode (12) both lie on line 0.\n",

		"Restore the layout. Or change the expectation, in the same commit, and say\n"
		"why.\n",

		"Never: an expectation that is ignored is better deleted.\n"},
	{"LL010",
		"The profile names a struct or a field that the binary does not have, or one\n"
		"whose place only the running program knows (in a virtual base, behind an\n"
		"array of variable length), or states the index of what is no array. An\n"
		"info: an ignore that matches no finding, and all that the shipped profile\n"
		"names in vain.\n",

		"A profile that has gone stale checks nothing and looks as if it did.\n",

		"struct file has f_count up to Linux 6.12 and f_ref since 6.13. A profile\n"
		"that names f_count alone is stale on 6.13.\n",

		"Correct the name (the nearest ones are offered). For a field that only some\n"
		"versions have: optional: true, or if: and unless: another field. Delete an\n"
		"index or an ignore that says nothing.\n",

		"Never: mark the field as optional instead.\n"},
	{"LL011", "One name has several layouts in one binary.\n",

		"What is said of the struct is said of one of them, the first in the file.\n"
		"Often they are unrelated; two views of one struct are a fault.\n",

		"struct getdents_callback of Linux 6.12 is one thing in fs/readdir.c and\n"
		"another in fs/exportfs/expfs.c, both of 40 bytes.\n",

		"Look at each with --all-definitions. Rename one if they are meant to be\n"
		"different, share a header if they are not.\n",

		"When they are unrelated and local to their files.\n"},
	{"LL012",
		"As LL001 or LL002, but across the two lines of a pair of 128 bytes, both of\n"
		"which are fetched, where the placement fixes the pair.\n",

		"Many x86 processors fetch the other line of a pair on a miss. Then two lines\n"
		"that both miss behave as one. A line that never misses is not affected.\n",

		"struct file of Linux 5.8, were it aligned to 128: f_count (56, line 0) is\n"
		"written, f_pos (104, line 1) too. On lines of 64 they are apart, to a\n"
		"processor that fetches pairs they are not.\n",

		"Move the written field to another pair, or align to 128.\n",

		"When the machines that matter do not fetch pairs, or the fetch is switched\n"
		"off. Look at it with --line-size 128 as well.\n"},
	{"LL013",
		"A global variable that some threads write lies on a cache line with others\n"
		"that other threads, or the same operation, read, or that other roles write.\n",

		"The linker puts variables side by side as files and types happen to come. A\n"
		"counter of one file then takes the line away from the settings of another,\n"
		"and no source shows that they are neighbours.\n",

		"    long hits;             /* written by every request */\n"
		"    long limit = 100;      /* read by every request */\n"
		"\n"
		"    line 0x4040 of .data: hits, written by request, shares a line with limit\n"
		"    that it reads\n",

		"Give the written variable a line of its own: __cacheline_aligned_in_smp in a\n"
		"kernel; elsewhere alignas(64) on a member of a struct, whose size then fills\n"
		"the line, since an aligned variable alone does not keep what follows away.\n"
		"Or put what is only read together: __read_mostly, or a struct of settings.\n"
		"What is written together and by one thread belongs on one line.\n",

		"When the threads of the profile never run at the same time (workloads), or a\n"
		"lock orders the accesses (locks). Per-CPU variables are left alone unless the\n"
		"profile lists them under shared. In an object file only those of one section\n"
		"are known to be neighbours, and the linker decides where the section starts.\n"},
};

static const struct page *find_page(const char *rule)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (strcmp(pages[i].rule, rule) == 0)
			return &pages[i];
	return NULL;
}

void explain_table(struct buf *out)
{
	for (size_t i = 0; i < lint_rule_count; i++)
		buf_printf(out, "%s  %-22s  %-7s  %s\n", lint_rules[i].id, lint_rules[i].name,
			severity_name(lint_rules[i].at_most), lint_rules[i].summary);
}

static void section(struct buf *out, const char *title, const char *text)
{
	buf_printf(out, "\n%s\n", title);
	while (*text) {
		size_t length = strcspn(text, "\n");
		if (length)
			buf_puts(out, "  ");
		buf_add(out, text, length);
		buf_putc(out, '\n');
		text += length + (text[length] == '\n');
	}
}

void explain_page(const struct lint_rule_info *rule, struct buf *out)
{
	const struct page *page = find_page(rule->id);
	assert(page && "every rule has a page");
	buf_printf(out, "%s %s, at most %s\n  %s\n", rule->id, rule->name,
		severity_name(rule->at_most), rule->summary);
	section(out, "What", page->what);
	section(out, "Why", page->why);
	section(out, "Example", page->example);
	section(out, "How to fix it", page->fix);
	section(out, "When to ignore it", page->ignore);
}

char *explain_nearest(const char *wanted, char *text, size_t size)
{
	struct nearest nearest;
	nearest_init(&nearest, wanted);
	for (size_t i = 0; i < lint_rule_count; i++) {
		nearest_offer(&nearest, lint_rules[i].id);
		nearest_offer(&nearest, lint_rules[i].name);
	}
	return nearest_text(&nearest, text, size);
}
