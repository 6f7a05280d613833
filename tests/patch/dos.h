/*
 * patch: struct dos
 * writes: hits
 * reads: table size
 *
 * Lines of DOS, and bytes of Latin 1: äöü ÿ.
 */
struct dos {
	unsigned long hits;   /* gezählt */
	void *table;

	unsigned long size;	/* Â
				 * Ã */
	char cold[64];
};
struct dos a_dos;