/*
 * patch: struct whole
 * writes: hits
 * reads: table
 * refused: body.c:10: 'hits' cannot be moved: it is one of several that BODY declares; move it by hand
 *
 * A macro is all that is between the braces.
 */
#define BODY unsigned long hits; void *table; long cold[8];
struct whole { BODY };
struct whole a_whole;
