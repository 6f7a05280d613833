// Bit-fields of all kinds.
// members: struct flags: a:4 b:4 c:4 d
// members: struct widths: one:1 full:4 wide:8 full_wide:8 short_one:2
// members: struct zero: a:4 b:4 c:1 d
// members: struct straddle: a:4 b:4 c:4
// members: struct mixed: kind small:1 middle:2 large:4 flag:1 sign:1 tail
// members: struct enums: level:4 mode:4
// members(packed): struct packed_bits: a:4 b:4 c:8 d
// members: union either: whole low:4 high:4
// members: struct inside: before nested{ x:4 y:4 } u:4 v after:1
// members(packed): struct aligned_bits: a:4 b:4
// members: struct unnamed_bits: a:4 b:4
#include <stddef.h>

struct flags {
	unsigned int a : 1;
	unsigned int b : 7;
	unsigned int c : 24;
	int d;
};
_Static_assert(offsetof(struct flags, d) == 4, "a, b and c fill one int");

struct widths {
	_Bool one : 1;
	unsigned int full : 32; /* as wide as its type: clang leaves DW_AT_bit_size out */
	unsigned long long wide : 40;
	unsigned long long full_wide : 64;
	short short_one : 1;
};

struct zero {
	int a : 3;
	int : 0; /* the next starts a new int */
	int b : 3;
	char : 0;
	char c : 2;
	char d;
};
_Static_assert(offsetof(struct zero, d) == 6, "b in byte 4, c in byte 5");

struct straddle {
	int a : 20;
	int b : 20; /* does not fit beside a */
	int c : 12;
};
_Static_assert(sizeof(struct straddle) == 8, "a alone, b with c");

struct mixed {
	char kind;
	signed char small : 3;
	unsigned short middle : 9;
	int large : 17;
	_Bool flag : 1;
	signed char sign : 1;
	char tail;
};

enum level { LOW, MIDDLE, HIGH };
enum mode { OFF = -1, ON = 1 };
struct enums {
	enum level level : 2;
	enum mode mode : 2;
};

struct __attribute__((packed)) packed_bits {
	unsigned int a : 3;
	unsigned int b : 30; /* over five bytes */
	unsigned long long c : 63;
	char d;
};
_Static_assert(sizeof(struct packed_bits) == 13, "96 bits and a byte");

union either {
	unsigned int whole;
	unsigned int low : 4;
	unsigned int high : 28;
};

struct inside {
	char before;
	struct {
		unsigned int x : 5, y : 6;
	} nested;
	struct {
		unsigned int u : 30;
		char v;
	};
	signed char after : 7;
};

struct aligned_bits {
	int a : 3;
	int b : 3 __attribute__((aligned(16)));
};
_Static_assert(sizeof(struct aligned_bits) == 32, "b starts the second 16 bytes");

struct unnamed_bits {
	int a : 3;
	int : 5;
	int b : 2;
	int : 22;
	int : 9;
};
_Static_assert(sizeof(struct unnamed_bits) == 8, "the unnamed ones take their place");

struct flags a_flags;
struct widths a_widths;
struct zero a_zero;
struct straddle a_straddle;
struct mixed a_mixed;
struct enums a_enums;
struct packed_bits a_packed_bits;
union either an_either;
struct inside an_inside;
struct aligned_bits a_aligned_bits;
struct unnamed_bits a_unnamed_bits;
