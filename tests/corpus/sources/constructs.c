/* Every construct of C that has a place in memory. */
#ifdef SECOND
#define HAVE(type, name) type second_##name;
#define function second_function
#else
#define HAVE(type, name) type have_##name;
#endif

/* bit-fields of every base type and width */
#define TO_8(type) \
	type w1 : 1; type w2 : 2; type w3 : 3; type w4 : 4; type w5 : 5; type w6 : 6; type w7 : 7; type w8 : 8;
#define TO_16(type) \
	TO_8(type) type w9 : 9; type w10 : 10; type w11 : 11; type w12 : 12; type w13 : 13; type w14 : 14; type w15 : 15; \
	type w16 : 16;
#define TO_32(type) \
	TO_16(type) type w17 : 17; type w18 : 18; type w19 : 19; type w20 : 20; type w21 : 21; type w22 : 22; type w23 : 23; \
	type w24 : 24; type w25 : 25; type w26 : 26; type w27 : 27; type w28 : 28; type w29 : 29; type w30 : 30; \
	type w31 : 31; type w32 : 32;
#define TO_64(type) \
	TO_32(type) type w33 : 33; type w34 : 34; type w35 : 35; type w36 : 36; type w37 : 37; type w38 : 38; type w39 : 39; \
	type w40 : 40; type w41 : 41; type w42 : 42; type w43 : 43; type w44 : 44; type w45 : 45; type w46 : 46; \
	type w47 : 47; type w48 : 48; type w49 : 49; type w50 : 50; type w51 : 51; type w52 : 52; type w53 : 53; \
	type w54 : 54; type w55 : 55; type w56 : 56; type w57 : 57; type w58 : 58; type w59 : 59; type w60 : 60; \
	type w61 : 61; type w62 : 62; type w63 : 63; type w64 : 64;

typedef unsigned short u16;
typedef long long s64;
enum plain { PLAIN_ZERO, PLAIN_MANY = 1000000 };
enum negative { NEGATIVE = -70000, POSITIVE = 5 };
enum wide_enum { WIDE_ENUM = 0x123456789aLL, WIDE_LOW = 1 };
enum __attribute__((packed)) enum_8 { E8_A, E8_B = 200 };
enum __attribute__((packed)) enum_16 { E16_A, E16_B = 40000 };
enum __attribute__((packed)) enum_32 { E32_A, E32_B = 400000 };

#define BITS(name, type, all) \
	struct bits_##name { all(type) }; \
	struct __attribute__((packed)) packed_bits_##name { all(type) }; \
	union bits_union_##name { all(type) }; \
	struct mixed_bits_##name { char before; type a : 3; type : 0; type b : 5; short between; type c : 1; type : 2; type d : 2; \
		type last : 7; char behind; }; \
	HAVE(struct bits_##name, bits_##name) HAVE(struct packed_bits_##name, packed_bits_##name) \
	HAVE(union bits_union_##name, bits_union_##name) HAVE(struct mixed_bits_##name, mixed_bits_##name)

BITS(char, char, TO_8)
BITS(signed_char, signed char, TO_8)
BITS(unsigned_char, unsigned char, TO_8)
BITS(short, short, TO_16)
BITS(u16, u16, TO_16)
BITS(int, int, TO_32)
BITS(unsigned, unsigned, TO_32)
BITS(long, long, TO_32)
BITS(unsigned_long, unsigned long, TO_32)
BITS(long_long, long long, TO_64)
BITS(s64, s64, TO_64)
BITS(unsigned_long_long, unsigned long long, TO_64)
BITS(enum_8, enum enum_8, TO_8)
BITS(enum_16, enum enum_16, TO_16)
BITS(enum_32, enum enum_32, TO_32)
BITS(const_int, const int, TO_32)
BITS(volatile, volatile unsigned, TO_32)
struct bits_bool { _Bool a : 1; _Bool b : 1; int c : 6; _Bool d : 1; _Bool : 0; _Bool e : 1; char f; _Bool g : 1; };
HAVE(struct bits_bool, bits_bool)
struct bits_enum { enum plain a : 20; enum negative b : 18; enum plain c : 32; enum plain d : 21; };
HAVE(struct bits_enum, bits_enum)
#ifdef __SIZEOF_INT128__
struct bits_128 { __int128 a : 1; __int128 b : 64; __int128 c : 65; unsigned __int128 d : 127; char e; unsigned __int128 f : 128;
	__int128 g : 3; };
HAVE(struct bits_128, bits_128)
struct __attribute__((packed)) packed_bits_128 { char a; unsigned __int128 b : 100; int c : 5; __int128 d : 120; char e; };
HAVE(struct packed_bits_128, packed_bits_128)
struct integers_128 { char a; __int128 b; char c; unsigned __int128 d[2]; };
HAVE(struct integers_128, integers_128)
#endif
struct zero_width { int a : 3; int : 0; int b : 4; char : 0; char c : 1; short : 0; short d : 5; long : 0; long e : 6; long long : 0;
	unsigned char f; };
HAVE(struct zero_width, zero_width)
struct straddling { int a : 20; int b : 20; long long c : 40; char d : 4; long long e : 44; short f : 9; short g : 9; };
HAVE(struct straddling, straddling)
struct __attribute__((packed)) straddling_packed { int a : 20; int b : 20; long long c : 40; char d : 4; long long e : 44; int f : 31;
	char g; short h : 3; int i : 30; };
HAVE(struct straddling_packed, straddling_packed)
struct aligned_bits { int a : 3 __attribute__((aligned(8))); int b : 4; char c : 2 __attribute__((aligned(4))); int d : 5
	__attribute__((packed)); };
HAVE(struct aligned_bits, aligned_bits)
struct first_bits { unsigned a : 4, b : 4; unsigned char c; unsigned d : 8, e : 16; };
HAVE(struct first_bits, first_bits)

/* every base type */
struct scalars { char a; short b; char c; int d; char e; long f; char g; long long h; char i; float j; char k; double l; char m;
	long double n; char o; void *p; char q; _Bool r; enum plain s; enum negative t; enum wide_enum u; enum enum_8 v;
	enum enum_16 w; enum enum_32 x; char y; };
HAVE(struct scalars, scalars)
struct complexes { char a; float _Complex b; char c; double _Complex d; char e; long double _Complex f; };
HAVE(struct complexes, complexes)
#ifndef NO_ATOMICS
struct atomics { char a; _Atomic char b; char c; _Atomic short d; char e; _Atomic int f; char g; _Atomic long h; void *_Atomic i;
	_Atomic _Bool j; _Atomic(int) k[3]; };
HAVE(struct atomics, atomics)
#endif
typedef int v4 __attribute__((vector_size(16)));
typedef char v8 __attribute__((vector_size(8)));
typedef double v4d __attribute__((vector_size(32)));
struct vectors { char a; v4 b; char c; v8 d; char e; v4d f[2]; v4 g[2][3]; };
HAVE(struct vectors, vectors)

/* packed and aligned, members and types */
struct __attribute__((packed)) packed { char a; int b; long long c; char d; double e; short f; };
HAVE(struct packed, packed)
struct packed_members { char a; int b __attribute__((packed)); long long c; char d; double e __attribute__((packed)); short f; };
HAVE(struct packed_members, packed_members)
struct __attribute__((packed, aligned(4))) packed_aligned { char a; int b; short c; };
HAVE(struct packed_aligned, packed_aligned)
struct holds_packed { char a; struct packed b; char c; struct packed_aligned d; };
HAVE(struct holds_packed, holds_packed)
struct __attribute__((aligned(64))) aligned_type { int a; char b; };
HAVE(struct aligned_type, aligned_type)
struct aligned_members { char a; int b __attribute__((aligned(16))); char c; char d __attribute__((aligned(128))); short e
	__attribute__((aligned(1))); _Alignas(32) char f[3]; struct aligned_type g; char h; };
HAVE(struct aligned_members, aligned_members)
typedef int aligned_int __attribute__((aligned(32)));
typedef long long packed_long __attribute__((aligned(1)));
struct aligned_typedefs { char a; aligned_int b; char c; packed_long d; char e; };
HAVE(struct aligned_typedefs, aligned_typedefs)
struct far { char a; char b __attribute__((aligned(65536))); char c; };
HAVE(struct far, far)
#pragma pack(push, 2)
struct pragma_packed { char a; int b; long long c; short d; int e : 9; int f : 30; double g; };
#pragma pack(pop)
HAVE(struct pragma_packed, pragma_packed)

/* unions and unnamed aggregates */
union words { long long whole; int half[2]; short quarter[4]; struct { char low, high; } bytes[4]; float real; };
HAVE(union words, words)
struct unnamed { int a; union { int b; char c; struct { short d, e; union { char f; int g : 5; }; }; }; struct { long h; char i; };
	union { struct { int j : 3, k : 29; }; unsigned l; } m; struct { char n; } o[2][3]; };
HAVE(struct unnamed, unnamed)
struct only_unnamed { union { struct { union { struct { char a; }; }; }; }; };
HAVE(struct only_unnamed, only_unnamed)
struct only_bits_inside { union { struct { unsigned a : 1, b : 2; }; unsigned char c; }; struct { unsigned d : 7; unsigned e : 9; }; };
HAVE(struct only_bits_inside, only_bits_inside)
typedef struct { int a; char b; } typedef_struct;
typedef union { int a; char b[7]; } typedef_union;
typedef struct { typedef_struct a; typedef_union b; struct { char c; } d; } typedef_of_typedefs;
typedef struct tagged { int a; char b; } tagged_t;
typedef typedef_struct again;
typedef struct { char a; } twice_a, twice_b;
HAVE(typedef_struct, typedef_struct)
HAVE(typedef_union, typedef_union)
HAVE(typedef_of_typedefs, typedef_of_typedefs)
HAVE(tagged_t, tagged_t)
HAVE(again, again)
HAVE(twice_a, twice_a)
HAVE(twice_b, twice_b)

/* nested ten deep, by name and without */
struct n0 { char a; short b : 3; };
struct n1 { char a; struct n0 b; }; struct n2 { char a; struct n1 b[2]; }; struct n3 { char a; struct n2 b; };
struct n4 { short a; struct n3 b; }; struct n5 { char a; struct n4 b; }; struct n6 { int a; struct n5 b; };
struct n7 { char a; struct n6 b; }; struct n8 { char a; struct n7 b; }; struct n9 { long long a; struct n8 b; };
struct n10 { char a; struct n9 b; };
HAVE(struct n10, n10)
struct deep { char a; struct { char a; struct { char a; struct { char a; struct { char a; struct { char a; struct { char a;
	struct { char a; struct { char a; struct { char a; struct { char a; int b; int c : 3; } b; } b; } b; } b; } b; } b; } b; } b;
	} b; } b; };
HAVE(struct deep, deep)

/* arrays */
struct arrays { char a[3]; int b[2][3]; short c[2][3][4]; char *d[5]; struct n0 e[2][2]; int f[1]; char g[1][1][1]; };
HAVE(struct arrays, arrays)
struct flexible { int a; char b; short c[]; };
HAVE(struct flexible, flexible)
struct flexible_structs { long a; struct n0 b[]; };
HAVE(struct flexible_structs, flexible_structs)
struct zero_length { int a; char b[0]; int c; long long d[0]; char e; struct n1 f[0]; };
HAVE(struct zero_length, zero_length)
struct zero_first { long long a[0]; char b; };
HAVE(struct zero_first, zero_first)
struct empty { };
struct holds_empty { char a; struct empty b; int c; struct empty d[3]; char e; };
HAVE(struct holds_empty, holds_empty)

/* pointers */
typedef int (*handler)(int, const char *);
struct pointers { void (*a)(void); int (*b)(int, struct pointers *); handler c; handler d[3]; int (*e)[4]; char *(*(*f)(int))[2];
	const char *const g; volatile int *h; void **i; int (*(*j[2])(void))(char); char *restrict k; char l; };
HAVE(struct pointers, pointers)
struct list { struct list *next, **prev; };
HAVE(struct list, list)
struct ping; struct pong;
struct ping { struct pong *other; int a : 4; struct list list; };
struct pong { char a; struct ping *other; struct ping inside; };
HAVE(struct ping, ping)
HAVE(struct pong, pong)
struct opaque;
struct points_to_opaque { struct opaque *a; char b; struct opaque **c; };
HAVE(struct points_to_opaque, points_to_opaque)

/* qualifiers */
struct qualified { const int a; volatile char b; const volatile long c; const struct n0 d; const char e[3]; };
HAVE(struct qualified, qualified)

/* large */
#define TEN(prefix) type prefix##0; char prefix##1; short prefix##2 : 5; char prefix##3; type prefix##4; short prefix##5 : 9; \
	short prefix##6 : 9; char prefix##7[3]; void *prefix##8; char prefix##9;
#define HUNDRED(prefix) TEN(prefix##0) TEN(prefix##1) TEN(prefix##2) TEN(prefix##3) TEN(prefix##4) TEN(prefix##5) TEN(prefix##6) \
	TEN(prefix##7) TEN(prefix##8) TEN(prefix##9)
#define type long long
struct thousand { HUNDRED(m0) HUNDRED(m1) HUNDRED(m2) HUNDRED(m3) HUNDRED(m4) HUNDRED(m5) HUNDRED(m6) HUNDRED(m7) HUNDRED(m8)
	HUNDRED(m9) };
#undef type
HAVE(struct thousand, thousand)
struct hundred_kib { char a; char b[50000]; int c : 3; int d[12800]; short e; struct list f; };
HAVE(struct hundred_kib, hundred_kib)
struct huge { char a; char b[1 << 20]; long long c; char d[1 << 20][3]; short e; };
HAVE(struct huge, huge)

/* of functions */
int function(int n)
{
	struct local { char a; int b : 7; long c; } one = {n, n, n};
	struct n0 { long a, b; } other = {n, n};
	{
		struct local { double a; char b[3]; } inner = {n, {n}};
		n += inner.a + inner.b[0];
	}
	return one.a + one.b + one.c + other.a + n;
}

#ifdef SECOND
/* the same names as in another unit, laid out differently */
struct same { long a; char b; int c : 3; };
struct alike { int a; char b; };
#else
struct same { char a; int b[3]; };
struct alike { int a; char b; };
#endif
HAVE(struct same, same)
HAVE(struct alike, alike)
