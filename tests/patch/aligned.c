/*
 * patch: struct small
 * padding: allowed
 * writes: hits
 * reads: table size
 *
 * Too small for moves alone: one member is put on a line of its own.
 */
struct small {
	void		*table;	/* of pointers */
	unsigned long	size, hits;
};
struct small a_small;
