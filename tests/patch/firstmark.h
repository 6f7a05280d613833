struct first {
	unsigned long hits;
	void *table;
	long cold[8];
};
/*
 * patch: struct first
 * writes: hits
 * reads: table
 *
 * The byte order mark stands right before the struct.
 */
struct first a_first;
