// Unnamed structs and unions, nested in each other, in arrays, behind typedefs.
// members: struct deep: a u f x y:4 z pair[0]{ k v } end
// members: struct items: count item[0][0]{ key value low high }
// members: list_t: head{ next } size
// members: word_t: whole half[0]{ low high }
// members: struct only: first second
#include <stddef.h>

struct deep {
	int a;
	union {
		int u;
		float f;
		struct {
			long long x;
			struct {
				unsigned int y : 5;
				union {
					char z;
					struct {
						short k, v;
					} pair[2];
				};
			};
		};
	};
	char end;
};
_Static_assert(offsetof(struct deep, x) == 8 || sizeof(long) == 4, "x is aligned");

struct items {
	int count;
	struct {
		const char *key;
		union {
			long value;
			struct {
				short low, high;
			};
		};
	} item[2][3];
};
_Static_assert(sizeof(((struct items *)0)->item[0][0]) == 2 * sizeof(long), "a key and a value");

typedef struct {
	struct {
		void *next;
	} head;
	int size;
} list_t;

typedef union {
	int whole;
	struct {
		short low, high;
	} half[1];
} word_t;

struct only {
	struct {
		int first;
		int second;
	};
};

struct deep a_deep;
struct items a_items;
list_t a_list;
word_t a_word;
struct only an_only;
