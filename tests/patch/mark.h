/*
 * patch: struct marked
 * writes: hits
 * reads: table mode
 * cc: -w -fms-extensions
 *
 * A byte order mark, names in parentheses, a struct that is named and yet has no name, aggregates of nothing.
 */
struct embedded { unsigned long hits; int spare; };
struct marked {
	struct { };
	struct embedded;
	void *(table);
	int ((mode));
	union { };
	long (cold)[7];
	struct { int none[0]; };
};
struct marked a_marked;
