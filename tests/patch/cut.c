/*
 * patch: struct cut
 * writes: hits
 * reads: table
 * refused: cut.c:10: a conditional stands in the declaration of 'spare'; move the members by hand
 *
 * A conditional between declarators.
 */
struct cut {
	unsigned long hits,
#ifdef SPARE
		spare,
#endif
		table;
	long cold[8];
};
struct cut a_cut;
