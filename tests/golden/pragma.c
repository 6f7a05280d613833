/* Alignments that nothing states: #pragma pack, and packed bit-fields. */
#define ALIGNED(type, bytes) _Static_assert(__alignof__(type) == (bytes), #type)

#pragma pack(push, 2)
struct to_2 {
	char a;
	long b;
	int c : 7;
	long d;
};
struct to_2_inner {
	char a;
	struct to_2 b;
	double c;
	char d;
};
#pragma pack(4)
struct to_4 {
	char a;
	long b;
	short c;
};
#pragma pack(pop)

struct of_packed {
	char a;
	struct to_2 b;
	struct to_4 c;
};
struct __attribute__((packed)) bits {
	int a : 5;
	int b : 32;
	short c : 16;
	char d : 4;
	int e : 31;
	char f;
};
struct of_bits {
	char a;
	struct bits b;
};
struct one {
	char a;
	int b __attribute__((packed));
	int c : 3;
};

ALIGNED(struct to_2, 2);
ALIGNED(struct to_2_inner, 2);
ALIGNED(struct to_4, 4);
ALIGNED(struct of_packed, 4);
ALIGNED(struct bits, 1);
ALIGNED(struct of_bits, 1);
ALIGNED(struct one, 4);
_Static_assert(sizeof(struct to_2) == 20 && sizeof(struct to_4) == 16 && sizeof(struct of_packed) == 40, "");

struct to_2_inner v1;
struct of_packed v2;
struct of_bits v3;
struct one v4;
