// Structs that point to themselves, to each other, and to what is nowhere defined.
// members: struct node: next previous owner children
// members: struct owner: first any nobody
#include <stddef.h>

struct owner;
struct nobody;

struct node {
	struct node *next;
	struct node **previous;
	struct owner *owner;
	struct node *(*children)[2];
};

struct owner {
	struct node *first;
	void *any;
	struct nobody *nobody;
};
_Static_assert(sizeof(struct node) == 4 * sizeof(void *), "four pointers");

struct node a_node;
struct owner an_owner;
