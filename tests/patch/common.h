/*
 * patch: struct node
 * writes: refs
 * reads: left right key
 * refused: common.h:12: 'refs' cannot be moved: it is one of several that NODE_HEAD declares; move it by hand
 *
 * A macro that declares several.
 */
#define NODE_HEAD unsigned long refs; void *owner

struct node {
	NODE_HEAD;
	struct node *left, *right;
	unsigned long key;
	char payload[100];
};
struct node a_node;
