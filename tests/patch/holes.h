/*
 * patch: struct record
 * writes: hits
 * reads: name kind
 *
 * Holes that packing closes: many moves at once.
 */
struct record {
	char kind;
	/* of the record */
	const char *name;
	char is_open;	/* and readable */
	unsigned long hits;

	short port;
	long offset;
	char is_last;
	long length;
	int owner, group;
	char state;
	double weight;
	char text[40];
};
struct record a_record;
