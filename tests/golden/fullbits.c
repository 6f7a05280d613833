// Packed bit-fields as wide as their types, which begin inside a byte: clang's debug information has only that byte.
// members(packed): struct full_chars: a:1 b:1 c:1 d:1 e:4 f
// members(packed): struct full_words: a:4 b:4 c:8 d:2 e
// members(packed): union full_either: a:1 b:1
struct __attribute__((packed)) full_chars {
	char a : 3;
	char b : 8;
	char c : 2;
	unsigned char d : 8;
	int e : 32;
	char f;
};
_Static_assert(sizeof(struct full_chars) == 8, "53 bits, and a byte");

struct __attribute__((packed)) full_words {
	unsigned a : 31;
	unsigned b : 32; /* from bit 31 on */
	unsigned long long c : 64;
	short d : 16;
	char e;
};

union __attribute__((packed)) full_either {
	char a : 3;
	char b : 8; /* a union's members all begin at its start */
};

struct full_chars full_chars;
struct full_words full_words;
union full_either full_either;
