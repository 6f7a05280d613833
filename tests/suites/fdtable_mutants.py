"""Builds of the fd table that are broken on purpose, each in one place, and what validate must say of them.

A test that nothing can make fail proves nothing. The text that is replaced must be in its file once: who changes the
line in the library decides here what its mutant is now.
"""

import dataclasses


@dataclasses.dataclass
class Mutant:
    name: str
    variant: str
    property: str  # of validate
    file: str
    old: str
    new: str
    says: str  # a regular expression
    sanitize: str = ""


LOCK = "linux-2.6.13-lock-lock"
SEQCOUNT = "dumazet-2005-long-seqcount-lock"
RESIZE = "best-resize-batch"
ATOMIC = "best-best-atomic"
BATCH = "best-best-batch"

MUTANTS = [
    # Lookup.
    Mutant("get-looks-once", BATCH, "meetings", "fget.c", "if (still_there(files, fd, file))",
           "if (still_there(files, fd, file) || true)", "names the file that was installed at"),
    Mutant("get-takes-the-dead", BATCH, "meetings", "fget.c", "while (count != 0) {", "for (;;) {",
           "went twice|is not open"),
    Mutant("get-gives-up", BATCH, "meetings", "fget.c", "		if (get_unless_zero(file)) {",
           "		if (!get_unless_zero(file)) {\n			file = NULL;\n			break;\n		} else {",
           "lookup during a dup2 failed"),
    Mutant("file-freed-at-once", BATCH, "meetings", "file.c", "rcu_defer(&file->f_u.fu_rcuhead, file_free_rcu);",
           "file_free(file);", "freed under a read section"),

    # Install and growth.
    Mutant("seqcount-without-retry", SEQCOUNT, "meetings", "slot_array.c", "		if (!done) {",
           "		done = true;\n		if (!done) {", "an install during (growth|a copy) is lost"),
    Mutant("seqcount-without-marks", SEQCOUNT, "meetings", "expand.c",
           "		if (!file)\n			atomic_compare_exchange_strong_explicit(&from->fd[fd], &file,",
           "		if (false)\n			atomic_compare_exchange_strong_explicit(&from->fd[fd], &file,",
           "an install during growth is lost"),
    Mutant("seqcount-with-the-hole-of-2015", SEQCOUNT, "meetings", "slot_array.c",
           "			done = install_in(slot_find(files, fd), file, &empty);",
           """		{
				unsigned int before = atomic_load(&policy(files)->fdt_seqcount.sequence);

				atomic_store(slot_find(files, fd), file);
				at_point(POINT_INSTALL_FOUND);
				done = before == atomic_load(&policy(files)->fdt_seqcount.sequence);
			}""", "open after its close"),
    Mutant("resize-without-looking-at-the-flag", RESIZE, "meetings", "slot_array.c",
           "if (atomic_load_explicit(&policy(files)->resize_in_progress, memory_order_acquire)) {", "if (false) {",
           "an install during a copy is lost"),
    Mutant("resize-without-waiting", RESIZE, "meetings", "expand.c", "	rcu_wait();\n", "",
           "an install during growth is lost"),
    Mutant("lock-without-locking", LOCK, "meetings", "slot_array.c", "	spin_lock(&files->file_lock);\n	slot = slot_find",
           "	slot = slot_find", "an install during (growth|a copy) is lost"),

    # Numbers.
    Mutant("claim-without-looking", RESIZE, "meetings", "bits.c", "return mask & ~old;", "return mask;",
           "0 was handed out twice"),
    Mutant("slot-taken-blindly", ATOMIC, "meetings", "number_atomic.c",
           """	return atomic_compare_exchange_strong_explicit(
		slot_find(files, fd), &empty, value, memory_order_acq_rel, memory_order_relaxed);""",
           "	atomic_store(slot_find(files, fd), value);\n	return true;", "was handed out|is lost"),
    Mutant("dup2-without-looking-again", ATOMIC, "meetings", "number_atomic.c",
           "if (was_free && is_empty(files, fd))", "if (false)", "numbers could be had: the others are lost|is free"),
    Mutant("full-without-version", ATOMIC, "meetings", "bits.c", "mark_full(bits, word, version);",
           "mark_full(bits, word, full_load(bits, word));", "is free, and alloc says"),
    Mutant("next-fd-only-rises", LOCK, "model", "number_lock.c", "if (fd < (unsigned int)*next_fd(files))",
           "if (false)", "the model has"),
    Mutant("lowest-by-hint", BATCH, "lowest", "number_atomic.c", "if (more(files)->any_number)\n		return reserve_any",
           "if (true)\n		return reserve_any", "was free during the whole call"),
    Mutant("numbers-put-aside-for-ever", BATCH, "meetings", "number_atomic.c",
           "return result == -EMFILE ? reserve_put_aside(files, min, value) : result;", "return result;",
           "another thread has closed is lost"),

    # Close and replace.
    Mutant("close-without-swap", BATCH, "meetings", "slot_segment.c",
           """	} while (!atomic_compare_exchange_weak_explicit(
		slot, &value, NULL, memory_order_seq_cst, memory_order_relaxed));""",
           "	} while ((atomic_store(slot, NULL), false));", "two closes of one number|went twice"),
    Mutant("close-without-lock", LOCK, "meetings", "slot_array.c",
           "	spin_lock(&files->file_lock);\n	file = file_at(files, fd);\n	if (file && only_close_on_exec",
           "	file = file_at(files, fd);\n	if (file && only_close_on_exec",
           "a number is lost|two closes of one number|went twice"),
    Mutant("dup2-in-two-steps", LOCK, "replace", "slot_array.c",
           "		atomic_store_explicit(slot_find(files, fd), file, memory_order_seq_cst);",
           "		atomic_store(slot_find(files, fd), NULL);\n		sched_yield();\n"
           "		atomic_store(slot_find(files, fd), file);", "between failed|flag between"),
    Mutant("fork-of-two-moments", BATCH, "meetings", "slot_segment.c", "		if (file && file == slot_file(before) &&\n"
           "			atomic_load_explicit(slot, memory_order_acquire) == before) {", "		if (file) {",
           "one file with another's flag"),
    Mutant("fork-without-flags", ATOMIC, "fork", "files.c", "slot_replace(to, fd, file, close_on_exec, &old)",
           "slot_replace(to, fd, file, false, &old)", "the flag of 1 in the copy"),

    # Errors and memory.
    Mutant("dup-keeps-a-reference", BATCH, "errors", "fdtable.c",
           "	if (result < 0)\n		fput(file);\n	return result;\n}\n\nint fd_replace",
           "	return result;\n}\n\nint fd_replace", "files were made"),
    Mutant("limit-off-by-one", BATCH, "errors", "fdtable.c", "	if (to >= limit_of(files))\n",
           "	if (to > limit_of(files))\n", "dup2 to of 100"),
    Mutant("growth-leaks", SEQCOUNT, "memory", "expand.c",
           "	if (!words) {\n		memory_free(fdt->fd);\n", "	if (!words) {\n", "allocations leak"),
    Mutant("growth-forgets-its-error", BATCH, "memory", "expand.c",
           "			if (!chunk)\n				return -ENOMEM;", "			if (!chunk)\n				return -EMFILE;",
           "when allocation . fails"),

    # Orders, which a strong machine keeps anyway: -fsanitize=thread sees that nobody asked for them.
    Mutant("put-relaxed", BATCH, "meetings", "file.c",
           "atomic_fetch_sub_explicit(&file->f_count.counter, 1, memory_order_acq_rel)",
           "atomic_fetch_sub_explicit(&file->f_count.counter, 1, memory_order_relaxed)", "data race", "thread"),
    Mutant("segment-published-relaxed", BATCH, "meetings", "expand.c",
           "&more(files)->segment[i], segment, memory_order_release",
           "&more(files)->segment[i], segment, memory_order_relaxed", "data race", "thread"),
    Mutant("table-published-relaxed", SEQCOUNT, "meetings", "expand.c",
           "atomic_store_explicit(&files->fdt, new, memory_order_release);",
           "atomic_store_explicit(&files->fdt, new, memory_order_relaxed);", "data race", "thread"),
]
