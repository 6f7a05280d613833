// Names: tags, typedefs of unnamed structs, and one name for both.
// members: point_t: x y
// members: struct both: of_the_tag
// members: struct chain: a{ x y } b{ x y } c
// members: number_u: i f
#include <stddef.h>

typedef struct {
	int x, y;
} point_t;

typedef point_t place_t;

struct both {
	int of_the_tag;
};
typedef struct {
	char of_the_typedef[3];
} both; /* a tag wins */

typedef union {
	int i;
	float f;
} number_u;

struct chain {
	point_t a;
	place_t b;
	const place_t *c;
};
_Static_assert(offsetof(struct chain, c) == 16, "two points");

point_t a_point;
place_t a_place;
struct both a_both;
both another_both;
number_u a_number;
struct chain a_chain;
