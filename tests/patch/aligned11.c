/*
 * patch: struct small
 * padding: allowed
 * writes: hits
 * reads: table size
 *
 * The same where the file uses the keyword of C11.
 */
struct small {
	_Alignas(16) void *table;
	unsigned long size;
	unsigned long hits; /* counted */
};
struct small a_small;
